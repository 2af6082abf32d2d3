//! `galatea inspect`: features for modifiers.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::files;

fn inspect(file: &Path, more: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_galatea"));
    let output = command
        .args(["inspect", "--verbose"])
        .arg(file)
        .args(more)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn legs_looks_and_limbs_of_a_character_are_listed() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
    let text = inspect(&file, &[]);
    for line in [
        "  leg left: left_upper_leg left_lower_leg left_foot, toes left_toes, ",
        "  look: head head on neck, 65° to the side, 40° up, 40° down",
        "  look: chest spine chest, 18° to the side, 6° up, 8° down",
        "  look: eyes bones left_eye right_eye, 35° inward, 35° outward, 25° up, 35° down",
        "  reach: right_hand: right_upper_arm right_lower_arm right_hand, ",
        "  reach: left foot: left_upper_leg left_lower_leg left_foot, ",
        "  grip: left_hand: 1 finger (1 bone), no thumb, holds up to 2.5 cm",
        "  grip: right_hand: 1 finger (1 bone), no thumb, holds up to 2.5 cm",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    let json: Value = serde_json::from_str(&inspect(&file, &["--json"])).unwrap();
    let rig = &json["rig"];
    assert_eq!(rig["legs"][1]["toes"], "right_toes");
    assert_eq!(rig["look"]["eyes"], json!(["left_eye", "right_eye"]));
    assert_eq!(rig["limbs"].as_array().unwrap().len(), 4);
    let reach = &rig["limbs"][0]["reach"];
    assert!(reach[0].as_f64() < reach[1].as_f64(), "{reach}");
    assert_eq!(rig["hands"][1]["name"], "right_hand");
    assert_eq!(rig["hands"][1]["fingers"], json!([["right_fingers"]]));
    assert_eq!(rig["hands"][1]["thumb"], Value::Null);
    assert_eq!(rig["missing"], json!([]));
}

#[test]
fn interactions_of_an_object_and_missing_features_are_listed() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inspect_door.gltf");
    let door = json!({ "asset": { "version": "2.0" }, "scenes": [{ "nodes": [0] }], "scene": 0, "nodes": [
        { "name": "door", "children": [1] },
        { "name": "leaf", "extras": { "interaction": { "name": "knob", "position": [0.9, 1, 0.05], "hand": "left_hand" } } },
    ] });
    std::fs::write(&file, door.to_string()).unwrap();
    let text = inspect(&file, &[]);
    for line in [
        "  interaction knob on leaf: left_hand at (0.90, 1.00, 0.05)",
        "  no feet: the model has no legs",
        "  no look: look-at needs a head",
        "  no reach: no arms found",
        "  no grip: no hands found",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    let json: Value = serde_json::from_str(&inspect(&file, &["--json"])).unwrap();
    assert_eq!(json["rig"]["handles"][0]["name"], "knob");
    assert_eq!(json["rig"]["look"], Value::Null);
}

#[test]
fn hands_of_other_bodies_are_listed_with_why_some_do_not_close() {
    let Some(corpus) = files::corpus() else {
        return;
    };
    let needs = |side: &str| {
        format!(
            "  no grip of {side}_hand: the model has no fingers: expected bones with roles such as {side}_index_proximal\n"
        )
    };
    let robot = "threejs-examples/gltf/RobotExpressive/RobotExpressive.glb";
    let mannequin = "godot-demo-projects/ragdoll_physics/characters/mannequiny.glb";
    for (file, told) in [
        (
            robot,
            vec!["  grip: left_hand: 1 finger (2 bones), no thumb, holds up to 12.8 cm\n".into()],
        ),
        (
            mannequin,
            vec![
                "  grip: left_hand: 3 fingers (9 bones), a thumb (3 bones), holds up to 2.6 cm\n"
                    .into(),
            ],
        ),
        (
            "kaykit-adventurers/Characters/gltf/Knight.glb",
            vec![needs("left"), needs("right")],
        ),
    ] {
        let text = inspect(&corpus.join("01_characters").join(file), &[]);
        for line in told {
            assert!(text.contains(&line), "{file}: {line:?} in {text}");
        }
    }
    let json = inspect(&corpus.join("01_characters").join(mannequin), &["--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let hand = &json["rig"]["hands"][0];
    let n_fingers: Vec<_> = hand["fingers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f.as_array().unwrap().len())
        .collect();
    assert_eq!(n_fingers, [3, 3, 3]);
    assert_eq!(hand["thumb"].as_array().unwrap().len(), 3);
}
