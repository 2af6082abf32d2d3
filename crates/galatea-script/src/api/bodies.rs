//! `hero:ragdoll_bodies`: the rigid bodies of a character's ragdoll, and changes to them.

use std::sync::Arc;

use mlua::{Lua, Table, Value};
use serde_json::json;

use super::character_ref::{find, with_character};
use super::check::{Args, ByName, OptionValue, Options, Param, Type, text};
use super::group::Function;
use crate::budget::charge;
use crate::world::with_world;
use galatea_asset::ragdoll::RagdollBodySpec;
use galatea_character::Character;
use galatea_derive::Options;
use galatea_physics::ragdoll::{JointKind, RagdollChoices};

/// Changes to the bodies of a character's ragdoll.
#[derive(Options)]
struct RagdollBodiesOptions {
    /// Bodies, by the names of bones or humanoid parts: false for no body, true for one, or a table of properties,
    /// which [The body](body.md) lists.
    #[option(default = ByName::default())]
    bones: ByName<RagdollBodySpec>,
    /// Total mass of the character at its current scale.
    #[option(
        default_doc = "volume times density; a human body at most 18 times its height cubed",
        unit = "kilograms",
        above = 0.0
    )]
    mass: Option<f32>,
    /// Density of the bodies, except those with a `density` or `mass` of their own.
    #[option(default_doc = "985", unit = "kilograms per cubic metre", above = 0.0)]
    density: Option<f32>,
    /// Coefficient of friction of the bodies, except those with a `friction` of their own.
    #[option(default_doc = "0.7", range = 0.0..=10.0)]
    friction: Option<f32>,
    /// Maximum number of bodies. The total mass stays the same.
    #[option(default_doc = "26", range = 1..=256)]
    max_bodies: Option<usize>,
}

impl OptionValue for RagdollBodySpec {
    const TYPE: Type = Type::OneOf(&[
        Type::Bool,
        Type::Table(
            "{ body: boolean?, shape: (\"capsule\" | \"box\" | \"sphere\")?, size: vector?, length: number?, \
             radius: number?, mass: number?, density: number?, friction: number?, \
             joint: (\"cone\" | \"hinge\" | \"fixed\")?, swing: (number | { number })?, \
             twist: (number | { number })?, range: { number }?, axis: vector?, from_rest: boolean? }",
        ),
    ]);

    fn from_value(value: Value) -> Result<Self, String> {
        body_spec(&value)
    }
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

fn ragdoll_bodies(lua: &Lua, args: Args) -> mlua::Result<Value> {
    if args.table(1).is_some() {
        set(lua, &args)?;
    }
    let ragdoll = with_character(lua, &args, |_, character| {
        let bones = character.definition.model.skeleton.clone();
        let ragdoll = character.body.ragdoll(&character.definition).clone();
        Ok((ragdoll, bones, volume_scale(character)))
    });
    let (ragdoll, skeleton, volume) = ragdoll?;
    charge(lua, 16 * ragdoll.bodies.len() as u64)?;
    let list = lua.create_table()?;
    for (i, body) in ragdoll.bodies.iter().enumerate() {
        let table = lua.create_table()?;
        let bone = skeleton.bones().get(usize::from(body.bone));
        table.raw_set("bone", bone.map(|bone| bone.name.as_str()))?;
        table.raw_set("shape", body.shape.name())?;
        table.raw_set("mass", body.mass * volume)?;
        let mut links = ragdoll.joints.iter();
        if let Some(link) = links.find(|link| usize::from(link.child) == i) {
            let kind = match link.kind {
                JointKind::TwistCone { .. } => "cone",
                JointKind::Hinge { .. } => "hinge",
                JointKind::Fixed => "fixed",
            };
            table.raw_set("joint", kind)?;
        }
        list.raw_push(table)?;
    }
    Ok(Value::Table(list))
}

/// Ratio of the mass of a body at the character's present scale to the mass at scale 1.
fn volume_scale(character: &Character) -> f32 {
    character.placement.scale.abs().max(1e-3).powi(3)
}

fn set(lua: &Lua, args: &Args) -> mlua::Result<()> {
    let mut asked: RagdollBodiesOptions = args.options(1)?;
    let volume = with_character(lua, args, |_, c| Ok(volume_scale(c)))?;
    for (_, body) in &mut asked.bones.0 {
        body.mass = body.mass.map(|mass| mass / volume);
    }
    let options = RagdollChoices {
        mass: asked.mass.map(|mass| mass / volume),
        density: asked.density,
        friction: asked.friction,
        max_bodies: asked.max_bodies,
        bodies: asked.bones.0,
    };
    let handle = args.character()?;
    let n = with_character(lua, args, |_, c| Ok(c.definition.model.n_vertices()))?;
    charge(lua, n as u64)?;
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        if character.body.limbs.is_some() {
            return Err(wrong(
                "ragdoll_bodies: the ragdoll is active; call hero:ragdoll(false) first",
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

fn body_spec(value: &Value) -> Result<RagdollBodySpec, String> {
    let mut wish = RagdollBodySpec::default();
    match value {
        Value::Boolean(body) => wish.body = Some(*body),
        Value::Table(fields) => {
            for pair in fields.pairs::<Value, Value>() {
                let (name, value) = pair.map_err(|error| error.to_string())?;
                let name = text(&name).ok_or("expected named fields")?;
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

/// Converts a Lua value to JSON, as it would be in a file.
fn plain(value: &Value) -> Result<serde_json::Value, String> {
    Ok(match value {
        Value::Boolean(b) => json!(b),
        Value::Integer(n) => json!(n),
        Value::Number(n) => json!(n),
        Value::String(text) => json!(text.to_string_lossy()),
        Value::Vector(v) => json!([v.x(), v.y(), v.z()]),
        Value::Table(list) => numbers(list)?,
        other => return Err(format!("a {} is not allowed here", other.type_name())),
    })
}

fn numbers(list: &Table) -> Result<serde_json::Value, String> {
    let n = list.raw_len().min(8);
    let numbers = (1..=n).map(|i| {
        let n: Value = list.raw_get(i).map_err(|error| error.to_string())?;
        super::check::number(&n).ok_or_else(|| "expected a list of numbers".to_owned())
    });
    Ok(json!(numbers.collect::<Result<Vec<f64>, String>>()?))
}

pub(super) const RAGDOLL_BODIES: Function = Function {
    name: "ragdoll_bodies",
    params: &[Param {
        name: "options",
        ty: Type::Options(RagdollBodiesOptions::SHAPE),
        optional: true,
    }],
    returns: "{ { bone: string, shape: string, mass: number, joint: string? } }",
    doc: "Returns the rigid bodies of the character's ragdoll, which Galatea makes from the model. With options, the call \
          changes the ragdoll first; they override the settings of the file. Masses are kilograms at the character's current \
          scale: at twice the scale they are eight times as large.",
    example: "hero:ragdoll_bodies { mass = 70, bones = { right_hand = { shape = \"sphere\", radius = 0.06 } } }\nfor _, body in hero:ragdoll_bodies() do print(body.bone, body.shape, body.mass) end",
    call: ragdoll_bodies,
};
