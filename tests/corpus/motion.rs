//! Motion tools on whole characters: the built-in clips with known properties, and real files (GALATEA_CORPUS).

use galatea::anim::contacts::{
    ContactOptions, FootBones, GaitAnalysis, detect, find_feet, side_names, step_markers,
};
use galatea::anim::root_motion::{RootOptions, RootTrack, find_root_bone};
use galatea::anim::tools::{
    CloseOptions, LoopOptions, ReduceOptions, close_loop, find_loops, model_error, reduce_keys,
};
use galatea::anim::{Clip, MarkerValue, Pose, Skeleton, local_to_model, sample};
use galatea::asset::{bvh, deepmimic, gltf};
use galatea::forge::{clips, glb, rig};
use glam::Vec3;

use crate::files::corpus;

fn own(name: &str) -> (Skeleton, Clip) {
    let skeleton = rig::skeleton();
    let clip = clips::all(&skeleton).into_iter().find(|c| c.name == name);
    (skeleton, clip.unwrap())
}

fn gait(skeleton: &Skeleton, clip: &Clip) -> GaitAnalysis {
    let feet = find_feet(skeleton);
    assert_eq!(feet.len(), 2);
    detect(skeleton, clip, &feet, &ContactOptions::default())
}

/// Distance of two times on a loop.
fn apart(a: f32, b: f32, period: f32) -> f32 {
    let d = (a - b).rem_euclid(period);
    d.min(period - d)
}

#[test]
fn detected_steps_and_speeds_agree_with_those_our_gaits_were_made_from() {
    for (name, speed) in [("walk", 1.4), ("run", 4.2)] {
        let (skeleton, clip) = own(name);
        let gait = gait(&skeleton, &clip);
        assert!(gait.looping && gait.in_place());
        assert!(
            (gait.speed() - speed).abs() < 0.01 * speed,
            "{}",
            gait.speed()
        );
        assert!(gait.velocity().x.abs() < 0.01 * speed);
        let names = side_names(&skeleton, &find_feet(&skeleton));
        let marks = step_markers(&gait, clip.duration, &names);
        assert_eq!(marks.len(), clip.markers.len(), "{marks:?}");
        for authored in &clip.markers {
            let near = marks.iter().any(|mark| {
                mark.fields == authored.fields
                    && apart(mark.time, authored.time, clip.duration) < 0.02
            });
            assert!(near, "{name}: {authored:?} not among {marks:?}");
        }
    }
    for name in ["idle", "wave"] {
        let (skeleton, clip) = own(name);
        let gait = gait(&skeleton, &clip);
        assert!(gait.speed() < 0.01, "{name}: {}", gait.speed());
        assert_eq!(step_markers(&gait, clip.duration, &[]), []);
    }
}

#[test]
fn root_motion_can_be_added_to_a_walk_and_removed_again() {
    let (skeleton, clip) = own("walk");
    let root = find_root_bone(&skeleton, &clip).unwrap();
    let way = RootTrack::even(root, clip.duration, gait(&skeleton, &clip).velocity());
    let travelling = way.restore(&skeleton, &clip);
    let gait = gait(&skeleton, &travelling);
    assert!(!gait.in_place() && gait.looping);
    assert!(
        gait.planted_velocity.length() < 0.02,
        "{}",
        gait.planted_velocity
    );
    assert!((gait.speed() - 1.4).abs() < 0.02, "{}", gait.speed());
    let root = find_root_bone(&skeleton, &travelling).unwrap();
    let found = RootTrack::extract(&skeleton, &travelling, root, &RootOptions::default());
    assert!((found.lap().translation.z - 1.4).abs() < 0.02);
    let again = found.strip(&skeleton, &travelling);
    assert!(model_error(&skeleton, &clip, &again).0 < 1e-4);
}

#[test]
fn clips_written_to_a_file_come_back_the_same() {
    let skeleton = rig::skeleton();
    let clips = clips::all(&skeleton);
    let bytes = glb::write_clips("own", &skeleton, &clips);
    let model = gltf::load_slice("own.glb", &bytes, &mut |_| Err("none".into())).unwrap();
    assert!(model.warnings.is_empty(), "{:?}", model.warnings);
    assert_eq!(model.clips.len(), clips.len());
    for clip in &clips {
        let back = &model.clips[model.clip(&clip.name).unwrap()];
        assert_eq!(back.duration, clip.duration);
        assert_eq!(back.markers, clip.markers);
        let bones = model.skeleton.bones();
        for tracks in &clip.bones {
            let name = &skeleton.bones()[usize::from(tracks.bone)].name;
            let own = back
                .bones
                .iter()
                .find(|b| bones[usize::from(b.bone)].name == *name);
            let own = own.unwrap();
            assert_eq!(own.translation, tracks.translation);
            let (got, want) = (own.rotation.as_ref(), tracks.rotation.as_ref());
            assert_eq!(got.map(|t| &t.times), want.map(|t| &t.times));
            for (a, b) in got
                .iter()
                .zip(&want)
                .flat_map(|(a, b)| a.values.iter().zip(&b.values))
            {
                assert!(a.abs_diff_eq(*b, 1e-6));
            }
        }
    }
    assert!(model.skeleton.bones().iter().any(|bone| bone.skinned));
    let empty = glb::write_clips("empty", &Skeleton::default(), &[]);
    assert!(gltf::load_slice("empty.glb", &empty, &mut |_| Err("none".into())).is_ok());
}

#[test]
fn a_walk_reduced_to_a_tenth_of_a_millimetre_still_walks_at_its_speed() {
    let (skeleton, clip) = own("walk");
    let feet = find_feet(&skeleton);
    let options = ReduceOptions {
        tolerance: 1e-4,
        tighter: feet.iter().map(|(foot, _)| (*foot, 5e-5)).collect(),
    };
    let (fewer, report) = reduce_keys(&skeleton, &clip, &options);
    assert!(report.kept && report.keys_after < report.keys_before);
    assert!(model_error(&skeleton, &clip, &fewer).0 <= 1.001e-4);
    assert!((gait(&skeleton, &fewer).speed() - 1.4).abs() < 0.014);
}

/// The largest ground distance, metres, by which a planted foot of `made` moves differently in `played`.
fn slide(skeleton: &Skeleton, made: &Clip, played: &Clip) -> f32 {
    let feet = find_feet(skeleton);
    let place = |clip: &Clip, foot: u16, t: f32| {
        let mut pose = Pose {
            locals: skeleton.rest().collect(),
            ..Pose::default()
        };
        sample(clip, t.rem_euclid(made.duration), &[], &mut pose);
        let mut matrices = Vec::new();
        local_to_model(skeleton, &pose.locals, &mut matrices);
        Vec3::from(matrices[usize::from(foot)].translation)
    };
    let mut farthest = 0.0_f32;
    for contact in gait(skeleton, made).contacts {
        let foot = feet[contact.foot].0;
        let off = |t: f32| (place(played, foot, t) - place(made, foot, t)).with_y(0.0);
        let seconds = contact.end - contact.start;
        for i in 1..=30 {
            let t = contact.start + seconds * i as f32 / 30.0;
            farthest = farthest.max(off(t).distance(off(contact.start)));
        }
    }
    farthest
}

#[test]
fn a_reduced_walk_slides_unless_feet_have_a_tighter_bound() {
    let (skeleton, clip) = own("walk");
    let slide_of = |tighter: Vec<(u16, f32)>| {
        let options = ReduceOptions {
            tolerance: 4e-2,
            tighter,
        };
        let (fewer, report) = reduce_keys(&skeleton, &clip, &options);
        assert!(report.kept && report.keys_after * 2 < report.keys_before);
        slide(&skeleton, &clip, &fewer)
    };
    let loose = slide_of(Vec::new());
    assert!(loose > 0.02, "{loose}");
    let feet = find_feet(&skeleton).into_iter();
    let held = slide_of(feet.map(|(foot, _)| (foot, 1e-3)).collect());
    assert!(held < 2e-3, "{held}");
}

#[test]
fn real_mocap_loads_with_its_units_and_bones() {
    let Some(corpus) = corpus() else { return };
    // File, bones, seconds, message about units, leg length in metres.
    for (file, bones, seconds, unit, leg) in [
        (
            "assimp-bvh-cmu/BVH/01_01.bvh",
            38,
            22.925,
            "Carnegie Mellon",
            0.83,
        ),
        (
            "animated-drawings/bvh/cmu1/jumping_jacks.bvh",
            38,
            4.133,
            "Carnegie Mellon",
            0.84,
        ),
        (
            "bvh-python/test_freebvh.bvh",
            70,
            2.267,
            "centimetres",
            0.81,
        ),
        (
            "animated-drawings/bvh/fair1/zombie.bvh",
            34,
            25.933,
            "inches",
            0.55,
        ),
        (
            "animated-drawings/bvh/fair1/jumping.bvh",
            34,
            5.447,
            "inches",
            0.55,
        ),
    ] {
        let bytes = std::fs::read(corpus.join("05_mocap").join(file)).unwrap();
        let (skeleton, clip, warnings) = bvh::load(&bytes, "take").unwrap();
        assert_eq!(skeleton.len(), bones, "{file}");
        assert!(
            (clip.duration - seconds).abs() < 2e-3,
            "{file}: {}",
            clip.duration
        );
        assert!(warnings[0].contains(unit), "{file}: {warnings:?}");
        assert_eq!(
            warnings.iter().any(|w| w.contains("Z-up")),
            file.contains("fair1")
        );
        let (foot, _) = find_feet(&skeleton)[0];
        let shin = skeleton.bones()[usize::from(foot)].parent.unwrap();
        let length = |bone: u16| {
            skeleton.bones()[usize::from(bone)]
                .rest
                .translation
                .length()
        };
        let found = length(foot) + length(shin);
        assert!((found - leg).abs() < 0.02, "{file}: {found}");
    }
}

#[test]
fn the_walk_and_run_of_deepmimic_have_a_walks_and_a_runs_speed() {
    let Some(corpus) = corpus() else { return };
    let folder =
        "05_mocap/bullet3-deepmimic-mocap/examples/pybullet/gym/pybullet_data/data/motions";
    for (file, least, most) in [("walk", 0.9, 1.4), ("run", 2.8, 4.2)] {
        let path = corpus.join(folder).join(format!("humanoid3d_{file}.txt"));
        let (skeleton, clip, _) = deepmimic::load(&std::fs::read(path).unwrap(), file).unwrap();
        let gait = gait(&skeleton, &clip);
        assert!(!gait.in_place());
        assert!(
            (least..most).contains(&gait.speed()),
            "{file}: {}",
            gait.speed()
        );
        // Forward is +Z.
        assert!(gait.velocity().z > 0.98 * gait.speed());
        if file == "walk" {
            // The file says that it loops; so do the poses.
            let best = find_loops(&skeleton, &clip, &LoopOptions::default())[0];
            assert!(
                best.start < 0.05 && best.end > clip.duration - 0.05,
                "{best:?}"
            );
        }
    }
}

#[test]
fn on_other_bodies_they_have_the_speed_of_those_bodies() {
    let Some(corpus) = corpus() else { return };
    let folder =
        "05_mocap/bullet3-deepmimic-mocap/examples/pybullet/gym/pybullet_data/data/motions";
    // The knight's legs have other proportions than a human's: its feet move farther than its hips.
    for (target, most) in [
        (
            "01_characters/kaykit-adventurers/Characters/gltf/Knight.glb",
            0.2,
        ),
        (
            "03_vrm/vrm-addon-for-blender/unity/VrmaInspector/Assets/StreamingAssets/Example.vrm",
            0.05,
        ),
    ] {
        let model = gltf::load(&corpus.join(target)).unwrap();
        for name in ["walk", "run"] {
            let path = corpus.join(folder).join(format!("humanoid3d_{name}.txt"));
            let source = galatea::asset::clips::load(&path).unwrap();
            let (humanoid, _) = model.humanoid();
            let options = galatea::anim::retarget::RetargetOptions::default();
            let bound = source.onto(&model, &humanoid, options).unwrap();
            let feet = FootBones::of(&model.skeleton, &humanoid).bones;
            let clip = &bound.clips[0];
            let found = detect(&model.skeleton, clip, &feet, &ContactOptions::default()).speed();
            let own = gait(&source.skeleton, &source.clips[0]).speed();
            let speed = own * bound.report.scale;
            assert!(
                (found / speed - 1.0).abs() < most,
                "{target} {name}: {found} m/s, {speed} by size"
            );
        }
    }
}

#[test]
fn a_hop_in_the_carnegie_mellon_take_is_found_cut_and_closed() {
    let Some(corpus) = corpus() else { return };
    let path = corpus.join("05_mocap/assimp-bvh-cmu/BVH/01_01.bvh");
    let (skeleton, clip, _) = bvh::load(&std::fs::read(path).unwrap(), "take").unwrap();
    let best = find_loops(&skeleton, &clip, &LoopOptions::default())[0];
    assert!(best.distance < 0.03, "{best:?}");
    let closed = close_loop(
        &skeleton,
        &clip,
        best.start,
        best.end,
        &CloseOptions::default(),
    );
    let options = LoopOptions {
        shortest: closed.duration - 0.05,
        ..LoopOptions::default()
    };
    let again = find_loops(&skeleton, &closed, &options)[0];
    assert!(again.start == 0.0 && again.distance < 1e-3, "{again:?}");
    // It still travels as far as the take.
    let root = find_root_bone(&skeleton, &closed).unwrap();
    let lap = RootTrack::extract(&skeleton, &closed, root, &RootOptions::default()).lap();
    let ratio = lap.translation.with_y(0.0).length() / best.lap.translation.with_y(0.0).length();
    assert!((ratio - 1.0).abs() < 0.2, "{ratio}");
    assert!(gait(&skeleton, &closed).looping);
}

#[test]
fn kaykits_walks_and_strafes_step_left_and_right_in_their_direction() {
    let Some(corpus) = corpus() else { return };
    let path = "01_characters/kaykit-adventurers/Characters/gltf/Knight.glb";
    let model = gltf::load(&corpus.join(path)).unwrap();
    // Clip, direction in degrees (left positive), minimum and maximum speed in metres per second.
    for (name, degrees, least, most) in [
        ("Walking_A", 0.0_f32, 0.6, 1.1),
        ("Walking_B", 0.0, 0.6, 1.1),
        ("Walking_C", 0.0, 0.4, 0.8),
        ("Walking_Backwards", 180.0, 0.6, 1.1),
        ("Running_A", 0.0, 3.5, 5.0),
        ("Running_Strafe_Left", 60.0, 3.5, 5.0),
        ("Running_Strafe_Right", -60.0, 3.5, 5.0),
    ] {
        let clip = &model.clips[model.clip(name).unwrap()];
        let gait = gait(&model.skeleton, clip);
        assert!(
            (least..most).contains(&gait.speed()),
            "{name}: {}",
            gait.speed()
        );
        let v = gait.velocity();
        let miss = (v.x.atan2(v.z).to_degrees() - degrees + 540.0).rem_euclid(360.0) - 180.0;
        assert!(miss.abs() < 3.0, "{name}: {miss}");
        assert!(gait.is_even(2), "{name}");
        let names = side_names(&model.skeleton, &find_feet(&model.skeleton));
        let marks = step_markers(&gait, clip.duration, &names);
        assert_eq!(marks.len(), 2, "{name}: {marks:?}");
        assert_ne!(marks[0].fields, marks[1].fields);
        let half = apart(marks[0].time, marks[1].time, clip.duration) / clip.duration;
        assert!((half - 0.5).abs() < 0.06, "{name}: {half}");
    }
    for name in ["Throw", "Dualwield_Melee_Attack_Chop"] {
        let gait = gait(&model.skeleton, &model.clips[model.clip(name).unwrap()]);
        assert!(gait.in_place() && !gait.is_even(2), "{name}: {gait:?}");
    }
    let idle = gait(&model.skeleton, &model.clips[model.clip("Idle").unwrap()]);
    assert!(idle.speed() < 0.01 && idle.contacts.len() == 2);
}

#[test]
fn the_fox_stands_walks_and_runs_ever_faster() {
    let Some(corpus) = corpus() else { return };
    let path = "01_characters/khronos-samples-via-bevy/animated/Fox.glb";
    let model = gltf::load(&corpus.join(path)).unwrap();
    let speeds = ["Survey", "Walk", "Run"].map(|name| {
        let gait = gait(&model.skeleton, &model.clips[model.clip(name).unwrap()]);
        assert!(gait.looping, "{name}");
        assert!(gait.velocity().x.abs() < 2.0, "{name}: straight ahead");
        let steps = step_markers(&gait, 1.0, &["left".into(), "right".into()]);
        let sides = steps.iter().map(|mark| mark.fields[0].1.clone());
        (gait.velocity().z, sides.collect::<Vec<MarkerValue>>().len())
    });
    // The file is in centimetres.
    assert!(speeds[0].0.abs() < 1.0 && speeds[0].1 == 0, "{speeds:?}");
    assert!(
        (70.0..150.0).contains(&speeds[1].0) && speeds[1].1 == 2,
        "{speeds:?}"
    );
    assert!((180.0..280.0).contains(&speeds[2].0), "{speeds:?}");
}
