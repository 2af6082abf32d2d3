//! Authored clips made ready to play: packed, with what their own motion tells.

use std::sync::Arc;

use rayon::prelude::*;

use galatea_anim::contacts::{ContactOptions, FootBones, detect_in, feet_and_toes, step_marks};
use galatea_anim::humanoid::Humanoid;
use galatea_anim::pack::pack_all;
use galatea_anim::root_motion::{RootOptions, find_moving_root};
use galatea_anim::tools::SampledPoses;
use galatea_anim::{
    Clip, ClipMotion, ClipSet, MirrorMap, PackOptions, PackedClip, Pose, RootTrack, Skeleton,
    TrackMask,
};
use galatea_asset::Model;

/// Packs the clips of a model, in parallel. Clips of walks and runs without marks of steps get `step` marks where a
/// foot comes down.
pub(super) fn clip_set(
    model: &Model,
    clips: &[Arc<Clip>],
    humanoid: Humanoid,
    rest: Pose,
    morph_start: Vec<usize>,
) -> ClipSet {
    let skeleton = &model.skeleton;
    let ready = ready(skeleton, &humanoid, clips, &morph_start);
    let morphs = morph_names(model);
    let body = humanoid.is_body().then_some(&humanoid);
    let mirror = MirrorMap::new(skeleton, body, &morphs);
    ClipSet::new(
        &model.name,
        skeleton.clone(),
        humanoid,
        mirror,
        rest,
        morph_start,
        ready,
    )
}

/// Clips packed, with what their own motion tells, in parallel.
pub(super) fn ready(
    skeleton: &Skeleton,
    humanoid: &Humanoid,
    clips: &[Arc<Clip>],
    morph_start: &[usize],
) -> Vec<(Arc<PackedClip>, ClipMotion)> {
    let height = skeleton.height();
    let feet = FootBones::of(skeleton, humanoid);
    let made: Vec<(Clip, ClipMotion)> = clips
        .par_iter()
        .map(|clip| {
            let touches = TrackMask::of(clip, skeleton, morph_start);
            let (clip, motion) = observed(skeleton, &feet, Clip::clone(clip), height);
            (clip, ClipMotion { touches, ..motion })
        })
        .collect();
    let (clips, motion): (Vec<Clip>, Vec<ClipMotion>) = made.into_iter().unzip();
    let packed = pack_all(skeleton, &clips, &PackOptions::default());
    let packed = packed.into_iter().zip(motion);
    packed
        .map(|((clip, packing), motion)| (Arc::new(clip), ClipMotion { packing, ..motion }))
        .collect()
}

/// Part and name of every morph weight of a pose, in order.
fn morph_names(model: &Model) -> Vec<(usize, &str)> {
    let parts = model.parts.iter().enumerate();
    parts
        .flat_map(|(i, part)| {
            let names = &model.meshes[part.mesh].morph_names;
            let n = part.morph_weights.len();
            (0..n).map(move |k| (i, names.get(k).map_or("", |name| name.as_str())))
        })
        .collect()
}

/// Poses looked at per second, for the root as for the feet.
const RATE: f32 = 60.0;

/// A clip with its step marks, how its root travels and how fast its feet cover the ground.
fn observed(
    skeleton: &Skeleton,
    feet: &FootBones,
    mut clip: Clip,
    height: f32,
) -> (Clip, ClipMotion) {
    let root = find_moving_root(skeleton, &clip);
    let FootBones { bones: feet, sides } = feet;
    let walks = !feet.is_empty() && clip.duration > 0.0 && clip.bones.len() >= feet.len();
    let feet = if walks { &feet[..] } else { &[] };
    let bones: Vec<u16> = feet_and_toes(feet).chain(root).collect();
    if bones.is_empty() {
        return (clip, ClipMotion::default());
    }
    let frames = SampledPoses::of_bones(skeleton, &clip, RATE, &bones);
    let root = root.map(|bone| {
        let options = RootOptions {
            rate: RATE,
            ..RootOptions::default()
        };
        RootTrack::extract_from(skeleton, &frames, clip.duration, bone, &options)
    });
    let root = root.filter(RootTrack::moves);
    let options = ContactOptions {
        rate: RATE,
        ..ContactOptions::default()
    };
    let gait = detect_in(skeleton, &frames, feet, &options);
    // Other marks of the file's own say nothing of its steps.
    let is_step = |event: &str| event.contains("step") || event.contains("foot");
    let has_steps = clip.marks.iter().any(|mark| is_step(&mark.event));
    if !has_steps && gait.steps(feet.len(), height) {
        clip.marks.extend(step_marks(&gait, clip.duration, sides));
        clip.marks.sort_by(|a, b| a.t.total_cmp(&b.t));
    }
    let motion = ClipMotion {
        travels: root.as_ref().is_some_and(|root| root.travels(height)),
        root,
        ground_velocity: gait.moves(height).then(|| gait.velocity()),
        ..ClipMotion::default()
    };
    (clip, motion)
}
