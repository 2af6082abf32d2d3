//! How a file lies in a pack: as it is, or compressed by zstd, whichever is smaller.

use std::io::Read as _;

use serde::{Deserialize, Serialize};

/// How what zstd packed begins (RFC 8878, 3.1.1).
pub const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// See the file's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PackCompression {
    /// As it is.
    Plain,
    /// By zstd.
    Zstd,
}

impl PackCompression {
    /// Packs a file in the smallest form.
    ///
    /// # Errors
    /// When zstd fails.
    pub fn pack(path: &str, bytes: &[u8], level: i32) -> Result<(Self, Vec<u8>), String> {
        let packed = deflated(bytes, level).map_err(|why| format!("{path}: {why}"))?;
        if packed.len() < bytes.len() {
            Ok((Self::Zstd, packed))
        } else {
            Ok((Self::Plain, bytes.to_vec()))
        }
    }

    /// Gives a file of a size back.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn unpack(self, stored: &[u8], size: u64) -> Result<Vec<u8>, String> {
        let bytes = match self {
            Self::Plain => stored.to_vec(),
            Self::Zstd => inflated(stored, size)?,
        };
        if bytes.len() as u64 == size {
            Ok(bytes)
        } else {
            Err(format!("{} bytes instead of {size}", bytes.len()))
        }
    }
}

/// Packs bytes.
///
/// # Errors
/// When zstd fails.
pub fn deflated(bytes: &[u8], level: i32) -> Result<Vec<u8>, String> {
    zstd::bulk::compress(bytes, level).map_err(|error| error.to_string())
}

/// Unpacks bytes, of which there are so many at most.
///
/// # Errors
/// What is wrong with them.
pub fn inflated(packed: &[u8], most: u64) -> Result<Vec<u8>, String> {
    let wrong = |error: std::io::Error| error.to_string();
    let decoder = zstd::Decoder::with_buffer(packed).map_err(wrong)?;
    let mut bytes = Vec::new();
    decoder
        .take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(wrong)?;
    if bytes.len() as u64 > most {
        return Err(format!("more than {most} bytes"));
    }
    Ok(bytes)
}
