//! Tests of complete bodies.

use glam::{Affine3A, Quat, Vec3};

use super::*;
use galatea_anim::humanoid::{self, Humanoid};
use galatea_anim::{Bone, Skeleton, local_to_model};
use galatea_math::Trs;

/// Builds a skeleton from (name, parent, position in model space).
fn skeleton(bones: &[(&str, Option<u16>, [f32; 3])]) -> Skeleton {
    let bones = bones.iter().map(|(name, parent, at)| {
        let above = parent.map_or(Vec3::ZERO, |p| bones[usize::from(p)].2.into());
        Bone {
            name: (*name).into(),
            parent: *parent,
            rest: Trs::from_translation(Vec3::from(*at) - above),
            skinned: true,
        }
    });
    Skeleton::new(bones.collect()).unwrap()
}

fn person() -> (Skeleton, Humanoid) {
    let skeleton = skeleton(&[
        ("Hips", None, [0.0, 1.0, 0.0]),
        ("Spine", Some(0), [0.0, 1.1, 0.0]),
        ("Chest", Some(1), [0.0, 1.3, 0.0]),
        ("Neck", Some(2), [0.0, 1.5, 0.0]),
        ("Head", Some(3), [0.0, 1.6, 0.0]),
        ("LeftShoulder", Some(2), [0.05, 1.45, 0.0]),
        ("LeftUpperArm", Some(5), [0.2, 1.45, 0.0]),
        ("LeftLowerArm", Some(6), [0.45, 1.45, 0.0]),
        ("LeftHand", Some(7), [0.7, 1.45, 0.0]),
        ("RightShoulder", Some(2), [-0.05, 1.45, 0.0]),
        ("RightUpperArm", Some(9), [-0.2, 1.45, 0.0]),
        ("RightLowerArm", Some(10), [-0.45, 1.45, 0.0]),
        ("RightHand", Some(11), [-0.7, 1.45, 0.0]),
        ("LeftUpperLeg", Some(0), [0.1, 0.95, 0.0]),
        ("LeftLowerLeg", Some(13), [0.1, 0.5, 0.0]),
        ("LeftFoot", Some(14), [0.1, 0.1, 0.0]),
        ("RightUpperLeg", Some(0), [-0.1, 0.95, 0.0]),
        ("RightLowerLeg", Some(16), [-0.1, 0.5, 0.0]),
        ("RightFoot", Some(17), [-0.1, 0.1, 0.0]),
        ("LeftIndexProximal", Some(8), [0.75, 1.45, 0.0]),
    ]);
    let (humanoid, _) = humanoid::find(&skeleton, None);
    (skeleton, humanoid)
}

fn poses(
    skeleton: &Skeleton,
    rig: &IdleMotionRig,
    alive: &mut IdleMotion,
    input: IdleMotionInput,
    ticks: usize,
) -> Vec<(Vec<Trs>, Vec<Affine3A>)> {
    let rest: Vec<Trs> = skeleton.rest().collect();
    (0..ticks)
        .map(|_| {
            let (mut locals, mut model) = (rest.clone(), Vec::new());
            local_to_model(skeleton, &locals, &mut model);
            alive.advance(&input);
            let mut posed = Posed::new(skeleton, &mut locals, &model);
            alive.apply(&mut posed, rig, 1.0);
            local_to_model(skeleton, &locals, &mut model);
            (locals, model)
        })
        .collect()
}

/// Angle between two rotations, degrees; exact for small angles.
fn degrees(a: Quat, b: Quat) -> f32 {
    let rotation = a.conjugate() * b;
    (2.0 * rotation.xyz().length().min(1.0).asin()).to_degrees()
}

fn at(hz: f32) -> IdleMotionInput {
    IdleMotionInput {
        dt: 1.0 / hz,
        ..IdleMotionInput::default()
    }
}

#[test]
fn noise_is_bounded_continuous_and_begins_at_the_pose() {
    let (skeleton, humanoid) = person();
    let rig = IdleMotionRig::find(&skeleton, &humanoid).unwrap();
    for hz in [30.0_f32, 60.0, 240.0] {
        let mut alive = IdleMotion::new(IdleMotionSettings::default(), 5);
        let rest: Vec<Trs> = skeleton.rest().collect();
        let poses = poses(&skeleton, &rig, &mut alive, at(hz), (60.0 * hz) as usize);
        let (mut widest, mut step, mut previous) = (0.0_f32, 0.0_f32, rest.clone());
        for (locals, _) in &poses {
            for bone in 0..skeleton.len() {
                let rotation = locals[bone].rotation;
                widest = widest.max(degrees(rotation, rest[bone].rotation));
                step = step.max(degrees(rotation, previous[bone].rotation) * hz);
                assert_eq!(locals[bone].scale, Vec3::ONE);
                assert!(bone == 0 || locals[bone].translation == rest[bone].translation);
            }
            previous.clone_from(locals);
        }
        assert!((0.8..3.0).contains(&widest), "{widest}");
        assert!(step < 4.0, "{step} degrees a second");
        let first = &poses[0].0;
        for (local, rest) in first.iter().zip(&rest) {
            assert!(degrees(local.rotation, rest.rotation) < 0.01);
            assert!(local.translation.distance(rest.translation) < 1e-4);
        }
    }
}

#[test]
fn breath_lifts_the_shoulders_and_hardly_moves_head_and_hands() {
    let (skeleton, humanoid) = person();
    let rig = IdleMotionRig::find(&skeleton, &humanoid).unwrap();
    let only_breath = IdleMotionSettings {
        sway: 0.0,
        noise: 0.0,
        ..IdleMotionSettings::default()
    };
    let mut alive = IdleMotion::new(only_breath, 2);
    let poses = poses(&skeleton, &rig, &mut alive, at(60.0), 1200);
    let range = |bone: usize, of: &dyn Fn(&Affine3A) -> f32| {
        let all = poses[120..].iter().map(|(_, model)| of(&model[bone]));
        all.fold((f32::MAX, f32::MIN), |(low, high), x| {
            (low.min(x), high.max(x))
        })
    };
    for arm in [6, 10] {
        let (low, high) = range(arm, &|m| m.translation.y);
        assert!((0.001..0.006).contains(&(high - low)), "{}", high - low);
        assert!((low - 1.45).abs() < 1e-3, "they come back");
    }
    let (low, high) = range(4, &|m| m.z_axis.y.asin().to_degrees());
    assert!(high - low < 0.5, "the head nods by {}", high - low);
    let (low, high) = range(8, &|m| m.translation.y);
    assert!(high - low < 0.006, "a hand moves by {}", high - low);
    assert!(alive.n_breaths() >= 4);
}

#[test]
fn the_hips_shift_from_side_to_side_only_while_standing() {
    let (skeleton, humanoid) = person();
    let rig = IdleMotionRig::find(&skeleton, &humanoid).unwrap();
    let mut alive = IdleMotion::new(IdleMotionSettings::default(), 8);
    let standing = poses(&skeleton, &rig, &mut alive, at(60.0), 3600);
    let side = standing.iter().map(|(locals, _)| locals[0].translation.x);
    let (low, high) = side.fold((0.0_f32, 0.0_f32), |(low, high), x| {
        (low.min(x), high.max(x))
    });
    assert!(
        low < -0.009 && high > 0.009 && low > -0.018 && high < 0.018,
        "{low} {high}"
    );
    let walking = IdleMotionInput {
        still: 0.0,
        ..at(60.0)
    };
    let going = poses(&skeleton, &rig, &mut alive, walking, 3600);
    for (locals, _) in &going[600..] {
        assert!((locals[0].translation - Vec3::Y).length() < 1e-5);
    }
}

#[test]
fn the_same_seed_gives_the_same_bits_and_effort_and_mood_change_smoothly() {
    let (skeleton, humanoid) = person();
    let rig = IdleMotionRig::find(&skeleton, &humanoid).unwrap();
    let run = |seed| {
        let mut alive = IdleMotion::new(IdleMotionSettings::default(), seed);
        let mut all = poses(&skeleton, &rig, &mut alive, at(60.0), 300);
        let works = IdleMotionInput {
            effort: 1.0,
            valence: -1.0,
            arousal: 1.0,
            ..at(60.0)
        };
        all.extend(poses(&skeleton, &rig, &mut alive, works, 300));
        all
    };
    let first = run(1);
    assert!(first == run(1) && first != run(2));
    let steps = first.windows(2).flat_map(|w| {
        let turns = w[0].0.iter().zip(&w[1].0);
        let turns: Vec<f32> = turns
            .map(|(a, b)| degrees(a.rotation, b.rotation))
            .collect();
        turns
    });
    let step = steps.fold(0.0, f32::max);
    assert!(step < 0.4, "{step} degrees in a tick");
    let mut alive = IdleMotion::new(IdleMotionSettings::default(), 1);
    let wicked = IdleMotionInput {
        dt: f32::NAN,
        effort: f32::INFINITY,
        valence: f32::NAN,
        arousal: 9.0,
        still: -3.0,
    };
    let poses = poses(&skeleton, &rig, &mut alive, wicked, 10);
    assert!(
        poses
            .iter()
            .flat_map(|p| &p.0)
            .all(|local| local.is_finite())
    );
}

#[test]
fn animals_breathe_along_the_chain_to_the_head_and_a_crate_is_an_error() {
    let wolf = skeleton(&[
        ("Root", None, [0.0, 0.0, 0.0]),
        ("Body", Some(0), [0.0, 0.6, -0.4]),
        ("Torso", Some(1), [0.0, 0.6, 0.0]),
        ("Torso2", Some(2), [0.0, 0.6, 0.3]),
        ("Neck1", Some(3), [0.0, 0.7, 0.4]),
        ("Neck2", Some(4), [0.0, 0.8, 0.5]),
        ("Head", Some(5), [0.0, 0.9, 0.6]),
        ("Head_end", Some(6), [0.0, 0.9, 0.8]),
    ]);
    let rig = IdleMotionRig::find(&wolf, &Humanoid::default()).unwrap();
    let kinds: Vec<(u16, IdleRole)> = rig
        .parts
        .iter()
        .map(|part| (part.bone, part.part))
        .collect();
    let expected = [
        (1, IdleRole::Spine),
        (2, IdleRole::Spine),
        (3, IdleRole::Spine),
        (4, IdleRole::Neck),
        (5, IdleRole::Neck),
        (6, IdleRole::Neck),
    ];
    assert_eq!(kinds, expected);
    assert!(rig.hips.is_none(), "four legs do not shift");
    let mut alive = IdleMotion::new(IdleMotionSettings::default(), 1);
    let poses = poses(&wolf, &rig, &mut alive, at(60.0), 600);
    let turned = poses
        .iter()
        .map(|(l, _)| degrees(l[3].rotation, Quat::IDENTITY));
    assert!(turned.fold(0.0, f32::max) > 0.1);
    let none = IdleMotionRig::find(
        &skeleton(&[("crate", None, [0.0; 3])]),
        &Humanoid::default(),
    );
    assert!(
        none.unwrap_err()
            .to_string()
            .contains("no bone has the role \"spine\"")
    );
}

#[test]
fn a_body_on_all_fours_with_human_roles_faces_along_its_spine() {
    let fox = skeleton(&[
        ("Hips", None, [0.0, 0.6, -0.4]),
        ("Spine", Some(0), [0.0, 0.6, -0.1]),
        ("Chest", Some(1), [0.0, 0.6, 0.3]),
        ("Neck", Some(2), [0.0, 0.7, 0.4]),
        ("Head", Some(3), [0.0, 0.8, 0.6]),
        ("LeftUpperArm", Some(2), [0.1, 0.5, 0.3]),
        ("LeftLowerArm", Some(5), [0.1, 0.3, 0.3]),
        ("LeftHand", Some(6), [0.1, 0.05, 0.3]),
        ("RightUpperArm", Some(2), [-0.1, 0.5, 0.3]),
        ("RightLowerArm", Some(8), [-0.1, 0.3, 0.3]),
        ("RightHand", Some(9), [-0.1, 0.05, 0.3]),
        ("LeftUpperLeg", Some(0), [0.1, 0.5, -0.4]),
        ("LeftLowerLeg", Some(11), [0.1, 0.3, -0.4]),
        ("LeftFoot", Some(12), [0.1, 0.05, -0.4]),
        ("RightUpperLeg", Some(0), [-0.1, 0.5, -0.4]),
        ("RightLowerLeg", Some(14), [-0.1, 0.3, -0.4]),
        ("RightFoot", Some(15), [-0.1, 0.05, -0.4]),
    ]);
    let (humanoid, _) = humanoid::find(&fox, None);
    assert!(humanoid.is_body(), "it has all roles");
    let rig = IdleMotionRig::find(&fox, &humanoid).unwrap();
    let off = degrees(rig.model_from_character, Quat::IDENTITY);
    assert!(off < 0.1, "{off}");
    let only_trunk = |part: &IdleMotionBone| matches!(part.part, IdleRole::Spine | IdleRole::Neck);
    assert!(rig.hips.is_none() && rig.parts.iter().all(only_trunk));
    let (upright, humanoid) = person();
    let rig = IdleMotionRig::find(&upright, &humanoid).unwrap();
    assert!(rig.hips.is_some() && rig.parts.len() > 8);
}
