//! Character controllers: movement before the physics step, and moving platforms after it.

use super::event::{ControllerEvent, Event, EventKind};
use super::physics::{Physics, character_of, owner, surface_of};
use super::{Arena, Bodies, Clock, Floor, Handle};
use galatea_character::{Character, TimeBase};
use galatea_physics::{Controller, ControllerPose, ControllerSettings, ControllerTickEvent};

impl Bodies<'_> {
    /// Gives a character a controller, changes its options, or removes it with `None`. The error says why it cannot have
    /// one.
    ///
    /// # Errors
    /// When the character is a solid object.
    pub fn set_controller(
        &mut self,
        handle: Handle,
        options: Option<ControllerSettings>,
    ) -> Result<(), String> {
        let Some(character) = self.characters.get_mut(handle) else {
            return Ok(());
        };
        let Some(options) = options else {
            if let Some(body) = character.body.controller.take().and_then(|c| c.body()) {
                self.physics.world.remove(body);
            }
            return Ok(());
        };
        if character.body.prop_body.is_some() {
            return Err(
                "the character has a collider; remove it first: hero:collider(false)".into(),
            );
        }
        match &mut character.body.controller {
            Some(controller) => controller.options = options,
            None => character.body.controller = Some(Box::new(Controller::new(options))),
        }
        Ok(())
    }
}

/// Attached and downed characters do not walk.
fn walks(character: &Character) -> bool {
    let is_down = character
        .body
        .limbs
        .as_ref()
        .is_some_and(|limbs| limbs.is_down());
    character.attachment.is_none() && !is_down
}

/// Before the physics step: moves all walking characters that follow this time. Returns their events.
pub(super) fn walk(
    physics: &mut Physics,
    characters: &mut Arena<Character>,
    floor: &Floor,
    base: TimeBase,
    clock: Clock,
) -> Vec<Event> {
    let (time, dt) = (clock.time(), clock.dt);
    let mut events = Vec::new();
    let mut all = Vec::new();
    let mut is_fresh = false;
    for (handle, character) in characters.following(base) {
        let own_dt = character.time.passed(dt);
        let walks = walks(character);
        let velocity = character.body.velocity().linear;
        let Some(controller) = &mut character.body.controller else {
            continue;
        };
        if !walks {
            if let Some(body) = controller.body() {
                physics.world.remove(body);
                controller.left_world();
            }
            controller.velocity = velocity;
            continue;
        }
        if own_dt <= 0.0 {
            continue;
        }
        if !std::mem::replace(&mut is_fresh, true) {
            physics.world.refresh();
        }
        let from = stance(character);
        let has_limbs = character.body.limbs.is_some();
        let Some(controller) = &mut character.body.controller else {
            continue;
        };
        controller.is_hollow = has_limbs;
        // A character that gets up does not walk yet.
        let waits = character.body.rising.is_some();
        let wish = waits.then(|| std::mem::take(&mut controller.desired_velocity));
        let to = physics
            .world
            .walk(owner(handle), controller, from, own_dt, &mut events);
        if let Some(wish) = wish {
            controller.desired_velocity = wish;
        }
        place(character, to);
        all.extend(events.drain(..).map(|walked| (handle, walked)));
    }
    all.into_iter()
        .map(|(handle, walked)| {
            let kind = EventKind::Controller(Box::new(event(walked, characters, floor)));
            Event::new(handle, time + dt, kind)
        })
        .collect()
}

/// After the physics step: moves characters along with the platform they stand on.
pub(super) fn move_with_platforms(
    physics: &mut Physics,
    handle: Handle,
    character: &mut Character,
    dt: f64,
) {
    if character.body.controller.is_none() || !walks(character) {
        return;
    }
    let from = stance(character);
    if let Some(controller) = &mut character.body.controller {
        let to = physics
            .world
            .move_with_platform(owner(handle), controller, from, dt);
        place(character, to);
    }
}

fn stance(character: &Character) -> ControllerPose {
    let placement = character.placement;
    ControllerPose {
        position: placement.position,
        yaw: placement.yaw,
        scale: placement.scale,
    }
}

fn place(character: &mut Character, at: ControllerPose) {
    character.placement.position = at.position;
    character.placement.yaw = at.yaw;
}

/// Converts a controller event: adds the other character and the surface.
fn event(
    walked: ControllerTickEvent,
    characters: &Arena<Character>,
    floor: &Floor,
) -> ControllerEvent {
    let place = match walked {
        ControllerTickEvent::Jump { .. } | ControllerTickEvent::Fall => None,
        ControllerTickEvent::Land { ground, .. }
        | ControllerTickEvent::StepUp { ground, .. }
        | ControllerTickEvent::Slide { ground, .. } => {
            Some((ground.owner, ground.part, ground.point, ground.normal))
        }
        ControllerTickEvent::Bump {
            owner,
            part,
            position,
            normal,
            ..
        } => Some((owner, part, position, normal)),
    };
    let other = place.and_then(|(owner, ..)| character_of(owner));
    ControllerEvent {
        kind: walked,
        other,
        contact: place.map(|(.., position, normal)| (position, normal)),
        surface: place.and_then(|(_, part, position, _)| {
            surface_of(characters, floor, other, part, position)
        }),
    }
}
