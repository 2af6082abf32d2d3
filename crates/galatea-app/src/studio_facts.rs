//! Facts that the studio shows, and its actions, as data.

use crate::character_history::StageHistory;
use crate::debug_facts::{DebugAction, DebugFacts};
use crate::past_position::{PastMove, PastPosition};
use crate::profile::Profiler;
use crate::recorded_test::RecordedTest;
use crate::run_diff::RunLog;
use crate::script_edits::ScriptEdits;
use galatea_character::Character;
use galatea_machine::{SourceLocation, TransitionExplanation};
use galatea_stage::{Handle, Stage};

/// Facts that the studio shows.
pub struct StudioFacts<'a> {
    /// The displayed stage: the present one or, while the past is displayed, a copy.
    pub stage: &'a Stage,
    /// The selected character.
    pub selected: Option<Handle>,
    /// For each layer of the selected character's machine, the transitions out of its current state; or the reason why they
    /// cannot be explained.
    pub transitions: Result<Vec<Vec<TransitionExplanation>>, String>,
    /// Record of the characters in the recorded past.
    pub history: Option<&'a StageHistory>,
    /// Readings of meters in the recorded past.
    pub log: Option<&'a RunLog>,
    /// First and last recorded tick of unscaled time.
    pub recorded: Option<[u64; 2]>,
    /// The past, while it is displayed.
    pub past: Option<PastPosition>,
    /// Path of the main script, relative to the project.
    pub main_script: &'a str,
    /// Values in the scripts, and their changes.
    pub edits: &'a ScriptEdits,
    /// The profiler, if it was started.
    pub profiler: Option<&'a Profiler>,
    /// The debugger of the scripts, if they can be debugged.
    pub debugging: Option<&'a DebugFacts>,
}

/// Finds a character by the name that the studio shows.
pub(crate) fn shown_character(stage: &Stage, name: &str) -> Option<Handle> {
    let mut all = stage.characters.iter();
    all.find_map(|(handle, character)| (character.shown_name() == name).then_some(handle))
}

impl<'a> StudioFacts<'a> {
    /// The selected character, if there is one.
    pub fn selected_character(&self) -> Option<(Handle, &'a Character)> {
        let handle = self.selected?;
        Some((handle, self.stage.characters.get(handle)?))
    }

    /// Reason why there is no record of the past.
    pub fn why_not_recorded(&self) -> &'static str {
        match self.debugging {
            Some(debugging) if debugging.stop.is_some() => "A script is stopped.",
            _ => "The past is not recorded. Start with `galatea play --rewind 300`.",
        }
    }
}

/// An action of a user in the studio.
#[derive(Clone, Debug, PartialEq)]
pub enum StudioAction {
    /// Selects a character by its name; `None` selects nothing.
    Select(Option<String>),
    /// Evaluates a line of Lua, which is recorded with the input like a line of the console.
    Run(String),
    /// Opens a file of the project in the editor.
    OpenSource(SourceLocation),
    /// Displays the past at a tick of unscaled time.
    ShowTick(u64),
    /// Moves in the displayed past.
    MoveInPast(PastMove),
    /// Plays the displayed past forwards (1) or backwards (-1), or stops it.
    PlayPast(i64),
    /// Continues the game from the displayed moment.
    ContinueFromPast,
    /// Returns to the present.
    ReturnToPresent,
    /// Replaces a literal of a script. The scripts run with it at once; the file is unchanged until the values are applied.
    SetLiteral {
        /// Path of the script, relative to the project.
        file: String,
        /// Position of the literal in the file, bytes.
        start: usize,
        /// The new literal.
        text: String,
    },
    /// Writes the changed values into the scripts.
    ApplyValues,
    /// Takes back the changes of values that are not written yet.
    DiscardValues,
    /// Takes back, in the files, the values that were applied last.
    UndoValues,
    /// Applies again the values that were taken back last.
    RedoValues,
    /// Ends a conflict of a changed value with a change of the file.
    ResolveConflict {
        /// Path of the script, relative to the project.
        file: String,
        /// Index of the conflict in [`EditedScript::conflicts`](crate::script_edits::EditedScript::conflicts).
        index: usize,
        /// The change of the studio is made again; otherwise the file stays as it is.
        keeps_mine: bool,
    },
    /// Starts the profiler without the frames before, or stops it.
    Profile(bool),
    /// Writes the recorded frames of the profiler to a JSON file in the folder `out` of the project.
    ExportProfile,
    /// Does something in the debugger.
    Debug(DebugAction),
    /// Writes a Lua test from a range of the recorded past.
    RecordTest(RecordedTest),
    /// Writes the record of a character to a JSON file in the folder `out` of the project.
    ExportTimeline {
        /// Name of the character.
        character: String,
        /// First and last tick; `None` for the whole recorded past.
        range: Option<[u64; 2]>,
    },
}
