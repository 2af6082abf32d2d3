//! Palettes and the CPU reference of skinning.

use std::sync::Arc;

use super::{BenchFigure, Benchmark, measure};
use galatea_anim::local_to_model;
use galatea_character::Definition;
use galatea_deform::{Deformed, Deformer, build_palette};

pub(super) const ALL: &[(&str, Benchmark)] =
    &[("palette", bench_palette), ("skin_cpu", bench_skin)];

fn posed(definition: &Definition) -> Vec<glam::Affine3A> {
    let model = &definition.model;
    let mut pose = definition.rest.clone();
    if let Some(walk) = definition.clips.find("walk") {
        definition.clips.sample_one(walk, 0.3, &mut pose);
    }
    let mut matrices = Vec::new();
    local_to_model(&model.skeleton, &pose.locals, &mut matrices);
    matrices
}

fn bench_palette(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let matrices = posed(definition);
    let mut palette = Vec::new();
    let n = 10_000;
    vec![measure(
        "palette",
        "skinning matrices: bone matrix times inverse bind matrix",
        "ns per bone",
        n * definition.layout.len,
        || {
            for _ in 0..n {
                palette.clear();
                build_palette(&definition.model, &matrices, &mut palette);
            }
            std::hint::black_box(&palette);
        },
    )]
}

fn bench_skin(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let model = &definition.model;
    let (matrices, mut palette) = (posed(definition), Vec::new());
    build_palette(model, &matrices, &mut palette);
    let (mut deformer, mut out) = (Deformer::default(), Deformed::default());
    let n = 20;
    vec![measure(
        "skin_cpu",
        "CPU skinning, 4 influences, position and normal",
        "ns per vertex",
        n * model.n_vertices(),
        || {
            for _ in 0..n {
                for (part, start) in model.parts.iter().zip(&definition.layout.part_start) {
                    for primitive in &model.meshes[part.mesh].primitives {
                        let palette = &palette[*start as usize..];
                        deformer.deform(primitive, &[], palette, part.skinning, &mut out);
                        std::hint::black_box(&out);
                    }
                }
            }
        },
    )]
}
