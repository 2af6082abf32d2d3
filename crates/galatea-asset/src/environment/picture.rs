//! Equirectangular images in Radiance, PNG and JPEG format.

use std::io::Cursor;

use glam::Vec3;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::{MAX_PIXELS, Panorama};
use crate::picture_budget::{EncodedSize, PictureAllowance};
use galatea_math::srgb;

/// Decodes an image to linear values.
pub fn read(bytes: &[u8], mut allowance: PictureAllowance) -> Result<Panorama, String> {
    let reader = || {
        let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
        reader.map_err(|error| error.to_string())
    };
    let format = match reader()?.format() {
        Some(format @ (ImageFormat::Hdr | ImageFormat::Png | ImageFormat::Jpeg)) => format,
        _ if bytes.starts_with(&[0x76, 0x2f, 0x31, 0x01]) => {
            return Err("OpenEXR is not supported; save it as Radiance (.hdr)".into());
        }
        _ => {
            return Err(
                "the image format is not supported; use Radiance (.hdr), KTX2, PNG or JPEG".into(),
            );
        }
    };
    let decoder = reader()?.into_decoder();
    let decoder = decoder.map_err(|error| error.to_string())?;
    let (width, height) = decoder.dimensions();
    check(width, height)?;
    allowance.take(EncodedSize {
        width,
        height,
        resident: size_of::<Vec3>() as u64,
        scratch: decoder.color_type().bytes_per_pixel().into(),
    })?;
    drop(decoder);
    let mut reader = reader()?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_PIXELS * 16 + (64 << 20));
    reader.limits(limits);
    let image = reader.decode().map_err(|error| error.to_string())?;
    let texels = if format == ImageFormat::Hdr {
        let pixels = image.into_rgb32f();
        pixels
            .pixels()
            .map(|pixel| Vec3::from_array(pixel.0))
            .collect()
    } else {
        linear(image)
    };
    Ok(Panorama {
        width: width as usize,
        height: height as usize,
        texels,
    })
}

/// Checks that an equirectangular image is twice as wide as high and within the size limit.
pub fn check(width: u32, height: u32) -> Result<(), String> {
    if width == 0 || height == 0 {
        return Err("the image has no pixels".into());
    }
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(format!(
            "the image has {width} × {height} pixels; the limit is 8192 × 4096"
        ));
    }
    if u64::from(width).abs_diff(2 * u64::from(height)) > u64::from(height) / 50 {
        return Err(format!(
            "the image has {width} × {height} pixels; an equirectangular image must be twice as wide as it is high"
        ));
    }
    Ok(())
}

fn linear(image: DynamicImage) -> Vec<Vec3> {
    let table: Vec<f32> = (0..256).map(|i| srgb::decoded(i as f32 / 255.0)).collect();
    let pixels = image.into_rgb8();
    let one = |pixel: &image::Rgb<u8>| Vec3::from_array(pixel.0.map(|x| table[usize::from(x)]));
    pixels.pixels().map(one).collect()
}
