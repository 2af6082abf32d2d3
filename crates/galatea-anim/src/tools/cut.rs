//! Cuts a loop out of a take and closes it: adjusts the ends and keeps the direction of movement continuous.

use galatea_math::clamp::ClampTo as _;
use glam::{Quat, Vec3};

use super::loops::root_track;
use super::{SampledPoses, densest_rate, resample};
use crate::root_motion::{RootDelta, RootTrack};
use crate::{BoneTracks, Clip, Interpolation, MorphTrack, Pose, Skeleton, Track, sample};

/// Options for closing a loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloseOptions {
    /// Time at each end over which the ends are adjusted, seconds; at most half of the loop.
    pub blend: f32,
    /// Keys per second; 0 uses the rate of the clip.
    pub rate: f32,
}

impl Default for CloseOptions {
    fn default() -> Self {
        Self {
            blend: 0.2,
            rate: 0.0,
        }
    }
}

/// Cuts the range from `start` to `end` seconds out of a clip and closes it to a loop that is continuous in position
/// and velocity.
///
/// Each end is bent by half of the difference, in value and in slope, with cubic curves that fade out over the blend
/// time. The root's motion and heading are not bent back. Only their velocities are matched, so that the character
/// continues in its direction. The loop starts at the position of the take at `start`. Marks are kept. Times outside
/// the clip are clamped, and an empty range returns the clip itself.
pub fn close_loop(
    skeleton: &Skeleton,
    clip: &Clip,
    start: f32,
    end: f32,
    options: &CloseOptions,
) -> Clip {
    let (start, end) = (start.max(0.0), end.min(clip.duration));
    let duration = end - start;
    if duration.is_nan() || duration <= 1e-3 {
        return clip.clone();
    }
    let rate = match options.rate {
        rate if rate > 0.0 => rate,
        _ => densest_rate(clip).clamp(10.0, 240.0),
    };
    let stretch = stretch(skeleton, clip, start, end, rate);
    let blend = options.blend.clamp_to(0.0, 0.5 * duration);
    let Some(root) = root_track(skeleton, &stretch, rate) else {
        return bend(&stretch, blend);
    };
    let still = bend(&root.strip(skeleton, &stretch), blend);
    steady_ends(&root, blend).restore(skeleton, &still)
}

/// Resamples a range of a clip at uniform times, starting at 0.
fn stretch(skeleton: &Skeleton, clip: &Clip, start: f32, end: f32, rate: f32) -> Clip {
    let duration = end - start;
    let n = ((duration * rate).round() as usize).max(4);
    let keys = EvenKeys {
        start,
        end,
        times: (0..=n).map(|i| duration * i as f32 / n as f32).collect(),
    };
    let frames = SampledPoses::at(skeleton, clip, keys.in_take(), duration / n as f32);
    let frames = &frames;
    let locals = |bone: usize| (0..=n).map(move |i| frames.locals(i)[bone]);
    let bones = clip
        .bones
        .iter()
        .filter(|b| usize::from(b.bone) < skeleton.len());
    let bones = bones.map(|tracks| {
        let locals = || locals(usize::from(tracks.bone));
        let translations = || locals().map(|trs| trs.translation).collect();
        let rotations = || near(locals().map(|trs| trs.rotation));
        let scales = || locals().map(|trs| trs.scale).collect();
        BoneTracks {
            bone: tracks.bone,
            translation: (tracks.translation.as_ref())
                .map(|track| keys.retimed(track, 1, translations)),
            rotation: (tracks.rotation.as_ref()).map(|track| keys.retimed(track, 1, rotations)),
            scale: (tracks.scale.as_ref()).map(|track| keys.retimed(track, 1, scales)),
        }
    });
    let mut out = Clip {
        duration,
        bones: bones.collect(),
        ..clip.clone()
    };
    out.markers.retain(|mark| (start..end).contains(&mark.time));
    out.markers.iter_mut().for_each(|mark| mark.time -= start);
    for morph in &mut out.morphs {
        let values = || morph_values(clip.duration, morph, keys.in_take());
        morph.track = keys.retimed(&morph.track, morph.n_targets, values);
    }
    for curve in &mut out.curves {
        let values = || keys.in_take().map(|t| curve.at(t)).collect();
        curve.track = keys.retimed(&curve.track, 1, values);
    }
    out
}

/// Key times of a range of a take.
struct EvenKeys {
    start: f32,
    end: f32,
    /// Seconds after `start`.
    times: Vec<f32>,
}

impl EvenKeys {
    /// Key times in the take, seconds.
    fn in_take(&self) -> impl Iterator<Item = f32> {
        self.times.iter().map(|t| self.start + t)
    }

    /// Creates the track of the range: with `values` at the uniform times, or with its own keys if it has steps.
    fn retimed<T: Clone>(
        &self,
        track: &Track<T>,
        per_key: usize,
        values: impl FnOnce() -> Vec<T>,
    ) -> Track<T> {
        if track.interpolation == Interpolation::Step {
            return steps_of(track, per_key, self.start, self.end);
        }
        Track {
            times: self.times.clone(),
            values: values(),
            interpolation: Interpolation::Linear,
        }
    }
}

/// Weights of a morph track at the given times, one time after another.
fn morph_values(duration: f32, morph: &MorphTrack, times: impl Iterator<Item = f32>) -> Vec<f32> {
    let single = Clip {
        duration,
        morphs: vec![MorphTrack {
            part: 0,
            ..morph.clone()
        }],
        ..Clip::default()
    };
    let mut pose = Pose {
        curves: Vec::new(),
        locals: Vec::new(),
        morphs: vec![0.0; morph.n_targets],
    };
    let mut values = Vec::new();
    for t in times {
        sample(&single, t, &[0], &mut pose);
        values.extend_from_slice(&pose.morphs);
    }
    values
}

/// Keys of a step track from `start` to `end`, with `per_key` values per key. The first is the key that is active at
/// `start`.
fn steps_of<T: Clone>(track: &Track<T>, per_key: usize, start: f32, end: f32) -> Track<T> {
    let held = track.times.partition_point(|t| *t <= start).max(1) - 1;
    let last = track.times.partition_point(|t| *t <= end.max(start));
    let range = held..last.max(held + 1).min(track.times.len());
    let times = track.times.get(range.clone()).unwrap_or_default();
    let values = range.start * per_key..range.end * per_key;
    let values = track.values.get(values).unwrap_or_default();
    Track {
        times: times.iter().map(|t| (t - start).max(0.0)).collect(),
        values: values.to_vec(),
        interpolation: Interpolation::Step,
    }
}

/// Negates quaternions where necessary so that each is in the hemisphere of the previous one.
fn near(values: impl Iterator<Item = Quat>) -> Vec<Quat> {
    let mut out: Vec<Quat> = Vec::new();
    for q in values {
        let before = out.last().copied().unwrap_or(q);
        out.push(if before.dot(q) < 0.0 { -q } else { q });
    }
    out
}

/// Half of the cubic with value `value` and slope `slope` at a seam, and zero `blend` seconds away from it. `away` is
/// the distance from the seam; `side` is -1 before it (the end) and 1 after it.
fn bump(value: Vec3, slope: Vec3, away: f32, blend: f32, side: f32) -> Vec3 {
    if away >= blend {
        return Vec3::ZERO;
    }
    let u = away / blend;
    let (v, m) = (
        (1.0 - u) * (1.0 - u) * (1.0 + 2.0 * u),
        u * (1.0 - u) * (1.0 - u),
    );
    // Before the seam, value and slope rise by half of the difference; after it, they fall by half.
    -side * 0.5 * value * v - 0.5 * slope * blend * m
}

/// Bends every track so that its end matches its start in value and slope.
fn bend(clip: &Clip, blend: f32) -> Clip {
    let mut out = resample(clip, densest_rate(clip));
    let duration = out.duration;
    for tracks in &mut out.bones {
        let vectors = [&mut tracks.translation, &mut tracks.scale];
        for track in vectors.into_iter().flatten() {
            bend_track(track, duration, blend, |a, b| b - a, |by, v| v + by);
        }
        if let Some(track) = &mut tracks.rotation {
            let difference = |a: Quat, b: Quat| {
                let q = b * a.inverse();
                if q.w < 0.0 { -q } else { q }.to_scaled_axis()
            };
            let turned = |by: Vec3, q: Quat| (Quat::from_scaled_axis(by) * q).normalize();
            bend_track(track, duration, blend, difference, turned);
            track.values = near(track.values.iter().copied());
        }
    }
    for morph in &mut out.morphs {
        let n = morph.n_targets;
        for target in 0..n {
            let values = morph.track.values.iter().skip(target).step_by(n);
            let mut single = Track {
                times: morph.track.times.clone(),
                values: values.map(|v| Vec3::splat(*v)).collect(),
                interpolation: morph.track.interpolation,
            };
            bend_track(&mut single, duration, blend, |a, b| b - a, |by, v| v + by);
            let slots = morph.track.values.iter_mut().skip(target).step_by(n);
            slots.zip(single.values).for_each(|(slot, v)| *slot = v.x);
        }
    }
    for curve in &mut out.curves {
        let mut single = Track {
            times: curve.track.times.clone(),
            values: curve
                .track
                .values
                .iter()
                .copied()
                .map(Vec3::splat)
                .collect(),
            interpolation: curve.track.interpolation,
        };
        bend_track(&mut single, duration, blend, |a, b| b - a, |by, v| v + by);
        curve.track.values = single.values.iter().map(|v| v.x).collect();
    }
    out
}

/// Bends one track. `difference(a, b)` is the offset from `a` to `b`, and `apply` adds an offset.
fn bend_track<T: Copy>(
    track: &mut Track<T>,
    duration: f32,
    blend: f32,
    difference: impl Fn(T, T) -> Vec3,
    apply: impl Fn(Vec3, T) -> T,
) {
    let [first, second, .., before, last] = track.values[..] else {
        return;
    };
    let dt = duration / (track.values.len() - 1) as f32;
    if track.interpolation == Interpolation::Step || dt <= 0.0 {
        return;
    }
    let value = difference(last, first);
    let slope = (difference(first, second) - difference(before, last)) / dt;
    let blend = blend.max(dt);
    for (t, slot) in track.times.iter().zip(&mut track.values) {
        let by = bump(value, slope, *t, blend, 1.0) + bump(value, slope, duration - t, blend, -1.0);
        *slot = apply(by, *slot);
    }
    // Both ends are the same pose; set them equal to remove the rounding.
    if let [first, .., last] = &mut track.values[..] {
        *last = *first;
    }
}

/// Sets the velocities at both ends of the root motion to their mean; the end positions stay.
fn steady_ends(root: &RootTrack, blend: f32) -> RootTrack {
    let samples = root.samples();
    let n = samples.len();
    let [first, second, .., before, last] = samples[..] else {
        return root.clone();
    };
    let dt = root.duration() / (n - 1) as f32;
    let start = first.inverse().compose(second).scaled(1.0 / dt);
    let end = before.inverse().compose(last).scaled(1.0 / dt);
    let slope = start.translation - end.translation;
    let yaw_slope = Vec3::splat(start.yaw - end.yaw);
    let blend = blend.max(dt);
    let bent = samples.iter().enumerate().map(|(i, step)| {
        let t = dt * i as f32;
        let by = |slope: Vec3| {
            let none = Vec3::ZERO;
            let (after, before) = (
                bump(none, slope, t, blend, 1.0),
                bump(none, slope, root.duration() - t, blend, -1.0),
            );
            (after, before)
        };
        let (after, before) = by(slope);
        let (yaw_after, yaw_before) = by(yaw_slope);
        let own = RootDelta {
            translation: after + before,
            yaw: yaw_after.x + yaw_before.x,
        };
        step.compose(own)
    });
    RootTrack::new(root.bone, root.duration(), bent.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlayMode;
    use crate::root_motion::{RootOptions, RootTrack};
    use crate::tools::test_rig::{rig, swing};

    fn track(clip: &Clip) -> RootTrack {
        RootTrack::extract(
            &rig(),
            clip,
            0,
            &RootOptions {
                rate: 120.0,
                ..RootOptions::default()
            },
        )
    }

    /// Position of a bone `t` seconds into endless looping, including root motion.
    fn unfolded(clip: &Clip, bone: usize, t: f64) -> Vec3 {
        let root = track(clip);
        let laps = (t / f64::from(clip.duration)).floor();
        let own = (t - laps * f64::from(clip.duration)) as f32;
        let frames = SampledPoses::at(&rig(), clip, std::iter::once(own), 0.0);
        let by = root.delta(0.0, laps * f64::from(clip.duration), PlayMode::Loop);
        by.point(frames.position(0, bone))
    }

    /// Maximum jump of position and of velocity of any bone at the seam, and the maximum change of velocity between
    /// any two keys.
    fn jumps(clip: &Clip) -> (f32, f32, f32) {
        let (d, h) = (f64::from(clip.duration), 1.0 / 120.0);
        let (mut position, mut velocity, mut usual) = (0.0_f32, 0.0_f32, 0.0_f32);
        for bone in 0..3 {
            let at = |t: f64| unfolded(clip, bone, t);
            position = position.max(at(d + 1e-7).distance(at(d - 1e-7)));
            let change = |t: f64| {
                let (before, after) = (at(t) - at(t - h), at(t + h) - at(t));
                (after - before).length() / h as f32
            };
            velocity = velocity.max(change(d));
            for i in 2..clip.bones[0].rotation.as_ref().unwrap().times.len() - 2 {
                usual = usual.max(change(i as f64 * h));
            }
        }
        (position, velocity, usual)
    }

    #[test]
    fn closed_loop_is_continuous_in_position_and_velocity() {
        // The swing drifts: after one period, the arm is 0.35 rad off. Without closing, this is a jump of more than
        // 20 cm.
        let take = swing(4.0, 1.0, 0.35);
        let skeleton = rig();
        let open = stretch(&skeleton, &take, 1.0, 2.0, 120.0);
        let (position, ..) = jumps(&open);
        assert!(position > 0.15, "{position}");
        let closed = close_loop(&skeleton, &take, 1.0, 2.0, &CloseOptions::default());
        assert_eq!(closed.duration, 1.0);
        let (position, velocity, usual) = jumps(&closed);
        assert!(position < 1e-4, "{position}");
        assert!(
            velocity < 1.05 * usual,
            "{velocity} against {usual} elsewhere"
        );
        assert!(velocity < 0.5, "{velocity}");
    }

    #[test]
    fn closed_loop_keeps_root_motion_and_its_direction() {
        let take = swing(4.0, 1.0, 0.2);
        let closed = close_loop(&rig(), &take, 0.5, 1.5, &CloseOptions::default());
        let lap = track(&closed).lap();
        assert!((lap.yaw - 0.5).abs() < 1e-3, "{lap:?}");
        // Three loops stay on the take's circle about (2, 0).
        for i in 0..30 {
            let hips = unfolded(&closed, 0, f64::from(i) * 0.1);
            let radius = (hips - Vec3::new(2.0, 1.0, 0.0)).length();
            assert!((radius - 2.0).abs() < 2e-3, "{radius} at {i}");
        }
    }

    #[test]
    fn different_speeds_at_the_ends_are_matched_and_the_distance_stays() {
        let mut take = swing(2.0, 1.0, 0.0);
        let hips = &mut take.bones[0];
        hips.rotation = None;
        let track_of = hips.translation.as_mut().unwrap();
        for (t, v) in track_of.times.iter().zip(&mut track_of.values) {
            *v = Vec3::new(0.0, 1.0, t + 0.3 * t * t);
        }
        let closed = close_loop(&rig(), &take, 0.2, 1.2, &CloseOptions::default());
        let root = track(&closed);
        let expected = (1.2 + 0.3 * 1.44) - (0.2 + 0.3 * 0.04);
        assert!((root.lap().translation.z - expected).abs() < 1e-4);
        let speed = |t: f64| root.delta(t, t + 1.0 / 120.0, PlayMode::Loop).translation.z * 120.0;
        let (before, after) = (speed(1.0 - 1.0 / 120.0), speed(1.0));
        assert!((before - after).abs() < 0.05, "{before} {after}");
    }

    #[test]
    fn markers_move_with_the_range() {
        let mut take = swing(4.0, 1.0, 0.0);
        let mark = |t: f32| crate::Marker {
            duration: 0.0,
            time: t,
            event: "step".into(),
            fields: Vec::new(),
        };
        take.markers = vec![mark(0.4), mark(1.25), mark(2.0)];
        let closed = close_loop(&rig(), &take, 1.0, 2.0, &CloseOptions::default());
        assert_eq!(closed.markers, [mark(0.25)]);
    }

    #[test]
    fn curves_are_cut_and_closed_and_steps_stay_steps() {
        let mut take = swing(4.0, 1.0, 0.0);
        let curve = |name: &str, interpolation, keys: &[(f32, f32)]| crate::Curve {
            name: name.into(),
            track: Track {
                times: keys.iter().map(|key| key.0).collect(),
                values: keys.iter().map(|key| key.1).collect(),
                interpolation,
            },
        };
        take.curves = vec![
            curve("glow", Interpolation::Linear, &[(0.0, 0.0), (4.0, 8.0)]),
            curve(
                "lock",
                Interpolation::Step,
                &[(0.5, 1.0), (1.25, 0.0), (3.0, 5.0)],
            ),
        ];
        let closed = close_loop(&rig(), &take, 1.0, 2.0, &CloseOptions::default());
        let [glow, lock] = &closed.curves[..] else {
            panic!("{:?}", closed.curves);
        };
        // From 2 to 4 in the take: each end is bent by half of the difference, the middle stays.
        assert_eq!((glow.at(0.0), glow.at(1.0)), (3.0, 3.0));
        assert!((glow.at(0.5) - 3.0).abs() < 1e-5, "{}", glow.at(0.5));
        assert!((glow.at(0.3) - 2.6).abs() < 1e-5, "{}", glow.at(0.3));
        assert_eq!(
            (&lock.track.times[..], &lock.track.values[..]),
            (&[0.0, 0.25][..], &[1.0, 0.0][..])
        );
    }

    #[test]
    fn step_tracks_of_bones_and_morphs_keep_their_steps() {
        let mut take = swing(4.0, 1.0, 0.0);
        let interpolation = Interpolation::Step;
        let times = vec![0.5, 1.25, 3.0];
        take.bones[1].scale = Some(Track {
            times: times.clone(),
            values: vec![Vec3::ONE, Vec3::splat(2.0), Vec3::ONE],
            interpolation,
        });
        take.morphs.push(crate::MorphTrack {
            part: 0,
            n_targets: 2,
            track: Track {
                times,
                values: vec![0.0, 1.0, 1.0, 0.0, 0.5, 0.5],
                interpolation,
            },
        });
        let closed = close_loop(&rig(), &take, 1.0, 2.0, &CloseOptions::default());
        let scale = closed.bones[1].scale.as_ref().unwrap();
        assert_eq!(scale.times, [0.0, 0.25]);
        assert_eq!(scale.values, [Vec3::ONE, Vec3::splat(2.0)]);
        let weights = &closed.morphs[0].track;
        assert_eq!(weights.times, [0.0, 0.25]);
        assert_eq!(weights.values, [0.0, 1.0, 1.0, 0.0]);
    }

    #[test]
    fn empty_range_changes_nothing() {
        let take = swing(1.0, 1.0, 0.0);
        for (start, end) in [(0.5, 0.5), (0.9, 0.1), (f32::NAN, f32::NAN), (3.0, 4.0)] {
            let out = close_loop(&rig(), &take, start, end, &CloseOptions::default());
            assert!(out.duration <= take.duration && out.duration > 0.0);
        }
    }
}
