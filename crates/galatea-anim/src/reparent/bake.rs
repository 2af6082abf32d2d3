//! Rewrites clips for bones that got another parent.

use glam::{Affine3A, Quat, Vec3};

use super::ReparentedBone;
use crate::retarget::{KeyTimes, Sampling, keys, sort, uniform};
use crate::tools::probe_rate;
use crate::{BoneTracks, Clip, Interpolation, Pose, Skeleton, Track, sample};
use galatea_math::Trs;

/// Additional keys per second, besides those of the clip.
const RATE: f32 = 120.0;

/// Rewrites the tracks of the moved bones of a clip so that they move as they did below their old parents. `skeleton`
/// has the new parents; the clip uses its indices. The new tracks have the keys of all bones between old and new
/// parent, and 120 more per second.
pub fn rebase(clip: &mut Clip, skeleton: &Skeleton, moved: &[ReparentedBone]) {
    let (old, new) = (Hierarchy::old(skeleton, moved), Hierarchy::new(skeleton));
    transfer(clip, &old, &new, moved);
}

/// Undoes [`rebase`]: rewrites the tracks of the moved bones for the parents that they had.
pub fn restore(clip: &mut Clip, skeleton: &Skeleton, moved: &[ReparentedBone]) {
    let (old, new) = (Hierarchy::old(skeleton, moved), Hierarchy::new(skeleton));
    transfer(clip, &new, &old, moved);
}

fn transfer(clip: &mut Clip, from: &Hierarchy, to: &Hierarchy, moved: &[ReparentedBone]) {
    let tracks: Vec<BoneTracks> = moved
        .iter()
        .filter_map(|one| from.tracks(clip, to, one.bone))
        .collect();
    for tracks in tracks {
        let bone = tracks.bone;
        *clip.tracks_mut(bone) = tracks;
    }
}

/// Parents and rest pose of all bones.
struct Hierarchy {
    parents: Vec<Option<u16>>,
    rest: Vec<Trs>,
}

impl Hierarchy {
    fn new(skeleton: &Skeleton) -> Self {
        Self {
            parents: skeleton.bones().iter().map(|bone| bone.parent).collect(),
            rest: skeleton.rest().collect(),
        }
    }

    /// Hierarchy before bones were moved, by indices of the new skeleton.
    fn old(skeleton: &Skeleton, moved: &[ReparentedBone]) -> Self {
        let mut old = Self::new(skeleton);
        for one in moved {
            old.parents[usize::from(one.bone)] = one.old_parent;
            old.rest[usize::from(one.bone)] = one.old_rest;
        }
        old
    }

    fn up(&self, bone: Option<u16>) -> Vec<u16> {
        let parent = |bone: &u16| self.parents[usize::from(*bone)];
        std::iter::successors(bone, parent).collect()
    }

    /// Tracks of a bone for its parent in another hierarchy; `None` if the clip does not move the bone relative to
    /// that parent.
    fn tracks(&self, clip: &Clip, to: &Self, bone: u16) -> Option<BoneTracks> {
        let parent = to.parents[usize::from(bone)];
        let (own, other) = (self.up(Some(bone)), self.up(parent));
        let shared = own.iter().find(|b| other.contains(b)).copied();
        let below_shared = |chain: &[u16]| -> Vec<u16> {
            chain
                .iter()
                .copied()
                .take_while(|b| Some(*b) != shared)
                .collect()
        };
        let (own, other) = (below_shared(&own), below_shared(&other));
        let mut involved: Vec<u16> = own.iter().chain(&other).copied().collect();
        involved.sort_unstable();
        let only = Clip {
            bones: clip
                .bones
                .iter()
                .filter(|b| involved.binary_search(&b.bone).is_ok())
                .cloned()
                .collect(),
            ..Clip::default()
        };
        if only.bones.is_empty() {
            return None;
        }
        let KeyTimes {
            mut times,
            interpolation,
        } = keys(&only, &involved, true, Sampling::Keys);
        if let (Some(&from), Some(&to), Interpolation::Linear) =
            (times.first(), times.last(), interpolation)
        {
            let rate = probe_rate(RATE, to - from, times.len());
            uniform(from, to, rate, &mut times);
            sort(&mut times);
        }
        let mut pose = Pose {
            locals: self.rest.clone(),
            ..Pose::default()
        };
        let rest = to.rest[usize::from(bone)];
        let mut locals: Vec<Trs> = Vec::with_capacity(times.len());
        for t in &times {
            sample(&only, *t, &[], &mut pose);
            let below = |chain: &[u16]| {
                chain.iter().rev().fold(Affine3A::IDENTITY, |matrix, b| {
                    matrix * pose.locals[usize::from(*b)].to_affine()
                })
            };
            let local = Trs::near(below(&other).inverse() * below(&own));
            let last = locals.last().copied().unwrap_or(rest);
            let mut local = if local.is_finite() { local } else { last };
            if last.rotation.dot(local.rotation) < 0.0 {
                local.rotation = -local.rotation;
            }
            locals.push(local);
        }
        let is_scaled = only.bones.iter().any(|tracks| tracks.scale.is_some());
        let vectors = |of: fn(&Trs) -> Vec3| Track {
            times: times.clone(),
            values: locals.iter().map(of).collect(),
            interpolation,
        };
        let rotation: Vec<Quat> = locals.iter().map(|local| local.rotation).collect();
        Some(BoneTracks {
            bone,
            translation: Some(vectors(|local| local.translation)),
            scale: is_scaled.then(|| vectors(|local| local.scale)),
            rotation: Some(Track {
                times: times.clone(),
                values: rotation,
                interpolation,
            }),
        })
    }
}
