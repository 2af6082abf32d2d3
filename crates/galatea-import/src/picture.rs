//! Images of models: formats that glTF does not support become PNG.

use std::io::{BufWriter, Cursor};

use image::codecs::dds::DdsDecoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::dds;
use galatea_asset::{EncodedSize, PictureBudget};

/// Supported formats, for messages.
const FORMATS: &str = "use PNG, JPEG, WebP, BMP, TGA or DDS";
/// Scratch memory that a decoder may use in addition to its image, bytes.
const SCRATCH: u64 = 64 << 20;

/// An image in a format that glTF supports.
pub struct EncodedPicture {
    pub bytes: Vec<u8>,
    /// Some pixels are not opaque.
    pub has_alpha: bool,
}

/// The unchanged image if glTF supports its format, otherwise as PNG. `path` is the path in the model.
///
/// # Errors
/// If the format is not supported, or the image is damaged or larger than `budget` allows.
pub fn encoded(path: &str, bytes: &[u8], budget: PictureBudget) -> Result<EncodedPicture, String> {
    let format = format(path, bytes)?;
    let is_kept = matches!(
        format,
        ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP
    );
    let decoded = decoded(format, bytes, budget);
    if is_kept {
        // Errors in the image are reported when the glTF file is loaded.
        return Ok(EncodedPicture {
            bytes: bytes.to_vec(),
            has_alpha: decoded.is_ok_and(has_alpha),
        });
    }
    let decoded = decoded?;
    let mut out = Cursor::new(Vec::new());
    decoded
        .write_to(&mut BufWriter::new(&mut out), ImageFormat::Png)
        .map_err(|error| error.to_string())?;
    Ok(EncodedPicture {
        bytes: out.into_inner(),
        has_alpha: has_alpha(decoded),
    })
}

fn has_alpha(picture: DynamicImage) -> bool {
    let rgba = picture.color().has_alpha().then(|| picture.into_rgba8());
    rgba.is_some_and(|rgba| rgba.pixels().any(|pixel| pixel.0[3] < 250))
}

/// Detects the format by the first bytes; for TGA, which has no signature, by the name.
fn format(path: &str, bytes: &[u8]) -> Result<ImageFormat, String> {
    let extension = path
        .rsplit(['/', '\\'])
        .next()
        .and_then(|name| name.rsplit_once('.'));
    let extension = extension.map_or(String::new(), |(_, end)| end.to_ascii_uppercase());
    match image::guess_format(bytes) {
        Ok(
            format @ (ImageFormat::Png
            | ImageFormat::Jpeg
            | ImageFormat::WebP
            | ImageFormat::Bmp
            | ImageFormat::Dds),
        ) => Ok(format),
        Ok(other) => Err(format!(
            "is {}, which is not supported; {FORMATS}",
            format!("{other:?}").to_uppercase()
        )),
        Err(_) if ["TGA", "ICB", "VDA", "VST", ""].contains(&extension.as_str()) => {
            Ok(ImageFormat::Tga)
        }
        Err(_) => {
            let start = bytes.get(..bytes.len().min(4)).unwrap_or_default();
            Err(format!(
                "is not a {extension} image: it begins with \"{}\"; {FORMATS}",
                start.escape_ascii()
            ))
        }
    }
}

fn decoded(
    format: ImageFormat,
    bytes: &[u8],
    budget: PictureBudget,
) -> Result<DynamicImage, String> {
    let fault = |error: image::ImageError| {
        let name = format!("{format:?}").to_uppercase();
        format!("is a {name} image that cannot be read: {error}")
    };
    if format == ImageFormat::Dds {
        let size = dds::size(bytes)?;
        check(size.width, size.height, 8, bytes, budget)?;
        return match dds::uncompressed(bytes)? {
            Some(picture) => Ok(DynamicImage::ImageRgba8(picture)),
            None => {
                let decoder = DdsDecoder::new(Cursor::new(bytes)).map_err(fault)?;
                DynamicImage::from_decoder(decoder).map_err(fault)
            }
        };
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(SCRATCH);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(fault)?;
    let (width, height) = decoder.dimensions();
    let bytes_per_pixel = u64::from(decoder.color_type().bytes_per_pixel());
    check(width, height, bytes_per_pixel + 4, bytes, budget)?;
    DynamicImage::from_decoder(decoder).map_err(fault)
}

/// Checks that the image fits the budget; the limit includes temporary bytes per pixel.
fn check(
    width: u32,
    height: u32,
    scratch: u64,
    bytes: &[u8],
    budget: PictureBudget,
) -> Result<(), String> {
    budget.for_files(bytes.len() as u64).take(EncodedSize {
        width,
        height,
        resident: 0,
        scratch,
    })
}
