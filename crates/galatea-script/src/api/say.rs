//! `hero:say`: a character speaks a line, with what its marks have happen.

use std::sync::Arc;

use mlua::{Lua, Value};

use super::character::{find, with_character};
use super::check::{Args, Field, Fields, Param, Type};
use super::face::facing;
use super::face_mix::mix_named;
use super::line_handle::line_ref;
use super::say_track::rows;
use super::{Function, Property};
use crate::budget::charge;
use crate::world::{World, with_world};
use galatea_face::Mix;
use galatea_math::names::nearest_hint;
use galatea_speech::line::{Cut, Does, HEAD_MOVES, Line};
use galatea_speech::marks::parse;
use galatea_speech::mouth::MouthOptions;
use galatea_speech::plan::{LipSync, PlanOptions, Recording, plan};
use galatea_stage::{Handle, MOST_LINES, Saying, UiItem, Voice, has_gesture};

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
        name: "language",
        ty: Type::Text,
        doc: "whose rules the text is read by: a name or two letters, such as \"es\"; English, or what `language` says",
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
        name: "voice",
        ty: Type::OneOf(&[Type::Text, Type::Bool]),
        doc: "a voice of espeak-ng that speaks a line without a sound, such as \"en-us+f3\", where that is installed; false: none; that of galatea.toml",
    },
    Field {
        name: "track",
        ty: Type::Table,
        doc: "what is to happen beside its marks, as rows: { { \"smile\", at = \"you\", seconds = 1 }, { gesture = \"nod\", at = 0.4 }, { event = \"bow\", at = 2 } }; also look, mood, blink, cut, strength, chance, delay",
    },
    Field {
        name: "lipsync",
        ty: Type::Word(&["auto", "live", "amplitude"]),
        doc: "how the mouth of a recorded line moves: by what a file of the same name beside it tells, by sound and text, or by the sound; as one that only listens has it; or by loudness alone, in the book's bands; \"auto\"",
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
    let told = match &asked.sound {
        Some(sound) if asked.fields.text("lipsync").is_none_or(|how| how == "auto") => world
            .services
            .sound_told(sound)
            .map_err(|why| wrong(format!("say: {why}")))?,
        _ => None,
    };
    // A file beside the sound may tell what is said in it.
    let own = told.as_ref().and_then(|told| told.text.as_deref());
    let text = match (asked.text.is_empty(), own) {
        (true, Some(own)) => own.replace(['{', '}', '[', ']'], " "),
        _ => asked.text.clone(),
    };
    let marked = parse(&text).map_err(|why| wrong(format!("say: {why}")))?;
    let fields = &asked.fields;
    let services = &world.services;
    let rate = fields.within("rate", 0.3, 3.0)?.unwrap_or(1.0);
    let voice = match fields.value("voice") {
        Value::String(voice) => Some(voice.to_string_lossy()),
        _ => None,
    };
    let is_mute = matches!(fields.value("voice"), Value::Boolean(false));
    let spoken = match &asked.sound {
        None if !is_mute && !marked.text.is_empty() => services
            .spoken(voice.as_deref(), &marked.text, rate)
            .map_err(|why| wrong(format!("say: {why}")))?,
        _ => None,
    };
    let sound = asked.sound.clone().or(spoken.clone());
    let recording = match &sound {
        None => None,
        Some(sound) => {
            let names = services.sound_names();
            if spoken.is_none() && !names.contains(sound) {
                let hint = nearest_hint(sound, names.iter().map(String::as_str));
                return Err(wrong(format!("say: no sound {sound:?}{hint}")));
            }
            let samples = services.sound_samples(sound);
            samples.map(|samples| Recording {
                told: told.map(Arc::new),
                ..samples
            })
        }
    };
    let lipsync = match fields.text("lipsync").as_deref() {
        Some("amplitude") => LipSync::Amplitude,
        Some("live") => LipSync::Live,
        _ => LipSync::Auto,
    };
    let options = PlanOptions {
        rate,
        lipsync,
        level: fields.bool("level").unwrap_or(true),
    };
    let reader = super::words::reader(world, fields.text("language").as_deref())?;
    let planned = plan(&marked, recording.as_ref(), &options, &reader);
    let planned = planned.map_err(|why| wrong(format!("say: {why}")))?;
    let mouth = MouthOptions {
        strength: fields.within("strength", 0.0, 2.0)?.unwrap_or(1.0),
        ..MouthOptions::default()
    };
    let gain = fields.within("gain", 0.0, 16.0)?.unwrap_or(1.0);
    let voice = Voice {
        sound: sound.as_deref().map(Arc::from),
        gain: gain * planned.gain,
        keys: planned.keys.map(Arc::from),
        loudness: planned.loudness.into(),
    };
    let mut line = Line::new(&marked, planned.track, &mouth);
    if let Value::Table(table) = fields.value("track") {
        let rows = rows(&table, &line.track)?;
        line.add(rows.items, rows.cuts);
    }
    Ok((line, voice))
}

/// Whom names in a line mean, before those on the stage.
pub(super) type Names = Arc<[(Arc<str>, Handle)]>;

/// What is to be said, with all that its marks name.
pub(super) fn saying(
    lua: &Lua,
    world: &mut World,
    handle: Handle,
    asked: &Asked,
    names: Names,
) -> mlua::Result<Saying> {
    let (line, voice) = line_of(world, asked)?;
    let mixes = mixes(lua, world, handle, &line, &names)?;
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
    lua: &Lua,
    world: &mut World,
    handle: Handle,
    line: &Line,
    names: &Names,
) -> mlua::Result<Vec<Option<Mix>>> {
    let id = world.stage.ids.new_id();
    let rig = facing(find(&mut world.stage, handle)?, handle, id)?
        .rig
        .clone();
    let mut mixes = Vec::with_capacity(line.items.len());
    for item in &line.items {
        let mix = match &item.does {
            Does::Show(name) | Does::Mood(name) => Some(mix_named(lua, world, &rig, "say", name)?),
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
                if !is_named && world.stage.characters.named(name).is_none() {
                    let all = world.stage.characters.iter();
                    let keys = all.filter_map(|(_, c)| c.identity.name());
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
        if when.as_deref() == Some("drop") && world.stage.speech.is_speaking(handle) {
            return Ok(None);
        }
        let saying = saying(lua, world, handle, &asked, Names::default())?;
        if when.as_deref() == Some("interrupt") {
            interrupt_all(world, handle, Cut::Phrase);
        }
        let id = world
            .stage
            .speech
            .say(&mut world.stage.ids, handle, saying, 0.0);
        let most = || {
            wrong(format!(
                "say: {MOST_LINES} lines are spoken or wait already"
            ))
        };
        id.map(Some).ok_or_else(most)
    })?;
    id.map_or(Ok(Value::Nil), |id| line_ref(lua, handle, id))
}

/// What is shown while a line is spoken.
fn caption(world: &World, handle: Handle, asked: &Asked, line: &Line) -> Option<UiItem> {
    let character = world.stage.characters.get(handle)?;
    let own = character.identity.name().unwrap_or_default();
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
    let lines = world.stage.speech.lines.iter_mut();
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
        Ok(Value::Boolean(world.stage.speech.is_speaking(handle)))
    })
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
