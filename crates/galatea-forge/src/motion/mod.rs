//! Procedural motion of humanoid figures: poses, curves through them and gaits become clips.
//!
//! Callers: `script` (recipes). Invariants: a pose is a set of numbers with the rest pose at zero, so poses can be added and
//! scaled. Lengths refer to a body of 1.70 m and are scaled to each figure. Feet stay at their positions, independent of the
//! hips. Equal numbers give equal clips.

mod arm;
pub mod bake;
mod contact;
pub mod curve;
pub mod figure;
pub mod gait;
pub mod keys;
pub mod pose;
pub mod solve;
#[cfg(test)]
mod tests;
mod two_bone;

use glam::{EulerRot, Quat, Vec3};

/// Rotation from degrees (pitch forwards, yaw to the left, roll that raises the left side); yaw is applied last.
pub fn turn(degrees: Vec3) -> Quat {
    let [x, y, z] = degrees.to_array().map(f32::to_radians);
    Quat::from_euler(EulerRot::YXZ, y, x, z)
}

/// The rotation mirrored to the other side.
pub fn mirror(q: Quat) -> Quat {
    Quat::from_xyzw(q.x, -q.y, -q.z, q.w)
}
