//! Deformed vertices, the output of skinning and morphing.

use glam::{Vec3, Vec4};

/// Deformed vertices of one primitive, model space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deformed {
    /// Positions, metres.
    pub positions: Vec<Vec3>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
    /// Unit tangents with w = ±1; empty if the primitive has none.
    pub tangents: Vec<Vec4>,
}
