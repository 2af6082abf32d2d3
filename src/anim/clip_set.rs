//! All clips of one model, with what playing them needs: frames, root motion, speeds, masks, mirror.
//!
//! Callers: `character` (makes one per model), `machine` (binds to it, samples from it). Invariants:
//! everything follows from the clips and the skeleton; frames are made when first played and may be
//! forgotten at any time without changing a result.

use std::sync::{Arc, OnceLock};

use glam::Vec3;

use super::humanoid::Humanoid;
use super::{
    ClipAt, Frames, MOST_PLAYS, Mask, MirrorMap, PackedClip, Part, Pose, RootTrack, Skeleton,
    sample_blend,
};
use crate::math::names::nearest_hint;

/// What a clip's own motion tells, found once when it is loaded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipMotion {
    /// How its root travels; `None` for a clip that stays in place.
    pub root: Option<RootTrack>,
    /// Metres per second that its planted feet cover, model space; `None` where they do not tell.
    pub ground_velocity: Option<Vec3>,
}

/// A clip to be sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipPlay {
    /// Number of the clip.
    pub clip: usize,
    /// Without its root's travel.
    pub in_place: bool,
    /// Seconds on the clip.
    pub t: f32,
    /// Share among the clips that play; only ratios count.
    pub weight: f32,
    /// Seconds of clip per second, as it was played.
    pub rate: f32,
    /// Times beyond the ends are those of the next lap, not the ends.
    pub wraps: bool,
}

/// All clips of one model. Shared by its characters.
#[derive(Debug)]
pub struct ClipSet {
    /// Name of the model, for messages.
    pub name: String,
    skeleton: Arc<Skeleton>,
    rest: Pose,
    morph_start: Vec<usize>,
    humanoid: Humanoid,
    mirror: MirrorMap,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    clip: Arc<PackedClip>,
    motion: ClipMotion,
    frames: OnceLock<Frames>,
    in_place: OnceLock<Frames>,
}

impl ClipSet {
    /// The clips of a model with this rest pose; `morph_start` tells where each part's morph weights
    /// begin in it.
    pub fn new(
        name: &str,
        skeleton: Arc<Skeleton>,
        humanoid: Humanoid,
        mirror: MirrorMap,
        rest: Pose,
        morph_start: Vec<usize>,
        clips: impl IntoIterator<Item = (Arc<PackedClip>, ClipMotion)>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            skeleton,
            rest,
            morph_start,
            humanoid,
            mirror,
            entries: clips
                .into_iter()
                .map(|(clip, motion)| Entry {
                    clip,
                    motion,
                    frames: OnceLock::new(),
                    in_place: OnceLock::new(),
                })
                .collect(),
        }
    }

    /// Number of clips.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True for a model without clips.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of the clip with this exact name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.clip.name == name)
    }

    /// Names of all clips, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.clip.name.as_str())
    }

    /// A clip by its number.
    pub fn clip(&self, clip: usize) -> Option<&Arc<PackedClip>> {
        Some(&self.entries.get(clip)?.clip)
    }

    /// Seconds of a clip; 0 for one that does not exist.
    pub fn duration(&self, clip: usize) -> f32 {
        self.entries.get(clip).map_or(0.0, |entry| entry.clip.duration)
    }

    /// How a clip's root travels.
    pub fn root(&self, clip: usize) -> Option<&RootTrack> {
        self.entries.get(clip)?.motion.root.as_ref()
    }

    /// Metres per second that a clip's planted feet cover, model space.
    pub fn ground_velocity(&self, clip: usize) -> Option<Vec3> {
        self.entries.get(clip)?.motion.ground_velocity
    }

    /// The rest pose.
    pub fn rest(&self) -> &Pose {
        &self.rest
    }

    /// The skeleton.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The bones by their role in a human body.
    pub fn humanoid(&self) -> &Humanoid {
        &self.humanoid
    }

    /// What is left and what is right.
    pub fn mirror(&self) -> &MirrorMap {
        &self.mirror
    }

    /// The mask that a name means: a part of a human body, or a bone with all below it.
    ///
    /// # Errors
    /// When it is neither, with the nearest right name.
    pub fn mask(&self, name: &str) -> Result<Mask, String> {
        if let Some(bone) = self.skeleton.find(name) {
            return Ok(Mask::subtree(&self.skeleton, &[bone]));
        }
        if let Some(part) = Part::from_name(name) {
            let mask = Mask::part(&self.skeleton, &self.humanoid, part);
            return mask.ok_or_else(|| {
                format!("{} has no {name:?}: its bones are not those of a human body", self.name)
            });
        }
        let bones = self.skeleton.bones().iter().map(|bone| bone.name.as_str());
        let parts = Part::all().map(|part| -> &str { part.name() });
        let names: Vec<&str> = bones.chain(parts).collect();
        let hint = nearest_hint(name, names.iter().copied());
        Err(format!("{} has no bone {name:?}{hint}", self.name))
    }

    /// The frames of a clip, made when first asked for.
    pub fn frames(&self, clip: usize, in_place: bool) -> Option<&Frames> {
        let entry = self.entries.get(clip)?;
        match entry.motion.root.as_ref().filter(|_| in_place) {
            Some(root) => Some(entry.in_place.get_or_init(|| {
                Frames::of_packed(&entry.clip, &self.rest, &self.morph_start, |t, pose| {
                    root.remove_from(&self.skeleton, &mut pose.locals, t);
                })
            })),
            None => Some(entry.frames.get_or_init(|| {
                Frames::of_packed(&entry.clip, &self.rest, &self.morph_start, |_, _| {})
            })),
        }
    }

    /// Bytes of the clips as stored, and of the frames made so far.
    pub fn bytes(&self) -> [usize; 2] {
        let made = |frames: &OnceLock<Frames>| frames.get().map_or(0, Frames::bytes);
        let of_frames = |entry: &Entry| made(&entry.frames) + made(&entry.in_place);
        [
            self.entries.iter().map(|entry| entry.clip.bytes()).sum(),
            self.entries.iter().map(of_frames).sum(),
        ]
    }

    /// Samples clips at their times and blends them by the ratios of their weights (5.09) into a pose;
    /// the rest pose without any. What a clip does not move counts as rest for that clip.
    pub fn sample(&self, plays: &[ClipPlay], out: &mut Pose) {
        let mut list: [Option<ClipAt<'_>>; MOST_PLAYS] = [None; MOST_PLAYS];
        let mut n = 0;
        for play in plays {
            let Some(frames) = self.frames(play.clip, play.in_place) else {
                continue;
            };
            let seconds = frames.duration();
            let beyond = play.t < 0.0 || play.t > seconds;
            let at = ClipAt {
                frames,
                t: if play.wraps && beyond && seconds > 0.0 {
                    play.t.rem_euclid(seconds)
                } else {
                    play.t
                },
                weight: play.weight,
            };
            if n < MOST_PLAYS {
                list[n] = Some(at);
                n += 1;
            } else if let Some(lightest) = lightest(&mut list)
                && lightest.weight < at.weight
            {
                *lightest = at;
            }
        }
        let Some(first) = list[0] else {
            out.copy_from(&self.rest);
            return;
        };
        let list = list.map(|at| at.unwrap_or(first));
        sample_blend(&list[..n], &self.rest, out);
    }

    /// The pose of one clip at a time.
    pub fn sample_one(&self, clip: usize, t: f32, out: &mut Pose) {
        let play = ClipPlay {
            clip,
            in_place: false,
            t,
            weight: 1.0,
            rate: 0.0,
            wraps: false,
        };
        self.sample(&[play], out);
    }
}

fn lightest<'l, 'f>(list: &'l mut [Option<ClipAt<'f>>]) -> Option<&'l mut ClipAt<'f>> {
    let all = list.iter_mut().flatten();
    all.min_by(|a, b| a.weight.total_cmp(&b.weight))
}
