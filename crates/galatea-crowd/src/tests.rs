//! Tests of whole crowds.

use glam::Vec2;

use super::{Agent, AvoidOptions, Steering, Wall, Walls};
use galatea_math::random::RandomSource;

const DT: f32 = 1.0 / 60.0;

/// Walks each agent straight to its goal. Returns the depth of the deepest overlap after the first tenth of the time.
fn walk(agents: &mut [Agent], goals: &[Vec2], walls: &Walls, seconds: f32) -> f32 {
    let mut steering = Steering::default();
    let options = AvoidOptions::default();
    let ticks = (seconds / DT) as usize;
    let mut deepest = 0.0_f32;
    for tick in 0..ticks {
        for (agent, goal) in agents.iter_mut().zip(goals) {
            agent.desired_velocity = (*goal - agent.at).clamp_length_max(1.3);
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
fn all_agents_of_a_circle_reach_the_other_side_without_collisions() {
    let (mut agents, goals) = circle(60, 12.0);
    let deepest = walk(&mut agents, &goals, &Walls::default(), 45.0);
    assert!(deepest < 0.02, "{deepest}");
    let arrived = agents.iter().zip(&goals);
    let arrived = arrived.filter(|(agent, goal)| agent.at.distance(**goal) < 0.5);
    assert_eq!(arrived.count(), 60);
}

#[test]
fn standing_agents_are_walked_around_and_not_pushed() {
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
fn a_heap_at_one_position_separates() {
    let mut agents = vec![Agent::default(); 30];
    let goals = vec![Vec2::ZERO; 30];
    let mut steering = Steering::default();
    for _ in 0..120 {
        for (agent, goal) in agents.iter_mut().zip(&goals) {
            agent.desired_velocity = *goal;
        }
        steering.step(&mut agents, &Walls::default(), &AvoidOptions::default(), DT);
    }
    assert!(agents.iter().all(|agent| agent.at.is_finite()));
    assert!(overlap(&agents) < 0.01, "{}", overlap(&agents));
}

#[test]
fn no_agent_passes_a_wall_however_many_push() {
    let mut chance = RandomSource::new(2);
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

/// A crowd before a door in the wall along y = 0, `wide` metres wide and 0.2 m deep. The agents walk to a goal far behind
/// it.
struct Door {
    agents: Vec<Agent>,
    paces: Vec<f32>,
    walls: Walls,
    half: f32,
    steering: Steering,
}

impl Door {
    const DEPTH: f32 = 0.2;

    fn new(n: usize, wide: f32) -> Self {
        let (mut chance, half) = (RandomSource::new(7), wide * 0.5);
        let sides = [-1.0, 1.0].map(|side| {
            let at = |x: f32, y: f32| Vec2::new(x * side, y);
            [
                [at(5.0, 0.0), at(half, 0.0)],
                [at(half, 0.0), at(half, Self::DEPTH)],
                [at(half, Self::DEPTH), at(5.0, Self::DEPTH)],
                [at(5.0, 0.0), at(5.0, -30.0)],
            ]
        });
        let agents = (0..n).map(|i| {
            let place = Vec2::new((i % 16) as f32 * 0.6 - 4.5, -0.8 - (i / 16) as f32 * 0.6);
            let by = Vec2::new(chance.about_zero(), chance.about_zero()) * 0.05;
            Agent {
                at: place + by,
                ..Agent::default()
            }
        });
        Self {
            agents: agents.collect(),
            paces: (0..n).map(|_| chance.between(1.05, 1.6)).collect(),
            walls: Walls::new(sides.into_iter().flatten().map(Wall::new)),
            half,
            steering: Steering::default(),
        }
    }

    fn step(&mut self) {
        for (agent, pace) in self.agents.iter_mut().zip(&self.paces) {
            let room = (self.half - agent.radius).max(0.0);
            let to = match agent.at.y {
                ..-0.05 => Vec2::new(agent.at.x.clamp(-room, room), 0.0),
                ..0.3 => Vec2::new(agent.at.x.clamp(-room, room), 2.0),
                _ => Vec2::new(agent.at.x, 99.0),
            };
            agent.desired_velocity = (to - agent.at).normalize_or_zero() * pace;
        }
        let options = AvoidOptions::default();
        self.steering
            .step(&mut self.agents, &self.walls, &options, DT);
    }

    fn n_phrases_passed(&self) -> usize {
        let passed = self.agents.iter().filter(|agent| agent.at.y > Self::DEPTH);
        passed.count()
    }
}

/// Seyfried, Passon, Steffen, Boltes, Rupprecht and Klingsch (2009, "New insights into pedestrian flow through bottlenecks")
/// measured 1.9 persons per second and metre of door width, from 0.8 m on.
#[test]
fn the_flow_through_a_door_equals_that_of_people_at_any_width() {
    for wide in [0.8, 1.0, 1.2, 1.6, 2.4] {
        let mut door = Door::new(150, wide);
        let (mut ticks, mut deepest) = ([0; 2], 0.0_f32);
        for tick in 0..6000 {
            door.step();
            for (n, at) in [30, 110].into_iter().zip(&mut ticks) {
                if *at == 0 && door.n_phrases_passed() >= n {
                    *at = tick;
                }
            }
            if tick % 30 == 0 {
                deepest = deepest.max(overlap(&door.agents));
            }
            if ticks[1] > 0 {
                break;
            }
        }
        assert!(ticks[1] > 0, "{wide} m: {} passed", door.n_phrases_passed());
        let flow = 80.0 / ((ticks[1] - ticks[0]) as f32 * DT) / wide;
        assert!(
            (flow / 1.9 - 1.0).abs() < 0.2,
            "{wide} m: {flow} a metre and second"
        );
        assert!(deepest < 0.02, "{wide} m: {deepest}");
    }
}

#[test]
fn agents_that_wait_in_a_jam_stand_or_step_and_do_not_tremble() {
    let mut door = Door::new(150, 1.0);
    let (mut n, mut stand, mut back) = (0, 0, 0);
    for tick in 0..1800 {
        let before: Vec<Agent> = door.agents.clone();
        door.step();
        for (now, before) in door.agents.iter().zip(&before) {
            if tick < 600 || now.at.y > -1.0 {
                continue;
            }
            n += 1;
            let steps = [now.velocity, before.velocity];
            stand += usize::from(steps[0].length() < 0.02);
            back += usize::from(steps[0].dot(steps[1]) < -0.01);
        }
    }
    let share = |part: usize| part as f32 / n as f32;
    assert!(share(stand) > 0.15, "{}", share(stand));
    assert!(share(back) < 0.002, "{}", share(back));
}

/// Lanes: agents ahead of and behind each other walk in the same direction (the order parameter of Rex and Löwen 2007),
/// compared with its value for random directions.
#[test]
fn oncoming_agents_in_a_corridor_form_lanes_and_pass() {
    let mut chance = RandomSource::new(2);
    let mut agents: Vec<Agent> = (0..120)
        .map(|i| {
            let (side, i) = (if i < 60 { -1.0 } else { 1.0 }, i % 60);
            let along = 4.0 + (i / 6) as f32 * 0.9 + chance.about_zero() * 0.1;
            let across = (i % 6) as f32 * 0.75 - 1.9 + chance.about_zero() * 0.1;
            Agent {
                at: Vec2::new(side * along, across),
                desired_velocity: Vec2::new(-1.3 * side, 0.0),
                ..Agent::default()
            }
        })
        .collect();
    let line = |y: f32| Wall::new([Vec2::new(-60.0, y), Vec2::new(60.0, y)]);
    let walls = Walls::new([line(-2.5), line(2.5)]);
    let mut steering = Steering::default();
    let (mut order, mut by_chance) = (0.0, 0.0);
    let mut ticks = 0;
    let is_through = |agent: &Agent| agent.at.x * agent.desired_velocity.x.signum() > 12.0;
    while ticks < 3600 && !agents.iter().all(is_through) {
        steering.step(&mut agents, &walls, &AvoidOptions::default(), DT);
        ticks += 1;
        if ticks < 600 {
            continue;
        }
        for agent in agents.iter().filter(|agent| agent.at.x.abs() < 6.0) {
            let beside = agents.iter().filter(|other| {
                let off = (other.at - agent.at).abs();
                off.y < 0.4 && off.x < 3.0
            });
            let sum: f32 = beside
                .clone()
                .map(|other| other.desired_velocity.x.signum())
                .sum();
            let n = beside.count() as f32;
            order += (sum / n).powi(2);
            by_chance += n.recip();
        }
    }
    assert!(ticks < 3600, "some are stuck");
    assert!(order > 2.0 * by_chance, "{}", order / by_chance);
}
