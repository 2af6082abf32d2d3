//! Frames: what a clip looks like while it is played. Poses at a uniform rate, made once from the
//! stored clip, shared by every character that plays it, read in order of memory.
//!
//! Callers: `sample_blend` (reads them), `character` and `machine` (hold them while a clip plays),
//! tools (memory). Invariants: made from the clip and the rest pose alone and never changed, so that
//! dropping and making them again changes no result. Neighbouring frames' rotations lie in one
//! hemisphere, the first frame's in that of the rest pose.

use glam::{Quat, Vec3, Vec4};

use super::simd::Block;
use super::{BoneTracks, Clip, Interpolation, MorphTrack, PackedClip, Pose, Skeleton};
use super::{ClipAt, local_to_model, sample, sample_blend};

/// Poses of a clip at a uniform rate, bound to the rest pose it was made with.
///
/// Rotations are kept for every bone; translations, scales, morph weights and curves only where the
/// clip moves them away from rest, as differences from rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    pub(super) n_bones: usize,
    rate: f32,
    /// Time of the first frame, seconds; before it the first frame holds.
    start: f32,
    duration: f32,
    n_frames: usize,
    /// Length of a full step between frames over the length of the last step.
    last_stretch: f32,
    rotations: Vec<Block>,
    pub(super) translations: Columns<Vec3, Vec4>,
    pub(super) scales: Columns<Vec3, Vec4>,
    pub(super) morphs: Columns<f32, f32>,
    pub(super) curves: Columns<f32, f32>,
    pub(super) exact: Exact,
    /// Of the content: orders plays of equal weight, whatever their order in memory.
    pub(super) key: u64,
}

/// The columns of one kind of value that a clip moves: constant ones once, others frame after frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Columns<C, V> {
    /// Column and its difference from rest.
    pub(super) constant: Vec<(u32, C)>,
    /// Columns with a value per frame, ascending.
    pub(super) moved: Vec<u32>,
    /// `moved.len()` differences from rest per frame.
    pub(super) values: Vec<V>,
}

/// Tracks that no rate of frames represents (steps), read from their keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Exact {
    /// Ascending by bone; only the tracks that are exact.
    pub(super) bones: Vec<BoneTracks>,
    /// Where the part's weights begin in the pose, and the track.
    pub(super) morphs: Vec<(usize, MorphTrack)>,
}

/// Place between two neighbouring frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// The earlier frame.
    pub(super) frame: usize,
    /// Share of the way to the next one, 0..=1.
    pub(super) u: f32,
}

/// Rates tried for an authored clip, Hz.
const RATES: [f32; 7] = [24.0, 25.0, 30.0, 50.0, 60.0, 90.0, 120.0];

/// Error at which a rate is good enough, metres at [`ERROR_REACH`] from the bone.
const RATE_ERROR: f32 = 0.5e-4;

/// Distance from a bone at which its error is measured, metres.
const ERROR_REACH: f32 = 0.03;

/// Most places at which the error of a rate is measured.
const MOST_PROBES: usize = 128;

impl Frames {
    /// Frames of anything that gives a pose for a time. `sampler` gets the rest pose and writes what
    /// moves, for ascending times from 0 to `duration` (seconds). `rate` is in Hz. When the duration
    /// is no multiple of the rate's step the last step is shorter, so that frames stay on the keys.
    ///
    /// A rate that is not above zero becomes 30, a duration that is not becomes 0; numbers that are
    /// not finite become rest.
    pub fn new(
        rate: f32,
        duration: f32,
        rest: &Pose,
        sampler: impl FnMut(f32, &mut Pose),
    ) -> Self {
        let rate = if rate > 0.0 && rate.is_finite() {
            rate
        } else {
            30.0
        };
        let duration = if duration > 0.0 && duration.is_finite() {
            duration
        } else {
            0.0
        };
        // The hundredth keeps rounding of the duration from making an empty last step.
        let steps = ((duration * rate - 0.01).ceil() as usize).max(1);
        let last_step = duration - (steps - 1) as f32 / rate;
        let last_stretch = if last_step > 0.0 {
            (rate * last_step).recip()
        } else {
            0.0
        };
        let times = (0..steps + 1).map(|frame| {
            if frame == steps {
                duration
            } else {
                frame as f32 / rate
            }
        });
        Self::at_times(rate, times, duration, last_stretch, rest, sampler)
    }

    /// Frames of a stored clip, on the grid it was stored on. `edit` may change each pose before it is
    /// kept; a bone that it changes must have no track that is kept as keys.
    pub fn of_packed(
        clip: &PackedClip,
        rest: &Pose,
        morph_start: &[usize],
        mut edit: impl FnMut(f32, &mut Pose),
    ) -> Self {
        // Reading needs two frames; of a single pose the second repeats it.
        let n_frames = clip.n_frames().max(2);
        let times = (0..n_frames).map(|frame| clip.frame_time(frame));
        let mut frames = Self::at_times(
            clip.frame_rate(),
            times,
            clip.duration,
            1.0,
            rest,
            |t, pose| {
                clip.sample(t, &mut pose.locals);
                clip.sample_morphs(t, morph_start, &mut pose.morphs);
                edit(t, pose);
            },
        );
        let (bones, morphs) = clip.exact_tracks();
        frames.exact.bones.extend_from_slice(bones);
        for morph in morphs {
            if let Some(start) = morph_start.get(morph.part) {
                frames.exact.morphs.push((*start, morph.clone()));
            }
        }
        frames
    }

    fn at_times(
        rate: f32,
        times: impl ExactSizeIterator<Item = f32> + Clone,
        duration: f32,
        last_stretch: f32,
        rest: &Pose,
        mut sampler: impl FnMut(f32, &mut Pose),
    ) -> Self {
        let n_frames = times.len();
        let start = times.clone().next().unwrap_or(0.0);
        let n_bones = rest.locals.len();
        let mut pose = rest.clone();
        let mut before: Vec<Quat> = rest.locals.iter().map(|local| local.rotation).collect();
        let mut rotations = Vec::with_capacity(n_frames * n_bones.div_ceil(Block::BONES));
        let mut translations = Vec::with_capacity(n_frames * n_bones);
        let mut scales = Vec::with_capacity(n_frames * n_bones);
        let (mut morphs, mut curves) = (Vec::new(), Vec::new());
        for t in times {
            pose.copy_from(rest);
            sampler(t, &mut pose);
            for (i, (local, rest)) in pose.locals.iter_mut().zip(&rest.locals).enumerate() {
                let unit = local.rotation.length_squared();
                let q = if unit > 1e-12 && unit.is_finite() {
                    local.rotation * unit.sqrt().recip()
                } else {
                    rest.rotation
                };
                let q = if before[i].dot(q) < 0.0 { -q } else { q };
                (local.rotation, before[i]) = (q, q);
                translations.push(finite(local.translation - rest.translation));
                scales.push(finite(local.scale - rest.scale));
            }
            push_blocks(&before, &mut rotations);
            let numbers = |values: &[f32], rest: &[f32], out: &mut Vec<f32>| {
                let difference = |(v, r): (&f32, &f32)| if v.is_finite() { v - r } else { 0.0 };
                out.extend(values.iter().zip(rest).map(difference));
            };
            numbers(&pose.morphs, &rest.morphs, &mut morphs);
            numbers(&pose.curves, &rest.curves, &mut curves);
        }
        let size = |of: fn(&crate::math::Trs) -> Vec3| {
            let sizes = rest
                .locals
                .iter()
                .map(|local| of(local).abs().max_element());
            1e-9 + 1e-6 * sizes.fold(0.0, f32::max)
        };
        let mut frames = Self {
            n_bones,
            rate,
            start,
            duration,
            n_frames,
            last_stretch,
            rotations,
            translations: vector_columns(&translations, n_bones, size(|local| local.translation)),
            scales: vector_columns(&scales, n_bones, size(|local| local.scale)),
            morphs: columns(&morphs, rest.morphs.len(), 1e-6, |v| v.abs(), |v| v),
            curves: columns(&curves, rest.curves.len(), 1e-6, |v| v.abs(), |v| v),
            exact: Exact::default(),
            key: 0,
        };
        frames.key = frames.content_key();
        frames
    }

    /// Frames of an authored clip. Tracks with steps are kept as keys; for the others the lowest rate
    /// is taken on whose grid all keys lie, or, failing that, at which the error in model space is
    /// small (see [`Frames::error`]).
    pub fn of_clip(clip: &Clip, skeleton: &Skeleton, rest: &Pose, morph_start: &[usize]) -> Self {
        let (smooth, exact) = split_steps(clip, rest.locals.len(), morph_start);
        let at = |rate: f32| {
            Self::new(rate, clip.duration, rest, |t, pose| {
                sample(&smooth, t, morph_start, pose);
            })
        };
        let mut rates = RATES;
        rates.sort_by_key(|rate| !on_grid(&smooth, *rate));
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
        let mut frames = best.map_or_else(|| at(60.0), |(_, frames)| frames);
        frames.exact = exact;
        frames
    }

    /// The largest distance, metres, between where these frames and a sampler put points 3 cm from
    /// each bone along its axes, between frames, in model space.
    pub fn error(
        &self,
        skeleton: &Skeleton,
        rest: &Pose,
        mut sampler: impl FnMut(f32, &mut Pose),
    ) -> f32 {
        let steps = self.n_frames - 1;
        let stride = steps.div_ceil(MOST_PROBES);
        let (mut ours, mut theirs) = (rest.clone(), rest.clone());
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let mut worst = 0.0_f32;
        for (probe, step) in (0..steps).step_by(stride).enumerate() {
            // Shares that are spread evenly without a pattern: multiples of the golden ratio.
            let u = (0.5 + probe as f32 * 0.618_034).fract();
            let t = ((step as f32 + u) / self.rate).min(self.duration);
            let play = ClipAt {
                frames: self,
                t,
                weight: 1.0,
            };
            sample_blend(&[play], rest, &mut ours);
            theirs.copy_from(rest);
            sampler(t, &mut theirs);
            local_to_model(skeleton, &ours.locals, &mut a);
            local_to_model(skeleton, &theirs.locals, &mut b);
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

    /// Frames per second.
    pub fn rate(&self) -> f32 {
        self.rate
    }

    /// Seconds.
    pub fn duration(&self) -> f32 {
        self.duration
    }

    /// Number of frames, at least two.
    pub fn len(&self) -> usize {
        self.n_frames
    }

    /// Never: there are always two frames.
    pub fn is_empty(&self) -> bool {
        self.n_frames == 0
    }

    /// Bytes of memory, in all.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(self.rotations.as_slice())
            + self.translations.bytes()
            + self.scales.bytes()
            + self.morphs.bytes()
            + self.curves.bytes()
            + self.exact.bytes()
    }

    /// The frames around a time (clamped to the clip; NaN is 0).
    pub(super) fn place(&self, t: f32) -> Place {
        let t = if t > self.start {
            t.min(self.duration) - self.start
        } else {
            0.0
        };
        let x = t * self.rate;
        let last = self.n_frames - 2;
        let frame = (x as usize).min(last);
        let u = x - frame as f32;
        Place {
            frame,
            u: if frame == last {
                (u * self.last_stretch).min(1.0)
            } else {
                u.min(1.0)
            },
        }
    }

    /// The rotations of a frame and of the one after it.
    pub(super) fn rotations(&self, frame: usize) -> &[Block] {
        let row = self.n_bones.div_ceil(Block::BONES);
        &self.rotations[frame * row..(frame + 2) * row]
    }

    /// FNV-1a over what distinguishes the content.
    fn content_key(&self) -> u64 {
        let mut key = 0xcbf2_9ce4_8422_2325_u64;
        let mut take = |v: f32| {
            key = (key ^ u64::from(v.to_bits())).wrapping_mul(0x0100_0000_01b3);
        };
        take(self.duration);
        take(self.rate);
        self.rotations.iter().flat_map(|b| b.0).for_each(&mut take);
        for columns in [&self.translations, &self.scales] {
            let constant = columns.constant.iter().flat_map(|(_, v)| v.to_array());
            constant.for_each(&mut take);
            let moved = columns.values.iter().flat_map(|v| v.to_array());
            moved.for_each(&mut take);
        }
        for columns in [&self.morphs, &self.curves] {
            columns.constant.iter().for_each(|(_, v)| take(*v));
            columns.values.iter().copied().for_each(&mut take);
        }
        key
    }
}

impl<C, V> Columns<C, V> {
    /// The values of a frame and of the one after it; empty when nothing moves.
    #[inline]
    pub(super) fn rows(&self, frame: usize) -> (&[V], &[V]) {
        let n = self.moved.len();
        self.values[frame * n..(frame + 2) * n].split_at(n)
    }

    fn bytes(&self) -> usize {
        size_of_val(self.constant.as_slice())
            + size_of_val(self.moved.as_slice())
            + size_of_val(self.values.as_slice())
    }
}

impl Exact {
    /// True when every track is in the frames.
    pub(super) fn is_empty(&self) -> bool {
        self.bones.is_empty() && self.morphs.is_empty()
    }

    fn bytes(&self) -> usize {
        let track = |n_times: usize, n_values: usize| (n_times + n_values) * size_of::<f32>();
        let bones = self.bones.iter().map(|bone| {
            let vectors = [&bone.translation, &bone.scale];
            let vectors = vectors.into_iter().flatten();
            size_of_val(bone)
                + vectors
                    .map(|v| track(v.times.len(), 3 * v.values.len()))
                    .sum::<usize>()
                + bone
                    .rotation
                    .as_ref()
                    .map_or(0, |r| track(r.times.len(), 4 * r.values.len()))
        });
        let morphs = self
            .morphs
            .iter()
            .map(|(_, m)| size_of_val(m) + track(m.track.times.len(), m.track.values.len()));
        bones.sum::<usize>() + morphs.sum::<usize>()
    }
}

fn finite(v: Vec3) -> Vec3 {
    if v.is_finite() { v } else { Vec3::ZERO }
}

fn push_blocks(rotations: &[Quat], out: &mut Vec<Block>) {
    for group in rotations.chunks(Block::BONES) {
        let mut block = Block([0.0; Block::FLOATS]);
        // Lanes without a bone are unit as well, so that nothing is divided by zero.
        block.0[3 * Block::BONES..].fill(1.0);
        for (lane, q) in group.iter().enumerate() {
            for (component, v) in q.to_array().into_iter().enumerate() {
                block.0[component * Block::BONES + lane] = v;
            }
        }
        out.push(block);
    }
}

fn vector_columns(values: &[Vec3], n: usize, noise: f32) -> Columns<Vec3, Vec4> {
    columns(
        values,
        n,
        noise,
        |v| v.abs().max_element(),
        |v| v.extend(0.0),
    )
}

/// Sorts `n` columns of rows of differences into those that stay at rest (within `noise`), those that
/// stand elsewhere, and those that move.
fn columns<C, V>(
    values: &[C],
    n: usize,
    noise: f32,
    size: impl Fn(C) -> f32,
    store: impl Fn(C) -> V,
) -> Columns<C, V>
where
    C: Copy + std::ops::Sub<Output = C>,
{
    let (mut constant, mut moved) = (Vec::new(), Vec::new());
    for column in 0..n {
        let first = values[column];
        let mut rows = values[column..].iter().step_by(n);
        if rows.clone().all(|v| size(*v) <= noise) {
            continue;
        }
        if rows.all(|v| size(*v - first) <= noise) {
            constant.push((column as u32, first));
        } else {
            moved.push(column as u32);
        }
    }
    let mut kept = Vec::new();
    if !moved.is_empty() {
        for row in values.chunks(n) {
            kept.extend(moved.iter().map(|column| store(row[*column as usize])));
        }
    }
    Columns {
        constant,
        moved,
        values: kept,
    }
}

/// True when the keys of every track lie on a grid of this rate.
fn on_grid(clip: &Clip, rate: f32) -> bool {
    let times = |times: &[f32]| {
        times.iter().all(|t| {
            let x = t * rate;
            (x - x.round()).abs() < 0.01
        })
    };
    clip.bones.iter().all(|bone| {
        bone.rotation.as_ref().is_none_or(|r| times(&r.times))
            && [&bone.translation, &bone.scale]
                .into_iter()
                .flatten()
                .all(|track| times(&track.times))
    }) && clip.morphs.iter().all(|m| times(&m.track.times))
}

/// The clip without the tracks that have steps, and those tracks.
fn split_steps(clip: &Clip, n_bones: usize, morph_start: &[usize]) -> (Clip, Exact) {
    fn take<T>(track: &mut Option<super::Track<T>>) -> Option<super::Track<T>> {
        // A single key is a constant whatever its interpolation says.
        track.take_if(|t| t.interpolation == Interpolation::Step && t.times.len() > 1)
    }
    let mut smooth = clip.clone();
    let mut exact = Exact::default();
    for bone in &mut smooth.bones {
        let steps = BoneTracks {
            bone: bone.bone,
            translation: take(&mut bone.translation),
            rotation: take(&mut bone.rotation),
            scale: take(&mut bone.scale),
        };
        let any = steps.translation.is_some() || steps.rotation.is_some() || steps.scale.is_some();
        if any && usize::from(steps.bone) < n_bones {
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
    exact.bones.sort_by_key(|tracks| tracks.bone);
    (smooth, exact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::Track;
    use crate::anim::tests::{motion, rest_of, tree};
    use crate::math::Trs;

    fn rest() -> Pose {
        Pose {
            locals: vec![Trs::IDENTITY; 3],
            ..Pose::default()
        }
    }

    fn x_at(frames: &Frames, t: f32) -> f32 {
        let play = ClipAt {
            frames,
            t,
            weight: 1.0,
        };
        let mut out = Pose::default();
        sample_blend(&[play], &rest(), &mut out);
        out.locals[1].translation.x
    }

    #[test]
    fn frames_lie_on_the_rate_and_the_last_step_ends_with_the_clip() {
        // Ten and a half steps: the eleventh is half as long.
        let frames = Frames::new(10.0, 1.05, &rest(), |t, pose| {
            pose.locals[1].translation.x = if t > 1.0 { 9.0 } else { t };
        });
        assert_eq!(frames.len(), 12);
        for (t, x) in [
            (0.0, 0.0),
            (0.3, 0.3),
            (0.95, 0.95),
            (1.0, 1.0),
            (1.05, 9.0),
        ] {
            assert!((x_at(&frames, t) - x).abs() < 1e-5, "at {t}");
        }
        assert!((x_at(&frames, 1.025) - 5.0).abs() < 1e-3);
        // A duration that rounding made a hair too long gets no step of its own.
        assert_eq!(
            Frames::new(30.0, 0.1 * 3.000_01, &rest(), |_, _| {}).len(),
            10
        );
    }

    #[test]
    fn only_what_moves_takes_memory_beyond_rotations() {
        let still = Frames::new(30.0, 2.0, &rest(), |_, _| {});
        let constant = Frames::new(30.0, 2.0, &rest(), |_, pose| {
            pose.locals[2].scale.y = 2.0;
        });
        let moved = Frames::new(30.0, 2.0, &rest(), |t, pose| {
            pose.locals[2].scale.y = 1.0 + t;
        });
        assert!(constant.scales.values.is_empty());
        assert_eq!(constant.scales.constant, [(2, Vec3::Y)]);
        assert!(constant.bytes() - still.bytes() < 32);
        assert_eq!(moved.scales.moved, [2]);
        assert_eq!(moved.bytes() - still.bytes(), 61 * 16 + 4);
    }

    #[test]
    fn a_clip_without_length_or_with_numbers_that_are_none_is_a_pose() {
        for (rate, duration) in [(30.0, 0.0), (f32::NAN, f32::NAN), (-1.0, -1.0)] {
            let frames = Frames::new(rate, duration, &rest(), |_, pose| {
                pose.locals[1].translation.x = 4.0;
                pose.locals[0].translation.y = f32::NAN;
                pose.locals[2].rotation = Quat::from_xyzw(0.0, f32::NAN, 0.0, 1.0);
            });
            assert_eq!(frames.len(), 2);
            assert_eq!(x_at(&frames, 0.5), 4.0);
            let error = frames.error(&tree(3, 1), &rest(), |_, pose| {
                pose.locals[1].translation.x = 4.0;
            });
            assert_eq!(error, 0.0);
        }
    }

    #[test]
    fn neighbouring_frames_lie_in_one_hemisphere() {
        // Once around: the quaternion ends as the negative of what it was.
        let frames = Frames::new(30.0, 1.0, &rest(), |t, pose| {
            let q = Quat::from_rotation_y(t * std::f32::consts::TAU);
            pose.locals[0].rotation = if (t * 30.0) as u32 % 2 == 0 { q } else { -q };
        });
        for frame in 0..frames.len() - 1 {
            let pair = frames.rotations(frame);
            let q = |k: usize| super::super::simd::rotation_in(&pair[k..], 0);
            assert!(q(0).dot(q(1)) > 0.99, "frame {frame}");
        }
    }

    #[test]
    fn the_rate_of_a_clip_is_that_of_its_keys_or_one_that_is_close_enough() {
        let skeleton = tree(12, 2);
        let rest = rest_of(&skeleton);
        let of = |clip: &Clip| Frames::of_clip(clip, &skeleton, &rest, &[]);
        assert_eq!(of(&motion(&skeleton, 1)).rate(), 30.0);
        let mut stretched = motion(&skeleton, 1);
        for bone in &mut stretched.bones {
            bone.translation = None;
            bone.scale = None;
            if let Some(track) = &mut bone.rotation {
                track.times.iter_mut().for_each(|t| *t *= 30.0 / 24.0);
            }
        }
        stretched.duration *= 30.0 / 24.0;
        assert_eq!(of(&stretched).rate(), 24.0);
    }

    #[test]
    fn a_spline_gets_a_rate_at_which_it_looks_like_one() {
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
        assert!(error < 1e-4, "{error} m at {} Hz", frames.rate());
    }
}
