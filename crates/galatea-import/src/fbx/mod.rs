//! FBX and OBJ, read by `ufbx`, which turns axes and units to ours and bakes curves into keys.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use ufbx::{
    BakeOpts, BakedAnim, BlobOpt, CoordinateAxes, FileFormat, GeometryTransformHandling,
    InheritModeHandling, LoadOpts, SpaceConversion,
};

use super::LARGEST;
use super::scene::{
    Scene, SceneClip, SceneMaterial, SceneMesh, SceneNode, SceneSkin, SceneTrack, is_relative,
};
use galatea_asset::import::{Format, ReadFile};
use galatea_math::Trs;

/// Keys of a second that curves are baked to.
const RATE: f64 = 30.0;
/// Nodes of one file, at most.
const MOST_NODES: usize = 65_000;

/// Reads a file; the materials of an OBJ come from the files that it names.
pub fn read(format: Format, bytes: &[u8], files: ReadFile<'_>) -> Result<Scene, String> {
    let mut scene = Scene::default();
    let library = match format {
        Format::Obj => material_libraries(bytes, files, &mut scene.warnings),
        _ => Vec::new(),
    };
    let mut opts = LoadOpts {
        target_axes: CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        obj_unit_meters: 1.0,
        obj_axes: CoordinateAxes::right_handed_y_up(),
        space_conversion: SpaceConversion::ModifyGeometry,
        geometry_transform_handling: GeometryTransformHandling::HelperNodes,
        inherit_mode_handling: InheritModeHandling::Compensate,
        generate_missing_normals: true,
        normalize_normals: true,
        clean_skin_weights: true,
        load_external_files: false,
        file_format: match format {
            Format::Obj => FileFormat::Obj,
            _ => FileFormat::Fbx,
        },
        obj_mtl_data: match library.is_empty() {
            true => BlobOpt::Unset,
            false => BlobOpt::Ref(&library),
        },
        ..LoadOpts::default()
    };
    opts.temp_allocator.memory_limit = LARGEST;
    opts.result_allocator.memory_limit = LARGEST;
    let file = ufbx::load_memory(bytes, opts).map_err(|error| told(&error))?;
    for warning in file.metadata.warnings.iter() {
        scene.warnings.push(warning.description.to_string());
    }
    scene.materials = file
        .materials
        .iter()
        .map(|material| surface(material, &mut scene))
        .collect();
    if scene.materials.is_empty() {
        scene.materials.push(SceneMaterial::default());
    }
    let nodes = nodes(&file, &mut scene)?;
    meshes(&file, &nodes, &mut scene);
    clips(&file, &nodes, &mut scene)?;
    if scene.nodes.is_empty() {
        return Err("there is no node in it".into());
    }
    scene.name_nodes();
    Ok(scene)
}

fn told(error: &ufbx::Error) -> String {
    let info = error.info();
    match info.is_empty() {
        true => error.description.to_string(),
        false => format!("{}: {info}", error.description),
    }
}

/// All files that `mtllib` lines name, one after the other.
fn material_libraries(bytes: &[u8], files: ReadFile<'_>, warnings: &mut Vec<String>) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let mut all = Vec::new();
    let lines = text.lines().map(str::trim);
    let named = lines.filter_map(|line| line.strip_prefix("mtllib "));
    // Each once, however often it is named.
    let names: BTreeSet<String> = named.map(|name| name.trim().replace('\\', "/")).collect();
    for name in names {
        let read = match is_relative(&name) {
            true => files(&name),
            false => Err("it is an absolute path; use a name relative to the model".into()),
        };
        match read {
            Ok(bytes) => {
                all.extend(bytes);
                all.push(b'\n');
            }
            Err(why) => warnings.push(format!("materials {name}: {why}")),
        }
    }
    all
}

fn v3(v: ufbx::Vec3) -> Vec3 {
    Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}

fn quat(q: ufbx::Quat) -> Quat {
    let own = Quat::from_xyzw(q.x as f32, q.y as f32, q.z as f32, q.w as f32);
    match own.length_squared() > 1e-12 && own.is_finite() {
        true => own.normalize(),
        false => Quat::IDENTITY,
    }
}

fn finite(v: Vec3, or: Vec3) -> Vec3 {
    if v.is_finite() { v } else { or }
}

fn trs(transform: &ufbx::Transform) -> Trs {
    Trs {
        translation: finite(v3(transform.translation), Vec3::ZERO),
        rotation: quat(transform.rotation),
        scale: finite(v3(transform.scale), Vec3::ONE),
    }
}

fn mat4(m: &ufbx::Matrix) -> Mat4 {
    let column = |x: f64, y: f64, z: f64, w: f32| Vec4::new(x as f32, y as f32, z as f32, w);
    Mat4::from_cols(
        column(m.m00, m.m10, m.m20, 0.0),
        column(m.m01, m.m11, m.m21, 0.0),
        column(m.m02, m.m12, m.m22, 0.0),
        column(m.m03, m.m13, m.m23, 1.0),
    )
}

fn surface(material: &ufbx::Material, scene: &mut Scene) -> SceneMaterial {
    let pbr = &material.pbr;
    let mut picture = |map: &ufbx::MaterialMap| {
        let texture = map.texture.as_ref().filter(|_| map.texture_enabled)?;
        let names = [
            &texture.relative_filename,
            &texture.filename,
            &texture.absolute_filename,
        ];
        let path = names.into_iter().find(|name| !name.is_empty())?;
        let place = scene.picture(path);
        let embedded = [
            Some(&texture.content),
            texture.video.as_ref().map(|video| &video.content),
        ];
        let embedded = embedded
            .into_iter()
            .flatten()
            .find(|content| !content.is_empty());
        if let Some(bytes) = embedded {
            scene.pictures[place].bytes = bytes.to_vec();
        }
        Some(place)
    };
    let number = |map: &ufbx::MaterialMap, or: f32| match map.has_value {
        true => (map.value_vec4.x as f32).clamp(0.0, 1.0),
        false => or,
    };
    let color = |map: &ufbx::MaterialMap, or: Vec3| match map.has_value {
        true => {
            let v = map.value_vec4;
            Vec3::new(v.x as f32, v.y as f32, v.z as f32).clamp(Vec3::ZERO, Vec3::ONE)
        }
        false => or,
    };
    let color_picture = picture(&pbr.base_color);
    let emission = pbr
        .emission_factor
        .has_value
        .then_some(pbr.emission_factor.value_vec4.x);
    let normal = picture(&pbr.normal_map).or_else(|| picture(&material.fbx.bump));
    SceneMaterial {
        name: material.element.name.to_string(),
        // A picture's colours stand for themselves: files give it a factor that programs do not show.
        color: match color_picture {
            Some(_) => Vec3::ONE,
            None => color(&pbr.base_color, Vec3::splat(0.8)),
        }
        .extend(number(&pbr.opacity, 1.0)),
        metallic: number(&pbr.metalness, 0.0),
        roughness: number(&pbr.roughness, 0.8),
        emissive: (color(&pbr.emission_color, Vec3::ZERO) * emission.unwrap_or(1.0) as f32)
            .clamp(Vec3::ZERO, Vec3::ONE),
        color_picture,
        normal_picture: normal,
        emissive_picture: picture(&pbr.emission_color),
        double_sided: material.features.double_sided.enabled,
    }
}

/// Places of nodes in the scene, by the element that they are in the file.
type NodeIndices = HashMap<u32, usize>;

fn nodes(file: &ufbx::Scene, scene: &mut Scene) -> Result<NodeIndices, String> {
    let mut places = NodeIndices::new();
    let mut waiting: Vec<(&ufbx::Node, Option<usize>)> = Vec::new();
    waiting.extend(
        file.root_node
            .children
            .iter()
            .map(|node| (&**node, None))
            .rev(),
    );
    while let Some((node, parent)) = waiting.pop() {
        if scene.nodes.len() >= MOST_NODES {
            return Err(format!("it has more than {MOST_NODES} nodes"));
        }
        scene.nodes.push(SceneNode {
            name: node.element.name.to_string(),
            parent,
            local: trs(&node.local_transform),
            mesh: None,
        });
        let place = scene.nodes.len() - 1;
        places.insert(node.element.element_id, place);
        waiting.extend(
            node.children
                .iter()
                .map(|child| (&**child, Some(place)))
                .rev(),
        );
    }
    Ok(places)
}

fn meshes(file: &ufbx::Scene, places: &NodeIndices, scene: &mut Scene) {
    let mut known: HashMap<u32, usize> = HashMap::new();
    for node in file.nodes.iter() {
        let (Some(mesh), Some(place)) = (&node.mesh, places.get(&node.element.element_id)) else {
            continue;
        };
        let index = *known.entry(mesh.element.element_id).or_insert_with(|| {
            let made = geometry(mesh, places, scene);
            scene.meshes.push(made);
            scene.meshes.len() - 1
        });
        scene.nodes[*place].mesh = Some(index);
    }
}

fn geometry(mesh: &ufbx::Mesh, places: &NodeIndices, scene: &mut Scene) -> SceneMesh {
    let mut made = SceneMesh {
        name: mesh.element.name.to_string(),
        ..SceneMesh::default()
    };
    let last = scene.materials.len() - 1;
    let own: Vec<usize> = mesh
        .materials
        .iter()
        .map(|m| (m.element.typed_id as usize).min(last))
        .collect();
    let own = if own.is_empty() { vec![0] } else { own };
    made.groups = own.iter().map(|material| (*material, Vec::new())).collect();

    let index = |list: &[u32], corner: usize| list.get(corner).copied().unwrap_or(u32::MAX);
    let mut known: HashMap<[u32; 4], u32> = HashMap::new();
    // The vertex of the file that each of ours came from.
    let mut from: Vec<usize> = Vec::new();
    let mut triangles = vec![0_u32; mesh.max_face_triangles * 3];
    for (f, face) in mesh.faces.iter().enumerate() {
        if face.num_indices < 3 {
            continue;
        }
        let n = ufbx::triangulate_face(&mut triangles, mesh, *face) as usize * 3;
        let group = mesh
            .face_material
            .get(f)
            .map_or(0, |m| *m as usize)
            .min(own.len() - 1);
        for corner in &triangles[..n] {
            let corner = *corner as usize;
            let key = [
                index(&mesh.vertex_indices, corner),
                index(&mesh.vertex_normal.indices, corner),
                index(&mesh.vertex_uv.indices, corner),
                index(&mesh.vertex_color.indices, corner),
            ];
            let place = *known.entry(key).or_insert_with(|| {
                made.positions
                    .push(finite(v3(mesh.vertex_position[corner]), Vec3::ZERO));
                if mesh.vertex_normal.exists {
                    made.normals
                        .push(finite(v3(mesh.vertex_normal[corner]), Vec3::ZERO));
                }
                if mesh.vertex_uv.exists {
                    let uv = mesh.vertex_uv[corner];
                    made.uvs.push(Vec2::new(uv.x as f32, 1.0 - uv.y as f32));
                }
                if mesh.vertex_color.exists {
                    let c = mesh.vertex_color[corner];
                    made.colors
                        .push(Vec4::new(c.x as f32, c.y as f32, c.z as f32, c.w as f32));
                }
                from.push(key[0] as usize);
                from.len() as u32 - 1
            });
            made.groups[group].1.push(place);
        }
    }
    made.skin = skin(mesh, &from, places, &mut scene.warnings);
    made.morphs = morphs(mesh, &from);
    made
}

fn skin(
    mesh: &ufbx::Mesh,
    from: &[usize],
    places: &NodeIndices,
    warnings: &mut Vec<String>,
) -> Option<SceneSkin> {
    let deformer = mesh.skin_deformers.first()?;
    if mesh.skin_deformers.len() > 1 {
        warnings.push(format!(
            "{}: only the first of its skins is read",
            mesh.element.name
        ));
    }
    let mut skin = SceneSkin::default();
    let mut joints: Vec<Option<u16>> = Vec::new();
    for cluster in deformer.clusters.iter() {
        let bone = cluster.bone_node.as_ref();
        let place = bone.and_then(|bone| places.get(&bone.element.element_id));
        joints.push(place.map(|place| {
            skin.joints.push(*place);
            skin.inverse_bind.push(mat4(&cluster.geometry_to_bone));
            skin.joints.len() as u16 - 1
        }));
    }
    if skin.joints.is_empty() {
        return None;
    }
    let of_vertex = |vertex: usize| {
        let Some(told) = deformer.vertices.get(vertex) else {
            return Vec::new();
        };
        let begin = told.weight_begin as usize;
        let range = begin..begin + told.num_weights as usize;
        let weights = deformer.weights.get(range).unwrap_or_default().iter();
        let joint = |w: &ufbx::SkinWeight| joints.get(w.cluster_index as usize).copied().flatten();
        weights
            .filter_map(|w| Some((joint(w)?, w.weight as f32)))
            .filter(|(_, weight)| weight.is_finite() && *weight > 0.0)
            .collect()
    };
    skin.influences = from.iter().map(|vertex| of_vertex(*vertex)).collect();
    Some(skin)
}

/// The channels of a mesh with the shapes that they lead to; of those with shapes on the way the last one.
fn channels(mesh: &ufbx::Mesh) -> impl Iterator<Item = (&ufbx::BlendChannel, &ufbx::BlendShape)> {
    let deformers = mesh.blend_deformers.iter();
    let all = deformers.flat_map(|deformer| deformer.channels.iter());
    all.filter_map(|channel| Some((&**channel, &**channel.target_shape.as_ref()?)))
}

fn morphs(mesh: &ufbx::Mesh, from: &[usize]) -> Vec<(String, Vec<Vec3>)> {
    let made = channels(mesh).map(|(channel, shape)| {
        let pairs = shape
            .offset_vertices
            .iter()
            .zip(shape.position_offsets.iter());
        let offsets: HashMap<usize, Vec3> = pairs.map(|(v, o)| (*v as usize, v3(*o))).collect();
        let offset = |vertex: &usize| offsets.get(vertex).copied().unwrap_or_default();
        let all = from.iter().map(|vertex| finite(offset(vertex), Vec3::ZERO));
        (channel.element.name.to_string(), all.collect())
    });
    made.collect()
}

fn clips(file: &ufbx::Scene, places: &NodeIndices, scene: &mut Scene) -> Result<(), String> {
    for stack in file.anim_stacks.iter() {
        let opts = BakeOpts {
            trim_start_time: true,
            resample_rate: RATE,
            key_reduction_enabled: true,
            key_reduction_rotation: true,
            ..BakeOpts::default()
        };
        let baked = ufbx::bake_anim(file, &stack.anim, opts).map_err(|error| told(&error))?;
        let name = stack.element.name.to_string();
        let name = name.rsplit('|').next().unwrap_or_default().to_owned();
        let clip = SceneClip {
            name,
            tracks: tracks(&baked, file, places),
            weights: weights(&baked, file, places),
        };
        if !clip.tracks.is_empty() || !clip.weights.is_empty() {
            scene.clips.push(clip);
        }
    }
    Ok(())
}

fn tracks(baked: &BakedAnim, file: &ufbx::Scene, places: &NodeIndices) -> Vec<SceneTrack> {
    let vectors = |keys: &[ufbx::BakedVec3], constant: bool, rest: Vec3| -> Vec<(f32, Vec3)> {
        let keys: Vec<(f32, Vec3)> = keys
            .iter()
            .map(|k| (k.time as f32, finite(v3(k.value), rest)))
            .collect();
        let moves = !constant
            || keys
                .first()
                .is_some_and(|(_, v)| !v.abs_diff_eq(rest, 1e-6));
        if moves { keys } else { Vec::new() }
    };
    let mut tracks = Vec::new();
    for node in baked.nodes.iter() {
        let (Some(place), Some(own)) = (
            places.get(&node.element_id),
            file.nodes.get(node.typed_id as usize),
        ) else {
            continue;
        };
        let rest = trs(&own.local_transform);
        let rotations = node
            .rotation_keys
            .iter()
            .map(|k| (k.time as f32, quat(k.value)));
        let rotations: Vec<(f32, Quat)> = rotations.collect();
        let turns = !node.constant_rotation
            || rotations
                .first()
                .is_some_and(|(_, q)| q.dot(rest.rotation).abs() < 0.999_999);
        let track = SceneTrack {
            node: *place,
            translations: vectors(
                &node.translation_keys,
                node.constant_translation,
                rest.translation,
            ),
            rotations: if turns { rotations } else { Vec::new() },
            scales: vectors(&node.scale_keys, node.constant_scale, rest.scale),
        };
        let is_empty =
            track.translations.is_empty() && track.rotations.is_empty() && track.scales.is_empty();
        if !is_empty {
            tracks.push(track);
        }
    }
    tracks
}

/// Times and values.
type FbxKeys = Vec<(f64, f64)>;

/// Weights of the shapes of meshes, at all times at which one of them has a key.
fn weights(
    baked: &BakedAnim,
    file: &ufbx::Scene,
    places: &NodeIndices,
) -> Vec<(usize, Vec<f32>, Vec<f32>)> {
    let percent = |channel: u32| {
        let element = baked.elements.iter().find(|e| e.element_id == channel)?;
        let prop = element
            .props
            .iter()
            .find(|prop| &*prop.name == "DeformPercent")?;
        let keys = prop.keys.iter().map(|k| (k.time, k.value.x / 100.0));
        let keys: FbxKeys = keys.collect();
        (!keys.is_empty()).then_some(keys)
    };
    let mut found = Vec::new();
    for node in file.nodes.iter() {
        let (Some(mesh), Some(place)) = (&node.mesh, places.get(&node.element.element_id)) else {
            continue;
        };
        let rows: Vec<(f64, Option<FbxKeys>)> = channels(mesh)
            .map(|(channel, _)| (channel.weight, percent(channel.element.element_id)))
            .collect();
        if rows.iter().all(|(_, keys)| keys.is_none()) {
            continue;
        }
        let keys = rows.iter().flat_map(|(_, keys)| keys.iter().flatten());
        // Times as whole microseconds, so that equal ones are one.
        let times: BTreeMap<i64, f64> = keys.map(|(t, _)| ((t * 1e6).round() as i64, *t)).collect();
        let at = |keys: &Option<FbxKeys>, rest: f64, t: f64| {
            keys.as_ref().map_or(rest, |keys| sampled(keys, t)) as f32
        };
        let all = times.values();
        let values = all.flat_map(|t| rows.iter().map(|(rest, keys)| at(keys, *rest, *t)));
        let values: Vec<f32> = values.collect();
        found.push((*place, times.values().map(|t| *t as f32).collect(), values));
    }
    found
}

fn sampled(keys: &[(f64, f64)], t: f64) -> f64 {
    let after = keys.partition_point(|(at, _)| *at <= t);
    match (after.checked_sub(1).map(|i| keys[i]), keys.get(after)) {
        (Some((from, a)), Some((to, b))) if *to > from => a + (b - a) * (t - from) / (to - from),
        (Some((_, a)), _) => a,
        (None, Some((_, b))) => *b,
        (None, None) => 0.0,
    }
}
