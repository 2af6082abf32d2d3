//! Hits by objects that fly into characters.

use super::event::{EventKind, TouchEvent};
use super::hits::Hit;
use super::script::Script;
use super::{Bodies, Handle, Stage};
use galatea_character::{Character, HitReaction};
use galatea_physics::BodyType;
use galatea_physics::ragdoll::BodyControl;

/// Minimum contact speed that counts as a hit, metres per second.
const MIN_HIT_SPEED: f32 = 1.0;

impl Bodies<'_> {
    /// Removes limbs that exist only to be touched, so that a hit can set up its own.
    pub(super) fn remove_touch_limbs(&mut self, handle: Handle) {
        let Some(character) = self.characters.get_mut(handle) else {
            return;
        };
        let reacts_to_objects = character.body.vitals.hit_on_touch == Some(true);
        let follows = character.body.limbs.as_ref().is_some_and(|limbs| {
            limbs.rest.iter().all(|rest| *rest == BodyControl::Animated) && !limbs.is_down()
        });
        if reacts_to_objects
            && follows
            && let Some(mut limbs) = character.body.limbs.take()
        {
            limbs.ragdoll.remove_from_world(&mut self.physics.world);
        }
    }
}

/// Applies a hit if the script allows it.
pub(super) fn apply_hit(stage: &mut Stage, script: &mut dyn Script, handle: Handle, hit: &Hit) {
    let reaction = stage.bodies().judge(handle, hit);
    if reaction == HitReaction::None {
        return;
    }
    if let Some(reaction) = script.react_to_hit(stage, handle, hit, reaction) {
        stage.bodies().hit(handle, hit, reaction);
    }
}

/// Returns true if objects that fly into the character hit it.
pub(super) fn reacts_to_objects(character: &Character) -> bool {
    let limbs = character.body.limbs.as_ref();
    let is_down = limbs.is_some_and(|limbs| limbs.is_down());
    character
        .body
        .vitals
        .hit_on_touch
        .unwrap_or(limbs.is_some())
        && !is_down
}

/// After the physics step: gives limbs to characters that react to objects, then applies the hits of new contacts, only the
/// hardest one of each object.
pub(super) fn hit_by_objects(stage: &mut Stage, script: &mut dyn Script) {
    let without_bodies = |character: &Character| {
        character.body.vitals.hit_on_touch == Some(true) && character.body.limbs.is_none()
    };
    let waiting = stage.characters.iter();
    let waiting: Vec<Handle> = waiting
        .filter(|(_, character)| without_bodies(character))
        .map(|(handle, _)| handle)
        .collect();
    for handle in waiting {
        stage.characters.limbs(handle);
    }
    let mut blows: Vec<(Handle, Handle, Hit)> = Vec::new();
    for event in &stage.events {
        let EventKind::Touch(touch) = &event.kind else {
            continue;
        };
        let Some((other, hit)) = hit_of_contact(stage, event.character, touch) else {
            continue;
        };
        let same =
            |(who, by, _): &&mut (Handle, Handle, Hit)| (*who, *by) == (event.character, other);
        match blows.iter_mut().find(same) {
            Some((.., known)) if known.impulse.length() < hit.impulse.length() => *known = hit,
            Some(_) => {}
            None => blows.push((event.character, other, hit)),
        }
    }
    for (handle, _, hit) in blows {
        apply_hit(stage, script, handle, &hit);
    }
}

/// The hit of a new contact, with the character that is hit.
fn hit_of_contact(stage: &Stage, handle: Handle, touch: &TouchEvent) -> Option<(Handle, Hit)> {
    let character = stage
        .characters
        .get(handle)
        .filter(|c| reacts_to_objects(c))?;
    let other = touch.other.filter(|_| touch.began && !touch.sensor)?;
    let solid = stage.characters.get(other)?.body.prop_body.as_ref()?;
    // Sticking objects cause their hit where the tip enters.
    if solid.options.body_type != BodyType::Dynamic || solid.options.stick_on_hit {
        return None;
    }
    let speed = solid.velocity_before.linear.dot(touch.normal);
    if speed < MIN_HIT_SPEED {
        return None;
    }
    let limbs = character.body.limbs.as_ref()?;
    let body = limbs
        .ragdoll
        .definition
        .bodies
        .get(usize::from(touch.part))?;
    let mass = stage.physics.world.mass(solid.body()?);
    let hit = Hit {
        bone: body.bone,
        position: Some(touch.position),
        impulse: touch.normal * speed * mass,
        damage: 0.0,
        other: Some(other),
    };
    Some((other, hit))
}
