//! Arguments, checked against the table that declares them.

use std::any::Any;

use glam::Vec3;
use mlua::{AnyUserData, Table, UserData, Value};
use smallvec::SmallVec;

use super::Group;
use galatea_anim::PlayMode;
use galatea_math::names::nearest_hint;

/// A declared parameter.
pub struct Param {
    /// Name, for messages and stubs.
    pub name: &'static str,
    /// What it must be.
    pub ty: Type,
    /// May be left out.
    pub optional: bool,
}

impl Param {
    /// A last parameter with these fields, which may be left out.
    pub const fn options(fields: &'static [Field]) -> Self {
        Self {
            name: "options",
            ty: Type::Fields(fields),
            optional: true,
        }
    }
}

/// A declared field of a table of options.
pub struct Field {
    /// Name.
    pub name: &'static str,
    /// What it must be.
    pub ty: Type,
    /// What it is for, with unit and default.
    pub doc: &'static str,
}

/// What a value must be.
pub enum Type {
    /// Anything.
    Any,
    /// A finite number.
    Number,
    /// A text.
    Text,
    /// true or false.
    Bool,
    /// A vector of finite numbers.
    Vector,
    /// A function.
    Function,
    /// A buffer.
    Buffer,
    /// A value of the runtime: the type's name.
    Object(&'static str),
    /// A table with these fields, none of them required, and nothing else.
    Fields(&'static [Field]),
    /// A table whose content the function checks.
    Table,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Any of these.
    OneOf(&'static [Type]),
}

impl Type {
    /// In Luau's notation, for stubs and the reference.
    pub fn luau(&self) -> String {
        match self {
            Self::Any => "any".into(),
            Self::Number => "number".into(),
            Self::Text => "string".into(),
            Self::Bool => "boolean".into(),
            Self::Vector => "vector".into(),
            Self::Function => "(...any) -> ...any".into(),
            Self::Buffer => "buffer".into(),
            Self::Object(name) => (*name).into(),
            Self::Fields(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|field| {
                        let ty = field.ty.luau();
                        if matches!(field.ty, Self::Function | Self::OneOf(_) | Self::Word(_)) {
                            format!("{}: ({ty})?", field.name)
                        } else {
                            format!("{}: {ty}?", field.name)
                        }
                    })
                    .collect();
                format!("{{ {} }}", fields.join(", "))
            }
            Self::Table => "{ [any]: any }".into(),
            Self::Word(words) => words
                .iter()
                .map(|word| format!("{word:?}"))
                .collect::<Vec<_>>()
                .join(" | "),
            Self::OneOf(types) => {
                let types = types.iter().map(|ty| match ty {
                    Self::Function => format!("({})", ty.luau()),
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
            Self::Text => "a text".into(),
            Self::Bool => "true or false".into(),
            Self::Vector => "a vector".into(),
            Self::Function => "a function".into(),
            Self::Buffer => "a buffer".into(),
            Self::Object(name) => format!("a {name}"),
            Self::Fields(_) | Self::Table => "a table".into(),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::OneOf(types) => types
                .iter()
                .map(Self::in_words)
                .collect::<Vec<_>>()
                .join(" or "),
        }
    }

    /// Says what is wrong with a value.
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
            | (Self::Function, Value::Function(_))
            | (Self::Buffer, Value::Buffer(_))
            | (Self::Table, Value::Table(_))
            | (Self::Number, Value::Integer(_)) => Ok(()),
            (Self::Number, Value::Number(n)) if (*n as f32).is_finite() => Ok(()),
            (Self::Number, Value::Number(n)) => Err(format!("{n} is not a number to work with")),
            (Self::Vector, Value::Vector(v)) => {
                if Vec3::new(v.x(), v.y(), v.z()).is_finite() {
                    Ok(())
                } else {
                    Err(format!("{v} is not a vector to work with"))
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
                Err(format!("unknown word {text:?}{hint}"))
            }
            (Self::Fields(fields), Value::Table(table)) => check_fields(fields, table),
            (Self::OneOf(types), value) => {
                if types.iter().any(|ty| ty.check(value).is_ok()) {
                    return Ok(());
                }
                let same_kind = types.iter().find(|ty| {
                    matches!(
                        (ty, value),
                        (Self::Fields(_), Value::Table(_))
                            | (Self::Word(_), Value::String(_))
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

/// Says what is wrong with the arguments of a call.
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
            .map_err(|wrong| format!("{}: argument {:?}: {wrong}", call(), param.name))?;
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

fn check_fields(fields: &[Field], table: &Table) -> Result<(), String> {
    for pair in table.pairs::<Value, Value>() {
        let Ok((key, value)) = pair else { continue };
        let Value::String(name) = &key else {
            return Err(format!("unexpected entry {}", describe(&key)));
        };
        let name = name.to_string_lossy();
        let Some(field) = fields.iter().find(|field| field.name == name) else {
            let hint = nearest_hint(&name, fields.iter().map(|field| field.name));
            return Err(format!("unknown field {name:?}{hint}"));
        };
        field
            .ty
            .check(&value)
            .map_err(|wrong| format!("field {name:?}: {wrong}"))?;
    }
    Ok(())
}

/// A value as messages name it: its type, and for short ones what it is.
pub fn describe(value: &Value) -> String {
    match value {
        Value::Nil => "nothing".into(),
        Value::String(text) => {
            let text = text.to_string_lossy();
            let short: String = text.chars().take(40).collect();
            format!("the text {short:?}")
        }
        Value::Boolean(b) => b.to_string(),
        Value::Integer(n) => format!("the number {n}"),
        Value::Number(n) => format!("the number {n}"),
        Value::Vector(v) => v.to_string(),
        Value::Table(_) => "a table".into(),
        Value::Function(_) => "a function".into(),
        Value::UserData(data) => match data.type_name() {
            Ok(name) => format!("a {}", name.to_string_lossy()),
            Err(_) => "a value of the runtime".into(),
        },
        other => format!("a {}", other.type_name()),
    }
}

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

    /// A copy of a value of the runtime.
    /// A clone of what a handle of type `T` holds.
    pub fn object<T: UserData + Clone + 'static>(&self, i: usize) -> Option<T> {
        match self.this {
            Some(this) if i == 0 => this.downcast_ref::<T>().cloned(),
            _ => object(self.values.get(i)?),
        }
    }

    /// A table of options; empty when left out.
    pub fn fields(&self, i: usize) -> Fields {
        Fields(self.table(i))
    }
}

/// Checked options.
pub struct Fields(pub Option<Table>);

impl Fields {
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

/// A Lua number as a float.
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(n) => Some(*n as f64),
        Value::Number(n) => Some(*n),
        _ => None,
    }
}

/// A Lua string as text; `None` where it is not UTF-8.
pub fn text(value: &Value) -> Option<String> {
    Some(value.as_string()?.to_string_lossy())
}

/// A Luau vector.
pub fn vector(value: &Value) -> Option<Vec3> {
    match value {
        Value::Vector(v) => Some(Vec3::new(v.x(), v.y(), v.z())),
        _ => None,
    }
}

/// A clone of what a handle of type `T` holds.
pub fn object<T: UserData + Clone + 'static>(value: &Value) -> Option<T> {
    let data: &AnyUserData = value.as_userdata()?;
    data.borrow::<T>().ok().map(|object| object.clone())
}

pub fn play_mode(word: Option<String>, default: PlayMode) -> PlayMode {
    match word.as_deref() {
        Some("loop") => PlayMode::Loop,
        Some("once") => PlayMode::Once,
        Some("pingpong") => PlayMode::PingPong,
        _ => default,
    }
}

/// A text or a list of texts.
pub fn names(value: &Value, what: &str) -> mlua::Result<Vec<String>> {
    match value {
        Value::Nil => Ok(Vec::new()),
        Value::String(text) => Ok(vec![text.to_string_lossy()]),
        Value::Table(table) => table
            .sequence_values::<Value>()
            .map(|value| {
                text(&value?).ok_or_else(|| {
                    mlua::Error::runtime(format!("{what}: expected a list of texts"))
                })
            })
            .collect(),
        _ => Err(mlua::Error::runtime(format!(
            "{what}: expected a text or a list of texts"
        ))),
    }
}

/// A vector for Lua.
pub fn lua_vector(v: Vec3) -> Value {
    Value::Vector(mlua::Vector::new(v.x, v.y, v.z))
}

/// A number for Lua: the shortest decimal that this one is nearest to, so that 0.9 is read as 0.9.
pub fn lua_number(n: f32) -> Value {
    Value::Number(decimal(n))
}

/// The shortest decimal, of nine places at most, that a number is nearest to.
pub fn decimal(n: f32) -> f64 {
    let exact = f64::from(n);
    let tens = std::iter::successors(Some(1.0), |ten| Some(ten * 10.0)).take(10);
    let mut rounded = tens.map(|ten: f64| (exact * ten).round() / ten);
    rounded
        .find(|decimal| *decimal as f32 == n)
        .unwrap_or(exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_it_was_written() {
        for n in [0.9, 0.1, -33.3, 1e-7, 12345.678, 3e9, 0.0] {
            assert_eq!(decimal(n as f32), n);
        }
        let third = 1.0f32 / 3.0;
        assert_eq!(decimal(third) as f32, third);
        assert!(decimal(f32::NAN).is_nan() && decimal(f32::INFINITY).is_infinite());
    }
}
