//! Legs that go another way than the character looks: states with `orient`.
//!
//! The hips turn towards the way, the spine turns back, so the upper body keeps looking ahead. Ways
//! further back than a quarter turn are walked backwards.

use super::bound::{Layer, Orient};
use super::state::{MachineState, Turned};
use galatea_anim::humanoid::Role;
use galatea_anim::warp::{orientation_warp, warp_angle};
use galatea_anim::{ClipSet, Pose};

/// Seconds in which the legs turn half of what is left.
const HALF_LIFE: f32 = 0.1;

/// Moves the turn of the lowest layer on by `dt` seconds towards what its current state wants.
pub(super) fn turn_legs(layer: &Layer, state: &mut MachineState, dt: f64) {
    let Some(current) = state.current(0) else {
        return;
    };
    let played = &layer.states[current.state];
    let before = state.turned;
    let (angle, reversed) = match played.orient {
        Some(Orient { param, heading }) => {
            let wanted = state.params.get(param).copied().unwrap_or(0.0).to_radians();
            let wanted = if wanted.is_finite() { wanted } else { 0.0 };
            let side = if state.number(played.mirror) != 0.0 {
                -1.0
            } else {
                1.0
            };
            warp_angle(side * heading, wanted, before.reversed)
        }
        None if before.angle == 0.0 => return,
        None => (0.0, false),
    };
    state.turned = approach(before, angle, reversed, dt as f32);
}

/// A critically damped spring, exact over any step: neither angle nor speed jumps.
fn approach(before: Turned, angle: f32, reversed: bool, dt: f32) -> Turned {
    let pull = 2.0 * std::f32::consts::LN_2 / HALF_LIFE;
    let left = before.angle - angle;
    let rise = before.speed + left * pull;
    let fade = (-pull * dt).exp();
    let (off, speed) = (
        fade * (left + rise * dt),
        fade * (before.speed - rise * pull * dt),
    );
    // What cannot be seen is over.
    let is_over = off.abs() < 1e-5 && speed.abs() < 1e-4;
    Turned {
        angle: if is_over { angle } else { angle + off },
        speed: if is_over { 0.0 } else { speed },
        reversed,
    }
}

/// Turns the legs of a pose.
pub(super) fn apply(clips: &ClipSet, turned: Turned, pose: &mut Pose) {
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

/// What turns back, from the hips up.
const SPINE: [Role; 3] = [Role::Spine, Role::Chest, Role::UpperChest];

/// True for a body whose legs can turn under it.
pub(super) fn can_turn(clips: &ClipSet) -> bool {
    let body = clips.humanoid();
    body.bone(Role::Hips).is_some() && SPINE.into_iter().any(|role| body.bone(role).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f32 = 1.0 / 60.0;

    #[test]
    fn legs_come_to_the_way_without_a_jerk_and_rest_there() {
        let mut now = Turned::default();
        let mut fastest = 0.0_f32;
        for _ in 0..120 {
            let next = approach(now, 1.2, false, DT);
            assert!(next.angle >= now.angle && next.angle <= 1.2);
            // Half of the way takes a tenth of a second or so: no tick turns much more than a tenth.
            fastest = fastest.max(next.angle - now.angle);
            now = next;
        }
        assert_eq!((now.angle, now.speed), (1.2, 0.0));
        assert!(fastest < 0.12, "{fastest}");
    }

    #[test]
    fn the_turn_is_the_same_over_any_split_of_a_time() {
        let start = Turned {
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
