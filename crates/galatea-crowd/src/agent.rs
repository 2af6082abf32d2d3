//! One agent of a crowd.

use glam::Vec2;

/// An agent. Positions and velocities are on the ground, in metres: x, and z as y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agent {
    /// Position.
    pub at: Vec2,
    /// Metres per second.
    pub velocity: Vec2,
    /// Preferred velocity, metres per second.
    pub wish: Vec2,
    /// Radius, metres.
    pub radius: f32,
    /// Maximum speed, metres per second.
    pub fastest: f32,
    /// Weight with which it gives way to agents of equal precedence; an agent of weight 0 never gives way.
    pub yields: f32,
    /// Height of the ground under it, metres. It avoids walls and agents at this height; NaN is at every height.
    pub height: f32,
    /// Position that it heads straight for: the next corner of its path, or its goal.
    pub waypoint: Option<Vec2>,
    /// Seconds for which others kept it from making progress. [`Steering`](super::Steering) counts them.
    pub blocked: f32,
    /// Seconds for which it still has priority over others. [`Steering`](super::Steering) sets them.
    pub priority: f32,
}

impl Default for Agent {
    fn default() -> Self {
        Self {
            at: Vec2::ZERO,
            velocity: Vec2::ZERO,
            wish: Vec2::ZERO,
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
