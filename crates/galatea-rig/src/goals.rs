//! Inputs and solutions of the two-bone and aim solvers.

use std::f32::consts::PI;

use glam::{Quat, Vec3};

/// Default minimum inner angle of a limb, radians.
pub const MIN_ANGLE: f32 = 0.02 * PI;

/// Input of the two-bone solver: a limb and its target, all in one space, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBone {
    /// Start of the upper bone.
    pub root: Vec3,
    /// Joint between the two bones.
    pub mid: Vec3,
    /// End effector: the end of the lower bone.
    pub end: Vec3,
    /// Target position of the end effector.
    pub target: Vec3,
    /// Pole vector: the side of the line from root to target to which the middle joint points. With zero, the joint keeps
    /// its current side. A vector along that line has no effect.
    pub pole: Vec3,
    /// Unit axis about which the middle joint bends: a right-handed rotation of the lower bone about it closes the limb.
    /// Used where the limb is nearly straight or folded; may be zero.
    pub hinge: Vec3,
    /// Minimum inner angle at the middle joint, radians: 0 is folded, π is straight.
    pub min_angle: f32,
    /// Maximum inner angle at the middle joint, radians.
    pub max_angle: f32,
    /// Soft IK: fraction of the reach, 0..=1, over which the limb slows down before full stretch.
    pub softness: f32,
}

impl Default for TwoBone {
    fn default() -> Self {
        Self {
            root: Vec3::ZERO,
            mid: Vec3::ZERO,
            end: Vec3::ZERO,
            target: Vec3::ZERO,
            pole: Vec3::ZERO,
            hinge: Vec3::ZERO,
            min_angle: MIN_ANGLE,
            max_angle: PI,
            softness: 0.0,
        }
    }
}

impl TwoBone {
    /// Squared sines of half the minimum and half the maximum inner angle.
    #[inline]
    pub(super) fn half_sines(&self) -> [f32; 2] {
        let half_sine = |angle: f32| {
            if angle >= PI {
                1.0
            } else {
                (angle / 2.0).sin().powi(2)
            }
        };
        let max = self.max_angle.clamp(0.0, PI);
        [self.min_angle.clamp(0.0, PI).min(max), max].map(half_sine)
    }
}

/// Solution of the two-bone solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBoneSolution {
    /// Rotation about the root, applied after the rotation of the middle joint.
    pub root: Quat,
    /// Rotation about the middle joint, for the lower bone and its descendants.
    pub mid: Quat,
    /// Remaining distance between end and target, metres.
    pub target_error: f32,
}

/// Input of the aim solver: a line that rotates about a pivot and shall pass through a target, all in one space, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// Centre of rotation.
    pub pivot: Vec3,
    /// Current direction of the line.
    pub forward: Vec3,
    /// Vector from the pivot to a point on the line, such as an eye or a weapon.
    pub offset: Vec3,
    /// Point through which the line shall pass. If it is nearer to the pivot than the line is, the line passes as close to
    /// it as possible.
    pub target: Vec3,
    /// Up direction: the rotation axis for a target exactly behind, and the reference of angle ranges.
    pub up: Vec3,
    /// True rotates about up and then up or down, without roll; false rotates along the shortest arc.
    pub keep_up: bool,
}

/// Solution of the aim solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimSolution {
    /// Rotation of the line about the pivot.
    pub rotation: Quat,
    /// Angle between the line and the target, as seen from the pivot, radians.
    pub angle: f32,
}
