//! The handles of a machine and of its pieces.

use mlua::{Lua, MetaMethod, Table, UserData, UserDataFields, Value};

use super::arguments::{here, options};
use super::piece::Piece;
use super::sizes::Weight;
use crate::api::check::{Options, describe, object};
use galatea_machine::{MachineDef, MotionDef, Problem, SourceLocation};

/// Handle that `machine { … }` returns: a definition that is not yet bound to a character.
#[derive(Clone)]
pub(in crate::api) struct MachineValue {
    pub def: MachineDef,
    pub(super) _weight: Weight,
}

impl UserData for MachineValue {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "MachineDefinition");
    }
}

/// Handle to a piece of a machine.
#[derive(Clone)]
pub(super) struct ScriptedPiece {
    pub piece: Piece,
    _weight: Weight,
}

impl ScriptedPiece {
    /// Creates a handle to a piece for a script.
    ///
    /// # Errors
    /// Fails if the pieces that scripts hold would exceed the limit.
    pub fn new(lua: &Lua, piece: Piece) -> mlua::Result<Self> {
        let _weight = Weight::of(lua, &piece)?;
        Ok(Self { piece, _weight })
    }
}

/// Returns the piece in a value; `None` for other values.
pub(super) fn piece_of(value: &Value) -> Option<Piece> {
    Some(object::<ScriptedPiece>(value)?.piece)
}

impl UserData for ScriptedPiece {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "MachinePiece");
    }
}

/// Creates a function that takes the table after `state "name"`.
pub(super) fn curried<T: Options + 'static>(
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

/// Wraps a motion as userdata.
pub(super) fn motion(lua: &Lua, motion: MotionDef) -> mlua::Result<Value> {
    let held = ScriptedPiece::new(lua, Piece::Motion(motion))?;
    Ok(Value::UserData(lua.create_userdata(held)?))
}

/// Returns all problems of a machine as one error, located at the first one.
pub(in crate::api) fn problems(problems: Vec<Problem>) -> mlua::Error {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    mlua::Error::runtime(lines.join("\n"))
}
