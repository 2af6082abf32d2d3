//! Sliding over ground of many triangles, and over ground of several objects.

use std::sync::Arc;

use galatea::asset::{ModelKey, PrimitiveMesh, Terrain};
use galatea::math::heights::Heights;
use galatea::physics::{
    Cells, CollisionShape, PlacedShape, PropBodySettings, RigidFrame, ShapeOverrides, Velocity,
};
use galatea::stage::{Handle, Stage};
use glam::{Quat, Vec2, Vec3};

use super::falls::stay_down;
use super::scenes::{at, galatea, loose, put, run};

/// Construction of the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Box,
    Heights,
    Mesh,
}

/// Size of the ground along x and z, metres.
const SIZE: Vec2 = Vec2::new(24.0, 6.0);

fn heights(columns: usize, rows: usize, height: impl Fn(Vec3) -> f32) -> Arc<Heights> {
    let flat = Heights::new(columns, SIZE, vec![0.0; columns * rows]).unwrap();
    let values = (0..columns * rows).map(|i| height(flat.position(i % columns, i / columns)));
    Arc::new(Heights::new(columns, SIZE, values.collect()).unwrap())
}

fn corners(ground: &Heights) -> Arc<[Vec3]> {
    let [columns, rows] = ground.counts();
    let all = (0..columns * rows).map(|i| ground.position(i % columns, i / columns));
    all.collect()
}

/// Adds ground to the stage. `surface` returns the surface of a cell for its centre.
fn ground(
    stage: &mut Stage,
    kind: Kind,
    heights: &Arc<Heights>,
    surface: Option<&dyn Fn(Vec3) -> u8>,
) -> Handle {
    let names: Vec<Arc<str>> = vec!["grass".into(), "ice".into()];
    let [columns, _] = heights.counts();
    let triangles: Vec<[u32; 3]> = heights.triangles().collect();
    let middle = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| heights.position(i as usize % columns, i as usize / columns));
        (a + b + c) / 3.0
    };
    let mut wear = ShapeOverrides::default();
    let shape = match (kind, surface) {
        (Kind::Box, _) => CollisionShape::Box(Vec3::new(SIZE.x / 2.0, 0.5, SIZE.y / 2.0)),
        (Kind::Heights, _) => {
            let cells = triangles.chunks(2).map(|pair| middle(&pair[0]));
            wear.cells = surface.map(|surface| {
                let made_of = cells.map(surface).collect();
                Arc::new(Cells::of_heights(heights.clone(), names, made_of))
            });
            CollisionShape::Heights(heights.clone())
        }
        (Kind::Mesh, Some(surface)) => {
            // A degenerate triangle, which the engine skips.
            let triangles = [&[[0, 0, 1]], &triangles[..]].concat();
            let made_of: Vec<u8> = triangles.iter().map(|t| surface(middle(t))).collect();
            let made = Cells::of_mesh(corners(heights), &triangles, names, &made_of);
            let (cells, shape) = made.unwrap();
            wear.cells = Some(Arc::new(cells));
            shape
        }
        (Kind::Mesh, None) => CollisionShape::mesh(corners(heights), triangles.into()),
    };
    let form = PrimitiveMesh::Terrain(Arc::new(Terrain {
        heights: heights.clone(),
        colors: Vec::new(),
    }));
    let definition = stage.characters.primitive(&form);
    let low = if kind == Kind::Box { -0.5 } else { 0.0 };
    let handle = stage.add_character(
        definition,
        ModelKey::Primitive("ground".into()),
        None,
        at(0.0, low, 0.0),
    );
    let piece = PlacedShape {
        shape,
        at: RigidFrame::IDENTITY,
    };
    let options = PropBodySettings {
        pieces: [piece].into(),
        shape_overrides: [wear].into(),
        surface: "grass".into(),
        ..PropBodySettings::default()
    };
    let made = stage
        .bodies()
        .set_prop_body(handle, Some(options), Velocity::default());
    made.unwrap();
    handle
}

fn place(stage: &Stage, who: Handle) -> Vec3 {
    stage.characters.get(who).unwrap().placement.position
}

fn empty() -> Stage {
    let mut stage = Stage::default();
    stage.floor.collision_height = None;
    stage
}

#[test]
fn a_box_stays_on_the_grass_of_a_slope_and_slides_on_its_ice() {
    // The friction of wood holds up to 29 degrees on grass, and up to 8 on ice.
    let rise = 20_f32.to_radians().tan();
    for kind in [Kind::Heights, Kind::Mesh] {
        let mut stage = empty();
        let slope = heights(49, 13, |p| p.z * rise);
        let surface = |p: Vec3| u8::from(p.x > 0.0);
        ground(&mut stage, kind, &slope, Some(&surface));
        let tilt = Quat::from_rotation_x(-20_f32.to_radians());
        let crates: Vec<Handle> = [-4.0, -1.13, 1.13, 4.0]
            .iter()
            .map(|x| {
                let begin = at(*x, 2.0 * rise, 2.0);
                let begin = begin.turned(tilt);
                let up = begin.rotation() * Vec3::Y * 0.151;
                let begin = galatea::character::Placement {
                    position: begin.position + up,
                    ..begin
                };
                let options = PropBodySettings {
                    surface: "wood".into(),
                    ..loose(8.0)
                };
                put(
                    &mut stage,
                    PrimitiveMesh::Box(Vec3::splat(0.3)),
                    begin,
                    options,
                )
            })
            .collect();
        let before: Vec<Vec3> = crates.iter().map(|one| place(&stage, *one)).collect();
        run(&mut stage, 1.0);
        let went: Vec<f32> = crates
            .iter()
            .zip(before)
            .map(|(one, before)| place(&stage, *one).distance(before))
            .collect();
        println!("{kind:?}: {went:?} m");
        assert!(went[0] < 0.005 && went[1] < 0.005, "{kind:?}: {went:?}");
        // g (sin 20° - µ cos 20°) / 2 over a second.
        let friction = (0.6_f32 * 0.03).sqrt();
        let (sin, cos) = 20_f32.to_radians().sin_cos();
        let wanted = 9.81 * (sin - friction * cos) / 2.0;
        for way in &went[2..] {
            assert!(
                (way / wanted - 1.0).abs() < 0.1,
                "{kind:?}: {way} m for {wanted}"
            );
        }
    }
}

#[test]
fn a_lying_character_slides_on_ice_and_stays_on_grass() {
    for kind in [Kind::Heights, Kind::Mesh] {
        let ways = [0_u8, 1].map(|surface| {
            let mut stage = empty();
            let slope = heights(49, 13, |p| -p.x * 0.25);
            ground(&mut stage, kind, &slope, Some(&|_| surface));
            let who = stage.add_character(galatea(), "who.glb", None, at(-3.0, 0.8, 0.0));
            stay_down(&mut stage, who);
            assert!(stage.bodies().fall(who));
            // Waits until it has come to rest.
            run(&mut stage, 2.5);
            let before = hips(&stage, who);
            run(&mut stage, 1.5);
            hips(&stage, who).distance(before)
        });
        println!("{kind:?}: {ways:?} m");
        assert!(ways[0] < 0.05 && ways[1] > 1.0, "{kind:?}: {ways:?}");
    }
}

fn hips(stage: &Stage, who: Handle) -> Vec3 {
    let limbs = stage
        .characters
        .get(who)
        .unwrap()
        .body
        .limbs
        .as_ref()
        .unwrap();
    limbs.ragdoll.frame(0).unwrap().position
}

#[test]
fn edges_in_level_ground_do_not_slow_sliding_boxes() {
    let flat = heights(97, 25, |_| 0.0);
    for yaw in [0.0_f32, 17.0, 45.0] {
        let went = |kind: Kind| {
            let mut stage = empty();
            ground(&mut stage, kind, &flat, None);
            let begin = at(-10.0, 0.15, 0.07).turned(Quat::from_rotation_y(yaw.to_radians()));
            let options = PropBodySettings {
                friction: Some(0.01),
                ..loose(8.0)
            };
            let crate_ = put(
                &mut stage,
                PrimitiveMesh::Box(Vec3::splat(0.3)),
                begin,
                options,
            );
            let velocity = Velocity {
                linear: Vec3::new(5.0, 0.0, 0.3),
                angular: Vec3::ZERO,
            };
            run(&mut stage, 0.1);
            stage.bodies().set_velocity(crate_, velocity);
            let from = place(&stage, crate_);
            let mut high = from.y;
            for _ in 0..120 {
                run(&mut stage, 1.0 / 60.0);
                high = high.max(place(&stage, crate_).y);
            }
            (place(&stage, crate_) - from, high - from.y)
        };
        let (plain, _) = went(Kind::Box);
        for kind in [Kind::Heights, Kind::Mesh] {
            let (way, hop) = went(kind);
            let ratio = way.x / plain.x;
            println!("yaw {yaw}, {kind:?}: {way} for {plain}, {ratio}, hop {hop}");
            assert!((ratio - 1.0).abs() < 0.001, "{kind:?} at {yaw}: {ratio}");
            assert!((way.z - plain.z).abs() < 0.001, "{kind:?} at {yaw}: {way}");
            assert!(hop < 0.001, "{kind:?} at {yaw}: hops by {hop} m");
        }
    }
}

#[test]
fn edges_in_level_ground_do_not_slow_a_sliding_ragdoll() {
    let flat = heights(97, 25, |_| 0.0);
    let went = |kind: Kind, z: f32| {
        let mut stage = empty();
        let ground = ground(&mut stage, kind, &flat, None);
        let solid = stage
            .characters
            .get(ground)
            .unwrap()
            .body
            .prop_body
            .as_ref()
            .unwrap();
        let options = PropBodySettings {
            friction: Some(0.02),
            ..solid.options.clone()
        };
        stage
            .bodies()
            .set_prop_body(ground, Some(options), Velocity::default())
            .unwrap();
        let who = stage.add_character(galatea(), "who.glb", None, at(-10.0, 0.0, z));
        stay_down(&mut stage, who);
        assert!(stage.bodies().fall(who));
        run(&mut stage, 3.0);
        let from = hips(&stage, who);
        let limbs = stage
            .characters
            .get(who)
            .unwrap()
            .body
            .limbs
            .as_ref()
            .unwrap();
        let bodies: Vec<_> = (0..limbs.ragdoll.len())
            .filter_map(|i| limbs.ragdoll.body(i))
            .collect();
        for body in bodies {
            let velocity = Velocity {
                linear: Vec3::X * 7.0,
                angular: Vec3::ZERO,
            };
            stage.physics.world.set_velocity(body, velocity);
        }
        run(&mut stage, 2.0);
        hips(&stage, who) - from
    };
    for z in [-0.4, 0.0, 0.37] {
        let plain = went(Kind::Box, z);
        for kind in [Kind::Heights, Kind::Mesh] {
            let way = went(kind, z);
            let ratio = way.x / plain.x;
            println!("z {z}, {kind:?}: {way} for {plain}, {ratio}");
            // In another posture she may slide farther.
            assert!(ratio > 0.98, "{kind:?} at {z}: {ratio}");
        }
    }
}
