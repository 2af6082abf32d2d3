//! One pose modifier, and the kinds of modifiers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::aim_and_chain::{AimAtModifier, ChainIkModifier};
use super::face::FaceModifier;
use super::full_body::SitModifier;
use super::goal::{Goal, GoalPosition};
use super::grip::GripModifier;
use super::helper_bones::HelperBonesModifier;
use super::look_at::LookAtModifier;
use super::reach::ReachModifier;
use super::weight::ModifierWeight;
use galatea_rig::foot_ik::{FootIk, FootIkSettings, LegRig, Step};
use galatea_rig::idle_motion::{IdleMotion, IdleMotionInput, IdleMotionRig};
use galatea_rig::lean_and_warp::{
    HipSpineRig, Lean, LeanSettings, OrientationWarp, OrientationWarpSettings,
};

/// One modifier of one character.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Modifier {
    /// Id of the modifier.
    pub id: u64,
    /// Name for users; unique within a character.
    pub name: String,
    /// Blend weight.
    pub weight: ModifierWeight,
    /// Kind and state.
    pub kind: ModifierKind,
    /// Message that says what the skeleton lacks; the modifier is then inactive.
    pub inactive_reason: Option<String>,
    /// The modifier was released and is removed once it has faded out.
    pub is_released: bool,
    /// A script has set its position in the order, which it keeps after its release.
    pub is_reordered: bool,
}

/// Kind and state of a modifier.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ModifierKind {
    /// Idle motion: breathing and weight shifts.
    IdleMotion(Box<IdleMotionModifier>),
    /// Gaze: looks at targets.
    LookAt(Box<LookAtModifier>),
    /// Leans into turns, slopes and acceleration.
    Lean(Box<LeanModifier>),
    /// Turns the legs in the walking direction while the trunk faces forwards.
    OrientationWarp(Box<OrientationWarpModifier>),
    /// Places the feet on the ground.
    FootIk(Box<FootIkModifier>),
    /// Rotates bones so that a line of the last bone passes through a target.
    AimAt(Box<AimAtModifier>),
    /// Moves the tip of a bone chain to a target.
    ChainIk(Box<ChainIkModifier>),
    /// Moves the hips to a target while the feet stay in place.
    Sit(Box<SitModifier>),
    /// Moves the end of a limb to a target.
    Reach(Box<ReachModifier>),
    /// Closes the fingers of a hand.
    Grip(Box<GripModifier>),
    /// The face; it also acts on downed characters.
    Face(Box<FaceModifier>),
    /// Helper bones and constraints; they also act on downed characters.
    HelperBones(Box<HelperBonesModifier>),
    /// A modifier by a script; the id of the script function.
    Script(u64),
}

/// Idle motion of a body.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IdleMotionModifier {
    /// Rig of trunk and limbs; `None` when the skeleton lacks them.
    #[serde(with = "galatea_persist::shared")]
    pub rig: Option<Arc<IdleMotionRig>>,
    /// State and settings of breathing and swaying.
    pub idle_motion: IdleMotion,
    /// Exertion and mood set by a script; the rest is computed.
    pub mood: IdleMotionInput,
}

/// A leaning body.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LeanModifier {
    /// Hips and spine; `None` when the skeleton lacks them.
    #[serde(with = "galatea_persist::shared")]
    pub rig: Option<Arc<HipSpineRig>>,
    /// Settings.
    pub options: LeanSettings,
    /// State.
    pub lean: Lean,
}

/// Legs turned in the walking direction under a trunk that faces forwards.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OrientationWarpModifier {
    /// Hips and spine; `None` when the skeleton lacks them.
    #[serde(with = "galatea_persist::shared")]
    pub rig: Option<Arc<HipSpineRig>>,
    /// Settings.
    pub options: OrientationWarpSettings,
    /// State: rotation of the hips.
    pub warp: OrientationWarp,
}

/// Foot placement on the ground.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FootIkModifier {
    /// Legs; `None` when the skeleton lacks them.
    #[serde(with = "galatea_persist::shared")]
    pub rig: Option<Arc<LegRig>>,
    /// Settings.
    pub options: FootIkSettings,
    /// The feet emit step events, instead of the clips' marks.
    pub emits_steps: bool,
    /// State of the feet.
    pub foot_ik: FootIk,
    /// Step events of this tick.
    pub steps: Vec<Step>,
}

impl Modifier {
    /// Fades out over some seconds and is then removed, unless a script has set its position in the order.
    pub fn release(&mut self, seconds: f32) {
        self.weight.fade(0.0, seconds);
        self.is_released = true;
    }
}

impl ModifierKind {
    /// Returns the word that scripts see.
    pub fn word(&self) -> &'static str {
        match self {
            Self::IdleMotion(_) => "idle_motion",
            Self::LookAt(_) => "look_at",
            Self::Lean(_) => "lean",
            Self::OrientationWarp(_) => "orientation_warp",
            Self::FootIk(_) => "foot_ik",
            Self::AimAt(_) => "aim_at",
            Self::ChainIk(_) => "chain_ik",
            Self::Sit(_) => "sit",
            Self::Reach(_) => "reach",
            Self::Grip(_) => "grip",
            Self::Face(_) => "face",
            Self::HelperBones(_) => "helper_bones",
            Self::Script(_) => "script",
        }
    }

    /// Returns a message about a missing optional feature: what the skeleton lacks for it.
    pub fn missing_features(&self) -> Option<&str> {
        match self {
            Self::Reach(reaching) => reaching.missing_features.as_deref(),
            _ => None,
        }
    }

    /// Returns the default order of evaluation: lower ranks act first, unless the user changes the order.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::IdleMotion(_) => 5,
            Self::OrientationWarp(_) => 10,
            Self::Lean(_) => 15,
            Self::FootIk(_) => 20,
            Self::Sit(_) => 25,
            Self::AimAt(_) => 30,
            Self::ChainIk(_) => 45,
            // Before the arms, because the chest moves along with a gaze.
            Self::LookAt(_) => 40,
            Self::Reach(_) => 50,
            Self::Grip(_) => 55,
            Self::Script(_) => 70,
            Self::Face(_) => 75,
            Self::HelperBones(_) => 80,
        }
    }

    /// Returns the targets of the modifier, in order.
    pub fn goals(&self) -> impl Iterator<Item = Goal> + '_ {
        let (one, things) = match self {
            Self::AimAt(aiming) => (aiming.goal, &[][..]),
            Self::ChainIk(chaining) => (chaining.goal, &[][..]),
            Self::Reach(reaching) => (reaching.goal, &[][..]),
            Self::Sit(sitting) => (sitting.goal, &[][..]),
            Self::LookAt(looking) => (None, &looking.targets[..]),
            _ => (None, &[][..]),
        };
        let [glance, talk] = match self {
            Self::LookAt(looking) => [
                looking.glance.as_ref().map(|(thing, _)| thing.goal),
                looking
                    .conversation_target
                    .as_ref()
                    .map(|(thing, _)| thing.goal),
            ],
            _ => [None, None],
        };
        let things = things.iter().map(|thing| thing.goal);
        one.into_iter().chain(things).chain(glance).chain(talk)
    }

    pub(super) fn goals_mut(&mut self) -> impl Iterator<Item = &mut Goal> {
        let (one, things) = match self {
            Self::AimAt(aiming) => (aiming.goal.as_mut(), &mut [][..]),
            Self::ChainIk(chaining) => (chaining.goal.as_mut(), &mut [][..]),
            Self::Reach(reaching) => (reaching.goal.as_mut(), &mut [][..]),
            Self::Sit(sitting) => (sitting.goal.as_mut(), &mut [][..]),
            Self::LookAt(looking) => (None, &mut looking.targets[..]),
            _ => (None, &mut [][..]),
        };
        one.into_iter()
            .chain(things.iter_mut().map(|thing| &mut thing.goal))
    }

    /// Sets the position of the modifier's `n`th target.
    pub fn set_target_position(&mut self, n: usize, place: Option<GoalPosition>) {
        match self {
            Self::AimAt(aiming) => aiming.target_position = place,
            Self::ChainIk(chaining) => chaining.target_position = place,
            Self::Reach(reaching) => reaching.target_position = place,
            Self::Sit(sitting) => sitting.target_position = place,
            Self::LookAt(looking) => {
                let glance = looking.glance.as_mut().map(|(thing, _)| thing);
                let talk = looking.conversation_target.as_mut().map(|(thing, _)| thing);
                let things = looking.targets.iter_mut();
                if let Some(thing) = things.chain(glance).chain(talk).nth(n) {
                    thing.position = place;
                }
            }
            _ => {}
        }
    }
}
