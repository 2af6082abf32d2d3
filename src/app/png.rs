//! Pictures as PNG.

use crate::render::Picture;

/// A picture as an opaque PNG file in sRGB.
///
/// # Errors
/// When the picture cannot be encoded.
pub fn png_bytes(picture: &Picture) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb_bytes(picture))?;
    writer.finish()?;
    Ok(out)
}

/// The pixels without their alpha.
pub fn rgb_bytes(picture: &Picture) -> Vec<u8> {
    let texels = picture.rgba.chunks_exact(4);
    texels
        .flat_map(|texel| [texel[0], texel[1], texel[2]])
        .collect()
}
