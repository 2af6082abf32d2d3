//! The file's units and axes to metres and +Y up.

use glam::{Quat, Vec3};

use super::{BvhOptions, Up};
use galatea_anim::{Bone, BoneTracks};

/// Standing height that units are guessed by, metres.
const HEIGHT: f32 = 1.7;

/// Units in use: name, metres. The last one is that of the Carnegie Mellon recordings (1 / 0.45 inch).
const UNITS: [(&str, f32); 5] = [
    ("metres", 1.0),
    ("centimetres", 0.01),
    ("millimetres", 0.001),
    ("inches", 0.0254),
    ("units of 1/0.45 inch (Carnegie Mellon)", 0.0254 / 0.45),
];

/// Turns and scales bones and tracks.
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
    // A change of axes: rest rotations stay the identity.
    let turn = match up {
        Up::Y => Quat::IDENTITY,
        Up::Z => Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2),
    };
    let point = |v: Vec3| turn * v * scale;
    for bone in bones {
        bone.rest.translation = point(bone.rest.translation);
    }
    for tracks in tracks {
        if let Some(track) = &mut tracks.translation {
            track.values.iter_mut().for_each(|v| *v = point(*v));
        }
        if let (Some(track), Up::Z) = (&mut tracks.rotation, up) {
            let back = turn.inverse();
            let values = track.values.iter_mut();
            values.for_each(|q| *q = (turn * *q * back).normalize());
        }
    }
}

/// The unit that makes the resting skeleton most like a person's in size: height or span of arms,
/// whichever is larger. Bones that rest along one axis are measured as they are posed in the motion.
fn guess_unit(bones: &[Bone], tracks: &[BoneTracks], warnings: &mut Vec<String>) -> f32 {
    let at_rest = extent(places(bones).into_iter());
    let mut posed = 0.0_f32;
    let mut model = Vec::new();
    for k in some_keys(tracks) {
        pose(bones, tracks, k, &mut model);
        posed = posed.max(extent(model.iter().map(|(place, _)| *place)));
    }
    let size = if at_rest < 0.7 * posed {
        posed
    } else {
        at_rest
    };
    if size <= 0.0 || !size.is_finite() {
        warnings.push("the skeleton has no size; its units are taken as centimetres".into());
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
        _ => ", which is no person's size; give the unit if it is wrong",
    };
    warnings.push(format!(
        "units are taken as {name}: the skeleton is {:.2} m tall{doubt}",
        size * scale
    ));
    scale
}

/// The longest side of the box around points.
fn extent(points: impl Iterator<Item = Vec3> + Clone) -> f32 {
    let low = points.clone().reduce(Vec3::min).unwrap_or_default();
    let high = points.reduce(Vec3::max).unwrap_or_default();
    (high - low).max_element()
}

/// About 64 keys of a motion, evenly spaced.
fn some_keys(tracks: &[BoneTracks]) -> impl Iterator<Item = usize> + use<> {
    let rotations = tracks.iter().find_map(|tracks| tracks.rotation.as_ref());
    let n = rotations.map_or(0, |track| track.times.len());
    (0..n).step_by((n / 64).max(1))
}

/// Where the bones are at rest.
fn places(bones: &[Bone]) -> Vec<Vec3> {
    let mut places: Vec<Vec3> = Vec::with_capacity(bones.len());
    for bone in bones {
        let parent = bone
            .parent
            .and_then(|parent| places.get(usize::from(parent)));
        places.push(parent.copied().unwrap_or_default() + bone.rest.translation);
    }
    places
}

/// Z when, over the whole motion, heads are above feet along it; Y otherwise.
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
        warnings.push("+Z points up in this file; it was turned to +Y".into());
        return Up::Z;
    }
    Up::Y
}

/// Places and rotations of all bones at key `k`.
fn pose(bones: &[Bone], tracks: &[BoneTracks], k: usize, out: &mut Vec<(Vec3, Quat)>) {
    out.clear();
    let mut tracks = tracks.iter().peekable();
    for (i, bone) in bones.iter().enumerate() {
        let (mut place, mut turn) = (bone.rest.translation, Quat::IDENTITY);
        if let Some(own) = tracks.next_if(|tracks| usize::from(tracks.bone) == i) {
            let key = |track: &galatea_anim::Track<Vec3>| track.values.get(k).copied();
            place = own.translation.as_ref().and_then(key).unwrap_or(place);
            let key = |track: &galatea_anim::Track<Quat>| track.values.get(k).copied();
            turn = own.rotation.as_ref().and_then(key).unwrap_or(turn);
        }
        let parent = bone.parent.and_then(|parent| out.get(usize::from(parent)));
        let (parent_place, parent_turn) = parent.copied().unwrap_or_default();
        out.push((parent_place + parent_turn * place, parent_turn * turn));
    }
}
