//! The body behind a hand that reaches, and a body that sits.

use std::sync::Arc;

use glam::Vec3;

use super::goal::{Goal, GoalPosition};
use crate::definition::Definition;
use galatea_anim::humanoid::Role;
use galatea_rig::Posed;
use galatea_rig::trunk::Trunk;
use galatea_rig::two_bone::Limb;
use galatea_rig::whole::{Arm, Reached, WholeRig, put_hips};

/// Share of a leg from the seat to the hips.
const SEATED: f32 = 0.12;
/// How a body helps an arm.
#[derive(Clone, Debug)]
pub struct WholeBody {
    pub(super) rig: Arc<WholeRig>,
    pub(super) arm: Arm,
    /// It steps in where that is not enough.
    pub steps: bool,
    /// What is missing of the reach, metres of the model.
    pub(super) reached: Reached,
    pub(super) stepping: bool,
    /// Metres per second, and metres that it has gone.
    pub(super) speed: f32,
    pub(super) gone: f32,
}

impl WholeBody {
    /// The body of a model behind a limb.
    ///
    /// # Errors
    /// What the skeleton lacks.
    pub fn of(definition: &Definition, limb: Limb, steps: bool) -> Result<Self, String> {
        let rig = definition.whole_rig()?;
        let humanoid = definition.clips.humanoid();
        let is = |role| humanoid.bone(role) == Some(limb.end);
        let (side, collar) = if is(Role::LeftHand) {
            (1.0, Role::LeftShoulder)
        } else if is(Role::RightHand) {
            (-1.0, Role::RightShoulder)
        } else {
            return Err("its body helps hands only".into());
        };
        let collar = humanoid.bone(collar);
        Ok(Self {
            rig,
            arm: Arm { limb, collar, side },
            steps,
            reached: Reached::default(),
            stepping: false,
            speed: 0.0,
            gone: 0.0,
        })
    }

    /// Goes on from what it did for the goal before.
    pub fn go_on(&mut self, was: &Self) {
        (self.reached, self.stepping, self.speed) = (was.reached, was.stepping, was.speed);
    }
}

/// A body that sits, or is about to.
#[derive(Clone, Debug)]
pub struct Sitting {
    /// Hips, spine and legs; none when the skeleton has none.
    pub rig: Option<Arc<WholeRig>>,
    /// Where the hips go.
    pub goal: Option<Goal>,
    /// Where that is in this tick.
    pub place: Option<GoalPosition>,
    /// Radians by which the trunk leans forward on the way.
    pub lean: f32,
}

impl Sitting {
    pub(super) fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        self.rig = None;
        self.rig = Some(definition.whole_rig()?);
        Ok(())
    }

    pub(super) fn advance(&self, posed: &mut Posed<'_>, to: Vec3, weight: f32) {
        if let Some(rig) = &self.rig {
            // The joint of the hips is over the seat.
            let over = SEATED * rig.legs.size;
            put_hips(posed, rig, to + Vec3::Y * over, self.lean, weight);
        }
    }
}

impl Definition {
    /// The bones of a body that reaches as a whole.
    ///
    /// # Errors
    /// What the skeleton lacks.
    pub fn whole_rig(&self) -> Result<Arc<WholeRig>, String> {
        let humanoid = self.clips.humanoid();
        let trunk = Trunk::find(&self.model.skeleton, humanoid);
        let hips = trunk
            .hips
            .ok_or("it needs hips: a bone that carries its legs")?;
        if trunk.spine.is_empty() {
            return Err("it needs a spine above its hips".into());
        }
        let mut neck = trunk.necks;
        neck.extend(trunk.head);
        Ok(Arc::new(WholeRig {
            hips,
            spine: trunk.spine,
            neck,
            arms: [Role::LeftUpperArm, Role::RightUpperArm].map(|role| humanoid.bone(role)),
            legs: self.legs()?,
            model_from_character: trunk.model_from_character,
        }))
    }
}
