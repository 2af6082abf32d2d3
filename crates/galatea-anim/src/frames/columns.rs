//! Differences of a clip from rest, column by column.
//!
//! Used by `frames` (creates them) and `sample_blend` (sums them).

use glam::{Vec3, Vec4};

/// Columns of one kind of value that a clip moves: constant ones are stored once, others per frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Columns<C, V> {
    /// Column index and its difference from rest.
    pub(crate) constant: Vec<(u32, C)>,
    /// Ascending indices of the columns with a value per frame.
    pub(crate) moved: Vec<u32>,
    /// Differences from rest, `moved.len()` per frame.
    pub(crate) values: Vec<V>,
}

impl<C, V> Columns<C, V> {
    /// Values of a frame and of the next one; empty if no column moves.
    #[inline]
    pub(crate) fn rows(&self, frame: usize) -> (&[V], &[V]) {
        let n = self.moved.len();
        self.values[frame * n..(frame + 2) * n].split_at(n)
    }

    /// Memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.constant.as_slice())
            + size_of_val(self.moved.as_slice())
            + size_of_val(self.values.as_slice())
    }
}

/// [`columns`] of vectors, stored as four floats.
pub(super) fn vector_columns(values: &[Vec3], n: usize, noise: f32) -> Columns<Vec3, Vec4> {
    columns(
        values,
        n,
        noise,
        |v| v.abs().max_element(),
        |v| v.extend(0.0),
    )
}

/// Sorts the `n` columns of the difference rows into three groups: at rest (within `noise`), constant, and animated.
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
    let mut frame_values = Vec::new();
    if !moved.is_empty() {
        for row in values.chunks(n) {
            frame_values.extend(moved.iter().map(|column| store(row[*column as usize])));
        }
    }
    Columns {
        constant,
        moved,
        values: frame_values,
    }
}
