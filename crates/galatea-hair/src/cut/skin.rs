//! The skin of a head, as hair sees it.

use glam::Vec3;

/// Skin at rest; a head's own space: metres, +X its left, +Y up, +Z ahead.
#[derive(Clone, Debug, Default)]
pub struct RestSkin {
    /// Corners.
    pub positions: Vec<Vec3>,
    /// Unit, outwards, one for each.
    pub normals: Vec<Vec3>,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
    /// Whether the head, or what hangs on it, carries most of a triangle; one for each.
    pub is_head: Vec<bool>,
}
