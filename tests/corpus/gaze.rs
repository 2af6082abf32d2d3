//! Gaze and breathing of real characters (GALATEA_CORPUS): directions of head and eyes at rest, and after gaze commands.

use std::path::Path;

use galatea::anim::{Skeleton, local_to_model};
use galatea::asset::gltf::load;
use galatea::math::Trs;
use galatea::rig::Posed;
use galatea::rig::gaze::{Gaze, GazeInput, GazeOptions, GazeRig, GazeTarget, OutOfRange};
use galatea::rig::idle_motion::{IdleMotion, IdleMotionInput, IdleMotionRig, IdleMotionSettings};
use galatea::rig::trunk::AlignedBone;
use glam::{Affine3A, Quat, Vec2, Vec3};

use crate::files::{corpus, files};

/// File; number of neck bones, spine bones, and detected eyes.
const KNOWN: [(&str, usize, usize, usize); 7] = [
    (
        "01_characters/godot-demo-projects/ragdoll_physics/characters/mannequiny.glb",
        1,
        2,
        0,
    ),
    (
        "03_vrm/godot-vrm-godette/vrm_samples/Godette_vrm_v4.vrm",
        1,
        2,
        0,
    ),
    (
        "02_faces_lipsync/mpfb-cc0-human-DERIVED/mpfb_cc0_human.glb",
        1,
        3,
        0,
    ),
    (
        "01_characters/kaykit-adventurers/Characters/gltf/Knight.glb",
        0,
        2,
        0,
    ),
    (
        "01_characters/khronos-samples-via-bevy/animated/Fox.glb",
        1,
        0,
        0,
    ),
    (
        "01_characters/quaternius-via-showcase/animals_pack/Wolf.glb",
        3,
        0,
        0,
    ),
    (
        "01_characters/quaternius-via-showcase/animals_pack/Fox.glb",
        3,
        0,
        0,
    ),
];

struct Body {
    skeleton: std::sync::Arc<Skeleton>,
    rig: GazeRig,
    alive: IdleMotionRig,
    rest: Vec<Trs>,
}

fn body(file: &Path) -> Body {
    let model = load(file).unwrap();
    let (humanoid, _) = model.humanoid();
    let skeleton = model.skeleton.clone();
    Body {
        rig: GazeRig::find(&skeleton, &humanoid).unwrap(),
        alive: IdleMotionRig::find(&skeleton, &humanoid).unwrap(),
        rest: skeleton.rest().collect(),
        skeleton,
    }
}

fn frame(model: &[Affine3A], bone: &AlignedBone) -> Quat {
    Trs::nearest(model[usize::from(bone.bone)]).rotation * bone.bone_from_character
}

fn angles(direction: Vec3) -> Vec2 {
    let level = direction.x.hypot(direction.z);
    Vec2::new(direction.x.atan2(direction.z), direction.y.atan2(level))
}

#[test]
fn heads_look_ahead_at_rest_and_at_a_given_target() {
    let Some(corpus) = corpus() else { return };
    for (file, n_necks, n_spine, n_eyes) in KNOWN {
        let body = body(&corpus.join(file));
        let rig = &body.rig;
        assert_eq!(
            (
                rig.necks.len(),
                rig.spine.len(),
                rig.eyes.iter().flatten().count()
            ),
            (n_necks, n_spine, n_eyes),
            "{file}"
        );
        let mut model = Vec::new();
        local_to_model(&body.skeleton, &body.rest, &mut model);
        let forward = rig.model_from_character * Vec3::Z;
        assert!(
            forward.angle_between(Vec3::Z) < 0.05,
            "{file}: looks along {forward}"
        );
        let up = rig.model_from_character * Vec3::Y;
        assert!(
            up.angle_between(Vec3::Y) < 0.05,
            "{file}: stands along {up}"
        );
        let off = (frame(&model, &rig.head) * Vec3::Z).angle_between(forward);
        assert!(off.to_degrees() < 0.1, "{file}: {off}");
        let middle = model[usize::from(rig.head.bone)].transform_point3(rig.eye_middle);
        let low = model
            .iter()
            .map(|m| m.translation.y)
            .fold(f32::MAX, f32::min);
        let high = (middle.y - low) / body.skeleton.height();
        assert!(
            (0.5..1.05).contains(&high),
            "{file}: eyes at {high} of the height"
        );
        for (yaw, pitch) in [(30.0_f32, 5.0_f32), (-50.0, -10.0), (10.0, 25.0)] {
            looks(
                file,
                &body,
                middle,
                Vec2::new(yaw.to_radians(), pitch.to_radians()),
            );
        }
    }
}

/// Pose of a body, local and in model space, after looking at a target for some ticks.
fn looked(
    body: &Body,
    options: GazeOptions,
    place: Vec3,
    ticks: usize,
) -> (Vec<Trs>, Vec<Affine3A>) {
    let mut gaze = Gaze::new(options, 1);
    let (mut locals, mut model) = (body.rest.clone(), Vec::new());
    for _ in 0..ticks {
        locals.clone_from(&body.rest);
        local_to_model(&body.skeleton, &locals, &mut model);
        let mut posed = Posed::new(&body.skeleton, &mut locals, &model);
        let input = GazeInput {
            dt: 1.0 / 60.0,
            target: Some(GazeTarget {
                position: place,
                radius: 0.0,
            }),
            ..GazeInput::default()
        };
        gaze.advance(&body.rig, &posed, &input);
        gaze.apply(&mut posed, &body.rig, 1.0);
        local_to_model(&body.skeleton, &locals, &mut model);
    }
    (locals, model)
}

/// Looks at a target two metres away (for a person) in a direction, and checks the direction of the head.
fn looks(file: &str, body: &Body, middle: Vec3, to: Vec2) {
    let rig = &body.rig;
    let options = GazeOptions {
        eye_activity: 0.0,
        out_of_range: OutOfRange::Clamp,
        ..GazeOptions::default()
    };
    let turn = Quat::from_rotation_y(to.x) * Quat::from_rotation_x(-to.y);
    let place = middle + rig.model_from_character * turn * Vec3::Z * (2.0 * rig.size);
    let (locals, model) = looked(body, options, place, 360);
    assert!(locals.iter().all(|local| local.is_finite()), "{file}");
    let head = frame(&model, &rig.head);
    let middle = model[usize::from(rig.head.bone)].transform_point3(rig.eye_middle);
    // Without moving eyes, the head's own axis must point at the target.
    let off = (head * Vec3::Z).angle_between(place - middle).to_degrees();
    assert!(off < 0.2, "{file}: {to} is missed by {off} degrees");
    let turned = angles(rig.model_from_character.conjugate() * head * Vec3::Z);
    assert!(turned.x.abs() < 83.1_f32.to_radians(), "{file}");
    // The head stays level.
    let roll = (rig.model_from_character.conjugate() * head * Vec3::X)
        .y
        .asin();
    assert!(
        roll.abs().to_degrees() < 1.0,
        "{file}: rolled by {}",
        roll.to_degrees()
    );
}

#[test]
fn real_bodies_breathe_without_being_torn() {
    let Some(corpus) = corpus() else { return };
    for (file, ..) in KNOWN {
        let body = body(&corpus.join(file));
        let mut alive = IdleMotion::new(IdleMotionSettings::default(), 3);
        let mut rest = Vec::new();
        local_to_model(&body.skeleton, &body.rest, &mut rest);
        let (mut locals, mut model) = (body.rest.clone(), rest.clone());
        let mut farthest = 0.0_f32;
        for _ in 0..600 {
            locals.clone_from(&body.rest);
            local_to_model(&body.skeleton, &locals, &mut model);
            alive.advance(&IdleMotionInput {
                dt: 1.0 / 60.0,
                ..IdleMotionInput::default()
            });
            let mut posed = Posed::new(&body.skeleton, &mut locals, &model);
            alive.apply(&mut posed, &body.alive, 1.0);
            local_to_model(&body.skeleton, &locals, &mut model);
            for (now, was) in model.iter().zip(&rest) {
                farthest = farthest.max(now.translation.distance(was.translation));
            }
        }
        let share = farthest / body.skeleton.height();
        assert!(
            (0.0005..0.07).contains(&share),
            "{file}: {share} of the height"
        );
    }
}

/// Every model: with a head it looks, without one it reports the reason.
#[test]
fn every_model_looks_or_reports_why_it_cannot() {
    let Some(corpus) = corpus() else { return };
    let (mut n, mut with_eyes) = (0, 0);
    for folder in ["01_characters", "02_faces_lipsync", "03_vrm"] {
        for file in files(&corpus.join(folder), &["glb", "gltf", "vrm"]) {
            let Ok(model) = load(&file) else { continue };
            let name = file.display().to_string();
            let (humanoid, _) = model.humanoid();
            match GazeRig::find(&model.skeleton, &humanoid) {
                Ok(rig) => {
                    n += 1;
                    let has_both = rig.eyes.iter().all(Option::is_some);
                    with_eyes += usize::from(has_both);
                    let body = Body {
                        alive: IdleMotionRig::find(&model.skeleton, &humanoid).unwrap(),
                        rest: model.skeleton.rest().collect(),
                        skeleton: model.skeleton.clone(),
                        rig,
                    };
                    if has_both {
                        eyes_meet(&name, &body);
                    }
                }
                Err(error) => assert!(error.to_string().contains("needs a head"), "{name}"),
            }
        }
    }
    eprintln!("{n} look, {with_eyes} with eyes");
    assert!(n >= 40 && with_eyes >= 2, "{n} look, {with_eyes} with eyes");
}

/// Both eyes converge on the target.
fn eyes_meet(file: &str, body: &Body) {
    let rig = &body.rig;
    let mut model = Vec::new();
    local_to_model(&body.skeleton, &body.rest, &mut model);
    let middle = model[usize::from(rig.head.bone)].transform_point3(rig.eye_middle);
    let place = middle + rig.model_from_character * Vec3::new(0.5, 0.1, 1.5) * rig.size;
    let options = GazeOptions {
        eye_activity: 0.0,
        ..GazeOptions::default()
    };
    let (_, model) = looked(body, options, place, 120);
    for eye in rig.eyes.iter().flatten() {
        let at = Vec3::from(model[usize::from(eye.bone)].translation);
        let off = (frame(&model, eye) * Vec3::Z)
            .angle_between(place - at)
            .to_degrees();
        assert!(off < 0.5, "{file}: an eye misses by {off} degrees");
    }
}
