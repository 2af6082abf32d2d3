//! `hero:controller`: character controllers, with collisions.

use glam::Vec3;
use mlua::{Lua, Value};

use super::character_ref::{find, with_character};
use super::check::{Args, Options, Param, Type};
use super::group::{Function, Property};
use super::surfaces::layer;
use crate::world::with_world;
use galatea_character::Character;
use galatea_derive::Options;
use galatea_physics::{self as physics, Controller};

/// Settings of a character controller. An option left out keeps its value; a new controller starts with the defaults.
#[derive(Options)]
struct ControllerOptions {
    /// Radius of the capsule, at scale 1.
    #[option(
        default_doc = "fitted to the model",
        unit = "metres",
        range = 0.001..=1e3
    )]
    radius: Option<f32>,
    /// Height from the soles to the top of the head, at scale 1.
    #[option(
        default_doc = "fitted to the model",
        unit = "metres",
        range = 0.002..=1e3
    )]
    height: Option<f32>,
    /// Height while the character crouches, at scale 1.
    #[option(
        default_doc = "0.6 of `height`",
        unit = "metres",
        range = 0.002..=1e3
    )]
    crouch_height: Option<f32>,
    /// Highest step of stairs that the character climbs, at scale 1, at most `height`. Low edges are always climbed,
    /// even with 0, because the bottom of the capsule is round: up to radius × (1 - cos `max_slope`), 0.11 m for a
    /// radius of 0.3 m.
    #[option(
        default_doc = "0.2 of `height`",
        unit = "metres",
        range = 0.0..=1e3
    )]
    max_step_height: Option<f32>,
    /// Steepest slope that the character can walk on.
    #[option(default_doc = "50", unit = "degrees", range = 0.0..=85.0)]
    max_slope: Option<f64>,
    /// Acceleration downwards. With 0 the character flies, and `move` also moves it up and down.
    #[option(
        default_doc = "the gravity of `physics.set` at that time",
        unit = "metres per second squared",
        range = 0.0..=1e4
    )]
    gravity: Option<f32>,
    /// Maximum speed of falling.
    #[option(default_doc = "55", unit = "metres per second", range = 0.1..=1e3)]
    max_fall_speed: Option<f32>,
    /// Acceleration with which the character speeds up.
    #[option(
        default_doc = "12",
        unit = "metres per second squared",
        range = 0.0..=1e5
    )]
    acceleration: Option<f32>,
    /// Deceleration with which the character slows down.
    #[option(
        default_doc = "16",
        unit = "metres per second squared",
        range = 0.0..=1e5
    )]
    deceleration: Option<f32>,
    /// Fraction of the acceleration that the character has in the air.
    #[option(default_doc = "0.3", range = 0.0..=10.0)]
    air_control: Option<f32>,
    /// Maximum speed at which the character turns to its direction of movement.
    #[option(
        default_doc = "540",
        unit = "degrees per second",
        range = 0.0..=1e5
    )]
    turn_rate: Option<f64>,
    /// True turns the character to its direction of movement. With false, the script sets `yaw`.
    #[option(default_doc = "true")]
    turn_to_movement: Option<bool>,
    /// Height of a jump by `jump`.
    #[option(
        default_doc = "0.3 of `height`",
        unit = "metres",
        range = 0.0..=1e3
    )]
    jump_height: Option<f32>,
    /// Time after walking off an edge in which the character can still jump.
    #[option(default_doc = "0.1", unit = "seconds", range = 0.0..=2.0)]
    coyote_time: Option<f32>,
    /// Time before the landing in which a call of `jump` is kept, so that the character jumps as it lands.
    #[option(default_doc = "0.12", unit = "seconds", range = 0.0..=2.0)]
    jump_buffer: Option<f32>,
    /// Mass at scale 1. The character presses on the body below with it.
    #[option(
        default_doc = "12 times the cube of `height`",
        unit = "kilograms",
        range = 0.0..=1e6
    )]
    mass: Option<f32>,
    /// Maximum force with which the character pushes dynamic bodies, at scale 1.
    #[option(
        default_doc = "7 times `mass`",
        unit = "newtons",
        range = 0.0..=1e9
    )]
    push_force: Option<f32>,
    /// Collision layer of the capsule, see `physics.layer`.
    #[option(default_doc = "characters")]
    layer: Option<String>,
}

/// Height of a jump.
#[derive(Options)]
struct JumpOptions {
    /// Height of this jump.
    #[option(
        default_doc = "`jump_height` of the controller",
        unit = "metres",
        range = 0.0..=1e4
    )]
    height: Option<f32>,
    /// Speed upwards, instead of `height`.
    #[option(unit = "metres per second", range = 0.0..=1e4)]
    speed: Option<f32>,
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

fn change(
    asked: &ControllerOptions,
    options: &mut physics::ControllerSettings,
) -> mlua::Result<()> {
    let radians = |degrees: f64| (degrees * 1f64.to_radians()) as f32;
    let numbers = [
        (asked.radius, &mut options.radius),
        (asked.height, &mut options.height),
        (asked.crouch_height, &mut options.crouch_height),
        (asked.max_step_height, &mut options.max_step_height),
        (asked.max_slope.map(radians), &mut options.max_slope),
        (asked.gravity, &mut options.gravity),
        (asked.max_fall_speed, &mut options.max_fall_speed),
        (asked.acceleration, &mut options.acceleration),
        (asked.deceleration, &mut options.deceleration),
        (asked.air_control, &mut options.air_control),
        (asked.turn_rate.map(radians), &mut options.turn_rate),
        (asked.jump_height, &mut options.jump_height),
        (asked.coyote_time, &mut options.coyote_time),
        (asked.jump_buffer, &mut options.jump_buffer),
        (asked.mass, &mut options.mass),
        (asked.push_force, &mut options.push_force),
    ];
    for (given, now) in numbers {
        *now = given.unwrap_or(*now);
    }
    options.turn_to_movement = asked.turn_to_movement.unwrap_or(options.turn_to_movement);
    if options.max_step_height > options.height {
        return Err(wrong(format!(
            "controller: max_step_height must be at most the height, {} m, got {} m",
            options.height, options.max_step_height
        )));
    }
    let (radius, low) = (options.radius, options.height.min(options.crouch_height));
    if 2.0 * radius > low {
        return Err(wrong(format!(
            "controller: height and crouch_height must be at least twice the radius, {radius} m"
        )));
    }
    Ok(())
}

fn controller(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let asked: ControllerOptions = args.options(1)?;
    with_world(lua, |world| {
        let known = find(&mut world.stage, handle)?.body.controller.as_ref();
        let known = known.map(|controller| controller.options.clone());
        if args.bool(1) == Some(false) {
            let none = world.stage.bodies().set_controller(handle, None);
            return none.map(|()| Value::Nil).map_err(wrong);
        }
        let gravity = world.stage.physics.gravity.y;
        let definition = &find(&mut world.stage, handle)?.definition;
        let fitted = physics::ControllerSettings {
            gravity: (-gravity).max(0.0),
            ..physics::ControllerSettings::fitted(definition.rest_box, definition.trunk_box)
        };
        let mut options = known.unwrap_or(fitted);
        if let Some(height) = asked.height {
            // The other fitted lengths scale with the height.
            let factor = height / options.height;
            for length in [
                &mut options.radius,
                &mut options.crouch_height,
                &mut options.max_step_height,
            ] {
                *length *= factor;
            }
        }
        change(&asked, &mut options)?;
        if let Some(name) = &asked.layer {
            options.layer = layer(&world.stage, name)?;
        }
        let made = world.stage.bodies().set_controller(handle, Some(options));
        made.map(|()| Value::Nil)
            .map_err(|why| wrong(format!("controller: {why}")))
    })
}

/// Controller of a character; without one, an error that says how to add it.
fn of<'a>(character: &'a mut Character, what: &str) -> mlua::Result<&'a mut Controller> {
    let Character {
        body, definition, ..
    } = character;
    body.controller.as_deref_mut().ok_or_else(|| {
        wrong(format!(
            "{what}: {} has no controller; add one with hero:controller {{}}",
            definition.model.name
        ))
    })
}

fn move_at(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let velocity = args.vector(1).unwrap_or(Vec3::ZERO);
    with_character(lua, &args, |_, character| {
        of(character, "move")?.desired_velocity = velocity;
        Ok(Value::Nil)
    })
}

fn jump(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let JumpOptions { height, speed } = args.options(1)?;
    with_character(lua, &args, |_, character| {
        let controller = of(character, "jump")?;
        controller.jump_to(height);
        if let Some(speed) = speed {
            controller.jump = Some((speed, 0.0));
        }
        Ok(Value::Nil)
    })
}

fn read(
    lua: &Lua,
    args: &Args,
    f: impl FnOnce(&Controller) -> Value,
    without: Value,
) -> mlua::Result<Value> {
    with_character(lua, args, |_, character| {
        Ok(character.body.controller.as_deref().map_or(without, f))
    })
}

fn get_is_grounded(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let none = Value::Boolean(false);
    read(lua, &args, |c| Value::Boolean(c.is_grounded()), none)
}

fn get_is_sliding(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let none = Value::Boolean(false);
    read(lua, &args, |c| Value::Boolean(c.is_sliding()), none)
}

fn get_is_crushed(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let none = Value::Boolean(false);
    read(lua, &args, |c| Value::Boolean(c.is_crushed), none)
}

fn get_crouching(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let none = Value::Boolean(false);
    read(lua, &args, |c| Value::Boolean(c.is_low()), none)
}

fn set_crouching(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let crouch = args.bool(1).unwrap_or(false);
    with_character(lua, &args, |_, character| {
        of(character, "crouching")?.crouch = crouch;
        Ok(Value::Nil)
    })
}

fn get_speed(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let speed = with_character(lua, &args, |_, character| {
        // A downed character is not moved by its controller.
        let is_down = character.body.is_down();
        let controller = character.body.controller.as_deref();
        Ok(controller.filter(|_| !is_down).map_or(0.0, |c| c.speed()))
    })?;
    Ok(Value::Number(f64::from(speed)))
}

pub(super) const CONTROLLER: Function = Function {
    name: "controller",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[Type::Options(ControllerOptions::SHAPE), Type::Bool]),
        optional: true,
    }],
    returns: "",
    doc: "Adds a character controller, with which the character walks in the physics world. It is a capsule that climbs \
          steps, slides along walls, stands on moving platforms and pushes light bodies. `move`, root motion and gravity \
          move the character; setting `position` teleports it. Another call changes only the options that you give. \
          `controller(false)` removes the controller.\n\n\
          It emits these events, with `other`, `position`, `surface` and `source` = \"controller\":\n\n\
          - `jump` and `fall`: it leaves the ground, with or without a jump;\n\
          - `land`, with the `speed` and the `height` of the fall;\n\
          - `step_up`, with the `height` of the step;\n\
          - `slide` and `slide_end`, with the `slope` in degrees;\n\
          - `bump`: it walks into something, with the `speed` and the `normal`.",
    example: "hero:controller { max_step_height = 0.3, max_slope = 45 }\nhero:on(\"land\", function(e) print(e.speed, e.surface) end)",
    call: controller,
};

pub(super) const MOVE: Function = Function {
    name: "move",
    params: &[Param {
        name: "velocity",
        ty: Type::Vector,
        optional: false,
    }],
    returns: "",
    doc: "Sets the velocity at which the controller moves the character, metres per second in world space. It stays until \
          the next call; a zero vector stops the character. The controller's `acceleration` limits the change. The vertical \
          part is used only if the controller has `gravity = 0`.",
    example: "hero:controller {}\nhero:move(vec(0, 0, 1.4))",
    call: move_at,
};

pub(super) const JUMP: Function = Function {
    name: "jump",
    params: &[Param::options(JumpOptions::SHAPE)],
    returns: "",
    doc: "Makes the character jump from the ground: now, or when it lands within the controller's `jump_buffer`. It keeps \
          the velocity of the ground on which it stood.",
    example: "hero:controller {}\nhero:jump { height = 0.8 }",
    call: jump,
};

pub(super) const IS_GROUNDED: Property = Property {
    name: "is_grounded",
    ty: "boolean",
    doc: "True while the character's controller is on ground that is not too steep to walk on.",
    get: get_is_grounded,
    set: None,
};

pub(super) const IS_SLIDING: Property = Property {
    name: "is_sliding",
    ty: "boolean",
    doc: "True while the character's controller slides down ground that is too steep.",
    get: get_is_sliding,
    set: None,
};

pub(super) const IS_CRUSHED: Property = Property {
    name: "is_crushed",
    ty: "boolean",
    doc: "True while the character's controller has no room, for example between a lift and a ceiling.",
    get: get_is_crushed,
    set: None,
};

pub(super) const CROUCHING: Property = Property {
    name: "crouching",
    ty: "boolean",
    doc: "True while the controller's capsule has the crouching height. Set it to true to crouch. Set it to false to stand \
          up; the character does so as soon as there is room.",
    get: get_crouching,
    set: Some((Type::Bool, set_crouching)),
};

pub(super) const SPEED: Property = Property {
    name: "speed",
    ty: "number",
    doc: "Speed of the character's controller over the ground, metres per second. It is 0 without a controller and while \
          `is_down` is true.",
    get: get_speed,
    set: None,
};
