//! Morph and skin on the CPU: the reference for the GPU, for tests, picking and baking.
//!
//! Callers: `stage` (palettes), tests, benchmarks. Invariants: plain data in, plain data out.

mod palette;
mod skin;

pub use palette::{PaletteLayout, build_palette};
pub use skin::{Deformed, deform};
