//! Characters that do not face +Z, or whose bones have wrong parents.

use serde_json::{Value, json};

use super::super::{LoadOptions, ModelFacing, build};
use crate::Model;

/// A bone: name, parent and position in model space.
type BodySpot = (&'static str, Option<usize>, [f32; 3]);

/// A human body. Its legs are children of bone `legs` (0: the root on the floor, 1: the hips).
fn body(legs: usize) -> Vec<BodySpot> {
    vec![
        ("Root", None, [0.0, 0.0, 0.0]),
        ("Hips", Some(0), [0.0, 1.0, 0.0]),
        ("Spine", Some(1), [0.0, 1.15, 0.0]),
        ("Head", Some(2), [0.0, 1.6, 0.0]),
        ("UpperArm.L", Some(2), [0.15, 1.45, 0.0]),
        ("LowerArm.L", Some(4), [0.4, 1.45, 0.0]),
        ("Hand.L", Some(5), [0.65, 1.45, 0.0]),
        ("UpperArm.R", Some(2), [-0.15, 1.45, 0.0]),
        ("LowerArm.R", Some(7), [-0.4, 1.45, 0.0]),
        ("Hand.R", Some(8), [-0.65, 1.45, 0.0]),
        ("UpperLeg.L", Some(legs), [0.1, 0.95, 0.0]),
        ("LowerLeg.L", Some(10), [0.1, 0.5, 0.02]),
        ("Foot.L", Some(11), [0.1, 0.08, 0.0]),
        ("UpperLeg.R", Some(legs), [-0.1, 0.95, 0.0]),
        ("LowerLeg.R", Some(13), [-0.1, 0.5, 0.02]),
        ("Foot.R", Some(14), [-0.1, 0.08, 0.0]),
    ]
}

fn with_toes(mut spots: Vec<BodySpot>) -> Vec<BodySpot> {
    spots.push(("Toes.L", Some(12), [0.1, 0.02, 0.13]));
    spots.push(("Toes.R", Some(15), [-0.1, 0.02, 0.13]));
    spots
}

/// Rotates the body by 180° to face -Z.
fn turned(mut spots: Vec<BodySpot>) -> Vec<BodySpot> {
    for (_, _, [x, _, z]) in &mut spots {
        (*x, *z) = (-*x, -*z);
    }
    spots
}

fn loaded(spots: &[BodySpot], facing: ModelFacing) -> Model {
    let nodes = spots.iter().enumerate().map(|(i, (name, parent, at))| {
        let from = parent.map_or([0.0; 3], |parent| spots[parent].2);
        let children = spots.iter().enumerate();
        let children = children
            .filter(|(_, spot)| spot.1 == Some(i))
            .map(|(i, _)| i);
        let children: Vec<usize> = children.collect();
        let offset: Vec<f32> = at.iter().zip(from).map(|(at, from)| at - from).collect();
        let mut node = json!({"name": name, "translation": offset});
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        node
    });
    let nodes: Vec<Value> = nodes.collect();
    let joints: Vec<usize> = (0..nodes.len()).collect();
    let file = json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": nodes,
        "skins": [{"joints": joints}],
    });
    let mut none = |_: &str| Err("no such file".to_owned());
    let options = LoadOptions {
        facing,
        ..LoadOptions::default()
    };
    build("body.gltf", file.to_string().as_bytes(), &mut none, options).unwrap()
}

/// X of the left foot at rest: positive if the character faces +Z.
fn left_foot_x(model: &Model) -> f32 {
    let rest: Vec<_> = model.skeleton.rest().collect();
    let mut matrices = Vec::new();
    galatea_anim::local_to_model(&model.skeleton, &rest, &mut matrices);
    let foot = model.skeleton.find("Foot.L").unwrap();
    matrices[usize::from(foot)].translation.x
}

#[test]
fn a_body_with_consistent_evidence_is_rotated_to_face_plus_z() {
    let ahead = loaded(&with_toes(body(1)), ModelFacing::Auto);
    assert_eq!(
        (ahead.facing.turned, left_foot_x(&ahead) > 0.0),
        (0.0, true)
    );
    let back = loaded(&turned(with_toes(body(1))), ModelFacing::Auto);
    assert_eq!(back.facing.turned.abs(), 180.0);
    assert_eq!(
        back.facing.signs,
        ["left and right bone names -Z", "toes -Z"]
    );
    assert!(left_foot_x(&back) > 0.0);
    assert_eq!(back.warnings, [""; 0]);
}

#[test]
fn a_single_clue_is_a_warning_and_the_script_decides() {
    let back = loaded(&turned(body(1)), ModelFacing::Auto);
    assert_eq!((back.facing.turned, back.facing.is_known), (0.0, false));
    let [warning] = &back.warnings[..] else {
        panic!("{:?}", back.warnings)
    };
    assert!(warning.contains("facing = \"-z\""), "{warning}");
    for (facing, turned) in [(ModelFacing::MinusZ, 180.0), (ModelFacing::PlusZ, 0.0)] {
        let model = loaded(&self::turned(body(1)), facing);
        assert_eq!(model.facing.turned.abs(), turned, "{facing:?}");
        assert!(model.facing.is_known && model.warnings.is_empty());
    }
}

#[test]
fn legs_on_a_root_at_the_floor_are_children_of_the_hips_after_loading() {
    let model = loaded(&body(0), ModelFacing::Auto);
    let bones = model.skeleton.bones();
    let name = |bone: u16| bones[usize::from(bone)].name.as_str();
    let moved = model.reparented.iter();
    let moved: Vec<(&str, Option<&str>)> = moved
        .map(|one| (name(one.bone), one.old_parent.map(name)))
        .collect();
    assert_eq!(
        moved,
        [("UpperLeg.L", Some("Root")), ("UpperLeg.R", Some("Root"))]
    );
    let leg = model.skeleton.find("UpperLeg.L").unwrap();
    assert_eq!(bones[usize::from(leg)].parent.map(name), Some("Hips"));
    let (humanoid, _) = model.humanoid();
    assert!(humanoid.is_body());
    assert!(loaded(&body(1), ModelFacing::Auto).reparented.is_empty());
}
