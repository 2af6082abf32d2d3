//! Inverse kinematics as the simulation calls it: limbs, aims, chains and feet, and their accuracy.

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::person::Random;
use super::{BenchFigure, Benchmark, measure};
use galatea_anim::{Bone, Skeleton, local_to_model};
use galatea_character::Definition;
use galatea_math::Trs;
use galatea_rig::Posed;
use galatea_rig::aim::{Aim, solve_aim};
use galatea_rig::chain::{Chain, ChainGoal, ChainMethod};
use galatea_rig::foot_ik::{
    FootIk, FootIkInput, FootIkSettings, GroundHit, GroundQuery, PlatformId,
};
use galatea_rig::two_bone::{Limb, ReachGoal, TwoBone, TwoBoneSolution, reach, solve_two_bone};

pub(super) const ALL: &[(&str, Benchmark)] = &[("ik", bench)];

/// Goals per round.
const GOALS: usize = 1000;
/// Times of ozz-animation 0.16 in ns, measured earlier on the same kind of machine.
const OZZ_TWO_BONE: f64 = 136.0;
const OZZ_AIM: f64 = 70.0;

fn bench(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let all = || {
        let mut figures = Vec::new();
        bench_two_bone(&mut figures);
        bench_aim(&mut figures);
        figures.extend(bench_chain()?);
        figures.push(bench_reach(definition)?);
        figures.push(bench_feet(definition)?);
        Some(figures)
    };
    all().unwrap_or_default()
}

fn vector(random: &mut Random) -> Vec3 {
    Vec3::from_array(std::array::from_fn(|_| random.share() * 2.0 - 1.0))
}

/// A limb of 5 cm to 2 m with a reachable target.
fn limb(random: &mut Random) -> TwoBone {
    let length = |random: &mut Random| 0.025 + 0.975 * random.share();
    let (a, b) = (length(random), length(random));
    let root = vector(random);
    let mid = root + vector(random).normalize_or(Vec3::X) * a;
    let end = mid + vector(random).normalize_or(Vec3::Y) * b;
    let near = (a - b).abs();
    let distance = near + (a + b - near) * random.share();
    TwoBone {
        root,
        mid,
        end,
        target: root + vector(random).normalize_or(Vec3::Z) * distance,
        pole: vector(random),
        hinge: Vec3::X,
        min_angle: 0.0,
        ..TwoBone::default()
    }
}

fn missed(goal: &TwoBone, turns: &TwoBoneSolution) -> f64 {
    let end = goal.mid + turns.mid * (goal.end - goal.mid);
    let end = goal.root + turns.root * (end - goal.root);
    f64::from(end.distance(goal.target))
}

fn bench_two_bone(figures: &mut Vec<BenchFigure>) {
    let mut random = Random(1);
    let goals: Vec<TwoBone> = (0..GOALS).map(|_| limb(&mut random)).collect();
    let single = measure(
        "ik_two_bone",
        "two-bone IK of one limb",
        "ns per goal",
        GOALS,
        || {
            for goal in &goals {
                std::hint::black_box(solve_two_bone(std::hint::black_box(goal)));
            }
        },
    );
    compare(figures, single, OZZ_TWO_BONE);
    // The acceptance test: a million goals for limbs of all sizes.
    let mut worst = 0.0_f64;
    for _ in 0..GOALS * 1000 {
        let goal = limb(&mut random);
        worst = worst.max(missed(&goal, &solve_two_bone(&goal)));
    }
    figures.push(BenchFigure::plain(
        "ik_two_bone_worst",
        "largest error for a million reachable targets, limbs of 5 cm to 2 m; the limit is 0.1",
        worst * 1000.0,
        "mm",
    ));
}

fn bench_aim(figures: &mut Vec<BenchFigure>) {
    let mut random = Random(2);
    let goals: Vec<Aim> = (0..GOALS)
        .map(|i| Aim {
            pivot: vector(&mut random),
            forward: vector(&mut random).normalize_or(Vec3::Z),
            offset: vector(&mut random) * 0.1,
            target: vector(&mut random).normalize_or(Vec3::X) * 4.0,
            up: Vec3::Y,
            keep_up: i % 2 == 0,
        })
        .collect();
    let single = measure(
        "ik_aim",
        "aim IK with an offset from the pivot",
        "ns per goal",
        GOALS,
        || {
            for goal in &goals {
                std::hint::black_box(solve_aim(std::hint::black_box(goal), None));
            }
        },
    );
    compare(figures, single, OZZ_AIM);
    let passes = goals.iter().map(|goal| {
        let found = solve_aim(goal, None);
        let eye = goal.pivot + found.rotation * goal.offset;
        let to = goal.target - eye;
        to.reject_from(found.rotation * goal.forward).length()
    });
    figures.push(BenchFigure::plain(
        "ik_aim_worst",
        "largest distance between the aim line and its target, targets 3 to 5 m away",
        f64::from(passes.fold(0.0, f32::max)) * 1000.0,
        "mm",
    ));
}

/// Adds a figure in nanoseconds, and its ratio to ozz.
fn compare(figures: &mut Vec<BenchFigure>, figure: BenchFigure, ozz: f64) {
    let ratio = BenchFigure::plain(
        &format!("{}_of_ozz", figure.name),
        &format!(
            "divided by the {ozz} ns of ozz-animation 0.16 (measured separately); the goal is 0.5"
        ),
        figure.value / ozz,
        "ratio",
    );
    figures.extend([figure, ratio]);
}

/// A root and links of 20 cm in a slight arc.
fn bow(links: u16) -> Option<(Skeleton, Vec<Trs>)> {
    let bone = |i: u16| Bone {
        name: format!("link_{i}"),
        parent: i.checked_sub(1),
        rest: Trs::from_translation(Vec3::Y * 0.2),
        skinned: true,
    };
    let skeleton = Skeleton::new((0..=links).map(bone).collect()).ok()?;
    let mut locals: Vec<Trs> = skeleton.rest().collect();
    for local in &mut locals {
        local.rotation = glam::Quat::from_rotation_x(0.2);
    }
    Some((skeleton, locals))
}

fn bench_chain() -> Option<Vec<BenchFigure>> {
    let (skeleton, locals) = bow(5)?;
    let mut model = Vec::new();
    local_to_model(&skeleton, &locals, &mut model);
    let mut chain = Chain::of(&skeleton, 0, 5)?;
    let mut random = Random(3);
    let targets: Vec<Vec3> = (0..GOALS)
        .map(|_| {
            let way = vector(&mut random).normalize_or(Vec3::X);
            Vec3::Y * 0.2 + way * (0.1 + 0.8 * random.share())
        })
        .collect();
    let mut turned = locals.clone();
    let mut rows = Vec::new();
    for (name, method) in [("ccd", ChainMethod::Ccd), ("fabrik", ChainMethod::Fabrik)] {
        let (mut sweeps, mut worst) = (0, 0.0_f32);
        rows.push(measure(
            &format!("ik_chain_{name}"),
            "chain IK with five links of a pose, to within 0.1 mm",
            "ns per goal",
            GOALS,
            || {
                (sweeps, worst) = (0, 0.0);
                for target in &targets {
                    turned.copy_from_slice(&locals);
                    let mut posed = Posed::new(&skeleton, &mut turned, &model);
                    let goal = ChainGoal {
                        target: *target,
                        method,
                        ..ChainGoal::default()
                    };
                    let outcome = chain.solve(&mut posed, &goal);
                    sweeps += outcome.iterations;
                    worst = worst.max(outcome.target_error);
                }
            },
        ));
        rows.push(BenchFigure::plain(
            &format!("ik_chain_{name}_sweeps"),
            "iterations",
            f64::from(sweeps) / GOALS as f64,
            "per goal",
        ));
        rows.push(BenchFigure::plain(
            &format!("ik_chain_{name}_worst"),
            "largest error",
            f64::from(worst) * 1000.0,
            "mm",
        ));
    }
    Some(rows)
}

/// The built-in character's left arm.
fn bench_reach(definition: &Arc<Definition>) -> Option<BenchFigure> {
    let skeleton = &definition.model.skeleton;
    let hand = skeleton.find("left_hand")?;
    let parent = |bone: u16| skeleton.bones().get(usize::from(bone))?.parent;
    let lower = parent(hand)?;
    let limb = Limb::of(skeleton, parent(lower)?, lower, hand, Vec3::NEG_Z)?;
    let locals: Vec<Trs> = skeleton.rest().collect();
    let mut model = Vec::new();
    local_to_model(skeleton, &locals, &mut model);
    let mut random = Random(4);
    let root = Vec3::from(model.get(usize::from(limb.upper))?.translation);
    let targets: Vec<Vec3> = (0..GOALS)
        .map(|_| root + vector(&mut random) * 0.4)
        .collect();
    let mut turned = locals.clone();
    Some(measure(
        "ik_reach",
        "arm IK on the built-in character, including model positions and bone rotations",
        "ns per goal",
        GOALS,
        || {
            for target in &targets {
                for bone in [limb.upper, limb.lower] {
                    turned[usize::from(bone)] = locals[usize::from(bone)];
                }
                let mut posed = Posed::new(skeleton, &mut turned, &model);
                let goal = ReachGoal {
                    target: *target,
                    pole: Some(Vec3::NEG_Z),
                    ..ReachGoal::default()
                };
                std::hint::black_box(reach(&mut posed, &limb, &goal));
            }
        },
    ))
}

/// Flat ground without a physics query.
struct FlatGround;

impl GroundQuery for FlatGround {
    fn ground_below(&self, from: Vec3, reach: f32) -> Option<GroundHit> {
        (0.0..=reach).contains(&from.y).then_some(GroundHit {
            point: from.with_y(0.0),
            normal: Vec3::Y,
            platform: None,
            owner: 0,
            part: 0,
        })
    }

    fn platform(&self, _: PlatformId) -> Option<Affine3A> {
        None
    }
}

/// Leg solver of the built-in character walking on flat ground: contacts, foot locks, body, both legs and toes, without
/// raycasts.
fn bench_feet(definition: &Arc<Definition>) -> Option<BenchFigure> {
    const TICKS: usize = 600;
    const DT: f32 = 1.0 / 60.0;
    let clips = &definition.clips;
    let (walk, legs) = (clips.find("walk")?, definition.legs().ok()?);
    let pace = clips.ground_velocity(walk)?;
    let period = clips.duration(walk);
    let mut pose = definition.rest.clone();
    let poses: Vec<(Vec<Trs>, Vec<Affine3A>)> = (0..TICKS)
        .map(|tick| {
            clips.sample_one(walk, (tick as f32 * DT) % period, &mut pose);
            let mut model = Vec::new();
            local_to_model(clips.skeleton(), &pose.locals, &mut model);
            (pose.locals.clone(), model)
        })
        .collect();
    let planted = vec![None; legs.legs.len()];
    let mut locals = definition.rest.locals.clone();
    let mut steps = Vec::new();
    let row = measure(
        "feet",
        "foot IK of a walking leg on flat ground, without raycasts and forward kinematics; the goal is 1000",
        "ns per leg and tick",
        TICKS * legs.legs.len(),
        || {
            let mut feet = FootIk::default();
            for (tick, (wanted, model)) in poses.iter().enumerate() {
                locals.copy_from_slice(wanted);
                let mut posed = Posed::new(clips.skeleton(), &mut locals, model);
                let way = pace * (tick as f32 * DT);
                let input = FootIkInput {
                    dt: DT,
                    world_from_model: Affine3A::from_translation(way),
                    weight: 1.0,
                    grounded: true,
                    planted: &planted,
                    ground: &FlatGround,
                };
                feet.advance(
                    &legs,
                    &FootIkSettings::default(),
                    &mut posed,
                    &input,
                    &mut steps,
                );
                steps.clear();
            }
            std::hint::black_box(&locals);
        },
    );
    Some(row)
}
