use glam::Quat;

use super::*;
use crate::Posed;
use crate::two_bone::{Limb, ReachGoal, reach};
use galatea_anim::{Bone, local_to_model};

/// Bones by name, parent and place in the model: two legs whose feet hang on the root, arms, and a head with hair.
const BODY: [(&str, Option<usize>, [f32; 3]); 15] = [
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
];

fn body(more: &[(&str, Option<usize>, [f32; 3])]) -> (Skeleton, Vec<Affine3A>) {
    let all: Vec<_> = BODY.iter().chain(more).collect();
    let bones = all.iter().map(|(name, parent, at)| {
        // A turned root and hips: spaces are not all the same.
        let turned = |bone: usize| Quat::from_rotation_y(0.3 * bone as f32);
        let own = all.iter().position(|(other, ..)| other == name).unwrap();
        let (above, by) = parent.map_or((Vec3::ZERO, Quat::IDENTITY), |parent| {
            (Vec3::from(all[parent].2), turned(parent))
        });
        Bone {
            name: (*name).into(),
            parent: parent.map(|parent| parent as u16),
            rest: Trs {
                translation: by.conjugate() * (Vec3::from(*at) - above),
                rotation: by.conjugate() * turned(own),
                ..Trs::default()
            },
            skinned: true,
        }
    });
    let skeleton = Skeleton::new(bones.collect()).unwrap();
    let mut model = Vec::new();
    local_to_model(&skeleton, &skeleton.rest().collect::<Vec<_>>(), &mut model);
    (skeleton, model)
}

#[test]
fn feet_beside_their_legs_are_found_and_nothing_else() {
    let (skeleton, model) = body(&[]);
    let loose = Loose::find(&skeleton, &model, 0.0);
    let found: Vec<(u16, u16)> = loose
        .feet
        .iter()
        .map(|foot| (foot.bone, foot.shin))
        .collect();
    assert_eq!(found, [(1, 6), (2, 8)]);
    assert_eq!(loose.parents(&skeleton)[1], 6);
    assert_eq!(loose.parents(&skeleton)[3], 0);
    // With feet below its shins these are mere controls.
    let (skeleton, model) = body(&[
        ("true_l", Some(6), [0.1, 0.08, 0.02]),
        ("true_r", Some(8), [-0.1, 0.08, 0.02]),
    ]);
    assert!(Loose::find(&skeleton, &model, 0.0).is_empty());
    // A single one is no pair of feet.
    let (skeleton, model) = body(&[("true_r", Some(8), [-0.1, 0.08, 0.02])]);
    assert!(Loose::find(&skeleton, &model, 0.0).is_empty());
    assert!(Loose::find(&skeleton, &model[..0], 0.0).is_empty());
}

#[test]
fn a_foot_goes_along_with_its_leg_and_others_stay_bit_for_bit() {
    let (skeleton, model) = body(&[]);
    let loose = Loose::find(&skeleton, &model, 0.0);
    let rest: Vec<Trs> = skeleton.rest().collect();
    let (mut locals, mut held) = (rest.clone(), Vec::new());
    loose.hold(&mut locals, &model, &mut held);
    let mut posed = Posed::new(&skeleton, &mut locals, &model).with_held(&loose);
    posed.release(&loose, &held);
    assert!(!posed.is_changed());
    assert_eq!(locals, rest);

    loose.hold(&mut locals, &model, &mut held);
    let parents = loose.parents(&skeleton);
    let limb = Limb::among(&skeleton, parents, [5, 6, 1], Vec3::Z).unwrap();
    assert!(Limb::of(&skeleton, 5, 6, 1, Vec3::Z).is_none());
    let mut posed = Posed::new(&skeleton, &mut locals, &model).with_held(&loose);
    let target = Vec3::new(0.2, 0.3, 0.25);
    let turn = Quat::from_rotation_x(0.4);
    let goal = ReachGoal {
        target,
        rotation: Some(turn),
        ..ReachGoal::default()
    };
    reach(&mut posed, &limb, &goal);
    // The hips move, and all that hangs on them.
    let hips = posed.local(4);
    let up = Vec3::Y * 0.1;
    posed.set_local(
        4,
        Trs {
            translation: hips.translation + up,
            ..hips
        },
    );
    assert!(posed.position(1).distance(target + up) < 1e-5);
    posed.release(&loose, &held);
    let mut now = Vec::new();
    local_to_model(&skeleton, &locals, &mut now);
    let place = |bone: usize| Vec3::from(now[bone].translation);
    assert!(place(1).distance(target + up) < 1e-5, "{}", place(1));
    assert!(place(2).distance(Vec3::new(-0.1, 0.18, 0.02)) < 1e-5);
    assert!(Trs::near(now[1]).rotation.angle_between(turn) < 1e-3);
    // The toe hangs on its foot as it did.
    let toe = now[1].transform_point3(rest[14].translation);
    assert!(toe.distance(place(14)) < 1e-5);
    // Turning a head moves no foot.
    let (mut locals, mut held) = (rest.clone(), Vec::new());
    loose.hold(&mut locals, &model, &mut held);
    let mut posed = Posed::new(&skeleton, &mut locals, &model).with_held(&loose);
    posed.turn(12, turn);
    posed.release(&loose, &held);
    assert_eq!(locals[..12], rest[..12]);
}
