//! Use of a smart object by an agent.

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use crate::Handle;

/// State of an agent that uses a smart object.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Using {
    pub(super) object: Handle,
    pub(super) phase: UsePhase,
    /// Seconds until the use ends, and seconds since it began.
    pub(super) left: f32,
    pub(super) t: f32,
    /// Position and heading when it arrived at the slot.
    pub(super) from: (Vec3, f32),
    /// Goal to which it continues afterwards, and true if that is an intermediate goal of a tour. Without a goal it returns
    /// to `spot`.
    pub(super) goal: Option<Vec2>,
    /// Height requested with the goal, metres.
    pub(super) goal_height: Option<f32>,
    pub(super) passes: bool,
    pub(super) spot: Vec2,
    /// Position in the queue or on a slot to which it was sent last.
    pub(super) sent: Option<Vec2>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UsePhase {
    /// Waits in the queue.
    Wait,
    /// Walks to a slot.
    Approach(u16),
    /// Uses the object on a slot.
    Use(u16),
    /// Acts the outro on a slot.
    Exit(u16),
}

impl Using {
    /// Returns true if it is on its slot and does not walk.
    pub(super) fn is_on_slot(self) -> bool {
        matches!(self.phase, UsePhase::Use(_) | UsePhase::Exit(_))
    }

    /// The smart object.
    pub fn object(self) -> Handle {
        self.object
    }

    /// Returns true if it uses the object; false during the outro.
    pub(super) fn is_used(self) -> bool {
        matches!(self.phase, UsePhase::Use(_))
    }

    pub(super) fn slot(self) -> Option<u16> {
        match self.phase {
            UsePhase::Wait => None,
            UsePhase::Approach(slot) | UsePhase::Use(slot) | UsePhase::Exit(slot) => Some(slot),
        }
    }
}
