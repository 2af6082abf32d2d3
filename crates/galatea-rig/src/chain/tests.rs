//! Tests of the chain solver.

use super::*;
use crate::posed::tests::{Random, skeleton};
use galatea_anim::{Skeleton, local_to_model};

/// Two parents, links of 5 to 30 cm, and a tip, randomly curled.
fn rope(n: u16, curl: f32, random: &mut Random) -> (Skeleton, Vec<Trs>) {
    let mut positions = vec![(None, Vec3::Y)];
    for i in 0..=n {
        let length = 0.05 + 0.25 * random.share();
        positions.push((Some(i), Vec3::Y * length));
    }
    let skeleton = skeleton(&positions);
    let mut locals: Vec<Trs> = skeleton.rest().collect();
    for local in &mut locals {
        local.rotation = Quat::from_scaled_axis(random.vector() * curl);
    }
    (skeleton, locals)
}

fn solve(
    chain: &mut Chain,
    skeleton: &Skeleton,
    locals: &mut [Trs],
    goal: &ChainGoal,
) -> (ChainOutcome, Vec3, bool) {
    let mut model = Vec::new();
    local_to_model(skeleton, locals, &mut model);
    let mut posed = Posed::new(skeleton, locals, &model);
    let outcome = chain.solve(&mut posed, goal);
    (outcome, posed.position(chain.tip), posed.is_changed())
}

/// Positions of the links and the tip.
fn positions(skeleton: &Skeleton, locals: &[Trs]) -> Vec<Vec3> {
    let mut model = Vec::new();
    local_to_model(skeleton, locals, &mut model);
    model[1..].iter().map(|m| m.translation.into()).collect()
}

#[test]
fn chains_without_limits_reach_every_target_in_reach() {
    for method in [ChainMethod::Ccd, ChainMethod::Fabrik] {
        let mut random = Random(1);
        let (mut n_missed, mut n, mut sweeps) = (0, 0, 0);
        for round in 0..60 {
            for links in 3..=20 {
                let curl = [0.0, 0.1, 0.5, 1.5][round % 4];
                let (skeleton, mut locals) = rope(links, curl, &mut random);
                let mut chain = Chain::of(&skeleton, 1, links + 1).unwrap();
                assert_eq!(chain.bones().len(), usize::from(links));
                let points = positions(&skeleton, &locals);
                let lengths: Vec<f32> = points.windows(2).map(|p| p[0].distance(p[1])).collect();
                let total: f32 = lengths.iter().sum();
                let longest = lengths.iter().copied().fold(0.0, f32::max);
                let min = (2.0 * longest - total).max(0.0);
                let distance = min + (total - min) * (0.02 + 0.97 * random.share());
                let target = points[0] + random.unit() * distance;
                let goal = ChainGoal {
                    target,
                    method,
                    ..ChainGoal::default()
                };
                let (outcome, tip, _) = solve(&mut chain, &skeleton, &mut locals, &goal);
                let off = tip.distance(target);
                assert!(
                    (off - outcome.target_error).abs() < 2e-5,
                    "{off} {outcome:?}"
                );
                n += 1;
                n_missed += usize::from(off > goal.tolerance + 1e-5);
                sweeps += outcome.iterations;
                let after = positions(&skeleton, &locals);
                for (pair, length) in after.windows(2).zip(&lengths) {
                    assert!((pair[0].distance(pair[1]) - length).abs() < 2e-5);
                }
            }
        }
        assert!(n_missed * 1000 <= n, "{method:?}: {n_missed} of {n}");
        assert!(sweeps < 8 * n as u32, "{method:?}: {sweeps} sweeps for {n}");
    }
}

#[test]
fn a_chain_points_straight_at_a_target_out_of_reach() {
    let mut random = Random(2);
    let (skeleton, mut locals) = rope(7, 1.0, &mut random);
    let mut chain = Chain::of(&skeleton, 1, 8).unwrap();
    let goal = ChainGoal {
        target: Vec3::new(5.0, 9.0, -3.0),
        ..ChainGoal::default()
    };
    let (outcome, _, _) = solve(&mut chain, &skeleton, &mut locals, &goal);
    let points = positions(&skeleton, &locals);
    let direction = (goal.target - points[0]).normalize();
    for point in &points[1..] {
        assert!((point - points[0]).reject_from(direction).length() < 1e-5);
    }
    assert_eq!(outcome.iterations, 0);
    assert!((outcome.target_error - goal.target.distance(points[7])).abs() < 1e-5);
}

#[test]
fn joint_limits_are_never_exceeded() {
    for method in [ChainMethod::Ccd, ChainMethod::Fabrik] {
        let mut random = Random(3);
        let (mut reached, mut n) = (0, 0);
        for _ in 0..40 {
            for links in [3, 5, 9, 14] {
                let (skeleton, mut locals) = rope(links, 0.4, &mut random);
                let mut chain = Chain::of(&skeleton, 1, links + 1).unwrap();
                for i in 0..usize::from(links) {
                    chain.limit(i, 0.3 + random.share(), [-0.2, 0.3]);
                }
                let root = positions(&skeleton, &locals)[0];
                let goal = ChainGoal {
                    target: root + random.vector() * chain.bones().len() as f32 * 0.12,
                    method,
                    ..ChainGoal::default()
                };
                let (outcome, tip, _) = solve(&mut chain, &skeleton, &mut locals, &goal);
                assert!((tip.distance(goal.target) - outcome.target_error).abs() < 2e-5);
                for (link, local) in chain.bones().iter().zip(&locals[1..]) {
                    let rotation = link.rest.conjugate() * local.rotation;
                    let excess = link.limit.unwrap().excess(rotation);
                    assert!(excess < 1e-3, "{method:?}: {excess}");
                }
                n += 1;
                reached += usize::from(outcome.target_error < 1e-3);
            }
        }
        assert!(reached * 2 > n, "{method:?}: {reached} of {n}");
    }
}

#[test]
fn scales_weights_and_the_tip_rotation_are_respected() {
    let mut random = Random(4);
    for (scale, exact) in [
        (Vec3::splat(30.0), 1e-5),
        (Vec3::new(-0.5, 0.5, 0.5), 1e-5),
        (Vec3::new(0.6, 1.5, 1.0), 1e-5),
    ] {
        for method in [ChainMethod::Ccd, ChainMethod::Fabrik] {
            let (skeleton, mut locals) = rope(6, 0.5, &mut random);
            (locals[0].scale, locals[3].scale) = (scale, Vec3::splat(1.5));
            let before = locals.clone();
            let mut chain = Chain::of(&skeleton, 1, 7).unwrap();
            let points = positions(&skeleton, &locals);
            let size = scale.abs().max_element();
            let rotation = Quat::from_rotation_z(1.0);
            let goal = ChainGoal {
                target: points[0] + random.unit() * 0.4 * scale.abs().min_element(),
                rotation: Some(rotation),
                method,
                tolerance: exact * size,
                ..ChainGoal::default()
            };
            let none = ChainGoal {
                weight: 0.0,
                ..goal
            };
            let (_, _, is_changed) = solve(&mut chain, &skeleton, &mut locals, &none);
            assert!(!is_changed && locals == before);
            let (outcome, tip, _) = solve(&mut chain, &skeleton, &mut locals, &goal);
            assert!(
                tip.distance(goal.target) < 2.0 * exact * size,
                "{scale} {outcome:?}"
            );
            if scale.y == scale.z {
                let mut model = Vec::new();
                local_to_model(&skeleton, &locals, &mut model);
                let turned = Trs::nearest(model[7]).rotation.angle_between(rotation);
                assert!(turned < 2e-3, "{scale}: {turned}");
            }
            let mut half = before.clone();
            solve(
                &mut chain,
                &skeleton,
                &mut half,
                &ChainGoal {
                    weight: 0.5,
                    ..goal
                },
            );
            let blended = before[2].rotation.slerp(locals[2].rotation, 0.5);
            assert!(half[2].rotation.angle_between(blended) < 1e-3);
        }
    }
}

#[test]
fn the_tip_bone_stays_where_the_root_can_reach() {
    let mut random = Random(5);
    let (skeleton, mut locals) = rope(4, 0.3, &mut random);
    let before = locals.clone();
    let mut chain = Chain::of(&skeleton, 1, 5).unwrap();
    let points = positions(&skeleton, &locals);
    let target = points[0] + Quat::from_rotation_x(0.8) * (points[4] - points[0]);
    let goal = ChainGoal {
        target,
        ..ChainGoal::default()
    };
    solve(&mut chain, &skeleton, &mut locals, &goal);
    for bone in 2..=5 {
        assert!(locals[bone].rotation.angle_between(before[bone].rotation) < 1e-3);
    }
    // A stiff bone rotates less than the others.
    let turned = |give: f32| {
        let mut locals = before.clone();
        let mut chain = Chain::of(&skeleton, 1, 5).unwrap();
        chain.bones_mut()[0].flexibility = give;
        let goal = ChainGoal {
            target: points[0] + Vec3::new(0.2, 0.1, 0.2),
            ..goal
        };
        let (outcome, _, _) = solve(&mut chain, &skeleton, &mut locals, &goal);
        assert!(outcome.target_error < 2e-4, "{outcome:?}");
        locals[1].rotation.angle_between(before[1].rotation)
    };
    assert!(turned(0.05) < turned(1.0));
}

#[test]
fn non_finite_input_gives_finite_output() {
    let mut random = Random(6);
    for method in [ChainMethod::Ccd, ChainMethod::Fabrik] {
        for target in [
            Vec3::splat(f32::NAN),
            Vec3::splat(f32::INFINITY),
            Vec3::splat(1e30),
            Vec3::Y,
            Vec3::Y * 1.2,
            Vec3::ZERO,
        ] {
            for none in [None, Some(2), Some(4)] {
                for scale in [1.0, 0.0] {
                    let (skeleton, mut locals) = rope(5, 0.0, &mut random);
                    if let Some(bone) = none {
                        locals[bone].translation = Vec3::ZERO;
                        locals[bone + 1].translation = Vec3::ZERO;
                    }
                    locals[3].scale = Vec3::splat(scale);
                    let mut chain = Chain::of(&skeleton, 1, 6).unwrap();
                    let goal = ChainGoal {
                        target,
                        method,
                        ..ChainGoal::default()
                    };
                    let (outcome, _, _) = solve(&mut chain, &skeleton, &mut locals, &goal);
                    assert!(locals.iter().all(|local| local.is_finite()));
                    assert!(outcome.target_error.is_finite(), "{target} {outcome:?}");
                }
            }
        }
    }
    let (skeleton, _) = rope(5, 0.0, &mut random);
    assert!(Chain::of(&skeleton, 6, 1).is_none());
    assert!(Chain::of(&skeleton, 3, 3).is_none());
}
