//! The table behind `machine.params`.

use mlua::{Lua, Table, Value};

use crate::machine::{MachineDef, ParamValue};
use crate::script::api::check::text;

/// The table behind `machine.params`: plain values, and a metatable that refuses other names.
pub(in crate::script::api) fn params_table(lua: &Lua, def: &MachineDef) -> mlua::Result<Table> {
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
        let hint = crate::math::names::nearest_hint(&key, names.iter().map(String::as_str));
        mlua::Error::runtime(format!("no parameter {key:?}{hint}"))
    };
    let meta = lua.create_table()?;
    let known = names.clone();
    let read = lua.create_function(move |_, (_, key): (Table, Value)| -> mlua::Result<Value> {
        // A parameter that was set to nil reads as nil.
        if text(&key).is_some_and(|key| known.contains(&key)) {
            return Ok(Value::Nil);
        }
        Err(unknown(&known, &key))
    })?;
    meta.raw_set("__index", read)?;
    let write = lua.create_function(move |_, (table, key, value): (Table, Value, Value)| {
        if text(&key).is_some_and(|key| names.contains(&key)) {
            return table.raw_set(key, value);
        }
        Err(unknown(&names, &key))
    })?;
    meta.raw_set("__newindex", write)?;
    meta.raw_set("__metatable", "params")?;
    table.set_metatable(Some(meta))?;
    Ok(table)
}
