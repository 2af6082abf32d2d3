//! One foot: decides whether it is planted, locks it in the world, and blends it back to its clip.

use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::footing::{FootProbe, Footing, climb, ground_at};
use super::hold::{Fading, FootHold};
use super::legs::Leg;
use super::next::Stride;
use super::tick_input::FootTickInput;
use super::toe::{Plane, Toes};
use super::{FootIkInput, GroundHit, PlatformId, Step};
use crate::Posed;
use crate::turning::shortest_rotation;
use galatea_math::{nlerp, smoothstep};

/// Longest distance that a planted foot slides before it rests, as a fraction of the leg length.
const MAX_SLIP: f32 = 0.02;
/// Duration of a corrective step, seconds: a step that the solver adds when a planted foot is too far from its clip
/// position.
const CORRECTIVE_STEP_S: f32 = 0.24;
/// Height of a corrective step, as a fraction of the leg length.
const CORRECTIVE_STEP_HEIGHT: f32 = 0.08;
/// Largest yaw between a locked foot and its clip, radians.
const MAX_YAW: f32 = 0.6;
/// The same, and the largest distance as a fraction of the leg length, once the body rests.
const MAX_REST_YAW: f32 = 0.25;
const MAX_REST_OFFSET: f32 = 0.12;
/// Look-ahead, seconds: a foot is released when its clip would pull it too far within this time.
const LOOK_AHEAD_S: f32 = 0.1;
/// Largest roll of a locked foot over its ball or heel so that the leg reaches, radians: as far as toes bend.
const MAX_ROLL: f32 = 0.85;
/// Part of that roll, radians, that is used before the body is lowered instead.
const PREFERRED_ROLL: f32 = 0.2;
/// Heights of a foot over the clip's ground, as fractions of the leg length: it may be planted below the first, and is
/// released above the second.
const PLANT_HEIGHT: [f32; 2] = [0.045, 0.075];
/// Speeds of a foot, leg lengths per second: it may be planted below the first, and is released above the second.
const PLANT_SPEED: [f32; 2] = [0.4, 0.8];
/// Clips that were never matched to the ground move planted feet forwards or backwards. A foot counts as planted up to the
/// first fraction of the body's speed forwards (the second once planted), and up to `BACKWARD_SLIP` times that speed
/// backwards. A swinging foot moves at about twice the body's speed.
const FORWARD_SLIP: [f32; 2] = [0.5, 0.9];
const BACKWARD_SLIP: f32 = 1.5;

/// The end of the foot that is on the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum End {
    Heel,
    #[default]
    Ball,
}

/// State of one foot between ticks.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FootState {
    is_planted: bool,
    hold: Option<FootHold>,
    end: End,
    /// Remaining offset from the target, world space, and of the heading, radians.
    rest: Fading,
    /// Offset of the output from the target of clip and ground, world space, metres.
    offset: Vec3,
    turned: f32,
    /// Velocity of the output, metres per second.
    velocity: Vec3,
    /// Velocity that the clip gives the foot, relative to the moving ground, metres per second.
    clip_velocity: Vec3,
    /// Corrective step in progress: its phase 0..=1, and the offset and yaw where it began.
    corrective_step: Option<(f32, Vec3, f32)>,
    /// Target of the last tick, from clip and ground.
    target: Option<(End, Vec3)>,
    footing: Footing,
    /// Clip position of the last tick.
    before: Option<(End, Vec3)>,
    /// Downward speed, decaying, metres per second.
    falling: f32,
    /// Horizontal distance since the foot was last planted, metres.
    travelled: f32,
    last: Option<Vec3>,
    /// Heel and ball in the output, world space.
    shown: [Vec3; 2],
    /// Number of ticks that this end has been locked, and the transform of the platform it is locked to.
    locked_ticks: u32,
    locked_platform: Affine3A,
    /// Moving platform under the foot and its transform in the last tick.
    platform: Option<(PlatformId, Affine3A)>,
    /// Locked position in the last tick, and the vertical displacement of the platform in this tick.
    locked: Option<Vec3>,
    pub(super) lifted: Option<f32>,
    pub(super) stride: Stride,
    pub(super) toes: Toes,
}

/// Target of a foot, from clip and ground.
struct FootGoal {
    is_planted: bool,
    /// Target position of the contact end, world space.
    target: Vec3,
    heading: f32,
    platform: GroundHit,
}

/// The foot in the pose of the clip, world space.
struct FootInClip {
    ankle: Vec3,
    rotation: Quat,
    /// Heel and ball, in this order.
    ends: [Vec3; 2],
    hip: Vec3,
}

impl FootInClip {
    fn of(leg: &Leg, seen: &FootTickInput<'_>, posed: &Posed<'_>) -> Self {
        let in_world = seen.world * posed.model(leg.limb.end);
        Self {
            ankle: Vec3::from(in_world.translation),
            rotation: rotation_of(in_world),
            ends: [leg.heel, leg.ball].map(|point| in_world.transform_point3(point)),
            hip: seen.world.transform_point3(posed.position(leg.limb.upper)),
        }
    }
}

/// Solved pose of a foot, world space.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct FootPose {
    pub ankle: Vec3,
    pub rotation: Quat,
    /// Position of the hip after the body has been moved.
    pub hip: Vec3,
    /// Height of the ground relative to the clips' ground plane, metres.
    pub rise: f32,
    /// Distance from hip to ankle in the clip, metres.
    pub stretch: f32,
    pub is_planted: bool,
    /// The foot is in the first half of a corrective step: the body need not reach down to it.
    pub is_lifted: bool,
    /// Horizontal offset of the lock from the clip position, world space.
    pub lock_offset: Vec3,
    /// Contact end, and its position while locked.
    pub end: End,
    pub pivot: Option<Vec3>,
    /// True if ground was found, and its position.
    pub found: bool,
    pub position: Vec3,
    /// Rise of that slope along the body's movement in this tick, metres.
    pub climb: f32,
    pub plane: Plane,
}

impl FootPose {
    /// Returns the ankle position closest to the hip that a roll over the locked ball allows before the body must be
    /// lowered. `walks` runs from 0 (standing, heels stay down) to 1.
    pub fn within_reach(&self, walks: f32) -> Vec3 {
        let Some(pivot) = self.pivot.filter(|_| self.end == End::Ball) else {
            return self.ankle;
        };
        let (arm, up) = (self.ankle - pivot, self.hip - pivot);
        let Some(axis) = arm.cross(up).try_normalize() else {
            return self.ankle;
        };
        let angle = arm.angle_between(up).min(PREFERRED_ROLL * walks);
        pivot + Quat::from_axis_angle(axis, angle) * arm
    }

    /// Rolls a locked foot over its contact end when it is farther from the hip than the leg is long: heel or toes lift and
    /// the contact end stays. `length` is in world metres.
    pub fn roll(&mut self, length: f32) {
        let Some(pivot) = self.pivot else {
            return;
        };
        let length = length.max(self.stretch);
        let (arm, up) = (self.ankle - pivot, self.hip - pivot);
        let (r, far) = (arm.length(), up.length());
        if self.hip.distance(self.ankle) <= length || r * far < 1e-9 {
            return;
        }
        let cosine = (far * far + r * r - length * length) / (2.0 * far * r);
        let angle = arm.angle_between(up) - cosine.clamp(-1.0, 1.0).acos();
        let Some(axis) = arm.cross(up).try_normalize() else {
            return;
        };
        let rotation = Quat::from_axis_angle(axis, angle.clamp(0.0, MAX_ROLL));
        self.ankle = pivot + rotation * arm;
        self.rotation = rotation * self.rotation;
    }
}

impl FootState {
    /// Returns the contact end of a locked foot, in the foot's space, and the transform of its platform.
    pub fn locked_end(&self, leg: &Leg) -> Option<(Vec3, Affine3A)> {
        let end = match self.end {
            End::Heel => leg.heel,
            End::Ball => leg.ball,
        };
        (self.locked_ticks > 1).then_some((end, self.locked_platform))
    }

    pub(super) fn is_stepping(&self) -> bool {
        self.corrective_step.is_some()
    }

    pub(super) fn advance(
        &mut self,
        index: usize,
        leg: &Leg,
        seen: &FootTickInput<'_>,
        posed: &Posed<'_>,
        input: &FootIkInput<'_>,
        steps: &mut Vec<Step>,
    ) -> FootPose {
        let clip = FootInClip::of(leg, seen, posed);
        let end = self.end;
        self.choose_end(clip.ends, seen);
        let at_end = usize::from(self.end == End::Ball);
        let contact = clip.ends[at_end];
        let height = (clip.ends[0].y.min(clip.ends[1].y) - seen.plane).max(0.0);
        let (velocity, fell) = self.clip_motion(contact, input.dt, seen.damping.fall);
        let carried = self.platform_velocity(contact, input);
        let wants =
            input.grounded && self.should_plant(index, height, [velocity, carried], seen, input);
        let at = match self.locked_position(input) {
            Some(held) if wants => held,
            _ => contact + self.offset,
        };
        let found = FootProbe::at(at, (!wants).then_some(velocity), seen, input);
        let is_found = found.is_some();
        let found = found.unwrap_or_else(|| FootProbe::level(at.with_y(seen.plane)));
        let under = found.hit;
        let carrier = under.platform;
        self.platform = carrier.and_then(|id| Some((id, input.ground.platform(id)?)));
        let (rise, normal) = self.footing.advance(&found, carried, input.dt, seen);
        let target = contact + Vec3::Y * rise;
        if self.end != end && self.last.is_some() {
            self.roll_over(self.shown[at_end], target);
        }
        let goal = FootGoal {
            is_planted: wants && is_found,
            target,
            heading: heading_of(clip.ends),
            platform: under,
        };
        let is_planted = self.follow_target(&goal, seen, input);
        if is_planted && !self.is_planted {
            self.land(index, target, under, fell, seen, steps);
        }
        self.is_planted = is_planted;
        self.clip_velocity = velocity - carried;
        self.locked_ticks = self.hold.map_or(0, |_| self.locked_ticks + 1);
        self.stride.advance(input.dt);
        let shown = self.show(target, input.dt, seen);
        let turn = self.turn(normal, height, seen);
        self.shown = clip.ends.map(|end| shown + turn * (end - contact));
        FootPose {
            ankle: shown + turn * (clip.ankle - contact),
            rotation: turn * clip.rotation,
            hip: clip.hip,
            rise,
            stretch: clip.hip.distance(clip.ankle),
            is_planted,
            is_lifted: self.corrective_step.is_some_and(|(t, ..)| t < 0.5),
            lock_offset: self.hold.map_or(Vec3::ZERO, |_| self.offset.with_y(0.0)),
            end: self.end,
            pivot: self.hold.map(|_| shown),
            found: is_found,
            position: under.point,
            climb: climb(under.normal, seen.velocity * input.dt),
            plane: Plane {
                point: under.point,
                normal,
            },
        }
    }

    /// Moves the lock to the other end of the foot, at its current position `shown`.
    fn roll_over(&mut self, shown: Vec3, target: Vec3) {
        if self.hold.take().is_some() {
            self.offset = shown - target;
            self.velocity = Vec3::ZERO;
        }
        self.last = Some(shown);
    }

    /// Returns the new position, and updates distance and velocity.
    fn show(&mut self, target: Vec3, dt: f32, seen: &FootTickInput<'_>) -> Vec3 {
        let shown = target + self.offset + Vec3::Y * self.lift(seen);
        let step = shown - self.last.unwrap_or(shown);
        self.travelled += step.with_y(0.0).length();
        if dt > 0.0 {
            self.velocity = step / dt;
        }
        self.last = Some(shown);
        shown
    }

    /// Returns the rotation relative to the clip. A foot near the ground is aligned with the slope.
    fn turn(&self, normal: Vec3, height: f32, seen: &FootTickInput<'_>) -> Quat {
        let mut rotation = Quat::from_rotation_y(self.turned);
        let near = 1.0 - smoothstep(0.0, 1.0, height / (0.2 * seen.size));
        if normal != Vec3::Y && near > 0.0 {
            let slope = Quat::from_rotation_arc(Vec3::Y, normal);
            rotation = nlerp(Quat::IDENTITY, slope, near) * rotation;
        }
        rotation
    }

    /// Chooses the lower end as the contact end, the ball where both are equally low.
    fn choose_end(&mut self, ends: [Vec3; 2], seen: &FootTickInput<'_>) {
        let heel_over_ball = ends[0].y - ends[1].y;
        let slack = 0.012 * seen.size;
        self.end = match self.end {
            End::Ball if heel_over_ball < -2.0 * slack => End::Heel,
            End::Heel if heel_over_ball > -slack => End::Ball,
            same => same,
        };
    }

    /// Returns the velocity of the contact end from clip and character motion, and the landing speed, metres per second.
    fn clip_motion(&mut self, contact: Vec3, dt: f32, left: f32) -> (Vec3, f32) {
        let before = self.before.replace((self.end, contact));
        let Some((end, before)) = before.filter(|_| dt > 0.0) else {
            return (Vec3::ZERO, 0.0);
        };
        let fell = self.falling;
        if end != self.end {
            return (Vec3::ZERO, fell);
        }
        let velocity = (contact - before) / dt;
        self.falling = (-velocity.y).max(self.falling * left).max(0.0);
        (velocity, self.falling.max(fell))
    }

    /// Returns the velocity of the platform under the foot, at the contact end, metres per second.
    fn platform_velocity(&self, contact: Vec3, input: &FootIkInput<'_>) -> Vec3 {
        let moved = self
            .platform
            .filter(|_| input.dt > 0.0)
            .and_then(|(id, previous)| {
                let now = input.ground.platform(id)?;
                let before = previous.inverse().transform_point3(contact);
                Some((now.transform_point3(before) - contact) / input.dt)
            });
        moved.filter(|v| v.is_finite()).unwrap_or_default()
    }

    /// Returns true if the foot should be planted. `velocity` is that of the foot, `carried` that of the ground.
    fn should_plant(
        &self,
        index: usize,
        height: f32,
        [velocity, carried]: [Vec3; 2],
        seen: &FootTickInput<'_>,
        input: &FootIkInput<'_>,
    ) -> bool {
        let slack = usize::from(self.is_planted);
        let is_low = height < PLANT_HEIGHT[slack] * seen.size;
        match input.planted.get(index).copied().flatten() {
            Some(planted) => {
                let enough = if self.is_planted { 0.35 } else { 0.5 };
                planted >= enough && height < 2.0 * PLANT_HEIGHT[slack] * seen.size
            }
            None => {
                is_low
                    && is_slow(
                        velocity - carried,
                        seen.velocity - carried,
                        seen.size,
                        slack,
                    )
            }
        }
    }

    /// Current position of the lock.
    fn locked_position(&self, input: &FootIkInput<'_>) -> Option<Vec3> {
        self.hold?.position_now(input.ground)
    }

    /// Advances the foot towards its target. Returns true if it is planted.
    fn follow_target(
        &mut self,
        goal: &FootGoal,
        seen: &FootTickInput<'_>,
        input: &FootIkInput<'_>,
    ) -> bool {
        let stands = goal.is_planted;
        self.lifted = None;
        let target_velocity = self.target_velocity(goal.target, input.dt);
        if self.advance_corrective_step(stands, target_velocity, input.dt, seen) {
            return false;
        }
        if !stands || !seen.lock_feet {
            if self.hold.take().is_some() {
                self.release(self.offset, target_velocity);
            }
            self.rest.advance(&seen.damping.unlock);
            (self.offset, self.turned) = (self.rest.away, self.rest.turned);
            return stands;
        }
        if self.hold.is_none() {
            self.lock(goal, seen, input);
        }
        self.follow_lock(goal, seen, input)
    }

    /// Returns the velocity of the target position, metres per second.
    fn target_velocity(&mut self, target: Vec3, dt: f32) -> Vec3 {
        let same_end = self.target.replace((self.end, target));
        match same_end {
            Some((end, before)) if end == self.end && dt > 0.0 => (target - before) / dt,
            _ => Vec3::ZERO,
        }
    }

    /// Advances a corrective step. Returns false if there is none or it has just ended.
    fn advance_corrective_step(
        &mut self,
        stands: bool,
        target_velocity: Vec3,
        dt: f32,
        seen: &FootTickInput<'_>,
    ) -> bool {
        let Some((t, from, turned)) = &mut self.corrective_step else {
            return false;
        };
        *t += dt / CORRECTIVE_STEP_S;
        let rest = 1.0 - smoothstep(0.0, 1.0, *t);
        (self.offset, self.turned) = (*from * rest, *turned * rest);
        let is_over = *t >= 1.0;
        if !stands {
            self.release(self.offset + Vec3::Y * self.lift(seen), target_velocity);
            self.offset = self.rest.away;
            self.corrective_step = None;
            return true;
        }
        if is_over {
            self.corrective_step = None;
            self.rest = Fading::default();
        }
        !is_over
    }

    /// Starts a blend from the current position, `away` from the target, back to the clip.
    fn release(&mut self, away: Vec3, target_velocity: Vec3) {
        self.rest = Fading {
            away,
            velocity: self.velocity - target_velocity,
            turned: self.turned,
        };
    }

    /// Locks the foot a little ahead, where it comes to rest, never below the ground.
    fn lock(&mut self, goal: &FootGoal, seen: &FootTickInput<'_>, input: &FootIkInput<'_>) {
        let shown = goal.target + self.offset;
        let put = seen.damping.plant.rate;
        let level = self.velocity.with_y(0.0) / put;
        let at = shown + level.clamp_length_max(MAX_SLIP * seen.size);
        let there = ground_at(at, seen, input).unwrap_or(goal.platform);
        let at = at.with_y(there.point.y);
        let away = shown - at;
        self.rest = Fading {
            away,
            velocity: (-away * put).with_y(self.velocity.y.max(-away.y.max(0.0) * put)),
            turned: 0.0,
        };
        let heading = goal.heading + self.turned;
        self.hold = Some(FootHold::at(at, heading, there.platform, input.ground));
        self.locked_ticks = 0;
        self.locked = None;
    }

    /// Follows the held position and the moving ground. Returns true if the foot bears weight.
    fn follow_lock(
        &mut self,
        goal: &FootGoal,
        seen: &FootTickInput<'_>,
        input: &FootIkInput<'_>,
    ) -> bool {
        let now = self.hold.and_then(|hold| {
            Some((
                hold.position_now(input.ground)?,
                hold.heading_now(input.ground)?,
            ))
        });
        let Some((at, held_heading)) = now else {
            self.hold = None;
            return goal.is_planted;
        };
        if let (Some(before), Some(_)) = (self.locked, self.hold.and_then(|hold| hold.platform)) {
            self.lifted = Some(at.y - before.y);
        }
        self.locked = Some(at);
        self.rest.advance(&seen.damping.plant);
        self.offset = at + self.rest.away - goal.target;
        self.turned = shortest_rotation(goal.heading, held_heading);
        let carrier = self
            .hold
            .and_then(|hold| input.ground.platform(hold.platform?));
        self.locked_platform = carrier.unwrap_or_default();
        true
    }

    /// Returns a value if the lock is, or soon will be, too far from the clip position: its age in ticks, and true if
    /// the foot must be released at once.
    pub(super) fn too_far(&self, seen: &FootTickInput<'_>) -> Option<(u32, bool)> {
        self.hold?;
        let [away, soon] = [0.0, LOOK_AHEAD_S].map(|time| {
            let away = self.offset - self.clip_velocity * time;
            away.with_y(0.0).length()
        });
        let rests = seen.is_resting;
        let max_away = seen.size * min_if(rests, MAX_REST_OFFSET, seen.options.unlock_distance);
        let max_yaw = min_if(rests, MAX_REST_YAW, MAX_YAW);
        let turned = self.turned.abs();
        let is_pulled_away =
            soon > max_away && !is_slow(self.clip_velocity, seen.velocity, seen.size, 1);
        let too_far = is_pulled_away || away > max_away || turned > max_yaw;
        let must_release =
            away > 2.0 * seen.options.unlock_distance * seen.size || turned > 2.0 * MAX_YAW;
        too_far.then_some((self.locked_ticks, must_release))
    }

    /// Starts a corrective step.
    pub(super) fn step_by_itself(&mut self) {
        self.corrective_step = Some((0.0, self.offset, self.turned));
        self.hold = None;
    }

    fn lift(&self, seen: &FootTickInput<'_>) -> f32 {
        match self.corrective_step {
            Some((t, from, _)) => {
                let far = (from.length() / (0.15 * seen.size)).clamp(0.4, 1.0);
                CORRECTIVE_STEP_HEIGHT
                    * seen.size
                    * far
                    * (t.clamp(0.0, 1.0) * std::f32::consts::PI).sin()
            }
            None => 0.0,
        }
    }

    /// Handles touchdown. Emits a step unless the foot has hardly moved.
    fn land(
        &mut self,
        index: usize,
        target: Vec3,
        under: GroundHit,
        speed: f32,
        seen: &FootTickInput<'_>,
        steps: &mut Vec<Step>,
    ) {
        let position = (target + self.offset).with_y(under.point.y);
        self.stride.land(position, seen.world);
        if self.travelled > 0.08 * seen.size {
            steps.push(Step {
                leg: index,
                position,
                normal: under.normal,
                speed,
                weight: 1.0,
                next: None,
                owner: under.owner,
                part: under.part,
            });
        }
        self.travelled = 0.0;
        self.falling = 0.0;
    }
}

/// Returns true if a foot with this velocity over its ground can be planted. `body_velocity` is that of the body, `size` the
/// leg length.
fn is_slow(velocity: Vec3, body_velocity: Vec3, size: f32, slack: usize) -> bool {
    let slow = PLANT_SPEED[slack] * size.max(0.1);
    let body_velocity = body_velocity.with_y(0.0);
    let speed = body_velocity.length();
    let Some(direction) = body_velocity.try_normalize() else {
        return velocity.length() < slow;
    };
    let along = velocity.dot(direction);
    let aside = velocity - direction * along;
    let ahead = slow.max(FORWARD_SLIP[slack] * speed);
    aside.length() < slow && along < ahead && -along < slow.max(BACKWARD_SLIP * speed)
}

/// Returns the smaller value if `condition` holds, else `b`.
fn min_if(condition: bool, a: f32, b: f32) -> f32 {
    if condition { a.min(b) } else { b }
}

/// Rotation of a matrix without its scale.
fn rotation_of(matrix: Affine3A) -> Quat {
    galatea_math::Trs::near(matrix).rotation
}

/// Yaw of the direction from heel to ball about +Y, radians.
fn heading_of([heel, ball]: [Vec3; 2]) -> f32 {
    let direction = ball - heel;
    if direction.x.abs() + direction.z.abs() < 1e-6 {
        0.0
    } else {
        f32::atan2(direction.x, direction.z)
    }
}
