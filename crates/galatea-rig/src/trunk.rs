//! The bones from the hips to the head, of humans by their roles and of animals by their names; and how
//! a bone carries the character's own directions.

use glam::{Mat3, Quat, Vec3};

use super::Posed;
use galatea_anim::humanoid::{Humanoid, Role};
use galatea_anim::{Skeleton, local_to_model};
use galatea_math::Trs;

/// Hips, spine, neck and head of a skeleton, as far as there are any.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trunk {
    /// The bone that all others here hang on.
    pub hips: Option<u16>,
    /// Spine and chest, from below.
    pub spine: Vec<u16>,
    /// Bones of the neck, from below.
    pub necks: Vec<u16>,
    /// The head.
    pub head: Option<u16>,
    /// Takes the character's directions (+X left, +Y up, +Z forward) to model space.
    pub model_from_character: Quat,
    /// The roles are those of a human, but the body stands on its arms too.
    pub on_fours: bool,
}

impl Trunk {
    /// Finds it by the roles of a humanoid; where no bone has the role of the head, by a bone whose name
    /// says "head" and those above it.
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

/// Where a body faces whose legs do not go on from its trunk but hang across it; `None` for one that
/// stands upright. A human's up is from hips to head: that is an animal's forward.
fn facing_on_fours(skeleton: &Skeleton, humanoid: &Humanoid) -> Option<Quat> {
    let rest = Resting::new(skeleton, Quat::IDENTITY);
    let place = |role| {
        let matrix = rest.model(humanoid.bone(role)?)?;
        Some(Vec3::from(matrix.translation))
    };
    let hips = place(Role::Hips)?;
    let feet = (place(Role::LeftFoot)? + place(Role::RightFoot)?) * 0.5;
    let along = (place(Role::Head)? - hips).try_normalize()?;
    let up = (hips - feet).try_normalize()?;
    let hands = (place(Role::LeftHand)? + place(Role::RightHand)?) * 0.5;
    // Hands near the ground too: one who sits has theirs above.
    let low = (hips - hands).dot(up) / (hips - feet).length();
    // Where trunk and legs lie along one line, either way, the rest pose is none that stands.
    if along.dot(up).abs() > 0.7 || low < 0.5 {
        return None;
    }
    let axis = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z]
        .into_iter()
        .find(|axis| axis.dot(up) > 0.866);
    let up = axis.unwrap_or(up);
    let left = place(Role::LeftUpperLeg)? - place(Role::RightUpperLeg)?;
    let forward = left.cross(up).try_normalize()?;
    let left = up.cross(forward);
    Some(Quat::from_mat3(&Mat3::from_cols(left, up, forward)).normalize())
}

/// The bone nearest the root whose name says that it is the head.
fn named_head(skeleton: &Skeleton) -> Option<u16> {
    let bones = skeleton.bones().iter();
    let found = bones.enumerate().find(|(_, bone)| {
        let name = bone.name.to_lowercase();
        let is_more = ["end", "tip", "top", "nub", "band", "phone", "light", "gear"];
        bone.skinned && name.contains("head") && !is_more.iter().any(|word| name.contains(word))
    });
    found.map(|(bone, _)| bone as u16)
}

/// A bone, and how it carries the character's directions (+X left, +Y up, +Z forward), found where it
/// rests (IK-05).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarryingBone {
    /// The bone.
    pub bone: u16,
    /// Takes the character's directions into the bone's own space.
    pub bone_from_character: Quat,
}

impl CarryingBone {
    /// Where the character's directions are in model space, as the bone is posed.
    pub fn frame(self, posed: &Posed) -> Quat {
        (posed.rotation(self.bone) * self.bone_from_character).normalize()
    }
}

/// How bones rest: what [`CarryingBone`] is found from.
#[derive(Debug)]
pub struct Resting<'a> {
    skeleton: &'a Skeleton,
    model_from_character: Quat,
    model_from_bone: Vec<glam::Affine3A>,
}

impl<'a> Resting<'a> {
    /// The rest pose of a skeleton, and where the character looks in it.
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

    /// How a bone carries the character; `None` for a bone that is not there.
    pub fn carrying(&self, bone: u16) -> Option<CarryingBone> {
        let matrix = self.model(bone)?;
        let rotation = Trs::nearest(matrix).rotation;
        Some(CarryingBone {
            bone,
            bone_from_character: (rotation.conjugate() * self.model_from_character).normalize(),
        })
    }

    /// Model-from-bone matrix at rest.
    pub fn model(&self, bone: u16) -> Option<glam::Affine3A> {
        self.model_from_bone.get(usize::from(bone)).copied()
    }

    /// The bone that a bone hangs on.
    pub fn parent(&self, bone: u16) -> Option<u16> {
        self.skeleton.bones().get(usize::from(bone))?.parent
    }

    /// Turns by which a parent's space differs from the character's: the identity at the root.
    pub fn parent_from_character(&self, bone: u16) -> Quat {
        let above = self.parent(bone).and_then(|parent| self.carrying(parent));
        above.map_or(self.model_from_character, |above| above.bone_from_character)
    }

    /// The skeleton.
    pub fn skeleton(&self) -> &'a Skeleton {
        self.skeleton
    }

    /// Where the character looks.
    pub fn model_from_character(&self) -> Quat {
        self.model_from_character
    }
}
