//! `input`: keys, axes and the pointer.

use mlua::{Lua, Value};

use super::check::{Args, Field, Param, Type, lua_vector, names};
use super::{Function, Group, Kind};
use crate::script::world::with_world;
use crate::stage::{AxisKeys, Input};

fn axis(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    with_world(lua, |world| {
        let input = &world.stage.input;
        if let Some(value) = input.axis(&name) {
            return Ok(Value::Number(f64::from(value)));
        }
        if name.starts_with("pad_") {
            return Ok(Value::Number(0.0));
        }
        let hint = crate::math::names::nearest_hint(&name, input.axis_names());
        Err(mlua::Error::runtime(format!(
            "input.axis: no axis {name:?}{hint}"
        )))
    })
}

/// A name that neither an action nor a key has is almost always a typing error.
pub(in crate::script) fn check_key(input: &Input, name: &str) -> mlua::Result<()> {
    if input.knows(name) {
        return Ok(());
    }
    let hint = crate::math::names::nearest_hint(name, input.known_names());
    Err(mlua::Error::runtime(format!(
        "no action and no key {name:?}{hint}"
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

fn bind(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let action = args.text(0).unwrap_or_default();
    let keys = names(&args.value(1), "input.bind")?;
    with_world(lua, |world| {
        for key in &keys {
            check_key(&world.stage.input, key)?;
        }
        if world.stage.input.bind(&action, keys) {
            return Ok(Value::Nil);
        }
        Err(mlua::Error::runtime(format!(
            "input.bind: there may be {} actions",
            Input::MOST_NAMES
        )))
    })
}

const AXIS_FIELDS: &[Field] = &[
    Field {
        name: "negative",
        ty: Type::OneOf(&[Type::Text, Type::Table]),
        doc: "key or keys for -1",
    },
    Field {
        name: "positive",
        ty: Type::OneOf(&[Type::Text, Type::Table]),
        doc: "key or keys for +1",
    },
    Field {
        name: "stick",
        ty: Type::OneOf(&[Type::Text, Type::Table]),
        doc: "stick or sticks",
    },
];

fn bind_axis(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let axis = args.text(0).unwrap_or_default();
    let fields = args.fields(1);
    let keys = AxisKeys {
        negative: names(&fields.value("negative"), "input.bind_axis")?,
        positive: names(&fields.value("positive"), "input.bind_axis")?,
        sticks: names(&fields.value("stick"), "input.bind_axis")?,
    };
    with_world(lua, |world| {
        if world.stage.input.bind_axis(&axis, keys) {
            return Ok(Value::Nil);
        }
        Err(mlua::Error::runtime(format!(
            "input.bind_axis: there may be {} axes",
            Input::MOST_NAMES
        )))
    })
}

const NAME: &[Param] = &[Param {
    name: "name",
    ty: Type::Text,
    optional: false,
}];

/// The module `input`.
pub(super) static GROUP: Group = Group {
    kind: Kind::Module,
    name: "input",
    doc: "Keys by name (`a`, `space`, `left`, `shift`, `mouse_left`, `pad_south`), actions bound to \
          keys (`jump`: space; `run`: shift; `use`: e; `wave`: q), and axes (`move_x`, `move_y`: WASD, \
          arrows, left stick).",
    functions: &[
        Function {
            name: "axis",
            params: NAME,
            returns: "number",
            doc: "An axis, -1 to 1.",
            example: "local right = input.axis(\"move_x\")",
            call: axis,
        },
        Function {
            name: "down",
            params: NAME,
            returns: "boolean",
            doc: "True while an action's key, or the key itself, is down.",
            example: "if input.down(\"run\") then print(\"running\") end",
            call: down,
        },
        Function {
            name: "pressed",
            params: NAME,
            returns: "boolean",
            doc: "True in the tick in which it went down.",
            example: "if input.pressed(\"jump\") then print(\"jump\") end",
            call: pressed,
        },
        Function {
            name: "released",
            params: NAME,
            returns: "boolean",
            doc: "True in the tick in which it went up.",
            example: "if input.released(\"jump\") then print(\"let go\") end",
            call: released,
        },
        Function {
            name: "pointer",
            params: &[],
            returns: "vector",
            doc: "The pointer as x and y, shares of the picture from its top left corner.",
            example: "local p = input.pointer()",
            call: pointer,
        },
        Function {
            name: "bind",
            params: &[
                Param {
                    name: "action",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "keys",
                    ty: Type::OneOf(&[Type::Text, Type::Table]),
                    optional: false,
                },
            ],
            returns: "",
            doc: "Binds an action to a key or keys, in place of what it had.",
            example: "input.bind(\"jump\", { \"space\", \"pad_south\" })",
            call: bind,
        },
        Function {
            name: "bind_axis",
            params: &[
                Param {
                    name: "axis",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "keys",
                    ty: Type::Fields(AXIS_FIELDS),
                    optional: false,
                },
            ],
            returns: "",
            doc: "Binds an axis to keys and sticks, in place of what it had.",
            example: "input.bind_axis(\"lean\", { negative = \"z\", positive = \"c\" })",
            call: bind_axis,
        },
    ],
    properties: &[],
};
