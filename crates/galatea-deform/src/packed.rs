//! A palette in the layout of the SIMD kernels, and validation of its values.
//!
//! Used by `skin`. A kernel is only called with finite matrices, and stops at blocks with joints outside the palette. The
//! scalar loops process the rest.

use std::ops::Range;

use bytemuck::{cast_slice, cast_slice_mut};
use glam::{Affine3A, Vec4};

use super::deformed::Deformed;
use super::dual::RigidStretch;
use super::kernels::{self, BLOCK, BlockInfluences, Palette, Raw, Stream, Streams};
use super::rows::{Dual, MatrixRows};
use galatea_asset::model::{Influences, Primitive};
use galatea_math::simd::{Level, dispatch};

/// Larger numbers would overflow in the computation of a normal; the scalar loops process them.
const MAX_VALUE: f32 = 1e9;
/// Maximum number of bones for which all pairs are compared. The cost must stay small compared with the work on the
/// vertices.
const MAX_PAIRED: usize = 128;

/// Matrices in rows, or dual quaternions with their stretches.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedPalette {
    rows: Vec<MatrixRows>,
    duals: Vec<Dual>,
    one_sided: bool,
}

impl PackedPalette {
    /// Loads a palette. Returns false if the kernels cannot process it.
    pub(super) fn fill(
        &mut self,
        palette: &[Affine3A],
        motions: &[RigidStretch],
        dual: bool,
    ) -> bool {
        self.rows.clear();
        self.duals.clear();
        let sound = |m: &Affine3A| {
            let sizes = m.to_cols_array().map(f32::abs);
            sizes.iter().all(|size| *size < MAX_VALUE)
        };
        if !palette.iter().all(sound) {
            return false;
        }
        if !dual {
            self.rows.extend(palette.iter().map(rows_of));
            return true;
        }
        let first = motions.first().map_or(Vec4::W, |m| m.real);
        self.duals.extend(motions.iter().map(|m| {
            // A dual quaternion and its negation are the same motion.
            let side = if m.real.dot(first) < 0.0 { -1.0 } else { 1.0 };
            let (real, dual) = (m.real * side, m.dual * side);
            Dual(bytemuck::cast([real, dual]))
        }));
        self.one_sided = is_one_sided(&self.duals, first);
        if !motions.iter().all(RigidStretch::is_rigid) {
            let stretches = motions
                .iter()
                .map(|m| rows_of(&Affine3A::from_mat3(m.stretch.into())));
            self.rows.extend(stretches);
        }
        true
    }

    /// Skins `out` in place, or from `source` into it; `scalar` processes the remaining vertices.
    pub(super) fn skin(
        &self,
        level: Level,
        source: Option<&Primitive>,
        influences: &Influences,
        out: &mut Deformed,
        mut scalar: impl FnMut(Range<usize>, &mut Deformed),
    ) {
        let (n, n_vertices) = (influences.per_vertex, out.positions.len());
        let palette = Palette {
            rows: &self.rows,
            duals: &self.duals,
            one_sided: self.one_sided,
        };
        let mut raw = Raw::EMPTY;
        let mut first = 0;
        while first < n_vertices {
            let end = (first + BLOCK).min(n_vertices);
            let bound = BlockInfluences {
                joints: &influences.joints[first * n..end * n],
                weights: &influences.weights[first * n..end * n],
                n,
            };
            let streams = streams(source, out, first..end);
            let done = dispatch!(
                level,
                kernels::none,
                kernels::skin,
                (streams, &bound, &palette, &mut raw)
            );
            scalar(first + done..end, out);
            first = end;
        }
    }
}

/// Returns true if the angles between all pairs of real parts are below 90 degrees.
fn is_one_sided(duals: &[Dual], first: Vec4) -> bool {
    // If all are within 45 degrees of one, they are within 90 degrees of each other.
    if duals.iter().all(|dual| dual.real().dot(first) > 0.7072) {
        return true;
    }
    if duals.len() > MAX_PAIRED {
        return false;
    }
    duals.iter().enumerate().all(|(i, a)| {
        let opposite = duals[i + 1..]
            .iter()
            .filter(|b| a.real().dot(b.real()) <= 0.0);
        opposite.count() == 0
    })
}

fn rows_of(m: &Affine3A) -> MatrixRows {
    let c = m.to_cols_array_2d();
    let row = |r: usize| [c[0][r], c[1][r], c[2][r], c[3][r]];
    MatrixRows(bytemuck::cast([row(0), row(1), row(2), [0.0; 4]]))
}

/// The vertices of a range as contiguous floats.
fn streams<'a>(
    source: Option<&'a Primitive>,
    out: &'a mut Deformed,
    range: Range<usize>,
) -> Streams<'a> {
    let of = || range.clone();
    Streams {
        positions: Stream {
            source: source.map(|p| cast_slice(&p.positions[of()])),
            out: cast_slice_mut(&mut out.positions[of()]),
        },
        normals: Stream {
            source: source.map(|p| cast_slice(&p.normals[of()])),
            out: cast_slice_mut(&mut out.normals[of()]),
        },
        tangents: (!out.tangents.is_empty()).then(|| Stream {
            source: source.map(|p| cast_slice(&p.tangents[of()])),
            out: cast_slice_mut(&mut out.tangents[of()]),
        }),
    }
}

#[cfg(test)]
mod tests {
    use galatea_math::simd::PinnedHash;
    use glam::Vec3;

    use super::*;

    /// Random numbers -1..1, without functions of the C library, which differ between systems.
    fn random() -> impl FnMut() -> f32 {
        let mut seed = 5_u32;
        move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
        }
    }

    /// Results of linear and dual quaternion skinning for one input.
    fn skinned(level: Level) -> Vec<f32> {
        let mut results = Vec::new();
        // Influences, dual quaternions, stretches, all duals on one side.
        for (per_vertex, dual, stretched, one_sided) in [
            (4, false, true, false),
            (5, false, true, false),
            (8, false, true, false),
            (12, false, true, false),
            (16, false, true, false),
            (4, true, false, true),
            (4, true, true, false),
            (8, true, false, false),
            (8, true, true, true),
        ] {
            let mut next = random();
            let mut vector = || Vec3::new(next(), next(), next());
            let mut out = Deformed {
                positions: (0..136).map(|_| vector()).collect(),
                normals: (0..136).map(|_| vector()).collect(),
                tangents: (0..136).map(|_| vector().extend(1.0)).collect(),
            };
            let n_influences = per_vertex * 136;
            let influences = Influences {
                per_vertex,
                joints: (0..n_influences).map(|i| (i * 7 % 20) as u16).collect(),
                weights: (0..n_influences).map(|_| next() + 1.0).collect(),
            };
            let n = 20;
            let rows = if stretched { n } else { 0 };
            let duals = if dual { n } else { 0 };
            let packed = PackedPalette {
                rows: (0..rows)
                    .map(|_| MatrixRows(std::array::from_fn(|_| next())))
                    .collect(),
                duals: (0..duals)
                    .map(|_| Dual(std::array::from_fn(|_| next())))
                    .collect(),
                one_sided,
            };
            packed.skin(level, None, &influences, &mut out, |left, _| {
                assert!(left.is_empty(), "{level:?}");
            });
            results.extend_from_slice(cast_slice(&out.positions));
            results.extend_from_slice(cast_slice(&out.normals));
            results.extend_from_slice(cast_slice(&out.tangents));
        }
        results
    }

    #[test]
    fn every_level_gives_the_same_bits_on_every_processor() {
        let pinned = PinnedHash {
            scalar: None,
            sse2: 0xbeba_93c3_99bd_b5d0,
            fused: 0x5772_a97f_a85a_9c5d,
        };
        pinned.check(skinned);
    }
}
