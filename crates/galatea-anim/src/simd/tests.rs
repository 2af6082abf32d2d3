//! Comparison of every SIMD level with the plain implementation.

use galatea_math::simd::PinnedHash;
use glam::{Affine3A, Quat};

use super::*;
use crate::arc::ArcBend;
use crate::tests::{Random, tree};

/// Sizes near the widths of registers and blocks.
const SIZES: [usize; 12] = [0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 67];

fn fast_levels() -> impl Iterator<Item = Level> {
    let best = Level::best();
    Level::ALL.into_iter().skip(1).filter(move |l| *l <= best)
}

fn pose(n: usize, random: &mut Random) -> Vec<Trs> {
    (0..n)
        .map(|_| Trs {
            rotation: random.rotation(3.0),
            translation: random.vector(),
            scale: random.vector(),
        })
        .collect()
}

fn blocks(n: usize, random: &mut Random) -> Vec<RotationBlock> {
    let mut out =
        vec![RotationBlock([0.0; RotationBlock::FLOATS]); 2 * n.div_ceil(RotationBlock::BONES)];
    let stride = out.len() / 2;
    for bone in 0..n {
        let q = random.rotation(3.0);
        let near = (q * random.rotation(0.2)).to_array();
        for (frame, q) in [q.to_array(), near].into_iter().enumerate() {
            let block = &mut out[frame * stride + bone / RotationBlock::BONES];
            for (component, v) in q.into_iter().enumerate() {
                block.0[component * RotationBlock::BONES + bone % RotationBlock::BONES] = v;
            }
        }
    }
    out
}

fn close(a: &[Trs], b: &[Trs], what: &str) {
    assert_eq!(a.len(), b.len());
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        let near = a.rotation.abs_diff_eq(b.rotation, 1e-5)
            && a.translation.abs_diff_eq(b.translation, 1e-5)
            && a.scale.abs_diff_eq(b.scale, 1e-5);
        assert!(near, "{what}, bone {i}: {a:?} instead of {b:?}");
    }
}

#[test]
fn sums_of_rotations_agree_with_the_plain_implementation() {
    for n in SIZES {
        for n_rows in [1, 2, 3, 7] {
            let mut random = Random(n as u64 * 31 + n_rows);
            let frames: Vec<_> = (0..n_rows).map(|_| blocks(n, &mut random)).collect();
            let rest = pose(n, &mut random);
            let rows: Vec<BlendRow> = frames
                .iter()
                .map(|frames| {
                    let (weight, u) = (random.unit() + 0.1, random.unit());
                    BlendRow {
                        frames,
                        from: weight * (1.0 - u),
                        to: weight * u,
                        bend: ArcBend::new(u).scaled(weight),
                    }
                })
                .collect();
            let mut plain = vec![Trs::IDENTITY; n];
            rotations(Level::Scalar, &rows, &rest, &mut plain);
            for level in fast_levels() {
                let mut fast = vec![Trs::IDENTITY; n];
                rotations(level, &rows, &rest, &mut fast);
                close(&fast, &plain, &format!("{level:?}, {n_rows} rows of {n}"));
            }
        }
    }
}

#[test]
fn mix_agrees_with_the_plain_implementation_and_weight_0_changes_no_bit() {
    for n in SIZES {
        let mut random = Random(n as u64);
        let (before, other) = (pose(n, &mut random), pose(n, &mut random));
        let mask: Vec<f32> = (0..n).map(|i| [0.0, 0.3, 1.0, 1.7, -1.0][i % 5]).collect();
        for (weight, mask) in [
            (0.4, None),
            (0.9, Some(mask.as_slice())),
            (1.0, Some(&mask)),
        ] {
            let mut plain = before.clone();
            mix(Level::Scalar, &mut plain, &other, weight, mask);
            for level in fast_levels() {
                let mut fast = before.clone();
                mix(level, &mut fast, &other, weight, mask);
                close(
                    &fast,
                    &plain,
                    &format!("{level:?}, {n} bones, weight {weight}"),
                );
                for i in 0..n {
                    if mask.is_some_and(|mask| mask[i] <= 0.0) {
                        assert_eq!(fast[i], before[i]);
                    }
                }
            }
        }
    }
}

#[test]
fn mix_with_a_zero_quaternion_leaves_a_finite_pose() {
    let empty = Trs {
        rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
        ..Trs::IDENTITY
    };
    for level in Level::ALL {
        let mut pose = vec![empty; 9];
        mix(level, &mut pose, &[empty; 9], 0.5, None);
        assert!(pose.iter().all(|local| local.is_finite()), "{level:?}");
    }
}

#[test]
fn matrices_agree_with_the_plain_implementation_at_any_scale() {
    for n in SIZES {
        let mut random = Random(n as u64 + 99);
        let skeleton = tree(n, n as u64);
        let locals = pose(n, &mut random);
        let mut plain = vec![Affine3A::IDENTITY; n];
        to_model(Level::Scalar, &skeleton, &locals, &mut plain);
        for level in fast_levels() {
            let mut fast = vec![Affine3A::IDENTITY; n];
            to_model(level, &skeleton, &locals, &mut fast);
            for (i, (a, b)) in fast.iter().zip(&plain).enumerate() {
                // Scales multiply along the chain, and so do the errors.
                let size = b
                    .to_cols_array()
                    .map(f32::abs)
                    .into_iter()
                    .fold(1.0, f32::max);
                assert!(
                    a.abs_diff_eq(*b, 1e-5 * size),
                    "{level:?}, bone {i} of {n}: {a} {b}"
                );
            }
        }
    }
}

/// Uses no functions of the C library, which differ between systems.
fn exact_pose(n: usize, random: &mut Random) -> Vec<Trs> {
    (0..n)
        .map(|_| Trs {
            rotation: Quat::from_vec4(random.vector().extend(1.0)),
            translation: random.vector(),
            scale: random.vector(),
        })
        .collect()
}

#[test]
fn every_level_gives_the_same_bits_on_every_processor() {
    let n: usize = 67;
    let mut random = Random(5);
    let frames: Vec<RotationBlock> = (0..2 * n.div_ceil(RotationBlock::BONES))
        .map(|_| RotationBlock(std::array::from_fn(|_| random.signed())))
        .collect();
    let rest = exact_pose(n, &mut random);
    let mask: Vec<f32> = (0..n).map(|_| random.signed() * 1.5).collect();
    let skeleton = tree(n, 5);
    let rows = [0.7, 0.1, -0.4].map(|from| BlendRow {
        frames: &frames,
        from,
        to: 0.8 - from,
        bend: ArcBend::new(0.3).scaled(0.8),
    });
    let pinned = PinnedHash {
        scalar: None,
        sse2: 0x1723_ac9b_08d8_5353,
        fused: 0xe6ae_2947_afdb_c83c,
    };
    pinned.check(|level| {
        let mut results = Vec::new();
        for (n_rows, mask) in [(1, None), (2, None), (3, Some(&*mask))] {
            let mut pose = vec![Trs::IDENTITY; n];
            rotations(level, &rows[..n_rows], &rest, &mut pose);
            mix(level, &mut pose, &rest, 0.3, mask);
            let mut matrices = vec![Affine3A::IDENTITY; n];
            to_model(level, &skeleton, &pose, &mut matrices);
            for local in &pose {
                results.extend(local.rotation.to_array());
                results.extend(local.translation.to_array());
                results.extend(local.scale.to_array());
            }
            results.extend(matrices.iter().flat_map(Affine3A::to_cols_array));
        }
        results
    });
}
