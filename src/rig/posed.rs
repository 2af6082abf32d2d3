//! A pose while modifiers change it: local transforms, and where bones are in model space meanwhile.

use glam::{Affine3A, Quat, Vec3};

use crate::anim::Skeleton;
use crate::math::Trs;

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
        Trs::nearest(self.model(bone)).rotation
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
        let mut matrix = Affine3A::IDENTITY;
        let mut at = lower;
        while at != above {
            matrix = self.local(at).to_affine() * matrix;
            at = self.parent(at)?;
        }
        Some(matrix)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::anim::{Bone, local_to_model};

    /// A skeleton of `(parent, place in the parent's space)`.
    pub fn skeleton(bones: &[(Option<u16>, Vec3)]) -> Skeleton {
        let bones = bones.iter().enumerate().map(|(i, (parent, at))| Bone {
            name: format!("bone{i}"),
            parent: *parent,
            rest: Trs::from_translation(*at),
            skinned: true,
        });
        Skeleton::new(bones.collect()).unwrap()
    }

    /// A stream of numbers that is the same on every run.
    pub struct Random(pub u64);

    impl Random {
        /// 0..1.
        pub fn share(&mut self) -> f32 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) >> 40) as f32 / (1_u64 << 24) as f32
        }

        /// Each component -1..1.
        pub fn vector(&mut self) -> Vec3 {
            Vec3::from_array(std::array::from_fn(|_| self.share() * 2.0 - 1.0))
        }

        /// A direction.
        pub fn unit(&mut self) -> Vec3 {
            self.vector().normalize_or(Vec3::X)
        }

        /// Any rotation.
        pub fn rotation(&mut self) -> Quat {
            let (v, w) = (self.vector(), self.share() * 2.0 - 1.0);
            Quat::from_vec4(v.extend(w)).normalize()
        }
    }

    #[test]
    fn places_are_found_again_below_what_was_turned_and_are_those_of_a_forward_pass() {
        let skeleton = skeleton(&[
            (None, Vec3::Y),
            (Some(0), Vec3::Y),
            (Some(0), Vec3::X),
            (Some(1), Vec3::Y),
        ]);
        let mut locals: Vec<Trs> = skeleton.rest().collect();
        locals[1].scale = Vec3::splat(2.0);
        let mut model = Vec::new();
        local_to_model(&skeleton, &locals, &mut model);
        let before = model.clone();
        let mut posed = Posed::new(&skeleton, &mut locals, &model);
        assert!(!posed.is_changed());
        posed.turn_in_model(1, Quat::from_rotation_z(1.0));
        posed.turn_in_model(0, Quat::from_rotation_x(0.5));
        assert!(posed.is_changed());
        let found: Vec<Affine3A> = (0..4).map(|bone| posed.model(bone)).collect();
        let below = posed.below(0, 3).unwrap();
        assert!(posed.below(2, 3).is_none());
        assert!((posed.model(0) * below).abs_diff_eq(found[3], 1e-6));
        local_to_model(&skeleton, &locals, &mut model);
        for (found, want) in found.iter().zip(&model) {
            assert!(found.abs_diff_eq(*want, 1e-6));
        }
        assert!(!before[3].abs_diff_eq(model[3], 0.1));
    }

    #[test]
    fn what_is_not_finite_changes_nothing() {
        let skeleton = skeleton(&[(None, Vec3::Y)]);
        let mut locals: Vec<Trs> = skeleton.rest().collect();
        let model = vec![locals[0].to_affine()];
        let mut posed = Posed::new(&skeleton, &mut locals, &model);
        posed.set_rotation(0, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
        posed.set_rotation(7, Quat::IDENTITY);
        assert!(!posed.is_changed());
    }
}
