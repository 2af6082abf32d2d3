//! Range coder stream: its models, and codes for plain values (counts, lists, numbers, strings).
//!
//! Used by `disk` and `keys`.

use super::range::{BitTree, Coder, Signed};

/// Error while reading a packed clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackedClipError {
    /// The data begin with another signature.
    #[error("this is not a packed clip")]
    NotAClip,
    /// The clip was written by another version of this program.
    #[error("the packed clip has version {0}; this program reads version 1")]
    Version(u8),
    /// Bytes are missing or changed.
    #[error("the packed clip is damaged")]
    Damaged,
}

use PackedClipError::Damaged;

/// Number of classes of expected residual sizes.
pub const CLASSES: usize = 24;

/// Adaptive probabilities shared by all parts of a clip.
pub struct Models {
    pub bytes: BitTree,
    pub counts: Signed,
    pub kinds: BitTree,
    pub targets: Signed,
    pub turns: [BitTree; 2],
    pub widths: [BitTree; 3],
    pub shapes: BitTree,
    pub exponents: BitTree,
    pub mantissas: BitTree,
    pub bases: Signed,
    pub orders: [BitTree; 3],
    pub residuals: Vec<Signed>,
}

impl Models {
    pub fn new() -> Self {
        Self {
            bytes: BitTree::new(8),
            counts: Signed::default(),
            kinds: BitTree::new(3),
            targets: Signed::default(),
            turns: [BitTree::new(8), BitTree::new(8)],
            widths: [BitTree::new(4), BitTree::new(4), BitTree::new(4)],
            shapes: BitTree::new(4),
            exponents: BitTree::new(8),
            mantissas: BitTree::new(4),
            bases: Signed::default(),
            orders: [BitTree::new(2), BitTree::new(2), BitTree::new(2)],
            residuals: vec![Signed::default(); CLASSES],
        }
    }
}

/// Fails if the reader has read past the end of the stream.
pub fn check(coder: &impl Coder) -> Result<(), PackedClipError> {
    if coder.beyond() { Err(Damaged) } else { Ok(()) }
}

pub fn count(coder: &mut impl Coder, m: &mut Models, n: usize) -> Result<usize, PackedClipError> {
    let n = m
        .counts
        .code(coder, i32::try_from(n).unwrap_or(i32::MAX), 0);
    check(coder)?;
    usize::try_from(n).map_err(|_| Damaged)
}

/// Codes a list: its length, then its items. `item` codes the item at an index.
pub fn list<T, C: Coder>(
    coder: &mut C,
    m: &mut Models,
    n: usize,
    mut item: impl FnMut(&mut C, &mut Models, usize) -> Result<T, PackedClipError>,
) -> Result<Vec<T>, PackedClipError> {
    let n = count(coder, m, n)?;
    let mut out = Vec::new();
    for i in 0..n {
        check(coder)?;
        out.push(item(coder, m, i)?);
    }
    Ok(out)
}

pub fn number32(coder: &mut impl Coder, m: &mut Models, value: u32) -> u32 {
    value.to_le_bytes().into_iter().fold(0, |all: u32, byte| {
        all >> 8 | m.bytes.code(coder, u32::from(byte)) << 24
    })
}

pub fn float(coder: &mut impl Coder, m: &mut Models, value: f32) -> Result<f32, PackedClipError> {
    let value = f32::from_bits(number32(coder, m, value.to_bits()));
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Damaged)
    }
}

pub fn text(coder: &mut impl Coder, m: &mut Models, text: &str) -> Result<String, PackedClipError> {
    let bytes = text.as_bytes();
    let bytes = list(coder, m, bytes.len(), |coder, m, i| {
        let byte = bytes.get(i).copied().unwrap_or(0);
        Ok(m.bytes.code(coder, u32::from(byte)) as u8)
    })?;
    String::from_utf8(bytes).map_err(|_| Damaged)
}
