//! Reads the arguments of the functions that make a machine.

use mlua::{Lua, Table, Value};

use super::sizes::MAX_TEXT;
use crate::api::check::{Args, Fields, OptionValue, Options, Type, describe, text};
use galatea_machine::{Scalar, SourceLocation};

/// File and line of the function `level` calls up the stack.
pub(super) fn here(lua: &Lua, level: usize) -> SourceLocation {
    lua.inspect_stack(level, |debug| SourceLocation {
        file: debug
            .source()
            .source
            .map(|s| s.trim_start_matches(['@', '=']).to_owned())
            .unwrap_or_default(),
        line: debug.current_line().unwrap_or(0) as u32,
    })
    .unwrap_or_default()
}

/// Reads the name in `state "name"`.
pub(super) fn name_of(args: &Args, what: &str) -> mlua::Result<String> {
    let name = args.text(0).unwrap_or_default();
    if name.len() > MAX_TEXT {
        return Err(mlua::Error::runtime(format!(
            "{what}: a name can have at most {MAX_TEXT} characters"
        )));
    }
    Ok(name)
}

/// Returns the only argument, which must be a table.
pub(super) fn table_argument(args: &Args, what: &str) -> mlua::Result<Table> {
    args.table(0)
        .ok_or_else(|| mlua::Error::runtime(format!("{what}: expected a table")))
}

/// Reads and checks the named fields of a table.
pub(super) fn options<T: Options>(what: &str, table: &Table) -> mlua::Result<T> {
    check_texts(what, table)?;
    let wrong = |why: String| mlua::Error::runtime(format!("{what}: {why}"));
    let value = Value::Table(table.clone());
    Type::Options(T::SHAPE).check(&value).map_err(wrong)?;
    T::from_fields(&Fields::of(&value)).map_err(wrong)
}

/// Returns an error for texts that are too long.
pub(super) fn check_texts(what: &str, table: &Table) -> mlua::Result<()> {
    let values = table.pairs::<Value, Value>().filter_map(Result::ok);
    for (_, value) in values {
        if value
            .as_string()
            .is_some_and(|text| text.as_bytes().len() > MAX_TEXT)
        {
            return Err(mlua::Error::runtime(format!(
                "{what}: {} is longer than {MAX_TEXT} characters, which is the limit",
                describe(&value)
            )));
        }
    }
    Ok(())
}

impl OptionValue for Scalar {
    const TYPE: Type = Type::OneOf(&[Type::Number, Type::Text]);

    fn from_value(value: Value) -> Result<Self, String> {
        match text(&value) {
            Some(name) => Ok(Self::Param(name)),
            None => f32::from_value(value).map(Self::Fixed),
        }
    }
}
