//! Neighbour search: positions sorted into rows along y, and along x within each row. The neighbours of a position are in
//! one range of each of three rows.

use std::ops::Range;

use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Positions in sorted rows. Sorting reuses the buffers of earlier ticks.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SortedRows {
    /// Indices of the positions, sorted by row, then x, then index.
    order: Vec<u32>,
    keys: Vec<(u64, u32)>,
    xs: Vec<f32>,
    ys: Vec<f32>,
    /// Number of each row that is not empty, ascending, and the index of its first position among the sorted.
    rows: Vec<(i32, u32)>,
    reach: f32,
}

impl SortedRows {
    /// Sorts positions (metres, finite) into rows of depth `reach`.
    pub fn sort(&mut self, places: &[Vec2], reach: f32) {
        self.reach = reach.max(1e-3);
        let of = self.reach.recip();
        self.keys.clear();
        self.keys.extend((0..).zip(places).map(|(number, place)| {
            // The cast saturates: rows beyond the range of an `i32` become one.
            let row = (place.y * of).floor() as i32;
            let key = u64::from(row as u32 ^ 1 << 31) << 32 | u64::from(ascending(place.x));
            (key, number)
        }));
        self.keys.sort_unstable();
        self.order.clear();
        self.order
            .extend(self.keys.iter().map(|(_, number)| *number));
        self.xs.clear();
        self.xs
            .extend(self.order.iter().map(|i| places[*i as usize].x));
        self.ys.clear();
        self.ys
            .extend(self.order.iter().map(|i| places[*i as usize].y));
        self.rows.clear();
        for (at, (key, _)) in (0..).zip(&self.keys) {
            let row = ((key >> 32) as u32 ^ 1 << 31) as i32;
            if self.rows.last().is_none_or(|last| last.0 != row) {
                self.rows.push((row, at));
            }
        }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Returns true if there are no positions.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Indices of the positions in sorted order.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Sorted positions: all x, all y.
    pub fn positions(&self) -> (&[f32], &[f32]) {
        (&self.xs, &self.ys)
    }

    fn row(&self, at: usize) -> Range<usize> {
        let first = self.rows[at].1 as usize;
        let end = self
            .rows
            .get(at + 1)
            .map_or(self.len(), |next| next.1 as usize);
        first..end
    }

    /// Index of the row with a number, if it is not empty.
    fn find(&self, row: i32) -> Option<usize> {
        self.rows.binary_search_by_key(&row, |row| row.0).ok()
    }

    /// Starts a walk along the sorted positions.
    pub fn walk(&self) -> RowCursor<'_> {
        RowCursor {
            rows: self,
            row: 0..0,
            beside: [const { 0..0 }; 3],
            found: [const { 0..0 }; 3],
        }
    }

    /// Ranges of the sorted positions that contain all within `reach` of a position. `reach` is limited to that of the rows.
    pub fn around(&self, place: Vec2, reach: f32) -> [Range<usize>; 3] {
        let reach = reach.min(self.reach);
        let row = (place.y / self.reach).floor() as i32;
        [-1, 0, 1].map(|beside| {
            let own = row.checked_add(beside).and_then(|row| self.find(row));
            let Some(own) = own.map(|own| self.row(own)) else {
                return 0..0;
            };
            let xs = &self.xs[own.clone()];
            let first = own.start + xs.partition_point(|x| *x < place.x - reach);
            first..own.start + xs.partition_point(|x| *x <= place.x + reach)
        })
    }
}

/// At most `max` evenly chosen indices of the ranges, and the number of indices that each of them represents.
pub(crate) fn sampled(
    ranges: [Range<usize>; 3],
    max: usize,
) -> (impl Iterator<Item = usize>, usize) {
    let n: usize = ranges.iter().map(ExactSizeIterator::len).sum();
    let step = n.div_ceil(max).max(1);
    (ranges.into_iter().flatten().step_by(step), step)
}

/// An integer with the order of the float.
fn ascending(x: f32) -> u32 {
    let bits = x.to_bits();
    bits ^ ((bits as i32 >> 31) as u32 | 1 << 31)
}

/// A walk along the sorted positions, which finds each range from the last one.
pub struct RowCursor<'a> {
    rows: &'a SortedRows,
    /// Row of the last query.
    row: Range<usize>,
    /// The row of the last query and the rows before and after.
    beside: [Range<usize>; 3],
    found: [Range<usize>; 3],
}

impl RowCursor<'_> {
    /// Ranges as from [`SortedRows::around`] for the sorted position `i`, which must not be before that of the last call.
    pub fn around(&mut self, i: usize, reach: f32) -> [Range<usize>; 3] {
        let rows = self.rows;
        let x = rows.xs[i];
        let reach = reach.min(rows.reach);
        if !self.row.contains(&i) {
            let at = rows.rows.partition_point(|row| row.1 as usize <= i) - 1;
            self.row = rows.row(at);
            let own = rows.rows[at].0;
            // The row before or after may be empty.
            let of = |at: Option<usize>, row: Option<i32>| {
                let at = at?;
                let there = rows.rows.get(at)?;
                (Some(there.0) == row).then(|| rows.row(at))
            };
            self.beside = [
                of(at.checked_sub(1), own.checked_sub(1)),
                of(Some(at), Some(own)),
                of(Some(at + 1), own.checked_add(1)),
            ]
            .map(Option::unwrap_or_default);
            self.found = self.beside.clone().map(|row| {
                let first = row.start + rows.xs[row.clone()].partition_point(|p| *p < x - reach);
                first..first
            });
        }
        for (found, row) in self.found.iter_mut().zip(&self.beside) {
            while found.start < row.end && rows.xs[found.start] < x - reach {
                found.start += 1;
            }
            found.end = found.end.max(found.start);
            while found.end < row.end && rows.xs[found.end] <= x + reach {
                found.end += 1;
            }
        }
        self.found.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_math::random::RandomSource;

    fn scattered(n: usize, side: f32) -> Vec<Vec2> {
        let mut chance = RandomSource::new(7);
        (0..n)
            .map(|_| Vec2::new(chance.about_zero(), chance.about_zero()) * side)
            .collect()
    }

    #[test]
    fn all_near_positions_are_in_the_ranges_of_both_searches() {
        for (places, reach) in [
            (scattered(500, 10.0), 2.0),
            (scattered(60, 4000.0), 300.0),
            (vec![Vec2::ONE; 20], 1.0),
            (vec![Vec2::new(-3e9, 3e9), Vec2::new(3e9, -3e9)], 0.5),
        ] {
            let mut rows = SortedRows::default();
            rows.sort(&places, reach);
            let (xs, ys) = rows.positions();
            let mut walk = rows.walk();
            for i in 0..rows.len() {
                let place = Vec2::new(xs[i], ys[i]);
                assert_eq!(place, places[rows.order()[i] as usize]);
                let near = |stretches: [Range<usize>; 3]| {
                    let all = stretches.into_iter().flatten();
                    let mut near: Vec<u32> = all
                        .filter(|j| Vec2::new(xs[*j], ys[*j]).distance(place) <= reach)
                        .map(|j| rows.order()[j])
                        .collect();
                    near.sort_unstable();
                    near
                };
                let wanted: Vec<u32> = (0..places.len() as u32)
                    .filter(|j| places[*j as usize].distance(place) <= reach)
                    .collect();
                assert_eq!(near(walk.around(i, reach)), wanted);
                assert_eq!(near(rows.around(place, reach)), wanted);
            }
        }
    }

    #[test]
    fn of_many_indices_a_bounded_number_is_chosen_evenly() {
        let few: Vec<usize> = sampled([0..100, 300..400, 0..0], 256).0.collect();
        assert_eq!((few.len(), few[100]), (200, 300));
        let ranges = [0..9000, 10_000..20_000, 30_000..31_000];
        let (many, step) = sampled(ranges, 256);
        let many: Vec<usize> = many.collect();
        assert_eq!(step, 79);
        assert_eq!(many.len(), 254);
        assert!(many.last().is_some_and(|last| *last >= 30_900));
    }

    #[test]
    fn no_positions_and_a_position_far_from_all() {
        let mut rows = SortedRows::default();
        rows.sort(&[], 1.0);
        assert!(rows.is_empty());
        assert_eq!(rows.around(Vec2::ZERO, 1.0), [0..0, 0..0, 0..0]);
        rows.sort(&[Vec2::splat(50.0)], 1.0);
        assert!(rows.around(Vec2::ZERO, 1.0).iter().all(Range::is_empty));
    }
}
