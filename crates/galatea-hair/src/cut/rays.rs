//! Rays from the centre of a skull in all directions.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::Vec3;

/// Columns around, and rows from the highest of them down.
pub(super) const COLUMNS: usize = 60;
/// See [`COLUMNS`].
pub(super) const ROWS: usize = 37;
/// Depth of the lowest row below the horizon, radians: in the neck.
const MAX_DEPRESSION: f32 = 0.95;

/// Rays from a point, row after row; each row starts ahead and continues over the left side.
pub(super) struct SkullRays {
    middle: Vec3,
    /// Unit directions.
    pub directions: Vec<Vec3>,
    max_distance: f32,
}

impl SkullRays {
    /// Creates rays of a maximum length.
    pub fn new(middle: Vec3, max_distance: f32) -> Self {
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
            max_distance,
        }
    }

    /// Distance at which each ray hits the first triangle.
    pub fn first_hits(&self, triangles: impl Iterator<Item = [Vec3; 3]>) -> Vec<Option<f32>> {
        self.first(triangles, false)
    }

    /// The same for triangles whose front faces away from the centre.
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
            // A chord of the unit sphere, with a margin for triangles close to the centre.
            let reach = reach.into_iter().fold(0.0, f32::max) * 1.1 + 1e-4;
            let (along, aside) = (b - a, c - a);
            for (direction, found) in self.directions.iter().zip(&mut found) {
                if direction.distance_squared(toward) > reach * reach {
                    continue;
                }
                let across = direction.cross(aside);
                let by = along.dot(across);
                if by.abs() < 1e-14 || faces_away && by > 0.0 {
                    continue;
                }
                let u = -a.dot(across) / by;
                let turned = (-a).cross(along);
                let v = direction.dot(turned) / by;
                let distance = aside.dot(turned) / by;
                let is_inside = u >= -1e-3 && v >= -1e-3 && u + v <= 1.001;
                if is_inside && (0.0..self.max_distance).contains(&distance) {
                    *found = Some(found.map_or(distance, |other| distance.min(other)));
                }
            }
        }
        found
    }
}

/// Elevation of a row, radians.
pub(super) fn up_of(row: usize) -> f32 {
    FRAC_PI_2 - row as f32 / ROWS as f32 * (FRAC_PI_2 + MAX_DEPRESSION)
}

/// Angle of a column about +Y, from ahead towards the left, radians.
pub(super) fn angle_of(column: usize) -> f32 {
    column as f32 / COLUMNS as f32 * TAU
}
