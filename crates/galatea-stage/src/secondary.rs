//! Secondary motion after the poses: springs and jiggle of each character, then ropes, cloth and hair.

use rayon::prelude::*;

use super::{CameraRig, Characters, Effects, Floor, fabrics, hair};
use galatea_character::Character;

/// Advances all secondary motion by `dt` seconds; 0 only applies the current state. Characters must be posed and placed.
/// Returns true if there was any.
pub(super) fn advance(
    effects: &mut Effects,
    characters: &mut Characters,
    floor: &Floor,
    camera: &CameraRig,
    time: f64,
    dt: f64,
) -> bool {
    let wind = effects.wind;
    let has_springs = |character: &Character| !character.secondary.is_empty();
    let mut moved = characters.iter().any(|(_, c)| has_springs(c));
    if moved {
        characters.slots_mut().par_iter_mut().for_each(|(_, slot)| {
            if let Some(character) = slot {
                character.advance_secondary(dt, &|place| wind.at(place, time));
            }
        });
    }
    moved |= fabrics::advance(effects, characters, floor, time, dt);
    moved |= hair::advance(effects, characters, camera, time, dt);
    moved
}
