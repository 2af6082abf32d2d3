//! Spring bones, in the words of VRMC_springBone 1.0: a joint keeps its tail where inertia, stiffness,
//! gravity and wind bring it, outside of colliders, and turns its bone to look at it.

mod collide;
mod solve;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::{Quat, Vec3};

pub(super) use collide::size_of;
pub use solve::{SpringInput, Springs};

/// Seconds of a step: the one for which stiffness, gravity and drag of VRM files are written.
pub const STEP: f64 = 1.0 / 60.0;

/// Widest angle of a joint from where its bone would point without springs, radians, unless said
/// otherwise: hair never folds into itself.
pub const LIMIT: f32 = 2.4;

/// Joints with what they collide with; what a file or a script says of springs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpringSet {
    /// In any order; a bone is the head of one joint at most, the first listed.
    pub joints: Vec<SpringJoint>,
    /// What `SpringJoint::colliders` counts in.
    pub colliders: Vec<SpringCollider>,
    /// Stiffness pulls to the rest pose, as VRM has it; else to what clips do with the bones.
    pub to_rest: bool,
}

/// A bone that springs, and its tail.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringJoint {
    /// The bone that is turned.
    pub bone: u16,
    /// Where its tail is.
    pub tail: Tail,
    /// Strength of the way back, 0 or more; metres per second and step at scale 1.
    pub stiffness: f32,
    /// Gravity, the same unit; world space.
    pub gravity: Vec3,
    /// Share of its speed that is lost in a step, 0..=1.
    pub drag: f32,
    /// Radius of the tail against colliders, metres at scale 1.
    pub radius: f32,
    /// Share of the wind that it feels, 0 or more.
    pub wind: f32,
    /// Widest angle from where the bone would point without springs, radians.
    pub limit: f32,
    /// Bone whose motion the tail does not feel; `None` feels all motion in the world.
    pub center: Option<u16>,
    /// Colliders of the joint, as indices into `SpringSet::colliders`; joints of a chain share the list.
    pub colliders: Arc<[u16]>,
}

impl SpringJoint {
    /// A joint with the defaults of VRMC_springBone 1.0.
    pub fn new(bone: u16, tail: Tail) -> Self {
        Self {
            bone,
            tail,
            stiffness: 1.0,
            gravity: Vec3::ZERO,
            drag: 0.5,
            radius: 0.0,
            wind: 0.2,
            limit: LIMIT,
            center: None,
            colliders: Arc::default(),
        }
    }
}

/// The far end of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tail {
    /// A bone below the joint's.
    Bone(u16),
    /// A place in the joint's bone space.
    At(Vec3),
}

/// A shape on a bone that tails stay outside of, or inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringCollider {
    /// The bone that carries it.
    pub bone: u16,
    /// In the bone's space.
    pub shape: ColliderShape,
}

/// Shapes of VRMC_springBone 1.0 and VRMC_springBone_extended_collider 1.0; bone space, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColliderShape {
    /// A ball.
    Sphere {
        /// Centre.
        offset: Vec3,
        /// Radius.
        radius: f32,
        /// Tails stay inside.
        inside: bool,
    },
    /// Two half balls and what is between them.
    Capsule {
        /// Centre of one end.
        offset: Vec3,
        /// Centre of the other end.
        tail: Vec3,
        /// Radius.
        radius: f32,
        /// Tails stay inside.
        inside: bool,
    },
    /// A plane; tails stay on the side of its normal.
    Plane {
        /// A point of it.
        offset: Vec3,
        /// Unit length.
        normal: Vec3,
    },
    /// A turned box, which VRM does not have.
    Box {
        /// Centre.
        offset: Vec3,
        /// How it is turned.
        rotation: Quat,
        /// Half its size along its own axes.
        half: Vec3,
    },
}
