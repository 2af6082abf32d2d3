//! Ragdoll limbs: writes poses to the bodies before a physics step, and bodies back to poses after it.

use glam::Vec3;

use super::physics::{JUMP, Physics, owner};
use super::{Arena, Bodies, Characters, Handle};
use galatea_character::{Character, LimbState, Limbs, Placement, hips_of};
use galatea_physics::ragdoll::BodyControl;
use galatea_physics::{Filter, PhysicsWorld};

/// Blend time from a physics pose to the clips, seconds.
const BLEND_TIME: f32 = 0.5;
/// Blend time from the pose after a hit reaction to the clips, seconds.
const HIT_BLEND_TIME: f32 = 0.2;
/// Surface speed below which a body counts as still, metres per second, at human size.
const STILL_SPEED: f32 = 0.35;
/// Largest excess over a joint limit at which a ragdoll may come to rest, radians.
const MAX_BEND: f32 = 0.05;
/// Time after which it rests even with a larger excess, seconds.
const MAX_BENT_TIME: f32 = 4.0;
/// Time of slow movement below the limit after which a ragdoll rests, seconds. A third of it suffices without any
/// movement.
const REST_TIME: f32 = 0.8;
/// Shortest time of a fall, seconds, at human size.
const MIN_FALL_TIME: f32 = 1.0;
/// Time of slow movement after which the still limit begins to grow, seconds.
const PATIENCE_START: f32 = 2.0;

/// Stores the previous pose of characters whose limbs become bodies in this tick, before poses advance.
pub(super) fn remember(characters: &mut Arena<Character>) {
    for (_, character) in characters.iter_mut() {
        if let Some(limbs) = &mut character.body.limbs
            && limbs.ragdoll.is_new()
        {
            let world = character.posed.world[0];
            let scale = character.placement.scale;
            limbs
                .ragdoll
                .aim(world, &character.posed.model_from_bone, scale);
        }
    }
}

/// Before the physics step: moves kinematic limbs to the animated pose and sets the targets of powered ones.
pub(super) fn before_step(
    physics: &mut Physics,
    handle: Handle,
    character: &mut Character,
    dt: f64,
) {
    let world = character.placement.to_affine();
    let Some(limbs) = &mut character.body.limbs else {
        return;
    };
    let scale = character.placement.scale;
    limbs.go_along(&mut physics.world, character.placement.position, JUMP);
    limbs
        .ragdoll
        .aim(world, &character.posed.model_from_bone, scale);
    let momentum = std::mem::take(&mut limbs.momentum);
    if momentum != Vec3::ZERO {
        limbs.ragdoll.hasten(momentum * dt as f32);
    }
    let surface = physics.surface("flesh");
    limbs.recover(dt as f32);
    let world = &mut physics.world;
    limbs
        .ragdoll
        .before_step(world, owner(handle), &surface, dt as f32);
    for (body, impulse, at) in limbs.pending.drain(..) {
        match body {
            Some(body) => limbs.ragdoll.push(world, body, impulse, at),
            None => limbs.ragdoll.push_all(world, impulse),
        }
    }
}

/// After the physics step: sets bones from their bodies. The position of a lying character follows its hips.
pub(super) fn after_step(
    physics: &mut Physics,
    handle: Handle,
    character: &mut Character,
    dt: f64,
) {
    let hips = hips_of(&character.definition);
    let placement = &mut character.placement;
    let Some(limbs) = &mut character.body.limbs else {
        return;
    };
    limbs.ragdoll.after_step(&mut physics.world);
    let world_before = placement.to_affine();
    if limbs.is_down() {
        let lowest = character.definition.rest_box[0].y;
        follow_hips(&physics.world, handle, limbs, placement, hips.1, lowest);
        rest_on(&mut physics.world, limbs, dt as f32);
        limbs.last_position = Some(placement.position);
    }
    // Bones without a body keep their world position.
    let world = placement.to_affine();
    if world != world_before {
        let shift = world.inverse() * world_before;
        for matrix in &mut character.posed.model_from_bone {
            *matrix = shift * *matrix;
        }
    }
    let is_over = limbs.is_over();
    character
        .posed
        .apply_limbs(&character.body, &character.definition, character.placement);
    if is_over
        && let Some(limbs) = &mut character.body.limbs
        && let Some(controls) = limbs.requested.clone()
    {
        limbs.is_temporary = false;
        (0..)
            .zip(controls)
            .for_each(|(body, control)| limbs.set(body, control));
    } else if is_over {
        let placement = character.placement;
        if let Some([now, before]) = character.posed.pose_of_limbs(
            &character.body,
            &character.definition,
            placement,
            dt as f32,
        ) {
            character
                .posed
                .settle_from_pose(now, before, dt, HIT_BLEND_TIME);
        }
        if let Some(mut limbs) = character.body.limbs.take() {
            limbs.ragdoll.remove_from_world(&mut physics.world);
        }
    }
}

/// The placement of a lying character: under its hips, on the surface below it, or as far below the hips as when it
/// stands.
/// `lowest`: height of its soles in model space, metres, which is not always the origin.
fn follow_hips(
    world: &PhysicsWorld,
    handle: Handle,
    limbs: &Limbs,
    placement: &mut Placement,
    hips_height: f32,
    lowest: f32,
) {
    let Some(hips) = limbs.ragdoll.frame(0) else {
        return;
    };
    let reach = hips_height * placement.scale;
    let own = [owner(handle)];
    let filter = Filter {
        exclude: &own,
        ..Filter::default()
    };
    let found = world.ray(hips.position, Vec3::NEG_Y, reach.max(0.01), &filter);
    let down = found.map_or(reach, |hit| hit.distance);
    placement.position = hips.position - Vec3::Y * (down + lowest * placement.scale);
}

/// Counts the time without much movement, damps the ragdoll and puts it to sleep.
fn rest_on(world: &mut PhysicsWorld, limbs: &mut Limbs, dt: f32) {
    let asleep = limbs.ragdoll.asleep;
    let fastest = limbs.ragdoll.fastest();
    let size = limbs.ragdoll.size().max(1e-3);
    if let LimbState::Down { since, still } = &mut limbs.state {
        *since += dt;
        // The still limit grows with the time of slow movement; waking up resets it.
        if asleep {
            *since = since.min(PATIENCE_START);
        }
        let patience = 1.0 + 0.6 * (*since - PATIENCE_START).max(0.0);
        let activity = fastest / (STILL_SPEED * patience * size.sqrt());
        let is_slow = activity < 1.0;
        let may_wait = is_slow && !asleep && *since < MAX_BENT_TIME;
        let is_bent = may_wait && limbs.ragdoll.violation() > MAX_BEND;
        *still = if is_slow && !is_bent {
            // A motionless body counts up to three times as fast.
            *still + dt * (3.0 - 2.0 * activity)
        } else {
            // A long rest before must not delay the reset.
            (still.min(REST_TIME) - 2.0 * dt).max(0.0)
        };
        if asleep {
            return;
        }
        if *still >= REST_TIME {
            limbs.ragdoll.rest(world);
        } else {
            let has_landed = *since > MIN_FALL_TIME * size.sqrt();
            limbs.ragdoll.calm(world, *still / REST_TIME, has_landed);
            if is_bent && let Some(body) = limbs.ragdoll.body(0) {
                world.wake(body);
            }
        }
    }
}

impl Characters {
    /// Gives a character ragdoll limbs, all kinematic, unless it has them.
    pub fn limbs(&mut self, handle: Handle) -> Option<&mut Limbs> {
        let character = self.get_mut(handle)?;
        if character.body.limbs.is_none() {
            if !character.body.has_limbs(&character.definition) {
                return None;
            }
            let limbs = character.body.new_limbs(&character.definition);
            character.body.limbs = Some(limbs);
        }
        character.body.limbs.as_deref_mut()
    }
}

impl Bodies<'_> {
    /// Makes a character fall. Returns false if it has no limbs that can fall.
    pub fn fall(&mut self, handle: Handle) -> bool {
        let Some(limbs) = self.characters.limbs(handle) else {
            return false;
        };
        let was_down = limbs.is_down();
        limbs.fall();
        let dt = self.clock.dt;
        let Some(character) = self.characters.get_mut(handle) else {
            return false;
        };
        if let Some(rising) = character.body.rising.take() {
            if let (Some(limbs), Some(kept)) = (&mut character.body.limbs, rising.saved_controls)
                && limbs.requested.is_none()
            {
                limbs.restore_controls(kept);
                limbs.fall();
            }
            // The fall starts from the current pose, not from the clips, which already stand.
            let now = character.posed.pose.clone();
            character
                .posed
                .settle_from_pose(now.clone(), now, dt, BLEND_TIME);
        }
        if let (Some(controller), Some(limbs), false) = (
            &character.body.controller,
            &mut character.body.limbs,
            was_down,
        ) {
            limbs.momentum = controller.world_velocity();
        }
        true
    }

    /// Removes a character's ragdoll limbs and blends from their pose to its clips.
    pub fn end_limbs(&mut self, handle: Handle) {
        let dt = self.clock.dt;
        let Some(character) = self.characters.get_mut(handle) else {
            return;
        };
        if let Some(rising) = &mut character.body.rising {
            rising.saved_controls = None;
        }
        let placement = character.placement;
        if let Some([now, before]) = character.posed.pose_of_limbs(
            &character.body,
            &character.definition,
            placement,
            dt as f32,
        ) {
            character
                .posed
                .settle_from_pose(now, before, dt, BLEND_TIME);
        }
        if let Some(mut limbs) = character.body.limbs.take() {
            limbs.ragdoll.remove_from_world(&mut self.physics.world);
        }
    }
}

/// The control mode for a power given by a script.
pub fn control(power: Option<f32>) -> BodyControl {
    power.map_or(BodyControl::Limp, |power| {
        BodyControl::Powered(power.clamp(0.0, 1.0))
    })
}
