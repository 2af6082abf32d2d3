//! Memory limits for unpacked data of a file and for the scene built from it.

use std::cell::Cell;

/// Limits of a file's unpacked size, bytes: a base, and an addition per byte of the file.
const UNPACKED_BYTES: usize = 64 << 20;
const UNPACKED_BYTES_PER_BYTE: usize = 20;
/// Limits of a scene's size, bytes: a base, and an addition per byte of the file.
const SCENE_BYTES: usize = 40 << 20;
const SCENE_BYTES_PER_BYTE: usize = 16;

/// Limit of the unpacked size of a file of this size, bytes.
pub fn unpacked_limit(file_bytes: usize) -> usize {
    UNPACKED_BYTES.saturating_add(file_bytes.saturating_mul(UNPACKED_BYTES_PER_BYTE))
}

/// Remaining memory for the scene of a file.
pub struct ImportBudget {
    left: Cell<usize>,
    whole: usize,
}

impl ImportBudget {
    /// The whole budget for a file of this size.
    pub fn of_file(file_bytes: usize) -> Self {
        let whole = SCENE_BYTES.saturating_add(file_bytes.saturating_mul(SCENE_BYTES_PER_BYTE));
        Self {
            left: Cell::new(whole),
            whole,
        }
    }

    /// Checks that this many bytes are left.
    ///
    /// # Errors
    /// If fewer bytes are left.
    pub fn fits(&self, bytes: usize) -> Result<(), String> {
        if bytes <= self.left.get() {
            return Ok(());
        }
        Err(format!(
            "its meshes and clips need more than {} MB, the limit for a file of this size",
            self.whole >> 20
        ))
    }

    /// Subtracts bytes.
    ///
    /// # Errors
    /// If fewer bytes are left.
    pub fn take(&self, bytes: usize) -> Result<(), String> {
        self.fits(bytes)?;
        self.left.set(self.left.get() - bytes);
        Ok(())
    }
}
