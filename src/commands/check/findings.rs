//! What a check has found.

use serde::Serialize;

/// What is wrong, and what was tried.
#[derive(Debug, Default, Serialize)]
pub struct CheckFindings {
    pub errors: Vec<String>,
    pub warnings: Vec<String>,
    /// What was left out.
    pub notes: Vec<String>,
    /// Every transition that was tried.
    pub transitions: Vec<MeasuredTransition>,
}

impl CheckFindings {
    /// Warns once of each.
    pub fn warn(&mut self, text: String) {
        if !self.warnings.contains(&text) {
            self.warnings.push(text);
        }
    }
}

/// A transition as it was measured.
#[derive(Debug, Serialize)]
pub struct MeasuredTransition {
    pub character: String,
    pub at: String,
    pub layer: Option<String>,
    pub from: String,
    pub to: String,
    pub pop: f32,
    pub pop_bone: String,
    pub slide_cm: f32,
    pub own_slide_cm: f32,
    pub lost: Vec<String>,
    pub suppressed: Vec<String>,
    pub good: bool,
}
