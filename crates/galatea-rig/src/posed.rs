//! A pose while modifiers change it: local transforms, and where bones are in model space meanwhile.

use glam::{Affine3A, Quat, Vec3};

use galatea_anim::Skeleton;
use galatea_math::Trs;

/// A pose that modifiers write: only local transforms are changed, and one forward pass follows all of
/// them (IK-10). Between, a bone's place is found from its parents where these may have moved.
#[derive(Debug)]
pub struct Posed<'a> {
    skeleton: &'a Skeleton,
    locals: &'a mut [Trs],
    model_from_bone: &'a [Affine3A],
    /// Matrices from this bone on may be old: a bone stands behind its parents.
    old_from: usize,
}

impl<'a> Posed<'a> {
    /// A pose whose matrices are those of its local transforms. Bones beyond the shortest of the three
    /// are left out.
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

    /// The skeleton that is posed.
    pub fn skeleton(&self) -> &'a Skeleton {
        self.skeleton
    }

    /// True when some modifier has changed a bone: then a forward pass is due.
    pub fn is_changed(&self) -> bool {
        self.old_from < self.locals.len()
    }

    /// The first bone whose matrix may be old.
    pub fn old_from(&self) -> usize {
        self.old_from
    }

    /// Matrices from this bone on may be old already.
    pub fn set_old_from(&mut self, bone: usize) {
        self.old_from = self.old_from.min(bone);
    }

    /// Parent-from-bone transform; the identity for a bone that does not exist.
    pub fn local(&self, bone: u16) -> Trs {
        let local = self.locals.get(usize::from(bone));
        local.copied().unwrap_or_default()
    }

    /// Sets a bone's parent-from-bone transform. What is not finite is left out.
    pub fn set_local(&mut self, bone: u16, local: Trs) {
        let at = usize::from(bone);
        if let Some(slot) = self.locals.get_mut(at)
            && local.is_finite()
        {
            *slot = local;
            self.old_from = self.old_from.min(at);
        }
    }

    /// Sets a bone's rotation, parent space.
    pub fn set_rotation(&mut self, bone: u16, rotation: Quat) {
        let local = self.local(bone);
        self.set_local(
            bone,
            Trs {
                rotation: rotation.normalize(),
                ..local
            },
        );
    }

    /// Turns a bone about its own origin; `by` in its parent's space.
    pub fn turn(&mut self, bone: u16, by: Quat) {
        self.set_rotation(bone, by * self.local(bone).rotation);
    }

    /// Turns a bone about its own origin; `by` in model space.
    pub fn turn_in_model(&mut self, bone: u16, by: Quat) {
        let parent = self.parent_rotation(bone);
        self.turn(bone, parent.conjugate() * by * parent);
    }

    /// The parent of a bone.
    pub fn parent(&self, bone: u16) -> Option<u16> {
        let parent = self.skeleton.parents().get(usize::from(bone)).copied();
        parent.filter(|parent| *parent != Skeleton::NO_PARENT)
    }

    /// Model-from-bone matrix as the pose is now.
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

    /// Model-from-parent matrix of a bone: the identity at the root.
    pub fn parent_model(&self, bone: u16) -> Affine3A {
        self.parent(bone)
            .map_or(Affine3A::IDENTITY, |parent| self.model(parent))
    }

    /// Where a bone's origin is, model space, metres.
    pub fn position(&self, bone: u16) -> Vec3 {
        self.model(bone).translation.into()
    }

    /// How a bone is turned, model space; the nearest rotation where its parents are scaled unevenly.
    pub fn rotation(&self, bone: u16) -> Quat {
        Trs::near(self.model(bone)).rotation
    }

    /// How a bone's parent is turned, model space.
    pub fn parent_rotation(&self, bone: u16) -> Quat {
        self.parent(bone)
            .map_or(Quat::IDENTITY, |parent| self.rotation(parent))
    }

    /// The bone, its parent, and so on to the root.
    pub fn up(&self, bone: u16) -> impl Iterator<Item = u16> + '_ {
        std::iter::successors(Some(bone), |bone| self.parent(*bone))
    }

    /// Bone-from-`lower` matrix of a bone below another; `None` when it does not hang there.
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
