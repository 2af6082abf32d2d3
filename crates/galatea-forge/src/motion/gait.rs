//! Feet that walk, run or sidestep. A planted foot rolls over the ground at exactly ground speed. The swing curve leaves and
//! reaches the ground at that speed.

use glam::{Quat, Vec3};

use super::curve::sloped;
use super::pose::{FigurePose, FigureSide};
use super::solve::{ankle_over, toes_on_ground};

/// Left ankle, ball and heel of the reference body, which gaits refer to, relative to the point below the ankle.
const PLACES: [Vec3; 6] = [
    Vec3::ZERO,
    Vec3::ZERO,
    Vec3::new(0.0, 0.082, 0.0),
    Vec3::new(0.006, 0.022, 0.126),
    Vec3::new(0.0, 0.0, -0.044),
    Vec3::new(0.006, 0.0, 0.191),
];
/// Rest position of the left sole on the reference body.
const REST: Vec3 = Vec3::new(0.092, 0.0, -0.014);

/// Key of the swing: phase of the swing, ankle height, ankle position along the direction of travel, foot pitch, toe bend.
/// Metres and degrees.
pub type SwingKey = [f32; 5];

/// Parameters of a gait. Angles in degrees.
#[derive(Clone, Debug, PartialEq)]
pub struct Gait {
    /// Duration of one cycle (two steps), seconds.
    pub period: f32,
    /// Ground speed, metres per second.
    pub speed: f32,
    /// Direction of travel: 0 is forward, 90 to the left.
    pub way: f32,
    /// Fraction of the cycle in which a foot is planted.
    pub duty: f32,
    /// Position where the sole touches the ground, metres before the hips.
    pub strike: f32,
    /// Pitch of the foot at touch-down (negative: toes up).
    pub strike_pitch: f32,
    /// Phase of the stance at which the sole is flat.
    pub flat: f32,
    /// Phase of the stance at which the foot begins to roll over the ball.
    pub rise: f32,
    /// Pitch at the end of the stance.
    pub off_pitch: f32,
    /// Distance of the footprints from the centre line, metres.
    pub width: f32,
    /// Outward angle of the toes.
    pub toe_out: f32,
    /// Delay of the right foot as a fraction of the cycle.
    pub after: f32,
    /// Height of the sole in mid-swing, metres; used if `swing` is empty.
    pub lift: f32,
    /// Inner keys of the swing.
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

/// One foot along the direction of travel.
#[derive(Clone, Copy, Debug, Default)]
struct FootStride {
    /// Position of the sole along the direction of travel.
    along: f32,
    up: f32,
    pitch: f32,
    /// Bend of the toes, in addition to the bend on the ground.
    toes: f32,
}

impl Gait {
    /// Pose of both feet, `t` seconds after the left foot's touch-down.
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

    /// Planted foot `t` seconds after its touch-down.
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
            // Lifts at once: a swinging sole near the ground would scrape it.
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
        // Interpolate the ankle, since the keys hold ankle heights and positions.
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

    /// Position of a foot's ankle, in the frame of the direction of travel.
    fn ankle(&self, foot: &FootStride) -> Vec3 {
        let q = Quat::from_rotation_x(foot.pitch.to_radians());
        let sole = Vec3::new(0.0, foot.up, foot.along);
        ankle_over(sole, q, Quat::IDENTITY, &PLACES, foot.pitch)
    }
}
