//! Files with colliders: names of nodes and their extras.

use std::sync::Arc;

use galatea::asset::collider::ColliderPrimitive;
use galatea::asset::model::Model;
use galatea::character::Definition;
use galatea::physics::{BodyType, Filter, QueryHit};
use galatea::stage::{Handle, Stage, owner};
use glam::Vec3;
use serde_json::{Value, json};

use super::collider_file::load;
use super::scenes::{at, run};

fn level(nodes: Value) -> Model {
    load(nodes, Value::Null, &[])
}

fn staged(model: Model) -> (Stage, Handle) {
    let mut stage = Stage::default();
    let definition = Arc::new(Definition::new(Arc::new(model)));
    let handle = stage.add_character(definition, "level", None, at(0.0, 0.0, 0.0));
    stage.bodies().set_prop_body_from_file(handle).unwrap();
    (stage, handle)
}

fn down(stage: &mut Stage, x: f32) -> QueryHit {
    let floor = stage.floor.clone();
    stage.physics.refresh(&floor);
    let from = Vec3::new(x, 50.0, 0.1);
    let filter = Filter::default();
    stage
        .physics
        .world
        .ray(from, Vec3::NEG_Y, 100.0, &filter)
        .unwrap()
}

#[test]
fn names_of_nodes_make_colliders_and_hide_collision_meshes() {
    let model = level(json!([
        { "name": "floor-col", "mesh": 0, "translation": [0, 1, 0] },
        { "name": "wall-colonly", "mesh": 0, "translation": [5, 2, 0] },
        { "name": "rock-convcolonly.001", "mesh": 0, "translation": [10, 3, 0], "scale": [2, 1, 1] },
        { "name": "UBX_crate_00", "mesh": 0, "translation": [15, 4, 0], "scale": [1, 0.5, 1] },
        { "name": "USP_ball", "mesh": 0, "translation": [20, 5, 0] },
        { "name": "UCP_post", "mesh": 0, "translation": [25, 6, 0], "scale": [1, 3, 1] },
        { "name": "UCX_rock", "mesh": 0, "translation": [30, 7, 0] },
        { "name": "only_seen", "mesh": 0, "translation": [35, 1, 0] },
    ]));
    assert_eq!(model.warnings, [] as [String; 0]);
    let drawn: Vec<&str> = model.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(drawn, ["floor-col", "only_seen"]);
    assert_eq!(model.colliders.len(), 7);
    assert!(matches!(
        model.colliders[1].shape,
        ColliderPrimitive::Mesh(..)
    ));
    assert!(matches!(
        model.colliders[2].shape,
        ColliderPrimitive::Hull(_)
    ));
    assert_eq!(
        model.colliders[5].shape,
        ColliderPrimitive::Capsule(1.0, 6.0)
    );
    let (mut stage, handle) = staged(model);
    // Away from its centre, the top of a sphere is lower.
    let round = (1.0_f32 - 0.01).sqrt();
    let tops = [2.0, 3.0, 4.0, 4.5, 5.0 + round, 6.0 + 2.0 + round, 8.0];
    for (i, top) in tops.into_iter().enumerate() {
        let hit = down(&mut stage, 5.0 * i as f32);
        assert!(
            (hit.position.y - top).abs() < 1e-3,
            "{i}: {} {top}",
            hit.position
        );
        assert_eq!((hit.owner, hit.part), (owner(handle), i as u16));
    }
    assert!(down(&mut stage, 35.0).body.is_none(), "the floor");
}

#[test]
fn extras_define_shape_surface_and_sensor_and_errors_are_reported() {
    let model = level(json!([
        { "name": "ice", "mesh": 0, "translation": [0, 1, 0], "extras": { "collider": { "surface": "ice" } } },
        { "name": "gate", "mesh": 0, "translation": [5, 1, 0], "extras": { "collider": { "shape": "box", "sensor": true, "visible": false } } },
        { "name": "bare", "translation": [10, 1, 0], "extras": { "collider": { "size": [2, 4, 2], "offset": [0, 1, 0] } } },
        { "name": "off-col", "mesh": 0, "translation": [15, 1, 0], "extras": { "collider": false } },
        { "name": "wrong", "mesh": 0, "translation": [20, 1, 0], "extras": { "collider": { "shap": "box", "restitution": 7 } } },
        { "name": "nothing", "translation": [25, 1, 0], "extras": { "collider": true } },
    ]));
    let told = model.warnings.join("\n");
    for word in [
        "\"wrong\", extras.collider",
        "did you mean \"shape\"",
        "\"restitution\" is 7",
        "\"nothing\": the collider has neither a mesh nor a size",
    ] {
        assert!(told.contains(word), "{word} in {told}");
    }
    assert_eq!(model.colliders.len(), 4);
    let (mut stage, handle) = staged(model);
    let hit = down(&mut stage, 0.0);
    let solid = stage
        .characters
        .get(handle)
        .unwrap()
        .body
        .prop_body
        .as_ref()
        .unwrap();
    assert_eq!(&**solid.options.surface_of(hit.part, Vec3::ZERO), "ice");
    assert_eq!(solid.options.body_type, BodyType::Static);
    assert!(
        down(&mut stage, 5.0).body.is_none(),
        "a ray passes a sensor"
    );
    assert!((down(&mut stage, 10.0).position.y - 4.0).abs() < 1e-4);
    assert!(
        down(&mut stage, 15.0).body.is_none(),
        "extras win over the name"
    );
    assert!(
        (down(&mut stage, 20.0).position.y - 2.0).abs() < 1e-4,
        "the rest of it holds"
    );
}

#[test]
fn a_file_with_a_mass_falls_and_a_wrong_layer_is_an_error() {
    let (mut stage, handle) = staged(level(json!([
        { "name": "crate", "mesh": 0, "translation": [0, 4, 0], "extras": { "collider": { "mass": 12 } } },
    ])));
    let body = stage
        .characters
        .get(handle)
        .unwrap()
        .body
        .prop_body
        .as_ref()
        .unwrap()
        .body()
        .unwrap();
    let mass = stage.physics.world.mass(body);
    assert!((mass - 12.0).abs() < 1e-3, "{mass} kg");
    run(&mut stage, 3.0);
    let place = stage.characters.get(handle).unwrap().placement.position;
    assert!((place.y + 3.0).abs() < 0.02, "{place}");
    let model =
        level(json!([{ "name": "a", "mesh": 0, "extras": { "collider": { "layer": "prop" } } }]));
    let definition = Arc::new(Definition::new(Arc::new(model)));
    let handle = stage.add_character(definition, "b", None, at(0.0, 0.0, 0.0));
    let why = stage.bodies().set_prop_body_from_file(handle).unwrap_err();
    assert!(
        why.contains("no layer \"prop\"") && why.contains("\"props\""),
        "{why}"
    );
}

#[test]
fn a_new_version_of_the_file_has_new_colliders() {
    let (mut stage, handle) = staged(level(json!([
        { "name": "floor-col", "mesh": 0, "translation": [0, 1, 0] },
    ])));
    assert!((down(&mut stage, 0.0).position.y - 2.0).abs() < 1e-4);
    let higher = level(json!([{ "name": "floor-col", "mesh": 0, "translation": [0, 3, 0] }]));
    stage
        .replace_definition(handle, Arc::new(Definition::new(Arc::new(higher))))
        .unwrap();
    assert!((down(&mut stage, 0.0).position.y - 4.0).abs() < 1e-4);
    let none = level(json!([{ "name": "floor", "mesh": 0, "translation": [0, 3, 0] }]));
    stage
        .replace_definition(handle, Arc::new(Definition::new(Arc::new(none))))
        .unwrap();
    assert!(down(&mut stage, 0.0).body.is_none());
}
