//! Top-level locals of a script, passed to the console by name.
//!
//! A hidden call is added at the end of a script, or before its last `return`. It passes a function that reads the
//! locals. Line numbers do not change, and the locals cannot be set through it. A script runs unchanged if it has no
//! locals or does not compile with the addition.

use mlua::{Function, Lua, Table, Value};

use super::sources::ScriptLocals;
use super::top_locals::{Top, top};
use super::world::with_world;

/// Name of the function that receives the locals. It is a global of the runtime; messages do not list names that begin
/// with `_`.
const TAKER: &str = "__locals";
/// Maximum size of a script that is read for locals, bytes.
const LONGEST: usize = 1 << 20;

/// Adds the function that receives the locals to the globals.
///
/// # Errors
/// Fails if the VM runs out of memory.
pub(super) fn register(lua: &Lua) -> mlua::Result<()> {
    let take = lua.create_function(|lua, (names, read): (String, Function)| {
        let file = lua
            .inspect_stack(1, |debug| debug.source().source.map(|s| s.into_owned()))
            .flatten()
            .unwrap_or_default();
        let locals = ScriptLocals {
            file: file.trim_start_matches(['@', '=']).to_owned(),
            names: names.split(' ').map(str::to_owned).collect(),
            read,
        };
        with_world(lua, |world| {
            world.program.sources.add_locals(locals);
            Ok(())
        })
    })?;
    lua.globals().raw_set(TAKER, take)
}

/// The script with the call that passes its locals; `None` if it has none. The text must compile.
pub(super) fn handing_over(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let Top { names, last_return } = top(text)?;
    if names.is_empty() {
        return None;
    }
    let fields: Vec<String> = names
        .iter()
        .map(|name| format!("{name} = {name}"))
        .collect();
    let call = format!(
        "{TAKER}(\"{}\", function() return {{ {} }} end);",
        names.join(" "),
        fields.join(", ")
    );
    match last_return {
        Some(at) => {
            let (before, after) = text.split_at_checked(at)?;
            Some(format!("{before}{call} {after}"))
        }
        // The text may end with a comment.
        None => Some(format!("{text}\n{call}")),
    }
}

/// File and current value of a script's local. The main script is searched first.
///
/// # Errors
/// Fails if the local cannot be read.
pub(super) fn local_value(lua: &Lua, name: &str) -> mlua::Result<Option<(String, Value)>> {
    let found = with_world(lua, |world| {
        let mut locals = world.program.sources.ordered_locals().into_iter();
        let found = locals.find(|one| one.names.iter().any(|known| known == name));
        Ok(found.map(|one| (one.file.clone(), one.read.clone())))
    })?;
    let Some((file, read)) = found else {
        return Ok(None);
    };
    let values: Table = read.call(())?;
    Ok(Some((file, values.raw_get(name)?)))
}

#[cfg(test)]
mod tests {
    use super::handing_over;

    #[test]
    fn every_local_at_the_top_is_handed_over_and_no_other() {
        let text = "local a, b = 1\nlocal function go() local inner = 2 end\nif a then local c = 1 end\n\
                    local t: { x: number } = { x = if a then 1 else 2 }\nx = 3 -- end";
        let call =
            "__locals(\"a b go t\", function() return { a = a, b = b, go = go, t = t } end);";
        assert_eq!(handing_over(text), Some(format!("{text}\n{call}")));
        assert_eq!(handing_over("x = 1"), None);
    }

    #[test]
    fn the_capture_is_inserted_in_the_line_of_the_last_return() {
        let call = "__locals(\"M\", function() return { M = M } end);";
        assert_eq!(
            handing_over("local M = {}\nfunction M.f() return 1 end\nreturn M\n"),
            Some(format!(
                "local M = {{}}\nfunction M.f() return 1 end\n{call} return M\n"
            ))
        );
    }
}
