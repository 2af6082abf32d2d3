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
