//! Hands that close around the objects that they hold.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::definition::Definition;
use crate::handle::Handle;
use galatea_anim::humanoid::{Role, Side};
use galatea_math::clamp::ClampTo as _;
use galatea_rig::Posed;
use galatea_rig::fingers::HandRig;

/// Time in which an open hand closes, seconds.
const CLOSE_SECONDS: f32 = 0.18;
/// Minimum weight of a reach at which its hand starts to close.
const CLOSE_WEIGHT: f32 = 0.5;

/// State of a closing hand.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct HandGrip {
    /// Finger rig of the hand; `None` when the skeleton has no fingers.
    #[serde(with = "galatea_persist::shared")]
    pub rig: Option<Arc<HandRig>>,
    /// Target closure, 0..=1.
    pub to: f32,
    /// Current closure, 0..=1.
    pub now: f32,
    /// The palm reaches the target, instead of the wrist.
    pub palm: bool,
    /// Distance from the palm to the middle of the gripped object, metres; `None` uses the hand's natural radius.
    pub radius: Option<f32>,
    /// Axis of the gripped object, in the target's space.
    pub bar: Option<Vec3>,
}

impl HandGrip {
    pub(super) fn advance(&mut self, posed: &mut Posed<'_>, weight: f32, dt: f32) {
        let max_change = dt / CLOSE_SECONDS;
        self.now += (self.to - self.now).clamp_to(-max_change, max_change);
        if let Some(rig) = &self.rig {
            rig.close(posed, self.now, weight);
        }
    }

    /// Advances the hand of a reach with the given weight.
    pub(super) fn follow(&mut self, posed: &mut Posed<'_>, weight: f32, dt: f32) {
        let u = ((weight - CLOSE_WEIGHT) / (1.0 - CLOSE_WEIGHT)).clamp(0.0, 1.0);
        self.advance(posed, u * u * (3.0 - 2.0 * u), dt);
    }
}

/// A hand that closes around an object attached to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GripModifier {
    /// Side of the hand.
    pub side: Side,
    /// State of the hand.
    pub grip: HandGrip,
    /// The hand opens when this object is detached.
    pub held_object: Option<Handle>,
}

impl GripModifier {
    /// Rebinds the hand to a model.
    ///
    /// # Errors
    /// Returns a message that says what the skeleton lacks.
    pub fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        self.grip.rig = None;
        self.grip.rig = Some(definition.hand_rig(self.side)?);
        Ok(())
    }
}

impl Definition {
    /// Returns the hand of one side with its fingers.
    ///
    /// # Errors
    /// Returns a message that says what the skeleton lacks.
    pub fn hand_rig(&self, side: Side) -> Result<Arc<HandRig>, String> {
        let find = |side| {
            let found = HandRig::find(&self.model.skeleton, self.clips.humanoid(), side);
            found.map(Arc::new)
        };
        let all = || [Side::Left, Side::Right].map(find);
        let [left, right] = self.hands.get_or_init(all);
        if side == Side::Right { right } else { left }.clone()
    }

    /// Returns the hand at a bone with its fingers.
    ///
    /// # Errors
    /// Returns a message that says what the skeleton lacks.
    pub fn hand_of(&self, bone: u16) -> Result<Arc<HandRig>, String> {
        let humanoid = self.clips.humanoid();
        if humanoid.bone(Role::LeftHand) == Some(bone) {
            self.hand_rig(Side::Left)
        } else if humanoid.bone(Role::RightHand) == Some(bone) {
            self.hand_rig(Side::Right)
        } else {
            Err("grip works only for hands".into())
        }
    }
}
