//! Checkpoints of tasks: `task:checkpoint` and `task.last_checkpoint`.

use mlua::{Lua, Value};

use super::check::{Args, Param, Type};
use super::group::{Function, Property};
use super::task_ref::own;
use crate::checkpoints::first_function;
use crate::world::with_world;

/// Error of the functions of checkpoints outside of a task's own function.
fn not_own() -> mlua::Error {
    mlua::Error::runtime("only the task's own function can use its checkpoints")
}

fn checkpoint(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    let task = own(lua, &args, "checkpoint").map_err(|_| not_own())?;
    let (Some(task), Some(function)) = (task, first_function(lua)) else {
        return Ok(Value::Nil);
    };
    with_world(lua, |world| {
        world.set_checkpoint(task.id, &function, name);
        Ok(Value::Nil)
    })
}

fn last_checkpoint(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let task = own(lua, &args, "last_checkpoint").map_err(|_| not_own())?;
    let (Some(task), Some(function)) = (task, first_function(lua)) else {
        return Ok(Value::Nil);
    };
    let name = with_world(lua, |world| Ok(world.checkpoint(task.id, &function)))?;
    match name {
        Some(name) => Ok(Value::String(lua.create_string(name)?)),
        None => Ok(Value::Nil),
    }
}

/// The method `checkpoint`.
pub(super) const CHECKPOINT: Function = Function {
    name: "checkpoint",
    params: &[Param::required("name", Type::Text)],
    returns: "",
    doc: "Remembers how far the task has come. A task begins again when a saved game is loaded and after a hot reload; \
          `last_checkpoint` then has this name, so that the task can skip what it has done. Only the task's own \
          function can call it.",
    example: "hero:task(function(a)\n\tif a.last_checkpoint ~= \"greeted\" then\n\t\ta:wait(1)\n\t\ta:checkpoint \"greeted\"\n\tend\n\ta:play \"wave\"\nend)",
    call: checkpoint,
};

/// The property `last_checkpoint`.
pub(super) const LAST_CHECKPOINT: Property = Property {
    name: "last_checkpoint",
    ty: "string?",
    doc: "Name of the last checkpoint that the task has set; nil without one. If the task begins again after a load or \
          a hot reload, it is that of the run before. A task is recognised by its character and the text of its \
          function. Only the task's own function can read it.",
    get: last_checkpoint,
    set: None,
};
