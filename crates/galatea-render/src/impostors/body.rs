//! A simplified body for drawing impostors: coarse triangles, small textures, and skinning weights.

use glam::{Affine3A, Quat, Vec2, Vec3, Vec3A, Vec4};

use crate::pose_rows::TINTS;
use galatea_asset::model::{AlphaMode, Image, Material, MaterialKind, Primitive, TextureRef, Wrap};
use galatea_deform::PaletteLayout;
use galatea_math::srgb::decoded;
use galatea_stage::frame::BakedPoses;

/// Maximum texture side in texels, and samples along each side of a texel.
const MAX_TEXTURE_SIDE: u32 = 128;
const SAMPLES: u32 = 4;
/// Bodies with more triangles are always drawn as meshes.
const MAX_TRIANGLES: usize = 6000;

/// A simplified body for drawing impostors.
pub struct ImpostorBody {
    corners: Vec<ImpostorVertex>,
    triangles: Vec<Triangle>,
    surfaces: Vec<ImpostorMaterial>,
    /// Mean perceptual roughness, 0..=1.
    pub roughness: f32,
}

struct ImpostorVertex {
    position: Vec3A,
    normal: Vec3A,
    uv: Vec2,
    /// Linear vertex colour, multiplied by the material's colour.
    color: Vec4,
    /// Indices into the model's palette.
    joints: [u32; 4],
    weights: [f32; 4],
}

#[derive(Clone, Copy)]
pub struct Triangle {
    pub corners: [usize; 3],
    pub surface: usize,
}

/// Material of a triangle.
pub struct ImpostorMaterial {
    picture: Option<Small>,
    /// Alpha below which the surface is transparent.
    pub cutoff: f32,
    /// Index of the agent's tint colour, starting at 1; 0 without tint.
    pub tint: u8,
}

/// A downscaled linear texture.
struct Small {
    size: (u32, u32),
    texels: Vec<Vec4>,
    wraps: [Wrap; 2],
}

/// A posed vertex in view space: x to the right, y up, z towards the eye.
#[derive(Clone, Copy, Default)]
pub struct ProjectedCorner {
    pub at: Vec3A,
    pub normal: Vec3A,
    pub uv: Vec2,
    pub color: Vec4,
}

impl ImpostorBody {
    /// Builds the body of a pose book at a level of detail, with tints on some materials. Returns `None` if impostors cannot
    /// show it: toon materials use another lighting model.
    pub fn new(book: &BakedPoses, level: usize, tinted: &[u16]) -> Option<Self> {
        let model = &*book.model;
        let layout = PaletteLayout::new(model);
        let mut body = Self {
            corners: Vec::new(),
            triangles: Vec::new(),
            surfaces: Vec::new(),
            roughness: 0.0,
        };
        for (i, material) in (0..).zip(&model.materials) {
            let tint = tinted.iter().take(TINTS).position(|own| *own == i);
            body.surfaces.push(ImpostorMaterial {
                picture: material
                    .base_color_texture
                    .and_then(|slot| Small::of(model.images.get(slot.image)?, &slot)),
                cutoff: match material.alpha {
                    AlphaMode::Opaque => 0.0,
                    AlphaMode::Mask(cutoff) => cutoff,
                    AlphaMode::Blend => 0.5,
                },
                tint: tint.map_or(0, |tint| tint as u8 + 1),
            });
        }
        let mut first_weight = 0;
        for (part, first) in model.parts.iter().zip(&layout.part_start) {
            let mesh = model.meshes.get(part.mesh)?;
            let weights = book.morphs.get(first_weight..).unwrap_or_default();
            first_weight += mesh.morph_names.len();
            for (p, primitive) in mesh.primitives.iter().enumerate() {
                let material = model.materials.get(primitive.material);
                let Some(material) = material.filter(|_| primitive.ribbon.is_empty()) else {
                    continue;
                };
                if material.kind == MaterialKind::Toon || material.unlit {
                    return None;
                }
                let coarser = book.lods.triangles(part.mesh, p, level);
                let indices = coarser.unwrap_or(&primitive.indices);
                let joints = (*first, part.skin.is_some());
                body.add(primitive, (indices, weights), (material, joints));
            }
        }
        let n = body.triangles.len();
        if n == 0 || n > MAX_TRIANGLES {
            return None;
        }
        let rough = body.triangles.iter().map(|triangle| triangle.surface);
        body.roughness = rough.map(|s| model.materials[s].roughness).sum::<f32>() / n as f32;
        Some(body)
    }

    fn add(
        &mut self,
        primitive: &Primitive,
        (indices, weights): (&[u32], &[f32]),
        (material, (first, is_skinned)): (&Material, (u32, bool)),
    ) {
        let mut own = vec![usize::MAX; primitive.positions.len()];
        for three in indices.chunks_exact(3) {
            let corners = [three[0], three[1], three[2]].map(|v| v as usize);
            if corners.iter().any(|v| *v >= own.len()) {
                continue;
            }
            for v in corners {
                if own[v] == usize::MAX {
                    own[v] = self.corners.len();
                    let corner = corner(primitive, v, weights, (material, first, is_skinned));
                    self.corners.push(corner);
                }
            }
            self.triangles.push(Triangle {
                corners: corners.map(|v| own[v]),
                surface: primitive.material,
            });
        }
    }

    /// Iterates over the triangles and their materials.
    pub fn triangles(&self) -> impl Iterator<Item = (Triangle, &ImpostorMaterial)> {
        let seen = self.triangles.iter();
        seen.map(|triangle| (*triangle, &self.surfaces[triangle.surface]))
    }

    /// Projects the vertices in a pose along the axes of `view` (model from view).
    pub fn pose(&self, palette: &[Affine3A], view: Quat, out: &mut Vec<ProjectedCorner>) {
        let view = view.inverse();
        let matrix = |joint: u32| palette.get(joint as usize).copied().unwrap_or_default();
        let posed = |corner: &ImpostorVertex| {
            let (mut at, mut normal) = (Vec3A::ZERO, Vec3A::ZERO);
            for (joint, weight) in corner.joints.into_iter().zip(corner.weights) {
                if weight > 0.0 {
                    let m = matrix(joint);
                    at += m.transform_point3a(corner.position) * weight;
                    normal += m.transform_vector3a(corner.normal) * weight;
                }
            }
            ProjectedCorner {
                at: view * at,
                normal: view * normal,
                uv: corner.uv,
                color: corner.color,
            }
        };
        out.clear();
        out.extend(self.corners.iter().map(posed));
    }
}

fn corner(
    primitive: &Primitive,
    v: usize,
    weights: &[f32],
    (material, first, is_skinned): (&Material, u32, bool),
) -> ImpostorVertex {
    let mut position = primitive.positions[v];
    let mut normal = primitive.normals.get(v).copied().unwrap_or(Vec3::Y);
    for (target, weight) in primitive.targets.iter().zip(weights) {
        position += target.positions.get(v).copied().unwrap_or_default() * *weight;
        normal += target.normals.get(v).copied().unwrap_or_default() * *weight;
    }
    let slot = material.base_color_texture.as_ref();
    let uvs = match slot.map_or(0, |slot| slot.uv_set) {
        0 => &primitive.uv0,
        _ => &primitive.uv1,
    };
    let uv = uvs.get(v).copied().unwrap_or_default();
    let uv = slot.map_or(uv, |slot| slot.uv_transform.matrix().transform_point2(uv));
    let color = primitive.colors.get(v).copied().unwrap_or(Vec4::ONE);
    let n = primitive.influences.per_vertex;
    let mut strongest: Vec<(f32, u16)> = Vec::new();
    if is_skinned && n > 0 {
        let range = v * n..(v + 1) * n;
        let weights = primitive.influences.weights.get(range.clone());
        let joints = primitive.influences.joints.get(range);
        let both = weights
            .unwrap_or_default()
            .iter()
            .zip(joints.unwrap_or_default());
        strongest.extend(both.map(|(weight, joint)| (*weight, *joint)));
        strongest.sort_by(|a, b| b.0.total_cmp(&a.0));
        strongest.truncate(4);
    }
    if strongest.is_empty() {
        strongest.push((1.0, 0));
    }
    let sum: f32 = strongest.iter().map(|(weight, _)| weight).sum();
    let of = |k: usize| strongest.get(k).copied().unwrap_or((0.0, 0));
    ImpostorVertex {
        position: position.into(),
        normal: normal.into(),
        uv,
        color: color * material.base_color,
        joints: std::array::from_fn(|k| first + u32::from(of(k).1)),
        weights: std::array::from_fn(|k| of(k).0 / sum.max(1e-6)),
    }
}

impl ImpostorMaterial {
    /// Samples the base colour texture.
    pub fn color_at(&self, uv: Vec2) -> Vec4 {
        self.picture
            .as_ref()
            .map_or(Vec4::ONE, |small| small.at(uv))
    }
}

impl Small {
    fn of(image: &Image, slot: &TextureRef) -> Option<Self> {
        let (width, height) = (image.width, image.height);
        if width == 0 || height == 0 || image.rgba.len() != (width * height * 4) as usize {
            return None;
        }
        let size = (width.min(MAX_TEXTURE_SIDE), height.min(MAX_TEXTURE_SIDE));
        let light: [f32; 256] = std::array::from_fn(|byte| decoded(byte as f32 / 255.0));
        let texel = |x: u32, y: u32| {
            let at = ((y * width + x) * 4) as usize;
            let [r, g, b, a] = [0, 1, 2, 3].map(|k| image.rgba[at + k]);
            let light = |byte: u8| light[usize::from(byte)];
            Vec4::new(light(r), light(g), light(b), f32::from(a) / 255.0)
        };
        // Sample positions in the source texture within one texel of the small one.
        let along = |i: u32, k: u32, from: u32, to: u32| {
            let at = (f64::from(i) + (f64::from(k) + 0.5) / f64::from(SAMPLES)) / f64::from(to);
            ((at * f64::from(from)) as u32).min(from - 1)
        };
        let mean = |i: u32| {
            let (x, y) = (i % size.0, i / size.0);
            let all = (0..SAMPLES * SAMPLES).map(|k| {
                texel(
                    along(x, k % SAMPLES, width, size.0),
                    along(y, k / SAMPLES, height, size.1),
                )
            });
            all.sum::<Vec4>() / (SAMPLES * SAMPLES) as f32
        };
        Some(Self {
            size,
            texels: (0..size.0 * size.1).map(mean).collect(),
            wraps: [slot.sampler.wrap_u, slot.sampler.wrap_v],
        })
    }

    fn at(&self, uv: Vec2) -> Vec4 {
        let along = |at: f32, n: u32, wrap: Wrap| {
            let at = match wrap {
                Wrap::Repeat => at.rem_euclid(1.0),
                Wrap::Mirror => 1.0 - (at.rem_euclid(2.0) - 1.0).abs(),
                Wrap::Clamp => at,
            };
            ((at * n as f32) as u32).min(n - 1)
        };
        let x = along(uv.x, self.size.0, self.wraps[0]);
        let y = along(uv.y, self.size.1, self.wraps[1]);
        self.texels[(y * self.size.0 + x) as usize]
    }
}
