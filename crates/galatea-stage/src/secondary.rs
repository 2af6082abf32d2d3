//! Secondary motion after the poses: springs and jiggle of each character, then ropes, cloth and hair.

use rayon::prelude::*;

use super::surroundings::Surroundings;
use super::{Characters, Effects, fabrics, hair};
use galatea_character::{Character, TimeBase};

/// Advances the secondary motion of the characters that follow this time by `dt` seconds; 0 only applies the current state.
/// Ropes and cloth follow stage time. Characters must be posed and placed. Returns true if there was any.
pub(super) fn advance(
    effects: &mut Effects,
    characters: &mut Characters,
    surroundings: &Surroundings<'_>,
    base: TimeBase,
    dt: f64,
) -> bool {
    let Surroundings { floor, time, .. } = *surroundings;
    let wind = effects.wind;
    let has_springs =
        |character: &Character| !character.secondary.is_empty() && character.time.base == base;
    let mut moved = characters.iter().any(|(_, c)| has_springs(c));
    if moved {
        characters.slots_mut().par_iter_mut().for_each(|(_, slot)| {
            if let Some(character) = slot.as_mut().filter(|c| c.time.base == base) {
                let dt = character.time.passed(dt);
                character.advance_secondary(dt, &|place| wind.at(place, time));
            }
        });
    }
    if base == TimeBase::Stage {
        moved |= fabrics::advance(effects, characters, floor, time, dt);
    }
    moved |= hair::advance(effects, characters, surroundings, base, dt);
    moved
}
