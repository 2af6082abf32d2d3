//! `hero:play` and the `Play` object it returns.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::{clip_index, find, gone};
use super::check::{Args, OptionValue, Options, Param, Type, decimal, describe};
use super::group::{Function, Group, Kind, Property};
use super::listen::{check_clip_event, listener};
use super::machine::parts::mask;
use crate::budget::charge;
use crate::listeners::{Handler, Play};
use crate::tasks::Ended;
use crate::world::with_world;
use galatea_anim::{MAX_SPEED, PlayMode, Seek};
use galatea_character::{Action, Additive, EndReason};
use galatea_derive::Options;
use galatea_stage::Handle;

/// Cost of an event that a jump emits, in steps of the script's budget.
const EVENT_STEPS: u64 = 60;

/// Reference pose of an additive clip.
#[derive(Clone, Copy)]
enum Difference {
    /// Not additive: the clip overrides what plays.
    None,
    /// The difference from a pose is added.
    From(Additive),
}

impl OptionValue for Difference {
    const TYPE: Type = Type::OneOf(&[Type::Bool, Type::Word(&["first", "rest"])]);

    fn from_value(value: Value) -> Result<Self, String> {
        Ok(match value {
            Value::Boolean(false) => Self::None,
            Value::String(word) if word.to_string_lossy() == "rest" => Self::From(Additive::Rest),
            _ => Self::From(Additive::First),
        })
    }
}

/// Options for playing a clip.
#[derive(Options)]
pub(super) struct PlayOptions {
    /// Time to fade in. If `fade_out` is not given, also the time to fade out.
    #[option(default = 0.15, unit = "seconds", clamp = 0.0..=1e6)]
    fade: f32,
    /// Time to fade out.
    #[option(default_doc = "`fade`", unit = "seconds", clamp = 0.0..=1e6)]
    fade_out: Option<f32>,
    /// Factor on the playback speed. A negative value plays backwards.
    #[option(default = 1.0, range = -MAX_SPEED..=MAX_SPEED)]
    speed: f32,
    /// Time in the clip at which playback starts.
    #[option(
        default_doc = "the start; with a negative `speed`, the end",
        unit = "seconds"
    )]
    start_time: Option<f64>,
    /// Behaviour at the end of the clip: "once" stops, "loop" starts again, "pingpong" plays backwards and forwards.
    #[option(default_doc = "the clip's own `mode`, or \"once\"")]
    mode: Option<PlayMode>,
    /// Bones that the clip moves, each with all bones below it: a name, a list of names, or names with weights, such as
    /// { left_arm = 1, chest = 0.3 }. If a bone belongs to several of these names, the name with the
    /// fewest bones counts. A `*` in a name matches any text. Parts of a humanoid are names too, such as
    /// "upper_body". With a mask, the clip does not change morph targets and curves.
    #[option(
        default_doc = "the whole body",
        ty = Type::OneOf(&[Type::Text, Type::Table("{ string }"), Type::Table("{ [string]: number }")])
    )]
    mask: Option<Value>,
    /// Blend weight.
    #[option(default = 1.0, clamp = 0.0..=1.0)]
    weight: f32,
    /// Adds a difference to the current pose instead of replacing it. With true or "first" it is the difference from
    /// the clip's first frame, with "rest" the difference from the rest pose.
    #[option(default = Difference::None, default_doc = "false")]
    additive: Difference,
    /// True swaps left and right.
    #[option(default = false)]
    mirror: bool,
    /// Called once when the playback ends. `reason` is "end", "interrupted", "stopped" or "reloaded".
    #[option(ty = Type::Function("(reason: string) -> ()"))]
    on_end: Option<mlua::Function>,
    /// Functions that are called when playback passes markers (animation events) of the clip, by the name of the
    /// marker. They are removed when the playback ends.
    #[option(ty = Type::Table("{ [string]: (event: MarkerEvent) -> () }"))]
    on: Option<Table>,
    /// True emits no events for the clip's markers.
    #[option(default = false)]
    mute_markers: bool,
}

/// Parameters of `hero:play`.
pub(super) const PARAMS: &[Param] = &[
    Param {
        name: "clip",
        ty: Type::Text,
        optional: false,
    },
    Param::options(PlayOptions::SHAPE),
];

pub(super) fn play(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let name = args.text(1).unwrap_or_default();
    let given: PlayOptions = args.options(2)?;
    let mut options = given.of_playback();
    let on = own_listeners(given.on)?;
    let mask = mask(&given.mask.unwrap_or(Value::Nil), "play: mask")?;
    let done = given.on_end;
    let ended = Rc::new(Cell::new(None));
    // The script pays for the record of the play, which is kept until its end was reported.
    charge(lua, 32)?;
    let id = with_world(lua, |world| {
        let id = world.stage.ids.new_id();
        let character = find(&mut world.stage, handle)?;
        let clip = clip_index(character, &name)?;
        for handler in &on {
            check_clip_event(character, clip, &handler.event, "play: on")?;
        }
        let clips = &character.definition.clips;
        let mask = clips
            .masks(&mask.entries)
            .map_err(|why| mlua::Error::runtime(format!("play: mask: {}", why.join("\n"))))?;
        options.mask = mask.map(Arc::new);
        let now = world.stage.clock.time();
        let (characters, events) = (&mut world.stage.characters, &mut world.stage.events);
        characters.play((handle, id), clip, options, now, events);
        let record = Play {
            ended: ended.clone(),
            character: handle,
            done,
            on,
        };
        world.program.listeners.plays.insert(id, record);
        Ok(id)
    })?;
    Ok(Value::UserData(lua.create_userdata(PlayRef {
        character: handle,
        id,
        ended,
    })?))
}

impl PlayOptions {
    /// Converts to playback settings, without the mask.
    fn of_playback(&self) -> galatea_character::PlaySettings {
        galatea_character::PlaySettings {
            fade_in: self.fade,
            fade_out: self.fade_out,
            speed: self.speed,
            start_time: self.start_time,
            mode: self.mode,
            weight: self.weight,
            additive: match self.additive {
                Difference::None => None,
                Difference::From(pose) => Some(pose),
            },
            mirror: self.mirror,
            mute_markers: self.mute_markers,
            ..galatea_character::PlaySettings::default()
        }
    }
}

fn checked_speed(speed: f64, what: &str) -> mlua::Result<f32> {
    let speed = speed as f32;
    if speed.abs() <= MAX_SPEED {
        return Ok(speed);
    }
    Err(mlua::Error::runtime(format!(
        "{what} must be -{MAX_SPEED} to {MAX_SPEED}"
    )))
}

/// Reads the listeners of the field `on`, sorted by name.
fn own_listeners(table: Option<Table>) -> mlua::Result<Vec<Handler>> {
    let mut on = Vec::new();
    for pair in table.iter().flat_map(|table| table.pairs::<Value, Value>()) {
        match pair? {
            (Value::String(name), Value::Function(function)) => {
                on.push(Handler::new(name.to_string_lossy(), function));
            }
            (name, other) => {
                return Err(mlua::Error::runtime(format!(
                    "play: on: expected functions by the names of markers, got {} = {}",
                    describe(&name),
                    describe(&other)
                )));
            }
        }
    }
    on.sort_by(|a, b| a.event.cmp(&b.event));
    Ok(on)
}

/// Script handle to a playing clip.
#[derive(Clone, Debug)]
pub(crate) struct PlayRef {
    character: Handle,
    pub id: u64,
    pub ended: Ended,
}

impl UserData for PlayRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn play_stop(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let play: PlayRef = args.object(0).ok_or_else(gone)?;
    let fade = args.number(1);
    with_world(lua, |world| {
        if let Some(character) = world.stage.characters.get_mut(play.character)
            && let Some(action) = character
                .playback
                .actions
                .iter_mut()
                .find(|a| a.id == play.id)
        {
            let own = f64::from(action.options.fade_out);
            let fade = fade.unwrap_or(own).clamp(0.0, 1e6) as f32;
            action.leave_within(fade, EndReason::Stopped);
        }
        Ok(Value::Nil)
    })
}

fn play_ended(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let play: PlayRef = args.object(0).ok_or_else(gone)?;
    let word = play.ended.get();
    match word {
        Some(word) => Ok(Value::String(lua.create_string(word)?)),
        None => Ok(Value::Nil),
    }
}

/// Reads a value of a play while it is active; returns nil after its end.
fn while_playing(
    lua: &Lua,
    args: &Args,
    read: impl FnOnce(&Action, f32) -> f64,
) -> mlua::Result<Value> {
    let play: PlayRef = args.object(0).ok_or_else(gone)?;
    with_world(lua, |world| {
        let character = world.stage.characters.get(play.character);
        let playing = character.and_then(|character| {
            let action = character
                .playback
                .actions
                .iter()
                .find(|a| a.id == play.id)?;
            let duration = character.definition.clips.duration(action.clip);
            (play.ended.get().is_none()).then(|| read(action, duration))
        });
        Ok(playing.map_or(Value::Nil, Value::Number))
    })
}

fn get_time(lua: &Lua, args: Args) -> mlua::Result<Value> {
    while_playing(lua, &args, |action, duration| {
        f64::from(action.head.clip_time(duration))
    })
}

fn get_phase(lua: &Lua, args: Args) -> mlua::Result<Value> {
    while_playing(lua, &args, |action, duration| {
        f64::from(action.head.phase(duration))
    })
}

fn get_loop_count(lua: &Lua, args: Args) -> mlua::Result<Value> {
    while_playing(lua, &args, |action, duration| {
        action.head.passes(duration) as f64
    })
}

fn get_weight(lua: &Lua, args: Args) -> mlua::Result<Value> {
    while_playing(lua, &args, |action, duration| {
        f64::from(action.weight(duration))
    })
}

fn get_speed(lua: &Lua, args: Args) -> mlua::Result<Value> {
    while_playing(lua, &args, |action, _| decimal(action.options.speed))
}

fn set_speed(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let play: PlayRef = args.object(0).ok_or_else(gone)?;
    let speed = checked_speed(args.number(1).unwrap_or(1.0), "speed")?;
    with_world(lua, |world| {
        let character = world.stage.characters.get_mut(play.character);
        if let Some(action) = character.and_then(|character| {
            character
                .playback
                .actions
                .iter_mut()
                .find(|a| a.id == play.id)
        }) {
            action.options.speed = speed;
        }
        Ok(Value::Nil)
    })
}

fn set_weight(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let play: PlayRef = args.object(0).ok_or_else(gone)?;
    let weight = args.number(1).unwrap_or(1.0).clamp(0.0, 1.0) as f32;
    with_world(lua, |world| {
        let character = world.stage.characters.get_mut(play.character);
        if let Some(action) = character.and_then(|character| {
            character
                .playback
                .actions
                .iter_mut()
                .find(|a| a.id == play.id)
        }) {
            action.options.weight = weight;
        }
        Ok(Value::Nil)
    })
}

/// Options for jumping to another time.
#[derive(Options)]
struct SeekOptions {
    /// True emits the events of the markers that the jump skips, as if the clip had played through them.
    #[option(default = false)]
    emit_markers: bool,
}

fn play_seek(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let play: PlayRef = args.object(0).ok_or_else(gone)?;
    let t = args.number(1).unwrap_or_default();
    let seek: SeekOptions = args.options(2)?;
    let how = if seek.emit_markers {
        Seek::FireSkipped
    } else {
        Seek::Silent
    };
    let (moved, n_events) = with_world(lua, |world| {
        let plays = play.ended.get().is_none();
        let now = world.stage.clock.time();
        let (characters, events) = (&mut world.stage.characters, &mut world.stage.events);
        let (of, before) = ((play.character, play.id), events.len());
        let moved = plays && characters.seek_action(of, t, how, now, events);
        Ok((moved, events.len() - before))
    })?;
    charge(lua, n_events as u64 * EVENT_STEPS)?;
    Ok(Value::Boolean(moved))
}

fn play_on(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let play: PlayRef = args.object(0).ok_or_else(gone)?;
    let event = args.text(1).unwrap_or_default();
    let function = args
        .function(2)
        .ok_or_else(|| mlua::Error::runtime("on: expected a function"))?;
    let handler = Handler::new(event, function);
    let alive = handler.is_alive.clone();
    with_world(lua, |world| {
        let character = world.stage.characters.get(play.character);
        let clip = character.and_then(|character| {
            let action = character
                .playback
                .actions
                .iter()
                .find(|a| a.id == play.id)?;
            Some((character, action.clip))
        });
        if let Some((character, clip)) = clip {
            check_clip_event(character, clip, &handler.event, "on")?;
        }
        if let Some(record) = world.program.listeners.plays.get_mut(&play.id) {
            record.on.push(handler);
        }
        Ok(())
    })?;
    listener(lua, alive)
}

/// Methods of the object that `hero:play` returns.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Play",
    doc: "One playback of a clip, started by `hero:play`. It ends exactly once. After the end, all properties are nil.",
    functions: &[
        Function {
            name: "stop",
            params: &[Param {
                name: "fade",
                ty: Type::Number,
                optional: true,
            }],
            returns: "",
            doc: "Ends the play: it fades out within `fade` seconds, by default within its own `fade_out`. If the play \
                  is already fading out, the call has no effect.",
            example: "hero:play(\"wave\"):stop(0.3)",
            call: play_stop,
        },
        Function {
            name: "seek",
            params: &[
                Param {
                    name: "seconds",
                    ty: Type::Number,
                    optional: false,
                },
                Param::options(SeekOptions::SHAPE),
            ],
            returns: "boolean",
            doc: "Jumps to a time of the clip, within the current loop. Markers that the jump skips emit no events, \
                  unless `emit_markers` is true. An interval that contains the old time but not the new time ends at \
                  once. Returns false if the play has ended.",
            example: "hero:play(\"wave\"):seek(0.5, { emit_markers = true })",
            call: play_seek,
        },
        Function {
            name: "on",
            params: &[
                Param {
                    name: "marker",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "listener",
                    ty: Type::Function("(event: MarkerEvent) -> ()"),
                    optional: false,
                },
            ],
            returns: "Listener",
            doc: "Calls the function `listener` each time this play passes a marker with the name `marker`; `*` means \
                  all markers. The listener is removed when the play ends.",
            example: "hero:add_marker(\"wave\", 0.5, \"hello\")\nhero:play(\"wave\"):on(\"hello\", function(e) print(e.time) end)",
            call: play_on,
        },
        Function {
            name: "end_reason",
            params: &[],
            returns: "string?",
            doc: "Returns the reason why the play ended, or nil while the clip plays. The reasons are \"end\" (the clip \
                  was over), \"interrupted\" (another play took its place), \"stopped\" (by a call of `stop`) and \
                  \"reloaded\" (by a hot reload).",
            example: "if hero:play(\"wave\"):end_reason() == nil then print(\"still waving\") end",
            call: play_ended,
        },
    ],
    properties: &[
        Property {
            name: "time",
            ty: "number?",
            doc: "Current time within the clip, seconds. It is nil after the end.",
            get: get_time,
            set: None,
        },
        Property {
            name: "phase",
            ty: "number?",
            doc: "Current position within the clip, as a fraction of its length from 0 to 1. It is nil after the end.",
            get: get_phase,
            set: None,
        },
        Property {
            name: "loop_count",
            ty: "number?",
            doc: "Number of times that playback has reached an end of the clip and continued (\"loop\" and \
                  \"pingpong\"). It is nil after the end of the play.",
            get: get_loop_count,
            set: None,
        },
        Property {
            name: "weight",
            ty: "number?",
            doc: "Current blend weight, including fades, 0 to 1. It is nil after the end. Setting it replaces the \
                  option `weight` at once; fade-in and fade-out then multiply the new value. For a smooth change, set \
                  it in every tick. At weight 0 the markers of the clip emit no events. Only an interval that has \
                  already begun still emits its end.",
            get: get_weight,
            set: Some((Type::Number, set_weight)),
        },
        Property {
            name: "speed",
            ty: "number?",
            doc: "Factor on the playback speed. 0 pauses the clip, negative values play it backwards. It is nil after \
                  the end.",
            get: get_speed,
            set: Some((Type::Number, set_speed)),
        },
    ],
};
