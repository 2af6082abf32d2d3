//! A jump in place: crouch, take-off, a ballistic arc, landing on the balls of the feet, absorbed by hips, knees and back.

use glam::{Quat, Vec3};

use super::{
    curve::through,
    idle,
    stance::{LegPose, Stance},
};
use crate::rig;

/// Duration, seconds.
pub(crate) const DURATION: f32 = 1.3;
/// Time when the toes leave the ground, seconds.
pub(crate) const TAKE_OFF: f32 = 0.46;
/// Time when the toes touch the ground, seconds.
pub const LAND: f32 = 0.84;
const GRAVITY: f32 = 9.81;

/// Stance at `t` seconds.
pub fn at(t: f32) -> Stance {
    let mut stance = idle::at(0.0);
    let air = t.clamp(TAKE_OFF, LAND) - TAKE_OFF;
    let span = LAND - TAKE_OFF;
    let arc = 0.5 * GRAVITY * air * (span - air);
    let speed = GRAVITY * span * 0.5;
    let sink = sink(t, speed);
    let rise = through(
        &[
            (0.0, 0.0),
            (0.30, 0.0),
            (TAKE_OFF, 0.80),
            (0.56, 0.75),
            (0.70, 0.25),
            (LAND, 0.42),
            (0.90, 0.0),
            (DURATION, 0.0),
        ],
        t,
    );
    let tuck = through(
        &[
            (0.0, 0.0),
            (TAKE_OFF, 0.0),
            (0.65, 0.10),
            (LAND, 0.0),
            (DURATION, 0.0),
        ],
        t,
    );
    let lean = through(
        &[
            (0.0, 0.0),
            (0.28, 0.52),
            (TAKE_OFF, 0.02),
            (0.62, 0.06),
            (LAND, 0.12),
            (0.99, 0.42),
            (DURATION, 0.0),
        ],
        t,
    );
    let back = -0.17 * lean;
    stance.hips += Vec3::new(0.0, sink + arc, back + 0.02 * tuck);
    stance.pelvis.x += lean * 0.85;
    stance.chest.x += lean;
    stance.head.x += through(
        &[
            (0.0, 0.0),
            (0.25, 0.12),
            (TAKE_OFF, -0.20),
            (0.65, -0.02),
            (LAND, 0.16),
            (1.0, 0.14),
            (DURATION, 0.0),
        ],
        t,
    );
    for leg in &mut stance.legs {
        *leg = roll(*leg, rise, arc + tuck);
    }
    swing_arms(&mut stance, t);
    stance
}

/// Height of the hips above their standing height, metres. The slopes at take-off and landing match the ballistic arc, which
/// begins with `speed`.
fn sink(t: f32, speed: f32) -> f32 {
    if t < TAKE_OFF {
        super::curve::sloped(
            &[
                (0.0, 0.0),
                (0.12, -0.05),
                (0.30, -0.250),
                (0.38, -0.155),
                (TAKE_OFF, 0.045),
            ],
            0.0,
            speed,
            t,
        )
    } else if t < LAND {
        0.045
    } else {
        super::curve::sloped(
            &[
                (LAND, 0.045),
                (0.90, -0.055),
                (0.99, -0.185),
                (1.12, -0.090),
                (DURATION, 0.0),
            ],
            -speed,
            0.0,
            t,
        )
    }
}

fn swing_arms(stance: &mut Stance, t: f32) {
    let swing = through(
        &[
            (0.0, 0.0),
            (0.27, -0.95),
            (0.36, -0.35),
            (TAKE_OFF, 1.75),
            (0.60, 1.95),
            (0.76, 1.05),
            (0.92, 0.35),
            (1.05, 0.12),
            (DURATION, 0.0),
        ],
        t,
    );
    let elbow = through(
        &[
            (0.0, 0.0),
            (0.27, 0.30),
            (0.38, 0.75),
            (0.52, 0.50),
            (0.70, 0.55),
            (0.95, 0.55),
            (DURATION, 0.0),
        ],
        t,
    );
    let spread = through(
        &[
            (0.0, 0.0),
            (0.27, 0.12),
            (0.50, 0.25),
            (0.72, 0.50),
            (0.95, 0.32),
            (DURATION, 0.0),
        ],
        t,
    );
    for arm in &mut stance.arms {
        arm.swing += swing;
        arm.elbow += elbow;
        arm.out += spread;
        arm.lift += 0.10 * swing.max(0.0);
    }
}

/// Rolls a planted foot over its ball by `pitch` and lifts it by `height`.
fn roll(leg: LegPose, pitch: f32, height: f32) -> LegPose {
    let arm = rig::ANKLE - rig::BALL;
    let ball = leg.ankle - leg.foot * arm;
    let foot = leg.foot * Quat::from_rotation_x(pitch);
    // In the air the toes hang down instead of being flat.
    let hang = (height / 0.16).clamp(0.0, 1.0);
    LegPose {
        ankle: ball + foot * arm + Vec3::Y * height,
        foot,
        toes: -pitch * (1.0 - 0.8 * hang),
    }
}
