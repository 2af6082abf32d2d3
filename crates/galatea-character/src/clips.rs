//! Prepares authored clips for playback: packs them and measures their motion.

use std::sync::Arc;

use rayon::prelude::*;

use galatea_anim::contacts::{ContactOptions, FootBones, detect_in, feet_and_toes, step_markers};
use galatea_anim::humanoid::Humanoid;
use galatea_anim::pack::pack_all;
use galatea_anim::root_motion::{RootOptions, find_moving_root};
use galatea_anim::tools::SampledPoses;
use galatea_anim::{
    Clip, ClipMotion, ClipSet, MirrorMap, PackOptions, PackedClip, Pose, RootTrack, Skeleton,
    TrackMask,
};
use galatea_asset::Model;

/// Packs the clips of a model, in parallel. Walk and run clips without step marks get `step` marks where a foot touches
/// down.
pub(super) fn clip_set(
    model: &Model,
    clips: &[Arc<Clip>],
    humanoid: Humanoid,
    rest: Pose,
    morph_start: Vec<usize>,
) -> ClipSet {
    let skeleton = &model.skeleton;
    let pack_with_motion = pack_with_motion(skeleton, &humanoid, clips, &morph_start);
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
        pack_with_motion,
    )
}

/// Packs clips and measures their motion, in parallel.
pub(super) fn pack_with_motion(
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
            let (clip, motion) = with_measured_motion(skeleton, &feet, Clip::clone(clip), height);
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

/// Returns part and name of every morph weight of a pose, in order.
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

/// Sample rate for root and feet, poses per second.
const RATE: f32 = 60.0;

/// Returns a clip with its step marks, root motion and ground speed.
fn with_measured_motion(
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
    // Marks of the file that are not steps do not count.
    let is_step = |event: &str| event.contains("step") || event.contains("foot");
    let has_steps = clip.markers.iter().any(|mark| is_step(&mark.event));
    if !has_steps && gait.steps(feet.len(), height) {
        clip.markers
            .extend(step_markers(&gait, clip.duration, sides));
        clip.markers.sort_by(|a, b| a.time.total_cmp(&b.time));
    }
    let motion = ClipMotion {
        has_root_motion: root
            .as_ref()
            .is_some_and(|root| root.has_root_motion(height)),
        root,
        ground_velocity: gait.moves(height).then(|| gait.velocity()),
        ..ClipMotion::default()
    };
    (clip, motion)
}
