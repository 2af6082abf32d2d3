//! Perceptual difference of two images: FLIP (Andersson et al. 2020), which models the difference seen when flipping between
//! them.

use super::readback::Picture;

/// Maximum mean FLIP error of images that count as equal. The same driver gives 0, another version of it slightly more. A
/// character in the wrong pose gives above 0.02, a missing shadow above 0.01.
pub const SAME_PICTURE: f32 = 0.006;

/// Result of an image comparison.
pub struct ImageDifference {
    /// Mean FLIP error, 0 to 1.
    pub mean: f32,
    /// Error per pixel: black is equal, bright is different.
    pub map: Picture,
}

/// Compares two images. Returns `None` if their sizes differ.
pub fn difference(a: &Picture, b: &Picture) -> Option<ImageDifference> {
    let (width, height) = (a.width, a.height);
    if (width, height) != (b.width, b.height) {
        return None;
    }
    let image = |picture| nv_flip::FlipImageRgb8::with_data(width, height, &rgb(picture));
    let errors = nv_flip::flip(image(a), image(b), nv_flip::DEFAULT_PIXELS_PER_DEGREE);
    let colours = errors.apply_color_lut(&nv_flip::magma_lut()).to_vec();
    let opaque = |texel: &[u8]| [texel[0], texel[1], texel[2], 255];
    Some(ImageDifference {
        mean: nv_flip::FlipPool::from_image(&errors).mean(),
        map: Picture {
            width,
            height,
            rgba: colours.chunks_exact(3).flat_map(opaque).collect(),
        },
    })
}

fn rgb(picture: &Picture) -> Vec<u8> {
    let texels = picture.rgba.chunks_exact(4);
    texels.flat_map(|t| [t[0], t[1], t[2]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(size: (u32, u32), level: u8) -> Picture {
        Picture {
            width: size.0,
            height: size.1,
            rgba: vec![level; (size.0 * size.1 * 4) as usize],
        }
    }

    #[test]
    fn equal_images_differ_by_zero_and_a_patch_is_located() {
        let grey = plain((48, 32), 128);
        assert_eq!(difference(&grey, &grey).map(|d| d.mean), Some(0.0));
        assert!(difference(&grey, &plain((32, 48), 128)).is_none());
        let mut patched = grey.clone();
        for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (x, y))) {
            patched.rgba[(y * 48 + x) * 4] = 255;
        }
        let unlike = difference(&grey, &patched).unwrap();
        assert!(unlike.mean > SAME_PICTURE, "{}", unlike.mean);
        let sum = |x: usize, y: usize| -> u32 {
            let at = (y * 48 + x) * 4;
            unlike.map.rgba[at..at + 3]
                .iter()
                .map(|&c| u32::from(c))
                .sum()
        };
        assert!(sum(4, 4) > sum(40, 28) + 100);
    }
}
