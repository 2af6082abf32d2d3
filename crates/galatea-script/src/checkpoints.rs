//! Checkpoints of tasks: how far a task had come when it was ended by a hot reload, or when the game was saved.

use mlua::{Function, Lua};

use super::changes::text_of;
use super::checkpoint::Checkpoint;
use super::fault::is_internal;
use super::tasks::TaskId;
use super::world::World;

/// Maximum number of functions on the stack of a task that are searched for the function with which it began.
const MAX_LEVELS: usize = 200;

/// The function with which the running coroutine began.
pub(super) fn first_function(lua: &Lua) -> Option<Function> {
    let at = |level| {
        lua.inspect_stack(level, |debug| {
            let source = debug.source().source.unwrap_or_default().into_owned();
            let is_own = !is_internal(source.trim_start_matches(['@', '=']));
            is_own.then(|| debug.function())
        })
    };
    let found = (0..MAX_LEVELS).map_while(at).flatten();
    found.last()
}

impl World {
    /// Sets the checkpoint of a task that began with `function`.
    pub fn set_checkpoint(&mut self, id: TaskId, function: &Function, name: String) {
        let text = text_of(&self.program, function);
        if let Some(task) = self.program.tasks.get_mut(id) {
            task.checkpoint = Some(Checkpoint {
                character: task.character,
                function: text,
                name,
            });
        }
    }

    /// The last checkpoint of a task that began with `function`, also of an earlier run of it.
    pub fn checkpoint(&mut self, id: TaskId, function: &Function) -> Option<String> {
        let text = text_of(&self.program, function);
        let tasks = &mut self.program.tasks;
        let task = tasks.get(id)?;
        if task.checkpoint.is_none() {
            let character = task.character;
            let mut waiting = tasks.resuming.iter();
            let at = waiting.position(|one| one.character == character && one.function == text)?;
            let found = tasks.resuming.remove(at);
            tasks.get_mut(id)?.checkpoint = Some(found);
        }
        Some(tasks.get(id)?.checkpoint.as_ref()?.name.clone())
    }
}
