//! Adds a script's marks to the clips of a character, and resolves the names behind crossed marks.

use std::collections::HashMap;
use std::sync::Arc;

use super::definition::Definition;
use super::playback::Playback;
use super::script_mark::{MAX_SCRIPT_MARKS, MarkRefused, ScriptMark};
use galatea_anim::{CrossingNames, CrossingSource, LedgerEntry, Mark, Named};

impl Playback {
    /// Adds a mark to a clip and returns its index among the clip's marks. The caller must update running playback and
    /// events already emitted.
    ///
    /// # Errors
    /// Returns an error when the clip has the maximum number of intervals or the script the maximum number of marks.
    pub fn add_mark(
        &mut self,
        definition: &Definition,
        clip: usize,
        mark: Mark,
        id: u64,
    ) -> Result<usize, MarkRefused> {
        if self.script_marks.len() >= MAX_SCRIPT_MARKS {
            return Err(MarkRefused::Marks);
        }
        let marks = self.marks.get_mut(clip).ok_or(MarkRefused::Place)?;
        let at = Arc::make_mut(marks).insert(mark.clone())?;
        let at = at.ok_or(MarkRefused::Place)?;
        self.script_marks.push(ScriptMark {
            id,
            clip: definition.clips.clip_name(clip).to_owned(),
            mark,
            is_on: true,
        });
        Ok(at)
    }

    /// Returns clip and index of a script's mark, while it is on a clip.
    pub fn find_mark(&self, definition: &Definition, id: u64) -> Option<(usize, usize)> {
        let known = self.script_marks.iter().find(|known| known.id == id)?;
        if !known.is_on {
            return None;
        }
        let clip = definition.clips.find(&known.clip)?;
        let marks = self.marks.get(clip)?;
        // If several marks are identical, any of them will do.
        let at = marks.iter().position(|mark| *mark == known.mark)?;
        Some((clip, at))
    }

    /// Returns the current names for a crossing.
    pub fn mark_names<'a>(
        &'a self,
        definition: &'a Definition,
        clip: usize,
        mark: usize,
        source: CrossingSource,
    ) -> Named<'a> {
        let place = match source {
            CrossingSource::Machine { layer, state, .. } => {
                self.place_names(layer.into(), state.into())
            }
            CrossingSource::Play(_) | CrossingSource::Idle => None,
        };
        Named {
            mark: self.marks.get(clip).and_then(|marks| marks.get(mark)),
            clip: definition.clips.clip_name(clip),
            place,
            ..Named::default()
        }
    }

    /// Returns the names of a layer and a state of the machine.
    pub fn place_names(&self, layer: usize, state: usize) -> Option<(&str, &str)> {
        let (machine, _) = self.machine.as_ref()?;
        let name = machine.layer_names().nth(layer).unwrap_or_default();
        Some((name, machine.state_name(layer, state)))
    }

    /// Returns the names for an entry of the ledger.
    pub fn entry_names<'a>(
        &'a self,
        definition: &'a Definition,
        entry: &'a LedgerEntry,
    ) -> Named<'a> {
        match &entry.names {
            Some(names) => names.named(),
            None => {
                let (clip, mark) = (entry.clip as usize, entry.mark as usize);
                self.mark_names(definition, clip, mark, entry.source)
            }
        }
    }

    /// Stores names in the ledger entries selected by `which`, before their indices become invalid.
    pub fn keep_names(&mut self, definition: &Definition, which: impl Fn(&LedgerEntry) -> bool) {
        let mut ledger = std::mem::take(&mut self.ledger);
        let mut known: HashMap<(u32, u32, CrossingSource), Arc<CrossingNames>> = HashMap::new();
        ledger.name(|entry| {
            if !which(entry) {
                return None;
            }
            let key = (entry.clip, entry.mark, entry.source);
            let names = known.entry(key);
            let names =
                names.or_insert_with(|| Arc::new(self.entry_names(definition, entry).kept()));
            Some(names.clone())
        });
        self.ledger = ledger;
    }
}
