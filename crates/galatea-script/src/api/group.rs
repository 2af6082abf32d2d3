//! Tables that describe the functions of the Lua API, and the arguments of a call.

use std::any::Any;

use glam::Vec3;
use mlua::{Lua, Table, UserData, Value};
use smallvec::SmallVec;

use super::options::{Fields, OptionValue, Options};
use super::renamed::{NameOwner, foreign_message, new_name, renamed};
use super::types::{Param, Type};
use super::values::{number, object, text, vector};
use galatea_math::names::nearest_hint;

/// The Rust side of a function.
pub type Native = fn(&Lua, Args) -> mlua::Result<Value>;

/// A function of the API.
pub struct Function {
    /// Name in Lua.
    pub name: &'static str,
    /// Parameters in order; for methods without the object.
    pub params: &'static [Param],
    /// Type of the result in Luau's notation, empty for none.
    pub returns: &'static str,
    /// Description for the reference.
    pub doc: &'static str,
    /// Lua code that runs in the demo scene.
    pub example: &'static str,
    /// Implementation in Rust.
    pub call: Native,
}

impl Function {
    /// The shortest line of the example that calls the function; `None` if no line is complete in itself.
    pub fn example_line(&self) -> Option<&'static str> {
        let count = |line: &str, letters: [char; 2]| line.matches(letters).count();
        let is_complete = |line: &&str| {
            count(line, ['(', '{']) == count(line, [')', '}'])
                && line.contains("function") == line.trim_end_matches(')').ends_with("end")
        };
        let calls = |line: &&str| {
            line.split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|word| word == self.name)
        };
        let lines = self
            .example
            .lines()
            .filter(|line| !line.starts_with(char::is_whitespace));
        lines
            .filter(|line| calls(line) && is_complete(line))
            .min_by_key(|line| line.len())
    }
}

/// A property of an object, which scripts read and perhaps write like a field.
pub struct Property {
    /// Name in Lua.
    pub name: &'static str,
    /// Type in Luau's notation.
    pub ty: &'static str,
    /// Description for the reference.
    pub doc: &'static str,
    /// Reads the property; argument 0 is the object.
    pub get: Native,
    /// Writes the property, with the type of the value; `None` for a read-only property.
    pub set: Option<(Type, Native)>,
}

impl Property {
    /// Returns true if scripts may set the property.
    pub fn is_settable(&self) -> bool {
        self.set.is_some()
    }
}

/// A group of functions: the globals, a module (`sound.play`) or an object's methods.
pub struct Group {
    /// Kind of group.
    pub kind: Kind,
    /// Name of the module or of the object's type.
    pub name: &'static str,
    /// Description for the reference.
    pub doc: &'static str,
    /// Functions of the group.
    pub functions: &'static [Function],
    /// Properties of the group; objects only.
    pub properties: &'static [Property],
}

impl Group {
    /// Module or type of a function or property, and the separator between that and the name.
    pub(super) fn prefix(&self) -> (&'static str, &'static str) {
        match self.kind {
            Kind::Globals => ("", ""),
            Kind::Module => (self.name, "."),
            Kind::Object => (self.name, ":"),
        }
    }

    /// Owner of the group's names in the tables of renamed API names.
    pub fn owner(&self) -> NameOwner {
        match self.kind {
            Kind::Globals => NameOwner::Globals,
            Kind::Module => NameOwner::Module(self.name),
            Kind::Object => NameOwner::Object(self.name),
        }
    }

    /// Message for a name that the group had in an earlier version, or that another engine has; `None` for other names. It shows the example of a
    /// renamed method.
    pub fn renamed(&self, name: &str) -> Option<String> {
        let Some(text) = renamed(self.owner(), name) else {
            return foreign_message(self.owner(), name);
        };
        let new = new_name(self.owner(), name);
        let function = new.and_then(|new| self.functions.iter().find(|one| one.name == new));
        Some(match function.and_then(Function::example_line) {
            Some(example) => format!("{text}, as in {example}"),
            None => text,
        })
    }

    /// End of a message about an unknown name: the nearest name, or where all names are listed.
    pub fn hint(&self, name: &str) -> String {
        let functions = self.functions.iter().map(|function| function.name);
        let properties = self.properties.iter().map(|property| property.name);
        let hint = nearest_hint(name, functions.chain(properties));
        if hint.is_empty() {
            return format!(
                "; `galatea stubs --reference api.md` writes a page with all names of a {}",
                self.name
            );
        }
        hint
    }

    /// Name of a function in messages: `print`, `sound.play` or `character:play`.
    pub(super) fn call_of(&self, function: &Function) -> String {
        let name = function.name;
        match self.kind {
            Kind::Globals => name.to_owned(),
            Kind::Module => format!("{}.{name}", self.name),
            Kind::Object => format!("{}:{name}", self.name.to_lowercase()),
        }
    }
}

/// Kind of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Global functions.
    Globals,
    /// A table of functions.
    Module,
    /// Methods of a value.
    Object,
}

/// Argument values of a call. Most calls have at most four, which need no heap allocation.
pub type Values = SmallVec<[Value; 4]>;

/// Checked arguments of a call. For methods and properties the object is argument 0.
pub struct Args<'a> {
    /// Object of a property access; argument 0 of `values` is then nil.
    this: Option<&'a dyn Any>,
    /// Called function, if a script called it by its name.
    callee: Option<(&'static Group, &'static Function)>,
    values: Values,
}

impl<'a> Args<'a> {
    /// No arguments.
    pub fn none() -> Self {
        Self::unchecked([])
    }

    /// Arguments that skip the check; the caller guarantees that they are valid.
    pub fn unchecked(values: impl IntoIterator<Item = Value>) -> Self {
        Self {
            this: None,
            callee: None,
            values: values.into_iter().collect(),
        }
    }

    /// Arguments of a property access: its object, and the new value.
    pub fn of_property(this: &'a dyn Any, value: Value) -> Self {
        Self {
            this: Some(this),
            callee: None,
            values: SmallVec::from_buf_and_len([Value::Nil, value, Value::Nil, Value::Nil], 2),
        }
    }

    /// Arguments of a call, already checked.
    pub(super) fn of_call(
        group: &'static Group,
        function: &'static Function,
        values: Values,
    ) -> Self {
        Self {
            this: None,
            callee: Some((group, function)),
            values,
        }
    }

    /// Arguments with other values for the same call, checked against the same parameters.
    pub(super) fn with_values(&self, values: impl IntoIterator<Item = Value>) -> Self {
        Self {
            this: None,
            callee: self.callee,
            values: values.into_iter().collect(),
        }
    }

    /// Number of arguments in the call.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// An argument without conversion.
    pub fn value(&self, i: usize) -> Value {
        self.values.get(i).cloned().unwrap_or(Value::Nil)
    }

    /// An argument as a number; `None` if it is not one.
    pub fn number(&self, i: usize) -> Option<f64> {
        number(self.values.get(i)?)
    }

    /// An argument as a string; `None` if it is not one.
    pub fn text(&self, i: usize) -> Option<String> {
        text(self.values.get(i)?)
    }

    /// An argument as a boolean; `None` if it is not one.
    pub fn bool(&self, i: usize) -> Option<bool> {
        self.values.get(i)?.as_boolean()
    }

    /// An argument as a vector; `None` if it is not one.
    pub fn vector(&self, i: usize) -> Option<Vec3> {
        vector(self.values.get(i)?)
    }

    /// An argument as a function; `None` if it is not one.
    pub fn function(&self, i: usize) -> Option<mlua::Function> {
        self.values.get(i)?.as_function().cloned()
    }

    /// An argument as a table; `None` if it is not one.
    pub fn table(&self, i: usize) -> Option<Table> {
        self.values.get(i)?.as_table().cloned()
    }

    /// A clone of the content of a handle of type `T`.
    pub fn object<T: UserData + Clone + 'static>(&self, i: usize) -> Option<T> {
        match self.this {
            Some(this) if i == 0 => this.downcast_ref::<T>().cloned(),
            _ => object(self.values.get(i)?),
        }
    }

    /// Reads an argument as its declared type; `None` if it is left out.
    ///
    /// # Errors
    /// Fails if the value is invalid for a reason that the declared type does not express.
    pub fn read<T: OptionValue>(&self, i: usize) -> mlua::Result<Option<T>> {
        match self.value(i) {
            Value::Nil => Ok(None),
            value => T::from_value(value)
                .map(Some)
                .map_err(|why| self.wrong(i, why)),
        }
    }

    /// Reads a table of options as its declared struct.
    ///
    /// # Errors
    /// Fails if a field is invalid for a reason that the check of the arguments does not find.
    pub fn options<T: Options>(&self, i: usize) -> mlua::Result<T> {
        T::from_fields(&self.fields(i)).map_err(|why| self.wrong(i, why))
    }

    /// Error for an argument, with the names of the function and the parameter.
    fn wrong(&self, i: usize, why: String) -> mlua::Error {
        let named = self.callee.and_then(|(group, function)| {
            let param = i.checked_sub(usize::from(group.kind == Kind::Object))?;
            let param = function.params.get(param)?;
            let call = group.call_of(function);
            Some(format!("{call}: {}", param.fault(&why)))
        });
        mlua::Error::runtime(named.unwrap_or(why))
    }

    /// A table of options; empty if it is left out.
    pub fn fields(&self, i: usize) -> Fields {
        Fields(self.table(i))
    }
}
