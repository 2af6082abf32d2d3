//! The loops over vertices, once for all register widths.
//!
//! Callers: `skin`, which checks lengths, joints and matrices beforehand. All unsafe code of the room is
//! here and in `wide`.

use std::arch::x86_64::{__m128, __m256};
use std::mem::MaybeUninit;

use super::wide::Wide;

/// Where vertices are read and written; input and output may be the same memory.
#[derive(Clone, Copy)]
pub(super) struct Streams {
    pub positions: *const f32,
    pub normals: *const f32,
    /// Null without tangents.
    pub tangents: *const f32,
    pub out_positions: *mut f32,
    pub out_normals: *mut f32,
    pub out_tangents: *mut f32,
}

/// Joints and weights, `n` of each per vertex.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    pub joints: *const u16,
    pub weights: *const f32,
    pub n: usize,
}

/// What the joints name: matrices of three rows and padding, [`super::wide::STRIDE`] floats each; for dual
/// quaternions these are the stretches, if any.
#[derive(Clone, Copy)]
pub(super) struct Palette {
    /// Null when nothing stretches.
    pub rows: *const f32,
    /// Eight floats each, real part first. Null for linear skinning.
    pub duals: *const f32,
    /// The real parts of any two have a positive product: none must be turned to the other side.
    pub one_sided: bool,
}

/// Skins whole groups of vertices from `first` on, and tells where it stopped, less than one group
/// before `end`.
///
/// # Safety
/// The CPU has AVX2 and FMA. All vertices before `end` can be read and written, their joints name
/// matrices that are there, all of them finite.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn skin_avx2(
    s: &Streams,
    b: &Bound,
    p: &Palette,
    first: usize,
    end: usize,
) -> usize {
    // SAFETY: the caller's.
    unsafe { skin::<__m256>(s, b, p, first, end) }
}

/// [`skin_avx2`] for every x86-64.
///
/// # Safety
/// As there, without its instructions.
pub(super) unsafe fn skin_sse2(
    s: &Streams,
    b: &Bound,
    p: &Palette,
    first: usize,
    end: usize,
) -> usize {
    // SAFETY: the caller's.
    unsafe { skin::<__m128>(s, b, p, first, end) }
}

/// The number of influences becomes a constant, so that the loops over them unroll.
#[inline(always)]
unsafe fn skin<W: Wide>(s: &Streams, b: &Bound, p: &Palette, first: usize, end: usize) -> usize {
    // SAFETY: the caller's.
    unsafe {
        match (p.duals.is_null(), b.n, p.rows.is_null()) {
            (true, 4, _) => linear::<W, 4>(s, b, p, first, end),
            (true, ..) => linear::<W, 0>(s, b, p, first, end),
            (false, 4, true) => dual::<W, 4, false>(s, b, p, first, end),
            (false, 4, false) => dual::<W, 4, true>(s, b, p, first, end),
            (false, 8, true) => dual::<W, 8, false>(s, b, p, first, end),
            (false, 8, false) => dual::<W, 8, true>(s, b, p, first, end),
            (false, ..) => first,
        }
    }
}

type V3<W> = [W; 3];
type Rows<W> = [[W; 4]; 3];

#[inline(always)]
fn dot3<W: Wide>(a: V3<W>, b: V3<W>) -> W {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0].mul(b[0])))
}

#[inline(always)]
fn cross<W: Wide>(a: V3<W>, b: V3<W>) -> V3<W> {
    [
        a[2].neg_mul_add(b[1], a[1].mul(b[2])),
        a[0].neg_mul_add(b[2], a[2].mul(b[0])),
        a[1].neg_mul_add(b[0], a[0].mul(b[1])),
    ]
}

#[inline(always)]
fn upper<W: Wide>(m: &Rows<W>) -> [V3<W>; 3] {
    [
        [m[0][0], m[0][1], m[0][2]],
        [m[1][0], m[1][1], m[1][2]],
        [m[2][0], m[2][1], m[2][2]],
    ]
}

#[inline(always)]
fn times<W: Wide>(m: &[V3<W>; 3], v: V3<W>) -> V3<W> {
    [dot3(m[0], v), dot3(m[1], v), dot3(m[2], v)]
}

/// The blended matrices of one group of vertices.
#[inline(always)]
unsafe fn blended<W: Wide, const K: usize>(b: &Bound, rows: *const f32, i: usize) -> Rows<W> {
    let n = if K == 0 { b.n } else { K };
    // SAFETY: the caller's.
    unsafe { W::blend::<K>(rows, b.joints.add(i * n), b.weights.add(i * n), n) }
}

/// Vertices that a kernel is given at a time, at most.
pub(super) const BLOCK: usize = 64;

/// What of normals and tangents is known before they are made unit, of one block: floats of a kind in a row.
struct Raw(*mut f32);

impl Raw {
    const NORMALS: usize = 0;
    const TANGENTS: usize = 3 * BLOCK;
    /// -1 where mirrored, else 1.
    const MIRRORS: usize = 6 * BLOCK;
    const FLOATS: usize = 7 * BLOCK;

    /// # Safety
    /// A register's floats from vertex `at` on are within the block.
    #[inline(always)]
    unsafe fn put<W: Wide>(&self, kind: usize, at: usize, v: V3<W>) {
        // SAFETY: the caller's.
        unsafe {
            v[0].store(self.0.add(kind + at));
            v[1].store(self.0.add(kind + BLOCK + at));
            v[2].store(self.0.add(kind + 2 * BLOCK + at));
        }
    }

    /// # Safety
    /// As [`Raw::put`], which wrote there.
    #[inline(always)]
    unsafe fn take<W: Wide>(&self, kind: usize, at: usize) -> V3<W> {
        // SAFETY: the caller's.
        unsafe {
            [
                W::load(self.0.add(kind + at)),
                W::load(self.0.add(kind + BLOCK + at)),
                W::load(self.0.add(kind + 2 * BLOCK + at)),
            ]
        }
    }
}

/// Roots and quotients come in a loop of their own: behind each other they would hold up the sums of
/// matrices, whose loop is longer than what a CPU looks ahead.
///
/// # Safety
/// As [`skin_avx2`]; at most [`BLOCK`] vertices.
#[inline(always)]
unsafe fn linear<W: Wide, const K: usize>(
    s: &Streams,
    b: &Bound,
    p: &Palette,
    first: usize,
    end: usize,
) -> usize {
    let mut memory = MaybeUninit::<[f32; Raw::FLOATS]>::uninit();
    let raw = Raw(memory.as_mut_ptr().cast());
    let mut i = first;
    // SAFETY: whole groups before `end` only; what is read of `raw` was written; the rest is the caller's.
    unsafe {
        while i + W::N <= end {
            let m = blended::<W, K>(b, p.rows, i);
            let x = W::load3(s.positions.add(3 * i));
            let upper = upper(&m);
            let moved = [
                dot3(upper[0], x).add(m[0][3]),
                dot3(upper[1], x).add(m[1][3]),
                dot3(upper[2], x).add(m[2][3]),
            ];
            let (cofactors, mirror) = cofactors(&upper);
            let normal = times(&cofactors, W::load3(s.normals.add(3 * i)));
            let at = i - first;
            raw.put(Raw::NORMALS, at, normal);
            mirror.0.store(raw.0.add(Raw::MIRRORS + at));
            if !s.tangents.is_null() {
                let [tx, ty, tz, _] = W::rows(s.tangents.add(4 * i), &EVERY_TANGENT);
                raw.put(Raw::TANGENTS, at, times(&upper, [tx, ty, tz]));
            }
            W::store3(moved, s.out_positions.add(3 * i));
            i += W::N;
        }
        for at in (0..i - first).step_by(W::N) {
            let i = first + at;
            let mirror = Mirror(W::load(raw.0.add(Raw::MIRRORS + at)));
            let authored = s.normals.add(3 * i);
            let normal = raw.take(Raw::NORMALS, at);
            let normal = unit(normal, mirror, || W::load3(authored));
            W::store3(normal, s.out_normals.add(3 * i));
            if !s.tangents.is_null() {
                let [.., w] = W::rows(s.tangents.add(4 * i), &EVERY_TANGENT);
                let along = raw.take(Raw::TANGENTS, at);
                tangent(along, normal, mirror.flip_of(w), s.out_tangents.add(4 * i));
            }
        }
    }
    i
}

const EVERY_TANGENT: [usize; 8] = [0, 4, 8, 12, 16, 20, 24, 28];

/// -1 where mirrored, else 1.
#[derive(Clone, Copy)]
struct Mirror<W>(W);

impl<W: Wide> Mirror<W> {
    #[inline(always)]
    fn flip_of(self, w: W) -> W {
        w.flip(self.0)
    }
}

/// Rows of the cofactor matrix, and whether the matrix mirrors.
#[inline(always)]
unsafe fn cofactors<W: Wide>(m: &[V3<W>; 3]) -> ([V3<W>; 3], Mirror<W>) {
    let c = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])];
    // SAFETY: the values prove the instructions.
    let (zero, one) = unsafe { (W::splat(0.0), W::splat(1.0)) };
    let is_mirrored = zero.sub(dot3(m[0], c[0]));
    (c, Mirror(is_mirrored.choose(zero.sub(one), one)))
}

/// `v` made unit and turned to the outside, or `otherwise` where it has no length.
#[inline(always)]
unsafe fn unit<W: Wide>(v: V3<W>, mirror: Mirror<W>, otherwise: impl FnOnce() -> V3<W>) -> V3<W> {
    let squared = dot3(v, v);
    // SAFETY: the values prove the instructions.
    let (one, least) = unsafe { (W::splat(1.0), W::splat(f32::MIN_POSITIVE)) };
    let by = mirror.flip_of(one.div(squared.sqrt()));
    if !squared.any_not_above(least) {
        return [v[0].mul(by), v[1].mul(by), v[2].mul(by)];
    }
    let has_length = squared.sub(least);
    let otherwise = otherwise();
    [
        has_length.choose(v[0].mul(by), otherwise[0]),
        has_length.choose(v[1].mul(by), otherwise[1]),
        has_length.choose(v[2].mul(by), otherwise[2]),
    ]
}

/// Writes tangents: `along` without its part along the normal, unit; any direction across the normal
/// where nothing is left.
///
/// # Safety
/// As [`skin_avx2`].
#[inline(always)]
unsafe fn tangent<W: Wide>(along: V3<W>, normal: V3<W>, w: W, to: *mut f32) {
    // SAFETY: the caller's.
    unsafe {
        let height = dot3(along, normal);
        let flat = [
            height.neg_mul_add(normal[0], along[0]),
            height.neg_mul_add(normal[1], along[1]),
            height.neg_mul_add(normal[2], along[2]),
        ];
        let squared = dot3(flat, flat);
        let by = W::splat(1.0).div(squared.sqrt());
        let out = [flat[0].mul(by), flat[1].mul(by), flat[2].mul(by), w];
        W::store4(out, to);
        if squared.any_not_above(W::splat(f32::MIN_POSITIVE)) {
            let (mut squares, mut normals) = ([0.0; 8], [[0.0; 8]; 3]);
            squared.store(squares.as_mut_ptr());
            for (lane, part) in normals.iter_mut().zip(normal) {
                part.store(lane.as_mut_ptr());
            }
            let [x, y, z] = normals;
            for (v, square) in squares[..W::N].iter().enumerate() {
                if *square <= f32::MIN_POSITIVE || square.is_nan() {
                    let normal = glam::Vec3::new(x[v], y[v], z[v]);
                    let across = normal.any_orthonormal_vector().to_array();
                    std::ptr::copy_nonoverlapping(across.as_ptr(), to.add(4 * v), 3);
                }
            }
        }
    }
}

/// # Safety
/// As [`skin_avx2`]; `K` is the number of influences, `STRETCHED` whether there are stretches.
#[inline(always)]
unsafe fn dual<W: Wide, const K: usize, const STRETCHED: bool>(
    s: &Streams,
    b: &Bound,
    p: &Palette,
    first: usize,
    end: usize,
) -> usize {
    let mut i = first;
    // SAFETY: whole groups before `end` only; the rest is the caller's.
    unsafe {
        while i + W::N <= end {
            let mut x = W::load3(s.positions.add(3 * i));
            let mut normal = W::load3(s.normals.add(3 * i));
            let authored = normal;
            let mut mirror = Mirror(W::splat(1.0));
            let mut stretch = None;
            if STRETCHED {
                let upper = upper(&blended::<W, K>(b, p.rows, i));
                x = times(&upper, x);
                let (cofactors, found) = cofactors(&upper);
                normal = times(&cofactors, normal);
                mirror = found;
                stretch = Some(upper);
            }
            let (real, dual) = if p.one_sided {
                let (joints, weights) = (b.joints.add(i * K), b.weights.add(i * K));
                let [real, dual] = W::blend8::<K>(p.duals, joints, weights);
                (real, dual)
            } else {
                mixed::<W, K>(b, p.duals, i)
            };
            let (turn, offset) = motion(real, dual);
            let moved = times(&turn, x);
            let moved = [
                moved[0].add(offset[0]),
                moved[1].add(offset[1]),
                moved[2].add(offset[2]),
            ];
            W::store3(moved, s.out_positions.add(3 * i));
            let normal = unit(times(&turn, normal), mirror, || authored);
            W::store3(normal, s.out_normals.add(3 * i));
            if !s.tangents.is_null() {
                let [tx, ty, tz, w] = W::rows(s.tangents.add(4 * i), &EVERY_TANGENT);
                let mut along = [tx, ty, tz];
                if let Some(stretch) = &stretch {
                    along = times(stretch, along);
                }
                let along = times(&turn, along);
                tangent(along, normal, mirror.flip_of(w), s.out_tangents.add(4 * i));
            }
            i += W::N;
        }
    }
    i
}

/// The mixed dual quaternions of one group of vertices, not unit.
///
/// # Safety
/// As [`skin_avx2`].
#[inline(always)]
unsafe fn mixed<W: Wide, const K: usize>(
    b: &Bound,
    duals: *const f32,
    i: usize,
) -> ([W; 4], [W; 4]) {
    // SAFETY: the caller's; a group has at most eight vertices.
    unsafe {
        let joints = b.joints.add(i * K);
        let mut places = [0; 8];
        for (v, place) in places.iter_mut().enumerate() {
            *place = v * K;
        }
        let mut weights = [W::splat(0.0); K];
        for four in 0..K / 4 {
            let found = W::rows(b.weights.add(i * K + 4 * four), &places);
            weights[4 * four..4 * four + 4].copy_from_slice(&found);
        }
        let mut heaviest = weights[0];
        for weight in &weights[1..] {
            heaviest = heaviest.max(*weight);
        }
        // The strongest bone tells on which side the others are added. Most files name it first.
        let first = offsets_of::<W>(joints, K, 0);
        let mut pivot = W::rows(duals, &first);
        if heaviest.any_above(weights[0]) {
            let mut most = weights[0];
            for (k, weight) in weights.iter().enumerate().skip(1) {
                let real = W::rows(duals, &offsets_of::<W>(joints, K, k));
                let heavier = weight.sub(most);
                for c in 0..4 {
                    pivot[c] = heavier.choose(real[c], pivot[c]);
                }
                most = most.max(*weight);
            }
        }
        let (mut real, mut dual) = ([W::splat(0.0); 4], [W::splat(0.0); 4]);
        for (k, weight) in weights.iter().enumerate() {
            let offsets = offsets_of::<W>(joints, K, k);
            let r = W::rows(duals, &offsets);
            let d = W::rows(duals.add(4), &offsets);
            let side = r[3].mul_add(
                pivot[3],
                r[2].mul_add(pivot[2], r[1].mul_add(pivot[1], r[0].mul(pivot[0]))),
            );
            let w = weight.flip(side);
            for c in 0..4 {
                real[c] = r[c].mul_add(w, real[c]);
                dual[c] = d[c].mul_add(w, dual[c]);
            }
        }
        (real, dual)
    }
}

/// Where the dual quaternions of influence `k` of every vertex of a group stand.
///
/// # Safety
/// The joints can be read.
#[inline(always)]
unsafe fn offsets_of<W: Wide>(joints: *const u16, n: usize, k: usize) -> [usize; 8] {
    let mut offsets = [0; 8];
    for (v, offset) in offsets[..W::N].iter_mut().enumerate() {
        // SAFETY: the caller's.
        *offset = 8 * usize::from(unsafe { *joints.add(v * n + k) });
    }
    offsets
}

/// Rotation and translation of dual quaternions that need not be unit.
#[inline(always)]
unsafe fn motion<W: Wide>(q: [W; 4], d: [W; 4]) -> ([V3<W>; 3], V3<W>) {
    // SAFETY: the values prove the instructions.
    let (one, two) = unsafe { (W::splat(1.0), W::splat(2.0)) };
    let squared = q[3].mul_add(q[3], dot3([q[0], q[1], q[2]], [q[0], q[1], q[2]]));
    let by = two.div(squared);
    let s = [q[0].mul(by), q[1].mul(by), q[2].mul(by)];
    let (xx, yy, zz) = (q[0].mul(s[0]), q[1].mul(s[1]), q[2].mul(s[2]));
    let (xy, xz, yz) = (q[0].mul(s[1]), q[0].mul(s[2]), q[1].mul(s[2]));
    let (wx, wy, wz) = (q[3].mul(s[0]), q[3].mul(s[1]), q[3].mul(s[2]));
    let turn = [
        [one.sub(yy).sub(zz), xy.sub(wz), xz.add(wy)],
        [xy.add(wz), one.sub(xx).sub(zz), yz.sub(wx)],
        [xz.sub(wy), yz.add(wx), one.sub(xx).sub(yy)],
    ];
    let across = cross(s, [d[0], d[1], d[2]]);
    let w = q[3].mul(by);
    let offset = [
        d[3].neg_mul_add(s[0], w.mul_add(d[0], across[0])),
        d[3].neg_mul_add(s[1], w.mul_add(d[1], across[1])),
        d[3].neg_mul_add(s[2], w.mul_add(d[2], across[2])),
    ];
    (turn, offset)
}
