//! Times of the techniques.

use std::sync::Arc;

use glam::{Affine3A, Mat4, Vec3};

use super::shape::trimmed;
use super::{Random, Subject};
use crate::commands::bench::{BenchFigure, ROUNDS, measure};
use galatea_asset::Model;
use galatea_asset::model::{Influences, MorphTarget, Part, Primitive};
use galatea_asset::skinning::{Skinning, SkinningMode, SkinningOptions};
use galatea_deform::{Deformed, Deformer};
use galatea_math::simd::Level;
use galatea_render::{Gpu, RenderOptions, Renderer, ShaderSource, time_yardstick};
use galatea_stage::Frame;
use galatea_stage::frame::DrawModel;

/// Number of vertices and bones for comparing CPU skinning with other libraries.
const VERTICES: usize = 100_000;
const BONES: usize = 67;

pub(super) fn rows(subject: &Subject) -> anyhow::Result<Vec<BenchFigure>> {
    let mut rows = trims(subject);
    match Gpu::headless() {
        Ok(gpu) => rows.extend(on_gpu(&gpu, subject)?),
        Err(why) => eprintln!("note: the GPU was not measured: {why}"),
    }
    Ok(rows)
}

/// Four different influences per vertex, largest first, of bones that rotate by up to 57 degrees.
fn cloud() -> (Primitive, Vec<Affine3A>) {
    let mut random = Random(7);
    let mut p = Primitive::default();
    p.influences.per_vertex = 4;
    for _ in 0..VERTICES {
        let mut vector = || Vec3::new(random.share(), random.share(), random.share()) * 2.0 - 1.0;
        p.positions.push(vector());
        p.normals.push(vector().try_normalize().unwrap_or(Vec3::Y));
        let mut weights: [f32; 4] = std::array::from_fn(|_| random.share() + 0.01);
        weights.sort_by(|a, b| b.total_cmp(a));
        let sum: f32 = weights.iter().sum();
        p.influences
            .weights
            .extend(weights.map(|weight| weight / sum));
        let joint = |_| (random.share() * BONES as f32) as u16;
        p.influences.joints.extend((0..4).map(joint));
    }
    let palette = (0..BONES).map(|_| {
        let mut angle = || random.share() * 2.0 - 1.0;
        let (x, y, z) = (angle(), angle(), angle());
        let turn = glam::Quat::from_euler(glam::EulerRot::XYZ, x, y, z);
        Affine3A::from_rotation_translation(turn, Vec3::new(angle(), angle(), angle()))
    });
    let palette = palette.collect();
    (p, palette)
}

/// The method of other libraries, for comparison: sums four matrices in 128-bit registers and transforms position and
/// normal with the sum. Normals use no cofactors and are not normalised.
fn plain_sum(p: &Primitive, palette: &[Mat4], out: &mut Deformed) {
    let (joints, _) = p.influences.joints.as_chunks::<4>();
    let (weights, _) = p.influences.weights.as_chunks::<4>();
    out.positions.resize(p.positions.len(), Vec3::ZERO);
    out.normals.resize(p.normals.len(), Vec3::ZERO);
    let bound = joints.iter().zip(weights);
    let from = p.positions.iter().zip(&p.normals);
    let to = out.positions.iter_mut().zip(&mut out.normals);
    for (((joints, weights), (position, normal)), (to, to_normal)) in bound.zip(from).zip(to) {
        let part = |k: usize| palette[usize::from(joints[k])] * weights[k];
        let sum = part(0) + part(1) + part(2) + part(3);
        *to = sum.transform_point3(*position);
        *to_normal = sum.transform_vector3(*normal);
    }
}

/// The same vertices for every technique.
pub(super) fn cpu() -> Vec<BenchFigure> {
    const WHAT: &str = "100 000 vertices, 4 influences of 67 bones, position and normal, one core";
    let (p, palette) = cloud();
    let matrices: Vec<Mat4> = palette.iter().map(|m| Mat4::from(*m)).collect();
    let mut out = Deformed::default();
    let mut rows = vec![measure(
        "M08.cpu.yardstick",
        "the same work as a plain loop: four matrices summed in 128-bit registers, normals without cofactors or normalization",
        "ns per vertex",
        VERTICES,
        || {
            plain_sum(&p, &matrices, &mut out);
            std::hint::black_box(&out);
        },
    )];
    for level in Level::ALL {
        if level > Level::best() {
            continue;
        }
        for skinning in Skinning::ALL {
            let (mut deformer, mut out) = (Deformer::at(level), Deformed::default());
            rows.push(measure(
                &format!("M08.cpu.{}.{}", skinning.name(), level.name()),
                WHAT,
                "ns per vertex",
                VERTICES,
                || {
                    deformer.deform(&p, &[], &palette, skinning, &mut out);
                    std::hint::black_box(&out);
                },
            ));
        }
    }
    rows
}

/// The model on the CPU without small weights, skinned vertex by vertex.
fn trims(subject: &Subject) -> Vec<BenchFigure> {
    let skinned: Vec<_> = subject.skinned().collect();
    let n: usize = skinned.iter().map(|(p, _)| p.positions.len()).sum();
    let times = [0.0, 0.05, 0.1, 0.2].map(|threshold| {
        let all: Vec<(Primitive, &[Affine3A])> = skinned
            .iter()
            .map(|(primitive, palette)| {
                let influences: Influences = trimmed(&primitive.influences, threshold);
                let primitive = Primitive {
                    influences,
                    ..(*primitive).clone()
                };
                (primitive, *palette)
            })
            .collect();
        let (mut deformer, mut out) = (Deformer::at(Level::Scalar), Deformed::default());
        measure(
            &format!("M11.time.{threshold}"),
            "plain loop that skips weights of 0, after removing weights below this",
            "ns per vertex",
            n.max(1),
            || {
                for (primitive, palette) in &all {
                    deformer.deform(primitive, &[], palette, Skinning::Linear, &mut out);
                    std::hint::black_box(&out);
                }
            },
        )
    });
    times.into()
}

fn on_gpu(gpu: &Gpu, subject: &Subject) -> anyhow::Result<Vec<BenchFigure>> {
    let mut rows = yardsticks(gpu)?;
    rows.extend(cloud_on_gpu(gpu)?);
    rows.extend(techniques(gpu, subject)?);
    let own = &subject.definition.model;
    if own.meshes.iter().any(|mesh| !mesh.morph_names.is_empty()) {
        rows.extend(morphs(gpu, subject)?);
        rows.extend(morph_memory(gpu, own, &subject.palette)?);
    }
    Ok(rows)
}

fn yardsticks(gpu: &Gpu) -> anyhow::Result<Vec<BenchFigure>> {
    let kernels = [
        (
            "M07.naive",
            "plain linear kernel, position and normal",
            false,
        ),
        ("M07.copy", "copy of the same number of bytes", true),
    ];
    let row = |(name, what, copy)| {
        let times = time_yardstick(gpu, VERTICES as u32, BONES as u32, copy, ROUNDS)?;
        Ok(figure(name, what, times, VERTICES))
    };
    kernels.into_iter().map(row).collect()
}

/// The vertices of [`cloud`] on the GPU.
fn cloud_on_gpu(gpu: &Gpu) -> anyhow::Result<Vec<BenchFigure>> {
    let (cloud, palette) = cloud();
    let mut model = Model {
        uid: 1,
        materials: vec![Default::default()],
        skins: vec![galatea_asset::model::Skin {
            name: String::new(),
            joints: vec![0; BONES],
            inverse_bind: vec![Mat4::IDENTITY; BONES],
        }],
        meshes: vec![galatea_asset::model::Mesh {
            primitives: vec![Primitive {
                indices: vec![0, 1, 2],
                ..cloud
            }],
            ..Default::default()
        }],
        parts: vec![Part {
            skin: Some(0),
            skinning_mode: SkinningMode::IndexedPalette,
            ..Default::default()
        }],
        ..Model::default()
    };
    let mut rows = Vec::new();
    for skinning in Skinning::ALL {
        model.uid += 1;
        model.parts[0].skinning = skinning;
        let shared = Arc::new(std::mem::take(&mut model));
        let times = time(gpu, &shared, &palette, &[])?;
        let name = format!("M07.gpu.{}", skinning.name());
        rows.push(figure(
            &name,
            "the deform pass on the same cloud",
            times,
            VERTICES,
        ));
        model = Arc::try_unwrap(shared).unwrap_or_default();
    }
    Ok(rows)
}

fn techniques(gpu: &Gpu, subject: &Subject) -> anyhow::Result<Vec<BenchFigure>> {
    let own = &subject.definition.model;
    let weights = vec![0.0; subject.definition.rest.morphs.len()];
    let modes = [
        ("M06.indexed", SkinningMode::IndexedPalette),
        ("M06.small4", SkinningMode::SmallPalette(4)),
        ("M06.small16", SkinningMode::SmallPalette(16)),
        ("M08.cpu_upload", SkinningMode::Cpu),
    ];
    let row = |(name, mode)| {
        let mut model = copy_of(own);
        let options = SkinningOptions {
            mode: Some(mode),
            ..SkinningOptions::default()
        };
        model.set_skinning(&options).map_err(anyhow::Error::msg)?;
        let times = time(gpu, &Arc::new(model), &subject.palette, &weights)?;
        let what = "the whole model with this technique";
        Ok(figure(name, what, times, own.n_vertices().max(1)))
    };
    modes.into_iter().map(row).collect()
}

fn morphs(gpu: &Gpu, subject: &Subject) -> anyhow::Result<Vec<BenchFigure>> {
    let own = &subject.definition.model;
    let shared = Arc::new(copy_of(own));
    let row = |(name, value)| {
        let weights = vec![value; subject.definition.rest.morphs.len()];
        let times = time(gpu, &shared, &subject.palette, &weights)?;
        let what = "the whole model with these morph weights";
        Ok(figure(name, what, times, own.n_vertices().max(1)))
    };
    [("morphs.none", 0.0), ("morphs.all", 0.1)]
        .into_iter()
        .map(row)
        .collect()
}

fn morph_memory(
    gpu: &Gpu,
    model: &Model,
    palette: &[Affine3A],
) -> anyhow::Result<Vec<BenchFigure>> {
    let full = |target: &MorphTarget| {
        12 * (target.positions.len() + target.normals.len() + target.tangents.len())
    };
    let dense: usize = model.primitives().flat_map(|p| &p.targets).map(full).sum();
    let mut renderer = renderer(gpu)?;
    let frame = frame_of(&Arc::new(copy_of(model)), palette, &[]);
    renderer.time_deform(gpu, &frame, 1)?;
    let uses = renderer.skinning_uses(model.uid);
    let sparse: u64 = uses.iter().map(|one| one.morph_bytes).sum();
    Ok(vec![
        BenchFigure::plain(
            "morphs.dense",
            "morph target offsets as in the file",
            dense as f64,
            "bytes",
        ),
        BenchFigure::plain(
            "morphs.blocks",
            "morph target offsets on the GPU, in blocks",
            sparse as f64,
            "bytes",
        ),
    ])
}

/// A model reduced to what deformation needs, for the GPU, also with software rendering.
fn copy_of(model: &Model) -> Model {
    let on_gpu = |part: &Part| Part {
        skinning_mode: SkinningMode::IndexedPalette,
        ..part.clone()
    };
    Model {
        uid: model.uid,
        skeleton: model.skeleton.clone(),
        skins: model.skins.clone(),
        meshes: model.meshes.clone(),
        parts: model.parts.iter().map(on_gpu).collect(),
        materials: vec![Default::default(); model.materials.len()],
        ..Model::default()
    }
}

fn renderer(gpu: &Gpu) -> anyhow::Result<Renderer> {
    let (shaders, format) = (
        ShaderSource::embedded(),
        galatea_app::studio::View::PICTURE_FORMAT,
    );
    Ok(Renderer::new(
        gpu,
        &shaders,
        format,
        RenderOptions::default(),
    )?)
}

fn frame_of(model: &Arc<Model>, palette: &[Affine3A], weights: &[f32]) -> Frame {
    Frame {
        palette: palette.to_vec(),
        morph_weights: weights.to_vec(),
        models: vec![DrawModel {
            model: model.clone(),
            instance: 0,
            world_from_model: Affine3A::IDENTITY,
            palette_start: 0,
            morph_start: 0,
            headless: None,
            coarser: None,
            hidden_parts: Vec::new(),
            materials: (0, 0),
            wrinkle_start: 0,
            decals: (0, 0),
            variant: None,
            bounds: (Vec3::ZERO, 100.0),
            spheres: 0..0,
        }],
        ..Frame::default()
    }
}

fn time(
    gpu: &Gpu,
    model: &Arc<Model>,
    palette: &[Affine3A],
    weights: &[f32],
) -> anyhow::Result<Vec<f64>> {
    let mut renderer = renderer(gpu)?;
    let all = vec![
        0.0;
        model
            .parts
            .iter()
            .map(|p| model.meshes[p.mesh].morph_names.len())
            .sum()
    ];
    let weights = if weights.is_empty() { &all } else { weights };
    let frame = frame_of(model, palette, weights);
    renderer.time_deform(gpu, &frame, 3)?;
    Ok(renderer.time_deform(gpu, &frame, ROUNDS)?)
}

fn figure(name: &str, what: &str, mut seconds: Vec<f64>, n: usize) -> BenchFigure {
    seconds.sort_by(f64::total_cmp);
    let ns = |seconds: f64| seconds * 1e9 / n as f64;
    BenchFigure {
        fastest: seconds.first().map(|s| ns(*s)),
        slowest: seconds.last().map(|s| ns(*s)),
        ..BenchFigure::plain(
            name,
            what,
            ns(seconds[seconds.len() / 2]),
            "ns per vertex, wall time",
        )
    }
}
