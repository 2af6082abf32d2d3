//! Chooses the bones with bodies, and the body of each vertex.

use glam::Vec3;

use super::anatomy::{Anatomy, RagdollPart};
use super::cloud::Cloud;
use super::options::BoneOverride;
use galatea_anim::humanoid::Role;

/// Minimum extent of a body without a role, as a fraction of the model's longest diagonal, and minimum fraction of its
/// surface.
const MIN_REACH: f32 = 0.09;
const MIN_AREA: f32 = 0.012;
/// Minimum surface of a rigid part, as a fraction of the total.
const MIN_PART: f32 = 0.02;
/// Minimum surface of a piece without a parent body, as a fraction of the total.
const MIN_LOOSE: f32 = 0.002;
/// Minimum length of a neck with its own body, as a fraction of the height.
const MIN_NECK: f32 = 0.04;
/// Minimum distance between the starts of two bodies of the trunk, as a fraction of its length.
const MIN_TRUNK: f32 = 0.12;
/// Minimum fraction of a descendant's surface inside of a body for it to count for the body, without a role: hair, skirts
/// and capes are mostly outside.
const MIN_INSIDE: f32 = 0.75;

/// Bones with bodies, and the body of each bone.
#[derive(Clone, Debug, Default)]
pub struct BodyChoice {
    /// Bones with bodies, ascending.
    pub bones: Vec<u16>,
    /// For every bone an index into `bones`: the body that its vertices are measured for.
    pub body_of: Vec<Option<u16>>,
}

impl BodyChoice {
    /// Assignment for bodies on the given bones, ascending.
    pub fn for_bones(anatomy: &Anatomy, cloud: &Cloud, bones: Vec<u16>) -> Self {
        let n = anatomy.skeleton.len();
        let mut has_body = vec![false; n];
        for bone in bones {
            has_body[usize::from(bone)] = true;
        }
        assign(anatomy, cloud, &BoneSurface::of(cloud, n), &has_body)
    }
}

/// Surface that every bone moves by itself.
struct BoneSurface {
    area: Vec<f32>,
    corners: Vec<Option<(Vec3, Vec3)>>,
    total: f32,
}

impl BoneSurface {
    fn of(cloud: &Cloud, n: usize) -> Self {
        let mut own = Self {
            area: vec![0.0; n],
            corners: vec![None; n],
            total: 0.0,
        };
        for point in &cloud.points {
            for &(bone, weight) in cloud.bones(point) {
                let area = point.area * weight;
                own.area[usize::from(bone)] += area;
                own.total += area;
                if weight >= 0.35 {
                    widen(
                        &mut own.corners[usize::from(bone)],
                        (point.position, point.position),
                    );
                }
            }
        }
        own
    }
}

fn widen(corners: &mut Option<(Vec3, Vec3)>, (low, high): (Vec3, Vec3)) {
    *corners = Some(match *corners {
        Some((a, b)) => (a.min(low), b.max(high)),
        None => (low, high),
    });
}

/// Chooses the bones of at most `max` bodies.
pub fn choose(anatomy: &Anatomy, cloud: &Cloud, wishes: &[BoneOverride], max: usize) -> BodyChoice {
    let n = anatomy.skeleton.len();
    let own = BoneSurface::of(cloud, n);
    let wish = |bone: usize| {
        let mut wishes = wishes.iter();
        let found = wishes.find(|wish| usize::from(wish.bone) == bone);
        found.and_then(|wish| wish.settings.body)
    };
    let mut has_body = vec![false; n];
    if anatomy.is_human {
        by_role(anatomy, &own, &mut has_body);
    }
    by_size(anatomy, &own, &mut has_body);
    if !cloud.has_skins {
        // A model of rigid parts has no hair: a part that sticks out gets its own body.
        let carried = assign(anatomy, cloud, &own, &has_body).body_of;
        for bone in (0..n).filter(|bone| carried[*bone].is_none()) {
            has_body[bone] |= anatomy.is_human && own.area[bone] >= MIN_PART * own.total;
        }
    }
    for (bone, has_body) in has_body.iter_mut().enumerate() {
        *has_body = wish(bone).unwrap_or(*has_body);
    }
    if !has_body.contains(&true) && wishes.iter().all(|wish| wish.settings.body != Some(false)) {
        // A model of a single small piece is one body.
        let largest = (0..n).max_by(|a, b| own.area[*a].total_cmp(&own.area[*b]).then(b.cmp(a)));
        if let Some(bone) = largest {
            has_body[bone] = true;
        }
    }
    loop {
        let choice = assign(anatomy, cloud, &own, &has_body);
        if choice.bones.len() <= max {
            return choice;
        }
        let mut area = vec![0.0_f32; choice.bones.len()];
        for (bone, body) in choice.body_of.iter().enumerate() {
            if let Some(body) = body {
                area[usize::from(*body)] += own.area[bone];
            }
        }
        // Ranks bodies for removal. The trunk joins all others, and no other body replaces one without ancestors; requested
        // bodies stay longest.
        let rank = |i: usize| {
            let bone = choice.bones[i];
            let mut above = anatomy.up_from(bone).skip(1);
            (
                wish(usize::from(bone)) == Some(true),
                anatomy.part(bone).is_trunk(),
                above.all(|above| choice.bones.binary_search(&above).is_err()),
            )
        };
        let lowest = (0..choice.bones.len())
            .min_by(|a, b| rank(*a).cmp(&rank(*b)).then(area[*a].total_cmp(&area[*b])));
        let Some(lowest) = lowest else { return choice };
        // Left and right are removed together.
        for i in 0..choice.bones.len() {
            if rank(i) == rank(lowest) && area[i] <= area[lowest] * 1.02 {
                has_body[usize::from(choice.bones[i])] = false;
            }
        }
    }
}

fn by_role(anatomy: &Anatomy, own: &BoneSurface, has_body: &mut [bool]) {
    let no_mesh = own.total <= 0.0;
    for bone in 0..has_body.len() as u16 {
        let part = anatomy.part(bone);
        has_body[usize::from(bone)] = match part {
            RagdollPart::Hand(_) | RagdollPart::Foot(_) => {
                no_mesh || subtree_area(anatomy, own, bone) > 0.002 * own.total
            }
            RagdollPart::Head => true,
            _ => part.is_limb(),
        };
    }
    let Some(hips) = anatomy.humanoid.bone(Role::Hips) else {
        return;
    };
    has_body[usize::from(hips)] = true;
    let neck = anatomy.humanoid.bone(Role::Neck);
    let head = anatomy.humanoid.bone(Role::Head);
    let crown = own.corners.iter().flatten().map(|c| c.1.dot(anatomy.up));
    let crown = crown.fold(f32::MIN, f32::max);
    let height = match anatomy.position_of(Role::LeftFoot) {
        Some(foot) if crown > f32::MIN => crown - foot.dot(anatomy.up),
        _ => anatomy.skeleton.height(),
    };
    if let (Some(neck), Some(head)) = (neck, head) {
        let length = anatomy.position(neck).distance(anatomy.position(head));
        // The head of a robot on a rod has no real neck.
        let of_head = subtree_area(anatomy, own, head);
        let is_thin = subtree_area(anatomy, own, neck) - of_head < 0.04 * of_head;
        has_body[usize::from(neck)] = length >= MIN_NECK * height.abs() && !is_thin;
    }
    trunk(anatomy, own, hips, has_body);
}

/// Chooses the bodies of the trunk in addition to the hips: a chest with the arms as children, and a spine in between if
/// there is room.
fn trunk(anatomy: &Anatomy, own: &BoneSurface, hips: u16, has_body: &mut [bool]) {
    let top = [
        Role::Neck,
        Role::Head,
        Role::LeftUpperArm,
        Role::RightUpperArm,
    ];
    let Some(top) = top.into_iter().find_map(|role| anatomy.humanoid.bone(role)) else {
        return;
    };
    let chain: Vec<u16> = {
        let above = anatomy
            .up_from(top)
            .skip(1)
            .take_while(|bone| *bone != hips);
        let mut chain: Vec<u16> = above.collect();
        chain.reverse();
        chain
    };
    let (low, high) = (anatomy.position(hips), anatomy.position(top));
    let length = low.distance(high).max(1e-9);
    let fraction = |bone: u16| (anatomy.position(bone) - low).dot(high - low) / (length * length);
    let holds_arms = |bone: u16| {
        [Role::LeftUpperArm, Role::RightUpperArm]
            .into_iter()
            .filter_map(|role| anatomy.humanoid.bone(role))
            .all(|arm| anatomy.up_from(arm).any(|above| above == bone))
    };
    let mut free: Vec<u16> = chain.into_iter().filter(|bone| holds_arms(*bone)).collect();
    // Hips that move no vertex take over the first bone of the trunk that does.
    let has_surface = |bone: u16| own.area[usize::from(bone)] > 0.004 * own.total;
    if own.total > 0.0 && !has_surface(hips) {
        match free.iter().position(|bone| has_surface(*bone)) {
            Some(first) => drop(free.drain(..=first)),
            None => free.clear(),
        }
    }
    if own.total > 0.0 {
        free.retain(|bone| has_surface(*bone));
    }
    let near = |target: f32| {
        move |a: &&u16, b: &&u16| {
            let off = |bone: u16| (fraction(bone) - target).abs();
            off(**a).total_cmp(&off(**b))
        }
    };
    let Some(&chest) = free.iter().min_by(near(0.5)) else {
        return;
    };
    has_body[usize::from(chest)] = true;
    let between = free.iter().take_while(|bone| **bone != chest);
    let between = between.filter(|bone| fraction(chest) - fraction(**bone) >= MIN_TRUNK);
    if let Some(&spine) = between.min_by(near(0.2)) {
        has_body[usize::from(spine)] = true;
    }
}

fn subtree_area(anatomy: &Anatomy, own: &BoneSurface, root: u16) -> f32 {
    let bones =
        (root..own.area.len() as u16).filter(|bone| anatomy.up_from(*bone).any(|b| b == root));
    bones.map(|bone| own.area[usize::from(bone)]).sum()
}

/// Adds bodies for bones without one, by the extent of the surface that they move; small ones count for their parent's body.
fn by_size(anatomy: &Anatomy, own: &BoneSurface, has_body: &mut [bool]) {
    let n = has_body.len();
    let mut is_free = vec![true; n];
    for bone in 0..n {
        let above = anatomy.parent(bone as u16);
        let above_is_free = above.is_none_or(|above| is_free[usize::from(above)]);
        is_free[bone] = above_is_free && !has_body[bone];
    }
    if own.total <= 0.0 {
        return by_length(anatomy, &is_free, has_body);
    }
    let all = own.corners.iter().flatten().fold(None, |mut all, corners| {
        widen(&mut all, *corners);
        all
    });
    let diagonal = all.map_or(0.0, |(low, high)| low.distance(high));
    let (mut area, mut corners) = (own.area.clone(), own.corners.clone());
    let branches = branches(anatomy, own);
    for bone in (0..n).rev().filter(|bone| is_free[*bone]) {
        let reach = corners[bone].map_or(0.0, |(low, high)| low.distance(high));
        let parent = anatomy.parent(bone as u16).map(usize::from);
        let is_large = reach >= MIN_REACH * diagonal && area[bone] >= MIN_AREA * own.total;
        // No ancestor has a surface: at the node where pieces are joined there is no body to belong to.
        let above = || anatomy.up_from(bone as u16).skip(1).map(usize::from);
        let is_loose = above().all(|b| own.area[b] <= 0.0)
            && area[bone] >= MIN_LOOSE * own.total
            && parent.is_none_or(|parent| branches[parent] > 1);
        if is_large || is_loose {
            has_body[bone] = true;
        } else if let Some(parent) = parent {
            area[parent] += area[bone];
            if let Some(own) = corners[bone] {
                widen(&mut corners[parent], own);
            }
        }
    }
}

/// For every bone, the number of children with a surface of their own or of descendants.
fn branches(anatomy: &Anatomy, own: &BoneSurface) -> Vec<usize> {
    let n = own.area.len();
    let mut moves: Vec<bool> = own.area.iter().map(|area| *area > 0.0).collect();
    let mut branches = vec![0; n];
    for bone in (0..n).rev() {
        if let Some(parent) = anatomy.parent(bone as u16).filter(|_| moves[bone]) {
            branches[usize::from(parent)] += 1;
            moves[usize::from(parent)] = true;
        }
    }
    branches
}

/// Without vertices: every bone that is long enough.
fn by_length(anatomy: &Anatomy, is_free: &[bool], has_body: &mut [bool]) {
    let n = is_free.len() as u16;
    if anatomy.is_human || n == 0 {
        return;
    }
    let longest = |bone: u16| {
        let children = (bone..n).filter(|child| anatomy.parent(*child) == Some(bone));
        let lengths =
            children.map(|child| anatomy.position(child).distance(anatomy.position(bone)));
        lengths.fold(0.0, f32::max)
    };
    let corners = anatomy.positions.iter().fold(None, |mut all, position| {
        widen(&mut all, (*position, *position));
        all
    });
    let diagonal = corners.map_or(0.0, |(low, high)| low.distance(high));
    for bone in (0..n).filter(|bone| is_free[usize::from(*bone)]) {
        let is_bone = anatomy.parent(bone).is_some() || longest(bone) < 0.5 * diagonal;
        if is_bone && longest(bone) >= MIN_REACH * diagonal && diagonal > 0.0 {
            has_body[usize::from(bone)] = true;
        }
    }
}

/// Assigns every bone to the body with the shape that includes its vertices.
fn assign(anatomy: &Anatomy, cloud: &Cloud, own: &BoneSurface, has_body: &[bool]) -> BodyChoice {
    let n = has_body.len();
    let bones: Vec<u16> = (0..n as u16)
        .filter(|b| has_body[usize::from(*b)])
        .collect();
    let body_at = |bone: u16| bones.binary_search(&bone).ok().map(|i| i as u16);
    let mut body_of: Vec<Option<u16>> = (0..n as u16)
        .map(|bone| anatomy.up_from(bone).find_map(body_at))
        .collect();
    if anatomy.is_human {
        // Bones that certainly belong to the body: those with a role, and their ancestors.
        let mut is_sure = vec![false; n];
        for bone in (0..n as u16).filter(|bone| anatomy.role(*bone).is_some()) {
            anatomy
                .up_from(bone)
                .for_each(|b| is_sure[usize::from(b)] = true);
        }
        for bone in &bones {
            is_sure[usize::from(*bone)] = true;
        }
        // Fingers and toes without a role extend far out of palm and instep.
        let slack = bones.iter().map(|bone| match anatomy.part(*bone) {
            RagdollPart::Hand(_) | RagdollPart::Foot(_) => 1.2,
            // Without a hand or foot body, those count for the limb.
            RagdollPart::LowerArm(_) | RagdollPart::LowerLeg(_)
                if bones.iter().all(|other| {
                    other == bone || anatomy.up_from(*other).all(|above| above != *bone)
                }) =>
            {
                1.2
            }
            _ => 0.06,
        });
        let slack: Vec<f32> = slack.collect();
        drop_outside_bones(cloud, own, &is_sure, &mut body_of, &slack);
    }
    BodyChoice { bones, body_of }
}

/// Removes bones from bodies if their vertices are mostly outside of the bodies' certain bones, by more than `slack` of the
/// extent (one per body).
fn drop_outside_bones(
    cloud: &Cloud,
    own: &BoneSurface,
    is_sure: &[bool],
    body_of: &mut [Option<u16>],
    slack: &[f32],
) {
    let mut corners: Vec<Option<(Vec3, Vec3)>> = vec![None; slack.len()];
    let mut sure_area = vec![0.0; slack.len()];
    for (bone, body) in body_of.iter().enumerate() {
        if let (Some(body), true) = (body, is_sure[bone]) {
            sure_area[usize::from(*body)] += own.area[bone];
            if let Some(own) = own.corners[bone] {
                widen(&mut corners[usize::from(*body)], own);
            }
        }
    }
    let mut inside = vec![0.0_f32; body_of.len()];
    for point in &cloud.points {
        for &(bone, weight) in cloud.bones(point) {
            let bone = usize::from(bone);
            let Some(body) = body_of[bone].map(usize::from) else {
                continue;
            };
            let Some((low, high)) = corners[body] else {
                continue;
            };
            let slack = Vec3::splat((high - low).max_element() * slack[body]);
            let (low, high) = (low - slack, high + slack);
            if point.position.cmpge(low).all() && point.position.cmple(high).all() {
                inside[bone] += point.area * weight;
            }
        }
    }
    for bone in 0..body_of.len() {
        let Some(body) = body_of[bone].map(usize::from) else {
            continue;
        };
        // A hand without vertices of its own consists of fingers.
        let is_small = sure_area[body] < 0.15 * own.area[bone];
        if !is_sure[bone] && !is_small && inside[bone] < MIN_INSIDE * own.area[bone] {
            body_of[bone] = None;
        }
    }
}
