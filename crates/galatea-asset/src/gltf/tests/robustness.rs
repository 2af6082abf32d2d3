//! Damaged files, files that request too much memory, and external files.

use glam::Vec3;
use serde_json::json;

use super::super::load;
use super::*;

#[test]
fn broken_vertices_and_unusable_primitives_do_not_stop_the_model() {
    let mut file = File::default();
    let positions = file.floats("VEC3", &[f32::NAN, 0., 0., 1., 0., 0., 0., 1., 0.]);
    let short = file.floats("VEC2", &[0.0; 4]);
    let attributes = json!({"POSITION": positions, "TEXCOORD_0": short, "NORMAL": 77});
    let model = file
        .load(json!({"meshes": [{"name": "m", "primitives": [
            {"attributes": attributes, "material": 5}, {"attributes": attributes, "mode": 1},
            {"attributes": {}}, {"attributes": attributes, "mode": 9}]}]}))
        .unwrap();
    let primitives = &model.meshes[0].primitives;
    assert_eq!(primitives.len(), 1);
    assert_eq!(primitives[0].positions[0], Vec3::ZERO);
    assert_eq!(primitives[0].material, 0);
    for part in [
        "1 positions are NaN or beyond 1e6",
        "TEXCOORD_0 is left out: 2 values for 3 vertices",
        "NORMAL is left out",
        "material 5 does not exist",
        "points and lines",
        "has no positions",
        "mode 9",
    ] {
        assert!(warned(&model, part), "{part}: {:#?}", model.warnings);
    }
}

#[test]
fn wrong_types_outside_of_meshes_remove_only_their_element() {
    let mut file = File::default();
    let positions = file.triangle();
    let input = file.floats("SCALAR", &[0.0, 1.0]);
    let output = file.floats("VEC3", &[0.0; 6]);
    let sampler = json!({"input": input, "output": output});
    let channel = |sampler: usize, node: usize| json!({"sampler": sampler, "target": {"node": node, "path": "translation"}});
    let model = file
        .load(json!({
            "extensionsUsed": ["X_a", 5], "scene": "first", "cameras": "none",
            "extensions": {"KHR_lights_punctual": 5},
            "nodes": [{"name": "a", "mesh": 0, "camera": [], "weights": "no",
                "extensions": {"KHR_lights_punctual": "x"}}, {"name": 5}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": positions}, "material": 1}]}],
            "materials": ["red", {"name": "skin", "doubleSided": true, "alphaCutoff": "half",
                "pbrMetallicRoughness": {"baseColorFactor": "red", "metallicFactor": 0.25}}],
            "textures": [{"source": "a.png"}], "images": [{"uri": 5}], "samplers": {"wrapS": 1},
            "animations": [
                {"name": "walk", "channels": [channel(0, 0), channel(1, 1), {"sampler": 1}],
                    "samplers": [{"input": input, "output": output, "interpolation": 0}, sampler]},
                {"name": "run", "channels": 3, "samplers": [sampler]},
                5]}))
        .unwrap();
    let material = &model.materials[1];
    assert!(material.double_sided && material.name == "skin");
    assert_eq!(
        (material.metallic, material.base_color),
        (0.25, glam::Vec4::ONE)
    );
    let clips: Vec<(&str, usize)> = model
        .clips
        .iter()
        .map(|c| (&*c.name, c.bones.len()))
        .collect();
    assert_eq!(clips, [("walk", 1), ("run", 0), ("clip_2", 0)]);
    assert_eq!(model.clips[0].bones[0].bone, 1);
    for part in [
        "extensionsUsed: expected a name, got 5",
        "scene: ",
        "nodes[0] \"a\": weights: ",
        "nodes[1]: name: ",
        "materials[0]: expected an object, got \"red\"",
        "materials[1] \"skin\": alphaCutoff: ",
        "materials[1] \"skin\": pbrMetallicRoughness.baseColorFactor: ",
        "textures[0]: source: ",
        "images[0]: uri: ",
        "samplers is not a list",
        "clip \"walk\": channel 0 is left out: sampler 0 cannot be read: interpolation: expected one of \"LINEAR\"",
        "clip \"walk\": channel 2 is left out: field \"target\" is missing",
        "animations[1] \"run\": channels: ",
        "animations[2]: expected an object, got 5",
    ] {
        assert!(warned(&model, part), "{part}: {:#?}", model.warnings);
    }
    // The data of meshes must be valid.
    for broken in [
        json!({"meshes": [{"primitives": 5}]}),
        json!({"nodes": [{"mesh": "x"}]}),
        json!({"nodes": {}}),
    ] {
        assert!(file.load(broken.clone()).is_err(), "{broken}");
    }
}

#[test]
fn the_error_for_another_format_lists_the_supported_formats() {
    let mut none = |_: &str| Err(String::new());
    let mut error = |name: &str| {
        load_slice(name, b"solid cube", &mut none)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error("some/cube.stl"),
        "some/cube.stl: .stl is not supported; formats: glb, gltf, vrm, fbx, obj, x, bvh"
    );
    assert!(error("cube.glb").contains("not a GLB or glTF file"));
    assert!(error("cube").contains("not a GLB or glTF file"));
}

#[test]
fn a_small_file_cannot_request_unlimited_memory() {
    let file = File {
        accessors: vec![
            json!({"componentType": F32, "type": "VEC3", "count": 4_000_000_000_u64}),
            json!({"componentType": F32, "type": "VEC3", "count": 1_000_000}),
        ],
        ..File::default()
    };
    let once = json!({"attributes": {"POSITION": 0}});
    let error = file
        .load(json!({"meshes": [{"primitives": [once]}]}))
        .unwrap_err();
    assert!(error.starts_with("some/test.glb: mesh 0, positions: accessor 0: 4000000000"));
    let often = vec![json!({"attributes": {"POSITION": 1}}); 1000];
    let error = file
        .load(json!({"meshes": [{"primitives": often}]}))
        .unwrap_err();
    assert!(
        error.contains("too much for a file of this size"),
        "{error}"
    );
}

#[test]
fn external_files_affect_the_hash_and_missing_ones_are_named() {
    let json = |uri: &str| {
        json!({"asset": {"version": "2.0"}, "buffers": [{"uri": uri, "byteLength": 1}]}).to_string()
    };
    let uid = |content: u8| {
        let mut read = |name: &str| {
            assert_eq!(name, "a b.bin");
            Ok(vec![content])
        };
        load_slice("x.gltf", json("a%20b.bin").as_bytes(), &mut read)
            .unwrap()
            .uid
    };
    assert_eq!(uid(1), uid(1));
    assert_ne!(uid(1), uid(2));
    let error = from_bytes(json("gone.bin").as_bytes()).unwrap_err();
    assert!(
        error.contains("`gone.bin`") && error.contains("no file"),
        "{error}"
    );
    let error = from_bytes(json("https://example.org/a.bin").as_bytes()).unwrap_err();
    assert!(error.contains("URL"), "{error}");
}

#[test]
fn a_file_from_disk_lists_what_it_read() {
    let folder = std::env::temp_dir().join(format!("galatea-gltf-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("thing.gltf");
    let json = r#"{"asset":{"version":"2.0"},"buffers":[{"uri":"thing.bin","byteLength":1}]}"#;
    std::fs::write(&file, json).unwrap();
    std::fs::write(folder.join("thing.bin"), [0]).unwrap();
    let model = load(&file).unwrap();
    assert_eq!(model.sources, [file.clone(), folder.join("thing.bin")]);
    assert_eq!(model.name, "thing");
    let missing = load(&folder.join("none.glb")).unwrap_err().to_string();
    assert!(
        missing.contains("none.glb: there is no such file"),
        "{missing}"
    );
    assert_eq!(
        load(&folder).unwrap_err().sources,
        std::slice::from_ref(&folder)
    );
    // Files made on Windows are found also with different letter case.
    std::fs::write(&file, json.replace("thing.bin", "Thing.BIN")).unwrap();
    let model = load(&file).unwrap();
    if !folder.join("Thing.BIN").exists() {
        assert!(
            warned(&model, "refers to `Thing.BIN`; "),
            "{:?}",
            model.warnings
        );
        assert_eq!(model.sources.last(), Some(&folder.join("thing.bin")));
    }
    std::fs::write(&file, json).unwrap();
    // An error, too, lists the files that a second try depends on.
    std::fs::remove_file(folder.join("thing.bin")).unwrap();
    let sources = load(&file).unwrap_err().sources;
    assert_eq!(sources, [file.clone(), folder.join("thing.bin")]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_file_with_any_byte_changed_or_cut_off_never_panics() {
    let mut file = File::default();
    let primitive = skinned(&mut file, &FULL);
    let times = file.floats("SCALAR", &[0.0, 2.0]);
    let moves = file.floats("VEC3", &[0.0; 6]);
    let bytes = file.glb(json!({
        "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "skin": 0, "children": [1]}, {"name": "b"}],
        "meshes": [{"primitives": [primitive]}], "skins": [{"joints": [0, 1]}],
        "animations": [{"samplers": [{"input": times, "output": moves}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}]}],
    }));
    from_bytes(&bytes).unwrap();
    for cut in 0..bytes.len() {
        assert!(from_bytes(&bytes[..cut]).is_err());
    }
    for at in 0..bytes.len() {
        for byte in [b'0', b'9', b'-', b'1', 0, 0xFF] {
            let mut changed = bytes.clone();
            changed[at] = byte;
            let _ = from_bytes(&changed);
        }
    }
}
