//! Acts: coroutines that do one thing after another, and what each of them waits for.
//!
//! Callers: `scheduler` runs them, `api::act` makes them and says what they wait for. What sleeps costs
//! nothing until its time has come. Invariant: a wait is named by a token that no other ever has, so
//! that whoever comes too late with an answer finds nobody.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::rc::Rc;

use mlua::{Function, MultiValue, Table, Thread};

use galatea_stage::Handle;

/// Acts that may run at a time.
pub(super) const MOST_ACTS: usize = 50_000;

/// How an act that ran through is over.
pub(super) const ENDED: &str = "end";
/// How one is over that was ended from outside, or with the act that began it.
pub(super) const INTERRUPTED: &str = "interrupted";
/// How one with a fault is over.
pub(super) const FAILED: &str = "failed";

/// Names an act; never used for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ActId(u64);

/// Why something is over; shared between its record and what scripts hold.
pub(super) type Ended = Rc<Cell<Option<&'static str>>>;

/// What an act waits for.
pub(super) enum Wait {
    /// Nothing: it runs, or its turn is in the queue.
    Nothing,
    /// A time, or an event: whatever wakes it brings the answer.
    Call,
    /// The end of something.
    End(Ended),
    /// A condition, asked once a tick.
    Until(Function),
    /// All of its branches; the answers that are there, in their order.
    All(Table, usize),
    /// The first of its branches to end.
    Race,
}

/// An act that is not over.
pub(super) struct Act {
    /// `None` for a branch that only waits.
    pub thread: Option<Thread>,
    pub character: Option<Handle>,
    pub parent: Option<ActId>,
    /// Its number among the branches that its parent waits for.
    pub branch: Option<usize>,
    pub children: Vec<ActId>,
    /// To be called when it is over, the last first.
    pub deferred: Vec<Function>,
    /// A play that is stopped when the act is over while it waits for its end.
    pub play: Option<u64>,
    /// The moment from which it measures time, seconds: when what it last waited for came about.
    pub clock: f64,
    pub wait: Wait,
    /// Names the wait in progress.
    token: u64,
    pub ended: Ended,
    /// How many acts stand above it.
    pub depth: usize,
    chain: TurnChain,
    /// The tick in which it began.
    born: u64,
}

/// Turns of acts that caused each other within one tick.
#[derive(Clone, Copy, Debug, Default)]
struct TurnChain {
    tick: u64,
    n_turns: u32,
}

/// Turns that one act may cause within a tick, its own and those of acts that it begins. More are an endless loop.
pub(super) const MAX_CHAIN: u32 = 1000;

impl Act {
    /// An act that waits for nothing yet.
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

/// An act whose turn it is, and what it is given.
pub(super) struct ReadyAct {
    pub act: ActId,
    /// The moment that it goes on from, seconds.
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
    /// Waits for ends and conditions, which are looked at every tick.
    looked_at: Vec<(ActId, u64)>,
    queue: VecDeque<ReadyAct>,
    /// The act whose coroutine runs.
    pub running: Option<ActId>,
    tick: u64,
    overload: ActOverload,
}

/// Ticks in a row in which acts used up the steps of the tick.
#[derive(Default)]
struct ActOverload {
    first_tick: u64,
    last_tick: u64,
}

/// After so many ticks of overload the acts that began in them are ended.
const MAX_OVERLOAD_TICKS: u64 = 3;

impl Acts {
    /// Begins a tick.
    pub fn begin_tick(&mut self) {
        self.tick += 1;
    }

    /// Notes that acts have used up the steps of this tick. Returns acts to end, if that has been so for long.
    pub fn overloaded(&mut self) -> Vec<ActId> {
        let overload = &mut self.overload;
        if overload.last_tick == self.tick {
            return Vec::new();
        }
        // The first tick is number 1.
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

    /// Counts a turn of an act. False if the act caused too many turns within this tick.
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

    /// True when the act that runs has caused as many turns within this tick as it may.
    pub fn is_chain_full(&self) -> bool {
        let running = self.running.and_then(|running| self.acts.get(&running));
        running.is_some_and(|act| act.chain.n_turns >= MAX_CHAIN)
    }

    /// Adds an act; `None` when there are too many. Its first turn comes when it is woken.
    pub fn add(&mut self, mut act: Act) -> Option<ActId> {
        if self.acts.len() >= MOST_ACTS {
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

    /// A number that was never used.
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

    /// Takes out an act that is over.
    pub fn remove(&mut self, id: ActId) -> Option<Act> {
        let act = self.acts.remove(&id)?;
        if let Some(parent) = act.parent.and_then(|parent| self.acts.get_mut(&parent)) {
            parent.children.retain(|child| *child != id);
        }
        Some(act)
    }

    /// Acts that have no parent, in the order in which they began.
    pub fn roots(&self) -> Vec<ActId> {
        self.picked(|act| act.parent.is_none())
    }

    /// The acts of a character, in the order in which they began.
    pub fn of(&self, character: Handle) -> Vec<ActId> {
        self.picked(|act| act.character == Some(character))
    }

    fn picked(&self, pick: impl Fn(&Act) -> bool) -> Vec<ActId> {
        let picked = self.acts.iter().filter(|(_, act)| pick(act));
        let mut ids: Vec<ActId> = picked.map(|(id, _)| *id).collect();
        ids.sort();
        ids
    }

    /// Begins a wait; `within` ends it after so many seconds.
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

    /// Begins a wait for an event of a character.
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

    /// True when an act waits for this event of a character.
    pub fn awaits(&self, of: Handle, event: &str) -> bool {
        let waits = self.events.get(&of).into_iter().flatten();
        let mut named = waits.filter(|(name, ..)| name == event || name == "*");
        named.any(|(_, id, token)| is_in_progress(&self.acts, *id, *token))
    }

    /// Acts that wait for an event of a character; they wait no more.
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

    /// Gives an act its turn, with an answer to what it waits for.
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

    /// The next whose time has come, and the time.
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

    /// The waits that are to be looked at: an end that came about, or a condition to ask.
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

    /// True while an act waits for its turn.
    pub fn has_turns(&self) -> bool {
        !self.queue.is_empty()
    }

    /// The next turn.
    pub fn turn(&mut self) -> Option<ReadyAct> {
        self.queue.pop_front()
    }
}

/// Waits that are listed at most before those that are over are taken out, which then are half of them
/// or more: so each costs the same however many there are.
fn most_waits(n_acts: usize) -> usize {
    64 + 2 * n_acts
}

/// True when an act still waits for what has this token.
fn is_in_progress(acts: &HashMap<ActId, Act>, id: ActId, token: u64) -> bool {
    acts.get(&id).is_some_and(|act| act.token == token)
}

/// What looking at a wait gave.
pub(super) enum WaitStatus {
    /// What it waits for has ended, for this reason.
    Ended(&'static str),
    /// The condition is to be asked.
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
        let all: Vec<_> = (0..=MOST_ACTS).map(|_| acts.add(act())).collect();
        assert_eq!(all.iter().filter(|id| id.is_none()).count(), 1);
        assert!(acts.remove(all[0].unwrap()).is_some());
        assert!(acts.add(act()).is_some());
    }
}
