//! Foot bones: by role for a humanoid, by name for other skeletons.

use crate::Skeleton;
use crate::humanoid::{Humanoid, Role};

/// Feet with their toes, and `left` or `right` for each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FootBones {
    /// Foot and toe bones, left before right.
    pub bones: Vec<(u16, Option<u16>)>,
    /// Side of each foot.
    pub sides: Vec<String>,
}

impl FootBones {
    /// Finds the feet of a humanoid by role, or any feet with [`find_feet`].
    pub fn of(skeleton: &Skeleton, humanoid: &Humanoid) -> Self {
        let roles = [
            (Role::LeftFoot, Role::LeftToes),
            (Role::RightFoot, Role::RightToes),
        ];
        if let [Some(left), Some(right)] = roles.map(|(foot, _)| humanoid.bone(foot)) {
            let toes = |foot: u16, role: Role| humanoid.bone(role).or_else(|| toe(skeleton, foot));
            return Self {
                bones: vec![
                    (left, toes(left, roles[0].1)),
                    (right, toes(right, roles[1].1)),
                ],
                sides: vec!["left".into(), "right".into()],
            };
        }
        let bones = find_feet(skeleton);
        let sides = side_names(skeleton, &bones);
        Self { bones, sides }
    }

    /// Returns the first left and the first right foot.
    pub fn pair(&self) -> [Option<u16>; 2] {
        ["left", "right"].map(|side| {
            let at = self.sides.iter().position(|s| s == side)?;
            Some(self.bones.get(at)?.0)
        })
    }
}

/// Finds feet and toes by name. A foot is the topmost bone of a leg named as foot or ankle, without control bones of
/// the rig. Its toe is the first bone below it named as toe or ball, else its first child. Left before right.
pub fn find_feet(skeleton: &Skeleton) -> Vec<(u16, Option<u16>)> {
    let bones = skeleton.bones();
    let is_foot: Vec<bool> = bones
        .iter()
        .map(|bone| named(&bone.name, &["foot", "ankle"]))
        .collect();
    let above = |b: usize| {
        let mut next = bones[b].parent;
        std::iter::from_fn(move || {
            let parent = usize::from(next?);
            next = bones[parent].parent;
            Some(parent)
        })
    };
    let mut feet: Vec<(u16, Option<u16>)> = (0..bones.len())
        .filter(|b| is_foot[*b] && !above(*b).any(|parent| is_foot[parent]))
        .map(|foot| (foot as u16, toe(skeleton, foot as u16)))
        .collect();
    let names = side_names(skeleton, &feet);
    let mut order: Vec<usize> = (0..feet.len()).collect();
    order.sort_by_key(|i| (names[*i].as_str() != "left", *i));
    feet = order.into_iter().map(|i| feet[i]).collect();
    feet
}

/// The first bone below a foot named as toe or ball, else its first child.
fn toe(skeleton: &Skeleton, foot: u16) -> Option<u16> {
    let bones = skeleton.bones();
    let is_below = |b: &usize| {
        let mut next = bones[*b].parent;
        while let Some(parent) = next.filter(|parent| *parent >= foot) {
            if parent == foot {
                return true;
            }
            next = bones[usize::from(parent)].parent;
        }
        false
    };
    let under = || (usize::from(foot) + 1..bones.len()).filter(is_below);
    let toe = under()
        .find(|b| named(&bones[*b].name, &["toe", "ball"]))
        .or_else(|| under().next());
    toe.map(|toe| toe as u16)
}

/// Returns `left` or `right` for each foot: by its name, else by its side in the rest pose (+X is left).
pub fn side_names(skeleton: &Skeleton, feet: &[(u16, Option<u16>)]) -> Vec<String> {
    let bones = skeleton.bones();
    let side = |bone: u16| {
        let named = bones.get(usize::from(bone)).map(|bone| bone.name.as_str());
        let words: Vec<String> = words(named.unwrap_or(""));
        let has = |side: &[&str]| words.iter().any(|word| side.contains(&word.as_str()));
        match (has(&["left", "l"]), has(&["right", "r"])) {
            (true, false) => "left",
            (false, true) => "right",
            _ if rest_x(skeleton, bone) < 0.0 => "right",
            _ => "left",
        }
    };
    let names = feet.iter().map(|(foot, _)| side(*foot).to_owned());
    names.collect()
}

fn rest_x(skeleton: &Skeleton, bone: u16) -> f32 {
    let bones = skeleton.bones();
    let mut model = glam::Affine3A::IDENTITY;
    let mut next = Some(bone);
    while let Some(own) = next.and_then(|bone| bones.get(usize::from(bone))) {
        model = own.rest.to_affine() * model;
        next = own.parent;
    }
    model.translation.x
}

fn named(name: &str, parts: &[&str]) -> bool {
    let lower = name.to_lowercase();
    let control = ["ik", "control", "ctrl", "roll", "pole", "target", "slot"];
    parts.iter().any(|part| lower.contains(part))
        && !words(name).iter().any(|w| control.contains(&w.as_str()))
}

/// Splits a name into lower-case words, at non-letters and before capitals.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small_before = false;
    for c in name.chars() {
        let new = !c.is_alphabetic() || (c.is_uppercase() && small_before);
        if new {
            words.push(String::new());
        }
        if c.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        small_before = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bone;
    use crate::humanoid::Declared;
    use galatea_math::Trs;

    fn feet(names: &[(&str, Option<u16>)]) -> Vec<(String, Option<u16>, String)> {
        let bones = names.iter().map(|(name, parent)| Bone {
            name: (*name).into(),
            parent: *parent,
            rest: Trs::IDENTITY,
            skinned: true,
        });
        let skeleton = Skeleton::new(bones.collect()).unwrap();
        let feet = find_feet(&skeleton);
        let sides = side_names(&skeleton, &feet);
        let pairs = feet.into_iter().zip(sides);
        pairs
            .map(|((foot, toe), side)| {
                (skeleton.bones()[usize::from(foot)].name.clone(), toe, side)
            })
            .collect()
    }

    #[test]
    fn feet_of_a_humanoid_are_found_by_role_whatever_their_names() {
        let bones = ["root", "足首.R", "tip", "足首.L", "つま先"];
        let parents = [None, Some(0), Some(1), Some(0), Some(3)];
        let bones = bones.iter().zip(parents).map(|(name, parent)| Bone {
            name: (*name).into(),
            parent,
            rest: Trs::IDENTITY,
            skinned: true,
        });
        let skeleton = Skeleton::new(bones.collect()).unwrap();
        assert_eq!(
            FootBones::of(&skeleton, &Humanoid::default()).pair(),
            [None; 2]
        );
        let declared = Declared {
            bones: vec![
                (Role::LeftFoot, 3),
                (Role::RightFoot, 1),
                (Role::LeftToes, 4),
            ],
            ..Declared::default()
        };
        let (humanoid, _) = crate::humanoid::find(&skeleton, Some(&declared));
        let feet = FootBones::of(&skeleton, &humanoid);
        assert_eq!(feet.bones, [(3, Some(4)), (1, Some(2))]);
        assert_eq!(feet.pair(), [Some(3), Some(1)]);
    }

    #[test]
    fn feet_are_found_under_the_names_of_many_rigs() {
        for [right, right_toe, left, left_toe] in [
            ["right_foot", "right_toes", "left_foot", "left_toes"],
            [
                "mixamorig:RightFoot",
                "mixamorig:RightToeBase",
                "mixamorig:LeftFoot",
                "mixamorig:LeftToeBase",
            ],
            ["foot.r", "toes.r", "foot.l", "toes.l"],
            ["foot_r", "ball_r", "foot_l", "ball_l"],
            [
                "b_RightFoot01_021",
                "b_RightFoot02_022",
                "b_LeftFoot01_017",
                "b_LeftFoot02_018",
            ],
            [
                "Bip01 R Foot",
                "Bip01 R Toe0",
                "Bip01 L Foot",
                "Bip01 L Toe0",
            ],
            ["rightAnkle", "rightToe", "LeftAnkle", "LeftToe"],
        ] {
            let found = feet(&[
                ("hips", None),
                (right, Some(0)),
                (right_toe, Some(1)),
                (left, Some(0)),
                (left_toe, Some(3)),
                ("control-foot-roll.l", Some(0)),
                ("IK-foot.r", Some(0)),
            ]);
            let expected = [
                (left.to_owned(), Some(4), "left".to_owned()),
                (right.to_owned(), Some(2), "right".to_owned()),
            ];
            assert_eq!(found, expected);
        }
        assert_eq!(feet(&[("football", None)]).len(), 1);
        assert_eq!(feet(&[("hips", None), ("head", Some(0))]).len(), 0);
    }
}
