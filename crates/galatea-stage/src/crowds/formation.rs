//! Relative positions of agents: formations of followers, and the spot where an agent stands.

use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Formation of a follower.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Formation {
    /// Side by side with its leader.
    #[default]
    SideBySide,
    /// In single file behind its leader.
    File,
    /// On a path, because no straight line leads to its leader.
    Path,
}

/// The spot on which an agent stood before it stepped aside.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StandingSpot {
    pub at: Vec2,
    pub heading: f32,
    /// Seconds left for its return.
    pub left: f32,
}

impl StandingSpot {
    /// A position in front of the spot, which an agent there faces.
    pub fn ahead(&self) -> Vec2 {
        self.at + Vec2::from(self.heading.sin_cos()) * 100.0
    }
}
