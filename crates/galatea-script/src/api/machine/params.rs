//! The table behind `machine.params`.

use mlua::{Lua, Table, Value};

use super::arguments::here;
use crate::api::check::text;
use crate::params::WatchedParams;
use galatea_machine::{MachineDef, ParamValue};

/// Creates the table behind `machine.params`. It holds plain values; its metatable rejects other names and serves the
/// watched parameters.
pub(in crate::api) fn params_table(
    lua: &Lua,
    def: &MachineDef,
) -> mlua::Result<(Table, WatchedParams)> {
    let watch = WatchedParams::default();
    let table = lua.create_table()?;
    for param in &def.params {
        match param.default {
            ParamValue::Number(n) => table.raw_set(param.name.as_str(), n)?,
            ParamValue::Bool(b) => table.raw_set(param.name.as_str(), b)?,
        }
    }
    let names: Vec<String> = def.params.iter().map(|param| param.name.clone()).collect();
    let unknown = |names: &[String], key: &Value| {
        let key = key.to_string().unwrap_or_default();
        let hint = galatea_math::names::nearest_hint(&key, names.iter().map(String::as_str));
        mlua::Error::runtime(format!("no parameter {key:?}{hint}"))
    };
    let meta = lua.create_table()?;
    let (known, kept) = (names.clone(), watch.clone());
    let read = lua.create_function(move |_, (_, key): (Table, Value)| -> mlua::Result<Value> {
        let name = text(&key).filter(|key| known.contains(key));
        let Some(name) = name else {
            return Err(unknown(&known, &key));
        };
        let watched = kept.borrow();
        let watched = watched.iter().find(|watched| watched.name == name);
        // A parameter set to nil reads as nil.
        Ok(watched.map_or(Value::Nil, |watched| watched.kept.clone()))
    })?;
    meta.raw_set("__index", read)?;
    let set = watch.clone();
    let write = lua.create_function(move |lua, (table, key, value): (Table, Value, Value)| {
        let name = text(&key).filter(|key| names.contains(key));
        let Some(name) = name else {
            return Err(unknown(&names, &key));
        };
        let mut watched = set.borrow_mut();
        if let Some(watched) = watched.iter_mut().find(|watched| watched.name == name) {
            watched.set = Some((value.clone(), here(lua, 1)));
        }
        table.raw_set(key, value)
    })?;
    meta.raw_set("__newindex", write)?;
    meta.raw_set("__metatable", "params")?;
    table.set_metatable(Some(meta))?;
    Ok((table, watch))
}
