//! Shortest path of a taut rope around obstacles, as its bend points.

use glam::Vec3;

use super::ParticleObstacle;

/// Iterations in which bends move to the shortest path.
const ITERATIONS: usize = 12;
/// Iterations of the search for the point of a line nearest to an obstacle.
const SEARCH_STEPS: usize = 16;
/// Fraction of its radius by which a rope may overlap an obstacle and still pass it.
const MAX_OVERLAP: f32 = 0.5;

/// Pulls a polyline taut: the shortest path from its first to its last point that passes the obstacles on the same sides,
/// `radius` metres away from them. Planes do not bend a rope.
pub fn taut_path(points: &[Vec3], obstacles: &[ParticleObstacle], radius: f32) -> Vec<Vec3> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
        return Vec::new();
    };
    let near = near_obstacles(points, obstacles, radius);
    let mut path = vec![first];
    let mut from = 0;
    // Continues only while all points before are visible too; otherwise the rope would jump to the other side.
    for i in 2..points.len() {
        if !is_clear([points[from], points[i]], &near, radius) {
            from = i - 1;
            path.push(points[from]);
        }
    }
    if points.len() > 1 {
        path.push(last);
    }
    for _ in 0..ITERATIONS {
        for i in 1..path.len().saturating_sub(1) {
            path[i] = bend(path[i - 1], path[i], path[i + 1], &near, radius);
        }
        let mut i = 1;
        while i + 1 < path.len() {
            if is_clear([path[i - 1], path[i + 1]], &near, radius) {
                path.remove(i);
            } else {
                i += 1;
            }
        }
    }
    path
}

/// Length of a polyline, metres.
pub fn path_length(points: &[Vec3]) -> f32 {
    points
        .windows(2)
        .map(|pair| pair[0].distance(pair[1]))
        .sum()
}

fn near_obstacles(
    points: &[Vec3],
    obstacles: &[ParticleObstacle],
    radius: f32,
) -> Vec<ParticleObstacle> {
    let low = points.iter().copied().fold(Vec3::INFINITY, Vec3::min) - Vec3::splat(radius);
    let high = points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max) + Vec3::splat(radius);
    let is_near = |obstacle: &&ParticleObstacle| {
        let [from, to] = obstacle.bounds();
        !matches!(obstacle, ParticleObstacle::Plane { .. })
            && (from.cmple(high) & to.cmpge(low)).all()
    };
    obstacles.iter().filter(is_near).copied().collect()
}

/// Returns true if a straight line passes all obstacles.
fn is_clear([from, to]: [Vec3; 2], obstacles: &[ParticleObstacle], radius: f32) -> bool {
    obstacles.iter().all(|obstacle| {
        let point = nearest(from, to, obstacle);
        obstacle.distance(point).0 > radius * (1.0 - MAX_OVERLAP)
    })
}

/// Point of a line nearest to an obstacle. All obstacles are convex, so the distance has a single minimum.
fn nearest(from: Vec3, to: Vec3, obstacle: &ParticleObstacle) -> Vec3 {
    let at = |u: f32| obstacle.distance(from.lerp(to, u)).0;
    let (mut low, mut high) = (0.0_f32, 1.0_f32);
    for _ in 0..SEARCH_STEPS {
        let (a, b) = (low + (high - low) * 0.382, low + (high - low) * 0.618);
        if at(a) < at(b) {
            high = b;
        } else {
            low = a;
        }
    }
    from.lerp(to, 0.5 * (low + high))
}

/// Moves a bend towards the line between its neighbours, as far as the obstacles allow.
fn bend(
    before: Vec3,
    point: Vec3,
    after: Vec3,
    obstacles: &[ParticleObstacle],
    radius: f32,
) -> Vec3 {
    let chord = after - before;
    let squared = chord.length_squared();
    let u = if squared > 1e-12 {
        ((point - before).dot(chord) / squared).clamp(0.0, 1.0)
    } else {
        0.5
    };
    // Half of the correction: the full one could end on the other side of a thin obstacle.
    let mut moved = point.lerp(before + chord * u, 0.5);
    for obstacle in obstacles {
        let (distance, out) = obstacle.distance(moved);
        moved += out * (radius - distance).max(0.0);
    }
    moved
}

#[cfg(test)]
mod tests {
    use std::f32::consts::PI;

    use super::*;
    use glam::Quat;

    /// A slack line over an obstacle and down on both sides.
    fn over(width: f32) -> Vec<Vec3> {
        let up = (0..10).map(|i| Vec3::new(-width, i as f32 * 0.2, 0.0));
        let down = (0..10).map(|i| Vec3::new(width, 1.8 - i as f32 * 0.2, 0.0));
        up.chain(down).collect()
    }

    #[test]
    fn a_rope_over_a_beam_takes_the_shortest_path() {
        let beam = ParticleObstacle::Capsule {
            a: Vec3::new(0.0, 1.5, -1.0),
            b: Vec3::new(0.0, 1.5, 1.0),
            radius: 0.2,
        };
        let path = taut_path(&over(0.3), &[beam], 0.01);
        assert!(path.len() > 2, "{path:?}");
        assert!(
            path.iter().all(|at| beam.distance(*at).0 > 0.005),
            "{path:?}"
        );
        // Two tangents of a beam that is 0.2 m thick, and less than half of its circumference.
        let radius = 0.21_f32;
        let shortest = 2.0 * (0.3_f32.powi(2) + 1.5 * 1.5 - radius * radius).sqrt();
        let length = path_length(&path);
        assert!(
            length > shortest && length < shortest + PI * radius,
            "{length} {shortest}"
        );
    }

    #[test]
    fn a_rope_next_to_obstacles_or_on_the_floor_is_straight() {
        let floor = ParticleObstacle::Plane {
            normal: Vec3::Y,
            height: 0.0,
        };
        let aside = ParticleObstacle::Box {
            center: Vec3::new(0.0, 1.0, 2.0),
            rotation: Quat::IDENTITY,
            half: Vec3::splat(0.5),
        };
        for points in [over(0.3), over(2.0)] {
            let path = taut_path(&points, &[floor, aside], 0.01);
            assert_eq!(path, [points[0], points[19]]);
        }
        assert!(taut_path(&[], &[floor], 0.01).is_empty());
    }
}
