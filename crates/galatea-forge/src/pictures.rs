//! Textures of the mannequin: an eye, and combed hair. Everything is computed; equal calls give equal bytes.

use glam::{Vec2, Vec3};

use super::{eye_shape, sdf::smoothstep};
use galatea_asset::model::Image;
use galatea_math::srgb::to_byte;

/// Index of [`eye`] among the images of the character.
pub const EYE: usize = 2;
/// Index of the colours of [`strands`].
pub const STRANDS: usize = 0;
/// Index of the normals of [`strands`].
pub(crate) const STRAND_NORMALS: usize = 1;

/// Pseudo-random number from 0 to 1 for a lattice point (the integer hash of Jarzynski and Olano 2020, `pcg2d`, folded).
fn hash(x: i32, y: i32) -> f32 {
    let (mut a, mut b) = (
        (x as u32)
            .wrapping_mul(1_664_525)
            .wrapping_add(1_013_904_223),
        (y as u32)
            .wrapping_mul(1_664_525)
            .wrapping_add(1_013_904_223),
    );
    for _ in 0..2 {
        a = a.wrapping_add(b.wrapping_mul(1_664_525));
        b = b.wrapping_add(a.wrapping_mul(1_664_525));
        a ^= a >> 16;
        b ^= b >> 16;
    }
    ((a ^ b) >> 8) as f32 / (1 << 24) as f32
}

/// Smooth noise from 0 to 1 with a period of `period` steps along each axis.
fn noise(p: Vec2, period: (i32, i32)) -> f32 {
    let cell = p.floor();
    let f = p - cell;
    let f = f * f * (3.0 - 2.0 * f);
    let at = |dx: i32, dy: i32| {
        let x = (cell.x as i32 + dx).rem_euclid(period.0);
        let y = (cell.y as i32 + dy).rem_euclid(period.1);
        hash(x, y)
    };
    let low = at(0, 0) + (at(1, 0) - at(0, 0)) * f.x;
    let high = at(0, 1) + (at(1, 1) - at(0, 1)) * f.x;
    low + (high - low) * f.y
}

/// Computes a square image; `texel` returns the linear colour at texture coordinates.
fn painted(name: &str, side: u32, texel: impl Fn(Vec2) -> Vec3) -> Image {
    let mut rgba = Vec::with_capacity((side * side * 4) as usize);
    for y in 0..side {
        for x in 0..side {
            let uv = (Vec2::new(x as f32, y as f32) + 0.5) / side as f32;
            rgba.extend(texel(uv).to_array().map(to_byte));
            rgba.push(255);
        }
    }
    Image {
        name: name.into(),
        width: side,
        height: side,
        rgba,
    }
}

/// An eye seen from the front, `eye_shape::TEXTURE_ANGLE` from centre to edge: pupil, fibres of the iris, its dark rim, and
/// a white that reddens away from it.
pub fn eye() -> Image {
    painted("eye", 384, |uv| {
        let r = uv - 0.5;
        let angle = r.length() * 2.0 * eye_shape::TEXTURE_ANGLE;
        let turn = r.y.atan2(r.x) / std::f32::consts::TAU + 0.5;
        let share = angle / eye_shape::IRIS;
        let fibre = |n: i32, depth: f32| noise(Vec2::new(turn * n as f32, share * depth), (n, 64));
        let fibres = 0.5 * fibre(96, 2.2) + 0.3 * fibre(40, 3.0) + 0.2 * fibre(180, 1.5);
        // Lighter around the pupil, with a ring that separates the zones.
        let wreath = 0.46 + 0.06 * fibre(26, 0.0);
        let inner = 1.0 - smoothstep(wreath - 0.06, wreath + 0.10, share);
        let green = Vec3::new(0.050, 0.190, 0.150).lerp(Vec3::new(0.130, 0.400, 0.290), fibres);
        let amber = Vec3::new(0.160, 0.120, 0.035).lerp(Vec3::new(0.420, 0.300, 0.100), fibres);
        let mut iris = green.lerp(amber, inner * 0.75) * (0.55 + 0.9 * fibres);
        iris *= 1.0 - 0.85 * smoothstep(0.80, 1.0, share);
        let pupil = 1.0 - smoothstep(0.335, 0.385, share + 0.01 * fibre(40, 0.0));
        iris = iris.lerp(Vec3::splat(0.004), pupil);
        let veins = smoothstep(
            0.70,
            0.95,
            noise(Vec2::new(turn * 34.0, share * 1.7), (34, 64)),
        );
        let far = smoothstep(1.2, 2.6, share);
        let white = Vec3::new(0.80, 0.785, 0.765)
            .lerp(Vec3::new(0.74, 0.50, 0.46), far * (0.25 + 0.35 * veins));
        iris.lerp(white, smoothstep(0.95, 1.07, share))
    })
}

/// Tileable combed hair, strands along v: colour factors and normals.
pub fn strands() -> [Image; 2] {
    let side = 192;
    let height = |uv: Vec2| {
        // Strands are slightly wavy.
        let sway = 0.010 * (uv.y * std::f32::consts::TAU).sin();
        let at = |n: i32, along: i32| {
            let p = Vec2::new((uv.x + sway) * n as f32, uv.y * along as f32);
            noise(p, (n, along))
        };
        0.42 * at(11, 2) + 0.33 * at(29, 3) + 0.25 * at(64, 4)
    };
    let colors = painted("strands", side, |uv| {
        let h = height(uv);
        Vec3::splat(0.50 + 0.62 * smoothstep(0.2, 0.8, h))
    });
    let step = 1.0 / side as f32;
    let mut normals = painted("strand_normals", side, |_| Vec3::ZERO);
    for (i, texel) in normals.rgba.chunks_exact_mut(4).enumerate() {
        let (x, y) = (i as u32 % side, i as u32 / side);
        let uv = (Vec2::new(x as f32, y as f32) + 0.5) * step;
        let slope = (height(uv + Vec2::X * step) - height(uv - Vec2::X * step)) * 4.5;
        let n = Vec3::new(-slope, 0.0, 1.0).normalize() * 0.5 + 0.5;
        for (byte, v) in texel.iter_mut().zip(n.to_array()) {
            *byte = (v * 255.0).round() as u8;
        }
    }
    [colors, normals]
}

/// Loose strands along v on a transparent background, thinning out towards v = 1: colour factors, and alpha.
pub(crate) fn loose_strands() -> Image {
    let (width, height) = (128_u32, 192_u32);
    let mut rgba = Vec::with_capacity((width * height * 4) as usize);
    for y in 0..height {
        for x in 0..width {
            let (u, v) = (
                (x as f32 + 0.5) / width as f32,
                (y as f32 + 0.5) / height as f32,
            );
            let sway = 0.015 * (v * 5.0).sin();
            let fine = noise(Vec2::new((u + sway) * 64.0, v * 3.0), (64, 8));
            let thick = noise(Vec2::new((u + sway) * 20.0, v * 2.0), (20, 8));
            let strand = 0.55 * fine + 0.45 * thick;
            // A quarter of the width is one strip: alpha fades at its edges, and more at its end.
            let edge = 1.0 - ((u * 4.0).fract() * 2.0 - 1.0).abs().powi(3);
            let need = 0.16 + 0.50 * v.powf(1.6) + 0.35 * (1.0 - edge);
            let alpha = smoothstep(need - 0.05, need + 0.10, strand) * smoothstep(1.0, 0.93, v);
            let shade = to_byte(0.48 + 0.62 * strand);
            rgba.extend([shade, shade, shade, (alpha * 255.0).round() as u8]);
        }
    }
    Image {
        name: "loose_strands".into(),
        width,
        height,
        rgba,
    }
}
