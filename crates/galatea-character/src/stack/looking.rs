//! Looking: at one thing, at whichever of several draws it most, or about.

use std::sync::Arc;

use glam::Vec3;

use super::goal::{Goal, GoalPosition};
use crate::definition::Definition;
use crate::look_morphs::LookMorphs;
use galatea_rig::Posed;
use galatea_rig::gaze::{
    Attention, AttentionOptions, Candidate, Gaze, GazeInput, GazeOptions, GazeRig, GazeTarget,
    GazeTiming,
};
use galatea_rig::look_at::GazeKind;

/// Things that one character may look at by turns.
pub const MOST_THINGS: usize = 32;

/// Half the cone in which one who talks looks at another, and outside of which it lets go, degrees: people who walk side
/// by side talk too.
const TALK_CONE: [f32; 2] = [95.0, 110.0];

/// Something to look at.
#[derive(Clone, Copy, Debug)]
pub struct Thing {
    /// What.
    pub goal: Goal,
    /// How much it draws the look; 1 is usual.
    pub interest: f32,
    /// Metres: the eyes go about on it.
    pub radius: f32,
    /// Where it is in this tick.
    pub place: Option<GoalPosition>,
}

/// A character that looks.
#[derive(Clone, Debug)]
pub struct Looking {
    /// Head, neck, eyes; none when the skeleton has no head.
    pub rig: Option<Arc<GazeRig>>,
    /// How it looks.
    pub gaze: Gaze,
    /// What there is to look at: one thing, or several that it chooses from; nothing has it look about.
    pub things: Vec<Thing>,
    /// What it looks at for so many seconds, whatever else there is.
    pub glance: Option<(Thing, f32)>,
    /// What a conversation has it look at in place of those things, and how.
    pub talk: Option<(Thing, GazeTiming)>,
    /// It looks for a conversation alone: it is let go with that.
    pub of_talk: bool,
    /// Whom of several it looks at.
    pub attention: Attention,
    /// A script holds the lids: no blink.
    pub holds_lids: bool,
    /// How far eyes and head go.
    reach: LookReach,
    /// Morph targets for looks and lids.
    morphs: Arc<LookMorphs>,
    /// Looks are shown by morph targets.
    by_morphs: bool,
    /// Memory.
    candidates: Vec<Candidate>,
}

/// How far eyes and head go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookReach {
    /// 0..=1: share of their range that the eyes have.
    pub eyes: f32,
    /// 0..=1: the same of the head.
    pub head: f32,
    /// Range of the eyes to the side, up and down, radians; what is not given is the file's or that of a human.
    pub eye_range: [Option<f32>; 3],
}

impl Looking {
    /// A character that looks about, and what its skeleton lacks for that.
    pub fn new(definition: &Definition, gaze: Gaze, reach: LookReach) -> (Self, Option<String>) {
        let mut looking = Self {
            rig: None,
            gaze,
            things: Vec::new(),
            glance: None,
            talk: None,
            of_talk: false,
            attention: Attention::default(),
            holds_lids: false,
            reach,
            morphs: Arc::default(),
            by_morphs: false,
            candidates: Vec::new(),
        };
        let missing = looking.rebind(definition).err();
        (looking, missing)
    }

    /// Its looks are shown by morph targets.
    pub fn shows_by_morphs(&self) -> bool {
        self.by_morphs
    }

    /// Finds its bones and morph targets in a model.
    pub(super) fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        self.morphs = definition.look_morphs();
        self.rig = None;
        let mut found = definition.gaze_rig()?;
        let rig = Arc::make_mut(&mut found);
        self.by_morphs = self.morphs.look();
        rig.show_by(self.morphs.maps());
        let has_bones = rig.eyes.iter().any(Option::is_some);
        // Eyeballs are turned once.
        self.by_morphs &= !has_bones || self.morphs.from_file || self.morphs.ends[0].is_none();
        if let Some(look) = &definition.model.look_at {
            rig.follow(look, self.by_morphs);
            self.by_morphs &= look.kind == GazeKind::Expression || !has_bones;
        }
        if has_bones && !self.by_morphs && rig.bone_maps.is_none() {
            rig.eye_range = definition.visible_eye_range(rig);
        }
        // Eyes may be morphs only.
        rig.has_eyes |= self.by_morphs;
        let LookReach {
            eyes,
            head,
            eye_range,
        } = self.reach;
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

    /// Looks, from where the eyes are in this pose. `turned`: radians about +Y by which the character turned.
    pub(super) fn advance(
        &mut self,
        posed: &mut Posed<'_>,
        place_of: impl Fn(&GoalPosition, &Posed<'_>) -> Vec3,
        turned: f32,
        weight: f32,
        dt: f32,
    ) {
        let Some(rig) = self.rig.clone() else {
            return;
        };
        let target = self.target(&rig, posed, place_of, dt);
        let input = GazeInput {
            dt,
            target,
            turned,
            hold_lids: self.holds_lids,
        };
        let own = self.gaze.options;
        if let Some((_, manner)) = &self.talk {
            let is_marked = self.glance.is_some();
            self.gaze.options = GazeOptions {
                manner: if is_marked {
                    GazeTiming::STEADY
                } else {
                    *manner
                },
                accept: own.accept.max(TALK_CONE[0].to_radians()),
                leave: own.leave.max(TALK_CONE[1].to_radians()),
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
        place_of: impl Fn(&GoalPosition, &Posed<'_>) -> Vec3,
        dt: f32,
    ) -> Option<GazeTarget> {
        if let Some((thing, left)) = &mut self.glance {
            *left -= dt;
            let found = thing.place.as_ref().map(|place| GazeTarget {
                place: place_of(place, posed),
                radius: thing.radius,
            });
            if *left <= 0.0 {
                self.glance = None;
            }
            if found.is_some() {
                return found;
            }
        }
        if let Some((thing, _)) = &self.talk
            && let Some(place) = &thing.place
        {
            return Some(GazeTarget {
                place: place_of(place, posed),
                radius: thing.radius,
            });
        }
        let Self {
            things,
            candidates,
            attention,
            ..
        } = self;
        candidates.clear();
        for (id, thing) in (0..).zip(things.iter()) {
            let Some(place) = &thing.place else { continue };
            candidates.push(Candidate {
                id,
                place: place_of(place, posed),
                interest: thing.interest,
                radius: thing.radius,
            });
        }
        if things.len() <= 1 {
            return candidates.first().map(|one| GazeTarget {
                place: one.place,
                radius: one.radius,
            });
        }
        let eye = rig.middle(posed);
        let ahead = rig.model_from_character * Vec3::Z;
        let chosen = attention.choose(&AttentionOptions::default(), candidates, eye, ahead, dt)?;
        let found = candidates.iter().find(|one| one.id == chosen.id)?;
        Some(GazeTarget {
            place: found.place,
            radius: found.radius,
        })
    }

    /// Writes looks into morph weights, but for those that `is_held` by a script.
    pub(super) fn write_looks(
        &self,
        morphs: &mut [f32],
        is_held: impl Fn(usize) -> bool,
        weight: f32,
    ) {
        let Some(rig) = self.rig.as_ref().filter(|_| self.by_morphs) else {
            return;
        };
        let look = self.gaze.look(rig);
        let values = [look.left, look.right, look.up, look.down];
        for (indices, value) in self.morphs.looks.iter().zip(values) {
            for &(i, most) in indices.iter().filter(|(i, _)| !is_held(*i)) {
                if let Some(slot) = morphs.get_mut(i) {
                    *slot += (value * most - *slot) * weight;
                }
            }
        }
    }

    /// How far the lids are closed, 0 to 1, and how far it looks to the left, the right, up and down.
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
        let look = self.gaze.look(rig);
        let looks = [look.left, look.right, look.up, look.down];
        (lids, looks.map(|value| value * weight))
    }

    /// Closes the lids of one that has no face for it, but for those that `is_held` by a script.
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
