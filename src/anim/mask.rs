//! Masks by part of the body and by name, with soft edges.

use super::humanoid::{Humanoid, Role};
use super::{Mask, Skeleton};

/// A part of a human body, for masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Spine and all above; the lowest of several spine bones takes half.
    UpperBody,
    /// Hips, legs and what carries the hips: all the weight that [`Part::UpperBody`] leaves there.
    LowerBody,
    /// From the collar bone on.
    LeftArm,
    /// From the collar bone on.
    RightArm,
    /// From the thigh on.
    LeftLeg,
    /// From the thigh on.
    RightLeg,
    /// Neck and head; a neck takes half.
    Head,
    /// Spine, chest and upper chest, without what hangs on them.
    Spine,
    /// From the wrist on.
    LeftHand,
    /// From the wrist on.
    RightHand,
}

const PARTS: [(Part, &str); 10] = [
    (Part::UpperBody, "upper_body"),
    (Part::LowerBody, "lower_body"),
    (Part::LeftArm, "left_arm"),
    (Part::RightArm, "right_arm"),
    (Part::LeftLeg, "left_leg"),
    (Part::RightLeg, "right_leg"),
    (Part::Head, "head"),
    (Part::Spine, "spine"),
    (Part::LeftHand, "left_hand"),
    (Part::RightHand, "right_hand"),
];

impl Part {
    /// Every part.
    pub fn all() -> impl Iterator<Item = Self> {
        PARTS.iter().map(|part| part.0)
    }

    /// The name in snake case, as scripts use it.
    pub fn name(self) -> &'static str {
        let found = PARTS.iter().find(|part| part.0 == self);
        found.map_or("", |part| part.1)
    }

    /// The part with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let found = PARTS.iter().find(|part| part.1 == name);
        found.map(|part| part.0)
    }

    /// The bones where the part begins; none when the skeleton lacks it.
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
    /// The mask of a part of the body; `None` when the skeleton lacks it. Morphs are untouched.
    pub fn part(skeleton: &Skeleton, humanoid: &Humanoid, part: Part) -> Option<Self> {
        let roots = part.roots(humanoid);
        if roots.is_empty() {
            return None;
        }
        let mut mask = match part {
            Part::Spine => Self {
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
            Part::UpperBody => {
                if let (Some(spine), Some(_)) = (
                    humanoid.bone(Role::Spine),
                    humanoid
                        .bone(Role::Chest)
                        .or(humanoid.bone(Role::UpperChest)),
                ) {
                    set(spine, 0.5);
                }
            }
            Part::Head => {
                if let (Some(neck), Some(_)) =
                    (humanoid.bone(Role::Neck), humanoid.bone(Role::Head))
                {
                    set(neck, 0.5);
                }
            }
            Part::Spine => roots.iter().for_each(|bone| set(*bone, 1.0)),
            Part::LowerBody => {
                let mut above = humanoid.bone(Role::Hips);
                while let Some(bone) = above {
                    set(bone, 1.0);
                    above = skeleton
                        .bones()
                        .get(usize::from(bone))
                        .and_then(|bone| bone.parent);
                }
                if let Some(upper) = Self::part(skeleton, humanoid, Part::UpperBody) {
                    for (weight, upper) in mask.bones.iter_mut().zip(&upper.bones) {
                        *weight = (*weight - upper).max(0.0);
                    }
                }
            }
            _ => {}
        }
        Some(mask)
    }

    /// Weights by bone names: each rule is a name with `*` for any letters and its weight, 0..=1;
    /// the last rule that fits a bone decides, bones without one take 0. Capitals do not matter.
    pub fn patterns(skeleton: &Skeleton, rules: &[(&str, f32)]) -> Self {
        let weight = |name: &str| {
            let rule = rules.iter().rev().find(|rule| fits(rule.0, name));
            rule.map_or(0.0, |rule| rule.1.clamp(0.0, 1.0))
        };
        let bones = skeleton.bones().iter();
        Self {
            bones: bones.map(|bone| weight(&bone.name)).collect(),
            morphs: 0.0,
        }
    }

    /// Softens the upper edges: the first `n` bones below a bone of weight 0 take shares that rise
    /// in even steps to the whole. A root's weight has no edge and stays.
    pub fn feathered(mut self, skeleton: &Skeleton, n: usize) -> Self {
        let mut depth = vec![usize::MAX; self.bones.len()];
        for (i, bone) in skeleton.bones().iter().enumerate().take(self.bones.len()) {
            let Some(parent) = bone.parent.map(usize::from) else {
                continue;
            };
            if self.bones[i] > 0.0 {
                // A parent's own weight may be softened already, but is never made 0.
                depth[i] = if self.bones[parent] > 0.0 {
                    depth[parent].saturating_add(1)
                } else {
                    0
                };
                if depth[i] < n {
                    self.bones[i] *= (depth[i] + 1) as f32 / (n + 1) as f32;
                }
            }
        }
        self
    }
}

/// True when the name fits the pattern, `*` standing for any letters.
fn fits(pattern: &str, name: &str) -> bool {
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
    use crate::anim::{Bone, humanoid};
    use crate::math::Trs;

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
    fn the_upper_body_begins_at_half_in_the_spine_and_the_lower_body_is_the_rest() {
        let (skeleton, humanoid) = body();
        let upper = Mask::part(&skeleton, &humanoid, Part::UpperBody).unwrap();
        let expected = [0., 0., 0.5, 1., 1., 1., 1., 1., 1., 1., 0., 0., 0.];
        assert_eq!(upper.bones, expected);
        let lower = Mask::part(&skeleton, &humanoid, Part::LowerBody).unwrap();
        for (a, b) in upper.bones.iter().zip(&lower.bones) {
            assert_eq!(a + b, 1.0);
        }
    }

    #[test]
    fn limbs_take_what_hangs_on_them_and_a_part_that_is_not_there_is_none() {
        let (skeleton, humanoid) = body();
        let names = |part| {
            let mask = Mask::part(&skeleton, &humanoid, part)?;
            let bones = skeleton.bones().iter().zip(mask.bones);
            let some = bones.filter(|(_, w)| *w > 0.0);
            Some(some.map(|(b, _)| b.name.clone()).collect::<Vec<_>>())
        };
        assert_eq!(names(Part::LeftHand).unwrap(), ["left_hand", "sword"]);
        assert_eq!(names(Part::Spine).unwrap(), ["spine", "chest"]);
        assert_eq!(names(Part::Head).unwrap(), ["neck", "head"]);
        assert_eq!(names(Part::LeftLeg).unwrap().len(), 3);
        assert_eq!(names(Part::RightArm), None);
        for part in Part::all() {
            assert_eq!(Part::from_name(part.name()), Some(part));
        }
    }

    #[test]
    fn patterns_give_weights_and_the_last_that_fits_decides() {
        let (skeleton, _) = body();
        let mask = Mask::patterns(
            &skeleton,
            &[
                ("*", 0.25),
                ("Left_*", 1.0),
                ("*_hand", 0.5),
                ("left_*_leg", 0.0),
            ],
        );
        let expected = [
            0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 1.0, 1.0, 0.5, 0.25, 0.0, 0.0, 1.0,
        ];
        assert_eq!(mask.bones, expected);
        assert!(fits("a*b*c", "axxbyyc") && !fits("a*b*c", "axxc") && !fits("ab", "abc"));
        assert!(fits("*", "") && fits("a*a", "aa") && !fits("a*a", "a"));
    }

    #[test]
    fn a_feathered_edge_rises_in_even_steps() {
        let (skeleton, _) = body();
        let mask = Mask::subtree(&skeleton, &[2]).feathered(&skeleton, 3);
        let expected = [0.25, 0.5, 0.75, 1.0];
        assert_eq!(mask.bones[2..6], expected);
        assert_eq!(mask.bones[6..10], [0.75, 1.0, 1.0, 1.0]);
        let whole = Mask::subtree(&skeleton, &[0]).feathered(&skeleton, 3);
        assert_eq!(whole.bones, vec![1.0; 13]);
    }
}
