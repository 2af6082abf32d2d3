//! Deformed vertices, the output of skinning and morphing.

use glam::{Vec3, Vec4};

/// Deformed vertices of one primitive, model space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deformed {
    /// Metres.
    pub positions: Vec<Vec3>,
    /// Unit length.
    pub normals: Vec<Vec3>,
    /// Unit xyz, w = ±1; empty where the primitive has none.
    pub tangents: Vec<Vec4>,
}
