//! Roles by names, and of the trunk by what lies between limbs that have names.

use super::names::{self, ParsedName};
use super::{How, Role, Roles, Side, SkeletonIndex};

const NAMED: f32 = 0.95;
const PLACED: f32 = 0.85;

/// Gives roles to all bones that names, or the structure between named bones, tell.
pub fn find(body: &SkeletonIndex, roles: &mut Roles) {
    for side in [Side::Left, Side::Right] {
        leg(body, roles, side);
        arm(body, roles, side);
    }
    find_trunk(body, roles);
    for side in [Side::Left, Side::Right] {
        fingers(body, roles, side);
    }
}

/// The best bone with one of the names: the first of `names` that some bone has; among bones of one
/// name no copies, then skinned ones, then the one nearest the root.
fn best(
    body: &SkeletonIndex,
    side: Side,
    names: &[&str],
    fits: impl Fn(u16) -> bool,
) -> Option<u16> {
    let rank = |bone: u16| {
        let parsed = body.parsed(bone);
        let place = names.iter().position(|name| *name == parsed.core)?;
        let is_fit = parsed.side == side && !parsed.helper && fits(bone);
        let skinned = body.skeleton.bones()[usize::from(bone)].skinned;
        is_fit.then_some((parsed.copy, place, !skinned, bone))
    };
    (0..body.n()).filter_map(rank).min().map(|rank| rank.3)
}

fn leg(body: &SkeletonIndex, roles: &mut Roles, side: Side) {
    let lower_named = |core: &str| names::LOWER_LEG.contains(&core) && core != "leg";
    let has = |wanted: &dyn Fn(&str) -> bool| {
        (0..body.n()).any(|bone| {
            let parsed = body.parsed(bone);
            parsed.side == side && !parsed.helper && wanted(&parsed.core)
        })
    };
    // `Leg` is the whole leg's first bone only where another one is named as its lower part, or
    // none as its upper.
    let has_upper = has(&|core| names::UPPER_LEG.contains(&core) && core != "leg");
    let leg_is_lower = has_upper && !has(&lower_named);
    let upper = best(body, side, names::UPPER_LEG, |bone| {
        !leg_is_lower || body.parsed(bone).core != "leg"
    });
    let Some(upper) = upper else { return };
    roles.set(Role::LeftUpperLeg.on(side), upper, How::Name, NAMED);
    let below = |bone: u16| body.is_below(bone, upper);
    let lower = best(body, side, names::LOWER_LEG, below);
    let Some(lower) = lower else { return };
    roles.set(Role::LeftLowerLeg.on(side), lower, How::Name, NAMED);
    let Some(foot) = best(body, side, names::FOOT, |bone| body.is_below(bone, lower)) else {
        if let Some(loose) = best(body, side, names::FOOT, |_| true) {
            roles.notes.push(format!(
                "{:?} does not hang on {:?}: a foot held by inverse kinematics; left out",
                body.name(loose),
                body.name(lower)
            ));
        }
        return;
    };
    roles.set(Role::LeftFoot.on(side), foot, How::Name, NAMED);
    if let Some(toes) = best(body, side, names::TOES, |bone| body.is_below(bone, foot)) {
        roles.set(Role::LeftToes.on(side), toes, How::Name, NAMED);
    }
}

fn arm(body: &SkeletonIndex, roles: &mut Roles, side: Side) {
    let collars = &names::SHOULDER[..names::SHOULDER.len() - 1];
    let collar = best(body, side, collars, |_| true);
    let plain = &names::UPPER_ARM[..names::UPPER_ARM.len() - 1];
    // `Shoulder` is the collar bone, unless another is or no upper arm has a name of its own.
    let upper =
        best(body, side, plain, |_| true).or_else(|| best(body, side, names::UPPER_ARM, |_| true));
    let Some(upper) = upper else { return };
    roles.set(Role::LeftUpperArm.on(side), upper, How::Name, NAMED);
    let shoulder = collar.or_else(|| best(body, side, names::SHOULDER, |_| true));
    if let Some(shoulder) = shoulder.filter(|bone| body.is_below(upper, *bone)) {
        roles.set(Role::LeftShoulder.on(side), shoulder, How::Name, NAMED);
    }
    let below = |bone: u16| body.is_below(bone, upper);
    let Some(lower) = best(body, side, names::LOWER_ARM, below) else {
        return;
    };
    roles.set(Role::LeftLowerArm.on(side), lower, How::Name, NAMED);
    let hand = best(body, side, names::HAND, |bone| body.is_below(bone, lower));
    if let Some(hand) = hand {
        roles.set(Role::LeftHand.on(side), hand, How::Name, NAMED);
    } else if let Some((hand, confidence)) = hand_by_fingers(body, lower) {
        roles.set(Role::LeftHand.on(side), hand, How::Structure, confidence);
    }
}

/// The first bones of the limbs of one side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LimbTops {
    /// The upper leg.
    pub leg: Option<u16>,
    /// The shoulder, else the upper arm.
    pub arm: Option<u16>,
}

/// Finds the first bones of leg and arm by their names.
pub(crate) fn limb_tops(body: &SkeletonIndex, side: Side) -> LimbTops {
    let mut roles = Roles::default();
    leg(body, &mut roles, side);
    arm(body, &mut roles, side);
    let shoulder = roles.get(Role::LeftShoulder.on(side));
    LimbTops {
        leg: roles.get(Role::LeftUpperLeg.on(side)),
        arm: shoulder.or(roles.get(Role::LeftUpperArm.on(side))),
    }
}

/// Finds a bone named as the hips, of those that fit.
pub(crate) fn named_hips(body: &SkeletonIndex, fits: impl Fn(u16) -> bool) -> Option<u16> {
    best(body, Side::Middle, names::HIPS, fits)
}

/// The one child of the forearm; of several parts of a palm the one that is most in line with the forearm.
fn hand_by_fingers(body: &SkeletonIndex, lower: u16) -> Option<(u16, f32)> {
    let children = body.children(lower).iter().copied();
    let hands: Vec<u16> = children.filter(|bone| !body.parsed(*bone).helper).collect();
    if let [hand] = hands[..] {
        return Some((hand, 0.6));
    }
    let elbow = body.place(lower);
    let along = (elbow - body.place(body.parent(lower)?)).try_normalize()?;
    let in_line = |bone: &u16| (body.place(*bone) - elbow).normalize_or_zero().dot(along);
    let palms = hands
        .into_iter()
        .filter(|bone| body.parsed(*bone).core.starts_with("palm"));
    let palm = palms.max_by(|a, b| in_line(a).total_cmp(&in_line(b)))?;
    Some((palm, 0.5))
}

/// Hips, spine, neck, head and face: by name, and by their place between legs, arms and head.
pub fn find_trunk(body: &SkeletonIndex, roles: &mut Roles) {
    let legs = (
        roles.get(Role::LeftUpperLeg),
        roles.get(Role::RightUpperLeg),
    );
    let arms = (
        roles
            .get(Role::LeftShoulder)
            .or(roles.get(Role::LeftUpperArm)),
        roles
            .get(Role::RightShoulder)
            .or(roles.get(Role::RightUpperArm)),
    );
    let carrier = match arms {
        (Some(left), Some(right)) => body.common(left, right),
        (one, other) => one.or(other).and_then(|arm| body.parent(arm)),
    };
    let between_legs = match legs {
        (Some(left), Some(right)) => body.common(left, right),
        _ => None,
    };
    // What legs and arms both hang on.
    let fork = match (between_legs, carrier) {
        (Some(legs), Some(carrier)) => body.common(legs, carrier),
        (one, _) => one,
    };
    let named = best(body, Side::Middle, names::HIPS, |bone| {
        fork.is_none_or(|fork| fork == bone || body.is_below(fork, bone))
            && legs.0.is_none_or(|leg| body.is_below(leg, bone))
    });
    // Of several with such names (`CC_Base_Hip`, `CC_Base_Pelvis`) the one that carries all.
    if let Some(hips) = named {
        roles.set(Role::Hips, hips, How::Name, NAMED);
    } else if let Some(fork) = fork {
        roles.set(Role::Hips, fork, How::Structure, PLACED);
    }
    let Some(hips) = roles.get(Role::Hips) else {
        return;
    };
    head(body, roles, hips, carrier);
    spine(body, roles, hips, carrier);
    face(body, roles);
}

fn head(body: &SkeletonIndex, roles: &mut Roles, hips: u16, carrier: Option<u16>) {
    let above_hips = |bone: u16| body.is_below(bone, hips);
    let neck = best(body, Side::Middle, names::NECK, above_hips);
    if let Some(head) = best(body, Side::Middle, names::HEAD, above_hips) {
        roles.set(Role::Head, head, How::Name, NAMED);
    } else if let Some(from) = neck.or(carrier) {
        // Rigify counts on: `spine.004` the neck, `spine.006` the head.
        let chain = trunk_chain_above(body, roles, from);
        if let Some(&last) = chain.last().filter(|bone| Some(**bone) != neck) {
            roles.set(Role::Head, last, How::Structure, PLACED);
        }
    }
    let Some(head) = roles.get(Role::Head) else {
        return;
    };
    if let Some(neck) = neck.filter(|neck| body.is_below(head, *neck)) {
        roles.set(Role::Neck, neck, How::Name, NAMED);
    } else if let Some(carrier) = carrier {
        let path = body.path(carrier, head);
        if let [neck, .., _] = path.as_slice() {
            roles.set(Role::Neck, *neck, How::Structure, PLACED);
        }
    }
}

/// Up from a bone through middle bones that are no arms, the way with most bones.
fn trunk_chain_above(body: &SkeletonIndex, roles: &Roles, from: u16) -> Vec<u16> {
    let mut best: Vec<u16> = Vec::new();
    for bone in 0..body.n() {
        let path = body.path(from, bone);
        let is_trunk = path.iter().all(|bone| {
            let parsed = body.parsed(*bone);
            parsed.side == Side::Middle && !parsed.helper && !roles.has(*bone)
        });
        let is_spine = body.parsed(bone).core == "spine";
        if is_trunk && is_spine && path.len() > best.len() {
            best = path;
        }
    }
    best
}

/// The bones between hips and neck: one is the spine; of two the second is the chest; of three the
/// last is the upper chest; of more the middle one is the chest.
fn spine(body: &SkeletonIndex, roles: &mut Roles, hips: u16, carrier: Option<u16>) {
    let top = carrier.filter(|carrier| *carrier != hips).or_else(|| {
        let above = roles.get(Role::Neck).or(roles.get(Role::Head))?;
        body.parent(above).filter(|bone| *bone != hips)
    });
    let Some(top) = top else { return };
    let mut chain = body.path(hips, top);
    chain.retain(|bone| !body.parsed(*bone).helper && !roles.has(*bone));
    // A pelvis below the hips that only carries the legs is passed over by the path; one that
    // carries the spine too is no part of it.
    chain.retain(|bone| !names::HIPS.contains(&body.parsed(*bone).core.as_str()));
    let how = |bone: u16| {
        let known = [
            "spine",
            "chest",
            "upperchest",
            "torso",
            "abdomen",
            "lowerback",
            "waist",
        ];
        if known.contains(&body.parsed(bone).core.as_str()) {
            (How::Name, NAMED)
        } else {
            (How::Structure, PLACED)
        }
    };
    let mut set = |role, bone: u16| {
        let (how, confidence) = how(bone);
        roles.set(role, bone, how, confidence);
    };
    match chain.as_slice() {
        [] => {}
        [only] => set(Role::Spine, *only),
        [spine, chest] => {
            set(Role::Spine, *spine);
            set(Role::Chest, *chest);
        }
        [spine, .., last] => {
            set(Role::Spine, *spine);
            if let Some(&middle) = chain.get(chain.len() / 2) {
                set(Role::Chest, middle);
            }
            set(Role::UpperChest, *last);
        }
    }
}

fn face(body: &SkeletonIndex, roles: &mut Roles) {
    let Some(head) = roles.get(Role::Head) else {
        return;
    };
    let in_head = |bone: u16| body.is_below(bone, head);
    if let Some(jaw) = best(body, Side::Middle, names::JAW, in_head) {
        roles.set(Role::Jaw, jaw, How::Name, NAMED);
    }
    for side in [Side::Left, Side::Right] {
        if let Some(eye) = best(body, side, names::EYE, in_head) {
            roles.set(Role::LeftEye.on(side), eye, How::Name, NAMED);
        }
    }
}

/// Bones of each finger in the order in which they follow each other.
fn fingers(body: &SkeletonIndex, roles: &mut Roles, side: Side) {
    let Some(hand) = roles.get(Role::LeftHand.on(side)) else {
        return;
    };
    let lower = roles.get(Role::LeftLowerArm.on(side)).unwrap_or(hand);
    for finger in 0..5 {
        let is_of = |parsed: &ParsedName| parsed.side == side && parsed.finger() == Some(finger);
        let chain: Vec<u16> = (0..body.n())
            .filter(|bone| is_of(body.parsed(*bone)) && body.is_below(*bone, lower))
            .filter(|bone| !body.parsed(*bone).copy)
            .collect();
        for (bone, role) in chain.iter().zip(finger_roles(finger, chain.len())) {
            roles.set(role.on(side), *bone, How::Name, NAMED);
        }
    }
}

/// The left roles of a finger of so many bones. A thumb of two lacks the bone in the palm.
pub fn finger_roles(finger: usize, n_bones: usize) -> impl Iterator<Item = Role> {
    let start = Role::LeftThumbMetacarpal.index() + finger * 3;
    let skipped = usize::from(finger == 0 && n_bones < 3);
    Role::all().skip(start + skipped).take(3 - skipped)
}
