//! Foot locking and ground adaptation for any number of legs: planted feet stay in place in the world, follow the height and
//! slope of the ground, and the body is lowered so that the legs reach.
//!
//! Caller: `character`, which supplies clip markers and ground queries. World space is metres, +Y up.

use serde::{Deserialize, Serialize};

mod body;
mod damping;
mod foot;
mod footing;
mod hold;
mod legs;
mod next;
mod sole;
#[cfg(test)]
mod tests;
mod tick_input;
mod toe;

use glam::{Affine3A, Quat, Vec3};

pub use foot::FootState;
pub use legs::{Leg, LegRig, MAX_LEGS, RestSkeleton, Toe};
pub use sole::Sole;

use crate::Posed;
use crate::two_bone::{ReachGoal, reach_together};
use body::{BodyBalance, BodyTick};
use damping::FootDamping;
use foot::FootPose;
use tick_input::FootTickInput;

/// Result of a ground query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundHit {
    /// Ground point, world space, metres.
    pub point: Vec3,
    /// Surface normal, world space, unit.
    pub normal: Vec3,
    /// Moving platform that the ground belongs to, if any; see [`GroundQuery::platform`].
    pub platform: Option<PlatformId>,
    /// Opaque owner id supplied by the ground query.
    pub owner: u64,
    /// Opaque collider index of that owner, supplied by the ground query.
    pub part: u16,
}

/// Opaque id of a platform that may move, supplied by the ground query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlatformId(pub [u64; 2]);

/// Ground queries that the feet make.
pub trait GroundQuery: Sync {
    /// Returns the first ground straight below a position, at most `reach` metres down.
    fn ground_below(&self, from: Vec3, reach: f32) -> Option<GroundHit>;
    /// Returns the current world transform of a platform; `None` when it is gone.
    fn platform(&self, id: PlatformId) -> Option<Affine3A>;
}

/// Settings of foot placement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FootIkSettings {
    /// Planted feet are locked to their position in the world.
    pub lock_feet: bool,
    /// A foot is released when its clip moves it farther away than this fraction of the leg length.
    pub unlock_distance: f32,
    /// Ground higher than this fraction of the leg length above the character's position is ignored.
    pub max_up: f32,
    /// The same for ground below it.
    pub max_down: f32,
    /// Feet align with ground up to this slope, radians.
    pub max_slope: f32,
    /// Fraction, 0..=1, by which the body is lowered to where all feet reach the ground.
    pub pelvis_weight: f32,
    /// Time in which the body follows the height of the ground, seconds.
    pub smooth_time: f32,
}

impl Default for FootIkSettings {
    fn default() -> Self {
        Self {
            lock_feet: true,
            unlock_distance: 0.3,
            max_up: 0.55,
            max_down: 0.55,
            max_slope: 0.7,
            pelvis_weight: 1.0,
            smooth_time: 0.12,
        }
    }
}

/// Input of one tick.
pub struct FootIkInput<'a> {
    /// Time step, seconds.
    pub dt: f32,
    /// Transform of the character.
    pub world_from_model: Affine3A,
    /// Blend weight of the result, 0..=1.
    pub weight: f32,
    /// True while the character stands or walks on ground, false in a jump.
    pub grounded: bool,
    /// Per leg, confidence of the clips that the foot is planted, 0..=1; with `None` its height and speed decide.
    pub planted: &'a [Option<f32>],
    /// Ground to query.
    pub ground: &'a dyn GroundQuery,
}

/// Event emitted when a foot is planted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Index of the leg.
    pub leg: usize,
    /// Position of the contact, world space, metres.
    pub position: Vec3,
    /// Surface normal of the ground, unit.
    pub normal: Vec3,
    /// Speed at touchdown, metres per second.
    pub speed: f32,
    /// Blend weight of foot placement, 0..=1.
    pub weight: f32,
    /// Predicted next position of this foot, world space, and the time until then, seconds.
    pub next: Option<(Vec3, f32)>,
    /// Owner of the ground, see [`GroundHit::owner`].
    pub owner: u64,
    /// Collider of that owner, see [`GroundHit::part`].
    pub part: u16,
}

/// Foot placement state of one character.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FootIk {
    /// State per leg.
    pub feet: Vec<FootState>,
    body: BodyBalance,
    /// Weight of the ground adaptation, 0..=1; it fades out in jumps.
    grip: f32,
    before: Option<Affine3A>,
    velocity: Vec3,
    /// Time since the character last moved or rotated, seconds.
    still: f32,
    damping: Option<FootDamping>,
    /// Scratch buffer.
    foot_poses: Vec<FootPose>,
}

/// Fraction of a swinging leg's length over which it slows down before it is straight.
const SOFT_STRETCH: f32 = 0.08;
/// Time without movement after which a body rests, seconds, and the speeds that count as none: leg lengths per second and
/// radians per second.
const REST_DELAY_S: f32 = 0.3;
const STILL_SPEEDS: [f32; 2] = [0.06, 0.06];

impl FootIk {
    /// Forgets all planted feet.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Returns the predicted next position of a foot, world space, and the time until then, seconds; `None` while unknown.
    pub fn next(&self, leg: usize) -> Option<(Vec3, f32)> {
        let foot = self.feet.get(leg)?;
        foot.stride.next(self.before?, self.velocity)
    }

    /// Places the feet of a pose on the ground and appends the steps they made to `steps`.
    pub fn advance(
        &mut self,
        rig: &LegRig,
        options: &FootIkSettings,
        posed: &mut Posed<'_>,
        input: &FootIkInput<'_>,
        steps: &mut Vec<Step>,
    ) {
        let world = input.world_from_model;
        let scale = Vec3::from(world.matrix3.y_axis).length();
        let size = rig.size * scale;
        if !world.is_finite() || size < 1e-5 {
            return;
        }
        let paces = FootDamping::of(self.damping, input.dt, options.smooth_time);
        self.track_motion(world, size, input.grounded, &paces, input.dt);
        self.damping = Some(paces);
        self.feet.resize_with(rig.legs.len(), FootState::default);
        let wants = f32::from(u8::from(input.grounded));
        self.grip = wants + (self.grip - wants) * paces.grip;
        let seen = FootTickInput {
            world,
            scale,
            size,
            // Ground plane of the clips.
            plane: world.translation.y + rig.ground * scale,
            velocity: self.velocity,
            // A lock at half weight would slide.
            lock_feet: options.lock_feet && self.grip > 0.9,
            is_resting: self.still > REST_DELAY_S,
            options,
            damping: &paces,
        };
        let mut foot_poses = std::mem::take(&mut self.foot_poses);
        foot_poses.clear();
        let n_steps = steps.len();
        for (i, (leg, foot)) in rig.legs.iter().zip(&mut self.feet).enumerate() {
            let foot_pose = foot.advance(i, leg, &seen, posed, input, steps);
            foot_poses.push(foot_pose);
        }
        self.step_by_themselves(&seen);
        for step in &mut steps[n_steps..] {
            step.next = self.next(step.leg);
            step.weight = input.weight;
        }
        let weight = input.weight * self.grip;
        let lifted = self.feet.iter().filter_map(|foot| foot.lifted);
        let (is_lifted, n) = lifted.fold((0.0, 0.0_f32), |(sum, n), lift| (sum + lift, n + 1.0));
        let tick = BodyTick {
            dt: input.dt,
            weight,
            grip: self.grip,
            lifted: is_lifted / n.max(1.0),
        };
        self.body
            .move_body(rig, &seen, posed, &tick, &mut foot_poses);
        if weight > 0.0 {
            self.bend_legs(rig, &seen, posed, input, &mut foot_poses, weight);
        }
        self.foot_poses = foot_poses;
    }

    /// Bends the legs to the solved feet and the toes onto the ground.
    fn bend_legs(
        &mut self,
        rig: &LegRig,
        seen: &FootTickInput<'_>,
        posed: &mut Posed<'_>,
        input: &FootIkInput<'_>,
        foot_poses: &mut [FootPose],
        weight: f32,
    ) {
        let FootTickInput { world, scale, .. } = *seen;
        for (leg, foot_pose) in rig.legs.iter().zip(&mut *foot_poses) {
            foot_pose.roll(leg.length * scale);
        }
        let model_from_world = world.inverse();
        let rotation = Quat::from_mat3a(&(world.matrix3 * (1.0 / scale))).normalize();
        let goals = rig.legs.iter().zip(&*foot_poses).map(|(leg, foot_pose)| {
            let distance = foot_pose.hip.distance(foot_pose.ankle);
            // A swinging leg that is stretched beyond its clip approaches its full length softly.
            let beyond = (distance - foot_pose.stretch) / (0.03 * leg.length * scale);
            let swings = f32::from(u8::from(!foot_pose.is_planted));
            let goal = ReachGoal {
                target: model_from_world.transform_point3(foot_pose.ankle),
                softness: SOFT_STRETCH * swings * beyond.clamp(0.0, 1.0),
                rotation: Some((rotation.conjugate() * foot_pose.rotation).normalize()),
                weight,
                ..ReachGoal::default()
            };
            (&leg.limb, goal)
        });
        let mut ends = [Affine3A::IDENTITY; MAX_LEGS];
        reach_together(posed, goals, |i, end| {
            if let Some(slot) = ends.get_mut(i) {
                *slot = end;
            }
        });
        let legs = rig.legs.iter().zip(&ends).zip(&*foot_poses);
        for (((leg, end), foot_pose), foot) in legs.zip(&mut self.feet) {
            if let (Some(toe), true) = (&leg.toe, foot_pose.found) {
                let on = toe::ToeInput {
                    plane: foot_pose.plane,
                    world,
                    size: seen.size,
                    ground: input.ground,
                    weight,
                    damping: seen.damping,
                };
                foot.toes
                    .bend(posed, (leg.limb.end, *end), leg.ball, toe, &on);
            }
        }
    }

    /// Starts corrective steps for feet that are locked too far from their clips, one at a time: the longest planted first.
    fn step_by_themselves(&mut self, seen: &FootTickInput<'_>) {
        let may_step = !self.feet.iter().any(FootState::is_stepping);
        let mut first: Option<(u32, usize)> = None;
        for (i, foot) in self.feet.iter_mut().enumerate() {
            match foot.too_far(seen) {
                Some((_, true)) => foot.step_by_itself(),
                Some((since, false)) if may_step && first.is_none_or(|(max, _)| since > max) => {
                    first = Some((since, i));
                }
                _ => {}
            }
        }
        if let Some((_, i)) = first {
            self.feet[i].step_by_itself();
        }
    }

    /// Detects teleports and updates the velocity of the character.
    fn track_motion(
        &mut self,
        world: Affine3A,
        size: f32,
        grounded: bool,
        paces: &FootDamping,
        dt: f32,
    ) {
        let Some(before) = self.before.replace(world) else {
            self.reset();
            self.before = Some(world);
            self.grip = f32::from(u8::from(grounded));
            return;
        };
        let moved = Vec3::from(world.translation - before.translation);
        if moved.length() > 0.8 * size {
            let grip = self.grip;
            self.reset();
            self.before = Some(world);
            self.grip = grip;
            return;
        }
        if dt > 0.0 {
            let turned = Vec3::from(world.matrix3.z_axis - before.matrix3.z_axis).length();
            let is_still =
                moved.length() < STILL_SPEEDS[0] * size * dt && turned < STILL_SPEEDS[1] * dt;
            self.still = if is_still { self.still + dt } else { 0.0 };
            self.velocity = (moved / dt).lerp(self.velocity, paces.speed);
        }
    }
}
