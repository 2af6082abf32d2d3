//! The skin of a head, as input for hair growth.

use glam::Vec3;

/// Role of a triangle near a head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkinRole {
    /// Skin: hair may grow on it and stays outside of it.
    #[default]
    Skin,
    /// Clothes and other parts that hair stays outside of.
    Obstacle,
    /// Hair of the model. It is ignored, but where the skull is open, it shows the skull's size.
    OwnHair,
    /// A hat: ignored, but no hair grows under it.
    Cover,
    /// Eyes, jewellery and other parts that hair ignores.
    Ignored,
}

/// Skin at rest in the head's own space: metres, +X its left, +Y up, +Z ahead.
#[derive(Clone, Debug, Default)]
pub struct RestSkin {
    /// Corners.
    pub positions: Vec<Vec3>,
    /// Unit normals, outwards, one per corner.
    pub normals: Vec<Vec3>,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle: the head, or an object attached to it, has most of its weight.
    pub is_head: Vec<bool>,
    /// Role of each triangle; triangles beyond the end are skin.
    pub roles: Vec<SkinRole>,
    /// For each triangle: the caller requests hair on it, whatever its shape. Triangles beyond the end are not chosen.
    pub is_chosen: Vec<bool>,
}

impl RestSkin {
    /// Role of a triangle.
    pub fn role(&self, triangle: usize) -> SkinRole {
        self.roles.get(triangle).copied().unwrap_or_default()
    }

    /// Corners of a triangle.
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|corner| self.positions[corner as usize])
    }

    /// Indices of the triangles with a role.
    pub fn with_role(&self, role: SkinRole) -> impl Iterator<Item = usize> + '_ {
        (0..self.triangles.len()).filter(move |i| self.role(*i) == role)
    }

    /// Indices of the triangles of skin that the head carries.
    pub(super) fn of_head(&self) -> impl Iterator<Item = usize> + '_ {
        self.with_role(SkinRole::Skin).filter(|i| self.is_head[*i])
    }

    pub(super) fn set_role(&mut self, triangle: usize, role: SkinRole) {
        self.roles.resize(self.triangles.len(), SkinRole::default());
        self.roles[triangle] = role;
    }
}
