//! All modifiers of one character, in order.

use glam::{Affine3A, Vec3};
use serde::{Deserialize, Serialize};

use super::face::FaceModifier;
use super::goal::Goal;
use super::helper_bones::HelperBonesModifier;
use super::modifier::{FootIkModifier, Modifier, ModifierKind};
use super::weight::ModifierWeight;
use crate::definition::Definition;
use crate::handle::Handle;
use galatea_anim::Skeleton;
use galatea_face::Face;
use galatea_math::Trs;
use galatea_rig::lean_and_warp::MotionTracker;

/// Maximum number of modifiers of one character.
pub const MAX_MODIFIERS: usize = 64;

/// Name of the modifier that runs all helpers.
pub const HELPERS: &str = "helper_bones";

/// All modifiers of one character, in order.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ModifierStack {
    /// Modifiers in evaluation order.
    pub modifiers: Vec<Modifier>,
    /// Script modifier that must run now.
    pub stop: Option<Stop>,
    /// Evaluation round: the stack runs after the stacks of lower rounds, which its targets depend on.
    pub round: u32,
    /// All modifiers except helpers have acted in this tick, before the physics step.
    pub(super) has_run: bool,
    /// Weight of the whole stack, 0..=1: 0 while the character is down.
    pub(super) awake: f32,
    /// Measured movement of the body.
    pub(super) motion: MotionTracker,
    /// Index of the first bone with an outdated matrix, while a script's modifier runs.
    pub(super) old_from: Option<usize>,
    /// Pose before a script's modifier with a weight below 1.
    pub(super) before: Vec<Trs>,
    /// Eyelid closure by a blink, and gaze direction (left, right, up, down), for the face.
    pub(super) sight: Option<(f32, [f32; 4])>,
}

/// A stop of the stack for a script's modifier.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stop {
    /// Index in the stack.
    pub at: usize,
    /// Id of the script function.
    pub function: u64,
    /// Weight of the modifier.
    pub weight: f32,
}

impl ModifierStack {
    /// Creates a stack without modifiers.
    pub fn new() -> Self {
        Self {
            awake: 1.0,
            ..Self::default()
        }
    }

    /// Creates the stack with the helpers and constraints of a file, if there are any.
    pub(crate) fn of_file(definition: &Definition) -> Option<Self> {
        if definition.helpers().is_empty() {
            return None;
        }
        // The loader has already checked the file's helpers.
        let helping = HelperBonesModifier::new(definition, Vec::new()).ok()?;
        let mut stack = Self::new();
        stack.add(Modifier {
            id: 0,
            name: HELPERS.into(),
            weight: ModifierWeight::new(1.0),
            kind: ModifierKind::HelperBones(Box::new(helping)),
            inactive_reason: None,
            is_released: false,
            is_reordered: false,
        });
        Some(stack)
    }

    /// Returns the targets of the modifiers, each with the index of the modifier and the index within it.
    pub fn goals(&self) -> impl Iterator<Item = ([usize; 2], Goal)> + '_ {
        self.modifiers.iter().enumerate().flat_map(|(i, modifier)| {
            let goals = modifier.kind.goals().enumerate();
            goals.map(move |(n, goal)| ([i, n], goal))
        })
    }

    /// Returns the modifier with this id.
    pub fn get_mut(&mut self, id: u64) -> Option<&mut Modifier> {
        self.modifiers.iter_mut().find(|modifier| modifier.id == id)
    }

    /// Returns the modifier with this name.
    pub fn named(&mut self, name: &str) -> Option<&mut Modifier> {
        self.modifiers.iter_mut().find(|m| m.name == name)
    }

    /// Adds a modifier after those of the same or a lower rank. Replaces a modifier with the same name.
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

    /// Removes a modifier; returns false if none has this id.
    pub fn remove(&mut self, id: u64) -> bool {
        let n = self.modifiers.len();
        self.modifiers.retain(|modifier| modifier.id != id);
        self.modifiers.len() < n
    }

    /// Moves a modifier directly before or after another. Returns false if one of them does not exist.
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

    /// Returns the face modifier, if any.
    pub fn facing(&self) -> Option<&FaceModifier> {
        self.modifiers
            .iter()
            .find_map(|modifier| match &modifier.kind {
                ModifierKind::Face(facing) => Some(&**facing),
                _ => None,
            })
    }

    /// Returns the face modifier for changes, if any.
    pub fn facing_mut(&mut self) -> Option<&mut FaceModifier> {
        self.modifiers
            .iter_mut()
            .find_map(|modifier| match &mut modifier.kind {
                ModifierKind::Face(facing) => Some(&mut **facing),
                _ => None,
            })
    }

    /// Returns the foot placement, if any.
    pub fn standing(&self) -> Option<&FootIkModifier> {
        let kinds = self.modifiers.iter().map(|modifier| &modifier.kind);
        kinds.into_iter().find_map(|kind| match kind {
            ModifierKind::FootIk(standing) => Some(&**standing),
            _ => None,
        })
    }

    /// Returns `Some(None)` for a foot that is controlled by foot placement but not locked. For a locked foot, returns the
    /// locked point in the foot's space and the frame of the surface below it. Returns `None` for any other bone.
    pub fn locked_foot(&self, bone: u16) -> Option<Option<(Vec3, Affine3A)>> {
        let standing = self.standing()?;
        let rig = standing.rig.as_ref()?;
        let at = rig.legs.iter().position(|leg| leg.limb.end == bone)?;
        let (leg, foot) = (&rig.legs[at], standing.foot_ik.feet.get(at)?);
        Some(foot.locked_end(leg))
    }

    /// Returns the weight of the foot lock, 0..=1.
    pub fn standing_weight(&self) -> f32 {
        let of = |modifier: &Modifier| match &modifier.kind {
            ModifierKind::FootIk(standing) if standing.options.lock_feet => {
                Some(modifier.weight.effective_weight)
            }
            _ => None,
        };
        self.modifiers.iter().find_map(of).unwrap_or(0.0)
    }

    /// Returns true when foot placement emits step events instead of the clips' marks.
    pub fn emits_steps(&self) -> bool {
        let mut kinds = self.modifiers.iter();
        kinds.any(|modifier| match &modifier.kind {
            ModifierKind::FootIk(standing) => {
                standing.emits_steps && modifier.weight.effective_weight > 0.5
            }
            _ => false,
        })
    }

    /// Returns the foot placement for changes, if any.
    pub fn standing_mut(&mut self) -> Option<&mut FootIkModifier> {
        let kinds = self.modifiers.iter_mut().map(|modifier| &mut modifier.kind);
        kinds.into_iter().find_map(|kind| match kind {
            ModifierKind::FootIk(standing) => Some(&mut **standing),
            _ => None,
        })
    }

    /// Continues from the stack of the character that this one replaces, for modifiers with the same name and kind.
    pub fn take_over(&mut self, was: Self) {
        self.awake = was.awake;
        self.motion = was.motion;
        for old in was.modifiers {
            let Some(own) = self.named(&old.name) else {
                self.restore_face(old);
                continue;
            };
            own.weight.take_over(&old.weight);
            match (&mut own.kind, old.kind) {
                (ModifierKind::FootIk(own), ModifierKind::FootIk(old)) => own.foot_ik = old.foot_ik,
                (ModifierKind::IdleMotion(own), ModifierKind::IdleMotion(old)) => {
                    let options = own.idle_motion.options;
                    own.idle_motion = old.idle_motion;
                    own.idle_motion.options = options;
                }
                (ModifierKind::LookAt(own), ModifierKind::LookAt(old)) => {
                    let options = own.gaze.options;
                    own.gaze = old.gaze;
                    own.gaze.options = options;
                }
                (ModifierKind::Lean(own), ModifierKind::Lean(old)) => own.lean = old.lean,
                (ModifierKind::OrientationWarp(own), ModifierKind::OrientationWarp(old)) => {
                    own.warp = old.warp
                }
                (ModifierKind::Reach(own), ModifierKind::Reach(old)) => own.go_on(&old),
                (ModifierKind::Grip(own), ModifierKind::Grip(old)) => own.grip.now = old.grip.now,
                (ModifierKind::Face(own), ModifierKind::Face(old)) => {
                    own.face.continue_from(old.face)
                }
                _ => {}
            }
        }
    }

    /// Keeps the running face if the new version of the script does not mention it.
    fn restore_face(&mut self, old: Modifier) {
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

    /// Records the state of the face at the end of the script's main part.
    pub fn record_baseline(&mut self) {
        if let Some(facing) = self.facing_mut() {
            facing.face.record_baseline();
        }
    }
}

impl ModifierStack {
    /// Rebinds bones and curves by name after the model was replaced. A modifier that lost a bone does nothing until a model
    /// has the bone again.
    pub fn rebind(&mut self, definition: &Definition) {
        let curves = definition.clips.curve_names();
        for modifier in &mut self.modifiers {
            if let Some(by) = &mut modifier.weight.weight_curve {
                // A missing curve counts as 0, as for a clip without it.
                let index = curves.iter().position(|curve| *curve == by.name);
                by.index = index.unwrap_or(usize::MAX);
            }
            match &mut modifier.kind {
                ModifierKind::FootIk(standing) => {
                    let rig = definition.legs();
                    modifier.inactive_reason = rig.as_ref().err().cloned();
                    standing.rig = rig.ok();
                    standing.foot_ik.reset();
                }
                ModifierKind::IdleMotion(living) => {
                    let rig = definition.idle_motion_rig();
                    modifier.inactive_reason = rig.as_ref().err().cloned();
                    living.rig = rig.ok();
                }
                ModifierKind::LookAt(looking) => {
                    modifier.inactive_reason = looking.rebind(definition).err();
                }
                ModifierKind::AimAt(aiming) => {
                    modifier.inactive_reason = aiming.rebind(definition).err()
                }
                ModifierKind::ChainIk(chaining) => {
                    modifier.inactive_reason = chaining.rebind(definition).err()
                }
                ModifierKind::Lean(leaning) => {
                    let carriage = definition.hip_spine_rig();
                    modifier.inactive_reason = carriage.as_ref().err().cloned();
                    leaning.rig = carriage.ok();
                }
                ModifierKind::OrientationWarp(strafing) => {
                    let carriage = definition.hip_spine_rig();
                    modifier.inactive_reason = carriage.as_ref().err().cloned();
                    strafing.rig = carriage.ok();
                }
                ModifierKind::Reach(reaching) => {
                    modifier.inactive_reason = reaching.rebind(definition).err();
                }
                ModifierKind::Sit(sitting) => {
                    modifier.inactive_reason = sitting.rebind(definition).err()
                }
                ModifierKind::Grip(gripping) => {
                    modifier.inactive_reason = gripping.rebind(definition).err()
                }
                ModifierKind::Face(facing) => {
                    modifier.inactive_reason = facing.rebind(definition).err()
                }
                ModifierKind::HelperBones(helping) => {
                    modifier.inactive_reason = helping.rebind(definition)
                }
                ModifierKind::Script(_) => {}
            }
        }
    }

    /// Rebinds the bones of targets on a character by name after its model was replaced. If the bone no longer exists, the
    /// target becomes the character's origin.
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

/// Returns true for modifiers that run after the body has moved to help the hands.
fn runs_after_help(modifier: &Modifier) -> bool {
    matches!(
        modifier.kind,
        ModifierKind::AimAt(_)
            | ModifierKind::LookAt(_)
            | ModifierKind::ChainIk(_)
            | ModifierKind::Reach(_)
    )
}

impl ModifierStack {
    /// Returns the index in the stack at which the body helps the hands: before any modifier that aims, looks or reaches.
    pub(super) fn help_index(&self) -> Option<usize> {
        let helps =
            |m: &Modifier| matches!(&m.kind, ModifierKind::Reach(r) if r.full_body_state.is_some());
        if !self.modifiers.iter().any(helps) {
            return None;
        }
        self.modifiers.iter().position(runs_after_help)
    }
}
