//! Compression of a file in a pack: none or zstd, whichever is smaller.

use std::io::Read as _;

use serde::{Deserialize, Serialize};

/// First bytes of a zstd frame (RFC 8878, 3.1.1).
pub const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Compression of a packed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PackCompression {
    /// Not compressed.
    Plain,
    /// Compressed by zstd.
    Zstd,
}

impl PackCompression {
    /// Packs a file with the compression that gives the smallest size.
    ///
    /// # Errors
    /// If zstd fails.
    pub fn pack(path: &str, bytes: &[u8], level: i32) -> Result<(Self, Vec<u8>), String> {
        let packed = deflated(bytes, level).map_err(|why| format!("{path}: {why}"))?;
        if packed.len() < bytes.len() {
            Ok((Self::Zstd, packed))
        } else {
            Ok((Self::Plain, bytes.to_vec()))
        }
    }

    /// Unpacks a file of `size` bytes.
    ///
    /// # Errors
    /// If the data is damaged.
    pub fn unpack(self, stored: &[u8], size: u64) -> Result<Vec<u8>, String> {
        let bytes = match self {
            Self::Plain => stored.to_vec(),
            Self::Zstd => inflated(stored, size)?,
        };
        if bytes.len() as u64 == size {
            Ok(bytes)
        } else {
            Err(format!("{} bytes, expected {size}", bytes.len()))
        }
    }
}

/// Compresses bytes.
///
/// # Errors
/// If zstd fails.
pub fn deflated(bytes: &[u8], level: i32) -> Result<Vec<u8>, String> {
    zstd::bulk::compress(bytes, level).map_err(|error| error.to_string())
}

/// Decompresses bytes to at most `max_bytes` bytes.
///
/// # Errors
/// If the data is damaged or too long.
pub fn inflated(packed: &[u8], max_bytes: u64) -> Result<Vec<u8>, String> {
    let wrong = |error: std::io::Error| error.to_string();
    let decoder = zstd::Decoder::with_buffer(packed).map_err(wrong)?;
    let mut bytes = Vec::new();
    decoder
        .take(max_bytes + 1)
        .read_to_end(&mut bytes)
        .map_err(wrong)?;
    if bytes.len() as u64 > max_bytes {
        return Err(format!("more than the limit of {max_bytes} bytes"));
    }
    Ok(bytes)
}
