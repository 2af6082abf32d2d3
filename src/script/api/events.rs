//! Events as the tables that listeners get, and the ledger of them.

use std::sync::Arc;

use mlua::{Lua, Table, Value};

use super::character::{handle_of, reference, with_character};
use super::check::{Args, lua_vector};
use crate::anim::{Edge, Entry, MarkValue, Named, Source};
use crate::machine::Machine;
use crate::script::budget::charge;
use crate::stage::{Event, EventKind, MarkEvent, Stage, StageCharacter};

/// Name of an event, as scripts listen to it; `None` for what has no listeners by name.
pub(in crate::script) fn event_name<'a>(stage: &'a Stage, event: &'a Event) -> Option<&'a str> {
    match &event.kind {
        EventKind::Enter { .. } => Some("enter"),
        EventKind::Exit { .. } => Some("exit"),
        EventKind::End { .. } => Some("end"),
        EventKind::Warp(_) => Some("warp"),
        EventKind::Mark(mark) => {
            let character = stage.characters.get(event.character)?;
            Some(&mark.mark_in(character)?.event)
        }
        EventKind::ActionEnd { .. } => None,
    }
}

/// The table for one event, or `None` when what it speaks of is gone.
pub(in crate::script) fn event_table(
    lua: &Lua,
    stage: &Stage,
    event: &Event,
) -> mlua::Result<Option<Table>> {
    let (Some(name), Some(character)) = (
        event_name(stage, event),
        stage.characters.get(event.character),
    ) else {
        return Ok(None);
    };
    let table = lua.create_table()?;
    if let EventKind::Mark(mark) = &event.kind
        && !mark_table(&table, character, mark)?
    {
        return Ok(None);
    }
    if let EventKind::Warp(end) = event.kind {
        table.raw_set("reason", end.word())?;
    }
    if let EventKind::Mark(mark) = &event.kind
        && let Some(named) = &mark.named
    {
        if let Some((layer, state)) = &named.place {
            table.raw_set("state", state.as_str())?;
            table.raw_set("layer", layer.as_str())?;
        }
    } else if let Some((machine, _)) = &character.machine {
        let state = |layer, state| state_name(machine, layer, state);
        let at = match event.kind {
            EventKind::Enter {
                layer,
                state: s,
                from,
            } => {
                table.raw_set("from", state(layer, from))?;
                Some((layer, s))
            }
            EventKind::Exit {
                layer,
                state: s,
                to,
            } => {
                table.raw_set("to", state(layer, to))?;
                Some((layer, s))
            }
            EventKind::End { layer, state: s } => Some((layer, s)),
            EventKind::Mark(MarkEvent {
                source: Source::Machine { layer, state },
                ..
            }) => Some((usize::from(layer), usize::from(state))),
            EventKind::Mark(_) | EventKind::ActionEnd { .. } | EventKind::Warp(_) => None,
        };
        if let Some((layer, s)) = at {
            table.raw_set("state", state(layer, s))?;
            table.raw_set("layer", layer_name(machine, layer))?;
        }
    }
    table.raw_set("name", name)?;
    table.raw_set("time", event.time)?;
    table.raw_set("character", reference(lua, event.character)?)?;
    Ok(Some(table))
}

/// What a mark adds to its event; false when the mark is gone.
fn mark_table(table: &Table, character: &StageCharacter, event: &MarkEvent) -> mlua::Result<bool> {
    let clip = match &event.named {
        Some(named) => &named.clip,
        None => character.definition.clips.clip_name(event.clip),
    };
    let Some(mark) = event.mark_in(character) else {
        return Ok(false);
    };
    for (field, value) in &mark.fields {
        match value {
            MarkValue::Number(n) => table.raw_set(field.as_str(), *n)?,
            MarkValue::Text(text) => {
                table.raw_set(field.as_str(), sided(text, event.mirrored))?;
            }
            MarkValue::Bool(b) => table.raw_set(field.as_str(), *b)?,
        }
    }
    table.raw_set("clip", clip)?;
    table.raw_set("weight", event.weight)?;
    table.raw_set("position", lua_vector(event.position))?;
    table.raw_set("surface", event.surface.as_deref().unwrap_or_default())?;
    table.raw_set("source", event.source.word())?;
    table.raw_set("edge", event.edge.word())?;
    if event.edge != Edge::Point {
        table.raw_set("length", mark.length)?;
        table.raw_set("cut", event.is_cut())?;
    }
    table.raw_set("reverse", event.reverse)?;
    table.raw_set("share", event.share)?;
    Ok(true)
}

/// `left` and `right` exchanged for a clip played mirrored.
fn sided(text: &str, mirrored: bool) -> &str {
    match text {
        "left" if mirrored => "right",
        "right" if mirrored => "left",
        text => text,
    }
}

fn state_name(machine: &Machine, layer: usize, state: usize) -> &str {
    machine.state_name(layer, state)
}

fn layer_name(machine: &Machine, layer: usize) -> &str {
    let layer = machine.def.layers.get(layer);
    layer.map_or("", |layer| &layer.name)
}

/// Entries that a ledger keeps.
pub(super) const LEDGER_ROOM: usize = 4096;

/// `hero:ledger()`.
pub(super) fn ledger(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let this = args.value(0);
    handle_of(lua, &this)?;
    let n = with_character(lua, &this, |_, character| Ok(character.ledger.len()))?;
    charge(lua, 32 * n as u64)?;
    let (entries, forgotten) = with_character(lua, &this, |_, character| {
        if !character.ledger.is_on() {
            character.ledger.set_capacity(LEDGER_ROOM);
        }
        let told = character.ledger.iter().map(|entry| NamedEntry {
            entry: entry.clone(),
            named: named(character, entry),
        });
        let told: Vec<NamedEntry> = told.collect();
        let forgotten = character.ledger.n_recorded() - told.len() as u64;
        Ok((told, forgotten))
    })?;
    let list = lua.create_table()?;
    for (number, NamedEntry { entry, named }) in (forgotten + 1..).zip(entries) {
        let table = lua.create_table()?;
        table.raw_set("number", number as f64)?;
        table.raw_set("time", entry.time)?;
        if let Some(named) = &named {
            table.raw_set("name", named.mark.event.as_str())?;
            table.raw_set("clip", named.clip.as_str())?;
        }
        match named.as_ref().and_then(|named| named.removed) {
            Some(id) => table.raw_set("mark", -(id as f64))?,
            None => table.raw_set("mark", entry.mark + 1)?,
        }
        table.raw_set("edge", entry.edge.word())?;
        table.raw_set("weight", entry.weight)?;
        table.raw_set("source", entry.source.word())?;
        if let Source::Play(id) = entry.source {
            table.raw_set("play", id as f64)?;
        }
        if let Some((layer, state)) = named.as_ref().and_then(|named| named.place.as_ref()) {
            table.raw_set("layer", layer.as_str())?;
            table.raw_set("state", state.as_str())?;
        }
        table.raw_set("outcome", entry.outcome.word())?;
        table.raw_set("reason", entry.outcome.reason().map(|reason| reason.word()))?;
        table.raw_set("n", entry.n as f64)?;
        list.raw_push(table)?;
    }
    Ok(Value::Table(list))
}

/// An entry with the names of what it speaks of, if that is still there.
struct NamedEntry {
    entry: Entry,
    named: Option<Arc<Named>>,
}

fn named(character: &StageCharacter, entry: &Entry) -> Option<Arc<Named>> {
    entry.named.clone().or_else(|| {
        let (clip, mark) = (entry.clip as usize, entry.mark as usize);
        character.names_of(clip, mark, entry.source).map(Arc::new)
    })
}
