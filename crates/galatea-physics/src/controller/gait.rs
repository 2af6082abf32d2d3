//! Speed, turning, jumping, and movement along the ground.

use galatea_math::clamp::ClampTo as _;
use glam::{Quat, Vec3};

use super::capsule::Capsule;
use super::tick::ControllerTick;
use super::{Controller, ControllerTickEvent, GroundContact, GroundState};

/// Maximum speed of a controller, m/s.
const MAX_SPEED: f32 = 500.0;

/// Turns and accelerates towards the requested velocity. Returns the velocity at the end of the tick.
pub(super) fn speed_up(c: &Controller, tick: &ControllerTick, yaw: &mut f32) -> Vec3 {
    let wish = c.desired_velocity.with_y(0.0).clamp_length_max(MAX_SPEED);
    let speed = wish.length();
    let mut target = wish;
    if c.options.turn_to_movement && speed > 1e-3 {
        let off = f32::atan2(wish.x, wish.z) - yaw.to_radians();
        let off =
            (off + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU) - std::f32::consts::PI;
        let max = c.options.turn_rate * tick.dt;
        let turn = off.clamp_to(-max, max);
        *yaw += turn.to_degrees();
        let left = off - turn;
        // It moves in its facing direction: while it turns around it slows down instead of walking backwards.
        let ahead = Quat::from_rotation_y(yaw.to_radians()) * Vec3::Z;
        target = ahead * (speed * left.cos().max(0.0));
    }
    let has = c.velocity.with_y(0.0);
    if !c.is_grounded() && c.options.gravity > 0.0 && speed <= 1e-3 {
        return c.velocity;
    }
    approach(has, target, c, tick.dt).with_y(c.velocity.y)
}

/// Velocity after a tick of acceleration towards a target.
pub(super) fn approach(has: Vec3, target: Vec3, c: &Controller, dt: f32) -> Vec3 {
    let options = &c.options;
    let mut rate = if target.length() < has.length() {
        options.deceleration
    } else {
        options.acceleration
    };
    if !c.is_grounded() && options.gravity > 0.0 {
        rate *= options.air_control;
    }
    has + (target - has).clamp_length_max(rate * dt)
}

/// Starts a requested jump if possible.
pub(super) fn take_off(c: &mut Controller, tick: &mut ControllerTick) {
    let Some((speed, since)) = c.jump else {
        return;
    };
    let in_time =
        !c.has_jumped && c.air_time <= c.options.coyote_time && c.footing == GroundState::Air;
    let can = c.options.gravity > 0.0 && !c.is_crushed && (c.is_grounded() || in_time);
    if !can {
        let since = since + tick.dt;
        c.jump = (since <= c.options.jump_buffer).then_some((speed, since));
        return;
    }
    c.jump = None;
    if c.is_grounded() {
        c.leave_ground();
        c.velocity.y += speed;
    } else {
        c.velocity.y = speed;
    }
    c.has_jumped = true;
    tick.events.push(ControllerTickEvent::Jump { speed });
}

/// Projects a level displacement onto the ground: the same length on a slope, the same width over an edge.
pub(super) fn along(offset: Vec3, ground: &GroundContact, slope: f32) -> Vec3 {
    let is_edge = ground.contact.dot(ground.normal) < 0.996;
    let normal = if is_edge {
        ground.contact
    } else {
        ground.normal
    };
    let rise = (-(offset.x * normal.x + offset.z * normal.z) / normal.y.max(0.1)).clamp_to(
        -offset.length() * slope.tan(),
        offset.length() * slope.tan(),
    );
    let laid = offset + Vec3::Y * rise;
    if is_edge {
        laid
    } else {
        laid * (offset.length() / laid.length().max(1e-9))
    }
}

/// Height of the middle of a round bottom over the slope below it.
pub(super) fn sink(ground: &GroundContact, capsule: &Capsule) -> f32 {
    let is_edge = ground.contact.dot(ground.normal) < 0.996;
    if is_edge {
        0.0
    } else {
        capsule.radius * (1.0 / ground.normal.y.max(0.5) - 1.0)
    }
}
