//! Debug views of surface properties.

use std::sync::Arc;

use galatea::asset::model::{AlphaMode, Material};
use galatea::render::Renderer;
use galatea::stage::frame::{LocalLight, VertexColors, ViewKind};
use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};

use super::{
    SIZE, assert_close, at, draw, encoded, frame, picture_of, plain, put, show, square, texture,
};
use crate::shapes::{material, rigid};
use crate::{gpu, keep};

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
        // Mirrored ones are striped; the brightest of a few pixels in a row is between the stripes.
        let seen = (120..136).map(|x| at(&picture, x, 128));
        let seen = seen.fold(Vec3::ZERO, Vec3::max);
        assert_close(kind.name(), seen, wanted);
        let darkest = (120..136)
            .map(|x| at(&picture, x, 128))
            .fold(seen, Vec3::min);
        let is_striped = kind == ViewKind::Tangents;
        assert_eq!(darkest.x < seen.x * 0.5, is_striped, "{}", kind.name());
        // Models outside of the view are grey.
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

/// The heat scale at 0, 1/4, 1/2, 3/4 and 1, encoded.
const SCALE: [[f32; 3]; 5] = [
    [0.12, 0.20, 0.80],
    [0.05, 0.62, 0.86],
    [0.12, 0.76, 0.28],
    [0.96, 0.80, 0.14],
    [0.90, 0.14, 0.10],
];

#[test]
fn painted_vertices_have_their_colour_or_the_scale_colour() {
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
        frame.view.as_mut().unwrap().paints = vec![VertexColors {
            model: 0,
            part: 0,
            primitive: 0,
            values: Arc::new(vec![value; 4]),
        }];
        let picture = draw(&gpu, &mut renderer, &frame);
        // Seen from the front, shape has no effect.
        assert_close(&format!("{value:?}"), at(&picture, 128, 128), wanted);
    }
}

#[test]
fn overdraw_counts_visible_layers_and_the_light_view_counts_lights() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    // A transparent square in front of an opaque one does not hide it: two layers; an opaque third one behind both is
    // hidden.
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
        let lamp = |i: i32| LocalLight {
            position: Vec3::new(0.1 * i as f32 - 0.5, 0.0, 0.5),
            range: 6.0,
            ..LocalLight::default()
        };
        frame.light.local_lights = (0..n).map(lamp).collect();
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
    // A wall tilted from 4 m to 5 m over the picture's width crosses ten lines.
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
