//! How far eyes go when a character looks somewhere, as VRM files say it: `VRMC_vrm.lookAt` of VRM 1.0 and
//! `firstPerson` of VRM 0.x. Where it looks is for others to say.

use glam::Vec3;

/// What the gaze moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GazeKind {
    /// The bones of the eyes.
    #[default]
    Bone,
    /// The expressions `lookLeft`, `lookRight`, `lookUp`, `lookDown`.
    Expression,
}

/// How an angle of the gaze becomes one of an eye, or the weight of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GazeRange {
    /// The angle at which the eye goes no farther, degrees, above 0.
    pub input: f32,
    /// How far it is then: degrees, or a weight.
    pub output: f32,
}

/// A morph target that an expression of looking moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookBind {
    /// The node whose mesh it belongs to.
    pub bone: u16,
    /// Its place among the targets of that mesh.
    pub target: usize,
    /// Its weight where that of the expression is 1; -10..=10.
    pub weight: f32,
}

/// What a file says of its character's gaze.
#[derive(Clone, Debug, PartialEq)]
pub struct LookAt {
    /// What it moves.
    pub kind: GazeKind,
    /// Where it looks from, the head's space, metres; `None` where the file does not say.
    pub offset: Option<Vec3>,
    /// Toward the nose.
    pub inner: GazeRange,
    /// Away from the nose; both ways for expressions.
    pub outer: GazeRange,
    /// Down.
    pub down: GazeRange,
    /// Up.
    pub up: GazeRange,
    /// What the expressions `lookLeft`, `lookRight`, `lookUp`, `lookDown` move.
    pub looks: [Vec<LookBind>; 4],
}

impl GazeRange {
    /// The range where a file says none: 90 degrees of gaze are 10 of an eye, or the whole expression.
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

    /// The angle of the gaze beyond which nothing more is shown, degrees.
    pub fn end(self, kind: GazeKind) -> f32 {
        match kind {
            _ if self.output.abs() < 1e-3 => 0.0,
            GazeKind::Bone => self.input,
            // No weight goes beyond 1.
            GazeKind::Expression => self.input * self.output.recip().clamp(0.0, 1.0),
        }
    }
}

impl LookAt {
    /// Ranges where a file says none.
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
