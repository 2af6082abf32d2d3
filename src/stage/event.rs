//! What happened in a tick, for scripts.

use std::sync::Arc;

use glam::Vec3;

use super::Handle;
use crate::character::EndReason;

/// Something that happened to a character.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Whom it happened to.
    pub character: Handle,
    /// Stage seconds, exact within the tick.
    pub time: f64,
    /// What happened.
    pub kind: EventKind,
}

/// What happened. Indices refer to the character's machine, clips and marks as they are in this tick.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// A state was left.
    Exit {
        /// Layer.
        layer: usize,
        /// State left.
        state: usize,
        /// State that follows.
        to: usize,
    },
    /// A state was entered.
    Enter {
        /// Layer.
        layer: usize,
        /// State entered.
        state: usize,
        /// State before.
        from: usize,
    },
    /// A mark was passed.
    Mark {
        /// Clip.
        clip: usize,
        /// Index among the clip's marks.
        mark: usize,
        /// How much of the clip shows, 0..=1.
        weight: f32,
        /// World position: of the mark's foot or bone, else of the character.
        position: Vec3,
        /// Surface under that position.
        surface: Arc<str>,
    },
    /// The clip of a state that plays once has ended.
    End {
        /// Layer.
        layer: usize,
        /// State.
        state: usize,
    },
    /// An action is over.
    ActionEnd {
        /// Which.
        id: u64,
        /// Why.
        reason: EndReason,
    },
}
