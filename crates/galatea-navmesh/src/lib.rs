//! Navigation meshes: bake walkable polygons from level geometry and find paths over them.
//!
//! [`Baked::new`] turns the triangles of a level ([`GroundTriangles`]) into a height field, as Recast does. [`Baked::mesh`]
//! adds obstacles ([`NavVolume`]) and returns a [`NavMesh`] of convex polygons. Adding obstacles again is much faster than
//! baking again. [`Route::find`] finds the cheapest path between two [`NavPoint`]s, and [`Route::corners`] the points where
//! it turns. A [`FlowField`] (a flow field) holds the cheapest paths from everywhere to one goal, for crowds.
//! [`NavMesh::add_link`] adds ladders and jumps, [`NavMesh::set_door`] opens and closes doors.
//!
//! ```
//! use galatea_navmesh::{BakeOptions, Baked, GroundTriangles, NavVolume, Route, VolumeEffect};
//! use glam::{Vec2, Vec3};
//!
//! // A floor of 20 × 20 m; a wall along z = 0 leaves a gap at its right end.
//! let corner = |x: f32, z: f32| Vec3::new(x, 0.0, z);
//! let floor = GroundTriangles {
//!     vertices: vec![corner(-10.0, -10.0), corner(-10.0, 10.0), corner(10.0, 10.0), corner(10.0, -10.0)],
//!     triangles: vec![[0, 1, 2], [0, 2, 3]],
//!     ..GroundTriangles::default()
//! };
//! let wall = NavVolume {
//!     around: [(-10.0, -0.2), (7.0, -0.2), (7.0, 0.2), (-10.0, 0.2)].map(Vec2::from).to_vec(),
//!     heights: [0.0, 2.0],
//!     effect: VolumeEffect::Obstacle,
//! };
//! let mesh = Baked::new(&floor, &BakeOptions::default())?.mesh(&[wall], &[])?;
//!
//! let from = mesh.nearest(Vec3::new(-5.0, 0.0, -4.0), 0.5).unwrap();
//! let goal = mesh.nearest(Vec3::new(-5.0, 0.0, 4.0), 0.5).unwrap();
//! let route = Route::find(&mesh, from, goal).unwrap();
//! let corners = route.corners(&mesh, from.at);
//! assert!(corners[0].at.x > 7.0, "the path turns around the end of the wall");
//! assert!(route.length(&mesh, from.at) > 20.0, "8 m in a straight line");
//! # Ok::<(), galatea_navmesh::BakeError>(())
//! ```
//!
//! # Dependencies
//!
//! Depends on `galatea-math`, and is the only crate that uses rerecast (a port of Recast, by M. Mononen). Input and output
//! are plain data; the crate knows no clock, no physics bodies and no agents. The same input gives the same bits. A panic
//! inside rerecast becomes a [`BakeError`].

mod along;
mod bake;
mod carving;
mod doors;
mod funnel;
mod ground;
mod mesh;
mod search;
#[cfg(test)]
mod tests;

pub use bake::{BakeError, BakeOptions, Baked};
pub use funnel::{Corner, next_corner};
pub use ground::{GroundTriangles, MAX_AREAS, NavVolume, VolumeEffect};
pub use mesh::{NavLink, NavMesh, NavPoint};
pub use search::{FlowField, PreferredEdge, Route};
