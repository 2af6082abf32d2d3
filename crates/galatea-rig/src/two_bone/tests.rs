//! Tests of single limbs and of limbs in poses.

use super::*;
use crate::posed::tests::{Random, skeleton};
use galatea_anim::{Bone, local_to_model};

fn limb(random: &mut Random) -> TwoBone {
    let root = random.vector() * 2.0;
    let length = |random: &mut Random| 0.05 + random.share() * 0.95;
    let (a, b) = (length(random), length(random));
    let mid = root + random.unit() * a;
    let end = mid + random.unit() * b;
    TwoBone {
        root,
        mid,
        end,
        target: root + random.unit() * (a + b) * random.share() * 1.3,
        pole: if random.share() < 0.5 {
            random.unit()
        } else {
            Vec3::ZERO
        },
        hinge: random.unit(),
        min_angle: random.share(),
        max_angle: PI - random.share(),
        softness: 0.0,
    }
}

/// Positions of middle and end after the rotations.
fn solved(goal: &TwoBone, turns: &TwoBoneSolution) -> (Vec3, Vec3) {
    let end = goal.mid + turns.mid * (goal.end - goal.mid);
    let position = |p: Vec3| goal.root + turns.root * (p - goal.root);
    (position(goal.mid), position(end))
}

fn inner_angle(root: Vec3, mid: Vec3, end: Vec3) -> f32 {
    let (u, v) = ((root - mid).normalize(), (end - mid).normalize());
    2.0 * (u.distance(v) / 2.0).min(1.0).asin()
}

#[test]
fn a_limb_reaches_within_its_limits_and_never_stretches() {
    let mut random = Random(7);
    let n = 60_000;
    let mut reached = 0;
    for i in 0..n {
        let mut goal = limb(&mut random);
        if i % 2 == 0 {
            (goal.min_angle, goal.max_angle) = (0.0, PI);
        }
        let turns = solve_two_bone(&goal);
        let (mid, end) = solved(&goal, &turns);
        let (a, b) = (goal.root.distance(goal.mid), goal.mid.distance(goal.end));
        assert!((mid.distance(goal.root) - a).abs() < 2e-6, "{goal:?}");
        assert!((end.distance(mid) - b).abs() < 3e-6, "{goal:?}");
        let angle = inner_angle(goal.root, mid, end);
        let range = goal.min_angle - 1e-3..goal.max_angle + 1e-3;
        assert!(range.contains(&angle), "{goal:?}: {angle}");
        let missed = end.distance(goal.target);
        assert!(
            (missed - turns.target_error).abs() < 1e-5,
            "{goal:?}: {missed}"
        );
        let side = |angle: f32| (a * a + b * b - 2.0 * a * b * angle.cos()).max(0.0).sqrt();
        let distance = goal.target.distance(goal.root);
        let range = side(goal.min_angle)..side(goal.max_angle);
        if range.contains(&distance) {
            reached += 1;
            assert!(missed < 1e-5, "{goal:?}: {missed}");
        } else if distance > range.start {
            let direction = (goal.target - goal.root).normalize();
            let aside = (end - goal.root).reject_from(direction).length();
            assert!(aside < 1e-5, "{goal:?}: {aside}");
            assert!((end.distance(goal.root) - range.end).abs() < 1e-5);
        }
        assert!(turns.root.is_normalized() && turns.mid.is_normalized());
    }
    assert!(reached > n / 3, "{reached}");
}

#[test]
fn the_middle_points_to_the_pole_or_stays_on_its_side() {
    let mut random = Random(8);
    for _ in 0..5000 {
        let goal = TwoBone {
            pole: random.unit(),
            ..limb(&mut random)
        };
        let (mid, _) = solved(&goal, &solve_two_bone(&goal));
        let direction = (goal.target - goal.root).normalize();
        let side = (mid - goal.root).reject_from(direction);
        let pole = goal.pole.reject_from(direction);
        if side.length() > 0.01 && pole.length() > 0.01 {
            assert!(side.angle_between(pole) < 2e-3, "{goal:?}");
        }
    }
    // A reached target needs no rotation.
    for _ in 0..1000 {
        let goal = limb(&mut random);
        let (a, b) = (goal.root - goal.mid, goal.end - goal.mid);
        if a.angle_between(b) < goal.min_angle
            || !(0.2..goal.max_angle.min(3.0)).contains(&a.angle_between(b))
        {
            continue;
        }
        let reached_goal = TwoBone {
            target: goal.end,
            pole: Vec3::ZERO,
            ..goal
        };
        let turns = solve_two_bone(&reached_goal);
        let max = turns.root.to_scaled_axis().length() + turns.mid.to_scaled_axis().length();
        assert!(max < 2e-4, "{reached_goal:?}: {turns:?}");
    }
    // A straight arm with an elbow that bends about +X: it closes forwards.
    let arm = TwoBone {
        mid: Vec3::NEG_Y,
        end: Vec3::NEG_Y * 2.0,
        target: Vec3::NEG_Y * 1.5,
        hinge: Vec3::X,
        ..TwoBone::default()
    };
    let turns = solve_two_bone(&arm);
    let (mid, end) = solved(&arm, &turns);
    assert!(turns.mid.to_scaled_axis().x > 1.0, "{turns:?}");
    assert!(end.abs_diff_eq(arm.target, 1e-6) && mid.z > 0.5, "{mid}");
    let lower = turns.mid * Vec3::NEG_Y;
    assert!(lower.z < -0.5, "{lower}");
    // Moved to a new target, a bent limb keeps its bend plane along the shortest arc.
    let bent = TwoBone {
        mid: Vec3::new(0.0, -1.0, 0.5),
        end: Vec3::NEG_Y * 2.0,
        target: Vec3::NEG_Z * 1.8,
        ..arm
    };
    let (mid, _) = solved(&bent, &solve_two_bone(&bent));
    assert!(mid.x.abs() < 1e-5 && mid.y < -0.3, "{mid}");
}

#[test]
fn soft_reach_slows_down_before_full_stretch() {
    let arm = |at: f32| TwoBone {
        mid: Vec3::new(0.5, 0.1, 0.0),
        end: Vec3::X,
        target: Vec3::X * at,
        softness: 0.1,
        ..TwoBone::default()
    };
    let full = 2.0 * Vec3::new(0.5, 0.1, 0.0).length();
    let reached = |at: f32| {
        let goal = arm(at);
        solved(&goal, &solve_two_bone(&goal)).1.x
    };
    let begins = full * 0.9;
    assert!((reached(begins - 0.01) - begins + 0.01).abs() < 1e-6);
    let mut before = reached(begins);
    let mut speed = 1.0;
    for i in 1..400 {
        let at = reached(begins + i as f32 * 1e-3);
        let now = (at - before) / 1e-3;
        assert!(now > 0.0 && now < speed + 2e-3, "{i}: {now} after {speed}");
        (before, speed) = (at, now);
    }
    assert!(before < full && before > full * 0.98);
}

#[test]
fn extreme_goals_give_finite_rotations() {
    let bad = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        1e30,
        1e-30,
        0.0,
        -0.0,
    ];
    let straight = TwoBone {
        mid: Vec3::Y,
        end: Vec3::Y * 2.0,
        target: Vec3::Y * 1.5,
        pole: Vec3::Y,
        hinge: Vec3::ZERO,
        min_angle: 0.0,
        ..TwoBone::default()
    };
    let mut goals = vec![
        straight,
        TwoBone::default(),
        TwoBone {
            end: Vec3::ZERO,
            ..straight
        },
        TwoBone {
            end: Vec3::Y,
            ..straight
        },
        TwoBone {
            mid: Vec3::ZERO,
            ..straight
        },
        TwoBone {
            mid: Vec3::ZERO,
            end: Vec3::ZERO,
            ..straight
        },
        TwoBone {
            target: Vec3::ZERO,
            ..straight
        },
        TwoBone {
            target: Vec3::NEG_Y,
            ..straight
        },
        TwoBone {
            target: Vec3::NEG_Y * 2.0,
            hinge: Vec3::Y,
            ..straight
        },
        TwoBone {
            end: Vec3::ZERO,
            target: Vec3::ZERO,
            ..straight
        },
        TwoBone {
            min_angle: 2.0,
            max_angle: 1.0,
            ..straight
        },
        TwoBone {
            min_angle: f32::NAN,
            max_angle: f32::NAN,
            softness: f32::NAN,
            ..straight
        },
    ];
    for v in bad {
        for axis in 0..3 {
            let mut at = Vec3::new(0.3, 0.2, 0.1);
            at[axis] = v;
            goals.push(TwoBone {
                root: at,
                ..straight
            });
            goals.push(TwoBone {
                mid: at,
                ..straight
            });
            goals.push(TwoBone {
                end: at,
                ..straight
            });
            goals.push(TwoBone {
                target: at,
                ..straight
            });
            goals.push(TwoBone {
                pole: at,
                ..straight
            });
            goals.push(TwoBone {
                hinge: at,
                ..straight
            });
        }
    }
    for goal in goals {
        let turns = solve_two_bone(&goal);
        assert!(
            turns.root.is_normalized() && turns.mid.is_normalized(),
            "{goal:?}: {turns:?}"
        );
        assert!(turns.target_error.is_finite(), "{goal:?}");
        let given = [
            goal.root,
            goal.mid,
            goal.end,
            goal.target,
            goal.pole,
            goal.hinge,
        ];
        if given.iter().any(|v| !v.is_finite()) {
            assert_eq!([turns.root, turns.mid], [Quat::IDENTITY; 2], "{goal:?}");
        }
    }
}

#[test]
fn small_target_moves_give_small_limb_moves() {
    let mut random = Random(9);
    let mut compared = 0;
    for _ in 0..2000 {
        let mut goal = limb(&mut random);
        // Smooth ranges: a fully stretched limb moves by the square root of half a step.
        (goal.min_angle, goal.max_angle, goal.softness) = (0.3, 3.0, 0.2);
        let by = random.unit() * 1e-4;
        let moved = TwoBone {
            target: goal.target + by,
            ..goal
        };
        let to = goal.target - goal.root;
        let line = (goal.end - goal.root).normalize();
        let is_behind = goal.pole == Vec3::ZERO && line.dot(to.normalize()) < -0.9;
        let is_along = goal.pole.dot(to.normalize()).abs() > 0.9;
        if to.length() < 0.2 || is_behind || is_along {
            continue;
        }
        compared += 1;
        let (a, b) = (solve_two_bone(&goal), solve_two_bone(&moved));
        let turned = [(a.root, b.root), (a.mid, b.mid)].map(|(a, b)| a.angle_between(b));
        assert!(
            turned.into_iter().all(|angle| angle < 0.02),
            "{goal:?}: {turned:?}"
        );
    }
    assert!(compared > 800, "{compared}");
}

/// A body of rotated and scaled bones: two parents, upper, twist, lower, another, end, and one below.
fn body(scales: [Vec3; 4], random: &mut Random) -> (Skeleton, Vec<Trs>) {
    let mut positions = vec![(None, Vec3::Y)];
    for i in 1..8_u16 {
        positions.push((Some(i - 1), random.unit() * 0.3));
    }
    let skeleton = skeleton(&positions);
    let mut locals: Vec<Trs> = skeleton.rest().collect();
    for local in &mut locals {
        local.rotation = random.rotation();
    }
    for (bone, scale) in [0, 1, 2, 4].into_iter().zip(scales) {
        locals[bone].scale = scale;
    }
    (skeleton, locals)
}

const LIMB: Limb = Limb {
    upper: 2,
    lower: 4,
    end: 6,
    hinge: Vec3::X,
    min_angle: 0.0,
    max_angle: PI,
    cone: None,
};

#[test]
fn a_limb_of_a_pose_reaches_below_any_scales() {
    let one = Vec3::ONE;
    let uneven = Vec3::new(0.6, 1.7, 1.1);
    let cases = [
        ([one; 4], 0.9, 2e-5),
        ([one * 100.0, one * 0.03, one, one], 0.9, 1e-4),
        ([Vec3::new(-1.0, 1.0, 1.0), one, one, one], 0.9, 2e-5),
        ([uneven, Vec3::new(1.3, -0.8, 0.9), one, one], 0.9, 5e-5),
        ([-one, uneven, one * 2.0, one * 0.7], 0.9, 5e-5),
        // Such bones change their length as they rotate, so targets near the ends of the range may be out of reach.
        (
            [
                one,
                one,
                Vec3::new(1.1, 0.9, 1.0),
                Vec3::new(0.9, 1.0, 1.15),
            ],
            0.3,
            1e-4,
        ),
    ];
    let is_even = |scale: &Vec3| scale.abs().max_element() - scale.abs().min_element() < 1e-6;
    let mut random = Random(11);
    let mut n_missed = 0;
    for (scales, spread, exact) in cases {
        for i in 0..200 {
            let (skeleton, mut locals) = body(scales, &mut random);
            let mut model = Vec::new();
            local_to_model(&skeleton, &locals, &mut model);
            let mut posed = Posed::new(&skeleton, &mut locals, &model);
            let space = posed.parent_model(2);
            let inwards = space.inverse();
            let [root, mid, end] =
                [2, 4, 6].map(|bone| inwards.transform_point3(posed.position(bone)));
            let (a, b) = (root.distance(mid), mid.distance(end));
            let stretch = 0.5 + (random.share() - 0.5) * spread;
            let distance = (a - b).abs() + (a + b - (a - b).abs()) * stretch;
            let target = space.transform_point3(root + random.unit() * distance);
            let rotation = random.rotation();
            let goal = ReachGoal {
                target,
                rotation: Some(rotation),
                pole: (i % 2 == 0).then(|| random.unit()),
                ..ReachGoal::default()
            };
            let size = space.transform_vector3(Vec3::X * (a + b)).length();
            let missed = reach(&mut posed, &LIMB, &goal);
            let off = posed.position(6).distance(target);
            // Limbs with unevenly scaled bones may miss.
            let is_rigid = scales[2..].iter().all(is_even);
            assert!(
                off < exact * size || !is_rigid,
                "{scales:?}: {off} of {size}"
            );
            n_missed += usize::from(off > exact * size);
            assert!((off - missed).abs() < 1e-5 * size + 1e-6, "{off} {missed}");
            if scales.iter().all(is_even) {
                let turned = posed.rotation(6).angle_between(rotation);
                assert!(turned < 2e-3, "{scales:?}: {turned}");
            }
        }
    }
    assert!(n_missed < 10, "{n_missed}");
}

#[test]
fn an_offset_of_the_end_bone_reaches_with_or_without_a_rotation() {
    let mut random = Random(23);
    for i in 0..200 {
        let (skeleton, mut locals) = body([Vec3::ONE; 4], &mut random);
        let mut model = Vec::new();
        local_to_model(&skeleton, &locals, &mut model);
        let mut posed = Posed::new(&skeleton, &mut locals, &model);
        let [root, mid, end] = [2, 4, 6].map(|bone| posed.position(bone));
        let (a, b) = (root.distance(mid), mid.distance(end));
        let offset = random.unit() * (0.1 * b.min(a));
        let distance = (a - b).abs() + (a + b - (a - b).abs()) * 0.5;
        let goal = ReachGoal {
            target: root + random.unit() * distance,
            offset,
            rotation: (i % 2 == 0).then(|| random.rotation()),
            ..ReachGoal::default()
        };
        let missed = reach(&mut posed, &LIMB, &goal);
        let off = posed
            .model(6)
            .transform_point3(offset)
            .distance(goal.target);
        assert!(
            off < 1e-4 * (a + b) && missed < 1e-4 * (a + b),
            "{i}: {off} {missed}"
        );
    }
}

#[test]
fn weight_blends_rotations_and_zero_changes_no_bit() {
    let mut random = Random(12);
    let (skeleton, locals) = body([Vec3::ONE; 4], &mut random);
    let mut model = Vec::new();
    local_to_model(&skeleton, &locals, &mut model);
    let goal = |weight: f32| ReachGoal {
        target: Vec3::from(
            model[2].translation
                + Affine3A::from_rotation_x(0.7)
                    .transform_vector3a(model[6].translation - model[2].translation)
                    * 0.97,
        ),
        rotation: Some(Quat::from_rotation_x(0.4)),
        weight,
        ..ReachGoal::default()
    };
    let at = |weight: f32| {
        let mut turned = locals.clone();
        let mut posed = Posed::new(&skeleton, &mut turned, &model);
        let missed = reach(&mut posed, &LIMB, &goal(weight));
        (posed.is_changed(), missed, turned)
    };
    let (is_changed, missed, turned) = at(0.0);
    assert!(!is_changed && turned == locals && missed < 1e-5);
    assert_eq!(at(f32::NAN).2, locals);
    let (full, half) = (at(1.0).2, at(0.5).2);
    for bone in [2, 4, 6] {
        let (previous, to) = (locals[bone].rotation, full[bone].rotation);
        assert!(previous.slerp(to, 0.5).angle_between(half[bone].rotation) < 1e-3);
        assert!(previous.angle_between(to) > 0.01);
    }
    assert_eq!(at(1.0).2, at(2.0).2);
}

#[test]
fn the_hinge_comes_from_the_rest_bend_or_from_the_given_side() {
    let leg = |knee: Vec3| {
        let positions = [
            (None, Vec3::Y),
            (Some(0), knee),
            (Some(1), Vec3::NEG_Y * 0.5),
        ];
        let mut bones: Vec<Bone> = skeleton(&positions).bones().to_vec();
        bones[0].rest.rotation = Quat::from_rotation_y(1.0);
        bones[0].rest.scale = Vec3::new(-1.0, 1.0, 1.0);
        Skeleton::new(bones).unwrap()
    };
    for knee in [Vec3::NEG_Y * 0.5, Vec3::new(0.0, -0.5, 0.3)] {
        let skeleton = leg(knee);
        let forward = Quat::from_rotation_y(1.0) * Vec3::Z;
        let limb = Limb::of(&skeleton, 0, 1, 2, forward).unwrap();
        let mut locals: Vec<Trs> = skeleton.rest().collect();
        let mut model = Vec::new();
        local_to_model(&skeleton, &locals, &mut model);
        let mut posed = Posed::new(&skeleton, &mut locals, &model);
        let target = Vec3::Y * 0.3;
        let goal = ReachGoal {
            target,
            ..ReachGoal::default()
        };
        assert!(reach(&mut posed, &limb, &goal) < 1e-5);
        let mid = posed.position(1);
        assert!(
            mid.dot(forward) > 0.2 && mid.cross(forward).dot(Vec3::Y).abs() < 1e-4,
            "{mid}"
        );
    }
    assert!(Limb::of(&leg(Vec3::NEG_Y), 0, 2, 1, Vec3::Z).is_none());
    assert!(Limb::of(&leg(Vec3::NEG_Y), 0, 1, 9, Vec3::Z).is_none());
}

#[test]
fn an_upper_bone_stays_in_its_cone_and_swivels_before_it_misses() {
    let mut random = Random(13);
    let (mut missed_far, mut swivelled) = (0, 0);
    for _ in 0..2000 {
        let (skeleton, mut locals) = body([Vec3::ONE; 4], &mut random);
        let mut model = Vec::new();
        local_to_model(&skeleton, &locals, &mut model);
        let mut posed = Posed::new(&skeleton, &mut locals, &model);
        let inwards = posed.parent_model(2).inverse();
        let upper_direction = |posed: &Posed| {
            inwards
                .transform_vector3(posed.position(4) - posed.position(2))
                .normalize()
        };
        let cone = Cone {
            axis: upper_direction(&posed),
            half: 0.6,
        };
        let limb = Limb {
            cone: Some(cone),
            ..LIMB
        };
        let target = posed.position(6) + random.vector() * 0.3;
        let free = {
            let mut locals: Vec<Trs> = (0..8).map(|bone| posed.local(bone)).collect();
            let mut other = Posed::new(&skeleton, &mut locals, &model);
            let goal = ReachGoal {
                target,
                ..ReachGoal::default()
            };
            let missed = reach(&mut other, &LIMB, &goal);
            (upper_direction(&other).angle_between(cone.axis), missed)
        };
        let goal = ReachGoal {
            target,
            ..ReachGoal::default()
        };
        let missed = reach(&mut posed, &limb, &goal);
        let angle = upper_direction(&posed).angle_between(cone.axis);
        assert!(angle < cone.half + 2e-3, "{angle}");
        if free.0 > cone.half + 0.01 && free.1 < 1e-5 {
            if missed < 1e-4 {
                swivelled += 1;
            } else {
                missed_far += 1;
            }
        }
        assert!((posed.position(6).distance(target) - missed).abs() < 1e-5);
    }
    assert!(
        swivelled > 50 && missed_far > 20,
        "{swivelled} {missed_far}"
    );
}

#[test]
fn limbs_solved_together_equal_limbs_solved_alone() {
    let mut random = Random(31);
    let mut bones = vec![(None, Vec3::ZERO)];
    // More limbs than fit into a SIMD group.
    for joint in 0..3 * 19 {
        let above = if joint % 3 == 0 { 0 } else { joint };
        let at = random.unit() * (0.2 + random.share());
        bones.push((Some(above), at));
    }
    let skeleton = skeleton(&bones);
    let goals: Vec<(Limb, ReachGoal)> = (0..19_u16)
        .map(|i| {
            let first = 1 + 3 * i;
            let limb = Limb::of(&skeleton, first, first + 1, first + 2, Vec3::Z).unwrap();
            let goal = ReachGoal {
                target: random.vector(),
                rotation: (i % 2 == 0).then(|| Quat::from_axis_angle(random.unit(), 1.0)),
                weight: if i % 3 == 0 { 0.4 } else { 1.0 },
                ..ReachGoal::default()
            };
            (limb, goal)
        })
        .collect();
    let rest: Vec<Trs> = skeleton.rest().collect();
    let mut model = Vec::new();
    local_to_model(&skeleton, &rest, &mut model);
    let (mut alone, mut together) = (rest.clone(), rest);
    let mut posed = Posed::new(&skeleton, &mut alone, &model);
    for (limb, goal) in &goals {
        reach(&mut posed, limb, goal);
    }
    let mut posed = Posed::new(&skeleton, &mut together, &model);
    let mut ends = vec![Affine3A::ZERO; goals.len()];
    let all = goals.iter().map(|(limb, goal)| (limb, *goal));
    reach_together(&mut posed, all, |i, end| ends[i] = end);
    for ((limb, _), end) in goals.iter().zip(ends) {
        assert!(end.abs_diff_eq(posed.model(limb.end), 1e-4));
    }
    for (a, b) in alone.iter().zip(&together) {
        assert!(a.rotation.angle_between(b.rotation) < 2e-3, "{a:?} {b:?}");
    }
}
