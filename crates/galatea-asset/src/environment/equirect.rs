//! Converts an equirectangular image to the faces of a cube map.

use std::f32::consts::{PI, TAU};

use galatea_math::clamp::ClampTo as _;
use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::{Cube, Panorama, direction};

/// Limit of image rows per row of a face. Larger images are shrunk by a whole factor first.
const MAX_ROWS_PER_TEXEL: usize = 4;
/// Samples along a side of a texel for each row or column of the image that it covers.
const SAMPLES_PER_ROW: f32 = 2.0;
/// Limit of samples along a side, reached near the poles, where columns are close together.
const MAX_SAMPLES: usize = 48;

/// Resamples an image. Each texel is the mean of evenly spread samples, closer together than the image's pixels.
pub fn to_cube(picture: &Panorama, size: u32) -> Cube {
    let n = size as usize;
    let factor = (picture.height / (2 * n * MAX_ROWS_PER_TEXEL)).max(1);
    let smaller = (factor > 1).then(|| shrink(picture, factor));
    let picture = smaller.as_ref().unwrap_or(picture);
    let mut cube = Cube::new(size);
    let rows = cube.faces.par_chunks_mut(n).enumerate();
    rows.for_each(|(row, texels)| {
        for (x, texel) in texels.iter_mut().enumerate() {
            *texel = mean(
                picture,
                row / n,
                Vec2::new(x as f32, (row % n) as f32),
                size,
            );
        }
    });
    cube
}

/// Mean over the texel with the upper left corner `at`.
fn mean(picture: &Panorama, face: usize, at: Vec2, size: u32) -> Vec3 {
    let middle = direction(face, at.x + 0.5, at.y + 0.5, size as f32);
    // At the centre of a face a texel spans 2 / size radians, its maximum.
    let rows = 2.0 / size as f32 * picture.height as f32 / PI;
    let columns = 2.0 / size as f32 * picture.width as f32 / TAU;
    let cos_latitude = middle.with_y(0.0).length() / middle.length();
    let crowded = cos_latitude.max(1.0 / size as f32).recip();
    let n = rows.max(columns * crowded) * SAMPLES_PER_ROW;
    let n = (n.ceil() as usize).clamp(1, MAX_SAMPLES);
    let step = 1.0 / n as f32;
    let mut sum = Vec3::ZERO;
    for j in 0..n {
        for i in 0..n {
            let x = at.x + (i as f32 + 0.5) * step;
            let y = at.y + (j as f32 + 0.5) * step;
            sum += sample(picture, direction(face, x, y, size as f32));
        }
    }
    sum * (step * step)
}

/// Samples the image bilinearly in a direction of any length.
fn sample(picture: &Panorama, d: Vec3) -> Vec3 {
    let (width, height) = (picture.width, picture.height);
    let u = 0.5 + d.x.atan2(-d.z) / TAU;
    let v = d.with_y(0.0).length().atan2(d.y) / PI;
    let x = (u * width as f32 - 0.5).rem_euclid(width as f32);
    let y = (v * height as f32 - 0.5).clamp_to(0.0, (height - 1) as f32);
    let (x0, y0) = ((x as usize).min(width - 1), y as usize);
    let (x1, y1) = ((x0 + 1) % width, (y0 + 1).min(height - 1));
    let (s, t) = (x - x0 as f32, y - y0 as f32);
    let at = |x: usize, y: usize| picture.texels[y * width + x];
    let above = at(x0, y0).lerp(at(x1, y0), s);
    let below = at(x0, y1).lerp(at(x1, y1), s);
    above.lerp(below, t)
}

/// Averages blocks of `factor` × `factor` pixels; remaining pixels at the right and the lower edge join the last block.
fn shrink(picture: &Panorama, factor: usize) -> Panorama {
    let (width, height) = (
        (picture.width / factor).max(1),
        (picture.height / factor).max(1),
    );
    let span = |i: usize, n: usize, whole: usize| {
        let end = if i + 1 == n { whole } else { (i + 1) * factor };
        i * factor..end
    };
    let mut texels = vec![Vec3::ZERO; width * height];
    let rows = texels.par_chunks_mut(width).enumerate();
    rows.for_each(|(y, out)| {
        for (x, out) in out.iter_mut().enumerate() {
            let columns = span(x, width, picture.width);
            let rows = span(y, height, picture.height);
            let count = columns.len() * rows.len();
            let sum: Vec3 = rows
                .flat_map(|row| &picture.texels[row * picture.width..][columns.clone()])
                .sum();
            *out = sum / count as f32;
        }
    });
    Panorama {
        width,
        height,
        texels,
    }
}
