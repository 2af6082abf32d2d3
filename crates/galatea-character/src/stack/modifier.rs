//! One modifier of a pose, and the kinds of them.

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
    /// Its number.
    pub id: u64,
    /// What users call it; no two of a character have the same name.
    pub name: String,
    /// How much of it shows.
    pub weight: ModifierWeight,
    /// What it does.
    pub kind: ModifierKind,
    /// Why it does nothing: what the skeleton lacks.
    pub missing: Option<String>,
    /// It was let go: it is taken away once it has faded.
    pub leaves: bool,
    /// A script has put it where it is in the order: it stays there when it is let go.
    pub placed: bool,
}

/// What a modifier does.
#[derive(Clone, Debug)]
pub enum ModifierKind {
    /// Breathes, shifts its weight, is never quite still.
    Alive(Box<Living>),
    /// Looks at something.
    Look(Box<Looking>),
    /// Leans into turns, slopes and what speeds it up.
    Lean(Box<Leaning>),
    /// Legs go where it walks while the trunk looks ahead.
    Strafe(Box<Strafing>),
    /// Puts feet on the ground.
    Feet(Box<FootPlacement>),
    /// Turns bones so that a line of the last runs through a goal.
    Aim(Box<Aiming>),
    /// Brings the tip of a chain of bones to a goal.
    Chain(Box<Chaining>),
    /// Brings the hips to a goal while the feet stay.
    Sit(Box<Sitting>),
    /// Brings the end of a limb to a goal.
    Reach(Box<Reaching>),
    /// Closes the fingers of a hand.
    Grip(Box<Gripping>),
    /// What owners of the face show; one who lies has a face as well.
    Face(Box<Facing>),
    /// Helper bones and constraints; they act on one who lies as well.
    Helpers(Box<Helping>),
    /// What a script does; its number among the script's functions.
    Script(u64),
}

/// A body that is alive.
#[derive(Clone, Debug)]
pub struct Living {
    /// Its trunk and limbs; none when the skeleton has none.
    pub rig: Option<Arc<AliveRig>>,
    /// How it breathes and sways.
    pub alive: Alive,
    /// How hard it works, how it feels: what a script says, the rest is found.
    pub mood: AliveInput,
}

/// A body that leans.
#[derive(Clone, Debug)]
pub struct Leaning {
    /// Hips and spine; none when the skeleton has none.
    pub carriage: Option<Arc<Carriage>>,
    /// How much.
    pub options: LeanSettings,
    /// How it leans.
    pub lean: Lean,
}

/// Legs under a trunk that looks elsewhere.
#[derive(Clone, Debug)]
pub struct Strafing {
    /// Hips and spine; none when the skeleton has none.
    pub carriage: Option<Arc<Carriage>>,
    /// How far.
    pub options: StrafeSettings,
    /// How its hips are turned.
    pub strafe: Strafe,
}

/// Feet on the ground.
#[derive(Clone, Debug)]
pub struct FootPlacement {
    /// Its legs; none when the skeleton has none.
    pub rig: Option<Arc<LegRig>>,
    /// How they stand.
    pub options: FeetSettings,
    /// Its feet tell steps, in place of the marks of its clips.
    pub tells: bool,
    /// Where they are.
    pub feet: Feet,
    /// What they told in this tick.
    pub steps: Vec<Step>,
}

impl Modifier {
    /// Fades out in some seconds and is then taken away, unless a script has given it its place in the order.
    pub fn let_go(&mut self, seconds: f32) {
        self.weight.fade(0.0, seconds);
        self.leaves = true;
    }
}

impl ModifierKind {
    /// One word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Alive(_) => "alive",
            Self::Look(_) => "look",
            Self::Lean(_) => "lean",
            Self::Strafe(_) => "strafe",
            Self::Feet(_) => "feet",
            Self::Aim(_) => "aim",
            Self::Chain(_) => "chain",
            Self::Sit(_) => "sit",
            Self::Reach(_) => "reach",
            Self::Grip(_) => "grip",
            Self::Face(_) => "face",
            Self::Helpers(_) => "helpers",
            Self::Script(_) => "script",
        }
    }

    /// What it does without while it does the rest: what the skeleton lacks for that.
    pub fn lacks(&self) -> Option<&str> {
        match self {
            Self::Reach(reaching) => reaching.lacks.as_deref(),
            _ => None,
        }
    }

    /// Those of a lower number act first, unless the user puts them elsewhere.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::Alive(_) => 5,
            Self::Strafe(_) => 10,
            Self::Lean(_) => 15,
            Self::Feet(_) => 20,
            Self::Sit(_) => 25,
            Self::Aim(_) => 30,
            Self::Chain(_) => 45,
            // Before arms: the chest goes along with a look.
            Self::Look(_) => 40,
            Self::Reach(_) => 50,
            Self::Grip(_) => 55,
            Self::Script(_) => 70,
            Self::Face(_) => 75,
            Self::Helpers(_) => 80,
        }
    }

    /// What it goes after, one after the other.
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

    /// Says where one of them is, by its number among them.
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
