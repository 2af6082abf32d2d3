//! Involuntary eye movements: fixations on a face, idle looks, and looking away from a conversation partner.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use galatea_math::random::{RandomSource, smooth_noise};

/// Mean times of looking at a conversation partner and away.
///
/// Argyle and Cook (1976): a listener looks at the speaker 75 % of the time, a speaker at the listener 40 %. Glances last 1
/// to 3 s; looks at the speaker last longer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GazeTiming {
    /// Mean time of a look at the partner, seconds, more than 0.
    pub at: f32,
    /// Mean time of a look away, seconds; with 0 the character never looks away.
    pub away: f32,
    /// Fraction of the looks away that go up, as when searching for words, 0..=1; the others go down.
    pub up: f32,
}

impl GazeTiming {
    /// Never looks away.
    pub const STEADY: Self = Self {
        at: 1.0,
        away: 0.0,
        up: 0.0,
    };
    /// Listener: looks at the partner 75 % of the time.
    pub const LISTENING: Self = Self {
        at: 5.4,
        away: 1.8,
        up: 0.2,
    };
    /// Speaker: looks at the partner 40 % of the time.
    pub const SPEAKING: Self = Self {
        at: 1.6,
        away: 2.4,
        up: 0.6,
    };
}

impl Default for GazeTiming {
    fn default() -> Self {
        Self::STEADY
    }
}

/// Fixation radius around a target without a size, as an angle, radians.
const FIXATION_ANGLE: f32 = 0.012;
/// Fixation radius around a target without a size, metres at scale 1 (NeosPublic #1597: 0.05).
const FIXATION_RADIUS: f32 = 0.05;
/// Amplitude of the drift during a fixation, radians (Martinez-Conde et al. 2004: fractions of a degree).
const DRIFT: f32 = 0.002;

/// State of fixations, idle looks and looks away.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Wander {
    random: RandomSource,
    seed: u64,
    t: f64,
    /// Current fixation point in a face, sideways and up, as fractions of its radius, and seconds until the next one.
    spot: (f32, f32),
    spot_left: f32,
    is_face: bool,
    /// Current idle look: direction in the character's space times distance, metres at scale 1, and seconds left.
    idle: Option<Vec3>,
    idle_left: f32,
    /// Yaw and pitch of the current look away, radians, and seconds until it changes.
    away: Option<(f32, f32)>,
    look_left: f32,
    is_talking: bool,
}

impl Wander {
    pub fn new(seed: u64) -> Self {
        Self {
            random: RandomSource::new(seed),
            seed,
            t: 0.0,
            spot: (0.0, 0.0),
            spot_left: 0.0,
            is_face: false,
            idle: None,
            idle_left: 0.0,
            away: None,
            look_left: 0.0,
            is_talking: false,
        }
    }

    pub fn is_away(&self) -> bool {
        self.away.is_some()
    }

    /// Small offset from `position` as seen from `eye`, metres, model space: a fixation point in a face of the given
    /// `radius` (with 0, around the position itself), plus drift. `life`, 0..=1, scales it.
    pub fn about(
        &mut self,
        eye: Vec3,
        position: Vec3,
        radius: f32,
        size: f32,
        life: f32,
        dt: f32,
    ) -> Vec3 {
        self.t += f64::from(dt);
        self.spot_left -= dt;
        let is_face = radius > 0.0;
        if self.spot_left <= 0.0 || self.is_face != is_face {
            self.is_face = is_face;
            let chance = &mut self.random;
            if is_face {
                // Mostly the eyes, otherwise the mouth; 0.3 to 1.2 s each (Henderson 2003: mean of 330 ms over scenes,
                // longer on faces).
                let kind = chance.unit();
                self.spot = match kind {
                    k if k < 0.36 => (0.35, 0.2),
                    k if k < 0.72 => (-0.35, 0.2),
                    _ => (0.0, -0.45),
                };
                self.spot_left = chance.between(0.3, 1.2);
            } else {
                self.spot = (chance.about_zero(), chance.about_zero());
                let unit = chance.unit();
                self.spot_left = 0.4 + 9.6 * unit * unit;
            }
        }
        let to = position - eye;
        let distance = to.length();
        let (Some(ahead), true) = (to.try_normalize(), distance < 1e5) else {
            return Vec3::ZERO;
        };
        let side = Vec3::Y.cross(ahead).try_normalize().unwrap_or(Vec3::X);
        let up = ahead.cross(side);
        let reach = if is_face {
            radius.min(distance)
        } else {
            (FIXATION_RADIUS * size).min(FIXATION_ANGLE * distance)
        };
        let drift = |axis: u64| smooth_noise(self.t * 0.8, self.seed ^ axis) * DRIFT * distance;
        let (across, high) = self.spot;
        let life = life.clamp(0.0, 1.0);
        (side * (across * reach + drift(0xa5)) + up * (high * reach + drift(0x5a))) * life
    }

    /// Position to look at without a target, mostly near straight ahead: direction in the character's space times distance,
    /// metres at scale 1. The flag is true when it is new.
    pub fn idle(&mut self, life: f32, dt: f32) -> (Vec3, bool) {
        self.idle_left -= dt;
        if let Some(position) = self.idle
            && self.idle_left > 0.0
        {
            return (position, false);
        }
        let life = life.clamp(0.0, 1.0);
        let chance = &mut self.random;
        let (yaw, pitch) = if chance.is(0.35) {
            (0.05 * chance.about_zero(), 0.04 * chance.about_zero())
        } else {
            (
                0.75 * chance.about_zero(),
                -0.04 + 0.25 * chance.about_zero(),
            )
        };
        let metres = chance.between(1.5, 6.0);
        let unit = chance.unit();
        self.idle_left = 0.6 + 4.4 * unit * unit + 4.0 * (1.0 - life);
        let rotation = Quat::from_rotation_y(yaw * life) * Quat::from_rotation_x(-pitch * life);
        let position = rotation * Vec3::Z * metres;
        self.idle = Some(position);
        (position, true)
    }

    /// Forgets the current idle look, so that the next one starts at once.
    pub fn forget_idle(&mut self) {
        self.idle = None;
    }

    /// Current offset of a look away from the partner: yaw and pitch, radians.
    pub fn averted(&mut self, manner: &GazeTiming, dt: f32) -> (f32, f32) {
        if manner.away <= 0.0 {
            (self.away, self.is_talking) = (None, false);
            return (0.0, 0.0);
        }
        self.look_left -= dt;
        if self.is_talking && self.look_left > 0.0 {
            return self.away.unwrap_or_default();
        }
        let chance = &mut self.random;
        // The first look is at the partner.
        let looks_away = self.is_talking && self.away.is_none();
        self.is_talking = true;
        self.away = looks_away.then(|| {
            let side = if chance.is(0.5) { 1.0 } else { -1.0 };
            let yaw = side * chance.between(0.2, 0.5);
            let pitch = if chance.is(manner.up) {
                chance.between(0.05, 0.25)
            } else {
                -chance.between(0.05, 0.3)
            };
            (yaw, pitch)
        });
        let mean = if looks_away { manner.away } else { manner.at };
        self.look_left = (mean * chance.between(0.5, 1.5)).max(0.1);
        self.away.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_looks_at_the_partner_more_than_a_speaker() {
        let fraction_at_partner = |manner: GazeTiming, seed| {
            let mut wander = Wander::new(seed);
            let n = 36_000;
            let at = (0..n).filter(|_| {
                wander.averted(&manner, 1.0 / 60.0);
                !wander.is_away()
            });
            at.count() as f32 / n as f32
        };
        for seed in [1, 2, 3] {
            let listening = fraction_at_partner(GazeTiming::LISTENING, seed);
            assert!((listening - 0.75).abs() < 0.05, "{listening}");
            let speaking = fraction_at_partner(GazeTiming::SPEAKING, seed);
            assert!((speaking - 0.4).abs() < 0.05, "{speaking}");
            assert_eq!(fraction_at_partner(GazeTiming::STEADY, seed), 1.0);
        }
    }

    #[test]
    fn idle_looks_are_mostly_near_ahead_and_exactly_ahead_without_life() {
        let looks = |life: f32| {
            let mut wander = Wander::new(9);
            let mut all = Vec::new();
            for _ in 0..60 * 1800 {
                let (position, is_new) = wander.idle(life, 1.0 / 60.0);
                if is_new {
                    all.push(position.angle_between(Vec3::Z).to_degrees());
                }
            }
            all
        };
        let angles = looks(1.0);
        assert!(angles.len() > 400 && angles.iter().all(|a| *a < 47.0));
        let near = angles.iter().filter(|a| **a < 20.0).count();
        assert!(near * 3 > angles.len() * 2, "{near} of {}", angles.len());
        assert!(looks(0.0).iter().all(|a| *a < 1e-3));
    }

    #[test]
    fn fixations_stay_within_a_degree_of_a_point_and_within_a_face_radius() {
        let mut wander = Wander::new(4);
        let (eye, position) = (Vec3::Y, Vec3::new(0.0, 1.0, 2.0));
        let (mut spots, mut last) = (0, Vec3::ZERO);
        for _ in 0..6000 {
            let off = wander.about(eye, position, 0.0, 1.0, 1.0, 1.0 / 60.0);
            assert!(((position + off - eye).angle_between(position - eye)).to_degrees() < 1.0);
        }
        for _ in 0..6000 {
            let off = wander.about(eye, position, 0.1, 1.0, 1.0, 1.0 / 60.0);
            assert!(off.length() < 0.06);
            spots += u32::from(off.distance(last) > 0.03);
            last = off;
        }
        assert!((60..200).contains(&spots), "{spots} in 100 s");
        assert_eq!(wander.about(eye, position, 0.1, 1.0, 0.0, 0.1), Vec3::ZERO);
    }
}
