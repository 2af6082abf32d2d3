//! Which triangles of what the processor deformed can leave a trace in the picture or in the sun's maps.
//!
//! Where the processor draws, its driver takes about 100 ns for a triangle, on one thread, also for one that shows its
//! back or lies between the places where pixels are sampled; here it is a few, on all threads (Wihlidal, "Optimizing
//! the graphics pipeline with compute", GDC 2016). What is left out would have drawn nothing: the picture stays the
//! same to the bit; only ribbons are drawn in fewer pieces where they run straight. Callers: `on_cpu`.

use glam::{Affine3A, Mat4, Vec2, Vec3};

use super::view::{NEAR, clip_from_world};
use galatea_stage::frame::Camera;

/// Pixels by which a point may come out elsewhere in the driver, which keeps 8 bits behind the point.
const SLACK: f32 = 1.0 / 64.0;

/// Pixels by which the middle of a ribbon may run elsewhere.
const STRAIGHT: f32 = 0.35;
/// Pieces of a ribbon that are drawn as one, at most, and the pixels that those may be long: light changes along it.
const MOST_AS_ONE: usize = 8;
const LONGEST: f32 = 44.0;

/// The picture, or map of depth, that is looked at.
#[derive(Clone, Copy, Debug)]
pub struct SampleGrid {
    clip_from_world: Mat4,
    size: Vec2,
    /// Rows and columns of sampled places in a pixel.
    grid: f32,
}

/// Which side of a triangle is drawn alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrawnSide {
    Both,
    /// The one from which its corners go round against the clock.
    Ccw,
    Cw,
}

impl SampleGrid {
    /// A picture of `size` pixels with `samples` places (1 or 4) in each.
    pub fn new(camera: &Camera, size: (u32, u32), samples: u32) -> Self {
        Self {
            clip_from_world: clip_from_world(camera, size),
            size: Vec2::new(size.0 as f32, size.1 as f32),
            // Four samples stand in rows and columns of their own, an eighth of a pixel from the edge.
            grid: if samples > 1 { 4.0 } else { 1.0 },
        }
    }

    /// A map of `texels` along each side, seen without perspective.
    pub fn of_map(clip_from_world: Mat4, texels: u32) -> Self {
        Self {
            clip_from_world,
            size: Vec2::splat(texels as f32),
            grid: 1.0,
        }
    }

    /// Where points of a model come to, pixels from the upper left; not a number for those at the eye or behind it.
    pub fn project(&self, world_from_model: &Affine3A, points: &[Vec3], out: &mut Vec<Vec2>) {
        out.clear();
        let half = self.size * 0.5;
        out.extend(points.iter().map(|point| {
            // In two steps, as the shader does it: far from the origin they round otherwise.
            let world = world_from_model.transform_point3(*point);
            let clip = self.clip_from_world * world.extend(1.0);
            if clip.w < NEAR {
                return Vec2::NAN;
            }
            let by = clip.w.recip();
            Vec2::new(half.x + half.x * clip.x * by, half.y - half.y * clip.y * by)
        }));
    }

    /// Adds the triangles (three indices into `points` each) that can cover a sampled place.
    pub fn seen(&self, points: &[Vec2], triangles: &[u32], side: DrawnSide, out: &mut Vec<u32>) {
        for corners in triangles.as_chunks::<3>().0 {
            let [a, b, c] = corners.map(|i| points[i as usize]);
            if self.may_show(a, b, c, side) {
                out.extend(corners);
            }
        }
    }

    /// The same of ribbons, whose pieces follow each other as two triangles each with corners left, left of the next,
    /// right of the next; left, right of the next, right. Pieces that run straight on are drawn as one.
    pub fn seen_ribbons(&self, points: &[Vec2], triangles: &[u32], out: &mut Vec<u32>) {
        let pieces = triangles.as_chunks::<6>().0;
        let mut first = 0;
        while first < pieces.len() {
            let mut n = 1;
            let begins = |piece: &[u32; 6]| (piece[0], piece[5]);
            let ends = |piece: &[u32; 6]| (piece[1], piece[2]);
            let middle =
                |(left, right): (u32, u32)| (points[left as usize] + points[right as usize]) * 0.5;
            let from = middle(begins(&pieces[first]));
            while n < MOST_AS_ONE
                && first + n < pieces.len()
                && begins(&pieces[first + n]) == ends(&pieces[first + n - 1])
            {
                let way = middle(ends(&pieces[first + n])) - from;
                let length = way.length();
                let is_straight = |piece: &[u32; 6]| {
                    let off = middle(ends(piece)) - from;
                    let (along, aside) = (off.dot(way), off.perp_dot(way));
                    aside.abs() <= STRAIGHT * length && (0.0..=length * length).contains(&along)
                };
                // Of what is behind the eye, which is no number, nothing is straight.
                if length > LONGEST || !pieces[first..first + n].iter().all(is_straight) {
                    break;
                }
                n += 1;
            }
            let ((left, right), (far_left, far_right)) =
                (begins(&pieces[first]), ends(&pieces[first + n - 1]));
            let merged = [left, far_left, far_right, left, far_right, right];
            self.seen(points, &merged, DrawnSide::Both, out);
            first += n;
        }
    }

    #[inline(always)]
    fn may_show(&self, a: Vec2, b: Vec2, c: Vec2, side: DrawnSide) -> bool {
        let is_behind = [a, b, c].map(|point| point.is_nan());
        if is_behind.contains(&true) {
            return is_behind.contains(&false);
        }
        let low = a.min(b).min(c) - SLACK;
        let high = a.max(b).max(c) + SLACK;
        let inside = high.cmpge(Vec2::ZERO) & low.cmple(self.size);
        // The first sampled row and column not before the triangle, and the last not after it.
        let first = (low * self.grid - 0.5).ceil();
        let last = (high * self.grid - 0.5).floor();
        if !(inside & first.cmple(last)).all() {
            return false;
        }
        if side == DrawnSide::Both {
            return true;
        }
        // Twice the area, positive where the corners go round against the clock as it is seen: y goes down.
        let area = (c - a).perp_dot(b - a);
        let towards = if side == DrawnSide::Ccw { area } else { -area };
        let reach = high - low;
        towards > -SLACK * (reach.x + reach.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight(samples: u32) -> SampleGrid {
        let camera = Camera {
            eye: Vec3::new(0.0, 0.0, 10.0),
            target: Vec3::ZERO,
            fov_y: 60.0,
        };
        SampleGrid::new(&camera, (100, 100), samples)
    }

    fn shows(samples: u32, corners: [[f32; 2]; 3], side: DrawnSide) -> bool {
        let mut out = Vec::new();
        let points = corners.map(Vec2::from_array);
        sight(samples).seen(&points, &[0, 1, 2], side, &mut out);
        !out.is_empty()
    }

    #[test]
    fn points_come_to_their_pixels() {
        let mut out = Vec::new();
        let points = [Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0), Vec3::Z * 10.0];
        sight(1).project(&Affine3A::IDENTITY, &points, &mut out);
        assert!((out[0] - Vec2::splat(50.0)).length() < 1e-4);
        let off = 50.0 / (10.0 * 30_f32.to_radians().tan());
        assert!((out[1] - Vec2::new(50.0 + off, 50.0 - off)).length() < 1e-3);
        assert!(out[2].is_nan(), "at the eye");
    }

    /// Indices of a ribbon over so many pairs of points, left and right, from one of them on.
    fn ribbon(first: u32, n: u32) -> Vec<u32> {
        let piece = |k: u32| {
            let (left, right) = (first + 2 * k + 1, first + 2 * k);
            [left, left + 2, right + 2, left, right + 2, right]
        };
        (0..n - 1).flat_map(piece).collect()
    }

    #[test]
    fn straight_pieces_of_a_ribbon_are_drawn_as_one_and_bent_ones_are_kept() {
        let pairs = |at: &[[f32; 2]]| -> Vec<Vec2> {
            let sides = |p: &[f32; 2]| [Vec2::from(*p) - Vec2::X, Vec2::from(*p) + Vec2::X];
            at.iter().flat_map(sides).collect()
        };
        let count = |points: &[Vec2], indices: &[u32]| {
            let mut out = Vec::new();
            sight(1).seen_ribbons(points, indices, &mut out);
            out.len() / 6
        };
        // Down, then off at a right angle.
        let bent = pairs(&[
            [20.0, 10.0],
            [20.0, 15.0],
            [20.2, 20.0],
            [20.0, 25.0],
            [25.0, 30.0],
            [30.0, 35.0],
        ]);
        let mut out = Vec::new();
        sight(1).seen_ribbons(&bent, &ribbon(0, 6), &mut out);
        assert_eq!(out[..6], [1, 7, 6, 1, 6, 0]);
        assert_eq!(out.len(), 12);
        // Two ribbons one after the other are two.
        let mut two = pairs(&[[20.0, 10.0], [20.0, 15.0]]);
        two.extend(pairs(&[[20.0, 15.0], [20.0, 20.0]]));
        let indices = [ribbon(0, 2), ribbon(4, 2)].concat();
        assert_eq!(count(&two, &indices), 2);
        // What comes back on itself is not straight.
        assert_eq!(
            count(
                &pairs(&[[20.0, 10.0], [20.0, 20.0], [20.0, 14.0]]),
                &ribbon(0, 3)
            ),
            2
        );
        // Long ones are cut, since light changes along them.
        let long: Vec<[f32; 2]> = (0..9).map(|k| [20.0, 10.0 + 10.0 * k as f32]).collect();
        assert_eq!(count(&pairs(&long), &ribbon(0, 9)), 2);
        let behind = [&bent[..8], &[Vec2::NAN; 4]].concat();
        assert_eq!(count(&behind, &ribbon(0, 6)), 2);
    }

    #[test]
    fn a_map_is_seen_without_perspective() {
        let mut out = Vec::new();
        let map = SampleGrid::of_map(Mat4::from_scale(Vec3::new(0.5, 0.5, 1.0)), 64);
        let points = [
            Vec3::ZERO,
            Vec3::new(1.0, 1.0, -9.0),
            Vec3::new(-2.0, 2.0, 9.0),
        ];
        map.project(&Affine3A::IDENTITY, &points, &mut out);
        assert_eq!(out, [Vec2::splat(32.0), Vec2::new(48.0, 16.0), Vec2::ZERO]);
    }

    #[test]
    fn what_lies_between_samples_or_outside_or_behind_the_eye() {
        let at = |x: f32, y: f32, size: f32| [[x, y], [x, y + size], [x + size, y]];
        // From 10.55 to 11.45 there is no middle of a pixel, but there are places of four samples.
        assert!(!shows(1, at(10.55, 20.0, 0.85), DrawnSide::Both));
        assert!(shows(4, at(10.55, 20.0, 0.85), DrawnSide::Both));
        assert!(!shows(1, at(10.0, 20.55, 0.85), DrawnSide::Both));
        assert!(shows(1, at(10.3, 20.3, 0.85), DrawnSide::Both));
        assert!(!shows(4, at(10.4, 20.4, 0.2), DrawnSide::Both));
        assert!(shows(4, at(10.3, 20.3, 0.1), DrawnSide::Both));
        for (x, y) in [(-5.0, 50.0), (102.0, 50.0), (50.0, -5.0), (50.0, 102.0)] {
            assert!(!shows(1, at(x, y, 3.0), DrawnSide::Both), "{x} {y}");
        }
        assert!(shows(1, at(-1.0, -1.0, 200.0), DrawnSide::Both));
        let behind = [f32::NAN; 2];
        assert!(shows(1, [behind, [1.0, 0.0], [0.0, 1.0]], DrawnSide::Both));
        assert!(!shows(1, [behind; 3], DrawnSide::Both));
    }

    #[test]
    fn backs_are_left_out_where_they_are_not_drawn() {
        // Against the clock as it is seen: down, then right.
        let front = [[10.0, 10.0], [10.0, 30.0], [30.0, 10.0]];
        let back = [front[0], front[2], front[1]];
        for (side, of_front, of_back) in [
            (DrawnSide::Both, true, true),
            (DrawnSide::Ccw, true, false),
            (DrawnSide::Cw, false, true),
        ] {
            assert_eq!(shows(1, front, side), of_front, "{side:?}");
            assert_eq!(shows(1, back, side), of_back, "{side:?}");
        }
        // Seen from the edge it may be either.
        let edge = [[10.0, 10.0], [10.0, 30.0], [10.001, 50.0]];
        assert!(
            shows(1, edge, DrawnSide::Ccw)
                || shows(1, edge, DrawnSide::Cw)
                || !shows(1, edge, DrawnSide::Both)
        );
    }
}
