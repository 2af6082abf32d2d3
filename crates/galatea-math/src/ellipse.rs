//! Ellipses about the origin: radius and nearest point.

use glam::Vec2;

/// Minimum length of a half axis.
const MIN_HALF_AXIS: f32 = 1e-3;
/// Iterations of the search for the nearest point; each adds about two digits.
const ITERATIONS: usize = 4;

/// Radius of the ellipse in a direction.
pub fn radius([along_x, along_y]: [f32; 2], direction: Vec2) -> f32 {
    let along = direction.normalize_or(Vec2::X);
    let axes = Vec2::new(along_x, along_y).max(Vec2::splat(MIN_HALF_AXIS));
    (along / axes).length().recip()
}

/// Distance of a point outside of the ellipse; 0 inside.
pub fn excess(half: [f32; 2], point: Vec2) -> f32 {
    if point.length() <= radius(half, point) {
        return 0.0;
    }
    point.distance(nearest(half, point).0)
}

/// The point of the ellipse nearest to a position, and the unit outward normal there.
///
/// Iterates with the osculating circle at the current point, whose centre is on the evolute.
pub fn nearest(half: [f32; 2], point: Vec2) -> (Vec2, Vec2) {
    let axes = Vec2::from(half).max(Vec2::splat(MIN_HALF_AXIS));
    let to = point.abs();
    let squares = axes * axes;
    let bend = Vec2::new(squares.x - squares.y, squares.y - squares.x) / axes;
    // Current point of the ellipse as cosine and sine.
    let mut u = Vec2::splat(std::f32::consts::FRAC_1_SQRT_2);
    for _ in 0..ITERATIONS {
        let centre = bend * u * u * u;
        let (from, direction) = (axes * u - centre, to - centre);
        let length = direction.length();
        if length < 1e-9 {
            break;
        }
        let next =
            ((direction * (from.length() / length) + centre) / axes).clamp(Vec2::ZERO, Vec2::ONE);
        u = next.normalize_or(u);
    }
    let sign = Vec2::new(1.0_f32.copysign(point.x), 1.0_f32.copysign(point.y));
    let point = axes * u * sign;
    (point, (point / squares).normalize_or(Vec2::X))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALVES: [[f32; 2]; 4] = [[1.3, 0.4], [0.2, 0.6], [0.7, 0.7], [1.2, 0.05]];

    fn directions() -> impl Iterator<Item = Vec2> {
        (0..48).map(|i| Vec2::from_angle(i as f32 / 48.0 * std::f32::consts::TAU))
    }

    #[test]
    fn the_nearest_point_is_on_the_edge_and_at_right_angles() {
        for half in HALVES {
            for direction in directions() {
                for factor in [0.4, 0.9, 1.2, 2.0] {
                    let swing = direction * radius(half, direction) * factor;
                    let (point, normal) = nearest(half, swing);
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
                    assert_eq!(outside > 0.0, factor > 1.0, "{half:?} {swing}");
                }
            }
        }
    }
}
