//! Limits of a joint's swing and twist.

use std::f32::consts::PI;

use glam::{Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use galatea_math::ellipse;

/// Relative rounding error allowed in an angle.
const ROUNDING: f32 = 1e-5;

/// Splits a rotation into a twist about a unit axis, applied first, and a swing about an axis perpendicular to it. Both have
/// w of 0 or more. After a swing of half a turn the twist is undefined and returned as zero.
pub fn swing_twist(rotation: Quat, axis: Vec3) -> (Quat, Quat) {
    let along = axis * rotation.xyz().dot(axis);
    let twist = Quat::from_vec4(along.extend(rotation.w));
    let squared = twist.length_squared();
    let twist = if squared > 1e-12 {
        let twist = twist * squared.sqrt().recip();
        if twist.w < 0.0 { -twist } else { twist }
    } else {
        Quat::IDENTITY
    };
    let swing = (rotation * twist.conjugate()).normalize();
    (if swing.w < 0.0 { -swing } else { swing }, twist)
}

/// Range in which a joint may rotate from rest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RotationLimit {
    /// Unit axis of the twist: along the bone, in its space.
    pub axis: Vec3,
    /// Unit axis perpendicular to it, about which the first swing is measured; the second is about `axis × about`.
    pub about: Vec3,
    /// Half axes of the swing ellipse, radians, 0..=π.
    pub swing: [f32; 2],
    /// Minimum and maximum twist, radians, -π..=π.
    pub twist: [f32; 2],
}

impl RotationLimit {
    /// Round cone about a bone's direction, with `cone` as half its angle in radians, and a range of twists.
    pub fn round(axis: Vec3, cone: f32, twist: [f32; 2]) -> Self {
        let axis = axis.normalize_or(Vec3::Y);
        Self {
            axis,
            about: axis.any_orthonormal_vector(),
            swing: [cone; 2],
            twist,
        }
    }

    /// Swing about both axes, and twist, radians.
    pub fn angles(&self, rotation: Quat) -> (Vec2, f32) {
        let (swing, twist) = swing_twist(rotation, self.axis);
        let axis = swing.xyz();
        let sine = axis.length();
        let angle = 2.0 * sine.atan2(swing.w);
        let other = self.axis.cross(self.about);
        let direction = Vec2::new(axis.dot(self.about), axis.dot(other));
        let twisted = 2.0 * twist.xyz().dot(self.axis).atan2(twist.w);
        (direction.normalize_or_zero() * angle, twisted)
    }

    /// Angle by which a rotation is outside the limits, radians.
    pub fn excess(&self, rotation: Quat) -> f32 {
        let (swing, twist) = self.angles(rotation);
        let [low, high] = self.twist;
        let twisted = (low - twist).max(twist - high).max(0.0);
        if self.allows_every_swing() {
            return twisted;
        }
        twisted.max(ellipse::excess(self.swing, swing))
    }

    fn allows_every_swing(&self) -> bool {
        self.swing.into_iter().all(|half| half >= PI)
    }

    /// Nearest rotation within the limits. A rotation within them is returned unchanged.
    pub fn clamp(&self, rotation: Quat) -> Quat {
        let (swing, twist) = self.angles(rotation);
        let [low, high] = self.twist;
        let held_twist = twist.max(low).min(high.max(low));
        let half = self.swing.map(|half| half.clamp(0.0, PI));
        let length = swing.length();
        let is_outside = !self.allows_every_swing()
            && (length > ellipse::radius(half, swing) || swing.abs().cmpgt(Vec2::from(half)).any());
        if held_twist == twist && !is_outside {
            return rotation;
        }
        let held = if is_outside {
            let edge = ellipse::nearest(half, swing).0;
            // The ellipse needs a width of more than zero; a limit of 0 has none.
            let edge = edge.clamp(-Vec2::from(half), Vec2::from(half));
            edge * (1.0 - ROUNDING)
        } else {
            swing
        };
        let other = self.axis.cross(self.about);
        let swung = Quat::from_scaled_axis(self.about * held.x + other * held.y);
        (swung * Quat::from_axis_angle(self.axis, held_twist)).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::posed::tests::Random;

    #[test]
    fn a_rotation_is_its_twist_followed_by_its_swing() {
        let mut random = Random(1);
        for _ in 0..2000 {
            let (rotation, axis) = (random.rotation(), random.unit());
            let (swing, twist) = swing_twist(rotation, axis);
            assert!((swing * twist).dot(rotation).abs() > 1.0 - 1e-6);
            assert!(swing.xyz().dot(axis).abs() < 1e-5 && swing.w >= 0.0 && twist.w >= 0.0);
            assert!((twist * axis).abs_diff_eq(axis, 1e-5));
        }
        let (swing, twist) = swing_twist(Quat::from_rotation_x(PI), Vec3::Y);
        assert!(swing.is_finite() && twist == Quat::IDENTITY);
    }

    #[test]
    fn clamped_rotations_are_within_limits_and_others_are_unchanged() {
        let mut random = Random(2);
        for _ in 0..5000 {
            let axis = random.unit();
            let limit = RotationLimit {
                swing: [random.share() * 3.2, random.share() * 3.2],
                twist: [-random.share() * 3.1, random.share() * 3.1],
                ..RotationLimit::round(axis, 0.0, [0.0; 2])
            };
            let rotation = random.rotation();
            let held = limit.clamp(rotation);
            let (swing, twist) = limit.angles(held);
            let excess = (swing / Vec2::from(limit.swing.map(|half| half.max(1e-3)))).length();
            assert!(
                excess < 1.001 || swing.length() > PI - 1e-3,
                "{limit:?}: {swing}"
            );
            let [low, high] = limit.twist;
            assert!(
                twist > low - 1e-3 && twist < high + 1e-3,
                "{limit:?}: {twist}"
            );
            if limit.excess(rotation) == 0.0 {
                assert_eq!(held, rotation);
            }
        }
        let stiff = RotationLimit::round(Vec3::X, 0.0, [0.0; 2]);
        let held = stiff.clamp(Quat::from_euler(glam::EulerRot::XYZ, 0.5, 1.0, -0.3));
        assert!(held.angle_between(Quat::IDENTITY) < 1e-4);
    }

    #[test]
    fn an_ellipse_limits_each_swing_by_its_own_half_axis() {
        let limit = RotationLimit {
            axis: Vec3::Y,
            about: Vec3::X,
            swing: [1.0, 0.25],
            twist: [-0.5, 0.5],
        };
        let angle = |rotation: Quat| limit.clamp(rotation).to_scaled_axis();
        assert!(angle(Quat::from_rotation_x(2.0)).abs_diff_eq(Vec3::X, 1e-4));
        let about_z = angle(Quat::from_rotation_z(-2.0));
        assert!(about_z.abs_diff_eq(Vec3::NEG_Z * 0.25, 1e-4), "{about_z}");
        assert!(angle(Quat::from_rotation_y(1.0)).abs_diff_eq(Vec3::Y * 0.5, 1e-4));
    }
}
