//! Haircuts: where roots stand on a head and how strands are combed from there.
//!
//! Callers: `script`. Data flow: a [`RestSkin`] at rest and the eyes give a [`Scalp`]; a [`HairCut`] says which area, how long
//! and which way; [`Scalp::grow`] gives guides and the skin under them. Invariants: a seed gives the same guides every
//! time, and none of them goes into the skin.

mod close;
mod comb;
mod cuts;
mod measure;
mod pieces;
mod rays;
mod scalp;
mod skin;
#[cfg(test)]
mod tests;

pub use comb::{Cap, Grown};
pub use cuts::{CUT_NAMES, CUTS, HairCut};
pub use scalp::{HairArea, Root, Scalp, ScalpError};
pub use skin::{RestSkin, SkinRole};
