//! `hero:play`, and what it gives back.

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
use crate::acts::Ended;
use crate::budget::charge;
use crate::listeners::{Handler, Play};
use crate::world::with_world;
use galatea_anim::{MOST_SPEED, PlayMode, Seek};
use galatea_character::{Action, Additive, EndReason};
use galatea_derive::Options;
use galatea_stage::Handle;

/// What is added of an additive clip.
#[derive(Clone, Copy)]
enum Difference {
    /// Nothing: the clip covers what plays.
    None,
    /// The difference from a pose.
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

/// How a clip is played.
#[derive(Options)]
pub(super) struct PlayOptions {
    /// Time to fade in, and out where fade_out does not say another.
    #[option(default = 0.15, unit = "seconds", clamp = 0.0..=1e6)]
    fade: f32,
    /// Time to fade out.
    #[option(default_doc = "`fade`", unit = "seconds", clamp = 0.0..=1e6)]
    fade_out: Option<f32>,
    /// Factor on the speed; less than 0 plays back.
    #[option(default = 1.0, range = -MOST_SPEED..=MOST_SPEED)]
    speed: f32,
    /// Time of the clip where it begins.
    #[option(default_doc = "its start, played back its end", unit = "seconds")]
    from: Option<f64>,
    /// What happens at the end.
    #[option(default_doc = "the clip's own `mode`, or \"once\"")]
    mode: Option<PlayMode>,
    /// Bones, each with all below it (`*` in a name: all that fit), or parts of a humanoid ("upper_body", "left_arm",
    /// …), or names and weights { chest = 0.5 }. With a mask it moves no morphs and curves.
    #[option(
        default_doc = "the whole body",
        ty = Type::OneOf(&[Type::Text, Type::Table("{ string }"), Type::Table("{ [string]: number }")])
    )]
    mask: Option<Value>,
    /// How much of it shows.
    #[option(default = 1.0, clamp = 0.0..=1.0)]
    weight: f32,
    /// true or "first": its difference from its first frame is added to what plays; "rest": that from the rest pose.
    #[option(default = Difference::None, default_doc = "false")]
    additive: Difference,
    /// Left and right exchanged.
    #[option(default = false)]
    mirror: bool,
    /// Called once with the reason of its end.
    #[option(ty = Type::Function("(reason: string) -> ()"))]
    done: Option<mlua::Function>,
    /// Listeners to the clip's marks, by name, for this play alone; they end with it.
    #[option(ty = Type::Table("{ [string]: (event: MarkEvent) -> () }"))]
    on: Option<Table>,
    /// Its marks are told to nobody.
    #[option(default = false)]
    mute: bool,
}

/// What `hero:play` takes.
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
    let done = given.done;
    let ended = Rc::new(Cell::new(None));
    // What is told of its end is kept until the tick is over.
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
    /// The same for the playback, but for the mask.
    fn of_playback(&self) -> galatea_character::PlaySettings {
        galatea_character::PlaySettings {
            fade_in: self.fade,
            fade_out: self.fade_out,
            speed: self.speed,
            from: self.from,
            mode: self.mode,
            weight: self.weight,
            additive: match self.additive {
                Difference::None => None,
                Difference::From(pose) => Some(pose),
            },
            mirror: self.mirror,
            muted: self.mute,
            ..galatea_character::PlaySettings::default()
        }
    }
}

fn checked_speed(speed: f64, what: &str) -> mlua::Result<f32> {
    let speed = speed as f32;
    if speed.abs() <= MOST_SPEED {
        return Ok(speed);
    }
    Err(mlua::Error::runtime(format!(
        "{what} must be at least -{MOST_SPEED} and at most {MOST_SPEED}"
    )))
}

/// The listeners in the field `on`, in order of their names.
fn own_listeners(table: Option<Table>) -> mlua::Result<Vec<Handler>> {
    let mut on = Vec::new();
    for pair in table.iter().flat_map(|table| table.pairs::<Value, Value>()) {
        match pair? {
            (Value::String(name), Value::Function(function)) => {
                on.push(Handler::new(name.to_string_lossy(), function));
            }
            (name, other) => {
                return Err(mlua::Error::runtime(format!(
                    "play: on: expected functions by the names of marks, got {} = {}",
                    describe(&name),
                    describe(&other)
                )));
            }
        }
    }
    on.sort_by(|a, b| a.event.cmp(&b.event));
    Ok(on)
}

/// A script's hold on a playing clip.
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

/// Reads something of an action while it plays; nil when it is over.
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

fn get_looped(lua: &Lua, args: Args) -> mlua::Result<Value> {
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

/// How a play goes to another time.
#[derive(Options)]
struct SeekOptions {
    /// Tells the marks that are jumped over, as if played.
    #[option(default = false)]
    fire: bool,
}

fn play_seek(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let play: PlayRef = args.object(0).ok_or_else(gone)?;
    let t = args.number(1).unwrap_or_default();
    let seek: SeekOptions = args.options(2)?;
    let how = if seek.fire {
        Seek::FireSkipped
    } else {
        Seek::Silent
    };
    with_world(lua, |world| {
        let plays = play.ended.get().is_none();
        let now = world.stage.clock.time();
        let (characters, events) = (&mut world.stage.characters, &mut world.stage.events);
        let of = (play.character, play.id);
        let moved = plays && characters.seek_action(of, t, how, now, events);
        Ok(Value::Boolean(moved))
    })
}

fn play_on(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let play: PlayRef = args.object(0).ok_or_else(gone)?;
    let event = args.text(1).unwrap_or_default();
    let function = args
        .function(2)
        .ok_or_else(|| mlua::Error::runtime("on: expected a function"))?;
    let handler = Handler::new(event, function);
    let alive = handler.alive.clone();
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

/// Methods of what `hero:play` gives back.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Play",
    doc: "A clip that plays or has played. It ends exactly once.",
    functions: &[
        Function {
            name: "stop",
            params: &[Param {
                name: "fade",
                ty: Type::Number,
                optional: true,
            }],
            returns: "",
            doc: "Ends it and fades it out, over its own fade-out time or over these seconds. One that \
                  fades out already goes on as it does.",
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
            doc: "Goes to a time of the clip, in the lap where it is. Marks between are not told unless \
                  asked; intervals left behind end, cut. False when it is over.",
            example: "hero:play(\"wave\"):seek(0.5, { fire = true })",
            call: play_seek,
        },
        Function {
            name: "on",
            params: &[
                Param {
                    name: "mark",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "listener",
                    ty: Type::Function("(event: MarkEvent) -> ()"),
                    optional: false,
                },
            ],
            returns: "Listener",
            doc: "Calls a function with each mark of this name, or with all for `*`, that this play \
                  passes. It ends with the play.",
            example: "hero:mark(\"wave\", 0.5, \"hello\")\nhero:play(\"wave\"):on(\"hello\", function(e) print(e.time) end)",
            call: play_on,
        },
        Function {
            name: "ended",
            params: &[],
            returns: "string?",
            doc: "Why it is over: \"end\", \"interrupted\", \"stopped\" or \"reloaded\"; nil while it plays.",
            example: "if hero:play(\"wave\"):ended() == nil then print(\"still waving\") end",
            call: play_ended,
        },
    ],
    properties: &[
        Property {
            name: "time",
            ty: "number?",
            doc: "Seconds of the clip where it is; nil when it is over, like all below.",
            get: get_time,
            set: None,
        },
        Property {
            name: "phase",
            ty: "number?",
            doc: "Share of the clip where it is, 0 to 1.",
            get: get_phase,
            set: None,
        },
        Property {
            name: "looped",
            ty: "number?",
            doc: "How often it has come to an end of the clip and gone on.",
            get: get_looped,
            set: None,
        },
        Property {
            name: "weight",
            ty: "number?",
            doc: "How much of it shows, 0 to 1. What is set is how much shows at most, in place of the \
                  option `weight`: at once, without a fade of its own, and fades in and out go on as a \
                  factor on it. Set it tick by tick to ease it. At 0 its marks are told to nobody, but \
                  for the ends of intervals whose beginning was told.",
            get: get_weight,
            set: Some((Type::Number, set_weight)),
        },
        Property {
            name: "speed",
            ty: "number?",
            doc: "Factor on the clip's speed; 0 holds it, less than 0 plays it back.",
            get: get_speed,
            set: Some((Type::Number, set_speed)),
        },
    ],
};
