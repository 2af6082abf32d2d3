//! Vectors of four floats in registers: loading, transposing to lanes, and storing.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use fearless_simd::{f32x4, f32x8, prelude::*};
use glam::{Quat, Vec3A, Vec4};
#[cfg(target_arch = "aarch64")]
use {fearless_simd::aarch64::Neon, std::arch::aarch64::float32x4_t as Native};
#[cfg(target_arch = "x86_64")]
use {
    fearless_simd::x86::{Avx2, Sse2},
    std::arch::x86_64::{__m128 as Native, *},
};

use super::Floats;

/// A register of groups of four lanes, called quads here.
pub trait Quads: Floats {
    /// Quads of a register.
    const QUADS: usize = Self::N / 4;

    /// A single quad. glam's vectors are the same registers.
    type Quad: Copy + From<Vec4> + From<Vec3A> + From<Quat> + Into<Vec4> + Into<Vec3A>;

    /// Creates a register from the first and the last quad, which are the same if there is only one.
    fn from_quads(token: Self::Token, first: Self::Quad, last: Self::Quad) -> Self;

    /// The first and the last quad.
    fn quads(self) -> [Self::Quad; 2];

    /// The first quads of two registers, and their last ones.
    fn regroup(a: Self, b: Self) -> [Self; 2];

    /// For each lane of a quad, a register with that lane in all lanes of the quad.
    fn spread(self) -> [Self; 4];

    /// Transposes four by four lanes in each quad.
    fn transpose(rows: [Self; 4]) -> [Self; 4];

    /// Deinterleaves four packed vectors of three floats into x, y and z, in each quad.
    fn apart3(rows: [Self; 3]) -> [Self; 3];

    /// The inverse of [`Quads::apart3`].
    fn together3(xyz: [Self; 3]) -> [Self; 3];

    /// Returns true if a lane is above a bound.
    fn any_above(self, bound: Self) -> bool;
    /// Returns true if a lane is not above a bound.
    fn any_not_above(self, bound: Self) -> bool;
}

/// Loads a vector of four floats for each lane into four registers. `vector` returns the vector of a lane.
#[inline(always)]
pub fn load_vectors<L: Quads, V: Into<L::Quad>>(
    token: L::Token,
    vector: impl Fn(usize) -> V,
) -> [L; 4] {
    let last = 4 * (L::QUADS - 1);
    L::transpose([
        L::from_quads(token, vector(0).into(), vector(last).into()),
        L::from_quads(token, vector(1).into(), vector(last + 1).into()),
        L::from_quads(token, vector(2).into(), vector(last + 2).into()),
        L::from_quads(token, vector(3).into(), vector(last + 3).into()),
    ])
}

/// The inverse of [`load_vectors`].
#[inline(always)]
pub fn store_vectors<L: Quads>(v: [L; 4], mut vector: impl FnMut(usize, L::Quad)) {
    let rows = L::transpose(v);
    let mut i = 0;
    while i < 4 {
        let [first, last] = rows[i].quads();
        vector(i, first);
        if L::QUADS > 1 {
            vector(i + 4, last);
        }
        i += 1;
    }
}

/// Loads packed vectors of three floats, one for each lane, into three registers.
///
/// # Panics
/// When the slice is too short.
#[inline(always)]
pub fn load_xyz<L: Quads>(token: L::Token, from: &[f32]) -> [L; 3] {
    let first = &from[..12];
    let last = &from[3 * L::N - 12..3 * L::N];
    macro_rules! part {
        ($at:literal) => {{
            let (first, last) = (
                Vec4::from_slice(&first[$at..]),
                Vec4::from_slice(&last[$at..]),
            );
            L::from_quads(token, first.into(), last.into())
        }};
    }
    L::apart3([part!(0), part!(4), part!(8)])
}

/// The inverse of [`load_xyz`].
///
/// # Panics
/// When the slice is too short.
#[inline(always)]
pub fn store_xyz<L: Quads>(v: [L; 3], to: &mut [f32]) {
    let to = &mut to[..3 * L::N];
    let rows = L::together3(v);
    let mut i = 0;
    while i < 3 {
        let [first, last]: [Vec4; 2] = rows[i].quads().map(Into::into);
        first.write_to_slice(&mut to[4 * i..]);
        if L::QUADS > 1 {
            last.write_to_slice(&mut to[12 + 4 * i..]);
        }
        i += 1;
    }
}

/// Shuffles by intrinsics; both widths differ only in the names.
#[cfg(target_arch = "x86_64")]
macro_rules! shuffles {
    ($token:ident, $native:ident, $shuffle:ident) => {
        #[inline(always)]
        fn spread(self) -> [Self; 4] {
            fearless_simd::kernel!(
                #[inline(always)]
                fn spread(token: $token, v: $native) -> [$native; 4] {
                    [
                        $shuffle::<0x00>(v, v),
                        $shuffle::<0x55>(v, v),
                        $shuffle::<0xAA>(v, v),
                        $shuffle::<0xFF>(v, v),
                    ]
                }
            );
            let [a, b, c, d] = spread(self.simd, self.into());
            let of = self.simd;
            [
                a.simd_into(of),
                b.simd_into(of),
                c.simd_into(of),
                d.simd_into(of),
            ]
        }

        #[inline(always)]
        fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
            fearless_simd::kernel!(
                #[inline(always)]
                fn transpose(
                    token: $token,
                    a: $native,
                    b: $native,
                    c: $native,
                    d: $native,
                ) -> [$native; 4] {
                    let (ab, cd) = ($shuffle::<0x44>(a, b), $shuffle::<0x44>(c, d));
                    let (ab2, cd2) = ($shuffle::<0xEE>(a, b), $shuffle::<0xEE>(c, d));
                    [
                        $shuffle::<0x88>(ab, cd),
                        $shuffle::<0xDD>(ab, cd),
                        $shuffle::<0x88>(ab2, cd2),
                        $shuffle::<0xDD>(ab2, cd2),
                    ]
                }
            );
            let of = a.simd;
            let [a, b, c, d] = transpose(of, a.into(), b.into(), c.into(), d.into());
            [
                a.simd_into(of),
                b.simd_into(of),
                c.simd_into(of),
                d.simd_into(of),
            ]
        }

        #[inline(always)]
        fn apart3([a, b, c]: [Self; 3]) -> [Self; 3] {
            fearless_simd::kernel!(
                #[inline(always)]
                fn apart(token: $token, a: $native, b: $native, c: $native) -> [$native; 3] {
                    let (xy, yz) = ($shuffle::<0x9E>(b, c), $shuffle::<0x49>(a, b));
                    [
                        $shuffle::<0x8C>(a, xy),
                        $shuffle::<0xD8>(yz, xy),
                        $shuffle::<0xCD>(yz, c),
                    ]
                }
            );
            let of = a.simd;
            let [x, y, z] = apart(of, a.into(), b.into(), c.into());
            [x.simd_into(of), y.simd_into(of), z.simd_into(of)]
        }

        #[inline(always)]
        fn together3([x, y, z]: [Self; 3]) -> [Self; 3] {
            fearless_simd::kernel!(
                #[inline(always)]
                fn together(token: $token, x: $native, y: $native, z: $native) -> [$native; 3] {
                    let xy = $shuffle::<0x88>(x, y);
                    let yz = $shuffle::<0xDD>(y, z);
                    let zx = $shuffle::<0xD8>(z, x);
                    [
                        $shuffle::<0x88>(xy, zx),
                        $shuffle::<0xD8>(yz, xy),
                        $shuffle::<0xDD>(zx, yz),
                    ]
                }
            );
            let of = x.simd;
            let [a, b, c] = together(of, x.into(), y.into(), z.into());
            [a.simd_into(of), b.simd_into(of), c.simd_into(of)]
        }

        #[inline(always)]
        fn any_above(self, bound: Self) -> bool {
            self.simd_gt(bound).any_true()
        }

        #[inline(always)]
        fn any_not_above(self, bound: Self) -> bool {
            !self.simd_gt(bound).all_true()
        }
    };
}

#[cfg(target_arch = "x86_64")]
impl Quads for f32x4<Sse2> {
    type Quad = Native;

    #[inline(always)]
    fn from_quads(token: Sse2, first: Native, _: Native) -> Self {
        first.simd_into(token)
    }

    #[inline(always)]
    fn quads(self) -> [Native; 2] {
        [self.into(), self.into()]
    }

    #[inline(always)]
    fn regroup(a: Self, _: Self) -> [Self; 2] {
        [a, a]
    }

    shuffles!(Sse2, __m128, _mm_shuffle_ps);
}

#[cfg(target_arch = "x86_64")]
impl Quads for f32x8<Avx2> {
    type Quad = Native;

    #[inline(always)]
    fn from_quads(token: Avx2, first: Native, last: Native) -> Self {
        f32x4::simd_from(token, first).combine(f32x4::simd_from(token, last))
    }

    #[inline(always)]
    fn quads(self) -> [Native; 2] {
        let (first, last) = self.split();
        [first.into(), last.into()]
    }

    // Regrouping by halves would let the compiler split the inputs too, which is slower.
    #[inline(always)]
    fn regroup(a: Self, b: Self) -> [Self; 2] {
        fearless_simd::kernel!(
            #[inline(always)]
            fn regroup(token: Avx2, a: __m256, b: __m256) -> [__m256; 2] {
                [
                    _mm256_permute2f128_ps::<0x20>(a, b),
                    _mm256_permute2f128_ps::<0x31>(a, b),
                ]
            }
        );
        let of = a.simd;
        let [first, last] = regroup(of, a.into(), b.into());
        [first.simd_into(of), last.simd_into(of)]
    }

    shuffles!(Avx2, __m256, _mm256_shuffle_ps);
}

/// Lanes `A` and `B` of `a`, then `C` and `D` of `b`, in each quad.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn shuffle<const A: usize, const B: usize, const C: usize, const D: usize>(
    a: f32x8<Neon>,
    b: f32x8<Neon>,
) -> f32x8<Neon> {
    let [first, last] = [0, 4].map(|quad| [a[quad + A], a[quad + B], b[quad + C], b[quad + D]]);
    f32x4::simd_from(a.simd, first).combine(f32x4::simd_from(a.simd, last))
}

#[cfg(target_arch = "aarch64")]
impl Quads for f32x8<Neon> {
    type Quad = Native;

    #[inline(always)]
    fn from_quads(token: Neon, first: Native, last: Native) -> Self {
        f32x4::simd_from(token, first).combine(f32x4::simd_from(token, last))
    }

    #[inline(always)]
    fn quads(self) -> [Native; 2] {
        let (first, last) = self.split();
        [first.into(), last.into()]
    }

    #[inline(always)]
    fn regroup(a: Self, b: Self) -> [Self; 2] {
        let ((a, a2), (b, b2)) = (a.split(), b.split());
        [a.combine(b), a2.combine(b2)]
    }

    #[inline(always)]
    fn spread(self) -> [Self; 4] {
        [
            shuffle::<0, 0, 0, 0>(self, self),
            shuffle::<1, 1, 1, 1>(self, self),
            shuffle::<2, 2, 2, 2>(self, self),
            shuffle::<3, 3, 3, 3>(self, self),
        ]
    }

    #[inline(always)]
    fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let (ab, cd) = (shuffle::<0, 1, 0, 1>(a, b), shuffle::<0, 1, 0, 1>(c, d));
        let (ab2, cd2) = (shuffle::<2, 3, 2, 3>(a, b), shuffle::<2, 3, 2, 3>(c, d));
        [
            shuffle::<0, 2, 0, 2>(ab, cd),
            shuffle::<1, 3, 1, 3>(ab, cd),
            shuffle::<0, 2, 0, 2>(ab2, cd2),
            shuffle::<1, 3, 1, 3>(ab2, cd2),
        ]
    }

    #[inline(always)]
    fn apart3([a, b, c]: [Self; 3]) -> [Self; 3] {
        let (xy, yz) = (shuffle::<2, 3, 1, 2>(b, c), shuffle::<1, 2, 0, 1>(a, b));
        [
            shuffle::<0, 3, 0, 2>(a, xy),
            shuffle::<0, 2, 1, 3>(yz, xy),
            shuffle::<1, 3, 0, 3>(yz, c),
        ]
    }

    #[inline(always)]
    fn together3([x, y, z]: [Self; 3]) -> [Self; 3] {
        let xy = shuffle::<0, 2, 0, 2>(x, y);
        let yz = shuffle::<1, 3, 1, 3>(y, z);
        let zx = shuffle::<0, 2, 1, 3>(z, x);
        [
            shuffle::<0, 2, 0, 2>(xy, zx),
            shuffle::<0, 2, 1, 3>(yz, xy),
            shuffle::<1, 3, 1, 3>(zx, yz),
        ]
    }

    #[inline(always)]
    fn any_above(self, bound: Self) -> bool {
        self.simd_gt(bound).any_true()
    }

    #[inline(always)]
    fn any_not_above(self, bound: Self) -> bool {
        !self.simd_gt(bound).all_true()
    }
}
