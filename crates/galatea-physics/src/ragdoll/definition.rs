//! A ragdoll as plain data: bodies on bones and the links between them. Immutable; all characters of
//! a model share it.

use glam::{Affine3A, Quat, Vec3};

use galatea_math::Trs;

/// A place and a direction, without scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidFrame {
    /// Metres.
    pub position: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
}

impl RigidFrame {
    /// No offset, no turn.
    pub const IDENTITY: Self = Self {
        position: Vec3::ZERO,
        rotation: Quat::IDENTITY,
    };

    /// The place and direction of a bone without its scale: the frame that
    /// [`BodyDefinition::bone_from_body`] counts from. A mirrored bone is mirrored along its X.
    #[must_use]
    pub fn of_bone(space_from_bone: Affine3A) -> Self {
        let trs = Trs::nearest(space_from_bone);
        Self {
            position: trs.translation,
            rotation: trs.rotation,
        }
    }

    /// A point of this frame, in the space in which it stands.
    #[must_use]
    pub fn point(self, point: Vec3) -> Vec3 {
        self.position + self.rotation * point
    }

    /// What this is seen from the space in which `self` and `other` both stand: `self * other`, other
    /// first.
    #[must_use]
    pub fn then(self, other: Self) -> Self {
        Self {
            position: self.position + self.rotation * other.position,
            rotation: (self.rotation * other.rotation).normalize(),
        }
    }

    /// The way back.
    #[must_use]
    pub fn inverse(self) -> Self {
        let back = self.rotation.conjugate();
        Self {
            position: back * -self.position,
            rotation: back,
        }
    }
}

/// The shape of a body, about the origin of the body's own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyShape {
    /// A cylinder with round ends, along the body's Y.
    Capsule {
        /// Half the length of the straight part, metres.
        half_length: f32,
        /// Metres.
        radius: f32,
    },
    /// A box.
    Box {
        /// Half its edges, metres.
        half: Vec3,
    },
    /// A sphere.
    Sphere {
        /// Metres.
        radius: f32,
    },
}

/// A rigid body on a bone. Lengths are those of the model at scale 1; where the skeleton's own bones are
/// scaled (armatures of 0.01), they are in model space all the same.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyDefinition {
    /// The bone that it carries.
    pub bone: u16,
    /// Where it is in the bone's space without the bone's scale: model-space metres.
    pub bone_from_body: RigidFrame,
    /// Its form.
    pub shape: BodyShape,
    /// Kilograms.
    pub mass: f32,
    /// Coefficient of Coulomb friction, at least 0.
    pub friction: f32,
}

/// What a link lets two bodies do. The child's frame seen from the parent's is first the twist about X,
/// then the swing about an axis in the plane of Y and Z, by the right hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LinkKind {
    /// Swing in a cone about X and twist about it.
    TwistCone {
        /// Half the cone's angles about Y and Z, radians.
        swing: [f32; 2],
        /// Least and most twist about X, radians.
        twist: [f32; 2],
    },
    /// Turn about X alone.
    Hinge {
        /// Least and most angle, radians.
        range: [f32; 2],
    },
    /// No turn at all.
    Fixed,
}

/// A link between the body of a bone and that of its nearest ancestor with one; of a bone that has no
/// such ancestor (feet that only inverse kinematics holds) and the body nearest to its own.
///
/// Its frame is given once in each body. Where both agree, all angles are 0. X of a cone runs along the
/// child and Y is the axis about which it bends; X of a hinge is its axis and Y runs along the child. The
/// frames of a cone agree in the middle of its range, those of a hinge where both bodies are in line, so
/// the rest pose has angles of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkDefinition {
    /// Index of the parent's body.
    pub parent: u16,
    /// Index of the child's body; a body has one link to a parent at most.
    pub child: u16,
    /// The link's frame in the parent's body.
    pub parent_from_link: RigidFrame,
    /// The link's frame in the child's body.
    pub child_from_link: RigidFrame,
    /// What it allows.
    pub kind: LinkKind,
}

/// A whole ragdoll. `bodies` stand in the order of their bones, so bones' ancestors come before them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RagdollDefinition {
    /// The bodies.
    pub bodies: Vec<BodyDefinition>,
    /// One for each body but the first to hang all others on.
    pub links: Vec<LinkDefinition>,
    /// Pairs of bodies that pass through each other: linked ones, and those that overlap in the bind
    /// pose. The lower index first, ascending.
    pub apart: Vec<(u16, u16)>,
    /// What was mended or could not be used, in plain words.
    pub warnings: Vec<String>,
}
