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

/// What a file says of its character's gaze.
#[derive(Clone, Copy, Debug, PartialEq)]
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

    /// What an angle becomes, the same sign; degrees in.
    pub fn map(self, degrees: f32) -> f32 {
        let part = (degrees.abs() / self.input).min(1.0);
        (part * self.output).copysign(degrees)
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
        }
    }

    /// Yaw and pitch of an eye, degrees, for a gaze of `yaw` (positive to the character's left) and `pitch`
    /// (positive down): turns about Y, then X, of the model's axes at rest (VRM 1.0, "Apply Yaw and Pitch to
    /// bone").
    pub fn eye(&self, is_left: bool, yaw: f32, pitch: f32) -> [f32; 2] {
        let is_outer = is_left == (yaw > 0.0);
        let across = if is_outer { self.outer } else { self.inner };
        let range = if pitch > 0.0 { self.down } else { self.up };
        [across.map(yaw), range.map(pitch)]
    }

    /// Weights of `lookLeft`, `lookRight`, `lookUp`, `lookDown`, 0..=1, for the same gaze (VRM 1.0, "Apply
    /// Yaw and Pitch to expression").
    pub fn expressions(&self, yaw: f32, pitch: f32) -> [f32; 4] {
        let part = |range: GazeRange, angle: f32| range.map(angle.max(0.0)).clamp(0.0, 1.0);
        [
            part(self.outer, yaw),
            part(self.outer, -yaw),
            part(self.up, -pitch),
            part(self.down, pitch),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_eye_has_its_range_to_each_side_and_stops_at_its_end() {
        let range = |input: f32, output: f32| GazeRange { input, output };
        let look = LookAt {
            inner: range(90.0, 6.0),
            outer: range(60.0, 12.0),
            down: range(30.0, 9.0),
            up: range(45.0, 5.0),
            ..LookAt::new(GazeKind::Bone)
        };
        // The table of VRM 1.0: to the left the left eye goes outward and the right one inward.
        assert_eq!(look.eye(true, 30.0, 10.0), [6.0, 3.0]);
        assert_eq!(look.eye(false, 30.0, 10.0), [2.0, 3.0]);
        assert_eq!(look.eye(true, -45.0, -90.0), [-3.0, -5.0]);
        assert_eq!(look.eye(false, -90.0, 90.0), [-12.0, 9.0]);
        let weights = LookAt::new(GazeKind::Expression).expressions(-45.0, 180.0);
        assert_eq!(weights, [0.0, 0.5, 0.0, 1.0]);
    }
}
