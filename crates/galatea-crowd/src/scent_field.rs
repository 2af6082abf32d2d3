//! Scent fields: agents deposit scent on the ground, it fades, and other agents follow it (ant trails: Deneubourg, Aron,
//! Goss and Pasteels 1990, "The self-organizing exploratory pattern of the Argentine ant").

use glam::{IVec2, Vec2};
use serde::{Deserialize, Serialize};

/// Angle to both sides at which the scent ahead is sampled, and maximum turn, radians.
const FEELS: f32 = 0.7;
/// Amount added to the scent of each direction, so that no direction has weight 0.
const FAINT: f32 = 0.2;
/// Amount below which a cell becomes empty, and maximum amount of a cell.
const NOTHING: f32 = 1e-6;
const MAX_AMOUNT: f32 = 1e9;

/// A scent field: a rectangular grid on the ground with an amount of scent in each cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScentField {
    low: Vec2,
    cell: f32,
    size: IVec2,
    values: Vec<f32>,
    spare: Vec<f32>,
    /// Time in which the scent fades to one half, seconds.
    pub half_life: f32,
    /// Fraction of each cell that spreads to its neighbours per second, 0..=1.
    pub diffusion: f32,
}

impl ScentField {
    /// An empty field around a position, with cells of `cell` metres. Returns `None` for no cells or more than `most`.
    pub fn new(middle: Vec2, size: Vec2, cell: f32, most: usize) -> Option<Self> {
        let n = (size / cell).ceil();
        let is_fit = n.is_finite() && n.min_element() >= 1.0 && n.x * n.y <= most as f32;
        is_fit.then(|| Self {
            low: middle - n * cell * 0.5,
            cell,
            size: n.as_ivec2(),
            values: vec![0.0; (n.x * n.y) as usize],
            spare: Vec::new(),
            half_life: 30.0,
            diffusion: 0.0,
        })
    }

    /// Side of a cell, metres.
    pub fn cell(&self) -> f32 {
        self.cell
    }

    /// Indices of the cells around a position, with their weights for bilinear interpolation.
    fn around(&self, place: Vec2) -> impl Iterator<Item = (usize, f32)> + use<> {
        let at = (place - self.low) / self.cell - 0.5;
        let first = at.floor();
        // The clamp keeps positions far outside of the field representable.
        let (part, size) = (at - first, self.size);
        let first = first.clamp(Vec2::splat(-2.0), size.as_vec2()).as_ivec2();
        let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter();
        corners.filter_map(move |(x, y)| {
            let cell = first + IVec2::new(x, y);
            let share = |one: i32, part: f32| if one == 1 { part } else { 1.0 - part };
            let is_in = cell.cmpge(IVec2::ZERO).all() && cell.cmplt(size).all();
            let weight = share(x, part.x) * share(y, part.y);
            is_in.then(|| ((cell.y * size.x + cell.x) as usize, weight))
        })
    }

    /// Deposits scent at a position. Positions outside of the field are ignored.
    pub fn add(&mut self, place: Vec2, amount: f32) {
        if !place.is_finite() || !amount.is_finite() {
            return;
        }
        for (cell, share) in self.around(place) {
            self.values[cell] = (self.values[cell] + amount * share).clamp(0.0, MAX_AMOUNT);
        }
    }

    /// Amount of scent at a position, per cell, interpolated.
    pub fn strength(&self, place: Vec2) -> f32 {
        if !place.is_finite() {
            return 0.0;
        }
        let around = self.around(place);
        around.map(|(cell, share)| self.values[cell] * share).sum()
    }

    /// Angle by which an agent with a unit heading turns to follow the scent, radians to the left, sampled up to `ahead`
    /// metres ahead. It is the mean of three directions, weighted by the square of the scent there plus a small amount.
    pub fn turn_to_follow(&self, place: Vec2, heading: Vec2, ahead: f32) -> f32 {
        let worth = |angle: f32| {
            let way = Vec2::from_angle(angle).rotate(heading);
            // Also sampled halfway, because a trail has no gaps.
            let lies =
                self.strength(place + way * ahead) + self.strength(place + way * ahead * 0.5);
            (0.5 * lies + FAINT).powi(2)
        };
        let [left, middle, right] = [FEELS, 0.0, -FEELS].map(worth);
        FEELS * (left - right) / (left + middle + right)
    }

    /// Lets the scent fade and spread for `dt` seconds.
    pub fn fade(&mut self, dt: f32) {
        let keeps = if self.half_life > 0.0 {
            (-dt / self.half_life).exp2()
        } else {
            0.0
        };
        let goes = (self.diffusion * dt).clamp(0.0, 1.0);
        if goes > 0.0 {
            self.diffuse(goes);
        }
        for value in &mut self.values {
            *value *= keeps;
            if *value < NOTHING {
                *value = 0.0;
            }
        }
    }

    fn diffuse(&mut self, goes: f32) {
        let (wide, deep) = (self.size.x as usize, self.size.y as usize);
        self.spare.clear();
        self.spare.extend_from_slice(&self.values);
        for y in 0..deep {
            for x in 0..wide {
                let i = y * wide + x;
                let own = self.spare[i];
                // Scent does not leave over the border of the field.
                let sides = [
                    (x > 0).then(|| i - 1),
                    (x + 1 < wide).then(|| i + 1),
                    (y > 0).then(|| i - wide),
                    (y + 1 < deep).then(|| i + wide),
                ];
                let beside = sides.map(|side| side.map_or(own, |side| self.spare[side]));
                self.values[i] = own + goes * (beside.iter().sum::<f32>() * 0.25 - own);
            }
        }
    }

    /// Removes all scent.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Numbers of columns (along x) and rows (along z), and the amounts, row by row.
    pub fn cells(&self) -> ([usize; 2], &[f32]) {
        ([self.size.x as usize, self.size.y as usize], &self.values)
    }

    /// Copies the scent of a field with the same grid; otherwise does nothing.
    pub fn continue_from(&mut self, was: &Self) {
        if (self.low, self.cell, self.size) == (was.low, was.cell, was.size) {
            self.values.clone_from(&was.values);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trail(spread: f32) -> ScentField {
        let made = ScentField::new(Vec2::new(1.0, 2.0), Vec2::splat(20.0), 0.5, 10_000);
        ScentField {
            half_life: 10.0,
            diffusion: spread,
            ..made.unwrap()
        }
    }

    fn sum(trail: &ScentField) -> f32 {
        trail.cells().1.iter().sum()
    }

    #[test]
    fn added_scent_stays_in_place_and_halves_after_its_half_life() {
        let mut own = trail(0.0);
        let place = Vec2::new(2.13, 3.71);
        own.add(place, 3.0);
        assert!((sum(&own) - 3.0).abs() < 1e-5);
        assert!(own.strength(place) > 0.7 && own.strength(place + 1.5) == 0.0);
        for _ in 0..600 {
            own.fade(1.0 / 60.0);
        }
        assert!((sum(&own) - 1.5).abs() < 1e-3, "{}", sum(&own));
        own.fade(1000.0);
        assert_eq!(sum(&own), 0.0);
        for far in [1e9, 1e30, -1e30, f32::MAX] {
            own.add(Vec2::splat(far), 1.0);
        }
        own.add(Vec2::NAN, 1.0);
        own.add(place, f32::NAN);
        assert_eq!((sum(&own), own.strength(Vec2::NAN)), (0.0, 0.0));
        for _ in 0..9 {
            own.add(place, f32::MAX);
        }
        assert!(own.turn_to_follow(place, Vec2::Y, 1.0).is_finite());
    }

    #[test]
    fn scent_diffuses_without_loss() {
        let mut own = trail(0.9);
        own.half_life = f32::INFINITY;
        own.add(Vec2::new(-8.7, -7.7), 4.0);
        let before = own.strength(Vec2::new(-8.7, -7.7));
        for _ in 0..120 {
            own.fade(1.0 / 60.0);
        }
        assert!((sum(&own) - 4.0).abs() < 1e-3, "{}", sum(&own));
        assert!(own.strength(Vec2::new(-8.7, -7.7)) < before);
        assert!(own.strength(Vec2::new(-7.3, -7.7)) > 0.0);
    }

    #[test]
    fn agents_turn_towards_scent_and_walk_straight_without_it() {
        let mut own = trail(0.0);
        for step in 0..40 {
            own.add(Vec2::new(1.0, -6.0 + step as f32 * 0.4), 2.0);
        }
        assert_eq!(own.turn_to_follow(Vec2::new(-6.0, 0.0), Vec2::Y, 1.0), 0.0);
        // Beside the trail, and on it at an angle.
        let to_right = own.turn_to_follow(Vec2::new(0.4, 0.0), Vec2::Y, 1.0);
        let to_left = own.turn_to_follow(Vec2::new(1.6, 0.0), Vec2::Y, 1.0);
        assert!(to_right < -0.3 && (to_left + to_right).abs() < 0.1);
        let on_it = own.turn_to_follow(Vec2::new(1.0, 0.0), Vec2::Y, 1.0);
        assert!(on_it.abs() < 0.1, "{on_it}");
        // An agent that follows the trail stays on it.
        let (mut at, mut heading) = (Vec2::new(1.3, -5.0), Vec2::from_angle(1.2));
        for _ in 0..160 {
            let turn = own.turn_to_follow(at, heading, 1.0);
            heading = Vec2::from_angle(turn * 0.2).rotate(heading);
            at += heading * 0.07;
        }
        assert!((at.x - 1.0).abs() < 0.4 && at.y > 4.0, "{at}");
    }

    #[test]
    fn too_many_cells_are_refused() {
        assert!(ScentField::new(Vec2::ZERO, Vec2::splat(100.0), 0.1, 10_000).is_none());
        assert!(ScentField::new(Vec2::ZERO, Vec2::ZERO, 0.1, 10_000).is_none());
        assert!(ScentField::new(Vec2::ZERO, Vec2::splat(f32::NAN), 0.1, 10_000).is_none());
    }
}
