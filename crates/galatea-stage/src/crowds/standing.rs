//! Agents that have arrived walk back when others push them away.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Distance by which others must push an agent before it returns, metres.
const MIN_PUSH: f32 = 1.0;
/// Distance from its position within which an agent gives up while others are in the way, metres.
const NEAR: f32 = 4.0;
/// Seconds of rest after the first attempt, and at most. Each rest is twice as long as the one before, so that many agents
/// around one position soon come to rest.
const MIN_REST: f32 = 2.0;
const MAX_REST: f32 = 16.0;
/// Failed attempts after which an agent stays where it is; the rests add up to about four minutes.
const MAX_ATTEMPTS: u32 = 17;

/// The position of an agent since it arrived.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Standing {
    /// World position, metres. Pushes do not change it, because many small ones would move it away.
    position: Vec3,
    /// The agent walks back.
    is_returning: bool,
    /// Seconds until the next attempt.
    rest: f32,
    n_attempts: u32,
}

impl Standing {
    pub(super) fn at(position: Vec3) -> Self {
        Self {
            position,
            is_returning: false,
            rest: 0.0,
            n_attempts: 0,
        }
    }

    pub(super) fn is_returning(&self) -> bool {
        self.is_returning
    }

    /// Returns the position to which a free agent starts to walk back now, if it does.
    pub(super) fn start_return(&mut self, now: Vec3, dt: f32) -> Option<Vec3> {
        self.rest = (self.rest - dt).max(0.0);
        let is_pushed = self.position.distance(now) > MIN_PUSH;
        self.is_returning = is_pushed && self.rest == 0.0;
        self.is_returning.then_some(self.position)
    }

    /// Ends a walk back at its goal.
    pub(super) fn end_return(&mut self) {
        (self.is_returning, self.n_attempts) = (false, 0);
    }

    /// Ends the walk back if others are in the way, so that the agent does not push through them. Returns true if it has
    /// ended.
    pub(super) fn give_up(&mut self, now: Vec3, distance: f32) -> bool {
        if !self.is_returning || distance > NEAR {
            return false;
        }
        self.is_returning = false;
        self.rest = (MIN_REST * 2_f32.powi(self.n_attempts as i32)).min(MAX_REST);
        self.n_attempts += 1;
        if self.n_attempts == MAX_ATTEMPTS {
            *self = Self::at(now);
        }
        true
    }
}
