//! Springs, ropes and cloth on a stage: from files, teleports, hot reloads and model reloads.

use std::path::PathBuf;
use std::sync::Arc;

use galatea::asset::gltf::{load, load_slice};
use galatea::character::{Definition, Placement};
use galatea::physics::ragdoll::RigidFrame;
use galatea::rig::spring::{ColliderShape, Tail};
use galatea::stage::{DebugView, Handle, Stage, ViewKind, tick};
use glam::Vec3;
use serde_json::json;

use crate::common::{Bench, HERO};
use galatea_character::Character;

fn corpus(file: &str) -> Option<PathBuf> {
    Some(
        PathBuf::from(std::env::var_os("GALATEA_CORPUS")?)
            .join("03_vrm")
            .join(file),
    )
}

/// A script that does nothing.
struct NoScript;

impl galatea::stage::Script for NoScript {
    fn update(&mut self, _: &mut Stage, _: f64) {}
    fn params(&mut self, _: Handle, _: &mut [f32]) {}
    fn evaluate(&mut self, _: Handle, _: galatea::machine::Predicate) -> bool {
        false
    }
    fn deliver(&mut self, _: &mut Stage, _: &[galatea::stage::Event]) {}
}

fn staged(path: &std::path::Path) -> (Stage, Handle) {
    let model = load(path).unwrap_or_else(|error| panic!("{error}"));
    let mut stage = Stage::default();
    let definition = Arc::new(Definition::new(Arc::new(model)));
    let handle = stage.add_character(definition, "it", None, Placement::default());
    (stage, handle)
}

fn hero(stage: &mut Stage, handle: Handle) -> &mut Character {
    stage.characters.get_mut(handle).expect("it is there")
}

/// Largest distance of a spring bone from its animated position, model space, metres.
fn farthest(stage: &mut Stage, handle: Handle) -> f32 {
    let character = hero(stage, handle);
    let skeleton = &character.definition.model.skeleton;
    let mut posed = Vec::new();
    galatea::anim::local_to_model(skeleton, &character.posed.pose.locals, &mut posed);
    let pairs = posed.iter().zip(&character.posed.model_from_bone);
    pairs
        .map(|(a, b)| (a.translation - b.translation).length())
        .fold(0.0, f32::max)
}

#[test]
fn corpus_godettes_hair_swings_when_she_turns_and_comes_to_rest() {
    let Some(path) = corpus("godot-vrm-godette/vrm_samples/Godette_vrm_v4.vrm") else {
        return;
    };
    let (mut stage, handle) = staged(&path);
    let set = hero(&mut stage, handle).definition.model.springs.clone();
    let set = set.expect("VRM 0 has springs");
    assert_eq!(set.joints.len(), 16, "eight bones and the one below each");
    assert!(set.to_rest && set.joints.iter().any(|j| !j.colliders.is_empty()));
    let stiffest = set.joints.iter().map(|j| j.stiffness).fold(0.0, f32::max);
    assert_eq!(stiffest, 4.0);
    for _ in 0..120 {
        tick(&mut stage, &mut NoScript);
    }
    let still = farthest(&mut stage, handle);
    let mut widest: f32 = 0.0;
    for _ in 0..20 {
        hero(&mut stage, handle).placement.yaw += 9.0;
        tick(&mut stage, &mut NoScript);
        widest = widest.max(farthest(&mut stage, handle));
    }
    assert!(widest > still + 0.01, "{widest} {still}");
    for _ in 0..180 {
        tick(&mut stage, &mut NoScript);
    }
    let rest = farthest(&mut stage, handle);
    assert!((rest - still).abs() < 1e-3, "{rest} {still}");
    // A teleport changes only the position.
    hero(&mut stage, handle).placement.position = Vec3::new(40.0, 0.0, -3.0);
    tick(&mut stage, &mut NoScript);
    let jumped = farthest(&mut stage, handle);
    assert!((jumped - still).abs() < 1e-3, "{jumped} {still}");
    stage.picture.view = Some(DebugView::new(ViewKind::Springs));
    let mut frame = galatea::stage::Frame::default();
    stage.snapshot(1.0, &mut frame);
    let is_green = |c: Vec3| c.y > c.x && c.y > c.z;
    let circles = frame
        .lines
        .iter()
        .filter(|line| is_green(line.color))
        .count();
    assert!(
        circles >= 4 * 3 * 48,
        "four balls as three circles each: {circles}"
    );
}

#[test]
fn corpus_the_chain_with_a_ball_of_vrm_1_is_read_and_swings_around_the_ball() {
    let file = "three-vrm/three-vrm-springbone/examples/models/sphere-collider.gltf";
    let Some(path) = corpus(file) else {
        return;
    };
    let (mut stage, handle) = staged(&path);
    let set = hero(&mut stage, handle).definition.model.springs.clone();
    let set = set.expect("it has springs");
    assert_eq!(set.joints.len(), 4);
    assert!(
        set.joints
            .iter()
            .all(|joint| joint.drag == 0.4 && joint.radius == 0.25)
    );
    assert!(matches!(set.joints[3].tail, Tail::Bone(4)));
    let ball = ColliderShape::Sphere {
        offset: Vec3::ZERO,
        radius: 0.5,
        inside: false,
    };
    assert_eq!(set.colliders[0].shape, ball);
    let mut widest: f32 = 0.0;
    for i in 0..240 {
        let x = if i < 120 {
            (i as f32 * 0.15).sin()
        } else {
            0.0
        };
        hero(&mut stage, handle).placement.position = Vec3::X * x * 0.2;
        tick(&mut stage, &mut NoScript);
        widest = widest.max(farthest(&mut stage, handle));
    }
    assert!(widest > 0.1, "{widest}");
    assert!(farthest(&mut stage, handle) < widest * 0.5);
}

#[test]
fn all_vrm_1_spring_features_are_read_and_invalid_ones_reported() {
    let node = |name: &str, children: &[u32]| match children {
        [] => json!({ "name": name, "translation": [0, 1, 0] }),
        some => json!({ "name": name, "translation": [0, 1, 0], "children": some }),
    };
    let extended = |shape: serde_json::Value| {
        json!({
            "node": 0,
            "shape": { "sphere": { "radius": 9 } },
            "extensions": { "VRMC_springBone_extended_collider": { "shape": shape } },
        })
    };
    let file = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["VRMC_springBone", "VRMC_springBone_extended_collider"],
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [node("a", &[1]), node("b", &[2]), node("c", &[])],
        "extensions": { "VRMC_springBone": {
            "specVersion": "1.0",
            "colliders": [
                { "node": 77, "shape": { "sphere": { "radius": 1 } } },
                { "node": 0, "shape": { "capsule": { "offset": [1, 2, 3], "tail": [4, 5, 6], "radius": 0.5 } } },
                extended(json!({ "plane": { "offset": [0, 1, 0], "normal": [0, 2, 0] } })),
                extended(json!({ "sphere": { "radius": 2, "inside": true } })),
            ],
            "colliderGroups": [{ "colliders": [0, 1] }, { "colliders": [3, 2] }],
            "springs": [{
                "center": 0,
                "colliderGroups": [0, 1, 5],
                "joints": [
                    { "node": 1, "stiffness": 2.0, "gravityPower": 0.5, "gravityDir": [1, 0, 0], "dragForce": 0.25, "hitRadius": 0.1 },
                    { "node": 2 },
                    { "node": 99 },
                ],
            }],
        } },
    });
    let bytes = serde_json::to_vec(&file).unwrap();
    let none = &mut |name: &str| Err(name.to_owned());
    let model = load_slice("hair.gltf", &bytes, none).unwrap();
    let set = model.springs.expect("springs");
    assert_eq!(set.joints.len(), 1);
    let joint = &set.joints[0];
    assert_eq!(
        (joint.bone, joint.tail, joint.center),
        (1, Tail::Bone(2), Some(0))
    );
    assert_eq!(
        (joint.stiffness, joint.drag, joint.radius),
        (2.0, 0.25, 0.1)
    );
    assert_eq!(joint.gravity, Vec3::X * 0.5);
    assert_eq!(
        *joint.colliders,
        [0, 2, 1],
        "those of its groups that can be read"
    );
    let capsule = ColliderShape::Capsule {
        offset: Vec3::new(1.0, 2.0, 3.0),
        tail: Vec3::new(4.0, 5.0, 6.0),
        radius: 0.5,
        inside: false,
    };
    let plane = ColliderShape::Plane {
        offset: Vec3::Y,
        normal: Vec3::Y,
    };
    let shapes: Vec<ColliderShape> = set.colliders.iter().map(|c| c.shape).collect();
    let ball = ColliderShape::Sphere {
        offset: Vec3::ZERO,
        radius: 2.0,
        inside: true,
    };
    assert_eq!(shapes, [capsule, plane, ball]);
    let told = model.warnings.iter().filter(|w| w.contains("springs: 2 "));
    assert_eq!(told.count(), 1, "{:?}", model.warnings);
}

/// World position of the post's top.
fn top(bench: &Bench) -> Vec3 {
    let (_, character) = bench.stage.characters.iter().next().expect("a character");
    let m = character.posed.world[0] * character.posed.model_from_bone[1];
    m.transform_point3(Vec3::Y)
}

#[test]
fn a_removed_rope_makes_room_in_the_same_tick() {
    let mut bench = Bench::new(
        "function update()
            for _ = 1, 100 do
                rope { from = vec(0, 2, 0), to = vec(1, 2, 0) }:remove()
            end
        end",
    );
    bench.run(0.1);
    assert_eq!(bench.host.take_faults(), []);
}

#[test]
fn springs_beyond_their_limits_are_left_out_and_their_memory_stays_small() {
    let n = 3000;
    let list = |item: &dyn Fn(usize) -> serde_json::Value| (0..n).map(item).collect::<Vec<_>>();
    let nodes = list(&|i| match i + 1 < n {
        true => json!({ "name": format!("n{i}"), "translation": [0, 0.1, 0], "children": [i + 1] }),
        false => json!({ "name": "last" }),
    });
    let spring = json!({
        "colliderGroups": vec![0; 50],
        "joints": list(&|i| json!({ "node": i })),
    });
    let file = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["VRMC_springBone"],
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": nodes,
        "extensions": { "VRMC_springBone": {
            "specVersion": "1.0",
            "colliders": list(&|i| json!({ "node": i, "shape": { "sphere": { "radius": 0.1 } } })),
            "colliderGroups": [{ "colliders": (0..n).chain(0..n).collect::<Vec<_>>() }],
            "springs": vec![spring; 2],
        } },
    });
    let bytes = serde_json::to_vec(&file).unwrap();
    let none = &mut |name: &str| Err(name.to_owned());
    let model = load_slice("hair.gltf", &bytes, none).unwrap();
    let set = model.springs.expect("springs");
    assert_eq!((set.joints.len(), set.colliders.len()), (4096, 1024));
    assert_eq!(set.joints[0].colliders.len(), 1024, "each counts once");
    assert!(Arc::ptr_eq(
        &set.joints[0].colliders,
        &set.joints[2000].colliders
    ));
    for warning in [
        "springs: only the first 1024 colliders are used",
        "springs: only the first 4096 joints move",
    ] {
        assert!(
            model.warnings.iter().any(|w| w == warning),
            "{:?}",
            model.warnings
        );
    }
}

#[test]
fn springs_survive_a_reload_and_do_not_change_the_clip_pose() {
    let script = format!("{HERO}hero:spring_bone('upper', {{ gravity = 2, stiffness = 0.5 }})");
    let mut bench = Bench::new(&script);
    for _ in 0..60 {
        tick(&mut bench.stage, &mut bench.host);
    }
    let before = top(&bench);
    assert!(before.y < 1.9, "{before}");
    bench
        .load(&format!("{script}\n-- saved"))
        .expect("it loads");
    let saved = top(&bench);
    assert!(saved.distance(before) < 1e-3, "{saved} {before}");
    tick(&mut bench.stage, &mut bench.host);
    assert!(top(&bench).distance(before) < 0.1);
    let (_, character) = bench.stage.characters.iter().next().unwrap();
    let local = character.posed.pose.locals[1].to_affine().matrix3;
    let shown = character.posed.model_from_bone[1].matrix3;
    assert!(
        !shown.abs_diff_eq(local, 0.05),
        "the pose has no springs in it"
    );
}

#[test]
fn ropes_and_attached_bodies_survive_a_reload() {
    let script =
        "line = rope { from = vector.create(0, 3, 0), length = 1, end_mass = 5, name = 'line' }
        function update() line.position = vector.create(math.sin(now() * 6) * 0.3, 3, 0) end
        flag = cloth { columns = 4, rows = 4, size = vector.create(0.1, 0.1, 0), name = 'flag',
            pins = { { u = 0, v = 0, character = line, bone = 'end' } } }";
    let mut bench = Bench::new(script);
    let places = |bench: &Bench| {
        let bone = |of: &str, name: &str| {
            let mut all = bench.stage.characters.iter();
            let (_, c) = all
                .find(|(_, c)| c.identity.name() == Some(of))
                .expect("it is there");
            c.posed
                .bone_position(c.definition.model.skeleton.find(name).unwrap())
        };
        (bone("line", "end"), bone("flag", "c0_r0"))
    };
    let mut widest: f32 = 0.0;
    for _ in 0..90 {
        tick(&mut bench.stage, &mut bench.host);
        let (end, corner) = places(&bench);
        assert!(end.distance(corner) < 1e-4, "{end} {corner}");
        widest = widest.max(end.x.abs());
    }
    assert!(widest > 0.1, "it swings: {widest}");
    let (end, _) = places(&bench);
    bench
        .load(&format!("{script}\n-- saved"))
        .expect("it loads");
    tick(&mut bench.stage, &mut bench.host);
    let (after, _) = places(&bench);
    assert!(after.distance(end) < 0.15, "{after} {end}");
    assert_eq!(bench.stage.effects.fabrics.len(), 2);
}

#[test]
fn the_springs_view_shows_springs_cloth_pins_and_obstacles() {
    let script = format!(
        "{HERO}hero:spring_bone('upper', {{ radius = 0.1 }})
        hero:jiggle_bone('foot_l')
        cloth {{ columns = 3, rows = 4, collide_with = hero, colliders = {{ {{ position = vector.zero, size = vector.one }} }} }}
        debug_view 'springs'"
    );
    let mut bench = Bench::new(&script);
    tick(&mut bench.stage, &mut bench.host);
    let mut frame = galatea::stage::Frame::default();
    bench.stage.snapshot(1.0, &mut frame);
    let mut colors: Vec<[u32; 3]> = Vec::new();
    for line in &frame.lines {
        let color = line.color.to_array().map(f32::to_bits);
        if !colors.contains(&color) {
            colors.push(color);
        }
    }
    assert_eq!(colors.len(), 4, "springs, threads, pins, and the box");
    let blue = frame.lines.iter().filter(|line| line.color.z > 0.9);
    assert_eq!(blue.count(), 3 * 3 + 4 * 2, "threads down and across");
    bench.stage.picture.view = None;
    bench.stage.snapshot(1.0, &mut frame);
    assert!(frame.lines.is_empty());
}

#[test]
fn the_view_of_bodies_shows_none_of_cloth() {
    let lines = |cloth: &str| {
        let mut bench = Bench::new(&format!("{HERO}{cloth} debug_view 'bodies'"));
        tick(&mut bench.stage, &mut bench.host);
        let mut frame = galatea::stage::Frame::default();
        bench.stage.snapshot(1.0, &mut frame);
        frame.lines.len()
    };
    let own = lines("");
    assert!(own > 0);
    assert_eq!(
        lines("cloth { columns = 9, rows = 9, collide_with = hero }"),
        own
    );
}

#[test]
fn springs_and_ropes_stay_outside_of_the_bodies_that_the_script_shapes() {
    let script = format!(
        "{HERO}hero:spring_bone('foot_l', {{ collide = true }})
        rope {{ from = vector.create(-1, 2.6, 0), to = vector.create(1, 2.6, 0), length = 3.2, links = 40, collide_with = hero }}
        hero:ragdoll_bodies {{ bones = {{ upper = {{ shape = 'sphere', radius = 0.5 }} }} }}"
    );
    let mut bench = Bench::new(&script);
    for _ in 0..240 {
        tick(&mut bench.stage, &mut bench.host);
    }
    let (_, hero) = bench.stage.characters.iter().next().expect("a character");
    let bone = hero.definition.model.skeleton.find("upper").unwrap();
    let bodies = &hero.body.ragdoll(&hero.definition).bodies;
    let body = bodies.iter().find(|body| body.bone == bone).unwrap();
    let at = RigidFrame::of_bone(hero.posed.model_from_bone[usize::from(bone)])
        .then(body.bone_from_body);
    let colliders = &hero.secondary.springs[0].springs.set().colliders;
    let own = colliders.iter().find(|collider| collider.bone == bone);
    assert!(
        matches!(
            own.unwrap().shape,
            ColliderShape::Sphere { radius: 0.5, .. }
        ),
        "{own:?}"
    );
    let (_, rope) = bench.stage.effects.fabrics.iter().next().unwrap();
    let away = rope.fabric.world.particles.iter();
    let nearest = away
        .map(|particle| particle.position.distance(at.position))
        .fold(f32::INFINITY, f32::min);
    assert!((0.5..0.54).contains(&nearest), "{nearest}");
}
