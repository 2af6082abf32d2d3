//! A clip as poses at even times.

use glam::{Affine3A, Vec3};

use crate::anim::sample::sample_bone;
use crate::anim::{BoneTracks, Clip, Pose, Skeleton, local_to_model, sample};
use crate::math::Trs;

/// Poses of a whole clip at even times, local and in model space. The first lies at the clip's start,
/// the last at its end.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// Seconds between two frames; 0 for a single one.
    pub dt: f32,
    n_bones: usize,
    locals: Vec<Trs>,
    model: Vec<Affine3A>,
}

impl Frames {
    /// Samples `clip` from its start to its end about `rate` times a second: the nearest rate at which
    /// a frame falls on the end. Bones without tracks stay at rest.
    pub fn new(skeleton: &Skeleton, clip: &Clip, rate: f32) -> Self {
        let n = n_steps(clip.duration, rate);
        let times = (0..=n).map(|i| time(clip.duration, i, n));
        let dt = if n == 0 {
            0.0
        } else {
            clip.duration / n as f32
        };
        Self::at(skeleton, clip, times, dt)
    }

    /// As [`Frames::new`], but after the first frame only the given bones and those above them are
    /// where the clip puts them; the others are at rest and their matrices mean nothing.
    pub fn of_bones(skeleton: &Skeleton, clip: &Clip, rate: f32, bones: &[u16]) -> Self {
        let n = n_steps(clip.duration, rate);
        let mut frames = Self::at(skeleton, clip, [0.0].into_iter(), 0.0);
        if n == 0 || frames.is_empty() {
            return frames;
        }
        frames.dt = clip.duration / n as f32;
        let parents = skeleton.bones();
        let mut wanted = vec![false; skeleton.len()];
        for &bone in bones {
            let mut next = Some(bone);
            while let Some(bone) = next.map(usize::from).filter(|b| *b < wanted.len()) {
                wanted[bone] = true;
                next = parents[bone].parent;
            }
        }
        let chain: Vec<usize> = (0..wanted.len()).filter(|b| wanted[*b]).collect();
        let mut tracks: Vec<&BoneTracks> = clip.bones.iter().collect();
        tracks.retain(|tracks| wanted.get(usize::from(tracks.bone)) == Some(&true));
        let rest: Vec<Trs> = skeleton.rest().collect();
        frames.locals.reserve(n * rest.len());
        frames
            .model
            .resize((n + 1) * rest.len(), Affine3A::IDENTITY);
        for i in 1..=n {
            let t = time(clip.duration, i, n);
            let start = frames.locals.len();
            frames.locals.extend_from_slice(&rest);
            let locals = &mut frames.locals[start..];
            for tracks in &tracks {
                sample_bone(tracks, t, &mut locals[usize::from(tracks.bone)]);
            }
            let model = &mut frames.model[start..start + rest.len()];
            for &bone in &chain {
                let own = locals[bone].to_affine();
                model[bone] = match parents[bone].parent {
                    Some(parent) => model[usize::from(parent)] * own,
                    None => own,
                };
            }
        }
        frames
    }

    /// Samples at given times, `dt` apart.
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
        }
        frames
    }

    /// Number of frames, at least one unless the skeleton is empty.
    pub fn len(&self) -> usize {
        self.model.len().checked_div(self.n_bones).unwrap_or(0)
    }

    /// True without frames.
    pub fn is_empty(&self) -> bool {
        self.model.is_empty()
    }

    /// Time of frame `i`, for a clip of `duration` seconds.
    pub fn time(&self, i: usize, duration: f32) -> f32 {
        time(duration, i, self.len().saturating_sub(1))
    }

    /// Parent-from-bone transforms of frame `i`.
    pub fn locals(&self, i: usize) -> &[Trs] {
        &self.locals[i * self.n_bones..(i + 1) * self.n_bones]
    }

    /// Model-from-bone matrices of frame `i`.
    pub fn model(&self, i: usize) -> &[Affine3A] {
        &self.model[i * self.n_bones..(i + 1) * self.n_bones]
    }

    /// Where a bone is in frame `i`, model space, metres.
    pub fn place(&self, i: usize, bone: usize) -> Vec3 {
        self.model(i)[bone].translation.into()
    }
}

/// Even steps of about `1 / rate` seconds in `duration`; at least one unless there is no time, at most
/// what memory can hold.
pub(in crate::anim) fn n_steps(duration: f32, rate: f32) -> usize {
    const MOST: f32 = 1e6;
    if duration > 0.0 && rate > 0.0 {
        (duration * rate).round().clamp(1.0, MOST) as usize
    } else {
        0
    }
}

/// Time of step `i` of `n`; the last is the duration exactly.
pub(in crate::anim) fn time(duration: f32, i: usize, n: usize) -> f32 {
    if i >= n {
        return if n == 0 { 0.0 } else { duration };
    }
    (f64::from(duration) * i as f64 / n as f64) as f32
}
