//! Bodies of an object's nodes: animated ones carry and push other bodies, dynamic ones move their bones.

use glam::Affine3A;

use super::Handle;
use super::physics::{JUMP, Physics, frame, named_surface, owner};
use galatea_character::{Character, Placement};
use galatea_physics::{
    BodyId, BodyType, NodeBody, NodeState, PhysicsWorld, PropBody, PropBodySettings, RigidFrame,
    Start, Velocity,
};

/// Distance from rest, in metres and radians, from which a bone counts as moved.
const MOVE_TOLERANCE: f32 = 5e-4;

/// Before the physics step, after the main body: moves node bodies to their bones, and dynamic ones along with the main
/// body. `was` is the previous frame and scale of the main body, or `None` if it is new in the world.
pub(super) fn before(
    physics: &mut Physics,
    handle: Handle,
    solid: &mut PropBody,
    placement: Placement,
    was: Option<(RigidFrame, f32)>,
    model_from_bone: &[Affine3A],
) {
    let Some(whole) = solid.body() else {
        leave(&mut physics.world, solid);
        solid.nodes.iter_mut().for_each(|state| state.at = None);
        return;
    };
    let is_resized = was.is_some_and(|(_, scale)| scale != placement.scale);
    for i in 0..solid.nodes.len() {
        let Some(node) = solid.options.nodes.get(i) else {
            continue;
        };
        let Some(bone) = model_from_bone.get(usize::from(node.bone)) else {
            continue;
        };
        let posed = RigidFrame::of_bone(*bone);
        let state = &mut solid.nodes[i];
        // After a reload, bones are where dynamic bodies left them, not where they were posed.
        if !state.follows && (was.is_some() || !node.is_free()) && is_away(posed, node.rest) {
            state.follows = true;
            if node.is_free() {
                leave_one(&mut physics.world, state);
            } else if solid.options.body_type == BodyType::Static {
                physics.world.remove_shapes(whole, &node.numbers);
            }
        }
        if !node.is_free() && !state.follows {
            continue;
        }
        if !node.is_free() && solid.options.body_type != BodyType::Static {
            // The node is part of the main body and stays in it.
            if state.at.replace(posed) != Some(posed) || is_resized || was.is_none() {
                let pieces = node.own.pieces.iter();
                let places = pieces.map(|piece| posed.then(piece.at).scaled(placement.scale));
                let places = node.numbers.iter().copied().zip(places);
                physics.world.move_shapes(whole, places);
            }
            continue;
        }
        if is_resized {
            leave_one(&mut physics.world, state);
        }
        let place = in_world(placement, posed);
        let was = was.map(|(was, _)| was);
        move_body(physics, handle, (node, state), placement, place, was);
    }
}

/// Moves the body of a node and creates it if it is missing. A node that follows its bone moves to `place`, the frame
/// of the bone. A dynamic one moves along with the main body; `was` is the main body's previous frame.
fn move_body(
    physics: &mut Physics,
    handle: Handle,
    (node, state): (&NodeBody, &mut NodeState),
    placement: Placement,
    place: RigidFrame,
    was: Option<RigidFrame>,
) {
    let now = frame(placement);
    let target = match (state.at, was) {
        _ if state.follows => place,
        (Some(at), Some(was)) if was != now => now.then(was.inverse().then(at)),
        (Some(at), _) => at,
        (None, _) => place,
    };
    let is_near = |from: RigidFrame| from.position.distance(target.position) <= JUMP;
    let body = match state.body.filter(|body| physics.world.has(*body)) {
        Some(body) => body,
        None => {
            let rest = in_world(placement, node.rest);
            let begins = state.at.is_none();
            let start = Start {
                at: state.at.unwrap_or(rest),
                scale: placement.scale,
                velocity: if begins {
                    turned(state.velocity, placement)
                } else {
                    state.velocity
                },
            };
            state.at = Some(start.at);
            let Some(body) = add(physics, handle, node, state, start) else {
                return;
            };
            body
        }
    };
    let from = state.at.replace(target);
    if from == Some(target) {
        return;
    }
    if state.follows && from.is_some_and(is_near) {
        physics.world.move_to(body, target);
    } else {
        physics.world.put(body, target);
    }
}

fn is_away(now: RigidFrame, rest: RigidFrame) -> bool {
    let turn = now.rotation.dot(rest.rotation).abs().min(1.0);
    // Sine of half the angle.
    let half = (1.0 - turn * turn).sqrt();
    now.position.distance(rest.position) > MOVE_TOLERANCE || half > MOVE_TOLERANCE / 2.0
}

/// World frame for a frame in the object's space.
fn in_world(placement: Placement, own: RigidFrame) -> RigidFrame {
    frame(placement).then(own.scaled(placement.scale))
}

fn turned(velocity: Velocity, placement: Placement) -> Velocity {
    let turn = placement.rotation();
    Velocity {
        linear: turn * velocity.linear,
        angular: turn * velocity.angular,
    }
}

fn add(
    physics: &mut Physics,
    handle: Handle,
    node: &NodeBody,
    state: &mut NodeState,
    start: Start,
) -> Option<BodyId> {
    let moved = PropBodySettings {
        body_type: BodyType::Kinematic,
        ..node.own.clone()
    };
    let options = if state.follows { &moved } else { &node.own };
    let Physics {
        world, surfaces, ..
    } = physics;
    let number = |i: usize| node.numbers.get(i).copied();
    let made_of = |name: &str| named_surface(surfaces, name);
    // Building it as part of the main body succeeded, so it succeeds alone.
    state.body = world
        .add_prop_body(owner(handle), options, number, made_of, start)
        .ok();
    if let (Some(body), true) = (state.body, state.asleep) {
        world.sleep(body);
    }
    state.body
}

/// Removes the bodies of all nodes.
pub(super) fn leave(world: &mut PhysicsWorld, solid: &mut PropBody) {
    for state in &mut solid.nodes {
        leave_one(world, state);
    }
}

fn leave_one(world: &mut PhysicsWorld, state: &mut NodeState) {
    if let Some(body) = state.body.take() {
        world.remove(body);
    }
}

/// After the physics step: poses bones from dynamic node bodies.
pub(super) fn after(world: &PhysicsWorld, character: &mut Character) {
    let Some(solid) = &mut character.body.prop_body else {
        return;
    };
    for (node, state) in solid.options.nodes.iter().zip(&mut solid.nodes) {
        let Some(body) = state.body.filter(|_| node.is_free() && !state.follows) else {
            continue;
        };
        state.asleep = world.is_asleep(body);
        if let (Some(at), Some(velocity)) = (world.frame(body), world.velocity(body)) {
            (state.at, state.velocity) = (Some(at), velocity);
        }
    }
    character.posed.apply_nodes(
        &mut character.body,
        &character.definition,
        character.placement,
    );
}

/// The dynamic node of an object that is nearest to a world position.
pub(super) fn nearest_free(
    world: &PhysicsWorld,
    solid: &PropBody,
    at: glam::Vec3,
) -> Option<usize> {
    let nodes = solid.options.nodes.iter().zip(&solid.nodes).enumerate();
    let free = nodes
        .filter(|(_, (node, state))| node.own.body_type == BodyType::Dynamic && !state.follows);
    let away = |state: &NodeState| {
        let centre = world.centre_of_mass(state.body?)?;
        Some(centre.distance(at))
    };
    free.filter_map(|(i, (_, state))| Some((i, away(state)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(i, _)| i)
}

/// The sleeping bodies of the object's nodes.
pub(super) fn asleep(solid: &PropBody) -> impl Iterator<Item = BodyId> {
    let nodes = solid.nodes.iter();
    nodes
        .filter(|node| node.asleep)
        .filter_map(|node| node.body)
}
