//! Arguments, checked against the table that declares them.

use std::any::Any;

use glam::Vec3;
use mlua::{Table, UserData, Value};
use smallvec::SmallVec;

use super::Group;
pub use super::options::{ByName, Fields, NumberRange, OneOrMany, OptionValue, Options};
pub use super::types::{Field, Limits, Param, Shape, Type, check_params};
pub use super::values::{decimal, describe, lua_number, lua_vector, number, object, text, vector};

/// Arguments as they come: most calls have few, which then take no memory of their own.
pub type Values = SmallVec<[Value; 4]>;

/// Checked arguments of a call. For methods and properties the object is argument 0.
pub struct Args<'a> {
    /// The object whose property it is; then argument 0 of `values` is nothing.
    this: Option<&'a dyn Any>,
    values: Values,
}

impl<'a> Args<'a> {
    /// No arguments.
    pub fn none() -> Self {
        Self {
            this: None,
            values: SmallVec::new(),
        }
    }

    /// Arguments that the caller vouches for.
    pub fn unchecked(values: impl IntoIterator<Item = Value>) -> Self {
        Self {
            this: None,
            values: values.into_iter().collect(),
        }
    }

    /// The arguments of a property: its object, and the value that it is set to.
    pub fn of_property(this: &'a dyn Any, value: Value) -> Self {
        Self {
            this: Some(this),
            values: SmallVec::from_buf_and_len([Value::Nil, value, Value::Nil, Value::Nil], 2),
        }
    }

    /// Arguments of a call, checked against the parameters of the function.
    ///
    /// # Errors
    /// A missing argument, one too many, or one of another type, with the function and the parameter.
    pub fn checked(
        group: &Group,
        name: &str,
        params: &[Param],
        values: Values,
        is_own: impl Fn(&Value) -> bool,
    ) -> mlua::Result<Self> {
        let call = || match group.kind {
            super::Kind::Globals => name.to_owned(),
            super::Kind::Module => format!("{}.{name}", group.name),
            super::Kind::Object => format!("{}:{name}", group.name.to_lowercase()),
        };
        let given = if group.kind == super::Kind::Object {
            if !values.first().is_some_and(is_own) {
                return Err(mlua::Error::runtime(format!(
                    "{} is a method: write object:{name}(…) with a colon",
                    call()
                )));
            }
            &values[1..]
        } else {
            &values[..]
        };
        let variadic = params.is_empty() && name == "print";
        if !variadic {
            check_params(call, params, given).map_err(mlua::Error::runtime)?;
        }
        Ok(Self { this: None, values })
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
            value => T::from_value(value).map(Some).map_err(mlua::Error::runtime),
        }
    }

    /// A table of options, as the struct that it is declared as.
    ///
    /// # Errors
    /// What is wrong with a field, where the check of the arguments has not said it.
    pub fn options<T: Options>(&self, i: usize) -> mlua::Result<T> {
        T::from_fields(&self.fields(i)).map_err(mlua::Error::runtime)
    }

    /// A table of options; empty when left out.
    pub fn fields(&self, i: usize) -> Fields {
        Fields(self.table(i))
    }
}
