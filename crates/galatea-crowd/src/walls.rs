//! Walls as line segments on the ground, in a grid for queries by position.

use glam::{IVec2, Vec2};
use serde::{Deserialize, Serialize};

use galatea_math::lines::nearest_on;

/// Maximum number of grid cells along the longer side.
const MAX_CELLS: f32 = 1024.0;
/// Minimum size of a grid cell, metres.
const CELL: f32 = 2.0;
/// Maximum number of walls in contact from behind.
const MAX_BEHIND: usize = 8;
/// Minimum distance that every agent keeps from a wall, metres.
const MIN_WALL_DISTANCE: f32 = 0.02;

/// A line segment on the ground that agents do not cross.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wall {
    /// End points, metres.
    pub ends: [Vec2; 2],
    /// Range of heights at which agents collide with it, metres.
    pub heights: [f32; 2],
    /// Distance of the line in front of the real obstacle, metres. An agent's radius counts as that much smaller.
    pub inset: f32,
    /// Unit direction to the side on which agents are; zero for a wall with two sides.
    pub inwards: Vec2,
}

/// A wall relative to a position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WallContact {
    /// Unit direction away from the wall.
    pub away: Vec2,
    /// Distance to the wall, metres; negative behind a wall with one side.
    pub distance: f32,
    /// Copy of [`Wall::inset`].
    pub inset: f32,
    /// The nearest point is an end of the wall, which can be passed.
    pub is_end: bool,
}

impl Wall {
    /// A wall with two sides and without limits of height.
    pub fn new(ends: [Vec2; 2]) -> Self {
        Self {
            ends,
            heights: [f32::NEG_INFINITY, f32::INFINITY],
            inset: 0.0,
            inwards: Vec2::ZERO,
        }
    }

    /// The wall relative to a position.
    fn contact(&self, place: Vec2) -> WallContact {
        let at = nearest_on(self.ends, place);
        let off = place - at;
        let distance = off.length();
        // Beyond its ends, other walls decide on which side a position is.
        let is_beside = self.ends.iter().all(|end| *end != at);
        let is_behind = is_beside && off.dot(self.inwards) < 0.0;
        let (away, distance) = if is_behind {
            (self.inwards, -distance)
        } else if distance > 1e-6 {
            (off / distance, distance)
        } else {
            (self.inwards.try_normalize().unwrap_or(Vec2::X), 0.0)
        };
        WallContact {
            away,
            distance,
            inset: self.inset,
            is_end: !is_beside,
        }
    }
}

/// Walls in a grid.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Walls {
    all: Vec<Wall>,
    low: Vec2,
    cell: f32,
    size: IVec2,
    /// Index of each cell's first wall in `held`, and the total at the end.
    first: Vec<u32>,
    held: Vec<u32>,
}

impl Walls {
    /// Sorts walls into the grid. Walls with NaN or infinite ends are ignored.
    pub fn new(all: impl IntoIterator<Item = Wall>) -> Self {
        let is_sound = |wall: &Wall| wall.ends.iter().all(|end| end.is_finite());
        let all: Vec<Wall> = all.into_iter().filter(is_sound).collect();
        let mut low = Vec2::INFINITY;
        let mut high = Vec2::NEG_INFINITY;
        for end in all.iter().flat_map(|wall| &wall.ends) {
            (low, high) = (low.min(*end), high.max(*end));
        }
        if all.is_empty() {
            return Self::default();
        }
        let cell = ((high - low).max_element() / MAX_CELLS).max(CELL);
        let size = ((high - low) / cell).as_ivec2() + 1;
        let mut walls = Self {
            all,
            low,
            cell,
            size,
            first: Vec::new(),
            held: Vec::new(),
        };
        let mut cells = vec![Vec::new(); (size.x * size.y) as usize];
        for (i, wall) in (0..).zip(&walls.all) {
            let [a, b] = &wall.ends;
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

    /// Returns true if there are no walls.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    fn cell_of(&self, place: Vec2) -> IVec2 {
        let cell = ((place - self.low) / self.cell).floor().as_ivec2();
        cell.clamp(IVec2::ZERO, self.size - 1)
    }

    /// Calls `f` with each wall within `reach` of a position at a height. A wall in several cells may be passed more than
    /// once. Walls with one side count from behind only if no other wall is nearer: around a corner of free space, a
    /// position is behind one of the two walls.
    pub fn near(&self, place: Vec2, height: f32, reach: f32, mut f: impl FnMut(&WallContact)) {
        if self.is_empty() || !place.is_finite() {
            return;
        }
        let high = self.low + self.size.as_vec2() * self.cell;
        let beyond = place + reach;
        if beyond.cmplt(self.low).any() || (place - reach).cmpgt(high).any() {
            return;
        }
        let (from, to) = (self.cell_of(place - reach), self.cell_of(beyond));
        let mut nearest = f32::INFINITY;
        let mut behind = [WallContact::default(); MAX_BEHIND];
        let mut n_behind = 0;
        for y in from.y..=to.y {
            for x in from.x..=to.x {
                let cell = (y * self.size.x + x) as usize;
                let held = self.first[cell] as usize..self.first[cell + 1] as usize;
                for wall in &self.held[held] {
                    let wall = &self.all[*wall as usize];
                    let [low, high] = wall.heights;
                    let meets = low <= height && height <= high;
                    let is_near = nearest_on(wall.ends, place).distance_squared(place);
                    if !meets || is_near > reach * reach {
                        continue;
                    }
                    let met = wall.contact(place);
                    if met.distance >= 0.0 {
                        nearest = nearest.min(met.distance);
                        f(&met);
                    } else if met.distance >= -wall.inset && n_behind < MAX_BEHIND {
                        // A position farther behind is on the other side of the obstacle.
                        behind[n_behind] = met;
                        n_behind += 1;
                    }
                }
            }
        }
        let depths = behind[..n_behind].iter().map(|met| -met.distance);
        if depths.fold(f32::INFINITY, f32::min) <= nearest {
            behind[..n_behind].iter().for_each(f);
        }
    }

    /// The position moved so that it is at least `radius` from all walls, as far as a few pushes can do that.
    pub fn kept_away(&self, place: Vec2, height: f32, radius: f32) -> Vec2 {
        let mut at = place;
        for _ in 0..4 {
            let mut deepest = (0.0, None);
            self.near(at, height, radius, |wall| {
                let depth = own_radius(radius, wall.inset) - wall.distance;
                if depth > deepest.0 {
                    deepest = (depth, Some(*wall));
                }
            });
            let (depth, Some(wall)) = deepest else {
                break;
            };
            at += wall.away * depth;
        }
        at
    }
}

/// Distance that an agent keeps from the line of a wall, metres.
pub fn own_radius(radius: f32, inset: f32) -> f32 {
    (radius - inset).max(MIN_WALL_DISTANCE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_math::random::RandomSource;

    #[test]
    fn around_a_corner_of_free_space_no_agent_is_behind_a_wall() {
        // Free space is below the first wall and to the right of the second.
        let corner = Vec2::new(-0.75, -2.4);
        let inset = 0.375;
        let wall = |ends: [Vec2; 2], inwards: Vec2| Wall {
            inset,
            inwards,
            ..Wall::new(ends)
        };
        let left = Vec2::new(-1.35, -2.25);
        let walls = Walls::new([
            wall([left, corner], Vec2::new(-0.24, -0.97)),
            wall([corner, Vec2::new(-0.6, -0.45)], Vec2::new(0.997, -0.077)),
        ]);
        for z in [-2.35, -2.3, -2.2, -2.1, -1.8] {
            let at = Vec2::new(-0.71 + (z + 2.4) * 0.077, z);
            assert_eq!(walls.kept_away(at, 0.0, 0.25), at);
        }
        // Behind the first wall, and nearer to it than to any other.
        let pushed = walls.kept_away(Vec2::new(-1.1, -2.2), 0.0, 0.25);
        assert!(pushed.y < -2.3, "{pushed}");
    }

    #[test]
    fn near_walls_are_all_found_however_long_they_are() {
        let mut chance = RandomSource::new(3);
        let mut at = |side: f32| Vec2::new(chance.about_zero(), chance.about_zero()) * side;
        let ends: Vec<[Vec2; 2]> = (0..80)
            .map(|i| {
                let from = at(30.0);
                [from, from + at(if i % 4 == 0 { 25.0 } else { 3.0 })]
            })
            .collect();
        let walls = Walls::new(ends.iter().map(|ends| Wall::new(*ends)));
        for _ in 0..200 {
            let place = at(40.0);
            let mut found = Vec::new();
            walls.near(place, 0.0, 2.5, |met| found.push(met.distance.to_bits()));
            for end in &ends {
                let far = nearest_on(*end, place).distance(place);
                assert_eq!(far <= 2.5, found.contains(&far.to_bits()));
            }
        }
    }

    #[test]
    fn positions_are_kept_away_from_walls_at_their_height() {
        let corner = [[Vec2::ZERO, Vec2::X * 5.0], [Vec2::ZERO, Vec2::Y * 5.0]];
        let walls = Walls::new(corner.map(Wall::new));
        let kept = walls.kept_away(Vec2::new(0.1, 0.2), 0.0, 0.5);
        assert!((kept - Vec2::splat(0.5)).length() < 1e-3, "{kept}");
        let open = Vec2::splat(2.0);
        assert_eq!(walls.kept_away(open, 0.0, 0.5), open);
        let none = Walls::new([Wall::new([Vec2::NAN, Vec2::ONE])]);
        assert!(none.is_empty());
        none.near(Vec2::ZERO, 0.0, 1.0, |_| panic!("nothing is there"));
        let above = corner.map(|ends| Wall {
            heights: [2.0, 4.0],
            inset: 0.3,
            ..Wall::new(ends)
        });
        let walls = Walls::new(above);
        let near = Vec2::new(0.1, 3.0);
        assert_eq!(walls.kept_away(near, 0.0, 0.5), near);
        assert!((walls.kept_away(near, 3.0, 0.5) - Vec2::new(0.2, 3.0)).length() < 1e-3);
    }

    #[test]
    fn an_agent_behind_a_one_sided_wall_is_moved_back_and_not_farther_out() {
        let wall = Wall {
            inwards: Vec2::Y,
            inset: 0.2,
            ..Wall::new([Vec2::ZERO, Vec2::X * 4.0])
        };
        let walls = Walls::new([wall]);
        for behind in [-0.15, -0.05, 0.0, 0.05] {
            let kept = walls.kept_away(Vec2::new(2.0, behind), 0.0, 0.5);
            assert!((kept - Vec2::new(2.0, 0.3)).length() < 1e-4, "{kept}");
        }
        // Behind the real obstacle the wall has no effect.
        let beyond = Vec2::new(2.0, -0.3);
        assert_eq!(walls.kept_away(beyond, 0.0, 0.5), beyond);
        // Beyond its end there is no side behind the wall.
        let mut ends = Vec::new();
        walls.near(Vec2::new(-0.2, 0.0), 0.0, 0.5, |met| ends.push(met.is_end));
        walls.near(Vec2::new(0.2, 0.2), 0.0, 0.5, |met| ends.push(met.is_end));
        assert_eq!(ends, [true, false]);
        let beside = Vec2::new(-0.2, -0.1);
        let kept = walls.kept_away(beside, 0.0, 0.5);
        assert!(
            kept.y < -0.1 && (kept.length() - 0.3).abs() < 1e-4,
            "{kept}"
        );
        // A wall with two sides leaves it on its side.
        let walls = Walls::new([Wall::new(wall.ends)]);
        assert!(walls.kept_away(Vec2::new(2.0, -0.05), 0.0, 0.3).y < -0.29);
    }
}
