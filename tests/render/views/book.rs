//! The lighting of Character Animation with Direct3D (Granberg 2009, chapter 12), computed by the shading style "book".

use galatea::asset::model::{AlphaMode, Material, MaterialKind, Specular};
use galatea::stage::frame::{Ground, Shading};
use glam::{Affine3A, Mat3, Vec3, Vec4};

use super::{
    SIZE, SUN, assert_close, at, draw, encoded, frame, picture_of, plain, put, ray, square, texture,
};
use crate::shapes::{capsule, material, rigid};
use crate::{gpu, keep};

/// The lighting formula on encoded colours, 0..1.
fn book(normal: Vec3, view: Vec3, base: Vec3, specular: Vec3) -> Vec3 {
    let shade = normal.dot(SUN).clamp(0.0, 1.0).max(0.2);
    let half = (SUN + view).normalize();
    let highlight = normal.dot(half).max(0.0).powf(85.0) * 0.4;
    (encoded(base) * shade + specular * highlight).clamp(Vec3::ZERO, Vec3::ONE)
}

#[test]
fn a_ball_in_the_books_light_has_its_formulas_colour_in_every_pixel() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let base = Vec3::new(0.42, 0.2, 0.11);
    let mut frame = frame();
    frame.post_processing.shading = Shading::Classic;
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
        frame.post_processing.shading = Shading::Classic;
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
        // Linear, twice the texel minus one.
        let texel = [150, 176, 242, 255];
        model.images = vec![picture_of(texel), picture_of([255, 188, 255, 204])];
        put(&mut frame, model, Affine3A::IDENTITY);
        let picture = draw(&gpu, &mut renderer, &frame);
        let bump = Vec3::new(150.0, 176.0, 242.0) / 255.0 * 2.0 - 1.0;
        // The third axis is the cross product of the other two, with the tangent's sign.
        let frame_of = Mat3::from_cols(Vec3::X, Vec3::Z.cross(Vec3::X) * sign, Vec3::Z);
        let normal = (frame_of * bump).normalize();
        for (x, y) in [(128, 128), (80, 90), (170, 60), (60, 190), (190, 180)] {
            let ray = ray(&frame, x, y);
            // 188 is half as bright as 255; linear alpha multiplies the strength.
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
    frame.post_processing.shading = Shading::Classic;
    frame.camera.eye = Vec3::new(0.0, 2.0, 2.0);
    frame.camera.target = Vec3::new(0.3, 0.0, 0.3);
    let color = Vec3::new(0.25, 0.3, 0.2);
    frame.ground = Some(Ground {
        height: 0.0,
        color,
        grid: 1.0,
        color_variation: 0.0,
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
    // All pixels except lines of the grid and objects in front.
    assert!(n > 20_000, "{n}");
}

#[test]
fn transparent_objects_blend_in_the_books_light_and_hair_has_no_dark_core() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let (behind, before) = (Vec3::new(0.05, 0.3, 0.6), Vec3::new(0.7, 0.3, 0.1));
    for (i, kind) in [MaterialKind::Standard, MaterialKind::Hair]
        .into_iter()
        .enumerate()
    {
        let mut frame = frame();
        frame.post_processing.shading = Shading::Classic;
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
