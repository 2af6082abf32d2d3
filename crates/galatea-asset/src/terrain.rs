//! Terrain from a height map: smooth, with a colour per cell.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::model::{Model, Primitive};
use super::primitive_mesh::{GREY, uid, whole};
use galatea_math::heights::Heights;

/// Terrain, centred on the middle of the rectangle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terrain {
    /// Height map.
    #[serde(with = "galatea_persist::shared")]
    pub heights: Arc<Heights>,
    /// Linear colour of each cell, row by row; empty for terrain of one colour.
    pub colors: Vec<Vec3>,
}

impl Terrain {
    /// Hash of the terrain, the same on every machine.
    pub fn number(&self) -> u64 {
        let [columns, rows] = self.heights.counts().map(|n| n as f32);
        let colors = self.colors.iter().flat_map(|color| color.to_array());
        let numbers = [columns, rows].into_iter();
        let numbers = numbers.chain(self.heights.size().to_array());
        let numbers = numbers.chain(self.heights.values().iter().copied());
        uid(numbers.chain(colors).flat_map(f32::to_le_bytes))
    }

    /// Model: one rigid part with one material, texture coordinates in metres.
    pub fn model(&self) -> Model {
        let heights = &self.heights;
        let [columns, rows] = heights.counts();
        let all = || (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)));
        let positions: Vec<Vec3> = all().map(|(x, z)| heights.position(x, z)).collect();
        let is_plain = self.colors.is_empty();
        let primitive = Primitive {
            normals: all().map(|(x, z)| heights.normal(x, z)).collect(),
            uv0: positions.iter().map(|p| Vec2::new(p.x, p.z)).collect(),
            colors: if is_plain {
                Vec::new()
            } else {
                all().map(|at| self.color(at).extend(1.0)).collect()
            },
            indices: heights.triangles().flatten().collect(),
            positions,
            ..Primitive::default()
        };
        let color = if is_plain { GREY } else { Vec3::ONE };
        whole("terrain", self.number(), primitive, color)
    }

    /// Mean colour of the cells that share a grid point.
    fn color(&self, (column, row): (usize, usize)) -> Vec3 {
        let [columns, rows] = self.heights.counts().map(|n| n - 1);
        let around = |i: usize, n: usize| i.saturating_sub(1)..(i + 1).min(n);
        let cells = around(row, rows)
            .flat_map(|row| around(column, columns).map(move |column| row * columns + column));
        let found = cells.filter_map(|cell| self.colors.get(cell));
        let (sum, n) = found.fold((Vec3::ZERO, 0.0), |(sum, n), color| (sum + color, n + 1.0));
        if n > 0.0 { sum / n } else { GREY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terrain_is_drawn_where_its_heights_are_and_colours_blend_from_cell_to_cell() {
        let values = vec![0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let heights = Arc::new(Heights::new(3, Vec2::new(4.0, 2.0), values).unwrap());
        let plain = Terrain {
            heights,
            colors: Vec::new(),
        };
        let colored = Terrain {
            colors: vec![Vec3::X, Vec3::Y],
            ..plain.clone()
        };
        assert_ne!(plain.number(), colored.number());
        let model = colored.model();
        let primitive = &model.meshes[0].primitives[0];
        assert_eq!(primitive.positions[4], Vec3::new(0.0, 1.0, 1.0));
        assert_eq!(primitive.indices.len(), 12);
        assert_eq!(primitive.uv0[0], Vec2::new(-2.0, -1.0));
        assert!(primitive.normals[4].y > 0.6 && primitive.normals[4].z < 0.0);
        assert_eq!(primitive.colors[0], Vec3::X.extend(1.0));
        assert_eq!(primitive.colors[1], Vec3::new(0.5, 0.5, 0.0).extend(1.0));
        assert!(plain.model().meshes[0].primitives[0].colors.is_empty());
    }
}
