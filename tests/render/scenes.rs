//! Scenes with known light, and measurements in their pictures.

use std::sync::Arc;

use galatea::asset::Environment;
use galatea::asset::model::{
    Material, MaterialKind, Model, Sampler, TextureRef, Toon, UvTransform,
};
use galatea::render::{Gpu, Picture, Renderer};
use galatea::stage::Frame;
use galatea::stage::frame::{Camera, EnvironmentUse, Ground, LocalLight, PostProcessing, ToneMap};
use glam::{Affine3A, Vec3};

use super::shapes::{add, capsule, cuboid, material, rigid};

pub const SIZE: (u32, u32) = (256, 256);

/// Only the given light: no sun, no sky, no lens effects.
pub fn bare() -> Frame {
    let mut frame = Frame {
        post_processing: PostProcessing {
            tonemap: ToneMap::Linear,
            bloom: 0.0,
            ambient_occlusion: 0.0,
            contact_shadows: 0.0,
            ..PostProcessing::default()
        },
        camera: Camera {
            eye: Vec3::new(0.0, 0.0, 4.0),
            target: Vec3::ZERO,
            fov_y: 32.0,
        },
        ..Frame::default()
    };
    let light = &mut frame.light;
    light.sun_color = Vec3::ZERO;
    light.sky_zenith = Vec3::ZERO;
    light.sky_horizon = Vec3::ZERO;
    light.sky_ground = Vec3::ZERO;
    frame
}

pub fn put(frame: &mut Frame, model: Model) {
    let identity = [Affine3A::IDENTITY];
    add(frame, &Arc::new(model), Affine3A::IDENTITY, &identity, &[]);
}

/// A unit ball with a material.
pub fn ball(uid: u64, material: Material) -> Model {
    let smooth = capsule(Vec3::ZERO, Vec3::ZERO, 1.0, 192);
    rigid(uid, vec![smooth], vec![material])
}

pub fn under(frame: &mut Frame, uid: u64, size: u32, radiance: impl Fn(Vec3) -> Vec3) {
    let environment = Environment {
        uid,
        ..Environment::from_fn(size, radiance)
    };
    frame.light.environment = Some(EnvironmentUse {
        environment: Arc::new(environment),
        yaw: 0.0,
        intensity: 1.0,
        background: true,
        blur: 0.0,
    });
}

pub fn draw(gpu: &Gpu, renderer: &mut Renderer, frame: &Frame) -> Picture {
    let picture = renderer.draw_to_picture(gpu, frame, SIZE, |_, _| {});
    assert_eq!(gpu.take_error(), None);
    picture.unwrap()
}

pub fn linear(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    if c <= 0.04045 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
    }
}

pub fn light_at(picture: &Picture, x: u32, y: u32) -> Vec3 {
    let at = ((y * picture.width + x) * 4) as usize;
    let c = &picture.rgba[at..at + 3];
    Vec3::new(linear(c[0]), linear(c[1]), linear(c[2]))
}

pub fn local_light(position: Vec3, strength: f32) -> LocalLight {
    LocalLight {
        position,
        color: Vec3::splat(strength),
        range: 50.0,
        source_radius: 0.01,
        spot: None,
        casts_shadows: true,
    }
}

/// Largest difference between two pictures, 0..=255.
pub fn largest_difference(a: &Picture, b: &Picture) -> u8 {
    let pairs = a.rgba.iter().zip(&b.rgba);
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

pub fn lit_scene() -> Frame {
    let mut frame = bare();
    frame.post_processing = PostProcessing::default();
    frame.light = Default::default();
    frame.ground = Some(Ground::default());
    frame.camera = Camera {
        eye: Vec3::new(0.8, 1.2, 3.0),
        target: Vec3::new(0.0, 0.4, 0.0),
        fov_y: 36.0,
    };
    let glowing = Material {
        emissive_factor: Vec3::new(1.0, 0.4, 0.1),
        emissive_strength: 12.0,
        ..material(Vec3::splat(0.1), 0.5, 0.0)
    };
    let v = Vec3::new;
    let shapes = [
        (
            capsule(v(-0.3, 0.3, 0.0), v(-0.3, 0.3, 0.0), 0.3, 48),
            material(v(0.7, 0.5, 0.4), 0.4, 0.0),
        ),
        (
            capsule(v(0.28, 0.28, 0.1), v(0.28, 0.28, 0.1), 0.28, 48),
            material(v(0.9, 0.8, 0.5), 0.2, 1.0),
        ),
        (
            cuboid(v(0.0, 0.4, -0.4), v(0.6, 0.4, 0.1)),
            material(v(0.4, 0.45, 0.5), 0.8, 0.0),
        ),
        (
            capsule(v(0.0, 0.95, -0.3), v(0.0, 0.95, -0.3), 0.08, 24),
            glowing,
        ),
    ];
    for (i, (shape, material)) in shapes.into_iter().enumerate() {
        put(
            &mut frame,
            rigid(60 + i as u64, vec![shape], vec![material]),
        );
    }
    frame
}

pub fn toon(change: impl FnOnce(&mut Toon)) -> Material {
    let mut toon = Toon {
        shade_color: Vec3::new(0.2, 0.1, 0.3),
        ..Toon::default()
    };
    change(&mut toon);
    Material {
        kind: MaterialKind::Toon,
        toon: Some(Box::new(toon)),
        ..material(Vec3::new(0.9, 0.6, 0.5), 1.0, 0.0)
    }
}

/// The first image of a model, without filtering.
pub fn first_image_unmixed() -> Option<TextureRef> {
    Some(TextureRef {
        image: 0,
        uv_set: 0,
        uv_transform: UvTransform::IDENTITY,
        sampler: Sampler {
            mag_linear: false,
            min_linear: false,
            mipmaps: false,
            ..Sampler::default()
        },
    })
}
