//! Repair of skeletons with wrong parents. Examples are feet that inverse kinematics moved with the shins during
//! animation, or legs or a spine next to the pelvis below a root on the floor. Such bones get the parent that they
//! move with, and clips are rewritten so that every bone moves as before.
//!
//! Used by `asset`, once per file. Later stages (retargeting, inverse kinematics, ragdolls, getting up) then find a
//! connected body.

use serde::{Deserialize, Serialize};

mod bake;
mod feet;
#[cfg(test)]
mod tests;
mod trunk;

use glam::Affine3A;

pub use bake::{rebase, restore};

use super::humanoid::{self, SkeletonIndex};
use super::{Bone, Clip, Skeleton, local_to_model};
use galatea_math::Trs;

/// Maximum number of bones of a skeleton that is searched; the search compares bones with each other.
const MAX_BONES: usize = 4000;

/// A bone and its correct parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reparent {
    /// The bone.
    pub bone: u16,
    /// The new parent.
    pub parent: u16,
}

/// Finds the bones of a body with wrong parents, by names and by the rest pose. The result never creates a cycle.
///
/// A skeleton without a skin can be that of a vehicle. It is changed only if the result is a human body.
pub fn find(skeleton: &Skeleton) -> Vec<Reparent> {
    if skeleton.len() > MAX_BONES {
        return Vec::new();
    }
    let body = SkeletonIndex::new(skeleton);
    let mut parents = skeleton.parents().to_vec();
    let mut found = trunk::find(&body);
    found.extend(feet::find(&body));
    found.retain(|one| {
        let is_good = !is_at_or_below(&parents, one.parent, one.bone);
        if is_good {
            parents[usize::from(one.bone)] = one.parent;
        }
        is_good
    });
    let has_skin = skeleton.bones().iter().any(|bone| bone.skinned);
    if !has_skin && !found.is_empty() {
        let moved = apply(skeleton, &found);
        let body = moved.map(|moved| humanoid::find(&moved.skeleton, None).0);
        if !body.is_some_and(|body| body.is_body()) {
            found.clear();
        }
    }
    found
}

/// Returns true if `bone` is `above` or a descendant of it; `parents` must have no cycles.
fn is_at_or_below(parents: &[u16], bone: u16, above: u16) -> bool {
    let parent = |bone: &u16| parents.get(usize::from(*bone)).copied();
    let parent = |bone: &u16| parent(bone).filter(|parent| *parent != Skeleton::NO_PARENT);
    std::iter::successors(Some(bone), parent).any(|bone| bone == above)
}

/// A skeleton after bones were moved to other parents.
#[derive(Clone, Debug)]
pub struct Reparented {
    /// The new skeleton. Every bone keeps its model-space rest transform, except for the shear of parents with uneven
    /// scale.
    pub skeleton: Skeleton,
    /// For each bone of the new skeleton, its index in the old one.
    pub old_index: Vec<u16>,
    /// The moved bones.
    pub moved: Vec<ReparentedBone>,
}

/// A bone that got another parent, by indices of the new skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReparentedBone {
    /// The bone.
    pub bone: u16,
    /// The previous parent.
    pub old_parent: Option<u16>,
    /// Rest transform in the space of the previous parent.
    pub old_rest: Trs,
}

impl Reparented {
    /// Converts a clip of the old skeleton to the new one; every bone moves as before.
    pub fn clip(&self, clip: &Clip) -> Clip {
        let mut clip = clip.clone();
        let mut new_index = vec![None; self.old_index.len()];
        for (new, old) in (0_u16..).zip(&self.old_index) {
            new_index[usize::from(*old)] = Some(new);
        }
        clip.bones.retain_mut(|tracks| {
            let new = new_index.get(usize::from(tracks.bone)).copied().flatten();
            new.map(|new| tracks.bone = new).is_some()
        });
        clip.bones.sort_by_key(|tracks| tracks.bone);
        rebase(&mut clip, &self.skeleton, &self.moved);
        clip
    }
}

/// Moves bones to other parents. The order of bones changes where a parent would come after its child.
///
/// Returns `None` if there is nothing to move, or if the moves do not come from [`find`].
pub fn apply(skeleton: &Skeleton, moves: &[Reparent]) -> Option<Reparented> {
    if moves.is_empty() {
        return None;
    }
    let rest: Vec<Trs> = skeleton.rest().collect();
    let mut model = Vec::new();
    local_to_model(skeleton, &rest, &mut model);
    let mut parents = skeleton.parents().to_vec();
    for one in moves {
        *parents.get_mut(usize::from(one.bone))? = one.parent;
    }
    let old_index = parents_first(&parents)?;
    let mut new_index = vec![0_u16; old_index.len()];
    for (new, old) in (0..).zip(&old_index) {
        new_index[usize::from(*old)] = new;
    }
    let mut bones: Vec<Bone> = old_index
        .iter()
        .map(|old| {
            let parent = parents[usize::from(*old)];
            Bone {
                parent: (parent != Skeleton::NO_PARENT).then(|| new_index[usize::from(parent)]),
                ..skeleton.bones()[usize::from(*old)].clone()
            }
        })
        .collect();
    let moved = moves.iter().map(|one| {
        let [bone, parent] = [one.bone, one.parent].map(|b| model.get(usize::from(b)));
        let (bone, parent): (&Affine3A, &Affine3A) = (bone?, parent?);
        let old = &skeleton.bones()[usize::from(one.bone)];
        let new = new_index[usize::from(one.bone)];
        let local = Trs::near(parent.inverse() * *bone);
        bones[usize::from(new)].rest = if local.is_finite() { local } else { old.rest };
        Some(ReparentedBone {
            bone: new,
            old_parent: old.parent.map(|parent| new_index[usize::from(parent)]),
            old_rest: old.rest,
        })
    });
    let moved: Option<Vec<ReparentedBone>> = moved.collect();
    Some(Reparented {
        moved: moved?,
        skeleton: Skeleton::new(bones).ok()?,
        old_index,
    })
}

/// Orders the bones with parents before children, siblings in their old order. `None` for a cycle.
fn parents_first(parents: &[u16]) -> Option<Vec<u16>> {
    let mut children = vec![Vec::new(); parents.len()];
    let mut stack = Vec::new();
    for (bone, parent) in parents.iter().enumerate().rev() {
        match children.get_mut(usize::from(*parent)) {
            Some(siblings) => siblings.push(bone as u16),
            None => stack.push(bone as u16),
        }
    }
    let mut order: Vec<u16> = Vec::with_capacity(parents.len());
    while let Some(bone) = stack.pop() {
        order.push(bone);
        stack.extend(&children[usize::from(bone)]);
    }
    (order.len() == parents.len()).then_some(order)
}
