//! Movement on a mesh: steps that slide along its borders, and straight lines.

use glam::{Vec2, Vec3};

use super::mesh::{NONE, NavMesh, NavPoint};
use galatea_math::lines::{flat, nearest_on};

/// Maximum number of polygons that a step visits.
const MAX_TOUCHED: usize = 32;
/// Maximum number of polygons that a straight line crosses.
const MAX_CROSSED: usize = 256;

impl NavMesh {
    /// The end of a step towards a position on the ground: that position, or the nearest point of the mesh that the step
    /// reaches. Steps enter polygons over edges only, so floors above each other stay separate.
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
        let mut open = [from.polygon; MAX_TOUCHED];
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
                } else if n < MAX_TOUCHED
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

    /// The fraction of a straight line to a position on the ground that is on the mesh, up to the first border.
    pub fn straight(&self, from: NavPoint, to: Vec2) -> f32 {
        let start = flat(from.at);
        let way = to - start;
        let (mut polygon, mut reached) = (from.polygon, 0.0);
        for _ in 0..MAX_CROSSED {
            if self.holds(polygon, to) {
                return 1.0;
            }
            let n_corners = self.edges(polygon).len().max(1) as f32;
            let middle = self.around(polygon).map(flat).sum::<Vec2>() / n_corners;
            let crossed = self.edges(polygon).filter_map(|edge| {
                let [a, b] = self.ends(edge).map(flat);
                let along = b - a;
                let outside = along.perp_dot(middle - a).signum();
                // Positive where the line leaves the polygon.
                let leaving = way.perp_dot(along) * outside;
                let at = (a - start).perp_dot(along) / way.perp_dot(along);
                (leaving > 0.0).then_some((at, edge))
            });
            let Some((at, edge)) = crossed.min_by(|a, b| a.0.total_cmp(&b.0)) else {
                break;
            };
            polygon = self.beyond(edge);
            reached = at.clamp(0.0, 1.0);
            if polygon == NONE {
                break;
            }
        }
        reached
    }

    /// Distance from a point to the nearest border that can be reached from it, metres, at most `reach` (as Detour's
    /// `findDistanceToWall`).
    pub fn wall_distance(&self, from: NavPoint, reach: f32) -> f32 {
        let at = flat(from.at);
        let mut open = vec![from.polygon];
        let (mut next, mut nearest) = (0, reach);
        while let Some(polygon) = open.get(next).copied() {
            next += 1;
            for edge in self.edges(polygon) {
                let distance = nearest_on(self.ends(edge).map(flat), at).distance(at);
                let beyond = self.beyond(edge);
                if distance >= nearest {
                    continue;
                }
                if beyond == NONE {
                    nearest = distance;
                } else if !open.contains(&beyond) {
                    open.push(beyond);
                }
            }
        }
        nearest
    }
}
