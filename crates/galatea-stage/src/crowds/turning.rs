//! Turning at a corner of a path: agents turn side by side in lanes and do not queue for the corner itself.

use glam::Vec2;
use serde::{Deserialize, Serialize};

use galatea_math::lines::flat;
use galatea_navmesh::{Corner, NavMesh, NavPoint};

/// Minimum distance at which agents pass a corner, and maximum width of the lanes beyond that, metres.
const CLEAR: f32 = 0.03;
const LANES: f32 = 3.5;
/// Width over which agents spread next to a corner where there is room, metres, so that they use the whole width of a door.
const MAX_SPREAD: f32 = 2.0;
/// Distance before a corner at which lanes begin, and behind it at which they end, metres.
const LANE_START_DISTANCE: f32 = 6.0;
const ENDS: f32 = 3.0;
/// Length over which the direction of a wall is measured, metres.
const ALONG: f32 = 1.0;
/// Minimum distance of the target on a circle, metres.
const AHEAD: f32 = 0.5;
/// Width of a lane, and distance from the wall per lane at a narrow opening, in radii of the agent. Agents farther from the
/// wall turn farther from the corner. In narrow openings they get closer to each other; where there is room, they keep
/// their lanes.
const LANE: f32 = 2.04;
const NARROWED_LANE: f32 = 3.2;
/// Free widths of an opening up to which it is narrow, and from which agents keep their lanes, metres. Lanes at a narrow
/// opening may be wider than the opening, so that agents enter it straight.
const NARROW: f32 = 1.2;
const WIDE: f32 = 2.4;
/// Tangent of the angle by which the line that measures an opening turns into it.
const INTO_OPENING: f32 = 0.3;
/// Sine of the angle to a wall above which an agent does not walk along it.
const SLANT: f32 = 0.75;
/// Factor by which the remembered distance from the wall shrinks per update.
const MEMORY_FACTOR: f32 = 0.98;
/// Distance from a corner to the first border on the line to it, metres, from which the corner counts as hidden.
const HIDDEN: f32 = 0.2;
/// Fraction of its circle's radius up to which a straight path may cut into it.
const CUTS: f32 = 0.9;

/// The agent that turns.
#[derive(Clone, Copy, Debug)]
pub struct Walker {
    /// Position on the ground, metres.
    pub at: Vec2,
    /// Radius of the agent, metres.
    pub radius: f32,
    /// A random number of its own, 0..1.
    pub random: f32,
}

/// A circle around a corner on which an agent turns.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct CornerArc {
    corner: Vec2,
    side: f32,
    /// Radius, metres.
    radius: f32,
    /// Distance from the wall that determined the lane, metres.
    off: f32,
}

/// State of an agent's turn at a corner.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct CornerTurn {
    now: Option<CornerArc>,
    /// A corner that the agent passes without a lane.
    passed: Option<CornerArc>,
}

impl CornerTurn {
    /// Next target of an agent on a straight line `to` a position: a corner at which it turns, or its goal. Returns
    /// `None` if that is the goal and no earlier turn is in the way.
    pub fn aim(
        &mut self,
        mesh: &NavMesh,
        here: NavPoint,
        walker: &Walker,
        corner: Option<&Corner>,
        to: Vec2,
    ) -> Option<Vec2> {
        let (mut before, passed) = (self.now.take(), self.passed.take());
        let goes_on = |turn: &CornerArc| {
            // An agent that was pushed to the other side of a door turns there.
            let turns_back = corner.is_some_and(|corner| f32::from(corner.side) == -turn.side);
            !turns_back && !turn.is_over(walker.at, to) && turn.is_seen(mesh, here)
        };
        if let Some(turn) = before.filter(|turn| turn.corner != to) {
            if goes_on(&turn) {
                self.now = Some(turn);
                return Some(turn.ahead(walker.at));
            }
            // Around the end of a wall, the agent keeps its lane at the second corner.
            before = before.filter(|turn| turn.is_near(corner));
        }
        // Without this, an agent that touches the corner would aim at it and past it in turn, and stay there.
        if let Some(turn) = passed.filter(|turn| turn.corner != to && goes_on(turn)) {
            self.passed = Some(turn);
            return Some(turn.ahead(walker.at));
        }
        let corner = corner?;
        // An agent wider than the mesh allows for passes the corner at that distance, if there is room.
        let wide = (walker.radius - mesh.radius).max(0.0) + CLEAR;
        self.now = lane(mesh, here, walker, corner, (wide, before));
        if self.now.is_none() && corner.side != 0 {
            self.passed = Some(CornerArc {
                corner: to,
                side: f32::from(corner.side),
                radius: wide,
                off: 0.0,
            });
        }
        let beside = || {
            // An agent in front of a door walks straight on and does not cross the paths of others.
            let ahead = (walker.at - to).dot(corner.across.normalize_or_zero());
            let room = (corner.across.length() - 2.0 * wide).max(0.0);
            let lane = walker.random * room.clamp(NARROW, MAX_SPREAD);
            corner.beside(walker.at, wide, ahead.max(lane))
        };
        Some(self.now.map_or_else(beside, |turn| turn.ahead(walker.at)))
    }
}

/// The lane in which an agent turns that walks along the wall before a corner.
fn lane(
    mesh: &NavMesh,
    here: NavPoint,
    walker: &Walker,
    corner: &Corner,
    (wide, before): (f32, Option<CornerArc>),
) -> Option<CornerArc> {
    let to = flat(corner.at);
    let back = walker.at - to;
    let distance = back.length();
    if corner.side == 0 || distance > LANE_START_DISTANCE {
        return None;
    }
    let [a, b] = mesh.walls_at(corner.vertex, ALONG)?;
    let wall = if a.dot(back) > b.dot(back) { a } else { b };
    let off = wall.perp_dot(back).abs();
    if before.is_none() && off > SLANT * distance {
        return None;
    }
    let side = f32::from(corner.side);
    let off = before.map_or(off, |turn| off.max(turn.off * MEMORY_FACTOR));
    let width = LANE * walker.radius;
    let free = |direction: Vec2, reach: f32| {
        let near = mesh.step(here, to + direction * CLEAR);
        CLEAR + mesh.straight(near, flat(near.at) + direction * reach) * reach - 2.0 * wide
    };
    // The line of the wall leads across the opening. It is turned a little into it, because the wall may continue behind it.
    let into = (wall * back.dot(wall) - back).normalize_or_zero();
    let opening = free((into * INTO_OPENING - wall).normalize(), LANES);
    let widening = ((opening - NARROW) / (WIDE - NARROW)).clamp(0.0, 1.0);
    let walked = (NARROWED_LANE + (LANE - NARROWED_LANE) * widening) * walker.radius;
    let lanes = opening.clamp(NARROW, LANES).max(width) + wide;
    let room = free(outwards(-back, side), lanes).max(0.0);
    let lane = (off / walked).floor() * width;
    Some(CornerArc {
        corner: to,
        side,
        radius: wide + lane.min(room),
        off,
    })
}

/// Unit direction away from the obstacle, for a path in the direction `way`.
fn outwards(way: Vec2, side: f32) -> Vec2 {
    way.normalize_or_zero().perp() * -side
}

impl CornerArc {
    /// Returns true if the straight line to a position does not enter the circle, or the agent is past it.
    fn is_over(&self, at: Vec2, to: Vec2) -> bool {
        let off = self.corner - at;
        let way = (to - at).normalize_or_zero();
        let clear = -off.dot(outwards(way, self.side));
        off.dot(way) <= 0.0 || clear >= self.radius * CUTS || off.length() > ENDS
    }

    /// Returns true if a straight line leads to the corner. An agent that was pushed behind another corner turns there
    /// first.
    fn is_seen(&self, mesh: &NavMesh, here: NavPoint) -> bool {
        let distance = flat(here.at).distance(self.corner);
        (1.0 - mesh.straight(here, self.corner)) * distance < HIDDEN
    }

    /// Returns true if the next corner is near and turns to the same side.
    fn is_near(&self, corner: Option<&Corner>) -> bool {
        corner.is_some_and(|corner| {
            let is_near = flat(corner.at).distance(self.corner) < ENDS;
            is_near && f32::from(corner.side) == self.side
        })
    }

    /// A target on the path along the circle.
    fn ahead(&self, at: Vec2) -> Vec2 {
        let off = self.corner - at;
        let distance = off.length().max(1e-3);
        let (way, out) = (off / distance, outwards(off, self.side));
        if distance > self.radius {
            let sine = self.radius / distance;
            let cosine = (1.0 - sine * sine).sqrt();
            at + (way * cosine + out * sine) * (distance * cosine).max(AHEAD)
        } else {
            at + out - way * (AHEAD * (1.0 - distance / self.radius))
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use galatea_navmesh::{BakeOptions, Baked, FlowField, GroundTriangles, next_corner};

    /// Ground of 20 m with a wall through its middle up to x = 2.
    fn mesh() -> NavMesh {
        let mut ground = GroundTriangles::default();
        let mut sheet = |corners: [[f32; 3]; 4]| {
            let first = ground.vertices.len() as u32;
            ground.vertices.extend(corners.map(Vec3::from));
            ground.triangles.push([first, first + 1, first + 2]);
            ground.triangles.push([first, first + 2, first + 3]);
            ground.areas.extend([0, 0]);
        };
        let at = |x: f32, z: f32| [x, 0.0, z];
        sheet([
            at(-10.0, 10.0),
            at(10.0, 10.0),
            at(10.0, 0.1),
            at(-10.0, 0.1),
        ]);
        sheet([
            at(-10.0, -0.1),
            at(10.0, -0.1),
            at(10.0, -10.0),
            at(-10.0, -10.0),
        ]);
        sheet([at(2.0, 0.1), at(10.0, 0.1), at(10.0, -0.1), at(2.0, -0.1)]);
        let baked = Baked::new(&ground, &BakeOptions::default()).unwrap();
        baked.mesh(&[], &[]).unwrap()
    }

    /// Distances of a single agent from the wall's end, for each step of its path around it.
    fn walk(mesh: &NavMesh, from: Vec2) -> Vec<f32> {
        let spot = |at: Vec2| mesh.nearest(Vec3::new(at.x, 0.0, at.y), 1.0).unwrap();
        let goal = spot(Vec2::new(-6.0, 6.0));
        let field = FlowField::to(mesh, goal, |_| 0.0);
        let (mut here, mut turning, mut far) = (spot(from), CornerTurn::default(), Vec::new());
        for _ in 0..2000 {
            let edges = field.edges(mesh, here, None).unwrap();
            let corner = next_corner(mesh, here.at, edges, goal.at).unwrap();
            let (at, to) = (flat(here.at), flat(corner.at));
            let is_goal = to.distance(flat(goal.at)) < 0.05;
            if at.distance(flat(goal.at)) < 0.5 {
                return far;
            }
            let walker = Walker {
                at,
                radius: 0.25,
                random: 0.0,
            };
            let aim = turning.aim(mesh, here, &walker, (!is_goal).then_some(&corner), to);
            let way = aim.unwrap_or(to) - at;
            here = mesh.step(here, at + way.normalize_or_zero() * 0.09);
            if (-0.55..0.0).contains(&here.at.z) {
                far.push(here.at.x - 2.0);
            }
        }
        panic!("it does not come there from {from}");
    }

    #[test]
    fn agents_farther_from_a_wall_turn_farther_from_its_end() {
        let mesh = mesh();
        let widest = |x: f32, z: f32| {
            let far = walk(&mesh, Vec2::new(x, z));
            far.into_iter().fold(0.0, f32::max)
        };
        // Corners of the mesh are 0.15 and 0.45 m from the wall; the third lane is 1.02 m from the first of them.
        let (near, far) = (widest(0.5, -0.7), widest(0.4, -2.0));
        assert!((0.25..0.55).contains(&near), "{near}");
        assert!((far - 1.20).abs() < 0.03, "{far}");
    }

    #[test]
    fn an_agent_aims_past_a_corner_until_it_is_clear_of_it() {
        let mesh = mesh();
        let goal = mesh.nearest(Vec3::new(-6.0, 0.0, 6.0), 1.0).unwrap();
        let at = Vec2::new(2.2, -1.6);
        let here = mesh.nearest(Vec3::new(at.x, 0.0, at.y), 1.0).unwrap();
        let field = FlowField::to(&mesh, goal, |_| 0.0);
        let edges = field.edges(&mesh, here, None).unwrap();
        let corner = next_corner(&mesh, here.at, edges, goal.at).unwrap();
        let to = flat(corner.at);
        let walker = Walker {
            at,
            radius: 0.25,
            random: 0.0,
        };
        let mut turning = CornerTurn::default();
        assert!(
            turning
                .aim(&mesh, here, &walker, Some(&corner), to)
                .is_some()
        );
        // From one millimetre further out, a straight line passes the corner.
        let out = outwards(to - at, f32::from(corner.side));
        let past = |clear: f32| to + out * clear + (to - at).normalize() * 2.0;
        let aim = turning
            .aim(&mesh, here, &walker, None, past(0.001))
            .unwrap();
        let clear = (aim - at).normalize().perp_dot(to - at).abs();
        assert!(clear > 0.025, "{clear}");
        assert_eq!(turning.aim(&mesh, here, &walker, None, past(0.5)), None);
    }

    #[test]
    fn an_agent_that_comes_straight_at_a_corner_takes_no_lane() {
        let mesh = mesh();
        let far = walk(&mesh, Vec2::new(2.2, -5.0));
        assert!(far.iter().all(|far| *far < 0.6), "{far:?}");
    }
}
