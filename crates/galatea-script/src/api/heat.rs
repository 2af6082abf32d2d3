//! Heat maps of the ground as pictures.

use galatea_asset::model::Image;

/// Minimum size of the longer side of a picture, pixels.
pub(super) const PIXELS: usize = 768;

/// Draws a picture of `wide` × `deep` cells, given row by row. Each cell is a value 0..=1: black, then violet, red,
/// orange and pale yellow.
pub(super) fn map([wide, deep]: [usize; 2], cells: impl Iterator<Item = f32>) -> Image {
    let scale = PIXELS.div_ceil(wide.max(deep)).max(1);
    let (width, height) = (wide * scale, deep * scale);
    let mut rgba = vec![255; width * height * 4];
    for (i, share) in cells.enumerate() {
        let color = heat(share);
        for y in (i / wide) * scale..(i / wide + 1) * scale {
            let from = (y * width + (i % wide) * scale) * 4;
            for pixel in rgba[from..from + scale * 4].chunks_exact_mut(4) {
                pixel[..3].copy_from_slice(&color);
            }
        }
    }
    Image {
        name: String::new(),
        width: width as u32,
        height: height as u32,
        rgba,
    }
}

/// Colour of a value 0..=1.
fn heat(share: f32) -> [u8; 3] {
    const STEPS: [[f32; 3]; 6] = [
        [12.0, 10.0, 16.0],
        [62.0, 22.0, 98.0],
        [150.0, 38.0, 96.0],
        [221.0, 81.0, 58.0],
        [247.0, 159.0, 30.0],
        [250.0, 246.0, 176.0],
    ];
    let at = share.clamp(0.0, 1.0) * (STEPS.len() - 1) as f32;
    let k = (at as usize).min(STEPS.len() - 2);
    let part = at - k as f32;
    std::array::from_fn(|c| (STEPS[k][c] + (STEPS[k + 1][c] - STEPS[k][c]) * part).round() as u8)
}
