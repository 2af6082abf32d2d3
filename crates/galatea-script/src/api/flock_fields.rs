//! What `flock { … }` is told.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::Vec3;

use super::character::definition_of;
use super::check::{Field, Fields, Type};
use super::crowd_fields::RANGE;
use super::particle_fields::range;
use crate::world::World;
use galatea_asset::ModelSource;
use galatea_character::Definition;
use galatea_crowd::{Boid, FlockRules};
use galatea_math::chance::Chance;
use galatea_math::names::nearest_hint;
use galatea_stage::Gaits;
use galatea_stage::flocks::{Bird, MOST_BIRDS};

/// Metres a second, the fastest that anything flies.
pub(super) const FASTEST: f64 = 200.0;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

macro_rules! number_field {
    ($name:literal, $doc:literal) => {
        Field::new($name, Type::Number, $doc)
    };
}

pub(super) const FIELDS: &[Field] = &[
    Field::new("body", Type::Text, "a model's file, which looks along +z"),
    number_field!("count", "how many, up to 20000 on a stage; 100"),
    Field::new(
        "at",
        Type::Vector,
        "the middle of where they begin, and of where they live; 0, 15, 0",
    ),
    Field::new(
        "size",
        Type::Vector,
        "how far that reaches along each axis, metres; 10 × 6 × 10",
    ),
    Field::new(
        "clip",
        Type::Text,
        "the clip in which they fly or swim; \"fly\", or the first",
    ),
    Field::new(
        "glide",
        Type::Text,
        "the clip in which they sink with still wings; \"glide\", if there is one",
    ),
    Field::new(
        "scale",
        RANGE,
        "of their bodies, one number or { low, high }; { 0.9, 1.1 }",
    ),
    Field::new(
        "colors",
        Type::Table("{ [any]: any }"),
        "colours by the names of materials, as those of a crowd",
    ),
    Field::new(
        "speed",
        RANGE,
        "metres a second, the least and the most; { 3, 7 }",
    ),
    number_field!("separation", "away from those nearer than `apart`; 4"),
    number_field!("apart", "metres; 1.2"),
    number_field!("alignment", "as fast and the same way as those around; 1.2"),
    number_field!("cohesion", "to the middle of those around; 0.8"),
    number_field!("reach", "metres within which somebody is around; 3"),
    number_field!(
        "ground",
        "up for each metre that the ground is nearer than `clearance`; 6"
    ),
    number_field!("clearance", "metres; 2"),
    number_field!("lowest", "metres from the ground at least; 0.3"),
    number_field!(
        "turn",
        "how fast they turn, of their speed in a second; 1.5"
    ),
    number_field!(
        "home",
        "how much it draws them back who are far from where they began; 2"
    ),
    number_field!("radius", "metres from there beyond which it does; 20"),
    number_field!("avoid", "how much they turn away from what stands ahead; 6"),
    number_field!(
        "lean",
        "how much they lean in turns: 1 as birds, 0 as fish; 1"
    ),
    number_field!(
        "leaders",
        "the first so many are led by the script, with `steer`; 0"
    ),
    number_field!("lead", "how much the nearest of these draws; 2"),
    Field::new(
        "style",
        Type::Word(&["free", "book"]),
        "\"book\" takes the rules and constants of the book's program: 15 apart within 2.5 m, 1, 1 within 3.5 m, to a point 15 m up, 3 metres a second",
    ),
    Field::new(
        "force",
        Type::Function("(...any) -> ...any"),
        "a rule of your own: called twenty times a second for each, with the flock, the number, its place and velocity; returns a vector, metres a second in one",
    ),
    number_field!("seed", "another number makes other places"),
    Field::new(
        "name",
        Type::Text,
        "makes it known when the script is saved",
    ),
];

/// The clips in which a body flies and glides.
fn clips(gaits: &Definition, fields: &Fields) -> mlua::Result<[Option<usize>; 2]> {
    let set = &gaits.clips;
    let find = |field: &str, plain: &str| match fields.text(field) {
        None => Ok(set.find(plain)),
        Some(name) => match set.find(&name) {
            None => {
                let hint = nearest_hint(&name, set.names());
                Err(wrong(format!("{field}: there is no clip {name:?}{hint}")))
            }
            clip => Ok(clip),
        },
    };
    let first = set.names().next().and_then(|name| set.find(name));
    Ok([find("clip", "fly")?.or(first), find("glide", "glide")?])
}

pub(super) fn body(world: &mut World, fields: &Fields) -> mlua::Result<Arc<Gaits>> {
    let path = fields.text("body");
    let path = path.ok_or_else(|| wrong("body: a model's file is expected"))?;
    let source = ModelSource {
        path,
        ..ModelSource::default()
    };
    let definition = definition_of(world, &source)?;
    let [flies, glides] = clips(&definition, fields)?;
    let gaits = Gaits::new(definition, [flies, None, None]);
    Ok(Arc::new(gaits.with_act(glides)))
}

pub(super) fn rules(fields: &Fields) -> mlua::Result<FlockRules> {
    let mut rules = match fields.text("style").as_deref() {
        Some("book") => FlockRules::book(),
        _ => FlockRules::default(),
    };
    for (name, own) in RULES {
        if let Some(told) = fields.within(name, 0.0, 1000.0)? {
            *own(&mut rules) = told;
        }
    }
    let [least, most] = range(fields, "speed", (0.0, FASTEST), rules.speed)?;
    rules.speed = [least, most.max(1e-3)];
    rules.n_leaders = fields
        .within("leaders", 0.0, MOST_BIRDS as f64)?
        .unwrap_or(0.0) as usize;
    Ok(rules)
}

/// A number among the rules.
type Rule = fn(&mut FlockRules) -> &mut f32;

const RULES: [(&str, Rule); 10] = [
    ("separation", |rules| &mut rules.separation),
    ("apart", |rules| &mut rules.apart),
    ("alignment", |rules| &mut rules.alignment),
    ("cohesion", |rules| &mut rules.cohesion),
    ("reach", |rules| &mut rules.reach),
    ("ground", |rules| &mut rules.ground),
    ("clearance", |rules| &mut rules.clearance),
    ("lowest", |rules| &mut rules.lowest),
    ("turn", |rules| &mut rules.turn),
    ("lead", |rules| &mut rules.lead),
];

pub(super) fn middle(fields: &Fields) -> Vec3 {
    fields.vector("at").unwrap_or(Vec3::Y * 15.0)
}

/// Everybody where they begin.
pub(super) fn those(
    fields: &Fields,
    count: usize,
    rules: &FlockRules,
) -> mlua::Result<(Vec<Boid>, Vec<Bird>)> {
    let half = fields
        .vector("size")
        .unwrap_or(Vec3::new(10.0, 6.0, 10.0))
        .abs()
        * 0.5;
    let scale = range(fields, "scale", (0.001, 1000.0), [0.9, 1.1])?;
    let mut chance = Chance::new(fields.number("seed").unwrap_or(1.0) as u64);
    let at = middle(fields);
    let one = |_| {
        let mut side = || chance.between(-1.0, 1.0);
        let place = at + half * Vec3::new(side(), side(), side());
        let angle = chance.between(0.0, TAU);
        let way = Vec3::new(angle.sin(), chance.between(-0.2, 0.2), angle.cos()).normalize();
        let boid = Boid {
            at: place,
            velocity: way * chance.between(rules.speed[0], rules.speed[1]),
        };
        let scale = chance.between(scale[0], scale[1]);
        let seed = (chance.unit() * 2_f32.powi(24)) as u32;
        let bird = Bird::new(&boid, scale, seed, chance.unit());
        (boid, bird)
    };
    Ok((0..count).map(one).unzip())
}
