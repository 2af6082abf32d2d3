//! `hero:controller`: walking in the world of solid things.

use glam::Vec3;
use mlua::{Lua, Value};

use super::character::{find, with_character};
use super::check::{Args, Field, Fields, Param, Type};
use super::solid::layer;
use super::{Function, Property};
use crate::world::with_world;
use galatea_character::Character;
use galatea_physics::{Controller, ControllerOptions};

const FIELDS: &[Field] = &[
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "of its capsule, metres at scale 1; fitted to the model",
    },
    Field {
        name: "height",
        ty: Type::Number,
        doc: "from soles to crown, metres at scale 1; fitted to the model",
    },
    Field {
        name: "crouch_height",
        ty: Type::Number,
        doc: "height while it crouches; 0.6 of its height",
    },
    Field {
        name: "step",
        ty: Type::Number,
        doc: "highest step that it climbs, metres at scale 1, at most its height; 0.2 of that. A round bottom rolls over edges up to radius × (1 - cos slope) in any case",
    },
    Field {
        name: "slope",
        ty: Type::Number,
        doc: "steepest ground that it walks on, degrees, 0 to 85; 50",
    },
    Field {
        name: "gravity",
        ty: Type::Number,
        doc: "m/s² downwards; that of `physics.set` when it gets its controller. With 0 it goes where it is told, up and down too",
    },
    Field {
        name: "terminal",
        ty: Type::Number,
        doc: "fastest fall, m/s; 55",
    },
    Field {
        name: "acceleration",
        ty: Type::Number,
        doc: "m/s² towards a faster wish; 12",
    },
    Field {
        name: "deceleration",
        ty: Type::Number,
        doc: "m/s² towards a slower wish; 16",
    },
    Field {
        name: "air_control",
        ty: Type::Number,
        doc: "share of its acceleration that it has in the air; 0.3",
    },
    Field {
        name: "turn_rate",
        ty: Type::Number,
        doc: "degrees per second at most; 540",
    },
    Field {
        name: "face",
        ty: Type::Bool,
        doc: "it turns to where it goes, and goes where it faces; true",
    },
    Field {
        name: "jump",
        ty: Type::Number,
        doc: "height of a jump, metres; 0.3 of its height",
    },
    Field {
        name: "coyote",
        ty: Type::Number,
        doc: "seconds after leaving the ground in which it may still jump; 0.1",
    },
    Field {
        name: "buffer",
        ty: Type::Number,
        doc: "seconds for which a jump that cannot be yet is remembered; 0.12",
    },
    Field {
        name: "mass",
        ty: Type::Number,
        doc: "kilograms at scale 1, by which it presses on what it stands on; 12 times the cube of its height",
    },
    Field {
        name: "push",
        ty: Type::Number,
        doc: "newtons with which it pushes what moves freely, at scale 1; 7 times its mass",
    },
    Field {
        name: "layer",
        ty: Type::Text,
        doc: "layer of its capsule; \"characters\"",
    },
];

const JUMP_FIELDS: &[Field] = &[
    Field {
        name: "height",
        ty: Type::Number,
        doc: "metres; that of the controller",
    },
    Field {
        name: "speed",
        ty: Type::Number,
        doc: "m/s upwards, in place of a height",
    },
];

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// A number of the options by name, its least and greatest, and its place.
type Number = (
    &'static str,
    f64,
    f64,
    fn(&mut ControllerOptions) -> &mut f32,
);

const NUMBERS: &[Number] = &[
    ("radius", 0.001, 1e3, |o| &mut o.radius),
    ("height", 0.002, 1e3, |o| &mut o.height),
    ("crouch_height", 0.002, 1e3, |o| &mut o.crouch_height),
    ("step", 0.0, 1e3, |o| &mut o.step),
    ("gravity", 0.0, 1e4, |o| &mut o.gravity),
    ("terminal", 0.1, 1e3, |o| &mut o.terminal),
    ("acceleration", 0.0, 1e5, |o| &mut o.acceleration),
    ("deceleration", 0.0, 1e5, |o| &mut o.deceleration),
    ("air_control", 0.0, 10.0, |o| &mut o.air_control),
    ("jump", 0.0, 1e3, |o| &mut o.jump),
    ("coyote", 0.0, 2.0, |o| &mut o.coyote),
    ("buffer", 0.0, 2.0, |o| &mut o.buffer),
    ("mass", 0.0, 1e6, |o| &mut o.mass),
    ("push", 0.0, 1e9, |o| &mut o.push),
];
/// The same in degrees.
const ANGLES: &[Number] = &[
    ("slope", 0.0, 85.0, |o| &mut o.slope),
    ("turn_rate", 0.0, 1e5, |o| &mut o.turn_rate),
];

fn change(fields: &Fields, options: &mut ControllerOptions) -> mlua::Result<()> {
    let both = [(NUMBERS, 1.0), (ANGLES, 1f64.to_radians())];
    for (list, unit) in both {
        for (name, least, most, place) in list {
            let Some(n) = fields.number(name) else {
                continue;
            };
            if !(*least..=*most).contains(&n) {
                let why = format!("controller: {name} must be {least} to {most}, got {n}");
                return Err(wrong(why));
            }
            *place(options) = (n * unit) as f32;
        }
    }
    if let Some(face) = fields.bool("face") {
        options.face = face;
    }
    if options.step > options.height {
        return Err(wrong(format!(
            "controller: step must be at most its height, {} m, got {} m",
            options.height, options.step
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
    let fields = args.fields(1);
    with_world(lua, |world| {
        let known = find(&mut world.stage, handle)?.body.controller.as_ref();
        let known = known.map(|controller| controller.options.clone());
        if args.bool(1) == Some(false) {
            let none = world.stage.bodies().set_controller(handle, None);
            return none.map(|()| Value::Nil).map_err(wrong);
        }
        let gravity = world.stage.physics.gravity.y;
        let definition = &find(&mut world.stage, handle)?.definition;
        let fitted = ControllerOptions {
            gravity: (-gravity).max(0.0),
            ..ControllerOptions::fitted(definition.rest_box, definition.trunk_box)
        };
        let mut options = known.unwrap_or(fitted);
        if let Some(height) = fields.number("height").filter(|height| *height > 0.0) {
            // What was fitted goes with the height.
            let factor = height as f32 / options.height;
            for length in [
                &mut options.radius,
                &mut options.crouch_height,
                &mut options.step,
            ] {
                *length *= factor;
            }
        }
        change(&fields, &mut options)?;
        if let Some(name) = fields.text("layer") {
            options.layer = layer(&world.stage, &name)?;
        }
        let made = world.stage.bodies().set_controller(handle, Some(options));
        made.map(|()| Value::Nil)
            .map_err(|why| wrong(format!("controller: {why}")))
    })
}

/// Its controller, or what to do about there being none.
fn of<'a>(character: &'a mut Character, what: &str) -> mlua::Result<&'a mut Controller> {
    let Character {
        body, definition, ..
    } = character;
    body.controller.as_deref_mut().ok_or_else(|| {
        wrong(format!(
            "{what}: {} has no controller; give it one: hero:controller {{}}",
            definition.model.name
        ))
    })
}

fn move_at(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let velocity = args.vector(1).unwrap_or(Vec3::ZERO);
    with_character(lua, &args, |_, character| {
        of(character, "move")?.wish = velocity;
        Ok(Value::Nil)
    })
}

fn jump(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(1);
    let height = fields.within("height", 0.0, 1e4)?;
    let speed = fields.within("speed", 0.0, 1e4)?;
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

fn get_grounded(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let none = Value::Boolean(false);
    read(lua, &args, |c| Value::Boolean(c.is_grounded()), none)
}

fn get_sliding(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let none = Value::Boolean(false);
    read(lua, &args, |c| Value::Boolean(c.is_sliding()), none)
}

fn get_squeezed(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let none = Value::Boolean(false);
    read(lua, &args, |c| Value::Boolean(c.squeezed), none)
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
    let speed = |c: &Controller| Value::Number(f64::from(c.speed()));
    read(lua, &args, speed, Value::Number(0.0))
}

pub(super) const CONTROLLER: Function = Function {
    name: "controller",
    params: &[Param {
        name: "options",
        ty: Type::OneOf(&[Type::Fields(FIELDS), Type::Bool]),
        optional: true,
    }],
    returns: "",
    doc: "Has it walk in the world of solid things: a capsule that climbs steps, slides along walls, stands \
          on what moves and pushes what is light. Then `move` and root motion move it, and gravity; \
          setting `position` puts it elsewhere at once. Called again it changes what is given. `false` \
          takes it away. It tells `jump`, `fall`, `land` (`speed`, `height`), `step_up` (`height`), \
          `slide` and `slide_end` (`slope`), `bump` (`speed`, `normal`), with `other`, `position` and \
          `surface`; `source` is \"controller\".",
    example: "hero:controller { step = 0.3, slope = 45 }\nhero:on(\"land\", function(e) print(e.speed, e.surface) end)",
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
    doc: "Has it go at a velocity, m/s in the world, until it is told another. It gets there as fast as \
          its controller allows. Up and down count only without gravity.",
    example: "hero:controller {}\nhero:move(vector.create(0, 0, 1.4))",
    call: move_at,
};

pub(super) const JUMP: Function = Function {
    name: "jump",
    params: &[Param::options(JUMP_FIELDS)],
    returns: "",
    doc: "Has it jump from the ground, now or as soon as it lands within the controller's `buffer`. It \
          keeps the velocity of what it stood on.",
    example: "hero:controller {}\nhero:jump { height = 0.8 }",
    call: jump,
};

pub(super) const GROUNDED: Property = Property {
    name: "grounded",
    ty: "boolean",
    doc: "True while its controller stands on ground that it can walk on.",
    get: get_grounded,
    set: None,
};

pub(super) const SLIDING: Property = Property {
    name: "sliding",
    ty: "boolean",
    doc: "True while it slides down ground that is too steep.",
    get: get_sliding,
    set: None,
};

pub(super) const SQUEEZED: Property = Property {
    name: "squeezed",
    ty: "boolean",
    doc: "True while its controller has no room: between a lift and a ceiling, say.",
    get: get_squeezed,
    set: None,
};

pub(super) const CROUCHING: Property = Property {
    name: "crouching",
    ty: "boolean",
    doc: "True while its capsule is low. Set it to crouch; set to false it stands up as soon as there is \
          room.",
    get: get_crouching,
    set: Some((Type::Bool, set_crouching)),
};

pub(super) const SPEED: Property = Property {
    name: "speed",
    ty: "number",
    doc: "How fast its controller goes over the ground, m/s; 0 without one.",
    get: get_speed,
    set: None,
};
