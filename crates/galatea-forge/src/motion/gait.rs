//! Feet that walk, run or step aside: a foot rolls over the ground at exactly the ground's speed while it stands, and
//! swings on a curve that leaves and meets the ground with that speed.

use glam::{Quat, Vec3};

use super::curve::sloped;
use super::pose::{FigurePose, FigureSide};
use super::solve::{ankle_over, toes_on_ground};

/// Ankle, ball and heel of the standing woman's left foot, whose lengths gaits are said in; the ankle over the origin.
const PLACES: [Vec3; 6] = [
    Vec3::ZERO,
    Vec3::ZERO,
    Vec3::new(0.0, 0.082, 0.0),
    Vec3::new(0.006, 0.022, 0.126),
    Vec3::new(0.0, 0.0, -0.044),
    Vec3::new(0.006, 0.0, 0.191),
];
/// Where her soles rest.
const REST: Vec3 = Vec3::new(0.092, 0.0, -0.014);

/// A point of the swing: ratio of the swing, ankle height, ankle place along the way, foot pitch, toes. Metres and
/// degrees.
pub type SwingKey = [f32; 5];

/// A gait's numbers. Degrees.
#[derive(Clone, Debug, PartialEq)]
pub struct Gait {
    /// Seconds of one cycle (two steps).
    pub period: f32,
    /// Ground speed, metres per second.
    pub speed: f32,
    /// Where it goes: 0 ahead, 90 to the left.
    pub way: f32,
    /// Ratio of the cycle for which a foot stands.
    pub duty: f32,
    /// Where the sole meets the ground, metres before the hips.
    pub strike: f32,
    /// Pitch of the foot at the strike (negative: toes up).
    pub strike_pitch: f32,
    /// Ratio of the stance at which the sole is flat.
    pub flat: f32,
    /// Ratio of the stance at which the foot begins to roll on.
    pub rise: f32,
    /// Pitch at the end of the stance.
    pub off_pitch: f32,
    /// Distance of the footprints from the middle line, metres.
    pub width: f32,
    /// Toes turned out.
    pub toe_out: f32,
    /// Ratio of the cycle by which the right foot comes later.
    pub after: f32,
    /// How high the sole is in mid-swing, metres, where `swing` is empty.
    pub lift: f32,
    /// Inner points of the swing.
    pub swing: Vec<SwingKey>,
}

impl Default for Gait {
    fn default() -> Self {
        Self {
            period: 1.0,
            speed: 1.0,
            way: 0.0,
            duty: 0.6,
            strike: 0.25,
            strike_pitch: 0.0,
            flat: 0.2,
            rise: 0.55,
            off_pitch: 0.0,
            width: 0.08,
            toe_out: 6.0,
            after: 0.5,
            lift: 0.06,
            swing: Vec::new(),
        }
    }
}

/// One foot along its way.
#[derive(Clone, Copy, Debug, Default)]
struct FootStride {
    /// The sole's place along the way and over the ground.
    along: f32,
    up: f32,
    pitch: f32,
    /// Bend of the toes beside that on the ground.
    toes: f32,
}

impl Gait {
    /// Both feet, `t` seconds after the left one's strike.
    pub fn at(&self, t: f32) -> FigurePose {
        let mut pose = FigurePose::default();
        let u = t / self.period;
        for side in FigureSide::BOTH {
            let own = match side {
                FigureSide::Left => u,
                FigureSide::Right => u - self.after,
            };
            let foot = self.foot(own.rem_euclid(1.0));
            let way = Quat::from_rotation_y(self.way.to_radians()) * Vec3::Z;
            let out = side.sign();
            let at = Vec3::X * (out * self.width) + way * foot.along + Vec3::Y * foot.up;
            let rest = REST * Vec3::new(out, 1.0, 1.0);
            pose.say_of(side, "foot", "at", at - rest);
            pose.say_of(side, "foot", "turn", Vec3::splat(self.toe_out));
            pose.say_of(side, "foot", "pitch", Vec3::splat(foot.pitch));
            pose.say_of(side, "foot", "toes", Vec3::splat(foot.toes));
        }
        pose
    }

    fn foot(&self, u: f32) -> FootStride {
        if u < self.duty {
            self.stand(u * self.period)
        } else {
            self.swing((u - self.duty) / (1.0 - self.duty))
        }
    }

    /// `t` seconds after its strike.
    fn stand(&self, t: f32) -> FootStride {
        let s = t / (self.duty * self.period);
        let along = self.strike - self.speed * t;
        if s < self.flat {
            let u = s / self.flat;
            let pitch = self.strike_pitch * (1.0 - u) * (1.0 - u) * (1.0 + 0.5 * u);
            let toes = if pitch < 0.0 { -pitch * 0.35 } else { 0.0 };
            return FootStride {
                along,
                up: 0.0,
                pitch,
                toes,
            };
        }
        let u = ((s - self.rise) / (1.0 - self.rise)).max(0.0);
        FootStride {
            along,
            up: 0.0,
            pitch: self.off_pitch * u * u * (1.25 - 0.25 * u),
            toes: 0.0,
        }
    }

    fn swing(&self, s: f32) -> FootStride {
        let stand = self.duty * self.period;
        let span = (1.0 - self.duty) * self.period;
        let h = 2e-3;
        let (a0, a1) = (self.stand(stand - h), self.stand(stand - 1e-5));
        let (b0, b1) = (self.stand(0.0), self.stand(h));
        if self.swing.is_empty() {
            // It lifts at once: soles that are low and swing would rub.
            let bump = 4.0 * s * (1.0 - s);
            let pitch = |f: &FootStride| f.pitch;
            let [first, last] =
                [pitch(&a1) - pitch(&a0), pitch(&b1) - pitch(&b0)].map(|d| d / h * span);
            return FootStride {
                along: sloped(
                    &[(0.0, a1.along), (1.0, b0.along)],
                    -self.speed * span,
                    -self.speed * span,
                    s,
                ),
                up: self.lift * bump,
                pitch: sloped(&[(0.0, a1.pitch), (1.0, b0.pitch)], first, last, s),
                toes: a1.toes + (b0.toes - a1.toes) * s,
            };
        }
        // By the ankle, whose heights and places the keys are.
        let of = |f: &FootStride| {
            let ankle = self.ankle(f);
            let toes = f.toes + toes_on_ground(f.pitch, f.up);
            [ankle.y, ankle.z, f.pitch, toes]
        };
        let [a0, a1, b0, b1] = [a0, a1, b0, b1].map(|f| of(&f));
        let curve = |k: usize| {
            let mut points = vec![(0.0, a1[k])];
            points.extend(self.swing.iter().map(|key| (key[0], key[k + 1])));
            points.push((1.0, b0[k]));
            let first = (a1[k] - a0[k]) / h * span;
            let last = (b1[k] - b0[k]) / h * span;
            sloped(&points, first, last, s)
        };
        let (y, z, pitch, toes) = (curve(0), curve(1), curve(2), curve(3));
        let flat = FootStride {
            pitch,
            ..FootStride::default()
        };
        let sole = Vec3::new(0.0, y, z) - self.ankle(&flat);
        FootStride {
            along: sole.z,
            up: sole.y,
            pitch,
            toes: toes - toes_on_ground(pitch, sole.y),
        }
    }

    /// Where the ankle of a foot is that looks along the way.
    fn ankle(&self, foot: &FootStride) -> Vec3 {
        let q = Quat::from_rotation_x(foot.pitch.to_radians());
        let sole = Vec3::new(0.0, foot.up, foot.along);
        ankle_over(sole, q, Quat::IDENTITY, &PLACES, foot.pitch)
    }
}
