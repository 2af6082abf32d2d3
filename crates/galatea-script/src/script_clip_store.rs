//! Limit of the memory used by clips that scripts created. These clips are stored outside of the VM, so its memory
//! limit does not count them.

use std::sync::{Arc, Weak};

use galatea_character::{Definition, MadeClip};

/// Maximum number of keys in all clips of scripts and in all models prepared with them. A key takes about 100 bytes.
pub const MAX_KEYS: usize = 2_000_000;

/// Script-made clips, and models prepared with them, that may still be in use.
#[derive(Default)]
pub(super) struct ScriptClipStore {
    clips: Vec<(Weak<MadeClip>, usize)>,
    definitions: Vec<(Weak<Definition>, usize)>,
    /// Number of keys in all entries, including entries no longer in use.
    n_keys: usize,
}

impl ScriptClipStore {
    /// Returns true if `n` more keys are within the limit.
    pub fn has_room(&mut self, n: usize) -> bool {
        if self.n_keys + n > MAX_KEYS {
            self.clips.retain(|(clip, _)| clip.strong_count() > 0);
            self.definitions.retain(|(with, _)| with.strong_count() > 0);
            let clips = self.clips.iter().map(|(_, n)| n);
            let definitions = self.definitions.iter().map(|(_, n)| n);
            self.n_keys = clips.chain(definitions).sum();
        }
        self.n_keys + n <= MAX_KEYS
    }

    /// Adds a clip with `n` keys.
    pub fn add_clip(&mut self, clip: &Arc<MadeClip>, n: usize) {
        self.clips.push((Arc::downgrade(clip), n));
        self.n_keys += n;
    }

    /// Adds the model `with` a clip of `n` keys that was prepared from the model `without` it.
    pub fn add_definition(&mut self, without: &Arc<Definition>, with: &Arc<Definition>, n: usize) {
        let base = Arc::downgrade(without);
        let known = self
            .definitions
            .iter()
            .rfind(|(known, _)| known.ptr_eq(&base));
        let n = known.map_or(0, |(_, n)| *n) + n;
        self.definitions.push((Arc::downgrade(with), n));
        self.n_keys += n;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_without_references_make_room() {
        let mut ledger = ScriptClipStore::default();
        let clip = || Arc::new(MadeClip::default());
        let held = clip();
        ledger.add_clip(&held, MAX_KEYS / 2);
        ledger.add_clip(&clip(), MAX_KEYS / 2);
        assert!(ledger.has_room(MAX_KEYS / 2));
        ledger.add_clip(&clip(), 1);
        drop(held);
        assert!(ledger.has_room(MAX_KEYS));
        assert!(!ledger.has_room(MAX_KEYS + 1));
    }
}
