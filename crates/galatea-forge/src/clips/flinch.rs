//! A flinch: hit on the chest from the front, pushed back, and standing again. An additive clip: it begins and ends in the
//! idle stance.

use glam::Vec3;

use super::{curve::through, idle, stance::Stance};

/// Duration, seconds.
pub(crate) const DURATION: f32 = 0.6;

/// Stance at `t` seconds.
pub fn at(t: f32) -> Stance {
    let mut stance = idle::at(0.0);
    let hit = |lag: f32| {
        through(
            &[
                (0.0, 0.0),
                (0.07, 1.0),
                (0.22, 0.30),
                (0.34, -0.14),
                (DURATION - 0.08, 0.0),
            ],
            t - lag,
        )
    };
    stance.pelvis += Vec3::new(-0.05, 0.02, 0.0) * hit(0.0);
    stance.chest += Vec3::new(-0.24, -0.10, 0.03) * hit(0.015);
    // The head lags behind and then follows.
    stance.head += Vec3::new(0.05, -0.03, 0.0) * hit(0.0) - Vec3::new(0.20, 0.0, 0.0) * hit(0.06);
    stance.hips.z -= 0.018 * hit(0.0);
    for arm in &mut stance.arms {
        arm.swing += 0.16 * hit(0.03);
        arm.out += 0.10 * hit(0.02);
        arm.elbow += 0.34 * hit(0.04);
        arm.lift += 0.07 * hit(0.01);
        arm.curl += 0.25 * hit(0.03);
    }
    stance
}
