//! Meshes: corners with their own normals, materials per face, and weights.

use std::collections::HashMap;

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::objects::{NumberReader, XObject};
use super::{XReader, matrix};
use crate::scene::{SceneMaterial, SceneMesh, SceneSkin};

/// Supported elements of a mesh's `DeclData` (`D3DDECLUSAGE`).
const NORMAL: usize = 3;
const TEXCOORD: usize = 5;
const COLOR: usize = 10;

/// Bone name, offset matrix, and vertices with their weights.
type BoneWeights = (String, Mat4, Vec<(usize, f32)>);

/// Weights of a mesh: for each bone its name, its offset matrix and its vertices; and the index in the file of each vertex
/// of the mesh.
#[derive(Default)]
pub struct MeshWeights {
    bones: Vec<BoneWeights>,
    from: Vec<u32>,
}

impl MeshWeights {
    pub const fn is_empty(&self) -> bool {
        self.bones.is_empty()
    }
}

/// Vertex indices of faces, as in the file.
struct Faces {
    /// Vertex indices per face.
    corners: Vec<Vec<u32>>,
}

impl Faces {
    fn read(
        row: &mut NumberReader<'_>,
        object: &XObject,
        n_vertices: usize,
    ) -> Result<Self, String> {
        let n = row.count(1)?;
        let mut corners = Vec::with_capacity(n);
        for _ in 0..n {
            let n = row.count(1)?;
            let mut face = Vec::with_capacity(n);
            for _ in 0..n {
                let index = row.index()?;
                if index >= n_vertices {
                    return Err(object.fault(&format!(
                        "a face uses vertex {index}, but the mesh has {n_vertices} vertices"
                    )));
                }
                face.push(index as u32);
            }
            corners.push(face);
        }
        Ok(Self { corners })
    }
}

fn points(row: &mut NumberReader<'_>) -> Result<Vec<Vec3>, String> {
    let n = row.count(3)?;
    (0..n)
        .map(|_| Ok(Vec3::new(-row.float()?, row.float()?, row.float()?)))
        .collect()
}

/// Attributes of the vertices in the file, in addition to positions.
#[derive(Default)]
struct Extra {
    normals: Vec<Vec3>,
    uvs: Vec<Vec2>,
    colors: Vec<Vec4>,
}

/// Reads a mesh and its weights.
pub fn read(reader: &mut XReader, object: &XObject) -> Result<(SceneMesh, MeshWeights), String> {
    let mut row = object.row();
    let positions = points(&mut row)?;
    let faces = Faces::read(&mut row, object, positions.len())?;
    let mut extra = Extra::default();
    if let Some(decl) = object.child("DeclData") {
        extra = declared(decl, positions.len())?;
    }
    if let Some(list) = object.child("MeshTextureCoords") {
        let mut row = list.row();
        let n = row.count(2)?;
        let uvs: Result<Vec<Vec2>, String> = (0..n)
            .map(|_| Ok(Vec2::new(row.float()?, row.float()?)))
            .collect();
        extra.uvs = fitting(uvs?, positions.len(), list, &mut reader.scene.warnings);
    }
    if let Some(list) = object.child("MeshVertexColors") {
        extra.colors = vertex_colors(list, positions.len())?;
    }
    let normals = object
        .child("MeshNormals")
        .map(|list| normals(list, &faces));
    let (values, of_corner) = normals.transpose()?.unwrap_or_default();
    let (materials, of_face) = materials(reader, object, faces.corners.len())?;

    // A vertex is split if its corners have different normals.
    let mut known: HashMap<(u32, u32), u32> = HashMap::new();
    let mut mesh = SceneMesh {
        name: object.name.clone(),
        groups: materials.iter().map(|place| (*place, Vec::new())).collect(),
        ..SceneMesh::default()
    };
    let mut from = Vec::new();
    let has_normals = !values.is_empty() || !extra.normals.is_empty();
    for (f, face) in faces.corners.iter().enumerate() {
        let mut corner = |k: usize| {
            let vertex = face[k];
            let normal = of_corner.get(f).and_then(|face| face.get(k)).copied();
            *known
                .entry((vertex, normal.unwrap_or(u32::MAX)))
                .or_insert_with(|| {
                    let v = vertex as usize;
                    mesh.positions.push(positions[v]);
                    if has_normals {
                        let own = normal.and_then(|n| values.get(n as usize)).copied();
                        let own = own.or_else(|| extra.normals.get(v).copied());
                        mesh.normals.push(own.unwrap_or_default());
                    }
                    mesh.uvs.extend(extra.uvs.get(v));
                    mesh.colors.extend(extra.colors.get(v));
                    from.push(vertex);
                    from.len() as u32 - 1
                })
        };
        let group = of_face
            .get(f)
            .copied()
            .unwrap_or(0)
            .min(materials.len() - 1);
        // Mirroring reverses the winding.
        for k in 2..face.len() {
            let triangle = [corner(0), corner(k), corner(k - 1)];
            mesh.groups[group].1.extend(triangle);
        }
    }
    let bones = weights(object, positions.len())?;
    Ok((mesh, MeshWeights { bones, from }))
}

/// Adjusts a list to one value per vertex: pads or truncates it, with a warning.
fn fitting<T: Copy + Default>(
    mut list: Vec<T>,
    n: usize,
    of: &XObject,
    warnings: &mut Vec<String>,
) -> Vec<T> {
    if list.len() != n {
        warnings.push(of.fault(&format!("has {} values for {n} vertices", list.len())));
        list.resize(n, T::default());
    }
    list
}

/// Normals, and the normal index of each corner.
fn normals(list: &XObject, faces: &Faces) -> Result<(Vec<Vec3>, Vec<Vec<u32>>), String> {
    let mut row = list.row();
    let values = points(&mut row)?;
    let own = Faces::read(&mut row, list, values.len())?;
    let fits = own.corners.len() == faces.corners.len();
    if !fits && own.corners.is_empty() && values.len() > 1 {
        // Some exporters write one normal per vertex and no faces.
        return Ok((values, faces.corners.clone()));
    }
    Ok((values, own.corners))
}

fn vertex_colors(list: &XObject, n_vertices: usize) -> Result<Vec<Vec4>, String> {
    let mut row = list.row();
    let n = row.count(5)?;
    let mut colors = vec![Vec4::ONE; n_vertices];
    for _ in 0..n {
        let vertex = row.index()?;
        let color = Vec4::new(row.float()?, row.float()?, row.float()?, row.float()?);
        if let Some(slot) = colors.get_mut(vertex) {
            *slot = color.clamp(Vec4::ZERO, Vec4::ONE);
        }
    }
    Ok(colors)
}

/// Attributes packed as 32-bit words, described by a list of elements (`D3DVERTEXELEMENT9`).
fn declared(decl: &XObject, n_vertices: usize) -> Result<Extra, String> {
    let mut row = decl.row();
    let n = row.count(4)?;
    let mut elements = Vec::with_capacity(n);
    for _ in 0..n {
        let (kind, _, usage, set) = (row.index()?, row.index()?, row.index()?, row.index()?);
        // FLOAT1 to FLOAT4; D3DCOLOR, UBYTE4, SHORT2; SHORT4.
        let words = match kind {
            0..=3 => kind + 1,
            4..=6 | 8 | 9 | 11 | 13..=15 => 1,
            7 | 10 | 12 | 16 => 2,
            other => return Err(decl.fault(&format!("unknown element type {other}"))),
        };
        elements.push((kind, usage, set, words));
    }
    let stride: usize = elements.iter().map(|element| element.3).sum();
    let n_words = row.count(1)?;
    if stride == 0 || n_words < stride * n_vertices {
        return Err(decl.fault(&format!(
            "{n_words} words are too few for {n_vertices} vertices of {stride} words"
        )));
    }
    let mut extra = Extra::default();
    for _ in 0..n_vertices {
        for (kind, usage, set, words) in &elements {
            let mut raw = [0_u32; 4];
            for slot in &mut raw[..*words] {
                *slot = row.index()? as u32;
            }
            let float = |i: usize| {
                let value = f32::from_bits(raw[i]);
                if value.is_finite() { value } else { 0.0 }
            };
            match (*usage, *set, *kind) {
                (NORMAL, 0, 2 | 3) => extra.normals.push(Vec3::new(-float(0), float(1), float(2))),
                (TEXCOORD, 0, 1..=3) => extra.uvs.push(Vec2::new(float(0), float(1))),
                (COLOR, 0, 4) => {
                    let [b, g, r, a] = raw[0].to_le_bytes().map(|byte| f32::from(byte) / 255.0);
                    extra.colors.push(Vec4::new(r, g, b, a));
                }
                _ => {}
            }
        }
    }
    Ok(extra)
}

/// Indices in the scene of a mesh's materials, at least one, and the material of each face.
fn materials(
    reader: &mut XReader,
    object: &XObject,
    n_faces: usize,
) -> Result<(Vec<usize>, Vec<usize>), String> {
    let mut places = Vec::new();
    let mut of_face = Vec::new();
    if let Some(list) = object.child("MeshMaterialList") {
        let mut row = list.row();
        let _ = row.index()?;
        let n = row.count(1)?;
        of_face = (0..n).map(|_| row.index()).collect::<Result<_, _>>()?;
        // A single index applies to all faces.
        if of_face.len() < n_faces {
            let last = of_face.last().copied().unwrap_or_default();
            of_face.resize(n_faces, last);
        }
        for child in list.children.iter().filter(|child| child.is("Material")) {
            let material = reader.material(child)?;
            reader.scene.materials.push(material);
            places.push(reader.scene.materials.len() - 1);
        }
        for name in &list.references {
            match reader.shared.get(name) {
                Some(place) => places.push(*place),
                None => {
                    let text = list.fault(&format!("unknown material {name}"));
                    reader.scene.warnings.push(text);
                }
            }
        }
    }
    if places.is_empty() {
        reader.scene.materials.push(SceneMaterial::default());
        places.push(reader.scene.materials.len() - 1);
    }
    Ok((places, of_face))
}

fn weights(object: &XObject, n_vertices: usize) -> Result<Vec<BoneWeights>, String> {
    let lists = object
        .children
        .iter()
        .filter(|child| child.is("SkinWeights"));
    lists
        .map(|list| {
            let name = list
                .texts
                .first()
                .ok_or_else(|| list.fault("the bone name is missing"))?;
            let mut row = list.row();
            let n = row.count(2)?;
            let vertices: Vec<usize> = (0..n).map(|_| row.index()).collect::<Result<_, _>>()?;
            if let Some(wrong) = vertices.iter().find(|v| **v >= n_vertices) {
                return Err(list.fault(&format!(
                    "uses vertex {wrong}, but the mesh has {n_vertices} vertices"
                )));
            }
            let weights: Vec<f32> = (0..n).map(|_| row.float()).collect::<Result<_, _>>()?;
            let offset: Vec<f64> = (0..16).map(|_| row.number()).collect::<Result<_, _>>()?;
            let offset = matrix(&offset).map_err(|why| list.fault(&why))?;
            Ok((
                name.clone(),
                offset,
                vertices.into_iter().zip(weights).collect(),
            ))
        })
        .collect()
}

/// Skin of a mesh, with bones found among the frames; `None` if no bone is found.
pub fn skin(
    weights: &MeshWeights,
    frames: &HashMap<String, usize>,
    warnings: &mut Vec<String>,
) -> Result<Option<SceneSkin>, String> {
    let mut skin = SceneSkin::default();
    let n = weights
        .from
        .iter()
        .map(|v| *v as usize + 1)
        .max()
        .unwrap_or_default();
    let mut of_vertex: Vec<Vec<(u16, f32)>> = vec![Vec::new(); n];
    for (name, offset, vertices) in &weights.bones {
        let Some(frame) = frames.get(name) else {
            warnings.push(format!(
                "the mesh has weights for {name}, but there is no such frame"
            ));
            continue;
        };
        let joint = skin.joints.len() as u16;
        skin.joints.push(*frame);
        skin.inverse_bind.push(*offset);
        for (vertex, weight) in vertices.iter().filter(|(_, weight)| *weight > 0.0) {
            // Vertices that no face uses are not in the mesh.
            if let Some(list) = of_vertex.get_mut(*vertex) {
                list.push((joint, *weight));
            }
        }
    }
    if skin.joints.is_empty() {
        return Ok(None);
    }
    for list in &mut of_vertex {
        list.sort_by(|a, b| b.1.total_cmp(&a.1));
    }
    skin.influences = weights
        .from
        .iter()
        .map(|v| of_vertex[*v as usize].clone())
        .collect();
    Ok(Some(skin))
}
