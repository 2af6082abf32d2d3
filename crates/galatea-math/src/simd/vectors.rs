//! Vectors, rotations and frames whose components are registers.
//!
//! Used by kernels of `rig` and of `hair`. All are inlined into functions that enable the instructions.

use glam::{Quat, Vec3};

use super::Floats;

/// One component of eight items.
pub type Lanes = [f32; 8];

/// Sets one of eight vectors.
pub fn put3(rows: &mut [Lanes; 3], lane: usize, v: Vec3) {
    for (row, x) in rows.iter_mut().zip(v.to_array()) {
        row[lane] = x;
    }
}

/// One of eight vectors.
pub fn lane3(rows: &[Lanes; 3], lane: usize) -> Vec3 {
    Vec3::new(rows[0][lane], rows[1][lane], rows[2][lane])
}

/// Sets one of eight rotations.
pub fn put4(rows: &mut [Lanes; 4], lane: usize, q: Quat) {
    for (row, x) in rows.iter_mut().zip(q.to_array()) {
        row[lane] = x;
    }
}

/// One of eight rotations.
pub fn quat(rows: &[Lanes; 4], lane: usize) -> Quat {
    Quat::from_xyzw(rows[0][lane], rows[1][lane], rows[2][lane], rows[3][lane])
}

/// x, y and z.
pub type V3<L> = [L; 3];
/// x, y, z and w.
pub type V4<L> = [L; 4];

/// Minimum length of a vector with a direction, metres.
pub const MIN_LENGTH: f32 = 1e-9;

/// Reads a register of each component, from lane `at` on.
///
/// # Panics
/// When a row has fewer lanes.
#[inline(always)]
pub fn load3<L: Floats>(token: L::Token, rows: &[Lanes; 3], at: usize) -> V3<L> {
    [
        L::load(token, &rows[0][at..]),
        L::load(token, &rows[1][at..]),
        L::load(token, &rows[2][at..]),
    ]
}

/// Writes a register of each component, from lane `at` on.
///
/// # Panics
/// When a row has fewer lanes.
#[inline(always)]
pub fn store3<L: Floats>(v: V3<L>, rows: &mut [Lanes; 3], at: usize) {
    v[0].store(&mut rows[0][at..]);
    v[1].store(&mut rows[1][at..]);
    v[2].store(&mut rows[2][at..]);
}

/// Writes a register of each component, from lane `at` on.
///
/// # Panics
/// When a row has fewer lanes.
#[inline(always)]
pub fn store4<L: Floats>(q: V4<L>, rows: &mut [Lanes; 4], at: usize) {
    q[0].store(&mut rows[0][at..]);
    q[1].store(&mut rows[1][at..]);
    q[2].store(&mut rows[2][at..]);
    q[3].store(&mut rows[3][at..]);
}

/// Sum.
#[inline(always)]
pub fn add<L: Floats>(a: V3<L>, b: V3<L>) -> V3<L> {
    [a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2])]
}

/// Difference.
#[inline(always)]
pub fn sub<L: Floats>(a: V3<L>, b: V3<L>) -> V3<L> {
    [a[0].sub(b[0]), a[1].sub(b[1]), a[2].sub(b[2])]
}

/// Product with a scalar per lane.
#[inline(always)]
pub fn scaled<L: Floats>(a: V3<L>, by: L) -> V3<L> {
    [a[0].mul(by), a[1].mul(by), a[2].mul(by)]
}

/// `a * by + b`.
#[inline(always)]
pub fn along<L: Floats>(a: V3<L>, by: L, b: V3<L>) -> V3<L> {
    [
        a[0].mul_add(by, b[0]),
        a[1].mul_add(by, b[1]),
        a[2].mul_add(by, b[2]),
    ]
}

/// `b - a * by`.
#[inline(always)]
pub fn back<L: Floats>(a: V3<L>, by: L, b: V3<L>) -> V3<L> {
    [
        a[0].neg_mul_add(by, b[0]),
        a[1].neg_mul_add(by, b[1]),
        a[2].neg_mul_add(by, b[2]),
    ]
}

/// Negation.
#[inline(always)]
pub fn negated<L: Floats>(a: V3<L>) -> V3<L> {
    let zero = a[0].like(0.0);
    [zero.sub(a[0]), zero.sub(a[1]), zero.sub(a[2])]
}

/// Dot product.
#[inline(always)]
pub fn dot<L: Floats>(a: V3<L>, b: V3<L>) -> L {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0].mul(b[0])))
}

/// Cross product.
#[inline(always)]
pub fn cross<L: Floats>(a: V3<L>, b: V3<L>) -> V3<L> {
    [
        a[2].neg_mul_add(b[1], a[1].mul(b[2])),
        a[0].neg_mul_add(b[2], a[2].mul(b[0])),
        a[1].neg_mul_add(b[0], a[0].mul(b[1])),
    ]
}

/// `yes` where `test` is above zero, else `no`.
#[inline(always)]
pub fn choose<L: Floats, const N: usize>(test: L, yes: [L; N], no: [L; N]) -> [L; N] {
    let mut out = no;
    let mut i = 0;
    while i < N {
        out[i] = test.choose(yes[i], no[i]);
        i += 1;
    }
    out
}

/// The part of `a` perpendicular to a unit vector.
#[inline(always)]
pub fn across<L: Floats>(a: V3<L>, unit: V3<L>) -> V3<L> {
    back(unit, dot(a, unit), a)
}

/// Normalises a vector whose squared length is at least `least`; else returns `other`.
#[inline(always)]
pub fn unit_or<L: Floats>(a: V3<L>, least: f32, other: V3<L>) -> V3<L> {
    let one = a[0].like(1.0);
    let squared = dot(a, a);
    let test = squared.sub(one.like(least));
    // A safe divisor for lanes that use `other`.
    let length = test.choose(squared, one).sqrt();
    choose(test, scaled(a, one.div(length)), other)
}

/// A unit vector perpendicular to a unit vector.
#[inline(always)]
pub fn any_across<L: Floats>(a: V3<L>) -> V3<L> {
    let (zero, one) = (a[0].like(0.0), a[0].like(1.0));
    let is_off_x = one.like(0.5).sub(a[0].mul(a[0]));
    let axis = choose(is_off_x, [one, zero, zero], [zero, one, zero]);
    unit_or(across(axis, a), 0.0, axis)
}

/// A unit vector perpendicular to `unit` in the direction of `a`; if `a` has none, in the direction of `other`.
#[inline(always)]
pub fn side_or<L: Floats>(a: V3<L>, least: f32, unit: V3<L>, other: V3<L>) -> V3<L> {
    let side = unit_or(across(a, unit), least, other);
    // The first projection may have cancelled digits; the second one corrects it.
    across(side, unit)
}

/// The rotation that maps two perpendicular unit vectors to two others.
#[inline(always)]
pub fn frame_turn<L: Floats>(from: [V3<L>; 2], to: [V3<L>; 2]) -> V4<L> {
    let one = from[0][0].like(1.0);
    let (third_from, third_to) = (cross(from[0], from[1]), cross(to[0], to[1]));
    macro_rules! m {
        ($row:literal, $column:literal) => {
            third_to[$row].mul_add(
                third_from[$column],
                to[1][$row].mul_add(from[1][$column], to[0][$row].mul(from[0][$column])),
            )
        };
    }
    let (m00, m11, m22) = (m!(0, 0), m!(1, 1), m!(2, 2));
    let (m01, m10, m02) = (m!(0, 1), m!(1, 0), m!(0, 2));
    let (m20, m12, m21) = (m!(2, 0), m!(1, 2), m!(2, 1));
    // Four formulas for the quaternion, each scaled by four times one component: the largest is the most accurate.
    let (x, y, z) = (m21.sub(m12), m02.sub(m20), m10.sub(m01));
    let (xy, xz, yz) = (m01.add(m10), m02.add(m20), m12.add(m21));
    let by_w = [x, y, z, one.add(m00).add(m11).add(m22)];
    let by_x = [one.add(m00).sub(m11).sub(m22), xy, xz, x];
    let by_y = [xy, one.sub(m00).add(m11).sub(m22), yz, y];
    let by_z = [xz, yz, one.sub(m00).sub(m11).add(m22), z];
    let (mut q, mut largest) = (by_w, by_w[3]);
    q = choose(by_x[0].sub(largest), by_x, q);
    largest = largest.max(by_x[0]);
    q = choose(by_y[1].sub(largest), by_y, q);
    largest = largest.max(by_y[1]);
    q = choose(by_z[2].sub(largest), by_z, q);
    unit4(q)
}

/// Normalises, with w not negative.
#[inline(always)]
pub fn unit4<L: Floats>(q: V4<L>) -> V4<L> {
    let one = q[0].like(1.0);
    let squared = q[3].mul_add(q[3], q[2].mul_add(q[2], q[1].mul_add(q[1], q[0].mul(q[0]))));
    let by = one.div(squared.sqrt()).flip(q[3]);
    [q[0].mul(by), q[1].mul(by), q[2].mul(by), q[3].mul(by)]
}

/// Quaternion product: rotates by `b`, then by `a`.
#[inline(always)]
pub fn product<L: Floats>(a: V4<L>, b: V4<L>) -> V4<L> {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    let (va, vb) = ([ax, ay, az], [bx, by, bz]);
    let turned = cross(va, vb);
    let v = along(va, bw, along(vb, aw, turned));
    [v[0], v[1], v[2], aw.mul(bw).sub(dot(va, vb))]
}

/// Rotates `v` by a unit quaternion.
#[inline(always)]
pub fn turned<L: Floats>([x, y, z, w]: V4<L>, v: V3<L>) -> V3<L> {
    let axis = [x, y, z];
    let t = cross(axis, v);
    let t = add(t, t);
    add(along(t, w, v), cross(axis, t))
}
