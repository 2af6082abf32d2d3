//! Uniform cubic B-splines over the frames of a segment: control points and weights of a frame, and the least-squares
//! fit of control points.
//!
//! Used by the encoder (fit) and the decoder (weights). Invariant: both use the same weights, so the encoder measures
//! exactly the decoder's output.
//!
//! A segment of `n` frames with a control point every `s` frames has `ceil((n - 1) / s) + 1` of them. The two points
//! that a spline needs beyond its ends are extrapolated from the last three (third difference zero) and folded into
//! the weights, so that a frame never needs more than four.

use glam::Vec3A;

/// Frames between control points, by code; code 0 stores the frames themselves.
pub const SPACINGS: [usize; 4] = [1, 2, 4, 8];

/// Number of control points of a segment.
pub fn n_knots(frames: usize, code: usize) -> usize {
    match code {
        0 => frames,
        _ => frames.saturating_sub(1).div_ceil(SPACINGS[code & 3]) + 1,
    }
}

/// Returns true if a spline of this spacing is useful for a segment with this number of frames.
pub fn may_use(frames: usize, code: usize) -> bool {
    code == 0 || n_knots(frames, code) >= 4
}

/// Weights of four consecutive control points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Taps {
    /// Index of the first of the four.
    pub first: usize,
    /// Weights of the four; their sum is 1.
    pub weights: [f32; 4],
}

/// Weights for frame `frame` of a segment of `frames` frames, relative to the interval of frame `from` (the same or
/// the previous one), so that both use the same control points.
pub fn taps(frame: usize, from: usize, frames: usize, code: usize) -> Taps {
    if code == 0 {
        let mut weights = [0.0; 4];
        weights[(frame - from).min(3)] = 1.0;
        return Taps {
            first: from,
            weights,
        };
    }
    let spacing = SPACINGS[code & 3];
    let knots = n_knots(frames, code).max(4);
    let interval = (from / spacing).min(knots - 2);
    let u = (frame - interval * spacing) as f32 / spacing as f32;
    let v = 1.0 - u;
    let w = [
        v * v * v / 6.0,
        (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0,
        (3.0 * v * v * v - 6.0 * v * v + 4.0) / 6.0,
        u * u * u / 6.0,
    ];
    if interval == 0 {
        Taps {
            first: 0,
            weights: [w[1] + 3.0 * w[0], w[2] - 3.0 * w[0], w[3] + w[0], 0.0],
        }
    } else if interval == knots - 2 {
        Taps {
            first: knots - 4,
            weights: [0.0, w[0] + w[3], w[1] - 3.0 * w[3], w[2] + 3.0 * w[3]],
        }
    } else {
        Taps {
            first: interval - 1,
            weights: w,
        }
    }
}

/// Data of a least-squares fit that depends only on the number of frames and the spacing: the weights of every frame,
/// and the banded factor of the normal equations.
#[derive(Debug)]
pub struct FitPlan {
    taps: Vec<Taps>,
    /// Per row: reciprocal of the pivot, and the factors of the three previous rows.
    factor: Vec<[f32; 4]>,
}

impl FitPlan {
    /// Prepares fits for segments of `frames` frames; `code` is not 0.
    pub fn new(frames: usize, code: usize) -> Self {
        let taps: Vec<Taps> = (0..frames).map(|i| taps(i, i, frames, code)).collect();
        let knots = n_knots(frames, code).max(4);
        // Lower band of the normal matrix: entry [i][d] couples control points i and i - d.
        let mut band = vec![[0.0f64; 4]; knots];
        for tap in &taps {
            for a in 0..4 {
                for b in 0..=a {
                    band[tap.first + a][a - b] +=
                        f64::from(tap.weights[a]) * f64::from(tap.weights[b]);
                }
            }
        }
        // L D Lᵀ factorisation, row by row.
        let mut factor = vec![[0.0f64; 4]; knots];
        let mut pivots = vec![0.0f64; knots];
        for i in 0..knots {
            for d in (1..=3.min(i)).rev() {
                let j = i - d;
                let mut sum = band[i][d];
                for e in 1..=3 {
                    if d + e <= 3 && j >= e {
                        sum -= factor[i][d + e] * factor[j][e] * pivots[j - e];
                    }
                }
                factor[i][d] = sum / pivots[j];
            }
            let mut pivot = band[i][0] + 1e-9;
            for d in 1..=3.min(i) {
                pivot -= factor[i][d] * factor[i][d] * pivots[i - d];
            }
            pivots[i] = pivot.max(1e-9);
            factor[i][0] = 1.0 / pivots[i];
        }
        Self {
            taps,
            factor: factor.iter().map(|row| row.map(|x| x as f32)).collect(),
        }
    }

    /// Weights of every frame.
    pub fn taps(&self) -> &[Taps] {
        &self.taps
    }

    /// Computes the least-squares control points for `values` (one per frame).
    pub fn solve(&self, values: &[Vec3A], knots: &mut Vec<Vec3A>) {
        knots.clear();
        knots.resize(self.factor.len(), Vec3A::ZERO);
        // Values near zero keep more of f32's precision.
        let origin = values.first().copied().unwrap_or(Vec3A::ZERO);
        for (tap, value) in self.taps.iter().zip(values) {
            let value = *value - origin;
            if let Some(four) = knots.get_mut(tap.first..tap.first + 4) {
                for (knot, weight) in four.iter_mut().zip(tap.weights) {
                    *knot += value * weight;
                }
            }
        }
        let n = knots.len();
        for i in 0..n {
            let row = self.factor[i];
            let mut sum = knots[i];
            for d in 1..=3.min(i) {
                sum -= knots[i - d] * row[d];
            }
            knots[i] = sum;
        }
        for i in (0..n).rev() {
            let mut sum = knots[i] * self.factor[i][0];
            for d in 1..=3 {
                if i + d < n {
                    sum -= knots[i + d] * self.factor[i + d][d];
                }
            }
            knots[i] = sum;
        }
        for knot in knots {
            *knot += origin;
        }
    }
}

/// Value of the spline for four weights.
#[inline]
pub fn evaluate(knots: &[Vec3A], taps: &Taps) -> Vec3A {
    let Some(k) = knots.get(taps.first..taps.first + 4) else {
        return Vec3A::ZERO;
    };
    let w = taps.weights;
    k[0] * w[0] + k[1] * w[1] + k[2] * w[2] + k[3] * w[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_and_neighbours_agree_on_shared_frames() {
        for code in 1..4 {
            for frames in [14, 25, 33, 64] {
                if !may_use(frames, code) {
                    continue;
                }
                let knots: Vec<Vec3A> = (0..n_knots(frames, code))
                    .map(|i| Vec3A::new((i * i) as f32 * 0.1, (i as f32).sin(), 1.0))
                    .collect();
                for i in 0..frames - 1 {
                    let here = evaluate(&knots, &taps(i + 1, i + 1, frames, code));
                    let from_before = evaluate(&knots, &taps(i + 1, i, frames, code));
                    assert!(here.abs_diff_eq(from_before, 1e-4), "{code} {frames} {i}");
                    assert!((here.z - 1.0).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn parabola_is_fitted_exactly_at_every_spacing() {
        for code in 1..4 {
            let frames = 33;
            let values: Vec<Vec3A> = (0..frames)
                .map(|i| {
                    let x = i as f32 / 32.0;
                    Vec3A::new(x * x - x, 3.0 * x, 0.5)
                })
                .collect();
            let plan = FitPlan::new(frames, code);
            let mut knots = Vec::new();
            plan.solve(&values, &mut knots);
            for (tap, value) in plan.taps().iter().zip(&values) {
                assert!(evaluate(&knots, tap).abs_diff_eq(*value, 2e-6));
            }
        }
    }
}
