//! Real files (GALATEA_CORPUS): roles found on their skeletons, and clips of one played on another. With
//! GALATEA_PICTURES=FOLDER, contact sheets are written there.

mod sheet;
mod sweep;

use std::path::{Path, PathBuf};

use galatea::anim::humanoid::{Humanoid, Role, RoleSource};
use galatea::anim::retarget::{RetargetMode, RetargetOptions};
use galatea::anim::{Clip, MarkerValue, Skeleton, local_to_model};
use galatea::asset::clips::{self, BoundClips, ClipSource};
use galatea::asset::{Model, gltf};
use glam::Vec3;

use crate::files::corpus;

const MANNEQUIN: &str =
    "01_characters/kaykit-char-sketchpunk/models/mannequin_v2/manny_med_mod.gltf";
const EXAMPLE: &str =
    "03_vrm/vrm-addon-for-blender/unity/VrmaInspector/Assets/StreamingAssets/Example.vrm";
const GODETTE: &str = "03_vrm/godot-vrm-godette/vrm_samples/Godette_vrm_v4.vrm";
const MANNEQUINY: &str =
    "01_characters/godot-demo-projects/ragdoll_physics/characters/mannequiny.glb";
const MPFB: &str = "02_faces_lipsync/mpfb-cc0-human-DERIVED/mpfb_cc0_human.glb";
const MIXAMO: &str = "05_mocap/bvh-python/test_freebvh.bvh";

fn motion(corpus: &Path, file: &str) -> ClipSource {
    clips::load(&corpus.join(file)).unwrap()
}

fn character(corpus: &Path, file: &str) -> (Model, Humanoid) {
    let model = gltf::load(&corpus.join(file)).unwrap();
    let (humanoid, _) = model.humanoid();
    (model, humanoid)
}

/// Every file of the corpus with a human body: number of roles found, and true if all roles required by VRM are among them.
const BODIES: [(&str, usize, bool); 22] = [
    // Feet that are children of the root in the file.
    (
        "01_characters/quaternius-via-showcase/single_knight_pack/KnightCharacter.glb",
        19,
        true,
    ),
    (
        "01_characters/threejs-examples/gltf/RobotExpressive/RobotExpressive.glb",
        17,
        true,
    ),
    (
        "01_characters/quaternius-via-showcase/mech_pack/Stan.glb",
        17,
        true,
    ),
    // Limbs of one bone.
    (
        "01_characters/kenney-platformer-kit/character.glb",
        3,
        false,
    ),
    (
        "01_characters/quaternius-via-showcase/animals_pack/Fox.glb",
        0,
        false,
    ),
    (MANNEQUIN, 18, true),
    (
        "01_characters/kaykit-char-sketchpunk/anim/Med_General.glb",
        18,
        true,
    ),
    (
        "01_characters/kaykit-adventurers/Characters/gltf/Knight.glb",
        18,
        true,
    ),
    (
        "01_characters/bevy-animation-graph/character_rigged.glb",
        22,
        true,
    ),
    (MANNEQUINY, 45, true),
    (
        "01_characters/quaternius-via-showcase/modular_men/Casual.glb",
        48,
        true,
    ),
    (
        "01_characters/khronos-samples-via-lab0/CesiumMan.glb",
        19,
        true,
    ),
    (MPFB, 52, true),
    (GODETTE, 45, true),
    (EXAMPLE, 53, true),
    (
        "03_vrm/vrm-addon-for-blender/vrm/5.2/out/basic_armature.vrm",
        53,
        true,
    ),
    (
        "03_vrm/three-vrm/three-vrm-animation/examples/models/test.vrma",
        51,
        true,
    ),
    (
        "03_vrm/vrm-addon-for-blender/template/node_constraint/hips_spine_twisting.vrma",
        17,
        true,
    ),
    ("05_mocap/assimp-bvh-cmu/BVH/01_01.bvh", 24, true),
    (
        "05_mocap/animated-drawings/bvh/cmu1/jumping_jacks.bvh",
        24,
        true,
    ),
    ("05_mocap/animated-drawings/bvh/fair1/zombie.bvh", 24, true),
    (MIXAMO, 54, true),
];

#[test]
fn the_bones_of_real_bodies_are_found() {
    let Some(corpus) = corpus() else { return };
    for (file, fewest, whole) in BODIES {
        let source = motion(&corpus, file);
        let report = &source.report;
        let n = report.found.len();
        let by = |how| report.found.iter().filter(|found| found.how == how).count();
        println!(
            "{file}: {n} roles ({} declared, {} name, {} structure, {} shape), confidence {:.2}, \
             missing {:?}, {:?}",
            by(RoleSource::Declared),
            by(RoleSource::Name),
            by(RoleSource::Structure),
            by(RoleSource::Shape),
            report.confidence(),
            report.missing,
            report.notes,
        );
        assert!(n >= fewest, "{file}: {n}");
        assert_eq!(source.humanoid.is_body(), whole, "{file}");
    }
}

fn places(skeleton: &Skeleton, humanoid: &Humanoid, clip: &Clip, t: f32) -> Vec<Vec3> {
    let pose = sheet::pose(skeleton, Vec::new(), clip, t);
    let mut matrices = Vec::new();
    local_to_model(skeleton, &pose.locals, &mut matrices);
    let turn = humanoid.model_from_character.inverse();
    matrices
        .iter()
        .map(|m| turn * Vec3::from(m.translation))
        .collect()
}

/// Measurements of a clip and its copy.
#[derive(Debug, Default)]
struct Measured {
    /// Largest angle between the limbs of both, degrees.
    limbs: f32,
    /// Largest change of a bone's length, as a fraction.
    stretch: f32,
    /// Lowest and highest ground clearance of the lowest foot bone over the clip, as fractions of the target's hip height,
    /// relative to rest.
    feet: (f32, f32),
    /// The same for the source.
    source_feet: (f32, f32),
}

const LIMBS: [(Role, Role); 8] = [
    (Role::LeftUpperArm, Role::LeftLowerArm),
    (Role::LeftLowerArm, Role::LeftHand),
    (Role::RightUpperArm, Role::RightLowerArm),
    (Role::RightLowerArm, Role::RightHand),
    (Role::LeftUpperLeg, Role::LeftLowerLeg),
    (Role::LeftLowerLeg, Role::LeftFoot),
    (Role::RightUpperLeg, Role::RightLowerLeg),
    (Role::RightLowerLeg, Role::RightFoot),
];

fn measure(
    source: (&Skeleton, &Humanoid, &Clip),
    target: (&Skeleton, &Humanoid, &Clip),
) -> Measured {
    let mut out = Measured {
        feet: (f32::MAX, f32::MIN),
        source_feet: (f32::MAX, f32::MIN),
        ..Measured::default()
    };
    let still = Clip::default();
    let at = |side: (&Skeleton, &Humanoid, &Clip), t| places(side.0, side.1, side.2, t);
    let rest = |side: (&Skeleton, &Humanoid, &Clip)| places(side.0, side.1, &still, 0.0);
    let feet = |places: &[Vec3], side: (&Skeleton, &Humanoid, &Clip)| {
        let feet = [
            Role::LeftFoot,
            Role::RightFoot,
            Role::LeftToes,
            Role::RightToes,
        ];
        let feet = feet.iter().filter_map(|role| side.1.bone(*role));
        feet.map(|bone| places[usize::from(bone)].y)
            .fold(f32::MAX, f32::min)
    };
    let height = |places: &[Vec3], side: (&Skeleton, &Humanoid, &Clip)| {
        places[usize::from(side.1.bone(Role::Hips).unwrap())].y - feet(places, side)
    };
    let rests = (rest(source), rest(target));
    let duration = source.2.duration;
    for k in 0..=24 {
        let t = duration * k as f32 / 24.0;
        let (a, b) = (at(source, t), at(target, t));
        for (from, to) in LIMBS {
            let direction = |places: &[Vec3], humanoid: &Humanoid| {
                let place = |role| Some(places[usize::from(humanoid.bone(role)?)]);
                Some(place(to)? - place(from)?)
            };
            if let (Some(a), Some(b)) = (direction(&a, source.1), direction(&b, target.1)) {
                out.limbs = out.limbs.max(a.angle_between(b).to_degrees());
            }
        }
        for (i, bone) in target.0.bones().iter().enumerate() {
            let is_hips = target.1.bone(Role::Hips) == Some(i as u16);
            if let (Some(p), false) = (bone.parent.map(usize::from), is_hips) {
                let before = rests.1[i].distance(rests.1[p]);
                let whole = height(&rests.1, target);
                out.stretch = out
                    .stretch
                    .max((b[i].distance(b[p]) - before).abs() / whole);
            }
        }
        let clear = |places: &[Vec3], rest: &[Vec3], side| {
            (feet(places, side) - feet(rest, side)) / height(rest, side)
        };
        let grow = |range: (f32, f32), v: f32| (range.0.min(v), range.1.max(v));
        out.feet = grow(out.feet, clear(&b, &rests.1, target));
        out.source_feet = grow(out.source_feet, clear(&a, &rests.0, source));
    }
    out
}

fn bind(
    source: &ClipSource,
    target: &(Model, Humanoid),
    manner: Option<RetargetMode>,
) -> BoundClips {
    let options = RetargetOptions {
        manner,
        ..RetargetOptions::default()
    };
    source.onto(&target.0, &target.1, options).unwrap()
}

/// Binds, measures, prints and draws the clips with the given names (all if empty).
fn prove(
    name: &str,
    source: &ClipSource,
    target: &(Model, Humanoid),
    manner: Option<RetargetMode>,
    wanted: &[&str],
) -> Vec<Measured> {
    let bound = bind(source, target, manner);
    let report = &bound.report;
    println!(
        "== {name}: {:?}, scale {:.4}, {} bones, unmatched {:?} | {:?}; {:?}",
        report.manner,
        report.scale,
        report.bones.len(),
        report.unmatched_source,
        report.unmatched_target,
        report.notes
    );
    for bone in report
        .bones
        .iter()
        .filter(|b| b.rest_difference.is_some_and(|d| d > 1.0))
    {
        println!(
            "   {} -> {}: {:.1} degrees{}",
            bone.source,
            bone.target,
            bone.rest_difference.unwrap_or(0.0),
            if bone.corrected { ", corrected" } else { "" }
        );
    }
    let mut all = Vec::new();
    for (clip, new) in source.clips.iter().zip(&bound.clips) {
        if !wanted.is_empty() && !wanted.contains(&clip.name.as_str()) {
            continue;
        }
        // Scales are not transferred; a non-uniform one would change limb directions.
        let mut plain = clip.clone();
        if bound.report.manner == RetargetMode::Body {
            plain
                .bones
                .iter_mut()
                .for_each(|tracks| tracks.scale = None);
        }
        let measured = measure(
            (&source.skeleton, &source.humanoid, &plain),
            (&target.0.skeleton, &target.1, new),
        );
        println!("   {}: {measured:.4?}", clip.name);
        if let Some(folder) = std::env::var_os("GALATEA_PICTURES").map(PathBuf::from) {
            std::fs::create_dir_all(&folder).unwrap();
            sheet::write(
                &folder.join(format!("{name}_{}.png", clip.name)),
                (&source.skeleton, &source.humanoid, clip),
                (&target.0, &target.1, new),
            );
        }
        all.push(measured);
    }
    for text in bound.left_out.iter().take(6) {
        println!("   left out: {text}");
    }
    all
}

#[test]
fn kaykit_packs_play_on_the_mannequin_of_the_other_file() {
    let Some(corpus) = corpus() else { return };
    let target = character(&corpus, MANNEQUIN);
    for pack in ["Med_MovementBasic", "Med_General", "Med_CombatMelee"] {
        let file = format!("01_characters/kaykit-char-sketchpunk/anim/{pack}.glb");
        let source = motion(&corpus, &file);
        assert!(source.clips.len() > 5, "{pack}");
        for measured in prove(&format!("kaykit_{pack}"), &source, &target, None, &[]) {
            // The same rig: nothing is lost.
            assert!(measured.limbs < 0.05, "{pack}: {measured:?}");
            assert!(
                (measured.feet.0 - measured.source_feet.0).abs() < 1e-4,
                "{measured:?}"
            );
            assert!(
                (measured.feet.1 - measured.source_feet.1).abs() < 1e-4,
                "{measured:?}"
            );
        }
        let bound = bind(&source, &target, None);
        assert_eq!(bound.report.manner, RetargetMode::Names);
        assert!((bound.report.scale - 1.0).abs() < 1e-6);
    }
}

/// Checks that all limbs keep their directions, and no bone is stretched.
fn is_faithful(name: &str, all: &[Measured]) {
    assert!(!all.is_empty(), "{name}");
    for measured in all {
        assert!(measured.limbs < 0.1, "{name}: {measured:?}");
        assert!(measured.stretch < 1e-4, "{name}: {measured:?}");
    }
}

#[test]
fn mocap_with_mixamos_names_moves_vrm_characters() {
    let Some(corpus) = corpus() else { return };
    let source = motion(&corpus, MIXAMO);
    for (name, file) in [("example", EXAMPLE), ("godette", GODETTE), ("mpfb", MPFB)] {
        let target = character(&corpus, file);
        let all = prove(&format!("mixamo_{name}"), &source, &target, None, &[]);
        is_faithful(name, &all);
        // A walk on flat ground: one foot is always near it, in fractions of the hip height.
        let (low, high) = all[0].feet;
        assert!(low > -0.05 && high < 0.05, "{name}: {:?}", all[0]);
    }
}

#[test]
fn clips_of_other_rigs_move_vrm_characters_and_back() {
    let Some(corpus) = corpus() else { return };
    let source = motion(&corpus, MANNEQUINY);
    for (name, file) in [
        ("godette", GODETTE),
        ("example", EXAMPLE),
        ("kaykit", MANNEQUIN),
    ] {
        let target = character(&corpus, file);
        let all = prove(&format!("mannequiny_{name}"), &source, &target, None, &[]);
        is_faithful(name, &all);
    }
    let source = motion(
        &corpus,
        "01_characters/kaykit-char-sketchpunk/anim/Med_MovementBasic.glb",
    );
    for (name, file) in [("godette", GODETTE), ("mpfb", MPFB)] {
        let target = character(&corpus, file);
        let all = prove(&format!("kaykit_{name}"), &source, &target, None, &[]);
        is_faithful(name, &all);
    }
}

#[test]
fn vrm_animations_play_on_vrm_characters() {
    let Some(corpus) = corpus() else { return };
    let source = motion(
        &corpus,
        "03_vrm/three-vrm/three-vrm-animation/examples/models/test.vrma",
    );
    let curves: Vec<&str> = source.clips[0]
        .curves
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(curves, ["expression.happy", "look_at.pitch", "look_at.yaw"]);
    let example = character(&corpus, EXAMPLE);
    let all = prove("vrma_test_example", &source, &example, None, &[]);
    is_faithful("test.vrma", &all);
    // Both declare a T-pose, so Godette's drooping arms are treated as one.
    let godette = character(&corpus, GODETTE);
    let all = prove("vrma_test_godette", &source, &godette, None, &[]);
    assert!(all[0].stretch < 1e-4);

    // Saved in the middle of a motion: its declared T-pose is wrong, which is reported.
    let source = motion(
        &corpus,
        "03_vrm/vrm-addon-for-blender/template/node_constraint/hips_spine_twisting.vrma",
    );
    for (name, target) in [("example", &example), ("godette", &godette)] {
        let all = prove(&format!("vrma_twist_{name}"), &source, target, None, &[]);
        assert!(all[0].stretch < 1e-4);
        let notes = bind(&source, target, None).report.notes;
        assert!(
            notes.iter().any(|note| note.contains("declare a T-pose")),
            "{notes:?}"
        );
    }
}

#[test]
fn motion_capture_moves_a_human() {
    let Some(corpus) = corpus() else { return };
    for (name, file) in [
        ("cmu", "05_mocap/assimp-bvh-cmu/BVH/01_01.bvh"),
        (
            "cmu1",
            "05_mocap/animated-drawings/bvh/cmu1/jumping_jacks.bvh",
        ),
        ("fair1", "05_mocap/animated-drawings/bvh/fair1/zombie.bvh"),
    ] {
        let source = motion(&corpus, file);
        for (to, file) in [("mpfb", MPFB), ("example", EXAMPLE)] {
            let target = character(&corpus, file);
            let all = prove(&format!("bvh_{name}_{to}"), &source, &target, None, &[]);
            is_faithful(name, &all);
        }
    }
}

/// The feet of a clip's steps, in order.
fn steps(clip: &Clip) -> Vec<&MarkerValue> {
    let steps = clip.markers.iter().filter(|mark| mark.event == "step");
    let fields = steps.flat_map(|mark| &mark.fields);
    fields
        .filter(|(name, _)| name == "foot")
        .map(|(_, foot)| foot)
        .collect()
}

#[test]
fn walks_keep_the_steps_of_the_body_they_were_made_for() {
    let Some(corpus) = corpus() else { return };
    let pack = "01_characters/kaykit-char-sketchpunk/anim/Med_MovementBasic.glb";
    let source = motion(&corpus, pack);
    for file in [GODETTE, EXAMPLE, MANNEQUINY, MPFB] {
        let bound = bind(&source, &character(&corpus, file), None);
        let mut n_walks = 0;
        for (clip, own) in bound.clips.iter().zip(&source.clips) {
            let walks = clip.name.contains("Walking_") || clip.name.contains("Running_");
            if walks {
                n_walks += 1;
                let [left, right] = ["left", "right"].map(|foot| MarkerValue::Text(foot.into()));
                assert!(
                    [vec![&left, &right], vec![&right, &left]].contains(&steps(clip)),
                    "{file}: {}: {:?}",
                    clip.name,
                    clip.markers
                );
            }
            assert_eq!(clip.duration, own.duration);
        }
        assert_eq!(n_walks, 5, "{file}");
    }
}
