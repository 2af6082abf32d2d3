//! Decomposition of rotations, and response curves of drivers.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Rotation about a unit axis contained in `q` (its twist), radians, more than `middle` - π and at most `middle` + π; 0 for
/// a half turn about a perpendicular axis. It is continuous in that range, because it does not use the arc cosine: a twist
/// of 179 degrees is returned as 179 degrees.
pub fn about(q: Quat, axis: Vec3, middle: f32) -> f32 {
    let angle = 2.0 * q.xyz().dot(axis).atan2(q.w);
    angle - TAU * ((angle - middle) / TAU - 0.5).ceil()
}

/// Swing of a rotation: the rotation without its twist about a unit axis, from `swing * twist`. A half turn about a
/// perpendicular axis is returned unchanged.
pub fn without(q: Quat, axis: Vec3) -> Quat {
    let twist = Quat::from_vec4((axis * q.xyz().dot(axis)).extend(q.w));
    let length = twist.length();
    if length > 1e-6 {
        q * twist.conjugate() * length.recip()
    } else {
        q
    }
}

/// Angle of a rotation, radians in 0..=π.
pub fn angle(q: Quat) -> f32 {
    2.0 * q.xyz().length().atan2(q.w.abs())
}

/// Angle by which a rotation moves a unit axis, radians in 0..=π.
pub fn swing(q: Quat, axis: Vec3) -> f32 {
    let along = q.xyz().dot(axis);
    let across = (q.xyz() - axis * along).length();
    2.0 * across.atan2(q.w.hypot(along))
}

/// Scales a rotation along its short arc; a factor above 1 extrapolates, one below 0 reverses it.
pub fn power(q: Quat, fraction: f32) -> Quat {
    let q = if q.w < 0.0 { -q } else { q };
    match q.xyz().try_normalize() {
        Some(axis) => Quat::from_axis_angle(axis, fraction * angle(q)),
        None => Quat::IDENTITY,
    }
}

/// Spherical linear interpolation along the short arc (Shoemake's slerp).
pub fn toward(from: Quat, to: Quat, fraction: f32) -> Quat {
    if fraction == 1.0 {
        to
    } else {
        from * power(from.conjugate() * to, fraction)
    }
}

/// Piecewise curve over angles or lengths: points in ascending order, constant before the first and after the last one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResponseCurve {
    points: SmallVec<[[f32; 2]; 3]>,
    is_smooth: bool,
}

impl ResponseCurve {
    /// Builds a curve from points of `[input, value]`, linear or smooth in between; a smooth one has zero slope at every
    /// point and does not overshoot. `None` without points, with non-finite ones, or if the inputs do not ascend.
    pub fn new(points: &[[f32; 2]], is_smooth: bool) -> Option<Self> {
        let finite = points.iter().flatten().all(|n| n.is_finite());
        let ascends = points.windows(2).all(|pair| pair[0][0] < pair[1][0]);
        (finite && ascends && !points.is_empty()).then(|| Self {
            points: SmallVec::from_slice(points),
            is_smooth,
        })
    }

    /// Value of the curve at an input.
    pub fn at(&self, input: f32) -> f32 {
        let after = self.points.iter().position(|point| input < point[0]);
        let after = after.unwrap_or(self.points.len());
        let before = after.checked_sub(1).and_then(|i| self.points.get(i));
        match (before, self.points.get(after)) {
            (Some(a), Some(b)) => {
                let u = (input - a[0]) / (b[0] - a[0]);
                let u = if self.is_smooth {
                    u * u * (3.0 - 2.0 * u)
                } else {
                    u
                };
                a[1] + (b[1] - a[1]) * u
            }
            (Some(point), None) | (None, Some(point)) => point[1],
            (None, None) => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::PI;

    #[test]
    fn a_twist_is_its_angle_up_to_the_cut_for_either_quaternion_sign() {
        for degrees in [-179.9_f32, -120.0, -1e-3, 0.0, 45.0, 90.0, 179.9] {
            let q = Quat::from_rotation_y(degrees.to_radians());
            for q in [q, -q] {
                let found = about(q, Vec3::Y, 0.0).to_degrees();
                assert!((found - degrees).abs() < 1e-3, "{degrees} {found}");
            }
        }
        let beyond = Quat::from_rotation_y(200_f32.to_radians());
        assert!((about(beyond, Vec3::Y, 0.0).to_degrees() + 160.0).abs() < 1e-3);
        // The cut can be moved to angles that the bone never reaches.
        let moved = about(beyond, Vec3::Y, 90_f32.to_radians());
        assert!((moved.to_degrees() - 200.0).abs() < 1e-3);
        let half = Quat::from_xyzw(0.0, 1.0, 0.0, 0.0);
        assert!((about(half, Vec3::Y, 0.0) - PI).abs() < 1e-6);
        assert_eq!(about(half, Vec3::X, 0.0), 0.0);
    }

    #[test]
    fn swing_and_twist_compose_the_rotation_and_the_swing_has_no_twist() {
        let q = Quat::from_euler(glam::EulerRot::ZXY, 0.9, -1.3, 2.1);
        let axis = Vec3::new(1.0, 2.0, -0.5).normalize();
        let twist = about(q, axis, 0.0);
        let swung = without(q, axis);
        assert!(swung.is_normalized());
        assert!(about(swung, axis, 0.0).abs() < 1e-5);
        let again = swung * Quat::from_axis_angle(axis, twist);
        assert!(again.dot(q).abs() > 1.0 - 1e-6);
        assert!((swing(q, axis) - (q * axis).angle_between(axis)).abs() < 1e-4);
        assert!((swing(q, axis) - angle(swung)).abs() < 1e-5);
    }

    #[test]
    fn fractions_follow_the_short_arc_at_constant_speed() {
        let axis = Vec3::new(0.3, -0.4, 0.6).normalize();
        let q = Quat::from_axis_angle(axis, 3.0);
        for fraction in [-1.0, 0.0, 0.25, 0.5, 1.0] {
            let want = Quat::from_axis_angle(axis, 3.0 * fraction);
            assert!(power(q, fraction).dot(want).abs() > 1.0 - 1e-6);
            assert!(power(-q, fraction).dot(want).abs() > 1.0 - 1e-6);
        }
        let a = Quat::from_rotation_x(0.4);
        assert!(toward(a, a * q, 0.5).dot(a * power(q, 0.5)).abs() > 1.0 - 1e-6);
        assert_eq!(power(Quat::IDENTITY, 0.5), Quat::IDENTITY);
    }

    #[test]
    fn curves_are_constant_beyond_their_ends_and_smooth_ones_flat_at_points() {
        let points = [[0.0, 0.0], [90.0, 1.0], [120.0, 0.5]];
        let curve = ResponseCurve::new(&points, false).unwrap();
        for (input, value) in [
            (-10.0, 0.0),
            (45.0, 0.5),
            (90.0, 1.0),
            (105.0, 0.75),
            (200.0, 0.5),
        ] {
            assert!((curve.at(input) - value).abs() < 1e-6, "{input}");
        }
        let smooth = ResponseCurve::new(&points, true).unwrap();
        assert!((smooth.at(45.0) - 0.5).abs() < 1e-6);
        assert!((smooth.at(22.5) - 0.15625).abs() < 1e-6);
        assert!((smooth.at(89.0) - 1.0).abs() < 1e-3);
        assert!(smooth.at(f32::NAN).is_finite());
        for bad in [&[][..], &[[1.0, 0.0], [1.0, 1.0]], &[[0.0, f32::NAN]]] {
            assert!(ResponseCurve::new(bad, false).is_none());
        }
    }
}
