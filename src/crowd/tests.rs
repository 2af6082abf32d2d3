//! Crowds as a whole.

use glam::Vec2;

use super::{Agent, AvoidOptions, Steering, Wall, Walls};
use crate::rig::chance::Chance;

const DT: f32 = 1.0 / 60.0;

/// Seconds with each walking straight to its goal; how deep the deepest overlap was after the first tenth.
fn walk(agents: &mut [Agent], goals: &[Vec2], walls: &Walls, seconds: f32) -> f32 {
    let mut steering = Steering::default();
    let options = AvoidOptions::default();
    let ticks = (seconds / DT) as usize;
    let mut deepest = 0.0_f32;
    for tick in 0..ticks {
        for (agent, goal) in agents.iter_mut().zip(goals) {
            agent.wish = (*goal - agent.at).clamp_length_max(1.3);
        }
        steering.step(agents, walls, &options, DT);
        if tick > ticks / 10 {
            deepest = deepest.max(overlap(agents));
        }
    }
    deepest
}

fn overlap(agents: &[Agent]) -> f32 {
    let mut deepest = 0.0_f32;
    for (i, a) in agents.iter().enumerate() {
        for b in &agents[..i] {
            deepest = deepest.max(a.radius + b.radius - a.at.distance(b.at));
        }
    }
    deepest
}

fn circle(n: usize, radius: f32) -> (Vec<Agent>, Vec<Vec2>) {
    let on = |i: usize| Vec2::from_angle(i as f32 / n as f32 * std::f32::consts::TAU) * radius;
    let agents = (0..n).map(|i| Agent {
        at: on(i),
        ..Agent::default()
    });
    (agents.collect(), (0..n).map(|i| -on(i)).collect())
}

#[test]
fn all_of_a_circle_reach_the_other_side_and_nobody_walks_into_anybody() {
    let (mut agents, goals) = circle(60, 12.0);
    let deepest = walk(&mut agents, &goals, &Walls::default(), 45.0);
    assert!(deepest < 0.02, "{deepest}");
    let arrived = agents.iter().zip(&goals);
    let arrived = arrived.filter(|(agent, goal)| agent.at.distance(**goal) < 0.5);
    assert_eq!(arrived.count(), 60);
}

#[test]
fn who_stands_is_walked_around_and_not_pushed() {
    let mut agents = vec![
        Agent {
            at: Vec2::new(-5.0, 0.0),
            ..Agent::default()
        },
        Agent {
            yields: 0.0,
            radius: 0.4,
            ..Agent::default()
        },
    ];
    let goals = [Vec2::new(5.0, 0.0), Vec2::ZERO];
    let deepest = walk(&mut agents, &goals, &Walls::default(), 10.0);
    assert!(deepest <= 1e-3, "{deepest}");
    assert_eq!(agents[1].at, Vec2::ZERO);
    assert!(agents[0].at.distance(goals[0]) < 0.2, "{:?}", agents[0].at);
}

#[test]
fn a_heap_at_one_place_comes_apart() {
    let mut agents = vec![Agent::default(); 30];
    let goals = vec![Vec2::ZERO; 30];
    let mut steering = Steering::default();
    for _ in 0..120 {
        for (agent, goal) in agents.iter_mut().zip(&goals) {
            agent.wish = *goal;
        }
        steering.step(&mut agents, &Walls::default(), &AvoidOptions::default(), DT);
    }
    assert!(agents.iter().all(|agent| agent.at.is_finite()));
    assert!(overlap(&agents) < 0.01, "{}", overlap(&agents));
}

#[test]
fn nobody_comes_through_a_wall_however_many_push() {
    let mut chance = Chance::new(2);
    let mut agents: Vec<Agent> = (0..80)
        .map(|_| Agent {
            at: Vec2::new(chance.between(-4.0, -0.5), chance.between(-3.0, 3.0)),
            ..Agent::default()
        })
        .collect();
    let corners = [
        Vec2::new(0.0, -4.0),
        Vec2::new(0.0, 4.0),
        Vec2::new(-6.0, 4.0),
        Vec2::new(-6.0, -4.0),
    ];
    let walls = Walls::new((0..4).map(|i| Wall::new([corners[i], corners[(i + 1) % 4]])));
    let goals = vec![Vec2::new(10.0, 0.0); 80];
    walk(&mut agents, &goals, &walls, 10.0);
    for agent in &agents {
        assert!(agent.at.x <= -0.2 && agent.at.x >= -6.0, "{:?}", agent.at);
        assert!(agent.at.y.abs() <= 3.8, "{:?}", agent.at);
    }
    assert!(overlap(&agents) < 0.08, "{}", overlap(&agents));
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let of = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .build();
        let (mut agents, goals) = circle(700, 40.0);
        pool.unwrap()
            .install(|| walk(&mut agents, &goals, &Walls::default(), 1.0));
        agents
    };
    assert_eq!(of(1), of(3));
}
