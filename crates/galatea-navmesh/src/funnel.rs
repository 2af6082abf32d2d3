//! The shortest path through a sequence of edges, by the funnel algorithm (J. Hershberger and J. Snoeyink, "Computing
//! minimum length paths of a given homotopy class", 1994).

use glam::{Vec2, Vec3};

use super::mesh::{NONE, NavMesh};
use galatea_math::lines::flat;

/// A point at which a path turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Position, metres.
    pub at: Vec3,
    /// The link that begins here.
    pub link: Option<u32>,
    /// Side of the path on which the obstacle is: 1 left, -1 right, 0 without an obstacle.
    pub side: i8,
    /// Vector on the ground from the corner to the other end of its edge, limited to the part visible from the previous
    /// corner.
    pub across: Vec2,
    /// Index of the mesh vertex; `u32::MAX` where a link begins and for the goal.
    pub vertex: u32,
}

/// Left and right end of an edge: the vertex of the mesh and its position.
type Gate = [(u32, Vec3); 2];

impl Corner {
    /// A goal, where the path does not turn.
    pub fn end(at: Vec3) -> Self {
        Self {
            at,
            link: None,
            side: 0,
            across: Vec2::ZERO,
            vertex: NONE,
        }
    }

    /// A point next to the corner in free space, for an agent that comes from `from`. It is `wide` metres from the corner
    /// and `off` metres farther away, as far as there is room.
    pub fn beside(&self, from: Vec2, wide: f32, off: f32) -> Vec2 {
        let way = (flat(self.at) - from).normalize_or_zero();
        let clear = flat(self.at) - way.perp() * (f32::from(self.side) * wide);
        let room = (self.across.length() - 2.0 * wide).max(0.0);
        clear + self.across.normalize_or_zero() * off.min(room)
    }
}

/// Adds the corners of the path that crosses `edges`, the goal last, until `found` has `most` corners.
pub fn corners(
    mesh: &NavMesh,
    from: Vec3,
    edges: impl Iterator<Item = u32>,
    goal: Vec3,
    most: usize,
    found: &mut Vec<Corner>,
) {
    let (mut start, mut gates) = (from, Vec::new());
    for edge in edges {
        let Some(link) = mesh.link_of(edge) else {
            gates.push(gate(mesh, edge));
            // Only the next corner is requested; more edges would hardly change it.
            if most == 1 && gates.len() >= FAR {
                break;
            }
            continue;
        };
        tighten(start, &gates, link.from.at, most, found);
        if let Some(last) = found.last_mut() {
            (last.link, last.side, last.vertex) = (Some(edge), 0, NONE);
        }
        if found.len() >= most {
            return;
        }
        gates.clear();
        start = link.to.at;
    }
    tighten(start, &gates, goal, most, found);
}

/// The next corner of a path; the goal if the path does not turn.
pub fn next_corner(
    mesh: &NavMesh,
    from: Vec3,
    edges: impl Iterator<Item = u32>,
    goal: Vec3,
) -> Option<Corner> {
    let mut found = Vec::with_capacity(1);
    corners(mesh, from, edges, goal, 1, &mut found);
    found.pop()
}

/// Number of edges that are considered for the next corner.
const FAR: usize = 48;

/// Left and right end of an edge, seen from the polygon that the path leaves.
fn gate(mesh: &NavMesh, edge: u32) -> Gate {
    let ([a, b], [first, last]) = (mesh.ends(edge), mesh.corners_of(edge));
    let inside: Vec3 = mesh.around(mesh.owner(edge)).sum();
    let n = mesh.edges(mesh.owner(edge)).len().max(1) as f32;
    let side = (flat(b) - flat(a)).perp_dot(flat(inside) / n - flat(a));
    if side > 0.0 {
        [(last, b), (first, a)]
    } else {
        [(first, a), (last, b)]
    }
}

/// Positive if `to` is to the right of the line from the apex through `way`.
fn turn(apex: Vec2, way: Vec2, to: Vec2) -> f32 {
    (to - apex).perp_dot(way - apex)
}

/// Vector from a corner towards the other end of its edge, cut at the other side of the funnel.
fn seen(apex: Vec2, bound: Vec3, corner: Vec3, end: Vec3) -> Vec2 {
    let across = flat(end) - flat(corner);
    let off = |to: Vec3| turn(apex, flat(bound), flat(to));
    let (near, far) = (off(corner), off(end));
    if near * far < 0.0 {
        across * (near / (near - far))
    } else {
        across
    }
}

fn tighten(from: Vec3, gates: &[Gate], goal: Vec3, most: usize, found: &mut Vec<Corner>) {
    let turning = |(vertex, at): (u32, Vec3), side: i8, across: Vec2| match at == goal {
        true => Corner::end(at),
        false => Corner {
            at,
            link: None,
            side,
            across,
            vertex,
        },
    };
    let mut apex = flat(from);
    let (mut left, mut right) = ((NONE, from), (NONE, from));
    let last = (NONE, goal);
    let (mut at_left, mut at_right) = (0, 0);
    let mut i = 0;
    while i <= gates.len() {
        if found.len() >= most {
            return;
        }
        let [to_left, to_right] = gates.get(i).copied().unwrap_or([last, last]);
        if turn(apex, flat(right.1), flat(to_right.1)) <= 0.0 {
            if flat(right.1) == apex || turn(apex, flat(left.1), flat(to_right.1)) > 0.0 {
                (right, at_right) = (to_right, i);
            } else {
                // The right side has crossed the left one, so the path turns at the left corner.
                let end = gates.get(at_left).map_or(left, |gate| gate[1]);
                found.push(turning(left, 1, seen(apex, right.1, left.1, end.1)));
                (apex, right, i) = (flat(left.1), left, at_left);
                at_right = at_left;
                i += 1;
                left = right;
                continue;
            }
        }
        if turn(apex, flat(left.1), flat(to_left.1)) >= 0.0 {
            if flat(left.1) == apex || turn(apex, flat(right.1), flat(to_left.1)) < 0.0 {
                (left, at_left) = (to_left, i);
            } else {
                let end = gates.get(at_right).map_or(right, |gate| gate[0]);
                found.push(turning(right, -1, seen(apex, left.1, right.1, end.1)));
                (apex, left, i) = (flat(right.1), right, at_right);
                at_left = at_right;
                i += 1;
                right = left;
                continue;
            }
        }
        i += 1;
    }
    // A path that turns at its goal ends there already.
    let is_there = found
        .last()
        .is_some_and(|last| last.link.is_none() && last.at == goal);
    if found.len() < most && !is_there {
        found.push(Corner::end(goal));
    }
}
