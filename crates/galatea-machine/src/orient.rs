//! Orientation warping: legs that walk in another direction than the character faces, for states with `orient`.
//!
//! The hips turn towards the walking direction and the spine turns back, so the upper body keeps facing ahead. For
//! directions more than 90° from ahead, the clips play backwards.

use super::bound::{Layer, Orient};
use super::state::{LegRotation, MachineState};
use galatea_anim::humanoid::Role;
use galatea_anim::motion_warp::{orientation_warp, warp_angle};
use galatea_anim::{ClipSet, Pose};

/// Half-life of the remaining angle, seconds.
const HALF_LIFE: f32 = 0.1;

/// Advances the leg rotation of the lowest layer by `dt` seconds towards the direction of the current state.
pub(super) fn turn_legs(layer: &Layer, state: &mut MachineState, dt: f64) {
    let Some(current) = state.current(0) else {
        return;
    };
    let played = &layer.states[current.state];
    let before = state.leg_rotation;
    let (angle, reversed) = match played.orient {
        Some(Orient { param, heading }) => {
            let target = state.params.get(param).copied().unwrap_or(0.0).to_radians();
            let target = if target.is_finite() { target } else { 0.0 };
            let side = if state.number(played.mirror) != 0.0 {
                -1.0
            } else {
                1.0
            };
            warp_angle(side * heading, target, before.reversed)
        }
        None if before.angle == 0.0 => return,
        None => (0.0, false),
    };
    state.leg_rotation = approach(before, angle, reversed, dt as f32);
}

/// Critically damped spring, exact for any step length: neither angle nor speed jumps.
fn approach(before: LegRotation, angle: f32, reversed: bool, dt: f32) -> LegRotation {
    let pull = 2.0 * std::f32::consts::LN_2 / HALF_LIFE;
    let remaining = before.angle - angle;
    let rise = before.speed + remaining * pull;
    let fade = (-pull * dt).exp();
    let (off, speed) = (
        fade * (remaining + rise * dt),
        fade * (before.speed - rise * pull * dt),
    );
    // Differences too small to see end the motion.
    let is_settled = off.abs() < 1e-5 && speed.abs() < 1e-4;
    LegRotation {
        angle: if is_settled { angle } else { angle + off },
        speed: if is_settled { 0.0 } else { speed },
        reversed,
    }
}

/// Applies the leg rotation to a pose.
pub(super) fn apply(clips: &ClipSet, turned: LegRotation, pose: &mut Pose) {
    let body = clips.humanoid();
    let Some(hips) = body.bone(Role::Hips).filter(|_| turned.angle != 0.0) else {
        return;
    };
    let mut spine = [0; SPINE.len()];
    let mut n = 0;
    for bone in SPINE.into_iter().filter_map(|role| body.bone(role)) {
        spine[n] = bone;
        n += 1;
    }
    orientation_warp(
        clips.skeleton(),
        &mut pose.locals,
        hips,
        &spine[..n],
        turned.angle,
    );
}

/// Roles of the spine bones that turn back, from the hips up.
const SPINE: [Role; 3] = [Role::Spine, Role::Chest, Role::UpperChest];

/// Returns true for a skeleton with hips and a spine bone.
pub(super) fn can_turn(clips: &ClipSet) -> bool {
    let body = clips.humanoid();
    body.bone(Role::Hips).is_some() && SPINE.into_iter().any(|role| body.bone(role).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f32 = 1.0 / 60.0;

    #[test]
    fn legs_reach_the_direction_smoothly_and_stop_there() {
        let mut now = LegRotation::default();
        let mut fastest = 0.0_f32;
        for _ in 0..120 {
            let next = approach(now, 1.2, false, DT);
            assert!(next.angle >= now.angle && next.angle <= 1.2);
            // The half-life is 0.1 s, so no tick turns by much more than a tenth of the angle.
            fastest = fastest.max(next.angle - now.angle);
            now = next;
        }
        assert_eq!((now.angle, now.speed), (1.2, 0.0));
        assert!(fastest < 0.12, "{fastest}");
    }

    #[test]
    fn the_rotation_does_not_depend_on_the_step_length() {
        let start = LegRotation {
            angle: -0.4,
            speed: 3.0,
            reversed: false,
        };
        let whole = approach(start, 0.9, false, 0.1);
        let mut split = start;
        for _ in 0..10 {
            split = approach(split, 0.9, false, 0.01);
        }
        assert!((whole.angle - split.angle).abs() < 1e-5);
        assert!((whole.speed - split.speed).abs() < 1e-4);
    }
}
