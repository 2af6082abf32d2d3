use glam::{Quat, Vec3};

use galatea_asset::gltf::{self, ModelLoadError};
use galatea_asset::import::{Format, ReadFile};
use galatea_asset::model::AlphaMode;
use galatea_asset::{Model, PictureBudget};

fn none(file: &str) -> Result<Vec<u8>, String> {
    Err(format!("{file}: no such file"))
}

fn load(name: &str, text: &str) -> Result<Model, String> {
    load_bytes(name, text.as_bytes(), &mut none).map_err(|error| error.to_string())
}

/// Loads a file with these importers installed.
fn load_bytes(name: &str, bytes: &[u8], files: ReadFile<'_>) -> Result<Model, ModelLoadError> {
    crate::install();
    gltf::load_slice(name, bytes, files)
}

/// Two bones one above the other, a triangle weighted to the upper one, and a clip that rotates it.
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
fn frames_weights_and_keys_of_an_x_file_are_mirrored() {
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
    // Faces visible to the viewer stay visible: mirroring reverses the winding of triangles.
    let [a, b, c] = [0, 1, 2].map(|i| primitive.positions[primitive.indices[i] as usize]);
    assert!((b - a).cross(c - a).z < 0.0);
    let clip = &model.clips[0];
    assert_eq!((clip.name.as_str(), clip.duration), ("wave", 0.5));
    let turned = clip.bones[0].rotation.as_ref().unwrap().values[1];
    // Inverse of a quarter turn about x, which mirroring along x does not change.
    let quarter = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    assert!(turned.dot(quarter).abs() > 0.9999, "{turned}");
    let material = &model.materials[0];
    assert_eq!(material.name, "skin");
    // Colours of the format are sRGB: half of white is a fifth of the light.
    assert!(
        (material.base_color.x - 0.218).abs() < 0.01,
        "{}",
        material.base_color
    );
}

#[test]
fn a_rotation_key_turns_as_the_matrix_of_the_same_rotation() {
    // 30° about z as the frame's matrix, in rows: x to (cos, sin), and as D3DX's loader expects the key: the inverse.
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
fn errors_in_an_x_file_are_reported_with_their_line() {
    let fault = |text: &str| load("a.x", text).unwrap_err();
    let cut = &ARM[..ARM.find("MeshTextureCoords").unwrap()];
    assert_eq!(
        fault(cut),
        "a.x: the DirectX .x file cannot be read: line 10: Mesh body: the file ends inside this object"
    );
    let corner = ARM.replace("4;0,2,3,1;;\n    MeshN", "4;0,2,3,9;;\n    MeshN");
    assert!(
        fault(&corner)
            .contains("line 10: Mesh body: a face uses vertex 9, but the mesh has 4 vertices")
    );
    let count = ARM.replace("\"upper\"; 4;", "\"upper\"; 400000000;");
    assert!(fault(&count).contains("SkinWeights: declares 400000000 entries but contains fewer"));
    assert!(fault("xof 0303tzip0032").contains("compressed data is cut off"));
    assert!(fault("xof 0303abc 0032").contains("the encoding `abc` is not supported"));
    assert!(fault("xof 0303txt 0032\n").contains("no frame, mesh or animation"));
    // Missing bones are reported, and the mesh stays at rest.
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
    // v points up in the format and down in glTF.
    let low = primitive
        .positions
        .iter()
        .position(|p| *p == Vec3::ZERO)
        .unwrap();
    assert_eq!(primitive.uv0[low].y, 1.0);
    let warnings = &model.warnings;
    assert!(
        warnings.iter().any(|text| text.contains("missing.png")),
        "{warnings:?}"
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

/// A triangle with a skin of one bone, one blend shape and a curve of each, as text.
const FBX: &str = include_str!("triangle.fbx.txt");

#[test]
fn skin_shape_and_curves_of_an_fbx_are_read_in_metres() {
    let model = load("triangle.fbx", FBX).unwrap();
    assert_eq!(model.warnings, [""; 0]);
    let bones = model.skeleton.bones();
    let index_of = |name: &str| bones.iter().position(|bone| bone.name == name).unwrap();
    // The file is in centimetres.
    assert!(bones[index_of("bone")].rest.translation.distance(Vec3::Y) < 1e-5);
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
        .find(|t| usize::from(t.bone) == index_of("bone"))
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
    assert!(cut.is_err_and(|why| why.starts_with("triangle.fbx: the FBX file cannot be read")));
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

/// [`FBX`] with the first text of each pair replaced by the second.
fn changed(pairs: &[(&str, &str)]) -> Model {
    let mut text = FBX.to_owned();
    for (from, to) in pairs {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    load("triangle.fbx", &text).unwrap()
}

#[test]
fn an_fbx_take_that_begins_before_zero_is_moved_to_start_there() {
    const KEYS: &str = "a: 0,46186158000";
    let take = |keys: &str, start: &str| {
        let stack = "P: \"LocalStop\"";
        let start = format!("P: \"LocalStart\", \"KTime\", \"Time\", \"\",{start}\n{stack}");
        changed(&[(KEYS, keys), (stack, &start)])
    };
    let curve = |model: &Model| {
        let track = &model.clips[0].morphs[0].track;
        (track.times.clone(), track.values.clone())
    };
    for start in ["0", "-46186158000"] {
        let model = take("a: -46186158000,46186158000", start);
        assert!((model.clips[0].duration - 2.0).abs() < 1e-4);
        assert_eq!(curve(&model), (vec![0.0, 2.0], vec![0.0, 1.0]));
        assert_eq!(model.warnings, [""; 0]);
    }
    let model = take("a: -46186158000,0", "-46186158000");
    assert_eq!(curve(&model), (vec![0.0, 1.0], vec![0.0, 1.0]));
    // A take that begins at half a second lacks the keys before that.
    let model = take(KEYS, "23093079000");
    assert!((model.clips[0].duration - 0.5).abs() < 1e-4);
    assert_eq!(curve(&model), (vec![0.0, 0.5], vec![0.5, 1.0]));
}

#[test]
fn shapes_of_an_fbx_at_rest_keep_their_weights() {
    let still = [("C: \"OP\",404,303, \"DeformPercent\"", "")];
    let half = (
        "DeformPercent: 0",
        "Properties70: { P: \"DeformPercent\", \"Number\", \"\", \"A\",50\n }",
    );
    let model = changed(&[still[0], half]);
    assert_eq!(model.parts[0].morph_weights, [0.5]);
    assert_eq!(model.clips[0].morphs, []);
    assert_eq!(changed(&still).parts[0].morph_weights, [0.0]);
}

#[test]
fn hidden_meshes_of_an_fbx_are_left_out() {
    let model = |property: &str| {
        let lines = "\"Mesh\" {\n\t\tVersion: 232\n\t\tProperties70:  {";
        changed(&[(lines, &format!("{lines}\nP: {property}"))])
    };
    for hidden in [
        "\"Visibility\", \"Visibility\", \"\", \"A\",0",
        "\"Show\", \"bool\", \"\", \"\",0",
    ] {
        let model = model(hidden);
        assert!(model.parts.is_empty(), "{hidden}");
        assert_eq!(
            model.warnings,
            ["triangle: the node is hidden in the file; its mesh is left out"]
        );
    }
    let shown = model("\"Visibility\", \"Visibility\", \"\", \"A\",1");
    assert_eq!((shown.parts.len(), shown.warnings.len()), (1, 0));
    // Descendants of a hidden node are hidden too.
    let bone = "\"LimbNode\" {\n\t\tVersion: 232\n\t\tProperties70:  {";
    let hidden = format!("{bone}\nP: \"Visibility\", \"Visibility\", \"\", \"A\",0");
    let below = changed(&[(bone, &hidden), ("C: \"OO\",200,0", "C: \"OO\",200,201")]);
    assert!(below.parts.is_empty());
}

#[test]
fn transparency_of_an_fbx_material_is_read() {
    let opacity = |properties: &str| {
        let material = format!(
            "Material: 500, \"Material::glass\", \"\" {{\n ShadingModel: \"phong\"\n Properties70: {{\n\
             P: \"DiffuseColor\", \"Color\", \"\", \"A\",1,0,0\n{properties}\n }}\n }}\n\tModel: 201,"
        );
        let model = changed(&[
            ("Model: 201,", &material),
            ("C: \"OO\",200,0", "C: \"OO\",200,0\nC: \"OO\",500,200"),
        ]);
        let material = model.materials.iter().find(|m| m.name == "glass").unwrap();
        assert_eq!(
            material.alpha == AlphaMode::Blend,
            material.base_color.w < 0.99
        );
        material.base_color.w
    };
    let factor = "P: \"TransparencyFactor\", \"Number\", \"\", \"A\",0.25\n";
    let color = |c: &str| format!("P: \"TransparentColor\", \"Color\", \"\", \"A\",{c}\n");
    assert_eq!(opacity(""), 1.0);
    assert_eq!(opacity(factor), 0.75);
    assert_eq!(opacity(&format!("{factor}{}", color("1,1,1"))), 0.75);
    assert_eq!(opacity(&color("0.5,0.5,0.5")), 0.5);
    // Maya writes a black colour with a factor of 1.
    assert_eq!(opacity(&color("0,0,0")), 1.0);
    let both = format!("{factor}P: \"Opacity\", \"double\", \"Number\", \"\",0.5");
    assert_eq!(opacity(&both), 0.5);
}

#[test]
fn faults_of_an_fbx_name_the_line_or_the_part() {
    let fault = |from: &str, to: &str| load("a.fbx", &FBX.replace(from, to)).unwrap_err();
    assert_eq!(
        fault("a: 0,1,-3", "a: 0,7,-3"),
        "a.fbx: the FBX file cannot be read: line 28: a polygon of \"triangle\" uses vertex 7 (counted from 0), but \
         the mesh has 3 vertices"
    );
    assert!(fault("Vertices: *9 {", "Vertices: \"x\" {").contains("the geometry is damaged"));
}

/// A square of two triangles, with a material.
const OBJ: &str = "mtllib box.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nusemtl red\nf 1 2 3 4\n";

/// Loads [`OBJ`] with a material library.
fn with_library(library: &str) -> Model {
    let mut files = |file: &str| match file {
        "box.mtl" => Ok(library.as_bytes().to_vec()),
        "my wall.png" => Ok(pixel()),
        file => Err(format!("{file}: no such file")),
    };
    load_bytes("box.obj", OBJ.as_bytes(), &mut files).unwrap()
}

/// An image of one white pixel.
fn pixel() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[255; 3]).unwrap();
    drop(writer);
    bytes
}

#[test]
fn an_obj_is_read_whatever_its_encoding_and_line_ends() {
    let n_corners = |bytes: &[u8]| {
        let model = load_bytes("box.obj", bytes, &mut none)?;
        Ok::<_, ModelLoadError>(model.primitives().map(|p| p.indices.len()).sum::<usize>())
    };
    let plain = &OBJ[OBJ.find('v').unwrap()..];
    assert_eq!(n_corners(format!("\u{FEFF}{plain}").as_bytes()).unwrap(), 6);
    assert_eq!(n_corners(plain.replace('\n', "\r").as_bytes()).unwrap(), 6);
    let wide: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let error = n_corners(&wide).unwrap_err().to_string();
    assert_eq!(
        error,
        "box.obj: the OBJ file cannot be read: the file is UTF-16 text; save it as UTF-8"
    );
    let error = n_corners(plain.replace("f 1 2", "f 1/1 2/1").as_bytes())
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("line 6: \"1/1\" refers to texture coordinate 1, but the file has none"),
        "{error}"
    );
    // If other elements can replace it, a missing element is a warning.
    let model = load("box.obj", &plain.replace("f 1 2 3 4", "f 1 2 3 9")).unwrap();
    let expected = "line 6: \"9\" refers to vertex 9, but the file has only 4; the last element of the list is used";
    assert!(
        model.warnings.iter().any(|text| text == expected),
        "{:?}",
        model.warnings
    );
}

#[test]
fn materials_of_an_obj_keep_colour_opacity_and_texture() {
    let red = |rest: &str| {
        let model = with_library(&format!("newmtl red\nKd 1 0 0\n{rest}"));
        let material = model.materials.iter().find(|m| m.name == "red").unwrap();
        (
            material.base_color.to_array(),
            material.base_color_texture.is_some(),
            model.warnings,
        )
    };
    let (opaque, half) = ([1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.5]);
    assert_eq!(red(""), (opaque, false, vec![]));
    assert_eq!(red("d 0.5").0, half);
    assert_eq!(red("Tr 0.5").0, half);
    assert_eq!(red("d 1\nTr 0.5").0, opaque);
    // The texture replaces the material's colour only if the image exists.
    let (color, has_texture, warnings) = red("map_Kd gone.png");
    assert_eq!((color, has_texture, warnings.len()), (opaque, false, 1));
    let (color, has_texture, warnings) = red("map_Kd -s 1 1 1 -clamp on my wall.png");
    assert_eq!((color, has_texture, warnings), ([1.0; 4], true, vec![]));
    let marked = with_library("\u{FEFF}newmtl red\nKd 1 0 0\n");
    assert_eq!(marked.materials[0].base_color.to_array(), opaque);
}

#[test]
fn converted_weights_sum_to_one() {
    let text = ARM.replace("1.0,1.0,1.0,1.0;", "0.5,1.0,0.25,0.0;");
    let (bytes, warnings) = crate::convert(
        Format::X,
        "arm.x",
        text.as_bytes(),
        &mut none,
        PictureBudget::default(),
    )
    .unwrap();
    assert_eq!(
        warnings,
        [
            "mesh \"body\": weights sum to 0.250 … 1.000; they were normalized to 1",
            "mesh \"body\": 1 vertices have no weight; bound to the skin's first joint"
        ]
    );
    // The written file needs no repairs.
    let model = gltf::load_slice("arm.glb", &bytes, &mut none).unwrap();
    assert_eq!(model.warnings, [""; 0]);
    let influences = &model.primitives().next().unwrap().influences;
    let sums = influences
        .weights
        .chunks(influences.per_vertex)
        .map(|w| w.iter().sum::<f32>());
    assert!(sums.into_iter().all(|sum| (sum - 1.0).abs() < 1e-6));
}

#[test]
fn signs_in_a_row_are_read_in_linear_time() {
    let begin = std::time::Instant::now();
    let text = format!("xof 0303txt 0032\nFrame a {{ {}", "(".repeat(400_000));
    assert!(load("a.x", &text).is_err());
    assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
}

#[test]
fn one_damaged_vertex_leaves_the_size_of_the_rest() {
    let sound = load("arm.x", ARM).unwrap();
    let at = ARM.find("Mesh body").unwrap();
    let (before, mesh) = ARM.split_at(at);
    // The first coordinate of the first vertex.
    let number = mesh.find(';').unwrap() + 1;
    let start = number
        + mesh[number..]
            .find(|c: char| c.is_ascii_digit() || c == '-')
            .unwrap();
    let end = start + mesh[start..].find(';').unwrap();
    let damaged = format!("{before}{}1e22{}", &mesh[..start], &mesh[end..]);
    let model = load("arm.x", &damaged).unwrap();
    let is_expected = |text: &String| text.contains("1 positions are beyond 1e6; set to zero");
    assert!(
        model.warnings.iter().any(is_expected),
        "{:?}",
        model.warnings
    );
    let rest = |model: &Model| -> Vec<Vec3> {
        model
            .skeleton
            .bones()
            .iter()
            .map(|bone| bone.rest.translation)
            .collect()
    };
    assert_eq!(rest(&model), rest(&sound));
}

/// Warnings about an image of an OBJ.
fn picture_warnings(name: &str, bytes: &[u8]) -> Vec<String> {
    let object = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl red\nf 1/1 2/1 3/1\n";
    let library = format!("newmtl red\nmap_Kd {name}\n");
    let mut files = |file: &str| match file {
        "a.mtl" => Ok(library.clone().into_bytes()),
        file if file == name => Ok(bytes.to_vec()),
        other => none(other),
    };
    let model = load_bytes("a.obj", object.as_bytes(), &mut files).unwrap();
    model.warnings
}

#[test]
fn messages_about_pictures_name_their_own_format() {
    let assert_warning = |name: &str, bytes: &[u8], parts: &[&str]| {
        let warnings = picture_warnings(name, bytes);
        let all = warnings.join("\n");
        assert!(parts.iter().all(|part| all.contains(part)), "{name}: {all}");
        assert!(!all.contains("Tga"), "{name}: {all}");
    };
    const READ: &str = "use PNG, JPEG, WebP, BMP, TGA or DDS";
    assert_warning("a.dds", b"DDS \x7c", &["picture a.dds", "is a DDS image"]);
    assert_warning(
        "a.bmp",
        b"BM\x01",
        &["picture a.bmp", "is a BMP image that cannot be read"],
    );
    assert_warning(
        "a.dds",
        b"nothing of it",
        &["is not a DDS image: it begins with \"noth\"", READ],
    );
    assert_warning(
        "a.gif",
        b"GIF89a",
        &["is GIF, which is not supported", READ],
    );
    // A header for 16 384 x 16 384 pixels of 32 bits, without the pixels.
    let mut huge = vec![0_u8; 128];
    huge[..4].copy_from_slice(b"DDS ");
    let mut put = |at: usize, word: u32| huge[at..at + 4].copy_from_slice(&word.to_le_bytes());
    put(12, 16_384);
    put(16, 16_384);
    put(80, 0x40);
    put(88, 32);
    assert_warning(
        "a.dds",
        &huge,
        &[
            "its 16384 × 16384 pixels need",
            "`[assets] image_memory_mb`",
        ],
    );
}
