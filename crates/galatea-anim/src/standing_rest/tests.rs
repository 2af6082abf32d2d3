use glam::{Quat, Vec3};

use super::*;
use crate::humanoid::Role;
use crate::humanoid::tests::skeleton_named;
use crate::humanoid::{self, Side};
use crate::retarget::{Retarget, RetargetOptions, Rig};
use crate::{Bone, BoneTracks, Interpolation, Track};

const N_KEYS: usize = 31;

fn body() -> Skeleton {
    skeleton_named(|role| role.name().to_owned(), Quat::IDENTITY)
}

/// Rotations of all bones in model space at `u`, 0..=1: a walk with hanging arms, facing 40° to the left.
fn walk(skeleton: &Skeleton, u: f32) -> Vec<Quat> {
    let swing = 0.5 * (std::f32::consts::TAU * u).sin();
    let roles = humanoid::find(skeleton, None).0;
    let yaw = Quat::from_rotation_y(40_f32.to_radians());
    let all = (0..skeleton.len() as u16).map(|bone| {
        let role = roles.role_of(bone);
        let side = role.map_or(Side::Middle, Role::side);
        let sign = if side == Side::Left { 1.0 } else { -1.0 };
        let name = role.map_or("", Role::name);
        let own = if name.contains("leg") || name.contains("foot") || name.contains("toes") {
            Quat::from_rotation_x(swing * sign)
        } else if side != Side::Middle && !name.contains("eye") && !name.contains("shoulder") {
            Quat::from_rotation_x(-swing * sign) * Quat::from_rotation_z(-1.3 * sign)
        } else {
            Quat::IDENTITY
        };
        yaw * own
    });
    all.collect()
}

/// Creates a clip of model-space rotations on a skeleton; the hips are at `hips`.
fn clip(skeleton: &Skeleton, rotations: impl Fn(f32) -> Vec<Quat>, hips: Vec3) -> Clip {
    let times: Vec<f32> = (0..N_KEYS)
        .map(|k| k as f32 / (N_KEYS - 1) as f32)
        .collect();
    let keys: Vec<Vec<Quat>> = times.iter().map(|t| rotations(*t)).collect();
    let interpolation = Interpolation::Linear;
    let bones = skeleton.bones().iter().enumerate().map(|(i, bone)| {
        let local = |key: &Vec<Quat>| {
            let above = bone.parent.map_or(Quat::IDENTITY, |p| key[usize::from(p)]);
            above.inverse() * key[i]
        };
        BoneTracks {
            bone: i as u16,
            translation: bone.parent.is_none().then(|| Track {
                times: times.clone(),
                values: vec![hips; N_KEYS],
                interpolation,
            }),
            rotation: Some(Track {
                times: times.clone(),
                values: keys.iter().map(local).collect(),
                interpolation,
            }),
            scale: None,
        }
    });
    Clip {
        name: "walk".into(),
        duration: 1.0,
        bones: bones.collect(),
        ..Clip::default()
    }
}

/// For each bone, the rotation from +X to the direction of its first child.
fn stick_axes(skeleton: &Skeleton) -> Vec<Quat> {
    let bones = skeleton.bones();
    let axis = |bone: usize| {
        let child = bones.iter().find(|child| child.parent == Some(bone as u16));
        let along = child.and_then(|child| child.rest.translation.try_normalize());
        along.map_or(Quat::IDENTITY, |along| {
            Quat::from_rotation_arc(Vec3::X, along)
        })
    };
    (0..bones.len()).map(axis).collect()
}

/// The same bones resting along +X as far as their hierarchy allows.
fn sticks(skeleton: &Skeleton) -> Skeleton {
    let axes = stick_axes(skeleton);
    let bones = skeleton.bones().iter().map(|bone| {
        let above = bone.parent.map_or(Quat::IDENTITY, |p| axes[usize::from(p)]);
        Bone {
            rest: Trs::from_translation(above.inverse() * bone.rest.translation),
            ..bone.clone()
        }
    });
    Skeleton::new(bones.collect()).unwrap()
}

/// Bone positions of a target that plays a clip of a source, at time `t`.
fn retargeted(source: (&Skeleton, &Clip), target: &Skeleton, t: f32) -> Vec<Vec3> {
    let (a, _) = humanoid::find(source.0, None);
    let (b, _) = humanoid::find(target, None);
    let rig = |skeleton, humanoid| Rig { skeleton, humanoid };
    let (retarget, _) = Retarget::new(
        rig(source.0, &a),
        rig(target, &b),
        RetargetOptions::default(),
    )
    .unwrap();
    let clip = retarget.clip(source.1, source.0, target);
    Poses::new(target, &clip).at(t).to_vec()
}

#[test]
fn stick_rest_pose_gives_the_same_motion_as_a_standing_one() {
    let (standing, lying) = (body(), sticks(&body()));
    let axes = stick_axes(&standing);
    let hips = Vec3::new(1.5, 1.0, -2.0);
    let usual = clip(&standing, |u| walk(&standing, u), hips);
    let turned = |u: f32| -> Vec<Quat> {
        let rotations = walk(&standing, u).into_iter();
        rotations
            .zip(&axes)
            .map(|(turn, axis)| turn * *axis)
            .collect()
    };
    let capture = clip(&lying, turned, hips);
    let (roles, _) = humanoid::find(&lying, None);
    let rest = Poses::new(&lying, &capture).rest();
    let stance = BodyBones::of(&roles).unwrap().stance(&rest);
    assert!(stance.trunk.y < 0.5, "the stick pose does not stand");
    let grounded = ground(&lying, &roles, &capture).unwrap();
    assert_eq!(grounded.notes.len(), 1, "{:?}", grounded.notes);
    let target = skeleton_named(|role| format!("x_{}", role.name()), Quat::IDENTITY);
    for t in [0.0, 0.2, 0.5, 0.77] {
        let right = retargeted((&standing, &usual), &target, t);
        let is = retargeted((&grounded.skeleton, &grounded.clip), &target, t);
        for (i, (right, is)) in right.iter().zip(&is).enumerate() {
            let off = right.distance(*is);
            assert!(
                off < 0.03,
                "{} is {off:.3} m off at {t} s",
                target.bones()[i].name
            );
        }
    }
    // Without the correction, the body is lying.
    let lying_positions = retargeted((&lying, &capture), &target, 0.5);
    let [head, hips] = [Role::Head, Role::Hips]
        .map(|role| usize::from(humanoid::find(&target, None).0.bone(role).unwrap()));
    assert!(
        lying_positions[head].y - lying_positions[hips].y < 0.4,
        "{} {}",
        lying_positions[head],
        lying_positions[hips]
    );
}

#[test]
fn floor_below_the_origin_is_moved_to_it() {
    let skeleton = body();
    // The hips are at the origin, as in some recordings.
    let capture = clip(&skeleton, |u| walk(&skeleton, u), Vec3::ZERO);
    let (roles, _) = humanoid::find(&skeleton, None);
    let grounded = ground(&skeleton, &roles, &capture).unwrap();
    assert_eq!(grounded.skeleton.bones(), skeleton.bones());
    let mut poses = Poses::new(&grounded.skeleton, &grounded.clip);
    let body = BodyBones::of(&roles).unwrap();
    let lowest = (0..20).map(|i| body.lowest(poses.at(i as f32 / 20.0)));
    let lowest = lowest.fold(f32::INFINITY, f32::min);
    assert!(lowest.abs() < 0.02, "{lowest}");
}

#[test]
fn standing_motion_on_the_floor_stays_unchanged() {
    let skeleton = body();
    let capture = clip(&skeleton, |u| walk(&skeleton, u), Vec3::new(0.0, 1.0, 0.0));
    let (roles, _) = humanoid::find(&skeleton, None);
    assert!(ground(&skeleton, &roles, &capture).is_none());
    assert!(ground(&skeleton, &Humanoid::default(), &capture).is_none());
}
