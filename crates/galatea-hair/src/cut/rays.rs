//! Rays from the middle of a skull in all directions.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::Vec3;

/// Columns around, and rows from the highest of them down.
pub(super) const COLUMNS: usize = 60;
/// See [`COLUMNS`].
pub(super) const ROWS: usize = 37;
/// Radians below the horizon to which rows go: into the neck.
const DEEPEST: f32 = 0.95;

/// Rays from a point: a row after the other, each from ahead around over the left side.
pub(super) struct SkullRays {
    middle: Vec3,
    /// Unit.
    pub directions: Vec<Vec3>,
    farthest: f32,
}

impl SkullRays {
    /// Rays of some length.
    pub fn new(middle: Vec3, farthest: f32) -> Self {
        let direction = |row: usize, column: usize| {
            let (up, around) = (up_of(row), angle_of(column));
            Vec3::new(up.cos() * around.sin(), up.sin(), up.cos() * around.cos())
        };
        let directions = (0..=ROWS)
            .flat_map(|row| (0..COLUMNS).map(move |column| direction(row, column)))
            .collect();
        Self {
            middle,
            directions,
            farthest,
        }
    }

    /// Distance at which each ray hits the first triangle.
    pub fn first_hits(&self, triangles: impl Iterator<Item = [Vec3; 3]>) -> Vec<Option<f32>> {
        self.first(triangles, false)
    }

    /// The same for triangles whose front faces away from the middle.
    pub fn first_exits(&self, triangles: impl Iterator<Item = [Vec3; 3]>) -> Vec<Option<f32>> {
        self.first(triangles, true)
    }

    fn first(
        &self,
        triangles: impl Iterator<Item = [Vec3; 3]>,
        faces_away: bool,
    ) -> Vec<Option<f32>> {
        let mut found: Vec<Option<f32>> = vec![None; self.directions.len()];
        for [a, b, c] in triangles.map(|corners| corners.map(|p| p - self.middle)) {
            let center = (a + b + c) / 3.0;
            let Some(toward) = center.try_normalize() else {
                continue;
            };
            let reach = [a, b, c].map(|p| p.normalize_or_zero().distance(toward));
            // A chord of the unit ball; some more for those that come close to the middle.
            let reach = reach.into_iter().fold(0.0, f32::max) * 1.1 + 1e-4;
            let (along, aside) = (b - a, c - a);
            for (way, found) in self.directions.iter().zip(&mut found) {
                if way.distance_squared(toward) > reach * reach {
                    continue;
                }
                let across = way.cross(aside);
                let by = along.dot(across);
                if by.abs() < 1e-14 || faces_away && by > 0.0 {
                    continue;
                }
                let u = -a.dot(across) / by;
                let turned = (-a).cross(along);
                let v = way.dot(turned) / by;
                let distance = aside.dot(turned) / by;
                let is_inside = u >= -1e-3 && v >= -1e-3 && u + v <= 1.001;
                if is_inside && (0.0..self.farthest).contains(&distance) {
                    *found = Some(found.map_or(distance, |other| distance.min(other)));
                }
            }
        }
        found
    }
}

/// Radians above the horizon.
pub(super) fn up_of(row: usize) -> f32 {
    FRAC_PI_2 - row as f32 / ROWS as f32 * (FRAC_PI_2 + DEEPEST)
}

/// Radians about +Y from ahead towards its left.
pub(super) fn angle_of(column: usize) -> f32 {
    column as f32 / COLUMNS as f32 * TAU
}
