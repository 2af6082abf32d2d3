//! Replacements for functions of Lua's own libraries in which a single call could run for hours without a counted step.

use mlua::Lua;

use super::budget::{afford, charge};

const LIBRARY: &str = include_str!("library.luau");

/// Number of bytes, characters or elements that cost as much as a loop iteration.
const PER_ROUND: f64 = 64.0;

/// Replaces functions of the VM by functions that count steps for their work.
pub fn register(lua: &Lua) -> mlua::Result<()> {
    // The conversion saturates at the largest value of the type.
    let rounds = |work: f64| (work / PER_ROUND) as u64;
    let charge = lua.create_function(move |lua, work: f64| charge(lua, rounds(work)))?;
    let afford = lua.create_function(move |lua, work: f64| afford(lua, rounds(work)))?;
    // Without line information, error messages about wrong arguments do not begin with a position in this chunk.
    let compiler = mlua::chunk::Compiler::new().set_debug_level(0);
    let chunk = lua.load(LIBRARY).set_name("=__library");
    chunk.set_compiler(compiler).call((charge, afford))
}
