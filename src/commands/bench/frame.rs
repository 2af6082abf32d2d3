//! Whole pictures: of one character at each quality with the time of every pass, and of a crowd.

use std::path::PathBuf;
use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::{Figure, ROUNDS};
use crate::anim::local_to_model;
use crate::asset;
use crate::character::Definition;
use crate::deform::build_palette;
use crate::forge::character::galatea;
use crate::render::{Gpu, RenderOptions, Renderer, ShaderSource};
use crate::stage::frame::{Camera, DrawModel, Frame, Ground, Quality};

pub(super) const NAME: &str = "frame";

/// Pixels.
const SIZE: (u32, u32) = (1280, 720);
/// Characters of a crowd.
const CROWD: usize = 1000;

/// Measures files, or our own character without any.
pub(super) fn bench(files: &[PathBuf]) -> anyhow::Result<Vec<Figure>> {
    let gpu = Gpu::headless()?;
    if files.is_empty() {
        let definition = Definition::new(Arc::new(galatea()));
        return of_model(&gpu, &definition, None);
    }
    let mut figures = Vec::new();
    for file in files {
        let model = asset::gltf::load(file)?;
        let definition = Definition::new(Arc::new(model));
        figures.extend(of_model(
            &gpu,
            &definition,
            Some(file.display().to_string()),
        )?);
    }
    Ok(figures)
}

fn of_model(
    gpu: &Gpu,
    definition: &Definition,
    file: Option<String>,
) -> anyhow::Result<Vec<Figure>> {
    let mut figures = Vec::new();
    let one = scene(definition, 1);
    for quality in Quality::ALL {
        let mut renderer = renderer(gpu, RenderOptions::of(quality))?;
        let has_clock = renderer.time_passes(gpu);
        renderer.time_pictures(gpu, &one, SIZE, 3)?;
        let times = renderer.time_pictures(gpu, &one, SIZE, ROUNDS)?;
        let name = format!("frame_{}", quality.name());
        figures.push(figure(&name, "one character, 1280x720", times));
        if has_clock {
            for (pass, ms) in renderer.pass_times(gpu)? {
                let what = format!("of it, {pass} on the device");
                figures.push(Figure::plain(&name, &what, f64::from(ms), "ms"));
            }
        }
    }
    let plain = RenderOptions {
        msaa: 1,
        smooths: false,
        cascades: 0,
        lamp_shadows: (0, 0),
        occlusion: 0,
        bloom: false,
        ..RenderOptions::default()
    };
    let mut renderer = renderer(gpu, plain)?;
    let many = scene(definition, CROWD);
    renderer.time_pictures(gpu, &many, SIZE, 3)?;
    let times = renderer.time_pictures(gpu, &many, SIZE, ROUNDS)?;
    let what = "1000 characters, 1280x720, one light, no shadows, one sample";
    figures.push(figure("frame_crowd", what, times));
    for figure in &mut figures {
        figure.file.clone_from(&file);
    }
    Ok(figures)
}

fn renderer(gpu: &Gpu, options: RenderOptions) -> anyhow::Result<Renderer> {
    let format = crate::studio::View::PICTURE_FORMAT;
    Ok(Renderer::new(
        gpu,
        &ShaderSource::embedded(),
        format,
        options,
    )?)
}

fn figure(name: &str, what: &str, mut seconds: Vec<f64>) -> Figure {
    seconds.sort_by(f64::total_cmp);
    let ms = |i: usize| seconds.get(i).map(|s| s * 1e3);
    Figure {
        fastest: ms(0),
        slowest: ms(seconds.len().saturating_sub(1)),
        ..Figure::plain(
            name,
            what,
            ms(seconds.len() / 2).unwrap_or(0.0),
            "ms per picture",
        )
    }
}

/// So many of a character in a square, each at its own time of the first clip.
fn scene(definition: &Definition, n: usize) -> Frame {
    let model = &definition.model;
    let [low, high] = definition.rest_box;
    let step = (high - low).max_element().max(1e-3);
    let row = (n as f32).sqrt().ceil() as usize;
    let side = row as f32 * step;
    let mut frame = Frame {
        ground: Some(Ground::default()),
        camera: Camera {
            eye: Vec3::new(0.3 * side, 0.6 * side, 1.1 * side) + Vec3::Y * step,
            target: Vec3::Y * (low.y + high.y) * 0.5,
            fov_y: 40.0,
        },
        ..Frame::default()
    };
    if n == 1 {
        frame.camera.eye = Vec3::new(0.8, 0.9, 2.0) * step;
    }
    let n_weights: usize = model
        .parts
        .iter()
        .map(|part| model.meshes[part.mesh].morph_names.len())
        .sum();
    let (mut pose, mut matrices) = (definition.rest.clone(), Vec::new());
    for i in 0..n {
        pose.clone_from(&definition.rest);
        if !definition.clips.is_empty() {
            let time = i as f32 * 0.37 % definition.clips.duration(0).max(1e-3);
            definition.clips.sample_one(0, time, &mut pose);
        }
        local_to_model(&model.skeleton, &pose.locals, &mut matrices);
        let at = |k: usize| (k as f32 + 0.5) * step - side * 0.5;
        let place = Vec3::new(at(i % row), 0.0, at(i / row));
        let palette_start = frame.palette.len() as u32;
        build_palette(model, &matrices, &mut frame.palette);
        frame.models.push(DrawModel {
            model: model.clone(),
            instance: i as u64,
            world_from_model: Affine3A::from_translation(place),
            palette_start,
            morph_start: frame.morph_weights.len() as u32,
            hidden_parts: Vec::new(),
            materials: (0, 0),
            variant: None,
            bounds: (place + (low + high) * 0.5, step),
        });
        frame
            .morph_weights
            .extend(std::iter::repeat_n(0.0, n_weights));
    }
    frame
}
