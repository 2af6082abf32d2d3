//! The report of what was found and done.

use serde::Serialize;

use super::super::binding::BindingReport;

/// What is said of one clip.
#[derive(Debug, Serialize)]
pub struct ClipReport {
    pub name: String,
    pub seconds: f32,
    pub bones: usize,
    pub keys: usize,
    pub loops: Option<Vec<LoopReport>>,
    pub cut: Option<LoopReport>,
    pub centred: Option<CentredReport>,
    pub reduced: Option<KeyReduction>,
    pub feet: Option<FeetReport>,
    pub marks: Vec<String>,
}

/// A loop found or cut.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LoopReport {
    pub start: f32,
    pub end: f32,
    /// Metres, root mean square over the bones; absent where the ends were given.
    pub distance: Option<f32>,
    /// Metres per second, likewise.
    pub velocity: Option<f32>,
    /// Metres over the ground of one lap.
    pub travel: Option<f32>,
    /// Degrees of one lap.
    pub turn: Option<f32>,
}

/// Position and direction of a clip before it was centred.
#[derive(Debug, Serialize)]
pub struct CentredReport {
    /// Of the hips at its start: metres along X and Z.
    pub from: [f32; 2],
    /// Degrees from +Z, left positive.
    pub facing: f32,
}

#[derive(Debug, Serialize)]
pub struct KeyReduction {
    pub keys_before: usize,
    pub keys_after: usize,
    pub error_cm: f32,
    pub worst_bone: String,
}

#[derive(Debug, Serialize)]
pub struct FeetReport {
    /// Metres per second over the ground.
    pub speed: f32,
    /// Degrees from +Z, left positive.
    pub direction: f32,
    pub in_place: bool,
    pub looping: bool,
    pub contacts: Vec<FootContact>,
}

#[derive(Debug, Serialize)]
pub struct FootContact {
    pub foot: String,
    pub start: f32,
    pub end: f32,
}

#[derive(Debug, Serialize)]
pub struct ClipFileReport {
    pub bones: usize,
    pub warnings: Vec<String>,
    pub clips: Vec<ClipReport>,
    /// How the files after the first were bound to its bones.
    pub packs: Vec<BindingReport>,
    pub written: Option<String>,
}
