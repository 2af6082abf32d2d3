//! Places that are spread evenly and by chance (HR-06).

use std::collections::HashMap;

use glam::{IVec3, Vec3};

use galatea_math::chance::Chance;

/// Tries in a row that may fail before places may stand nearer to each other.
const TRIES: usize = 40;
/// How much nearer then.
const NEARER: f32 = 0.88;
/// Nearer than this share of the distance at first, places are taken as they come: the area has no width.
const LEAST_SHARE: f32 = 1e-4;
/// Places from which the distance at first is taken.
const PROBES: usize = 64;

/// `n` of the places that `sample` finds by chance, no two nearer to each other than they must be (Poisson-disk).
/// Any number of the first of them are spread evenly over the whole as well: fewer of them are a coarser set (HR-17).
/// A seed gives the same places every time.
pub fn spread<T>(
    n: usize,
    seed: u64,
    mut sample: impl FnMut(&mut Chance) -> (Vec3, T),
) -> Vec<(Vec3, T)> {
    let mut chance = Chance::new(seed);
    let probes: Vec<Vec3> = (0..PROBES).map(|_| sample(&mut chance).0).collect();
    let (low, high) = probes
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| {
            (low.min(*p), high.max(*p))
        });
    let begin = (high - low).length();
    let least = begin * LEAST_SHARE;
    let mut grid = PointGrid::new(begin);
    let mut out: Vec<(Vec3, T)> = Vec::with_capacity(n);
    let (mut apart, mut failed) = (begin, 0);
    while out.len() < n {
        let (place, what) = sample(&mut chance);
        let is_free = apart <= least || !place.is_finite() || !grid.has_within(place, apart);
        if is_free {
            grid.add(place);
            out.push((place, what));
            failed = 0;
            continue;
        }
        failed += 1;
        if failed == TRIES {
            failed = 0;
            apart *= NEARER;
            if apart < grid.cell * 0.5 {
                grid = PointGrid::of(apart, out.iter().map(|(place, _)| *place));
            }
        }
    }
    out
}

/// Places by the cell they are in.
struct PointGrid {
    cell: f32,
    places: HashMap<IVec3, Vec<Vec3>>,
}

impl PointGrid {
    fn new(cell: f32) -> Self {
        Self {
            cell: cell.max(f32::MIN_POSITIVE),
            places: HashMap::new(),
        }
    }

    fn of(cell: f32, places: impl Iterator<Item = Vec3>) -> Self {
        let mut grid = Self::new(cell);
        places.for_each(|place| grid.add(place));
        grid
    }

    fn cell_of(&self, place: Vec3) -> IVec3 {
        (place / self.cell).floor().as_ivec3()
    }

    fn add(&mut self, place: Vec3) {
        self.places
            .entry(self.cell_of(place))
            .or_default()
            .push(place);
    }

    /// Whether one is nearer than `distance`, which is at most a cell.
    fn has_within(&self, place: Vec3, distance: f32) -> bool {
        let middle = self.cell_of(place);
        let near = |offset: IVec3| {
            let there = self.places.get(&(middle + offset));
            there.is_some_and(|there| there.iter().any(|p| p.distance(place) < distance))
        };
        (0..27).any(|i| near(IVec3::new(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_square(chance: &mut Chance) -> (Vec3, ()) {
        (Vec3::new(chance.unit(), 0.0, chance.unit()), ())
    }

    /// The least distance between two of them.
    fn nearest(places: &[(Vec3, ())]) -> f32 {
        let pairs = places
            .iter()
            .enumerate()
            .flat_map(|(i, (a, ()))| places[..i].iter().map(move |(b, ())| a.distance(*b)));
        pairs.fold(f32::INFINITY, f32::min)
    }

    #[test]
    fn any_number_of_the_first_places_stand_apart() {
        let places = spread(800, 7, in_square);
        assert_eq!(places.len(), 800);
        for n in [50, 200, 800] {
            // Of a square of 1: where they stood on a hexagonal grid they would be this far apart.
            let best = (2.0 / (3.0_f32.sqrt() * n as f32)).sqrt();
            let apart = nearest(&places[..n]);
            assert!(apart > 0.5 * best, "{n}: {apart} of {best}");
        }
    }

    #[test]
    fn a_seed_gives_the_same_places_and_another_gives_others() {
        assert_eq!(spread(40, 1, in_square), spread(40, 1, in_square));
        assert_ne!(spread(40, 1, in_square), spread(40, 2, in_square));
    }

    #[test]
    fn an_area_without_width_gives_as_many_places_as_are_asked_for() {
        let places = spread(20, 1, |_| (Vec3::ONE, ()));
        assert_eq!(places.len(), 20);
        let none = spread(5, 1, |_| (Vec3::NAN, ()));
        assert_eq!(none.len(), 5);
    }
}
