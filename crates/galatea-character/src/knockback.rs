//! A hit that pushes a standing character.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Push by a hit, and the recovery step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Knockback {
    /// Initial velocity of the push, world space, metres per second.
    pub velocity: Vec3,
    /// Remaining time of the push, seconds.
    pub left_s: f32,
    /// Id of the action that plays the recovery step.
    pub step: Option<u64>,
}
