//! `task:turn_to`: turns the character of a task on the spot.

use mlua::{Lua, Value};

use super::character_ref::{CharacterRef, find, reference};
use super::check::{Args, OptionValue, Options, Param, Type, lua_vector, number, object};
use super::goal::{CAMERA, GoalOptions, goal};
use super::group::Function;
use super::look_at::{TurnInPlaceOptions, set_turns};
use super::task_ref::character_of_task;
use super::using::place_of;
use crate::world::with_world;

/// Checks the arguments of `task:turn_to` for the runtime's own part.
fn task_turn_to(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = character_of_task(&args, "task:turn_to")?;
    let target = args.value(1);
    let options: TurnInPlaceOptions = args.options(2)?;
    let table = lua.create_table()?;
    table.raw_set("hero", reference(lua, handle)?)?;
    if let Some(yaw) = number(&target) {
        table.raw_set("yaw", yaw)?;
    } else if object::<CharacterRef>(&target).is_some() {
        table.raw_set("follow", target)?;
    } else {
        let place = with_world(lua, |world| {
            let found = goal(
                lua,
                &mut world.stage,
                "turn_to",
                &target,
                &GoalOptions::default(),
            )?;
            let found =
                found.ok_or_else(|| mlua::Error::runtime("turn_to: a target is missing"))?;
            place_of(&mut world.stage, handle, found)
        })?;
        table.raw_set("place", lua_vector(place))?;
    }
    with_world(lua, |world| {
        set_turns(find(&mut world.stage, handle)?, options)
    })?;
    Ok(Value::Table(table))
}

/// Turns a character to a heading, degrees about +Y; nil ends the turn. Returns the remaining angle as a positive
/// number of degrees. For the runtime's own part of tasks.
pub(super) fn turn_to(lua: &Lua, (who, yaw): (Value, Option<f32>)) -> mlua::Result<f32> {
    let Some(CharacterRef(who)) = object(&who) else {
        return Ok(0.0);
    };
    with_world(lua, |world| {
        let Some(character) = world.stage.characters.get_mut(who) else {
            return Ok(0.0);
        };
        character
            .locomotion
            .turning_in_place
            .get_or_insert_default()
            .to = yaw.filter(|yaw| yaw.is_finite());
        Ok(character
            .turn_to_go()
            .map_or(0.0, |left| left.to_degrees().abs()))
    })
}

/// `task:turn_to(target)`.
pub(super) const TURN_TO: Function = Function {
    name: "turn_to",
    params: &[
        Param {
            name: "target",
            ty: Type::OneOf(&[Type::Number, Type::Vector, CharacterRef::TYPE, CAMERA]),
            optional: false,
        },
        Param::options(TurnInPlaceOptions::SHAPE),
    ],
    returns: "boolean",
    doc: "Turns the task's character on the spot. The target is a position, a character, `camera`, or an angle in \
          degrees around the Y axis (0 is +Z, 90 is +X). The character plays a turning clip if there is one; otherwise \
          `foot_ik` makes its steps. While the character walks, the turn waits. Returns true when the turn is complete, \
          or false after 8 seconds.",
    example: "hero:foot_ik()\nhero:task(function(a) a:turn_to(camera) a:turn_to(180, { turn_rate = 90 }) end)",
    call: task_turn_to,
};
