//! Toes: they lie on the ground while the ball does, also where it is higher or lower before the foot than under
//! it, and while the heel is lifted.

use glam::{Affine3A, Quat, Vec3};

use super::GroundQuery;
use super::legs::Toe;
use super::paces::Paces;
use crate::Posed;
use crate::turning::short_way;
use galatea_math::clamp::ClampTo as _;
use galatea_math::damp::{DampedSpring, turned};
use galatea_math::smoothstep;

/// Radians by which toes bend down and up from where they rest. Of the joints between foot and toes 40 to 45 degrees
/// down are usual, and up 40 for the small toes and 70 for the great one (American Academy of Orthopaedic
/// Surgeons, *Joint Motion*, 1965); in walking 50 to 60 are used up (Bojsen-Møller and Lamoreux 1979).
const DOWN: f32 = 40.0 * std::f32::consts::PI / 180.0;
const UP: f32 = 50.0 * std::f32::consts::PI / 180.0;
/// Toes are left to the clip from this height of the ball on, as a share of a leg.
const HIGH: f32 = 0.06;

/// What is remembered of the toes of one foot: by how much the ground under their tip is higher than the plane on which
/// the foot stands, metres, and its normal.
#[derive(Clone, Debug, Default)]
pub(super) struct Toes(Option<(DampedSpring, Vec3)>);

/// The plane on which a foot stands, world space.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plane {
    pub point: Vec3,
    pub normal: Vec3,
}

impl Plane {
    /// Its height over or under a place.
    fn height(&self, at: Vec3) -> f32 {
        let way = (at - self.point).with_y(0.0);
        self.point.y - way.dot(self.normal) / self.normal.y.max(0.1)
    }
}

/// What toes know of their foot.
pub(super) struct ToeInput<'a> {
    pub plane: Plane,
    pub world: Affine3A,
    /// Length of a leg in the world.
    pub size: f32,
    pub ground: &'a dyn GroundQuery,
    pub weight: f32,
    pub paces: &'a Paces,
}

impl Toes {
    /// Bends the toes of a foot that is where it is to be, by its model-from-bone matrix. `ball`: its ball, in its
    /// own space.
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
        let high = ball.y - on.plane.height(ball);
        let share = 1.0 - smoothstep(0.0, 1.0, high.abs() / (HIGH * on.size));
        let Some(across) = foot.transform_vector3(toe.across).try_normalize() else {
            return;
        };
        let flat = |way: Vec3| way - across * across.dot(way);
        let (way, rest) = (flat(tip - joint), flat(foot.transform_vector3(toe.along)));
        let length = way.length();
        if share <= 0.0 || length < 1e-3 * on.size || !length.is_finite() {
            self.0 = None;
            return;
        }
        let plane = self.ground(joint + rest, length, on);
        // A ball that is not down yet has its toes beside it, not below.
        let point = plane.point + Vec3::Y * high.max(0.0);
        let aside = across * across.dot(tip - joint);
        let deep = plane.normal.dot(point - joint - aside);
        let Some(turn) = turn_to(way, across, plane.normal, deep) else {
            return;
        };
        let bent = across.dot(rest.cross(way)).atan2(rest.dot(way));
        let turn = (bent + turn).clamp_to(bent.min(-DOWN), bent.max(UP)) - bent;
        // Where space is mirrored a turn runs the other way round.
        let side = foot.matrix3.determinant().signum();
        let turn = turn * share * on.weight * side;
        if turn.abs() > 1e-6 && turn.is_finite() {
            posed.turn(toe.bone, Quat::from_axis_angle(toe.hinge, turn));
        }
    }

    /// The ground where toes lie that are not bent, as far as they can be bent.
    fn ground(&mut self, at: Vec3, length: f32, on: &ToeInput<'_>) -> Plane {
        let plane = on.plane.height(at);
        let up = 2.0 * length;
        let under = on.ground.under(at.with_y(plane + up), 2.0 * up);
        let edge = under.map_or(0.0, |under| under.point.y - plane);
        let (edge, normal) = match under {
            // Over what is deeper they stay straight.
            Some(under) if edge > -length * DOWN.sin() => {
                (edge.min(length * UP.sin()), under.normal)
            }
            _ => (0.0, on.plane.normal),
        };
        let (follow, was) = self.0.get_or_insert((DampedSpring::at(edge), normal));
        *was = turned(*was, normal, on.paces.edge_slope);
        let edge = follow.go(edge, &on.paces.edge);
        Plane {
            point: at.with_y(plane + edge),
            normal: *was,
        }
    }
}

/// The smaller turn about `across` that brings the end of `way` so far along `up` from its beginning; as near as it gets.
fn turn_to(way: Vec3, across: Vec3, up: Vec3, along: f32) -> Option<f32> {
    let side = across.cross(way);
    let (ahead, beside) = (up.dot(way), up.dot(side));
    let most = ahead.hypot(beside);
    if most < 1e-6 * way.length() {
        return None;
    }
    let highest = beside.atan2(ahead);
    let off = (along / most).clamp(-1.0, 1.0).acos();
    let [a, b] = [highest - off, highest + off].map(|turn| short_way(0.0, turn));
    Some(if a.abs() < b.abs() { a } else { b })
}

#[cfg(test)]
mod tests;
