//! `conversation { … }`: turns of several characters, read from one table.

use std::sync::Arc;

use mlua::{Function as LuaFunction, Lua, Table, Value};

use super::character_ref::{CharacterRef, find};
use super::check::{
    Args, ByName, Fields, OptionValue, Options, Param, Shape, Type, describe, number, text,
};
use super::conversation_ref::{begin, wrong};
use super::group::{Function, Group, Kind};
use super::say::{Names, SayRequest, saying};
use crate::budget::charge;
use crate::fault::Fault;
use crate::world::with_world;
use galatea_derive::Options;
use galatea_math::names::nearest_hint;
use galatea_speech::line::{CutPoint, Line};
use galatea_stage::{
    Addressed, ConversationOptions, ConversationPlan, ConversationStep, ConversationTurn,
    Interruption, MAX_CAST, MAX_STEPS, Member, Saying, StepKind,
};

/// Maximum nesting depth of `choose` in alternatives of `choose`.
const MAX_NESTED: usize = 8;

/// Cast and settings of a conversation; its list holds the steps.
#[derive(Options)]
#[option(entries = STEP)]
struct ConversationTurns {
    /// Characters that take part, by name.
    cast: ByName<CharacterRef>,
    /// Name by which a hot reload finds the conversation again and continues it.
    #[option(default_doc = "the names of the cast")]
    name: Option<String>,
    /// Average pause between two turns.
    #[option(default_doc = "0.2", unit = "seconds", range = 0.0..=60.0)]
    gap: Option<f32>,
    /// How often listeners react to the speaker, for example with a nod; 0 is never.
    #[option(default_doc = "0.6", range = 0.0..=1.0)]
    nod_chance: Option<f32>,
    /// True makes the characters look at each other.
    #[option(default_doc = "true")]
    gaze: Option<bool>,
}

/// A step of a conversation.
const STEP: Type = Type::OneOf(&[
    ConversationTurnOptions::TYPE,
    PauseStep::TYPE,
    CallStep::TYPE,
    ChooseStep::TYPE,
]);

/// Option shapes that are only referenced by the type string of `choose`.
pub(super) const SHAPES: &[&Shape] = &[BranchOptions::SHAPE];

/// A turn: the name of the speaker, then the line as in `say`.
#[derive(Options)]
#[option(entries = SayRequest::TYPE)]
pub(super) struct ConversationTurnOptions {
    /// Name of the character to whom the speaker talks, or "all".
    #[option(default_doc = "the previous speaker, otherwise the next one")]
    to: Option<String>,
    /// Pause between the end of the previous turn and the start of this one.
    #[option(default_doc = "about 0.2", unit = "seconds", range = 0.0..=600.0)]
    gap: Option<f32>,
    /// Time by which this turn begins before the end of the previous one.
    #[option(unit = "seconds", range = 0.0..=600.0)]
    overlap: Option<f32>,
    /// Makes this turn interrupt the previous speaker. It says when the previous line is cut: "now" at once, at the end
    /// of a "word", or at the end of a "phrase". True means "phrase".
    #[option(default_doc = "false")]
    interrupt: Option<Interrupts>,
    /// With `interrupt`: time after which the previous line is cut, in seconds from its start, or the word of that line
    /// at which it is cut.
    #[option(default_doc = "about 0.6 of the line", range = 0.0..=600.0)]
    after: Option<InterruptPoint>,
    /// True makes the speaker continue the line in which it was interrupted before.
    #[option(default = false)]
    resume: bool,
    #[option(flatten)]
    chance: ChanceOptions,
}

/// Probability of a step.
#[derive(Options)]
struct ChanceOptions {
    /// Probability that the step happens; otherwise it is skipped.
    #[option(default = 1.0, range = 0.0..=1.0)]
    chance: f32,
}

/// Silence in a conversation.
#[derive(Options)]
struct PauseStep {
    /// Duration of the pause.
    #[option(unit = "seconds", range = 0.0..=3600.0)]
    pause: f32,
    #[option(flatten)]
    chance: ChanceOptions,
}

/// A call of a function in a conversation.
#[derive(Options)]
struct CallStep {
    /// Function that is called. If it returns a task, a play, a sound or a conversation, the conversation waits for its
    /// end.
    #[option(ty = Type::Function("(talk: Conversation) -> ...any"))]
    call: LuaFunction,
    #[option(flatten)]
    chance: ChanceOptions,
}

/// A random choice in a conversation.
#[derive(Options)]
struct ChooseStep {
    /// Alternatives, from which one is chosen at random. Each is a step or a list of steps.
    #[option(ty = Type::Table("{ ConversationTurnOptions | PauseStep | CallStep | ChooseStep | BranchOptions }"))]
    choose: Vec<Value>,
    #[option(flatten)]
    chance: ChanceOptions,
}

/// An alternative of `choose`; its list holds the steps.
#[derive(Options)]
#[option(entries = STEP)]
struct BranchOptions {
    /// Relative probability of this alternative.
    #[option(default = 1.0, range = 0.0..=1e6)]
    weight: f32,
}

/// Cut point of the previous line; `None` for false.
pub(super) struct Interrupts(pub Option<CutPoint>);

impl OptionValue for Interrupts {
    const TYPE: Type = Type::OneOf(&[CutPoint::TYPE, Type::Bool]);

    fn from_value(value: Value) -> Result<Self, String> {
        Ok(Self(match value {
            Value::Boolean(cuts) => cuts.then_some(CutPoint::Phrase),
            word => Some(CutPoint::from_value(word)?),
        }))
    }
}

/// Point at which the previous line is interrupted.
enum InterruptPoint {
    /// Seconds from its start.
    Seconds(f32),
    /// End of a word.
    Word(String),
}

impl OptionValue for InterruptPoint {
    const TYPE: Type = Type::OneOf(&[Type::Number, Type::Text]);

    fn from_value(value: Value) -> Result<Self, String> {
        match text(&value) {
            Some(word) => Ok(Self::Word(word)),
            None => f32::from_value(value).map(Self::Seconds),
        }
    }
}

/// Adds the name of an entry of the table to an error message.
pub(super) fn in_entry(entry: &str, error: &mlua::Error) -> mlua::Error {
    let why = Fault::from_lua(error).text;
    let why = why.strip_prefix("say: ").unwrap_or(&why);
    wrong(format!("conversation: {entry}: {why}"))
}

/// Checks and reads a table with up to `n_listed` entries in its list.
fn named<T: Options>(table: &Table, n_listed: usize) -> mlua::Result<T> {
    let value = Value::Table(table.clone());
    Type::Options(T::SHAPE).check(&value).map_err(wrong)?;
    check_list(table, n_listed)?;
    T::from_fields(&Fields::of(&value)).map_err(wrong)
}

/// Returns an error for a numbered entry beyond the first `n_listed` ones of a table.
fn check_list(table: &Table, n_listed: usize) -> mlua::Result<()> {
    for pair in table.pairs::<Value, Value>() {
        let (key, _) = pair?;
        if let Some(index) = number(&key)
            && !(1.0..=n_listed as f64).contains(&index)
        {
            return Err(wrong(format!("unexpected entry {}", describe(&key))));
        }
    }
    Ok(())
}

/// Characters of a conversation, and the names by which its lines refer to them.
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

    fn read(lua: &Lua, cast: ByName<CharacterRef>) -> mlua::Result<Self> {
        let mut members: Vec<Member> = Vec::new();
        for (name, CharacterRef(character)) in cast.0 {
            if let Some(other) = members.iter().find(|other| other.character == character) {
                return Err(wrong(format!(
                    "conversation: cast: {:?} and {name:?} are the same character",
                    &*other.name
                )));
            }
            members.push(Member {
                name: name.into(),
                character,
            });
        }
        if !(2..=MAX_CAST).contains(&members.len()) {
            return Err(wrong(format!(
                "conversation: the cast must have 2 to {MAX_CAST} characters, got {}",
                members.len()
            )));
        }
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
                wrong(format!("the cast has no {name:?}{hint}"))
            })
    }
}

/// A turn read from the table, with its probability.
pub(super) struct ReadTurn {
    pub turn: ConversationTurn,
    /// True if the table has `interrupt = false`.
    pub waits: bool,
    chance: f32,
}

/// Reads a turn; `before` is the line of the previous turn, if it is known.
pub(super) fn turn(
    lua: &Lua,
    cast: &Cast,
    table: &Table,
    number: u32,
    before: Option<&Line>,
) -> mlua::Result<ReadTurn> {
    let options: ConversationTurnOptions = named(table, 2)?;
    let who: Value = table.raw_get(1)?;
    let Some(who) = text(&who) else {
        return Err(wrong(format!(
            "the first entry must be the name of the speaker, got {}",
            describe(&who)
        )));
    };
    let who = cast.find(&who)?;
    let line: Value = table.raw_get(2)?;
    let saying = match line {
        Value::Nil if options.resume => None,
        Value::Nil => {
            return Err(wrong(
                "the second entry must be the line: a string, or a table as for `say`",
            ));
        }
        line => Some(said(lua, cast, who, &line)?),
    };
    let to = match options.to.as_deref() {
        None => Addressed::Usual,
        Some("all") if cast.find("all").is_err() => Addressed::All,
        Some(name) => Addressed::One(cast.find(name)?),
    };
    if to == Addressed::One(who) {
        return Err(wrong("to: the speaker cannot be the addressee"));
    }
    let (gap, overlap) = (options.gap, options.overlap);
    if gap.is_some() && overlap.is_some() {
        return Err(wrong("give either gap or overlap, not both"));
    }
    let waits = matches!(options.interrupt, Some(Interrupts(None)));
    let interrupts = options.interrupt.and_then(|Interrupts(how)| how);
    let after = match options.after {
        Some(after) => Some(seconds_after(after, interrupts.is_some(), before)?),
        None => None,
    };
    Ok(ReadTurn {
        turn: ConversationTurn {
            number,
            speaker: who,
            to,
            saying,
            gap: gap.or(overlap.map(|overlap| -overlap)),
            interrupt: interrupts.map(|how| Interruption { how, after }),
            resume: options.resume,
        },
        waits,
        chance: options.chance.chance,
    })
}

/// Reads the line of a turn.
fn said(lua: &Lua, cast: &Cast, who: usize, line: &Value) -> mlua::Result<Saying> {
    SayRequest::TYPE.check(line).map_err(wrong)?;
    let asked = SayRequest::from_value(line.clone()).map_err(wrong)?;
    if asked.options.if_speaking.is_some() {
        return Err(wrong(
            "if_speaking: not allowed in a turn; use its options overlap or interrupt",
        ));
    }
    charge(lua, 64 + asked.text.len() as u64)?;
    let handle = cast.members[who].character;
    with_world(lua, |world| {
        saying(lua, world, handle, &asked, cast.names.clone())
    })
}

/// Time at which the previous line is interrupted, seconds from its start.
fn seconds_after(
    after: InterruptPoint,
    interrupts: bool,
    before: Option<&Line>,
) -> mlua::Result<f32> {
    if !interrupts {
        return Err(wrong(
            "after: needs the option interrupt, for example interrupt = \"word\"",
        ));
    }
    let word = match after {
        InterruptPoint::Seconds(seconds) => return Ok(seconds),
        InterruptPoint::Word(word) => word,
    };
    let Some(before) = before else {
        return Err(wrong(
            "after: the words of the previous turn are not known here; give a number of seconds",
        ));
    };
    let words = &before.track.words;
    let found = words
        .iter()
        .find(|known| known.text.eq_ignore_ascii_case(&word));
    match found {
        Some(found) => Ok(found.end),
        None => {
            let hint = nearest_hint(&word, words.iter().map(|word| word.text.as_str()));
            let why = format!("after: the previous turn has no word {word:?}{hint}");
            Err(wrong(why))
        }
    }
}

/// Steps read so far, and the state of the reader.
struct Steps<'a> {
    lua: &'a Lua,
    cast: &'a Cast,
    steps: Vec<ConversationStep>,
    calls: Vec<LuaFunction>,
    /// Line of the previous turn, if it is certain which turn that is.
    before: Option<Arc<Line>>,
}

impl Steps<'_> {
    fn push(&mut self, number: u32, chance: f32, does: StepKind) -> mlua::Result<usize> {
        if self.steps.len() >= MAX_STEPS {
            return Err(wrong(format!(
                "a conversation can have at most {MAX_STEPS} steps"
            )));
        }
        self.steps.push(ConversationStep {
            number,
            chance,
            action: does,
        });
        Ok(self.steps.len() - 1)
    }

    /// Reads one entry: a turn, a pause, a call, or a choice.
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
        if has("pause")? {
            let PauseStep { pause, chance } = named(table, 0)?;
            self.push(number, chance.chance, StepKind::Pause(pause))?;
            self.before = None;
        } else if has("call")? {
            let CallStep { call, chance } = named(table, 0)?;
            let step = StepKind::Call(self.calls.len() as u32);
            self.calls.push(call);
            self.push(number, chance.chance, step)?;
            self.before = None;
        } else if has("choose")? {
            let ChooseStep { choose, chance } = named(table, 0)?;
            self.choose(&choose, number, chance.chance, depth)?;
            self.before = None;
        } else {
            let before = self.before.take();
            let read = turn(self.lua, self.cast, table, number, before.as_deref())?;
            self.before = read.turn.saying.as_ref().map(|saying| saying.line.clone());
            // A turn that may be left out is not certain to be the previous one.
            if read.chance < 1.0 {
                self.before = None;
            }
            let step = StepKind::Turn(Arc::new(read.turn));
            self.push(number, read.chance, step)?;
        }
        Ok(())
    }

    fn choose(
        &mut self,
        ways: &[Value],
        number: u32,
        chance: f32,
        depth: usize,
    ) -> mlua::Result<()> {
        if depth >= MAX_NESTED {
            return Err(wrong(format!("choose: nested more than {MAX_NESTED} deep")));
        }
        if ways.is_empty() {
            return Err(wrong("choose: expected a list of alternatives"));
        }
        let from = self.before.clone();
        let choice = self.push(number, chance, StepKind::Choose(Vec::new()))?;
        // If no alternative is chosen, the conversation continues after all of them.
        let (mut begins, mut ends) = (Vec::new(), vec![self.push(number, 1.0, StepKind::Go(0))?]);
        for (i, way) in ways.iter().enumerate() {
            self.before.clone_from(&from);
            let start = self.steps.len();
            let weight = self
                .alternative(way, number, depth)
                .map_err(|error| nested(&format!("alternative {}", i + 1), &error))?;
            begins.push((weight, start));
            ends.push(self.push(number, 1.0, StepKind::Go(0))?);
        }
        if begins.iter().all(|(weight, _)| *weight <= 0.0) {
            return Err(wrong(
                "choose: at least one alternative needs a weight more than 0",
            ));
        }
        let behind = self.steps.len();
        for end in ends {
            self.steps[end].action = StepKind::Go(behind);
        }
        self.steps[choice].action = StepKind::Choose(begins);
        Ok(())
    }

    /// Reads one alternative of a choice: an entry or a list of entries. Returns its weight.
    fn alternative(&mut self, way: &Value, number: u32, depth: usize) -> mlua::Result<f32> {
        let listed = match way {
            Value::Table(table) if matches!(table.raw_get(1)?, Value::Table(_)) => table,
            _ => {
                self.entry(way, number, depth + 1)?;
                return Ok(1.0);
            }
        };
        let BranchOptions { weight } = named(listed, listed.raw_len())?;
        for (i, entry) in listed.sequence_values::<Value>().enumerate() {
            self.entry(&entry?, number, depth + 1)
                .map_err(|error| nested(&format!("entry {}", i + 1), &error))?;
        }
        Ok(weight)
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
    let given: ConversationTurns = args.options(0)?;
    check_list(&table, table.raw_len())
        .map_err(|error| wrong(format!("conversation: {}", Fault::from_lua(&error).text)))?;
    let cast = Cast::read(lua, given.cast)?;
    let usual = ConversationOptions::default();
    let options = ConversationOptions {
        gap: given.gap.unwrap_or(usual.gap),
        nod_chance: given.nod_chance.unwrap_or(usual.nod_chance),
        gaze: given.gaze.unwrap_or(usual.gaze),
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
    let key = given.name.unwrap_or_else(|| names.join(" "));
    let plan = ConversationPlan {
        key,
        cast: cast.members,
        steps,
        options,
    };
    begin(lua, plan, calls)
}

/// The global function that starts a conversation.
pub(super) static GROUP: Group = Group {
    kind: Kind::Globals,
    name: "conversations",
    doc: "Conversations between characters.",
    functions: &[Function {
        name: "conversation",
        params: &[Param {
            name: "turns",
            ty: ConversationTurns::TYPE,
            optional: false,
        }],
        returns: "Conversation",
        doc: "Starts a conversation between two or more characters. The list contains the steps of the conversation, in \
              order. An error in any step is reported before the first one begins. A character can be in only one \
              conversation: a new conversation ends the earlier one. A step is one of these:\n\n\
              - a turn, { \"anna\", \"Hello.\" }: the name of the speaker in `cast`, and a line as in `hero:say`, with \
              the options below;\n\
              - { pause = 1 }: a pause, in seconds;\n\
              - { call = function(talk) … end }: a call of your function;\n\
              - { choose = { … } }: one of several steps, or lists of steps, chosen at random. A list with `weight = 2` \
              is chosen twice as often as one without.\n\n\
              A mark in a line can make the speaker look at a member of the cast, by name: `{look=ben}`.",
        example: "local anna, ben = character(\"assets/galatea.glb\"), character(\"assets/galatea.glb\", { position = vec(1, 0, 0) })\nlocal talk = conversation {\n\tcast = { anna = anna, ben = ben },\n\t{ \"anna\", \"Oh, {brow_up}it is you. {look=ben}\" },\n\t{ \"ben\", \"I was going to say that the…\" },\n\t{ \"anna\", \"Wait!\", interrupt = \"word\" },\n\t{ \"ben\", \"As I was saying,\", resume = true },\n\t{ pause = 0.5 },\n\t{ choose = { { \"anna\", \"Mm-hm.\" }, { \"anna\", \"I see.\" } }, chance = 0.8 },\n}",
        call: conversation,
    }],
    properties: &[],
};
