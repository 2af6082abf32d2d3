//! `physics.force`: pushes, wind, water, pulls and jump pads in parts of the world.

use glam::{Quat, Vec3};
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::check::{Args, Field, Fields, Param, Type, lua_vector, names};
use super::solid::layer;
use super::{Function, Group, Kind, Property, add_object, add_properties};
use crate::world::with_world;
use galatea_physics::{Force, Frame, Push, Shape};

/// A script's hold on a force.
#[derive(Clone, Copy)]
struct ForceRef(u64);

impl UserData for ForceRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// Forces that there may be.
const MOST: usize = 256;

const FIELDS: &[Field] = &[
    Field {
        name: "shape",
        ty: Type::Word(&["everywhere", "box", "sphere", "capsule"]),
        doc: "where it acts; everywhere, a box with a size, a sphere with a radius",
    },
    Field {
        name: "at",
        ty: Type::Vector,
        doc: "the middle of its form; (0, 0, 0)",
    },
    Field {
        name: "size",
        ty: Type::Vector,
        doc: "of a box, metres; a box needs one",
    },
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "of a sphere or a capsule, metres; 1",
    },
    Field {
        name: "height",
        ty: Type::Number,
        doc: "of a capsule from end to end, metres; 2",
    },
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "degrees about +Y; 0",
    },
    Field {
        name: "push",
        ty: Type::Vector,
        doc: "newtons on each body in it",
    },
    Field {
        name: "accelerate",
        ty: Type::Vector,
        doc: "metres per second squared, whatever the mass",
    },
    Field {
        name: "wind",
        ty: Type::Vector,
        doc: "speed of the air in it, metres per second: it drags things along by their size",
    },
    Field {
        name: "water",
        ty: Type::OneOf(&[Type::Bool, Type::Number]),
        doc: "it is a liquid up to its top, or up to `at` everywhere: kilograms per cubic metre, or true for 1000",
    },
    Field {
        name: "current",
        ty: Type::Vector,
        doc: "speed of the water, metres per second; (0, 0, 0)",
    },
    Field {
        name: "drag",
        ty: Type::Number,
        doc: "of wind, its coefficient; 1. Of water, share of the speed lost per second; 2",
    },
    Field {
        name: "toward",
        ty: Type::Vector,
        doc: "a place that pulls, with strength over the square of the distance; negative strength pushes away",
    },
    Field {
        name: "strength",
        ty: Type::Number,
        doc: "of toward: metres per second squared at 1 m; 10",
    },
    Field {
        name: "launch",
        ty: Type::Vector,
        doc: "what comes in gets at least this speed, once: a jump pad",
    },
    Field {
        name: "layers",
        ty: Type::OneOf(&[Type::Text, Type::Table]),
        doc: "layers that it acts on, a name or a list; all",
    },
    Field {
        name: "enabled",
        ty: Type::Bool,
        doc: "it acts; true",
    },
];

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// What it does, which must be one thing.
fn push(fields: &Fields) -> mlua::Result<Push> {
    let number = |name: &str, default: f64| fields.number(name).unwrap_or(default) as f32;
    let strength = number("strength", 10.0);
    let water = match fields.value("water") {
        Value::Nil | Value::Boolean(false) => None,
        Value::Boolean(true) => Some(1000.0),
        _ => fields.number("water").map(|n| n.max(0.0) as f32),
    };
    let water = water.map(|density| Push::Water {
        density,
        current: fields.vector("current").unwrap_or(Vec3::ZERO),
        drag: number("drag", 2.0).max(0.0),
    });
    let wind = fields.vector("wind").map(|velocity| Push::Wind {
        velocity,
        drag: number("drag", 1.0).max(0.0),
    });
    let toward = fields.vector("toward");
    let all = [
        fields.vector("push").map(Push::Force),
        fields.vector("accelerate").map(Push::Acceleration),
        wind,
        water,
        toward.map(|at| Push::Toward { at, strength }),
        fields.vector("launch").map(Push::Launch),
    ];
    let mut given = all.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(one), None) => Ok(one),
        _ => Err(wrong(
            "physics.force: say one of push, accelerate, wind, water, toward and launch",
        )),
    }
}

/// Where it acts.
fn region(fields: &Fields) -> mlua::Result<Option<Shape>> {
    let length = |name: &str, default: f64| match fields.number(name).unwrap_or(default) as f32 {
        n if n > 0.0 => Ok(n),
        n => Err(wrong(format!("{name}: must be more than 0, got {n}"))),
    };
    let size = fields.vector("size");
    let word = fields.text("shape").unwrap_or_else(|| {
        let is_sphere = size.is_none() && fields.number("radius").is_some();
        match (size, is_sphere) {
            (Some(_), _) => "box".into(),
            (None, true) => "sphere".into(),
            _ => "everywhere".into(),
        }
    });
    Ok(match word.as_str() {
        "box" => {
            let size = size.ok_or_else(|| wrong("size: say how large the box is, metres"))?;
            if size.min_element() <= 0.0 {
                return Err(wrong(format!(
                    "size: must be more than 0 along each axis, got {size}"
                )));
            }
            Some(Shape::Box(size / 2.0))
        }
        "sphere" => Some(Shape::Sphere(length("radius", 1.0)?)),
        "capsule" => {
            let radius = length("radius", 1.0)?;
            Some(Shape::Capsule {
                half_length: (length("height", 2.0)? / 2.0 - radius).max(0.0),
                radius,
            })
        }
        _ => None,
    })
}

fn force(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    let (push, region) = (push(&fields)?, region(&fields)?);
    let yaw = (fields.number("yaw").unwrap_or(0.0) as f32).to_radians();
    let at = Frame {
        position: fields.vector("at").unwrap_or(Vec3::ZERO),
        rotation: Quat::from_rotation_y(yaw),
    };
    let id = with_world(lua, |world| {
        let stage = &mut world.stage;
        if stage.physics.forces.len() >= MOST {
            return Err(wrong(format!("physics.force: there may be {MOST}")));
        }
        let layers = match fields.value("layers") {
            Value::Nil => u32::MAX,
            value => names(&value, "layers")?.iter().try_fold(0, |bits, name| {
                Ok::<_, mlua::Error>(bits | 1 << layer(stage, name)?)
            })?,
        };
        let mut force = Force::new(region, at, push, layers);
        force.enabled = fields.bool("enabled").unwrap_or(true);
        let id = stage.ids.new_id();
        stage.physics.forces.push((id, force));
        Ok(id)
    })?;
    Ok(Value::UserData(lua.create_userdata(ForceRef(id))?))
}

fn with_force<T>(lua: &Lua, args: &Args, work: impl FnOnce(&mut Force) -> T) -> mlua::Result<T> {
    let gone = || wrong("this force was removed");
    let ForceRef(id) = args.object(0).ok_or_else(gone)?;
    with_world(lua, |world| {
        let mut forces = world.stage.physics.forces.iter_mut();
        let found = forces.find(|(known, _)| *known == id);
        Ok(work(&mut found.ok_or_else(gone)?.1))
    })
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let force: Option<ForceRef> = args.object(0);
    with_world(lua, |world| {
        if let Some(ForceRef(id)) = force {
            world.stage.physics.forces.retain(|(known, _)| *known != id);
        }
        Ok(Value::Nil)
    })
}

fn get_enabled(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_force(lua, &args, |force| Value::Boolean(force.enabled))
}

fn set_enabled(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let enabled = args.bool(1).unwrap_or(true);
    with_force(lua, &args, |force| {
        force.is_new |= enabled && !force.enabled;
        force.enabled = enabled;
        Value::Nil
    })
}

fn get_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_force(lua, &args, |force| lua_vector(force.at.position))
}

fn set_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let position = args.vector(1).unwrap_or(Vec3::ZERO);
    with_force(lua, &args, |force| {
        force.is_new |= position != force.at.position;
        force.at.position = position;
        if let Push::Toward { at, .. } = &mut force.push {
            *at = position;
        }
        Value::Nil
    })
}

/// `physics.force`.
pub(super) const FORCE: Function = Function {
    name: "force",
    params: &[Param {
        name: "options",
        ty: Type::Fields(FIELDS),
        optional: false,
    }],
    returns: "Force",
    doc: "Has a force act on the things and limbs that move freely, in a part of the world or everywhere: \
          `push`, `accelerate`, `wind`, `water`, `toward` or `launch`. What rests is woken when it begins or \
          changes.",
    example: "physics.force { water = true, at = vector.create(0, -1, 6), size = vector.create(8, 2, 8) }\nphysics.force { launch = vector.create(0, 7, 0), at = vector.create(3, 0.2, 0), size = vector.create(1, 0.4, 1) }",
    call: force,
};

/// What `physics.force` gives.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Force",
    doc: "A force in a part of the world, made by `physics.force`.",
    functions: &[Function {
        name: "remove",
        params: &[],
        returns: "",
        doc: "Ends it.",
        example: "local breeze = physics.force { wind = vector.create(6, 0, 0) }\nbreeze:remove()",
        call: remove,
    }],
    properties: &[
        Property {
            name: "enabled",
            ty: "boolean",
            doc: "It acts.",
            get: get_enabled,
            set: Some((Type::Bool, set_enabled)),
        },
        Property {
            name: "position",
            ty: "vector",
            doc: "The middle of its form; with it goes the place that pulls.",
            get: get_position,
            set: Some((Type::Vector, set_position)),
        },
    ],
};
