//! The loops over whole poses, once for all register widths.
//!
//! Callers: `mod.rs` of this folder, which picks the width. Every lane does the same operations in
//! the same order at every width, so the 8-wide and the 16-wide form give the same bits.

use std::arch::x86_64::{__m128, __m256, __m512};

use glam::Affine3A;

use super::lanes::Lanes;
use super::{BASIS_STRIDE, Bases, Block, Row};
use crate::anim::Skeleton;
use crate::math::Trs;

/// Makes one function per width out of a generic one.
macro_rules! per_width {
    ($generic:ident, $sse2:ident, $avx2:ident, $avx512:ident, ($($arg:ident: $type:ty),*)) => {
        /// # Safety
        /// As the generic function.
        pub(super) unsafe fn $sse2($($arg: $type),*) {
            // SAFETY: every x86-64 has SSE2; the rest is the caller's.
            unsafe { $generic::<__m128>($($arg),*) }
        }

        /// # Safety
        /// As the generic function.
        #[target_feature(enable = "avx2,fma")]
        pub(super) unsafe fn $avx2($($arg: $type),*) {
            // SAFETY: the features are enabled here; the rest is the caller's.
            unsafe { $generic::<__m256>($($arg),*) }
        }

        /// # Safety
        /// As the generic function.
        #[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512dq")]
        pub(super) unsafe fn $avx512($($arg: $type),*) {
            // SAFETY: the features are enabled here; the rest is the caller's.
            unsafe { $generic::<__m512>($($arg),*) }
        }
    };
}

per_width!(rotations, rotations_sse2, rotations_avx2, rotations_avx512,
    (rows: &[Row], out: &mut [Trs]));
per_width!(mix, mix_sse2, mix_avx2, mix_avx512,
    (pose: &mut [Trs], other: &[Trs], weight: f32, mask: Option<&[f32]>));
per_width!(to_model, to_model_sse2, to_model_avx2, to_model_avx512,
    (parents: &[u16], locals: &[Trs], out: &mut [Affine3A]));

/// See [`super::rotations`].
///
/// # Safety
/// The CPU has the width's instructions; every row holds two frames of
/// `out.len().div_ceil(16)` blocks.
#[inline(always)]
unsafe fn rotations<L: Lanes>(rows: &[Row], out: &mut [Trs]) {
    // SAFETY: handed on.
    unsafe {
        match rows {
            [] => {}
            [a] => rotations_of::<L, 1>(&[*a], out),
            [a, b] => rotations_of::<L, 2>(&[*a, *b], out),
            many => rotations_of::<L, 0>(many, out),
        }
    }
}

/// `K` is the number of rows when it is known, so that the loop over them unrolls.
///
/// # Safety
/// As [`rotations`], with at least one row.
#[inline(always)]
unsafe fn rotations_of<L: Lanes, const K: usize>(rows: &[Row], out: &mut [Trs]) {
    let n = out.len();
    let stride = n.div_ceil(Block::BONES);
    // SAFETY: `block` and `lane` stay inside the frames, which the caller measured; whole groups are
    // written only where `N` transforms are left.
    unsafe {
        let mut i = 0;
        while i < n {
            let (block, lane) = (i / Block::BONES, i % Block::BONES);
            let at = block * Block::FLOATS + lane;
            let heaviest = between::<L>(&rows[0], at, stride);
            let mut q = heaviest;
            let count = if K == 0 { rows.len() } else { K };
            for k in 1..count {
                let r = between::<L>(rows.get_unchecked(k), at, stride);
                let d = dot(heaviest, r);
                q = [
                    q[0].add(r[0].flip(d)),
                    q[1].add(r[1].flip(d)),
                    q[2].add(r[2].flip(d)),
                    q[3].add(r[3].flip(d)),
                ];
            }
            let q = scaled(q, L::splat(1.0).div(dot(q, q).sqrt()));
            if i + L::N <= n {
                L::store_rotations(q, out.as_mut_ptr().add(i));
            } else {
                let mut tail = [Trs::IDENTITY; 16];
                L::store_rotations(q, tail.as_mut_ptr());
                for (to, from) in out[i..].iter_mut().zip(&tail) {
                    to.rotation = from.rotation;
                }
            }
            i += L::N;
        }
    }
}

/// The weighted sum of a row's two frames for the group of bones at float `at`.
///
/// # Safety
/// As [`rotations`].
#[inline(always)]
unsafe fn between<L: Lanes>(row: &Row, at: usize, stride: usize) -> [L; 4] {
    const PLANE: usize = Block::BONES;
    // SAFETY: the caller's.
    unsafe {
        let from = row.frames.as_ptr().cast::<f32>().add(at);
        let to = from.add(stride * Block::FLOATS);
        let (w0, w1) = (L::splat(row.from), L::splat(row.to));
        [
            L::load(to).mul_add(w1, L::load(from).mul(w0)),
            L::load(to.add(PLANE)).mul_add(w1, L::load(from.add(PLANE)).mul(w0)),
            L::load(to.add(2 * PLANE)).mul_add(w1, L::load(from.add(2 * PLANE)).mul(w0)),
            L::load(to.add(3 * PLANE)).mul_add(w1, L::load(from.add(3 * PLANE)).mul(w0)),
        ]
    }
}

#[inline(always)]
fn scaled<L: Lanes>(q: [L; 4], by: L) -> [L; 4] {
    [q[0].mul(by), q[1].mul(by), q[2].mul(by), q[3].mul(by)]
}

#[inline(always)]
fn dot<L: Lanes>(a: [L; 4], b: [L; 4]) -> L {
    a[3].mul_add(
        b[3],
        a[2].mul_add(b[2], a[1].mul_add(b[1], a[0].mul(b[0]))),
    )
}

/// See [`super::mix`].
///
/// # Safety
/// The CPU has the width's instructions; `other` and the mask are as long as `pose`.
#[inline(always)]
unsafe fn mix<L: Lanes>(pose: &mut [Trs], other: &[Trs], weight: f32, mask: Option<&[f32]>) {
    let n = pose.len();
    let mut i = 0;
    while i < n {
        let mut w = [0.0_f32; 16];
        let left = (n - i).min(L::N);
        match mask {
            Some(mask) => {
                for (w, m) in w.iter_mut().zip(&mask[i..i + left]) {
                    *w = (weight * m).clamp(0.0, 1.0);
                }
            }
            None => w = [weight; 16],
        }
        if left == L::N {
            // SAFETY: `N` transforms are left in both.
            unsafe { mix_rotations::<L>(pose.as_mut_ptr().add(i), other.as_ptr().add(i), &w) };
        } else {
            let (mut a, mut b) = ([Trs::IDENTITY; 16], [Trs::IDENTITY; 16]);
            a[..left].copy_from_slice(&pose[i..]);
            b[..left].copy_from_slice(&other[i..i + left]);
            // SAFETY: sixteen transforms are enough for any width.
            unsafe { mix_rotations::<L>(a.as_mut_ptr(), b.as_ptr(), &w) };
            pose[i..].copy_from_slice(&a[..left]);
        }
        for ((local, target), w) in pose[i..i + left]
            .iter_mut()
            .zip(&other[i..i + left])
            .zip(&w)
        {
            local.translation = local.translation.lerp(target.translation, *w);
            local.scale = local.scale.lerp(target.scale, *w);
        }
        i += L::N;
    }
}

/// # Safety
/// The CPU has the width's instructions; `N` transforms at both.
#[inline(always)]
unsafe fn mix_rotations<L: Lanes>(pose: *mut Trs, other: *const Trs, w: &[f32; 16]) {
    // SAFETY: the caller's.
    unsafe {
        let (a, b) = (L::load_rotations(pose), L::load_rotations(other));
        let w = L::load(w.as_ptr());
        let (d, rest) = (dot(a, b), L::splat(1.0).sub(w));
        let q = [
            b[0].flip(d).mul_add(w, a[0].mul(rest)),
            b[1].flip(d).mul_add(w, a[1].mul(rest)),
            b[2].flip(d).mul_add(w, a[2].mul(rest)),
            b[3].flip(d).mul_add(w, a[3].mul(rest)),
        ];
        let length_squared = dot(q, q);
        let unit = scaled(q, L::splat(1.0).div(length_squared.sqrt()));
        // Not at weight 0, whose bones stay as they are, nor where nothing is left to normalise.
        let moves = w.choose(length_squared.sub(L::splat(1e-12)), w);
        let q = [
            moves.choose(unit[0], a[0]),
            moves.choose(unit[1], a[1]),
            moves.choose(unit[2], a[2]),
            moves.choose(unit[3], a[3]),
        ];
        L::store_rotations(q, pose);
    }
}

/// See [`super::to_model`].
///
/// # Safety
/// The CPU has the width's instructions; the three slices have one length, and every parent is
/// smaller than its bone's index or `NO_PARENT`.
#[inline(always)]
unsafe fn to_model<L: Lanes>(parents: &[u16], locals: &[Trs], out: &mut [Affine3A]) {
    let n = locals.len();
    let out = out.as_mut_ptr();
    let mut bases: Bases = [0.0; 9 * BASIS_STRIDE];
    let mut i = 0;
    // SAFETY: a group is read whole only where `N` transforms are left, else from a copy; matrices
    // are read only at parents, which are smaller than the index being written.
    unsafe {
        while i < n {
            let left = (n - i).min(L::N);
            if left == L::N {
                to_bases::<L>(locals.as_ptr().add(i), &mut bases);
            } else {
                let mut tail = [Trs::IDENTITY; 16];
                tail[..left].copy_from_slice(&locals[i..]);
                to_bases::<L>(tail.as_ptr(), &mut bases);
            }
            for k in 0..left {
                let parent = *parents.get_unchecked(i + k);
                let root = Affine3A::IDENTITY;
                let parent = if parent == Skeleton::NO_PARENT {
                    &root
                } else {
                    &*out.add(usize::from(parent))
                };
                let local = locals.get_unchecked(i + k);
                *out.add(i + k) = L::compose(parent, &bases, k, local);
            }
            i += L::N;
        }
    }
}

/// Rotations and scales of `N` bones → their 3×3 matrices, number by number.
///
/// # Safety
/// The CPU has the width's instructions; `N` transforms can be read.
#[inline(always)]
unsafe fn to_bases<L: Lanes>(from: *const Trs, out: &mut Bases) {
    // SAFETY: the caller's; nine planes of `BASIS_STRIDE` ≥ `N` floats are there.
    unsafe {
        let [x, y, z, w] = L::load_rotations(from);
        let [sx, sy, sz] = L::load_scales(from);
        let one = L::splat(1.0);
        let (x2, y2, z2) = (x.add(x), y.add(y), z.add(z));
        let (xy, xz, yz) = (x.mul(y2), x.mul(z2), y.mul(z2));
        let m = [
            z.neg_mul_add(z2, y.neg_mul_add(y2, one)).mul(sx),
            w.mul_add(z2, xy).mul(sx),
            w.neg_mul_add(y2, xz).mul(sx),
            w.neg_mul_add(z2, xy).mul(sy),
            z.neg_mul_add(z2, x.neg_mul_add(x2, one)).mul(sy),
            w.mul_add(x2, yz).mul(sy),
            w.mul_add(y2, xz).mul(sz),
            w.neg_mul_add(x2, yz).mul(sz),
            y.neg_mul_add(y2, x.neg_mul_add(x2, one)).mul(sz),
        ];
        for (k, m) in m.into_iter().enumerate() {
            m.store(out.as_mut_ptr().add(k * BASIS_STRIDE));
        }
    }
}
