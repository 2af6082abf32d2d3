//! Handle to a line that a character speaks: interrupts and resumes it, and reads its text, words and events.

use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::find;
use super::check::{Args, OptionValue, Param, Type, lua_number};
use super::group::{Function, Group, Kind, Property};
use super::say_track;
use crate::tasks::Ended;
use crate::world::with_world;
use galatea_speech::line::{CutPoint, Line, MarkAction};
use galatea_stage::{Handle, LineEvent, SayEvent};

/// Handle to a line.
#[derive(Clone, Copy)]
pub(super) struct LineRef {
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

/// Creates a handle to a line from its id.
pub(super) fn line_ref(lua: &Lua, character: Handle, id: u64) -> mlua::Result<Value> {
    Ok(Value::UserData(
        lua.create_userdata(LineRef { id, character })?,
    ))
}

/// The end of a line: set when the line is over, or at the next tick of the tasks after that.
pub(super) fn end_of_line(lua: &Lua, line: LineRef) -> mlua::Result<Ended> {
    with_world(lua, |world| {
        let mut over = world.stage.speech.over.iter();
        if let Some(over) = over.find(|over| over.id == line.id) {
            let ended = Ended::default();
            ended.set(Some(over.reason.word()));
            return Ok(ended);
        }
        Ok(world.program.lines.entry(line.id).or_default().clone())
    })
}

fn line_of_ref(args: &Args) -> mlua::Result<LineRef> {
    args.object(0)
        .ok_or_else(|| mlua::Error::runtime("expected a Line"))
}

fn stop(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = line_of_ref(&args)?;
    let cut = args.read(1)?.unwrap_or(CutPoint::Phrase);
    with_world(lua, |world| {
        let Some(speaking) = world.stage.speech.line_mut(own.id) else {
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
        let mut over = world.stage.speech.over.iter();
        if over.any(|over| over.id == own.id && over.saying.is_some()) {
            find(&mut world.stage, own.character)?;
        }
        Ok(world.stage.speech.resume(
            &mut world.stage.ids,
            &world.stage.characters,
            own.id,
            from_phrase,
        ))
    })?;
    id.map_or(Ok(Value::Nil), |id| line_ref(lua, own.character, id))
}

fn get_end_reason(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = line_of_ref(&args)?;
    let word = with_world(lua, |world| {
        let over = world
            .stage
            .speech
            .over
            .iter()
            .find(|over| over.id == own.id);
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
        let over = world
            .stage
            .speech
            .over
            .iter()
            .find(|over| over.id == own.id);
        let over = over.map(|over| over.t);
        let now = world
            .stage
            .speech
            .line_mut(own.id)
            .map(|speaking| speaking.t);
        Ok(lua_number(now.or(over).unwrap_or(0.0)))
    })
}

/// Calls `f` with a line that is spoken, is queued or was interrupted.
fn with_line(
    lua: &Lua,
    args: &Args,
    f: impl FnOnce(&Lua, &Line) -> mlua::Result<Value>,
) -> mlua::Result<Value> {
    let own = line_of_ref(args)?;
    let line = with_world(lua, |world| {
        let over = world
            .stage
            .speech
            .over
            .iter()
            .find(|over| over.id == own.id);
        let over = over.and_then(|over| Some(over.saying.as_ref()?.line.clone()));
        Ok(world
            .stage
            .speech
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

fn get_duration(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_line(lua, &args, |_, line| Ok(lua_number(line.track.duration)))
}

fn track(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_line(lua, &args, |lua, line| {
        say_track::table(lua, &line.items).map(Value::Table)
    })
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

/// Adds the fields of a line to the table of its event.
pub(super) fn say_table(table: &Table, event: &SayEvent) -> mlua::Result<()> {
    table.raw_set("line", event.id)?;
    match &event.kind {
        LineEvent::Begin(line) => {
            table.raw_set("text", line.text.as_str())?;
            table.raw_set("duration", lua_number(line.track.duration))
        }
        LineEvent::Word(line, i) => {
            let Some(word) = line.track.words.get(*i) else {
                return Ok(());
            };
            table.raw_set("word", word.text.as_str())?;
            table.raw_set("index", i + 1)?;
            table.raw_set("duration", lua_number(word.end - word.start))
        }
        LineEvent::Phoneme(line, i) => {
            let Some(phone) = line.track.phonemes.get(*i) else {
                return Ok(());
            };
            table.raw_set("phoneme", phone.phoneme.name())?;
            table.raw_set("duration", lua_number(phone.end - phone.start))
        }
        LineEvent::Cue(line, i) => {
            if let Some(MarkAction::Event { name, fields }) =
                line.items.get(*i).map(|item| &item.action)
            {
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
        LineEvent::End(reason, t) => {
            table.raw_set("reason", reason.word())?;
            table.raw_set("spoken_time", lua_number(*t))
        }
    }
}

/// Methods and properties of a line.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Line",
    doc: "A line that a character speaks or will speak, returned by `hero:say`.",
    functions: &[
        Function {
            name: "stop",
            params: &[Param {
                name: "how",
                ty: CutPoint::TYPE,
                optional: true,
            }],
            returns: "boolean",
            doc: "Interrupts the line, and the mouth closes. `how` says when: \"phrase\" (the default) at the end of \
                  the current phrase, \"word\" at the end of the current word, \"now\" at once. Returns false if the \
                  line is already over.",
            example: "local line = hero:say \"As I was saying, it is late.\"\nline:stop(\"now\")",
            call: stop,
        },
        Function {
            name: "resume",
            params: &[Param {
                name: "from",
                ty: Type::Word(&["phrase", "word"]),
                optional: true,
            }],
            returns: "Line?",
            doc: "Continues a line that was interrupted. `from` says where: \"phrase\" (the default) repeats the \
                  interrupted phrase from its beginning, \"word\" continues at the interrupted word. Returns a new line \
                  for the rest, or nil if the line was not interrupted.",
            example: "local line = hero:say \"As I was saying, it is late.\"\nline:stop(\"now\")\nhero:on(\"say_end\", function() line:resume() end)",
            call: resume,
        },
        Function {
            name: "track",
            params: &[],
            returns: "{ TrackRow }?",
            doc: "Returns the expressions, gestures and other events of the line as a list of rows. They come from the \
                  marks in its text and from its option `track`. You can pass the list to another line as its `track`. \
                  Returns nil when the line is over.",
            example: "local rows = hero:say(\"Oh, {smile}it is [nod]you[/].\"):track()\nfor _, row in rows do print(row.at, row.expression, row.gesture) end\nhero:say { text = \"So it is you.\", track = rows }",
            call: track,
        },
        Function {
            name: "words",
            params: &[],
            returns: "{ { word: string, start: number, finish: number } }?",
            doc: "Returns the words of the line, each with the times at which it starts and finishes, in seconds from \
                  the beginning of the line. Returns nil when the line is over.",
            example: "for _, w in hero:say(\"One, two.\"):words() do print(w.word, w.start, w.finish) end",
            call: words,
        },
    ],
    properties: &[
        Property {
            name: "end_reason",
            ty: "string?",
            doc: "Reason why the line is over: \"end\" or \"interrupted\". It is nil until then.",
            get: get_end_reason,
            set: None,
        },
        Property {
            name: "time",
            ty: "number",
            doc: "Time since the beginning of the line, seconds.",
            get: get_time,
            set: None,
        },
        Property {
            name: "duration",
            ty: "number?",
            doc: "Duration of the line, seconds; nil when the line is over.",
            get: get_duration,
            set: None,
        },
        Property {
            name: "text",
            ty: "string?",
            doc: "Text of the line, without its marks such as `{smile}`; nil when the line is over.",
            get: get_text,
            set: None,
        },
    ],
};
