//! Walking on a mesh: a step that leads over its border slides along it.

use glam::{Vec2, Vec3};

use super::mesh::{NONE, NavMesh, NavPoint};
use galatea_math::lines::nearest_on;

/// Polygons that a step may touch.
const MOST: usize = 32;

impl NavMesh {
    /// Where a step from a spot to a place on the ground ends: there, or at the nearest place of the mesh that the step
    /// reaches. Polygons are entered over their edges only, so that floors above each other stay apart.
    pub fn step(&self, from: NavPoint, to: Vec2) -> NavPoint {
        let spot = |polygon: u32, at: Vec2| NavPoint {
            polygon,
            at: Vec3::new(at.x, self.height(polygon, at), at.y),
        };
        if !to.is_finite() {
            return from;
        }
        let start = Vec2::new(from.at.x, from.at.z);
        let (middle, reach) = ((start + to) * 0.5, start.distance(to) * 0.5 + 1e-3);
        let mut open = [from.polygon; MOST];
        let (mut n, mut next) = (1, 0);
        let mut nearest = (f32::INFINITY, from.polygon, start);
        while next < n {
            let polygon = open[next];
            next += 1;
            if self.holds(polygon, to) {
                return spot(polygon, to);
            }
            for edge in self.edges(polygon) {
                let [a, b] = self.ends(edge).map(|end| Vec2::new(end.x, end.z));
                let beyond = self.beyond(edge);
                if beyond == NONE {
                    let near = nearest_on([a, b], to);
                    let far = near.distance_squared(to);
                    if far < nearest.0 {
                        nearest = (far, polygon, near);
                    }
                } else if n < MOST
                    && !open[..n].contains(&beyond)
                    && nearest_on([a, b], middle).distance(middle) <= reach
                {
                    open[n] = beyond;
                    n += 1;
                }
            }
        }
        match nearest {
            (far, _, _) if !far.is_finite() => from,
            (_, polygon, at) => spot(polygon, at),
        }
    }
}
