//! What the main part of a script left a face with.

/// What the main part of a script left a face with. After a reload a running value stays unless the new version leaves
/// another one than the old version did.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FaceBaseline {
    /// Name and intensity.
    pub mood: Option<(String, f32)>,
    /// Name, intensity, and the shortest and longest time between two, seconds.
    pub leak: Option<(String, f32, [f32; 2])>,
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
