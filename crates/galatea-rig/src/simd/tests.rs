//! Tests of batches of every SIMD width against single goals.

use super::*;
use crate::aim::solve_aim;
use crate::posed::tests::Random;
use crate::two_bone::solve_two_bone;
use galatea_math::simd::PinnedHash;

const SIZES: [usize; 5] = [0, 1, 7, 8, 1003];

fn levels() -> impl Iterator<Item = Level> {
    let best = Level::best();
    Level::ALL.into_iter().filter(move |level| *level <= best)
}

fn limb(random: &mut Random, i: usize) -> TwoBone {
    let root = random.vector();
    let mid = root + random.unit() * (0.1 + random.share());
    let end = mid + random.unit() * (0.1 + random.share());
    TwoBone {
        root,
        mid,
        end,
        target: root + random.vector() * 1.5,
        pole: if i.is_multiple_of(3) {
            Vec3::ZERO
        } else {
            random.unit()
        },
        hinge: random.unit(),
        min_angle: 0.2,
        max_angle: 3.0,
        softness: 0.05 * (i % 2) as f32,
    }
}

/// Positions of end and middle after the rotations.
fn ends(goal: &TwoBone, turns: &TwoBoneSolution) -> [Vec3; 2] {
    let end = goal.mid + turns.mid * (goal.end - goal.mid);
    [end, goal.mid].map(|p| goal.root + turns.root * (p - goal.root))
}

#[test]
fn limbs_in_a_batch_reach_the_same_positions_as_single_limbs() {
    for n in SIZES {
        let mut random = Random(n as u64);
        let mut batch = TwoBoneBatch::default();
        let goals: Vec<TwoBone> = (0..n).map(|i| limb(&mut random, i)).collect();
        for (i, goal) in goals.iter().enumerate() {
            assert_eq!(batch.push(goal), i);
        }
        assert_eq!((batch.len(), batch.is_empty()), (n, n == 0));
        for level in levels() {
            batch.solve_at(level);
            for (i, goal) in goals.iter().enumerate() {
                let (fast, plain) = (batch.solution(i).unwrap(), solve_two_bone(goal));
                if level <= Level::Sse2 {
                    assert_eq!(fast, plain, "{level:?} {goal:?}");
                }
                assert!(
                    (fast.target_error - plain.target_error).abs() < 2e-6,
                    "{level:?} {goal:?}"
                );
                let near = ends(goal, &fast)[0].distance(ends(goal, &plain)[0]);
                assert!(near < 1e-5, "{level:?} {goal:?}: {near}");
            }
            assert!(batch.solution(n.next_multiple_of(GOALS)).is_none());
        }
        batch.clear();
        assert!(batch.is_empty());
    }
}

#[test]
fn aims_in_a_batch_equal_single_aims() {
    let cone = 1.2;
    for n in SIZES {
        let mut random = Random(n as u64);
        let mut batch = AimBatch::default();
        let goals: Vec<Aim> = (0..n)
            .map(|i| Aim {
                pivot: random.vector(),
                forward: random.unit(),
                offset: random.vector() * 0.1,
                target: random.vector() * 4.0,
                up: Vec3::Y,
                keep_up: i % 2 == 0,
            })
            .collect();
        for goal in &goals {
            batch.push(goal, cone);
        }
        for level in levels() {
            batch.solve_at(level);
            for (i, goal) in goals.iter().enumerate() {
                let (fast, plain) = (batch.solution(i).unwrap(), aim(goal, cone));
                if level <= Level::Sse2 {
                    assert_eq!(fast, plain, "{level:?} {goal:?}");
                }
                let apart = (fast.rotation * goal.forward).distance(plain.rotation * goal.forward);
                assert!(apart < 1e-5, "{level:?} {goal:?}: {apart}");
                assert!(plain.rotation.angle_between(Quat::IDENTITY) < 3.2);
            }
        }
    }
    let goal = Aim {
        pivot: Vec3::ZERO,
        forward: Vec3::Z,
        offset: Vec3::ZERO,
        target: Vec3::X,
        up: Vec3::Y,
        keep_up: false,
    };
    let mut batch = AimBatch::default();
    batch.push(&goal, cone);
    batch.solve();
    let held = batch.solution(0).unwrap();
    assert!((held.rotation * Vec3::Z).angle_between(Vec3::Z) - cone < 1e-5);
    assert!((held.angle - (std::f32::consts::FRAC_PI_2 - cone)).abs() < 1e-5);
    batch.set_target(0, Vec3::Z * 2.0);
    batch.solve();
    assert_eq!(
        batch.solution(0),
        Some(solve_aim(
            &Aim {
                target: Vec3::Z * 2.0,
                ..goal
            },
            None
        ))
    );
}

#[test]
fn targets_can_move_and_empty_lanes_do_nothing() {
    let mut random = Random(5);
    let goal = limb(&mut random, 1);
    let mut batch = TwoBoneBatch::default();
    batch.push(&goal);
    let moved = TwoBone {
        target: goal.root + Vec3::X * 0.3,
        ..goal
    };
    batch.set_target(0, moved.target);
    batch.set_target(99, moved.target);
    batch.solve_at(Level::Scalar);
    assert_eq!(batch.solution(0), Some(solve_two_bone(&moved)));
    let empty = batch.solution(1).unwrap();
    assert_eq!((empty.root, empty.mid), (Quat::IDENTITY, Quat::IDENTITY));
}

#[test]
fn every_level_gives_the_same_bits_on_every_processor() {
    let mut random = Random(8);
    let mut rows = || std::array::from_fn(|_| std::array::from_fn(|_| random.share() * 2.0 - 1.0));
    let limbs: Vec<TwoBoneGroup> = (0..100)
        .map(|_| TwoBoneGroup {
            root: rows(),
            mid: rows(),
            end: rows(),
            target: rows(),
            pole: rows(),
            hinge: rows(),
            min_angle: [0.01; 8],
            max_angle: [0.97; 8],
            softness: [0.05; 8],
        })
        .collect();
    let aims: Vec<AimGroup> = (0..100)
        .map(|_| AimGroup {
            pivot: rows(),
            forward: rows(),
            offset: rows(),
            target: rows(),
            up: rows(),
            cone: [[0.5; 8], [0.866; 8]],
            upright: [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
        })
        .collect();
    let pinned = PinnedHash {
        scalar: Some(0xd386_f514_7743_ea38),
        sse2: 0xd386_f514_7743_ea38,
        fused: 0x7680_bc90_a4af_6fdd,
    };
    pinned.check(|level| {
        let mut reached = vec![TwoBoneSolutionGroup::default(); limbs.len()];
        solve_two_bones(level, &limbs, &mut reached);
        let mut aimed = vec![AimSolutionGroup::default(); aims.len()];
        solve_aims(level, &aims, &mut aimed);
        let mut rows: Vec<Lanes> = Vec::new();
        for turns in reached {
            rows.extend(turns.root.iter().chain(&turns.mid));
            rows.push(turns.target_error);
        }
        for turns in aimed {
            rows.extend(turns.turn);
            rows.push(turns.chord);
        }
        rows.into_flattened()
    });
}
