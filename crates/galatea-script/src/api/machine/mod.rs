//! The words that make a machine: `machine`, `layer`, `state`, `to`, and the motions of a state.

mod motions;
mod params;
mod parts;
mod sizes;
mod states;
mod ways;

use mlua::{Lua, MetaMethod, Table, UserData, UserDataFields, Value};

use super::check::{
    Args, Fields, OptionValue, Options, Param, Shape, Type, describe, object, text,
};
use super::{Function, Group, Kind};
use galatea_machine::{
    Fade, LayerDef, MachineDef, MotionDef, Problem, Scalar, SourceLocation, StateDef, TransitionDef,
};

use sizes::{LONGEST_TEXT, MOST_CLIPS, MOST_LAYERS, Weight};

pub(super) use params::params_table;
pub(crate) use params::{Watched, WatchedParams};
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
struct ScriptedPiece {
    piece: Piece,
    _weight: Weight,
}

impl ScriptedPiece {
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
    Some(object::<ScriptedPiece>(value)?.piece)
}

impl UserData for ScriptedPiece {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "MachinePiece");
    }
}

/// All faults of a machine as one error, placed where the first one was written.
pub(super) fn problems(problems: Vec<Problem>) -> mlua::Error {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    mlua::Error::runtime(lines.join("\n"))
}

fn here(lua: &Lua, level: usize) -> SourceLocation {
    lua.inspect_stack(level, |debug| SourceLocation {
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
fn curried<T: Options + 'static>(
    lua: &Lua,
    what: String,
    build: impl Fn(&Lua, T, &Table, SourceLocation) -> mlua::Result<Piece> + 'static,
) -> mlua::Result<Value> {
    let function = lua.create_function(move |lua, value: Value| {
        let Value::Table(table) = &value else {
            return Err(mlua::Error::runtime(format!(
                "{what}: expected a table, got {}",
                describe(&value)
            )));
        };
        let at = here(lua, 1);
        let piece = build(lua, options(&what, table)?, table, at)?;
        lua.create_userdata(ScriptedPiece::new(lua, piece)?)
    })?;
    Ok(Value::Function(function))
}

/// The named fields of a table, checked.
fn options<T: Options>(what: &str, table: &Table) -> mlua::Result<T> {
    check_texts(what, table)?;
    let wrong = |why: String| mlua::Error::runtime(format!("{what}: {why}"));
    let value = Value::Table(table.clone());
    Type::Options(T::SHAPE).check(&value).map_err(wrong)?;
    T::from_fields(&Fields::of(&value)).map_err(wrong)
}

/// Refuses texts that are too long.
fn check_texts(what: &str, table: &Table) -> mlua::Result<()> {
    let values = table.pairs::<Value, Value>().filter_map(Result::ok);
    for (_, value) in values {
        if value
            .as_string()
            .is_some_and(|text| text.as_bytes().len() > LONGEST_TEXT)
        {
            return Err(mlua::Error::runtime(format!(
                "{what}: {} is longer than a text here may be, {LONGEST_TEXT} characters",
                describe(&value)
            )));
        }
    }
    Ok(())
}

impl OptionValue for Scalar {
    const TYPE: Type = Type::OneOf(&[Type::Number, Type::Text]);

    fn from_value(value: Value) -> Result<Self, String> {
        match text(&value) {
            Some(name) => Ok(Self::Param(name)),
            None => f32::from_value(value).map(Self::Fixed),
        }
    }
}

/// A motion as userdata.
fn motion(lua: &Lua, motion: MotionDef) -> mlua::Result<Value> {
    let held = ScriptedPiece::new(lua, Piece::Motion(motion))?;
    Ok(Value::UserData(lua.create_userdata(held)?))
}

/// A piece of a machine as a value.
const PIECE: Type = Type::Object("MachinePiece");

/// Shapes that only texts of types name.
pub(super) const SHAPES: &[&Shape] = &[
    states::MachineStateOptions::SHAPE,
    parts::MachineLayerOptions::SHAPE,
    ways::TransitionOptions::SHAPE,
];

const NAME: &[Param] = &[Param {
    name: "name",
    ty: Type::Text,
    optional: false,
}];

const fn table_of(name: &'static str, shape: &'static Shape) -> Param {
    Param {
        name,
        ty: Type::Options(shape),
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
            params: &[table_of("parts", parts::MachineOptions::SHAPE)],
            returns: "MachineDefinition",
            doc: "A state machine of layers, or of states and transitions in one layer \"body\". It starts in the first \
                  state.",
            example: "hero.machine = machine { params = { speed = 0 }, state \"idle\" { \"idle\" } }",
            call: parts::machine,
        },
        Function {
            name: "layer",
            params: NAME,
            returns: "(MachineLayerOptions) -> MachinePiece",
            doc: "A layer of states over the layers below.",
            example: "local arms = layer \"arms\" { mask = \"upper_body\", state \"wave\" { \"wave\" } }",
            call: parts::layer,
        },
        Function {
            name: "state",
            params: NAME,
            returns: "(MachineStateOptions) -> MachinePiece",
            doc: "A state: a clip or motion, or states and transitions of its own. Without either it shows the rest \
                  pose, or in an upper layer the pose of the layers below.",
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
            returns: "(TransitionOptions) -> MachinePiece",
            doc: "A transition to a state. All conditions that are given must hold. Transitions of higher `priority` \
                  are evaluated first, then inner before outer, then in the order of the script.",
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
            params: &[table_of("clips", motions::ClipListOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "Clips in random order, each a name or { name, chance }. With `mode = \"once\"` in its state it plays \
                  one of them.",
            example: "local any = state \"idle\" { random { { \"idle\", 4 }, \"wave\" } }",
            call: motions::random,
        },
        Function {
            name: "sequence",
            params: &[table_of("clips", motions::ClipListOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "Clips in order, again and again; with `mode = \"once\"` in its state, once through.",
            example: "local combo = state \"combo\" { sequence { \"jump\", \"wave\" }, mode = \"once\" }",
            call: motions::sequence,
        },
        Function {
            name: "blend1d",
            params: &[table_of("points", motions::Blend1dOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "Clips along a parameter, each { value, clip }. A clip alone is placed at the ground speed of its \
                  feet, in metres per second. A point may hold another blend.",
            example: "local move = blend1d { by = \"speed\", { 1.4, \"walk\" }, { 4.2, \"run\" } }",
            call: motions::blend1d,
        },
        Function {
            name: "blend2d",
            params: &[table_of("points", motions::Blend2dOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "Clips over two parameters, each { x, y, clip }, blended by gradient bands. A clip alone is placed at \
                  the ground velocity of its feet, to the left and ahead.",
            example: "local move = blend2d { x = \"speed\", y = \"turn\", { 1.4, 0, \"walk\" }, { 4.2, 0, \"run\" }, { 0, 1, \"idle\" } }",
            call: motions::blend2d,
        },
        Function {
            name: "blend_polar",
            params: &[table_of("points", motions::Blend2dOptions::SHAPE)],
            returns: "MachinePiece",
            doc: "As blend2d, for directions: angle and length are blended, so that a turn keeps the speed.",
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
