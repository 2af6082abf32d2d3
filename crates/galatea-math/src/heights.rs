//! Height field: a rectangle about the origin with two triangles per grid cell.

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// Heights at the vertices of a grid over x and z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heights {
    columns: usize,
    rows: usize,
    size: Vec2,
    values: Vec<f32>,
}

/// Maximum number of heights of one grid, as 512 by 512.
pub const MAX_HEIGHTS: usize = 1 << 18;
/// Maximum magnitude of a height, metres.
pub const HIGHEST: f32 = 1e4;

impl Heights {
    /// Creates a height field over a rectangle of `size` metres. `values` has rows of `columns` heights along x; rows follow
    /// each other along z.
    ///
    /// # Errors
    /// A message that says why the heights are invalid; it names a height by row and column, from 1.
    pub fn new(columns: usize, size: Vec2, values: Vec<f32>) -> Result<Self, String> {
        let n = values.len();
        if columns < 2 || !n.is_multiple_of(columns) || n / columns < 2 {
            return Err(format!(
                "{n} heights do not fill rows of {columns} columns; the minimum is 2 × 2"
            ));
        }
        if n > MAX_HEIGHTS {
            let rows = n / columns;
            return Err(format!(
                "{columns} × {rows} heights are too many; the limit is {MAX_HEIGHTS}"
            ));
        }
        if !(size.is_finite() && size.min_element() > 0.0) {
            return Err(format!("the size must be above 0 metres, got {size}"));
        }
        let is_wrong = |height: &f32| !height.is_finite() || height.abs() > HIGHEST;
        if let Some(at) = values.iter().position(is_wrong) {
            let (row, column) = (at / columns + 1, at % columns + 1);
            return Err(format!(
                "row {row}, column {column}: a height must be from -{HIGHEST} to {HIGHEST} metres, got {}",
                values[at]
            ));
        }
        Ok(Self {
            columns,
            rows: n / columns,
            size,
            values,
        })
    }

    /// Number of heights along x and along z.
    pub fn counts(&self) -> [usize; 2] {
        [self.columns, self.rows]
    }

    /// Size along x and z, metres.
    pub fn size(&self) -> Vec2 {
        self.size
    }

    /// All heights, row by row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Position of a grid vertex; beyond the edge, of the nearest one.
    pub fn position(&self, column: usize, row: usize) -> Vec3 {
        let (column, row) = (column.min(self.columns - 1), row.min(self.rows - 1));
        let along = |i: usize, n: usize, size: f32| (i as f32 / (n - 1) as f32 - 0.5) * size;
        Vec3::new(
            along(column, self.columns, self.size.x),
            self.values[row * self.columns + column],
            along(row, self.rows, self.size.y),
        )
    }

    /// Unit normal of the smooth surface at a grid vertex.
    pub fn normal(&self, column: usize, row: usize) -> Vec3 {
        let x = self.position(column + 1, row) - self.position(column.saturating_sub(1), row);
        let z = self.position(column, row + 1) - self.position(column, row.saturating_sub(1));
        z.cross(x).normalize_or(Vec3::Y)
    }

    /// The cell below a position, and the fractions 0..=1 into it along x and z; `None` beyond the edge.
    pub fn cell(&self, x: f32, z: f32) -> Option<([usize; 2], Vec2)> {
        let u = Vec2::new(x, z) / self.size + 0.5;
        if !(u.cmpge(Vec2::ZERO) & u.cmple(Vec2::ONE)).all() {
            return None;
        }
        let n = [self.columns - 1, self.rows - 1];
        let along = u * Vec2::new(n[0] as f32, n[1] as f32);
        let cell = [along.x, along.y].map(|a| a as usize);
        let cell = [cell[0].min(n[0] - 1), cell[1].min(n[1] - 1)];
        Some((cell, along - Vec2::new(cell[0] as f32, cell[1] as f32)))
    }

    /// Height of the surface at a position; `None` beyond the edge.
    pub fn height(&self, x: f32, z: f32) -> Option<f32> {
        let ([column, row], u) = self.cell(x, z)?;
        let at = |column: usize, row: usize| self.values[row * self.columns + column];
        let (right, front) = (at(column + 1, row), at(column, row + 1));
        // Cells are split from the corner at +z to the corner at +x.
        Some(if u.x + u.y <= 1.0 {
            let corner = at(column, row);
            corner + u.x * (right - corner) + u.y * (front - corner)
        } else {
            let corner = at(column + 1, row + 1);
            corner + (1.0 - u.x) * (front - corner) + (1.0 - u.y) * (right - corner)
        })
    }

    /// Triangles of all cells, facing up, as indices of heights.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        let n = self.columns;
        let corners = (0..self.rows - 1).flat_map(move |row| (0..n - 1).map(move |i| row * n + i));
        corners.flat_map(move |a| {
            let [a, b, c, d] = [a, a + 1, a + n, a + n + 1].map(|i| i as u32);
            [[a, c, b], [c, d, b]]
        })
    }

    /// Minimum and maximum height.
    pub fn range(&self) -> [f32; 2] {
        let low = self.values.iter().copied().fold(f32::INFINITY, f32::min);
        let high = self
            .values
            .iter()
            .copied()
            .fold(f32::NEG_INFINITY, f32::max);
        [low, high]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_between_vertices_are_on_the_triangles() {
        let values: Vec<f32> = (0..12).map(|i| (i * i % 7) as f32 * 0.3).collect();
        let ground = Heights::new(4, Vec2::new(6.0, 4.0), values).unwrap();
        assert_eq!(ground.counts(), [4, 3]);
        assert_eq!(ground.triangles().count(), 12);
        for corners in ground.triangles() {
            let corners = corners.map(|i| ground.position(i as usize % 4, i as usize / 4));
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            assert!(normal.y > 0.0);
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            let found = ground.height(middle.x, middle.z).unwrap();
            assert!((found - middle.y).abs() < 1e-5);
            for corner in corners {
                let found = ground.height(corner.x, corner.z).unwrap();
                assert!((found - corner.y).abs() < 1e-5);
            }
        }
        assert_eq!(ground.height(3.1, 0.0), None);
        assert_eq!(ground.height(f32::NAN, 0.0), None);
        let slope = Heights::new(2, Vec2::ONE, vec![0.0, 1.0, 0.0, 1.0]).unwrap();
        let normal = slope.normal(0, 1);
        assert!((normal - Vec3::new(-1.0, 1.0, 0.0).normalize()).length() < 1e-6);
    }

    #[test]
    fn invalid_heights_are_explained() {
        let why = |columns, n, wrong: Option<f32>| {
            let mut values = vec![0.0; n];
            if let Some(wrong) = wrong {
                values[5] = wrong;
            }
            Heights::new(columns, Vec2::ONE, values).unwrap_err()
        };
        assert_eq!(
            why(3, 9, Some(f32::NAN)),
            "row 2, column 3: a height must be from -10000 to 10000 metres, got NaN"
        );
        assert!(why(3, 8, None).contains("do not fill rows of 3 columns"));
        assert!(why(1, 8, None).contains("the minimum is 2 × 2"));
        assert!(why(1000, 300_000, None).contains("1000 × 300 heights are too many"));
        let flat = Heights::new(2, Vec2::new(1.0, f32::NAN), vec![0.0; 4]);
        assert!(flat.is_err());
    }
}
