//! Rows of the tables of a recipe: their fields, with errors that name the row.

use std::fmt::Display;
use std::ops::RangeInclusive;

use glam::Vec3;
use mlua::{Table, Value};

use super::wrong;
use galatea_math::names::nearest_hint;
use galatea_script::toolkit::{number, vector};

/// A row of a table in a recipe.
pub(super) struct RecipeRow<'a> {
    pub table: &'a Table,
    /// Name of the row; all of its errors begin with it.
    pub name: String,
}

impl RecipeRow<'_> {
    pub fn error(&self, text: impl Display) -> mlua::Error {
        wrong(format!("{}: {text}", self.name))
    }

    /// Rejects fields that are not in `known`.
    pub fn check_keys(&self, known: &[&str]) -> mlua::Result<()> {
        for pair in self.table.pairs::<String, Value>() {
            let (key, _) = pair?;
            if !known.contains(&key.as_str()) {
                let hint = nearest_hint(&key, known.iter().copied());
                return Err(self.error(format_args!("unknown field {key:?}{hint}")));
            }
        }
        Ok(())
    }

    /// Reads a field; the error is `expected` if `read` returns `None`.
    pub fn read<T>(
        &self,
        key: &str,
        read: impl FnOnce(&Value) -> Option<T>,
        expected: impl Display,
    ) -> mlua::Result<Option<T>> {
        match self.table.raw_get::<Value>(key)? {
            Value::Nil => Ok(None),
            value => read(&value).map(Some).ok_or_else(|| self.error(expected)),
        }
    }

    /// A number within a range.
    pub fn number(&self, key: &str, range: RangeInclusive<f64>) -> mlua::Result<Option<f64>> {
        let within = |value: &Value| number(value).filter(|n| range.contains(n));
        let expected = format!("{key} must be from {} to {}", range.start(), range.end());
        self.read(key, within, expected)
    }

    /// Like [`RecipeRow::number`], in single precision.
    pub fn float(&self, key: &str, range: RangeInclusive<f64>) -> mlua::Result<Option<f32>> {
        Ok(self.number(key, range)?.map(|n| n as f32))
    }

    pub fn vector(&self, key: &str) -> mlua::Result<Option<Vec3>> {
        self.read(key, vector, format_args!("{key} must be a vector"))
    }
}
