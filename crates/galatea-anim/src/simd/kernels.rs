//! Whole-pose loops, generic over the SIMD register.
//!
//! Used by the `mod.rs` of this folder, which selects the register. Every lane performs the same operations in the
//! same order in every register; only fused multiply-add changes the bits.

use std::mem::{MaybeUninit, offset_of};

use glam::{Affine3A, Quat, Vec3, Vec3Swizzles, Vec4};

use super::{BlendRow, RotationBlock};
use crate::Skeleton;
use crate::walk::WalkStep;
use galatea_math::Trs;
use galatea_math::simd::{Quads, load_vectors, store_vectors};

/// Number of floats in the widest register.
const MAX_LANES: usize = 8;

/// See [`super::rotations`].
#[inline(always)]
pub(super) fn rotations<L: Quads>(
    token: L::Token,
    rows: &[BlendRow],
    rest: &[Trs],
    out: &mut [Trs],
) {
    match rows {
        [] => {}
        [a] => rotations_of::<L, 1>(token, &[*a], rest, out),
        [a, b] => rotations_of::<L, 2>(token, &[*a, *b], rest, out),
        many => rotations_of::<L, 0>(token, many, rest, out),
    }
}

/// `K` is the number of rows if it is known, so that the loop over them is unrolled. There is at least one row.
#[inline(always)]
fn rotations_of<L: Quads, const K: usize>(
    token: L::Token,
    rows: &[BlendRow],
    rest: &[Trs],
    out: &mut [Trs],
) {
    let stride = out.len().div_ceil(RotationBlock::BONES);
    let n_groups = out.len() / L::N;
    let groups = out.chunks_exact_mut(L::N).zip(rest.chunks_exact(L::N));
    for (group, (out, rest)) in groups.enumerate() {
        store_rotations(sum_of::<L, K>(token, rows, group, stride), rest, out);
    }
    let (out, rest) = (&mut out[n_groups * L::N..], &rest[n_groups * L::N..]);
    if !out.is_empty() {
        let mut tail = [Trs::IDENTITY; MAX_LANES];
        let q = sum_of::<L, K>(token, rows, n_groups, stride);
        store_rotations(q, &[Trs::IDENTITY; MAX_LANES], &mut tail);
        for ((out, rest), tail) in out.iter_mut().zip(rest).zip(&tail) {
            let rotation = tail.rotation;
            *out = Trs { rotation, ..*rest };
        }
    }
}

/// Normalised sum of the rows for a group of bones, one per lane.
#[inline(always)]
fn sum_of<L: Quads, const K: usize>(
    token: L::Token,
    rows: &[BlendRow],
    group: usize,
    stride: usize,
) -> [L; 4] {
    let heaviest = between::<L>(token, &rows[0], group, stride);
    let mut q = heaviest;
    let count = if K == 0 { rows.len() } else { K };
    for row in &rows[1..count] {
        let r = between::<L>(token, row, group, stride);
        let d = dot(heaviest, r);
        q = [
            q[0].add(r[0].flip(d)),
            q[1].add(r[1].flip(d)),
            q[2].add(r[2].flip(d)),
            q[3].add(r[3].flip(d)),
        ];
    }
    scaled(q, L::splat(token, 1.0).div(dot(q, q).sqrt()))
}

/// Writes rotations, and translations and scales from `rest`.
#[inline(always)]
fn store_rotations<L: Quads>(q: [L; 4], rest: &[Trs], out: &mut [Trs]) {
    store_vectors(
        q,
        #[inline(always)]
        |k, rotation| {
            copy_rest(&rest[k], &mut out[k]);
            out[k].rotation = Quat::from_vec4(rotation.into());
        },
    );
}

/// Copies translation and scale in one move: a later load of four floats across both would wait for smaller stores.
#[inline(always)]
fn copy_rest(from: &Trs, to: &mut Trs) {
    type Rest = MaybeUninit<[u8; size_of::<Trs>() - offset_of!(Trs, translation)]>;
    const { assert!(offset_of!(Trs, rotation) == 0 && offset_of!(Trs, translation) == 16) };
    // SAFETY: all bytes from the translation on are inside both transforms. They do not overlap, as one is borrowed
    // mutably. The type allows for the padding at their end.
    unsafe {
        let from = (&raw const *from).byte_add(offset_of!(Trs, translation));
        let to = (&raw mut *to).byte_add(offset_of!(Trs, translation));
        let rest = from.cast::<Rest>().read_unaligned();
        to.cast::<Rest>().write_unaligned(rest);
    }
}

/// Weighted sum of a row's two frames for a group of bones.
#[inline(always)]
fn between<L: Quads>(token: L::Token, row: &BlendRow, group: usize, stride: usize) -> [L; 4] {
    let groups_per_block = RotationBlock::BONES / L::N;
    let block = group / groups_per_block;
    let lane = group % groups_per_block * L::N;
    let (from, to) = (&row.frames[block].0, &row.frames[block + stride].0);
    macro_rules! components {
        ($frame:ident) => {{
            let at = |k: usize| L::load(token, &$frame[k * RotationBlock::BONES + lane..]);
            [at(0), at(1), at(2), at(3)]
        }};
    }
    let (a, b) = (components!(from), components!(to));
    let c = L::splat(token, 1.0).sub(dot(a, b));
    let [k1, k2, k3, k4] = row.bend.0;
    let sum = c.mul_add(L::splat(token, k4), L::splat(token, k3));
    let sum = c.mul_add(sum, L::splat(token, k2));
    let bend = c.mul(c.mul_add(sum, L::splat(token, k1)));
    let w0 = L::splat(token, row.from).sub(bend);
    let w1 = L::splat(token, row.to).add(bend);
    [
        b[0].mul_add(w1, a[0].mul(w0)),
        b[1].mul_add(w1, a[1].mul(w0)),
        b[2].mul_add(w1, a[2].mul(w0)),
        b[3].mul_add(w1, a[3].mul(w0)),
    ]
}

#[inline(always)]
fn scaled<L: Quads>(q: [L; 4], by: L) -> [L; 4] {
    [q[0].mul(by), q[1].mul(by), q[2].mul(by), q[3].mul(by)]
}

/// Two independent halves, because the loops wait for this sum.
#[inline(always)]
fn dot<L: Quads>(a: [L; 4], b: [L; 4]) -> L {
    let xy = a[1].mul_add(b[1], a[0].mul(b[0]));
    let zw = a[3].mul_add(b[3], a[2].mul(b[2]));
    xy.add(zw)
}

/// See [`super::mix`]; `other` and the mask are as long as `pose`.
#[inline(always)]
pub(super) fn mix<L: Quads>(
    token: L::Token,
    pose: &mut [Trs],
    other: &[Trs],
    weight: f32,
    mask: Option<&[f32]>,
) {
    let whole = pose.len() - pose.len() % L::N;
    for i in (0..whole).step_by(L::N) {
        let group = i..i + L::N;
        let mask = mask.map(|mask| &mask[group.clone()]);
        mix_group::<L>(token, &mut pose[group.clone()], &other[group], weight, mask);
    }
    let left = pose.len() - whole;
    if left > 0 {
        let (mut a, mut b) = ([Trs::IDENTITY; MAX_LANES], [Trs::IDENTITY; MAX_LANES]);
        let mut weights = [1.0; MAX_LANES];
        a[..left].copy_from_slice(&pose[whole..]);
        b[..left].copy_from_slice(&other[whole..]);
        if let Some(mask) = mask {
            weights[..left].copy_from_slice(&mask[whole..]);
        }
        let group = &mut a[..L::N];
        mix_group::<L>(token, group, &b[..L::N], weight, Some(&weights[..L::N]));
        pose[whole..].copy_from_slice(&a[..left]);
    }
}

/// [`mix`] for a group of bones, one per lane.
#[inline(always)]
fn mix_group<L: Quads>(
    token: L::Token,
    pose: &mut [Trs],
    other: &[Trs],
    weight: f32,
    mask: Option<&[f32]>,
) {
    let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
    let w = match mask {
        Some(mask) => L::load(token, mask)
            .mul(zero.like(weight))
            .max(zero)
            .min(one),
        None => zero.like(weight),
    };
    let a = load_vectors(
        token,
        #[inline(always)]
        |k| pose[k].rotation,
    );
    let b = load_vectors(
        token,
        #[inline(always)]
        |k| other[k].rotation,
    );
    let (d, rest): (L, L) = (dot(a, b), one.sub(w));
    let q = [
        b[0].flip(d).mul_add(w, a[0].mul(rest)),
        b[1].flip(d).mul_add(w, a[1].mul(rest)),
        b[2].flip(d).mul_add(w, a[2].mul(rest)),
        b[3].flip(d).mul_add(w, a[3].mul(rest)),
    ];
    let length_squared = dot(q, q);
    let unit = scaled(q, one.div(length_squared.sqrt()));
    // Bones with weight 0 and rotations of zero length stay unchanged.
    let moves = w.choose(length_squared.sub(zero.like(1e-12)), w);
    let q = [
        moves.choose(unit[0], a[0]),
        moves.choose(unit[1], a[1]),
        moves.choose(unit[2], a[2]),
        moves.choose(unit[3], a[3]),
    ];
    store_vectors(
        q,
        #[inline(always)]
        |k, rotation| pose[k].rotation = Quat::from_vec4(rotation.into()),
    );
    let mut weights = [0.0; MAX_LANES];
    w.store(&mut weights);
    for ((local, target), w) in pose.iter_mut().zip(other).zip(&weights) {
        let row = translation_row(local).lerp(translation_row(target), *w);
        let yz = local.scale.yz().lerp(target.scale.yz(), *w);
        local.translation = row.truncate();
        local.scale = Vec3::new(row.w, yz.x, yz.y);
    }
}

/// See [`super::to_model`].
#[inline(always)]
pub(super) fn to_model<L: Quads>(
    token: L::Token,
    skeleton: &Skeleton,
    locals: &[Trs],
    out: &mut [Affine3A],
) {
    assert!(locals.len() == skeleton.len() && out.len() == skeleton.len());
    // A walk comes in groups of eight, so there is no remainder.
    for steps in skeleton.walk().chunks_exact(L::N) {
        macro_rules! rows {
            ($part:ident) => {
                L::transpose([
                    row!(0, $part),
                    row!(1, $part),
                    row!(2, $part),
                    row!(3, $part),
                ])
            };
        }
        macro_rules! row {
            ($k:literal, $part:ident) => {{
                let [first, last] = locals_of::<L, $k>(steps, locals);
                L::from_quads(token, $part(first).into(), $part(last).into())
            }};
        }
        let q = rows!(rotation);
        let [_, x, y, z] = rows!(scale_row);
        let m = basis::<L>(q, [x, y, z]);
        compose::<L, 0>(token, &m, steps, locals, out);
        compose::<L, 1>(token, &m, steps, locals, out);
        compose::<L, 2>(token, &m, steps, locals, out);
        compose::<L, 3>(token, &m, steps, locals, out);
    }
}

/// First and last step of row `K`, which has one step per quad.
#[inline(always)]
fn steps_of<L: Quads, const K: usize>(steps: &[WalkStep]) -> [WalkStep; 2] {
    [steps[L::QUADS * K], steps[L::QUADS * (K + 1) - 1]]
}

/// Transforms of the bones of [`steps_of`].
#[inline(always)]
fn locals_of<'a, L: Quads, const K: usize>(steps: &[WalkStep], locals: &'a [Trs]) -> [&'a Trs; 2] {
    let [first, last] = steps_of::<L, K>(steps);
    // SAFETY: `to_model` has checked that there is a transform for each bone. The steps belong to a skeleton's walk, which
    // contains only its own bones.
    let local = |step: WalkStep| unsafe { locals.get_unchecked(usize::from(step.bone)) };
    [local(first), local(last)]
}

#[inline(always)]
fn rotation(local: &Trs) -> Quat {
    local.rotation
}

/// Scale in the last three lanes; the first is the translation's z, so that one load reads all four.
#[inline(always)]
fn scale_row(local: &Trs) -> Vec4 {
    let scale = local.scale;
    Vec4::new(local.translation.z, scale.x, scale.y, scale.z)
}

/// Translation in the first three lanes; the last is the scale's x.
#[inline(always)]
fn translation_row(local: &Trs) -> Vec4 {
    local.translation.extend(local.scale.x)
}

/// Matrix of a step's parent.
#[inline(always)]
fn parent_of<'a>(step: WalkStep, root: &'a Affine3A, matrices: &'a [Affine3A]) -> &'a Affine3A {
    match step.parent {
        Skeleton::NO_PARENT => root,
        // SAFETY: `to_model` has checked that there is a matrix for each bone, and parents are bones.
        parent => unsafe { matrices.get_unchecked(usize::from(parent)) },
    }
}

/// Writes the matrices of the steps of row `K`, one per quad: the parent's matrix times its own. Lane `K` of each
/// quad of `m` holds the 3×3 part of the own matrix.
#[inline(always)]
fn compose<L: Quads, const K: usize>(
    token: L::Token,
    m: &[L; 9],
    steps: &[WalkStep],
    locals: &[Trs],
    out: &mut [Affine3A],
) {
    let [first, last] = steps_of::<L, K>(steps);
    let root = Affine3A::IDENTITY;
    let (a, b) = (parent_of(first, &root, out), parent_of(last, &root, out));
    let px = L::from_quads(token, a.matrix3.x_axis.into(), b.matrix3.x_axis.into());
    let py = L::from_quads(token, a.matrix3.y_axis.into(), b.matrix3.y_axis.into());
    let pz = L::from_quads(token, a.matrix3.z_axis.into(), b.matrix3.z_axis.into());
    let pw = L::from_quads(token, a.translation.into(), b.translation.into());
    let [a, b] = locals_of::<L, K>(steps, locals);
    let t = L::from_quads(token, translation_row(a).into(), translation_row(b).into());
    let [tx, ty, tz, _] = t.spread();
    macro_rules! store {
        ($v:expr => $($column:ident).+) => {{
            let [a, b] = $v.quads();
            // SAFETY: `to_model` has checked that there is a matrix for each bone. The steps belong to a skeleton's
            // walk, which contains only its own bones.
            unsafe {
                out.get_unchecked_mut(usize::from(first.bone)).$($column).+ = a.into();
                if L::QUADS > 1 {
                    out.get_unchecked_mut(usize::from(last.bone)).$($column).+ = b.into();
                }
            }
        }};
    }
    macro_rules! column {
        ($c:literal) => {{
            let x = px.mul(m[3 * $c].spread()[K]);
            let xy = py.mul_add(m[3 * $c + 1].spread()[K], x);
            pz.mul_add(m[3 * $c + 2].spread()[K], xy)
        }};
    }
    store!(column!(0) => matrix3.x_axis);
    store!(column!(1) => matrix3.y_axis);
    store!(column!(2) => matrix3.z_axis);
    store!(pz.mul_add(tz, py.mul_add(ty, px.mul_add(tx, pw))) => translation);
}

/// Converts rotations and scales to 3×3 matrices, column by column.
#[inline(always)]
fn basis<L: Quads>([x, y, z, w]: [L; 4], [sx, sy, sz]: [L; 3]) -> [L; 9] {
    let one = x.like(1.0);
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
