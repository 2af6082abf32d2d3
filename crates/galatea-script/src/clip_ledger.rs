//! The memory of clips that scripts made. It lies outside of the VM, whose own limit does not see it.

use std::sync::{Arc, Weak};

use galatea_character::{Definition, MadeClip};

/// Keys of all clips that scripts made, and of all models that were prepared with them. A key takes about 100 bytes.
pub const MOST_KEYS: usize = 2_000_000;

/// Clips and models with clips that are still held by somebody.
#[derive(Default)]
pub(super) struct ClipLedger {
    clips: Vec<(Weak<MadeClip>, usize)>,
    definitions: Vec<(Weak<Definition>, usize)>,
    /// Keys of all that are listed, held or not.
    n_keys: usize,
}

impl ClipLedger {
    /// Whether there is room for so many keys more.
    pub fn has_room(&mut self, n: usize) -> bool {
        if self.n_keys + n > MOST_KEYS {
            self.clips.retain(|(clip, _)| clip.strong_count() > 0);
            self.definitions.retain(|(with, _)| with.strong_count() > 0);
            let clips = self.clips.iter().map(|(_, n)| n);
            let definitions = self.definitions.iter().map(|(_, n)| n);
            self.n_keys = clips.chain(definitions).sum();
        }
        self.n_keys + n <= MOST_KEYS
    }

    /// Notes a clip of so many keys.
    pub fn add_clip(&mut self, clip: &Arc<MadeClip>, n: usize) {
        self.clips.push((Arc::downgrade(clip), n));
        self.n_keys += n;
    }

    /// Notes a model that was prepared with a clip of so many keys, in place of the one `without` it.
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
    fn clips_that_nobody_holds_make_room() {
        let mut ledger = ClipLedger::default();
        let clip = || Arc::new(MadeClip::default());
        let held = clip();
        ledger.add_clip(&held, MOST_KEYS / 2);
        ledger.add_clip(&clip(), MOST_KEYS / 2);
        assert!(ledger.has_room(MOST_KEYS / 2));
        ledger.add_clip(&clip(), 1);
        drop(held);
        assert!(ledger.has_room(MOST_KEYS));
        assert!(!ledger.has_room(MOST_KEYS + 1));
    }
}
