//! Skin weights from the figure's parts.
//!
//! Every bone takes a fraction of the parent's weight. The fraction is a smooth step across the joint's plane; for limbs it
//! is also limited by the part of the field at the point. So weights sum to one by construction and a leg never moves the
//! other one.

use glam::Vec3;

use super::{body::Parts, rig, sdf::smoothstep};
use galatea_anim::Skeleton;

/// Influences per vertex.
pub const PER_VERTEX: usize = 4;

/// The four strongest bones of a point and their weights, which sum to 1.
pub fn at(p: Vec3, parts: &Parts, skeleton: &Skeleton) -> ([u16; PER_VERTEX], [f32; PER_VERTEX]) {
    let bones = skeleton.bones();
    let shares: Vec<f32> = bones
        .iter()
        .map(|b| parent_fraction(&b.name, p, parts))
        .collect();
    let mut held = vec![0.0_f32; bones.len()];
    let hips = usize::from(skeleton.find("hips").unwrap_or(0));
    held[hips] = 1.0;
    for (i, bone) in bones.iter().enumerate() {
        let Some(parent) = bone.parent.map(usize::from) else {
            continue;
        };
        let requested: f32 = (0..bones.len())
            .filter(|k| bones[*k].parent.map(usize::from) == Some(parent))
            .map(|k| shares[k])
            .sum();
        if i != hips && requested > 0.0 {
            held[i] = held[parent] * shares[i] / requested.max(1.0);
        }
    }
    // A bone passes its children's weight on.
    let mut remaining = held.clone();
    for (i, bone) in bones.iter().enumerate() {
        if let Some(parent) = bone.parent
            && i != hips
        {
            remaining[usize::from(parent)] -= held[i];
        }
    }
    let mut order: Vec<usize> = (0..bones.len()).collect();
    order.sort_by(|a, b| remaining[*b].total_cmp(&remaining[*a]).then(a.cmp(b)));
    let best: [usize; PER_VERTEX] = std::array::from_fn(|k| order[k]);
    let raw = best.map(|i| {
        if remaining[i] > 0.004 {
            remaining[i]
        } else {
            0.0
        }
    });
    let sum: f32 = raw.iter().sum();
    let joints = std::array::from_fn(|k| if raw[k] > 0.0 { best[k] as u16 } else { 0 });
    (joints, raw.map(|w| w / sum))
}

/// Fraction of the parent's weight that a bone takes at a point, 0..=1.
fn parent_fraction(name: &str, p: Vec3, parts: &Parts) -> f32 {
    let ramp = |at: f32, half: f32, x: f32| smoothstep(at - half, at + half, x);
    let (mirror, part) = match name.split_once('_') {
        Some(("left", part)) => (1.0, part),
        Some(("right", part)) => (-1.0, part),
        _ => (0.0, name),
    };
    let q = Vec3::new(p.x * mirror, p.y, p.z);
    let on_side = mirror == 0.0 || q.x > -0.03;
    if !on_side {
        return 0.0;
    }
    let dir = rig::arm_dir();
    let along = (q - rig::SHOULDER).dot(dir);
    // 1 on the arm, 0 on the trunk, from the two distances.
    let arm = ramp(0.0, 0.035, parts.torso.min(parts.leg + 0.05) - parts.arm);
    let own_leg = if q.x >= 0.0 {
        parts.leg
    } else {
        parts.other_leg
    };
    let other_leg = if q.x >= 0.0 {
        parts.other_leg
    } else {
        parts.leg
    };
    match part {
        "spine" => ramp(0.985 - 0.10 * p.z, 0.060, p.y).max(arm),
        "chest" => ramp(1.120, 0.065, p.y).max(arm),
        "neck" => {
            let up = p.y - 1.432 + 0.25 * (p.z + 0.03);
            ramp(0.0, 0.032, up) * ramp(0.0, 0.03, 0.082 - p.x.abs() + 0.8 * (p.y - 1.43).max(0.0))
        }
        "head" => ramp(0.0, 0.028, p.y - 1.500 + 0.45 * (p.z + 0.01).min(0.08)),
        "shoulder" => {
            // Excludes the head.
            let below = smoothstep(1.49, 1.44, p.y);
            ramp(0.075, 0.06, q.x) * ramp(1.300, 0.075, p.y).max(arm) * below
        }
        "upper_arm" => {
            // The joint's plane bisects the angle between a hanging and a raised arm.
            let across = (q - rig::SHOULDER).dot(Vec3::new(0.88, -0.47, 0.0));
            ramp(0.006, 0.060, across) * arm.max(ramp(0.045, 0.045, along) * ramp(0.19, 0.02, q.x))
        }
        "lower_arm" => ramp(rig::UPPER_ARM, 0.036, along) * f32::from(q.x > 0.2),
        "hand" => ramp(rig::UPPER_ARM + rig::LOWER_ARM, 0.024, along),
        "fingers" => {
            let start = rig::UPPER_ARM + rig::LOWER_ARM + rig::PALM;
            ramp(start, 0.012, along) * ramp(0.0, 0.004, 0.040 - p.z)
        }
        "upper_leg" => {
            // The hip crease runs from the crotch up and outwards; the seat stays with the hips longer.
            let crease = 0.872 + 0.28 * (q.x - 0.088) + 0.20 * (p.z + 0.01).min(0.0);
            let below = ramp(0.0, 0.075, crease - p.y);
            below * ramp(0.0, 0.012, other_leg - own_leg + 0.002) * (1.0 - arm)
        }
        "lower_leg" => ramp(0.0, 0.048, rig::KNEE.y - p.y),
        "foot" => ramp(
            0.0,
            0.030,
            0.098 - p.y + 0.35 * (p.z - rig::ANKLE.z).clamp(-0.05, 0.1),
        ),
        "toes" => ramp(rig::BALL.z, 0.022, p.z),
        _ => 0.0,
    }
}
