//! Particles: simulated in still air, in wind with turbulence, and colliding with a floor; and drawn.

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::frame::{renderer, timed};
use super::{BenchFigure, Benchmark, NoScript, measure};
use galatea_character::Definition;
use galatea_emitter::kinds::{ParticleKind, plain};
use galatea_emitter::{
    EmissionShape, Emitter, EmitterInput, EmitterOptions, ParticleCollision, ParticleHit,
};
use galatea_render::{Gpu, RenderOptions, ShaderSource};
use galatea_rig::wind::Wind;
use galatea_stage::frame::{Camera, Frame, Ground, Quality};
use galatea_stage::{EmitterAttachment, GRAVITY, Identity, Stage, StageEmitter, tick};

pub(super) const ALL: &[(&str, Benchmark)] = &[("particles", bench)];

/// Particles that are simulated and drawn.
const MOVED: usize = 4096;
const DRAWN: usize = 1000;
/// Ticks per round.
const TICKS: usize = 10;
const SIZE: (u32, u32) = (960, 540);

fn bench(_: &Arc<Definition>) -> Vec<BenchFigure> {
    let mut figures = vec![
        move_on("particles", "in still air", |_| {}),
        move_on("particles_wind", "in wind with gusts and turbulence", |o| {
            (o.wind_scale, o.turbulence) = (1.0, (0.3, 0.5));
        }),
        over_floor(),
    ];
    match draw() {
        Ok(drawn) => figures.extend(drawn),
        Err(error) => eprintln!("warning: drawing of particles was not measured: {error}"),
    }
    figures
}

/// Particles that live longer than the measurement.
fn lasting() -> EmitterOptions {
    EmitterOptions {
        rate: 0.0,
        burst: MOVED as u32,
        max_particles: MOVED,
        lifetime: [1e6, 1e6],
        shape: EmissionShape::Sphere(2.0),
        drag: 1.0,
        wind_scale: 0.0,
        ..plain()
    }
}

fn move_on(name: &str, what: &str, change: impl FnOnce(&mut EmitterOptions)) -> BenchFigure {
    let mut options = lasting();
    change(&mut options);
    let mut emitter = Emitter::new(Arc::new(options), 1);
    let wind = Wind {
        velocity: Vec3::X * 2.0,
        ..Wind::default()
    };
    let mut time = 0.0;
    measure(
        name,
        &format!("{MOVED} particles {what}"),
        "ns per particle and tick",
        MOVED * TICKS,
        || {
            for _ in 0..TICKS {
                time += 1.0 / 60.0;
                let met = |_: Vec3, _: Vec3| -> Option<ParticleHit> { None };
                emitter.advance(&EmitterInput {
                    dt: 1.0 / 60.0,
                    time,
                    transform: Affine3A::IDENTITY,
                    open: 1.0,
                    wind: &wind,
                    gravity: GRAVITY,
                    surface: None,
                    raycast: &met,
                    room: MOVED,
                    max_prewarm_updates: galatea_emitter::MAX_PREWARM_UPDATES,
                });
            }
            std::hint::black_box(&emitter);
        },
    )
}

/// Particles above a floor, each with a collision query in every tick.
fn over_floor() -> BenchFigure {
    let mut stage = Stage::default();
    let options = EmitterOptions {
        collision: ParticleCollision::Kill,
        ..lasting()
    };
    let above = Affine3A::from_translation(Vec3::Y * 50.0);
    let emitter = Emitter::new(Arc::new(options), 1);
    let own = StageEmitter::new(
        Identity::default(),
        emitter,
        EmitterAttachment::World,
        above,
    );
    stage
        .effects
        .add_emitter(&mut stage.ids, &stage.characters, None, own);
    measure(
        "particles_meet",
        &format!("{MOVED} particles that test for collisions"),
        "ns per particle and tick",
        MOVED * TICKS,
        || {
            for _ in 0..TICKS {
                tick(&mut stage, &mut NoScript);
            }
        },
    )
}

/// Dust above a floor, seen in full.
fn draw() -> anyhow::Result<Vec<BenchFigure>> {
    let gpu = Gpu::headless()?;
    let mut figures = Vec::new();
    for (kind, n) in [("dust", 0), ("dust", DRAWN), ("sparks", DRAWN)] {
        let Some(kind) = ParticleKind::find(kind) else {
            continue;
        };
        let mut options = kind.options();
        (options.burst, options.max_particles, options.shape) =
            (n as u32, n.max(1), EmissionShape::Disc(2.0));
        let mut stage = Stage::default();
        let emitter = Emitter::new(Arc::new(options), 1);
        let own = StageEmitter::new(
            Identity::default(),
            emitter,
            EmitterAttachment::World,
            Affine3A::IDENTITY,
        );
        stage
            .effects
            .add_emitter(&mut stage.ids, &stage.characters, None, own);
        for _ in 0..20 {
            tick(&mut stage, &mut NoScript);
        }
        let mut frame = Frame::default();
        stage.snapshot(1.0, &mut frame);
        frame.ground = Some(Ground::default());
        frame.camera = Camera {
            eye: Vec3::new(0.0, 1.6, 5.0),
            target: Vec3::Y * 0.3,
            fov_y: 45.0,
        };
        let options = RenderOptions::in_window(Quality::Medium, &gpu);
        let mut renderer = renderer(&gpu, &ShaderSource::embedded(), options)?;
        let what = format!("{n} of {}, 960x540 medium", kind.name);
        let name = format!("particles_drawn_{}_{n}", kind.name);
        let [figure, _] = timed(&gpu, &mut renderer, (&frame, SIZE), &name, &what)?;
        figures.push(figure);
    }
    Ok(figures)
}
