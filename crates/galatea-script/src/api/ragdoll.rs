//! `hero:ragdoll`: limbs as bodies.

use mlua::{Lua, Value};

use super::character::{bone_index, find, with_character};
use super::check::{Args, Field, Param, Type, names};
use super::{Function, Property};
use crate::world::with_world;
use galatea_character::Character;
use galatea_physics::ragdoll::Control;
use galatea_stage::{Handle, Stage, control};

const FIELDS: &[Field] = &[
    Field {
        name: "bones",
        ty: Type::OneOf(&[Type::Text, Type::Table]),
        doc: "a bone with a body (see `bodies`), or a list: these limbs and all that hangs on them; all",
    },
    Field {
        name: "power",
        ty: Type::Number,
        doc: "0 to 1: motors pull the limbs to the pose of the clips; without it they hang",
    },
    Field {
        name: "animated",
        ty: Type::Bool,
        doc: "they are where the clips have them, and push what is there",
    },
    Field {
        name: "pin",
        ty: Type::Number,
        doc: "0 to 1: how far powered hips are held where the clips have them; 1",
    },
    Field {
        name: "stiffness",
        ty: Type::Number,
        doc: "hertz of a motor at full power, 0 to 60; 16",
    },
    Field {
        name: "strength",
        ty: Type::Number,
        doc: "newton metres of a motor for each kilogram that hangs on it, 0 or more; 12",
    },
];

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// That something can neither fall nor be hit as a body with limbs does.
fn without_limbs(name: &str) -> mlua::Error {
    wrong(format!(
        "{name} has no bones that could be bodies, so it has no limbs that fall or give way; \
         what is solid is pushed: thing:push(vector.create(0, 0, -5))"
    ))
}

/// Gives it back where it has limbs that can be bodies.
///
/// # Errors
/// What it has instead: nothing, or one body as a solid thing.
pub(super) fn with_limbs(stage: &mut Stage, handle: Handle) -> mlua::Result<&mut Character> {
    let character = find(stage, handle)?;
    if character.body.has_limbs(&character.definition) {
        Ok(character)
    } else {
        Err(without_limbs(&character.definition.model.name))
    }
}

fn ragdoll(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let fields = args.fields(1);
    if args.bool(1) == Some(false) {
        return with_world(lua, |world| {
            find(&mut world.stage, handle)?;
            world.stage.bodies().end_limbs(handle);
            Ok(Value::Nil)
        });
    }
    let power = fields.within("power", 0.0, 1.0)?;
    let pin = fields.within("pin", 0.0, 1.0)?;
    let stiffness = fields.within("stiffness", 0.0, 60.0)?;
    let strength = fields.within("strength", 0.0, f64::INFINITY)?;
    let is_animated = fields.bool("animated") == Some(true);
    if is_animated && power.is_some() {
        return Err(wrong(
            "ragdoll: limbs are pulled by power or animated, not both",
        ));
    }
    let motors = [
        ("pin", pin),
        ("stiffness", stiffness),
        ("strength", strength),
    ];
    if power.is_none()
        && let Some((name, _)) = motors.iter().find(|(_, given)| given.is_some())
    {
        return Err(wrong(format!(
            "ragdoll: {name} is for limbs with power; say power = 1 too"
        )));
    }
    let which = if is_animated {
        Control::Animated
    } else {
        control(power)
    };
    let bones = match fields.value("bones") {
        Value::Nil => None,
        value => Some(names(&value, "bones")?),
    };
    if bones.as_ref().is_some_and(Vec::is_empty) {
        return Err(wrong("ragdoll: bones: name at least one"));
    }
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        let model = character.definition.model.clone();
        let bones = bones
            .map(|bones| {
                let found = bones.iter().map(|name| limb(character, name));
                found.collect::<mlua::Result<Vec<u16>>>()
            })
            .transpose()?;
        let Some(limbs) = world.stage.characters.limbs(handle) else {
            return Err(without_limbs(&model.name));
        };
        let settings = &mut limbs.ragdoll.settings;
        settings.pin = pin.unwrap_or(settings.pin);
        settings.frequency = stiffness.unwrap_or(settings.frequency);
        settings.strength = strength.unwrap_or(settings.strength);
        match bones {
            None if which == Control::Limp => {
                limbs.stays = true;
                limbs.asked = None;
                world.stage.bodies().fall(handle);
            }
            None => limbs.ask_all(which),
            Some(bones) => {
                for body in limbs.bodies_under(&model.skeleton, &bones) {
                    limbs.ask(body, which);
                }
            }
        }
        Ok(Value::Nil)
    })
}

/// A bone on which bodies hang, its own among them.
fn limb(character: &Character, name: &str) -> mlua::Result<u16> {
    let bone = bone_index(character, name)?;
    let bones = character.definition.model.skeleton.bones();
    let bodies = &character.body.ragdoll(&character.definition).bodies;
    let above =
        |bone: u16| std::iter::successors(Some(bone), |bone| bones.get(usize::from(*bone))?.parent);
    if bodies
        .iter()
        .any(|body| above(body.bone).any(|b| b == bone))
    {
        return Ok(bone);
    }
    let carrier = above(bone).find(|bone| bodies.iter().any(|body| body.bone == *bone));
    let carrier = carrier.and_then(|bone| bones.get(usize::from(bone)));
    let hint = carrier.map_or_else(String::new, |bone| {
        format!("; it goes with {:?}", bone.name)
    });
    Err(wrong(format!("ragdoll: no body hangs on {name:?}{hint}")))
}

fn get_down(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        let limbs = character.body.limbs.as_ref();
        Ok(Value::Boolean(limbs.is_some_and(|limbs| limbs.is_down())))
    })
}

fn get_lying(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let word = with_character(lua, &args, |_, character| {
        Ok(character
            .posed
            .lying(&character.definition, character.placement)
            .0
            .word())
    })?;
    Ok(Value::String(lua.create_string(word)?))
}

pub(super) const RAGDOLL: Function = Function {
    name: "ragdoll",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[Type::Fields(FIELDS), Type::Bool]),
        optional: true,
    }],
    returns: "",
    doc: "Makes its limbs bodies of the world, built from the model itself. Without options all of it \
          falls, at the speed that its clips had; with `bones` only these limbs; with `power` motors pull \
          them to the pose of the clips; both stay over falls and blows. Whoever lies by this does until `get_up`. `false` ends it: what is left of the fall gives way to the clips.",
    example: "hero:ragdoll()\nhero:ragdoll(false)\nhero:ragdoll { bones = \"left_upper_arm\" }\nhero:ragdoll { power = 0.8 }",
    call: ragdoll,
};

pub(super) const DOWN: Property = Property {
    name: "down",
    ty: "boolean",
    doc: "True while it falls or lies.",
    get: get_down,
    set: None,
};

pub(super) const LYING: Property = Property {
    name: "lying",
    ty: "string",
    doc: "How its trunk is turned: \"upright\", also where it sits or has sunk down with its head over its hips, \"face_up\", \"face_down\" or \"side\".",
    get: get_lying,
    set: None,
};
