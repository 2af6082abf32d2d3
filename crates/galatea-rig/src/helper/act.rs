//! Bound helpers: bones by index, with everything precomputed from the rest pose.

use glam::{EulerRot, Quat, Vec3};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::rest::BonePath;
use super::turn::{self, ResponseCurve};
use crate::Posed;

/// A helper bound to a skeleton, see [`HelperSpec::bind`](super::HelperSpec::bind).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Helper {
    /// Name used in messages.
    pub(super) called: String,
    /// Bones that the helper reads, in addition to the ones it sets.
    pub(super) reads: Vec<u16>,
    /// Bones that it sets.
    pub(super) writes: SmallVec<[u16; 2]>,
    /// Bones that it counter-rotates, so that they keep their rotation in model space.
    pub(super) holds: SmallVec<[u16; 2]>,
    pub(super) action: HelperAction,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum HelperAction {
    Twist {
        joint: RelativeRotation,
        axis: Vec3,
        middle: f32,
        centers: SmallVec<[DrivenBone; 2]>,
    },
    Fan {
        joint: RelativeRotation,
        /// Bend axis: the hinge axis if given, else the bone's length.
        hinge: Option<Vec3>,
        length: Option<Vec3>,
        center: DrivenBone,
    },
    Drive {
        measure: Measure,
        curve: ResponseCurve,
        channel: DrivenChannel,
    },
    Roll {
        bone: u16,
        of: u16,
        axis: Vec3,
        rest: Quat,
        /// Inverse of the source's rest rotation times the destination's.
        right: Quat,
        weight: f32,
    },
    Aim {
        bone: u16,
        /// Paths from the frame to the bone's parent, and to the source.
        above: BonePath,
        to: BonePath,
        /// Aim axis at rest, parent space.
        axis: Vec3,
        rest: Quat,
        weight: f32,
    },
    Rotation {
        bone: u16,
        of: u16,
        undo: Quat,
        rest: Quat,
        weight: f32,
    },
    Copy {
        bone: u16,
        above: BonePath,
        of: BonePath,
        /// Rotation of the bone in the space of `of` at rest.
        offset: Quat,
        /// Origin of the bone in that space; `None` if only the rotation is copied.
        origin: Option<Vec3>,
        weight: f32,
    },
    Limit {
        bone: u16,
        rest: Quat,
        /// Minimum angles about x, y and z, radians.
        min: Vec3,
        max: Vec3,
        weight: f32,
    },
}

/// Rotation relative to rest, in the frame above a path of bones.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RelativeRotation {
    pub path: BonePath,
    /// Inverse of the path's rotation at rest.
    pub undo: Quat,
}

/// A bone that follows a rotation in the frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DrivenBone {
    pub bone: u16,
    /// Bones below the frame down to its parent; empty if it is not a descendant of the frame.
    pub above: BonePath,
    /// The bone's rotation is `left * rotation * right`, in the space that `above` leads to.
    pub left: Quat,
    pub right: Quat,
    /// The bone is a descendant of the source, so it already follows the source's swing.
    pub follows: bool,
    /// A child that keeps its rotation.
    pub held: Option<u16>,
    pub weight: f32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Measure {
    Turn {
        joint: RelativeRotation,
        axis: Vec3,
    },
    Swing {
        joint: RelativeRotation,
        axis: Option<Vec3>,
    },
    Distance(u16, u16),
    Cone {
        of: u16,
        undo: Quat,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum DrivenChannel {
    Turn { bone: u16, axis: Vec3 },
    Move { bone: u16, along: Vec3 },
    Scale { bone: u16, along: Vec3 },
    Morph { name: String, slot: usize },
}

fn rotation(posed: &Posed, path: &[u16]) -> Quat {
    let turns = path.iter().map(|bone| posed.local_rotation(*bone));
    turns.fold(Quat::IDENTITY, |all, turn| all * turn)
}

/// Rotation and position at the end of one path, relative to the end of another. The position is not finite if a bone of
/// `above` has zero scale.
#[inline]
fn seen_from(
    posed: &Posed,
    above: &[u16],
    path: &[u16],
    (rotation, at): (Quat, Vec3),
) -> (Quat, Vec3) {
    let up = path.iter().rev().map(|bone| posed.local(*bone));
    let seen = up.fold((rotation, at), |(rotation, at), local| {
        let at = local.translation + local.rotation * (local.scale * at);
        (local.rotation * rotation, at)
    });
    let down = above.iter().map(|bone| posed.local(*bone));
    down.fold(seen, |(rotation, at), local| {
        let back = local.rotation.conjugate();
        (
            back * rotation,
            back * (at - local.translation) / local.scale,
        )
    })
}

/// Smallest rotation that takes one unit vector to another.
fn arc(from: Vec3, to: Vec3) -> Quat {
    let near = 1.0 + from.dot(to);
    if near > 1e-4 {
        let across = from.cross(to);
        Quat::from_xyzw(across.x, across.y, across.z, near).normalize()
    } else {
        Quat::from_rotation_arc(from, to)
    }
}

/// Blends a bone's rotation towards `rotation` by a weight.
fn settle(posed: &mut Posed, bone: u16, rotation: Quat, weight: f32) {
    let now = posed.local_rotation(bone);
    posed.set_rotation(bone, turn::toward(now, rotation, weight));
}

impl RelativeRotation {
    fn turned(&self, posed: &Posed) -> Quat {
        rotation(posed, &self.path) * self.undo
    }
}

impl DrivenBone {
    fn set(&self, posed: &mut Posed, target: Quat, weight: f32) {
        let above = rotation(posed, &self.above);
        let from = posed.local_rotation(self.bone);
        let to = above.conjugate() * self.left * target * self.right;
        let to = turn::toward(from, to, weight);
        posed.set_rotation(self.bone, to);
        if let Some(held) = self.held {
            posed.turn(held, to.conjugate() * from);
        }
    }
}

impl Measure {
    /// Measured value, degrees or metres.
    fn of(&self, posed: &Posed) -> f32 {
        match self {
            Self::Turn { joint, axis } => turn::about(joint.turned(posed), *axis, 0.0).to_degrees(),
            Self::Swing { joint, axis } => {
                let turned = joint.turned(posed);
                let swing = axis.map(|axis| turn::swing(turned, axis));
                swing.unwrap_or_else(|| turn::angle(turned)).to_degrees()
            }
            Self::Distance(a, b) => posed.position(*a).distance(posed.position(*b)),
            Self::Cone { of, undo } => turn::angle(*undo * posed.local_rotation(*of)).to_degrees(),
        }
    }
}

impl DrivenChannel {
    fn add(&self, posed: &mut Posed, value: f32, weight: f32, morph: &mut dyn FnMut(usize, f32)) {
        let (bone, mut local) = match self {
            Self::Turn { bone, .. } | Self::Move { bone, .. } | Self::Scale { bone, .. } => {
                (*bone, posed.local(*bone))
            }
            Self::Morph { slot, .. } => return morph(*slot, value * weight),
        };
        match self {
            Self::Turn { axis, .. } => {
                let rotation = Quat::from_axis_angle(*axis, (value * weight).to_radians());
                return posed.set_rotation(bone, local.rotation * rotation);
            }
            Self::Move { along, .. } => {
                local.translation += local.rotation * (*along * (value * weight));
            }
            Self::Scale { along, .. } => {
                local.scale *= 1.0 + *along * ((value - 1.0) * weight);
            }
            Self::Morph { .. } => {}
        }
        posed.set_local(bone, local);
    }
}

impl HelperAction {
    /// Bones that it counter-rotates.
    pub fn holds(&self) -> SmallVec<[u16; 2]> {
        match self {
            Self::Twist {
                centers: places, ..
            } => places.iter().filter_map(|position| position.held).collect(),
            Self::Fan {
                center: position, ..
            } => position.held.into_iter().collect(),
            _ => SmallVec::new(),
        }
    }
}

impl Helper {
    /// Name used in messages: `twist of "forearm_twist_l"`.
    pub fn called(&self) -> &str {
        &self.called
    }

    /// Bones that it rotates or moves.
    pub fn bones(&self) -> &[u16] {
        &self.writes
    }

    pub(super) fn apply(&self, posed: &mut Posed, weight: f32, morph: &mut dyn FnMut(usize, f32)) {
        match &self.action {
            HelperAction::Drive {
                measure,
                curve,
                channel,
            } => channel.add(posed, curve.at(measure.of(posed)), weight, morph),
            HelperAction::Copy {
                bone,
                above,
                of,
                offset,
                origin,
                weight: fraction,
            } => {
                let fraction = *fraction * weight;
                let mut local = posed.local(*bone);
                let target = if let Some(origin) = origin {
                    let (turn, at) = seen_from(posed, above, of, (*offset, *origin));
                    local.translation = local.translation.lerp(at, fraction);
                    turn
                } else {
                    rotation(posed, above).conjugate() * rotation(posed, of) * *offset
                };
                local.rotation = turn::toward(local.rotation, target, fraction).normalize();
                posed.set_local(*bone, local);
            }
            HelperAction::Limit {
                bone,
                rest,
                min,
                max,
                weight: fraction,
            } => {
                let now = posed.local_rotation(*bone);
                let (z, y, x) = (rest.conjugate() * now).to_euler(EulerRot::ZYX);
                let angles = Vec3::new(x, y, z);
                let held = angles.clamp(*min, *max);
                if held != angles {
                    let held = Quat::from_euler(EulerRot::ZYX, held.z, held.y, held.x);
                    settle(posed, *bone, *rest * held, *fraction * weight);
                }
            }
            HelperAction::Twist { .. } | HelperAction::Fan { .. } => {
                self.distribute(posed, weight);
            }
            HelperAction::Roll { .. }
            | HelperAction::Aim { .. }
            | HelperAction::Rotation { .. } => {
                self.constrain(posed, weight);
            }
        }
    }

    /// Gives helper bones their fractions of a joint's rotation.
    fn distribute(&self, posed: &mut Posed, weight: f32) {
        match &self.action {
            HelperAction::Twist {
                joint,
                axis,
                middle,
                centers: places,
            } => {
                let turned = joint.turned(posed);
                let twist = turn::about(turned, *axis, *middle);
                for position in places {
                    let own = Quat::from_axis_angle(*axis, twist * position.weight);
                    let target = if position.follows {
                        turn::without(turned, *axis) * own
                    } else {
                        own
                    };
                    position.set(posed, target, weight);
                }
            }
            HelperAction::Fan {
                joint,
                hinge,
                length,
                center: position,
            } => {
                let turned = joint.turned(posed);
                let about = |axis: Vec3| turn::about(turned, axis, 0.0);
                let fraction = match (*hinge, *length) {
                    (Some(axis), _) => Quat::from_axis_angle(axis, about(axis) * position.weight),
                    (None, Some(axis)) => turn::power(turn::without(turned, axis), position.weight),
                    (None, None) => turn::power(turned, position.weight),
                };
                position.set(posed, fraction, weight);
            }
            _ => {}
        }
    }

    /// Evaluates the constraints of VRMC_node_constraint 1.0 ("Evaluation of rotations"). The twist about the roll axis is
    /// what its formula leaves: the swing is the smallest rotation that moves the axis along.
    fn constrain(&self, posed: &mut Posed, weight: f32) {
        match &self.action {
            HelperAction::Roll {
                bone,
                of,
                axis,
                rest,
                right,
                weight: share,
            } => {
                let turned = rest.conjugate() * posed.local_rotation(*of) * *right;
                let roll = turn::about(turned, *axis, 0.0);
                let target = *rest * Quat::from_axis_angle(*axis, roll * *share);
                settle(posed, *bone, target, weight);
            }
            HelperAction::Aim {
                bone,
                above,
                to,
                axis,
                rest,
                weight: share,
            } => {
                let (_, at) = seen_from(posed, above, to, (Quat::IDENTITY, Vec3::ZERO));
                let away = at - posed.local(*bone).translation;
                let target = away
                    .try_normalize()
                    .map_or(*rest, |to| arc(*axis, to) * *rest);
                settle(posed, *bone, turn::toward(*rest, target, *share), weight);
            }
            HelperAction::Rotation {
                bone,
                of,
                undo,
                rest,
                weight: share,
            } => {
                let turned = *undo * posed.local_rotation(*of);
                settle(posed, *bone, *rest * turn::power(turned, *share), weight);
            }
            _ => {}
        }
    }
}
