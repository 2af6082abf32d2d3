//! All clips of one model, with the data to play them: frames, root motion, speeds, masks, mirror.
//!
//! Used by `character` (creates one per model) and `machine` (binds to it, samples from it). Invariants: everything
//! follows from the clips and the skeleton. Frames are created at the first playback and can be dropped at any time
//! without changing a result.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::humanoid::{Humanoid, Role};
use super::{
    BodyPart, Clip, ClipAt, FrameSlot, Frames, Interpolation, MAX_PLAYS, Mask, MirrorMap,
    PackReport, PackedClip, Pose, RootTrack, Skeleton, keep_within, mirror_pose, sample_blend,
};
use galatea_math::names::nearest_hint;

/// Properties of a clip that are measured once, when it is loaded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipMotion {
    /// Root motion; `None` if nothing moves the root over the ground or turns it.
    pub root: Option<RootTrack>,
    /// True if the clip ends elsewhere than it began ([`RootTrack::has_root_motion`]). Others count as in place where no script
    /// requests root motion.
    pub has_root_motion: bool,
    /// Ground speed measured from its planted feet, m/s in model space; `None` where it cannot be measured.
    pub ground_velocity: Option<Vec3>,
    /// Bones and morph weights that have tracks.
    pub touches: TrackMask,
    /// Size and error of the packed clip.
    pub packing: PackReport,
}

/// Bones and morph weights for which a clip has tracks, whatever their values. Played over another pose, the clip
/// overwrites these and leaves the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackMask {
    bones: Vec<bool>,
    morphs: Vec<bool>,
}

impl TrackMask {
    /// Removes the morph weights for which `keep` returns false; its argument is the index in the pose.
    pub fn keep_morphs(&mut self, mut keep: impl FnMut(usize) -> bool) {
        for (i, touched) in self.morphs.iter_mut().enumerate() {
            *touched = *touched && keep(i);
        }
    }

    /// Creates the mask of an authored clip. `morph_start` gives the index of each part's first morph weight in a
    /// pose.
    pub fn of(clip: &Clip, skeleton: &Skeleton, morph_start: &[usize]) -> Self {
        let mut touches = Self {
            bones: vec![false; skeleton.len()],
            morphs: Vec::new(),
        };
        for tracks in &clip.bones {
            if let Some(bone) = touches.bones.get_mut(usize::from(tracks.bone)) {
                *bone = true;
            }
        }
        for morph in &clip.morphs {
            let Some(start) = morph_start.get(morph.part) else {
                continue;
            };
            let end = start + morph.n_targets;
            if touches.morphs.len() < end {
                touches.morphs.resize(end, false);
            }
            touches.morphs[*start..end].fill(true);
        }
        touches
    }
}

/// A clip to sample, with its weight in a blend.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClipPlay {
    /// Index of the clip.
    pub clip: usize,
    /// Removes root motion.
    pub in_place: bool,
    /// Clip time in seconds.
    pub t: f32,
    /// Weight in the blend; only ratios matter.
    pub weight: f32,
    /// Playback speed: seconds of clip per second.
    pub rate: f32,
    /// Times beyond the ends wrap around instead of being clamped.
    pub wraps: bool,
}

/// One clip at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneClip {
    /// Index of the clip.
    pub clip: usize,
    /// Clip time, seconds.
    pub t: f32,
    /// The pose is mirrored.
    pub mirrored: bool,
    /// Removes root motion.
    pub in_place: bool,
}

/// All clips of one model with the data to play them. Shared by its characters.
#[derive(Debug)]
pub struct ClipSet {
    /// Name of the model, for messages.
    pub name: String,
    skeleton: Arc<Skeleton>,
    rest: Pose,
    morph_start: Vec<usize>,
    humanoid: Humanoid,
    mirror: MirrorMap,
    entries: Vec<Arc<ClipEntry>>,
    /// Names of the curves of all clips; a pose has one value for each.
    curve_names: Vec<String>,
    now: AtomicU64,
}

#[derive(Debug)]
struct ClipEntry {
    clip: Arc<PackedClip>,
    motion: ClipMotion,
    frames: FrameSlot,
    in_place: FrameSlot,
}

impl ClipSet {
    /// Creates the clip set of a model. `morph_start` gives the index in `rest` of each part's first morph weight.
    pub fn new(
        name: &str,
        skeleton: Arc<Skeleton>,
        humanoid: Humanoid,
        mut mirror: MirrorMap,
        mut rest: Pose,
        morph_start: Vec<usize>,
        clips: impl IntoIterator<Item = (Arc<PackedClip>, ClipMotion)>,
    ) -> Self {
        let entries: Vec<Arc<ClipEntry>> = clips
            .into_iter()
            .map(|(clip, motion)| Arc::new(ClipEntry::new(clip, motion)))
            .collect();
        let mut curve_names: Vec<String> = Vec::new();
        for entry in &entries {
            add_curve_names(&entry.clip, &mut curve_names);
        }
        rest.curves.clear();
        rest.curves.resize(curve_names.len(), 0.0);
        mirror.pair_curves(&curve_names);
        Self {
            name: name.to_owned(),
            skeleton,
            rest,
            morph_start,
            humanoid,
            mirror,
            entries,
            curve_names,
            now: AtomicU64::new(0),
        }
    }

    /// Returns this set with one more clip at the end. Shares everything else with this set.
    pub fn with_clip(&self, clip: Arc<PackedClip>, motion: ClipMotion) -> Self {
        let mut curve_names = self.curve_names.clone();
        add_curve_names(&clip, &mut curve_names);
        let mut entries = self.entries.clone();
        let (mut rest, mut mirror) = (self.rest.clone(), self.mirror.clone());
        if curve_names.len() > self.curve_names.len() {
            // Frames contain the values of all curves, so they are recreated.
            for entry in &mut entries {
                *entry = Arc::new(ClipEntry::new(entry.clip.clone(), entry.motion.clone()));
            }
            rest.curves.resize(curve_names.len(), 0.0);
            mirror.pair_curves(&curve_names);
        }
        entries.push(Arc::new(ClipEntry::new(clip, motion)));
        Self {
            name: self.name.clone(),
            skeleton: self.skeleton.clone(),
            rest,
            morph_start: self.morph_start.clone(),
            humanoid: self.humanoid.clone(),
            mirror,
            entries,
            curve_names,
            now: AtomicU64::new(self.now.load(Ordering::Relaxed)),
        }
    }

    /// Sets the rest values of curves that stand for properties of the model, by name. They apply while no clip moves
    /// the curve. Curves for which `of` returns `None` rest at 0.
    #[must_use]
    pub fn with_curves_at_rest(mut self, of: impl Fn(&str) -> Option<f32>) -> Self {
        for (value, name) in self.rest.curves.iter_mut().zip(&self.curve_names) {
            *value = of(name).unwrap_or(0.0);
        }
        self
    }

    /// Number of clips.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True for a model without clips.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Index of the clip with this exact name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.entries
            .iter()
            .position(|entry| entry.clip.name == name)
    }

    /// Names of all clips, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.clip.name.as_str())
    }

    /// All clips, in order.
    pub fn iter(&self) -> impl Iterator<Item = &PackedClip> {
        self.entries.iter().map(|entry| &*entry.clip)
    }

    /// Name of a clip; empty for one that does not exist.
    pub fn clip_name(&self, clip: usize) -> &str {
        self.entries.get(clip).map_or("", |entry| &entry.clip.name)
    }

    /// Returns a clip by its index.
    pub fn clip(&self, clip: usize) -> Option<&Arc<PackedClip>> {
        Some(&self.entries.get(clip)?.clip)
    }

    /// Duration of a clip, seconds; 0 for a clip that does not exist.
    pub fn duration(&self, clip: usize) -> f32 {
        self.entries
            .get(clip)
            .map_or(0.0, |entry| entry.clip.duration)
    }

    /// Root motion of a clip, however small; `None` if its root never moves.
    pub fn root(&self, clip: usize) -> Option<&RootTrack> {
        self.entries.get(clip)?.motion.root.as_ref()
    }

    /// Root motion of a clip that ends elsewhere than it began; `None` for a clip that counts as in place.
    pub fn travel(&self, clip: usize) -> Option<&RootTrack> {
        let travels = self.entries.get(clip)?.motion.has_root_motion;
        self.root(clip).filter(|_| travels)
    }

    /// Ground speed of a clip measured from its planted feet, m/s in model space.
    pub fn ground_velocity(&self, clip: usize) -> Option<Vec3> {
        self.entries.get(clip)?.motion.ground_velocity
    }

    /// Returns the indices of the bones for which a clip has tracks.
    pub fn touched_bones(&self, clip: usize) -> impl Iterator<Item = u16> {
        let entry = self.entries.get(clip);
        let bones = entry.map_or(&[][..], |entry| &entry.motion.touches.bones);
        let all = bones.iter().enumerate();
        all.filter(|(_, touched)| **touched).map(|(i, _)| i as u16)
    }

    /// Size and error of a packed clip.
    pub fn packing(&self, clip: usize) -> Option<&PackReport> {
        Some(&self.entries.get(clip)?.motion.packing)
    }

    /// Names of the curves of all clips, in the order of [`Pose::curves`].
    pub fn curve_names(&self) -> &[String] {
        &self.curve_names
    }

    /// The rest pose; curves are 0 in it, unless [`ClipSet::with_curves_at_rest`] says otherwise.
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

    /// The mirror map of the skeleton.
    pub fn mirror(&self) -> &MirrorMap {
        &self.mirror
    }

    /// Creates a mask by name. The name is a bone (with all descendants), a part of a human body, or a pattern with
    /// `*` for any characters (all matching bones with their descendants).
    ///
    /// # Errors
    /// If nothing matches; the message contains the nearest name.
    pub fn mask(&self, name: &str) -> Result<Mask, String> {
        if let Some(bone) = self.skeleton.find(name) {
            return Ok(Mask::subtree(&self.skeleton, &[bone]));
        }
        if let Some(part) = BodyPart::from_name(name) {
            let mask = Mask::part(&self.skeleton, &self.humanoid, part);
            return mask.ok_or_else(|| {
                format!(
                    "the model {:?} has no body part {name:?}: its skeleton is not humanoid",
                    self.name
                )
            });
        }
        let role = Role::from_name(name).and_then(|role| self.humanoid.bone(role));
        if let Some(bone) = role {
            return Ok(Mask::subtree(&self.skeleton, &[bone]));
        }
        if name.contains('*') {
            let mask = Mask::pattern(&self.skeleton, name);
            return mask.ok_or_else(|| {
                format!(
                    "the model {:?} has no bone that matches {name:?}",
                    self.name
                )
            });
        }
        let bones = self.skeleton.bones().iter().map(|bone| bone.name.as_str());
        let parts = BodyPart::all().map(|part| -> &str { part.name() });
        let names: Vec<&str> = bones.chain(parts).collect();
        let hint = nearest_hint(name, names.iter().copied());
        Err(format!(
            "the model {:?} has no bone {name:?}{hint}",
            self.name
        ))
    }

    /// Combines the masks of several names, each with its weight. For a bone in several of them, the name with the
    /// fewest bones counts; of equal ones, the last. `None` if `entries` is empty.
    ///
    /// # Errors
    /// As [`ClipSet::mask`], one message for each unknown name.
    pub fn masks(&self, entries: &[(String, f32)]) -> Result<Option<Mask>, Vec<String>> {
        let mut named = Vec::new();
        let mut wrong = Vec::new();
        for (name, weight) in entries {
            match self.mask(name) {
                Ok(mask) => named.push((mask, weight)),
                Err(text) => wrong.push(text),
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let n_bones = |mask: &Mask| mask.bones.iter().filter(|weight| **weight > 0.0).count();
        named.sort_by_key(|(mask, _)| std::cmp::Reverse(n_bones(mask)));
        let mut all: Option<Mask> = None;
        for (mask, weight) in named {
            let all = all.get_or_insert_with(|| Mask {
                bones: vec![0.0; mask.bones.len()],
                morphs: 0.0,
            });
            for (bone, own) in all.bones.iter_mut().zip(&mask.bones) {
                if *own > 0.0 {
                    *bone = own * weight;
                }
            }
        }
        Ok(all)
    }

    /// Returns the frames of a clip and creates them if necessary; `in_place` removes root motion.
    pub fn frames(&self, clip: usize, in_place: bool) -> Option<Arc<Frames>> {
        let entry = self.entries.get(clip)?;
        let now = self.now.load(Ordering::Relaxed);
        let root = entry.motion.root.as_ref().filter(|_| in_place);
        let slot = if root.is_some() {
            &entry.in_place
        } else {
            &entry.frames
        };
        let curves = |steps: bool| {
            let curves = entry.clip.curves.iter();
            let curves =
                curves.filter(move |c| (c.track.interpolation == Interpolation::Step) == steps);
            curves.filter_map(|curve| {
                let slot = self.curve_names.iter().position(|n| *n == curve.name);
                Some((slot?, curve))
            })
        };
        Some(slot.get(now, || {
            let edit = |t: f32, pose: &mut Pose| {
                if let Some(root) = root {
                    root.remove_from(&self.skeleton, &mut pose.locals, t);
                }
                for (slot, curve) in curves(false) {
                    if let Some(value) = pose.curves.get_mut(slot) {
                        *value = curve.at(t);
                    }
                }
            };
            let edited = root.map(|root| root.bone);
            let steps = curves(true).map(|(slot, curve)| (slot, curve.track.clone()));
            Frames::of_packed(&entry.clip, &self.rest, &self.morph_start, edited, edit)
                .with_exact_curves(steps.collect())
        }))
    }

    /// Drops the least recently played frames until the others take at most `budget` bytes. Playing clips keep their
    /// frames. `now` is any increasing number, such as the tick.
    pub fn keep_frames_within(&self, budget: usize, now: u64) {
        self.now.store(now, Ordering::Relaxed);
        if self.frames_bytes() <= budget {
            return;
        }
        let slots: Vec<&FrameSlot> = self
            .entries
            .iter()
            .flat_map(|entry| [&entry.frames, &entry.in_place])
            .collect();
        keep_within(budget, &slots);
    }

    /// Returns the bytes of the stored clips and of the frames in memory.
    pub fn bytes(&self) -> [usize; 2] {
        [
            self.entries.iter().map(|entry| entry.clip.bytes()).sum(),
            self.frames_bytes(),
        ]
    }

    fn frames_bytes(&self) -> usize {
        let of_frames = |entry: &Arc<ClipEntry>| entry.frames.bytes() + entry.in_place.bytes();
        self.entries.iter().map(of_frames).sum()
    }

    /// Samples clips and blends them by their normalised weights into a pose. Without clips, gives the rest pose. A
    /// channel that a clip does not move counts as rest for that clip.
    pub fn sample(&self, plays: &[ClipPlay], out: &mut Pose) {
        let mut held: [Option<(Arc<Frames>, f32, f32)>; MAX_PLAYS] = Default::default();
        let mut n = 0;
        for play in plays {
            let slot = if n < MAX_PLAYS {
                n
            } else {
                lightest(&held, play.weight)
            };
            let (Some(slot), Some(frames)) =
                (held.get_mut(slot), self.frames(play.clip, play.in_place))
            else {
                continue;
            };
            let seconds = frames.grid().duration;
            let beyond = play.t < 0.0 || play.t > seconds;
            let t = if play.wraps && beyond && seconds > 0.0 {
                play.t.rem_euclid(seconds)
            } else {
                play.t
            };
            *slot = Some((frames, t, play.weight));
            n = (n + 1).min(MAX_PLAYS);
        }
        let Some((frames, t, weight)) = &held[0] else {
            out.copy_from(&self.rest);
            return;
        };
        let first = ClipAt {
            frames,
            t: *t,
            weight: *weight,
        };
        let mut list = [first; MAX_PLAYS];
        for (slot, held) in list.iter_mut().zip(&held).take(n) {
            if let Some((frames, t, weight)) = held {
                *slot = ClipAt {
                    frames,
                    t: *t,
                    weight: *weight,
                };
            }
        }
        sample_blend(&list[..n], &self.rest, out);
    }

    /// Samples one clip over another pose: channels without tracks are copied from `below`. `scratch` is used
    /// for mirrored clips.
    pub fn sample_over(&self, one: OneClip, below: &Pose, scratch: &mut Pose, out: &mut Pose) {
        let mirrored = one.mirrored;
        let Some(entry) = self.entries.get(one.clip) else {
            out.copy_from(below);
            return;
        };
        self.sample_mirrored(one, scratch, out);
        let touches = &entry.motion.touches;
        let untouched = |list: &[bool], i: usize| !list.get(i).copied().unwrap_or(false);
        let bone_of = |i: usize| match self.mirror.partner(i as u16) {
            Some(partner) if mirrored => usize::from(partner),
            _ => i,
        };
        for (i, (local, below)) in out.locals.iter_mut().zip(&below.locals).enumerate() {
            if untouched(&touches.bones, bone_of(i)) {
                *local = *below;
            }
        }
        let morph_of = |i: usize| {
            if mirrored {
                self.mirror.morph_partner(i)
            } else {
                i
            }
        };
        for (i, (value, below)) in out.morphs.iter_mut().zip(&below.morphs).enumerate() {
            if untouched(&touches.morphs, morph_of(i)) {
                *value = *below;
            }
        }
        for (i, (value, below)) in out.curves.iter_mut().zip(&below.curves).enumerate() {
            let from = if mirrored {
                self.mirror.curve_partner(i)
            } else {
                i
            };
            let name = self.curve_names.get(from);
            let mut curves = entry.clip.curves.iter();
            if !curves.any(|curve| Some(&curve.name) == name) {
                *value = *below;
            }
        }
    }

    /// Samples one clip, mirrored if requested; `scratch` is used for mirrored clips.
    pub fn sample_mirrored(&self, one: OneClip, scratch: &mut Pose, out: &mut Pose) {
        let play = ClipPlay {
            clip: one.clip,
            in_place: one.in_place,
            t: one.t,
            weight: 1.0,
            rate: 0.0,
            wraps: false,
        };
        if one.mirrored {
            self.sample(&[play], scratch);
            mirror_pose(&self.mirror, scratch, out);
        } else {
            self.sample(&[play], out);
        }
    }

    /// Samples one clip at `t` seconds.
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

impl ClipEntry {
    fn new(clip: Arc<PackedClip>, motion: ClipMotion) -> Self {
        Self {
            clip,
            motion,
            frames: FrameSlot::default(),
            in_place: FrameSlot::default(),
        }
    }
}

/// Adds the names of a clip's curves that are not in the list yet.
fn add_curve_names(clip: &PackedClip, names: &mut Vec<String>) {
    for curve in &clip.curves {
        if !names.contains(&curve.name) {
            names.push(curve.name.clone());
        }
    }
}

/// Index of the lightest held clip if it is lighter than `weight`; else the length of the list.
fn lightest(held: &[Option<(Arc<Frames>, f32, f32)>], weight: f32) -> usize {
    let weights = held.iter().map(|held| held.as_ref().map_or(0.0, |h| h.2));
    let lightest_index = weights.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
    lightest_index
        .filter(|(_, w)| *w < weight)
        .map_or(MAX_PLAYS, |(i, _)| i)
}
