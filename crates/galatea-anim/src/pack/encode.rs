//! Encoder from an authored clip to a packed one.
//!
//! Used by loaders and tools at the end of loading. Invariant: never fails. A clip that cannot be packed within the
//! bound, or that would not become smaller, stays as keys.

use glam::{Quat, Vec3A};
use rayon::prelude::*;

use super::bits::BitWriter;
use super::cell::{ChannelGroup, ChannelKind, SegmentCell, SegmentGrid};
use super::channels::{BoneChannels, ChannelEncoding, FrameTimes, grid, morph_frames};
use super::levers::{limits, task};
use super::report::{self, PackReport};
use super::search::{SearchScratch, Stored, quantise};
use super::turn::{mean, principal_axes, to_bytes, unit};
use super::{BoneChannel, Constant, PackOptions, PackedClip};
use crate::{BoneTracks, Clip, Curve, Interpolation, MorphTrack, Skeleton};

/// Compresses a clip of this skeleton, and reports the size and the error. Drops tracks of bones that the skeleton lacks.
pub fn pack(skeleton: &Skeleton, clip: &Clip, options: &PackOptions) -> (PackedClip, PackReport) {
    pack_with(skeleton, clip, options, &mut SearchScratch::default())
}

/// Compresses many clips of one skeleton in parallel. The results are in the order of the clips.
pub fn pack_all(
    skeleton: &Skeleton,
    clips: &[Clip],
    options: &PackOptions,
) -> Vec<(PackedClip, PackReport)> {
    (clips.par_iter())
        .map_init(SearchScratch::default, |scratch, clip| {
            pack_with(skeleton, clip, options, scratch)
        })
        .collect()
}

/// Frames per segment, and maximum length of a clip with a single segment.
const SEGMENT: usize = 64;
const ONE_SEGMENT: usize = 96;
/// Fraction of the bound to aim for, and the number of attempts. The aim is lowered if the error between frames
/// exceeds the bound.
const AIM: f32 = 0.985;
const TRIES: usize = 4;

fn pack_with(
    skeleton: &Skeleton,
    clip: &Clip,
    options: &PackOptions,
    scratch: &mut SearchScratch,
) -> (PackedClip, PackReport) {
    let limits = limits(skeleton, clip, options);
    let (frames, channels) = grid(skeleton, clip, &limits);
    let (bone_groups, groups_of) = bone_groups(&channels);
    let morphs = MorphGroups::of(clip, &frames, options);
    let groups = [&bone_groups[..], &morphs.groups].concat();
    let grid = segment_grid(&frames);
    let mut packed = PackedClip {
        name: clip.name.clone(),
        duration: clip.duration,
        markers: clip.markers.clone(),
        curves: thin_curves(&clip.curves, options.weight_tolerance),
        grid,
        constants: constants(&channels),
        exact: exact(clip, &channels),
        exact_morphs: morphs.exact.into(),
        ..PackedClip::default()
    };
    let task = task(
        skeleton,
        &channels,
        &bone_groups,
        groups_of,
        &limits,
        options,
    );
    let mut aims = vec![AIM; grid.n_segments()];
    let mut solved: Vec<Option<Vec<Stored>>> = vec![None; aims.len()];
    for _ in 0..TRIES {
        for (segment, solved) in solved
            .iter_mut()
            .enumerate()
            .filter(|(_, solved)| solved.is_none())
        {
            let (first, n) = grid.segment(segment);
            *solved = if bone_groups.is_empty() {
                Some(Vec::new())
            } else {
                task.solve(first, n, aims[segment], scratch)
            };
        }
        let all: Option<Vec<&Vec<Stored>>> = solved.iter().map(Option::as_ref).collect();
        let Some(all) = all else { break };
        write(&mut packed, &groups, &all, &morphs.values, options);
        let errors = report::errors(skeleton, clip, &channels, &packed, options);
        let mut all_within = true;
        for (segment, worst) in errors.by_segment.iter().enumerate() {
            if *worst > AIM_BETWEEN {
                aims[segment] *= AIM_BETWEEN * 0.99 / worst;
                solved[segment] = None;
                all_within = false;
            }
        }
        if all_within {
            let report = PackReport::new(skeleton, clip, &packed, &errors);
            return (packed, report);
        }
    }
    whole(skeleton, clip, packed, options)
}

/// Splits the frames into segments of about equal length.
fn segment_grid(frames: &FrameTimes) -> SegmentGrid {
    let per = match frames.n {
        0..=ONE_SEGMENT => frames.n.max(1),
        n => n.div_ceil(n.div_ceil(SEGMENT)),
    };
    SegmentGrid {
        start: frames.start,
        rate: frames.rate,
        frames: frames.n as u32,
        per_segment: per as u32,
        spacings: 1,
    }
}

/// Maximum error between frames, as a fraction of the bound.
const AIM_BETWEEN: f32 = 0.985;

/// Stores the whole clip as keys.
fn whole(
    skeleton: &Skeleton,
    clip: &Clip,
    packed: PackedClip,
    options: &PackOptions,
) -> (PackedClip, PackReport) {
    let known = |tracks: &&BoneTracks| usize::from(tracks.bone) < skeleton.len();
    let packed = PackedClip {
        name: packed.name,
        duration: packed.duration,
        markers: packed.markers,
        curves: packed.curves,
        grid: packed.grid,
        exact: clip.bones.iter().filter(known).cloned().collect(),
        exact_morphs: clip.morphs.clone().into(),
        ..PackedClip::default()
    };
    let report = report::measure(skeleton, clip, &packed, options);
    (packed, report)
}

/// Groups of all bones, and the indices of each bone's groups.
fn bone_groups(channels: &[BoneChannels]) -> (Vec<ChannelGroup>, Vec<Vec<usize>>) {
    let mut groups = Vec::new();
    for (b, channels) in channels.iter().enumerate() {
        let mut group = ChannelGroup {
            target: b as u16,
            lane: 0,
            kind: ChannelKind::Rotation,
            n_lanes: 3,
            turn: [[0, 0, 0, 127]; 2],
        };
        if channels.rotation.encoding == ChannelEncoding::Packed {
            match turns(&channels.rotation.frames) {
                Some(turn) => groups.push(ChannelGroup { turn, ..group }),
                None => {
                    for kind in [ChannelKind::Vector, ChannelKind::Scalar] {
                        group.kind = kind;
                        groups.push(group);
                    }
                }
            }
        }
        for (encoding, kind) in [
            (channels.translation.encoding, ChannelKind::Translation),
            (channels.scale.encoding, ChannelKind::Scale),
        ] {
            if encoding == ChannelEncoding::Packed {
                groups.push(ChannelGroup { kind, ..group });
            }
        }
    }
    // Sorted by kind, so that many groups are unpacked in parallel. Vectors and scalars alternate in runs, which the
    // decoder keeps in buffers.
    let mut nth = 0;
    let mut key = |group: &ChannelGroup| match group.kind {
        ChannelKind::Vector => {
            nth += 1;
            (1, (nth - 1) / RUN, 0)
        }
        ChannelKind::Scalar => (1, (nth - 1) / RUN, 1),
        kind => (
            if kind == ChannelKind::Rotation { 0 } else { 2 },
            kind as usize,
            0,
        ),
    };
    let mut keyed: Vec<_> = groups.iter().map(|group| (key(group), *group)).collect();
    keyed.sort_by_key(|(key, _)| *key);
    let groups: Vec<ChannelGroup> = keyed.into_iter().map(|(_, group)| group).collect();
    let mut groups_of = vec![Vec::new(); channels.len()];
    for (g, group) in groups.iter().enumerate() {
        groups_of[usize::from(group.target)].push(g);
    }
    (groups, groups_of)
}

/// Rotations with four components: number of vector groups in a run, followed by their scalar groups.
const RUN: usize = super::sample::LANES;

/// Minimum scalar part with which the vector part alone determines a rotation precisely.
const MIN_SCALAR: f32 = 0.35;

/// Rotations before and after the stored one that bring the frames near the identity, with the main axis along x.
/// `None` if the frames are too far apart.
fn turns(frames: &[Quat]) -> Option<[[i8; 4]; 2]> {
    let mean = mean(frames);
    let vectors: Vec<Vec3A> = (frames.iter())
        .map(|q| {
            let off = mean.conjugate() * *q;
            let v = Vec3A::new(off.x, off.y, off.z);
            if off.w < 0.0 { -v } else { v }
        })
        .collect();
    let axes = principal_axes(&vectors);
    let turn = [to_bytes(mean * axes), to_bytes(axes.conjugate())];
    let group = ChannelGroup {
        target: 0,
        lane: 0,
        kind: ChannelKind::Rotation,
        n_lanes: 3,
        turn,
    };
    let (before, after) = group.turns();
    let (undo, redo) = (unit(before).conjugate(), unit(after).conjugate());
    let near = (frames.iter()).all(|q| (undo * *q * redo).w.abs() > MIN_SCALAR);
    near.then_some(turn)
}

/// Morph tracks of a clip.
#[derive(Default)]
struct MorphGroups {
    /// Groups of three targets.
    groups: Vec<ChannelGroup>,
    /// Values of each group, frame by frame.
    values: Vec<Vec<Vec3A>>,
    /// Tracks that stay as keys.
    exact: Vec<MorphTrack>,
}

impl MorphGroups {
    fn of(clip: &Clip, frames: &FrameTimes, options: &PackOptions) -> Self {
        let mut all = Self::default();
        for morph in &clip.morphs {
            match morph_frames(morph, frames, options) {
                Some(values) if morph.part <= usize::from(u16::MAX) => {
                    all.add(morph.part, morph.n_targets, &values);
                }
                _ => all.exact.push(morph.clone()),
            }
        }
        all
    }

    /// Adds the weights of a part, frame by frame.
    fn add(&mut self, part: usize, n_targets: usize, values: &[f32]) {
        for lane in (0..n_targets).step_by(3) {
            let n_lanes = (n_targets - lane).min(3);
            self.groups.push(ChannelGroup {
                target: part as u16,
                lane: lane as u16,
                kind: ChannelKind::Weights,
                n_lanes: n_lanes as u8,
                turn: [[0; 4]; 2],
            });
            let frames = values.chunks(n_targets).map(|frame| {
                let mut three = [0.0; 3];
                three[..n_lanes].copy_from_slice(&frame[lane..lane + n_lanes]);
                Vec3A::from_array(three)
            });
            self.values.push(frames.collect());
        }
    }
}

fn constants(channels: &[BoneChannels]) -> Box<[Constant]> {
    let mut constants = Vec::new();
    for (b, channels) in channels.iter().enumerate() {
        let mut add = |encoding, channel, value| {
            if encoding == ChannelEncoding::Constant {
                constants.push(Constant {
                    bone: b as u16,
                    channel,
                    value,
                });
            }
        };
        let q = channels.rotation.frames[0];
        let q = if q.w < 0.0 { -q } else { q };
        add(
            channels.rotation.encoding,
            BoneChannel::Rotation,
            [q.x, q.y, q.z],
        );
        let t = channels.translation.frames[0].to_array();
        add(channels.translation.encoding, BoneChannel::Translation, t);
        let s = channels.scale.frames[0].to_array();
        add(channels.scale.encoding, BoneChannel::Scale, s);
    }
    constants.into()
}

fn exact(clip: &Clip, channels: &[BoneChannels]) -> Box<[BoneTracks]> {
    let mut out = Vec::new();
    for tracks in &clip.bones {
        let Some(channels) = channels.get(usize::from(tracks.bone)) else {
            continue;
        };
        let tracks = BoneTracks {
            bone: tracks.bone,
            translation: (tracks.translation.clone())
                .filter(|_| channels.translation.encoding == ChannelEncoding::Exact),
            rotation: (tracks.rotation.clone())
                .filter(|_| channels.rotation.encoding == ChannelEncoding::Exact),
            scale: tracks
                .scale
                .clone()
                .filter(|_| channels.scale.encoding == ChannelEncoding::Exact),
        };
        if tracks.translation.is_some() || tracks.rotation.is_some() || tracks.scale.is_some() {
            out.push(tracks);
        }
    }
    out.into()
}

/// Writes cells and bits of all segments into the clip.
fn write(
    packed: &mut PackedClip,
    groups: &[ChannelGroup],
    segments: &[&Vec<Stored>],
    weights: &[Vec<Vec3A>],
    options: &PackOptions,
) {
    let mut cells = Vec::with_capacity(groups.len() * segments.len());
    let mut starts = Vec::with_capacity(segments.len());
    let mut bits = BitWriter::default();
    let mut stored = Stored::default();
    for (segment, of_bones) in segments.iter().enumerate() {
        starts.push(bits.bytes.len() as u32);
        for one in of_bones.iter() {
            cells.push(one.cell);
            bits.stored(one);
        }
        let (first, n) = packed.grid.segment(segment);
        for values in weights {
            // The maximum error is half a step, and slightly less for the rounding of the base.
            quantise(
                &values[first..first + n],
                options.weight_tolerance * 1.5,
                0,
                &mut stored,
            );
            cells.push(stored.cell);
            bits.stored(&stored);
        }
        bits.align();
    }
    let mut data = bits.bytes;
    if groups.is_empty() {
        starts.clear();
    } else {
        data.extend_from_slice(&[0; 8]);
    }
    packed.grid.spacings =
        (cells.iter()).fold(0, |all, cell: &SegmentCell| all | 1 << cell.spacing());
    packed.groups = groups.into();
    packed.cells = cells.into();
    packed.starts = starts.into();
    packed.data = data.into();
}

/// Removes keys of linear curves that interpolation reproduces within the tolerance.
fn thin_curves(curves: &[Curve], tolerance: f32) -> Vec<Curve> {
    let mut curves = curves.to_vec();
    for curve in &mut curves {
        let track = &mut curve.track;
        if track.interpolation != Interpolation::Linear || track.times.len() < 3 {
            continue;
        }
        let (times, values) = (&track.times, &track.values);
        let mut indices = vec![0usize];
        let mut from = 0;
        while from + 1 < times.len() {
            // Finds the farthest key for which a straight line stays within the tolerance of all keys between. Each
            // of those keys limits the slope of the line.
            let (mut min_slope, mut max_slope) = (f32::NEG_INFINITY, f32::INFINITY);
            let mut to = from + 1;
            for next in from + 1..times.len() {
                let (dt, dv) = (times[next] - times[from], values[next] - values[from]);
                if !(min_slope..=max_slope).contains(&(dv / dt)) {
                    break;
                }
                to = next;
                min_slope = min_slope.max((dv - tolerance) / dt);
                max_slope = max_slope.min((dv + tolerance) / dt);
            }
            indices.push(to);
            from = to;
        }
        *track = crate::Track {
            times: indices.iter().map(|&i| times[i]).collect(),
            values: indices.iter().map(|&i| values[i]).collect(),
            interpolation: Interpolation::Linear,
        };
    }
    curves
}
