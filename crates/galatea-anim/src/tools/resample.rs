//! Resampling of a clip at uniform times, for example from a studio's 120 to 200 frames per second to a game's rate.

use super::frames::{n_steps, time};
use crate::{Clip, Interpolation, Pose, Track, sample};
use galatea_math::Trs;

/// Resamples at about `rate` keys per second, from the first key of each track to the clip's end; a key falls exactly
/// on the end. Splines become linear between the new keys. Tracks with one key, step tracks and marks are unchanged.
/// A rate that is not a positive number changes nothing.
pub fn resample(clip: &Clip, rate: f32) -> Clip {
    let n = n_steps(clip.duration, rate);
    if n == 0 {
        return clip.clone();
    }
    let times: Vec<f32> = (0..=n).map(|i| time(clip.duration, i, n)).collect();
    let n_bones = clip.bones.iter().map(|b| usize::from(b.bone) + 1).max();
    let n_morphs = clip.morphs.iter().map(|m| m.n_targets).max().unwrap_or(0);
    let mut pose = Pose {
        curves: Vec::new(),
        locals: vec![Trs::IDENTITY; n_bones.unwrap_or(0)],
        morphs: vec![0.0; n_morphs],
    };
    let mut out = clip.clone();
    // One bone at a time, with the same sampler as in playback, so that both agree to the bit.
    let mut single = Clip {
        duration: clip.duration,
        ..Clip::default()
    };
    for (tracks, new) in clip.bones.iter().zip(&mut out.bones) {
        single.bones = vec![tracks.clone()];
        let mut locals = Vec::with_capacity(times.len());
        for t in &times {
            sample(&single, *t, &[], &mut pose);
            locals.push(pose.locals[usize::from(tracks.bone)]);
        }
        replace(&mut new.translation, &times, |i| locals[i].translation);
        replace(&mut new.rotation, &times, |i| locals[i].rotation);
        replace(&mut new.scale, &times, |i| locals[i].scale);
        if let Some(track) = &mut new.rotation {
            for k in 1..track.values.len() {
                if track.values[k - 1].dot(track.values[k]) < 0.0 {
                    track.values[k] = -track.values[k];
                }
            }
        }
    }
    single.bones.clear();
    for (morph, new) in clip.morphs.iter().zip(&mut out.morphs) {
        if !is_sampled(&morph.track) {
            continue;
        }
        single.morphs = vec![crate::MorphTrack {
            part: 0,
            ..morph.clone()
        }];
        let mut values = Vec::with_capacity(times.len() * morph.n_targets);
        for t in &times {
            sample(&single, *t, &[0], &mut pose);
            values.extend_from_slice(&pose.morphs[..morph.n_targets]);
        }
        new.track = Track {
            times: times.clone(),
            values,
            interpolation: Interpolation::Linear,
        };
    }
    out
}

/// Key rate of the densest track, per second; 0 if no track has two keys.
pub fn densest_rate(clip: &Clip) -> f32 {
    fn rate<T>(track: Option<&Track<T>>) -> f32 {
        match track.map(|track| track.times.as_slice()) {
            Some([first, .., last]) => {
                let n = track.map_or(0, |track| track.times.len()) - 1;
                n as f32 / (last - first)
            }
            _ => 0.0,
        }
    }
    let bones = clip.bones.iter().map(|tracks| {
        rate(tracks.translation.as_ref())
            .max(rate(tracks.rotation.as_ref()))
            .max(rate(tracks.scale.as_ref()))
    });
    let morphs = clip.morphs.iter().map(|morph| rate(Some(&morph.track)));
    bones.chain(morphs).fold(0.0, f32::max)
}

fn is_sampled<T>(track: &Track<T>) -> bool {
    track.times.len() > 1 && track.interpolation != Interpolation::Step
}

fn replace<T>(track: &mut Option<Track<T>>, times: &[f32], value: impl Fn(usize) -> T) {
    if let Some(track) = track
        && is_sampled(track)
    {
        track.values = (0..times.len()).map(value).collect();
        track.times = times.to_vec();
        track.interpolation = Interpolation::Linear;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoneTracks;
    use glam::{Quat, Vec3};

    fn clip(interpolation: Interpolation) -> Clip {
        let per_key = if interpolation == Interpolation::CubicSpline {
            vec![
                Vec3::ZERO,
                Vec3::X,
                Vec3::ZERO,
                Vec3::ZERO,
                Vec3::Y,
                Vec3::ZERO,
            ]
        } else {
            vec![Vec3::X, Vec3::Y]
        };
        Clip {
            duration: 1.0,
            bones: vec![BoneTracks {
                bone: 2,
                translation: Some(Track {
                    times: vec![0.0, 1.0],
                    values: per_key,
                    interpolation,
                }),
                rotation: Some(Track {
                    times: vec![0.5],
                    values: vec![Quat::IDENTITY],
                    interpolation: Interpolation::Linear,
                }),
                scale: None,
            }],
            ..Clip::default()
        }
    }

    fn at(clip: &Clip, t: f32) -> Vec3 {
        let mut pose = Pose {
            curves: Vec::new(),
            locals: vec![Trs::IDENTITY; 3],
            morphs: Vec::new(),
        };
        sample(clip, t, &[], &mut pose);
        pose.locals[2].translation
    }

    #[test]
    fn new_keys_are_on_the_old_curve_and_the_last_at_the_end() {
        let spline = clip(Interpolation::CubicSpline);
        let new = resample(&spline, 24.0);
        let track = new.bones[0].translation.as_ref().unwrap();
        assert_eq!(track.times.len(), 25);
        assert_eq!(track.times[24], 1.0);
        for (t, value) in track.times.iter().zip(&track.values) {
            assert_eq!(*value, at(&spline, *t));
        }
        assert_eq!(new.bones[0].rotation, spline.bones[0].rotation);
        assert_eq!(densest_rate(&new), 24.0);
    }

    #[test]
    fn duration_stays_if_the_rate_does_not_divide_it() {
        let mut long = clip(Interpolation::Linear);
        long.duration = 0.97;
        let new = resample(&long, 30.0);
        let track = new.bones[0].translation.as_ref().unwrap();
        assert_eq!((track.times.len(), track.times[29]), (30, 0.97));
    }

    #[test]
    fn steps_stay_steps_and_invalid_rates_change_nothing() {
        let steps = clip(Interpolation::Step);
        assert_eq!(resample(&steps, 100.0), steps);
        let spline = clip(Interpolation::CubicSpline);
        for rate in [0.0, -1.0, f32::NAN] {
            assert_eq!(resample(&spline, rate), spline);
        }
    }

    #[test]
    fn studio_take_resampled_to_game_rate_keeps_the_motion() {
        for (studio, game) in [(120.0, 30.0), (150.0, 30.0), (200.0, 30.0), (200.0, 60.0)] {
            let times: Vec<f32> = (0..=400).map(|i| i as f32 / studio).collect();
            let mut take = clip(Interpolation::Linear);
            take.duration = times[400];
            take.bones[0].translation = Some(Track {
                values: times.iter().map(|t| Vec3::X * (9.0 * t).sin()).collect(),
                times,
                interpolation: Interpolation::Linear,
            });
            let new = resample(&take, game);
            assert!(
                (densest_rate(&new) - game).abs() < 0.5,
                "{studio} to {game}"
            );
            let track = new.bones[0].translation.as_ref().unwrap();
            assert_eq!(track.times.last(), Some(&take.duration));
            for (t, value) in track.times.iter().zip(&track.values) {
                assert_eq!(*value, at(&take, *t));
            }
        }
    }
}
