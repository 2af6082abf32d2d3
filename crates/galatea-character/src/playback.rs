//! Playback of one character: its machine, the clips played over it, their marks, and the ledger.

use std::sync::Arc;

use super::action::Action;
use super::definition::Definition;
use super::made_clip::MadeClip;
use super::script_mark::ScriptMark;
use galatea_anim::{ClipPlay, Ledger, Marks, Playhead};
use galatea_machine::{Machine, MachineState};

/// The machine and the clips of a character, with the marks that they pass.
#[derive(Clone, Debug)]
pub struct Playback {
    /// Its machine and the state of that, if the script gave one.
    pub machine: Option<(Arc<Machine>, MachineState)>,
    /// Playhead of its idle clip, which plays without a machine.
    pub idle: Playhead,
    /// Clips that make its pose in place of the idle clip, without a machine, while a crowd drives it.
    pub driven: Vec<ClipPlay>,
    /// Clips played over the machine, oldest first.
    pub actions: Vec<Action>,
    /// Marks of each clip: the file's and the script's.
    pub marks: Vec<Arc<Marks>>,
    /// Marks that the script added, in order to add them again after the model is reloaded.
    pub script_marks: Vec<ScriptMark>,
    /// Clips that the script added to this character alone; the definition holds them, bound.
    pub own_clips: Vec<Arc<MadeClip>>,
    /// Log of the marks that were passed; off by default.
    pub ledger: Ledger,
}

impl Playback {
    /// The idle clip at its start, with the marks of the file.
    pub fn new(definition: &Definition) -> Self {
        Self {
            machine: None,
            idle: Playhead::default(),
            driven: Vec::new(),
            actions: Vec::new(),
            marks: definition.marks.clone(),
            script_marks: Vec::new(),
            own_clips: Vec::new(),
            ledger: Ledger::default(),
        }
    }
}
