//! Events as the tables that listeners get.

use mlua::{Lua, Table};

use super::character::reference;
use super::check::lua_vector;
use crate::anim::MarkValue;
use crate::stage::{Event, EventKind, Stage};

/// Name of an event, as scripts listen to it; `None` for what has no listeners by name.
pub(in crate::script) fn event_name<'a>(stage: &'a Stage, event: &Event) -> Option<&'a str> {
    match &event.kind {
        EventKind::Enter { .. } => Some("enter"),
        EventKind::Exit { .. } => Some("exit"),
        EventKind::End { .. } => Some("end"),
        EventKind::Mark { clip, mark, .. } => {
            let character = stage.characters.get(event.character)?;
            Some(&character.marks.get(*clip)?.get(*mark)?.event)
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
    if let EventKind::Mark {
        clip,
        mark,
        weight,
        position,
        surface,
    } = &event.kind
    {
        for (field, value) in &character.marks[*clip][*mark].fields {
            match value {
                MarkValue::Number(n) => table.raw_set(field.as_str(), *n)?,
                MarkValue::Text(text) => table.raw_set(field.as_str(), text.as_str())?,
                MarkValue::Bool(b) => table.raw_set(field.as_str(), *b)?,
            }
        }
        table.raw_set(
            "clip",
            character.definition.model.clips[*clip].name.as_str(),
        )?;
        table.raw_set("weight", *weight)?;
        table.raw_set("position", lua_vector(*position))?;
        table.raw_set("surface", &**surface)?;
    }
    if let Some((machine, _)) = &character.machine {
        let state = |layer: usize, state: usize| -> &str {
            let states = &machine.def.layers[layer].states;
            states.get(state).map_or("", |state| &state.name)
        };
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
            _ => None,
        };
        if let Some((layer, s)) = at {
            table.raw_set("state", state(layer, s))?;
            table.raw_set("layer", machine.def.layers[layer].name.as_str())?;
        }
    }
    table.raw_set("name", name)?;
    table.raw_set("time", event.time)?;
    table.raw_set("character", reference(lua, event.character)?)?;
    Ok(Some(table))
}
