//! Targets to look at or to reach: positions, characters, bones, the camera.

use glam::{EulerRot, Quat, Vec3};
use mlua::{Lua, Value};

use super::character_ref::{CharacterRef, bone_index, find};
use super::check::{OptionValue, Type, object, vector};
use crate::words;
use galatea_character::Goal;
use galatea_derive::Options;
use galatea_stage::Stage;

/// The module `camera`: a table with this function.
pub(super) const CAMERA: Type = Type::Table("{ forward: () -> vector }");

/// Type of a target.
pub(super) const TARGET: Type = Type::OneOf(&[Type::Vector, CharacterRef::TYPE, CAMERA]);

/// Type of a target in functions that `false` ends.
pub(super) const TARGET_OR_FALSE: Type =
    Type::OneOf(&[Type::Vector, CharacterRef::TYPE, CAMERA, Type::Bool]);

/// Coordinate space of a target that is a vector.
#[derive(Clone, Copy, Default)]
pub(super) enum Space {
    #[default]
    World,
    Character,
}

words!(Space {
    "world" => Space::World,
    "character" => Space::Character,
});

/// Position of a goal on its target.
#[derive(Default, Options)]
pub(super) struct GoalOptions {
    /// Bone that is used as the target, if the target is a character.
    #[option(default_doc = "the origin of the target; for `look_at` its face")]
    pub target_bone: Option<String>,
    /// Offset from the target bone or character, in its own space.
    #[option(default_doc = "(0, 0, 0)", unit = "metres")]
    pub target_offset: Option<Vec3>,
    /// For a target that is a vector: the space of the vector, either the world or the character's own space.
    #[option(default = Space::World, default_doc = "world")]
    target_space: Space,
}

/// Rotation of a goal on its target.
#[derive(Default, Options)]
pub(super) struct GoalTurnOptions {
    /// With `match_rotation`: rotation relative to the target, about its y axis, applied last.
    #[option(default = 0.0, unit = "degrees")]
    yaw: f32,
    /// With `match_rotation`: rotation relative to the target, about its x axis, applied second.
    #[option(default = 0.0, unit = "degrees")]
    pitch: f32,
    /// With `match_rotation`: rotation relative to the target, about its z axis, applied first.
    #[option(default = 0.0, unit = "degrees")]
    roll: f32,
}

impl GoalTurnOptions {
    fn rotation(&self) -> Quat {
        let [yaw, pitch, roll] = [self.yaw, self.pitch, self.roll].map(f32::to_radians);
        Quat::from_euler(EulerRot::YXZ, yaw, pitch, roll)
    }
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Returns true if a value is the `camera` module of the scripts.
fn is_camera(lua: &Lua, value: &Value) -> bool {
    let camera = lua.globals().get::<Value>("camera");
    matches!((camera, value), (Ok(Value::Table(camera)), Value::Table(table)) if camera == *table)
}

/// Reads a goal from a value and its options, with the rotation of the target; `None` for nil.
pub(super) fn goal(
    lua: &Lua,
    stage: &mut Stage,
    what: &str,
    value: &Value,
    options: &GoalOptions,
) -> mlua::Result<Option<Goal>> {
    turned_goal(
        lua,
        stage,
        what,
        value,
        (options, &GoalTurnOptions::default()),
    )
}

/// Reads a goal from a value and its options, with a rotation relative to the target; `None` for nil.
pub(super) fn turned_goal(
    lua: &Lua,
    stage: &mut Stage,
    what: &str,
    value: &Value,
    (options, turn): (&GoalOptions, &GoalTurnOptions),
) -> mlua::Result<Option<Goal>> {
    if value.is_nil() {
        return Ok(None);
    }
    if is_camera(lua, value) {
        return Ok(Some(Goal::Camera));
    }
    if let Some(place) = vector(value) {
        return Ok(Some(match options.target_space {
            Space::Character => Goal::Own(place),
            Space::World => Goal::World(place),
        }));
    }
    let Some(CharacterRef(character)) = object(value) else {
        let text = format!("{what}: the target must be a vector, a character or `camera`");
        return Err(wrong(text));
    };
    let found = find(stage, character)?;
    let bone = options
        .target_bone
        .as_ref()
        .map(|name| bone_index(found, name));
    Ok(Some(Goal::On {
        character,
        bone: bone.transpose()?,
        at: options.target_offset.unwrap_or(Vec3::ZERO),
        turn: turn.rotation(),
    }))
}
