//! How strands lie beside each other: in locks, curled, and not quite straight.

use std::f32::consts::TAU;

use glam::Vec3;

use super::groom::length_of;
use super::grow::Strand;
use galatea_math::chance::Chance;
use galatea_math::clamp::ClampTo as _;

/// How much it counts for a lock how far tips are from each other, beside how far roots are.
const COMBED: f32 = 0.3;

/// How strands differ from what lies between their guides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Locks {
    /// How far strands of a lock come together at their tips, 0..=1.
    pub clump: f32,
    /// Strands of a lock, about.
    pub size: usize,
    /// How far a strand strays at its tip, metres.
    pub frizz: f32,
    /// Radius of the curls, metres.
    pub curl: f32,
    /// Curls in a metre of hair.
    pub turns: f32,
}

impl Default for Locks {
    /// Strands as they lie between their guides.
    fn default() -> Self {
        Self {
            clump: 0.0,
            size: 20,
            frizz: 0.0,
            curl: 0.0,
            turns: 0.0,
        }
    }
}

impl Locks {
    /// Gathers and curls strands, whose first ones are spread evenly, as [`super::grow`] gives them. Roots stay where
    /// they are.
    pub fn lay(&self, strands: &mut [Strand], seed: u64) {
        let mut chance = Chance::new(seed ^ 0xa54f_f53a);
        let n_locks = (strands.len() / self.size.max(1)).clamp_to(1, strands.len().max(1));
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
            // Beside it, and combed the same way: no lock closes over a parting.
            let away = |middle: &Vec<Vec3>| {
                let end = middle.last().copied().unwrap_or(tip);
                middle[0].distance_squared(root) + COMBED * end.distance_squared(tip)
            };
            let lock =
                (0..middles.len()).min_by(|a, b| away(&middles[*a]).total_cmp(&away(&middles[*b])));
            let Some(lock) = lock else { continue };
            let length = length_of(&strand.points);
            let n = strand.points.len();
            // Each lock closes and each strand strays in its own way.
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
                let share = k as f32 / (n - 1) as f32;
                let along = (before[(k + 1).min(n - 1)] - before[k - 1]).normalize_or(Vec3::NEG_Y);
                side =
                    (side - along * side.dot(along)).normalize_or(along.any_orthonormal_vector());
                let other = along.cross(side);
                let closed = closes * share.powf(0.8);
                let mut at = before[k].lerp(middle[k.min(middle.len() - 1)], closed);
                let angle = turn + TAU * self.turns * share * length;
                let radius = self.curl * (share * 4.0).min(1.0);
                at += (side * angle.cos() + other * angle.sin()) * radius;
                let wave = (share * 5.0 + phase).sin();
                at += (stray[0] * share + stray[1] * share * wave) * self.frizz;
                strand.points[k] = at;
            }
        }
    }
}

/// A way across a strand's beginning.
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

    /// Mean distance of tips from the tip that is next to them.
    fn apart(strands: &[Strand]) -> f32 {
        let tip = |strand: &Strand| strand.points[23];
        let near = |i: usize| {
            let others = strands.iter().enumerate().filter(|(k, _)| *k != i);
            let ways = others.map(|(_, other)| tip(other).distance(tip(&strands[i])));
            ways.fold(f32::INFINITY, f32::min)
        };
        (0..strands.len()).map(near).sum::<f32>() / strands.len() as f32
    }

    #[test]
    fn locks_close_towards_their_tips_and_roots_stay() {
        let plain = strands(400);
        let mut laid = plain.clone();
        let locks = Locks {
            clump: 0.9,
            size: 20,
            ..Locks::default()
        };
        locks.lay(&mut laid, 1);
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
        Locks::default().lay(&mut none, 1);
        assert_eq!(none, plain);
    }

    #[test]
    fn curls_turn_about_their_strand_as_often_as_they_say() {
        let mut laid = strands(50);
        let plain = laid.clone();
        let locks = Locks {
            curl: 0.01,
            turns: 10.0,
            size: 10,
            ..Locks::default()
        };
        locks.lay(&mut laid, 1);
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
            let wanted = TAU * 10.0 * 0.01 * 16.0;
            assert!((turned / wanted - 1.0).abs() < 0.01, "{turned} {wanted}");
        }
    }
}
