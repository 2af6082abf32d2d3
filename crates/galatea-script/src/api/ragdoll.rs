//! `hero:ragdoll`: limbs as rigid bodies.

use mlua::{Lua, Value};

use super::character_ref::{bone_index, find, with_character};
use super::check::{Args, OneOrMany, Options, Param, Type};
use super::group::{Function, Property};
use crate::world::with_world;
use galatea_character::Character;
use galatea_derive::Options;
use galatea_physics::ragdoll::BodyControl;
use galatea_stage::{Handle, Stage, control};

/// Limbs that become rigid bodies, and their control.
#[derive(Options)]
struct RagdollOptions {
    /// Bone with a body (see `ragdoll_bodies`), or a list of bones. The call applies to these limbs and all limbs below
    /// them.
    #[option(default_doc = "all")]
    bones: Option<OneOrMany<String>>,
    /// Strength of the motors that pull the limbs to the pose of the clips.
    #[option(default_doc = "no motors: the limbs are limp", range = 0.0..=1.0)]
    motor_strength: Option<f32>,
    /// True moves the limbs exactly as the clips do. They push other bodies, but nothing moves them.
    #[option(default = false)]
    kinematic: bool,
    /// With `motor_strength`: strength with which the hips are pulled to their position in the clips.
    #[option(default_doc = "1", range = 0.0..=1.0)]
    pin: Option<f32>,
    /// Stiffness of the motors, as the frequency of a spring at a `motor_strength` of 1. Higher values follow the clips
    /// faster.
    #[option(default_doc = "16", unit = "hertz", range = 0.0..=60.0)]
    motor_frequency: Option<f32>,
    /// Maximum torque (turning force) of a motor, for each kilogram of the limbs that hang on it.
    #[option(default_doc = "12", unit = "newton metres", range = 0.0..)]
    max_torque: Option<f32>,
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Error for a character without limbs that can be bodies.
fn without_limbs(name: &str) -> mlua::Error {
    wrong(format!(
        "the model {name:?} has no bones for a ragdoll; push its collider with thing:apply_impulse(vec(0, 0, -5))"
    ))
}

/// Returns the character if its limbs can be rigid bodies.
///
/// # Errors
/// Fails if the character has no such limbs.
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
    if args.bool(1) == Some(false) {
        return with_world(lua, |world| {
            find(&mut world.stage, handle)?;
            world.stage.bodies().end_limbs(handle);
            Ok(Value::Nil)
        });
    }
    let RagdollOptions {
        bones,
        motor_strength: power,
        kinematic: is_animated,
        pin,
        motor_frequency: stiffness,
        max_torque: strength,
    } = args.options(1)?;
    if is_animated && power.is_some() {
        return Err(wrong("ragdoll: give either motor_strength or kinematic"));
    }
    let motors = [
        ("pin", pin),
        ("motor_frequency", stiffness),
        ("max_torque", strength),
    ];
    if power.is_none()
        && let Some((name, _)) = motors.iter().find(|(_, given)| given.is_some())
    {
        return Err(wrong(format!(
            "ragdoll: {name} needs motors; add the option motor_strength = 1"
        )));
    }
    let which = if is_animated {
        BodyControl::Animated
    } else {
        control(power)
    };
    let bones = bones.map(|bones| bones.0);
    if bones.as_ref().is_some_and(Vec::is_empty) {
        return Err(wrong("ragdoll: bones: name at least one bone"));
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
        settings.motor_frequency = stiffness.unwrap_or(settings.motor_frequency);
        settings.max_torque = strength.unwrap_or(settings.max_torque);
        match bones {
            None if which == BodyControl::Limp => {
                limbs.stays_down = true;
                limbs.requested = None;
                world.stage.bodies().fall(handle);
            }
            None => limbs.set_all_controls(which),
            Some(bones) => {
                for body in limbs.bodies_under(&model.skeleton, &bones) {
                    limbs.set_control(body, which);
                }
            }
        }
        Ok(Value::Nil)
    })
}

/// Finds a bone that has a body or has bodies below it.
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
        format!("; it moves with the body of bone {:?}", bone.name)
    });
    Err(wrong(format!(
        "ragdoll: bone {name:?} has no rigid body{hint}"
    )))
}

fn get_is_down(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        let limbs = character.body.limbs.as_ref();
        Ok(Value::Boolean(limbs.is_some_and(|limbs| limbs.is_down())))
    })
}

fn get_is_getting_up(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        Ok(Value::Boolean(character.body.rising.is_some()))
    })
}

fn get_posture(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let word = with_character(lua, &args, |_, character| {
        Ok(character
            .posed
            .posture(&character.definition, character.placement)
            .0
            .word())
    })?;
    Ok(Value::String(lua.create_string(word)?))
}

pub(super) const RAGDOLL: Function = Function {
    name: "ragdoll",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[Type::Options(RagdollOptions::SHAPE), Type::Bool]),
        optional: true,
    }],
    returns: "",
    doc: "Makes the limbs rigid bodies of the physics world (a ragdoll). Their shapes are made from the model. The \
          call has four uses:\n\n\
          - Without options the whole character falls, with the current velocity of its clips, and lies until \
          `get_up`.\n\
          - With `motor_strength`, motors pull the limbs to the pose of the clips (powered ragdoll). The character \
          stays on its feet and can be pushed.\n\
          - With `bones`, the call applies only to these limbs. `bones` and `motor_strength` stay in effect after \
          falls and hits.\n\
          - `ragdoll(false)` ends the ragdoll; the pose blends into the clips.",
    example: "hero:ragdoll()\nhero:ragdoll(false)\nhero:ragdoll { bones = \"left_upper_arm\" }\nhero:ragdoll { motor_strength = 0.8 }",
    call: ragdoll,
};

pub(super) const IS_DOWN: Property = Property {
    name: "is_down",
    ty: "boolean",
    doc: "True while the character is falling or lying on the ground. It becomes false when the character begins to get \
          up, which takes about 3 seconds; see `is_getting_up`.",
    get: get_is_down,
    set: None,
};

pub(super) const IS_GETTING_UP: Property = Property {
    name: "is_getting_up",
    ty: "boolean",
    doc: "True from the event `get_up`, when the character begins to rise, to the event `get_up_end`, when it stands.",
    get: get_is_getting_up,
    set: None,
};

pub(super) const POSTURE: Property = Property {
    name: "posture",
    ty: "string",
    doc: "Orientation of the trunk: \"upright\", \"face_up\", \"face_down\" or \"side\". It is also \"upright\" while the \
          character sits, or is slumped with the head above the hips.",
    get: get_posture,
    set: None,
};
