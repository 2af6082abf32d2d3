//! What `particles` is told, from a table of a script to numbers.

use std::f32::consts::PI;

use glam::Vec3;
use mlua::{Table, Value};

use super::check::{Field, Fields, Type, number, vector};
use galatea_emitter::{Curve, EmitterOptions, Lands, MOST_OF_ONE, Play, Shape};

const RANGE: Type = Type::OneOf(&[Type::Number, Type::Table("{ [any]: any }")]);

pub(super) const FIELDS: &[Field] = &[
    Field::new("rate", Type::Number, "how many per second"),
    Field::new("burst", Type::Number, "how many at once when it begins"),
    Field::new(
        "seconds",
        Type::Number,
        "how long it gives off particles; for ever",
    ),
    Field::new(
        "warm",
        Type::Number,
        "seconds that it has gone on for when it begins, up to 60",
    ),
    Field::new(
        "most",
        Type::Number,
        "how many there are at once at most, up to 8192",
    ),
    Field::new(
        "shape",
        Type::Word(&["point", "ball", "disc", "box", "surface"]),
        "where they begin; \"surface\" is all over a character",
    ),
    Field::new("radius", Type::Number, "of a ball or disc, metres"),
    Field::new("extent", Type::Vector, "of a box, metres"),
    Field::new(
        "offset",
        Type::Vector,
        "from the bone, along the axes of the character at rest, metres",
    ),
    Field::new(
        "direction",
        Type::Vector,
        "the way they go; up, out of what was hit, or on a bone along the character's axes at rest",
    ),
    Field::new(
        "life",
        RANGE,
        "seconds; this and others below are one number or { low, high }, chance is even between",
    ),
    Field::new("speed", RANGE, "metres per second along the way"),
    Field::new(
        "spread",
        Type::Number,
        "degrees off the way at most, 0 to 180",
    ),
    Field::new(
        "outward",
        Type::Number,
        "metres per second away from the middle",
    ),
    Field::new(
        "inherit",
        Type::Number,
        "share of the velocity of what carries it; 0",
    ),
    Field::new(
        "gravity",
        Type::Number,
        "factor on their weight; less than 0 rises",
    ),
    Field::new(
        "drag",
        Type::Number,
        "share of their speed through the air lost per second",
    ),
    Field::new(
        "wind",
        Type::Number,
        "factor on `physics.wind` that they feel, through their drag",
    ),
    Field::new(
        "swirl",
        Type::Number,
        "metres per second of eddies in the air",
    ),
    Field::new("swirl_size", Type::Number, "metres across an eddy"),
    Field::new(
        "lands",
        Type::Word(&["through", "ends", "bounces", "stays"]),
        "what becomes of one that meets something solid",
    ),
    Field::new(
        "bounce",
        Type::Number,
        "share of its speed that is left when it bounces, 0 to 1",
    ),
    Field::new("slide", Type::Number, "the same along what it bounces off"),
    Field::new(
        "stays",
        Type::Number,
        "seconds that it lies where it landed",
    ),
    Field::new(
        "splat",
        Type::Number,
        "factor on its size when it lies there",
    ),
    Field::new("size", RANGE, "metres across"),
    Field::new(
        "grow",
        RANGE,
        "factor on the size: one number, or a list over the life",
    ),
    Field::new(
        "color",
        Type::OneOf(&[Type::Vector, Type::Table("{ [any]: any }")]),
        "linear colour, or a list over the life",
    ),
    Field::new(
        "vary",
        Type::Number,
        "how much they differ in brightness, 0 to 1",
    ),
    Field::new(
        "alpha",
        RANGE,
        "how much they cover, 0 to 1: one number, or a list over the life",
    ),
    Field::new(
        "glow",
        Type::Number,
        "light of their own, a factor on the colour, up to 1000; 0 are lit",
    ),
    Field::new("turned", Type::Bool, "turned by chance at first"),
    Field::new("spin", RANGE, "degrees per second"),
    Field::new(
        "stretch",
        Type::Number,
        "seconds of their way that they are drawn out over",
    ),
    Field::new(
        "soft",
        Type::Number,
        "metres before a surface over which they fade",
    ),
    Field::new(
        "gloss",
        Type::Number,
        "how much they shine, as drops do, 0 to 1",
    ),
    Field::new(
        "thin",
        Type::Number,
        "how much light goes through them, as through dust, 0 to 1; else they are lit as balls",
    ),
    Field::new(
        "picture",
        Type::Text,
        "a picture of the project in place of the kind's own",
    ),
    Field::new(
        "cells",
        Type::Table("{ [any]: any }"),
        "columns and rows of it, { 4, 4 }; { 1, 1 }",
    ),
    Field::new(
        "play",
        Type::Word(&["chance", "life"]),
        "which cell: one by chance, or one after the other over the life",
    ),
    Field::new("seed", Type::Number, "of its chance"),
    Field::new(
        "name",
        Type::Text,
        "makes it known over saves; else the order in which a script makes them does",
    ),
];

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Numbers of a list, each `least` to `most`.
fn numbers(table: &Table, name: &str, (least, most): (f64, f64)) -> mlua::Result<Vec<f32>> {
    let mut values = Vec::new();
    for value in table.sequence_values::<Value>() {
        let found = number(&value?).filter(|n| (least..=most).contains(n));
        values.push(found.ok_or_else(|| {
            wrong(format!(
                "{name}: numbers from {least} to {most} are expected"
            ))
        })? as f32);
    }
    if values.is_empty() || values.len() > 32 {
        return Err(wrong(format!("{name}: 1 to 32 numbers are expected")));
    }
    Ok(values)
}

/// One number, or low and high.
pub(super) fn range(
    fields: &Fields,
    name: &str,
    limits: (f64, f64),
    plain: [f32; 2],
) -> mlua::Result<[f32; 2]> {
    match fields.value(name) {
        Value::Table(table) => match numbers(&table, name, limits)?[..] {
            [both] => Ok([both; 2]),
            [low, high] if low <= high => Ok([low, high]),
            _ => Err(wrong(format!("{name}: {{ low, high }} is expected"))),
        },
        _ => {
            let one = fields.within(name, limits.0, limits.1)?;
            Ok(one.map_or(plain, |one| [one; 2]))
        }
    }
}

/// One number, or a list over the life.
fn curve(
    fields: &Fields,
    name: &str,
    limits: (f64, f64),
    own: &mut Curve<f32>,
) -> mlua::Result<()> {
    if let Value::Table(table) = fields.value(name) {
        let values = numbers(&table, name, limits)?;
        *own = Curve::new(values).unwrap_or(Curve::steady(1.0));
    } else if let Some(one) = fields.within(name, limits.0, limits.1)? {
        *own = Curve::steady(one);
    }
    Ok(())
}

/// A colour, or a list over the life.
pub(super) fn color(value: &Value) -> mlua::Result<Option<Curve<Vec3>>> {
    let list = match value {
        Value::Nil => return Ok(None),
        Value::Table(table) => table
            .sequence_values::<Value>()
            .collect::<mlua::Result<Vec<_>>>()?,
        one => vec![one.clone()],
    };
    let colors = list.iter().map(|value| {
        let color = vector(value).filter(|color| color.is_finite());
        color.map(|color| color.clamp(Vec3::ZERO, Vec3::splat(100.0)))
    });
    let colors: Option<Vec<Vec3>> = colors.collect();
    let curve = colors.filter(|c| c.len() <= 32).and_then(Curve::new);
    let text = "color: a vector is expected, or a list of 1 to 32 of them over the life";
    curve.map(Some).ok_or_else(|| wrong(text))
}

fn set(to: &mut f32, from: Option<f32>) {
    if let Some(value) = from {
        *to = value;
    }
}

/// Changes what a kind has by what a script tells.
pub(super) fn tell(options: &mut EmitterOptions, fields: &Fields) -> mlua::Result<()> {
    let o = options;
    set(&mut o.rate, fields.within("rate", 0.0, 100_000.0)?);
    if let Some(n) = fields.within("burst", 0.0, MOST_OF_ONE as f64)? {
        o.burst = n as u32;
    }
    o.seconds = fields.within("seconds", 0.0, 1e6)?.or(o.seconds);
    set(&mut o.warm, fields.within("warm", 0.0, 60.0)?);
    if let Some(most) = fields.within("most", 1.0, MOST_OF_ONE as f64)? {
        o.most = most as usize;
    } else {
        // Room for as many as live at once.
        let lasting = (o.rate * o.life[1]) as usize + o.burst as usize;
        o.most = o.most.max(lasting).min(MOST_OF_ONE);
    }
    tell_shape(o, fields)?;
    o.life = range(fields, "life", (0.01, 600.0), o.life)?;
    o.speed = range(fields, "speed", (-1000.0, 1000.0), o.speed)?;
    set(
        &mut o.spread,
        fields.within("spread", 0.0, 180.0)?.map(|d| d / 180.0 * PI),
    );
    set(&mut o.outward, fields.within("outward", -1000.0, 1000.0)?);
    set(&mut o.inherit, fields.within("inherit", -10.0, 10.0)?);
    set(&mut o.gravity, fields.within("gravity", -100.0, 100.0)?);
    set(&mut o.drag, fields.within("drag", 0.0, 1000.0)?);
    set(&mut o.wind, fields.within("wind", 0.0, 100.0)?);
    set(&mut o.swirl.0, fields.within("swirl", 0.0, 100.0)?);
    set(&mut o.swirl.1, fields.within("swirl_size", 0.01, 1000.0)?);
    tell_landing(o, fields)?;
    o.size = range(fields, "size", (0.0001, 100.0), o.size)?;
    curve(fields, "grow", (0.0, 1000.0), &mut o.grow)?;
    if let Some(colors) = color(&fields.value("color"))? {
        o.color = colors;
    }
    set(&mut o.vary, fields.within("vary", 0.0, 1.0)?);
    curve(fields, "alpha", (0.0, 1.0), &mut o.alpha)?;
    set(&mut o.glow, fields.within("glow", 0.0, 1000.0)?);
    o.turned = fields.bool("turned").unwrap_or(o.turned);
    let degrees = range(
        fields,
        "spin",
        (-36_000.0, 36_000.0),
        o.spin.map(f32::to_degrees),
    )?;
    o.spin = degrees.map(f32::to_radians);
    set(&mut o.stretch, fields.within("stretch", 0.0, 1.0)?);
    set(&mut o.soft, fields.within("soft", 0.0, 100.0)?);
    set(&mut o.gloss, fields.within("gloss", 0.0, 1.0)?);
    set(&mut o.thin, fields.within("thin", 0.0, 1.0)?);
    match fields.text("play").as_deref() {
        Some("life") => o.play = Play::Life,
        Some(_) => o.play = Play::Chance,
        None => {}
    }
    Ok(())
}

fn tell_shape(o: &mut EmitterOptions, fields: &Fields) -> mlua::Result<()> {
    let radius = fields.within("radius", 0.0, 1000.0)?;
    let extent = fields.vector("extent").filter(|extent| extent.is_finite());
    let half = extent.map(|extent| extent.abs().min(Vec3::splat(10_000.0)) / 2.0);
    let (own_radius, own_half) = match o.shape {
        Shape::Ball(radius) | Shape::Disc(radius) => (radius, Vec3::splat(radius)),
        Shape::Box(half) => (half.max_element(), half),
        Shape::Point | Shape::Surface => (0.1, Vec3::splat(0.1)),
    };
    let word = fields.text("shape");
    let own = match (&o.shape, radius, half) {
        (Shape::Ball(_), ..) => "ball",
        (Shape::Disc(_), ..) => "disc",
        (Shape::Surface, ..) => "surface",
        (_, _, Some(_)) | (Shape::Box(_), ..) => "box",
        (Shape::Point, Some(_), _) => "ball",
        (Shape::Point, ..) => "point",
    };
    o.shape = match word.as_deref().unwrap_or(own) {
        "ball" => Shape::Ball(radius.unwrap_or(own_radius)),
        "disc" => Shape::Disc(radius.unwrap_or(own_radius)),
        "box" => Shape::Box(half.unwrap_or(own_half)),
        "surface" => Shape::Surface,
        _ => Shape::Point,
    };
    Ok(())
}

fn tell_landing(o: &mut EmitterOptions, fields: &Fields) -> mlua::Result<()> {
    let bounce = fields.within("bounce", 0.0, 1.0)?;
    let slide = fields.within("slide", 0.0, 1.0)?;
    let stays = fields.within("stays", 0.0, 600.0)?;
    let splat = fields.within("splat", 0.0, 100.0)?;
    let own = match (&o.lands, bounce.or(slide), stays.or(splat)) {
        (_, _, Some(_)) => "stays",
        (_, Some(_), _) => "bounces",
        (Lands::Through, ..) => "through",
        (Lands::Ends, ..) => "ends",
        (Lands::Bounces { .. }, ..) => "bounces",
        (Lands::Stays { .. }, ..) => "stays",
    };
    let (across, along) = match o.lands {
        Lands::Bounces { across, along } => (across, along),
        _ => (0.4, 0.7),
    };
    let (seconds, size) = match o.lands {
        Lands::Stays { seconds, size } => (seconds, size),
        _ => (10.0, 1.0),
    };
    o.lands = match fields.text("lands").as_deref().unwrap_or(own) {
        "ends" => Lands::Ends,
        "bounces" => Lands::Bounces {
            across: bounce.unwrap_or(across),
            along: slide.unwrap_or(along),
        },
        "stays" => Lands::Stays {
            seconds: stays.unwrap_or(seconds),
            size: splat.unwrap_or(size),
        },
        _ => Lands::Through,
    };
    Ok(())
}
