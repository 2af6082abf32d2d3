//! A control cage while a recipe draws it.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};
use mlua::{Table, Value};

use super::wrong;
use galatea_forge::cage::{Cage, CageFace};
use galatea_script::toolkit::number;

/// Limit of points per cage.
const MAX_POINTS: usize = 100_000;

/// A cage, and the current state for adding faces.
#[derive(Debug, Default)]
pub(super) struct CageDrawing {
    pub cage: Cage,
    /// Names of paints, by index.
    pub paints: Vec<String>,
    pub paint: u16,
    /// Names of charts, by index.
    pub charts: Vec<String>,
    pub chart: u16,
    /// Texture coordinates of points, if set.
    pub uv: BTreeMap<u32, Vec2>,
    /// Length of u after which the texture wraps.
    pub around: Option<f32>,
}

impl CageDrawing {
    /// Adds a point and returns its index.
    pub fn add(&mut self, at: Vec3, hold: f32) -> mlua::Result<u32> {
        if self.cage.points.len() >= MAX_POINTS {
            return Err(wrong(format!("the limit is {MAX_POINTS} points per cage")));
        }
        if self.paints.is_empty() {
            self.paints.push("skin".into());
        }
        Ok(self.cage.point(at, hold))
    }

    /// Index of an existing point.
    pub fn known(&self, value: &Value) -> mlua::Result<u32> {
        let n = number(value).filter(|n| n.fract() == 0.0 && *n >= 1.0);
        let i = n
            .map(|n| n as usize - 1)
            .filter(|i| *i < self.cage.points.len());
        i.map(|i| i as u32).ok_or_else(|| {
            wrong(format!(
                "expected a point number from 1 to {}",
                self.cage.points.len()
            ))
        })
    }

    /// Adds a face, or a triangle if the last two corners are equal.
    pub fn face(&mut self, corners: [u32; 4]) -> mlua::Result<()> {
        let [a, b, c, d] = corners;
        let triangle = c == d;
        let mut own = if triangle {
            vec![a, b, c]
        } else {
            vec![a, b, c, d]
        };
        own.sort_unstable();
        if own.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(wrong("a face needs three or four different points"));
        }
        self.cage.faces.push(CageFace {
            corners,
            paint: self.paint,
            chart: self.chart,
        });
        Ok(())
    }

    /// Indices of the points in a table.
    pub fn row(&self, table: &Table) -> mlua::Result<Vec<u32>> {
        let values = table.sequence_values::<Value>();
        values.map(|value| self.known(&value?)).collect()
    }
}
