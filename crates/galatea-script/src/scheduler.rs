//! Runs acts: gives each its turn and, however it ends, gives back what it took.

use mlua::{Function, IntoLua, IntoLuaMulti, Lua, MultiValue, Value};

use super::acts::{ActId, MOST_ACTS, Wait, WaitStatus};
use super::api;
use super::budget::is_used_up;
use super::fault::{Fault, traceback};
use super::host::Host;
use super::world::with_world;
use galatea_character::EndReason;
use galatea_stage::{Handle, Stage};

/// Turns that all acts together may take at one point of the tick.
const MOST_TURNS: usize = MOST_ACTS;
/// Sums of steps and of waits that are equal on paper are as far apart as this, seconds.
const SAME_TIME: f64 = 1e-6;

/// How an act that ran through is over.
pub(super) const ENDED: &str = "end";
/// How one is over that was ended from outside, or with the act that began it.
pub(super) const INTERRUPTED: &str = "interrupted";
/// How one with a fault is over.
pub(super) const FAILED: &str = "failed";

/// Ends an act: those it began first, then the play it waits for; then what it deferred is called, the
/// last first. An act that is over already stays as it is.
///
/// # Errors
/// When the runtime cannot be reached from here. Faults of what was deferred are told by the host.
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
    // A save ends them as it ends this one.
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
            world.program.act_faults.push((error, function));
            Ok(())
        })?;
        if is_used_up(lua) {
            // The script has no work left to spend here; the host calls the rest.
            with_world(lua, |world| {
                let left = deferred.drain(..).map(|function| (function, reason));
                world.program.owed.extend(left);
                Ok(())
            })?;
        }
    }
    if let (Some(parent), Some(branch)) = (act.parent, act.branch) {
        join(lua, parent, branch, reason, act.clock, answer)?;
    }
    Ok(())
}

/// Tells an act that one of its branches is over.
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
                // No other branch can win while the rest are ended.
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

/// Ends the acts of a character.
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

impl Host {
    /// Wakes the acts whose time has come, looks whether the others have what they wait for, and gives
    /// all of them their turns.
    pub(super) fn begin_acts(&mut self, stage: &mut Stage) {
        let now = stage.time();
        let mut due = Vec::new();
        self.with_world(|world| {
            while let Some(timer) = world.program.acts.due(now + SAME_TIME) {
                due.push(timer);
            }
            for (id, time) in due.drain(..) {
                let acts = &mut world.program.acts;
                let waited = acts.get(id).map(|act| &act.wait);
                let answer = match waited {
                    Some(Wait::Until(_)) => Value::Boolean(false),
                    _ => Value::Nil,
                };
                // Who waits for less than a tick is not owed what it waited more.
                let in_time = time > now - stage.clock.dt + SAME_TIME;
                let clock = if in_time { time } else { now };
                acts.wake(id, clock, MultiValue::from_iter([answer]));
            }
        });
        self.look(stage, now, true);
        self.run_acts(stage);
    }

    /// After the tick's events were told: what waits for ends goes on, and all take their turns.
    pub(super) fn end_acts(&mut self, stage: &mut Stage) {
        let now = stage.time() + stage.clock.dt;
        self.look(stage, now, false);
        self.run_acts(stage);
    }

    fn look(&mut self, stage: &mut Stage, now: f64, asks: bool) {
        for (id, look) in self.with_world(|world| world.program.acts.looked_at()) {
            let answer = match look {
                WaitStatus::Ended(reason) => match reason.into_lua(self.lua()) {
                    Ok(answer) => answer,
                    Err(_) => continue,
                },
                WaitStatus::Ask(condition) if asks => {
                    match self.call_guarded::<Value>(stage, &condition, ()) {
                        Some(Value::Nil | Value::Boolean(false)) => continue,
                        Some(_) => Value::Boolean(true),
                        None => {
                            self.finish_act(stage, id, FAILED, Value::Nil);
                            continue;
                        }
                    }
                }
                WaitStatus::Ask(_) => continue,
            };
            let answer = MultiValue::from_iter([answer]);
            self.with_world(|world| world.program.acts.wake(id, now, answer));
        }
    }

    /// Gives every act in the queue its turn.
    pub(super) fn run_acts(&mut self, stage: &mut Stage) {
        let mut n_turns = 0;
        while let Some(turn) = self.with_world(|world| world.program.acts.turn()) {
            let (id, clock) = (turn.act, turn.clock);
            let thread = self.with_world(|world| {
                let acts = &mut world.program.acts;
                let act = acts.get_mut(id)?;
                act.clock = clock;
                act.play = None;
                let thread = act.thread.clone();
                acts.running = thread.is_some().then_some(id);
                Some(thread)
            });
            let Some(thread) = thread else { continue };
            let Some(thread) = thread else {
                let answer = turn.answer.into_iter().next().unwrap_or(Value::Nil);
                self.finish_act(stage, id, ENDED, answer);
                continue;
            };
            let result = self.resume(stage, &thread, turn.answer);
            self.with_world(|world| world.program.acts.running = None);
            match result {
                Err(error) => {
                    let fault = self.fault(&error);
                    self.push(fault.placed(&traceback(self.lua(), &thread)));
                    self.finish_act(stage, id, FAILED, Value::Nil);
                }
                Ok(_) if thread.is_resumable() => self.with_world(|world| {
                    // One that yields on its own goes on with the next tick.
                    let acts = &mut world.program.acts;
                    let act = acts.get(id);
                    if act.is_some_and(|act| matches!(act.wait, Wait::Nothing)) {
                        acts.wait(id, Wait::Call, Some(0.0));
                    }
                }),
                Ok(answer) => {
                    let answer = answer.into_iter().next();
                    self.finish_act(stage, id, ENDED, answer.unwrap_or(Value::Boolean(true)));
                }
            }
            n_turns += 1;
            if n_turns == MOST_TURNS {
                self.push(Fault {
                    text: format!(
                        "acts took {MOST_TURNS} turns in one tick, so the rest wait for the next: \
                         does one begin another without end?"
                    ),
                    ..Fault::default()
                });
                break;
            }
        }
        self.settle_acts(stage);
    }

    /// Wakes acts that waited for an event; `clock` is when it came about.
    pub(super) fn wake_acts(&mut self, acts: Vec<ActId>, clock: f64, event: &mlua::Table) {
        self.with_world(|world| {
            for id in acts {
                let answer = MultiValue::from_iter([Value::Table(event.clone())]);
                world.program.acts.wake(id, clock, answer);
            }
        });
    }

    /// Ends all acts of the program that runs, for this reason.
    pub(super) fn finish_acts(&mut self, stage: &mut Stage, reason: &'static str) {
        for id in self.with_world(|world| world.program.acts.roots()) {
            self.finish_act(stage, id, reason, Value::Nil);
        }
        self.settle_acts(stage);
    }

    pub(super) fn finish_act(
        &mut self,
        stage: &mut Stage,
        id: ActId,
        reason: &'static str,
        answer: Value,
    ) {
        let lua = self.lua().clone();
        let ended = self.with_call_budget(stage, || finish(&lua, id, reason, answer));
        if let Err(error) = ended {
            self.tell(&error);
        }
    }

    /// Tells the faults of what acts deferred, and calls what a script had no work left for.
    fn settle_acts(&mut self, stage: &mut Stage) {
        while let Some((function, reason)) = self.with_world(|world| world.program.owed.pop()) {
            self.call_guarded::<()>(stage, &function, reason);
        }
        let faults = self.with_world(|world| std::mem::take(&mut world.program.act_faults));
        for (error, function) in faults {
            self.note(&error, &function, None);
        }
    }
}

/// Begins an act with a function that is given it. Its first turn comes before the tick goes on.
///
/// # Errors
/// When there are too many, or too many above it.
pub(super) fn begin(
    lua: &Lua,
    run: &Function,
    character: Option<Handle>,
    parent: Option<ActId>,
    branch: Option<usize>,
) -> mlua::Result<Value> {
    Ok(begin_act(lua, run, character, parent, branch)?.1)
}

/// As [`begin`]; gives what names the act, too.
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
    let id = api::add_act(lua, Some(thread), character, parent, branch)?;
    let value = api::act_value(lua, id)?;
    let first = value.clone().into_lua_multi(lua)?;
    with_world(lua, |world| {
        let acts = &mut world.program.acts;
        let clock = acts.get(id).map_or(0.0, |act| act.clock);
        acts.wake(id, clock, first);
        Ok(())
    })?;
    Ok((id, value))
}
