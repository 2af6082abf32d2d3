//! Acts: coroutines that run one step after another, and their waits.
//!
//! Callers: `scheduler` runs acts, `api::act` creates them and sets their waits. A sleeping act costs nothing until its
//! timer is due. Invariant: every wait has a unique token that is never reused, so a late answer to an old wait is
//! ignored.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::rc::Rc;

use mlua::{Function, MultiValue, Table, Thread};

use galatea_stage::Handle;

/// Maximum number of acts that run at the same time.
pub(super) const MAX_ACTS: usize = 50_000;

/// End reason of an act after its function returned.
pub(super) const ENDED: &str = "end";
/// End reason of an act that was ended from outside, or together with its parent act.
pub(super) const INTERRUPTED: &str = "interrupted";
/// End reason of an act that raised an error.
pub(super) const FAILED: &str = "failed";

/// Id of an act; never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ActId(u64);

/// End reason, `None` while the action, sound or act runs. The record in the runtime and the script's handle share it.
pub(super) type Ended = Rc<Cell<Option<&'static str>>>;

/// Wait of an act.
pub(super) enum Wait {
    /// No wait: the act runs, or it is queued to run.
    Nothing,
    /// Wait for a timer or an event. The code that wakes the act supplies the answer.
    Call,
    /// Wait for the end of an action, sound, conversation or act.
    End(Ended),
    /// Wait for a condition that is evaluated once per tick.
    Until(Function),
    /// Wait for all branches: the answers so far by branch number, and the number of branches that still run.
    All(Table, usize),
    /// Wait for the first branch that ends.
    Race,
}

/// An act that has not ended.
pub(super) struct Act {
    /// Coroutine; `None` for a branch that only waits.
    pub thread: Option<Thread>,
    pub character: Option<Handle>,
    pub parent: Option<ActId>,
    /// Index among the branches that the parent waits for.
    pub branch: Option<usize>,
    pub children: Vec<ActId>,
    /// Functions to call when the act ends, in reverse order.
    pub deferred: Vec<Function>,
    /// Play that is stopped if the act ends while it waits for the end of this play.
    pub play: Option<u64>,
    /// Stage time, seconds, at which the last wait ended. The next sleep is measured from it.
    pub clock: f64,
    pub wait: Wait,
    /// Token of the current wait.
    token: u64,
    pub ended: Ended,
    /// Number of ancestor acts.
    pub depth: usize,
    chain: TurnChain,
    /// Tick in which the act began.
    born: u64,
}

/// Number of resumes of acts that caused each other within one tick.
#[derive(Clone, Copy, Debug, Default)]
struct TurnChain {
    tick: u64,
    n_turns: u32,
}

/// Maximum number of resumes that one act may cause within a tick, counting its own and those of acts that it begins.
/// More are taken for an endless loop.
pub(super) const MAX_CHAIN: u32 = 1000;

impl Act {
    /// Creates an act without a wait.
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
            token: 0,
            ended: Ended::default(),
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
    act: ActId,
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

/// An act that is ready to run, with the answer passed to its coroutine.
pub(super) struct ReadyAct {
    pub act: ActId,
    /// Stage time from which the act continues, seconds.
    pub clock: f64,
    pub answer: MultiValue,
}

/// All acts of a program.
#[derive(Default)]
pub(super) struct Acts {
    acts: HashMap<ActId, Act>,
    last: u64,
    timers: BinaryHeap<Reverse<Timer>>,
    /// Waits for events, by character.
    events: HashMap<Handle, Vec<(String, ActId, u64)>>,
    /// Waits for ends and conditions, which are checked every tick.
    looked_at: Vec<(ActId, u64)>,
    queue: VecDeque<ReadyAct>,
    /// Act that runs now.
    pub running: Option<ActId>,
    tick: u64,
    overload: ActOverload,
}

/// Consecutive ticks in which acts used up the step budget of the tick.
#[derive(Default)]
struct ActOverload {
    first_tick: u64,
    last_tick: u64,
}

/// Number of consecutive overloaded ticks after which the acts that began in them are ended.
const MAX_OVERLOAD_TICKS: u64 = 3;

impl Acts {
    /// Begins a tick.
    pub fn begin_tick(&mut self) {
        self.tick += 1;
    }

    /// Records that acts have used up the step budget of this tick. Returns the acts to end if the overload has lasted
    /// for several ticks.
    pub fn overloaded(&mut self) -> Vec<ActId> {
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
        let new = self.picked(|act| act.born >= since);
        new.into_iter().rev().collect()
    }

    /// Counts one resume of an act. Returns false if the act caused too many resumes within this tick.
    pub fn count_turn(&mut self, id: ActId) -> bool {
        let tick = self.tick;
        let Some(act) = self.acts.get_mut(&id) else {
            return true;
        };
        if act.chain.tick != tick {
            act.chain = TurnChain { tick, n_turns: 0 };
        }
        act.chain.n_turns += 1;
        act.chain.n_turns <= MAX_CHAIN
    }

    /// Returns true if the running act has caused the maximum number of resumes within this tick.
    pub fn is_chain_full(&self) -> bool {
        let running = self.running.and_then(|running| self.acts.get(&running));
        running.is_some_and(|act| act.chain.n_turns >= MAX_CHAIN)
    }

    /// Adds an act; returns `None` if there are too many. The act first runs when it is woken.
    pub fn add(&mut self, mut act: Act) -> Option<ActId> {
        if self.acts.len() >= MAX_ACTS {
            return None;
        }
        let id = ActId(self.next());
        let causes = self.running.and_then(|running| self.acts.get(&running));
        let chain = causes.map_or_else(TurnChain::default, |act| act.chain);
        act.chain = chain;
        act.born = self.tick;
        if let Some(parent) = act.parent.and_then(|parent| self.acts.get_mut(&parent)) {
            parent.children.push(id);
        }
        self.acts.insert(id, act);
        Some(id)
    }

    /// Returns a number that was never used before.
    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    pub fn get(&self, id: ActId) -> Option<&Act> {
        self.acts.get(&id)
    }

    pub fn get_mut(&mut self, id: ActId) -> Option<&mut Act> {
        self.acts.get_mut(&id)
    }

    /// Removes an act that has ended.
    pub fn remove(&mut self, id: ActId) -> Option<Act> {
        let act = self.acts.remove(&id)?;
        if let Some(parent) = act.parent.and_then(|parent| self.acts.get_mut(&parent)) {
            parent.children.retain(|child| *child != id);
        }
        Some(act)
    }

    /// Acts without a parent, in the order in which they began.
    pub fn roots(&self) -> Vec<ActId> {
        self.picked(|act| act.parent.is_none())
    }

    /// Acts of a character, in the order in which they began.
    pub fn of(&self, character: Handle) -> Vec<ActId> {
        self.picked(|act| act.character == Some(character))
    }

    fn picked(&self, pick: impl Fn(&Act) -> bool) -> Vec<ActId> {
        let picked = self.acts.iter().filter(|(_, act)| pick(act));
        let mut ids: Vec<ActId> = picked.map(|(id, _)| *id).collect();
        ids.sort();
        ids
    }

    /// Begins a wait. `within` is a timeout in seconds.
    pub fn wait(&mut self, id: ActId, wait: Wait, within: Option<f64>) {
        let token = self.next();
        let Some(act) = self.acts.get_mut(&id) else {
            return;
        };
        if matches!(wait, Wait::End(_) | Wait::Until(_)) {
            self.looked_at.push((id, token));
        }
        act.wait = wait;
        act.token = token;
        if let Some(within) = within {
            let due = act.clock + within;
            self.timers.push(Reverse(Timer {
                due,
                token,
                act: id,
            }));
            if self.timers.len() > most_waits(self.acts.len()) {
                let acts = &self.acts;
                self.timers
                    .retain(|Reverse(timer)| is_in_progress(acts, timer.act, timer.token));
            }
        }
    }

    /// Begins a wait for an event of a character. `within` is a timeout in seconds.
    pub fn wait_event(&mut self, id: ActId, of: Handle, event: String, within: Option<f64>) {
        self.wait(id, Wait::Call, within);
        let Some(act) = self.acts.get(&id) else {
            return;
        };
        let token = act.token;
        let waits = self.events.entry(of).or_default();
        waits.push((event, id, token));
        if waits.len() > most_waits(self.acts.len()) {
            waits.retain(|(_, id, token)| is_in_progress(&self.acts, *id, *token));
        }
    }

    /// Returns true if an act waits for this event of a character.
    pub fn awaits(&self, of: Handle, event: &str) -> bool {
        let waits = self.events.get(&of).into_iter().flatten();
        let mut named = waits.filter(|(name, ..)| name == event || name == "*");
        named.any(|(_, id, token)| is_in_progress(&self.acts, *id, *token))
    }

    /// Ends the waits for an event of a character and returns their acts.
    pub fn heard(&mut self, of: Handle, event: &str) -> Vec<ActId> {
        let Some(waits) = self.events.get_mut(&of) else {
            return Vec::new();
        };
        let mut heard = Vec::new();
        waits.retain(|(name, id, token)| {
            let Some(act) = self.acts.get_mut(id).filter(|act| act.token == *token) else {
                return false;
            };
            let hears = name == event || name == "*";
            if hears {
                act.token = 0;
                heard.push(*id);
            }
            !hears
        });
        if waits.is_empty() {
            self.events.remove(&of);
        }
        heard
    }

    /// Queues an act to run, with the answer to its wait.
    pub fn wake(&mut self, id: ActId, clock: f64, answer: MultiValue) {
        if let Some(act) = self.acts.get_mut(&id) {
            act.token = 0;
            act.wait = Wait::Nothing;
            self.queue.push_back(ReadyAct {
                act: id,
                clock,
                answer,
            });
        }
    }

    /// Removes and returns the next act with a due timer, and the time at which it was due.
    pub fn due(&mut self, now: f64) -> Option<(ActId, f64)> {
        while let Some(Reverse(timer)) = self.timers.peek().copied() {
            if timer.due > now {
                return None;
            }
            self.timers.pop();
            let act = self.acts.get_mut(&timer.act);
            if let Some(act) = act.filter(|act| act.token == timer.token) {
                act.token = 0;
                return Some((timer.act, timer.due));
            }
        }
        None
    }

    /// Waits to handle this tick: ends that have happened, and conditions to evaluate.
    pub fn looked_at(&mut self) -> Vec<(ActId, WaitStatus)> {
        let mut looks = Vec::new();
        let acts = &self.acts;
        self.looked_at.retain(|(id, token)| {
            let Some(act) = acts.get(id).filter(|act| act.token == *token) else {
                return false;
            };
            match &act.wait {
                Wait::End(ended) => {
                    if let Some(reason) = ended.get() {
                        looks.push((*id, WaitStatus::Ended(reason)));
                    }
                }
                Wait::Until(condition) => looks.push((*id, WaitStatus::Ask(condition.clone()))),
                _ => {}
            }
            true
        });
        looks
    }

    /// Returns true if an act is ready to run.
    pub fn has_turns(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Removes and returns the next act to run.
    pub fn turn(&mut self) -> Option<ReadyAct> {
        self.queue.pop_front()
    }
}

/// Length of a list of waits at which ended waits are removed. At least half of the list has then ended, so the cost
/// per wait is constant.
fn most_waits(n_acts: usize) -> usize {
    64 + 2 * n_acts
}

/// Returns true if the act is still in the wait with this token.
fn is_in_progress(acts: &HashMap<ActId, Act>, id: ActId, token: u64) -> bool {
    acts.get(&id).is_some_and(|act| act.token == token)
}

/// State of a wait that is checked every tick.
pub(super) enum WaitStatus {
    /// The awaited end has happened, for this reason.
    Ended(&'static str),
    /// The condition must be evaluated.
    Ask(Function),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act() -> Act {
        Act::new(None, None, 0.0)
    }

    #[test]
    fn what_sleeps_wakes_in_order_of_time_and_then_of_coming() {
        let mut acts = Acts::default();
        let times = [0.3, 0.1, 0.2, 0.1];
        let ids = times.map(|_| acts.add(act()).unwrap());
        for (id, time) in ids.iter().zip(times) {
            acts.wait(*id, Wait::Call, Some(time));
        }
        let mut woken = Vec::new();
        while let Some((id, due)) = acts.due(0.25) {
            woken.push((id, due));
        }
        assert_eq!(woken, [(ids[1], 0.1), (ids[3], 0.1), (ids[2], 0.2)]);
        assert_eq!(acts.due(0.3), Some((ids[0], 0.3)));
        assert_eq!(acts.due(9.0), None);
    }

    #[test]
    fn a_wait_that_was_answered_is_not_answered_again_by_its_time() {
        let mut acts = Acts::default();
        let id = acts.add(act()).unwrap();
        let hero = galatea_stage::Arena::default().insert(());
        acts.wait_event(id, hero, "step".into(), Some(0.5));
        assert_eq!(acts.heard(hero, "land"), []);
        assert_eq!(acts.heard(hero, "step"), [id]);
        assert_eq!(acts.heard(hero, "step"), []);
        acts.wake(id, 0.2, MultiValue::new());
        assert_eq!(acts.due(1.0), None);
        acts.wait_event(id, hero, "*".into(), Some(0.5));
        assert_eq!(acts.due(1.0), Some((id, 0.5)));
        assert_eq!(acts.heard(hero, "step"), []);
    }

    #[test]
    fn an_end_is_seen_once_and_a_condition_is_asked_every_time() {
        let mut acts = Acts::default();
        let id = acts.add(act()).unwrap();
        let ended = Ended::default();
        acts.wait(id, Wait::End(ended.clone()), None);
        assert!(acts.looked_at().is_empty());
        ended.set(Some("end"));
        assert!(matches!(acts.looked_at()[..], [(seen, WaitStatus::Ended("end"))] if seen == id));
        acts.wake(id, 0.0, MultiValue::new());
        assert!(acts.looked_at().is_empty());
    }

    #[test]
    fn waits_that_are_over_are_not_kept() {
        let mut acts = Acts::default();
        let [id, other] = [(); 2].map(|()| acts.add(act()).unwrap());
        let hero = galatea_stage::Arena::default().insert(());
        acts.wait_event(other, hero, "land".into(), Some(9.0));
        for _ in 0..10_000 {
            acts.wait_event(id, hero, "step".into(), Some(1e6));
            acts.wake(id, 0.0, MultiValue::new());
        }
        let n_events = acts.events[&hero].len();
        assert!(n_events <= 70 && acts.timers.len() <= 70, "{n_events}");
        assert_eq!(acts.heard(hero, "land"), [other]);
    }

    #[test]
    fn there_is_a_limit() {
        let mut acts = Acts::default();
        let all: Vec<_> = (0..=MAX_ACTS).map(|_| acts.add(act())).collect();
        assert_eq!(all.iter().filter(|id| id.is_none()).count(), 1);
        assert!(acts.remove(all[0].unwrap()).is_some());
        assert!(acts.add(act()).is_some());
    }
}
