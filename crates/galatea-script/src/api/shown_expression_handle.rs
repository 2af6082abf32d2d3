//! The object that `face:show` returns.

use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::check::{Args, Param, Type, lua_number};
use super::face_mix::mix_of;
use super::face_ref::{EXPRESSION_VALUE, facing};
use super::group::{Function, Group, Kind, Property};
use crate::world::with_world;
use galatea_face::ActiveExpression;
use galatea_stage::Handle;

/// Script handle to an active expression.
#[derive(Clone, Copy)]
struct ShownExpressionRef {
    character: Handle,
    id: u64,
}

impl UserData for ShownExpressionRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// Creates the handle to a new expression.
pub(super) fn shown(lua: &Lua, character: Handle, id: u64) -> mlua::Result<Value> {
    let shown = ShownExpressionRef { character, id };
    Ok(Value::UserData(lua.create_userdata(shown)?))
}

fn held(args: &Args) -> mlua::Result<ShownExpressionRef> {
    let gone = || mlua::Error::runtime("expected a ShownExpression");
    args.object(0).ok_or_else(gone)
}

/// Runs `f` with the expression; `None` after its end.
fn with_shown<R>(
    lua: &Lua,
    args: &Args,
    f: impl FnOnce(&mut ActiveExpression) -> R,
) -> mlua::Result<Option<R>> {
    let own = held(args)?;
    with_world(lua, |world| {
        let character = world.stage.characters.get_mut(own.character);
        let facing = character.and_then(|c| c.modifiers.modifier_stack.as_mut()?.facing_mut());
        Ok(facing
            .and_then(|facing| facing.face.expression_mut(own.id))
            .map(f))
    })
}

fn stop(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let seconds = args.number(1).map(|seconds| seconds.clamp(0.0, 1e4) as f32);
    let was = with_shown(lua, &args, |shown| {
        let was = !shown.is_going();
        shown.release(seconds);
        was
    })?;
    Ok(Value::Boolean(was.unwrap_or(false)))
}

fn set(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let (own, value) = (held(&args)?, args.value(1));
    with_world(lua, |world| {
        let id = world.stage.ids.new_id();
        let Some(character) = world.stage.characters.get_mut(own.character) else {
            return Ok(Value::Boolean(false));
        };
        let rig = facing(character, own.character, id)?.rig.clone();
        let mix = mix_of(
            lua,
            &mut world.program.expressions,
            &*world.services,
            &rig,
            "set",
            &value,
        )?;
        let character = world.stage.characters.get_mut(own.character);
        let facing = character.and_then(|c| c.modifiers.modifier_stack.as_mut()?.facing_mut());
        let shown = facing.and_then(|facing| facing.face.expression_mut(own.id));
        let is_there = shown.map(|shown| shown.mix = mix).is_some();
        Ok(Value::Boolean(is_there))
    })
}

fn get_intensity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let now = with_shown(lua, &args, |shown| shown.intensity)?;
    Ok(lua_number(now.unwrap_or(0.0)))
}

fn set_intensity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let to = args.number(1).unwrap_or(1.0).clamp(0.0, 1.0) as f32;
    with_shown(lua, &args, |shown| shown.intensity = to)?;
    Ok(Value::Nil)
}

fn get_weight(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let now = with_shown(lua, &args, |shown| shown.weight())?;
    Ok(lua_number(now.unwrap_or(0.0)))
}

/// Methods and properties of the object that `face:show` returns.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "ShownExpression",
    doc: "An expression on a face, returned by `face:show`.",
    functions: &[
        Function {
            name: "stop",
            params: &[Param {
                name: "seconds",
                ty: Type::Number,
                optional: true,
            }],
            returns: "boolean",
            doc: "Fades the expression out within `seconds`, by default within its own `fade_out`. Returns false if the \
                  expression is already fading out or has ended.",
            example: "local smile = hero.face:show(\"happiness\", { hold_time = true })\nsmile:stop(0.2)",
            call: stop,
        },
        Function {
            name: "set",
            params: &[Param {
                name: "what",
                ty: EXPRESSION_VALUE,
                optional: false,
            }],
            returns: "boolean",
            doc: "Replaces the expression by another one, or by a table of names and weights. You may call it in every \
                  tick. Returns false if the expression has ended.",
            example: "local own = hero.face:show({ smile = 0 }, { hold_time = true })\nfunction update(dt) own:set { smile = 0.5 + 0.5 * math.sin(now()) } end",
            call: set,
        },
    ],
    properties: &[
        Property {
            name: "intensity",
            ty: "number",
            doc: "Intensity of the expression when it is fully faded in, 0 to 1. Set it to make the expression stronger \
                  or weaker.",
            get: get_intensity,
            set: Some((Type::Number, set_intensity)),
        },
        Property {
            name: "weight",
            ty: "number",
            doc: "Current blend weight of the expression, including fades, 0 to 1. It is 0 after the end.",
            get: get_weight,
            set: None,
        },
    ],
};
