//! Default texture of hair strips: strands side by side that end at different lengths.

use std::f32::consts::TAU;

use galatea_asset::model::Image;
use galatea_math::random::RandomSource;

/// Width and height, pixels.
const SIZE: [usize; 2] = [128, 256];
const STRANDS: usize = 64;

/// A strand of the texture; values are fractions of its sides.
struct StripStrand {
    at: f32,
    width: f32,
    /// Amplitude, frequency and phase of its wave.
    wave: [f32; 3],
    ends: f32,
    shade: f32,
}

impl StripStrand {
    fn new(chance: &mut RandomSource) -> Self {
        let at = chance.between(0.04, 0.96);
        Self {
            at,
            width: chance.between(0.004, 0.013),
            wave: [
                chance.between(0.0, 0.025),
                chance.between(0.6, 1.8),
                chance.unit() * TAU,
            ],
            // Strands in the middle are longest, so that a strip ends in a point.
            ends: chance.between(0.55, 0.8) + 0.2 * (1.0 - (2.0 * at - 1.0).abs()),
            shade: chance.between(0.55, 1.0),
        }
    }

    /// Coverage of a pixel of width `wide`, at a distance `along` from the root.
    fn coverage(&self, x: f32, along: f32, wide: f32) -> f32 {
        let [far, often, from] = self.wave;
        let middle = self.at + far * along * (TAU * often * along + from).sin();
        let left = ((self.ends - along) / 0.25).clamp(0.0, 1.0);
        let half = self.width * (0.25 + 0.75 * left) * 0.5;
        let covered = ((half - (x - middle).abs()) / wide + 0.5).clamp(0.0, 1.0);
        covered * (left * 8.0).min(1.0)
    }
}

/// Creates the texture: strands with transparent gaps, 8 bits per channel; roots at the upper side.
pub fn strip_picture(seed: u64) -> Image {
    let mut chance = RandomSource::new(seed ^ 0x510e_527f);
    let lines: Vec<StripStrand> = (0..STRANDS)
        .map(|_| StripStrand::new(&mut chance))
        .collect();
    let [width, height] = SIZE;
    let mut rgba = Vec::with_capacity(width * height * 4);
    for y in 0..height {
        let along = (y as f32 + 0.5) / height as f32;
        for x in 0..width {
            let at = (x as f32 + 0.5) / width as f32;
            // Later strands are drawn over earlier ones.
            let (mut shade, mut covered) = (0.75, 0.0);
            for line in &lines {
                let own = line.coverage(at, along, 1.0 / width as f32);
                if own > 0.0 {
                    let fraction = own / (own + covered * (1.0 - own)).max(1e-6);
                    shade += (line.shade - shade) * fraction;
                    covered += (1.0 - covered) * own;
                }
            }
            let byte = |x: f32| (x * 255.0 + 0.5) as u8;
            // Approximately sRGB.
            let grey = byte(shade.powf(1.0 / 2.2));
            rgba.extend([grey, grey, grey, byte(covered)]);
        }
    }
    Image {
        name: "strip".into(),
        width: width as u32,
        height: height as u32,
        rgba,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strands_cover_the_root_and_end_one_after_another() {
        let picture = strip_picture(1);
        let row = |along: f32| {
            let y = (along * SIZE[1] as f32) as usize;
            let alphas = (0..SIZE[0]).map(|x| u32::from(picture.rgba[(y * SIZE[0] + x) * 4 + 3]));
            alphas.sum::<u32>() as f32 / (255 * SIZE[0]) as f32
        };
        let covered: Vec<f32> = [0.02, 0.5, 0.75, 0.9, 0.99].map(row).to_vec();
        assert!(covered[0] > 0.35 && covered[0] < 0.95, "{covered:?}");
        assert!(
            covered.windows(2).all(|two| two[1] <= two[0]),
            "{covered:?}"
        );
        assert!(covered[4] < 0.1, "{covered:?}");
        assert_eq!(picture, strip_picture(1));
        assert_ne!(picture, strip_picture(2));
    }
}
