//! How whole bones are brought into registers and out of them.
//!
//! Callers: `kernels`. Invariants: those of `math::simd`.

use std::arch::x86_64::*;

use glam::Affine3A;

use crate::Skeleton;
use crate::walk::Step;
use galatea_math::Trs;
use galatea_math::simd::{Floats, transpose128, transpose256};

/// The moves between whole bones and one component of many bones.
pub(super) trait Lanes: Floats {
    /// The rotations of `N` bones as x, y, z and w.
    ///
    /// # Safety
    /// As [`Floats::splat`]; `N` transforms can be read.
    unsafe fn load_rotations(from: *const Trs) -> [Self; 4];

    /// Rotations as x, y, z, w and scales as x, y, z of the bones of `N` steps.
    ///
    /// # Safety
    /// As [`Floats::splat`]; there are `N` steps, and their bones can be read.
    unsafe fn gather(locals: *const Trs, steps: &[Step]) -> ([Self; 4], [Self; 3]);

    /// The rotations of `N` bones from x, y, z and w; translations and scales stay.
    ///
    /// # Safety
    /// `N` transforms can be written.
    unsafe fn store_rotations(q: [Self; 4], to: *mut Trs);

    /// Writes each step's parent matrix times its own, of which `m` holds the 3×3 part in the order
    /// that [`Lanes::gather`] gives.
    ///
    /// # Safety
    /// There are `N` steps of a skeleton's walk; bones and matrices can be read and written.
    unsafe fn compose(m: [Self; 9], steps: &[Step], locals: *const Trs, out: *mut Affine3A);
}

/// Four floats at `from` hold a scale in the last three: the translation's z stands before it.
const SCALE_ROW: usize = 6;

/// Four floats at this offset hold a translation in the first three; a scale's x stands after it.
const TRANSLATION_ROW: usize = 4;

/// The transform of a step's bone.
///
/// # Safety
/// There is such a step, and its bone.
#[inline(always)]
unsafe fn at(locals: *const Trs, steps: &[Step], k: usize) -> *const Trs {
    // SAFETY: the caller's.
    unsafe { locals.add(usize::from(steps.get_unchecked(k).bone)) }
}

/// The matrix of a step's parent.
///
/// # Safety
/// There is such a step, and its parent's matrix.
#[inline(always)]
unsafe fn parent_of(
    out: *const Affine3A,
    steps: &[Step],
    k: usize,
    root: *const Affine3A,
) -> *const Affine3A {
    // SAFETY: the caller's.
    unsafe {
        match steps.get_unchecked(k).parent {
            Skeleton::NO_PARENT => root,
            parent => out.add(usize::from(parent)),
        }
    }
}

/// Column `c` of a matrix, the translation being the last.
///
/// # Safety
/// The matrix can be read.
#[inline(always)]
unsafe fn load_column(from: *const Affine3A, c: usize) -> __m128 {
    // SAFETY: the caller's; a matrix is four columns of four floats.
    unsafe { _mm_load_ps(from.cast::<f32>().add(4 * c)) }
}

/// # Safety
/// The matrix can be written.
#[inline(always)]
unsafe fn store_column(to: *mut Affine3A, c: usize, column: __m128) {
    // SAFETY: the caller's; a matrix is four columns of four floats.
    unsafe { _mm_store_ps(to.cast::<f32>().add(4 * c), column) }
}

impl Lanes for __m128 {
    #[inline(always)]
    unsafe fn load_rotations(from: *const Trs) -> [Self; 4] {
        // SAFETY: the caller vouches for four transforms; a rotation is their first four floats.
        unsafe {
            transpose128([
                row_of(from, 0),
                row_of(from.add(1), 0),
                row_of(from.add(2), 0),
                row_of(from.add(3), 0),
            ])
        }
    }

    #[inline(always)]
    unsafe fn gather(locals: *const Trs, steps: &[Step]) -> ([Self; 4], [Self; 3]) {
        // SAFETY: the caller's.
        unsafe {
            let (a, b) = (at(locals, steps, 0), at(locals, steps, 1));
            let (c, d) = (at(locals, steps, 2), at(locals, steps, 3));
            let q = transpose128([row_of(a, 0), row_of(b, 0), row_of(c, 0), row_of(d, 0)]);
            let [_, x, y, z] = transpose128([
                row_of(a, SCALE_ROW),
                row_of(b, SCALE_ROW),
                row_of(c, SCALE_ROW),
                row_of(d, SCALE_ROW),
            ]);
            (q, [x, y, z])
        }
    }

    #[inline(always)]
    unsafe fn compose(m: [Self; 9], steps: &[Step], locals: *const Trs, out: *mut Affine3A) {
        let root = Affine3A::IDENTITY;
        macro_rules! one {
            ($k:literal, $splat:literal) => {{
                let parent = parent_of(out, steps, $k, &root);
                let p = [
                    load_column(parent, 0),
                    load_column(parent, 1),
                    load_column(parent, 2),
                    load_column(parent, 3),
                ];
                let t = row_of(at(locals, steps, $k), TRANSLATION_ROW);
                let to = out.add(usize::from(steps.get_unchecked($k).bone));
                let column = |c: usize| {
                    let x = p[0].mul(_mm_shuffle_ps::<$splat>(m[c], m[c]));
                    let xy = p[1].mul_add(_mm_shuffle_ps::<$splat>(m[c + 1], m[c + 1]), x);
                    p[2].mul_add(_mm_shuffle_ps::<$splat>(m[c + 2], m[c + 2]), xy)
                };
                store_column(to, 0, column(0));
                store_column(to, 1, column(3));
                store_column(to, 2, column(6));
                let x = p[0].mul_add(_mm_shuffle_ps::<0x00>(t, t), p[3]);
                let xy = p[1].mul_add(_mm_shuffle_ps::<0x55>(t, t), x);
                store_column(to, 3, p[2].mul_add(_mm_shuffle_ps::<0xAA>(t, t), xy));
            }};
        }
        // SAFETY: the caller's.
        unsafe {
            one!(0, 0x00);
            one!(1, 0x55);
            one!(2, 0xAA);
            one!(3, 0xFF);
        }
    }

    #[inline(always)]
    unsafe fn store_rotations(q: [Self; 4], to: *mut Trs) {
        // SAFETY: the caller vouches for four transforms.
        unsafe {
            let [a, b, c, d] = transpose128(q);
            _mm_storeu_ps(to.cast(), a);
            _mm_storeu_ps(to.add(1).cast(), b);
            _mm_storeu_ps(to.add(2).cast(), c);
            _mm_storeu_ps(to.add(3).cast(), d);
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

impl Lanes for __m256 {
    #[inline(always)]
    unsafe fn load_rotations(from: *const Trs) -> [Self; 4] {
        // SAFETY: the caller vouches for instructions and memory.
        unsafe {
            transpose256([
                pair(row_of(from.add(0), 0), row_of(from.add(4), 0)),
                pair(row_of(from.add(1), 0), row_of(from.add(5), 0)),
                pair(row_of(from.add(2), 0), row_of(from.add(6), 0)),
                pair(row_of(from.add(3), 0), row_of(from.add(7), 0)),
            ])
        }
    }

    #[inline(always)]
    unsafe fn gather(locals: *const Trs, steps: &[Step]) -> ([Self; 4], [Self; 3]) {
        // SAFETY: the caller's. Pairs stand across the halves.
        unsafe {
            let (a, b) = (at(locals, steps, 0), at(locals, steps, 1));
            let (c, d) = (at(locals, steps, 2), at(locals, steps, 3));
            let (e, f) = (at(locals, steps, 4), at(locals, steps, 5));
            let (g, h) = (at(locals, steps, 6), at(locals, steps, 7));
            let q = transpose256([
                pair(row_of(a, 0), row_of(b, 0)),
                pair(row_of(c, 0), row_of(d, 0)),
                pair(row_of(e, 0), row_of(f, 0)),
                pair(row_of(g, 0), row_of(h, 0)),
            ]);
            let [_, x, y, z] = transpose256([
                pair(row_of(a, SCALE_ROW), row_of(b, SCALE_ROW)),
                pair(row_of(c, SCALE_ROW), row_of(d, SCALE_ROW)),
                pair(row_of(e, SCALE_ROW), row_of(f, SCALE_ROW)),
                pair(row_of(g, SCALE_ROW), row_of(h, SCALE_ROW)),
            ]);
            (q, [x, y, z])
        }
    }

    #[inline(always)]
    unsafe fn compose(m: [Self; 9], steps: &[Step], locals: *const Trs, out: *mut Affine3A) {
        let root = Affine3A::IDENTITY;
        macro_rules! two {
            ($k:literal, $splat:literal) => {{
                let a = parent_of(out, steps, 2 * $k, &root);
                let b = parent_of(out, steps, 2 * $k + 1, &root);
                let px = pair(load_column(a, 0), load_column(b, 0));
                let py = pair(load_column(a, 1), load_column(b, 1));
                let pz = pair(load_column(a, 2), load_column(b, 2));
                let pw = pair(load_column(a, 3), load_column(b, 3));
                let t = pair(
                    row_of(at(locals, steps, 2 * $k), TRANSLATION_ROW),
                    row_of(at(locals, steps, 2 * $k + 1), TRANSLATION_ROW),
                );
                let to_a = out.add(usize::from(steps.get_unchecked(2 * $k).bone));
                let to_b = out.add(usize::from(steps.get_unchecked(2 * $k + 1).bone));
                macro_rules! column {
                    ($c:literal) => {{
                        let x = _mm256_mul_ps(px, _mm256_permute_ps::<$splat>(m[3 * $c]));
                        let y = _mm256_permute_ps::<$splat>(m[3 * $c + 1]);
                        let z = _mm256_permute_ps::<$splat>(m[3 * $c + 2]);
                        let column = _mm256_fmadd_ps(pz, z, _mm256_fmadd_ps(py, y, x));
                        store_column(to_a, $c, _mm256_castps256_ps128(column));
                        store_column(to_b, $c, _mm256_extractf128_ps::<1>(column));
                    }};
                }
                column!(0);
                column!(1);
                column!(2);
                let x = _mm256_fmadd_ps(px, _mm256_permute_ps::<0x00>(t), pw);
                let xy = _mm256_fmadd_ps(py, _mm256_permute_ps::<0x55>(t), x);
                let moved = _mm256_fmadd_ps(pz, _mm256_permute_ps::<0xAA>(t), xy);
                store_column(to_a, 3, _mm256_castps256_ps128(moved));
                store_column(to_b, 3, _mm256_extractf128_ps::<1>(moved));
            }};
        }
        // SAFETY: the caller's.
        unsafe {
            two!(0, 0x00);
            two!(1, 0x55);
            two!(2, 0xAA);
            two!(3, 0xFF);
        }
    }

    #[inline(always)]
    unsafe fn store_rotations(q: [Self; 4], to: *mut Trs) {
        // SAFETY: the caller vouches for the memory; `q` proves the instructions.
        unsafe {
            let [a, b, c, d] = transpose256(q);
            scatter256(a, to, 0);
            scatter256(b, to, 1);
            scatter256(c, to, 2);
            scatter256(d, to, 3);
        }
    }
}

/// # Safety
/// AVX.
#[inline(always)]
unsafe fn pair(low: __m128, high: __m128) -> __m256 {
    // SAFETY: the caller vouches for the instructions.
    unsafe { _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high) }
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
