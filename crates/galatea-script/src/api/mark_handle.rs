//! What `hero:mark` gives back.

use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::check::Args;
use super::group::{Function, Group, Kind};
use crate::budget::charge;
use crate::world::with_world;
use galatea_stage::Handle;

/// A script's hold on a mark that it added.
#[derive(Clone, Copy)]
struct MarkRef {
    character: Handle,
    id: u64,
}

impl UserData for MarkRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// The hold on a mark that was just added.
pub(super) fn mark(lua: &Lua, character: Handle, id: u64) -> mlua::Result<Value> {
    let mark = MarkRef { character, id };
    Ok(Value::UserData(lua.create_userdata(mark)?))
}

/// Counts the work of adding or removing a mark: those on the clips are put in order, and a machine may
/// have to be bound again.
pub(super) fn charge_for_marks(lua: &Lua, handle: Handle) -> mlua::Result<()> {
    let n = with_world(lua, |world| {
        let character = world.stage.characters.get(handle);
        Ok(character.map_or(0, |character| {
            let machine = character.playback.machine.as_ref();
            let most = character
                .playback
                .marks
                .iter()
                .map(|marks| marks.len())
                .max();
            most.unwrap_or(0) + machine.map_or(0, |(machine, _)| 16 * machine.size())
        }))
    })?;
    charge(lua, 16 + n as u64)
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let mark: MarkRef = args
        .object(0)
        .ok_or_else(|| mlua::Error::runtime("this is no mark"))?;
    charge_for_marks(lua, mark.character)?;
    with_world(lua, |world| {
        let stage = &mut world.stage;
        let now = stage.clock.time();
        let removed = stage
            .characters
            .remove_mark(mark.character, mark.id, now, &mut stage.events);
        Ok(Value::Boolean(removed))
    })
}

/// Methods of what `hero:mark` gives back.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Mark",
    doc: "A mark that the script put on a clip of a character.",
    functions: &[Function {
        name: "remove",
        params: &[],
        returns: "boolean",
        doc: "Takes the mark off its clip. What plays goes on where it is; an interval that is open ends, \
              cut; what was passed before is still told. False when it is gone already.",
        example: "local hello = hero:mark(\"wave\", 0.5, \"hello\")\nhello:remove()",
        call: remove,
    }],
    properties: &[],
};
