//! Adds a script's marks to the clips of a character, and resolves the names behind crossed marks.

use std::collections::HashMap;
use std::sync::Arc;

use super::definition::Definition;
use super::playback::Playback;
use super::script_marker::{MAX_SCRIPT_MARKERS, ScriptMarker, ScriptMarkerError};
use galatea_anim::{CrossingNames, CrossingSource, EventLogEntry, Marker, Named};

impl Playback {
    /// Adds a mark to a clip and returns its index among the clip's marks. The caller must update running playback and
    /// events already emitted.
    ///
    /// # Errors
    /// Returns an error when the clip has the maximum number of intervals or the script the maximum number of marks.
    pub fn add_marker(
        &mut self,
        definition: &Definition,
        clip: usize,
        mark: Marker,
        id: u64,
    ) -> Result<usize, ScriptMarkerError> {
        if self.script_markers.len() >= MAX_SCRIPT_MARKERS {
            return Err(ScriptMarkerError::TooManyMarkers);
        }
        let marks = self
            .markers
            .get_mut(clip)
            .ok_or(ScriptMarkerError::InvalidTime)?;
        let at = Arc::make_mut(marks).insert(mark.clone())?;
        let at = at.ok_or(ScriptMarkerError::InvalidTime)?;
        self.script_markers.push(ScriptMarker {
            id,
            clip: definition.clips.clip_name(clip).to_owned(),
            marker: mark,
            is_on: true,
        });
        Ok(at)
    }

    /// Returns clip and index of a script's mark, while it is on a clip.
    pub fn find_marker(&self, definition: &Definition, id: u64) -> Option<(usize, usize)> {
        let known = self.script_markers.iter().find(|known| known.id == id)?;
        if !known.is_on {
            return None;
        }
        let clip = definition.clips.find(&known.clip)?;
        let marks = self.markers.get(clip)?;
        // If several marks are identical, any of them will do.
        let at = marks.iter().position(|mark| *mark == known.marker)?;
        Some((clip, at))
    }

    /// Returns the current names for a crossing.
    pub fn marker_names<'a>(
        &'a self,
        definition: &'a Definition,
        clip: usize,
        mark: usize,
        source: CrossingSource,
    ) -> Named<'a> {
        let place = match source {
            CrossingSource::Machine { layer, state, .. } => {
                self.state_names(layer.into(), state.into())
            }
            CrossingSource::Play(_) | CrossingSource::Idle => None,
        };
        Named {
            marker: self.markers.get(clip).and_then(|marks| marks.get(mark)),
            clip: definition.clips.clip_name(clip),
            state: place,
            ..Named::default()
        }
    }

    /// Returns the names of a layer and a state of the machine.
    pub fn state_names(&self, layer: usize, state: usize) -> Option<(&str, &str)> {
        let (machine, _) = self.machine.as_ref()?;
        let name = machine.layer_names().nth(layer).unwrap_or_default();
        Some((name, machine.state_name(layer, state)))
    }

    /// Returns the names for an entry of the ledger.
    pub fn entry_names<'a>(
        &'a self,
        definition: &'a Definition,
        entry: &'a EventLogEntry,
    ) -> Named<'a> {
        match &entry.names {
            Some(names) => names.named(),
            None => {
                let (clip, mark) = (entry.clip as usize, entry.marker as usize);
                self.marker_names(definition, clip, mark, entry.source)
            }
        }
    }

    /// Stores names in the ledger entries selected by `which`, before their indices become invalid.
    pub fn keep_names(&mut self, definition: &Definition, which: impl Fn(&EventLogEntry) -> bool) {
        let mut ledger = std::mem::take(&mut self.event_log);
        let mut known: HashMap<(u32, u32, CrossingSource), Arc<CrossingNames>> = HashMap::new();
        ledger.name(|entry| {
            if !which(entry) {
                return None;
            }
            let key = (entry.clip, entry.marker, entry.source);
            let names = known.entry(key);
            let names =
                names.or_insert_with(|| Arc::new(self.entry_names(definition, entry).kept()));
            Some(names.clone())
        });
        self.event_log = ledger;
    }
}
