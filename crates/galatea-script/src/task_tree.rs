//! Begins and ends tasks together with their child tasks.

use mlua::{Function, IntoLuaMulti, Lua, MultiValue, Value};

use super::api::task_ref::task_value;
use super::budget::is_used_up;
use super::tasks::{FAILED, INTERRUPTED, MAX_CHAIN, MAX_TASKS, Task, TaskId, Wait};
use super::world::with_world;
use galatea_character::EndReason;
use galatea_stage::Handle;

/// Maximum nesting depth of tasks.
const MAX_NESTED: usize = 64;

/// Ends a task. Its child tasks end first, then the play that it waits for. Then its deferred functions are called in
/// reverse order. Does nothing if the task has already ended.
///
/// # Errors
/// Fails if the runtime cannot be reached from here. The host reports errors of deferred functions.
pub(super) fn finish(
    lua: &Lua,
    id: TaskId,
    reason: &'static str,
    answer: Value,
) -> mlua::Result<()> {
    let Some(task) = with_world(lua, |world| Ok(world.program.tasks.remove(id)))? else {
        return Ok(());
    };
    task.ended.set(Some(reason));
    // A hot reload ends child tasks with the same reason as this task.
    let reloaded = EndReason::Reloaded.word();
    let with_it = if reason == reloaded {
        reloaded
    } else {
        INTERRUPTED
    };
    for child in task.children.iter().rev() {
        finish(lua, *child, with_it, Value::Nil)?;
    }
    if let (Some(play), Some(character)) = (task.play, task.character) {
        with_world(lua, |world| {
            let character = world.stage.characters.get_mut(character);
            let actions = character.map(|character| &mut character.playback.actions);
            let action = actions.and_then(|actions| actions.iter_mut().find(|a| a.id == play));
            if let Some(action) = action {
                action.leave(EndReason::Stopped);
            }
            Ok(())
        })?;
    }
    let mut deferred = task.deferred;
    while let Some(function) = deferred.pop() {
        let Err(error) = function.call::<()>(reason) else {
            continue;
        };
        with_world(lua, |world| {
            world.program.calls.faults.push((error, function));
            Ok(())
        })?;
        if is_used_up(lua) {
            // The script's budget is used up; the host calls the remaining functions later.
            with_world(lua, |world| {
                let left = deferred.drain(..).map(|function| (function, reason));
                world.program.calls.owed.extend(left);
                Ok(())
            })?;
        }
    }
    if let (Some(parent), Some(branch)) = (task.parent, task.branch) {
        join(lua, parent, branch, reason, task.clock, answer)?;
    }
    Ok(())
}

/// Passes the end of a branch to the task that waits for it.
fn join(
    lua: &Lua,
    parent: TaskId,
    branch: usize,
    reason: &'static str,
    clock: f64,
    answer: Value,
) -> mlua::Result<()> {
    if reason == FAILED {
        return finish(lua, parent, FAILED, Value::Nil);
    }
    enum Next {
        Wait,
        Done(MultiValue),
        Won(Vec<TaskId>),
    }
    let number = branch + 1;
    let next = with_world(lua, |world| {
        let tasks = &mut world.program.tasks;
        let Some(task) = tasks.get_mut(parent) else {
            return Ok(Next::Wait);
        };
        Ok(match &mut task.wait {
            Wait::All(answers, left) => {
                answers.raw_set(number, answer.clone())?;
                *left -= 1;
                if *left > 0 {
                    Next::Wait
                } else {
                    Next::Done(answers.clone().into_lua_multi(lua)?)
                }
            }
            Wait::Race => Next::Won(task.children.clone()),
            _ => Next::Wait,
        })
    })?;
    let answer = match next {
        Next::Wait => return Ok(()),
        Next::Done(answers) => answers,
        Next::Won(children) => {
            with_world(lua, |world| {
                // No other branch can win while the remaining branches are ended.
                if let Some(task) = world.program.tasks.get_mut(parent) {
                    task.wait = Wait::Nothing;
                }
                Ok(())
            })?;
            for child in children.into_iter().rev() {
                let is_branch = with_world(lua, |world| {
                    let task = world.program.tasks.get(child);
                    Ok(task.is_some_and(|task| task.branch.is_some()))
                })?;
                if is_branch {
                    finish(lua, child, INTERRUPTED, Value::Nil)?;
                }
            }
            (number, answer).into_lua_multi(lua)?
        }
    };
    with_world(lua, |world| {
        world.program.tasks.wake(parent, clock, answer);
        Ok(())
    })
}

/// Ends all tasks of a character.
///
/// # Errors
/// As [`finish`].
pub(super) fn finish_of(lua: &Lua, character: Handle) -> mlua::Result<()> {
    let tasks = with_world(lua, |world| Ok(world.program.tasks.of(character)))?;
    for id in tasks {
        finish(lua, id, INTERRUPTED, Value::Nil)?;
    }
    Ok(())
}

/// Owner and time of a new task.
#[derive(Clone, Copy, Default)]
pub(super) struct TaskPlace {
    pub character: Option<Handle>,
    pub parent: Option<TaskId>,
    /// Index among the branches that the parent waits for.
    pub branch: Option<usize>,
    /// True for a task that follows unscaled time. A child task follows the time of its parent.
    pub is_unscaled: bool,
}

/// Adds a task that has not run yet.
///
/// # Errors
/// Fails if there are too many tasks, or if they are nested too deep.
pub(super) fn add_task(
    lua: &Lua,
    thread: Option<mlua::Thread>,
    place: TaskPlace,
) -> mlua::Result<TaskId> {
    let TaskPlace { parent, branch, .. } = place;
    with_world(lua, |world| {
        let now = match place.is_unscaled {
            true => world.stage.unscaled_time(),
            false => world.now(),
        };
        let tasks = &mut world.program.tasks;
        let above = parent.and_then(|parent| tasks.get(parent));
        let depth = above.map_or(0, |above| above.depth + 1);
        if depth > MAX_NESTED {
            return Err(mlua::Error::runtime(format!(
                "tasks are nested more than {MAX_NESTED} deep"
            )));
        }
        if tasks.is_chain_full() {
            return Err(mlua::Error::runtime(format!(
                "task: tasks started each other {MAX_CHAIN} times within one tick; add task:wait(seconds)"
            )));
        }
        let clock = above.map_or(now, |above| above.clock);
        let mut task = Task::new(thread, place.character, clock);
        task.is_unscaled = above.map_or(place.is_unscaled, |above| above.is_unscaled);
        (task.parent, task.branch, task.depth) = (parent, branch, depth);
        let id = tasks.add(task);
        id.ok_or_else(|| mlua::Error::runtime(format!("the limit is {MAX_TASKS} tasks at a time")))
    })
}

/// Begins a task. Its function receives the task as argument and first runs before the tick continues.
///
/// # Errors
/// Fails if there are too many tasks, or if they are nested too deep.
pub(super) fn begin(lua: &Lua, run: &Function, place: TaskPlace) -> mlua::Result<Value> {
    Ok(begin_task(lua, run, place)?.1)
}

/// Begins a task like [`begin`] and also returns its id.
///
/// # Errors
/// As [`begin`].
pub(super) fn begin_task(
    lua: &Lua,
    run: &Function,
    place: TaskPlace,
) -> mlua::Result<(TaskId, Value)> {
    let thread = lua.create_thread(run.clone())?;
    let id = add_task(lua, Some(thread), place)?;
    let value = task_value(lua, id)?;
    let first = value.clone().into_lua_multi(lua)?;
    with_world(lua, |world| {
        let tasks = &mut world.program.tasks;
        let clock = tasks.get(id).map_or(0.0, |task| task.clock);
        tasks.wake(id, clock, first);
        Ok(())
    })?;
    Ok((id, value))
}
