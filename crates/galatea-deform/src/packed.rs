//! A palette as the fast loops read it, and the check of what they rely on.
//!
//! Callers: `skin`. Invariant: a kernel is only called with joints that are in the palette and
//! with finite matrices; everything else is left to the plain loops.

use std::ops::Range;
use std::ptr;

use glam::{Affine3A, Vec4};

use super::deformed::Deformed;
use super::dual::RigidStretch;
use super::kernels::{self, BLOCK, Bound, Palette, Streams};
use galatea_asset::model::{Influences, Primitive};
use galatea_math::simd::Level;

/// Numbers above this would overflow on the way to a normal; they are left to the plain loops.
const LARGEST: f32 = 1e9;
/// Bones up to which all pairs are looked at: it must stay small beside the work on the vertices.
const MOST_PAIRED: usize = 128;

#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Rows([[f32; 4]; 4]);

#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct Dual([Vec4; 2]);

#[derive(Clone, Debug, Default)]
/// Matrices in rows, or dual quaternions with the stretches.
pub(super) struct Packed {
    rows: Vec<Rows>,
    duals: Vec<Dual>,
    one_sided: bool,
    n: usize,
}

impl Packed {
    /// Takes in a palette; false when the fast loops cannot work with it.
    pub(super) fn fill(
        &mut self,
        palette: &[Affine3A],
        motions: &[RigidStretch],
        dual: bool,
    ) -> bool {
        self.rows.clear();
        self.duals.clear();
        self.n = palette.len();
        let sound = |m: &Affine3A| {
            let sizes = m.to_cols_array().map(f32::abs);
            sizes.iter().all(|size| *size < LARGEST)
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
            // Both signs are the same motion.
            let side = if m.real.dot(first) < 0.0 { -1.0 } else { 1.0 };
            Dual([m.real * side, m.dual * side])
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

    /// Skins `out` in place, or from `source` into it; `plainly` does what is left over.
    pub(super) fn skin(
        &self,
        level: Level,
        source: Option<&Primitive>,
        influences: &Influences,
        out: &mut Deformed,
        mut plainly: impl FnMut(Range<usize>, &mut Deformed),
    ) {
        let (n, n_vertices) = (influences.per_vertex, out.positions.len());
        let bound = Bound {
            joints: influences.joints.as_ptr(),
            weights: influences.weights.as_ptr(),
            n,
        };
        let or_null = |is_empty: bool, at: *const f32| if is_empty { ptr::null() } else { at };
        let palette = Palette {
            rows: or_null(self.rows.is_empty(), self.rows.as_ptr().cast()),
            duals: or_null(self.duals.is_empty(), self.duals.as_ptr().cast()),
            one_sided: self.one_sided,
        };
        let mut first = 0;
        while first < n_vertices {
            let end = (first + BLOCK).min(n_vertices);
            let joints = &influences.joints[first * n..end * n];
            let highest = joints.iter().fold(0, |highest, joint| highest.max(*joint));
            let mut done = first;
            if usize::from(highest) < self.n {
                let streams = streams(source, out);
                // SAFETY: the level is one the CPU has; all arrays hold `n_vertices` vertices, the
                // joints up to `end` are below the length of the palette, its numbers finite.
                done = unsafe {
                    match level {
                        Level::Scalar => first,
                        Level::Sse2 => kernels::skin_sse2(&streams, &bound, &palette, first, end),
                        _ => kernels::skin_avx2(&streams, &bound, &palette, first, end),
                    }
                };
            }
            plainly(done..end, out);
            first = end;
        }
    }
}

/// Whether the real parts of any two are less than a right angle apart.
fn is_one_sided(duals: &[Dual], first: Vec4) -> bool {
    // Within 45 degrees of one they are within 90 of each other.
    if duals.iter().all(|dual| dual.0[0].dot(first) > 0.7072) {
        return true;
    }
    if duals.len() > MOST_PAIRED {
        return false;
    }
    duals.iter().enumerate().all(|(i, a)| {
        let opposite = duals[i + 1..].iter().filter(|b| a.0[0].dot(b.0[0]) <= 0.0);
        opposite.count() == 0
    })
}

fn rows_of(m: &Affine3A) -> Rows {
    let c = m.to_cols_array_2d();
    let row = |r: usize| [c[0][r], c[1][r], c[2][r], c[3][r]];
    Rows([row(0), row(1), row(2), [0.0; 4]])
}

fn streams(source: Option<&Primitive>, out: &mut Deformed) -> Streams {
    let out_positions: *mut f32 = out.positions.as_mut_ptr().cast();
    let out_normals: *mut f32 = out.normals.as_mut_ptr().cast();
    let out_tangents: *mut f32 = match out.tangents.is_empty() {
        true => ptr::null_mut(),
        false => out.tangents.as_mut_ptr().cast(),
    };
    let (positions, normals, tangents) = match source {
        Some(primitive) => (
            primitive.positions.as_ptr().cast(),
            primitive.normals.as_ptr().cast(),
            primitive.tangents.as_ptr().cast(),
        ),
        None => (
            out_positions.cast_const(),
            out_normals.cast_const(),
            out_tangents.cast_const(),
        ),
    };
    Streams {
        positions,
        normals,
        tangents: if out_tangents.is_null() {
            ptr::null()
        } else {
            tangents
        },
        out_positions,
        out_normals,
        out_tangents,
    }
}
