//! Meshes, skins, materials and images of complete files.

use glam::{Vec2, Vec3, Vec4};
use serde_json::json;

use super::*;

#[test]
fn a_skinned_mesh_comes_with_its_joints_and_strided_inverse_binds() {
    let mut file = File::default();
    let primitive = skinned(&mut file, &FULL);
    let mut matrices = vec![0f32; 40];
    for (at, x) in [(0, 5.0), (20, 6.0)] {
        for i in [0, 5, 10, 15] {
            matrices[at + i] = 1.0;
        }
        matrices[at + 12] = x;
    }
    let inverse = file.accessor(F32, "MAT4", 2, &matrices);
    file.views.last_mut().unwrap()["byteStride"] = json!(80);
    let model = file
        .load(json!({
            "nodes": [{"name": "body", "mesh": 0, "skin": 0}, {"name": "a", "children": [2]},
                      {"name": "b"}],
            "meshes": [{"name": "m", "primitives": [primitive]}],
            "skins": [{"name": "s", "joints": [1, 2], "inverseBindMatrices": inverse}],
        }))
        .unwrap();
    assert_eq!(model.name, "test");
    assert_eq!(model.skins[0].joints, [1, 2]);
    assert_eq!(model.skins[0].inverse_bind[1].w_axis.x, 6.0);
    let part = &model.parts[0];
    assert_eq!(
        (part.name.as_str(), part.bone, part.skin),
        ("body", 0, Some(0))
    );
    let influences = &model.meshes[0].primitives[0].influences;
    assert_eq!(influences.per_vertex, 4);
    assert_eq!(influences.joints[..4], [1, 0, 0, 0]);
    assert!(model.warnings.is_empty(), "{:?}", model.warnings);
}

#[test]
fn lines_are_placed_by_their_nodes() {
    let mut file = File::default();
    let strip = file.floats("VEC3", &[0., 0., 0., 0., 1., 0., 0., 2., 0.]);
    let indices = file.accessor(U16, "SCALAR", 6, &[2u16, 1, 1, 0, 9, 0]);
    let bytes = file.glb(json!({
        "nodes": [{"translation": [1, 0, 0], "children": [1]}, {"mesh": 0, "scale": [2, 2, 2]}],
        "meshes": [{"primitives": [
            {"mode": 3, "attributes": {"POSITION": strip}},
            {"mode": 1, "attributes": {"POSITION": strip}, "indices": indices},
            {"mode": 4, "attributes": {"POSITION": strip}},
        ]}],
    }));
    let found = super::super::lines::lines(&bytes, &mut |name| Err(name.to_owned())).unwrap();
    let up = |y: f32| Vec3::new(1.0, y, 0.0);
    // An index outside the points is skipped.
    let expected = [vec![up(0.), up(2.), up(4.)], vec![up(4.), up(2.), up(0.)]];
    assert_eq!(found[..2], expected);
}

#[test]
fn a_mesh_under_two_skins_is_checked_against_each() {
    let mut file = File::default();
    let primitive = skinned(&mut file, &FULL);
    let model = file
        .load(json!({
            "nodes": [{"mesh": 0, "skin": 0}, {"mesh": 0, "skin": 1}, {"mesh": 0}],
            "meshes": [{"primitives": [primitive]}],
            "skins": [{"joints": [0, 1]}, {"joints": [1]}],
        }))
        .unwrap();
    assert_eq!(model.meshes.len(), 3);
    let influences = |part: usize| &model.meshes[model.parts[part].mesh].primitives[0].influences;
    assert_eq!(influences(0).joints[0], 1);
    assert_eq!(influences(1).joints[0], 0);
    assert_eq!(influences(1).weights[0], 1.0);
    assert_eq!(influences(2).per_vertex, 0);
    assert!(warned(&model, "beyond the skin's 1"));
    assert!(warned(&model, "its node has no skin"));
}

#[test]
fn skins_without_joints_or_with_too_few_matrices_still_load() {
    let mut file = File::default();
    let primitive = skinned(&mut file, &FULL);
    let mut matrix = [f32::NAN; 16];
    let inverse = file.accessor(F32, "MAT4", 1, &matrix);
    let model = file
        .load(json!({
            "nodes": [{"mesh": 0, "skin": 0}, {"mesh": 0, "skin": 1}],
            "meshes": [{"primitives": [primitive]}],
            "skins": [{"joints": []}, {"joints": [0, 1], "inverseBindMatrices": inverse}],
        }))
        .unwrap();
    assert_eq!(model.parts[0].skin, None);
    matrix = glam::Mat4::IDENTITY.to_cols_array();
    assert!(
        model.skins[1]
            .inverse_bind
            .iter()
            .all(|m| m.to_cols_array() == matrix)
    );
    assert!(warned(&model, "has no joints"));
    assert!(warned(&model, "2 joints and 1 inverse bind matrices"));
    assert!(warned(&model, "values that are NaN"));
}

#[test]
fn weights_that_do_not_sum_to_one_are_reported_with_the_deviation() {
    let mut file = File::default();
    let primitive = skinned(
        &mut file,
        &[0.83, 0., 0., 0., 1., 0., 0., 0., 0., 0., 0., 0.],
    );
    let model = file
        .load(json!({"nodes": [{"mesh": 0, "skin": 0}, {}],
            "meshes": [{"name": "Body", "primitives": [primitive]}],
            "skins": [{"joints": [0, 1]}]}))
        .unwrap();
    assert!(warned(
        &model,
        "mesh \"Body\": weights sum to 0.830 … 1.000"
    ));
    assert!(warned(&model, "1 vertices have no weight"));
    let weights = &model.meshes[0].primitives[0].influences.weights;
    assert_eq!((weights[0], weights[4], weights[8]), (1.0, 1.0, 1.0));
}

#[test]
fn extras_of_nodes_and_meshes_choose_the_skinning() {
    use crate::skinning::Skinning::{DualQuaternion, Linear};
    let mut file = File::default();
    let primitive = skinned(&mut file, &[1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0.]);
    let dual = json!({"skinning": "dual_quaternion"});
    let model = file
        .load(json!({
            "nodes": [
                {"mesh": 0, "skin": 0},
                {"mesh": 1, "skin": 0},
                {"mesh": 1, "skin": 0, "extras": {"galatea": {"skinning": "linear"}}},
                {"mesh": 0, "skin": 0, "extras": {"galatea": dual.clone()}},
                {"name": "Odd", "mesh": 0, "skin": 0, "extras": {"skinning": "quaternion"}},
            ],
            "meshes": [{"primitives": [primitive.clone()]},
                {"primitives": [primitive], "extras": dual}],
            "skins": [{"joints": [0, 1]}]}))
        .unwrap();
    let found: Vec<_> = model.parts.iter().map(|part| part.skinning).collect();
    assert_eq!(
        found,
        [Linear, DualQuaternion, Linear, DualQuaternion, Linear]
    );
    assert!(warned(
        &model,
        "node \"Odd\", extras: unknown skinning \"quaternion\""
    ));
}

#[test]
fn missing_normals_are_flat_and_a_normal_texture_gets_tangents() {
    let mut file = File::default();
    let positions = file.triangle();
    let uv = file.accessor(U8, "VEC2", 3, &[0u8, 0, 255, 0, 0, 255]);
    file.accessors[uv]["normalized"] = json!(true);
    let colors = file.accessor(U8, "VEC3", 3, &[255u8, 0, 0, 0, 255, 0, 0, 0, 255]);
    let indices = file.accessor(U16, "SCALAR", 6, &[0u16, 1, 2, 0, 1, 9]);
    let model = file
        .load(json!({
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"indices": indices, "material": 0, "attributes":
                {"POSITION": positions, "TEXCOORD_0": uv, "COLOR_0": colors}}]}],
            "materials": [{"normalTexture": {"index": 0}}],
            "textures": [{"source": 0}],
            "images": [{"uri": png()}],
        }))
        .unwrap();
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!(primitive.normals, [Vec3::Z; 3]);
    assert_eq!(primitive.uv0[1], Vec2::X);
    assert_eq!(primitive.colors[1], Vec4::new(0.0, 1.0, 0.0, 1.0));
    assert_eq!(primitive.indices, [0, 1, 2]);
    // v grows up the triangle here, down a picture: its up is -v (glTF 2.0, 3.7.2.1).
    assert!(primitive.tangents[0].abs_diff_eq(Vec4::new(1.0, 0.0, 0.0, -1.0), 1e-6));
    assert!(warned(
        &model,
        "1 triangles refer to vertices that do not exist"
    ));
    assert_eq!(model.images[0].rgba, [1, 2, 3, 255]);
}

/// One pixel as a data URI.
fn png() -> String {
    use base64::Engine as _;
    let mut bytes = Vec::new();
    let pixel = image::RgbImage::from_pixel(1, 1, image::Rgb([1, 2, 3]));
    pixel
        .write_to(
            &mut std::io::Cursor::new(&mut bytes),
            image::ImageFormat::Png,
        )
        .unwrap();
    let text = base64::engine::general_purpose::STANDARD.encode(bytes);
    format!("data:image/png;base64,{text}")
}

#[test]
fn a_broken_picture_is_replaced_and_the_model_still_loads() {
    let mut file = File::default();
    let bomb = file.view(&png_header(60_000, 60_000));
    let model = file
        .load(json!({
            "materials": [{"normalTexture": {"index": 0}, "emissiveTexture": {"index": 0},
                "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}},
                {"pbrMetallicRoughness": {"baseColorTexture": {"index": 1}}}],
            "textures": [{"source": 0}, {"source": 1}],
            "images": [{"uri": "gone.png"}, {"bufferView": bomb, "mimeType": "image/png"}],
        }))
        .unwrap();
    assert!(model.materials[0].base_color_texture.is_some());
    assert_eq!(model.materials[0].normal_texture, None);
    assert_eq!((model.images[0].width, model.images[1].width), (2, 2));
    assert!(warned(&model, "gone.png"), "{:?}", model.warnings);
    assert!(
        warned(&model, "60000 × 60000 pixels need 13733 MB decoded"),
        "{:?}",
        model.warnings
    );
}

/// The start of a PNG of this size.
fn png_header(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 6, 0, 0, 0]);
    let crc = bytes[12..].iter().fold(!0u32, |mut crc, byte| {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
        }
        crc
    });
    bytes.extend((!crc).to_be_bytes());
    bytes.extend(b"\0\0\0\0IDAT\0\0\0\0");
    bytes
}

#[test]
fn morph_targets_have_names_default_weights_and_sparse_offsets() {
    let mut file = File::default();
    let positions = file.triangle();
    let at = file.view(&[2u8]);
    let value = file.view(bytemuck::cast_slice(&[0f32, 0., 7.]));
    file.accessors
        .push(json!({"componentType": F32, "type": "VEC3", "count": 3,
        "sparse": {"count": 1, "indices": {"bufferView": at, "componentType": U8},
                   "values": {"bufferView": value}}}));
    let sparse = file.accessors.len() - 1;
    let attributes = json!({"POSITION": positions, "NORMAL": positions});
    let model = file
        .load(json!({
            "nodes": [{"mesh": 0}, {"mesh": 0, "weights": [0.25, 0.5, 0.75]}],
            "meshes": [{"weights": [1, 0, 0],
                "extras": {"targetNames": ["smile", "smile"]},
                "primitives": [
                    {"attributes": attributes,
                     "targets": [{"POSITION": sparse}, {}, {"POSITION": positions}]},
                    {"attributes": attributes}]}],
        }))
        .unwrap();
    let mesh = &model.meshes[0];
    assert_eq!(mesh.morph_names, ["smile", "smile.1", "target_2"]);
    let targets = &mesh.primitives[0].targets;
    assert_eq!(
        targets[0].positions,
        [Vec3::ZERO, Vec3::ZERO, Vec3::Z * 7.0]
    );
    assert!(targets[1].positions.is_empty() && targets[0].normals.is_empty());
    assert_eq!(mesh.primitives[1].targets.len(), 3);
    assert_eq!(model.parts[0].morph_weights, [1.0, 0.0, 0.0]);
    assert_eq!(model.parts[1].morph_weights, [0.25, 0.5, 0.75]);
}

#[test]
fn quantised_and_compressed_vertices_are_read() {
    let mut file = File::default();
    let short = file.accessor(I16, "VEC3", 3, &[0i16, 0, 0, 32_767, 0, 0, 0, -32_768, 0]);
    file.accessors[short]["normalized"] = json!(true);
    let packed = ::meshopt::encode_vertex_buffer(&[[0f32, 0., 0.], [2., 0., 0.], [0., 2., 0.]]);
    let packed = packed.unwrap();
    let view = file.view(&packed);
    let range = file.views[view].take();
    file.views[view] = json!({"buffer": 9, "byteLength": 36, "byteStride": 12, "extensions": {
        "EXT_meshopt_compression": {"buffer": 0, "byteOffset": range["byteOffset"],
            "byteLength": packed.len(), "byteStride": 12, "count": 3, "mode": "ATTRIBUTES"}}});
    file.accessors
        .push(json!({"bufferView": view, "componentType": F32, "type": "VEC3", "count": 3}));
    let compressed = file.accessors.len() - 1;
    let model = file
        .load(json!({
            "extensionsRequired": ["KHR_mesh_quantization", "EXT_meshopt_compression"],
            "extensionsUsed": ["KHR_mesh_quantization", "EXT_meshopt_compression"],
            "meshes": [{"primitives": [{"attributes": {"POSITION": short}},
                                       {"attributes": {"POSITION": compressed}}]}],
        }))
        .unwrap();
    let primitives = &model.meshes[0].primitives;
    assert_eq!(primitives[0].positions, [Vec3::ZERO, Vec3::X, -Vec3::Y]);
    assert_eq!(primitives[1].positions[2], Vec3::Y * 2.0);
    assert!(model.warnings.is_empty(), "{:?}", model.warnings);
}
