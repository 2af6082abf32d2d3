//! FBX and OBJ files, read by `ufbx`, which converts axes and units and bakes curves to keys.
//!
//! `text` prepares OBJ and MTL files, `fault` explains why a file is unreadable, `material` and `motion` read materials and
//! takes. Nodes and meshes are read here.

mod fault;
mod material;
mod motion;
mod text;

use std::collections::{BTreeSet, HashMap, HashSet};

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use ufbx::{
    BlobOpt, CoordinateAxes, FileFormat, GeometryTransformHandling, InheritModeHandling, LoadOpts,
    PropFlags, SpaceConversion, WarningType,
};

use super::import_budget::{ImportBudget, unpacked_limit};
use super::scene::{Scene, SceneMaterial, SceneMesh, SceneNode, SceneSkin, is_relative};
use galatea_asset::import::{Format, ReadFile};
use galatea_math::Trs;

/// Limit of nodes per file, and of influences per vertex.
const MAX_NODES: usize = 65_000;
const MAX_INFLUENCES: usize = 32;
/// Limit of objects and groups of an OBJ that become separate meshes: each takes some kilobytes.
const MAX_GROUPS: usize = 8192;

/// Reads a file; the materials of an OBJ come from the files that it refers to.
pub fn read(format: Format, bytes: &[u8], files: ReadFile<'_>) -> Result<Scene, String> {
    let mut scene = Scene::default();
    let bytes = match format {
        Format::Obj => &*text::prepared(bytes)?,
        _ => bytes,
    };
    let library = match format {
        Format::Obj => material_libraries(bytes, files, &mut scene.warnings),
        _ => Vec::new(),
    };
    let n_groups = match format {
        Format::Obj => text::count_groups(bytes),
        _ => 0,
    };
    let is_merged = n_groups > MAX_GROUPS;
    if is_merged {
        scene.warnings.push(format!(
            "the file has {n_groups} objects and groups; they are merged into one mesh"
        ));
    }
    let limit = unpacked_limit(bytes.len());
    let opts = LoadOpts {
        obj_merge_objects: is_merged,
        obj_merge_groups: is_merged,
        obj_mtl_data: match library.is_empty() {
            true => BlobOpt::Unset,
            false => BlobOpt::Ref(&library),
        },
        ..options(format, limit)
    };
    let file = ufbx::load_memory(bytes, opts);
    let file = file.map_err(|error| fault::cause(format, bytes, &error))?;
    for warning in file.metadata.warnings.iter() {
        let exact = match (format, warning.type_) {
            (Format::Obj, WarningType::IndexClamped) => text::fault(bytes),
            _ => None,
        };
        let text = match warning.type_ {
            WarningType::IndexClamped => {
                let cause = exact.unwrap_or_else(|| "an index is missing or too large".into());
                format!("{cause}; the last element of the list is used")
            }
            _ => warning.description.to_string(),
        };
        scene.warnings.push(text);
    }
    scene.materials = file
        .materials
        .iter()
        .map(|own| material::read(own, &mut scene))
        .collect();
    if scene.materials.is_empty() {
        scene.materials.push(SceneMaterial::default());
    }
    let nodes = nodes(&file, &mut scene)?;
    let budget = ImportBudget::of_file(bytes.len());
    meshes(&file, &nodes, &mut scene, &budget)?;
    let takes = motion::FbxTakes {
        file: &file,
        node_indices: &nodes,
        budget: &budget,
        limit,
    };
    takes.read(&mut scene)?;
    if scene.nodes.is_empty() {
        return Err("the file has no nodes".into());
    }
    scene.name_nodes();
    Ok(scene)
}

/// Options for files of a format; `limit` is the memory limit in bytes.
fn options<'a>(format: Format, limit: usize) -> LoadOpts<'a> {
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
        ..LoadOpts::default()
    };
    opts.temp_allocator.memory_limit = limit;
    opts.result_allocator.memory_limit = limit;
    opts
}

/// Concatenates all files in `mtllib` lines.
fn material_libraries(bytes: &[u8], files: ReadFile<'_>, warnings: &mut Vec<String>) -> Vec<u8> {
    let lines = String::from_utf8_lossy(bytes);
    let mut all = Vec::new();
    let lines = lines.lines().map(str::trim);
    let named = lines.filter_map(|line| line.strip_prefix("mtllib"));
    let named = named.filter(|rest| rest.starts_with(char::is_whitespace));
    // Each file is read once.
    let names: BTreeSet<String> = named.map(|name| name.trim().replace('\\', "/")).collect();
    for name in names {
        let read = match is_relative(&name) {
            true => files(&name),
            false => Err("absolute paths are not allowed; use a path relative to the model".into()),
        };
        let added = read.and_then(|bytes| {
            all.extend_from_slice(&text::prepared(&bytes)?);
            all.push(b'\n');
            Ok(())
        });
        if let Err(why) = added {
            warnings.push(format!("materials {name}: {why}"));
        }
    }
    text::plain_materials(&all, warnings)
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

/// Node indices in the scene, by element id of the file.
type NodeIndices = HashMap<u32, usize>;

fn nodes(file: &ufbx::Scene, scene: &mut Scene) -> Result<NodeIndices, String> {
    let mut node_indices = NodeIndices::new();
    let mut waiting: Vec<(&ufbx::Node, Option<usize>)> = Vec::new();
    waiting.extend(
        file.root_node
            .children
            .iter()
            .map(|node| (&**node, None))
            .rev(),
    );
    while let Some((node, parent)) = waiting.pop() {
        if scene.nodes.len() >= MAX_NODES {
            return Err(format!(
                "the file has more nodes than the limit of {MAX_NODES}"
            ));
        }
        scene.nodes.push(SceneNode {
            name: node.element.name.to_string(),
            parent,
            local: trs(&node.local_transform),
            mesh: None,
        });
        let node_index = scene.nodes.len() - 1;
        node_indices.insert(node.element.element_id, node_index);
        waiting.extend(
            node.children
                .iter()
                .map(|child| (&**child, Some(node_index)))
                .rev(),
        );
    }
    Ok(node_indices)
}

/// Nodes that the file hides: those marked as hidden, and their descendants unless these do not inherit visibility.
fn hidden_nodes(file: &ufbx::Scene) -> HashSet<u32> {
    let is_off = |node: &ufbx::Node, name: &str| {
        let prop = node.element.props.find_prop(name);
        // A node with animated visibility is kept, even if it is hidden at first.
        prop.is_some_and(|p| p.value_vec4.x == 0.0 && !p.flags.has_any(PropFlags::ANIMATED))
    };
    let mut hidden = HashSet::new();
    let mut waiting: Vec<(&ufbx::Node, bool)> = vec![(&*file.root_node, false)];
    while let Some((node, is_above_hidden)) = waiting.pop() {
        let inherits = is_above_hidden && !is_off(node, "Visibility Inheritance");
        let is_hidden = inherits || is_off(node, "Visibility") || is_off(node, "Show");
        if is_hidden {
            hidden.insert(node.element.element_id);
        }
        waiting.extend(node.children.iter().map(|child| (&**child, is_hidden)));
    }
    hidden
}

fn meshes(
    file: &ufbx::Scene,
    node_indices: &NodeIndices,
    scene: &mut Scene,
    budget: &ImportBudget,
) -> Result<(), String> {
    let mut known: HashMap<u32, usize> = HashMap::new();
    let hidden = hidden_nodes(file);
    for node in file.nodes.iter() {
        let (Some(mesh), Some(node_index)) =
            (&node.mesh, node_indices.get(&node.element.element_id))
        else {
            continue;
        };
        if hidden.contains(&node.element.element_id) {
            let name = &node.element.name;
            let text = format!("{name}: the node is hidden in the file; its mesh is left out");
            scene.warnings.push(text);
            continue;
        }
        let index = match known.get(&mesh.element.element_id) {
            Some(index) => *index,
            None => {
                let made = geometry(mesh, node_indices, scene, budget)?;
                scene.meshes.push(made);
                known.insert(mesh.element.element_id, scene.meshes.len() - 1);
                scene.meshes.len() - 1
            }
        };
        scene.nodes[*node_index].mesh = Some(index);
    }
    Ok(())
}

/// Memory per corner and per vertex, including the index to find it, bytes.
const CORNER_BYTES: usize = 8;
const VERTEX_BYTES: usize = 88;

fn geometry(
    mesh: &ufbx::Mesh,
    node_indices: &NodeIndices,
    scene: &mut Scene,
    budget: &ImportBudget,
) -> Result<SceneMesh, String> {
    budget.take(mesh.num_triangles * 3 * CORNER_BYTES)?;
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
    // Vertex index in the file of each output vertex.
    let mut from: Vec<usize> = Vec::new();
    let mut triangles = vec![0_u32; mesh.max_face_triangles * 3];
    for (f, face) in mesh.faces.iter().enumerate() {
        if face.num_indices < 3 {
            continue;
        }
        budget.fits(from.len() * VERTEX_BYTES)?;
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
            let node_index = *known.entry(key).or_insert_with(|| {
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
            made.groups[group].1.push(node_index);
        }
    }
    let per_vertex = VERTEX_BYTES + size_of::<Vec3>() * channels(mesh).count();
    budget.take(from.len() * per_vertex)?;
    made.skin = skin(mesh, &from, node_indices, &mut scene.warnings);
    made.morphs = morphs(mesh, &from);
    let weights = channels(mesh).map(|(channel, _)| channel.weight as f32);
    made.morph_weights = weights
        .map(|w| if w.is_finite() { w } else { 0.0 })
        .collect();
    Ok(made)
}

fn skin(
    mesh: &ufbx::Mesh,
    from: &[usize],
    node_indices: &NodeIndices,
    warnings: &mut Vec<String>,
) -> Option<SceneSkin> {
    let deformer = mesh.skin_deformers.first()?;
    if mesh.skin_deformers.len() > 1 {
        warnings.push(format!(
            "{}: only the first skin is read",
            mesh.element.name
        ));
    }
    let mut skin = SceneSkin::default();
    let mut joints: Vec<Option<u16>> = Vec::new();
    for cluster in deformer.clusters.iter() {
        let bone = cluster.bone_node.as_ref();
        let node_index = bone.and_then(|bone| node_indices.get(&bone.element.element_id));
        joints.push(node_index.map(|node_index| {
            skin.joints.push(*node_index);
            skin.inverse_bind.push(mat4(&cluster.geometry_to_bone));
            skin.joints.len() as u16 - 1
        }));
    }
    if skin.joints.is_empty() {
        return None;
    }
    let of_vertex = |vertex: usize| {
        let Some(influence_range) = deformer.vertices.get(vertex) else {
            return Vec::new();
        };
        let begin = influence_range.weight_begin as usize;
        let range = begin..begin + influence_range.num_weights as usize;
        let weights = deformer.weights.get(range).unwrap_or_default().iter();
        let joint = |w: &ufbx::SkinWeight| joints.get(w.cluster_index as usize).copied().flatten();
        // The strongest influences come first.
        weights
            .filter_map(|w| Some((joint(w)?, w.weight as f32)))
            .filter(|(_, weight)| weight.is_finite() && *weight > 0.0)
            .take(MAX_INFLUENCES)
            .collect()
    };
    skin.influences = from.iter().map(|vertex| of_vertex(*vertex)).collect();
    Some(skin)
}

/// Blend channels of a mesh with their target shapes; for channels with in-between shapes the last one.
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
