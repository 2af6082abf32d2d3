//! Temporary: until the solvers are merged.
use glam::{Affine3A, Quat, Vec3};

use super::Posed;
use crate::anim::Skeleton;

/// A limb.
#[derive(Clone, Debug, PartialEq)]
pub struct Limb {
    /// Upper bone.
    pub upper: u16,
    /// Lower bone.
    pub lower: u16,
    /// End bone.
    pub end: u16,
    /// Hinge axis, parent space of the lower bone.
    pub hinge: Vec3,
}

impl Limb {
    /// The limb of three bones.
    pub fn of(
        _skeleton: &Skeleton,
        model: &[Affine3A],
        [upper, lower, end]: [u16; 3],
        hint: Option<Vec3>,
    ) -> Option<Self> {
        let place = |b: u16| Vec3::from(model[usize::from(b)].translation);
        let (a, b, c) = (place(upper), place(lower), place(end));
        let bend = (b - a).cross(c - b);
        let axis = if bend.length() > 1e-3 * (b - a).length() * (c - b).length() {
            bend
        } else {
            let pole = hint.unwrap_or(Vec3::Z);
            pole.cross(c - a) * -1.0
        };
        let space = model[usize::from(upper)].inverse();
        Some(Self {
            upper,
            lower,
            end,
            hinge: space.transform_vector3(axis).try_normalize()?,
        })
    }
}

/// What is reached for.
#[derive(Clone, Debug, Default)]
pub struct ReachGoal {
    /// Model space.
    pub target: Vec3,
    /// Model space.
    pub rotation: Option<Quat>,
    /// Model space.
    pub pole: Option<Vec3>,
    /// Softness.
    pub soft: f32,
    /// Weight.
    pub weight: f32,
}

/// Reaches.
pub fn reach(posed: &mut Posed<'_>, limb: &Limb, goal: &ReachGoal) -> f32 {
    let (a, b, c) = (
        posed.position(limb.upper),
        posed.position(limb.lower),
        posed.position(limb.end),
    );
    let end_rotation = posed.rotation(limb.end);
    let (l1, l2) = ((b - a).length(), (c - b).length());
    let d = (goal.target - a)
        .length()
        .clamp((l1 - l2).abs() + 1e-5, l1 + l2 - 1e-5);
    let want = ((l1 * l1 + l2 * l2 - d * d) / (2.0 * l1 * l2))
        .clamp(-1.0, 1.0)
        .acos();
    let now = (a - b).angle_between(c - b);
    let mut axis = (b - a).cross(c - b);
    if axis.length() < 1e-3 * l1 * l2 {
        axis = posed.model(limb.upper).transform_vector3(limb.hinge);
    }
    let axis = axis.try_normalize().unwrap_or(Vec3::X);
    let weight = goal.weight;
    posed.turn_in_model(
        limb.lower,
        Quat::IDENTITY.slerp(Quat::from_axis_angle(axis, now - want), weight),
    );
    let c = posed.position(limb.end);
    let arc = Quat::from_rotation_arc((c - a).normalize(), (goal.target - a).normalize());
    posed.turn_in_model(limb.upper, Quat::IDENTITY.slerp(arc, weight));
    let rotation = goal.rotation.unwrap_or(end_rotation);
    let parent = posed.parent_rotation(limb.end);
    let now = posed.local(limb.end).rotation;
    if goal.rotation.is_some() {
        posed.set_rotation(limb.end, now.slerp(parent.conjugate() * rotation, weight));
    }
    posed.position(limb.end).distance(goal.target)
}
