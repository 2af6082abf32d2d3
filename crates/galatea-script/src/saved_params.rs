//! Parameters of a machine, as a saved game stores them.

use mlua::Value;
use serde::{Deserialize, Serialize};

use super::api::check::number;
use super::params::ParamTable;
use galatea_stage::Handle;

/// Parameters of a character's machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedParams {
    pub character: Handle,
    /// Values by name.
    values: Vec<(String, SavedParam)>,
}

/// Value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum SavedParam {
    Number(f64),
    Boolean(bool),
}

impl SavedParams {
    /// Copies the parameters of a machine.
    pub fn of(character: Handle, params: &ParamTable) -> Self {
        let value = |name: &str| match params.value(name) {
            Value::Boolean(value) => Some(SavedParam::Boolean(value)),
            other => number(&other).map(SavedParam::Number),
        };
        let names = params.declared.iter().map(|param| &param.name);
        let values = names.filter_map(|name| Some((name.clone(), value(name)?)));
        Self {
            character,
            values: values.collect(),
        }
    }

    /// Sets those that the machine has, with the same type.
    pub fn put_into(&self, params: &ParamTable) {
        for (name, saved) in &self.values {
            let value = match (saved, params.value(name)) {
                (SavedParam::Boolean(value), Value::Boolean(_)) => Value::Boolean(*value),
                (SavedParam::Number(value), now) if number(&now).is_some() => Value::Number(*value),
                _ => continue,
            };
            // Setting a key that exists in the table cannot fail.
            let _ = params.table.raw_set(name.as_str(), value);
        }
    }
}
