//! `picture { … }`: pictures that functions paint, in recipes.

use glam::{Vec3, Vec4};
use mlua::{Function as LuaFunction, Lua, MultiValue, UserData, Value};

use super::wrong;
use galatea_asset::model::{Image, Sampler, Wrap};
use galatea_math::names::nearest_hint;
use galatea_math::srgb::to_byte;
use galatea_script::toolkit::{Args, Field, Function, Group, Kind, Param, Type, number, vector};

/// A picture in a recipe.
#[derive(Clone)]
pub(super) struct PictureRef {
    /// Colour and alpha, sRGB.
    pub color: Option<Image>,
    /// Tangent space.
    pub normal: Option<Image>,
    /// G rough, B metal.
    pub surface: Option<Image>,
    pub sampler: Sampler,
}

impl UserData for PictureRef {}

const FIELDS: &[Field] = &[
    Field::new("width", Type::Number, "pixels, 1 to 2048; 256"),
    Field::new("height", Type::Number, "pixels; as the width"),
    Field::new(
        "color",
        Type::Function("(...any) -> ...any"),
        "of u and v, 0 to 1 from left to right and from top to bottom: linear colour, and alpha if there is any",
    ),
    Field::new(
        "relief",
        Type::Function("(...any) -> ...any"),
        "of u and v: how high it stands there, in widths of the picture; the map of normals is made of it",
    ),
    Field::new(
        "surface",
        Type::Function("(...any) -> ...any"),
        "of u and v: roughness, and how much it is metal, which is 0 where it is not said",
    ),
    Field::new(
        "wrap",
        Type::OneOf(&[Type::Text, Type::Table("{ [any]: any }")]),
        "what is beyond its edges: \"repeat\", \"mirror\" or \"clamp\"; or one for each direction, { \"repeat\", \"mirror\" }; \"repeat\"",
    ),
];

const WRAPS: [(&str, Wrap); 3] = [
    ("repeat", Wrap::Repeat),
    ("mirror", Wrap::Mirror),
    ("clamp", Wrap::Clamp),
];
const MOST: f64 = 2048.0;

/// What a function gives at the middle of a pixel.
fn at(function: &LuaFunction, x: f32, y: f32) -> mlua::Result<MultiValue> {
    function.call((f64::from(x), f64::from(y)))
}

fn first(given: &MultiValue, what: &str) -> mlua::Result<f32> {
    given
        .front()
        .and_then(number)
        .map(|n| n as f32)
        .ok_or_else(|| wrong(format!("picture: {what} gives a number")))
}

fn wrap(value: &Value) -> mlua::Result<Wrap> {
    let name = value.to_string()?;
    let known = WRAPS.iter().find(|(own, _)| *own == name);
    known.map(|(_, wrap)| *wrap).ok_or_else(|| {
        let hint = nearest_hint(&name, WRAPS.iter().map(|(own, _)| *own));
        wrong(format!("picture: there is no wrap {name:?}{hint}"))
    })
}

/// Pixels in rows from the top, each four bytes.
fn painted(
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
    let fields = args.fields(0);
    let width = fields.within("width", 1.0, MOST)?.unwrap_or(256.0).round();
    let height = fields.within("height", 1.0, MOST)?.unwrap_or(width).round();
    let size = [width as u32, height as u32];
    let middle = |x: u32, y: u32| ((x as f32 + 0.5) / width, (y as f32 + 0.5) / height);
    let (wrap_u, wrap_v) = match fields.value("wrap") {
        Value::Nil => (Wrap::Repeat, Wrap::Repeat),
        Value::Table(both) => (wrap(&both.raw_get(1)?)?, wrap(&both.raw_get(2)?)?),
        value => (wrap(&value)?, wrap(&value)?),
    };
    let color = fields.function("color").map(|function| {
        painted(size, |x, y| {
            let (u, v) = middle(x, y);
            let given = at(&function, u, v)?;
            let color = given.front().and_then(vector);
            let color = color.ok_or_else(|| wrong("picture: color gives a vector"))?;
            let alpha = given.get(1).and_then(number).unwrap_or(1.0) as f32;
            let [r, g, b] = color.to_array().map(to_byte);
            Ok([r, g, b, byte(alpha)])
        })
    });
    let normal = fields.function("relief").map(|function| {
        let mut heights = Vec::with_capacity((size[0] * size[1]) as usize);
        for y in 0..size[1] {
            for x in 0..size[0] {
                let (u, v) = middle(x, y);
                heights.push(first(&at(&function, u, v)?, "relief")?);
            }
        }
        let high = |x: i64, y: i64| {
            let on = |i: i64, n: u32, wrap: Wrap| match wrap {
                Wrap::Repeat => i.rem_euclid(i64::from(n)),
                _ => i.clamp(0, i64::from(n) - 1),
            };
            let (x, y) = (on(x, size[0], wrap_u), on(y, size[1], wrap_v));
            heights[(y * i64::from(size[0]) + x) as usize]
        };
        painted(size, |x, y| {
            let (x, y) = (i64::from(x), i64::from(y));
            // A width of the picture is 1 along both directions where its pixels are square.
            let across = (high(x + 1, y) - high(x - 1, y)) * width / 2.0;
            let down = (high(x, y + 1) - high(x, y - 1)) * width / 2.0;
            let normal = Vec3::new(-across, down, 1.0).normalize() * 0.5 + 0.5;
            Ok([byte(normal.x), byte(normal.y), byte(normal.z), 255])
        })
    });
    let surface = fields.function("surface").map(|function| {
        painted(size, |x, y| {
            let (u, v) = middle(x, y);
            let given = at(&function, u, v)?;
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
        ty: Type::Fields(FIELDS),
        optional: false,
    }],
    returns: "Picture",
    doc: "A picture that functions paint, for materials; it lies as `cage:uv` says.",
    example: "local v = vector.create\nlocal checks = picture { width = 8, color = function(x, y) return if (x < 0.5) == (y < 0.5) then v(1, 1, 1) else v(0, 0, 0) end }",
    call: make,
};

pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Picture",
    doc: "A picture; materials take it as `picture`.",
    functions: &[],
    properties: &[],
};
