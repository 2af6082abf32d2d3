//! `paths { … }`: where one can walk, and how to get from one place to another.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::check::{Args, Field, Fields, Param, Type, lua_number, lua_vector, number, text};
use super::{Function, Group, Kind, Property, add_object, add_properties};
use crate::budget::charge;
use crate::world::with_world;
use galatea_navmesh::{BakeOptions, Block, MOST_AREAS};
use galatea_stage::Handle;
use galatea_stage::paths::{MOST_BLOCKS, MOST_LINKS, MOST_PATHS, PathLink, StagePaths};

/// Work of making ways and of asking for one, in counts of a script's budget.
const COST: u64 = 20_000;
const COST_OF_ONE: u64 = 200;
/// Sides of something round that is in the way.
const ROUND: usize = 12;

/// A script's hold on ways.
#[derive(Clone, Copy)]
pub(super) struct PathsRef(pub(super) Handle);

impl UserData for PathsRef {
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

const FIELDS: &[Field] = &[
    Field {
        name: "at",
        ty: Type::Vector,
        doc: "the middle of what is looked at; 0, 0, 0",
    },
    Field {
        name: "size",
        ty: Type::Vector,
        doc: "how far that reaches along each axis, metres; 40 × 20 × 40",
    },
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "what is kept from walls, metres, in whole cells; 0.3",
    },
    Field {
        name: "height",
        ty: Type::Number,
        doc: "how high who walks there is, metres; 1.8",
    },
    Field {
        name: "step",
        ty: Type::Number,
        doc: "how high a step may be, metres; 0.4",
    },
    Field {
        name: "slope",
        ty: Type::Number,
        doc: "how steep ground may be, degrees; 45",
    },
    Field {
        name: "cell",
        ty: Type::Number,
        doc: "how exactly it is looked at, metres; 0.15",
    },
    Field {
        name: "costs",
        ty: Type::Table,
        doc: "what a metre costs on a surface, { mud = 4 }; 1 on others",
    },
    Field {
        name: "name",
        ty: Type::Text,
        doc: "makes them known over saves; else the order of calls does",
    },
];

fn options(fields: &Fields) -> mlua::Result<BakeOptions> {
    let plain = BakeOptions::default();
    let at = fields.vector("at").unwrap_or(Vec3::ZERO);
    let size = fields.vector("size").unwrap_or(Vec3::new(40.0, 20.0, 40.0));
    // A size on the ground alone has the usual height.
    let half = if size.y == 0.0 {
        size.with_y(20.0)
    } else {
        size
    } * 0.5;
    let number = |name: &str, plain: f32| {
        let told = fields.number(name).map(|told| told as f32);
        told.unwrap_or(plain)
    };
    let options = BakeOptions {
        low: at - half.abs(),
        high: at + half.abs(),
        radius: number("radius", plain.radius),
        height: number("height", plain.height),
        step: number("step", plain.step),
        slope: number("slope", plain.slope),
        cell: number("cell", plain.cell),
    };
    options.check().map_err(|error| wrong(error.to_string()))?;
    Ok(options)
}

fn costs(fields: &Fields) -> mlua::Result<BTreeMap<String, f32>> {
    let value = fields.value("costs");
    let Some(table) = value.as_table() else {
        return Ok(BTreeMap::new());
    };
    let mut costs = BTreeMap::new();
    for pair in table.pairs::<Value, Value>() {
        let (name, cost) = pair?;
        let cost = number(&cost).filter(|cost| (0.01..=1000.0).contains(cost));
        match (text(&name), cost) {
            (Some(name), Some(cost)) => costs.insert(name, cost as f32),
            _ => {
                return Err(wrong(
                    "costs: numbers of 0.01 to 1000 by the names of surfaces are expected",
                ));
            }
        };
    }
    if costs.len() >= MOST_AREAS {
        return Err(wrong(format!("costs: there may be {}", MOST_AREAS - 1)));
    }
    Ok(costs)
}

fn paths(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST)?;
    let fields = args.fields(0);
    let made = StagePaths::new(options(&fields)?, costs(&fields)?);
    let name = fields.text("name");
    let handle = with_world(lua, |world| {
        let handle = world
            .stage
            .agents
            .add_paths(&mut world.stage.ids, name.as_deref(), made);
        handle.ok_or_else(|| wrong(format!("paths: there may be {MOST_PATHS}")))
    })?;
    lua.create_userdata(PathsRef(handle)).map(Value::UserData)
}

fn with_own<T>(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(&mut StagePaths) -> mlua::Result<T>,
) -> mlua::Result<T> {
    let own: Option<PathsRef> = args.object(0);
    let PathsRef(handle) = own.ok_or_else(|| wrong("these are no paths"))?;
    with_world(lua, |world| {
        let paths = world.stage.agents.paths.get_mut(handle);
        work(paths.ok_or_else(|| wrong("these paths are gone"))?)
    })
}

fn place(args: &Args, i: usize) -> mlua::Result<Vec3> {
    let at = args.vector(i).filter(|at| at.is_finite());
    at.ok_or_else(|| wrong("a place is expected"))
}

fn find(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST_OF_ONE)?;
    let (from, to) = (place(&args, 1)?, place(&args, 2)?);
    let found = with_own(lua, &args, |paths| {
        if let Some(fault) = paths.fault() {
            return Err(wrong(fault));
        }
        if paths.mesh().is_none() {
            return Err(wrong(
                "ways are worked out in the first tick: ask in update() or later",
            ));
        }
        Ok(paths.find(from, to))
    })?;
    let Some(corners) = found else {
        return Ok(Value::Nil);
    };
    let places = corners.into_iter().map(|corner| lua_vector(corner.at));
    lua.create_sequence_from(places).map(Value::Table)
}

fn link(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST_OF_ONE)?;
    let (from, to) = (place(&args, 1)?, place(&args, 2)?);
    let fields = args.fields(3);
    let plain = from.distance(to);
    let cost = fields.within("cost", 0.0, 1e6)?.unwrap_or(plain);
    let both = fields.bool("both").unwrap_or(false);
    with_own(lua, &args, |paths| {
        let link = PathLink {
            from,
            to,
            cost,
            both,
        };
        match paths.link(link) {
            true => Ok(Value::Nil),
            false => Err(wrong(format!("link: there may be {MOST_LINKS}"))),
        }
    })
}

fn block(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST_OF_ONE)?;
    let fields = args.fields(1);
    let at = fields.vector("at").filter(|at| at.is_finite());
    let at = at.ok_or_else(|| wrong("block: at, a place, is expected"))?;
    let middle = Vec2::new(at.x, at.z);
    let size = fields.vector("size").filter(|size| size.is_finite());
    let radius = fields.within("radius", 0.01, 1000.0)?;
    let (around, tall) = match (size, radius) {
        (Some(size), None) => {
            let half = Vec2::new(size.x, size.z) * 0.5;
            let turn = fields.number("yaw").unwrap_or(0.0) as f32;
            // A yaw turns from +Z to +X.
            let turn = Vec2::from_angle(-turn.to_radians());
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let corner = |(x, z)| middle + turn.rotate(half * Vec2::new(x, z));
            (corners.map(corner).to_vec(), size.y.abs())
        }
        (None, Some(radius)) => {
            let corner = |i: usize| {
                let angle = i as f32 / ROUND as f32 * std::f32::consts::TAU;
                // Its sides touch the circle.
                let out = radius / (std::f32::consts::PI / ROUND as f32).cos();
                middle + Vec2::from_angle(angle) * out
            };
            ((0..ROUND).map(corner).collect(), 0.0)
        }
        _ => return Err(wrong("block: a size or a radius is expected")),
    };
    let tall = if tall > 0.0 { tall } else { 2.0 };
    let block = Block {
        around,
        heights: [at.y - 0.1, at.y + tall],
        area: None,
    };
    let number = with_own(lua, &args, |paths| {
        let number = paths.block(block);
        number.ok_or_else(|| wrong(format!("block: there may be {MOST_BLOCKS}")))
    })?;
    Ok(lua_number(number as f32))
}

fn unblock(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let number = args.number(1).unwrap_or(0.0);
    with_own(lua, &args, |paths| match paths.unblock(number as u32) {
        true => Ok(Value::Nil),
        false => Err(wrong(format!(
            "unblock: nothing of number {number} is in the way"
        ))),
    })
}

fn refresh(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST)?;
    with_own(lua, &args, |paths| {
        paths.refresh();
        Ok(Value::Nil)
    })
}

fn get_ready(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |paths| {
        Ok(Value::Boolean(paths.mesh().is_some()))
    })
}

fn get_polygons(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |paths| {
        let n = paths.mesh().map_or(0, |mesh| mesh.n_polygons());
        Ok(lua_number(n as f32))
    })
}

const FROM: Param = Param {
    name: "from",
    ty: Type::Vector,
    optional: false,
};

const TO: Param = Param {
    name: "to",
    ty: Type::Vector,
    optional: false,
};

const LINK_FIELDS: &[Field] = &[
    Field {
        name: "cost",
        ty: Type::Number,
        doc: "as many metres of plain ground; its length",
    },
    Field {
        name: "both",
        ty: Type::Bool,
        doc: "it can be gone back too",
    },
];

const BLOCK_FIELDS: &[Field] = &[
    Field {
        name: "at",
        ty: Type::Vector,
        doc: "the middle of its foot",
    },
    Field {
        name: "size",
        ty: Type::Vector,
        doc: "of a box, metres",
    },
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "of something round, metres",
    },
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "how a box is turned, degrees",
    },
];

/// `paths { … }`.
pub(super) const PATHS: Function = Function {
    name: "paths",
    params: &[Param {
        name: "options",
        ty: Type::Fields(FIELDS),
        optional: false,
    }],
    returns: "Paths",
    doc: "Looks where one can walk: on what stands still on the stage (the floor, solid things, levels, terrain), up slopes and \
          steps, under what is high enough. It is worked out in the next tick. Crowds take such ways with \
          `crowd { paths = … }`, and `find` tells them for anybody. 16 may be on a stage.",
    example: "physics.box { at = vector.create(0, 1, 4), size = vector.create(6, 2, 0.4) }\nlocal level = paths { size = vector.create(30, 10, 30) }\nfunction update()\n\tlocal way = level:find(vector.create(0, 0, 0), vector.create(0, 0, 8))\n\tif way then print(#way, way[1]) end\nend",
    call: paths,
};

/// What it gives.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Paths",
    doc: "Where one can walk.",
    functions: &[
        Function {
            name: "find",
            params: &[FROM, TO],
            returns: "{vector}?",
            doc: "The places at which the shortest way turns, where it leads last; nil where none leads there. Places are \
                  taken up to a metre beside where one can walk.",
            example: "local level = paths { size = vector.create(30, 10, 30) }\nfunction update()\n\tprint(level:find(vector.create(0, 0, 0), vector.create(0, 0, 8)))\nend",
            call: find,
        },
        Function {
            name: "link",
            params: &[
                FROM,
                TO,
                Param {
                    name: "options",
                    ty: Type::Fields(LINK_FIELDS),
                    optional: true,
                },
            ],
            returns: "",
            doc: "Adds a way that is no ground: a jump, a ladder, a lift. People of a crowd go straight from one end to the other.",
            example: "local level = paths { size = vector.create(30, 10, 30) }\nlevel:link(vector.create(0, 3, 0), vector.create(0, 0, 2), { cost = 1 })",
            call: link,
        },
        Function {
            name: "block",
            params: &[Param {
                name: "options",
                ty: Type::Fields(BLOCK_FIELDS),
                optional: false,
            }],
            returns: "number",
            doc: "Puts something in the way, a box or something round: a closed door, a fire. Ways lead around it from the next \
                  tick on. The number is for `unblock`. For what only stands about, `obstacles` of a crowd cost less.",
            example: "local level = paths { size = vector.create(30, 10, 30) }\nlocal door = level:block { at = vector.create(0, 0, 4), size = vector.create(1.2, 2, 0.4) }\nlevel:unblock(door)",
            call: block,
        },
        Function {
            name: "unblock",
            params: &[Param {
                name: "number",
                ty: Type::Number,
                optional: false,
            }],
            returns: "",
            doc: "Takes something out of the way again.",
            example: "local level = paths { size = vector.create(30, 10, 30) }\nlevel:unblock(level:block { at = vector.create(0, 0, 4), radius = 1 })",
            call: unblock,
        },
        Function {
            name: "refresh",
            params: &[],
            returns: "",
            doc: "Looks at the stage again in the next tick: after things that stand still came or went.",
            example: "local level = paths { size = vector.create(30, 10, 30) }\nphysics.box { at = vector.create(0, 1, 4), size = vector.create(6, 2, 0.4) }\nlevel:refresh()",
            call: refresh,
        },
    ],
    properties: &[
        Property {
            name: "ready",
            ty: "boolean",
            doc: "They have been worked out.",
            get: get_ready,
            set: None,
        },
        Property {
            name: "polygons",
            ty: "number",
            doc: "Of how many convex pieces of ground they are made.",
            get: get_polygons,
            set: None,
        },
    ],
};
