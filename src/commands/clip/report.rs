//! Report of `clip`.

use serde::Serialize;

use super::super::binding::BindingReport;

/// Report of one clip.
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
    pub markers: Vec<String>,
}

/// A loop that was found or cut.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LoopReport {
    pub start: f32,
    pub end: f32,
    /// Pose distance of the ends, metres, root mean square over the bones; `None` if the ends were given.
    pub distance: Option<f32>,
    /// Velocity difference of the ends, metres per second; `None` if the ends were given.
    pub velocity: Option<f32>,
    /// Distance over the ground per lap, metres.
    pub root_translation: Option<f32>,
    /// Rotation per lap, degrees.
    pub turn: Option<f32>,
}

/// Position and direction of a clip before it was centred.
#[derive(Debug, Serialize)]
pub struct CentredReport {
    /// Position of the hips at the start, metres along X and Z.
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
    /// Ground speed, metres per second.
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
    /// Binding of the other files to the bones of the first.
    pub packs: Vec<BindingReport>,
    pub written: Option<String>,
}
