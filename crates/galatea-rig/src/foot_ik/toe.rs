//! Toes: they stay on the ground while the ball does, also over higher or lower ground in front of the foot, and while the
//! heel is lifted.

use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::GroundQuery;
use super::damping::FootDamping;
use super::legs::Toe;
use crate::Posed;
use crate::turning::shortest_rotation;
use galatea_math::clamp::ClampTo as _;
use galatea_math::damp::{DampedSpring, turned};
use galatea_math::smoothstep;

/// Largest downward and upward bend of the toes from their rest pose, radians. Usual limits of the joints between foot and
/// toes are 40 to 45 degrees down, and up 40 for the small toes and 70 for the big toe (American Academy of Orthopaedic
/// Surgeons, *Joint Motion*, 1965); walking uses 50 to 60 degrees up (Bojsen-Møller and Lamoreux 1979).
const MAX_BEND_DOWN: f32 = 40.0 * std::f32::consts::PI / 180.0;
const MAX_BEND_UP: f32 = 50.0 * std::f32::consts::PI / 180.0;
/// Height of the ball, as a fraction of the leg length, above which the clip controls the toes.
const MAX_HEIGHT: f32 = 0.06;

/// State of the toes of one foot: height of the ground under the tip over the plane of the foot, metres, and its normal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Toes(Option<(DampedSpring, Vec3)>);

/// Ground plane of a foot, world space.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Plane {
    pub point: Vec3,
    pub normal: Vec3,
}

impl Plane {
    /// Height of the plane above or below a position.
    fn height(&self, at: Vec3) -> f32 {
        let level = (at - self.point).with_y(0.0);
        self.point.y - level.dot(self.normal) / self.normal.y.max(0.1)
    }
}

/// Input of toe bending.
pub(super) struct ToeInput<'a> {
    pub plane: Plane,
    pub world: Affine3A,
    /// Leg length in world space, metres.
    pub size: f32,
    pub ground: &'a dyn GroundQuery,
    pub weight: f32,
    pub damping: &'a FootDamping,
}

impl Toes {
    /// Bends the toes of a solved foot, given its model-from-bone matrix. `ball` is in the foot's space.
    pub fn bend(
        &mut self,
        posed: &mut Posed<'_>,
        (foot, model): (u16, Affine3A),
        ball: Vec3,
        toe: &Toe,
        on: &ToeInput<'_>,
    ) {
        let Some(below) = posed.below(foot, toe.bone) else {
            return;
        };
        let foot = on.world * model;
        let own = foot * below;
        let (joint, tip) = (Vec3::from(own.translation), own.transform_point3(toe.tip));
        let ball = foot.transform_point3(ball);
        let ball_height = ball.y - on.plane.height(ball);
        let weight = 1.0 - smoothstep(0.0, 1.0, ball_height.abs() / (MAX_HEIGHT * on.size));
        let Some(across) = foot.transform_vector3(toe.across).try_normalize() else {
            return;
        };
        let flat = |offset: Vec3| offset - across * across.dot(offset);
        let (offset, rest) = (flat(tip - joint), flat(foot.transform_vector3(toe.along)));
        let length = offset.length();
        if weight <= 0.0 || length < 1e-3 * on.size || !length.is_finite() {
            self.0 = None;
            return;
        }
        let plane = self.ground(joint + rest, length, on);
        // Toes of a raised ball are level with it, not below it.
        let point = plane.point + Vec3::Y * ball_height.max(0.0);
        let aside = across * across.dot(tip - joint);
        let deep = plane.normal.dot(point - joint - aside);
        let Some(rotation) = rotation_to(offset, across, plane.normal, deep) else {
            return;
        };
        let bent = across.dot(rest.cross(offset)).atan2(rest.dot(offset));
        let rotation =
            (bent + rotation).clamp_to(bent.min(-MAX_BEND_DOWN), bent.max(MAX_BEND_UP)) - bent;
        // A mirrored space reverses rotations.
        let side = foot.matrix3.determinant().signum();
        let rotation = rotation * weight * on.weight * side;
        if rotation.abs() > 1e-6 && rotation.is_finite() {
            posed.turn(toe.bone, Quat::from_axis_angle(toe.hinge, rotation));
        }
    }

    /// Ground under the straight toes, limited to the range in which they can bend.
    fn ground(&mut self, at: Vec3, length: f32, on: &ToeInput<'_>) -> Plane {
        let plane = on.plane.height(at);
        let up = 2.0 * length;
        let under = on.ground.ground_below(at.with_y(plane + up), 2.0 * up);
        let edge = under.map_or(0.0, |under| under.point.y - plane);
        let (edge, normal) = match under {
            // Toes stay straight over deeper ground.
            Some(under) if edge > -length * MAX_BEND_DOWN.sin() => {
                (edge.min(length * MAX_BEND_UP.sin()), under.normal)
            }
            _ => (0.0, on.plane.normal),
        };
        let (follow, previous) = self.0.get_or_insert((DampedSpring::at(edge), normal));
        *previous = turned(*previous, normal, on.damping.edge_slope);
        let edge = follow.go(edge, &on.damping.edge);
        Plane {
            point: at.with_y(plane + edge),
            normal: *previous,
        }
    }
}

/// Smaller rotation about `across`, radians, that raises the end of `offset` to `along` above its start, measured along
/// `up`; the nearest one if that is out of reach.
fn rotation_to(offset: Vec3, across: Vec3, up: Vec3, along: f32) -> Option<f32> {
    let side = across.cross(offset);
    let (ahead, beside) = (up.dot(offset), up.dot(side));
    let max = ahead.hypot(beside);
    if max < 1e-6 * offset.length() {
        return None;
    }
    let highest = beside.atan2(ahead);
    let off = (along / max).clamp(-1.0, 1.0).acos();
    let [a, b] = [highest - off, highest + off].map(|turn| shortest_rotation(0.0, turn));
    Some(if a.abs() < b.abs() { a } else { b })
}

#[cfg(test)]
mod tests;
