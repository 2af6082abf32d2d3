//! `light`: the sun, the sky, lamps, haze, and how light becomes a picture.

use glam::{Quat, Vec3};
use mlua::{Lua, Value};

use super::character::CharacterRef;
use super::check::{Args, Field, Param, Type, object};
use super::environment::ENVIRONMENT;
use super::{Function, Group, Kind, lamp_handle};
use crate::world::with_world;
use galatea_stage::frame::{AutoExposure, Fog, Grade, Quality, Shading, ToneMap};
use galatea_stage::{RIGS, RigPlace, light_by};

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
        doc: "factor on the colour; noon is about 3.4",
    },
    Field {
        name: "width",
        ty: Type::Number,
        doc: "degrees, 0 to 20: how soft its shadows are; 2 is thin haze",
    },
];

fn sun(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    with_world(lua, |world| {
        let light = &mut world.stage.lighting.light;
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
        if let Some(width) = fields.number("width") {
            light.sun_width = width.clamp(0.0, 20.0) as f32;
        }
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
    Field {
        name: "seamless",
        ty: Type::Bool,
        doc: "the floor runs up into what stands behind, as paper in a studio; else it ends at a horizon. Rigs of a studio set it; false",
    },
];

fn sky(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    with_world(lua, |world| {
        let light = &mut world.stage.lighting.light;
        let color = |name: &str, now: Vec3| fields.vector(name).unwrap_or(now).max(Vec3::ZERO);
        light.sky_zenith = color("zenith", light.sky_zenith);
        light.sky_horizon = color("horizon", light.sky_horizon);
        light.sky_ground = color("ground", light.sky_ground);
        light.seamless = fields.bool("seamless").unwrap_or(light.seamless);
        Ok(Value::Nil)
    })
}

fn exposure(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let stops = args.number(0).unwrap_or(0.0).clamp(-10.0, 10.0) as f32;
    with_world(lua, |world| {
        world.stage.picture.look.exposure = stops;
        Ok(Value::Nil)
    })
}

const RIG_FIELDS: &[Field] = &[
    Field {
        name: "at",
        ty: Type::Vector,
        doc: "the middle of what is lit; (0, 0.95, 0), or the character's middle",
    },
    Field {
        name: "character",
        ty: Type::Object("Character"),
        doc: "who is lit: gives at, yaw and size",
    },
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "degrees to which the front looks; 0",
    },
    Field {
        name: "size",
        ty: Type::Number,
        doc: "height of what is lit, metres; 1.8",
    },
    Field {
        name: "strength",
        ty: Type::Number,
        doc: "factor on all light; 1",
    },
];

fn rig(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    let fields = args.fields(1);
    with_world(lua, |world| {
        let mut place = RigPlace {
            at: Vec3::new(0.0, 0.95, 0.0),
            yaw: 0.0,
            size: 1.8,
            strength: 1.0,
        };
        if let Some(CharacterRef(handle)) = object(&fields.value("character"))
            && let Some(character) = world.stage.characters.get(handle)
        {
            let [low, high] = character.definition.rest_box;
            let placement = character.placement;
            let middle = (low + high) * 0.5 * placement.scale;
            place.size = ((high - low).max_element() * placement.scale.abs()).max(0.01);
            place.yaw = placement.yaw;
            place.at =
                placement.position + Quat::from_rotation_y(placement.yaw.to_radians()) * middle;
        }
        let number = |name: &str, now: f32| fields.number(name).map_or(now, |n| n as f32);
        place.at = fields.vector("at").unwrap_or(place.at);
        place.yaw = number("yaw", place.yaw);
        place.size = number("size", place.size).clamp(0.001, 1e4);
        place.strength = number("strength", 1.0).clamp(0.0, 1e4);
        let stage = &mut world.stage;
        light_by(&mut stage.lighting, &mut stage.picture.look, &name, place);
        Ok(Value::Nil)
    })
}

const FOG_FIELDS: &[Field] = &[
    Field {
        name: "color",
        ty: Type::Vector,
        doc: "linear colour",
    },
    Field {
        name: "density",
        ty: Type::Number,
        doc: "share of the light lost in a metre; 0 is clear air, 0.02 mist",
    },
    Field {
        name: "height",
        ty: Type::Number,
        doc: "metres above base at which it is a third as dense; without it is even",
    },
    Field {
        name: "base",
        ty: Type::Number,
        doc: "height where it is densest, metres; 0",
    },
];

fn fog(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    with_world(lua, |world| {
        let fog = &mut world.stage.picture.look.fog;
        let number = |name: &str, now: f32| fields.number(name).map_or(now, |n| n as f32);
        *fog = Fog {
            color: fields.vector("color").unwrap_or(fog.color).max(Vec3::ZERO),
            density: number("density", fog.density).clamp(0.0, 100.0),
            height: number("height", fog.height).max(0.01),
            base: number("base", fog.base),
        };
        Ok(Value::Nil)
    })
}

const TONES: &[&str] = &["neutral", "agx", "aces", "plain"];
const SHADINGS: &[&str] = &["physical", "book"];
const QUALITIES: &[&str] = &["low", "medium", "high"];

const LOOK_FIELDS: &[Field] = &[
    Field {
        name: "tone",
        ty: Type::Word(TONES),
        doc: "tone map: colours as painted (neutral), fading to white where it is bright (agx), cinema contrast (aces), cut off (plain); neutral",
    },
    Field {
        name: "shading",
        ty: Type::Word(SHADINGS),
        doc: "how surfaces take light: as their materials say (physical), or by the book's formula, for comparison (book); physical",
    },
    Field {
        name: "auto_exposure",
        ty: Type::Bool,
        doc: "the picture finds its own brightness; false",
    },
    Field {
        name: "adapt_speed",
        ty: Type::Number,
        doc: "of auto_exposure, stops per second; 2",
    },
    Field {
        name: "bloom",
        ty: Type::Number,
        doc: "share of light scattered in the lens, 0 to 1; 0.04",
    },
    Field {
        name: "occlusion",
        ty: Type::Number,
        doc: "darkening of corners and creases, 0 to 2; 1",
    },
    Field {
        name: "contact_shadows",
        ty: Type::Number,
        doc: "length of the finest shadows, metres; 0.1, 0 for none",
    },
    Field {
        name: "contrast",
        ty: Type::Number,
        doc: "1",
    },
    Field {
        name: "saturation",
        ty: Type::Number,
        doc: "0 is grey; 1",
    },
    Field {
        name: "temperature",
        ty: Type::Number,
        doc: "-1 cold to 1 warm; 0",
    },
    Field {
        name: "tint",
        ty: Type::Number,
        doc: "-1 green to 1 magenta; 0",
    },
    Field {
        name: "shadows",
        ty: Type::Vector,
        doc: "colour added to what is dark; (0, 0, 0)",
    },
    Field {
        name: "highlights",
        ty: Type::Vector,
        doc: "colour that what is bright is multiplied by; (1, 1, 1)",
    },
    Field {
        name: "vignette",
        ty: Type::Number,
        doc: "darkening towards the corners, 0 to 1; 0",
    },
];

fn look(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    with_world(lua, |world| {
        let look = &mut world.stage.picture.look;
        let number = |name: &str, now: f32, low: f64, high: f64| {
            fields
                .number(name)
                .map_or(now, |n| n.clamp(low, high) as f32)
        };
        look.tone = match fields.text("tone").as_deref() {
            Some("agx") => ToneMap::Agx,
            Some("aces") => ToneMap::Aces,
            Some("neutral") => ToneMap::Neutral,
            Some("plain") => ToneMap::Plain,
            _ => look.tone,
        };
        look.shading = match fields.text("shading").as_deref() {
            Some("physical") => Shading::Physical,
            Some("book") => Shading::Book,
            _ => look.shading,
        };
        if let Some(is_on) = fields.bool("auto_exposure") {
            look.auto_exposure = is_on.then(AutoExposure::default);
        }
        if let Some(auto) = &mut look.auto_exposure {
            auto.speed = number("adapt_speed", auto.speed, 0.0, 100.0);
        }
        look.bloom = number("bloom", look.bloom, 0.0, 1.0);
        look.occlusion = number("occlusion", look.occlusion, 0.0, 2.0);
        look.contact_shadows = number("contact_shadows", look.contact_shadows, 0.0, 1.0);
        let grade = &mut look.grade;
        *grade = Grade {
            contrast: number("contrast", grade.contrast, 0.0, 4.0),
            saturation: number("saturation", grade.saturation, 0.0, 4.0),
            temperature: number("temperature", grade.temperature, -1.0, 1.0),
            tint: number("tint", grade.tint, -1.0, 1.0),
            shadows: fields.vector("shadows").unwrap_or(grade.shadows),
            highlights: fields.vector("highlights").unwrap_or(grade.highlights),
            vignette: number("vignette", grade.vignette, 0.0, 1.0),
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
    doc: "A sun with shadows, a sky that lights from all around, lamps; haze; and how light becomes a \
          picture. Colours are linear.",
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
        Function {
            name: "rig",
            params: &[
                Param {
                    name: "name",
                    ty: Type::Word(RIGS),
                    optional: false,
                },
                Param::options(RIG_FIELDS),
            ],
            returns: "",
            doc: "Lights a character as a studio or a time of day would: sets sun, sky, fog and grade, and \
                  lamps in place of those of the rig before.",
            example: "light.rig(\"three_point\", { character = hero })",
            call: rig,
        },
        Function {
            name: "point",
            params: &[Param {
                name: "options",
                ty: Type::Fields(lamp_handle::POINT_FIELDS),
                optional: false,
            }],
            returns: "Lamp",
            doc: "A lamp that shines all around.",
            example: "light.point { at = vector.create(1, 2, 1), color = vector.create(1, 0.8, 0.6), strength = 4 }",
            call: lamp_handle::point,
        },
        Function {
            name: "spot",
            params: &[Param {
                name: "options",
                ty: Type::Fields(lamp_handle::SPOT_FIELDS),
                optional: false,
            }],
            returns: "Lamp",
            doc: "A lamp that shines one way.",
            example: "light.spot { at = vector.create(0, 3, 2), target = vector.create(0, 1, 0), strength = 20, outer = 25 }",
            call: lamp_handle::spot,
        },
        Function {
            name: "fog",
            params: &[Param {
                name: "options",
                ty: Type::Fields(FOG_FIELDS),
                optional: false,
            }],
            returns: "",
            doc: "Sets the haze; what is left out stays.",
            example: "light.fog { density = 0.02, height = 4, color = vector.create(0.6, 0.65, 0.7) }",
            call: fog,
        },
        Function {
            name: "look",
            params: &[Param {
                name: "options",
                ty: Type::Fields(LOOK_FIELDS),
                optional: false,
            }],
            returns: "",
            doc: "Sets how light becomes a picture; what is left out stays.",
            example: "light.look { tone = \"aces\", bloom = 0.08, vignette = 0.2, temperature = 0.1 }",
            call: look,
        },
        Function {
            name: "quality",
            params: &[Param {
                name: "name",
                ty: Type::Word(QUALITIES),
                optional: false,
            }],
            returns: "",
            doc: "How much is spent on a picture, from now on. Without it the machine is measured at the start; \
                  --quality on the command line overrules it.",
            example: "light.quality(\"high\")",
            call: quality,
        },
        ENVIRONMENT,
    ],
    properties: &[],
};
