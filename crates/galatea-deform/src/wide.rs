//! Weighted sums of what joints name, which registers of 4 and of 8 floats take differently.
//!
//! Callers: `kernels`. Invariants: those of `math::simd`.

use galatea_math::simd::fearless_simd::{Simd, f32x4, f32x8};
use galatea_math::simd::{Floats, Quads};

/// Rows of floats that vertices blend, named by joints; a weight for each joint.
pub(super) struct Weighted<'a, T> {
    rows: &'a [T],
    joints: &'a [u16],
    weights: &'a [f32],
}

impl<T> Clone for Weighted<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Weighted<'_, T> {}

impl<'a, T: AsRef<[f32]>> Weighted<'a, T> {
    /// `None` where a joint is not among the rows.
    #[inline(always)]
    pub(super) fn new(rows: &'a [T], joints: &'a [u16], weights: &'a [f32]) -> Option<Self> {
        let highest = joints.iter().fold(0, |highest, joint| highest.max(*joint));
        (usize::from(highest) < rows.len()).then_some(Self {
            rows,
            joints,
            weights,
        })
    }

    /// `n` joints from `first` on, and their weights.
    ///
    /// # Panics
    /// When there are not as many.
    #[inline(always)]
    pub(super) fn part(self, first: usize, n: usize) -> Self {
        Self {
            joints: &self.joints[first..][..n],
            weights: &self.weights[first..][..n],
            ..self
        }
    }

    /// A weight for each joint.
    #[inline(always)]
    pub(super) fn weights(self) -> &'a [f32] {
        self.weights
    }

    /// What joint `k` names.
    #[inline(always)]
    pub(super) fn row(self, k: usize) -> &'a [f32] {
        let joint = usize::from(self.joints[k]);
        // SAFETY: `new` has found every joint among the rows.
        unsafe { self.rows.get_unchecked(joint) }.as_ref()
    }

    /// What joint `k` and the three behind it name.
    #[inline(always)]
    fn four(self, k: usize) -> [&'a [f32]; 4] {
        // One load for four joints, of which the first is the lowest on x86 and Arm: loads are what `sum` waits for.
        let joints: u64 =
            bytemuck::pod_read_unaligned(bytemuck::cast_slice(&self.joints[k..k + 4]));
        let row = |i: usize| {
            let joint = (joints >> (16 * i) & 0xffff) as usize;
            // SAFETY: in any order of bytes this is one of the four joints, and `new` has found every joint among the rows.
            unsafe { self.rows.get_unchecked(joint) }.as_ref()
        };
        [row(0), row(1), row(2), row(3)]
    }
}

/// Registers with one lane for each vertex of a group.
pub(super) trait Wide: Quads {
    /// The weighted sums of the first `R` vectors of four floats of rows, for as many vertices as there are lanes, with `n`
    /// joints each; component by component. `K` is `n`, or 0 where it is not known beforehand.
    ///
    /// # Panics
    /// When joints are missing.
    fn blend<const K: usize, const R: usize>(
        token: Self::Token,
        rows: Weighted<impl AsRef<[f32]>>,
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
        rows: Weighted<impl AsRef<[f32]>>,
        n: usize,
    ) -> [[Self; 4]; R] {
        let n = if K == 0 { n } else { K };
        let mut sums = [[Floats::splat(token, 0.0); 4]; R];
        for v in 0..Self::N {
            let rows = rows.part(v * n, n);
            for k in 0..n {
                let w: Self = Floats::splat(token, rows.weights[k]);
                for (r, sum) in sums.iter_mut().enumerate() {
                    let part: Self = Floats::load(token, &rows.row(k)[4 * r..]);
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
        rows: Weighted<impl AsRef<[f32]>>,
        n: usize,
    ) -> [[Self; 4]; R] {
        let n = if K == 0 { n } else { K };
        let mut sums = [[Floats::splat(token, 0.0); 4]; R];
        // Written out: in a loop the sums would be kept in memory.
        macro_rules! lanes {
            ($v:literal) => {{
                let a = sum::<S, K, R>(token, rows.part($v * n, n));
                let b = sum::<S, K, R>(token, rows.part(($v + 4) * n, n));
                let pairs = [Quads::regroup(a[0], b[0]), Quads::regroup(a[1], b[1])];
                for r in 0..R {
                    sums[r][$v] = pairs[r / 2][r % 2];
                }
            }};
        }
        lanes!(0);
        lanes!(1);
        lanes!(2);
        lanes!(3);
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
    rows: Weighted<impl AsRef<[f32]>>,
) -> [f32x8<S>; 2]
where
    f32x8<S>: Floats<Token = S>,
{
    let mut sum: [f32x8<S>; 2] = [Floats::splat(token, 0.0); 2];
    macro_rules! add {
        ($row:expr, $weight:expr) => {{
            let w: f32x8<S> = Floats::splat(token, $weight);
            for two in 0..R.div_ceil(2) {
                let part: f32x8<S> = Floats::load(token, &$row[8 * two..]);
                sum[two] = Floats::mul_add(part, w, sum[two]);
            }
        }};
    }
    for four in 0..K / 4 {
        let weights = &rows.weights[4 * four..];
        let [a, b, c, d] = rows.four(4 * four);
        add!(a, weights[0]);
        add!(b, weights[1]);
        add!(c, weights[2]);
        add!(d, weights[3]);
    }
    for (k, weight) in rows.weights.iter().enumerate().skip(K / 4 * 4) {
        add!(rows.row(k), *weight);
    }
    sum
}
