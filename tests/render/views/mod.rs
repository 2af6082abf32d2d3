//! Debug views and the shading style "book", compared with computed values.

mod book;
mod decals;
mod lines;
mod surfaces;
mod wrinkles;

use std::sync::Arc;

use galatea::asset::model::{Image, Model, Primitive, Sampler, TextureRef, UvTransform};
use galatea::render::{Gpu, Picture, RenderOptions, Renderer};
use galatea::stage::Frame;
use galatea::stage::frame::{Camera, Fog, FrameView, Grade, PostProcessing, Quality, ViewKind};
use glam::{Affine3A, Vec2, Vec3, Vec4};

use crate::renderer_with;
use crate::shapes::add;

const SIZE: (u32, u32) = (256, 256);
/// Direction towards the sun.
const SUN: Vec3 = Vec3::new(0.48, 0.6, 0.64);

/// A frame seen from 4 m whose light, fog and post-processing would change every colour.
fn frame() -> Frame {
    let mut frame = Frame {
        post_processing: PostProcessing {
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
            ..PostProcessing::default()
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
        vertex_lines: false,
        shown: vec![true; frame.models.len()],
        paints: Vec::new(),
    });
}

/// One sample per pixel, so that no colour is a mean of two.
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

/// Colour of a pixel, 0..=255.
fn at(picture: &Picture, x: u32, y: u32) -> Vec3 {
    let i = ((y * picture.width + x) * 4) as usize;
    let c = &picture.rgba[i..i + 3];
    Vec3::new(c[0].into(), c[1].into(), c[2].into())
}

/// Direction of a pixel's ray.
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

/// A square of 2 m about the origin that faces +Z, u to the right, v down.
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

fn assert_close(what: &str, seen: Vec3, wanted: Vec3) {
    let wanted = wanted * 255.0;
    assert!(
        (seen - wanted).abs().max_element() <= 1.0,
        "{what}: {seen}, not {wanted}"
    );
}
