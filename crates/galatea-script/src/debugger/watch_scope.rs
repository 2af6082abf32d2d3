//! Code that is evaluated with the variables of a stopped function.

use std::cell::Cell;
use std::ffi::c_int;
use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, Table, Value};

use super::raw_stack::{RawPlace, RawStack};
use crate::locals::local_value;

/// Name of the chunk in errors.
const CHUNK: &str = "=watch";

/// Environment of evaluated code.
pub struct WatchScope {
    /// The environment: reads and sets the variables of the function, then its globals.
    pub table: Table,
    /// The function is still stopped. Functions that the code has created may be called later.
    is_stopped: Rc<Cell<bool>>,
}

impl WatchScope {
    /// Ends the access to the variables.
    pub fn close(&self) {
        self.is_stopped.set(false);
    }
}

/// Creates the environment of code that is evaluated in the function at a level.
///
/// # Errors
/// Fails if the VM runs out of memory.
pub fn environment(stack: &RawStack, level: c_int) -> mlua::Result<WatchScope> {
    let lua = stack.lua();
    let is_stopped = Rc::new(Cell::new(true));
    let globals = match stack.globals(level)? {
        Some(globals) => globals,
        None => lua.globals(),
    };
    let table = lua.create_table()?;
    let meta = lua.create_table()?;
    // A function that held the VM would keep it from being dropped.
    let stopped = stack.stopped();
    let (of, lives) = (globals.clone(), is_stopped.clone());
    let read = lua.create_function(move |lua, (_, key): (Value, Value)| {
        // SAFETY: the stack is used only while the state is stopped.
        let own = unsafe { RawStack::again(lua.clone(), stopped) };
        match place_of(&own, level, &key, &lives) {
            Some(place) => Ok(own
                .read(level, place)?
                .map_or(Value::Nil, |(_, value)| value)),
            None => match top_local(lua, &key)? {
                Some(value) => Ok(value),
                None => of.get::<Value>(key),
            },
        }
    })?;
    let lives = is_stopped.clone();
    let write = lua.create_function(move |lua, (_, key, value): (Value, Value, Value)| {
        // SAFETY: the stack is used only while the state is stopped.
        let own = unsafe { RawStack::again(lua.clone(), stopped) };
        match place_of(&own, level, &key, &lives) {
            Some(place) => own.write(level, place, value),
            None => globals.set(key, value),
        }
    })?;
    meta.raw_set("__index", read)?;
    meta.raw_set("__newindex", write)?;
    meta.raw_set("__metatable", false)?;
    table.set_metatable(Some(meta))?;
    Ok(WatchScope { table, is_stopped })
}

/// Value of a local at the top of a script, which the function does not use.
fn top_local(lua: &Lua, key: &Value) -> mlua::Result<Option<Value>> {
    let Some(name) = key.as_string().map(|name| name.to_string_lossy()) else {
        return Ok(None);
    };
    Ok(local_value(lua, &name)?.map(|(_, value)| value))
}

/// Finds the variable with this name; `None` if it is no variable of the function.
fn place_of(stack: &RawStack, level: c_int, key: &Value, lives: &Cell<bool>) -> Option<RawPlace> {
    if !lives.get() {
        return None;
    }
    let name = key.as_string()?.to_string_lossy();
    let of = |place: fn(c_int) -> RawPlace| {
        let all = (1..).map_while(|n| {
            let (name, _) = stack.read(level, place(n)).ok()??;
            Some((name, place(n)))
        });
        all.filter(|(own, _)| *own == name).last()
    };
    let found = of(RawPlace::Local).or_else(|| of(RawPlace::Captured));
    found.map(|(_, place)| place)
}

/// Compiles an expression or, if it is none, statements.
///
/// # Errors
/// The syntax error.
pub fn compiled(lua: &Lua, code: &str, environment: &Table) -> mlua::Result<Function> {
    let compile = |code: &str| {
        let chunk = lua.load(code).set_name(CHUNK);
        let chunk = chunk.set_environment(environment.clone());
        chunk.set_mode(ChunkMode::Text).into_function()
    };
    compile(&format!("return {code}")).or_else(|error| compile(code).map_err(|_| error))
}
