//! `expression "name" { … }`: expressions made by a script.

use mlua::{Lua, Table, Value};

use super::check::{Args, Param, Type, number};
use super::{Function, Group, Kind};
use crate::world::with_world;

/// Expressions that a script may make.
const MOST: usize = 1000;
/// Expressions of expressions of expressions.
const DEEPEST: usize = 8;
/// Parts of one expression.
const MOST_PARTS: usize = 128;

/// Expressions by name: what they are made of, and with which weights.
pub(crate) type Expressions = Vec<(String, Vec<(String, f32)>)>;

/// Names with the script's own expressions taken apart; each once.
pub(super) fn taken_apart(known: &Expressions, parts: Vec<(String, f32)>) -> Vec<(String, f32)> {
    let mut out: Vec<(String, f32)> = Vec::new();
    take_apart(known, parts, 1.0, 0, &mut out);
    out
}

fn take_apart(
    known: &Expressions,
    parts: Vec<(String, f32)>,
    weight: f32,
    depth: usize,
    out: &mut Vec<(String, f32)>,
) {
    for (name, share) in parts {
        if out.len() >= MOST_PARTS {
            return;
        }
        let own = known.iter().find(|(own, _)| *own == name);
        match own {
            Some((_, parts)) if depth < DEEPEST => {
                take_apart(known, parts.clone(), weight * share, depth + 1, out);
            }
            _ => match out.iter_mut().find(|(other, _)| *other == name) {
                Some((_, sum)) => *sum += weight * share,
                None => out.push((name, weight * share)),
            },
        }
    }
}

fn expression(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    let make = lua.create_function(move |lua, table: Table| {
        let wrong = |text: String| mlua::Error::runtime(format!("expression {name:?}: {text}"));
        let mut parts = Vec::new();
        for pair in table.pairs::<Value, Value>() {
            let (part, weight) = pair?;
            let (Value::String(part), Some(weight)) = (&part, number(&weight)) else {
                return Err(wrong("expected names and weights".into()));
            };
            let part = part.to_string_lossy();
            if !(-1.0..=1.0).contains(&weight) {
                return Err(wrong(format!(
                    "the weight of {part:?} must be -1 to 1, got {weight}"
                )));
            }
            if part == name {
                return Err(wrong("it cannot be made of itself".into()));
            }
            parts.push((part, weight as f32));
        }
        if parts.len() > MOST_PARTS {
            return Err(wrong(format!(
                "it may have {MOST_PARTS} parts, got {}",
                parts.len()
            )));
        }
        parts.sort_by(|a, b| a.0.cmp(&b.0));
        with_world(lua, |world| {
            let all = &mut world.program.expressions;
            if let Some((_, known)) = all.iter_mut().find(|(known, _)| *known == name) {
                *known = parts;
                return Ok(());
            }
            if all.len() >= MOST {
                return Err(wrong(format!("a script may make {MOST} expressions")));
            }
            all.push((name.clone(), parts));
            Ok(())
        })
    })?;
    Ok(Value::Function(make))
}

/// The word that makes an expression.
pub(super) static GROUP: Group = Group {
    kind: Kind::Globals,
    name: "expressions",
    doc: "Expressions made by a script.",
    functions: &[Function {
        name: "expression",
        params: &[Param {
            name: "name",
            ty: Type::Text,
            optional: false,
        }],
        returns: "({ [string]: number }) -> ()",
        doc: "Gives a name to a mixture of targets, shapes of ARKit, and other expressions, with weights from -1 to 1. Every \
              face can then show it, as far as it has the parts; in marks of speech as well.",
        example: "expression \"sly\" { smile = 0.5, brow_down = 0.4 }\nhero.face:show(\"sly\", { side = \"right\" })",
        call: expression,
    }],
    properties: &[],
};
