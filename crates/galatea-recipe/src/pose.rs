//! `pose { … }`: poses of figures in recipes.

use glam::Vec3;
use mlua::{Lua, MetaMethod, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::figure::FigureRef;
use super::{gate, opt, param, wrong};
use galatea_forge::motion::pose::{
    FigurePose, FigureSide, HANGS_ON, PoseChannel, Unit, of_side, trunk,
};
use galatea_math::names::nearest_hint;
use galatea_script::toolkit::{
    Args, Field, Function, Group, Kind, Shape, Type, add_object, add_properties, describe, number,
    object, text, vector,
};

/// A pose object of a recipe.
#[derive(Clone)]
pub(super) struct RecipePose(pub FigurePose);

impl UserData for RecipePose {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
        let both =
            |a: &Value, b: &Value| -> mlua::Result<[FigurePose; 2]> { Ok([read(a)?, read(b)?]) };
        methods.add_meta_function(MetaMethod::Add, move |_, (a, b): (Value, Value)| {
            let [a, b] = both(&a, &b)?;
            checked(a.plus(&b))
        });
        methods.add_meta_function(MetaMethod::Sub, move |_, (a, b): (Value, Value)| {
            let [a, b] = both(&a, &b)?;
            checked(a.minus(&b))
        });
        methods.add_meta_function(MetaMethod::Mul, |_, (a, b): (Value, Value)| {
            let (pose, share) = match (number(&a), number(&b)) {
                (Some(share), None) => (read(&b)?, share),
                (None, Some(share)) => (read(&a)?, share),
                _ => return Err(wrong("a pose can be multiplied only by a number")),
            };
            checked(pose.times(share as f32))
        });
    }
}

const TRUNK: &str = "Rotation relative to the model, as a vector in degrees. x bends forwards, y turns to the left, z \
                     raises the left side";
const FOOT: &str = "A table with these fields, in metres and degrees. `at`: offset of the sole from its position at \
                    rest. `turn`: turns the toes outwards. `pitch`: lifts the heel over the ball of the foot; a \
                    negative value lifts the toes over the heel. `tilt`: lifts the outer edge. `toes`: bends the toes \
                    down, in addition to their bend on the ground. `knee`: a vector in which direction the knee points; \
                    its length, 0 to 1, is its weight";
const ARM: &str = "A table with angles in degrees; at 0 the arm hangs down. `swing`: the arm forwards. `out`: the arm \
                   sideways. `twist`: rotation around the upper arm, which turns the inside of the elbow outwards. \
                   `elbow`: bend of the elbow. `roll`: rotation around the forearm, which turns the palm forwards and \
                   then outwards. `wrist`: bend of the hand towards the palm. `tilt`: bend of the hand towards the \
                   thumb. `lift`: the shoulder up. `reach`: the shoulder forwards";
const HAND: &str = "The position of the palm's centre, or a table with these fields. `at`: position of the palm's \
                    centre. `on`: bone that the hand follows: \"hips\", \"chest\", \"head\", or an upper or lower leg. \
                    `hold`: weight of `at`, 1 by default; at 0 only the angles of the arm count. `fingers`, `palm`, \
                    `elbow`: vectors in which direction these point; the length, 0 to 1, is the weight. `curl`: closes \
                    all four fingers, 0 is straight and 1 closed. `index`, `middle`, `ring`, `little`: added to `curl` \
                    for one finger. `thumb`: 0 is straight, 1 closed. `cup`: bends the fingers only at their roots. \
                    `oppose`: moves the thumb across the palm. `spread`: moves the fingers apart. Positions and \
                    directions are in the space of the model; with `on`, they are given for the rest pose";

/// Fields of a pose, by channel name.
static CHANNELS: Shape = Shape {
    name: "PoseOptions",
    doc: "A pose at one instant",
    includes: &[],
    entries: None,
    fields: &[
        Field::new(
            "body",
            Type::Vector,
            "Rotation of the whole body except the feet, as a vector in degrees. x bends forwards, y turns to the left, \
             z raises the left side. For a figure that lies on its back it is v(-90, 0, 0)",
        ),
        Field::new("hips", Type::Vector, "Offset of the hips from rest, metres"),
        Field::new("pelvis", Type::Vector, TRUNK),
        Field::new("chest", Type::Vector, TRUNK),
        Field::new("head", Type::Vector, TRUNK),
        Field::new(
            "eyes",
            Type::Vector,
            "Rotation relative to the head, as a vector in degrees. x looks down, y looks to the left",
        ),
        Field::new(
            "breath",
            Type::Number,
            "Breath: angle by which the chest is bent backwards, degrees",
        ),
        Field::new(
            "root",
            Type::Table("{ [string]: number | vector }"),
            "Root motion since the start of the clip: { at = offset in metres, turn = degrees to the left }. For this, \
             the hips need a parent bone. The positions of feet and trunk are relative to the start of the clip, not to \
             the moved root",
        ),
        Field::new(
            "left_foot",
            Type::Table("{ [string]: number | vector }"),
            FOOT,
        ),
        Field::new(
            "right_foot",
            Type::Table("{ [string]: number | vector }"),
            "The same for the right side",
        ),
        Field::new(
            "feet",
            Type::Table("{ [string]: number | vector }"),
            "The same for both sides; the right side is mirrored",
        ),
        Field::new(
            "left_arm",
            Type::Table("{ [string]: number | vector }"),
            ARM,
        ),
        Field::new(
            "right_arm",
            Type::Table("{ [string]: number | vector }"),
            "The same for the right side",
        ),
        Field::new(
            "arms",
            Type::Table("{ [string]: number | vector }"),
            "Both sides",
        ),
        Field::new(
            "left_hand",
            Type::OneOf(&[Type::Vector, Type::Table("{ [string]: any }")]),
            HAND,
        ),
        Field::new(
            "right_hand",
            Type::OneOf(&[Type::Vector, Type::Table("{ [string]: any }")]),
            "The same for the right side",
        ),
        Field::new(
            "hands",
            Type::OneOf(&[Type::Vector, Type::Table("{ [string]: any }")]),
            "The same for both sides; the right side is mirrored",
        ),
    ],
};

/// Reads a pose object or a table of a pose.
pub(super) fn read(value: &Value) -> mlua::Result<FigurePose> {
    if let Some(pose) = object::<RecipePose>(value) {
        return Ok(pose.0);
    }
    if !matches!(value, Value::Table(_)) {
        return Err(wrong(format!("expected a pose, got {}", describe(value))));
    }
    Type::Options(&CHANNELS)
        .check(value)
        .map_err(|why| wrong(format!("pose: {why}")))?;
    let mut pose = FigurePose::default();
    let Value::Table(table) = value else {
        return Ok(pose);
    };
    // Read `both` first, so that one side may differ.
    for field in CHANNELS.fields {
        let value: Value = table.raw_get(field.name)?;
        if value.is_nil() {
            continue;
        }
        let of = |wrong_of: String| wrong(format!("pose: {}: {wrong_of}", field.name));
        match field.name {
            "feet" => group(&mut pose, &value, "foot", None).map_err(of)?,
            "arms" => group(&mut pose, &value, "arm", None).map_err(of)?,
            "hands" => group(&mut pose, &value, "hand", None).map_err(of)?,
            "root" => {
                let all: Vec<PoseChannel> = trunk().filter(|c| c.group == "root").collect();
                say(&mut pose, &value, &all, None).map_err(of)?;
            }
            _ => {}
        }
    }
    for field in CHANNELS.fields {
        let value: Value = table.raw_get(field.name)?;
        if value.is_nil() {
            continue;
        }
        let of = |wrong_of: String| wrong(format!("pose: {}: {wrong_of}", field.name));
        let sided = FigureSide::BOTH.into_iter().find_map(|side| {
            let rest = field.name.strip_prefix(side.word())?;
            Some((side, rest.strip_prefix('_')?))
        });
        match sided {
            Some((side, name)) => group(&mut pose, &value, name, Some(side)).map_err(of)?,
            None => {
                if let Some(channel) = trunk().find(|c| c.group.is_empty() && c.name == field.name)
                {
                    pose.say(&channel, read_channel(&channel, &value).map_err(of)?);
                }
            }
        }
    }
    Ok(pose)
}

/// Reads a group of one side or of both sides.
fn group(
    pose: &mut FigurePose,
    value: &Value,
    name: &str,
    side: Option<FigureSide>,
) -> Result<(), String> {
    for own in FigureSide::BOTH {
        if side.is_some_and(|side| side != own) {
            continue;
        }
        let all: Vec<PoseChannel> = of_side(own).filter(|c| c.group == name).collect();
        let mirrored = side.is_none() && own == FigureSide::Right;
        let place = match value {
            Value::Vector(_) => value.clone(),
            Value::Table(table) => table.raw_get("at").unwrap_or(Value::Nil),
            _ => Value::Nil,
        };
        if name == "hand" && !place.is_nil() {
            pose.say_of(own, "hand", "hold", Vec3::ONE);
            if let Value::Table(table) = value {
                let on: Value = table.raw_get("on").unwrap_or(Value::Nil);
                pose.on[usize::from(own == FigureSide::Right)] = hung_on(&on, mirrored)?;
            }
        }
        if let (Value::Vector(_), Some(at)) = (value, all.iter().find(|c| c.name == "at")) {
            pose.say(at, flipped(at, read_channel(at, value)?, mirrored));
            continue;
        }
        say(pose, value, &all, Some(mirrored))?;
    }
    Ok(())
}

fn hung_on(value: &Value, mirrored: bool) -> Result<u8, String> {
    let Some(name) = text(value) else {
        return Ok(0);
    };
    let name = match name.strip_prefix("left_").filter(|_| mirrored) {
        Some(own) => format!("right_{own}"),
        None => name,
    };
    let found = HANGS_ON.iter().position(|own| *own == name);
    found.map(|i| i as u8).ok_or_else(|| {
        let hint = nearest_hint(&name, HANGS_ON.iter().copied());
        format!("a hand cannot be attached to {name:?}{hint}")
    })
}

fn flipped(channel: &PoseChannel, value: Vec3, mirrored: bool) -> Vec3 {
    if mirrored && channel.width == 3 {
        return value * Vec3::new(-1.0, 1.0, 1.0);
    }
    value
}

fn say(
    pose: &mut FigurePose,
    value: &Value,
    channels: &[PoseChannel],
    mirrored: Option<bool>,
) -> Result<(), String> {
    let Value::Table(table) = value else {
        return Err(format!("expected a table, got {}", describe(value)));
    };
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|error| error.to_string())?;
        let name = text(&key).ok_or_else(|| format!("unexpected entry {}", describe(&key)))?;
        let is_hand = channels.iter().any(|c| c.group == "hand");
        if name == "on" && is_hand {
            continue;
        }
        let channel = channels.iter().find(|c| c.name == name).ok_or_else(|| {
            let hint = nearest_hint(&name, channels.iter().map(|c| c.name));
            format!("unknown field {name:?}{hint}")
        })?;
        let own = read_channel(channel, &value).map_err(|why| format!("{name}: {why}"))?;
        pose.say(channel, flipped(channel, own, mirrored == Some(true)));
    }
    Ok(())
}

fn read_channel(channel: &PoseChannel, value: &Value) -> Result<Vec3, String> {
    let found = match channel.width {
        3 => vector(value),
        _ => number(value).map(|n| Vec3::splat(n as f32)),
    };
    let kind = match (channel.width, channel.unit) {
        (3, Unit::Degrees) => "a vector of degrees",
        (3, Unit::Direction) => "a direction",
        (3, _) => "a vector",
        _ => "a number",
    };
    found
        .filter(|v| v.is_finite())
        .ok_or_else(|| format!("expected {kind}, got {}", describe(value)))
}

pub(super) fn value(lua: &Lua, pose: FigurePose) -> mlua::Result<Value> {
    lua.create_userdata(checked(pose)?).map(Value::UserData)
}

/// Checks that all numbers of a pose are within the limits.
fn checked(pose: FigurePose) -> mlua::Result<RecipePose> {
    let max = gate::LIMITS.number;
    if pose.is_within(max as f32) {
        return Ok(RecipePose(pose));
    }
    Err(wrong(format!("pose: numbers must be from -{max} to {max}")))
}

fn make(lua: &Lua, args: Args) -> mlua::Result<Value> {
    value(lua, read(&args.value(0))?)
}

fn with(lua: &Lua, args: Args) -> mlua::Result<Value> {
    value(lua, read(&args.value(0))?.with(&read(&args.value(1))?))
}

fn mix(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let share = args.number(2).unwrap_or(0.5) as f32;
    let other = read(&args.value(1))?;
    value(lua, read(&args.value(0))?.mix(&other, share))
}

fn mirror(lua: &Lua, args: Args) -> mlua::Result<Value> {
    value(lua, read(&args.value(0))?.mirrored())
}

fn moved(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = read(&args.value(0))?;
    let figure = args.object::<FigureRef>(1);
    let figure = figure.ok_or_else(|| wrong("moved: expected a Figure"))?;
    let degrees = args.number(2).unwrap_or(0.0) as f32;
    let way = args.vector(3).unwrap_or_default();
    value(lua, own.moved(figure.0.rests(), degrees, way))
}

pub(super) const POSE: Function = Function {
    name: "pose",
    params: &[param("what", Type::Options(&CHANNELS))],
    returns: "Pose",
    doc: "Makes a pose of a figure. Values that you do not set are 0; a pose without values is the rest pose, with \
          hanging arms. You can add and subtract poses and multiply them by a number; this is done value by value. \
          Wherever a pose is expected, you may also write a table with the same fields.",
    example: "local stands = pose { hips = vector.create(0.01, -0.01, 0), arms = { out = 9, elbow = 15 }, hands = { curl = 0.2 } }\n\
              local bows = stands + { chest = vector.create(30, 0, 0), head = vector.create(25, 0, 0) }",
    call: make,
};

pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Pose",
    doc: "A pose of a figure, made by `pose`.",
    functions: &[
        Function {
            name: "with",
            params: &[param(
                "what",
                Type::OneOf(&[Type::Object("Pose"), Type::Options(&CHANNELS)]),
            )],
            returns: "Pose",
            doc: "Returns a copy of this pose in which the values that `what` sets are replaced.",
            example: "local points = pose { arms = { out = 9 } }:with { right_arm = { swing = 80 } }",
            call: with,
        },
        Function {
            name: "mix",
            params: &[
                param(
                    "other",
                    Type::OneOf(&[Type::Object("Pose"), Type::Options(&CHANNELS)]),
                ),
                param("share", Type::Number),
            ],
            returns: "Pose",
            doc: "Returns a pose between this pose and another one. With a `share` of 0 it is this pose, with 1 the \
                  other one.",
            example: "local half = pose { arms = { out = 90 } }:mix({ arms = { out = 0 } }, 0.5)",
            call: mix,
        },
        Function {
            name: "mirror",
            params: &[],
            returns: "Pose",
            doc: "Returns the pose with left and right swapped.",
            example: "local right = pose { left_arm = { swing = 80 } }:mirror()",
            call: mirror,
        },
        Function {
            name: "moved",
            params: &[
                param("figure", Type::Object("Figure")),
                param("degrees", Type::Number),
                opt("way", Type::Vector),
            ],
            returns: "Pose",
            doc: "Returns the pose of the figure at another place: first rotated to the left around the model's origin \
                  by an angle in `degrees`, then moved by the vector `way`, metres.",
            example: EXAMPLE_OF_MOVED,
            call: moved,
        },
    ],
    properties: &[],
};

const EXAMPLE_OF_MOVED: &str = "local v = vector.create\n\
    local woman = figure(bones {\n\
    \t{ \"hips\", false, v(0, 0.93, 0) }, { \"chest\", \"hips\", v(0, 1.165, 0) }, { \"head\", \"chest\", v(0, 1.5, 0) },\n\
    \t{ \"left_upper_arm\", \"chest\", v(0.158, 1.385, 0) }, { \"left_lower_arm\", \"left_upper_arm\", v(0.35, 1.19, 0) },\n\
    \t{ \"left_hand\", \"left_lower_arm\", v(0.52, 1.02, 0) }, { \"left_upper_leg\", \"hips\", v(0.088, 0.895, 0) },\n\
    \t{ \"left_lower_leg\", \"left_upper_leg\", v(0.092, 0.487, 0.01) }, { \"left_foot\", \"left_lower_leg\", v(0.092, 0.082, -0.014) },\n})\n\
    local round = pose { arms = { out = 9 } }:moved(woman, 90)";

/// Rows of a table of poses: time, pose, and the rest of the row.
pub(super) fn rows(table: &Table) -> mlua::Result<Vec<(f32, FigurePose, Table)>> {
    let mut rows: Vec<(f32, FigurePose, Table)> = Vec::new();
    for (i, row) in table.sequence_values::<Value>().enumerate() {
        let row = row?;
        let Value::Table(row) = row else {
            return Err(wrong(format!(
                "keys: row {}: expected {{ seconds, pose }}",
                i + 1
            )));
        };
        let t = number(&row.raw_get(1)?).ok_or_else(|| {
            wrong(format!(
                "keys: row {}: the first value must be the time in seconds",
                i + 1
            ))
        })? as f32;
        if rows.last().is_some_and(|last| last.0 >= t) {
            return Err(wrong(format!(
                "keys: times must be ascending; the row at {t} s does not come after the previous one"
            )));
        }
        let pose = read(&row.raw_get(2)?).map_err(|why| {
            let why = match &why {
                mlua::Error::RuntimeError(text) => text.clone(),
                other => other.to_string(),
            };
            wrong(format!("keys: at {t} s: {why}"))
        })?;
        rows.push((t, pose, row));
    }
    if rows.is_empty() {
        return Err(wrong("keys: expected rows { seconds, pose }"));
    }
    Ok(rows)
}
