//! Arrangement of strands: locks, curls and frizz.

use std::f32::consts::TAU;

use glam::Vec3;

use super::groom::length_of;
use super::grow::Strand;
use galatea_math::clamp::ClampTo as _;
use galatea_math::random::RandomSource;

/// Weight of the distance of the tips, relative to that of the roots, for assigning strands to locks.
const TIP_WEIGHT: f32 = 0.3;

/// Deviation of strands from the interpolation between their guides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Locks {
    /// Contraction of a lock's strands at their tips, 0..=1.
    pub clump: f32,
    /// Approximate number of strands per lock.
    pub lock_size: usize,
    /// Random deviation of a strand at its tip, metres.
    pub frizz: f32,
    /// Radius of the curls, metres.
    pub curl: f32,
    /// Curls per metre of hair.
    pub curls_per_meter: f32,
}

impl Default for Locks {
    /// Strands without locks, curls or frizz.
    fn default() -> Self {
        Self {
            clump: 0.0,
            lock_size: 20,
            frizz: 0.0,
            curl: 0.0,
            curls_per_meter: 0.0,
        }
    }
}

impl Locks {
    /// Arranges strands in locks and curls. The first strands must be spread evenly, as [`super::grow`] returns them. Roots
    /// do not move.
    pub fn arrange(&self, strands: &mut [Strand], seed: u64) {
        let mut chance = RandomSource::new(seed ^ 0xa54f_f53a);
        let n_locks = (strands.len() / self.lock_size.max(1)).clamp_to(1, strands.len().max(1));
        let middles: Vec<Vec<Vec3>> = strands
            .iter()
            .take(n_locks)
            .map(|s| s.points.clone())
            .collect();
        let turns: Vec<f32> = middles.iter().map(|_| chance.unit() * TAU).collect();
        for strand in strands {
            let Some(root) = strand.points.first().copied() else {
                continue;
            };
            let tip = strand.points.last().copied().unwrap_or(root);
            // Near in position and in combing direction, so that no lock spans a parting.
            let away = |middle: &Vec<Vec3>| {
                let end = middle.last().copied().unwrap_or(tip);
                middle[0].distance_squared(root) + TIP_WEIGHT * end.distance_squared(tip)
            };
            let lock =
                (0..middles.len()).min_by(|a, b| away(&middles[*a]).total_cmp(&away(&middles[*b])));
            let Some(lock) = lock else { continue };
            let length = length_of(&strand.points);
            let n = strand.points.len();
            // Each lock contracts, and each strand deviates, by a random amount.
            let closes = self.clump.clamp(0.0, 1.0) * (1.0 - 0.3 * chance.unit());
            let turn = turns[lock] + 0.5 * chance.about_zero();
            let stray: [Vec3; 2] = std::array::from_fn(|_| {
                Vec3::new(
                    chance.about_zero(),
                    chance.about_zero(),
                    chance.about_zero(),
                ) * 2.0
            });
            let phase = chance.unit() * TAU;
            let mut side = first_side(&strand.points);
            let middle = &middles[lock];
            let before = strand.points.clone();
            for k in 1..n {
                let fraction = k as f32 / (n - 1) as f32;
                let along = (before[(k + 1).min(n - 1)] - before[k - 1]).normalize_or(Vec3::NEG_Y);
                side =
                    (side - along * side.dot(along)).normalize_or(along.any_orthonormal_vector());
                let other = along.cross(side);
                let closed = closes * fraction.powf(0.8);
                let mut at = before[k].lerp(middle[k.min(middle.len() - 1)], closed);
                let angle = turn + TAU * self.curls_per_meter * fraction * length;
                let radius = self.curl * (fraction * 4.0).min(1.0);
                at += (side * angle.cos() + other * angle.sin()) * radius;
                let wave = (fraction * 5.0 + phase).sin();
                at += (stray[0] * fraction + stray[1] * fraction * wave) * self.frizz;
                strand.points[k] = at;
            }
        }
    }
}

/// A direction perpendicular to the beginning of a strand.
fn first_side(points: &[Vec3]) -> Vec3 {
    let along = points.get(1).copied().unwrap_or_default() - points[0];
    along.normalize_or(Vec3::Y).any_orthonormal_vector()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GuideArea, grow};

    fn strands(n: usize) -> Vec<Strand> {
        let guides: Vec<Vec<Vec3>> = [(0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1)]
            .map(|(x, z)| (0..24).map(|k| Vec3::new(x, -0.01 * k as f32, z)).collect())
            .to_vec();
        grow(&guides, &[GuideArea::Four([0, 1, 2, 3])], n, 1)
    }

    /// Mean distance from each tip to its nearest neighbour.
    fn apart(strands: &[Strand]) -> f32 {
        let tip = |strand: &Strand| strand.points[23];
        let near = |i: usize| {
            let others = strands.iter().enumerate().filter(|(k, _)| *k != i);
            let distances = others.map(|(_, other)| tip(other).distance(tip(&strands[i])));
            distances.fold(f32::INFINITY, f32::min)
        };
        (0..strands.len()).map(near).sum::<f32>() / strands.len() as f32
    }

    #[test]
    fn locks_contract_towards_their_tips_and_roots_stay() {
        let plain = strands(400);
        let mut laid = plain.clone();
        let locks = Locks {
            clump: 0.9,
            lock_size: 20,
            ..Locks::default()
        };
        locks.arrange(&mut laid, 1);
        assert!(
            plain
                .iter()
                .zip(&laid)
                .all(|(a, b)| a.points[0] == b.points[0] && a.follow == b.follow)
        );
        assert!(
            apart(&laid) < 0.4 * apart(&plain),
            "{} {}",
            apart(&laid),
            apart(&plain)
        );
        let mut none = plain.clone();
        Locks::default().arrange(&mut none, 1);
        assert_eq!(none, plain);
    }

    #[test]
    fn curls_have_the_given_number_of_turns_per_metre() {
        let mut laid = strands(50);
        let plain = laid.clone();
        let locks = Locks {
            curl: 0.01,
            curls_per_meter: 10.0,
            lock_size: 10,
            ..Locks::default()
        };
        locks.arrange(&mut laid, 1);
        for (strand, before) in laid.iter().zip(&plain) {
            let offsets: Vec<Vec3> = strand
                .points
                .iter()
                .zip(&before.points)
                .map(|(a, b)| *a - *b)
                .collect();
            for offset in &offsets[7..] {
                assert!((offset.length() - 0.01).abs() < 1e-4 && offset.y.abs() < 1e-4);
            }
            let turned: f32 = offsets[7..]
                .windows(2)
                .map(|two| two[0].angle_between(two[1]))
                .sum();
            let expected = TAU * 10.0 * 0.01 * 16.0;
            assert!(
                (turned / expected - 1.0).abs() < 0.01,
                "{turned} {expected}"
            );
        }
    }
}
