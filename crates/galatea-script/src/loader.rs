//! Loading of scripts: chunk names, environments and `require`.

use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Lua, Table, Value};

use super::compiled::bytecode;
use super::debugger::add_chunk;
use super::locals::handing_over;
use super::services::NO_FILE;
use super::world::with_world;

/// Compiles a script of the project in an environment.
pub(super) fn compile(
    lua: &Lua,
    path: &str,
    text: &str,
    env: &Table,
) -> mlua::Result<mlua::Function> {
    let hands_over = with_world(lua, |world| {
        world.program.sources.add_text(path, text);
        Ok(world.loading.hands_over_locals)
    })?;
    let function = match bytecode(text) {
        Some(code) => {
            let chunk = lua.load(code).set_name(format!("@{path}"));
            let chunk = chunk.set_environment(env.clone());
            chunk.set_mode(ChunkMode::Binary).into_function()?
        }
        None => compile_text(lua, path, text, env, hands_over)?,
    };
    add_chunk(lua, path, &function)?;
    Ok(function)
}

/// Compiles the text of a script. The names of its variables are kept, for the debugger.
fn compile_text(
    lua: &Lua,
    path: &str,
    text: &str,
    env: &Table,
    hands_over: bool,
) -> mlua::Result<mlua::Function> {
    let compile = |text: &str| {
        let chunk = lua.load(text).set_name(format!("@{path}"));
        let chunk = chunk.set_environment(env.clone());
        let chunk = chunk.set_compiler(Compiler::new().set_debug_level(2));
        chunk.set_mode(ChunkMode::Text).into_function()
    };
    let plain = compile(text)?;
    let with_locals = hands_over.then(|| handing_over(text)).flatten();
    // The added call may exceed the limits of the compiler in a script with too many locals.
    let handed = with_locals.and_then(|text| compile(&text).ok());
    Ok(handed.unwrap_or(plain))
}

/// Creates an environment for one version of the scripts: its own globals on top of the read-only ones, and its own
/// `require`. `require "guard"` finds `scripts/guard.lua` or `guard/init.lua`. `"./x"` and `"../x"` are relative to the
/// calling script.
pub(super) fn new_environment(lua: &Lua) -> mlua::Result<Table> {
    let env = lua.create_table()?;
    let meta = lua.create_table()?;
    meta.raw_set("__index", lua.globals())?;
    meta.raw_set("__metatable", false)?;
    env.set_metatable(Some(meta))?;
    env.raw_set("_G", env.clone())?;
    // `require` looks up its environment in the program. If it held the environment, the two would refer to each other
    // and never be freed.
    env.raw_set("require", lua.create_function(require)?)?;
    Ok(env)
}

fn require(lua: &Lua, name: String) -> mlua::Result<Value> {
    let env = with_world(lua, |world| Ok(world.program.sources.env.clone()))?;
    let env = env.ok_or_else(|| mlua::Error::runtime("no script is running"))?;
    let caller = lua
        .inspect_stack(1, |debug| {
            debug.source().source.map(|source| source.into_owned())
        })
        .flatten()
        .map(|source| source.trim_start_matches(['@', '=']).to_owned())
        .unwrap_or_default();
    let candidates = candidates(&name, &caller)?;
    let (mut found, mut unread) = (None, None);
    for path in &candidates {
        let known = with_world(lua, |world| {
            Ok(world.program.sources.modules.get(path).cloned())
        })?;
        if let Some(value) = known {
            return match value {
                Value::Nil => Err(mlua::Error::runtime(format!(
                    "circular require: {path} requires itself, directly or through other scripts"
                ))),
                value => Ok(value),
            };
        }
        let text = with_world(lua, |world| {
            Ok(world.loading.script(&*world.services, path))
        })?;
        match text {
            Ok(text) => {
                found = Some((path.clone(), text));
                break;
            }
            Err(why) if why == NO_FILE => {}
            Err(why) => unread = unread.or_else(|| Some(format!("{path}: {why}"))),
        }
    }
    if let (None, Some(unread)) = (&found, unread) {
        return Err(mlua::Error::runtime(unread));
    }
    let Some((path, text)) = found else {
        return Err(mlua::Error::runtime(format!(
            "no script {name:?}: looked for {}",
            candidates.join(", ")
        )));
    };
    with_world(lua, |world| {
        world.loading.add_read(&path);
        let modules = &mut world.program.sources.modules;
        modules.insert(path.clone(), Value::Nil);
        Ok(())
    })?;
    let result = compile(lua, &path, &text, &env).and_then(|chunk| chunk.call::<Value>(()));
    let value = match result {
        Ok(Value::Nil) => Value::Boolean(true),
        Ok(value) => value,
        Err(error) => {
            with_world(lua, |world| {
                world.program.sources.modules.remove(&path);
                Ok(())
            })?;
            return Err(error);
        }
    };
    with_world(lua, |world| {
        world.program.sources.modules.insert(path, value.clone());
        Ok(())
    })?;
    Ok(value)
}

fn candidates(name: &str, caller: &str) -> mlua::Result<Vec<String>> {
    let relative = name.starts_with("./") || name.starts_with("../");
    let plain = name
        .trim_end_matches(".lua")
        .trim_end_matches(".luau")
        .to_owned();
    let plain = if relative || plain.contains('/') {
        plain
    } else {
        plain.replace('.', "/")
    };
    let base = if relative {
        caller.rsplit_once('/').map_or("", |(folder, _)| folder)
    } else {
        "scripts"
    };
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in plain.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return Err(mlua::Error::runtime(format!(
                        "{name:?} is outside the project"
                    )));
                }
            }
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    Ok(vec![
        format!("{path}.lua"),
        format!("{path}.luau"),
        format!("{path}/init.lua"),
    ])
}

#[cfg(test)]
mod tests {
    use super::candidates;

    #[test]
    fn names_become_paths_inside_the_project() {
        assert_eq!(
            candidates("guard", "scripts/main.lua").unwrap()[0],
            "scripts/guard.lua"
        );
        assert_eq!(
            candidates("ai.guard", "").unwrap()[0],
            "scripts/ai/guard.lua"
        );
        assert_eq!(
            candidates("./x", "scripts/ai/a.lua").unwrap()[0],
            "scripts/ai/x.lua"
        );
        assert_eq!(
            candidates("../x", "scripts/ai/a.lua").unwrap()[2],
            "scripts/x/init.lua"
        );
        assert!(candidates("../../../x", "scripts/a.lua").is_err());
    }
}
