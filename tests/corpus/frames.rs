//! Frames of real clips (GALATEA_CORPUS) compared with the authored keys in double precision, at times between the keys.

use std::sync::Arc;

use galatea::anim::{ClipAt, Frames, Interpolation, Pose, local_to_model, reference, sample_blend};
use galatea::asset::gltf::load;
use galatea::character::Definition;
use glam::{DAffine3, Mat3, Vec3};

use crate::files;

/// Typical game files with clips.
const CHARACTERS: [&str; 5] = [
    "khronos-samples-via-bevy/animated/Fox.glb",
    "threejs-examples/gltf/RobotExpressive/RobotExpressive.glb",
    "kaykit-adventurers/Characters/gltf/Knight.glb",
    "godot-demo-projects/ragdoll_physics/characters/mannequiny.glb",
    "khronos-samples-via-lab0/CesiumMan.glb",
];

/// Times per clip.
const PROBES: usize = 24;

#[test]
fn frames_of_real_clips_stay_within_a_fiftieth_of_a_centimetre_of_their_keys() {
    let Some(corpus) = files::corpus() else {
        return;
    };
    for file in CHARACTERS {
        let path = ["", "01_characters"]
            .iter()
            .map(|folder| corpus.join(folder).join(file))
            .find(|path| path.exists())
            .unwrap_or_else(|| panic!("no file {file}"));
        let model = Arc::new(load(&path).unwrap());
        let definition = Definition::new(model.clone());
        let skeleton = &definition.model.skeleton;
        // A fox of a hundred metres may have a hundred times the error of one of a metre.
        let size = f64::from(definition.rest_bounds.1.max(1.0));
        let (mut pose, mut matrices) = (Pose::default(), Vec::new());
        let mut errors = Vec::new();
        let (mut bytes, mut seconds) = (0, 0.0);
        for clip in &model.clips {
            let frames = Frames::of_clip(clip, skeleton, &definition.rest, &definition.morph_start);
            bytes += frames.bytes();
            seconds += clip.duration;
            for probe in 0..PROBES {
                let t = clip.duration * (probe as f32 * 0.618_034).fract();
                let play = ClipAt {
                    frames: &frames,
                    t,
                    weight: 1.0,
                };
                sample_blend(&[play], &definition.rest, &mut pose);
                local_to_model(skeleton, &pose.locals, &mut matrices);
                let exact = reference::model_from_bone(skeleton, &[(clip, f64::from(t), 1.0)]);
                errors.extend(exact.iter().zip(&matrices).map(|(exact, ours)| {
                    let basis = Mat3::from(ours.matrix3).as_dmat3();
                    let moved = Vec3::from(ours.translation).as_dvec3();
                    let ours = DAffine3::from_mat3_translation(basis, moved);
                    reference::distance(exact, &ours, 0.03 * size) / size
                }));
            }
        }
        errors.sort_by(f64::total_cmp);
        let at = |share: f64| errors[((errors.len() - 1) as f64 * share) as usize] * 100.0;
        println!(
            "{file}: {} clips, {} bones, {:.0} KiB for {seconds:.1} s, p99 {:.4} cm, worst {:.4} cm",
            model.clips.len(),
            skeleton.len(),
            bytes as f64 / 1024.0,
            at(0.99),
            at(1.0)
        );
        assert!(at(0.99) <= 0.02, "{file}: p99 {} cm", at(0.99));
    }
}

// The formulas are those of glTF 2.0 appendix C, on the keys of the file.
#[test]
fn playback_matches_the_formulas_for_all_interpolations() {
    let Some(corpus) = files::corpus() else {
        return;
    };
    let characters = corpus.join("01_characters");
    let file = "khronos-samples-via-jgltf/InterpolationTest/glTF/InterpolationTest.gltf";
    let model = Arc::new(load(&characters.join(file)).unwrap());
    let definition = Definition::new(model.clone());
    let skeleton = &definition.model.skeleton;
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    let mut kinds = Vec::new();
    for (number, clip) in model.clips.iter().enumerate() {
        let tracks = &clip.bones[0];
        let kind = [
            tracks.translation.as_ref().map(|t| t.interpolation),
            tracks.rotation.as_ref().map(|t| t.interpolation),
            tracks.scale.as_ref().map(|t| t.interpolation),
        ];
        let kind = kind.into_iter().flatten().next().unwrap();
        kinds.push(kind);
        let mut worst = 0.0_f64;
        for probe in 0..=1000 {
            let t = clip.duration * probe as f32 / 1000.0;
            definition.clips.sample_one(number, t, &mut pose);
            local_to_model(skeleton, &pose.locals, &mut matrices);
            let exact = reference::model_from_bone(skeleton, &[(clip, f64::from(t), 1.0)]);
            for (exact, ours) in exact.iter().zip(&matrices) {
                let basis = Mat3::from(ours.matrix3).as_dmat3();
                let ours =
                    DAffine3::from_mat3_translation(basis, Vec3::from(ours.translation).as_dvec3());
                worst = worst.max(reference::distance(exact, &ours, 1.0));
            }
        }
        println!("{}: {kind:?}, worst {:.6} m at 1 m", clip.name, worst);
        assert!(worst < 1e-5, "{}: {worst} m", clip.name);
    }
    for kind in [
        Interpolation::Step,
        Interpolation::Linear,
        Interpolation::CubicSpline,
    ] {
        assert_eq!(kinds.iter().filter(|k| **k == kind).count(), 3);
    }

    let file = "khronos-samples-via-assimp/AnimatedMorphCube/glTF/AnimatedMorphCube.gltf";
    let model = Arc::new(load(&characters.join(file)).unwrap());
    let definition = Definition::new(model.clone());
    let [morph] = &model.clips[0].morphs[..] else {
        panic!("one track of weights");
    };
    let track = &morph.track;
    assert_eq!(track.interpolation, Interpolation::Linear);
    let n = morph.n_targets;
    for probe in 0..=1000 {
        let t = model.clips[0].duration * probe as f32 / 1000.0;
        definition.clips.sample_one(0, t, &mut pose);
        let next = track.times.partition_point(|key| *key <= t);
        let (a, b) = (next.saturating_sub(1), next.min(track.times.len() - 1));
        let span = track.times[b] - track.times[a];
        let u = if span > 0.0 {
            ((t - track.times[a]) / span).clamp(0.0, 1.0)
        } else {
            0.0
        };
        for k in 0..n {
            let [from, to] = [a, b].map(|key| track.values[key * n + k]);
            let exact = from + (to - from) * u;
            let ours = pose.morphs[k];
            assert!(
                (ours - exact).abs() < 1e-3,
                "{t} s, weight {k}: {ours}, {exact}"
            );
        }
    }
}

/// Samples per second for the comparison with the file's own interpolation.
const DENSE_HERTZ: f32 = 240.0;

/// Maximum number of samples per clip; longer clips are sampled evenly.
const MAX_SAMPLES: usize = 2400;

#[test]
fn packed_clips_keep_their_bound_between_the_keys_of_every_file() {
    let Some(corpus) = files::corpus() else {
        return;
    };
    let mut paths = Vec::new();
    for folder in [
        "01_characters",
        "02_faces_lipsync",
        "03_vrm",
        "07_directx_x",
        "09_reference_runtime",
    ] {
        paths.extend(files::files(
            &corpus.join(folder),
            &["glb", "gltf", "vrm", "vrma", "x", "fbx"],
        ));
    }
    let mut n_clips = 0;
    let mut broken = Vec::new();
    for path in &paths {
        let Ok(model) = load(path) else { continue };
        let model = Arc::new(model);
        let definition = Definition::new(model.clone());
        let skeleton = &definition.model.skeleton;
        let (mut pose, mut matrices) = (Pose::default(), Vec::new());
        for (number, clip) in model.clips.iter().enumerate() {
            n_clips += 1;
            let n = ((clip.duration * DENSE_HERTZ) as usize).clamp(1, MAX_SAMPLES);
            let mut worst = (0.0_f64, 0.0_f32, 0_usize);
            for probe in 0..=n {
                let t = clip.duration * probe as f32 / n as f32;
                definition.clips.sample_one(number, t, &mut pose);
                local_to_model(skeleton, &pose.locals, &mut matrices);
                let exact = reference::model_from_bone(skeleton, &[(clip, f64::from(t), 1.0)]);
                for (b, (exact, ours)) in exact.iter().zip(&matrices).enumerate() {
                    let basis = Mat3::from(ours.matrix3).as_dmat3();
                    let moved = Vec3::from(ours.translation).as_dvec3();
                    let ours = DAffine3::from_mat3_translation(basis, moved);
                    let off = reference::distance(exact, &ours, 0.03);
                    if off > worst.0 {
                        worst = (off, t, b);
                    }
                }
            }
            if worst.0 > 1e-4 {
                broken.push(format!(
                    "{} {}: {:.6} m at {} s, bone {}, size {}, packing {:?}",
                    path.file_name().unwrap().display(),
                    clip.name,
                    worst.0,
                    worst.1,
                    skeleton.bones()[worst.2].name,
                    definition.rest_bounds.1,
                    definition.clips.packing(number).map(|p| (
                        p.worst_error_cm,
                        p.worst_bone,
                        p.kept_exact
                    ))
                ));
            }
        }
    }
    assert!(n_clips > 200, "{n_clips}");
    assert!(
        broken.is_empty(),
        "{} of {n_clips}\n{}",
        broken.len(),
        broken.join("\n")
    );
}
