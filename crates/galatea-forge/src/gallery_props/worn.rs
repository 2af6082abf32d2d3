//! Glasses, in the space of the head bone.

use std::f32::consts::TAU;

use glam::Vec3;

use super::solid::{SolidMesh, material, rigid};
use crate::{Forged, rig::EYE};
use galatea_asset::model::{Material, Transmission};

/// Position of the head bone in the rest pose.
const HEAD: Vec3 = Vec3::new(0.0, 1.515, -0.012);
/// Centre of the left lens, relative to the head bone.
const LENS: Vec3 = Vec3::new(EYE.x + 0.0020, EYE.y - 0.0035 - HEAD.y, 0.0985 - HEAD.z);

/// Thin glass in a metal frame; attach it to the bone `head`.
pub fn glasses() -> Forged {
    let mut frame = SolidMesh::default();
    let mut glass = SolidMesh::default();
    for mirror in [false, true] {
        let mut half = SolidMesh::tube(&rim(), 0.0013, 8, true);
        half.add(SolidMesh::tube(&temple(), 0.0013, 8, false));
        let mut lens = lens();
        if mirror {
            half = half.mirrored();
            lens = lens.mirrored();
        }
        frame.add(half);
        glass.add(lens);
    }
    let bridge: Vec<Vec3> = (0..=12)
        .map(|i| {
            let x = (i as f32 / 6.0 - 1.0) * 0.0105;
            let arch = 1.0 - (x / 0.0105).powi(2);
            Vec3::new(
                x,
                LENS.y + 0.0075 + 0.0030 * arch,
                LENS.z + 0.0020 + 0.0015 * arch,
            )
        })
        .collect();
    frame.add(SolidMesh::tube(&bridge, 0.0012, 8, false));
    let clear = Material {
        transmission: Transmission {
            factor: 0.96,
            ..Transmission::default()
        },
        double_sided: true,
        ..material("lens", [0.96, 0.98, 0.98], 0.0, 0.02)
    };
    rigid(
        "glasses",
        vec![
            (frame, material("frame", [0.90, 0.66, 0.36], 1.0, 0.22)),
            (glass, clear),
        ],
    )
}

/// Point on the rim of the left lens: a rounded square, slightly wider at the top, curved around the face.
fn on_rim(angle: f32, share: f32) -> Vec3 {
    let (sin, cos) = angle.sin_cos();
    let round = |v: f32| v.signum() * v.abs().powf(0.78);
    let x = round(cos) * 0.0215 * share * (1.0 + 0.05 * sin);
    let y = round(sin) * 0.0190 * share;
    let back = -0.10 * (x + 0.0215) - 6.0 * x.max(0.0).powi(2);
    LENS + Vec3::new(x, y, back + 0.0025)
}

fn rim() -> Vec<Vec3> {
    (0..44)
        .map(|i| on_rim(i as f32 / 44.0 * TAU, 1.0))
        .collect()
}

fn lens() -> SolidMesh {
    SolidMesh::patch(4, 32, |u, v| {
        let at = on_rim(u * TAU, 1.0 - v * 0.999);
        at + Vec3::Z * (0.0018 * (1.0 - (1.0 - v).powi(2)))
    })
}

/// Line of the temple from the rim back over the ear.
fn temple() -> Vec<Vec3> {
    let ends = [
        on_rim(0.35, 1.0),
        Vec3::new(0.0640, LENS.y + 0.0095, 0.0830),
        Vec3::new(0.0705, LENS.y + 0.0120, 0.0420),
        Vec3::new(0.0735, LENS.y + 0.0140, 0.0080),
        Vec3::new(0.0740, LENS.y + 0.0060, -0.0140),
        Vec3::new(0.0720, LENS.y - 0.0150, -0.0240),
    ];
    let mut line = Vec::new();
    for i in 0..ends.len() - 1 {
        let (a, b) = (ends[i], ends[i + 1]);
        let before = ends[i.saturating_sub(1)];
        let after = ends[(i + 2).min(ends.len() - 1)];
        for s in 0..5 {
            let t = s as f32 / 5.0;
            let (t2, t3) = (t * t, t * t * t);
            line.push(
                a * (2.0 * t3 - 3.0 * t2 + 1.0)
                    + (b - before) * 0.5 * (t3 - 2.0 * t2 + t)
                    + b * (3.0 * t2 - 2.0 * t3)
                    + (after - a) * 0.5 * (t3 - t2),
            );
        }
    }
    line.push(ends[ends.len() - 1]);
    line
}
