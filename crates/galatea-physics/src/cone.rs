//! Elliptic swing cone: the plane tangent to it at the edge nearest to a swing.
//!
//! A swing is a rotation vector about Y and Z, radians; the cone is the ellipse with these half axes.

use std::f32::consts::PI;

use glam::{Mat3, Quat, Vec2, Vec3};

use galatea_math::ellipse::{nearest, radius};

/// Minimum scale of the twist limit; it is used where the bend is so large that a twist hardly shows.
const MIN_TWIST_SCALE: f32 = 0.3;

/// Returns true for a cone that allows every swing.
pub(super) fn is_ball(half: [f32; 2]) -> bool {
    half.into_iter().all(|half| half > PI - 0.01)
}

/// Limits of a joint, linearised about its current rotation.
pub(super) struct LocalLimit {
    /// Frame of the limit in the parent's frame of the joint. Y is the axis of the rotation straight out of the cone; the
    /// twist is about X.
    pub frame: Quat,
    /// Angle about Y to the edge, radians; negative outside.
    pub outwards: f32,
    /// Angle about X per angle of twist.
    pub twist_scale: f32,
}

/// Tangent plane of a cone at the edge nearest to a swing.
pub(super) fn tangent_limit(half: [f32; 2], swing: Vec2) -> LocalLimit {
    let turned = |swing: Vec2| Quat::from_scaled_axis(Vec3::new(0.0, swing.x, swing.y)) * Vec3::X;
    let (edge, normal) = nearest(half, swing);
    let (at, here) = (turned(edge), turned(swing));
    let across = |by: Vec2| turning(edge, by).reject_from_normalized(at);
    // Straight out is perpendicular to the edge.
    let outwards = across(normal);
    let axis = at.cross(across(normal.perp())).normalize_or(outwards);
    let axis = if axis.dot(outwards) < 0.0 {
        -axis
    } else {
        axis
    };
    let distance = at.angle_between(here);
    let is_inside = swing.length() <= radius(half, swing);
    // A twist changes with the rotation about the axis midway between parent and child.
    let middle = (Vec3::X + here).normalize_or(here);
    let about = middle
        .reject_from_normalized(axis)
        .normalize_or(axis.any_orthonormal_vector());
    let frame = Quat::from_mat3(&Mat3::from_cols(about, axis, about.cross(axis)));
    LocalLimit {
        frame: frame.normalize(),
        outwards: if is_inside { distance } else { -distance },
        twist_scale: about.dot(here).max(MIN_TWIST_SCALE),
    }
}

/// Rotation for a change of a swing: the left Jacobian of the exponential map.
fn turning(swing: Vec2, change: Vec2) -> Vec3 {
    let [s, v] = [swing, change].map(|v| Vec3::new(0.0, v.x, v.y));
    let angle = s.length();
    if angle < 1e-4 {
        return v;
    }
    let (axis, (sine, cosine)) = (s / angle, angle.sin_cos());
    let along = axis * axis.dot(v);
    along + (v - along) * (sine / angle) + axis.cross(v) * ((1.0 - cosine) / angle)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONES: [[f32; 2]; 4] = [[1.3, 0.4], [0.2, 0.6], [0.7, 0.7], [1.2, 0.05]];

    fn directions() -> impl Iterator<Item = Vec2> {
        (0..48).map(|i| Vec2::from_angle(i as f32 / 48.0 * std::f32::consts::TAU))
    }

    /// Both limits as the engine measures them, in frames set at one swing and twist.
    fn measured(near: &LocalLimit, set: (Vec2, f32), now: (Vec2, f32)) -> [f32; 2] {
        let rotation = |(swing, twist): (Vec2, f32)| {
            Quat::from_scaled_axis(Vec3::new(0.0, swing.x, swing.y)) * Quat::from_rotation_x(twist)
        };
        let q = near.frame.conjugate() * rotation(now) * rotation(set).conjugate() * near.frame;
        [q.x, q.y].map(|part| 2.0 * f32::atan2(part, q.w))
    }

    #[test]
    fn the_angle_outwards_is_the_distance_to_the_edge() {
        for half in CONES {
            for offset in directions() {
                for fraction in [0.6, 0.95, 1.2] {
                    let swing = offset * radius(half, offset) * fraction;
                    let set = (swing, 0.3);
                    let near = tangent_limit(half, swing);
                    let (edge, normal) = nearest(half, swing);
                    let [_, out] = measured(&near, set, (edge, 0.3));
                    let off = (out - near.outwards).abs();
                    assert!(
                        off < 0.02 + 0.1 * out.abs(),
                        "{half:?} {swing}: {off} of {out}"
                    );
                    assert_eq!(near.outwards > 0.0, fraction < 1.0);
                    if fraction < 0.9 {
                        continue;
                    }
                    let ahead = |by: Vec2| measured(&near, set, (swing + by * 0.01, 0.3))[1];
                    // On the sphere a step along the edge is shorter than one across it.
                    assert!(ahead(normal) > 0.004, "{half:?} {swing}");
                    let along = ahead(normal.perp());
                    assert!(along.abs() < 2e-3, "{half:?} {swing}: {along}");
                }
            }
        }
    }

    #[test]
    fn a_twist_is_measured_by_its_scale() {
        for half in CONES {
            for offset in directions() {
                let swing = offset * radius(half, offset) * 0.97;
                let near = tangent_limit(half, swing);
                let by = |twist: f32| measured(&near, (swing, 0.2), (swing, 0.2 + twist))[0];
                let off = (by(0.01) - 0.01 * near.twist_scale).abs();
                assert!(off < 1e-4, "{half:?} {swing}: {off}");
                // A swing straight out of a round cone has no twist.
                if half[0] != half[1] {
                    continue;
                }
                let out = swing + nearest(half, swing).1 * 0.01;
                let [twisted, _] = measured(&near, (swing, 0.2), (out, 0.2));
                assert!(twisted.abs() < 1e-4, "{half:?} {swing}: {twisted}");
            }
        }
    }
}
