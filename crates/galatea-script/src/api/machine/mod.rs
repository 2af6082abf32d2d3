//! The words that make a machine: `machine`, `layer`, `state`, `to`, and the motions of a state.

mod motions;
mod params;
mod parts;
mod sizes;
mod states;
mod ways;

use mlua::{Lua, MetaMethod, Table, UserData, UserDataFields, Value};

use super::check::{Args, Field, Fields, Param, Type, describe, number, object, text};
use super::{Function, Group, Kind};
use galatea_machine::{
    Fade, LayerDef, MachineDef, MotionDef, Place, Problem, Scalar, StateDef, TransitionDef,
};

use sizes::{LONGEST_TEXT, MOST_CLIPS, MOST_LAYERS, Weight};

pub(super) use params::params_table;
pub(crate) use params::{Watch, Watched};
pub(super) use parts::mask;
pub(super) use sizes::weigh_machine;

/// What `machine { … }` gives: a definition, not yet bound to a character.
#[derive(Clone)]
pub(super) struct MachineValue {
    pub def: MachineDef,
    _weight: Weight,
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
    Fade(Fade),
}

/// A piece that a script holds.
#[derive(Clone)]
struct Held {
    piece: Piece,
    _weight: Weight,
}

impl Held {
    /// A piece for a script.
    ///
    /// # Errors
    /// When scripts hold too much.
    fn new(lua: &Lua, piece: Piece) -> mlua::Result<Self> {
        let _weight = Weight::of(lua, &piece)?;
        Ok(Self { piece, _weight })
    }
}

/// The piece that a value is, if it is one.
fn piece_of(value: &Value) -> Option<Piece> {
    Some(object::<Held>(value)?.piece)
}

impl UserData for Held {
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

/// The name in `state "name"`.
fn name_of(args: &Args, what: &str) -> mlua::Result<String> {
    let name = args.text(0).unwrap_or_default();
    if name.len() > LONGEST_TEXT {
        return Err(mlua::Error::runtime(format!(
            "{what}: a name may have {LONGEST_TEXT} characters"
        )));
    }
    Ok(name)
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
        lua.create_userdata(Held::new(lua, piece)?)
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
        if value
            .as_string()
            .is_some_and(|text| text.as_bytes().len() > LONGEST_TEXT)
        {
            return Err(mlua::Error::runtime(format!(
                "{what}: {} is longer than a text here may be, {LONGEST_TEXT} characters",
                describe(&value)
            )));
        }
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
            let hint = galatea_math::names::nearest_hint(&name, fields.iter().map(|f| f.name));
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

/// A motion as userdata.
fn motion(lua: &Lua, motion: MotionDef) -> mlua::Result<Value> {
    let held = Held::new(lua, Piece::Motion(motion))?;
    Ok(Value::UserData(lua.create_userdata(held)?))
}

const NUMBER_OR_PARAM: Type = Type::OneOf(&[Type::Number, Type::Text]);
const NAMES: Type = Type::OneOf(&[Type::Text, Type::Table("{ [any]: any }")]);

const NAME: &[Param] = &[Param {
    name: "name",
    ty: Type::Text,
    optional: false,
}];

const fn table_of(name: &'static str) -> Param {
    Param {
        name,
        ty: Type::Table("{ [any]: any }"),
        optional: false,
    }
}

/// The words that make a machine.
pub(super) static GROUP: Group = Group {
    kind: Kind::Globals,
    name: "machines",
    doc: "State machines are tables of states and the ways between them.",
    functions: &[
        Function {
            name: "machine",
            params: &[table_of("parts")],
            returns: "MachineDefinition",
            doc: "A state machine: `params`, then layers, or states and transitions of the one layer \
                  \"body\". The first state is where it starts.",
            example: "hero.machine = machine { params = { speed = 0 }, state \"idle\" { \"idle\" } }",
            call: parts::machine,
        },
        Function {
            name: "layer",
            params: NAME,
            returns: "({ [any]: any }) -> MachinePiece",
            doc: "A layer of states over those below. `mask`: bones, or parts of a humanoid \
                  (\"upper_body\", \"left_arm\", …), or a table of names and weights; `weight`: 0 to 1 \
                  or a parameter; `additive`: true adds the clips' difference from their first frame, \
                  \"rest\" from the rest pose; `beyond`: metres from the camera beyond which the layer \
                  is left out. Then states and transitions.",
            example: "local arms = layer \"arms\" { mask = \"upper_body\", state \"wave\" { \"wave\" } }",
            call: parts::layer,
        },
        Function {
            name: "state",
            params: NAME,
            returns: "({ [any]: any }) -> MachinePiece",
            doc: "A state: a clip, or `random`, `sequence`, `blend1d`, `blend2d`, `blend_polar`; or \
                  `intro`, `loop` and `outro`; or states and transitions of its own. `mode` (loop, \
                  once, pingpong), `speed` (a number or a parameter; negative plays backwards), `time` \
                  (a parameter 0 to 1 instead of time), `mirror` (true or a parameter), `root_motion` \
                  (true: the clips' travel moves the character), `orient` (a parameter, degrees: the \
                  way it goes; the legs turn towards it, the upper body keeps looking ahead), `history` (true: goes on where it \
                  was left). `enter`, `update`, `leave`, `on` and `act` are what the script does while it \
                  is there. Without a clip it is the rest pose, or in a layer above others, what lies \
                  below shows.",
            example: "local kneel = state \"kneel\" { intro = \"jump\", loop = \"idle\", outro = \"wave\",\n\tenter = function(me, from) me:morph(\"smile\", 0.5) end,\n\tleave = function(me, to) me:morph(\"smile\") end }",
            call: states::state,
        },
        Function {
            name: "to",
            params: &[Param {
                name: "state",
                ty: Type::Text,
                optional: false,
            }],
            returns: "({ [any]: any }) -> MachinePiece",
            doc: "A way to a state. `from` (state, list or \"*\"). What must hold: `when` (a condition \
                  such as \"speed > 0.1 and not armed\", or a function of the parameters), `on` (event), \
                  `done` (clip at its end), `after` (seconds in the state), `exit` (share of the clip, 0 \
                  to 1, that is passed), `passing` (a mark that is passed: its name, or { name, foot = \
                  \"left\" }). All that is given must hold; those of higher `priority` are asked first, \
                  then inner before outer, then as written. `fade`: seconds, or `inertial(seconds)`; \
                  `ease`; `start`: where the target's clip begins (seconds, \"start\", \"phase\", { share \
                  = 0.5 } or { mark = \"step\", foot = \"left\" }; by itself walks and runs keep step); \
                  `interrupt`: what may break its fade (always, higher, never); `travel = false`: not \
                  for travelling; `outro = false`: without the state's way out.",
            example: "local way = to \"walk\" { from = \"idle\", when = \"speed > 0.1\", fade = inertial(0.25) }",
            call: ways::to,
        },
        Function {
            name: "inertial",
            params: &[Param {
                name: "seconds",
                ty: Type::Number,
                optional: false,
            }],
            returns: "MachinePiece",
            doc: "A fade in which only the new state plays and the old one's pose and speed die away: \
                  no two clips are mixed, and nothing jerks.",
            example: "local way = to \"idle\" { from = \"walk\", on = \"halt\", fade = inertial(0.3) }",
            call: ways::inertial,
        },
        Function {
            name: "random",
            params: &[table_of("clips")],
            returns: "MachinePiece",
            doc: "Clips in any order, another at the end of each: names, or { name, chance }. `fade`: \
                  seconds from one to the next, 0.2; `repeat = true`: the same may come twice in a row. \
                  With `mode = \"once\"` in its state one is played.",
            example: "local any = state \"idle\" { random { { \"idle\", 4 }, \"wave\" } }",
            call: motions::random,
        },
        Function {
            name: "sequence",
            params: &[table_of("clips")],
            returns: "MachinePiece",
            doc: "Clips one after another, from the start again at the end; with `mode = \"once\"` in its \
                  state, once through. `fade`: seconds from one to the next, 0.2.",
            example: "local combo = state \"combo\" { sequence { \"jump\", \"wave\" }, mode = \"once\" }",
            call: motions::sequence,
        },
        Function {
            name: "blend1d",
            params: &[table_of("points")],
            returns: "MachinePiece",
            doc: "Clips along a parameter: `by`, then { value, clip }; a clip alone stands at the speed \
                  that its feet cover, in metres per second. A point may hold another blend. `sync`: feet \
                  (clips with `step` marks put the same foot down together), phase or free; `match_speed \
                  = true`: clips play so fast that their feet cover the parameter's metres per second.",
            example: "local move = blend1d { by = \"speed\", { 1.4, \"walk\" }, { 4.2, \"run\" } }",
            call: motions::blend1d,
        },
        Function {
            name: "blend2d",
            params: &[table_of("points")],
            returns: "MachinePiece",
            doc: "Clips over two parameters: `x`, `y`, then { x, y, clip }; a clip alone stands at the \
                  velocity that its feet cover, to the left and ahead. Blended by gradient bands; `sync` \
                  and `match_speed` as in blend1d.",
            example: "local move = blend2d { x = \"speed\", y = \"turn\", { 1.4, 0, \"walk\" }, { 4.2, 0, \"run\" }, { 0, 1, \"idle\" } }",
            call: motions::blend2d,
        },
        Function {
            name: "blend_polar",
            params: &[table_of("points")],
            returns: "MachinePiece",
            doc: "As blend2d, for directions: turning from one way to another keeps the speed, since \
                  angle and length are blended, not x and y.",
            example: "local move = blend_polar { x = \"speed\", y = \"turn\", { 0, 0, \"idle\" }, { 0, 1.4, \"walk\" }, { 0, 4.2, \"run\" } }",
            call: motions::blend_polar,
        },
    ],
    properties: &[],
};

/// The one argument, a table.
fn table_argument(args: &Args, what: &str) -> mlua::Result<Table> {
    args.table(0)
        .ok_or_else(|| mlua::Error::runtime(format!("{what}: expected a table")))
}
