//! Curves through a few points.

use galatea_math::clamp::ClampTo as _;

/// Easing at a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyEase {
    /// Smooth, with a speed derived from the neighbours.
    #[default]
    Flow,
    /// At rest.
    Stop,
    /// Arrives at full speed and then rests: an impact, a landing.
    Hit,
    /// Rests and then leaves at full speed.
    Go,
    /// Linear from the previous key and to the next.
    Line,
}

/// Speed of arrival at a hit, as a factor of the mean speed. Below 3 the curve stays between its keys.
const HIT_SPEED: f32 = 1.8;

/// A smooth curve through keys that never overshoots (Fritsch and Carlson 1980).
#[derive(Clone, Debug, Default)]
pub struct MonotoneCurve {
    /// Time, value, incoming and outgoing slope.
    points: Vec<[f32; 4]>,
    /// Period of a looping curve.
    lap: Option<f32>,
}

impl MonotoneCurve {
    /// A curve through `(t, value, ease)`, ascending in `t`; flat at both ends unless it loops with the period `lap`.
    pub fn new(keys: &[(f32, f32, KeyEase)], lap: Option<f32>) -> Self {
        let mut round = keys.to_vec();
        if let (Some(lap), Some(first), Some(last)) = (lap, keys.first(), keys.last()) {
            let (first, last) = (*first, *last);
            if keys.len() > 1 && last.0 - first.0 > lap - 1e-4 {
                // The last key equals the first.
                let before = keys[keys.len() - 2];
                round.insert(0, (before.0 - lap, before.1, before.2));
                let after = keys[1];
                round.push((after.0 + lap, after.1, after.2));
            } else {
                round.insert(0, (last.0 - lap, last.1, last.2));
                round.push((first.0 + lap, first.1, first.2));
                let second = keys.get(1).unwrap_or(&keys[0]);
                round.push((second.0 + lap, second.1, second.2));
            }
        }
        let n = round.len();
        let secant = |a: usize| (round[a + 1].1 - round[a].1) / (round[a + 1].0 - round[a].0);
        let one = |k: usize| {
            let (t, value, ease) = round[k];
            let left = if k == 0 { 0.0 } else { secant(k - 1) };
            let right = if k + 1 == n { 0.0 } else { secant(k) };
            let [arrive, leave] = match ease {
                KeyEase::Stop => [0.0, 0.0],
                KeyEase::Hit => [left * HIT_SPEED, 0.0],
                KeyEase::Go => [0.0, right * HIT_SPEED],
                KeyEase::Line => [left, right],
                KeyEase::Flow if k == 0 || k + 1 == n => [0.0, 0.0],
                KeyEase::Flow => [flow(round[k - 1].0, t, round[k + 1].0, left, right); 2],
            };
            [t, value, arrive, leave]
        };
        Self {
            points: (0..n).map(one).collect(),
            lap,
        }
    }

    /// Value at `t`; constant outside its keys.
    pub fn at(&self, t: f32) -> f32 {
        let points = &self.points;
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            return 0.0;
        };
        let t = match self.lap {
            Some(lap) => t.rem_euclid(lap),
            None => t,
        };
        if t >= last[0] {
            return last[1];
        }
        // A NaN time counts as before all keys.
        let i = points.partition_point(|p| p[0] <= t);
        if i == 0 {
            return first[1];
        }
        let (a, b) = (points[i - 1], points[i]);
        let span = b[0] - a[0];
        crate::sdf::hermite(a[1], a[3] * span, b[1], b[2] * span, (t - a[0]) / span)
    }
}

fn flow(before: f32, here: f32, after: f32, left: f32, right: f32) -> f32 {
    if left * right <= 0.0 {
        return 0.0;
    }
    let share = (here - before) / (after - before);
    let steepest = 3.0 * left.abs().min(right.abs());
    (right * share + left * (1.0 - share)).clamp_to(-steepest, steepest)
}

/// Samples a smooth curve through `(t, value)` keys, ascending in `t`; flat at both ends and constant outside.
pub fn through(points: &[(f32, f32)], t: f32) -> f32 {
    sloped(points, 0.0, 0.0, t)
}

/// Samples a smooth curve through `(t, value)` keys with the given slopes at its ends (value per unit of `t`).
pub(crate) fn sloped(points: &[(f32, f32)], first: f32, last: f32, t: f32) -> f32 {
    let keys: Vec<(f32, f32, KeyEase)> = points.iter().map(|p| (p.0, p.1, KeyEase::Flow)).collect();
    let mut curve = MonotoneCurve::new(&keys, None);
    if let Some(end) = curve.points.first_mut() {
        end[3] = first;
    }
    if let Some(end) = curve.points.last_mut() {
        end[2] = last;
    }
    curve.at(t)
}

/// A cosine over a cycle: 1 at `peak`; both arguments in cycles.
pub fn wave(u: f32, peak: f32) -> f32 {
    ((u - peak) * std::f32::consts::TAU).cos()
}

/// Smooth pseudo-random drift, -1 to 1, with a period of 1. Other seeds give other curves.
pub fn drift(u: f32, seed: f32) -> f32 {
    let mut sum = 0.0;
    for (k, share) in [(1.0, 0.42), (2.0, 0.33), (3.0, 0.25)] {
        let phase = (seed * 12.9898 + k * 78.233).sin() * 43758.547;
        sum += share * wave(u * k, phase - phase.floor());
    }
    sum
}
