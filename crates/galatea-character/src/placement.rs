//! Place of a character in the world, by itself or on the bone that holds it, and its root motion.

use glam::{Affine3A, Quat, Vec3};

use super::handle::Handle;
use galatea_anim::RootDelta;

/// Where a character stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// World position of the model's origin, metres.
    pub position: Vec3,
    /// Degrees about +Y; 0 looks along +Z.
    pub yaw: f32,
    /// How it is turned before that: identity for what stands upright.
    pub tilt: Quat,
    /// Uniform factor.
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
    /// World-from-model matrix.
    pub fn to_affine(self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(
            Vec3::splat(self.scale),
            self.rotation(),
            self.position,
        )
    }

    /// This placement after a step counted in its own space.
    #[must_use]
    pub fn stepped(self, step: RootDelta) -> Self {
        let turn = Quat::from_rotation_y(self.yaw.to_radians());
        Self {
            position: self.position + turn * (step.translation * self.scale),
            yaw: self.yaw + step.yaw.to_degrees(),
            ..self
        }
    }

    /// How it is turned in the world.
    pub fn rotation(self) -> Quat {
        Quat::from_rotation_y(self.yaw.to_radians()) * self.tilt
    }

    /// Turned so in the world: yaw is the part of it about +Y.
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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RootMotion {
    /// Metres in the world.
    pub travel: Vec3,
    /// Degrees about +Y.
    pub yaw: f32,
}

/// Held by another character's bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// Who holds it.
    pub holder: Handle,
    /// Bone of the holder.
    pub bone: u16,
    /// Where the held thing's origin is in the bone's space, metres.
    pub offset: Vec3,
    /// How it is turned in the bone's space.
    pub rotation: Quat,
    /// Factor on its own scale.
    pub scale: f32,
}

impl Attachment {
    /// Bone-from-thing matrix for a thing with a scale of its own.
    pub fn to_affine(&self, own_scale: f32) -> Affine3A {
        let scale = Vec3::splat(self.scale * own_scale);
        Affine3A::from_scale_rotation_translation(scale, self.rotation, self.offset)
    }
}
