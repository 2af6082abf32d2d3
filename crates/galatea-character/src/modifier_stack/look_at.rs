//! Gaze: at one target, at the most interesting of several, or around.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::goal::{Goal, GoalPosition};
use crate::definition::Definition;
use crate::look_morphs::LookMorphs;
use galatea_rig::Posed;
use galatea_rig::gaze::{
    Attention, AttentionOptions, Candidate, Gaze, GazeInput, GazeOptions, GazeRig, GazeTarget,
    GazeTiming,
};
use galatea_rig::look_at::GazeKind;

/// Maximum number of gaze targets of one character.
pub const MAX_LOOK_TARGETS: usize = 32;

/// Half angle of the cone in which a speaker looks at the other person, and the larger one outside of which it stops,
/// degrees. The cone is wide because people also talk while they walk side by side.
const TALK_CONE: [f32; 2] = [95.0, 110.0];

/// A possible gaze target.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct LookTarget {
    /// Target.
    pub goal: Goal,
    /// Attraction for the gaze; 1 is usual.
    pub interest: f32,
    /// Radius within which the eyes wander on the target, metres.
    pub radius: f32,
    /// Position in this tick.
    pub position: Option<GoalPosition>,
}

/// Gaze modifier of a character.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LookAtModifier {
    /// Head, neck and eyes; `None` when the skeleton has no head.
    #[serde(with = "galatea_persist::shared")]
    pub rig: Option<Arc<GazeRig>>,
    /// Gaze settings and state.
    pub gaze: Gaze,
    /// Possible targets: one, or several to choose from; without targets the gaze wanders.
    pub targets: Vec<LookTarget>,
    /// Target with absolute priority, and the remaining time, seconds.
    pub glance: Option<(LookTarget, f32)>,
    /// Target set by a conversation, which replaces `things`, and the timing of the gaze.
    pub conversation_target: Option<(LookTarget, GazeTiming)>,
    /// The modifier exists only for a conversation and is removed after it.
    pub is_from_conversation: bool,
    /// Choice among several targets.
    pub attention: Attention,
    /// A script controls the eyelids, so the gaze does not blink.
    pub holds_lids: bool,
    /// Range of eyes and head.
    range: LookReach,
    /// Morph targets for gaze and eyelids.
    #[serde(with = "galatea_persist::shared")]
    morphs: Arc<LookMorphs>,
    /// Morph targets move the eyes.
    by_morphs: bool,
    /// Scratch buffer.
    candidates: Vec<Candidate>,
}

/// Range of eyes and head for the gaze.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LookReach {
    /// Fraction of the eyes' range, 0..=1.
    pub eyes: f32,
    /// Fraction of the head's range, 0..=1.
    pub head: f32,
    /// Range of the eyes sideways, up and down, radians; `None` uses the file's range or that of a human.
    pub eye_range: [Option<f32>; 3],
}

impl LookAtModifier {
    /// Creates a gaze without targets. Also returns a message that says what the skeleton lacks.
    pub fn new(definition: &Definition, gaze: Gaze, reach: LookReach) -> (Self, Option<String>) {
        let mut looking = Self {
            rig: None,
            gaze,
            targets: Vec::new(),
            glance: None,
            conversation_target: None,
            is_from_conversation: false,
            attention: Attention::default(),
            holds_lids: false,
            range: reach,
            morphs: Arc::default(),
            by_morphs: false,
            candidates: Vec::new(),
        };
        let missing = looking.rebind(definition).err();
        (looking, missing)
    }

    /// Returns true when morph targets move the eyes.
    pub fn shows_by_morphs(&self) -> bool {
        self.by_morphs
    }

    /// Rebinds to the bones and morph targets of a model.
    pub(super) fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        self.morphs = definition.look_morphs();
        self.rig = None;
        let mut found = definition.gaze_rig()?;
        let rig = Arc::make_mut(&mut found);
        self.by_morphs = self.morphs.has_sideways();
        rig.show_by(self.morphs.maps());
        let has_bones = rig.eyes.iter().any(Option::is_some);
        // Prevents rotating the eyeballs twice, by bones and by morph targets.
        self.by_morphs &= !has_bones || self.morphs.from_file || self.morphs.ends[0].is_none();
        if let Some(look) = &definition.model.look_at {
            rig.follow(look, self.by_morphs);
            self.by_morphs &= look.kind == GazeKind::Expression || !has_bones;
        }
        if has_bones && !self.by_morphs && rig.bone_maps.is_none() {
            rig.eye_range = definition.visible_eye_range(rig);
        }
        // The eyes may consist of morph targets only.
        rig.has_eyes |= self.by_morphs;
        let LookReach {
            eyes,
            head,
            eye_range,
        } = self.range;
        rig.set_eye_range(eye_range);
        rig.has_eyes &= eyes > 0.0;
        for angle in rig.eye_range.parts_mut() {
            *angle *= eyes;
        }
        let range = &mut rig.head_range;
        for angle in [&mut range.yaw, &mut range.up, &mut range.down] {
            *angle *= head;
        }
        self.rig = Some(found);
        Ok(())
    }

    /// Advances the gaze from the current eye position. `turned`: rotation of the character about +Y, radians.
    pub(super) fn advance(
        &mut self,
        posed: &mut Posed<'_>,
        position_of: impl Fn(&GoalPosition, &Posed<'_>) -> Vec3,
        turned: f32,
        weight: f32,
        dt: f32,
    ) {
        let Some(rig) = self.rig.clone() else {
            return;
        };
        let target = self.target(&rig, posed, position_of, dt);
        let input = GazeInput {
            dt,
            target,
            turned,
            hold_lids: self.holds_lids,
        };
        let own = self.gaze.options;
        if let Some((_, manner)) = &self.conversation_target {
            let is_marked = self.glance.is_some();
            self.gaze.options = GazeOptions {
                gaze_mode: if is_marked {
                    GazeTiming::STEADY
                } else {
                    *manner
                },
                accept_angle: own.accept_angle.max(TALK_CONE[0].to_radians()),
                release_angle: own.release_angle.max(TALK_CONE[1].to_radians()),
                ..own
            };
        }
        self.gaze.advance(&rig, posed, &input);
        self.gaze.options = own;
        self.gaze.apply(posed, &rig, weight);
    }

    fn target(
        &mut self,
        rig: &GazeRig,
        posed: &Posed<'_>,
        position_of: impl Fn(&GoalPosition, &Posed<'_>) -> Vec3,
        dt: f32,
    ) -> Option<GazeTarget> {
        if let Some((thing, left)) = &mut self.glance {
            *left -= dt;
            let found = thing.position.as_ref().map(|place| GazeTarget {
                position: position_of(place, posed),
                radius: thing.radius,
            });
            if *left <= 0.0 {
                self.glance = None;
            }
            if found.is_some() {
                return found;
            }
        }
        if let Some((thing, _)) = &self.conversation_target
            && let Some(place) = &thing.position
        {
            return Some(GazeTarget {
                position: position_of(place, posed),
                radius: thing.radius,
            });
        }
        let Self {
            targets: things,
            candidates,
            attention,
            ..
        } = self;
        candidates.clear();
        for (id, thing) in (0..).zip(things.iter()) {
            let Some(place) = &thing.position else {
                continue;
            };
            candidates.push(Candidate {
                id,
                position: position_of(place, posed),
                interest: thing.interest,
                radius: thing.radius,
            });
        }
        if things.len() <= 1 {
            return candidates.first().map(|one| GazeTarget {
                position: one.position,
                radius: one.radius,
            });
        }
        let eye = rig.middle(posed);
        let forward = rig.model_from_character * Vec3::Z;
        let chosen =
            attention.choose(&AttentionOptions::default(), candidates, eye, forward, dt)?;
        let found = candidates.iter().find(|one| one.id == chosen.id)?;
        Some(GazeTarget {
            position: found.position,
            radius: found.radius,
        })
    }

    /// Writes the gaze morph targets, except those for which `is_held` returns true.
    pub(super) fn write_looks(
        &self,
        morphs: &mut [f32],
        is_held: impl Fn(usize) -> bool,
        weight: f32,
    ) {
        let Some(rig) = self.rig.as_ref().filter(|_| self.by_morphs) else {
            return;
        };
        let look = self.gaze.morph_weights(rig);
        let values = [look.left, look.right, look.up, look.down];
        for (indices, value) in self.morphs.looks.iter().zip(values) {
            for &(i, full) in indices.iter().filter(|(i, _)| !is_held(*i)) {
                if let Some(slot) = morphs.get_mut(i) {
                    *slot += (value * full - *slot) * weight;
                }
            }
        }
    }

    /// Returns the eyelid closure, 0..=1, and the gaze deflection to the left, right, up and down.
    pub(super) fn sight(&self, weight: f32) -> (f32, [f32; 4]) {
        let Some(rig) = &self.rig else {
            return Default::default();
        };
        let follow = if self.morphs.have_lids && self.by_morphs {
            0.0
        } else {
            self.gaze.lids_follow(rig)
        };
        let lids = (self.gaze.lids() + follow).clamp(0.0, 1.0) * weight;
        let look = self.gaze.morph_weights(rig);
        let looks = [look.left, look.right, look.up, look.down];
        (lids, looks.map(|value| value * weight))
    }

    /// Closes the eyelids of a character without a face rig, except morphs for which `is_held` returns true.
    pub(super) fn write_lids(
        &self,
        morphs: &mut [f32],
        is_held: impl Fn(usize) -> bool,
        lids: f32,
    ) {
        for &i in self.morphs.blink.iter().filter(|i| !is_held(**i)) {
            if let Some(slot) = morphs.get_mut(i) {
                *slot = slot.max(lids);
            }
        }
    }
}
