//! Generates missing normals and tangents: flat normals (glTF 2.0 §3.7.2.1) and MikkTSpace tangents.

use std::collections::HashMap;

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use glam::{Mat3, Vec2, Vec3, Vec4};

use crate::model::{Influences, MorphTarget, Primitive};

/// Selects vertices: vertex `vertices[i]` becomes vertex `i`; indices stay unchanged. Missing vertices are skipped, so
/// callers check indices first.
pub fn pick(from: &Primitive, vertices: &[u32]) -> Primitive {
    fn each<T: Copy>(from: &[T], vertices: &[u32], width: usize) -> Vec<T> {
        if from.is_empty() {
            return Vec::new();
        }
        let mut out = Vec::with_capacity(vertices.len() * width);
        for &vertex in vertices {
            let start = vertex as usize * width;
            out.extend_from_slice(from.get(start..start + width).unwrap_or_default());
        }
        out
    }
    Primitive {
        positions: each(&from.positions, vertices, 1),
        normals: each(&from.normals, vertices, 1),
        tangents: each(&from.tangents, vertices, 1),
        uv0: each(&from.uv0, vertices, 1),
        uv1: each(&from.uv1, vertices, 1),
        colors: each(&from.colors, vertices, 1),
        influences: Influences {
            per_vertex: from.influences.per_vertex,
            joints: each(
                &from.influences.joints,
                vertices,
                from.influences.per_vertex,
            ),
            weights: each(
                &from.influences.weights,
                vertices,
                from.influences.per_vertex,
            ),
        },
        targets: from
            .targets
            .iter()
            .map(|target| MorphTarget {
                positions: each(&target.positions, vertices, 1),
                normals: each(&target.normals, vertices, 1),
                tangents: each(&target.tangents, vertices, 1),
            })
            .collect(),
        ribbon: Vec::new(),
        indices: from.indices.clone(),
        material: from.material,
        variants: from.variants.clone(),
    }
}

/// Memory of one vertex of a primitive, bytes, for the budget.
pub fn vertex_size(primitive: &Primitive) -> usize {
    let moved: usize = primitive
        .targets
        .iter()
        .map(|t| {
            [&t.positions, &t.normals, &t.tangents]
                .iter()
                .filter(|list| !list.is_empty())
                .count()
        })
        .sum();
    size_of::<[f32; 24]>() + primitive.influences.per_vertex * 6 + moved * size_of::<Vec3>()
}

/// Normalises a vector of any length; `None` if it is zero or not finite.
fn unit(v: Vec3) -> Option<Vec3> {
    let largest = v.abs().max_element();
    (largest > 0.0 && v.is_finite()).then(|| (v / largest).normalize())
}

fn corner(positions: &[Vec3], index: u32) -> Vec3 {
    positions.get(index as usize).copied().unwrap_or_default()
}

/// Vector along the triangle's normal with twice its area as length.
fn area(positions: &[Vec3], triangle: &[u32]) -> Vec3 {
    match *triangle {
        [a, b, c] => {
            let a = corner(positions, a);
            (corner(positions, b) - a).cross(corner(positions, c) - a)
        }
        _ => Vec3::ZERO,
    }
}

/// Gives every triangle its own three vertices and one normal. Morph targets that move positions get the change of the flat
/// normal at full weight. Tangents of the file are removed.
pub fn flatten(primitive: &Primitive) -> Primitive {
    let mut flat = pick(primitive, &primitive.indices);
    flat.indices = (0..flat.positions.len() as u32).collect();
    flat.tangents = Vec::new();
    flat.normals = face_normals(&flat.positions, &flat.indices);
    for target in &mut flat.targets {
        target.tangents = Vec::new();
        target.normals = Vec::new();
        if !target.positions.is_empty() {
            let moved = flat.positions.iter().zip(&target.positions);
            let moved: Vec<Vec3> = moved.map(|(a, b)| *a + *b).collect();
            let normals = face_normals(&moved, &flat.indices);
            let pairs = normals.iter().zip(&flat.normals);
            target.normals = pairs.map(|(moved, rest)| *moved - *rest).collect();
        }
    }
    flat
}

fn face_normals(positions: &[Vec3], indices: &[u32]) -> Vec<Vec3> {
    indices
        .chunks_exact(3)
        .flat_map(|triangle| [unit(area(positions, triangle)).unwrap_or(Vec3::Z); 3])
        .collect()
}

/// Normalises normals; zero normals are computed from the surrounding triangles. Returns the number of those.
pub fn mend_normals(primitive: &mut Primitive) -> usize {
    let mut missing: HashMap<u32, Vec3> = HashMap::new();
    for (i, normal) in primitive.normals.iter_mut().enumerate() {
        match unit(*normal) {
            Some(unit) => *normal = unit,
            None => {
                missing.insert(i as u32, Vec3::ZERO);
            }
        }
    }
    if missing.is_empty() {
        return 0;
    }
    for triangle in primitive.indices.chunks_exact(3) {
        let area = area(&primitive.positions, triangle);
        for index in triangle {
            if let Some(sum) = missing.get_mut(index) {
                *sum += area;
            }
        }
    }
    for (&index, sum) in &missing {
        if let Some(normal) = primitive.normals.get_mut(index as usize) {
            *normal = unit(*sum).unwrap_or(Vec3::Z);
        }
    }
    missing.len()
}

/// Normalises the file's tangents; their sign becomes ±1.
pub fn mend_tangents(primitive: &mut Primitive) {
    for (tangent, normal) in primitive.tangents.iter_mut().zip(&primitive.normals) {
        let xyz = unit(tangent.truncate());
        let xyz = xyz.unwrap_or_else(|| normal.any_orthonormal_vector());
        *tangent = xyz.extend(if tangent.w < 0.0 { -1.0 } else { 1.0 });
    }
}

struct TangentGeometry<'a> {
    primitive: &'a Primitive,
    uv: &'a [Vec2],
    tangents: Vec<Option<Vec4>>,
}

impl TangentGeometry<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        let index = self.primitive.indices.get(face * 3 + corner);
        index.map_or(0, |&index| index as usize)
    }
}

impl Geometry for TangentGeometry<'_> {
    fn num_faces(&self) -> usize {
        self.primitive.indices.len() / 3
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, vert: usize) -> [f32; 3] {
        let all = &self.primitive.positions;
        all.get(self.vertex(face, vert))
            .copied()
            .unwrap_or_default()
            .to_array()
    }

    fn normal(&self, face: usize, vert: usize) -> [f32; 3] {
        let all = &self.primitive.normals;
        all.get(self.vertex(face, vert))
            .copied()
            .unwrap_or(Vec3::Z)
            .to_array()
    }

    fn tex_coord(&self, face: usize, vert: usize) -> [f32; 2] {
        let uv = self.uv.get(self.vertex(face, vert)).copied();
        uv.unwrap_or_default().to_array()
    }

    fn set_tangent(&mut self, tangent: Option<TangentSpace>, face: usize, vert: usize) {
        if let Some(slot) = self.tangents.get_mut(face * 3 + vert) {
            // The algorithm's bitangent points along increasing v; that of glTF points up in the image, where v grows
            // downwards.
            *slot = tangent.map(|tangent| {
                let [x, y, z, sign] = tangent.tangent_encoded();
                Vec4::new(x, y, z, -sign)
            });
        }
    }
}

/// Generates tangents for a normal map with the texture coordinates `uv`, transformed by `transform`. A vertex with
/// different tangents in its triangles (at mirrored seams) is split; existing vertices keep their indices. Returns `None` if
/// the geometry allows no tangents.
pub fn generate(primitive: &Primitive, uv: &[Vec2], transform: Mat3) -> Option<Primitive> {
    let uv: Vec<Vec2> = uv
        .iter()
        .map(|uv| transform.transform_point2(*uv))
        .collect();
    let mut corners = TangentGeometry {
        primitive,
        uv: &uv,
        tangents: vec![None; primitive.indices.len()],
    };
    generate_tangents(&mut corners).ok()?;

    let n = primitive.positions.len();
    let mut vertices: Vec<u32> = (0..n as u32).collect();
    let mut tangents: Vec<Option<Vec4>> = vec![None; n];
    let mut copies: HashMap<(u32, [u32; 4]), u32> = HashMap::new();
    let mut indices = primitive.indices.clone();
    for (index, made) in indices.iter_mut().zip(&corners.tangents) {
        let vertex = *index;
        let normal = primitive
            .normals
            .get(vertex as usize)
            .copied()
            .unwrap_or(Vec3::Z);
        let tangent = made
            .filter(|t| t.is_finite() && t.truncate().length_squared() > 0.5)
            .unwrap_or_else(|| normal.any_orthonormal_vector().extend(1.0));
        let slot = tangents.get_mut(vertex as usize)?;
        match slot {
            Some(there) if *there == tangent => {}
            Some(_) => {
                let key = (vertex, tangent.to_array().map(f32::to_bits));
                *index = *copies.entry(key).or_insert_with(|| {
                    vertices.push(vertex);
                    tangents.push(Some(tangent));
                    (vertices.len() - 1) as u32
                });
            }
            None => *slot = Some(tangent),
        }
    }
    let mut out = pick(primitive, &vertices);
    out.indices = indices;
    out.tangents = tangents
        .iter()
        .zip(&out.normals)
        .map(|(t, normal)| t.unwrap_or_else(|| normal.any_orthonormal_vector().extend(1.0)))
        .collect();
    Some(out)
}

/// Generates tangents for the first texture coordinates, replacing existing ones; `None` if the geometry allows none.
pub fn with_tangents(primitive: &Primitive) -> Option<Primitive> {
    generate(primitive, &primitive.uv0, Mat3::IDENTITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quad() -> Primitive {
        Primitive {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y],
            normals: vec![Vec3::Z; 4],
            uv0: vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y],
            indices: vec![0, 1, 2, 0, 2, 3],
            ..Primitive::default()
        }
    }

    #[test]
    fn a_flat_quad_gets_one_tangent_along_u_and_no_new_vertices() {
        let quad = quad();
        let made = generate(&quad, &quad.uv0, Mat3::IDENTITY).unwrap();
        assert_eq!(made.positions.len(), 4);
        for tangent in &made.tangents {
            // v grows along +y, so up in the image is -y: cross(z, x) * -1.
            assert!(
                tangent.abs_diff_eq(Vec4::new(1.0, 0.0, 0.0, -1.0), 1e-6),
                "{tangent}"
            );
        }
    }

    #[test]
    fn vertices_at_a_mirrored_seam_are_split() {
        let mut mirrored = quad();
        // Two triangles fold over the diagonal 0-2: the second has u mirrored.
        mirrored.uv0 = vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::X];
        let made = generate(&mirrored, &mirrored.uv0, Mat3::IDENTITY).unwrap();
        assert_eq!(made.positions.len(), 6);
        assert!(made.indices.iter().all(|&i| i < 6));
        assert_eq!(made.uv0.len(), 6);
        let signs: Vec<f32> = made
            .indices
            .iter()
            .map(|&i| made.tangents[i as usize].w)
            .collect();
        assert!(signs[..3].iter().all(|&s| s == signs[0]));
        assert!(signs[3..].iter().all(|&s| s == -signs[0]));
    }

    #[test]
    fn flat_normals_split_the_vertices_and_follow_morph_targets() {
        let mut bent = quad();
        bent.normals = Vec::new();
        bent.targets = vec![MorphTarget {
            positions: vec![
                Vec3::ZERO,
                Vec3::ZERO,
                Vec3::ZERO,
                Vec3::new(0.0, -1.0, -1.0),
            ],
            ..MorphTarget::default()
        }];
        let flat = flatten(&bent);
        assert_eq!(flat.positions.len(), 6);
        assert_eq!(flat.indices, [0, 1, 2, 3, 4, 5]);
        assert!(flat.normals.iter().all(|n| *n == Vec3::Z));
        let moved = flat.normals[5] + flat.targets[0].normals[5];
        assert!((moved.length() - 1.0).abs() < 1e-5 && moved.z < 0.9);
        assert_eq!(flat.targets[0].normals[0], Vec3::ZERO);
    }

    #[test]
    fn normals_without_length_come_from_the_triangles_around_them() {
        let mut dull = quad();
        dull.normals[2] = Vec3::ZERO;
        dull.normals[0] = Vec3::new(0.0, 0.0, 3.0);
        assert_eq!(mend_normals(&mut dull), 1);
        assert_eq!(dull.normals, [Vec3::Z; 4]);
    }

    #[test]
    fn tiny_and_huge_vectors_keep_their_direction() {
        for length in [1e-40, 1e-30, 1.0, 1e30, f32::MAX] {
            let made = unit(Vec3::new(0.0, length, length)).unwrap();
            assert!((made.length() - 1.0).abs() < 1e-4, "{length} {made}");
        }
        assert_eq!(unit(Vec3::ZERO), None);
        assert_eq!(unit(Vec3::new(f32::NAN, 1.0, 0.0)), None);
    }
}
