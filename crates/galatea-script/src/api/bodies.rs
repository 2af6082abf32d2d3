//! `hero:bodies`: what a character's ragdoll is made of, and what is wanted of it instead.

use std::sync::Arc;

use mlua::{Lua, Table, Value};
use serde_json::json;

use super::Function;
use super::character::{find, with_character};
use super::check::{Args, Field, Param, Type, text};
use crate::budget::charge;
use crate::world::with_world;
use galatea_asset::ragdoll::BodyWish;
use galatea_physics::ragdoll::{LinkKind, RagdollOptions};

const FIELDS: &[Field] = &[
    Field {
        name: "bones",
        ty: Type::Table,
        doc: "by bone or part of the body: false for none, true for one, or a table of body, shape, size, length, radius, mass, density, friction, link, swing, twist, range, axis, from_rest, as in docs/body.md",
    },
    Field {
        name: "mass",
        ty: Type::Number,
        doc: "kilograms of all of them; by their volume, of a human body 18 for each cubic metre of its height at most",
    },
    Field {
        name: "density",
        ty: Type::Number,
        doc: "kilograms per cubic metre; 985",
    },
    Field {
        name: "friction",
        ty: Type::Number,
        doc: "0 to 10; 0.7",
    },
    Field {
        name: "most",
        ty: Type::Number,
        doc: "how many there may be, 1 to 256, of the same mass together; 26",
    },
];

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

fn bodies(lua: &Lua, args: Args) -> mlua::Result<Value> {
    if args.table(1).is_some() {
        set(lua, &args)?;
    }
    let ragdoll = with_character(lua, &args, |_, character| {
        let bones = character.definition.model.skeleton.clone();
        Ok((character.body.ragdoll(&character.definition).clone(), bones))
    });
    let (ragdoll, skeleton) = ragdoll?;
    charge(lua, 16 * ragdoll.bodies.len() as u64)?;
    let list = lua.create_table()?;
    for (i, body) in ragdoll.bodies.iter().enumerate() {
        let table = lua.create_table()?;
        let bone = skeleton.bones().get(usize::from(body.bone));
        table.raw_set("bone", bone.map(|bone| bone.name.as_str()))?;
        table.raw_set("shape", body.shape.name())?;
        table.raw_set("mass", body.mass)?;
        let mut links = ragdoll.links.iter();
        if let Some(link) = links.find(|link| usize::from(link.child) == i) {
            let kind = match link.kind {
                LinkKind::TwistCone { .. } => "cone",
                LinkKind::Hinge { .. } => "hinge",
                LinkKind::Fixed => "fixed",
            };
            table.raw_set("link", kind)?;
        }
        list.raw_push(table)?;
    }
    Ok(Value::Table(list))
}

fn set(lua: &Lua, args: &Args) -> mlua::Result<()> {
    let fields = args.fields(1);
    let number = |name: &str| fields.number(name).map(|n| n as f32);
    let mut options = RagdollOptions {
        mass: number("mass"),
        density: number("density"),
        friction: number("friction"),
        most: fields.number("most").map(|n| n.clamp(0.0, 1e6) as usize),
        bodies: Vec::new(),
    };
    if let Value::Table(bones) = fields.value("bones") {
        for pair in bones.pairs::<Value, Value>() {
            let (name, value) = pair?;
            let Some(name) = text(&name) else {
                return Err(wrong(
                    "bones: expected names of bones and what is wanted of each",
                ));
            };
            let wish = wish(&value).map_err(|why| wrong(format!("bones.{name}: {why}")))?;
            options.bodies.push((name, wish));
        }
        // Tables have no order: the same script makes the same bodies.
        options.bodies.sort_by(|a, b| a.0.cmp(&b.0));
    }
    let handle = args.character()?;
    let n = with_character(lua, args, |_, c| Ok(c.definition.model.n_vertices()))?;
    charge(lua, n as u64)?;
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        if character.body.limbs.is_some() {
            return Err(wrong(
                "bodies: its limbs are bodies now; hero:ragdoll(false) ends that",
            ));
        }
        let made = character.definition.ragdoll_with(&options);
        let made = made.map_err(|error| wrong(error.to_string()))?;
        character.body.own_ragdoll = Some(Arc::new(made));
        character
            .body
            .refit_springs(&character.definition, &mut character.secondary);
        Ok(())
    })
}

fn wish(value: &Value) -> Result<BodyWish, String> {
    let mut wish = BodyWish::default();
    match value {
        Value::Boolean(body) => wish.body = Some(*body),
        Value::Table(fields) => {
            for pair in fields.pairs::<Value, Value>() {
                let (name, value) = pair.map_err(|error| error.to_string())?;
                let name = text(&name).ok_or("expected fields with names")?;
                wish.set(&name, &plain(&value)?)?;
            }
        }
        other => {
            return Err(format!(
                "expected true, false or a table, got {}",
                other.type_name()
            ));
        }
    }
    Ok(wish)
}

/// A value as a file would have it.
fn plain(value: &Value) -> Result<serde_json::Value, String> {
    Ok(match value {
        Value::Boolean(b) => json!(b),
        Value::Integer(n) => json!(n),
        Value::Number(n) => json!(n),
        Value::String(text) => json!(text.to_string_lossy()),
        Value::Vector(v) => json!([v.x(), v.y(), v.z()]),
        Value::Table(list) => numbers(list)?,
        other => return Err(format!("a {} is no value for it", other.type_name())),
    })
}

fn numbers(list: &Table) -> Result<serde_json::Value, String> {
    let n = list.raw_len().min(8);
    let numbers = (1..=n).map(|i| {
        let n: Value = list.raw_get(i).map_err(|error| error.to_string())?;
        super::number(&n).ok_or_else(|| "expected a list of numbers".to_owned())
    });
    Ok(json!(numbers.collect::<Result<Vec<f64>, String>>()?))
}

pub(super) const BODIES: Function = Function {
    name: "bodies",
    params: &[Param {
        name: "options",
        ty: Type::Fields(FIELDS),
        optional: true,
    }],
    returns: "{ { bone: string, shape: string, mass: number, link: string? } }",
    doc: "What its ragdoll is made of, built from the model itself; with options what is wanted of it \
          instead, over what the file wants.",
    example: "hero:bodies { mass = 70, bones = { right_hand = { shape = \"sphere\", radius = 0.06 } } }\nfor _, body in hero:bodies() do print(body.bone, body.shape, body.mass) end",
    call: bodies,
};
