//! Sampling of authored clips to local transforms and morph weights.

use glam::{Quat, Vec3};

use super::{BoneTracks, Clip, Interpolation, Pose, Track};
use galatea_math::Trs;

/// Samples a clip at `t` seconds into `pose`. Channels without a track keep their values.
///
/// Times are clamped to the first and last key. `morph_start` gives the index at which each part's
/// weights begin in `pose.morphs`. Tracks of bones or parts that the pose lacks are skipped.
pub fn sample(clip: &Clip, t: f32, morph_start: &[usize], pose: &mut Pose) {
    for tracks in &clip.bones {
        let Some(local) = pose.locals.get_mut(usize::from(tracks.bone)) else {
            continue;
        };
        sample_bone(tracks, t, local);
    }
    for morph in &clip.morphs {
        let Some(&start) = morph_start.get(morph.part) else {
            continue;
        };
        let Some(weights) = pose.morphs.get_mut(start..start + morph.n_targets) else {
            continue;
        };
        sample_weights(&morph.track, morph.n_targets, t, weights);
    }
}

/// Writes the channels that have tracks.
pub(super) fn sample_bone(tracks: &BoneTracks, t: f32, local: &mut Trs) {
    if let Some(track) = &tracks.translation {
        local.translation = sample_vec3(track, t);
    }
    if let Some(track) = &tracks.rotation {
        local.rotation = sample_rotation(track, t);
    }
    if let Some(track) = &tracks.scale {
        local.scale = sample_vec3(track, t);
    }
}

/// The two keys around a time, and the fraction between them.
struct KeySpan {
    key: usize,
    next: usize,
    u: f32,
    seconds: f32,
}

fn find(times: &[f32], t: f32) -> KeySpan {
    let next = times.partition_point(|&key| key <= t);
    if next == 0 || next == times.len() {
        let key = next.saturating_sub(1);
        return KeySpan {
            key,
            next: key,
            u: 0.0,
            seconds: 0.0,
        };
    }
    let key = next - 1;
    let seconds = times[next] - times[key];
    KeySpan {
        key,
        next,
        u: (t - times[key]) / seconds,
        seconds,
    }
}

/// Weights of value, out-tangent, next value, next in-tangent in a Hermite spline (glTF 2.0 C.5).
fn hermite(span: &KeySpan) -> [f32; 4] {
    let (u, d) = (span.u, span.seconds);
    let (u2, u3) = (u * u, u * u * u);
    [
        2.0 * u3 - 3.0 * u2 + 1.0,
        d * (u3 - 2.0 * u2 + u),
        -2.0 * u3 + 3.0 * u2,
        d * (u3 - u2),
    ]
}

pub(super) fn sample_vec3(track: &Track<Vec3>, t: f32) -> Vec3 {
    let span = find(&track.times, t);
    let v = &track.values;
    match track.interpolation {
        Interpolation::Step => v[span.key],
        Interpolation::Linear => v[span.key].lerp(v[span.next], span.u),
        Interpolation::CubicSpline => {
            let [a, b, c, d] = hermite(&span);
            v[span.key * 3 + 1] * a
                + v[span.key * 3 + 2] * b
                + v[span.next * 3 + 1] * c
                + v[span.next * 3] * d
        }
    }
}

pub(super) fn sample_rotation(track: &Track<Quat>, t: f32) -> Quat {
    let span = find(&track.times, t);
    let v = &track.values;
    match track.interpolation {
        Interpolation::Step => v[span.key],
        Interpolation::Linear if span.key == span.next => v[span.key],
        Interpolation::Linear => v[span.key].slerp(v[span.next], span.u),
        Interpolation::CubicSpline => {
            let [a, b, c, d] = hermite(&span);
            let q = v[span.key * 3 + 1] * a
                + v[span.key * 3 + 2] * b
                + v[span.next * 3 + 1] * c
                + v[span.next * 3] * d;
            if q.length_squared() > 1e-12 {
                q.normalize()
            } else {
                Quat::IDENTITY
            }
        }
    }
}

/// Samples all `n` weights of a track.
pub(super) fn sample_weights(track: &Track<f32>, n: usize, t: f32, out: &mut [f32]) {
    let span = find(&track.times, t);
    for (which, weight) in out.iter_mut().enumerate() {
        *weight = weight_in(track, n, which, &span);
    }
}

/// Samples one of the `n` weights of a track.
pub(super) fn sample_weight(track: &Track<f32>, n: usize, which: usize, t: f32) -> f32 {
    weight_in(track, n, which, &find(&track.times, t))
}

fn weight_in(track: &Track<f32>, n: usize, which: usize, span: &KeySpan) -> f32 {
    let v = |row: usize| track.values[row * n + which];
    match track.interpolation {
        Interpolation::Step => v(span.key),
        Interpolation::Linear => v(span.key) + (v(span.next) - v(span.key)) * span.u,
        Interpolation::CubicSpline => {
            let [a, b, c, d] = hermite(span);
            v(span.key * 3 + 1) * a
                + v(span.key * 3 + 2) * b
                + v(span.next * 3 + 1) * c
                + v(span.next * 3) * d
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use glam::EulerRot;

    use super::*;
    use crate::{BoneTracks, MorphTrack};
    use galatea_math::Trs;

    fn pose() -> Pose {
        Pose {
            locals: vec![Trs::IDENTITY],
            morphs: vec![0.0; 2],
            ..Pose::default()
        }
    }

    fn moving(interpolation: Interpolation, values: Vec<Vec3>) -> Clip {
        Clip {
            bones: vec![BoneTracks {
                bone: 0,
                translation: Some(Track {
                    times: vec![1.0, 3.0],
                    values,
                    interpolation,
                }),
                rotation: None,
                scale: None,
            }],
            ..Clip::default()
        }
    }

    fn x_at(clip: &Clip, t: f32) -> f32 {
        let mut pose = pose();
        sample(clip, t, &[0], &mut pose);
        pose.locals[0].translation.x
    }

    #[test]
    fn linear_keys_are_clamped_and_interpolated() {
        let clip = moving(Interpolation::Linear, vec![Vec3::ZERO, Vec3::X * 4.0]);
        for (t, x) in [
            (0.0, 0.0),
            (1.0, 0.0),
            (2.0, 2.0),
            (2.5, 3.0),
            (3.0, 4.0),
            (9.0, 4.0),
        ] {
            assert_eq!(x_at(&clip, t), x, "at {t}");
        }
    }

    #[test]
    fn step_keys_change_exactly_at_the_key() {
        let clip = moving(Interpolation::Step, vec![Vec3::ZERO, Vec3::X]);
        assert_eq!(x_at(&clip, 2.999), 0.0);
        assert_eq!(x_at(&clip, 3.0), 1.0);
    }

    #[test]
    fn spline_passes_its_keys_and_scales_tangents_by_the_spacing() {
        let flat = Vec3::ZERO;
        let slope = Vec3::X; // 1 m/s at both ends of a 2 s span from 0 to 2 m: a straight line
        let clip = moving(
            Interpolation::CubicSpline,
            vec![flat, Vec3::ZERO, slope, slope, Vec3::X * 2.0, flat],
        );
        for (t, x) in [(1.0, 0.0), (1.5, 0.5), (2.0, 1.0), (3.0, 2.0)] {
            assert!((x_at(&clip, t) - x).abs() < 1e-6, "at {t}");
        }
    }

    #[test]
    fn rotations_take_the_short_arc_and_stay_normalised() {
        let clip = Clip {
            bones: vec![BoneTracks {
                bone: 0,
                translation: None,
                rotation: Some(Track {
                    times: vec![0.0, 1.0],
                    values: vec![Quat::IDENTITY, -Quat::from_rotation_z(1.0)],
                    interpolation: Interpolation::Linear,
                }),
                scale: None,
            }],
            ..Clip::default()
        };
        let mut pose = pose();
        sample(&clip, 0.25, &[0], &mut pose);
        assert!(
            pose.locals[0]
                .rotation
                .abs_diff_eq(Quat::from_rotation_z(0.25), 1e-6)
        );
    }

    #[test]
    fn rotation_takes_the_shortest_arc_at_gimbal_lock() {
        // Euler angles about y, x, z with a pitch of 90 degrees: the first and the last angle have the same effect
        // (gimbal lock), so no small change of the angles rotates about the third axis.
        let up = Quat::from_rotation_x(FRAC_PI_2);
        let aside = |degrees: f32| Quat::from_rotation_z(degrees.to_radians()) * up;
        let clip = Clip {
            bones: vec![BoneTracks {
                bone: 0,
                translation: None,
                rotation: Some(Track {
                    times: vec![0.0, 1.0],
                    values: vec![up, aside(60.0)],
                    interpolation: Interpolation::Linear,
                }),
                scale: None,
            }],
            ..Clip::default()
        };
        let mut pose = pose();
        for u in [0.0, 0.25, 0.5, 0.75, 1.0] {
            sample(&clip, u, &[0], &mut pose);
            let (got, expected) = (pose.locals[0].rotation, aside(60.0 * u));
            assert!(
                got.angle_between(expected) < 1e-3,
                "at {u}: {got} {expected}"
            );
        }
        let (y, x, z) = aside(60.0).to_euler(EulerRot::YXZ);
        let by_angles = Quat::from_euler(EulerRot::YXZ, 0.5 * y, 0.5 * (FRAC_PI_2 + x), 0.5 * z);
        let off = by_angles.angle_between(aside(30.0)).to_degrees();
        assert!(
            off > 20.0,
            "angles mixed one by one miss it by {off} degrees"
        );
    }

    #[test]
    fn pose_at_half_time_is_the_midpoint() {
        // The keys are two seconds apart.
        let clip = Clip {
            morphs: vec![MorphTrack {
                part: 0,
                n_targets: 2,
                track: Track {
                    times: vec![0.0, 2.0],
                    values: vec![0.0, 1.0, 1.0, 0.5],
                    interpolation: Interpolation::Linear,
                },
            }],
            ..Clip::default()
        };
        let mut pose = pose();
        sample(&clip, 1.0, &[0], &mut pose);
        assert_eq!(pose.morphs, [0.5, 0.75]);
    }
}
