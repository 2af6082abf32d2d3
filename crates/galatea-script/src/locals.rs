//! The locals at the top of a script, handed to the console by name.
//!
//! Before its end (or its last `return`) a script gets a hidden call that hands over a function which reads
//! them. No line number changes, nothing can be set through it, and a script that does not compile with
//! the addition, or whose locals are none, runs as it is written.

use mlua::{Function, Lua, Table, Value};

use super::sources::ScriptLocals;
use super::top_locals::{Top, top};
use super::world::with_world;

/// Name of the function that takes them. It lies with the globals of the runtime, whose names with `_` no
/// message lists.
const TAKER: &str = "__locals";
/// Bytes of the longest script that is looked at.
const LONGEST: usize = 1 << 20;

/// Adds the function that takes locals to the globals.
///
/// # Errors
/// When the VM has no memory for it.
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

/// The script with the call that hands over its locals; `None` where there are none. The text must be one
/// that compiles.
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
        // A comment may stand at the end.
        None => Some(format!("{text}\n{call}")),
    }
}

/// A script's local by name, the main script's first: its file and its value now.
///
/// # Errors
/// When it cannot be read.
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
    fn before_a_last_return_it_stands_in_the_same_line() {
        let call = "__locals(\"M\", function() return { M = M } end);";
        assert_eq!(
            handing_over("local M = {}\nfunction M.f() return 1 end\nreturn M\n"),
            Some(format!(
                "local M = {{}}\nfunction M.f() return 1 end\n{call} return M\n"
            ))
        );
    }
}
