//! Targets of modifiers, and their positions.

use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::handle::Handle;
use galatea_rig::Posed;

/// Target of a modifier.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Goal {
    /// A position in the world, metres.
    World(Vec3),
    /// A position in the character's own space, metres.
    Own(Vec3),
    /// A position on the same or another character: on a bone, or relative to its origin.
    On {
        /// Handle of the character.
        character: Handle,
        /// Bone, or `None` for the origin.
        bone: Option<u16>,
        /// Position in the bone's space.
        at: Vec3,
        /// Rotation in the bone's space.
        turn: Quat,
    },
    /// Position of the camera.
    Camera,
}

/// Position of a target in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum GoalPosition {
    /// In world space.
    World(Affine3A),
    /// In model space of the character with the modifier.
    Model(Affine3A),
    /// On a bone of the character itself, so that held objects move along while modifiers act.
    OnBone(u16, Affine3A),
}

impl GoalPosition {
    /// Returns the transform in model space, for the current pose.
    pub fn in_model(&self, posed: &Posed<'_>, model_from_world: Affine3A) -> Affine3A {
        match *self {
            Self::World(place) => model_from_world * place,
            Self::Model(place) => place,
            Self::OnBone(bone, place) => posed.model(bone) * place,
        }
    }
}
