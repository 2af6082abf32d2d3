//! `states` of `crowd { … }`: what people do, shared by all of them.

use std::sync::Arc;

use glam::Vec3;
use mlua::{Function, Table, Value};

use super::check::{Field, Fields, Type, number, object, text, vector};
use super::crowd_fields::RANGE;
use super::particle_fields::range;
use super::trail::TrailRef;
use crate::crowds::StateCalls;
use galatea_math::names::nearest_hint;
use galatea_stage::{CrowdState, MOST_STATES, Reply, StageCrowd};

/// Places that a state may lead to.
const MOST_PLACES: usize = 256;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// What a state may say.
pub(super) const STATE_FIELDS: &[Field] = &[
    Field::new(
        "clip",
        Type::OneOf(&[Type::Text, Type::Table("{ [any]: any }")]),
        "the clip that they act, or a list, of which one follows another by chance",
    ),
    Field::new("intro", Type::Text, "a clip before that"),
    Field::new(
        "once",
        Type::Bool,
        "the clip is played once; then `done` is heard",
    ),
    Field::new(
        "stands",
        Type::Bool,
        "they stay where they are; true where there is a clip",
    ),
    Field::new("pace", RANGE, "metres a second at which they go; their own"),
    Field::new(
        "lasts",
        RANGE,
        "seconds, a number or { low, high }, after which it is over",
    ),
    Field::new(
        "next",
        Type::OneOf(&[Type::Text, Type::Table("{ [any]: any }")]),
        "the state that follows then, or a list from which chance takes one; without, `over` is heard",
    ),
    Field::new(
        "goes",
        Type::OneOf(&[Type::Vector, Type::Table("{ [any]: any }")]),
        "a place, or a list, to the nearest of which they go",
    ),
    Field::new(
        "flees",
        Type::Number,
        "metres that they get away from the place of what they heard",
    ),
    Field::new(
        "roams",
        Type::Number,
        "without a place to go they walk on, and turn as chance has it: degrees a second; 0 goes straight on, until something is in the way",
    ),
    Field::new(
        "tracks",
        Type::Object("Trail"),
        "what they turn to where it lies, of `trail { … }`; they roam",
    ),
    Field::new(
        "lays",
        Type::Object("Trail"),
        "what they leave where they walk, of `trail { … }`",
    ),
    Field::new("amount", Type::Number, "how much of that on a metre; 1"),
    Field::new(
        "finds",
        Type::OneOf(&[Type::Vector, Type::Table("{ [any]: any }")]),
        "a place, or a list: who comes within `reach` of one hears `found`, with the place",
    ),
    Field::new(
        "spreads",
        Type::Text,
        "an event that those around hear, too, of the same place",
    ),
    Field::new(
        "reach",
        Type::Number,
        "metres within which they hear that, and within which `finds` finds; 2",
    ),
    Field::new("uses", Type::Bool, "what draws them may be used; true"),
    Field::new(
        "on",
        Type::Table("{ [any]: any }"),
        "by events: the state that follows, or a function of the crowd, the number and what it is about, which may return a state",
    ),
    Field::new(
        "enter",
        Type::Function("(...any) -> ...any"),
        "called with the crowd, the number and the state before",
    ),
    Field::new(
        "update",
        Type::Function("(...any) -> ...any"),
        "called with the crowd, the number and the seconds since, every so often",
    ),
    Field::new(
        "every",
        Type::Number,
        "seconds from one `update` to the next; 0.25",
    ),
    Field::new(
        "leave",
        Type::Function("(...any) -> ...any"),
        "called with the crowd, the number and the state that follows",
    ),
];

/// Gives a crowd its states; what scripts are to be called for is returned, state by state.
pub(super) fn states(fields: &Fields, crowd: &mut StageCrowd) -> mlua::Result<Vec<StateCalls>> {
    let Value::Table(table) = fields.value("states") else {
        if fields.text("start").is_some() {
            return Err(wrong("start: there are no states"));
        }
        return Ok(Vec::new());
    };
    let names = names_of(&table)?;
    if crowd.is_book {
        return Err(wrong(
            "states: the book's crowd only walks; leave out style",
        ));
    }
    let (mut made, mut calls) = (Vec::new(), Vec::new());
    for name in &names {
        let value: Value = table.raw_get(name.as_str())?;
        Type::Fields(STATE_FIELDS)
            .check(&value)
            .map_err(|told| wrong(format!("states.{name}: {told}")))?;
        let own = Fields(value.as_table().cloned());
        let told = |error: mlua::Error| {
            let text = error.to_string();
            let text = text
                .strip_prefix("runtime error: ")
                .unwrap_or(&text)
                .to_owned();
            wrong(format!("states.{name}.{text}"))
        };
        let (state, call) = state(name, &own, &names, crowd).map_err(told)?;
        made.push(state);
        calls.push(call);
    }
    let start = fields.text("start");
    crowd.start = match start {
        Some(name) => number_of(&names, &name, "start")?,
        None if names.len() == 1 => 0,
        None => {
            return Err(wrong(format!(
                "start: one of the states is expected, {}",
                names.join(", ")
            )));
        }
    };
    crowd.states = Arc::from(made);
    Ok(calls)
}

/// Names in an order that does not depend on the table's.
fn names_of(table: &Table) -> mlua::Result<Vec<String>> {
    let mut names = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let name = text(&pair?.0);
        names.push(name.ok_or_else(|| wrong("states: they have names, { walk = { … } }"))?);
    }
    if names.is_empty() || names.len() > MOST_STATES {
        return Err(wrong(format!("states: 1 to {MOST_STATES} are expected")));
    }
    names.sort_unstable();
    Ok(names)
}

fn number_of(names: &[String], name: &str, what: &str) -> mlua::Result<u16> {
    match names.iter().position(|known| known == name) {
        Some(at) => Ok(at as u16),
        None => {
            let hint = nearest_hint(name, names.iter().map(String::as_str));
            Err(wrong(format!("{what}: there is no state {name:?}{hint}")))
        }
    }
}

/// Texts of a field that is one or a list.
pub(super) fn texts(fields: &Fields, name: &str) -> mlua::Result<Vec<String>> {
    match fields.value(name) {
        Value::Nil => Ok(Vec::new()),
        Value::Table(table) => {
            let all = table.sequence_values::<Value>();
            let one = |value: mlua::Result<Value>| {
                text(&value?).ok_or_else(|| wrong(format!("{name}: a list of names is expected")))
            };
            all.map(one).collect()
        }
        value => Ok(text(&value).into_iter().collect()),
    }
}

fn places(fields: &Fields, name: &str) -> mlua::Result<Vec<Vec3>> {
    let of = |value: &Value| vector(value).filter(|place| place.is_finite());
    let expected = || wrong(format!("{name}: a place, or a list of places, is expected"));
    let found = match fields.value(name) {
        Value::Nil => return Ok(Vec::new()),
        Value::Table(table) => {
            let all = table.sequence_values::<Value>();
            let all = all.map(|value| of(&value?).ok_or_else(expected));
            all.collect::<mlua::Result<Vec<Vec3>>>()?
        }
        value => vec![of(&value).ok_or_else(expected)?],
    };
    if found.is_empty() || found.len() > MOST_PLACES {
        return Err(wrong(format!(
            "{name}: 1 to {MOST_PLACES} places are expected"
        )));
    }
    Ok(found)
}

/// A range, where a field says one.
pub(super) fn told_range(
    fields: &Fields,
    name: &str,
    limits: (f64, f64),
) -> mlua::Result<Option<[f32; 2]>> {
    match fields.value(name) {
        Value::Nil => Ok(None),
        _ => range(fields, name, limits, [0.0; 2]).map(Some),
    }
}

/// The number of a clip of a crowd.
pub(super) fn clip(crowd: &mut StageCrowd, name: &str, what: &str) -> mlua::Result<u16> {
    if let Some(number) = crowd.clip_number(name) {
        return Ok(number);
    }
    let all = crowd.bodies.iter().flat_map(|body| {
        let clips = &body.definition.clips;
        clips.names()
    });
    let hint = nearest_hint(name, all);
    Err(wrong(format!("{what}: no body has a clip {name:?}{hint}")))
}

fn state(
    name: &str,
    fields: &Fields,
    names: &[String],
    crowd: &mut StageCrowd,
) -> mlua::Result<(CrowdState, StateCalls)> {
    let mut state = CrowdState {
        name: name.to_owned(),
        ..CrowdState::default()
    };
    for name in texts(fields, "clip")? {
        state.acting.clips.push(clip(crowd, &name, "clip")?);
    }
    if let Some(name) = fields.text("intro") {
        state.acting.intro = Some(clip(crowd, &name, "intro")?);
    }
    state.acting.once = fields.bool("once").unwrap_or(false);
    state.stands = fields.bool("stands").unwrap_or(!state.acting.is_empty());
    state.pace = told_range(fields, "pace", (0.0, 20.0))?;
    state.lasts = told_range(fields, "lasts", (0.0, 1e6))?;
    for name in texts(fields, "next")? {
        state.next.push(number_of(names, &name, "next")?);
    }
    state.goes = places(fields, "goes")?;
    state.flees = fields.within("flees", 0.1, 1000.0)?;
    let reach = fields.within("reach", 0.1, 50.0)?.unwrap_or(2.0);
    state.spreads = fields.text("spreads").map(|event| (event, reach));
    state.roams = fields.within("roams", 0.0, 720.0)?;
    let trail = |name| object(&fields.value(name)).map(|TrailRef(handle)| handle);
    state.tracks = trail("tracks");
    let amount = fields.within("amount", 0.0, 1e6)?;
    state.lays = trail("lays").map(|trail| (trail, amount.unwrap_or(1.0)));
    if amount.is_some() && state.lays.is_none() {
        return Err(wrong("amount: there is nothing that they lay; add lays"));
    }
    let finds = places(fields, "finds")?;
    state.finds = (!finds.is_empty()).then_some((finds, reach));
    state.uses = fields.bool("uses").unwrap_or(true);
    let mut calls = StateCalls {
        enter: fields.function("enter"),
        update: fields.function("update"),
        leave: fields.function("leave"),
        on: Vec::new(),
    };
    state.tells = [calls.enter.is_some(), calls.leave.is_some()];
    let every = fields.within("every", 0.001, 1000.0)?.unwrap_or(0.25);
    state.every = calls.update.as_ref().map(|_| every);
    let on = fields.value("on");
    let mut replies = Vec::new();
    for pair in on
        .as_table()
        .into_iter()
        .flat_map(Table::pairs::<Value, Value>)
    {
        let (event, reply) = pair?;
        let event = text(&event).ok_or_else(|| wrong("on: the names of events are expected"))?;
        replies.push((event, reply));
    }
    replies.sort_by(|a, b| a.0.cmp(&b.0));
    for (event, reply) in replies {
        let (reply, call): (Reply, Option<Function>) = match reply {
            Value::Function(function) => (Reply::Ask, Some(function)),
            reply => {
                let name = text(&reply).filter(|_| number(&reply).is_none());
                let name = name.ok_or_else(|| {
                    wrong(format!("on.{event}: a state or a function is expected"))
                })?;
                let what = format!("on.{event}");
                (Reply::State(number_of(names, &name, &what)?), None)
            }
        };
        state.on.push((event, reply));
        calls.on.push(call);
    }
    Ok((state, calls))
}
