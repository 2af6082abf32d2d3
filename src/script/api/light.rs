//! `light`: the sun, the sky and the exposure.

use glam::Vec3;
use mlua::{Lua, Value};

use super::check::{Args, Field, Param, Type};
use super::environment::ENVIRONMENT;
use super::{Function, Group, Kind};
use crate::script::world::with_world;

const SUN_FIELDS: &[Field] = &[
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "degrees about +Y from which it shines; 0 is from +Z",
    },
    Field {
        name: "pitch",
        ty: Type::Number,
        doc: "degrees above the horizon, 0 to 90",
    },
    Field {
        name: "color",
        ty: Type::Vector,
        doc: "linear colour",
    },
    Field {
        name: "strength",
        ty: Type::Number,
        doc: "factor on the colour; noon is about 3.5",
    },
];

fn sun(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    with_world(lua, |world| {
        let light = &mut world.stage.light;
        let d = light.sun_direction;
        let yaw = fields
            .number("yaw")
            .map_or(d.x.atan2(d.z), |deg| (deg as f32).to_radians());
        let pitch = fields
            .number("pitch")
            .map_or(d.y.clamp(-1.0, 1.0).asin(), |deg| {
                (deg as f32).clamp(0.0, 90.0).to_radians()
            });
        light.sun_direction = Vec3::new(
            yaw.sin() * pitch.cos(),
            pitch.sin(),
            yaw.cos() * pitch.cos(),
        );
        let strength = light.sun_color.max_element().max(1e-6);
        let color = fields.vector("color").unwrap_or(light.sun_color / strength);
        let strength = fields
            .number("strength")
            .map_or(strength, |s| s.max(0.0) as f32);
        light.sun_color = color.max(Vec3::ZERO) * strength;
        Ok(Value::Nil)
    })
}

const SKY_FIELDS: &[Field] = &[
    Field {
        name: "zenith",
        ty: Type::Vector,
        doc: "linear colour straight above",
    },
    Field {
        name: "horizon",
        ty: Type::Vector,
        doc: "linear colour at the horizon",
    },
    Field {
        name: "ground",
        ty: Type::Vector,
        doc: "linear colour of the light from below",
    },
];

fn sky(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    with_world(lua, |world| {
        let light = &mut world.stage.light;
        let color = |name: &str, now: Vec3| fields.vector(name).unwrap_or(now).max(Vec3::ZERO);
        light.sky_zenith = color("zenith", light.sky_zenith);
        light.sky_horizon = color("horizon", light.sky_horizon);
        light.sky_ground = color("ground", light.sky_ground);
        Ok(Value::Nil)
    })
}

fn exposure(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let stops = args.number(0).unwrap_or(0.0).clamp(-10.0, 10.0) as f32;
    with_world(lua, |world| {
        world.stage.light.exposure = stops.exp2();
        Ok(Value::Nil)
    })
}

/// The module `light`.
pub(super) static GROUP: Group = Group {
    kind: Kind::Module,
    name: "light",
    doc: "One sun with shadows, and a sky that lights from all around. Colours are linear.",
    functions: &[
        Function {
            name: "sun",
            params: &[Param {
                name: "options",
                ty: Type::Fields(SUN_FIELDS),
                optional: false,
            }],
            returns: "",
            doc: "Sets the sun; what is left out stays.",
            example: "light.sun { yaw = 40, pitch = 35, strength = 3 }",
            call: sun,
        },
        Function {
            name: "sky",
            params: &[Param {
                name: "options",
                ty: Type::Fields(SKY_FIELDS),
                optional: false,
            }],
            returns: "",
            doc: "Sets the sky; what is left out stays.",
            example: "light.sky { horizon = vector.create(0.9, 0.8, 0.7) }",
            call: sky,
        },
        Function {
            name: "exposure",
            params: &[Param {
                name: "stops",
                ty: Type::Number,
                optional: false,
            }],
            returns: "",
            doc: "Brightness of the picture in stops: +1 is twice as bright.",
            example: "light.exposure(0.3)",
            call: exposure,
        },
        ENVIRONMENT,
    ],
    properties: &[],
};
