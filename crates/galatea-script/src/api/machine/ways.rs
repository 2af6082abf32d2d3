//! `to` and `inertial`.

use mlua::{Lua, Table, Value};

use super::{Held, NAMES, Piece, curried, name_of, piece_of};
use crate::api::check::{Args, Field, Fields, Type, describe, names, number, text};
use crate::world::with_world;
use galatea_anim::{Ease, MarkValue};
use galatea_machine::{Entry, Fade, From, Interrupt, Predicate, TransitionDef, WhenDef};

const EASES: &[&str] = &[
    "linear", "smooth", "smoother", "in", "out", "in_out", "cosine", "step",
];

const TO_FIELDS: &[Field] = &[
    Field::new(
        "from",
        NAMES,
        "state or states it leaves; \"*\" is any but the one it leads to, unless it waits for an event \
              (`on`); a state that is named itself is entered again",
    ),
    Field::new(
        "when",
        Type::OneOf(&[Type::Text, Type::Function("(...any) -> ...any")]),
        "a condition as text, \"speed > 0.1\", or a function of the parameters that says whether to \
              go; it must not change anything",
    ),
    Field::new(
        "on",
        Type::Text,
        "the event (machine:send) that makes it go",
    ),
    Field::new(
        "done",
        Type::Bool,
        "goes when the state's clip, played once, is at its end",
    ),
    Field::new(
        "after",
        Type::Number,
        "seconds that the state must have lasted; 0",
    ),
    Field::new(
        "exit",
        Type::Number,
        "goes when the clip passes this share of its length, 0 to 1",
    ),
    Field::new(
        "passing",
        NAMES,
        "goes when the clip passes this mark: its name, or { name, foot = \"left\" }",
    ),
    Field::new(
        "priority",
        Type::Number,
        "those with a higher number are asked first; 0",
    ),
    Field::new(
        "interrupt",
        Type::Word(&["always", "higher", "never"]),
        "which transitions may break its fade: any, those of higher priority, none; always",
    ),
    Field::new("travel", Type::Bool, "machine:travel may use it; true"),
    Field::new(
        "outro",
        Type::Bool,
        "false: leaves at once, without the state's way out",
    ),
    Field::new(
        "fade",
        Type::OneOf(&[Type::Number, Type::Object("MachinePiece")]),
        "seconds of cross-fade, or inertial(seconds); 0.2",
    ),
    Field::new(
        "ease",
        Type::Word(EASES),
        "the course of the cross-fade; smooth",
    ),
    Field::new(
        "start",
        Type::OneOf(&[
            Type::Number,
            Type::Word(&["start", "phase"]),
            Type::Table("{ [any]: any }"),
        ]),
        "where the target's clip begins: seconds, \"start\", \"phase\", { share = 0.5 } or { mark = \
              \"step\", foot = \"left\", index = 1 }",
    ),
];

pub(super) fn to(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let target = name_of(&args, "to")?;
    curried(lua, "to", TO_FIELDS, false, move |lua, fields, _, at| {
        let from = names(&fields.value("from"), "to: from")?;
        let from = if from.is_empty() {
            From::Any
        } else {
            From::States(from)
        };
        let when = match fields.value("when") {
            Value::String(text) => Some(WhenDef::Text(text.to_string_lossy())),
            Value::Function(function) => Some(with_world(lua, |world| {
                world.program.predicates.push((function, at.clone()));
                let number = world.program.predicates.len() - 1;
                Ok(WhenDef::Predicate(Predicate(number as u32)))
            })?),
            _ => None,
        };
        let exit = fields.number("exit").map(|u| u as f32);
        if exit.is_some_and(|u| !(0.0..=1.0).contains(&u)) {
            return Err(mlua::Error::runtime(format!(
                "to {target:?}: exit is a share of the clip, 0 to 1"
            )));
        }
        let def = TransitionDef {
            from,
            to: target.clone(),
            when,
            on: fields.text("on"),
            done: fields.bool("done").unwrap_or(false),
            after: fields.number("after").unwrap_or(0.0).max(0.0) as f32,
            exit,
            passing: passing(&target, &fields.value("passing"))?,
            priority: fields.number("priority").unwrap_or(0.0) as i32,
            interrupt: match fields.text("interrupt").as_deref() {
                Some("higher") => Interrupt::Higher,
                Some("never") => Interrupt::Never,
                _ => Interrupt::Always,
            },
            travel: fields.bool("travel").unwrap_or(true),
            skip_outro: !fields.bool("outro").unwrap_or(true),
            fade: fade(&target, fields)?,
            entry: entry(&target, &fields.value("start"))?,
            at,
        };
        let nothing_given = def.when.is_none()
            && def.on.is_none()
            && !def.done
            && def.after <= 0.0
            && def.exit.is_none()
            && def.passing.is_none();
        if nothing_given {
            return Err(mlua::Error::runtime(format!(
                "to {target:?}: give at least one of when, on, done, after, exit, passing"
            )));
        }
        Ok(Piece::Transition(def))
    })
}

pub(super) fn inertial(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fade = Fade {
        seconds: args.number(0).unwrap_or(0.0).clamp(0.0, 60.0) as f32,
        inertial: true,
        ..Fade::default()
    };
    Ok(Value::UserData(
        lua.create_userdata(Held::new(lua, Piece::Fade(fade))?)?,
    ))
}

fn fade(target: &str, fields: &Fields) -> mlua::Result<Fade> {
    let value = fields.value("fade");
    let mut fade = match (&value, piece_of(&value)) {
        (_, Some(Piece::Fade(fade))) => fade,
        (_, Some(_)) => {
            return Err(mlua::Error::runtime(format!(
                "to {target:?}: fade is a number of seconds or inertial(seconds)"
            )));
        }
        _ => Fade {
            seconds: number(&value).unwrap_or(0.2).clamp(0.0, 60.0) as f32,
            ..Fade::default()
        },
    };
    if let Some(ease) = fields.text("ease").as_deref().and_then(Ease::from_name) {
        fade.ease = ease;
    }
    Ok(fade)
}

type NamedMark = (String, Vec<(String, MarkValue)>);

fn passing(target: &str, value: &Value) -> mlua::Result<Option<NamedMark>> {
    match value {
        Value::String(name) => Ok(Some((name.to_string_lossy(), Vec::new()))),
        Value::Table(table) => {
            let name = text(&table.raw_get::<Value>(1)?).ok_or_else(|| {
                mlua::Error::runtime(format!(
                    "to {target:?}: passing names a mark: {{ \"step\", foot = \"left\" }}"
                ))
            })?;
            Ok(Some((name, mark_fields(table, &[])?)))
        }
        _ => Ok(None),
    }
}

/// The named fields of a table as fields of a mark, but for some.
fn mark_fields(table: &Table, but: &[&str]) -> mlua::Result<Vec<(String, MarkValue)>> {
    let mut fields = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let Some(name) = text(&key).filter(|name| !but.contains(&name.as_str())) else {
            continue;
        };
        let value = match &value {
            Value::Boolean(b) => MarkValue::Bool(*b),
            Value::String(text) => MarkValue::Text(text.to_string_lossy()),
            other => MarkValue::Number(number(other).ok_or_else(|| {
                mlua::Error::runtime(format!(
                    "to: field {name:?} of a mark is a number, a text, true or false, got {}",
                    describe(other)
                ))
            })?),
        };
        fields.push((name, value));
    }
    Ok(fields)
}

fn entry(target: &str, value: &Value) -> mlua::Result<Entry> {
    let wrong = |text: &str| {
        Err(mlua::Error::runtime(format!(
            "to {target:?}: start: {text}"
        )))
    };
    match value {
        Value::Nil => Ok(Entry::Auto),
        Value::String(word) if word.to_string_lossy() == "phase" => Ok(Entry::Phase),
        Value::String(_) => Ok(Entry::Start),
        Value::Table(table) => {
            let share = table.raw_get::<Value>("share")?;
            let mark = table.raw_get::<Value>("mark")?;
            match (number(&share), text(&mark)) {
                (Some(share), None) if (0.0..=1.0).contains(&share) => {
                    Ok(Entry::Share(share as f32))
                }
                (Some(_), None) => wrong("share is from 0 to 1"),
                (None, Some(event)) => {
                    let index = number(&table.raw_get::<Value>("index")?).unwrap_or(1.0);
                    if !(index >= 1.0 && index.fract() == 0.0) {
                        return wrong("index counts from 1");
                    }
                    Ok(Entry::Mark {
                        event,
                        fields: mark_fields(table, &["mark", "index"])?,
                        index: index as usize - 1,
                    })
                }
                _ => wrong("give share or mark"),
            }
        }
        other => match number(other) {
            Some(t) if t >= 0.0 => Ok(Entry::Time(t as f32)),
            _ => wrong("seconds are not negative"),
        },
    }
}
