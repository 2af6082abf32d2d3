//! Measurements of two bodies at rest: heights, directions of limbs, and the rotations that align the target's limbs
//! with the source's.

use glam::{Quat, Vec3};

use super::{Rig, model_rotations};
use crate::humanoid::{N_ROLES, Role};
use crate::local_to_model;

/// Minimum angle at which limbs are aligned, degrees; smaller angles are rounding.
const SAME: f32 = 0.01;
/// Minimum angle at which feet are aligned, degrees. Feet rest on the ground in most files; smaller differences come
/// from the shoe.
const FOOT_POSE: f32 = 35.0;
/// Minimum angle at which palms are aligned, degrees.
const PALM_POSE: f32 = 20.0;
/// Maximum distance of the lowest bone from the origin's plane, as a fraction of the hips' height, for a body that
/// stands on it.
const ON_GROUND: f32 = 0.25;

/// One of the two bodies, measured in the character's directions.
#[derive(Debug)]
pub struct MeasuredBody<'a> {
    pub rig: Rig<'a>,
    positions: Vec<Vec3>,
    rest: Vec<Quat>,
    lowest: f32,
}

impl<'a> MeasuredBody<'a> {
    pub fn new(rig: Rig<'a>) -> Self {
        let locals: Vec<_> = rig.skeleton.rest().collect();
        let mut model = Vec::new();
        local_to_model(rig.skeleton, &locals, &mut model);
        let to_character = rig.humanoid.model_from_character.inverse();
        let mut rest = Vec::new();
        model_rotations(rig.skeleton, |i| locals[i].rotation, &mut rest);
        let mut side = Self {
            rig,
            positions: model
                .iter()
                .map(|m| to_character * Vec3::from(m.translation))
                .collect(),
            rest,
            lowest: 0.0,
        };
        side.lowest = side.lowest_of(&side.positions);
        side
    }

    /// Position of a bone at rest, in the character's directions.
    pub fn position(&self, bone: u16) -> Vec3 {
        self.positions[usize::from(bone)]
    }

    /// Rest rotations in model space.
    pub fn rest_rotations(&self) -> &[Quat] {
        &self.rest
    }

    pub fn bone(&self, role: Role) -> Option<u16> {
        self.rig.humanoid.bone(role)
    }

    pub fn name(&self, bone: u16) -> String {
        self.rig.skeleton.bones()[usize::from(bone)].name.clone()
    }

    /// The bone and its ancestors.
    pub fn up(&self, bone: u16) -> impl Iterator<Item = u16> + '_ {
        let parent = |bone: &u16| self.rig.skeleton.bones()[usize::from(*bone)].parent;
        std::iter::successors(Some(bone), parent)
    }

    /// Height of the lowest bone of the legs at rest.
    pub fn lowest(&self) -> f32 {
        self.lowest
    }

    /// Height of the lowest bone of the legs for other positions of the bones.
    pub fn lowest_of(&self, positions: &[Vec3]) -> f32 {
        let legs: Vec<u16> = [Role::LeftUpperLeg, Role::RightUpperLeg]
            .into_iter()
            .filter_map(|role| self.bone(role))
            .collect();
        let mut lowest = f32::MAX;
        for (i, position) in positions.iter().enumerate() {
            if self.up(i as u16).any(|bone| legs.contains(&bone)) {
                lowest = lowest.min(position.y);
            }
        }
        if lowest < f32::MAX { lowest } else { 0.0 }
    }

    /// Returns true if the rest pose stands on the origin's plane. Motion capture files have their hips at the origin
    /// instead.
    pub fn stands_on_origin(&self) -> bool {
        let hips = self
            .bone(Role::Hips)
            .map_or(0.0, |hips| self.position(hips).y);
        self.lowest.abs() < ON_GROUND * (hips - self.lowest).abs()
    }

    /// Height of the hips above the ground.
    pub fn height(&self) -> f32 {
        let hips = self
            .bone(Role::Hips)
            .map_or(0.0, |hips| self.position(hips).y);
        if self.stands_on_origin() {
            hips
        } else {
            hips - self.lowest
        }
    }

    /// Bone between hips and origin that carries the whole body: the nearest ancestor of the hips that rests low.
    pub fn root(&self) -> Option<u16> {
        if !self.stands_on_origin() {
            return None;
        }
        let hips = self.bone(Role::Hips)?;
        let low = 0.25 * self.height();
        self.up(hips)
            .skip(1)
            .find(|bone| self.position(*bone).y.abs() < low)
    }

    /// Direction of a limb segment at rest.
    fn direction(&self, from: Role, to: Role) -> Option<Vec3> {
        (self.position(self.bone(to)?) - self.position(self.bone(from)?)).try_normalize()
    }
}

/// Next bone of the same limb.
pub fn limb_child(role: Role) -> Option<Role> {
    if !is_limb(role) {
        return None;
    }
    // The direction of the hand is that of its fingers, see [`palms`].
    Role::all().find(|child| child.parent() == Some(role) && !is_hand(role))
}

fn is_hand(role: Role) -> bool {
    matches!(role, Role::LeftHand | Role::RightHand)
}

/// Returns true for arms, legs and fingers. Their directions depend on the pose and not on the body's shape.
fn is_limb(role: Role) -> bool {
    use Role::*;
    role.is_finger()
        || matches!(
            role,
            LeftUpperArm
                | LeftLowerArm
                | LeftHand
                | RightUpperArm
                | RightLowerArm
                | RightHand
                | LeftUpperLeg
                | LeftLowerLeg
                | LeftFoot
                | LeftToes
                | RightUpperLeg
                | RightLowerLeg
                | RightFoot
                | RightToes
        )
}

/// Parent bone in the same limb.
pub fn limb_parent(role: Role) -> Option<Role> {
    role.parent()
        .filter(|parent| is_limb(role) && is_limb(*parent))
}

/// Result of [`align`] for a role.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aligned {
    /// Angle between the rest directions, degrees.
    pub difference: Option<f32>,
    /// Rotation from the target's direction to the source's, both relative to the body.
    pub turn: Quat,
}

/// Computes for every role the rotation that aligns the target's resting limb with the source's. With `keep`, only
/// the difference is measured.
pub fn align(source: &MeasuredBody, target: &MeasuredBody, keep: bool) -> [Aligned; N_ROLES] {
    let mut all = [Aligned::default(); N_ROLES];
    for role in Role::all() {
        if !is_limb(role) || source.bone(role).is_none() || target.bone(role).is_none() {
            continue;
        }
        let above = limb_parent(role).map_or(Quat::IDENTITY, |parent| all[parent.index()].turn);
        let directions = if is_hand(role) {
            palms(source, target, role)
        } else {
            limb_child(role).and_then(|child| {
                Some((
                    source.direction(role, child)?,
                    target.direction(role, child)?,
                ))
            })
        };
        let is_foot = matches!(role, Role::LeftFoot | Role::RightFoot);
        let mut turn = if is_foot { Quat::IDENTITY } else { above };
        let mut difference = None;
        if let Some((from, to)) = directions {
            let degrees = from.angle_between(to).to_degrees();
            difference = Some(degrees);
            if !is_foot || degrees > FOOT_POSE {
                let rest = turn * to;
                if rest.angle_between(from).to_degrees() > SAME {
                    turn = Quat::from_rotation_arc(rest, from) * turn;
                }
            }
        }
        if keep {
            turn = Quat::IDENTITY;
        } else if is_hand(role) {
            let roll = palm_roll(source, target, role, turn);
            if let (Some((axis, angle)), Some(lower)) = (roll, limb_parent(role)) {
                turn = Quat::from_axis_angle(axis, angle) * turn;
                // Half of the rotation goes to the forearm, as in human anatomy.
                let forearm = &mut all[lower.index()].turn;
                if let Some(axis) = source.direction(lower, role) {
                    *forearm = Quat::from_axis_angle(axis, angle * 0.5) * *forearm;
                }
            }
        }
        all[role.index()] = Aligned { difference, turn };
    }
    all
}

/// First bones of the fingers that both hands have, without the thumb.
fn knuckles(source: &MeasuredBody, target: &MeasuredBody, hand: Role) -> Vec<Role> {
    let is_knuckle = |role: &Role| {
        role.parent() == Some(hand)
            && !matches!(role, Role::LeftThumbMetacarpal | Role::RightThumbMetacarpal)
    };
    let both = |role: &Role| source.bone(*role).is_some() && target.bone(*role).is_some();
    Role::all().filter(is_knuckle).filter(both).collect()
}

/// Directions from the wrists to the centres of the knuckles.
fn palms(source: &MeasuredBody, target: &MeasuredBody, hand: Role) -> Option<(Vec3, Vec3)> {
    let knuckles = knuckles(source, target, hand);
    let palm = |side: &MeasuredBody| {
        let directions = knuckles
            .iter()
            .filter_map(|role| side.direction(hand, *role));
        directions.sum::<Vec3>().try_normalize()
    };
    Some((palm(source)?, palm(target)?))
}

/// Axis and angle of the rotation that aligns the target's palm with the source's, after the hands are aligned.
/// `None` for small rotations, or with fewer than two fingers.
fn palm_roll(
    source: &MeasuredBody,
    target: &MeasuredBody,
    hand: Role,
    turn: Quat,
) -> Option<(Vec3, f32)> {
    let knuckles = knuckles(source, target, hand);
    let (first, last) = (*knuckles.first()?, *knuckles.last()?);
    let axis = palms(source, target, hand)?.0;
    let across = |side: &MeasuredBody| side.direction(first, last);
    let from = across(source)?
        .reject_from_normalized(axis)
        .try_normalize()?;
    let to = (turn * across(target)?)
        .reject_from_normalized(axis)
        .try_normalize()?;
    let angle = to.cross(from).dot(axis).atan2(to.dot(from));
    (angle.to_degrees().abs() > PALM_POSE).then_some((axis, angle))
}
