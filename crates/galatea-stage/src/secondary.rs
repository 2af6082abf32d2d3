//! What moves after the poses: springs and jiggle of each character, then ropes, cloth and hair.

use rayon::prelude::*;

use super::{Stage, fabrics, hair};
use galatea_character::Character;

/// Moves all of it on by `dt` seconds, 0 to show it as it is; characters must be posed and placed. True
/// when there is anything that moved.
pub(super) fn advance(stage: &mut Stage, dt: f64) -> bool {
    let (time, wind) = (stage.time(), stage.wind);
    let has_springs = |character: &Character| !character.secondary.is_empty();
    let mut moved = stage.characters.iter().any(|(_, c)| has_springs(c));
    if moved {
        stage
            .characters
            .slots_mut()
            .par_iter_mut()
            .for_each(|(_, slot)| {
                if let Some(character) = slot {
                    character.advance_secondary(dt, &|place| wind.at(place, time));
                }
            });
    }
    moved |= fabrics::advance(stage, dt);
    moved |= hair::advance(stage, dt);
    moved
}
