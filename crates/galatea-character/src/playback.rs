//! Playback of one character: its state machine, the clips played on top, their marks, and the ledger.

use std::cell::RefCell;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::action::{Action, Additive};
use super::definition::Definition;
use super::made_clip::MadeClip;
use super::playing::Playing;
use super::script_marker::ScriptMarker;
use super::turns::clip_or_state;
use galatea_anim::{
    ClipPlay, ClipSet, Delta, EventLog, Markers, OneClip, Playhead, Pose, add, blend,
};
use galatea_machine::{Clips, Machine, MachineScratch, MachineState, NotAlone, SoloClip, evaluate};

/// Scratch buffers for the poses of actions.
#[derive(Clone, Debug, Default)]
struct ActionScratch {
    pose: Pose,
    reference: Pose,
    flipped: Pose,
    delta: Delta,
}

thread_local! {
    /// Scratch buffers for intermediate poses. One per thread, not per character, so that they stay in the CPU cache.
    static SCRATCH: RefCell<(MachineScratch, ActionScratch)> = RefCell::default();
}

/// The state machine and the clips of a character, with their marks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Playback {
    /// State machine and its state, if the script defined one.
    #[serde(with = "galatea_persist::shared")]
    pub machine: Option<(Arc<Machine>, MachineState)>,
    /// Playhead of the idle clip, which plays without a machine.
    pub idle: Playhead,
    /// True if a crowd drives the character: `driven` replaces the idle clip, unless there is a machine. Without clips the
    /// character is in its rest pose, like the other agents of the crowd.
    pub is_driven: bool,
    /// Clips of a driven character.
    pub driven: Vec<ClipPlay>,
    /// Clips played on top of the machine, oldest first.
    pub actions: Vec<Action>,
    /// Marks of each clip: those of the file and of the script.
    #[serde(with = "galatea_persist::shared")]
    pub markers: Vec<Arc<Markers>>,
    /// Marks added by the script, needed to add them again after a reload of the model.
    pub script_markers: Vec<ScriptMarker>,
    /// Clips that the script added only to this character; the definition holds the bound clips.
    #[serde(with = "galatea_persist::shared")]
    pub own_clips: Vec<Arc<MadeClip>>,
    /// Log of emitted marks; off by default.
    pub event_log: EventLog,
}

impl Playback {
    /// Creates the playback with the idle clip at its start and the marks of the file.
    pub fn new(definition: &Definition) -> Self {
        Self {
            machine: None,
            idle: Playhead::default(),
            is_driven: false,
            driven: Vec::new(),
            actions: Vec::new(),
            markers: definition.markers.clone(),
            script_markers: Vec::new(),
            own_clips: Vec::new(),
            event_log: EventLog::default(),
        }
    }

    /// Returns the machine and the playing clips. `definition` is the character's.
    pub fn playing<'a>(&'a self, definition: &'a Definition) -> Playing<'a> {
        Playing {
            definition,
            machine: self.machine(),
            idle: &self.idle,
            actions: &self.actions,
        }
    }

    /// Returns the machine with its state.
    pub fn machine(&self) -> Option<(&Machine, &MachineState)> {
        let machine = self.machine.as_ref();
        machine.map(|(machine, state)| (&**machine, state))
    }

    /// Returns the clips with their marks. `definition` is the character's.
    pub fn clips<'a>(&'a self, definition: &'a Definition) -> Clips<'a> {
        Clips {
            set: &definition.clips,
            markers: &self.markers,
        }
    }

    /// Finds a clip by name, or the clip of the state with this name. `definition` is the character's.
    ///
    /// # Errors
    /// Returns an error if there is neither, or if the state plays more than a single clip.
    pub fn clip_or_state(&self, definition: &Definition, name: &str) -> Result<SoloClip, NotAlone> {
        clip_or_state(&definition.clips, self.machine(), name)
    }

    /// Evaluates the machine and the actions on top of it into `pose`. Does not advance time; `dt` is the length of the
    /// current tick in seconds.
    pub fn evaluate(&mut self, definition: &Definition, dt: f64, pose: &mut Pose) {
        SCRATCH.with_borrow_mut(|(scratch, overlay)| {
            self.evaluate_below(definition, dt, scratch, pose);
            let clips = &definition.clips;
            for action in &self.actions {
                overlay.apply(clips, action, pose);
            }
        });
    }

    /// Evaluates the pose below the actions.
    fn evaluate_below(
        &mut self,
        definition: &Definition,
        dt: f64,
        scratch: &mut MachineScratch,
        pose: &mut Pose,
    ) {
        let clips = &definition.clips;
        match (&mut self.machine, definition.idle) {
            (Some((machine, state)), _) => {
                evaluate(machine, clips, state, dt, scratch, pose);
            }
            (None, _) if self.is_driven => {
                pose.copy_from(clips.rest());
                if !self.driven.is_empty() {
                    clips.sample(&self.driven, pose);
                }
            }
            (None, Some(idle)) => {
                let t = self.idle.clip_time(clips.duration(idle));
                clips.sample_one(idle, t, pose);
            }
            (None, None) => {
                pose.copy_from(clips.rest());
                if let Some(standing) = definition.standing() {
                    pose.locals.copy_from_slice(standing);
                }
            }
        }
    }
}

impl ActionScratch {
    /// Blends or adds an action on top of a pose.
    fn apply(&mut self, clips: &ClipSet, action: &Action, below: &mut Pose) {
        let duration = clips.duration(action.clip);
        let t = action.head.clip_time(duration);
        let weight = action.weight(duration);
        let mask = action.options.mask.as_deref();
        let one = OneClip {
            clip: action.clip,
            t,
            mirrored: action.options.mirror,
            in_place: action.options.in_place,
        };
        let Self {
            pose,
            reference,
            flipped,
            delta,
        } = self;
        let Some(from) = action.options.additive else {
            clips.sample_over(one, below, flipped, pose);
            blend(below, pose, weight, mask);
            return;
        };
        clips.sample_mirrored(one, flipped, pose);
        match from {
            Additive::First => {
                let first = OneClip { t: 0.0, ..one };
                clips.sample_mirrored(first, flipped, reference);
            }
            Additive::Rest => reference.copy_from(clips.rest()),
        }
        delta.subtract(pose, reference);
        add(below, delta, weight, mask);
    }
}
