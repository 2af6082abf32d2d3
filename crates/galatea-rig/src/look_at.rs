//! Eye ranges and morph binds of a character's gaze as stored in VRM files: `VRMC_vrm.lookAt` of VRM 1.0 and `firstPerson`
//! of VRM 0.x. The gaze target is not part of this.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Output that the gaze drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GazeKind {
    /// Eye bones.
    #[default]
    Bone,
    /// Expressions `lookLeft`, `lookRight`, `lookUp` and `lookDown`.
    Expression,
}

/// Mapping from a gaze angle to an eye angle or an expression weight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GazeRange {
    /// Gaze angle beyond which the output is constant, degrees, above 0.
    pub input: f32,
    /// Output at that angle: degrees, or a weight.
    pub output: f32,
}

/// A morph target that a look expression drives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LookBind {
    /// Node of the mesh.
    pub bone: u16,
    /// Index of the target in that mesh.
    pub target: usize,
    /// Weight of the target when the expression has weight 1; -10..=10.
    pub weight: f32,
}

/// Gaze settings of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LookAt {
    /// Driven output.
    pub kind: GazeKind,
    /// Eye position in the head's space, metres; `None` if the file has none.
    pub offset: Option<Vec3>,
    /// Range towards the nose.
    pub inner: GazeRange,
    /// Range away from the nose; for expressions, both sides.
    pub outer: GazeRange,
    /// Downward range.
    pub down: GazeRange,
    /// Upward range.
    pub up: GazeRange,
    /// Morph targets of the expressions `lookLeft`, `lookRight`, `lookUp` and `lookDown`.
    pub looks: [Vec<LookBind>; 4],
}

impl GazeRange {
    /// Default range of a file without one: 90 degrees of gaze rotate an eye by 10 degrees, or give full expression weight.
    pub fn default_of(kind: GazeKind) -> Self {
        let output = match kind {
            GazeKind::Bone => 10.0,
            GazeKind::Expression => 1.0,
        };
        Self {
            input: 90.0,
            output,
        }
    }

    /// Gaze angle beyond which the output is constant, degrees.
    pub fn end(self, kind: GazeKind) -> f32 {
        match kind {
            _ if self.output.abs() < 1e-3 => 0.0,
            GazeKind::Bone => self.input,
            // Weights are clamped to 1.
            GazeKind::Expression => self.input * self.output.recip().clamp(0.0, 1.0),
        }
    }
}

impl LookAt {
    /// Settings with default ranges.
    pub fn new(kind: GazeKind) -> Self {
        let range = GazeRange::default_of(kind);
        Self {
            kind,
            offset: None,
            inner: range,
            outer: range,
            down: range,
            up: range,
            looks: Default::default(),
        }
    }
}
