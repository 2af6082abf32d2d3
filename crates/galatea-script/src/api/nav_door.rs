//! `level:add_door { … }`: doors of navigation meshes.

use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::check::{Args, Type};
use super::group::{Group, Kind, Property};
use super::navmesh_ref::with_navmesh;
use crate::objects;
use galatea_stage::Handle;

/// Handle to a door.
#[derive(Clone, Copy)]
pub(super) struct NavDoorRef {
    /// Navigation mesh of the door.
    pub(super) navmesh: Handle,
    /// Id of the door within the mesh.
    pub(super) number: u32,
}

impl UserData for NavDoorRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

objects!(NavDoorRef: "NavDoor");

fn own(args: &Args) -> mlua::Result<NavDoorRef> {
    let own = args.object(0);
    own.ok_or_else(|| mlua::Error::runtime("expected a NavDoor"))
}

fn get_open(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let NavDoorRef {
        navmesh: paths,
        number,
    } = own(&args)?;
    with_navmesh(lua, paths, |paths| {
        Ok(Value::Boolean(paths.is_open(number).unwrap_or(false)))
    })
}

fn set_open(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let NavDoorRef {
        navmesh: paths,
        number,
    } = own(&args)?;
    let is_open = args.bool(1).unwrap_or(false);
    with_navmesh(lua, paths, |paths| {
        paths.set_door(number, is_open);
        Ok(Value::Nil)
    })
}

/// Methods and properties of a door.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "NavDoor",
    doc: "A door of a navigation mesh, created by `navmesh:add_door`.",
    functions: &[],
    properties: &[Property {
        name: "open",
        ty: "boolean",
        doc: "True if agents can pass. Set it to true to open the door, to false to close it.",
        get: get_open,
        set: Some((Type::Bool, set_open)),
    }],
};
