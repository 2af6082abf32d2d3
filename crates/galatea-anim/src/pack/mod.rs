//! Packed clips: the format of an animation in memory and on disk.
//!
//! Used by loaders and tools ([`pack`], once per clip, at the end of loading), by the tick ([`PackedClip::sample`]
//! and the code that unpacks frames ahead of it), and by `galatea inspect` ([`PackReport`]). Invariants: the error
//! against the authored clip is measured in model space, at points a set distance from every bone along its three
//! axes, and never exceeds the bound. Sampling has no state and the same cost for every time. The same clip always
//! packs to the same bytes.
//!
//! Overview: a clip is sampled on a uniform grid (its own key rate if it has one) and cut into segments. Channels
//! at the rest pose are dropped and constant channels keep one value. Channels that are smaller or only exact as keys
//! stay as authored. Every other channel is a *group* of three numbers per frame: a translation, a scale, up to three
//! morph weights, or the vector part of a rotation. Before it is stored, the rotation is multiplied by two fixed
//! rotations that bring its mean to the identity and its principal axes to x, y, z; a hinge then needs bits on one
//! axis only. Per segment and group, a *cell* gives the number of bits of each number and the step size. It also says
//! if the data are frames or the control points of a cubic B-spline every 2, 4 or 8 frames.
//!
//! Two techniques make it small. First, the rotation stored for a bone goes from the *decoded* parent to the authored
//! orientation of the bone. Orientation errors therefore do not add up along a chain, and a hip needs no more digits
//! than a hand. Second, the step sizes come from a search against the measured error of all points, per bone and
//! segment, not from a formula.

mod bits;
mod cell;
mod channels;
mod disk;
mod encode;
mod keys;
mod levers;
mod range;
mod report;
mod sample;
mod search;
mod spline;
mod stream;
mod turn;

use super::{BoneTracks, Curve, Marker, MorphTrack};
use cell::{ChannelGroup, SegmentCell, SegmentGrid};
pub use encode::{pack, pack_all};
pub use report::{PackReport, measure};
pub use stream::PackedClipError;

/// Error bound of a bone and the distance at which it is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// Maximum distance between a point in the authored and in the packed clip, metres.
    pub bound: f32,
    /// Distance of these points from the bone's origin along each of its axes, metres.
    pub distance: f32,
}

impl Default for Precision {
    /// 0.01 cm at 3 cm.
    fn default() -> Self {
        Self {
            bound: 1e-4,
            distance: 0.03,
        }
    }
}

/// Compression settings: the precision of a packed clip.
#[derive(Clone, Debug, PartialEq)]
pub struct PackOptions {
    /// Precision of all bones not listed in `bones`.
    pub precision: Precision,
    /// Precision of single bones.
    pub bones: Vec<(u16, Precision)>,
    /// Maximum error of a morph weight and of a curve value.
    pub weight_tolerance: f32,
}

impl Default for PackOptions {
    fn default() -> Self {
        Self {
            precision: Precision::default(),
            bones: Vec::new(),
            weight_tolerance: 5e-4,
        }
    }
}

impl PackOptions {
    /// Returns the precision of every bone of a skeleton with `n` bones.
    fn precisions(&self, n: usize) -> Vec<Precision> {
        let mut all = vec![self.precision; n];
        for (bone, precision) in &self.bones {
            if let Some(slot) = all.get_mut(usize::from(*bone)) {
                *slot = *precision;
            }
        }
        all
    }
}

/// Channels of a bone that a clip moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// The clip writes the bone's translation.
    pub translation: bool,
    /// The clip writes the bone's rotation.
    pub rotation: bool,
    /// The clip writes the bone's scale.
    pub scale: bool,
}

/// A compressed clip that can be sampled at any time. Immutable; shared by every instance of
/// the model. The default is an empty clip that moves nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackedClip {
    /// Name as authored, made unique by the loader.
    pub name: String,
    /// Seconds; the latest key of any track, 0 for a single pose.
    pub duration: f32,
    /// Marks from the file, ascending in time.
    pub markers: Vec<Marker>,
    /// Curves, thinned out within the tolerance.
    pub curves: Vec<Curve>,
    grid: SegmentGrid,
    /// Sorted by `target`; rotations before translations before scales before weights.
    groups: Box<[ChannelGroup]>,
    /// One per group, segment after segment.
    cells: Box<[SegmentCell]>,
    /// Byte offset of each segment in `data`.
    starts: Box<[u32]>,
    /// Bit stream, followed by eight zero bytes so that a 64-bit read never ends outside.
    data: Box<[u8]>,
    constants: Box<[Constant]>,
    exact: Box<[BoneTracks]>,
    exact_morphs: Box<[MorphTrack]>,
}

/// A channel with one value that differs from the rest pose.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Constant {
    bone: u16,
    channel: BoneChannel,
    /// Translation or scale; for rotations the vector part, with a positive scalar part.
    value: [f32; 3],
}

/// One of the three channels of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoneChannel {
    Translation,
    Rotation,
    Scale,
}

impl PackedClip {
    /// Frame rate of the grid the clip was sampled on; 0 for an empty clip or a single pose.
    pub fn frame_rate(&self) -> f32 {
        self.grid.rate
    }

    /// Number of frames of the grid; at least 1 unless the clip is empty. Between two frames, the packed clip
    /// interpolates linearly (rotations: on the short arc), except for channels stored as keys.
    pub fn n_frames(&self) -> usize {
        self.grid.frames as usize
    }

    /// Time of a frame, seconds.
    pub fn frame_time(&self, frame: usize) -> f32 {
        self.grid.time(frame as f32)
    }

    /// Converts seconds to a position on the grid in frames, clamped to the clip.
    pub fn frame_at(&self, t: f32) -> f32 {
        self.grid.position(t)
    }

    /// Returns the channels of a bone that [`PackedClip::sample`] writes. Channels that the authored clip keeps at
    /// the rest pose are not included.
    pub fn moves(&self, bone: u16) -> Moves {
        let mut moves = Moves::default();
        for group in &self.groups {
            if group.target == bone {
                moves.translation |= group.kind == cell::ChannelKind::Translation;
                moves.rotation |= group.kind.is_rotation();
                moves.scale |= group.kind == cell::ChannelKind::Scale;
            }
        }
        for constant in &self.constants {
            if constant.bone == bone {
                moves.translation |= constant.channel == BoneChannel::Translation;
                moves.rotation |= constant.channel == BoneChannel::Rotation;
                moves.scale |= constant.channel == BoneChannel::Scale;
            }
        }
        for tracks in &self.exact {
            if tracks.bone == bone {
                moves.translation |= tracks.translation.is_some();
                moves.rotation |= tracks.rotation.is_some();
                moves.scale |= tracks.scale.is_some();
            }
        }
        moves
    }

    /// Tracks stored as keys: of bones, and of morph weights.
    pub(crate) fn exact_tracks(&self) -> (&[BoneTracks], &[MorphTrack]) {
        (&self.exact, &self.exact_morphs)
    }

    /// Memory of the clip in bytes: this struct, its strings, marks, curves and all channels.
    pub fn bytes(&self) -> usize {
        let marks: usize = self.markers.iter().map(marker_bytes).sum();
        let curves: usize = (self.curves.iter())
            .map(|curve| size_of::<Curve>() + curve.name.len() + track_bytes(&curve.track))
            .sum();
        size_of::<Self>() + self.name.len() + marks + curves + self.channel_bytes()
    }

    /// Bytes of the channels alone, without strings, marks, curves and the struct itself.
    fn channel_bytes(&self) -> usize {
        let exact: usize = (self.exact.iter())
            .map(|tracks| {
                size_of::<BoneTracks>()
                    + tracks.translation.as_ref().map_or(0, track_bytes)
                    + tracks.rotation.as_ref().map_or(0, track_bytes)
                    + tracks.scale.as_ref().map_or(0, track_bytes)
            })
            .sum();
        let morphs: usize = (self.exact_morphs.iter())
            .map(|morph| size_of::<MorphTrack>() + track_bytes(&morph.track))
            .sum();
        size_of_val(&*self.groups)
            + size_of_val(&*self.cells)
            + size_of_val(&*self.starts)
            + self.data.len()
            + size_of_val(&*self.constants)
            + exact
            + morphs
    }
}

fn marker_bytes(mark: &Marker) -> usize {
    let fields: usize = (mark.fields.iter())
        .map(|field| {
            size_of_val(field)
                + field.0.len()
                + match &field.1 {
                    super::MarkerValue::Text(text) => text.len(),
                    _ => 0,
                }
        })
        .sum();
    size_of::<Marker>() + mark.event.len() + fields
}

fn track_bytes<T>(track: &super::Track<T>) -> usize {
    size_of_val(&*track.times) + size_of_val(&*track.values)
}

#[cfg(test)]
mod tests;
