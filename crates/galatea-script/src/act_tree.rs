//! Begins and ends acts together with their child acts.

use mlua::{Function, IntoLuaMulti, Lua, MultiValue, Value};

use super::acts::{Act, ActId, FAILED, INTERRUPTED, MAX_ACTS, MAX_CHAIN, Wait};
use super::api::act_ref::act_value;
use super::budget::is_used_up;
use super::world::with_world;
use galatea_character::EndReason;
use galatea_stage::Handle;

/// Maximum nesting depth of acts.
const MAX_NESTED: usize = 64;

/// Ends an act. Its child acts end first, then the play that it waits for. Then its deferred functions are called in
/// reverse order. Does nothing if the act has already ended.
///
/// # Errors
/// Fails if the runtime cannot be reached from here. The host reports errors of deferred functions.
pub(super) fn finish(
    lua: &Lua,
    id: ActId,
    reason: &'static str,
    answer: Value,
) -> mlua::Result<()> {
    let Some(act) = with_world(lua, |world| Ok(world.program.acts.remove(id)))? else {
        return Ok(());
    };
    act.ended.set(Some(reason));
    // A hot reload ends child acts with the same reason as this act.
    let reloaded = EndReason::Reloaded.word();
    let with_it = if reason == reloaded {
        reloaded
    } else {
        INTERRUPTED
    };
    for child in act.children.iter().rev() {
        finish(lua, *child, with_it, Value::Nil)?;
    }
    if let (Some(play), Some(character)) = (act.play, act.character) {
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
    let mut deferred = act.deferred;
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
    if let (Some(parent), Some(branch)) = (act.parent, act.branch) {
        join(lua, parent, branch, reason, act.clock, answer)?;
    }
    Ok(())
}

/// Passes the end of a branch to the act that waits for it.
fn join(
    lua: &Lua,
    parent: ActId,
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
        Won(Vec<ActId>),
    }
    let number = branch + 1;
    let next = with_world(lua, |world| {
        let acts = &mut world.program.acts;
        let Some(act) = acts.get_mut(parent) else {
            return Ok(Next::Wait);
        };
        Ok(match &mut act.wait {
            Wait::All(answers, left) => {
                answers.raw_set(number, answer.clone())?;
                *left -= 1;
                if *left > 0 {
                    Next::Wait
                } else {
                    Next::Done(answers.clone().into_lua_multi(lua)?)
                }
            }
            Wait::Race => Next::Won(act.children.clone()),
            _ => Next::Wait,
        })
    })?;
    let answer = match next {
        Next::Wait => return Ok(()),
        Next::Done(answers) => answers,
        Next::Won(children) => {
            with_world(lua, |world| {
                // No other branch can win while the remaining branches are ended.
                if let Some(act) = world.program.acts.get_mut(parent) {
                    act.wait = Wait::Nothing;
                }
                Ok(())
            })?;
            for child in children.into_iter().rev() {
                let is_branch = with_world(lua, |world| {
                    let act = world.program.acts.get(child);
                    Ok(act.is_some_and(|act| act.branch.is_some()))
                })?;
                if is_branch {
                    finish(lua, child, INTERRUPTED, Value::Nil)?;
                }
            }
            (number, answer).into_lua_multi(lua)?
        }
    };
    with_world(lua, |world| {
        world.program.acts.wake(parent, clock, answer);
        Ok(())
    })
}

/// Ends all acts of a character.
///
/// # Errors
/// As [`finish`].
pub(super) fn finish_of(lua: &Lua, character: Handle) -> mlua::Result<()> {
    let acts = with_world(lua, |world| Ok(world.program.acts.of(character)))?;
    for id in acts {
        finish(lua, id, INTERRUPTED, Value::Nil)?;
    }
    Ok(())
}

/// Adds an act that has not run yet.
///
/// # Errors
/// Fails if there are too many acts, or if they are nested too deep.
pub(super) fn add_act(
    lua: &Lua,
    thread: Option<mlua::Thread>,
    character: Option<Handle>,
    parent: Option<ActId>,
    branch: Option<usize>,
) -> mlua::Result<ActId> {
    with_world(lua, |world| {
        let now = world.now();
        let acts = &mut world.program.acts;
        let above = parent.and_then(|parent| acts.get(parent));
        let depth = above.map_or(0, |above| above.depth + 1);
        if depth > MAX_NESTED {
            return Err(mlua::Error::runtime(format!(
                "acts stand in acts more than {MAX_NESTED} deep"
            )));
        }
        if acts.is_chain_full() {
            return Err(mlua::Error::runtime(format!(
                "act: acts began each other {MAX_CHAIN} times within one tick; let time pass with act:sleep"
            )));
        }
        let clock = above.map_or(now, |above| above.clock);
        let mut act = Act::new(thread, character, clock);
        (act.parent, act.branch, act.depth) = (parent, branch, depth);
        let id = acts.add(act);
        id.ok_or_else(|| mlua::Error::runtime(format!("more than {MAX_ACTS} acts at a time")))
    })
}

/// Begins an act. Its function receives the act as argument and first runs before the tick continues.
///
/// # Errors
/// Fails if there are too many acts, or if they are nested too deep.
pub(super) fn begin(
    lua: &Lua,
    run: &Function,
    character: Option<Handle>,
    parent: Option<ActId>,
    branch: Option<usize>,
) -> mlua::Result<Value> {
    Ok(begin_act(lua, run, character, parent, branch)?.1)
}

/// Begins an act like [`begin`] and also returns its id.
///
/// # Errors
/// As [`begin`].
pub(super) fn begin_act(
    lua: &Lua,
    run: &Function,
    character: Option<Handle>,
    parent: Option<ActId>,
    branch: Option<usize>,
) -> mlua::Result<(ActId, Value)> {
    let thread = lua.create_thread(run.clone())?;
    let id = add_act(lua, Some(thread), character, parent, branch)?;
    let value = act_value(lua, id)?;
    let first = value.clone().into_lua_multi(lua)?;
    with_world(lua, |world| {
        let acts = &mut world.program.acts;
        let clock = acts.get(id).map_or(0.0, |act| act.clock);
        acts.wake(id, clock, first);
        Ok(())
    })?;
    Ok((id, value))
}
