//! Lines on the ground.

use glam::{Vec2, Vec3};

/// A place as it is seen from above: x, and z as y.
pub fn flat(at: Vec3) -> Vec2 {
    Vec2::new(at.x, at.z)
}

/// The place of a line between two ends that is nearest to another.
pub fn nearest_on([a, b]: [Vec2; 2], place: Vec2) -> Vec2 {
    let way = b - a;
    let along = (place - a).dot(way) / way.length_squared().max(1e-12);
    a + way * along.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_place_is_across_or_at_an_end_also_where_both_are_one() {
        let line = [Vec2::ZERO, Vec2::X * 4.0];
        assert_eq!(nearest_on(line, Vec2::new(1.0, 3.0)), Vec2::X);
        assert_eq!(nearest_on(line, Vec2::new(9.0, 3.0)), Vec2::X * 4.0);
        assert_eq!(nearest_on([Vec2::ONE; 2], Vec2::ZERO), Vec2::ONE);
    }
}
