//! Roles by bone names, and trunk roles by the structure between named limbs.

use super::names::{self, ParsedName};
use super::{Role, RoleSource, Roles, Side, SkeletonIndex};

const NAME_CONFIDENCE: f32 = 0.95;
const STRUCTURE_CONFIDENCE: f32 = 0.85;

/// Assigns roles to all bones that can be identified by name or by the structure between named bones.
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

/// Best bone with one of the names: the first of `names` that a bone has. Among bones with this name, originals come
/// before copies, skinned bones before others, and bones near the root first.
fn best(
    body: &SkeletonIndex,
    side: Side,
    names: &[&str],
    fits: impl Fn(u16) -> bool,
) -> Option<u16> {
    let rank = |bone: u16| {
        let parsed = body.parsed(bone);
        let rank_of_name = names.iter().position(|name| *name == parsed.core)?;
        let is_fit = parsed.side == side && !parsed.helper && fits(bone);
        let skinned = body.skeleton.bones()[usize::from(bone)].skinned;
        is_fit.then_some((parsed.copy, rank_of_name, !skinned, bone))
    };
    (0..body.n()).filter_map(rank).min().map(|rank| rank.3)
}

fn leg(body: &SkeletonIndex, roles: &mut Roles, side: Side) {
    let lower_named = |core: &str| names::LOWER_LEG.contains(&core) && core != "leg";
    let exists = |matches: &dyn Fn(&str) -> bool| {
        (0..body.n()).any(|bone| {
            let parsed = body.parsed(bone);
            parsed.side == side && !parsed.helper && matches(&parsed.core)
        })
    };
    // `Leg` is the upper leg only if another bone is named as the lower leg, or no bone is named as the upper leg.
    let has_upper = exists(&|core| names::UPPER_LEG.contains(&core) && core != "leg");
    let leg_is_lower = has_upper && !exists(&lower_named);
    let upper = best(body, side, names::UPPER_LEG, |bone| {
        !leg_is_lower || body.parsed(bone).core != "leg"
    });
    let Some(upper) = upper else { return };
    roles.set(
        Role::LeftUpperLeg.on(side),
        upper,
        RoleSource::Name,
        NAME_CONFIDENCE,
    );
    let below = |bone: u16| body.is_below(bone, upper);
    let lower = best(body, side, names::LOWER_LEG, below);
    let Some(lower) = lower else { return };
    roles.set(
        Role::LeftLowerLeg.on(side),
        lower,
        RoleSource::Name,
        NAME_CONFIDENCE,
    );
    let Some(foot) = best(body, side, names::FOOT, |bone| body.is_below(bone, lower)) else {
        if let Some(loose) = best(body, side, names::FOOT, |_| true) {
            roles.notes.push(format!(
                "bone {:?} is not below {:?}: it is the target of an IK foot; left out",
                body.name(loose),
                body.name(lower)
            ));
        }
        return;
    };
    roles.set(
        Role::LeftFoot.on(side),
        foot,
        RoleSource::Name,
        NAME_CONFIDENCE,
    );
    if let Some(toes) = best(body, side, names::TOES, |bone| body.is_below(bone, foot)) {
        roles.set(
            Role::LeftToes.on(side),
            toes,
            RoleSource::Name,
            NAME_CONFIDENCE,
        );
    }
}

fn arm(body: &SkeletonIndex, roles: &mut Roles, side: Side) {
    let collars = &names::SHOULDER[..names::SHOULDER.len() - 1];
    let collar = best(body, side, collars, |_| true);
    let plain = &names::UPPER_ARM[..names::UPPER_ARM.len() - 1];
    // `Shoulder` is the collar bone, except if another bone is, or if no other bone can be the upper arm.
    let upper =
        best(body, side, plain, |_| true).or_else(|| best(body, side, names::UPPER_ARM, |_| true));
    let Some(upper) = upper else { return };
    roles.set(
        Role::LeftUpperArm.on(side),
        upper,
        RoleSource::Name,
        NAME_CONFIDENCE,
    );
    let shoulder = collar.or_else(|| best(body, side, names::SHOULDER, |_| true));
    if let Some(shoulder) = shoulder.filter(|bone| body.is_below(upper, *bone)) {
        roles.set(
            Role::LeftShoulder.on(side),
            shoulder,
            RoleSource::Name,
            NAME_CONFIDENCE,
        );
    }
    let below = |bone: u16| body.is_below(bone, upper);
    let Some(lower) = best(body, side, names::LOWER_ARM, below) else {
        return;
    };
    roles.set(
        Role::LeftLowerArm.on(side),
        lower,
        RoleSource::Name,
        NAME_CONFIDENCE,
    );
    let hand = best(body, side, names::HAND, |bone| body.is_below(bone, lower));
    if let Some(hand) = hand {
        roles.set(
            Role::LeftHand.on(side),
            hand,
            RoleSource::Name,
            NAME_CONFIDENCE,
        );
    } else if let Some((hand, confidence)) = hand_by_fingers(body, lower) {
        roles.set(
            Role::LeftHand.on(side),
            hand,
            RoleSource::Structure,
            confidence,
        );
    }
}

/// First bones of the limbs on one side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LimbTops {
    /// Upper leg.
    pub leg: Option<u16>,
    /// Shoulder, else the upper arm.
    pub arm: Option<u16>,
}

/// Finds the first bones of leg and arm by name.
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

/// Finds a bone named as the hips among those for which `fits` returns true.
pub(crate) fn named_hips(body: &SkeletonIndex, fits: impl Fn(u16) -> bool) -> Option<u16> {
    best(body, Side::Middle, names::HIPS, fits)
}

/// The only child of the forearm; if a palm has several parts, the one most in line with the forearm.
fn hand_by_fingers(body: &SkeletonIndex, lower: u16) -> Option<(u16, f32)> {
    let children = body.children(lower).iter().copied();
    let hands: Vec<u16> = children.filter(|bone| !body.parsed(*bone).helper).collect();
    if let [hand] = hands[..] {
        return Some((hand, 0.6));
    }
    let elbow = body.position(lower);
    let along = (elbow - body.position(body.parent(lower)?)).try_normalize()?;
    let in_line = |bone: &u16| {
        (body.position(*bone) - elbow)
            .normalize_or_zero()
            .dot(along)
    };
    let palms = hands
        .into_iter()
        .filter(|bone| body.parsed(*bone).core.starts_with("palm"));
    let palm = palms.max_by(|a, b| in_line(a).total_cmp(&in_line(b)))?;
    Some((palm, 0.5))
}

/// Finds hips, spine, neck, head and face by name, and by their position between legs, arms and head.
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
    // Common ancestor of legs and arms.
    let fork = match (between_legs, carrier) {
        (Some(legs), Some(carrier)) => body.common(legs, carrier),
        (one, _) => one,
    };
    let named = best(body, Side::Middle, names::HIPS, |bone| {
        fork.is_none_or(|fork| fork == bone || body.is_below(fork, bone))
            && legs.0.is_none_or(|leg| body.is_below(leg, bone))
    });
    // If several bones have such names (`CC_Base_Hip`, `CC_Base_Pelvis`), the common ancestor of the others counts.
    if let Some(hips) = named {
        roles.set(Role::Hips, hips, RoleSource::Name, NAME_CONFIDENCE);
    } else if let Some(fork) = fork {
        roles.set(
            Role::Hips,
            fork,
            RoleSource::Structure,
            STRUCTURE_CONFIDENCE,
        );
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
        roles.set(Role::Head, head, RoleSource::Name, NAME_CONFIDENCE);
    } else if let Some(from) = neck.or(carrier) {
        // Rigify numbers the bones: `spine.004` is the neck, `spine.006` the head.
        let chain = trunk_chain_above(body, roles, from);
        if let Some(&last) = chain.last().filter(|bone| Some(**bone) != neck) {
            roles.set(
                Role::Head,
                last,
                RoleSource::Structure,
                STRUCTURE_CONFIDENCE,
            );
        }
    }
    let Some(head) = roles.get(Role::Head) else {
        return;
    };
    if let Some(neck) = neck.filter(|neck| body.is_below(head, *neck)) {
        roles.set(Role::Neck, neck, RoleSource::Name, NAME_CONFIDENCE);
    } else if let Some(carrier) = carrier {
        let path = body.path(carrier, head);
        if let [neck, .., _] = path.as_slice() {
            roles.set(
                Role::Neck,
                *neck,
                RoleSource::Structure,
                STRUCTURE_CONFIDENCE,
            );
        }
    }
}

/// The longest chain upwards from a bone through middle bones that carry no arms.
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

/// Assigns the bones between hips and neck. One is the spine. Of two, the second is the chest. Of three, the last is
/// the upper chest. Of more, the middle one is the chest.
fn spine(body: &SkeletonIndex, roles: &mut Roles, hips: u16, carrier: Option<u16>) {
    let top = carrier.filter(|carrier| *carrier != hips).or_else(|| {
        let above = roles.get(Role::Neck).or(roles.get(Role::Head))?;
        body.parent(above).filter(|bone| *bone != hips)
    });
    let Some(top) = top else { return };
    let mut chain = body.path(hips, top);
    chain.retain(|bone| !body.parsed(*bone).helper && !roles.has(*bone));
    // A pelvis below the hips that carries only the legs is not on the path. One that also carries the spine is not
    // part of it.
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
            (RoleSource::Name, NAME_CONFIDENCE)
        } else {
            (RoleSource::Structure, STRUCTURE_CONFIDENCE)
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
        roles.set(Role::Jaw, jaw, RoleSource::Name, NAME_CONFIDENCE);
    }
    for side in [Side::Left, Side::Right] {
        if let Some(eye) = best(body, side, names::EYE, in_head) {
            roles.set(
                Role::LeftEye.on(side),
                eye,
                RoleSource::Name,
                NAME_CONFIDENCE,
            );
        }
    }
}

/// Assigns the bones of each finger in the order of the chain.
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
            roles.set(role.on(side), *bone, RoleSource::Name, NAME_CONFIDENCE);
        }
    }
}

/// Left roles of a finger with this number of bones. A thumb with two bones lacks the metacarpal.
pub fn finger_roles(finger: usize, n_bones: usize) -> impl Iterator<Item = Role> {
    let start = Role::LeftThumbMetacarpal.index() + finger * 3;
    let skipped = usize::from(finger == 0 && n_bones < 3);
    Role::all().skip(start + skipped).take(3 - skipped)
}
