//! Bounding boxes of a model in its rest pose.

use glam::{Affine3A, Vec3};

use galatea_anim::humanoid::{Humanoid, Role};
use galatea_asset::Model;
use galatea_asset::model::{Part, Primitive};
use galatea_deform::{Deformed, Deformer, PaletteLayout};

/// Returns the bounding box of all vertices in a pose, and of the vertices of a human body without its arms and held
/// objects; zeros if there are none. Model space, metres.
pub(super) fn rest_boxes(
    model: &Model,
    humanoid: &Humanoid,
    palette: &[Affine3A],
    morphs: &[f32],
) -> [[Vec3; 2]; 2] {
    const NOTHING: [Vec3; 2] = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    let of_arms = below_arms(model, humanoid);
    let mut boxes = [NOTHING; 2];
    each_deformed(model, palette, morphs, |part, primitive, deformed| {
        for (i, position) in deformed.positions.iter().enumerate() {
            let carrier = dominant_bone(model, part, primitive, i);
            let is_arm = of_arms.get(usize::from(carrier)) == Some(&true);
            for [low, high] in &mut boxes[..if is_arm { 1 } else { 2 }] {
                *low = low.min(*position);
                *high = high.max(*position);
            }
        }
    });
    let [whole, trunk] = boxes.map(|found| (found[0].x <= found[1].x).then_some(found));
    let whole = whole.unwrap_or_default();
    [whole, trunk.unwrap_or(whole)]
}

/// Returns the bounding box of bones, for a skeleton without a mesh; slightly enlarged, as if the bones had flesh.
pub(super) fn extent_of_bones(matrices: &[Affine3A]) -> [Vec3; 2] {
    let places = || matrices.iter().map(|matrix| Vec3::from(matrix.translation));
    let (Some(low), Some(high)) = (places().reduce(Vec3::min), places().reduce(Vec3::max)) else {
        return [Vec3::ZERO; 2];
    };
    let flesh = Vec3::new(1.0, 0.0, 1.0) * 0.05 * (high - low).max_element();
    [low - flesh, high + flesh]
}

/// Returns for each bone whether it is an arm bone or below one; empty if the model is not a human body.
pub(super) fn below_arms(model: &Model, humanoid: &Humanoid) -> Vec<bool> {
    if !humanoid.is_body() {
        return Vec::new();
    }
    let arms = [Role::LeftUpperArm, Role::RightUpperArm].map(|role| humanoid.bone(role));
    let mut below = vec![false; model.skeleton.len()];
    // Parents come before their children.
    for (bone, own) in model.skeleton.bones().iter().enumerate() {
        let hangs = own.parent.is_some_and(|parent| below[usize::from(parent)]);
        below[bone] = hangs || arms.contains(&Some(bone as u16));
    }
    below
}

/// Returns the bone with the largest weight on a vertex.
pub(super) fn dominant_bone(
    model: &Model,
    part: &Part,
    primitive: &Primitive,
    vertex: usize,
) -> u16 {
    let influences = &primitive.influences;
    let n = influences.per_vertex;
    let (Some(skin), true) = (part.skin, n > 0) else {
        return part.bone;
    };
    let of_vertex = vertex * n..(vertex + 1) * n;
    let (Some(joints), Some(weights)) = (
        influences.joints.get(of_vertex.clone()),
        influences.weights.get(of_vertex),
    ) else {
        return part.bone;
    };
    let heaviest = joints.iter().zip(weights).max_by(|a, b| a.1.total_cmp(b.1));
    let joint = heaviest.and_then(|(joint, _)| model.skins[skin].joints.get(usize::from(*joint)));
    joint.copied().unwrap_or(part.bone)
}

/// Calls `f` with each primitive and its deformed vertices, model space.
pub(super) fn each_deformed(
    model: &Model,
    palette: &[Affine3A],
    morphs: &[f32],
    mut f: impl FnMut(&Part, &Primitive, &Deformed),
) {
    let starts = PaletteLayout::new(model).part_start;
    let (mut deformer, mut deformed) = (Deformer::default(), Deformed::default());
    let mut morph_start = 0;
    for (part, start) in model.parts.iter().zip(starts) {
        let weights = &morphs[morph_start..morph_start + part.morph_weights.len()];
        morph_start += weights.len();
        // Only the part's own matrices are passed, because the deformer reads the whole slice.
        let n_joints = part.skin.map_or(1, |skin| model.skins[skin].joints.len());
        let own = &palette[start as usize..start as usize + n_joints];
        for primitive in &model.meshes[part.mesh].primitives {
            deformer.deform(primitive, weights, own, part.skinning, &mut deformed);
            f(part, primitive, &deformed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::Definition;
    use galatea_asset::gltf::load_slice;

    #[test]
    fn the_trunk_box_excludes_arms_and_held_objects() {
        let mannequin = || {
            let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            let bytes = fs::read(home.join("assets/mannequin.glb")).unwrap();
            load_slice("mannequin", &bytes, &mut |name| Err(name.into())).unwrap()
        };
        let of = |model: Model| {
            let definition = Definition::new(Arc::new(model));
            [definition.rest_box, definition.trunk_box].map(|[low, high]| high - low)
        };
        let [whole, trunk] = of(mannequin());
        assert_eq!(whole.y, trunk.y);
        assert!(trunk.x < 0.8 * whole.x, "{trunk} {whole}");
        let mut model = mannequin();
        // A pole of two metres in the right hand.
        let hand = model.skeleton.find("right_hand").unwrap();
        let mut part = model.parts[0].clone();
        (part.skin, part.bone) = (None, hand);
        let mut mesh = model.meshes[part.mesh].clone();
        for primitive in &mut mesh.primitives {
            for (i, position) in primitive.positions.iter_mut().enumerate() {
                *position = Vec3::Z * if i % 2 == 0 { -1.0 } else { 1.0 };
            }
        }
        part.mesh = model.meshes.len();
        model.meshes.push(mesh);
        model.parts.push(part);
        let [with_pole, same] = of(model);
        assert!(with_pole.z > 1.5 && same == trunk, "{with_pole} {same}");
    }
}
