//! Weighted sums of joint rows, implemented differently for registers of 4 and of 8 floats.
//!
//! Used by `kernels`. The requirements of `math::simd` apply.

use bytemuck::{Pod, cast_slice};
use galatea_math::simd::fearless_simd::{Simd, f32x4, f32x8};
use galatea_math::simd::{Floats, Quads};

/// Rows of floats that vertices blend, indexed by joints, with a weight for each joint.
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
    /// Returns `None` if a joint is not among the rows or has no weight.
    #[inline(always)]
    pub(super) fn new(rows: &'a [T], joints: &'a [u16], weights: &'a [f32]) -> Option<Self> {
        let highest = joints.iter().fold(0, |highest, joint| highest.max(*joint));
        let weights = weights.get(..joints.len())?;
        (usize::from(highest) < rows.len()).then_some(Self {
            rows,
            joints,
            weights,
        })
    }

    /// Part of `n` joints from `first` on, with their weights.
    ///
    /// # Panics
    /// If there are fewer joints.
    #[inline(always)]
    pub(super) fn part(self, first: usize, n: usize) -> Self {
        Self {
            joints: &self.joints[first..][..n],
            weights: &self.weights[first..][..n],
            ..self
        }
    }

    /// Parts of `n` joints each, at least one.
    #[inline(always)]
    pub(super) fn parts(self, n: usize) -> impl Iterator<Item = Self> {
        let parts = self
            .joints
            .chunks_exact(n)
            .zip(self.weights.chunks_exact(n));
        parts.map(
            #[inline(always)]
            move |(joints, weights)| Self {
                joints,
                weights,
                ..self
            },
        )
    }

    /// A weight for each joint.
    #[inline(always)]
    pub(super) fn weights(self) -> &'a [f32] {
        self.weights
    }

    /// Row of joint `k`.
    #[inline(always)]
    pub(super) fn row(self, k: usize) -> &'a [f32] {
        let joint = usize::from(self.joints[k]);
        // SAFETY: `new` has checked that every joint is among the rows.
        unsafe { self.rows.get_unchecked(joint) }.as_ref()
    }

    /// Row of each joint, and its weight.
    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = (&'a [f32], f32)> {
        self.joints.iter().zip(self.weights).map(
            #[inline(always)]
            move |(joint, weight)| {
                // SAFETY: `new` has checked that every joint is among the rows, and `joints` has no others.
                let row = unsafe { self.rows.get_unchecked(usize::from(*joint)) };
                (row.as_ref(), *weight)
            },
        )
    }

    /// Rows of joint `k` and the next three.
    #[inline(always)]
    fn four(self, k: usize) -> [&'a [f32]; 4] {
        // One load for four joints, of which the first is the lowest on x86 and Arm, because `sum` is limited by loads.
        let joints: u64 = bytemuck::pod_read_unaligned(cast_slice(&self.joints[k..][..4]));
        let row = |i: usize| {
            let joint = (joints >> (16 * i) & 0xffff) as usize;
            // SAFETY: in any byte order this is one of the four joints, and `new` has checked that every joint is among the
            // rows.
            unsafe { self.rows.get_unchecked(joint) }.as_ref()
        };
        [row(0), row(1), row(2), row(3)]
    }
}

/// Registers with one lane for each vertex of a group.
pub(super) trait Wide: Quads {
    /// The floats of one 3D vector per lane.
    type Xyz: Pod + AsRef<[f32]> + AsMut<[f32]>;
    /// [`Xyz`](Self::Xyz) for vectors of four.
    type Xyzw: Pod + AsRef<[f32]> + AsMut<[f32]>;

    /// Weighted sums of the first `R` vectors of four floats of rows, for one vertex per lane with `n` joints each;
    /// component by component. `K` is `n`, or 0 if it is unknown at compile time.
    ///
    /// # Panics
    /// If joints are missing.
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
    type Xyz = [f32; 12];
    type Xyzw = [f32; 16];

    #[inline(always)]
    fn blend<const K: usize, const R: usize>(
        token: S,
        rows: Weighted<impl AsRef<[f32]>>,
        n: usize,
    ) -> [[Self; 4]; R] {
        let n = if K == 0 { n } else { K };
        let mut sums = [[Floats::splat(token, 0.0); 4]; R];
        // Unrolled by hand, here and for eight lanes: in a loop the sums would be kept in memory.
        macro_rules! lane {
            ($v:literal) => {{
                for (row, weight) in rows.part($v * n, n).iter() {
                    let w: Self = Floats::splat(token, weight);
                    for (r, sum) in sums.iter_mut().enumerate() {
                        let part: Self = Floats::load(token, &row[4 * r..]);
                        sum[$v] = Floats::mul_add(part, w, sum[$v]);
                    }
                }
            }};
        }
        lane!(0);
        lane!(1);
        lane!(2);
        lane!(3);
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
    type Xyz = [f32; 24];
    type Xyzw = [f32; 32];

    #[inline(always)]
    fn blend<const K: usize, const R: usize>(
        token: S,
        rows: Weighted<impl AsRef<[f32]>>,
        n: usize,
    ) -> [[Self; 4]; R] {
        let n = if K == 0 { n } else { K };
        let mut sums = [[Floats::splat(token, 0.0); 4]; R];
        macro_rules! lanes {
            ($v:literal) => {{
                let a = sum::<S, R>(token, rows.part($v * n, n));
                let b = sum::<S, R>(token, rows.part(($v + 4) * n, n));
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

/// Weighted sums of one vertex, two of the `R` vectors per register.
#[inline(always)]
fn sum<S: Simd, const R: usize>(token: S, rows: Weighted<impl AsRef<[f32]>>) -> [f32x8<S>; 2]
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
    let n = rows.joints.len();
    for k in (0..n - n % 4).step_by(4) {
        let weights = &rows.weights[k..][..4];
        let [a, b, c, d] = rows.four(k);
        add!(a, weights[0]);
        add!(b, weights[1]);
        add!(c, weights[2]);
        add!(d, weights[3]);
    }
    for (row, weight) in rows.part(n - n % 4, n % 4).iter() {
        add!(row, weight);
    }
    sum
}
