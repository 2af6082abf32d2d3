//! Ways over a level: where somebody can walk, and how to get from one place to another (CR-12).
//!
//! Callers: `stage`. Invariants: plain data in and out; no clock, no bodies, no people; the same input gives the same
//! bits. `rerecast` (Recast, M. Mononen) finds where one can walk and is named here alone.

mod along;
mod bake;
mod funnel;
mod mesh;
mod search;
#[cfg(test)]
mod tests;

pub use bake::{BakeError, BakeOptions, Baked, Block, Ground};
pub use funnel::{Corner, next_corner};
pub use mesh::{Link, MOST_AREAS, NavMesh, Spot};
pub use search::{Field, Route};
