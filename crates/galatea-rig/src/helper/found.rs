//! Detects twist bones by name, for rigs without helper data.

use super::rest::Rest;
use super::{HelperKind, HelperSpec};
use galatea_anim::Skeleton;
use galatea_anim::humanoid::{Humanoid, Role};
use galatea_math::Trs;

/// Limbs with twist bones: the limb bone, the bone at its end, and true if the twist comes from the limb bone itself.
const LIMBS: [(Role, Role, bool); 8] = [
    (Role::LeftUpperArm, Role::LeftLowerArm, true),
    (Role::RightUpperArm, Role::RightLowerArm, true),
    (Role::LeftLowerArm, Role::LeftHand, false),
    (Role::RightLowerArm, Role::RightHand, false),
    (Role::LeftUpperLeg, Role::LeftLowerLeg, true),
    (Role::RightUpperLeg, Role::RightLowerLeg, true),
    (Role::LeftLowerLeg, Role::LeftFoot, false),
    (Role::RightLowerLeg, Role::RightFoot, false),
];

/// Words that mark a twist bone's name.
const WORDS: [&str; 2] = ["twist", "roll"];

impl HelperSpec {
    /// Builds twist specs for bones with typical names (`upperarm_twist_01_l`, `LeftForeArmRoll`, `lForearmTwist`,
    /// `forearm_twist.L`). The bones must be descendants of a limb, without a role, and not animated (by clips or
    /// constraints of the file) as `is_moved` reports. A bone's fraction grows with its position along the limb; a single
    /// one gets half.
    ///
    /// `rest` are local transforms at rest.
    pub fn found_in(
        skeleton: &Skeleton,
        rest: &[Trs],
        humanoid: &Humanoid,
        is_moved: impl Fn(u16) -> bool,
    ) -> Vec<Self> {
        let rest = Rest {
            skeleton,
            locals: rest,
        };
        let mut found = Vec::new();
        for (limb, end, by_itself) in LIMBS {
            let (Some(limb), Some(end)) = (humanoid.bone(limb), humanoid.bone(end)) else {
                continue;
            };
            let bones = skeleton.bones().iter().enumerate().skip(usize::from(limb));
            let twists: Vec<u16> = bones
                .filter(|(_, bone)| is_named(&bone.name))
                .map(|(i, _)| i as u16)
                .filter(|i| humanoid.role_of(*i).is_none() && !is_moved(*i))
                .filter(|i| {
                    // Its nearest ancestor that counts is the limb or another twist bone of it.
                    let above = rest.up(*i).skip(1);
                    let mut above = above.skip_while(|b| {
                        is_named(&skeleton.bones()[usize::from(*b)].name) && *b != limb
                    });
                    above.next() == Some(limb)
                })
                .collect();
            if twists.is_empty() {
                continue;
            }
            let name = |bone: u16| skeleton.bones()[usize::from(bone)].name.clone();
            let holds_end = twists.iter().any(|twist| rest.is_within(end, Some(*twist)));
            found.push(Self {
                bones: twists.iter().map(|twist| name(*twist)).collect(),
                source: Some(name(if by_itself { limb } else { end })),
                hold: holds_end.then(|| name(end)),
                weights: fractions_along(&rest, limb, end, &twists),
                ..Self::new(HelperKind::Twist)
            });
        }
        found
    }
}

fn is_named(name: &str) -> bool {
    let name = name.to_lowercase();
    WORDS.iter().any(|word| name.contains(word))
}

/// Position of each bone along the limb, 0..=1; equal steps in bone order where they have the same position.
fn fractions_along(rest: &Rest, limb: u16, end: u16, twists: &[u16]) -> Vec<f32> {
    let position = |bone: u16| rest.matrix(&rest.path(Some(limb), Some(bone))).translation;
    let limb_vector = position(end);
    let along =
        |bone: u16| position(bone).dot(limb_vector) / limb_vector.length_squared().max(1e-12);
    let positions: Vec<f32> = twists.iter().map(|twist| along(*twist)).collect();
    let n = positions.len();
    let mut sorted = positions.clone();
    sorted.sort_by(f32::total_cmp);
    let are_apart = sorted.windows(2).all(|pair| pair[1] - pair[0] > 0.05);
    let are_inside = positions.iter().all(|point| (-0.01..=1.01).contains(point));
    if n > 1 && are_apart && are_inside {
        positions
            .iter()
            .map(|point| point.clamp(0.0, 1.0))
            .collect()
    } else {
        (1..=n).map(|i| i as f32 / (n + 1) as f32).collect()
    }
}
