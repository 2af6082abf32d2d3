//! Haircuts: root positions on a head, and combing of strands.
//!
//! Used by `script`. A [`RestSkin`] and the eyes give a [`Scalp`]. A [`HairCut`] sets area, length and combing direction.
//! [`Scalp::grow`] returns guides and the cap below them. A seed gives the same guides every time, and no guide enters the
//! skin.

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
