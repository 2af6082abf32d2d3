//! Weighted sums of what joints name, which registers of 4 and of 8 floats take differently.
//!
//! Callers: `kernels`. Invariants: those of `math::simd`.

use galatea_math::simd::fearless_simd::prelude::*;
use galatea_math::simd::fearless_simd::{Simd, f32x4, f32x8};
use galatea_math::simd::{Floats, Quads};

/// Registers with one lane for each vertex of a group.
pub(super) trait Wide: Quads {
    /// The weighted sums of the first `R` vectors of four floats that joints name, of as many vertices as there are
    /// lanes, `n` joints and weights each; component by component. `K` is `n`, or 0 where it is not known beforehand.
    ///
    /// # Panics
    /// When joints or weights are missing, or a joint is not among `rows`.
    fn blend<const K: usize, const R: usize>(
        token: Self::Token,
        rows: &[impl AsRef<[f32]>],
        joints: &[u16],
        weights: &[f32],
        n: usize,
    ) -> [[Self; 4]; R];
}

impl<S: Simd> Wide for f32x4<S>
where
    Self: Quads<Token = S>,
{
    #[inline(always)]
    fn blend<const K: usize, const R: usize>(
        token: S,
        rows: &[impl AsRef<[f32]>],
        joints: &[u16],
        weights: &[f32],
        n: usize,
    ) -> [[Self; 4]; R] {
        let n = if K == 0 { n } else { K };
        let (joints, weights) = (&joints[..n * Self::N], &weights[..n * Self::N]);
        let mut sums = [[Floats::splat(token, 0.0); 4]; R];
        for v in 0..Self::N {
            for k in v * n..(v + 1) * n {
                let row = rows[usize::from(joints[k])].as_ref();
                let w: Self = Floats::splat(token, weights[k]);
                for (r, sum) in sums.iter_mut().enumerate() {
                    let part: Self = Floats::load(token, &row[4 * r..]);
                    sum[v] = Floats::mul_add(part, w, sum[v]);
                }
            }
        }
        for sum in &mut sums {
            *sum = Quads::transpose(*sum);
        }
        sums
    }
}

impl<S: Simd> Wide for f32x8<S>
where
    Self: Quads<Token = S>,
{
    #[inline(always)]
    fn blend<const K: usize, const R: usize>(
        token: S,
        rows: &[impl AsRef<[f32]>],
        joints: &[u16],
        weights: &[f32],
        n: usize,
    ) -> [[Self; 4]; R] {
        let n = if K == 0 { n } else { K };
        let n = if K == 0 { n } else { K };
        let (joints, weights) = (&joints[..n * Self::N], &weights[..n * Self::N]);
        let mut sums = [[Floats::splat(token, 0.0); 4]; R];
        for v in 0..4 {
            let a = sum::<S, K, R>(token, rows, &joints[v * n..], &weights[v * n..], n);
            let (joints, weights) = (&joints[(v + 4) * n..], &weights[(v + 4) * n..]);
            let b = sum::<S, K, R>(token, rows, joints, weights, n);
            for r in 0..R {
                let ((a, a2), (b, b2)) = (a[r / 2].split(), b[r / 2].split());
                sums[r][v] = if r % 2 == 0 {
                    a.combine(b)
                } else {
                    a2.combine(b2)
                };
            }
        }
        for sum in &mut sums {
            *sum = Quads::transpose(*sum);
        }
        sums
    }
}

/// The weighted sums of one vertex, two of the `R` vectors in a register.
#[inline(always)]
fn sum<S: Simd, const K: usize, const R: usize>(
    token: S,
    rows: &[impl AsRef<[f32]>],
    joints: &[u16],
    weights: &[f32],
    n: usize,
) -> [f32x8<S>; 2]
where
    f32x8<S>: Floats<Token = S>,
{
    let mut sum: [f32x8<S>; 2] = [Floats::splat(token, 0.0); 2];
    macro_rules! add {
        ($joint:expr, $weight:expr) => {{
            let row = rows[$joint].as_ref();
            let w: f32x8<S> = Floats::splat(token, $weight);
            for two in 0..R.div_ceil(2) {
                let part: f32x8<S> = Floats::load(token, &row[8 * two..]);
                sum[two] = Floats::mul_add(part, w, sum[two]);
            }
        }};
    }
    let n = if K == 0 { n } else { K };
    let (joints, weights) = (&joints[..n], &weights[..n]);
    let (fours, rest) = if K == 0 { (0, n) } else { (K / 4, 0) };
    for four in 0..fours {
        // One load for four joints, of which the first is the lowest on x86 and Arm: loads are what this loop waits for.
        let at = 4 * four;
        let four: u64 = bytemuck::pod_read_unaligned(bytemuck::cast_slice(&joints[at..at + 4]));
        add!((four & 0xffff) as usize, weights[at]);
        add!((four >> 16 & 0xffff) as usize, weights[at + 1]);
        add!((four >> 32 & 0xffff) as usize, weights[at + 2]);
        add!((four >> 48) as usize, weights[at + 3]);
    }
    for k in 0..rest {
        add!(usize::from(joints[k]), weights[k]);
    }
    sum
}
