//! CPU triangle culling for software renderers: finds the triangles that can affect the image or the sun's cascades.
//!
//! A software renderer's driver takes about 100 ns per triangle on one thread, even for a back face or a triangle that
//! covers no sample. Here it takes a few nanoseconds, on all threads (Wihlidal, "Optimizing the graphics pipeline with
//! compute", GDC 2016). Culled triangles would have drawn nothing, so the image stays bit-identical. The exception is
//! ribbons, whose straight runs are drawn with fewer pieces. Used by `on_cpu`.

use glam::{Affine3A, Mat4, Vec2, Vec3};

use super::view::{NEAR, clip_from_world};
use galatea_stage::frame::Camera;

/// Tolerance for the driver's rounding of vertex positions to 8 fractional bits, pixels.
const TOLERANCE: f32 = 1.0 / 64.0;

/// Maximum deviation of a merged ribbon from its centre line, pixels.
const MAX_DEVIATION: f32 = 0.35;
/// Maximum number of ribbon pieces merged into one, and the maximum length of the result in pixels, since the lighting
/// varies along it.
const MAX_MERGED: usize = 8;
const MAX_LENGTH: f32 = 44.0;

/// Sample grid of the image or of a depth map.
#[derive(Clone, Copy, Debug)]
pub struct SampleGrid {
    clip_from_world: Mat4,
    size: Vec2,
    /// Sample rows and columns per pixel.
    grid: f32,
}

/// Visible side of triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrawnSide {
    Both,
    /// Counter-clockwise triangles only.
    Ccw,
    Cw,
}

impl SampleGrid {
    /// Grid of an image of `size` pixels with 1 or 4 samples per pixel.
    pub fn new(camera: &Camera, size: (u32, u32), samples: u32) -> Self {
        Self {
            clip_from_world: clip_from_world(camera, size),
            size: Vec2::new(size.0 as f32, size.1 as f32),
            // Each of the four samples has its own row and column, and the outermost are an eighth of a pixel from the edge.
            grid: if samples > 1 { 4.0 } else { 1.0 },
        }
    }

    /// Grid of a square depth map with `texels` per side and an orthographic projection.
    pub fn of_map(clip_from_world: Mat4, texels: u32) -> Self {
        Self {
            clip_from_world,
            size: Vec2::splat(texels as f32),
            grid: 1.0,
        }
    }

    /// Projects points of a model to pixels from the upper left. Points at or behind the eye become NaN.
    pub fn project(&self, world_from_model: &Affine3A, points: &[Vec3], out: &mut Vec<Vec2>) {
        out.clear();
        let half = self.size * 0.5;
        out.extend(points.iter().map(|point| {
            // Two steps, as in the shader, so that the rounding is the same far from the origin.
            let world = world_from_model.transform_point3(*point);
            let clip = self.clip_from_world * world.extend(1.0);
            if clip.w < NEAR {
                return Vec2::NAN;
            }
            let by = clip.w.recip();
            Vec2::new(half.x + half.x * clip.x * by, half.y - half.y * clip.y * by)
        }));
    }

    /// Appends the triangles (three indices into `points` each) that can cover a sample.
    pub fn seen(&self, points: &[Vec2], triangles: &[u32], side: DrawnSide, out: &mut Vec<u32>) {
        for corners in triangles.as_chunks::<3>().0 {
            let [a, b, c] = corners.map(|i| points[i as usize]);
            if self.may_cover_sample(a, b, c, side) {
                out.extend(corners);
            }
        }
    }

    /// Same as [`SampleGrid::seen`], for ribbons. Each piece is two triangles: left, next left, next right; and left, next
    /// right, right. Straight runs of pieces are merged.
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
            while n < MAX_MERGED
                && first + n < pieces.len()
                && begins(&pieces[first + n]) == ends(&pieces[first + n - 1])
            {
                let chord = middle(ends(&pieces[first + n])) - from;
                let length = chord.length();
                let is_straight = |piece: &[u32; 6]| {
                    let off = middle(ends(piece)) - from;
                    let (along, aside) = (off.dot(chord), off.perp_dot(chord));
                    aside.abs() <= MAX_DEVIATION * length
                        && (0.0..=length * length).contains(&along)
                };
                // Points behind the eye are NaN, so the comparison fails and they are never merged.
                if length > MAX_LENGTH || !pieces[first..first + n].iter().all(is_straight) {
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
    fn may_cover_sample(&self, a: Vec2, b: Vec2, c: Vec2, side: DrawnSide) -> bool {
        let is_behind = [a, b, c].map(|point| point.is_nan());
        if is_behind.contains(&true) {
            return is_behind.contains(&false);
        }
        let low = a.min(b).min(c) - TOLERANCE;
        let high = a.max(b).max(c) + TOLERANCE;
        let inside = high.cmpge(Vec2::ZERO) & low.cmple(self.size);
        // First sample row and column inside the triangle's bounds, and the last.
        let first = (low * self.grid - 0.5).ceil();
        let last = (high * self.grid - 0.5).floor();
        if !(inside & first.cmple(last)).all() {
            return false;
        }
        if side == DrawnSide::Both {
            return true;
        }
        // Twice the signed area. It is positive if the corners appear counter-clockwise, since y points down.
        let area = (c - a).perp_dot(b - a);
        let towards = if side == DrawnSide::Ccw { area } else { -area };
        let reach = high - low;
        towards > -TOLERANCE * (reach.x + reach.y)
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
    fn points_are_projected_to_pixels() {
        let mut out = Vec::new();
        let points = [Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0), Vec3::Z * 10.0];
        sight(1).project(&Affine3A::IDENTITY, &points, &mut out);
        assert!((out[0] - Vec2::splat(50.0)).length() < 1e-4);
        let off = 50.0 / (10.0 * 30_f32.to_radians().tan());
        assert!((out[1] - Vec2::new(50.0 + off, 50.0 - off)).length() < 1e-3);
        assert!(out[2].is_nan(), "at the eye");
    }

    /// Indices of a ribbon over `n` pairs of points (left, right), starting at point `first`.
    fn ribbon(first: u32, n: u32) -> Vec<u32> {
        let piece = |k: u32| {
            let (left, right) = (first + 2 * k + 1, first + 2 * k);
            [left, left + 2, right + 2, left, right + 2, right]
        };
        (0..n - 1).flat_map(piece).collect()
    }

    #[test]
    fn straight_ribbon_pieces_are_merged_and_bent_ones_are_not() {
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
        // Two separate ribbons are not merged.
        let mut two = pairs(&[[20.0, 10.0], [20.0, 15.0]]);
        two.extend(pairs(&[[20.0, 15.0], [20.0, 20.0]]));
        let indices = [ribbon(0, 2), ribbon(4, 2)].concat();
        assert_eq!(count(&two, &indices), 2);
        // A piece that doubles back is not straight.
        assert_eq!(
            count(
                &pairs(&[[20.0, 10.0], [20.0, 20.0], [20.0, 14.0]]),
                &ribbon(0, 3)
            ),
            2
        );
        // Long runs are split, since the lighting varies along them.
        let long: Vec<[f32; 2]> = (0..9).map(|k| [20.0, 10.0 + 10.0 * k as f32]).collect();
        assert_eq!(count(&pairs(&long), &ribbon(0, 9)), 2);
        let behind = [&bent[..8], &[Vec2::NAN; 4]].concat();
        assert_eq!(count(&behind, &ribbon(0, 6)), 2);
    }

    #[test]
    fn a_map_is_projected_orthographically() {
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
    fn triangles_between_samples_outside_or_behind_the_eye_are_culled() {
        let at = |x: f32, y: f32, size: f32| [[x, y], [x, y + size], [x + size, y]];
        // There is no pixel centre between 10.55 and 11.45, but there are samples of 4× multisampling.
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
    fn back_faces_are_culled_if_they_are_not_drawn() {
        // Counter-clockwise on screen: down, then right.
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
        // A triangle seen edge-on may count as either side.
        let edge = [[10.0, 10.0], [10.0, 30.0], [10.001, 50.0]];
        assert!(
            shows(1, edge, DrawnSide::Ccw)
                || shows(1, edge, DrawnSide::Cw)
                || !shows(1, edge, DrawnSide::Both)
        );
    }
}
