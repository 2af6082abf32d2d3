//! What a clip moves away from rest, column by column.
//!
//! Callers: `frames` (makes them), `sample_blend` (adds them up).

use glam::{Vec3, Vec4};

/// The columns of one kind of value that a clip moves: constant ones once, others frame after frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Columns<C, V> {
    /// Column and its difference from rest.
    pub(crate) constant: Vec<(u32, C)>,
    /// Columns with a value per frame, ascending.
    pub(crate) moved: Vec<u32>,
    /// `moved.len()` differences from rest per frame.
    pub(crate) values: Vec<V>,
}

impl<C, V> Columns<C, V> {
    /// The values of a frame and of the one after it; empty when nothing moves.
    #[inline]
    pub(crate) fn rows(&self, frame: usize) -> (&[V], &[V]) {
        let n = self.moved.len();
        self.values[frame * n..(frame + 2) * n].split_at(n)
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.constant.as_slice())
            + size_of_val(self.moved.as_slice())
            + size_of_val(self.values.as_slice())
    }
}

/// [`columns`] of vectors, stored four floats wide.
pub(super) fn vector_columns(values: &[Vec3], n: usize, noise: f32) -> Columns<Vec3, Vec4> {
    columns(
        values,
        n,
        noise,
        |v| v.abs().max_element(),
        |v| v.extend(0.0),
    )
}

/// Sorts `n` columns of rows of differences into those that stay at rest (within `noise`), those that
/// stand elsewhere, and those that move.
pub(super) fn columns<C, V>(
    values: &[C],
    n: usize,
    noise: f32,
    size: impl Fn(C) -> f32,
    store: impl Fn(C) -> V,
) -> Columns<C, V>
where
    C: Copy + std::ops::Sub<Output = C>,
{
    let (mut constant, mut moved) = (Vec::new(), Vec::new());
    for column in 0..n {
        let first = values[column];
        let mut rows = values[column..].iter().step_by(n);
        if rows.clone().all(|v| size(*v) <= noise) {
            continue;
        }
        if rows.all(|v| size(*v - first) <= noise) {
            constant.push((column as u32, first));
        } else {
            moved.push(column as u32);
        }
    }
    let mut kept = Vec::new();
    if !moved.is_empty() {
        for row in values.chunks(n) {
            kept.extend(moved.iter().map(|column| store(row[*column as usize])));
        }
    }
    Columns {
        constant,
        moved,
        values: kept,
    }
}
