//! What modifiers aim at and reach for, and where that is.

use glam::{Affine3A, Quat, Vec3};

use crate::handle::Handle;
use galatea_rig::Posed;

/// What a modifier goes after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// A place of the world, metres.
    World(Vec3),
    /// A place in the character's own space, metres.
    Own(Vec3),
    /// A place on a character, its own or another: on one of its bones, or over its origin.
    On {
        /// Who.
        character: Handle,
        /// On which of its bones.
        bone: Option<u16>,
        /// In the space of the bone.
        at: Vec3,
        /// Turned so in the space of the bone.
        turn: Quat,
    },
    /// Where the camera is.
    Camera,
}

/// Where a goal is in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GoalPosition {
    /// World space.
    World(Affine3A),
    /// Model space of the character that goes after it.
    Model(Affine3A),
    /// On a bone of the character itself: what it holds moves along while modifiers act.
    OnBone(u16, Affine3A),
}

impl GoalPosition {
    /// In model space, as the pose is now.
    pub fn in_model(&self, posed: &Posed<'_>, model_from_world: Affine3A) -> Affine3A {
        match *self {
            Self::World(place) => model_from_world * place,
            Self::Model(place) => place,
            Self::OnBone(bone, place) => posed.model(bone) * place,
        }
    }
}
