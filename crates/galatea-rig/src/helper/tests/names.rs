//! Tests of twist bone detection by name.

use super::*;
use galatea_anim::humanoid;

/// A body's left arm with the names of a rig and twist bones `(name, parent, x)`; the forearm ends at 0.8 m.
fn body(names: [&str; 4], twists: &[(&str, &str, f32)]) -> Rig {
    let [shoulder, upper, lower, hand] = names;
    let mut list: Vec<(String, Option<String>, f32)> = vec![
        ("hips".into(), None, 0.0),
        ("spine".into(), Some("hips".into()), 0.0),
        (shoulder.into(), Some("spine".into()), 0.1),
        (upper.into(), Some(shoulder.into()), 0.2),
        (lower.into(), Some(upper.into()), 0.5),
        (hand.into(), Some(lower.into()), 0.8),
    ];
    for (name, parent, x) in twists {
        list.push(((*name).into(), Some((*parent).into()), *x));
    }
    let find = |name: &String| list.iter().position(|bone| bone.0 == *name);
    let bones: Vec<(&str, Option<u16>, Trs)> = list
        .iter()
        .map(|(name, parent, x)| {
            let parent = parent.as_ref().and_then(find);
            let from = parent.map_or(0.0, |parent| list[parent].2);
            (
                name.as_str(),
                parent.map(|p| p as u16),
                at(x - from, 0., 0.),
            )
        })
        .collect();
    rig(&bones)
}

fn found(rig: &Rig, names: [&str; 4]) -> Vec<HelperSpec> {
    let mut humanoid = humanoid::Humanoid::default();
    let roles = [
        humanoid::Role::LeftShoulder,
        humanoid::Role::LeftUpperArm,
        humanoid::Role::LeftLowerArm,
        humanoid::Role::LeftHand,
    ];
    for (role, name) in roles.into_iter().zip(names) {
        humanoid.bones[role.index()] = rig.skeleton.find(name);
    }
    let rest: Vec<Trs> = rig.skeleton.rest().collect();
    let moved = rig.skeleton.find("moved_twist");
    HelperSpec::found_in(&rig.skeleton, &rest, &humanoid, |bone| Some(bone) == moved)
}

#[test]
fn twist_bones_of_known_rigs_are_found_by_name() {
    let unreal = ["clavicle_l", "upperarm_l", "lowerarm_l", "hand_l"];
    let maya = ["LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"];
    let blender = ["shoulder.L", "upper_arm.L", "forearm.L", "hand.L"];
    let vroid = [
        "J_Bip_L_Shoulder",
        "J_Bip_L_UpperArm",
        "J_Bip_L_LowerArm",
        "J_Bip_L_Hand",
    ];
    let cases = [
        (unreal, "upperarm_twist_01_l", "lowerarm_twist_01_l"),
        (maya, "LeftArmRoll", "LeftForeArmRoll"),
        (maya, "LeftArmTwist", "LeftForeArmTwist"),
        (blender, "upper_arm_twist.L", "forearm_twist.L"),
        (vroid, "J_Roll_L_UpperArm", "J_Roll_L_LowerArm"),
    ];
    for (names, upper, lower) in cases {
        let rig = body(names, &[(upper, names[1], 0.35), (lower, names[2], 0.65)]);
        let found = found(&rig, names);
        assert_eq!(found.len(), 2, "{upper}");
        assert_eq!(found[0].bones, [upper]);
        assert_eq!(found[0].source.as_deref(), Some(names[1]), "of itself");
        assert_eq!(found[1].bones, [lower]);
        assert_eq!(found[1].source.as_deref(), Some(names[3]), "of the hand");
        assert!(found.iter().all(|spec| spec.weights == [0.5]));
        assert!(rig.bind(&found).is_ok());
    }
}

#[test]
fn several_bones_split_by_position_and_animated_or_other_bones_are_skipped() {
    let names = ["clavicle_l", "upperarm_l", "lowerarm_l", "hand_l"];
    let twists = [
        ("lowerarm_twist_01_l", "lowerarm_l", 0.74),
        ("lowerarm_twist_02_l", "lowerarm_l", 0.56),
        ("moved_twist", "lowerarm_l", 0.6),
        ("scroll_twist", "spine", 0.6),
        ("finger_roll", "hand_l", 0.9),
    ];
    let rig = body(names, &twists);
    let list = found(&rig, names);
    assert_eq!(list.len(), 1);
    assert_eq!(
        list[0].bones,
        ["lowerarm_twist_01_l", "lowerarm_twist_02_l"]
    );
    let [near, far] = list[0].weights[..] else {
        panic!("two shares");
    };
    assert!((near - 0.8).abs() < 1e-5 && (far - 0.2).abs() < 1e-5);
    // Bones at the same position split the twist equally by order.
    let rig = body(
        names,
        &[
            ("lowerarm_twist_a", "lowerarm_l", 0.5),
            ("lowerarm_twist_b", "lowerarm_l", 0.5),
        ],
    );
    let fractions = found(&rig, names)[0].weights.clone();
    assert!((fractions[0] - 1.0 / 3.0).abs() < 1e-6 && (fractions[1] - 2.0 / 3.0).abs() < 1e-6);
}

#[test]
fn twist_bones_within_the_chain_hold_the_next_bone() {
    let mut rig = rig(&[
        ("collar", None, at(0.1, 0., 0.)),
        ("lShldrBend", Some(0), at(0.1, 0., 0.)),
        ("lShldrTwist", Some(1), at(0.15, 0., 0.)),
        ("lForearmBend", Some(2), at(0.15, 0., 0.)),
        ("lForearmTwist", Some(3), at(0.15, 0., 0.)),
        ("lHand", Some(4), at(0.15, 0., 0.)),
    ]);
    let names = ["collar", "lShldrBend", "lForearmBend", "lHand"];
    let list = found(&rig, names);
    assert_eq!(list.len(), 2);
    assert_eq!(list[0].hold.as_deref(), Some("lForearmBend"));
    rig.turn("lShldrBend", degrees(Vec3::X, 60.0));
    rig.turn("lHand", degrees(Vec3::X, 100.0));
    rig.apply(&list);
    same(rig.rotation("lShldrTwist"), degrees(Vec3::X, 30.0), 2e-3);
    same(rig.rotation("lForearmBend"), degrees(Vec3::X, 60.0), 2e-3);
    same(rig.rotation("lForearmTwist"), degrees(Vec3::X, 110.0), 2e-3);
    same(rig.rotation("lHand"), degrees(Vec3::X, 160.0), 2e-3);
}
