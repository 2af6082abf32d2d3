//! How an agent uses a smart object.

use glam::{Vec2, Vec3};

use crate::Handle;

/// How somebody uses something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Using {
    pub(super) object: Handle,
    pub(super) phase: UsePhase,
    /// Seconds that are left of it, and that it has been there.
    pub(super) left: f32,
    pub(super) t: f32,
    /// Where it was and how it faced when it came there.
    pub(super) from: (Vec3, f32),
    /// Goal to which it continues afterwards, and whether it only passes that; without one it returns to its spot.
    pub(super) goal: Option<Vec2>,
    /// Height that was asked for with the goal, metres.
    pub(super) goal_height: Option<f32>,
    pub(super) passes: bool,
    pub(super) spot: Vec2,
    /// Position in the line or on a slot to which it was sent last.
    pub(super) sent: Option<Vec2>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsePhase {
    /// In the line.
    Waits,
    /// To a slot.
    Goes(u16),
    /// On a slot.
    Uses(u16),
    /// The end is acted.
    Ends(u16),
}

impl Using {
    /// It is on its slot: it does not walk.
    pub(super) fn is_there(self) -> bool {
        matches!(self.phase, UsePhase::Uses(_) | UsePhase::Ends(_))
    }

    /// What is used.
    pub fn object(self) -> Handle {
        self.object
    }

    /// It does there what that is for, and not its end.
    pub(super) fn is_used(self) -> bool {
        matches!(self.phase, UsePhase::Uses(_))
    }

    pub(super) fn slot(self) -> Option<u16> {
        match self.phase {
            UsePhase::Waits => None,
            UsePhase::Goes(slot) | UsePhase::Uses(slot) | UsePhase::Ends(slot) => Some(slot),
        }
    }
}
