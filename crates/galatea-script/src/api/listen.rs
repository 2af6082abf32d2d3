//! `hero:add_marker` and `hero:on`: markers on clips, and listeners of events.

use std::cell::Cell;
use std::rc::Rc;

use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::{clip_index, find, gone};
use super::check::{Args, number, text};
use super::event_check::check_event_name;
use super::group::{Function, Group, Kind};
use super::marker_handle;
use crate::listeners::Handler;
use crate::world::with_world;
use galatea_anim::{Marker, MarkerValue};
use galatea_character::Character;
use galatea_derive::Options;
use galatea_math::names::nearest_hint;

/// Filter of a listener.
#[derive(Options)]
pub(super) struct ListenerOptions {
    /// Minimum blend weight of the clip, 0 to 1. Markers of clips with less weight are left out.
    #[option(default = 0.0)]
    min_weight: f32,
    /// True also calls the listener for markers of blended clips that do not have the highest weight.
    #[option(default = false)]
    all_clips: bool,
}

pub(super) fn add_marker(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let clip = args.text(1).unwrap_or_default();
    let t = args.number(2).unwrap_or_default() as f32;
    let event = args.text(3).unwrap_or_default();
    let (length, fields) = match args.table(4) {
        Some(table) => marker_fields(&table)
            .map_err(|why| mlua::Error::runtime(format!("add_marker: {why}")))?,
        None => (0.0, Vec::new()),
    };
    let handle = args.character()?;
    marker_handle::charge_for_markers(lua, handle)?;
    let id = with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        let index = clip_index(character, &clip)?;
        let duration = character.definition.clips.duration(index);
        if t < 0.0 || t > duration {
            return Err(mlua::Error::runtime(format!(
                "add_marker: {t} s is outside the clip {clip:?}, which lasts {duration:.3} s"
            )));
        }
        let mark = Marker {
            time: t,
            duration: length,
            event,
            fields,
        };
        let stage = &mut world.stage;
        let (ids, now) = (&mut stage.ids, stage.clock.time());
        let added = stage
            .characters
            .add_marker(ids, (handle, index), mark, now, &mut stage.events);
        added.map_err(|refused| mlua::Error::runtime(format!("add_marker: {clip:?}: {refused}")))
    })?;
    marker_handle::marker_value(lua, handle, id)
}

/// Reads the duration and the free fields of a marker from the named entries of a table.
pub fn marker_fields(table: &Table) -> Result<(f32, Vec<(String, MarkerValue)>), String> {
    let (mut length, mut fields) = (0.0, Vec::new());
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|error| error.to_string())?;
        let Some(name) = text(&key) else {
            continue;
        };
        if name == "length" {
            return Err("unknown field \"length\"; write duration".into());
        }
        if name == "duration" {
            length = number(&value).unwrap_or(f64::NAN) as f32;
            if !(length >= 0.0 && length.is_finite()) {
                return Err("field \"duration\" must be 0 or more, in seconds".into());
            }
            continue;
        }
        let value = match &value {
            Value::Boolean(b) => MarkerValue::Bool(*b),
            Value::String(text) => MarkerValue::Text(text.to_string_lossy()),
            other => {
                // Markers are compared by their content, and NaN is not equal to itself.
                let n = number(other).filter(|n| !n.is_nan());
                MarkerValue::Number(n.ok_or_else(|| {
                    format!("field {name:?} must be a number, a string, true or false")
                })?)
            }
        };
        fields.push((name, value));
    }
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    Ok((length, fields))
}

pub(super) fn on(lua: &Lua, args: Args) -> mlua::Result<Value> {
    add_listener(lua, &args, "on", false)
}

pub(super) fn once(lua: &Lua, args: Args) -> mlua::Result<Value> {
    add_listener(lua, &args, "once", true)
}

fn add_listener(lua: &Lua, args: &Args, what: &str, once: bool) -> mlua::Result<Value> {
    let handle = args.character()?;
    let event = args.text(1).unwrap_or_default();
    let ListenerOptions {
        min_weight,
        all_clips: all,
    } = args.options(2)?;
    let function = args.function(3).or_else(|| args.function(2));
    let function =
        function.ok_or_else(|| mlua::Error::runtime(format!("{what}: expected a function")))?;
    let handler = Handler {
        min_weight,
        all,
        once,
        ..Handler::new(event, function)
    };
    let alive = handler.is_alive.clone();
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        check_event_name(character, &handler.event).map_err(|wrong| {
            mlua::Error::runtime(format!(
                "{what}: {wrong} (add markers before you listen to them)"
            ))
        })?;
        let handlers = world
            .program
            .listeners
            .characters
            .entry(handle)
            .or_default();
        handlers.retain(|handler| handler.is_alive.get());
        if handlers.len() >= MAX_LISTENERS {
            return Err(mlua::Error::runtime(format!(
                "{what}: a character can have at most {MAX_LISTENERS} listeners; remove some with listener:off()"
            )));
        }
        handlers.push(handler);
        Ok(())
    })?;
    listener(lua, alive)
}

/// Maximum number of listeners of a character.
const MAX_LISTENERS: usize = 1024;

/// Checks the event of a listener of one play: its clip must have the marker.
pub(super) fn check_clip_event(
    character: &Character,
    clip: usize,
    event: &str,
    what: &str,
) -> mlua::Result<()> {
    let marks = character
        .playback
        .markers
        .get(clip)
        .map_or(&[][..], |marks| &marks[..]);
    let names = || marks.iter().map(|mark| mark.event.as_str());
    if event == "*" || names().any(|name| name == event) {
        return Ok(());
    }
    let model = &character.definition.model;
    let hint = nearest_hint(event, names());
    Err(mlua::Error::runtime(format!(
        "{what}: the clip {:?} of {} has no marker {event:?}{hint} (add markers before you listen to them)",
        character.definition.clips.clip_name(clip),
        model.name
    )))
}

/// Handle to a listener.
#[derive(Clone, Debug)]
struct ListenerRef {
    is_alive: Rc<Cell<bool>>,
}

impl UserData for ListenerRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// Creates the handle to a new listener.
pub(super) fn listener(lua: &Lua, alive: Rc<Cell<bool>>) -> mlua::Result<Value> {
    Ok(Value::UserData(
        lua.create_userdata(ListenerRef { is_alive: alive })?,
    ))
}

fn off(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let listener: ListenerRef = args.object(0).ok_or_else(gone)?;
    with_world(lua, |world| {
        listener.is_alive.set(false);
        world.program.listeners.remove_dead();
        Ok(Value::Nil)
    })
}

/// Methods of the handle that `hero:on` returns.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Listener",
    doc: "A listener: the registration of a function that is called for events, returned by `on` and `once`. The \
          function gets only events that happen after that call.",
    functions: &[Function {
        name: "off",
        params: &[],
        returns: "",
        doc: "Removes the listener. Its function is never called again, not even for the remaining events of the \
              current tick.",
        example: "local heard = hero:on(\"step\", function(e) end)\nheard:off()",
        call: off,
    }],
    properties: &[],
};
