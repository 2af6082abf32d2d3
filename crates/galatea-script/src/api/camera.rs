//! `camera`: the orbit camera.

use glam::Vec3;
use mlua::{Lua, Value};

use super::character_ref::{CharacterRef, gone_from};
use super::check::{Args, Options, Param, Type, lua_vector};
use super::group::{Function, Group, Kind};
use crate::world::with_world;
use galatea_derive::Options;
use galatea_stage::{CameraRig, CameraSettings, CameraTarget};

/// Where the camera stands. What is left out stays.
#[derive(Clone, Options)]
pub(crate) struct CameraOptions {
    /// The point in the middle.
    #[option(unit = "metres")]
    target: Option<Vec3>,
    /// Turn about +Y; 0 looks at the front of a character with yaw 0.
    #[option(unit = "degrees")]
    yaw: Option<f32>,
    /// Height above the horizon.
    #[option(unit = "degrees", clamp = -89.0..=89.0)]
    pitch: Option<f32>,
    /// Distance to the target.
    #[option(unit = "metres", clamp = 0.01..=1e5)]
    distance: Option<f32>,
    /// Vertical field of view.
    #[option(unit = "degrees", clamp = 5.0..=120.0)]
    fov: Option<f32>,
    /// The player cannot turn, move or zoom it.
    locked: Option<bool>,
    /// It is there at once, as after a cut of a film, instead of gliding to its target.
    #[option(default = false)]
    cut: bool,
}

fn set(rig: &mut CameraRig, options: &CameraOptions) {
    let set = &mut rig.set;
    set.yaw = options.yaw.unwrap_or(set.yaw);
    set.pitch = options.pitch.unwrap_or(set.pitch).clamp(-89.0, 89.0);
    set.distance = options.distance.unwrap_or(set.distance).clamp(0.05, 1e4);
    set.locked = options.locked.unwrap_or(set.locked);
    set.fov = options.fov.unwrap_or(set.fov).clamp(5.0, 120.0);
    if options.cut {
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
    let options: CameraOptions = args.options(0)?;
    with_world(lua, |world| {
        look_at_things(&mut world.stage.camera);
        set(&mut world.stage.camera, &options);
        if let Some(target) = options.target {
            world.stage.camera.set.target = CameraTarget::Point(target);
        }
        Ok(Value::Nil)
    })
}

/// The camera as `camera.orbit` would set it, there at once.
pub(crate) fn placed(rig: &CameraRig, options: &CameraOptions) -> CameraRig {
    let mut placed = rig.clone();
    if let Some(target) = options.target {
        // One that has not followed anything looks at its target without delay.
        placed = CameraRig::default();
        placed.set = rig.set;
        placed.set.target = CameraTarget::Point(target);
    }
    set(&mut placed, options);
    placed
}

fn follow(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let character: CharacterRef = args
        .object(0)
        .ok_or_else(|| mlua::Error::runtime("camera.follow: expected a character"))?;
    let options: CameraOptions = args.options(1)?;
    with_world(lua, |world| {
        look_at_things(&mut world.stage.camera);
        set(&mut world.stage.camera, &options);
        let middle = world
            .stage
            .characters
            .get(character.0)
            .map_or(1.0, |c| c.definition.rest_bounds.0.y * c.placement.scale);
        let offset = options.target.unwrap_or(Vec3::Y * middle);
        world.stage.camera.set.target = CameraTarget::Follow(character.0, offset);
        Ok(Value::Nil)
    })
}

/// How the camera looks out of a character's eyes. What is left out stays.
#[derive(Options)]
struct FirstPersonOptions {
    /// Turn about +Y, as of camera.orbit.
    #[option(default_doc = "the way the character looks", unit = "degrees")]
    yaw: Option<f32>,
    /// Height below the horizon.
    #[option(default_doc = "0", unit = "degrees", clamp = -89.0..=89.0)]
    pitch: Option<f32>,
    /// Vertical field of view.
    #[option(default_doc = "70", unit = "degrees", clamp = 5.0..=120.0)]
    fov: Option<f32>,
    /// The player cannot turn it.
    #[option(default_doc = "false")]
    locked: Option<bool>,
}

fn first_person(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let character: CharacterRef = args
        .object(0)
        .ok_or_else(|| mlua::Error::runtime("camera.first_person: expected a character"))?;
    let options: FirstPersonOptions = args.options(1)?;
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
            (stage.camera.turned, stage.camera.panned) = ([0.0; 2], Vec3::ZERO);
            stage.camera.cut();
            stage.camera.tick(here, 0.0);
        }
        let own = &mut stage.camera.set;
        own.yaw = options.yaw.unwrap_or(own.yaw);
        own.pitch = options.pitch.unwrap_or(own.pitch).clamp(-89.0, 89.0);
        own.fov = options.fov.unwrap_or(own.fov).clamp(5.0, 120.0);
        own.locked = options.locked.unwrap_or(own.locked);
        Ok(Value::Nil)
    })
}

fn frame(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let character: CharacterRef = args
        .object(0)
        .ok_or_else(|| mlua::Error::runtime("camera.frame: expected a character"))?;
    let options: CameraOptions = args.options(1)?;
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
        set(&mut stage.camera, &options);
        let half = (stage.camera.set.fov * 0.5).to_radians();
        stage.camera.set.distance = options
            .distance
            .unwrap_or(radius.max(1e-3) / half.sin() * 1.02)
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
        let flat = (camera.target - camera.eye) * Vec3::new(1.0, 0.0, 1.0);
        Ok(lua_vector(flat.try_normalize().unwrap_or(Vec3::NEG_Z)))
    })
}

/// A place of the picture, and how far a ray goes through it.
#[derive(Options)]
struct CameraRayOptions {
    /// Share of the picture from its left.
    #[option(default_doc = "the pointer's")]
    x: Option<f32>,
    /// Share of the picture from its top.
    #[option(default_doc = "the pointer's")]
    y: Option<f32>,
    /// Length of the ray.
    #[option(default = 100.0, unit = "metres", clamp = 0.0..=1e5)]
    reach: f32,
}

fn ray(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: CameraRayOptions = args.options(0)?;
    let (from, way) = with_world(lua, |world| {
        let stage = &world.stage;
        let [x, y] = stage.input.pointer;
        let place = [options.x.unwrap_or(x), options.y.unwrap_or(y)];
        let way = stage.camera.through(place, stage.input.aspect);
        Ok((stage.camera.camera(1.0).eye, way))
    })?;
    let table = lua.create_table()?;
    table.raw_set("from", lua_vector(from))?;
    table.raw_set("to", lua_vector(from + way * options.reach))?;
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
                ty: Type::Options(CameraOptions::SHAPE),
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
                Param::options(CameraOptions::SHAPE),
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
                Param::options(CameraOptions::SHAPE),
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
                Param::options(FirstPersonOptions::SHAPE),
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
                ty: Type::Options(CameraRayOptions::SHAPE),
                optional: true,
            }],
            returns: "{ from: vector, to: vector, direction: vector }",
            doc: "The way from the camera through a place of the picture, else through the pointer.",
            example: "local aim = camera.ray()\nlocal hit = physics.raycast(aim.from, aim.to, { exact = true })",
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
