//! Adaptive binary range coder, and codes for integers that use it.
//!
//! Used by the disk format. The available crates either use floating-point models, whose rounding can differ between
//! machines, or contain a whole compressor. This coder uses integers only, so a file reads the same on every machine.
//! It is the carry-propagating coder of LZMA (I. Pavlov, "LZMA specification", 2015). Its probabilities count the
//! bits seen, so that they adapt fast on clips of a few kilobytes. Invariant: a reader past the end of its bytes
//! reads zeros and reports it; it never fails otherwise.

use galatea_math::clamp::ClampTo as _;

/// Adaptive probability that the next bit is 0.
#[derive(Clone, Copy, Debug)]
pub struct BitModel {
    /// In units of 1/65536.
    zero: u16,
    seen: u8,
}

impl Default for BitModel {
    fn default() -> Self {
        Self {
            zero: 1 << 15,
            seen: 0,
        }
    }
}

/// Number of bits after which the probability becomes a running mean.
const MAX_SEEN: u8 = 120;
const MIN_PROBABILITY: u16 = 48;

impl BitModel {
    fn learn(&mut self, bit: bool) {
        let target = if bit {
            i32::from(MIN_PROBABILITY)
        } else {
            65535 - i32::from(MIN_PROBABILITY)
        };
        let now = i32::from(self.zero);
        let next = now + (target - now) * 2 / (2 * i32::from(self.seen) + 3);
        self.zero = next.clamp_to(
            i32::from(MIN_PROBABILITY),
            65535 - i32::from(MIN_PROBABILITY),
        ) as u16;
        self.seen = (self.seen + 1).min(MAX_SEEN);
    }
}

/// Bit coder: a writer or a reader. A disk format is one function over this trait, so that writing and reading cannot
/// differ.
pub trait Coder {
    /// Codes a bit with an adaptive probability: writes `bit` and returns it, or returns the bit that was read.
    fn bit(&mut self, chance: &mut BitModel, bit: bool) -> bool;
    /// Codes `n` bits (0..=32) of probability 1/2.
    fn even(&mut self, n: u32, value: u32) -> u32;
    /// Returns true if a reader has read past the end of its bytes.
    fn beyond(&self) -> bool {
        false
    }
}

/// Writer.
pub struct RangeEncoder {
    low: u64,
    range: u32,
    cache: u8,
    pending: u64,
    bytes: Vec<u8>,
}

impl RangeEncoder {
    /// Creates a writer that appends to `bytes`.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self {
            low: 0,
            range: u32::MAX,
            cache: 0,
            pending: 1,
            bytes,
        }
    }

    fn shift(&mut self) {
        if self.low < 0xFF00_0000 || self.low > 0xFFFF_FFFF {
            let carry = (self.low >> 32) as u8;
            let mut byte = self.cache;
            while self.pending > 0 {
                self.bytes.push(byte.wrapping_add(carry));
                byte = 0xFF;
                self.pending -= 1;
            }
            self.cache = (self.low >> 24) as u8;
        }
        self.pending += 1;
        self.low = (self.low & 0x00FF_FFFF) << 8;
    }

    /// Ends the stream. Trailing zero bytes are omitted, because a reader supplies them.
    pub fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

impl Coder for RangeEncoder {
    fn bit(&mut self, chance: &mut BitModel, bit: bool) -> bool {
        let bound = (self.range >> 16) * u32::from(chance.zero);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.learn(bit);
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.shift();
        }
        bit
    }

    fn even(&mut self, n: u32, value: u32) -> u32 {
        for at in (0..n).rev() {
            self.range >>= 1;
            if value >> at & 1 == 1 {
                self.low += u64::from(self.range);
            }
            while self.range < 1 << 24 {
                self.range <<= 8;
                self.shift();
            }
        }
        value
    }
}

/// Reader.
pub struct RangeDecoder<'a> {
    bytes: &'a [u8],
    at: usize,
    range: u32,
    code: u32,
}

impl<'a> RangeDecoder<'a> {
    /// Creates a reader for the output of a [`RangeEncoder`].
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut reader = Self {
            bytes,
            at: 0,
            range: u32::MAX,
            code: 0,
        };
        for _ in 0..5 {
            reader.next();
        }
        reader
    }

    fn next(&mut self) {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at = self.at.saturating_add(1);
        self.code = self.code << 8 | u32::from(byte);
    }
}

impl Coder for RangeDecoder<'_> {
    fn bit(&mut self, chance: &mut BitModel, _: bool) -> bool {
        let bound = (self.range >> 16) * u32::from(chance.zero);
        let bit = self.code >= bound;
        if bit {
            self.code -= bound;
            self.range -= bound;
        } else {
            self.range = bound;
        }
        chance.learn(bit);
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.next();
        }
        bit
    }

    fn even(&mut self, n: u32, _: u32) -> u32 {
        let mut value = 0;
        for _ in 0..n {
            self.range >>= 1;
            let bit = self.code >= self.range;
            if bit {
                self.code -= self.range;
            }
            value = value << 1 | u32::from(bit);
            while self.range < 1 << 24 {
                self.range <<= 8;
                self.next();
            }
        }
        value
    }

    fn beyond(&self) -> bool {
        self.at > self.bytes.len() + 16
    }
}

/// Codes numbers of `bits` bits; each bit has its own probability per prefix of higher bits.
#[derive(Clone, Debug)]
pub struct BitTree {
    bits: u32,
    chances: Vec<BitModel>,
}

impl BitTree {
    /// Creates a tree for numbers below `2^bits`.
    pub fn new(bits: u32) -> Self {
        Self {
            bits,
            chances: vec![BitModel::default(); 1 << bits],
        }
    }

    /// Codes a number.
    pub fn code(&mut self, coder: &mut impl Coder, value: u32) -> u32 {
        let mut node = 1usize;
        for at in (0..self.bits).rev() {
            let bit = coder.bit(&mut self.chances[node], value >> at & 1 == 1);
            node = node << 1 | usize::from(bit);
        }
        node as u32 & ((1 << self.bits) - 1)
    }
}

/// Codes signed integers of any size, small ones cheaply: the bit length, the sign, then the bits after the first, of
/// which the upper two are adaptive.
#[derive(Clone, Debug)]
pub struct Signed {
    lengths: [BitModel; 34],
    signs: [BitModel; 3],
    first: [BitModel; 34],
    second: [[BitModel; 2]; 34],
}

impl Default for Signed {
    fn default() -> Self {
        Self {
            lengths: [BitModel::default(); 34],
            signs: [BitModel::default(); 3],
            first: [BitModel::default(); 34],
            second: [[BitModel::default(); 2]; 34],
        }
    }
}

impl Signed {
    /// Codes a number; `sign` (0..=2) is the expected sign: none, plus, minus.
    pub fn code(&mut self, coder: &mut impl Coder, value: i32, sign: usize) -> i32 {
        let size = value.unsigned_abs();
        let n_bits = 32 - size.leading_zeros();
        let mut length = 0;
        while length < 32 && coder.bit(&mut self.lengths[length as usize], n_bits > length) {
            length += 1;
        }
        if length == 0 {
            return 0;
        }
        let mut read = 1u32;
        let mut left = length - 1;
        if left > 0 {
            left -= 1;
            let bit = coder.bit(&mut self.first[length as usize], size >> left & 1 == 1);
            read = read << 1 | u32::from(bit);
            if left > 0 {
                left -= 1;
                let chance = &mut self.second[length as usize][usize::from(bit)];
                read = read << 1 | u32::from(coder.bit(chance, size >> left & 1 == 1));
            }
        }
        if left > 0 {
            let low = coder.even(left, size & ((1 << left) - 1));
            read = read << left | low;
        }
        let minus = coder.bit(&mut self.signs[sign.min(2)], value < 0);
        let read = read as i32;
        if minus { read.wrapping_neg() } else { read }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn written_numbers_are_read_back(values in prop::collection::vec(any::<i32>(), 0..200), small in prop::collection::vec(-3i32..4, 0..500)) {
            let all: Vec<i32> = values.iter().chain(&small).copied().collect();
            let run = |coder: &mut dyn FnMut(&mut Signed, &mut BitTree, i32) -> (i32, u32)| {
                let (mut signed, mut tree) = (Signed::default(), BitTree::new(5));
                all.iter().map(|&v| coder(&mut signed, &mut tree, v)).collect::<Vec<_>>()
            };
            let mut writer = RangeEncoder::new(Vec::new());
            run(&mut |s, t, v| (s.code(&mut writer, v, 0), t.code(&mut writer, v as u32 & 31)));
            writer.even(17, 0x1_2345 & 0x1_ffff);
            let bytes = writer.finish();
            let mut reader = RangeDecoder::new(&bytes);
            let back = run(&mut |s, t, _| (s.code(&mut reader, 0, 0), t.code(&mut reader, 0)));
            for (v, (signed, tree)) in all.iter().zip(back) {
                prop_assert_eq!(*v, signed);
                prop_assert_eq!(*v as u32 & 31, tree);
            }
            prop_assert_eq!(reader.even(17, 0), 0x1_2345 & 0x1_ffff);
            prop_assert!(!reader.beyond());
        }
    }
}
