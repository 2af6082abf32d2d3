//! Marks on skin, cloth and armour: which triangles a hit touches, how they lie flat around it, and pictures that are
//! stamped over a material's own (chapter 14 of the book).
//!
//! Callers: `character`, which keeps the marks of one character. Invariants: plain data in and out, no clock, no GPU; the
//! same mark gives the same bytes.

pub mod chart;
pub mod kinds;
mod layer;
mod reader;
pub mod stamp;
pub mod surface;
#[cfg(test)]
mod test_shapes;
mod tile;

pub use chart::{Origin, lay_flat, lay_planar};
pub use layer::Layer;
pub use reader::Look;
pub use stamp::{Spot, Stamp};
pub use surface::{Flood, Surface};
pub use tile::{LEVELS, TILE, Tile, halved};
