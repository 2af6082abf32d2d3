//! Handles of characters and other objects on a stage.

use serde::{Deserialize, Serialize};

/// Handle of an object in an arena. A reused slot gets a new generation, so a handle to a removed object finds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Handle {
    index: u32,
    generation: u32,
}

impl Handle {
    /// Creates a handle from a slot index and its generation.
    pub fn new(index: u32, generation: u32) -> Self {
        Self { index, generation }
    }

    /// Returns the index of the slot in its arena.
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// Returns the generation of the slot.
    pub fn generation(self) -> u32 {
        self.generation
    }

    /// Returns a number that is unique among all handles of an arena.
    pub fn to_u64(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.index)
    }

    /// Restores a handle from a number returned by [`Handle::to_u64`].
    pub fn from_u64(number: u64) -> Self {
        Self {
            index: number as u32,
            generation: (number >> 32) as u32,
        }
    }
}
