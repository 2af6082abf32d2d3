//! Contact of shadows with their objects, for the sun and for lights.

use std::f32::consts::PI;

use galatea::render::{RenderOptions, Renderer};
use galatea::stage::Frame;
use galatea::stage::frame::{Camera, LocalLight, Quality, Spot};
use glam::Vec3;

use super::scenes::{SIZE, bare, draw, light_at, local_light, put};
use super::shapes::{cuboid, material, rigid};
use super::{gpu, keep, renderer_with};

/// A slab with its top at height 0, seen obliquely from above, with a post on it.
fn slab_and_post(sun: Vec3) -> Frame {
    let mut frame = bare();
    frame.light.sun_direction = sun.normalize();
    frame.light.sun_color = Vec3::splat(2.5);
    frame.light.sun_source_angle = 0.5;
    frame.camera = Camera {
        eye: Vec3::new(0.0, 2.2, 2.2),
        target: Vec3::ZERO,
        fov_y: 32.0,
    };
    let grey = || vec![material(Vec3::splat(0.5), 1.0, 0.0)];
    let slab = cuboid(Vec3::new(0.0, -0.5, 0.0), Vec3::new(3.0, 0.5, 3.0));
    put(&mut frame, rigid(50, vec![slab], grey()));
    let post = cuboid(Vec3::new(0.0, 0.15, 0.0), Vec3::new(0.05, 0.15, 0.05));
    put(&mut frame, rigid(51, vec![post], grey()));
    frame
}

/// The pixel of a world position.
fn pixel_of(frame: &Frame, point: Vec3) -> (u32, u32) {
    let p = frame.camera.view_from_world().transform_point3(point);
    let tan = (frame.camera.fov_y.to_radians() * 0.5).tan();
    let at = |part: f32, n: u32| ((part / (-p.z * tan) * 0.5 + 0.5) * n as f32) as u32;
    (at(p.x, SIZE.0), at(-p.y, SIZE.1))
}

#[test]
fn lit_ground_has_no_speckles_and_shadows_touch_their_objects() {
    let Some(gpu) = gpu() else { return };
    for quality in Quality::ALL {
        let mut renderer = renderer_with(&gpu, RenderOptions::of(quality));
        for sun in [Vec3::new(-1.0, 1.0, 0.0), Vec3::new(-1.0, 0.35, 0.2)] {
            let frame = slab_and_post(sun);
            let picture = draw(&gpu, &mut renderer, &frame);
            keep(&picture, &format!("post {} {}", quality.name(), sun.y));
            let lit = 0.5 / PI * 2.5 * sun.normalize().y;
            let light = |x: f32, z: f32| {
                let (x, y) = pixel_of(&frame, Vec3::new(x, 0.0, z));
                light_at(&picture, x, y).y
            };
            for i in 0..200 {
                let (x, z) = (
                    -0.6 + 0.5 * (i % 20) as f32 / 20.0,
                    -0.5 + (i / 20) as f32 / 10.0,
                );
                let share = light(x, z) / lit;
                assert!((share - 1.0).abs() < 0.06, "{quality:?} {x} {z}: {share}");
            }
            // Behind the post, from 2 cm on, and next to it.
            let behind = light(0.075, 0.0) / lit;
            assert!(behind < 0.15, "{quality:?}: {behind} just behind the post");
            assert!(light(0.12, 0.0) / lit < 0.1, "{quality:?}");
            assert!(light(0.1, 0.3) / lit > 0.94, "{quality:?}");
        }
    }
}

#[test]
fn lights_have_inverse_square_falloff_cones_and_shadows() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let mut frame = slab_and_post(Vec3::Y);
    frame.light.sun_color = Vec3::ZERO;
    let light = |renderer: &mut Renderer, frame: &Frame, x: f32| {
        let (px, py) = pixel_of(frame, Vec3::new(x, 0.0, 0.25));
        light_at(&draw(&gpu, renderer, frame), px, py).y
    };
    let under = |height: f32, strength: f32| local_light(Vec3::new(0.3, height, 0.25), strength);
    frame.light.local_lights = vec![under(1.0, 3.0)];
    let near = light(&mut renderer, &frame, 0.3);
    assert!((near / (0.5 / PI * 3.0) - 1.0).abs() < 0.02, "{near}");
    frame.light.local_lights = vec![under(2.0, 3.0)];
    let far = light(&mut renderer, &frame, 0.3);
    assert!((near / far - 4.0).abs() < 0.12, "{near} {far}");

    frame.light.local_lights[0].spot = Some(Spot {
        direction: Vec3::NEG_Y,
        inner_angle: 10.0,
        outer_angle: 15.0,
    });
    let in_cone = light(&mut renderer, &frame, 0.3);
    assert!((in_cone / far - 1.0).abs() < 0.03, "{in_cone} {far}");
    // 15 degrees at 2 m are 0.54 m.
    assert_eq!(light(&mut renderer, &frame, -0.35), 0.0);

    // A low light next to the post: only one side is lit.
    for spot in [None, Some(Vec3::new(1.0, -0.15, 0.0))] {
        frame.light.local_lights = vec![LocalLight {
            spot: spot.map(|direction| Spot {
                direction: direction.normalize(),
                inner_angle: 40.0,
                outer_angle: 50.0,
            }),
            ..local_light(Vec3::new(-0.5, 0.1, 0.0), 2.0)
        }];
        let picture = draw(&gpu, &mut renderer, &frame);
        keep(&picture, if spot.is_some() { "spot" } else { "ball" });
        let at = |x: f32, z: f32| {
            let (x, y) = pixel_of(&frame, Vec3::new(x, 0.0, z));
            light_at(&picture, x, y).y
        };
        assert!(
            at(0.1, 0.0) < 0.1 * at(0.1, 0.2),
            "{} {}",
            at(0.1, 0.0),
            at(0.1, 0.2)
        );
        assert!(at(-0.1, 0.0) > 0.02);
    }
}
