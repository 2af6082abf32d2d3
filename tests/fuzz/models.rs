//! Model and motion files: glTF, VRM, FBX, OBJ, DirectX `.x`, BVH, DeepMimic.

use std::sync::Arc;

use galatea::anim::retarget::RetargetOptions;
use galatea::asset::clips::ClipSource;
use galatea::asset::{Model, clips, gltf};
use galatea::character::Definition;
use galatea::forge::glb;
use galatea::script::HostOptions;
use serde_json::{Value, json};

use crate::binary_fbx::packed_mesh;
use crate::binary_x;
use crate::common::{Bench, post};
use crate::folder::Folder;
use crate::mutate::{self, InputFormat};
use crate::target::Target;
use crate::texts::text_seeds;

pub const TARGETS: &[Target] = &[
    Target::new("glb", InputFormat::Glb, 60)
        .seeds(|| vec![glb::write(&post()), post_with_extensions()])
        .run(|bytes| load("fuzz.glb", bytes)),
    Target::new("gltf", InputFormat::Json, 60)
        .seeds(|| vec![document().to_string().into_bytes()])
        .run(|bytes| load("fuzz.gltf", bytes)),
    Target::new("vrm", InputFormat::Glb, 60)
        .seeds(|| vec![vrm(true), vrm(false)])
        .run(|bytes| load("fuzz.vrm", bytes)),
    Target::new("bvh", InputFormat::Text, 200)
        .seeds(|| text_seeds(&[BVH]))
        .run(|bytes| capture("a.bvh", bytes)),
    Target::new("deepmimic", InputFormat::Json, 100)
        .seeds(|| vec![deep_mimic()])
        .run(|bytes| capture("a.json", bytes)),
    Target::new("x", InputFormat::Text, 150)
        .seeds(|| text_seeds(&[X]))
        .run(|bytes| load("fuzz.x", bytes)),
    Target::new("x_binary", InputFormat::Bytes, 150)
        .seeds(|| {
            let binary = binary_x::binary(X);
            vec![
                binary_x::packed(&binary),
                binary_x::packed(X.as_bytes()),
                binary,
            ]
        })
        .run(|bytes| load("fuzz.x", bytes)),
    Target::new("fbx", InputFormat::Text, 150)
        .seeds(|| text_seeds(&[FBX]))
        .run(|bytes| load("fuzz.fbx", bytes)),
    Target::new("fbx_binary", InputFormat::Bytes, 150)
        .seeds(|| vec![packed_mesh(4, 2)])
        .run(|bytes| load("fuzz.fbx", bytes)),
    Target::new("obj", InputFormat::Text, 150)
        .seeds(|| text_seeds(&[OBJ]))
        .run(|bytes| load("fuzz.obj", bytes)),
    Target::new("mtl", InputFormat::Text, 150)
        .seeds(|| text_seeds(&[MTL]))
        .run(|bytes| {
            galatea::install();
            let mut files = |name: &str| match name {
                "fuzz.mtl" => Ok(bytes.to_vec()),
                _ => Err("no such file".into()),
            };
            if let Ok(model) = gltf::load_slice("fuzz.obj", OBJ.as_bytes(), &mut files) {
                check(&model);
            }
        }),
];

/// Loads a model; a model that loads must be valid and play.
fn load(name: &str, bytes: &[u8]) {
    galatea::install();
    let mut files = |_: &str| Err("no such file".into());
    let Ok(model) = gltf::load_slice(name, bytes, &mut files) else {
        return;
    };
    check(&model);
    if let Ok(source) = clips::load_slice(name, bytes, &mut files) {
        bind(&source);
    }
    play(model);
}

/// The guarantees of `galatea-asset` for a model that loads.
fn check(model: &Model) {
    let n_bones = model.skeleton.len();
    for bone in model.skeleton.bones() {
        let rest = bone.rest;
        assert!(rest.translation.is_finite() && rest.scale.is_finite());
        assert!(rest.rotation.is_normalized(), "{}", rest.rotation);
    }
    for primitive in model.primitives() {
        let n = primitive.positions.len();
        assert!(primitive.positions.iter().all(|p| p.is_finite()));
        assert!(primitive.normals.iter().all(|p| p.is_finite()));
        assert!(primitive.indices.iter().all(|i| (*i as usize) < n));
        assert!(primitive.influences.weights.iter().all(|w| w.is_finite()));
    }
    for skin in &model.skins {
        assert!(skin.inverse_bind.iter().all(|m| m.is_finite()));
        assert!(skin.joints.iter().all(|j| usize::from(*j) < n_bones));
    }
    for clip in &model.clips {
        assert!(clip.duration.is_finite());
        let tracks = clip.bones.iter();
        let turns = tracks.filter_map(|bone| bone.rotation.as_ref());
        assert!(turns.flat_map(|track| &track.values).all(|q| q.is_finite()));
    }
}

/// Binds clips to another model.
fn bind(source: &ClipSource) {
    let model = post();
    // Skeletons with too little in common are refused.
    let _ = source.onto(&model, &model.humanoid().0, RetargetOptions::default());
}

/// Loads a motion capture file.
fn capture(name: &str, bytes: &[u8]) {
    let folder = Folder::new("fuzz-capture");
    folder.write(name, bytes);
    let file = folder.0.join(name);
    if let Ok(source) = clips::load(&file) {
        bind(&source);
    }
    if let Ok(model) = clips::load_model(&file) {
        check(&model);
    }
}

/// Runs a model in a scene for a moment.
fn play(model: Model) {
    let definition = Arc::new(Definition::new(Arc::new(model)));
    let mut bench = Bench::with_definition(HostOptions::default(), definition);
    let script = "local hero = character 'post.glb'
        for i, clip in hero:clips() do
            if i < 4 then hero:play(clip.name, { mode = 'loop', mask = nil }) end
        end
        hero:look_at(vector.create(1, 1, 1))";
    // The script may fail with a model that lacks something.
    let _ = bench.load(script);
    bench.run(0.1);
    for (_, hero) in bench.stage.characters.iter() {
        let locals = &hero.posed.pose.locals;
        assert!(locals.iter().all(|local| local.translation.is_finite()));
        assert!(locals.iter().all(|local| local.rotation.is_finite()));
    }
}

/// JSON document and binary data of a GLB.
fn parts(glb: &[u8]) -> (Value, Vec<u8>) {
    let n = u32::from_le_bytes([12, 13, 14, 15].map(|i| glb[i])) as usize;
    let json = serde_json::from_slice(&glb[20..20 + n]).unwrap();
    (json, glb[28 + n..].to_vec())
}

/// Uses all supported extensions of glTF.
fn post_with_extensions() -> Vec<u8> {
    let (mut json, data) = parts(&glb::write(&post()));
    json["extensionsUsed"] = json!(["KHR_materials_clearcoat", "KHR_materials_variants"]);
    json["extensions"] = json!({
        "KHR_materials_variants": { "variants": [{ "name": "red" }] },
        "KHR_physics_rigid_bodies": { "physicsMaterials": [{ "staticFriction": 0.5 }] },
        "KHR_implicit_shapes": { "shapes": [{ "type": "box", "box": { "size": [1, 1, 1] } }] },
    });
    json["materials"][0]["extensions"] = json!({
        "KHR_materials_clearcoat": { "clearcoatFactor": 0.5 },
        "KHR_materials_sheen": { "sheenColorFactor": [0.1, 0.2, 0.3] },
        "KHR_materials_emissive_strength": { "emissiveStrength": 4 },
        "KHR_materials_unlit": {},
        "KHR_materials_transmission": { "transmissionFactor": 0.5 },
        "KHR_materials_ior": { "ior": 1.4 },
        "KHR_materials_volume": { "thicknessFactor": 0.1 },
    });
    json["materials"][0]["extras"] = json!({ "kind": "skin" });
    json["nodes"][1]["extras"] = json!({
        "helper": [{ "kind": "twist", "source": "root", "axis": [0, 1, 0], "weight": 0.5 }],
        "ragdoll": { "radius": 0.1, "swing": 40 },
        "interaction": [{ "kind": "lever", "position": [0, 0, 0], "axis": [0, 1, 0] }],
        "spring": { "stiffness": 0.5, "radius": 0.05 },
    });
    json["nodes"][1]["extensions"] = json!({
        "KHR_physics_rigid_bodies": {
            "motion": { "mass": 2 },
            "collider": { "geometry": { "shape": 0 }, "physicsMaterial": 0 },
        },
    });
    json["animations"][0]["extras"] =
        json!({ "markers": [{ "time": 0.1, "event": "step", "foot": "left" }] });
    mutate::glb(json.to_string().as_bytes(), &data)
}

/// A document with embedded data.
fn document() -> Value {
    use base64::Engine as _;
    let (mut json, data) = parts(&post_with_extensions());
    let text = base64::engine::general_purpose::STANDARD.encode(&data);
    json["buffers"][0]["uri"] = json!(format!("data:application/octet-stream;base64,{text}"));
    json
}

/// A figure with the bones of VRM 1 or 0.
fn vrm(is_new: bool) -> Vec<u8> {
    let (mut json, data) = parts(&glb::write(&post()));
    let bones = [
        ("hips", 0),
        ("spine", 1),
        ("head", 1),
        ("leftFoot", 2),
        ("rightFoot", 3),
    ];
    if is_new {
        let human: serde_json::Map<String, Value> = bones
            .iter()
            .map(|(name, node)| ((*name).to_owned(), json!({ "node": node })))
            .collect();
        json["extensions"]["VRMC_vrm"] = json!({
            "specVersion": "1.0",
            "meta": { "name": "post", "authors": ["us"], "licenseUrl": "" },
            "humanoid": { "humanBones": human },
            "firstPerson": { "meshAnnotations": [{ "node": 4, "type": "both" }] },
            "lookAt": {
                "type": "bone", "offsetFromHeadBone": [0, 0.06, 0],
                "rangeMapHorizontalInner": { "inputMaxValue": 90, "outputScale": 10 },
                "rangeMapVerticalUp": { "inputMaxValue": 90, "outputScale": 10 },
            },
            "expressions": {
                "preset": { "happy": { "morphTargetBinds": [{ "node": 4, "index": 0, "weight": 1 }] } },
                "custom": { "odd": { "materialColorBinds": [{ "material": 0, "type": "color", "targetValue": [1, 0, 0, 1] }] } },
            },
        });
        json["extensions"]["VRMC_springBone"] = json!({
            "specVersion": "1.0",
            "colliders": [{ "node": 0, "shape": { "sphere": { "offset": [0, 0, 0], "radius": 0.1 } } }],
            "colliderGroups": [{ "colliders": [0] }],
            "springs": [{ "joints": [{ "node": 0, "stiffness": 1 }, { "node": 1, "hitRadius": 0.02 }], "colliderGroups": [0] }],
        });
        json["materials"][0]["extensions"] = json!({
            "VRMC_materials_mtoon": { "shadeColorFactor": [0.5, 0.5, 0.5], "outlineWidthMode": "worldCoordinates", "outlineWidthFactor": 0.01 },
        });
        json["nodes"][2]["extensions"] = json!({
            "VRMC_node_constraint": { "constraint": { "rotation": { "source": 1, "weight": 0.5 } } },
        });
    } else {
        let human: Vec<Value> = bones
            .iter()
            .map(|(bone, node)| json!({ "bone": bone, "node": node }))
            .collect();
        json["extensions"]["VRM"] = json!({
            "meta": { "title": "post" },
            "humanoid": { "humanBones": human },
            "firstPerson": {
                "firstPersonBone": 1, "lookAtTypeName": "Bone",
                "lookAtHorizontalInner": { "curve": [0, 0, 0, 1, 1, 1, 1, 0], "xRange": 90, "yRange": 10 },
            },
            "blendShapeMaster": { "blendShapeGroups": [{
                "name": "Joy", "presetName": "joy",
                "binds": [{ "mesh": 0, "index": 0, "weight": 100 }],
                "materialValues": [{ "materialName": "hair", "propertyName": "_Color", "targetValue": [1, 0, 0, 1] }],
            }] },
            "secondaryAnimation": {
                "boneGroups": [{ "stiffiness": 1, "bones": [1], "colliderGroups": [0] }],
                "colliderGroups": [{ "node": 0, "colliders": [{ "offset": { "x": 0, "y": 0, "z": 0 }, "radius": 0.1 }] }],
            },
            "materialProperties": [{ "name": "hair", "shader": "VRM/MToon", "floatProperties": { "_Cutoff": 0.5 } }],
        });
    }
    mutate::glb(json.to_string().as_bytes(), &data)
}

fn deep_mimic() -> Vec<u8> {
    let mut frame = vec![0.0; 44];
    frame[0] = 0.03;
    for w in [4, 8, 12, 16, 21, 25, 30, 35] {
        frame[w] = 1.0;
    }
    json!({ "Loop": "wrap", "Frames": [frame, frame, frame] })
        .to_string()
        .into_bytes()
}

const BVH: &str = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 90 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
    JOINT Knee\n {\n  OFFSET 0 -45 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 -45 0\n  }\n }\n}\n\
    MOTION\nFrames: 3\nFrame Time: 0.0333\n0 90 0 0 0 0 0 10 0\n1 90 0 0 5 0 0 20 0\n2 90 0 0 9 0 0 10 0\n";

pub const X: &str = r#"xof 0303txt 0032
template Header { <3D82AB43-62DA-11cf-AB39-0020AF71E433> WORD major; WORD minor; DWORD flags; }
AnimTicksPerSecond { 100; }
Material skin { 0.5; 0.25; 0.0; 1.0;; 10.0; 0.2; 0.2; 0.2;; 0.0; 0.0; 0.0;; TextureFilename { "a.png"; } }
Frame lower {
  FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1;; }
  Frame upper { FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,1,0.5,1;; } }
  Mesh body {
    4; 0;1;0;, 1;1;0;, 0;2;0;, 1;2;0.25;;
    1; 4;0,2,3,1;;
    MeshNormals { 1; 0;0;-1;; 1; 4;0,0,0,0;; }
    MeshTextureCoords { 4; 0;1;, 1;1;, 0;0;, 1;0;; }
    MeshMaterialList { 1; 1; 0;; { skin } }
    XSkinMeshHeader { 1; 3; 1; }
    SkinWeights { "upper"; 4; 0,1,2,3; 1.0,1.0,1.0,1.0; 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,-1,-0.5,1;; }
  }
}
AnimationSet wave {
  Animation { { upper }
    AnimationKey { 0; 2; 0;4;1,0,0,0;;, 50;4;0.70710678,0.70710678,0,0;;; }
    AnimationKey { 2; 1; 0;3;0,1,0.5;;; }
    AnimationKey { 4; 1; 0;16;1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;;; }
  }
}
"#;

const FBX: &str = include_str!("../../crates/galatea-import/src/triangle.fbx.txt");

const OBJ: &str = "mtllib fuzz.mtl\no box\ng left right\ns 1\nv 0 0 0\nv 1 0 0\nv 1 1 0 0.5 0.5 0.5\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n\
    vn 0 0 1\nusemtl red\nf 1/1/1 2/2/1 3/3/1 4/4/1\nf -4//1 -3//1 -2//1\nl 1 2\n";

const MTL: &str = "newmtl red\nKd 0.5 0 0\nKa 0 0 0\nKs 1 1 1\nKe 0 0 0\nNs 200\nd 0.5\nTr 0.5\nillum 2\nPr 0.4\nPm 0.1\n\
    map_Kd -s 1 1 1 -o 0 0 0 missing.png\nmap_Bump -bm 0.5 n.png\nnorm n.png\nmap_d a.png\n";
