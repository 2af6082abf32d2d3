//! Images for display, or read as height maps: PNG, JPEG and WebP.

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, ImageFormat, ImageReader};

use super::model::Image;
use super::read_at_most;
use galatea_math::heights::MAX_HEIGHTS;

/// Limit of an image's width and height, pixels; every GPU supports it.
pub const MAX_SIDE: u32 = 2048;
/// Limit of an image file, bytes.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// Loads an image; its name stays empty.
///
/// # Errors
/// If the image cannot be shown; the error is a message for users.
pub fn load(path: &Path) -> Result<Image, String> {
    load_up_to(path, MAX_SIDE)
}

/// Loads an image like [`load`] with a width and height of at most `max_side` pixels.
///
/// # Errors
/// If the image cannot be read; the error is a message for users.
pub fn load_up_to(path: &Path, max_side: u32) -> Result<Image, String> {
    let bytes = read_at_most(path, MAX_FILE_BYTES).map_err(|error| error.to_string())?;
    decode(&bytes, max_side)
}

fn decode(bytes: &[u8], max_side: u32) -> Result<Image, String> {
    let image = open(bytes, |width, height| {
        if width == 0 || height == 0 || width > max_side || height > max_side {
            return Err(format!(
                "has {width} × {height} pixels; each side must have 1 to {max_side}"
            ));
        }
        Ok(())
    })?;
    Ok(Image {
        name: String::new(),
        width: image.width(),
        height: image.height(),
        rgba: image.into_rgba8().into_raw(),
    })
}

/// Decodes an image whose width and height, in pixels, pass `check`.
fn open(
    bytes: &[u8],
    check: impl FnOnce(u32, u32) -> Result<(), String>,
) -> Result<DynamicImage, String> {
    let reader = || {
        let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
        reader.map_err(|error| error.to_string())
    };
    let known = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP];
    if !reader()?.format().is_some_and(|it| known.contains(&it)) {
        return Err("is not a PNG, JPEG or WebP image".into());
    }
    let size = reader()?.into_dimensions();
    let (width, height) = size.map_err(|error| error.to_string())?;
    check(width, height)?;
    reader()?.decode().map_err(|error| error.to_string())
}

/// A height map from an image.
#[derive(Clone, Debug, PartialEq)]
pub struct Relief {
    /// Pixels per row.
    pub columns: usize,
    /// Heights 0..=1, row by row from the top: the red channel, or the brightness of a grey image. They keep the precision
    /// of the file, 255 or 65 535 steps.
    pub values: Vec<f32>,
}

impl Relief {
    /// Loads an image of at least 2 × 2 and at most [`MAX_HEIGHTS`] pixels.
    ///
    /// # Errors
    /// If the image is no height map; the error is a message for users.
    pub fn load(path: &Path) -> Result<Self, String> {
        let bytes = read_at_most(path, MAX_FILE_BYTES).map_err(|error| error.to_string())?;
        Self::decode(&bytes)
    }

    fn decode(bytes: &[u8]) -> Result<Self, String> {
        let image = open(bytes, |width, height| {
            let n = u64::from(width) * u64::from(height);
            if width < 2 || height < 2 || n > MAX_HEIGHTS as u64 {
                return Err(format!(
                    "has {width} × {height} pixels; a height map must have at least 2 × 2 and at most {MAX_HEIGHTS} \
                     pixels, for example 512 × 512"
                ));
            }
            Ok(())
        })?;
        let columns = image.width() as usize;
        let values = if image.color().bytes_per_pixel() > image.color().channel_count() {
            let fine = image.into_rgba16();
            fine.pixels().map(|p| f32::from(p.0[0]) / 65535.0).collect()
        } else {
            let plain = image.into_rgba8();
            plain.pixels().map(|p| f32::from(p.0[0]) / 255.0).collect()
        };
        Ok(Self { columns, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let pixels = image::RgbaImage::from_pixel(width, height, image::Rgba([9, 8, 7, 6]));
        let mut bytes = Cursor::new(Vec::new());
        pixels.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn an_image_is_read_unchanged_and_a_large_or_broken_one_gives_an_error() {
        let image = decode(&png(3, 2), MAX_SIDE).unwrap();
        assert_eq!((image.width, image.height), (3, 2));
        assert_eq!(image.rgba, [9, 8, 7, 6].repeat(6));
        let why = decode(&png(2049, 1), MAX_SIDE).unwrap_err();
        assert_eq!(why, "has 2049 × 1 pixels; each side must have 1 to 2048");
        assert_eq!(
            decode(b"#?RADIANCE\n", MAX_SIDE).unwrap_err(),
            "is not a PNG, JPEG or WebP image"
        );
        let whole = png(64, 64);
        assert!(decode(&whole[..whole.len() / 2], MAX_SIDE).is_err());
    }

    #[test]
    fn heights_keep_the_precision_of_their_image() {
        let written = |image: DynamicImage| {
            let mut bytes = Cursor::new(Vec::new());
            image.write_to(&mut bytes, ImageFormat::Png).unwrap();
            bytes.into_inner()
        };
        let steps: Vec<u16> = (0..6).map(|i| 30_000 + i).collect();
        let fine = image::ImageBuffer::from_raw(3, 2, steps.clone()).unwrap();
        let read = Relief::decode(&written(DynamicImage::ImageLuma16(fine))).unwrap();
        assert_eq!(read.columns, 3);
        let expected: Vec<f32> = steps.iter().map(|n| f32::from(*n) / 65535.0).collect();
        assert_eq!(read.values, expected);
        let plain = image::ImageBuffer::from_raw(2, 2, vec![0, 51, 102, 255]).unwrap();
        let read = Relief::decode(&written(DynamicImage::ImageLuma8(plain))).unwrap();
        assert_eq!(read.values, [0.0, 0.2, 0.4, 1.0]);
        for (width, height) in [(1, 9), (600, 500)] {
            let why = Relief::decode(&png(width, height)).unwrap_err();
            let begin = format!("has {width} × {height} pixels; a height map must have");
            assert!(why.starts_with(&begin), "{why}");
        }
    }
}
