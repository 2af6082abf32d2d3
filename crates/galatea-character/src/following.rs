//! Adds missing shape targets to eyeballs, teeth, tongue, lashes and brows, so that they follow the face.
//!
//! Eyes that are bones are moved by their bones instead, see [`super::eyes`].

use std::sync::Arc;

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

use super::extent::{dominant_bone, each_deformed};
use galatea_anim::humanoid::{Humanoid, Role};
use galatea_anim::local_to_model;
use galatea_asset::Model;
use galatea_asset::model::{MaterialKind, MorphTarget, Part, Primitive};
use galatea_deform::{PaletteLayout, build_palette};
use galatea_face::{FaceRegion, region};

/// Radius around an object in which skin moves it, in the object's radii.
const SKIN_REACH: f32 = 2.2;
/// Maximum distance from the skin to a lash or brow vertex that follows it, relative to body height.
const HAIR_REACH: f32 = 0.006;

/// Binding of an object to the skin around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SkinBinding {
    /// Each eye moves rigidly.
    Eyes,
    /// The whole object moves rigidly.
    Mouth,
    /// Every vertex moves independently.
    Hairs,
}

/// A skin vertex and its displacement by a shape, model space.
type MorphedVertex = (Vec3, Vec3);

/// Adds shape targets to objects in the face that lack them. Returns the same model if nothing is missing.
pub(super) fn with_followers(model: Arc<Model>, humanoid: &Humanoid) -> Arc<Model> {
    let mut shapes: Vec<String> = Vec::new();
    for name in model.meshes.iter().flat_map(|mesh| &mesh.morph_names) {
        if region(name) == FaceRegion::Build && !shapes.contains(name) {
            shapes.push(name.clone());
        }
    }
    let followers = if shapes.is_empty() {
        Vec::new()
    } else {
        followers(&model, humanoid)
    };
    if followers.is_empty() {
        return model;
    }
    let (mut matrices, mut palette) = (Vec::new(), Vec::new());
    let locals: Vec<_> = model.skeleton.rest().collect();
    local_to_model(&model.skeleton, &locals, &mut matrices);
    build_palette(&model, &matrices, &mut palette);
    let rest_positions = rest_positions(&model, &palette);
    let mut new: Option<Model> = None;
    for shape in &shapes {
        let skin = moved_by(&model, &palette, &rest_positions, shape);
        if skin.is_empty() {
            continue;
        }
        for follower in &followers {
            if has_offsets(&model, follower, shape) {
                continue;
            }
            let offsets = follower.offsets(&model, &palette, &rest_positions, &skin);
            if offsets.iter().any(|offset| offset.length_squared() > 1e-12) {
                let model = new.get_or_insert_with(|| (*model).clone());
                set_offsets(model, follower, shape, offsets);
            }
        }
    }
    new.map_or(model, Arc::new)
}

/// A primitive that follows the skin.
struct Follower {
    part: usize,
    mesh: usize,
    primitive: usize,
    binding: SkinBinding,
    /// Axis that separates left and right, model space.
    side: Vec3,
}

fn followers(model: &Model, humanoid: &Humanoid) -> Vec<Follower> {
    let bones = model.skeleton.bones();
    let eyes = [Role::LeftEye, Role::RightEye].map(|role| humanoid.bone(role));
    let mut found: Vec<Follower> = Vec::new();
    for (part_at, part) in model.parts.iter().enumerate() {
        let Some(mesh) = model.meshes.get(part.mesh) else {
            continue;
        };
        for (i, primitive) in mesh.primitives.iter().enumerate() {
            let material = model.materials.get(primitive.material);
            let names = [&part.name, &mesh.name]
                .into_iter()
                .chain(material.map(|m| &m.name));
            let name = names
                .map(|name| name.to_lowercase())
                .collect::<Vec<_>>()
                .join(" ");
            let is_eye = material.is_some_and(|material| material.kind == MaterialKind::Eye);
            let Some(binding) = binding_of(&name, is_eye) else {
                continue;
            };
            let known = found
                .iter()
                .any(|f| f.mesh == part.mesh && f.primitive == i);
            let by_bone = (0..primitive.positions.len()).any(|vertex| {
                let own = dominant_bone(model, part, primitive, vertex);
                let above = |bone: &u16| bones.get(usize::from(*bone)).and_then(|bone| bone.parent);
                let mut up = std::iter::successors(Some(own), above);
                up.any(|bone| eyes.contains(&Some(bone)))
            });
            if !known && !by_bone && !primitive.positions.is_empty() {
                found.push(Follower {
                    part: part_at,
                    mesh: part.mesh,
                    primitive: i,
                    binding,
                    side: humanoid.model_from_character * Vec3::X,
                });
            }
        }
    }
    found
}

/// Returns the binding for an object with this name, if it follows the skin.
fn binding_of(name: &str, is_eye: bool) -> Option<SkinBinding> {
    let words = || name.split(|c: char| !c.is_alphabetic());
    let any = |parts: &[&str]| words().any(|word| parts.iter().any(|part| word.contains(part)));
    if any(&["lash", "brow"]) {
        Some(SkinBinding::Hairs)
    } else if any(&["teeth", "tooth", "gum", "tongue", "denture"]) {
        Some(SkinBinding::Mouth)
    } else if is_eye
        || words().any(|w| ["eye", "eyes", "eyeball", "eyeballs", "cornea", "iris"].contains(&w))
    {
        Some(SkinBinding::Eyes)
    } else {
        None
    }
}

/// Returns the rest position of every vertex, model space, by part and primitive.
fn rest_positions(model: &Model, palette: &[Affine3A]) -> Vec<Vec<Vec<Vec3>>> {
    let weights: Vec<f32> = model
        .parts
        .iter()
        .flat_map(|part| part.morph_weights.clone())
        .collect();
    let mut all: Vec<Vec<Vec<Vec3>>> = Vec::new();
    let mut flat = Vec::new();
    each_deformed(model, palette, &weights, |_, _, deformed| {
        flat.push(deformed.positions.clone())
    });
    let mut flat = flat.into_iter();
    for part in &model.parts {
        let n = model.meshes[part.mesh].primitives.len();
        all.push(flat.by_ref().take(n).collect());
    }
    all
}

fn target_of(model: &Model, mesh: usize, shape: &str) -> Option<usize> {
    model
        .meshes
        .get(mesh)?
        .morph_names
        .iter()
        .position(|name| name == shape)
}

fn has_offsets(model: &Model, follower: &Follower, shape: &str) -> bool {
    let target = target_of(model, follower.mesh, shape);
    let primitive = &model.meshes[follower.mesh].primitives[follower.primitive];
    let target = target.and_then(|target| primitive.targets.get(target));
    target.is_some_and(|target| target.positions.iter().any(|offset| *offset != Vec3::ZERO))
}

/// Returns all vertices of primitives that a shape moves.
fn moved_by(
    model: &Model,
    palette: &[Affine3A],
    rest_positions: &[Vec<Vec<Vec3>>],
    shape: &str,
) -> Vec<MorphedVertex> {
    let starts = PaletteLayout::new(model).part_start;
    let mut all = Vec::new();
    for ((part, start), rest_positions) in model.parts.iter().zip(starts).zip(rest_positions) {
        let Some(target) = target_of(model, part.mesh, shape) else {
            continue;
        };
        for (primitive, rest_positions) in model.meshes[part.mesh]
            .primitives
            .iter()
            .zip(rest_positions)
        {
            let Some(target) = primitive.targets.get(target) else {
                continue;
            };
            if target.positions.iter().all(|offset| *offset == Vec3::ZERO) {
                continue;
            }
            for (i, (position, offset)) in rest_positions.iter().zip(&target.positions).enumerate()
            {
                let model_from_mesh = linear(primitive, i, &palette[start as usize..]);
                all.push((
                    *position,
                    Vec3::from(model_from_mesh * Vec3A::from(*offset)),
                ));
            }
        }
    }
    all
}

/// Returns the linear part of a vertex's skinning matrix.
pub(super) fn linear(primitive: &Primitive, vertex: usize, palette: &[Affine3A]) -> Mat3A {
    let influences = &primitive.influences;
    let n = influences.per_vertex;
    let of = |joint: usize| palette.get(joint).map_or(Mat3A::IDENTITY, |m| m.matrix3);
    if n == 0 {
        return of(0);
    }
    let mut sum = Mat3A::ZERO;
    for k in vertex * n..(vertex + 1) * n {
        if let (Some(joint), Some(weight)) = (influences.joints.get(k), influences.weights.get(k))
            && *weight > 0.0
        {
            sum += of(usize::from(*joint)) * *weight;
        }
    }
    sum
}

/// Returns the skin vertices within the bounding box of some positions, grown by `reach`. This keeps only a small part of a
/// body.
fn near(skin: &[MorphedVertex], rest_positions: &[Vec3], reach: f32) -> Vec<MorphedVertex> {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    // The margin prevents rounding from excluding a vertex.
    let reach = 1.001 * reach;
    for position in rest_positions {
        (low, high) = (low.min(*position - reach), high.max(*position + reach));
    }
    let is_near = |(at, _): &&MorphedVertex| at.cmpge(low).all() && at.cmple(high).all();
    skin.iter().filter(is_near).copied().collect()
}

/// Returns the mean displacement of the skin around a position, weighted by proximity.
fn mean_displacement(skin: &[MorphedVertex], position: Vec3, reach: f32) -> Vec3 {
    let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
    for (at, by) in skin {
        let offset = *at - position;
        // Most vertices are far away; this avoids the square root.
        if offset.abs().max_element() >= reach {
            continue;
        }
        let away = offset.length();
        if away < reach {
            let weight = (1.0 - away / reach).powi(2);
            sum += *by * weight;
            weights += weight;
        }
    }
    if weights > 0.0 {
        sum / weights
    } else {
        Vec3::ZERO
    }
}

impl Follower {
    /// Returns the offsets of the vertices, mesh space.
    fn offsets(
        &self,
        model: &Model,
        palette: &[Affine3A],
        rest_positions: &[Vec<Vec<Vec3>>],
        skin: &[MorphedVertex],
    ) -> Vec<Vec3> {
        let part: &Part = &model.parts[self.part];
        let primitive = &model.meshes[self.mesh].primitives[self.primitive];
        let rest_positions = &rest_positions[self.part][self.primitive];
        let start = PaletteLayout::new(model).part_start[self.part] as usize;
        let whole = Cluster::of(rest_positions.iter());
        let displacements: Vec<Vec3> = match self.binding {
            SkinBinding::Hairs => {
                let reach = HAIR_REACH * model.skeleton.height();
                let skin = near(skin, rest_positions, reach);
                rest_positions
                    .iter()
                    .map(|position| mean_displacement(&skin, *position, reach))
                    .collect()
            }
            SkinBinding::Mouth => vec![whole.displacement(skin); rest_positions.len()],
            SkinBinding::Eyes => {
                // Two eyes are farther apart than each is wide.
                let along = |position: &Vec3| (*position - whole.middle).dot(self.side);
                let wide = rest_positions
                    .iter()
                    .map(|p| along(p).abs())
                    .fold(0.0, f32::max);
                let inner = rest_positions
                    .iter()
                    .map(|p| along(p).abs())
                    .fold(f32::INFINITY, f32::min);
                if inner < 0.1 * wide {
                    vec![whole.displacement(skin); rest_positions.len()]
                } else {
                    let [left, right] = [1.0, -1.0].map(|side| {
                        Cluster::of(rest_positions.iter().filter(|p| along(p) * side > 0.0))
                            .displacement(skin)
                    });
                    let of = |position: &Vec3| if along(position) > 0.0 { left } else { right };
                    rest_positions.iter().map(of).collect()
                }
            }
        };
        debug_assert_eq!(part.mesh, self.mesh);
        let into_mesh = |(i, displacement): (usize, Vec3)| {
            let linear = linear(primitive, i, &palette[start..]);
            if linear.determinant() == 0.0 {
                return Vec3::ZERO;
            }
            Vec3::from(linear.inverse() * Vec3A::from(displacement))
        };
        displacements
            .into_iter()
            .enumerate()
            .map(into_mesh)
            .collect()
    }
}

/// Vertices that move rigidly together.
struct Cluster {
    middle: Vec3,
    radius: f32,
}

impl Cluster {
    fn of<'a>(rest_positions: impl Iterator<Item = &'a Vec3>) -> Self {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for position in rest_positions {
            (low, high) = (low.min(*position), high.max(*position));
        }
        if low.x > high.x {
            (low, high) = (Vec3::ZERO, Vec3::ZERO);
        }
        Self {
            middle: (low + high) * 0.5,
            radius: (high - low).max_element() * 0.5,
        }
    }

    fn displacement(&self, skin: &[MorphedVertex]) -> Vec3 {
        mean_displacement(skin, self.middle, SKIN_REACH * self.radius)
    }
}

/// Sets a primitive's offsets for a shape. Adds the target to the mesh and its parts if they lack it.
fn set_offsets(model: &mut Model, follower: &Follower, shape: &str, offsets: Vec<Vec3>) {
    let target = target_of(model, follower.mesh, shape).unwrap_or_else(|| {
        let mesh = &mut model.meshes[follower.mesh];
        mesh.morph_names.push(shape.to_owned());
        let n = mesh.morph_names.len();
        for primitive in &mut mesh.primitives {
            primitive.targets.resize_with(n, MorphTarget::default);
        }
        let parts = model
            .parts
            .iter_mut()
            .filter(|part| part.mesh == follower.mesh);
        for part in parts {
            part.morph_weights.resize(n, 0.0);
        }
        n - 1
    });
    let primitive = &mut model.meshes[follower.mesh].primitives[follower.primitive];
    if primitive.targets.len() <= target {
        primitive
            .targets
            .resize_with(target + 1, MorphTarget::default);
    }
    primitive.targets[target].positions = offsets;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binding_of_an_object_follows_from_its_name() {
        let named = |name: &str| binding_of(&name.to_lowercase(), false);
        assert!(
            named("Teeth_upper") == Some(SkinBinding::Mouth)
                && named("tongue.001") == Some(SkinBinding::Mouth)
        );
        assert!(
            named("Eyelashes") == Some(SkinBinding::Hairs)
                && named("eyebrow_mesh") == Some(SkinBinding::Hairs)
        );
        assert!(
            named("eyes") == Some(SkinBinding::Eyes) && named("Eye.L") == Some(SkinBinding::Eyes)
        );
        assert!(named("head skin").is_none() && named("eyewear").is_none());
        assert!(binding_of("face", true) == Some(SkinBinding::Eyes));
    }
}
