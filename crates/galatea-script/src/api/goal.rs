//! What scripts name for something to look at or to reach: places, characters, bones, the camera.

use glam::{EulerRot, Quat, Vec3};
use mlua::{Lua, Value};

use super::character::{CharacterRef, bone_index, find};
use super::check::{Field, Fields, Type, object, vector};
use crate::world::World;
use galatea_character::Goal;

/// What a target may be.
pub(super) const TARGET: Type = Type::OneOf(&[
    Type::Vector,
    Type::Object("Character"),
    Type::Table("{ [any]: any }"),
]);

/// What a target may be of a function that is ended by `false`.
pub(super) const TARGET_OR_FALSE: Type = Type::OneOf(&[
    Type::Vector,
    Type::Object("Character"),
    Type::Table("{ [any]: any }"),
    Type::Bool,
]);

/// Options about where on a target it is.
pub(super) const ON: Field =
    Field::new("on", Type::Text, "bone of the target character; its origin");
pub(super) const AT: Field = Field::new(
    "at",
    Type::Vector,
    "place in the space of that bone, metres; its origin",
);
pub(super) const YAW: Field = Field::new(
    "yaw",
    Type::Number,
    "degrees about the y axis of that bone, last; 0",
);
pub(super) const PITCH: Field =
    Field::new("pitch", Type::Number, "degrees about its x axis, second; 0");
pub(super) const ROLL: Field =
    Field::new("roll", Type::Number, "degrees about its z axis, first; 0");
pub(super) const SPACE: Field = Field::new(
    "space",
    Type::Word(&["world", "character"]),
    "what a vector counts in: the world, or the character's own space; \"world\"",
);

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// The camera of the scripts, where a value is it.
fn is_camera(lua: &Lua, value: &Value) -> bool {
    let camera = lua.globals().get::<Value>("camera");
    matches!((camera, value), (Ok(Value::Table(camera)), Value::Table(table)) if camera == *table)
}

/// The goal that a value and its options name; `None` for nothing.
pub(super) fn goal(
    lua: &Lua,
    world: &mut World,
    what: &str,
    value: &Value,
    fields: &Fields,
) -> mlua::Result<Option<Goal>> {
    if value.is_nil() {
        return Ok(None);
    }
    if is_camera(lua, value) {
        return Ok(Some(Goal::Camera));
    }
    if let Some(place) = vector(value) {
        let own = fields.text("space").as_deref() == Some("character");
        return Ok(Some(if own {
            Goal::Own(place)
        } else {
            Goal::World(place)
        }));
    }
    let Some(CharacterRef(character)) = object(value) else {
        let text = format!("{what}: a target is a vector, a character or `camera`");
        return Err(wrong(text));
    };
    let found = find(&mut world.stage, character)?;
    let bone = fields.text("on").map(|name| bone_index(found, &name));
    let angle = |name| (fields.number(name).unwrap_or(0.0) as f32).to_radians();
    let [yaw, pitch, roll] = ["yaw", "pitch", "roll"].map(angle);
    Ok(Some(Goal::On {
        character,
        bone: bone.transpose()?,
        at: fields.vector("at").unwrap_or(Vec3::ZERO),
        turn: Quat::from_euler(EulerRot::YXZ, yaw, pitch, roll),
    }))
}
