//! Reads numbers from bytes, in either byte order.

use glam::Vec3;

use super::ReadError;

/// A file and the reading position.
pub(super) struct ByteCursor<'a> {
    all: &'a [u8],
    pub at: usize,
    /// Big-endian: the most significant byte comes first.
    pub is_big: bool,
}

impl<'a> ByteCursor<'a> {
    /// Starts at the beginning, little-endian.
    pub fn new(all: &'a [u8]) -> Self {
        Self {
            all,
            at: 0,
            is_big: false,
        }
    }

    /// Checks that at least `n` more bytes exist for `what`.
    pub fn expect(&self, what: &str, n: u64) -> Result<(), ReadError> {
        let wanted = self.at as u64 + n;
        if wanted <= self.all.len() as u64 {
            return Ok(());
        }
        Err(ReadError::Short {
            what: what.to_owned(),
            wanted,
            there: self.all.len(),
        })
    }

    /// Number of remaining bytes.
    pub fn left(&self) -> usize {
        self.all.len().saturating_sub(self.at)
    }

    /// Reads the bytes of a number.
    fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N], ReadError> {
        self.expect(what, N as u64)?;
        let mut out = [0; N];
        out.copy_from_slice(&self.all[self.at..self.at + N]);
        self.at += N;
        if self.is_big {
            out.reverse();
        }
        Ok(out)
    }

    pub fn u16(&mut self, what: &str) -> Result<u16, ReadError> {
        Ok(u16::from_le_bytes(self.take(what)?))
    }

    pub fn u32(&mut self, what: &str) -> Result<u32, ReadError> {
        Ok(u32::from_le_bytes(self.take(what)?))
    }

    pub fn f32(&mut self, what: &str) -> Result<f32, ReadError> {
        Ok(f32::from_le_bytes(self.take(what)?))
    }

    pub fn vec3(&mut self, what: &str) -> Result<Vec3, ReadError> {
        Ok(Vec3::new(self.f32(what)?, self.f32(what)?, self.f32(what)?))
    }

    /// Creates an error about the number that was just read.
    pub fn wrong(&self, size: usize, what: String) -> ReadError {
        ReadError::Wrong {
            at: self.at - size,
            what,
        }
    }
}
