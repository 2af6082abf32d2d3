use super::*;
use crate::anim::{Bone, local_to_model};

/// A skeleton of `(parent, place in the parent's space)`.
pub fn skeleton(bones: &[(Option<u16>, Vec3)]) -> Skeleton {
    let bones = bones.iter().enumerate().map(|(i, (parent, at))| Bone {
        name: format!("bone{i}"),
        parent: *parent,
        rest: Trs::from_translation(*at),
        skinned: true,
    });
    Skeleton::new(bones.collect()).unwrap()
}

#[test]
fn places_are_found_again_below_what_was_turned_and_are_those_of_a_forward_pass() {
    let skeleton = skeleton(&[
        (None, Vec3::Y),
        (Some(0), Vec3::Y),
        (Some(0), Vec3::X),
        (Some(1), Vec3::Y),
    ]);
    let mut locals: Vec<Trs> = skeleton.rest().collect();
    locals[1].scale = Vec3::splat(2.0);
    let mut model = Vec::new();
    local_to_model(&skeleton, &locals, &mut model);
    let before = model.clone();
    let mut posed = Posed::new(&skeleton, &mut locals, &model);
    assert!(!posed.is_changed());
    posed.turn_in_model(1, Quat::from_rotation_z(1.0));
    posed.turn_in_model(0, Quat::from_rotation_x(0.5));
    assert!(posed.is_changed());
    let found: Vec<Affine3A> = (0..4).map(|bone| posed.model(bone)).collect();
    let below = posed.below(0, 3).unwrap();
    assert!(posed.below(2, 3).is_none());
    assert!((posed.model(0) * below).abs_diff_eq(found[3], 1e-6));
    local_to_model(&skeleton, &locals, &mut model);
    for (found, want) in found.iter().zip(&model) {
        assert!(found.abs_diff_eq(*want, 1e-6));
    }
    assert!(!before[3].abs_diff_eq(model[3], 0.1));
}

#[test]
fn what_is_not_finite_changes_nothing() {
    let skeleton = skeleton(&[(None, Vec3::Y)]);
    let mut locals: Vec<Trs> = skeleton.rest().collect();
    let model = vec![locals[0].to_affine()];
    let mut posed = Posed::new(&skeleton, &mut locals, &model);
    posed.set_rotation(0, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    posed.set_rotation(7, Quat::IDENTITY);
    assert!(!posed.is_changed());
}
