//! What lines and conversations change.

use super::{Characters, Clock, Event, Ids, Rng, Speech};

/// The parts of a stage that change when characters talk.
pub(super) struct TalkContext<'s> {
    pub clock: Clock,
    /// Numbers for lines, actions and modifiers that begin.
    pub ids: &'s mut Ids,
    pub rng: &'s mut Rng,
    /// Their faces, gestures and looks.
    pub characters: &'s mut Characters,
    pub speech: &'s mut Speech,
    /// Events of the tick.
    pub events: &'s mut Vec<Event>,
}
