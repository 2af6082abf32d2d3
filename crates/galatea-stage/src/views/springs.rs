//! Debug view of springs with their colliders, particles of ropes and cloth with pins, and hair guides with the bodies they
//! collide with.

use glam::{Affine3A, Vec3};

use super::bounds::add_sphere;
use super::linear;
use crate::frame::{Frame, OverlayLine};
use crate::{Arena, Handle, StageFabric, StageHair};
use galatea_character::Character;
use galatea_physics::particles::ParticleObstacle;
use galatea_rig::spring::ColliderShape;

/// Encoded colours: spring bones, spring colliders, threads, pins, and bodies under cloth.
pub const SPRING: [f32; 3] = [1.0, 0.66, 0.18];
pub const COLLIDER: [f32; 3] = [0.36, 0.92, 0.46];
pub const THREAD: [f32; 3] = [0.30, 0.58, 1.0];
pub const PIN: [f32; 3] = [1.0, 0.25, 0.3];
pub const BODY: [f32; 3] = [0.62, 0.64, 0.68];

/// Adds the springs of a character.
pub fn add(character: &Character, frame: &mut Frame) {
    let lines = &mut frame.lines;
    for own in &character.secondary.springs {
        for (from, to, radius) in own.springs.shown() {
            let color = linear(SPRING);
            lines.push(OverlayLine { from, to, color });
            if radius > 0.0 {
                add_sphere((to, radius), color, lines);
            }
        }
        for shape in own.springs.shown_colliders() {
            let color = linear(COLLIDER);
            match shape {
                ColliderShape::Sphere { offset, radius, .. } => {
                    add_sphere((offset, radius), color, lines);
                }
                ColliderShape::Capsule {
                    offset,
                    tail,
                    radius,
                    ..
                } => add_capsule((offset, tail, radius), color, lines),
                ColliderShape::Box {
                    offset,
                    rotation,
                    half,
                } => add_turned_box((offset, rotation, half), color, lines),
                ColliderShape::Plane { .. } => {}
            }
        }
    }
    for own in &character.secondary.jiggles {
        let bone = own.jiggling.jiggle.bone;
        let at = character.posed.model_from_bone.get(usize::from(bone));
        let world = character.posed.world[0] * at.copied().unwrap_or(Affine3A::IDENTITY);
        let tip = own.jiggling.jiggle.tip.unwrap_or(Vec3::ZERO);
        let to = world.transform_point3(tip);
        let color = linear(SPRING);
        lines.push(OverlayLine {
            from: world.translation.into(),
            to,
            color,
        });
        add_sphere((to, 0.02), color, lines);
    }
}

/// Adds ropes and cloth of shown characters.
pub fn add_fabrics(
    fabrics: &Arena<StageFabric>,
    is_shown: impl Fn(Handle) -> bool,
    frame: &mut Frame,
) {
    let lines = &mut frame.lines;
    for (_, piece) in fabrics.iter().filter(|(_, f)| is_shown(f.character)) {
        let world = &piece.fabric.world;
        let place = |i: u32| world.particles.get(i as usize).map(|p| p.position);
        for lane in &piece.fabric.lanes {
            for pair in lane.windows(2) {
                if let [Some(from), Some(to)] = [pair[0], pair[1]].map(place) {
                    lines.push(OverlayLine {
                        from,
                        to,
                        color: linear(THREAD),
                    });
                }
            }
        }
        for pair in piece.fabric.lanes.windows(2) {
            for (a, b) in pair[0].iter().zip(&pair[1]) {
                if let (Some(from), Some(to)) = (place(*a), place(*b)) {
                    lines.push(OverlayLine {
                        from,
                        to,
                        color: linear(THREAD),
                    });
                }
            }
        }
        for (_, at) in &piece.fabric.pins {
            add_sphere((*at, 0.015), linear(PIN), lines);
        }
        add_obstacles(piece.obstacles(), lines);
    }
}

/// Adds hair guides if the hair or its wearer is shown, with their obstacles.
pub fn add_hair(hair: &Arena<StageHair>, is_shown: impl Fn(Handle) -> bool, frame: &mut Frame) {
    let lines = &mut frame.lines;
    for (_, hair) in hair.iter() {
        if !is_shown(hair.character) && !is_shown(hair.wearer.0) {
            continue;
        }
        for guide in 0..hair.size.0 {
            for pair in hair.points(guide).windows(2) {
                let [from, to] = [pair[0], pair[1]];
                let color = linear(THREAD);
                lines.push(OverlayLine { from, to, color });
            }
        }
        add_obstacles(hair.obstacles(), lines);
    }
}

fn add_obstacles(obstacles: &[ParticleObstacle], lines: &mut Vec<OverlayLine>) {
    for obstacle in obstacles {
        match *obstacle {
            ParticleObstacle::Capsule { a, b, radius } => {
                add_capsule((a, b, radius), linear(BODY), lines)
            }
            ParticleObstacle::Sphere { center, radius } => {
                add_sphere((center, radius), linear(BODY), lines)
            }
            ParticleObstacle::Box {
                center,
                rotation,
                half,
            } => add_turned_box((center, rotation, half), linear(BODY), lines),
            ParticleObstacle::Plane { .. } => {}
        }
    }
}

/// Spheres at both ends and four lines between them.
fn add_capsule((a, b, radius): (Vec3, Vec3, f32), color: Vec3, lines: &mut Vec<OverlayLine>) {
    add_sphere((a, radius), color, lines);
    let Some(along) = (b - a).try_normalize() else {
        return;
    };
    add_sphere((b, radius), color, lines);
    let (x, y) = along.any_orthonormal_pair();
    for side in [x, -x, y, -y] {
        lines.push(OverlayLine {
            from: a + side * radius,
            to: b + side * radius,
            color,
        });
    }
}

fn add_turned_box(
    (center, rotation, half): (Vec3, glam::Quat, Vec3),
    color: Vec3,
    lines: &mut Vec<OverlayLine>,
) {
    let corner = |i: usize| {
        let side = |bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
        center + rotation * (half * Vec3::new(side(0), side(1), side(2)))
    };
    for from in 0..8 {
        for bit in (0..3).filter(|bit| from >> bit & 1 == 0) {
            lines.push(OverlayLine {
                from: corner(from),
                to: corner(from | 1 << bit),
                color,
            });
        }
    }
}
