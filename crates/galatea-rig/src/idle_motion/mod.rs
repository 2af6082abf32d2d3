//! Idle motion: a body breathes, shifts its weight and is never completely still.
//!
//! Callers advance an [`IdleMotion`] once a tick and apply it to the pose, before feet and gaze. It changes only rotations and
//! the hips' position; foot placement runs later and keeps the feet in place. Invariants: the same seed and inputs give the
//! same bits; a tick allocates nothing; every motion begins at zero.

use serde::{Deserialize, Serialize};

mod breath;
mod rig;
mod sway;
#[cfg(test)]
mod tests;

use glam::{Quat, Vec3};

pub use breath::{BREATHS, Breath};
pub use rig::{IdleMotionBone, IdleMotionError, IdleMotionRig, IdleRole};
pub use sway::{PERIOD, SHIFT, Sway};

use super::Posed;
use galatea_math::random::{minimum_jerk, smooth_noise};

/// Settings of idle motion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdleMotionSettings {
    /// Scale of breathing: 0 none, 1 normal.
    pub breath: f32,
    /// Scale of the weight shift: 0 none, 1 normal. It needs locked feet.
    pub sway: f32,
    /// Scale of the noise of idle bones: 0 none, 1 normal.
    pub noise: f32,
}

impl Default for IdleMotionSettings {
    fn default() -> Self {
        Self {
            breath: 1.0,
            sway: 1.0,
            noise: 1.0,
        }
    }
}

/// Input of one tick.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdleMotionInput {
    /// Time step, seconds.
    pub dt: f32,
    /// Physical effort, 0 (rest) to 1: breaths become faster and deeper.
    pub effort: f32,
    /// Emotional valence, -1 (sad) to 1 (glad): the chest sinks or rises.
    pub valence: f32,
    /// Arousal, -1 (sleepy) to 1 (excited): all motion is slower or faster.
    pub arousal: f32,
    /// 1 while standing still, 0 while moving, when weight shift and noise are off.
    pub still: f32,
}

impl Default for IdleMotionInput {
    fn default() -> Self {
        Self {
            dt: 0.0,
            effort: 0.0,
            valence: 0.0,
            arousal: 0.0,
            still: 1.0,
        }
    }
}

/// Fade-in time, seconds.
const FADE_S: f32 = 1.0;
/// Time constant of effort, mood and stillness, seconds.
const MOOD_S: f32 = 0.7;
/// Largest noise rotations, degrees: spine, neck, arm, then hand and finger.
const NOISE: [f32; 4] = [0.3, 0.6, 0.8, 1.0];
/// Rate of the noise, changes per second.
const NOISE_RATE: f64 = 0.3;

/// State of one body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdleMotion {
    /// Settings; may change at any time.
    pub options: IdleMotionSettings,
    seed: u64,
    age: f32,
    breath: Breath,
    sway: Sway,
    /// Time of the noise.
    time: f64,
    effort: f32,
    valence: f32,
    arousal: f32,
    still: f32,
}

impl IdleMotion {
    /// Idle motion that begins at the pose.
    pub fn new(options: IdleMotionSettings, seed: u64) -> Self {
        Self {
            options,
            seed,
            age: 0.0,
            breath: Breath::new(seed ^ 0x6272_6561_7468),
            sway: Sway::new(seed ^ 0x7377_6179),
            time: 0.0,
            effort: 0.0,
            valence: 0.0,
            arousal: 0.0,
            still: 1.0,
        }
    }

    /// Advances by one tick.
    pub fn advance(&mut self, input: &IdleMotionInput) {
        let dt = if input.dt.is_finite() {
            input.dt.clamp(0.0, 0.25)
        } else {
            0.0
        };
        let blend = 1.0 - (-dt / MOOD_S).exp();
        let near = |at: &mut f32, to: f32, low: f32| {
            if to.is_finite() {
                *at += (to.clamp(low, 1.0) - *at) * blend;
            }
        };
        near(&mut self.effort, input.effort, 0.0);
        near(&mut self.valence, input.valence, -1.0);
        near(&mut self.arousal, input.arousal, -1.0);
        near(&mut self.still, input.still, 0.0);
        self.age = (self.age + dt).min(FADE_S);
        self.breath.advance(self.effort, self.arousal, dt);
        let speed = 1.0 + 0.4 * self.arousal;
        self.sway.advance(speed, dt);
        self.time += f64::from(dt * speed) * NOISE_RATE;
    }

    /// Starts to inhale now, for example before speech.
    pub fn inhale(&mut self) {
        self.breath.inhale();
    }

    /// Lung volume: 0 to about 1 at rest, up to 3.5 in hard work.
    pub fn volume(&self) -> f32 {
        self.breath.volume()
    }

    /// Number of breaths started so far.
    pub fn n_breaths(&self) -> u32 {
        self.breath.n_breaths()
    }

    /// Displacement of the hips, model space, metres; [`IdleMotion::apply`] applies it.
    pub fn hips_offset(&self, rig: &IdleMotionRig) -> Vec3 {
        let (side, ahead) = self.sway.offset();
        // Over a straight leg the hips are lower by some millimetres when they move to the side.
        let lower = -side * side / (2.0 * 0.85);
        let scale = self.options.sway.clamp(0.0, 4.0) * self.still * self.shown();
        rig.model_from_character * Vec3::new(side, lower, ahead) * (rig.size * scale)
    }

    /// Rotates the bones of a pose and moves its hips; `weight` is 0..=1.
    pub fn apply(&self, posed: &mut Posed, rig: &IdleMotionRig, weight: f32) {
        let weight = if weight.is_finite() {
            weight.clamp(0.0, 1.0)
        } else {
            0.0
        };
        if weight <= 0.0 {
            return;
        }
        if let Some(hips) = rig.hips {
            self.move_hips(posed, rig, hips, weight);
        }
        for part in &rig.parts {
            let angles = self.angles(part) * weight;
            if angles == Vec3::ZERO || !angles.is_finite() {
                continue;
            }
            let rotation = part.parent_from_character
                * Quat::from_scaled_axis(angles)
                * part.parent_from_character.conjugate();
            posed.turn(part.bone, rotation);
        }
    }

    fn move_hips(&self, posed: &mut Posed, rig: &IdleMotionRig, hips: u16, weight: f32) {
        let offset = self.hips_offset(rig) * weight;
        let above = posed.parent_model(hips).matrix3;
        // A parent with zero scale cannot move its children.
        if offset == Vec3::ZERO || above.determinant().abs() < 1e-12 {
            return;
        }
        let mut local = posed.local(hips);
        local.translation += Vec3::from(above.inverse() * glam::Vec3A::from(offset));
        posed.set_local(hips, local);
    }

    /// Rotation of a bone about the character's axes (+X left: nods, +Y up, +Z forward), radians.
    fn angles(&self, part: &IdleMotionBone) -> Vec3 {
        let breath = self.volume() * self.options.breath.clamp(0.0, 4.0);
        let lean = self.sway.side() * self.options.sway.clamp(0.0, 4.0) * self.still;
        let fraction = part.fraction;
        // Degrees. A positive angle about +X bows; about +Z it lifts the left side.
        let (living, noise) = match part.part {
            IdleRole::Hips => (Vec3::Z * (0.9 * lean), 0.0),
            IdleRole::Spine => {
                let rises = -1.1 * breath - 1.5 * self.valence;
                (Vec3::new(rises, 0.0, -1.1 * lean) * fraction, NOISE[0])
            }
            IdleRole::Neck => {
                let levels = 0.8 * breath - 1.0 * self.valence;
                (Vec3::new(levels, 0.0, 0.2 * lean) * fraction, NOISE[1])
            }
            IdleRole::Shoulder { is_left } => {
                let lift = 0.9 * breath + 0.5 * self.valence;
                (Vec3::Z * side(lift, is_left), 0.0)
            }
            IdleRole::Arm { is_left, lifted } => {
                // The arm keeps hanging: it does not follow chest and shoulder.
                let sinks = if lifted { -0.9 * breath } else { 0.0 };
                let back = 1.1 * breath * fraction;
                (Vec3::new(back, 0.0, side(sinks, is_left)), NOISE[2])
            }
            IdleRole::Finger => (Vec3::ZERO, NOISE[3]),
        };
        let noise = noise * self.options.noise.clamp(0.0, 4.0) * self.still;
        let noise = noise * (1.0 + 0.3 * self.arousal);
        let at = |axis: u64| {
            let seed = self.seed ^ (u64::from(part.bone) << 8) ^ axis;
            smooth_noise(self.time, seed) * noise
        };
        let all = living + Vec3::new(at(1), 0.7 * at(2), 0.5 * at(3)) * part.noise_fraction;
        all * (self.shown() * std::f32::consts::PI / 180.0)
    }

    fn shown(&self) -> f32 {
        minimum_jerk(self.age / FADE_S)
    }
}

/// A rotation that lifts the left side, mirrored for the right side.
fn side(angle: f32, is_left: bool) -> f32 {
    if is_left { angle } else { -angle }
}
