//! Handles to lights of `light.point` and `light.spot`.

use glam::Vec3;
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::{CharacterRef, bone_index, find};
use super::check::{Args, Param, Type, lua_number, lua_vector};
use super::group::{Function, Group, Kind, Property};
use crate::world::with_world;
use galatea_derive::Options;
use galatea_math::clamp::ClampTo as _;
use galatea_stage::frame::{LocalLight, Spot};
use galatea_stage::{Handle, LightAttachment, Stage, StageLight};

/// Handle to a light.
#[derive(Clone, Copy, Debug)]
pub(super) struct LightRef(pub Handle);

impl UserData for LightRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// Maximum number of lights on a stage.
const MAX_LIGHTS: usize = 4096;

/// A point light.
#[derive(Options)]
pub(super) struct PointLightOptions {
    /// Position of the light in the world. With `character`, it is a position in the space of the bone that carries the
    /// light.
    #[option(default_doc = "(0, 2, 1); if carried, (0, 0, 0)", unit = "metres")]
    position: Option<Vec3>,
    /// Colour, as linear RGB.
    #[option(default = Vec3::ONE, default_doc = "(1, 1, 1)")]
    color: Vec3,
    /// Intensity: how bright the light makes a surface at a distance of 1 m. 4 is like the sun at noon.
    #[option(default = 4.0, clamp = 0.0..)]
    intensity: f32,
    /// Distance beyond which the light has no effect.
    #[option(default_doc = "10", unit = "metres", clamp = 0.0..)]
    range: Option<f32>,
    /// Radius of the light source. Larger sources cast softer shadows.
    #[option(default_doc = "0.05", unit = "metres", clamp = 0.0..)]
    source_radius: Option<f32>,
    /// True makes the light cast shadows.
    #[option(default = true)]
    shadows: bool,
    /// Character that carries the light: the light moves with it.
    character: Option<CharacterRef>,
    /// Bone of `character` that carries the light.
    bone: Option<String>,
}

/// A spot light.
#[derive(Options)]
pub(super) struct SpotLightOptions {
    #[option(flatten)]
    local_light: PointLightOptions,
    /// Position to which the light points.
    #[option(unit = "metres")]
    target: Option<Vec3>,
    /// Direction in which the light shines, if you give no `target`. With `character`, it is a direction in the space
    /// of the bone that carries the light.
    #[option(default = Vec3::NEG_Y, default_doc = "(0, -1, 0)")]
    direction: Vec3,
    /// Angle from the middle of the cone to its edge, where the light ends.
    #[option(default = 35.0, unit = "degrees", clamp = 1.0..=85.0)]
    outer_angle: f32,
    /// Angle from the middle of the cone at which the light begins to fade.
    #[option(default_doc = "two thirds of `outer_angle`", unit = "degrees")]
    inner_angle: Option<f32>,
}

pub(super) fn point(lua: &Lua, args: Args) -> mlua::Result<Value> {
    add(lua, args.options(0)?, None, None)
}

pub(super) fn spot(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: SpotLightOptions = args.options(0)?;
    let outer = options.outer_angle;
    let cone = Spot {
        direction: options.direction.try_normalize().unwrap_or(Vec3::NEG_Y),
        inner_angle: options
            .inner_angle
            .unwrap_or(outer / 1.5)
            .clamp_to(0.0, outer),
        outer_angle: outer,
    };
    add(lua, options.local_light, Some(cone), options.target)
}

fn add(
    lua: &Lua,
    options: PointLightOptions,
    spot: Option<Spot>,
    target: Option<Vec3>,
) -> mlua::Result<Value> {
    let handle = with_world(lua, |world| {
        if world.stage.lighting.local_lights.iter().count() >= MAX_LIGHTS {
            return Err(mlua::Error::runtime(format!(
                "the limit is {MAX_LIGHTS} lights"
            )));
        }
        let carried = attachment(&mut world.stage, &options, spot)?;
        let plain = LocalLight::default();
        let position = options.position.unwrap_or(plain.position);
        let aimed = |mut spot: Spot| {
            if let Some(target) = target {
                spot.direction = (target - position).try_normalize().unwrap_or(Vec3::NEG_Y);
            }
            spot
        };
        let lamp = LocalLight {
            position,
            color: options.color.max(Vec3::ZERO) * options.intensity,
            range: options.range.unwrap_or(plain.range),
            source_radius: options.source_radius.unwrap_or(plain.source_radius),
            spot: spot.map(aimed),
            casts_shadows: options.shadows,
        };
        let mut lamp = StageLight::new(lamp);
        lamp.attachment = carried;
        Ok(world.stage.lighting.local_lights.insert(lamp))
    })?;
    Ok(Value::UserData(lua.create_userdata(LightRef(handle))?))
}

fn attachment(
    stage: &mut Stage,
    options: &PointLightOptions,
    spot: Option<Spot>,
) -> mlua::Result<Option<LightAttachment>> {
    let Some(CharacterRef(holder)) = options.character else {
        return match options.bone {
            Some(_) => Err(mlua::Error::runtime("bone: needs the option character")),
            None => Ok(None),
        };
    };
    let Some(bone) = &options.bone else {
        return Err(mlua::Error::runtime("character: needs the option bone"));
    };
    Ok(Some(LightAttachment {
        holder,
        bone: bone_index(find(stage, holder)?, bone)?,
        offset: options.position.unwrap_or(Vec3::ZERO),
        direction: spot.map_or(Vec3::NEG_Y, |spot| spot.direction),
    }))
}

/// Calls `work` with the light of argument 0.
fn with_light<T>(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(&mut StageLight) -> mlua::Result<T>,
) -> mlua::Result<T> {
    let gone = || mlua::Error::runtime("this light was removed");
    let LightRef(handle) = args.object(0).ok_or_else(gone)?;
    with_world(lua, |world| {
        work(
            world
                .stage
                .lighting
                .local_lights
                .get_mut(handle)
                .ok_or_else(gone)?,
        )
    })
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let lamp: Option<LightRef> = args.object(0);
    with_world(lua, |world| {
        if let Some(LightRef(handle)) = lamp {
            world.stage.lighting.local_lights.remove(handle);
        }
        Ok(Value::Nil)
    })
}

fn aim_at(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let target = args.vector(1).unwrap_or(Vec3::ZERO);
    with_light(lua, &args, |lamp| {
        let position = lamp.local_light.position;
        let Some(spot) = &mut lamp.local_light.spot else {
            return Err(mlua::Error::runtime(
                "aim_at: a point light has no direction; use light.spot",
            ));
        };
        if let Some(direction) = (target - position).try_normalize() {
            spot.direction = direction;
        }
        Ok(Value::Nil)
    })
}

fn number_of(lua: &Lua, args: &Args, read: fn(&LocalLight) -> f32) -> mlua::Result<Value> {
    with_light(lua, args, |lamp| Ok(lua_number(read(&lamp.local_light))))
}

fn set_number(lua: &Lua, args: &Args, write: fn(&mut LocalLight, f32)) -> mlua::Result<Value> {
    let number = args.number(1).unwrap_or(0.0).max(0.0) as f32;
    with_light(lua, args, |lamp| {
        write(&mut lamp.local_light, number);
        Ok(Value::Nil)
    })
}

fn get_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_light(lua, &args, |lamp| Ok(lua_vector(lamp.local_light.position)))
}

fn set_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let position = args.vector(1).unwrap_or(Vec3::ZERO);
    with_light(lua, &args, |lamp| {
        match &mut lamp.attachment {
            Some(carried) => carried.offset = position,
            None => lamp.local_light.position = position,
        }
        Ok(Value::Nil)
    })
}

fn get_color(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_light(lua, &args, |lamp| {
        let strength = lamp.local_light.color.max_element().max(1e-9);
        Ok(lua_vector(lamp.local_light.color / strength))
    })
}

fn set_color(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let color = args.vector(1).unwrap_or(Vec3::ONE).max(Vec3::ZERO);
    with_light(lua, &args, |lamp| {
        let strength = lamp.local_light.color.max_element();
        lamp.local_light.color = color / color.max_element().max(1e-9) * strength;
        Ok(Value::Nil)
    })
}

fn get_intensity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    number_of(lua, &args, |lamp| lamp.color.max_element())
}

fn set_intensity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    set_number(lua, &args, |lamp, strength| {
        let now = lamp.color.max_element();
        // A light that was switched off has lost its colour.
        let color = if now > 0.0 {
            lamp.color / now
        } else {
            Vec3::ONE
        };
        lamp.color = color * strength.max(1e-6);
    })
}

fn get_range(lua: &Lua, args: Args) -> mlua::Result<Value> {
    number_of(lua, &args, |lamp| lamp.range)
}

fn set_range(lua: &Lua, args: Args) -> mlua::Result<Value> {
    set_number(lua, &args, |lamp, range| lamp.range = range)
}

fn get_source_radius(lua: &Lua, args: Args) -> mlua::Result<Value> {
    number_of(lua, &args, |lamp| lamp.source_radius)
}

fn set_source_radius(lua: &Lua, args: Args) -> mlua::Result<Value> {
    set_number(lua, &args, |lamp, radius| lamp.source_radius = radius)
}

fn get_shadows(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_light(lua, &args, |lamp| {
        Ok(Value::Boolean(lamp.local_light.casts_shadows))
    })
}

fn set_shadows(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let casts = args.bool(1).unwrap_or(true);
    with_light(lua, &args, |lamp| {
        lamp.local_light.casts_shadows = casts;
        Ok(Value::Nil)
    })
}

/// Methods and properties of a light.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Light",
    doc: "A light, created by `light.point` or `light.spot`. It stays until you remove it or the script is reloaded. \
          The render quality limits how many lights cast shadows. If there are more, the brightest lights in view cast \
          shadows.",
    functions: &[
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Removes the light. After that, its value has no effect any more.",
            example: "light.point { intensity = 2 }:remove()",
            call: remove,
        },
        Function {
            name: "aim_at",
            params: &[Param {
                name: "target",
                ty: Type::Vector,
                optional: false,
            }],
            returns: "",
            doc: "Points a spot light at a position. A point light has no direction.",
            example: "light.spot { position = vec(0, 3, 2) }:aim_at(hero.position)",
            call: aim_at,
        },
    ],
    properties: &[
        Property {
            name: "position",
            ty: "vector",
            doc: "Position in the world, metres. If a character carries the light, you set the position in the space of \
                  the bone that carries the light.",
            get: get_position,
            set: Some((Type::Vector, set_position)),
        },
        Property {
            name: "color",
            ty: "vector",
            doc: "Colour, as linear RGB. It is scaled so that its largest component is 1; the brightness is set with \
                  `intensity`.",
            get: get_color,
            set: Some((Type::Vector, set_color)),
        },
        Property {
            name: "intensity",
            ty: "number",
            doc: "Intensity: how bright the light makes a surface at a distance of 1 m. 4 is like the sun at noon.",
            get: get_intensity,
            set: Some((Type::Number, set_intensity)),
        },
        Property {
            name: "range",
            ty: "number",
            doc: "Distance beyond which the light has no effect, metres.",
            get: get_range,
            set: Some((Type::Number, set_range)),
        },
        Property {
            name: "source_radius",
            ty: "number",
            doc: "Radius of the light source, metres. Larger sources cast softer shadows.",
            get: get_source_radius,
            set: Some((Type::Number, set_source_radius)),
        },
        Property {
            name: "shadows",
            ty: "boolean",
            doc: "True if the light casts shadows.",
            get: get_shadows,
            set: Some((Type::Bool, set_shadows)),
        },
    ],
};
