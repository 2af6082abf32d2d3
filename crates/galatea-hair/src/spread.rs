//! Random positions with even spacing (Poisson-disk sampling).

use std::collections::HashMap;

use glam::{IVec3, Vec3};

use galatea_math::random::RandomSource;

/// Failed tries in a row before the minimum distance is reduced.
const TRIES: usize = 40;
/// Factor of each reduction.
const REDUCTION: f32 = 0.88;
/// Below this fraction of the initial distance, every position is accepted: the area has no extent.
const MIN_FRACTION: f32 = 1e-4;
/// Number of samples that determine the initial distance.
const PROBES: usize = 64;

/// Chooses `n` of the random positions from `sample` with a minimum distance (Poisson-disk sampling). Any number of the
/// first ones is spread evenly too, so a prefix is a coarser set. A seed gives the same positions every time.
pub fn spread<T>(
    n: usize,
    seed: u64,
    mut sample: impl FnMut(&mut RandomSource) -> (Vec3, T),
) -> Vec<(Vec3, T)> {
    let mut chance = RandomSource::new(seed);
    let probes: Vec<Vec3> = (0..PROBES).map(|_| sample(&mut chance).0).collect();
    let (low, high) = probes
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| {
            (low.min(*p), high.max(*p))
        });
    let begin = (high - low).length();
    let least = begin * MIN_FRACTION;
    let mut grid = PointGrid::new(begin);
    let mut out: Vec<(Vec3, T)> = Vec::with_capacity(n);
    let (mut apart, mut failed) = (begin, 0);
    while out.len() < n {
        let (position, what) = sample(&mut chance);
        let is_free = apart <= least || !position.is_finite() || !grid.has_within(position, apart);
        if is_free {
            grid.add(position);
            out.push((position, what));
            failed = 0;
            continue;
        }
        failed += 1;
        if failed == TRIES {
            failed = 0;
            apart *= REDUCTION;
            if apart < grid.cell * 0.5 {
                grid = PointGrid::of(apart, out.iter().map(|(position, _)| *position));
            }
        }
    }
    out
}

/// Positions in a grid.
struct PointGrid {
    cell: f32,
    positions: HashMap<IVec3, Vec<Vec3>>,
}

impl PointGrid {
    fn new(cell: f32) -> Self {
        Self {
            cell: cell.max(f32::MIN_POSITIVE),
            positions: HashMap::new(),
        }
    }

    fn of(cell: f32, positions: impl Iterator<Item = Vec3>) -> Self {
        let mut grid = Self::new(cell);
        positions.for_each(|position| grid.add(position));
        grid
    }

    fn cell_of(&self, position: Vec3) -> IVec3 {
        (position / self.cell).floor().as_ivec3()
    }

    fn add(&mut self, position: Vec3) {
        self.positions
            .entry(self.cell_of(position))
            .or_default()
            .push(position);
    }

    /// Returns true if a position is nearer than `distance`, which is at most a cell.
    fn has_within(&self, position: Vec3, distance: f32) -> bool {
        let middle = self.cell_of(position);
        let near = |offset: IVec3| {
            let there = self.positions.get(&(middle + offset));
            there.is_some_and(|there| there.iter().any(|p| p.distance(position) < distance))
        };
        (0..27).any(|i| near(IVec3::new(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_square(chance: &mut RandomSource) -> (Vec3, ()) {
        (Vec3::new(chance.unit(), 0.0, chance.unit()), ())
    }

    /// Minimum distance of two positions.
    fn nearest(positions: &[(Vec3, ())]) -> f32 {
        let pairs = positions
            .iter()
            .enumerate()
            .flat_map(|(i, (a, ()))| positions[..i].iter().map(move |(b, ())| a.distance(*b)));
        pairs.fold(f32::INFINITY, f32::min)
    }

    #[test]
    fn any_prefix_of_the_positions_is_spread_evenly() {
        let positions = spread(800, 7, in_square);
        assert_eq!(positions.len(), 800);
        for n in [50, 200, 800] {
            // On a hexagonal grid in a unit square they would have this distance.
            let best = (2.0 / (3.0_f32.sqrt() * n as f32)).sqrt();
            let apart = nearest(&positions[..n]);
            assert!(apart > 0.5 * best, "{n}: {apart} of {best}");
        }
    }

    #[test]
    fn a_seed_gives_the_same_positions_and_another_gives_others() {
        assert_eq!(spread(40, 1, in_square), spread(40, 1, in_square));
        assert_ne!(spread(40, 1, in_square), spread(40, 2, in_square));
    }

    #[test]
    fn an_area_without_extent_gives_the_requested_number() {
        let positions = spread(20, 1, |_| (Vec3::ONE, ()));
        assert_eq!(positions.len(), 20);
        let none = spread(5, 1, |_| (Vec3::NAN, ()));
        assert_eq!(none.len(), 5);
    }
}
