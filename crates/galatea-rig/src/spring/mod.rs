//! Spring bones, with the terms of VRMC_springBone 1.0: the tail of a joint moves by inertia, stiffness, gravity and wind,
//! outside of colliders, and the bone rotates to point at its tail.

use serde::{Deserialize, Serialize};

mod collide;
mod solve;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::{Quat, Vec3};

pub(super) use collide::size_of;
pub use solve::{SpringInput, Springs};

/// Duration of a step, seconds: stiffness, gravity and drag of VRM files are defined for it.
pub const STEP: f64 = 1.0 / 60.0;

/// Default largest angle between a joint and its direction without springs, radians: hair never folds onto itself.
pub const LIMIT: f32 = 2.4;

/// Spring joints and their colliders, as given by a file or a script.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpringSet {
    /// Joints in any order; a bone is the head of one joint at most, the first listed.
    pub joints: Vec<SpringJoint>,
    /// Colliders that `SpringJoint::colliders` refers to.
    pub colliders: Vec<SpringCollider>,
    /// Stiffness pulls to the rest pose, as in VRM; with false it pulls to the animated pose.
    pub to_rest: bool,
}

/// A spring bone and its tail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpringJoint {
    /// Bone that rotates.
    pub bone: u16,
    /// Position of the tail.
    pub tail: Tail,
    /// Strength of the pull back, 0 or more; metres per second and step at scale 1.
    pub stiffness: f32,
    /// Gravity, in the same unit, world space.
    pub gravity: Vec3,
    /// Fraction of the velocity that is lost per step, 0..=1.
    pub drag: f32,
    /// Radius of the tail against colliders, metres at scale 1.
    pub radius: f32,
    /// Fraction of the wind that it receives, 0 or more.
    pub wind_scale: f32,
    /// Largest angle from the bone's direction without springs, radians.
    pub max_angle: f32,
    /// Center bone: motion of this bone does not affect the tail. With `None` all motion in the world does.
    pub center: Option<u16>,
    /// Colliders of the joint, as indices into `SpringSet::colliders`; joints of a chain share the list.
    #[serde(with = "galatea_persist::shared")]
    pub colliders: Arc<[u16]>,
}

impl SpringJoint {
    /// Joint with the defaults of VRMC_springBone 1.0.
    pub fn new(bone: u16, tail: Tail) -> Self {
        Self {
            bone,
            tail,
            stiffness: 1.0,
            gravity: Vec3::ZERO,
            drag: 0.5,
            radius: 0.0,
            wind_scale: 0.2,
            max_angle: LIMIT,
            center: None,
            colliders: Arc::default(),
        }
    }
}

/// Far end of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Tail {
    /// A descendant of the joint's bone.
    Bone(u16),
    /// A position in the space of the joint's bone.
    At(Vec3),
}

/// A shape on a bone that tails stay outside or inside of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpringCollider {
    /// Bone that the shape is attached to.
    pub bone: u16,
    /// Shape in the bone's space.
    pub shape: ColliderShape,
}

/// Shapes of VRMC_springBone 1.0 and VRMC_springBone_extended_collider 1.0; bone space, metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ColliderShape {
    /// A sphere.
    Sphere {
        /// Centre.
        offset: Vec3,
        /// Radius.
        radius: f32,
        /// Tails stay inside.
        inside: bool,
    },
    /// A capsule.
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
        /// A point of the plane.
        offset: Vec3,
        /// Normal, unit length.
        normal: Vec3,
    },
    /// An oriented box, which VRM does not have.
    Box {
        /// Centre.
        offset: Vec3,
        /// Orientation.
        rotation: Quat,
        /// Half extents along its own axes.
        half: Vec3,
    },
}
