//! Hair: guides on a turning head in fixed steps, interpolated strands, and drawing.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};

use super::frame::{renderer, scene, timed};
use super::{BenchFigure, Benchmark, measure};
use galatea_asset::Model;
use galatea_asset::model::{Material, MaterialKind};
use galatea_character::Definition;
use galatea_hair::{
    Cap, ChainInput, ChainSettings, Chains, GuideArea, PARTS, STEP, StrandAppearance, grow,
    hair_model,
};
use galatea_math::simd::Level;
use galatea_physics::particles::ParticleObstacle;
use galatea_render::{Gpu, RenderOptions, ShaderSource};
use galatea_stage::frame::{Camera, Quality};

pub(super) const ALL: &[(&str, Benchmark)] = &[("hair", bench)];

/// Ticks per round.
const TICKS: usize = 20;
/// Length of a strand, metres.
const LENGTH: f32 = 0.25;
/// Number of strands that are interpolated and drawn.
const STRANDS: usize = 5000;
/// Frame size, pixels.
const SIZE: (u32, u32) = (960, 540);

fn bench(_: &Arc<Definition>) -> Vec<BenchFigure> {
    let mut figures = Vec::new();
    for n_solids in [0, 8] {
        for (n, n_points) in [(1000, 32), (20, 16)] {
            figures.push(move_guides(n, n_points, n_solids, Level::current()));
        }
    }
    figures.push(move_guides(1000, 32, 8, Level::Scalar));
    figures.push(grow_strands());
    match draw() {
        Ok(drawn) => figures.extend(drawn),
        Err(error) => eprintln!("warning: drawing of hair was not measured: {error}"),
    }
    figures
}

/// Guides that start around the crown of a head of 9 cm and hang down.
fn guides(n: usize, n_points: usize) -> Vec<Vec<Vec3>> {
    let step = LENGTH / (n_points - 1) as f32;
    let guide = |i: usize| {
        let around = i as f32 / n as f32 * std::f32::consts::TAU;
        let out = Vec3::new(around.cos(), 0.0, around.sin());
        let mut at = (out * 0.8 + Vec3::Y * 0.6) * 0.09;
        let mut points = vec![at];
        for k in 1..n_points {
            let down = (k as f32 * step / 0.06).min(1.0);
            let way = out * (1.12 - down) + Vec3::NEG_Y * down;
            at += way.normalize_or(Vec3::NEG_Y) * step;
            points.push(at);
        }
        points
    };
    (0..n).map(guide).collect()
}

/// Obstacles: the head, and capsules across the shoulders.
fn solids(n: usize, carrier: &Affine3A) -> Vec<ParticleObstacle> {
    let at = |x: f32, y: f32| carrier.transform_point3(Vec3::new(x, y, 0.0));
    let head = ParticleObstacle::Sphere {
        center: at(0.0, 0.0),
        radius: 0.09,
    };
    let part = |i: usize| {
        let x = -0.18 + 0.36 * i as f32 / n as f32;
        ParticleObstacle::Capsule {
            a: at(x, -0.2),
            b: at(x + 0.36 / n as f32, -0.2),
            radius: 0.05,
        }
    };
    std::iter::once(head)
        .chain((1..n).map(part))
        .take(n)
        .collect()
}

fn move_guides(n: usize, n_points: usize, n_solids: usize, level: Level) -> BenchFigure {
    let guides = guides(n, n_points);
    let still = solids(n_solids, &Affine3A::IDENTITY);
    let mut chains = Chains::new(&guides, &still, ChainSettings::default());
    let steps = TICKS * (1.0 / 60.0 / STEP).round() as usize;
    let mut tick = 0;
    let form = if level == Level::Scalar {
        "hair_scalar"
    } else {
        "hair"
    };
    measure(
        &format!("{form}_{n}x{n_points}_{n_solids}"),
        &format!("{n} guide strands of {n_points} points on a turning head, {n_solids} colliders"),
        "ns per point and step",
        steps * n * n_points,
        || {
            for _ in 0..TICKS {
                tick += 1;
                let sway = Quat::from_rotation_y(0.5 * (tick as f32 * 0.1).sin());
                let carrier = Affine3A::from_quat(sway);
                let now = solids(n_solids, &carrier);
                chains.advance_at(
                    level,
                    &ChainInput {
                        world_from_rest: carrier,
                        dt: 1.0 / 60.0,
                        colliders: &now,
                        wind: Vec3::ZERO,
                    },
                );
            }
            std::hint::black_box(&chains);
        },
    )
}

fn grow_strands() -> BenchFigure {
    let (guides, patches) = fringe();
    measure(
        "hair_grow",
        "distributing 5000 strands over 22 patches, once per haircut",
        "ns per strand",
        STRANDS,
        || {
            std::hint::black_box(grow(&guides, &patches, STRANDS, 1));
        },
    )
}

/// Guides around a head, and the areas of strands between them.
fn fringe() -> (Vec<Vec<Vec3>>, Vec<GuideArea>) {
    let patches = (0..22).map(|i| GuideArea::Three([i, i + 1, i + 2]));
    (guides(24, 16), patches.collect())
}

fn strands() -> anyhow::Result<Model> {
    let (guides, patches) = fringe();
    let strands = grow(&guides, &patches, STRANDS, 1);
    let look = StrandAppearance::default();
    let material = Material {
        kind: MaterialKind::Hair,
        base_color: glam::Vec4::new(0.3, 0.12, 0.05, 1.0),
        metallic: 0.0,
        roughness: 0.45,
        double_sided: true,
        ..Material::default()
    };
    Ok(hair_model(
        &guides,
        &strands,
        &Cap::default(),
        &look,
        (material, None),
    )?)
}

/// Draws all strands, and fewer, at two thirds of the frame height, and as on a character seen in full.
fn draw() -> anyhow::Result<Vec<BenchFigure>> {
    let gpu = Gpu::headless()?;
    let definition = Definition::new(Arc::new(strands()?));
    let options = RenderOptions::in_window(Quality::Medium, &gpu);
    let mut renderer = renderer(&gpu, &ShaderSource::embedded(), options)?;
    let mut figures = Vec::new();
    for (name, distance) in [("near", 0.9), ("whole", 3.4)] {
        let mut frame = scene(&definition, 1);
        frame.camera = Camera {
            eye: Vec3::new(0.3, 0.05, 1.0).normalize() * distance,
            target: Vec3::new(0.0, -0.05, 0.0),
            fov_y: 30.0,
        };
        for n_parts in 0..=PARTS.len() {
            frame.models[0].hidden_parts = vec![u64::MAX << n_parts];
            let n = STRANDS * n_parts.checked_sub(1).map_or(0, |last| PARTS[last].1) / 8;
            let what = format!("{n} strands of 16 points, {name}, 960x540 medium");
            let name = format!("hair_drawn_{name}_{n}");
            figures.extend(timed(&gpu, &mut renderer, (&frame, SIZE), &name, &what)?);
        }
    }
    Ok(figures)
}
