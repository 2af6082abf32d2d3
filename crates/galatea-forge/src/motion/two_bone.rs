//! Two-bone IK of arms and legs.

use galatea_math::clamp::ClampTo as _;
use glam::{Mat3, Quat, Vec3};

use super::figure::frame;

/// Maximum length of a leg as a fraction of the straight length.
const MAX_EXTENSION: f32 = 0.9995;

/// Rotation from one frame to another; each frame is given by its up and its sideways vector.
pub(super) fn turn_between(from: [Vec3; 2], to: [Vec3; 2]) -> Quat {
    let a: Mat3 = frame(from[0], from[1]);
    let b: Mat3 = frame(to[0], to[1]);
    Quat::from_mat3(&(b * a.transpose()))
}

/// Result of two-bone IK: unit vectors back along the upper and the lower bone, the axis of the middle joint, and the
/// distance by which the target was out of reach.
pub(super) struct Bent {
    pub upper: Vec3,
    pub lower: Vec3,
    pub hinge: Vec3,
    pub miss: f32,
}

/// Two-bone IK by the law of cosines; the middle joint points towards `toward`.
pub(super) fn two_bone(from: Vec3, to: Vec3, toward: Vec3, [a, b]: [f32; 2]) -> Bent {
    let span = to - from;
    let wanted = span.length();
    let least = (a - b).abs() + 0.12 * (a + b);
    let d = wanted.clamp_to(least, (a + b) * MAX_EXTENSION);
    let down = span.normalize_or(Vec3::NEG_Y);
    let forward = toward
        .reject_from_normalized(down)
        .normalize_or(down.any_orthonormal_vector());
    let cos = (a * a + d * d - b * b) / (2.0 * a * d);
    let sin = (1.0 - cos * cos).max(0.0).sqrt();
    let middle = from + (down * cos + forward * sin) * a;
    let end = from + down * d;
    Bent {
        upper: (from - middle).normalize_or(-down),
        lower: (middle - end).normalize_or(-down),
        hinge: (-down).cross(forward),
        miss: (wanted - d).abs(),
    }
}
