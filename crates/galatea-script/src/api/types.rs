//! Declared parameters, option tables and types of the Lua API, and the checks of values against them.

use glam::Vec3;
use mlua::{Table, Value};

use super::renamed::{NameOwner, foreign_message, renamed};
use super::values::{describe, number, text};
use crate::tokens::KEYWORDS;
use galatea_math::names::nearest_hint;

/// A declared parameter.
pub struct Param {
    /// Name, used in messages and type stubs.
    pub name: &'static str,
    /// Accepted type.
    pub ty: Type,
    /// True if the parameter may be omitted.
    pub optional: bool,
}

impl Param {
    /// Message about a wrong value. A wrong field of a table of options is named itself.
    pub fn fault(&self, why: &str) -> String {
        let is_field = why.starts_with("field ") || why.starts_with("unknown field ");
        match self.name {
            "options" if is_field => why.to_owned(),
            name => format!("argument {name:?}: {why}"),
        }
    }

    /// A required parameter.
    pub const fn required(name: &'static str, ty: Type) -> Self {
        Self {
            name,
            ty,
            optional: false,
        }
    }

    /// An optional last parameter: a table with the fields of a shape.
    pub const fn options(shape: &'static Shape) -> Self {
        Self {
            name: "options",
            ty: Type::Options(shape),
            optional: true,
        }
    }
}

/// A table of options, as declared by the Rust struct that it is read into.
pub struct Shape {
    /// Name of the type in Luau.
    pub name: &'static str,
    /// Description for the reference.
    pub doc: &'static str,
    /// Fields of this shape, without included shapes.
    pub fields: &'static [Field],
    /// Shapes whose fields are accepted as well.
    pub includes: &'static [&'static Shape],
    /// Type of the list entries, if the table is also a list. The called function checks them.
    pub entries: Option<&'static Type>,
}

/// A vector and a colour in messages.
const VECTOR: &str = "a vector such as vec(0, 1, 0)";
const COLOR: &str = "a colour vec(red, green, blue), each from 0 to 1";

impl Shape {
    /// Calls `f` with each field, those of included shapes first, until it returns a value.
    fn find<T>(&'static self, f: &mut impl FnMut(&'static Field) -> Option<T>) -> Option<T> {
        self.includes
            .iter()
            .find_map(|included| included.find(f))
            .or_else(|| self.fields.iter().find_map(f))
    }

    /// Returns the field with this name.
    pub fn field(&'static self, name: &str) -> Option<&'static Field> {
        self.find(&mut |field| (field.name == name).then_some(field))
    }

    /// All fields, those of included shapes first.
    pub fn all(&'static self) -> Vec<&'static Field> {
        let mut all = Vec::new();
        self.find::<()>(&mut |field| {
            all.push(field);
            None
        });
        all
    }

    /// Error message for an unknown field.
    pub fn unknown_field(&'static self, name: &str) -> String {
        self.renamed(name).unwrap_or_else(|| {
            let hint = nearest_hint(name, self.all().into_iter().map(|field| field.name));
            format!("unknown field {name:?}{hint}")
        })
    }

    /// Error message for a field that this or an included shape had in an earlier version.
    fn renamed(&self, name: &str) -> Option<String> {
        let mut included = self.includes.iter();
        let owner = NameOwner::Options(self.name);
        renamed(owner, name)
            .or_else(|| foreign_message(owner, name))
            .or_else(|| included.find_map(|shape| shape.renamed(name)))
    }

    /// Checks the value of a field; returns a message for the user.
    pub fn check_field(&'static self, name: &str, value: &Value) -> Result<(), String> {
        let Some(field) = self.field(name) else {
            return Err(self.unknown_field(name));
        };
        field
            .check(value)
            .map_err(|wrong| match name.contains("color") {
                true => wrong.replace(VECTOR, COLOR),
                false => wrong,
            })
            .map_err(|wrong| format!("field {name:?}: {wrong}"))
    }

    /// Checks a table; returns a message for the user.
    fn check(&'static self, table: &Table) -> Result<(), String> {
        for pair in table.pairs::<Value, Value>() {
            let Ok((key, value)) = pair else { continue };
            match &key {
                Value::String(name) => self.check_field(&name.to_string_lossy(), &value)?,
                key if self.entries.is_some() && number(key).is_some() => {}
                key => return Err(format!("unexpected entry {}", describe(key))),
            }
        }
        let missing = self.find(&mut |field| {
            let is_missing = || table.raw_get(field.name).is_ok_and(|v: Value| v.is_nil());
            (field.is_required && is_missing()).then_some(field.name)
        });
        match missing {
            Some(name) => Err(format!("field {name:?} is missing")),
            None => Ok(()),
        }
    }
}

/// A declared field of a table of options.
pub struct Field {
    /// Name of the field.
    pub name: &'static str,
    /// Accepted type.
    pub ty: Type,
    /// Description for the reference.
    pub doc: &'static str,
    /// Default value as text; empty if `doc` describes it or there is none.
    pub default: &'static str,
    /// Unit of a number, or empty.
    pub unit: &'static str,
    /// Limits of a number, or of each number in a list or map.
    pub limits: Option<Limits>,
    /// True if the field is required.
    pub is_required: bool,
}

impl Field {
    /// An optional field that is fully described by its documentation.
    pub const fn new(name: &'static str, ty: Type, doc: &'static str) -> Self {
        Self {
            name,
            ty,
            doc,
            default: "",
            unit: "",
            limits: None,
            is_required: false,
        }
    }

    /// Checks a value against type and limits; returns a message for the user.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        self.ty.check(value)?;
        let own = self.limits.as_ref();
        let is_clamped = own.is_some_and(|limits| limits.clamps);
        let world = (self.unit == "metres" && !is_clamped).then_some(&WORLD);
        let mut limits = own.into_iter().chain(world);
        limits.try_for_each(|limits| limits.check(&self.ty, value))
    }

    /// Formats the field as part of a Luau table type.
    pub fn luau(&self) -> String {
        // Keywords need brackets as field names in a table type.
        let name = if KEYWORDS.contains(&self.name) {
            format!("[{:?}]", self.name)
        } else {
            self.name.to_owned()
        };
        let ty = self.ty.luau();
        if self.is_required {
            format!("{name}: {ty}")
        } else if matches!(self.ty, Type::Function(_) | Type::OneOf(_) | Type::Word(_)) {
            format!("{name}: ({ty})?")
        } else {
            format!("{name}: {ty}?")
        }
    }

    /// Returns the unit and the limits as text; empty if the field has neither.
    pub fn unit_and_limits(&self) -> String {
        let limits = self.limits.as_ref().map(Limits::in_words);
        match (self.unit, limits) {
            (unit, None) => unit.to_owned(),
            ("", Some(limits)) => limits,
            (unit, Some(limits)) => format!("{unit}, {limits}"),
        }
    }

    /// Returns the description, with unit and limits at the end of its first sentence.
    pub fn meaning(&self) -> String {
        let note = self.unit_and_limits();
        match self.doc.split_once(". ") {
            _ if note.is_empty() => self.doc.to_owned(),
            Some((first, rest)) => format!("{first} ({note}). {rest}"),
            None => format!("{} ({note})", self.doc),
        }
    }
}

/// Limits of a number.
pub struct Limits {
    /// Minimum, or negative infinity.
    pub min: f64,
    /// Maximum, or infinity.
    pub max: f64,
    /// True if the minimum itself is excluded.
    pub excludes_min: bool,
    /// True if a number outside is clamped; false if it is an error.
    pub clamps: bool,
}

impl Limits {
    fn in_words(&self) -> String {
        match (self.min.is_finite(), self.max.is_finite()) {
            (true, false) if self.excludes_min => format!("more than {}", self.min),
            (true, true) => format!("{} to {}", self.min, self.max),
            (true, false) => format!("{} or more", self.min),
            _ => format!("{} or less", self.max),
        }
    }

    fn check(&self, ty: &Type, value: &Value) -> Result<(), String> {
        match (ty, value) {
            (Type::OneOf(types), _) => types.iter().try_for_each(|ty| self.check(ty, value)),
            (Type::List(of), Value::Table(table)) => {
                check_list(table, |value| self.check(of, value))
            }
            (Type::Map(of), Value::Table(table)) => check_map(table, |value| self.check(of, value)),
            _ => match number(value) {
                Some(n) if !self.clamps && !self.contains(n) => {
                    Err(format!("must be {}, got {n}", self.in_words()))
                }
                _ => Ok(()),
            },
        }
    }

    fn contains(&self, n: f64) -> bool {
        // A value just above the minimum may be equal to it as f32.
        let is_least = n as f32 == self.min as f32;
        (self.min..=self.max).contains(&n) && !(self.excludes_min && is_least)
    }
}

/// Accepted type of a value.
pub enum Type {
    /// Any value.
    Any,
    /// A finite number.
    Number,
    /// A string.
    Text,
    /// A boolean.
    Bool,
    /// A vector of finite numbers.
    Vector,
    /// A function, with its type in Luau notation.
    Function(&'static str),
    /// A buffer.
    Buffer,
    /// A userdata of the runtime, by the type's name.
    Object(&'static str),
    /// A table with the fields of a shape and no others.
    Options(&'static Shape),
    /// A list of values of one type.
    List(&'static Type),
    /// A map from names to values of one type.
    Map(&'static Type),
    /// A table whose content the called function checks, with its type in Luau notation.
    Table(&'static str),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A value of any of these types.
    OneOf(&'static [Type]),
}

impl Type {
    /// Formats the type in Luau notation, for stubs and the reference.
    pub fn luau(&self) -> String {
        match self {
            Self::Any => "any".into(),
            Self::Number => "number".into(),
            Self::Text => "string".into(),
            Self::Bool => "boolean".into(),
            Self::Vector => "vector".into(),
            Self::Function(text) | Self::Table(text) => (*text).into(),
            Self::Buffer => "buffer".into(),
            Self::Object(name) => (*name).into(),
            Self::Options(shape) => shape.name.into(),
            Self::List(of) => format!("{{ {} }}", of.luau()),
            Self::Map(of) => format!("{{ [string]: {} }}", of.luau()),
            Self::Word(words) => words
                .iter()
                .map(|word| format!("{word:?}"))
                .collect::<Vec<_>>()
                .join(" | "),
            Self::OneOf(types) => {
                let types = types.iter().map(|ty| match ty {
                    Self::Function(text) => format!("({text})"),
                    ty => ty.luau(),
                });
                types.collect::<Vec<_>>().join(" | ")
            }
        }
    }

    fn in_words(&self) -> String {
        match self {
            Self::Any => "a value".into(),
            Self::Number => "a number".into(),
            Self::Text => "a string".into(),
            Self::Bool => "true or false".into(),
            Self::Vector => VECTOR.into(),
            Self::Function(_) => "a function".into(),
            Self::Buffer => "a buffer".into(),
            Self::Object(name) => format!("a {name}"),
            Self::Options(_) | Self::Map(_) | Self::Table(_) => "a table".into(),
            Self::List(_) => "a list".into(),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::OneOf(types) => {
                let words: Vec<String> = types.iter().map(Self::in_words).collect();
                match words.split_last() {
                    Some((last, rest)) if !rest.is_empty() => {
                        format!("{} or {last}", rest.join(", "))
                    }
                    _ => words.concat(),
                }
            }
        }
    }

    /// Checks a value against the type; returns a message for the user.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        let wrong = || {
            Err(format!(
                "expected {}, got {}",
                self.in_words(),
                describe(value)
            ))
        };
        match (self, value) {
            (Self::Any, _)
            | (Self::Text, Value::String(_))
            | (Self::Bool, Value::Boolean(_))
            | (Self::Function(_), Value::Function(_))
            | (Self::Buffer, Value::Buffer(_))
            | (Self::Table(_), Value::Table(_)) => Ok(()),
            (Self::Number, Value::Integer(n)) => in_range(*n as f64),
            (Self::Number, Value::Number(n)) => in_range(*n),
            (Self::Vector, Value::Vector(v)) => {
                let largest = Vec3::new(v.x(), v.y(), v.z()).abs();
                if f64::from(largest.x.max(largest.y).max(largest.z)) <= MAX_COORDINATE
                    && largest.is_finite()
                {
                    Ok(())
                } else {
                    Err(format!(
                        "{v} is out of range; coordinates must be -{MAX_COORDINATE} to {MAX_COORDINATE}"
                    ))
                }
            }
            (Self::Object(name), Value::UserData(data)) => {
                if data.type_name().is_ok_and(|n| n.to_string_lossy() == *name) {
                    Ok(())
                } else {
                    wrong()
                }
            }
            (Self::Word(words), Value::String(text)) => {
                let text = text.to_string_lossy();
                if words.contains(&text.as_str()) {
                    return Ok(());
                }
                let hint = nearest_hint(&text, words.iter().copied());
                Err(format!("unknown value {text:?}{hint}"))
            }
            (Self::Options(shape), Value::Table(table)) => shape.check(table),
            (Self::List(of), Value::Table(table)) => check_list(table, |value| of.check(value)),
            (Self::Map(of), Value::Table(table)) => check_map(table, |value| of.check(value)),
            (Self::OneOf(types), value) => {
                if types.iter().any(|ty| ty.check(value).is_ok()) {
                    return Ok(());
                }
                let same_kind = types.iter().find(|ty| {
                    matches!(
                        (ty, value),
                        (
                            Self::Options(_) | Self::List(_) | Self::Map(_),
                            Value::Table(_)
                        ) | (Self::Word(_), Value::String(_))
                            | (Self::Vector, Value::Vector(_))
                            | (Self::Number, Value::Number(_))
                    )
                });
                match same_kind {
                    Some(ty) => ty.check(value),
                    None => wrong(),
                }
            }
            _ => wrong(),
        }
    }
}

/// Largest number that a function accepts.
pub const MAX_NUMBER: f64 = 1e12;

/// Largest coordinate that a function accepts. Its fourth power is finite as `f32`, which the solvers need.
pub const MAX_COORDINATE: f64 = 1e9;

/// Limits of a length without limits of its own, metres: the size of the world.
static WORLD: Limits = Limits {
    min: -1e6,
    max: 1e6,
    excludes_min: false,
    clamps: false,
};

fn in_range(n: f64) -> Result<(), String> {
    if n.abs() <= MAX_NUMBER {
        Ok(())
    } else {
        Err(format!(
            "{n} is out of range; numbers must be -{MAX_NUMBER} to {MAX_NUMBER}"
        ))
    }
}

/// Checks the arguments of a call; returns a message for the user.
pub fn check_params(
    call: impl Fn() -> String,
    params: &[Param],
    given: &[Value],
) -> Result<(), String> {
    for (i, param) in params.iter().enumerate() {
        let value = given.get(i).unwrap_or(&Value::Nil);
        if param.optional && value.is_nil() {
            continue;
        }
        param
            .ty
            .check(value)
            .map_err(|wrong| format!("{}: {}", call(), param.fault(&wrong)))?;
    }
    if given.len() > params.len() {
        return Err(format!(
            "{} takes {} argument{}, got {}",
            call(),
            params.len(),
            if params.len() == 1 { "" } else { "s" },
            given.len()
        ));
    }
    Ok(())
}

fn check_list(table: &Table, check: impl Fn(&Value) -> Result<(), String>) -> Result<(), String> {
    for (i, value) in table.sequence_values::<Value>().enumerate() {
        let Ok(value) = value else { continue };
        check(&value).map_err(|wrong| format!("entry {}: {wrong}", i + 1))?;
    }
    Ok(())
}

fn check_map(table: &Table, check: impl Fn(&Value) -> Result<(), String>) -> Result<(), String> {
    for pair in table.pairs::<Value, Value>() {
        let Ok((key, value)) = pair else { continue };
        let Some(name) = text(&key) else {
            return Err(format!("expected names as keys, got {}", describe(&key)));
        };
        check(&value).map_err(|wrong| format!("entry {name:?}: {wrong}"))?;
    }
    Ok(())
}
