//! Debug view of ragdoll bodies and joint limits.

use glam::{Affine3A, Quat, Vec3};

use super::forces::{add_balance, add_prop_body, darken};
use super::{color_of, label, linear};
use crate::frame::{Frame, OverlayLine};
use galatea_character::Character;
use galatea_physics::ragdoll::{JointKind, Ragdoll, RagdollDefinition, RigidFrame, outline};

/// Encoded colours of shapes (each body has a hue close to this), cones, hinges, current directions, and joints beyond their
/// limits.
pub const SHAPE: [f32; 3] = [0.55, 0.85, 1.0];
pub const CONE: [f32; 3] = [1.0, 0.72, 0.2];
pub const HINGE: [f32; 3] = [0.98, 0.42, 0.75];
pub const LOOSE: [f32; 3] = [0.98, 0.98, 0.98];
pub const BEYOND: [f32; 3] = [1.0, 0.16, 0.12];

/// Excess over a joint limit from which it is marked, radians.
const EXCESS_TOLERANCE: f32 = 0.05;
/// Sides of a cone, and rays to its rim.
const SIDES: usize = 32;
const RAYS: usize = 8;
/// Length of the rays, as a factor on the part's length.
const REACH: f32 = 0.25;

/// Adds the bodies of a character, which is the frame's model `i`: from the physics if it has limbs, else from its pose. A
/// solid object shows its shape instead. `contacts` are its contact points.
pub fn add(character: &Character, i: usize, contacts: &[Vec3], frame: &mut Frame) {
    if let Some(solid) = &character.body.prop_body {
        add_prop_body(solid, character.posed.world[0], &mut frame.lines);
        return;
    }
    let ragdoll = character.body.ragdoll(&character.definition);
    let (places, world) = match &character.body.limbs {
        Some(limbs) if limbs.ragdoll.frame(0).is_some() => {
            let scale = Vec3::splat(limbs.ragdoll.scale());
            let places = add_live(&limbs.ragdoll, &mut frame.lines);
            (places, Affine3A::from_scale(scale))
        }
        _ => {
            let world = frame.models[i].world_from_model;
            let places: Vec<RigidFrame> =
                ragdoll.frames(&character.posed.model_from_bone).collect();
            add_bodies(ragdoll, &places, world, &mut frame.lines);
            (places, world)
        }
    };
    add_balance(character, &places, world, contacts, &mut frame.lines);
    for (rank, (body, place)) in ragdoll.bodies.iter().zip(&places).enumerate() {
        let bones = character.definition.model.skeleton.bones();
        let name = bones
            .get(usize::from(body.bone))
            .map_or("", |bone| &bone.name);
        let text = format!("{name}  {} kg", short(body.mass));
        let light = color(rank).lerp(Vec3::ONE, 0.45);
        let at = world.transform_point3(place.position);
        frame.ui.push(label(&text, at, light, rank as u64 + 1));
    }
}

/// Adds the simulated bodies of a character's limbs; sleeping ones are darker.
fn add_live(ragdoll: &Ragdoll, lines: &mut Vec<OverlayLine>) -> Vec<RigidFrame> {
    let scale = ragdoll.scale().max(1e-6);
    let frames = (0..ragdoll.len()).map(|i| ragdoll.frame(i).unwrap_or(RigidFrame::IDENTITY));
    let places: Vec<RigidFrame> = frames
        .map(|frame| RigidFrame {
            position: frame.position / scale,
            ..frame
        })
        .collect();
    let first = lines.len();
    let world = Affine3A::from_scale(Vec3::splat(scale));
    add_bodies(&ragdoll.definition, &places, world, lines);
    if ragdoll.asleep {
        darken(&mut lines[first..]);
    }
    places
}

/// Formats a number with two significant digits.
fn short(n: f32) -> String {
    match n {
        n if n >= 9.95 => format!("{n:.0}"),
        n if n >= 0.995 => format!("{n:.1}"),
        n => format!("{n:.2}"),
    }
}

fn color(body: usize) -> Vec3 {
    linear(color_of(body)).lerp(linear(SHAPE), 0.35)
}

/// Adds the lines of bodies at `places`, in a space that `world` transforms to the world: shapes, and joint limits at the
/// parents.
fn add_bodies(
    ragdoll: &RagdollDefinition,
    places: &[RigidFrame],
    world: Affine3A,
    lines: &mut Vec<OverlayLine>,
) {
    let mut push = |from: Vec3, to: Vec3, color: Vec3| {
        lines.push(OverlayLine {
            from: world.transform_point3(from),
            to: world.transform_point3(to),
            color,
        });
    };
    for (i, (body, place)) in ragdoll.bodies.iter().zip(places).enumerate() {
        let color = color(i);
        outline(&body.shape, *place, &mut |from, to| push(from, to, color));
    }
    for link in &ragdoll.joints {
        let ends = (
            places.get(usize::from(link.parent)),
            places.get(usize::from(link.child)),
        );
        let (Some(parent), Some(child)) = ends else {
            continue;
        };
        let middle = parent.then(link.parent_from_joint);
        let now = child.then(link.child_from_joint);
        let body = ragdoll.bodies.get(usize::from(link.child));
        let reach = body.map_or(0.1, |body| body.shape.half_extents().max_element()) * 2.0 * REACH;
        let at = |direction: Vec3| middle.position + direction * reach;
        let is_beyond = link.excess(parent.rotation, child.rotation) > EXCESS_TOLERANCE;
        let colored = |color| linear(if is_beyond { BEYOND } else { color });
        match link.kind {
            JointKind::Fixed => {}
            JointKind::TwistCone { swing, .. } => {
                let rim = |i: usize| {
                    let (sin, cos) = (std::f32::consts::TAU * i as f32 / SIDES as f32).sin_cos();
                    let swing =
                        Quat::from_scaled_axis(Vec3::new(0.0, swing[0] * cos, swing[1] * sin));
                    at(middle.rotation * (swing * Vec3::X))
                };
                let color = colored(CONE);
                for i in 0..SIDES {
                    push(rim(i), rim(i + 1), color);
                    if i % (SIDES / RAYS) == 0 {
                        push(middle.position, rim(i), color * 0.45);
                    }
                }
                push(middle.position, at(now.rotation * Vec3::X), linear(LOOSE));
            }
            JointKind::Hinge { range: [low, high] } => {
                let n = SIDES / 2;
                let rim = |i: usize| {
                    let angle = low + (high - low) * i as f32 / n as f32;
                    at(middle.rotation * (Quat::from_rotation_x(angle) * Vec3::Y))
                };
                let color = colored(HINGE);
                (0..n).for_each(|i| push(rim(i), rim(i + 1), color));
                push(middle.position, rim(0), color);
                push(middle.position, rim(n), color);
                push(middle.position, at(now.rotation * Vec3::Y), linear(LOOSE));
            }
        }
    }
}
