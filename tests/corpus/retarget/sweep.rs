//! Every human clip of the corpus on every human body.

use galatea::anim::humanoid::{Humanoid, Role};
use galatea::anim::{Clip, Skeleton, local_to_model};
use galatea::math::Trs;
use glam::Vec3;

use super::{BODIES, bind, character, measure, motion, sheet};
use crate::files::corpus;

/// Maximum number of clips per file.
const MAX_CLIPS: usize = 6;

/// Minimum number of animated bones of a whole-body clip.
const MIN_BONES: usize = 6;

/// Maximum direction difference of a limb between a clip and its copy, degrees.
const MAX_LIMB: f32 = 10.0;

/// Maximum facing difference of the hips while upright, degrees.
const MAX_FACING: f32 = 5.0;

/// A file whose leg bones have no length, so that they cannot be compared.
const DEGENERATE: &str = "hips_spine_twisting.vrma";

/// Largest yaw difference of the hips between a clip and its copy, degrees.
fn facing_off(source: RigClip, target: RigClip) -> f32 {
    let hips = |side: &RigClip, clip: &Clip, t: f32| {
        let pose = sheet::pose(side.skeleton, Vec::new(), clip, t);
        let mut matrices = Vec::new();
        local_to_model(side.skeleton, &pose.locals, &mut matrices);
        let bone = side.humanoid.bone(Role::Hips).unwrap();
        Trs::nearest(matrices[usize::from(bone)]).rotation
    };
    let facing = |side: &RigClip, t: f32| {
        let body = side.humanoid.model_from_character;
        let turn = hips(side, side.clip, t) * hips(side, &Clip::default(), 0.0).inverse();
        let forward = body.inverse() * turn * body * Vec3::Z;
        (forward.y.abs() < 0.7).then_some(forward.with_y(0.0))
    };
    let mut most = 0.0_f32;
    for k in 0..=24 {
        let t = source.clip.duration * k as f32 / 24.0;
        if let (Some(a), Some(b)) = (facing(&source, t), facing(&target, t)) {
            most = most.max(Vec3::angle_between(a, b).to_degrees());
        }
    }
    most
}

/// A clip on its skeleton.
struct RigClip<'a> {
    skeleton: &'a Skeleton,
    humanoid: &'a Humanoid,
    clip: &'a Clip,
}

#[test]
fn every_clip_keeps_its_facing_and_its_limbs_on_every_body() {
    let Some(corpus) = corpus() else { return };
    let is_character = |file: &str| {
        let ends = [".glb", ".gltf", ".vrm"];
        ends.iter().any(|end| file.ends_with(end)) && !file.contains("/anim/")
    };
    let whole = BODIES.iter().filter(|(.., whole)| *whole);
    let files: Vec<&str> = whole.map(|(file, ..)| *file).collect();
    let targets: Vec<_> = files
        .iter()
        .filter(|file| is_character(file))
        .map(|file| (*file, character(&corpus, file)))
        .collect();
    let (mut n, mut wrong) = (0, Vec::new());
    for file in files.iter().filter(|file| !file.ends_with(DEGENERATE)) {
        let source = motion(&corpus, file);
        for (onto, target) in &targets {
            let bound = bind(&source, target, None);
            for (clip, new) in source.clips.iter().zip(&bound.clips).take(MAX_CLIPS) {
                // A clip of a few limbs leaves the others as in the body.
                if clip.bones.len() < MIN_BONES {
                    continue;
                }
                // Scales are not transferred; a non-uniform one would change limb directions.
                let mut plain = clip.clone();
                plain
                    .bones
                    .iter_mut()
                    .for_each(|tracks| tracks.scale = None);
                let from = (&*source.skeleton, &source.humanoid, &plain);
                let to = (&*target.0.skeleton, &target.1, new);
                let [from_rig, to_rig] = [from, to].map(|(skeleton, humanoid, clip)| RigClip {
                    skeleton,
                    humanoid,
                    clip,
                });
                let (limbs, facing) = (measure(from, to).limbs, facing_off(from_rig, to_rig));
                n += 1;
                if limbs > MAX_LIMB || facing > MAX_FACING {
                    let manner = bound.report.manner;
                    let name = &clip.name;
                    wrong.push(format!(
                        "{file} {name} on {onto} ({manner:?}): limbs {limbs:.1}, facing {facing:.1} degrees"
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {n}\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(n > 400, "{n}");
}
