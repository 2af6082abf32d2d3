//! Memory limits for unpacked data of a file and for the scene built from it.

use std::cell::Cell;

/// Bytes that every file may unpack to, and bytes more for each of its own.
const UNPACKED: usize = 64 << 20;
const UNPACKED_PER_BYTE: usize = 20;
/// Bytes that every scene may take, and bytes more for each of the file.
const MADE: usize = 40 << 20;
const MADE_PER_BYTE: usize = 16;

/// Bytes that a file of this size may unpack to.
pub fn unpacked_limit(file_bytes: usize) -> usize {
    UNPACKED.saturating_add(file_bytes.saturating_mul(UNPACKED_PER_BYTE))
}

/// Bytes that the scene of a file may still take.
pub struct ImportBudget {
    left: Cell<usize>,
    whole: usize,
}

impl ImportBudget {
    /// The whole budget of a file of this size.
    pub fn of_file(file_bytes: usize) -> Self {
        let whole = MADE.saturating_add(file_bytes.saturating_mul(MADE_PER_BYTE));
        Self {
            left: Cell::new(whole),
            whole,
        }
    }

    /// Checks that so many bytes are left.
    ///
    /// # Errors
    /// Fewer bytes are left.
    pub fn fits(&self, bytes: usize) -> Result<(), String> {
        if bytes <= self.left.get() {
            return Ok(());
        }
        Err(format!(
            "its meshes and takes need more than {} MB, too much for so small a file",
            self.whole >> 20
        ))
    }

    /// Takes bytes.
    ///
    /// # Errors
    /// Fewer bytes are left.
    pub fn take(&self, bytes: usize) -> Result<(), String> {
        self.fits(bytes)?;
        self.left.set(self.left.get() - bytes);
        Ok(())
    }
}
