//! `galatea inspect` on what a file offers to modifiers.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

fn inspect(file: &Path, more: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_galatea"));
    let output = command
        .arg("inspect")
        .arg(file)
        .args(more)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn legs_looks_and_limbs_of_a_character_are_listed() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/galatea.glb");
    let text = inspect(&file, &[]);
    for line in [
        "  leg left: left_upper_leg left_lower_leg left_foot, toes left_toes, ",
        "  look: head head on neck, 65° to the side, 40° up, 40° down",
        "  look: chest spine chest, 18° to the side, 6° up, 8° down",
        "  look: eyes bones left_eye right_eye, 35° inward, 35° outward, 25° up, 35° down",
        "  reach: right_hand: right_upper_arm right_lower_arm right_hand, ",
        "  reach: left foot: left_upper_leg left_lower_leg left_foot, ",
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
    assert_eq!(rig["missing"], json!([]));
}

#[test]
fn handles_of_a_thing_are_listed_and_what_it_lacks_is_said() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inspect_door.gltf");
    let door = json!({ "asset": { "version": "2.0" }, "scenes": [{ "nodes": [0] }], "scene": 0, "nodes": [
        { "name": "door", "children": [1] },
        { "name": "leaf", "extras": { "handle": { "name": "knob", "at": [0.9, 1, 0.05], "hand": "left_hand" } } },
    ] });
    std::fs::write(&file, door.to_string()).unwrap();
    let text = inspect(&file, &[]);
    for line in [
        "  handle knob on leaf: left_hand at (0.90, 1.00, 0.05)",
        "  no feet: it needs legs",
        "  no look: looking needs a head",
        "  no reach: no arms by their roles",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    let json: Value = serde_json::from_str(&inspect(&file, &["--json"])).unwrap();
    assert_eq!(json["rig"]["handles"][0]["name"], "knob");
    assert_eq!(json["rig"]["look"], Value::Null);
}
