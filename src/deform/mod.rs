//! Morph and skin on the CPU: the reference for the GPU, for tests, picking and baking.
//!
//! Callers: `character` (palettes, bounds), tests, benchmarks. Invariants: plain data in, plain
//! data out.

mod bounds;
mod palette;
mod skin;

pub use bounds::{PartBounds, part_bounds};
pub use palette::{PaletteLayout, build_palette};
pub use skin::{Deformed, deform};
