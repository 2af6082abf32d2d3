//! Parameters of machines, as Lua tables.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Table, Value};

use galatea_machine::{MachineDef, ParamDef, ParamValue, SourceLocation};

/// A parameter that was set to a value of the wrong type. For one tick it is removed from its plain table, so that the
/// line that sets it again can be detected.
pub(crate) struct Watched {
    pub name: String,
    /// Wrong value.
    pub given: Value,
    /// Previous valid value, which scripts still read.
    pub kept: Value,
    /// Value and source location of a later assignment.
    pub set: Option<(Value, SourceLocation)>,
}

/// Watched parameters of one table.
pub(crate) type WatchedParams = Rc<RefCell<Vec<Watched>>>;

/// Parameters of one character's machine. They are in a plain table, so scripts read and write them without a function
/// call.
pub(super) struct ParamTable {
    pub table: Table,
    /// Parameters watched to find the line that sets them.
    pub watch: WatchedParams,
    /// Parameter definitions, in the machine's order.
    pub declared: Vec<ParamDef>,
    /// Source location of the machine definition.
    pub at: SourceLocation,
    /// Name of the character in messages.
    pub character: String,
    /// Values that the main part of the script left in the table, in the machine's order.
    pub written: Vec<Value>,
}

impl ParamTable {
    pub fn new(table: Table, watch: WatchedParams, def: MachineDef, whose: String) -> Self {
        let mut params = Self {
            table,
            watch,
            declared: def.params,
            at: def.location,
            character: whose,
            written: Vec::new(),
        };
        params.note_written();
        params
    }

    /// Reads a parameter as a number for the machine.
    ///
    /// # Errors
    /// Returns the value if it has the wrong type or is not finite.
    pub fn read(&self, param: &ParamDef) -> Result<f32, Value> {
        match (param.default, self.value(&param.name)) {
            (ParamValue::Number(_), Value::Number(n)) if (n as f32).is_finite() => Ok(n as f32),
            (ParamValue::Number(_), Value::Integer(n)) => Ok(n as f32),
            (ParamValue::Bool(_), Value::Boolean(b)) => Ok(f32::from(u8::from(b))),
            (_, other) => Err(other),
        }
    }

    /// Stops watching a parameter. Returns its entry if it was watched.
    pub fn unwatch(&self, name: &str) -> Option<Watched> {
        let mut watch = self.watch.borrow_mut();
        let at = watch.iter().position(|watched| watched.name == name)?;
        Some(watch.swap_remove(at))
    }

    /// Current value of a parameter.
    pub fn value(&self, name: &str) -> Value {
        self.table.raw_get(name).unwrap_or(Value::Nil)
    }

    pub fn note_written(&mut self) {
        let values = self.declared.iter().map(|param| self.value(&param.name));
        self.written = values.collect();
    }
}
