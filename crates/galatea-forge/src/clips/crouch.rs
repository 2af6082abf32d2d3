//! Crouching on both feet: down, one breath in the crouch, and up again.

use glam::Vec3;

use super::{
    curve::{through, wave},
    idle,
    stance::Stance,
};

/// Duration of the way down, seconds.
pub const DOWN: f32 = 0.7;
/// Duration of one crouching cycle, seconds.
pub(crate) const STAY: f32 = 3.0;
/// Duration of the way up, seconds.
pub const UP: f32 = 0.8;

/// Stance on the way down at `t` seconds.
pub fn down(t: f32) -> Stance {
    // The head leads, the hips follow, and both overshoot slightly at the end.
    let hips = through(&[(0.0, 0.0), (0.42, 1.03), (0.56, 1.02), (DOWN, 1.0)], t);
    let lean = through(&[(0.0, 0.0), (0.34, 1.05), (0.52, 1.0), (DOWN, 1.0)], t);
    low(hips, lean, 0.0)
}

/// Crouching stance at phase `u` of the cycle.
pub fn stay(u: f32) -> Stance {
    // Starts and ends at the end of the way down.
    let breath = 0.5 - 0.5 * wave(u, 0.0);
    low(1.0, 1.0, breath)
}

/// Stance on the way up at `t` seconds.
pub fn up(t: f32) -> Stance {
    let hips = through(&[(0.0, 1.0), (0.10, 1.02), (0.62, -0.015), (UP, 0.0)], t);
    let lean = through(&[(0.0, 1.0), (0.14, 1.06), (0.66, -0.02), (UP, 0.0)], t);
    low(hips, lean, 0.0)
}

fn low(hips: f32, lean: f32, breath: f32) -> Stance {
    let mut stance = idle::at(0.0);
    stance.hips += Vec3::new(-0.004, -0.36, -0.115) * hips;
    stance.hips.y += 0.004 * breath;
    stance.pelvis += Vec3::new(0.42, -0.02, -0.02) * lean;
    stance.chest += Vec3::new(0.46, 0.04, 0.01) * lean + Vec3::new(-0.012, 0.0, 0.0) * breath;
    stance.head += Vec3::new(0.10, 0.0, 0.0) * lean + Vec3::new(-0.02, 0.0, 0.0) * breath;
    stance.breath += 0.012 * breath;
    for (k, arm) in stance.arms.iter_mut().enumerate() {
        let side = if k == 0 { 1.0 } else { 0.8 };
        arm.swing += 0.42 * side * lean;
        arm.out += 0.10 * lean;
        arm.elbow += 0.62 * side * lean;
        arm.curl += 0.12 * lean;
    }
    stance
}
