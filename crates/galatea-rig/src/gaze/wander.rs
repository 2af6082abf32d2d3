//! Where eyes go by themselves: over a face, about nothing, and away from whom one talks with.

use glam::{Quat, Vec3};

use galatea_math::chance::{Chance, smooth_noise};

/// How long someone looks at another and away, seconds in the mean.
///
/// Argyle and Cook (1976): who listens looks 75 % of the time at who speaks, who speaks 40 % at who
/// listens; glances last 1 to 3 s, looks at who speaks longer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GazeTiming {
    /// Seconds at the other, more than 0.
    pub at: f32,
    /// Seconds away; 0 never looks away.
    pub away: f32,
    /// Looks up when looking away, as one does who thinks of words, else down; a share, 0..=1.
    pub up: f32,
}

impl GazeTiming {
    /// Never looks away.
    pub const STEADY: Self = Self {
        at: 1.0,
        away: 0.0,
        up: 0.0,
    };
    /// Listens: 75 % at the other.
    pub const LISTENING: Self = Self {
        at: 5.4,
        away: 1.8,
        up: 0.2,
    };
    /// Speaks: 40 % at the other.
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

/// Half the angle in which a place without a size is looked about, radians.
const ABOUT: f32 = 0.012;
/// Metres about a place without a size, at scale 1 (NeosPublic #1597: 0.05).
const ABOUT_METRES: f32 = 0.05;
/// Drift of a fixation, radians (Martinez-Conde et al. 2004: fractions of a degree).
const DRIFT: f32 = 0.002;

/// Small fixations, idle looks, glances away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wander {
    chance: Chance,
    seed: u64,
    t: f64,
    /// Of the fixation in a face: sideways and up as shares of its radius, and seconds left.
    spot: (f32, f32),
    spot_left: f32,
    is_face: bool,
    /// Of idle looks: the direction in the character's directions, metres at scale 1, seconds left.
    idle: Option<Vec3>,
    idle_left: f32,
    /// Turned away by yaw and pitch, and seconds left to turn away or back.
    away: Option<(f32, f32)>,
    manner_left: f32,
    is_talking: bool,
}

impl Wander {
    pub fn new(seed: u64) -> Self {
        Self {
            chance: Chance::new(seed),
            seed,
            t: 0.0,
            spot: (0.0, 0.0),
            spot_left: 0.0,
            is_face: false,
            idle: None,
            idle_left: 0.0,
            away: None,
            manner_left: 0.0,
            is_talking: false,
        }
    }

    pub fn is_away(&self) -> bool {
        self.away.is_some()
    }

    /// A small offset from `place` as seen from `eye`, metres, model space: a spot of the face of a
    /// `radius` (0: of the place itself), and drift. `life` 0..=1 scales it.
    pub fn about(
        &mut self,
        eye: Vec3,
        place: Vec3,
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
            let chance = &mut self.chance;
            if is_face {
                // Eyes most of the time, the mouth the rest; 0.3 to 1.2 s each (Henderson 2003: 330 ms
                // in the mean over scenes, longer on faces).
                let kind = chance.unit();
                self.spot = match kind {
                    k if k < 0.36 => (0.35, 0.2),
                    k if k < 0.72 => (-0.35, 0.2),
                    _ => (0.0, -0.45),
                };
                self.spot_left = chance.between(0.3, 1.2);
            } else {
                self.spot = (chance.about_zero(), chance.about_zero());
                let long = chance.unit();
                self.spot_left = 0.4 + 9.6 * long * long;
            }
        }
        let to = place - eye;
        let distance = to.length();
        let (Some(ahead), true) = (to.try_normalize(), distance < 1e5) else {
            return Vec3::ZERO;
        };
        let side = Vec3::Y.cross(ahead).try_normalize().unwrap_or(Vec3::X);
        let up = ahead.cross(side);
        let reach = if is_face {
            radius.min(distance)
        } else {
            (ABOUT_METRES * size).min(ABOUT * distance)
        };
        let drift = |axis: u64| smooth_noise(self.t * 0.8, self.seed ^ axis) * DRIFT * distance;
        let (across, high) = self.spot;
        let life = life.clamp(0.0, 1.0);
        (side * (across * reach + drift(0xa5)) + up * (high * reach + drift(0x5a))) * life
    }

    /// A place to look at when there is none, mostly near straight ahead: a direction in the character's
    /// directions times metres at scale 1. The second tells that it is new.
    pub fn idle(&mut self, life: f32, dt: f32) -> (Vec3, bool) {
        self.idle_left -= dt;
        if let Some(place) = self.idle
            && self.idle_left > 0.0
        {
            return (place, false);
        }
        let life = life.clamp(0.0, 1.0);
        let chance = &mut self.chance;
        let (yaw, pitch) = if chance.is(0.35) {
            (0.05 * chance.about_zero(), 0.04 * chance.about_zero())
        } else {
            (
                0.75 * chance.about_zero(),
                -0.04 + 0.25 * chance.about_zero(),
            )
        };
        let metres = chance.between(1.5, 6.0);
        let long = chance.unit();
        self.idle_left = 0.6 + 4.4 * long * long + 4.0 * (1.0 - life);
        let turn = Quat::from_rotation_y(yaw * life) * Quat::from_rotation_x(-pitch * life);
        let place = turn * Vec3::Z * metres;
        self.idle = Some(place);
        (place, true)
    }

    /// Forgets where it looked about, so that the next idle look starts at once.
    pub fn forget_idle(&mut self) {
        self.idle = None;
    }

    /// By how much (yaw, pitch, radians) to look away from the other now.
    pub fn averted(&mut self, manner: &GazeTiming, dt: f32) -> (f32, f32) {
        if manner.away <= 0.0 {
            (self.away, self.is_talking) = (None, false);
            return (0.0, 0.0);
        }
        self.manner_left -= dt;
        if self.is_talking && self.manner_left > 0.0 {
            return self.away.unwrap_or_default();
        }
        let chance = &mut self.chance;
        // The first look is at the other.
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
        self.manner_left = (mean * chance.between(0.5, 1.5)).max(0.1);
        self.away.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_listens_looks_more_than_who_speaks() {
        let share = |manner: GazeTiming, seed| {
            let mut wander = Wander::new(seed);
            let n = 36_000;
            let at = (0..n).filter(|_| {
                wander.averted(&manner, 1.0 / 60.0);
                !wander.is_away()
            });
            at.count() as f32 / n as f32
        };
        for seed in [1, 2, 3] {
            let listening = share(GazeTiming::LISTENING, seed);
            assert!((listening - 0.75).abs() < 0.05, "{listening}");
            let speaking = share(GazeTiming::SPEAKING, seed);
            assert!((speaking - 0.4).abs() < 0.05, "{speaking}");
            assert_eq!(share(GazeTiming::STEADY, seed), 1.0);
        }
    }

    #[test]
    fn idle_looks_are_mostly_near_ahead_and_without_life_straight_ahead() {
        let looks = |life: f32| {
            let mut wander = Wander::new(9);
            let mut all = Vec::new();
            for _ in 0..60 * 1800 {
                let (place, is_new) = wander.idle(life, 1.0 / 60.0);
                if is_new {
                    all.push(place.angle_between(Vec3::Z).to_degrees());
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
    fn a_place_is_looked_about_within_a_degree_and_a_face_within_its_radius() {
        let mut wander = Wander::new(4);
        let (eye, place) = (Vec3::Y, Vec3::new(0.0, 1.0, 2.0));
        let (mut spots, mut last) = (0, Vec3::ZERO);
        for _ in 0..6000 {
            let off = wander.about(eye, place, 0.0, 1.0, 1.0, 1.0 / 60.0);
            assert!(((place + off - eye).angle_between(place - eye)).to_degrees() < 1.0);
        }
        for _ in 0..6000 {
            let off = wander.about(eye, place, 0.1, 1.0, 1.0, 1.0 / 60.0);
            assert!(off.length() < 0.06);
            spots += u32::from(off.distance(last) > 0.03);
            last = off;
        }
        assert!((60..200).contains(&spots), "{spots} in 100 s");
        assert_eq!(wander.about(eye, place, 0.1, 1.0, 0.0, 0.1), Vec3::ZERO);
    }
}
