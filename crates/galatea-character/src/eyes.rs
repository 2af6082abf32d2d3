//! Moves eye bones along with the face shapes around them.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

use super::extent::{dominant_bone, each_deformed};
use super::following::linear;
use super::loaded_model::LoadedModel;
use galatea_asset::model::Primitive;
use galatea_deform::build_palette;

/// Radius around an eyeball in which skin moves it, in eyeball radii.
const SKIN_REACH: f32 = 1.6;
/// Radius of an eyeball relative to body height, used if no mesh shows it: 12 mm of 1.7 m.
const EYE_RADIUS: f32 = 0.007;
/// Offsets below this length are ignored, metres.
const MIN_OFFSET: f32 = 1e-6;

/// A vertex that influences an eye.
#[derive(Clone, Debug)]
struct EyeVertex {
    part: usize,
    primitive: usize,
    vertex: usize,
    weight: f32,
    /// Offset from the bone in the rest pose, model space, metres.
    arm: Vec3,
    /// Linear map from mesh space to model space.
    model_from_mesh: Mat3A,
}

/// Vertices of an eye and of the skin around it.
#[derive(Clone, Debug)]
pub(super) struct EyeSurroundings {
    /// Bone of the eye.
    pub bone: u16,
    /// Linear map from model space to the space of the bone's parent.
    parent_from_model: Mat3A,
    /// Vertices of the eyeball.
    ball: Vec<EyeVertex>,
    /// Vertices of eyelids and eye socket.
    skin: Vec<EyeVertex>,
}

/// Displacement of an eye by face shapes.
pub(super) struct EyeShift {
    /// Displacement in the space of the bone's parent.
    pub in_parent: Vec3,
    /// Palette matrices whose vertices the morph target moves itself, and that displacement in mesh space, which must be
    /// subtracted.
    pub taken: Vec<(usize, Vec3)>,
}

/// Returns every vertex of meshes with morph targets, and the eye that carries it. `under` returns the eye above a bone.
fn near_vertices(
    loaded: &LoadedModel,
    matrices: &[Affine3A],
    under: impl Fn(u16) -> Option<usize>,
) -> Vec<(EyeVertex, Option<usize>)> {
    let model = &loaded.model;
    let mut palette = Vec::new();
    build_palette(model, matrices, &mut palette);
    let mut all: Vec<(EyeVertex, Option<usize>)> = Vec::new();
    each_deformed(
        model,
        &palette,
        &loaded.rest.morphs,
        |part, primitive, deformed| {
            if primitive.targets.is_empty() {
                return;
            }
            let at = |same: &dyn Fn(usize) -> bool, n: usize| (0..n).find(|i| same(*i));
            let part_at = at(
                &|i| std::ptr::eq(&raw const model.parts[i], part),
                model.parts.len(),
            );
            let mesh = &model.meshes[part.mesh].primitives;
            let primitive_at = at(&|i| std::ptr::eq(&raw const mesh[i], primitive), mesh.len());
            let (Some(part_at), Some(primitive_at)) = (part_at, primitive_at) else {
                return;
            };
            let start = loaded.layout.part_start[part_at] as usize;
            for (vertex, place) in deformed.positions.iter().enumerate() {
                let near = EyeVertex {
                    part: part_at,
                    primitive: primitive_at,
                    vertex,
                    weight: 1.0,
                    arm: *place,
                    model_from_mesh: linear(primitive, vertex, &palette[start..]),
                };
                all.push((near, under(dominant_bone(model, part, primitive, vertex))));
            }
        },
    );
    all
}

impl EyeSurroundings {
    /// Collects the surroundings of all eye bones of a model.
    pub fn of(loaded: &LoadedModel) -> Vec<Self> {
        let Ok(gaze) = loaded.gaze_rig() else {
            return Vec::new();
        };
        let eyes: Vec<u16> = gaze.eyes.iter().flatten().map(|eye| eye.bone).collect();
        if eyes.is_empty() {
            return Vec::new();
        }
        let model = &loaded.model;
        let bones = model.skeleton.bones();
        let under = |carrier: u16| {
            let above = |bone: &u16| bones.get(usize::from(*bone)).and_then(|bone| bone.parent);
            let mut up = std::iter::successors(Some(carrier), above);
            up.find_map(|bone| eyes.iter().position(|eye| *eye == bone))
        };
        let matrices = loaded.rest_matrices();
        let all = near_vertices(loaded, &matrices, under);
        let one = |(i, &bone): (usize, &u16)| {
            let place = loaded.rest_positions.get(usize::from(bone)).copied()?;
            let ball = all.iter().filter(|(_, eye)| *eye == Some(i));
            let mut ball: Vec<EyeVertex> = ball.map(|(near, _)| near.clone()).collect();
            let n = ball.len().max(1) as f32;
            let middle = ball.iter().map(|near| near.arm).sum::<Vec3>() / n;
            let far = |near: &EyeVertex| near.arm.distance(middle);
            let radius = ball.iter().map(far).fold(0.0, f32::max);
            let (middle, radius) = if ball.is_empty() {
                (place, EYE_RADIUS * model.skeleton.height())
            } else {
                (middle, radius)
            };
            let reach = SKIN_REACH * radius;
            let skin = all.iter().filter(|(_, eye)| eye.is_none());
            let mut skin: Vec<EyeVertex> = skin
                .filter(|(near, _)| near.arm.distance(middle) < reach)
                .map(|(near, _)| near.clone())
                .collect();
            for near in &mut skin {
                near.weight = (1.0 - near.arm.distance(middle) / reach).powi(2);
            }
            for near in ball.iter_mut().chain(&mut skin) {
                near.arm -= place;
            }
            let parent = bones.get(usize::from(bone))?.parent;
            let parent = parent.and_then(|parent| matrices.get(usize::from(parent)));
            let model_from_parent = parent.map_or(Mat3A::IDENTITY, |m| m.matrix3);
            let is_flat = model_from_parent.determinant() == 0.0;
            Some(Self {
                bone,
                parent_from_model: if is_flat {
                    Mat3A::ZERO
                } else {
                    model_from_parent.inverse()
                },
                ball,
                skin,
            })
        };
        eyes.iter().enumerate().filter_map(one).collect()
    }

    /// Returns the displacement of the eye for shapes, each given by its targets and weight. If the eyeball's own vertices
    /// have the target, they define the displacement; otherwise the surrounding skin does, weighted by proximity.
    pub fn moved<'a>(
        &self,
        loaded: &LoadedModel,
        shapes: impl Iterator<Item = (&'a [usize], f32)>,
    ) -> EyeShift {
        let mut in_model = Vec3::ZERO;
        let mut taken: Vec<(usize, Vec3)> = Vec::new();
        for (targets, weight) in shapes {
            let own = targets.iter().find_map(|target| {
                let own = centre_moved(loaded, &self.ball, *target);
                own.map(|own| (*target, own * weight))
            });
            if let Some((target, own)) = own {
                in_model += own;
                self.record_own_motion(loaded, target, own, &mut taken);
            } else {
                in_model += mean_moved(loaded, &self.skin, targets) * weight;
            }
        }
        EyeShift {
            in_parent: Vec3::from(self.parent_from_model * Vec3A::from(in_model)),
            taken,
        }
    }

    /// Records the displacement of the eyeball's vertices for the palette matrix that carries them.
    fn record_own_motion(
        &self,
        loaded: &LoadedModel,
        target: usize,
        own: Vec3,
        taken: &mut Vec<(usize, Vec3)>,
    ) {
        let Some((part, _)) = part_and_target(loaded, target) else {
            return;
        };
        let Some(near) = self.ball.iter().find(|near| near.part == part) else {
            return;
        };
        let linear = near.model_from_mesh;
        if linear.determinant() == 0.0 {
            return;
        }
        let own = Vec3::from(linear.inverse() * Vec3A::from(own));
        let model = &loaded.model;
        let Some(start) = loaded
            .layout
            .part_start
            .get(part)
            .map(|start| *start as usize)
        else {
            return;
        };
        let joints = model
            .parts
            .get(part)
            .and_then(|part| model.skins.get(part.skin?));
        let carries = joints.map_or(Some(0), |skin| {
            skin.joints.iter().position(|joint| *joint == self.bone)
        });
        let Some(at) = carries.map(|at| start + at) else {
            return;
        };
        match taken.iter_mut().find(|(known, _)| *known == at) {
            Some((_, by)) => *by += own,
            None => taken.push((at, own)),
        }
    }
}

/// Converts an index into the pose's weights to a part and a target.
fn part_and_target(loaded: &LoadedModel, target: usize) -> Option<(usize, usize)> {
    let part = loaded.morph_start.partition_point(|start| *start <= target);
    let part = part.checked_sub(1)?;
    Some((part, target - loaded.morph_start.get(part)?))
}

/// Returns the offsets of vertices for a target at weight 1, model space; empty if their meshes lack the target.
fn offsets<'a>(
    loaded: &'a LoadedModel,
    vertices: &'a [EyeVertex],
    target: usize,
) -> impl Iterator<Item = (&'a EyeVertex, Vec3)> {
    let place = part_and_target(loaded, target);
    vertices.iter().filter_map(move |near| {
        let (part, target) = place.filter(|(part, _)| *part == near.part)?;
        let mesh = loaded.model.parts.get(part)?.mesh;
        let primitive: &Primitive = loaded
            .model
            .meshes
            .get(mesh)?
            .primitives
            .get(near.primitive)?;
        let offset = primitive.targets.get(target)?.positions.get(near.vertex)?;
        Some((
            near,
            Vec3::from(near.model_from_mesh * Vec3A::from(*offset)),
        ))
    })
}

/// Returns the mean displacement of vertices for targets with the same name, weighted by proximity. Meshes that the target
/// does not move are ignored.
fn mean_moved(loaded: &LoadedModel, vertices: &[EyeVertex], targets: &[usize]) -> Vec3 {
    let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
    for target in targets {
        let mut own = (Vec3::ZERO, 0.0, false);
        for (near, offset) in offsets(loaded, vertices, *target) {
            own.0 += offset * near.weight;
            own.1 += near.weight;
            own.2 |= offset.length_squared() > MIN_OFFSET * MIN_OFFSET;
        }
        if own.2 {
            sum += own.0;
            weights += own.1;
        }
    }
    if weights > 0.0 {
        sum / weights
    } else {
        Vec3::ZERO
    }
}

/// Returns how a target moves the centre of an eyeball (the bone): least-squares fit of translation and uniform growth.
fn centre_moved(loaded: &LoadedModel, ball: &[EyeVertex], target: usize) -> Option<Vec3> {
    let pairs: Vec<(Vec3, Vec3)> = offsets(loaded, ball, target)
        .map(|(near, offset)| (near.arm, offset))
        .collect();
    let is_moved = |(_, offset): &(Vec3, Vec3)| offset.length_squared() > MIN_OFFSET * MIN_OFFSET;
    if !pairs.iter().any(is_moved) {
        return None;
    }
    let n = pairs.len() as f32;
    let arm = pairs.iter().map(|pair| pair.0).sum::<Vec3>() / n;
    let shift = pairs.iter().map(|pair| pair.1).sum::<Vec3>() / n;
    let (mut along, mut size) = (0.0, 0.0);
    for (at, by) in &pairs {
        along += (*at - arm).dot(*by - shift);
        size += (*at - arm).length_squared();
    }
    let growth = if size > 0.0 { along / size } else { 0.0 };
    Some(shift - arm * growth)
}
