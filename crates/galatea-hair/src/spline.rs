//! Points between those of a strand.

use glam::Vec3;

/// Which curve goes through the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Spline {
    /// Catmull-Rom: equal points are traversed at even speed.
    #[default]
    CatmullRom,
    /// The book's, whose tangents at the ends of a segment are twice those (HR-04).
    Book,
}

/// The segment that a share `along` (0 root, 1 tip) of `n` points falls in, and how far into it (HR-03). At 1 it
/// is the end of the last one.
pub fn segment(n: usize, along: f32) -> (usize, f32) {
    let last = n.saturating_sub(2);
    let at = along.clamp(0.0, 1.0) * n.saturating_sub(1) as f32;
    let i = (at as usize).min(last);
    (i, at - i as f32)
}

impl Spline {
    /// The point at a share of a strand, 0 root to 1 tip; its ends where the share is outside. Of no points the
    /// origin.
    pub fn point(self, points: &[Vec3], along: f32) -> Vec3 {
        let (i, t) = segment(points.len(), along);
        let last = points.len().saturating_sub(1);
        let p = |i: usize| points.get(i.min(last)).copied().unwrap_or_default();
        self.between([p(i.saturating_sub(1)), p(i), p(i + 1), p(i + 2)], t)
    }

    /// The point between the second and the third of four, 0..=1.
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
    fn a_share_falls_into_the_segment_it_is_in_and_the_tip_into_the_last() {
        assert_eq!(segment(5, 0.0), (0, 0.0));
        assert_eq!(segment(5, 0.25), (1, 0.0));
        assert_eq!(segment(5, 0.625), (2, 0.5));
        assert_eq!(segment(5, 1.0), (3, 1.0));
        assert_eq!(segment(5, 7.0), (3, 1.0));
        assert_eq!(segment(1, 0.5).0, 0);
        assert_eq!(segment(0, 0.5).0, 0);
    }

    #[test]
    fn both_curves_go_through_their_points_and_the_books_is_uneven_between_them() {
        for spline in [Spline::CatmullRom, Spline::Book] {
            for (i, p) in LINE.iter().enumerate() {
                let at = spline.point(&LINE, i as f32 / 3.0);
                assert!(at.distance(*p) < 1e-6, "{spline:?} {i}: {at}");
            }
        }
        // HR-04: 0.172 of the way at a tenth of it.
        let book = Spline::Book.between(LINE, 0.1).x - 1.0;
        assert!((book - 0.172).abs() < 1e-5, "{book}");
        let even = Spline::CatmullRom.between(LINE, 0.1).x - 1.0;
        assert!((even - 0.1).abs() < 1e-6, "{even}");
    }

    #[test]
    fn strands_of_one_point_and_of_none_have_points_too() {
        assert_eq!(Spline::Book.point(&[Vec3::Y], 0.7), Vec3::Y);
        assert_eq!(Spline::CatmullRom.point(&[], 0.7), Vec3::ZERO);
    }
}
