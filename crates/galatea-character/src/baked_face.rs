//! A face with its shape weights baked into its meshes: an ordinary model, with no run-time cost for the shapes.

use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};

use super::definition::Definition;
use galatea_anim::Skeleton;
use galatea_asset::Model;
use galatea_asset::model::MorphTarget;
use galatea_deform::{Deformed, bake};

/// Data in which a baked face differs from its model. Its remaining morph targets keep the model's offsets: expressions are
/// added to this face in the same way as to the original.
#[derive(Clone, Debug, Default)]
pub struct BakedFace {
    /// Primitives that the shapes moved.
    pub primitives: Vec<BakedPrimitive>,
    /// Eye bones and their displacement in the parent's space.
    eyes: Vec<(u16, Vec3)>,
    /// Skin, joint and new inverse bind matrix of eyes whose vertices moved on their own.
    binds: Vec<(usize, usize, Mat4)>,
    /// Eyes that are nodes with a mesh whose vertices moved on their own: part and displacement.
    parts: Vec<(usize, Vec3)>,
}

/// A primitive of a baked face, mesh space.
#[derive(Clone, Debug, Default)]
pub struct BakedPrimitive {
    /// Index into the model's meshes.
    pub mesh: usize,
    /// Index into the mesh's primitives.
    pub primitive: usize,
    /// Vertex positions, metres.
    pub positions: Vec<Vec3>,
    /// Vertex normals, unit length.
    pub normals: Vec<Vec3>,
    /// Tangents, unit xyz, w = ±1; empty if the primitive has none.
    pub tangents: Vec<Vec4>,
}

impl BakedFace {
    /// Bakes weights of morph targets into meshes. If several nodes use a mesh, the weights of the first node are used.
    pub(super) fn new(
        definition: &Definition,
        added: &[(usize, f32)],
        eyes: &[(u16, Vec3)],
        taken: &[(usize, Vec3)],
    ) -> Self {
        let model = &definition.model;
        let mut all = vec![0.0; definition.rest.morphs.len()];
        for (target, weight) in added {
            if let Some(value) = all.get_mut(*target) {
                *value += weight;
            }
        }
        let mut face = Self {
            eyes: eyes.to_vec(),
            ..Self::default()
        };
        let mut done = vec![false; model.meshes.len()];
        let mut deformed = Deformed::default();
        for (part, start) in model.parts.iter().zip(&definition.morph_start) {
            if std::mem::replace(&mut done[part.mesh], true) {
                continue;
            }
            let weights = &all[*start..*start + part.morph_weights.len()];
            for (i, primitive) in model.meshes[part.mesh].primitives.iter().enumerate() {
                let moves = |(target, weight): (&MorphTarget, &f32)| {
                    *weight != 0.0 && target.positions.iter().any(|offset| *offset != Vec3::ZERO)
                };
                let any = primitive.targets.iter().zip(weights).any(moves);
                if any && bake(primitive, weights, &mut deformed) {
                    face.primitives.push(BakedPrimitive {
                        mesh: part.mesh,
                        primitive: i,
                        positions: deformed.positions.clone(),
                        normals: deformed.normals.clone(),
                        tangents: deformed.tangents.clone(),
                    });
                }
            }
        }
        for (at, by) in taken {
            let mut first = 0;
            for (skin_at, skin) in model.skins.iter().enumerate() {
                if let Some(joint) = at.checked_sub(first).filter(|at| *at < skin.joints.len()) {
                    let bind = skin.inverse_bind[joint] * Mat4::from_translation(-*by);
                    face.binds.push((skin_at, joint, bind));
                }
                first += skin.joints.len();
            }
            let parts = model
                .parts
                .iter()
                .zip(&definition.layout.part_start)
                .enumerate();
            let rigid =
                parts.filter(|(_, (part, start))| part.skin.is_none() && **start as usize == *at);
            face.parts.extend(rigid.map(|(i, _)| (i, *by)));
        }
        face
    }

    /// Size of the data of this face, bytes.
    pub fn bytes(&self) -> usize {
        let of = |p: &BakedPrimitive| {
            size_of_val(&p.positions[..])
                + size_of_val(&p.normals[..])
                + size_of_val(&p.tangents[..])
        };
        let primitives = self.primitives.iter().map(of).sum::<usize>();
        primitives + size_of_val(&self.eyes[..]) + size_of_val(&self.binds[..])
    }

    /// Returns a model with this face. `of` is the loaded model that it was baked from, with all clips; a [`Definition`]
    /// that owns its model alone has dropped them. `uid` identifies the new model.
    pub fn model(&self, of: &Model, uid: u64) -> Model {
        let mut model = of.clone();
        model.uid = uid;
        for own in &self.primitives {
            let mesh = model.meshes.get_mut(own.mesh);
            let Some(primitive) = mesh.and_then(|mesh| mesh.primitives.get_mut(own.primitive))
            else {
                continue;
            };
            primitive.positions.clone_from(&own.positions);
            primitive.normals.clone_from(&own.normals);
            primitive.tangents.clone_from(&own.tangents);
        }
        let mut done = Vec::new();
        for (part, by) in &self.parts {
            let mesh = model.parts.get(*part).map(|part| part.mesh);
            let mesh = mesh.filter(|mesh| !done.contains(mesh));
            done.extend(mesh);
            let mesh = mesh.and_then(|mesh| model.meshes.get_mut(mesh));
            for primitive in mesh.into_iter().flat_map(|mesh| &mut mesh.primitives) {
                for position in &mut primitive.positions {
                    *position -= *by;
                }
            }
        }
        for (skin, joint, bind) in &self.binds {
            if let Some(slot) = model
                .skins
                .get_mut(*skin)
                .and_then(|s| s.inverse_bind.get_mut(*joint))
            {
                *slot = *bind;
            }
        }
        let mut bones = model.skeleton.bones().to_vec();
        for (bone, by) in &self.eyes {
            if let Some(bone) = bones.get_mut(usize::from(*bone)) {
                bone.rest.translation += *by;
            }
        }
        if let Ok(skeleton) = Skeleton::new(bones) {
            model.skeleton = Arc::new(skeleton);
        }
        model
    }
}
