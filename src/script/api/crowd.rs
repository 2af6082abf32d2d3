//! `crowd { … }`: many people who walk around each other.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::character::definition_of;
use super::check::{
    Args, Field, Fields, Param, Type, lua_number, lua_vector, number, text, vector,
};
use super::particle_fields::range;
use super::{Function, Group, Kind, Property, add_object, add_properties};
use crate::asset::ModelSource;
use crate::character::Definition;
use crate::crowd::book::Obstacle;
use crate::math::names::nearest_hint;
use crate::rig::chance::Chance;
use crate::script::budget::charge;
use crate::script::world::{World, with_world};
use crate::stage::{Gaits, Handle, MOST_CROWDS, MOST_PEOPLE, Person, StageCrowd};

/// Work of a crowd, of one of its bodies and of a person, in counts of a script's budget.
const COST: u64 = 64;
const COST_OF_BODY: u64 = 20_000;
const COST_OF_ONE: u64 = 4;
/// Bodies that a crowd may have, its walls and obstacles.
const MOST_BODIES: usize = 16;
const MOST_WALLS: usize = 10_000;
const MOST_OBSTACLES: usize = 1000;
/// Square metres that each needs to begin on, for each square metre of its own radius.
const ROOM: f32 = 4.0;
/// What clips are called where nothing is said.
const GAITS: [&str; 3] = ["idle", "walk", "run"];

/// A script's hold on a crowd.
#[derive(Clone, Copy)]
struct CrowdRef(Handle);

impl UserData for CrowdRef {
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
        name: "body",
        ty: Type::OneOf(&[Type::Text, Type::Table]),
        doc: "a model's file, or a list of up to 16, from which each gets one by chance",
    },
    Field {
        name: "count",
        ty: Type::Number,
        doc: "how many people, up to 20000 on a stage; 100",
    },
    Field {
        name: "at",
        ty: Type::Vector,
        doc: "the middle of where they begin",
    },
    Field {
        name: "size",
        ty: Type::Vector,
        doc: "how far that reaches along x and z, metres; 20 × 20",
    },
    Field {
        name: "pace",
        ty: RANGE,
        doc: "metres a second that they like to go; this and `scale` are one number or { low, high }, chance is even between; { 1.1, 1.5 }",
    },
    Field {
        name: "scale",
        ty: RANGE,
        doc: "of their bodies; { 0.94, 1.06 }",
    },
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "what each keeps free around it, metres, times its scale; 0.25",
    },
    Field {
        name: "idle",
        ty: Type::Text,
        doc: "the clip in which they stand; \"idle\"",
    },
    Field {
        name: "walk",
        ty: Type::Text,
        doc: "the clip in which they walk; \"walk\"",
    },
    Field {
        name: "run",
        ty: Type::Text,
        doc: "the clip in which they run; \"run\"",
    },
    Field {
        name: "walls",
        ty: Type::Table,
        doc: "pairs of places, { { a, b }, … }, between which nobody walks through",
    },
    Field {
        name: "obstacles",
        ty: Type::Table,
        doc: "round things that they walk around, { { place, radius }, … }",
    },
    Field {
        name: "style",
        ty: Type::Word(&["avoid", "book"]),
        doc: "\"avoid\" looks ahead; \"book\" walks as in the book's program: pushed by each other within 3 m, 2 metres a second, there at 3 m from the goal",
    },
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "how they face at first, degrees; each otherwise",
    },
    Field {
        name: "seed",
        ty: Type::Number,
        doc: "another number makes other people",
    },
    Field {
        name: "name",
        ty: Type::Text,
        doc: "makes it known when the script is saved",
    },
];

const RANGE: Type = Type::OneOf(&[Type::Number, Type::Table]);

/// The clips of a body for standing, walking and running.
fn clips(definition: &Definition, fields: &Fields, path: &str) -> mlua::Result<[Option<usize>; 3]> {
    let set = &definition.clips;
    let mut found = [None; 3];
    for (slot, plain) in found.iter_mut().zip(GAITS) {
        *slot = match fields.text(plain) {
            Some(name) => match set.find(&name) {
                None => {
                    let hint = nearest_hint(&name, set.names());
                    return Err(wrong(format!("{plain}: {path} has no clip {name:?}{hint}")));
                }
                clip => clip,
            },
            None => {
                let is_it = |name: &&str| name.eq_ignore_ascii_case(plain);
                set.find(plain)
                    .or_else(|| set.names().position(|name| is_it(&name)))
            }
        };
    }
    Ok(found)
}

fn bodies(world: &mut World, fields: &Fields) -> mlua::Result<Vec<Arc<Gaits>>> {
    let paths: Vec<String> = match fields.value("body") {
        Value::Table(table) => {
            let all = table.sequence_values::<Value>();
            let paths = all.map(|path| Ok(text(&path?)));
            let paths: Option<Vec<String>> = paths.collect::<mlua::Result<Option<Vec<_>>>>()?;
            paths.ok_or_else(|| wrong("body: a list of files is expected"))?
        }
        value => text(&value).into_iter().collect(),
    };
    if paths.is_empty() || paths.len() > MOST_BODIES {
        return Err(wrong(format!(
            "body: a model's file, or a list of 1 to {MOST_BODIES}, is expected"
        )));
    }
    let mut made: Vec<(String, Arc<Gaits>)> = Vec::new();
    for path in &paths {
        if let Some((_, known)) = made.iter().find(|(known, _)| known == path) {
            let known = known.clone();
            made.push((path.clone(), known));
            continue;
        }
        let source = ModelSource {
            path: path.clone(),
            ..ModelSource::default()
        };
        let definition = definition_of(world, &source)?;
        let clips = clips(&definition, fields, path)?;
        made.push((path.clone(), Arc::new(Gaits::new(definition, clips))));
    }
    Ok(made.into_iter().map(|(_, gaits)| gaits).collect())
}

/// Pairs of places, on the ground.
fn walls(fields: &Fields) -> mlua::Result<Vec<[Vec2; 2]>> {
    let Value::Table(table) = fields.value("walls") else {
        return Ok(Vec::new());
    };
    if table.raw_len() > MOST_WALLS {
        return Err(wrong(format!("walls: there may be {MOST_WALLS}")));
    }
    let pair = |pair: mlua::Result<Value>| {
        let ends = match pair? {
            Value::Table(pair) => [1, 2].map(|i| {
                let end = pair.raw_get::<Value>(i).ok().and_then(|end| vector(&end));
                end.filter(|end| end.is_finite()).map(flat)
            }),
            _ => [None; 2],
        };
        match ends {
            [Some(a), Some(b)] => Ok([a, b]),
            _ => Err(wrong(
                "walls: pairs of places are expected, { { a, b }, … }",
            )),
        }
    };
    table.sequence_values::<Value>().map(pair).collect()
}

/// Pairs of a place and a radius.
fn obstacles(fields: &Fields) -> mlua::Result<Vec<Obstacle>> {
    let Value::Table(table) = fields.value("obstacles") else {
        return Ok(Vec::new());
    };
    if table.raw_len() > MOST_OBSTACLES {
        return Err(wrong(format!("obstacles: there may be {MOST_OBSTACLES}")));
    }
    let pair = |pair: mlua::Result<Value>| {
        let read = |pair: &Table| {
            let at = pair.raw_get::<Value>(1).ok().and_then(|at| vector(&at))?;
            let radius = pair.raw_get::<Value>(2).ok().and_then(|r| number(&r))?;
            let is_fit = at.is_finite() && (0.01..=1000.0).contains(&radius);
            is_fit.then_some(Obstacle {
                at: flat(at),
                radius: radius as f32,
            })
        };
        let found = match pair? {
            Value::Table(pair) => read(&pair),
            _ => None,
        };
        found.ok_or_else(|| {
            wrong("obstacles: a place and a radius each are expected, { { place, radius }, … }")
        })
    };
    table.sequence_values::<Value>().map(pair).collect()
}

fn flat(at: Vec3) -> Vec2 {
    Vec2::new(at.x, at.z)
}

/// Everybody where they begin: each in a cell of its own, somewhere in it.
fn people(fields: &Fields, count: usize, n_bodies: usize) -> mlua::Result<Vec<Person>> {
    let size = fields.vector("size").unwrap_or(Vec3::new(20.0, 0.0, 20.0));
    let at = fields.vector("at").unwrap_or(Vec3::ZERO);
    let radius = fields.within("radius", 0.05, 10.0)?.unwrap_or(0.25);
    let pace = range(fields, "pace", (0.0, 20.0), [1.1, 1.5])?;
    let scale = range(fields, "scale", (0.01, 100.0), [0.94, 1.06])?;
    let seed = fields.number("seed").unwrap_or(1.0) as u64;
    let (wide, deep) = (size.x.abs(), size.z.abs());
    let needs = count as f32 * radius * radius * ROOM;
    if wide * deep < needs {
        return Err(wrong(format!(
            "size: {count} people of radius {radius} begin on {needs:.0} square metres at least, not on {:.0}",
            wide * deep
        )));
    }
    let columns = ((count as f32 * wide / deep).sqrt().ceil() as usize).clamp(1, count.max(1));
    let rows = count.div_ceil(columns).max(1);
    let cell = Vec2::new(wide / columns as f32, deep / rows as f32);
    let low = flat(at) - Vec2::new(wide, deep) * 0.5;
    let mut chance = Chance::new(seed);
    let free = (cell * 0.5 - radius).max(Vec2::ZERO);
    let one = |i: usize| {
        let middle = low + cell * (Vec2::new((i % columns) as f32, (i / columns) as f32) + 0.5);
        let off = free * Vec2::new(chance.between(-1.0, 1.0), chance.between(-1.0, 1.0));
        let place = (middle + off).extend(at.y);
        let facing = chance.between(0.0, std::f32::consts::TAU);
        let facing = fields
            .number("yaw")
            .map_or(facing, |yaw| (yaw as f32).to_radians());
        let pace = chance.between(pace[0], pace[1]);
        let mut person = Person::new(Vec3::new(place.x, place.z, place.y), facing, pace);
        person.scale = chance.between(scale[0], scale[1]);
        person.agent.radius = radius * person.scale;
        person.body = ((chance.unit() * n_bodies as f32) as u16).min(n_bodies as u16 - 1);
        person.begin_lap(chance.unit());
        person
    };
    Ok((0..count).map(one).collect())
}

fn crowd(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    let count = fields.within("count", 0.0, MOST_PEOPLE as f64)?;
    let count = count.unwrap_or(100.0) as usize;
    charge(lua, COST + count as u64 * COST_OF_ONE)?;
    let (handle, n_bodies) = with_world(lua, |world| {
        let bodies = bodies(world, &fields)?;
        let n_bodies = bodies.len();
        let crowd = StageCrowd {
            key: String::new(),
            people: people(&fields, count, n_bodies)?,
            walls: walls(&fields)?,
            obstacles: obstacles(&fields)?,
            is_book: fields.text("style").as_deref() == Some("book"),
            bodies,
        };
        let name = fields.text("name");
        let full = || {
            wrong(format!(
                "crowd: there may be {MOST_CROWDS} with {MOST_PEOPLE} people in all"
            ))
        };
        let handle = world.stage.add_crowd(name.as_deref(), crowd);
        Ok((handle.ok_or_else(full)?, n_bodies))
    })?;
    charge(lua, n_bodies as u64 * COST_OF_BODY)?;
    lua.create_userdata(CrowdRef(handle)).map(Value::UserData)
}

fn with_own<T>(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(&mut StageCrowd) -> mlua::Result<T>,
) -> mlua::Result<T> {
    let own: Option<CrowdRef> = args.object(0);
    let CrowdRef(handle) = own.ok_or_else(|| wrong("this is no crowd"))?;
    with_world(lua, |world| {
        let crowd = world.stage.crowds.get_mut(handle);
        work(crowd.ok_or_else(|| wrong("this crowd is gone"))?)
    })
}

/// The person of a number, from 1 on.
fn person(crowd: &mut StageCrowd, number: Option<f64>) -> mlua::Result<&mut Person> {
    let n = crowd.people.len();
    let at = number.filter(|number| number.fract() == 0.0 && (1.0..=n as f64).contains(number));
    match at {
        Some(number) => Ok(&mut crowd.people[number as usize - 1]),
        None => Err(wrong(format!(
            "there is no person {} in a crowd of {n}",
            number.unwrap_or(0.0)
        ))),
    }
}

fn place_of(args: &Args, i: usize) -> mlua::Result<Vec2> {
    let at = args.vector(i).filter(|at| at.is_finite());
    at.map(flat).ok_or_else(|| wrong("a place is expected"))
}

fn send(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST_OF_ONE)?;
    let goal = place_of(&args, 2)?;
    let pace = args.number(3).map(|pace| pace.clamp(0.0, 20.0) as f32);
    with_own(lua, &args, |crowd| {
        let person = person(crowd, args.number(1))?;
        person.send(Some(goal));
        if let Some(pace) = pace {
            person.set_pace(pace);
        }
        Ok(Value::Nil)
    })
}

fn send_all(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let goal = place_of(&args, 1)?;
    let pace = args.number(2).map(|pace| pace.clamp(0.0, 20.0) as f32);
    let n = with_own(lua, &args, |crowd| {
        for person in &mut crowd.people {
            person.send(Some(goal));
            if let Some(pace) = pace {
                person.set_pace(pace);
            }
        }
        Ok(crowd.people.len())
    })?;
    charge(lua, n as u64)?;
    Ok(Value::Nil)
}

fn stop(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |crowd| {
        person(crowd, args.number(1))?.send(None);
        Ok(Value::Nil)
    })
}

fn position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |crowd| {
        Ok(lua_vector(person(crowd, args.number(1))?.position()))
    })
}

fn velocity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |crowd| {
        Ok(lua_vector(person(crowd, args.number(1))?.velocity()))
    })
}

/// Numbers of those of whom something is true.
fn those(lua: &Lua, args: &Args, is_it: impl Fn(&Person) -> bool) -> mlua::Result<Value> {
    let (found, n) = with_own(lua, args, |crowd| {
        let all = (1_u32..).zip(&crowd.people);
        let found = all.filter(|(_, person)| is_it(person)).map(|(i, _)| i);
        Ok((found.collect::<Vec<u32>>(), crowd.people.len()))
    })?;
    charge(lua, n as u64 / 16 + found.len() as u64)?;
    let table: Table = lua.create_sequence_from(found)?;
    Ok(Value::Table(table))
}

fn arrived(lua: &Lua, args: Args) -> mlua::Result<Value> {
    those(lua, &args, Person::has_arrived)
}

fn near(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = place_of(&args, 1)?;
    let radius = args.number(2).unwrap_or(1.0).max(0.0) as f32;
    those(lua, &args, |person| {
        person.agent.at.distance_squared(at) <= radius * radius
    })
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own: Option<CrowdRef> = args.object(0);
    with_world(lua, |world| {
        if let Some(CrowdRef(handle)) = own {
            world.stage.crowds.remove(handle);
        }
        Ok(Value::Nil)
    })
}

fn get_count(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |crowd| {
        Ok(lua_number(crowd.people.len() as f32))
    })
}

const PERSON: Param = Param {
    name: "person",
    ty: Type::Number,
    optional: false,
};

const PLACE: Param = Param {
    name: "place",
    ty: Type::Vector,
    optional: false,
};

const PACE: Param = Param {
    name: "pace",
    ty: Type::Number,
    optional: true,
};

/// `crowd { … }`.
pub(super) const CROWD: Function = Function {
    name: "crowd",
    params: &[Param {
        name: "options",
        ty: Type::Fields(FIELDS),
        optional: false,
    }],
    returns: "Crowd",
    doc: "Puts many people on the stage who walk to where they are sent, around each other, around characters and walls. They \
          share bodies and poses, so that thousands cost little; each has its own place, pace, size and moment of its steps. \
          64 crowds with 20000 people may be on a stage.",
    example: "local people = crowd { body = \"assets/galatea.glb\", count = 60, size = vector.create(16, 0, 16) }\npeople:go_all(vector.create(0, 0, 30))",
    call: crowd,
};

/// What it gives.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Crowd",
    doc: "Many people. Each is a number, from 1 on. When a script is saved, they go on where they are.",
    functions: &[
        Function {
            name: "go",
            params: &[PERSON, PLACE, PACE],
            returns: "",
            doc: "Sends somebody to a place, from now on at another pace where one is told, metres a second.",
            example: "local people = crowd { body = \"assets/galatea.glb\", count = 4 }\npeople:go(1, vector.create(3, 0, 5), 1.4)",
            call: send,
        },
        Function {
            name: "go_all",
            params: &[PLACE, PACE],
            returns: "",
            doc: "Sends everybody to a place.",
            example: "crowd({ body = \"assets/galatea.glb\", count = 4 }):go_all(vector.create(0, 0, 9))",
            call: send_all,
        },
        Function {
            name: "stop",
            params: &[PERSON],
            returns: "",
            doc: "Has somebody stay where they are; they still give way to others.",
            example: "crowd({ body = \"assets/galatea.glb\", count = 4 }):stop(2)",
            call: stop,
        },
        Function {
            name: "position",
            params: &[PERSON],
            returns: "vector",
            doc: "Where somebody stands, metres.",
            example: "print(crowd({ body = \"assets/galatea.glb\", count = 4 }):position(1))",
            call: position,
        },
        Function {
            name: "velocity",
            params: &[PERSON],
            returns: "vector",
            doc: "How somebody walks, metres a second.",
            example: "print(crowd({ body = \"assets/galatea.glb\", count = 4 }):velocity(1))",
            call: velocity,
        },
        Function {
            name: "arrived",
            params: &[],
            returns: "{number}",
            doc: "Those who came to where they were sent in the last tick.",
            example: "local people = crowd { body = \"assets/galatea.glb\", count = 20 }\nfunction update()\n\tfor _, i in people:arrived() do\n\t\tpeople:go(i, vector.create(chance(-9, 9), 0, chance(-9, 9)))\n\tend\nend",
            call: arrived,
        },
        Function {
            name: "near",
            params: &[
                PLACE,
                Param {
                    name: "radius",
                    ty: Type::Number,
                    optional: true,
                },
            ],
            returns: "{number}",
            doc: "Those within so many metres of a place, 1 unless told.",
            example: "local people = crowd { body = \"assets/galatea.glb\", count = 20 }\nfor _, i in people:near(vector.create(0, 0, 0), 3) do people:stop(i) end",
            call: near,
        },
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Takes everybody away.",
            example: "crowd({ body = \"assets/galatea.glb\", count = 4 }):remove()",
            call: remove,
        },
    ],
    properties: &[Property {
        name: "count",
        ty: "number",
        doc: "How many people there are.",
        get: get_count,
        set: None,
    }],
};
