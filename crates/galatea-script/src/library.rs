//! The language's own libraries, where a single call could run for hours without a round counted.

use mlua::Lua;

use super::budget::{afford, charge};

const LIBRARY: &str = include_str!("library.luau");

/// Bytes, characters or elements that cost as much as a round of a loop.
const PER_ROUND: f64 = 64.0;

/// Puts functions that are charged for what they do into the place of the VM's own.
pub fn register(lua: &Lua) -> mlua::Result<()> {
    // A number too large for the type becomes its largest.
    let rounds = |work: f64| (work / PER_ROUND) as u64;
    let charge = lua.create_function(move |lua, work: f64| charge(lua, rounds(work)))?;
    let afford = lua.create_function(move |lua, work: f64| afford(lua, rounds(work)))?;
    // Without lines of its own: what the VM says of a wrong argument has none of its places before it.
    let compiler = mlua::chunk::Compiler::new().set_debug_level(0);
    let chunk = lua.load(LIBRARY).set_name("=__library");
    chunk.set_compiler(compiler).call((charge, afford))
}
