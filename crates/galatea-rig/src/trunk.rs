//! Bones from the hips to the head: by role for humans, by name for animals. Also the axes of a bone relative to the
//! directions of the character.

use glam::{Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::Posed;
use galatea_anim::humanoid::{Humanoid, Role};
use galatea_anim::{Skeleton, local_to_model};
use galatea_math::Trs;

/// Hips, spine, neck and head of a skeleton, where present.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trunk {
    /// Hips: ancestor of all other bones listed here.
    pub hips: Option<u16>,
    /// Bones of spine and chest, from below.
    pub spine: Vec<u16>,
    /// Bones of the neck, from below.
    pub necks: Vec<u16>,
    /// Head bone.
    pub head: Option<u16>,
    /// Rotation from the character's directions (+X left, +Y up, +Z forward) to model space.
    pub model_from_character: Quat,
    /// The body also stands on its arms, although its roles are those of a human.
    pub on_fours: bool,
}

impl Trunk {
    /// Finds the trunk by humanoid roles. If no bone has the role of the head, uses a bone with "head" in its name and its
    /// ancestors.
    pub fn find(skeleton: &Skeleton, humanoid: &Humanoid) -> Self {
        let head = humanoid.bone(Role::Head).or_else(|| named_head(skeleton));
        let hips = humanoid.bone(Role::Hips);
        let top = head.or_else(|| {
            [Role::Neck, Role::UpperChest, Role::Chest, Role::Spine]
                .into_iter()
                .find_map(|role| humanoid.bone(role))
        });
        let parent = |bone: u16| {
            let above = skeleton.parents()[usize::from(bone)];
            (above != Skeleton::NO_PARENT).then_some(above)
        };
        let on_fours = facing_on_fours(skeleton, humanoid);
        let mut trunk = Self {
            hips,
            head,
            model_from_character: on_fours.unwrap_or(humanoid.model_from_character),
            on_fours: on_fours.is_some(),
            ..Self::default()
        };
        let Some(top) = top else {
            return trunk;
        };
        let moves = |bone: u16| {
            skeleton.bones()[usize::from(bone)].skinned || humanoid.role_of(bone).is_some()
        };
        let mut chain: Vec<u16> = std::iter::successors(Some(top), |bone| parent(*bone))
            .take_while(|bone| Some(*bone) != hips)
            .filter(|bone| Some(*bone) != head && moves(*bone))
            .collect();
        if hips.is_none() {
            trunk.hips = chain.pop();
        }
        let neck = humanoid.bone(Role::Neck);
        let below_neck = chain
            .iter()
            .position(|bone| Some(*bone) == neck)
            .or_else(|| {
                let is_neck = |bone: &u16| {
                    let name = &skeleton.bones()[usize::from(*bone)].name;
                    name.to_lowercase().contains("neck")
                };
                chain.iter().rposition(is_neck)
            })
            .map_or(0, |at| at + 1);
        trunk.spine = chain.split_off(below_neck);
        trunk.spine.reverse();
        trunk.necks = chain;
        trunk.necks.reverse();
        trunk
    }
}

/// Facing of a body whose legs are perpendicular to its trunk; `None` for an upright body. The up axis of the humanoid is
/// from hips to head, which is an animal's forward.
fn facing_on_fours(skeleton: &Skeleton, humanoid: &Humanoid) -> Option<Quat> {
    let rest = Resting::new(skeleton, Quat::IDENTITY);
    let position = |role| {
        let matrix = rest.model(humanoid.bone(role)?)?;
        Some(Vec3::from(matrix.translation))
    };
    let hips = position(Role::Hips)?;
    let feet = (position(Role::LeftFoot)? + position(Role::RightFoot)?) * 0.5;
    let along = (position(Role::Head)? - hips).try_normalize()?;
    let up = (hips - feet).try_normalize()?;
    let hands = (position(Role::LeftHand)? + position(Role::RightHand)?) * 0.5;
    // The hands must be near the ground too: a sitting human has them higher.
    let low = (hips - hands).dot(up) / (hips - feet).length();
    // If trunk and legs are in one line, in either direction, the rest pose is not on all fours.
    if along.dot(up).abs() > 0.7 || low < 0.5 {
        return None;
    }
    let axis = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z]
        .into_iter()
        .find(|axis| axis.dot(up) > 0.866);
    let up = axis.unwrap_or(up);
    let left = position(Role::LeftUpperLeg)? - position(Role::RightUpperLeg)?;
    let forward = left.cross(up).try_normalize()?;
    let left = up.cross(forward);
    Some(Quat::from_mat3(&Mat3::from_cols(left, up, forward)).normalize())
}

/// Bone nearest to the root with a name that means head.
fn named_head(skeleton: &Skeleton) -> Option<u16> {
    let bones = skeleton.bones().iter();
    let found = bones.enumerate().find(|(_, bone)| {
        let name = bone.name.to_lowercase();
        let is_more = ["end", "tip", "top", "nub", "band", "phone", "light", "gear"];
        bone.skinned && name.contains("head") && !is_more.iter().any(|word| name.contains(word))
    });
    found.map(|(bone, _)| bone as u16)
}

/// A bone and its axes relative to the character's directions (+X left, +Y up, +Z forward), taken from the rest pose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlignedBone {
    /// Bone index.
    pub bone: u16,
    /// Rotation from the character's directions to the bone's space.
    pub bone_from_character: Quat,
}

impl AlignedBone {
    /// Rotation from the character's directions to model space, in the current pose.
    pub fn frame(self, posed: &Posed) -> Quat {
        (posed.rotation(self.bone) * self.bone_from_character).normalize()
    }
}

/// Rest pose of a skeleton, from which [`AlignedBone`] is computed.
#[derive(Debug)]
pub struct Resting<'a> {
    skeleton: &'a Skeleton,
    model_from_character: Quat,
    model_from_bone: Vec<glam::Affine3A>,
}

impl<'a> Resting<'a> {
    /// Computes the rest pose. `model_from_character` is the facing of the character in it.
    pub fn new(skeleton: &'a Skeleton, model_from_character: Quat) -> Self {
        let locals: Vec<Trs> = skeleton.rest().collect();
        let mut model_from_bone = Vec::new();
        local_to_model(skeleton, &locals, &mut model_from_bone);
        Self {
            skeleton,
            model_from_character,
            model_from_bone,
        }
    }

    /// Axes of a bone relative to the character; `None` for a bone that does not exist.
    pub fn carrying(&self, bone: u16) -> Option<AlignedBone> {
        let matrix = self.model(bone)?;
        let rotation = Trs::nearest(matrix).rotation;
        Some(AlignedBone {
            bone,
            bone_from_character: (rotation.conjugate() * self.model_from_character).normalize(),
        })
    }

    /// Model-from-bone matrix at rest.
    pub fn model(&self, bone: u16) -> Option<glam::Affine3A> {
        self.model_from_bone.get(usize::from(bone)).copied()
    }

    /// Parent of a bone.
    pub fn parent(&self, bone: u16) -> Option<u16> {
        self.skeleton.bones().get(usize::from(bone))?.parent
    }

    /// Rotation from the character's directions to the space of a bone's parent; at the root, to model space.
    pub fn parent_from_character(&self, bone: u16) -> Quat {
        let above = self.parent(bone).and_then(|parent| self.carrying(parent));
        above.map_or(self.model_from_character, |above| above.bone_from_character)
    }

    /// Skeleton of the rest pose.
    pub fn skeleton(&self) -> &'a Skeleton {
        self.skeleton
    }

    /// Facing of the character, as a rotation from its directions to model space.
    pub fn model_from_character(&self) -> Quat {
        self.model_from_character
    }
}
