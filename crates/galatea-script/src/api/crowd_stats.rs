//! `crowd_stats { … }`: flow across lines and density of crowds.

use glam::{Vec2, Vec3};
use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::check::{Args, ByName, Options, Param, Type, lua_number, lua_vector};
use super::crowd_fields::GroundLine;
use super::crowd_ref::CrowdRef;
use super::group::{Function, Group, Kind, Property};
use super::heat;
use crate::budget::charge;
use crate::world::with_world;
use galatea_asset::model::Image;
use galatea_derive::Options;
use galatea_math::clamp::ClampTo as _;
use galatea_math::lines::flat;
use galatea_math::names::nearest_hint;
use galatea_stage::Handle;
use galatea_stage::crowd_stats::{CrowdStats, MAX_CELLS, MAX_CROWD_STATS, MAX_LINES};

const COST: u64 = 200;
/// Cost of an image, in steps of the script's budget.
const COST_OF_PICTURE: u64 = 20_000;
/// Density of the brightest colour, agents per square metre. Higher densities are Fruin's level of service F.
const FULL: f32 = 5.0;

/// A handle to crowd statistics.
#[derive(Clone, Copy)]
pub(super) struct CrowdStatsRef(pub(super) Handle);

impl UserData for CrowdStatsRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// The area and the lines of crowd statistics.
#[derive(Options)]
struct CrowdStatsOptions {
    /// Centre of the measured area.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    position: Vec3,
    /// Size of the measured area along x and z.
    #[option(
        default = Vec3::new(20.0, 0.0, 20.0),
        default_doc = "(20, 0, 20)",
        unit = "metres"
    )]
    size: Vec3,
    /// Width of a cell of the density map.
    #[option(default = 0.5, unit = "metres", range = 0.05..=10.0)]
    cell_size: f32,
    /// Crowd to measure.
    #[option(default_doc = "all crowds")]
    crowd: Option<CrowdRef>,
    /// Lines on the ground that count the agents that cross them, by name: { door = { a, b } }. Stand at a and look
    /// towards b: `forward` counts agents that walk from your right to your left, `backward` the others.
    #[option(default = ByName::default())]
    lines: ByName<GroundLine>,
    /// Name by which a hot reload finds the statistics again.
    #[option(default_doc = "none: found by the order of creation")]
    name: Option<String>,
}

fn crowd_stats(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST)?;
    let options: CrowdStatsOptions = args.options(0)?;
    let cell = options.cell_size;
    let made = CrowdStats::new(flat(options.position), flat(options.size).abs(), cell);
    let mut made = made.ok_or_else(|| {
        wrong(format!(
            "size: must cover 1 to {MAX_CELLS} cells of {cell} m"
        ))
    })?;
    let lines = options.lines.0;
    if lines.len() > MAX_LINES {
        return Err(wrong(format!("lines: the limit is {MAX_LINES}")));
    }
    for (name, GroundLine([a, b])) in lines {
        if a == b {
            return Err(wrong(
                "lines: expected two different positions for each line: { door = { a, b } }",
            ));
        }
        made.add_line(&name, [a, b]);
    }
    made.crowd = options.crowd.map(|CrowdRef(handle)| handle);
    let handle = with_world(lua, |world| {
        let handle =
            world
                .stage
                .agents
                .add_crowd_stats(&mut world.stage.ids, options.name.as_deref(), made);
        handle.ok_or_else(|| {
            wrong(format!(
                "crowd_stats: the limit is {MAX_CROWD_STATS} statistics"
            ))
        })
    })?;
    lua.create_userdata(CrowdStatsRef(handle))
        .map(Value::UserData)
}

fn with_own<T>(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(&CrowdStats, f64) -> mlua::Result<T>,
) -> mlua::Result<T> {
    let own: Option<CrowdStatsRef> = args.object(0);
    let CrowdStatsRef(handle) = own.ok_or_else(|| wrong("expected a CrowdStats"))?;
    with_world(lua, |world| {
        let now = world.stage.time();
        let survey = world.stage.agents.crowd_stats.get(handle);
        work(
            survey.ok_or_else(|| wrong("these crowd statistics were removed"))?,
            now,
        )
    })
}

fn flow(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST)?;
    let name = args.text(1).unwrap_or_default();
    let flow = with_own(lua, &args, |survey, now| {
        survey.flow(&name, now).ok_or_else(|| {
            let names = survey.lines.iter().map(|line| line.name.as_str());
            let hint = nearest_hint(&name, names);
            wrong(format!(
                "these crowd statistics have no line {name:?}{hint}"
            ))
        })
    })?;
    let table: Table = lua.create_table()?;
    table.raw_set("forward", flow.n[0])?;
    table.raw_set("backward", flow.n[1])?;
    if flow.n != [0, 0] {
        table.raw_set("first", flow.first)?;
        table.raw_set("last", flow.last)?;
    }
    table.raw_set("rate", lua_number(flow.rate))?;
    table.raw_set("mean", lua_number(flow.mean))?;
    Ok(Value::Table(table))
}

fn density(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = args.vector(1).unwrap_or_default();
    let found = with_own(lua, &args, |survey, _| Ok(survey.density(flat(at))))?;
    let Some([mean, most]) = found else {
        return Ok(Value::Nil);
    };
    let table: Table = lua.create_table()?;
    table.raw_set("mean", lua_number(mean))?;
    table.raw_set("max", lua_number(most))?;
    Ok(Value::Table(table))
}

fn bottlenecks(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST)?;
    let most = args.number(1).unwrap_or(5.0).clamp(0.0, 1000.0) as usize;
    let found = with_own(lua, &args, |survey, _| Ok(survey.bottlenecks(most)))?;
    let list: Table = lua.create_table()?;
    for choke in found {
        let table: Table = lua.create_table()?;
        table.raw_set(
            "position",
            lua_vector(Vec3::new(choke.position.x, 0.0, choke.position.y)),
        )?;
        table.raw_set("density", lua_number(choke.density))?;
        table.raw_set("speed", lua_number(choke.speed))?;
        table.raw_set("duration", lua_number(choke.duration))?;
        table.raw_set("time", choke.time)?;
        list.raw_push(table)?;
    }
    Ok(Value::Table(list))
}

fn save_image(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST_OF_PICTURE)?;
    let file = args.text(1).unwrap_or_default();
    let own: Option<CrowdStatsRef> = args.object(0);
    let CrowdStatsRef(handle) = own.ok_or_else(|| wrong("expected a CrowdStats"))?;
    let written = with_world(lua, |world| {
        let stage = &world.stage;
        let survey = stage.agents.crowd_stats.get(handle);
        let survey = survey.ok_or_else(|| wrong("these crowd statistics were removed"))?;
        let drawn = drawn(survey, &stage.agents.walls_of(survey));
        world.save_image(&file, drawn).map_err(wrong)
    })?;
    lua.create_string(written).map(Value::String)
}

/// Draws the map: black without agents, then violet, red, orange, and pale yellow at five agents per square metre; walls are
/// white and lines green.
fn drawn(survey: &CrowdStats, walls: &[[Vec2; 2]]) -> Image {
    let (size, cells) = survey.max_density();
    let mut image = heat::map(size, cells.map(|density| density / FULL));
    let (width, height) = (image.width as usize, image.height as usize);
    let mut line = |ends: [Vec2; 2], color: [u8; 3]| {
        let [a, b] = ends.map(|end| survey.fraction(end) * Vec2::new(width as f32, height as f32));
        let n = ((b - a).abs().max_element().ceil() as usize).clamp_to(1, 4 * heat::PIXELS);
        for k in 0..=n {
            let at = a.lerp(b, k as f32 / n as f32);
            for (dx, dy) in [(0, 0), (1, 0), (0, 1)] {
                let (x, y) = (at.x as isize + dx, at.y as isize + dy);
                if (0..width as isize).contains(&x) && (0..height as isize).contains(&y) {
                    let from = (y as usize * width + x as usize) * 4;
                    image.rgba[from..from + 3].copy_from_slice(&color);
                }
            }
        }
    };
    for wall in walls {
        line(*wall, [235, 235, 235]);
    }
    for passing in &survey.lines {
        line(passing.ends, [60, 220, 120]);
    }
    image
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own: Option<CrowdStatsRef> = args.object(0);
    with_world(lua, |world| {
        if let Some(CrowdStatsRef(handle)) = own {
            world.stage.agents.crowd_stats.remove(handle);
        }
        Ok(Value::Nil)
    })
}

fn get_agent_count(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |survey, _| {
        Ok(lua_number(survey.inside() as f32))
    })
}

fn get_empty_since(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |survey, _| {
        Ok(survey.empty().map_or(Value::Nil, Value::Number))
    })
}

/// `crowd_stats { … }`.
pub(super) const CROWD_STATS: Function = Function {
    name: "crowd_stats",
    params: &[Param {
        name: "options",
        ty: Type::Options(CrowdStatsOptions::SHAPE),
        optional: false,
    }],
    returns: "CrowdStats",
    doc: "Measures crowds in an area, from this call on. It counts agents that cross lines, measures the density (agents per \
          square metre), finds bottlenecks, and reports when the area is empty. It also works without a picture, in `galatea \
          test` and `galatea record --no-pictures`.",
    example: "local people = crowd { model = \"assets/galatea.glb\", count = 40, size = vec(8, 0, 8) }\nlocal hall = crowd_stats { size = vec(8, 0, 8), lines = { door = { vec(1, 0, 4), vec(-1, 0, 4) } } }\npeople:walk_all_to(vec(0, 0, 9))",
    call: crowd_stats,
};

/// Methods and properties of crowd statistics.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "CrowdStats",
    doc: "Statistics of crowds in an area, created by `crowd_stats { … }`. A hot reload does not reset them.",
    functions: &[
        Function {
            name: "flow",
            params: &[Param {
                name: "line",
                ty: Type::Text,
                optional: false,
            }],
            returns: "{ forward: number, backward: number, first: number?, last: number?, rate: number, mean: number }",
            doc: "Returns how many agents have crossed a line. `line` is its name in the option `lines`. In the result, \
                  `forward` and `backward` are the numbers of crossings in each direction. `first` and `last` are the \
                  times of the first and the last crossing, in seconds like `now()`. `rate` is the number of crossings \
                  per second in the last five seconds, both directions together. `mean` is the mean number of forward \
                  crossings per second, between the first and the last forward crossing.",
            example: "local hall = crowd_stats { lines = { door = { vec(1, 0, 4), vec(-1, 0, 4) } } }\nprint(hall:flow(\"door\").forward)",
            call: flow,
        },
        Function {
            name: "density",
            params: &[Param {
                name: "place",
                ty: Type::Vector,
                optional: false,
            }],
            returns: "{ mean: number, max: number }?",
            doc: "Returns the density around a position, in agents per square metre. The agents are counted in a square \
                  with sides of 1.5 m. In the result, `mean` is the mean density since the start. `max` is the greatest \
                  density, as a mean over one second. Returns nil for a position outside the area.",
            example: "print(crowd_stats({}):density(vec(0, 0, 0)).max)",
            call: density,
        },
        Function {
            name: "bottlenecks",
            params: &[Param {
                name: "most",
                ty: Type::Number,
                optional: true,
            }],
            returns: "{ { position: vector, density: number, speed: number, duration: number, time: number } }",
            doc: "Returns the bottlenecks (places where agents crowd), the worst first. `most` is the maximum number of \
                  results, by default 5. A place is a bottleneck if it has had more than 1.4 agents per square metre \
                  (level of service E of Fruin's book on pedestrians). Each bottleneck has these fields:\n\n\
                  - `position`: the place, in metres;\n\
                  - `density`: the greatest density, as a mean over one second, in agents per square metre;\n\
                  - `time`: the time at which it was reached, in seconds like `now()`;\n\
                  - `speed`: the mean speed of the agents there, in metres per second;\n\
                  - `duration`: the time for which the place was crowded, in seconds.",
            example: "for _, choke in crowd_stats({}):bottlenecks() do print(choke.position, choke.density) end",
            call: bottlenecks,
        },
        Function {
            name: "save_image",
            params: &[Param {
                name: "file",
                ty: Type::Text,
                optional: false,
            }],
            returns: "string",
            doc: "Writes a map of the greatest densities to a PNG file in the project's folder `out`, and returns the \
                  path of the file. Black is empty, pale yellow is five agents per square metre. Walls and the borders \
                  of the navigation mesh are white, the `lines` are green. In the image, +X points right and +Z points \
                  down.",
            example: "local hall = crowd_stats {}\nfunction update()\n\tif now() > 30 then hall:save_image(\"density.png\") end\nend",
            call: save_image,
        },
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Removes the statistics and stops the measurement.",
            example: "crowd_stats({}):remove()",
            call: remove,
        },
    ],
    properties: &[
        Property {
            name: "agent_count",
            ty: "number",
            doc: "Number of agents in the area now.",
            get: get_agent_count,
            set: None,
        },
        Property {
            name: "empty_since",
            ty: "number?",
            doc: "Time at which the last agent left the area, in seconds like `now()`. It is nil while agents are in \
                  the area, and if no agent was ever there.",
            get: get_empty_since,
            set: None,
        },
    ],
};
