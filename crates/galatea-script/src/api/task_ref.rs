//! The handle of a task.

use mlua::{Lua, Value};

use super::check::Args;
use crate::tasks::{Ended, TaskId};
use crate::world::with_world;
use galatea_stage::Handle;

/// A script's handle of a task, which is also the argument of the task's function.
#[derive(Clone, Debug)]
pub(super) struct TaskRef {
    pub id: TaskId,
    pub character: Option<Handle>,
    pub ended: Ended,
}

/// Creates the handle of a task.
///
/// # Errors
/// Returns an error if the task is over or the VM is out of memory.
pub(crate) fn task_value(lua: &Lua, id: TaskId) -> mlua::Result<Value> {
    let hold = with_world(lua, |world| {
        let task = world.program.tasks.get(id).ok_or_else(over)?;
        Ok(TaskRef {
            id,
            character: task.character,
            ended: task.ended.clone(),
        })
    })?;
    Ok(Value::UserData(lua.create_userdata(hold)?))
}

pub(super) fn over() -> mlua::Error {
    mlua::Error::runtime("this task has ended")
}

/// Task of argument 0.
pub(super) fn task_of(args: &Args) -> mlua::Result<TaskRef> {
    args.object(0).ok_or_else(over)
}

/// Character of the task of argument 0.
pub(super) fn character_of_task(args: &Args, what: &str) -> mlua::Result<Handle> {
    character_of(&task_of(args)?, what)
}

pub(super) fn character_of(task: &TaskRef, what: &str) -> mlua::Result<Handle> {
    task.character.ok_or_else(|| {
        mlua::Error::runtime(format!(
            "{what}: this task has no character; start it with hero:task"
        ))
    })
}

/// Task of argument 0; the call must come from the task's own function. Returns `None` if the task was ended while its function
/// runs, which then does not continue.
pub(super) fn own(lua: &Lua, args: &Args, what: &str) -> mlua::Result<Option<TaskRef>> {
    let task = task_of(args)?;
    let current = lua.current_thread();
    with_world(lua, |world| {
        let tasks = &world.program.tasks;
        let Some(record) = tasks.get(task.id) else {
            let runs = tasks.running == Some(task.id);
            return if runs { Ok(None) } else { Err(over()) };
        };
        let same = |thread: &mlua::Thread| thread.to_pointer() == current.to_pointer();
        if tasks.running == Some(task.id) && record.thread.as_ref().is_some_and(same) {
            return Ok(Some(task));
        }
        Err(mlua::Error::runtime(format!(
            "{what} waits, so only the task's own function can call it"
        )))
    })
}
