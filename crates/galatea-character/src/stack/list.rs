//! All modifiers of one character, in order.

use glam::{Affine3A, Vec3};

use super::facing::Facing;
use super::goal::Goal;
use super::helping::Helping;
use super::modifier::{FootPlacement, Modifier, ModifierKind};
use super::weight::ModifierWeight;
use crate::definition::Definition;
use crate::handle::Handle;
use galatea_anim::Skeleton;
use galatea_face::Face;
use galatea_math::Trs;
use galatea_rig::carriage::Going;

/// Modifiers that one character may have.
pub const MOST_MODIFIERS: usize = 64;

/// The name of the modifier of all helpers.
pub const HELPERS: &str = "helpers";

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
    pub(super) has_acted: bool,
    /// How far it stands for itself, 0..=1: nothing acts on one who lies.
    pub(super) awake: f32,
    /// How it goes.
    pub(super) going: Going,
    /// Matrices from this bone on are old, while a script acts.
    pub(super) old_from: Option<usize>,
    /// The pose before a script's modifier that is not to show in full.
    pub(super) before: Vec<Trs>,
    /// How far a blink closes the lids, and where it looks: left, right, up, down. For its face.
    pub(super) sight: Option<(f32, [f32; 4])>,
}

/// A script's modifier is next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Its place in the stack.
    pub at: usize,
    /// Its function.
    pub function: u64,
    /// How much of it is to show.
    pub weight: f32,
}

impl Stack {
    /// A stack without modifiers.
    pub fn new() -> Self {
        Self {
            awake: 1.0,
            ..Self::default()
        }
    }

    /// The stack in which the helpers and constraints of a file act, if it has any.
    pub(crate) fn of_file(definition: &Definition) -> Option<Self> {
        if definition.helpers().is_empty() {
            return None;
        }
        // What a file has is bound when it is loaded: all of it fits.
        let helping = Helping::new(definition, Vec::new()).ok()?;
        let mut stack = Self::new();
        stack.add(Modifier {
            id: 0,
            name: HELPERS.into(),
            weight: ModifierWeight::new(1.0),
            kind: ModifierKind::Helpers(Box::new(helping)),
            missing: None,
            leaves: false,
            placed: false,
        });
        Some(stack)
    }

    /// What its modifiers go after, where in the stack, and which of those of one modifier.
    pub fn goals(&self) -> impl Iterator<Item = ([usize; 2], Goal)> + '_ {
        self.modifiers.iter().enumerate().flat_map(|(i, modifier)| {
            let goals = modifier.kind.goals().enumerate();
            goals.map(move |(n, goal)| ([i, n], goal))
        })
    }

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
                ModifierKind::Face(facing) => Some(&**facing),
                _ => None,
            })
    }

    /// Its face.
    pub fn facing_mut(&mut self) -> Option<&mut Facing> {
        self.modifiers
            .iter_mut()
            .find_map(|modifier| match &mut modifier.kind {
                ModifierKind::Face(facing) => Some(&mut **facing),
                _ => None,
            })
    }

    /// Its feet.
    pub fn standing(&self) -> Option<&FootPlacement> {
        let kinds = self.modifiers.iter().map(|modifier| &modifier.kind);
        kinds.into_iter().find_map(|kind| match kind {
            ModifierKind::Feet(standing) => Some(&**standing),
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
            ModifierKind::Feet(standing) if standing.options.hold => Some(modifier.weight.shown),
            _ => None,
        };
        self.modifiers.iter().find_map(of).unwrap_or(0.0)
    }

    /// True when its feet tell steps, in place of the marks of its clips.
    pub fn tells_steps(&self) -> bool {
        let mut kinds = self.modifiers.iter();
        kinds.any(|modifier| match &modifier.kind {
            ModifierKind::Feet(standing) => standing.tells && modifier.weight.shown > 0.5,
            _ => false,
        })
    }

    /// Its feet.
    pub fn standing_mut(&mut self) -> Option<&mut FootPlacement> {
        let kinds = self.modifiers.iter_mut().map(|modifier| &mut modifier.kind);
        kinds.into_iter().find_map(|kind| match kind {
            ModifierKind::Feet(standing) => Some(&mut **standing),
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
                self.keep_face(old);
                continue;
            };
            own.weight.take_over(&old.weight);
            match (&mut own.kind, old.kind) {
                (ModifierKind::Feet(own), ModifierKind::Feet(old)) => own.feet = old.feet,
                (ModifierKind::Alive(own), ModifierKind::Alive(old)) => {
                    let options = own.alive.options;
                    own.alive = old.alive;
                    own.alive.options = options;
                }
                (ModifierKind::Look(own), ModifierKind::Look(old)) => {
                    let options = own.gaze.options;
                    own.gaze = old.gaze;
                    own.gaze.options = options;
                }
                (ModifierKind::Lean(own), ModifierKind::Lean(old)) => own.lean = old.lean,
                (ModifierKind::Strafe(own), ModifierKind::Strafe(old)) => own.strafe = old.strafe,
                (ModifierKind::Reach(own), ModifierKind::Reach(old)) => own.go_on(&old),
                (ModifierKind::Grip(own), ModifierKind::Grip(old)) => own.grip.now = old.grip.now,
                (ModifierKind::Face(own), ModifierKind::Face(old)) => {
                    own.face.continue_from(old.face)
                }
                _ => {}
            }
        }
    }

    /// Keeps the face of the running game where the new version of the script says nothing of it.
    fn keep_face(&mut self, old: Modifier) {
        let ModifierKind::Face(mut facing) = old.kind else {
            return;
        };
        let was = std::mem::replace(&mut facing.face, Face::new(0));
        facing.face.continue_from(was);
        self.add(Modifier {
            kind: ModifierKind::Face(facing),
            ..old
        });
    }

    /// Remembers what the main part of the script leaves of it.
    pub fn note_begun(&mut self) {
        if let Some(facing) = self.facing_mut() {
            facing.face.note_begun();
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
                ModifierKind::Feet(standing) => {
                    let rig = definition.legs();
                    modifier.missing = rig.as_ref().err().cloned();
                    standing.rig = rig.ok();
                    standing.feet.reset();
                }
                ModifierKind::Alive(living) => {
                    let rig = definition.alive_rig();
                    modifier.missing = rig.as_ref().err().cloned();
                    living.rig = rig.ok();
                }
                ModifierKind::Look(looking) => {
                    modifier.missing = looking.rebind(definition).err();
                }
                ModifierKind::Aim(aiming) => modifier.missing = aiming.rebind(definition).err(),
                ModifierKind::Chain(chaining) => {
                    modifier.missing = chaining.rebind(definition).err()
                }
                ModifierKind::Lean(leaning) => {
                    let carriage = definition.carriage();
                    modifier.missing = carriage.as_ref().err().cloned();
                    leaning.carriage = carriage.ok();
                }
                ModifierKind::Strafe(strafing) => {
                    let carriage = definition.carriage();
                    modifier.missing = carriage.as_ref().err().cloned();
                    strafing.carriage = carriage.ok();
                }
                ModifierKind::Reach(reaching) => {
                    modifier.missing = reaching.rebind(definition).err();
                }
                ModifierKind::Sit(sitting) => modifier.missing = sitting.rebind(definition).err(),
                ModifierKind::Grip(gripping) => {
                    modifier.missing = gripping.rebind(definition).err()
                }
                ModifierKind::Face(facing) => modifier.missing = facing.rebind(definition).err(),
                ModifierKind::Helpers(helping) => modifier.missing = helping.rebind(definition),
                ModifierKind::Script(_) => {}
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

/// True for what acts on the body as it helps, not before.
fn comes_after(modifier: &Modifier) -> bool {
    matches!(
        modifier.kind,
        ModifierKind::Aim(_)
            | ModifierKind::Look(_)
            | ModifierKind::Chain(_)
            | ModifierKind::Reach(_)
    )
}

impl Stack {
    /// Where in the stack bodies help hands: before anything that aims, looks or reaches.
    pub(super) fn helps_at(&self) -> Option<usize> {
        let helps = |m: &Modifier| matches!(&m.kind, ModifierKind::Reach(r) if r.whole.is_some());
        if !self.modifiers.iter().any(helps) {
            return None;
        }
        self.modifiers.iter().position(comes_after)
    }
}
