//! The agent of a crowd.

use glam::Vec2;
use serde::{Deserialize, Serialize};

/// An agent. Positions and velocities are on the ground, in metres: x, and z as y.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agent {
    /// Position on the ground, metres.
    pub at: Vec2,
    /// Velocity, metres per second.
    pub velocity: Vec2,
    /// Preferred velocity, metres per second.
    pub desired_velocity: Vec2,
    /// Radius, metres.
    pub radius: f32,
    /// Maximum speed, metres per second.
    pub fastest: f32,
    /// Weight with which it gives way to agents of equal precedence; an agent with weight 0 never gives way.
    pub yields: f32,
    /// Height of the ground under it, metres. It avoids walls and agents at this height; NaN means all heights.
    pub height: f32,
    /// Position to which it walks straight: the next corner of the path, or the goal.
    pub waypoint: Option<Vec2>,
    /// Seconds for which others have blocked it. [`Steering`](super::Steering) counts them.
    pub blocked: f32,
    /// Seconds for which it still has priority over others. [`Steering`](super::Steering) sets them.
    pub priority: f32,
}

impl Default for Agent {
    fn default() -> Self {
        Self {
            at: Vec2::ZERO,
            velocity: Vec2::ZERO,
            desired_velocity: Vec2::ZERO,
            radius: 0.25,
            fastest: 1.6,
            yields: 1.0,
            height: 0.0,
            waypoint: None,
            blocked: 0.0,
            priority: 0.0,
        }
    }
}
