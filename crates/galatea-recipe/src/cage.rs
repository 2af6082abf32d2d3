//! `cage()`: control cages in recipes.

use std::cell::{Ref, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use glam::{Vec2, Vec3};
use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::cage_drawing::CageDrawing;
use super::field::FieldRef;
use super::{gate, opt, param, wrong};
use galatea_forge::cage::edge;
use galatea_forge::contour::contour;
use galatea_script::objects;
use galatea_script::toolkit::{
    Args, Function, Group, Kind, Type, add_object, add_properties, lua_vector, vector,
};

/// A cage object of a recipe.
#[derive(Clone, Default)]
pub(super) struct CageRef(Rc<RefCell<CageDrawing>>);

impl CageRef {
    pub fn drawn(&self) -> Ref<'_, CageDrawing> {
        self.0.borrow()
    }
}

objects!(CageRef: "Cage");

impl UserData for CageRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn make(lua: &Lua, _: Args) -> mlua::Result<Value> {
    lua.create_userdata(CageRef::default()).map(Value::UserData)
}

fn own(args: &Args) -> mlua::Result<CageRef> {
    args.object::<CageRef>(0)
        .ok_or_else(|| wrong("expected a Cage"))
}

fn hold_of(value: Option<f64>) -> mlua::Result<f32> {
    let hold = value.unwrap_or(0.0);
    if (0.0..=1.0).contains(&hold) {
        return Ok(hold as f32);
    }
    Err(wrong(format!("hold must be from 0 to 1, got {hold}")))
}

/// Converts a point index to a recipe's numbering, which starts at 1.
fn point_number(i: u32) -> Value {
    Value::Number(f64::from(i) + 1.0)
}

fn list(lua: &Lua, points: &[u32]) -> mlua::Result<Value> {
    let values = points.iter().map(|i| point_number(*i));
    lua.create_sequence_from(values).map(Value::Table)
}

fn point(_: &Lua, args: Args) -> mlua::Result<Value> {
    let at = args.vector(1).unwrap_or_default();
    let hold = hold_of(args.number(2))?;
    own(&args)?.0.borrow_mut().add(at, hold).map(point_number)
}

fn quad(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    let mut corners = [0; 4];
    for (k, corner) in corners.iter_mut().enumerate().take(3) {
        *corner = drawn.known(&args.value(k + 1))?;
    }
    corners[3] = match args.value(4) {
        Value::Nil => corners[2],
        value => drawn.known(&value)?,
    };
    drawn.face(corners)?;
    Ok(Value::Nil)
}

fn drop(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    let mut removed: Vec<u32> = (1..args.count())
        .map(|k| drawn.known(&args.value(k)))
        .collect::<mlua::Result<_>>()?;
    removed.sort_unstable();
    let n = drawn.cage.faces.len();
    drawn.cage.faces.retain(|face| {
        let mut own = face.corners().to_vec();
        own.sort_unstable();
        own != removed
    });
    if drawn.cage.faces.len() == n {
        return Err(wrong("drop: there is no face with these corners"));
    }
    Ok(Value::Nil)
}

fn grid(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let hold = hold_of(args.number(2))?;
    let mut drawn = cage.0.borrow_mut();
    let mut rows: Vec<Vec<u32>> = Vec::new();
    let given = args.table(1).ok_or_else(|| wrong("grid: expected rows"))?;
    for row in given.sequence_values::<Table>() {
        let mut own = Vec::new();
        for value in row?.sequence_values::<Value>() {
            let at = vector(&value?).ok_or_else(|| wrong("grid: expected rows of vectors"))?;
            own.push(drawn.add(at, hold)?);
        }
        rows.push(own);
    }
    if rows.len() < 2 || rows[0].len() < 2 || rows.iter().any(|row| row.len() != rows[0].len()) {
        return Err(wrong(
            "grid: expected at least two rows with the same number of vectors, two or more",
        ));
    }
    for pair in rows.windows(2) {
        for j in 1..pair[0].len() {
            drawn.face([pair[0][j - 1], pair[0][j], pair[1][j], pair[1][j - 1]])?;
        }
    }
    let out = lua.create_table()?;
    for row in rows {
        out.push(list(lua, &row)?)?;
    }
    Ok(Value::Table(out))
}

fn ring(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    let before = match args.table(1) {
        Some(table) => drawn.row(&table)?,
        None => return Err(wrong("loop: expected points")),
    };
    let closed = args.bool(3).unwrap_or(true);
    let holds = args.table(4);
    let hold = if holds.is_some() {
        0.0
    } else {
        hold_of(args.number(4))?
    };
    let mut now = Vec::new();
    let places = args
        .table(2)
        .ok_or_else(|| wrong("loop: expected vectors"))?;
    for value in places.sequence_values::<Value>() {
        let at = vector(&value?).ok_or_else(|| wrong("loop: expected vectors"))?;
        let own = match &holds {
            Some(table) => hold_of(table.raw_get::<Option<f64>>(now.len() + 1)?)?,
            None => hold,
        };
        now.push(drawn.add(at, own)?);
    }
    let n = before.len();
    if n < 2 || now.len() != n {
        return Err(wrong(format!(
            "loop: expected as many positions as points, got {} positions for {n} points",
            now.len()
        )));
    }
    for k in 0..if closed { n } else { n - 1 } {
        let m = (k + 1) % n;
        drawn.face([before[k], before[m], now[m], now[k]])?;
    }
    list(lua, &now)
}

fn bridge(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    let row = |i: usize| match args.table(i) {
        Some(table) => drawn.row(&table),
        None => Err(wrong("bridge: expected points")),
    };
    let (a, b) = (row(1)?, row(2)?);
    let closed = args.bool(3).unwrap_or(true);
    if a.len() != b.len() || a.len() < 2 {
        return Err(wrong(format!(
            "bridge: expected two rows with the same number of points, two or more; got {} and {}",
            a.len(),
            b.len()
        )));
    }
    let n = a.len();
    for k in 0..if closed { n } else { n - 1 } {
        let m = (k + 1) % n;
        drawn.face([a[k], a[m], b[m], b[k]])?;
    }
    Ok(Value::Nil)
}

fn contoured(lua: &Lua, args: Args) -> mlua::Result<Value> {
    /// Cosine of 35 degrees: an edge between faces at a larger angle is sharp.
    const CREASE: f32 = 0.82;
    const LEVELS: f32 = 10.0;
    let cage = own(&args)?;
    let field = args
        .object::<FieldRef>(1)
        .ok_or_else(|| wrong("contour: expected a Field"))?
        .0;
    let step = args.number(2).unwrap_or(0.0) as f32;
    let hold = hold_of(Some(args.number(3).unwrap_or(1.0)))?;
    let (low, high) = field.extent();
    if !(high - low).is_finite() || (high - low).max_element() > 1e3 {
        return Err(wrong(
            "contour: the field is infinite; limit it with field.slab(…):meet(it)",
        ));
    }
    if step <= 0.0 {
        return Err(wrong(format!(
            "contour: the cell size must be above 0 m, got {step}"
        )));
    }
    gate::charge_contour(lua, field.n_nodes(), (high - low) / step)?;
    let made = contour(&field, low, high, step).map_err(|why| wrong(format!("contour: {why}")))?;
    let mut drawn = cage.0.borrow_mut();
    let points = made.positions.iter().map(|at| drawn.add(*at, hold));
    let points: Vec<u32> = points.collect::<mlua::Result<_>>()?;
    let mut sides: BTreeMap<(u32, u32), Vec3> = BTreeMap::new();
    for quad in &made.quads {
        let place = |k: usize| made.positions[quad[k] as usize];
        let normal = (place(2) - place(0)).cross(place(3) - place(1));
        let normal = normal.normalize_or_zero();
        drawn.face(quad.map(|i| points[i as usize]))?;
        for k in 0..4 {
            let ends = [quad[k], quad[(k + 1) % 4]].map(|i| points[i as usize]);
            let other = sides.insert(edge(ends[0], ends[1]), normal);
            if other.is_some_and(|other| other.dot(normal) < CREASE) {
                drawn.cage.sharpen(&ends, LEVELS);
            }
        }
    }
    list(lua, &points)
}

fn get(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let drawn = cage.0.borrow();
    let i = drawn.known(&args.value(1))? as usize;
    Ok(lua_vector(drawn.cage.points[i].at))
}

fn set(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    let i = drawn.known(&args.value(1))? as usize;
    drawn.cage.points[i].at = args.vector(2).unwrap_or_default();
    Ok(Value::Nil)
}

fn hold(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    let hold = hold_of(args.number(2))?;
    let points = match args.table(1) {
        Some(table) => drawn.row(&table)?,
        None => vec![drawn.known(&args.value(1))?],
    };
    for i in points {
        drawn.cage.points[i as usize].hold = hold;
    }
    Ok(Value::Nil)
}

fn sharpen(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    let levels = args.number(2).unwrap_or(1.0);
    if !(0.0..=10.0).contains(&levels) {
        return Err(wrong(format!(
            "sharpen: levels must be from 0 to 10, got {levels}"
        )));
    }
    let row = match args.table(1) {
        Some(table) => drawn.row(&table)?,
        None => return Err(wrong("sharpen: expected points")),
    };
    drawn.cage.sharpen(&row, levels as f32);
    Ok(Value::Nil)
}

/// Index of a name in a list; a new name is appended.
fn index_of(names: &mut Vec<String>, name: String) -> mlua::Result<u16> {
    let known = names.iter().position(|own| *own == name);
    let i = known.unwrap_or(names.len());
    if i == names.len() {
        names.push(name);
    }
    u16::try_from(i).map_err(|_| wrong("the cage has more names than the limit of 65536"))
}

fn paint(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    drawn.paint = index_of(&mut drawn.paints, args.text(1).unwrap_or_default())?;
    Ok(Value::Nil)
}

fn chart(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    drawn.chart = index_of(&mut drawn.charts, args.text(1).unwrap_or_default())?;
    Ok(Value::Nil)
}

fn uv(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    let on = |n: usize| args.number(n).unwrap_or_default() as f32;
    let at = Vec2::new(on(2), on(3));
    let points = match args.table(1) {
        Some(table) => drawn.row(&table)?,
        None => vec![drawn.known(&args.value(1))?],
    };
    drawn.uv.extend(points.into_iter().map(|i| (i, at)));
    Ok(Value::Nil)
}

fn around(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let length = args.number(1).filter(|n| *n > 0.0);
    let length = length.ok_or_else(|| wrong("around: expected a number above 0"))?;
    cage.0.borrow_mut().around = Some(length as f32);
    Ok(Value::Nil)
}

fn seam(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    let points = args.table(1);
    let points = points.ok_or_else(|| wrong("seam: expected points"))?;
    let row = drawn.row(&points)?;
    drawn.cage.cut(&row);
    Ok(Value::Nil)
}

fn count(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let n = cage.0.borrow().cage.points.len();
    Ok(Value::Number(n as f64))
}

/// Point numbers: one point or several.
const POINTS: Type = Type::Table("{ number }");
const ONE_OR_MORE: Type = Type::OneOf(&[Type::Number, POINTS]);

pub(super) const CAGE: Function = Function {
    name: "cage",
    params: &[],
    returns: "Cage",
    doc: "Makes an empty control cage: a coarse mesh of quads (faces with four corners), from which `part` makes the fine \
          mesh. The directions of its edges become those of the fine mesh. Its points have the numbers 1, 2, 3 and so on. For \
          a mirrored part, draw only the half at x ≥ 0; both halves share the points at x = 0.",
    example: "local c = cage()",
    call: make,
};

const EXAMPLE_GRID: &str = "local c = cage()\nlocal v = vector.create\nlocal rows = c:grid { { v(0, 0, 0), v(1, 0, 0) }, { v(0, 1, 0), v(1, 1, 0) } }";

pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Cage",
    doc: "A control cage, made by `cage()`: a coarse mesh from which `part` makes a fine one.",
    functions: &[
        Function {
            name: "point",
            params: &[param("at", Type::Vector), opt("hold", Type::Number)],
            returns: "number",
            doc: "Adds a point and returns its number. `hold` says how much the point resists the field of the part: with 0 \
                  (the default), the field moves it onto its surface; with 1, the point keeps its position.",
            example: "local top = cage():point(vector.create(0, 1.7, 0))",
            call: point,
        },
        Function {
            name: "quad",
            params: &[
                param("a", Type::Number),
                param("b", Type::Number),
                param("c", Type::Number),
                opt("d", Type::Number),
            ],
            returns: "",
            doc: "Adds a face with the four points `a` to `d`, given by their numbers in order around the face. Without `d` \
                  it is a triangle. Both orders, clockwise and anticlockwise, are fine.",
            example: "local c = cage()\nlocal v = vector.create\nc:quad(c:point(v(0, 0, 0)), c:point(v(1, 0, 0)), c:point(v(1, 1, 0)), c:point(v(0, 1, 0)))",
            call: quad,
        },
        Function {
            name: "drop",
            params: &[
                param("a", Type::Number),
                param("b", Type::Number),
                param("c", Type::Number),
                opt("d", Type::Number),
            ],
            returns: "",
            doc: "Removes the face with these corners, given by their numbers. Use it, for example, to make a hole.",
            example: "local c = cage()\nlocal v = vector.create\nc:grid { { v(0, 0, 0), v(1, 0, 0) }, { v(0, 1, 0), v(1, 1, 0) } }\nc:drop(1, 2, 4, 3)",
            call: drop,
        },
        Function {
            name: "grid",
            params: &[
                param("rows", Type::Table("{ { vector } }")),
                opt("hold", Type::Number),
            ],
            returns: "{ { number } }",
            doc: "Adds a grid: rows of points, with faces between neighbouring rows. Returns the numbers of the points, in \
                  the same rows.",
            example: EXAMPLE_GRID,
            call: grid,
        },
        Function {
            name: "loop",
            params: &[
                param("before", POINTS),
                param("places", Type::Table("{ vector }")),
                opt("closed", Type::Bool),
                opt("hold", ONE_OR_MORE),
            ],
            returns: "{ number }",
            doc: "Adds a row of points at the positions `places` and connects it with faces to an earlier row. `before` is \
                  the list of the numbers of that row. Returns the numbers of the new points. Both rows are closed loops, \
                  unless `closed` is false. `hold` (see `cage:point`) is one number, or a list with one for each point.",
            example: "local c = cage()\nlocal v = vector.create\nlocal a = { c:point(v(0, 0, 0)), c:point(v(1, 0, 0)), c:point(v(0, 0, 1)) }\nlocal b = c:loop(a, { v(0, 1, 0), v(1, 1, 0), v(0, 1, 1) })",
            call: ring,
        },
        Function {
            name: "bridge",
            params: &[
                param("a", POINTS),
                param("b", POINTS),
                opt("closed", Type::Bool),
            ],
            returns: "",
            doc: "Adds faces between two existing rows with the same number of points. `a` and `b` are lists of point \
                  numbers. The rows are closed loops, unless `closed` is false.",
            example: "local c = cage()\nlocal v = vector.create\nc:bridge({ c:point(v(0, 0, 0)), c:point(v(1, 0, 0)) }, { c:point(v(0, 1, 0)), c:point(v(1, 1, 0)) }, false)",
            call: bridge,
        },
        Function {
            name: "contour",
            params: &[
                param("field", Type::Object("Field")),
                param("cell", Type::Number),
                opt("hold", Type::Number),
            ],
            returns: "{ number }",
            doc: "Adds a mesh of the whole surface of a field, and returns the numbers of its points. `cell` is about the \
                  size of its faces, metres. Use it for rigid objects, whose cage you then need not draw by hand. Sharp edges \
                  and corners of the field stay sharp when `part` subdivides the mesh. `hold` is 1 by default, so the points \
                  keep their positions. (The method is dual contouring.)",
            example: "local c = cage()\nc:contour(field.slab(vector.zero, vector.one * 0.2):cut(field.ball(vector.one * 0.2, 0.15)), 0.02)",
            call: contoured,
        },
        Function {
            name: "get",
            params: &[param("point", Type::Number)],
            returns: "vector",
            doc: "Returns the position of the point with this number.",
            example: "local c = cage()\nlocal at = c:get(c:point(vector.one))",
            call: get,
        },
        Function {
            name: "set",
            params: &[param("point", Type::Number), param("at", Type::Vector)],
            returns: "",
            doc: "Moves the point with this number to the position `at`.",
            example: "local c = cage()\nc:set(c:point(vector.one), vector.zero)",
            call: set,
        },
        Function {
            name: "hold",
            params: &[param("points", ONE_OR_MORE), param("hold", Type::Number)],
            returns: "",
            doc: "Sets the `hold` of a point, or of each point in a list: from 0 (the field moves the point) to 1 (the point \
                  keeps its position).",
            example: "local c = cage()\nc:hold(c:point(vector.one), 1)",
            call: hold,
        },
        Function {
            name: "sharpen",
            params: &[param("row", POINTS), opt("levels", Type::Number)],
            returns: "",
            doc: "Keeps the edges along a row of points sharp. `row` is a list of point numbers. The edges stay sharp in the \
                  first `levels` subdivisions (default 1).",
            example: "local c = cage()\nlocal v = vector.create\nlocal rows = c:grid { { v(0, 0, 0), v(1, 0, 0) }, { v(0, 1, 0), v(1, 1, 0) } }\nc:sharpen(rows[1], 2)",
            call: sharpen,
        },
        Function {
            name: "paint",
            params: &[param("material", Type::Text)],
            returns: "",
            doc: "Sets the material of all faces that you add after this call. Before the first call it is \"skin\".",
            example: "cage():paint \"lips\"",
            call: paint,
        },
        Function {
            name: "chart",
            params: &[param("name", Type::Text)],
            returns: "",
            doc: "Sets the UV chart (area in the texture) of all faces that you add after this call. Faces with different \
                  chart names are separate in the texture.",
            example: "cage():chart \"face\"",
            call: chart,
        },
        Function {
            name: "seam",
            params: &[param("row", POINTS)],
            returns: "",
            doc: "Marks the edges along a row of points as a seam, where the surface is cut for the texture. `row` is a list \
                  of point numbers. A tube needs a seam along its length, so that it can be laid flat.",
            example: "local c = cage()\nlocal v = vector.create\nlocal rows = c:grid { { v(0, 0, 0), v(1, 0, 0) }, { v(0, 1, 0), v(1, 1, 0) } }\nc:seam(rows[1])",
            call: seam,
        },
        Function {
            name: "uv",
            params: &[
                param("points", ONE_OR_MORE),
                param("u", Type::Number),
                param("v", Type::Number),
            ],
            returns: "",
            doc: "Sets the texture coordinates of a point, or of each point in a list. It is for parts without a `sheet`. `u` \
                  goes from 0 at the left of the picture to 1 at the right, `v` from 0 at the top to 1 at the bottom. For \
                  values below 0 and above 1, the option `wrap` of the picture decides.",
            example: "local c = cage()\nc:uv(c:point(vector.zero), 0, 1)",
            call: uv,
        },
        Function {
            name: "around",
            params: &[param("length", Type::Number)],
            returns: "",
            doc: "Sets the value of u at which the texture has gone once around a tube and meets its beginning. The last face \
                  of each ring then ends at this value instead of at 0. Use a whole number, so that the picture has no \
                  visible edge there.",
            example: "cage():around(8)",
            call: around,
        },
        Function {
            name: "count",
            params: &[],
            returns: "number",
            doc: "Returns the number of points of the cage.",
            example: "assert(cage():count() == 0)",
            call: count,
        },
    ],
    properties: &[],
};
