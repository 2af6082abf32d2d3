//! Clips: keyframe tracks over the bones and morph weights of one file, in seconds.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// Interpolation between two keys (glTF 2.0 appendix C).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Interpolation {
    /// Holds the previous key.
    Step,
    /// Linear; rotations use spherical interpolation on the short arc.
    #[default]
    Linear,
    /// Hermite spline; each key stores in-tangent, value, out-tangent.
    CubicSpline,
}

/// Keys of one channel. `times` ascend strictly; `values` holds one value per key, or three
/// (in-tangent, value, out-tangent) for [`Interpolation::CubicSpline`]. Never empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Track<T> {
    /// Key times, seconds, strictly ascending, at least one.
    pub times: Vec<f32>,
    /// Key values; the type's documentation gives their number.
    pub values: Vec<T>,
    /// Interpolation between keys.
    pub interpolation: Interpolation,
}

impl<T> Track<T> {
    /// Creates a track with one key, which holds its value for the whole clip.
    pub fn constant(value: T) -> Self {
        Self {
            times: vec![0.0],
            values: vec![value],
            interpolation: Interpolation::Step,
        }
    }
}

/// Tracks of one bone; a missing track leaves the rest value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoneTracks {
    /// Index into the clip's skeleton.
    pub bone: u16,
    /// Metres.
    pub translation: Option<Track<Vec3>>,
    /// Unit quaternions (tangents of splines are not unit).
    pub rotation: Option<Track<Quat>>,
    /// Factors.
    pub scale: Option<Track<Vec3>>,
}

impl BoneTracks {
    /// Creates an entry without tracks.
    pub fn still(bone: u16) -> Self {
        Self {
            bone,
            translation: None,
            rotation: None,
            scale: None,
        }
    }
}

/// Morph weights of one part over time. Each key stores `n_targets` values (three times as many for splines).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MorphTrack {
    /// Index of the part (a mesh on a node) in the model.
    pub part: usize,
    /// Values per key.
    pub n_targets: usize,
    /// Keys of all targets.
    pub track: Track<f32>,
}

/// A named time or interval on a clip. Playback that crosses it emits an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Marker {
    /// Seconds from the clip's start.
    pub time: f32,
    /// Length in seconds; 0 for a point. Clipped to the clip.
    pub duration: f32,
    /// Event name.
    pub event: String,
    /// Custom fields passed to the listener, sorted by name.
    pub fields: Vec<(String, MarkerValue)>,
}

/// A field of a [`Marker`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum MarkerValue {
    /// A number.
    Number(f64),
    /// A string.
    Text(String),
    /// A boolean.
    Bool(bool),
}

/// An authored animation. Immutable; shared by every instance of the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Clip {
    /// Name as authored, made unique by the loader.
    pub name: String,
    /// Seconds; the latest key of any track, 0 for a single pose.
    pub duration: f32,
    /// At most one entry per bone, ascending.
    pub bones: Vec<BoneTracks>,
    /// Morph weight tracks.
    pub morphs: Vec<MorphTrack>,
    /// Marks from the file, ascending in time.
    pub markers: Vec<Marker>,
    /// Custom number curves (custom properties) from the file.
    pub curves: Vec<Curve>,
}

impl Clip {
    /// Returns the tracks of a bone; adds an empty entry if there is none.
    pub(crate) fn tracks_mut(&mut self, bone: u16) -> &mut BoneTracks {
        let found = self.bones.binary_search_by_key(&bone, |tracks| tracks.bone);
        let at = found.unwrap_or_else(|at| {
            self.bones.insert(at, BoneTracks::still(bone));
            at
        });
        &mut self.bones[at]
    }

    /// Key times of every track.
    pub(super) fn key_times(&self) -> impl Iterator<Item = &[f32]> {
        let bones = self.bones.iter().flat_map(|tracks| {
            [
                tracks.translation.as_ref().map(|track| &*track.times),
                tracks.rotation.as_ref().map(|track| &*track.times),
                tracks.scale.as_ref().map(|track| &*track.times),
            ]
        });
        let morphs = self.morphs.iter().map(|morph| Some(&*morph.track.times));
        let all = bones.chain(morphs).flatten();
        all.filter(|times| !times.is_empty())
    }

    /// Number of keys of the track that has the most.
    pub(super) fn max_keys(&self) -> usize {
        self.key_times().map(<[f32]>::len).max().unwrap_or(0)
    }
}

/// A named number over time: a custom property, a foot lock, a light's intensity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Name as authored; unique within a clip.
    pub name: String,
    /// Keys, one value each (three for splines).
    pub track: Track<f32>,
}

impl Curve {
    /// Samples the curve at `t` seconds, clamped to its first and last key.
    pub fn at(&self, t: f32) -> f32 {
        super::sample::sample_weight(&self.track, 1, 0, t)
    }
}
