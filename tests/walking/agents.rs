//! Agents of a crowd that are promoted to characters: they look the same as unpromoted ones, with and without clips.

use std::path::Path;
use std::sync::Arc;

use galatea::asset::gltf;
use galatea::character::{Definition, Handle};
use galatea::machine::Predicate;
use galatea::math::random::RandomSource;
use galatea::stage::{CrowdAgent, Event, Frame, Gaits, Script, Stage, StageCrowd, tick};
use glam::{Affine3A, Quat, Vec2, Vec3};

const N: usize = 24;
/// The agent that is promoted.
const OWN: usize = 9;

pub struct NoScript;

impl Script for NoScript {
    fn update(&mut self, _: &mut Stage, _: f64) {}
    fn params(&mut self, _: Handle, _: &mut [f32]) {}
    fn evaluate(&mut self, _: Handle, _: Predicate) -> bool {
        false
    }
    fn deliver(&mut self, _: &mut Stage, _: &[Event]) {}
}

fn body(with_clips: bool) -> Arc<Gaits> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
    let mut model = gltf::load(&path).expect("it loads");
    if !with_clips {
        model.clips.clear();
    }
    let definition = Definition::new(Arc::new(model));
    let clip = |name: &str| definition.clips.find(name);
    let clips = ["idle", "walk", "run"].map(clip);
    assert_eq!(clips[1].is_some(), with_clips);
    Arc::new(Gaits::new(Arc::new(definition), clips))
}

/// Agents that walk past each other to the other side.
fn stage(body: Arc<Gaits>) -> (Stage, Handle) {
    let mut stage = Stage::new(1.0 / 60.0);
    let mut chance = RandomSource::new(5);
    let people = (0..N).map(|i| {
        let side = if i % 2 == 0 { 1.0 } else { -1.0 };
        let from = Vec2::new((i / 4) as f32 - 3.0, side * (3.0 + (i % 4) as f32 * 0.4));
        let pace = chance.between(1.1, 1.5);
        let mut person = CrowdAgent::new(Vec3::new(from.x, 0.0, from.y), chance.unit(), pace);
        person.scale = chance.between(0.95, 1.05);
        person.begin_lap(chance.unit());
        person.send(Some(Vec2::new(from.x * 0.5, -from.y)));
        person
    });
    let crowd = StageCrowd {
        identity: Default::default(),
        bodies: vec![body],
        tints: vec![Arc::from(Vec::new())],
        agents: people.collect(),
        walls: Vec::new(),
        obstacles: Vec::new(),
        uses_push: false,
        navmesh: None,
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
    let Stage { agents, ids, .. } = &mut stage;
    let crowd = agents.add_crowd(ids, None, crowd).expect("there is room");
    (stage, crowd)
}

/// An agent as it is drawn.
struct Drawn {
    at: Vec3,
    turn: Quat,
    /// A point of the body moved by each of its joints, in its own space.
    points: Vec<Vec3>,
}

fn point(matrix: &Affine3A) -> Vec3 {
    matrix.transform_point3(Vec3::Y)
}

fn drawn(stage: &Stage, alpha: f32) -> Drawn {
    let mut frame = Frame::default();
    stage.snapshot(alpha, &mut frame);
    if let Some(model) = frame.models.first() {
        let (_, turn, at) = model.world_from_model.to_scale_rotation_translation();
        let palette = &frame.palette[model.palette_start as usize..];
        return Drawn {
            at,
            turn,
            points: palette.iter().map(point).collect(),
        };
    }
    let own = frame
        .agents
        .iter()
        .find(|one| one.number == OWN as u32)
        .expect("it is drawn");
    let book = &frame.crowds[0].poses;
    let pose = |k: usize| {
        let first = own.poses[k] as usize * book.stride;
        &book.palettes[first..first + book.stride]
    };
    let pairs = pose(0).iter().zip(pose(1));
    Drawn {
        at: own.at,
        turn: own.turn,
        points: pairs
            .map(|(a, b)| point(a).lerp(point(b), own.pose_fraction))
            .collect(),
    }
}

fn person(stage: &Stage, crowd: Handle) -> CrowdAgent {
    let crowd = stage.agents.crowds.get(crowd).expect("it is there");
    crowd.agents[OWN]
}

#[test]
fn an_agent_is_drawn_the_same_while_it_is_a_character() {
    for with_clips in [false, true] {
        let mut plain = self::stage(body(with_clips)).0;
        let (mut stage, crowd) = stage(body(with_clips));
        let mut before = drawn(&stage, 1.0);
        let mut before_plain = drawn(&plain, 1.0);
        let mut walked = 0.0;
        for k in 0..480 {
            // Between ticks, as scripts do it.
            let Stage {
                agents,
                characters,
                ids,
                ..
            } = &mut stage;
            match k {
                100 | 300 => {
                    agents.promote(ids, characters, crowd, OWN, true);
                }
                200 | 400 => {
                    let own = agents.demote(characters, crowd, OWN).expect("it is one");
                    characters.take_off(own);
                }
                _ => {}
            }
            tick(&mut stage, &mut NoScript);
            tick(&mut plain, &mut NoScript);
            let plain = [0.0, 1.0].map(|alpha| drawn(&plain, alpha));
            let (begin, now, own) = (
                drawn(&stage, 0.0),
                drawn(&stage, 1.0),
                person(&stage, crowd),
            );
            let what = format!("clips: {with_clips}, tick {k}");
            // The picture continues from the last one.
            assert!(begin.at.distance(before.at) < 1e-3, "{what}");
            assert!(begin.turn.angle_between(before.turn) < 1e-2, "{what}");
            let step = now.at - before.at;
            let wanted = own.velocity() / 60.0;
            assert!(
                (step - wanted).length() < 0.01,
                "{what}: {step} for {wanted}"
            );
            assert!(step.length() < 0.034, "{what}: {step}");
            assert!(now.at.distance(own.position()) < 1e-4, "{what}");
            assert!(
                now.turn.angle_between(before.turn).to_degrees() < 5.0,
                "{what}"
            );
            let is_beside = |at: i32| (k - at).abs() <= 3;
            if [100, 200, 300, 400].into_iter().any(is_beside) {
                let pop = |from: &Drawn, to: &Drawn| {
                    let points = from.points.iter().zip(&to.points);
                    points.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
                };
                // A foot moves by 5 cm in a tick, and farther where an agent that is never a character changes its step.
                let pictures = [(&begin, &plain[0], "first"), (&now, &plain[1], "last")];
                for (to, same, of) in pictures {
                    let [pop, of_plain] = [pop(&before, to), pop(&before_plain, same)];
                    assert!(
                        pop < of_plain.max(0.06) + 0.02,
                        "{what}, {of} picture: {pop} {of_plain}"
                    );
                }
            }
            walked += step.length();
            before = now;
            let [_, last] = plain;
            before_plain = last;
        }
        assert!(walked > 4.0, "it walks: {walked}");
    }
}

#[test]
fn a_promoted_agent_does_not_block_itself() {
    let run = |promotes: bool, with_clips: bool| {
        let (mut stage, crowd) = stage(body(with_clips));
        if promotes {
            let Stage {
                agents,
                characters,
                ids,
                ..
            } = &mut stage;
            agents.promote(ids, characters, crowd, OWN, true);
        }
        for _ in 0..400 {
            tick(&mut stage, &mut NoScript);
        }
        let crowd = stage.agents.crowds.get(crowd).expect("it is there");
        crowd
            .agents
            .iter()
            .map(CrowdAgent::position)
            .collect::<Vec<_>>()
    };
    for with_clips in [false, true] {
        assert_eq!(run(true, with_clips), run(false, with_clips));
    }
}
