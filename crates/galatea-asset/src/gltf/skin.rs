//! Skins: joints as bone indices, inverse bind matrices.

use glam::Mat4;

use super::accessor::{GltfSource, Integers};
use super::error::{LoadFault, call};
use super::nodes::Tree;
use crate::limits::{MAX_NUMBER, is_sound_matrix};
use crate::model::Skin;

/// Loads all skins in the file's order. `skin.skeleton` is ignored: it does not affect the result and is often wrong.
pub fn load(source: &GltfSource, tree: &Tree) -> Result<Vec<Skin>, LoadFault> {
    let skins = source.document.skins.iter().enumerate();
    skins.map(|(i, _)| load_one(source, tree, i)).collect()
}

fn load_one(source: &GltfSource, tree: &Tree, index: usize) -> Result<Skin, LoadFault> {
    let skin = &source.document.skins[index];
    let what = call("skin", skin.name.as_deref(), index);
    if skin.joints.is_empty() {
        source
            .warnings
            .add(format!("{what} has no joints; its meshes are drawn rigid"));
    }
    if skin.joints.len() > usize::from(u16::MAX) {
        let cause = format!("{} joints; the limit is 65 535", skin.joints.len());
        return Err(LoadFault::data(what, cause));
    }
    let mut joints = Vec::with_capacity(skin.joints.len());
    for joint in &skin.joints {
        joints.push(tree.bone(joint.value()).ok_or_else(|| {
            LoadFault::data(&what, format!("the joint node {joint} does not exist"))
        })?);
    }
    let mut inverse_bind: Vec<Mat4> = match skin.inverse_bind_matrices {
        None => vec![Mat4::IDENTITY; joints.len()],
        Some(accessor) => source
            .floats::<16>(accessor, Integers::AsMarked)
            .map_err(|cause| LoadFault::data(format!("{what}, inverse bind matrices"), cause))?
            .iter()
            .map(Mat4::from_cols_array)
            .collect(),
    };
    if inverse_bind.len() < joints.len() {
        source.warnings.add(format!(
            "{what} has {} joints and {} inverse bind matrices; the identity is used for the rest",
            joints.len(),
            inverse_bind.len()
        ));
    }
    inverse_bind.resize(joints.len(), Mat4::IDENTITY);
    let pairs = inverse_bind.iter_mut().zip(&joints);
    let broken = pairs.filter(|(matrix, _)| !is_sound_matrix(matrix));
    let replaced = broken.map(|(matrix, joint)| {
        *matrix = Mat4::IDENTITY;
        *joint
    });
    let replaced: Vec<u16> = replaced.collect();
    if let Some(first) = replaced.first() {
        let bone = tree.skeleton.bones().get(usize::from(*first));
        source.warnings.add(format!(
            "{what}: {} inverse bind matrices, the first of {:?}, have values that are NaN or beyond {MAX_NUMBER:e}; \
             the identity is used",
            replaced.len(),
            bone.map_or("", |bone| bone.name.as_str())
        ));
    }
    Ok(Skin {
        name: skin.name.clone().unwrap_or_default(),
        joints,
        inverse_bind,
    })
}
