//! Shared code of walking and running: a foot that rolls over the ground at exactly ground speed while planted, and a swing
//! curve that leaves and reaches the ground at that speed.

use glam::{Quat, Vec3};

use super::{curve::sloped, stance::LegPose};
use crate::rig;

/// Key of the swing: phase of the swing, ankle height, ankle Z, foot pitch, toe bend. Metres and radians.
pub type SwingPoint = (f32, f32, f32, f32, f32);

/// Parameters of a gait.
#[derive(Clone, Copy, Debug)]
pub struct WalkCycle {
    /// Duration of one cycle (two steps), seconds.
    pub period: f32,
    /// Ground speed, metres per second.
    pub speed: f32,
    /// Fraction of the cycle in which a foot is planted.
    pub duty: f32,
    /// Distance of the heel strike before the hips, metres.
    pub strike: f32,
    /// Pitch of the foot at heel strike, radians (negative: toes up).
    pub strike_pitch: f32,
    /// Phase of the stance at which the sole is flat.
    pub flat: f32,
    /// Phase of the stance at which the heel begins to rise.
    pub rise: f32,
    /// Pitch at toe-off, radians.
    pub off_pitch: f32,
    /// Distance of the footprints from the centre line, metres.
    pub width: f32,
    /// Outward angle of the toes, radians.
    pub toe_out: f32,
    /// Inner keys of the swing.
    pub swing: &'static [SwingPoint],
}

/// Position of one foot.
#[derive(Clone, Copy, Debug)]
struct FootPosition {
    /// Sideways distance from the footprint's line, outwards: with a toe-out angle the ankle is not above the heel.
    x: f32,
    y: f32,
    z: f32,
    pitch: f32,
    toes: f32,
}

impl WalkCycle {
    /// Leg pose of a side (0 left, 1 right) at phase `u` of the cycle, measured from its own heel strike.
    pub fn leg(&self, side: usize, u: f32) -> LegPose {
        let u = u.rem_euclid(1.0);
        let foot = if u < self.duty {
            self.stand(u * self.period)
        } else {
            self.swing((u - self.duty) / (1.0 - self.duty))
        };
        let out = if side == 0 { 1.0 } else { -1.0 };
        LegPose {
            ankle: Vec3::new(out * (self.width + foot.x), foot.y, foot.z),
            foot: Quat::from_rotation_y(out * self.toe_out) * Quat::from_rotation_x(foot.pitch),
            toes: foot.toes,
        }
    }

    /// Position of a ground point under the heel, metres before the hips, `t` seconds after the heel strike.
    pub fn ground(&self, t: f32) -> f32 {
        self.strike - self.speed * t
    }

    fn stand(&self, t: f32) -> FootPosition {
        let s = t / (self.duty * self.period);
        let heel = self.ground(t);
        // The rounded edge of the heel carries the foot slightly below and in front of the corner.
        if s < self.flat {
            let u = s / self.flat;
            let pitch = self.strike_pitch * (1.0 - u) * (1.0 - u) * (1.0 + 2.0 * u * 0.25);
            let arm = Quat::from_rotation_x(pitch) * (rig::ANKLE - rig::HEEL);
            return self.toed_out(heel, arm.y, arm.z, pitch, -pitch * 0.35);
        }
        let u = ((s - self.rise) / (1.0 - self.rise)).max(0.0);
        let pitch = self.off_pitch * u * u * (1.25 - 0.25 * u);
        let arm = Quat::from_rotation_x(pitch) * (rig::ANKLE - rig::BALL);
        let ahead = rig::BALL.z - rig::HEEL.z + arm.z;
        self.toed_out(heel, rig::BALL.y + arm.y, ahead, pitch, -pitch)
    }

    /// Foot position with the ankle `y` above the ground and `ahead` of the heel along the toe-out direction.
    fn toed_out(&self, heel: f32, y: f32, ahead: f32, pitch: f32, toes: f32) -> FootPosition {
        FootPosition {
            x: self.toe_out.sin() * ahead,
            y,
            z: heel + self.toe_out.cos() * ahead,
            pitch,
            toes,
        }
    }

    fn swing(&self, s: f32) -> FootPosition {
        let stand = self.duty * self.period;
        let span = (1.0 - self.duty) * self.period;
        let h = 2e-3;
        let (a0, a1) = (self.stand(stand - h), self.stand(stand - 1e-5));
        let (b0, b1) = (self.stand(0.0), self.stand(h));
        let across = |pick: fn(&FootPosition) -> f32| {
            let slope = |a: &FootPosition, b: &FootPosition| (pick(b) - pick(a)) / h * span;
            let ends = [(0.0, pick(&a1)), (1.0, pick(&b0))];
            sloped(&ends, slope(&a0, &a1), slope(&b0, &b1), s)
        };
        let curve = |pick: fn(&FootPosition) -> f32, inner: fn(&SwingPoint) -> f32| {
            let mut points = vec![(0.0, pick(&a1))];
            points.extend(self.swing.iter().map(|k| (k.0, inner(k))));
            points.push((1.0, pick(&b0)));
            let first = (pick(&a1) - pick(&a0)) / h * span;
            let last = (pick(&b1) - pick(&b0)) / h * span;
            sloped(&points, first, last, s)
        };
        FootPosition {
            x: across(|f| f.x),
            y: curve(|f| f.y, |k| k.1),
            z: curve(|f| f.z, |k| k.2),
            pitch: curve(|f| f.pitch, |k| k.3),
            toes: curve(|f| f.toes, |k| k.4),
        }
    }
}
