//! Blend spaces: the weights of several sample points at a position between them.
//!
//! On a line, the two neighbours are blended. On a plane and over directions, gradient band interpolation is used
//! (Rune Skovbo Johansen, *Automated Semi-Procedural Animation for Character Locomotion*, 2009, chapter 6), which
//! needs no triangles. Used by `machine`.
//! Invariants: weights are never negative and sum to 1. At a sample point, only this point has weight. A small change
//! of the position changes the weights only a little. The order of the points has no influence; points at the same
//! position share the weight evenly. No allocation after a space is created.

use std::f32::consts::{PI, TAU};

use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Sample points and their blend method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlendSpace {
    points: Vec<SamplePoint>,
    shape: SpaceLayout,
}

/// A sample point; angle and length are the polar coordinates of `at`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct SamplePoint {
    at: Vec2,
    angle: f32,
    length: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum SpaceLayout {
    Line,
    Plane,
    /// Length of the shortest point that is not at the centre.
    Polar {
        shortest: f32,
    },
}

impl BlendSpace {
    /// Creates a space of points along one parameter; beyond the ends, the last point has all the weight.
    pub fn line(points: impl IntoIterator<Item = f32>) -> Self {
        Self::new(
            points.into_iter().map(|x| Vec2::new(x, 0.0)),
            SpaceLayout::Line,
        )
    }

    /// Creates a space over two parameters of the same kind and scale.
    pub fn plane(points: impl IntoIterator<Item = Vec2>) -> Self {
        Self::new(points, SpaceLayout::Plane)
    }

    /// Creates a space of directions with a length, for walking and running in all directions. It blends by angle and
    /// by the ratio of lengths. A point at the centre (standing) loses weight as the direction gets longer.
    ///
    /// Without a point at the centre, directions are undefined there. Within a fifth of the shortest point's length,
    /// the weights change gradually to those of [`BlendSpace::plane`] at the centre.
    pub fn polar(points: impl IntoIterator<Item = Vec2>) -> Self {
        let mut space = Self::new(points, SpaceLayout::Plane);
        let lengths = space.points.iter().map(|point| point.length);
        let shortest = lengths.filter(|l| *l > 0.0).fold(f32::INFINITY, f32::min);
        if shortest.is_finite() {
            space.shape = SpaceLayout::Polar { shortest };
        }
        space
    }

    fn new(points: impl IntoIterator<Item = Vec2>, shape: SpaceLayout) -> Self {
        Self {
            points: points.into_iter().map(SamplePoint::new).collect(),
            shape,
        }
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Returns the positions of the points; on a line y is 0.
    pub fn positions(&self) -> impl Iterator<Item = Vec2> {
        self.points.iter().map(|point| point.at)
    }

    /// Returns true if there are no points; every weight is then 0.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Writes the weight of each point at a position; a line uses only x. `weights` has at least [`BlendSpace::len`]
    /// entries; the others become 0. NaN coordinates count as 0.
    pub fn weights(&self, at: Vec2, weights: &mut [f32]) {
        let at = SamplePoint::new(at);
        let n = self.points.len().min(weights.len());
        let (weights, rest) = weights.split_at_mut(n);
        rest.fill(0.0);
        match self.shape {
            SpaceLayout::Line => line_weights(&self.points, at.at.x, weights),
            SpaceLayout::Plane => plane_weights(&self.points, at.at, weights),
            SpaceLayout::Polar { shortest } => polar_weights(&self.points, at, shortest, weights),
        }
    }
}

/// Maximum absolute coordinate; keeps squares of distances finite.
const MAX_COORDINATE: f32 = 1e6;
/// Points closer than this are at the same position.
const SAME_POINT: f32 = 1e-6;
/// Weight of one radian compared with the mean length (the thesis' scale of directions).
const PER_RADIAN: f32 = 2.0;
/// Fraction of the shortest length within which directions fade out if there is no point at the centre.
const CENTRE: f32 = 0.2;

impl SamplePoint {
    fn new(at: Vec2) -> Self {
        let clean = |x: f32| {
            if x.is_nan() {
                0.0
            } else {
                x.clamp(-MAX_COORDINATE, MAX_COORDINATE)
            }
        };
        let at = Vec2::new(clean(at.x), clean(at.y));
        let length = at.length();
        let length = if length < SAME_POINT { 0.0 } else { length };
        Self {
            at,
            angle: at.y.atan2(at.x),
            length,
        }
    }
}

fn line_weights(points: &[SamplePoint], x: f32, weights: &mut [f32]) {
    let positions = || points.iter().map(|point| point.at.x);
    let below = positions()
        .filter(|p| *p <= x)
        .fold(f32::NEG_INFINITY, f32::max);
    let above = positions().filter(|p| *p > x).fold(f32::INFINITY, f32::min);
    let u = match (below.is_finite(), above.is_finite()) {
        (true, true) => (x - below) / (above - below),
        (true, false) => 0.0,
        _ => 1.0,
    };
    let at = |position: f32| positions().filter(|p| *p == position).count() as f32;
    let (of_below, of_above) = ((1.0 - u) / at(below), u / at(above));
    for (point, weight) in points.iter().zip(weights) {
        *weight = match point.at.x {
            p if p == below => of_below,
            p if p == above => of_above,
            _ => 0.0,
        };
    }
}

/// Influences of the points by gradient bands, written instead of weights and not yet normalised. `progress` gives
/// the projection of the position on the line from one point to another: 0 at the first and 1 at the second, or
/// `None` if both points are at the same position.
#[inline]
fn influences(
    points: &[SamplePoint],
    progress: impl Fn(&SamplePoint, &SamplePoint) -> Option<f32>,
    out: &mut [f32],
) {
    out.fill(1.0);
    for (i, point) in points.iter().enumerate() {
        for (j, other) in points.iter().enumerate().skip(i + 1) {
            if let Some(progress) = progress(point, other) {
                out[i] = out[i].min((1.0 - progress).max(0.0));
                out[j] = out[j].min(progress.max(0.0));
            }
        }
    }
}

/// Cartesian gradient bands.
fn plane_weights(points: &[SamplePoint], at: Vec2, weights: &mut [f32]) {
    influences(
        points,
        |point, other| plane_progress(point, other, at),
        weights,
    );
    // The nearest point's influence is at least a half, so the sum is never zero.
    let sum: f32 = weights.iter().sum();
    for weight in weights {
        *weight /= sum;
    }
}

/// Adds `amount` times the result of [`plane_weights`], without a buffer for a second set.
fn add_plane_weights(points: &[SamplePoint], at: Vec2, amount: f32, weights: &mut [f32]) {
    let influence = |point: &SamplePoint| {
        let progress = points
            .iter()
            .filter_map(|other| plane_progress(point, other, at));
        progress.fold(1.0f32, |least, progress| {
            least.min((1.0 - progress).max(0.0))
        })
    };
    let sum: f32 = points.iter().map(influence).sum();
    for (point, weight) in points.iter().zip(weights) {
        *weight += amount * influence(point) / sum;
    }
}

/// Gradient bands over angle and length.
fn polar_weights(points: &[SamplePoint], at: SamplePoint, shortest: f32, weights: &mut [f32]) {
    influences(
        points,
        |point, other| polar_progress(point, other, &at),
        weights,
    );
    let sum: f32 = weights.iter().sum();
    // Bands of pairs with very different lengths can leave a position without any influence.
    let shortfall = (0.1 - sum).max(0.0);
    let has_centre = points.iter().any(|point| point.length == 0.0);
    let polar_weight = if has_centre {
        1.0
    } else {
        (at.length / (CENTRE * shortest)).min(1.0)
    };
    let scale = polar_weight / (sum + shortfall);
    for weight in weights.iter_mut() {
        *weight *= scale;
    }
    if shortfall > 0.0 {
        add_plane_weights(points, at.at, shortfall * scale, weights);
    }
    if polar_weight < 1.0 {
        add_plane_weights(points, Vec2::ZERO, 1.0 - polar_weight, weights);
    }
}

/// Progress of `at` on the line from `point` to `other`; `None` if they are at the same position.
#[inline]
fn plane_progress(point: &SamplePoint, other: &SamplePoint, at: Vec2) -> Option<f32> {
    let to_other = other.at - point.at;
    let whole = to_other.dot(to_other);
    (whole >= SAME_POINT * SAME_POINT).then(|| (at - point.at).dot(to_other) / whole)
}

/// Progress by angle and by length, in units of the pair's mean length.
#[inline]
fn polar_progress(point: &SamplePoint, other: &SamplePoint, at: &SamplePoint) -> Option<f32> {
    match (point.length > 0.0, other.length > 0.0) {
        (false, false) => None,
        (false, true) => Some(from_centre(other, at)),
        (true, false) => Some(1.0 - from_centre(point, at)),
        (true, true) => {
            let mean = 0.5 * (point.length + other.length);
            let to_other = (other.length - point.length) / mean;
            let to_position = (at.length - point.length) / mean;
            let between = signed_angle(point.angle, other.angle);
            let (turn, apart) = (between.signum(), between.abs());
            let position = progress_angle(signed_angle(point.angle, at.angle) * turn, apart);
            let scaled = PER_RADIAN * PER_RADIAN * apart;
            let whole = to_other * to_other + scaled * apart;
            (whole >= SAME_POINT * SAME_POINT)
                .then(|| (to_position * to_other + scaled * position) / whole)
        }
    }
}

/// Progress of `at` from the centre to `point`. The centre has no direction and takes that of `at`; the penalty for
/// the angle keeps the progress small to the side.
fn from_centre(point: &SamplePoint, at: &SamplePoint) -> f32 {
    let aside = 0.5 * PER_RADIAN * signed_angle(point.angle, at.angle);
    at.length / point.length / (1.0 + aside * aside)
}

/// Maps the angle `from` a point (towards another that is `apart`, 0..=π, from it) to a value for the progress. It is
/// 0 at the point and `apart` at the other, and grows by as much again beyond either. On the opposite arc it returns
/// linearly, so it never jumps on the full circle.
fn progress_angle(from: f32, apart: f32) -> f32 {
    let farthest = PI.min(2.0 * apart);
    let lowest = apart - farthest;
    let from = if from < 0.0 { from + TAU } else { from };
    if from <= PI {
        from.min(farthest)
    } else if from >= PI + apart {
        (from - TAU).max(lowest)
    } else {
        farthest - (from - PI) * (farthest - lowest) / apart
    }
}

/// From one angle to another, the short way round, -π..=π.
fn signed_angle(from: f32, to: f32) -> f32 {
    let angle = to - from;
    if angle > PI {
        angle - TAU
    } else if angle < -PI {
        angle + TAU
    } else {
        angle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn weights(space: &BlendSpace, at: impl Into<Vec2>) -> Vec<f32> {
        let mut out = vec![9.0; space.len() + 1];
        space.weights(at.into(), &mut out);
        assert_eq!(out.pop(), Some(0.0));
        out
    }

    fn near(found: &[f32], expected: &[f32]) {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-6, "{found:?} {expected:?}");
        }
    }

    const DIRECTIONS: [Vec2; 4] = [
        Vec2::new(0.0, 1.5),
        Vec2::new(1.5, 0.0),
        Vec2::new(0.0, -1.5),
        Vec2::new(-1.5, 0.0),
    ];

    #[test]
    fn line_blends_neighbours_and_clamps_at_the_ends() {
        let space = BlendSpace::line([4.0, 0.0, 1.5]);
        near(&weights(&space, (0.75, 7.0)), &[0.0, 0.5, 0.5]);
        near(&weights(&space, (2.0, 0.0)), &[0.2, 0.0, 0.8]);
        assert_eq!(weights(&space, (1.5, 0.0)), [0.0, 0.0, 1.0]);
        assert_eq!(weights(&space, (-3.0, 0.0)), [0.0, 1.0, 0.0]);
        assert_eq!(weights(&space, (f32::INFINITY, 0.0)), [1.0, 0.0, 0.0]);
        let twice = BlendSpace::line([1.0, 0.0, 1.0]);
        near(&weights(&twice, (0.5, 0.0)), &[0.25, 0.5, 0.25]);
        near(&weights(&twice, (1.0, 0.0)), &[0.5, 0.0, 0.5]);
    }

    #[test]
    fn gradient_bands_match_the_thesis_on_a_square() {
        let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(Vec2::from);
        let space = BlendSpace::plane(corners);
        near(&weights(&space, (0.5, 0.5)), &[0.25; 4]);
        near(&weights(&space, (0.25, 0.0)), &[0.75, 0.25, 0.0, 0.0]);
        // Influences computed by hand: a half for the lower corners, a quarter for the upper ones.
        near(
            &weights(&space, (0.5, 0.25)),
            &[0.5 / 1.5, 0.5 / 1.5, 0.25 / 1.5, 0.25 / 1.5],
        );
    }

    #[test]
    fn directions_blend_neighbours_only() {
        let space = BlendSpace::polar(DIRECTIONS);
        let half = 1.5 * std::f32::consts::FRAC_1_SQRT_2;
        near(&weights(&space, (half, half)), &[0.5, 0.5, 0.0, 0.0]);
        near(&weights(&space, (-half, -half)), &[0.0, 0.0, 0.5, 0.5]);
        near(&weights(&space, (0.0, 3.0)), &[1.0, 0.0, 0.0, 0.0]);
        near(&weights(&space, (0.0, 0.0)), &[0.25; 4]);
    }

    #[test]
    fn centre_loses_weight_with_the_length_of_the_direction() {
        let space = BlendSpace::polar(DIRECTIONS.into_iter().chain([Vec2::ZERO]));
        assert_eq!(weights(&space, (0.0, 0.0)), [0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(weights(&space, (0.0, 1.5)), [1.0, 0.0, 0.0, 0.0, 0.0]);
        near(&weights(&space, (0.75, 0.0)), &[0.0, 0.5, 0.0, 0.0, 0.5]);
        // No clip walks backwards, so the result is mostly standing.
        let forward = BlendSpace::polar([Vec2::ZERO, DIRECTIONS[0]]);
        assert!(weights(&forward, DIRECTIONS[2])[0] > 0.9);
    }

    #[test]
    fn full_circle_with_few_directions_never_jumps() {
        for n in 1..5 {
            let space = BlendSpace::polar(DIRECTIONS.into_iter().take(n));
            let mut last = weights(&space, Vec2::from_angle(-0.001) * 1.5);
            for k in 0..=6284 {
                let now = weights(&space, Vec2::from_angle(k as f32 * 0.001) * 1.5);
                for (a, b) in last.iter().zip(&now) {
                    assert!((a - b).abs() < 0.004, "{n} {k} {last:?} {now:?}");
                }
                last = now;
            }
        }
    }

    #[test]
    fn empty_and_single_point_spaces_are_valid() {
        let none: [Vec2; 0] = [];
        assert!(BlendSpace::plane(none).is_empty());
        assert!(weights(&BlendSpace::plane(none), (1.0, 1.0)).is_empty());
        for point in [
            Vec2::ZERO,
            DIRECTIONS[1],
            Vec2::new(f32::NAN, f32::INFINITY),
        ] {
            for at in [Vec2::ZERO, DIRECTIONS[0], DIRECTIONS[3], Vec2::NAN] {
                assert_eq!(weights(&BlendSpace::plane([point]), at), [1.0]);
                assert_eq!(weights(&BlendSpace::polar([point]), at), [1.0]);
                assert_eq!(weights(&BlendSpace::line([point.x]), at), [1.0]);
            }
        }
    }

    /// Positions on a grid, so that some coincide and some are in line with the centre.
    fn point_lists() -> impl Strategy<Value = Vec<Vec2>> {
        let point = (-4i8..=4, -4i8..=4).prop_map(|(x, y)| Vec2::new(x.into(), y.into()) * 0.5);
        prop::collection::vec(point, 1..9)
    }

    fn spaces(points: &[Vec2]) -> [BlendSpace; 3] {
        [
            BlendSpace::line(points.iter().map(|point| point.x)),
            BlendSpace::plane(points.iter().copied()),
            BlendSpace::polar(points.iter().copied()),
        ]
    }

    fn point() -> impl Strategy<Value = Vec2> {
        (-3.0f32..3.0, -3.0f32..3.0).prop_map(Vec2::from)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn weights_are_fractions_of_one(points in point_lists(), at in point()) {
            for space in spaces(&points) {
                let found = weights(&space, at);
                prop_assert!(found.iter().all(|w| *w >= 0.0), "{:?}", found);
                prop_assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{:?}", found);
            }
        }

        #[test]
        fn only_the_point_itself_has_weight_at_its_position(points in point_lists()) {
            for (space, line) in spaces(&points).iter().zip([true, false, false]) {
                for at in &points {
                    let same = |p: &Vec2| if line { p.x == at.x } else { p == at };
                    let n = points.iter().filter(|p| same(p)).count() as f32;
                    for (point, weight) in points.iter().zip(weights(space, *at)) {
                        prop_assert_eq!(weight, if same(point) { 1.0 / n } else { 0.0 });
                    }
                }
            }
        }

        #[test]
        fn small_step_changes_weights_little(points in point_lists(), at in point(), direction in 0.0f32..TAU) {
            for space in spaces(&points) {
                let (a, b) = (weights(&space, at), weights(&space, at + Vec2::from_angle(direction) * 1e-4));
                for (a, b) in a.iter().zip(&b) {
                    prop_assert!((a - b).abs() < 6e-3, "{} {}", a, b);
                }
            }
        }

        #[test]
        fn order_of_points_has_no_influence(
            (points, mixed) in point_lists().prop_flat_map(|points| {
                let order: Vec<usize> = (0..points.len()).collect();
                (Just(points), Just(order).prop_shuffle())
            }),
            at in point(),
        ) {
            let other: Vec<Vec2> = mixed.iter().map(|i| points[*i]).collect();
            for (space, mixed_space) in spaces(&points).iter().zip(spaces(&other)) {
                let (a, b) = (weights(space, at), weights(&mixed_space, at));
                for (k, i) in mixed.iter().enumerate() {
                    prop_assert!((a[*i] - b[k]).abs() < 1e-5);
                }
            }
        }

        #[test]
        fn any_input_gives_finite_weights(
            points in prop::collection::vec((any::<f32>(), any::<f32>()).prop_map(Vec2::from), 1..6),
            at in (any::<f32>(), any::<f32>()).prop_map(Vec2::from),
        ) {
            for space in spaces(&points) {
                let sum: f32 = weights(&space, at).iter().sum();
                prop_assert!((sum - 1.0).abs() < 1e-4, "{}", sum);
            }
        }
    }
}
