//! Mesh deformation on the CPU: morph targets, linear blend and dual quaternion skinning, matrix palettes and bounds.
//!
//! [`build_palette`] turns the bone matrices of a posed model into skinning matrices; [`PaletteLayout`] stores where those
//! of each part begin. A [`Deformer`] applies morph targets and skinning to one primitive. [`part_bounds`] bounds posed
//! parts for culling, [`trace()`] casts a ray at a posed model, and [`partition_skin`] splits a mesh for GPUs with small
//! palettes. The renderer does the same on the GPU; this crate is its reference.
//!
//! ```
//! use galatea_asset::model::{Influences, Primitive};
//! use galatea_asset::skinning::Skinning;
//! use galatea_deform::{Deformed, Deformer};
//! use glam::{Affine3A, Vec3};
//! use std::f32::consts::PI;
//!
//! // A vertex on a forearm, 10 cm from the bone's axis. Two bones share it; the second is twisted by nearly 180°.
//! let skin = Primitive {
//!     positions: vec![Vec3::X * 0.1],
//!     normals: vec![Vec3::X],
//!     influences: Influences {
//!         per_vertex: 4,
//!         joints: vec![0, 1, 0, 0],
//!         weights: vec![0.5, 0.5, 0.0, 0.0],
//!     },
//!     ..Primitive::default()
//! };
//! let palette = [Affine3A::IDENTITY, Affine3A::from_rotation_y(PI - 0.01)];
//! let mut deformer = Deformer::default();
//! let mut radius = |skinning| {
//!     let mut out = Deformed::default();
//!     deformer.deform(&skin, &[], &palette, skinning, &mut out);
//!     out.positions[0].length()
//! };
//! assert!(radius(Skinning::Linear) < 0.001, "the skin collapses (candy wrapper)");
//! assert!(radius(Skinning::DualQuaternion) > 0.099, "the volume is kept");
//! ```
//!
//! # Dependencies
//!
//! Depends on `galatea-asset` (meshes) and `galatea-math`. Input and output are plain data; the crate uses no GPU, no Lua,
//! no files and no clock. `plain` is the reference implementation, `kernels` the same with SIMD.

mod bake;
mod bounds;
mod deformed;
mod dual;
mod kernels;
mod packed;
mod palette;
mod partition;
mod plain;
mod ribbon;
mod rows;
mod skin;
mod trace;
mod vertex;
mod wide;

pub use bake::bake;
pub use bounds::{PartBounds, part_bounds};
pub use deformed::Deformed;
pub use dual::RigidStretch;
pub use palette::{PaletteLayout, build_palette};
pub use partition::{Partition, SkinSubset, part_of, partition_skin};
pub use ribbon::Eye;
pub use skin::Deformer;
pub use trace::{PosedModel, TriangleHit, trace};
pub use vertex::posed_vertex;
