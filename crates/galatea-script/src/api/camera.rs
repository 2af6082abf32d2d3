//! `camera`: the orbit camera.

use mlua::{Lua, Value};

use super::character::{CharacterRef, gone_from};
use super::check::{Args, Field, Fields, Param, Type, lua_vector};
use super::{Function, Group, Kind};
use crate::world::with_world;
use galatea_stage::{CameraRig, CameraSettings, CameraTarget};

/// Where the camera stands.
pub(crate) const CAMERA_FIELDS: &[Field] = &[
    Field {
        name: "target",
        ty: Type::Vector,
        doc: "the point in the middle, metres",
    },
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "degrees about +Y; 0 looks at the front of a character with yaw 0",
    },
    Field {
        name: "pitch",
        ty: Type::Number,
        doc: "degrees above the horizon, -89 to 89",
    },
    Field {
        name: "distance",
        ty: Type::Number,
        doc: "metres to the target",
    },
    Field {
        name: "fov",
        ty: Type::Number,
        doc: "vertical field of view, degrees, 5 to 120",
    },
    Field {
        name: "locked",
        ty: Type::Bool,
        doc: "the player cannot turn, move or zoom it; false",
    },
    Field {
        name: "cut",
        ty: Type::Bool,
        doc: "it is there at once, as after a cut of a film, instead of gliding to its target; false",
    },
];

fn set(rig: &mut CameraRig, fields: &Fields) {
    let set = &mut rig.set;
    let number = |name: &str, now: f32| fields.number(name).map_or(now, |n| n as f32);
    set.yaw = number("yaw", set.yaw);
    set.pitch = number("pitch", set.pitch).clamp(-89.0, 89.0);
    set.distance = number("distance", set.distance).clamp(0.05, 1e4);
    set.locked = fields.bool("locked").unwrap_or(set.locked);
    set.fov = number("fov", set.fov).clamp(5.0, 120.0);
    if fields.bool("cut") == Some(true) {
        rig.cut();
    }
}

/// Looks at things again, from where it was if it was behind eyes.
fn look_at_things(rig: &mut CameraRig) {
    if rig.behind_eyes_of().is_some() {
        rig.set.target = CameraTarget::Point(rig.camera(1.0).eye);
        rig.set.fov = CameraSettings::default().fov;
    }
}

fn orbit(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    with_world(lua, |world| {
        look_at_things(&mut world.stage.camera);
        set(&mut world.stage.camera, &fields);
        if let Some(target) = fields.vector("target") {
            world.stage.camera.set.target = CameraTarget::Point(target);
        }
        Ok(Value::Nil)
    })
}

/// The camera as `camera.orbit` would set it, there at once.
pub(crate) fn placed(rig: &CameraRig, fields: &Fields) -> CameraRig {
    let mut placed = rig.clone();
    if let Some(target) = fields.vector("target") {
        // One that has not followed anything looks at its target without delay.
        placed = CameraRig::default();
        placed.set = rig.set;
        placed.set.target = CameraTarget::Point(target);
    }
    set(&mut placed, fields);
    placed
}

fn follow(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let character: CharacterRef = args
        .object(0)
        .ok_or_else(|| mlua::Error::runtime("camera.follow: expected a character"))?;
    let fields = args.fields(1);
    with_world(lua, |world| {
        look_at_things(&mut world.stage.camera);
        set(&mut world.stage.camera, &fields);
        let middle = world
            .stage
            .characters
            .get(character.0)
            .map_or(1.0, |c| c.definition.rest_bounds.0.y * c.placement.scale);
        let offset = fields.vector("target").unwrap_or(glam::Vec3::Y * middle);
        world.stage.camera.set.target = CameraTarget::Follow(character.0, offset);
        Ok(Value::Nil)
    })
}

const EYES_FIELDS: &[Field] = &[
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "degrees about +Y, as of camera.orbit; the way the character looks",
    },
    Field {
        name: "pitch",
        ty: Type::Number,
        doc: "degrees below the horizon, -89 to 89; 0",
    },
    Field {
        name: "fov",
        ty: Type::Number,
        doc: "vertical field of view, degrees, 5 to 120; 70",
    },
    Field {
        name: "locked",
        ty: Type::Bool,
        doc: "the player cannot turn it; false",
    },
];

fn first_person(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let character: CharacterRef = args
        .object(0)
        .ok_or_else(|| mlua::Error::runtime("camera.first_person: expected a character"))?;
    let fields = args.fields(1);
    with_world(lua, |world| {
        let stage = &mut world.stage;
        let Some(c) = stage.characters.get(character.0) else {
            return Err(mlua::Error::runtime(gone_from(stage, character.0)));
        };
        let name = &c.definition.model.name;
        let Some(eyes) = c.definition.own_eyes() else {
            return Err(mlua::Error::runtime(format!(
                "{name} has no head to look from: no bone has the role \"head\", and none is named so"
            )));
        };
        // Not only with the next tick.
        let here = eyes.place(&c.posed.world[0], &c.posed.model_from_bone);
        let ahead = c.placement.yaw + 180.0;
        let target = CameraTarget::Eyes(character.0);
        let is_new = stage.camera.set.target != target;
        let own = &mut stage.camera.set;
        if is_new {
            (own.yaw, own.pitch, own.fov, own.locked) = (ahead, 0.0, 70.0, false);
            own.target = target;
            (stage.camera.turned, stage.camera.panned) = ([0.0; 2], glam::Vec3::ZERO);
            stage.camera.cut();
            stage.camera.tick(here, 0.0);
        }
        set(&mut stage.camera, &fields);
        Ok(Value::Nil)
    })
}

fn frame(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let character: CharacterRef = args
        .object(0)
        .ok_or_else(|| mlua::Error::runtime("camera.frame: expected a character"))?;
    let fields = args.fields(1);
    with_world(lua, |world| {
        let stage = &mut world.stage;
        let Some(c) = stage.characters.get(character.0) else {
            return Err(mlua::Error::runtime(gone_from(stage, character.0)));
        };
        let [low, high] = c.definition.rest_box;
        let centre = (low + high) * 0.5 * c.placement.scale;
        let radius = (high - low).length() * 0.5 * c.placement.scale.abs();
        let turned = glam::Quat::from_rotation_y(c.placement.yaw.to_radians()) * centre;
        look_at_things(&mut stage.camera);
        set(&mut stage.camera, &fields);
        let half = (stage.camera.set.fov * 0.5).to_radians();
        stage.camera.set.distance = fields
            .number("distance")
            .map_or(radius.max(1e-3) / half.sin() * 1.02, |n| n as f32)
            .clamp(0.01, 1e5);
        stage.camera.set.target = CameraTarget::Follow(character.0, turned);
        Ok(Value::Nil)
    })
}

fn position(lua: &Lua, _: Args) -> mlua::Result<Value> {
    with_world(lua, |world| {
        Ok(lua_vector(world.stage.camera.camera(1.0).eye))
    })
}

fn forward(lua: &Lua, _: Args) -> mlua::Result<Value> {
    with_world(lua, |world| {
        let camera = world.stage.camera.camera(1.0);
        let flat = (camera.target - camera.eye) * glam::Vec3::new(1.0, 0.0, 1.0);
        Ok(lua_vector(
            flat.try_normalize().unwrap_or(glam::Vec3::NEG_Z),
        ))
    })
}

const RAY_FIELDS: &[Field] = &[
    Field {
        name: "x",
        ty: Type::Number,
        doc: "share of the picture from its left; the pointer's",
    },
    Field {
        name: "y",
        ty: Type::Number,
        doc: "share of the picture from its top; the pointer's",
    },
    Field {
        name: "reach",
        ty: Type::Number,
        doc: "metres; 100",
    },
];

fn ray(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    let reach = fields.number("reach").unwrap_or(100.0).clamp(0.0, 1e5) as f32;
    let (from, way) = with_world(lua, |world| {
        let stage = &world.stage;
        let [x, y] = stage.input.pointer;
        let share = |name: &str, own: f32| fields.number(name).map_or(own, |n| n as f32);
        let place = [share("x", x), share("y", y)];
        let way = stage.camera.through(place, stage.input.aspect);
        Ok((stage.camera.camera(1.0).eye, way))
    })?;
    let table = lua.create_table()?;
    table.raw_set("from", lua_vector(from))?;
    table.raw_set("to", lua_vector(from + way * reach))?;
    table.raw_set("direction", lua_vector(way))?;
    Ok(Value::Table(table))
}

/// The module `camera`.
pub(super) static GROUP: Group = Group {
    kind: Kind::Module,
    name: "camera",
    doc: "An orbit camera. The user turns it with the mouse; a reload keeps the turn.",
    functions: &[
        Function {
            name: "orbit",
            params: &[Param {
                name: "options",
                ty: Type::Fields(CAMERA_FIELDS),
                optional: false,
            }],
            returns: "",
            doc: "Sets where the camera stands; what is left out stays.",
            example: "camera.orbit { target = vector.create(0, 1, 0), distance = 4, yaw = 20 }",
            call: orbit,
        },
        Function {
            name: "follow",
            params: &[
                Param {
                    name: "character",
                    ty: Type::Object("Character"),
                    optional: false,
                },
                Param::options(CAMERA_FIELDS),
            ],
            returns: "",
            doc: "Keeps a character in the middle; `target` is then an offset from its position.",
            example: "camera.follow(hero, { distance = 5, pitch = 12 })",
            call: follow,
        },
        Function {
            name: "frame",
            params: &[
                Param {
                    name: "character",
                    ty: Type::Object("Character"),
                    optional: false,
                },
                Param::options(CAMERA_FIELDS),
            ],
            returns: "",
            doc: "Follows a character from so far away that all of it is seen, whatever its size.",
            example: "camera.frame(hero, { yaw = 40 })",
            call: frame,
        },
        Function {
            name: "first_person",
            params: &[
                Param {
                    name: "character",
                    ty: Type::Object("Character"),
                    optional: false,
                },
                Param::options(EYES_FIELDS),
            ],
            returns: "",
            doc: "Looks out of a character's eyes, and goes with its head; the mouse turns it. Its head, its hair and what is \
                  attached to the head are not drawn (meshes of VRM files as their `firstPerson` says), but throw their shadows. \
                  `camera.follow`, `orbit` and `frame` end it.",
            example: "camera.first_person(hero, { fov = 75 })\nhero.yaw = 0",
            call: first_person,
        },
        Function {
            name: "ray",
            params: &[Param {
                name: "place",
                ty: Type::Fields(RAY_FIELDS),
                optional: true,
            }],
            returns: "{ from: vector, to: vector, direction: vector }",
            doc: "The way from the camera through a place of the picture, else through the pointer.",
            example: "local aim = camera.ray()\nlocal hit = physics.ray(aim.from, aim.to, { exact = true })",
            call: ray,
        },
        Function {
            name: "position",
            params: &[],
            returns: "vector",
            doc: "Where the camera is, metres.",
            example: "local eye = camera.position()",
            call: position,
        },
        Function {
            name: "forward",
            params: &[],
            returns: "vector",
            doc: "The direction in which the camera looks, made level; of length 1.",
            example: "local ahead = camera.forward()",
            call: forward,
        },
    ],
    properties: &[],
};
