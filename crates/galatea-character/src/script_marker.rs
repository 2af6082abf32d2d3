//! A mark that a script adds to a clip of one character.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use galatea_anim::{ClipSet, Marker, Markers, TooManyIntervals};

/// Maximum number of marks that scripts may add to the clips of one character.
pub const MAX_SCRIPT_MARKERS: usize = 1024;

/// A mark added by the script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScriptMarker {
    /// Id for scripts; unique on the stage.
    pub id: u64,
    /// Name of the clip.
    pub clip: String,
    /// The mark.
    pub marker: Marker,
    /// The mark is on the clip; false while the model has no such clip or the clip has no room for it.
    pub is_on: bool,
}

impl ScriptMarker {
    /// Puts the mark on its clip, if the clip exists and has room. The marks of the file have priority.
    pub fn put_on(&mut self, clips: &ClipSet, marks: &mut [Arc<Markers>]) {
        let clip = clips.find(&self.clip).and_then(|clip| marks.get_mut(clip));
        let added = clip.map(|marks| Arc::make_mut(marks).insert(self.marker.clone()));
        self.is_on = matches!(added, Some(Ok(Some(_))));
    }
}

/// Reason why a mark was not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptMarkerError {
    /// The clip has the maximum number of intervals.
    #[error(transparent)]
    Intervals(#[from] TooManyIntervals),
    /// The script has the maximum number of marks.
    #[error(
        "scripts can add at most {MAX_SCRIPT_MARKERS} markers to the clips of a character; remove some"
    )]
    TooManyMarkers,
    /// The time is NaN or outside the clip, or the clip does not exist.
    #[error("the time is outside the clip, or the clip does not exist")]
    InvalidTime,
}
