//! State of a face that is compared over a hot reload.

use serde::{Deserialize, Serialize};

use super::mood::Feeling;

/// Expressions with their weights, and the intensity.
pub(super) type Strength = (Vec<(String, f32)>, f32);

/// State of a face at the end of the script's main part. After a hot reload a running value is kept unless the new version
/// of the script sets another value than the old one did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct FaceBaseline {
    /// Lasting mood, after its fade.
    pub mood: Option<Strength>,
    /// Target feeling.
    pub goal: Feeling,
    /// Leaking expression, and the shortest and longest time between two leaks, seconds.
    pub micro_expression: Option<(Strength, [f32; 2])>,
    /// Names and values of overridden controls.
    pub overrides: Vec<(String, f32)>,
}

impl FaceBaseline {
    /// Returns the value at which a control is overridden.
    pub fn held(&self, name: &str) -> Option<f32> {
        let found = self.overrides.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| *value)
    }
}
