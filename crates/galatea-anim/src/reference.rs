//! Reference implementation of the pose pipeline in double precision, directly from the clips' keys.
//!
//! Used by tests and benchmarks of the fast implementations. Slow, allocates, and follows the formulas: spherical
//! interpolation between keys, normalised weights, one sum per bone.

use glam::{DAffine3, DQuat, DVec3};

use super::{Clip, Interpolation, Skeleton, Track};

/// Computes the model-from-bone matrices of a blend of clips, `(clip, seconds, weight)` each. Weights are divided by
/// their sum; rotations are summed in the hemisphere of the heaviest clip's.
pub fn model_from_bone(skeleton: &Skeleton, plays: &[(&Clip, f64, f64)]) -> Vec<DAffine3> {
    let sum: f64 = plays.iter().map(|(_, _, weight)| weight).sum();
    let mut plays = plays.to_vec();
    plays.sort_by(|a, b| b.2.total_cmp(&a.2));
    let mut out: Vec<DAffine3> = Vec::with_capacity(skeleton.len());
    for (i, bone) in skeleton.bones().iter().enumerate() {
        let rest = (
            bone.rest.translation.as_dvec3(),
            bone.rest.rotation.as_dquat(),
            bone.rest.scale.as_dvec3(),
        );
        let (mut t, mut q, mut s) = (
            DVec3::ZERO,
            DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0),
            DVec3::ZERO,
        );
        let mut heaviest = None;
        for &(clip, at, weight) in &plays {
            let tracks = clip
                .bones
                .iter()
                .find(|tracks| usize::from(tracks.bone) == i);
            let vector = |track: Option<&Track<glam::Vec3>>, rest: DVec3| {
                track.map_or(rest, |track| vector_at(track, at))
            };
            let w = weight / sum;
            t += vector(tracks.and_then(|b| b.translation.as_ref()), rest.0) * w;
            s += vector(tracks.and_then(|b| b.scale.as_ref()), rest.2) * w;
            let track = tracks.and_then(|b| b.rotation.as_ref());
            let r = track
                .map_or(rest.1, |track| rotation_at(track, at))
                .normalize();
            let first = *heaviest.get_or_insert(r);
            q += if first.dot(r) < 0.0 { -r } else { r } * w;
        }
        let local = DAffine3::from_scale_rotation_translation(s, q.normalize(), t);
        out.push(match bone.parent {
            Some(parent) => out[usize::from(parent)] * local,
            None => local,
        });
    }
    out
}

/// Maximum distance between two matrices, metres, over three points at `reach` metres on a bone's axes.
pub fn distance(a: &DAffine3, b: &DAffine3, reach: f64) -> f64 {
    DVec3::AXES
        .iter()
        .map(|axis| {
            let point = *axis * reach;
            (a.transform_point3(point) - b.transform_point3(point)).length()
        })
        .fold(0.0, f64::max)
}

fn span(times: &[f32], t: f64) -> (usize, usize, f64, f64) {
    let next = times.partition_point(|key| f64::from(*key) <= t);
    if next == 0 || next == times.len() {
        let key = next.saturating_sub(1);
        return (key, key, 0.0, 0.0);
    }
    let (from, to) = (f64::from(times[next - 1]), f64::from(times[next]));
    (next - 1, next, (t - from) / (to - from), to - from)
}

/// Weights of value, out-tangent, next value, next in-tangent (glTF 2.0 C.5).
fn hermite(u: f64, d: f64) -> [f64; 4] {
    let (u2, u3) = (u * u, u * u * u);
    [
        2.0 * u3 - 3.0 * u2 + 1.0,
        d * (u3 - 2.0 * u2 + u),
        -2.0 * u3 + 3.0 * u2,
        d * (u3 - u2),
    ]
}

fn vector_at(track: &Track<glam::Vec3>, t: f64) -> DVec3 {
    let (key, next, u, d) = span(&track.times, t);
    let v = |i: usize| track.values[i].as_dvec3();
    match track.interpolation {
        Interpolation::Step => v(key),
        Interpolation::Linear => v(key).lerp(v(next), u),
        Interpolation::CubicSpline => {
            let w = hermite(u, d);
            v(key * 3 + 1) * w[0]
                + v(key * 3 + 2) * w[1]
                + v(next * 3 + 1) * w[2]
                + v(next * 3) * w[3]
        }
    }
}

fn rotation_at(track: &Track<glam::Quat>, t: f64) -> DQuat {
    let (key, next, u, d) = span(&track.times, t);
    let v = |i: usize| track.values[i].as_dquat();
    match track.interpolation {
        Interpolation::Step => v(key),
        Interpolation::Linear => v(key).normalize().slerp(v(next).normalize(), u),
        Interpolation::CubicSpline => {
            let w = hermite(u, d);
            v(key * 3 + 1) * w[0]
                + v(key * 3 + 2) * w[1]
                + v(next * 3 + 1) * w[2]
                + v(next * 3) * w[3]
        }
    }
}
