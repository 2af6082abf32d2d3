//! Studio lighting as an environment map (Radiance, RGBE).

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use crate::sdf::smoothstep;

const WIDTH: usize = 256;
const HEIGHT: usize = 128;

/// Soft boxes in a dark room, as an equirectangular Radiance image with its centre at -Z.
pub fn studio() -> Vec<u8> {
    let mut out =
        format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {HEIGHT} +X {WIDTH}\n").into_bytes();
    for y in 0..HEIGHT {
        let row: Vec<[u8; 4]> = (0..WIDTH)
            .map(|x| {
                let azimuth = ((x as f32 + 0.5) / WIDTH as f32 - 0.5) * TAU;
                let down = (y as f32 + 0.5) / HEIGHT as f32 * PI;
                let to = Vec3::new(
                    azimuth.sin() * down.sin(),
                    down.cos(),
                    -azimuth.cos() * down.sin(),
                );
                rgbe(light(to))
            })
            .collect();
        out.extend([2, 2, (WIDTH >> 8) as u8, (WIDTH & 255) as u8]);
        for channel in 0..4 {
            let bytes: Vec<u8> = row.iter().map(|texel| texel[channel]).collect();
            run_lengths(&bytes, &mut out);
        }
    }
    out
}

/// Radiance from a direction.
fn light(to: Vec3) -> Vec3 {
    let up = to.y;
    let room = Vec3::new(0.060, 0.062, 0.068)
        .lerp(Vec3::new(0.155, 0.150, 0.145), smoothstep(-0.6, 0.7, up));
    let floor = Vec3::new(0.115, 0.105, 0.095) * smoothstep(-0.05, -0.6, up);
    let mut sum = room + floor;
    // Yaw and pitch of the centre, half sizes, degrees; colour.
    let boxes = [
        (-42.0, 36.0, 22.0, 16.0, Vec3::new(1.0, 0.95, 0.88) * 7.5),
        (68.0, 18.0, 7.0, 30.0, Vec3::new(0.80, 0.90, 1.0) * 4.2),
        (160.0, 34.0, 26.0, 9.0, Vec3::new(1.0, 0.98, 0.95) * 4.5),
        (-120.0, 8.0, 5.0, 24.0, Vec3::new(1.0, 0.86, 0.70) * 2.6),
    ];
    for (yaw, pitch, wide, high, color) in boxes {
        // Yaw 0 is in front of a figure that faces +Z.
        let at = Vec2::new(
            to.x.atan2(to.z).to_degrees() - yaw,
            to.y.asin().to_degrees() - pitch,
        );
        let x = (at.x + 540.0).rem_euclid(360.0) - 180.0;
        let edge = |v: f32, half: f32| 1.0 - smoothstep(half - 1.5, half + 1.5, v.abs());
        let inside = edge(x, wide) * edge(at.y, high);
        // Brighter in the middle, like lights behind cloth.
        let middle =
            1.0 - 0.35 * (Vec2::new(x / wide, at.y / high).length_squared() * 0.5).min(1.0);
        sum = sum.lerp(color * middle, inside);
    }
    // A ceiling panel.
    sum.lerp(Vec3::splat(2.2), smoothstep(0.955, 0.97, up))
}

/// Encodes a texel: three mantissas and their shared exponent.
fn rgbe(color: Vec3) -> [u8; 4] {
    let max = color.max_element();
    if max < 1e-30 {
        return [0; 4];
    }
    let exponent = max.log2().floor() as i32 + 1;
    let scale = 256.0 / (exponent as f32).exp2();
    let [r, g, b] = (color * scale).to_array().map(|v| v.min(255.0) as u8);
    [r, g, b, (exponent + 128) as u8]
}

/// Run-length encoding: runs of at least three equal bytes as length + 128 and the byte, others as length and the bytes.
fn run_lengths(bytes: &[u8], out: &mut Vec<u8>) {
    let run_at = |i: usize| {
        bytes[i..]
            .iter()
            .take(127)
            .take_while(|b| **b == bytes[i])
            .count()
    };
    let mut i = 0;
    while i < bytes.len() {
        let run = run_at(i);
        if run >= 3 {
            out.extend([128 + run as u8, bytes[i]]);
            i += run;
            continue;
        }
        let start = i;
        while i < bytes.len() && i - start < 127 && run_at(i) < 3 {
            i += 1;
        }
        out.push((i - start) as u8);
        out.extend(&bytes[start..i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_studio_is_read_back_unchanged() {
        let bytes = studio();
        let picture = image::load_from_memory(&bytes)
            .expect("Radiance")
            .to_rgb32f();
        assert_eq!(picture.dimensions(), (256, 128));
        let at = |x: usize, y: usize| {
            let azimuth = ((x as f32 + 0.5) / 256.0 - 0.5) * TAU;
            let down = (y as f32 + 0.5) / 128.0 * PI;
            light(Vec3::new(
                azimuth.sin() * down.sin(),
                down.cos(),
                -azimuth.cos() * down.sin(),
            ))
        };
        for (x, y) in [(3, 4), (96, 40), (200, 100), (255, 64)] {
            let read = Vec3::from(picture.get_pixel(x, y).0);
            let painted = at(x as usize, y as usize);
            let error = (read - painted).abs().max_element() / painted.max_element();
            assert!(error < 0.02, "{read} {painted}");
        }
    }
}
