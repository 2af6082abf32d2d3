//! Bit writer.
//!
//! Used by the encoder and by the reader of the disk format.

use super::search::Stored;

/// Writes numbers with a few bits each, lowest bit first.
#[derive(Default)]
pub struct BitWriter {
    /// Complete bytes written so far.
    pub bytes: Vec<u8>,
    pending: u64,
    n: u32,
}

impl BitWriter {
    /// Appends the lowest `width` bits of a number; its other bits must be zero.
    pub fn push(&mut self, number: u32, width: u32) {
        self.pending |= u64::from(number) << self.n;
        self.n += width;
        while self.n >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.n -= 8;
        }
    }

    /// Appends all numbers of a group.
    pub fn stored(&mut self, stored: &Stored) {
        let widths = stored.cell.widths();
        for numbers in &stored.numbers {
            for (number, width) in numbers.iter().zip(widths) {
                self.push(*number, width);
            }
        }
    }

    /// Pads the last byte with zeros.
    pub fn align(&mut self) {
        if self.n > 0 {
            self.push(0, 8 - self.n);
        }
    }
}
