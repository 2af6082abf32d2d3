//! Analysis of an authored clip: its frame grid, and the encoding of every channel (omitted, constant, sampled, or
//! kept as keys).
//!
//! Used by the encoder. Invariant: only reads the clip.

use galatea_math::clamp::ClampTo as _;
use glam::{Quat, Vec3};

use super::PackOptions;
use crate::arc::arc;
use crate::sample::{sample_rotation, sample_vec3, sample_weights};
use crate::tools::LONG;
use crate::{BoneTracks, Clip, Interpolation, MorphTrack, Skeleton, Track};

/// Encoding of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelEncoding {
    /// Omitted: the clip has no track, or one that stays at rest.
    Rest,
    /// A single value.
    Constant,
    /// Frames or control points.
    Packed,
    /// Authored keys.
    Exact,
}

/// Values of one channel at every frame (one value if it is constant), and its encoding.
#[derive(Clone, Debug)]
pub struct Sampled<T> {
    pub encoding: ChannelEncoding,
    pub frames: Vec<T>,
    /// Values at every frame of a channel that is stored as a constant although it varies slightly.
    varied: Vec<T>,
    /// Linear interpolation between the frames does not match the track exactly.
    pub strays: bool,
}

impl<T: Copy> Sampled<T> {
    /// Value at a frame.
    #[inline]
    pub fn at(&self, frame: usize) -> T {
        if self.frames.len() == 1 {
            self.frames[0]
        } else {
            self.frames[frame]
        }
    }

    /// Authored value at a frame, independent of the encoding.
    #[inline]
    pub fn authored(&self, frame: usize) -> T {
        match self.varied.get(frame) {
            Some(value) => *value,
            None => self.at(frame),
        }
    }
}

/// The three channels of a bone.
#[derive(Clone, Debug)]
pub struct BoneChannels {
    pub translation: Sampled<Vec3>,
    pub rotation: Sampled<Quat>,
    pub scale: Sampled<Vec3>,
}

/// Frame grid of a clip: start, rate and number of frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameTimes {
    pub start: f32,
    pub rate: f32,
    pub n: usize,
}

/// Candidate rates for clips with keys on no grid, and the maximum rate derived from keys, Hz.
const FREE_RATES: [f32; 3] = [30.0, 60.0, 120.0];
const MAX_RATE: f32 = 250.0;
/// Maximum number of frames of a clip, from the number of keys in its densest track. Without it, a few keys far apart
/// would fill the memory with frames.
fn max_frames(clip: &Clip) -> f32 {
    (64 + 32 * clip.max_keys()).min(1_000_000) as f32
}

/// Returns true if a time is on a frame, within a thousandth of the frame time.
fn on_grid(t: f32, frames: &FrameTimes) -> bool {
    let x = f64::from(t - frames.start) * f64::from(frames.rate);
    (x - x.round()).abs() < 1e-3 + x.abs() * 2e-7
}

/// Grid of the keys, if most tracks with several keys share one.
pub fn authored_grid(clip: &Clip) -> Option<FrameTimes> {
    let densest = clip.key_times().max_by_key(|times| times.len())?;
    if densest.len() < 3 {
        return None;
    }
    let start = clip
        .key_times()
        .map(|times| times[0])
        .fold(f32::INFINITY, f32::min);
    let end = clip
        .key_times()
        .map(|times| times[times.len() - 1])
        .fold(0.0, f32::max);
    let mut gaps: Vec<f32> = densest.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.sort_by(f32::total_cmp);
    let gap = gaps[gaps.len() / 2];
    let seconds = end - start;
    if !(gap > 0.0 && seconds > 0.0 && seconds / gap < max_frames(clip)) {
        return None;
    }
    // The last key is on the grid, which makes the rate exact.
    let n = (f64::from(seconds) / f64::from(gap)).round().max(1.0);
    let rate = (n / f64::from(seconds)) as f32;
    let frames = FrameTimes {
        start,
        rate,
        n: n as usize + 1,
    };
    let on = densest.iter().filter(|t| on_grid(**t, &frames)).count();
    (rate <= MAX_RATE && on * 10 >= densest.len() * 9).then_some(frames)
}

/// Grid for a clip with keys on no grid.
fn free_grid(clip: &Clip, rate: f32) -> FrameTimes {
    let end = clip.duration.max(0.0);
    let max_n = if end > LONG {
        (64 + 4 * clip.max_keys()).min(1_000_000) as f32
    } else {
        max_frames(clip)
    };
    let n = (end * rate).ceil().clamp_to(1.0, max_n);
    FrameTimes {
        start: 0.0,
        rate: n / end,
        n: n as usize + 1,
    }
}

/// Error bounds of one bone.
#[derive(Clone, Copy, Debug)]
pub struct ErrorBounds {
    /// Maximum error of any point moved by the bone, metres.
    pub bound: f32,
    /// Distance from the bone's origin to the farthest point it moves, metres.
    pub reach: f32,
}

/// Maximum deviation of a sampled track from its keys between frames, and of a constant from its track, as fractions
/// of the bound.
const STRAY_FRACTION: f32 = 0.2;
const STILL_FRACTION: f32 = 0.03;

/// Returns true if linear interpolation between the frames matches the track within `max_error`, measured by
/// `distance`.
fn follows<T: Copy>(
    track: &Track<T>,
    frames: &FrameTimes,
    max_error: f32,
    at: impl Fn(f32) -> T,
    between: impl Fn(T, T, f32) -> T,
    distance: impl Fn(T, T) -> f32,
) -> bool {
    match track.interpolation {
        Interpolation::Step => false,
        Interpolation::Linear if track.times.iter().all(|&t| on_grid(t, frames)) => true,
        _ => {
            let time = |x: f32| frames.start + x / frames.rate;
            let probe = |x: f32| {
                let frame = x.floor().clamp_to(0.0, (frames.n - 2) as f32);
                let line = between(at(time(frame)), at(time(frame + 1.0)), x - frame);
                distance(line, at(time(x))) <= max_error
            };
            let keys = (track.times.iter()).map(|t| (t - frames.start) * frames.rate);
            frames.n >= 2
                && keys.into_iter().all(probe)
                && (0..frames.n - 1).all(|i| {
                    [0.25, 0.5, 0.75]
                        .iter()
                        .all(|fraction| probe(i as f32 + fraction))
                })
        }
    }
}

/// Bytes of a track stored as keys.
fn key_bytes<T>(track: &Track<T>) -> usize {
    track.times.len() * 4 + track.values.len() * size_of::<T>()
}

/// Sparse keys, which are set by hand, are kept up to this size because they are exact.
const SPARSE_RATE: f32 = 10.0;
const SPARSE_BYTES: usize = 2048;

/// Returns true if keys are smaller than about `packed` bytes, or few and sparse.
fn prefers_keys(keys: usize, packed: usize, frames: &FrameTimes) -> bool {
    keys < 24 + packed || frames.rate < SPARSE_RATE && keys < SPARSE_BYTES
}

/// Chooses the encoding of one channel and samples it.
fn channel<T: Copy>(
    track: Option<&Track<T>>,
    rest: T,
    frames: &FrameTimes,
    max_error: f32,
    at: impl Fn(&Track<T>, f32) -> T,
    between: impl Fn(T, T, f32) -> T,
    distance: impl Fn(T, T) -> f32,
) -> Sampled<T> {
    let still = |encoding, value, varied| Sampled {
        encoding,
        frames: vec![value],
        varied,
        strays: false,
    };
    let Some(track) = track else {
        return still(ChannelEncoding::Rest, rest, Vec::new());
    };
    let time = |i: usize| frames.start + i as f32 / frames.rate;
    let keys_on_frames = track.interpolation != Interpolation::CubicSpline
        && track.times.iter().all(|&t| on_grid(t, frames));
    let sampled = || -> Vec<T> {
        if keys_on_frames && track.times.len() == frames.n {
            // A key at every frame: the values are copied without arithmetic.
            track.values.clone()
        } else {
            (0..frames.n).map(|i| at(track, time(i))).collect()
        }
    };
    let first = at(track, frames.start);
    // Splines can overshoot between equal keys; they are checked frame by frame below.
    let is_not_spline = track.interpolation != Interpolation::CubicSpline;
    let is_still = is_not_spline
        && (track.values.iter()).all(|value| distance(*value, first) <= max_error * STILL_FRACTION);
    if is_still {
        let at_rest = distance(first, rest) <= max_error * STILL_FRACTION;
        let (encoding, constant) = if at_rest {
            (ChannelEncoding::Rest, rest)
        } else {
            (ChannelEncoding::Constant, first)
        };
        let varies = (track.values.iter()).any(|value| distance(*value, constant) > 0.0);
        let varied = if varies && frames.n > 1 {
            sampled()
        } else {
            Vec::new()
        };
        return still(encoding, constant, varied);
    }
    let values = if frames.n < 2 { vec![first] } else { sampled() };
    let follows = follows(
        track,
        frames,
        max_error * STRAY_FRACTION,
        |t| at(track, t),
        between,
        distance,
    );
    let keys_are_smaller = prefers_keys(key_bytes(track), 2 * frames.n, frames);
    let encoding = if follows && !keys_are_smaller && frames.n >= 2 {
        ChannelEncoding::Packed
    } else {
        ChannelEncoding::Exact
    };
    Sampled {
        encoding,
        frames: values,
        varied: Vec::new(),
        strays: !keys_on_frames,
    }
}

/// Angle between two rotations, radians; exact for small angles.
pub fn angle(a: Quat, b: Quat) -> f32 {
    let difference = a.conjugate() * b;
    2.0 * difference.xyz().length().min(1.0).asin()
}

/// Samples and classifies every bone of the skeleton.
pub fn bones(
    skeleton: &Skeleton,
    clip: &Clip,
    frames: &FrameTimes,
    limits: &[ErrorBounds],
) -> Vec<BoneChannels> {
    let mut by_bone: Vec<Option<&BoneTracks>> = vec![None; skeleton.len()];
    for tracks in &clip.bones {
        if let Some(slot) = by_bone.get_mut(usize::from(tracks.bone)) {
            *slot = Some(tracks);
        }
    }
    let all = skeleton.bones().iter().zip(by_bone).zip(limits);
    all.map(|((bone, tracks), limits)| {
        let point = |a: Vec3, b: Vec3| a.distance(b);
        let lerp = |a: Vec3, b: Vec3, u: f32| a.lerp(b, u);
        BoneChannels {
            translation: channel(
                tracks.and_then(|tracks| tracks.translation.as_ref()),
                bone.rest.translation,
                frames,
                limits.bound,
                sample_vec3,
                lerp,
                point,
            ),
            rotation: channel(
                tracks.and_then(|tracks| tracks.rotation.as_ref()),
                bone.rest.rotation,
                frames,
                limits.bound / limits.reach,
                |track, t| super::turn::unit(sample_rotation(track, t)),
                |a, b, u| super::turn::unit(arc(a, b, u)),
                angle,
            ),
            scale: channel(
                tracks.and_then(|tracks| tracks.scale.as_ref()),
                bone.rest.scale,
                frames,
                limits.bound / limits.reach,
                sample_vec3,
                lerp,
                point,
            ),
        }
    })
    .collect()
}

/// Grid of the clip: its own, or the first candidate that every animated channel follows.
pub fn grid(
    skeleton: &Skeleton,
    clip: &Clip,
    limits: &[ErrorBounds],
) -> (FrameTimes, Vec<BoneChannels>) {
    if let Some(frames) = authored_grid(clip) {
        return (frames, bones(skeleton, clip, &frames, limits));
    }
    if clip.duration <= 0.0 {
        let frames = FrameTimes {
            start: 0.0,
            rate: 0.0,
            n: 1,
        };
        return (frames, bones(skeleton, clip, &frames, limits));
    }
    let mut chosen: Option<(FrameTimes, Vec<BoneChannels>, usize)> = None;
    for rate in FREE_RATES {
        let frames = free_grid(clip, rate);
        // The frame limit gives a very long clip the same grid at a higher rate.
        if chosen.as_ref().is_some_and(|(known, ..)| *known == frames) {
            break;
        }
        let channels = bones(skeleton, clip, &frames, limits);
        let n_exact = (channels.iter())
            .flat_map(|bone| {
                [
                    bone.translation.encoding,
                    bone.rotation.encoding,
                    bone.scale.encoding,
                ]
            })
            .filter(|encoding| *encoding == ChannelEncoding::Exact)
            .count();
        // A higher rate doubles the frames, so it must more than halve the channels kept as keys.
        let better = chosen
            .as_ref()
            .is_none_or(|(_, _, fewest_exact)| n_exact * 2 < *fewest_exact);
        if better {
            chosen = Some((frames, channels, n_exact));
        }
        if n_exact == 0 {
            break;
        }
    }
    let (frames, channels, _) = chosen.unwrap_or_else(|| {
        let frames = free_grid(clip, FREE_RATES[0]);
        (frames, bones(skeleton, clip, &frames, limits), 0)
    });
    (frames, channels)
}

/// Values of a morph track at every frame, if it is to be packed.
pub fn morph_frames(
    morph: &MorphTrack,
    frames: &FrameTimes,
    options: &PackOptions,
) -> Option<Vec<f32>> {
    let n = morph.n_targets;
    if n == 0 || frames.n < 2 {
        return None;
    }
    let weights = |t: f32| {
        let mut out = vec![0.0; n];
        sample_weights(&morph.track, n, t, &mut out);
        out
    };
    let follows = match morph.track.interpolation {
        Interpolation::Step => false,
        Interpolation::Linear if morph.track.times.iter().all(|&t| on_grid(t, frames)) => true,
        _ => {
            let time = |x: f32| frames.start + x / frames.rate;
            let most = options.weight_tolerance * STRAY_FRACTION;
            let probe = |x: f32| {
                let frame = x.floor().clamp_to(0.0, (frames.n - 2) as f32);
                let (a, b) = (weights(time(frame)), weights(time(frame + 1.0)));
                let exact = weights(time(x));
                (a.iter().zip(&b).zip(&exact))
                    .all(|((a, b), w)| (a + (b - a) * (x - frame) - w).abs() <= most)
            };
            (morph.track.times.iter()).all(|t| probe((t - frames.start) * frames.rate))
                && (0..frames.n - 1).all(|i| {
                    [0.25, 0.5, 0.75]
                        .iter()
                        .all(|fraction| probe(i as f32 + fraction))
                })
        }
    };
    let keys_are_smaller = prefers_keys(key_bytes(&morph.track), frames.n * n / 2, frames);
    (follows && !keys_are_smaller).then(|| {
        let time = |i: usize| frames.start + i as f32 / frames.rate;
        (0..frames.n).flat_map(|i| weights(time(i))).collect()
    })
}
