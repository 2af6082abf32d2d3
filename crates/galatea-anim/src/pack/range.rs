//! An adaptive binary range coder and ways of coding whole numbers with it.
//!
//! Callers: the form on disk. Written here because the crates there are either code tables of
//! floating-point models, whose rounding is not promised to be the same everywhere, or come with a
//! whole compressor; this is integers only, so a file reads the same on every machine. The coder is
//! the carry-propagating one of LZMA (I. Pavlov, "LZMA specification", 2015); its probabilities count
//! what they saw, so that they learn fast on clips of a few kilobytes.
//! Invariant: a reader past the end of its bytes reads zeros and says so; it never fails otherwise.

use galatea_math::clamp::ClampTo as _;

/// The chance that the next bit is 0, learnt from those before.
#[derive(Clone, Copy, Debug)]
pub struct BitModel {
    /// In 1/65536.
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

/// After so many bits a chance is a running mean instead of a plain one.
const MEMORY: u8 = 120;
const LEAST: u16 = 48;

impl BitModel {
    fn learn(&mut self, bit: bool) {
        let target = if bit {
            i32::from(LEAST)
        } else {
            65535 - i32::from(LEAST)
        };
        let now = i32::from(self.zero);
        let next = now + (target - now) * 2 / (2 * i32::from(self.seen) + 3);
        self.zero = next.clamp_to(i32::from(LEAST), 65535 - i32::from(LEAST)) as u16;
        self.seen = (self.seen + 1).min(MEMORY);
    }
}

/// What codes bits: a writer or a reader. A form on disk is one function over this trait, so that
/// writing and reading cannot differ.
pub trait Coder {
    /// Codes a bit with a learning chance: writes `bit` and returns it, or returns what was read.
    fn bit(&mut self, chance: &mut BitModel, bit: bool) -> bool;
    /// Codes `n` bits (0..=32) of even chance.
    fn even(&mut self, n: u32, value: u32) -> u32;
    /// True when a reader has gone beyond its bytes.
    fn beyond(&self) -> bool {
        false
    }
}

/// Writes.
pub struct RangeEncoder {
    low: u64,
    range: u32,
    cache: u8,
    pending: u64,
    bytes: Vec<u8>,
}

impl RangeEncoder {
    /// A writer that appends to `bytes`.
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

    /// Ends the stream. Zero bytes at the end are left out: a reader makes them up.
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

/// Reads.
pub struct RangeDecoder<'a> {
    bytes: &'a [u8],
    at: usize,
    range: u32,
    code: u32,
}

impl<'a> RangeDecoder<'a> {
    /// A reader of what a [`RangeEncoder`] appended.
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

/// Numbers of `BITS` bits, every bit with the chance of those above it.
#[derive(Clone, Debug)]
pub struct BitTree {
    bits: u32,
    chances: Vec<BitModel>,
}

impl BitTree {
    /// For numbers below `2^bits`.
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

/// Signed whole numbers of any size, small ones cheap: how many bits, the sign, the bits after the
/// first, of which the upper two are learnt.
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
    /// Codes a number; `sign` (0..=2) says what sign is expected: none, plus, minus.
    pub fn code(&mut self, coder: &mut impl Coder, value: i32, sign: usize) -> i32 {
        let size = value.unsigned_abs();
        let wanted = 32 - size.leading_zeros();
        let mut length = 0;
        while length < 32 && coder.bit(&mut self.lengths[length as usize], wanted > length) {
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
        fn what_was_written_is_read(values in prop::collection::vec(any::<i32>(), 0..200), small in prop::collection::vec(-3i32..4, 0..500)) {
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
