//! Bytes that are compressed relative to similar ones, for example two moments of a game.

use zstd::zstd_safe::{
    CCtx, CParameter, DCtx, DParameter, ErrorCode, compress_bound, get_error_name,
};

use super::save_file::size_of_body;

/// Compression level of zstd.
const LEVEL: i32 = 3;
/// Binary logarithm of the smallest window, and of the largest one that a decoder accepts, bytes.
const MIN_WINDOW: u32 = 10;
const MAX_WINDOW: u32 = 27;

/// Compresses `body`. What it has in common with `base` takes little space.
///
/// # Errors
/// If zstd fails, for example without memory.
pub fn compress_after(base: &[u8], body: &[u8]) -> Result<Vec<u8>, String> {
    let mut context = CCtx::create();
    let mut compress = || {
        context.set_parameter(CParameter::CompressionLevel(LEVEL))?;
        // All of the base must be within the window.
        let n = base.len() + body.len();
        let window = n.next_power_of_two().trailing_zeros();
        let window = window.clamp(MIN_WINDOW, MAX_WINDOW);
        context.set_parameter(CParameter::WindowLog(window))?;
        context.set_parameter(CParameter::EnableLongDistanceMatching(true))?;
        context.set_parameter(CParameter::ChecksumFlag(true))?;
        context.ref_prefix(base)?;
        let mut bytes = Vec::with_capacity(compress_bound(body.len()));
        context.compress2(&mut bytes, body)?;
        bytes.shrink_to_fit();
        Ok(bytes)
    };
    compress().map_err(in_words)
}

/// Reads what [`compress_after`] wrote with the same base.
///
/// # Errors
/// If the bytes are damaged or the base is another one.
pub fn decompress_after(base: &[u8], bytes: &[u8]) -> Result<Vec<u8>, String> {
    let size = size_of_body(bytes)?;
    let mut context = DCtx::create();
    let mut decompress = || {
        context.set_parameter(DParameter::WindowLogMax(MAX_WINDOW))?;
        context.ref_prefix(base)?;
        let mut body = Vec::with_capacity(size);
        context.decompress(&mut body, bytes)?;
        Ok(body)
    };
    decompress().map_err(in_words)
}

fn in_words(code: ErrorCode) -> String {
    get_error_name(code).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_common_takes_little_space() {
        // Bytes without repetitions of their own.
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let base: Vec<u8> = (0..3_000_000).map(|_| random()).collect();
        let mut body = base.clone();
        for at in [10, 1_000_000, 2_900_000] {
            body[at] ^= 1;
        }
        let bytes = compress_after(&base, &body).unwrap();
        assert!(bytes.len() < 10_000, "{}", bytes.len());
        assert_eq!(decompress_after(&base, &bytes).unwrap(), body);
        let other = vec![0; base.len()];
        assert!(decompress_after(&other, &bytes).is_err());
        assert!(decompress_after(&base, &bytes[..bytes.len() / 2]).is_err());
    }
}
