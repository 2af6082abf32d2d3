//! Particles: positions, occlusion, soft fading at surfaces, order with other transparent objects, and lighting.

use std::sync::Arc;

use galatea::asset::model::{AlphaMode, Material};
use galatea::emitter::SpriteSheet;
use galatea::render::{Picture, RenderOptions, Renderer};
use galatea::stage::Frame;
use galatea::stage::frame::{Camera, Quality, Sprite, ViewKind};
use glam::{Vec3, Vec4};

use super::scenes::{bare, draw, largest_difference, light_at, put};
use super::shapes::{cuboid, material, rigid};
use super::{gpu, renderer_with};

/// Centre of a picture.
const MIDDLE: (u32, u32) = (128, 128);

/// An emissive square of one colour without soft fading.
fn sprite(at: Vec3, color: Vec3) -> Sprite {
    Sprite {
        position: at,
        size: 0.5,
        along: Vec3::ZERO,
        is_flat: false,
        rotation: 0.0,
        color: color.extend(1.0),
        emissive_strength: 1.0,
        soft_distance: 0.0,
        gloss: 0.0,
        translucency: 0.0,
        texture: 0,
        cell: 0,
    }
}

/// Full squares: white, and half transparent.
fn cells() -> Arc<SpriteSheet> {
    SpriteSheet::painted(2, |i, _| Vec4::new(1.0, 1.0, 1.0, [1.0, 0.5][i as usize]))
}

fn with(sprites: &[Sprite]) -> Frame {
    let mut frame = bare();
    frame.particles = sprites.to_vec();
    frame.particle_pictures = vec![cells()];
    frame
}

fn one(gpu: &galatea::render::Gpu, samples: u32) -> Renderer {
    let options = RenderOptions {
        msaa: samples,
        smooths: false,
        ..RenderOptions::of(Quality::Medium)
    };
    renderer_with(gpu, options)
}

fn middle(picture: &Picture) -> Vec3 {
    light_at(picture, MIDDLE.0, MIDDLE.1)
}

fn assert_near(got: Vec3, wanted: Vec3, what: &str) {
    assert!(
        got.abs_diff_eq(wanted, 0.012),
        "{what}: {got}, not {wanted}"
    );
}

/// A wall across the view with its front at a distance from the eye, which is 4 m from the origin.
fn wall(uid: u64, front: f32, own: Material) -> galatea::asset::Model {
    let middle = Vec3::new(0.0, 0.0, 4.0 - front - 0.05);
    rigid(
        uid,
        vec![cuboid(middle, Vec3::new(3.0, 3.0, 0.05))],
        vec![own],
    )
}

fn black() -> Material {
    material(Vec3::ZERO, 1.0, 0.0)
}

#[test]
fn particles_are_drawn_in_place_and_occluded() {
    let Some(gpu) = gpu() else { return };
    let color = Vec3::new(0.5, 0.25, 0.1);
    for samples in [1, 4] {
        let mut renderer = one(&gpu, samples);
        let mut frame = with(&[sprite(Vec3::new(0.5, 0.0, 0.0), color)]);
        let picture = draw(&gpu, &mut renderer, &frame);
        // 0.5 m of 2.29 m at this distance: 56 pixels around 184.
        assert_near(light_at(&picture, 184, 128), color, "in its middle");
        assert_near(light_at(&picture, 160, 104), color, "in its corner");
        assert_near(light_at(&picture, 152, 128), Vec3::ZERO, "to its left");
        put(&mut frame, wall(700, 3.5, black()));
        let picture = draw(&gpu, &mut renderer, &frame);
        assert_near(light_at(&picture, 184, 128), Vec3::ZERO, "behind a wall");
        frame.particles[0].position.z = 1.0;
        let picture = draw(&gpu, &mut renderer, &frame);
        assert_near(light_at(&picture, 200, 128), color, "before it");
        // A debug view shows only the models.
        frame.view = Some(galatea::stage::frame::FrameView {
            kind: ViewKind::Normals,
            vertex_lines: false,
            shown: vec![true],
            paints: Vec::new(),
        });
        let shown = draw(&gpu, &mut renderer, &frame);
        frame.particles.clear();
        let without = draw(&gpu, &mut renderer, &frame);
        assert_eq!(largest_difference(&shown, &without), 0);
    }
}

#[test]
fn particles_fade_at_surfaces() {
    let Some(gpu) = gpu() else { return };
    for samples in [1, 4] {
        let mut renderer = one(&gpu, samples);
        for (soft, before, share) in [
            (0.0, 0.1, 1.0),
            (0.4, 0.1, 0.25),
            (0.4, 0.3, 0.75),
            (0.4, 0.5, 1.0),
        ] {
            let mut own = sprite(Vec3::new(0.0, 0.0, before), Vec3::splat(0.8));
            own.soft_distance = soft;
            let mut frame = with(&[own]);
            put(&mut frame, wall(701, 4.0, black()));
            let seen = middle(&draw(&gpu, &mut renderer, &frame));
            let what = format!("{before} m before, over {soft} m, {samples} samples");
            assert_near(seen, Vec3::splat(0.8 * share), &what);
        }
    }
}

#[test]
fn near_ones_cover_far_ones_whatever_their_order() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = one(&gpu, 1);
    let lit = |at: Vec3, color: Vec3| Sprite {
        emissive_strength: 0.0,
        cell: 1,
        ..sprite(at, color)
    };
    let near = lit(Vec3::Z, Vec3::X);
    let far = lit(Vec3::NEG_Z, Vec3::Y);
    let mut seen = Vec::new();
    for list in [[near, far], [far, near]] {
        let mut frame = with(&list);
        // Uniform light: the result is the colour.
        frame.light.sky_zenith = Vec3::ONE;
        frame.light.sky_horizon = Vec3::ONE;
        frame.light.sky_ground = Vec3::ONE;
        frame.light.seamless = true;
        seen.push(middle(&draw(&gpu, &mut renderer, &frame)));
    }
    assert_eq!(seen[0], seen[1]);
    // Half of the near one, a quarter of the far one, a quarter of the background.
    assert!((seen[0].x - seen[0].y - 0.25).abs() < 0.03, "{}", seen[0]);
    assert!((seen[0].y - seen[0].z - 0.25).abs() < 0.03, "{}", seen[0]);
}

#[test]
fn particles_are_sorted_with_transparent_objects() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = one(&gpu, 1);
    let glass = Material {
        alpha: AlphaMode::Blend,
        base_color: Vec4::new(0.0, 0.0, 0.0, 0.5),
        ..material(Vec3::ZERO, 1.0, 0.0)
    };
    for (z, share) in [(-0.5, 0.5), (0.5, 1.0)] {
        let mut frame = with(&[sprite(Vec3::new(0.0, 0.0, z), Vec3::splat(0.6))]);
        put(&mut frame, wall(702, 4.0, glass.clone()));
        let seen = middle(&draw(&gpu, &mut renderer, &frame));
        let what = format!("{z} m before the pane");
        // Only the front of a box is drawn, not its back.
        assert_near(seen, Vec3::splat(0.6 * share), &what);
        let (calls, instances) = renderer.n_draws();
        assert_eq!((calls, instances), (2, 2), "{what}");
    }
}

#[test]
fn emissive_particles_add_and_lit_ones_cover() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = one(&gpu, 1);
    let glows = sprite(Vec3::Z, Vec3::splat(0.2));
    let frame = with(&[
        glows,
        Sprite {
            position: Vec3::ZERO,
            ..glows
        },
        Sprite {
            position: Vec3::NEG_Z,
            ..glows
        },
    ]);
    assert_near(
        middle(&draw(&gpu, &mut renderer, &frame)),
        Vec3::splat(0.6),
        "three lights",
    );
    let lit = Sprite {
        emissive_strength: 0.0,
        ..glows
    };
    let frame = with(&[
        glows,
        Sprite {
            position: Vec3::ZERO,
            ..lit
        },
        Sprite {
            position: Vec3::NEG_Z,
            ..glows
        },
    ]);
    assert_near(
        middle(&draw(&gpu, &mut renderer, &frame)),
        Vec3::splat(0.2),
        "one behind a dark one",
    );
}

#[test]
fn the_sun_lights_one_side_of_them_and_shadows_fall_on_them() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = one(&gpu, 1);
    let mut own = sprite(Vec3::ZERO, Vec3::splat(0.8));
    (own.emissive_strength, own.size) = (0.0, 1.0);
    let mut frame = with(&[own]);
    frame.light.sun_color = Vec3::splat(3.0);
    frame.light.sun_direction = Vec3::X;
    // The sun has shadow maps only if there is an object.
    put(
        &mut frame,
        rigid(
            703,
            vec![cuboid(Vec3::new(-1.5, 0.0, -1.0), Vec3::splat(0.1))],
            vec![black()],
        ),
    );
    let picture = draw(&gpu, &mut renderer, &frame);
    let [left, right] = [90, 166].map(|x| light_at(&picture, x, 128).x);
    assert!(right > 0.25 && left < right * 0.4, "{left} {right}");
    own.translucency = 1.0;
    frame.particles = vec![own];
    let picture = draw(&gpu, &mut renderer, &frame);
    let through = light_at(&picture, 90, 128).x;
    assert!(
        through > left + 0.1,
        "thin particles transmit light: {left} {through}"
    );
    put(
        &mut frame,
        rigid(
            704,
            vec![cuboid(Vec3::new(1.5, 0.0, 0.0), Vec3::new(0.1, 1.0, 1.0))],
            vec![black()],
        ),
    );
    let picture = draw(&gpu, &mut renderer, &frame);
    let [left, right] = [90, 166].map(|x| light_at(&picture, x, 128).x);
    assert!(left.max(right) < 0.02, "in the shadow: {left} {right}");
}

#[test]
fn lying_particles_are_flat_and_flying_ones_stretched() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = one(&gpu, 1);
    let covered = |frame: &Frame, renderer: &mut Renderer| {
        let picture = draw(&gpu, renderer, frame);
        let lit = |x: u32, y: u32| light_at(&picture, x, y).x > 0.1;
        let along = |flat: bool| {
            (0..256)
                .filter(|k| if flat { lit(*k, 128) } else { lit(128, *k) })
                .count()
        };
        (along(true), along(false))
    };
    let mut own = sprite(Vec3::ZERO, Vec3::splat(0.5));
    (own.is_flat, own.along) = (true, Vec3::Y);
    let mut frame = with(&[own]);
    frame.camera.eye.y = 0.4;
    let (wide, high) = covered(&frame, &mut renderer);
    assert!(
        wide > 40 && (2..9).contains(&high),
        "from the side: {wide} {high}"
    );
    frame.camera = Camera {
        eye: Vec3::new(0.0, 4.0, 0.001),
        ..frame.camera
    };
    let (wide, high) = covered(&frame, &mut renderer);
    assert!(
        wide.abs_diff(56) < 3 && high.abs_diff(56) < 3,
        "from above: {wide} {high}"
    );
    let mut own = sprite(Vec3::ZERO, Vec3::splat(0.5));
    own.along = Vec3::Y;
    let frame = with(&[own]);
    let (wide, high) = covered(&frame, &mut renderer);
    // 0.5 m and 1.5 m; all except 0.25 m extends downwards, to the lower edge of the picture.
    assert!(
        wide.abs_diff(56) < 3 && high.abs_diff(156) < 4,
        "along its way: {wide} {high}"
    );
}

#[test]
fn too_many_particle_textures_are_reported_once() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = one(&gpu, 1);
    let most = gpu.device.limits().max_texture_array_layers as usize;
    let many = || SpriteSheet::painted(64, |_, _| Vec4::ONE);
    let color = Vec3::splat(0.4);
    let mut frame = with(&[sprite(Vec3::ZERO, color)]);
    frame.particle_pictures = (0..most / 64 + 1).map(|_| many()).collect();
    let last = (frame.particle_pictures.len() - 1) as u16;
    let aside = Sprite {
        texture: last,
        ..sprite(Vec3::X, color)
    };
    frame.particles.push(aside);
    for told in [1, 0, 0] {
        let picture = draw(&gpu, &mut renderer, &frame);
        assert_near(middle(&picture), color, "of a picture that is held");
        assert_near(
            light_at(&picture, 240, 128),
            Vec3::ZERO,
            "of one that is not",
        );
        assert_eq!(renderer.take_problems().len(), told);
    }
}
