//! Which bone carries a clip's motion over the ground, and what that motion is.

use std::f32::consts::{PI, TAU};

use glam::{Affine3A, Quat, Vec3};

use super::{RootDelta, RootTrack};
use crate::sample::sample_vec3;
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

/// The bone that carries the clip over the ground: of the topmost whose own translation travels more
/// than a twentieth of the skeleton's size, one named as a root, else one that at least half of the
/// bones hang from. When
/// none travels: the bone named as a root. `None` when there is no such name.
pub fn find_root_bone(skeleton: &Skeleton, clip: &Clip) -> Option<u16> {
    let bones = skeleton.bones();
    let n = n_probes(clip, 10.0);
    let frames = SampledPoses::at(skeleton, clip, [0.0].into_iter(), 0.0);
    if frames.is_empty() {
        return None;
    }
    let size = extent((0..bones.len()).map(|b| frames.place(0, b)));
    let mut below = vec![1_usize; bones.len()];
    for b in (0..bones.len()).rev() {
        if let Some(parent) = bones[b].parent {
            below[usize::from(parent)] += below[b];
        }
    }
    let rank = |b: usize| NAMES.iter().position(|name| *name == plain(&bones[b].name));
    let travels = |tracks: &BoneTracks| {
        let b = usize::from(tracks.bone);
        // Its own translation must travel, not only its parent's turning carry it.
        let Some(track) = tracks.translation.as_ref().filter(|_| b < bones.len()) else {
            return false;
        };
        let own = |i: usize| {
            let parent = bones[b].parent.map_or(0, usize::from);
            let turn = match bones[b].parent {
                Some(_) => frames.model(0)[parent],
                None => Affine3A::IDENTITY,
            };
            turn.transform_point3(sample_vec3(track, time(clip.duration, i, n)))
                .with_y(0.0)
        };
        (rank(b).is_some() || 2 * below[b] >= bones.len()) && extent((0..=n).map(own)) > size * 0.05
    };
    let moving: Vec<usize> = clip
        .bones
        .iter()
        .filter(|tracks| travels(tracks))
        .map(|tracks| usize::from(tracks.bone))
        .collect();
    // A bone may travel only because one above it does.
    let topmost = |b: &usize| {
        let mut next = bones[*b].parent;
        while let Some(parent) = next {
            if moving.contains(&usize::from(parent)) {
                return false;
            }
            next = bones[usize::from(parent)].parent;
        }
        true
    };
    let top = || moving.iter().copied().filter(topmost);
    let named = top().filter(|b| rank(*b).is_some());
    let found = named
        .min_by_key(|b| rank(*b))
        .or_else(|| top().max_by_key(|b| (below[*b], std::cmp::Reverse(*b))))
        .or_else(|| {
            let named = (0..bones.len()).filter(|b| rank(*b).is_some());
            named.min_by_key(|b| (rank(*b), *b))
        });
    found.map(|b| b as u16)
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
        let at = match out.bones.binary_search_by_key(&self.bone, |b| b.bone) {
            Ok(at) => at,
            Err(at) => {
                out.bones.insert(
                    at,
                    BoneTracks {
                        bone: self.bone,
                        translation: None,
                        rotation: None,
                        scale: None,
                    },
                );
                at
            }
        };
        let interpolation = Interpolation::Linear;
        out.bones[at].translation = Some(Track {
            times: times.clone(),
            values: places,
            interpolation,
        });
        out.bones[at].rotation = Some(Track {
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
