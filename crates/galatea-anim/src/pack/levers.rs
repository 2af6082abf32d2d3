//! Influence of each bone on points: reach, lever, fraction of the error bound, and the rotation that compensates a
//! displaced origin.
//!
//! Used by the encoder, once per clip.

use glam::{Mat3A, Vec3, Vec3A};

use super::PackOptions;
use super::cell::ChannelGroup;
use super::channels::{BoneChannels, ChannelEncoding, ErrorBounds};
use super::search::SearchTask;
use crate::{Clip, Skeleton};

/// Error bound and reach of every bone.
pub fn limits(skeleton: &Skeleton, clip: &Clip, options: &PackOptions) -> Vec<ErrorBounds> {
    let bones = skeleton.bones();
    let precisions = options.precisions(bones.len());
    let mut offsets: Vec<f32> = bones
        .iter()
        .map(|bone| bone.rest.translation.length())
        .collect();
    let mut scales: Vec<f32> = bones
        .iter()
        .map(|bone| bone.rest.scale.abs().max_element())
        .collect();
    for tracks in &clip.bones {
        let b = usize::from(tracks.bone);
        if b >= bones.len() {
            continue;
        }
        if let Some(track) = &tracks.translation {
            let far = track
                .values
                .iter()
                .map(|v| v.length_squared())
                .fold(0.0, f32::max)
                .sqrt();
            offsets[b] = offsets[b].max(far);
        }
        if let Some(track) = &tracks.scale {
            let far = track
                .values
                .iter()
                .map(|v| v.abs().max_element())
                .fold(0.0, f32::max);
            scales[b] = scales[b].max(far);
        }
    }
    let mut limits: Vec<ErrorBounds> = (precisions.iter())
        .map(|precision| ErrorBounds {
            bound: precision.bound.max(1e-7),
            reach: precision.distance.max(1e-4),
        })
        .collect();
    for (b, bone) in bones.iter().enumerate().rev() {
        limits[b].reach *= scales[b].max(1e-6);
        // A bone must respect the strictest bound of its descendants.
        if let Some(parent) = bone.parent {
            let parent = usize::from(parent);
            let through = offsets[b] + limits[b].reach;
            limits[parent].reach = limits[parent].reach.max(through);
            limits[parent].bound = limits[parent].bound.min(limits[b].bound);
        }
    }
    limits
}

/// Collects the data that the search needs about a clip.
pub fn task<'a>(
    skeleton: &'a Skeleton,
    channels: &'a [BoneChannels],
    groups: &'a [ChannelGroup],
    groups_of: Vec<Vec<usize>>,
    limits: &'a [ErrorBounds],
    options: &PackOptions,
) -> SearchTask<'a> {
    let bones = skeleton.bones();
    let distances: Vec<f32> = (options.precisions(bones.len()).iter())
        .map(|precision| precision.distance.max(1e-4))
        .collect();
    let closed = channels.iter().all(|channels| {
        (channels.scale.frames.iter()).all(|scale| {
            scale.x > 1e-3 && (scale.y - scale.x).abs() + (scale.z - scale.x).abs() < 1e-6
        }) && channels.scale.encoding != ChannelEncoding::Packed
            && channels.scale.encoding != ChannelEncoding::Exact
    });
    let mut levers = distances.clone();
    let distances_for_aims = distances.clone();
    for (b, bone) in bones.iter().enumerate().rev() {
        let own = &channels[b];
        if let Some(parent) = bone.parent {
            let far = (own.translation.frames.iter())
                .map(|v| v.length())
                .fold(0.0, f32::max);
            let through = match (own.translation.encoding, own.rotation.encoding) {
                (ChannelEncoding::Packed, ChannelEncoding::Packed) => 0.0,
                (_, ChannelEncoding::Packed) => far,
                _ => far + levers[b],
            };
            let parent = usize::from(parent);
            levers[parent] = levers[parent].max(through);
        }
    }
    if !closed {
        levers = limits.iter().map(|limits| limits.reach).collect();
    }
    // Number of stored rotations above (including the bone) and below, on the longest path.
    let stored = |b: usize| usize::from(channels[b].rotation.encoding == ChannelEncoding::Packed);
    let mut above = vec![0usize; bones.len()];
    let mut below = vec![0usize; bones.len()];
    for (b, bone) in bones.iter().enumerate() {
        above[b] = stored(b) + bone.parent.map_or(0, |parent| above[usize::from(parent)]);
    }
    for (b, bone) in bones.iter().enumerate().rev() {
        if let Some(parent) = bone.parent {
            let parent = usize::from(parent);
            below[parent] = below[parent].max(below[b] + stored(b));
        }
    }
    let fractions = (above.iter().zip(&below))
        .map(|(above, below)| 1.0 / ((above + below).max(1) as f32).sqrt())
        .collect();
    SearchTask {
        skeleton,
        channels,
        groups,
        groups_of,
        limits,
        distances,
        levers,
        fractions,
        aims: aims(skeleton, channels, &distances_for_aims),
        closed,
    }
}

/// For every bone, the linear map from an error `e` of its origin to the rotation `ω` that minimises `Σ |e + ω ×
/// p|²`. The sum runs over the origins `p` of its children and its own three points, in the bone's frame: `ω = -A⁻¹
/// (Σ p) × e` with `A = Σ (p² - p pᵀ)`.
fn aims(skeleton: &Skeleton, channels: &[BoneChannels], distances: &[f32]) -> Vec<Mat3A> {
    let bones = skeleton.bones();
    let mut matrices = vec![Mat3A::ZERO; bones.len()];
    let mut sums = vec![Vec3A::ZERO; bones.len()];
    let mut add = |b: usize, p: Vec3A| {
        let square = p.length_squared();
        matrices[b] +=
            Mat3A::from_diagonal(Vec3::splat(square)) - Mat3A::from_cols(p * p.x, p * p.y, p * p.z);
    };
    for (b, bone) in bones.iter().enumerate() {
        for axis in [Vec3A::X, Vec3A::Y, Vec3A::Z] {
            add(b, axis * distances[b]);
        }
        if let Some(parent) = bone.parent
            && channels[b].translation.encoding != ChannelEncoding::Packed
        {
            let offset = channels[b].translation.frames[0];
            add(usize::from(parent), offset.into());
            sums[usize::from(parent)] += Vec3A::from(offset);
        }
    }
    (matrices.iter().zip(&sums))
        .map(|(matrix, sum)| {
            let s = *sum;
            let cross = Mat3A::from_cols(
                Vec3A::new(0.0, s.z, -s.y),
                Vec3A::new(-s.z, 0.0, s.x),
                Vec3A::new(s.y, -s.x, 0.0),
            );
            matrix.inverse() * cross * -1.0
        })
        .collect()
}
