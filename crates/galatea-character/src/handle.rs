//! Names of characters and of other things on a stage.

/// Names a thing in an arena. A place in the arena is used again under a new generation, so that a handle to something
/// gone finds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle {
    index: u32,
    generation: u32,
}

impl Handle {
    /// The handle of a place in an arena and its generation.
    pub fn new(index: u32, generation: u32) -> Self {
        Self { index, generation }
    }

    /// Index of the place in its arena.
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// Generation of the place.
    pub fn generation(self) -> u32 {
        self.generation
    }

    /// A number that is different for every handle ever given out by an arena.
    pub fn to_u64(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.index)
    }

    /// The handle of a number that [`Handle::to_u64`] gave.
    pub fn from_u64(number: u64) -> Self {
        Self {
            index: number as u32,
            generation: (number >> 32) as u32,
        }
    }
}
