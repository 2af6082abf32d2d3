//! `expression "name" { … }`: expressions made by a script.

use mlua::{Lua, Table, Value};

use super::check::{Args, Param, Type, number};
use super::group::{Function, Group, Kind};
use crate::expressions::MAX_PARTS;
use crate::world::with_world;

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
                return Err(wrong("an expression cannot contain itself".into()));
            }
            parts.push((part, weight as f32));
        }
        if parts.len() > MAX_PARTS {
            return Err(wrong(format!(
                "an expression can have at most {MAX_PARTS} parts, got {}",
                parts.len()
            )));
        }
        parts.sort_by(|a, b| a.0.cmp(&b.0));
        with_world(lua, |world| {
            let added = world.program.expressions.add(&name, parts);
            added.map_err(wrong)
        })
    })?;
    Ok(Value::Function(make))
}

/// The global function that makes an expression.
pub(super) static GROUP: Group = Group {
    kind: Kind::Globals,
    name: "expressions",
    doc: "Expressions that a script defines for all faces.",
    functions: &[Function {
        name: "expression",
        params: &[Param {
            name: "name",
            ty: Type::Text,
            optional: false,
        }],
        returns: "({ [string]: number }) -> ()",
        doc: "Defines an expression by the weights, -1 to 1, of morph targets, shapes of ARKit and other expressions. \
              Every face that has these parts can show the expression: with `face:show`, or with a mark such as `{sly}` \
              in the text of a line.",
        example: "expression \"sly\" { smile = 0.5, brow_down = 0.4 }\nhero.face:show(\"sly\", { side = \"right\" })",
        call: expression,
    }],
    properties: &[],
};
