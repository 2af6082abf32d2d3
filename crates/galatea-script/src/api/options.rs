//! Tables of options as structs: the trait that `#[derive(Options)]` implements, and the Rust types of fields.

use glam::Vec3;
use mlua::{Table, Value};

use super::types::{Shape, Type};
use super::values::{describe, number, text, vector};

/// A struct for the table of options of a function. Derived.
///
#[doc = include_str!("../../../galatea-derive/src/example.md")]
pub trait Options: Sized {
    /// Name, documentation and fields.
    const SHAPE: &'static Shape;

    /// Builds the struct from a table that has passed the check against `SHAPE`.
    ///
    /// # Errors
    /// Fails if a required field is missing, or if a type rejects a value that the check accepted.
    fn from_fields(fields: &Fields) -> Result<Self, String>;
}

/// A type of a field in a struct of options.
pub trait OptionValue: Sized {
    /// Lua type for the check of arguments.
    const TYPE: Type;

    /// Converts a value that has passed the check against `TYPE`.
    ///
    /// # Errors
    /// Fails if the value is invalid for a reason that `TYPE` does not express.
    fn from_value(value: Value) -> Result<Self, String>;
}

/// Checked options.
pub struct Fields(pub Option<Table>);

impl Fields {
    /// Takes the fields of a table; empty for other values.
    pub fn of(value: &Value) -> Self {
        Self(value.as_table().cloned())
    }

    /// Reads a field as its declared type; `None` if it is missing.
    ///
    /// # Errors
    /// Fails if the value is invalid for a reason that the declared type does not express.
    pub fn read<T: OptionValue>(&self, name: &str) -> Result<Option<T>, String> {
        match self.value(name) {
            Value::Nil => Ok(None),
            value => T::from_value(value)
                .map(Some)
                .map_err(|wrong| format!("field {name:?}: {wrong}")),
        }
    }

    /// Returns a field; nil if it is missing.
    fn value(&self, name: &str) -> Value {
        self.0
            .as_ref()
            .and_then(|table| table.raw_get(name).ok())
            .unwrap_or(Value::Nil)
    }
}

fn expected<T>(what: &str, value: &Value) -> Result<T, String> {
    Err(format!("expected {what}, got {}", describe(value)))
}

/// Implements [`OptionValue`] for number types.
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
            None => expected("a string", &value),
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

/// A function; the field's attribute `ty` describes its parameters.
impl OptionValue for mlua::Function {
    const TYPE: Type = Type::Function("(...any) -> ...any");

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Function(function) => Ok(function),
            other => expected("a function", &other),
        }
    }
}

/// A table that the called function checks; the field's attribute `ty` describes its content.
impl OptionValue for Table {
    const TYPE: Type = Type::Table("{ [any]: any }");

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Table(table) => Ok(table),
            other => expected("a table", &other),
        }
    }
}

/// A value of one of several types, which the field's attribute `ty` lists.
impl OptionValue for Value {
    const TYPE: Type = Type::Any;

    fn from_value(value: Value) -> Result<Self, String> {
        Ok(value)
    }
}

/// A list of values of one type; each value is checked.
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

/// One value or a list of them.
pub struct OneOrMany<T>(pub Vec<T>);

impl<T: OptionValue> OptionValue for OneOrMany<T> {
    const TYPE: Type = Type::OneOf(&[T::TYPE, Type::List(&T::TYPE)]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Table(_) => Vec::from_value(value).map(Self),
            value => T::from_value(value).map(|one| Self(vec![one])),
        }
    }
}

impl<T> Default for OneOrMany<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Values by name, sorted by name, because a Lua table has no order.
pub struct ByName<T>(pub Vec<(String, T)>);

impl<T: OptionValue> OptionValue for ByName<T> {
    const TYPE: Type = Type::Map(&T::TYPE);

    fn from_value(value: Value) -> Result<Self, String> {
        let Value::Table(table) = value else {
            return expected("a table", &value);
        };
        let mut named = Vec::new();
        for pair in table.pairs::<Value, Value>() {
            let (key, value) = pair.map_err(|error| error.to_string())?;
            let name = String::from_value(key)?;
            let value = T::from_value(value).map_err(|wrong| format!("entry {name:?}: {wrong}"))?;
            named.push((name, value));
        }
        named.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(Self(named))
    }
}

impl<T> Default for ByName<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// A number, or the minimum and maximum of a random number.
#[derive(Clone, Copy)]
pub struct NumberRange(pub [f32; 2]);

impl OptionValue for NumberRange {
    const TYPE: Type = OneOrMany::<f32>::TYPE;

    fn from_value(value: Value) -> Result<Self, String> {
        match OneOrMany::from_value(value)?.0[..] {
            [both] => Ok(Self([both; 2])),
            [low, high] if low <= high => Ok(Self([low, high])),
            _ => Err("expected a number or { min, max }, with min not above max".into()),
        }
    }
}

/// Implements [`OptionValue`] for an enum by words: `words!(ToneMap { "agx" => ToneMap::Agx, … })`.
#[macro_export]
macro_rules! words {
    ($type:ty { $($word:literal => $value:expr),* $(,)? }) => {
        impl $crate::toolkit::OptionValue for $type {
            const TYPE: $crate::toolkit::Type = $crate::toolkit::Type::Word(&[$($word),*]);

            fn from_value(value: $crate::toolkit::Value) -> Result<Self, String> {
                match $crate::toolkit::text(&value).as_deref() {
                    $(Some($word) => Ok($value),)*
                    _ => Err(format!("unknown value {}", $crate::toolkit::describe(&value))),
                }
            }
        }
    };
}

/// Implements [`OptionValue`] for handles of runtime objects: `objects!(CharacterRef: "Character")`.
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

#[cfg(test)]
mod tests {
    use super::super::check::{Args, Param, Type, check_params};
    use super::*;
    use galatea_derive::Options;
    use mlua::Lua;

    /// What both have.
    #[derive(Debug, Options, PartialEq)]
    struct Common {
        /// How much of it shows.
        #[option(default = 1.0, clamp = 0.0..=1.0)]
        weight: f32,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Side {
        Left,
        Right,
    }
    words!(Side { "left" => Side::Left, "right" => Side::Right });

    /// One of a list.
    #[derive(Debug, Options, PartialEq)]
    struct Point {
        /// Where it is.
        at: Vec3,
    }

    /// All that a struct of options
    /// may have.
    #[derive(Debug, Options, PartialEq)]
    struct Everything {
        #[option(flatten)]
        common: Common,
        /// Time to fade.
        #[option(default = 0.25, unit = "seconds", range = 0.0..)]
        fade: f32,
        /// How heavy it is.
        #[option(default = 1.0, unit = "kilograms", above = 0.0)]
        mass: f32,
        /// Which hand.
        #[option(default_doc = "the nearer")]
        side: Option<Side>,
        /// What it is called.
        #[option(default = "thing")]
        name: String,
        /// Begins again.
        #[option(default = false)]
        r#loop: bool,
        /// Where it goes.
        #[option(name = "points", default = Vec::new(), default_doc = "none")]
        way: Vec<Point>,
        /// How many.
        count: u32,
    }

    fn read(text: &str) -> Result<Everything, String> {
        const PARAMS: &[Param] = &[Param::options(Everything::SHAPE)];
        let lua = Lua::new();
        let value: Value = lua.load(text).eval().unwrap();
        check_params(|| "f".into(), PARAMS, std::slice::from_ref(&value))?;
        let args = Args::unchecked([value]);
        args.options(0).map_err(|error| error.to_string())
    }

    #[test]
    fn a_table_is_read_into_its_struct() {
        let all = "{ count = 2, weight = 7, fade = 0, mass = 0.5, side = 'right', name = 'a', loop = true,
            points = { { at = vector.create(1, 2, 3) } } }";
        let expected = Everything {
            common: Common { weight: 1.0 },
            fade: 0.0,
            mass: 0.5,
            side: Some(Side::Right),
            name: "a".into(),
            r#loop: true,
            way: vec![Point {
                at: Vec3::new(1.0, 2.0, 3.0),
            }],
            count: 2,
        };
        assert_eq!(read(all), Ok(expected));
        let expected = Everything {
            common: Common { weight: 1.0 },
            fade: 0.25,
            mass: 1.0,
            side: None,
            name: "thing".into(),
            r#loop: false,
            way: Vec::new(),
            count: 0,
        };
        assert_eq!(read("{ count = 0 }"), Ok(expected));
    }

    #[test]
    fn an_invalid_option_is_reported_with_its_field() {
        for (text, wrong) in [
            (
                "{ count = 1, fade = -1 }",
                "field \"fade\": must be 0 or more, got -1",
            ),
            (
                "{ count = 1, mass = 0 }",
                "field \"mass\": must be more than 0, got 0",
            ),
            (
                "{ count = 1, fad = 1 }",
                "unknown field \"fad\"; did you mean \"fade\"?",
            ),
            (
                "{ count = 1, side = 'top' }",
                "field \"side\": unknown value \"top\"",
            ),
            (
                "{ count = 1, weight = 'a' }",
                "field \"weight\": expected a number, got the string \"a\"",
            ),
            ("{ fade = 1 }", "field \"count\" is missing"),
            (
                "{ count = 1, points = { {} } }",
                "field \"points\": entry 1: field \"at\" is missing",
            ),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.contains(wrong), "{text}: {said}");
        }
    }

    /// A list with a field.
    #[derive(Debug, Options, PartialEq)]
    #[option(entries = Type::Text)]
    struct Listed {
        #[option(flatten)]
        common: Common,
    }

    #[test]
    fn a_table_with_a_list_may_have_entries_without_names() {
        let lua = Lua::new();
        let check = |text: &str| {
            let value: Value = lua.load(text).eval().unwrap();
            Listed::TYPE.check(&value)?;
            Listed::from_value(value).map(|listed| listed.common.weight)
        };
        assert_eq!(check("{ 'a', weight = 0.5, 'b' }"), Ok(0.5));
        let unknown = check("{ 'a', wieght = 1 }").unwrap_err();
        assert!(unknown.contains("\"weight\""), "{unknown}");
        let other = check("{ [true] = 1 }").unwrap_err();
        assert!(other.contains("unexpected entry true"), "{other}");
        assert!(
            Common::TYPE
                .check(&lua.load("{ 1 }").eval().unwrap())
                .is_err()
        );
    }

    #[test]
    fn a_shape_lists_names_types_defaults_units_and_limits() {
        let shape = Everything::SHAPE;
        assert_eq!(
            (shape.name, shape.doc),
            ("Everything", "All that a struct of options may have")
        );
        let fields: Vec<_> = shape
            .all()
            .into_iter()
            .map(|field| (field.luau(), field.default, field.meaning()))
            .collect();
        let told = |luau: &str, default: &'static str, meaning: &str| {
            (luau.to_owned(), default, meaning.to_owned())
        };
        assert_eq!(
            fields,
            [
                told("weight: number?", "1", "How much of it shows (0 to 1)"),
                told("fade: number?", "0.25", "Time to fade (seconds, 0 or more)"),
                told(
                    "mass: number?",
                    "1",
                    "How heavy it is (kilograms, more than 0)"
                ),
                told("side: (\"left\" | \"right\")?", "the nearer", "Which hand"),
                told("name: string?", "\"thing\"", "What it is called"),
                told("loop: boolean?", "false", "Begins again"),
                told("points: { Point }?", "none", "Where it goes"),
                told("count: number", "", "How many"),
            ]
        );
        assert_eq!(Everything::TYPE.luau(), "Everything");
        assert!(matches!(Point::TYPE, Type::Options(shape) if shape.field("at").is_some()));
    }
}
