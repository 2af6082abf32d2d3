//! How vertices and what binds them are brought into registers of 4 and 8 floats and out of them.
//!
//! Callers: `kernels`. Invariants: those of `math::simd`. Lane i of every register is vertex i.

use std::arch::x86_64::*;

use galatea_math::simd::{Floats, transpose128, transpose256};

/// `N` floats in one register, one of each of `N` vertices.
pub(super) trait Wide: Floats {
    /// `3 N` floats in a row as the x, y and z of `N` vectors.
    ///
    /// # Safety
    /// As [`Floats::splat`]; they can be read.
    unsafe fn load3(from: *const f32) -> [Self; 3];

    /// The inverse of [`Wide::load3`].
    ///
    /// # Safety
    /// `3 N` floats can be written.
    unsafe fn store3(v: [Self; 3], to: *mut f32);

    /// Four floats at each of `N` offsets (in floats) as four registers.
    ///
    /// # Safety
    /// As [`Floats::splat`]; they can be read.
    unsafe fn rows(from: *const f32, offsets: &[usize; 8]) -> [Self; 4];

    /// The inverse of [`Wide::rows`] for vectors that stand one after another.
    ///
    /// # Safety
    /// `4 N` floats can be written.
    unsafe fn store4(v: [Self; 4], to: *mut f32);

    /// The weighted sums of the matrices of `N` vertices, row by row; matrix `j` stands at `STRIDE * j`.
    /// `K` is the number of influences `n`, or 0 where it is not known beforehand.
    ///
    /// # Safety
    /// As [`Floats::splat`]; `N n` (at least one per vertex) joints and weights and their matrices are
    /// there.
    unsafe fn blend<const K: usize>(
        palette: *const f32,
        joints: *const u16,
        weights: *const f32,
        n: usize,
    ) -> [[Self; 4]; 3];

    /// The weighted sums of rows of eight floats for `N` vertices; row `j` stands at `8 j`.
    ///
    /// # Safety
    /// As [`Wide::blend`].
    unsafe fn blend8<const K: usize>(
        from: *const f32,
        joints: *const u16,
        weights: *const f32,
    ) -> [[Self; 4]; 2];

    /// Whether a lane is not above a bound.
    fn any_not_above(self, bound: Self) -> bool;
    /// Whether a lane is above a bound.
    fn any_above(self, bound: Self) -> bool;
}

/// Floats from one matrix of a palette to the next: twelve and padding.
pub(super) const STRIDE: usize = 16;

/// Shuffles between vectors in a row and their components; the same in every 128 bits.
macro_rules! apart3 {
    ($shuffle:ident, $a:expr, $b:expr, $c:expr) => {{
        let xy = $shuffle::<0x9E>($b, $c);
        let yz = $shuffle::<0x49>($a, $b);
        [
            $shuffle::<0x8C>($a, xy),
            $shuffle::<0xD8>(yz, xy),
            $shuffle::<0xCD>(yz, $c),
        ]
    }};
}

/// The inverse of [`apart3`].
macro_rules! together3 {
    ($shuffle:ident, $v:expr) => {{
        let [x, y, z] = $v;
        let xy = $shuffle::<0x88>(x, y);
        let yz = $shuffle::<0xDD>(y, z);
        let zx = $shuffle::<0xD8>(z, x);
        [
            $shuffle::<0x88>(xy, zx),
            $shuffle::<0xD8>(yz, xy),
            $shuffle::<0xDD>(zx, yz),
        ]
    }};
}

impl Wide for __m128 {
    #[inline(always)]
    unsafe fn load3(from: *const f32) -> [Self; 3] {
        // SAFETY: the caller vouches for the memory.
        unsafe {
            let (a, b) = (_mm_loadu_ps(from), _mm_loadu_ps(from.add(4)));
            apart3!(_mm_shuffle_ps, a, b, _mm_loadu_ps(from.add(8)))
        }
    }

    #[inline(always)]
    unsafe fn store3(v: [Self; 3], to: *mut f32) {
        // SAFETY: the caller vouches for the memory.
        unsafe {
            let [a, b, c] = together3!(_mm_shuffle_ps, v);
            _mm_storeu_ps(to, a);
            _mm_storeu_ps(to.add(4), b);
            _mm_storeu_ps(to.add(8), c);
        }
    }

    #[inline(always)]
    unsafe fn rows(from: *const f32, o: &[usize; 8]) -> [Self; 4] {
        // SAFETY: the caller vouches for the memory.
        unsafe {
            transpose128([
                _mm_loadu_ps(from.add(o[0])),
                _mm_loadu_ps(from.add(o[1])),
                _mm_loadu_ps(from.add(o[2])),
                _mm_loadu_ps(from.add(o[3])),
            ])
        }
    }

    #[inline(always)]
    unsafe fn store4(v: [Self; 4], to: *mut f32) {
        // SAFETY: the caller vouches for the memory.
        unsafe {
            let [a, b, c, d] = transpose128(v);
            _mm_storeu_ps(to, a);
            _mm_storeu_ps(to.add(4), b);
            _mm_storeu_ps(to.add(8), c);
            _mm_storeu_ps(to.add(12), d);
        }
    }

    #[inline(always)]
    unsafe fn blend<const K: usize>(
        palette: *const f32,
        joints: *const u16,
        weights: *const f32,
        n: usize,
    ) -> [[Self; 4]; 3] {
        // SAFETY: the caller's.
        unsafe {
            let n = if K == 0 { n } else { K };
            let one = |v: usize| {
                let (joints, weights) = (joints.add(v * n), weights.add(v * n));
                let mut sum = [_mm_setzero_ps(); 3];
                for k in 0..n {
                    let m = palette.add(STRIDE * usize::from(*joints.add(k)));
                    let w = _mm_set1_ps(*weights.add(k));
                    for (r, sum) in sum.iter_mut().enumerate() {
                        *sum = _mm_add_ps(_mm_mul_ps(_mm_loadu_ps(m.add(4 * r)), w), *sum);
                    }
                }
                sum
            };
            let (a, b, c, d) = (one(0), one(1), one(2), one(3));
            [
                transpose128([a[0], b[0], c[0], d[0]]),
                transpose128([a[1], b[1], c[1], d[1]]),
                transpose128([a[2], b[2], c[2], d[2]]),
            ]
        }
    }

    #[inline(always)]
    unsafe fn blend8<const K: usize>(
        from: *const f32,
        joints: *const u16,
        weights: *const f32,
    ) -> [[Self; 4]; 2] {
        // SAFETY: the caller's.
        unsafe {
            let (mut low, mut high) = ([_mm_setzero_ps(); 4], [_mm_setzero_ps(); 4]);
            for (v, (low, high)) in low.iter_mut().zip(&mut high).enumerate() {
                for k in K * v..K * (v + 1) {
                    let at = from.add(8 * usize::from(*joints.add(k)));
                    let w = _mm_set1_ps(*weights.add(k));
                    *low = _mm_add_ps(_mm_mul_ps(_mm_loadu_ps(at), w), *low);
                    *high = _mm_add_ps(_mm_mul_ps(_mm_loadu_ps(at.add(4)), w), *high);
                }
            }
            [transpose128(low), transpose128(high)]
        }
    }

    #[inline(always)]
    fn any_not_above(self, bound: Self) -> bool {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_movemask_ps(_mm_cmpgt_ps(self, bound)) != 0xF }
    }

    #[inline(always)]
    fn any_above(self, bound: Self) -> bool {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_movemask_ps(_mm_cmpgt_ps(self, bound)) != 0 }
    }
}

/// Four floats at `low` and four at `high`.
///
/// # Safety
/// AVX; they can be read.
#[inline(always)]
unsafe fn pair(low: *const f32, high: *const f32) -> __m256 {
    // SAFETY: the caller's.
    unsafe {
        let low = _mm256_castps128_ps256(_mm_loadu_ps(low));
        _mm256_insertf128_ps::<1>(low, _mm_loadu_ps(high))
    }
}

/// Writes the lower half at `low`, the upper at `high`.
///
/// # Safety
/// AVX; four floats can be written at each.
#[inline(always)]
unsafe fn store_pair(v: __m256, low: *mut f32, high: *mut f32) {
    // SAFETY: the caller's.
    unsafe {
        _mm_storeu_ps(low, _mm256_castps256_ps128(v));
        _mm_storeu_ps(high, _mm256_extractf128_ps::<1>(v));
    }
}

/// The weighted sum of one vertex's matrices: rows x and y, and row z with what pads it.
///
/// # Safety
/// AVX2 and FMA; joints, weights and matrices are there.
#[inline(always)]
unsafe fn sum<const K: usize>(
    palette: *const f32,
    joints: *const u16,
    weights: *const f32,
    n: usize,
) -> (__m256, __m256) {
    // SAFETY: the caller's.
    unsafe {
        let (mut xy, mut z) = (_mm256_setzero_ps(), _mm256_setzero_ps());
        macro_rules! add {
            ($joint:expr, $k:expr) => {{
                let m = palette.add(STRIDE * $joint as usize);
                let w = _mm256_broadcast_ss(&*weights.add($k));
                xy = _mm256_fmadd_ps(_mm256_loadu_ps(m), w, xy);
                z = _mm256_fmadd_ps(_mm256_loadu_ps(m.add(8)), w, z);
            }};
        }
        if K == 4 {
            // One load for four joints: loads are what this loop waits for.
            let four = joints.cast::<u64>().read_unaligned();
            add!(four & 0xffff, 0);
            add!(four >> 16 & 0xffff, 1);
            add!(four >> 32 & 0xffff, 2);
            add!(four >> 48, 3);
        } else {
            for k in 0..n {
                add!(*joints.add(k), k);
            }
        }
        (xy, z)
    }
}

/// The weighted sum of one vertex's rows of eight floats.
///
/// # Safety
/// AVX2 and FMA; joints, weights and rows are there.
#[inline(always)]
unsafe fn sum8<const K: usize>(
    from: *const f32,
    joints: *const u16,
    weights: *const f32,
) -> __m256 {
    // SAFETY: the caller's.
    unsafe {
        let mut sum = _mm256_setzero_ps();
        for four in 0..K / 4 {
            let joints = joints.add(4 * four).cast::<u64>().read_unaligned();
            for k in 0..4 {
                let row = from.add(8 * (joints >> (16 * k) & 0xffff) as usize);
                let w = _mm256_broadcast_ss(&*weights.add(4 * four + k));
                sum = _mm256_fmadd_ps(_mm256_loadu_ps(row), w, sum);
            }
        }
        sum
    }
}

/// Rows x, y and z of the sums of vertices `v` and `v + 4`, side by side.
///
/// # Safety
/// As [`sum`].
#[inline(always)]
unsafe fn two<const K: usize>(
    palette: *const f32,
    joints: *const u16,
    weights: *const f32,
    n: usize,
    v: usize,
) -> [__m256; 3] {
    // SAFETY: the caller's.
    unsafe {
        let at = v * n;
        let (a_xy, a_z) = sum::<K>(palette, joints.add(at), weights.add(at), n);
        let at = (v + 4) * n;
        let (b_xy, b_z) = sum::<K>(palette, joints.add(at), weights.add(at), n);
        [
            _mm256_permute2f128_ps::<0x20>(a_xy, b_xy),
            _mm256_permute2f128_ps::<0x31>(a_xy, b_xy),
            _mm256_permute2f128_ps::<0x20>(a_z, b_z),
        ]
    }
}

impl Wide for __m256 {
    #[inline(always)]
    unsafe fn load3(from: *const f32) -> [Self; 3] {
        // SAFETY: the caller's.
        unsafe {
            let a = pair(from, from.add(12));
            let b = pair(from.add(4), from.add(16));
            let c = pair(from.add(8), from.add(20));
            apart3!(_mm256_shuffle_ps, a, b, c)
        }
    }

    #[inline(always)]
    unsafe fn store3(v: [Self; 3], to: *mut f32) {
        // SAFETY: the caller's.
        unsafe {
            let [a, b, c] = together3!(_mm256_shuffle_ps, v);
            store_pair(a, to, to.add(12));
            store_pair(b, to.add(4), to.add(16));
            store_pair(c, to.add(8), to.add(20));
        }
    }

    #[inline(always)]
    unsafe fn rows(from: *const f32, o: &[usize; 8]) -> [Self; 4] {
        // SAFETY: the caller's.
        unsafe {
            transpose256([
                pair(from.add(o[0]), from.add(o[4])),
                pair(from.add(o[1]), from.add(o[5])),
                pair(from.add(o[2]), from.add(o[6])),
                pair(from.add(o[3]), from.add(o[7])),
            ])
        }
    }

    #[inline(always)]
    unsafe fn store4(v: [Self; 4], to: *mut f32) {
        // SAFETY: the caller's.
        unsafe {
            let [a, b, c, d] = transpose256(v);
            store_pair(a, to, to.add(16));
            store_pair(b, to.add(4), to.add(20));
            store_pair(c, to.add(8), to.add(24));
            store_pair(d, to.add(12), to.add(28));
        }
    }

    #[inline(always)]
    unsafe fn blend<const K: usize>(
        palette: *const f32,
        joints: *const u16,
        weights: *const f32,
        n: usize,
    ) -> [[Self; 4]; 3] {
        // SAFETY: the caller's.
        unsafe {
            let n = if K == 0 { n } else { K };
            let a = two::<K>(palette, joints, weights, n, 0);
            let b = two::<K>(palette, joints, weights, n, 1);
            let c = two::<K>(palette, joints, weights, n, 2);
            let d = two::<K>(palette, joints, weights, n, 3);
            [
                transpose256([a[0], b[0], c[0], d[0]]),
                transpose256([a[1], b[1], c[1], d[1]]),
                transpose256([a[2], b[2], c[2], d[2]]),
            ]
        }
    }

    #[inline(always)]
    unsafe fn blend8<const K: usize>(
        from: *const f32,
        joints: *const u16,
        weights: *const f32,
    ) -> [[Self; 4]; 2] {
        // SAFETY: the caller's.
        unsafe {
            let (mut low, mut high) = ([_mm256_setzero_ps(); 4], [_mm256_setzero_ps(); 4]);
            for v in 0..4 {
                let a = sum8::<K>(from, joints.add(K * v), weights.add(K * v));
                let b = sum8::<K>(from, joints.add(K * (v + 4)), weights.add(K * (v + 4)));
                low[v] = _mm256_permute2f128_ps::<0x20>(a, b);
                high[v] = _mm256_permute2f128_ps::<0x31>(a, b);
            }
            [transpose256(low), transpose256(high)]
        }
    }

    #[inline(always)]
    fn any_not_above(self, bound: Self) -> bool {
        // SAFETY: the values prove the instructions.
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(self, bound)) != 0xFF }
    }

    #[inline(always)]
    fn any_above(self, bound: Self) -> bool {
        // SAFETY: the values prove the instructions.
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(self, bound)) != 0 }
    }
}
