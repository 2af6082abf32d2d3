//! `light`: the sun, the sky, point and spot lights, fog, and post-processing.

use glam::{Quat, Vec3};
use mlua::{Lua, Value};

use super::character_ref::CharacterRef;
use super::check::{Args, Options, Param, Type};
use super::environment::ENVIRONMENT;
use super::group::{Function, Group, Kind};
use super::light_handle;
use crate::words;
use crate::world::with_world;
use galatea_derive::Options;
use galatea_stage::frame::{AutoExposure, Fog, Grade, Quality, Shading, ToneMap};
use galatea_stage::{LightRigPlacement, RIGS, light_by};

/// Direction and intensity of the sun. An option that is left out keeps its value.
#[derive(Options)]
struct SunOptions {
    /// Direction from which the sun shines, as an angle around the Y axis. At 0 the sun is towards +Z, at 90 towards
    /// +X.
    #[option(unit = "degrees")]
    yaw: Option<f32>,
    /// Height of the sun above the horizon, as an angle.
    #[option(unit = "degrees", clamp = 0.0..=90.0)]
    pitch: Option<f32>,
    /// Colour, as linear RGB.
    color: Option<Vec3>,
    /// Intensity of the sunlight, as a factor on the colour. At noon it is about 3.4.
    #[option(clamp = 0.0..)]
    intensity: Option<f32>,
    /// Size of the sun in the sky, as an angle. Larger values give softer shadows; 2 is like the sun through thin haze.
    #[option(unit = "degrees", clamp = 0.0..=20.0)]
    source_angle: Option<f32>,
}

fn sun(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let sun: SunOptions = args.options(0)?;
    with_world(lua, |world| {
        let light = &mut world.stage.lighting.light;
        let d = light.sun_direction;
        let yaw = sun.yaw.map_or(d.x.atan2(d.z), f32::to_radians);
        let pitch = sun
            .pitch
            .map_or(d.y.clamp(-1.0, 1.0).asin(), f32::to_radians);
        light.sun_direction = Vec3::new(
            yaw.sin() * pitch.cos(),
            pitch.sin(),
            yaw.cos() * pitch.cos(),
        );
        let strength = light.sun_color.max_element().max(1e-6);
        let color = sun.color.unwrap_or(light.sun_color / strength);
        light.sun_color = color.max(Vec3::ZERO) * sun.intensity.unwrap_or(strength);
        light.sun_source_angle = sun.source_angle.unwrap_or(light.sun_source_angle);
        Ok(Value::Nil)
    })
}

/// Colours of the sky. An option that is left out keeps its value.
#[derive(Options)]
struct SkyOptions {
    /// Colour straight above, as linear RGB.
    zenith: Option<Vec3>,
    /// Colour at the horizon, as linear RGB.
    horizon: Option<Vec3>,
    /// Colour of the light from below, as linear RGB.
    ground: Option<Vec3>,
    /// True hides the horizon: the floor blends into the background, like the paper in a photo studio. Some rigs of
    /// `light.rig` set it.
    seamless: Option<bool>,
}

fn sky(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let sky: SkyOptions = args.options(0)?;
    with_world(lua, |world| {
        let light = &mut world.stage.lighting.light;
        let color = |new: Option<Vec3>, now: Vec3| new.unwrap_or(now).max(Vec3::ZERO);
        light.sky_zenith = color(sky.zenith, light.sky_zenith);
        light.sky_horizon = color(sky.horizon, light.sky_horizon);
        light.sky_ground = color(sky.ground, light.sky_ground);
        light.seamless = sky.seamless.unwrap_or(light.seamless);
        Ok(Value::Nil)
    })
}

fn exposure(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let stops = args.number(0).unwrap_or(0.0).clamp(-10.0, 10.0) as f32;
    with_world(lua, |world| {
        world.stage.picture.post_processing.exposure = stops;
        Ok(Value::Nil)
    })
}

/// Subject and brightness of a light rig.
#[derive(Options)]
struct RigOptions {
    /// Centre of the lit subject.
    #[option(
        default_doc = "(0, 0.95, 0), or the middle of `character`",
        unit = "metres"
    )]
    position: Option<Vec3>,
    /// Character that is lit. It gives the defaults of `position`, `yaw` and `size`.
    character: Option<CharacterRef>,
    /// Direction that the lit subject faces, as an angle around the Y axis: 0 is +Z, 90 is +X.
    #[option(default_doc = "0, or that of `character`", unit = "degrees")]
    yaw: Option<f32>,
    /// Height of the lit subject.
    #[option(default_doc = "1.8, or that of `character`", unit = "metres", clamp = 0.001..=1e4)]
    size: Option<f32>,
    /// Factor on the intensity of all lights.
    #[option(default = 1.0, clamp = 0.0..=1e4)]
    intensity: f32,
}

fn rig(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    let rig: RigOptions = args.options(1)?;
    with_world(lua, |world| {
        let mut place = LightRigPlacement {
            at: Vec3::new(0.0, 0.95, 0.0),
            yaw: 0.0,
            size: 1.8,
            strength: rig.intensity,
        };
        if let Some(CharacterRef(handle)) = rig.character
            && let Some(character) = world.stage.characters.get(handle)
        {
            let [low, high] = character.definition.rest_box;
            let placement = character.placement;
            let middle = (low + high) * 0.5 * placement.scale;
            place.size = ((high - low).max_element() * placement.scale.abs()).clamp(0.01, 1e4);
            place.yaw = placement.yaw;
            place.at =
                placement.position + Quat::from_rotation_y(placement.yaw.to_radians()) * middle;
        }
        place.at = rig.position.unwrap_or(place.at);
        place.yaw = rig.yaw.unwrap_or(place.yaw);
        place.size = rig.size.unwrap_or(place.size);
        let stage = &mut world.stage;
        light_by(
            &mut stage.lighting,
            &mut stage.picture.post_processing,
            &name,
            place,
        );
        Ok(Value::Nil)
    })
}

/// Density and height of the fog. An option that is left out keeps its value.
#[derive(Options)]
struct FogOptions {
    /// Colour, as linear RGB.
    color: Option<Vec3>,
    /// Density of the fog: about the fraction of the light that is lost per metre. 0 is clear air, 0.02 is mist.
    #[option(clamp = 0.0..=100.0)]
    density: Option<f32>,
    /// Height above `base` at which the density has decreased to about a third. Without this option, the fog has the
    /// same density everywhere.
    #[option(unit = "metres", clamp = 0.01..)]
    height: Option<f32>,
    /// Height at which the fog is densest.
    #[option(unit = "metres")]
    base: Option<f32>,
}

fn fog(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let new: FogOptions = args.options(0)?;
    with_world(lua, |world| {
        let fog = &mut world.stage.picture.post_processing.fog;
        *fog = Fog {
            color: new.color.unwrap_or(fog.color).max(Vec3::ZERO),
            density: new.density.unwrap_or(fog.density),
            height: new.height.unwrap_or(fog.height),
            base: new.base.unwrap_or(fog.base),
        };
        Ok(Value::Nil)
    })
}

words!(ToneMap {
    "neutral" => ToneMap::Neutral,
    "agx" => ToneMap::Agx,
    "aces" => ToneMap::Aces,
    "linear" => ToneMap::Linear,
});

words!(Shading {
    "physical" => Shading::Physical,
    "classic" => Shading::Classic,
});

const QUALITIES: &[&str] = &["low", "medium", "high"];

/// Tone mapping, shading and colour grading. An option that is left out keeps its value.
#[derive(Options)]
struct PostProcessOptions {
    /// Tone map: how light that is too bright for the screen is shown. "neutral" keeps the colours, "agx" lets bright
    /// colours fade to white, "aces" has the strong contrast of films. "linear" shows everything that is too bright at
    /// the maximum.
    #[option(default_doc = "neutral")]
    tonemap: Option<ToneMap>,
    /// Shading: "physical" follows the materials, "classic" is the formula of the book *Character Animation with
    /// Direct3D*, for comparison.
    #[option(default_doc = "physical")]
    shading: Option<Shading>,
    /// True adapts the exposure to the brightness of the picture.
    #[option(default_doc = "false")]
    auto_exposure: Option<bool>,
    /// Speed at which `auto_exposure` adapts. At one stop per second, the picture can become twice or half as bright in
    /// a second.
    #[option(default_doc = "2", unit = "stops per second", clamp = 0.0..=100.0)]
    adapt_speed: Option<f32>,
    /// Bloom (glow around bright parts): fraction of the light that the lens scatters.
    #[option(default_doc = "0.04", clamp = 0.0..=1.0)]
    bloom: Option<f32>,
    /// Ambient occlusion: strength of the darkening in corners and creases.
    #[option(default_doc = "1", clamp = 0.0..=2.0)]
    ambient_occlusion: Option<f32>,
    /// Length of contact shadows, the small shadows where objects touch; 0 is none.
    #[option(default_doc = "0.1", unit = "metres", clamp = 0.0..=1.0)]
    contact_shadows: Option<f32>,
    /// Contrast; 1 changes nothing. At 0 the whole picture is one even grey, above 1 dark parts are darker and bright
    /// parts brighter.
    #[option(default_doc = "1", clamp = 0.0..=4.0)]
    contrast: Option<f32>,
    /// Saturation: strength of the colours; 1 changes nothing. At 0 the picture is black and white.
    #[option(default_doc = "1", clamp = 0.0..=4.0)]
    saturation: Option<f32>,
    /// Colour temperature, from -1, cold and blue, to 1, warm and yellow.
    #[option(default_doc = "0", clamp = -1.0..=1.0)]
    temperature: Option<f32>,
    /// Tint, from -1, green, to 1, magenta.
    #[option(default_doc = "0", clamp = -1.0..=1.0)]
    tint: Option<f32>,
    /// Colour that is added to dark areas, as linear RGB.
    #[option(default_doc = "(0, 0, 0)")]
    shadow_tint: Option<Vec3>,
    /// Colour that multiplies bright areas, as linear RGB.
    #[option(default_doc = "(1, 1, 1)")]
    highlight_tint: Option<Vec3>,
    /// Vignette: darkening towards the corners of the picture.
    #[option(default_doc = "0", clamp = 0.0..=1.0)]
    vignette: Option<f32>,
}

fn post_process(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let new: PostProcessOptions = args.options(0)?;
    with_world(lua, |world| {
        let look = &mut world.stage.picture.post_processing;
        look.tonemap = new.tonemap.unwrap_or(look.tonemap);
        look.shading = new.shading.unwrap_or(look.shading);
        if let Some(is_on) = new.auto_exposure {
            look.auto_exposure = is_on.then(AutoExposure::default);
        }
        if let Some(auto) = &mut look.auto_exposure {
            auto.speed = new.adapt_speed.unwrap_or(auto.speed);
        }
        look.bloom = new.bloom.unwrap_or(look.bloom);
        look.ambient_occlusion = new.ambient_occlusion.unwrap_or(look.ambient_occlusion);
        look.contact_shadows = new.contact_shadows.unwrap_or(look.contact_shadows);
        let grade = &mut look.grade;
        *grade = Grade {
            contrast: new.contrast.unwrap_or(grade.contrast),
            saturation: new.saturation.unwrap_or(grade.saturation),
            temperature: new.temperature.unwrap_or(grade.temperature),
            tint: new.tint.unwrap_or(grade.tint),
            shadow_tint: new.shadow_tint.unwrap_or(grade.shadow_tint),
            highlight_tint: new.highlight_tint.unwrap_or(grade.highlight_tint),
            vignette: new.vignette.unwrap_or(grade.vignette),
        };
        Ok(Value::Nil)
    })
}

fn quality(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    with_world(lua, |world| {
        world.stage.picture.quality = Quality::of(&name);
        Ok(Value::Nil)
    })
}

/// The module `light`.
pub(super) static GROUP: Group = Group {
    kind: Kind::Module,
    name: "light",
    doc: "Light of the scene: the sun with its shadows, the sky, point and spot lights, fog, and post-processing (effects on \
          the finished picture). Colours are linear RGB.",
    functions: &[
        Function {
            name: "sun",
            params: &[Param {
                name: "options",
                ty: Type::Options(SunOptions::SHAPE),
                optional: false,
            }],
            returns: "",
            doc: "Sets the sun. Options that you leave out keep their values.",
            example: "light.sun { yaw = 40, pitch = 35, intensity = 3 }",
            call: sun,
        },
        Function {
            name: "sky",
            params: &[Param {
                name: "options",
                ty: Type::Options(SkyOptions::SHAPE),
                optional: false,
            }],
            returns: "",
            doc: "Sets the colours of the sky, which lights the scene from all directions. Options that you leave out keep \
                  their values.",
            example: "light.sky { horizon = vec(0.9, 0.8, 0.7) }",
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
            doc: "Sets the exposure (brightness of the picture). `stops` is 0 for normal; +1 is twice as bright, -1 \
                  half as bright.",
            example: "light.exposure(0.3)",
            call: exposure,
        },
        Function {
            name: "rig",
            params: &[
                Param {
                    name: "name",
                    ty: Type::Word(RIGS),
                    optional: false,
                },
                Param::options(RigOptions::SHAPE),
            ],
            returns: "",
            doc: "Sets a complete lighting (light rig): \"noon\", \"three_point\", \"studio\", \"overcast\", \
                  \"sunset\", \"night\", \"spotlight\", \"neon\" or \"embers\". A rig sets the sun, the sky, the fog \
                  and post-processing. It replaces the lights of the previous rig. [Light](light.md#light-rigs) \
                  describes each rig.",
            example: "light.rig(\"three_point\", { character = hero })",
            call: rig,
        },
        Function {
            name: "point",
            params: &[Param {
                name: "options",
                ty: Type::Options(light_handle::PointLightOptions::SHAPE),
                optional: false,
            }],
            returns: "Light",
            doc: "Creates a point light, which shines in all directions. Returns a `Light`, with which you can change and \
                  remove it.",
            example: "light.point { position = vec(1, 2, 1), color = vec(1, 0.8, 0.6), intensity = 4 }",
            call: light_handle::point,
        },
        Function {
            name: "spot",
            params: &[Param {
                name: "options",
                ty: Type::Options(light_handle::SpotLightOptions::SHAPE),
                optional: false,
            }],
            returns: "Light",
            doc: "Creates a spot light, which shines in one direction, in a cone. Returns a `Light`, with which you can \
                  change and remove it.",
            example: "light.spot { position = vec(0, 3, 2), target = vec(0, 1, 0), intensity = 20, outer_angle = 25 }",
            call: light_handle::spot,
        },
        Function {
            name: "fog",
            params: &[Param {
                name: "options",
                ty: Type::Options(FogOptions::SHAPE),
                optional: false,
            }],
            returns: "",
            doc: "Sets the fog. Options that you leave out keep their values.",
            example: "light.fog { density = 0.02, height = 4, color = vec(0.6, 0.65, 0.7) }",
            call: fog,
        },
        Function {
            name: "post_process",
            params: &[Param {
                name: "options",
                ty: Type::Options(PostProcessOptions::SHAPE),
                optional: false,
            }],
            returns: "",
            doc: "Sets tone mapping, shading, effects and colour grading of the picture. Options that you leave out keep \
                  their values.",
            example: "light.post_process { tonemap = \"aces\", bloom = 0.08, vignette = 0.2, temperature = 0.1 }",
            call: post_process,
        },
        Function {
            name: "quality",
            params: &[Param {
                name: "name",
                ty: Type::Word(QUALITIES),
                optional: false,
            }],
            returns: "",
            doc: "Sets the render quality: \"low\", \"medium\" or \"high\". Without a call, the speed of the computer is \
                  measured at the start. The command-line option `--quality` overrides the script.",
            example: "light.quality(\"high\")",
            call: quality,
        },
        ENVIRONMENT,
    ],
    properties: &[],
};
