//! Which bone carries a clip's motion over the ground, and what that motion is.

use std::f32::consts::{PI, TAU};

use glam::{Affine3A, Quat, Vec3};

use super::{RootDelta, RootTrack};
use crate::sample::{sample_rotation, sample_vec3};
use crate::tools::{SampledPoses, densest_rate, n_probes, time};
use crate::{BoneTracks, Clip, Interpolation, Skeleton, Track};

/// What is taken out of a clip as root motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootOptions {
    /// The motion over the ground.
    pub xz: bool,
    /// The motion up and down; a walk's bobbing too, so it is for jumps and climbs.
    pub y: bool,
    /// The turn about +Y.
    pub yaw: bool,
    /// Only the steady part: a straight way from the first place to the last at even speed. The sway
    /// of hips stays in the pose.
    pub steady: bool,
    /// Samples per second.
    pub rate: f32,
}

impl Default for RootOptions {
    /// The ground and the turn, as they are, 60 times a second.
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

/// Names of root bones, best first; compared without case, blanks and what stands before a colon.
const NAMES: [&str; 9] = [
    "root", "rootbone", "motion", "hips", "hip", "pelvis", "bip01", "armature", "cog",
];

/// Own movement from which a bone counts as carrying the body, as a fraction of the skeleton's size.
const CARRIES: f32 = 0.05;
/// Own movement from which a bone counts as moved at all, likewise; less is rounding.
const MOVES: f32 = 1e-5;
/// A turn about +Y from which a bone counts as moved at all, radians.
const TURNS: f32 = 1e-4;

/// The bone that carries the clip over the ground: the best of the bones whose own translation spans more than 5 % of the
/// skeleton's size, else a bone named as a root (`root`, `hips`, `pelvis` …), whether the clip moves it or not.
///
/// Candidates are named as a root or have at least half of the bones below them. Only the topmost count; a name decides,
/// then the number of bones below.
pub fn find_root_bone(skeleton: &Skeleton, clip: &Clip) -> Option<u16> {
    let candidates = RootCandidates::new(skeleton, clip)?;
    let named = || {
        let bones = 0..skeleton.len() as u16;
        let ranked = bones.filter_map(|b| Some((rank(skeleton, b)?, b)));
        ranked.min().map(|(_, bone)| bone)
    };
    candidates.best(CARRIES, f32::INFINITY).or_else(named)
}

/// The bone whose motion over the ground is the clip's root motion: as [`find_root_bone`], else the best candidate that
/// the clip moves over the ground or turns about +Y at all.
pub fn find_moving_root(skeleton: &Skeleton, clip: &Clip) -> Option<u16> {
    let candidates = RootCandidates::new(skeleton, clip)?;
    candidates
        .best(CARRIES, f32::INFINITY)
        .or_else(|| candidates.best(MOVES, TURNS))
}

/// Rank of a bone's name as that of a root; 0 is best.
fn rank(skeleton: &Skeleton, bone: u16) -> Option<usize> {
    let name = plain(&skeleton.bones()[usize::from(bone)].name);
    NAMES.iter().position(|known| *known == name)
}

/// The bones of a clip that may be its root.
struct RootCandidates<'a> {
    skeleton: &'a Skeleton,
    moves: Vec<OwnMovement>,
    /// Bones in the subtree of each bone.
    n_below: Vec<usize>,
    /// Longest side of the box around the bones at the clip's start, metres.
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
            size: extent((0..bones.len()).map(|b| frames.place(0, b))),
            n_below,
        })
    }

    /// The best bone that moves by more than a fraction of the skeleton's size, or turns by more than an angle.
    fn best(&self, least: f32, least_turn: f32) -> Option<u16> {
        let moving = self
            .moves
            .iter()
            .filter(|own| own.span > least * self.size || own.turn > least_turn);
        let moving: Vec<u16> = moving.map(|own| own.bone).collect();
        let parent = |bone: &u16| self.skeleton.bones()[usize::from(*bone)].parent;
        // A bone may travel only because one above it does.
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

/// Movement of a bone by its own tracks, whatever its parents do.
struct OwnMovement {
    bone: u16,
    /// Longest side of the box around its positions on the ground, model space, metres.
    span: f32,
    /// Largest turn about +Y from the first pose, radians.
    turn: f32,
}

impl OwnMovement {
    /// `at_start` is the pose at the clip's start.
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

/// The longest side of the box around points.
fn extent(points: impl Iterator<Item = Vec3> + Clone) -> f32 {
    let low = points.clone().reduce(Vec3::min).unwrap_or_default();
    let high = points.reduce(Vec3::max).unwrap_or_default();
    (high - low).max_element()
}

impl RootTrack {
    /// Takes the motion of `bone` out of a clip, in model space.
    pub fn extract(skeleton: &Skeleton, clip: &Clip, bone: u16, options: &RootOptions) -> Self {
        let frames = SampledPoses::of_bones(skeleton, clip, options.rate, &[bone]);
        Self::extract_from(skeleton, &frames, clip.duration, bone, options)
    }

    /// [`RootTrack::extract`] from poses of the clip at the options' rate that hold the bone.
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
        let place = |i: usize| frames.place(i, usize::from(bone));
        let (first_turn, first_place) = (turn(0), place(0));
        let mut yaw = 0.0;
        let mut samples: Vec<RootDelta> = (0..frames.len())
            .map(|i| {
                if options.yaw {
                    let next = twist_y(turn(i) * first_turn.inverse());
                    yaw += wrap(next - yaw);
                }
                let moved = place(i) - Quat::from_rotation_y(yaw) * first_place;
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
            straighten(&mut samples, first_place);
        }
        Self::new(bone, duration, samples)
    }

    /// The clip with the motion taken out of the bone's tracks; it stays in place where it began.
    /// The bone gets keys at the track's samples; its parents must not be animated by other clips
    /// played below this one.
    pub fn strip(&self, skeleton: &Skeleton, clip: &Clip) -> Clip {
        self.rewrite(skeleton, clip, |locals, t| {
            self.remove_from(skeleton, locals, t);
        })
    }

    /// The clip with this motion put into the bone's tracks; undoes [`RootTrack::strip`].
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
        let (mut places, mut turns) = (Vec::with_capacity(n), Vec::<Quat>::with_capacity(n));
        let mut locals = Vec::new();
        for (i, t) in times.iter().enumerate() {
            locals.clear();
            locals.extend_from_slice(frames.locals(i));
            change(&mut locals, *t);
            places.push(locals[bone].translation);
            let turn = locals[bone].rotation;
            let before = turns.last().copied().unwrap_or(turn);
            turns.push(if before.dot(turn) < 0.0 { -turn } else { turn });
        }
        let tracks = out.tracks_mut(self.bone);
        let interpolation = Interpolation::Linear;
        tracks.translation = Some(Track {
            times: times.clone(),
            values: places,
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

/// Even speed of the root's own ground point from first to last, even turning.
fn straighten(samples: &mut [RootDelta], first_place: Vec3) {
    let Some(last) = samples.last().copied() else {
        return;
    };
    let n = samples.len() - 1;
    // Of the root's ground point, not of the origin: that is what should walk straight.
    let ground = Vec3::new(first_place.x, 0.0, first_place.z);
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

/// Rotation of a bone in model space in frame `i`, scale left out.
fn model_turn(skeleton: &Skeleton, frames: &SampledPoses, i: usize, bone: usize) -> Quat {
    let mut turn = frames.local(i, bone).rotation;
    let mut next = skeleton.bones()[bone].parent;
    while let Some(parent) = next.map(usize::from) {
        turn = frames.local(i, parent).rotation * turn;
        next = skeleton.bones()[parent].parent;
    }
    turn
}

/// The part of a rotation that turns about +Y, radians in -π..=π; 0 for a half turn about a level
/// axis, which has no such part.
pub(crate) fn twist_y(q: Quat) -> f32 {
    if q.y == 0.0 && q.w == 0.0 {
        return 0.0;
    }
    wrap(2.0 * q.y.atan2(q.w))
}

/// An angle into -π..=π.
pub(crate) fn wrap(angle: f32) -> f32 {
    let wrapped = (angle + PI).rem_euclid(TAU) - PI;
    if wrapped.is_finite() { wrapped } else { 0.0 }
}
