//! `light.environment`: image-based lighting.

use mlua::{Lua, Value};

use super::check::{Args, Options, Param, Type};
use super::group::Function;
use crate::world::with_world;
use galatea_derive::Options;
use galatea_stage::frame::EnvironmentUse;

/// Options of an environment map.
#[derive(Options)]
struct EnvironmentOptions {
    /// Rotation of the environment map around the Y axis.
    #[option(default = 0.0, unit = "degrees")]
    yaw: f32,
    /// Factor on the brightness of the light from the environment map.
    #[option(default = 1.0, clamp = 0.0..)]
    intensity: f32,
    /// True shows the environment map as the background of the picture; false shows the sky.
    #[option(default = true)]
    background: bool,
    /// Blur of the background; 0 is sharp.
    #[option(default = 0.0, clamp = 0.0..=1.0)]
    blur: f32,
}

fn environment(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let file = args.text(0);
    let options: EnvironmentOptions = args.options(1)?;
    with_world(lua, |world| {
        let Some(file) = file else {
            world.stage.lighting.light.environment = None;
            return Ok(Value::Nil);
        };
        match world.services.environment(&file) {
            Ok(environment) => {
                world.stage.lighting.light.environment = Some(EnvironmentUse {
                    environment,
                    yaw: options.yaw.to_radians(),
                    intensity: options.intensity,
                    background: options.background,
                    blur: options.blur,
                });
                Ok(Value::Nil)
            }
            Err(why) => {
                world.loading.wait_for(file, false);
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
        Param::options(EnvironmentOptions::SHAPE),
    ],
    returns: "",
    doc: "Lights the scene with an environment map, an image of the surroundings in all directions, instead of the \
          colours of the sky. `file` may be Radiance (.hdr), KTX2 (a cube map or one picture), PNG or JPEG. The centre \
          of a picture that is twice as wide as high is in the direction -Z. A call with nil returns to the sky. When \
          the file changes, it is loaded again.",
    example: "light.environment(\"tests/sky.hdr\", { yaw = 90, intensity = 0.8, background = false })\nlight.environment(nil)",
    call: environment,
};
