//! Walking at 1.4 m/s: heel strike, loading, roll over the ball, swing.
//!
//! Ratios of the cycle and joint ranges after Perry and Burnfield, "Gait Analysis": stance 60 %,
//! two double supports, pelvis yaw and list of a few degrees, vertical path of about 4 cm twice per
//! cycle.

use glam::Vec3;

use super::{
    curve::wave,
    gait::WalkCycle,
    stance::{ArmPose, Stance},
};

/// Parameters of the walk.
pub const WALK: WalkCycle = WalkCycle {
    period: 1.0,
    speed: 1.4,
    duty: 0.60,
    strike: 0.300,
    strike_pitch: -0.36,
    flat: 0.17,
    rise: 0.50,
    off_pitch: 0.98,
    width: 0.070,
    toe_out: 0.10,
    swing: &[
        (0.20, 0.232, -0.315, 1.02, -0.45),
        (0.42, 0.195, -0.050, 0.46, -0.02),
        (0.66, 0.128, 0.200, -0.06, -0.10),
        (0.86, 0.118, 0.335, -0.33, -0.02),
    ],
};

/// Stance at phase `u` of the cycle; the left heel strikes at 0, the right one at 0.5.
pub fn at(u: f32) -> Stance {
    let twice = wave(2.0 * u, 0.60);
    let sway = wave(u, 0.28);
    let pelvis_yaw = -0.105 * wave(u, 0.0);
    let chest_yaw = 0.100 * wave(u, 0.03);
    let arm = |strike: f32| {
        let forward = -wave(u, strike + 0.035);
        let late = -wave(u, strike + 0.115);
        ArmPose {
            swing: 0.02 + 0.36 * forward,
            out: 0.145,
            twist: -0.12,
            elbow: 0.36 + 0.22 * late,
            wrist: 0.08 + 0.07 * late,
            curl: 0.35,
            lift: 0.012 * twice,
            reach: 0.05 * forward,
        }
    };
    Stance {
        hips: Vec3::new(
            0.020 * sway,
            0.8895 + 0.0200 * twice,
            -0.012 + 0.006 * wave(2.0 * u, 0.25),
        ),
        pelvis: Vec3::new(0.07 + 0.015 * twice, pelvis_yaw, 0.062 * wave(u, 0.20)),
        chest: Vec3::new(
            0.030 - 0.015 * wave(2.0 * u, 0.15),
            chest_yaw,
            -0.026 * wave(u, 0.26),
        ),
        head: Vec3::new(
            0.015 + 0.012 * wave(2.0 * u, 0.1),
            0.018 * wave(u, 0.05),
            -0.006 * sway,
        ),
        breath: 0.0,
        legs: [WALK.leg(0, u), WALK.leg(1, u + 0.5)],
        arms: [arm(0.0), arm(0.5)],
    }
}
