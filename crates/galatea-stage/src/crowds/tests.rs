//! Dense crowds on a stage: every agent with an open path arrives.

mod density;
mod groups;
mod returning;
mod table;

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Vec2, Vec2Swizzles as _, Vec3};

use super::{CrowdAgent, Gaits, StageCrowd};
use crate::nav_meshes::StageNavMesh;
use crate::{Event, Handle, Script, Stage, tick};
use galatea_asset::PrimitiveMesh;
use galatea_character::Placement;
use galatea_crowd::repulsion::RepulsionField;
use galatea_machine::Predicate;
use galatea_math::random::RandomSource;
use galatea_navmesh::BakeOptions;
use galatea_physics::{
    BodyType, CollisionShape, PlacedShape, PropBodySettings, RigidFrame, Velocity,
};

const HERTZ: f32 = 60.0;
/// Speed above which a change of direction counts, m/s.
const MOVING: f32 = 0.3;

struct NoScript;

impl Script for NoScript {
    fn update(&mut self, _: &mut Stage, _: f64) {}
    fn params(&mut self, _: Handle, _: &mut [f32]) {}
    fn evaluate(&mut self, _: Handle, _: Predicate) -> bool {
        false
    }
    fn deliver(&mut self, _: &mut Stage, _: &[Event]) {}
}

/// A stage with crowds.
struct Scene {
    stage: Stage,
    crowds: Vec<Handle>,
    paths: Option<Handle>,
    walls: Vec<[Vec2; 2]>,
    /// Centres and sizes of static boxes.
    solids: Vec<[Vec3; 2]>,
    obstacles: Vec<RepulsionField>,
    random: RandomSource,
}

/// Result of a run.
#[derive(Debug, Default)]
struct Outcome {
    /// Time until all agents had arrived, seconds.
    seconds: Option<f32>,
    /// Agents per second through the line z = 0.3 m, between the first and the last tenth of them.
    flow: f32,
    /// Minimum distance between the centres of two agents, metres.
    distance: f32,
    /// Maximum number of reversals of direction of one agent in a second.
    reversals: u32,
}

impl Scene {
    fn new(seed: u64) -> Self {
        let mut stage = Stage::new(1.0 / f64::from(HERTZ));
        stage.floor.collision_height = Some(0.0);
        Self {
            stage,
            crowds: Vec::new(),
            paths: None,
            walls: Vec::new(),
            solids: Vec::new(),
            obstacles: Vec::new(),
            random: RandomSource::new(seed),
        }
    }

    /// A wall along x at z = 0 with a door in its middle, and a navigation mesh around it.
    fn with_door(self, width: f32) -> Self {
        let walls = [-1.0, 1.0].map(|side| {
            let x = side * (10.0 + width / 2.0);
            [Vec3::new(x, 0.6, 0.0), Vec3::new(20.0, 1.2, 0.3)]
        });
        self.with_solids(&walls, Vec2::new(18.0, 24.0))
    }

    /// Adds static boxes, each with its centre and size, and a navigation mesh of size `2 * half` around the origin.
    fn with_solids(mut self, solids: &[[Vec3; 2]], half: Vec2) -> Self {
        self.solids.extend_from_slice(solids);
        for [position, size] in solids {
            let form = PrimitiveMesh::Box(*size);
            let definition = self.stage.characters.primitive(&form);
            let spawn = Placement {
                position: *position,
                ..Placement::default()
            };
            let handle = self
                .stage
                .add_character(definition, form.key(), None, spawn);
            let piece = PlacedShape {
                shape: CollisionShape::Box(*size / 2.0),
                at: RigidFrame::IDENTITY,
            };
            let options = PropBodySettings {
                body_type: BodyType::Static,
                pieces: Arc::from(vec![piece]),
                ..PropBodySettings::default()
            };
            let mut bodies = self.stage.bodies();
            bodies
                .set_prop_body(handle, Some(options), Velocity::default())
                .unwrap();
        }
        tick(&mut self.stage, &mut NoScript);
        let options = BakeOptions {
            low: Vec3::new(-half.x, -1.0, -half.y),
            high: Vec3::new(half.x, 5.0, half.y),
            radius: 0.25,
            step: 0.25,
            cell: 0.1,
            ..BakeOptions::default()
        };
        let paths = StageNavMesh::new(options, BTreeMap::new());
        let Stage { agents, ids, .. } = &mut self.stage;
        self.paths = agents.add_nav_mesh(ids, None, paths);
        tick(&mut self.stage, &mut NoScript);
        self
    }

    /// Adds agents in a rectangle around a position, each with a goal that depends on its start.
    fn agents(mut self, n: usize, at: Vec2, size: Vec2, goal: impl Fn(Vec2) -> Vec2) -> Self {
        let form = PrimitiveMesh::Capsule {
            radius: 0.25,
            height: 1.75,
        };
        let definition = self.stage.characters.primitive(&form);
        let columns = ((n as f32 * size.x / size.y).sqrt().ceil() as usize).max(1);
        let cell = size / Vec2::new(columns as f32, n.div_ceil(columns) as f32);
        let people = (0..n).map(|i| {
            let off = Vec2::new(self.random.about_zero(), self.random.about_zero());
            let cell_index = Vec2::new((i % columns) as f32, (i / columns) as f32) + 0.5;
            let from = at - size / 2.0 + cell * cell_index + (cell / 2.0 - 0.25) * off;
            let pace = self.random.between(1.05, 1.6);
            let mut person = CrowdAgent::new(Vec3::new(from.x, 0.0, from.y), 0.0, pace);
            person.seed = (self.random.unit() * 2_f32.powi(24)) as u32;
            person.send(Some(goal(from)));
            person
        });
        let crowd = StageCrowd {
            identity: Default::default(),
            bodies: vec![Arc::new(Gaits::new(definition, [None; 3]))],
            tints: vec![Arc::from(Vec::new())],
            agents: people.collect(),
            walls: std::mem::take(&mut self.walls),
            obstacles: std::mem::take(&mut self.obstacles),
            uses_push: false,
            navmesh: self.paths,
            routes: Default::default(),
            clips: Vec::new(),
            states: Arc::from(Vec::new()),
            start: 0,
            meet_chance: 0.0,
            random: RandomSource::new(1),
            promotion: None,
            n_stepped_aside: 0,
            memory: Default::default(),
            missing_clips: Default::default(),
            tours: Default::default(),
        };
        let Stage { agents, ids, .. } = &mut self.stage;
        self.crowds
            .push(agents.add_crowd(ids, None, crowd).unwrap());
        self
    }

    /// Puts the agents of the last crowd on a floor and their goals on another one; heights in metres.
    fn set_heights(&mut self, own: f32, goal: f32) {
        let crowd = self.crowds.last().copied().unwrap();
        let crowd = self.stage.agents.crowds.get_mut(crowd).unwrap();
        for person in &mut crowd.agents {
            let [at, to] = [person.agent.at, person.goal.unwrap()];
            person.teleport(Vec3::new(at.x, own, at.y), None);
            person.send_to(Vec3::new(to.x, goal, to.y));
        }
    }

    fn all_agents(&self) -> Vec<CrowdAgent> {
        let crowds = self.crowds.iter();
        let crowds = crowds.filter_map(|crowd| self.stage.agents.crowds.get(*crowd));
        crowds.flat_map(|crowd| crowd.agents.clone()).collect()
    }

    /// Runs the scene until all agents have arrived, or for at most `seconds`.
    fn run(mut self, seconds: f32) -> Outcome {
        let mut outcome = Outcome {
            distance: f32::INFINITY,
            ..Outcome::default()
        };
        let mut before = self.all_agents();
        let n = before.len();
        let mut steps = vec![Vec2::ZERO; n];
        let mut reversals = vec![0; n];
        let mut passed_at = Vec::new();
        for k in 1..=(seconds * HERTZ) as u32 {
            tick(&mut self.stage, &mut NoScript);
            let now = self.all_agents();
            let time = k as f32 / HERTZ;
            for i in 0..n {
                let step = (now[i].agent.at - before[i].agent.at) * HERTZ;
                let is_moving = step.length().min(steps[i].length()) > MOVING;
                reversals[i] += u32::from(is_moving && step.dot(steps[i]) < 0.0);
                steps[i] = step;
                if before[i].agent.at.y <= 0.3 && now[i].agent.at.y > 0.3 {
                    passed_at.push(time);
                }
            }
            if k.is_multiple_of(HERTZ as u32) {
                outcome.distance = outcome.distance.min(least_distance(&now));
                let most = reversals.iter().copied().max().unwrap_or(0);
                outcome.reversals = outcome.reversals.max(most);
                reversals.fill(0);
            }
            let is_there = now.iter().all(|person| person.reached_goal.is_some());
            before = now;
            if is_there {
                outcome.seconds = Some(time);
                break;
            }
        }
        let tenth = passed_at.len() / 10;
        if tenth > 0 {
            let (first, last) = (passed_at[tenth], passed_at[passed_at.len() - 1 - tenth]);
            outcome.flow = (passed_at.len() - 2 * tenth) as f32 / (last - first);
        }
        outcome
    }
}

fn least_distance(people: &[CrowdAgent]) -> f32 {
    let pairs = people.iter().enumerate();
    let distances = pairs.flat_map(|(i, a)| {
        let others = people[..i].iter();
        others.map(|b| a.agent.at.distance(b.agent.at))
    });
    distances.fold(f32::INFINITY, f32::min)
}

/// A corridor along z with `n` agents that enter at each end.
fn corridor(seed: u64, n: usize, width: f32) -> Scene {
    let mut scene = Scene::new(seed);
    let wall = |x: f32| [Vec2::new(x, -60.0), Vec2::new(x, 60.0)];
    scene.walls = vec![wall(-width / 2.0), wall(width / 2.0)];
    let size = Vec2::new(width - 1.0, 36.0);
    scene
        .agents(n, Vec2::Y * -28.0, size, |from| from + Vec2::Y * 110.0)
        .agents(n, Vec2::Y * 28.0, size, |from| from - Vec2::Y * 110.0)
}

#[test]
fn all_pass_a_narrow_door_at_the_rate_of_people() {
    for (width, seed) in [(0.8, 1), (0.8, 2), (0.9, 3), (1.2, 4)] {
        let size = Vec2::splat(9.0);
        let scene = Scene::new(seed).with_door(width);
        let scene = scene.agents(50, Vec2::Y * -6.0, size, |_| Vec2::Y * 15.0);
        let outcome = scene.run(120.0);
        println!("door of {width} m, 50 agents: {outcome:?}");
        assert!(outcome.seconds.is_some(), "{width} m: {outcome:?}");
        // Seyfried et al. 2009 measured 1.9 agents per metre and second.
        let rate = outcome.flow / width;
        assert!((1.3..1.9).contains(&rate), "{width} m: {rate}");
        assert!(outcome.distance > 0.465, "{width} m: {outcome:?}");
        assert!(outcome.reversals <= 2, "{width} m: {outcome:?}");
    }
}

#[test]
fn dense_counterflow_comes_through_a_corridor() {
    for (n, width) in [(100, 3.0), (150, 4.0)] {
        let outcome = corridor(5, n, width).run(240.0);
        println!("corridor of {width} m, {n} agents from each end: {outcome:?}");
        assert!(outcome.seconds.is_some(), "{width} m: {outcome:?}");
        assert!(outcome.distance > 0.465, "{width} m: {outcome:?}");
        assert!(outcome.reversals <= 2, "{width} m: {outcome:?}");
    }
}

#[test]
fn crossing_crowds_come_through_each_other() {
    let size = Vec2::new(16.0, 6.0);
    let scene = Scene::new(6)
        .agents(100, Vec2::X * -14.0, size, |from| from + Vec2::X * 28.0)
        .agents(100, Vec2::Y * -14.0, size.yx(), |from| {
            from + Vec2::Y * 28.0
        });
    let outcome = scene.run(120.0);
    println!("100 agents across 100: {outcome:?}");
    assert!(outcome.seconds.is_some(), "{outcome:?}");
    assert!(outcome.reversals <= 2, "{outcome:?}");
}

#[test]
fn agents_that_are_pressed_against_obstacles_do_not_tremble() {
    let mut scene = Scene::new(2);
    for (a, b) in (-3..=3).flat_map(|a| (-3..=3).map(move |b| (a, b))) {
        scene.obstacles.push(RepulsionField {
            at: Vec2::new((a * 3) as f32 + 1.5 * (b & 1) as f32, (b * 3) as f32),
            radius: 0.4 + 0.12 * ((a * 7 + b * 3_i32).rem_euclid(5)) as f32,
        });
    }
    let size = Vec2::new(20.0, 16.0);
    let scene = scene
        .agents(250, Vec2::Y * -22.0, size, |from| from + Vec2::Y * 44.0)
        .agents(250, Vec2::Y * 22.0, size, |from| from - Vec2::Y * 44.0);
    let outcome = scene.run(180.0);
    println!("250 agents against 250 among obstacles: {outcome:?}");
    assert!(outcome.seconds.is_some(), "{outcome:?}");
    assert!(outcome.reversals <= 4, "{outcome:?}");
    assert!(outcome.distance > 0.465, "{outcome:?}");
}
