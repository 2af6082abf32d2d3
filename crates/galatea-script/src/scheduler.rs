//! Scheduler of acts: wakes acts and resumes their coroutines.

use mlua::{IntoLua, MultiValue, Value};

use super::act_tree::finish;
use super::acts::{ActId, ENDED, FAILED, MAX_CHAIN, Wait, WaitStatus};
use super::fault::{Fault, traceback};
use super::host::Host;
use galatea_stage::Stage;

/// Tolerance for sums of ticks and waits that are equal apart from rounding, seconds.
const SAME_TIME: f64 = 1e-6;

impl Host {
    /// Wakes the acts whose timer is due, checks the waits of the other acts, and runs all acts that are ready.
    pub(super) fn begin_acts(&mut self, stage: &mut Stage) {
        let now = stage.time();
        let mut due = Vec::new();
        self.with_program(|program| {
            program.acts.begin_tick();
            while let Some(timer) = program.acts.due(now + SAME_TIME) {
                due.push(timer);
            }
            for (id, time) in due.drain(..) {
                let acts = &mut program.acts;
                let waited = acts.get(id).map(|act| &act.wait);
                let answer = match waited {
                    Some(Wait::Until(_)) => Value::Boolean(false),
                    _ => Value::Nil,
                };
                // A wait shorter than a tick may have been due before this tick. The act then continues from `now`, so
                // the delay is not made up.
                let in_time = time > now - stage.clock.dt + SAME_TIME;
                let clock = if in_time { time } else { now };
                acts.wake(id, clock, MultiValue::from_iter([answer]));
            }
        });
        self.look(stage, now, true);
        self.run_acts(stage);
    }

    /// Wakes acts that wait for an end, and runs all acts that are ready. Called after the events of the tick are
    /// delivered.
    pub(super) fn end_acts(&mut self, stage: &mut Stage) {
        let now = stage.time() + stage.clock.dt;
        self.look(stage, now, false);
        self.run_acts(stage);
    }

    fn look(&mut self, stage: &mut Stage, now: f64, asks: bool) {
        for (id, look) in self.with_program(|program| program.acts.looked_at()) {
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
            self.with_program(|program| program.acts.wake(id, now, answer));
        }
    }

    /// Runs every act in the queue.
    pub(super) fn run_acts(&mut self, stage: &mut Stage) {
        while !self.is_tick_used_up()
            && let Some(turn) = self.with_program(|program| program.acts.turn())
        {
            let (id, clock) = (turn.act, turn.clock);
            let thread = self.with_program(|program| {
                let acts = &mut program.acts;
                let act = acts.get_mut(id)?;
                act.clock = clock;
                act.play = None;
                let thread = act.thread.clone();
                acts.running = thread.is_some().then_some(id);
                Some((thread, acts.count_turn(id)))
            });
            let Some((thread, is_within_chain)) = thread else {
                continue;
            };
            let Some(thread) = thread else {
                let answer = turn.answer.into_iter().next().unwrap_or(Value::Nil);
                self.finish_act(stage, id, ENDED, answer);
                continue;
            };
            let result = if is_within_chain {
                self.resume(stage, &thread, turn.answer)
            } else {
                Err(mlua::Error::runtime(format!(
                    "stopped: an act took or began {MAX_CHAIN} turns within one tick; let time pass with act:sleep"
                )))
            };
            self.with_program(|program| program.acts.running = None);
            match result {
                Err(error) => {
                    let fault = self.fault(&error);
                    self.push(fault.placed(&traceback(self.lua(), &thread)));
                    self.finish_act(stage, id, FAILED, Value::Nil);
                }
                Ok(_) if thread.is_resumable() => self.with_program(|program| {
                    // An act that called `coroutine.yield` itself continues in the next tick.
                    let acts = &mut program.acts;
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
        }
        if self.is_tick_used_up() && self.with_program(|program| program.acts.has_turns()) {
            self.end_overload(stage);
        }
        self.settle_acts(stage);
    }

    /// Reports that acts have to wait for the next tick. After several such ticks in a row, the acts that began in them
    /// are ended.
    fn end_overload(&mut self, stage: &mut Stage) {
        self.push(Fault {
            text: "acts used up the steps of this tick, so the rest wait for the next tick: does one begin another \
                   without end?"
                .into(),
            ..Fault::default()
        });
        let ended = self.with_program(|program| program.acts.overloaded());
        if ended.is_empty() {
            return;
        }
        self.push(Fault {
            text: format!(
                "stopped {} acts: acts used up the steps of several ticks in a row, and these began in them",
                ended.len()
            ),
            ..Fault::default()
        });
        for id in ended {
            self.finish_act(stage, id, FAILED, Value::Nil);
        }
    }

    /// Wakes acts that waited for an event. `clock` is the time of the event.
    pub(super) fn wake_acts(&mut self, acts: Vec<ActId>, clock: f64, event: &mlua::Table) {
        self.with_program(|program| {
            for id in acts {
                let answer = MultiValue::from_iter([Value::Table(event.clone())]);
                program.acts.wake(id, clock, answer);
            }
        });
    }

    /// Ends all acts of the running program with this reason.
    pub(super) fn finish_acts(&mut self, stage: &mut Stage, reason: &'static str) {
        for id in self.with_program(|program| program.acts.roots()) {
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

    /// Reports the faults of deferred functions, and calls those that a script had no budget left for.
    fn settle_acts(&mut self, stage: &mut Stage) {
        while let Some((function, reason)) = self.with_program(|program| program.calls.owed.pop()) {
            self.call_guarded::<()>(stage, &function, reason);
        }
        let faults = self.with_program(|program| std::mem::take(&mut program.calls.faults));
        for (error, function) in faults {
            self.note(&error, &function, None);
        }
    }
}
