//! Software rasteriser for impostors. It draws a posed body into a small image: colour, normals, depth relative to the
//! centre, and tint index.

use std::sync::LazyLock;

use glam::{Affine3A, Quat, Vec2, Vec3, Vec3A, Vec4};

use super::body::{ImpostorBody, ImpostorMaterial, ProjectedCorner};
use crate::pose_rows::TINTS;
use galatea_math::clamp::ClampTo as _;
use galatea_math::srgb::encoded;

/// Samples along each side of a texel.
const SAMPLES: usize = 2;
/// Height of a tile in its smallest mip level, texels.
const MIN_HEIGHT: usize = 16;
/// Dilation passes. They extend the body's values outwards, so filtering does not mix in the background.
const N_DILATIONS: usize = 2;

/// Image of an agent.
pub struct ImpostorTile {
    pub slot: ImpostorQuad,
    /// Mip levels, finest first. Each has two images: colour (premultiplied by the coverage, sRGB) with coverage; and normal
    /// x, normal y, depth relative to the centre, tint index.
    pub levels: Vec<[Vec<[u8; 4]>; 2]>,
}

/// The quad of an impostor, model space, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImpostorQuad {
    pub middle: Vec3,
    /// Half size along x and y of the view.
    pub half: Vec2,
    /// Maximum distance of the body in front of or behind the quad.
    pub depth: f32,
}

/// Width and height of a tile of `height` texels.
pub fn size_of(height: usize) -> (usize, usize) {
    (height * 3 / 4, height)
}

/// Number of mip levels of a tile of `height` texels.
pub fn levels_of(height: usize) -> usize {
    (height / MIN_HEIGHT).max(1).ilog2() as usize + 1
}

/// Sums over the samples of a texel, weighted by coverage.
#[derive(Clone, Copy, Default)]
struct CoverageSum {
    light: Vec3A,
    cover: f32,
    normal: Vec3A,
    depth: f32,
    tints: [f32; TINTS + 1],
}

/// Rasteriser with reusable scratch buffers.
#[derive(Default)]
pub struct Raster {
    posed: Vec<ProjectedCorner>,
    samples: Vec<Sample>,
    texels: Vec<CoverageSum>,
    spread: Vec<CoverageSum>,
}

#[derive(Clone, Copy)]
struct Sample {
    depth: f32,
    light: Vec3A,
    normal: Vec3A,
    tint: u8,
}

const NOTHING: Sample = Sample {
    depth: f32::NEG_INFINITY,
    light: Vec3A::ZERO,
    normal: Vec3A::ZERO,
    tint: 0,
};

impl Raster {
    /// Draws a posed body along the axes of `view` (model from view) into an image of `height` texels.
    pub fn draw(
        &mut self,
        body: &ImpostorBody,
        palette: &[Affine3A],
        view: Quat,
        height: usize,
    ) -> ImpostorTile {
        body.pose(palette, view, &mut self.posed);
        let finite = self.posed.iter().filter(|corner| corner.at.is_finite());
        let (low, high) = finite.fold((Vec3A::INFINITY, Vec3A::NEG_INFINITY), |(low, high), c| {
            (low.min(c.at), high.max(c.at))
        });
        let (across, up) = size_of(height);
        let middle = if low.x <= high.x {
            (low + high) * 0.5
        } else {
            Vec3A::ZERO
        };
        let reach = if low.x <= high.x {
            (high - low) * 0.5
        } else {
            Vec3A::ONE
        };
        // The border is wide enough for the last mip level.
        let border = 1.0 - 2.0 / MIN_HEIGHT as f32;
        let half = reach.y.max(reach.x * up as f32 / across as f32).max(1e-4) / border;
        let placed = ImpostorQuad {
            middle: view * Vec3::from(middle),
            half: Vec2::new(half * across as f32 / up as f32, half),
            depth: reach.z.max(1e-4),
        };
        self.fill(body, middle, (across * SAMPLES, up * SAMPLES), half);
        self.texels.clear();
        let (samples, depth) = (&self.samples, placed.depth);
        let texel = |i: usize| {
            let (x, y) = (i % across, i / across);
            let of = |k: usize| {
                let (x, y) = (x * SAMPLES + k % SAMPLES, y * SAMPLES + k / SAMPLES);
                samples[y * across * SAMPLES + x].texel(depth)
            };
            mean((0..SAMPLES * SAMPLES).map(of))
        };
        self.texels.extend((0..across * up).map(texel));
        let mut levels = Vec::with_capacity(levels_of(height));
        let mut size = (across, up);
        loop {
            levels.push(self.encode(size));
            if levels.len() == levels_of(height) {
                return ImpostorTile {
                    slot: placed,
                    levels,
                };
            }
            size = (size.0 / 2, size.1 / 2);
            for i in 0..size.0 * size.1 {
                let (x, y) = (i % size.0 * 2, i / size.0 * 2);
                let of = |k: usize| self.texels[(y + k / 2) * size.0 * 2 + x + k % 2];
                // Each texel is read before it is overwritten.
                let four = mean((0..4).map(of));
                self.texels[i] = four;
            }
            self.texels.truncate(size.0 * size.1);
        }
    }

    fn fill(&mut self, body: &ImpostorBody, middle: Vec3A, size: (usize, usize), half: f32) {
        self.samples.clear();
        self.samples.resize(size.0 * size.1, NOTHING);
        let scale = size.1 as f32 * 0.5 / half;
        let centre = Vec2::new(size.0 as f32, size.1 as f32) * 0.5;
        for (triangle, surface) in body.triangles() {
            let corners = triangle.corners.map(|i| self.posed[i]);
            let projected = corners.map(|corner| {
                let off = corner.at - middle;
                (centre + Vec2::new(off.x, -off.y) * scale, off.z)
            });
            if projected
                .iter()
                .all(|(at, z)| at.is_finite() && z.is_finite())
            {
                fill_one(&mut self.samples, size, (&corners, projected), surface);
            }
        }
    }

    fn encode(&mut self, (across, up): (usize, usize)) -> [Vec<[u8; 4]>; 2] {
        let light = self.texels.iter().map(|texel| {
            let [r, g, b] = texel.light.to_array().map(encoded_byte);
            [r, g, b, unorm_byte(texel.cover)]
        });
        let light = light.collect();
        let mut form = self.texels.clone();
        for _ in 0..N_DILATIONS {
            self.spread.clone_from(&form);
            for (i, texel) in form.iter_mut().enumerate() {
                if texel.cover > 0.0 {
                    continue;
                }
                let (x, y) = (i % across, i / across);
                let ys = y.saturating_sub(1)..(y + 2).min(up);
                let beside = ys.flat_map(|y| {
                    let xs = x.saturating_sub(1)..(x + 2).min(across);
                    xs.map(move |x| y * across + x)
                });
                *texel = mean(beside.map(|i| self.spread[i]));
            }
        }
        let form = form.iter().map(|texel| {
            let normal = texel.normal.normalize_or(Vec3A::Z);
            let part = if texel.cover > 0.0 {
                texel.depth / texel.cover
            } else {
                0.0
            };
            let most = (0..=TINTS).max_by(|a, b| texel.tints[*a].total_cmp(&texel.tints[*b]));
            let tint = most.unwrap_or(0) as f32 / TINTS as f32;
            [
                normal.x * 0.5 + 0.5,
                normal.y * 0.5 + 0.5,
                part * 0.5 + 0.5,
                tint,
            ]
            .map(unorm_byte)
        });
        [light, form.collect()]
    }
}

impl Sample {
    fn texel(&self, depth: f32) -> CoverageSum {
        if self.depth == f32::NEG_INFINITY {
            return CoverageSum::default();
        }
        let mut tints = [0.0; TINTS + 1];
        tints[usize::from(self.tint)] = 1.0;
        CoverageSum {
            light: self.light,
            cover: 1.0,
            normal: self.normal,
            depth: self.depth / depth,
            tints,
        }
    }
}

fn mean(texels: impl Iterator<Item = CoverageSum>) -> CoverageSum {
    let (mut sum, mut n) = (CoverageSum::default(), 0.0);
    for texel in texels {
        sum.light += texel.light;
        sum.cover += texel.cover;
        sum.normal += texel.normal;
        sum.depth += texel.depth;
        for (own, more) in sum.tints.iter_mut().zip(texel.tints) {
            *own += more;
        }
        n += 1.0;
    }
    let inverse = 1.0 / f32::max(n, 1.0);
    CoverageSum {
        light: sum.light * inverse,
        cover: sum.cover * inverse,
        normal: sum.normal * inverse,
        depth: sum.depth * inverse,
        tints: sum.tints.map(|tint| tint * inverse),
    }
}

/// Rasterises one triangle. Both sides are visible; the normal is flipped towards the eye.
fn fill_one(
    samples: &mut [Sample],
    (across, up): (usize, usize),
    (corners, projected): (&[ProjectedCorner; 3], [(Vec2, f32); 3]),
    surface: &ImpostorMaterial,
) {
    let [(a, za), (b, zb), (c, zc)] = projected;
    let area = (b - a).perp_dot(c - a);
    if area == 0.0 {
        return;
    }
    let low = a.min(b).min(c);
    let high = a.max(b).max(c);
    let first = |at: f32| (at - 0.5).ceil().max(0.0) as usize;
    let end = |at: f32, n: usize| ((at - 0.5).floor() + 1.0).clamp_to(0.0, n as f32) as usize;
    for y in first(low.y)..end(high.y, up) {
        for x in first(low.x)..end(high.x, across) {
            let at = Vec2::new(x as f32, y as f32) + 0.5;
            let u = (b - at).perp_dot(c - at) / area;
            let v = (c - at).perp_dot(a - at) / area;
            let w = 1.0 - u - v;
            if u < 0.0 || v < 0.0 || w < 0.0 {
                continue;
            }
            let depth = za * u + zb * v + zc * w;
            let sample = &mut samples[y * across + x];
            if depth <= sample.depth {
                continue;
            }
            let uv = corners[0].uv * u + corners[1].uv * v + corners[2].uv * w;
            let color: Vec4 = corners[0].color * u + corners[1].color * v + corners[2].color * w;
            let color = color * surface.color_at(uv);
            if color.w < surface.cutoff {
                continue;
            }
            let normal = corners[0].normal * u + corners[1].normal * v + corners[2].normal * w;
            let normal = normal.normalize_or(Vec3A::Z);
            *sample = Sample {
                depth,
                light: Vec3A::from(color.truncate()),
                normal: if normal.z < 0.0 { -normal } else { normal },
                tint: surface.tint,
            };
        }
    }
}

fn unorm_byte(x: f32) -> u8 {
    (x.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// Encodes as sRGB, with a table indexed by the square root.
fn encoded_byte(light: f32) -> u8 {
    static TABLE: LazyLock<[u8; 1024]> = LazyLock::new(|| {
        std::array::from_fn(|i| {
            let root = i as f32 / 1023.0;
            unorm_byte(encoded(root * root))
        })
    });
    TABLE[(light.clamp(0.0, 1.0).sqrt() * 1023.0 + 0.5) as usize]
}
