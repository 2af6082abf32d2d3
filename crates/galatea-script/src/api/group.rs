//! The tables that say what scripts can call, and the arguments of a call.

use std::any::Any;

use glam::Vec3;
use mlua::{Lua, Table, UserData, Value};
use smallvec::SmallVec;

use super::options::{Fields, OptionValue, Options};
use super::renamed::{NameOwner, foreign_hint, renamed};
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
    /// What it does.
    pub doc: &'static str,
    /// A line that works in the demo.
    pub example: &'static str,
    /// The implementation.
    pub call: Native,
}

/// A value of an object that is read and perhaps written like a field.
pub struct Property {
    /// Name in Lua.
    pub name: &'static str,
    /// Type in Luau's notation.
    pub ty: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Reads it; its argument is the object.
    pub get: Native,
    /// Writes it, with the type of the value; `None` for what is read only.
    pub set: Option<(Type, Native)>,
}

impl Property {
    /// True when scripts may set it.
    pub fn is_settable(&self) -> bool {
        self.set.is_some()
    }
}

/// A group of functions: the globals, a module (`sound.play`) or an object's methods.
pub struct Group {
    /// What kind of group it is.
    pub kind: Kind,
    /// Name of the module or of the object's type.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// Its functions.
    pub functions: &'static [Function],
    /// Its properties; objects only.
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

    /// The owner of its names in the tables of changed names.
    pub fn owner(&self) -> NameOwner {
        match self.kind {
            Kind::Globals => NameOwner::Globals,
            Kind::Module => NameOwner::Module(self.name),
            Kind::Object => NameOwner::Object(self.name),
        }
    }

    /// Message for a name that it had in an earlier version; `None` for other names.
    pub fn renamed(&self, name: &str) -> Option<String> {
        renamed(self.owner(), name)
    }

    /// End of a message about a name that it does not have: what replaces a name of another engine, or the nearest name.
    pub fn hint(&self, name: &str) -> String {
        let functions = self.functions.iter().map(|function| function.name);
        let properties = self.properties.iter().map(|property| property.name);
        let foreign = foreign_hint(self.owner(), name);
        foreign.unwrap_or_else(|| nearest_hint(name, functions.chain(properties)))
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

/// What kind of group it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Global functions.
    Globals,
    /// A table of functions.
    Module,
    /// Methods of a value.
    Object,
}

/// Arguments as they come: most calls have few, which then take no memory of their own.
pub type Values = SmallVec<[Value; 4]>;

/// Checked arguments of a call. For methods and properties the object is argument 0.
pub struct Args<'a> {
    /// The object whose property it is; then argument 0 of `values` is nothing.
    this: Option<&'a dyn Any>,
    /// The function that is called, where a script calls it by its name.
    callee: Option<(&'static Group, &'static Function)>,
    values: Values,
}

impl<'a> Args<'a> {
    /// No arguments.
    pub fn none() -> Self {
        Self::unchecked([])
    }

    /// Arguments that the caller vouches for.
    pub fn unchecked(values: impl IntoIterator<Item = Value>) -> Self {
        Self {
            this: None,
            callee: None,
            values: values.into_iter().collect(),
        }
    }

    /// The arguments of a property: its object, and the value that it is set to.
    pub fn of_property(this: &'a dyn Any, value: Value) -> Self {
        Self {
            this: Some(this),
            callee: None,
            values: SmallVec::from_buf_and_len([Value::Nil, value, Value::Nil, Value::Nil], 2),
        }
    }

    /// Arguments of a call, which were checked.
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

    /// Other arguments of the same call, checked against the same parameters.
    pub(super) fn with_values(&self, values: impl IntoIterator<Item = Value>) -> Self {
        Self {
            this: None,
            callee: self.callee,
            values: values.into_iter().collect(),
        }
    }

    /// Number of arguments that were given.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// An argument as it is.
    pub fn value(&self, i: usize) -> Value {
        self.values.get(i).cloned().unwrap_or(Value::Nil)
    }

    /// A number.
    pub fn number(&self, i: usize) -> Option<f64> {
        number(self.values.get(i)?)
    }

    /// A text.
    pub fn text(&self, i: usize) -> Option<String> {
        text(self.values.get(i)?)
    }

    /// A truth value.
    pub fn bool(&self, i: usize) -> Option<bool> {
        self.values.get(i)?.as_boolean()
    }

    /// A vector.
    pub fn vector(&self, i: usize) -> Option<Vec3> {
        vector(self.values.get(i)?)
    }

    /// A function.
    pub fn function(&self, i: usize) -> Option<mlua::Function> {
        self.values.get(i)?.as_function().cloned()
    }

    /// A table.
    pub fn table(&self, i: usize) -> Option<Table> {
        self.values.get(i)?.as_table().cloned()
    }

    /// A clone of what a handle of type `T` holds.
    pub fn object<T: UserData + Clone + 'static>(&self, i: usize) -> Option<T> {
        match self.this {
            Some(this) if i == 0 => this.downcast_ref::<T>().cloned(),
            _ => object(self.values.get(i)?),
        }
    }

    /// An argument as the type that it is declared with; `None` where it is left out.
    ///
    /// # Errors
    /// What is wrong with it, where its declared type does not say all.
    pub fn read<T: OptionValue>(&self, i: usize) -> mlua::Result<Option<T>> {
        match self.value(i) {
            Value::Nil => Ok(None),
            value => T::from_value(value)
                .map(Some)
                .map_err(|why| self.wrong(i, why)),
        }
    }

    /// A table of options, as the struct that it is declared as.
    ///
    /// # Errors
    /// What is wrong with a field, where the check of the arguments has not said it.
    pub fn options<T: Options>(&self, i: usize) -> mlua::Result<T> {
        T::from_fields(&self.fields(i)).map_err(|why| self.wrong(i, why))
    }

    /// What is wrong with an argument, with the function and the parameter.
    fn wrong(&self, i: usize, why: String) -> mlua::Error {
        let named = self.callee.and_then(|(group, function)| {
            let param = i.checked_sub(usize::from(group.kind == Kind::Object))?;
            let param = function.params.get(param)?;
            let call = group.call_of(function);
            Some(format!("{call}: argument {:?}: {why}", param.name))
        });
        mlua::Error::runtime(named.unwrap_or(why))
    }

    /// A table of options; empty when left out.
    pub fn fields(&self, i: usize) -> Fields {
        Fields(self.table(i))
    }
}
