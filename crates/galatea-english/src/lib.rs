//! An English pronunciation dictionary: 180 000 words of misaki, compressed while the crate is built.
//!
//! A program that speaks from text passes [`PACKED`] to `galatea_speech::dictionary::install`. Without it, English words are
//! read by rules.
//!
//! ```
//! assert!(galatea_english::PACKED.len() > 1_000_000);
//! ```
//!
//! # Dependencies
//! None: the crate only contains data.

/// Lines of word and phones, sorted by the words' bytes, compressed with zstd; about 1.2 MB.
pub static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/english.txt.zst"));
