//! The body helps a hand that cannot reach: it leans and bends, and it steps in.

use glam::{Affine3A, Vec3};

use super::body::StackBody;
use super::goal::GoalPosition;
use super::list::Stack;
use super::modifier::{Modifier, ModifierKind};
use crate::placement::Placement;
use galatea_rig::Posed;

/// Metres that are missing from which it steps in, and until less than which it does.
const STEPS_FROM: f32 = 0.01;
const STEPS_TO: f32 = 0.002;
/// Metres per second at most, and per second squared, for a body of a human's size.
const SPEED: f32 = 0.7;
const ACCELERATION: f32 = 2.0;
/// Metres that it goes at most for one target, for a body of a human's size.
const FARTHEST: f32 = 1.5;
/// Radians to the side from which it turns to what it steps to.
const ASIDE: f32 = 1.0;

/// The body helps the hands that cannot reach by themselves.
pub(super) fn help_hands(body: &StackBody<'_>, modifiers: &mut [Modifier], posed: &mut Posed<'_>) {
    let back = body.world_from_model.inverse();
    // What helps the second hand may take the first one away again.
    for round in 0..2 {
        for modifier in modifiers.iter_mut() {
            let weight = modifier.weight.shown;
            let ModifierKind::Reach(reaching) = &mut modifier.kind else {
                continue;
            };
            let (Some(whole), Some(place), true) =
                (&mut reaching.whole, reaching.place, weight > 0.0)
            else {
                continue;
            };
            let at = place.in_model(posed, back);
            if matches!(place, GoalPosition::OnBone(..)) || !at.is_finite() {
                continue;
            }
            let target = at.translation.into();
            let reached = whole.rig.reach(posed, &whole.arm, target, weight);
            if round == 0 {
                whole.reached = reached;
            }
        }
    }
}

/// The step of a character towards a target that its hands cannot reach.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SteppedIn {
    /// Displacement in this tick, world space, metres.
    pub step: Vec3,
    /// Degrees about +Y that it is to face; `None` as it stands.
    pub face: Option<f32>,
}

impl Stack {
    /// Steps towards a target that the hands cannot reach, by a tick of `dt` seconds. `stands`: nothing else moves the
    /// character.
    pub fn step_in(
        &mut self,
        stands: bool,
        placement: Placement,
        world_from_model: Affine3A,
        dt: f32,
    ) -> SteppedIn {
        let (scale, world) = (placement.scale.abs(), world_from_model);
        let own = placement.position;
        let mut turn = None;
        let mut way = Vec3::ZERO;
        for modifier in &mut self.modifiers {
            let ModifierKind::Reach(reaching) = &mut modifier.kind else {
                continue;
            };
            let Some(whole) = reaching.whole.as_mut().filter(|whole| whole.steps) else {
                continue;
            };
            let stays = modifier.weight.goal() > 0.0;
            let target = match reaching.place.filter(|_| stands && stays) {
                Some(GoalPosition::World(place)) => Vec3::from(place.translation),
                _ => {
                    (whole.stepping, whole.speed, whole.gone) = (false, 0.0, 0.0);
                    continue;
                }
            };
            let size = scale * whole.rig.legs.size / 0.85;
            let (lacks, short) = (whole.reached.lacks * scale, whole.reached.short * scale);
            if lacks <= 0.0 && short <= 0.0 {
                whole.gone = 0.0;
            }
            let is_due = if whole.stepping {
                short > STEPS_TO * size
            } else {
                lacks > STEPS_FROM * size
            };
            whole.stepping = is_due && whole.gone < FARTHEST * size;
            if !whole.stepping {
                whole.speed = 0.0;
                continue;
            }
            let level = (target - own).with_y(0.0);
            let ahead = world.transform_vector3(Vec3::Z);
            if ahead.with_y(0.0).angle_between(level) > ASIDE {
                turn = Some(f32::atan2(level.x, level.z).to_degrees());
            }
            let a = ACCELERATION * size;
            let brakes = (2.0 * a * short).sqrt();
            whole.speed = (whole.speed + a * dt).min(SPEED * size).min(brakes);
            let by = (whole.speed * dt).min(short).min(level.length());
            whole.gone += by;
            way += level.normalize_or_zero() * by;
        }
        SteppedIn {
            step: way,
            face: turn,
        }
    }
}
