//! Handle that `hero:add_marker` returns.

use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::check::Args;
use super::group::{Function, Group, Kind};
use crate::budget::charge;
use crate::world::with_world;
use galatea_stage::Handle;

/// Handle to a marker that the script added.
#[derive(Clone, Copy)]
struct MarkerRef {
    character: Handle,
    id: u64,
}

impl UserData for MarkerRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// Creates the handle to a new marker.
pub(super) fn marker_value(lua: &Lua, character: Handle, id: u64) -> mlua::Result<Value> {
    let mark = MarkerRef { character, id };
    Ok(Value::UserData(lua.create_userdata(mark)?))
}

/// Charges the work of adding or removing a marker: the markers of the clip are sorted, and a machine may have to be
/// bound again.
pub(super) fn charge_for_markers(lua: &Lua, handle: Handle) -> mlua::Result<()> {
    let n = with_world(lua, |world| {
        let character = world.stage.characters.get(handle);
        Ok(character.map_or(0, |character| {
            let machine = character.playback.machine.as_ref();
            let most = character
                .playback
                .markers
                .iter()
                .map(|marks| marks.len())
                .max();
            most.unwrap_or(0) + machine.map_or(0, |(machine, _)| 16 * machine.size())
        }))
    })?;
    charge(lua, 16 + n as u64)
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let mark: MarkerRef = args
        .object(0)
        .ok_or_else(|| mlua::Error::runtime("expected a Marker"))?;
    charge_for_markers(lua, mark.character)?;
    with_world(lua, |world| {
        let stage = &mut world.stage;
        let now = stage.clock.time();
        let removed =
            stage
                .characters
                .remove_marker(mark.character, mark.id, now, &mut stage.events);
        Ok(Value::Boolean(removed))
    })
}

/// Methods of the handle that `hero:add_marker` returns.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Marker",
    doc: "A marker (named moment of a clip) that a script has added with `hero:add_marker`.",
    functions: &[Function {
        name: "remove",
        params: &[],
        returns: "boolean",
        doc: "Removes the marker from its clip; the playback of the clip continues. If the marker is an interval that \
              has begun, the interval ends at once, and its event has the field `interrupted`. If playback has already \
              passed the marker in this tick, its event is still emitted. Returns false if the marker no longer exists.",
        example: "local hello = hero:add_marker(\"wave\", 0.5, \"hello\")\nhello:remove()",
        call: remove,
    }],
    properties: &[],
};
