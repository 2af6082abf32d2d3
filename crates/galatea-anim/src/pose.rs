//! Poses: local transforms, morph weights and curves of one model; and masks over its bones.

use serde::{Deserialize, Serialize};

use super::Skeleton;
use galatea_math::Trs;

/// A pose of one model: a local transform per bone, morph weights of all parts, and curve values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Parent-from-bone transforms, in the skeleton's order.
    pub locals: Vec<Trs>,
    /// Morph weights of every part of the model, one after another.
    pub morphs: Vec<f32>,
    /// Values of the curves of the model's clips, one per distinct name; empty if the clips have no curves.
    pub curves: Vec<f32>,
}

impl Pose {
    /// Copies another pose of the same model into this one and reuses its buffers.
    pub fn copy_from(&mut self, other: &Pose) {
        self.locals.clone_from(&other.locals);
        self.morphs.clone_from(&other.morphs);
        self.curves.clone_from(&other.curves);
    }
}

/// A bone mask: a weight 0..=1 per bone, by which a layer affects it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mask {
    /// One weight per bone of the skeleton.
    pub bones: Vec<f32>,
    /// Weight of all morph targets.
    pub morphs: f32,
}

impl Mask {
    /// Creates a mask with weight 1 for the given bones and all their descendants, and 0 for other bones and morphs.
    pub fn subtree(skeleton: &Skeleton, roots: &[u16]) -> Self {
        let mut bones = vec![0.0; skeleton.len()];
        for (i, bone) in skeleton.bones().iter().enumerate() {
            let below = bone
                .parent
                .is_some_and(|parent| bones[usize::from(parent)] > 0.0);
            if below || roots.contains(&(i as u16)) {
                bones[i] = 1.0;
            }
        }
        Self { bones, morphs: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bone, blend, local_to_model};
    use galatea_math::Trs;
    use glam::{Quat, Vec3};

    fn chain() -> Skeleton {
        let bone = |name: &str, parent| Bone {
            name: name.into(),
            parent,
            rest: Trs::from_translation(Vec3::Y),
            skinned: true,
        };
        Skeleton::new(vec![
            bone("a", None),
            bone("b", Some(0)),
            bone("c", Some(1)),
        ])
        .unwrap()
    }

    fn rest(skeleton: &Skeleton) -> Pose {
        Pose {
            locals: skeleton.rest().collect(),
            morphs: vec![0.0],
            ..Pose::default()
        }
    }

    #[test]
    fn rotated_parent_moves_its_children() {
        let skeleton = chain();
        let mut pose = rest(&skeleton);
        pose.locals[1].rotation = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let mut model = Vec::new();
        local_to_model(&skeleton, &pose.locals, &mut model);
        let tip: Vec3 = model[2].translation.into();
        assert!(tip.abs_diff_eq(Vec3::new(-1.0, 2.0, 0.0), 1e-6), "{tip}");
    }

    #[test]
    fn mask_leaves_other_bones_untouched() {
        let skeleton = chain();
        let mask = Mask::subtree(&skeleton, &[1]);
        assert_eq!(mask.bones, [0.0, 1.0, 1.0]);
        let mut pose = rest(&skeleton);
        let mut other = rest(&skeleton);
        for local in &mut other.locals {
            local.translation = Vec3::X;
        }
        other.morphs[0] = 1.0;
        blend(&mut pose, &other, 1.0, Some(&mask));
        assert_eq!(pose.locals[0].translation, Vec3::Y);
        assert_eq!(pose.locals[1].translation, Vec3::X);
        assert_eq!(pose.morphs[0], 0.0);
    }

    #[test]
    fn blend_of_one_half_is_half_way() {
        let skeleton = chain();
        let mut pose = rest(&skeleton);
        let mut other = rest(&skeleton);
        other.locals[0].rotation = Quat::from_rotation_x(1.0);
        other.morphs[0] = 1.0;
        blend(&mut pose, &other, 0.5, None);
        assert!(
            pose.locals[0]
                .rotation
                .abs_diff_eq(Quat::from_rotation_x(0.5), 1e-6)
        );
        assert_eq!(pose.morphs[0], 0.5);
    }
}
