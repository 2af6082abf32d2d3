//! Ground by its heights that changes under those who are on it.

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::reload::Reload;
use super::{Arena, Handle};
use galatea_character::Character;
use galatea_math::heights::Heights;

/// Ground as it was, and where.
pub(super) type Was = (Arc<Heights>, Affine3A);

/// Ground by its heights, where somebody is such.
pub(super) fn ground(character: &Character) -> Option<Was> {
    let solid = character.body.solid.as_ref()?;
    let heights = solid.options.heights()?.clone();
    Some((heights, character.placement.to_affine()))
}

/// Height in the world of ground over or under a place; level ground has no other way to stand on it.
fn height((heights, at): &Was, place: Vec3) -> Option<f32> {
    let inside = at.inverse().transform_point3(place);
    let height = heights.height(inside.x, inside.z)?;
    Some(at.transform_point3(inside.with_y(height)).y)
}

/// Takes along who stands on ground that has risen, as far as it rose under each; only who `is_kept` where they were
/// when it was lower.
pub(super) fn lift(
    characters: &mut Arena<Character>,
    ground_of: Handle,
    was: &Was,
    is_kept: impl Fn(Handle) -> bool,
) {
    let Some(now) = characters.get(ground_of).and_then(ground) else {
        return;
    };
    for (handle, character) in characters.iter_mut() {
        let is_free = character.body.controller.is_some() || character.body.limbs.is_some();
        let falls = character
            .body
            .solid
            .as_ref()
            .is_some_and(|solid| solid.options.motion == galatea_physics::Motion::Dynamic);
        if handle == ground_of
            || !is_kept(handle)
            || !(is_free || falls)
            || character.attachment.is_some()
        {
            continue;
        }
        let place = character.placement.position;
        let (Some(before), Some(after)) = (height(was, place), height(&now, place)) else {
            continue;
        };
        let [low, high] = character.definition.rest_box;
        let size = (high - low).length() * character.placement.scale;
        let over = place.y - before;
        if after > before && over > -0.1 * size && over < size {
            character.placement.position.y += after - before;
        }
    }
}

/// Ground of the new version lifts those who stayed where they were.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let stayed = |handle| {
        let mut all = reload.characters.iter();
        all.any(|own| own.handle == handle && own.same_spawn)
    };
    for own in &reload.characters {
        if let Some(was) = ground(&own.was) {
            lift(&mut reload.new.characters, own.handle, &was, stayed);
        }
    }
}
