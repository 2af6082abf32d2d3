//! Random numbers from a seed.

/// A SplitMix64 generator (Steele, Lea and Flood 2014).
pub struct FuzzRng(u64);

impl FuzzRng {
    /// The numbers of one input of a target.
    pub fn new(target: &str, seed: u64, index: u64) -> Self {
        // FNV-1a, so that targets differ.
        let name = target.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut rng = Self(seed ^ name);
        rng.0 = rng.next() ^ index;
        rng
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        match n {
            0 => 0,
            n => (self.next() % n as u64) as usize,
        }
    }

    /// Returns true once in `n` times on average.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// A range within `0..n`, usually short.
    pub fn range(&mut self, n: usize) -> std::ops::Range<usize> {
        let from = self.below(n);
        let longest = match self.below(4) {
            0 => n,
            1 => 64,
            _ => 8,
        };
        let length = 1 + self.below(longest);
        from..(from + length).min(n)
    }
}
