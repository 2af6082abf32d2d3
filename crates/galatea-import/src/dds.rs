//! Uncompressed images in DirectDraw Surface files (DirectX SDK, "DDS_PIXELFORMAT"): colours by bit masks. Compressed ones
//! are read by `image`.

use image::RgbaImage;

/// `DDPF_RGB` and `DDPF_LUMINANCE`.
const RGB: u32 = 0x40;
const LUMINANCE: u32 = 0x2_0000;
/// Limit of width and height, pixels.
const MAX_SIDE: u32 = 16_384;

/// Size in pixels.
#[derive(Clone, Copy, Debug)]
pub struct DdsSize {
    pub width: u32,
    pub height: u32,
}

/// Size of the largest mip level.
///
/// # Errors
/// If the header is truncated.
pub fn size(bytes: &[u8]) -> Result<DdsSize, String> {
    Ok(DdsSize {
        width: word(bytes, 16)?,
        height: word(bytes, 12)?,
    })
}

fn word(bytes: &[u8], at: usize) -> Result<u32, String> {
    let found = bytes.get(at..at + 4).and_then(|b| b.try_into().ok());
    found
        .map(u32::from_le_bytes)
        .ok_or_else(|| "is a DDS image with a truncated header".into())
}

/// Largest mip level of a file; `None` if it is compressed.
///
/// # Errors
/// If the file is damaged.
pub fn uncompressed(bytes: &[u8]) -> Result<Option<RgbaImage>, String> {
    let word = |at: usize| word(bytes, at);
    let (DdsSize { width, height }, flags) = (size(bytes)?, word(80)?);
    if flags & (RGB | LUMINANCE) == 0 {
        return Ok(None);
    }
    let bits = word(88)?;
    let masks = [word(92)?, word(96)?, word(100)?, word(104)?];
    if !(1..=MAX_SIDE).contains(&width)
        || !(1..=MAX_SIDE).contains(&height)
        || ![8, 16, 24, 32].contains(&bits)
    {
        return Err(format!(
            "is a DDS image of {width} × {height} pixels with {bits} bits per pixel, which is not supported"
        ));
    }
    let step = bits as usize / 8;
    let pixels = bytes.get(128..).unwrap_or_default();
    if pixels.len() < step * width as usize * height as usize {
        return Err("is a DDS image that ends before its last pixel".into());
    }
    let part = |pixel: u32, mask: u32| {
        let max_value = mask >> mask.trailing_zeros().min(31);
        let value = (pixel & mask) >> mask.trailing_zeros().min(31);
        (u64::from(value) * 255 / u64::from(max_value.max(1))) as u8
    };
    let mut image = RgbaImage::new(width, height);
    for (own, raw) in image.pixels_mut().zip(pixels.chunks_exact(step)) {
        let mut four = [0; 4];
        four[..step].copy_from_slice(raw);
        let pixel = u32::from_le_bytes(four);
        let [r, g, b, a] = masks;
        let gray = flags & LUMINANCE != 0;
        let alpha = if a == 0 { 255 } else { part(pixel, a) };
        let [r, g, b] = match gray {
            true => [part(pixel, r); 3],
            false => [part(pixel, r), part(pixel, g), part(pixel, b)],
        };
        own.0 = [r, g, b, alpha];
    }
    Ok(Some(image))
}
