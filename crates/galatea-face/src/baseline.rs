//! Values of a face that are compared over a hot reload.

use super::mood::Feeling;

/// Expressions with their weights, and an intensity.
pub(super) type Strength = (Vec<(String, f32)>, f32);

/// Values with which the main part of a script leaves a face. After a reload a running value stays unless the new version leaves
/// another one than the old version did.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FaceBaseline {
    /// The lasting mood, as it will be when it has come.
    pub mood: Option<Strength>,
    /// The feeling that the face comes to.
    pub goal: Feeling,
    /// The leak, and the shortest and longest time between two, seconds.
    pub leak: Option<(Strength, [f32; 2])>,
    /// Names and values of held controls.
    pub held: Vec<(String, f32)>,
}

impl FaceBaseline {
    /// The value at which a control is held.
    pub fn held(&self, name: &str) -> Option<f32> {
        let found = self.held.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| *value)
    }
}
