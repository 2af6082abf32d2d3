//! Running at 4.2 m/s: a short stance, and two ballistic flight phases per cycle.

use glam::Vec3;

use super::{
    curve::wave,
    gait::WalkCycle,
    stance::{ArmPose, Stance},
};

/// Parameters of the run.
pub const RUN: WalkCycle = WalkCycle {
    period: 0.70,
    speed: 4.2,
    duty: 0.27,
    strike: 0.218,
    strike_pitch: -0.10,
    flat: 0.16,
    rise: 0.42,
    off_pitch: 1.02,
    width: 0.050,
    toe_out: 0.06,
    swing: &[
        (0.17, 0.340, -0.560, 1.50, -0.35),
        (0.34, 0.480, -0.430, 1.45, 0.05),
        (0.51, 0.450, -0.060, 0.85, 0.05),
        (0.67, 0.345, 0.260, 0.22, 0.00),
        (0.89, 0.180, 0.316, -0.12, 0.00),
    ],
};

/// Metres per second squared.
const GRAVITY: f32 = 9.81;

/// Height of the hips relative to toe-off: a parabola in flight, and in stance half a sine with matching speeds at its ends.
fn bounce(u: f32) -> f32 {
    let step = (u * 2.0).rem_euclid(1.0) * 0.5 * RUN.period;
    let stance = RUN.duty * RUN.period;
    let flight = 0.5 * RUN.period - stance;
    let leave = GRAVITY * flight * 0.5;
    if step < stance {
        let depth = leave * stance / std::f32::consts::PI;
        -depth * (step / stance * std::f32::consts::PI).sin()
    } else {
        let t = step - stance;
        leave * t - 0.5 * GRAVITY * t * t
    }
}

/// Stance at phase `u` of the cycle; the left foot strikes at 0, the right one at 0.5.
pub fn at(u: f32) -> Stance {
    let lift = bounce(u);
    let arm = |strike: f32| {
        let forward = -wave(u, strike + 0.07);
        let late = -wave(u, strike + 0.13);
        ArmPose {
            swing: -0.10 + 0.66 * forward,
            out: 0.20 - 0.05 * forward,
            twist: -0.32 - 0.12 * forward,
            elbow: 1.62 + 0.20 * late,
            wrist: 0.05,
            curl: 1.05,
            lift: 0.03,
            reach: 0.11 * forward,
        }
    };
    let yaw = wave(u, 0.02);
    Stance {
        hips: Vec3::new(0.010 * wave(u, 0.14), 0.8730 + lift, -0.02),
        pelvis: Vec3::new(0.25, -0.15 * yaw, 0.050 * wave(u, 0.12)),
        chest: Vec3::new(
            0.24 + 0.03 * wave(2.0 * u, 0.3),
            0.20 * wave(u, 0.05),
            -0.03 * wave(u, 0.15),
        ),
        head: Vec3::new(0.05 - 0.02 * wave(2.0 * u, 0.3), 0.02 * yaw, 0.0),
        breath: 0.0,
        legs: [RUN.leg(0, u), RUN.leg(1, u + 0.5)],
        arms: [arm(0.0), arm(0.5)],
    }
}
