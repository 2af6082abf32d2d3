//! Values in readable Lua notation: quoted strings, tables with their entries, runtime values with their properties.

use std::cell::Cell;

use mlua::{AnyUserData, Lua, ObjectLike as _, Table, Value};

use crate::api::group::{Group, Kind};
use crate::api::groups::GROUPS;
use crate::api::values::displayed;
use crate::budget::charge;

/// Maximum depth of tables that are written.
const DEPTH: usize = 4;
/// Maximum number of entries written per table.
const MAX_ENTRIES: usize = 64;
/// Maximum length of a table on one line, characters.
const LINE: usize = 76;
/// Maximum length of all values together, and of one string among them, bytes.
const LONGEST: usize = 32 << 10;
const MAX_TEXT: usize = 2 << 10;
/// Maximum length of a value on one line, characters.
const SHORT: usize = 64;

/// Formats values. Large values take several lines. Output beyond the total limit is omitted.
///
/// # Errors
/// Fails if the call exceeds its budget.
pub(crate) fn all_shown(lua: &Lua, values: &[Value]) -> mlua::Result<Vec<String>> {
    let left = Cell::new(LONGEST);
    let mut out = Vec::new();
    for value in values.iter().take(MAX_ENTRIES) {
        out.push(match value {
            Value::UserData(data) => object(lua, data, &left)?,
            value => written(lua, value, 0, DEPTH, &left)?,
        });
    }
    if values.len() > MAX_ENTRIES {
        out.push(format!("… {} more", values.len() - MAX_ENTRIES));
    }
    Ok(out)
}

/// Formats a value on one short line.
///
/// # Errors
/// Fails if the call exceeds its budget.
pub(crate) fn in_one_line(lua: &Lua, value: &Value) -> mlua::Result<String> {
    let text = written(lua, value, 0, 2, &Cell::new(LONGEST))?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    Ok(match line.char_indices().nth(SHORT) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    })
}

fn shorten(text: &mut String, most: usize) {
    if text.len() > most {
        text.truncate(text.floor_char_boundary(most));
        text.push('…');
    }
}

/// Formats a value. `left` is the number of bytes that may still be written.
fn written(
    lua: &Lua,
    value: &Value,
    indent: usize,
    depth: usize,
    left: &Cell<usize>,
) -> mlua::Result<String> {
    if left.get() == 0 {
        return Ok("…".into());
    }
    let text = match value {
        Value::Nil => "nil".into(),
        Value::Boolean(b) => b.to_string(),
        Value::String(text) => {
            let mut text = text.to_string_lossy();
            shorten(&mut text, MAX_TEXT);
            format!("{text:?}")
        }
        Value::Table(table) if depth > 0 => {
            return entries(lua, &pairs(lua, table, left)?, indent, depth, left);
        }
        Value::Table(_) => "{…}".into(),
        Value::UserData(data) => name_of(data),
        Value::Function(function) => {
            let info = function.info();
            let name = info.name.unwrap_or_default();
            let source = info.source.unwrap_or_default();
            let source = source.trim_start_matches(['@', '=']);
            match info.line_defined {
                Some(line) if !source.starts_with('[') && line > 0 => {
                    let blank = if name.is_empty() { "" } else { " " };
                    format!("function{blank}{name} ({source}:{line})")
                }
                _ => "function".into(),
            }
        }
        Value::Thread(_) => "thread".into(),
        other => displayed(other)?,
    };
    left.set(left.get().saturating_sub(text.len()));
    Ok(text)
}

/// Entries of a table: first the list part, then sorted by key. Entries beyond the limit are only counted.
struct Entries {
    list: Vec<Value>,
    named: Vec<(String, Value)>,
    hidden: usize,
}

fn pairs(lua: &Lua, table: &Table, left: &Cell<usize>) -> mlua::Result<Entries> {
    let n_list = table.raw_len();
    let (mut list, mut named, mut hidden) = (Vec::new(), Vec::new(), 0);
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        charge(lua, 1)?;
        let in_list = match key {
            Value::Integer(i) => usize::try_from(i).is_ok_and(|i| (1..=n_list).contains(&i)),
            Value::Number(n) => n.fract() == 0.0 && n >= 1.0 && n <= n_list as f64,
            _ => false,
        };
        if list.len() + named.len() >= MAX_ENTRIES {
            hidden += 1;
        } else if in_list {
            list.push(value);
        } else {
            named.push((key_of(lua, &key, left)?, value));
        }
    }
    named.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Entries {
        list,
        named,
        hidden,
    })
}

fn key_of(lua: &Lua, key: &Value, left: &Cell<usize>) -> mlua::Result<String> {
    if let Some(name) = key.as_string().map(|name| name.to_string_lossy()) {
        let mut chars = name.chars();
        let starts = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
        if starts && chars.all(|c| c.is_alphanumeric() || c == '_') && name.len() < LINE {
            left.set(left.get().saturating_sub(name.len()));
            return Ok(name);
        }
    }
    Ok(format!("[{}]", written(lua, key, 0, 1, left)?))
}

fn entries(
    lua: &Lua,
    of: &Entries,
    indent: usize,
    depth: usize,
    left: &Cell<usize>,
) -> mlua::Result<String> {
    let mut parts = Vec::new();
    for value in &of.list {
        parts.push(written(lua, value, indent + 1, depth - 1, left)?);
    }
    for (name, value) in &of.named {
        let value = written(lua, value, indent + 1, depth - 1, left)?;
        parts.push(format!("{name} = {value}"));
    }
    if of.hidden > 0 {
        parts.push(format!("… {} more", of.hidden));
    }
    if parts.is_empty() {
        return Ok("{}".into());
    }
    let length: usize = parts.iter().map(|part| part.chars().count() + 2).sum();
    let flat = parts.iter().all(|part| !part.contains('\n'));
    if flat && length + 2 + 2 * indent <= LINE {
        return Ok(format!("{{ {} }}", parts.join(", ")));
    }
    let inner = "  ".repeat(indent + 1);
    let lines: Vec<String> = parts
        .iter()
        .map(|part| format!("{inner}{part},\n"))
        .collect();
    Ok(format!("{{\n{}{}}}", lines.concat(), "  ".repeat(indent)))
}

/// Text of a runtime value without its address.
fn name_of(data: &AnyUserData) -> String {
    let kind = kind_of(data).unwrap_or_else(|| "value".into());
    match data.to_string() {
        Ok(text) if !text.starts_with(&format!("{kind}: 0x")) => text,
        _ => kind,
    }
}

/// Type name of a runtime value.
pub(crate) fn kind_of(data: &AnyUserData) -> Option<String> {
    data.type_name().ok().map(|name| name.to_string_lossy())
}

/// API group of a value type.
pub(crate) fn group_of(kind: &str) -> Option<&'static Group> {
    let mut groups = GROUPS.iter().copied();
    groups.find(|group| group.kind == Kind::Object && group.name == kind)
}

/// Formats a runtime value with its properties.
fn object(lua: &Lua, data: &AnyUserData, left: &Cell<usize>) -> mlua::Result<String> {
    let name = name_of(data);
    let group = kind_of(data).and_then(|kind| group_of(&kind));
    let mut named = Vec::new();
    for property in group.map_or(&[][..], |group| group.properties) {
        if let Ok(value) = data.get::<Value>(property.name) {
            named.push((property.name.to_owned(), value));
        }
    }
    if named.is_empty() {
        return Ok(name);
    }
    let of = Entries {
        list: Vec::new(),
        named,
        hidden: 0,
    };
    Ok(format!("{name} {}", entries(lua, &of, 0, 2, left)?))
}
