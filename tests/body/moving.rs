//! Solid nodes of a file that move: animated ones, and dynamic ones.

use std::sync::Arc;

use galatea::asset::PrimitiveMesh;
use galatea::asset::model::Model;
use galatea::character::Definition;
use galatea::physics::Filter;
use galatea::stage::{Handle, Stage, owner};
use glam::Vec3;
use serde_json::{Value, json};

use super::collider_file::{along, load};
use super::scenes::{at, loose, put, run};

fn staged(model: Model) -> (Stage, Handle) {
    turned(model, 0.0)
}

fn turned(model: Model, yaw: f32) -> (Stage, Handle) {
    let mut stage = Stage::default();
    let definition = Arc::new(Definition::new(Arc::new(model)));
    let mut spawn = at(0.0, 0.0, 0.0);
    spawn.yaw = yaw;
    let handle = stage.add_character(definition, "level", None, spawn);
    stage.bodies().set_prop_body_from_file(handle).unwrap();
    (stage, handle)
}

fn place(stage: &Stage, handle: Handle) -> Vec3 {
    stage.characters.get(handle).unwrap().placement.position
}

fn bone(stage: &Stage, handle: Handle, name: &str) -> Vec3 {
    let character = stage.characters.get(handle).unwrap();
    character
        .posed
        .bone_position(character.definition.bone(name).unwrap())
}

fn turn(degrees: f32) -> Vec<f32> {
    let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
    vec![0.0, sin, 0.0, cos]
}

#[test]
fn an_animated_lift_carries_bodies() {
    let up = along(|y| [0.0, y, 0.0], [-0.9, 0.1, 1.1, 1.1, 0.1]);
    let model = load(
        json!([
            { "name": "frame-col", "mesh": 0, "translation": [8, 1, 0] },
            { "name": "lift-col", "mesh": 0, "translation": [0, -0.9, 0] },
        ]),
        Value::Null,
        &[(1, "translation", up)],
    );
    let (mut stage, lift) = staged(model);
    let size = Vec3::splat(0.5);
    let carried = put(
        &mut stage,
        PrimitiveMesh::Box(size),
        at(0.3, 0.36, 0.0),
        loose(20.0),
    );
    run(&mut stage, 2.5);
    let top = bone(&stage, lift, "lift-col").y + 1.0;
    assert!((top - 2.1).abs() < 1e-3, "{top}");
    let carried = place(&stage, carried);
    assert!((carried.y - 0.25 - top).abs() < 0.01, "{carried} on {top}");
    assert!((carried.x - 0.3).abs() < 0.02, "{carried}");
    // The other nodes of the file stay, with their colliders.
    let Stage { physics, floor, .. } = &mut stage;
    physics.refresh(floor);
    let down = |x: f32| {
        let from = Vec3::new(x, 50.0, -0.7);
        let ray = physics
            .world
            .ray(from, Vec3::NEG_Y, 100.0, &Filter::default());
        let hit = ray.unwrap();
        (hit.owner, hit.part, hit.position.y)
    };
    let (whose, part, y) = down(8.0);
    assert_eq!((whose, part), (owner(lift), 0));
    assert!((y - 2.0).abs() < 1e-3, "{y}");
    let (whose, part, y) = down(0.0);
    assert_eq!((whose, part), (owner(lift), 1));
    assert!((y - 2.1).abs() < 2e-3, "{y}");
}

#[test]
fn an_animated_door_pushes_bodies_at_any_scale() {
    for scale in [0.5, 1.0, 2.0] {
        let swing = [0.0, 30.0, 60.0, 90.0, 90.0].map(turn);
        let model = load(
            json!([
                { "name": "hinge", "children": [1] },
                { "name": "UBX_door", "mesh": 0, "translation": [1, 1, 0], "scale": [1, 1, 0.05] },
            ]),
            Value::Null,
            &[(0, "rotation", swing)],
        );
        let (mut stage, door) = staged(model);
        stage.characters.get_mut(door).unwrap().placement.scale = scale;
        let form = PrimitiveMesh::Box(Vec3::splat(0.4 * scale));
        let from = Vec3::new(1.2, 0.2, -0.6) * scale;
        let pushed = put(&mut stage, form, at(from.x, from.y, from.z), loose(10.0));
        run(&mut stage, 3.9);
        let to = place(&stage, pushed) / scale;
        assert!(to.x < 0.4 && to.z < -0.7, "at scale {scale}: {to}");
        assert!((to.y - 0.2).abs() < 0.02, "at scale {scale}: {to}");
        assert!((bone(&stage, door, "UBX_door") / scale).z < -0.99);
    }
}

#[test]
fn an_animated_node_of_a_falling_body_moves_its_shape() {
    let out = along(|x| [x, 0.0, 0.0], [0.0, 1.0, 2.0, 2.0, 2.0]);
    let model = load(
        json!([
            { "name": "box", "mesh": 0, "scale": [0.5, 0.5, 0.5], "translation": [0, 0.5, 0], "extras": { "collider": { "mass": 50 } } },
            { "name": "drawer", "children": [2] },
            { "name": "UBX_front", "mesh": 0, "scale": [0.2, 0.2, 0.2], "translation": [0, 0.5, 0], "extras": { "collider": { "mass": 1 } } },
        ]),
        Value::Null,
        &[(1, "translation", out)],
    );
    let (mut stage, handle) = staged(model);
    run(&mut stage, 3.0);
    let Stage { physics, floor, .. } = &mut stage;
    physics.refresh(floor);
    let from = Vec3::new(2.0, 50.0, 0.0);
    let hit = physics
        .world
        .ray(from, Vec3::NEG_Y, 100.0, &Filter::default())
        .unwrap();
    assert_eq!((hit.owner, hit.part), (owner(handle), 1));
    assert!((hit.position.y - 0.7).abs() < 0.02, "{}", hit.position);
}

/// A node with the physics extension of Khronos.
fn khr(node: Value, body: Value) -> Value {
    let mut node = node;
    node["extensions"] = json!({ "KHR_physics_rigid_bodies": body });
    node
}

fn shapes(shapes: Value) -> Value {
    json!({ "extensions": { "KHR_implicit_shapes": { "shapes": shapes } } })
}

#[test]
fn nodes_with_a_motion_fall_each_for_itself_and_bring_their_bones_along() {
    let block = json!({ "type": "box", "box": { "size": [0.5, 0.5, 0.5] } });
    let floor = json!({ "type": "box", "box": { "size": [8, 1, 8] } });
    let collider = |shape: u32| json!({ "geometry": { "shape": shape } });
    let falling = json!({ "motion": { "mass": 3 }, "collider": collider(0) });
    let model = load(
        json!([
            khr(json!({ "name": "ground", "translation": [0, 0.5, 0] }), json!({ "collider": collider(1) })),
            khr(json!({ "name": "left", "translation": [-2, 3, 0], "children": [4] }), falling.clone()),
            khr(json!({ "name": "right", "translation": [2, 4, 0] }), falling),
            khr(
                json!({ "name": "cart", "translation": [0, 6, 0] }),
                json!({ "motion": { "isKinematic": true, "linearVelocity": [0, 0, 0.5] }, "collider": collider(0) }),
            ),
            { "name": "lamp", "translation": [0, 1, 0] },
        ]),
        shapes(json!([block, floor])),
        &[],
    );
    assert_eq!(model.warnings, [] as [String; 0]);
    let (mut stage, handle) = turned(model, 90.0);
    assert_eq!(stage.physics.world.n_bodies(), 4);
    run(&mut stage, 2.0);
    for (name, wanted) in [
        ("left", Vec3::new(0.0, 1.25, 2.0)),
        ("right", Vec3::new(0.0, 1.25, -2.0)),
        ("lamp", Vec3::new(0.0, 2.25, 2.0)),
        ("cart", Vec3::new(1.0, 6.0, 0.0)),
    ] {
        let found = bone(&stage, handle, name);
        assert!(found.distance(wanted) < 0.02, "{name}: {found}");
    }
    assert_eq!(place(&stage, handle), Vec3::ZERO);
    // A push goes to the nearest one, and elsewhere to the whole.
    stage
        .bodies()
        .push(handle, Vec3::Y * 9.0, Some(Vec3::new(0.0, 1.0, 2.2)));
    run(&mut stage, 0.25);
    assert!(bone(&stage, handle, "left").y > 1.6);
    assert!((bone(&stage, handle, "right").y - 1.25).abs() < 0.01);
    run(&mut stage, 2.0);
    let moved = stage.characters.get_mut(handle).unwrap();
    moved.placement.position = Vec3::new(10.0, 1.0, 0.0);
    run(&mut stage, 1.0);
    let right = bone(&stage, handle, "right");
    assert!(
        right.distance(Vec3::new(10.0, 2.25, -2.0)) < 0.03,
        "{right}"
    );
}

#[test]
fn a_single_node_motion_applies_to_the_whole_object() {
    let model = load(
        json!([khr(
            json!({ "name": "toy", "mesh": 0, "translation": [0, 5, 0] }),
            json!({
                "motion": {
                    "mass": 4, "centerOfMass": [0, -0.5, 0], "inertiaDiagonal": [2, 0, 2],
                    "gravityFactor": 0, "linearVelocity": [1, 0, 0], "angularVelocity": [0, 0, 2]
                },
                "collider": { "geometry": { "node": 0, "convexHull": true } }
            }),
        ),]),
        Value::Null,
        &[],
    );
    assert_eq!(model.warnings, [] as [String; 0]);
    let (mut stage, handle) = staged(model);
    let solid = stage
        .characters
        .get(handle)
        .unwrap()
        .body
        .prop_body
        .as_ref()
        .unwrap();
    let body = solid.body().unwrap();
    let world = &stage.physics.world;
    assert!((world.mass(body) - 4.0).abs() < 1e-4);
    let centre = world.centre_of_mass(body).unwrap();
    assert!(centre.distance(Vec3::new(0.0, 4.5, 0.0)) < 1e-4, "{centre}");
    // ½mv² and ½Iω² with I = 2.
    let energy = world.energy_of_motion();
    assert!((energy - (2.0 + 4.0)).abs() < 1e-3, "{energy} J");
    run(&mut stage, 1.0);
    let centre = stage.physics.world.centre_of_mass(body).unwrap();
    assert!(
        (centre.x - 1.0).abs() < 0.02 && (centre.y - 4.5).abs() < 1e-3,
        "{centre}"
    );
    let character = stage.characters.get(handle).unwrap();
    assert!(character.placement.tilt.to_scaled_axis().z > 1.0);
}

#[test]
fn every_shape_material_filter_and_trigger_of_the_extension_is_read() {
    let collider = |shape: u32| json!({ "collider": { "geometry": { "shape": shape } } });
    let ice = json!({
        "collider": { "geometry": { "shape": 0 }, "physicsMaterial": 0, "collisionFilter": 0 }
    });
    let more = json!({ "extensions": {
        "KHR_implicit_shapes": { "shapes": [
            { "type": "box", "box": { "size": [1, 2, 3] } },
            { "type": "sphere", "sphere": { "radius": 0.75 } },
            { "type": "capsule", "capsule": { "height": 1, "radiusBottom": 0.5, "radiusTop": 0.5 } },
            { "type": "cylinder", "cylinder": { "height": 2, "radiusBottom": 0.5, "radiusTop": 0.5 } },
            { "type": "cylinder", "cylinder": { "height": 2, "radiusBottom": 1, "radiusTop": 0 } },
            { "type": "plane", "plane": { "sizeX": 4, "sizeZ": 4 } },
        ] },
        "KHR_physics_rigid_bodies": {
            "physicsMaterials": [{ "staticFriction": 0.3, "dynamicFriction": 0.1, "restitution": 0.4 }],
            "collisionFilters": [{ "collisionSystems": ["props"] }],
        },
    } });
    let node = |name: &str, x: f32, body: Value| {
        khr(
            json!({ "name": name, "translation": [x, 5, 0], "mesh": 0 }),
            body,
        )
    };
    let model = load(
        json!([
            node("box", 0.0, ice),
            node("sphere", 5.0, collider(1)),
            node("capsule", 10.0, collider(2)),
            node("cylinder", 15.0, collider(3)),
            node("cone", 20.0, collider(4)),
            node("plane", 25.0, collider(5)),
            node(
                "mesh",
                30.0,
                json!({ "collider": { "geometry": { "node": 6 } } })
            ),
            node(
                "gate",
                35.0,
                json!({ "trigger": { "geometry": { "shape": 0 } } })
            ),
            khr(
                json!({ "name": "own", "translation": [40, 5, 0], "extras": { "collider": { "size": [1, 1, 1] } } }),
                collider(1),
            ),
        ]),
        more,
        &[],
    );
    assert_eq!(model.warnings, [] as [String; 0]);
    assert_eq!(model.parts.len(), 8, "solid nodes are still drawn");
    let (mut stage, handle) = staged(model);
    let solid = stage
        .characters
        .get(handle)
        .unwrap()
        .body
        .prop_body
        .as_ref()
        .unwrap();
    let wear = &solid.options.shape_overrides;
    assert_eq!(
        (wear[0].friction, wear[0].restitution),
        (Some(0.1), Some(0.4))
    );
    assert_eq!(wear[0].layer, stage.physics.layers.find("props"));
    assert!(wear[7].sensor && !wear[6].sensor);
    let Stage { physics, floor, .. } = &mut stage;
    physics.refresh(floor);
    let tops = [6.0, 5.75, 6.0, 6.0, 6.0, 5.0, 6.0];
    for (x, top) in (0..).map(|i| 5.0 * i as f32).zip(tops) {
        let from = Vec3::new(x + 1e-3, 50.0, 0.0);
        let hit = physics
            .world
            .ray(from, Vec3::NEG_Y, 100.0, &Filter::default());
        let y = hit.unwrap().position.y;
        assert!((y - top).abs() < 2e-3, "at {x}: {y}, not {top}");
    }
    let down = |x: f32| {
        let from = Vec3::new(x, 50.0, 0.0);
        let hit = physics
            .world
            .ray(from, Vec3::NEG_Y, 100.0, &Filter::default());
        hit.unwrap().position.y
    };
    assert!(down(35.0) < 1e-3, "a ray passes a trigger");
    assert!((down(40.0) - 5.5).abs() < 1e-3, "extras win");
}

#[test]
fn errors_in_the_extension_are_reported_and_the_model_loads() {
    let collider = |geometry: Value| json!({ "collider": { "geometry": geometry } });
    let moving =
        |motion: Value| json!({ "motion": motion, "collider": { "geometry": { "shape": 0 } } });
    let cases = [
        (collider(json!({ "shape": 99 })), "shape 99 does not exist"),
        (collider(json!({ "shape": -1 })), "shape -1 does not exist"),
        (
            collider(json!({ "node": 4_294_967_295_u32 })),
            "does not exist",
        ),
        (collider(json!({ "node": 1 })), "neither a mesh nor a size"),
        (
            collider(json!({ "shape": 0, "node": 0 })),
            "a shape and a node",
        ),
        (collider(json!({})), "neither a shape nor a node"),
        (collider(json!({ "shape": 1 })), "above 0"),
        (collider(json!({ "shape": 2 })), "did you mean \"box\"?"),
        (collider(json!({ "shape": 3 })), "above 0"),
        (collider(json!({ "shape": 4 })), "has radius 0"),
        (json!({ "colider": {} }), "did you mean \"collider\"?"),
        (json!([]), "expected an object"),
        (
            json!({ "joint": { "connectedNode": 0, "joint": 0 } }),
            "the joint is left out",
        ),
        (json!({ "motion": {} }), "has no collider to move"),
        (moving(json!(7)), "motion is 7"),
        (moving(json!({ "mass": -1 })), "kilograms"),
        (moving(json!({ "mas": 1 })), "did you mean \"mass\"?"),
        (
            moving(json!({ "linearVelocity": [0, 1e39, 0] })),
            "three numbers",
        ),
        (
            moving(json!({ "inertiaDiagonal": [1, -1, 1] })),
            "0 or more",
        ),
        (
            moving(json!({ "inertiaOrientation": [0, 0, 0, 0] })),
            "a quaternion",
        ),
        (moving(json!({ "gravityFactor": "no" })), "-100 to 100"),
        (
            json!({ "collider": { "geometry": { "shape": 0 }, "physicsMaterial": 0 } }),
            "\"restitution\" is 7",
        ),
        (
            json!({ "collider": { "geometry": { "shape": 0 }, "physicsMaterial": 5 } }),
            "physicsMaterial 5 does not exist",
        ),
        (
            json!({ "collider": { "geometry": { "shape": 0 }, "collisionFilter": 0 } }),
            "\"goo\" has an effect only if",
        ),
        (
            json!({ "motion": { "mass": 1 }, "collider": { "geometry": { "shape": 5 } } }),
            "needs a volume",
        ),
    ];
    for (body, wanted) in cases {
        let more = json!({ "extensions": {
            "KHR_implicit_shapes": { "shapes": [
                { "type": "box" },
                { "type": "box", "box": { "size": [1, 0, 1] } },
                { "type": "bx" },
                { "type": "sphere", "sphere": { "radius": 1e9 } },
                { "type": "capsule", "capsule": { "radiusBottom": 0, "radiusTop": 0 } },
                { "type": "plane" },
            ] },
            "KHR_physics_rigid_bodies": {
                "physicsMaterials": [{ "restitution": 7 }],
                "collisionFilters": [{ "collisionSystems": ["goo"] }],
            },
        } });
        let odd = khr(
            json!({ "name": "odd", "translation": [0, 3, 0] }),
            body.clone(),
        );
        let model = load(json!([{ "name": "seen", "mesh": 0 }, odd]), more, &[]);
        // Without its shape a motion moves nothing.
        let n = if wanted == "needs a volume" { 2 } else { 1 };
        assert_eq!(model.warnings.len(), n, "{body}: {:?}", model.warnings);
        let told = &model.warnings[0];
        assert!(told.contains("\"odd\"") && told.contains(wanted), "{told}");
        let (mut stage, handle) = staged(model);
        run(&mut stage, 0.2);
        assert!(bone(&stage, handle, "odd").is_finite());
    }
}
