//! Loads a primitive: attributes, triangles, morph targets. All arrays of the result have equal length.

use glam::{Vec2, Vec3, Vec4};
use gltf::json;
use gltf::json::mesh::{Mode, Semantic};
use gltf::json::validation::Checked;
use gltf::json::{Accessor, Index};

use super::accessor::{GltfSource, Integers};
use super::error::LoadFault;
use super::variants::MaterialVariants;
use super::{influences, shading};
use crate::limits::{MAX_NUMBER, is_sound};
use crate::model::{Material, MorphTarget, Primitive, TextureRef};

/// Materials that primitives refer to.
#[derive(Clone, Copy)]
pub struct MaterialSet<'a> {
    /// Materials of the file; the last one is the default.
    pub materials: &'a [Material],
    /// Materials that replace them in each variant.
    pub variants: &'a MaterialVariants,
}

/// Context in which a primitive is used.
pub struct PrimitiveUse<'a> {
    /// Number of joints of the skin, `None` for a rigid use.
    pub joint_count: Option<usize>,
    /// Number of morph targets of the mesh.
    pub n_targets: usize,
    /// Available materials.
    pub material_set: MaterialSet<'a>,
    /// Name in messages.
    pub what: &'a str,
}

/// Loads a primitive; `None` if it draws no triangles (points, lines, no positions).
pub fn load(
    source: &GltfSource,
    primitive: &json::mesh::Primitive,
    context: &PrimitiveUse,
) -> Result<Option<Primitive>, LoadFault> {
    let what = context.what;
    let fault = |part: &str, cause: String| LoadFault::data(format!("{what}, {part}"), cause);
    let Some(mode) = triangle_mode(source, primitive) else {
        return Ok(None);
    };
    let Some(positions) = accessor_of(primitive, Semantic::Positions) else {
        source
            .warnings
            .add(format!("{what} has no positions; it is left out"));
        return Ok(None);
    };
    let budget = &source.buffers.budget;
    budget
        .charge(1 + context.n_targets, size_of::<MorphTarget>())
        .map_err(|cause| fault("morph targets", cause))?;

    let positions =
        vec3s(source, positions, what, "positions").map_err(|cause| fault("positions", cause))?;
    let n = positions.len();
    let indices = indices(source, primitive, n, &fault)?;
    let (indices, dropped) = triangles(mode, &indices, n);
    if dropped > 0 {
        source.warnings.add(format!(
            "{what}: {dropped} triangles refer to vertices that do not exist; left out"
        ));
    }

    let materials = context.material_set.materials;
    let variants = context.material_set.variants;
    let n_materials = materials.len().saturating_sub(1);
    let optional = Optional {
        source,
        primitive,
        n,
        what,
    };
    let normals = optional.vec3(Semantic::Normals);
    let mut out = Primitive {
        ribbon: Vec::new(),
        tangents: if normals.is_empty() {
            Vec::new()
        } else {
            optional.vec4(Semantic::Tangents)
        },
        normals,
        uv0: optional.vec2(Semantic::TexCoords(0)),
        uv1: optional.vec2(Semantic::TexCoords(1)),
        colors: optional.colors(),
        influences: match context.joint_count {
            Some(count) => influences::load(source, primitive, n, count, what)?,
            None => Default::default(),
        },
        targets: targets(source, primitive, n, context)?,
        material: material(source, primitive, n_materials, what),
        variants: variants.of(primitive, n_materials, what, source.warnings),
        positions,
        indices,
    };
    if out.uv0.is_empty() {
        budget
            .charge(n, size_of::<Vec2>())
            .map_err(|cause| fault("texture coordinates", cause))?;
        out.uv0 = vec![Vec2::ZERO; n];
    }
    if let Some(fewer) = without_unused(&mut out) {
        out = fewer;
    }
    Ok(Some(shaded(out, source, context)?))
}

/// Mode of a primitive that draws triangles.
fn triangle_mode(source: &GltfSource, primitive: &json::mesh::Primitive) -> Option<Mode> {
    match primitive.mode {
        Checked::Valid(mode @ (Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)) => {
            Some(mode)
        }
        Checked::Valid(_) => {
            source.warnings.add("points and lines are not drawn");
            None
        }
        Checked::Invalid => None,
    }
}

/// Material of a primitive; the default one, last in the list, if it names none that exists.
fn material(
    source: &GltfSource,
    primitive: &json::mesh::Primitive,
    n_materials: usize,
    what: &str,
) -> usize {
    match primitive.material {
        Some(material) if material.value() < n_materials => material.value(),
        Some(material) => {
            source.warnings.add(format!(
                "{what}: material {material} does not exist; the default one is used"
            ));
            n_materials
        }
        None => n_materials,
    }
}

/// Vertex indices of the primitive, in the order of the mode.
fn indices(
    source: &GltfSource,
    primitive: &json::mesh::Primitive,
    n_vertices: usize,
    fault: &dyn Fn(&str, String) -> LoadFault,
) -> Result<Vec<u32>, LoadFault> {
    let Some(accessor) = primitive.indices else {
        let n = u32::try_from(n_vertices).map_err(|_| fault("positions", "too many".into()))?;
        // Charges the indices and the triangles made of them.
        let budget = &source.buffers.budget;
        let charged = budget.charge(n_vertices, 2 * size_of::<u32>());
        charged.map_err(|cause| fault("indices", cause))?;
        return Ok((0..n).collect());
    };
    let all = source.integers::<1>(accessor);
    let all = all.map_err(|cause| fault("indices", cause))?;
    Ok(all.into_iter().flatten().collect())
}

/// Adds normals, and tangents if the materials need them.
fn shaded(
    mut out: Primitive,
    source: &GltfSource,
    context: &PrimitiveUse,
) -> Result<Primitive, LoadFault> {
    let what = context.what;
    let charge = |count: usize, out: &Primitive| {
        let charged = source
            .buffers
            .budget
            .charge(count, shading::vertex_size(out));
        charged.map_err(|cause| LoadFault::data(format!("{what}, vertices"), cause))
    };
    if out.normals.is_empty() {
        charge(out.indices.len(), &out)?;
        out = shading::flatten(&out);
    } else {
        let mended = shading::mend_normals(&mut out);
        if mended > 0 {
            source.warnings.add(format!(
                "{what}: {mended} normals have length 0; they were computed from the triangles around them"
            ));
        }
        shading::mend_tangents(&mut out);
    }
    if out.tangents.is_empty() {
        for target in &mut out.targets {
            target.tangents = Vec::new();
        }
        if let Some((texture, uv)) = normal_picture(source, &out, context) {
            charge(out.indices.len(), &out)?;
            if let Some(made) = shading::generate(&out, uv, texture.uv_transform.matrix()) {
                out = made;
            }
        }
    }
    Ok(out)
}

fn accessor_of(primitive: &json::mesh::Primitive, semantic: Semantic) -> Option<Index<Accessor>> {
    let attributes = &primitive.attributes;
    attributes.get(&Checked::Valid(semantic)).copied()
}

/// First normal texture of the primitive's materials and its texture coordinates; both are needed to generate tangents.
fn normal_picture<'p>(
    source: &GltfSource,
    primitive: &'p Primitive,
    context: &PrimitiveUse,
) -> Option<(TextureRef, &'p [Vec2])> {
    let others = primitive.variants.iter().map(|(_, material)| material);
    let mut pictures = std::iter::once(&primitive.material)
        .chain(others)
        .filter_map(|material| {
            let material = context.material_set.materials.get(*material)?;
            material
                .normal_texture
                .or(material.clearcoat.normal_texture)
                .or_else(|| material.wrinkle_texture())
        });
    let texture = pictures.next()?;
    let (name, uv) = match texture.uv_set {
        1 => ("TEXCOORD_1", &primitive.uv1),
        _ => ("TEXCOORD_0", &primitive.uv0),
    };
    if primitive.indices.is_empty() {
        return None;
    }
    if uv.iter().all(|uv| *uv == Vec2::ZERO) {
        source.warnings.add(format!(
            "{}: the normal map needs {name}, which is missing",
            context.what
        ));
        return None;
    }
    Some((texture, uv))
}

/// Removes unused vertices. Several primitives often share one vertex array; one that uses less than half of it keeps only
/// the vertices it uses.
fn without_unused(primitive: &mut Primitive) -> Option<Primitive> {
    let n = primitive.positions.len();
    let mut new_index = vec![u32::MAX; n];
    let mut used = Vec::new();
    for &index in &primitive.indices {
        let slot = new_index.get_mut(index as usize)?;
        if *slot == u32::MAX {
            *slot = used.len() as u32;
            used.push(index);
        }
    }
    if used.len() * 2 >= n {
        return None;
    }
    let mut fewer = shading::pick(primitive, &used);
    for index in &mut fewer.indices {
        *index = *new_index.get(*index as usize)?;
    }
    Some(fewer)
}

/// Converts any triangle mode to a triangle list (glTF 2.0 §3.7.2.1). Also returns the number of triangles skipped because a
/// vertex does not exist.
fn triangles(mode: Mode, indices: &[u32], n: usize) -> (Vec<u32>, usize) {
    let mut out = Vec::with_capacity(if mode == Mode::Triangles {
        indices.len()
    } else {
        indices.len() * 3
    });
    let mut dropped = 0;
    let mut add = |triangle: [u32; 3]| {
        if triangle.iter().all(|&index| (index as usize) < n) {
            out.extend(triangle);
        } else {
            dropped += 1;
        }
    };
    match (mode, indices) {
        (Mode::TriangleStrip, _) => {
            for (i, window) in indices.windows(3).enumerate() {
                if let &[a, b, c] = window {
                    // Strips use degenerate triangles with repeated vertices to jump.
                    if a != b && b != c && a != c {
                        add(if i % 2 == 0 { [a, b, c] } else { [a, c, b] });
                    }
                }
            }
        }
        (Mode::TriangleFan, [hub, rim @ ..]) => {
            for window in rim.windows(2) {
                if let &[b, c] = window {
                    add([b, c, *hub]);
                }
            }
        }
        _ => {
            for triangle in indices.chunks_exact(3) {
                if let &[a, b, c] = triangle {
                    add([a, b, c]);
                }
            }
        }
    }
    (out, dropped)
}

/// Reads three floats per element; values beyond the limits become zero, with a warning.
fn vec3s(
    source: &GltfSource,
    accessor: Index<Accessor>,
    what: &str,
    part: &str,
) -> Result<Vec<Vec3>, String> {
    let read = source.floats::<3>(accessor, Integers::AsMarked)?;
    Ok(limited(source, read, what, part)
        .into_iter()
        .map(Vec3::from_array)
        .collect())
}

fn limited<const N: usize>(
    source: &GltfSource,
    mut values: Vec<[f32; N]>,
    what: &str,
    part: &str,
) -> Vec<[f32; N]> {
    let mut mended = 0;
    for value in &mut values {
        if !value.iter().all(|x| is_sound(*x)) {
            *value = [0.0; N];
            mended += 1;
        }
    }
    if mended > 0 {
        source.warnings.add(format!(
            "{what}: {mended} {part} are NaN or beyond {MAX_NUMBER:e}; set to zero"
        ));
    }
    values
}

/// Reader for attributes that are not required to draw a primitive: unreadable ones are skipped with a warning.
struct Optional<'a> {
    source: &'a GltfSource<'a>,
    primitive: &'a json::mesh::Primitive,
    n: usize,
    what: &'a str,
}

impl Optional<'_> {
    fn read<const N: usize>(&self, semantic: Semantic, integers: Integers) -> Vec<[f32; N]> {
        let name = &semantic.to_string();
        let Some(accessor) = accessor_of(self.primitive, semantic) else {
            return Vec::new();
        };
        let read = self
            .source
            .floats::<N>(accessor, integers)
            .and_then(|values| {
                if values.len() == self.n {
                    Ok(values)
                } else {
                    Err(format!("{} values for {} vertices", values.len(), self.n))
                }
            });
        match read {
            Ok(values) => limited(self.source, values, self.what, name),
            Err(cause) => {
                let text = format!("{}: {name} is left out: {cause}", self.what);
                self.source.warnings.add(text);
                Vec::new()
            }
        }
    }

    fn vec2(&self, semantic: Semantic) -> Vec<Vec2> {
        let values = self.read::<2>(semantic, Integers::AsMarked);
        values.into_iter().map(Vec2::from_array).collect()
    }

    fn vec3(&self, semantic: Semantic) -> Vec<Vec3> {
        let values = self.read::<3>(semantic, Integers::AsMarked);
        values.into_iter().map(Vec3::from_array).collect()
    }

    fn vec4(&self, semantic: Semantic) -> Vec<Vec4> {
        let values = self.read::<4>(semantic, Integers::AsMarked);
        values.into_iter().map(Vec4::from_array).collect()
    }

    fn colors(&self) -> Vec<Vec4> {
        let semantic = Semantic::Colors(0);
        let Some(accessor) = accessor_of(self.primitive, semantic.clone()) else {
            return Vec::new();
        };
        if self.source.components(accessor) == Ok(3) {
            let values = self.read::<3>(semantic, Integers::Normalised);
            values
                .into_iter()
                .map(|rgb| Vec3::from_array(rgb).extend(1.0))
                .collect()
        } else {
            let values = self.read::<4>(semantic, Integers::Normalised);
            values.into_iter().map(Vec4::from_array).collect()
        }
    }
}

/// Morph targets of the primitive, padded with empty targets to the number of the mesh.
fn targets(
    source: &GltfSource,
    primitive: &json::mesh::Primitive,
    n: usize,
    context: &PrimitiveUse,
) -> Result<Vec<MorphTarget>, LoadFault> {
    let mut out = Vec::with_capacity(context.n_targets);
    for (i, target) in primitive.targets.iter().flatten().enumerate() {
        let part = |accessor, name: &str| {
            offsets(source, accessor, name, n, context.what).map_err(|cause| {
                LoadFault::data(format!("{}, morph target {i}", context.what), cause)
            })
        };
        out.push(MorphTarget {
            positions: part(target.positions, "POSITION")?,
            normals: part(target.normals, "NORMAL")?,
            tangents: part(target.tangents, "TANGENT")?,
        });
    }
    out.resize_with(context.n_targets, MorphTarget::default);
    Ok(out)
}

/// Offsets of one attribute; empty if it is absent or all offsets are zero.
fn offsets(
    source: &GltfSource,
    accessor: Option<Index<Accessor>>,
    name: &str,
    n: usize,
    what: &str,
) -> Result<Vec<Vec3>, String> {
    let Some(accessor) = accessor else {
        return Ok(Vec::new());
    };
    let values = vec3s(source, accessor, what, "morph offsets")?;
    if values.len() != n {
        return Err(format!(
            "{} values of {name} for {n} vertices",
            values.len()
        ));
    }
    if values.iter().all(|value| *value == Vec3::ZERO) {
        return Ok(Vec::new());
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_fans_keep_their_winding() {
        assert_eq!(
            triangles(Mode::TriangleStrip, &[0, 1, 2, 3], 4),
            (vec![0, 1, 2, 1, 3, 2], 0)
        );
        assert_eq!(
            triangles(Mode::TriangleFan, &[0, 1, 2, 3], 4),
            (vec![1, 2, 0, 2, 3, 0], 0)
        );
        assert_eq!(triangles(Mode::TriangleFan, &[], 4), (vec![], 0));
        // Repeated vertices in a strip only advance it.
        assert_eq!(
            triangles(Mode::TriangleStrip, &[0, 1, 2, 2, 3], 4).0,
            [0, 1, 2]
        );
    }

    #[test]
    fn triangles_with_vertices_that_do_not_exist_are_counted_and_left_out() {
        assert_eq!(
            triangles(Mode::Triangles, &[0, 1, 2, 0, 1, 3, 0], 3),
            (vec![0, 1, 2], 1)
        );
        assert_eq!(triangles(Mode::Triangles, &[u32::MAX; 3], 3).1, 1);
    }

    #[test]
    fn a_primitive_that_uses_little_of_a_shared_array_keeps_only_that() {
        let mut primitive = Primitive {
            positions: (0..10).map(|i| Vec3::splat(i as f32)).collect(),
            indices: vec![9, 4, 7],
            ..Primitive::default()
        };
        let fewer = without_unused(&mut primitive).unwrap();
        assert_eq!(fewer.indices, [0, 1, 2]);
        assert_eq!(fewer.positions, [9.0, 4.0, 7.0].map(Vec3::splat));
        primitive.indices = (0..9).collect();
        assert!(without_unused(&mut primitive).is_none());
    }
}
