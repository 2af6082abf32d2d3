//! Registers of 4, 8 and 16 floats behind one trait, so that each loop is written once.
//!
//! Callers: `kernels`. Invariants: values are made only by the unsafe constructors, whose callers
//! vouch that the CPU has the instructions; a value is therefore the proof its methods need.

use std::arch::x86_64::*;

use glam::{Affine3A, Mat3A, Vec3A};

use super::{BASIS_STRIDE, Bases};
use crate::math::Trs;

/// `N` floats in one register, and the moves between whole bones and one component of many bones.
pub(super) trait Lanes: Copy {
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
    /// As [`Lanes::splat`]; `N` floats can be read.
    unsafe fn load(from: *const f32) -> Self;

    /// `N` floats to memory of any alignment.
    ///
    /// # Safety
    /// `N` floats can be written.
    unsafe fn store(self, to: *mut f32);

    /// The rotations of `N` bones as x, y, z and w.
    ///
    /// # Safety
    /// As [`Lanes::splat`]; `N` transforms can be read.
    unsafe fn load_rotations(from: *const Trs) -> [Self; 4];

    /// The scales of `N` bones as x, y and z.
    ///
    /// # Safety
    /// As [`Lanes::splat`]; `N` transforms can be read.
    unsafe fn load_scales(from: *const Trs) -> [Self; 3];

    /// The rotations of `N` bones from x, y, z and w; translations and scales stay.
    ///
    /// # Safety
    /// `N` transforms can be written.
    unsafe fn store_rotations(q: [Self; 4], to: *mut Trs);

    /// Parent's matrix times (basis `i` of `bases`, translation of `local`).
    ///
    /// # Safety
    /// As [`Lanes::splat`]; `i` is below [`BASIS_STRIDE`].
    unsafe fn compose(parent: &Affine3A, bases: &Bases, i: usize, local: &Trs) -> Affine3A;

    fn add(self, b: Self) -> Self;
    fn sub(self, b: Self) -> Self;
    fn mul(self, b: Self) -> Self;
    fn div(self, b: Self) -> Self;
    fn sqrt(self) -> Self;
    /// `self * b + c`.
    fn mul_add(self, b: Self, c: Self) -> Self;
    /// `c - self * b`.
    fn neg_mul_add(self, b: Self, c: Self) -> Self;
    /// Negated where `by` is negative.
    fn flip(self, by: Self) -> Self;
    /// `yes` where `self` is above zero, else `no`.
    fn choose(self, yes: Self, no: Self) -> Self;
}

/// Four floats at `from` hold a scale in the last three: the translation's z stands before it.
const SCALE_ROW: usize = 6;

/// The body of [`Lanes::compose`]. A macro, because closures and helpers do not take over the
/// instructions that are enabled where they are used.
macro_rules! compose {
    ($parent:ident, $bases:ident, $i:ident, $local:ident, $fma:ident) => {{
        let px: __m128 = $parent.matrix3.x_axis.into();
        let py: __m128 = $parent.matrix3.y_axis.into();
        let pz: __m128 = $parent.matrix3.z_axis.into();
        let pw: __m128 = $parent.translation.into();
        macro_rules! column {
            ($k:literal) => {{
                let x = _mm_mul_ps(px, _mm_set1_ps($bases[$k * BASIS_STRIDE + $i]));
                let xy = $fma(py, _mm_set1_ps($bases[($k + 1) * BASIS_STRIDE + $i]), x);
                $fma(pz, _mm_set1_ps($bases[($k + 2) * BASIS_STRIDE + $i]), xy)
            }};
        }
        let t = $local.translation;
        let x = $fma(px, _mm_set1_ps(t.x), pw);
        let xy = $fma(py, _mm_set1_ps(t.y), x);
        let moved = $fma(pz, _mm_set1_ps(t.z), xy);
        Affine3A {
            matrix3: Mat3A::from_cols(
                Vec3A::from(column!(0)),
                Vec3A::from(column!(3)),
                Vec3A::from(column!(6)),
            ),
            translation: Vec3A::from(moved),
        }
    }};
}

/// `a * b + c` where there is no such instruction.
#[inline(always)]
fn mul_add_sse2(a: __m128, b: __m128, c: __m128) -> __m128 {
    a.mul(b).add(c)
}

impl Lanes for __m128 {
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
    unsafe fn load_rotations(from: *const Trs) -> [Self; 4] {
        // SAFETY: the caller vouches for four transforms; a rotation is their first four floats.
        unsafe {
            transpose4([
                row_of(from, 0),
                row_of(from.add(1), 0),
                row_of(from.add(2), 0),
                row_of(from.add(3), 0),
            ])
        }
    }

    #[inline(always)]
    unsafe fn load_scales(from: *const Trs) -> [Self; 3] {
        // SAFETY: as above; the row lies inside the transform.
        unsafe {
            let [_, x, y, z] = transpose4([
                row_of(from, SCALE_ROW),
                row_of(from.add(1), SCALE_ROW),
                row_of(from.add(2), SCALE_ROW),
                row_of(from.add(3), SCALE_ROW),
            ]);
            [x, y, z]
        }
    }

    #[inline(always)]
    unsafe fn store_rotations(q: [Self; 4], to: *mut Trs) {
        // SAFETY: the caller vouches for four transforms.
        unsafe {
            let [a, b, c, d] = transpose4(q);
            _mm_storeu_ps(to.cast(), a);
            _mm_storeu_ps(to.add(1).cast(), b);
            _mm_storeu_ps(to.add(2).cast(), c);
            _mm_storeu_ps(to.add(3).cast(), d);
        }
    }

    #[inline(always)]
    unsafe fn compose(parent: &Affine3A, bases: &Bases, i: usize, local: &Trs) -> Affine3A {
        // SAFETY: every x86-64 has SSE2.
        unsafe {
            compose!(parent, bases, i, local, mul_add_sse2)
        }
    }

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_add_ps(self, b) }
    }

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_sub_ps(self, b) }
    }

    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_mul_ps(self, b) }
    }

    #[inline(always)]
    fn div(self, b: Self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_div_ps(self, b) }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _mm_sqrt_ps(self) }
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

/// Four floats of a transform, from its float `row` on.
///
/// # Safety
/// The transform can be read; `row` is at most [`SCALE_ROW`].
#[inline(always)]
unsafe fn row_of(from: *const Trs, row: usize) -> __m128 {
    // SAFETY: the caller's; the four floats lie inside the transform's fields.
    unsafe { _mm_loadu_ps(from.cast::<f32>().add(row)) }
}

#[inline(always)]
fn transpose4(r: [__m128; 4]) -> [__m128; 4] {
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

/// The wider registers: the same code over other instructions. `$gather(from, k)` puts float rows of
/// bones `k`, `k + 4`, ... into the register's quarters, `$scatter` takes them apart.
macro_rules! wide {
    ($type:ty, $n:literal, $splat:ident, $load:ident, $store:ident, $add:ident, $sub:ident,
     $mul:ident, $div:ident, $sqrt:ident, $fma:ident, $fnma:ident,
     $lo:ident, $hi:ident, $lo2:ident, $hi2:ident, $to2:ident, $from2:ident,
     $gather:ident, $scatter:ident, $transpose:ident, $flip:ident, $choose:ident) => {
        impl Lanes for $type {
            const N: usize = $n;

            #[inline(always)]
            unsafe fn splat(v: f32) -> Self {
                // SAFETY: the caller vouches for the instructions.
                unsafe { $splat(v) }
            }

            #[inline(always)]
            unsafe fn load(from: *const f32) -> Self {
                // SAFETY: the caller vouches for instructions and memory.
                unsafe { $load(from) }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut f32) {
                // SAFETY: the caller vouches for the memory.
                unsafe { $store(to, self) }
            }

            #[inline(always)]
            unsafe fn load_rotations(from: *const Trs) -> [Self; 4] {
                // SAFETY: the caller vouches for instructions and memory.
                unsafe {
                    $transpose([
                        $gather(from, 0, 0),
                        $gather(from, 1, 0),
                        $gather(from, 2, 0),
                        $gather(from, 3, 0),
                    ])
                }
            }

            #[inline(always)]
            unsafe fn load_scales(from: *const Trs) -> [Self; 3] {
                // SAFETY: the caller vouches for instructions and memory.
                unsafe {
                    let [_, x, y, z] = $transpose([
                        $gather(from, 0, SCALE_ROW),
                        $gather(from, 1, SCALE_ROW),
                        $gather(from, 2, SCALE_ROW),
                        $gather(from, 3, SCALE_ROW),
                    ]);
                    [x, y, z]
                }
            }

            #[inline(always)]
            unsafe fn store_rotations(q: [Self; 4], to: *mut Trs) {
                // SAFETY: the caller vouches for the memory; `q` proves the instructions.
                unsafe {
                    let [a, b, c, d] = $transpose(q);
                    $scatter(a, to, 0);
                    $scatter(b, to, 1);
                    $scatter(c, to, 2);
                    $scatter(d, to, 3);
                }
            }

            #[inline(always)]
            unsafe fn compose(parent: &Affine3A, bases: &Bases, i: usize, local: &Trs) -> Affine3A {
                // SAFETY: the caller vouches for the instructions (FMA is part of both levels).
                unsafe {
                    compose!(parent, bases, i, local, _mm_fmadd_ps)
                }
            }

            #[inline(always)]
            fn add(self, b: Self) -> Self {
                // SAFETY: `self` proves the instructions.
                unsafe { $add(self, b) }
            }

            #[inline(always)]
            fn sub(self, b: Self) -> Self {
                // SAFETY: `self` proves the instructions.
                unsafe { $sub(self, b) }
            }

            #[inline(always)]
            fn mul(self, b: Self) -> Self {
                // SAFETY: `self` proves the instructions.
                unsafe { $mul(self, b) }
            }

            #[inline(always)]
            fn div(self, b: Self) -> Self {
                // SAFETY: `self` proves the instructions.
                unsafe { $div(self, b) }
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                // SAFETY: `self` proves the instructions.
                unsafe { $sqrt(self) }
            }

            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                // SAFETY: `self` proves the instructions.
                unsafe { $fma(self, b, c) }
            }

            #[inline(always)]
            fn neg_mul_add(self, b: Self, c: Self) -> Self {
                // SAFETY: `self` proves the instructions.
                unsafe { $fnma(self, b, c) }
            }

            #[inline(always)]
            fn flip(self, by: Self) -> Self {
                // SAFETY: `self` proves the instructions.
                unsafe { $flip(self, by) }
            }

            #[inline(always)]
            fn choose(self, yes: Self, no: Self) -> Self {
                // SAFETY: `self` proves the instructions.
                unsafe { $choose(self, yes, no) }
            }
        }

        /// Swaps rows and columns of the 4×4 squares in the quarters.
        ///
        /// # Safety
        /// The CPU has the instructions.
        #[inline(always)]
        unsafe fn $transpose(r: [$type; 4]) -> [$type; 4] {
            // SAFETY: the caller vouches for the instructions.
            unsafe {
                let (a, b) = ($to2($lo(r[0], r[1])), $to2($hi(r[0], r[1])));
                let (c, d) = ($to2($lo(r[2], r[3])), $to2($hi(r[2], r[3])));
                [
                    $from2($lo2(a, c)),
                    $from2($hi2(a, c)),
                    $from2($lo2(b, d)),
                    $from2($hi2(b, d)),
                ]
            }
        }
    };
}

wide!(
    __m256, 8, _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_add_ps, _mm256_sub_ps,
    _mm256_mul_ps, _mm256_div_ps, _mm256_sqrt_ps, _mm256_fmadd_ps, _mm256_fnmadd_ps,
    _mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_unpacklo_pd, _mm256_unpackhi_pd,
    _mm256_castps_pd, _mm256_castpd_ps,
    gather256, scatter256, transpose256, flip256, choose256
);

wide!(
    __m512, 16, _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_add_ps, _mm512_sub_ps,
    _mm512_mul_ps, _mm512_div_ps, _mm512_sqrt_ps, _mm512_fmadd_ps, _mm512_fnmadd_ps,
    _mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_unpacklo_pd, _mm512_unpackhi_pd,
    _mm512_castps_pd, _mm512_castpd_ps,
    gather512, scatter512, transpose512, flip512, choose512
);

/// # Safety
/// AVX; eight transforms can be read.
#[inline(always)]
unsafe fn gather256(from: *const Trs, k: usize, row: usize) -> __m256 {
    // SAFETY: the caller vouches for instructions and memory.
    unsafe {
        let low = _mm256_castps128_ps256(row_of(from.add(k), row));
        _mm256_insertf128_ps::<1>(low, row_of(from.add(k + 4), row))
    }
}

/// # Safety
/// AVX; eight transforms can be written.
#[inline(always)]
unsafe fn scatter256(row: __m256, to: *mut Trs, k: usize) {
    // SAFETY: the caller vouches for instructions and memory.
    unsafe {
        _mm_storeu_ps(to.add(k).cast(), _mm256_castps256_ps128(row));
        _mm_storeu_ps(to.add(k + 4).cast(), _mm256_extractf128_ps::<1>(row));
    }
}

/// # Safety
/// AVX.
#[inline(always)]
unsafe fn flip256(v: __m256, by: __m256) -> __m256 {
    // SAFETY: the caller vouches for the instructions.
    unsafe { _mm256_xor_ps(v, _mm256_and_ps(by, _mm256_set1_ps(-0.0))) }
}

/// # Safety
/// AVX.
#[inline(always)]
unsafe fn choose256(test: __m256, yes: __m256, no: __m256) -> __m256 {
    // SAFETY: the caller vouches for the instructions.
    unsafe {
        let above = _mm256_cmp_ps::<_CMP_GT_OQ>(test, _mm256_setzero_ps());
        _mm256_blendv_ps(no, yes, above)
    }
}

/// # Safety
/// AVX-512F; sixteen transforms can be read.
#[inline(always)]
unsafe fn gather512(from: *const Trs, k: usize, row: usize) -> __m512 {
    // SAFETY: the caller vouches for instructions and memory.
    unsafe {
        let v = _mm512_castps128_ps512(row_of(from.add(k), row));
        let v = _mm512_insertf32x4::<1>(v, row_of(from.add(k + 4), row));
        let v = _mm512_insertf32x4::<2>(v, row_of(from.add(k + 8), row));
        _mm512_insertf32x4::<3>(v, row_of(from.add(k + 12), row))
    }
}

/// # Safety
/// AVX-512F; sixteen transforms can be written.
#[inline(always)]
unsafe fn scatter512(row: __m512, to: *mut Trs, k: usize) {
    // SAFETY: the caller vouches for instructions and memory.
    unsafe {
        _mm_storeu_ps(to.add(k).cast(), _mm512_castps512_ps128(row));
        _mm_storeu_ps(to.add(k + 4).cast(), _mm512_extractf32x4_ps::<1>(row));
        _mm_storeu_ps(to.add(k + 8).cast(), _mm512_extractf32x4_ps::<2>(row));
        _mm_storeu_ps(to.add(k + 12).cast(), _mm512_extractf32x4_ps::<3>(row));
    }
}

/// # Safety
/// AVX-512F.
#[inline(always)]
unsafe fn flip512(v: __m512, by: __m512) -> __m512 {
    // SAFETY: the caller vouches for the instructions.
    unsafe {
        let sign = _mm512_set1_epi32(i32::MIN);
        let (v, by) = (_mm512_castps_si512(v), _mm512_castps_si512(by));
        // 0x78: a ^ (b & c)
        _mm512_castsi512_ps(_mm512_ternarylogic_epi32::<0x78>(v, by, sign))
    }
}

/// # Safety
/// AVX-512F.
#[inline(always)]
unsafe fn choose512(test: __m512, yes: __m512, no: __m512) -> __m512 {
    // SAFETY: the caller vouches for the instructions.
    unsafe {
        let above = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(test, _mm512_setzero_ps());
        _mm512_mask_blend_ps(above, no, yes)
    }
}
