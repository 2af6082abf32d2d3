//! Pictures baked of meshes, for any model: normals and openness from a finer mesh (NM-12), thickness, curvature, how far
//! a shape moves each place; normals taken to object space and back (NM-03).

mod rays;
#[cfg(test)]
mod tests;

use std::iter::Sum;
use std::ops::Mul;

use glam::{Vec2, Vec3, Vec4};
use rayon::prelude::*;

pub use rays::{Rays, normals, openness, thickness};

use super::texels::{Texel, UvTriangle, spread, texels};
use galatea_asset::model::Image;
use galatea_asset::normals::{as_color, direction};

/// A mesh as it stands, model space, metres. Triangles name corners.
#[derive(Clone, Debug, Default)]
pub struct BakeMesh {
    /// Places.
    pub at: Vec<Vec3>,
    /// Unit.
    pub normal: Vec<Vec3>,
    /// Unit along growing u, and the sign of the bitangent; may be empty of one that is only looked at.
    pub tangent: Vec<Vec4>,
    /// On the picture, v downwards; may be empty likewise.
    pub uv: Vec<Vec2>,
    /// Corners.
    pub triangles: Vec<[u32; 3]>,
}

/// How pictures are baked.
#[derive(Clone, Copy, Debug)]
pub struct MapOptions {
    /// Pixels of each side.
    pub side: u32,
    /// Metres that rays go, or that are white.
    pub reach: f32,
    /// Rays of a pixel's sample.
    pub rays: u32,
    /// Samples along each side of a pixel.
    pub samples: u32,
    /// Pixels beside charts that are as their edge.
    pub gutter: u32,
}

impl Default for MapOptions {
    fn default() -> Self {
        Self {
            side: 1024,
            reach: 0.02,
            rays: 64,
            samples: 2,
            gutter: 8,
        }
    }
}

/// What was baked.
#[derive(Clone, Debug)]
pub struct Map {
    /// Linear, opaque.
    pub image: Image,
    /// Share of the picture that a triangle covers.
    pub covered: f32,
    /// Share of that where no ray met the finer mesh.
    pub missed: f32,
    /// Share of it that two triangles cover: both get the same there.
    pub doubled: f32,
}

/// Why nothing was baked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// It has no texture coordinates.
    #[error("it has no texture coordinates to bake for")]
    NoCoordinates,
    /// All triangles lie outside of the picture or have no area on it.
    #[error(
        "none of its triangles lies on the picture: its texture coordinates are not in 0 to 1, or have no area"
    )]
    NothingLaid,
    /// The finer mesh has no triangles.
    #[error("the finer mesh has no triangles")]
    NoTriangles,
}

/// A value of a place; `None` where nothing was met.
type MapValue = Option<Vec3>;

/// Paints a picture: `of` gives the value of each sample, `none` stands where there is none; `encode` makes a colour of
/// their mean.
fn painted(
    mesh: &BakeMesh,
    options: &MapOptions,
    none: Vec3,
    of: impl Fn(&Texel) -> MapValue + Sync,
    encode: impl Fn(Vec3) -> Vec3,
    beside: Vec3,
) -> Result<Map, MapError> {
    let laid = laid(mesh)?;
    let (side, n) = (options.side, options.samples.max(1));
    let n_pixels = (side * side) as usize;
    let mut sums = vec![(Vec3::ZERO, 0.0_f32); n_pixels];
    let (mut n_seen, mut n_missed) = (0_usize, 0_usize);
    for k in 0..n * n {
        // Samples stand in the middles of the parts of a pixel.
        let part = Vec2::new((k % n) as f32, (k / n) as f32) + 0.5;
        let aside = (part / n as f32 - 0.5) / side as f32;
        let moved: Vec<UvTriangle> = laid
            .iter()
            .map(|own| UvTriangle {
                uv: own.uv.map(|uv| uv - aside),
                ..*own
            })
            .collect();
        let seen = texels(&moved, side);
        let values: Vec<MapValue> = seen
            .par_iter()
            .map(|texel| texel.as_ref().and_then(&of))
            .collect();
        for ((sum, texel), value) in sums.iter_mut().zip(&seen).zip(values) {
            if texel.is_none() {
                continue;
            }
            n_seen += 1;
            n_missed += usize::from(value.is_none());
            sum.0 += value.unwrap_or(none);
            sum.1 += 1.0;
        }
    }
    if n_seen == 0 {
        return Err(MapError::NothingLaid);
    }
    let mut pixels: Vec<Option<Vec3>> = sums
        .iter()
        .map(|(sum, n)| (*n > 0.0).then(|| encode(*sum / *n)))
        .collect();
    let covered = pixels.iter().flatten().count() as f32 / n_pixels as f32;
    spread(&mut pixels, side, options.gutter);
    let byte = |x: f32| (x.clamp(0.0, 1.0) * 255.0).round() as u8;
    let rgba = pixels.iter().flat_map(|pixel| {
        let [r, g, b] = pixel.unwrap_or(beside).to_array().map(byte);
        [r, g, b, 255]
    });
    Ok(Map {
        image: Image {
            name: String::new(),
            width: side,
            height: side,
            rgba: rgba.collect(),
        },
        covered,
        missed: n_missed as f32 / n_seen as f32,
        doubled: doubled(&laid),
    })
}

/// Triangles of a mesh on its picture.
fn laid(mesh: &BakeMesh) -> Result<Vec<UvTriangle>, MapError> {
    if mesh.uv.len() != mesh.at.len() || mesh.at.is_empty() {
        return Err(MapError::NoCoordinates);
    }
    let tangent = |i: usize| {
        let across = || mesh.normal[i].any_orthonormal_vector().extend(1.0);
        mesh.tangent.get(i).copied().unwrap_or_else(across)
    };
    let all = mesh.triangles.iter().map(|corners| {
        let corners = corners.map(|i| i as usize);
        UvTriangle {
            at: corners.map(|i| mesh.at[i]),
            normal: corners.map(|i| mesh.normal[i]),
            tangent: corners.map(|i| tangent(i).truncate()),
            hand: tangent(corners[0]).w,
            uv: corners.map(|i| mesh.uv[i]),
        }
    });
    Ok(all.collect())
}

/// The share of what is covered that two triangles cover, on a coarse picture.
fn doubled(laid: &[UvTriangle]) -> f32 {
    const SIDE: usize = 256;
    /// How far inside of a triangle a pixel must be: neighbours share their edges.
    const INSIDE: f32 = 0.02;
    let mut counts = vec![0_u8; SIDE * SIDE];
    for own in laid {
        let [a, b, c] = own.uv.map(|uv| uv * SIDE as f32 - 0.5);
        let area = (b - a).perp_dot(c - a);
        if area.abs() < 1e-6 || !area.is_finite() {
            continue;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let span = |low: f32, high: f32| {
            low.floor().max(0.0) as usize..=(high.ceil().max(0.0) as usize).min(SIDE - 1)
        };
        for y in span(low.y, high.y) {
            for x in span(low.x, high.x) {
                let p = Vec2::new(x as f32, y as f32);
                let shares = [
                    (b - p).perp_dot(c - p),
                    (c - p).perp_dot(a - p),
                    (a - p).perp_dot(b - p),
                ];
                if shares.iter().all(|share| share / area > INSIDE) {
                    let count = &mut counts[y * SIDE + x];
                    *count = count.saturating_add(1);
                }
            }
        }
    }
    let covered = counts.iter().filter(|n| **n > 0).count();
    let twice = counts.iter().filter(|n| **n > 1).count();
    twice as f32 / covered.max(1) as f32
}

/// Tangent, bitangent and normal of a texel.
fn axes(texel: &Texel) -> [Vec3; 3] {
    let bitangent = texel.normal.cross(texel.tangent) * texel.hand;
    [texel.tangent, bitangent, texel.normal]
}

fn to_tangent(texel: &Texel, direction: Vec3) -> Vec3 {
    Vec3::from(axes(texel).map(|axis| direction.dot(axis)))
}

/// How curved the mesh is: middle grey where it is flat, white on ridges and balls whose radius is `reach` or less, black
/// in such grooves.
///
/// # Errors
/// When there is nothing to bake for.
pub fn curvature(mesh: &BakeMesh, options: &MapOptions) -> Result<Map, MapError> {
    let curved = curvatures(mesh);
    let of = |texel: &Texel| {
        let own = mixed(mesh, &curved, texel);
        Some(Vec3::splat(0.5 + 0.5 * own * options.reach))
    };
    let grey = Vec3::splat(0.5);
    painted(mesh, options, grey, of, |mean| mean, grey)
}

/// The mean curvature of each corner, 1 / metres, more than 0 where it bulges: how much normals part along edges. Corners
/// at one place are one.
fn curvatures(mesh: &BakeMesh) -> Vec<f32> {
    let mut first = std::collections::HashMap::new();
    let places: Vec<usize> = mesh
        .at
        .iter()
        .enumerate()
        .map(|(i, at)| *first.entry(at.to_array().map(f32::to_bits)).or_insert(i))
        .collect();
    let mut normals = vec![Vec3::ZERO; mesh.at.len()];
    for (i, place) in places.iter().enumerate() {
        normals[*place] += mesh.normal[i];
    }
    let mut sums = vec![(0.0_f32, 0.0_f32); mesh.at.len()];
    for corners in &mesh.triangles {
        for k in 0..3 {
            let [a, b] = [corners[k], corners[(k + 1) % 3]].map(|i| places[i as usize]);
            let way = mesh.at[b] - mesh.at[a];
            let length2 = way.length_squared();
            if length2 <= 0.0 {
                continue;
            }
            let [from, to] = [a, b].map(|i| normals[i].normalize_or_zero());
            let curved = (to - from).dot(way) / length2;
            for i in [a, b] {
                sums[i].0 += curved;
                sums[i].1 += 1.0;
            }
        }
    }
    let mean = |place: &usize| {
        let (sum, n) = sums[*place];
        if n > 0.0 { sum / n } else { 0.0 }
    };
    places.iter().map(mean).collect()
}

/// How far each place is moved, a mask: white where it is moved farthest, black where it stays. Gives the farthest too,
/// metres.
///
/// # Errors
/// When there is nothing to bake for.
pub fn moved(mesh: &BakeMesh, to: &[Vec3], options: &MapOptions) -> Result<(Map, f32), MapError> {
    let far: Vec<f32> = mesh
        .at
        .iter()
        .zip(to)
        .map(|(a, b)| a.distance(*b))
        .collect();
    let farthest = far.iter().copied().fold(0.0, f32::max);
    let of = |texel: &Texel| Some(Vec3::splat(mixed(mesh, &far, texel) / farthest.max(1e-9)));
    let map = painted(mesh, options, Vec3::ZERO, of, |mean| mean, Vec3::ZERO)?;
    Ok((map, farthest))
}

/// A normal map of tangent space as one of object space, or back.
///
/// # Errors
/// When there is nothing to bake for.
pub fn other_space(
    mesh: &BakeMesh,
    picture: &Image,
    to_object: bool,
    options: &MapOptions,
) -> Result<Map, MapError> {
    let options = MapOptions {
        side: picture.width,
        samples: 1,
        ..*options
    };
    let of = |texel: &Texel| {
        let uv = mixed(mesh, &mesh.uv, texel);
        let at = |share: f32, most: u32| ((share * most as f32) as u32).min(most - 1);
        let (x, y) = (at(uv.x, picture.width), at(uv.y, picture.height));
        let own = direction(picture, x, y);
        Some(if to_object {
            let [t, b, n] = axes(texel);
            t * own.x + b * own.y + n * own.z
        } else {
            to_tangent(texel, own)
        })
    };
    let beside = if to_object {
        Vec3::splat(0.5)
    } else {
        as_color(Vec3::Z)
    };
    painted(mesh, &options, Vec3::Z, of, as_color, beside)
}

/// What corners have, mixed at a texel.
fn mixed<T: Copy + Mul<f32, Output = T> + Sum>(mesh: &BakeMesh, of: &[T], texel: &Texel) -> T {
    let corners = mesh.triangles[texel.triangle as usize];
    let both = corners.iter().zip(texel.weights);
    both.map(|(i, weight)| of[*i as usize] * weight).sum()
}
