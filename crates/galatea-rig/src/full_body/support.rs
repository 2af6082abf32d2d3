//! Support polygon: the convex hull of heels and balls on the ground, over which the hips stay.

use glam::{Vec2, Vec3};

use crate::foot_ik::MAX_LEGS;

/// Maximum number of points of the hull.
const MAX_POINTS: usize = 2 * MAX_LEGS;

/// A convex area on the ground, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// Corners in order as seen from above; the first `n` are used.
    corners: [Vec2; MAX_POINTS + 1],
    n: usize,
}

fn cross(a: Vec2, b: Vec2) -> f32 {
    a.perp_dot(b)
}

impl Support {
    /// Convex hull of points on the ground.
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Self {
        let mut all = [Vec2::ZERO; MAX_POINTS];
        let mut n = 0;
        let points = points.into_iter().map(|p| Vec2::new(p.x, p.z));
        for (slot, position) in all.iter_mut().zip(points.filter(|p| p.is_finite())) {
            *slot = position;
            n += 1;
        }
        let all = &mut all[..n];
        all.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        let mut hull = Self {
            corners: [Vec2::ZERO; MAX_POINTS + 1],
            n: 0,
        };
        hull.add_half(all.iter().copied());
        hull.add_half(all.iter().rev().copied());
        hull
    }

    /// Appends half of the hull, without its last corner, from points sorted in one direction.
    fn add_half(&mut self, points: impl Iterator<Item = Vec2>) {
        let first = self.n;
        for position in points {
            while let [.., a, b] = self.corners[first..self.n]
                && cross(b - a, position - a) <= 0.0
            {
                self.n -= 1;
            }
            if self.n < self.corners.len() {
                self.corners[self.n] = position;
                self.n += 1;
            }
        }
        self.n = self.n.saturating_sub(1).max(first);
    }

    /// Distance of a position inside of its nearest edge, metres; negative outside.
    pub fn margin(&self, position: Vec3) -> f32 {
        let point = Vec2::new(position.x, position.z);
        self.edges()
            .map(|(from, inwards)| (point - from).dot(inwards))
            .fold(f32::MAX, f32::min)
    }

    /// Iterates over the edges: a corner and the unit normal inwards.
    fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
        let n = self.n;
        (0..n).filter_map(move |i| {
            let (from, to) = (self.corners[i], self.corners[(i + 1) % n]);
            Some((from, (to - from).perp().try_normalize()?))
        })
    }

    /// Moves from `home` towards `position`, at most until it is `margin` metres inside of the area. `home` itself is always
    /// allowed, also outside.
    pub fn held(&self, home: Vec3, position: Vec3, margin: f32) -> Vec3 {
        let from = Vec2::new(home.x, home.z);
        let moved = Vec2::new(position.x, position.z) - from;
        let mut fraction = 1.0_f32;
        for (corner, inwards) in self.edges() {
            let inside = (from - corner).dot(inwards) - margin;
            let outward = moved.dot(inwards);
            // From outside, no movement further out is allowed.
            if outward < 0.0 {
                fraction = fraction.min(inside.max(0.0) / -outward);
            }
        }
        let at = from + moved * fraction.clamp(0.0, 1.0);
        Vec3::new(at.x, position.y, at.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hips_stay_over_the_feet_by_the_margin_and_move_without_jumps() {
        let feet = [
            (-0.1, -0.05),
            (-0.1, 0.12),
            (0.1, -0.05),
            (0.1, 0.12),
            (0.0, 0.0),
        ];
        let support = Support::around(feet.map(|(x, z)| Vec3::new(x, 0.0, z)));
        assert_eq!(support.n, 4);
        let home = Vec3::new(0.0, 0.9, 0.02);
        assert!((support.margin(home) - 0.07).abs() < 1e-6);
        let mut before: Option<Vec3> = None;
        for i in 0..720 {
            let angle = (i as f32 * 0.5).to_radians();
            let target = home + Vec3::new(angle.sin(), 0.0, angle.cos()) * 0.4;
            let held = support.held(home, target, 0.03);
            assert!(support.margin(held) > 0.0299, "{held}");
            assert!(before.is_none_or(|before| before.distance(held) < 0.01));
            before = Some(held);
        }
        assert_eq!(support.held(home, home + Vec3::X * 0.01, 0.03).x, 0.01);
    }
}
