//! Strands at rest, read from files or grown.

use glam::{Affine3A, Vec3};

use super::spline::Spline;
use galatea_asset::limits::is_sound_vector;

/// Maximum number of points per strand; longer strands are resampled.
pub const MAX_POINTS: usize = 64;
/// Maximum number of strands that are read.
pub const MAX_STRANDS: usize = 65_536;
/// Minimum length of a strand, metres.
const MIN_LENGTH: f32 = 1e-4;

/// Strands at rest, from root to tip; metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groom {
    /// Points of each strand, at least two.
    pub strands: Vec<Vec<Vec3>>,
    /// Warnings about dropped or repaired strands, as text for the user.
    pub warnings: Vec<String>,
}

/// Errors of hair.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GroomError {
    /// No valid strands remain.
    #[error("there are no valid strands{}", .0)]
    Empty(String),
}

impl Groom {
    /// Keeps the valid strands: at least two points, all within the limits of numbers in files, at least a tenth of a
    /// millimetre long. The warnings report dropped strands, once per kind of error.
    ///
    /// # Errors
    /// If no strand remains.
    pub fn new(strands: Vec<Vec<Vec3>>) -> Result<Self, GroomError> {
        let n = strands.len();
        let mut faults = [0_usize; 3];
        let mut valid = strands;
        valid.retain(|strand| {
            let fault = if strand.len() < 2 {
                0
            } else if !strand.iter().copied().all(is_sound_vector) {
                1
            } else if length_of(strand) < MIN_LENGTH {
                2
            } else {
                return true;
            };
            faults[fault] += 1;
            false
        });
        const WHAT: [&str; 3] = [
            "with fewer than 2 points",
            "with points that are NaN or beyond 1e6",
            "with length 0",
        ];
        let found = faults.iter().zip(WHAT).filter(|(n, _)| **n > 0);
        let mut warnings: Vec<String> = found
            .map(|(n, what)| format!("{n} strands {what} were left out"))
            .collect();
        if valid.is_empty() {
            let why = if n == 0 {
                String::new()
            } else {
                format!(": {}", warnings.join(", "))
            };
            return Err(GroomError::Empty(why));
        }
        if valid.len() > MAX_STRANDS {
            // Strands are dropped at regular intervals, so that no side becomes bald.
            let there = valid.len();
            valid = (0..MAX_STRANDS)
                .map(|i| std::mem::take(&mut valid[i * there / MAX_STRANDS]))
                .collect();
            warnings.push(format!(
                "there are {there} strands; only {MAX_STRANDS} are used"
            ));
        }
        Ok(Self {
            strands: valid,
            warnings,
        })
    }

    /// Resamples the strands with `n` points each (2 to [`MAX_POINTS`]) at equal distances. Strands of a patch must have
    /// equal numbers of points, and files may contain any number.
    pub fn resampled(&self, n: usize, spline: Spline) -> Vec<Vec<Vec3>> {
        let n = n.clamp(2, MAX_POINTS);
        self.strands
            .iter()
            .map(|strand| evenly(strand, n, spline))
            .collect()
    }

    /// Transforms all strands.
    pub fn transform(&mut self, by: &Affine3A) {
        for point in self.strands.iter_mut().flatten() {
            *point = by.transform_point3(*point);
        }
    }
}

/// Length of a strand from root to tip, metres.
pub fn length_of(strand: &[Vec3]) -> f32 {
    strand.windows(2).map(|two| two[0].distance(two[1])).sum()
}

/// Resamples a strand with `n` points at equal distances along it.
pub(super) fn evenly(strand: &[Vec3], n: usize, spline: Spline) -> Vec<Vec3> {
    const FINE: usize = 4;
    // Arc length of the curve, in fine steps of its parameter.
    let steps = (strand.len().max(n) - 1) * FINE;
    let mut before = strand.first().copied().unwrap_or_default();
    let mut lengths = vec![0.0];
    let mut total = 0.0;
    for i in 1..=steps {
        let at = spline.point(strand, i as f32 / steps as f32);
        total += at.distance(before);
        before = at;
        lengths.push(total);
    }
    let mut k = 0;
    (0..n)
        .map(|i| {
            let goal = total * i as f32 / (n - 1) as f32;
            while k + 2 < lengths.len() && lengths[k + 1] < goal {
                k += 1;
            }
            let step = lengths[k + 1] - lengths[k];
            let into = if step > 0.0 {
                ((goal - lengths[k]) / step).clamp(0.0, 1.0)
            } else {
                0.0
            };
            spline.point(strand, (k as f32 + into) / steps as f32)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_strands_are_dropped_and_reported() {
        let strands = vec![
            vec![Vec3::ZERO, Vec3::Y],
            vec![Vec3::ZERO],
            vec![Vec3::ZERO, Vec3::NAN],
            vec![Vec3::X; 4],
            Vec::new(),
        ];
        let groom = Groom::new(strands).unwrap();
        assert_eq!(groom.strands.len(), 1);
        assert_eq!(
            groom.warnings,
            [
                "2 strands with fewer than 2 points were left out",
                "1 strands with points that are NaN or beyond 1e6 were left out",
                "1 strands with length 0 were left out",
            ]
        );
        let none = Groom::new(vec![vec![Vec3::X]]).unwrap_err().to_string();
        assert_eq!(
            none,
            "there are no valid strands: 1 strands with fewer than 2 points were left out"
        );
        assert_eq!(
            Groom::new(Vec::new()).unwrap_err().to_string(),
            "there are no valid strands"
        );
    }

    #[test]
    fn too_many_strands_are_thinned_out_evenly() {
        let n = MAX_STRANDS * 3;
        let strand = |i: usize| vec![Vec3::X * i as f32, Vec3::X * i as f32 + Vec3::Y];
        let groom = Groom::new((0..n).map(strand).collect()).unwrap();
        assert_eq!(groom.strands.len(), MAX_STRANDS);
        let ends = [groom.strands.first(), groom.strands.last()].map(|strand| strand.unwrap()[0].x);
        assert_eq!(ends, [0.0, (n - 3) as f32]);
        assert!(groom.warnings[0].starts_with("there are 196608 strands; only 65536 are used"));
    }

    #[test]
    fn resampled_strands_have_equidistant_points_and_keep_their_ends() {
        // A quarter of a circle of 10 cm, its points denser at the root.
        let at = |i: usize| {
            let angle = (i as f32 / 9.0).powi(2) * std::f32::consts::FRAC_PI_2;
            Vec3::new(angle.sin(), 1.0 - angle.cos(), 0.0) * 0.1
        };
        let groom = Groom::new(vec![(0..10).map(at).collect()]).unwrap();
        let laid = groom.resampled(16, Spline::CatmullRom).remove(0);
        assert_eq!(laid.len(), 16);
        assert!(laid[0].distance(at(0)) < 1e-6 && laid[15].distance(at(9)) < 1e-6);
        let each = 0.1 * std::f32::consts::FRAC_PI_2 / 15.0;
        for two in laid.windows(2) {
            let distance = two[0].distance(two[1]);
            assert!((distance / each - 1.0).abs() < 0.02, "{distance} {each}");
        }
    }
}
