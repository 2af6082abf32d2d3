//! `hero:mark` and `hero:on`: marks on clips, and who hears what.

use std::sync::Arc;

use mlua::{Lua, Value};

use super::character::{clip_index, find, handle_of, with_character};
use super::check::{Args, Fields};
use crate::anim::{Mark, MarkValue};
use crate::machine::bind;
use crate::math::names::nearest_hint;
use crate::script::program::Handler;
use crate::script::world::with_world;
use crate::stage::StageCharacter;

pub(super) fn mark(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let clip = args.text(1).unwrap_or_default();
    let t = args.number(2).unwrap_or_default() as f32;
    let event = args.text(3).unwrap_or_default();
    let mut fields = Vec::new();
    if let Some(table) = args.table(4) {
        for pair in table.pairs::<String, Value>() {
            let (name, value) = pair?;
            let value = match &value {
                Value::Boolean(b) => MarkValue::Bool(*b),
                Value::String(text) => MarkValue::Text(text.to_string_lossy()),
                other => MarkValue::Number(super::check::number(other).ok_or_else(|| {
                    mlua::Error::runtime(format!(
                        "mark: field {name:?} must be a number, a text, true or false"
                    ))
                })?),
            };
            fields.push((name, value));
        }
        fields.sort_by(|a, b| a.0.cmp(&b.0));
    }
    with_character(lua, &args.value(0), |_, character| {
        let index = clip_index(character, &clip)?;
        let duration = character.definition.model.clips[index].duration;
        if t < 0.0 || t > duration {
            return Err(mlua::Error::runtime(format!(
                "mark: {t} s is outside {clip:?}, which lasts {duration:.3} s"
            )));
        }
        let length = 0.0;
        let mark = Mark {
            t,
            length,
            event,
            fields,
        };
        character.add_mark(index, mark);
        if let Some((machine, _)) = &character.machine
            && let Ok(bound) = bind(&machine.def, &character.definition.model, &character.marks)
            && let Some((machine, _)) = &mut character.machine
        {
            *machine = Arc::new(bound);
        }
        Ok(Value::Nil)
    })
}

pub(super) fn on(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = handle_of(lua, &args.value(0))?;
    let event = args.text(1).unwrap_or_default();
    let (options, function) = match (args.function(2), args.function(3)) {
        (Some(function), None) => (Fields(None), function),
        (_, Some(function)) => (args.fields(2), function),
        _ => return Err(mlua::Error::runtime("on: expected a function")),
    };
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        check_event_name(character, &event)?;
        world.program.handlers.push(Handler {
            character: handle,
            event,
            min_weight: options.number("min_weight").unwrap_or(0.0) as f32,
            function,
        });
        Ok(Value::Nil)
    })
}

/// Events that every character has.
const STATE_EVENTS: [&str; 4] = ["enter", "exit", "end", "*"];

/// A listener for a mark that no clip has is almost always a typing error, or stands before `mark`.
fn check_event_name(character: &StageCharacter, event: &str) -> mlua::Result<()> {
    let marks = || {
        character
            .marks
            .iter()
            .flatten()
            .map(|mark| mark.event.as_str())
    };
    if STATE_EVENTS.contains(&event) || marks().any(|name| name == event) {
        return Ok(());
    }
    let hint = nearest_hint(event, marks().chain(STATE_EVENTS));
    Err(mlua::Error::runtime(format!(
        "on: {} has no mark {event:?}{hint} (add marks before listening to them)",
        character.definition.model.name
    )))
}
