//! Colliders and rigid bodies defined by a file: by a node's name, `extras.collider` or `KHR_physics_rigid_bodies`
//! (docs/body.md). Extras override the extension, which overrides the name.
//!
//! Caller: the parent module. Invariant: everything skipped is reported with node and cause.

use glam::{Affine3A, Vec3};
use gltf::json::Root;

use super::error::{Warnings, call};
use super::rigid_bodies::{Collider, RigidBodyReader, ShapeOrigin};
use super::{nodes, plain_json};
use crate::collider::{
    ColliderPrimitive, ColliderShapeKind, ColliderSpec, NodeCollider, NodeRigidBody,
};
use crate::limits::{MAX_NUMBER, is_sound_vector};
use crate::model::{Mesh, Part};
use galatea_anim::Skeleton;
use galatea_math::Trs;

/// Limit of vertices of all mesh colliders of a file.
const MAX_VERTICES: usize = 4 << 20;

/// Settings of one node.
#[derive(Debug)]
struct RigidBodyNode {
    bone: u16,
    label: String,
    settings: ColliderSpec,
    shape: ShapeOrigin,
}

/// Settings of nodes by bone, and the parts that are drawn.
#[derive(Debug, Default)]
pub struct RigidBodyNodes {
    settings: Vec<RigidBodyNode>,
    motions: Vec<(String, NodeRigidBody)>,
    /// Parts of these nodes, visible or not.
    parts: Vec<Part>,
}

/// Meshes of a document as loaded.
#[derive(Clone, Copy)]
pub struct Meshes<'a> {
    pub document: &'a Root,
    /// Index in `loaded` of each mesh of the document.
    pub mesh_indices: &'a [Option<usize>],
    pub loaded: &'a [Mesh],
}

impl RigidBodyNodes {
    /// Reads the settings of nodes, and removes invisible colliders from `parts`.
    pub fn read(
        document: &Root,
        bone_of: &[Option<u16>],
        parts: &mut Vec<Part>,
        warnings: &Warnings,
    ) -> Self {
        let mut found = Self::default();
        let shared = RigidBodyReader::new(document, warnings);
        for (i, node) in document.nodes.iter().enumerate() {
            let Some(bone) = bone_of.get(i).copied().flatten() else {
                continue;
            };
            let name = node.name.as_deref();
            let label = call("node", name, i);
            let extras = plain_json::node_extras(node, &label, warnings);
            let by_name = name.and_then(ColliderSpec::of_name);
            let shown = by_name.as_ref().and_then(|wish| wish.visible);
            let extension = RigidBodyReader::extension(node);
            if let Some(motion) = extension.and_then(|extension| extension.get("motion")) {
                let motion = shared.motion(&label, bone, motion);
                found.motions.push((label.clone(), motion));
            }
            let colliders = extension.map(|extension| shared.colliders(&label, extension));
            let mut colliders = colliders.unwrap_or_default();
            if let Some(value) = extras.get("collider") {
                let mut warn =
                    |text: String| warnings.add(format!("{label}, extras.collider: {text}"));
                let named = by_name.unwrap_or_default();
                let wish = ColliderSpec::read(value, &mut warn).map(|wish| ColliderSpec {
                    shape: wish.shape.or(named.shape),
                    ..wish
                });
                colliders = wish.into_iter().map(plain).collect();
            } else if colliders.is_empty() {
                colliders = by_name.into_iter().map(plain).collect();
            }
            for Collider {
                settings: mut wish,
                shape_source: form,
            } in colliders
            {
                wish.visible = wish.visible.or(shown);
                found.settings.push(RigidBodyNode {
                    bone,
                    label: label.clone(),
                    settings: wish,
                    shape: form,
                });
            }
        }
        let wish_of = |part: &Part| found.settings.iter().find(|entry| entry.bone == part.bone);
        found.parts = parts
            .iter()
            .filter(|p| wish_of(p).is_some())
            .cloned()
            .collect();
        parts.retain(|part| {
            let entry = wish_of(part);
            part.skin.is_some() || entry.is_none_or(|entry| entry.settings.visible != Some(false))
        });
        found
    }

    /// Builds the shapes of a model at rest, in the order of the nodes, and its moving bodies.
    pub fn build(
        self,
        skeleton: &Skeleton,
        meshes: Meshes,
        warnings: &Warnings,
    ) -> (Vec<NodeCollider>, Vec<NodeRigidBody>) {
        if self.settings.is_empty() && self.motions.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let at_rest = rest_matrices(skeleton);
        // The nearest moving node at or above a bone.
        let motion_of = |bone: u16| {
            let above = |bone: &u16| skeleton.bones().get(usize::from(*bone))?.parent;
            let mut bones = std::iter::successors(Some(bone), above);
            bones.find_map(|bone| self.motions.iter().position(|(_, m)| m.bone == bone))
        };
        let is_falling = |motion: usize| !self.motions[motion].1.is_kinematic_velocity;
        let all_fall = self
            .settings
            .iter()
            .any(|entry| entry.settings.mass.is_some());
        let mut is_used = vec![false; self.motions.len()];
        let mut n_corners = 0;
        let mut solids = Vec::new();
        for entry in &self.settings {
            let label = &entry.label;
            let motion = motion_of(entry.bone);
            let falls = motion.map_or(all_fall, is_falling);
            let model_from_node = at_rest.get(usize::from(entry.bone)).copied();
            let made = surface(entry, &self.parts, meshes, warnings).and_then(|surface| {
                n_corners += surface.0.len();
                if n_corners > MAX_VERTICES {
                    return Err(format!(
                        "the colliders of the file have more than {MAX_VERTICES} vertices"
                    ));
                }
                let solid = of_node(
                    (label, entry.bone),
                    model_from_node.unwrap_or(Affine3A::IDENTITY),
                    surface,
                    entry.settings.clone(),
                )?;
                check_volume(&solid.shape, falls)?;
                Ok(solid)
            });
            match made {
                Ok(solid) => {
                    if let (ColliderPrimitive::Mesh(..), Some(_), true) =
                        (&solid.shape, motion, falls)
                    {
                        warnings.add(format!(
                            "{label}: a triangle mesh cannot be dynamic; its convex hull is used"
                        ));
                    }
                    if let Some(motion) = motion {
                        is_used[motion] = true;
                    }
                    solids.push(solid);
                }
                Err(why) => warnings.add(format!("{label}: {why}; left out")),
            }
        }
        let mut motions = Vec::new();
        for ((label, motion), is_used) in self.motions.into_iter().zip(is_used) {
            if is_used {
                motions.push(motion);
            } else {
                warnings.add(format!("{label}: motion has no collider to move; left out"));
            }
        }
        motions.sort_by_key(|motion| motion.bone);
        (solids, motions)
    }
}

/// Matrices of all bones at rest, in model space.
fn rest_matrices(skeleton: &Skeleton) -> Vec<Affine3A> {
    let mut at_rest: Vec<Affine3A> = Vec::with_capacity(skeleton.len());
    for (bone, rest) in skeleton.bones().iter().zip(skeleton.rest()) {
        let above = bone
            .parent
            .and_then(|parent| at_rest.get(usize::from(parent)));
        let above = above.copied().unwrap_or(Affine3A::IDENTITY);
        at_rest.push(above * rest.to_affine());
    }
    at_rest
}

/// Checks that a hull, or a mesh that falls, has a volume.
fn check_volume(form: &ColliderPrimitive, falls: bool) -> Result<(), String> {
    match form {
        ColliderPrimitive::Hull(corners) if !has_volume(corners) => {
            Err("the convex hull has no volume".into())
        }
        ColliderPrimitive::Mesh(corners, _) if falls && !has_volume(corners) => {
            Err("the mesh is flat; a dynamic body needs a volume".into())
        }
        _ => Ok(()),
    }
}

fn plain(wish: ColliderSpec) -> Collider {
    Collider {
        settings: wish,
        shape_source: ShapeOrigin::Sizes,
    }
}

/// Vertices, and vertex indices of triangles.
type TriangleSoup = (Vec<Vec3>, Vec<[u32; 3]>);

/// Geometry for the shape of a node, in the node's space.
fn surface(
    entry: &RigidBodyNode,
    parts: &[Part],
    meshes: Meshes,
    warnings: &Warnings,
) -> Result<TriangleSoup, String> {
    let mut surface = TriangleSoup::default();
    match &entry.shape {
        ShapeOrigin::Sizes => {
            let own = parts.iter().filter(|part| part.bone == entry.bone);
            // A shape whose sizes are all given needs no mesh.
            if entry.settings.offset.is_none() && own.clone().any(|part| part.skin.is_some()) {
                return Err("a skinned mesh cannot be a collider".into());
            }
            for mesh in own.filter_map(|part| meshes.loaded.get(part.mesh)) {
                append(&mut surface, mesh, Affine3A::IDENTITY);
            }
        }
        ShapeOrigin::Surface(corners, triangles) => surface = (corners.clone(), triangles.clone()),
        ShapeOrigin::Node(node) => {
            let nodes = &meshes.document.nodes;
            let mut left = vec![(*node, Affine3A::IDENTITY)];
            while let Some((i, at)) = left.pop() {
                let Some(node) = nodes.get(i) else {
                    continue;
                };
                if node.skin.is_some() {
                    warnings.add(format!(
                        "{}: the collider uses the skinned mesh without skinning",
                        entry.label
                    ));
                }
                let mesh = node.mesh.map(|mesh| mesh.value());
                let place = mesh.and_then(|mesh| *meshes.mesh_indices.get(mesh)?);
                if let Some(mesh) = place.and_then(|place| meshes.loaded.get(place)) {
                    append(&mut surface, mesh, at);
                }
                for child in node.children.iter().flatten() {
                    let child = child.value();
                    if let Some(node) = nodes.get(child) {
                        let rest = nodes::rest_of(node, &entry.label, warnings);
                        left.push((child, at * rest.to_affine()));
                    }
                }
                if surface.0.len() > MAX_VERTICES {
                    break;
                }
            }
        }
    }
    Ok(surface)
}

fn append((corners, triangles): &mut TriangleSoup, mesh: &Mesh, at: Affine3A) {
    for primitive in &mesh.primitives {
        let first = corners.len() as u32;
        let places = primitive.positions.iter();
        corners.extend(places.map(|place| at.transform_point3(*place)));
        let three = primitive.indices.chunks_exact(3);
        triangles.extend(three.map(|t| [t[0] + first, t[1] + first, t[2] + first]));
    }
}

/// Returns false for points in one plane.
fn has_volume(points: &[Vec3]) -> bool {
    let farthest = |away: &dyn Fn(Vec3) -> f32| {
        let far = points
            .iter()
            .copied()
            .max_by(|a, b| away(*a).total_cmp(&away(*b)));
        far.map_or((Vec3::ZERO, 0.0), |far| (far, away(far)))
    };
    let Some(a) = points.first().copied() else {
        return false;
    };
    let (b, length) = farthest(&|p| p.distance(a));
    let along = (b - a).normalize_or_zero();
    let (c, width) = farthest(&|p| (p - a).reject_from(along).length());
    let normal = along.cross(c - a).normalize_or_zero();
    let (_, depth) = farthest(&|p| (p - a).dot(normal).abs());
    length > 1e-4 && width > 1e-4 * length && depth > 1e-4 * length
}

/// Shape of one node.
fn of_node(
    (label, bone): (&str, u16),
    model_from_node: Affine3A,
    (corners, triangles): TriangleSoup,
    wish: ColliderSpec,
) -> Result<NodeCollider, String> {
    let sized = wish.size.is_some() || wish.radius.is_some();
    let kind = wish.shape.unwrap_or(match (&wish, corners.is_empty()) {
        (wish, _) if wish.size.is_some() => ColliderShapeKind::Box,
        (wish, _) if wish.height.is_some() => ColliderShapeKind::Capsule,
        (wish, _) if wish.radius.is_some() => ColliderShapeKind::Sphere,
        _ if wish.mass.is_some() => ColliderShapeKind::Hull,
        _ => ColliderShapeKind::Mesh,
    });
    let of_mesh = matches!(kind, ColliderShapeKind::Hull | ColliderShapeKind::Mesh);
    if corners.is_empty() && (of_mesh || !sized) {
        return Err("the collider has neither a mesh nor a size".into());
    }
    let (placed, _) = Trs::from_matrix(model_from_node.into());
    if of_mesh {
        let corners: Vec<Vec3> = corners
            .into_iter()
            .map(|corner| model_from_node.transform_point3(corner))
            .collect();
        if !corners.iter().copied().all(is_sound_vector) {
            return Err(format!("the collider extends beyond {MAX_NUMBER:e} m"));
        }
        return Ok(NodeCollider {
            node: label.to_owned(),
            bone,
            shape: match kind {
                ColliderShapeKind::Hull => ColliderPrimitive::Hull(corners),
                _ => ColliderPrimitive::Mesh(corners, triangles),
            },
            position: Vec3::ZERO,
            rotation: glam::Quat::IDENTITY,
            settings: wish,
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
        ColliderShapeKind::Sphere => {
            ColliderPrimitive::Sphere(radius(own.max_element() * 0.5, stretch.max_element()))
        }
        ColliderShapeKind::Capsule => ColliderPrimitive::Capsule(round, height.max(2.0 * round)),
        ColliderShapeKind::Cylinder => ColliderPrimitive::Cylinder(round, height),
        _ => ColliderPrimitive::Box(own),
    };
    let sizes = match &form {
        ColliderPrimitive::Box(size) => *size,
        ColliderPrimitive::Cylinder(radius, height) => Vec3::new(*radius, *height, *radius),
        _ => Vec3::splat(round),
    };
    let position = model_from_node.transform_point3(wish.offset.unwrap_or(middle));
    if !is_sound_vector(sizes) || sizes.min_element() <= 1e-4 || !is_sound_vector(position) {
        return Err(format!(
            "the collider has a size of {} m at {position}; sizes must be from 0.0001 to {MAX_NUMBER:e} m",
            sizes.min_element()
        ));
    }
    Ok(NodeCollider {
        node: label.to_owned(),
        bone,
        shape: form,
        position,
        rotation: placed.rotation,
        settings: wish,
    })
}
