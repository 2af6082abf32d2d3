//! Gaze: moving eyes, a following head, and lids.
//!
//! The eyes move first, in saccades, and stay on a point while the head follows; the chest turns last and least. Callers
//! advance a [`Gaze`] once a tick on the animated pose, then apply it to that pose. Invariants: the same seed and inputs
//! give the same bits; a tick allocates nothing.

use serde::{Deserialize, Serialize};

mod apply;
mod attention;
mod blink;
mod damped_angles;
mod range;
mod rig;
mod sight;
#[cfg(test)]
mod tests;
mod wander;

use glam::{Affine3A, Quat, Vec2, Vec3};

pub use attention::{Attention, AttentionOptions, Candidate, converse};
pub use blink::{BLINK_INTERVAL, Lids};
pub use damped_angles::{DampedAngles, GazeSpeed};
pub use range::{EyeRange, GazeLimits, LookMaps, LookWeights, RangeMap};
pub use rig::{BoneFraction, GazeBones, GazeError, GazeRig, USUAL_HEIGHT};
pub use sight::{SACCADE_BASE, SACCADE_PER_DEGREE, saccade_seconds};
pub use wander::GazeTiming;

use super::Posed;
use apply::FacingFrames;
use rig::{angles_of, direction_of};
use sight::EyeTarget;
use wander::Wander;

/// Reaction to a target outside of the cone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutOfRange {
    /// Ignores it, as if there were no target.
    #[default]
    Release,
    /// Looks towards it as far as the ranges allow.
    Clamp,
}

/// Settings of a character's gaze.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GazeOptions {
    /// Speed of the head. Human heads reach 200 to 300 degrees per second (Zangemeister and Stark 1981).
    pub head: GazeSpeed,
    /// Speed of the chest.
    pub chest: GazeSpeed,
    /// Half angle of the cone in which a target is accepted, radians; 120 degrees in all by default.
    pub accept_angle: f32,
    /// Half angle of the cone outside of which it is lost, radians; more than `accept`.
    pub release_angle: f32,
    /// Reaction to a target outside of the cone.
    pub out_of_range: OutOfRange,
    /// Eye rotation up to which the head does not help, radians. Heads help above 15 to 20 degrees (Freedman and Sparks
    /// 1997; Stahl 1999).
    pub eyes_alone: f32,
    /// Eye rotation that remains in a long look, radians; the head takes over the rest.
    pub eyes_at_last: f32,
    /// Angle above which the chest helps, radians, with the fraction `chest_fraction` of the excess.
    pub chest_from: f32,
    /// Fraction of the excess that the chest takes over, 0..=1; see `chest_from`.
    pub chest_fraction: f32,
    /// Maximum speed of smooth pursuit, radians per second; humans follow up to about 30 degrees per second (Robinson 1965).
    pub pursuit: f32,
    /// Amount of fixations, drift and idle looks, 0 (still) to 1.
    pub eye_activity: f32,
    /// Looks around when there is no target.
    pub idle: bool,
    /// Times of looking at the target and away.
    pub gaze_mode: GazeTiming,
    /// Blink rate: 2 is twice as frequent, 0.5 half, 0 none.
    pub blink_rate: f32,
    /// Crossfade between the eyes of the clip and those of the gaze, seconds.
    pub fade: f32,
}

impl Default for GazeOptions {
    fn default() -> Self {
        Self {
            head: GazeSpeed {
                omega: 9.0,
                speed: 240_f32.to_radians(),
                acceleration: 1400_f32.to_radians(),
            },
            chest: GazeSpeed {
                omega: 4.0,
                speed: 60_f32.to_radians(),
                acceleration: 240_f32.to_radians(),
            },
            accept_angle: 60_f32.to_radians(),
            release_angle: 75_f32.to_radians(),
            out_of_range: OutOfRange::Release,
            eyes_alone: 15_f32.to_radians(),
            eyes_at_last: 4_f32.to_radians(),
            chest_from: 25_f32.to_radians(),
            chest_fraction: 0.35,
            pursuit: 30_f32.to_radians(),
            eye_activity: 1.0,
            idle: true,
            gaze_mode: GazeTiming::STEADY,
            blink_rate: 1.0,
            fade: 0.25,
        }
    }
}

/// Gaze target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GazeTarget {
    /// Position, model space, metres.
    pub position: Vec3,
    /// Radius of a face, metres, over which the eyes wander; 0 without a face.
    pub radius: f32,
}

/// Input of one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GazeInput {
    /// Time step, seconds.
    pub dt: f32,
    /// Target; with `None` the character looks around, or nowhere.
    pub target: Option<GazeTarget>,
    /// Rotation of the whole character to its left since the last tick, radians.
    pub turned: f32,
    /// Prevents new blinks.
    pub hold_lids: bool,
}

/// Time constant in which the head takes over from the eyes, seconds.
const SETTLE_S: f32 = 1.2;
/// A target that passes behind the back keeps its side up to this angle beyond straight behind, radians.
const KEEP_SIDE_ANGLE: f32 = 0.35;

/// State of one character's gaze.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gaze {
    /// Settings; may change at any time.
    pub options: GazeOptions,
    lids: Lids,
    wander: Wander,
    sight: Option<EyeTarget>,
    /// Total rotation of the head in addition to the pose, and the part of the chest in it.
    head: DampedAngles,
    chest: DampedAngles,
    /// Goal of the head, angles relative to the base; `None` for the direction of the pose.
    aim: Option<Vec2>,
    idle_position: Vec3,
    has_target: bool,
    accepted: bool,
    /// Last yaw of the target, used to keep its side.
    yaw: f32,
    /// Seconds since the last gaze shift.
    settled: f32,
    shown: f32,
    required_turn: Option<f32>,
    /// Yaw of the target relative to the character.
    target_yaw: Option<f32>,
    eyes: Vec2,
}

impl Gaze {
    /// Gaze at rest. The seed determines blinks and idle looks.
    pub fn new(options: GazeOptions, seed: u64) -> Self {
        Self {
            options,
            lids: Lids::new(seed ^ 0x6c69_6473),
            wander: Wander::new(seed),
            sight: None,
            head: DampedAngles::default(),
            chest: DampedAngles::default(),
            aim: None,
            idle_position: Vec3::ZERO,
            has_target: false,
            accepted: false,
            yaw: 0.0,
            settled: 0.0,
            shown: 0.0,
            required_turn: None,
            target_yaw: None,
            eyes: Vec2::ZERO,
        }
    }

    /// Advances on the pose as it is before the gaze is applied.
    pub fn advance(&mut self, rig: &GazeRig, posed: &Posed, input: &GazeInput) {
        let dt = if input.dt.is_finite() {
            input.dt.clamp(0.0, 0.25)
        } else {
            0.0
        };
        let frames = FacingFrames::new(rig, posed);
        let (base, previous) = (frames.base, frames.head_angles());
        if !base.is_finite() || !posed.model(rig.head.bone).is_finite() {
            return;
        }
        let options = self.options;
        let (eye, turn) = self.rotated_center(rig, &frames, posed);
        let head = turn * frames.head;
        let up = rig.model_from_character * Vec3::Y;
        if input.turned.is_finite() && input.turned != 0.0 {
            let back = Quat::from_axis_angle(up, -input.turned);
            if let Some(sight) = &mut self.sight {
                sight.rotate(Vec3::ZERO, back);
            }
            self.idle_position = back * self.idle_position;
        }
        let target = input.target.filter(|target| target.position.is_finite());
        self.accept(rig, base, eye, target);
        let goal = self.goal(rig, base, eye, target, dt);

        self.settled += dt;
        let unseen = eye + head * Vec3::Z * (3.0 * rig.size);
        let position = goal.map_or(unseen, |goal| goal.0);
        let shows = if goal.is_some() { dt } else { -dt };
        self.shown = (self.shown + shows / options.fade.max(1e-3)).clamp(0.0, 1.0);
        let sight = self.sight.get_or_insert_with(|| EyeTarget::new(unseen));
        let shift = sight.advance(
            eye,
            position,
            rig.nearest(),
            options.pursuit.max(0.0),
            up,
            dt,
        );
        if let Some(shift) = shift {
            self.lids.shifted(shift, input.hold_lids);
            if shift > options.eyes_alone * 0.5 {
                self.settled = 0.0;
            }
        }
        self.lids.advance(dt, options.blink_rate, input.hold_lids);

        let ahead =
            goal.and_then(|(_, center)| (base.conjugate() * (center - eye)).try_normalize());
        self.follow(rig, previous, ahead, dt);
        let looking = head.conjugate() * (self.point() - eye);
        let angles = angles_of(looking.try_normalize().unwrap_or(Vec3::Z));
        self.eyes = rig.eye_range.clamp_both(angles) * self.shown();
    }

    /// Updates the target state: accepted, lost, or behind.
    fn accept(&mut self, rig: &GazeRig, base: Quat, eye: Vec3, target: Option<GazeTarget>) {
        self.required_turn = None;
        self.target_yaw = None;
        self.has_target = target.is_some();
        let Some(to) = target.and_then(|target| (target.position - eye).try_normalize()) else {
            self.accepted &= target.is_some();
            return;
        };
        let off = to.angle_between(base * Vec3::Z);
        let cone = if self.accepted {
            self.options.release_angle.max(self.options.accept_angle)
        } else {
            self.options.accept_angle
        };
        self.accepted = off <= cone;
        let yaw = angles_of(rig.model_from_character.conjugate() * to).x;
        self.target_yaw = Some(yaw);
        if !self.accepted {
            // Turning on the spot does not help for a target above or below.
            self.required_turn = (yaw.abs() > 0.5 * self.options.accept_angle).then_some(yaw);
        }
    }

    /// Position for the eyes, and the centre of the target for the head.
    fn goal(
        &mut self,
        rig: &GazeRig,
        base: Quat,
        eye: Vec3,
        target: Option<GazeTarget>,
        dt: f32,
    ) -> Option<(Vec3, Vec3)> {
        let options = self.options;
        let looks = self.accepted || options.out_of_range == OutOfRange::Clamp;
        if let Some(target) = target.filter(|_| looks) {
            self.wander.forget_idle();
            let max_distance = 1e5 * rig.size;
            let position = eye + (target.position - eye).clamp_length_max(max_distance);
            let radius = target.radius.max(0.0);
            let small =
                self.wander
                    .about(eye, position, radius, rig.size, options.eye_activity, dt);
            let (yaw, pitch) = self.wander.averted(&options.gaze_mode, dt);
            if yaw == 0.0 && pitch == 0.0 {
                return Some((position + small, position));
            }
            let to = base.conjugate() * (position - eye);
            let angles = angles_of(to) + Vec2::new(yaw, pitch);
            let angles = Vec2::new(angles.x, angles.y.clamp(-1.4, 1.4));
            let position = eye + base * direction_of(angles) * to.length();
            return Some((position, position));
        }
        if !options.idle {
            return None;
        }
        let (position, is_new) = self.wander.idle(options.eye_activity, dt);
        if is_new {
            self.idle_position = eye + base * (position * rig.size);
        }
        let small = self.wander.about(
            eye,
            self.idle_position,
            0.0,
            rig.size,
            options.eye_activity,
            dt,
        );
        Some((self.idle_position + small, self.idle_position))
    }

    /// Turns head and chest after the eyes; `previous` are the angles of the head in the pose.
    fn follow(&mut self, rig: &GazeRig, previous: Vec2, ahead: Option<Vec3>, dt: f32) {
        let options = &self.options;
        let target = ahead.map(|ahead| {
            let mut angles = angles_of(ahead);
            let turn = std::f32::consts::TAU;
            let near = [angles.x, angles.x + turn, angles.x - turn]
                .into_iter()
                .filter(|yaw| yaw.abs() <= std::f32::consts::PI + KEEP_SIDE_ANGLE)
                .min_by(|a, b| (a - self.yaw).abs().total_cmp(&(b - self.yaw).abs()));
            angles.x = near.unwrap_or(angles.x);
            self.yaw = angles.x;
            // The yaw of a direction nearly straight up or down is meaningless.
            let level = (ahead.x.hypot(ahead.z) / 0.26).min(1.0);
            angles.x *= level * level * (3.0 - 2.0 * level);
            angles
        });
        let (mut goal, mut chest) = (Vec2::ZERO, Vec2::ZERO);
        if let Some(target) = target {
            let play = if rig.has_eyes {
                let last = options.eyes_at_last.min(options.eyes_alone);
                let fraction = (-self.settled / SETTLE_S).exp();
                last + (options.eyes_alone - last) * fraction
            } else {
                0.0
            };
            let aim = self.aim.unwrap_or(previous);
            let off = target - aim;
            let left = rig
                .eye_range
                .clamp_both(off.clamp_length_max(play.max(0.0)));
            let aim = target - left;
            self.aim = Some(aim);
            goal = aim - previous;
            let length = target.length();
            let over = length - options.chest_from.max(0.0);
            if over > 0.0 && !rig.spine.is_empty() {
                let fraction = options.chest_fraction.clamp(0.0, 1.0);
                chest = rig
                    .chest_range
                    .clamp(target * (over / length * fraction), Vec2::ZERO);
            }
        } else {
            self.aim = None;
        }
        let chest_pace = options.chest;
        let head_pace = options.head;
        self.chest.advance(chest, &chest_pace, dt);
        let reach = rig.head_range.clamp(previous + goal - chest, previous) - previous + chest;
        self.head.advance(reach, &head_pace, dt);
    }

    /// Rotation of the chest, within its range.
    fn chest_angles(&self, rig: &GazeRig) -> Vec2 {
        if rig.spine.is_empty() {
            return Vec2::ZERO;
        }
        rig.chest_range.clamp(self.chest.at, Vec2::ZERO)
    }

    /// Total rotation of the head, including that of the chest, within the ranges; `previous` are its angles in the pose.
    fn head_angles(&self, rig: &GazeRig, previous: Vec2) -> Vec2 {
        let chest = self.chest_angles(rig);
        rig.head_range
            .clamp(previous + self.head.at - chest, previous)
            - previous
            + chest
    }

    /// Midpoint between the eyes after spine, neck and head are rotated, model space, and the rotation of the head.
    fn rotated_center(&self, rig: &GazeRig, frames: &FacingFrames, posed: &Posed) -> (Vec3, Quat) {
        let mut moved = Affine3A::IDENTITY;
        let mut turned = Quat::IDENTITY;
        self.turns(rig, frames, 1.0, |bone, turn| {
            let pivot = moved.transform_point3(posed.position(bone));
            let about = Affine3A::from_rotation_translation(turn, pivot - turn * pivot);
            moved = about * moved;
            turned = turn * turned;
        });
        (
            moved.transform_point3(rig.middle(posed)),
            turned.normalize(),
        )
    }

    /// Point at which the eyes converge, model space, metres.
    pub fn point(&self) -> Vec3 {
        self.sight.map_or(Vec3::Z, |sight| sight.point)
    }

    /// Returns true during a saccade.
    pub fn in_saccade(&self) -> bool {
        self.sight.is_some_and(|sight| sight.in_saccade())
    }

    /// Returns true while a target is accepted, also during a short look away from it.
    pub fn has_accepted(&self) -> bool {
        self.has_target && self.accepted
    }

    /// Returns true while the eyes look away from the target, as in conversation.
    pub fn is_averted(&self) -> bool {
        self.has_accepted() && self.wander.is_away()
    }

    /// Yaw of a target outside of the cone, to the left, radians: the character should turn towards it.
    pub fn required_turn(&self) -> Option<f32> {
        self.required_turn
    }

    /// Yaw of the target relative to the facing of the character, to the left, radians, also inside of the cone.
    pub fn target_yaw(&self) -> Option<f32> {
        self.target_yaw
    }

    /// Angles of both eyes in the head, yaw to the left and pitch up, radians.
    pub fn eye_angles(&self) -> Vec2 {
        self.eyes
    }

    /// Weights of look morphs or look expressions.
    pub fn morph_weights(&self, rig: &GazeRig) -> LookWeights {
        rig.weight_maps.morph_weights(self.eyes)
    }

    /// Lid closure by blinks, 0 (open) to 1 (closed).
    pub fn lids(&self) -> f32 {
        self.lids.closed()
    }

    /// Movement of the upper lids with the eyes: 0.5 (lowered) at the lower end of the eye range, -0.2 (widened) at the
    /// upper end (Becker and Fuchs 1988). It is scaled by the fade of the eyes.
    pub fn lids_follow(&self, rig: &GazeRig) -> f32 {
        let maps = rig.bone_maps.as_ref();
        let pitch = maps.map_or(self.eyes, |maps| maps.bone(self.eyes, true)).y;
        if pitch < 0.0 {
            0.5 * (-pitch / rig.eye_range.down.max(1e-3)).min(1.0)
        } else {
            -0.2 * (pitch / rig.eye_range.up.max(1e-3)).min(1.0)
        }
    }

    /// Number of blinks so far.
    pub fn n_blinks(&self) -> u32 {
        self.lids.n_blinks()
    }

    /// Blend weight of the gaze on the eyes, 0..=1, smoothed.
    fn shown(&self) -> f32 {
        galatea_math::random::minimum_jerk(self.shown)
    }
}
