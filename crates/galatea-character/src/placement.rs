//! Position of a character in the world, free or attached to a bone, and its root motion.

use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::handle::Handle;
use galatea_anim::RootDelta;

/// Position, rotation and scale of a character.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placement {
    /// World position of the model's origin, metres.
    pub position: Vec3,
    /// Degrees about +Y; 0 faces +Z.
    pub yaw: f32,
    /// Rotation applied before the yaw; identity for an upright character.
    pub tilt: Quat,
    /// Uniform scale factor.
    pub scale: f32,
}

impl Default for Placement {
    fn default() -> Self {
        Self {
            position: Vec3::ZERO,
            yaw: 0.0,
            tilt: Quat::IDENTITY,
            scale: 1.0,
        }
    }
}

impl Placement {
    /// Returns the world-from-model matrix.
    pub fn to_affine(self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(
            Vec3::splat(self.scale),
            self.rotation(),
            self.position,
        )
    }

    /// Returns this placement after a step given in its own space.
    #[must_use]
    pub fn stepped(self, step: RootDelta) -> Self {
        let rotation = Quat::from_rotation_y(self.yaw.to_radians());
        Self {
            position: self.position + rotation * (step.translation * self.scale),
            yaw: self.yaw + step.yaw.to_degrees(),
            ..self
        }
    }

    /// Returns the rotation in the world.
    pub fn rotation(self) -> Quat {
        Quat::from_rotation_y(self.yaw.to_radians()) * self.tilt
    }

    /// Returns this placement with the given world rotation, split into yaw about +Y and tilt.
    #[must_use]
    pub fn turned(self, rotation: Quat) -> Self {
        let about_y = Quat::from_xyzw(0.0, rotation.y, 0.0, rotation.w);
        let about_y = if about_y.length_squared() > 1e-9 {
            about_y.normalize()
        } else {
            Quat::IDENTITY
        };
        let yaw = 2.0 * f32::atan2(about_y.y, about_y.w);
        let yaw =
            (yaw + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU) - std::f32::consts::PI;
        Self {
            yaw: yaw.to_degrees(),
            tilt: (Quat::from_rotation_y(-yaw) * rotation).normalize(),
            ..self
        }
    }
}

/// Root motion of one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RootMotion {
    /// Translation in the world, metres.
    pub translation: Vec3,
    /// Rotation about +Y, degrees.
    pub yaw: f32,
}

/// Attachment to another character's bone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    /// Handle of the holder.
    pub holder: Handle,
    /// Bone of the holder.
    pub bone: u16,
    /// Position of the attached object's origin in bone space, metres.
    pub offset: Vec3,
    /// Rotation in bone space.
    pub rotation: Quat,
    /// Factor on the object's own scale.
    pub scale: f32,
}

impl Attachment {
    /// Returns the bone-from-object matrix for an object with a scale of its own.
    pub fn to_affine(&self, own_scale: f32) -> Affine3A {
        let scale = Vec3::splat(self.scale * own_scale);
        Affine3A::from_scale_rotation_translation(scale, self.rotation, self.offset)
    }
}
