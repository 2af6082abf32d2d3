//! Bones without tracks in a clip.

use super::*;

#[test]
fn only_moved_bones_get_tracks_and_markers_and_curves_stay() {
    let (source, target) = (body(""), body("t_"));
    let mut clip = dance(&source, &[Quat::from_rotation_x(0.5)]);
    clip.bones.retain(|tracks| {
        let name = &source.bones()[usize::from(tracks.bone)].name;
        name == "left_upper_arm"
    });
    let (retarget, _) = map_rigs(&source, &target, None);
    let out = retarget.clip(&clip, &source, &target);
    let names: Vec<&str> = out
        .bones
        .iter()
        .map(|tracks| target.bones()[usize::from(tracks.bone)].name.as_str())
        .collect();
    // The rest of the arm gets tracks too, because its rest pose can differ from the source's.
    assert_eq!(
        names,
        ["t_left_upper_arm", "t_left_lower_arm", "t_left_hand"]
    );
    assert_eq!(out.bones[1].rotation.as_ref().unwrap().times.len(), 1);
    assert!(out.bones.iter().all(|tracks| tracks.translation.is_none()));
    assert_eq!((out.markers, out.curves), (clip.markers, clip.curves));
    assert_eq!((out.name, out.duration), (clip.name, clip.duration));
}

#[test]
fn arms_without_tracks_rest_as_in_the_source_if_the_whole_body_moves() {
    let target = body("t_");
    let hanging = [
        ("left_upper_arm", Quat::from_rotation_z(-1.2)),
        ("right_upper_arm", Quat::from_rotation_z(1.2)),
    ];
    let source = posed(&body(""), &hanging);
    let mut clip = dance(&source, &[Quat::from_rotation_x(0.5)]);
    clip.bones.retain(|tracks| {
        let name = &source.bones()[usize::from(tracks.bone)].name;
        !name.contains("arm") && !name.contains("hand") && !name.contains("shoulder")
    });
    let (retarget, report) = map_rigs(&source, &target, None);
    assert_eq!(report.manner, RetargetMode::Body);
    let out = retarget.clip(&clip, &source, &target);
    same_directions((&source, &clip), (&target, &out), &[0.0, 0.5, 1.0]);
    // A clip of one leg leaves the arms to other clips.
    clip.bones.retain(|tracks| {
        let name = &source.bones()[usize::from(tracks.bone)].name;
        name.starts_with("left_lower_leg")
    });
    let out = retarget.clip(&clip, &source, &target);
    let names = out
        .bones
        .iter()
        .map(|tracks| &target.bones()[usize::from(tracks.bone)].name);
    assert!(
        names.clone().all(|name| !name.contains("arm")),
        "{:?}",
        names.collect::<Vec<_>>()
    );
}
