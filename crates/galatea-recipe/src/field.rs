//! `field`: distance fields for sculpting in recipes.

use glam::{EulerRot, Mat3, Quat, Vec2, Vec3};
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::{gate, opt, param, wrong};

use galatea_forge::field::{DistanceField, Section};
use galatea_script::objects;
use galatea_script::toolkit::{
    Args, Function, Group, Kind, Type, add_object, add_properties, lua_number, lua_vector, number,
    vector,
};

/// A distance field object of a recipe.
#[derive(Clone)]
pub(super) struct FieldRef(pub DistanceField);

objects!(FieldRef: "Field");

impl UserData for FieldRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn value(lua: &Lua, field: DistanceField) -> mlua::Result<Value> {
    gate::check_field(field.depth(), field.n_nodes())?;
    lua.create_userdata(FieldRef(field)).map(Value::UserData)
}

fn place(args: &Args, i: usize) -> Vec3 {
    args.vector(i).unwrap_or(Vec3::ZERO)
}

/// A length above 0, metres.
fn above_0(args: &Args, i: usize, what: &str) -> mlua::Result<f32> {
    let n = args.number(i).unwrap_or(0.0);
    if n > 0.0 && n < 1e3 {
        return Ok(n as f32);
    }
    Err(wrong(format!(
        "{what} must be above 0 and below 1000 m, got {n}"
    )))
}

/// Width of a smooth blend, metres.
fn width(args: &Args, i: usize) -> mlua::Result<f32> {
    let n = args.number(i).unwrap_or(0.0);
    if (0.0..=10.0).contains(&n) {
        return Ok(n as f32);
    }
    Err(wrong(format!("k must be from 0 to 10 m, got {n}")))
}

fn radii(args: &Args, i: usize) -> mlua::Result<Vec3> {
    let r = place(args, i);
    if r.min_element() > 0.0 {
        return Ok(r);
    }
    Err(wrong(format!("radii must be above 0, got {r}")))
}

fn ellipsoid(lua: &Lua, args: Args) -> mlua::Result<Value> {
    value(
        lua,
        DistanceField::ellipsoid(place(&args, 0), radii(&args, 1)?),
    )
}

fn ball(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let radius = above_0(&args, 1, "radius")?;
    value(
        lua,
        DistanceField::ellipsoid(place(&args, 0), Vec3::splat(radius)),
    )
}

fn cone(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let ra = above_0(&args, 2, "ra")?;
    let rb = match args.number(3) {
        Some(_) => above_0(&args, 3, "rb")?,
        None => ra,
    };
    value(
        lua,
        DistanceField::cone(place(&args, 0), place(&args, 1), ra, rb),
    )
}

fn path(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let points = list(&args, 0, "points", vector)?;
    let radii = list(&args, 1, "radii", |value| number(value).map(|n| n as f32))?;
    if points.len() < 2 || points.len() != radii.len() {
        return Err(wrong(format!(
            "path: expected at least two points and one radius for each, got {} points and {} radii",
            points.len(),
            radii.len()
        )));
    }
    if radii.iter().any(|r| *r <= 0.0) {
        return Err(wrong("path: radii must be above 0"));
    }
    value(lua, DistanceField::path(points, radii))
}

/// A list in a table; each value must be readable.
fn list<T>(
    args: &Args,
    i: usize,
    what: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> mlua::Result<Vec<T>> {
    const MAX_ENTRIES: usize = 10_000;
    let Some(table) = args.table(i) else {
        return Ok(Vec::new());
    };
    let mut all = Vec::new();
    for item in table.sequence_values::<Value>() {
        let item = item?;
        let read = read(&item);
        all.push(read.ok_or_else(|| wrong(format!("{what}: entry {} is invalid", all.len() + 1)))?);
        if all.len() > MAX_ENTRIES {
            return Err(wrong(format!("{what}: the limit is {MAX_ENTRIES} entries")));
        }
    }
    Ok(all)
}

fn slab(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let half = radii(&args, 1)?;
    let round = args.number(2).unwrap_or(0.0) as f32;
    if !(0.0..=half.min_element()).contains(&round) {
        return Err(wrong(format!(
            "slab: round must be from 0 to the smallest value of half, got {round}"
        )));
    }
    value(lua, DistanceField::slab(place(&args, 0), half, round))
}

fn torus(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let (radius, thick) = (above_0(&args, 2, "radius")?, above_0(&args, 3, "thick")?);
    value(
        lua,
        DistanceField::torus(place(&args, 0), place(&args, 1), radius, thick),
    )
}

fn plane(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = args.number(1).unwrap_or(0.0) as f32;
    value(lua, DistanceField::plane(place(&args, 0), at))
}

fn loft(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let (across, along) = (place(&args, 1), place(&args, 2));
    let along = along
        .try_normalize()
        .ok_or_else(|| wrong("loft: along must not be zero"))?;
    let across = (across - along * across.dot(along))
        .try_normalize()
        .ok_or_else(|| wrong("loft: across must not be parallel to along"))?;
    let frame = Mat3::from_cols(across, along.cross(across), along);
    let row = |value: &Value| -> Option<Section> {
        let table = value.as_table()?;
        let at = |i: i64| {
            table
                .raw_get::<Value>(i)
                .ok()
                .and_then(|value| number(&value))
        };
        let n = |i: i64| at(i).map(|n| n as f32);
        Some(Section {
            t: n(1)?,
            middle: Vec2::new(n(2)?, n(3)?),
            radius: Vec2::new(n(4)?, n(5)?),
            power: n(6).unwrap_or(2.0),
        })
    };
    let sections = list(&args, 3, "loft: rows", row)?;
    if sections.len() < 2 {
        return Err(wrong(
            "loft: expected at least two rows { t, cu, cv, ru, rv, power? }",
        ));
    }
    let in_order = sections.windows(2).all(|pair| pair[0].t < pair[1].t);
    let sane = |s: &Section| s.radius.min_element() > 0.0 && (0.5..=20.0).contains(&s.power);
    if !in_order || !sections.iter().all(sane) {
        return Err(wrong(
            "loft: t must increase from row to row, radii must be above 0, and power must be from 0.5 to 20",
        ));
    }
    value(lua, DistanceField::loft(place(&args, 0), frame, sections))
}

/// The field that a method is called on.
fn own(args: &Args) -> mlua::Result<DistanceField> {
    args.object::<FieldRef>(0)
        .map(|field| field.0)
        .ok_or_else(|| wrong("expected a Field"))
}

fn other(args: &Args, i: usize) -> mlua::Result<DistanceField> {
    args.object::<FieldRef>(i)
        .map(|field| field.0)
        .ok_or_else(|| wrong("expected a Field"))
}

fn join(lua: &Lua, args: Args) -> mlua::Result<Value> {
    value(lua, own(&args)?.join(&other(&args, 1)?, width(&args, 2)?))
}

fn cut(lua: &Lua, args: Args) -> mlua::Result<Value> {
    value(lua, own(&args)?.cut(&other(&args, 1)?, width(&args, 2)?))
}

fn meet(lua: &Lua, args: Args) -> mlua::Result<Value> {
    value(lua, own(&args)?.meet(&other(&args, 1)?, width(&args, 2)?))
}

fn mirror(lua: &Lua, args: Args) -> mlua::Result<Value> {
    value(lua, own(&args)?.mirror())
}

fn placed(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let turn = place(&args, 2);
    let scale = match args.number(3) {
        Some(_) => above_0(&args, 3, "scale")?,
        None => 1.0,
    };
    let turn = Quat::from_euler(
        EulerRot::YXZ,
        turn.y.to_radians(),
        turn.x.to_radians(),
        turn.z.to_radians(),
    );
    value(lua, own(&args)?.transform(place(&args, 1), turn, scale))
}

fn grow(lua: &Lua, args: Args) -> mlua::Result<Value> {
    value(lua, own(&args)?.grow(args.number(1).unwrap_or(0.0) as f32))
}

fn raise(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let by = args.number(2).unwrap_or(0.0) as f32;
    value(
        lua,
        own(&args)?.raise(&other(&args, 1)?, by, above_0(&args, 3, "width")?),
    )
}

fn rough(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let by = args.number(1).unwrap_or(0.0) as f32;
    let seed = args.number(3).unwrap_or(1.0) as u32;
    value(lua, own(&args)?.rough(by, radii(&args, 2)?, seed))
}

/// Returns the field that a method is called on; counts `evaluations` as work of the recipe.
fn evaluated(lua: &Lua, args: &Args, evaluations: u32) -> mlua::Result<DistanceField> {
    let field = own(args)?;
    gate::charge_field(lua, field.n_nodes(), evaluations)?;
    Ok(field)
}

fn at(lua: &Lua, args: Args) -> mlua::Result<Value> {
    Ok(lua_number(evaluated(lua, &args, 1)?.at(place(&args, 1))))
}

fn normal(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let field = evaluated(lua, &args, 6)?;
    Ok(lua_vector(field.normal(place(&args, 1), 0.001)))
}

fn cast(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let far = args.number(3).unwrap_or(1.0) as f32;
    let found = evaluated(lua, &args, 64)?.cast(place(&args, 1), place(&args, 2), far);
    Ok(found.map_or(Value::Nil, lua_vector))
}

fn out(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let far = args.number(3).unwrap_or(0.3) as f32;
    let found = evaluated(lua, &args, 224)?.way_out(place(&args, 1), place(&args, 2), far);
    Ok(found.map_or(Value::Nil, lua_vector))
}

const FIELD: Type = Type::Object("Field");

pub(super) static MODULE: Group = Group {
    kind: Kind::Module,
    name: "field",
    doc: "Fields describe solid shapes. A field (signed distance field) gives, for each position, the distance from the \
          surface of the shape in metres; inside the shape it is negative. +Y is up, the model faces +Z, and +X is its \
          left.",
    functions: &[
        Function {
            name: "ellipsoid",
            params: &[param("middle", Type::Vector), param("radii", Type::Vector)],
            returns: "Field",
            doc: "Makes an ellipsoid. `middle` is its centre; `radii` are its radii along the x, y and z axes, metres.",
            example: "local skull = field.ellipsoid(vector.create(0, 1.6, 0), vector.create(0.07, 0.09, 0.09))",
            call: ellipsoid,
        },
        Function {
            name: "ball",
            params: &[param("middle", Type::Vector), param("radius", Type::Number)],
            returns: "Field",
            doc: "Makes a sphere. `middle` is its centre; `radius` is in metres.",
            example: "local eye = field.ball(vector.create(0.03, 1.58, 0.06), 0.016)",
            call: ball,
        },
        Function {
            name: "cone",
            params: &[
                param("a", Type::Vector),
                param("b", Type::Vector),
                param("ra", Type::Number),
                opt("rb", Type::Number),
            ],
            returns: "Field",
            doc: "Makes a cone with round ends, from the position `a` to the position `b`. Its radius changes from `ra` \
                  to `rb`, metres. Without `rb` the radius is `ra` everywhere.",
            example: "local arm = field.cone(vector.create(0.2, 1.4, 0), vector.create(0.4, 1.2, 0), 0.05, 0.04)",
            call: cone,
        },
        Function {
            name: "path",
            params: &[
                param("points", Type::Table("{ vector }")),
                param("radii", Type::Table("{ number }")),
            ],
            returns: "Field",
            doc: "Makes a tube through a list of points. `radii` is a list with the radius at each point, metres.",
            example: "local worm = field.path({ vector.create(0, 0, 0), vector.create(0, 0.1, 0) }, { 0.02, 0.01 })",
            call: path,
        },
        Function {
            name: "slab",
            params: &[
                param("middle", Type::Vector),
                param("half", Type::Vector),
                opt("round", Type::Number),
            ],
            returns: "Field",
            doc: "Makes a box whose edges are parallel to the axes. `middle` is its centre, `half` is half of its size \
                  along each axis, and `round` is the radius of its rounded edges, metres.",
            example: "local chest = field.slab(vector.create(0, 1, 0), vector.create(0.2, 0.3, 0.1), 0.02)",
            call: slab,
        },
        Function {
            name: "torus",
            params: &[
                param("middle", Type::Vector),
                param("axis", Type::Vector),
                param("radius", Type::Number),
                param("thick", Type::Number),
            ],
            returns: "Field",
            doc: "Makes a torus (ring) around an axis. `middle` is its centre, `radius` the radius of the ring, and \
                  `thick` the radius of the tube, metres.",
            example: "local ring = field.torus(vector.create(0, 1, 0), vector.create(0, 1, 0), 0.1, 0.01)",
            call: torus,
        },
        Function {
            name: "plane",
            params: &[param("normal", Type::Vector), param("at", Type::Number)],
            returns: "Field",
            doc: "Makes the half of space on one side of a plane. `normal` is a vector at right angles to the plane; \
                  the other side is filled. `at` is the distance of the plane from the origin along `normal`, metres.",
            example: "local below = field.plane(vector.create(0, 1, 0), 1.2)",
            call: plane,
        },
        Function {
            name: "loft",
            params: &[
                param("origin", Type::Vector),
                param("across", Type::Vector),
                param("along", Type::Vector),
                param("rows", Type::Table("{ { number } }")),
            ],
            returns: "Field",
            doc: "Makes a smooth shape through cross-sections along an axis, such as a trunk. `origin` is where the \
                  axis begins, `along` its direction. The sections are at right angles to it. The u axis of a section \
                  has the direction `across`; the v axis is the cross product of `along` and `across`. With +Y as \
                  `along` and +X as `across`, v points backwards. A row is { t, cu, cv, ru, rv, power? }. `t` is the \
                  position along the axis, `cu` and `cv` are the offset of the section's centre, `ru` and `rv` its two \
                  radii, in metres. A `power` of 2 gives an ellipse; larger powers are closer to a rectangle.",
            example: "local trunk = field.loft(vector.zero, vector.create(1, 0, 0), vector.create(0, 1, 0), { { 0.8, 0, 0, 0.15, 0.1 }, { 1.2, 0, 0, 0.12, 0.09 } })",
            call: loft,
        },
    ],
    properties: &[],
};

pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Field",
    doc: "A field, which describes a solid shape. Methods that change the shape return a new field; the old field stays \
          as it is. In several methods, `k` is the width, in metres, over which two shapes blend smoothly. Without `k`, \
          there is a sharp edge between them.",
    functions: &[
        Function {
            name: "join",
            params: &[param("other", FIELD), opt("k", Type::Number)],
            returns: "Field",
            doc: "Returns both shapes together (union).",
            example: "local both = field.ball(vector.zero, 0.1):join(field.ball(vector.create(0.1, 0, 0), 0.1), 0.05)",
            call: join,
        },
        Function {
            name: "cut",
            params: &[param("other", FIELD), opt("k", Type::Number)],
            returns: "Field",
            doc: "Returns this shape without the other one (difference).",
            example: "local bowl = field.ball(vector.zero, 0.1):cut(field.ball(vector.create(0, 0.1, 0), 0.1), 0.01)",
            call: cut,
        },
        Function {
            name: "meet",
            params: &[param("other", FIELD), opt("k", Type::Number)],
            returns: "Field",
            doc: "Returns the part that is inside both shapes (intersection).",
            example: "local lens = field.ball(vector.zero, 0.1):meet(field.ball(vector.create(0, 0.1, 0), 0.1))",
            call: meet,
        },
        Function {
            name: "mirror",
            params: &[],
            returns: "Field",
            doc: "Returns a symmetric shape: the half at x ≥ 0 and its mirror image.",
            example: "local ears = field.ball(vector.create(0.08, 1.57, 0), 0.02):mirror()",
            call: mirror,
        },
        Function {
            name: "place",
            params: &[
                param("at", Type::Vector),
                opt("turn", Type::Vector),
                opt("scale", Type::Number),
            ],
            returns: "Field",
            doc: "Returns the shape moved. It is first scaled by `scale`, then rotated around the origin by `turn`, \
                  then moved by `at`. `turn` is a vector of angles in degrees around the x, y and z axes (Euler order \
                  YXZ).",
            example: "local tilted = field.slab(vector.zero, vector.one * 0.1):place(vector.create(0, 1, 0), vector.create(0, 45, 0))",
            call: placed,
        },
        Function {
            name: "grow",
            params: &[param("by", Type::Number)],
            returns: "Field",
            doc: "Returns the shape with its surface moved outwards by `by` metres. A negative value makes the shape \
                  smaller.",
            example: "local shell = field.ball(vector.zero, 0.1):grow(0.005)",
            call: grow,
        },
        Function {
            name: "raise",
            params: &[
                param("near", FIELD),
                param("by", Type::Number),
                param("width", Type::Number),
            ],
            returns: "Field",
            doc: "Returns the shape with a raised area. Where the surface is inside the field `near`, it is moved \
                  outwards by `by` metres. Around `near`, the raise decreases to 0 over `width` metres.",
            example: "local bump = field.ball(vector.zero, 0.1):raise(field.ball(vector.create(0.1, 0, 0), 0.02), 0.004, 0.02)",
            call: raise,
        },
        Function {
            name: "rough",
            params: &[
                param("by", Type::Number),
                param("size", Type::Vector),
                opt("seed", Type::Number),
            ],
            returns: "Field",
            doc: "Returns the shape with random bumps. They move the surface by up to `by` metres. `size` is a vector \
                  with the size of the bumps along each axis, metres. Another `seed` gives other bumps.",
            example: "local stone = field.ball(vector.zero, 0.1):rough(0.002, vector.one * 0.02, 7)",
            call: rough,
        },
        Function {
            name: "at",
            params: &[param("place", Type::Vector)],
            returns: "number",
            doc: "Returns the distance of a position from the surface, metres; inside the shape it is negative. Far \
                  from the surface it can be smaller than the true distance.",
            example: "assert(field.ball(vector.zero, 0.1):at(vector.zero) < 0)",
            call: at,
        },
        Function {
            name: "normal",
            params: &[param("place", Type::Vector)],
            returns: "vector",
            doc: "Returns the direction at a position that points away from the shape, at right angles to its surface. \
                  The vector has length 1.",
            example: "local up = field.ball(vector.zero, 0.1):normal(vector.create(0, 0.1, 0))",
            call: normal,
        },
        Function {
            name: "cast",
            params: &[
                param("from", Type::Vector),
                param("along", Type::Vector),
                opt("far", Type::Number),
            ],
            returns: "vector?",
            doc: "Follows a line from the position `from`, outside the shape, in the direction `along`. Returns the \
                  first point on the surface, or nil if there is none within `far` metres (default 1).",
            example: "local front = field.ball(vector.zero, 0.1):cast(vector.create(0, 0, 1), vector.create(0, 0, -1))",
            call: cast,
        },
        Function {
            name: "out",
            params: &[
                param("from", Type::Vector),
                param("along", Type::Vector),
                opt("far", Type::Number),
            ],
            returns: "vector?",
            doc: "Follows a line from the position `from`, inside the shape, in the direction `along`. Returns the \
                  farthest point at which the line leaves the shape within `far` metres (default 0.3), or nil if there \
                  is none.",
            example: "local side = field.ball(vector.zero, 0.1):out(vector.zero, vector.create(1, 0, 0))",
            call: out,
        },
    ],
    properties: &[],
};
