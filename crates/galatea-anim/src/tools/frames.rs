//! Poses of a clip at uniform times.

use glam::{Affine3A, Vec3};

use crate::sample::sample_bone;
use crate::{BoneTracks, Clip, Pose, Skeleton, local_to_model, sample};
use galatea_math::Trs;

/// Maximum product of bones and frames in memory; at about a hundred bytes each, this is half a gigabyte.
const MAX_WHOLE: usize = 4 << 20;
/// The same limit for analysis during loading, when several clips are processed at a time.
const MAX_PARTIAL: usize = 1 << 19;

/// Poses of a clip at uniform times, as local transforms and in model space. The first is at the clip's start, the
/// last at its end.
#[derive(Clone, Debug, Default)]
pub struct SampledPoses {
    /// Seconds between two frames; 0 for a single one.
    pub dt: f32,
    n_bones: usize,
    n_frames: usize,
    /// Index of each bone in the frames after the first; `None` if every frame has all bones.
    slots: Option<Vec<u16>>,
    locals: Vec<Trs>,
    model: Vec<Affine3A>,
}

impl SampledPoses {
    /// Samples `clip` from its start to its end at about `rate` per second. The exact rate puts a frame on the end,
    /// and is lower for clips that are too long for the memory limit. Bones without tracks stay at rest.
    pub fn new(skeleton: &Skeleton, clip: &Clip, rate: f32) -> Self {
        let n = n_steps(clip.duration, rate).min(MAX_WHOLE / skeleton.len().max(1));
        let times = (0..=n).map(|i| time(clip.duration, i, n));
        let dt = if n == 0 {
            0.0
        } else {
            clip.duration / n as f32
        };
        Self::at(skeleton, clip, times, dt)
    }

    /// As [`SampledPoses::new`], but the frames after the first contain only the given bones and their ancestors. A
    /// long clip with few keys gets fewer frames.
    pub fn of_bones(skeleton: &Skeleton, clip: &Clip, rate: f32, bones: &[u16]) -> Self {
        let mut frames = Self::at(skeleton, clip, [0.0].into_iter(), 0.0);
        let parents = skeleton.bones();
        let mut is_included = vec![false; skeleton.len()];
        for &bone in bones {
            let mut next = Some(bone);
            while let Some(bone) = next.map(usize::from).filter(|b| *b < is_included.len()) {
                is_included[bone] = true;
                next = parents[bone].parent;
            }
        }
        let chain: Vec<usize> = (0..is_included.len()).filter(|b| is_included[*b]).collect();
        let n = n_probes(clip, rate).min(MAX_PARTIAL / chain.len().max(1));
        if n == 0 || chain.is_empty() {
            return frames;
        }
        frames.dt = clip.duration / n as f32;
        frames.n_frames = n + 1;
        let mut slots = vec![0; skeleton.len()];
        for (slot, &bone) in chain.iter().enumerate() {
            slots[bone] = slot as u16;
        }
        let rest: Vec<Trs> = chain.iter().map(|&bone| parents[bone].rest).collect();
        let mut tracks: Vec<&BoneTracks> = clip.bones.iter().collect();
        tracks.retain(|tracks| is_included.get(usize::from(tracks.bone)) == Some(&true));
        frames.locals.reserve(n * chain.len());
        frames.model.reserve(n * chain.len());
        for i in 1..=n {
            let t = time(clip.duration, i, n);
            let start = frames.locals.len();
            frames.locals.extend_from_slice(&rest);
            let locals = &mut frames.locals[start..];
            for tracks in &tracks {
                let slot = slots[usize::from(tracks.bone)];
                sample_bone(tracks, t, &mut locals[usize::from(slot)]);
            }
            for (&bone, local) in chain.iter().zip(locals) {
                let own = local.to_affine();
                frames.model.push(match parents[bone].parent {
                    Some(parent) => {
                        frames.model[start + usize::from(slots[usize::from(parent)])] * own
                    }
                    None => own,
                });
            }
        }
        frames.slots = Some(slots);
        frames
    }

    /// Samples at the given times, which are `dt` apart.
    pub fn at(skeleton: &Skeleton, clip: &Clip, times: impl Iterator<Item = f32>, dt: f32) -> Self {
        let mut frames = Self {
            dt,
            n_bones: skeleton.len(),
            ..Self::default()
        };
        let mut pose = Pose::default();
        let mut model = Vec::new();
        for t in times {
            pose.locals.clear();
            pose.locals.extend(skeleton.rest());
            sample(clip, t, &[], &mut pose);
            local_to_model(skeleton, &pose.locals, &mut model);
            frames.locals.extend_from_slice(&pose.locals);
            frames.model.extend_from_slice(&model);
            frames.n_frames += 1;
        }
        frames
    }

    /// Number of frames, at least one.
    pub fn len(&self) -> usize {
        self.n_frames
    }

    /// Returns true without frames or without bones.
    pub fn is_empty(&self) -> bool {
        self.model.is_empty()
    }

    /// Time of frame `i`, for a clip of `duration` seconds.
    pub fn time(&self, i: usize, duration: f32) -> f32 {
        time(duration, i, self.len().saturating_sub(1))
    }

    /// Parent-from-bone transforms of frame `i`, which must contain all bones.
    pub fn locals(&self, i: usize) -> &[Trs] {
        debug_assert!(self.slots.is_none());
        &self.locals[i * self.n_bones..(i + 1) * self.n_bones]
    }

    /// Model-from-bone matrices of frame `i`, which must contain all bones.
    pub fn model(&self, i: usize) -> &[Affine3A] {
        debug_assert!(self.slots.is_none() || i == 0);
        &self.model[i * self.n_bones..(i + 1) * self.n_bones]
    }

    /// Parent-from-bone transform of a bone in frame `i`.
    pub fn local(&self, i: usize, bone: usize) -> Trs {
        self.locals[self.index(i, bone)]
    }

    /// Model-from-bone matrix of a bone in frame `i`.
    pub fn matrix(&self, i: usize, bone: usize) -> Affine3A {
        self.model[self.index(i, bone)]
    }

    /// Position of a bone in frame `i`, model space, metres.
    pub fn position(&self, i: usize, bone: usize) -> Vec3 {
        self.matrix(i, bone).translation.into()
    }

    fn index(&self, i: usize, bone: usize) -> usize {
        match (&self.slots, i.checked_sub(1)) {
            (Some(slots), Some(after)) => {
                let row = (self.model.len() - self.n_bones) / (self.n_frames - 1);
                self.n_bones + after * row + usize::from(slots[bone])
            }
            _ => i * self.n_bones + bone,
        }
    }
}

/// Number of uniform steps of about `1 / rate` seconds in `duration`. At least one unless the duration is zero; at
/// most what fits in memory.
pub(crate) fn n_steps(duration: f32, rate: f32) -> usize {
    const MAX: f32 = 1e6;
    if duration > 0.0 && rate > 0.0 {
        (duration * rate).round().clamp(1.0, MAX) as usize
    } else {
        0
    }
}

/// Duration above which the sampling rate depends on the number of keys, seconds.
pub(crate) const LONG: f32 = 600.0;

/// Sampling rate for the analysis of a clip during loading. A long clip with few keys needs only a low rate.
pub(crate) fn probe_rate(rate: f32, seconds: f32, keys: usize) -> f32 {
    if seconds <= LONG {
        return rate;
    }
    rate.min((32 * keys).max(4096) as f32 / seconds)
}

/// [`n_steps`] at the rate of [`probe_rate`].
pub(crate) fn n_probes(clip: &Clip, rate: f32) -> usize {
    n_steps(
        clip.duration,
        probe_rate(rate, clip.duration, clip.max_keys()),
    )
}

/// Time of step `i` of `n`; the last is the duration exactly.
pub(crate) fn time(duration: f32, i: usize, n: usize) -> f32 {
    if i >= n {
        return if n == 0 { 0.0 } else { duration };
    }
    (f64::from(duration) * i as f64 / n as f64) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::test_rig::{rig, swing};

    #[test]
    fn poses_of_some_bones_equal_those_of_all() {
        let (skeleton, clip) = (rig(), swing(1.0, 1.0, 0.3));
        let all = SampledPoses::new(&skeleton, &clip, 60.0);
        let some = SampledPoses::of_bones(&skeleton, &clip, 60.0, &[1]);
        assert_eq!((some.len(), some.dt), (all.len(), all.dt));
        for i in 0..all.len() {
            for bone in 0..2 {
                assert_eq!(some.local(i, bone), all.local(i, bone));
                assert!(some.matrix(i, bone).abs_diff_eq(all.matrix(i, bone), 1e-5));
            }
        }
    }

    #[test]
    fn long_clips_get_fewer_frames_within_the_memory_limit() {
        let skeleton = rig();
        let mut clip = swing(1.0, 1.0, 0.3);
        clip.duration = 1e9;
        let some = SampledPoses::of_bones(&skeleton, &clip, 60.0, &[2]);
        assert!(some.model.len() <= MAX_PARTIAL + skeleton.len());
        assert_eq!(some.time(some.len() - 1, clip.duration), 1e9);
        let all = SampledPoses::new(&skeleton, &clip, 60.0);
        assert!(all.model.len() <= MAX_WHOLE + skeleton.len());
    }

    #[test]
    fn long_clip_with_few_keys_has_a_low_rate() {
        let mut clip = swing(1.0, 1.0, 0.3);
        let keys = clip.max_keys();
        for (seconds, probes) in [(1.0, 60), (600.0, 36_000), (3600.0, 4096), (1e5, 4096)] {
            clip.duration = seconds;
            assert_eq!(n_probes(&clip, 60.0), probes, "{seconds} s, {keys} keys");
        }
        // An hour with thirty keys per second keeps the full rate.
        let arm = clip.bones[1].rotation.as_mut().unwrap();
        arm.times = (0..108_000).map(|i| i as f32 / 30.0).collect();
        arm.values = vec![glam::Quat::IDENTITY; arm.times.len()];
        clip.duration = 3600.0;
        assert_eq!(n_probes(&clip, 60.0), 216_000);
    }
}
