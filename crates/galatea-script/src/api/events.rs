//! Tables of events for listeners, and the event log.

use mlua::{Lua, Table, Value};

use super::character_ref::{reference, with_character};
use super::check::{Args, lua_number, lua_vector};
use super::event_check::check_event;
use crate::budget::charge;
use galatea_anim::{
    CrossingNames, CrossingSource, EventLogEntry, Marker, MarkerPhase, MarkerValue,
};
use galatea_character::Character;
use galatea_physics::ControllerTickEvent;
use galatea_stage::{
    ControllerEvent, Event, EventKind, FallEvent, MarkerEvent, Stage, StepEvent, StickEvent,
    TouchEvent,
};

/// Name by which scripts listen to an event; `None` for events without listeners by name.
pub(crate) fn event_name<'a>(stage: &'a Stage, event: &'a Event) -> Option<&'a str> {
    match &event.kind {
        EventKind::Enter { .. } => Some("state_enter"),
        EventKind::Exit { .. } => Some("state_exit"),
        EventKind::End { .. } => Some("state_end"),
        EventKind::Warp(_) => Some("warp_end"),
        EventKind::Fall(body) => Some(body.name()),
        EventKind::Touch(touch) if touch.began => Some("touch"),
        EventKind::Touch(_) => Some("touch_end"),
        EventKind::Controller(walk) => Some(walk_name(&walk.kind)),
        EventKind::Stick(_) => Some("stick"),
        EventKind::Step(_) => Some("step"),
        EventKind::Use(event) if event.is_object_event => Some("used"),
        EventKind::Use(_) => Some("use"),
        EventKind::Say(event) => Some(event.kind.name()),
        EventKind::Marker(_) => {
            let character = stage.characters.get(event.character)?;
            Some(&event.named(character).marker?.event)
        }
        // Conversations call their own listeners.
        EventKind::ActionEnd { .. } | EventKind::Converse(_) => None,
    }
}

/// Name of the state that an event's state was entered from or left for.
pub(crate) fn other_state<'a>(stage: &'a Stage, event: &'a Event) -> Option<&'a str> {
    let character = stage.characters.get(event.character)?;
    event.named(character).other
}

/// Table for one event; `None` if its character or marker no longer exists.
pub(crate) fn event_table(lua: &Lua, stage: &Stage, event: &Event) -> mlua::Result<Option<Table>> {
    let (Some(name), Some(character)) = (
        event_name(stage, event),
        stage.characters.get(event.character),
    ) else {
        return Ok(None);
    };
    let named = event.named(character);
    let table = lua.create_table()?;
    match (&event.kind, named.marker) {
        (EventKind::Marker(event), Some(mark)) => marker_table(&table, mark, named.clip, event)?,
        (EventKind::Marker(_), None) => return Ok(None),
        (EventKind::Warp(end), _) => table.raw_set("reason", end.word())?,
        (EventKind::Fall(body), _) => body_table(lua, stage, &table, character, body)?,
        (EventKind::Touch(touch), _) => touch_table(lua, stage, &table, touch)?,
        (EventKind::Controller(walk), _) => walk_table(lua, stage, &table, walk)?,
        (EventKind::Stick(stick), _) => stick_table(lua, stage, &table, stick)?,
        (EventKind::Step(step), _) => step_table(&table, step)?,
        (EventKind::Say(event), _) => super::line_handle::say_table(&table, event)?,
        (EventKind::Use(event), _) => {
            if stage.characters.get(event.other).is_some() {
                table.raw_set("other", reference(lua, event.other)?)?;
            }
            table.raw_set("interaction", event.interaction.as_str())?;
            table.raw_set("phase", event.phase)?;
        }
        (EventKind::Enter { .. }, _) => table.raw_set("from", named.other)?,
        (EventKind::Exit { .. }, _) => table.raw_set("to", named.other)?,
        (EventKind::End { .. } | EventKind::ActionEnd { .. } | EventKind::Converse(_), _) => {}
    }
    if let Some((layer, state)) = named.state {
        table.raw_set("state", state)?;
        table.raw_set("layer", layer)?;
    }
    table.raw_set("name", name)?;
    table.raw_set("time", event.time)?;
    table.raw_set("character", reference(lua, event.character)?)?;
    let is_mark = matches!(event.kind, EventKind::Marker(_));
    debug_assert_eq!(check_event(name, is_mark, &table), Ok(()), "event {name:?}");
    Ok(Some(table))
}

/// Adds the fields of events of the body: hits, falls and getting up.
fn body_table(
    lua: &Lua,
    stage: &Stage,
    table: &Table,
    character: &Character,
    body: &FallEvent,
) -> mlua::Result<()> {
    match body {
        FallEvent::Hit {
            bone,
            reaction,
            impulse,
            position,
            damage,
            other,
        } => {
            if let Some(other) = other.filter(|other| stage.characters.get(*other).is_some()) {
                table.raw_set("other", reference(lua, other)?)?;
            }
            let bones = character.definition.model.skeleton.bones();
            let name = bones.get(usize::from(*bone)).map(|bone| bone.name.as_str());
            table.raw_set("bone", name)?;
            table.raw_set("reaction", reaction.word())?;
            table.raw_set("impulse", lua_vector(*impulse))?;
            table.raw_set("position", lua_vector(*position))?;
            table.raw_set("damage", lua_number(*damage))
        }
        FallEvent::Settle(lying) | FallEvent::GetUp(lying) => {
            table.raw_set("posture", lying.word())
        }
        FallEvent::KnockDown | FallEvent::GetUpEnd | FallEvent::Die => Ok(()),
    }
}

/// Adds the fields of the event `stick`.
fn stick_table(lua: &Lua, stage: &Stage, table: &Table, stick: &StickEvent) -> mlua::Result<()> {
    let other = stick
        .other
        .and_then(|other| Some((other, stage.characters.get(other)?)));
    if let Some((handle, holder)) = other {
        table.raw_set("other", reference(lua, handle)?)?;
        let bones = holder.definition.model.skeleton.bones();
        let bone = stick.bone.and_then(|bone| bones.get(usize::from(bone)));
        table.raw_set("bone", bone.map(|bone| bone.name.as_str()))?;
    }
    table.raw_set("position", lua_vector(stick.position))?;
    table.raw_set("speed", stick.speed)
}

/// Adds the fields of the event `step`.
fn step_table(table: &Table, event: &StepEvent) -> mlua::Result<()> {
    let step = &event.step;
    let leg = event.rig.legs.get(step.leg);
    table.raw_set("foot", leg.map(|leg| leg.name.as_str()))?;
    table.raw_set("position", lua_vector(step.position))?;
    table.raw_set("normal", lua_vector(step.normal))?;
    table.raw_set("speed", step.speed)?;
    table.raw_set("weight", step.weight)?;
    table.raw_set("surface", event.surface.as_deref().unwrap_or_default())?;
    if let Some((next, seconds)) = step.next {
        table.raw_set("next_position", lua_vector(next))?;
        table.raw_set("time_to_next", seconds)?;
    }
    table.raw_set("source", "foot_ik")
}

/// Adds the fields of the events `touch` and `touch_end`.
fn touch_table(lua: &Lua, stage: &Stage, table: &Table, touch: &TouchEvent) -> mlua::Result<()> {
    let other = touch
        .other
        .filter(|other| stage.characters.get(*other).is_some());
    if let Some(other) = other {
        table.raw_set("other", reference(lua, other)?)?;
    }
    table.raw_set("sensor", touch.sensor)?;
    table.raw_set("position", lua_vector(touch.position))?;
    table.raw_set("normal", lua_vector(touch.normal))?;
    table.raw_set("speed", touch.speed)?;
    table.raw_set("impulse", touch.impulse)?;
    table.raw_set("surface", touch.surface.as_deref().unwrap_or_default())
}

fn walk_name(walked: &ControllerTickEvent) -> &'static str {
    match walked {
        ControllerTickEvent::Jump { .. } => "jump",
        ControllerTickEvent::Fall => "fall",
        ControllerTickEvent::Land { .. } => "land",
        ControllerTickEvent::StepUp { .. } => "step_up",
        ControllerTickEvent::Slide { began: true, .. } => "slide",
        ControllerTickEvent::Slide { .. } => "slide_end",
        ControllerTickEvent::Bump { .. } => "bump",
    }
}

/// Adds the fields of events of the controller, such as `land`.
fn walk_table(lua: &Lua, stage: &Stage, table: &Table, walk: &ControllerEvent) -> mlua::Result<()> {
    match walk.kind {
        ControllerTickEvent::Jump { speed } | ControllerTickEvent::Bump { speed, .. } => {
            table.raw_set("speed", speed)?
        }
        ControllerTickEvent::Land { speed, height, .. } => {
            table.raw_set("speed", speed)?;
            table.raw_set("height", height)?;
        }
        ControllerTickEvent::StepUp { height, .. } => table.raw_set("height", height)?,
        ControllerTickEvent::Slide { slope, .. } => table.raw_set("slope", slope.to_degrees())?,
        ControllerTickEvent::Fall => {}
    }
    let other = walk
        .other
        .filter(|other| stage.characters.get(*other).is_some());
    if let Some(other) = other {
        table.raw_set("other", reference(lua, other)?)?;
    }
    if let Some((position, normal)) = walk.contact {
        table.raw_set("position", lua_vector(position))?;
        table.raw_set("normal", lua_vector(normal))?;
        table.raw_set("surface", walk.surface.as_deref().unwrap_or_default())?;
    }
    table.raw_set("source", "controller")
}

/// Adds the fields of a marker's event.
fn marker_table(table: &Table, mark: &Marker, clip: &str, event: &MarkerEvent) -> mlua::Result<()> {
    for (field, value) in &mark.fields {
        match value {
            MarkerValue::Number(n) => table.raw_set(field.as_str(), *n)?,
            MarkerValue::Text(text) => {
                table.raw_set(field.as_str(), sided(text, event.mirrored))?;
            }
            MarkerValue::Bool(b) => table.raw_set(field.as_str(), *b)?,
        }
    }
    table.raw_set("clip", clip)?;
    table.raw_set("weight", event.weight)?;
    table.raw_set("position", lua_vector(event.position))?;
    table.raw_set("surface", event.surface.as_deref().unwrap_or_default())?;
    table.raw_set("source", event.source.word())?;
    table.raw_set("marker_phase", event.phase.word())?;
    if event.phase != MarkerPhase::Point {
        table.raw_set("duration", mark.duration)?;
        table.raw_set("interrupted", event.is_cut())?;
    }
    table.raw_set("is_reversed", event.is_reversed)?;
    table.raw_set("tick_fraction", event.tick_fraction)
}

/// Exchanges `left` and `right` for a clip that is played mirrored.
fn sided(text: &str, mirrored: bool) -> &str {
    match text {
        "left" if mirrored => "right",
        "right" if mirrored => "left",
        text => text,
    }
}

/// Maximum number of entries in the event log; older entries are dropped.
pub(super) const MAX_EVENT_LOG_ENTRIES: usize = 4096;

/// `hero:event_log()`.
pub(super) fn event_log(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let n = with_character(lua, &args, |_, character| {
        Ok(character.playback.event_log.len())
    })?;
    charge(lua, 32 * n as u64)?;
    let (entries, forgotten) = with_character(lua, &args, |_, character| {
        if !character.playback.event_log.is_on() {
            character
                .playback
                .event_log
                .set_capacity(MAX_EVENT_LOG_ENTRIES);
        }
        let entries = character.playback.event_log.iter();
        let told = entries.map(|entry| {
            (
                entry.clone(),
                character
                    .playback
                    .entry_names(&character.definition, entry)
                    .kept(),
            )
        });
        let told: Vec<(EventLogEntry, CrossingNames)> = told.collect();
        let forgotten = character.playback.event_log.n_recorded() - told.len() as u64;
        Ok((told, forgotten))
    })?;
    let list = lua.create_table()?;
    for (number, (entry, names)) in (forgotten + 1..).zip(entries) {
        let table = lua.create_table()?;
        table.raw_set("number", number as f64)?;
        table.raw_set("time", entry.time)?;
        table.raw_set("name", names.marker.map(|mark| mark.event))?;
        table.raw_set("clip", names.clip)?;
        match names.removed {
            Some(id) => table.raw_set("marker", -(id as f64))?,
            None => table.raw_set("marker", entry.marker + 1)?,
        }
        table.raw_set("marker_phase", entry.phase.word())?;
        table.raw_set("weight", entry.weight)?;
        table.raw_set("source", entry.source.word())?;
        if let CrossingSource::Play(id) = entry.source {
            table.raw_set("play", id as f64)?;
        }
        if let Some((layer, state)) = names.state {
            table.raw_set("layer", layer)?;
            table.raw_set("state", state)?;
        }
        if let CrossingSource::Machine { playing, .. } = entry.source {
            table.raw_set("playback_id", playing as f64)?;
        }
        table.raw_set("outcome", entry.outcome.word())?;
        table.raw_set("reason", entry.outcome.reason().map(|reason| reason.word()))?;
        table.raw_set("occurrences", entry.occurrences as f64)?;
        list.raw_push(table)?;
    }
    Ok(Value::Table(list))
}
