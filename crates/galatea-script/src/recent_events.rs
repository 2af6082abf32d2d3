//! Recent named events, for tools outside of the script.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use super::api::events::event_name;
use galatea_anim::{MarkerValue, Named, Outcome, Reason};
use galatea_character::Character;
use galatea_physics::ControllerTickEvent;
use galatea_stage::{ControllerEvent, Event, EventKind, FallEvent, MarkerEvent, Stage};

/// Maximum number of stored events; older ones are discarded.
const MAX_EVENTS: usize = 1024;

/// A recorded event.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedScriptEvent {
    /// Sequence number, from 1.
    pub number: u64,
    /// Stage time, seconds.
    pub time: f64,
    /// Name of the character: the name from the script, or its file and a number.
    pub character: String,
    /// Event name as used by listeners.
    pub name: String,
    /// Other fields of the event table that can be stored as data.
    pub details: Map<String, Value>,
}

/// A marker that listeners without options do not hear.
#[derive(Clone, Debug, PartialEq)]
pub struct SuppressedEvent {
    /// Stage time, seconds.
    pub time: f64,
    /// Name of the character.
    pub character: String,
    /// Event name of the marker.
    pub name: String,
    /// Clip of the marker.
    pub clip: String,
    /// Reason, as in the event log of scripts.
    pub reason: &'static str,
}

/// The most recent events, oldest first.
#[derive(Default)]
pub(super) struct Ring {
    kept: VecDeque<RecordedScriptEvent>,
    n: u64,
    /// Suppressed markers since the last call of [`Ring::take_suppressed`].
    suppressed: Vec<SuppressedEvent>,
}

impl Ring {
    /// Stores the events of a tick.
    pub fn record(&mut self, stage: &Stage, events: &[Event]) {
        if self.suppressed.len() > MAX_EVENTS {
            self.suppressed.clear();
        }
        for event in events {
            if !is_reported(event) {
                self.suppressed.extend(suppressed(stage, event));
                continue;
            }
            let (Some(name), Some(character)) = (
                event_name(stage, event),
                stage.characters.get(event.character),
            ) else {
                continue;
            };
            self.n += 1;
            if self.kept.len() >= MAX_EVENTS {
                self.kept.pop_front();
            }
            self.kept.push_back(RecordedScriptEvent {
                number: self.n,
                time: event.time,
                character: character.shown_name().to_owned(),
                name: name.to_owned(),
                details: details(event, character),
            });
        }
    }

    /// Stored events with a number above `since`, oldest first.
    pub fn since(&self, since: u64) -> Vec<RecordedScriptEvent> {
        let after = self.kept.iter().filter(|heard| heard.number > since);
        after.cloned().collect()
    }

    /// Returns and removes the suppressed markers, oldest first.
    pub fn take_suppressed(&mut self) -> Vec<SuppressedEvent> {
        std::mem::take(&mut self.suppressed)
    }

    /// Number of the last event.
    pub fn n_events(&self) -> u64 {
        self.n
    }
}

fn suppressed(stage: &Stage, event: &Event) -> Option<SuppressedEvent> {
    let EventKind::Marker(mark) = &event.kind else {
        return None;
    };
    let character = stage.characters.get(event.character)?;
    let named = event.named(character);
    let reason = mark.outcome.reason().unwrap_or(Reason::LowerWeight);
    Some(SuppressedEvent {
        time: event.time,
        character: character.shown_name().to_owned(),
        name: named.marker?.event.clone(),
        clip: named.clip.to_owned(),
        reason: reason.word(),
    })
}

/// Returns true for events that a listener without options hears: in a blend, the mark of the clip with the largest
/// weight.
fn is_reported(event: &Event) -> bool {
    match &event.kind {
        EventKind::Marker(mark) => {
            mark.has_max_weight && !matches!(mark.outcome, Outcome::Suppressed(_))
        }
        _ => true,
    }
}

fn details(event: &Event, character: &Character) -> Map<String, Value> {
    let named = event.named(character);
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| {
        out.insert(name.to_owned(), value);
    };
    if let Some((layer, state)) = named.state {
        put("layer", json!(layer));
        put("state", json!(state));
    }
    match &event.kind {
        EventKind::Enter { .. } => put("from", json!(named.other)),
        EventKind::Exit { .. } => put("to", json!(named.other)),
        EventKind::Warp(end) => put("reason", json!(end.word())),
        EventKind::Marker(mark) => put_marker(mark, &named, &mut put),
        EventKind::Fall(body) => put_body(body, &mut put),
        EventKind::Stick(stick) => {
            put("position", json!(stick.position.to_array()));
            put("speed", json!(stick.speed));
        }
        EventKind::Use(event) => {
            put("interaction", json!(event.interaction));
            put("phase", json!(event.phase));
        }
        EventKind::Say(event) => put("line", json!(event.id)),
        EventKind::Step(event) => {
            let leg = event.rig.legs.get(event.step.leg);
            put("foot", json!(leg.map(|leg| leg.name.as_str())));
            put("position", json!(event.step.position.to_array()));
            put("speed", json!(event.step.speed));
            put("surface", json!(event.surface.as_deref()));
        }
        EventKind::Touch(touch) => {
            put("position", json!(touch.position.to_array()));
            put("normal", json!(touch.normal.to_array()));
            put("speed", json!(touch.speed));
            put("impulse", json!(touch.impulse));
            put("surface", json!(touch.surface.as_deref()));
        }
        EventKind::Controller(walk) => put_walk(walk, &mut put),
        EventKind::End { .. } | EventKind::ActionEnd { .. } | EventKind::Converse(_) => {}
    }
    out
}

fn put_marker(mark: &MarkerEvent, named: &Named<'_>, put: &mut impl FnMut(&str, Value)) {
    for (field, value) in named.marker.iter().flat_map(|mark| &mark.fields) {
        let value = match value {
            MarkerValue::Number(n) => json!(n),
            MarkerValue::Text(text) => json!(text),
            MarkerValue::Bool(b) => json!(b),
        };
        put(field, value);
    }
    put("clip", json!(named.clip));
    put("weight", json!(mark.weight));
    put("marker_phase", json!(mark.phase.word()));
    put("position", json!(mark.position.to_array()));
    put("surface", json!(mark.surface.as_deref()));
}

fn put_body(body: &FallEvent, put: &mut impl FnMut(&str, Value)) {
    match body {
        FallEvent::Hit {
            reaction,
            impulse,
            position,
            damage,
            ..
        } => {
            put("reaction", json!(reaction.word()));
            put("impulse", json!(impulse.to_array()));
            put("position", json!(position.to_array()));
            put("damage", json!(damage));
        }
        FallEvent::Settle(lying) | FallEvent::GetUp(lying) => put("posture", json!(lying.word())),
        FallEvent::KnockDown | FallEvent::GetUpEnd | FallEvent::Die => {}
    }
}

fn put_walk(walk: &ControllerEvent, put: &mut impl FnMut(&str, Value)) {
    if let Some((position, normal)) = walk.contact {
        put("position", json!(position.to_array()));
        put("normal", json!(normal.to_array()));
    }
    put("surface", json!(walk.surface.as_deref()));
    match walk.kind {
        ControllerTickEvent::Jump { speed } | ControllerTickEvent::Bump { speed, .. } => {
            put("speed", json!(speed))
        }
        ControllerTickEvent::Land { speed, height, .. } => {
            put("speed", json!(speed));
            put("height", json!(height));
        }
        ControllerTickEvent::StepUp { height, .. } => put("height", json!(height)),
        ControllerTickEvent::Slide { slope, .. } => put("slope", json!(slope.to_degrees())),
        ControllerTickEvent::Fall => {}
    }
}
