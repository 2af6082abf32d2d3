//! Hands that close on what they hold.

use std::sync::Arc;

use glam::Vec3;

use crate::definition::Definition;
use crate::handle::Handle;
use galatea_anim::humanoid::{Role, Side};
use galatea_math::clamp::ClampTo as _;
use galatea_rig::Posed;
use galatea_rig::fingers::HandRig;

/// Seconds in which an open hand closes.
const CLOSING: f32 = 0.18;
/// Weight of a reach from which on its hand closes: it is nearly there.
const NEAR: f32 = 0.5;

/// How far the fingers of a hand are closed.
#[derive(Clone, Debug, Default)]
pub struct HandGrip {
    /// The hand; none when the skeleton has no fingers.
    pub rig: Option<Arc<HandRig>>,
    /// 0..=1: how far it is to be closed.
    pub to: f32,
    /// 0..=1: how far it is.
    pub now: f32,
    /// The palm comes to the target, not the wrist.
    pub palm: bool,
    /// Metres from the palm to the middle of what it closes about; as fits the hand without.
    pub radius: Option<f32>,
    /// The axis of what it closes about, in the target's space.
    pub bar: Option<Vec3>,
}

impl HandGrip {
    pub(super) fn advance(&mut self, posed: &mut Posed<'_>, weight: f32, dt: f32) {
        let most = dt / CLOSING;
        self.now += (self.to - self.now).clamp_to(-most, most);
        if let Some(rig) = &self.rig {
            rig.close(posed, self.now, weight);
        }
    }

    /// The same for the hand of a reach of that weight.
    pub(super) fn follow(&mut self, posed: &mut Posed<'_>, weight: f32, dt: f32) {
        let u = ((weight - NEAR) / (1.0 - NEAR)).clamp(0.0, 1.0);
        self.advance(posed, u * u * (3.0 - 2.0 * u), dt);
    }
}

/// A hand that closes by itself, on what is attached to it.
#[derive(Clone, Debug)]
pub struct Gripping {
    /// Which hand.
    pub side: Side,
    /// How far.
    pub grip: HandGrip,
    /// It lets go when this is no longer attached.
    pub holds: Option<Handle>,
}

impl Gripping {
    /// Finds the hand in a model.
    ///
    /// # Errors
    /// What the skeleton lacks.
    pub fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        self.grip.rig = None;
        self.grip.rig = Some(definition.hand_rig(self.side)?);
        Ok(())
    }
}

impl Definition {
    /// The hand of one side and its fingers.
    ///
    /// # Errors
    /// What the skeleton lacks.
    pub fn hand_rig(&self, side: Side) -> Result<Arc<HandRig>, String> {
        let find = |side| {
            let found = HandRig::find(&self.model.skeleton, self.clips.humanoid(), side);
            found.map(Arc::new)
        };
        let all = || [Side::Left, Side::Right].map(find);
        let [left, right] = self.hands.get_or_init(all);
        if side == Side::Right { right } else { left }.clone()
    }

    /// The hand that a bone is, and its fingers.
    ///
    /// # Errors
    /// What the skeleton lacks.
    pub fn hand_of(&self, bone: u16) -> Result<Arc<HandRig>, String> {
        let humanoid = self.clips.humanoid();
        if humanoid.bone(Role::LeftHand) == Some(bone) {
            self.hand_rig(Side::Left)
        } else if humanoid.bone(Role::RightHand) == Some(bone) {
            self.hand_rig(Side::Right)
        } else {
            Err("only hands have fingers".into())
        }
    }
}
