//! The parameters of machines, as tables of scripts.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Table, Value};

use galatea_machine::{MachineDef, ParamDef, ParamValue, SourceLocation};

/// A parameter that was found set to what it cannot be. For a tick it is not in its plain table, so that
/// the line which sets it again is seen.
pub(crate) struct Watched {
    pub name: String,
    /// What it was set to.
    pub given: Value,
    /// What it keeps, and reads as.
    pub kept: Value,
    /// What it was set to since, and where.
    pub set: Option<(Value, SourceLocation)>,
}

/// The parameters of one table that are watched.
pub(crate) type WatchedParams = Rc<RefCell<Vec<Watched>>>;

/// The parameters of one character's machine: a plain table, so that reading and writing them from a
/// script costs no call.
pub(super) struct ParamTable {
    pub table: Table,
    /// What of it is watched for who sets it.
    pub watch: WatchedParams,
    /// The parameters in the machine's order, with the kinds of their values.
    pub declared: Vec<ParamDef>,
    /// Where the machine was written.
    pub at: SourceLocation,
    /// Names the character in messages.
    pub whose: String,
    /// What the main part of the script left in it, in the machine's order.
    pub written: Vec<Value>,
}

impl ParamTable {
    pub fn new(table: Table, watch: WatchedParams, def: MachineDef, whose: String) -> Self {
        let mut params = Self {
            table,
            watch,
            declared: def.params,
            at: def.at,
            whose,
            written: Vec::new(),
        };
        params.note_written();
        params
    }

    /// A parameter's value as the machine reads it.
    ///
    /// # Errors
    /// What it was set to, where that is not of its kind.
    pub fn read(&self, param: &ParamDef) -> Result<f32, Value> {
        match (param.default, self.value(&param.name)) {
            (ParamValue::Number(_), Value::Number(n)) if (n as f32).is_finite() => Ok(n as f32),
            (ParamValue::Number(_), Value::Integer(n)) => Ok(n as f32),
            (ParamValue::Bool(_), Value::Boolean(b)) => Ok(f32::from(u8::from(b))),
            (_, other) => Err(other),
        }
    }

    /// Ends the watch on a parameter, if there is one.
    pub fn unwatch(&self, name: &str) -> Option<Watched> {
        let mut watch = self.watch.borrow_mut();
        let at = watch.iter().position(|watched| watched.name == name)?;
        Some(watch.swap_remove(at))
    }

    /// What a parameter is now.
    pub fn value(&self, name: &str) -> Value {
        self.table.raw_get(name).unwrap_or(Value::Nil)
    }

    pub fn note_written(&mut self) {
        let values = self.declared.iter().map(|param| self.value(&param.name));
        self.written = values.collect();
    }
}
