//! State that lines and conversations change.

use super::{Characters, Clock, Event, Ids, Rng, Speech};

/// The parts of a stage that lines and conversations change.
pub(super) struct TalkContext<'s> {
    pub clock: Clock,
    /// Source of ids for lines, actions and modifiers.
    pub ids: &'s mut Ids,
    pub rng: &'s mut Rng,
    /// Characters with their faces, gestures and gaze.
    pub characters: &'s mut Characters,
    pub speech: &'s mut Speech,
    /// Events of the tick.
    pub events: &'s mut Vec<Event>,
}
