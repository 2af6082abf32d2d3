//! Hair physics as in the book: springs towards the rest position, random wind, sphere collision.

use glam::{Affine3A, Vec3};
use serde::{Deserialize, Serialize};

use galatea_math::random::RandomSource;
use galatea_physics::particles::ParticleObstacle;

/// Spring constant per mass, 1/s².
const SPRING_STRENGTH: f32 = 10.0;
/// Wind acceleration at the tip, m/s².
const WIND: Vec3 = Vec3::new(-0.2, 0.0, 0.0);
/// Radius of a point, metres.
const RADIUS: f32 = 0.01;
/// Fraction of the speed that a point keeps after a collision.
const BOUNCE_SPEED: f32 = 0.5;

/// Hair simulated as in the book: no gravity, no damping, no length constraints, one step per tick, and a new random number
/// for every point in every tick. It therefore never comes to rest, and behaves differently at another tick rate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SpringHair {
    random: RandomSource,
    /// Rest positions, strand after strand.
    goals: Vec<Vec<Vec3>>,
    /// World position in metres, and velocity in m/s.
    points: Vec<Vec<(Vec3, Vec3)>>,
    is_ready: bool,
}

impl SpringHair {
    /// Creates hair at rest on guides, metres. A seed gives the same wind every time.
    pub fn new(guides: &[Vec<Vec3>], seed: u64) -> Self {
        Self {
            random: RandomSource::new(seed),
            goals: guides.to_vec(),
            points: Vec::new(),
            is_ready: false,
        }
    }

    /// Restarts at rest.
    pub fn reset(&mut self) {
        self.is_ready = false;
    }

    /// Advances by `dt` seconds. `carrier` is the transform from the guides' rest space to world space. Points stay outside
    /// of the obstacles `around` (world space).
    pub fn advance(&mut self, carrier: &Affine3A, dt: f32, around: &[ParticleObstacle]) {
        if !self.is_ready {
            self.is_ready = true;
            let start = |goal: &Vec3| (carrier.transform_point3(*goal), Vec3::ZERO);
            let strands = self.goals.iter();
            self.points = strands
                .map(|strand| strand.iter().map(start).collect())
                .collect();
        }
        for (strand, goals) in self.points.iter_mut().zip(&self.goals) {
            let last = strand.len().saturating_sub(1).max(1) as f32;
            for (i, ((at, velocity), goal)) in strand.iter_mut().zip(goals).enumerate() {
                let goal = carrier.transform_point3(*goal);
                if i == 0 {
                    *at = goal;
                    continue;
                }
                let spring = (goal - *at) * SPRING_STRENGTH;
                let wind = WIND * (i as f32 / last) * self.random.unit();
                *velocity += (spring + wind) * dt;
                *at += *velocity * dt;
                for solid in around {
                    let (distance, out) = solid.distance(*at);
                    if distance < RADIUS {
                        *at += out * (RADIUS - distance);
                        *velocity *= BOUNCE_SPEED;
                    }
                }
            }
        }
    }

    /// World positions of a strand's points, root first; empty if there is no such strand.
    pub fn points(&self, strand: usize) -> impl Iterator<Item = Vec3> + '_ {
        let strand = self.points.get(strand).into_iter().flatten();
        strand.map(|(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f32 = 1.0 / 60.0;

    fn strand() -> Vec<Vec3> {
        (0..5).map(|i| Vec3::Y * (0.05 * i as f32)).collect()
    }

    #[test]
    fn in_the_book_the_tip_never_rests_and_stays_near_its_rest_position() {
        // Tip only, no collision, 60 Hz, ten minutes.
        let mut hair = SpringHair::new(&[strand()], 5);
        let (mut peak, mut late) = (0.0_f32, 0.0_f32);
        for tick in 0..36_000 {
            hair.advance(&Affine3A::IDENTITY, DT, &[]);
            let tip = hair.points(0).last().unwrap();
            let off = tip.distance(strand()[4]);
            peak = peak.max(off);
            if tick > 35_000 {
                late = late.max(off);
            }
        }
        assert!((0.03..0.15).contains(&peak), "{peak}");
        assert!(late > 0.005, "{late}");
    }

    #[test]
    fn points_bounce_off_a_sphere_at_half_speed_and_the_root_is_fixed() {
        let ball = ParticleObstacle::Sphere {
            center: Vec3::new(0.0, 0.2, 0.0),
            radius: 0.05,
        };
        let mut hair = SpringHair::new(&[strand()], 5);
        hair.advance(&Affine3A::IDENTITY, DT, &[ball]);
        let points: Vec<Vec3> = hair.points(0).collect();
        assert_eq!(points[0], Vec3::ZERO);
        for p in &points[1..] {
            assert!(ball.distance(*p).0 > RADIUS - 1e-5, "{p}");
        }
        let moved = Affine3A::from_translation(Vec3::X);
        hair.advance(&moved, DT, &[]);
        assert_eq!(hair.points(0).next(), Some(Vec3::X));
    }
}
