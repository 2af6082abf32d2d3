//! Breakpoints in the code of loaded scripts.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ffi::c_int;
use std::rc::Rc;

use mlua::{Function, Lua, ffi};

use super::debugger_state::Debugger;
use super::stopped::StoppedScript;
use crate::sources::LoadedChunk;
use crate::world::SharedWorld;

/// Adds the code of a script to its program, and sets its breakpoints if there is a debugger already.
///
/// # Errors
/// Fails if the VM runs out of memory.
pub fn add_chunk(lua: &Lua, file: &str, main: &Function) -> mlua::Result<()> {
    let world = lua.app_data_ref::<SharedWorld>();
    let Some(world) = world.map(|world| world.clone()) else {
        return Ok(());
    };
    let chunk = Rc::new(LoadedChunk {
        file: file.to_owned(),
        main: main.clone(),
        lines: RefCell::default(),
        is_interpreted: Cell::new(false),
        version: Cell::new(0),
    });
    if let Some(debugger) = debugger_of(lua) {
        update(&chunk, lua, &debugger)?;
    }
    if let Ok(mut world) = world.try_borrow_mut() {
        world.program.sources.chunks.push(chunk);
    }
    Ok(())
}

/// Sets the breakpoints of a debugger in the code of all loaded scripts.
///
/// # Errors
/// Fails if the VM runs out of memory.
pub fn apply(lua: &Lua) -> mlua::Result<()> {
    let (Some(world), Some(debugger)) = (
        lua.app_data_ref::<SharedWorld>().map(|world| world.clone()),
        debugger_of(lua),
    ) else {
        return Ok(());
    };
    let chunks = world
        .try_borrow()
        .map(|world| world.program.sources.chunks.clone());
    for chunk in chunks.unwrap_or_default() {
        update(&chunk, lua, &debugger)?;
    }
    Ok(())
}

impl Debugger {
    /// Sets the breakpoints in the code of a stopped script again after they have changed.
    pub fn update_breakpoints(script: &StoppedScript) {
        // If memory is short, they stay as they are until the next change.
        let _ = apply(script.lua());
    }
}

/// The debugger of a VM.
pub(super) fn debugger_of(lua: &Lua) -> Option<Debugger> {
    lua.app_data_ref::<Debugger>()
        .map(|debugger| debugger.clone())
}

/// Sets the breakpoints of a debugger in the code of a script.
fn update(chunk: &LoadedChunk, lua: &Lua, debugger: &Debugger) -> mlua::Result<()> {
    let version = debugger.0.version.get();
    if chunk.version.replace(version) == version {
        return Ok(());
    }
    let own = debugger.0.breakpoints.borrow().get(&chunk.file).cloned();
    let own = own.unwrap_or_default();
    let stops_anywhere = debugger.is_stepping();
    let mut wanted = BTreeSet::new();
    // A breakpoint in every line also makes native code interpreted.
    let becomes_interpreted = debugger.is_armed() && !chunk.is_interpreted.replace(true);
    if stops_anywhere || becomes_interpreted {
        let mut line = 0;
        while let Some(next) = set_line(chunk, lua, line + 1, true)? {
            wanted.insert(next);
            line = next;
        }
    }
    let all = std::mem::take(&mut wanted);
    for breakpoint in &own {
        let line = c_int::try_from(breakpoint.line).unwrap_or(c_int::MAX);
        if let Some(place) = set_line(chunk, lua, line, true)? {
            wanted.insert(place);
            let key = (chunk.file.clone(), breakpoint.line);
            let place = u32::try_from(place).unwrap_or_default();
            debugger.0.places.borrow_mut().insert(key, place);
        }
    }
    let mut set = chunk.lines.borrow_mut();
    set.extend(all.iter().copied());
    if stops_anywhere {
        wanted.extend(all);
    }
    for line in set.difference(&wanted) {
        set_line(chunk, lua, *line, false)?;
    }
    *set = wanted;
    Ok(())
}

/// Sets or removes a breakpoint at a line, or at the next one with code. Returns its line.
fn set_line(
    chunk: &LoadedChunk,
    lua: &Lua,
    line: c_int,
    is_set: bool,
) -> mlua::Result<Option<c_int>> {
    // SAFETY: the stack has the function, which is a Lua function, and room for a number.
    let place = unsafe {
        lua.exec_raw::<c_int>(&chunk.main, |state| {
            let place = ffi::lua_breakpoint(state, -1, line, c_int::from(is_set));
            ffi::lua_pop(state, 1);
            ffi::lua_pushinteger(state, place.into());
        })?
    };
    Ok((place > 0).then_some(place))
}
