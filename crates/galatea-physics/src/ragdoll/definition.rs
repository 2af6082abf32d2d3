//! Ragdoll definition as plain data: bodies on bones and the joints between them. Immutable, shared by all characters of a
//! model.

use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

use galatea_math::Trs;

/// A position and rotation, without scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RigidFrame {
    /// Position, metres.
    pub position: Vec3,
    /// Rotation, unit quaternion.
    pub rotation: Quat,
}

impl RigidFrame {
    /// Identity.
    pub const IDENTITY: Self = Self {
        position: Vec3::ZERO,
        rotation: Quat::IDENTITY,
    };

    /// Frame of a bone without its scale; [`BodyDefinition::bone_from_body`] is relative to it. A mirrored bone is mirrored
    /// along its X.
    #[must_use]
    pub fn of_bone(space_from_bone: Affine3A) -> Self {
        let trs = Trs::nearest(space_from_bone);
        Self {
            position: trs.translation,
            rotation: trs.rotation,
        }
    }

    /// Transforms a point from this frame to its parent space.
    #[must_use]
    pub fn point(self, point: Vec3) -> Vec3 {
        self.position + self.rotation * point
    }

    /// Composes two frames: `self * other`, with `other` applied first.
    #[must_use]
    pub fn then(self, other: Self) -> Self {
        Self {
            position: self.position + self.rotation * other.position,
            rotation: (self.rotation * other.rotation).normalize(),
        }
    }

    /// Inverse frame.
    #[must_use]
    pub fn inverse(self) -> Self {
        let back = self.rotation.conjugate();
        Self {
            position: back * -self.position,
            rotation: back,
        }
    }
}

/// Shape of a body, in the body's own frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum BodyShape {
    /// A capsule along the body's Y.
    Capsule {
        /// Half length of the straight part, metres.
        half_length: f32,
        /// Radius, metres.
        radius: f32,
    },
    /// A box.
    Box {
        /// Half extents, metres.
        half: Vec3,
    },
    /// A sphere.
    Sphere {
        /// Radius, metres.
        radius: f32,
    },
}

/// A rigid body on a bone. Lengths are model-space lengths at scale 1, also where the bones of the skeleton are scaled
/// (armatures of 0.01).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyDefinition {
    /// Bone that it moves.
    pub bone: u16,
    /// Frame in the bone's space without the bone's scale, model-space metres.
    pub bone_from_body: RigidFrame,
    /// Collision shape.
    pub shape: BodyShape,
    /// Mass, kilograms.
    pub mass: f32,
    /// Coulomb friction coefficient, at least 0.
    pub friction: f32,
}

/// Type of a joint. The child's frame relative to the parent's is the twist about X first, then the swing about an axis in
/// the plane of Y and Z, right-handed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum JointKind {
    /// Swing in a cone about X, and twist about it.
    TwistCone {
        /// Half angles of the cone about Y and Z, radians.
        swing: [f32; 2],
        /// Minimum and maximum twist about X, radians.
        twist: [f32; 2],
    },
    /// Rotation about X only.
    Hinge {
        /// Minimum and maximum angle, radians.
        range: [f32; 2],
    },
    /// No rotation.
    Fixed,
}

/// A joint between the body of a bone and that of its nearest ancestor with one. For a bone without such an ancestor (feet
/// that are IK targets) it is the nearest body.
///
/// The frame is given once in each body; where both coincide, all angles are 0. X of a cone is along the child, and Y is the
/// axis about which it bends. X of a hinge is its axis, and Y is along the child. The frames of a cone coincide in the
/// middle of its range, those of a hinge where both bodies are in line, so the rest pose has non-zero angles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointDefinition {
    /// Index of the parent body.
    pub parent: u16,
    /// Index of the child body; a body has at most one joint to a parent.
    pub child: u16,
    /// Frame of the joint in the parent body.
    pub parent_from_joint: RigidFrame,
    /// Frame of the joint in the child body.
    pub child_from_joint: RigidFrame,
    /// Type and limits.
    pub kind: JointKind,
}

/// A ragdoll. `bodies` are in the order of their bones, so ancestors come first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RagdollDefinition {
    /// Bodies.
    pub bodies: Vec<BodyDefinition>,
    /// Joints: one for each body except the root.
    pub joints: Vec<JointDefinition>,
    /// Pairs of bodies that do not collide: joined ones, and those that overlap in the bind pose. Lower index first,
    /// ascending.
    pub ignored_pairs: Vec<(u16, u16)>,
    /// Warnings about corrected or unusable input.
    pub warnings: Vec<String>,
}
