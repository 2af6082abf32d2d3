//! Lines on the ground.

use glam::{Vec2, Vec3};

/// A position seen from above: x, and z as y.
pub fn flat(at: Vec3) -> Vec2 {
    Vec2::new(at.x, at.z)
}

/// The point of a line segment nearest to a position.
pub fn nearest_on([a, b]: [Vec2; 2], position: Vec2) -> Vec2 {
    let edge = b - a;
    let along = (position - a).dot(edge) / edge.length_squared().max(1e-12);
    a + edge * along.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_perpendicular_or_an_end() {
        let line = [Vec2::ZERO, Vec2::X * 4.0];
        assert_eq!(nearest_on(line, Vec2::new(1.0, 3.0)), Vec2::X);
        assert_eq!(nearest_on(line, Vec2::new(9.0, 3.0)), Vec2::X * 4.0);
        assert_eq!(nearest_on([Vec2::ONE; 2], Vec2::ZERO), Vec2::ONE);
    }
}
