//! Finds the legs of a skeleton, any number of them, and the contact points of their feet.

use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::sole::Sole;
use crate::two_bone::Limb;
use galatea_anim::Skeleton;
use galatea_anim::contacts::FootBones;
use galatea_anim::humanoid::{Humanoid, Role};
use galatea_math::clamp::ClampTo as _;

/// Maximum number of legs of one character.
pub const MAX_LEGS: usize = 16;

/// A leg: two bones that bend, and the foot on them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leg {
    /// `left`, `right`; with four legs or more `front_left`, `hind_right` and so on.
    pub name: String,
    /// Thigh, shin and foot bones, and their bend direction.
    pub limb: Limb,
    /// Toe bone, if there is one.
    pub toe: Option<Toe>,
    /// Distance from hip to ankle when stretched, model space, metres.
    pub length: f32,
    /// Ground contact of the heel at rest, in the foot's space.
    pub heel: Vec3,
    /// Ground contact of the ball at rest, in the foot's space.
    pub ball: Vec3,
    /// Position of the hip at rest, model space, metres.
    pub hip: Vec3,
}

/// The toe bone and its geometry on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Toe {
    /// Bone index.
    pub bone: u16,
    /// Ground contact of the tip at rest, in the bone's space.
    pub tip: Vec3,
    /// Vector from the toe joint to the tip at rest, in the foot's space.
    pub along: Vec3,
    /// Axis of upward bending, unit, in the foot's space.
    pub across: Vec3,
    /// The same axis in the space of the bone's parent, most often the foot.
    pub hinge: Vec3,
}

/// The legs of a skeleton.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LegRig {
    /// Legs; of humans left before right.
    pub legs: Vec<Leg>,
    /// Deepest bone that is an ancestor of all legs.
    pub body: u16,
    /// Height of the ground at rest, model space, metres.
    pub ground: f32,
    /// Mean leg length, metres.
    pub size: f32,
}

/// A skeleton at rest.
#[derive(Clone, Copy, Debug)]
pub struct RestSkeleton<'a> {
    /// The bones.
    pub skeleton: &'a Skeleton,
    /// Mapping of bones to the roles of a human body.
    pub humanoid: &'a Humanoid,
    /// Model-from-bone matrices at rest.
    pub model_from_bone: &'a [Affine3A],
    /// Height of the lowest point of the body, model space, metres.
    pub lowest: f32,
    /// Soles measured on the mesh, where available.
    pub soles: &'a [Sole],
}

impl RestSkeleton<'_> {
    fn position(&self, bone: u16) -> Vec3 {
        let matrix = self.model_from_bone.get(usize::from(bone));
        matrix.map_or(Vec3::ZERO, |m| m.translation.into())
    }

    fn parent(&self, bone: u16) -> Option<u16> {
        let parent = self.skeleton.parents().get(usize::from(bone)).copied();
        parent.filter(|parent| *parent != Skeleton::NO_PARENT)
    }

    fn up(&self, bone: u16) -> impl Iterator<Item = u16> + '_ {
        std::iter::successors(Some(bone), |bone| self.parent(*bone))
    }
}

impl LegRig {
    /// Finds the legs. A human has them by role. For other bodies, every chain of bones that hangs from a branch of the
    /// skeleton down to the ground is a leg; failing that, every bone with the name of a foot ends one.
    ///
    /// # Errors
    /// Returns a message that says which bones are missing.
    pub fn of(rest: &RestSkeleton<'_>) -> Result<Self, String> {
        let mut chains = if !rest.humanoid.is_body() {
            by_shape(rest)
        } else if stands_on_hands(rest) {
            let mut four = by_hands(rest);
            four.extend(by_feet(rest));
            four
        } else {
            Vec::new()
        };
        if chains.len() < 2 {
            chains = by_feet(rest);
        }
        let mut legs: Vec<Leg> = chains.iter().filter_map(|chain| leg(rest, chain)).collect();
        legs.truncate(MAX_LEGS);
        if legs.is_empty() {
            return Err("the model has no legs: expected bones for thigh, shin and foot, with names such as \
                        left_upper_leg, left_lower_leg and left_foot, or chains that end on the ground".into());
        }
        let body = common(rest, &legs).ok_or("the legs have no common parent bone")?;
        if legs.len() > 2 || legs.iter().any(|leg| leg.name.is_empty()) {
            name_by_position(&mut legs);
        }
        let size = legs.iter().map(|leg| leg.length).sum::<f32>() / legs.len() as f32;
        Ok(Self {
            legs,
            body,
            ground: rest.lowest,
            size,
        })
    }
}

/// Bones of thigh, shin and foot, and the toe bone if there is one.
struct LegChain {
    name: String,
    bones: [u16; 3],
    toe: Option<u16>,
}

/// Returns true for an animal with human bone names: its hands are on the ground.
fn stands_on_hands(rest: &RestSkeleton<'_>) -> bool {
    let position = |role| Some(rest.position(rest.humanoid.bone(role)?).y - rest.lowest);
    let heights = [Role::LeftHand, Role::LeftUpperArm].map(position);
    matches!(heights, [Some(hand), Some(shoulder)] if hand < 0.35 * shoulder)
}

/// Front legs, from the arm bones.
fn by_hands(rest: &RestSkeleton<'_>) -> Vec<LegChain> {
    let arms = [
        [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand],
        [Role::RightUpperArm, Role::RightLowerArm, Role::RightHand],
    ];
    let chain = |roles: [Role; 3]| {
        let [Some(upper), Some(lower), Some(hand)] = roles.map(|role| rest.humanoid.bone(role))
        else {
            return None;
        };
        let parents = rest.skeleton.parents().iter();
        let toe = parents.zip(0u16..).find(|(parent, _)| **parent == hand);
        Some(LegChain {
            name: String::new(),
            bones: [upper, lower, hand],
            toe: toe.map(|(_, bone)| bone),
        })
    };
    arms.into_iter().filter_map(chain).collect()
}

/// Legs, from the foot bones.
fn by_feet(rest: &RestSkeleton<'_>) -> Vec<LegChain> {
    let feet = FootBones::of(rest.skeleton, rest.humanoid);
    let pairs = feet.bones.iter().zip(feet.sides);
    pairs
        .filter_map(|(&(foot, toe), name)| {
            // Bones of zero length (twist bones at the same position) are skipped.
            let mut above = Vec::new();
            let mut last = rest.position(foot);
            for bone in rest.up(foot).skip(1) {
                let position = rest.position(bone);
                if position.distance(last) > 1e-4 {
                    above.push(bone);
                    last = position;
                }
                if above.len() == 2 {
                    break;
                }
            }
            let [lower, upper] = above[..] else {
                return None;
            };
            Some(LegChain {
                name,
                bones: [upper, lower, foot],
                toe,
            })
        })
        .collect()
}

/// Legs, from chains of bones between a branch and the ground.
fn by_shape(rest: &RestSkeleton<'_>) -> Vec<LegChain> {
    let bones = rest.skeleton.bones();
    let mut n_children = vec![0_u16; bones.len()];
    for bone in (0..bones.len()).filter(|i| bones[*i].skinned) {
        if let Some(parent) = rest.parent(bone as u16) {
            n_children[usize::from(parent)] += 1;
        }
    }
    let of_skins = || (0..bones.len()).filter(|i| bones[*i].skinned);
    let top = of_skins().map(|i| rest.position(i as u16).y);
    let height = top.fold(rest.lowest, f32::max) - rest.lowest;
    if height <= 1e-4 {
        return Vec::new();
    }
    let above_ground = |bone: u16| (rest.position(bone).y - rest.lowest) / height;
    let mut chains = Vec::new();
    for tip in of_skins().map(|i| i as u16) {
        if n_children[usize::from(tip)] > 0 || above_ground(tip) > 0.15 {
            continue;
        }
        let mut chain = vec![tip];
        for bone in rest.up(tip).skip(1) {
            let is_branch = n_children[usize::from(bone)] != 1 || !bones[usize::from(bone)].skinned;
            if is_branch {
                break;
            }
            chain.push(bone);
        }
        chain.reverse();
        let (Some(&first), true) = (chain.first(), chain.len() >= 3) else {
            continue;
        };
        if above_ground(first) - above_ground(tip) < 0.25 {
            continue;
        }
        // The two bones that bend are the longest pair that ends in a foot near the ground.
        let length = |i: usize| {
            rest.position(chain[i])
                .distance(rest.position(chain[i + 1]))
        };
        let at = (0..chain.len() - 2)
            .max_by(|a, b| (length(*a) + length(a + 1)).total_cmp(&(length(*b) + length(b + 1))))
            .unwrap_or(0);
        chains.push(LegChain {
            name: String::new(),
            bones: [chain[at], chain[at + 1], chain[at + 2]],
            toe: chain.get(at + 3).copied(),
        });
    }
    chains
}

fn leg(rest: &RestSkeleton<'_>, chain: &LegChain) -> Option<Leg> {
    let [upper, lower, foot] = chain.bones;
    let forward = rest.humanoid.model_from_character * Vec3::Z;
    let limb = Limb::of(rest.skeleton, upper, lower, foot, forward)?;
    let [hip, knee, ankle] = [upper, lower, foot].map(|bone| rest.position(bone));
    let length = hip.distance(knee) + knee.distance(ankle);
    if length < 1e-4 {
        return None;
    }
    let ground = FootGround::of(rest, chain, ankle);
    let matrix = rest.model_from_bone.get(usize::from(foot))?;
    let foot_from_model = matrix.inverse();
    if !foot_from_model.is_finite() {
        return None;
    }
    let foot_from_flat = foot_from_model * ground.model_from_flat;
    Some(Leg {
        name: chain.name.clone(),
        limb,
        toe: chain
            .toe
            .and_then(|bone| toe(rest, bone, &ground, foot_from_flat)),
        length,
        heel: foot_from_flat.transform_point3(ground.heel),
        ball: foot_from_flat.transform_point3(ground.ball),
        hip,
    })
}

/// A foot laid flat on the ground, model space, metres.
struct FootGround {
    /// Transform from the flat foot to its rest pose, about the ankle.
    model_from_flat: Affine3A,
    heel: Vec3,
    ball: Vec3,
    /// Vector from below the ankle to the ball.
    along: Vec3,
    /// Distance from the ball to the tip of the toes, if measured on the mesh.
    toes: Option<f32>,
}

/// Joints that span less than this fraction of the sole do not show the length of a foot; the mesh is used instead.
const MIN_SPAN: f32 = 0.6;

/// A sole higher above the lowest point of the body than this fraction of its own length is not on the ground.
const MAX_LIFT: f32 = 0.1;

impl FootGround {
    fn of(rest: &RestSkeleton<'_>, chain: &LegChain, ankle: Vec3) -> Self {
        let by_joints = Self::by_joints(rest, chain, ankle, Quat::IDENTITY, rest.lowest);
        let sole = rest.soles.iter().find(|sole| sole.foot == chain.bones[2]);
        let Some(sole) = sole else { return by_joints };
        let lowest = ankle.y - sole.drop;
        let mut flat = Self::by_joints(rest, chain, ankle, sole.flat, lowest);
        let below = ankle.with_y(lowest);
        // Distance from heel to toe tip according to the joints.
        let span = 0.33 * flat.along.length() + flat.along.length() * (1.0 + TOE_LENGTH);
        if span < MIN_SPAN * (sole.front - sole.back) {
            let ball = (flat.ball - below)
                .dot(sole.ahead)
                .clamp_to(0.0, 0.75 * sole.front);
            flat.heel = below + sole.ahead * sole.back;
            flat.ball = below + sole.ahead * ball;
            flat.along = sole.ahead * ball.max(0.25 * sole.front);
            flat.toes = Some(sole.front - ball);
            return flat;
        }
        // The joints are right for a foot that is flat on the ground at rest.
        let lift = (lowest - rest.lowest).abs();
        if sole.flat == Quat::IDENTITY && lift < MAX_LIFT * (sole.front - sole.back) {
            return by_joints;
        }
        flat
    }

    /// Heel and ball from the joints of the foot, after a rotation by `flat` about its ankle.
    fn by_joints(
        rest: &RestSkeleton<'_>,
        chain: &LegChain,
        ankle: Vec3,
        flat: Quat,
        lowest: f32,
    ) -> Self {
        let to_ankle = Affine3A::from_translation(ankle);
        let model_from_flat = to_ankle * Affine3A::from_quat(flat.inverse()) * to_ankle.inverse();
        let toe = chain.toe.map_or(ankle, |toe| rest.position(toe));
        let below = ankle.with_y(lowest);
        let ball = (ankle + flat * (toe - ankle)).with_y(lowest);
        let along = ball - below;
        Self {
            model_from_flat,
            // The heel is behind the ankle by a third of the distance to the ball.
            heel: below - along * 0.33,
            ball,
            along,
            toes: None,
        }
    }
}

/// Length of the toes as a fraction of the distance from ankle to ball. Toes are three tenths of a foot, and that distance
/// is a bit over half of it.
const TOE_LENGTH: f32 = 0.5;

/// Measures the toes of a foot on the ground.
fn toe(
    rest: &RestSkeleton<'_>,
    bone: u16,
    ground: &FootGround,
    foot_from_flat: Affine3A,
) -> Option<Toe> {
    let along = ground.along;
    let flat_from_model = ground.model_from_flat.inverse();
    let position = |bone: u16| flat_from_model.transform_point3(rest.position(bone));
    let joint = position(bone);
    let ahead = along.try_normalize()?;
    let ends = rest.skeleton.parents().iter().zip(0u16..);
    let ends = ends.filter(|(parent, _)| **parent == bone);
    let reach = ends.map(|(_, end)| (position(end) - joint).dot(ahead));
    let reach = reach.fold(0.0, f32::max);
    let length = match ground.toes {
        Some(length) => length,
        None if reach > 0.2 * along.length() => reach.min(along.length()),
        None => TOE_LENGTH * along.length(),
    };
    let tip = joint.with_y(ground.ball.y) + ahead * length;
    let toe_from_flat =
        rest.model_from_bone.get(usize::from(bone))?.inverse() * ground.model_from_flat;
    let across = ahead.cross(Vec3::Y);
    let parent = rest.model_from_bone.get(usize::from(rest.parent(bone)?))?;
    let hinge = (parent.inverse() * ground.model_from_flat).transform_vector3(across);
    let across = foot_from_flat.transform_vector3(across);
    let toe = Toe {
        bone,
        tip: toe_from_flat.transform_point3(tip),
        along: foot_from_flat.transform_vector3(tip - joint),
        across: across.try_normalize()?,
        hinge: hinge.try_normalize()?,
    };
    (toe.tip.is_finite() && toe.along.is_finite()).then_some(toe)
}

/// Deepest bone that is an ancestor of all legs.
fn common(rest: &RestSkeleton<'_>, legs: &[Leg]) -> Option<u16> {
    let first = legs.first()?;
    let is_ancestor = |bone: u16| {
        let is_above = |leg: &Leg| rest.up(leg.limb.upper).skip(1).any(|b| b == bone);
        legs.iter().all(is_above)
    };
    rest.up(first.limb.upper).skip(1).find(|b| is_ancestor(*b))
}

/// Names legs by position: `front_left` and so on; a single row by side only, more than two rows by number from the front.
fn name_by_position(legs: &mut [Leg]) {
    let mut rows: Vec<f32> = Vec::new();
    let reach = legs.iter().map(|leg| leg.length).fold(0.0, f32::max);
    for leg in legs.iter() {
        if !rows.iter().any(|z| (z - leg.hip.z).abs() < 0.4 * reach) {
            rows.push(leg.hip.z);
        }
    }
    rows.sort_by(|a, b| b.total_cmp(a));
    let n_rows = rows.len();
    let row_of = |leg: &Leg| {
        let away = |z: f32| (z - leg.hip.z).abs();
        let nearest = rows.iter().enumerate();
        let nearest = nearest.min_by(|(_, a), (_, b)| away(**a).total_cmp(&away(**b)));
        nearest.map_or(0, |(row, _)| row)
    };
    // Front before hind, left before right.
    legs.sort_by(|a, b| {
        let rows = row_of(a).cmp(&row_of(b));
        rows.then(b.hip.x.total_cmp(&a.hip.x))
    });
    for leg in legs.iter_mut() {
        let side = if leg.hip.x >= 0.0 { "left" } else { "right" };
        leg.name = match (row_of(leg), n_rows) {
            (_, 1) => side.to_owned(),
            (0, 2) => format!("front_{side}"),
            (1, 2) => format!("hind_{side}"),
            (row, _) => format!("row{}_{side}", row + 1),
        };
    }
}
