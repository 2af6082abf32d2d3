//! Decals on skinned surfaces: wounds, dirt, dents and paint, stamped into texture layers over a material.
//!
//! A [`Surface`] joins the triangles of a mesh. [`Surface::flood`] finds those that a hit touches, and [`unfold`]
//! unfolds them around the hit. A [`Stamp`] is a decal with a [`DecalMaterial`] placed on a [`DecalLayer`]: tiles of
//! colour, relief and roughness that lie over a material.
//! Any number of decals cost nothing more to draw. [`kinds`] has built-in decals such as blood, mud and soot.
//!
//! ```
//! use galatea_asset::model::{Mesh, Primitive};
//! use galatea_decal::{
//!     ChartOrigin, DecalLayer, DecalMaterial, Flood, Stamp, StampTriangle, Surface, kinds::DecalKind, unfold,
//! };
//! use glam::{Vec2, Vec3};
//!
//! // A square metre of floor, whose texture covers it once.
//! let uv = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)].map(Vec2::from);
//! let quad = Primitive {
//!     positions: uv.map(|uv| Vec3::new(uv.x - 0.5, 0.0, uv.y - 0.5)).to_vec(),
//!     indices: vec![0, 1, 2, 0, 2, 3],
//!     ..Primitive::default()
//! };
//! let surface = Surface::of(&Mesh { primitives: vec![quad], ..Mesh::default() });
//!
//! // A hit in the centre.
//! let hit = ChartOrigin { triangle: 0, at: Vec3::ZERO, normal: Vec3::Y, up: Vec3::NEG_Z, roll: 0.0 };
//! let triangles = surface.flood(hit.triangle, hit.at, 0.1, &mut Flood::default());
//! let flat = unfold(&surface, &triangles, &hit);
//! let spot = |(i, on): (&u32, &[Vec2; 3])| {
//!     let corners = surface.triangles[*i as usize];
//!     StampTriangle { uv: corners.map(|corner| uv[corner as usize]), on: *on, hand: 1.0 }
//! };
//! let spots: Vec<StampTriangle> = triangles.iter().zip(&flat).map(spot).collect();
//!
//! // A bloodstain of 20 cm.
//! let blood = DecalKind::find("blood").unwrap();
//! let (color, relief) = blood.pictures();
//! let look = DecalMaterial {
//!     color,
//!     tint: Vec3::ONE,
//!     opacity: 1.0,
//!     roughness: blood.roughness,
//!     depth: blood.depth,
//!     height_map: Some(relief),
//! };
//! let mut layer = DecalLayer::new(256);
//! let stamp = Stamp::new(&look, 0.2, &spots, layer.side());
//! layer.put(&stamp, 1.0, |_tile| true);
//! let alpha = |x, y| layer.texel(x, y)[0][3];
//! assert!(alpha(128, 128) > 200 && alpha(10, 10) == 0);
//! ```
//!
//! # Dependencies
//!
//! Depends on `galatea-asset` (meshes, images) and `galatea-math`. Plain data in and out; knows no clock and no GPU: the same decal
//! gives the same bytes. `galatea-character` keeps the decals of one character.

pub mod chart;
pub mod kinds;
mod layer;
mod reader;
pub mod stamp;
pub mod surface;
#[cfg(test)]
mod test_shapes;
mod tile;

pub use chart::{ChartOrigin, project_planar, unfold};
pub use layer::DecalLayer;
pub use reader::DecalMaterial;
pub use stamp::{Stamp, StampTriangle};
pub use surface::{Flood, Surface};
pub use tile::{LEVELS, TILE, Tile, halved};
