//! Crowd steering: collision avoidance, neighbour search by grid, k-d tree and brute force, and flocks.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::kd_tree::KdTree;
use super::{BenchFigure, Benchmark, measure};
use galatea_character::Definition;
use galatea_crowd::{Agent, AvoidOptions, Boid, FlockRules, Flocking, SortedRows, Steering, Walls};
use galatea_math::random::RandomSource;

pub(super) const ALL: &[(&str, Benchmark)] = &[("steering", bench)];

const DT: f32 = 1.0 / 60.0;
/// Area per agent, square metres.
const ROOM: f32 = 4.0;
/// Ticks per round, and ticks of the walk that measures quality.
const TICKS: usize = 10;
const WALK: usize = 1200;

fn bench(_: &Arc<Definition>) -> Vec<BenchFigure> {
    let mut figures = Vec::new();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    for n in [1000, 10_000, 50_000] {
        if let Ok(one) = &one {
            figures.push(one.install(|| steer(n, "steering_one", "one thread")));
        }
        figures.push(steer(n, "steering", "all threads"));
    }
    figures.extend(quality());
    figures.extend(neighbours());
    for n in [1000, 10_000] {
        figures.push(flock(n));
    }
    figures
}

/// A random position in a square with the same area per agent.
fn somewhere(chance: &mut RandomSource, n: usize) -> Vec2 {
    let half = (n as f32 * ROOM).sqrt() * 0.5;
    Vec2::new(chance.between(-half, half), chance.between(-half, half))
}

/// Agents on a grid with random goals.
fn crowd(n: usize) -> (Vec<Agent>, Vec<Vec2>) {
    let mut chance = RandomSource::new(1);
    let side = (n as f32).sqrt().ceil() as usize;
    let on = |i: usize| i as f32 * ROOM.sqrt() - side as f32 * ROOM.sqrt() * 0.5;
    let agents = (0..n).map(|i| Agent {
        at: Vec2::new(on(i % side), on(i / side)),
        ..Agent::default()
    });
    let agents = agents.collect();
    (agents, (0..n).map(|_| somewhere(&mut chance, n)).collect())
}

/// Sets the desired velocities for the next tick and gives a new goal to each agent that arrived. Returns their number.
fn set_desired_velocities(
    agents: &mut [Agent],
    goals: &mut [Vec2],
    chance: &mut RandomSource,
) -> usize {
    let n = agents.len();
    let mut arrived = 0;
    for (agent, goal) in agents.iter_mut().zip(goals) {
        if agent.at.distance_squared(*goal) < 1.0 {
            *goal = somewhere(chance, n);
            arrived += 1;
        }
        agent.desired_velocity = (*goal - agent.at).clamp_length_max(1.3);
    }
    arrived
}

fn steer(n: usize, name: &str, threads: &str) -> BenchFigure {
    let (mut agents, mut goals) = crowd(n);
    let (mut steering, mut chance) = (Steering::default(), RandomSource::new(2));
    let (walls, options) = (Walls::default(), AvoidOptions::default());
    let mut go = |ticks: usize| {
        for _ in 0..ticks {
            set_desired_velocities(&mut agents, &mut goals, &mut chance);
            steering.step(&mut agents, &walls, &options, DT);
        }
    };
    go(120);
    measure(
        &format!("{name}_{n}"),
        &format!("{n} agents, 10 neighbors, random goals, {threads}"),
        "ns per agent and tick",
        n * TICKS,
        || go(TICKS),
    )
}

/// Quality of the avoidance: depth of the deepest overlap, and average speed towards the goals.
fn quality() -> Vec<BenchFigure> {
    let (mut agents, mut goals) = crowd(1000);
    let (mut steering, mut chance) = (Steering::default(), RandomSource::new(2));
    let (walls, options) = (Walls::default(), AvoidOptions::default());
    let mut rows = SortedRows::default();
    let (mut arrived, mut deepest) = (0, 0.0_f32);
    for _ in 0..WALK {
        arrived += set_desired_velocities(&mut agents, &mut goals, &mut chance);
        steering.step(&mut agents, &walls, &options, DT);
        let places: Vec<Vec2> = agents.iter().map(|agent| agent.at).collect();
        rows.sort(&places, 0.5);
        for (i, agent) in agents.iter().enumerate() {
            let near = rows.around(agent.at, 0.5).into_iter().flatten();
            let near = near.map(|k| rows.order()[k] as usize).filter(|j| *j != i);
            let overlap = |j: usize| 0.5 - agents[j].at.distance(agent.at);
            deepest = near.map(overlap).fold(deepest, f32::max);
        }
    }
    let minutes = WALK as f32 * DT / 60.0;
    let each = f64::from(arrived as f32 / 1000.0 / minutes);
    vec![
        BenchFigure::plain(
            "steering_overlap",
            "1000 agents of radius 25 cm for 20 s",
            f64::from(deepest * 100.0),
            "cm, deepest overlap",
        ),
        BenchFigure::plain(
            "steering_arrivals",
            "the same",
            each,
            "goals reached per agent and minute",
        ),
    ]
}

fn neighbours() -> Vec<BenchFigure> {
    let n = 10_000;
    let (agents, _) = crowd(n);
    let places: Vec<Vec2> = agents.iter().map(|agent| agent.at).collect();
    let mut rows = SortedRows::default();
    let near2 = 16.0;
    let in_rows = measure(
        "neighbours_rows",
        "all pairs of 10 000 agents within 4 m, sorted into rows",
        "ns per agent",
        n,
        || {
            rows.sort(&places, 4.0);
            let (xs, ys) = rows.positions();
            let mut walk = rows.walk();
            let mut pairs = 0;
            for i in 0..n {
                let at = Vec2::new(xs[i], ys[i]);
                for k in walk.around(i, 4.0).into_iter().flatten() {
                    let near = Vec2::new(xs[k], ys[k]).distance_squared(at) < near2;
                    pairs += usize::from(near);
                }
            }
            std::hint::black_box(pairs);
        },
    );
    let mut tree = KdTree::default();
    let in_tree = measure(
        "neighbours_kd_tree",
        "the same with a k-d tree like RVO2's",
        "ns per agent",
        n,
        || {
            tree.build(&places);
            let pairs: usize = places.iter().map(|at| tree.count(*at, near2)).sum();
            std::hint::black_box(pairs);
        },
    );
    let of_all = measure(
        "neighbours_naive",
        "the same by comparing all pairs",
        "ns per agent",
        n,
        || {
            let mut pairs = 0;
            for a in &places {
                let near = places.iter().filter(|b| a.distance_squared(**b) < near2);
                pairs += near.count();
            }
            std::hint::black_box(pairs);
        },
    );
    vec![in_rows, in_tree, of_all]
}

fn flock(n: usize) -> BenchFigure {
    let mut chance = RandomSource::new(4);
    let size = (n as f32).cbrt() * 1.2;
    let mut at = || {
        Vec3::new(
            chance.between(-size, size),
            chance.between(5.0, 5.0 + size),
            chance.between(-size, size),
        )
    };
    let mut boids: Vec<Boid> = (0..n)
        .map(|_| Boid {
            at: at(),
            velocity: Vec3::X * 3.0,
        })
        .collect();
    let (rules, mut flocking) = (FlockRules::classic(), Flocking::default());
    measure(
        &format!("flock_{n}"),
        &format!("a flock of {n} boids, all threads"),
        "ns per boid and tick",
        n * TICKS,
        || {
            for _ in 0..TICKS {
                flocking.step(&mut boids, &rules, &[], |_| 0.0, |_, _| false, DT);
            }
        },
    )
}
