//! Pictures that are shown as they are: PNG, JPEG and WebP.

use std::io::Cursor;
use std::path::Path;

use image::{ImageFormat, ImageReader};

use super::model::Image;
use super::read_at_most;

/// No side of a picture is longer, pixels: what every device draws.
pub const MOST_SIDE: u32 = 2048;
/// Bytes of the largest file that is read.
const LARGEST: u64 = 64 << 20;

/// Reads a picture; its name is left empty.
///
/// # Errors
/// Why it cannot be shown, in plain words.
pub fn load(path: &Path) -> Result<Image, String> {
    let bytes = read_at_most(path, LARGEST).map_err(|error| error.to_string())?;
    decode(&bytes)
}

fn decode(bytes: &[u8]) -> Result<Image, String> {
    let reader = || {
        let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
        reader.map_err(|error| error.to_string())
    };
    let known = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP];
    if !reader()?.format().is_some_and(|it| known.contains(&it)) {
        return Err("is neither PNG nor JPEG nor WebP".into());
    }
    let size = reader()?.into_dimensions();
    let (width, height) = size.map_err(|error| error.to_string())?;
    if width == 0 || height == 0 || width > MOST_SIDE || height > MOST_SIDE {
        return Err(format!(
            "is {width} × {height} pixels; 1 to {MOST_SIDE} of each are shown"
        ));
    }
    let image = reader()?.decode().map_err(|error| error.to_string())?;
    Ok(Image {
        name: String::new(),
        width,
        height,
        rgba: image.into_rgba8().into_raw(),
    })
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
    fn a_picture_is_read_as_it_is_and_what_is_too_large_or_broken_is_told() {
        let image = decode(&png(3, 2)).unwrap();
        assert_eq!((image.width, image.height), (3, 2));
        assert_eq!(image.rgba, [9, 8, 7, 6].repeat(6));
        let why = decode(&png(2049, 1)).unwrap_err();
        assert_eq!(why, "is 2049 × 1 pixels; 1 to 2048 of each are shown");
        assert_eq!(
            decode(b"#?RADIANCE\n").unwrap_err(),
            "is neither PNG nor JPEG nor WebP"
        );
        let whole = png(64, 64);
        assert!(decode(&whole[..whole.len() / 2]).is_err());
    }
}
