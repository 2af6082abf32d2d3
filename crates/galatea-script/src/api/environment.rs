//! `light.environment`: a picture of the light from all around.

use mlua::{Lua, Value};

use super::Function;
use super::check::{Args, Field, Param, Type};
use crate::world::with_world;
use galatea_stage::frame::EnvironmentUse;

const FIELDS: &[Field] = &[
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "degrees about +Y by which it is turned; 0",
    },
    Field {
        name: "strength",
        ty: Type::Number,
        doc: "factor on its light; 1",
    },
    Field {
        name: "background",
        ty: Type::Bool,
        doc: "it is seen behind the scene; true",
    },
    Field {
        name: "blur",
        ty: Type::Number,
        doc: "how blurred it is seen there, 0 to 1; 0",
    },
];

fn environment(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let file = args.text(0);
    let fields = args.fields(1);
    let number = |name: &str, default: f64| fields.number(name).unwrap_or(default) as f32;
    with_world(lua, |world| {
        let Some(file) = file else {
            world.stage.lighting.light.environment = None;
            return Ok(Value::Nil);
        };
        match world.services.environment(&file) {
            Ok(environment) => {
                world.stage.lighting.light.environment = Some(EnvironmentUse {
                    environment,
                    yaw: number("yaw", 0.0).to_radians(),
                    strength: number("strength", 1.0).max(0.0),
                    background: fields.bool("background").unwrap_or(true),
                    blur: number("blur", 0.0).clamp(0.0, 1.0),
                });
                Ok(Value::Nil)
            }
            Err(why) => {
                world.wait_for(file, false);
                Err(mlua::Error::runtime(format!("light.environment: {why}")))
            }
        }
    })
}

/// `light.environment(file, options)`.
pub(super) const ENVIRONMENT: Function = Function {
    name: "environment",
    params: &[
        Param {
            name: "file",
            ty: Type::Text,
            optional: true,
        },
        Param::options(FIELDS),
    ],
    returns: "",
    doc: "Lights the scene by a picture of all around, in place of the sky's colours: Radiance (.hdr), KTX2 \
          (a cube map, or one picture), PNG or JPEG. The middle of a picture twice as wide as high lies \
          towards -Z. nil goes back to the sky. A save of the file is seen at once.",
    example: "light.environment(\"tests/sky.hdr\", { yaw = 90, strength = 0.8, background = false })\nlight.environment(nil)",
    call: environment,
};
