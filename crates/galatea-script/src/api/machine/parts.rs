//! `machine` and `layer`.

use mlua::{Lua, Table, Value};

use super::sizes::{Gathered, Weight, weigh_machine};
use super::{
    MOST_LAYERS, MachineValue, NAMES, NUMBER_OR_PARAM, Piece, check_keys, curried, here, name_of,
    piece_of, scalar, table_argument,
};
use crate::api::check::{Args, Field, Type, describe, number, text};
use galatea_machine::{
    LayerDef, LayerMode, MachineDef, MaskDef, ParamDef, ParamValue, Scalar, StatesDef,
};

const LAYER_FIELDS: &[Field] = &[
    Field::new(
        "mask",
        NAMES,
        "bones, each with all below it (`*` in a name: all that fit), or parts of a humanoid; the whole body",
    ),
    Field::new(
        "weight",
        NUMBER_OR_PARAM,
        "how much of the layer shows, 0 to 1, or a parameter; 1",
    ),
    Field::new(
        "additive",
        Type::OneOf(&[Type::Bool, Type::Word(&["first", "rest"])]),
        "adds its clips' difference from their first frame, or from the rest pose",
    ),
    Field::new(
        "beyond",
        Type::Number,
        "metres from the camera beyond which it is left out",
    ),
];

/// A mask: a name, a list of names, or names and weights.
pub(in crate::api) fn mask(value: &Value, what: &str) -> mlua::Result<MaskDef> {
    let wrong = || {
        mlua::Error::runtime(format!(
            "{what}: expected a name, a list of names, or names and weights {{ chest = 1, spine = 0.5 }}"
        ))
    };
    let mut mask = MaskDef::default();
    match value {
        Value::Nil => {}
        Value::String(name) => mask.entries.push((name.to_string_lossy(), 1.0)),
        Value::Table(table) => {
            for name in table.sequence_values::<Value>() {
                mask.entries.push((text(&name?).ok_or_else(wrong)?, 1.0));
            }
            let mut weighted = Vec::new();
            for pair in table.pairs::<Value, Value>() {
                let (key, value) = pair?;
                if let Some(name) = text(&key) {
                    let weight = number(&value).filter(|w| (0.0..=1.0).contains(w));
                    weighted.push((name, weight.ok_or_else(wrong)? as f32));
                }
            }
            weighted.sort_by(|a, b| a.0.cmp(&b.0));
            mask.entries.extend(weighted);
        }
        _ => return Err(wrong()),
    }
    Ok(mask)
}

pub(super) fn layer(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = name_of(&args, "layer")?;
    curried(
        lua,
        "layer",
        LAYER_FIELDS,
        true,
        move |_, fields, table, at| {
            let mode = match fields.value("additive") {
                Value::Boolean(true) => LayerMode::AddFromFirst,
                Value::String(word) if word.to_string_lossy() == "rest" => LayerMode::AddFromRest,
                Value::String(_) => LayerMode::AddFromFirst,
                _ => LayerMode::Override,
            };
            let mut layer = LayerDef {
                name: name.clone(),
                mask: mask(&fields.value("mask"), "layer: mask")?,
                weight: scalar(&fields.value("weight"), 1.0),
                mode,
                beyond: fields.number("beyond").map(|metres| metres.max(0.0) as f32),
                states: StatesDef::default(),
                at,
            };
            let what = format!("layer {name:?}");
            let mut gathered = Gathered::new(&what, false);
            for value in table.sequence_values::<Value>() {
                let value = value?;
                if !gathered.take(&value)? {
                    return Err(mlua::Error::runtime(format!(
                        "layer {name:?}: expected state \"…\" {{ … }} or to \"…\" {{ … }}, got {}",
                        describe(&value)
                    )));
                }
            }
            layer.states = gathered.states;
            Ok(Piece::Layer(layer))
        },
    )
}

const MACHINE_FIELDS: &[Field] = &[Field::new(
    "params",
    Type::Table("{ [any]: any }"),
    "parameters and their defaults: numbers, or true and false",
)];

pub(super) fn machine(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = here(lua, 1);
    let table = table_argument(&args, "machine")?;
    check_keys("machine", MACHINE_FIELDS, true, &table)?;
    let mut def = MachineDef {
        at: at.clone(),
        ..MachineDef::default()
    };
    if let Some(params) = table.raw_get::<Option<Table>>("params")? {
        def.params = declared(&params)?;
    }
    let mut body = LayerDef {
        name: "body".into(),
        weight: Scalar::Fixed(1.0),
        at,
        ..LayerDef::default()
    };
    let mut gathered = Gathered::new("machine", false);
    for value in table.sequence_values::<Value>() {
        let value = value?;
        if gathered.take(&value)? {
            continue;
        }
        if let Some(Piece::Layer(layer)) = piece_of(&value) {
            if def.layers.len() == MOST_LAYERS {
                return Err(mlua::Error::runtime(format!(
                    "machine: it may have {MOST_LAYERS} layers"
                )));
            }
            def.layers.push(layer);
        } else {
            return Err(mlua::Error::runtime(format!(
                "machine: expected layer, state or to, got {}",
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

/// Parameters by their defaults, in order of their names.
fn declared(params: &Table) -> mlua::Result<Vec<ParamDef>> {
    let mut declared = Vec::new();
    for pair in params.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let name = text(&key).ok_or_else(|| {
            mlua::Error::runtime("machine: parameters have names: params = { speed = 0 }")
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
        declared.push(ParamDef { name, default });
    }
    declared.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(declared)
}
