//! The shortest way through a row of edges: a string that is pulled tight (J. Hershberger and J. Snoeyink, "Computing
//! minimum length paths of a given homotopy class", 1994).

use glam::{Vec2, Vec3};

use super::mesh::{NONE, NavMesh};
use galatea_math::lines::flat;

/// A place at which a way turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Metres.
    pub at: Vec3,
    /// The link that begins here.
    pub link: Option<u32>,
    /// On which side of the way is what it turns around: 1 on the left, -1 on the right, 0 where there is nothing.
    pub side: i8,
    /// From it to the other end of the edge that it is an end of, as far as is seen from where one comes, on the ground.
    pub across: Vec2,
    /// Index of the mesh vertex; `u32::MAX` where a link begins and for the goal.
    pub vertex: u32,
}

/// Left and right end of an edge: the corner of the mesh, and where that is.
type Gate = [(u32, Vec3); 2];

impl Corner {
    /// A goal, where nothing turns.
    pub fn end(at: Vec3) -> Self {
        Self {
            at,
            link: None,
            side: 0,
            across: Vec2::ZERO,
            vertex: NONE,
        }
    }

    /// A place somewhat beside it, where nothing is, for who comes from another place, is `wide` and would pass it so far
    /// away, both in metres, if there is room.
    pub fn beside(&self, from: Vec2, wide: f32, off: f32) -> Vec2 {
        let way = (flat(self.at) - from).normalize_or_zero();
        let clear = flat(self.at) - way.perp() * (f32::from(self.side) * wide);
        let room = (self.across.length() - 2.0 * wide).max(0.0);
        clear + self.across.normalize_or_zero() * off.min(room)
    }
}

/// Adds places at which a way turns that leaves polygons over `edges`, the goal last, until there are `most`.
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
            // So many edges ahead the next corner is known well enough.
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

/// The first place at which a way turns; the goal where it does not.
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

/// Edges that are looked ahead where only the next corner is asked for.
const FAR: usize = 48;

/// Left and right end of an edge, seen from the polygon that is left.
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

/// More than 0 where `to` lies to the right of the way from an apex to a place.
fn turn(apex: Vec2, way: Vec2, to: Vec2) -> f32 {
    (to - apex).perp_dot(way - apex)
}

/// From a corner towards the other end of its edge, up to what bounds the sight on that side.
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
                // The right side has crossed the left one: the way turns there.
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
    // A way that turns at its goal is there already.
    let is_there = found
        .last()
        .is_some_and(|last| last.link.is_none() && last.at == goal);
    if found.len() < most && !is_there {
        found.push(Corner::end(goal));
    }
}
