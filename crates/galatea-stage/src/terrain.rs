//! Height field terrain that changes under characters.

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::reload::Reload;
use super::{Arena, Handle};
use galatea_character::Character;
use galatea_math::heights::Heights;

/// Previous heights and transform.
pub(super) type PreviousTerrain = (Arc<Heights>, Affine3A);

/// Heights and transform of a character that is terrain.
pub(super) fn ground(character: &Character) -> Option<PreviousTerrain> {
    let solid = character.body.prop_body.as_ref()?;
    let heights = solid.options.heights()?.clone();
    Some((heights, character.placement.to_affine()))
}

/// World height of the terrain above or below a position.
fn height((heights, at): &PreviousTerrain, place: Vec3) -> Option<f32> {
    let inside = at.inverse().transform_point3(place);
    let height = heights.height(inside.x, inside.z)?;
    Some(at.transform_point3(inside.with_y(height)).y)
}

/// Lifts characters with terrain that has risen below them. Only those for which `is_kept` returns true are lifted.
pub(super) fn lift(
    characters: &mut Arena<Character>,
    ground_of: Handle,
    was: &PreviousTerrain,
    is_kept: impl Fn(Handle) -> bool,
) {
    let Some(now) = characters.get(ground_of).and_then(ground) else {
        return;
    };
    for (handle, character) in characters.iter_mut() {
        let is_free = character.body.controller.is_some() || character.body.limbs.is_some();
        let falls = character
            .body
            .prop_body
            .as_ref()
            .is_some_and(|solid| solid.options.body_type == galatea_physics::BodyType::Dynamic);
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

/// Terrain of the new version lifts characters that kept their position.
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
