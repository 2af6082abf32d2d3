use glam::{Quat, Vec3};

use super::*;
use crate::humanoid::{self, Role};
use crate::{BoneTracks, Clip, Interpolation, Pose, Track, sample};
use galatea_math::random::RandomSource;

/// A bone by name, parent and position in model space, metres.
type Spot = (&'static str, Option<usize>, [f32; 3]);

/// A body with a root on the floor. `legs` and `spine` are the parents of the legs and the spine (0: root, 1: hips).
fn body(legs: usize, spine: usize, hips: &'static str) -> Vec<Spot> {
    vec![
        ("Root", None, [0.0, 0.0, 0.05]),
        (hips, Some(0), [0.0, 1.0, 0.05]),
        ("Spine", Some(spine), [0.0, 1.15, 0.04]),
        ("Chest", Some(2), [0.0, 1.35, 0.04]),
        ("Head", Some(3), [0.0, 1.6, 0.04]),
        ("UpperArm.L", Some(3), [0.15, 1.45, 0.05]),
        ("LowerArm.L", Some(5), [0.4, 1.45, 0.05]),
        ("Hand.L", Some(6), [0.65, 1.45, 0.05]),
        ("UpperArm.R", Some(3), [-0.15, 1.45, 0.05]),
        ("LowerArm.R", Some(8), [-0.4, 1.45, 0.05]),
        ("Hand.R", Some(9), [-0.65, 1.45, 0.05]),
        ("UpperLeg.L", Some(legs), [0.1, 0.95, 0.05]),
        ("LowerLeg.L", Some(11), [0.1, 0.5, 0.08]),
        ("Foot.L", Some(12), [0.1, 0.08, 0.05]),
        ("UpperLeg.R", Some(legs), [-0.1, 0.95, 0.05]),
        ("LowerLeg.R", Some(14), [-0.1, 0.5, 0.08]),
        ("Foot.R", Some(15), [-0.1, 0.08, 0.05]),
    ]
}

fn skeleton(spots: &[Spot]) -> Skeleton {
    // Rotated bones, so that their spaces differ.
    let rotation =
        |i: usize| Quat::from_rotation_y(0.3 * i as f32) * Quat::from_rotation_x(0.2 * i as f32);
    let bones = spots.iter().enumerate().map(|(i, (name, parent, at))| {
        let (above, by) = parent.map_or((Vec3::ZERO, Quat::IDENTITY), |parent| {
            (Vec3::from(spots[parent].2), rotation(parent))
        });
        Bone {
            name: (*name).into(),
            parent: parent.map(|parent| parent as u16),
            rest: Trs {
                translation: by.conjugate() * (Vec3::from(*at) - above),
                rotation: by.conjugate() * rotation(i),
                scale: Vec3::ONE,
            },
            skinned: true,
        }
    });
    Skeleton::new(bones.collect()).unwrap()
}

fn moves(skeleton: &Skeleton) -> Vec<(String, String)> {
    let name = |bone: u16| skeleton.bones()[usize::from(bone)].name.clone();
    let moves = find(skeleton).into_iter();
    moves
        .map(|one| (name(one.bone), name(one.parent)))
        .collect()
}

fn pairs(names: &[(&str, &str)]) -> Vec<(String, String)> {
    names
        .iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect()
}

#[test]
fn legs_next_to_the_hips_are_moved_below_them() {
    let made = skeleton(&body(0, 1, "Hips"));
    assert_eq!(
        moves(&made),
        pairs(&[("UpperLeg.L", "Hips"), ("UpperLeg.R", "Hips")])
    );
    let new = apply(&made, &find(&made)).unwrap();
    let (roles, report) = humanoid::find(&new.skeleton, None);
    assert_eq!(roles.bone(Role::Hips), new.skeleton.find("Hips"));
    assert!(roles.is_body() && report.missing.is_empty(), "{report:?}");
}

#[test]
fn spine_next_to_the_pelvis_is_moved_below_it() {
    let made = skeleton(&body(1, 0, "Pelvis"));
    assert_eq!(moves(&made), pairs(&[("Spine", "Pelvis")]));
    let new = apply(&made, &find(&made)).unwrap();
    let (roles, _) = humanoid::find(&new.skeleton, None);
    assert_eq!(roles.bone(Role::Hips), new.skeleton.find("Pelvis"));
    assert!(roles.is_body());
}

#[test]
fn first_trunk_bone_above_the_floor_serves_as_unnamed_hips() {
    let made = skeleton(&body(0, 1, "Body"));
    assert_eq!(
        moves(&made),
        pairs(&[("UpperLeg.L", "Body"), ("UpperLeg.R", "Body")])
    );
    let new = apply(&made, &find(&made)).unwrap();
    let (roles, _) = humanoid::find(&new.skeleton, None);
    assert_eq!(roles.bone(Role::Hips), new.skeleton.find("Body"));
}

#[test]
fn connected_body_stays_unchanged() {
    assert!(moves(&skeleton(&body(1, 1, "Hips"))).is_empty());
    // A root at the height of the pelvis can be the parent of both.
    let mut spots = body(0, 1, "Waist");
    spots[0].2[1] = 0.95;
    assert!(moves(&skeleton(&spots)).is_empty());
}

/// Two legs with feet that are children of the root and come before their shins, a pole target, arms, and a head with
/// hair.
fn held_feet() -> Vec<Spot> {
    vec![
        ("root", None, [0.0, 0.0, 0.0]),
        ("foot_l", Some(0), [0.1, 0.08, 0.02]),
        ("foot_r", Some(0), [-0.1, 0.08, 0.02]),
        ("pole_l", Some(0), [0.1, 0.1, 0.9]),
        ("hips", Some(0), [0.0, 0.95, 0.0]),
        ("thigh_l", Some(4), [0.1, 0.9, 0.0]),
        ("shin_l", Some(5), [0.1, 0.48, 0.04]),
        ("thigh_r", Some(4), [-0.1, 0.9, 0.0]),
        ("shin_r", Some(7), [-0.1, 0.48, 0.04]),
        ("chest", Some(4), [0.0, 1.3, 0.0]),
        ("arm_l", Some(9), [0.2, 1.4, 0.0]),
        ("hand_l", Some(10), [0.25, 0.85, 0.05]),
        ("head", Some(9), [0.0, 1.6, 0.0]),
        ("hair", Some(12), [0.0, 1.3, -0.1]),
        ("toe_l", Some(1), [0.1, 0.01, 0.12]),
    ]
}

#[test]
fn only_feet_on_the_root_are_moved_below_their_shins() {
    let made = skeleton(&held_feet());
    assert_eq!(
        moves(&made),
        pairs(&[("foot_l", "shin_l"), ("foot_r", "shin_r")])
    );
    let new = apply(&made, &find(&made)).unwrap();
    let (roles, _) = humanoid::find(&new.skeleton, None);
    assert_eq!(roles.bone(Role::LeftFoot), new.skeleton.find("foot_l"));
    // If the shins have feet of their own, these bones are controls.
    let mut spots = held_feet();
    spots.push(("true_l", Some(6), [0.1, 0.08, 0.02]));
    spots.push(("true_r", Some(8), [-0.1, 0.08, 0.02]));
    assert!(moves(&skeleton(&spots)).is_empty());
    // A single foot is not a pair.
    spots.remove(15);
    assert!(moves(&skeleton(&spots)).is_empty());
}

#[test]
fn vehicle_without_a_skin_keeps_its_wheels() {
    let spots: Vec<Spot> = vec![
        ("root", None, [0.0, 0.0, 0.0]),
        ("chassis", Some(0), [0.0, 1.0, 0.0]),
        ("door_L", Some(1), [0.9, 1.2, 1.0]),
        ("handle_L", Some(2), [1.0, 1.1, 0.4]),
        ("door_R", Some(1), [-0.9, 1.2, 1.0]),
        ("handle_R", Some(4), [-1.0, 1.1, 0.4]),
        ("roof", Some(1), [0.0, 3.0, 0.0]),
        ("wheel_L", Some(0), [1.0, 0.4, 0.6]),
        ("wheel_R", Some(0), [-1.0, 0.4, 0.6]),
    ];
    let mut bones = skeleton(&spots).bones().to_vec();
    bones.iter_mut().for_each(|bone| bone.skinned = false);
    assert!(moves(&Skeleton::new(bones).unwrap()).is_empty());
    // A body without a skin, as in animation-only files, is still a body.
    let mut bones = skeleton(&body(0, 1, "Hips")).bones().to_vec();
    bones.iter_mut().for_each(|bone| bone.skinned = false);
    assert_eq!(moves(&Skeleton::new(bones).unwrap()).len(), 2);
}

#[test]
fn result_never_has_a_cycle() {
    let mut chance = RandomSource::new(7);
    let mut n_moved = 0;
    let names = [
        "Hips",
        "UpperLeg.L",
        "UpperLeg.R",
        "UpperArm.L",
        "UpperArm.R",
        "Foot.L",
        "Foot.R",
        "b",
    ];
    for _ in 0..3000 {
        let n = 4 + (chance.unit() * 12.0) as usize;
        let bones: Vec<Bone> = (0..n)
            .map(|i| Bone {
                name: names[(chance.unit() * names.len() as f32) as usize].into(),
                parent: (i > 0).then(|| (chance.unit() * i as f32) as u16),
                rest: Trs {
                    translation: Vec3::new(
                        chance.unit() * 0.1,
                        chance.unit() - 0.5,
                        chance.unit() * 0.1,
                    ),
                    ..Trs::default()
                },
                skinned: true,
            })
            .collect();
        let skeleton = Skeleton::new(bones).unwrap();
        let moves = find(&skeleton);
        n_moved += moves.len();
        if let Some(new) = apply(&skeleton, &moves) {
            assert_eq!(new.skeleton.len(), n);
            assert_eq!(new.moved.len(), moves.len());
        } else {
            assert!(moves.is_empty());
        }
    }
    assert!(n_moved > 30, "only {n_moved} bones were moved");
}

/// Model-space matrices of all bones by name, from a clip at a time.
fn positions(skeleton: &Skeleton, clip: &Clip, t: f32) -> Vec<(String, Affine3A)> {
    let mut pose = Pose {
        locals: skeleton.rest().collect(),
        ..Pose::default()
    };
    sample(clip, t, &[], &mut pose);
    let mut model = Vec::new();
    local_to_model(skeleton, &pose.locals, &mut model);
    let mut all: Vec<_> = skeleton
        .bones()
        .iter()
        .map(|bone| bone.name.clone())
        .zip(model)
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn swinging(skeleton: &Skeleton, names: &[&str]) -> Clip {
    let times: Vec<f32> = (0..=24).map(|i| i as f32 / 24.0).collect();
    let mut bones: Vec<BoneTracks> = names
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let bone = skeleton.find(name).unwrap();
            let rest = skeleton.bones()[usize::from(bone)].rest;
            let angle = |t: f32| (t * std::f32::consts::TAU + i as f32).sin();
            let turned = |t: &f32| rest.rotation * Quat::from_rotation_x(0.6 * angle(*t));
            let moved = |t: &f32| rest.translation + Vec3::new(0.02, 0.05, 0.1) * angle(*t);
            let interpolation = Interpolation::Linear;
            BoneTracks {
                bone,
                translation: Some(Track {
                    times: times.clone(),
                    values: times.iter().map(moved).collect(),
                    interpolation,
                }),
                rotation: Some(Track {
                    times: times.clone(),
                    values: times.iter().map(turned).collect(),
                    interpolation,
                }),
                scale: None,
            }
        })
        .collect();
    bones.sort_by_key(|tracks| tracks.bone);
    Clip {
        name: "swing".into(),
        duration: 1.0,
        bones,
        ..Clip::default()
    }
}

#[test]
fn every_bone_moves_as_before() {
    for (spots, animated) in [
        (
            body(0, 1, "Hips"),
            &["Root", "Hips", "UpperLeg.L", "LowerLeg.L", "Spine"][..],
        ),
        (body(1, 0, "Pelvis"), &["Pelvis", "Spine"]),
        (
            held_feet(),
            &["hips", "thigh_l", "shin_l", "foot_l", "toe_l"],
        ),
    ] {
        let made = skeleton(&spots);
        let clip = swinging(&made, animated);
        let new = apply(&made, &find(&made)).unwrap();
        let rebased = new.clip(&clip);
        let mut restored = rebased.clone();
        restore(&mut restored, &new.skeleton, &new.moved);
        for tracks in &mut restored.bones {
            tracks.bone = new.old_index[usize::from(tracks.bone)];
        }
        restored.bones.sort_by_key(|tracks| tracks.bone);
        let n_frames = 97;
        for i in 0..=n_frames {
            let t = i as f32 / n_frames as f32;
            let (was, is) = (
                positions(&made, &clip, t),
                positions(&new.skeleton, &rebased, t),
            );
            let again = positions(&made, &restored, t);
            for ((name, was), (_, is)) in was.iter().zip(&is).chain(was.iter().zip(&again)) {
                let off = was.translation.distance(is.translation);
                assert!(off < 5e-4, "{name} is {off} m off at {t} s");
                let turned = Trs::near(*was)
                    .rotation
                    .angle_between(Trs::near(*is).rotation);
                assert!(turned < 4e-3, "{name} is turned by {turned} at {t} s");
            }
        }
    }
}

#[test]
fn clip_without_affected_bones_stays_unchanged() {
    let made = skeleton(&body(0, 1, "Hips"));
    let new = apply(&made, &find(&made)).unwrap();
    let clip = swinging(&new.skeleton, &["Root", "UpperArm.L"]);
    let mut rebased = clip.clone();
    rebase(&mut rebased, &new.skeleton, &new.moved);
    assert_eq!(rebased.bones, clip.bones);
}
