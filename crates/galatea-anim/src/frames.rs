//! Frames: poses of a clip at a uniform rate for playback. They are created once from the stored clip, shared by all
//! characters that play it, and read in memory order.
//!
//! Used by `sample_blend` (reads them), `character` and `machine` (hold them while a clip plays) and tools (memory).
//! Invariants: frames depend only on the clip, the rest pose and the root track, and never change, so dropping and
//! recreating them changes no result. The rotations of neighbouring frames are in the same hemisphere, and those of
//! the first frame are in the hemisphere of the rest pose.

mod columns;
mod of_clip;
mod of_packed;

use glam::{Quat, Vec3, Vec4};

use super::simd::RotationBlock;
use super::{BoneTracks, MorphTrack, Pose, Track};
pub(super) use columns::Columns;
use columns::{columns, vector_columns};

/// Times of the frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameGrid {
    /// Time of the first frame, seconds; before it, the clip holds its first pose.
    pub start: f32,
    /// Frames per second.
    pub rate: f32,
    /// Clip duration in seconds, also the time of the last frame.
    pub duration: f32,
}

impl FrameGrid {
    /// Returns the nearest valid grid: rates that are not above zero become 30; negative and non-finite times become
    /// 0.
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

    /// Returns a grid over the same time with at most this many steps (at least 64).
    fn within(self, max_steps: usize) -> Self {
        let length = self.duration - self.start;
        let max_steps = max_steps.max(64) as f32;
        if length * self.rate <= max_steps {
            return self;
        }
        Self {
            rate: max_steps / length,
            ..self
        }
    }
}

/// Maximum product of bones and frames of a clip; one takes 16 to 48 bytes.
const MAX_BONE_FRAMES: usize = 8 << 20;

/// Poses of a clip at a uniform rate, bound to the rest pose it was made with.
///
/// Rotations are stored for every bone. Translations, scales, morph weights and curves are stored as differences from
/// rest, only where the clip moves them.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    pub(super) n_bones: usize,
    grid: FrameGrid,
    n_frames: usize,
    /// Duration of a full step between frames divided by the duration of the last step.
    last_stretch: f32,
    rotations: Vec<RotationBlock>,
    pub(super) translations: Columns<Vec3, Vec4>,
    pub(super) scales: Columns<Vec3, Vec4>,
    pub(super) morphs: Columns<f32, f32>,
    pub(super) curves: Columns<f32, f32>,
    pub(super) exact: ExactTracks,
    /// Hash of the content; orders plays of equal weight independently of memory addresses.
    pub(super) key: u64,
}

/// Tracks that no frame rate can represent (steps), sampled from their keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ExactTracks {
    /// Sorted by bone; only the exact tracks.
    pub(super) bones: Vec<BoneTracks>,
    /// Index of the part's first weight in the pose, and the track.
    pub(super) morphs: Vec<(usize, MorphTrack)>,
    /// Index of the curve in the pose, and the track.
    pub(super) curves: Vec<(usize, Track<f32>)>,
}

/// Position between two neighbouring frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FramePosition {
    /// The earlier frame.
    pub(super) frame: usize,
    /// Fraction of the distance to the next frame, 0..=1.
    pub(super) u: f32,
}

impl Frames {
    /// Creates frames from a function of time. `sampler` gets the rest pose and writes the animated channels, for
    /// ascending times from the grid's start to its duration. If the duration is not a multiple of the frame time,
    /// the last step is shorter, so that frames stay on the keys.
    ///
    /// Invalid input is corrected: rates that are not above zero become 30, non-finite times become 0, and non-finite
    /// values become rest. A clip that is too long for the memory limit gets a lower rate.
    pub fn new(grid: FrameGrid, rest: &Pose, mut sampler: impl FnMut(f32, &mut Pose)) -> Self {
        let lanes = rest
            .locals
            .len()
            .max(1)
            .next_multiple_of(RotationBlock::BONES);
        let grid = grid.sane().within(MAX_BONE_FRAMES / lanes);
        let FrameGrid {
            start,
            rate,
            duration,
        } = grid;
        let length = duration - start;
        // The tolerance of 0.01 prevents an empty last step when the duration is rounded.
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

    /// Adds tracks that are sampled from their keys instead of the frames (steps). `bones` contains only these
    /// tracks; `morphs` has the index of each part's first weight in the pose. Tracks of bones that the frames do not
    /// have are ignored.
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

    /// Adds curves that are sampled from their keys (steps), each with its index in the pose.
    pub fn with_exact_curves(mut self, curves: Vec<(usize, Track<f32>)>) -> Self {
        self.exact.curves = curves;
        self.key = self.content_key();
        self
    }

    /// Times of the frames.
    pub fn grid(&self) -> FrameGrid {
        self.grid
    }

    /// Number of frames, at least two.
    pub fn len(&self) -> usize {
        self.n_frames
    }

    /// Always false: there are at least two frames.
    pub fn is_empty(&self) -> bool {
        self.n_frames == 0
    }

    /// Memory in bytes, in total.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(self.rotations.as_slice())
            + self.translations.bytes()
            + self.scales.bytes()
            + self.morphs.bytes()
            + self.curves.bytes()
            + self.exact.bytes()
    }

    /// Finds the frames around a time (clamped to the clip; NaN is 0).
    pub(super) fn position(&self, t: f32) -> FramePosition {
        let FrameGrid {
            start,
            rate,
            duration,
        } = self.grid;
        // NaN fails the comparison.
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

    /// Rotations of a frame and of the next one.
    pub(super) fn rotations(&self, frame: usize) -> &[RotationBlock] {
        let row = self.n_bones.div_ceil(RotationBlock::BONES);
        &self.rotations[frame * row..(frame + 2) * row]
    }

    /// FNV-1a hash of the content.
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
    /// Returns true if there are no exact tracks.
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
        // Lanes without a bone get unit rotations as well, which avoids a division by zero.
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
    fn frames_are_on_the_rate_and_the_last_step_ends_with_the_clip() {
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
        // A duration that rounding made slightly too long gets no extra step.
        assert_eq!(
            Frames::new(grid(30.0, 0.1 * 3.000_01), &rest(), |_, _| {}).len(),
            10
        );
    }

    #[test]
    fn only_animated_channels_take_memory_beyond_rotations() {
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
    fn clip_without_length_or_with_nan_values_is_a_pose() {
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
    fn neighbouring_frames_are_in_one_hemisphere() {
        // One full revolution: the quaternion ends as the negative of its start.
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
