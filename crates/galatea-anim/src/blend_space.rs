//! Blend spaces: how much each of several sample points counts at a place between them.
//!
//! Along a line the two neighbours share; over a plane and over directions by gradient bands (Rune Skovbo
//! Johansen, *Automated Semi-Procedural Animation for Character Locomotion*, 2009, chapter 6), which need
//! no triangles. Callers: `machine`. Invariants: weights are never negative and sum to 1; at a sample
//! point it alone counts; a small step of the place is a small step of the weights; the order of the
//! points means nothing; points at the same place share evenly. No allocation after a space is made.

use std::f32::consts::{PI, TAU};

use glam::Vec2;

/// Sample points and the way in which they are blended.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendSpace {
    points: Vec<SamplePoint>,
    shape: SpaceLayout,
}

/// A sample point; angle and length are those of `at` as a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SamplePoint {
    at: Vec2,
    angle: f32,
    length: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum SpaceLayout {
    Line,
    Plane,
    /// The shortest length of the points that are not at the centre.
    Polar {
        shortest: f32,
    },
}

impl BlendSpace {
    /// Points along one parameter; beyond the outermost they count alone.
    pub fn line(points: impl IntoIterator<Item = f32>) -> Self {
        Self::new(
            points.into_iter().map(|x| Vec2::new(x, 0.0)),
            SpaceLayout::Line,
        )
    }

    /// Points over two parameters that are alike in kind and size.
    pub fn plane(points: impl IntoIterator<Item = Vec2>) -> Self {
        Self::new(points, SpaceLayout::Plane)
    }

    /// Points as directions with a length, for walking and running every way: blended by angle and by
    /// ratio of lengths. A point at the centre (standing) counts less the longer the direction.
    ///
    /// Without one the directions lose their meaning towards the centre: within a fifth of the shortest
    /// point's length the weights go over to those of [`BlendSpace::plane`] at the centre.
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

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// True when there are no points; every weight is then 0.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Writes each point's weight at a place; of a line only x counts. `weights` has [`BlendSpace::len`]
    /// entries or more, the rest become 0. A place that is not a number counts as 0.
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

/// The largest coordinate; keeps squares of distances finite.
const FARTHEST: f32 = 1e6;
/// Points less than this apart share one place.
const SAME_PLACE: f32 = 1e-6;
/// A radian counts as much as this times the mean length (the thesis' scale of directions).
const PER_RADIAN: f32 = 2.0;
/// Within this share of the shortest length, directions without a standing point lose their meaning.
const CENTRE: f32 = 0.2;

impl SamplePoint {
    fn new(at: Vec2) -> Self {
        let clean = |x: f32| {
            if x.is_nan() {
                0.0
            } else {
                x.clamp(-FARTHEST, FARTHEST)
            }
        };
        let at = Vec2::new(clean(at.x), clean(at.y));
        let length = at.length();
        let length = if length < SAME_PLACE { 0.0 } else { length };
        Self {
            at,
            angle: at.y.atan2(at.x),
            length,
        }
    }
}

fn line_weights(points: &[SamplePoint], x: f32, weights: &mut [f32]) {
    let places = || points.iter().map(|point| point.at.x);
    let below = places()
        .filter(|p| *p <= x)
        .fold(f32::NEG_INFINITY, f32::max);
    let above = places().filter(|p| *p > x).fold(f32::INFINITY, f32::min);
    let u = match (below.is_finite(), above.is_finite()) {
        (true, true) => (x - below) / (above - below),
        (true, false) => 0.0,
        _ => 1.0,
    };
    let at = |place: f32| places().filter(|p| *p == place).count() as f32;
    let (of_below, of_above) = ((1.0 - u) / at(below), u / at(above));
    for (point, weight) in points.iter().zip(weights) {
        *weight = match point.at.x {
            p if p == below => of_below,
            p if p == above => of_above,
            _ => 0.0,
        };
    }
}

/// Influences by gradient bands: a point counts by how far the place is from where another alone would
/// count, in place of weights, not yet of sum 1. `passed` says how far the place is on the way from one point to another, 0 at the one and 1 at
/// the other, or nothing where both are in the same place.
#[inline]
fn influences(
    points: &[SamplePoint],
    passed: impl Fn(&SamplePoint, &SamplePoint) -> Option<f32>,
    out: &mut [f32],
) {
    out.fill(1.0);
    for (i, point) in points.iter().enumerate() {
        for (j, other) in points.iter().enumerate().skip(i + 1) {
            if let Some(passed) = passed(point, other) {
                out[i] = out[i].min((1.0 - passed).max(0.0));
                out[j] = out[j].min(passed.max(0.0));
            }
        }
    }
}

/// Cartesian gradient bands.
fn plane_weights(points: &[SamplePoint], at: Vec2, weights: &mut [f32]) {
    influences(
        points,
        |point, other| plane_passed(point, other, at),
        weights,
    );
    // The nearest point's influence is a half or more, so this is never zero.
    let sum: f32 = weights.iter().sum();
    for weight in weights {
        *weight /= sum;
    }
}

/// Adds `amount` times what [`plane_weights`] gives, where there is no memory for a second set.
fn add_plane_weights(points: &[SamplePoint], at: Vec2, amount: f32, weights: &mut [f32]) {
    let influence = |point: &SamplePoint| {
        let passed = points
            .iter()
            .filter_map(|other| plane_passed(point, other, at));
        passed.fold(1.0f32, |least, passed| least.min((1.0 - passed).max(0.0)))
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
        |point, other| polar_passed(point, other, &at),
        weights,
    );
    let sum: f32 = weights.iter().sum();
    // Bands of pairs with very different lengths may leave a place to nobody.
    let lacking = (0.1 - sum).max(0.0);
    let standing = points.iter().any(|point| point.length == 0.0);
    let meaning = if standing {
        1.0
    } else {
        (at.length / (CENTRE * shortest)).min(1.0)
    };
    let scale = meaning / (sum + lacking);
    for weight in weights.iter_mut() {
        *weight *= scale;
    }
    if lacking > 0.0 {
        add_plane_weights(points, at.at, lacking * scale, weights);
    }
    if meaning < 1.0 {
        add_plane_weights(points, Vec2::ZERO, 1.0 - meaning, weights);
    }
}

/// How far `at` is on the way from `point` to `other`; nothing where they are in the same place.
#[inline]
fn plane_passed(point: &SamplePoint, other: &SamplePoint, at: Vec2) -> Option<f32> {
    let to_other = other.at - point.at;
    let whole = to_other.dot(to_other);
    (whole >= SAME_PLACE * SAME_PLACE).then(|| (at - point.at).dot(to_other) / whole)
}

/// The same by angle and by length in units of the pair's mean length.
#[inline]
fn polar_passed(point: &SamplePoint, other: &SamplePoint, at: &SamplePoint) -> Option<f32> {
    match (point.length > 0.0, other.length > 0.0) {
        (false, false) => None,
        (false, true) => Some(from_centre(other, at)),
        (true, false) => Some(1.0 - from_centre(point, at)),
        (true, true) => {
            let mean = 0.5 * (point.length + other.length);
            let to_other = (other.length - point.length) / mean;
            let to_place = (at.length - point.length) / mean;
            let between = signed_angle(point.angle, other.angle);
            let (turn, apart) = (between.signum(), between.abs());
            let place = angle_on_the_way(signed_angle(point.angle, at.angle) * turn, apart);
            let scaled = PER_RADIAN * PER_RADIAN * apart;
            let whole = to_other * to_other + scaled * apart;
            (whole >= SAME_PLACE * SAME_PLACE)
                .then(|| (to_place * to_other + scaled * place) / whole)
        }
    }
}

/// How far `at` is on the way from the centre to `point`. The centre has no direction; it takes that of
/// the place, so that a place to the side is not yet far on the way.
fn from_centre(point: &SamplePoint, at: &SamplePoint) -> f32 {
    let aside = 0.5 * PER_RADIAN * signed_angle(point.angle, at.angle);
    at.length / point.length / (1.0 + aside * aside)
}

/// The angle `from` a point (towards another that is `apart`, 0..=π, from it) as a number that is 0 at
/// the point, `apart` at the other and grows to as much again beyond either. It comes back on the arc
/// opposite of the two, evenly, so that nothing jumps on the way round.
fn angle_on_the_way(from: f32, apart: f32) -> f32 {
    let most = PI.min(2.0 * apart);
    let least = apart - most;
    let from = if from < 0.0 { from + TAU } else { from };
    if from <= PI {
        from.min(most)
    } else if from >= PI + apart {
        (from - TAU).max(least)
    } else {
        most - (from - PI) * (most - least) / apart
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

    fn near(found: &[f32], wanted: &[f32]) {
        assert_eq!(found.len(), wanted.len());
        for (a, b) in found.iter().zip(wanted) {
            assert!((a - b).abs() < 1e-6, "{found:?} {wanted:?}");
        }
    }

    const WAYS: [Vec2; 4] = [
        Vec2::new(0.0, 1.5),
        Vec2::new(1.5, 0.0),
        Vec2::new(0.0, -1.5),
        Vec2::new(-1.5, 0.0),
    ];

    #[test]
    fn on_a_line_the_neighbours_share_and_beyond_the_ends_the_last_counts() {
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
    fn gradient_bands_give_the_thesis_values_on_a_square() {
        let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(Vec2::from);
        let space = BlendSpace::plane(corners);
        near(&weights(&space, (0.5, 0.5)), &[0.25; 4]);
        near(&weights(&space, (0.25, 0.0)), &[0.75, 0.25, 0.0, 0.0]);
        // Influences by hand: the corners below are left at a half, those above at a quarter.
        near(
            &weights(&space, (0.5, 0.25)),
            &[0.5 / 1.5, 0.5 / 1.5, 0.25 / 1.5, 0.25 / 1.5],
        );
    }

    #[test]
    fn directions_share_between_neighbours_only() {
        let space = BlendSpace::polar(WAYS);
        let half = 1.5 * std::f32::consts::FRAC_1_SQRT_2;
        near(&weights(&space, (half, half)), &[0.5, 0.5, 0.0, 0.0]);
        near(&weights(&space, (-half, -half)), &[0.0, 0.0, 0.5, 0.5]);
        near(&weights(&space, (0.0, 3.0)), &[1.0, 0.0, 0.0, 0.0]);
        near(&weights(&space, (0.0, 0.0)), &[0.25; 4]);
    }

    #[test]
    fn standing_counts_less_the_longer_the_direction() {
        let space = BlendSpace::polar(WAYS.into_iter().chain([Vec2::ZERO]));
        assert_eq!(weights(&space, (0.0, 0.0)), [0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(weights(&space, (0.0, 1.5)), [1.0, 0.0, 0.0, 0.0, 0.0]);
        near(&weights(&space, (0.75, 0.0)), &[0.0, 0.5, 0.0, 0.0, 0.5]);
        // No clip walks back: mostly standing, hardly walking forward.
        let forward = BlendSpace::polar([Vec2::ZERO, WAYS[0]]);
        assert!(weights(&forward, WAYS[2])[0] > 0.9);
    }

    #[test]
    fn going_round_with_few_directions_never_jumps() {
        for n in 1..5 {
            let space = BlendSpace::polar(WAYS.into_iter().take(n));
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
    fn nothing_and_one_point_are_spaces_too() {
        let none: [Vec2; 0] = [];
        assert!(BlendSpace::plane(none).is_empty());
        assert!(weights(&BlendSpace::plane(none), (1.0, 1.0)).is_empty());
        for point in [Vec2::ZERO, WAYS[1], Vec2::new(f32::NAN, f32::INFINITY)] {
            for at in [Vec2::ZERO, WAYS[0], WAYS[3], Vec2::NAN] {
                assert_eq!(weights(&BlendSpace::plane([point]), at), [1.0]);
                assert_eq!(weights(&BlendSpace::polar([point]), at), [1.0]);
                assert_eq!(weights(&BlendSpace::line([point.x]), at), [1.0]);
            }
        }
    }

    /// Places on a grid, so that some coincide and some lie in line with the centre.
    fn places() -> impl Strategy<Value = Vec<Vec2>> {
        let place = (-4i8..=4, -4i8..=4).prop_map(|(x, y)| Vec2::new(x.into(), y.into()) * 0.5);
        prop::collection::vec(place, 1..9)
    }

    fn spaces(points: &[Vec2]) -> [BlendSpace; 3] {
        [
            BlendSpace::line(points.iter().map(|point| point.x)),
            BlendSpace::plane(points.iter().copied()),
            BlendSpace::polar(points.iter().copied()),
        ]
    }

    fn place() -> impl Strategy<Value = Vec2> {
        (-3.0f32..3.0, -3.0f32..3.0).prop_map(Vec2::from)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn weights_are_shares_of_one(points in places(), at in place()) {
            for space in spaces(&points) {
                let found = weights(&space, at);
                prop_assert!(found.iter().all(|w| *w >= 0.0), "{:?}", found);
                prop_assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{:?}", found);
            }
        }

        #[test]
        fn at_a_point_nothing_else_counts(points in places()) {
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
        fn a_small_step_changes_little(points in places(), at in place(), way in 0.0f32..TAU) {
            for space in spaces(&points) {
                let (a, b) = (weights(&space, at), weights(&space, at + Vec2::from_angle(way) * 1e-4));
                for (a, b) in a.iter().zip(&b) {
                    prop_assert!((a - b).abs() < 6e-3, "{} {}", a, b);
                }
            }
        }

        #[test]
        fn the_order_of_points_means_nothing(
            (points, mixed) in places().prop_flat_map(|points| {
                let order: Vec<usize> = (0..points.len()).collect();
                (Just(points), Just(order).prop_shuffle())
            }),
            at in place(),
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
        fn any_numbers_give_finite_weights(
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
