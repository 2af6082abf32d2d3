//! Masks by body part and by name, with soft edges.

use super::humanoid::{Humanoid, Role};
use super::{Mask, Skeleton};

/// A part of a human body, for masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyPart {
    /// Spine and everything above; the lowest of several spine bones has weight 0.5.
    UpperBody,
    /// Hips, legs and the ancestors of the hips, with the weight that [`BodyPart::UpperBody`] leaves.
    LowerBody,
    /// Left arm, from the collar bone on.
    LeftArm,
    /// Right arm, from the collar bone on.
    RightArm,
    /// Left leg, from the thigh on.
    LeftLeg,
    /// Right leg, from the thigh on.
    RightLeg,
    /// Neck and head; a neck has weight 0.5.
    Head,
    /// Spine, chest and upper chest, without arms and neck.
    Spine,
    /// Left hand, from the wrist on.
    LeftHand,
    /// Right hand, from the wrist on.
    RightHand,
}

const PARTS: [(BodyPart, &str); 10] = [
    (BodyPart::UpperBody, "upper_body"),
    (BodyPart::LowerBody, "lower_body"),
    (BodyPart::LeftArm, "left_arm"),
    (BodyPart::RightArm, "right_arm"),
    (BodyPart::LeftLeg, "left_leg"),
    (BodyPart::RightLeg, "right_leg"),
    (BodyPart::Head, "head"),
    (BodyPart::Spine, "spine"),
    (BodyPart::LeftHand, "left_hand"),
    (BodyPart::RightHand, "right_hand"),
];

impl BodyPart {
    /// All body parts.
    pub fn all() -> impl Iterator<Item = Self> {
        PARTS.iter().map(|part| part.0)
    }

    /// Name in scripts, in snake case.
    pub fn name(self) -> &'static str {
        let found = PARTS.iter().find(|part| part.0 == self);
        found.map_or("", |part| part.1)
    }

    /// Finds the body part by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        let found = PARTS.iter().find(|part| part.1 == name);
        found.map(|part| part.0)
    }

    /// Root bones of the part; empty if the skeleton lacks it.
    pub fn roots(self, humanoid: &Humanoid) -> Vec<u16> {
        use Role::*;
        let first = |roles: &[Role]| roles.iter().find_map(|role| humanoid.bone(*role));
        let trunk = [Spine, Chest, UpperChest];
        let one = match self {
            Self::UpperBody => match first(&trunk) {
                Some(spine) => Some(spine),
                None => {
                    let parts = [Self::Head, Self::LeftArm, Self::RightArm];
                    return parts.iter().flat_map(|part| part.roots(humanoid)).collect();
                }
            },
            Self::LowerBody => humanoid.bone(Hips),
            Self::LeftArm => first(&[LeftShoulder, LeftUpperArm]),
            Self::RightArm => first(&[RightShoulder, RightUpperArm]),
            Self::LeftLeg => humanoid.bone(LeftUpperLeg),
            Self::RightLeg => humanoid.bone(RightUpperLeg),
            Self::Head => first(&[Neck, Head]),
            Self::Spine => {
                return trunk
                    .iter()
                    .filter_map(|role| humanoid.bone(*role))
                    .collect();
            }
            Self::LeftHand => humanoid.bone(LeftHand),
            Self::RightHand => humanoid.bone(RightHand),
        };
        one.into_iter().collect()
    }
}

impl Mask {
    /// Creates the mask of a body part; `None` if the skeleton lacks it. Morph targets have weight 0.
    pub fn part(skeleton: &Skeleton, humanoid: &Humanoid, part: BodyPart) -> Option<Self> {
        let roots = part.roots(humanoid);
        if roots.is_empty() {
            return None;
        }
        let mut mask = match part {
            BodyPart::Spine => Self {
                bones: vec![0.0; skeleton.len()],
                morphs: 0.0,
            },
            _ => Self::subtree(skeleton, &roots),
        };
        let mut set = |bone: u16, weight: f32| {
            if let Some(slot) = mask.bones.get_mut(usize::from(bone)) {
                *slot = weight;
            }
        };
        match part {
            BodyPart::UpperBody => {
                if let (Some(spine), Some(_)) = (
                    humanoid.bone(Role::Spine),
                    humanoid
                        .bone(Role::Chest)
                        .or(humanoid.bone(Role::UpperChest)),
                ) {
                    set(spine, 0.5);
                }
            }
            BodyPart::Head => {
                if let (Some(neck), Some(_)) =
                    (humanoid.bone(Role::Neck), humanoid.bone(Role::Head))
                {
                    set(neck, 0.5);
                }
            }
            BodyPart::Spine => roots.iter().for_each(|bone| set(*bone, 1.0)),
            BodyPart::LowerBody => {
                let mut above = humanoid.bone(Role::Hips);
                while let Some(bone) = above {
                    set(bone, 1.0);
                    above = skeleton
                        .bones()
                        .get(usize::from(bone))
                        .and_then(|bone| bone.parent);
                }
                if let Some(upper) = Self::part(skeleton, humanoid, BodyPart::UpperBody) {
                    for (weight, upper) in mask.bones.iter_mut().zip(&upper.bones) {
                        *weight = (*weight - upper).max(0.0);
                    }
                }
            }
            _ => {}
        }
        Some(mask)
    }

    /// Creates a mask of the bones with matching names, each with its descendants; `*` matches any characters. Case
    /// is ignored. `None` if no bone matches.
    pub fn pattern(skeleton: &Skeleton, pattern: &str) -> Option<Self> {
        let bones = skeleton.bones().iter().enumerate();
        let matching = bones.filter(|(_, bone)| matches_pattern(pattern, &bone.name));
        let matching: Vec<u16> = matching.map(|(i, _)| i as u16).collect();
        (!matching.is_empty()).then(|| Self::subtree(skeleton, &matching))
    }
}

/// Returns true if the name matches the pattern; `*` matches any characters.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.to_lowercase(), name.to_lowercase());
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for piece in pieces {
        if let Some(piece) = last.replace(piece) {
            let Some(at) = rest.find(piece) else {
                return false;
            };
            rest = rest.get(at + piece.len()..).unwrap_or_default();
        }
    }
    match last {
        None => rest.is_empty(),
        Some(last) => rest.ends_with(last),
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{Bone, humanoid};
    use galatea_math::Trs;

    fn body() -> (Skeleton, Humanoid) {
        let rows = [
            ("root", None),
            ("hips", Some(0)),
            ("spine", Some(1)),
            ("chest", Some(2)),
            ("neck", Some(3)),
            ("head", Some(4)),
            ("left_upper_arm", Some(3)),
            ("left_lower_arm", Some(6)),
            ("left_hand", Some(7)),
            ("sword", Some(8)),
            ("left_upper_leg", Some(1)),
            ("left_lower_leg", Some(10)),
            ("left_foot", Some(11)),
        ];
        let bones = rows.map(|(name, parent)| Bone {
            name: name.into(),
            parent,
            rest: Trs::from_translation(Vec3::Y),
            skinned: true,
        });
        let skeleton = Skeleton::new(bones.to_vec()).unwrap();
        let (humanoid, _) = humanoid::find(&skeleton, None);
        (skeleton, humanoid)
    }

    #[test]
    fn upper_body_starts_at_half_in_the_spine_and_lower_body_is_the_rest() {
        let (skeleton, humanoid) = body();
        let upper = Mask::part(&skeleton, &humanoid, BodyPart::UpperBody).unwrap();
        let expected = [0., 0., 0.5, 1., 1., 1., 1., 1., 1., 1., 0., 0., 0.];
        assert_eq!(upper.bones, expected);
        let lower = Mask::part(&skeleton, &humanoid, BodyPart::LowerBody).unwrap();
        for (a, b) in upper.bones.iter().zip(&lower.bones) {
            assert_eq!(a + b, 1.0);
        }
    }

    #[test]
    fn limbs_include_attached_bones_and_missing_parts_are_none() {
        let (skeleton, humanoid) = body();
        let names = |part| {
            let mask = Mask::part(&skeleton, &humanoid, part)?;
            let bones = skeleton.bones().iter().zip(mask.bones);
            let some = bones.filter(|(_, w)| *w > 0.0);
            Some(some.map(|(b, _)| b.name.clone()).collect::<Vec<_>>())
        };
        assert_eq!(names(BodyPart::LeftHand).unwrap(), ["left_hand", "sword"]);
        assert_eq!(names(BodyPart::Spine).unwrap(), ["spine", "chest"]);
        assert_eq!(names(BodyPart::Head).unwrap(), ["neck", "head"]);
        assert_eq!(names(BodyPart::LeftLeg).unwrap().len(), 3);
        assert_eq!(names(BodyPart::RightArm), None);
        for part in BodyPart::all() {
            assert_eq!(BodyPart::from_name(part.name()), Some(part));
        }
    }

    #[test]
    fn pattern_selects_matching_bones_with_descendants() {
        let (skeleton, _) = body();
        let arm = skeleton.find("left_upper_arm").unwrap();
        let matching = Mask::pattern(&skeleton, "*_UPPER_arm").unwrap();
        assert_eq!(matching.bones, Mask::subtree(&skeleton, &[arm]).bones);
        assert_eq!(Mask::pattern(&skeleton, "*_wing"), None);
        assert!(
            matches_pattern("a*b*c", "axxbyyc")
                && !matches_pattern("a*b*c", "axxc")
                && !matches_pattern("ab", "abc")
        );
        assert!(
            matches_pattern("*", "")
                && matches_pattern("a*a", "aa")
                && !matches_pattern("a*a", "a")
        );
    }
}
