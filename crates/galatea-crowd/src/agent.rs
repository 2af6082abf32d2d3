//! One agent of a crowd.

use glam::Vec2;

/// One who walks. Places and velocities are on the ground, metres: x, and z as y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agent {
    /// Where it stands.
    pub at: Vec2,
    /// How it goes.
    pub velocity: Vec2,
    /// What it would walk with, were it alone.
    pub wish: Vec2,
    /// Metres.
    pub radius: f32,
    /// Metres a second.
    pub fastest: f32,
    /// How much it gives way beside others, 0.., where neither goes first; at 0 it does not, and others do it all.
    pub yields: f32,
    /// On which height it stands, metres: walls elsewhere are not there for it.
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
