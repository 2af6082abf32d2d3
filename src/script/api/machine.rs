//! `machine`, `layer`, `state`, `to` and the motions; and a running machine's methods.

use mlua::{Lua, MetaMethod, Table, UserData, UserDataFields, Value};

use super::check::{
    Args, Field, Fields, Param, Type, describe, names, number, object, play_mode, text,
};
use super::{Function, Group, Kind};
use crate::anim::PlayMode;
use crate::machine::{
    From, LayerDef, MachineDef, MotionDef, ParamDef, ParamValue, Place, Predicate, Problem, Scalar,
    StateDef, SyncBy, TransitionDef,
};
use crate::script::world::with_world;

/// What `machine { … }` gives: a definition, not yet bound to a character.
#[derive(Clone)]
pub(super) struct MachineValue {
    pub def: MachineDef,
}

impl UserData for MachineValue {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "MachineDefinition");
    }
}

/// A piece of a machine.
#[derive(Clone)]
enum Piece {
    State(StateDef),
    Transition(TransitionDef),
    Layer(LayerDef),
    Motion(MotionDef),
}

impl UserData for Piece {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "MachinePiece");
    }
}

/// All faults of a machine as one error, placed where the first one was written.
pub(super) fn problems(problems: Vec<Problem>) -> mlua::Error {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    mlua::Error::runtime(lines.join("\n"))
}

fn here(lua: &Lua, level: usize) -> Place {
    lua.inspect_stack(level, |debug| Place {
        file: debug
            .source()
            .source
            .map(|s| s.trim_start_matches(['@', '=']).to_owned())
            .unwrap_or_default(),
        line: debug.current_line().unwrap_or(0) as u32,
    })
    .unwrap_or_default()
}

/// A function that takes the table after `state "name"`.
fn curried(
    lua: &Lua,
    what: &'static str,
    fields: &'static [Field],
    positional: bool,
    build: impl Fn(&Lua, &Fields, &Table, Place) -> mlua::Result<Piece> + 'static,
) -> mlua::Result<Value> {
    let function = lua.create_function(move |lua, value: Value| {
        let Value::Table(table) = &value else {
            return Err(mlua::Error::runtime(format!(
                "{what}: expected a table, got {}",
                describe(&value)
            )));
        };
        check_keys(what, fields, positional, table)?;
        let at = here(lua, 1);
        let piece = build(lua, &Fields(Some(table.clone())), table, at)?;
        lua.create_userdata(piece)
    })?;
    Ok(Value::Function(function))
}

/// Named fields are declared ones of the right type; entries without names are allowed or not.
fn check_keys(
    what: &str,
    fields: &'static [Field],
    positional: bool,
    table: &Table,
) -> mlua::Result<()> {
    let named = table.pairs::<Value, Value>().filter_map(Result::ok);
    for (key, value) in named {
        let Some(name) = text(&key) else {
            if positional {
                continue;
            }
            return Err(mlua::Error::runtime(format!(
                "{what}: unexpected entry {}",
                describe(&value)
            )));
        };
        let Some(field) = fields.iter().find(|field| field.name == name) else {
            let hint = crate::math::names::nearest_hint(&name, fields.iter().map(|f| f.name));
            return Err(mlua::Error::runtime(format!(
                "{what}: unknown field {name:?}{hint}"
            )));
        };
        if let Err(wrong) = field.ty.check(&value) {
            return Err(mlua::Error::runtime(format!(
                "{what}: field {name:?}: {wrong}"
            )));
        }
    }
    Ok(())
}

fn scalar(value: &Value, default: f32) -> Scalar {
    match value {
        Value::String(name) => Scalar::Param(name.to_string_lossy()),
        other => Scalar::Fixed(number(other).map_or(default, |n| n as f32)),
    }
}

const NUMBER_OR_PARAM: Type = Type::OneOf(&[Type::Number, Type::Text]);
const NAMES: Type = Type::OneOf(&[Type::Text, Type::Table]);

const STATE_FIELDS: &[Field] = &[
    Field {
        name: "clip",
        ty: Type::OneOf(&[Type::Text, Type::Object("MachinePiece")]),
        doc: "a clip, or random { … } or blend1d { … }",
    },
    Field {
        name: "mode",
        ty: Type::Word(&["loop", "once", "pingpong"]),
        doc: "what happens at the clip's end; loop",
    },
    Field {
        name: "speed",
        ty: NUMBER_OR_PARAM,
        doc: "factor on the clip's speed, or a parameter; 1",
    },
];

fn state(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    curried(
        lua,
        "state",
        STATE_FIELDS,
        true,
        move |_, fields, table, at| {
            let given = match fields.value("clip") {
                Value::Nil => table.raw_get::<Value>(1)?,
                clip => clip,
            };
            let motion = match (&given, object::<Piece>(&given)) {
                (_, Some(Piece::Motion(motion))) => motion,
                (Value::String(clip), _) => MotionDef::Clip(clip.to_string_lossy()),
                (Value::Nil, _) => MotionDef::Clip(String::new()),
                _ => {
                    return Err(mlua::Error::runtime(format!(
                        "state {name:?}: expected a clip, random or blend1d, got {}",
                        describe(&given)
                    )));
                }
            };
            Ok(Piece::State(StateDef {
                name: name.clone(),
                motion,
                mode: play_mode(fields.text("mode"), PlayMode::Loop),
                speed: scalar(&fields.value("speed"), 1.0),
                at,
            }))
        },
    )
}

const TO_FIELDS: &[Field] = &[
    Field {
        name: "from",
        ty: NAMES,
        doc: "state or states it leaves; \"*\" for any",
    },
    Field {
        name: "when",
        ty: Type::Function,
        doc: "a function of the parameters that says whether to go; it must not change anything",
    },
    Field {
        name: "on",
        ty: Type::Text,
        doc: "the event (machine:send) that makes it go",
    },
    Field {
        name: "done",
        ty: Type::Bool,
        doc: "goes when the state's clip, played once, is at its end",
    },
    Field {
        name: "after",
        ty: Type::Number,
        doc: "seconds that the state must have lasted; 0",
    },
    Field {
        name: "fade",
        ty: Type::Number,
        doc: "seconds of cross-fade; 0.2",
    },
];

fn to(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let target = args.text(0).unwrap_or_default();
    curried(lua, "to", TO_FIELDS, false, move |lua, fields, _, at| {
        let from = names(&fields.value("from"), "to: from")?;
        let from = if from.is_empty() || from.iter().any(|name| name == "*") {
            From::Any
        } else {
            From::States(from)
        };
        let when = match fields.function("when") {
            None => None,
            Some(function) => Some(with_world(lua, |world| {
                world.program.predicates.push(function);
                Ok(Predicate((world.program.predicates.len() - 1) as u32))
            })?),
        };
        let on = fields.text("on");
        let done = fields.bool("done").unwrap_or(false);
        let after = fields.number("after").unwrap_or(0.0);
        if when.is_none() && on.is_none() && !done && after <= 0.0 {
            return Err(mlua::Error::runtime(format!(
                "to {target:?}: give at least one of when, on, done, after"
            )));
        }
        Ok(Piece::Transition(TransitionDef {
            from,
            to: target.clone(),
            when,
            on,
            done,
            after: after.max(0.0) as f32,
            fade: fields.number("fade").unwrap_or(0.2).clamp(0.0, 60.0) as f32,
            at,
        }))
    })
}

const LAYER_FIELDS: &[Field] = &[
    Field {
        name: "mask",
        ty: NAMES,
        doc: "a bone, or several, that the layer moves with all below them; the whole body",
    },
    Field {
        name: "weight",
        ty: NUMBER_OR_PARAM,
        doc: "how much of the layer shows, 0 to 1, or a parameter; 1",
    },
];

fn layer(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    curried(
        lua,
        "layer",
        LAYER_FIELDS,
        true,
        move |_, fields, table, at| {
            let mut layer = LayerDef {
                name: name.clone(),
                mask: names(&fields.value("mask"), "layer: mask")?,
                weight: scalar(&fields.value("weight"), 1.0),
                states: Vec::new(),
                transitions: Vec::new(),
                at,
            };
            for value in table.sequence_values::<Value>() {
                let value = value?;
                match object::<Piece>(&value) {
                    Some(Piece::State(state)) => layer.states.push(state),
                    Some(Piece::Transition(transition)) => layer.transitions.push(transition),
                    _ => {
                        return Err(mlua::Error::runtime(format!(
                            "layer {name:?}: expected state \"…\" {{ … }} or to \"…\" {{ … }}, got {}",
                            describe(&value)
                        )));
                    }
                }
            }
            Ok(Piece::Layer(layer))
        },
    )
}

const MACHINE_FIELDS: &[Field] = &[Field {
    name: "params",
    ty: Type::Table,
    doc: "parameters and their defaults: numbers, or true and false",
}];

fn machine(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = here(lua, 1);
    let table = args
        .table(0)
        .ok_or_else(|| mlua::Error::runtime("machine: expected a table"))?;
    check_keys("machine", MACHINE_FIELDS, true, &table)?;
    let mut def = MachineDef {
        at: at.clone(),
        ..MachineDef::default()
    };
    if let Some(params) = table.raw_get::<Option<Table>>("params")? {
        for pair in params.pairs::<Value, Value>() {
            let (key, value) = pair?;
            let name = text(&key).ok_or_else(|| {
                mlua::Error::runtime("machine: parameters have names: params = { speed = 0 }")
            })?;
            let default = match &value {
                Value::Boolean(b) => ParamValue::Bool(*b),
                other => ParamValue::Number(number(other).filter(|n| (*n as f32).is_finite()).ok_or_else(|| {
                    mlua::Error::runtime(format!(
                        "machine: parameter {name:?} must be a number, true or false, got {}",
                        describe(other)
                    ))
                })? as f32),
            };
            def.params.push(ParamDef { name, default });
        }
        def.params.sort_by(|a, b| a.name.cmp(&b.name));
    }
    let mut body = LayerDef {
        name: "body".into(),
        mask: Vec::new(),
        weight: Scalar::Fixed(1.0),
        states: Vec::new(),
        transitions: Vec::new(),
        at,
    };
    for value in table.sequence_values::<Value>() {
        let value = value?;
        match object::<Piece>(&value) {
            Some(Piece::Layer(layer)) => def.layers.push(layer),
            Some(Piece::State(state)) => body.states.push(state),
            Some(Piece::Transition(transition)) => body.transitions.push(transition),
            _ => {
                return Err(mlua::Error::runtime(format!(
                    "machine: expected layer, state or to, got {}",
                    describe(&value)
                )));
            }
        }
    }
    if !body.states.is_empty() || !body.transitions.is_empty() {
        def.layers.insert(0, body);
    }
    Ok(Value::UserData(lua.create_userdata(MachineValue { def })?))
}

fn random(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let clips = names(&args.value(0), "random")?;
    Ok(Value::UserData(lua.create_userdata(Piece::Motion(
        MotionDef::Random(clips),
    ))?))
}

const BLEND_FIELDS: &[Field] = &[
    Field {
        name: "by",
        ty: Type::Text,
        doc: "the parameter",
    },
    Field {
        name: "sync",
        ty: Type::Word(&["feet", "phase", "free"]),
        doc: "how the clips keep step; feet, where they have step marks",
    },
];

fn blend1d(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let table = args
        .table(0)
        .ok_or_else(|| mlua::Error::runtime("blend1d: expected a table"))?;
    check_keys("blend1d", BLEND_FIELDS, true, &table)?;
    let fields = Fields(Some(table.clone()));
    let by = fields
        .text("by")
        .ok_or_else(|| mlua::Error::runtime("blend1d: by names the parameter"))?;
    let mut points = Vec::new();
    for entry in table.sequence_values::<Value>() {
        let entry = entry?;
        let pair = entry
            .as_table()
            .map(|t| (t.raw_get::<Value>(1), t.raw_get::<Value>(2)));
        let point = match pair {
            Some((Ok(at), Ok(clip))) => number(&at)
                .filter(|n| (*n as f32).is_finite())
                .zip(text(&clip)),
            _ => None,
        };
        let (value, clip) = point.ok_or_else(|| {
            mlua::Error::runtime(format!(
                "blend1d: expected {{ number, \"clip\" }}, got {}",
                describe(&entry)
            ))
        })?;
        points.push((value as f32, clip));
    }
    let sync = match fields.text("sync").as_deref() {
        Some("phase") => SyncBy::Phase,
        Some("free") => SyncBy::Free,
        _ => SyncBy::Feet,
    };
    let motion = MotionDef::Blend1d { by, points, sync };
    Ok(Value::UserData(lua.create_userdata(Piece::Motion(motion))?))
}

/// The table behind `machine.params`: plain values, and a metatable that refuses other names.
pub(super) fn params_table(lua: &Lua, def: &MachineDef) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    for param in &def.params {
        match param.default {
            ParamValue::Number(n) => table.raw_set(param.name.as_str(), n)?,
            ParamValue::Bool(b) => table.raw_set(param.name.as_str(), b)?,
        }
    }
    let names: Vec<String> = def.params.iter().map(|param| param.name.clone()).collect();
    let unknown = |names: &[String], key: &Value| {
        let key = key.to_string().unwrap_or_default();
        let hint = crate::math::names::nearest_hint(&key, names.iter().map(String::as_str));
        mlua::Error::runtime(format!("no parameter {key:?}{hint}"))
    };
    let meta = lua.create_table()?;
    let known = names.clone();
    let read = lua.create_function(move |_, (_, key): (Table, Value)| -> mlua::Result<Value> {
        // A parameter that was set to nil reads as nil.
        if text(&key).is_some_and(|key| known.contains(&key)) {
            return Ok(Value::Nil);
        }
        Err(unknown(&known, &key))
    })?;
    meta.raw_set("__index", read)?;
    let write = lua.create_function(move |_, (table, key, value): (Table, Value, Value)| {
        if text(&key).is_some_and(|key| names.contains(&key)) {
            return table.raw_set(key, value);
        }
        Err(unknown(&names, &key))
    })?;
    meta.raw_set("__newindex", write)?;
    meta.raw_set("__metatable", "params")?;
    table.set_metatable(Some(meta))?;
    Ok(table)
}

/// The words that make a machine.
pub(super) static GROUP: Group = Group {
    kind: Kind::Globals,
    name: "machines",
    doc: "State machines are tables of states and the ways between them.",
    functions: &[
        Function {
            name: "machine",
            params: &[Param {
                name: "parts",
                ty: Type::Table,
                optional: false,
            }],
            returns: "MachineDefinition",
            doc: "A state machine: `params`, then layers, or states and transitions of the one layer \
                  \"body\". The first state is where it starts.",
            example: "hero.machine = machine { params = { speed = 0 }, state \"idle\" { \"idle\" } }",
            call: machine,
        },
        Function {
            name: "layer",
            params: &[Param {
                name: "name",
                ty: Type::Text,
                optional: false,
            }],
            returns: "({ [any]: any }) -> MachinePiece",
            doc: "A layer of states over those below: fields `mask` and `weight`, then states and \
                  transitions.",
            example: "local arms = layer \"arms\" { mask = \"chest\", state \"rest\" { \"idle\" } }",
            call: layer,
        },
        Function {
            name: "state",
            params: &[Param {
                name: "name",
                ty: Type::Text,
                optional: false,
            }],
            returns: "({ [any]: any }) -> MachinePiece",
            doc: "A state: a clip (or random, or blend1d), `mode` (loop, once, pingpong) and `speed` (a \
                  number or a parameter's name). Without a clip it is the rest pose, or in a layer above \
                  others, what lies below shows.",
            example: "local jump = state \"jump\" { \"jump\", mode = \"once\" }",
            call: state,
        },
        Function {
            name: "to",
            params: &[Param {
                name: "state",
                ty: Type::Text,
                optional: false,
            }],
            returns: "({ [any]: any }) -> MachinePiece",
            doc: "A way to a state: `from` (state, list or \"*\"), `when` (function of the parameters), \
                  `on` (event), `done` (clip at its end), `after` (seconds), `fade` (seconds). All that \
                  is given must hold; the first way that holds is taken.",
            example: "local way = to \"walk\" { from = \"idle\", when = function(p) return p.speed > 0 end }",
            call: to,
        },
        Function {
            name: "random",
            params: &[Param {
                name: "clips",
                ty: Type::Table,
                optional: false,
            }],
            returns: "MachinePiece",
            doc: "One of several clips, chosen each time the state is entered.",
            example: "local any = state \"idle\" { random { \"idle\", \"wave\" } }",
            call: random,
        },
        Function {
            name: "blend1d",
            params: &[Param {
                name: "points",
                ty: Type::Table,
                optional: false,
            }],
            returns: "MachinePiece",
            doc: "Clips along a parameter: `by`, then { value, clip } in ascending order. With `sync = \
                  \"feet\"` clips with `step` marks put the same foot down together.",
            example: "local move = blend1d { by = \"speed\", { 1.4, \"walk\" }, { 4.2, \"run\" } }",
            call: blend1d,
        },
    ],
    properties: &[],
};
