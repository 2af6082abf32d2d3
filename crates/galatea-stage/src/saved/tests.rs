//! A stage that was written and read continues as the original does: after each tick the checksums are equal, and at the end
//! all bytes are.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use glam::{Vec2, Vec3};

use crate::crowds::CrowdAgent;
use crate::flocks::{Bird, StageFlock};
use crate::light::EnvironmentUse;
use crate::{Event, Gaits, Handle, Script, Stage, StageCrowd, tick};
use galatea_asset::{ENVIRONMENT_KIND, Environment, PrimitiveMesh};
use galatea_character::{Definition, DefinitionSource, MODEL_KIND, MadeClip, Placement};
use galatea_crowd::{Boid, FlockRules};
use galatea_machine::{
    Content, Fade, FromStates, LayerDef, MachineDef, MotionDef, ParamDef, ParamValue, Predicate,
    StateDef, StatesDef, TransitionDef, WhenDef, bind,
};
use galatea_math::random::RandomSource;
use galatea_persist::{ExternalValue, PersistError, no_externals};
use galatea_physics::{
    BodyType, CollisionShape, PlacedShape, PropBodySettings, RigidFrame, Velocity,
};

mod effects;
mod talk;

struct NoScript;

impl Script for NoScript {
    fn update(&mut self, _: &mut Stage, _: f64) {}
    fn params(&mut self, _: Handle, _: &mut [f32]) {}
    fn evaluate(&mut self, _: Handle, _: Predicate) -> bool {
        false
    }
    fn deliver(&mut self, _: &mut Stage, _: &[Event]) {}
}

/// A human with clips.
fn man() -> Arc<Definition> {
    static LOADED: OnceLock<Arc<Definition>> = OnceLock::new();
    let load = || {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/man.glb");
        let model = galatea_asset::gltf::load(&path).unwrap();
        let source = DefinitionSource::File("man.glb".into());
        Arc::new(Definition::new(Arc::new(model)).with_source(source))
    };
    LOADED.get_or_init(load).clone()
}

fn resolve(kind: &str, key: &str) -> Result<ExternalValue, String> {
    match (kind, key) {
        (MODEL_KIND, "man.glb") => Ok(man()),
        _ => Err(format!("no {kind} {key}")),
    }
}

fn run(stage: &mut Stage, n_ticks: usize) {
    for _ in 0..n_ticks {
        tick(stage, &mut NoScript);
    }
}

/// Runs a stage, writes and reads it, and compares both for two seconds. Returns the number of bytes.
#[track_caller]
fn check(name: &str, mut stage: Stage, n_ticks: usize) -> usize {
    run(&mut stage, n_ticks);
    let bytes = stage.encode().unwrap();
    let mut read = Stage::decode(&bytes, resolve).unwrap();
    assert!(
        read.encode().unwrap() == bytes,
        "{name}: other bytes at once"
    );
    for k in 1..=120 {
        tick(&mut stage, &mut NoScript);
        tick(&mut read, &mut NoScript);
        let [a, b] = [stage.checksum(), read.checksum()];
        assert_eq!(
            a.differences(&b),
            Vec::<&str>::new(),
            "{name}: after tick {k}"
        );
    }
    let [a, b] = [stage.encode().unwrap(), read.encode().unwrap()];
    assert!(a == b, "{name}: other bytes after two seconds");
    bytes.len()
}

fn stage() -> Stage {
    let mut stage = Stage::default();
    stage.floor.collision_height = Some(0.0);
    stage
}

fn at(position: Vec3) -> Placement {
    Placement {
        position,
        ..Placement::default()
    }
}

fn add_man(stage: &mut Stage, name: &str, position: Vec3) -> Handle {
    stage.add_character(man(), "man.glb", Some(name), at(position))
}

fn add_box(stage: &mut Stage, position: Vec3, size: Vec3, body_type: BodyType) -> Handle {
    let form = PrimitiveMesh::Box(size);
    let definition = stage.characters.primitive(&form);
    let handle = stage.add_character(definition, form.key(), None, at(position));
    let piece = PlacedShape {
        shape: CollisionShape::Box(size / 2.0),
        at: RigidFrame::IDENTITY,
    };
    let options = PropBodySettings {
        body_type,
        pieces: Arc::from(vec![piece]),
        ..PropBodySettings::default()
    };
    let mut bodies = stage.bodies();
    bodies
        .set_prop_body(handle, Some(options), Velocity::default())
        .unwrap();
    handle
}

#[test]
fn an_empty_stage() {
    let n = check("empty", stage(), 3);
    assert!(n < 10_000, "{n}");
}

#[test]
fn falling_boxes() {
    for n_ticks in [0, 1, 40, 300] {
        let mut stage = stage();
        add_box(
            &mut stage,
            Vec3::Y * 0.2,
            Vec3::new(1.0, 0.4, 1.0),
            BodyType::Static,
        );
        for i in 0..30 {
            let i = i as f32;
            let position = Vec3::new((i * 0.7).sin() * 0.3, 1.0 + i * 0.35, (i * 1.3).cos() * 0.3);
            add_box(&mut stage, position, Vec3::splat(0.3), BodyType::Dynamic);
        }
        check("boxes", stage, n_ticks);
    }
}

#[test]
fn primitive_shapes_are_shared_again() {
    let mut stage = stage();
    let handles = [0.0, 1.0].map(|x| add_box(&mut stage, Vec3::X * x, Vec3::ONE, BodyType::Static));
    let mut read = Stage::decode(&stage.encode().unwrap(), resolve).unwrap();
    let [a, b] = handles.map(|handle| read.characters.get(handle).unwrap().definition.clone());
    assert!(Arc::ptr_eq(&a, &b));
    let known = read.characters.primitive(&PrimitiveMesh::Box(Vec3::ONE));
    assert!(Arc::ptr_eq(&a, &known));
}

#[test]
fn ragdolls_in_mid_fall() {
    for n_ticks in [0, 1, 20, 200] {
        let mut stage = stage();
        let first = add_man(&mut stage, "first", Vec3::Y);
        let second = add_man(&mut stage, "second", Vec3::new(0.3, 0.0, 0.2));
        run(&mut stage, 5);
        stage.bodies().kill(first);
        stage.bodies().knock_down(second);
        check("ragdolls", stage, n_ticks);
    }
}

/// A machine with two states and a slow cross-fade.
fn machine() -> MachineDef {
    let state = |name: &str| StateDef {
        name: name.into(),
        content: Content::Motion(MotionDef::Clip(name.into())),
        ..StateDef::default()
    };
    let transition = |from: &str, to: &str, when: &str| TransitionDef {
        from: FromStates::States(vec![from.into()]),
        to: to.into(),
        when: Some(WhenDef::Text(when.into())),
        fade: Fade {
            seconds: 1.0,
            ..Fade::default()
        },
        ..TransitionDef::default()
    };
    let states = StatesDef {
        states: vec![state("idle"), state("walk")],
        transitions: vec![transition("idle", "walk", "speed > 0.5")],
    };
    MachineDef {
        params: vec![ParamDef {
            name: "speed".into(),
            default: ParamValue::Number(1.0),
        }],
        layers: vec![LayerDef {
            name: "base".into(),
            states,
            ..LayerDef::default()
        }],
        ..MachineDef::default()
    }
}

fn add_machine(stage: &mut Stage, handle: Handle) {
    let definition = man();
    let machine = bind(&machine(), &definition.clips, &definition.markers).unwrap();
    let Stage {
        characters, events, ..
    } = stage;
    assert!(characters.set_machine(handle, machine, 0.0, events));
}

#[test]
fn a_machine_in_a_cross_fade() {
    let mut stage = stage();
    let handle = add_man(&mut stage, "man", Vec3::ZERO);
    add_machine(&mut stage, handle);
    let n = check("machine", stage, 30);
    assert!(n < 100_000, "{n}");
}

fn crowd(stage: &Stage, body: Arc<Gaits>, n: usize) -> StageCrowd {
    let mut random = RandomSource::new(5);
    let agents = (0..n).map(|i| {
        let side = if i % 2 == 0 { 1.0 } else { -1.0 };
        let from = Vec2::new((i / 4) as f32 - 3.0, side * (3.0 + (i % 4) as f32 * 0.4));
        let pace = random.between(1.1, 1.5);
        let mut agent = CrowdAgent::new(Vec3::new(from.x, 0.0, from.y), random.unit(), pace);
        agent.send(Some(Vec2::new(from.x * 0.5, -from.y)));
        agent
    });
    StageCrowd {
        identity: Default::default(),
        bodies: vec![body],
        tints: vec![Arc::from(Vec::new())],
        agents: agents.collect(),
        walls: Vec::new(),
        obstacles: Vec::new(),
        uses_push: false,
        navmesh: stage
            .agents
            .nav_meshes
            .iter()
            .map(|(handle, _)| handle)
            .next(),
        routes: Default::default(),
        clips: Vec::new(),
        states: Arc::from(Vec::new()),
        start: 0,
        meet_chance: 0.3,
        random: RandomSource::new(1),
        promotion: None,
        n_stepped_aside: 0,
        memory: Default::default(),
        missing_clips: Default::default(),
        tours: Default::default(),
    }
}

#[test]
fn a_crowd_on_a_navigation_mesh() {
    let mut stage = stage();
    add_box(
        &mut stage,
        Vec3::Y * 0.5,
        Vec3::new(6.0, 1.0, 0.5),
        BodyType::Static,
    );
    run(&mut stage, 1);
    let options = galatea_navmesh::BakeOptions {
        low: Vec3::new(-10.0, -1.0, -10.0),
        high: Vec3::new(10.0, 3.0, 10.0),
        ..Default::default()
    };
    let mesh = crate::nav_meshes::StageNavMesh::new(options, Default::default());
    let Stage { agents, ids, .. } = &mut stage;
    agents.add_nav_mesh(ids, None, mesh).unwrap();
    run(&mut stage, 1);
    let clips = ["idle", "walk", "run"].map(|name| man().clips.find(name));
    let crowd = crowd(&stage, Arc::new(Gaits::new(man(), clips)), 40);
    let Stage { agents, ids, .. } = &mut stage;
    agents.add_crowd(ids, None, crowd).unwrap();
    check("crowd", stage, 100);
}

#[test]
fn a_flock() {
    let mut stage = stage();
    let form = PrimitiveMesh::Sphere(0.1);
    let definition = stage.characters.primitive(&form);
    let body = Arc::new(Gaits::new(definition, [None; 3]).with_clip(None));
    let mut random = RandomSource::new(3);
    let boids: Vec<Boid> = (0..60)
        .map(|_| Boid {
            at: Vec3::new(
                random.between(-5.0, 5.0),
                random.between(3.0, 6.0),
                random.between(-5.0, 5.0),
            ),
            velocity: Vec3::new(random.between(-3.0, 3.0), 0.0, random.between(-3.0, 3.0)),
        })
        .collect();
    let birds = boids
        .iter()
        .map(|boid| Bird::new(boid, 1.0, 1, 0.5))
        .collect();
    let flock = StageFlock::new(body, boids, birds, FlockRules::default());
    let Stage { agents, ids, .. } = &mut stage;
    agents.add_flock(ids, None, flock).unwrap();
    check("flock", stage, 50);
}

#[test]
fn a_model_with_clips_and_without_a_source_is_refused() {
    let mut stage = stage();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/man.glb");
    let model = galatea_asset::gltf::load(&path).unwrap();
    let definition = Arc::new(Definition::new(Arc::new(model)));
    stage.add_character(definition, "man.glb", None, Placement::default());
    let error = stage.encode().unwrap_err();
    assert!(matches!(error, PersistError::Write(_)));
    assert!(error.to_string().contains("cannot be saved"), "{error}");
}

#[test]
fn clips_of_scripts_are_added_again_and_shared() {
    let mut stage = stage();
    let made = Arc::new(MadeClip {
        name: "bow".into(),
        duration: 1.0,
        ..MadeClip::default()
    });
    let definition = man().with_made(std::slice::from_ref(&made)).unwrap();
    let handles = ["a", "b"].map(|name| {
        let handle = add_man(&mut stage, name, Vec3::ZERO);
        let character = stage.characters.get_mut(handle).unwrap();
        character.add_clip(made.clone(), definition.clone());
        handle
    });
    let read = Stage::decode(&stage.encode().unwrap(), resolve).unwrap();
    let [a, b] = handles.map(|handle| read.characters.get(handle).unwrap());
    assert!(Arc::ptr_eq(&a.definition, &b.definition));
    assert!(Arc::ptr_eq(&a.definition.model, &man().model));
    let bow = a.definition.clips.find("bow").unwrap();
    assert_eq!(a.playback.markers.len(), bow + 1);
    assert!(Arc::ptr_eq(
        &a.playback.own_clips[0],
        &a.definition.made()[0]
    ));
    check("made clips", stage, 10);
}

#[test]
fn environments_are_written_or_found_again() {
    let environment = Environment::from_fn(4, |direction| direction.abs());
    let in_use = |environment: &Arc<Environment>| EnvironmentUse {
        environment: environment.clone(),
        yaw: 0.5,
        intensity: 1.0,
        background: true,
        blur: 0.0,
    };
    let mut stage = stage();
    let made = Arc::new(environment.clone());
    stage.lighting.light.environment = Some(in_use(&made));
    let read = Stage::decode(&stage.encode().unwrap(), no_externals).unwrap();
    let found = read.lighting.light.environment.unwrap().environment;
    assert_eq!(*found, *made);
    let loaded = Arc::new(Environment {
        path: Some("sky.hdr".into()),
        ..environment
    });
    stage.lighting.light.environment = Some(in_use(&loaded));
    let bytes = stage.encode().unwrap();
    let kept = loaded.clone();
    let find = move |kind: &str, key: &str| -> Result<ExternalValue, String> {
        assert_eq!((kind, key), (ENVIRONMENT_KIND, "sky.hdr"));
        Ok(kept.clone())
    };
    let read = Stage::decode(&bytes, find).unwrap();
    let found = read.lighting.light.environment.unwrap().environment;
    assert!(Arc::ptr_eq(&found, &loaded));
    let error = Stage::decode(&bytes, no_externals).unwrap_err();
    assert!(error.to_string().contains("sky.hdr"), "{error}");
}

#[test]
fn damaged_bytes_never_panic() {
    let mut stage = stage();
    add_box(&mut stage, Vec3::Y, Vec3::ONE, BodyType::Dynamic);
    run(&mut stage, 3);
    let bytes = stage.encode().unwrap();
    let mut random = RandomSource::new(9);
    for _ in 0..200 {
        let i = random.bits() as usize % bytes.len();
        assert!(Stage::decode(&bytes[..i], resolve).is_err());
        let mut damaged = bytes.clone();
        damaged[i] ^= 1 << (random.bits() % 8);
        drop(Stage::decode(&damaged, resolve));
    }
}
