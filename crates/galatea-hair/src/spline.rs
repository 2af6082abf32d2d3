//! Curve interpolation between the points of a strand.

use glam::Vec3;

/// Type of the curve through the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Spline {
    /// Catmull-Rom: equally spaced points are traversed at constant speed.
    #[default]
    CatmullRom,
    /// The book's curve, whose tangents at the ends of a segment are twice as long.
    Book,
}

/// Segment of `n` points that contains the fraction `along` (0 root, 1 tip), and the position in it. At 1 it is the end of
/// the last segment.
pub fn segment(n: usize, along: f32) -> (usize, f32) {
    let last = n.saturating_sub(2);
    let at = along.clamp(0.0, 1.0) * n.saturating_sub(1) as f32;
    let i = (at as usize).min(last);
    (i, at - i as f32)
}

impl Spline {
    /// Point at a fraction of a strand, 0 root to 1 tip; values outside are clamped. Without points, returns the origin.
    pub fn point(self, points: &[Vec3], along: f32) -> Vec3 {
        let (i, t) = segment(points.len(), along);
        let last = points.len().saturating_sub(1);
        let p = |i: usize| points.get(i.min(last)).copied().unwrap_or_default();
        self.between([p(i.saturating_sub(1)), p(i), p(i + 1), p(i + 2)], t)
    }

    /// Point between the second and the third of four points; `t` is 0..=1.
    pub fn between(self, [p0, p1, p2, p3]: [Vec3; 4], t: f32) -> Vec3 {
        match self {
            Self::Book => {
                let p = (p3 - p2) - (p0 - p1);
                let q = (p0 - p1) - p;
                ((p * t + q) * t + (p2 - p0)) * t + p1
            }
            Self::CatmullRom => {
                let a = 3.0 * (p1 - p2) + p3 - p0;
                let b = 2.0 * p0 - 5.0 * p1 + 4.0 * p2 - p3;
                ((a * t + b) * t + (p2 - p0)) * (t * 0.5) + p1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: [Vec3; 4] = [
        Vec3::ZERO,
        Vec3::new(1.0, 0.0, 0.0),
        Vec3::new(2.0, 0.0, 0.0),
        Vec3::new(3.0, 0.0, 0.0),
    ];

    #[test]
    fn a_fraction_maps_to_its_segment_and_the_tip_to_the_last() {
        assert_eq!(segment(5, 0.0), (0, 0.0));
        assert_eq!(segment(5, 0.25), (1, 0.0));
        assert_eq!(segment(5, 0.625), (2, 0.5));
        assert_eq!(segment(5, 1.0), (3, 1.0));
        assert_eq!(segment(5, 7.0), (3, 1.0));
        assert_eq!(segment(1, 0.5).0, 0);
        assert_eq!(segment(0, 0.5).0, 0);
    }

    #[test]
    fn both_curves_interpolate_their_points_and_the_books_speed_is_uneven() {
        for spline in [Spline::CatmullRom, Spline::Book] {
            for (i, p) in LINE.iter().enumerate() {
                let at = spline.point(&LINE, i as f32 / 3.0);
                assert!(at.distance(*p) < 1e-6, "{spline:?} {i}: {at}");
            }
        }
        // The book's curve reaches 0.172 at a tenth of the segment.
        let book = Spline::Book.between(LINE, 0.1).x - 1.0;
        assert!((book - 0.172).abs() < 1e-5, "{book}");
        let even = Spline::CatmullRom.between(LINE, 0.1).x - 1.0;
        assert!((even - 0.1).abs() < 1e-6, "{even}");
    }

    #[test]
    fn strands_with_fewer_than_two_points_return_a_point() {
        assert_eq!(Spline::Book.point(&[Vec3::Y], 0.7), Vec3::Y);
        assert_eq!(Spline::CatmullRom.point(&[], 0.7), Vec3::ZERO);
    }
}
