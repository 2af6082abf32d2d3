//! A hit that pushes a standing character off its place.

use glam::Vec3;

/// The push of a hit, and the step by which the character catches itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Knockback {
    /// Metres per second in the world at which the push begins.
    pub velocity: Vec3,
    /// Seconds for which it still moves the character.
    pub left_s: f32,
    /// The action of the step by which it catches itself.
    pub step: Option<u64>,
}
