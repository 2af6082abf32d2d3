//! Normal maps: computed from height maps, normalised.

use galatea_math::clamp::ClampTo as _;
use glam::Vec3;

use super::model::Image;

/// Tolerance of a unit-length texel, in steps of 1/255.
const MAX_ROUNDING: f32 = 1.5;

/// Decodes the direction of a texel.
pub fn direction(picture: &Image, x: u32, y: u32) -> Vec3 {
    let at = 4 * (y * picture.width + x) as usize;
    Vec3::from([0, 1, 2].map(|k| f32::from(picture.rgba[at + k]) / 127.5 - 1.0))
}

/// Encodes a direction as a colour, 0..=1.
pub fn as_color(direction: Vec3) -> Vec3 {
    direction.normalize_or(Vec3::Z) * 0.5 + 0.5
}

fn made(picture: &Image, of: impl Fn(u32, u32) -> Vec3) -> Image {
    let byte = |x: f32| (x.clamp(0.0, 1.0) * 255.0).round() as u8;
    let pixels = (0..picture.width * picture.height).flat_map(|i| {
        let color = as_color(of(i % picture.width, i / picture.width));
        let [r, g, b] = color.to_array().map(byte);
        [r, g, b, 255]
    });
    Image {
        name: picture.name.clone(),
        width: picture.width,
        height: picture.height,
        rgba: pixels.collect(),
    }
}

/// Computes normals from heights. White is higher than black by `depth` times the width of the image. With `wraps` the image
/// tiles. Green is up, as in glTF. Slopes use Scharr's operator (2000), which has equal weight in all directions.
pub fn from_heights(heights: &Image, depth: f32, wraps: bool) -> Image {
    let (wide, high) = (heights.width as i64, heights.height as i64);
    let levels: Vec<f32> = heights
        .rgba
        .chunks_exact(4)
        .map(|t| (f32::from(t[0]) + f32::from(t[1]) + f32::from(t[2])) / (3.0 * 255.0))
        .collect();
    let height = |x: i64, y: i64| {
        let (x, y) = if wraps {
            (x.rem_euclid(wide), y.rem_euclid(high))
        } else {
            (x.clamp_to(0, wide - 1), y.clamp_to(0, high - 1))
        };
        levels[(y * wide + x) as usize]
    };
    let scale = depth * wide as f32;
    made(heights, |x, y| {
        let (x, y) = (i64::from(x), i64::from(y));
        let slope = |along: fn(i64, i64) -> (i64, i64)| {
            let sum = [(-1, 3.0), (0, 10.0), (1, 3.0)].iter().map(|(k, weight)| {
                let [before, after] = [-1, 1].map(|step| {
                    let (dx, dy) = along(step, *k);
                    height(x + dx, y + dy)
                });
                weight * (after - before)
            });
            sum.sum::<f32>() / 32.0
        };
        let right = slope(|step, k| (step, k));
        let down = slope(|step, k| (k, step));
        Vec3::new(-right * scale, down * scale, 1.0)
    })
}

/// Renormalises a normal map after it was painted on or shrunk. Also returns the fraction of texels that needed it.
pub fn unit(normals: &Image) -> (Image, f32) {
    let image = made(normals, |x, y| direction(normals, x, y));
    let was = normals.rgba.chunks_exact(4);
    let n = (normals.width * normals.height).max(1);
    let differs = was.filter(|texel| {
        let own = [0, 1, 2].map(|k| f32::from(texel[k]) / 127.5 - 1.0);
        (Vec3::from(own).length() - 1.0).abs() > MAX_ROUNDING / 127.5
    });
    let fraction = differs.count() as f32 / n as f32;
    (image, fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_become_their_slopes_with_green_up() {
        // A ramp that rises to the right and, half as steep, upwards.
        let ramp = |x: u32, y: u32| (x * 2 + (63 - y)) as u8;
        let image = Image {
            name: String::new(),
            width: 64,
            height: 64,
            rgba: (0..64 * 64)
                .flat_map(|i| {
                    let h = ramp(i % 64, i / 64);
                    [h, h, h, 255]
                })
                .collect(),
        };
        // Two steps of 255 per pixel, in an image 64 wide and 0.5 widths deep: a slope of 0.251.
        let made = from_heights(&image, 0.5, false);
        let slope = 2.0 / 255.0 * 0.5 * 64.0;
        let expected = Vec3::new(-slope, -slope / 2.0, 1.0).normalize();
        assert!(direction(&made, 30, 30).angle_between(expected) < 0.006);
        // The edges of a tiling image form a cliff here.
        let wrapped = from_heights(&image, 0.5, true);
        assert!(direction(&wrapped, 63, 30).angle_between(expected) > 0.5);
        assert!(direction(&made, 63, 30).angle_between(expected) < 0.2);
    }

    #[test]
    fn a_painted_map_is_normalised() {
        let mut rgba = [128, 128, 255, 255].repeat(16);
        rgba[..4].copy_from_slice(&[200, 128, 128, 255]);
        rgba[4..8].copy_from_slice(&[128, 128, 128, 255]);
        let image = Image {
            name: String::new(),
            width: 4,
            height: 4,
            rgba,
        };
        let (made, fraction) = unit(&image);
        assert_eq!(fraction, 2.0 / 16.0);
        assert_eq!(made.rgba[0], 255, "along +X");
        for i in 0..16 {
            assert!((direction(&made, i % 4, i / 4).length() - 1.0).abs() < 0.012);
        }
        assert_eq!(unit(&made).1, 0.0);
    }
}
