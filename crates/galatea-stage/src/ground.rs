//! The floor and its surfaces.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::frame::Ground;

/// The floor: its appearance, and its surfaces for footsteps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Floor {
    /// Appearance; `None` draws no floor.
    pub ground: Option<Ground>,
    /// World height of the collision plane; `None` for no collision.
    pub collision_height: Option<f32>,
    /// Surface outside all patches.
    #[serde(with = "galatea_persist::shared")]
    pub surface: Arc<str>,
    /// Areas with other surfaces, drawn in order; the last one that contains a point counts.
    pub patches: Vec<Patch>,
}

impl Default for Floor {
    fn default() -> Self {
        Self {
            ground: Some(Ground::default()),
            collision_height: Some(0.0),
            surface: "stone".into(),
            patches: Vec::new(),
        }
    }
}

/// An area with another surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Patch {
    /// World x and z of the centre, metres.
    pub centre: Vec2,
    /// Outline of the area.
    pub shape: PatchShape,
    /// Name of the surface.
    #[serde(with = "galatea_persist::shared")]
    pub surface: Arc<str>,
    /// Linear colour.
    pub color: Vec3,
}

/// The outline of a [`Patch`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum PatchShape {
    /// Radius, metres.
    Circle(f32),
    /// Half the size along x and z, metres.
    Rectangle(Vec2),
}

impl Floor {
    /// The surface under a world position.
    pub fn surface_at(&self, position: Vec3) -> &Arc<str> {
        let p = Vec2::new(position.x, position.z);
        self.patches
            .iter()
            .rev()
            .find(|patch| {
                let d = p - patch.centre;
                match patch.shape {
                    PatchShape::Circle(radius) => d.length() <= radius,
                    PatchShape::Rectangle(half) => d.abs().cmple(half).all(),
                }
            })
            .map_or(&self.surface, |patch| &patch.surface)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_patch_under_a_foot_gives_the_surface() {
        let patch = |x, shape, surface: &str| Patch {
            centre: Vec2::new(x, 0.0),
            shape,
            surface: surface.into(),
            color: Vec3::ONE,
        };
        let floor = Floor {
            patches: vec![
                patch(0.0, PatchShape::Circle(2.0), "grass"),
                patch(1.0, PatchShape::Rectangle(Vec2::splat(0.5)), "wood"),
            ],
            ..Floor::default()
        };
        let at = |x: f32| &**floor.surface_at(Vec3::new(x, 0.0, 0.0));
        assert_eq!((at(0.0), at(1.2), at(5.0)), ("grass", "wood", "stone"));
    }
}
