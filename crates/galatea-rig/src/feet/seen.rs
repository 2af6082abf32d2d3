//! What all feet of a character know in a tick.

use glam::{Affine3A, Vec3};

use super::FeetSettings;
use super::paces::Paces;

/// What all feet of a character know.
pub(super) struct Seen<'a> {
    pub world: Affine3A,
    pub scale: f32,
    /// Length of a leg in the world.
    pub size: f32,
    /// Height in the world of the ground that the clips know.
    pub plane: f32,
    /// How the character goes, world space, metres per second.
    pub going: Vec3,
    /// Feet that carry are held.
    pub holds: bool,
    /// It stands still, and has for a while.
    pub rests: bool,
    pub options: &'a FeetSettings,
    pub paces: &'a Paces,
}
