use glam::{Quat, Vec3};

use galatea_asset::Model;
use galatea_asset::gltf::{self, ModelLoadError};
use galatea_asset::import::ReadFile;

fn none(file: &str) -> Result<Vec<u8>, String> {
    Err(format!("{file}: no such file"))
}

fn load(name: &str, text: &str) -> Result<Model, String> {
    load_bytes(name, text.as_bytes(), &mut none).map_err(|error| error.to_string())
}

/// Loads as a program with these importers does.
fn load_bytes(name: &str, bytes: &[u8], files: ReadFile<'_>) -> Result<Model, ModelLoadError> {
    crate::install();
    gltf::load_slice(name, bytes, files)
}

/// Two bones one above the other, a triangle that the upper one holds, and a clip that turns it.
const ARM: &str = r#"xof 0303txt 0032
template Header { <3D82AB43-62DA-11cf-AB39-0020AF71E433> WORD major; WORD minor; DWORD flags; }
AnimTicksPerSecond { 100; }
Material skin { 0.5; 0.25; 0.0; 1.0;; 10.0; 0.2; 0.2; 0.2;; 0.0; 0.0; 0.0;; }
Frame lower {
  FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1;; }
  Frame upper {
    FrameTransformMatrix { 1,0,0,0, 0,1,0,0, 0,0,1,0, 0,1,0.5,1;; }
  }
  Mesh body { // a remark
    4; 0;1;0;, 1;1;0;, 0;2;0;, 1;2;0.25;;
    1; 4;0,2,3,1;;
    MeshNormals { 1; 0;0;-1;; 1; 4;0,0,0,0;; }
    MeshTextureCoords { 4; 0;1;, 1;1;, 0;0;, 1;0;; }
    MeshMaterialList { 1; 1; 0;; { skin } }
    XSkinMeshHeader { 1; 3; 1; }
    SkinWeights {
      "upper"; 4; 0,1,2,3; 1.0,1.0,1.0,1.0;
      1,0,0,0, 0,1,0,0, 0,0,1,0, 0,-1,-0.5,1;;
    }
  }
}
AnimationSet wave {
  Animation {
    { upper }
    AnimationKey { 0; 2; 0;4;1,0,0,0;;, 50;4;0.70710678,0.70710678,0,0;;; }
    AnimationKey { 2; 1; 0;3;0,1,0.5;;; }
  }
}
"#;

#[test]
fn frames_weights_and_keys_of_an_x_file_are_seen_in_the_mirror() {
    let model = load("arm.x", ARM).unwrap();
    assert_eq!(model.warnings, [""; 0]);
    let bones = model.skeleton.bones();
    let names: Vec<&str> = bones.iter().map(|bone| &*bone.name).collect();
    assert_eq!(names, ["lower", "upper"]);
    assert_eq!(bones[1].rest.translation, Vec3::new(0.0, 1.0, 0.5));
    let primitive = model.primitives().next().unwrap();
    assert_eq!(primitive.positions.len(), 4);
    assert_eq!(primitive.indices.len(), 6);
    assert!(primitive.normals.iter().all(|n| *n == Vec3::NEG_Z));
    // What looked at the viewer still does: triangles go the other way around.
    let [a, b, c] = [0, 1, 2].map(|i| primitive.positions[primitive.indices[i] as usize]);
    assert!((b - a).cross(c - a).z < 0.0);
    let clip = &model.clips[0];
    assert_eq!((clip.name.as_str(), clip.duration), ("wave", 0.5));
    let turned = clip.bones[0].rotation.as_ref().unwrap().values[1];
    // The inverse of a quarter about x, which a mirror of x leaves as it is.
    let quarter = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    assert!(turned.dot(quarter).abs() > 0.9999, "{turned}");
    let material = &model.materials[0];
    assert_eq!(material.name, "skin");
    // Colours of the format are the screen's: half of white is a fifth of its light.
    assert!(
        (material.base_color.x - 0.218).abs() < 0.01,
        "{}",
        material.base_color
    );
}

#[test]
fn a_rotation_key_turns_as_the_matrix_of_the_same_rotation() {
    // 30° about z as the frame's matrix, in rows: x to (cos, sin), and as D3DX's loader wants the key: the inverse.
    let (c, s) = (0.866_025_4, 0.5);
    let frame = format!(
        "xof 0303txt 0032\nFrame a {{ FrameTransformMatrix {{ {c},{s},0,0, -{s},{c},0,0, 0,0,1,0, 0,0,0,1;; }} }}\n\
         AnimationSet s {{ Animation {{ {{ a }} AnimationKey {{ 0; 1; 0;4;0.9659258,0,0,-0.2588190;;; }} }} }}"
    );
    let model = load("a.x", &frame).unwrap();
    let rest = model.skeleton.bones()[0].rest.rotation;
    let key = model.clips[0].bones[0].rotation.as_ref().unwrap().values[0];
    assert!(rest.dot(key).abs() > 0.9999, "{rest} {key}");
}

#[test]
fn what_is_wrong_with_an_x_file_is_told_with_its_line() {
    let fault = |text: &str| load("a.x", text).unwrap_err();
    let cut = &ARM[..ARM.find("MeshTextureCoords").unwrap()];
    assert_eq!(
        fault(cut),
        "a.x: is DirectX .x and cannot be read: line 10: Mesh body: the file ends within it"
    );
    let corner = ARM.replace("4;0,2,3,1;;\n    MeshN", "4;0,2,3,9;;\n    MeshN");
    assert!(fault(&corner).contains("line 10: Mesh body: a face has the corner 9, of 4"));
    let count = ARM.replace("\"upper\"; 4;", "\"upper\"; 400000000;");
    assert!(fault(&count).contains("SkinWeights: says 400000000 and holds fewer"));
    assert!(fault("xof 0303tzip0032").contains("packed part is cut off"));
    assert!(fault("xof 0303abc 0032").contains("its header says `abc`"));
    assert!(fault("xof 0303txt 0032\n").contains("neither a frame, a mesh nor an animation"));
    // Bones that are not there are told, and the mesh stands as it is.
    let model = load("a.x", &ARM.replace("\"upper\"", "\"uper\"")).unwrap();
    assert!(
        model
            .warnings
            .iter()
            .any(|text| text.contains("no such frame"))
    );
    assert!(model.parts[0].skin.is_none());
}

#[test]
fn an_obj_with_its_materials_becomes_a_model() {
    let obj = "mtllib box.mtl\no box\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n\
               usemtl red\nf 1/1 2/2 3/3 4/4\n";
    let mut files = |file: &str| match file {
        "box.mtl" => Ok(b"newmtl red\nKd 0.5 0 0\nmap_Kd missing.png\n".to_vec()),
        file => Err(format!("{file}: no such file")),
    };
    let model = load_bytes("box.obj", obj.as_bytes(), &mut files).unwrap();
    let primitive = model.primitives().next().unwrap();
    assert_eq!((primitive.positions.len(), primitive.indices.len()), (4, 6));
    assert_eq!(model.materials[primitive.material].name, "red");
    // v points up in the format and down here.
    let low = primitive
        .positions
        .iter()
        .position(|p| *p == Vec3::ZERO)
        .unwrap();
    assert_eq!(primitive.uv0[low].y, 1.0);
    let told = &model.warnings;
    assert!(
        told.iter().any(|text| text.contains("missing.png")),
        "{told:?}"
    );
    let alone = load("box.obj", obj).unwrap();
    assert!(
        alone
            .warnings
            .iter()
            .any(|text| text.starts_with("materials box.mtl"))
    );
    assert!(load("box.obj", "nothing of it").is_err());
}

/// A triangle with a skin of one bone, one shape and a curve of each, as text.
const FBX: &str = include_str!("triangle.fbx.txt");

#[test]
fn skin_shape_and_curves_of_an_fbx_are_read_in_metres() {
    let model = load("triangle.fbx", FBX).unwrap();
    assert_eq!(model.warnings, [""; 0]);
    let bones = model.skeleton.bones();
    let place = |name: &str| bones.iter().position(|bone| bone.name == name).unwrap();
    // The file is in centimetres.
    assert!(bones[place("bone")].rest.translation.distance(Vec3::Y) < 1e-5);
    let primitive = model.primitives().next().unwrap();
    assert_eq!(primitive.positions[1], Vec3::new(2.0, 0.0, 0.0));
    assert_eq!(model.meshes[0].morph_names, ["smile"]);
    assert_eq!(primitive.targets[0].positions[1], Vec3::new(0.0, 0.5, 0.0));
    assert_eq!(model.skins[0].joints.len(), 1);
    let clip = &model.clips[0];
    assert_eq!(clip.name, "Wave");
    assert!((clip.duration - 1.0).abs() < 1e-4, "{}", clip.duration);
    let weights = &clip.morphs[0].track.values;
    assert_eq!((weights[0], *weights.last().unwrap()), (0.0, 1.0));
    let track = clip
        .bones
        .iter()
        .find(|t| usize::from(t.bone) == place("bone"))
        .unwrap();
    let turned = track
        .rotation
        .as_ref()
        .unwrap()
        .values
        .last()
        .copied()
        .unwrap();
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    assert!(turned.dot(quarter).abs() > 0.9999, "{turned}");
    let cut = load("triangle.fbx", &FBX[..FBX.len() / 2]);
    assert!(cut.is_err_and(|why| why.starts_with("triangle.fbx: is FBX and cannot be read")));
}

#[test]
fn damage_of_any_kind_is_an_error_and_no_panic() {
    for (name, text) in [("arm.x", ARM), ("triangle.fbx", FBX)] {
        let bytes = text.as_bytes();
        for cut in (0..bytes.len()).step_by(7) {
            let _ = load_bytes(name, &bytes[..cut], &mut none);
        }
        for (i, with) in (0..bytes.len())
            .step_by(3)
            .zip(b"{};\"9-x\0".iter().cycle())
        {
            let mut damaged = bytes.to_vec();
            damaged[i] = *with;
            let _ = load_bytes(name, &damaged, &mut none);
        }
    }
}
