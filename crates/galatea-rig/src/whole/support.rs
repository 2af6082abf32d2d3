//! What feet stand on: the area around their heels and balls, over which the hips stay.

use glam::{Vec2, Vec3};

use crate::feet::MOST_LEGS;

/// Places that it may be around.
const MOST: usize = 2 * MOST_LEGS;

/// An area on the ground that curves outwards everywhere, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// Its corners, one after the other, seen from above, as many as there are.
    corners: [Vec2; MOST + 1],
    n: usize,
}

fn cross(a: Vec2, b: Vec2) -> f32 {
    a.perp_dot(b)
}

impl Support {
    /// The area around some places of the ground.
    pub fn around(places: impl IntoIterator<Item = Vec3>) -> Self {
        let mut all = [Vec2::ZERO; MOST];
        let mut n = 0;
        let places = places.into_iter().map(|p| Vec2::new(p.x, p.z));
        for (slot, place) in all.iter_mut().zip(places.filter(|p| p.is_finite())) {
            *slot = place;
            n += 1;
        }
        let all = &mut all[..n];
        all.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        let mut hull = Self {
            corners: [Vec2::ZERO; MOST + 1],
            n: 0,
        };
        hull.add_half(all.iter().copied());
        hull.add_half(all.iter().rev().copied());
        hull
    }

    /// Adds half of the corners, from one end of the sorted places to the other, without the last.
    fn add_half(&mut self, places: impl Iterator<Item = Vec2>) {
        let first = self.n;
        for place in places {
            while let [.., a, b] = self.corners[first..self.n]
                && cross(b - a, place - a) <= 0.0
            {
                self.n -= 1;
            }
            if self.n < self.corners.len() {
                self.corners[self.n] = place;
                self.n += 1;
            }
        }
        self.n = self.n.saturating_sub(1).max(first);
    }

    /// Metres by which a place is inside of its nearest edge; less than 0 outside.
    pub fn margin(&self, place: Vec3) -> f32 {
        let place = Vec2::new(place.x, place.z);
        self.edges()
            .map(|(from, inwards)| (place - from).dot(inwards))
            .fold(f32::MAX, f32::min)
    }

    /// A corner of every edge, and its unit normal inwards.
    fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
        let n = self.n;
        (0..n).filter_map(move |i| {
            let (from, to) = (self.corners[i], self.corners[(i + 1) % n]);
            Some((from, (to - from).perp().try_normalize()?))
        })
    }

    /// The place on the way from the middle, or from where it is allowed to be at least, to another at which it
    /// is `margin` metres inside. `home`: where it was, which is always allowed.
    pub fn held(&self, home: Vec3, place: Vec3, margin: f32) -> Vec3 {
        let from = Vec2::new(home.x, home.z);
        let way = Vec2::new(place.x, place.z) - from;
        let mut share = 1.0_f32;
        for (corner, inwards) in self.edges() {
            let inside = (from - corner).dot(inwards) - margin;
            let goes = way.dot(inwards);
            // Who stands outside already goes no farther out.
            if goes < 0.0 {
                share = share.min(inside.max(0.0) / -goes);
            }
        }
        let at = from + way * share.clamp(0.0, 1.0);
        Vec3::new(at.x, place.y, at.y)
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
            let wish = home + Vec3::new(angle.sin(), 0.0, angle.cos()) * 0.4;
            let held = support.held(home, wish, 0.03);
            assert!(support.margin(held) > 0.0299, "{held}");
            assert!(before.is_none_or(|before| before.distance(held) < 0.01));
            before = Some(held);
        }
        assert_eq!(support.held(home, home + Vec3::X * 0.01, 0.03).x, 0.01);
    }
}
