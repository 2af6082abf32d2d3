//! Compares every operation of every register with that of a single float.

use glam::Vec4;

use super::vectors::Lanes;
use super::*;

/// Ordinary and extreme numbers, both zeros and NaN.
const NUMBERS: [f32; 8] = [1.5, -0.0, 0.0, -3e38, 1e-40, f32::NAN, -7.25, 0.1];

fn levels() -> impl Iterator<Item = Level> {
    Level::ALL
        .into_iter()
        .filter(|level| *level <= Level::best())
}

/// Lane-wise operations; those with level-dependent rounding are last.
#[inline(always)]
fn lanewise<L: Floats>(token: L::Token, [a, b, c]: &[Lanes; 3], out: &mut [Lanes; 13]) {
    for at in (0..8).step_by(L::N) {
        let [a, b, c] = [a, b, c].map(|row| L::load(token, &row[at..]));
        let found = [
            L::splat(token, 3.0),
            a.like(4.0),
            a.add(b),
            a.sub(b),
            a.mul(b),
            a.div(b),
            a.sqrt(),
            a.min(b),
            a.max(b),
            a.flip(b),
            a.choose(b, c),
            a.mul_add(b, c),
            a.neg_mul_add(b, c),
        ];
        for (row, found) in out.iter_mut().zip(found) {
            found.store(&mut row[at..]);
        }
    }
}

fn lanewise_plain(rows: &[Lanes; 3], out: &mut [Lanes; 13]) {
    lanewise::<f32>((), rows, out);
}

#[test]
fn every_lane_computes_what_one_float_does() {
    let turned = |by: usize| -> Lanes { std::array::from_fn(|i| NUMBERS[(i + by) % 8]) };
    for (i, j) in (0..64).map(|k| (k / 8, k % 8)) {
        let rows = [turned(0), turned(i), turned(j)];
        for level in levels() {
            let (mut found, mut expected) = ([[0.0; 8]; 13], [[0.0; 8]; 13]);
            dispatch!(level, lanewise_plain, lanewise, (&rows, &mut found));
            lanewise_plain(&rows, &mut expected);
            if level >= Level::Avx2 {
                let [a, b, c] = rows;
                expected[11] = std::array::from_fn(|lane| a[lane].mul_add(b[lane], c[lane]));
                expected[12] = std::array::from_fn(|lane| (-a[lane]).mul_add(b[lane], c[lane]));
            }
            for (operation, (found, expected)) in found.iter().zip(&expected).enumerate() {
                for (found, expected) in found.iter().zip(expected) {
                    // The sign of a NaN is not defined.
                    let same = found.to_bits() == expected.to_bits()
                        || (found.is_nan() && expected.is_nan());
                    assert!(same, "{level:?} {operation} {rows:?}: {found} {expected}");
                }
            }
        }
    }
}

fn lanes<L: Floats>(register: L) -> Vec<f32> {
    let mut row = [0.0; 8];
    register.store(&mut row);
    row[..L::N].to_vec()
}

/// Checks the operations that move numbers between lanes.
#[inline(always)]
fn shuffles<L: Quads>(token: L::Token) {
    let floats: [f32; 32] = std::array::from_fn(|i| i as f32);
    let load = |at: usize| L::load(token, &floats[at..]);
    let at = |lane: fn(usize) -> usize| (0..L::N).map(lane).map(|i| floats[i]).collect::<Vec<_>>();

    let loaded: [L; 4] = load_vectors(token, |v| Vec4::from_slice(&floats[4 * v..]));
    let components = [
        at(|v| 4 * v),
        at(|v| 4 * v + 1),
        at(|v| 4 * v + 2),
        at(|v| 4 * v + 3),
    ];
    assert_eq!(loaded.map(lanes), components);
    let mut stored = [0.0; 32];
    store_vectors(loaded, |v, quad| {
        Into::<Vec4>::into(quad).write_to_slice(&mut stored[4 * v..]);
    });
    assert_eq!(stored[..4 * L::N], floats[..4 * L::N]);

    let loaded: [L; 3] = load_xyz(token, &floats);
    let components = [at(|v| 3 * v), at(|v| 3 * v + 1), at(|v| 3 * v + 2)];
    assert_eq!(loaded.map(lanes), components);
    let mut stored = [0.0; 32];
    store_xyz(loaded, &mut stored);
    assert_eq!(stored[..3 * L::N], floats[..3 * L::N]);

    let spread = [
        at(|i| i / 4 * 4),
        at(|i| i / 4 * 4 + 1),
        at(|i| i / 4 * 4 + 2),
        at(|i| i / 4 * 4 + 3),
    ];
    assert_eq!(load(0).spread().map(lanes), spread);
    let [first, last] = L::regroup(load(0), load(8));
    assert_eq!(lanes(first), at(|i| i / 4 * 8 + i % 4));
    let expected = at(|i| i / 4 * 8 + i % 4 + 4 * (L::QUADS - 1));
    assert_eq!(lanes(last), expected);

    let bound = L::splat(token, 2.0);
    for lane in 0..L::N {
        let but_one = |all: f32, one: f32| {
            let mut row = [all; 8];
            row[lane] = one;
            L::load(token, &row)
        };
        for (all, one, above, not_above) in [
            (1.0, 1.0, false, true),
            (1.0, 3.0, true, true),
            (3.0, 1.0, true, true),
            (3.0, 3.0, true, false),
            (3.0, f32::NAN, true, true),
            (1.0, f32::NAN, false, true),
        ] {
            let found = but_one(all, one);
            assert_eq!(found.any_above(bound), above, "{all} {one}");
            assert_eq!(found.any_not_above(bound), not_above, "{all} {one}");
        }
    }
}

fn no_shuffles() {}

#[test]
fn vectors_become_lanes_and_come_back() {
    for level in levels() {
        dispatch!(level, no_shuffles, shuffles, ());
    }
}
