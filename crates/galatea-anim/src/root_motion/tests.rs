use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Quat, Vec3};
use proptest::prelude::*;

use super::{RootDelta, RootOptions, RootTrack, find_root_bone};
use crate::tools::SampledPoses;
use crate::{Bone, BoneTracks, Clip, Interpolation, PlayMode, Skeleton, Track, sample};
use crate::{Pose, local_to_model};
use galatea_math::Trs;

/// `armature` (rotated and scaled as given), with `hips` below it, and `head` below the hips.
fn rig(armature: Trs) -> Skeleton {
    let bone = |name: &str, parent, rest| Bone {
        name: String::from(name),
        parent,
        rest,
        skinned: true,
    };
    let up = |y: f32| Trs::from_translation(Vec3::Y * y / armature.scale.y);
    Skeleton::new(vec![
        bone("armature", None, armature),
        bone("hips", Some(0), up(1.0)),
        bone("head", Some(1), up(0.7)),
    ])
    .unwrap()
}

/// Hips that walk a circle of radius 2 m to the left at 1 m/s, facing along it and bobbing.
fn circle(armature: Trs, seconds: f32) -> Clip {
    let back = armature.to_affine().inverse();
    let times: Vec<f32> = (0..=120).map(|i| seconds * i as f32 / 120.0).collect();
    let model = times.iter().map(|t| {
        let yaw = 0.5 * t;
        let position = Vec3::new(
            2.0 - 2.0 * yaw.cos(),
            1.0 + 0.03 * (9.0 * t).sin(),
            2.0 * yaw.sin(),
        );
        (
            position,
            Quat::from_rotation_y(yaw) * Quat::from_rotation_x(0.2),
        )
    });
    let (positions, turns): (Vec<Vec3>, Vec<Quat>) = model
        .map(|(position, turn)| {
            (
                back.transform_point3(position),
                armature.rotation.inverse() * turn,
            )
        })
        .unzip();
    let interpolation = Interpolation::Linear;
    Clip {
        name: "circle".into(),
        duration: seconds,
        bones: vec![BoneTracks {
            bone: 1,
            translation: Some(Track {
                times: times.clone(),
                values: positions,
                interpolation,
            }),
            rotation: Some(Track {
                times,
                values: turns,
                interpolation,
            }),
            scale: None,
        }],
        ..Clip::default()
    }
}

/// Armature node of a file in centimetres: Z-up and rotated by a half turn.
fn odd() -> Trs {
    Trs {
        translation: Vec3::new(0.3, 0.0, -0.2),
        rotation: Quat::from_rotation_y(PI) * Quat::from_rotation_x(-FRAC_PI_2),
        scale: Vec3::splat(0.01),
    }
}

fn posed(skeleton: &Skeleton, clip: &Clip, t: f32) -> Pose {
    let mut pose = Pose {
        curves: Vec::new(),
        locals: skeleton.rest().collect(),
        morphs: Vec::new(),
    };
    sample(clip, t, &[], &mut pose);
    pose
}

fn positions(skeleton: &Skeleton, locals: &[Trs]) -> Vec<Vec3> {
    let mut model = Vec::new();
    local_to_model(skeleton, locals, &mut model);
    model.iter().map(|m| m.translation.into()).collect()
}

#[test]
fn circle_is_the_same_under_a_plain_and_a_rotated_scaled_parent() {
    for armature in [Trs::IDENTITY, odd()] {
        let (skeleton, clip) = (rig(armature), circle(armature, 2.0));
        let root = find_root_bone(&skeleton, &clip);
        assert_eq!(root, Some(1));
        let track = RootTrack::extract(&skeleton, &clip, 1, &RootOptions::default());
        for t in [0.0, 0.4, 1.3, 2.0] {
            let at = track.at(t);
            let yaw = 0.5 * t;
            let expected = Vec3::new(2.0 - 2.0 * yaw.cos(), 0.0, 2.0 * yaw.sin());
            assert!(
                at.translation.abs_diff_eq(expected, 2e-4),
                "{at:?} {expected}"
            );
            assert!((at.yaw - yaw).abs() < 1e-4, "{at:?} {yaw}");
        }
    }
}

#[test]
fn loops_of_a_circle_continue_around_it() {
    let skeleton = rig(Trs::IDENTITY);
    let clip = circle(Trs::IDENTITY, 2.0);
    let track = RootTrack::extract(&skeleton, &clip, 1, &RootOptions::default());
    for t in [3.0_f64, 5.5, 12.0] {
        let at = track.delta(0.0, t, PlayMode::Loop);
        let yaw = 0.5 * t as f32;
        let expected = Vec3::new(2.0 - 2.0 * yaw.cos(), 0.0, 2.0 * yaw.sin());
        assert!(
            at.translation.abs_diff_eq(expected, 1e-3),
            "{at:?} {expected}"
        );
        assert!((at.yaw - yaw).abs() < 1e-3);
    }
}

#[test]
fn root_stays_without_the_motion_and_add_to_restores_it() {
    for armature in [Trs::IDENTITY, odd()] {
        let (skeleton, clip) = (rig(armature), circle(armature, 2.0));
        let track = RootTrack::extract(&skeleton, &clip, 1, &RootOptions::default());
        let start = positions(&skeleton, &posed(&skeleton, &clip, 0.0).locals);
        for t in [0.31, 1.0, 2.0] {
            let authored = posed(&skeleton, &clip, t);
            let mut still = authored.clone();
            track.remove_from(&skeleton, &mut still.locals, t);
            let (was, now) = (
                positions(&skeleton, &authored.locals),
                positions(&skeleton, &still.locals),
            );
            for bone in [1, 2] {
                let flat = (now[bone] - start[bone]).with_y(0.0).length();
                assert!(flat < 1e-3, "bone {bone} is {flat} m off at {t}");
                // Height and pitch stay in the pose.
                assert!((now[bone].y - was[bone].y).abs() < 1e-5);
                let back = track.at(t).point(now[bone]);
                assert!(back.abs_diff_eq(was[bone], 1e-5), "{back} {}", was[bone]);
            }
        }
    }
}

#[test]
fn stripped_clip_stays_in_place_and_restore_undoes_strip() {
    let (skeleton, clip) = (rig(odd()), circle(odd(), 2.0));
    let track = RootTrack::extract(&skeleton, &clip, 1, &RootOptions::default());
    let stripped = track.strip(&skeleton, &clip);
    let again = RootTrack::extract(&skeleton, &stripped, 1, &RootOptions::default());
    assert!(again.lap().translation.length() < 1e-4 && again.lap().yaw.abs() < 1e-4);
    let restored = track.restore(&skeleton, &stripped);
    let (a, b) = (
        SampledPoses::new(&skeleton, &clip, 60.0),
        SampledPoses::new(&skeleton, &restored, 60.0),
    );
    for i in 0..a.len() {
        assert!(a.position(i, 2).abs_diff_eq(b.position(i, 2), 1e-4));
    }
}

#[test]
fn only_the_chosen_components_are_extracted() {
    let skeleton = rig(Trs::IDENTITY);
    let clip = circle(Trs::IDENTITY, 2.0);
    let options = RootOptions {
        xz: false,
        y: true,
        yaw: false,
        ..RootOptions::default()
    };
    let at = RootTrack::extract(&skeleton, &clip, 1, &options).at(0.5);
    assert_eq!(
        (at.translation.x, at.translation.z, at.yaw),
        (0.0, 0.0, 0.0)
    );
    assert!((at.translation.y - 0.03 * 4.5_f32.sin()).abs() < 1e-3);
}

#[test]
fn steady_motion_is_straight_and_leaves_the_sway_in_the_pose() {
    let skeleton = rig(Trs::IDENTITY);
    let mut clip = circle(Trs::IDENTITY, 2.0);
    let hips = &mut clip.bones[0];
    hips.rotation = None;
    let track = hips.translation.as_mut().unwrap();
    for (t, position) in track.times.iter().zip(&mut track.values) {
        *position = Vec3::new(0.05 * (PI * t).sin(), 1.0, 1.4 * t);
    }
    let options = RootOptions {
        steady: true,
        ..RootOptions::default()
    };
    let track = RootTrack::extract(&skeleton, &clip, 1, &options);
    let step = track.delta(0.25, 0.75, PlayMode::Loop);
    assert!(
        step.translation.abs_diff_eq(Vec3::Z * 0.7, 1e-5),
        "{step:?}"
    );
    let mut pose = posed(&skeleton, &clip, 0.5);
    track.remove_from(&skeleton, &mut pose.locals, 0.5);
    let hips = positions(&skeleton, &pose.locals)[1];
    assert!(hips.abs_diff_eq(Vec3::new(0.05, 1.0, 0.0), 1e-4), "{hips}");
}

#[test]
fn yaw_continues_past_half_turns() {
    let skeleton = rig(Trs::IDENTITY);
    let mut clip = circle(Trs::IDENTITY, 2.0);
    let track = clip.bones[0].rotation.as_mut().unwrap();
    for (t, turn) in track.times.iter().zip(&mut track.values) {
        *turn = Quat::from_rotation_y(-10.0 * t);
    }
    let track = RootTrack::extract(&skeleton, &clip, 1, &RootOptions::default());
    assert!((track.lap().yaw + 20.0).abs() < 1e-4, "{:?}", track.lap());
}

#[test]
fn root_is_found_by_travel_first_then_by_name() {
    let skeleton = rig(Trs::IDENTITY);
    let still = Clip {
        duration: 1.0,
        ..Clip::default()
    };
    assert_eq!(
        find_root_bone(&skeleton, &still),
        Some(1),
        "hips are preferred to armature"
    );
    let nameless = Skeleton::new(vec![Bone {
        name: "box".into(),
        parent: None,
        rest: Trs::IDENTITY,
        skinned: false,
    }])
    .unwrap();
    assert_eq!(find_root_bone(&nameless, &still), None);
    assert_eq!(find_root_bone(&Skeleton::default(), &still), None);
    let mut above = circle(Trs::IDENTITY, 2.0);
    above.bones[0].bone = 0;
    assert_eq!(
        find_root_bone(&skeleton, &above),
        Some(0),
        "the bone that travels"
    );
}

#[test]
fn ping_pong_returns_and_once_stays_at_the_end() {
    let skeleton = rig(Trs::IDENTITY);
    let clip = circle(Trs::IDENTITY, 2.0);
    let track = RootTrack::extract(&skeleton, &clip, 1, &RootOptions::default());
    let there_and_back = track.delta(0.0, 4.0, PlayMode::PingPong);
    assert!(there_and_back.translation.length() < 1e-6 && there_and_back.yaw.abs() < 1e-6);
    assert_eq!(track.delta(0.0, 9.0, PlayMode::Once), track.lap());
    assert_eq!(track.delta(3.0, 9.0, PlayMode::Once), RootDelta::IDENTITY);
    let odd = track.delta(f64::NAN, 1.0, PlayMode::Loop);
    assert_eq!(odd, RootDelta::IDENTITY);
}

#[test]
fn blended_steps_depend_on_the_ratio_of_weights() {
    let step = |x: f32, yaw: f32| RootDelta {
        translation: Vec3::X * x,
        yaw,
    };
    let blended = RootDelta::blend([(step(3.0, 0.3), 5.0), (step(0.0, 0.0), 2.5)].into_iter());
    assert!((blended.translation.x - 2.0).abs() < 1e-6 && (blended.yaw - 0.2).abs() < 1e-6);
    for weight in [0.0, -1.0, f32::NAN] {
        let none = RootDelta::blend([(step(1.0, 1.0), weight)].into_iter());
        assert_eq!(none, RootDelta::IDENTITY);
    }
}

/// Any root motion.
fn any_track() -> impl Strategy<Value = RootTrack> {
    let sample = (-1.0..1.0_f32, -0.2..0.2_f32, -1.0..1.0_f32, -1.5..1.5_f32);
    (prop::collection::vec(sample, 1..12), 0.1..5.0_f32).prop_map(|(steps, duration)| {
        let mut samples = vec![RootDelta::IDENTITY];
        for (x, y, z, yaw) in steps {
            let before = samples[samples.len() - 1];
            samples.push(before.compose(RootDelta {
                translation: Vec3::new(x, y, z) * 0.3,
                yaw,
            }));
        }
        RootTrack::new(0, duration, samples)
    })
}

fn any_mode() -> impl Strategy<Value = PlayMode> {
    prop::sample::select(vec![PlayMode::Loop, PlayMode::Once, PlayMode::PingPong])
}

proptest! {
    #[test]
    fn steps_over_any_split_add_up_to_the_whole(
        track in any_track(),
        mode in any_mode(),
        start in -20.0..20.0_f64,
        steps in prop::collection::vec(-3.0..3.0_f64, 1..12),
        far in prop::bool::ANY,
    ) {
        // Also after hours of playback.
        let start = if far { start + 1e5 } else { start };
        let mut at = start;
        let mut sum = RootDelta::IDENTITY;
        for step in steps {
            sum = sum.compose(track.delta(at, at + step, mode));
            at += step;
        }
        let whole = track.delta(start, at, mode);
        let size = 1.0 + whole.translation.length() + whole.yaw.abs();
        prop_assert!(sum.translation.abs_diff_eq(whole.translation, 1e-5 * size), "{sum:?} {whole:?}");
        prop_assert!((sum.yaw - whole.yaw).abs() < 1e-5 * size);
    }

    #[test]
    fn step_and_inverse_cancel(x in -9.0..9.0_f32, z in -9.0..9.0_f32, yaw in -9.0..9.0_f32) {
        let step = RootDelta { translation: Vec3::new(x, 1.0, z), yaw };
        for none in [step.compose(step.inverse()), step.inverse().compose(step)] {
            prop_assert!(none.translation.length() < 1e-5 && none.yaw.abs() < 1e-5);
        }
    }

    #[test]
    fn backward_step_undoes_forward_step(track in any_track(), mode in any_mode(), a in -9.0..9.0_f64, b in -9.0..9.0_f64) {
        let none = track.delta(a, b, mode).compose(track.delta(b, a, mode));
        prop_assert!(none.translation.length() < 1e-4 && none.yaw.abs() < 1e-4, "{none:?}");
    }
}
