//! Hashes of the results of kernels. Unit tests compare them with constants, so that all CPUs give the same bits.
//!
//! Used by tests of the kernels.

use super::Level;

/// Hashes of a kernel's results for a fixed input, for the levels that differ in their bits.
///
/// The input must be created without functions of the C library and without glam's normalised vectors and quaternions, which
/// round differently on Arm.
#[derive(Clone, Copy, Debug)]
pub struct PinnedHash {
    /// At [`Level::Scalar`]; `None` where that level computes with glam.
    pub scalar: Option<u64>,
    /// At [`Level::Sse2`].
    pub sse2: u64,
    /// At [`Level::Avx2`], [`Level::Avx512`] and [`Level::Neon`].
    pub fused: u64,
}

impl PinnedHash {
    /// Computes the results at each level that this CPU can run, and compares their hashes.
    ///
    /// # Panics
    /// When a level gives other bits, or a result that is not finite.
    pub fn check(self, results: impl Fn(Level) -> Vec<f32>) {
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        for level in Level::ALL {
            let pinned = match level {
                Level::Scalar => self.scalar,
                Level::Sse2 => Some(self.sse2),
                Level::Avx2 | Level::Avx512 | Level::Neon => Some(self.fused),
            };
            let Some(pinned) = pinned.filter(|_| level <= Level::best()) else {
                continue;
            };
            let results = results(level);
            assert!(results.iter().all(|v| v.is_finite()), "{level:?}");
            let row = |hash: u64| format!("{level:?} {hash:#018x}");
            found.push(row(hash(&results)));
            expected.push(row(pinned));
        }
        assert_eq!(found, expected);
    }
}

/// FNV-1a over the bits, a float at a time.
fn hash(values: &[f32]) -> u64 {
    let step = |hash: u64, v: &f32| (hash ^ u64::from(v.to_bits())).wrapping_mul(0x100_0000_01b3);
    values.iter().fold(0xcbf2_9ce4_8422_2325, step)
}
