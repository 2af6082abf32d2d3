//! Solid things that a file brings along: nodes whose name or `extras.solid` says so (docs/body.md).
//!
//! Caller: the module. Invariant: what is left out is told with node and cause.

use glam::{Affine3A, Vec3};
use gltf::json::Root;

use super::error::{Warnings, call};
use super::mend;
use crate::anim::Skeleton;
use crate::asset::model::{Mesh, Part};
use crate::asset::solid::{NodeSolid, SolidForm, SolidKind, SolidWish};
use crate::math::Trs;

/// What nodes want, by their bones; with the parts that are left to draw.
#[derive(Debug, Default)]
pub struct Wishes {
    wishes: Vec<(u16, String, SolidWish)>,
    /// Parts of the nodes that want it, drawn or not.
    parts: Vec<Part>,
}

impl Wishes {
    /// Reads what nodes want, and takes those out of `parts` that are not to be drawn.
    pub fn read(
        document: &Root,
        bone_of: &[Option<u16>],
        parts: &mut Vec<Part>,
        warnings: &Warnings,
    ) -> Self {
        let mut found = Self::default();
        for (i, node) in document.nodes.iter().enumerate() {
            let Some(bone) = bone_of.get(i).copied().flatten() else {
                continue;
            };
            let name = node.name.as_deref();
            let told = call("node", name, i);
            let extras = mend::extras(&node.extras);
            let by_name = name.and_then(SolidWish::of_name);
            let wish = match extras.get("solid") {
                Some(value) => {
                    let mut warn =
                        |text: String| warnings.add(format!("{told}, its solid: {text}"));
                    SolidWish::read(value, &mut warn).map(|wish| {
                        let named = by_name.unwrap_or_default();
                        SolidWish {
                            shape: wish.shape.or(named.shape),
                            shown: wish.shown.or(named.shown),
                            ..wish
                        }
                    })
                }
                None => by_name,
            };
            if let Some(wish) = wish {
                found.wishes.push((bone, told, wish));
            }
        }
        let wish_of = |part: &Part| found.wishes.iter().find(|(bone, ..)| *bone == part.bone);
        found.parts = parts
            .iter()
            .filter(|p| wish_of(p).is_some())
            .cloned()
            .collect();
        parts.retain(|part| {
            let wish = wish_of(part);
            part.skin.is_some() || wish.is_none_or(|(.., wish)| wish.shown != Some(false))
        });
        found
    }

    /// The forms, in the order of the nodes, of a model at rest.
    pub fn build(
        self,
        skeleton: &Skeleton,
        meshes: &[Mesh],
        warnings: &Warnings,
    ) -> Vec<NodeSolid> {
        if self.wishes.is_empty() {
            return Vec::new();
        }
        let mut at_rest: Vec<Affine3A> = Vec::with_capacity(skeleton.len());
        for (bone, rest) in skeleton.bones().iter().zip(skeleton.rest()) {
            let above = bone
                .parent
                .and_then(|parent| at_rest.get(usize::from(parent)));
            let above = above.copied().unwrap_or(Affine3A::IDENTITY);
            at_rest.push(above * rest.to_affine());
        }
        let mut solids = Vec::new();
        for (bone, told, wish) in self.wishes {
            let own = self.parts.iter().filter(|part| part.bone == bone);
            if own.clone().any(|part| part.skin.is_some()) {
                warnings.add(format!("{told}: a skinned mesh is no solid form; left out"));
                continue;
            }
            let model_from_node = at_rest.get(usize::from(bone)).copied();
            let meshes = own.filter_map(|part| meshes.get(part.mesh));
            match of_node(
                &told,
                model_from_node.unwrap_or(Affine3A::IDENTITY),
                meshes,
                wish,
            ) {
                Ok(solid) => solids.push(solid),
                Err(why) => warnings.add(format!("{told}: {why}; left out")),
            }
        }
        solids
    }
}

/// One node's form.
fn of_node<'a>(
    told: &str,
    model_from_node: Affine3A,
    meshes: impl Iterator<Item = &'a Mesh>,
    wish: SolidWish,
) -> Result<NodeSolid, String> {
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    for primitive in meshes.flat_map(|mesh| &mesh.primitives) {
        let first = corners.len() as u32;
        corners.extend_from_slice(&primitive.positions);
        let three = primitive.indices.chunks_exact(3);
        triangles.extend(three.map(|t| [t[0] + first, t[1] + first, t[2] + first]));
    }
    let sized = wish.size.is_some() || wish.radius.is_some();
    let kind = wish.shape.unwrap_or(match (&wish, corners.is_empty()) {
        (wish, _) if wish.size.is_some() => SolidKind::Box,
        (wish, _) if wish.height.is_some() => SolidKind::Capsule,
        (wish, _) if wish.radius.is_some() => SolidKind::Sphere,
        _ if wish.mass.is_some() => SolidKind::Hull,
        _ => SolidKind::Mesh,
    });
    let of_mesh = matches!(kind, SolidKind::Hull | SolidKind::Mesh);
    if corners.is_empty() && (of_mesh || !sized) {
        return Err("it has no mesh to take its form from, and no sizes".into());
    }
    let (placed, _) = Trs::from_matrix(model_from_node.into());
    if of_mesh {
        let corners: Vec<Vec3> = corners
            .into_iter()
            .map(|corner| model_from_node.transform_point3(corner))
            .collect();
        return Ok(NodeSolid {
            node: told.to_owned(),
            form: match kind {
                SolidKind::Hull => SolidForm::Hull(corners),
                _ => SolidForm::Mesh(corners, triangles),
            },
            position: Vec3::ZERO,
            rotation: glam::Quat::IDENTITY,
            wish,
        });
    }
    let low = corners.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = corners.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let (own, middle) = match corners.is_empty() {
        true => (Vec3::ONE, Vec3::ZERO),
        false => (high - low, (low + high) * 0.5),
    };
    let stretch = placed.scale.abs();
    let own = wish.size.unwrap_or(own) * stretch;
    let wide = stretch.x.max(stretch.z);
    let radius = |own: f32, stretch: f32| wish.radius.map_or(own, |radius| radius * stretch);
    let height = wish.height.map_or(own.y, |height| height * stretch.y);
    let round = radius(own.x.max(own.z) * 0.5, wide);
    let form = match kind {
        SolidKind::Sphere => {
            SolidForm::Sphere(radius(own.max_element() * 0.5, stretch.max_element()))
        }
        SolidKind::Capsule => SolidForm::Capsule(round, height.max(2.0 * round)),
        SolidKind::Cylinder => SolidForm::Cylinder(round, height),
        _ => SolidForm::Box(own),
    };
    let least = match &form {
        SolidForm::Box(size) => size.min_element(),
        SolidForm::Cylinder(radius, height) => radius.min(*height),
        _ => round,
    };
    if !least.is_finite() || least <= 1e-4 {
        return Err(format!("its form has a size of {least} m"));
    }
    Ok(NodeSolid {
        node: told.to_owned(),
        form,
        position: model_from_node.transform_point3(wish.at.unwrap_or(middle)),
        rotation: placed.rotation,
        wish,
    })
}
