//! Vertex loops, generic over all register widths. Lane i of every register is vertex i of a group.
//!
//! Used by `packed`, which checks lengths and matrices beforehand.

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use glam::Vec4;

use super::rows::{Dual, MatrixRows};
use super::wide::{Weighted, Wide};
use galatea_math::simd::vectors::V3;
use galatea_math::simd::{load_vectors, load_xyz, store_vectors, store_xyz};

/// Contiguous floats of vertices.
pub(super) struct Stream<'a> {
    /// Input; `None` to use `out`.
    pub source: Option<&'a [f32]>,
    /// Output.
    pub out: &'a mut [f32],
}

impl<'a> Stream<'a> {
    /// The first `n` groups of vertices.
    #[inline(always)]
    fn groups<G: Pod>(self, n: usize) -> Groups<'a, G> {
        let floats = n * size_of::<G>() / size_of::<f32>();
        // Slices of the loop's length need no bounds checks.
        Groups {
            source: self
                .source
                .map(|source| &cast_slice(&source[..floats])[..n]),
            out: &mut cast_slice_mut(&mut self.out[..floats])[..n],
        }
    }
}

/// [`Stream`] in groups of one vertex per lane.
struct Groups<'a, G> {
    source: Option<&'a [G]>,
    out: &'a mut [G],
}

impl<G: AsRef<[f32]> + AsMut<[f32]>> Groups<'_, G> {
    #[inline(always)]
    fn read(&self, group: usize) -> &[f32] {
        self.source.unwrap_or(self.out)[group].as_ref()
    }

    #[inline(always)]
    fn write(&mut self, group: usize) -> &mut [f32] {
        self.out[group].as_mut()
    }

    #[inline(always)]
    fn xyz<W: Wide>(&self, token: W::Token, group: usize) -> [W; 3] {
        load_xyz(token, self.read(group))
    }

    #[inline(always)]
    fn xyzw<W: Wide>(&self, token: W::Token, group: usize) -> [W; 4] {
        let floats = self.read(group);
        load_vectors(
            token,
            #[inline(always)]
            |v| Vec4::from_slice(&floats[4 * v..]),
        )
    }
}

/// Input and output of a block of vertices.
pub(super) struct Streams<'a> {
    pub positions: Stream<'a>,
    pub normals: Stream<'a>,
    pub tangents: Option<Stream<'a>>,
}

/// Joints and weights of a block, `n` of each per vertex.
#[derive(Clone, Copy)]
pub(super) struct BlockInfluences<'a> {
    pub joints: &'a [u16],
    pub weights: &'a [f32],
    pub n: usize,
}

/// Transforms of the joints.
#[derive(Clone, Copy)]
pub(super) struct Palette<'a> {
    /// Matrices; for dual quaternions these are the stretches, and empty if there are none.
    pub rows: &'a [MatrixRows],
    /// Dual quaternions; empty for linear skinning.
    pub duals: &'a [Dual],
    /// The dot product of any two real parts is positive, so none needs to be negated.
    pub one_sided: bool,
}

/// Placeholder for [`skin`] without SIMD: the caller processes all vertices.
pub(super) fn none(_: Streams, _: &BlockInfluences, _: &Palette, _: &mut Raw) -> usize {
    0
}

/// Skins whole groups of vertices in a block of at most [`BLOCK`], and returns the number of vertices processed. It leaves
/// less than one group, or everything if a joint is not in the palette.
#[inline(always)]
pub(super) fn skin<W: Wide>(
    token: W::Token,
    s: Streams,
    b: &BlockInfluences,
    p: &Palette,
    raw: &mut Raw,
) -> usize {
    // The number of influences becomes a constant, so that the loops over them are unrolled.
    match (p.duals.is_empty(), b.n, p.rows.is_empty()) {
        (true, 4, _) => linear::<W, 4>(token, s, b, p, raw),
        (true, 8, _) => linear::<W, 8>(token, s, b, p, raw),
        (true, 12, _) => linear::<W, 12>(token, s, b, p, raw),
        (true, ..) => linear::<W, 0>(token, s, b, p, raw),
        (false, 4, true) => dual::<W, 4, false>(token, s, b, p),
        (false, 4, false) => dual::<W, 4, true>(token, s, b, p),
        (false, 8, true) => dual::<W, 8, false>(token, s, b, p),
        (false, 8, false) => dual::<W, 8, true>(token, s, b, p),
        (false, ..) => 0,
    }
}

type Matrix3x4<W> = [[W; 4]; 3];

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
fn upper<W: Wide>(m: &Matrix3x4<W>) -> [V3<W>; 3] {
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

/// Maximum number of vertices per kernel call.
pub(super) const BLOCK: usize = 64;

/// Normals and tangents of a block before normalization.
pub(super) struct Raw {
    normals: [[f32; BLOCK]; 3],
    tangents: [[f32; BLOCK]; 3],
    /// -1 if mirrored, else 1.
    mirrors: [f32; BLOCK],
}

impl Raw {
    pub const EMPTY: Self = Self {
        normals: [[0.0; BLOCK]; 3],
        tangents: [[0.0; BLOCK]; 3],
        mirrors: [0.0; BLOCK],
    };
}

#[inline(always)]
fn put<W: Wide>(v: V3<W>, rows: &mut [[f32; BLOCK]; 3], at: usize) {
    v[0].store(&mut rows[0][at..]);
    v[1].store(&mut rows[1][at..]);
    v[2].store(&mut rows[2][at..]);
}

#[inline(always)]
fn take<W: Wide>(token: W::Token, rows: &[[f32; BLOCK]; 3], at: usize) -> V3<W> {
    [
        W::load(token, &rows[0][at..]),
        W::load(token, &rows[1][at..]),
        W::load(token, &rows[2][at..]),
    ]
}

/// Square roots and divisions are in a separate loop. In the same loop they would delay the sums of matrices, because the
/// loop would exceed the CPU's reordering window.
#[inline(always)]
fn linear<W: Wide, const K: usize>(
    token: W::Token,
    s: Streams,
    b: &BlockInfluences,
    p: &Palette,
    raw: &mut Raw,
) -> usize {
    let Some(matrices) = Weighted::new(p.rows, b.joints, b.weights) else {
        return 0;
    };
    let n = if K == 0 { b.n } else { K };
    let n_groups = s.positions.out.len() / 3 / W::N;
    let mut positions = s.positions.groups::<W::Xyz>(n_groups);
    let mut normals = s.normals.groups::<W::Xyz>(n_groups);
    let mut tangents = s
        .tangents
        .map(|tangents| tangents.groups::<W::Xyzw>(n_groups));
    for (g, matrices) in (0..n_groups).zip(matrices.parts(W::N * n)) {
        let m = W::blend::<K, 3>(token, matrices, n);
        let x = positions.xyz(token, g);
        let upper = upper(&m);
        let moved = [
            dot3(upper[0], x).add(m[0][3]),
            dot3(upper[1], x).add(m[1][3]),
            dot3(upper[2], x).add(m[2][3]),
        ];
        let (cofactors, mirror) = cofactors(&upper);
        let normal = times(&cofactors, normals.xyz(token, g));
        put(normal, &mut raw.normals, g * W::N);
        mirror.0.store(&mut raw.mirrors[g * W::N..]);
        if let Some(tangents) = &tangents {
            let [tx, ty, tz, _] = tangents.xyzw(token, g);
            put(times(&upper, [tx, ty, tz]), &mut raw.tangents, g * W::N);
        }
        store_xyz(moved, positions.write(g));
    }
    for g in 0..n_groups {
        let mirror = MirrorSign(W::load(token, &raw.mirrors[g * W::N..]));
        let normal = take(token, &raw.normals, g * W::N);
        let normal = unit(
            normal,
            mirror,
            #[inline(always)]
            || normals.xyz(token, g),
        );
        store_xyz(normal, normals.write(g));
        if let Some(tangents) = &mut tangents {
            let [.., w] = tangents.xyzw(token, g);
            let along = take(token, &raw.tangents, g * W::N);
            tangent(along, normal, mirror.flip_of(w), tangents.write(g));
        }
    }
    n_groups * W::N
}

/// -1 if mirrored, else 1.
#[derive(Clone, Copy)]
struct MirrorSign<W>(W);

impl<W: Wide> MirrorSign<W> {
    #[inline(always)]
    fn flip_of(self, w: W) -> W {
        w.flip(self.0)
    }
}

/// Rows of the cofactor matrix, and the sign of the matrix.
#[inline(always)]
fn cofactors<W: Wide>(m: &[V3<W>; 3]) -> ([V3<W>; 3], MirrorSign<W>) {
    let c = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])];
    let zero = m[0][0].like(0.0);
    let one = zero.like(1.0);
    let is_mirrored = zero.sub(dot3(m[0], c[0]));
    (c, MirrorSign(is_mirrored.choose(zero.sub(one), one)))
}

/// Normalizes `v` and flips it outwards; returns `otherwise` if `v` has no length.
#[inline(always)]
fn unit<W: Wide>(v: V3<W>, mirror: MirrorSign<W>, otherwise: impl FnOnce() -> V3<W>) -> V3<W> {
    let squared = dot3(v, v);
    let least = squared.like(f32::MIN_POSITIVE);
    let by = mirror.flip_of(squared.like(1.0).div(squared.sqrt()));
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

/// Writes unit tangents: `along` without its component along the normal. If nothing remains, any direction perpendicular to
/// the normal.
#[inline(always)]
fn tangent<W: Wide>(along: V3<W>, normal: V3<W>, w: W, to: &mut [f32]) {
    let to = &mut to[..4 * W::N];
    let height = dot3(along, normal);
    let flat = [
        height.neg_mul_add(normal[0], along[0]),
        height.neg_mul_add(normal[1], along[1]),
        height.neg_mul_add(normal[2], along[2]),
    ];
    let squared = dot3(flat, flat);
    let by = squared.like(1.0).div(squared.sqrt());
    let out = [flat[0].mul(by), flat[1].mul(by), flat[2].mul(by), w];
    store_vectors(
        out,
        #[inline(always)]
        |v, tangent| {
            Into::<Vec4>::into(tangent).write_to_slice(&mut to[4 * v..]);
        },
    );
    if squared.any_not_above(squared.like(f32::MIN_POSITIVE)) {
        let (mut squares, mut normals) = ([0.0; 8], [[0.0; 8]; 3]);
        squared.store(&mut squares);
        for (lane, part) in normals.iter_mut().zip(normal) {
            part.store(lane);
        }
        let [x, y, z] = normals;
        for (v, square) in squares[..W::N].iter().enumerate() {
            if *square <= f32::MIN_POSITIVE || square.is_nan() {
                let normal = glam::Vec3::new(x[v], y[v], z[v]);
                let across = normal.any_orthonormal_vector();
                across.write_to_slice(&mut to[4 * v..]);
            }
        }
    }
}

/// `K` is the number of influences; `STRETCHED` is true if there are stretches.
#[inline(always)]
fn dual<W: Wide, const K: usize, const STRETCHED: bool>(
    token: W::Token,
    s: Streams,
    b: &BlockInfluences,
    p: &Palette,
) -> usize {
    let Some(duals) = Weighted::new(p.duals, b.joints, b.weights) else {
        return 0;
    };
    let stretches = Weighted::new(p.rows, b.joints, b.weights);
    let n_groups = s.positions.out.len() / 3 / W::N;
    let mut positions = s.positions.groups::<W::Xyz>(n_groups);
    let mut normals = s.normals.groups::<W::Xyz>(n_groups);
    let mut tangents = s
        .tangents
        .map(|tangents| tangents.groups::<W::Xyzw>(n_groups));
    for (g, duals) in (0..n_groups).zip(duals.parts(W::N * K)) {
        let mut x = positions.xyz(token, g);
        let mut normal = normals.xyz(token, g);
        let authored = normal;
        let mut mirror = MirrorSign(W::splat(token, 1.0));
        let mut stretch = None;
        if STRETCHED {
            let Some(stretches) = stretches else {
                return 0;
            };
            let m = W::blend::<K, 3>(token, stretches.part(g * W::N * K, W::N * K), K);
            let upper = upper(&m);
            x = times(&upper, x);
            let (cofactors, found) = cofactors(&upper);
            normal = times(&cofactors, normal);
            mirror = found;
            stretch = Some(upper);
        }
        let [real, dual] = if p.one_sided {
            W::blend::<K, 2>(token, duals, K)
        } else {
            mixed::<W, K>(token, duals)
        };
        let (rotation, offset) = motion(real, dual);
        let moved = times(&rotation, x);
        let moved = [
            moved[0].add(offset[0]),
            moved[1].add(offset[1]),
            moved[2].add(offset[2]),
        ];
        store_xyz(moved, positions.write(g));
        let normal = unit(
            times(&rotation, normal),
            mirror,
            #[inline(always)]
            || authored,
        );
        store_xyz(normal, normals.write(g));
        if let Some(tangents) = &mut tangents {
            let [tx, ty, tz, w] = tangents.xyzw(token, g);
            let mut along = [tx, ty, tz];
            if let Some(stretch) = &stretch {
                along = times(stretch, along);
            }
            let along = times(&rotation, along);
            tangent(along, normal, mirror.flip_of(w), tangents.write(g));
        }
    }
    n_groups * W::N
}

/// Blended dual quaternions of one group of vertices, not normalized.
#[inline(always)]
fn mixed<W: Wide, const K: usize>(token: W::Token, duals: Weighted<Dual>) -> [[W; 4]; 2] {
    let zero = W::splat(token, 0.0);
    let mut by_influence = [zero; K];
    for four in 0..K / 4 {
        let at = 4 * four;
        let found = load_vectors(
            token,
            #[inline(always)]
            |v| Vec4::from_slice(&duals.weights()[K * v + at..]),
        );
        by_influence[at..at + 4].copy_from_slice(&found);
    }
    let mut heaviest = by_influence[0];
    for weight in &by_influence[1..] {
        heaviest = heaviest.max(*weight);
    }
    // The others are negated to match the sign of the strongest bone, which most files list first.
    let mut pivot = part::<W, K>(token, duals, 0, 0);
    if heaviest.any_above(by_influence[0]) {
        let mut most = by_influence[0];
        for (k, weight) in by_influence.iter().enumerate().skip(1) {
            let real = part::<W, K>(token, duals, k, 0);
            let heavier = weight.sub(most);
            for c in 0..4 {
                pivot[c] = heavier.choose(real[c], pivot[c]);
            }
            most = most.max(*weight);
        }
    }
    let (mut real, mut dual) = ([zero; 4], [zero; 4]);
    for (k, weight) in by_influence.iter().enumerate() {
        let r = part::<W, K>(token, duals, k, 0);
        let d = part::<W, K>(token, duals, k, 1);
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
    [real, dual]
}

/// The real or the dual part of influence `k` of every vertex.
#[inline(always)]
fn part<W: Wide, const K: usize>(
    token: W::Token,
    duals: Weighted<Dual>,
    k: usize,
    part: usize,
) -> [W; 4] {
    load_vectors(
        token,
        #[inline(always)]
        |v| Vec4::from_slice(&duals.row(K * v + k)[4 * part..]),
    )
}

/// Rotation and translation of dual quaternions that may be unnormalized.
#[inline(always)]
fn motion<W: Wide>(q: [W; 4], d: [W; 4]) -> ([V3<W>; 3], V3<W>) {
    let (one, two) = (q[0].like(1.0), q[0].like(2.0));
    let squared = q[3].mul_add(q[3], dot3([q[0], q[1], q[2]], [q[0], q[1], q[2]]));
    let by = two.div(squared);
    let s = [q[0].mul(by), q[1].mul(by), q[2].mul(by)];
    let (xx, yy, zz) = (q[0].mul(s[0]), q[1].mul(s[1]), q[2].mul(s[2]));
    let (xy, xz, yz) = (q[0].mul(s[1]), q[0].mul(s[2]), q[1].mul(s[2]));
    let (wx, wy, wz) = (q[3].mul(s[0]), q[3].mul(s[1]), q[3].mul(s[2]));
    let rotation = [
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
    (rotation, offset)
}
