//! Walls as lines on the ground, and which of them are near a place.

use glam::{IVec2, Vec2};

/// Cells along the longer side of what walls cover, at most.
const MOST_CELLS: f32 = 1024.0;
/// Metres along a cell, at least.
const CELL: f32 = 2.0;

/// Lines on the ground that nobody crosses.
#[derive(Clone, Debug, Default)]
pub struct Walls {
    ends: Vec<[Vec2; 2]>,
    low: Vec2,
    cell: f32,
    size: IVec2,
    /// Where each cell's walls begin in `held`, and the end.
    first: Vec<u32>,
    held: Vec<u32>,
}

impl Walls {
    /// Walls between pairs of places, metres; those that are no numbers are left out.
    pub fn new(ends: impl IntoIterator<Item = [Vec2; 2]>) -> Self {
        let ends: Vec<[Vec2; 2]> = ends
            .into_iter()
            .filter(|[a, b]| a.is_finite() && b.is_finite())
            .collect();
        let mut low = Vec2::INFINITY;
        let mut high = Vec2::NEG_INFINITY;
        for end in ends.iter().flatten() {
            (low, high) = (low.min(*end), high.max(*end));
        }
        if ends.is_empty() {
            return Self::default();
        }
        let cell = ((high - low).max_element() / MOST_CELLS).max(CELL);
        let size = ((high - low) / cell).as_ivec2() + 1;
        let mut walls = Self {
            ends,
            low,
            cell,
            size,
            first: Vec::new(),
            held: Vec::new(),
        };
        let mut cells = vec![Vec::new(); (size.x * size.y) as usize];
        for (i, [a, b]) in (0..).zip(&walls.ends) {
            let (from, to) = (walls.cell_of(a.min(*b)), walls.cell_of(a.max(*b)));
            for y in from.y..=to.y {
                for x in from.x..=to.x {
                    let middle = low + (IVec2::new(x, y).as_vec2() + 0.5) * cell;
                    // Within half of a cell's diagonal.
                    if nearest_on([*a, *b], middle).distance(middle) <= cell * 0.7072 {
                        cells[(y * size.x + x) as usize].push(i);
                    }
                }
            }
        }
        for cell in cells {
            walls.first.push(walls.held.len() as u32);
            walls.held.extend::<Vec<u32>>(cell);
        }
        walls.first.push(walls.held.len() as u32);
        walls
    }

    /// Both ends of each.
    pub fn ends(&self) -> &[[Vec2; 2]] {
        &self.ends
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn cell_of(&self, place: Vec2) -> IVec2 {
        let cell = ((place - self.low) / self.cell).floor().as_ivec2();
        cell.clamp(IVec2::ZERO, self.size - 1)
    }

    /// Calls `f` with the nearest place of each wall within `reach` of a place; of one that lies in several cells more
    /// than once.
    pub fn near(&self, place: Vec2, reach: f32, mut f: impl FnMut(Vec2)) {
        if self.is_empty() || !place.is_finite() {
            return;
        }
        let high = self.low + self.size.as_vec2() * self.cell;
        let beyond = place + reach;
        if beyond.cmplt(self.low).any() || (place - reach).cmpgt(high).any() {
            return;
        }
        let (from, to) = (self.cell_of(place - reach), self.cell_of(beyond));
        for y in from.y..=to.y {
            for x in from.x..=to.x {
                let cell = (y * self.size.x + x) as usize;
                let held = self.first[cell] as usize..self.first[cell + 1] as usize;
                for wall in &self.held[held] {
                    let at = nearest_on(self.ends[*wall as usize], place);
                    if at.distance_squared(place) <= reach * reach {
                        f(at);
                    }
                }
            }
        }
    }

    /// A place moved so that it is at least `radius` from all walls, as far as a few pushes can.
    pub fn kept_off(&self, place: Vec2, radius: f32) -> Vec2 {
        let mut at = place;
        for _ in 0..4 {
            let mut deepest = (radius, None);
            self.near(at, radius, |wall| {
                let distance = wall.distance(at);
                if distance < deepest.0 {
                    deepest = (distance, Some(wall));
                }
            });
            let (distance, Some(wall)) = deepest else {
                break;
            };
            if distance <= 1e-6 {
                break;
            }
            at = wall + (at - wall) * (radius / distance);
        }
        at
    }

    /// Whether the way between two places meets no wall.
    pub fn is_open(&self, from: Vec2, to: Vec2) -> bool {
        let (middle, half) = ((from + to) * 0.5, (to - from) * 0.5);
        let reach = half.length();
        if self.is_empty() || !middle.is_finite() {
            return true;
        }
        let (low, high) = (self.cell_of(middle - reach), self.cell_of(middle + reach));
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                let cell = (y * self.size.x + x) as usize;
                let held = self.first[cell] as usize..self.first[cell + 1] as usize;
                let mut walls = self.held[held].iter();
                if walls.any(|wall| cross([from, to], self.ends[*wall as usize])) {
                    return false;
                }
            }
        }
        true
    }
}

/// The place of a line between two ends that is nearest to another.
pub fn nearest_on([a, b]: [Vec2; 2], place: Vec2) -> Vec2 {
    let way = b - a;
    let along = (place - a).dot(way) / way.length_squared().max(1e-12);
    a + way * along.clamp(0.0, 1.0)
}

fn cross([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> bool {
    let side = |from: Vec2, to: Vec2, p: Vec2| (to - from).perp_dot(p - from);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::chance::Chance;

    #[test]
    fn near_walls_are_all_found_however_long_they_are() {
        let mut chance = Chance::new(3);
        let mut at = |side: f32| Vec2::new(chance.about_zero(), chance.about_zero()) * side;
        let ends: Vec<[Vec2; 2]> = (0..80)
            .map(|i| {
                let from = at(30.0);
                [from, from + at(if i % 4 == 0 { 25.0 } else { 3.0 })]
            })
            .collect();
        let walls = Walls::new(ends.clone());
        for _ in 0..200 {
            let place = at(40.0);
            let mut found = Vec::new();
            walls.near(place, 2.5, |near| found.push(near));
            for end in &ends {
                let near = nearest_on(*end, place);
                assert_eq!(near.distance(place) <= 2.5, found.contains(&near));
            }
        }
    }

    #[test]
    fn places_are_kept_off_and_ways_through_walls_are_not_open() {
        let corner = [[Vec2::ZERO, Vec2::X * 5.0], [Vec2::ZERO, Vec2::Y * 5.0]];
        let walls = Walls::new(corner);
        let kept = walls.kept_off(Vec2::new(0.1, 0.2), 0.5);
        assert!((kept - Vec2::splat(0.5)).length() < 1e-3, "{kept}");
        assert_eq!(walls.kept_off(Vec2::splat(2.0), 0.5), Vec2::splat(2.0));
        assert!(!walls.is_open(Vec2::new(1.0, -1.0), Vec2::new(1.0, 1.0)));
        assert!(walls.is_open(Vec2::new(1.0, 0.5), Vec2::new(4.0, 0.5)));
        assert!(walls.is_open(Vec2::new(-1.0, -1.0), Vec2::new(7.0, -1.0)));
        let none = Walls::new([[Vec2::NAN, Vec2::ONE]]);
        assert!(none.is_empty() && none.is_open(Vec2::ZERO, Vec2::ONE));
        none.near(Vec2::ZERO, 1.0, |_| panic!("nothing is there"));
    }
}
