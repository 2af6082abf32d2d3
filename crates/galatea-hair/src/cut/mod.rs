//! Haircuts: where roots stand on a head and how strands are combed from there.
//!
//! Callers: `script`. Data flow: a [`Skin`] at rest and the eyes give a [`Scalp`]; a [`Cut`] says which area, how long
//! and which way; [`Scalp::grow`] gives guides and the skin under them. Invariants: a seed gives the same guides every
//! time, and none of them goes into the skin.

mod close;
mod comb;
mod cuts;
mod scalp;
mod skin;
#[cfg(test)]
mod tests;

pub use comb::{Cap, Grown};
pub use cuts::{CUT_NAMES, CUTS, Cut};
pub use scalp::{Area, Root, Scalp, ScalpError};
pub use skin::Skin;
