//! The state of a body at the end of the main part of a script.

use super::vitals::Vitals;
use galatea_physics::Velocity;
use galatea_physics::ragdoll::{BodyControl, RagdollSettings};

/// What the main part of a script left of a body. Where the next version leaves the same, what became of it
/// goes on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScriptBaseline {
    pub(super) vitals: Vitals,
    /// Settings of its ragdoll, what moves each body at rest, and whether it is down.
    pub(super) limbs: Option<(RagdollSettings, Vec<BodyControl>, bool)>,
    pub(super) velocity: Velocity,
}
