//! Findings of a check.

use serde::Serialize;

/// Errors and warnings, and the tried transitions.
#[derive(Debug, Default, Serialize)]
pub struct CheckFindings {
    pub errors: Vec<String>,
    pub warnings: Vec<String>,
    /// Notes about skipped checks.
    pub notes: Vec<String>,
    /// Every transition that was tried.
    pub transitions: Vec<MeasuredTransition>,
}

impl CheckFindings {
    /// Adds a warning, unless it is there already.
    pub fn warn(&mut self, text: String) {
        if !self.warnings.contains(&text) {
            self.warnings.push(text);
        }
    }
}

/// Measurements of a transition.
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
