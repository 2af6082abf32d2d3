//! Characters as bodies: what acts on them changes the physics and is reported as events.

use super::{Characters, Clock, Event, Ids, Physics};

/// The parts of a stage that change when something happens to the body of a character.
pub struct Bodies<'s> {
    /// Ticks and seconds.
    pub clock: Clock,
    /// Numbers for actions and grabs that begin.
    pub ids: &'s mut Ids,
    /// Characters.
    pub characters: &'s mut Characters,
    /// Rigid bodies.
    pub physics: &'s mut Physics,
    /// Events of the tick.
    pub events: &'s mut Vec<Event>,
}
