//! Debug view of forces: contacts, balance, and the shapes of solid objects.

use glam::{Affine3A, Vec2, Vec3};

use super::linear;
use crate::Handle;
use crate::frame::OverlayLine;
use crate::physics::character_of;
use galatea_character::Character;
use galatea_physics::ragdoll::RigidFrame;
use galatea_physics::{BodyType, PhysicsWorld, PlacedShape, PropBody};

/// Encoded colours: contacts, centre of mass, support area, fixed and moving objects.
pub const CONTACT: [f32; 3] = [1.0, 0.95, 0.25];
pub const MASS: [f32; 3] = [0.98, 0.98, 0.98];
pub const SUPPORT: [f32; 3] = [0.36, 0.92, 0.46];
pub const STAYS: [f32; 3] = [0.52, 0.56, 0.64];
pub const MOVES: [f32; 3] = [0.30, 0.62, 1.0];

/// Colour factor of sleeping bodies.
const IS_SLEEPING: f32 = 0.35;
/// Length of a contact normal, and half the size of a cross, metres.
const NORMAL_LENGTH: f32 = 0.12;
const CROSS_SIZE: f32 = 0.025;
/// Fractions of a character's height: half the size of the cross at its centre of mass, and the height at which its support
/// area is drawn.
const MASS_CROSS: f32 = 0.035;
const SUPPORT_LIFT: f32 = 0.0025;
/// Fraction of a character's height above its lowest point that counts as contact with the ground.
const SUPPORT_HEIGHT: f32 = 0.02;

/// Darkens the lines of a sleeping body.
pub fn darken(lines: &mut [OverlayLine]) {
    for line in lines {
        line.color *= IS_SLEEPING;
    }
}

/// Adds the shape of a solid object, darker while it sleeps.
pub fn add_prop_body(solid: &PropBody, world: Affine3A, lines: &mut Vec<OverlayLine>) {
    let first = lines.len();
    let mut add = |pieces: &mut dyn Iterator<Item = &PlacedShape>, world: Affine3A, motion| {
        let color = linear(if motion == BodyType::Static {
            STAYS
        } else {
            MOVES
        });
        for piece in pieces {
            piece.shape.outline(piece.at, &mut |from, to| {
                lines.push(OverlayLine {
                    from: world.transform_point3(from),
                    to: world.transform_point3(to),
                    color,
                });
            });
        }
    };
    let pieces = (0..).zip(solid.options.pieces.iter());
    let mut of_whole = pieces.filter_map(|(i, piece)| solid.is_of_whole(i).then_some(piece));
    add(&mut of_whole, world, solid.options.body_type);
    let size = Vec3::splat(solid.scale());
    for (node, state) in solid.options.nodes.iter().zip(&solid.nodes) {
        if let (Some(at), Some(_)) = (state.at, state.body) {
            let place = Affine3A::from_scale_rotation_translation(size, at.rotation, at.position);
            add(&mut node.own.pieces.iter(), place, BodyType::Kinematic);
        }
    }
    if solid.is_sleeping {
        darken(&mut lines[first..]);
    }
}

/// Adds contacts with their normals for shown characters, and returns their positions.
pub fn add_contacts(
    world: &PhysicsWorld,
    is_shown: impl Fn(Handle) -> bool,
    lines: &mut Vec<OverlayLine>,
) -> Vec<([Option<Handle>; 2], Vec3)> {
    let mut found = Vec::new();
    world.each_contact(|owners, place, normal| {
        let owners = owners.map(character_of);
        if !owners.iter().flatten().any(|owner| is_shown(*owner)) {
            return;
        }
        found.push((owners, place));
        let color = linear(CONTACT);
        let mut push = |from, to| lines.push(OverlayLine { from, to, color });
        push(place, place + normal * NORMAL_LENGTH);
        cross(place, CROSS_SIZE, &mut push);
    });
    found
}

fn cross(at: Vec3, half: f32, push: &mut dyn FnMut(Vec3, Vec3)) {
    for axis in Vec3::AXES {
        push(at - axis * half, at + axis * half);
    }
}

/// Adds a character's centre of mass, the line down from it, and the hull of its support: its contacts, or else the lowest
/// points of its bodies. `places` are the body frames in a space that `world` transforms to the world.
pub fn add_balance(
    character: &Character,
    places: &[RigidFrame],
    world: Affine3A,
    contacts: &[Vec3],
    lines: &mut Vec<OverlayLine>,
) {
    let ragdoll = character.definition.ragdoll();
    let (mut sum, mut mass) = (Vec3::ZERO, 0.0);
    let mut ends: Vec<Vec3> = Vec::new();
    for (body, place) in ragdoll.bodies.iter().zip(places) {
        sum += place.position * body.mass;
        mass += body.mass;
        galatea_physics::ragdoll::outline(&body.shape, *place, &mut |from, to| {
            ends.extend([from, to].map(|end| world.transform_point3(end)));
        });
    }
    if mass <= 0.0 {
        return;
    }
    let heights = ends.iter().map(|end| end.y);
    let lowest = heights.clone().fold(f32::MAX, f32::min);
    let highest = heights.fold(f32::MIN, f32::max);
    let sole = lowest + (highest - lowest) * SUPPORT_HEIGHT;
    let under: Vec<Vec3> = if contacts.is_empty() {
        ends.into_iter().filter(|end| end.y <= sole).collect()
    } else {
        contacts.to_vec()
    };
    let middle = world.transform_point3(sum / mass);
    let ground = under.iter().map(|at| at.y).sum::<f32>() / under.len().max(1) as f32;
    let foot = middle.with_y(ground);
    let color = linear(MASS);
    let mut push = |from, to| lines.push(OverlayLine { from, to, color });
    let height = highest - lowest;
    cross(middle, height * MASS_CROSS, &mut push);
    push(middle, foot);
    let flat: Vec<Vec2> = under.iter().map(|at| Vec2::new(at.x, at.z)).collect();
    let rim = hull(flat);
    let color = linear(SUPPORT);
    for (i, from) in rim.iter().enumerate() {
        let to = rim[(i + 1) % rim.len()];
        // Slightly above the ground, to be visible on it.
        let at = |p: Vec2| Vec3::new(p.x, ground + height * SUPPORT_LIFT, p.y);
        lines.push(OverlayLine {
            from: at(*from),
            to: at(to),
            color,
        });
    }
}

/// Corners of the convex hull of points, in order (Andrew's monotone chain).
fn hull(mut points: Vec<Vec2>) -> Vec<Vec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = Vec2>| {
        let mut rim: Vec<Vec2> = Vec::new();
        for point in points {
            while let [.., a, b] = rim[..]
                && (b - a).perp_dot(point - b) <= 0.0
            {
                rim.pop();
            }
            rim.push(point);
        }
        rim.pop();
        rim
    };
    let mut rim = half(&mut points.iter().copied());
    rim.extend(half(&mut points.iter().rev().copied()));
    rim
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_has_only_the_corners() {
        let mut points: Vec<Vec2> = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)]
            .map(|(x, y)| Vec2::new(x, y))
            .to_vec();
        let corners = points.clone();
        points.extend([
            Vec2::new(1.0, 0.0),
            Vec2::new(0.7, 0.3),
            Vec2::new(2.0, 0.5),
        ]);
        assert_eq!(hull(points), corners);
        assert_eq!(hull(vec![Vec2::ONE, Vec2::ONE]), [Vec2::ONE]);
    }
}
