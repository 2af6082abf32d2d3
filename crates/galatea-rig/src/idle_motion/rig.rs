//! Bones of idle motion: by role for humanoids, otherwise the chain from hips to head.

use glam::Quat;
use serde::{Deserialize, Serialize};

use crate::gaze::USUAL_HEIGHT;
use crate::trunk::{Resting, Trunk};
use galatea_anim::Skeleton;
use galatea_anim::humanoid::{Humanoid, Role, Side};

/// Role of a bone in idle motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum IdleRole {
    /// Root of the body.
    Hips,
    /// Spine or chest.
    Spine,
    /// Neck or head.
    Neck,
    /// Collarbone.
    Shoulder {
        /// True on the character's left.
        is_left: bool,
    },
    /// Upper or lower arm.
    Arm {
        /// True on the character's left.
        is_left: bool,
        /// The arm is a descendant of a shoulder that breath lifts.
        lifted: bool,
    },
    /// First bone of a finger.
    Finger,
}

/// A bone of idle motion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdleMotionBone {
    /// Bone index.
    pub bone: u16,
    /// Role of the bone.
    pub part: IdleRole,
    /// Fraction of the role's motion, 0..=1.
    pub fraction: f32,
    /// Fraction of the noise, 0..=1.
    pub noise_fraction: f32,
    /// Rotation from the character's directions to the parent's space at rest.
    pub parent_from_character: Quat,
}

/// Reason why a skeleton has no idle motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdleMotionError {
    /// The skeleton has no trunk.
    #[error(
        "breathing needs a spine: no bone has the role \"spine\", \"chest\" or \"head\", and none is named \"head\""
    )]
    NoSpine,
}

/// Idle motion rig, shared by all characters of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdleMotionRig {
    /// Bone that the weight shift moves: the hips of a body on two legs; `None` for other bodies.
    pub hips: Option<u16>,
    /// Bones, parents first.
    pub parts: Vec<IdleMotionBone>,
    /// Rotation from the character's directions (+X left, +Y up, +Z forward) to model space.
    pub model_from_character: Quat,
    /// Height of the skeleton relative to [`USUAL_HEIGHT`].
    pub size: f32,
}

impl IdleMotionRig {
    /// Finds the bones.
    ///
    /// # Errors
    /// Fails without spine and head.
    pub fn find(skeleton: &Skeleton, humanoid: &Humanoid) -> Result<Self, IdleMotionError> {
        let trunk = Trunk::find(skeleton, humanoid);
        if trunk.spine.is_empty() && trunk.head.is_none() {
            return Err(IdleMotionError::NoSpine);
        }
        let rest = Resting::new(skeleton, trunk.model_from_character);
        let mut parts = Vec::new();
        let mut add = |bone: u16, part: IdleRole, fraction: f32, noise_fraction: f32| {
            parts.push(IdleMotionBone {
                bone,
                part,
                fraction,
                noise_fraction,
                parent_from_character: rest.parent_from_character(bone),
            });
        };
        let has_legs = [Role::LeftUpperLeg, Role::RightUpperLeg]
            .into_iter()
            .all(|role| humanoid.bone(role).is_some());
        let hips = trunk.hips.filter(|_| has_legs && !trunk.on_fours);
        if let Some(hips) = hips {
            add(hips, IdleRole::Hips, 1.0, 0.0);
        }
        let n_spine = trunk.spine.len() as f32;
        // Forelegs are children of an animal's spine, so it rises less.
        let is_upright = !trunk.on_fours && humanoid.bone(Role::Head).is_some();
        let total = if is_upright { 1.0 } else { 0.3 };
        for (i, &bone) in trunk.spine.iter().enumerate() {
            let fraction = total * (i + 1) as f32 * 2.0 / (n_spine * (n_spine + 1.0));
            add(bone, IdleRole::Spine, fraction, total / n_spine);
        }
        let necks = trunk.necks.iter().copied().chain(trunk.head);
        let n_necks = trunk.necks.len() + usize::from(trunk.head.is_some());
        let fraction = 1.0 / n_necks.max(1) as f32;
        for bone in necks {
            add(bone, IdleRole::Neck, total * fraction, fraction);
        }
        for role in Role::all() {
            // Arms that carry the body are skipped.
            let Some(bone) = humanoid.bone(role).filter(|_| !trunk.on_fours) else {
                continue;
            };
            let is_left = role.side() == Side::Left;
            let shoulder = if is_left {
                Role::LeftShoulder
            } else {
                Role::RightShoulder
            };
            let lifted = humanoid.bone(shoulder).is_some();
            match role {
                Role::LeftShoulder | Role::RightShoulder => {
                    add(bone, IdleRole::Shoulder { is_left }, 1.0, 0.0);
                }
                Role::LeftUpperArm | Role::RightUpperArm => {
                    add(bone, IdleRole::Arm { is_left, lifted }, 1.0, 1.0);
                }
                Role::LeftLowerArm | Role::RightLowerArm => {
                    let lifted = false;
                    add(bone, IdleRole::Arm { is_left, lifted }, 0.0, 0.6);
                }
                _ if role.name().ends_with("_proximal") => add(bone, IdleRole::Finger, 0.0, 1.0),
                _ => {}
            }
        }
        parts.sort_by_key(|part: &IdleMotionBone| part.bone);
        Ok(Self {
            hips,
            parts,
            model_from_character: trunk.model_from_character,
            size: (skeleton.height() / USUAL_HEIGHT).clamp(1e-2, 1e3),
        })
    }
}
