//! `camera`: the orbit camera.

use glam::Vec3;
use mlua::{Lua, Value};

use super::character_ref::{CharacterRef, gone_from};
use super::check::{Args, Options, Param, Type, lua_vector};
use super::group::{Function, Group, Kind};
use crate::world::with_world;
use galatea_derive::Options;
use galatea_stage::{CameraRig, CameraSettings, CameraTarget};

/// Position and view of the camera. Fields left out keep their values.
#[derive(Clone, Options)]
pub(crate) struct CameraOptions {
    /// Point at which the camera looks.
    #[option(unit = "metres")]
    target: Option<Vec3>,
    /// Direction in which the camera stands, seen from the target, as an angle around the Y axis. At 0 it stands
    /// towards +Z and sees the front of a character with yaw 0; at 90 it stands towards +X.
    #[option(unit = "degrees")]
    yaw: Option<f32>,
    /// Angle between the horizontal plane through the target and the line to the camera. At 0 the camera is as high as
    /// the target; a positive value is higher, and 89 looks straight down.
    #[option(unit = "degrees", clamp = -89.0..=89.0)]
    pitch: Option<f32>,
    /// Distance from the target.
    #[option(unit = "metres", clamp = 0.01..=1e5)]
    distance: Option<f32>,
    /// Vertical field of view: the angle between the upper and the lower edge of the picture. Smaller values look like
    /// a telephoto lens.
    #[option(unit = "degrees", clamp = 5.0..=120.0)]
    fov: Option<f32>,
    /// True prevents the player from rotating, moving and zooming the camera.
    locked: Option<bool>,
    /// True moves the camera to a new target at once, as a cut in a film; false makes it glide there. Changes of `yaw`,
    /// `pitch`, `distance` and `fov` are always immediate.
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

/// Ends first person: the target becomes the point where the eyes were, with the default field of view.
fn end_first_person(rig: &mut CameraRig) {
    if rig.behind_eyes_of().is_some() {
        rig.set.target = CameraTarget::Point(rig.camera(1.0).eye);
        rig.set.fov = CameraSettings::default().fov;
    }
}

fn orbit(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: CameraOptions = args.options(0)?;
    with_world(lua, |world| {
        end_first_person(&mut world.stage.camera);
        set(&mut world.stage.camera, &options);
        if let Some(target) = options.target {
            world.stage.camera.set.target = CameraTarget::Point(target);
        }
        Ok(Value::Nil)
    })
}

/// Camera as `camera.orbit` would set it, without smoothing.
pub(crate) fn placed(rig: &CameraRig, options: &CameraOptions) -> CameraRig {
    let mut placed = rig.clone();
    if let Some(target) = options.target {
        // A new camera has no smoothing and looks at its target at once.
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
        end_first_person(&mut world.stage.camera);
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

/// View of the camera in first person. Fields left out keep their values.
#[derive(Options)]
struct FirstPersonOptions {
    /// Direction of the view, as an angle around the Y axis. As in `camera.orbit`, 0 looks along -Z and 180 along +Z,
    /// so use the character's yaw plus 180.
    #[option(
        default_doc = "the direction that the character faces",
        unit = "degrees"
    )]
    yaw: Option<f32>,
    /// Angle of the view below the horizon. A positive value looks down, a negative value up.
    #[option(default_doc = "0", unit = "degrees", clamp = -89.0..=89.0)]
    pitch: Option<f32>,
    /// Vertical field of view: the angle between the upper and the lower edge of the picture. Smaller values look like
    /// a telephoto lens.
    #[option(default_doc = "70", unit = "degrees", clamp = 5.0..=120.0)]
    fov: Option<f32>,
    /// True prevents the player from rotating the camera.
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
                "{name} has no head: no bone has the role or the name \"head\""
            )));
        };
        // The eyes' position is set now, because the next tick would be too late.
        let here = eyes.position(&c.posed.world[0], &c.posed.model_from_bone);
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
        end_first_person(&mut stage.camera);
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

/// Point of the picture, and the length of a ray through it.
#[derive(Options)]
struct CameraRayOptions {
    /// Horizontal position in the picture, from 0 at the left to 1 at the right.
    #[option(default_doc = "that of the pointer")]
    x: Option<f32>,
    /// Vertical position in the picture, from 0 at the top to 1 at the bottom.
    #[option(default_doc = "that of the pointer")]
    y: Option<f32>,
    /// Length of the ray.
    #[option(default = 100.0, unit = "metres", clamp = 0.0..=1e5)]
    length: f32,
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
    table.raw_set("to", lua_vector(from + way * options.length))?;
    table.raw_set("direction", lua_vector(way))?;
    Ok(Value::Table(table))
}

/// The module `camera`.
pub(super) static GROUP: Group = Group {
    kind: Kind::Module,
    name: "camera",
    doc: "The camera looks at a point, its target. The player can rotate the camera around the target with the mouse. A \
          hot reload keeps this rotation.",
    functions: &[
        Function {
            name: "orbit",
            params: &[Param {
                name: "options",
                ty: Type::Options(CameraOptions::SHAPE),
                optional: false,
            }],
            returns: "",
            doc: "Sets the position and view of the camera. Options that you leave out keep their values.",
            example: "camera.orbit { target = vec(0, 1, 0), distance = 4, yaw = 20 }",
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
            doc: "Makes the camera follow a character and keep it in the middle of the picture. Here the option \
                  `target` is an offset from the character's position.",
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
            doc: "Makes the camera follow a character from a distance at which the whole character is visible, whatever \
                  its size.",
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
            doc: "Shows the view from a character's eyes (first person). The camera moves with the head, and the mouse \
                  rotates the view. The head, the hair and objects attached to the head are invisible, but still cast \
                  shadows. In a VRM file, its setting `firstPerson` says which meshes are invisible. `camera.follow`, \
                  `camera.orbit` and `camera.frame` end the first-person view.",
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
            doc: "Returns the line from the camera through a point of the picture, by default the point at the mouse \
                  pointer. In the result, `from` and `to` are the ends of the line, and `direction` is its direction as \
                  a vector of length 1. Pass `from` and `to` to `physics.raycast` to find what is under the pointer.",
            example: "local aim = camera.ray()\nlocal hit = physics.raycast(aim.from, aim.to, { exact = true })",
            call: ray,
        },
        Function {
            name: "position",
            params: &[],
            returns: "vector",
            doc: "Returns the position of the camera in the world, metres.",
            example: "local eye = camera.position()",
            call: position,
        },
        Function {
            name: "forward",
            params: &[],
            returns: "vector",
            doc: "Returns the horizontal direction in which the camera looks, as a vector of length 1 whose y is 0.",
            example: "local ahead = camera.forward()",
            call: forward,
        },
    ],
    properties: &[],
};
