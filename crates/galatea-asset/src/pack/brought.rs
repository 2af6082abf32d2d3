//! A file that every program brings along, as the character of new projects: a project that has it too does not hold it twice.

use super::PackError;
use super::form::{ZSTD, inflated};

/// Bytes of the largest such file.
const LARGEST: u64 = 64 << 20;

/// See the file's head.
#[derive(Clone, Debug)]
pub struct Brought<'a> {
    packed: &'a [u8],
    bytes: Vec<u8>,
}

impl<'a> Brought<'a> {
    /// From what zstd made of it, as it lies in the program.
    ///
    /// # Errors
    /// When zstd cannot read it.
    pub fn of(packed: &'a [u8]) -> Result<Self, PackError> {
        let bytes = inflated(packed, LARGEST).map_err(PackError::Damaged)?;
        Ok(Self { packed, bytes })
    }

    /// As zstd packed it.
    pub(super) fn packed(&self) -> &'a [u8] {
        self.packed
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether a program brings it along: one of another version may have another.
    pub fn is_in(&self, program: &[u8]) -> bool {
        let crc = crc32fast::hash(self.packed);
        found(program, self.packed.len() as u64, crc).is_some()
    }
}

/// What zstd packed, of a length and with a CRC-32, wherever it lies among bytes.
pub(super) fn found(bytes: &[u8], length: u64, crc: u32) -> Option<&[u8]> {
    let length = usize::try_from(length).ok()?;
    let heads = bytes.windows(ZSTD.len()).enumerate();
    let starts = heads.filter_map(|(at, head)| (head == ZSTD).then_some(at));
    let mut all = starts.filter_map(|at| bytes.get(at..at.checked_add(length)?));
    all.find(|packed| crc32fast::hash(packed) == crc)
}
