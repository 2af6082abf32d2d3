//! `conversation { … }`: turns of several characters, from one table.

use std::sync::Arc;

use mlua::{Function as LuaFunction, Lua, Table, Value};

use super::character::{CharacterRef, find};
use super::check::{Args, Field, Fields, Param, Type, describe, number, object, text};
use super::conversation_handle::begin;
use super::say::{Names, asked, cut_of, saying};
use super::{Function, Group, Kind};
use crate::budget::charge;
use crate::fault::Fault;
use crate::world::with_world;
use galatea_math::names::nearest_hint;
use galatea_speech::line::{Cut, Line};
use galatea_stage::{
    Addressed, ConversationOptions, ConversationPlan, ConversationStep, Interruption, MOST_CAST,
    MOST_STEPS, Member, Saying, StepKind, Turn,
};

/// How deep ways may stand in ways.
const MOST_NESTED: usize = 8;

pub(super) fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

const OPTIONS: &[Field] = &[
    Field::new(
        "cast",
        Type::Table("{ [any]: any }"),
        "names and characters",
    ),
    Field::new("name", Type::Text, "makes it the same over saves"),
    Field::new("gap", Type::Number, "seconds between turns"),
    Field::new("nods", Type::Number, "0 to 1: how often listeners nod"),
    Field::new("gaze", Type::Bool, "they look at each other"),
];

/// What a turn may say beside who speaks and what.
pub(super) const TURN_FIELDS: &[Field] = &[
    Field::new(
        "to",
        Type::Text,
        "to whom, or \"all\"; who spoke before, else who speaks next",
    ),
    Field::new(
        "gap",
        Type::Number,
        "seconds after the turn before; about 0.2",
    ),
    Field::new(
        "overlap",
        Type::Number,
        "seconds before the end of the turn before at which it begins",
    ),
    Field::new(
        "interrupts",
        Type::OneOf(&[Type::Word(&["now", "word", "phrase"]), Type::Bool]),
        "it cuts who speaks, at the end of the phrase, of the word, or now",
    ),
    Field::new(
        "after",
        Type::OneOf(&[Type::Number, Type::Text]),
        "of one that interrupts: seconds of the other's line, or a word of it",
    ),
    Field::new(
        "resumes",
        Type::Bool,
        "it goes on with its own line that was cut",
    ),
    P,
];

const P: Field = Field::new("p", Type::Number, "0 to 1: how likely it happens; 1");

const PAUSE_FIELDS: &[Field] = &[
    Field::new("pause", Type::Number, "seconds in which nobody speaks"),
    P,
];

const CALL_FIELDS: &[Field] = &[
    Field::new(
        "call",
        Type::Function("(...any) -> ...any"),
        "is called with the conversation",
    ),
    P,
];

const CHOOSE_FIELDS: &[Field] = &[
    Field::new(
        "choose",
        Type::Table("{ [any]: any }"),
        "ways, of which one is gone",
    ),
    P,
];

/// What is wrong with an entry, and with which.
pub(super) fn in_entry(entry: &str, error: &mlua::Error) -> mlua::Error {
    let why = Fault::from_lua(error).text;
    let why = why.strip_prefix("say: ").unwrap_or(&why);
    wrong(format!("conversation: {entry}: {why}"))
}

/// The fields of a table that have names, checked.
fn named(table: &Table, fields: &'static [Field], n_listed: usize) -> mlua::Result<Fields> {
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let Value::String(name) = &key else {
            let index = number(&key).unwrap_or(f64::INFINITY);
            if index > n_listed as f64 || index < 1.0 {
                return Err(wrong(format!("unexpected entry {}", describe(&key))));
            }
            continue;
        };
        let name = name.to_string_lossy();
        let Some(field) = fields.iter().find(|field| field.name == name) else {
            let hint = nearest_hint(&name, fields.iter().map(|field| field.name));
            return Err(wrong(format!("unknown field {name:?}{hint}")));
        };
        let checked = field.ty.check(&value);
        checked.map_err(|why| wrong(format!("field {name:?}: {why}")))?;
    }
    Ok(Fields(Some(table.clone())))
}

/// Who is in a conversation, and whom names in its lines mean.
pub(super) struct Cast {
    members: Vec<Member>,
    names: Names,
}

impl Cast {
    pub fn of(members: Vec<Member>) -> Self {
        let names = members.iter();
        let names = names.map(|member| (member.name.clone(), member.character));
        Self {
            names: names.collect(),
            members,
        }
    }

    fn read(lua: &Lua, value: &Value) -> mlua::Result<Self> {
        let expected = || {
            wrong("conversation: expected who is in it, as in cast = { anna = anna, ben = ben }")
        };
        let Value::Table(table) = value else {
            return Err(expected());
        };
        let mut members: Vec<Member> = Vec::new();
        for pair in table.pairs::<Value, Value>() {
            let (name, who) = pair?;
            let Some(name) = text(&name) else {
                return Err(expected());
            };
            let Some(CharacterRef(character)) = object(&who) else {
                return Err(wrong(format!(
                    "conversation: cast: {name:?} is {}, expected a character",
                    describe(&who)
                )));
            };
            if let Some(other) = members.iter().find(|other| other.character == character) {
                let mut both = [&*other.name, &*name];
                both.sort_unstable();
                return Err(wrong(format!(
                    "conversation: cast: {:?} and {:?} are the same character",
                    both[0], both[1]
                )));
            }
            members.push(Member {
                name: name.into(),
                character,
            });
        }
        if !(2..=MOST_CAST).contains(&members.len()) {
            return Err(wrong(format!(
                "conversation: a cast has 2 to {MOST_CAST} characters, got {}",
                members.len()
            )));
        }
        // The order of a table's pairs is nobody's.
        members.sort_by(|a, b| a.name.cmp(&b.name));
        with_world(lua, |world| {
            for member in &members {
                find(&mut world.stage, member.character)?;
            }
            Ok(())
        })?;
        Ok(Self::of(members))
    }

    fn find(&self, name: &str) -> mlua::Result<usize> {
        let mut members = self.members.iter();
        members
            .position(|member| *member.name == *name)
            .ok_or_else(|| {
                let hint = nearest_hint(name, self.members.iter().map(|member| &*member.name));
                wrong(format!("nobody of the cast is named {name:?}{hint}"))
            })
    }
}

/// A turn that was read, and how likely it is.
pub(super) struct ReadTurn {
    pub turn: Turn,
    chance: f32,
}

/// Reads a turn; `before` is the line of the turn before it, where it is known.
pub(super) fn turn(
    lua: &Lua,
    cast: &Cast,
    table: &Table,
    number: u32,
    before: Option<&Line>,
) -> mlua::Result<ReadTurn> {
    let fields = named(table, TURN_FIELDS, 2)?;
    let who: Value = table.raw_get(1)?;
    let Some(who) = text(&who) else {
        return Err(wrong(format!(
            "expected the name of who speaks first, got {}",
            describe(&who)
        )));
    };
    let who = cast.find(&who)?;
    let line: Value = table.raw_get(2)?;
    let resumes = fields.bool("resumes").unwrap_or(false);
    let saying = match line {
        Value::Nil if resumes => None,
        Value::Nil => {
            return Err(wrong(
                "expected what is said: a text, or a table as `say` takes it",
            ));
        }
        line => Some(said(lua, cast, who, &line)?),
    };
    let to = match fields.text("to").as_deref() {
        None => Addressed::Usual,
        Some("all") if cast.find("all").is_err() => Addressed::All,
        Some(name) => Addressed::One(cast.find(name)?),
    };
    if to == Addressed::One(who) {
        return Err(wrong("who speaks cannot be spoken to as well"));
    }
    let gap = fields.within("gap", 0.0, 600.0)?;
    let overlap = fields.within("overlap", 0.0, 600.0)?;
    if gap.is_some() && overlap.is_some() {
        return Err(wrong("a turn has a gap or an overlap, not both"));
    }
    let interrupts = match fields.value("interrupts") {
        Value::Nil | Value::Boolean(false) => None,
        Value::Boolean(true) => Some(Cut::Phrase),
        word => Some(cut_of(text(&word).as_deref())),
    };
    let after = after(&fields.value("after"), interrupts.is_some(), before)?;
    Ok(ReadTurn {
        turn: Turn {
            number,
            who,
            to,
            saying,
            gap: gap.or(overlap.map(|overlap| -overlap)),
            interrupts: interrupts.map(|how| Interruption { how, after }),
            resumes,
        },
        chance: fields.within("p", 0.0, 1.0)?.unwrap_or(1.0),
    })
}

/// What is said in a turn.
fn said(lua: &Lua, cast: &Cast, who: usize, line: &Value) -> mlua::Result<Saying> {
    let asked = asked(line, Fields(None))?;
    if !asked.fields.value("when").is_nil() {
        return Err(wrong(
            "when: turns wait for each other; say overlap or interrupts of the turn",
        ));
    }
    charge(lua, 64 + asked.text.len() as u64)?;
    let handle = cast.members[who].character;
    with_world(lua, |world| {
        saying(lua, world, handle, &asked, cast.names.clone())
    })
}

/// Seconds of the line before from which on it is interrupted.
fn after(value: &Value, interrupts: bool, before: Option<&Line>) -> mlua::Result<Option<f32>> {
    if value.is_nil() {
        return Ok(None);
    }
    if !interrupts {
        return Err(wrong(
            "after: only a turn that interrupts has it; say interrupts = \"word\"",
        ));
    }
    let Some(word) = text(value) else {
        let seconds = number(value).filter(|seconds| (0.0..=600.0).contains(seconds));
        let seconds = seconds.ok_or_else(|| wrong("after: must be 0 to 600 seconds"))?;
        return Ok(Some(seconds as f32));
    };
    let Some(before) = before else {
        return Err(wrong(
            "after: there is no turn directly before it whose words are known; say seconds",
        ));
    };
    let words = &before.track.words;
    let found = words
        .iter()
        .find(|known| known.text.eq_ignore_ascii_case(&word));
    match found {
        Some(found) => Ok(Some(found.end)),
        None => {
            let hint = nearest_hint(&word, words.iter().map(|word| word.text.as_str()));
            let why = format!("after: the turn before has no word {word:?}{hint}");
            Err(wrong(why))
        }
    }
}

/// Steps as they are read.
struct Steps<'a> {
    lua: &'a Lua,
    cast: &'a Cast,
    steps: Vec<ConversationStep>,
    calls: Vec<LuaFunction>,
    /// The line of the turn before, where it is known which that is.
    before: Option<Arc<Line>>,
}

impl Steps<'_> {
    fn push(&mut self, number: u32, chance: f32, does: StepKind) -> mlua::Result<usize> {
        if self.steps.len() >= MOST_STEPS {
            return Err(wrong(format!("it may have {MOST_STEPS} steps")));
        }
        self.steps.push(ConversationStep {
            number,
            chance,
            does,
        });
        Ok(self.steps.len() - 1)
    }

    /// Reads one entry: a turn, a pause, a call, or ways to choose from.
    fn entry(&mut self, value: &Value, number: u32, depth: usize) -> mlua::Result<()> {
        charge(self.lua, 4)?;
        let Value::Table(table) = value else {
            return Err(wrong(format!(
                "expected a turn, as in {{ \"anna\", \"Hello.\" }}, got {}",
                describe(value)
            )));
        };
        let has = |name: &str| -> mlua::Result<bool> {
            let value: Value = table.raw_get(name)?;
            Ok(!value.is_nil())
        };
        let chance = |fields: &Fields| -> mlua::Result<f32> {
            Ok(fields.within("p", 0.0, 1.0)?.unwrap_or(1.0))
        };
        if has("pause")? {
            let fields = named(table, PAUSE_FIELDS, 0)?;
            let seconds = fields.within("pause", 0.0, 3600.0)?.unwrap_or(0.0);
            let step = StepKind::Pause(seconds);
            self.push(number, chance(&fields)?, step)?;
            self.before = None;
        } else if has("call")? {
            let fields = named(table, CALL_FIELDS, 0)?;
            let function = fields
                .function("call")
                .ok_or_else(|| wrong("call: expected a function"))?;
            let step = StepKind::Call(self.calls.len() as u32);
            self.calls.push(function);
            self.push(number, chance(&fields)?, step)?;
            self.before = None;
        } else if has("choose")? {
            let fields = named(table, CHOOSE_FIELDS, 0)?;
            let chance = chance(&fields)?;
            self.choose(&fields.value("choose"), number, chance, depth)?;
            self.before = None;
        } else {
            let before = self.before.take();
            let read = turn(self.lua, self.cast, table, number, before.as_deref())?;
            self.before = read.turn.saying.as_ref().map(|saying| saying.line.clone());
            // Of a turn that may be left out nobody knows whether it was the one before.
            if read.chance < 1.0 {
                self.before = None;
            }
            let step = StepKind::Turn(Arc::new(read.turn));
            self.push(number, read.chance, step)?;
        }
        Ok(())
    }

    fn choose(&mut self, ways: &Value, number: u32, chance: f32, depth: usize) -> mlua::Result<()> {
        if depth >= MOST_NESTED {
            return Err(wrong(format!(
                "choose stands in choose more than {MOST_NESTED} deep"
            )));
        }
        let ways: Vec<Value> = match ways {
            Value::Table(table) => table.sequence_values().collect::<mlua::Result<_>>()?,
            _ => Vec::new(),
        };
        if ways.is_empty() {
            return Err(wrong("choose: expected a list of ways"));
        }
        let from = self.before.clone();
        let choice = self.push(number, chance, StepKind::Choose(Vec::new()))?;
        // Who chooses none goes on behind them.
        let (mut begins, mut ends) = (Vec::new(), vec![self.push(number, 1.0, StepKind::Go(0))?]);
        for (i, way) in ways.iter().enumerate() {
            self.before.clone_from(&from);
            let start = self.steps.len();
            let weight = self
                .way(way, number, depth)
                .map_err(|error| nested(&format!("way {}", i + 1), &error))?;
            begins.push((weight, start));
            ends.push(self.push(number, 1.0, StepKind::Go(0))?);
        }
        if begins.iter().all(|(weight, _)| *weight <= 0.0) {
            return Err(wrong("choose: no way has a weight more than 0"));
        }
        let behind = self.steps.len();
        for end in ends {
            self.steps[end].does = StepKind::Go(behind);
        }
        self.steps[choice].does = StepKind::Choose(begins);
        Ok(())
    }

    /// Reads one way: an entry, or a list of them. Gives its weight.
    fn way(&mut self, way: &Value, number: u32, depth: usize) -> mlua::Result<f32> {
        let listed = match way {
            Value::Table(table) if matches!(table.raw_get(1)?, Value::Table(_)) => table,
            _ => {
                self.entry(way, number, depth + 1)?;
                return Ok(1.0);
            }
        };
        const WAY_FIELDS: &[Field] = &[Field::new(
            "weight",
            Type::Number,
            "how likely it is, compared with the others; 1",
        )];
        let fields = named(listed, WAY_FIELDS, listed.raw_len())?;
        for (i, entry) in listed.sequence_values::<Value>().enumerate() {
            self.entry(&entry?, number, depth + 1)
                .map_err(|error| nested(&format!("entry {}", i + 1), &error))?;
        }
        Ok(fields.within("weight", 0.0, 1e6)?.unwrap_or(1.0))
    }
}

fn nested(entry: &str, error: &mlua::Error) -> mlua::Error {
    let why = Fault::from_lua(error).text;
    let why = why.strip_prefix("say: ").unwrap_or(&why);
    wrong(format!("{entry}: {why}"))
}

fn conversation(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let table = args
        .table(0)
        .ok_or_else(|| wrong("conversation: expected a table"))?;
    let fields = named(&table, OPTIONS, table.raw_len())
        .map_err(|error| wrong(format!("conversation: {}", Fault::from_lua(&error).text)))?;
    let cast = Cast::read(lua, &fields.value("cast"))?;
    let usual = ConversationOptions::default();
    let within = |name: &str, most: f64| {
        let given = fields.within(name, 0.0, most);
        given.map_err(|error| wrong(format!("conversation: {}", Fault::from_lua(&error).text)))
    };
    let options = ConversationOptions {
        gap: within("gap", 60.0)?.unwrap_or(usual.gap),
        nods: within("nods", 1.0)?.unwrap_or(usual.nods),
        gaze: fields.bool("gaze").unwrap_or(usual.gaze),
    };
    let mut steps = Steps {
        lua,
        cast: &cast,
        steps: Vec::new(),
        calls: Vec::new(),
        before: None,
    };
    for (i, entry) in table.sequence_values::<Value>().enumerate() {
        let number = i as u32 + 1;
        let entry = entry?;
        steps.entry(&entry, number, 0).map_err(|error| {
            let who = entry.as_table().and_then(|table| table.raw_get(1).ok());
            let who = who.as_ref().and_then(text);
            let who = who.map_or_else(String::new, |who| format!(" ({who})"));
            in_entry(&format!("turn {number}{who}"), &error)
        })?;
    }
    if steps.steps.is_empty() {
        return Err(wrong(
            "conversation: expected turns, as in { \"anna\", \"Hello.\" }",
        ));
    }
    let (steps, calls) = (steps.steps, steps.calls);
    let names: Vec<&str> = cast.members.iter().map(|member| &*member.name).collect();
    let key = fields.text("name").unwrap_or_else(|| names.join(" "));
    let plan = ConversationPlan {
        key,
        cast: cast.members,
        steps,
        options,
    };
    begin(lua, plan, calls)
}

/// The word that begins a conversation.
pub(super) static GROUP: Group = Group {
    kind: Kind::Globals,
    name: "conversations",
    doc: "Conversations.",
    functions: &[Function {
        name: "conversation",
        params: &[Param {
            name: "turns",
            ty: Type::Table("{ [any]: any }"),
            optional: false,
        }],
        returns: "Conversation",
        doc: "Begins a conversation: `cast` gives names to two characters or more, then come turns, each with who speaks and what, as \
              `say` takes it; in looks (`{look=ben}`) names of the cast are known. A turn may say to whom it is spoken (`to`, a name or \
              \"all\"; else to who spoke before), `gap` (seconds after the turn before, about 0.2) or `overlap` (seconds before its \
              end), `interrupts` (\"phrase\", \"word\" or \"now\": it cuts who speaks, about where six tenths are said, or `after` so many \
              seconds or after a word), `resumes` (it goes on with its own line that was cut) and `p`, its chance. `{ pause = 1 }` is \
              silence, `{ call = function(talk) … end }` calls, and waits for an act, a play, a sound or a conversation that is \
              given back; `{ choose = { way, way } }` goes one of several ways, each an entry or a list of them with a `weight`. Options: `gap`, \
              `nods` (0 to 1, how often listeners nod, 0.6), `gaze` (false: all look where they did) and `name`, which makes it the same over \
              saves. All is looked at before anything is said. One that somebody of it is in already ends.",
        example: "local anna, ben = character(\"assets/galatea.glb\"), character(\"assets/galatea.glb\", { at = vector.create(1, 0, 0) })\nlocal talk = conversation {\n\tcast = { anna = anna, ben = ben },\n\t{ \"anna\", \"Oh, {brow_up}it is you. {look=ben}\" },\n\t{ \"ben\", \"I was going to say that the…\" },\n\t{ \"anna\", \"Wait!\", interrupts = \"word\" },\n\t{ \"ben\", \"As I was saying,\", resumes = true },\n\t{ pause = 0.5 },\n\t{ choose = { { \"anna\", \"Mm-hm.\" }, { \"anna\", \"I see.\" } }, p = 0.8 },\n}",
        call: conversation,
    }],
    properties: &[],
};
