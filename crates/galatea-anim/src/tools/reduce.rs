//! Key reduction with an error bound for the whole motion. Small motion is preserved, because the error is measured
//! as the model-space distance of points near the bones, not as a change of key values.

use glam::{Affine3A, Quat, Vec3};

use super::{SampledPoses, densest_rate, resample};
use crate::{BoneTracks, Clip, Interpolation, Skeleton, Track};

/// Distance from a bone at which errors are measured, metres.
const SHELL: f32 = 0.03;

/// Options for key reduction.
#[derive(Clone, Debug, PartialEq)]
pub struct ReduceOptions {
    /// Maximum error of a point 3 cm from any bone, model space, metres.
    pub tolerance: f32,
    /// Bones with smaller bounds of their own, metres; for feet, so that planted ones do not slide.
    pub tighter: Vec<(u16, f32)>,
}

impl Default for ReduceOptions {
    /// A tenth of a millimetre.
    fn default() -> Self {
        Self {
            tolerance: 1e-4,
            tighter: Vec::new(),
        }
    }
}

/// Result of a key reduction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReduceReport {
    /// Number of keys of all tracks before.
    pub keys_before: usize,
    /// Number of keys of all tracks after.
    pub keys_after: usize,
    /// Maximum error, metres.
    pub error: f32,
    /// Bone with the maximum error.
    pub worst_bone: Option<u16>,
    /// Time of the maximum error, seconds.
    pub worst_time: f32,
    /// True if every bone is within its bound. False only for tolerances below the precision of 32-bit floats.
    pub kept: bool,
}

/// Removes keys from every bone track. Every point near every bone stays within the tolerance of its original
/// position at every frame, with all tracks reduced at once.
///
/// Splines become linear tracks (sampled at 120 keys per second, then reduced). Steps, morph weights and marks are
/// unchanged. Constant tracks keep one key; the clip keeps its duration.
pub fn reduce_keys(
    skeleton: &Skeleton,
    clip: &Clip,
    options: &ReduceOptions,
) -> (Clip, ReduceReport) {
    let source = straight(clip);
    let mut report = ReduceReport {
        keys_before: n_keys(clip),
        keys_after: n_keys(&source),
        kept: true,
        ..ReduceReport::default()
    };
    let tolerance = options.tolerance;
    if tolerance.is_nan() || tolerance <= 0.0 || skeleton.is_empty() {
        return (source, report);
    }
    let bounds = bounds(skeleton, options);
    let times = all_times(&source);
    let at = |clip: &Clip| SampledPoses::at(skeleton, clip, times.iter().copied(), 0.0);
    let source_poses = at(&source);
    let reach = reach(skeleton, &source_poses);
    // Allowed error of each bone's own tracks, as a fraction of its bound; reduced if the sum of a chain's errors
    // exceeds a bound.
    let mut fraction = vec![1.0_f32; skeleton.len()];
    let mut out = source.clone();
    for round in 0..ROUNDS {
        let exact = round + 1 == ROUNDS;
        for (tracks, new) in source.bones.iter().zip(&mut out.bones) {
            let bone = usize::from(tracks.bone);
            let Some(bound) = bounds.get(bone) else {
                continue;
            };
            // In the last round, a chain that still exceeds its bound gets all its keys back.
            let allowed = if exact && fraction[bone] < 1.0 {
                0.0
            } else {
                bound * fraction[bone]
            };
            *new = reduced_tracks(tracks, allowed, &reach[bone]);
        }
        keep_duration(&source, &mut out);
        let errors = errors(&source_poses, &at(&out), &times);
        let bad: Vec<usize> = (0..skeleton.len())
            .filter(|b| errors[*b].0 > bounds[*b])
            .collect();
        if let Some(worst) = worst(&errors) {
            report.error = errors[worst].0;
            report.worst_time = errors[worst].1;
            report.worst_bone = Some(worst as u16);
        }
        report.kept = bad.is_empty();
        if report.kept {
            break;
        }
        let bad = bad.into_iter().map(|b| (b, bounds[b] / errors[b].0));
        let pairs = fraction.iter_mut().zip(chain_factors(skeleton, bad));
        pairs.for_each(|(fraction, factor)| *fraction *= factor);
    }
    report.keys_after = n_keys(&out);
    (out, report)
}

/// Reduces the tracks of one bone; `allowed` is the maximum error of each of them, metres.
fn reduced_tracks(tracks: &BoneTracks, allowed: f32, reach: &MotionReach) -> BoneTracks {
    let scale = reach.parent_scale.max(1e-9);
    let slip = |a: Quat, b: Quat| angle(a, b) * reach.radius;
    BoneTracks {
        bone: tracks.bone,
        translation: (tracks.translation.as_ref())
            .map(|track| reduce(track, allowed / scale, Vec3::lerp, |a, b| a.distance(b))),
        rotation: (tracks.rotation.as_ref()).map(|track| reduce(track, allowed, Quat::slerp, slip)),
        scale: (tracks.scale.as_ref()).map(|track| {
            reduce(track, allowed, Vec3::lerp, |a, b| {
                a.distance(b) * reach.radius
            })
        }),
    }
}

/// Factors on the fractions of all bones. Every bone of a chain that exceeds its bound gets a smaller one, once per
/// round, however many of its descendants fail. `bad` lists bones that exceed their bounds, with the bound divided by
/// the error.
fn chain_factors(skeleton: &Skeleton, bad: impl Iterator<Item = (usize, f32)>) -> Vec<f32> {
    let mut factors = vec![1.0_f32; skeleton.len()];
    for (bone, ratio) in bad {
        let factor = ratio.clamp(0.4, 0.9);
        let mut next = Some(bone);
        while let Some(b) = next {
            factors[b] = factors[b].min(factor);
            next = skeleton.bones()[b].parent.map(usize::from);
        }
    }
    factors
}

/// Bone with the maximum error.
fn worst(errors: &[(f32, f32)]) -> Option<usize> {
    (0..errors.len()).max_by(|a, b| errors[*a].0.total_cmp(&errors[*b].0))
}

/// Number of rounds of reducing and measuring.
const ROUNDS: usize = 24;

/// Returns the maximum distance, over all times and bones, between points 3 cm from the bones in two clips on one
/// skeleton, metres; with its bone and time.
pub fn model_error(skeleton: &Skeleton, a: &Clip, b: &Clip) -> (f32, Option<u16>, f32) {
    let mut times = all_times(a);
    times.extend(all_times(b));
    times.sort_by(f32::total_cmp);
    times.dedup();
    let at = |clip: &Clip| SampledPoses::at(skeleton, clip, times.iter().copied(), 0.0);
    let errors = errors(&at(a), &at(b), &times);
    worst(&errors).map_or((0.0, None, 0.0), |b| {
        (errors[b].0, Some(b as u16), errors[b].1)
    })
}

/// Number of keys of all tracks.
pub(super) fn n_keys(clip: &Clip) -> usize {
    fn n<T>(track: Option<&Track<T>>) -> usize {
        track.map_or(0, |track| track.times.len())
    }
    let bones = clip
        .bones
        .iter()
        .map(|b| n(b.translation.as_ref()) + n(b.rotation.as_ref()) + n(b.scale.as_ref()));
    let morphs = clip.morphs.iter().map(|morph| n(Some(&morph.track)));
    bones.chain(morphs).sum()
}

/// Converts splines of bone tracks to linear tracks.
fn straight(clip: &Clip) -> Clip {
    fn is_spline<T>(track: Option<&Track<T>>) -> bool {
        track.is_some_and(|track| track.interpolation == Interpolation::CubicSpline)
    }
    let dense = resample(clip, densest_rate(clip).max(120.0));
    let mut out = clip.clone();
    for (tracks, dense) in out.bones.iter_mut().zip(dense.bones) {
        if is_spline(tracks.translation.as_ref()) {
            tracks.translation = dense.translation.map(plain);
        }
        if is_spline(tracks.rotation.as_ref()) {
            tracks.rotation = dense.rotation.map(plain);
        }
        if is_spline(tracks.scale.as_ref()) {
            tracks.scale = dense.scale.map(plain);
        }
    }
    out
}

/// Converts a spline with one key to a constant.
fn plain<T: Copy>(track: Track<T>) -> Track<T> {
    if track.interpolation != Interpolation::CubicSpline {
        return track;
    }
    Track {
        values: track.values.iter().skip(1).step_by(3).copied().collect(),
        times: track.times,
        interpolation: Interpolation::Linear,
    }
}

fn bounds(skeleton: &Skeleton, options: &ReduceOptions) -> Vec<f32> {
    let mut bounds = vec![options.tolerance; skeleton.len()];
    for (bone, tighter) in &options.tighter {
        if let Some(bound) = bounds.get_mut(usize::from(*bone))
            && *tighter > 0.0
        {
            *bound = bound.min(*tighter);
        }
    }
    bounds
}

/// Every key time of the bone tracks and the middles between them, ascending. Between two keys of all tracks, only
/// the difference of arcs deviates, and it is largest half-way.
fn all_times(clip: &Clip) -> Vec<f32> {
    let mut times: Vec<f32> = vec![0.0, clip.duration];
    for tracks in &clip.bones {
        let own = [
            tracks.translation.as_ref().map(|track| &track.times),
            tracks.rotation.as_ref().map(|track| &track.times),
            tracks.scale.as_ref().map(|track| &track.times),
        ];
        for track in own.into_iter().flatten() {
            times.extend_from_slice(track);
        }
        // Most tracks share their times.
        if times.len() > 1 << 16 {
            times.sort_by(f32::total_cmp);
            times.dedup();
        }
    }
    times.sort_by(f32::total_cmp);
    times.dedup();
    let middles: Vec<f32> = times.windows(2).map(|t| 0.5 * (t[0] + t[1])).collect();
    times.extend(middles);
    times.sort_by(f32::total_cmp);
    times
}

/// Reach of a bone's own rotation and translation.
struct MotionReach {
    /// Maximum distance of a point near a descendant bone, model space, metres.
    radius: f32,
    /// Maximum scale from the parent's space to model space.
    parent_scale: f32,
}

fn reach(skeleton: &Skeleton, frames: &SampledPoses) -> Vec<MotionReach> {
    let n = skeleton.len();
    let mut reach: Vec<MotionReach> = (0..n)
        .map(|_| MotionReach {
            radius: SHELL,
            parent_scale: 1.0,
        })
        .collect();
    let bones = skeleton.bones();
    // Sixty poses are enough to measure the lengths of limbs.
    let step = (frames.len() / 60).max(1);
    for i in (0..frames.len()).step_by(step) {
        for b in 0..n {
            let own = frames.position(i, b);
            let mut next = bones[b].parent.map(usize::from);
            if let Some(parent) = next {
                let m = &frames.model(i)[parent].matrix3;
                let columns = [m.x_axis, m.y_axis, m.z_axis];
                let scale = columns.map(|c| c.length()).into_iter().fold(0.0, f32::max);
                reach[b].parent_scale = reach[b].parent_scale.max(scale);
                if i == 0 {
                    reach[b].parent_scale = scale;
                }
            }
            while let Some(above) = next {
                let far = own.distance(frames.position(i, above)) + SHELL;
                reach[above].radius = reach[above].radius.max(far);
                next = bones[above].parent.map(usize::from);
            }
        }
    }
    reach
}

/// Angle between two rotations, radians; precise for small ones.
fn angle(a: Quat, b: Quat) -> f32 {
    let q = a.inverse() * b;
    2.0 * q.xyz().length().atan2(q.w.abs())
}

/// Keeps the first key, then repeatedly the farthest key for which linear interpolation stays within the bound of all
/// keys between. Steps and single keys stay; constant tracks keep one key.
fn reduce<T: Copy>(
    track: &Track<T>,
    bound: f32,
    between: impl Fn(T, T, f32) -> T,
    miss: impl Fn(T, T) -> f32,
) -> Track<T> {
    let n = track.times.len();
    if n < 2 || track.interpolation != Interpolation::Linear {
        return track.clone();
    }
    let (times, values) = (&track.times, &track.values);
    let fits = |from: usize, to: usize| {
        (from + 1..to).all(|i| {
            let u = (times[i] - times[from]) / (times[to] - times[from]);
            miss(between(values[from], values[to], u), values[i]) <= bound
        })
    };
    let constant = values.iter().all(|value| miss(values[0], *value) <= bound);
    let mut indices = vec![0];
    let mut from = 0;
    while !constant && from + 1 < n {
        let mut to = from + 1;
        // Doubles, then bisects the span, so that spans of many thousand keys are fast.
        let mut step = 1;
        while to + step < n && fits(from, to + step) {
            to += step;
            step *= 2;
        }
        while step > 0 {
            if to + step < n && fits(from, to + step) {
                to += step;
            } else {
                step /= 2;
            }
        }
        indices.push(to);
        from = to;
    }
    Track {
        times: indices.iter().map(|i| times[*i]).collect(),
        values: indices.iter().map(|i| values[*i]).collect(),
        interpolation: track.interpolation,
    }
}

/// Adds a last key to one track if all became constant, so that exported files keep the clip's duration.
fn keep_duration(source: &Clip, out: &mut Clip) {
    fn last<T>(track: Option<&Track<T>>) -> f32 {
        track
            .and_then(|track| track.times.last())
            .copied()
            .unwrap_or(0.0)
    }
    fn extend<T: Copy>(track: Option<&mut Track<T>>, source: Option<&Track<T>>, end: f32) -> bool {
        let (Some(track), Some(source)) = (track, source) else {
            return false;
        };
        if source.times.last() != Some(&end) || track.interpolation == Interpolation::CubicSpline {
            return false;
        }
        track.times.push(end);
        track.values.extend(source.values.last());
        true
    }
    let end = |clip: &Clip| {
        let bones = clip.bones.iter().map(|tracks| {
            last(tracks.translation.as_ref())
                .max(last(tracks.rotation.as_ref()))
                .max(last(tracks.scale.as_ref()))
        });
        let morphs = clip.morphs.iter().map(|morph| last(Some(&morph.track)));
        bones.chain(morphs).fold(0.0, f32::max)
    };
    let end_time = end(source);
    if end(out) >= end_time {
        return;
    }
    for (new, old) in out.bones.iter_mut().zip(&source.bones) {
        if extend(new.rotation.as_mut(), old.rotation.as_ref(), end_time)
            || extend(new.translation.as_mut(), old.translation.as_ref(), end_time)
            || extend(new.scale.as_mut(), old.scale.as_ref(), end_time)
        {
            return;
        }
    }
}

/// For every bone, the maximum distance of points 3 cm along its axes, and its time.
fn errors(expected: &SampledPoses, actual: &SampledPoses, times: &[f32]) -> Vec<(f32, f32)> {
    let n = if expected.is_empty() {
        0
    } else {
        expected.model(0).len()
    };
    let mut errors = vec![(0.0_f32, 0.0_f32); n];
    for (i, t) in times.iter().enumerate() {
        for (bone, error) in errors.iter_mut().enumerate() {
            let distance = shell_distance(&expected.model(i)[bone], &actual.model(i)[bone]);
            if distance > error.0 {
                *error = (distance, *t);
            }
        }
    }
    errors
}

/// Maximum distance between the points 3 cm along the axes of two bones.
fn shell_distance(a: &Affine3A, b: &Affine3A) -> f32 {
    let axes = [
        (a.matrix3.x_axis, b.matrix3.x_axis),
        (a.matrix3.y_axis, b.matrix3.y_axis),
        (a.matrix3.z_axis, b.matrix3.z_axis),
    ];
    let distances = axes.map(|(p, q)| {
        // In units of the expected bone's axes, so that a wrong scale counts too.
        let shell = SHELL * p.length_recip().min(1e9);
        (a.translation + p * shell).distance(b.translation + q * shell)
    });
    distances.into_iter().fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::test_rig::{rig, swing};
    use proptest::prelude::*;

    fn reduced(clip: &Clip, tolerance: f32) -> (Clip, ReduceReport) {
        let options = ReduceOptions {
            tolerance,
            ..ReduceOptions::default()
        };
        reduce_keys(&rig(), clip, &options)
    }

    #[test]
    fn smooth_motion_loses_max_keys_within_the_bound() {
        let clip = swing(4.0, 1.3, 0.1);
        let (new, report) = reduced(&clip, 1e-3);
        assert!(report.kept && report.error <= 1e-3, "{report:?}");
        assert!(model_error(&rig(), &clip, &new).0 <= 1e-3 * 1.0001);
        assert!(report.keys_after * 4 < report.keys_before, "{report:?}");
        assert_eq!(report.keys_before, 3 * 481);
        assert_eq!(new.duration, clip.duration);
    }

    #[test]
    fn small_motion_above_the_tolerance_is_kept() {
        // A tremor of 0.4° in the arm is 4 mm at the hand, in addition to a swing of 40°.
        let mut clip = swing(2.0, 2.0, 0.0);
        let arm = clip.bones[1].rotation.as_mut().unwrap();
        for (t, turn) in arm.times.iter().zip(&mut arm.values) {
            *turn *= Quat::from_rotation_z(0.007 * (t * 80.0).sin());
        }
        let (new, report) = reduced(&clip, 5e-4);
        assert!(report.kept);
        let tremor = |clip: &Clip, t: f32| {
            let at =
                |t: f32| SampledPoses::at(&rig(), clip, std::iter::once(t), 0.0).position(0, 2);
            // Second difference over half a period of the tremor.
            let h = std::f32::consts::PI / 80.0;
            (at(t + h) - 2.0 * at(t) + at(t - h)).length()
        };
        for i in 0..20 {
            let t = 0.2 + 0.08 * i as f32;
            let (was, is) = (tremor(&clip, t), tremor(&new, t));
            assert!((was - is).abs() < 2.1e-3, "{was} {is} at {t}");
        }
    }

    #[test]
    fn tighter_bound_on_one_bone_is_respected() {
        let clip = swing(4.0, 1.3, 0.0);
        let options = ReduceOptions {
            tolerance: 2e-2,
            tighter: vec![(2, 5e-4)],
        };
        let (new, report) = reduce_keys(&rig(), &clip, &options);
        assert!(report.kept);
        let times = all_times(&clip);
        let at = |clip: &Clip| SampledPoses::at(&rig(), clip, times.iter().copied(), 0.0);
        assert!(errors(&at(&clip), &at(&new), &times)[2].0 <= 5e-4);
    }

    #[test]
    fn constant_tracks_keep_one_key_and_the_clip_its_duration() {
        let mut clip = swing(1.0, 1.0, 0.0);
        for tracks in &mut clip.bones {
            if let Some(track) = &mut tracks.rotation {
                track.values.fill(Quat::IDENTITY);
            }
            if let Some(track) = &mut tracks.translation {
                track.values.fill(Vec3::Y);
            }
        }
        let (new, report) = reduced(&clip, 1e-4);
        assert_eq!(report.keys_after, 4);
        assert_eq!(new.bones[0].rotation.as_ref().unwrap().times, [0.0, 1.0]);
        assert_eq!(report.error, 0.0);
    }

    #[test]
    fn nan_tolerance_changes_nothing() {
        let clip = swing(1.0, 1.0, 0.0);
        for tolerance in [0.0, -1.0, f32::NAN] {
            assert_eq!(reduced(&clip, tolerance).0, clip);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn random_motion_never_exceeds_its_bound(
            turns in prop::collection::vec((-1.0..1.0_f32, -1.0..1.0_f32, -1.0..1.0_f32), 30),
            tolerance in 2e-5..1e-2_f32,
        ) {
            let mut clip = swing(0.5, 0.4, 0.0);
            for (i, (x, y, z)) in turns.iter().enumerate() {
                let turn = Quat::from_scaled_axis(Vec3::new(*x, *y, *z));
                clip.bones[1].rotation.as_mut().unwrap().values[i * 2] *= turn;
                clip.bones[0].rotation.as_mut().unwrap().values[i] *= turn.slerp(Quat::IDENTITY, 0.9);
            }
            let (new, report) = reduced(&clip, tolerance);
            prop_assert!(report.kept, "{:?}", report);
            prop_assert!(model_error(&rig(), &clip, &new).0 <= tolerance * 1.001 + 1e-6);
        }
    }
}
