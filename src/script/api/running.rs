//! A running machine, `hero.machine`.

use mlua::{Lua, MetaMethod, UserData, UserDataFields, UserDataMethods, Value};

use super::check::{Args, Param, Type};
use super::{Function, Group, Kind, Property, add_object};
use crate::script::world::with_world;
use crate::stage::Handle;

/// A running machine of a character.
#[derive(Clone, Copy)]
pub(super) struct MachineRef(pub Handle);

impl UserData for MachineRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field(MetaMethod::Type, "Machine");
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn machine_of(args: &Args) -> mlua::Result<Handle> {
    let machine: MachineRef = args
        .object(0)
        .ok_or_else(|| mlua::Error::runtime("this machine is no longer there"))?;
    Ok(machine.0)
}

fn send(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = machine_of(&args)?;
    let event = args.text(1).unwrap_or_default();
    with_world(lua, |world| {
        let character = world.stage.characters.get_mut(handle);
        let Some((machine, state)) = character.and_then(|c| c.machine.as_mut()) else {
            return Err(mlua::Error::runtime(
                "this character has no machine any more",
            ));
        };
        let events = || {
            let transitions = machine
                .def
                .layers
                .iter()
                .flat_map(|layer| &layer.transitions);
            transitions.filter_map(|t| t.on.as_deref())
        };
        if !events().any(|name| name == event) {
            let hint = crate::math::names::nearest_hint(&event, events());
            return Err(mlua::Error::runtime(format!(
                "no transition waits for {event:?}{hint}"
            )));
        }
        state.sent.push(event);
        Ok(Value::Nil)
    })
}

/// Reads the current state of a layer: index, name and the active entry.
fn current<R>(
    lua: &Lua,
    args: &Args,
    f: impl FnOnce(&str, &crate::machine::Active) -> R,
) -> mlua::Result<R> {
    let handle = machine_of(args)?;
    let wanted = args.text(1);
    with_world(lua, |world| {
        let character = world.stage.characters.get(handle);
        let Some((machine, state)) = character.and_then(|c| c.machine.as_ref()) else {
            return Err(mlua::Error::runtime(
                "this character has no machine any more",
            ));
        };
        let layers = &machine.def.layers;
        let layer = match &wanted {
            None => 0,
            Some(name) => layers.iter().position(|l| l.name == *name).ok_or_else(|| {
                let hint =
                    crate::math::names::nearest_hint(name, layers.iter().map(|l| l.name.as_str()));
                mlua::Error::runtime(format!("no layer {name:?}{hint}"))
            })?,
        };
        let active = state
            .current(layer)
            .ok_or_else(|| mlua::Error::runtime("the layer plays nothing"))?;
        Ok(f(&layers[layer].states[active.state].name, active))
    })
}

fn current_state(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = current(lua, &args, |name, _| name.to_owned())?;
    Ok(Value::String(lua.create_string(name)?))
}

fn state_time(lua: &Lua, args: Args) -> mlua::Result<Value> {
    Ok(Value::Number(current(lua, &args, |_, active| active.age)?))
}

fn get_params(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = machine_of(&args)?;
    with_world(lua, |world| {
        let params = world.program.params.get(&handle);
        Ok(params.map_or(Value::Nil, |params| Value::Table(params.table.clone())))
    })
}

/// Methods of a running machine.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Machine",
    doc: "The running machine of a character, `hero.machine`.",
    functions: &[
        Function {
            name: "send",
            params: &[Param {
                name: "event",
                ty: Type::Text,
                optional: false,
            }],
            returns: "",
            doc: "Sends an event to the transitions with `on`; it counts in the coming tick only.",
            example: "hero.machine:send(\"jump\")",
            call: send,
        },
        Function {
            name: "state",
            params: &[Param {
                name: "layer",
                ty: Type::Text,
                optional: true,
            }],
            returns: "string",
            doc: "Name of the current state of a layer, the first one if none is named.",
            example: "print(hero.machine:state())",
            call: current_state,
        },
        Function {
            name: "time",
            params: &[Param {
                name: "layer",
                ty: Type::Text,
                optional: true,
            }],
            returns: "number",
            doc: "Seconds since the current state was entered.",
            example: "print(hero.machine:time(\"body\"))",
            call: state_time,
        },
    ],
    properties: &[Property {
        name: "params",
        ty: "{ [string]: number | boolean }",
        doc: "Its parameters. A name it has not is an error.",
        get: get_params,
        set: None,
    }],
};
