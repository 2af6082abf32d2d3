//! What `crowd { … }` is told: bodies, places, walls, looks.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use mlua::{Table, Value};

use super::character::definition_of;
use super::check::{Field, Fields, Type, number, object, text, vector};
use super::particle_fields::range;
use super::paths::PathsRef;
use crate::world::World;
use galatea_asset::{Model, ModelSource};
use galatea_character::Definition;
use galatea_crowd::book::Obstacle;
use galatea_math::chance::Chance;
use galatea_math::lines::flat;
use galatea_math::names::nearest_hint;
use galatea_stage::frame::Tint;
use galatea_stage::{Gaits, Handle, Leader, Near, Person};

/// Bodies that a crowd may have, its walls and obstacles, and colours of a material.
const MOST_BODIES: usize = 16;
const MOST_WALLS: usize = 10_000;
const MOST_OBSTACLES: usize = 1000;
const MOST_COLORS: usize = 256;
/// Square metres that each needs to begin on, for each square metre of its own radius.
const ROOM: f32 = 4.0;
/// What clips are called where nothing is said.
const GAITS: [&str; 3] = ["idle", "walk", "run"];

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

pub(super) const FIELDS: &[Field] = &[
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
        doc: "metres a second that they like to go; this, `scale` and `girth` are one number or { low, high }, chance is even between; { 1.1, 1.5 }",
    },
    Field {
        name: "scale",
        ty: RANGE,
        doc: "of their bodies; { 0.94, 1.06 }",
    },
    Field {
        name: "girth",
        ty: RANGE,
        doc: "how wide their bodies are beside how high; { 0.95, 1.05 }",
    },
    Field {
        name: "colors",
        ty: Type::Table,
        doc: "colours by the names of materials, { coat = { vector.create(0.4, 0.1, 0.1), … } }, linear: each of the people has one of them over the material's own",
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
        name: "paths",
        ty: Type::Object("Paths"),
        doc: "ways that they take, of `paths { … }`; without, they go straight",
    },
    Field {
        name: "style",
        ty: Type::Word(&["avoid", "book"]),
        doc: "\"avoid\" looks ahead; \"book\" walks as in the book's program: pushed by each other within 3 m, 2 metres a second, there at 3 m from the goal",
    },
    Field {
        name: "states",
        ty: Type::Table,
        doc: "what they do, by names: { walk = { on = { arrived = \"rest\" } }, rest = { clip = \"sit\", lasts = { 3, 8 }, next = \"walk\" } }; a state may have `clip`, `intro`, `once`, `stands`, `pace`, `lasts`, `next`, `goes`, `flees`, `roams`, `tracks`, `lays`, `amount`, `finds`, `spreads`, `reach`, `uses`, `on`, `enter`, `update`, `every`, `leave`",
    },
    Field {
        name: "start",
        ty: Type::Text,
        doc: "the state in which they begin",
    },
    Field {
        name: "meets",
        ty: Type::Number,
        doc: "0 to 1: how likely two who come towards each other hear `met`, where their states answer it; 0.3",
    },
    Field {
        name: "near",
        ty: Type::OneOf(&[Type::Number, Type::Table]),
        doc: "those within so many metres of the camera are characters of their own: a number, or { within = 6, most = 8 }; none",
    },
    Field {
        name: "promoted",
        ty: Type::Function,
        doc: "called with the crowd, the number and the character that somebody became",
    },
    Field {
        name: "groups",
        ty: RANGE,
        doc: "how many go together, a number or { low, high }: the first of each leads; 1",
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

pub(super) const RANGE: Type = Type::OneOf(&[Type::Number, Type::Table]);

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

pub(super) fn bodies(world: &mut World, fields: &Fields) -> mlua::Result<Vec<Arc<Gaits>>> {
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
        let gaits = Gaits {
            source: Arc::from(path.as_str()),
            ..Gaits::new(definition, clips)
        };
        made.push((path.clone(), Arc::new(gaits)));
    }
    Ok(made.into_iter().map(|(_, gaits)| gaits).collect())
}

/// Pairs of places, on the ground.
pub(super) fn walls(fields: &Fields) -> mlua::Result<Vec<[Vec2; 2]>> {
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
pub(super) fn obstacles(fields: &Fields) -> mlua::Result<Vec<Obstacle>> {
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

/// Colours over the materials of each body. A material that no body has is told.
pub(super) fn tints(fields: &Fields, bodies: &[Arc<Gaits>]) -> mlua::Result<Vec<Arc<[Tint]>>> {
    let mut made: Vec<Arc<[Tint]>> = Vec::new();
    for (i, gaits) in bodies.iter().enumerate() {
        // A body that is listed twice is drawn once.
        let known = bodies[..i]
            .iter()
            .position(|other| Arc::ptr_eq(other, gaits));
        made.push(match known {
            Some(known) => made[known].clone(),
            None => tints_of(fields, &gaits.book.model, bodies)?,
        });
    }
    Ok(made)
}

fn tints_of(fields: &Fields, model: &Model, bodies: &[Arc<Gaits>]) -> mlua::Result<Arc<[Tint]>> {
    let colors = fields.value("colors");
    let Some(table) = colors.as_table() else {
        return Ok(Arc::new([]));
    };
    let mut tints = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (name, colors) = pair?;
        let name =
            text(&name).ok_or_else(|| wrong("colors: the names of materials are expected"))?;
        let all = bodies.iter().flat_map(|gaits| &gaits.book.model.materials);
        let names: Vec<&str> = all.map(|material| material.name.as_str()).collect();
        if !names.contains(&name.as_str()) {
            let hint = nearest_hint(&name, names.into_iter());
            return Err(wrong(format!(
                "colors: no body has a material {name:?}{hint}"
            )));
        }
        let list = colors
            .as_table()
            .map(|list| list.sequence_values::<Value>());
        let color = |value: mlua::Result<Value>| {
            let color = vector(&value?).filter(|color| color.is_finite());
            let color = color.map(|color| color.max(Vec3::ZERO));
            color.ok_or_else(|| wrong(format!("colors.{name}: a list of colours is expected")))
        };
        let own: Vec<Vec3> = list
            .into_iter()
            .flatten()
            .map(color)
            .collect::<mlua::Result<_>>()?;
        if own.is_empty() || own.len() > MOST_COLORS {
            return Err(wrong(format!(
                "colors.{name}: 1 to {MOST_COLORS} colours are expected"
            )));
        }
        let named = (0..)
            .zip(&model.materials)
            .filter(|(_, material)| material.name == name);
        tints.extend(named.map(|(material, _)| Tint {
            material,
            colors: own.clone(),
        }));
    }
    tints.sort_by_key(|tint| tint.material);
    Ok(tints.into())
}

/// Everybody where they begin: each in a cell of its own, somewhere in it.
pub(super) fn people(fields: &Fields, count: usize, n_bodies: usize) -> mlua::Result<Vec<Person>> {
    let size = fields.vector("size").unwrap_or(Vec3::new(20.0, 0.0, 20.0));
    let at = fields.vector("at").unwrap_or(Vec3::ZERO);
    let radius = fields.within("radius", 0.05, 10.0)?.unwrap_or(0.25);
    let pace = range(fields, "pace", (0.0, 20.0), [1.1, 1.5])?;
    let scale = range(fields, "scale", (0.01, 100.0), [0.94, 1.06])?;
    let girth = range(fields, "girth", (0.2, 5.0), [0.95, 1.05])?;
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
        person.girth = chance.between(girth[0], girth[1]);
        person.seed = (chance.unit() * 2_f32.powi(24)) as u32;
        person
    };
    let mut people: Vec<Person> = (0..count).map(one).collect();
    group(
        &mut people,
        range(fields, "groups", (1.0, 12.0), [1.0; 2])?,
        seed,
    );
    Ok(people)
}

const NEAR_FIELDS: &[Field] = &[
    Field {
        name: "within",
        ty: Type::Number,
        doc: "metres from the camera",
    },
    Field {
        name: "most",
        ty: Type::Number,
        doc: "how many at most, the nearest; 8",
    },
];

/// Which people are characters.
pub(super) fn near(fields: &Fields) -> mlua::Result<Option<Near>> {
    let value = fields.value("near");
    let own = match &value {
        Value::Nil => return Ok(None),
        Value::Table(table) => {
            let told = Type::Fields(NEAR_FIELDS).check(&value);
            told.map_err(|told| wrong(format!("near: {told}")))?;
            Fields(Some(table.clone()))
        }
        _ => Fields(None),
    };
    let within = match number(&value) {
        Some(_) => fields.within("near", 0.0, 1000.0)?,
        None => own.within("within", 0.0, 1000.0)?,
    };
    let most = own.within("most", 0.0, 200.0)?.unwrap_or(8.0) as usize;
    Ok(within.map(|within| Near { within, most }))
}

/// Metres from one to the next of those who go side by side, and by which each row of a group is behind.
const BESIDE: f32 = 0.75;
const BEHIND: f32 = 0.35;

/// Has people go together: side by side, those at the sides a little behind (Moussaïd and others 2010, "The walking behaviour
/// of pedestrian social groups").
fn group(people: &mut [Person], sizes: [f32; 2], seed: u64) {
    if sizes == [1.0; 2] {
        return;
    }
    let mut chance = Chance::new(seed ^ 0x6702);
    let mut first = 0;
    while first < people.len() {
        let size = chance
            .between(sizes[0], sizes[1] + 1.0)
            .floor()
            .min(sizes[1]) as usize;
        let size = size.clamp(1, people.len() - first);
        let leader = people[first];
        for k in 1..size {
            // One to the left, one to the right; four are side by side at most.
            let (row, column) = (k / 4, (k % 4).div_ceil(2) as f32);
            let side = if k % 2 == 0 { -column } else { column };
            let off = Vec2::new(side * BESIDE, -(column + 2.0 * row as f32) * BEHIND);
            let person = &mut people[first + k];
            person.follow(Some((Leader::Person(first as u32), off)));
            person.set_pace(leader.pace);
        }
        first += size;
    }
}

/// Ways that people take.
pub(super) fn ways(world: &World, fields: &Fields) -> mlua::Result<Option<Handle>> {
    let Some(PathsRef(handle)) = object(&fields.value("paths")) else {
        return Ok(None);
    };
    match world.stage.agents.paths.get(handle) {
        Some(_) if fields.text("style").as_deref() == Some("book") => Err(wrong(
            "paths: the book's crowd goes straight; leave out style",
        )),
        Some(_) => Ok(Some(handle)),
        None => Err(wrong("paths: they are gone")),
    }
}
