//! Debug views and the book's light, against what they must show of things whose every number is known.

use std::sync::Arc;

use galatea::asset::model::{
    AlphaMode, Image, Material, MaterialKind, Model, Primitive, Sampler, Specular, TextureRef,
    UvTransform,
};
use galatea::render::{Gpu, Picture, RenderOptions, Renderer};
use galatea::stage::Frame;
use galatea::stage::frame::{
    Camera, Fog, FrameView, Grade, Ground, Lamp, Look, Paint, Quality, Shading, ViewKind,
};
use glam::{Affine3A, Mat3, Quat, Vec2, Vec3, Vec4};

use super::shapes::{add, capsule, material, rigid};
use super::{gpu, keep, renderer_with};

const SIZE: (u32, u32) = (256, 256);
/// Towards the sun.
const SUN: Vec3 = Vec3::new(0.48, 0.6, 0.64);

/// A frame seen from 4 m, whose light, haze and look would change every colour.
fn frame() -> Frame {
    let mut frame = Frame {
        look: Look {
            exposure: 1.5,
            bloom: 0.5,
            fog: Fog {
                density: 0.3,
                ..Fog::default()
            },
            grade: Grade {
                contrast: 1.6,
                saturation: 0.2,
                ..Grade::default()
            },
            ..Look::default()
        },
        camera: Camera {
            eye: Vec3::new(0.0, 0.0, 4.0),
            target: Vec3::ZERO,
            fov_y: 32.0,
        },
        ..Frame::default()
    };
    frame.light.sun_direction = SUN;
    frame
}

fn show(frame: &mut Frame, kind: ViewKind) {
    frame.view = Some(FrameView {
        kind,
        hairs: false,
        shown: vec![true; frame.models.len()],
        paints: Vec::new(),
    });
}

/// One sample a pixel: no colour is a mean of two.
fn plain(gpu: &Gpu) -> Renderer {
    let options = RenderOptions {
        msaa: 1,
        smooths: false,
        ..RenderOptions::of(Quality::Medium)
    };
    renderer_with(gpu, options)
}

fn draw(gpu: &Gpu, renderer: &mut Renderer, frame: &Frame) -> Picture {
    let picture = renderer.draw_to_picture(gpu, frame, SIZE, |_, _| {});
    assert_eq!(gpu.take_error(), None);
    assert_eq!(renderer.take_problems(), Vec::<String>::new());
    picture.unwrap()
}

fn put(frame: &mut Frame, model: Model, world: Affine3A) {
    add(frame, &Arc::new(model), world, &[Affine3A::IDENTITY], &[]);
}

/// Bytes of a pixel.
fn at(picture: &Picture, x: u32, y: u32) -> Vec3 {
    let i = ((y * picture.width + x) * 4) as usize;
    let c = &picture.rgba[i..i + 3];
    Vec3::new(c[0].into(), c[1].into(), c[2].into())
}

/// The mark of a pixel: where its ray goes.
fn ray(frame: &Frame, x: u32, y: u32) -> Vec3 {
    let tan = (frame.camera.fov_y.to_radians() * 0.5).tan();
    let at = |i: u32, n: u32| ((i as f32 + 0.5) / n as f32 * 2.0 - 1.0) * tan;
    Vec3::new(at(x, SIZE.0), -at(y, SIZE.1), -1.0).normalize()
}

fn encoded(linear: Vec3) -> Vec3 {
    let one = |c: f32| match c {
        c if c <= 0.003_130_8 => c * 12.92,
        c => 1.055 * c.powf(1.0 / 2.4) - 0.055,
    };
    Vec3::from_array(linear.to_array().map(one))
}

/// A square of 2 m about the origin that looks along +Z, u to the right, v down.
fn square() -> Primitive {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    Primitive {
        positions: corners.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec(),
        normals: vec![Vec3::Z; 4],
        tangents: vec![Vec4::new(1.0, 0.0, 0.0, -1.0); 4],
        uv0: corners.map(|(x, y)| Vec2::new(x, -y) * 0.5 + 0.5).to_vec(),
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Primitive::default()
    }
}

fn picture_of(pixel: [u8; 4]) -> Image {
    Image {
        name: "flat".into(),
        width: 4,
        height: 4,
        rgba: [pixel; 16].concat(),
    }
}

fn texture(image: usize) -> TextureRef {
    TextureRef {
        image,
        sampler: Sampler::default(),
        uv_set: 0,
        uv_transform: UvTransform::default(),
    }
}

/// The formula of rows 12.02, 12.14 and 12.15: encoded colours, 0..1.
fn book(normal: Vec3, view: Vec3, base: Vec3, specular: Vec3) -> Vec3 {
    let shade = normal.dot(SUN).clamp(0.0, 1.0).max(0.2);
    let half = (SUN + view).normalize();
    let highlight = normal.dot(half).max(0.0).powf(85.0) * 0.4;
    (encoded(base) * shade + specular * highlight).clamp(Vec3::ZERO, Vec3::ONE)
}

fn assert_close(what: &str, seen: Vec3, wanted: Vec3) {
    let wanted = wanted * 255.0;
    assert!(
        (seen - wanted).abs().max_element() <= 1.0,
        "{what}: {seen}, not {wanted}"
    );
}

#[test]
fn a_ball_in_the_books_light_has_its_formulas_colour_in_every_pixel() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let base = Vec3::new(0.42, 0.2, 0.11);
    let mut frame = frame();
    frame.look.shading = Shading::Book;
    let ball = capsule(Vec3::ZERO, Vec3::ZERO, 1.0, 512);
    put(
        &mut frame,
        rigid(900, vec![ball], vec![material(base, 0.3, 0.8)]),
        Affine3A::IDENTITY,
    );
    let picture = draw(&gpu, &mut renderer, &frame);
    keep(&picture, "book ball");
    let (mut n_floor, mut n_bright) = (0, 0);
    for (x, y) in (0..SIZE.0).flat_map(|x| (0..SIZE.1).map(move |y| (x, y))) {
        let (eye, ray) = (frame.camera.eye, ray(&frame, x, y));
        let (b, c) = (eye.dot(ray), eye.length_squared() - 1.0);
        let inside = b * b - c;
        if inside <= 0.0 {
            continue;
        }
        let normal = (eye + ray * (-b - inside.sqrt())).normalize();
        if normal.dot(-ray) < 0.3 {
            continue;
        }
        let wanted = book(normal, -ray, base, Vec3::ONE);
        assert_close(&format!("{x} {y}"), at(&picture, x, y), wanted);
        n_floor += u32::from(normal.dot(SUN) < 0.2);
        n_bright += u32::from(wanted.x > encoded(base).x + 0.2);
    }
    assert!(n_floor > 500 && n_bright > 100, "{n_floor} {n_bright}");
}

#[test]
fn a_normal_map_a_mirrored_one_and_a_specular_colour_count_in_the_books_light() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let base = Vec3::new(0.3, 0.5, 0.2);
    for (i, sign) in [1.0, -1.0].into_iter().enumerate() {
        let mut frame = frame();
        frame.look.shading = Shading::Book;
        let mut primitive = square();
        primitive.tangents = vec![Vec4::new(1.0, 0.0, 0.0, sign); 4];
        let own = Material {
            normal_texture: Some(texture(0)),
            specular: Specular {
                factor: 0.9,
                color: Vec3::new(1.0, 0.6, 0.25),
                texture: Some(texture(1)),
                color_texture: Some(texture(1)),
            },
            ..material(base, 0.9, 0.0)
        };
        let mut model = rigid(910 + i as u64, vec![primitive], vec![own]);
        // Linear, two a texel minus one (row 12.04).
        let texel = [150, 176, 242, 255];
        model.images = vec![picture_of(texel), picture_of([255, 188, 255, 204])];
        put(&mut frame, model, Affine3A::IDENTITY);
        let picture = draw(&gpu, &mut renderer, &frame);
        let bump = Vec3::new(150.0, 176.0, 242.0) / 255.0 * 2.0 - 1.0;
        // The third axis is the cross product of the other two, by the tangent's sign (rows 12.09, 12.10).
        let frame_of = Mat3::from_cols(Vec3::X, Vec3::Z.cross(Vec3::X) * sign, Vec3::Z);
        let normal = (frame_of * bump).normalize();
        for (x, y) in [(128, 128), (80, 90), (170, 60), (60, 190), (190, 180)] {
            let ray = ray(&frame, x, y);
            // 188 is half as bright as 255; alpha, linear, multiplies the strength.
            let colour = Vec3::new(1.0, 0.6 * 0.5029, 0.25) * (0.9 * 0.8);
            let wanted = book(normal, -ray, base, colour);
            assert_close(&format!("{sign} {x} {y}"), at(&picture, x, y), wanted);
        }
    }
}

#[test]
fn the_floor_takes_the_books_light_and_no_shadow() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let mut frame = frame();
    frame.look.shading = Shading::Book;
    frame.camera.eye = Vec3::new(0.0, 2.0, 2.0);
    frame.camera.target = Vec3::new(0.3, 0.0, 0.3);
    let color = Vec3::new(0.25, 0.3, 0.2);
    frame.ground = Some(Ground {
        height: 0.0,
        color,
        grid: 1.0,
        uneven: 0.0,
    });
    let ball = capsule(Vec3::Y, Vec3::Y, 0.3, 32);
    let lifted = Affine3A::from_translation(Vec3::new(0.48, 0.6, 0.64) * 0.8);
    put(
        &mut frame,
        rigid(920, vec![ball], vec![Material::default()]),
        lifted,
    );
    let picture = draw(&gpu, &mut renderer, &frame);
    keep(&picture, "book floor");
    let wanted = encoded(color) * SUN.y;
    let mut n = 0;
    for (x, y) in (0..SIZE.0).flat_map(|x| (128..SIZE.1).map(move |y| (x, y))) {
        n += u32::from((at(&picture, x, y) - wanted * 255.0).abs().max_element() <= 1.0);
    }
    // All but lines of the grid and what stands before it.
    assert!(n > 20_000, "{n}");
}

#[test]
fn what_blends_lies_over_the_rest_in_the_books_light_and_hair_has_no_dark_core() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let (behind, before) = (Vec3::new(0.05, 0.3, 0.6), Vec3::new(0.7, 0.3, 0.1));
    for (i, kind) in [MaterialKind::Standard, MaterialKind::Hair]
        .into_iter()
        .enumerate()
    {
        let mut frame = frame();
        frame.look.shading = Shading::Book;
        let uid = 925 + 2 * i as u64;
        let solid = rigid(uid, vec![square()], vec![material(behind, 0.5, 0.0)]);
        put(&mut frame, solid, Affine3A::IDENTITY);
        let clear = Material {
            alpha: AlphaMode::Blend,
            base_color: before.extend(0.3),
            kind,
            ..Material::default()
        };
        let nearer = Affine3A::from_translation(Vec3::Z * 0.5);
        put(
            &mut frame,
            rigid(uid + 1, vec![square()], vec![clear]),
            nearer,
        );
        let picture = draw(&gpu, &mut renderer, &frame);
        for (x, y) in [(128, 128), (90, 160)] {
            let view = -ray(&frame, x, y);
            let seen = |base| book(Vec3::Z, view, base, Vec3::ONE);
            let light = |encoded: Vec3| encoded.to_array().map(|c| ((c + 0.055) / 1.055).powf(2.4));
            let (far, near) = (light(seen(behind)), light(seen(before)));
            let mixed = Vec3::from(far).lerp(Vec3::from(near), 0.3);
            assert_close(&format!("{kind:?}"), at(&picture, x, y), encoded(mixed));
        }
    }
}

#[test]
fn numbers_of_a_material_are_shown_as_they_are() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let turn = Quat::from_rotation_y(0.6) * Quat::from_rotation_x(-0.4);
    let base = Vec3::new(0.42, 0.05, 0.7);
    let mut frame = frame();
    let own = Material {
        occlusion_texture: Some(texture(0)),
        occlusion_strength: 0.5,
        ..material(base, 0.37, 0.81)
    };
    let mut model = rigid(930, vec![square()], vec![own]);
    model.images = vec![picture_of([102, 0, 0, 255])];
    put(&mut frame, model, Affine3A::from_quat(turn));
    let normal = turn * Vec3::Z * 0.5 + 0.5;
    let tangent = turn * Vec3::X * 0.5 + 0.5;
    let cases = [
        (ViewKind::Unlit, encoded(base)),
        (ViewKind::Roughness, Vec3::splat(0.37)),
        (ViewKind::Metallic, Vec3::splat(0.81)),
        (ViewKind::Occlusion, Vec3::splat(0.7)),
        (ViewKind::Normals, normal),
        (ViewKind::Tangents, tangent),
    ];
    for (kind, wanted) in cases {
        show(&mut frame, kind);
        let picture = draw(&gpu, &mut renderer, &frame);
        // Mirrored ones are striped; the brightest of a few pixels in a row is what is between.
        let seen = (120..136).map(|x| at(&picture, x, 128));
        let seen = seen.fold(Vec3::ZERO, Vec3::max);
        assert_close(kind.name(), seen, wanted);
        let darkest = (120..136)
            .map(|x| at(&picture, x, 128))
            .fold(seen, Vec3::min);
        let is_striped = kind == ViewKind::Tangents;
        assert_eq!(darkest.x < seen.x * 0.5, is_striped, "{}", kind.name());
        // What the view is not of is grey.
        frame.view.as_mut().unwrap().shown = vec![false];
        let aside = at(&draw(&gpu, &mut renderer, &frame), 128, 128);
        let grey = Vec3::splat(aside.element_sum() / 3.0);
        assert!(
            aside.distance(grey) < 6.0 && grey.x < 115.0,
            "{}: {aside}",
            kind.name()
        );
    }
}

/// The scale of heat at 0, 1/4, 1/2, 3/4 and 1, encoded.
const SCALE: [[f32; 3]; 5] = [
    [0.12, 0.20, 0.80],
    [0.05, 0.62, 0.86],
    [0.12, 0.76, 0.28],
    [0.96, 0.80, 0.14],
    [0.90, 0.14, 0.10],
];

#[test]
fn painted_vertices_have_their_colour_or_that_of_their_share_of_the_scale() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let mut frame = frame();
    let white = || vec![Material::default()];
    put(
        &mut frame,
        rigid(940, vec![square()], white()),
        Affine3A::IDENTITY,
    );
    let mut cases: Vec<([f32; 4], Vec3)> = vec![
        ([0.6, 0.3, 0.1, 1.0], Vec3::new(0.6, 0.3, 0.1)),
        ([0.0; 4], Vec3::new(0.27, 0.27, 0.285)),
    ];
    for (i, color) in SCALE.into_iter().enumerate().skip(1) {
        cases.push(([i as f32 / 4.0, 0.0, 0.0, 0.0], Vec3::from(color)));
    }
    for (value, wanted) in cases {
        show(&mut frame, ViewKind::Weights);
        frame.view.as_mut().unwrap().paints = vec![Paint {
            model: 0,
            part: 0,
            primitive: 0,
            values: Arc::new(vec![value; 4]),
        }];
        let picture = draw(&gpu, &mut renderer, &frame);
        // Seen from ahead, form takes nothing away.
        assert_close(&format!("{value:?}"), at(&picture, 128, 128), wanted);
    }
}

#[test]
fn layers_are_counted_hidden_ones_are_not_and_lamps_are() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    // A clear square before a solid one hides it not: two layers; a third, solid, behind both is hidden.
    let clear = Material {
        alpha: AlphaMode::Blend,
        base_color: Vec4::new(1.0, 1.0, 1.0, 0.4),
        ..Material::default()
    };
    let mut frame = frame();
    let placed = |z: f32| Affine3A::from_translation(Vec3::Z * z);
    put(
        &mut frame,
        rigid(950, vec![square()], vec![Material::default()]),
        placed(-1.0),
    );
    put(
        &mut frame,
        rigid(951, vec![square()], vec![Material::default()]),
        placed(0.0),
    );
    put(
        &mut frame,
        rigid(952, vec![square()], vec![clear]),
        placed(1.0),
    );
    show(&mut frame, ViewKind::Overdraw);
    let picture = draw(&gpu, &mut renderer, &frame);
    let heat = |n: f32| {
        let share = (n - 1.0) / 7.0 * 4.0;
        let i = (share as usize).min(3);
        Vec3::from(SCALE[i]).lerp(Vec3::from(SCALE[i + 1]), share - i as f32)
    };
    assert_close("two layers", at(&picture, 128, 128), heat(2.0));

    frame.models.truncate(1);
    for n in [0, 1, 3, 8, 11] {
        let lamp = |i: i32| Lamp {
            position: Vec3::new(0.1 * i as f32 - 0.5, 0.0, 0.5),
            range: 6.0,
            ..Lamp::default()
        };
        frame.light.lamps = (0..n).map(lamp).collect();
        show(&mut frame, ViewKind::Light);
        let picture = draw(&gpu, &mut renderer, &frame);
        let wanted = match n {
            0 => Vec3::new(0.27, 0.27, 0.285),
            n => heat((n as f32).min(8.0)),
        };
        let what = format!("{n} lamps");
        assert_close(&what, at(&picture, 128, 128), wanted);
    }
}

#[test]
fn depth_has_the_colour_of_its_octave_and_a_line_every_ten_centimetres() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    for (z, share) in
        [(-0.05_f32, 4.05_f32), (-11.95, 15.95)].map(|(z, d)| (z, (d / 0.25).log2() / 8.0))
    {
        let mut frame = frame();
        let mut far = square();
        far.positions.iter_mut().for_each(|p| *p *= 8.0);
        let placed = Affine3A::from_translation(Vec3::Z * z);
        put(
            &mut frame,
            rigid(960, vec![far], vec![Material::default()]),
            placed,
        );
        show(&mut frame, ViewKind::Depth);
        let picture = draw(&gpu, &mut renderer, &frame);
        let at_scale = share * 4.0;
        let i = at_scale as usize;
        let wanted = Vec3::from(SCALE[i]).lerp(Vec3::from(SCALE[i + 1]), at_scale - i as f32);
        assert_close(&format!("{z}"), at(&picture, 128, 128), wanted);
    }
    // A wall that leans away from 4 m to 5 m over the picture's width crosses ten lines.
    let mut frame = frame();
    let mut leaning = square();
    for p in &mut leaning.positions {
        p.z = -0.5 - 0.5 * p.x;
    }
    put(
        &mut frame,
        rigid(961, vec![leaning], vec![Material::default()]),
        Affine3A::IDENTITY,
    );
    show(&mut frame, ViewKind::Depth);
    let picture = draw(&gpu, &mut renderer, &frame);
    let row: Vec<f32> = (0..SIZE.0).map(|x| at(&picture, x, 128).y).collect();
    let dark = |x: usize| row[x] < 0.75 * row[x.saturating_sub(4)].max(row[(x + 4).min(255)]);
    let n = (20..236).filter(|&x| dark(x) && !dark(x - 1)).count();
    assert!((8..=10).contains(&n), "{n} lines: {row:?}");
}

#[test]
fn edges_are_a_pixel_wide_in_any_size_and_hidden_ones_are_not_seen() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let mut widths = Vec::new();
    for (uid, scale) in [(970, 0.45), (972, 0.9)] {
        let mut frame = frame();
        let mut small = square();
        small.positions.iter_mut().for_each(|p| *p *= scale);
        put(
            &mut frame,
            rigid(uid, vec![small], vec![Material::default()]),
            Affine3A::IDENTITY,
        );
        // Behind it, turned: its edges would cross the middle of a triangle of the other.
        let behind = Affine3A::from_translation(Vec3::new(0.15 * scale, 0.0, -0.5))
            * Affine3A::from_scale(Vec3::splat(0.3));
        let turned = behind * Affine3A::from_quat(Quat::from_rotation_z(0.3));
        let mut other = square();
        other.positions.iter_mut().for_each(|p| *p *= scale);
        put(
            &mut frame,
            rigid(uid + 1, vec![other], vec![Material::default()]),
            turned,
        );
        show(&mut frame, ViewKind::Wireframe);
        let picture = draw(&gpu, &mut renderer, &frame);
        keep(&picture, &format!("wire {scale}"));
        // Across the diagonal, along a row: light above the body's, summed over the light of an edge.
        let half = (scale / (4.0 * 16.0_f32.to_radians().tan()) * 128.0) as u32;
        let row: Vec<f32> = (128 - half + 6..128 + half - 6)
            .map(|x| at(&picture, x, 118).y)
            .collect();
        let brightest = (0..row.len()).max_by(|a, b| row[*a].total_cmp(&row[*b]));
        let edge = brightest.unwrap();
        let (low, high) = ((row[edge - 6] + row[edge + 6]) * 0.5, 0.86 * 255.0);
        let around = &row[edge - 6..=edge + 6];
        let width: f32 = around.iter().map(|y| (y - low) / (high - low)).sum();
        widths.push(width);
        let lit = row.iter().filter(|y| **y > low + 8.0).count();
        assert!((1..=4).contains(&lit), "{lit} pixels of one edge: {row:?}");
    }
    // Both sides draw 0.55 pixels of it; a row crosses it at 45 degrees.
    for width in &widths {
        assert!((width - 1.1 * 2.0_f32.sqrt()).abs() < 0.35, "{widths:?}");
    }
    assert!((widths[0] - widths[1]).abs() < 0.3, "{widths:?}");
}

#[test]
fn the_board_has_another_letter_in_every_field_and_shows_a_flip() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let drawn = |renderer: &mut Renderer, uid, change: &dyn Fn(Vec2) -> Vec2| {
        let mut frame = frame();
        let mut board = square();
        board.uv0.iter_mut().for_each(|uv| *uv = change(*uv));
        put(
            &mut frame,
            rigid(uid, vec![board], vec![Material::default()]),
            Affine3A::IDENTITY,
        );
        show(&mut frame, ViewKind::Uv);
        draw(&gpu, renderer, &frame)
    };
    let upright = drawn(&mut renderer, 980, &|uv| uv);
    keep(&upright, "uv board");
    let mirrored = drawn(&mut renderer, 981, &|uv| Vec2::new(1.0 - uv.x, uv.y));
    // Metres to pixels: the square is 2 m wide, 4 m away.
    let pixel = |share: f32| {
        (128.0 + (share - 0.5) * 2.0 / 4.0 / 16.0_f32.to_radians().tan() * 128.0) as u32
    };
    let fields: Vec<Vec<Vec3>> = (0..64)
        .map(|i| {
            let (u, v) = ((i % 8) as f32 / 8.0, (i / 8) as f32 / 8.0);
            let (x, y) = (pixel(u + 0.01), pixel(v + 0.01));
            let places = (0..20).flat_map(|dy| (0..20).map(move |dx| (x + dx, y + dy)));
            places.map(|(x, y)| at(&upright, x, y)).collect()
        })
        .collect();
    for i in 0..64 {
        for j in 0..i {
            let unlike: f32 = fields[i]
                .iter()
                .zip(&fields[j])
                .map(|(a, b)| a.distance(*b))
                .sum();
            assert!(
                unlike > 400.0 * 4.0,
                "fields {i} and {j} look alike: {unlike}"
            );
        }
    }
    for (i, field) in fields.iter().enumerate() {
        let inked = field
            .iter()
            .filter(|color| color.max_element() < 50.0)
            .count();
        assert!(
            (40..250).contains(&inked),
            "field {i} has {inked} pixels of letters"
        );
    }
    let mut flipped = 0.0_f32;
    let mut same = 0.0_f32;
    for (x, y) in (20..236).flat_map(|x| (20..236).map(move |y| (x, y))) {
        flipped += at(&mirrored, x, y).distance(at(&upright, 255 - x, y));
        same += at(&mirrored, x, y).distance(at(&upright, x, y));
    }
    let n = 216.0 * 216.0;
    assert!(
        flipped / n < 2.0 && same / n > 40.0,
        "{} {}",
        flipped / n,
        same / n
    );
    let outside = drawn(&mut renderer, 982, &|uv| uv + Vec2::X);
    let pale = |c: Vec3| c.max_element() - c.min_element();
    assert!(pale(at(&outside, 60, 60)) < 0.5 * pale(at(&upright, 60, 60)));
}

#[test]
fn hairs_stand_along_normals_and_nothing_of_a_view_is_left_afterwards() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let mut frame = frame();
    let turn = Affine3A::from_quat(Quat::from_rotation_x(-1.2));
    put(
        &mut frame,
        rigid(990, vec![square()], vec![Material::default()]),
        turn,
    );
    frame.models.push(frame.models[0].clone());
    frame.models[1].instance = 77;
    frame.models[1].world_from_model = Affine3A::from_translation(Vec3::Y * 0.6) * turn;
    let before = draw(&gpu, &mut renderer, &frame);
    let mut changed = Vec::new();
    for hairs in [false, true] {
        show(&mut frame, ViewKind::Normals);
        frame.view.as_mut().unwrap().hairs = hairs;
        changed.push(draw(&gpu, &mut renderer, &frame));
    }
    keep(&changed[1], "hairs");
    let unlike = |x: u32, y: u32| at(&changed[0], x, y).distance(at(&changed[1], x, y)) > 30.0;
    let places: Vec<(u32, u32)> = (0..SIZE.0)
        .flat_map(|x| (0..SIZE.1).map(move |y| (x, y)))
        .filter(|&(x, y)| unlike(x, y))
        .collect();
    // Eight vertices, hairs of 1.2 % of the distance: some five pixels each.
    assert!((12..120).contains(&places.len()), "{places:?}");
    let near_corner = places.iter().all(|&(x, _)| !(60..196).contains(&x));
    assert!(near_corner, "hairs stand on the corners: {places:?}");
    frame.view = None;
    assert_eq!(draw(&gpu, &mut renderer, &frame), before);
}
