//! Collisions of flocks: birds slide along solid bodies and do not enter them.

use glam::Vec3;

use galatea_crowd::Boid;
use galatea_math::clamp::ClampTo as _;
use galatea_physics::{Filter, NearestSurface, PhysicsWorld, QueryHit};

/// Minimum distance of a bird from surfaces, metres.
const SKIN: f32 = 0.08;
/// Largest radius of free space around a bird that is searched, metres.
const MAX_CLEAR: f32 = 2.0;
/// Fraction of the step below which a stopped bird turns around.
const MIN_STEP_FRACTION: f32 = 0.3;

/// Stops a bird that moved through a surface. `clear` is a radius around it without surfaces, metres. Returns true if the
/// bird was inside of a body; it is then pushed out.
pub(super) fn slide(world: &PhysicsWorld, from: Vec3, boid: &mut Boid, clear: &mut f32) -> bool {
    let step = boid.at - from;
    let length = step.length();
    if *clear > length + SKIN {
        *clear -= length;
        return false;
    }
    let still = Filter::default();
    let reach = MAX_CLEAR.max(length + 2.0 * SKIN);
    let Some(near) = world.nearest(from, reach, &still) else {
        *clear = reach - length;
        return false;
    };
    let distance = from.distance(near.position);
    if !near.is_inside && distance > length + SKIN {
        *clear = distance - length;
        return false;
    }
    *clear = 0.0;
    if near.is_inside {
        leave(near, from, boid);
        return true;
    }
    let out = (from - near.position).normalize_or(Vec3::Y);
    // Slides along the surface, no nearer to it than the skin.
    let room = (distance - SKIN).max(0.0);
    let step = step + out * (-step.dot(out) - room).max(0.0);
    let length = step.length();
    let hit = world.ray(from, step, length + SKIN, &still);
    let free = hit.map_or(length, |hit| hit.distance - SKIN);
    let step = step.normalize_or_zero() * free.clamp_to(0.0, length);
    turn(boid, from, step, hit, out);
    false
}

/// Pushes a bird out of a collider.
fn leave(near: NearestSurface, from: Vec3, boid: &mut Boid) {
    let out = (near.position - from).normalize_or(Vec3::Y);
    boid.at = near.position + out * SKIN;
    let speed = boid.velocity.length();
    boid.velocity = out * speed;
}

/// Moves a bird to the end of its step and turns its velocity along it. A stopped bird turns away from the surface.
fn turn(boid: &mut Boid, from: Vec3, step: Vec3, hit: Option<QueryHit>, out: Vec3) {
    let whole = boid.at.distance(from);
    let speed = boid.velocity.length();
    boid.at = from + step;
    boid.velocity = if step.length() < MIN_STEP_FRACTION * whole {
        let normal = hit.map_or(out, |hit| hit.normal);
        let inwards = boid.velocity.dot(normal).min(0.0);
        (boid.velocity - normal * (2.0 * inwards)).normalize_or(normal) * speed
    } else {
        step.normalize_or_zero() * speed
    };
}
