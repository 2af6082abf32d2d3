//! Handle of a conversation, which `conversation` returns.

use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::reference;
use super::check::{Args, OptionValue, Options, Param, Type};
use super::conversation::{Cast, ConversationTurnOptions, in_entry, turn};
use super::conversation_ref::{ConversationRef, wrong};
use super::group::{Function, Group, Kind, Property};
use super::listen::listener;
use crate::listeners::Handler;
use crate::world::with_world;
use galatea_derive::Options;
use galatea_speech::line::CutPoint;
use galatea_stage::{
    ConversationEvent, ConversationEventKind, ConversationTurnEvent, Event, Interruption, Stage,
};

impl UserData for ConversationRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn conversation_of(args: &Args) -> mlua::Result<ConversationRef> {
    args.object(0)
        .ok_or_else(|| wrong("expected a Conversation"))
}

const EVENTS: &[&str] = &["turn", "turn_end", "end", "*"];

fn on(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = conversation_of(&args)?;
    let event = args.text(1).unwrap_or_default();
    let function = args
        .function(2)
        .ok_or_else(|| wrong("on: expected a function"))?;
    let handler = Handler::new(event, function);
    let alive = handler.is_alive.clone();
    with_world(lua, |world| {
        if let Some(talk) = world.program.conversations.get_mut(&own.id) {
            talk.on.retain(|handler| handler.is_alive.get());
            talk.on.push(handler);
        }
        Ok(())
    })?;
    listener(lua, alive)
}

fn stop(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = conversation_of(&args)?;
    let how = args.read(1)?.unwrap_or(CutPoint::Phrase);
    with_world(lua, |world| {
        Ok(Value::Boolean(world.stage.conversations.stop(
            own.id,
            how,
            &mut world.stage.speech,
        )))
    })
}

fn skip(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = conversation_of(&args)?;
    let how = args.read(1)?.unwrap_or(CutPoint::Now);
    with_world(lua, |world| {
        let stage = &mut world.stage;
        let now = stage.clock.time();
        let skips = stage
            .conversations
            .skip_turn(own.id, how, &mut stage.speech, now);
        Ok(Value::Boolean(skips))
    })
}

/// Options of an inserted turn.
#[derive(Options)]
struct InterruptOptions {
    /// True continues the interrupted line after the inserted turn.
    #[option(default = true)]
    resume: bool,
}

fn interrupt(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = conversation_of(&args)?;
    let table = args
        .table(1)
        .ok_or_else(|| wrong("interrupt: expected a turn"))?;
    let InterruptOptions { resume: goes_on } = args.options(2)?;
    let known = with_world(lua, |world| {
        let known = world.stage.conversations.get(own.id);
        Ok(known.map(|known| (known.plan.cast.clone(), known.turn().unwrap_or(0))))
    })?;
    let Some((cast, number)) = known else {
        return Ok(Value::Boolean(false));
    };
    let read = turn(lua, &Cast::of(cast), &table, number, None)
        .map_err(|error| in_entry("interrupt", &error))?;
    let mut turn = read.turn;
    let usual = Interruption {
        how: CutPoint::Word,
        after: None,
    };
    if !read.waits {
        turn.interrupt.get_or_insert(usual);
    }
    with_world(lua, |world| {
        let is_in = world.stage.conversations.insert_turn(own.id, turn, goes_on);
        Ok(Value::Boolean(is_in))
    })
}

fn get_turn(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = conversation_of(&args)?;
    with_world(lua, |world| {
        let turn = world
            .stage
            .conversations
            .get(own.id)
            .and_then(|own| own.turn());
        Ok(turn.map_or(Value::Nil, |turn| Value::Number(f64::from(turn))))
    })
}

fn get_speaker(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = conversation_of(&args)?;
    let name = with_world(lua, |world| {
        let own = world.stage.conversations.get(own.id);
        Ok(own.and_then(|own| Some(own.plan.cast.get(own.speaker()?)?.name.clone())))
    })?;
    match name {
        Some(name) => Ok(Value::String(lua.create_string(&*name)?)),
        None => Ok(Value::Nil),
    }
}

fn get_end_reason(lua: &Lua, args: Args) -> mlua::Result<Value> {
    match conversation_of(&args)?.ended.get() {
        Some(word) => Ok(Value::String(lua.create_string(word)?)),
        None => Ok(Value::Nil),
    }
}

/// Table that listeners to a conversation receive.
///
/// # Errors
/// Returns an error if the VM is out of memory.
pub(crate) fn conversation_table(
    lua: &Lua,
    stage: &Stage,
    event: &Event,
    told: &ConversationEvent,
) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    let taken = |taken: &ConversationTurnEvent| -> mlua::Result<()> {
        table.raw_set("turn", taken.number)?;
        table.raw_set("speaker", &*taken.speaker)?;
        table.raw_set("to", taken.to.as_deref())?;
        if stage.characters.get(event.character).is_some() {
            table.raw_set("character", reference(lua, event.character)?)?;
        }
        Ok(())
    };
    match &told.kind {
        ConversationEventKind::Turn(who, line) => {
            taken(who)?;
            table.raw_set("text", line.text.as_str())?;
        }
        ConversationEventKind::TurnEnd(who, reason) => {
            taken(who)?;
            table.raw_set("reason", *reason)?;
        }
        ConversationEventKind::End(why) => table.raw_set("reason", why.word())?,
        ConversationEventKind::Call(_) => {}
    }
    table.raw_set("name", told.kind.name())?;
    table.raw_set("time", event.time)?;
    Ok(table)
}

/// Methods and properties of a conversation.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Conversation",
    doc: "A conversation, started by `conversation`. A task can wait for its end.\n\n\
          After a hot reload, a conversation that the new script starts too continues where it was. Any other \
          conversation ends after its current line, with the reason \"reloaded\".",
    functions: &[
        Function {
            name: "on",
            params: &[
                Param {
                    name: "event",
                    ty: Type::Word(EVENTS),
                    optional: false,
                },
                Param {
                    name: "listener",
                    ty: Type::Function("(event: ConversationEvent) -> ()"),
                    optional: false,
                },
            ],
            returns: "Listener",
            doc: "Calls the function `listener` for each event of the conversation with the name `event`; `*` means all \
                  events. The events are:\n\n\
                  - `turn`: a turn begins. Fields: `turn` (its number), `speaker` and `to` (names), `text` and \
                  `character` (the speaker).\n\
                  - `turn_end`: a turn ends. Its `reason` is \"end\", \"interrupted\", or \"unavailable\" if the \
                  speaker is lying down, dead or removed.\n\
                  - `end`: the conversation ends, with the `reason`.",
            example: "local talk = conversation { cast = { a = hero, b = character \"assets/galatea.glb\" }, { \"a\", \"Hello.\" } }\ntalk:on(\"turn\", function(e) print(e.turn, e.speaker, e.text) end)",
            call: on,
        },
        Function {
            name: "stop",
            params: &[Param {
                name: "how",
                ty: CutPoint::TYPE,
                optional: true,
            }],
            returns: "boolean",
            doc: "Ends the conversation. `how` says when the current line is cut: \"phrase\" (the default) at the end \
                  of the current phrase, \"word\" at the end of the current word, \"now\" at once. Returns false if the \
                  conversation is already over.",
            example: "local talk = conversation { cast = { a = hero, b = character \"assets/galatea.glb\" }, { \"a\", \"Hello.\" } }\ntalk:stop(\"word\")",
            call: stop,
        },
        Function {
            name: "skip",
            params: &[Param {
                name: "how",
                ty: CutPoint::TYPE,
                optional: true,
            }],
            returns: "boolean",
            doc: "Ends the current line or pause and continues with the next turn. `how` says when the line is cut: \
                  \"now\" (the default) at once, \"word\" at the end of the current word, \"phrase\" at the end of the \
                  current phrase. Returns false if the conversation is already over.",
            example: "local talk = conversation { cast = { a = hero, b = character \"assets/galatea.glb\" }, { \"a\", \"Hello.\" }, { \"b\", \"Good evening.\" } }\ntalk:skip()",
            call: skip,
        },
        Function {
            name: "interrupt",
            params: &[
                Param {
                    name: "turn",
                    ty: ConversationTurnOptions::TYPE,
                    optional: false,
                },
                Param::options(InterruptOptions::SHAPE),
            ],
            returns: "boolean",
            doc: "Inserts a turn into the conversation, and then continues the conversation. `turn` is written as a \
                  step of `conversation`. The new turn interrupts the current line at the end of the current word; its \
                  option `interrupt` can change that. With `interrupt = false` the new turn waits until the line is \
                  over. Returns false if the conversation is over, or if too many inserted turns are waiting.",
            example: "local talk = conversation { cast = { a = hero, b = character \"assets/galatea.glb\" }, { \"a\", \"It was late, and we went home.\" } }\ntalk:interrupt { \"b\", \"Wait!\", interrupt = \"phrase\" }",
            call: interrupt,
        },
    ],
    properties: &[
        Property {
            name: "turn",
            ty: "number?",
            doc: "Number of the current turn: its position in the list of steps. It is nil while no one speaks.",
            get: get_turn,
            set: None,
        },
        Property {
            name: "speaker",
            ty: "string?",
            doc: "Name of the current speaker in the cast; nil while no one speaks.",
            get: get_speaker,
            set: None,
        },
        Property {
            name: "end_reason",
            ty: "string?",
            doc: "Reason why the conversation ended: \"end\", \"stopped\", \"interrupted\" (another conversation took one of \
                  its characters), \"unavailable\" (fewer than two characters are left) or \"reloaded\". It is nil before \
                  the end.",
            get: get_end_reason,
            set: None,
        },
    ],
};
