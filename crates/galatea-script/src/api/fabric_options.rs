//! What ropes and cloth can be told: fields of their options, and what is read from them.

use glam::Quat;
use mlua::{Table, Value};

use super::character::CharacterRef;
use super::check::{Field, Fields, Type, object};
use super::secondary::{least, unit};
use galatea_physics::particles::{FabricOptions, Obstacle};
use galatea_stage::{Handle, StageFabric};

/// Particles along one side at most.
pub(super) const MOST_SIDE: f64 = 64.0;
macro_rules! fabric_fields {
    ($($more:expr),* $(,)?) => {
        &[
            Field::new("stretch", Type::Number, "how far it gives way, 0 not at all to 1 as rubber; 0"),
            Field::new("stiffness", Type::Number, "how hard it is to bend, 0 silk to 1 felt; 0.2"),
            Field::new("drag", Type::Number, "share of its speed that is lost in a second; 0.6"),
            Field::new("friction", Type::Number, "on bodies and the floor; 0.4"),
            Field::new("wind", Type::Number, "share of the wind that it feels; 1"),
            Field::new("gravity", Type::Number, "factor on gravity; 1"),
            Field::new("thickness", Type::Number, "metres kept from bodies; 0.015, of a rope its radius"),
            Field::new("collide", Type::OneOf(&[Type::Object("Character"), Type::Table("{ [any]: any }")]), "a character, or a list, on whose body it lies"),
            Field::new("solids", Type::Table("{ [any]: any }"), "what else it lies on: a list of { at, radius }, { from, to, radius } or { at, size, yaw = degrees }; metres"),
            Field::new("floor", Type::Bool, "it stays above the floor; true"),
            $($more),*
        ]
    };
}

/// Of what is made here and has a look of its own: what its colour and its roughness are, and more.
macro_rules! made_fields {
    ($color:expr, $roughness:expr, $($more:expr),* $(,)?) => {
        fabric_fields!(
            $($more,)*
            Field::new("color", Type::Vector, $color),
            Field::new("roughness", Type::Number, $roughness),
            Field::new("name", Type::Text, "makes it the same over reloads, whatever the order"),
        )
    };
}

/// Which bone of whom holds a particle, and how far from it; after what else there is.
macro_rules! holder_fields {
    ($offset:expr $(, $more:expr)* $(,)?) => {
        &[
            $($more,)*
            Field::new("character", Type::Object("Character"), "who holds it"),
            Field::new("bone", Type::Text, "by which bone"),
            Field::new("offset", Type::Vector, $offset),
        ]
    };
}

pub(super) const CLOTH_FIELDS: &[Field] = made_fields!(
    "linear colour; (0.5, 0.04, 0.03)",
    "0 to 1; 0.85",
    Field::new(
        "at",
        Type::Vector,
        "middle of its upper edge, metres; (0, 2, 0)"
    ),
    Field::new("yaw", Type::Number, "degrees about +Y; at 0 it faces +Z; 0"),
    Field::new("size", Type::Vector, "metres across and down; (1, 1, 0)"),
    Field::new(
        "hem",
        Type::Number,
        "width of its lower edge as a share of the upper; 1"
    ),
    Field::new("columns", Type::Number, "particles across, 2 to 64; 12"),
    Field::new("rows", Type::Number, "particles down, 2 to 64; 12"),
    Field::new(
        "pins",
        Type::OneOf(&[
            Type::Word(&["top", "corners", "none"]),
            Type::Table("{ [any]: any }")
        ]),
        "what holds it: its upper edge, the corners of that, nothing, or a list of { u, v, character, bone, offset }: at the share u across and v down it is held where it is, or by a bone of a character; offset is in the character's space at rest, metres, +Z ahead; \"top\""
    ),
);

pub(super) const ROPE_FIELDS: &[Field] = made_fields!(
    "linear colour; (0.3, 0.2, 0.1)",
    "0 to 1; 0.9",
    Field::new(
        "from",
        Type::OneOf(&[Type::Vector, Type::Fields(END_FIELDS)]),
        "where it begins: a place, or { character, bone, offset }; (0, 2, 0)"
    ),
    Field::new(
        "to",
        Type::OneOf(&[Type::Vector, Type::Fields(END_FIELDS)]),
        "where its end is held, the same way; it hangs free"
    ),
    Field::new(
        "length",
        Type::Number,
        "metres; a twentieth more than the way, or 1"
    ),
    Field::new("radius", Type::Number, "metres; 0.02"),
    Field::new("links", Type::Number, "particles along it, 2 to 256; 20"),
    Field::new(
        "end_weight",
        Type::Number,
        "how much heavier its end is than another link, 0.1 to 100; 1"
    ),
);

const END_FIELDS: &[Field] =
    holder_fields!("away from the bone, in the character's space at rest, metres; (0, 0, 0)");

pub(super) const CHAINS_FIELDS: &[Field] = fabric_fields!(
    Field::new(
        "chains",
        Type::Table("{ [any]: any }"),
        "the top bones of its chains, in order across; each goes down to its last bone"
    ),
    Field::new(
        "closed",
        Type::Bool,
        "the last chain is joined to the first, as in a skirt; false"
    ),
    Field::new(
        "shape",
        Type::Number,
        "how strongly it is drawn to the pose of its bones, 0 to 1; 0.2"
    ),
    Field::new("weight", Type::Number, "share that is shown, 0 to 1; 1"),
);

pub(super) fn options(fields: &Fields) -> mlua::Result<FabricOptions> {
    let plain = FabricOptions::default();
    Ok(FabricOptions {
        closed: fields.bool("closed").unwrap_or(false),
        stretch: unit(fields, "stretch", plain.stretch)?,
        stiffness: unit(fields, "stiffness", plain.stiffness)?,
        drag: least(fields, "drag", plain.drag)?.min(60.0),
        friction: least(fields, "friction", plain.friction)?,
        wind: least(fields, "wind", plain.wind)?,
        thickness: least(fields, "thickness", plain.thickness)?,
        gravity: fields
            .number("gravity")
            .map_or(1.0, |g| (g as f32).clamp(-10.0, 10.0)),
        shape: 0.0,
        end_weight: least(fields, "end_weight", 1.0)?.clamp(0.1, 100.0),
    })
}

/// A whole number of particles.
pub(super) fn count(fields: &Fields, name: &str, default: f64, most: f64) -> mlua::Result<usize> {
    let n = fields.number(name).unwrap_or(default);
    if !(2.0..=most).contains(&n) {
        let wrong = format!("{name}: from 2 to {most}, not {n}");
        return Err(mlua::Error::runtime(wrong));
    }
    Ok(n as usize)
}

/// A character, or those of a list, of a field `collide`.
pub(super) fn characters(value: &Value) -> mlua::Result<Vec<Handle>> {
    let Value::Table(list) = value else {
        let one = object(value).map(|CharacterRef(handle)| handle);
        return Ok(one.into_iter().collect());
    };
    let each = list.sequence_values::<Value>().map(|entry| {
        let Some(CharacterRef(handle)) = object(&entry?) else {
            let wrong = "collide: expected a list of characters";
            return Err(mlua::Error::runtime(wrong));
        };
        Ok(handle)
    });
    each.collect()
}

/// Whose bodies it lies on, and what else.
pub(super) fn around(fields: &Fields, fabric: &mut StageFabric) -> mlua::Result<()> {
    fabric.on_floor = fields.bool("floor").unwrap_or(true);
    fabric.collide = characters(&fields.value("collide"))?;
    if let Some(list) = fields.value("solids").as_table() {
        for entry in list.sequence_values::<Table>() {
            fabric.solids.push(solid(entry?)?);
        }
    }
    if fabric.solids.len() > 64 || fabric.collide.len() > 16 {
        let most = "at most 64 solids and 16 characters";
        return Err(mlua::Error::runtime(most));
    }
    Ok(())
}

const SOLID_FIELDS: &[Field] = &[
    Field::new("at", Type::Vector, "centre"),
    Field::new("from", Type::Vector, "one end"),
    Field::new("to", Type::Vector, "other end"),
    Field::new("radius", Type::Number, "metres"),
    Field::new("size", Type::Vector, "of a box"),
    Field::new("yaw", Type::Number, "degrees"),
];

fn solid(entry: Table) -> mlua::Result<Obstacle> {
    let checked = Type::Fields(SOLID_FIELDS).check(&Value::Table(entry.clone()));
    checked.map_err(|wrong| mlua::Error::runtime(format!("solids: {wrong}")))?;
    let fields = Fields(Some(entry));
    let (at, radius) = (
        fields.vector("at"),
        fields.number("radius").map(|r| r as f32),
    );
    let ends = (fields.vector("from"), fields.vector("to"));
    match (at, ends, fields.vector("size"), radius) {
        (Some(center), _, None, Some(radius)) => Ok(Obstacle::Sphere { center, radius }),
        (None, (Some(a), Some(b)), None, Some(radius)) => Ok(Obstacle::Capsule { a, b, radius }),
        (Some(center), _, Some(size), None) => Ok(Obstacle::Box {
            center,
            rotation: Quat::from_rotation_y(
                (fields.number("yaw").unwrap_or(0.0) as f32).to_radians(),
            ),
            half: size.abs() * 0.5,
        }),
        _ => Err(mlua::Error::runtime(
            "solids: write { at, radius }, { from, to, radius } or { at, size, yaw }",
        )),
    }
}

pub(super) const PIN_FIELDS: &[Field] = holder_fields!(
    "away from the bone",
    Field::new("u", Type::Number, "share across"),
    Field::new("v", Type::Number, "share down"),
);
