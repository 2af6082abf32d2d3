//! Converts the file's units and axes to metres and +Y up.

use glam::{Quat, Vec3};

use super::{BvhOptions, Up};
use galatea_anim::{Bone, BoneTracks};

/// Standing height that the unit guess assumes, metres.
const HEIGHT: f32 = 1.7;

/// Candidate units: name and size in metres. The last one is that of the Carnegie Mellon recordings (1 / 0.45 inch).
const UNITS: [(&str, f32); 5] = [
    ("metres", 1.0),
    ("centimetres", 0.01),
    ("millimetres", 0.001),
    ("inches", 0.0254),
    ("units of 1/0.45 inch (Carnegie Mellon)", 0.0254 / 0.45),
];

/// Rotates and scales bones and tracks.
pub(super) fn to_metres(
    bones: &mut [Bone],
    tracks: &mut [BoneTracks],
    options: &BvhOptions,
    warnings: &mut Vec<String>,
) {
    let scale = options
        .metres_per_unit
        .filter(|scale| scale.is_finite() && *scale > 0.0)
        .unwrap_or_else(|| guess_unit(bones, tracks, warnings));
    let up = options
        .up
        .unwrap_or_else(|| guess_up(bones, tracks, warnings));
    // Only the axes change, so rest rotations stay the identity.
    let to_y_up = match up {
        Up::Y => Quat::IDENTITY,
        Up::Z => Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2),
    };
    let point = |v: Vec3| to_y_up * v * scale;
    for bone in bones {
        bone.rest.translation = point(bone.rest.translation);
    }
    for tracks in tracks {
        if let Some(track) = &mut tracks.translation {
            track.values.iter_mut().for_each(|v| *v = point(*v));
        }
        if let (Some(track), Up::Z) = (&mut tracks.rotation, up) {
            let back = to_y_up.inverse();
            let values = track.values.iter_mut();
            values.for_each(|q| *q = (to_y_up * *q * back).normalize());
        }
    }
}

/// Guesses the unit that makes the skeleton closest to human size. The size is the larger of height and arm span. Skeletons
/// with all bones along one axis at rest are measured in the poses of the motion.
fn guess_unit(bones: &[Bone], tracks: &[BoneTracks], warnings: &mut Vec<String>) -> f32 {
    let at_rest = extent(positions(bones).into_iter());
    let mut posed = 0.0_f32;
    let mut model = Vec::new();
    for k in some_keys(tracks) {
        pose(bones, tracks, k, &mut model);
        posed = posed.max(extent(model.iter().map(|(position, _)| *position)));
    }
    let size = if at_rest < 0.7 * posed {
        posed
    } else {
        at_rest
    };
    if size <= 0.0 || !size.is_finite() {
        warnings.push("the skeleton has no size; centimetres are assumed".into());
        return 0.01;
    }
    let miss = |scale: f32| (size * scale / HEIGHT).ln().abs();
    let [first, rest @ ..] = UNITS;
    let nearer = |best: (&'static str, f32), unit: (&'static str, f32)| {
        if miss(unit.1) < miss(best.1) {
            unit
        } else {
            best
        }
    };
    let (name, scale) = rest.into_iter().fold(first, nearer);
    let doubt = match miss(scale) {
        miss if miss < 0.35 => "",
        _ => ", which is unusual for a person; set the unit if it is wrong",
    };
    warnings.push(format!(
        "the unit is assumed to be {name}: the skeleton is {:.2} m tall{doubt}",
        size * scale
    ));
    scale
}

/// Longest side of the bounding box of points.
fn extent(points: impl Iterator<Item = Vec3> + Clone) -> f32 {
    let low = points.clone().reduce(Vec3::min).unwrap_or_default();
    let high = points.reduce(Vec3::max).unwrap_or_default();
    (high - low).max_element()
}

/// Indices of about 64 keys of a motion, evenly spaced.
fn some_keys(tracks: &[BoneTracks]) -> impl Iterator<Item = usize> + use<> {
    let rotations = tracks.iter().find_map(|tracks| tracks.rotation.as_ref());
    let n = rotations.map_or(0, |track| track.times.len());
    (0..n).step_by((n / 64).max(1))
}

/// Positions of the bones at rest.
fn positions(bones: &[Bone]) -> Vec<Vec3> {
    let mut positions: Vec<Vec3> = Vec::with_capacity(bones.len());
    for bone in bones {
        let parent = bone
            .parent
            .and_then(|parent| positions.get(usize::from(parent)));
        positions.push(parent.copied().unwrap_or_default() + bone.rest.translation);
    }
    positions
}

/// Guesses the up axis: Z if heads are above feet along Z over the whole motion, otherwise Y.
fn guess_up(bones: &[Bone], tracks: &[BoneTracks], warnings: &mut Vec<String>) -> Up {
    let named = |words: &[&str]| -> Vec<usize> {
        let has = |bone: &Bone| {
            let name = bone.name.to_lowercase();
            words.iter().any(|word| name.contains(word))
        };
        let bones = bones.iter().enumerate();
        bones.filter(|(_, b)| has(b)).map(|(i, _)| i).collect()
    };
    let (feet, heads) = (named(&["foot", "ankle", "toe"]), named(&["head", "neck"]));
    if feet.is_empty() || heads.is_empty() {
        return Up::Y;
    }
    let mut sum = Vec3::ZERO;
    let mut model: Vec<(Vec3, Quat)> = Vec::new();
    for k in some_keys(tracks) {
        pose(bones, tracks, k, &mut model);
        let mean = |of: &[usize]| of.iter().map(|i| model[*i].0).sum::<Vec3>() / of.len() as f32;
        sum += (mean(&heads) - mean(&feet)).normalize_or_zero();
    }
    if sum.z > sum.y.abs().max(sum.x.abs()) * 1.5 {
        warnings.push("the file is Z-up; it was rotated to Y-up".into());
        return Up::Z;
    }
    Up::Y
}

/// Positions and rotations of all bones at key `k`.
fn pose(bones: &[Bone], tracks: &[BoneTracks], k: usize, out: &mut Vec<(Vec3, Quat)>) {
    out.clear();
    let mut tracks = tracks.iter().peekable();
    for (i, bone) in bones.iter().enumerate() {
        let (mut position, mut rotation) = (bone.rest.translation, Quat::IDENTITY);
        if let Some(own) = tracks.next_if(|tracks| usize::from(tracks.bone) == i) {
            let key = |track: &galatea_anim::Track<Vec3>| track.values.get(k).copied();
            position = own.translation.as_ref().and_then(key).unwrap_or(position);
            let key = |track: &galatea_anim::Track<Quat>| track.values.get(k).copied();
            rotation = own.rotation.as_ref().and_then(key).unwrap_or(rotation);
        }
        let parent = bone.parent.and_then(|parent| out.get(usize::from(parent)));
        let (parent_position, parent_rotation) = parent.copied().unwrap_or_default();
        out.push((
            parent_position + parent_rotation * position,
            parent_rotation * rotation,
        ));
    }
}
