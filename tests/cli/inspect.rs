//! Reports of `inspect`.

use std::fs;

use super::clip::mocap;
use super::folder;
use crate::program::{can_draw, err, galatea, out};

#[test]
fn inspect_reports_content_as_text_and_json() {
    let text = out(&galatea(&["inspect", "assets/mannequin.glb", "--verbose"]));
    assert!(
        text.contains("25 bones") && text.contains("walk 1.000 s"),
        "{text}"
    );
    let json = out(&galatea(&["inspect", "assets/mannequin.glb", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["bones"].as_array().unwrap().len(), 25);
    assert_eq!(report["clips"].as_array().unwrap().len(), 9);
    assert!(
        text.contains("walk 1.000 s, 1.40 m/s, in place (root moves up to 0.0")
            && text.contains(" m), 23 bones"),
        "the speed of the feet: {text}"
    );
    assert!(
        text.contains(", markers: step 0.000 left, step 0.500 right"),
        "{text}"
    );
    let walk = &report["clips"][1];
    assert!(
        (walk["speed"].as_f64().unwrap() - 1.4).abs() < 0.05,
        "{walk}"
    );
    assert_eq!(walk["are_markers_found"], false);
}

#[test]
fn items_of_several_parts_are_reported_once() {
    let text = out(&galatea(&["inspect", "assets/galatea.glb", "--verbose"]));
    let line = text.lines().find(|line| line.contains("correctives: "));
    let names: Vec<&str> = line.unwrap().trim().split([' ', ',']).collect();
    let one = "blink__emotion.anger";
    assert_eq!(
        names.iter().filter(|name| **name == one).count(),
        1,
        "{text}"
    );
}

/// Two triangles on one bone, one with dual quaternions, and a rigid one.
const SKINNED: &str = r#"{ "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0, 1, 2, 3] }],
    "nodes": [{ "name": "bone" }, { "name": "body", "mesh": 0, "skin": 0 }, { "name": "sword", "mesh": 1 },
        { "name": "sleeve", "mesh": 0, "skin": 0, "extras": { "skinning": "dual_quaternion" } }],
    "skins": [{ "joints": [0] }],
    "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 } }] },
        { "primitives": [{ "attributes": { "POSITION": 0 } }] }],
    "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] },
        { "bufferView": 1, "componentType": 5121, "count": 3, "type": "VEC4" },
        { "bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC4" }],
    "bufferViews": [{ "buffer": 0, "byteLength": 36 }, { "buffer": 0, "byteOffset": 36, "byteLength": 12 },
        { "buffer": 0, "byteOffset": 48, "byteLength": 48 }],
    "buffers": [{ "byteLength": 96, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAA" }] }"#;

#[test]
fn inspect_reports_the_skinning_of_each_part() {
    let dir = folder("skinned");
    fs::create_dir_all(&dir).unwrap();
    let file = dir.join("parts.gltf").to_str().unwrap().to_owned();
    fs::write(&file, SKINNED).unwrap();
    let text = out(&galatea(&["inspect", &file, "--verbose"]));
    for words in [
        "body (skinned, linear, 3 vertices)",
        "sword (rigid, 3 vertices)",
        "sleeve (skinned, dual_quaternion, 3 vertices)",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let json = out(&galatea(&["inspect", &file, "--json"]));
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let parts = report["parts"].as_array().unwrap();
    let told: Vec<_> = parts.iter().map(|part| part["skinning"].as_str()).collect();
    assert_eq!(told, [Some("linear"), None, Some("dual_quaternion")]);
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn a_take_is_inspected_like_a_model_and_shown_as_the_bones_that_it_moves() {
    let dir = folder("take");
    fs::create_dir_all(dir.join("scripts")).unwrap();
    let take = dir.join("walk.bvh").to_str().unwrap().to_owned();
    fs::write(&take, mocap()).unwrap();
    let text = out(&galatea(&["inspect", &take, "--verbose"]));
    for words in [
        "the file contains motion but no mesh; add it to a character",
        "walk 2.000 s, 1.42 m/s, travels 2.00 m, 6 bones",
        ", markers (found): step ",
        "LeftFoot < LeftUpLeg",
        "the unit is assumed to be centimetres",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let json = out(&galatea(&["inspect", &take, "--json"]));
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let clip = &report["clips"][0];
    assert!(
        (clip["root_translation"].as_f64().unwrap() - 2.0).abs() < 0.01,
        "{clip}"
    );
    assert!(clip["turn"].as_f64().unwrap().abs() < 0.1, "{clip}");
    assert_eq!(clip["are_markers_found"], true);

    // Alone, its bones are shown.
    let picture = dir.join("x.png");
    let shot = galatea(&[
        "shot",
        &take,
        "--size",
        "160x120",
        "-o",
        picture.to_str().unwrap(),
    ]);
    assert!(shot.status.success(), "{}", err(&shot));
    let how = "walk.bvh: the file contains motion but no mesh; add it to a character";
    assert!(
        err(&shot)
            .replace('"', "")
            .contains("the file contains motion but no mesh"),
        "{}",
        err(&shot)
    );
    let seen = image::open(&picture).unwrap().to_rgb8();
    let is_bone = |pixel: &image::Rgb<u8>| {
        let [r, g, b] = pixel.0.map(i32::from);
        r > 150 && g > 100 && r - b > 60
    };
    let n_bones = seen.pixels().filter(|pixel| is_bone(pixel)).count();
    assert!(n_bones > 40, "{n_bones} pixels of bones");
    fs::write(dir.join("scripts/main.lua"), "character 'walk.bvh'").unwrap();
    let checked = galatea(&["check", dir.to_str().unwrap()]);
    assert!(checked.status.success(), "{}", err(&checked));
    assert!(err(&checked).contains(how), "{}", err(&checked));
    // The same motion in a glTF file gives the same result.
    let glb = dir.join("walk.glb").to_str().unwrap().to_owned();
    assert!(galatea(&["clip", &take, "-o", &glb]).status.success());
    fs::write(dir.join("scripts/main.lua"), "character 'walk.glb'").unwrap();
    let checked = galatea(&["check", dir.to_str().unwrap()]);
    assert!(
        err(&checked).contains("walk.glb: the file contains motion but no mesh"),
        "{}",
        err(&checked)
    );
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn inspect_reports_the_ragdoll_of_a_model() {
    let file = "assets/mannequin.glb";
    let text = out(&galatea(&["inspect", file, "--verbose"]));
    assert!(!text.contains("ragdoll"), "only on request");
    let text = out(&galatea(&["inspect", file, "--ragdoll"]));
    assert!(text.contains("ragdoll (17 bodies, "), "{text}");
    let line = |bone: &str| {
        let start = format!("  {bone} ");
        let table = text.split("ragdoll (").nth(1).unwrap();
        let found = table.lines().find(|line| line.starts_with(&start));
        found.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    assert!(line("left_upper_arm").contains("capsule"), "{text}");
    assert!(
        line("left_lower_leg").ends_with("hinge on left_upper_leg, 0 to 135°"),
        "{text}"
    );
    assert!(text.contains("hips + left_upper_leg"), "{text}");
    let json = out(&galatea(&["inspect", file, "--ragdoll", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let ragdoll = &report["ragdoll"];
    let bodies = ragdoll["bodies"].as_array().unwrap();
    assert_eq!(bodies.len(), 17);
    let foot = bodies
        .iter()
        .find(|body| body["bone"] == "left_foot")
        .unwrap();
    assert_eq!(
        (&foot["shape"], &foot["role"]),
        (&"box".into(), &"left_foot".into())
    );
    assert_eq!(foot["joint"]["to"], "left_lower_leg");
    let mass = ragdoll["mass"].as_f64().unwrap();
    assert!((55.0..85.0).contains(&mass), "{mass}");
    assert!(ragdoll["covered"].as_f64().unwrap() > 0.95, "{ragdoll}");
}

#[test]
fn inspect_reports_springs() {
    let joints = serde_json::json!([{ "node": 0 }, { "node": 1 }, { "node": 2 }]);
    let file = serde_json::json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "children": [1] }, { "children": [2] }, {}],
        "extensionsUsed": ["VRMC_springBone"],
        "extensions": { "VRMC_springBone": { "specVersion": "1.0", "springs": [{ "joints": joints }] } },
    });
    let folder = std::env::temp_dir().join(format!("galatea-springs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("hair.gltf");
    std::fs::write(&path, file.to_string()).unwrap();
    let text = out(&galatea(&["inspect", &path.to_string_lossy(), "--verbose"]));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(text.contains("springs: 2 bones, 0 colliders"), "{text}");
    assert!(text.contains("warnings (0)"), "{text}");
}

#[test]
fn inspect_lists_helpers_constraints_and_the_gaze() {
    let dir = folder("helpers");
    fs::create_dir_all(&dir).unwrap();
    let file = dir.join("arm.gltf").to_str().unwrap().to_owned();
    let text = r#"{ "asset": { "version": "2.0" }, "extensionsUsed": ["VRMC_vrm", "VRMC_node_constraint"],
        "extensions": { "VRMC_vrm": { "lookAt": { "type": "bone", "rangeMapVerticalUp": { "inputMaxValue": 45, "outputScale": 6.5 } } } },
        "nodes": [
            { "name": "lower", "children": [1, 2, 3] },
            { "name": "roll", "translation": [0.1, 0, 0], "extensions": { "VRMC_node_constraint": { "specVersion": "1.0",
                "constraint": { "roll": { "source": 2, "rollAxis": "X", "weight": 0.5 } } } } },
            { "name": "hand", "translation": [0.3, 0, 0] },
            { "name": "cuff", "translation": [0.2, 0, 0], "extras": { "helper": [
                { "kind": "twist", "source": "hand", "weight": 0.7 },
                { "kind": "driver", "source": "hand", "measure": "swing", "curve": [[0, 0], [80, 1]], "morph": "wrist" } ] } }] }"#;
    fs::write(&file, text).unwrap();
    let told = out(&galatea(&["inspect", &file, "--verbose"]));
    for words in [
        "constraints (1)\n  roll roll < hand, weight 0.50\n",
        "helpers (2)\n  twist cuff < hand, weight 0.70\n  driver morph wrist < hand\n",
        "look at: bones, inner 90° to 10°, outer 90° to 10°, down 90° to 10°, up 45° to 6.5°\n",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let json = out(&galatea(&["inspect", &file, "--json"]));
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["constraints"][0]["kind"], "roll");
    assert_eq!(report["helpers"][1]["morph"], "wrist");
    assert_eq!(report["look_at"]["up"], serde_json::json!([45.0, 6.5]));
    assert_eq!(report["twists_by_name"], serde_json::json!([]));
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn the_rig_check_reports_score_fallbacks_and_advice() {
    let doctor = |file: &str| -> serde_json::Value {
        let json = out(&galatea(&["inspect", file, "--json"]));
        let report: serde_json::Value = serde_json::from_str(&json).unwrap();
        report["doctor"].clone()
    };
    let whole = doctor("assets/galatea.glb");
    assert_eq!(whole["score"], 100, "{whole}");
    let hound = doctor("assets/hound.glb");
    let findings = hound["findings"].as_array().unwrap();
    let of = |what: &str| findings.iter().find(|finding| finding["what"] == what);
    assert!(of("direction").is_none(), "{hound}");
    // An animal needs no hands and no mouth shapes for speech.
    assert!(of("hands").is_none(), "{hound}");
    assert_eq!(of("speech").unwrap()["state"], "good", "{hound}");
    assert_eq!(of("skeleton").unwrap()["found"], "4 legs", "{hound}");
    let mannequin = doctor("assets/mannequin.glb");
    let findings = mannequin["findings"].as_array().unwrap();
    let face = findings
        .iter()
        .find(|finding| finding["what"] == "expression")
        .unwrap();
    assert!(
        face["state"] != "good" && face["mend"].as_str().unwrap().contains("eyeBlinkLeft"),
        "{face}"
    );
    assert!(mannequin["score"].as_u64().unwrap() < 100);
    // An object is not checked.
    assert!(doctor("assets/court_gate.glb").is_null());
    let text = out(&galatea(&["inspect", "assets/hound.glb"]));
    assert!(
        text.starts_with("assets/hound.glb: an animal, ready to use (")
            && text.contains(" m/s)")
            && text.contains("\nfirst steps\n")
            && !text.contains("bytes"),
        "{text}"
    );
    let text = out(&galatea(&["inspect", "assets/mannequin.glb"]));
    for part in [
        "assets/mannequin.glb: a person, ",
        "  mesh      ",
        "  skeleton  ",
        "walk (1.4 m/s)",
        "\nto improve\n  1. speech: ",
        "\n     effect:   ",
        "\n     solution: ",
        "local hero = character \"assets/mannequin.glb\"",
        "galatea inspect --verbose assets/mannequin.glb",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = out(&galatea(&["inspect", "assets/mannequin.glb", "--verbose"]));
    assert!(
        text.contains("\n  part  expression: ") && text.contains("        in Blender: "),
        "{text}"
    );

    if can_draw() {
        let dir = folder("sheet");
        fs::create_dir_all(&dir).unwrap();
        let sheet = dir.join("sheet.png");
        let made = galatea(&[
            "inspect",
            "assets/mannequin.glb",
            "--sheet",
            sheet.to_str().unwrap(),
        ]);
        assert!(made.status.success(), "{}", err(&made));
        // Six pictures in a row, and as many clips below.
        let picture = image::open(&sheet).unwrap();
        assert!(picture.width() >= 6 * 280 && picture.height() >= 2 * 360);
        fs::remove_dir_all(&dir).unwrap();
    }
}
