//! Particles that are seen: dust, drops, sparks, breath; how they are given off, move, land and look over their lives.
//!
//! Callers: `stage`, which says where emitters are and what particles fly against; `forge`, which has the kinds;
//! `script`. It must never know a GPU, a model or the world of bodies. Time comes in fixed ticks; the same input gives
//! the same bits.

pub mod kinds;
mod motion;
mod options;
#[cfg(test)]
mod tests;

pub use motion::{Emitter, EmitterInput, Landing, Origin, Sprite, Surface};
pub use options::{
    Curve, EmitterOptions, Lands, MOST_CELLS, MOST_OF_ONE, Picture, PictureError, Play, Shape,
};
