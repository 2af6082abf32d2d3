//! Skinning techniques compared on one model; `docs/deformation.md` lists the results by row.

mod cut;
mod shape;
mod speed;

use std::path::PathBuf;
use std::sync::Arc;

use glam::{Affine3A, Quat};

use super::{BenchFigure, person::Random};
use galatea_anim::local_to_model;
use galatea_asset::Model;
use galatea_asset::model::{Influences, Primitive};
use galatea_asset::skinning::Skinning;
use galatea_character::Definition;
use galatea_deform::{Deformed, Deformer, build_palette};
use galatea_forge::mannequin::mannequin;

pub(super) const NAME: &str = "skinning";

/// Measures each file, or the built-in character if there are none.
pub(super) fn bench(files: &[PathBuf]) -> anyhow::Result<Vec<BenchFigure>> {
    let mut all = shape::of_joints();
    all.extend(cut::worst());
    all.extend(speed::cpu());
    let mut models = Vec::new();
    if files.is_empty() {
        models.push(mannequin());
    }
    for file in files {
        models.push(galatea_asset::gltf::load(file)?);
    }
    for model in models {
        let subject = Subject::new(model);
        let mut rows = cut::rows(&subject);
        rows.extend(shape::rows(&subject));
        rows.extend(speed::rows(&subject)?);
        for row in &mut rows {
            row.file = Some(subject.definition.model.name.clone());
        }
        all.extend(rows);
    }
    Ok(all)
}

/// A model in a pose in which every bone is rotated, with its clips.
struct Subject {
    definition: Definition,
    palette: Vec<Affine3A>,
}

impl Subject {
    fn new(model: Model) -> Self {
        let definition = Definition::new(Arc::new(model));
        let mut random = Random(11);
        let mut pose = definition.rest.clone();
        for local in &mut pose.locals {
            let turn = Quat::from_euler(
                glam::EulerRot::XYZ,
                (random.share() - 0.5) * 1.2,
                (random.share() - 0.5) * 1.2,
                (random.share() - 0.5) * 1.2,
            );
            local.rotation *= turn;
        }
        let (mut matrices, mut palette) = (Vec::new(), Vec::new());
        local_to_model(&definition.model.skeleton, &pose.locals, &mut matrices);
        build_palette(&definition.model, &matrices, &mut palette);
        Self {
            definition,
            palette,
        }
    }

    /// The skinned primitives, each with its palette.
    fn skinned(&self) -> impl Iterator<Item = (&Primitive, &[Affine3A])> {
        let model = &self.definition.model;
        let parts = model.parts.iter().zip(&self.definition.layout.part_start);
        parts
            .filter_map(|(part, start)| {
                let n = model.skins[part.skin?].joints.len();
                let palette = self.palette.get(*start as usize..*start as usize + n)?;
                Some((part.mesh, palette))
            })
            .flat_map(|(mesh, palette)| {
                let primitives = &model.meshes[mesh].primitives;
                primitives.iter().map(move |primitive| (primitive, palette))
            })
            .filter(|(primitive, _)| primitive.influences.per_vertex > 0)
    }

    /// Half the largest extent at rest, metres: the reference for errors.
    fn size(&self) -> f32 {
        self.definition.rest_bounds.1.max(1e-6)
    }
}

/// Deforms with other influences.
fn with(primitive: &Primitive, influences: Influences, palette: &[Affine3A]) -> Deformed {
    let changed = Primitive {
        influences,
        ..primitive.clone()
    };
    skinned(&changed, palette, Skinning::Linear)
}

fn skinned(primitive: &Primitive, palette: &[Affine3A], skinning: Skinning) -> Deformed {
    let mut out = Deformed::default();
    Deformer::default().deform(primitive, &[], palette, skinning, &mut out);
    out
}

/// Largest distance between equal vertices of two results, metres.
fn farthest(a: &Deformed, b: &Deformed) -> f32 {
    let pairs = a.positions.iter().zip(&b.positions);
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}
