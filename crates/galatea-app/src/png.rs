//! PNG encoding of images.

use std::path::PathBuf;

use galatea_asset::OutputFolder;
use galatea_asset::model::Image;
use galatea_render::Picture;

pub use png::Compression;

/// Encodes an image as a PNG file in sRGB, with alpha if a pixel is not opaque.
///
/// # Errors
/// If the image cannot be encoded.
pub fn png_bytes(picture: &Picture, packed: Compression) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, picture.width, picture.height);
    let is_clear = is_clear(picture);
    encoder.set_color(color_type(is_clear));
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(packed);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels(picture, is_clear))?;
    writer.finish()?;
    Ok(out)
}

/// Encodes an image of data, not colours, as an opaque PNG file without a colour space.
///
/// # Errors
/// If the image cannot be encoded.
pub fn linear_png(image: &Image) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, image.width, image.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    let texels = image.rgba.chunks_exact(4);
    let rgb: Vec<u8> = texels
        .flat_map(|texel| [texel[0], texel[1], texel[2]])
        .collect();
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    Ok(out)
}

/// Folder of a project for images written by scripts and editors.
pub const OUT: &str = "out";

/// Checks the name of an image that a script or an editor requests, see [`OutputFolder`].
///
/// # Errors
/// A message with the expected form of the name.
pub fn check_picture_name(out: &OutputFolder, name: &str) -> Result<PathBuf, String> {
    let is_png = name.len() > 4 && name.to_ascii_lowercase().ends_with(".png");
    let path = out.path(name);
    match is_png {
        true => path,
        false => Err(format!("expected a name that ends in .png; got {name:?}")),
    }
}

/// Returns true if a pixel is not opaque.
pub fn is_clear(picture: &Picture) -> bool {
    picture.rgba.chunks_exact(4).any(|texel| texel[3] < 255)
}

/// PNG colour type with or without alpha.
pub fn color_type(has_alpha: bool) -> png::ColorType {
    if has_alpha {
        png::ColorType::Rgba
    } else {
        png::ColorType::Rgb
    }
}

/// Pixel data with or without alpha.
pub fn pixels(picture: &Picture, has_alpha: bool) -> Vec<u8> {
    if has_alpha {
        return picture.rgba.clone();
    }
    let texels = picture.rgba.chunks_exact(4);
    texels
        .flat_map(|texel| [texel[0], texel[1], texel[2]])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_written_to_the_out_folder_only() {
        let out = OutputFolder::new("project".as_ref(), OUT);
        let checked = check_picture_name(&out, "density-2.png");
        assert_eq!(checked, Ok(PathBuf::from("project/out/density-2.png")));
        for name in [
            "../x.png", "a/b.png", ".png", ".x.png", "x.jpg", "x\\y.png", "c:x.png", "con.png",
        ] {
            assert!(check_picture_name(&out, name).is_err(), "{name}");
        }
    }
}
