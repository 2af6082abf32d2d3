//! Frames: one character at each quality with the time of every pass, and a crowd.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};

use super::{BenchFigure, ROUNDS};
use crate::commands::{fail_on_errors, open_headless};
use galatea_anim::local_to_model;
use galatea_app::SoundOutput;
use galatea_app::headless::advance_to;
use galatea_asset::{Lods, Project};
use galatea_character::Definition;
use galatea_deform::build_palette;
use galatea_forge::mannequin::mannequin;
use galatea_render::{Gpu, RenderOptions, Renderer, ShaderSource};
use galatea_stage::frame::{
    BakedPoses, Camera, DrawCrowd, DrawModel, DrawnAgent, Frame, Ground, Quality,
};
use galatea_stage::{Gaits, level_of_detail};

pub(super) const NAME: &str = "frame";
pub(super) const CROWD_NAME: &str = "crowd";

/// Frame size, pixels.
const SIZE: (u32, u32) = (1280, 720);
/// Characters of a crowd, and agents of a large crowd on a GPU.
const CROWD: usize = 1000;
const LARGE: usize = 10_000;
const LARGE_SIZE: (u32, u32) = (1920, 1080);
/// Frame size of a crowd at low quality with software rendering.
const LOW_SIZE: (u32, u32) = (960, 540);
/// A frame size at which pixels cost almost nothing.
const SMALL_SIZE: (u32, u32) = (192, 108);

/// Maximum time for the frames of one figure, seconds; at least three frames are drawn.
const BUDGET: f64 = 10.0;

/// Measures projects one second into their scene, or model files, or the built-in character if there are none.
pub(super) fn bench(files: &[PathBuf]) -> anyhow::Result<Vec<BenchFigure>> {
    let gpu = Gpu::headless()?;
    if !gpu.means().has_clock() {
        let name = &gpu.info.name;
        eprintln!("note: {name} has no timestamp queries; only whole frames are timed");
    }
    if files.is_empty() {
        return of_model(&gpu, &Definition::new(Arc::new(mannequin())));
    }
    of_each(files, |file| {
        if file.is_dir() {
            return of_project(&gpu, file);
        }
        let model = galatea_asset::gltf::load(file)?;
        of_model(&gpu, &Definition::new(Arc::new(model)))
    })
}

/// Measures a thousand instances of a model file, or of the built-in character.
pub(super) fn bench_crowd(files: &[PathBuf]) -> anyhow::Result<Vec<BenchFigure>> {
    let gpu = Gpu::headless()?;
    if files.is_empty() {
        return of_crowd(&gpu, &Arc::new(Definition::new(Arc::new(mannequin()))));
    }
    of_each(files, |file| {
        let model = galatea_asset::gltf::load(file)?;
        of_crowd(&gpu, &Arc::new(Definition::new(Arc::new(model))))
    })
}

fn of_each(
    files: &[PathBuf],
    measure: impl Fn(&Path) -> anyhow::Result<Vec<BenchFigure>>,
) -> anyhow::Result<Vec<BenchFigure>> {
    let mut figures = Vec::new();
    for file in files {
        let found = measure(file)?.into_iter().map(|figure| BenchFigure {
            file: Some(file.display().to_string()),
            ..figure
        });
        figures.extend(found);
    }
    Ok(figures)
}

fn of_project(gpu: &Gpu, folder: &Path) -> anyhow::Result<Vec<BenchFigure>> {
    let mut session = open_headless(Project::open(folder)?, SoundOutput::Silent)?;
    fail_on_errors(&session)?;
    advance_to(&mut session, 1.0);
    let mut frame = Frame::default();
    session.frame(1.0, &mut frame);
    of_qualities(
        gpu,
        &session.shaders(),
        &frame,
        "the project's scene at 1 s, 1280x720",
    )
}

fn of_qualities(
    gpu: &Gpu,
    shaders: &ShaderSource,
    frame: &Frame,
    what: &str,
) -> anyhow::Result<Vec<BenchFigure>> {
    let mut figures = Vec::new();
    let in_window = Quality::ALL.map(|quality| {
        let options = RenderOptions::in_window(quality, gpu);
        (format!("frame_{}", quality.name()), options)
    });
    let still = ("frame_still".to_owned(), RenderOptions::default());
    for (name, options) in in_window.into_iter().chain([still]) {
        let mut renderer = renderer(gpu, shaders, options)?;
        let has_clock = renderer.time_passes(gpu);
        figures.extend(timed(gpu, &mut renderer, (frame, SIZE), &name, what)?);
        if has_clock {
            figures.extend(passes(gpu, &renderer, &name)?);
        }
    }
    Ok(figures)
}

/// GPU times of the passes of the last frame.
fn passes(gpu: &Gpu, renderer: &Renderer, name: &str) -> anyhow::Result<Vec<BenchFigure>> {
    let times = renderer.pass_times(gpu)?.into_iter().map(|(pass, ms)| {
        let what = format!("of it: pass {pass} on the device");
        BenchFigure::plain(name, &what, f64::from(ms), "ms")
    });
    Ok(times.collect())
}

fn of_model(gpu: &Gpu, definition: &Definition) -> anyhow::Result<Vec<BenchFigure>> {
    let shaders = ShaderSource::embedded();
    let one = scene(definition, 1);
    of_qualities(gpu, &shaders, &one, "one character, 1280x720")
}

fn of_crowd(gpu: &Gpu, definition: &Arc<Definition>) -> anyhow::Result<Vec<BenchFigure>> {
    let plain = RenderOptions {
        msaa: 1,
        smooths: false,
        cascades: 0,
        light_shadow_size: (0, 0),
        occlusion: 0,
        bloom: false,
        ..RenderOptions::default()
    };
    let mut renderer = renderer(gpu, &ShaderSource::embedded(), plain)?;
    let has_clock = renderer.time_passes(gpu);
    let many = scene(definition, CROWD);
    let what = "1000 characters, 1280x720, one light, no shadows, one sample";
    let total = "in this frame";
    let mut figures = Vec::from(timed(gpu, &mut renderer, (&many, SIZE), "crowd", what)?);
    let calls = renderer.n_draws().0 as f64;
    figures.push(BenchFigure::plain("crowd", total, calls, "draw calls"));
    let triangles = renderer.n_triangles() as f64;
    figures.push(BenchFigure::plain("crowd", total, triangles, "triangles"));
    if has_clock {
        figures.extend(passes(gpu, &renderer, "crowd")?);
    }
    let gaits = Gaits::new(definition.clone(), walking(definition));
    for level in 0..Lods::LEVELS {
        let n = triangles_of(&gaits.poses, level) as f64;
        let what = format!("triangles of one character at level of detail {level}");
        figures.push(BenchFigure::plain("crowd_levels", &what, n, "triangles"));
    }
    let mut sizes = vec![(CROWD, SIZE)];
    if !gpu.is_software() {
        sizes.extend([(LARGE, SMALL_SIZE), (LARGE, LARGE_SIZE)]);
    }
    let plans =
        renderer_for_plans(gpu)?.time_plans(gpu, &agents(&gaits, LARGE), LARGE_SIZE, ROUNDS);
    let what = format!("draw plan of {LARGE} agents, medium quality");
    figures.push(figure("crowd_plan", &what, plans));
    for (n, size) in sizes {
        let frame = agents(&gaits, n);
        let name = format!("crowd_people_{n}_{}", size.1);
        let what = format!("{n} crowd agents, {}x{}", size.0, size.1);
        figures.extend(timed(gpu, &mut renderer, (&frame, size), &name, &what)?);
        let calls = renderer.n_draws().0 as f64;
        figures.push(BenchFigure::plain(&name, total, calls, "draw calls"));
        let triangles = renderer.n_triangles() as f64;
        figures.push(BenchFigure::plain(&name, total, triangles, "triangles"));
        if has_clock {
            figures.extend(passes(gpu, &renderer, &name)?);
        }
    }
    let low = RenderOptions::in_window(Quality::Low, gpu);
    let mut low = self::renderer(gpu, &ShaderSource::embedded(), low)?;
    let (frame, name) = (agents(&gaits, CROWD), "crowd_people_low");
    let (width, height) = LOW_SIZE;
    let what = format!("{CROWD} crowd agents, {width}x{height}, low quality with its shadows");
    figures.extend(timed(gpu, &mut low, (&frame, LOW_SIZE), name, &what)?);
    let triangles = low.n_triangles() as f64;
    figures.push(BenchFigure::plain(name, total, triangles, "triangles"));
    if low.time_passes(gpu) {
        low.time_pictures(gpu, &frame, LOW_SIZE, 1)?;
        figures.extend(passes(gpu, &low, name)?);
    }
    Ok(figures)
}

/// A renderer that draws crowds as on a GPU.
fn renderer_for_plans(gpu: &Gpu) -> anyhow::Result<Renderer> {
    let options = RenderOptions::in_window(Quality::Medium, gpu);
    let mut own = renderer(gpu, &ShaderSource::embedded(), options)?;
    own.draw_agents_as_models(0);
    Ok(own)
}

/// Triangles of a body at a level of detail.
fn triangles_of(book: &BakedPoses, level: usize) -> usize {
    let parts = book.model.parts.iter();
    let of_mesh = |mesh: usize| {
        let primitives = book.model.meshes[mesh].primitives.iter().enumerate();
        let own = primitives.map(|(i, primitive)| {
            let coarser = book.lods.triangles(mesh, i, level);
            coarser.unwrap_or(&primitive.indices).len() / 3
        });
        own.sum::<usize>()
    };
    parts.map(|part| of_mesh(part.mesh)).sum()
}

/// Clips of a body for standing, walking and running.
fn walking(definition: &Definition) -> [Option<usize>; 3] {
    ["idle", "walk", "run"].map(|name| definition.clips.find(name))
}

/// `n` agents in a square that walk at several speeds, seen from a corner.
fn agents(gaits: &Gaits, n: usize) -> Frame {
    let definition = &gaits.definition;
    let mut frame = scene(definition, 0);
    let [low, high] = definition.rest_box;
    let step = (high - low).max_element().max(1e-3);
    let row = (n as f32).sqrt().ceil() as usize;
    let side = row as f32 * step;
    let eye = Vec3::new(0.25 * side, 1.6 * step, 0.52 * side);
    frame.camera = Camera {
        eye,
        target: Vec3::new(0.0, 0.5 * step, 0.0),
        fov_y: 50.0,
    };
    let shown = |i: usize| {
        let at = |k: usize| (k as f32 + 0.5) * step - side * 0.5;
        let at = Vec3::new(at(i % row), 0.0, at(i / row));
        let chance = |k: usize| (i as f32 * 0.618_034 + k as f32 * 0.414).fract();
        let level = (chance(1) * gaits.levels.len() as f32) as usize;
        let (poses, share) = gaits.poses(level, chance(2));
        let seen = step / (at.distance(eye) * 2.0 * (25_f32.to_radians()).tan());
        let level = level_of_detail(seen);
        DrawnAgent {
            number: i as u32,
            at,
            turn: Quat::from_rotation_y(chance(3) * std::f32::consts::TAU),
            scale: [1.0, 0.94 + 0.12 * chance(4)],
            poses,
            pose_fraction: if level < 2 { share } else { 0.0 },
            level,
            apparent_size: seen,
            seed: i as u32,
        }
    };
    frame.agents.extend((0..n).map(shown));
    frame.crowds.push(DrawCrowd {
        poses: gaits.poses.clone(),
        tints: Arc::new([]),
        agents: 0..n,
        instance: 1 << 63,
    });
    frame
}

/// Times a frame of `size` after some warm-up frames: the total, and the part before it was submitted to the device.
pub(super) fn timed(
    gpu: &Gpu,
    renderer: &mut Renderer,
    (frame, size): (&Frame, (u32, u32)),
    name: &str,
    what: &str,
) -> anyhow::Result<[BenchFigure; 2]> {
    let warm = renderer.time_pictures(gpu, frame, size, 3)?;
    let fastest = warm.iter().map(|times| times[1]);
    let fastest = fastest.fold(f64::INFINITY, f64::min);
    let rounds = ((BUDGET / fastest) as usize).clamp(3, ROUNDS);
    let times = renderer.time_pictures(gpu, frame, size, rounds)?;
    let of = |i: usize| times.iter().map(|times| times[i]).collect();
    let handed = "of it: until submission to the device";
    Ok([figure(name, what, of(1)), figure(name, handed, of(0))])
}

pub(super) fn renderer(
    gpu: &Gpu,
    shaders: &ShaderSource,
    options: RenderOptions,
) -> anyhow::Result<Renderer> {
    let format = galatea_app::studio::View::PICTURE_FORMAT;
    Ok(Renderer::new(gpu, shaders, format, options)?)
}

fn figure(name: &str, what: &str, mut seconds: Vec<f64>) -> BenchFigure {
    seconds.sort_by(f64::total_cmp);
    let ms = |i: usize| seconds.get(i).map(|s| s * 1e3);
    BenchFigure {
        fastest: ms(0),
        slowest: ms(seconds.len().saturating_sub(1)),
        ..BenchFigure::plain(
            name,
            what,
            ms(seconds.len() / 2).unwrap_or(0.0),
            "ms per frame",
        )
    }
}

/// `n` instances of a character in a square, each at its own time of the first clip.
pub(super) fn scene(definition: &Definition, n: usize) -> Frame {
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
        let at = |k: usize| (k as f32 + 0.5) * step - side * 0.5;
        let place = Vec3::new(at(i % row), 0.0, at(i / row));
        let palette_start = frame.palette.len() as u32;
        pose.clone_from(&definition.rest);
        if !definition.clips.is_empty() {
            let time = i as f32 * 0.37 % definition.clips.duration(0).max(1e-3);
            definition.clips.sample_one(0, time, &mut pose);
        }
        local_to_model(&model.skeleton, &pose.locals, &mut matrices);
        build_palette(model, &matrices, &mut frame.palette);
        frame
            .morph_weights
            .extend(std::iter::repeat_n(0.0, n_weights));
        frame.models.push(DrawModel {
            model: model.clone(),
            instance: i as u64,
            world_from_model: Affine3A::from_translation(place),
            palette_start,
            morph_start: (frame.morph_weights.len() - n_weights) as u32,
            hidden_parts: Vec::new(),
            headless: None,
            coarser: None,
            materials: (0, 0),
            wrinkle_start: 0,
            decals: (0, 0),
            variant: None,
            bounds: (place + (low + high) * 0.5, step),
            spheres: 0..0,
        });
    }
    frame
}
