//! What is measured on the rest poses of two bodies: heights, directions of limbs, and the turns
//! that lay the target's limbs along the source's.

use glam::{Quat, Vec3};

use super::{Rig, model_rotations};
use crate::humanoid::{N_ROLES, Role};
use crate::local_to_model;

/// Limbs are laid along each other from this angle on, degrees; below, it is rounding.
const SAME: f32 = 0.01;
/// Feet rest on the ground in most files, whatever the shoe: only a larger difference is a pose.
const FOOT_POSE: f32 = 35.0;
/// Palms are turned to each other's side from this angle on, degrees.
const PALM_POSE: f32 = 20.0;
/// A body whose lowest bone is within this share of its height from the origin stands on it.
const ON_GROUND: f32 = 0.25;

/// One of the two bodies, measured relative to the way it stands and looks.
#[derive(Debug)]
pub struct MeasuredBody<'a> {
    pub rig: Rig<'a>,
    places: Vec<Vec3>,
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
            places: model
                .iter()
                .map(|m| to_character * Vec3::from(m.translation))
                .collect(),
            rest,
            lowest: 0.0,
        };
        side.lowest = side.lowest_of(&side.places);
        side
    }

    /// Where a bone is at rest, in the character's own directions.
    pub fn place(&self, bone: u16) -> Vec3 {
        self.places[usize::from(bone)]
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

    /// The bone, its parent, and so on.
    pub fn up(&self, bone: u16) -> impl Iterator<Item = u16> + '_ {
        let parent = |bone: &u16| self.rig.skeleton.bones()[usize::from(*bone)].parent;
        std::iter::successors(Some(bone), parent)
    }

    /// The height of the lowest bone of the legs at rest.
    pub fn lowest(&self) -> f32 {
        self.lowest
    }

    /// The same for other places of the bones.
    pub fn lowest_of(&self, places: &[Vec3]) -> f32 {
        let legs: Vec<u16> = [Role::LeftUpperLeg, Role::RightUpperLeg]
            .into_iter()
            .filter_map(|role| self.bone(role))
            .collect();
        let mut lowest = f32::MAX;
        for (i, place) in places.iter().enumerate() {
            if self.up(i as u16).any(|bone| legs.contains(&bone)) {
                lowest = lowest.min(place.y);
            }
        }
        if lowest < f32::MAX { lowest } else { 0.0 }
    }

    /// True when the rest pose stands on the origin's plane, and not with its hips in the origin as
    /// motion capture files do.
    pub fn stands_on_origin(&self) -> bool {
        let hips = self.bone(Role::Hips).map_or(0.0, |hips| self.place(hips).y);
        self.lowest.abs() < ON_GROUND * (hips - self.lowest).abs()
    }

    /// Height of the hips over the ground.
    pub fn height(&self) -> f32 {
        let hips = self.bone(Role::Hips).map_or(0.0, |hips| self.place(hips).y);
        if self.stands_on_origin() {
            hips
        } else {
            hips - self.lowest
        }
    }

    /// The bone between hips and origin that carries the whole body over the ground: the nearest
    /// above the hips that rests low.
    pub fn root(&self) -> Option<u16> {
        if !self.stands_on_origin() {
            return None;
        }
        let hips = self.bone(Role::Hips)?;
        let low = 0.25 * self.height();
        self.up(hips)
            .skip(1)
            .find(|bone| self.place(*bone).y.abs() < low)
    }

    /// The direction of a limb's part at rest.
    fn direction(&self, from: Role, to: Role) -> Option<Vec3> {
        (self.place(self.bone(to)?) - self.place(self.bone(from)?)).try_normalize()
    }
}

/// The next bone of the same limb.
pub fn limb_child(role: Role) -> Option<Role> {
    if !is_limb(role) {
        return None;
    }
    // The hand's direction is that of its fingers, see `hand`.
    Role::all().find(|child| child.parent() == Some(role) && !is_hand(role))
}

fn is_hand(role: Role) -> bool {
    matches!(role, Role::LeftHand | Role::RightHand)
}

/// Arms, legs and fingers: what has a direction that is pose and not shape.
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

/// The bone of the same limb that this one hangs on.
pub fn limb_parent(role: Role) -> Option<Role> {
    role.parent()
        .filter(|parent| is_limb(role) && is_limb(*parent))
}

/// What [`align`] found of a role.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aligned {
    /// Degrees between the rest directions.
    pub difference: Option<f32>,
    /// Takes the target's direction to the source's, both relative to the body.
    pub turn: Quat,
}

/// For every role the turn that lays the target's resting limb along the source's. With `keep` the
/// difference is measured only.
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
                // Half of it in the forearm, where people have it.
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

/// The first bones of the fingers that both hands have, without the thumb.
fn knuckles(source: &MeasuredBody, target: &MeasuredBody, hand: Role) -> Vec<Role> {
    let is_knuckle = |role: &Role| {
        role.parent() == Some(hand)
            && !matches!(role, Role::LeftThumbMetacarpal | Role::RightThumbMetacarpal)
    };
    let both = |role: &Role| source.bone(*role).is_some() && target.bone(*role).is_some();
    Role::all().filter(is_knuckle).filter(both).collect()
}

/// Directions from the wrists to the middle of the knuckles.
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

/// About which axis and how far the target's palm must turn, once the hand lies along the source's,
/// to face as the source's does. `None` for small turns, or with fewer than two fingers.
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
