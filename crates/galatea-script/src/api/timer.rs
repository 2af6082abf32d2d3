//! `after` and `every`: functions that are called later.

use mlua::{Lua, Table, Value};

use super::check::{Args, Options, Param, Type};
use super::group::Function;
use super::task::{TIMERS, TaskOptions, seconds};
use super::task_ref::over;
use crate::task_tree::begin;

/// Starts a task that the Lua function `timer` of `tasks.luau` makes from seconds and a function.
fn start_timer(lua: &Lua, args: &Args, what: &str, timer: &str) -> mlua::Result<Value> {
    let time = seconds(args.number(0).unwrap_or_default(), what)?;
    let run = args.function(1).ok_or_else(over)?;
    let options: TaskOptions = args.options(2)?;
    let timers: Table = lua.named_registry_value(TIMERS)?;
    let make: mlua::Function = timers.raw_get(timer)?;
    let run: mlua::Function = make.call((time, run))?;
    begin(lua, &run, options.place())
}

fn after(lua: &Lua, args: Args) -> mlua::Result<Value> {
    start_timer(lua, &args, "after", "after")
}

fn every(lua: &Lua, args: Args) -> mlua::Result<Value> {
    start_timer(lua, &args, "every", "every")
}

const TIME: Param = Param {
    name: "seconds",
    ty: Type::Number,
    optional: false,
};

/// The global `after`.
pub(super) const AFTER: Function = Function {
    name: "after",
    params: &[
        TIME,
        Param::required("run", Type::Function("() -> ()")),
        Param::options(TaskOptions::SHAPE),
    ],
    returns: "Task",
    doc: "Calls a function once, after a number of seconds. Returns a task: `stop` cancels the call. A hot reload cancels it, \
          too.",
    example: "local alarm = after(3, function() print(\"three seconds later\") end)\nalarm:stop()",
    call: after,
};

/// The global `every`.
pub(super) const EVERY: Function = Function {
    name: "every",
    params: &[
        TIME,
        Param::required("run", Type::Function("() -> any")),
        Param::options(TaskOptions::SHAPE),
    ],
    returns: "Task",
    doc: "Calls a function again and again, with this number of seconds between the calls. The first call is after that time. \
          If the function returns false or raises an error, it is not called again. Returns a task: `stop` ends the calls. A hot \
          reload ends them, too.",
    example: "local lit = false\nlocal blink = every(0.5, function() lit = not lit end)",
    call: every,
};
