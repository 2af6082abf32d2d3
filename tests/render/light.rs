//! Light compared with physics: energy, a Monte Carlo integral of the same reflectance, colour spaces.

use std::f32::consts::PI;

use galatea::asset::model::Material;
use galatea::render::RenderOptions;
use galatea::stage::Frame;
use galatea::stage::frame::Quality;
use glam::Vec3;

use super::scenes::{SIZE, ball, bare, draw, light_at, put, under};
use super::shapes::material;
use super::{gpu, keep, renderer_with};

/// View direction, normal and position of the unit sphere at a pixel; `None` outside.
fn ball_at(frame: &Frame, x: u32, y: u32) -> Option<(Vec3, Vec3)> {
    let tan = (frame.camera.fov_y.to_radians() * 0.5).tan();
    let at = |i: u32, n: u32| ((i as f32 + 0.5) / n as f32 * 2.0 - 1.0) * tan;
    let ray = Vec3::new(at(x, SIZE.0), -at(y, SIZE.1), -1.0).normalize();
    let eye = frame.camera.eye;
    let (b, c) = (eye.dot(ray), eye.length_squared() - 1.0);
    let inside = b * b - c;
    (inside > 0.0).then(|| (-ray, (eye + ray * (-b - inside.sqrt())).normalize()))
}

#[test]
fn white_objects_vanish_in_uniform_white_light() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::of(Quality::High));
    let white = |roughness, metallic| material(Vec3::ONE, roughness, metallic);
    let cases = [
        ("smooth metal", white(0.1, 1.0)),
        ("metal", white(0.5, 1.0)),
        ("rough metal", white(1.0, 1.0)),
        ("smooth body", white(0.1, 0.0)),
        ("rough body", white(0.9, 0.0)),
    ];
    for (i, (name, material)) in cases.into_iter().enumerate() {
        let mut frame = bare();
        under(&mut frame, 77, 32, |_| Vec3::splat(0.5));
        put(&mut frame, ball(20 + i as u64, material));
        let picture = draw(&gpu, &mut renderer, &frame);
        let (mut sum, mut n) = (0.0, 0.0);
        for (x, y) in (0..SIZE.0).flat_map(|x| (0..SIZE.1).map(move |y| (x, y))) {
            if ball_at(&frame, x, y).is_some_and(|(v, n)| v.dot(n) > 0.15) {
                sum += light_at(&picture, x, y).y;
                n += 1.0;
            }
        }
        let share = sum / n / 0.5;
        keep(&picture, &format!("furnace {name}"));
        assert!((share - 1.0).abs() < 0.02, "{name} gives back {share}");
        let behind = light_at(&picture, 3, 3);
        assert!((behind.y - 0.5).abs() < 0.01, "{behind}");
    }
}

/// Radiance of a smooth environment.
fn gradient(d: Vec3) -> Vec3 {
    Vec3::new(0.42 + 0.3 * d.y, 0.4 + 0.25 * d.x, 0.38 + 0.2 * d.z)
}

/// Monte Carlo integral of the reflectance over all light: GGX with height-correlated masking, multiple scattering
/// (Fdez-Agüera 2019), and a diffuse base with the remaining energy.
fn integral(material: &Material, n: Vec3, v: Vec3, n_samples: u32) -> Vec3 {
    let base = material.base_color.truncate();
    let f0 = Vec3::splat(0.04).lerp(base, material.metallic);
    let alpha = material.roughness * material.roughness;
    let (side, up) = n.any_orthonormal_pair();
    let n_v = n.dot(v).max(1e-4);
    let mut random = galatea::stage::Rng::new(3);
    let (mut reflected, mut single, mut kept, mut around) =
        (Vec3::ZERO, Vec3::ZERO, 0.0, Vec3::ZERO);
    let lambda = |cosine: f32| {
        let c2 = cosine * cosine;
        0.5 * ((1.0 + alpha * alpha * (1.0 - c2) / c2).sqrt() - 1.0)
    };
    for _ in 0..n_samples {
        let (a, b) = (random.unit() as f32, random.unit() as f32 * 2.0 * PI);
        // Half vectors sampled from the distribution.
        let cos2 = (1.0 - a) / (1.0 + (alpha * alpha - 1.0) * a);
        let (cos, sin) = (cos2.sqrt(), (1.0 - cos2).max(0.0).sqrt());
        let h = side * (sin * b.cos()) + up * (sin * b.sin()) + n * cos;
        let v_h = v.dot(h);
        let l = h * (2.0 * v_h) - v;
        let n_l = n.dot(l);
        if n_l > 0.0 && v_h > 0.0 {
            let fresnel = f0 + (Vec3::ONE - f0) * (1.0 - v_h).powi(5);
            let weight = v_h / ((1.0 + lambda(n_v) + lambda(n_l)) * cos * n_v);
            reflected += gradient(l) * fresnel * weight;
            single += fresnel * weight;
            kept += weight;
        }
        let (r, z) = (a.sqrt(), (1.0 - a).sqrt());
        around += gradient(side * (r * b.cos()) + up * (r * b.sin()) + n * z);
    }
    let share = 1.0 / n_samples as f32;
    let (single, around, lost) = (single * share, around * share, 1.0 - kept * share);
    let f_mean = f0 + (Vec3::ONE - f0) / 21.0;
    let multiple = single * f_mean / (Vec3::ONE - f_mean * lost) * lost;
    let body = base * (1.0 - material.metallic) * (Vec3::ONE - single - multiple);
    reflected * share + (body + multiple) * around
}

#[test]
fn balls_look_as_a_monte_carlo_integral_of_their_reflectance_says() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let cases = [
        ("gold", material(Vec3::new(0.9, 0.7, 0.35), 0.25, 1.0)),
        ("plastic", material(Vec3::new(0.2, 0.35, 0.6), 0.35, 0.0)),
        ("clay", material(Vec3::new(0.6, 0.4, 0.3), 0.8, 0.0)),
    ];
    for (i, (name, material)) in cases.into_iter().enumerate() {
        let mut frame = bare();
        under(&mut frame, 78, 128, gradient);
        put(&mut frame, ball(30 + i as u64, material.clone()));
        let picture = draw(&gpu, &mut renderer, &frame);
        keep(&picture, &format!("integral {name}"));
        let (mut error, mut light) = (0.0, 0.0);
        for i in 0..40_u32 {
            let (x, y) = (64 + i * 37 % 128, 64 + i * 53 % 128);
            let Some((v, n)) = ball_at(&frame, x, y).filter(|(v, n)| v.dot(*n) > 0.2) else {
                continue;
            };
            let wanted = integral(&material, n, v, 6000);
            error += (light_at(&picture, x, y) - wanted).abs().element_sum();
            light += wanted.element_sum();
        }
        let mean = error / light;
        assert!(mean <= 0.01, "{name} is wrong by {mean}");
    }
}

#[test]
fn unlit_colours_are_shown_as_they_are() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::of(Quality::Low));
    for (i, color) in [0.02_f32, 0.18, 0.5, 0.9].into_iter().enumerate() {
        let mut frame = bare();
        let unlit = Material {
            unlit: true,
            ..material(Vec3::new(color, 0.25, 1.0 - color), 1.0, 0.0)
        };
        put(&mut frame, ball(40 + i as u64, unlit));
        let shown = light_at(&draw(&gpu, &mut renderer, &frame), 128, 128);
        let wanted = Vec3::new(color, 0.25, 1.0 - color);
        // One step of 255.
        assert!(
            (shown - wanted).abs().max_element() < 0.01,
            "{shown} {wanted}"
        );
    }
}

#[test]
fn an_environment_is_seen_where_its_turn_puts_it() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let mut frame = bare();
    let spot = |d: Vec3| Vec3::splat(if d.x > 0.8 { 0.8 } else { 0.05 });
    under(&mut frame, 120, 64, spot);
    let mut middle = |yaw: f32| {
        if let Some(used) = &mut frame.light.environment {
            used.yaw = yaw.to_radians();
        }
        light_at(&draw(&gpu, &mut renderer, &frame), 128, 128).y
    };
    // The camera looks along -Z, where a yaw of 90 degrees about +Y brings +X.
    let (plain, right, wrong) = (middle(0.0), middle(90.0), middle(-90.0));
    assert!(
        plain < 0.1 && wrong < 0.1 && right > 0.7,
        "{plain} {right} {wrong}"
    );
}
