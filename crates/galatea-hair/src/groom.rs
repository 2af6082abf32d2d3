//! Strands as they are read or grown, at rest.

use glam::{Affine3A, Vec3};

use super::spline::Spline;
use galatea_asset::limits::is_sound_vector;

/// Points of a strand at most; longer ones are laid anew with as many.
pub const MOST_POINTS: usize = 64;
/// Strands that are read at most.
pub const MOST_STRANDS: usize = 65_536;
/// Metres from root to tip under which a strand is none.
const LEAST_LENGTH: f32 = 1e-4;

/// Strands at rest, from root to tip; metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groom {
    /// Points of each, two at least.
    pub strands: Vec<Vec<Vec3>>,
    /// What was left out or mended, in plain words.
    pub warnings: Vec<String>,
}

/// Why there is no hair.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GroomError {
    /// No bytes remain.
    #[error("there is no strand in it{}", .0)]
    Empty(String),
}

impl Groom {
    /// Those strands of which something can be made: two points or more, all of them within the limits of numbers in files, a tenth of a
    /// millimetre long. What is left out is told in the warnings, once for each fault.
    ///
    /// # Errors
    /// When none is left.
    pub fn new(strands: Vec<Vec<Vec3>>) -> Result<Self, GroomError> {
        let n = strands.len();
        let mut faults = [0_usize; 3];
        let mut kept = strands;
        kept.retain(|strand| {
            let fault = if strand.len() < 2 {
                0
            } else if !strand.iter().copied().all(is_sound_vector) {
                1
            } else if length_of(strand) < LEAST_LENGTH {
                2
            } else {
                return true;
            };
            faults[fault] += 1;
            false
        });
        const WHAT: [&str; 3] = [
            "with one point or none",
            "with points that are NaN or beyond 1e6",
            "without length",
        ];
        let told = faults.iter().zip(WHAT).filter(|(n, _)| **n > 0);
        let mut warnings: Vec<String> = told
            .map(|(n, what)| format!("{n} strands {what} were left out"))
            .collect();
        if kept.is_empty() {
            let why = if n == 0 {
                String::new()
            } else {
                format!(": {}", warnings.join(", "))
            };
            return Err(GroomError::Empty(why));
        }
        if kept.len() > MOST_STRANDS {
            // Every so many, so that no side goes bald.
            let there = kept.len();
            kept = (0..MOST_STRANDS)
                .map(|i| std::mem::take(&mut kept[i * there / MOST_STRANDS]))
                .collect();
            warnings.push(format!("{MOST_STRANDS} of {there} strands are kept"));
        }
        Ok(Self {
            strands: kept,
            warnings,
        })
    }

    /// The same strands with `n` points each (2 to [`MOST_POINTS`]), evenly along them: those of a patch must have
    /// equally many, and files give any number (HR-08).
    pub fn resampled(&self, n: usize, spline: Spline) -> Vec<Vec<Vec3>> {
        let n = n.clamp(2, MOST_POINTS);
        self.strands
            .iter()
            .map(|strand| evenly(strand, n, spline))
            .collect()
    }

    /// Moves all of it.
    pub fn transform(&mut self, by: &Affine3A) {
        for point in self.strands.iter_mut().flatten() {
            *point = by.transform_point3(*point);
        }
    }
}

/// Metres from root to tip along a strand.
pub fn length_of(strand: &[Vec3]) -> f32 {
    strand.windows(2).map(|two| two[0].distance(two[1])).sum()
}

/// A strand laid anew with `n` points that are equally far from each other along it.
pub(super) fn evenly(strand: &[Vec3], n: usize, spline: Spline) -> Vec<Vec3> {
    const FINE: usize = 4;
    // How long the curve is up to fine steps of its share.
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
    fn strands_of_which_nothing_can_be_made_are_left_out_and_told() {
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
                "2 strands with one point or none were left out",
                "1 strands with points that are NaN or beyond 1e6 were left out",
                "1 strands without length were left out",
            ]
        );
        let none = Groom::new(vec![vec![Vec3::X]]).unwrap_err().to_string();
        assert_eq!(
            none,
            "there is no strand in it: 1 strands with one point or none were left out"
        );
        assert_eq!(
            Groom::new(Vec::new()).unwrap_err().to_string(),
            "there is no strand in it"
        );
    }

    #[test]
    fn of_too_many_strands_some_from_everywhere_are_kept() {
        let n = MOST_STRANDS * 3;
        let strand = |i: usize| vec![Vec3::X * i as f32, Vec3::X * i as f32 + Vec3::Y];
        let groom = Groom::new((0..n).map(strand).collect()).unwrap();
        assert_eq!(groom.strands.len(), MOST_STRANDS);
        let ends = [groom.strands.first(), groom.strands.last()].map(|strand| strand.unwrap()[0].x);
        assert_eq!(ends, [0.0, (n - 3) as f32]);
        assert!(groom.warnings[0].starts_with("65536 of 196608"));
    }

    #[test]
    fn strands_laid_anew_have_points_equally_far_apart_and_keep_their_ends() {
        // A quarter of a circle of 10 cm, its points crowded at the root.
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
            let way = two[0].distance(two[1]);
            assert!((way / each - 1.0).abs() < 0.02, "{way} {each}");
        }
    }
}
