//! Makes our own first character and its sounds from code: a distance field becomes a skin, gait
//! rules become clips, resonators and noise become footsteps.
//!
//! Callers: `commands` (writes the files) and tests. Invariants: imports `anim`, `asset::model`
//! and `math` only; no files, no GPU, no Lua, no clock; the same code gives the same bytes.

pub mod body;
pub mod character;
pub mod clips;
pub mod cut;
pub mod eyes;
pub mod face;
pub mod glb;
pub mod head;
pub mod paint;
pub mod pictures;
pub mod rig;
pub mod sdf;
pub mod shapes;
pub mod simplify;
pub mod sounds;
pub mod surface;
pub mod things;
pub mod weights;

/// A character that was made here; it has the same form as a loaded one.
pub type Forged = crate::asset::Model;

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::LazyLock;

    use super::{Forged, character};

    /// One figure for all tests that only look at it.
    pub fn shared() -> &'static Forged {
        static FIGURE: LazyLock<Forged> = LazyLock::new(character::galatea);
        &FIGURE
    }
}
