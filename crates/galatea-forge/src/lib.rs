//! Makes characters and sounds from code: cages are drawn onto distance fields and become meshes, gait rules become
//! clips, resonators and noise become footsteps. The mannequin of tests and benchmarks is one field.
//!
//! Callers: `script` (recipes), `commands` (writes the files) and tests. Invariants: imports `anim`, `asset::model`,
//! `emitter` and `math` only; no files, no GPU, no Lua, no clock; the same code gives the same bytes.

pub mod bake;
pub mod body;
pub mod cage;
pub mod charts;
pub mod clips;
pub mod contour;
pub mod cut;
pub mod eye_shape;
pub mod eyes;
pub mod face;
pub mod field;
pub mod glb;
pub mod head;
pub mod layers;
pub mod lighten;
pub mod mannequin;
pub mod maps;
pub mod motion;
pub mod occlusion;
pub mod paint;
pub mod pictures;
pub mod pieces;
pub mod rig;
pub mod sdf;
pub mod shapes;
pub mod sheet;
pub mod simplify;
pub mod skinning;
pub mod solve;
pub mod sounds;
pub mod surface;
pub mod texels;
pub mod things;
pub mod unwrap;
pub mod weights;
pub mod wrinkles;

/// A character that was made here; it has the same form as a loaded one.
pub type Forged = galatea_asset::Model;

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::LazyLock;

    use super::{Forged, mannequin};

    /// One figure for all tests that only look at it.
    pub fn shared() -> &'static Forged {
        static FIGURE: LazyLock<Forged> = LazyLock::new(mannequin::mannequin);
        &FIGURE
    }
}
