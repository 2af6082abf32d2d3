//! Retargeting between bodies that differ in axes, pose, size, direction and bones.

mod names;
mod still;

use glam::{Quat, Vec3};
use proptest::prelude::*;

use super::*;
use crate::humanoid::tests::{body_places, skeleton_named};
use crate::humanoid::{self, Declared};
use crate::{Bone, BoneTracks, Curve, Marker, Pose, local_to_model, sample};
use galatea_math::Trs;

fn any_rotation() -> impl Strategy<Value = Quat> {
    [-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0]
        .prop_filter("has a direction", |v| {
            v.iter().map(|x| x * x).sum::<f32>() > 0.01
        })
        .prop_map(|v| Quat::from_array(v).normalize())
}

fn body(prefix: &str) -> Skeleton {
    skeleton_named(|role| format!("{prefix}{}", role.name()), Quat::IDENTITY)
}

/// The same bones at the same positions with other axes: `axes` are rest rotations in model space.
fn with_axes(skeleton: &Skeleton, axes: impl Fn(usize) -> Quat) -> Skeleton {
    let mut model = Vec::new();
    let rest: Vec<Trs> = skeleton.rest().collect();
    local_to_model(skeleton, &rest, &mut model);
    let bones = skeleton.bones().iter().enumerate().map(|(i, bone)| {
        let above = bone.parent.map_or(Quat::IDENTITY, |p| axes(usize::from(p)));
        let from = bone
            .parent
            .map_or(Vec3::ZERO, |p| model[usize::from(p)].translation.into());
        Bone {
            rest: Trs {
                translation: above.inverse() * (Vec3::from(model[i].translation) - from),
                rotation: above.inverse() * axes(i),
                scale: Vec3::ONE,
            },
            ..bone.clone()
        }
    });
    Skeleton::new(bones.collect()).unwrap()
}

/// Changes the rest pose: rotates each named bone with its descendants in model space about the bone.
fn posed(skeleton: &Skeleton, turns: &[(&str, Quat)]) -> Skeleton {
    let mut bones = skeleton.bones().to_vec();
    for (name, turn) in turns {
        let i = usize::from(skeleton.find(name).unwrap());
        let mut model = Vec::new();
        let rest: Vec<Trs> = bones.iter().map(|bone| bone.rest).collect();
        model_rotations(skeleton, |i| rest[i].rotation, &mut model);
        let above = bones[i]
            .parent
            .map_or(Quat::IDENTITY, |p| model[usize::from(p)]);
        bones[i].rest.rotation = above.inverse() * *turn * model[i];
    }
    Skeleton::new(bones).unwrap()
}

fn scaled(skeleton: &Skeleton, factor: f32) -> Skeleton {
    let mut bones = skeleton.bones().to_vec();
    for bone in &mut bones {
        bone.rest.translation *= factor;
    }
    Skeleton::new(bones).unwrap()
}

fn linear<T>(times: Vec<f32>, values: Vec<T>) -> Track<T> {
    Track {
        times,
        values,
        interpolation: Interpolation::Linear,
    }
}

/// Every bone rotated away from rest at 0, 0.5 and 1 s; the hips move.
fn dance(skeleton: &Skeleton, turns: &[Quat]) -> Clip {
    let bones = skeleton.bones().iter().enumerate().map(|(i, bone)| {
        let turn = |k: usize| {
            let turn = turns[(i * 3 + k) % turns.len()];
            bone.rest.rotation * Quat::IDENTITY.slerp(turn, 0.4)
        };
        let move_to = |v: Vec3| bone.rest.translation + v;
        BoneTracks {
            bone: i as u16,
            translation: bone.parent.is_none().then(|| {
                linear(
                    vec![0.0, 1.0],
                    vec![move_to(Vec3::ZERO), move_to(Vec3::new(0.3, -0.1, 1.2))],
                )
            }),
            rotation: Some(linear(vec![0.0, 0.5, 1.0], (0..3).map(turn).collect())),
            scale: None,
        }
    });
    Clip {
        name: "dance".into(),
        duration: 1.0,
        bones: bones.collect(),
        curves: vec![Curve {
            name: "mood".into(),
            track: linear(vec![0.0], vec![0.5]),
        }],
        markers: vec![Marker {
            duration: 0.0,
            time: 0.5,
            event: "step".into(),
            fields: Vec::new(),
        }],
        ..Clip::default()
    }
}

fn positions(skeleton: &Skeleton, clip: &Clip, t: f32) -> Vec<Vec3> {
    let mut pose = Pose {
        curves: Vec::new(),
        locals: skeleton.rest().collect(),
        morphs: Vec::new(),
    };
    sample(clip, t, &[], &mut pose);
    let mut model = Vec::new();
    local_to_model(skeleton, &pose.locals, &mut model);
    model.iter().map(|m| m.translation.into()).collect()
}

fn map_rigs(
    source: &Skeleton,
    target: &Skeleton,
    manner: Option<RetargetMode>,
) -> (Retarget, RetargetReport) {
    let (a, _) = humanoid::find(source, None);
    let (b, _) = humanoid::find(target, None);
    let rig = |skeleton, humanoid| Rig { skeleton, humanoid };
    let options = RetargetOptions {
        manner,
        ..RetargetOptions::default()
    };
    Retarget::new(rig(source, &a), rig(target, &b), options).unwrap()
}

fn degrees_between(a: Vec3, b: Vec3) -> f32 {
    a.angle_between(b).to_degrees()
}

/// Asserts that the limbs of both have the same directions, at and between the keys.
fn same_directions(source: (&Skeleton, &Clip), target: (&Skeleton, &Clip), times: &[f32]) {
    for &t in times {
        let (a, b) = (
            positions(source.0, source.1, t),
            positions(target.0, target.1, t),
        );
        for (i, bone) in source.0.bones().iter().enumerate() {
            let Some(p) = bone.parent.map(usize::from) else {
                continue;
            };
            let angle = degrees_between(a[i] - a[p], b[i] - b[p]);
            assert!(angle < 0.1, "{} at {t}: {angle} degrees", bone.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn clip_on_the_same_rig_stays_unchanged(
        axes in prop::collection::vec(any_rotation(), 40),
        turns in prop::collection::vec(any_rotation(), 31),
    ) {
        let skeleton = with_axes(&body(""), |i| axes[i]);
        let clip = dance(&skeleton, &turns);
        let (retarget, report) = map_rigs(&skeleton, &skeleton, Some(RetargetMode::Body));
        prop_assert!((report.scale - 1.0).abs() < 1e-5);
        let out = retarget.clip(&clip, &skeleton, &skeleton);
        prop_assert_eq!(out.bones.len(), clip.bones.len());
        for (a, b) in clip.bones.iter().zip(&out.bones) {
            let (a_rotation, b_rotation) = (a.rotation.as_ref().unwrap(), b.rotation.as_ref().unwrap());
            let mut pose = (Pose::default(), Pose::default());
            pose.0.locals = skeleton.rest().collect();
            pose.1.locals = skeleton.rest().collect();
            for &t in &b_rotation.times {
                sample(&clip, t, &[], &mut pose.0);
                sample(&out, t, &[], &mut pose.1);
                let i = usize::from(a.bone);
                let (p, q) = (pose.0.locals[i], pose.1.locals[i]);
                let near = q.rotation * q.rotation.dot(p.rotation).signum();
                prop_assert!(p.rotation.abs_diff_eq(near, 1e-4), "{} {}", p.rotation, near);
                prop_assert!(p.translation.abs_diff_eq(q.translation, 1e-4));
            }
            prop_assert!(a_rotation.times.iter().all(|t| b_rotation.times.contains(t)));
        }
    }

    #[test]
    fn different_axes_give_the_same_joint_motion(
        axes in prop::collection::vec(any_rotation(), 40),
        other in prop::collection::vec(any_rotation(), 40),
        turns in prop::collection::vec(any_rotation(), 31),
    ) {
        let source = with_axes(&body(""), |i| axes[i]);
        let target = with_axes(&body("Bone_"), |i| other[i]);
        let clip = dance(&source, &turns);
        let (retarget, report) = map_rigs(&source, &target, None);
        prop_assert_eq!(report.manner, RetargetMode::Body);
        prop_assert!(report.bones.iter().all(|bone| !bone.corrected));
        let out = retarget.clip(&clip, &source, &target);
        same_directions((&source, &clip), (&target, &out), &[0.0, 0.25, 0.5, 0.9, 1.0]);
        for (a, b) in positions(&source, &clip, 1.0).iter().zip(positions(&target, &out, 1.0)) {
            prop_assert!(a.distance(b) < 1e-4);
        }
    }

    #[test]
    fn larger_copy_scales_positions_of_feet_and_hips(
        turns in prop::collection::vec(any_rotation(), 31),
        factor in 0.1f32..20.0,
    ) {
        let source = body("");
        let target = scaled(&body("b_"), factor);
        let clip = dance(&source, &turns);
        let (retarget, report) = map_rigs(&source, &target, Some(RetargetMode::Body));
        prop_assert!((report.scale / factor - 1.0).abs() < 1e-4);
        let out = retarget.clip(&clip, &source, &target);
        for t in [0.0, 0.3, 1.0] {
            for (a, b) in positions(&source, &clip, t).iter().zip(positions(&target, &out, t)) {
                prop_assert!((*a * factor).distance(b) < 1e-4 * factor);
            }
        }
    }

    #[test]
    fn arms_of_an_a_pose_are_aligned_with_those_of_a_t_pose(
        axes in prop::collection::vec(any_rotation(), 40),
        turns in prop::collection::vec(any_rotation(), 31),
        drop in 5.0f32..80.0,
    ) {
        let source = body("");
        let dropped = |side: f32| Quat::from_rotation_z(-side * drop.to_radians());
        let target = with_axes(&body("x_"), |i| axes[i]);
        let target = posed(&target, &[
            ("x_left_upper_arm", dropped(1.0)),
            ("x_right_upper_arm", dropped(-1.0)),
            ("x_left_upper_leg", Quat::from_rotation_z(0.1)),
            ("x_right_upper_leg", Quat::from_rotation_z(-0.1)),
        ]);
        let clip = dance(&source, &turns);
        let (retarget, report) = map_rigs(&source, &target, None);
        let arm = report.bones.iter().find(|bone| bone.role == Some(Role::LeftUpperArm)).unwrap();
        prop_assert!((arm.rest_difference.unwrap() - drop).abs() < 0.01);
        prop_assert!(arm.corrected);
        let out = retarget.clip(&clip, &source, &target);
        for t in [0.0, 0.4, 1.0] {
            let (a, b) = (positions(&source, &clip, t), positions(&target, &out, t));
            for (i, (role, parent, _)) in body_places().into_iter().enumerate() {
                let Some(parent) = parent else { continue };
                let is_foot = matches!(parent, Role::LeftFoot | Role::RightFoot);
                let p = source.find(parent.name()).unwrap() as usize;
                let angle = degrees_between(a[i] - a[p], b[i] - b[p]);
                // The target's feet rest rotated with their legs; such small angles count as shoes and stay.
                prop_assert!(angle < 0.1 || is_foot && angle < 6.0, "{} {}", role.name(), angle);
            }
        }
    }
}

#[test]
fn characters_walk_in_their_own_facing_direction() {
    let source = body("");
    let half_turn = Quat::from_rotation_y(std::f32::consts::PI);
    let target = skeleton_named(|role| format!("J_{}", role.name()), half_turn);
    let turns = [Quat::from_rotation_x(0.5), Quat::from_rotation_y(0.3)];
    let clip = dance(&source, &turns);
    let (retarget, _) = map_rigs(&source, &target, None);
    let out = retarget.clip(&clip, &source, &target);
    for t in [0.0, 0.6, 1.0] {
        let (a, b) = (positions(&source, &clip, t), positions(&target, &out, t));
        for (a, b) in a.iter().zip(&b) {
            assert!((half_turn * *a).distance(*b) < 1e-4);
        }
    }
}

#[test]
fn spine_of_two_bones_rotates_a_spine_of_three() {
    let source = body("");
    let mut bones = body("t_").bones().to_vec();
    // A bone between the chest and its children.
    let chest = bones
        .iter()
        .position(|bone| bone.name == "t_chest")
        .unwrap();
    let extra = Bone {
        name: "t_upper_chest".into(),
        parent: Some(chest as u16),
        rest: Trs::from_translation(Vec3::Y * 0.1),
        skinned: true,
    };
    for bone in &mut bones {
        let at = bone.parent.map(usize::from);
        if at == Some(chest) {
            bone.parent = Some(chest as u16 + 1);
            bone.rest.translation -= Vec3::Y * 0.1;
        } else if at.is_some_and(|at| at > chest) {
            bone.parent = bone.parent.map(|parent| parent + 1);
        }
    }
    bones.insert(chest + 1, extra);
    let target = Skeleton::new(bones).unwrap();
    let mut clip = Clip {
        duration: 1.0,
        ..Clip::default()
    };
    for (name, angle) in [("spine", 0.4), ("chest", 0.8)] {
        clip.bones.push(BoneTracks {
            bone: source.find(name).unwrap(),
            translation: None,
            rotation: Some(linear(vec![0.0], vec![Quat::from_rotation_x(angle)])),
            scale: None,
        });
    }
    let (retarget, _) = map_rigs(&source, &target, None);
    let out = retarget.clip(&clip, &source, &target);
    let turn = |skeleton: &Skeleton, clip: &Clip, name: &str| {
        let mut pose = Pose {
            curves: Vec::new(),
            locals: skeleton.rest().collect(),
            morphs: Vec::new(),
        };
        sample(clip, 0.0, &[], &mut pose);
        let mut model = Vec::new();
        model_rotations(skeleton, |i| pose.locals[i].rotation, &mut model);
        model[usize::from(skeleton.find(name).unwrap())]
    };
    let whole = Quat::from_rotation_x(1.2);
    assert!(turn(&source, &clip, "chest").abs_diff_eq(whole, 1e-5));
    assert!(turn(&target, &out, "t_upper_chest").abs_diff_eq(whole, 1e-5));
    assert!(turn(&target, &out, "t_neck").abs_diff_eq(whole, 1e-5));
    // At a third of the length: 2/3 of the spine's rotation. At two thirds: all of it and 1/3 of the chest's.
    assert!(
        turn(&target, &out, "t_spine").abs_diff_eq(Quat::from_rotation_x(0.4 * 2.0 / 3.0), 1e-5)
    );
    assert!(
        turn(&target, &out, "t_chest").abs_diff_eq(Quat::from_rotation_x(0.4 + 0.8 / 3.0), 1e-5)
    );
}

#[test]
fn arm_without_a_shoulder_follows_shoulder_and_arm_between_keys() {
    let source = body("");
    let mut bones = body("t_").bones().to_vec();
    // After renaming, the shoulder has no role in the body.
    for bone in &mut bones {
        bone.name = bone.name.replace("t_left_shoulder", "pad");
    }
    let target = Skeleton::new(bones).unwrap();
    let turned = |name: &str, turn: Quat| BoneTracks {
        bone: source.find(name).unwrap(),
        translation: None,
        rotation: Some(linear(vec![0.0, 1.0], vec![Quat::IDENTITY, turn])),
        scale: None,
    };
    let clip = Clip {
        duration: 1.0,
        bones: vec![
            turned("left_shoulder", Quat::from_rotation_z(0.9)),
            turned("left_upper_arm", Quat::from_rotation_y(1.4)),
        ],
        ..Clip::default()
    };
    let (retarget, _) = map_rigs(&source, &target, None);
    let out = retarget.clip(&clip, &source, &target);
    let ends =
        ["left_upper_arm", "left_lower_arm"].map(|name| usize::from(source.find(name).unwrap()));
    for i in 0..=40 {
        let t = i as f32 / 40.0;
        let (a, b) = (positions(&source, &clip, t), positions(&target, &out, t));
        let angle = degrees_between(a[ends[1]] - a[ends[0]], b[ends[1]] - b[ends[0]]);
        assert!(angle < 0.1, "{t}: {angle}");
    }
}

#[test]
fn root_below_the_hips_receives_the_root_motion() {
    let rooted = |prefix: &str| {
        let plain = body(prefix);
        let mut bones = vec![Bone {
            name: format!("{prefix}root"),
            parent: None,
            rest: Trs::IDENTITY,
            skinned: false,
        }];
        bones.extend(plain.bones().iter().cloned().map(|mut bone| {
            bone.parent = Some(bone.parent.map_or(0, |parent| parent + 1));
            bone
        }));
        Skeleton::new(bones).unwrap()
    };
    let (source, target) = (rooted(""), scaled(&rooted("t_"), 2.0));
    let clip = Clip {
        duration: 1.0,
        bones: vec![
            BoneTracks {
                bone: 0,
                translation: Some(linear(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::Z])),
                rotation: Some(linear(
                    vec![0.0, 1.0],
                    vec![Quat::IDENTITY, Quat::from_rotation_y(1.0)],
                )),
                scale: None,
            },
            BoneTracks {
                bone: 1,
                translation: Some(linear(vec![0.0, 0.5], vec![Vec3::Y, Vec3::Y * 0.9])),
                rotation: None,
                scale: None,
            },
        ],
        ..Clip::default()
    };
    let (retarget, _) = map_rigs(&source, &target, None);
    let out = retarget.clip(&clip, &source, &target);
    let root = &out.bones[0];
    assert_eq!(root.bone, 0);
    let moved = root.translation.as_ref().unwrap();
    assert!(
        moved
            .values
            .last()
            .unwrap()
            .abs_diff_eq(Vec3::Z * 2.0, 1e-5)
    );
    for t in [0.0, 0.25, 0.5, 1.0] {
        let (a, b) = (positions(&source, &clip, t), positions(&target, &out, t));
        for (a, b) in a.iter().zip(&b) {
            assert!((*a * 2.0).distance(*b) < 1e-4);
        }
    }
    // On a body without a root, the hips receive all of it.
    let bare = body("u_");
    let (retarget, _) = map_rigs(&source, &bare, None);
    let out = retarget.clip(&clip, &source, &bare);
    let (a, b) = (positions(&source, &clip, 1.0), positions(&bare, &out, 1.0));
    assert!(a[1].distance(b[0]) < 1e-4 && a[5].distance(b[4]) < 1e-4);
}

#[test]
fn motion_capture_with_hips_at_the_origin_stands_on_the_ground() {
    let target = body("");
    let mut bones = scaled(&body("c_"), 20.0).bones().to_vec();
    bones[0].rest.translation = Vec3::ZERO;
    let source = Skeleton::new(bones).unwrap();
    let hips = 20.0 * (1.0 - 0.02);
    let clip = Clip {
        duration: 1.0,
        bones: vec![BoneTracks {
            bone: 0,
            translation: Some(linear(vec![0.0], vec![Vec3::new(40.0, hips, 20.0)])),
            rotation: None,
            scale: None,
        }],
        ..Clip::default()
    };
    let (retarget, report) = map_rigs(&source, &target, None);
    assert_eq!(report.notes.len(), 1);
    let out = retarget.clip(&clip, &source, &target);
    let at = positions(&target, &out, 0.0)[0];
    assert!((at.y - 1.0).abs() < 1e-4, "{at}");
    assert!((at.x - 40.0 * report.scale).abs() < 1e-4);
}

#[test]
fn steps_stay_steps_and_splines_are_sampled_closely() {
    let (source, target) = (body(""), body("t_"));
    let clip = |interpolation, values: Vec<Quat>| Clip {
        duration: 1.0,
        bones: vec![BoneTracks {
            bone: source.find("left_upper_arm").unwrap(),
            translation: None,
            rotation: Some(Track {
                times: vec![0.0, 1.0],
                values,
                interpolation,
            }),
            scale: None,
        }],
        ..Clip::default()
    };
    let (retarget, _) = map_rigs(&source, &target, None);
    let x = Quat::from_rotation_z;
    let steps = clip(Interpolation::Step, vec![x(0.0), x(1.0)]);
    let out = retarget.clip(&steps, &source, &target);
    assert_eq!(
        out.bones[0].rotation.as_ref().unwrap().interpolation,
        Interpolation::Step
    );
    same_directions((&source, &steps), (&target, &out), &[0.0, 0.5, 0.999, 1.0]);
    let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let spline = clip(
        Interpolation::CubicSpline,
        vec![zero, x(0.0), x(3.0) * 2.0, x(1.0) * -2.0, x(1.5), zero],
    );
    let out = retarget.clip(&spline, &source, &target);
    let times: Vec<f32> = (0..50).map(|i| i as f32 / 50.0).collect();
    same_directions((&source, &spline), (&target, &out), &times);
    // Two keys a day apart do not need a million samples.
    let mut long = spline;
    long.duration = 1e5;
    let arm = long.bones[0].rotation.as_mut().unwrap();
    arm.times[1] = 1e5;
    let out = retarget.clip(&long, &source, &target);
    let keys = out.bones[0].rotation.as_ref().unwrap().times.len();
    assert!((4096..4200).contains(&keys), "{keys}");
}

#[test]
fn formats_that_guarantee_a_t_pose_are_trusted() {
    let find = |skeleton: &Skeleton| {
        let declared = Declared {
            bones: body_places()
                .into_iter()
                .enumerate()
                .map(|(i, (role, ..))| (role, i as u16))
                .collect(),
            model_from_character: Quat::IDENTITY,
        };
        humanoid::find(skeleton, Some(&declared)).0
    };
    let source = posed(&body(""), &[("left_upper_arm", Quat::from_rotation_z(1.0))]);
    let target = body("t_");
    let (a, b) = (find(&source), find(&target));
    let (retarget, report) = Retarget::new(
        Rig {
            skeleton: &source,
            humanoid: &a,
        },
        Rig {
            skeleton: &target,
            humanoid: &b,
        },
        RetargetOptions {
            manner: Some(RetargetMode::Body),
            ..RetargetOptions::default()
        },
    )
    .unwrap();
    assert_eq!(report.notes.len(), 1);
    let arm = source.find("left_upper_arm").unwrap();
    let rest = source.bones()[usize::from(arm)].rest.rotation;
    let clip = Clip {
        bones: vec![BoneTracks {
            bone: arm,
            translation: None,
            rotation: Some(linear(vec![0.0], vec![rest])),
            scale: None,
        }],
        ..Clip::default()
    };
    let out = retarget.clip(&clip, &source, &target);
    let turned = out.bones[0].rotation.as_ref().unwrap().values[0];
    assert!(turned.abs_diff_eq(Quat::IDENTITY, 1e-5));
}
