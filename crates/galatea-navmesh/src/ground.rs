//! Level geometry from which a mesh is baked.

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// Number of areas with their own cost.
pub const MAX_AREAS: usize = 62;
/// Area of doors.
pub(super) const DOOR: u8 = MAX_AREAS as u8 + 1;

/// Triangles of a level, in world space.
///
/// Closed surfaces are solid: floors inside them are not walkable. A surface is closed if triangles of both directions share
/// each of its sides. Triangles of different bodies never share sides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroundTriangles {
    /// Positions, metres.
    pub vertices: Vec<Vec3>,
    /// Corners, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Area of each triangle, below [`MAX_AREAS`]; 0 if missing.
    #[serde(with = "galatea_persist::bytes")]
    pub areas: Vec<u8>,
    /// Body of each triangle, any number; 0 if missing.
    pub bodies: Vec<u32>,
}

/// A vertical prism with a convex base.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NavVolume {
    /// Corners of the base, x and z, metres; at least 3.
    pub around: Vec<Vec2>,
    /// Lower and upper end, metres.
    pub heights: [f32; 2],
    /// Effect on the floors inside.
    pub effect: VolumeEffect,
}

/// Effect of a [`NavVolume`] on the floors inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VolumeEffect {
    /// The floors are not walkable.
    Obstacle,
    /// The floors have this area, below [`MAX_AREAS`].
    Area(u8),
    /// The floors are a door, which [`NavMesh::set_door`](super::NavMesh::set_door) opens and closes. Doors are numbered in
    /// the order of their volumes.
    Door,
}
