//! Files and text that scripts write.

use super::Library;

impl Library {
    /// Prevents scripts from writing files; names and images are still checked.
    pub fn write_nothing(&self) {
        self.pictures.write_nothing();
        self.saves.use_memory();
    }

    /// While `held`, saved games and pictures of scripts are not written, without an error.
    pub fn hold_writes(&self, held: bool) {
        self.pictures.hold(held);
        self.saves.hold(held);
    }

    /// While `held`, script output is discarded.
    pub fn hold_prints(&self, held: bool) {
        self.output.hold(held);
    }

    /// Discards script output from now on.
    pub fn mute(&self) {
        self.output.mute();
    }
}
