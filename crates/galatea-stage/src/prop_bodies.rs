//! Rigid bodies of the stage: writes requests to the physics world before a step, and results back after it.

use glam::Vec3;

use super::event::{Event, EventKind, TouchEvent};
use super::physics::{JUMP, Physics, agree, character_of, frame, named_surface, owner, surface_of};
use super::reload::Reload;
use super::{
    Arena, Bodies, Clock, Floor, Handle, Stage, StageFabric, controllers, grabs, limbs, nodes,
    ropes,
};
use galatea_character::{Character, Placement, TimeBase};
use galatea_physics::{
    BodyId, BodyType, CollisionShape, Filter, Owner, PhysicsWorld, PropBody, PropBodySettings,
    RigidFrame, Start, Touch, Velocity,
};

/// Maximum number of shapes of all bodies together.
const MAX_SHAPES: usize = 100_000;

impl Bodies<'_> {
    /// Applies an impulse in newton seconds to a dynamic character, at a world position or at its centre of mass.
    pub fn push(&mut self, handle: Handle, impulse: Vec3, at: Option<Vec3>) {
        let Some(character) = self.characters.get_mut(handle) else {
            return;
        };
        if let Some(limbs) = &mut character.body.limbs {
            let body = at.and_then(|at| limbs.ragdoll.nearest(at));
            limbs.pending.push((body, impulse, at));
        }
        let world = &mut self.physics.world;
        let solid = character.body.prop_body.as_ref();
        if let Some(body) = solid.and_then(|solid| free_body(world, solid, at)) {
            world.push(body, impulse, at);
            self.read_velocity(handle);
        }
    }

    /// Sets the velocity of a dynamic character.
    pub fn set_velocity(&mut self, handle: Handle, velocity: Velocity) {
        let Some(character) = self.characters.get_mut(handle) else {
            return;
        };
        if let Some(controller) = &mut character.body.controller {
            controller.set_velocity(velocity.linear);
        }
        let Some(solid) = &mut character.body.prop_body else {
            return;
        };
        solid.velocity = velocity;
        if let Some(body) = solid.body() {
            self.physics.world.set_velocity(body, velocity);
        }
    }

    fn read_velocity(&mut self, handle: Handle) {
        if let Some(solid) = self
            .characters
            .get_mut(handle)
            .and_then(|c| c.body.prop_body.as_mut())
            && let Some(velocity) = solid
                .body()
                .and_then(|body| self.physics.world.velocity(body))
        {
            solid.velocity = velocity;
        }
    }

    /// Applies a radial impulse to all dynamic bodies around a point and returns how many were hit. `impulse` is the value
    /// at the centre in newton seconds; it falls to 0 at the radius. `lift` turns the direction upwards, 0..=1.
    pub fn burst(
        &mut self,
        at: Vec3,
        radius: f32,
        impulse: f32,
        lift: f32,
        filter: &Filter,
    ) -> usize {
        let sphere = CollisionShape::Sphere(radius.max(1e-3));
        let middle = RigidFrame {
            position: at,
            ..RigidFrame::IDENTITY
        };
        let world = &mut self.physics.world;
        let Ok(found) = world.bodies_in(&sphere, middle, filter) else {
            return 0;
        };
        let mut pushed = Vec::new();
        for (owner, body) in found {
            let Some(centre) = world.centre_of_mass(body) else {
                continue;
            };
            let offset = centre - at;
            let fraction = 1.0 - (offset.length() / radius).min(1.0);
            let away = offset.normalize_or(Vec3::Y).lerp(Vec3::Y, lift);
            world.push(body, away.normalize_or(Vec3::Y) * impulse * fraction, None);
            pushed.extend(character_of(owner));
        }
        for &handle in &pushed {
            self.read_velocity(handle);
        }
        pushed.len()
    }

    /// Gives a character a rigid body or removes it. The error says why it cannot have one.
    ///
    /// # Errors
    /// When a shape cannot be created.
    pub fn set_prop_body(
        &mut self,
        handle: Handle,
        options: Option<PropBodySettings>,
        velocity: Velocity,
    ) -> Result<(), String> {
        let Some(character) = self.characters.get_mut(handle) else {
            return Ok(());
        };
        if let Some(mut solid) = character.body.prop_body.take() {
            nodes::leave(&mut self.physics.world, &mut solid);
            if let Some(body) = solid.body() {
                self.physics.world.remove(body);
            }
        }
        let Some(options) = options else {
            return Ok(());
        };
        if self.physics.world.n_shapes() + options.pieces.len() > MAX_SHAPES {
            return Err(format!(
                "all bodies together can have at most {MAX_SHAPES} shapes"
            ));
        }
        let mut solid = PropBody::new(options);
        solid.velocity = velocity;
        let placement = character.placement;
        let made = put_in(self.physics, handle, &mut solid, placement);
        if made.is_ok() {
            let bones = &character.posed.model_from_bone;
            nodes::before(self.physics, handle, &mut solid, placement, None, bones);
            character.body.prop_body = Some(Box::new(solid));
        }
        made
    }
}

/// The body that a push applies to: the whole object, or its moving part nearest to a position.
fn free_body(world: &PhysicsWorld, solid: &PropBody, at: Option<Vec3>) -> Option<BodyId> {
    let node = at
        .filter(|_| solid.options.body_type != BodyType::Dynamic)
        .and_then(|at| nodes::nearest_free(world, solid, at));
    node.map_or(solid.body(), |i| solid.nodes[i].body)
}

/// Adds a solid object to the physics world.
fn put_in(
    physics: &mut Physics,
    handle: Handle,
    solid: &mut PropBody,
    placement: Placement,
) -> Result<(), String> {
    let Physics {
        world, surfaces, ..
    } = physics;
    let made_of = |name: &str| named_surface(surfaces, name);
    let number = |i: usize| u16::try_from(i).ok().filter(|n| solid.is_of_whole(*n));
    let start = Start {
        at: frame(placement),
        scale: placement.scale,
        velocity: solid.velocity,
    };
    match world.add_prop_body(owner(handle), &solid.options, number, made_of, start) {
        Ok(body) => {
            if solid.is_sleeping {
                physics.world.sleep(body);
            }
            solid.enter(body, placement_key(placement));
            Ok(())
        }
        Err(error) => {
            solid.fault = Some(error.to_string());
            Err(error.to_string())
        }
    }
}

/// Frame and scale at which a solid object was added to the world.
fn placement_key(placement: Placement) -> (RigidFrame, f32) {
    (frame(placement), placement.scale)
}

/// Advances all bodies by one tick.
pub(super) fn step(
    characters: &mut Arena<Character>,
    physics: &mut Physics,
    fabrics: &mut Arena<StageFabric>,
    floor: &Floor,
    clock: Clock,
    events: &mut Vec<Event>,
) {
    puffin::profile_scope!("physics");
    let dt = clock.dt;
    let has_bodies = |c: &Character| {
        c.body.prop_body.is_some() || c.body.limbs.is_some() || c.body.controller.is_some()
    };
    let is_used = characters.iter().any(|(_, c)| has_bodies(c));
    if !is_used && physics.world.is_empty() {
        return;
    }
    agree(physics, floor);
    let is_there =
        |owner: Owner| character_of(owner).is_some_and(|handle| characters.get(handle).is_some());
    physics.world.retain(is_there);
    for (handle, character) in characters.iter_mut() {
        before(physics, handle, character);
    }
    let mut walked = controllers::walk(physics, characters, floor, TimeBase::Stage, clock);
    events.append(&mut walked);
    for (handle, character) in characters.iter_mut() {
        limbs::before_step(physics, handle, character, dt);
    }
    grabs::hold(physics, characters);
    ropes::hold(physics, characters, fabrics);
    let mut forces = std::mem::take(&mut physics.forces);
    for (_, force) in &mut forces {
        physics.world.apply(force, dt as f32);
    }
    physics.forces = forces;
    for (_, character) in characters.iter_mut() {
        if let Some(limbs) = &mut character.body.limbs {
            limbs.ragdoll.weigh(&physics.world);
        }
    }
    let mut touches = std::mem::take(&mut physics.touches);
    physics.world.step(dt, &mut touches);
    leave_removed(characters, physics);
    for (handle, character) in characters.iter_mut() {
        read_back(&physics.world, character);
        nodes::after(&physics.world, character);
        controllers::move_with_platforms(physics, handle, character, dt);
        limbs::after_step(physics, handle, character, dt);
    }
    emit_touch(characters, floor, &touches, clock.time() + dt, events);
    touches.clear();
    physics.touches = touches;
}

/// Removes the remaining bodies of characters after the physics world removed one of them.
fn leave_removed(characters: &mut Arena<Character>, physics: &mut Physics) {
    for owner in physics.world.take_removed() {
        let handle = character_of(owner);
        let Some(character) = handle.and_then(|handle| characters.get_mut(handle)) else {
            continue;
        };
        if let Some(mut limbs) = character.body.limbs.take() {
            limbs.ragdoll.remove_from_world(&mut physics.world);
        }
        if let Some(solid) = &mut character.body.prop_body {
            leave_world(&mut physics.world, solid);
            solid.fault = Some("the physics engine failed on it".into());
        }
    }
}

/// Removes the bodies of an object.
fn leave_world(world: &mut PhysicsWorld, solid: &mut PropBody) {
    nodes::leave(world, solid);
    if let Some(body) = solid.body() {
        world.remove(body);
        solid.left_world();
    }
}

/// Continues all bodies in the world of the new stage, with their positions and velocities; sleeping ones stay asleep.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let continued = &reload.characters;
    let Stage {
        physics,
        characters,
        floor,
        ..
    } = &mut *reload.new;
    agree(physics, floor);
    let mut asleep = Vec::new();
    for (handle, character) in characters.iter_mut() {
        if let Some(solid) = &mut character.body.prop_body {
            leave_world(&mut physics.world, solid);
        }
        before(physics, handle, character);
        if let Some(solid) = &character.body.prop_body {
            asleep.extend(solid.body().filter(|_| solid.is_sleeping));
            asleep.extend(nodes::asleep(solid));
        }
        if let Some(limbs) = &mut character.body.limbs {
            let surface = physics.surface("flesh");
            let ragdoll = &mut limbs.ragdoll;
            let rests = ragdoll.asleep;
            ragdoll.before_step(&mut physics.world, owner(handle), &surface, 0.0);
            asleep.extend(
                (0..ragdoll.len())
                    .filter_map(|i| ragdoll.body(i))
                    .filter(|_| rests),
            );
        }
    }
    physics.world.resume(&asleep, |touch| {
        let is_known = |owner| {
            let handle = character_of(owner);
            handle.is_none_or(|handle| continued.iter().any(|own| own.handle == handle))
        };
        !touch.owners.into_iter().all(is_known)
    });
    leave_removed(characters, physics);
}

/// Writes changes of a solid object since the last step to the world.
fn before(physics: &mut Physics, handle: Handle, character: &mut Character) {
    if let Some(solid) = &mut character.body.prop_body {
        let placement = character.placement;
        let bones = &character.posed.model_from_bone;
        let was = solid.last();
        whole_before(
            physics,
            handle,
            solid,
            placement,
            character.attachment.is_some(),
        );
        nodes::before(physics, handle, solid, placement, was, bones);
    }
}

/// Writes changes of the object's main body to the world.
fn whole_before(
    physics: &mut Physics,
    handle: Handle,
    solid: &mut PropBody,
    placement: Placement,
    is_held: bool,
) {
    if solid.fault.is_some() {
        return;
    }
    let body = solid.body().filter(|body| physics.world.has(*body));
    if is_held {
        // An attached object collides with nothing; its holder moves it.
        if let Some(body) = body {
            let at = physics.world.frame(body).unwrap_or(RigidFrame::IDENTITY);
            let centre = physics.world.centre_of_mass(body);
            solid.centre = centre.map_or(Vec3::ZERO, |centre| at.inverse().point(centre));
            physics.world.remove(body);
        }
        solid.left_world();
        return;
    }
    let key = placement_key(placement);
    let Some(body) = body.filter(|_| solid.scale() == placement.scale) else {
        if let Some(body) = body {
            physics.world.remove(body);
        }
        // An error is stored in the solid.
        let _ = put_in(physics, handle, solid, placement);
        return;
    };
    let was = solid.last();
    if was == Some(key) {
        return;
    }
    let far = was.is_none_or(|(was, _)| (was.position - key.0.position).length() > JUMP);
    if solid.options.body_type == BodyType::Kinematic && !far {
        physics.world.move_to(body, key.0);
    } else {
        physics.world.put(body, key.0);
    }
    solid.enter(body, key);
}

/// Reads the placement of a dynamic object from the world.
fn read_back(world: &PhysicsWorld, character: &mut Character) {
    let Some(solid) = &mut character.body.prop_body else {
        return;
    };
    let Some(body) = solid.body() else {
        return;
    };
    if solid.options.body_type != BodyType::Dynamic {
        return;
    }
    solid.velocity_before = solid.velocity;
    let was_asleep = std::mem::replace(&mut solid.is_sleeping, world.is_asleep(body));
    if was_asleep && solid.is_sleeping {
        return;
    }
    let (Some(at), Some(velocity)) = (world.frame(body), world.velocity(body)) else {
        return;
    };
    solid.velocity = velocity;
    character.placement = Placement {
        position: at.position,
        ..character.placement.turned(at.rotation)
    };
    solid.enter(body, placement_key(character.placement));
}

/// Emits touch events for both objects.
fn emit_touch(
    characters: &Arena<Character>,
    floor: &Floor,
    touches: &[Touch],
    time: f64,
    events: &mut Vec<Event>,
) {
    for touch in touches {
        let [a, b] = touch.owners.map(character_of);
        for (own, other, part, normal) in [(a, b, 0, touch.normal), (b, a, 1, -touch.normal)] {
            let Some(own) = own else {
                continue;
            };
            let other_part = touch.parts[1 - part];
            let surface = surface_of(characters, floor, other, other_part, touch.position);
            let kind = EventKind::Touch(Box::new(TouchEvent {
                other,
                began: touch.began,
                sensor: touch.sensor,
                part: touch.parts[part],
                position: touch.position,
                // Points from the other towards it.
                normal: -normal,
                speed: touch.speed,
                impulse: touch.speed * touch.mass,
                surface,
            }));
            events.push(Event::new(own, time, kind));
        }
    }
}
