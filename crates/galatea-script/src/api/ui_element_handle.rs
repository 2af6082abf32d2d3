//! The object that the functions of `ui` return: a handle to a UI element.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::check::{Args, Type, lua_number, lua_vector};
use super::group::{Function, Group, Kind, Property};
use crate::world::with_world;
use galatea_stage::{Handle, StageUi, UiContent};

/// Script handle to a UI element.
#[derive(Clone, Copy, Debug)]
pub(super) struct UiElementRef(pub Handle);

impl UserData for UiElementRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// Maximum length of a text on the screen, bytes.
const LONGEST: usize = 4096;

/// Checks the length of a text.
pub(super) fn check_text(text: String) -> mlua::Result<Arc<str>> {
    if text.len() > LONGEST {
        return Err(mlua::Error::runtime(format!(
            "ui: a text can have at most {LONGEST} bytes, got {}",
            text.len()
        )));
    }
    Ok(text.into())
}

/// Converts a vector to points: x to the right, y down.
pub(super) fn points(v: Vec3) -> Vec2 {
    v.truncate().clamp(Vec2::splat(-1e5), Vec2::splat(1e5))
}

fn lua_points(v: Vec2) -> Value {
    lua_vector(v.extend(0.0))
}

/// Runs `work` with the UI element of the call.
fn with_ui<T>(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(&mut StageUi) -> mlua::Result<T>,
) -> mlua::Result<T> {
    let gone = || mlua::Error::runtime("this UI element was removed");
    let UiElementRef(handle) = args.object(0).ok_or_else(gone)?;
    with_world(lua, |world| {
        work(world.stage.ui.get_mut(handle).ok_or_else(gone)?)
    })
}

fn set(lua: &Lua, args: &Args, write: impl FnOnce(&mut StageUi)) -> mlua::Result<Value> {
    with_ui(lua, args, |ui| {
        write(ui);
        Ok(Value::Nil)
    })
}

fn has_none(what: &str) -> mlua::Error {
    mlua::Error::runtime(format!(
        "{what}: this UI element does not have this property"
    ))
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let ui: Option<UiElementRef> = args.object(0);
    with_world(lua, |world| {
        if let Some(UiElementRef(handle)) = ui {
            world.stage.ui.remove(handle);
        }
        Ok(Value::Nil)
    })
}

fn get_text(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let text = with_ui(lua, &args, |ui| match &ui.item.content {
        UiContent::Text(text) => Ok(Some(text.text.clone())),
        UiContent::Caption { text, .. } => Ok(Some(text.clone())),
        _ => Ok(None),
    })?;
    match text {
        Some(text) => Ok(Value::String(lua.create_string(&*text)?)),
        None => Ok(Value::Nil),
    }
}

fn set_text(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let new = args.text(1).unwrap_or_default();
    with_ui(lua, &args, |ui| {
        let text = match &mut ui.item.content {
            UiContent::Text(text) => &mut text.text,
            UiContent::Caption { text, .. } => text,
            _ => return Err(has_none("text")),
        };
        if **text != *new {
            *text = check_text(new)?;
        }
        Ok(Value::Nil)
    })
}

fn get_value(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_ui(lua, &args, |ui| match ui.item.content {
        UiContent::Bar { value, .. } => Ok(lua_number(value)),
        _ => Ok(Value::Nil),
    })
}

fn set_value(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let new = args.number(1).unwrap_or(0.0).clamp(0.0, 1.0) as f32;
    with_ui(lua, &args, |ui| match &mut ui.item.content {
        UiContent::Bar { value, .. } => {
            *value = new;
            Ok(Value::Nil)
        }
        _ => Err(has_none("value")),
    })
}

fn get_color(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_ui(lua, &args, |ui| Ok(lua_vector(ui.item.color)))
}

fn set_color(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let color = args.vector(1).unwrap_or(Vec3::ONE).max(Vec3::ZERO);
    set(lua, &args, |ui| ui.item.color = color)
}

fn get_opacity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_ui(lua, &args, |ui| Ok(lua_number(ui.item.opacity)))
}

fn set_opacity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let opacity = args.number(1).unwrap_or(1.0).clamp(0.0, 1.0) as f32;
    set(lua, &args, |ui| ui.item.opacity = opacity)
}

fn get_visible(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_ui(lua, &args, |ui| Ok(Value::Boolean(ui.item.visible)))
}

fn set_visible(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let visible = args.bool(1).unwrap_or(true);
    set(lua, &args, |ui| ui.item.visible = visible)
}

fn get_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_ui(lua, &args, |ui| Ok(lua_points(ui.item.offset)))
}

fn set_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = args.vector(1).map_or(Vec2::ZERO, points);
    with_ui(lua, &args, |ui| {
        if ui.span.is_some() {
            return Err(mlua::Error::runtime(
                "position: a caption has a fixed position",
            ));
        }
        ui.item.offset = at;
        Ok(Value::Nil)
    })
}

fn get_size(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_ui(lua, &args, |ui| match &ui.item.content {
        UiContent::Text(text) => Ok(lua_number(text.size)),
        UiContent::Bar { size, .. }
        | UiContent::Box { size, .. }
        | UiContent::Image { size, .. } => Ok(lua_points(*size)),
        UiContent::Caption { .. } => Ok(Value::Nil),
    })
}

fn set_size(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let (letters, sides) = (args.number(1), args.vector(1));
    with_ui(lua, &args, |ui| {
        match (&mut ui.item.content, letters, sides) {
            (UiContent::Text(text), Some(size), _) => text.size = size.clamp(4.0, 300.0) as f32,
            (UiContent::Text(_), ..) => {
                return Err(mlua::Error::runtime(
                    "size: the size of a text must be a number",
                ));
            }
            (
                UiContent::Bar { size, .. }
                | UiContent::Box { size, .. }
                | UiContent::Image { size, .. },
                _,
                Some(sides),
            ) => *size = points(sides).clamp(Vec2::ZERO, Vec2::splat(1e4)),
            (UiContent::Caption { .. }, ..) => return Err(has_none("size")),
            _ => {
                return Err(mlua::Error::runtime("size: expected vec(width, height, 0)"));
            }
        }
        Ok(Value::Nil)
    })
}

fn get_world_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_ui(lua, &args, |ui| {
        let place = ui
            .item
            .world_position
            .map(|world| lua_vector(world.position));
        Ok(place.unwrap_or(Value::Nil))
    })
}

fn set_world_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let place = args.vector(1).unwrap_or(Vec3::ZERO);
    with_ui(lua, &args, |ui| {
        if ui.item.world_position.is_none() {
            return Err(mlua::Error::runtime(
                "world_position: this element is on the screen; create it with world_position or character",
            ));
        }
        ui.move_to(place);
        Ok(Value::Nil)
    })
}

/// Methods and properties of a UI element.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "UiElement",
    doc: "An element of the user interface, created by a function of `ui`. It stays until you remove it or the script \
          is reloaded. A caption stays until its `duration` is over. A label that follows a character is hidden when \
          the character is removed.",
    functions: &[Function {
        name: "remove",
        params: &[],
        returns: "",
        doc: "Removes the element. After that, its value has no effect any more.",
        example: "ui.text(\"hello\"):remove()",
        call: remove,
    }],
    properties: &[
        Property {
            name: "text",
            ty: "string?",
            doc: "Text that the element shows, for a text or a caption. It is nil for other elements.",
            get: get_text,
            set: Some((Type::Text, set_text)),
        },
        Property {
            name: "value",
            ty: "number?",
            doc: "Value of a bar, 0 (empty) to 1 (full). It is nil for other elements.",
            get: get_value,
            set: Some((Type::Number, set_value)),
        },
        Property {
            name: "color",
            ty: "vector",
            doc: "Colour, as linear RGB. For a caption it is the colour of the speaker's name.",
            get: get_color,
            set: Some((Type::Vector, set_color)),
        },
        Property {
            name: "opacity",
            ty: "number",
            doc: "Opacity: 0 is invisible, 1 is opaque.",
            get: get_opacity,
            set: Some((Type::Number, set_opacity)),
        },
        Property {
            name: "visible",
            ty: "boolean",
            doc: "True if the element is shown. Set it to false to hide the element.",
            get: get_visible,
            set: Some((Type::Bool, set_visible)),
        },
        Property {
            name: "position",
            ty: "vector",
            doc: "Offset from the anchor in points: x to the right and y down.",
            get: get_position,
            set: Some((Type::Vector, set_position)),
        },
        Property {
            name: "size",
            ty: "(number | vector)?",
            doc: "Size in points. For a text it is a number, the height of the letters. For other elements it is a \
                  vector with the width (x) and the height (y). It is nil for a caption.",
            get: get_size,
            set: Some((Type::OneOf(&[Type::Number, Type::Vector]), set_size)),
        },
        Property {
            name: "world_position",
            ty: "vector?",
            doc: "Position of a label in the world, metres. It is nil for an element on the screen. For a label that \
                  follows a character, setting it moves the label; after that, the label follows the character at the \
                  new distance.",
            get: get_world_position,
            set: Some((Type::Vector, set_world_position)),
        },
    ],
};
