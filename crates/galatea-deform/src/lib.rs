//! Morph and skin on the CPU, palettes, and meshes cut to small palettes.
//!
//! Callers: `character` (palettes, bounds), `render` (the same shapes on the GPU), tests, benchmarks.
//! `plain` is the reference; `kernels` the same in vector registers. Invariants: plain data in, plain
//! data out; all unsafe code of the room is in `kernels`, `wide` and the one call in `packed`.

mod bake;
mod bounds;
mod deformed;
mod dual;
#[cfg(target_arch = "x86_64")]
mod kernels;
#[cfg(target_arch = "x86_64")]
mod packed;
mod palette;
mod partition;
mod plain;
mod ribbon;
mod skin;
mod trace;
mod vertex;
#[cfg(target_arch = "x86_64")]
mod wide;

pub use bake::bake;
pub use bounds::{PartBounds, part_bounds};
pub use deformed::Deformed;
pub use dual::RigidStretch;
pub use palette::{PaletteLayout, build_palette};
pub use partition::{Partition, SkinSubset, part_of, partition_skin};
pub use ribbon::Eye;
pub use skin::Deformer;
pub use trace::{Posed, Traced, trace};
pub use vertex::posed_vertex;
