//! Roles by the shape of the rest pose, for skeletons without useful names. The search looks for two chains of equal
//! shape downwards from the hips, two sideways from above them, and one upwards between those.

use glam::Vec3;

use super::by_name::finger_roles;
use super::{Role, RoleSource, Roles, Side, SkeletonIndex, frame_from};

const SHAPE_CONFIDENCE: f32 = 0.6;
const MAX_TIPS: usize = 1000;

/// Two bones at mirrored positions.
#[derive(Clone, Copy, Debug)]
struct MirrorPair {
    /// Bone on the character's left.
    left: u16,
    right: u16,
}

/// Assigns roles to limbs that have none. Changes nothing if the rest pose does not look like a standing body.
pub fn find(body: &SkeletonIndex, roles: &mut Roles) {
    let up = Vec3::Y;
    let tips = tips(body);
    // The search compares all pairs of tips; no body has this many.
    if tips.len() > MAX_TIPS {
        return;
    }
    let Some(mirror) = MirrorPlane::find(body, &tips, up) else {
        return;
    };
    let height = |bone: u16| body.position(bone).dot(up);
    let pairs = mirror.pairs(body, &tips);
    // The tips of the legs are lowest, and the legs separate below the arms.
    let Some(legs) = pairs
        .iter()
        .filter(|pair| chains(body, **pair).is_some_and(|chains| chains.0.len() >= 3))
        .min_by(|a, b| height(a.left).total_cmp(&height(b.left)))
    else {
        return;
    };
    let Some(hips) = body.common(legs.left, legs.right) else {
        return;
    };
    let size = height(hips) - height(legs.left);
    let leg_length = chains(body, *legs).map_or(0.0, |chains| longest(body, &chains.0));
    let reach = |pair: &MirrorPair| body.position(pair.left).distance(body.position(pair.right));
    // The arms are the longest limbs above the hips.
    let arms = pairs.iter().filter(|pair| {
        let fork = body.common(pair.left, pair.right);
        fork.is_some_and(|fork| {
            (fork == hips || body.is_below(fork, hips)) && height(fork) > height(legs.left)
        }) && !same_limb(body, **pair, *legs, hips)
            // A limb that ends near the ground is a leg; the body has four.
            && height(pair.left) > height(legs.left) + 0.25 * size
            && chains(body, **pair).is_some_and(|chains| {
                // Ears and horns are shorter.
                chains.0.len() >= 3 && longest(body, &chains.0) > 0.45 * leg_length
            })
    });
    let arms = arms.max_by(|a, b| reach(a).total_cmp(&reach(b)));
    let (Some(arms), true) = (arms, size > 0.0) else {
        return;
    };
    let Some(carrier) = body.common(arms.left, arms.right) else {
        return;
    };
    let head = head(body, &tips, carrier, &mirror, up);
    let looks_right = looks_right(body, *legs, mirror.axis, up);
    let flip = |pair: MirrorPair| {
        if looks_right {
            pair
        } else {
            MirrorPair {
                left: pair.right,
                right: pair.left,
            }
        }
    };
    set_leg_and_arm(body, roles, flip(*legs), flip(*arms));
    if roles.get(Role::Hips).is_none() {
        roles.set(Role::Hips, hips, RoleSource::Shape, SHAPE_CONFIDENCE);
    }
    if let Some(head) = head {
        roles.set(Role::Head, head, RoleSource::Shape, SHAPE_CONFIDENCE);
    }
}

/// Bones without children.
fn tips(body: &SkeletonIndex) -> Vec<u16> {
    let mut is_joint = vec![false; usize::from(body.n())];
    body.joints().for_each(|b| is_joint[usize::from(b)] = true);
    let is_end = |bone: &u16| {
        let mut children = body.children(*bone).iter();
        children.all(|child| !is_joint[usize::from(*child)])
    };
    body.joints().filter(is_end).collect()
}

/// Symmetry plane of the body: it goes through `origin`, and `axis` points to one side.
#[derive(Debug)]
struct MirrorPlane {
    axis: Vec3,
    origin: f32,
    tolerance: f32,
}

impl MirrorPlane {
    /// Finds the horizontal axis along which most tips have a partner.
    fn find(body: &SkeletonIndex, tips: &[u16], up: Vec3) -> Option<Self> {
        let low = body.positions.iter().copied().fold(Vec3::MAX, Vec3::min);
        let high = body.positions.iter().copied().fold(Vec3::MIN, Vec3::max);
        let tolerance = 0.03 * (high - low).dot(up).abs();
        let candidates = [Vec3::X, Vec3::Z].into_iter().map(|axis| {
            let middle = tips
                .iter()
                .map(|tip| body.position(*tip).dot(axis))
                .sum::<f32>();
            let origin = middle / tips.len().max(1) as f32;
            // A hand in another pose shifts the mean; the plane of most bodies goes through the origin.
            let origin = if origin.abs() < 4.0 * tolerance {
                0.0
            } else {
                origin
            };
            Self {
                axis,
                origin,
                tolerance,
            }
        });
        let counted = candidates.map(|mirror| (mirror.pairs(body, tips).len(), mirror));
        let best = counted.max_by_key(|(n, mirror)| (*n, mirror.axis == Vec3::X))?;
        (best.0 >= 2).then_some(best.1)
    }

    fn across(&self, position: Vec3) -> f32 {
        position.dot(self.axis) - self.origin
    }

    /// Tips with their partners; `left` is the one in the direction of +axis.
    fn pairs(&self, body: &SkeletonIndex, tips: &[u16]) -> Vec<MirrorPair> {
        let mut pairs = Vec::new();
        for &left in tips {
            let position = body.position(left);
            let across = self.across(position);
            if across <= self.tolerance {
                continue;
            }
            let mirrored = position - self.axis * (2.0 * across);
            let near = |tip: &u16| body.position(*tip).distance(mirrored);
            let partner = tips.iter().filter(|tip| **tip != left);
            let partner = partner.min_by(|a, b| near(a).total_cmp(&near(b)));
            if let Some(&right) = partner.filter(|tip| near(tip) < 2.0 * self.tolerance) {
                pairs.push(MirrorPair { left, right });
            }
        }
        pairs
    }
}

/// Bones from the fork to both tips, if both sides have the same number.
fn chains(body: &SkeletonIndex, pair: MirrorPair) -> Option<(Vec<u16>, Vec<u16>)> {
    let fork = body.common(pair.left, pair.right)?;
    let (left, right) = (body.path(fork, pair.left), body.path(fork, pair.right));
    (left.len() == right.len()).then_some((left, right))
}

/// Returns true if two tips are on the same limb below the hips.
fn same_limb(body: &SkeletonIndex, a: MirrorPair, b: MirrorPair, hips: u16) -> bool {
    let first = |bone: u16| body.path(hips, bone).first().copied();
    first(a.left) == first(b.left)
}

/// Highest tip in the middle above the arms.
fn head(
    body: &SkeletonIndex,
    tips: &[u16],
    carrier: u16,
    mirror: &MirrorPlane,
    up: Vec3,
) -> Option<u16> {
    let height = |bone: u16| body.position(bone).dot(up);
    let above = tips.iter().copied().filter(|tip| {
        body.is_below(*tip, carrier)
            && mirror.across(body.position(*tip)).abs() < 2.0 * mirror.tolerance
            && height(*tip) > height(carrier)
    });
    let top = above.max_by(|a, b| height(*a).total_cmp(&height(*b)))?;
    let path = body.path(carrier, top);
    // The last bone can be the end of the skull. The head is the bone before the longest last segment; a neck is
    // always shorter than its head.
    match path.as_slice() {
        [] => None,
        [head] => Some(*head),
        [.., head, end] => {
            let last = body.position(*end).distance(body.position(*head));
            let before = body.parent(*head).map(|bone| body.position(bone));
            let before = before.map_or(0.0, |position| position.distance(body.position(*head)));
            Some(if last > before { *head } else { *end })
        }
    }
}

/// Returns true if `axis` points to the character's left. Feet and knees show the forward direction; without them,
/// the character is assumed to face +Z.
fn looks_right(body: &SkeletonIndex, legs: MirrorPair, axis: Vec3, up: Vec3) -> bool {
    let mut forward = Vec3::ZERO;
    for tip in [legs.left, legs.right] {
        // The foot is the last part of the leg that is more horizontal than vertical.
        let above = body.up(tip).zip(body.up(tip).skip(1));
        let flat = above
            .take(2)
            .map(|(end, start)| body.position(end) - body.position(start));
        forward += flat
            .filter(|part| part.reject_from_normalized(up).length() > part.dot(up).abs())
            .sum::<Vec3>();
    }
    if forward.reject_from_normalized(up).length() < 1e-6 {
        forward = steep_feet(body, legs, up);
    }
    let forward = forward
        .reject_from_normalized(up)
        .reject_from_normalized(axis);
    let forward = forward.try_normalize().unwrap_or(Vec3::Z);
    frame_from(axis, up).is_none_or(|frame| (frame * Vec3::Z).dot(forward) >= 0.0)
}

/// Forward direction of legs with steep feet: from the last joint to the tip, and from the line between hip and ankle
/// to the knee.
fn steep_feet(body: &SkeletonIndex, legs: MirrorPair, up: Vec3) -> Vec3 {
    let Some((left, right)) = chains(body, legs) else {
        return Vec3::ZERO;
    };
    let ahead = [left, right].into_iter().filter_map(|chain| {
        let start = two_longest(body, &chain)?;
        let position = |i: usize| chain.get(i).map(|bone| body.position(*bone));
        let (hip, knee, ankle) = (position(start)?, position(start + 1)?, position(start + 2)?);
        let fraction = (knee - hip).dot(up) / (ankle - hip).dot(up);
        let bend = knee - hip.lerp(ankle, if fraction.is_finite() { fraction } else { 0.5 });
        let foot = position(start + 3).map_or(Vec3::ZERO, |tip| tip - ankle);
        Some(bend + foot)
    });
    ahead.sum::<Vec3>().reject_from_normalized(up)
}

fn set_leg_and_arm(body: &SkeletonIndex, roles: &mut Roles, legs: MirrorPair, arms: MirrorPair) {
    let sides = [Side::Left, Side::Right];
    let Some((left, right)) = chains(body, legs) else {
        return;
    };
    for (side, chain) in sides.into_iter().zip([left, right]) {
        let Some(start) = two_longest(body, &chain) else {
            continue;
        };
        let leg = [
            Role::LeftUpperLeg,
            Role::LeftLowerLeg,
            Role::LeftFoot,
            Role::LeftToes,
        ];
        for (bone, role) in chain.iter().skip(start).zip(leg) {
            roles.set(role.on(side), *bone, RoleSource::Shape, SHAPE_CONFIDENCE);
        }
    }
    let Some((left, right)) = chains(body, arms) else {
        return;
    };
    for (side, chain) in sides.into_iter().zip([left, right]) {
        let Some(start) = two_longest(body, &chain) else {
            continue;
        };
        if let Some(&shoulder) = start.checked_sub(1).and_then(|i| chain.get(i)) {
            roles.set(
                Role::LeftShoulder.on(side),
                shoulder,
                RoleSource::Shape,
                SHAPE_CONFIDENCE,
            );
        }
        let arm = [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand];
        for (bone, role) in chain.iter().skip(start).zip(arm) {
            roles.set(role.on(side), *bone, RoleSource::Shape, SHAPE_CONFIDENCE);
        }
        if let Some(hand) = roles.get(Role::LeftHand.on(side)) {
            fingers(body, roles, hand, side);
        }
    }
}

/// Length of the two consecutive segments of a limb that are longest together.
fn longest(body: &SkeletonIndex, chain: &[u16]) -> f32 {
    let length = |a: u16, b: u16| body.position(a).distance(body.position(b));
    let sums = chain.windows(3).map(|w| match w {
        [a, b, c] => length(*a, *b) + length(*b, *c),
        _ => 0.0,
    });
    sums.fold(0.0, f32::max)
}

/// Index of the first of the two consecutive segments that are longest together: thigh and shank, or upper arm and
/// forearm.
fn two_longest(body: &SkeletonIndex, chain: &[u16]) -> Option<usize> {
    let length = |a: u16, b: u16| body.position(a).distance(body.position(b));
    let windows = chain.windows(3).enumerate();
    let sums = windows.filter_map(|(i, w)| match w {
        [a, b, c] => Some((i, length(*a, *b) + length(*b, *c))),
        _ => None,
    });
    sums.max_by(|a, b| a.1.total_cmp(&b.1)).map(|best| best.0)
}

/// Assigns fingers by their number and position. The thumb begins nearest to the wrist; the others follow across the
/// palm. With fewer than five, the little finger is missing first, then the ring finger.
fn fingers(body: &SkeletonIndex, roles: &mut Roles, hand: u16, side: Side) {
    let mut roots: Vec<u16> = body.children(hand).to_vec();
    if roots.len() < 3 || roots.len() > 5 {
        return;
    }
    let from_hand = |bone: u16| body.position(bone).distance(body.position(hand));
    roots.sort_by(|a, b| from_hand(*a).total_cmp(&from_hand(*b)));
    let Some((&thumb, others)) = roots.split_first() else {
        return;
    };
    let mut others = others.to_vec();
    let from_thumb = |bone: u16| body.position(bone).distance(body.position(thumb));
    others.sort_by(|a, b| from_thumb(*a).total_cmp(&from_thumb(*b)));
    for (finger, root) in std::iter::once(thumb).chain(others).enumerate() {
        let mut chain = vec![root];
        while let Some(&[child]) = chain.last().map(|bone| body.children(*bone)) {
            chain.push(child);
        }
        for (bone, role) in chain.iter().zip(finger_roles(finger, chain.len())) {
            roles.set(
                role.on(side),
                *bone,
                RoleSource::Shape,
                SHAPE_CONFIDENCE * 0.8,
            );
        }
    }
}
