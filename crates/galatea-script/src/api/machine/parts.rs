//! `machine` and `layer`: a machine and its layers.

use mlua::{Lua, Table, Value};

use super::arguments::{check_texts, here, name_of, table_argument};
use super::gathered::Gathered;
use super::machine_handles::{MachineValue, curried, piece_of};
use super::piece::{PIECE, Piece};
use super::sizes::{MAX_LAYERS, MAX_PARAMS, Weight, weigh_machine};
use crate::api::check::{Args, OptionValue, Type, describe, number, text};
use galatea_derive::Options;
use galatea_machine::{
    LayerDef, LayerMode, MachineDef, MaskDef, ParamDef, ParamValue, Scalar, StatesDef,
};

/// Settings of a layer; its list holds states and transitions.
#[derive(Options)]
#[option(entries = PIECE)]
pub(super) struct MachineLayerOptions {
    /// Bones that the layer moves, each with all bones below it: a name, a list, or names with weights, such as {
    /// left_arm = 1, chest = 0.3 }. If a bone belongs to several of these names, the name with the
    /// fewest bones counts. A `*` in a name matches any text. Parts of a humanoid are names too, such as "upper_body".
    #[option(default = MaskDef::default(), default_doc = "the whole body")]
    mask: MaskDef,
    /// Blend weight of the layer from 0 to 1, or the name of a parameter.
    #[option(default = Scalar::Fixed(1.0), default_doc = "1")]
    weight: Scalar,
    /// True adds the motion of the clip to the pose of the layers below instead of replacing that pose. The motion is
    /// the difference between the clip and its first frame (true or "first"), or between the clip and the rest pose
    /// ("rest").
    #[option(default = LayerMode::Override, default_doc = "false")]
    additive: LayerMode,
    /// Distance between character and camera beyond which the layer is off.
    #[option(unit = "metres", clamp = 0.0..)]
    max_distance: Option<f32>,
}

impl OptionValue for LayerMode {
    const TYPE: Type = Type::OneOf(&[Type::Bool, Type::Word(&["first", "rest"])]);

    fn from_value(value: Value) -> Result<Self, String> {
        Ok(match (text(&value).as_deref(), &value) {
            (None, Value::Boolean(false)) => Self::Override,
            (Some("rest"), _) => Self::AddFromRest,
            _ => Self::AddFromFirst,
        })
    }
}

/// A name, a list of names, or names and weights.
impl OptionValue for MaskDef {
    const TYPE: Type = Type::OneOf(&[
        Type::Text,
        Type::Table("{ string }"),
        Type::Table("{ [string]: number }"),
    ]);

    fn from_value(value: Value) -> Result<Self, String> {
        const WRONG: &str =
            "expected a name, a list of names, or names and weights { chest = 1, spine = 0.5 }";
        let mut mask = Self::default();
        match value {
            Value::String(name) => mask.entries.push((name.to_string_lossy(), 1.0)),
            Value::Table(table) => {
                for name in table.sequence_values::<Value>() {
                    let name = name.map_err(|error| error.to_string())?;
                    mask.entries.push((text(&name).ok_or(WRONG)?, 1.0));
                }
                let mut weighted = Vec::new();
                for pair in table.pairs::<Value, Value>() {
                    let (key, value) = pair.map_err(|error| error.to_string())?;
                    if let Some(name) = text(&key) {
                        let weight = number(&value).filter(|w| (0.0..=1.0).contains(w));
                        weighted.push((name, weight.ok_or(WRONG)? as f32));
                    }
                }
                weighted.sort_by(|a, b| a.0.cmp(&b.0));
                mask.entries.extend(weighted);
            }
            _ => return Err(WRONG.into()),
        }
        Ok(mask)
    }
}

/// Reads a mask; nil is the whole body.
pub(in crate::api) fn mask(value: &Value, what: &str) -> mlua::Result<MaskDef> {
    if value.is_nil() {
        return Ok(MaskDef::default());
    }
    let mask = MaskDef::from_value(value.clone());
    mask.map_err(|why| mlua::Error::runtime(format!("{what}: {why}")))
}

pub(super) fn layer(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = name_of(&args, "layer")?;
    let what = format!("layer {name:?}");
    curried(
        lua,
        what.clone(),
        move |_, options: MachineLayerOptions, table, at| {
            let mut layer = LayerDef {
                name: name.clone(),
                mask: options.mask,
                weight: options.weight,
                mode: options.additive,
                max_distance: options.max_distance,
                states: StatesDef::default(),
                location: at,
            };
            let mut gathered = Gathered::new(&what, false);
            for value in table.sequence_values::<Value>() {
                let value = value?;
                if !gathered.take(&value)? {
                    return Err(mlua::Error::runtime(format!(
                        "layer {name:?}: expected state \"…\" {{ … }} or transition_to \"…\" {{ … }}, got {}",
                        describe(&value)
                    )));
                }
            }
            layer.states = gathered.states;
            Ok(Piece::Layer(layer))
        },
    )
}

/// Parameters of a machine; its list holds layers, or states and transitions.
#[derive(Options)]
#[option(entries = PIECE)]
pub(super) struct MachineOptions {
    /// Parameters (numbers and booleans that conditions read), with their default values.
    #[option(ty = Type::Table("{ [string]: number | boolean }"))]
    params: Option<Table>,
}

pub(super) fn machine(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = here(lua, 1);
    let table = table_argument(&args, "machine")?;
    check_texts("machine", &table)?;
    let MachineOptions { params } = args.options(0)?;
    let mut def = MachineDef {
        location: at.clone(),
        ..MachineDef::default()
    };
    if let Some(params) = params {
        def.params = declared(&params)?;
    }
    let mut body = LayerDef {
        name: "body".into(),
        weight: Scalar::Fixed(1.0),
        location: at,
        ..LayerDef::default()
    };
    let mut gathered = Gathered::new("machine", false);
    for value in table.sequence_values::<Value>() {
        let value = value?;
        if gathered.take(&value)? {
            continue;
        }
        if let Some(Piece::Layer(layer)) = piece_of(&value) {
            if def.layers.len() == MAX_LAYERS {
                return Err(mlua::Error::runtime(format!(
                    "machine: the limit is {MAX_LAYERS} layers"
                )));
            }
            def.layers.push(layer);
        } else {
            return Err(mlua::Error::runtime(format!(
                "machine: expected layer, state or transition_to, got {}",
                describe(&value)
            )));
        }
    }
    body.states = gathered.states;
    if !body.states.states.is_empty() || !body.states.transitions.is_empty() {
        def.layers.insert(0, body);
    }
    let _weight = Weight::new(lua, weigh_machine(&def))?;
    Ok(Value::UserData(
        lua.create_userdata(MachineValue { def, _weight })?,
    ))
}

/// Reads parameters and their defaults, sorted by name.
fn declared(params: &Table) -> mlua::Result<Vec<ParamDef>> {
    let mut declared = Vec::new();
    for pair in params.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let name = text(&key).ok_or_else(|| {
            mlua::Error::runtime("machine: each parameter needs a name: params = { speed = 0 }")
        })?;
        let default = match &value {
            Value::Boolean(b) => ParamValue::Bool(*b),
            other => {
                let n = number(other).filter(|n| (*n as f32).is_finite());
                let n = n.ok_or_else(|| {
                    mlua::Error::runtime(format!(
                        "machine: parameter {name:?} must be a number, true or false, got {}",
                        describe(other)
                    ))
                })?;
                ParamValue::Number(n as f32)
            }
        };
        if declared.len() == MAX_PARAMS {
            return Err(mlua::Error::runtime(format!(
                "machine: the limit is {MAX_PARAMS} parameters"
            )));
        }
        declared.push(ParamDef { name, default });
    }
    declared.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(declared)
}
