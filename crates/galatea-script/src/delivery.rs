//! Delivery of a tick's events to their listeners, in one batch.
//!
//! The listeners of every event and the event tables are collected before the first listener runs. A listener may do
//! anything. Events that it causes are delivered with the next batch. A listener that it adds hears only later events.
//! A listener that it removes hears nothing more, not even the rest of this batch.

use std::cell::Cell;
use std::rc::Rc;

use mlua::{AnyUserData, Function, Table};

use super::api::conversation_handle::conversation_table;
use super::api::events::{event_name, event_table, other_state};
use super::host::Host;
use super::listeners::Handler;
use super::state_scripts::{Change, change_of};
use super::talks::{self, ConversationCalls};
use super::tasks::TaskId;
use super::world::World;
use galatea_anim::{CrossingSource, Interval, MarkerPhase, Outcome, Reason};
use galatea_stage::{Event, EventKind, Handle, MarkerEvent, Stage};

/// Steps of the budget for preparing an event that something listens to, and for each of its listeners.
const EVENT_STEPS: u64 = 250;
const LISTENER_STEPS: u64 = 8;

/// Calls the listeners of each event, in the given order.
pub(super) fn deliver(host: &mut Host, stage: &mut Stage, events: &[Event]) {
    // The other half of the steps is for the calls.
    let mut left = host.steps_left() / 2;
    let before = left;
    let mut has_skipped = false;
    let mut told = Vec::new();
    for event in events {
        has_skipped |= left == 0 && has_listeners(host, event);
        told.extend(prepare(host, stage, event, &mut left));
    }
    host.count_between(before - left);
    for event in told {
        host.with_world(|world| world.event_time = Some(event.time));
        if let Some((change, other)) = &event.change {
            host.change_state(stage, change, other.as_deref());
        }
        match event.delivery {
            EventDelivery::Nothing => {}
            EventDelivery::Ended { done, reason } => {
                host.call_guarded::<()>(stage, &done, reason);
            }
            EventDelivery::Called(id, function, hold) => {
                host.call_of_conversation(stage, id, &function, hold);
            }
            EventDelivery::Event {
                table,
                listeners,
                states,
                tasks,
            } => {
                for listener in listeners {
                    if host.is_tick_over() {
                        has_skipped = true;
                        break;
                    }
                    if listener.is_alive.get() {
                        listener.is_alive.set(!listener.once);
                        host.call_guarded::<()>(stage, &listener.function, table.clone());
                    }
                }
                if let Some((character, name)) = states {
                    host.call_state_listeners(stage, character, &name, &table);
                }
                host.wake_tasks(tasks, event.time, &table);
            }
        }
    }
    if has_skipped {
        host.report_skipped_calls();
    }
    let ended = host.with_program(|program| std::mem::take(&mut program.calls.done));
    for (done, reason) in ended {
        host.call_guarded::<()>(stage, &done, reason);
    }
    host.with_world(|world| world.event_time = None);
    host.end_tasks(stage);
}

/// An event with the listeners to call.
struct ReadyEvent {
    time: f64,
    /// Change of state that the event reports, and the name of the other state of the transition.
    change: Option<(Change, Option<String>)>,
    delivery: EventDelivery,
}

struct Listener {
    function: Function,
    once: bool,
    is_alive: Rc<Cell<bool>>,
}

impl Listener {
    fn of(handler: &Handler) -> Self {
        Self {
            function: handler.function.clone(),
            once: handler.once,
            is_alive: handler.is_alive.clone(),
        }
    }
}

enum EventDelivery {
    /// No listener, state or task handles the event.
    Nothing,
    Ended {
        done: Function,
        reason: &'static str,
    },
    /// A conversation calls a function of the script.
    Called(u64, Function, AnyUserData),
    Event {
        table: Table,
        listeners: Vec<Listener>,
        /// Character with states that listen to the event, and the event name.
        states: Option<(Handle, String)>,
        /// Tasks that waited for the event.
        tasks: Vec<TaskId>,
    },
}

/// Collects the listeners of an event, and subtracts the work from the steps that are `left` for this. If none are left,
/// it collects only tasks.
fn prepare(host: &Host, stage: &mut Stage, event: &Event, left: &mut u64) -> Option<ReadyEvent> {
    let change = change_of(host, stage, event).map(|change| {
        let other = other_state(stage, event).map(str::to_owned);
        (change, other)
    });
    let what = match &event.kind {
        EventKind::ActionEnd { id, reason } => {
            let play = host.with_program(|program| program.listeners.plays.remove(id))?;
            play.ended.set(Some(reason.word()));
            EventDelivery::Ended {
                done: play.done?,
                reason: reason.word(),
            }
        }
        EventKind::Marker(mark) if matches!(mark.outcome, Outcome::Suppressed(_)) => return None,
        EventKind::Converse(told) => {
            match host
                .with_program(|program| talks::calls_for(&mut program.conversations, event))?
            {
                ConversationCalls::Called(id, function, hold) => {
                    EventDelivery::Called(id, function, hold)
                }
                ConversationCalls::Listeners(on) => EventDelivery::Event {
                    table: conversation_table(host.lua(), stage, event, told).ok()?,
                    listeners: on.iter().map(Listener::of).collect(),
                    states: None,
                    tasks: Vec::new(),
                },
            }
        }
        _ => {
            let name = event_name(stage, event)?.to_owned();
            let is_over = *left == 0;
            let listeners = match is_over {
                true => Vec::new(),
                false => listeners(host, stage, event, &name),
            };
            let in_states =
                !is_over && wakes(event) && has_state_listener(host, stage, event, &name);
            if listeners.is_empty() && !in_states && !is_waited_for(host, event, &name) {
                EventDelivery::Nothing
            } else {
                let steps = EVENT_STEPS + LISTENER_STEPS * listeners.len() as u64;
                *left = left.saturating_sub(steps);
                let table = event_table(host.lua(), stage, event).ok()??;
                let heard = |world: &mut World| world.program.tasks.heard(event.character, &name);
                let tasks = wakes(event).then(|| host.with_world(heard));
                EventDelivery::Event {
                    table,
                    listeners,
                    states: in_states.then_some((event.character, name)),
                    tasks: tasks.unwrap_or_default(),
                }
            }
        }
    };
    if change.is_none() && matches!(what, EventDelivery::Nothing) {
        return None;
    }
    Some(ReadyEvent {
        time: event.time,
        change,
        delivery: what,
    })
}

/// Returns true if the event's character has listeners.
fn has_listeners(host: &Host, event: &Event) -> bool {
    host.with_program(|program| program.listeners.characters.contains_key(&event.character))
}

/// Returns true if a state of the character's machine listens to an event.
fn has_state_listener(host: &Host, stage: &Stage, event: &Event, name: &str) -> bool {
    let character = stage.characters.get(event.character);
    let machine = character.and_then(|character| character.playback.machine.as_ref());
    host.with_program(|program| {
        let machine = machine.map(|(machine, _)| &**machine);
        let states = &program.machines.states;
        !states.characters.is_empty() && states.hears(machine, name)
    })
}

/// Returns true if a task waits for this event and the event can wake tasks.
fn is_waited_for(host: &Host, event: &Event, name: &str) -> bool {
    wakes(event) && host.with_program(|program| program.tasks.awaits(event.character, name))
}

/// Returns true if an event can wake tasks: every event that a listener without options hears, except the ends of
/// intervals.
fn wakes(event: &Event) -> bool {
    match &event.kind {
        EventKind::Marker(mark) => mark.has_max_weight && mark.phase != MarkerPhase::End,
        _ => true,
    }
}

/// Listeners of an event: first those of the play, then those of the character, each in order of registration.
fn listeners(host: &Host, stage: &mut Stage, event: &Event, name: &str) -> Vec<Listener> {
    let mark = match &event.kind {
        EventKind::Marker(mark) => Some(mark),
        _ => None,
    };
    let character = stage.characters.get(event.character);
    let interval = character.and_then(|character| event.interval(character));
    let mut chosen = Vec::new();
    let (mut asked, mut heard) = (false, false);
    host.with_world(|world| {
        // The log records points and beginnings of intervals. The end of an interval belongs to its beginning.
        let counts = mark.is_none_or(|mark| mark.has_max_weight && mark.phase != MarkerPhase::End);
        if let (Some(log), true) = (&mut world.log, counts) {
            log.push((event.character, name.to_owned(), event.time));
        }
        if let Some(mark) = mark
            && let CrossingSource::Play(id) = mark.source
            && let Some(play) = world.program.listeners.plays.get_mut(&id)
        {
            for handler in &mut play.on {
                let named = handler.event == name || handler.event == "*";
                if named && receives(handler, mark, interval) {
                    chosen.push(Listener::of(handler));
                }
            }
            heard = !chosen.is_empty();
        }
        let handlers = world.program.listeners.characters.get_mut(&event.character);
        for handler in handlers.into_iter().flatten() {
            if handler.event != name && handler.event != "*" {
                continue;
            }
            asked = true;
            if mark.is_none_or(|mark| receives(handler, mark, interval)) {
                heard = true;
                chosen.push(Listener::of(handler));
            }
        }
    });
    if let Some(mark) = mark {
        correct_event_log(stage, event, mark, asked, heard);
    }
    chosen
}

/// Returns true if a listener hears a mark. It hears points and beginnings from the heaviest source of a blend (with
/// `all`, from every source) if the weight reaches its minimum. It hears the end of an interval if it heard the
/// beginning.
fn receives(handler: &mut Handler, mark: &MarkerEvent, interval: Option<Interval>) -> bool {
    let speaks = (mark.has_max_weight || handler.all) && mark.weight >= handler.min_weight;
    match mark.phase {
        MarkerPhase::Point => speaks,
        MarkerPhase::Begin => {
            handler.heard_intervals.extend(interval.filter(|_| speaks));
            speaks
        }
        MarkerPhase::End => {
            let mut heard = handler.heard_intervals.iter();
            let at = heard.position(|begun| interval.is_some_and(|end| end.ends(*begun)));
            at.map(|at| handler.heard_intervals.swap_remove(at))
                .is_some()
        }
    }
}

/// Corrects the ledger entry of a mark. The stage recorded the mark before the listeners' options were checked. For the
/// beginning of an interval the correction also applies to its end.
fn correct_event_log(
    stage: &mut Stage,
    event: &Event,
    mark: &MarkerEvent,
    asked: bool,
    heard: bool,
) {
    let Some(entry) = mark.entry else { return };
    let Some(character) = stage.characters.get_mut(event.character) else {
        return;
    };
    if mark.phase == MarkerPhase::End && character.playback.event_log.amend_end(entry, mark.outcome)
    {
        return;
    }
    if heard && !mark.has_max_weight {
        character.playback.event_log.amend(entry, mark.outcome);
    } else if asked && !heard && mark.has_max_weight {
        let reason = Reason::BelowMinWeight;
        character
            .playback
            .event_log
            .amend(entry, Outcome::Suppressed(reason));
    }
}
