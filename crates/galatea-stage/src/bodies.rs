//! Physical effects on characters: they change the physics and emit events.

use super::{Characters, Clock, Event, Ids, Physics};

/// The parts of a stage that change when the body of a character is hit, falls or dies.
pub struct Bodies<'s> {
    /// Ticks and seconds.
    pub clock: Clock,
    /// Source of ids for actions and grabs.
    pub ids: &'s mut Ids,
    /// Characters.
    pub characters: &'s mut Characters,
    /// Physics world and its bodies.
    pub physics: &'s mut Physics,
    /// Events of the tick.
    pub events: &'s mut Vec<Event>,
}
