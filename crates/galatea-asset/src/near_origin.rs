//! Keeps models near the origin: transforms combined along the hierarchy stay within the [limits](super::limits).
//!
//! Callers: `gltf` and `clips`, for every file. Each repair gives one warning that names the node, clip, skin or mesh.

use glam::{Affine3A, Mat3, Mat4, Vec3};

use super::limits::{MAX_NUMBER, is_sound, is_sound_vector};
use super::model::{Mesh, Part, Primitive, Skin};
use super::name_words::call;
use galatea_anim::{Bone, BoneTracks, Clip, Interpolation, Skeleton, Track};

/// Callback for warnings.
pub type Warn<'a> = &'a mut dyn FnMut(String);

fn is_valid_affine(m: &Affine3A) -> bool {
    m.to_cols_array().into_iter().all(is_sound)
}

/// Removes translation and scale of bones whose combined rest transform is beyond the limits. Bones follow their parents.
pub fn bones(bones: &mut [Bone], warn: Warn<'_>) {
    let mut worlds: Vec<Affine3A> = Vec::with_capacity(bones.len());
    for bone in bones {
        let parent = bone.parent.and_then(|p| worlds.get(usize::from(p)));
        let parent = parent.copied().unwrap_or(Affine3A::IDENTITY);
        let mut world = parent * bone.rest.to_affine();
        if !is_valid_affine(&world) {
            warn(format!(
                "node {:?}: its position or scale, with its parents, is beyond {MAX_NUMBER:e}; its translation and \
                 scale are left out",
                bone.name
            ));
            bone.rest.translation = Vec3::ZERO;
            bone.rest.scale = Vec3::ONE;
            world = parent * bone.rest.to_affine();
        }
        worlds.push(world);
    }
}

/// Like [`bones`], for a skeleton.
pub fn skeleton(skeleton: Skeleton, warn: Warn<'_>) -> Skeleton {
    let mut list = skeleton.bones().to_vec();
    bones(&mut list, warn);
    Skeleton::new(list).unwrap_or(skeleton)
}

/// Bounds of one bone in a clip, over all its keys.
#[derive(Clone, Copy)]
struct BoneReach {
    scale: f32,
    distance: f32,
}

impl BoneReach {
    fn is_sound(self) -> bool {
        is_sound(self.scale) && is_sound(self.distance)
    }

    /// Computes the bounds of a bone in model space from those of the parent.
    fn below(parent: Self, bone: &Bone, tracks: Option<&BoneTracks>) -> Self {
        let of = |track: Option<&Track<Vec3>>, rest: Vec3| {
            let most = track.map_or(0.0, max_of);
            most.max(rest.abs().max_element())
        };
        let scale = of(tracks.and_then(|t| t.scale.as_ref()), bone.rest.scale);
        let step = of(
            tracks.and_then(|t| t.translation.as_ref()),
            bone.rest.translation,
        );
        Self {
            scale: parent.scale * scale,
            distance: parent.distance + parent.scale * step,
        }
    }
}

/// Largest component of a track, including the values between its keys.
fn max_of(track: &Track<Vec3>) -> f32 {
    let largest = |values: &mut dyn Iterator<Item = &Vec3>| {
        values.fold(0.0_f32, |most, v| most.max(v.abs().max_element()))
    };
    if track.interpolation != Interpolation::CubicSpline {
        return largest(&mut track.values.iter());
    }
    // A Hermite spline exceeds its keys by at most 4/27 of each tangent times the interval.
    let values = largest(&mut track.values.iter().skip(1).step_by(3));
    let ins = largest(&mut track.values.iter().step_by(3));
    let outs = largest(&mut track.values.iter().skip(2).step_by(3));
    let pairs = track.times.windows(2).map(|pair| pair[1] - pair[0]);
    values + pairs.fold(0.0, f32::max) * (ins + outs) * (4.0 / 27.0)
}

/// Removes translations and scales of a clip that move bones beyond the limits: first those of single bones, and all if that
/// is not enough.
pub fn clip(clip: &mut Clip, skeleton: &Skeleton, warn: Warn<'_>) {
    let origin = BoneReach {
        scale: 1.0,
        distance: 0.0,
    };
    let mut removed = 0;
    let mut reaches: Vec<BoneReach> = Vec::with_capacity(skeleton.bones().len());
    let mut left = clip.bones.iter_mut().peekable();
    for (i, bone) in (0_u16..).zip(skeleton.bones()) {
        let parent = bone.parent.and_then(|p| reaches.get(usize::from(p)));
        let parent = parent.copied().unwrap_or(origin);
        let tracks = left.next_if(|tracks| tracks.bone == i);
        let mut reach = BoneReach::below(parent, bone, tracks.as_deref());
        if !reach.is_sound()
            && let Some(tracks) = tracks
        {
            removed += remove_motion(tracks);
            reach = BoneReach::below(parent, bone, None);
        }
        reaches.push(reach);
    }
    if reaches.iter().any(|reach| !reach.is_sound()) {
        removed += clip.bones.iter_mut().map(remove_motion).sum::<usize>();
    }
    if removed == 0 {
        return;
    }
    clip.bones.retain(|tracks| {
        tracks.rotation.is_some() || tracks.translation.is_some() || tracks.scale.is_some()
    });
    warn(format!(
        "clip {:?}: {removed} tracks move or scale nodes beyond {MAX_NUMBER:e}; left out",
        clip.name
    ));
}

/// Removes translation and scale tracks of a bone; returns the number removed.
fn remove_motion(tracks: &mut BoneTracks) -> usize {
    let removed = [tracks.translation.take(), tracks.scale.take()];
    removed.into_iter().flatten().count()
}

/// Repairs data that moves vertices beyond the limits at rest: inverse bind matrices, positions and morph offsets.
pub fn surfaces(
    skeleton: &Skeleton,
    skins: &mut [Skin],
    meshes: &mut [Mesh],
    parts: &[Part],
    warn: Warn<'_>,
) {
    let mut worlds: Vec<Affine3A> = Vec::with_capacity(skeleton.bones().len());
    for bone in skeleton.bones() {
        let parent = bone.parent.and_then(|p| worlds.get(usize::from(p)));
        let parent = parent.copied().unwrap_or(Affine3A::IDENTITY);
        worlds.push(parent * bone.rest.to_affine());
    }
    let world = |bone: u16| worlds.get(usize::from(bone)).copied().unwrap_or_default();
    for (i, skin) in skins.iter_mut().enumerate() {
        let mut replaced = 0;
        for (matrix, joint) in skin.inverse_bind.iter_mut().zip(&skin.joints) {
            if !is_valid_affine(&(world(*joint) * Affine3A::from_mat4(*matrix))) {
                *matrix = Mat4::IDENTITY;
                replaced += 1;
            }
        }
        if replaced > 0 {
            warn(format!(
                "{}: {replaced} inverse bind matrices move or scale vertices beyond {MAX_NUMBER:e}; the identity is \
                 used",
                call("skin", Some(&skin.name), i)
            ));
        }
    }
    for part in parts {
        let palette: Vec<Affine3A> = match part.skin.and_then(|skin| skins.get(skin)) {
            None => vec![world(part.bone)],
            Some(skin) => {
                let pairs = skin.joints.iter().zip(&skin.inverse_bind);
                let bound = pairs.map(|(joint, m)| world(*joint) * Affine3A::from_mat4(*m));
                bound.collect()
            }
        };
        let Some(mesh) = meshes.get_mut(part.mesh) else {
            continue;
        };
        let reset: usize = mesh
            .primitives
            .iter_mut()
            .map(|primitive| vertices(primitive, &palette))
            .sum();
        if reset > 0 {
            warn(format!(
                "{}: {reset} positions or morph offsets are beyond {MAX_NUMBER:e} m; set to zero",
                call("mesh", Some(&mesh.name), part.mesh)
            ));
        }
    }
}

/// Sets positions and morph offsets to zero that the matrices of a palette move beyond the limits; returns the number.
fn vertices(primitive: &mut Primitive, palette: &[Affine3A]) -> usize {
    let entry = |m: &Affine3A| {
        Mat3::from(m.matrix3)
            .to_cols_array()
            .into_iter()
            .fold(0.0_f32, |most, x| most.max(x.abs()))
    };
    let stretch = 3.0 * palette.iter().map(entry).fold(0.0, f32::max);
    let shift = palette
        .iter()
        .map(|m| m.translation.abs().max_element())
        .fold(0.0, f32::max);
    let is_near = |v: &Vec3, shift: f32| v.abs().max_element() * stretch + shift <= MAX_NUMBER;
    let mut reset = 0;
    let influences = &primitive.influences;
    for (i, position) in primitive.positions.iter_mut().enumerate() {
        if is_near(position, shift) {
            continue;
        }
        let own = i * influences.per_vertex..(i + 1) * influences.per_vertex;
        let joints = influences.joints.get(own.clone()).unwrap_or_default();
        let weights = influences.weights.get(own).unwrap_or_default();
        let moved = |joint: usize| palette.get(joint).map(|m| m.transform_point3(*position));
        let place = match joints {
            [] => moved(0),
            joints => joints
                .iter()
                .zip(weights)
                .map(|(joint, weight)| Some(moved(usize::from(*joint))? * *weight))
                .sum(),
        };
        if !place.is_none_or(is_sound_vector) {
            *position = Vec3::ZERO;
            reset += 1;
        }
    }
    let offsets = primitive
        .targets
        .iter_mut()
        .flat_map(|target| &mut target.positions);
    for offset in offsets.filter(|offset| !is_near(offset, 0.0)) {
        *offset = Vec3::ZERO;
        reset += 1;
    }
    reset
}
