//! Limits of the values that recipes pass to functions: magnitude of numbers, depth and size of tables.

use mlua::{Lua, Table, Value};

use super::types::Param;
use super::values::describe;
use crate::budget::charge;

/// Limits of the arguments of every call in a VM, including values in tables. They are app data of the VM.
#[derive(Clone, Copy, Debug)]
pub struct ArgumentLimits {
    /// Maximum magnitude of a number.
    pub number: f64,
    /// Maximum depth of nested tables.
    pub depth: usize,
}

/// Cost of checking an entry of a table, in steps of the script's budget.
const ROUNDS_PER_ENTRY: u64 = 20;
/// Maximum value of an argument or field with the name `seed`.
const MAX_SEED: f64 = u32::MAX as f64;

impl ArgumentLimits {
    /// Checks the arguments of a call; the error names the parameter and the entry.
    ///
    /// # Errors
    /// Returns an error for a number that is NaN, infinite or too large, for tables that are nested too deep, and if the
    /// script's budget is used up.
    pub(super) fn check(
        self,
        lua: &Lua,
        call: impl Fn() -> String,
        params: &[Param],
        given: &[Value],
    ) -> mlua::Result<()> {
        for (value, param) in given.iter().zip(params) {
            self.check_value(lua, param.name, value, 0)?
                .map_err(|wrong| {
                    mlua::Error::runtime(format!("{}: {}", call(), param.fault(&wrong)))
                })?;
        }
        Ok(())
    }

    /// Checks the value that a function of the script returned.
    ///
    /// # Errors
    /// Returns the errors of [`Self::check`], without a name.
    pub fn check_result(self, lua: &Lua, value: &Value) -> mlua::Result<()> {
        self.check_value(lua, "", value, 0)?
            .map_err(mlua::Error::runtime)
    }

    fn check_value(
        self,
        lua: &Lua,
        name: &str,
        value: &Value,
        depth: usize,
    ) -> mlua::Result<Result<(), String>> {
        let max = if name == "seed" {
            MAX_SEED
        } else {
            self.number
        };
        let is_within = match value {
            Value::Number(n) => n.abs() <= max,
            Value::Integer(n) => n.unsigned_abs() as f64 <= max,
            Value::Vector(v) => [v.x(), v.y(), v.z()]
                .into_iter()
                .all(|n| f64::from(n).abs() <= max),
            Value::Table(table) => return self.check_table(lua, table, depth),
            _ => true,
        };
        Ok(if is_within {
            Ok(())
        } else {
            Err(format!(
                "numbers must be -{max} to {max}, got {}",
                describe(value)
            ))
        })
    }

    fn check_table(
        self,
        lua: &Lua,
        table: &Table,
        depth: usize,
    ) -> mlua::Result<Result<(), String>> {
        if depth >= self.depth {
            return Ok(Err(format!(
                "tables can be nested at most {} deep; does this table contain itself?",
                self.depth
            )));
        }
        for pair in table.pairs::<Value, Value>() {
            let (key, value) = pair?;
            // Every entry is charged, because a table that is in many others is visited once for each.
            charge(lua, ROUNDS_PER_ENTRY)?;
            let name = key.as_string().map(|text| text.to_string_lossy());
            let name = name.as_deref().unwrap_or_default();
            if let Err(wrong) = self.check_value(lua, name, &value, depth + 1)? {
                let key = match &key {
                    Value::String(_) => format!("{name:?}"),
                    Value::Integer(n) => n.to_string(),
                    Value::Number(n) => n.to_string(),
                    other => describe(other),
                };
                return Ok(Err(format!("entry {key}: {wrong}")));
            }
        }
        Ok(Ok(()))
    }
}
