//! Materials of the mannequin: the mesh is cut along exact lines, so that colour borders are sharp.

use glam::{Vec2, Vec3, Vec4};

use super::{
    body::{BodyField, Parts},
    cut::cut_along,
    eye_shape,
    head::{MOUTH, behind_hairline, ear},
    pictures, rig,
    sdf::smoothstep,
    surface::Shell,
};
use galatea_asset::model::{
    Iris, Material, MaterialKind, Outline, OutlineMode, Sampler, TextureRef, Toon, UvTransform,
    Wrap,
};

/// Materials of the mannequin, in the order of `Model::materials`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Paint {
    /// Warm porcelain.
    Skin,
    /// The fitted garment.
    Cloth,
    /// Edges and bands.
    Trim,
    /// The combed hair.
    Hair,
    /// Boots.
    Leather,
    /// Soles.
    Sole,
    /// Painted lips.
    Lips,
    /// Eyebrows.
    Brow,
    /// Eyelashes.
    Lash,
    /// Eyeball, with its texture.
    Eye,
}

impl Paint {
    /// All paints, by index.
    pub const ALL: [Self; 10] = [
        Self::Skin,
        Self::Cloth,
        Self::Trim,
        Self::Hair,
        Self::Leather,
        Self::Sole,
        Self::Lips,
        Self::Brow,
        Self::Lash,
        Self::Eye,
    ];

    /// Toon material (MToon): lit and shaded colour with a hard border, and an outline.
    pub fn cartoon(self) -> Material {
        let plain = self.material();
        let (color, shade) = match self {
            Self::Skin => ([0.93, 0.66, 0.52], [0.66, 0.34, 0.29]),
            Self::Cloth => ([0.035, 0.270, 0.310], [0.012, 0.105, 0.170]),
            Self::Trim => ([0.95, 0.64, 0.20], [0.55, 0.26, 0.08]),
            Self::Hair => ([0.270, 0.072, 0.036], [0.110, 0.022, 0.022]),
            Self::Leather => ([0.160, 0.066, 0.038], [0.066, 0.024, 0.022]),
            Self::Sole => ([0.040, 0.030, 0.028], [0.020, 0.015, 0.016]),
            Self::Lips => ([0.72, 0.26, 0.22], [0.45, 0.13, 0.13]),
            Self::Brow => ([0.070, 0.024, 0.016], [0.050, 0.016, 0.014]),
            Self::Lash => ([0.012, 0.008, 0.008], [0.010, 0.006, 0.006]),
            Self::Eye => ([1.0, 1.0, 1.0], [0.60, 0.56, 0.62]),
        };
        let color = Vec3::from(color);
        let lined = !matches!(self, Self::Eye | Self::Brow | Self::Lash | Self::Lips);
        Material {
            name: format!("toon_{}", plain.name),
            kind: MaterialKind::Toon,
            base_color: color.extend(1.0),
            base_color_texture: match self {
                Self::Eye => plain.base_color_texture,
                _ => None,
            },
            metallic: 0.0,
            roughness: 0.9,
            double_sided: plain.double_sided,
            toon: Some(Box::new(Toon {
                shade_color: Vec3::from(shade),
                shading_shift: -0.08,
                shading_toony: 0.93,
                gi_equalization: 0.9,
                rim_color: if lined { color * 0.25 } else { Vec3::ZERO },
                rim_fresnel_power: 6.0,
                outline: Outline {
                    mode: if lined {
                        OutlineMode::World
                    } else {
                        OutlineMode::None
                    },
                    width: 0.0016,
                    color: Vec3::from(shade) * 0.12,
                    lighting_mix: 0.6,
                    ..Outline::default()
                },
                ..Toon::default()
            })),
            ..Material::default()
        }
    }

    /// The glTF material.
    pub fn material(self) -> Material {
        let (name, color, metallic, roughness) = match self {
            Self::Skin => ("porcelain", [0.745, 0.505, 0.395], 0.0, 0.46),
            Self::Cloth => ("cloth", [0.030, 0.125, 0.150], 0.0, 0.78),
            Self::Trim => ("gold", [0.83, 0.55, 0.22], 0.85, 0.34),
            Self::Hair => ("hair", [0.105, 0.036, 0.022], 0.0, 0.52),
            Self::Leather => ("leather", [0.085, 0.040, 0.026], 0.0, 0.58),
            Self::Sole => ("sole", [0.022, 0.018, 0.016], 0.0, 0.85),
            Self::Lips => ("lips", [0.46, 0.190, 0.165], 0.0, 0.36),
            Self::Brow => ("brow", [0.085, 0.040, 0.026], 0.0, 0.70),
            Self::Lash => ("lash", [0.012, 0.008, 0.007], 0.0, 0.75),
            Self::Eye => ("eye", [1.0, 1.0, 1.0], 0.0, 0.10),
        };
        let picture = |image, wrap| {
            Some(TextureRef {
                image,
                uv_set: 0,
                uv_transform: UvTransform::IDENTITY,
                sampler: Sampler {
                    wrap_u: wrap,
                    wrap_v: wrap,
                    ..Sampler::default()
                },
            })
        };
        let mut material = Material {
            name: name.into(),
            base_color: Vec4::new(color[0], color[1], color[2], 1.0),
            metallic,
            roughness,
            double_sided: self == Self::Lash,
            ..Material::default()
        };
        match self {
            Self::Skin | Self::Lips => material.kind = MaterialKind::Skin,
            Self::Hair => {
                material.kind = MaterialKind::Hair;
                material.base_color_texture = picture(pictures::STRANDS, Wrap::Repeat);
                material.normal_texture = picture(pictures::STRAND_NORMALS, Wrap::Repeat);
            }
            Self::Brow | Self::Lash => material.kind = MaterialKind::Hair,
            Self::Eye => {
                material.kind = MaterialKind::Eye;
                material.base_color_texture = picture(pictures::EYE, Wrap::Clamp);
                material.iris = Some(Iris {
                    center: Vec2::splat(0.5),
                    radius: 0.5 * eye_shape::IRIS / eye_shape::TEXTURE_ANGLE,
                    depth: 0.45,
                });
            }
            _ => {}
        }
        material
    }
}

/// A border between paints: positive on one side. Approximately in metres.
type Border = fn(Vec3, &Parts) -> f32;

/// Hair against face.
fn hair(p: Vec3, parts: &Parts) -> f32 {
    // Ears are outside the hair.
    let q = Vec3::new(p.x.abs(), p.y, p.z);
    let out = parts.head.min(parts.torso) - parts.hair + 0.004;
    behind_hairline(q).min(out).min(ear(q) - 0.0030)
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

/// Distance outside the neckline: an oval seen from the front, lower at the front than at the back, that leaves a shoulder
/// strap.
fn below_neckline(p: Vec3) -> f32 {
    let depth = 0.074 + 0.042 * smoothstep(-0.06, 0.0, p.z);
    let q = Vec2::new(p.x, (p.y - 1.472).min(0.0));
    let radii = Vec2::new(0.100, depth);
    let k0 = (q / radii).length();
    let k1 = (q / (radii * radii)).length();
    k0 * (k0 - 1.0) / k1.max(1e-4)
}

/// Positive inside the garment's upper edge: below the neckline and on the trunk side of the armhole.
fn garment_top(p: Vec3) -> f32 {
    let q = Vec3::new(p.x.abs(), p.y, p.z);
    let slope = Vec3::new(0.929, -0.370, 0.0);
    let armhole = (0.008 - (q - rig::SHOULDER).dot(slope)).max(0.148 - q.x);
    let flank = (1.17 - q.y).min(0.215 - q.x);
    below_neckline(p).min(armhole.max(flank))
}

fn hem(p: Vec3) -> f32 {
    p.y - (0.665 + 0.12 * p.x.abs())
}

const BAND: f32 = 0.011;

const BORDERS: [Border; 17] = [
    hair,
    |p, _| lips(p),
    |p, _| garment_top(p),
    |p, _| garment_top(p) - BAND,
    |p, _| hem(p),
    |p, _| hem(p) - BAND,
    |p, _| belt(p) - BAND,
    |p, _| belt(p) + BAND,
    |p, _| boot(p),
    |p, _| boot(p) - BAND,
    |p, _| p.y - SOLE,
    |p, parts| along_arm(p, parts) - BRACELET.0,
    |p, parts| along_arm(p, parts) - BRACELET.1,
    |p, parts| along_arm(p, parts) - ARMLET.0,
    |p, parts| along_arm(p, parts) - ARMLET.1,
    |p, _| choker(p) - CHOKER,
    |p, _| choker(p) + CHOKER,
];

const SOLE: f32 = 0.014;
const CHOKER: f32 = 0.006;
const BRACELET: (f32, f32) = (0.490, 0.510);
const ARMLET: (f32, f32) = (0.165, 0.177);

/// Positive inside the edge of the lips.
fn lips(p: Vec3) -> f32 {
    let half = 0.0236;
    if p.z < 0.06 {
        return -1.0;
    }
    let x = (p.x.abs() / half).min(1.0);
    let bow = 0.0014 * (-(p.x / 0.0042).powi(2)).exp();
    let corner = 0.0006 * x;
    let above = MOUTH + corner + 0.0078 * (1.0 - x * x).powf(0.85) - bow;
    let below = MOUTH + corner - 0.0092 * (1.0 - x * x).powf(0.75);
    (above - p.y).min(p.y - below).min(half - p.x.abs())
}

/// Height above the centre of the belt.
fn belt(p: Vec3) -> f32 {
    p.y - 1.062 - 0.10 * p.z - 0.03 * p.x.abs()
}

/// Height above the edge of the boot.
fn boot(p: Vec3) -> f32 {
    p.y - 0.315 - 0.12 * p.z
}

/// Height above the centre of the neck band.
fn choker(p: Vec3) -> f32 {
    p.y - 1.471 + 0.30 * p.z
}

/// The paint at a point of the surface.
pub fn at(p: Vec3, parts: &Parts) -> Paint {
    let arm = along_arm(p, parts);
    let within = |(low, high): (f32, f32)| (low..high).contains(&arm);
    let band = choker(p).abs() < CHOKER && parts.head < parts.torso + 0.01;
    if hair(p, parts) > 0.0 {
        Paint::Hair
    } else if lips(p) > 0.0 {
        Paint::Lips
    } else if p.y < SOLE {
        Paint::Sole
    } else if boot(p) < 0.0 {
        Paint::Leather
    } else if boot(p) < BAND || within(BRACELET) || within(ARMLET) || band {
        Paint::Trim
    } else if garment_top(p) > 0.0 && hem(p) > 0.0 && arm < 0.15 {
        if garment_top(p) < BAND || hem(p) < BAND || belt(p).abs() < BAND {
            Paint::Trim
        } else {
            Paint::Cloth
        }
    } else {
        Paint::Skin
    }
}

/// Cuts the mesh along every border, so that each triangle has one paint, and returns the paints.
pub fn paint(shell: &mut Shell, body: &BodyField) -> Vec<Paint> {
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
