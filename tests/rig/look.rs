//! Gaze of VRM files: eyes rotate, or expressions show, within the ranges of the file.

use std::fs;
use std::path::Path;

use galatea::app::Session;
use galatea::asset::Project;
use glam::{Quat, Vec3};
use serde_json::{Value, json};

use crate::sessions;
use galatea_character::Character;

/// Position of the eyes, metres.
const EYES: Vec3 = Vec3::new(0.0, 1.6, 0.08);

/// A skeleton with eyes, a triangle with the targets a, b, c and d, and a VRM extension.
fn body(extension: &str, vrm: &Value) -> Value {
    let parts = [
        ("hips", None, [0.0, 1.0, 0.0]),
        ("spine", Some(0), [0.0, 0.2, 0.0]),
        ("head", Some(1), [0.0, 0.35, 0.0]),
        ("leftEye", Some(2), [0.03, 0.05, 0.08]),
        ("rightEye", Some(2), [-0.03, 0.05, 0.08]),
        ("leftUpperLeg", Some(0), [0.1, -0.05, 0.0]),
        ("leftLowerLeg", Some(5), [0.0, -0.45, 0.01]),
        ("leftFoot", Some(6), [0.0, -0.42, -0.02]),
        ("rightUpperLeg", Some(0), [-0.1, -0.05, 0.0]),
        ("rightLowerLeg", Some(8), [0.0, -0.45, 0.01]),
        ("rightFoot", Some(9), [0.0, -0.42, -0.02]),
    ];
    let children = |of: usize| -> Vec<usize> {
        let own = |(_, part): &(usize, &(&str, Option<usize>, [f64; 3]))| part.1 == Some(of);
        parts
            .iter()
            .enumerate()
            .filter(own)
            .map(|(i, _)| i)
            .collect()
    };
    let mut nodes: Vec<Value> = Vec::new();
    for (i, (name, _, at)) in parts.iter().enumerate() {
        let mut node = json!({ "name": format!("J_{name}"), "translation": at });
        let own = children(i);
        if !own.is_empty() {
            node["children"] = json!(own);
        }
        nodes.push(node);
    }
    nodes.push(json!({ "name": "face", "mesh": 0 }));
    let roles = parts.iter().enumerate();
    let bones = if extension == "VRM" {
        let list: Vec<Value> = roles
            .map(|(i, part)| json!({ "bone": part.0, "node": i }))
            .collect();
        json!(list)
    } else {
        let pairs = roles.map(|(i, part)| (part.0.to_owned(), json!({ "node": i })));
        Value::Object(pairs.collect())
    };
    let mut said = vrm.clone();
    said["humanoid"] = json!({ "humanBones": bones });
    let target = json!({ "POSITION": 0 });
    json!({
        "asset": { "version": "2.0" },
        "nodes": nodes,
        "scenes": [{ "nodes": [0, 11] }],
        "scene": 0,
        "meshes": [{
            "primitives": [{ "attributes": { "POSITION": 0 }, "targets": [target, target, target, target] }],
            "extras": { "targetNames": ["a", "b", "c", "d"] },
        }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
            "min": [0, 0, 0], "max": [0, 0, 0] }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "buffers": [{ "byteLength": 36, "uri":
            "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
        "extensionsUsed": [extension],
        "extensions": { extension: said },
    })
}

/// A character that looks with its eyes alone, yaw to its left and pitch up in degrees.
fn look(name: &str, file: &Value, [yaw, pitch]: [f32; 2], options: &str) -> Session {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for folder in ["scripts", "assets"] {
        fs::create_dir_all(home.join(folder)).unwrap();
    }
    fs::write(home.join("assets/body.gltf"), file.to_string()).unwrap();
    let turn = Quat::from_rotation_y(yaw.to_radians()) * Quat::from_rotation_x(-pitch.to_radians());
    // So far away that both eyes have the same direction.
    let at = EYES + turn * Vec3::Z * 4000.0;
    let script = format!(
        "local hero = character 'assets/body.gltf'
        hero:look_at(vector.create({}, {}, {}), {{ head_weight = 0, chest_weight = 0, eye_activity = 0, blink_rate = 0, out_of_range = 'clamp'{options} }})",
        at.x, at.y, at.z
    );
    fs::write(home.join("scripts/main.lua"), script).unwrap();
    let mut session = sessions::open(Project::open(&home).unwrap());
    for _ in 0..60 {
        sessions::tick(&mut session);
    }
    session
}

fn hero(session: &Session) -> &Character {
    session.stage.characters.iter().next().unwrap().1
}

/// Yaw to the left and pitch up of both eyes, degrees.
fn eyes(session: &Session) -> [[f32; 2]; 2] {
    let hero = hero(session);
    ["J_leftEye", "J_rightEye"].map(|name| {
        let bone = usize::from(hero.definition.model.skeleton.find(name).unwrap());
        let ahead = hero.posed.model_from_bone[bone].transform_vector3(Vec3::Z);
        let level = ahead.x.hypot(ahead.z);
        [ahead.x.atan2(ahead.z), ahead.y.atan2(level)].map(f32::to_degrees)
    })
}

fn near<const N: usize>(a: [f32; N], b: [f32; N], within: f32) {
    let off = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    assert!(off.fold(0.0, f32::max) < within, "{a:?}, not {b:?}");
}

fn ranges() -> Value {
    json!({
        "type": "bone",
        "rangeMapHorizontalInner": { "inputMaxValue": 30, "outputScale": 6 },
        "rangeMapHorizontalOuter": { "inputMaxValue": 20, "outputScale": 12 },
        "rangeMapVerticalDown": { "inputMaxValue": 30, "outputScale": 9 },
        "rangeMapVerticalUp": { "inputMaxValue": 20, "outputScale": 5 },
    })
}

#[test]
fn eyes_of_vrm_1_turn_by_the_ranges_of_the_file() {
    let file = body("VRMC_vrm", &json!({ "lookAt": ranges() }));
    let [left, right] = eyes(&look("vrm_1_bones", &file, [10.0, 8.0], ""));
    near(left, [6.0, 2.0], 0.05);
    near(right, [2.0, 2.0], 0.05);
    let [left, right] = eyes(&look("vrm_1_bones", &file, [-50.0, -45.0], ""));
    near(left, [-6.0, -9.0], 0.05);
    near(right, [-12.0, -9.0], 0.05);
    // Values of a script win.
    let said = ", max_eye_side = 25, max_eye_up = 22, max_eye_down = 40";
    for eye in eyes(&look("vrm_1_bones", &file, [10.0, -30.0], said)) {
        near(eye, [10.0, -30.0], 0.05);
    }
    for eye in eyes(&look("vrm_1_bones", &file, [50.0, 40.0], said)) {
        near(eye, [25.0, 22.0], 0.05);
    }
}

#[test]
fn eyes_of_vrm_0_turn_by_the_ranges_of_the_file() {
    let range = |x: f32, y: f32| json!({ "xRange": x, "yRange": y });
    let mut file = body(
        "VRM",
        &json!({ "firstPerson": {
            "lookAtTypeName": "Bone",
            "lookAtHorizontalInner": range(30.0, 6.0), "lookAtHorizontalOuter": range(20.0, 12.0),
            "lookAtVerticalDown": range(30.0, 9.0), "lookAtVerticalUp": range(20.0, 5.0),
        } }),
    );
    // Characters of VRM 0.x face -Z.
    for node in file["nodes"].as_array_mut().unwrap() {
        if let Some(at) = node["translation"].as_array_mut() {
            for i in [0, 2] {
                at[i] = json!(-at[i].as_f64().unwrap());
            }
        }
    }
    let session = look("vrm_0_bones", &file, [10.0, 8.0], "");
    // Their bones face backwards at rest, so their rotation is compared.
    let hero = hero(&session);
    let turns = ["J_leftEye", "J_rightEye"].map(|name| {
        let bone = usize::from(hero.definition.model.skeleton.find(name).unwrap());
        let ahead = hero.posed.model_from_bone[bone].transform_vector3(Vec3::NEG_Z);
        [ahead.x.atan2(ahead.z), ahead.y.asin()].map(f32::to_degrees)
    });
    near(turns[0], [6.0, 2.0], 0.05);
    near(turns[1], [2.0, 2.0], 0.05);
}

#[test]
fn expressions_of_looking_show_and_then_the_bones_of_the_eyes_stay() {
    let bind =
        |index: usize, weight: f32| json!([{ "node": 11, "index": index, "weight": weight }]);
    let mut said = json!({ "lookAt": {
        "type": "expression",
        "rangeMapHorizontalOuter": { "inputMaxValue": 40, "outputScale": 2 },
        "rangeMapVerticalDown": { "inputMaxValue": 30, "outputScale": 0.6 },
        "rangeMapVerticalUp": { "inputMaxValue": 20, "outputScale": 1 },
    } });
    said["expressions"] = json!({ "preset": {
        "lookLeft": { "morphTargetBinds": bind(0, 1.0) },
        "lookRight": { "morphTargetBinds": bind(1, 1.0) },
        "lookUp": { "morphTargetBinds": bind(2, 0.5) },
        "lookDown": { "morphTargetBinds": bind(3, 1.0) },
    } });
    let file = body("VRMC_vrm", &said);
    let shown = |[yaw, pitch]: [f32; 2], options: &str| -> [f32; 4] {
        let session = look("vrm_1_expressions", &file, [yaw, pitch], options);
        for eye in eyes(&session) {
            near(eye, [0.0, 0.0], 1e-3);
        }
        hero(&session).posed.pose.morphs[..].try_into().unwrap()
    };
    near(shown([10.0, 10.0], ""), [0.5, 0.0, 0.25, 0.0], 2e-3);
    near(shown([-50.0, -15.0], ""), [0.0, 1.0, 0.0, 0.3], 2e-3);
    // Values of a script win.
    near(
        shown([-10.0, 5.0], ", max_eye_side = 40, max_eye_up = 10"),
        [0.0, 0.25, 0.25, 0.0],
        2e-3,
    );
    // VRM 0.x uses percent, and mesh indices.
    let group = |name: &str, index: usize| json!({ "presetName": name, "binds": [{ "mesh": 0, "index": index, "weight": 50 }] });
    let range = json!({ "xRange": 40, "yRange": 2 });
    let file = body(
        "VRM",
        &json!({
            "firstPerson": { "lookAtTypeName": "BlendShape", "lookAtHorizontalOuter": range },
            "blendShapeMaster": { "blendShapeGroups": [group("lookleft", 3), group("lookright", 2)] },
        }),
    );
    let session = look("vrm_0_expressions", &file, [10.0, 0.0], "");
    near(
        hero(&session).posed.pose.morphs[..].try_into().unwrap(),
        [0.0, 0.0, 0.0, 0.25],
        2e-3,
    );
}

/// An eyeball with its own material, which `eyeLookOutLeft` and `eyeLookInLeft` rotate by 20 degrees, instead of the
/// triangle, and the buffer of its file.
fn with_eyeball(file: &mut Value) -> Vec<u8> {
    let mut ball = Vec::new();
    for i in 0..6 {
        for height in [-0.6_f32, 0.0, 0.6] {
            let (sin, cos) = (i as f32 * std::f32::consts::FRAC_PI_3).sin_cos();
            let level = (1.0 - height * height).sqrt();
            ball.push(Vec3::new(sin * level, height, cos * level) * 0.012);
        }
    }
    let n = ball.len();
    let turned = |degrees: f32| -> Vec<Vec3> {
        let turn = Quat::from_rotation_y(degrees.to_radians());
        ball.iter().map(|at| turn * *at - *at).collect()
    };
    let (left, right) = (turned(20.0), turned(-20.0));
    let parts = [ball.iter().map(|at| *at + EYES).collect(), left, right];
    let mut bytes: Vec<u8> = Vec::new();
    let mut accessors = Vec::new();
    for part in parts {
        let bounds = |f: fn(Vec3, Vec3) -> Vec3| part.iter().copied().reduce(f).unwrap().to_array();
        accessors.push(
            json!({ "bufferView": 0, "byteOffset": bytes.len(), "componentType": 5126, "count": n,
            "type": "VEC3", "min": bounds(Vec3::min), "max": bounds(Vec3::max) }),
        );
        let numbers = part.iter().flat_map(|at| at.to_array());
        bytes.extend(numbers.flat_map(f32::to_le_bytes));
    }
    file["accessors"] = json!(accessors);
    file["bufferViews"] = json!([{ "buffer": 0, "byteLength": bytes.len() }]);
    file["buffers"] = json!([{ "byteLength": bytes.len(), "uri": "eye.bin" }]);
    file["materials"] = json!([{ "name": "eye", "pbrMetallicRoughness": { "metallicFactor": 0 } }]);
    file["meshes"] = json!([{
        "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0,
            "targets": [{ "POSITION": 1 }, { "POSITION": 2 }] }],
        "extras": { "targetNames": ["eyeLookOutLeft", "eyeLookInLeft"] },
    }]);
    bytes
}

#[test]
fn morphs_that_turn_eyeballs_show_the_very_angle() {
    let mut file = body("VRMC_vrm", &json!({}));
    let eye = with_eyeball(&mut file);
    let put = |name: &str| {
        let assets = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(name)
            .join("assets");
        fs::create_dir_all(&assets).unwrap();
        fs::write(assets.join("eye.bin"), &eye).unwrap();
    };
    let shown = |name: &str, file: &Value, yaw: f32| -> [f32; 2] {
        put(name);
        let session = look(name, file, [yaw, 0.0], "");
        hero(&session).posed.pose.morphs[..].try_into().unwrap()
    };
    // If there are bones, only these rotate the eyes.
    near(shown("eyeballs_and_bones", &file, 10.0), [0.0, 0.0], 1e-6);
    for (name, node) in [("leftEye", 3), ("rightEye", 4)] {
        let bones = &mut file["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"];
        bones.as_object_mut().unwrap().remove(name);
        file["nodes"][node]["name"] = json!(format!("dimple_{node}"));
    }
    for (yaw, weights) in [(10.0, [0.5, 0.0]), (-5.0, [0.0, 0.25]), (60.0, [1.0, 0.0])] {
        near(shown("eyeballs", &file, yaw), weights, 0.02);
    }
}
