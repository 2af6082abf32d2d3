//! The pose that a script's modifier function receives.

use glam::{Quat, Vec3};
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::{bone_index, find};
use super::check::{Args, Param, Type, lua_vector};
use super::group::{Function, Group, Kind};
use crate::world::with_world;
use galatea_rig::Posed;
use galatea_stage::Handle;

/// Script handle to the pose of a character; valid while a modifier function runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoseRef(pub Handle);

impl UserData for PoseRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Runs `f` with the pose and the bone of the first argument.
fn with_pose<R>(
    lua: &Lua,
    args: &Args,
    f: impl FnOnce(&mut Posed<'_>, u16) -> R,
) -> mlua::Result<R> {
    let over =
        || wrong("this pose is no longer valid; use it only inside the function of add_modifier");
    let PoseRef(handle) = args.object(0).ok_or_else(over)?;
    let name = args.text(1).unwrap_or_default();
    with_world(lua, |world| {
        if world.program.modifiers.modifying != Some(handle) {
            return Err(over());
        }
        let character = find(&mut world.stage, handle)?;
        let bone = bone_index(character, &name)?;
        let done = character.modifiers.posed_for_script(
            &character.definition,
            &mut character.posed,
            |posed| f(posed, bone),
        );
        done.ok_or_else(over)
    })
}

fn position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = args.vector(2).unwrap_or(Vec3::ZERO);
    let place = with_pose(lua, &args, |posed, bone| {
        posed.model(bone).transform_point3(at)
    })?;
    Ok(lua_vector(place))
}

fn direction(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let axis = args.vector(2).unwrap_or(Vec3::Z);
    let direction = with_pose(lua, &args, |posed, bone| {
        let turned = posed.model(bone).transform_vector3(axis);
        turned.normalize_or_zero()
    })?;
    Ok(lua_vector(direction))
}

fn rotate(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let axis = args.vector(2).unwrap_or(Vec3::Y);
    let angle = (args.number(3).unwrap_or(0.0) as f32).to_radians();
    let in_model = args.text(4).as_deref() == Some("character");
    let Some(axis) = axis.try_normalize() else {
        return Err(wrong("rotate: the axis must not be zero"));
    };
    with_pose(lua, &args, |posed, bone| {
        let by = Quat::from_axis_angle(axis, angle);
        if in_model {
            posed.turn_in_model(bone, by);
        } else {
            let local = posed.local(bone).rotation;
            posed.set_rotation(bone, local * by);
        }
        Value::Nil
    })
}

fn move_by(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let by = args.vector(2).unwrap_or(Vec3::ZERO);
    with_pose(lua, &args, |posed, bone| {
        let back = posed.parent_model(bone).inverse();
        let mut local = posed.local(bone);
        local.translation += back.transform_vector3(by);
        posed.set_local(bone, local);
        Value::Nil
    })
}

const BONE: Param = Param {
    name: "bone",
    ty: Type::Text,
    optional: false,
};

/// Methods of a pose.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Pose",
    doc: "The current pose of a character. The function of `hero:add_modifier` gets it as its argument and may use it \
          only until the function returns. Positions and directions are in the character's own space: in metres, +Y is \
          up, and the character looks along +Z.",
    functions: &[
        Function {
            name: "position",
            params: &[
                BONE,
                Param {
                    name: "at",
                    ty: Type::Vector,
                    optional: true,
                },
            ],
            returns: "vector",
            doc: "Returns the position of a bone, in the character's space, metres. `at` is a point in the bone's own \
                  space; with it, the result is the position of that point.",
            example: "hero:add_modifier(\"look\", function(pose) print(pose:position(\"head\")) end)",
            call: position,
        },
        Function {
            name: "direction",
            params: &[
                BONE,
                Param {
                    name: "axis",
                    ty: Type::Vector,
                    optional: true,
                },
            ],
            returns: "vector",
            doc: "Returns the direction in which an axis of a bone points, in the character's space, as a vector of \
                  length 1. `axis` is a direction in the bone's own space, by default its z axis.",
            example: "hero:add_modifier(\"look\", function(pose) print(pose:direction(\"head\")) end)",
            call: direction,
        },
        Function {
            name: "rotate",
            params: &[
                BONE,
                Param {
                    name: "axis",
                    ty: Type::Vector,
                    optional: false,
                },
                Param {
                    name: "degrees",
                    ty: Type::Number,
                    optional: false,
                },
                Param {
                    name: "space",
                    ty: Type::Word(&["bone", "character"]),
                    optional: true,
                },
            ],
            returns: "",
            doc: "Rotates a bone, with all bones below it, around an axis through the origin of the bone. `degrees` is \
                  the angle. `space` says in whose space the vector `axis` is: \"bone\" (the default) or \"character\".",
            example: "hero:add_modifier(\"bow\", function(pose) pose:rotate(\"spine\", vec(1, 0, 0), 20, \"character\") end)",
            call: rotate,
        },
        Function {
            name: "move",
            params: &[
                BONE,
                Param {
                    name: "by",
                    ty: Type::Vector,
                    optional: false,
                },
            ],
            returns: "",
            doc: "Moves a bone, with all bones below it. `by` is the offset in the character's space, metres.",
            example: "hero:add_modifier(\"duck\", function(pose) pose:move(\"hips\", vec(0, -0.1, 0)) end)",
            call: move_by,
        },
    ],
    properties: &[],
};
