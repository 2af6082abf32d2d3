//! Outlines of a real character (GALATEA_CORPUS).

use std::path::PathBuf;
use std::sync::Arc;

use galatea::asset::gltf;
use galatea::asset::model::{Model, OutlineMode};
use galatea::character::{Definition, Placement};
use galatea::render::{Gpu, Picture, Renderer};
use galatea::stage::frame::Camera;
use galatea::stage::{Frame, Stage};
use glam::Vec3;

use super::{gpu, renderer};

const GODETTE: &str = "03_vrm/godot-vrm-godette/vrm_samples/Godette_vrm_v4.vrm";
const SIZE: (u32, u32) = (400, 400);

/// Outline settings: as in the file, with a width factor, or with a width in metres.
#[derive(Clone, Copy, Debug)]
enum Outlines {
    Times(f32),
    Metres(f32),
}

/// A character from the front.
fn frame_of(mut model: Model, uid: u64, outlines: Outlines) -> Frame {
    model.uid = uid;
    let toons = model.materials.iter_mut().filter_map(|m| m.toon.as_mut());
    for outline in toons.map(|toon| &mut toon.outline) {
        match outlines {
            _ if outline.mode == OutlineMode::None => {}
            Outlines::Times(times) => outline.width *= times,
            Outlines::Metres(width) => {
                outline.mode = OutlineMode::World;
                outline.width = width;
            }
        }
    }
    let definition = Arc::new(Definition::new(Arc::new(model)));
    let (middle, radius) = definition.rest_bounds;
    let mut stage = Stage::default();
    stage.add_character(definition, "toon", None, Placement::default());
    let mut frame = Frame::default();
    stage.snapshot(1.0, &mut frame);
    frame.ground = None;
    frame.camera = Camera {
        eye: middle + Vec3::new(0.3, 0.1, 1.0).normalize() * radius * 3.0,
        target: middle,
        fov_y: 30.0,
    };
    frame
}

fn draw(gpu: &Gpu, renderer: &mut Renderer, frame: &Frame) -> Picture {
    let picture = renderer.draw_to_picture(gpu, frame, SIZE, |_, _| {});
    assert_eq!(renderer.take_problems(), Vec::<String>::new());
    picture.unwrap()
}

/// Difference of two pictures: the sum of each pixel's largest channel difference, where 255 is a whole pixel.
fn pixels_of_difference(a: &Picture, b: &Picture) -> f32 {
    let pixels = a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4));
    let of_pixel = |(a, b): (&[u8], &[u8])| {
        let channels = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
        f32::from(channels.max().unwrap_or(0)) / 255.0
    };
    pixels.map(of_pixel).sum()
}

#[test]
fn a_characters_outlines_are_seen_and_twice_as_wide_take_twice_the_pixels() {
    let Some(corpus) = std::env::var_os("GALATEA_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: GALATEA_CORPUS is not set");
        return;
    };
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer(&gpu);
    let mut uid = 0;
    let mut picture = |outlines: Outlines| {
        uid += 1;
        let model = gltf::load(&corpus.join(GODETTE)).unwrap();
        let picture = draw(&gpu, &mut renderer, &frame_of(model, uid, outlines));
        super::super::keep(&picture, &format!("outline {outlines:?}"));
        picture
    };
    let none = picture(Outlines::Times(0.0));
    for (as_told, twice) in [
        (Outlines::Times(1.0), Outlines::Times(2.0)),
        (Outlines::Metres(0.002), Outlines::Metres(0.004)),
    ] {
        let narrow = pixels_of_difference(&none, &picture(as_told));
        let wide = pixels_of_difference(&none, &picture(twice));
        assert!(narrow > 300.0, "{as_told:?}: {narrow} pixels");
        let factor = wide / narrow;
        assert!((factor - 2.0).abs() < 0.25, "{as_told:?}: {factor}");
    }
}
