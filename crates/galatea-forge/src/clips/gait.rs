//! What walking and running share: a foot that rolls over the ground at exactly the ground's speed
//! while it stands, and swings on a curve that leaves and meets the ground with that speed.

use glam::{Quat, Vec3};

use super::{curve::sloped, stance::LegPose};
use crate::rig;

/// One point of the swing: ratio of the swing, ankle height, ankle place along Z, foot pitch,
/// toes. Metres and radians.
pub type SwingPoint = (f32, f32, f32, f32, f32);

/// A gait's numbers.
#[derive(Clone, Copy, Debug)]
pub struct WalkCycle {
    /// Seconds of one cycle (two steps).
    pub period: f32,
    /// Ground speed, metres per second.
    pub speed: f32,
    /// Ratio of the cycle for which a foot stands.
    pub duty: f32,
    /// Where the heel meets the ground, metres before the hips.
    pub strike: f32,
    /// Pitch of the foot at the strike, radians (negative: toes up).
    pub strike_pitch: f32,
    /// Ratio of the stance at which the sole is flat.
    pub flat: f32,
    /// Ratio of the stance at which the heel begins to rise.
    pub rise: f32,
    /// Pitch at toe-off, radians.
    pub off_pitch: f32,
    /// Distance of the footprints from the middle line, metres.
    pub width: f32,
    /// Toes turned out, radians.
    pub toe_out: f32,
    /// Inner points of the swing.
    pub swing: &'static [SwingPoint],
}

/// Place of one foot, lateral place aside.
#[derive(Clone, Copy, Debug)]
struct FootPosition {
    /// From the footprint's line, outwards: the ankle of a turned foot is not over its heel.
    x: f32,
    y: f32,
    z: f32,
    pitch: f32,
    toes: f32,
}

impl WalkCycle {
    /// The leg of a side (0 left, 1 right) at a ratio of the cycle counted from its own strike.
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

    /// Where a point fixed to the ground under the heel is, metres before the hips, `t` seconds
    /// after the strike.
    pub fn ground(&self, t: f32) -> f32 {
        self.strike - self.speed * t
    }

    fn stand(&self, t: f32) -> FootPosition {
        let s = t / (self.duty * self.period);
        let heel = self.ground(t);
        // The heel's edge is round: it carries the foot a little below and before its corner.
        if s < self.flat {
            let u = s / self.flat;
            let pitch = self.strike_pitch * (1.0 - u) * (1.0 - u) * (1.0 + 2.0 * u * 0.25);
            let arm = Quat::from_rotation_x(pitch) * (rig::ANKLE - rig::HEEL);
            return self.turned(heel, arm.y, arm.z, pitch, -pitch * 0.35);
        }
        let u = ((s - self.rise) / (1.0 - self.rise)).max(0.0);
        let pitch = self.off_pitch * u * u * (1.25 - 0.25 * u);
        let arm = Quat::from_rotation_x(pitch) * (rig::ANKLE - rig::BALL);
        let ahead = rig::BALL.z - rig::HEEL.z + arm.z;
        self.turned(heel, rig::BALL.y + arm.y, ahead, pitch, -pitch)
    }

    /// An ankle `y` above the ground and `ahead` of the heel's place along the turned-out foot.
    fn turned(&self, heel: f32, y: f32, ahead: f32, pitch: f32, toes: f32) -> FootPosition {
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
