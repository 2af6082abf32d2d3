//! Tasks: coroutines that run one step after another, and their waits.
//!
//! Callers: `scheduler` runs tasks, `api::task` creates them and sets their waits. A sleeping task costs nothing until its
//! timer is due. Invariant: every wait has a unique token that is never reused, so a late answer to an old wait is
//! ignored.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::rc::Rc;

use mlua::{Function, MultiValue, Table, Thread};

use super::checkpoint::Checkpoint;
use galatea_stage::Handle;

/// Maximum number of tasks that run at the same time.
pub(super) const MAX_TASKS: usize = 50_000;

/// End reason of a task after its function returned.
pub(super) const ENDED: &str = "end";
/// End reason of a task that was ended from outside, or together with its parent task.
pub(super) const INTERRUPTED: &str = "stopped";
/// End reason of a task that raised an error.
pub(super) const FAILED: &str = "failed";

/// Id of a task; never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TaskId(u64);

/// End reason, `None` while the action, sound or task runs. The record in the runtime and the script's handle share it.
pub(super) type Ended = Rc<Cell<Option<&'static str>>>;

/// Wait of a task.
pub(super) enum Wait {
    /// No wait: the task runs, or it is queued to run.
    Nothing,
    /// Wait for a timer or an event. The code that wakes the task supplies the answer.
    Call,
    /// Wait for the end of an action, sound, conversation or task.
    End(Ended),
    /// Wait for a condition that is evaluated once per tick.
    Until(Function),
    /// Wait for all branches: the answers so far by branch number, and the number of branches that still run.
    All(Table, usize),
    /// Wait for the first branch that ends.
    Race,
}

/// A task that has not ended.
pub(super) struct Task {
    /// Coroutine; `None` for a branch that only waits.
    pub thread: Option<Thread>,
    pub character: Option<Handle>,
    pub parent: Option<TaskId>,
    /// Index among the branches that the parent waits for.
    pub branch: Option<usize>,
    pub children: Vec<TaskId>,
    /// Functions to call when the task ends, in reverse order.
    pub deferred: Vec<Function>,
    /// Play that is stopped if the task ends while it waits for the end of this play.
    pub play: Option<u64>,
    /// Stage time or unscaled time, seconds, at which the last wait ended. The next sleep is measured from it.
    pub clock: f64,
    pub wait: Wait,
    /// True for a task that follows unscaled time, as its child tasks do.
    pub is_unscaled: bool,
    /// Token of the current wait.
    token: u64,
    pub ended: Ended,
    /// Last checkpoint, for a later run of the task.
    pub checkpoint: Option<Checkpoint>,
    /// Number of ancestor tasks.
    pub depth: usize,
    chain: TurnChain,
    /// Tick in which the task began.
    born: u64,
}

/// Number of resumes of tasks that caused each other within one tick.
#[derive(Clone, Copy, Debug, Default)]
struct TurnChain {
    tick: u64,
    n_turns: u32,
}

/// Maximum number of resumes that one task may cause within a tick, counting its own and those of tasks that it begins.
/// More are taken for an endless loop.
pub(super) const MAX_CHAIN: u32 = 1000;

impl Task {
    /// Creates a task without a wait.
    pub fn new(thread: Option<Thread>, character: Option<Handle>, clock: f64) -> Self {
        Self {
            thread,
            character,
            parent: None,
            branch: None,
            children: Vec::new(),
            deferred: Vec::new(),
            play: None,
            clock,
            wait: Wait::Nothing,
            is_unscaled: false,
            token: 0,
            ended: Ended::default(),
            checkpoint: None,
            depth: 0,
            chain: TurnChain::default(),
            born: 0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Timer {
    due: f64,
    token: u64,
    task: TaskId,
}

impl Ord for Timer {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.due.total_cmp(&other.due)).then(self.token.cmp(&other.token))
    }
}

impl PartialOrd for Timer {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Timer {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Timer {}

/// A task that is ready to run, with the answer passed to its coroutine.
pub(super) struct ReadyTask {
    pub task: TaskId,
    /// Time from which the task continues, seconds.
    pub clock: f64,
    pub answer: MultiValue,
}

/// All tasks of a program.
#[derive(Default)]
pub(super) struct Tasks {
    tasks: HashMap<TaskId, Task>,
    last: u64,
    /// Timers of stage time, and of unscaled time.
    timers: [BinaryHeap<Reverse<Timer>>; 2],
    /// Number of unscaled tasks.
    n_unscaled: usize,
    /// Unscaled time of this tick, seconds.
    unscaled_now: f64,
    /// Waits for events, by character.
    events: HashMap<Handle, Vec<(String, TaskId, u64)>>,
    /// Waits for ends and conditions, which are checked every tick.
    looked_at: Vec<(TaskId, u64)>,
    queue: VecDeque<ReadyTask>,
    /// Task that runs now.
    pub running: Option<TaskId>,
    /// Checkpoints of tasks before a hot reload or in a loaded game. The tasks that begin again take them.
    pub resuming: Vec<Checkpoint>,
    tick: u64,
    overload: TaskOverload,
}

/// Consecutive ticks in which tasks used up the step budget of the tick.
#[derive(Default)]
struct TaskOverload {
    first_tick: u64,
    last_tick: u64,
}

/// Number of consecutive overloaded ticks after which the tasks that began in them are ended.
const MAX_OVERLOAD_TICKS: u64 = 3;

impl Tasks {
    /// Checkpoints of all tasks, oldest task first.
    pub fn checkpoints(&self) -> Vec<Checkpoint> {
        let own = self.tasks.iter();
        let own = own.filter_map(|(id, task)| Some((id, task.checkpoint.clone()?)));
        let mut all: Vec<(&TaskId, Checkpoint)> = own.collect();
        all.sort_by_key(|(id, _)| **id);
        all.into_iter().map(|(_, checkpoint)| checkpoint).collect()
    }

    /// Begins a tick at an unscaled time in seconds.
    pub fn begin_tick(&mut self, unscaled_now: f64) {
        self.tick += 1;
        self.unscaled_now = unscaled_now;
    }

    /// Returns true if there is an unscaled task.
    pub fn has_unscaled(&self) -> bool {
        self.n_unscaled > 0
    }

    /// Records that tasks have used up the step budget of this tick. Returns the tasks to end if the overload has lasted
    /// for several ticks.
    pub fn overloaded(&mut self) -> Vec<TaskId> {
        let overload = &mut self.overload;
        if overload.last_tick == self.tick {
            return Vec::new();
        }
        // Tick numbers start at 1.
        if overload.last_tick == 0 || overload.last_tick + 1 != self.tick {
            overload.first_tick = self.tick;
        }
        overload.last_tick = self.tick;
        let since = overload.first_tick;
        if self.tick < since + MAX_OVERLOAD_TICKS {
            return Vec::new();
        }
        let new = self.picked(|task| task.born >= since);
        new.into_iter().rev().collect()
    }

    /// Counts one resume of a task. Returns false if the task caused too many resumes within this tick.
    pub fn count_turn(&mut self, id: TaskId) -> bool {
        let tick = self.tick;
        let Some(task) = self.tasks.get_mut(&id) else {
            return true;
        };
        if task.chain.tick != tick {
            task.chain = TurnChain { tick, n_turns: 0 };
        }
        task.chain.n_turns += 1;
        task.chain.n_turns <= MAX_CHAIN
    }

    /// Returns true if the running task has caused the maximum number of resumes within this tick.
    pub fn is_chain_full(&self) -> bool {
        let running = self.running.and_then(|running| self.tasks.get(&running));
        running.is_some_and(|task| task.chain.n_turns >= MAX_CHAIN)
    }

    /// Adds a task; returns `None` if there are too many. The task first runs when it is woken.
    pub fn add(&mut self, mut task: Task) -> Option<TaskId> {
        if self.tasks.len() >= MAX_TASKS {
            return None;
        }
        let id = TaskId(self.next());
        let causes = self.running.and_then(|running| self.tasks.get(&running));
        let chain = causes.map_or_else(TurnChain::default, |task| task.chain);
        task.chain = chain;
        task.born = self.tick;
        if let Some(parent) = task.parent.and_then(|parent| self.tasks.get_mut(&parent)) {
            parent.children.push(id);
        }
        self.n_unscaled += usize::from(task.is_unscaled);
        self.tasks.insert(id, task);
        Some(id)
    }

    /// Returns a number that was never used before.
    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    pub fn get(&self, id: TaskId) -> Option<&Task> {
        self.tasks.get(&id)
    }

    pub fn get_mut(&mut self, id: TaskId) -> Option<&mut Task> {
        self.tasks.get_mut(&id)
    }

    /// Removes a task that has ended.
    pub fn remove(&mut self, id: TaskId) -> Option<Task> {
        let task = self.tasks.remove(&id)?;
        self.n_unscaled -= usize::from(task.is_unscaled);
        if let Some(parent) = task.parent.and_then(|parent| self.tasks.get_mut(&parent)) {
            parent.children.retain(|child| *child != id);
        }
        Some(task)
    }

    /// Tasks without a parent, in the order in which they began.
    pub fn roots(&self) -> Vec<TaskId> {
        self.picked(|task| task.parent.is_none())
    }

    /// Tasks of a character, in the order in which they began.
    pub fn of(&self, character: Handle) -> Vec<TaskId> {
        self.picked(|task| task.character == Some(character))
    }

    fn picked(&self, pick: impl Fn(&Task) -> bool) -> Vec<TaskId> {
        let picked = self.tasks.iter().filter(|(_, task)| pick(task));
        let mut ids: Vec<TaskId> = picked.map(|(id, _)| *id).collect();
        ids.sort();
        ids
    }

    /// Begins a wait. `within` is a timeout in seconds.
    pub fn wait(&mut self, id: TaskId, wait: Wait, within: Option<f64>) {
        let token = self.next();
        let Some(task) = self.tasks.get_mut(&id) else {
            return;
        };
        if matches!(wait, Wait::End(_) | Wait::Until(_)) {
            self.looked_at.push((id, token));
        }
        task.wait = wait;
        task.token = token;
        if let Some(within) = within {
            let due = task.clock + within;
            let timers = &mut self.timers[usize::from(task.is_unscaled)];
            timers.push(Reverse(Timer {
                due,
                token,
                task: id,
            }));
            if timers.len() > max_waits(self.tasks.len()) {
                let tasks = &self.tasks;
                timers.retain(|Reverse(timer)| is_in_progress(tasks, timer.task, timer.token));
            }
        }
    }

    /// Begins a wait for an event of a character. `within` is a timeout in seconds.
    pub fn wait_event(&mut self, id: TaskId, of: Handle, event: String, within: Option<f64>) {
        self.wait(id, Wait::Call, within);
        let Some(task) = self.tasks.get(&id) else {
            return;
        };
        let token = task.token;
        let waits = self.events.entry(of).or_default();
        waits.push((event, id, token));
        if waits.len() > max_waits(self.tasks.len()) {
            waits.retain(|(_, id, token)| is_in_progress(&self.tasks, *id, *token));
        }
    }

    /// Returns true if a task waits for this event of a character.
    pub fn awaits(&self, of: Handle, event: &str) -> bool {
        let waits = self.events.get(&of).into_iter().flatten();
        let mut named = waits.filter(|(name, ..)| name == event || name == "*");
        named.any(|(_, id, token)| is_in_progress(&self.tasks, *id, *token))
    }

    /// Ends the waits for an event of a character and returns their tasks.
    pub fn heard(&mut self, of: Handle, event: &str) -> Vec<TaskId> {
        let Some(waits) = self.events.get_mut(&of) else {
            return Vec::new();
        };
        let mut heard = Vec::new();
        waits.retain(|(name, id, token)| {
            let Some(task) = self.tasks.get_mut(id).filter(|task| task.token == *token) else {
                return false;
            };
            let hears = name == event || name == "*";
            if hears {
                task.token = 0;
                heard.push(*id);
            }
            !hears
        });
        if waits.is_empty() {
            self.events.remove(&of);
        }
        heard
    }

    /// Queues a task to run, as [`Tasks::wake`], at a stage time in seconds.
    pub fn wake_at(&mut self, id: TaskId, stage_time: f64, answer: MultiValue) {
        let is_unscaled = self.get(id).is_some_and(|task| task.is_unscaled);
        let clock = if is_unscaled {
            self.unscaled_now
        } else {
            stage_time
        };
        self.wake(id, clock, answer);
    }

    /// Queues a task to run, with the answer to its wait. `clock` is a time of the task, in seconds.
    pub fn wake(&mut self, id: TaskId, clock: f64, answer: MultiValue) {
        if let Some(task) = self.tasks.get_mut(&id) {
            task.token = 0;
            task.wait = Wait::Nothing;
            self.queue.push_back(ReadyTask {
                task: id,
                clock,
                answer,
            });
        }
    }

    /// Removes and returns the next task with a due timer, and the time at which it was due. Timers of stage time, or the
    /// unscaled ones.
    pub fn due(&mut self, now: f64, is_unscaled: bool) -> Option<(TaskId, f64)> {
        let timers = &mut self.timers[usize::from(is_unscaled)];
        while let Some(Reverse(timer)) = timers.peek().copied() {
            if timer.due > now {
                return None;
            }
            timers.pop();
            let task = self.tasks.get_mut(&timer.task);
            if let Some(task) = task.filter(|task| task.token == timer.token) {
                task.token = 0;
                return Some((timer.task, timer.due));
            }
        }
        None
    }

    /// Waits to handle this tick: ends that have happened, and conditions to evaluate. Of tasks of stage time, or of the
    /// unscaled ones.
    pub fn looked_at(&mut self, is_unscaled: bool) -> Vec<(TaskId, WaitStatus)> {
        let mut looks = Vec::new();
        let tasks = &self.tasks;
        self.looked_at.retain(|(id, token)| {
            let Some(task) = tasks.get(id).filter(|task| task.token == *token) else {
                return false;
            };
            if task.is_unscaled != is_unscaled {
                return true;
            }
            match &task.wait {
                Wait::End(ended) => {
                    if let Some(reason) = ended.get() {
                        looks.push((*id, WaitStatus::Ended(reason)));
                    }
                }
                Wait::Until(condition) => {
                    looks.push((*id, WaitStatus::Evaluate(condition.clone())))
                }
                _ => {}
            }
            true
        });
        looks
    }

    /// Returns true if a task is ready to run.
    pub fn has_turns(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Removes and returns the next task to run.
    pub fn turn(&mut self) -> Option<ReadyTask> {
        self.queue.pop_front()
    }
}

/// Length of a list of waits at which ended waits are removed. At least half of the list has then ended, so the cost
/// per wait is constant.
fn max_waits(n_tasks: usize) -> usize {
    64 + 2 * n_tasks
}

/// Returns true if the task is still in the wait with this token.
fn is_in_progress(tasks: &HashMap<TaskId, Task>, id: TaskId, token: u64) -> bool {
    tasks.get(&id).is_some_and(|task| task.token == token)
}

/// State of a wait that is checked every tick.
pub(super) enum WaitStatus {
    /// The awaited end has happened, for this reason.
    Ended(&'static str),
    /// The condition must be evaluated.
    Evaluate(Function),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        Task::new(None, None, 0.0)
    }

    #[test]
    fn sleeping_tasks_wake_in_order_of_time_and_then_of_registration() {
        let mut tasks = Tasks::default();
        let times = [0.3, 0.1, 0.2, 0.1];
        let ids = times.map(|_| tasks.add(task()).unwrap());
        for (id, time) in ids.iter().zip(times) {
            tasks.wait(*id, Wait::Call, Some(time));
        }
        let mut woken = Vec::new();
        while let Some((id, due)) = tasks.due(0.25, false) {
            woken.push((id, due));
        }
        assert_eq!(woken, [(ids[1], 0.1), (ids[3], 0.1), (ids[2], 0.2)]);
        assert_eq!(tasks.due(0.3, false), Some((ids[0], 0.3)));
        assert_eq!(tasks.due(9.0, false), None);
    }

    #[test]
    fn a_wait_that_was_answered_is_not_answered_again_by_its_time() {
        let mut tasks = Tasks::default();
        let id = tasks.add(task()).unwrap();
        let hero = galatea_stage::Arena::default().insert(());
        tasks.wait_event(id, hero, "step".into(), Some(0.5));
        assert_eq!(tasks.heard(hero, "land"), []);
        assert_eq!(tasks.heard(hero, "step"), [id]);
        assert_eq!(tasks.heard(hero, "step"), []);
        tasks.wake(id, 0.2, MultiValue::new());
        assert_eq!(tasks.due(1.0, false), None);
        tasks.wait_event(id, hero, "*".into(), Some(0.5));
        assert_eq!(tasks.due(1.0, false), Some((id, 0.5)));
        assert_eq!(tasks.heard(hero, "step"), []);
    }

    #[test]
    fn an_end_is_detected_once_and_a_condition_is_evaluated_every_time() {
        let mut tasks = Tasks::default();
        let id = tasks.add(task()).unwrap();
        let ended = Ended::default();
        tasks.wait(id, Wait::End(ended.clone()), None);
        assert!(tasks.looked_at(false).is_empty());
        ended.set(Some("end"));
        assert!(
            matches!(tasks.looked_at(false)[..], [(seen, WaitStatus::Ended("end"))] if seen == id)
        );
        tasks.wake(id, 0.0, MultiValue::new());
        assert!(tasks.looked_at(false).is_empty());
    }

    #[test]
    fn finished_waits_are_removed() {
        let mut tasks = Tasks::default();
        let [id, other] = [(); 2].map(|()| tasks.add(task()).unwrap());
        let hero = galatea_stage::Arena::default().insert(());
        tasks.wait_event(other, hero, "land".into(), Some(9.0));
        for _ in 0..10_000 {
            tasks.wait_event(id, hero, "step".into(), Some(1e6));
            tasks.wake(id, 0.0, MultiValue::new());
        }
        let n_events = tasks.events[&hero].len();
        assert!(n_events <= 70 && tasks.timers.len() <= 70, "{n_events}");
        assert_eq!(tasks.heard(hero, "land"), [other]);
    }

    #[test]
    fn there_is_a_limit() {
        let mut tasks = Tasks::default();
        let all: Vec<_> = (0..=MAX_TASKS).map(|_| tasks.add(task())).collect();
        assert_eq!(all.iter().filter(|id| id.is_none()).count(), 1);
        assert!(tasks.remove(all[0].unwrap()).is_some());
        assert!(tasks.add(task()).is_some());
    }
}
