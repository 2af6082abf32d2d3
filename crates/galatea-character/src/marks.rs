//! Adds marks of a script to the clips of a character, and names what crossed marks speak of.

use std::collections::HashMap;
use std::sync::Arc;

use super::instance::Character;
use super::script_mark::{MOST_SCRIPT_MARKS, MarkRefused, ScriptMark};
use galatea_anim::{Entry, Mark, Named, Names, Source};

impl Character {
    /// Adds a mark to a clip by index, and tells its place among the clip's marks. What plays,
    /// and what was told, is for the stage to put right.
    ///
    /// # Errors
    /// When the clip has as many intervals as it may have, or the script as many marks.
    pub fn add_mark(&mut self, clip: usize, mark: Mark, id: u64) -> Result<usize, MarkRefused> {
        if self.playback.script_marks.len() >= MOST_SCRIPT_MARKS {
            return Err(MarkRefused::Marks);
        }
        let marks = self
            .playback
            .marks
            .get_mut(clip)
            .ok_or(MarkRefused::Place)?;
        let at = Arc::make_mut(marks).insert(mark.clone())?;
        let at = at.ok_or(MarkRefused::Place)?;
        self.playback.script_marks.push(ScriptMark {
            id,
            clip: self.definition.clips.clip_name(clip).to_owned(),
            mark,
            is_on: true,
        });
        Ok(at)
    }

    /// Clip and place of a script's mark, while it is on one.
    pub fn find_mark(&self, id: u64) -> Option<(usize, usize)> {
        let known = self
            .playback
            .script_marks
            .iter()
            .find(|known| known.id == id)?;
        if !known.is_on {
            return None;
        }
        let clip = self.definition.clips.find(&known.clip)?;
        let marks = self.playback.marks.get(clip)?;
        // Of several that are the same one is as good as another.
        let at = marks.iter().position(|mark| *mark == known.mark)?;
        Some((clip, at))
    }

    /// The names of what a crossing speaks of now.
    pub fn mark_names(&self, clip: usize, mark: usize, source: Source) -> Named<'_> {
        let place = match source {
            Source::Machine { layer, state, .. } => self.place_names(layer.into(), state.into()),
            Source::Play(_) | Source::Idle => None,
        };
        Named {
            mark: self
                .playback
                .marks
                .get(clip)
                .and_then(|marks| marks.get(mark)),
            clip: self.definition.clips.clip_name(clip),
            place,
            ..Named::default()
        }
    }

    /// Names of a layer and a state of the machine.
    pub fn place_names(&self, layer: usize, state: usize) -> Option<(&str, &str)> {
        let (machine, _) = self.playback.machine.as_ref()?;
        let name = machine.layer_names().nth(layer).unwrap_or_default();
        Some((name, machine.state_name(layer, state)))
    }

    /// What an entry of the ledger speaks of.
    pub fn entry_names<'a>(&'a self, entry: &'a Entry) -> Named<'a> {
        match &entry.names {
            Some(names) => names.named(),
            None => self.mark_names(entry.clip as usize, entry.mark as usize, entry.source),
        }
    }

    /// Gives those entries of the ledger their names for good whose numbers are about to mean something
    /// else.
    pub fn keep_names(&mut self, which: impl Fn(&Entry) -> bool) {
        let mut ledger = std::mem::take(&mut self.playback.ledger);
        let mut known: HashMap<(u32, u32, Source), Arc<Names>> = HashMap::new();
        ledger.name(|entry| {
            if !which(entry) {
                return None;
            }
            let key = (entry.clip, entry.mark, entry.source);
            let names = known.entry(key);
            let names = names.or_insert_with(|| Arc::new(self.entry_names(entry).kept()));
            Some(names.clone())
        });
        self.playback.ledger = ledger;
    }
}
