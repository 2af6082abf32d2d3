//! Scheduler of tasks: wakes tasks and resumes their coroutines.

use mlua::{IntoLua, MultiValue, Value};

use super::fault::{Fault, traceback};
use super::host::Host;
use super::task_tree::finish;
use super::tasks::{ENDED, FAILED, MAX_CHAIN, TaskId, Wait, WaitStatus};
use galatea_character::EndReason;
use galatea_stage::Stage;

/// Tolerance for sums of ticks and waits that are equal apart from rounding, seconds.
const SAME_TIME: f64 = 1e-6;

impl Host {
    /// Wakes the tasks whose timer is due, checks the waits of the other tasks, and runs all tasks that are ready. Handles
    /// either the tasks in stage time or the unscaled tasks.
    pub(super) fn begin_tasks(&mut self, stage: &mut Stage, is_unscaled: bool) {
        let now = match is_unscaled {
            true => stage.unscaled_time(),
            false => stage.time(),
        };
        let mut due = Vec::new();
        self.with_program(|program| {
            program.tasks.begin_tick(stage.unscaled_time());
            while let Some(timer) = program.tasks.due(now + SAME_TIME, is_unscaled) {
                due.push(timer);
            }
            for (id, time) in due.drain(..) {
                let tasks = &mut program.tasks;
                let waited = tasks.get(id).map(|task| &task.wait);
                let answer = match waited {
                    Some(Wait::Until(_)) => Value::Boolean(false),
                    _ => Value::Nil,
                };
                // A wait shorter than a tick may have been due before this tick. The task then continues from `now`, so
                // the delay is not made up.
                let in_time = time > now - stage.clock.dt + SAME_TIME;
                let clock = if in_time { time } else { now };
                tasks.wake(id, clock, MultiValue::from_iter([answer]));
            }
        });
        self.note_ended_lines(stage);
        self.check_waits(stage, now, is_unscaled, true);
        self.run_tasks(stage);
    }

    /// Records the ends of lines that tasks wait for. A line of a removed character counts as stopped.
    fn note_ended_lines(&self, stage: &Stage) {
        let speech = &stage.speech;
        self.with_program(|program| {
            program.lines.retain(|id, ended| {
                if speech.line(*id).is_some() {
                    return true;
                }
                let over = speech.over.iter().find(|over| over.id == *id);
                let reason = over.map_or(EndReason::Stopped, |over| over.reason);
                ended.set(Some(reason.word()));
                false
            });
        });
    }

    /// Wakes tasks that wait for an end, and runs all tasks that are ready. Called after the events of the tick are
    /// delivered.
    pub(super) fn end_tasks(&mut self, stage: &mut Stage) {
        let now = stage.time() + stage.clock.dt;
        self.note_ended_lines(stage);
        self.check_waits(stage, now, false, false);
        self.run_tasks(stage);
    }

    fn check_waits(&mut self, stage: &mut Stage, now: f64, is_unscaled: bool, asks: bool) {
        for (id, look) in self.with_program(|program| program.tasks.looked_at(is_unscaled)) {
            let answer = match look {
                WaitStatus::Ended(reason) => match reason.into_lua(self.lua()) {
                    Ok(answer) => answer,
                    Err(_) => continue,
                },
                WaitStatus::Evaluate(condition) if asks => {
                    match self.call_guarded::<Value>(stage, &condition, ()) {
                        Some(Value::Nil | Value::Boolean(false)) => continue,
                        Some(_) => Value::Boolean(true),
                        None => {
                            self.finish_task(stage, id, FAILED, Value::Nil);
                            continue;
                        }
                    }
                }
                WaitStatus::Evaluate(_) => continue,
            };
            let answer = MultiValue::from_iter([answer]);
            self.with_program(|program| program.tasks.wake(id, now, answer));
        }
    }

    /// Runs every task in the queue.
    pub(super) fn run_tasks(&mut self, stage: &mut Stage) {
        while !self.is_tick_used_up()
            && let Some(turn) = self.with_program(|program| program.tasks.turn())
        {
            let (id, clock) = (turn.task, turn.clock);
            let thread = self.with_program(|program| {
                let tasks = &mut program.tasks;
                let task = tasks.get_mut(id)?;
                task.clock = clock;
                task.play = None;
                let thread = task.thread.clone();
                tasks.running = thread.is_some().then_some(id);
                Some((thread, tasks.count_turn(id)))
            });
            let Some((thread, is_within_chain)) = thread else {
                continue;
            };
            let Some(thread) = thread else {
                let answer = turn.answer.into_iter().next().unwrap_or(Value::Nil);
                self.finish_task(stage, id, ENDED, answer);
                continue;
            };
            let result = if is_within_chain {
                self.resume(stage, &thread, turn.answer)
            } else {
                Err(mlua::Error::runtime(format!(
                    "stopped: tasks ran or started each other {MAX_CHAIN} times within one tick; add \
                     task:wait(seconds)"
                )))
            };
            self.with_program(|program| program.tasks.running = None);
            match result {
                Err(error) => {
                    let fault = self.fault(&error);
                    self.push(fault.set_location(&traceback(self.lua(), &thread)));
                    self.finish_task(stage, id, FAILED, Value::Nil);
                }
                Ok(_) if thread.is_resumable() => self.with_program(|program| {
                    // A task that called `coroutine.yield` itself continues in the next tick.
                    let tasks = &mut program.tasks;
                    let task = tasks.get(id);
                    if task.is_some_and(|task| matches!(task.wait, Wait::Nothing)) {
                        tasks.wait(id, Wait::Call, Some(0.0));
                    }
                }),
                Ok(answer) => {
                    let answer = answer.into_iter().next();
                    self.finish_task(stage, id, ENDED, answer.unwrap_or(Value::Boolean(true)));
                }
            }
        }
        if self.is_tick_used_up() && self.with_program(|program| program.tasks.has_turns()) {
            self.end_overload(stage);
        }
        self.settle_tasks(stage);
    }

    /// Reports that tasks have to wait for the next tick. After several such ticks in a row, the tasks that began in them
    /// are ended.
    fn end_overload(&mut self, stage: &mut Stage) {
        self.push(Fault {
            text: "tasks exceeded the budget of this tick, so the other tasks run in the next tick; check for \
                tasks that start each other without end"
                .into(),
            ..Fault::default()
        });
        let ended = self.with_program(|program| program.tasks.overloaded());
        if ended.is_empty() {
            return;
        }
        self.push(Fault {
            text: format!(
                "stopped {} tasks, because tasks exceeded the budget of several ticks in a row; these tasks were \
                 started in them",
                ended.len()
            ),
            ..Fault::default()
        });
        for id in ended {
            self.finish_task(stage, id, FAILED, Value::Nil);
        }
    }

    /// Wakes tasks that waited for an event. `clock` is the stage time of the event.
    pub(super) fn wake_tasks(&mut self, tasks: Vec<TaskId>, clock: f64, event: &mlua::Table) {
        self.with_program(|program| {
            for id in tasks {
                let answer = MultiValue::from_iter([Value::Table(event.clone())]);
                program.tasks.wake_at(id, clock, answer);
            }
        });
    }

    /// Ends all tasks of the running program with this reason.
    pub(super) fn finish_tasks(&mut self, stage: &mut Stage, reason: &'static str) {
        for id in self.with_program(|program| program.tasks.roots()) {
            self.finish_task(stage, id, reason, Value::Nil);
        }
        self.settle_tasks(stage);
    }

    pub(super) fn finish_task(
        &mut self,
        stage: &mut Stage,
        id: TaskId,
        reason: &'static str,
        answer: Value,
    ) {
        let lua = self.lua().clone();
        let ended = self.with_call_budget(stage, || finish(&lua, id, reason, answer));
        if let Err(error) = ended {
            self.report(&error);
        }
    }

    /// Reports the faults of deferred functions, and calls those that a script had no budget left for.
    fn settle_tasks(&mut self, stage: &mut Stage) {
        while let Some((function, reason)) = self.with_program(|program| program.calls.owed.pop()) {
            self.call_guarded::<()>(stage, &function, reason);
        }
        let faults = self.with_program(|program| std::mem::take(&mut program.calls.faults));
        for (error, function) in faults {
            self.note(&error, &function, None);
        }
    }
}
