//! Registers of 1, 4 and 8 floats behind one trait, so that each loop is written once.
//!
//! Callers: kernels of `anim`, `rig` and `deform`. Invariants: values are made only by the unsafe constructors,
//! whose callers vouch that the CPU has the instructions; a value is therefore the proof its methods need. (A
//! trait's methods cannot enable instructions of their own. All are inlined into the kernels, which
//! do; closures and iterators between the two would not be.)

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// `N` floats in one register.
pub trait Floats: Copy {
    /// Floats per register.
    const N: usize;

    /// The same number in every lane.
    ///
    /// # Safety
    /// The CPU has this type's instructions.
    unsafe fn splat(v: f32) -> Self;

    /// `N` floats from memory of any alignment.
    ///
    /// # Safety
    /// As [`Floats::splat`]; `N` floats can be read.
    unsafe fn load(from: *const f32) -> Self;

    /// `N` floats to memory of any alignment.
    ///
    /// # Safety
    /// `N` floats can be written.
    unsafe fn store(self, to: *mut f32);

    /// The same number in every lane of another such register.
    fn like(self, v: f32) -> Self;
    /// Lane-wise sum.
    fn add(self, b: Self) -> Self;
    /// Lane-wise difference.
    fn sub(self, b: Self) -> Self;
    /// Lane-wise product.
    fn mul(self, b: Self) -> Self;
    /// Lane-wise quotient.
    fn div(self, b: Self) -> Self;
    /// Lane-wise square root.
    fn sqrt(self) -> Self;
    /// Lane-wise minimum.
    fn min(self, b: Self) -> Self;
    /// Lane-wise maximum.
    fn max(self, b: Self) -> Self;
    /// `self * b + c`.
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// `c - self * b`.
    fn neg_mul_add(self, b: Self, c: Self) -> Self;
    /// Negated where `by` is negative.
    fn flip(self, by: Self) -> Self;
    /// `yes` where `self` is above zero, else `no`.
    fn choose(self, yes: Self, no: Self) -> Self;
}

/// One float: plain Rust, for every CPU.
impl Floats for f32 {
    const N: usize = 1;

    #[inline(always)]
    unsafe fn splat(v: f32) -> Self {
        v
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller vouches for the memory.
        unsafe { from.read() }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller vouches for the memory.
        unsafe { to.write(self) }
    }

    #[inline(always)]
    fn like(self, v: f32) -> Self {
        v
    }

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        self + b
    }

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        self - b
    }

    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        self * b
    }

    #[inline(always)]
    fn div(self, b: Self) -> Self {
        self / b
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn min(self, b: Self) -> Self {
        if self < b { self } else { b }
    }

    #[inline(always)]
    fn max(self, b: Self) -> Self {
        if self > b { self } else { b }
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        self * b + c
    }

    #[inline(always)]
    fn neg_mul_add(self, b: Self, c: Self) -> Self {
        c - self * b
    }

    #[inline(always)]
    fn flip(self, by: Self) -> Self {
        if by.is_sign_negative() { -self } else { self }
    }

    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        if self > 0.0 { yes } else { no }
    }
}

/// The arithmetic that both widths have under other names.
#[cfg(target_arch = "x86_64")]
macro_rules! arithmetic {
    ($($method:ident $intrinsic:ident ($($arg:ident),*);)*) => {
        $(
            #[inline(always)]
            fn $method(self $(, $arg: Self)*) -> Self {
                // SAFETY: the values prove the instructions.
                unsafe { $intrinsic(self $(, $arg)*) }
            }
        )*
    };
}

#[cfg(target_arch = "x86_64")]
impl Floats for __m128 {
    const N: usize = 4;

    #[inline(always)]
    unsafe fn splat(v: f32) -> Self {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_set1_ps(v) }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller vouches for the memory.
        unsafe { _mm_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller vouches for the memory.
        unsafe { _mm_storeu_ps(to, self) }
    }

    #[inline(always)]
    fn like(self, v: f32) -> Self {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_set1_ps(v) }
    }

    arithmetic! {
        add _mm_add_ps(b);
        sub _mm_sub_ps(b);
        mul _mm_mul_ps(b);
        div _mm_div_ps(b);
        min _mm_min_ps(b);
        max _mm_max_ps(b);
        sqrt _mm_sqrt_ps();
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        self.mul(b).add(c)
    }

    #[inline(always)]
    fn neg_mul_add(self, b: Self, c: Self) -> Self {
        c.sub(self.mul(b))
    }

    #[inline(always)]
    fn flip(self, by: Self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_xor_ps(self, _mm_and_ps(by, _mm_set1_ps(-0.0))) }
    }

    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        unsafe {
            let mask = _mm_cmpgt_ps(self, _mm_setzero_ps());
            _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no))
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Floats for __m256 {
    const N: usize = 8;

    #[inline(always)]
    unsafe fn splat(v: f32) -> Self {
        // SAFETY: the caller vouches for the instructions.
        unsafe { _mm256_set1_ps(v) }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller vouches for instructions and memory.
        unsafe { _mm256_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller vouches for the memory.
        unsafe { _mm256_storeu_ps(to, self) }
    }

    #[inline(always)]
    fn like(self, v: f32) -> Self {
        // SAFETY: `self` proves the instructions.
        unsafe { _mm256_set1_ps(v) }
    }

    arithmetic! {
        add _mm256_add_ps(b);
        sub _mm256_sub_ps(b);
        mul _mm256_mul_ps(b);
        div _mm256_div_ps(b);
        min _mm256_min_ps(b);
        max _mm256_max_ps(b);
        sqrt _mm256_sqrt_ps();
        mul_add _mm256_fmadd_ps(b, c);
        neg_mul_add _mm256_fnmadd_ps(b, c);
    }

    #[inline(always)]
    fn flip(self, by: Self) -> Self {
        // SAFETY: `self` proves the instructions.
        unsafe { _mm256_xor_ps(self, _mm256_and_ps(by, _mm256_set1_ps(-0.0))) }
    }

    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        // SAFETY: `self` proves the instructions.
        unsafe {
            let above = _mm256_cmp_ps::<_CMP_GT_OQ>(self, _mm256_setzero_ps());
            _mm256_blendv_ps(no, yes, above)
        }
    }
}

/// Swaps rows and columns of four by four.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn transpose128(r: [__m128; 4]) -> [__m128; 4] {
    // SAFETY: every x86-64 has SSE2.
    unsafe {
        let (a, b) = (_mm_unpacklo_ps(r[0], r[1]), _mm_unpackhi_ps(r[0], r[1]));
        let (c, d) = (_mm_unpacklo_ps(r[2], r[3]), _mm_unpackhi_ps(r[2], r[3]));
        [
            _mm_movelh_ps(a, c),
            _mm_movehl_ps(c, a),
            _mm_movelh_ps(b, d),
            _mm_movehl_ps(d, b),
        ]
    }
}

/// [`transpose128`] in each half.
///
/// # Safety
/// AVX.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub unsafe fn transpose256(r: [__m256; 4]) -> [__m256; 4] {
    // SAFETY: the caller's.
    unsafe {
        let (a, b) = (
            _mm256_castps_pd(_mm256_unpacklo_ps(r[0], r[1])),
            _mm256_castps_pd(_mm256_unpackhi_ps(r[0], r[1])),
        );
        let (c, d) = (
            _mm256_castps_pd(_mm256_unpacklo_ps(r[2], r[3])),
            _mm256_castps_pd(_mm256_unpackhi_ps(r[2], r[3])),
        );
        [
            _mm256_castpd_ps(_mm256_unpacklo_pd(a, c)),
            _mm256_castpd_ps(_mm256_unpackhi_pd(a, c)),
            _mm256_castpd_ps(_mm256_unpacklo_pd(b, d)),
            _mm256_castpd_ps(_mm256_unpackhi_pd(b, d)),
        ]
    }
}
