//! `hero:say`: a character speaks a line, with what its marks have happen.

use std::sync::Arc;

use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::character::{find, with_character};
use super::check::{Args, Field, Fields, Param, Type, lua_number};
use super::face::{facing, mix_named};
use super::{Function, Group, Kind, Property, add_object, add_properties};
use crate::face::Mix;
use crate::math::names::nearest_hint;
use crate::script::budget::charge;
use crate::script::world::{World, with_world};
use crate::speech::line::{Cut, Does, HEAD_MOVES, Line};
use crate::speech::marks::parse;
use crate::speech::mouth::MouthOptions;
use crate::speech::plan::{LipSync, PlanOptions, plan};
use crate::stage::{Handle, MOST_LINES, Said, SayEvent, Saying, UiItem, Voice, has_gesture};

/// A script's hold on a line.
#[derive(Clone, Copy)]
struct LineRef {
    id: u64,
    character: Handle,
}

impl UserData for LineRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

const SAY_FIELDS: &[Field] = &[
    Field {
        name: "text",
        ty: Type::Text,
        doc: "what is spoken, with marks; timing and caption come from it",
    },
    Field {
        name: "sound",
        ty: Type::Text,
        doc: "a sound of the project, by its file; may stand first instead: say { \"line.ogg\", text = … }",
    },
    Field {
        name: "caption",
        ty: Type::OneOf(&[Type::Bool, Type::Text]),
        doc: "false shows none, a text is the name of who speaks; its own name, where it has one",
    },
    Field {
        name: "when",
        ty: Type::Word(&["queue", "interrupt", "overlap", "drop"]),
        doc: "while it speaks already: after that, in its place from the next phrase on, at the same time, or not at all; \"queue\"",
    },
    Field {
        name: "delay",
        ty: Type::Number,
        doc: "seconds to wait when it is its turn; 0",
    },
    Field {
        name: "gain",
        ty: Type::Number,
        doc: "factor on the amplitude, over that which makes all lines equally loud; 1",
    },
    Field {
        name: "level",
        ty: Type::Bool,
        doc: "all lines are made equally loud; true",
    },
    Field {
        name: "rate",
        ty: Type::Number,
        doc: "how fast a line without a sound is spoken, 0.3 to 3; 1",
    },
    Field {
        name: "lipsync",
        ty: Type::Word(&["auto", "amplitude"]),
        doc: "how the mouth of a recorded line moves: by what stands beside the sound, by sound and text, or by the sound; or by loudness alone, in the book's bands; \"auto\"",
    },
    Field {
        name: "strength",
        ty: Type::Number,
        doc: "0 to 2: how much the mouth moves; 1",
    },
];

/// What of a line is spoken, and what stands in it.
pub(super) struct Asked {
    pub text: String,
    sound: Option<String>,
    pub fields: Fields,
}

pub(super) fn asked(value: &Value, options: Fields) -> mlua::Result<Asked> {
    match value {
        Value::String(text) => Ok(Asked {
            text: text.to_string_lossy(),
            sound: options.text("sound").map(|sound| stem(&sound)),
            fields: options,
        }),
        Value::Table(table) => {
            let first: Value = table.raw_get(1)?;
            let known = |name: &str| SAY_FIELDS.iter().find(|field| field.name == name);
            for pair in table.pairs::<Value, Value>() {
                let (key, value) = pair?;
                let Value::String(name) = &key else { continue };
                let name = name.to_string_lossy();
                let Some(field) = known(&name) else {
                    let hint = nearest_hint(&name, SAY_FIELDS.iter().map(|field| field.name));
                    return Err(wrong(format!("say: unknown field {name:?}{hint}")));
                };
                let why = field.ty.check(&value);
                why.map_err(|why| wrong(format!("say: field {name:?}: {why}")))?;
            }
            let fields = Fields(Some(table.clone()));
            let first = match first {
                Value::Nil => None,
                Value::String(first) => Some(first.to_string_lossy()),
                _ => return Err(wrong("say: expected the file of a sound first")),
            };
            let sound = first
                .or_else(|| fields.text("sound"))
                .map(|sound| stem(&sound));
            let text = fields.text("text").unwrap_or_default();
            if sound.is_none() && text.is_empty() {
                return Err(wrong("say: expected a text, or a sound"));
            }
            Ok(Asked {
                text,
                sound,
                fields,
            })
        }
        _ => Err(wrong("say: expected a text, or a table")),
    }
}

/// A sound's name in the project: its file without folders and ending.
fn stem(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => name.to_owned(),
    }
}

/// The words, sounds and mouth of a line.
fn line_of(world: &World, asked: &Asked) -> mlua::Result<(Line, Voice)> {
    let marked = parse(&asked.text).map_err(|why| wrong(format!("say: {why}")))?;
    let fields = &asked.fields;
    let services = &world.services;
    let recording = match &asked.sound {
        None => None,
        Some(sound) => {
            let names = services.sound_names();
            if !names.contains(sound) {
                let hint = nearest_hint(sound, names.iter().map(String::as_str));
                return Err(wrong(format!("say: no sound {sound:?}{hint}")));
            }
            services.sound_samples(sound)
        }
    };
    let lipsync = match fields.text("lipsync").as_deref() {
        Some("amplitude") => LipSync::Amplitude,
        _ => LipSync::Auto,
    };
    let options = PlanOptions {
        rate: fields.within("rate", 0.3, 3.0)?.unwrap_or(1.0),
        lipsync,
        level: fields.bool("level").unwrap_or(true),
    };
    let planned = plan(&marked, recording.as_ref(), &options);
    let planned = planned.map_err(|why| wrong(format!("say: {why}")))?;
    let mouth = MouthOptions {
        strength: fields.within("strength", 0.0, 2.0)?.unwrap_or(1.0),
        ..MouthOptions::default()
    };
    let gain = fields.within("gain", 0.0, 16.0)?.unwrap_or(1.0);
    let voice = Voice {
        sound: asked.sound.as_deref().map(Arc::from),
        gain: gain * planned.gain,
        keys: planned.keys.map(Arc::from),
    };
    Ok((Line::new(&marked, planned.track, &mouth), voice))
}

/// Whom names in a line mean, before those on the stage.
pub(super) type Names = Arc<[(Arc<str>, Handle)]>;

/// What is to be said, with all that its marks name.
pub(super) fn saying(
    world: &mut World,
    handle: Handle,
    asked: &Asked,
    names: Names,
) -> mlua::Result<Saying> {
    let (line, voice) = line_of(world, asked)?;
    let mixes = mixes(world, handle, &line, &names)?;
    let caption = caption(world, handle, asked, &line);
    Ok(Saying {
        line: Arc::new(line),
        mixes,
        voice,
        caption,
        overlaps: asked.fields.text("when").as_deref() == Some("overlap"),
        delay: asked.fields.within("delay", 0.0, 600.0)?.unwrap_or(0.0),
        names,
    })
}

/// What the marks of a line show, for the face of who speaks; and whether it can do what they ask.
fn mixes(
    world: &mut World,
    handle: Handle,
    line: &Line,
    names: &Names,
) -> mlua::Result<Vec<Option<Mix>>> {
    let id = world.stage.new_id();
    let rig = facing(find(&mut world.stage, handle)?, handle, id)?
        .rig
        .clone();
    let mut mixes = Vec::with_capacity(line.items.len());
    for item in &line.items {
        let mix = match &item.does {
            Does::Show(name) | Does::Mood(name) => Some(mix_named(world, &rig, "say", name)?),
            Does::Gesture { name, .. } => {
                let character = find(&mut world.stage, handle)?;
                if !has_gesture(character, name) {
                    let clips = character.definition.clips.names();
                    let hint = nearest_hint(name, clips.chain(HEAD_MOVES));
                    let model = &character.definition.model.name;
                    return Err(wrong(format!("say: {model} has no gesture {name:?}{hint}")));
                }
                None
            }
            Does::Look(name) if !["camera", "away"].contains(&name.as_str()) => {
                let is_named = names.iter().any(|(own, _)| **own == **name);
                if !is_named && !world.stage.has_character_named(name) {
                    let all = world.stage.characters.iter();
                    let keys = all.filter_map(|(_, c)| c.key.strip_prefix('='));
                    let keys: Vec<&str> = names.iter().map(|(own, _)| &**own).chain(keys).collect();
                    let hint = nearest_hint(name, keys.into_iter().chain(["camera", "away"]));
                    return Err(wrong(format!(
                        "say: nobody on the stage is named {name:?}{hint}"
                    )));
                }
                None
            }
            _ => None,
        };
        mixes.push(mix);
    }
    Ok(mixes)
}

fn say(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let asked = asked(&args.value(1), args.fields(2))?;
    // Aligning a line costs as much as many calls.
    charge(lua, 64 + asked.text.len() as u64)?;
    let id = with_world(lua, |world| {
        let when = asked.fields.text("when");
        find(&mut world.stage, handle)?;
        if when.as_deref() == Some("drop") && world.stage.is_speaking(handle) {
            return Ok(None);
        }
        let saying = saying(world, handle, &asked, Names::default())?;
        if when.as_deref() == Some("interrupt") {
            interrupt_all(world, handle, Cut::Phrase);
        }
        let id = world.stage.say(handle, saying, 0.0);
        let most = || {
            wrong(format!(
                "say: {MOST_LINES} lines are spoken or wait already"
            ))
        };
        id.map(Some).ok_or_else(most)
    })?;
    id.map_or(Ok(Value::Nil), |id| line_ref(lua, handle, id))
}

fn line_ref(lua: &Lua, character: Handle, id: u64) -> mlua::Result<Value> {
    Ok(Value::UserData(
        lua.create_userdata(LineRef { id, character })?,
    ))
}

/// What is shown while a line is spoken.
fn caption(world: &World, handle: Handle, asked: &Asked, line: &Line) -> Option<UiItem> {
    let character = world.stage.characters.get(handle)?;
    let own = character.key.strip_prefix('=').unwrap_or_default();
    let speaker = match asked.fields.value("caption") {
        Value::Boolean(false) => return None,
        Value::String(name) => name.to_string_lossy(),
        _ => own.to_owned(),
    };
    (!line.text.is_empty())
        .then(|| super::ui::caption_item(speaker.into(), line.text.as_str().into()))
}

/// Where a line is cut, as scripts say it.
pub(super) fn cut_of(word: Option<&str>) -> Cut {
    match word {
        Some("now") => Cut::Now,
        Some("word") => Cut::Word,
        _ => Cut::Phrase,
    }
}

fn interrupt_all(world: &mut World, handle: Handle, how: Cut) -> usize {
    let lines = world.stage.lines.iter_mut();
    let own = lines.filter(|speaking| speaking.character == handle);
    let mut n = 0;
    for speaking in own {
        speaking.cut(how);
        n += 1;
    }
    n
}

pub(super) const HOW: &[&str] = &["now", "word", "phrase"];

fn hush(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let cut = cut_of(args.text(1).as_deref());
    with_world(lua, |world| {
        find(&mut world.stage, handle)?;
        Ok(Value::Boolean(interrupt_all(world, handle, cut) > 0))
    })
}

fn get_speaking(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    with_character(lua, &args, |_, _| Ok(()))?;
    with_world(lua, |world| {
        Ok(Value::Boolean(world.stage.is_speaking(handle)))
    })
}

fn line_of_ref(args: &Args) -> mlua::Result<LineRef> {
    args.object(0).ok_or_else(|| wrong("this is no line"))
}

fn interrupt(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = line_of_ref(&args)?;
    let cut = cut_of(args.text(1).as_deref());
    with_world(lua, |world| {
        let Some(speaking) = world.stage.line_mut(own.id) else {
            return Ok(Value::Boolean(false));
        };
        speaking.cut(cut);
        Ok(Value::Boolean(true))
    })
}

fn resume(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = line_of_ref(&args)?;
    let from_phrase = args.text(1).as_deref() != Some("word");
    let id = with_world(lua, |world| {
        let mut over = world.stage.lines_over.iter();
        if over.any(|over| over.id == own.id && over.saying.is_some()) {
            find(&mut world.stage, own.character)?;
        }
        Ok(world.stage.resume(own.id, from_phrase))
    })?;
    id.map_or(Ok(Value::Nil), |id| line_ref(lua, own.character, id))
}

fn get_ended(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = line_of_ref(&args)?;
    let word = with_world(lua, |world| {
        let over = world.stage.lines_over.iter().find(|over| over.id == own.id);
        Ok(over.map(|over| over.reason.word()))
    })?;
    match word {
        Some(word) => Ok(Value::String(lua.create_string(word)?)),
        None => Ok(Value::Nil),
    }
}

fn get_time(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = line_of_ref(&args)?;
    with_world(lua, |world| {
        let over = world.stage.lines_over.iter().find(|over| over.id == own.id);
        let over = over.map(|over| over.t);
        let now = world.stage.line_mut(own.id).map(|speaking| speaking.t);
        Ok(lua_number(now.or(over).unwrap_or(0.0)))
    })
}

/// Runs `f` with a line that is spoken, waits or was cut.
fn with_line(
    lua: &Lua,
    args: &Args,
    f: impl FnOnce(&Lua, &Line) -> mlua::Result<Value>,
) -> mlua::Result<Value> {
    let own = line_of_ref(args)?;
    let line = with_world(lua, |world| {
        let over = world.stage.lines_over.iter().find(|over| over.id == own.id);
        let over = over.and_then(|over| Some(over.saying.as_ref()?.line.clone()));
        Ok(world
            .stage
            .line_mut(own.id)
            .map(|s| s.saying.line.clone())
            .or(over))
    })?;
    line.map_or(Ok(Value::Nil), |line| f(lua, &line))
}

fn get_text(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_line(lua, &args, |lua, line| {
        Ok(Value::String(lua.create_string(&line.text)?))
    })
}

fn get_seconds(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_line(lua, &args, |_, line| Ok(lua_number(line.track.duration)))
}

fn words(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_line(lua, &args, |lua, line| {
        let list = lua.create_table()?;
        for word in &line.track.words {
            let entry = lua.create_table()?;
            entry.raw_set("word", word.text.as_str())?;
            entry.raw_set("start", lua_number(word.start))?;
            entry.raw_set("finish", lua_number(word.end))?;
            list.raw_push(entry)?;
        }
        Ok(Value::Table(list))
    })
}

/// What a line adds to its events.
pub(super) fn say_table(table: &Table, event: &SayEvent) -> mlua::Result<()> {
    table.raw_set("line", event.id)?;
    match &event.what {
        Said::Begin(line) => {
            table.raw_set("text", line.text.as_str())?;
            table.raw_set("seconds", lua_number(line.track.duration))
        }
        Said::Word(line, i) => {
            let Some(word) = line.track.words.get(*i) else {
                return Ok(());
            };
            table.raw_set("word", word.text.as_str())?;
            table.raw_set("index", i + 1)?;
            table.raw_set("seconds", lua_number(word.end - word.start))
        }
        Said::Phone(line, i) => {
            let Some(phone) = line.track.phones.get(*i) else {
                return Ok(());
            };
            table.raw_set("phone", phone.phone.name())?;
            table.raw_set("seconds", lua_number(phone.end - phone.start))
        }
        Said::Cue(line, i) => {
            if let Some(Does::Event { name, fields }) = line.items.get(*i).map(|item| &item.does) {
                for (key, value) in fields {
                    match value.parse::<f64>() {
                        Ok(number) => table.raw_set(key.as_str(), number)?,
                        Err(_) => table.raw_set(key.as_str(), value.as_str())?,
                    }
                }
                table.raw_set("cue", name.as_str())?;
            }
            Ok(())
        }
        Said::End(reason, t) => {
            table.raw_set("reason", reason.word())?;
            table.raw_set("at", lua_number(*t))
        }
    }
}

/// `hero:say(line)`.
pub(super) const SAY: Function = Function {
    name: "say",
    params: &[
        Param {
            name: "line",
            ty: Type::OneOf(&[Type::Text, Type::Table]),
            optional: false,
        },
        Param::options(SAY_FIELDS),
    ],
    returns: "Line?",
    doc: "Speaks a line: a text with marks, a recorded one with `{ \"line.ogg\", text = \"…\" }`, whose text says what is in it. The mouth follows \
          the sound, a caption shows the text, and marks happen at their words: `{brow:up}` or any expression (`{smile x0.5 1.2s}`, \
          `{smile}…{/smile}`), `{look=name}`, `{look=camera}`, `{look=away}`, `[beat]word[/]` for a gesture (a clip of that name, or the \
          head's beat, nod, shake, tilt) whose stroke falls on the stressed syllable, `{mood=sadness}`, `{blink}`, `{pause 0.5}`, \
          `{event=name key=value}` for a `cue` of the script; `p=0.6` is its chance, `delay=-0.1` its delay. Its events are `say`, `word`, `phone`, `cue` and \
          `said`. Nothing when it was dropped.",
    example: "hero:say \"Oh, {brow_up}it is [beat]you[/]. {look=camera} {smile}Come in.{/smile}\"\nlocal line = hero:say({ text = \"One thing {pause 0.4} more.\", when = \"interrupt\", rate = 1.2 })\nhero:on(\"word\", function(e) print(e.word, e.seconds) end)\nline:interrupt(\"word\")",
    call: say,
};

/// `hero:hush()`.
pub(super) const HUSH: Function = Function {
    name: "hush",
    params: &[Param {
        name: "how",
        ty: Type::Word(HOW),
        optional: true,
    }],
    returns: "boolean",
    doc: "Ends all that it says and has still to say: at the end of the phrase, of the word, or now. False when it says nothing.",
    example: "hero:say \"I was going to say…\"\nhero:hush(\"now\")",
    call: hush,
};

/// `hero.speaking`.
pub(super) const SPEAKING: Property = Property {
    name: "speaking",
    ty: "boolean",
    doc: "True while it speaks.",
    get: get_speaking,
    set: None,
};

/// Methods and properties of a line.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Line",
    doc: "A line that a character speaks, or has still to speak.",
    functions: &[
        Function {
            name: "interrupt",
            params: &[Param {
                name: "how",
                ty: Type::Word(HOW),
                optional: true,
            }],
            returns: "boolean",
            doc: "Ends it: at the end of the phrase, of the word, or now; the mouth closes. False when it is over.",
            example: "local line = hero:say \"As I was saying, it is late.\"\nline:interrupt(\"now\")",
            call: interrupt,
        },
        Function {
            name: "resume",
            params: &[Param {
                name: "from",
                ty: Type::Word(&["phrase", "word"]),
                optional: true,
            }],
            returns: "Line?",
            doc: "Goes on with a line that was cut: from the beginning of the phrase that was cut, or from where it was. Gives the line that goes \
                  on; nothing for one that was not cut.",
            example: "local line = hero:say \"As I was saying, it is late.\"\nline:interrupt(\"now\")\nhero:on(\"said\", function() line:resume() end)",
            call: resume,
        },
        Function {
            name: "words",
            params: &[],
            returns: "{ { word: string, start: number, finish: number } }?",
            doc: "Its words and when they are spoken, seconds; nothing for one that is over.",
            example: "for _, w in hero:say(\"One, two.\"):words() do print(w.word, w.start, w.finish) end",
            call: words,
        },
    ],
    properties: &[
        Property {
            name: "ended",
            ty: "string?",
            doc: "Why it is over, \"end\" or \"interrupted\"; nothing while it is not.",
            get: get_ended,
            set: None,
        },
        Property {
            name: "time",
            ty: "number",
            doc: "Seconds of it that are over.",
            get: get_time,
            set: None,
        },
        Property {
            name: "seconds",
            ty: "number?",
            doc: "How long it is; nothing for one that is over.",
            get: get_seconds,
            set: None,
        },
        Property {
            name: "text",
            ty: "string?",
            doc: "Its text without marks; nothing for one that is over.",
            get: get_text,
            set: None,
        },
    ],
};
