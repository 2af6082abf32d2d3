//! `hero:sit`: hips on a seat, feet on the ground.

use mlua::{Lua, Value};

use super::Function;
use super::carriage::ends;
use super::check::{Args, Field, Param, Type};
use super::goal::{AT, ON, SPACE, TARGET_OR_FALSE, goal};
use super::stack::{modifier_fields, put};
use crate::world::with_world;
use galatea_character::{Kind, Sitting};

fn sit(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    if ends(lua, &args, "sit")? {
        return Ok(Value::Nil);
    }
    let fields = args.fields(2);
    let target = args.value(1);
    let found = with_world(lua, |world| goal(lua, world, "sit", &target, &fields))?;
    put(lua, handle, "sit", "sit".into(), &fields, |character| {
        let rig = character.definition.whole_rig();
        let missing = rig.as_ref().err().cloned();
        let lean = fields.number("lean").unwrap_or(35.0).clamp(0.0, 80.0) as f32;
        let sitting = Sitting {
            rig: rig.ok(),
            goal: found,
            place: None,
            lean: lean.to_radians(),
        };
        Ok((Kind::Sit(Box::new(sitting)), missing))
    })
}

/// `hero:sit(target)`.
pub(super) const SIT: Function = Function {
    name: "sit",
    params: &[
        Param {
            name: "target",
            ty: TARGET_OR_FALSE,
            optional: false,
        },
        Param {
            name: "options",
            ty: Type::Fields(modifier_fields!(
                ON,
                AT,
                SPACE,
                Field::new(
                    "lean",
                    Type::Number,
                    "degrees by which the trunk leans forward on the way; 35"
                ),
            )),
            optional: true,
        },
    ],
    returns: "Modifier",
    doc: "Brings its hips to a seat in `fade` seconds, the target a place on its surface, while the feet stay where \
          they stand and the knees bend: with its back to the seat, some 0.35 m before it; \
          what the legs do not reach is come near to. `false` has it stand up.",
    example: "hero:sit(vector.create(0, 0.45, -0.35), { fade = 1 })\nhero:sit(false)",
    call: sit,
};
