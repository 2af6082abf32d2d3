//! Global variables of scripts: removal of Lua functions that scripts do not get, and an error for unknown names.

use mlua::{Lua, Table, Value};

use super::api::groups::GROUPS;
use super::api::renamed::{NameOwner, foreign_message, foreign_name, renamed};
use super::budget::{FAILURE_STEPS, owe};
use super::world::with_world;
use galatea_math::names::nearest_hint;

/// Lua libraries and functions that scripts do not have.
pub const REMOVED: [&str; 10] = [
    "collectgarbage",
    "dofile",
    "getfenv",
    "io",
    "loadfile",
    "loadstring",
    "newproxy",
    "os",
    "package",
    "setfenv",
];

/// Globals that a script sets and the runtime calls.
pub const ENTRY_POINTS: [&str; 4] = ["update", "update_unscaled", "on_reload", "on_load"];

/// Functions that other engines call, and that nothing calls here.
const FOREIGN_CALLBACKS: [(&str, &str, &str); 9] = [
    ("_process", "Godot", "function update(dt)"),
    ("_physics_process", "Godot", "function update(dt)"),
    ("_ready", "Godot", "the main part of the script"),
    ("Update", "Unity", "function update(dt)"),
    ("Start", "Unity", "the main part of the script"),
    ("BeginPlay", "Unreal", "the main part of the script"),
    ("Tick", "Unreal", "function update(dt)"),
    ("init", "Defold", "the main part of the script"),
    (
        "reload",
        "an earlier version",
        "function on_reload(old, changes)",
    ),
];

/// Names of functions of a script that only other engines call, with messages.
pub fn foreign_callbacks(env: &Table) -> Vec<(&'static str, String)> {
    let is_set = |name: &str| matches!(env.raw_get(name), Ok(Value::Function(_)));
    let found = FOREIGN_CALLBACKS.iter().filter(|(name, _, _)| is_set(name));
    let named = found.map(|(name, engine, ours)| {
        let text =
            format!("nothing calls the function {name}, which is from {engine}; write {ours}");
        (*name, text)
    });
    named.collect()
}

/// Limit of text of the scripts in which names similar to an undefined global are searched, bytes.
const MAX_SEARCHED: usize = 64 << 10;
/// Text that is searched in the time of one step.
const BYTES_PER_STEP: u64 = 32;

/// Names of the local variables and functions that a script declares, in any scope.
pub fn local_names(text: &str) -> impl Iterator<Item = &str> {
    let declared = text.split("local ").skip(1).flat_map(|rest| {
        let rest = rest.strip_prefix("function ").unwrap_or(rest);
        let end = rest.find(['=', '\n', '(', ';']).unwrap_or(rest.len());
        rest[..end].split(',')
    });
    let names = declared.map(|name| name.split(':').next().unwrap_or_default().trim());
    names.filter(|name| !name.is_empty() && !name.contains(' '))
}

/// Removes the functions that scripts do not get, and makes reading an undefined global an error.
///
/// # Errors
/// Fails if the VM runs out of memory.
pub fn restrict(lua: &Lua) -> mlua::Result<()> {
    let globals = lua.globals();
    // Every version of a script has its own `require`.
    for name in REMOVED.into_iter().chain(["require"]) {
        globals.raw_set(name, Value::Nil)?;
    }
    let meta = lua.create_table()?;
    let known = globals.clone();
    let unknown = lua.create_function(move |lua, key: (Value, Value)| -> mlua::Result<Value> {
        let Value::String(name) = key.1 else {
            return Ok(Value::Nil);
        };
        owe(FAILURE_STEPS);
        let mut known = names(&known);
        with_world(lua, |world| {
            let sources = &world.program.sources;
            known.extend(sources.env.iter().flat_map(names));
            let mut left = MAX_SEARCHED;
            let mut texts: Vec<(&String, &str)> = Vec::new();
            texts.extend(sources.texts.iter().map(|(path, text)| (path, &**text)));
            // Scripts can read the message, so it must be the same in every run.
            texts.sort();
            for (_, text) in texts {
                let searched = text.get(..left).unwrap_or(text);
                left = left.saturating_sub(text.len());
                owe(searched.len() as u64 / BYTES_PER_STEP);
                known.extend(local_names(searched).map(str::to_owned));
            }
            Ok(())
        })?;
        let known = known.iter().map(String::as_str);
        let text = no_global(&name.to_string_lossy(), known);
        Err(mlua::Error::runtime(text))
    })?;
    meta.raw_set("__index", unknown)?;
    meta.raw_set("__metatable", false)?;
    globals.set_metatable(Some(meta))
}

/// The runtime's own globals. In a sandboxed VM they are behind a table that receives assignments.
pub fn base(lua: &Lua) -> Table {
    let globals = lua.globals();
    let meta = globals.metatable();
    let behind = meta.and_then(|meta| meta.raw_get::<Table>("__index").ok());
    behind.unwrap_or(globals)
}

/// Names of the globals in a table, except those that begin with `_`.
pub fn names(globals: &Table) -> Vec<String> {
    let keys = globals.pairs::<Value, Value>().flatten();
    let names = keys.filter_map(|(key, _)| Some(key.as_string()?.to_string_lossy()));
    names.filter(|name| !name.starts_with('_')).collect()
}

/// Example of the character's method with this name.
fn method_example(name: &str) -> Option<&'static str> {
    let characters = GROUPS.iter().find(|group| group.name == "Character")?;
    let mut methods = characters.functions.iter();
    methods.find(|method| method.name == name)?.example_line()
}

/// Error message for an undefined global.
pub fn no_global<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    if let Some(renamed) = renamed(NameOwner::Globals, name) {
        return renamed;
    }
    if REMOVED.contains(&name) {
        let known = foreign_name(NameOwner::Globals, name);
        let instead = known.map_or_else(String::new, |known| format!("; write {}", known.usage));
        return format!("scripts have no {name:?}{instead}");
    }
    if let Some(foreign) = foreign_message(NameOwner::Globals, name) {
        return foreign;
    }
    let hint = nearest_hint(name, known);
    if hint.starts_with("; did") {
        return format!("there is no global {name:?}{hint}");
    }
    match method_example(name) {
        Some(example) => {
            format!("there is no global {name:?}; call it on a character or prop: {example}")
        }
        None => format!("there is no global {name:?}"),
    }
}
