//! Stages for tests of bodies.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use galatea::asset::{PrimitiveMesh, gltf};
use galatea::character::{Definition, Placement};
use galatea::physics::{
    BodyType, CollisionShape, PlacedShape, PropBodySettings, RigidFrame, Velocity,
};
use galatea::stage::{Event, Handle, Script, Stage, tick};
use glam::{Quat, Vec3};

/// A script that does nothing.
pub struct Idle;

impl Script for Idle {
    fn update(&mut self, _: &mut Stage, _: f64) {}
    fn params(&mut self, _: Handle, _: &mut [f32]) {}
    fn evaluate(&mut self, _: Handle, _: galatea::machine::Predicate) -> bool {
        false
    }
    fn deliver(&mut self, _: &mut Stage, _: &[Event]) {}
}

/// The built-in character.
pub fn galatea() -> Arc<Definition> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    Arc::new(Definition::new(Arc::new(
        gltf::load(&home.join("assets/mannequin.glb")).unwrap(),
    )))
}

/// A file of the corpus, if it is available.
pub fn corpus(path: &str) -> Option<Arc<Definition>> {
    let home = PathBuf::from(std::env::var_os("GALATEA_CORPUS")?);
    let model = gltf::load(&home.join(path)).unwrap();
    Some(Arc::new(Definition::new(Arc::new(model))))
}

/// Runs ticks for some seconds.
pub fn run(stage: &mut Stage, seconds: f64) {
    let n = (seconds / stage.clock.dt).round() as usize;
    for _ in 0..n {
        tick(stage, &mut Idle);
    }
}

/// Adds a simple object to a stage.
pub fn put(
    stage: &mut Stage,
    form: PrimitiveMesh,
    at: Placement,
    options: PropBodySettings,
) -> Handle {
    let pieces: Vec<PlacedShape> = match form {
        PrimitiveMesh::Box(size) => vec![whole(CollisionShape::Box(size / 2.0))],
        PrimitiveMesh::Sphere(radius) => vec![whole(CollisionShape::Sphere(radius))],
        PrimitiveMesh::Capsule { radius, height } => vec![whole(CollisionShape::Capsule {
            half_length: height / 2.0 - radius,
            radius,
        })],
        PrimitiveMesh::Cylinder { radius, height } => vec![whole(CollisionShape::Cylinder {
            half_length: height / 2.0,
            radius,
        })],
        PrimitiveMesh::Stairs {
            steps,
            width,
            rise,
            run,
        } => PrimitiveMesh::steps(steps, width, rise, run)
            .map(|(middle, size)| PlacedShape {
                shape: CollisionShape::Box(size / 2.0),
                at: RigidFrame {
                    position: middle,
                    rotation: Quat::IDENTITY,
                },
            })
            .collect(),
        PrimitiveMesh::Ramp(size) => vec![whole(CollisionShape::Hull(
            PrimitiveMesh::ramp_corners(size).into(),
        ))],
        PrimitiveMesh::Terrain(ref terrain) => {
            vec![whole(CollisionShape::Heights(terrain.heights.clone()))]
        }
    };
    let definition = stage.characters.primitive(&form);
    let handle = stage.add_character(definition, form.key(), None, at);
    let options = PropBodySettings {
        pieces: pieces.into(),
        ..options
    };
    stage
        .bodies()
        .set_prop_body(handle, Some(options), Velocity::default())
        .unwrap();
    handle
}

fn whole(shape: CollisionShape) -> PlacedShape {
    PlacedShape {
        shape,
        at: RigidFrame::IDENTITY,
    }
}

/// A dynamic body.
pub fn loose(mass: f32) -> PropBodySettings {
    PropBodySettings {
        body_type: BodyType::Dynamic,
        mass: Some(mass),
        layer: 1,
        ..PropBodySettings::default()
    }
}

/// A placement at a position.
pub fn at(x: f32, y: f32, z: f32) -> Placement {
    Placement {
        position: Vec3::new(x, y, z),
        ..Placement::default()
    }
}

/// Hash of the state of a stage: bodies, bones, placements.
pub fn hash(stage: &Stage) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut mix = |n: f32| {
        hash = (hash ^ u64::from(n.to_bits())).wrapping_mul(0x0100_0000_01b3);
    };
    for (_, character) in stage.characters.iter() {
        character
            .placement
            .position
            .to_array()
            .into_iter()
            .for_each(&mut mix);
        for matrix in &character.posed.model_from_bone {
            matrix.to_cols_array().into_iter().for_each(&mut mix);
        }
    }
    hash
}
