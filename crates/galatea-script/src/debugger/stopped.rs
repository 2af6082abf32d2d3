//! A script that is stopped: its call stack, and its variables.

use std::cell::{Cell, RefCell};
use std::ffi::c_int;
use std::rc::Rc;

use mlua::{Lua, ObjectLike as _, Value};

use super::raw_stack::{RawPlace, RawStack};
use super::stops::StopReason;
use super::watch_scope::{compiled, environment};
use crate::budget::Budget;
use crate::console::print::{all_shown, group_of, in_one_line, kind_of};
use crate::fault::Fault;
use crate::sources::Texts;
use crate::world::SharedWorld;
use galatea_stage::Stage;

/// Maximum number of functions of a call stack that are shown.
const MAX_FRAMES: c_int = 200;
/// Maximum number of entries of a table that are shown.
const MAX_PARTS: usize = 500;
/// Steps that an evaluated expression may take.
const EVALUATION_STEPS: u64 = 1_000_000;

/// A function of a script on the call stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackFrame {
    /// Name; `main part` for the code outside of functions.
    pub name: String,
    /// Path of the script, relative to the project.
    pub file: String,
    /// The current line, from 1.
    pub line: u32,
    level: c_int,
}

/// Variables of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableScope {
    /// Locals and arguments.
    Locals,
    /// Locals of the functions around it, which it uses.
    Captured,
    /// Globals of the scripts.
    Globals,
}

/// A variable, or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    /// Name, or key of the part.
    pub name: String,
    /// Value in Lua notation, on one line.
    pub value: String,
    /// Type of the value: `number`, `table`, `Character` and so on.
    pub kind: String,
    /// Number for [`StoppedScript::parts`]; 0 if it has no parts.
    pub reference: u32,
}

/// A script that is stopped.
pub struct StoppedScript {
    stack: RawStack,
    /// Code that is evaluated here does not stop.
    evaluates: Rc<Cell<bool>>,
    reason: StopReason,
    frames: Vec<StackFrame>,
    /// Values with parts that were shown.
    shown: RefCell<Vec<Value>>,
}

impl StoppedScript {
    pub(super) fn new(stack: RawStack, evaluates: Rc<Cell<bool>>) -> Self {
        let levels = 0..stack.depth().min(MAX_FRAMES);
        let frames = levels.filter_map(|level| {
            let frame = stack.frame(level)?;
            let file = frame.source.strip_prefix('@')?.to_owned();
            let name = match (frame.name.as_str(), frame.first_line) {
                ("", 1) => "main part".to_owned(),
                ("", line) => format!("function in line {line}"),
                (name, _) => name.to_owned(),
            };
            Some(StackFrame {
                name,
                file,
                line: frame.line,
                level,
            })
        });
        Self {
            frames: frames.collect(),
            stack,
            evaluates,
            reason: StopReason::Pause,
            shown: RefCell::default(),
        }
    }

    pub(super) fn because(mut self, reason: StopReason) -> Self {
        self.reason = reason;
        self
    }

    pub(super) fn lua(&self) -> &Lua {
        self.stack.lua()
    }

    /// Reason of the stop.
    pub fn reason(&self) -> &StopReason {
        &self.reason
    }

    /// Functions on the call stack, innermost first. Functions of the runtime are left out.
    pub fn frames(&self) -> &[StackFrame] {
        &self.frames
    }

    /// Texts of the loaded scripts, by path.
    pub fn texts(&self) -> Texts {
        let world = self.lua().app_data_ref::<SharedWorld>();
        let texts = world.and_then(|world| {
            let world = world.try_borrow().ok()?;
            Some(world.program.sources.texts.clone())
        });
        texts.unwrap_or_default()
    }

    /// A copy of the stage as it is now.
    pub fn stage(&self) -> Option<Stage> {
        let world = self.lua().app_data_ref::<SharedWorld>()?;
        Some(world.try_borrow().ok()?.stage.clone())
    }

    /// The variables of a function, by its index in [`StoppedScript::frames`]. Inner variables hide outer ones of the same
    /// name.
    pub fn variables(&self, frame: usize, scope: VariableScope) -> Vec<Variable> {
        let Some(level) = self.frames.get(frame).map(|frame| frame.level) else {
            return Vec::new();
        };
        self.aside(|| match scope {
            VariableScope::Locals => self.read_all(level, RawPlace::Local),
            VariableScope::Captured => self.read_all(level, RawPlace::Captured),
            VariableScope::Globals => {
                let globals = self.stack.globals(level).ok().flatten();
                globals.map_or_else(Vec::new, |globals| self.entries(&globals, true))
            }
        })
    }

    fn read_all(&self, level: c_int, place: impl Fn(c_int) -> RawPlace) -> Vec<Variable> {
        let mut all: Vec<Variable> = Vec::new();
        for (name, value) in named(&self.stack, level, place) {
            all.retain(|one| one.name != name);
            all.push(self.variable(name, value));
        }
        all
    }

    /// The parts of a value: entries of a table, properties of an object, coordinates of a vector.
    pub fn parts(&self, reference: u32) -> Vec<Variable> {
        let index = (reference as usize).checked_sub(1);
        let value = index.and_then(|index| self.shown.borrow().get(index).cloned());
        self.aside(|| match value {
            Some(Value::Table(table)) => self.entries(&table, false),
            Some(Value::Vector(v)) => {
                let parts = [("x", v.x()), ("y", v.y()), ("z", v.z())];
                let parts = parts.map(|(name, value)| {
                    self.variable(name.to_owned(), Value::Number(f64::from(value)))
                });
                parts.into()
            }
            Some(Value::UserData(data)) => {
                let group = kind_of(&data).and_then(|kind| group_of(&kind));
                let properties = group.map_or(&[][..], |group| group.properties);
                let parts = properties.iter().map(|property| {
                    let name = property.name.to_owned();
                    match data.get::<Value>(property.name) {
                        Ok(value) => self.variable(name, value),
                        Err(error) => Variable {
                            name,
                            value: format!("<{}>", Fault::from_lua(&error).text),
                            ..Variable::default()
                        },
                    }
                });
                parts.collect()
            }
            _ => Vec::new(),
        })
    }

    /// Evaluates an expression, or runs statements, with the variables of a function. Assignments change them.
    ///
    /// # Errors
    /// The message of the error in the code.
    pub fn evaluate(&self, frame: usize, code: &str) -> Result<Variable, String> {
        let value = self.value(frame, code)?;
        let mut variable = self.aside(|| self.variable(code.to_owned(), value.clone()));
        // The whole value, on several lines.
        if let Ok([text]) = self.aside(|| all_shown(self.lua(), &[value])).as_deref() {
            text.clone_into(&mut variable.value);
        }
        Ok(variable)
    }

    fn value(&self, frame: usize, code: &str) -> Result<Value, String> {
        let level = self.frames.get(frame).map_or(0, |frame| frame.level);
        let lua = self.lua();
        self.aside(|| {
            let scope = environment(&self.stack, level)?;
            let result =
                compiled(lua, code, &scope.table).and_then(|function| function.call::<Value>(()));
            scope.close();
            result
        })
        .map_err(|error| Fault::from_lua(&error).text)
    }

    /// Evaluates an expression in the innermost function: whether it is true, and its value as a text.
    pub(super) fn is_true(&self, expression: &str) -> Result<(bool, String), String> {
        let value = self.value(0, expression)?;
        let is_true = !matches!(value, Value::Nil | Value::Boolean(false));
        let text = match &value {
            Value::String(text) => text.to_string_lossy(),
            _ => self.variable(String::new(), value).value,
        };
        Ok((is_true, text))
    }

    /// Prints a line as the script would.
    pub(super) fn print(&self, line: String) {
        if let Some(world) = self.lua().app_data_ref::<SharedWorld>()
            && let Ok(mut world) = world.try_borrow_mut()
        {
            world.print(line);
        }
    }

    /// Runs code of the debugger with a budget of its own.
    fn aside<R>(&self, run: impl FnOnce() -> R) -> R {
        let budget = self.lua().app_data_ref::<Rc<Budget>>();
        let budget = budget.map(|budget| budget.clone());
        let was_stopped = self.evaluates.replace(true);
        let result = match budget {
            Some(budget) => budget.aside(EVALUATION_STEPS, run),
            None => run(),
        };
        self.evaluates.set(was_stopped);
        result
    }

    fn variable(&self, name: String, value: Value) -> Variable {
        let text = in_one_line(self.lua(), &value)
            .unwrap_or_else(|error| format!("<{}>", Fault::from_lua(&error).text));
        let (kind, has_parts) = match &value {
            Value::UserData(data) => {
                let kind = kind_of(data).unwrap_or_else(|| "value".into());
                let group = group_of(&kind);
                let has_parts = group.is_some_and(|group| !group.properties.is_empty());
                (kind, has_parts)
            }
            Value::Table(table) => ("table".to_owned(), !table.is_empty()),
            Value::Vector(_) => ("vector".to_owned(), true),
            Value::Integer(_) => ("number".to_owned(), false),
            other => (other.type_name().to_owned(), false),
        };
        let mut reference = 0;
        if has_parts {
            let mut shown = self.shown.borrow_mut();
            shown.push(value);
            reference = u32::try_from(shown.len()).unwrap_or_default();
        }
        Variable {
            name,
            value: text,
            kind,
            reference,
        }
    }

    /// Entries of a table: the list part first, then by name. `hides_functions` leaves out functions, which fill the
    /// globals.
    fn entries(&self, table: &mlua::Table, hides_functions: bool) -> Vec<Variable> {
        let n_list = table.raw_len();
        let (mut list, mut named, mut n_hidden) = (Vec::new(), Vec::new(), 0);
        for (key, value) in table.pairs::<Value, Value>().flatten() {
            if hides_functions && (value.is_function() || value.as_table() == Some(table)) {
                continue;
            }
            if list.len() + named.len() >= MAX_PARTS {
                n_hidden += 1;
                continue;
            }
            let index = key.as_f64().filter(|n| n.fract() == 0.0 && *n >= 1.0);
            match (index.map(|n| n as usize), key.as_string()) {
                (Some(index), _) if index <= n_list => list.push((index, value)),
                (_, Some(name)) => named.push((name.to_string_lossy(), value)),
                _ => named.push((self.variable(String::new(), key).value, value)),
            }
        }
        list.sort_by_key(|(index, _)| *index);
        named.sort_by(|(a, _), (b, _)| a.cmp(b));
        let list = list
            .into_iter()
            .map(|(index, value)| (index.to_string(), value));
        let all = list.chain(named);
        let mut all: Vec<Variable> = all
            .map(|(name, value)| self.variable(name, value))
            .collect();
        if n_hidden > 0 {
            all.push(Variable {
                name: format!("… {n_hidden} more"),
                ..Variable::default()
            });
        }
        all
    }
}

/// Names and values of the variables of a function, in order of declaration.
pub(super) fn named(
    stack: &RawStack,
    level: c_int,
    place: impl Fn(c_int) -> RawPlace,
) -> Vec<(String, Value)> {
    let all = (1..).map_while(|n| stack.read(level, place(n)).ok().flatten());
    // Loops have variables of their own, without a name that a script could use.
    all.filter(|(name, _)| !name.is_empty() && !name.starts_with('('))
        .collect()
}
