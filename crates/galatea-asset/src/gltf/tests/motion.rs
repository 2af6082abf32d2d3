//! Humanoids and animations of VRM files, and pointers to animated properties.

use std::f32::consts::PI;

use glam::{Quat, Vec3};
use serde_json::{Value, json};

use super::*;
use galatea_anim::Interpolation;
use galatea_anim::humanoid::Role;

fn with_extension(name: &str, extension: &Value) -> Model {
    let mut file = json!({"nodes": [{"name": "b0", "children": [1]},
        {"name": "b1", "children": [2]}, {"name": "b2"}]});
    file["extensionsUsed"] = json!([name]);
    file["extensions"] = json!({name: extension});
    File::default().load(file).unwrap()
}

#[test]
fn vrm_1_names_its_bones_by_role_and_faces_plus_z() {
    let model = with_extension(
        "VRMC_vrm",
        &json!({"humanoid": {"humanBones": {"hips": {"node": 0}, "leftUpperLeg": {"node": 1},
            "tail": {"node": 2}, "head": {"node": 99}, "neck": 7}}}),
    );
    let declared = model.declared.as_ref().unwrap();
    let mut bones = declared.bones.clone();
    bones.sort();
    assert_eq!(bones, [(Role::Hips, 0), (Role::LeftUpperLeg, 1)]);
    assert_eq!(declared.model_from_character, Quat::IDENTITY);
    assert!(warned(&model, "Galatea reads only the humanoid bones"));
}

#[test]
fn vrm_0_lists_its_bones_and_is_rotated_to_face_plus_z() {
    let model = with_extension(
        "VRM",
        &json!({"humanoid": {"humanBones": [{"bone": "hips", "node": 0},
            {"bone": "leftThumbProximal", "node": 1}, {"bone": "leftThumbIntermediate", "node": 2},
            {"bone": 3}, {"node": 1}]}}),
    );
    let (humanoid, _) = model.humanoid();
    assert_eq!(humanoid.bone(Role::LeftThumbMetacarpal), Some(1));
    assert_eq!(humanoid.bone(Role::LeftThumbProximal), Some(2));
    let forward = humanoid.model_from_character * Vec3::Z;
    assert!(forward.abs_diff_eq(Vec3::Z, 1e-6));
    let top = model
        .skeleton
        .bones()
        .iter()
        .filter(|bone| bone.parent.is_none());
    for bone in top {
        let looks = bone.rest.rotation * Vec3::NEG_Z;
        assert!(looks.abs_diff_eq(Vec3::Z, 1e-5), "{}", bone.name);
    }
    assert!(humanoid.rest_is_t_pose);
}

#[test]
fn invalid_extensions_are_ignored() {
    for broken in [
        json!([]),
        json!({"humanoid": 1}),
        json!({"humanoid": {"humanBones": "x"}}),
        json!({"humanoid": {"humanBones": {}}}),
        json!({"humanoid": {"humanBones": [1, {"bone": "hips", "node": -1}]}}),
    ] {
        for name in ["VRM", "VRMC_vrm", "VRMC_vrm_animation"] {
            assert_eq!(
                with_extension(name, &broken).declared,
                None,
                "{name} {broken}"
            );
        }
    }
}

#[test]
fn a_vrm_animations_expressions_and_gaze_become_curves() {
    let mut file = File::default();
    let times = file.floats("SCALAR", &[0.0, 1.0]);
    let weights = file.floats("VEC3", &[0.25, 0.0, 0.0, 1.0, 9.0, 9.0]);
    let half = (PI / 12.0).sin_cos();
    let turns = file.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, half.0, 0.0, half.1]);
    let model = file
        .load(json!({
            "nodes": [{"name": "hips"}, {"name": "happy"}, {"name": "mine"}, {"name": "gaze"}],
            "extensionsUsed": ["VRMC_vrm_animation"],
            "extensions": {"VRMC_vrm_animation": {
                "humanoid": {"humanBones": {"hips": {"node": 0}}},
                "expressions": {"preset": {"happy": {"node": 1}}, "custom": {"mine": {"node": 2}}},
                "lookAt": {"node": 3}}},
            "animations": [{"samplers": [{"input": times, "output": weights},
                                         {"input": times, "output": turns}],
                "channels": [{"sampler": 1, "target": {"node": 0, "path": "rotation"}},
                             {"sampler": 0, "target": {"node": 1, "path": "translation"}},
                             {"sampler": 0, "target": {"node": 2, "path": "translation"}},
                             {"sampler": 1, "target": {"node": 3, "path": "rotation"}}]}],
        }))
        .unwrap();
    assert_eq!(model.warnings, Vec::<String>::new());
    let clip = &model.clips[0];
    assert_eq!(clip.bones.len(), 1);
    let names: Vec<&str> = clip
        .curves
        .iter()
        .map(|curve| curve.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "expression.happy",
            "expression.mine",
            "look_at.pitch",
            "look_at.yaw"
        ]
    );
    assert_eq!(clip.curves[0].track.values, [0.25, 1.0]);
    let yaw = clip.curves[3].track.values[1];
    assert!((yaw - PI / 6.0).abs() < 1e-6, "{yaw}");
    assert!(clip.curves[2].track.values[1].abs() < 1e-6);
}

#[test]
fn pointers_at_nodes_are_tracks_and_all_others_curves() {
    let mut file = File::default();
    let positions = file.triangle();
    let times = file.floats("SCALAR", &[0.0, 2.0]);
    let vectors = file.floats("VEC3", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let numbers = file.floats("SCALAR", &[0.5, 0.75]);
    let pointer = |sampler: usize, pointer: &str| {
        json!({"sampler": sampler, "target": {"path": "pointer",
            "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}})
    };
    let target = json!({"POSITION": positions});
    let model = file
        .load(json!({
            "extensionsUsed": ["KHR_animation_pointer"],
            "nodes": [{"name": "a"}, {"name": "b", "mesh": 0}, {"name": "c", "mesh": 0}],
            "meshes": [{"primitives": [{"attributes": target, "targets": [target]}]}],
            "animations": [{
                "samplers": [{"input": times, "output": vectors},
                             {"input": times, "output": numbers, "interpolation": "STEP"}],
                "channels": [pointer(0, "/nodes/0/translation"), pointer(1, "/meshes/0/weights"),
                             pointer(1, "/materials/0/alphaCutoff"),
                             pointer(0, "/materials/0/emissiveFactor"),
                             pointer(0, "/materials/0/emissiveFactor"),
                             pointer(0, "/nodes/77/scale")]}],
        }))
        .unwrap();
    let clip = &model.clips[0];
    let moved = clip.bones[0].translation.as_ref().unwrap();
    assert_eq!(
        (clip.bones[0].bone, moved.values[1]),
        (0, Vec3::new(4.0, 5.0, 6.0))
    );
    let parts: Vec<usize> = clip.morphs.iter().map(|morph| morph.part).collect();
    assert_eq!(parts, [0, 1]);
    let names: Vec<&str> = clip
        .curves
        .iter()
        .map(|curve| curve.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "/materials/0/alphaCutoff",
            "/materials/0/emissiveFactor.r",
            "/materials/0/emissiveFactor.g",
            "/materials/0/emissiveFactor.b",
        ]
    );
    assert_eq!(clip.curves[0].track.interpolation, Interpolation::Step);
    assert_eq!(clip.curves[2].track.values, [2.0, 5.0]);
    assert_eq!(clip.duration, 2.0);
    assert!(warned(
        &model,
        "channel 4 is left out: another channel already animates /materials/0/emissive"
    ));
    assert!(warned(&model, "channel 5 is left out: the target node 77"));
    assert_eq!(model.warnings.len(), 2, "{:?}", model.warnings);
}

#[test]
fn ragdoll_settings_are_read_from_nodes_and_invalid_ones_reported() {
    let model = File::default()
        .load(json!({"nodes": [
            {"name": "b0", "children": [1], "extras": {"ragdoll": {"shape": "box", "size": [0.3, 0.1, 0.1],
                "mass": 0, "swng": 3}}},
            {"name": "b1", "children": [2], "extras": {"other": 1}},
            {"name": "b2", "extras": {"ragdoll": false}}]}))
        .unwrap();
    let [(0, first), (2, last)] = &model.ragdoll[..] else {
        panic!("{:?}", model.ragdoll)
    };
    assert_eq!(first.size, Some(Vec3::new(0.3, 0.1, 0.1)));
    assert_eq!((first.mass, last.body), (None, Some(false)));
    let expected = "node \"b0\", extras.ragdoll: field \"mass\" is 0, expected a mass above 0 kilograms; left out";
    assert!(warned(&model, expected), "{:?}", model.warnings);
    assert!(warned(
        &model,
        "unknown field \"swng\"; did you mean \"swing\"?; left out"
    ));
}
