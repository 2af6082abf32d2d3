//! Frames: what a clip looks like while it is played. Poses at a uniform rate, made once from the
//! stored clip, shared by every character that plays it, read in order of memory.
//!
//! Callers: `sample_blend` (reads them), `character` and `machine` (hold them while a clip plays),
//! tools (memory). Invariants: made from the clip, the rest pose and the root's track alone and never
//! changed, so that dropping and making them again changes no result. Neighbouring frames' rotations lie in one
//! hemisphere, the first frame's in that of the rest pose.

mod columns;
mod of_clip;
mod of_packed;

use glam::{Quat, Vec3, Vec4};

use super::simd::RotationBlock;
use super::{BoneTracks, MorphTrack, Pose, Track};
pub(super) use columns::Columns;
use columns::{columns, vector_columns};

/// Where frames stand in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameGrid {
    /// Time of the first frame, seconds; before it the clip holds its first pose.
    pub start: f32,
    /// Frames per second.
    pub rate: f32,
    /// The clip's length from 0 on, seconds; the time of the last frame.
    pub duration: f32,
}

impl FrameGrid {
    /// The nearest grid that makes sense: a rate that is not above zero becomes 30, times that are no
    /// numbers or negative become 0.
    fn sane(self) -> Self {
        let positive = |v: f32| if v > 0.0 && v.is_finite() { v } else { 0.0 };
        let duration = positive(self.duration);
        Self {
            start: positive(self.start).min(duration),
            rate: if positive(self.rate) > 0.0 {
                self.rate
            } else {
                30.0
            },
            duration,
        }
    }

    /// The same time in at most so many steps (at least 64).
    fn within(self, most: usize) -> Self {
        let length = self.duration - self.start;
        let most = most.max(64) as f32;
        if length * self.rate <= most {
            return self;
        }
        Self {
            rate: most / length,
            ..self
        }
    }
}

/// Bones times frames of a clip at most: 16 to 48 bytes each.
const MOST_BONE_FRAMES: usize = 8 << 20;

/// Poses of a clip at a uniform rate, bound to the rest pose it was made with.
///
/// Rotations are kept for every bone; translations, scales, morph weights and curves only where the
/// clip moves them away from rest, as differences from rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    pub(super) n_bones: usize,
    grid: FrameGrid,
    n_frames: usize,
    /// Length of a full step between frames over the length of the last step.
    last_stretch: f32,
    rotations: Vec<RotationBlock>,
    pub(super) translations: Columns<Vec3, Vec4>,
    pub(super) scales: Columns<Vec3, Vec4>,
    pub(super) morphs: Columns<f32, f32>,
    pub(super) curves: Columns<f32, f32>,
    pub(super) exact: ExactTracks,
    /// Of the content: orders plays of equal weight, whatever their order in memory.
    pub(super) key: u64,
}

/// Tracks that no rate of frames represents (steps), read from their keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ExactTracks {
    /// Ascending by bone; only the tracks that are exact.
    pub(super) bones: Vec<BoneTracks>,
    /// Where the part's weights begin in the pose, and the track.
    pub(super) morphs: Vec<(usize, MorphTrack)>,
    /// Which number of the pose's curves, and the track.
    pub(super) curves: Vec<(usize, Track<f32>)>,
}

/// Place between two neighbouring frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FramePosition {
    /// The earlier frame.
    pub(super) frame: usize,
    /// Share of the way to the next one, 0..=1.
    pub(super) u: f32,
}

impl Frames {
    /// Frames of anything that gives a pose for a time. `sampler` gets the rest pose and writes what
    /// moves, for ascending times from the grid's start to its duration. When the length is no
    /// multiple of the rate's step the last step is shorter, so that frames stay on the keys.
    ///
    /// A rate that is not above zero becomes 30, times that are no numbers become 0, and values that
    /// are not finite become rest. What is so long that frames at this rate would fill the memory gets
    /// a lower one.
    pub fn new(grid: FrameGrid, rest: &Pose, mut sampler: impl FnMut(f32, &mut Pose)) -> Self {
        let lanes = rest
            .locals
            .len()
            .max(1)
            .next_multiple_of(RotationBlock::BONES);
        let grid = grid.sane().within(MOST_BONE_FRAMES / lanes);
        let FrameGrid {
            start,
            rate,
            duration,
        } = grid;
        let length = duration - start;
        // The hundredth keeps rounding of the duration from making an empty last step.
        let steps = ((length * rate - 0.01).ceil() as usize).max(1);
        let last_step = length - (steps - 1) as f32 / rate;
        let n_frames = steps + 1;
        let n_bones = rest.locals.len();
        let mut pose = rest.clone();
        let mut before: Vec<Quat> = rest.locals.iter().map(|local| local.rotation).collect();
        let mut rotations = Vec::with_capacity(n_frames * n_bones.div_ceil(RotationBlock::BONES));
        let mut translations = Vec::with_capacity(n_frames * n_bones);
        let mut scales = Vec::with_capacity(n_frames * n_bones);
        let (mut morphs, mut curves) = (Vec::new(), Vec::new());
        for frame in 0..n_frames {
            let t = if frame == steps {
                duration
            } else {
                start + frame as f32 / rate
            };
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
        let size = |of: fn(&galatea_math::Trs) -> Vec3| {
            let sizes = rest
                .locals
                .iter()
                .map(|local| of(local).abs().max_element());
            1e-9 + 1e-6 * sizes.fold(0.0, f32::max)
        };
        let mut frames = Self {
            n_bones,
            grid,
            n_frames,
            last_stretch: if last_step > 0.0 {
                (rate * last_step).recip()
            } else {
                0.0
            },
            rotations,
            translations: vector_columns(&translations, n_bones, size(|local| local.translation)),
            scales: vector_columns(&scales, n_bones, size(|local| local.scale)),
            morphs: columns(&morphs, rest.morphs.len(), 1e-6, |v| v.abs(), |v| v),
            curves: columns(&curves, rest.curves.len(), 1e-6, |v| v.abs(), |v| v),
            exact: ExactTracks::default(),
            key: 0,
        };
        frames.key = frames.content_key();
        frames
    }

    /// Adds tracks that are read from their keys instead of the frames (steps). `bones` holds only the
    /// tracks meant, `morphs` each with the index of its part's first weight in the pose. Tracks of
    /// bones that the frames do not have are left out.
    pub fn with_exact(
        mut self,
        mut bones: Vec<BoneTracks>,
        morphs: Vec<(usize, MorphTrack)>,
    ) -> Self {
        bones.retain(|tracks| usize::from(tracks.bone) < self.n_bones);
        bones.sort_by_key(|tracks| tracks.bone);
        (self.exact.bones, self.exact.morphs) = (bones, morphs);
        self.key = self.content_key();
        self
    }

    /// Adds curves that are read from their keys (steps), each with its number among the pose's.
    pub fn with_exact_curves(mut self, curves: Vec<(usize, Track<f32>)>) -> Self {
        self.exact.curves = curves;
        self.key = self.content_key();
        self
    }

    /// Where the frames stand in time.
    pub fn grid(&self) -> FrameGrid {
        self.grid
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
    pub(super) fn place(&self, t: f32) -> FramePosition {
        let FrameGrid {
            start,
            rate,
            duration,
        } = self.grid;
        // A time that is no number fails the comparison.
        let after = if t > start {
            t.min(duration) - start
        } else {
            0.0
        };
        let x = after * rate;
        let last = self.n_frames - 2;
        let frame = (x as usize).min(last);
        let u = x - frame as f32;
        FramePosition {
            frame,
            u: if frame == last {
                (u * self.last_stretch).min(1.0)
            } else {
                u
            },
        }
    }

    /// The rotations of a frame and of the one after it.
    pub(super) fn rotations(&self, frame: usize) -> &[RotationBlock] {
        let row = self.n_bones.div_ceil(RotationBlock::BONES);
        &self.rotations[frame * row..(frame + 2) * row]
    }

    /// FNV-1a over what distinguishes the content.
    fn content_key(&self) -> u64 {
        let mut key = 0xcbf2_9ce4_8422_2325_u64;
        let mut take = |v: f32| {
            key = (key ^ u64::from(v.to_bits())).wrapping_mul(0x0100_0000_01b3);
        };
        take(self.grid.start);
        take(self.grid.rate);
        take(self.grid.duration);
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
        for tracks in &self.exact.bones {
            take(f32::from(tracks.bone));
            for track in [&tracks.translation, &tracks.scale].into_iter().flatten() {
                track.times.iter().copied().for_each(&mut take);
                let values = track.values.iter().flat_map(|v| v.to_array());
                values.for_each(&mut take);
            }
            if let Some(track) = &tracks.rotation {
                track.times.iter().copied().for_each(&mut take);
                let values = track.values.iter().flat_map(|v| v.to_array());
                values.for_each(&mut take);
            }
        }
        for (start, morph) in &self.exact.morphs {
            take(*start as f32);
            morph.track.times.iter().copied().for_each(&mut take);
            morph.track.values.iter().copied().for_each(&mut take);
        }
        for (slot, track) in &self.exact.curves {
            take(*slot as f32);
            track.times.iter().copied().for_each(&mut take);
            track.values.iter().copied().for_each(&mut take);
        }
        key
    }
}

impl ExactTracks {
    /// True when every track is in the frames.
    pub(super) fn is_empty(&self) -> bool {
        self.bones.is_empty() && self.morphs.is_empty() && self.curves.is_empty()
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
        let curves = self.curves.iter();
        let curves = curves.map(|(_, c)| size_of_val(c) + track(c.times.len(), c.values.len()));
        bones.sum::<usize>() + morphs.sum::<usize>() + curves.sum::<usize>()
    }
}

fn finite(v: Vec3) -> Vec3 {
    if v.is_finite() { v } else { Vec3::ZERO }
}

fn push_blocks(rotations: &[Quat], out: &mut Vec<RotationBlock>) {
    for group in rotations.chunks(RotationBlock::BONES) {
        let mut block = RotationBlock([0.0; RotationBlock::FLOATS]);
        // Lanes without a bone are unit as well, so that nothing is divided by zero.
        block.0[3 * RotationBlock::BONES..].fill(1.0);
        for (lane, q) in group.iter().enumerate() {
            for (component, v) in q.to_array().into_iter().enumerate() {
                block.0[component * RotationBlock::BONES + lane] = v;
            }
        }
        out.push(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::tree;
    use crate::{ClipAt, sample_blend};
    use galatea_math::Trs;

    fn rest() -> Pose {
        Pose {
            locals: vec![Trs::IDENTITY; 3],
            ..Pose::default()
        }
    }

    fn grid(rate: f32, duration: f32) -> FrameGrid {
        FrameGrid {
            start: 0.0,
            rate,
            duration,
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
        let frames = Frames::new(grid(10.0, 1.05), &rest(), |t, pose| {
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
            Frames::new(grid(30.0, 0.1 * 3.000_01), &rest(), |_, _| {}).len(),
            10
        );
    }

    #[test]
    fn only_what_moves_takes_memory_beyond_rotations() {
        let still = Frames::new(grid(30.0, 2.0), &rest(), |_, _| {});
        let constant = Frames::new(grid(30.0, 2.0), &rest(), |_, pose| {
            pose.locals[2].scale.y = 2.0;
        });
        let moved = Frames::new(grid(30.0, 2.0), &rest(), |t, pose| {
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
            let frames = Frames::new(grid(rate, duration), &rest(), |_, pose| {
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
        let frames = Frames::new(grid(30.0, 1.0), &rest(), |t, pose| {
            let q = Quat::from_rotation_y(t * std::f32::consts::TAU);
            pose.locals[0].rotation = if ((t * 30.0) as u32).is_multiple_of(2) {
                q
            } else {
                -q
            };
        });
        for frame in 0..frames.len() - 1 {
            let pair = frames.rotations(frame);
            let q = |k: usize| super::super::simd::rotation_in(&pair[k..], 0);
            assert!(q(0).dot(q(1)) > 0.99, "frame {frame}");
        }
    }
}
