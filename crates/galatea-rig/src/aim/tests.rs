//! Tests of single aims, their limits, and aim chains.

use super::*;
use crate::posed::tests::{Random, skeleton};
use galatea_anim::{Skeleton, local_to_model};
use galatea_math::Trs;

fn aim(random: &mut Random) -> Aim {
    Aim {
        pivot: random.vector(),
        forward: random.unit(),
        offset: random.vector() * 0.2,
        target: random.vector() * 4.0,
        up: Vec3::Y,
        keep_up: false,
    }
}

/// Distance at which the rotated line passes the target.
fn passes(goal: &Aim, rotation: Quat) -> f32 {
    let eye = goal.pivot + rotation * goal.offset;
    (goal.target - eye)
        .reject_from_normalized((rotation * goal.forward).normalize())
        .length()
}

#[test]
fn a_line_offset_from_its_pivot_passes_through_the_target() {
    let mut random = Random(1);
    for i in 0..20_000 {
        let goal = Aim {
            keep_up: i % 2 == 0,
            ..aim(&mut random)
        };
        if goal.target.distance(goal.pivot) < 0.5 {
            continue;
        }
        let AimSolution {
            rotation: turn,
            angle: off,
        } = solve_aim(&goal, None);
        assert!(passes(&goal, turn) < 1e-5, "{goal:?}");
        let ahead = (goal.target - goal.pivot - turn * goal.offset).dot(turn * goal.forward);
        assert!(ahead > 0.0 && off < 1e-5, "{goal:?}");
    }
}

#[test]
fn a_target_ahead_needs_no_rotation_and_one_behind_rotates_about_up() {
    let goal = Aim {
        pivot: Vec3::ZERO,
        forward: Vec3::Z,
        offset: Vec3::ZERO,
        target: Vec3::Z * 3.0,
        up: Vec3::Y,
        keep_up: false,
    };
    assert!(
        solve_aim(&goal, None)
            .rotation
            .angle_between(Quat::IDENTITY)
            < 1e-6
    );
    let mut before = None;
    for x in [0.0, 1e-6, 1e-5, 1e-4, 1e-3] {
        let behind = Aim {
            target: Vec3::new(x, 0.0, -2.0),
            ..goal
        };
        let turn = solve_aim(&behind, None).rotation;
        assert!((turn * Vec3::Y).abs_diff_eq(Vec3::Y, 1e-5), "{turn}");
        let facing = (turn * Vec3::Z).angle_between(behind.target);
        assert!(facing < 1e-3, "{facing}");
        assert!(before.is_none_or(|previous: Quat| previous.angle_between(turn) < 2e-3));
        before = Some(turn);
    }
    // With `keep_up`, a head that looks sideways and up does not roll.
    let level = Aim {
        target: Vec3::new(2.0, 1.5, -0.5),
        keep_up: true,
        ..goal
    };
    let side = solve_aim(&level, None).rotation * Vec3::X;
    assert!(side.y.abs() < 1e-6, "{side}");
    let arc = solve_aim(
        &Aim {
            keep_up: false,
            ..level
        },
        None,
    )
    .rotation
        * Vec3::X;
    assert!(arc.y.abs() > 0.1, "{arc}");
}

#[test]
fn limits_always_hold_and_are_reached_without_a_jump() {
    let mut random = Random(2);
    for _ in 0..20_000 {
        let range =
            |random: &mut Random, most: f32| [-random.share() * most, random.share() * most];
        let limits = AimLimits {
            ahead: Vec3::Z,
            cone: random.share() * PI,
            yaw: range(&mut random, PI),
            pitch: range(&mut random, FRAC_PI_2),
        };
        let direction = random.unit();
        let held = limits.clamp(direction, Vec3::Y);
        assert!(held.is_normalized());
        let within = |v: Vec3, slack: f32| {
            let (yaw, pitch) = (v.x.atan2(v.z), v.y.clamp(-1.0, 1.0).asin());
            let is_in = |v: f32, [low, high]: [f32; 2]| v > low - slack && v < high + slack;
            let is_level = v.y.abs() > 0.9999 || is_in(yaw, limits.yaw);
            v.dot(Vec3::Z) > limits.cone.cos() - slack && is_level && is_in(pitch, limits.pitch)
        };
        assert!(within(held, 2e-3), "{limits:?}: {direction} to {held}");
        if within(direction, -1e-3) {
            assert_eq!(held, direction);
        }
        let goal = Aim {
            offset: Vec3::ZERO,
            forward: Vec3::Z,
            ..aim(&mut random)
        };
        let turn = solve_aim(&goal, Some(&limits)).rotation;
        assert!(within(turn * Vec3::Z, 3e-3));
    }
    let limits = AimLimits {
        cone: 0.5,
        ..AimLimits::none(Vec3::Z)
    };
    let mut before: Option<Quat> = None;
    for i in 0..400 {
        let angle = i as f32 * 5e-3;
        let goal = Aim {
            pivot: Vec3::ZERO,
            forward: Vec3::Z,
            offset: Vec3::new(0.1, 0.05, 0.0),
            target: Vec3::new(angle.sin(), 0.3 * angle, angle.cos()) * 3.0,
            up: Vec3::Y,
            keep_up: false,
        };
        let turn = solve_aim(&goal, Some(&limits)).rotation;
        assert!(
            before.is_none_or(|previous| previous.angle_between(turn) < 0.012),
            "{angle}"
        );
        before = Some(turn);
    }
}

#[test]
fn extreme_aims_are_finite() {
    for v in [f32::NAN, f32::INFINITY, 1e30, 0.0, 1e-30] {
        for part in 0..5 {
            let mut goal = Aim {
                pivot: Vec3::ZERO,
                forward: Vec3::Z,
                offset: Vec3::X * 0.1,
                target: Vec3::ONE,
                up: Vec3::Y,
                keep_up: part % 2 == 0,
            };
            *[
                &mut goal.pivot,
                &mut goal.forward,
                &mut goal.offset,
                &mut goal.target,
                &mut goal.up,
            ][part] = Vec3::splat(v);
            for limits in [
                None,
                Some(AimLimits {
                    cone: 0.2,
                    ..AimLimits::none(Vec3::Z)
                }),
            ] {
                let AimSolution {
                    rotation: turn,
                    angle: off,
                } = solve_aim(&goal, limits.as_ref());
                assert!(turn.is_normalized() && off.is_finite(), "{goal:?}: {turn}");
            }
        }
    }
}

/// Spine, chest, neck and head, each slightly rotated.
fn torso(scale: Vec3, random: &mut Random) -> (Skeleton, Vec<Trs>) {
    let skeleton = skeleton(&[
        (None, Vec3::Y),
        (Some(0), Vec3::Y * 0.2),
        (Some(1), Vec3::Y * 0.2),
        (Some(2), Vec3::new(0.0, 0.2, 0.03)),
        (Some(3), Vec3::new(0.1, 0.1, 0.05)),
    ]);
    let mut locals: Vec<Trs> = skeleton.rest().collect();
    for local in &mut locals {
        local.rotation = Quat::from_scaled_axis(random.vector() * 0.3);
    }
    locals[0].scale = scale;
    (skeleton, locals)
}

const BONES: [(u16, f32); 3] = [(1, 0.25), (2, 0.35), (4, 0.4)];
const SIGHT: AimLine = AimLine {
    offset: Vec3::new(0.05, 0.04, 0.1),
    forward: Vec3::new(0.1, 0.0, 1.0),
};

#[test]
fn a_chain_points_through_the_target_below_any_scales() {
    let mut random = Random(3);
    for scale in [
        Vec3::ONE,
        Vec3::splat(0.01),
        Vec3::new(-1.0, 1.0, 1.0),
        Vec3::new(0.7, 1.4, -1.1),
    ] {
        for i in 0..300 {
            let (skeleton, mut locals) = torso(scale, &mut random);
            let mut model = Vec::new();
            local_to_model(&skeleton, &locals, &mut model);
            let mut posed = Posed::new(&skeleton, &mut locals, &model);
            let far = posed
                .model(0)
                .transform_vector3(random.unit() * (1.0 + random.share()));
            let target = posed.position(4) + far;
            let goal = AimGoal {
                target,
                keep_up: i % 2 == 0,
                ..AimGoal::default()
            };
            let missed = aim_chain(&mut posed, &BONES, &SIGHT, &goal);
            assert!(missed < 3e-4, "{scale}: {missed}");
        }
    }
}

#[test]
fn each_bone_takes_its_fraction_and_weight_blends_the_rotations() {
    let mut random = Random(4);
    let (skeleton, mut locals) = torso(Vec3::ONE, &mut random);
    for local in &mut locals {
        local.rotation = Quat::IDENTITY;
    }
    let mut model = Vec::new();
    local_to_model(&skeleton, &locals, &mut model);
    let straight = AimLine {
        offset: Vec3::ZERO,
        forward: Vec3::Z,
    };
    let at = |weight: f32, bones: &[(u16, f32)]| {
        let mut turned = locals.clone();
        let mut posed = Posed::new(&skeleton, &mut turned, &model);
        let goal = AimGoal {
            target: Vec3::new(1000.0, 1.0, 1000.0),
            weight,
            ..AimGoal::default()
        };
        aim_chain(&mut posed, bones, &straight, &goal);
        (posed.is_changed(), turned)
    };
    let full = at(1.0, &BONES).1;
    let angle = |locals: &[Trs], bone: usize| locals[bone].rotation.to_scaled_axis().y;
    let quarter = std::f32::consts::FRAC_PI_4;
    for (bone, fraction) in BONES {
        let turned = angle(&full, usize::from(bone));
        assert!(
            (turned - quarter * fraction).abs() < 2e-3,
            "{bone}: {turned}"
        );
    }
    let half = at(0.5, &BONES).1;
    assert!((angle(&half, 4) - angle(&full, 4) / 2.0).abs() < 1e-4);
    let (is_changed, none) = at(0.0, &BONES);
    assert!(!is_changed && none == locals);
    let no_share = at(1.0, &[(1, 0.0), (4, 0.0)]).1;
    assert_eq!(no_share[1], locals[1]);
    assert!((angle(&no_share, 4) - quarter).abs() < 1e-3);
    assert!(!at(1.0, &[]).0);
}

#[test]
fn a_chain_stops_at_its_limits_without_a_jump() {
    let mut random = Random(5);
    let (skeleton, locals) = torso(Vec3::ONE, &mut random);
    let mut model = Vec::new();
    local_to_model(&skeleton, &locals, &mut model);
    let limits = AimLimits {
        yaw: [-0.9, 0.7],
        pitch: [-0.3, 0.2],
        ..AimLimits::none(Vec3::Z)
    };
    let mut before: Option<Vec<Trs>> = None;
    for i in 0..300 {
        let angle = i as f32 * 5e-3;
        let mut turned = locals.clone();
        let mut posed = Posed::new(&skeleton, &mut turned, &model);
        let goal = AimGoal {
            target: Vec3::new(angle.sin() * 3.0, 1.7, angle.cos() * 3.0),
            limits: Some(limits),
            ..AimGoal::default()
        };
        aim_chain(&mut posed, &BONES, &SIGHT, &goal);
        let (_, forward) = line(&posed, 4, &SIGHT);
        assert!(forward.x.atan2(forward.z) < 0.7 + 1e-3);
        if let Some(before) = before {
            let jump = before.iter().zip(&turned);
            let jump = jump.map(|(a, b)| a.rotation.angle_between(b.rotation));
            let jump = jump.fold(0.0, f32::max);
            assert!(jump < 0.015, "{angle}: {jump}");
        }
        before = Some(turned);
    }
}
