//! The elliptic cone of a swing: how far from its edge a swing is, and the plane that touches it there.
//!
//! A swing is a rotation vector about Y and Z, radians; the cone is the ellipse with these half axes.

use glam::{Mat3, Quat, Vec2, Vec3};

/// Half axes are at least this.
const LEAST: f32 = 1e-3;
/// Rounds of the search for the nearest point; each brings about two digits.
const ROUNDS: usize = 4;

/// The ellipse's radius in a direction.
pub(super) fn radius([about_y, about_z]: [f32; 2], direction: Vec2) -> f32 {
    let along = direction.normalize_or(Vec2::X);
    let axes = Vec2::new(about_y, about_z).max(Vec2::splat(LEAST));
    (along / axes).length().recip()
}

/// By how many radians a swing is outside of the cone: the distance to the nearest swing that is allowed.
pub(super) fn excess(half: [f32; 2], swing: Vec2) -> f32 {
    if swing.length() <= radius(half, swing) {
        return 0.0;
    }
    swing.distance(edge(half, swing).0)
}

/// The point of the ellipse nearest to a swing, and the unit normal that points outwards there.
///
/// The ellipse is taken for the circle that fits it best at the point found so far, whose centre is on the
/// evolute.
fn edge(half: [f32; 2], swing: Vec2) -> (Vec2, Vec2) {
    let axes = Vec2::from(half).max(Vec2::splat(LEAST));
    let to = swing.abs();
    let squares = axes * axes;
    let bend = Vec2::new(squares.x - squares.y, squares.y - squares.x) / axes;
    // Where on the ellipse: cosine and sine.
    let mut u = Vec2::splat(std::f32::consts::FRAC_1_SQRT_2);
    for _ in 0..ROUNDS {
        let centre = bend * u * u * u;
        let (from, way) = (axes * u - centre, to - centre);
        let length = way.length();
        if length < 1e-9 {
            break;
        }
        let next = ((way * (from.length() / length) + centre) / axes).clamp(Vec2::ZERO, Vec2::ONE);
        u = next.normalize_or(u);
    }
    let sign = Vec2::new(1.0_f32.copysign(swing.x), 1.0_f32.copysign(swing.y));
    let point = axes * u * sign;
    (point, (point / squares).normalize_or(Vec2::X))
}

/// The plane that touches a cone where a swing is nearest to its edge, as an axis that one angle is limited
/// about: both frames turned so that their Y is that axis, and the angle from the edge outwards is about it.
///
/// Returns the turns of the frame in the parent and of that in the child.
pub(super) fn touching(half: [f32; 2], swing: Vec2, twist: f32) -> [Quat; 2] {
    let (edge, normal) = edge(half, swing);
    let swung = Quat::from_scaled_axis(Vec3::new(0.0, edge.x, edge.y));
    let along = swung * Vec3::X;
    let turned = |by: Vec2| {
        let by = turning(edge, by);
        by - along * by.dot(along)
    };
    let outwards = turned(normal);
    // At right angles to the way along the edge.
    let mut axis = along.cross(turned(normal.perp())).normalize_or(outwards);
    if axis.dot(outwards) < 0.0 {
        axis = -axis;
    }
    let axis = (axis - along * axis.dot(along)).normalize_or(along.any_orthonormal_vector());
    let frame = Quat::from_mat3(&Mat3::from_cols(along, axis, along.cross(axis)));
    let back = Quat::from_rotation_x(-twist) * swung.conjugate() * frame;
    [frame.normalize(), back.normalize()]
}

/// Which turn a change of a swing is: the left Jacobian of the exponential map.
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

    #[test]
    fn the_nearest_point_is_on_the_edge_and_at_right_angles() {
        for half in CONES {
            for way in directions() {
                for share in [0.4, 0.9, 1.2, 2.0] {
                    let swing = way * radius(half, way) * share;
                    let (point, normal) = edge(half, swing);
                    let on = (point / Vec2::from(half)).length();
                    assert!((on - 1.0).abs() < 1e-5, "{half:?} {swing}: {on}");
                    let found = swing.distance(point);
                    let best = (0..20_000)
                        .map(|i| Vec2::from_angle(i as f32 / 20_000.0 * std::f32::consts::TAU))
                        .map(|u| swing.distance(Vec2::from(half) * u))
                        .fold(f32::MAX, f32::min);
                    assert!(found - best < 0.01, "{half:?} {swing}: {found} and {best}");
                    assert!((normal.length() - 1.0).abs() < 1e-5);
                    let outside = excess(half, swing);
                    assert_eq!(outside > 0.0, share > 1.0, "{half:?} {swing}");
                }
            }
        }
    }

    /// About Y of the frames a turn is 0 on the edge, and grows outwards as the swing does.
    #[test]
    fn the_limit_is_zero_on_the_edge_and_grows_outwards() {
        for half in CONES {
            for way in directions() {
                for twist in [0.0, 0.4, -0.9] {
                    let on = way * radius(half, way);
                    let [first, second] = touching(half, on, twist);
                    let angle = |swing: Vec2, twist: f32| {
                        let swung = Quat::from_scaled_axis(Vec3::new(0.0, swing.x, swing.y));
                        let q = swung * Quat::from_rotation_x(twist);
                        let q = first.conjugate() * q * second;
                        2.0 * f32::atan2(q.y, q.w)
                    };
                    assert!(angle(on, twist).abs() < 1e-3, "{half:?} {on}");
                    let normal = edge(half, on).1;
                    let out = angle(on + normal * 0.01, twist);
                    // Round the sphere a step along the edge is shorter than one across it.
                    assert!(out > 0.004 && out < 0.0105, "{half:?} {on}: {out}");
                    let along = angle(on + normal.perp() * 0.01, twist);
                    assert!(along.abs() < 4e-4, "{half:?} {on}: {along}");
                    let spun = angle(on, twist + 0.01);
                    assert!(spun.abs() < 1e-4, "{half:?} {on}: {spun}");
                }
            }
        }
    }
}
