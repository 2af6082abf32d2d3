//! The loops over whole poses, once for all register widths.
//!
//! Callers: `mod.rs` of this folder, which picks the width. Every lane does the same operations in
//! the same order at every width; only fused multiply-add makes a difference to the bits.

use glam::Affine3A;

use super::lanes::Lanes;
use super::{Block, Row};
use crate::walk::Step;
use galatea_math::Trs;
use galatea_math::simd::per_width;

/// Floats in the widest register.
const MOST_LANES: usize = 8;

per_width!(rotations_at = rotations(rows: &[Row], rest: &[Trs], out: &mut [Trs]));
per_width!(mix_at = mix(pose: &mut [Trs], other: &[Trs], weight: f32, mask: Option<&[f32]>));
per_width!(to_model_at = to_model(walk: &[Step], locals: &[Trs], out: &mut [Affine3A]));

/// See [`super::rotations`].
///
/// # Safety
/// The CPU has the width's instructions; every row holds two frames of
/// `out.len().div_ceil(16)` blocks.
#[inline(always)]
unsafe fn rotations<L: Lanes>(rows: &[Row], rest: &[Trs], out: &mut [Trs]) {
    // SAFETY: handed on.
    unsafe {
        match rows {
            [] => {}
            [a] => rotations_of::<L, 1>(&[*a], rest, out),
            [a, b] => rotations_of::<L, 2>(&[*a, *b], rest, out),
            many => rotations_of::<L, 0>(many, rest, out),
        }
    }
}

/// `K` is the number of rows when it is known, so that the loop over them unrolls.
///
/// # Safety
/// As [`rotations`], with at least one row.
#[inline(always)]
unsafe fn rotations_of<L: Lanes, const K: usize>(rows: &[Row], rest: &[Trs], out: &mut [Trs]) {
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
                let to = out.as_mut_ptr().add(i);
                L::store_rotations(q, to);
                for k in 0..L::N {
                    copy_rest(rest.as_ptr().add(i + k), to.add(k));
                }
            } else {
                let mut tail = [Trs::IDENTITY; MOST_LANES];
                L::store_rotations(q, tail.as_mut_ptr());
                for ((to, rest), from) in out[i..].iter_mut().zip(&rest[i..]).zip(&tail) {
                    *to = Trs {
                        rotation: from.rotation,
                        ..*rest
                    };
                }
            }
            i += L::N;
        }
    }
}

/// Copies all but the rotation, in one move: it is the second two thirds of a transform.
///
/// # Safety
/// One can be read, the other written.
#[inline(always)]
unsafe fn copy_rest(from: *const Trs, to: *mut Trs) {
    type Rest = std::mem::MaybeUninit<[u8; 32]>;
    // SAFETY: the caller's; the type allows for the padding at the end.
    unsafe {
        let from = from.cast::<u8>().add(16).cast::<Rest>();
        to.cast::<u8>()
            .add(16)
            .cast::<Rest>()
            .write_unaligned(from.read_unaligned());
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

/// Two halves side by side: the loops wait for this sum.
#[inline(always)]
fn dot<L: Lanes>(a: [L; 4], b: [L; 4]) -> L {
    let xy = a[1].mul_add(b[1], a[0].mul(b[0]));
    let zw = a[3].mul_add(b[3], a[2].mul(b[2]));
    xy.add(zw)
}

/// See [`super::mix`].
///
/// # Safety
/// The CPU has the width's instructions; `other` and the mask are as long as `pose`.
#[inline(always)]
unsafe fn mix<L: Lanes>(pose: &mut [Trs], other: &[Trs], weight: f32, mask: Option<&[f32]>) {
    let n = pose.len();
    let mut i = 0;
    // SAFETY: whole groups are used only where `N` bones are left, else copies of `N`.
    unsafe {
        while i + L::N <= n {
            let mask = mask.map(|mask| mask.as_ptr().add(i));
            mix_group::<L>(
                pose.as_mut_ptr().add(i),
                other.as_ptr().add(i),
                weight,
                mask,
            );
            i += L::N;
        }
        let left = n - i;
        if left > 0 {
            let (mut a, mut b) = ([Trs::IDENTITY; MOST_LANES], [Trs::IDENTITY; MOST_LANES]);
            let mut weights = [1.0; MOST_LANES];
            a[..left].copy_from_slice(&pose[i..]);
            b[..left].copy_from_slice(&other[i..]);
            if let Some(mask) = mask {
                weights[..left].copy_from_slice(&mask[i..]);
            }
            mix_group::<L>(a.as_mut_ptr(), b.as_ptr(), weight, Some(weights.as_ptr()));
            pose[i..].copy_from_slice(&a[..left]);
        }
    }
}

/// # Safety
/// The CPU has the width's instructions; `N` transforms at both pointers and `N` weights at the
/// mask's.
#[inline(always)]
unsafe fn mix_group<L: Lanes>(
    pose: *mut Trs,
    other: *const Trs,
    weight: f32,
    mask: Option<*const f32>,
) {
    // SAFETY: the caller's.
    unsafe {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let w = match mask {
            Some(mask) => L::load(mask).mul(L::splat(weight)).max(zero).min(one),
            None => L::splat(weight),
        };
        let (a, b) = (L::load_rotations(pose), L::load_rotations(other));
        let (d, rest) = (dot(a, b), one.sub(w));
        let q = [
            b[0].flip(d).mul_add(w, a[0].mul(rest)),
            b[1].flip(d).mul_add(w, a[1].mul(rest)),
            b[2].flip(d).mul_add(w, a[2].mul(rest)),
            b[3].flip(d).mul_add(w, a[3].mul(rest)),
        ];
        let length_squared = dot(q, q);
        let unit = scaled(q, one.div(length_squared.sqrt()));
        // Not at weight 0, whose bones stay as they are, nor where nothing is left to normalise.
        let moves = w.choose(length_squared.sub(L::splat(1e-12)), w);
        let q = [
            moves.choose(unit[0], a[0]),
            moves.choose(unit[1], a[1]),
            moves.choose(unit[2], a[2]),
            moves.choose(unit[3], a[3]),
        ];
        L::store_rotations(q, pose);
        let mut weights = [0.0; MOST_LANES];
        w.store(weights.as_mut_ptr());
        for (k, w) in weights.iter().enumerate().take(L::N) {
            let (local, target) = (&mut *pose.add(k), &*other.add(k));
            local.translation = local.translation.lerp(target.translation, *w);
            local.scale = local.scale.lerp(target.scale, *w);
        }
    }
}

/// See [`super::to_model`].
///
/// # Safety
/// The CPU has the width's instructions; the walk is that of a skeleton with as many bones as the
/// slices are long.
#[inline(always)]
unsafe fn to_model<L: Lanes>(walk: &[Step], locals: &[Trs], out: &mut [Affine3A]) {
    let (locals, out) = (locals.as_ptr(), out.as_mut_ptr());
    // A walk comes in groups of eight, so none is left over.
    for steps in walk.chunks_exact(L::N) {
        // SAFETY: a skeleton's walk names its own bones only, each after its parent.
        unsafe {
            let (q, s) = L::gather(locals, steps);
            L::compose(basis(q, s), steps, locals, out);
        }
    }
}

/// Rotations and scales → 3×3 matrices, column after column.
#[inline(always)]
fn basis<L: Lanes>([x, y, z, w]: [L; 4], [sx, sy, sz]: [L; 3]) -> [L; 9] {
    // SAFETY: `x` proves the instructions.
    let one = unsafe { L::splat(1.0) };
    let (x2, y2, z2) = (x.add(x), y.add(y), z.add(z));
    let (xy, xz, yz) = (x.mul(y2), x.mul(z2), y.mul(z2));
    [
        z.neg_mul_add(z2, y.neg_mul_add(y2, one)).mul(sx),
        w.mul_add(z2, xy).mul(sx),
        w.neg_mul_add(y2, xz).mul(sx),
        w.neg_mul_add(z2, xy).mul(sy),
        z.neg_mul_add(z2, x.neg_mul_add(x2, one)).mul(sy),
        w.mul_add(x2, yz).mul(sy),
        w.mul_add(y2, xz).mul(sz),
        w.neg_mul_add(x2, yz).mul(sz),
        y.neg_mul_add(y2, x.neg_mul_add(x2, one)).mul(sz),
    ]
}
