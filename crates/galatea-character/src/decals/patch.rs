//! Decals as meshes of their own, for surfaces whose texture coordinates overlap. A patch consists of the triangles around a
//! hit, with texture coordinates on the decal, and the bones and morph targets of the surface.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use glam::{Vec2, Vec4};

use galatea_asset::Model;
use galatea_asset::gltf::{pick, with_tangents};
use galatea_asset::model::{
    AlphaMode, Image, Material, Mesh, Primitive, Sampler, TextureRef, Wrap,
};
use galatea_asset::normals::from_heights;
use galatea_decal::DecalMaterial;

/// Perceptual roughness of decals without one in their material.
const ROUGHNESS: f32 = 0.8;

/// A triangle that a decal covers: its primitive, its index in it, and its corners relative to the decal's centre, in mesh
/// units (right, up).
pub type OnPatch = (usize, usize, [Vec2; 3]);

/// Builds a model with the skeleton, skins, parts and morph targets of `model`, so that the same matrices and weights apply,
/// but with only the marked triangles of one part. `size` is the decal's width in mesh units; `number` makes its uid unique.
///
/// # Errors
/// Returns a message that says why the patch would be invisible.
pub fn patch(
    model: &Model,
    part: usize,
    triangles: &[OnPatch],
    (look, size, number): (&DecalMaterial, f32, u64),
) -> Result<Arc<Model>, String> {
    let marked: Vec<&OnPatch> = triangles
        .iter()
        .filter(|(.., on)| overlaps(on, size))
        .collect();
    if marked.is_empty() {
        return Err("the decal does not overlap the surface".into());
    }
    let own = &model.parts[part];
    let source = &model.meshes[own.mesh];
    if look.color.rgba.chunks_exact(4).all(|texel| texel[3] == 0) {
        return Err(
            "its texture coordinates overlap, so a decal without color is not visible".into(),
        );
    }
    let normals = heights_of(look).map(|heights| from_heights(&heights, look.depth / size, false));
    let mut primitives = Vec::new();
    for (p, from) in source.primitives.iter().enumerate() {
        let own = marked.iter().filter(|(of, ..)| *of == p);
        let made = cut_out(from, own.map(|(_, t, on)| (*t, *on)), size);
        if made.indices.is_empty() {
            continue;
        }
        let with_normals = normals.as_ref().and_then(|_| with_tangents(&made));
        primitives.push(with_normals.unwrap_or(made));
    }
    let is_double_sided = |primitive: &Primitive| {
        let material = model.materials.get(primitive.material);
        material.is_some_and(|material| material.double_sided)
    };
    let material = Material {
        double_sided: source.primitives.iter().any(is_double_sided),
        ..material_of(look, normals.is_some())
    };
    // The indices of the morph weights must stay the same, so empty meshes keep their morph names.
    let mut meshes: Vec<Mesh> = model
        .meshes
        .iter()
        .map(|mesh| Mesh {
            name: mesh.name.clone(),
            primitives: Vec::new(),
            morph_names: mesh.morph_names.clone(),
        })
        .collect();
    meshes.push(Mesh {
        name: source.name.clone(),
        primitives,
        morph_names: source.morph_names.clone(),
    });
    let mut parts = model.parts.clone();
    parts[part].mesh = meshes.len() - 1;
    for part in &mut parts {
        part.is_fine = true;
    }
    let images: Vec<Image> = std::iter::once((*look.color).clone())
        .chain(normals)
        .collect();
    Ok(Arc::new(Model {
        uid: uid(model, part, (look, size, number)),
        name: format!("decal on {}", model.name),
        skeleton: model.skeleton.clone(),
        skins: model.skins.clone(),
        meshes,
        parts,
        materials: vec![material],
        images,
        ..Model::default()
    }))
}

/// Returns the material of a decal: image 0 is its colour, image 1 its normal map.
fn material_of(look: &DecalMaterial, has_normals: bool) -> Material {
    let clamped = Sampler {
        wrap_u: Wrap::Clamp,
        wrap_v: Wrap::Clamp,
        ..Sampler::default()
    };
    let picture = |image| TextureRef {
        sampler: clamped,
        ..TextureRef::of(image)
    };
    Material {
        name: "decal".into(),
        base_color: look.tint.extend(look.opacity),
        base_color_texture: Some(picture(0)),
        normal_texture: has_normals.then(|| picture(1)),
        metallic: 0.0,
        roughness: look.roughness.unwrap_or(ROUGHNESS),
        alpha: AlphaMode::Blend,
        ..Material::default()
    }
}

/// Returns true when the triangle's bounds overlap the decal's square.
fn overlaps(on: &[Vec2; 3], size: f32) -> bool {
    let half = Vec2::splat(size * 0.5);
    let [a, b, c] = *on;
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    low.is_finite() && high.is_finite() && low.cmplt(half).all() && high.cmpgt(-half).all()
}

/// Cuts triangles out of a primitive and gives them new texture coordinates.
fn cut_out(
    from: &Primitive,
    triangles: impl Iterator<Item = (usize, [Vec2; 3])>,
    size: f32,
) -> Primitive {
    let (mut vertices, mut uvs, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    let mut known: HashMap<(u32, [u32; 2]), u32> = HashMap::new();
    for (triangle, on) in triangles {
        let Some(corners) = from.indices.get(3 * triangle..3 * triangle + 3) else {
            continue;
        };
        for (corner, on) in corners.iter().zip(on) {
            let uv = Vec2::new(0.5 + on.x / size, 0.5 - on.y / size);
            let key = (*corner, uv.to_array().map(f32::to_bits));
            indices.push(*known.entry(key).or_insert_with(|| {
                vertices.push(*corner);
                uvs.push(uv);
                vertices.len() as u32 - 1
            }));
        }
    }
    Primitive {
        uv0: uvs,
        uv1: Vec::new(),
        colors: Vec::new(),
        tangents: Vec::new(),
        indices,
        material: 0,
        variants: Vec::new(),
        ..pick(from, &vertices)
    }
}

/// Returns the height map of a decal material, or `None` if it is flat.
fn heights_of(look: &DecalMaterial) -> Option<Image> {
    if look.depth == 0.0 {
        return None;
    }
    if let Some(relief) = &look.height_map {
        // Heights are stored in the red channel.
        let red = relief.rgba.chunks_exact(4);
        return Some(Image {
            rgba: red.flat_map(|t| [t[0], t[0], t[0], 255]).collect(),
            ..(**relief).clone()
        });
    }
    let alpha = look.color.rgba.chunks_exact(4);
    Some(Image {
        rgba: alpha.flat_map(|t| [t[3], t[3], t[3], 255]).collect(),
        ..(*look.color).clone()
    })
}

fn uid(model: &Model, part: usize, (look, size, number): (&DecalMaterial, f32, u64)) -> u64 {
    let mut hasher = DefaultHasher::new();
    (model.uid, part, number, size.to_bits()).hash(&mut hasher);
    let numbers: Vec4 = look.tint.extend(look.opacity);
    numbers.to_array().map(f32::to_bits).hash(&mut hasher);
    (look.depth.to_bits(), look.roughness.map(f32::to_bits)).hash(&mut hasher);
    look.color.rgba.hash(&mut hasher);
    look.height_map
        .as_ref()
        .map(|relief| &relief.rgba)
        .hash(&mut hasher);
    hasher.finish()
}
