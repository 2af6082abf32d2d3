//! Objects that fall and rest, and queries for them.

use galatea::asset::PrimitiveMesh;
use galatea::physics::{Filter, PropBodySettings};
use galatea::stage::Stage;
use glam::Vec3;

use super::scenes::{at, hash, loose, put, run};

fn crates(n: usize) -> Stage {
    let mut stage = Stage::default();
    for i in 0..n {
        let k = i as f32;
        let size = Vec3::new(0.2 + 0.03 * (k % 7.0), 0.25 + 0.02 * (k % 5.0), 0.3);
        let mut place = at(
            (k * 0.37).sin() * 0.6,
            0.5 + k * 0.33,
            (k * 0.71).cos() * 0.6,
        );
        place.yaw = 37.0 * k;
        put(
            &mut stage,
            PrimitiveMesh::Box(size),
            place,
            loose(4.0 + k % 9.0),
        );
    }
    stage
}

#[test]
fn a_hundred_boxes_come_to_rest_and_none_sinks() {
    let mut stage = crates(100);
    run(&mut stage, 14.0);
    for (_, character) in stage.characters.iter() {
        let place = character.placement.position;
        assert!(place.is_finite() && place.y > 0.08, "{place}");
        assert!(character.body.is_asleep(), "{place} still moves");
    }
    let before = hash(&stage);
    run(&mut stage, 1.0);
    assert_eq!(hash(&stage), before, "what rests does not stir");
}

#[test]
fn a_query_before_the_first_step_does_not_prevent_falling() {
    let mut stage = crates(1);
    let Stage { physics, floor, .. } = &mut stage;
    physics.refresh(floor);
    let y = |stage: &Stage| {
        stage
            .characters
            .iter()
            .next()
            .unwrap()
            .1
            .placement
            .position
            .y
    };
    let before = y(&stage);
    run(&mut stage, 0.5);
    assert!(y(&stage) < before - 0.2, "{before} {}", y(&stage));
}

#[test]
fn the_same_run_gives_the_same_bits() {
    let run_once = || {
        let mut stage = crates(40);
        run(&mut stage, 3.0);
        hash(&stage)
    };
    assert_eq!(run_once(), run_once());
}

/// The rebound height is the squared restitution times the drop; free fall is ½gt².
#[test]
fn a_ball_falls_and_springs_back_as_it_should() {
    let mut stage = Stage::default();
    let bouncy = PropBodySettings {
        restitution: Some(0.8),
        damping: [0.0, 0.0],
        ..loose(1.0)
    };
    let ball = put(
        &mut stage,
        PrimitiveMesh::Sphere(0.1),
        at(0.0, 2.1, 0.0),
        bouncy,
    );
    let height = |stage: &Stage| stage.characters.get(ball).unwrap().placement.position.y - 0.1;
    run(&mut stage, 0.5);
    let fallen = 2.0 - height(&stage);
    assert!((fallen - 0.5 * 9.81 * 0.25).abs() < 0.045, "{fallen}");
    run(&mut stage, 0.2);
    let mut top = 0.0_f32;
    for _ in 0..60 {
        run(&mut stage, 1.0 / 60.0);
        top = top.max(height(&stage));
    }
    assert!((top - 0.64 * 2.0).abs() < 0.08, "rebound {top}");
}

#[test]
fn without_gravity_props_move_straight() {
    let mut stage = Stage::default();
    stage.physics.gravity = Vec3::ZERO;
    let options = PropBodySettings {
        damping: [0.0, 0.0],
        ..loose(2.0)
    };
    let thing = put(
        &mut stage,
        PrimitiveMesh::Box(Vec3::ONE),
        at(0.0, 3.0, 0.0),
        options,
    );
    stage.bodies().push(thing, Vec3::new(2.0, 4.0, 0.0), None);
    run(&mut stage, 2.0);
    let place = stage.characters.get(thing).unwrap().placement.position;
    assert!(place.distance(Vec3::new(2.0, 7.0, 0.0)) < 1e-3, "{place}");
}

#[test]
fn a_bullet_does_not_pass_through_a_thin_wall() {
    let mut stage = Stage::default();
    let wall = PrimitiveMesh::Box(Vec3::new(3.0, 3.0, 0.02));
    put(
        &mut stage,
        wall,
        at(0.0, 1.5, 0.0),
        PropBodySettings::default(),
    );
    let bullet = PropBodySettings {
        bullet: true,
        ..loose(0.05)
    };
    let bullet = put(
        &mut stage,
        PrimitiveMesh::Sphere(0.01),
        at(0.0, 1.5, 5.0),
        bullet,
    );
    stage
        .bodies()
        .push(bullet, Vec3::new(0.0, 0.0, -0.05 * 300.0), None);
    run(&mut stage, 1.0);
    let place = stage.characters.get(bullet).unwrap().placement.position;
    assert!(place.z > 0.0, "{place}");
}

#[test]
fn rays_hit_bodies_except_excluded_ones() {
    let mut stage = Stage::default();
    let near = put(
        &mut stage,
        PrimitiveMesh::Box(Vec3::ONE),
        at(0.0, 0.5, 2.0),
        PropBodySettings::default(),
    );
    let far = put(
        &mut stage,
        PrimitiveMesh::Sphere(0.5),
        at(0.0, 0.5, -2.0),
        PropBodySettings::default(),
    );
    let floor = stage.floor.clone();
    stage.physics.refresh(&floor);
    let world = &stage.physics.world;
    let (from, along) = (Vec3::new(0.0, 0.5, 5.0), Vec3::NEG_Z);
    let hit = world.ray(from, along, 10.0, &Filter::default()).unwrap();
    assert_eq!(hit.owner, galatea::stage::owner(near));
    assert!((hit.distance - 2.5).abs() < 1e-4 && hit.normal.distance(Vec3::Z) < 1e-4);
    let without = [galatea::stage::owner(near)];
    let filter = Filter {
        exclude: &without,
        ..Filter::default()
    };
    let hit = world.ray(from, along, 10.0, &filter).unwrap();
    assert_eq!(hit.owner, galatea::stage::owner(far));
    let down = world
        .ray(from, Vec3::NEG_Y, 10.0, &Filter::default())
        .unwrap();
    assert!(down.body.is_none() && (down.distance - 0.5).abs() < 1e-4);
    let all = world.ray_all(from, along, 10.0, &Filter::default());
    assert_eq!(all.len(), 2);
}

/// A query between two steps does not disturb the next step.
#[test]
fn queries_see_changes_since_the_last_step() {
    let mut stage = crates(12);
    let floor = stage.floor.clone();
    let top = |stage: &mut Stage| {
        stage.physics.refresh(&floor);
        let filter = Filter::default();
        let world = &stage.physics.world;
        let hit = world.ray(Vec3::new(9.0, 9.0, 9.0), Vec3::NEG_Y, 20.0, &filter);
        hit.map(|hit| hit.position.y).unwrap()
    };
    for i in 0..90 {
        let size = Vec3::splat(0.4);
        let inside = put(
            &mut stage,
            PrimitiveMesh::Box(size),
            at(0.0, 0.3, 0.0),
            loose(3.0),
        );
        let solid = put(
            &mut stage,
            PrimitiveMesh::Box(size),
            at(9.0, 1.0, 9.0),
            PropBodySettings::default(),
        );
        assert!((top(&mut stage) - 1.2).abs() < 1e-4, "{i}: it came");
        let character = stage.characters.get_mut(solid).unwrap();
        character.placement.position.y = 3.0;
        run(&mut stage, 1.0 / 60.0);
        assert!(
            (top(&mut stage) - 3.2).abs() < 1e-4,
            "{i}: it was put elsewhere"
        );
        for gone in [inside, solid] {
            stage
                .bodies()
                .set_prop_body(gone, None, galatea::physics::Velocity::default())
                .unwrap();
        }
        assert!(top(&mut stage).abs() < 1e-4, "{i}: it went");
    }
}
