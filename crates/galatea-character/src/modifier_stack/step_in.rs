//! Help by the body for hands that cannot reach: it leans, bends, and steps towards the target.

use glam::{Affine3A, Vec3};

use super::body::ModifierStackBody;
use super::goal::GoalPosition;
use super::list::ModifierStack;
use super::modifier::{Modifier, ModifierKind};
use crate::placement::Placement;
use galatea_rig::Posed;

/// Missing distance from which the character steps, and the distance at which it stops, metres.
const START_DISTANCE: f32 = 0.01;
const STOP_DISTANCE: f32 = 0.002;
/// Maximum speed (m/s) and acceleration (m/s²) for a human-sized body.
const SPEED: f32 = 0.7;
const ACCELERATION: f32 = 2.0;
/// Maximum total distance for one target, metres for a human-sized body.
const MAX_DISTANCE: f32 = 1.5;
/// Angle to the side from which the character turns towards the target, radians.
const TURN_ANGLE: f32 = 1.0;

/// Moves the body to help hands that cannot reach on their own.
pub(super) fn help_hands(
    body: &ModifierStackBody<'_>,
    modifiers: &mut [Modifier],
    posed: &mut Posed<'_>,
) {
    let back = body.world_from_model.inverse();
    // Help for the second hand may move the first one away again.
    for round in 0..2 {
        for modifier in modifiers.iter_mut() {
            let weight = modifier.weight.effective_weight;
            let ModifierKind::Reach(reaching) = &mut modifier.kind else {
                continue;
            };
            let (Some(whole), Some(place), true) = (
                &mut reaching.full_body_state,
                reaching.target_position,
                weight > 0.0,
            ) else {
                continue;
            };
            let at = place.in_model(posed, back);
            if matches!(place, GoalPosition::OnBone(..)) || !at.is_finite() {
                continue;
            }
            let target = at.translation.into();
            let reached = whole.rig.reach(posed, &whole.arm, target, weight);
            if round == 0 {
                whole.missing_distance = reached;
            }
        }
    }
}

/// The step of a character towards a target that its hands cannot reach.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SteppedIn {
    /// Displacement in this tick, world space, metres.
    pub step: Vec3,
    /// Yaw to face, degrees about +Y; `None` keeps the current yaw.
    pub face: Option<f32>,
}

impl ModifierStack {
    /// Steps towards a target that the hands cannot reach, for a tick of `dt` seconds. `is_idle`: nothing else moves the
    /// character.
    pub fn step_in(
        &mut self,
        is_idle: bool,
        placement: Placement,
        world_from_model: Affine3A,
        dt: f32,
    ) -> SteppedIn {
        let (scale, world) = (placement.scale.abs(), world_from_model);
        let own = placement.position;
        let mut face = None;
        let mut step = Vec3::ZERO;
        for modifier in &mut self.modifiers {
            let ModifierKind::Reach(reaching) = &mut modifier.kind else {
                continue;
            };
            let Some(whole) = reaching
                .full_body_state
                .as_mut()
                .filter(|whole| whole.steps)
            else {
                continue;
            };
            let stays = modifier.weight.goal() > 0.0;
            let target = match reaching.target_position.filter(|_| is_idle && stays) {
                Some(GoalPosition::World(place)) => Vec3::from(place.translation),
                _ => {
                    (whole.step, whole.speed, whole.walked) = (false, 0.0, 0.0);
                    continue;
                }
            };
            let size = scale * whole.rig.legs.size / 0.85;
            let (lacks, short) = (
                whole.missing_distance.lacks * scale,
                whole.missing_distance.short * scale,
            );
            if lacks <= 0.0 && short <= 0.0 {
                whole.walked = 0.0;
            }
            let is_due = if whole.step {
                short > STOP_DISTANCE * size
            } else {
                lacks > START_DISTANCE * size
            };
            whole.step = is_due && whole.walked < MAX_DISTANCE * size;
            if !whole.step {
                whole.speed = 0.0;
                continue;
            }
            let level = (target - own).with_y(0.0);
            let ahead = world.transform_vector3(Vec3::Z);
            if ahead.with_y(0.0).angle_between(level) > TURN_ANGLE {
                face = Some(f32::atan2(level.x, level.z).to_degrees());
            }
            let a = ACCELERATION * size;
            let brakes = (2.0 * a * short).sqrt();
            whole.speed = (whole.speed + a * dt).min(SPEED * size).min(brakes);
            let by = (whole.speed * dt).min(short).min(level.length());
            whole.walked += by;
            step += level.normalize_or_zero() * by;
        }
        SteppedIn { step, face }
    }
}
