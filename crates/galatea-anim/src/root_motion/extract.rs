//! Extraction of root motion: finds the bone that carries a clip's motion over the ground, and its motion.

use std::f32::consts::{PI, TAU};

use glam::{Affine3A, Quat, Vec3};

use super::{RootDelta, RootTrack};
use crate::sample::{sample_rotation, sample_vec3};
use crate::tools::{SampledPoses, densest_rate, n_probes, time};
use crate::{BoneTracks, Clip, Interpolation, Skeleton, Track};

/// Components of a clip's motion that are extracted as root motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootOptions {
    /// Horizontal motion.
    pub xz: bool,
    /// Vertical motion. Includes the bobbing of a walk, so it is meant for jumps and climbs.
    pub y: bool,
    /// Rotation about +Y.
    pub yaw: bool,
    /// Extracts only a uniform motion from the first to the last position. The sway of hips stays in the pose.
    pub steady: bool,
    /// Samples per second.
    pub rate: f32,
}

impl Default for RootOptions {
    /// Horizontal motion and rotation, not smoothed, 60 samples per second.
    fn default() -> Self {
        Self {
            xz: true,
            y: false,
            yaw: true,
            steady: false,
            rate: 60.0,
        }
    }
}

/// Names of root bones, best first. Case, blanks and prefixes before a colon are ignored.
const NAMES: [&str; 9] = [
    "root", "rootbone", "motion", "hips", "hip", "pelvis", "bip01", "armature", "cog",
];

/// Minimum own movement of a bone that carries the body, as a fraction of the skeleton's size.
const MIN_ROOT_SPAN: f32 = 0.05;
/// Minimum own movement of a bone that counts as moved, as a fraction of the skeleton's size; less is rounding.
const MIN_SPAN: f32 = 1e-5;
/// Minimum rotation about +Y of a bone that counts as moved, radians.
const MIN_BONE_ROTATION: f32 = 1e-4;

/// Finds the bone that carries the clip over the ground. It is the best of the bones whose own translation spans more
/// than 5 % of the skeleton's size. If there is none, it is a bone named as a root (`root`, `hips`, `pelvis` …), even
/// if the clip does not move it.
///
/// Candidates are named as a root, or have at least half of the bones below them. Only the topmost count. The name
/// decides first, then the number of bones below.
pub fn find_root_bone(skeleton: &Skeleton, clip: &Clip) -> Option<u16> {
    let candidates = RootCandidates::new(skeleton, clip)?;
    let named = || {
        let bones = 0..skeleton.len() as u16;
        let ranked = bones.filter_map(|b| Some((rank(skeleton, b)?, b)));
        ranked.min().map(|(_, bone)| bone)
    };
    candidates.best(MIN_ROOT_SPAN, f32::INFINITY).or_else(named)
}

/// Finds the bone whose motion over the ground is the clip's root motion: the result of [`find_root_bone`], else the
/// best candidate that the clip moves horizontally or rotates about +Y.
pub fn find_moving_root(skeleton: &Skeleton, clip: &Clip) -> Option<u16> {
    let candidates = RootCandidates::new(skeleton, clip)?;
    candidates
        .best(MIN_ROOT_SPAN, f32::INFINITY)
        .or_else(|| candidates.best(MIN_SPAN, MIN_BONE_ROTATION))
}

/// Rank of a bone's name as a root name; 0 is best.
fn rank(skeleton: &Skeleton, bone: u16) -> Option<usize> {
    let name = plain(&skeleton.bones()[usize::from(bone)].name);
    NAMES.iter().position(|known| *known == name)
}

/// Candidates for a clip's root bone.
struct RootCandidates<'a> {
    skeleton: &'a Skeleton,
    moves: Vec<OwnMovement>,
    /// Number of bones in the subtree of each bone.
    n_below: Vec<usize>,
    /// Longest edge of the bounding box of the bones at the clip's start, metres.
    size: f32,
}

impl<'a> RootCandidates<'a> {
    fn new(skeleton: &'a Skeleton, clip: &Clip) -> Option<Self> {
        let bones = skeleton.bones();
        let frames = SampledPoses::at(skeleton, clip, [0.0].into_iter(), 0.0);
        if frames.is_empty() {
            return None;
        }
        let mut n_below = vec![1_usize; bones.len()];
        for b in (0..bones.len()).rev() {
            if let Some(parent) = bones[b].parent {
                n_below[usize::from(parent)] += n_below[b];
            }
        }
        let is_candidate = |tracks: &&BoneTracks| {
            let b = usize::from(tracks.bone);
            b < bones.len()
                && (rank(skeleton, tracks.bone).is_some() || 2 * n_below[b] >= bones.len())
        };
        let candidates = clip.bones.iter().filter(is_candidate);
        let moves = candidates.map(|tracks| OwnMovement::of(skeleton, &frames, clip, tracks));
        Some(Self {
            skeleton,
            moves: moves.collect(),
            size: extent((0..bones.len()).map(|b| frames.position(0, b))),
            n_below,
        })
    }

    /// Returns the best bone that moves by more than a fraction of the skeleton's size, or rotates by more than an
    /// angle.
    fn best(&self, min_span: f32, min_turn: f32) -> Option<u16> {
        let moving = self
            .moves
            .iter()
            .filter(|own| own.span > min_span * self.size || own.turn > min_turn);
        let moving: Vec<u16> = moving.map(|own| own.bone).collect();
        let parent = |bone: &u16| self.skeleton.bones()[usize::from(*bone)].parent;
        // Only the topmost counts, because a bone can move just with its parent.
        let topmost = |bone: &u16| {
            let mut above = std::iter::successors(parent(bone), parent);
            !above.any(|b| moving.contains(&b))
        };
        let top = || moving.iter().copied().filter(topmost);
        let named = top().filter_map(|b| Some((rank(self.skeleton, b)?, b)));
        let below = |bone: &u16| (self.n_below[usize::from(*bone)], std::cmp::Reverse(*bone));
        named
            .min()
            .map(|(_, bone)| bone)
            .or_else(|| top().max_by_key(below))
    }
}

/// Movement of a bone by its own tracks, independent of its parents.
struct OwnMovement {
    bone: u16,
    /// Longest edge of the bounding box of its horizontal positions, model space, metres.
    span: f32,
    /// Maximum rotation about +Y from the first pose, radians.
    turn: f32,
}

impl OwnMovement {
    /// Measures a bone; `at_start` is the pose at the clip's start.
    fn of(skeleton: &Skeleton, at_start: &SampledPoses, clip: &Clip, tracks: &BoneTracks) -> Self {
        let bone = tracks.bone;
        let n = n_probes(clip, 10.0);
        let times = || (0..=n).map(|i| time(clip.duration, i, n));
        let parent = skeleton.bones()[usize::from(bone)].parent.map(usize::from);
        let span = tracks.translation.as_ref().map_or(0.0, |track| {
            let model_from_parent = parent.map_or(Affine3A::IDENTITY, |b| at_start.model(0)[b]);
            let own = |t| {
                model_from_parent
                    .transform_point3(sample_vec3(track, t))
                    .with_y(0.0)
            };
            extent(times().map(own))
        });
        let turn = tracks.rotation.as_ref().map_or(0.0, |track| {
            let parent_turn =
                parent.map_or(Quat::IDENTITY, |b| model_turn(skeleton, at_start, 0, b));
            let own = |t| parent_turn * sample_rotation(track, t);
            let first = own(0.0).inverse();
            times()
                .map(|t| twist_y(own(t) * first).abs())
                .fold(0.0, f32::max)
        });
        Self { bone, span, turn }
    }
}

fn plain(name: &str) -> String {
    let own = name.rsplit([':', '|']).next().unwrap_or(name);
    let letters = own.chars().filter(|c| c.is_ascii_alphanumeric());
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

/// Longest edge of the bounding box of points.
fn extent(points: impl Iterator<Item = Vec3> + Clone) -> f32 {
    let low = points.clone().reduce(Vec3::min).unwrap_or_default();
    let high = points.reduce(Vec3::max).unwrap_or_default();
    (high - low).max_element()
}

impl RootTrack {
    /// Extracts the motion of `bone` from a clip, in model space.
    pub fn extract(skeleton: &Skeleton, clip: &Clip, bone: u16, options: &RootOptions) -> Self {
        let frames = SampledPoses::of_bones(skeleton, clip, options.rate, &[bone]);
        Self::extract_from(skeleton, &frames, clip.duration, bone, options)
    }

    /// Runs [`RootTrack::extract`] on poses that were sampled at the rate of the options and contain the bone.
    pub fn extract_from(
        skeleton: &Skeleton,
        frames: &SampledPoses,
        duration: f32,
        bone: u16,
        options: &RootOptions,
    ) -> Self {
        if usize::from(bone) >= skeleton.len() || frames.len() < 2 {
            return Self::new(bone, duration, Vec::new());
        }
        let turn = |i: usize| model_turn(skeleton, frames, i, usize::from(bone));
        let position = |i: usize| frames.position(i, usize::from(bone));
        let (first_turn, first_position) = (turn(0), position(0));
        let mut yaw = 0.0;
        let mut samples: Vec<RootDelta> = (0..frames.len())
            .map(|i| {
                if options.yaw {
                    let next = twist_y(turn(i) * first_turn.inverse());
                    yaw += wrap(next - yaw);
                }
                let moved = position(i) - Quat::from_rotation_y(yaw) * first_position;
                RootDelta {
                    translation: Vec3::new(
                        if options.xz { moved.x } else { 0.0 },
                        if options.y { moved.y } else { 0.0 },
                        if options.xz { moved.z } else { 0.0 },
                    ),
                    yaw,
                }
            })
            .collect();
        if options.steady {
            straighten(&mut samples, first_position);
        }
        Self::new(bone, duration, samples)
    }

    /// Removes the motion from the bone's tracks; the clip then stays in place at its start. The bone gets keys at
    /// the track's samples. Other clips that play below this one must not animate its parents.
    pub fn strip(&self, skeleton: &Skeleton, clip: &Clip) -> Clip {
        self.rewrite(skeleton, clip, |locals, t| {
            self.remove_from(skeleton, locals, t);
        })
    }

    /// Adds this motion to the bone's tracks; undoes [`RootTrack::strip`].
    pub fn restore(&self, skeleton: &Skeleton, clip: &Clip) -> Clip {
        self.rewrite(skeleton, clip, |locals, t| {
            self.add_to(skeleton, locals, t);
        })
    }

    fn rewrite(
        &self,
        skeleton: &Skeleton,
        clip: &Clip,
        change: impl Fn(&mut [galatea_math::Trs], f32),
    ) -> Clip {
        let mut out = clip.clone();
        let bone = usize::from(self.bone);
        let rate = (self.samples.len() - 1) as f32 / self.duration.max(f32::MIN_POSITIVE);
        let frames = SampledPoses::new(skeleton, clip, rate.max(densest_rate(clip)));
        if bone >= skeleton.len() || frames.is_empty() {
            return out;
        }
        let n = frames.len();
        let times: Vec<f32> = (0..n).map(|i| frames.time(i, clip.duration)).collect();
        let (mut positions, mut turns) = (Vec::with_capacity(n), Vec::<Quat>::with_capacity(n));
        let mut locals = Vec::new();
        for (i, t) in times.iter().enumerate() {
            locals.clear();
            locals.extend_from_slice(frames.locals(i));
            change(&mut locals, *t);
            positions.push(locals[bone].translation);
            let turn = locals[bone].rotation;
            let before = turns.last().copied().unwrap_or(turn);
            turns.push(if before.dot(turn) < 0.0 { -turn } else { turn });
        }
        let tracks = out.tracks_mut(self.bone);
        let interpolation = Interpolation::Linear;
        tracks.translation = Some(Track {
            times: times.clone(),
            values: positions,
            interpolation,
        });
        tracks.rotation = Some(Track {
            times,
            values: turns,
            interpolation,
        });
        out
    }
}

/// Replaces the samples by a uniform motion of the root's ground point and a uniform rotation.
fn straighten(samples: &mut [RootDelta], first_position: Vec3) {
    let Some(last) = samples.last().copied() else {
        return;
    };
    let n = samples.len() - 1;
    // The root's ground point should move straight, not the origin.
    let ground = Vec3::new(first_position.x, 0.0, first_position.z);
    let end = last.point(ground) - ground;
    for (i, sample) in samples.iter_mut().enumerate() {
        let u = i as f32 / n as f32;
        let yaw = last.yaw * u;
        let turned = Quat::from_rotation_y(yaw) * ground;
        *sample = RootDelta {
            translation: ground + end * u - turned,
            yaw,
        };
    }
}

/// Model-space rotation of a bone in frame `i`, without scale.
fn model_turn(skeleton: &Skeleton, frames: &SampledPoses, i: usize, bone: usize) -> Quat {
    let mut turn = frames.local(i, bone).rotation;
    let mut next = skeleton.bones()[bone].parent;
    while let Some(parent) = next.map(usize::from) {
        turn = frames.local(i, parent).rotation * turn;
        next = skeleton.bones()[parent].parent;
    }
    turn
}

/// Rotation about +Y in a rotation, radians in -π..=π; 0 for a half turn about a horizontal axis, which has none.
pub(crate) fn twist_y(q: Quat) -> f32 {
    if q.y == 0.0 && q.w == 0.0 {
        return 0.0;
    }
    wrap(2.0 * q.y.atan2(q.w))
}

/// Wraps an angle to -π..=π.
pub(crate) fn wrap(angle: f32) -> f32 {
    let wrapped = (angle + PI).rem_euclid(TAU) - PI;
    if wrapped.is_finite() { wrapped } else { 0.0 }
}
