//! A mark that a script adds to a clip of one character.

use std::sync::Arc;

use galatea_anim::{ClipSet, Mark, Marks, TooManyIntervals};

/// Marks that scripts may have on the clips of one character.
pub const MOST_SCRIPT_MARKS: usize = 1024;

/// A mark that the script added.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptMark {
    /// Names it to the script; unique on the stage.
    pub id: u64,
    /// Name of its clip.
    pub clip: String,
    /// The mark.
    pub mark: Mark,
    /// It is on the clip; false while the model has no such clip or no room for it there.
    pub is_on: bool,
}

impl ScriptMark {
    /// Puts it on its clip, if that is there and has room: one interval too many is one that the file
    /// brought.
    pub fn put_on(&mut self, clips: &ClipSet, marks: &mut [Arc<Marks>]) {
        let clip = clips.find(&self.clip).and_then(|clip| marks.get_mut(clip));
        let added = clip.map(|marks| Arc::make_mut(marks).insert(self.mark.clone()));
        self.is_on = matches!(added, Some(Ok(Some(_))));
    }
}

/// Why a mark was not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MarkRefused {
    /// The clip has as many intervals as it may have.
    #[error(transparent)]
    Intervals(#[from] TooManyIntervals),
    /// The script has as many marks as it may have.
    #[error(
        "a script may put {MOST_SCRIPT_MARKS} marks on the clips of a character; take some off"
    )]
    Marks,
    /// Its time is no number, or there is no such clip.
    #[error("there is no such place on the clip")]
    Place,
}
