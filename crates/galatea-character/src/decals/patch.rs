//! Decals as meshes of their own, where texture coordinates do not show every place once: the triangles around a hit with
//! their places on the decal's picture, and the bones and shapes of what they lie on (DC-04, DC-11, DC-12).

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

/// Perceptual roughness where a look leaves that of the material.
const ROUGHNESS: f32 = 0.8;

/// A triangle that a decal touches: its primitive, its number there, its corners on the decal, metres of the mesh to the
/// right and up of the middle.
pub type OnPatch = (usize, usize, [Vec2; 3]);

/// A model with the skeleton, skins, parts and shapes of another, so that the same matrices and weights move it, of which
/// nothing is there but the marked triangles of a part. `size` is metres of the mesh across; `number` tells it from
/// others.
///
/// # Errors
/// Says in plain words why nothing would be seen.
pub fn patch(
    model: &Model,
    part: usize,
    triangles: &[OnPatch],
    (look, size, number): (&DecalMaterial, f32, u64),
) -> Result<Arc<Model>, String> {
    let marked: Vec<&OnPatch> = triangles
        .iter()
        .filter(|(.., on)| touches(on, size))
        .collect();
    if marked.is_empty() {
        return Err("nothing of it lies on the surface".into());
    }
    let own = &model.parts[part];
    let source = &model.meshes[own.mesh];
    if look.color.rgba.chunks_exact(4).all(|texel| texel[3] == 0) {
        return Err(
            "its texture coordinates lie over each other, where only decals with a colour are seen"
                .into(),
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
        let turned = normals.as_ref().and_then(|_| with_tangents(&made));
        primitives.push(turned.unwrap_or(made));
    }
    let is_double_sided = |primitive: &Primitive| {
        let material = model.materials.get(primitive.material);
        material.is_some_and(|material| material.double_sided)
    };
    let material = Material {
        double_sided: source.primitives.iter().any(is_double_sided),
        ..material_of(look, normals.is_some())
    };
    // Shapes keep their places among the weights of all meshes.
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

/// The material of a decal: its color is image 0, its normals are image 1.
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

/// Something of the picture lies on it, by its bounds.
fn touches(on: &[Vec2; 3], size: f32) -> bool {
    let half = Vec2::splat(size * 0.5);
    let [a, b, c] = *on;
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    low.is_finite() && high.is_finite() && low.cmplt(half).all() && high.cmpgt(-half).all()
}

/// Some triangles of a primitive with coordinates of their own.
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

/// The heights of a look as a picture; `None` of one that is flat.
fn heights_of(look: &DecalMaterial) -> Option<Image> {
    if look.depth == 0.0 {
        return None;
    }
    if let Some(relief) = &look.relief {
        // Heights are in red.
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
    look.relief
        .as_ref()
        .map(|relief| &relief.rgba)
        .hash(&mut hasher);
    hasher.finish()
}
