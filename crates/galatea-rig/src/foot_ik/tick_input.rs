//! Input of a tick that all feet of a character share.

use glam::{Affine3A, Vec3};

use super::FootIkSettings;
use super::damping::FootDamping;

/// Input that all feet of a character share.
pub(super) struct FootTickInput<'a> {
    pub world: Affine3A,
    pub scale: f32,
    /// Leg length in world space, metres.
    pub size: f32,
    /// World height of the ground plane of the clips, metres.
    pub plane: f32,
    /// Smoothed velocity of the character, world space, metres per second.
    pub velocity: Vec3,
    /// Planted feet are locked.
    pub lock_feet: bool,
    /// The character has been standing still for a while.
    pub is_resting: bool,
    pub options: &'a FootIkSettings,
    pub damping: &'a FootDamping,
}
