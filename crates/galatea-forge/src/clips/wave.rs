//! A greeting: the right arm rises, the forearm swings four times, the head leans towards it.

use glam::Vec3;

use super::{curve::through, idle, stance::Stance};

/// Duration, seconds.
pub(crate) const DURATION: f32 = 2.2;

/// Stance at `t` seconds.
pub fn at(t: f32) -> Stance {
    let mut stance = idle::at(0.0);
    let up = through(
        &[
            (0.0, 0.0),
            (0.12, -0.02),
            (0.50, 1.02),
            (0.62, 1.0),
            (1.62, 1.0),
            (DURATION, 0.0),
        ],
        t,
    );
    let early = through(
        &[
            (0.0, 0.0),
            (0.40, 1.0),
            (1.75, 1.0),
            (2.12, 0.0),
            (DURATION, 0.0),
        ],
        t,
    );
    let strength = through(
        &[
            (0.0, 0.0),
            (0.42, 0.0),
            (0.62, 1.0),
            (1.45, 0.9),
            (1.72, 0.0),
            (DURATION, 0.0),
        ],
        t,
    );
    let beat = |lag: f32| strength * ((t - 0.50 - lag) * std::f32::consts::TAU * 2.05).sin();
    let arm = &mut stance.arms[1];
    let blend = |from: f32, to: f32, u: f32| from + (to - from) * u;
    arm.swing = blend(arm.swing, 0.42, up);
    arm.out = blend(arm.out, 1.22, up);
    arm.twist = blend(arm.twist, 1.28, early);
    arm.elbow = blend(arm.elbow, 1.76, early) + 0.36 * beat(0.0);
    arm.wrist = blend(arm.wrist, -0.05, up) + 0.26 * beat(0.075);
    arm.curl = blend(arm.curl, 0.06, up);
    arm.lift = blend(arm.lift, 0.20, up);
    arm.out += 0.04 * beat(-0.03);
    stance.head += Vec3::new(-0.03, -0.10, -0.13) * up;
    stance.chest += Vec3::new(-0.01, -0.05, 0.045) * up + Vec3::new(0.0, 0.008, 0.008) * beat(0.02);
    stance.pelvis += Vec3::new(0.0, -0.015, 0.012) * up;
    stance.hips.x += 0.010 * up;
    stance
}
