//! A pose while modifiers change it: writable local transforms, with model-space queries in between.

use glam::{Affine3A, Quat, Vec3};

use galatea_anim::Skeleton;
use galatea_math::Trs;

/// A pose that modifiers write to. They change local transforms only, and one forward pass follows after all of them. Until
/// then the model matrix of a bone is recomputed from its parents where these may have changed.
#[derive(Debug)]
pub struct Posed<'a> {
    skeleton: &'a Skeleton,
    locals: &'a mut [Trs],
    model_from_bone: &'a [Affine3A],
    /// Index of the first bone with a matrix that may be stale. Parents come before their children.
    old_from: usize,
}

impl<'a> Posed<'a> {
    /// Wraps local transforms and the model matrices that match them. Bones beyond the shortest of the three inputs are
    /// ignored.
    pub fn new(
        skeleton: &'a Skeleton,
        locals: &'a mut [Trs],
        model_from_bone: &'a [Affine3A],
    ) -> Self {
        let n = skeleton.len().min(locals.len()).min(model_from_bone.len());
        Self {
            skeleton,
            locals: &mut locals[..n],
            model_from_bone: &model_from_bone[..n],
            old_from: n,
        }
    }

    /// Skeleton of the pose.
    pub fn skeleton(&self) -> &'a Skeleton {
        self.skeleton
    }

    /// Returns true if a modifier has changed a bone, so that a forward pass is due.
    pub fn is_changed(&self) -> bool {
        self.old_from < self.locals.len()
    }

    /// Index of the first bone with a matrix that may be stale.
    pub fn old_from(&self) -> usize {
        self.old_from
    }

    /// Marks the matrices from this bone on as possibly stale.
    pub fn set_old_from(&mut self, bone: usize) {
        self.old_from = self.old_from.min(bone);
    }

    /// Parent-from-bone transform; the identity for a bone that does not exist.
    #[inline]
    pub fn local(&self, bone: u16) -> Trs {
        let local = self.locals.get(usize::from(bone));
        local.copied().unwrap_or_default()
    }

    /// Rotation of a bone, parent space; the identity for a bone that does not exist.
    #[inline]
    pub fn local_rotation(&self, bone: u16) -> Quat {
        let local = self.locals.get(usize::from(bone));
        local.map_or(Quat::IDENTITY, |local| local.rotation)
    }

    /// Sets the parent-from-bone transform of a bone. Ignores non-finite values.
    #[inline]
    pub fn set_local(&mut self, bone: u16, local: Trs) {
        let at = usize::from(bone);
        if let Some(slot) = self.locals.get_mut(at)
            && local.is_finite()
        {
            *slot = local;
            self.old_from = self.old_from.min(at);
        }
    }

    /// Sets the rotation of a bone, parent space. Ignores non-finite values.
    #[inline]
    pub fn set_rotation(&mut self, bone: u16, rotation: Quat) {
        let (at, rotation) = (usize::from(bone), rotation.normalize());
        if let Some(slot) = self.locals.get_mut(at)
            && rotation.is_finite()
        {
            slot.rotation = rotation;
            self.old_from = self.old_from.min(at);
        }
    }

    /// Rotates a bone about its own origin; `by` is in its parent's space.
    pub fn turn(&mut self, bone: u16, by: Quat) {
        self.set_rotation(bone, by * self.local_rotation(bone));
    }

    /// Rotates a bone about its own origin; `by` is in model space.
    pub fn turn_in_model(&mut self, bone: u16, by: Quat) {
        let parent = self.parent_rotation(bone);
        self.turn(bone, parent.conjugate() * by * parent);
    }

    /// Parent of a bone; `None` at the root.
    pub fn parent(&self, bone: u16) -> Option<u16> {
        let parent = self.skeleton.parents().get(usize::from(bone)).copied();
        parent.filter(|parent| *parent != Skeleton::NO_PARENT)
    }

    /// Current model-from-bone matrix.
    pub fn model(&self, bone: u16) -> Affine3A {
        let at = usize::from(bone);
        if at < self.old_from {
            return self.model_from_bone.get(at).copied().unwrap_or_default();
        }
        let local = self.local(bone).to_affine();
        match self.parent(bone) {
            Some(parent) => self.model(parent) * local,
            None => local,
        }
    }

    /// Model-from-parent matrix of a bone; the identity at the root.
    pub fn parent_model(&self, bone: u16) -> Affine3A {
        self.parent(bone)
            .map_or(Affine3A::IDENTITY, |parent| self.model(parent))
    }

    /// Position of a bone's origin, model space, metres.
    pub fn position(&self, bone: u16) -> Vec3 {
        self.model(bone).translation.into()
    }

    /// Rotation of a bone, model space; the nearest rotation where its parents are scaled unevenly.
    pub fn rotation(&self, bone: u16) -> Quat {
        Trs::near(self.model(bone)).rotation
    }

    /// Rotation of a bone's parent, model space.
    pub fn parent_rotation(&self, bone: u16) -> Quat {
        self.parent(bone)
            .map_or(Quat::IDENTITY, |parent| self.rotation(parent))
    }

    /// Iterates over the bone, its parent, and so on to the root.
    pub fn up(&self, bone: u16) -> impl Iterator<Item = u16> + '_ {
        std::iter::successors(Some(bone), |bone| self.parent(*bone))
    }

    /// Matrix from the space of `lower` to that of its ancestor `above`; `None` if `lower` is not a descendant.
    pub fn below(&self, above: u16, lower: u16) -> Option<Affine3A> {
        if lower == above {
            return Some(Affine3A::IDENTITY);
        }
        let mut matrix = self.local(lower).to_affine();
        let mut at = self.parent(lower)?;
        while at != above {
            matrix = self.local(at).to_affine() * matrix;
            at = self.parent(at)?;
        }
        Some(matrix)
    }
}

#[cfg(test)]
pub(super) mod tests;
