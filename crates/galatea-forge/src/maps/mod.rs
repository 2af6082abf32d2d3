//! Map baking for any model: normals and ambient occlusion from a high-poly mesh, thickness, curvature, movement by a shape;
//! conversion of normal maps to object space and back.

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

/// A mesh in model space, metres.
#[derive(Clone, Debug, Default)]
pub struct BakeMesh {
    /// Positions.
    pub at: Vec<Vec3>,
    /// Unit normals.
    pub normal: Vec<Vec3>,
    /// Unit tangents along u, and the sign of the bitangent; may be empty for a ray target.
    pub tangent: Vec<Vec4>,
    /// Texture coordinates, v downwards; may be empty for a ray target.
    pub uv: Vec<Vec2>,
    /// Vertex indices.
    pub triangles: Vec<[u32; 3]>,
}

/// Options for baking.
#[derive(Clone, Copy, Debug)]
pub struct MapOptions {
    /// Width and height, pixels.
    pub side: u32,
    /// Length of rays, or the value shown as white, metres.
    pub reach: f32,
    /// Rays per sample.
    pub rays: u32,
    /// Samples per pixel side.
    pub samples: u32,
    /// Padding around charts, pixels.
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

/// Result of baking.
#[derive(Clone, Debug)]
pub struct Map {
    /// Linear, opaque image.
    pub image: Image,
    /// Fraction of the texture that triangles cover.
    pub covered: f32,
    /// Fraction of that where no ray hit the high-poly mesh.
    pub missed: f32,
    /// Fraction of that with overlapping triangles, which get the same value.
    pub doubled: f32,
}

/// Error: nothing was baked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// The mesh has no texture coordinates.
    #[error("the mesh has no texture coordinates")]
    NoCoordinates,
    /// All triangles are outside the texture or have no area in it.
    #[error(
        "no triangle of the mesh is on the texture: the texture coordinates are outside 0 to 1, or have no area"
    )]
    NothingLaid,
    /// The high-poly mesh has no triangles.
    #[error("the high-poly mesh has no triangles")]
    NoTriangles,
}

/// Value of a sample; `None` if no ray hit.
type MapValue = Option<Vec3>;

/// Bakes an image: `of` returns the value of each sample, `none` replaces missing values, `encode` converts the mean to a
/// colour.
fn painted(
    mesh: &BakeMesh,
    options: &MapOptions,
    none: Vec3,
    of: impl Fn(&Texel) -> MapValue + Sync,
    encode: impl Fn(Vec3) -> Vec3,
    beside: Vec3,
) -> Result<Map, MapError> {
    let laid = texture_triangles(mesh)?;
    let (side, n) = (options.side, options.samples.max(1));
    let n_pixels = (side * side) as usize;
    let mut sums = vec![(Vec3::ZERO, 0.0_f32); n_pixels];
    let (mut n_seen, mut n_missed) = (0_usize, 0_usize);
    for k in 0..n * n {
        // Samples are in the centres of the parts of a pixel.
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

/// Triangles of a mesh in texture space.
fn texture_triangles(mesh: &BakeMesh) -> Result<Vec<UvTriangle>, MapError> {
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

/// Fraction of the covered area with overlapping triangles, on a coarse image.
fn doubled(laid: &[UvTriangle]) -> f32 {
    const SIDE: usize = 256;
    /// Margin inside a triangle for a pixel to count, because neighbours share edges.
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

/// Curvature of the mesh: mid-grey where it is flat, white on ridges and balls of radius `reach` or less, black in such
/// grooves.
///
/// # Errors
/// If there is nothing to bake.
pub fn curvature(mesh: &BakeMesh, options: &MapOptions) -> Result<Map, MapError> {
    let curved = curvatures(mesh);
    let of = |texel: &Texel| {
        let own = mixed(mesh, &curved, texel);
        Some(Vec3::splat(0.5 + 0.5 * own * options.reach))
    };
    let grey = Vec3::splat(0.5);
    painted(mesh, options, grey, of, |mean| mean, grey)
}

/// Mean curvature at each vertex, 1 / metres, positive where convex, from the change of normals along edges. Vertices at
/// equal positions are merged.
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
            let edge_vector = mesh.at[b] - mesh.at[a];
            let length2 = edge_vector.length_squared();
            if length2 <= 0.0 {
                continue;
            }
            let [from, to] = [a, b].map(|i| normals[i].normalize_or_zero());
            let curved = (to - from).dot(edge_vector) / length2;
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

/// Mask of the displacement to `to`: white at the maximum, black where nothing moves. Also returns the maximum, metres.
///
/// # Errors
/// If there is nothing to bake.
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

/// Converts a normal map from tangent space to object space, or back.
///
/// # Errors
/// If there is nothing to bake.
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

/// Interpolates vertex values at a texel.
fn mixed<T: Copy + Mul<f32, Output = T> + Sum>(mesh: &BakeMesh, of: &[T], texel: &Texel) -> T {
    let corners = mesh.triangles[texel.triangle as usize];
    let both = corners.iter().zip(texel.weights);
    both.map(|(i, weight)| of[*i as usize] * weight).sum()
}
