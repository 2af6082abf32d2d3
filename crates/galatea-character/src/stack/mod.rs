//! The ordered modifiers of a character: what is done to its pose after the animation and before deformation.
//!
//! Each writes local transforms only; one forward pass follows all of them. The order is that of the list,
//! which users read and change; a new one goes behind those that by their kind come before it.

mod apply;
mod facing;
mod goal;
mod gripping;
mod helping;
mod looking;
mod pointing;
mod reaching;
mod weight;
mod whole;

use super::handle::Handle;
use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::definition::Definition;
use super::instance::Character;
use galatea_anim::Skeleton;
use galatea_math::Trs;
use galatea_rig::alive::{Alive, AliveInput, AliveOptions, AliveRig};
use galatea_rig::carriage::{Carriage, Going, Lean, LeanOptions, Strafe, StrafeOptions};
use galatea_rig::feet::{Feet, FeetOptions, LegRig, Step};
use galatea_rig::loose::Held;

pub use apply::{Pass, StackInput, Stop};
pub use facing::{Facing, HeadMove};
pub use goal::{Goal, Place};
pub use gripping::{Grip, Gripping};
pub use helping::{Helping, MOST_HELPERS};
pub use looking::{LookReach, Looking, MOST_THINGS, Thing};
pub use pointing::{Aiming, Chaining};
pub use reaching::Reaching;
pub use weight::{ByCurve, Weight};
pub use whole::{Sitting, Whole};

/// Modifiers that one character may have.
pub const MOST_MODIFIERS: usize = 64;

/// All modifiers of one character, in order.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    /// In the order in which they act.
    pub modifiers: Vec<Modifier>,
    /// A script's modifier that is to act now.
    pub stop: Option<Stop>,
    /// It acts after those of lower rounds, on whom its goals are.
    pub round: u32,
    /// All but helpers have acted in this tick, before bodies were moved by it.
    has_acted: bool,
    /// How far it stands for itself, 0..=1: nothing acts on one who lies.
    awake: f32,
    /// How it goes.
    going: Going,
    /// Matrices from this bone on are old, while a script acts.
    old_from: Option<usize>,
    /// The pose before a script's modifier that is not to show in full.
    before: Vec<Trs>,
    /// Feet that hang on their shins while modifiers act.
    held: Vec<Held>,
    /// How far a blink closes the lids, and where it looks: left, right, up, down. For its face.
    sight: Option<(f32, [f32; 4])>,
}

/// One modifier of one character.
#[derive(Clone, Debug)]
pub struct Modifier {
    /// Its number.
    pub id: u64,
    /// What users call it; no two of a character have the same name.
    pub name: String,
    /// How much of it shows.
    pub weight: Weight,
    /// What it does.
    pub kind: Kind,
    /// Why it does nothing: what the skeleton lacks.
    pub missing: Option<String>,
    /// It was let go: it is taken away once it has faded.
    pub leaves: bool,
    /// A script has put it where it is in the order: it stays there when it is let go.
    pub placed: bool,
}

/// What a modifier does.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Breathes, shifts its weight, is never quite still.
    Alive(Box<Living>),
    /// Looks at something.
    Look(Box<Looking>),
    /// Leans into turns, slopes and what speeds it up.
    Lean(Box<Leaning>),
    /// Legs go where it walks while the trunk looks ahead.
    Strafe(Box<Strafing>),
    /// Puts feet on the ground.
    Feet(Box<Standing>),
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
    pub options: LeanOptions,
    /// How it leans.
    pub lean: Lean,
}

/// Legs under a trunk that looks elsewhere.
#[derive(Clone, Debug)]
pub struct Strafing {
    /// Hips and spine; none when the skeleton has none.
    pub carriage: Option<Arc<Carriage>>,
    /// How far.
    pub options: StrafeOptions,
    /// How its hips are turned.
    pub strafe: Strafe,
}

/// Feet on the ground.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Its legs; none when the skeleton has none.
    pub rig: Option<Arc<LegRig>>,
    /// How they stand.
    pub options: FeetOptions,
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

impl Kind {
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
    fn rank(&self) -> u8 {
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

    fn goals_mut(&mut self) -> impl Iterator<Item = &mut Goal> {
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
    pub fn place(&mut self, n: usize, place: Option<Place>) {
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

impl Stack {
    /// The modifier of this number.
    pub fn get_mut(&mut self, id: u64) -> Option<&mut Modifier> {
        self.modifiers.iter_mut().find(|modifier| modifier.id == id)
    }

    /// The modifier of this name.
    pub fn named(&mut self, name: &str) -> Option<&mut Modifier> {
        self.modifiers.iter_mut().find(|m| m.name == name)
    }

    /// Adds a modifier behind those of its rank, or in the place of that of its name.
    pub fn add(&mut self, modifier: Modifier) {
        if let Some(known) = self.named(&modifier.name) {
            *known = modifier;
            return;
        }
        let rank = modifier.kind.rank();
        let after = self.modifiers.iter();
        let at = after
            .rev()
            .position(|m| m.kind.rank() <= rank)
            .map_or(0, |from_end| self.modifiers.len() - from_end);
        self.modifiers.insert(at, modifier);
    }

    /// Takes a modifier away; false when there is none of this number.
    pub fn remove(&mut self, id: u64) -> bool {
        let n = self.modifiers.len();
        self.modifiers.retain(|modifier| modifier.id != id);
        self.modifiers.len() < n
    }

    /// Puts a modifier directly before or behind another. False when one of them is not there.
    pub fn put(&mut self, id: u64, before: bool, other: u64) -> bool {
        let at = |id: u64| self.modifiers.iter().position(|m| m.id == id);
        let (Some(from), Some(_)) = (at(id), at(other)) else {
            return false;
        };
        if id == other {
            return true;
        }
        let own = self.modifiers.remove(from);
        let to = self.modifiers.iter().position(|m| m.id == other);
        let to = to.map_or(self.modifiers.len(), |to| to + usize::from(!before));
        self.modifiers.insert(to, own);
        true
    }

    /// Its face.
    pub fn facing(&self) -> Option<&Facing> {
        self.modifiers
            .iter()
            .find_map(|modifier| match &modifier.kind {
                Kind::Face(facing) => Some(&**facing),
                _ => None,
            })
    }

    /// Its face.
    pub fn facing_mut(&mut self) -> Option<&mut Facing> {
        self.modifiers
            .iter_mut()
            .find_map(|modifier| match &mut modifier.kind {
                Kind::Face(facing) => Some(&mut **facing),
                _ => None,
            })
    }

    /// Its feet.
    pub fn standing(&self) -> Option<&Standing> {
        let kinds = self.modifiers.iter().map(|modifier| &modifier.kind);
        kinds.into_iter().find_map(|kind| match kind {
            Kind::Feet(standing) => Some(&**standing),
            _ => None,
        })
    }

    /// Of a foot that is put on the ground, while it stands: which place of it (in its own space) is held,
    /// and what it stands on. Nothing for one that is not put there.
    pub fn held_foot(&self, bone: u16) -> Option<Option<(Vec3, Affine3A)>> {
        let standing = self.standing()?;
        let rig = standing.rig.as_ref()?;
        let at = rig.legs.iter().position(|leg| leg.limb.end == bone)?;
        let (leg, foot) = (&rig.legs[at], standing.feet.feet.get(at)?);
        Some(foot.held_end(leg))
    }

    /// How far its feet are held, 0..=1.
    pub fn standing_weight(&self) -> f32 {
        let of = |modifier: &Modifier| match &modifier.kind {
            Kind::Feet(standing) if standing.options.hold => Some(modifier.weight.shown),
            _ => None,
        };
        self.modifiers.iter().find_map(of).unwrap_or(0.0)
    }

    /// True when its feet tell steps, in place of the marks of its clips.
    pub fn tells_steps(&self) -> bool {
        let mut kinds = self.modifiers.iter();
        kinds.any(|modifier| match &modifier.kind {
            Kind::Feet(standing) => standing.tells && modifier.weight.shown > 0.5,
            _ => false,
        })
    }

    /// Its feet.
    pub fn standing_mut(&mut self) -> Option<&mut Standing> {
        let kinds = self.modifiers.iter_mut().map(|modifier| &mut modifier.kind);
        kinds.into_iter().find_map(|kind| match kind {
            Kind::Feet(standing) => Some(&mut **standing),
            _ => None,
        })
    }

    /// Goes on from the stack of the character that this one's replaces, where they have modifiers of one
    /// name and kind.
    pub fn take_over(&mut self, was: Self) {
        self.awake = was.awake;
        self.going = was.going;
        for old in was.modifiers {
            let Some(own) = self.named(&old.name) else {
                continue;
            };
            own.weight.take_over(&old.weight);
            match (&mut own.kind, old.kind) {
                (Kind::Feet(own), Kind::Feet(old)) => own.feet = old.feet,
                (Kind::Alive(own), Kind::Alive(old)) => {
                    let options = own.alive.options;
                    own.alive = old.alive;
                    own.alive.options = options;
                }
                (Kind::Look(own), Kind::Look(old)) => {
                    let options = own.gaze.options;
                    own.gaze = old.gaze;
                    own.gaze.options = options;
                }
                (Kind::Lean(own), Kind::Lean(old)) => own.lean = old.lean,
                (Kind::Strafe(own), Kind::Strafe(old)) => own.strafe = old.strafe,
                (Kind::Reach(own), Kind::Reach(old)) => own.go_on(&old),
                (Kind::Grip(own), Kind::Grip(old)) => own.grip.now = old.grip.now,
                (Kind::Face(own), Kind::Face(old)) => own.face.take_over(old.face),
                _ => {}
            }
        }
    }
}

impl Stack {
    /// Finds bones and curves again by their names after the model was replaced. What has lost a bone does
    /// nothing until a model brings it back.
    pub fn rebind(&mut self, definition: &Definition) {
        let curves = definition.clips.curve_names();
        for modifier in &mut self.modifiers {
            if let Some(by) = &mut modifier.weight.curve {
                // A curve that is gone counts as 0, as it does for a clip without it.
                let index = curves.iter().position(|curve| *curve == by.name);
                by.index = index.unwrap_or(usize::MAX);
            }
            match &mut modifier.kind {
                Kind::Feet(standing) => {
                    let rig = definition.legs();
                    modifier.missing = rig.as_ref().err().cloned();
                    standing.rig = rig.ok();
                    standing.feet.reset();
                }
                Kind::Alive(living) => {
                    let rig = definition.alive_rig();
                    modifier.missing = rig.as_ref().err().cloned();
                    living.rig = rig.ok();
                }
                Kind::Look(looking) => {
                    modifier.missing = looking.rebind(definition).err();
                }
                Kind::Aim(aiming) => modifier.missing = aiming.rebind(definition).err(),
                Kind::Chain(chaining) => modifier.missing = chaining.rebind(definition).err(),
                Kind::Lean(leaning) => {
                    let carriage = definition.carriage();
                    modifier.missing = carriage.as_ref().err().cloned();
                    leaning.carriage = carriage.ok();
                }
                Kind::Strafe(strafing) => {
                    let carriage = definition.carriage();
                    modifier.missing = carriage.as_ref().err().cloned();
                    strafing.carriage = carriage.ok();
                }
                Kind::Reach(reaching) => {
                    modifier.missing = reaching.rebind(definition).err();
                }
                Kind::Sit(sitting) => modifier.missing = sitting.rebind(definition).err(),
                Kind::Grip(gripping) => modifier.missing = gripping.rebind(definition).err(),
                Kind::Face(facing) => modifier.missing = facing.rebind(definition).err(),
                Kind::Helpers(helping) => modifier.missing = helping.rebind(definition),
                Kind::Script(_) => {}
            }
        }
    }

    /// Finds the bones of goals on a character again by name after its model was replaced. A goal whose bone
    /// is gone is the character's own place.
    pub fn find_goals_again(&mut self, whose: Handle, was: &Skeleton, now: &Skeleton) {
        for modifier in &mut self.modifiers {
            for goal in modifier.kind.goals_mut() {
                if let Goal::On {
                    character, bone, ..
                } = goal
                    && *character == whose
                {
                    let name = |bone: u16| Some(&was.bones().get(usize::from(bone))?.name);
                    *bone = bone.and_then(name).and_then(|name| now.find(name));
                }
            }
        }
    }
}

/// The name of the modifier of all helpers.
pub const HELPERS: &str = "helpers";

impl Character {
    /// Has the helpers and constraints of its file act, if it has any.
    pub(super) fn begin_helpers(&mut self) {
        if self.definition.helpers().is_empty() {
            return;
        }
        let Ok(helping) = Helping::new(&self.definition, Vec::new()) else {
            // What a file has is bound when it is loaded: all of it fits.
            return;
        };
        let kind = Kind::Helpers(Box::new(helping));
        self.stack_mut().add(Modifier {
            id: 0,
            name: HELPERS.into(),
            weight: Weight::new(1.0),
            kind,
            missing: None,
            leaves: false,
            placed: false,
        });
    }

    /// Gives a human-like body that no clip could move the life that `alive` makes.
    pub fn begin_life(&mut self, id: u64, seed: u64) {
        let clips = &self.definition.clips;
        let Ok(rig) = self.definition.alive_rig() else {
            return;
        };
        if !clips.is_empty() || !clips.humanoid().is_body() {
            return;
        }
        let living = Living {
            rig: Some(rig),
            alive: Alive::new(AliveOptions::default(), seed),
            mood: AliveInput::default(),
        };
        let modifier = Modifier {
            id,
            name: "alive".into(),
            weight: Weight::new(1.0),
            kind: Kind::Alive(Box::new(living)),
            missing: None,
            leaves: false,
            placed: false,
        };
        self.stack_mut().add(modifier);
    }

    /// Its face, made when it has none; `None` when it has too many modifiers. `seed` and `id` are for one that is made.
    pub fn face_mut(&mut self, seed: u64, id: u64) -> Option<&mut Facing> {
        let definition = self.definition.clone();
        let stack = self.stack_mut();
        if stack.facing().is_none() && stack.modifiers.len() < MOST_MODIFIERS {
            let (facing, missing) = Facing::new(&definition, seed);
            stack.add(Modifier {
                id,
                name: "face".into(),
                weight: Weight::new(1.0),
                kind: Kind::Face(Box::new(facing)),
                missing,
                leaves: false,
                placed: false,
            });
        }
        stack.facing_mut()
    }

    /// Its modifiers.
    pub fn stack_mut(&mut self) -> &mut Stack {
        self.stack.get_or_insert_with(|| {
            Box::new(Stack {
                modifiers: Vec::new(),
                stop: None,
                round: 0,
                has_acted: false,
                sight: None,
                awake: 1.0,
                going: Going::default(),
                old_from: None,
                before: Vec::new(),
                held: Vec::new(),
            })
        })
    }
}
