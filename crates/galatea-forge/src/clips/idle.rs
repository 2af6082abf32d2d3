//! Idle: one breath and one slow weight shift in four seconds. `jump` and `wave` begin and end in this stance.

use glam::{Quat, Vec3};

use super::{
    curve::wave,
    stance::{ArmPose, LegPose, Stance},
};
use crate::rig;

/// Duration of one cycle, seconds.
pub const PERIOD: f32 = 4.0;

/// Leg pose with a flat foot: side, X, Z, toe-out angle (radians).
fn planted(side: f32, x: f32, z: f32, out: f32) -> LegPose {
    let turn = Quat::from_rotation_y(side * out);
    let ankle = Vec3::new(side * x, rig::ANKLE.y, z) + turn * Vec3::new(0.0, 0.0, rig::ANKLE.z);
    LegPose {
        ankle,
        foot: turn,
        toes: 0.0,
    }
}

/// Stance at phase `u` of the cycle. Most of the weight is on the left leg.
pub fn at(u: f32) -> Stance {
    let breath = wave(u, 0.42);
    let shift = wave(u, 0.20);
    let arm = |side: f32| ArmPose {
        swing: 0.03 + 0.012 * wave(u, 0.5) + 0.03 * side,
        out: 0.155 + 0.012 * breath,
        twist: -0.10,
        elbow: 0.27 + 0.02 * wave(u, 0.55) + 0.05 * side,
        wrist: 0.06,
        curl: 0.30 + 0.06 * side,
        lift: 0.014 + 0.014 * breath,
        reach: 0.0,
    };
    Stance {
        hips: Vec3::new(
            0.016 + 0.010 * shift,
            0.9215 + 0.0012 * breath,
            0.004 + 0.003 * wave(u, 0.7),
        ),
        pelvis: Vec3::new(0.02, 0.035, 0.040 + 0.014 * shift),
        chest: Vec3::new(0.0, 0.015 + 0.01 * wave(u, 0.6), -0.022 - 0.010 * shift),
        head: Vec3::new(
            0.01 + 0.014 * wave(u, 0.9),
            0.03 * wave(u, 0.65),
            0.012 + 0.010 * wave(u, 0.3),
        ),
        breath: 0.016 + 0.016 * breath,
        legs: [
            planted(1.0, 0.098, -0.005, 0.10),
            planted(-1.0, 0.112, 0.030, 0.24),
        ],
        arms: [arm(0.0), arm(1.0)],
    }
}
