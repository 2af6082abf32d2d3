//! Frames of an authored clip: choice of the rate, and tracks that stay as keys.
//!
//! Used by `character` and tools through [`Frames::of_clip`].

use glam::Vec3;

use super::{ExactTracks, FrameGrid, Frames};
use crate::{
    BoneTracks, Clip, ClipAt, Interpolation, Pose, Skeleton, Track, local_to_model, sample,
    sample_blend,
};

/// Candidate rates for authored clips, Hz.
const RATES: [f32; 7] = [24.0, 25.0, 30.0, 50.0, 60.0, 90.0, 120.0];

/// Maximum error of an acceptable rate, metres at [`ERROR_REACH`] from the bone.
const RATE_ERROR: f32 = 1e-4;

/// Distance from a bone at which the error is measured, metres.
const ERROR_REACH: f32 = 0.03;

/// Maximum number of times at which the error of a rate is measured.
const MAX_PROBES: usize = 128;

impl Frames {
    /// Creates the frames of an authored clip. Tracks with steps stay as keys. For the others, it takes the lowest
    /// rate with all keys on its grid; if there is none, the lowest rate with a small error in model space (see
    /// [`Frames::error`]).
    pub fn of_clip(clip: &Clip, skeleton: &Skeleton, rest: &Pose, morph_start: &[usize]) -> Self {
        let (smooth, exact) = split_steps(clip, morph_start);
        let start = first_key(&smooth).min(clip.duration);
        let at = |rate: f32| {
            let grid = FrameGrid {
                start,
                rate,
                duration: clip.duration,
            };
            Self::new(grid, rest, |t, pose| {
                sample(&smooth, t, morph_start, pose);
            })
        };
        let mut rates = RATES;
        rates.sort_by_key(|rate| !on_grid(&smooth, start, *rate));
        let mut best: Option<(f32, Self)> = None;
        for rate in rates {
            let frames = at(rate);
            let error = frames.error(skeleton, rest, |t, pose| {
                sample(&smooth, t, morph_start, pose);
            });
            if best.as_ref().is_none_or(|(least, _)| error < *least) {
                best = Some((error, frames));
            }
            if error <= RATE_ERROR {
                break;
            }
        }
        let frames = best.map_or_else(|| at(60.0), |(_, frames)| frames);
        frames.with_exact(exact.bones, exact.morphs)
    }

    /// Returns the maximum error of these frames against a sampler, metres. It compares points 3 cm from each bone
    /// along its axes, in model space, at times between frames.
    pub fn error(
        &self,
        skeleton: &Skeleton,
        rest: &Pose,
        mut sampler: impl FnMut(f32, &mut Pose),
    ) -> f32 {
        let steps = self.n_frames - 1;
        let stride = steps.div_ceil(MAX_PROBES);
        let (mut ours, mut exact_pose) = (rest.clone(), rest.clone());
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let mut worst = 0.0_f32;
        for (probe, step) in (0..steps).step_by(stride).enumerate() {
            // Multiples of the golden ratio give evenly spread fractions without a pattern.
            let u = (0.5 + probe as f32 * 0.618_034).fract();
            let t = (self.grid.start + (step as f32 + u) / self.grid.rate).min(self.grid.duration);
            let play = ClipAt {
                frames: self,
                t,
                weight: 1.0,
            };
            sample_blend(&[play], rest, &mut ours);
            exact_pose.copy_from(rest);
            sampler(t, &mut exact_pose);
            local_to_model(skeleton, &ours.locals, &mut a);
            local_to_model(skeleton, &exact_pose.locals, &mut b);
            for (a, b) in a.iter().zip(&b) {
                for axis in Vec3::AXES {
                    let point = axis * ERROR_REACH;
                    let off = a.transform_point3(point) - b.transform_point3(point);
                    worst = worst.max(off.length());
                }
            }
        }
        worst
    }
}

/// Key times of every track with more than one key.
fn key_times(clip: &Clip) -> impl Iterator<Item = &[f32]> {
    let bones = clip.bones.iter().flat_map(|bone| {
        let vectors = [&bone.translation, &bone.scale];
        let vectors = vectors.into_iter().flatten().map(|track| &track.times);
        vectors.chain(bone.rotation.as_ref().map(|track| &track.times))
    });
    let morphs = clip.morphs.iter().map(|morph| &morph.track.times);
    let all = bones.chain(morphs).map(Vec::as_slice);
    all.filter(|times| times.len() > 1)
}

/// Time of the first key, seconds.
fn first_key(clip: &Clip) -> f32 {
    let first = key_times(clip).map(|times| times[0]);
    first.reduce(f32::min).unwrap_or(0.0)
}

/// Returns true if all keys are on a grid.
fn on_grid(clip: &Clip, start: f32, rate: f32) -> bool {
    key_times(clip).flatten().all(|t| {
        let x = (t - start) * rate;
        (x - x.round()).abs() < 0.01
    })
}

/// Splits a clip into the clip without step tracks, and the step tracks.
fn split_steps(clip: &Clip, morph_start: &[usize]) -> (Clip, ExactTracks) {
    fn take<T>(track: &mut Option<Track<T>>) -> Option<Track<T>> {
        // A single key is a constant, whatever its interpolation.
        track.take_if(|t| t.interpolation == Interpolation::Step && t.times.len() > 1)
    }
    let mut smooth = clip.clone();
    let mut exact = ExactTracks::default();
    for bone in &mut smooth.bones {
        let steps = BoneTracks {
            bone: bone.bone,
            translation: take(&mut bone.translation),
            rotation: take(&mut bone.rotation),
            scale: take(&mut bone.scale),
        };
        let any = steps.translation.is_some() || steps.rotation.is_some() || steps.scale.is_some();
        if any {
            exact.bones.push(steps);
        }
    }
    smooth.morphs.retain(|morph| {
        let steps = morph.track.interpolation == Interpolation::Step && morph.track.times.len() > 1;
        if steps && let Some(&start) = morph_start.get(morph.part) {
            exact.morphs.push((start, morph.clone()));
        }
        !steps
    });
    (smooth, exact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{motion, rest_of, tree};

    #[test]
    fn clip_with_late_first_key_holds_its_pose_until_then() {
        let skeleton = tree(3, 1);
        let rest = rest_of(&skeleton);
        let times = vec![0.51, 0.51 + 1.0 / 30.0, 0.51 + 3.0 / 30.0];
        let clip = Clip {
            duration: times[2],
            bones: vec![BoneTracks {
                bone: 1,
                translation: Some(Track {
                    times: times.clone(),
                    values: vec![Vec3::X, Vec3::X * 5.0, Vec3::X * 2.0],
                    interpolation: Interpolation::Linear,
                }),
                rotation: None,
                scale: None,
            }],
            ..Clip::default()
        };
        let frames = Frames::of_clip(&clip, &skeleton, &rest, &[]);
        assert_eq!((frames.grid().rate, frames.len()), (30.0, 4));
        for (t, x) in [(0.0, 1.0), (0.3, 1.0), (times[1], 5.0), (times[2], 2.0)] {
            let play = ClipAt {
                frames: &frames,
                t,
                weight: 1.0,
            };
            let mut out = Pose::default();
            sample_blend(&[play], &rest, &mut out);
            assert!((out.locals[1].translation.x - x).abs() < 1e-4, "at {t}");
        }
    }

    #[test]
    fn rate_matches_the_keys_or_is_close_enough() {
        let skeleton = tree(12, 2);
        let rest = rest_of(&skeleton);
        let of = |clip: &Clip| Frames::of_clip(clip, &skeleton, &rest, &[]);
        assert_eq!(of(&motion(&skeleton, 1)).grid().rate, 30.0);
        let mut stretched = motion(&skeleton, 1);
        for bone in &mut stretched.bones {
            bone.translation = None;
            bone.scale = None;
            if let Some(track) = &mut bone.rotation {
                track.times.iter_mut().for_each(|t| *t *= 30.0 / 24.0);
            }
        }
        stretched.duration *= 30.0 / 24.0;
        assert_eq!(of(&stretched).grid().rate, 24.0);
    }

    #[test]
    fn spline_gets_a_sufficient_rate() {
        let skeleton = tree(1, 2);
        let rest = rest_of(&skeleton);
        let (flat, up) = (Vec3::ZERO, Vec3::Y * 0.3);
        let clip = Clip {
            duration: 0.5,
            bones: vec![BoneTracks {
                bone: 0,
                translation: Some(Track {
                    times: vec![0.0, 0.5],
                    values: vec![flat, Vec3::ZERO, flat, flat, up, flat],
                    interpolation: Interpolation::CubicSpline,
                }),
                rotation: None,
                scale: None,
            }],
            ..Clip::default()
        };
        let frames = Frames::of_clip(&clip, &skeleton, &rest, &[]);
        let error = frames.error(&skeleton, &rest, |t, pose| sample(&clip, t, &[], pose));
        assert!(error < 1e-4, "{error} m at {} Hz", frames.grid().rate);
    }
}
