//! Tables of options as structs: what `#[derive(Options)]` implements, and which Rust types a field may have.

use glam::Vec3;
use mlua::{Table, Value};

use super::types::{Shape, Type};
use super::values::{describe, number, text, vector};

/// A struct that a function takes as a table of options. Derived.
pub trait Options: Sized {
    /// Name, documentation and fields.
    const SHAPE: &'static Shape;

    /// The struct from a table that has passed the check against `SHAPE`.
    ///
    /// # Errors
    /// A required field that is missing, or a value that its type refuses although the check let it pass.
    fn from_fields(fields: &Fields) -> Result<Self, String>;
}

/// A type that a field of a struct of options may have.
pub trait OptionValue: Sized {
    /// What the check demands.
    const TYPE: Type;

    /// The value from one that has passed the check against `TYPE`.
    ///
    /// # Errors
    /// What is wrong with it, where `TYPE` does not say all.
    fn from_value(value: Value) -> Result<Self, String>;
}

/// Checked options.
pub struct Fields(pub Option<Table>);

impl Fields {
    /// The fields of a table; none where it is none.
    pub fn of(value: &Value) -> Self {
        Self(value.as_table().cloned())
    }

    /// A field as the type that it is declared with; `None` where it is missing.
    ///
    /// # Errors
    /// What is wrong with it, where its declared type does not say all.
    pub fn read<T: OptionValue>(&self, name: &str) -> Result<Option<T>, String> {
        match self.value(name) {
            Value::Nil => Ok(None),
            value => T::from_value(value)
                .map(Some)
                .map_err(|wrong| format!("field {name:?}: {wrong}")),
        }
    }

    /// A field; nil where it is missing.
    pub fn value(&self, name: &str) -> Value {
        self.0
            .as_ref()
            .and_then(|table| table.raw_get(name).ok())
            .unwrap_or(Value::Nil)
    }

    /// A number, if the field is there.
    pub fn number(&self, name: &str) -> Option<f64> {
        number(&self.value(name))
    }

    /// A number, which must be `least` to `most`.
    pub fn within(&self, name: &str, least: f64, most: f64) -> mlua::Result<Option<f32>> {
        match self.number(name) {
            Some(n) if !(least..=most).contains(&n) => {
                let range = if most.is_finite() {
                    format!("{least} to {most}")
                } else {
                    format!("{least} or more")
                };
                let wrong = format!("{name}: must be {range}, got {n}");
                Err(mlua::Error::runtime(wrong))
            }
            n => Ok(n.map(|n| n as f32)),
        }
    }

    /// A string, if the field is there.
    pub fn text(&self, name: &str) -> Option<String> {
        text(&self.value(name))
    }

    /// A boolean, if the field is there.
    pub fn bool(&self, name: &str) -> Option<bool> {
        self.value(name).as_boolean()
    }

    /// A vector, if the field is there.
    pub fn vector(&self, name: &str) -> Option<Vec3> {
        vector(&self.value(name))
    }

    /// A function, if the field is there.
    pub fn function(&self, name: &str) -> Option<mlua::Function> {
        self.value(name).as_function().cloned()
    }
}

fn expected<T>(what: &str, value: &Value) -> Result<T, String> {
    Err(format!("expected {what}, got {}", describe(value)))
}

/// Implements [`OptionValue`] for types of numbers.
macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl OptionValue for $number {
            const TYPE: Type = Type::Number;

            fn from_value(value: Value) -> Result<Self, String> {
                match number(&value) {
                    Some(n) => Ok(n as $number),
                    None => expected("a number", &value),
                }
            }
        }
    )*};
}
numbers!(f32, f64, u8, u16, u32, u64, usize, i32);

impl OptionValue for bool {
    const TYPE: Type = Type::Bool;

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Boolean(is_true) => Ok(is_true),
            other => expected("true or false", &other),
        }
    }
}

impl OptionValue for String {
    const TYPE: Type = Type::Text;

    fn from_value(value: Value) -> Result<Self, String> {
        match text(&value) {
            Some(text) => Ok(text),
            None => expected("a text", &value),
        }
    }
}

impl OptionValue for Vec3 {
    const TYPE: Type = Type::Vector;

    fn from_value(value: Value) -> Result<Self, String> {
        match vector(&value) {
            Some(v) => Ok(v),
            None => expected("a vector", &value),
        }
    }
}

/// A function whose parameters the field's attribute `ty` names.
impl OptionValue for mlua::Function {
    const TYPE: Type = Type::Function("(...any) -> ...any");

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Function(function) => Ok(function),
            other => expected("a function", &other),
        }
    }
}

/// A table whose content the function checks, and the field's attribute `ty` describes.
impl OptionValue for Table {
    const TYPE: Type = Type::Table("{ [any]: any }");

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Table(table) => Ok(table),
            other => expected("a table", &other),
        }
    }
}

/// Names: one text or a list of them.
pub struct Names(pub Vec<String>);

impl OptionValue for Names {
    const TYPE: Type = Type::OneOf(&[Type::Text, Type::List(&Type::Text)]);

    fn from_value(value: Value) -> Result<Self, String> {
        match &value {
            Value::String(text) => Ok(Self(vec![text.to_string_lossy()])),
            _ => Vec::from_value(value).map(Self),
        }
    }
}

/// A value of several types, which the field's attribute `ty` lists.
impl OptionValue for Value {
    const TYPE: Type = Type::Any;

    fn from_value(value: Value) -> Result<Self, String> {
        Ok(value)
    }
}

/// A list of values of one type, each of which is checked.
impl<T: OptionValue> OptionValue for Vec<T> {
    const TYPE: Type = Type::List(&T::TYPE);

    fn from_value(value: Value) -> Result<Self, String> {
        let Value::Table(table) = value else {
            return expected("a list", &value);
        };
        let values = table.sequence_values::<Value>().enumerate();
        values
            .map(|(i, value)| {
                let value = value.map_err(|error| error.to_string())?;
                T::from_value(value).map_err(|wrong| format!("entry {}: {wrong}", i + 1))
            })
            .collect()
    }
}

/// Implements [`OptionValue`] for a type that scripts name by words: `words!(ToneMap { "agx" => ToneMap::Agx, … })`.
#[macro_export]
macro_rules! words {
    ($type:ty { $($word:literal => $value:expr),* $(,)? }) => {
        impl $crate::toolkit::OptionValue for $type {
            const TYPE: $crate::toolkit::Type = $crate::toolkit::Type::Word(&[$($word),*]);

            fn from_value(value: $crate::toolkit::Value) -> Result<Self, String> {
                match $crate::toolkit::text(&value).as_deref() {
                    $(Some($word) => Ok($value),)*
                    _ => Err(format!("unknown word {}", $crate::toolkit::describe(&value))),
                }
            }
        }
    };
}

/// Implements [`OptionValue`] for handles of objects of the runtime: `objects!(CharacterRef: "Character")`.
#[macro_export]
macro_rules! objects {
    ($($handle:ty: $name:literal),* $(,)?) => {$(
        impl $crate::toolkit::OptionValue for $handle {
            const TYPE: $crate::toolkit::Type = $crate::toolkit::Type::Object($name);

            fn from_value(value: $crate::toolkit::Value) -> Result<Self, String> {
                $crate::toolkit::object(&value)
                    .ok_or_else(|| format!("expected a {}, got {}", $name, $crate::toolkit::describe(&value)))
            }
        }
    )*};
}
