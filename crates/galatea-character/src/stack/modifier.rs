//! One pose modifier, and the kinds of modifiers.

use std::sync::Arc;

use super::facing::Facing;
use super::goal::{Goal, GoalPosition};
use super::gripping::Gripping;
use super::helping::Helping;
use super::looking::Looking;
use super::pointing::{Aiming, Chaining};
use super::reaching::Reaching;
use super::weight::ModifierWeight;
use super::whole::Sitting;
use galatea_rig::alive::{Alive, AliveInput, AliveRig};
use galatea_rig::carriage::{Carriage, Lean, LeanSettings, Strafe, StrafeSettings};
use galatea_rig::feet::{Feet, FeetSettings, LegRig, Step};

/// One modifier of one character.
#[derive(Clone, Debug)]
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
    pub missing: Option<String>,
    /// The modifier was released and is removed once it has faded out.
    pub leaves: bool,
    /// A script has set its position in the order, which it keeps after its release.
    pub placed: bool,
}

/// Kind and state of a modifier.
#[derive(Clone, Debug)]
pub enum ModifierKind {
    /// Idle motion: breathing and weight shifts.
    Alive(Box<Living>),
    /// Gaze: looks at targets.
    Look(Box<Looking>),
    /// Leans into turns, slopes and acceleration.
    Lean(Box<Leaning>),
    /// Turns the legs in the walking direction while the trunk faces forwards.
    Strafe(Box<Strafing>),
    /// Places the feet on the ground.
    Feet(Box<FootPlacement>),
    /// Rotates bones so that a line of the last bone passes through a target.
    Aim(Box<Aiming>),
    /// Moves the tip of a bone chain to a target.
    Chain(Box<Chaining>),
    /// Moves the hips to a target while the feet stay in place.
    Sit(Box<Sitting>),
    /// Moves the end of a limb to a target.
    Reach(Box<Reaching>),
    /// Closes the fingers of a hand.
    Grip(Box<Gripping>),
    /// The face; it also acts on downed characters.
    Face(Box<Facing>),
    /// Helper bones and constraints; they also act on downed characters.
    Helpers(Box<Helping>),
    /// A modifier by a script; the id of the script function.
    Script(u64),
}

/// Idle motion of a body.
#[derive(Clone, Debug)]
pub struct Living {
    /// Rig of trunk and limbs; `None` when the skeleton lacks them.
    pub rig: Option<Arc<AliveRig>>,
    /// State and settings of breathing and swaying.
    pub alive: Alive,
    /// Exertion and mood set by a script; the rest is computed.
    pub mood: AliveInput,
}

/// A leaning body.
#[derive(Clone, Debug)]
pub struct Leaning {
    /// Hips and spine; `None` when the skeleton lacks them.
    pub carriage: Option<Arc<Carriage>>,
    /// Settings.
    pub options: LeanSettings,
    /// State.
    pub lean: Lean,
}

/// Legs turned in the walking direction under a trunk that faces forwards.
#[derive(Clone, Debug)]
pub struct Strafing {
    /// Hips and spine; `None` when the skeleton lacks them.
    pub carriage: Option<Arc<Carriage>>,
    /// Settings.
    pub options: StrafeSettings,
    /// State: rotation of the hips.
    pub strafe: Strafe,
}

/// Foot placement on the ground.
#[derive(Clone, Debug)]
pub struct FootPlacement {
    /// Legs; `None` when the skeleton lacks them.
    pub rig: Option<Arc<LegRig>>,
    /// Settings.
    pub options: FeetSettings,
    /// The feet emit step events, instead of the clips' marks.
    pub tells: bool,
    /// State of the feet.
    pub feet: Feet,
    /// Step events of this tick.
    pub steps: Vec<Step>,
}

impl Modifier {
    /// Fades out over some seconds and is then removed, unless a script has set its position in the order.
    pub fn let_go(&mut self, seconds: f32) {
        self.weight.fade(0.0, seconds);
        self.leaves = true;
    }
}

impl ModifierKind {
    /// Returns the word that scripts see.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Alive(_) => "idle_motion",
            Self::Look(_) => "look_at",
            Self::Lean(_) => "lean",
            Self::Strafe(_) => "orientation_warp",
            Self::Feet(_) => "foot_ik",
            Self::Aim(_) => "aim_at",
            Self::Chain(_) => "chain_ik",
            Self::Sit(_) => "sit",
            Self::Reach(_) => "reach",
            Self::Grip(_) => "grip",
            Self::Face(_) => "face",
            Self::Helpers(_) => "helper_bones",
            Self::Script(_) => "script",
        }
    }

    /// Returns a message about a missing optional feature: what the skeleton lacks for it.
    pub fn lacks(&self) -> Option<&str> {
        match self {
            Self::Reach(reaching) => reaching.lacks.as_deref(),
            _ => None,
        }
    }

    /// Returns the default order of evaluation: lower ranks act first, unless the user changes the order.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::Alive(_) => 5,
            Self::Strafe(_) => 10,
            Self::Lean(_) => 15,
            Self::Feet(_) => 20,
            Self::Sit(_) => 25,
            Self::Aim(_) => 30,
            Self::Chain(_) => 45,
            // Before the arms, because the chest moves along with a gaze.
            Self::Look(_) => 40,
            Self::Reach(_) => 50,
            Self::Grip(_) => 55,
            Self::Script(_) => 70,
            Self::Face(_) => 75,
            Self::Helpers(_) => 80,
        }
    }

    /// Returns the targets of the modifier, in order.
    pub fn goals(&self) -> impl Iterator<Item = Goal> + '_ {
        let (one, things) = match self {
            Self::Aim(aiming) => (aiming.goal, &[][..]),
            Self::Chain(chaining) => (chaining.goal, &[][..]),
            Self::Reach(reaching) => (reaching.goal, &[][..]),
            Self::Sit(sitting) => (sitting.goal, &[][..]),
            Self::Look(looking) => (None, &looking.things[..]),
            _ => (None, &[][..]),
        };
        let [glance, talk] = match self {
            Self::Look(looking) => [
                looking.glance.as_ref().map(|(thing, _)| thing.goal),
                looking.talk.as_ref().map(|(thing, _)| thing.goal),
            ],
            _ => [None, None],
        };
        let things = things.iter().map(|thing| thing.goal);
        one.into_iter().chain(things).chain(glance).chain(talk)
    }

    pub(super) fn goals_mut(&mut self) -> impl Iterator<Item = &mut Goal> {
        let (one, things) = match self {
            Self::Aim(aiming) => (aiming.goal.as_mut(), &mut [][..]),
            Self::Chain(chaining) => (chaining.goal.as_mut(), &mut [][..]),
            Self::Reach(reaching) => (reaching.goal.as_mut(), &mut [][..]),
            Self::Sit(sitting) => (sitting.goal.as_mut(), &mut [][..]),
            Self::Look(looking) => (None, &mut looking.things[..]),
            _ => (None, &mut [][..]),
        };
        one.into_iter()
            .chain(things.iter_mut().map(|thing| &mut thing.goal))
    }

    /// Sets the position of the modifier's `n`th target.
    pub fn place(&mut self, n: usize, place: Option<GoalPosition>) {
        match self {
            Self::Aim(aiming) => aiming.place = place,
            Self::Chain(chaining) => chaining.place = place,
            Self::Reach(reaching) => reaching.place = place,
            Self::Sit(sitting) => sitting.place = place,
            Self::Look(looking) => {
                let glance = looking.glance.as_mut().map(|(thing, _)| thing);
                let talk = looking.talk.as_mut().map(|(thing, _)| thing);
                let things = looking.things.iter_mut();
                if let Some(thing) = things.chain(glance).chain(talk).nth(n) {
                    thing.place = place;
                }
            }
            _ => {}
        }
    }
}
