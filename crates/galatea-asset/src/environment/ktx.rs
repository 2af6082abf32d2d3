//! KTX2 (specification 2.0): cube maps and equirectangular images in floating-point formats.
//!
//! Only the header and the location of the largest mip level are read; the data format descriptor is skipped.

use std::io::Read;

use glam::Vec3;
use ruzstd::decoding::StreamingDecoder;

use crate::picture_budget::{EncodedSize, PictureAllowance};

use super::{Cube, MAX_PIXELS, MAX_SIZE, Panorama, SIZE, equirect, picture};

/// First bytes of every KTX2 file.
pub const MAGIC: [u8; 12] = *b"\xABKTX 20\xBB\r\n\x1A\n";
/// Limit of the side of a face, pixels.
const MAX_FACE_SIZE: u32 = 2048;

/// Reads the largest mip level of a file.
pub fn read(bytes: &[u8], mut allowance: PictureAllowance) -> Result<Cube, String> {
    let header = KtxHeader::of(bytes).ok_or("the file ends inside its header")?;
    let KtxHeader { width, height, .. } = header;
    let pixel = Pixel::of(header.format)?;
    let is_cube = header.faces == 6;
    if header.depth > 1 || header.layers > 1 {
        return Err(
            "3D textures and texture arrays are not supported; use one cube map or one 2D texture"
                .into(),
        );
    }
    let n_pixels = if is_cube {
        if width != height || width == 0 || width > MAX_FACE_SIZE {
            return Err(format!(
                "the cube faces have {width} × {height} pixels; expected squares of at most {MAX_FACE_SIZE} pixels \
                 per side"
            ));
        }
        6 * u64::from(width) * u64::from(height)
    } else {
        picture::check(width, height)?;
        u64::from(width) * u64::from(height)
    };
    allowance.take(EncodedSize {
        width,
        height,
        resident: u64::from(header.faces) * size_of::<Vec3>() as u64,
        scratch: u64::from(header.faces) * pixel.bytes() as u64,
    })?;
    // Both kinds were checked against the limit, or are smaller.
    let n_pixels = usize::try_from(n_pixels.min(MAX_PIXELS)).map_err(|error| error.to_string())?;
    let n_bytes = n_pixels * pixel.bytes();
    let level = header
        .level(bytes)
        .ok_or("the file ends before its image data")?;
    let unpacked;
    let data = match header.packing {
        0 => level,
        2 => {
            unpacked = unpack(level, n_bytes)?;
            &unpacked
        }
        other => {
            let name = match other {
                1 => "BasisLZ".to_owned(),
                3 => "ZLIB".to_owned(),
                other => format!("scheme {other}"),
            };
            return Err(format!(
                "the compression {name} is not supported; use Zstandard or none"
            ));
        }
    };
    let data = data.get(..n_bytes).ok_or_else(|| {
        format!(
            "the file ends after {} of {n_bytes} bytes of image data",
            data.len()
        )
    })?;
    let texels: Vec<Vec3> = data
        .chunks_exact(pixel.bytes())
        .map(|at| pixel.read(at))
        .collect();
    if is_cube {
        let cube = Cube {
            size: width,
            faces: texels,
        };
        return Ok(cube.at_most(MAX_SIZE));
    }
    let picture = Panorama {
        width: width as usize,
        height: height as usize,
        texels,
    };
    Ok(equirect::to_cube(&picture, SIZE))
}

/// Header of a file (§3).
struct KtxHeader {
    /// Vulkan format number.
    format: u32,
    width: u32,
    height: u32,
    depth: u32,
    layers: u32,
    faces: u32,
    packing: u32,
}

impl KtxHeader {
    fn of(bytes: &[u8]) -> Option<Self> {
        let word = |i: usize| Some(le_u32(bytes.get(12 + 4 * i..16 + 4 * i)?, 0));
        Some(Self {
            format: word(0)?,
            width: word(2)?,
            height: word(3)?,
            depth: word(4)?,
            layers: word(5)?,
            faces: word(6)?,
            packing: word(8)?,
        })
    }

    /// Bytes of the largest mip level; its location is the first entry after the header.
    fn level<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let number = |at: usize| {
            let eight = bytes.get(at..at + 8)?.try_into().ok()?;
            usize::try_from(u64::from_le_bytes(eight)).ok()
        };
        let (start, length) = (number(80)?, number(88)?);
        bytes.get(start..start.checked_add(length)?)
    }
}

fn unpack(data: &[u8], n_bytes: usize) -> Result<Vec<u8>, String> {
    let damaged = |error: &dyn std::fmt::Display| format!("the Zstandard data is damaged: {error}");
    let decoder = StreamingDecoder::new(data).map_err(|error| damaged(&error))?;
    let mut out = Vec::new();
    let read = decoder.take(n_bytes as u64).read_to_end(&mut out);
    read.map_err(|error| damaged(&error))?;
    Ok(out)
}

/// Pixel format.
#[derive(Clone, Copy)]
enum Pixel {
    Half4,
    Float3,
    Float4,
    /// Three 9-bit mantissas with a shared exponent.
    Shared,
    /// Unsigned floats of 11, 11 and 10 bits.
    Small,
}

impl Pixel {
    fn of(format: u32) -> Result<Self, String> {
        match format {
            97 => Ok(Self::Half4),
            106 => Ok(Self::Float3),
            109 => Ok(Self::Float4),
            122 => Ok(Self::Small),
            123 => Ok(Self::Shared),
            0 => Err("Basis textures are not supported; save it as RGBA16F".into()),
            other => Err(format!(
                "the Vulkan format {other} is not supported; use RGBA16F (97), RGB32F (106), RGBA32F (109), B10G11R11 \
                 (122) or RGB9E5 (123)"
            )),
        }
    }

    fn bytes(self) -> usize {
        match self {
            Self::Half4 => 8,
            Self::Float3 => 12,
            Self::Float4 => 16,
            Self::Shared | Self::Small => 4,
        }
    }

    fn read(self, at: &[u8]) -> Vec3 {
        let half = |i: usize| small_float(u32::from(le_u16(at, 2 * i)), 10);
        let float = |i: usize| f32::from_bits(le_u32(at, 4 * i));
        let packed = le_u32(at, 0);
        let bits = |low: u32, n: u32| packed >> low & ((1 << n) - 1);
        match self {
            Self::Half4 => Vec3::from_array([0, 1, 2].map(half)),
            Self::Float3 | Self::Float4 => Vec3::from_array([0, 1, 2].map(float)),
            Self::Shared => {
                // The exponent has a bias of 15, and the mantissas have no implicit leading 1.
                let scale = (bits(27, 5) as f32 - 15.0 - 9.0).exp2();
                Vec3::from_array([0, 9, 18].map(|low| bits(low, 9) as f32 * scale))
            }
            Self::Small => Vec3::new(
                small_float(bits(0, 11), 6),
                small_float(bits(11, 11), 6),
                small_float(bits(22, 10), 5),
            ),
        }
    }
}

/// Decodes a float with a 5-bit exponent over `n` bits of mantissa; a bit above those is the sign (IEEE 754 binary16, and
/// the unsigned formats derived from it).
fn small_float(bits: u32, n: u32) -> f32 {
    let mantissa = bits & ((1 << n) - 1);
    let exponent = bits >> n & 31;
    let fraction = mantissa as f32 / (1 << n) as f32;
    let magnitude = match exponent {
        0 => fraction * (-14.0_f32).exp2(),
        31 if mantissa == 0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction) * (exponent as f32 - 15.0).exp2(),
    };
    if bits >> (n + 5) & 1 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

fn le_u16(bytes: &[u8], at: usize) -> u16 {
    let two = bytes.get(at..at + 2).and_then(|two| two.try_into().ok());
    two.map_or(0, u16::from_le_bytes)
}

fn le_u32(bytes: &[u8], at: usize) -> u32 {
    let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
    four.map_or(0, u32::from_le_bytes)
}
