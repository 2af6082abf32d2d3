//! Which material lies where: the mesh is cut along exact lines, so that colours meet cleanly.

use glam::{Vec3, Vec4};

use super::{
    body::{Body, Parts},
    rig,
    surface::Shell,
};
use crate::asset::model::Material;

/// Materials of the figure, in the order of `Model::materials`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Paint {
    /// Warm porcelain.
    Skin,
    /// The fitted garment.
    Cloth,
    /// Edges and bands.
    Trim,
    /// Sculpted hair, brows and lashes.
    Hair,
    /// Boots.
    Leather,
    /// Soles.
    Sole,
    /// White of the eye.
    Sclera,
    /// Iris.
    Iris,
    /// Pupil.
    Pupil,
}

impl Paint {
    /// All of them, by index.
    pub const ALL: [Self; 9] = [
        Self::Skin,
        Self::Cloth,
        Self::Trim,
        Self::Hair,
        Self::Leather,
        Self::Sole,
        Self::Sclera,
        Self::Iris,
        Self::Pupil,
    ];

    /// The glTF material.
    pub fn material(self) -> Material {
        let (name, color, metallic, roughness) = match self {
            Self::Skin => ("porcelain", [0.80, 0.60, 0.49], 0.0, 0.48),
            Self::Cloth => ("cloth", [0.030, 0.125, 0.150], 0.0, 0.78),
            Self::Trim => ("gold", [0.83, 0.55, 0.22], 0.85, 0.34),
            Self::Hair => ("hair", [0.105, 0.036, 0.022], 0.0, 0.52),
            Self::Leather => ("leather", [0.085, 0.040, 0.026], 0.0, 0.58),
            Self::Sole => ("sole", [0.022, 0.018, 0.016], 0.0, 0.85),
            Self::Sclera => ("eye_white", [0.84, 0.80, 0.75], 0.0, 0.18),
            Self::Iris => ("iris", [0.055, 0.150, 0.135], 0.0, 0.10),
            Self::Pupil => ("pupil", [0.006, 0.006, 0.008], 0.0, 0.06),
        };
        Material {
            name: name.into(),
            base_color: Vec4::new(color[0], color[1], color[2], 1.0),
            metallic,
            roughness,
            ..Material::default()
        }
    }
}

/// A border between paints: positive on one side. Metres, roughly.
type Border = fn(Vec3, &Parts) -> f32;

/// Hair against face.
fn hair(_: Vec3, parts: &Parts) -> f32 {
    parts.head.min(parts.torso) - parts.hair
}

/// Distance along the arm from the shoulder; strongly negative off the arm.
fn along_arm(p: Vec3, parts: &Parts) -> f32 {
    let q = Vec3::new(p.x.abs(), p.y, p.z);
    let t = (q - rig::SHOULDER).dot(rig::arm_dir());
    if parts.arm < parts.torso.min(parts.leg) + 0.012 || q.x > 0.24 {
        t
    } else {
        -1.0
    }
}

/// How far below the neckline: a round yoke that is deeper in front.
fn below_neckline(p: Vec3) -> f32 {
    let depth = if p.z > -0.02 { 0.055 } else { 0.012 };
    let scoop = depth * (1.0 - (p.x / 0.115).powi(2)).max(-0.6);
    1.408 - scoop - p.y
}

/// Inside the garment's upper edge: under the neckline and on the trunk's side of the armhole.
fn garment_top(p: Vec3) -> f32 {
    let q = Vec3::new(p.x.abs(), p.y, p.z);
    let slope = Vec3::new(0.93, -0.37, 0.0).normalize();
    let armhole = 0.012 - (q - rig::SHOULDER).dot(slope);
    let armhole = if q.y < 1.20 && q.x < 0.19 { 0.1 } else { armhole };
    below_neckline(p).min(armhole)
}

fn hem(p: Vec3) -> f32 {
    p.y - (0.665 + 0.12 * p.x.abs())
}

const BAND: f32 = 0.011;

const BORDERS: [Border; 14] = [
    hair,
    |p, _| garment_top(p),
    |p, _| garment_top(p) - BAND,
    |p, _| hem(p),
    |p, _| hem(p) - BAND,
    |p, _| belt(p),
    |p, _| p.y - 0.315 - 0.12 * p.z,
    |p, _| p.y - 0.327 - 0.12 * p.z,
    |p, parts| if parts.leg < 0.02 { p.y - 0.014 } else { 1.0 },
    |p, parts| along_arm(p, parts) - 0.492,
    |p, parts| along_arm(p, parts) - 0.512,
    |p, parts| along_arm(p, parts) - 0.168,
    |p, parts| along_arm(p, parts) - 0.180,
    |p, _| choker(p),
];

fn belt(p: Vec3) -> f32 {
    0.010 - (p.y - 1.062 - 0.10 * p.z - 0.03 * p.x.abs()).abs()
}

fn choker(p: Vec3) -> f32 {
    if p.x.abs() > 0.075 { return -1.0 }
    0.0065 - (p.y - 1.452 + 0.30 * p.z).abs()
}

/// The paint at a point of the surface.
pub fn at(p: Vec3, parts: &Parts) -> Paint {
    let arm = along_arm(p, parts);
    let boot = p.y - 0.12 * p.z;
    if hair(p, parts) > 0.0 {
        Paint::Hair
    } else if p.y < 0.014 {
        Paint::Sole
    } else if boot < 0.315 {
        Paint::Leather
    } else if boot < 0.327 {
        Paint::Trim
    } else if (0.492..0.512).contains(&arm) || (0.168..0.180).contains(&arm) || choker(p) > 0.0 {
        Paint::Trim
    } else if garment_top(p) > 0.0 && hem(p) > 0.0 && arm < 0.15 {
        if garment_top(p) < BAND || hem(p) < BAND || belt(p) > 0.0 {
            Paint::Trim
        } else {
            Paint::Cloth
        }
    } else {
        Paint::Skin
    }
}

/// Cuts the mesh along every border, so that each triangle has one paint; then names it.
pub fn cut(shell: &mut Shell, body: &Body) -> Vec<Paint> {
    for border in BORDERS {
        cut_along(shell, |p| border(p, &body.parts(p)));
    }
    shell
        .triangles
        .iter()
        .map(|t| {
            let middle = t.iter().map(|i| shell.positions[*i as usize]).sum::<Vec3>() / 3.0;
            at(middle, &body.parts(middle))
        })
        .collect()
}

/// Cuts along the zero line of `f`. Vertices nearer to it than a fifth of an edge are moved onto
/// it, so that no slivers arise.
fn cut_along(shell: &mut Shell, f: impl Fn(Vec3) -> f32) {
    use std::collections::BTreeMap;
    let mut values: Vec<f32> = shell.positions.iter().map(|p| f(*p)).collect();
    for t in &shell.triangles {
        for k in 0..3 {
            let (a, b) = (t[k] as usize, t[(k + 1) % 3] as usize);
            let (va, vb) = (values[a], values[b]);
            if va * vb < 0.0 && (va - vb).abs() < 0.08 {
                let u = va / (va - vb);
                let (near, far, u) = if u < 0.5 { (a, b, u) } else { (b, a, 1.0 - u) };
                if u < 0.2 {
                    shell.positions[near] = shell.positions[near].lerp(shell.positions[far], u);
                    values[near] = 0.0;
                }
            }
        }
    }
    let mut new_of: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut triangles = Vec::with_capacity(shell.triangles.len());
    for t in &shell.triangles {
        let mut corners = Vec::with_capacity(6);
        let mut crossed = false;
        for k in 0..3 {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            corners.push(a);
            let (va, vb) = (values[a as usize], values[b as usize]);
            if va * vb < 0.0 && (va - vb).abs() < 0.08 {
                let m = *new_of.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    let p = shell.positions[a as usize].lerp(shell.positions[b as usize], va / (va - vb));
                    shell.positions.push(p);
                    values.push(0.0);
                    shell.positions.len() as u32 - 1
                });
                corners.push(m);
                crossed = true;
            }
        }
        if !crossed {
            triangles.push(*t);
            continue;
        }
        let sides = [true, false].map(|positive| {
            corners
                .iter()
                .copied()
                .filter(|i| values[*i as usize] * if positive { 1.0 } else { -1.0 } >= 0.0)
                .collect::<Vec<u32>>()
        });
        for side in sides {
            // At most four corners in order; the shorter diagonal splits them.
            match side[..] {
                [a, b, c] => triangles.push([a, b, c]),
                [a, b, c, d] => {
                    let p = |i: u32| shell.positions[i as usize];
                    if p(a).distance_squared(p(c)) < p(b).distance_squared(p(d)) {
                        triangles.extend([[a, b, c], [a, c, d]]);
                    } else {
                        triangles.extend([[a, b, d], [b, c, d]]);
                    }
                }
                _ => {}
            }
        }
    }
    shell.triangles = triangles;
}
