//! Ends the scripts of a machine's states.

use mlua::{Lua, Value};

use super::api::character_ref::reference;
use super::task_tree::finish;
use super::tasks::INTERRUPTED;
use super::world::with_world;
use galatea_stage::Handle;

/// Ends the tasks and calls the `leave` functions of a character's current states, innermost first. Used when the
/// character gets another machine or is removed.
///
/// # Errors
/// Fails if the runtime cannot be reached from here. The host reports faults of the script.
pub(super) fn leave_states(lua: &Lua, character: Handle) -> mlua::Result<()> {
    let entered = with_world(lua, |world| {
        let states = &mut world.program.machines.states;
        states.changed = true;
        Ok(states.characters.remove(&character))
    })?;
    let mut entered = entered.map_or(Vec::new(), |scripted| scripted.entered);
    while let Some(one) = entered.pop() {
        if let Some(task) = one.task {
            finish(lua, task, INTERRUPTED, Value::Nil)?;
        }
        let leave = with_world(lua, |world| {
            let script = world.program.machines.states.script_of(one.script);
            Ok(script.and_then(|script| script.leave.clone()))
        })?;
        let Some(leave) = leave else { continue };
        let me = reference(lua, character)?;
        if let Err(error) = leave.call::<()>((me, Value::Nil)) {
            with_world(lua, |world| {
                world.program.calls.faults.push((error, leave));
                Ok(())
            })?;
        }
    }
    Ok(())
}
