//! Motion of figures in a mover's words: poses, curves through them and gaits become clips.
//!
//! Callers: `script` (recipes). Invariants: poses are sums of numbers whose zero is the rest pose, so that motions can
//! be added and scaled; lengths are those of a woman of 1.70 m and are scaled to each figure; feet are where the pose says,
//! whatever the hips do; the same numbers give the same clip.

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

/// The turn of degrees (pitch forwards, yaw to the left, roll that raises the left side): yaw last.
pub fn turn(degrees: Vec3) -> Quat {
    let [x, y, z] = degrees.to_array().map(f32::to_radians);
    Quat::from_euler(EulerRot::YXZ, y, x, z)
}

/// The same turn on the other side.
pub fn mirror(q: Quat) -> Quat {
    Quat::from_xyzw(q.x, -q.y, -q.z, q.w)
}
