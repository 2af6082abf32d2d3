//! Registers of 1, 4 and 8 floats behind one trait, so that each kernel is written once.
//!
//! A token proves that the CPU has the instructions and is needed to create a register. The conversions to and from memory
//! are those of `fearless_simd`, so nothing here is unsafe. All methods are inlined into the functions that
//! [`dispatch`](super::dispatch) calls, which enable the instructions.

#[cfg(target_arch = "aarch64")]
use fearless_simd::aarch64::Neon;
#[cfg(target_arch = "x86_64")]
use fearless_simd::{
    f32x4, u32x4,
    x86::{Avx2, Sse2},
};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use fearless_simd::{f32x8, prelude::*, u32x8};

/// `N` floats, one in each lane.
pub trait Floats: Copy {
    /// Number of lanes.
    const N: usize;

    /// Proof that the CPU has the instructions.
    type Token: Copy;

    /// A register with the same number in every lane.
    fn splat(token: Self::Token, v: f32) -> Self;

    /// Loads the first `N` floats of a slice.
    ///
    /// # Panics
    /// When the slice is shorter.
    fn load(token: Self::Token, from: &[f32]) -> Self;

    /// Stores to the first `N` floats of a slice.
    ///
    /// # Panics
    /// When the slice is shorter.
    fn store(self, to: &mut [f32]);

    /// A register of the same kind with one number in every lane.
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
    /// Lane-wise minimum; `b` where one of them is NaN.
    fn min(self, b: Self) -> Self;
    /// Lane-wise maximum; `b` where one of them is NaN.
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

    type Token = ();

    #[inline(always)]
    fn splat((): (), v: f32) -> Self {
        v
    }

    #[inline(always)]
    fn load((): (), from: &[f32]) -> Self {
        from[0]
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        to[0] = self;
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

/// Implements a register of one instruction set. Differences between instruction sets are parameters.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! floats {
    (
        $register:ident<$token:ident>, $bits:ident, $n:literal,
        min: $min:expr, max: $max:expr, mul_add: $mul_add:expr, neg_mul_add: $neg_mul_add:expr $(,)?
    ) => {
        impl Floats for $register<$token> {
            const N: usize = $n;

            type Token = $token;

            #[inline(always)]
            fn splat(token: $token, v: f32) -> Self {
                <Self as SimdBase<$token>>::splat(token, v)
            }

            #[inline(always)]
            fn load(token: $token, from: &[f32]) -> Self {
                Self::from_slice(token, &from[..$n])
            }

            #[inline(always)]
            fn store(self, to: &mut [f32]) {
                self.store_slice(&mut to[..$n]);
            }

            #[inline(always)]
            fn like(self, v: f32) -> Self {
                <Self as SimdBase<$token>>::splat(self.simd, v)
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
                SimdFloat::sqrt(self)
            }

            #[inline(always)]
            fn min(self, b: Self) -> Self {
                $min(self, b)
            }

            #[inline(always)]
            fn max(self, b: Self) -> Self {
                $max(self, b)
            }

            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                $mul_add(self, b, c)
            }

            #[inline(always)]
            fn neg_mul_add(self, b: Self, c: Self) -> Self {
                $neg_mul_add(self, b, c)
            }

            #[inline(always)]
            fn flip(self, by: Self) -> Self {
                let sign = by.bitcast::<$bits<$token>>() & SIGN;
                (self.bitcast::<$bits<$token>>() ^ sign).bitcast()
            }

            #[inline(always)]
            fn choose(self, yes: Self, no: Self) -> Self {
                self.simd_gt(0.0).select(yes, no)
            }
        }
    };
}

/// The sign of a float.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const SIGN: u32 = 1 << 31;

#[cfg(target_arch = "x86_64")]
floats!(
    f32x4<Sse2>, u32x4, 4,
    min: SimdBase::min,
    max: SimdBase::max,
    mul_add: |a, b, c| a * b + c,
    neg_mul_add: |a, b, c| c - a * b,
);

#[cfg(target_arch = "x86_64")]
floats!(
    f32x8<Avx2>, u32x8, 8,
    min: SimdBase::min,
    max: SimdBase::max,
    mul_add: SimdFloat::mul_add,
    neg_mul_add: |a: Self, b, c| SimdFloat::mul_add(-a, b, c),
);

// The minimum of NEON is NaN if one operand is; a comparison gives the x86 result.
#[cfg(target_arch = "aarch64")]
floats!(
    f32x8<Neon>, u32x8, 8,
    min: |a: Self, b: Self| a.simd_lt(b).select(a, b),
    max: |a: Self, b: Self| a.simd_gt(b).select(a, b),
    mul_add: SimdFloat::mul_add,
    neg_mul_add: |a: Self, b, c| SimdFloat::mul_add(-a, b, c),
);
