//! Morph and skin on the CPU: the reference for the GPU, for tests, picking and baking.
//!
//! Callers: `stage` (palettes), tests, benchmarks. Invariants: plain data in, plain data out.

mod palette;

pub use palette::{PaletteLayout, build_palette};
