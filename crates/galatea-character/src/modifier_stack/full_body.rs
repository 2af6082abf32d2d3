//! Help by the whole body for a reaching hand, and sitting.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::goal::{Goal, GoalPosition};
use crate::definition::Definition;
use galatea_anim::humanoid::Role;
use galatea_rig::Posed;
use galatea_rig::full_body::{Arm, FullBodyRig, Reached, put_hips};
use galatea_rig::trunk::Trunk;
use galatea_rig::two_bone::Limb;

/// Height of the hips above the seat, as a fraction of the leg length.
const SEAT_TO_HIPS: f32 = 0.12;
/// Help by the body for a reaching arm.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FullBody {
    #[serde(with = "galatea_persist::shared")]
    pub(super) rig: Arc<FullBodyRig>,
    pub(super) arm: Arm,
    /// The body steps towards the target if leaning is not enough.
    pub steps: bool,
    /// Missing distances after help by the body, model units.
    pub(super) missing_distance: Reached,
    pub(super) step: bool,
    /// Step speed, metres per second, and distance walked so far, metres.
    pub(super) speed: f32,
    pub(super) walked: f32,
}

impl FullBody {
    /// Creates the help for a limb of a model.
    ///
    /// # Errors
    /// Returns a message that says what the skeleton lacks.
    pub fn of(definition: &Definition, limb: Limb, steps: bool) -> Result<Self, String> {
        let rig = definition.whole_rig()?;
        let humanoid = definition.clips.humanoid();
        let is = |role| humanoid.bone(role) == Some(limb.end);
        let (side, collar) = if is(Role::LeftHand) {
            (1.0, Role::LeftShoulder)
        } else if is(Role::RightHand) {
            (-1.0, Role::RightShoulder)
        } else {
            return Err("full_body works only for hands".into());
        };
        let collar = humanoid.bone(collar);
        Ok(Self {
            rig,
            arm: Arm { limb, collar, side },
            steps,
            missing_distance: Reached::default(),
            step: false,
            speed: 0.0,
            walked: 0.0,
        })
    }

    /// Continues from the state with the previous target.
    pub fn go_on(&mut self, was: &Self) {
        (self.missing_distance, self.step, self.speed) =
            (was.missing_distance, was.step, was.speed);
    }
}

/// A body that sits or sits down.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SitModifier {
    /// Hips, spine and legs; `None` when the skeleton lacks them.
    #[serde(with = "galatea_persist::shared")]
    pub rig: Option<Arc<FullBodyRig>>,
    /// Target of the hips.
    pub goal: Option<Goal>,
    /// Position of the target in this tick.
    pub target_position: Option<GoalPosition>,
    /// Forward lean of the trunk while sitting down, radians.
    pub lean: f32,
}

impl SitModifier {
    pub(super) fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        self.rig = None;
        self.rig = Some(definition.whole_rig()?);
        Ok(())
    }

    pub(super) fn advance(&self, posed: &mut Posed<'_>, to: Vec3, weight: f32) {
        if let Some(rig) = &self.rig {
            // The hip joint is above the seat.
            let over = SEAT_TO_HIPS * rig.legs.size;
            put_hips(posed, rig, to + Vec3::Y * over, self.lean, weight);
        }
    }
}

impl Definition {
    /// Returns the bones for reaching with the whole body.
    ///
    /// # Errors
    /// Returns a message that says what the skeleton lacks.
    pub fn whole_rig(&self) -> Result<Arc<FullBodyRig>, String> {
        let humanoid = self.clips.humanoid();
        let trunk = Trunk::find(&self.model.skeleton, humanoid);
        let hips = trunk
            .hips
            .ok_or("the model has no hips, the bone above the legs")?;
        if trunk.spine.is_empty() {
            return Err("the model has no spine bone above the hips".into());
        }
        let mut neck = trunk.necks;
        neck.extend(trunk.head);
        Ok(Arc::new(FullBodyRig {
            hips,
            spine: trunk.spine,
            neck,
            arms: [Role::LeftUpperArm, Role::RightUpperArm].map(|role| humanoid.bone(role)),
            legs: self.legs()?,
            model_from_character: trunk.model_from_character,
        }))
    }
}
