//! The skin of a head, as hair sees it.

use glam::Vec3;

/// Purpose of a triangle near a head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkinRole {
    /// Skin: hair may grow on it and stays outside of it.
    #[default]
    Skin,
    /// Clothes and other parts that hair stays outside of.
    Obstacle,
    /// Hair of the model: ignored, but where the skull is open it shows how large the skull is.
    OwnHair,
    /// A hat: ignored, but no hair grows under it.
    Cover,
    /// Eyes, jewellery and other parts that hair ignores.
    Ignored,
}

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
    /// Purpose of each triangle; those beyond its end are skin.
    pub roles: Vec<SkinRole>,
    /// Triangles of the parts on which the caller wants hair to grow, whatever their shape; others beyond its end.
    pub is_chosen: Vec<bool>,
}

impl RestSkin {
    /// Purpose of a triangle.
    pub fn role(&self, triangle: usize) -> SkinRole {
        self.roles.get(triangle).copied().unwrap_or_default()
    }

    /// Corners of a triangle.
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|corner| self.positions[corner as usize])
    }

    /// Indices of the triangles with a purpose.
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
