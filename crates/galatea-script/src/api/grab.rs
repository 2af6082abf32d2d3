//! `physics.grab`: a hand that picks up, drags and throws rigid bodies and limbs.

use glam::Vec3;
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::{CharacterRef, bone_index, find, reference};
use super::check::{Args, Options, Param, Type, lua_vector, object, text, vector};
use super::group::{Function, Group, Kind, Property};
use crate::world::with_world;
use galatea_derive::Options;
use galatea_stage::StageGrab;

/// Handle to a hand.
#[derive(Clone, Copy)]
struct GrabRef(u64);

impl UserData for GrabRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// Maximum number of hands.
const MAX_GRABS: usize = 64;

/// Spring between a hand and a body.
#[derive(Options)]
struct GrabOptions {
    /// Stiffness of the spring, given as its frequency. With higher values, the object follows the hand faster.
    #[option(default = 4.0, unit = "hertz", clamp = 0.1..=15.0)]
    frequency: f32,
    /// Maximum force with which the hand pulls, along each axis.
    #[option(
        default_doc = "200 per kilogram that hangs on the hand",
        unit = "newtons",
        clamp = 0.0..
    )]
    max_force: Option<f32>,
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

fn grab(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let hit = args
        .table(0)
        .ok_or_else(|| wrong("physics.grab: expected a hit"))?;
    let GrabOptions {
        frequency: stiffness,
        max_force: force,
    } = args.options(1)?;
    let Some(CharacterRef(handle)) = object(&hit.raw_get("character")?) else {
        return Ok(Value::Nil);
    };
    let Some(at) = vector(&hit.raw_get("position")?) else {
        return Err(wrong(
            "physics.grab: the hit has no position; pass the result of physics.raycast",
        ));
    };
    let bone = text(&hit.raw_get("bone")?);
    let id = with_world(lua, |world| {
        let stage = &mut world.stage;
        let character = find(stage, handle)?;
        let bone = bone.map(|bone| bone_index(character, &bone)).transpose()?;
        if stage.physics.grabs.len() >= MAX_GRABS {
            return Err(wrong(format!(
                "physics.grab: the limit is {MAX_GRABS} hands"
            )));
        }
        Ok(stage.bodies().grab(handle, bone, at, stiffness, force))
    })?;
    match id {
        Some(id) => Ok(Value::UserData(lua.create_userdata(GrabRef(id))?)),
        None => Ok(Value::Nil),
    }
}

fn with_grab(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(&mut StageGrab) -> Value,
) -> mlua::Result<Value> {
    let grab: Option<GrabRef> = args.object(0);
    with_world(lua, |world| {
        let mut grabs = world.stage.physics.grabs.iter_mut();
        let found = grabs.find(|one| grab.is_some_and(|GrabRef(id)| one.id == id));
        Ok(found.map_or(Value::Nil, work))
    })
}

fn release(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let grab: Option<GrabRef> = args.object(0);
    with_world(lua, |world| {
        if let Some(GrabRef(id)) = grab {
            world.stage.bodies().release(id);
        }
        Ok(Value::Nil)
    })
}

fn get_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_grab(lua, &args, |grab| lua_vector(grab.target))
}

fn set_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let to = args.vector(1).unwrap_or(Vec3::ZERO);
    with_grab(lua, &args, |grab| {
        if to.is_finite() {
            grab.target = to;
        }
        Value::Nil
    })
}

fn get_character(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let mut held = None;
    with_grab(lua, &args, |grab| {
        held = Some(grab.character);
        Value::Nil
    })?;
    held.map_or(Ok(Value::Nil), |handle| reference(lua, handle))
}

/// `physics.grab`.
pub(super) const GRAB: Function = Function {
    name: "grab",
    params: &[
        Param {
            name: "hit",
            ty: Type::Table("{ character: Character?, position: vector, bone: string? }"),
            optional: false,
        },
        Param::options(GrabOptions::SHAPE),
    ],
    returns: "Grab?",
    doc: "Picks up the object that a ray has hit: a dynamic body, or a limb of a character. `hit` is the result of a \
          ray, such as `physics.raycast`. A soft spring pulls the point that was hit to the `position` of the returned \
          hand. A standing character falls, and does not get up while it is held. Returns nil if the object cannot \
          move.",
    example: "local aim = camera.ray()\nlocal hit = physics.raycast(aim.from, aim.to, { exact = true })\nlocal hand = hit and physics.grab(hit)\nif hand then hand.position += vec(0, 1, 0) end",
    call: grab,
};

/// Methods and properties of a hand.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Grab",
    doc: "An invisible hand that holds a rigid body or a limb, created by `physics.grab`. The hand opens by itself when \
          the held body is removed, when its character gets up, or when it is attached to a bone.",
    functions: &[Function {
        name: "release",
        params: &[],
        returns: "",
        doc: "Opens the hand. The body keeps its velocity, so you can throw it by moving the hand before.",
        example: "local box = physics.box { position = vec(0, 1, 2), mass = 4 }\nlocal hand = physics.grab { character = box, position = box.position }\nif hand then hand:release() end",
        call: release,
    }],
    properties: &[
        Property {
            name: "position",
            ty: "vector?",
            doc: "Position of the hand, to which a spring pulls the held body, metres. Set it to move the hand. It is \
                  nil when the hand is open.",
            get: get_position,
            set: Some((Type::Vector, set_position)),
        },
        Property {
            name: "character",
            ty: "Character?",
            doc: "Character or prop that is held; nil when the hand is open.",
            get: get_character,
            set: None,
        },
    ],
};
