//! `picture { … }`: textures computed by functions, in recipes.

use glam::{Vec3, Vec4};
use mlua::{Function as LuaFunction, Lua, MultiValue, UserData, Value};

use super::{gate, wrong};
use galatea_asset::model::{Image, Sampler, Wrap};
use galatea_derive::Options;
use galatea_math::clamp::ClampTo as _;
use galatea_math::srgb::to_byte;
use galatea_script::toolkit::{
    Args, Function, Group, Kind, OptionValue, Options, Param, Type, describe, number, text, vector,
};

/// A texture object of a recipe.
#[derive(Clone)]
pub(super) struct PictureRef {
    /// Colour and alpha, sRGB.
    pub color: Option<Image>,
    /// Normal map in tangent space.
    pub normal: Option<Image>,
    /// G roughness, B metallic.
    pub surface: Option<Image>,
    pub sampler: Sampler,
}

impl UserData for PictureRef {}

/// Options of a texture. Its functions receive u and v, 0 to 1 from left to right and from top to bottom.
#[derive(Options)]
struct PictureOptions {
    /// Size of the image in this direction, in pixels.
    #[option(default = 256.0, range = 1.0..=MAX_SIZE)]
    width: f32,
    /// Size of the image in this direction, in pixels.
    #[option(default_doc = "same as `width`", range = 1.0..=MAX_SIZE)]
    height: Option<f32>,
    /// Function that returns the colour (linear RGB), and as second result the alpha, if you need it.
    #[option(ty = Type::Function("(u: number, v: number) -> (vector, number?)"))]
    color: Option<LuaFunction>,
    /// Function that returns the height of the relief, as a fraction of the width of the picture. The normal map is
    /// calculated from it.
    #[option(ty = Type::Function("(u: number, v: number) -> number"))]
    relief: Option<LuaFunction>,
    /// Function that returns the roughness, and as second result how metallic the surface is (0 if it is missing).
    #[option(ty = Type::Function("(u: number, v: number) -> (number, number?)"))]
    surface: Option<LuaFunction>,
    /// What is visible at texture coordinates below 0 and above 1: the picture again, the mirrored picture, or its last
    /// pixels. It is one word, or one for u and one for v, such as { "repeat", "mirror" }.
    #[option(default = Wraps(Wrap::Repeat, Wrap::Repeat), default_doc = "\"repeat\"")]
    wrap: Wraps,
}

/// Wrapping modes along u and along v.
struct Wraps(Wrap, Wrap);

/// Names of wrapping modes.
const WRAPS: [(&str, Wrap); 3] = [
    ("repeat", Wrap::Repeat),
    ("mirror", Wrap::Mirror),
    ("clamp", Wrap::Clamp),
];
const WRAP: Type = Type::Word(&["repeat", "mirror", "clamp"]);

impl OptionValue for Wraps {
    const TYPE: Type = Type::OneOf(&[WRAP, Type::List(&WRAP)]);

    fn from_value(value: Value) -> Result<Self, String> {
        let one = |value: &Value| {
            let name = text(value);
            let found = WRAPS.iter().find(|(own, _)| Some(*own) == name.as_deref());
            let found = found.map(|(_, wrap)| *wrap);
            found.ok_or_else(|| {
                format!(
                    "expected \"repeat\", \"mirror\" or \"clamp\", got {}",
                    describe(value)
                )
            })
        };
        let Value::Table(both) = &value else {
            return Ok(Self(one(&value)?, one(&value)?));
        };
        let entry = |i: usize| one(&both.raw_get(i).unwrap_or(Value::Nil));
        Ok(Self(entry(1)?, entry(2)?))
    }
}

const MAX_SIZE: f64 = 2048.0;

/// Result of a function at the centre of a pixel.
fn at(lua: &Lua, function: &LuaFunction, x: f32, y: f32) -> mlua::Result<MultiValue> {
    gate::call(lua, function, (f64::from(x), f64::from(y)))
}

fn first(given: &MultiValue, what: &str) -> mlua::Result<f32> {
    given
        .front()
        .and_then(number)
        .map(|n| n as f32)
        .ok_or_else(|| wrong(format!("picture: {what} must return a number")))
}

/// Pixels in rows from the top, four bytes each.
fn render(
    [width, height]: [u32; 2],
    mut pixel: impl FnMut(u32, u32) -> mlua::Result<[u8; 4]>,
) -> mlua::Result<Image> {
    let mut rgba = Vec::with_capacity((width * height * 4) as usize);
    for y in 0..height {
        for x in 0..width {
            rgba.extend(pixel(x, y)?);
        }
    }
    Ok(Image {
        name: String::new(),
        width,
        height,
        rgba,
    })
}

fn byte(x: f32) -> u8 {
    (x.clamp(0.0, 1.0) * 255.0).round() as u8
}

fn make(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: PictureOptions = args.options(0)?;
    let width = options.width.round();
    let height = options.height.unwrap_or(width).round();
    let size = [width as u32, height as u32];
    gate::charge_memory(lua, size[0] as usize * size[1] as usize, 3 * 4)?;
    let middle = |x: u32, y: u32| ((x as f32 + 0.5) / width, (y as f32 + 0.5) / height);
    let Wraps(wrap_u, wrap_v) = options.wrap;
    let color = options.color.map(|function| {
        render(size, |x, y| {
            let (u, v) = middle(x, y);
            let given = at(lua, &function, u, v)?;
            let color = given.front().and_then(vector);
            let color = color.ok_or_else(|| wrong("picture: color must return a vector"))?;
            let alpha = given.get(1).and_then(number).unwrap_or(1.0) as f32;
            let [r, g, b] = color.to_array().map(to_byte);
            Ok([r, g, b, byte(alpha)])
        })
    });
    let normal = options.relief.map(|function| {
        let mut heights = Vec::with_capacity((size[0] * size[1]) as usize);
        for y in 0..size[1] {
            for x in 0..size[0] {
                let (u, v) = middle(x, y);
                heights.push(first(&at(lua, &function, u, v)?, "relief")?);
            }
        }
        let high = |x: i64, y: i64| {
            let on = |i: i64, n: u32, wrap: Wrap| match wrap {
                Wrap::Repeat => i.rem_euclid(i64::from(n)),
                _ => i.clamp_to(0, i64::from(n) - 1),
            };
            let (x, y) = (on(x, size[0], wrap_u), on(y, size[1], wrap_v));
            heights[(y * i64::from(size[0]) + x) as usize]
        };
        render(size, |x, y| {
            let (x, y) = (i64::from(x), i64::from(y));
            // The width of the image is 1 in both directions, since its pixels are square.
            let across = (high(x + 1, y) - high(x - 1, y)) * width / 2.0;
            let down = (high(x, y + 1) - high(x, y - 1)) * width / 2.0;
            let normal = Vec3::new(-across, down, 1.0).normalize() * 0.5 + 0.5;
            Ok([byte(normal.x), byte(normal.y), byte(normal.z), 255])
        })
    });
    let surface = options.surface.map(|function| {
        render(size, |x, y| {
            let (u, v) = middle(x, y);
            let given = at(lua, &function, u, v)?;
            let rough = first(&given, "surface")?;
            let metal = given.get(1).and_then(number).unwrap_or(0.0) as f32;
            Ok(Vec4::new(1.0, rough, metal, 1.0).to_array().map(byte))
        })
    });
    let made = PictureRef {
        color: color.transpose()?,
        normal: normal.transpose()?,
        surface: surface.transpose()?,
        sampler: Sampler {
            wrap_u,
            wrap_v,
            ..Sampler::default()
        },
    };
    lua.create_userdata(made).map(Value::UserData)
}

pub(super) const PICTURE: Function = Function {
    name: "picture",
    params: &[Param {
        name: "options",
        ty: Type::Options(PictureOptions::SHAPE),
        optional: false,
    }],
    returns: "Picture",
    doc: "Makes a texture for a material from functions. Each function gets the texture coordinates u and v. `cage:uv` \
          sets the texture coordinates of points.",
    example: "local v = vector.create\nlocal checks = picture { width = 8, color = function(x, y) return if (x < 0.5) == (y < 0.5) then v(1, 1, 1) else v(0, 0, 0) end }",
    call: make,
};

pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Picture",
    doc: "A texture that is made from functions, by `picture`. A material uses it in its field `picture`.",
    functions: &[],
    properties: &[],
};
