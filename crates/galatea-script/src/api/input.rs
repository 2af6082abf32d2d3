//! `input`: keys, axes and the pointer.

use mlua::{Lua, Value};

use super::check::{Args, OneOrMany, OptionValue, Options, Param, Type, lua_vector};
use super::group::{Function, Group, Kind};
use crate::world::with_world;
use galatea_derive::Options;
use galatea_math::names::nearest_hint;
use galatea_stage::{AxisKeys, Bindings, Input, keys};

fn axis(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    with_world(lua, |world| {
        let input = &world.stage.input;
        if let Some(value) = input.axis(&name) {
            return Ok(Value::Number(f64::from(value)));
        }
        let names = input.axis_names().chain(keys::stick_names());
        let hint = nearest_hint(&name, names);
        Err(mlua::Error::runtime(format!(
            "input.axis: no axis {name:?}{hint}"
        )))
    })
}

/// Returns an error for a name that is neither an action nor a key; it is almost always a typing error.
pub(crate) fn check_key(input: &Input, name: &str) -> mlua::Result<()> {
    if input.knows(name) {
        return Ok(());
    }
    let hint = nearest_hint(name, input.known_names());
    Err(mlua::Error::runtime(format!(
        "there is no action or key {name:?}{hint}"
    )))
}

fn down(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    with_world(lua, |world| {
        check_key(&world.stage.input, &name)?;
        Ok(Value::Boolean(world.stage.input.down(&name)))
    })
}

fn pressed(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    with_world(lua, |world| {
        check_key(&world.stage.input, &name)?;
        Ok(Value::Boolean(world.stage.input.pressed(&name)))
    })
}

fn released(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    with_world(lua, |world| {
        check_key(&world.stage.input, &name)?;
        Ok(Value::Boolean(world.stage.input.released(&name)))
    })
}

fn pointer(lua: &Lua, _: Args) -> mlua::Result<Value> {
    with_world(lua, |world| {
        let [x, y] = world.stage.input.pointer;
        Ok(lua_vector(glam::Vec3::new(x, y, 0.0)))
    })
}

fn next_pressed(lua: &Lua, _: Args) -> mlua::Result<Value> {
    with_world(lua, |world| match world.stage.input.next_pressed() {
        Some(name) => Ok(Value::String(lua.create_string(name)?)),
        None => Ok(Value::Nil),
    })
}

fn actions(lua: &Lua, _: Args) -> mlua::Result<Value> {
    with_world(lua, |world| {
        let names = world.stage.input.action_names();
        Ok(Value::Table(lua.create_sequence_from(names)?))
    })
}

fn axes(lua: &Lua, _: Args) -> mlua::Result<Value> {
    with_world(lua, |world| {
        let names = world.stage.input.axis_names();
        Ok(Value::Table(lua.create_sequence_from(names)?))
    })
}

fn no_action(input: &Input, call: &str, name: &str) -> mlua::Error {
    let hint = nearest_hint(name, input.action_names());
    mlua::Error::runtime(format!("{call}: no action {name:?}{hint}"))
}

fn no_axis(input: &Input, call: &str, name: &str) -> mlua::Error {
    let hint = nearest_hint(name, input.axis_names());
    mlua::Error::runtime(format!("{call}: no axis {name:?}{hint}"))
}

fn bound(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let action = args.text(0).unwrap_or_default();
    with_world(lua, |world| {
        let input = &world.stage.input;
        let keys = input.bound(&action);
        let keys = keys.ok_or_else(|| no_action(input, "input.bound", &action))?;
        Ok(Value::Table(
            lua.create_sequence_from(keys.iter().map(String::as_str))?,
        ))
    })
}

fn bound_axis(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let axis = args.text(0).unwrap_or_default();
    with_world(lua, |world| {
        let input = &world.stage.input;
        let keys = input.bound_axis(&axis);
        let keys = keys.ok_or_else(|| no_axis(input, "input.bound_axis", &axis))?;
        let table = lua.create_table()?;
        for (name, keys) in [
            ("negative", &keys.negative),
            ("positive", &keys.positive),
            ("stick", &keys.sticks),
        ] {
            let keys = keys.iter().map(String::as_str);
            table.raw_set(name, lua.create_sequence_from(keys)?)?;
        }
        Ok(Value::Table(table))
    })
}

/// Checks a list of keys or sticks for a binding.
fn checked(
    names: Option<OneOrMany<String>>,
    call: &str,
    what: &str,
    is_one: fn(&str) -> bool,
    known: &[&str],
) -> mlua::Result<Vec<String>> {
    let names = names.map_or_else(Vec::new, |names| names.0);
    if names.len() > Bindings::MAX_KEYS {
        return Err(mlua::Error::runtime(format!(
            "{call}: an action, or one side of an axis, can have at most {} keys",
            Bindings::MAX_KEYS
        )));
    }
    match names.iter().find(|name| !is_one(name)) {
        Some(wrong) => {
            let hint = nearest_hint(wrong, known.iter().copied());
            let text = format!("{call}: no {what} {wrong:?}{hint}");
            Err(mlua::Error::runtime(text))
        }
        None => Ok(names),
    }
}

fn keys_of(names: Option<OneOrMany<String>>, call: &str) -> mlua::Result<Vec<String>> {
    let known: Vec<&str> = keys::key_names().collect();
    checked(names, call, "key", keys::is_key, &known)
}

fn axis_keys_of(options: AxisOptions, call: &str) -> mlua::Result<AxisKeys> {
    let sticks: Vec<&str> = keys::stick_names().collect();
    Ok(AxisKeys {
        negative: keys_of(options.negative, call)?,
        positive: keys_of(options.positive, call)?,
        sticks: checked(options.stick, call, "stick", keys::is_stick, &sticks)?,
    })
}

fn bind(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let action = args.text(0).unwrap_or_default();
    let keys = keys_of(args.read(1)?, "input.bind")?;
    with_world(lua, |world| {
        if world.stage.input.declared_mut().bind(&action, keys) {
            return Ok(Value::Nil);
        }
        Err(too_many("input.bind", "actions"))
    })
}

fn bind_axis(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let axis = args.text(0).unwrap_or_default();
    let keys = axis_keys_of(args.options(1)?, "input.bind_axis")?;
    with_world(lua, |world| {
        if world.stage.input.declared_mut().bind_axis(&axis, keys) {
            return Ok(Value::Nil);
        }
        Err(too_many("input.bind_axis", "axes"))
    })
}

fn rebind(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let action = args.text(0).unwrap_or_default();
    let keys = keys_of(args.read(1)?, "input.rebind")?;
    with_world(lua, |world| {
        let input = &mut world.stage.input;
        if input.bound(&action).is_none() {
            return Err(no_action(input, "input.rebind", &action));
        }
        if input.player_mut().bind(&action, keys) {
            return Ok(Value::Nil);
        }
        Err(too_many("input.rebind", "actions"))
    })
}

fn rebind_axis(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let axis = args.text(0).unwrap_or_default();
    let keys = axis_keys_of(args.options(1)?, "input.rebind_axis")?;
    with_world(lua, |world| {
        let input = &mut world.stage.input;
        if input.bound_axis(&axis).is_none() {
            return Err(no_axis(input, "input.rebind_axis", &axis));
        }
        if input.player_mut().bind_axis(&axis, keys) {
            return Ok(Value::Nil);
        }
        Err(too_many("input.rebind_axis", "axes"))
    })
}

fn too_many(call: &str, what: &str) -> mlua::Error {
    mlua::Error::runtime(format!(
        "{call}: the limit is {} {what}",
        Bindings::MAX_NAMES
    ))
}

fn reset_bindings(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0);
    with_world(lua, |world| {
        let input = &mut world.stage.input;
        let Some(name) = name else {
            *input.player_mut() = Bindings::default();
            return Ok(Value::Nil);
        };
        if input.bound(&name).is_none() && input.bound_axis(&name).is_none() {
            let hint = nearest_hint(&name, input.action_names().chain(input.axis_names()));
            return Err(mlua::Error::runtime(format!(
                "input.reset_bindings: no action or axis {name:?}{hint}"
            )));
        }
        let player = input.player_mut();
        player.actions.remove(&name);
        player.axes.remove(&name);
        Ok(Value::Nil)
    })
}

fn save_bindings(lua: &Lua, _: Args) -> mlua::Result<Value> {
    with_world(lua, |world| {
        world.stage.input.request_save();
        Ok(Value::Nil)
    })
}

/// Keys and sticks for an axis.
#[derive(Options)]
struct AxisOptions {
    /// Key, or list of keys, for the value -1.
    negative: Option<OneOrMany<String>>,
    /// Key, or list of keys, for the value +1.
    positive: Option<OneOrMany<String>>,
    /// Axis of a gamepad's stick, such as "pad_left_x", or a list of them.
    stick: Option<OneOrMany<String>>,
}

const NAME: &[Param] = &[Param {
    name: "name",
    ty: Type::Text,
    optional: false,
}];

const ACTION_PARAM: Param = Param {
    name: "action",
    ty: Type::Text,
    optional: false,
};

const ACTION: &[Param] = &[ACTION_PARAM];

const AXIS_PARAM: Param = Param {
    name: "axis",
    ty: Type::Text,
    optional: false,
};

const AXIS: &[Param] = &[AXIS_PARAM];

const KEYS: Param = Param {
    name: "keys",
    ty: OneOrMany::<String>::TYPE,
    optional: false,
};

const AXIS_KEYS: Param = Param {
    name: "keys",
    ty: Type::Options(AxisOptions::SHAPE),
    optional: false,
};

/// The module `input`.
pub(super) static GROUP: Group = Group {
    kind: Kind::Module,
    name: "input",
    doc: "Input from keyboard, mouse and gamepads. There are three kinds of names:\n\n\
          - keys and buttons: `a`, `space`, `left`, `shift`, `mouse_left`, `wheel_up`, `pad_south`. The full list is in \
          [projects.md](projects.md#keys). `pad_south` is this button on any gamepad; `pad1_south`, `pad2_south` and so \
          on are the same button on one particular gamepad;\n\
          - actions, which are bound to keys. There are `jump` (space), `run` (shift), `use` (e) and `wave` (q); with \
          `input.bind` you add your own;\n\
          - axes, which are numbers from -1 to 1: `move_x` and `move_y` (WASD, arrow keys, left stick). `mouse_dx` and \
          `mouse_dy` are the motion of the mouse pointer in the tick, to the right and down, as fractions of the \
          picture.",
    functions: &[
        Function {
            name: "axis",
            params: NAME,
            returns: "number",
            doc: "Returns the value of an axis, from -1 to 1.",
            example: "local right = input.axis(\"move_x\")",
            call: axis,
        },
        Function {
            name: "down",
            params: NAME,
            returns: "boolean",
            doc: "Returns true while a key is held down, or a key of an action. `name` is the name of the key or the \
                  action.",
            example: "if input.down(\"run\") then print(\"running\") end",
            call: down,
        },
        Function {
            name: "pressed",
            params: NAME,
            returns: "boolean",
            doc: "Returns true only in the tick in which a key, or a key of an action, was pressed. `name` is the name \
                  of the key or the action.",
            example: "if input.pressed(\"jump\") then print(\"jump\") end",
            call: pressed,
        },
        Function {
            name: "released",
            params: NAME,
            returns: "boolean",
            doc: "Returns true only in the tick in which a key, or a key of an action, was released. `name` is the name \
                  of the key or the action.",
            example: "if input.released(\"jump\") then print(\"let go\") end",
            call: released,
        },
        Function {
            name: "pointer",
            params: &[],
            returns: "vector",
            doc: "Returns the position of the mouse pointer: x from 0 at the left of the picture to 1 at the right, y from 0 \
                  at the top to 1 at the bottom.",
            example: "local p = input.pointer()",
            call: pointer,
        },
        Function {
            name: "next_pressed",
            params: &[],
            returns: "string?",
            doc: "Returns the name of the first key or button that was pressed in this tick, or nil. Use it for a settings \
                  screen that asks the player for a key.",
            example: "local key = input.next_pressed()\nif key then input.rebind(\"jump\", key) end",
            call: next_pressed,
        },
        Function {
            name: "actions",
            params: &[],
            returns: "{ string }",
            doc: "Returns the names of all actions, in alphabetical order.",
            example: "for _, action in input.actions() do print(action, table.concat(input.bound(action), \", \")) end",
            call: actions,
        },
        Function {
            name: "axes",
            params: &[],
            returns: "{ string }",
            doc: "Returns the names of all axes, in alphabetical order.",
            example: "for _, axis in input.axes() do print(axis, input.axis(axis)) end",
            call: axes,
        },
        Function {
            name: "bound",
            params: ACTION,
            returns: "{ string }",
            doc: "Returns the keys of an action: those that the player chose with `rebind`, otherwise those that the script \
                  bound.",
            example: "print(\"jump with \" .. table.concat(input.bound(\"jump\"), \" or \"))",
            call: bound,
        },
        Function {
            name: "bound_axis",
            params: AXIS,
            returns: "{ negative: { string }, positive: { string }, stick: { string } }",
            doc: "Returns the keys and sticks of an axis: those that the player chose with `rebind_axis`, otherwise those \
                  that the script bound.",
            example: "print(\"left with \" .. table.concat(input.bound_axis(\"move_x\").negative, \" or \"))",
            call: bound_axis,
        },
        Function {
            name: "bind",
            params: &[ACTION_PARAM, KEYS],
            returns: "",
            doc: "Binds an action to a key or a list of keys. They replace the keys that the script bound to it before. \
                  If the player has chosen keys with `rebind`, those are used instead.",
            example: "input.bind(\"jump\", { \"space\", \"pad_south\" })",
            call: bind,
        },
        Function {
            name: "bind_axis",
            params: &[AXIS_PARAM, AXIS_KEYS],
            returns: "",
            doc: "Binds an axis to keys and sticks. They replace those that the script bound to it before. If the \
                  player has chosen keys with `rebind_axis`, those are used instead.",
            example: "input.bind_axis(\"lean\", { negative = \"z\", positive = \"c\" })",
            call: bind_axis,
        },
        Function {
            name: "rebind",
            params: &[ACTION_PARAM, KEYS],
            returns: "",
            doc: "Sets the key or keys that the player has chosen for an action; `{}` means no key. They are used \
                  instead of the keys of the script, until you call `reset_bindings` or the game ends. A hot reload \
                  keeps them.",
            example: "input.rebind(\"jump\", \"j\")",
            call: rebind,
        },
        Function {
            name: "rebind_axis",
            params: &[AXIS_PARAM, AXIS_KEYS],
            returns: "",
            doc: "Sets the keys and sticks that the player has chosen for an axis. They are used instead of those of \
                  the script. A field that you leave out has no keys.",
            example: "input.rebind_axis(\"move_x\", { negative = \"j\", positive = \"l\" })",
            call: rebind_axis,
        },
        Function {
            name: "reset_bindings",
            params: &[Param {
                name: "name",
                ty: Type::Text,
                optional: true,
            }],
            returns: "",
            doc: "Removes the keys that the player has chosen for an action or axis. Without a name, it does so for all \
                  actions and axes. Then the keys of the script are used again.",
            example: "input.reset_bindings(\"jump\")\ninput.reset_bindings()",
            call: reset_bindings,
        },
        Function {
            name: "save_bindings",
            params: &[],
            returns: "",
            doc: "Writes the keys that the player has chosen to the file `bindings.toml` of the project, so that they \
                  are still there at the next start. Only `galatea play` reads and writes this file.",
            example: "input.rebind(\"jump\", \"j\")\ninput.save_bindings()",
            call: save_bindings,
        },
    ],
    properties: &[],
};
