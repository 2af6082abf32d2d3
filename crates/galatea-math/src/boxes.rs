//! Oriented boxes.

use glam::{Quat, Vec3};

/// An oriented box in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    /// Centre.
    pub center: Vec3,
    /// Orientation.
    pub rotation: Quat,
    /// Half the size along its own axes.
    pub half: Vec3,
}

impl OrientedBox {
    /// Signed distance of a point from the surface, negative inside, and the outward direction.
    #[inline]
    pub fn distance(&self, point: Vec3) -> (f32, Vec3) {
        let local = self.rotation.inverse() * (point - self.center);
        let beyond = local.abs() - self.half;
        if beyond.max_element() <= 0.0 {
            let side = |v: f32| if v < 0.0 { -1.0 } else { 1.0 };
            let (depth, out) = [
                (beyond.x, Vec3::X * side(local.x)),
                (beyond.y, Vec3::Y * side(local.y)),
                (beyond.z, Vec3::Z * side(local.z)),
            ]
            .into_iter()
            .fold((f32::MIN, Vec3::Y), |best, next| {
                if next.0 > best.0 { next } else { best }
            });
            return (depth, self.rotation * out);
        }
        let nearest = local.clamp(-self.half, self.half);
        let away = local - nearest;
        let out = away.try_normalize().unwrap_or(Vec3::Y);
        (away.length(), self.rotation * out)
    }
}
