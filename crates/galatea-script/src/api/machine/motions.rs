//! What a state plays beside a single clip: lists and blends.

use mlua::{Lua, Table, Value};

use super::sizes::check_leaves;
use super::{Held, MOST_CLIPS, Piece, check_keys, motion, table_argument};
use crate::api::check::{Args, Field, Fields, Type, describe, number, text};
use galatea_machine::{BlendDef, ListDef, MotionDef, PointContent, PointDef, SpaceDef, SyncBy};

const LIST_FIELDS: &[Field] = &[
    Field::new(
        "fade",
        Type::Number,
        "seconds of cross-fade from one clip to the next; 0.2",
    ),
    Field::new(
        "repeat",
        Type::Bool,
        "the same clip may come twice in a row; false",
    ),
];

pub(super) fn random(lua: &Lua, args: Args) -> mlua::Result<Value> {
    list(lua, &args, "random", true)
}

pub(super) fn sequence(lua: &Lua, args: Args) -> mlua::Result<Value> {
    list(lua, &args, "sequence", false)
}

fn list(lua: &Lua, args: &Args, what: &'static str, random: bool) -> mlua::Result<Value> {
    let table = table_argument(args, what)?;
    check_keys(what, LIST_FIELDS, true, &table)?;
    let fields = Fields(Some(table.clone()));
    let wrong = |entry: &Value| {
        mlua::Error::runtime(format!(
            "{what}: expected a clip, or {{ clip, chance }}, got {}",
            describe(entry)
        ))
    };
    let mut clips = Vec::new();
    for entry in table.sequence_values::<Value>() {
        let entry = entry?;
        if clips.len() == MOST_CLIPS {
            return Err(mlua::Error::runtime(format!(
                "{what}: a list may have {MOST_CLIPS} clips"
            )));
        }
        if let Some(name) = text(&entry) {
            clips.push((name, 1.0));
            continue;
        }
        let pair = entry.as_table().ok_or_else(|| wrong(&entry))?;
        let name = text(&pair.raw_get::<Value>(1)?).ok_or_else(|| wrong(&entry))?;
        let chance = number(&pair.raw_get::<Value>(2)?)
            .filter(|chance| *chance > 0.0 && chance.is_finite())
            .ok_or_else(|| wrong(&entry))?;
        clips.push((name, chance as f32));
    }
    motion(
        lua,
        MotionDef::List(ListDef {
            clips,
            random,
            repeat: fields.bool("repeat").unwrap_or(false),
            fade: fields.number("fade").unwrap_or(0.2).clamp(0.0, 60.0) as f32,
        }),
    )
}

const SYNC: Field = Field::new(
    "sync",
    Type::Word(&["feet", "phase", "free"]),
    "how the clips keep step; feet, where they have step marks",
);

const MATCH_SPEED: Field = Field::new(
    "match_speed",
    Type::Bool,
    "clips play so fast that their feet cover the parameters' metres per second; false",
);

const LINE_FIELDS: &[Field] = &[
    Field::new("by", Type::Text, "the parameter"),
    SYNC,
    MATCH_SPEED,
];

const PLANE_FIELDS: &[Field] = &[
    Field::new("x", Type::Text, "the parameter of the first axis"),
    Field::new("y", Type::Text, "the parameter of the second axis"),
    SYNC,
    MATCH_SPEED,
];

pub(super) fn blend1d(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let table = table_argument(&args, "blend1d")?;
    check_keys("blend1d", LINE_FIELDS, true, &table)?;
    let fields = Fields(Some(table.clone()));
    let by = required(&fields, "by", "blend1d")?;
    blend(lua, "blend1d", SpaceDef::Line(by), &fields, &table)
}

pub(super) fn blend2d(lua: &Lua, args: Args) -> mlua::Result<Value> {
    plane(lua, &args, "blend2d", SpaceDef::Plane)
}

pub(super) fn blend_polar(lua: &Lua, args: Args) -> mlua::Result<Value> {
    plane(lua, &args, "blend_polar", SpaceDef::Polar)
}

fn plane(
    lua: &Lua,
    args: &Args,
    what: &'static str,
    space: fn(String, String) -> SpaceDef,
) -> mlua::Result<Value> {
    let table = table_argument(args, what)?;
    check_keys(what, PLANE_FIELDS, true, &table)?;
    let fields = Fields(Some(table.clone()));
    let (x, y) = (required(&fields, "x", what)?, required(&fields, "y", what)?);
    blend(lua, what, space(x, y), &fields, &table)
}

fn required(fields: &Fields, name: &str, what: &str) -> mlua::Result<String> {
    fields
        .text(name)
        .ok_or_else(|| mlua::Error::runtime(format!("{what}: {name} names the parameter")))
}

fn blend(
    lua: &Lua,
    what: &str,
    space: SpaceDef,
    fields: &Fields,
    table: &Table,
) -> mlua::Result<Value> {
    let axes = match space {
        SpaceDef::Line(_) => 1,
        _ => 2,
    };
    let (mut points, mut n) = (Vec::new(), 0);
    for entry in table.sequence_values::<Value>() {
        points.push(point(what, axes, &mut n, &entry?)?);
    }
    motion(
        lua,
        MotionDef::Blend(BlendDef {
            space,
            points,
            sync: match fields.text("sync").as_deref() {
                Some("phase") => SyncBy::Phase,
                Some("free") => SyncBy::Free,
                _ => SyncBy::Feet,
            },
            match_speed: fields.bool("match_speed").unwrap_or(false),
        }),
    )
}

const POINT_FIELDS: &[Field] = &[Field::new(
    "speed",
    Type::Number,
    "factor on the clip's speed; 1",
)];

/// `n` counts the clips of the blend.
fn point(what: &str, axes: usize, n: &mut usize, entry: &Value) -> mlua::Result<PointDef> {
    let wrong = || {
        let shape = if axes == 1 {
            "{ number, \"clip\" }"
        } else {
            "{ x, y, \"clip\" }"
        };
        mlua::Error::runtime(format!(
            "{what}: expected {shape} or a clip, got {}",
            describe(entry)
        ))
    };
    if let Some(name) = text(entry) {
        *n = check_leaves(what, *n, None)?;
        return Ok(PointDef {
            place: None,
            content: PointContent::Clip(name),
            speed: 1.0,
        });
    }
    let table = entry.as_table().ok_or_else(wrong)?;
    check_keys(what, POINT_FIELDS, true, table)?;
    let mut place = [0.0; 2];
    for (i, axis) in place.iter_mut().enumerate().take(axes) {
        *axis = number(&table.raw_get::<Value>(i + 1)?)
            .filter(|n| (*n as f32).is_finite())
            .ok_or_else(wrong)? as f32;
    }
    let shown: Value = table.raw_get(axes + 1)?;
    let inner = shown
        .as_userdata()
        .and_then(|data| data.borrow::<Held>().ok());
    let content = match (text(&shown), inner.as_ref().map(|held| &held.piece)) {
        (Some(name), _) => {
            *n = check_leaves(what, *n, None)?;
            PointContent::Clip(name)
        }
        (None, Some(Piece::Motion(MotionDef::Blend(inner)))) => {
            *n = check_leaves(what, *n, Some(inner))?;
            PointContent::Blend(inner.clone())
        }
        _ => return Err(wrong()),
    };
    let speed = number(&table.raw_get::<Value>("speed")?).unwrap_or(1.0);
    Ok(PointDef {
        place: Some(place),
        content,
        speed: speed.clamp(0.01, 100.0) as f32,
    })
}
