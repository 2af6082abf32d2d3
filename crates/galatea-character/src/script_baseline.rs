//! The state of a body at the end of the main part of a script.

use serde::{Deserialize, Serialize};

use super::vitals::Vitals;
use galatea_physics::Velocity;
use galatea_physics::ragdoll::{BodyControl, RagdollSettings};

/// State of a body at the end of the script's main part. After a hot reload, run-time changes are kept for everything that
/// the new version leaves unchanged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScriptBaseline {
    pub(super) vitals: Vitals,
    /// Ragdoll settings, the control of each body at rest, and the downed flag.
    pub(super) limbs: Option<(RagdollSettings, Vec<BodyControl>, bool)>,
    pub(super) velocity: Velocity,
}
