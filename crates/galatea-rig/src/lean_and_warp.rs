//! Leaning and strafing: the body leans into turns, slopes and accelerations, and the legs follow the direction of movement
//! while the trunk aims elsewhere.
//!
//! Caller: `character`. Model space is metres, +Y up, +Z forward.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::Posed;
use galatea_math::clamp::ClampTo as _;
use galatea_math::damp::{DampedSpring, left};

/// Motion of a body, in its own space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyMotion {
    /// Velocity over the ground, metres per second, scaled to the size of a human.
    pub velocity: Vec3,
    /// Acceleration, metres per second squared, scaled likewise.
    pub acceleration: Vec3,
    /// Angular velocity about +Y, radians per second.
    pub turning: f32,
    /// Surface normal of the ground.
    pub normal: Vec3,
}

/// Bones used for leaning and strafing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HipSpineRig {
    /// The hips bone, parent of legs and trunk.
    pub hips: u16,
    /// Bones from the lowest one of the spine to the chest.
    pub spine: Vec<u16>,
    /// Height of the hips over the ground at rest, metres.
    pub height: f32,
}

/// Settings of leaning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeanSettings {
    /// Fraction of the lean that would balance a turn.
    pub turn: f32,
    /// Fraction of the lean that would balance an acceleration or deceleration.
    pub acceleration: f32,
    /// Fraction of the slope angle by which the body leans into the hill.
    pub slope: f32,
    /// Maximum lean in any direction, radians.
    pub max_angle: f32,
    /// Time in which the lean follows, seconds.
    pub smooth_time: f32,
}

impl Default for LeanSettings {
    fn default() -> Self {
        Self {
            turn: 0.7,
            acceleration: 0.4,
            slope: 0.35,
            max_angle: 0.35,
            smooth_time: 0.18,
        }
    }
}

/// State of a leaning body.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Lean {
    pitch: DampedSpring,
    roll: DampedSpring,
}

/// Acceleration of gravity, metres per second squared.
const GRAVITY: f32 = 9.81;

impl Lean {
    /// Returns the current lean forward and to the left, radians.
    pub fn angles(&self) -> [f32; 2] {
        [self.pitch.value, self.roll.value]
    }

    /// Leans the hips and their descendants over the ground contact.
    pub fn advance(
        &mut self,
        carriage: &HipSpineRig,
        options: &LeanSettings,
        motion: &BodyMotion,
        posed: &mut Posed<'_>,
        weight: f32,
        dt: f32,
    ) {
        let speed = motion.velocity.with_y(0.0).length();
        let into_turn = (speed * motion.turning / GRAVITY).atan() * options.turn;
        let into_speed = (motion.acceleration.z / GRAVITY).atan() * options.acceleration;
        let sideways = (motion.acceleration.x / GRAVITY).atan() * options.acceleration;
        let normal = motion.normal.try_normalize().unwrap_or(Vec3::Y);
        // Uphill the normal tilts backwards.
        let uphill = f32::atan2(-normal.z, normal.y.max(1e-3)) * options.slope;
        let across = f32::atan2(-normal.x, normal.y.max(1e-3)) * options.slope;
        let max = options.max_angle;
        let pitch = (into_speed + uphill).clamp_to(-max, max);
        let roll = (into_turn + sideways + across).clamp_to(-max, max);
        let pitch = self.pitch.advance(pitch, options.smooth_time, dt) * weight;
        let roll = self.roll.advance(roll, options.smooth_time, dt) * weight;
        if pitch.abs() + roll.abs() < 1e-6 {
            return;
        }
        // A lean to the left rotates about the forward axis, top towards +X.
        let lean = Quat::from_rotation_x(pitch) * Quat::from_rotation_z(-roll);
        posed.turn_in_model(carriage.hips, lean);
        let over = Vec3::Y * carriage.height;
        let parent = posed.parent_model(carriage.hips).inverse();
        let mut local = posed.local(carriage.hips);
        // The pivot is on the ground, not at the hips.
        local.translation += parent.transform_vector3(lean * over - over);
        posed.set_local(carriage.hips, local);
    }
}

/// Settings of strafing: legs that move in another direction than the trunk faces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrientationWarpSettings {
    /// Maximum rotation of the hips away from the trunk, radians; beyond it the body walks backwards.
    pub max_angle: f32,
    /// Fraction of that rotation that the spine undoes.
    pub spine: f32,
    /// Speed below which the body counts as standing, metres per second.
    pub min_speed: f32,
    /// Time in which the hips rotate, seconds.
    pub smooth_time: f32,
}

impl Default for OrientationWarpSettings {
    fn default() -> Self {
        Self {
            max_angle: 1.75,
            spine: 1.0,
            min_speed: 0.2,
            smooth_time: 0.12,
        }
    }
}

/// State of strafing: legs that follow the movement while the trunk faces forward.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct OrientationWarp {
    angle: DampedSpring,
    backwards: bool,
}

impl OrientationWarp {
    /// Returns the rotation of the hips to the left, radians, and true if the body walks backwards.
    pub fn state(&self) -> (f32, bool) {
        (self.angle.value, self.backwards)
    }

    /// Rotates the hips towards the direction of movement, and the spine back.
    pub fn advance(
        &mut self,
        carriage: &HipSpineRig,
        options: &OrientationWarpSettings,
        motion: &BodyMotion,
        posed: &mut Posed<'_>,
        weight: f32,
        dt: f32,
    ) {
        let direction = motion.velocity.with_y(0.0);
        let goal = if direction.length() < options.min_speed {
            self.backwards = false;
            0.0
        } else {
            let angle = f32::atan2(direction.x, direction.z);
            // Hysteresis: a body that walks backwards keeps doing so a little beyond the threshold.
            let edge = if self.backwards { -0.15 } else { 0.15 };
            self.backwards = angle.abs() > options.max_angle + edge;
            if self.backwards {
                (std::f32::consts::PI - angle.abs()).copysign(-angle)
            } else {
                angle.clamp_to(-options.max_angle, options.max_angle)
            }
        };
        let angle = self.angle.advance(goal, options.smooth_time, dt) * weight;
        if angle.abs() < 1e-6 {
            return;
        }
        posed.turn_in_model(carriage.hips, Quat::from_rotation_y(angle));
        let n = carriage.spine.len();
        if n == 0 {
            return;
        }
        let back = Quat::from_rotation_y(-angle * options.spine / n as f32);
        for bone in &carriage.spine {
            posed.turn_in_model(*bone, back);
        }
    }
}

/// Tracks the motion of a body from its positions tick by tick.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct MotionTracker {
    before: Option<(Vec3, f32)>,
    velocity: Vec3,
    /// Unsmoothed velocity of the last tick.
    last: Vec3,
    is_displaced: bool,
    acceleration: Vec3,
    turning: f32,
    /// Rotation about +Y in the last tick, radians.
    rotation: f32,
}

/// Acceleration, body heights per second squared, above which the change is not the body's own: something has moved it, for
/// example when it lands on the ground.
const MAX_OWN_ACCELERATION: f32 = 45.0;

impl MotionTracker {
    /// Rotation about +Y in the last tick, radians.
    pub fn rotation(&self) -> f32 {
        self.rotation
    }

    /// Returns 0 for a standing body to 1 for a walking one. `size` is the body size relative to a human.
    pub fn walk_fraction(&self, size: f32) -> f32 {
        (self.velocity.with_y(0.0).length() / (0.5 * size.max(1e-3))).min(1.0)
    }

    /// Records the current world position and heading, radians about +Y. `jump` is about the body height, metres; a longer
    /// displacement in one tick is a teleport and resets the motion.
    pub fn advance(&mut self, position: Vec3, heading: f32, jump: f32, dt: f32) {
        let before = self.before.replace((position, heading));
        let Some((previous, was_heading)) = before.filter(|_| dt > 0.0) else {
            return;
        };
        let moved = position - previous;
        if moved.length() > jump {
            *self = Self {
                before: self.before,
                ..Self::default()
            };
            return;
        }
        let turned = (heading - was_heading + std::f32::consts::PI)
            .rem_euclid(std::f32::consts::TAU)
            - std::f32::consts::PI;
        self.rotation = turned;
        let last = moved / dt;
        let is_displaced = (last - self.last).length() > MAX_OWN_ACCELERATION * jump * dt;
        self.last = last;
        let was_displaced = std::mem::replace(&mut self.is_displaced, is_displaced);
        let velocity = match (is_displaced, was_displaced) {
            (true, _) => self.velocity,
            (false, true) => last,
            (false, false) => last.lerp(self.velocity, left(0.03, dt)),
        };
        let acceleration = if is_displaced || was_displaced {
            Vec3::ZERO
        } else {
            (velocity - self.velocity) / dt
        };
        self.acceleration = acceleration.lerp(self.acceleration, left(0.06, dt));
        self.velocity = velocity;
        let turning = turned / dt;
        self.turning = turning + (self.turning - turning) * left(0.06, dt);
    }

    /// Returns the motion in the body's own space, with lengths divided by its `size` relative to a human.
    pub fn motion(&self, heading: f32, size: f32, normal: Vec3) -> BodyMotion {
        let back = Quat::from_rotation_y(-heading);
        let by = size.max(1e-4).recip();
        BodyMotion {
            velocity: back * self.velocity * by,
            acceleration: back * self.acceleration * by,
            turning: self.turning,
            normal: back * normal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::posed::tests::skeleton;
    use galatea_math::Trs;

    fn pose(run: impl Fn(&HipSpineRig, &mut Posed<'_>)) -> Vec<Vec3> {
        let skeleton = skeleton(&[
            (None, Vec3::Y),
            (Some(0), Vec3::Y * 0.2),
            (Some(1), Vec3::Y * 0.2),
            (Some(2), Vec3::Z * 0.2),
            (Some(0), Vec3::Z * 0.2),
        ]);
        let carriage = HipSpineRig {
            hips: 0,
            spine: vec![1, 2],
            height: 1.0,
        };
        let mut locals: Vec<Trs> = skeleton.rest().collect();
        let mut model = Vec::new();
        galatea_anim::local_to_model(&skeleton, &locals, &mut model);
        let mut posed = Posed::new(&skeleton, &mut locals, &model);
        run(&carriage, &mut posed);
        (0..5).map(|bone| posed.position(bone)).collect()
    }

    #[test]
    fn a_runner_in_a_left_turn_leans_left_and_its_feet_stay() {
        let mut lean = Lean::default();
        let motion = BodyMotion {
            velocity: Vec3::Z * 4.0,
            turning: 1.0,
            normal: Vec3::Y,
            ..BodyMotion::default()
        };
        let options = LeanSettings::default();
        for _ in 0..120 {
            assert!(pose_with(&mut lean, &options, &motion)[0].x >= -1e-6);
        }
        let want = (4.0_f32 / GRAVITY).atan() * 0.7;
        let [pitch, roll] = lean.angles();
        assert!(pitch.abs() < 1e-5 && (roll - want).abs() < 1e-3, "{roll}");
        let positions = pose_with(&mut lean, &options, &motion);
        assert!((positions[0].length() - 1.0).abs() < 1e-4);
        assert!(
            (positions[0].x - want.sin()).abs() < 1e-3,
            "{}",
            positions[0]
        );
    }

    fn pose_with(lean: &mut Lean, options: &LeanSettings, motion: &BodyMotion) -> Vec<Vec3> {
        let cell = std::cell::RefCell::new(lean);
        pose(|carriage, posed| {
            cell.borrow_mut()
                .advance(carriage, options, motion, posed, 1.0, 1.0 / 60.0);
        })
    }

    #[test]
    fn legs_warp_to_the_walking_direction_under_a_trunk_that_faces_forward() {
        for (moved, hips_to) in [
            (Vec3::Z, Vec3::Z),
            (Vec3::X, Vec3::X),
            (Vec3::NEG_X, Vec3::NEG_X),
            (Vec3::NEG_Z, Vec3::Z),
            (
                Vec3::new(1.0, 0.0, -3.0),
                Vec3::new(-1.0, 0.0, 3.0).normalize(),
            ),
        ] {
            let strafe = std::cell::RefCell::new(OrientationWarp::default());
            let motion = BodyMotion {
                velocity: moved,
                normal: Vec3::Y,
                ..BodyMotion::default()
            };
            let mut positions = Vec::new();
            for _ in 0..120 {
                positions = pose(|carriage, posed| {
                    let options = OrientationWarpSettings::default();
                    let mut strafe = strafe.borrow_mut();
                    strafe.advance(carriage, &options, &motion, posed, 1.0, 1.0 / 60.0);
                });
            }
            let hips = (positions[4] - positions[0]).normalize();
            assert!(hips.abs_diff_eq(hips_to, 2e-3), "{moved} {hips}");
            let trunk = (positions[3] - positions[2]).normalize();
            assert!(trunk.abs_diff_eq(Vec3::Z, 2e-3), "{moved} {trunk}");
        }
    }

    #[test]
    fn a_teleport_resets_the_velocity_of_a_walk() {
        let mut going = MotionTracker::default();
        for i in 0..60 {
            going.advance(Vec3::Z * (i as f32 / 60.0), 0.0, 1.0, 1.0 / 60.0);
        }
        assert!((going.motion(0.0, 1.0, Vec3::Y).velocity.z - 1.0).abs() < 1e-2);
        going.advance(Vec3::Z * 50.0, 0.0, 1.0, 1.0 / 60.0);
        assert_eq!(going.motion(0.0, 1.0, Vec3::Y).velocity, Vec3::ZERO);
    }

    #[test]
    fn a_displaced_body_has_no_acceleration_and_a_running_start_has() {
        let peak_acceleration = |position: &dyn Fn(f32) -> f32| {
            let mut going = MotionTracker::default();
            let mut max = 0.0_f32;
            for i in 0..60 {
                let position = Vec3::Z * position(i as f32 / 60.0);
                going.advance(position, 0.0, 1.8, 1.0 / 60.0);
                max = max.max(going.motion(0.0, 1.0, Vec3::Y).acceleration.length());
            }
            max
        };
        let set = peak_acceleration(&|t| if t < 0.1 { 0.0 } else { 0.06 });
        assert!(set < 1e-3, "{set}");
        let runs = peak_acceleration(&|t| 6.0 * t.min(0.5) * t.min(0.5) + 6.0 * (t - 0.5).max(0.0));
        assert!((8.0..13.0).contains(&runs), "{runs}");
    }
}
