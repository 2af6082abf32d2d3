//! Tests of lanes of every SIMD width against single goals.

use super::*;
use crate::posed::tests::Random;
use crate::two_bone::solve_two_bone;
use galatea_math::simd::PinnedHash;
use glam::Vec3;

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
fn limbs_in_lanes_reach_the_same_positions_as_single_limbs() {
    let mut random = Random(3);
    for n in (1..=GOALS).cycle().take(200) {
        let goals: Vec<TwoBone> = (0..n).map(|i| limb(&mut random, i)).collect();
        let mut few = Few::default();
        for (lane, goal) in goals.iter().enumerate() {
            few.put(lane, goal);
        }
        for level in levels() {
            let solutions = few.solve_at(level);
            for (lane, goal) in goals.iter().enumerate() {
                let (fast, plain) = (solutions.get(lane), solve_two_bone(goal));
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
            for lane in n..GOALS {
                let empty = solutions.get(lane);
                assert_eq!((empty.root, empty.mid), (Quat::IDENTITY, Quat::IDENTITY));
            }
        }
    }
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
    let pinned = PinnedHash {
        scalar: Some(0x707b_4c20_2219_af2a),
        sse2: 0x707b_4c20_2219_af2a,
        fused: 0x2b43_ea67_29c0_9008,
    };
    pinned.check(|level| {
        let mut reached = vec![TwoBoneSolutionGroup::default(); limbs.len()];
        solve_two_bones(level, &limbs, &mut reached);
        let mut rows: Vec<Lanes> = Vec::new();
        for turns in reached {
            rows.extend(turns.root.iter().chain(&turns.mid));
            rows.push(turns.target_error);
        }
        rows.into_flattened()
    });
}
