//! Raycasts against a character as it is drawn.

use glam::Vec3;

use super::instance::Character;
pub use galatea_deform::TriangleHit;
use galatea_deform::{PosedModel, trace};

impl Character {
    /// Returns the first triangle, morphed and skinned as in the last tick, that the segment between two world positions
    /// hits, with position and normal in world space. Also returns the number of vertices and triangles tested.
    pub fn trace(&self, from: Vec3, to: Vec3) -> (Option<TriangleHit>, usize) {
        let world = self.posed.world[0];
        if !from.is_finite() || !to.is_finite() || world.matrix3.determinant() == 0.0 {
            return (None, 0);
        }
        let model_from_world = world.inverse();
        let posed = PosedModel {
            model: &self.definition.model,
            bounds: &self.definition.bounds,
            palette: &self.skin.palette[0],
            morphs: &self.skin.morphs[0],
            hidden: &self.appearance.hidden_parts,
        };
        let ends = [from, to].map(|end| model_from_world.transform_point3(end));
        let (found, work) = trace(posed, ends[0], ends[1]);
        let found = found.map(|found| TriangleHit {
            position: from.lerp(to, found.u),
            normal: (model_from_world.matrix3.transpose() * found.normal).normalize_or(Vec3::Y),
            ..found
        });
        (found, work)
    }
}
