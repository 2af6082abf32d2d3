//! Motions of a state besides a single clip: lists and blends.

use mlua::{Lua, Value};

use super::arguments::{check_texts, options, table_argument};
use super::machine_handles::{ScriptedPiece, motion};
use super::piece::{PIECE, Piece};
use super::sizes::{MAX_CLIPS, check_leaves};
use crate::api::check::{Args, OptionValue, Type, describe, number, text};
use crate::words;
use galatea_derive::Options;
use galatea_machine::{BlendDef, ListDef, MotionDef, PointContent, PointDef, SpaceDef, SyncBy};

/// Settings of a list of clips, each a name or { name, chance }.
#[derive(Options)]
#[option(entries = Type::OneOf(&[Type::Text, Type::Table("{ string | number }")]))]
pub(super) struct ClipListOptions {
    /// Length of the cross-fade from one clip to the next.
    #[option(default = 0.2, unit = "seconds", clamp = 0.0..=60.0)]
    fade: f32,
    /// True allows the same clip twice in a row.
    #[option(default = false)]
    allow_repeat: bool,
}

pub(super) fn random_clips(lua: &Lua, args: Args) -> mlua::Result<Value> {
    list(lua, &args, "random_clips", true)
}

pub(super) fn sequence(lua: &Lua, args: Args) -> mlua::Result<Value> {
    list(lua, &args, "sequence", false)
}

fn list(lua: &Lua, args: &Args, what: &'static str, random: bool) -> mlua::Result<Value> {
    let table = table_argument(args, what)?;
    check_texts(what, &table)?;
    let ClipListOptions { fade, allow_repeat } = args.options(0)?;
    let wrong = |entry: &Value| {
        mlua::Error::runtime(format!(
            "{what}: expected a clip, or {{ clip, chance }}, got {}",
            describe(entry)
        ))
    };
    let mut clips = Vec::new();
    for entry in table.sequence_values::<Value>() {
        let entry = entry?;
        if clips.len() == MAX_CLIPS {
            return Err(mlua::Error::runtime(format!(
                "{what}: a list can have at most {MAX_CLIPS} clips"
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
            repeat: allow_repeat,
            fade,
        }),
    )
}

words!(SyncBy {
    "feet" => SyncBy::FootSteps,
    "phase" => SyncBy::Phase,
    "free" => SyncBy::Free,
});

/// Synchronisation of the clips of a blend.
#[derive(Options)]
struct BlendOptions {
    /// How the clips are synchronised: "feet" makes their footsteps coincide, "phase" makes their starts and ends
    /// coincide, "free" does nothing.
    #[option(default = SyncBy::FootSteps, default_doc = "\"feet\", if the clips have step markers")]
    sync: SyncBy,
    /// True changes the playback speed so that the character walks at the speed that the parameters give, in metres per
    /// second. So the feet do not slide.
    #[option(default = false)]
    match_speed: bool,
}

/// Settings of a blend along one parameter; its list holds points { value, clip } and clips.
#[derive(Options)]
#[option(entries = POINT)]
pub(super) struct Blend1dOptions {
    /// Name of the parameter that selects the blend.
    param: String,
    #[option(flatten)]
    blend: BlendOptions,
}

/// Settings of a blend over two parameters; its list holds points { x, y, clip } and clips.
#[derive(Options)]
#[option(entries = POINT)]
pub(super) struct Blend2dOptions {
    /// Name of the parameter for the first number of the points.
    x: String,
    /// Name of the parameter for the second number of the points.
    y: String,
    #[option(flatten)]
    blend: BlendOptions,
}

/// A point of a blend.
const POINT: Type = Type::OneOf(&[Type::Text, BlendPointOptions::TYPE]);

/// A point of a blend: its position, then a clip or a blend.
#[derive(Options)]
#[option(entries = Type::OneOf(&[Type::Number, Type::Text, PIECE]))]
struct BlendPointOptions {
    /// Factor on the playback speed of this clip.
    #[option(default = 1.0, clamp = 0.01..=100.0)]
    speed: f32,
}

pub(super) fn blend1d(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let Blend1dOptions {
        param: by,
        blend: options,
    } = args.options(0)?;
    blend(lua, "blend1d", SpaceDef::Line(by), &options, &args)
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
    what: &str,
    space: fn(String, String) -> SpaceDef,
) -> mlua::Result<Value> {
    let Blend2dOptions {
        x,
        y,
        blend: options,
    } = args.options(0)?;
    blend(lua, what, space(x, y), &options, args)
}

fn blend(
    lua: &Lua,
    what: &str,
    space: SpaceDef,
    options: &BlendOptions,
    args: &Args,
) -> mlua::Result<Value> {
    let table = table_argument(args, what)?;
    check_texts(what, &table)?;
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
            sync: options.sync,
            match_speed: options.match_speed,
        }),
    )
}

/// Reads a point of a blend; adds to `n`, the number of clips of the blend.
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
            position: None,
            content: PointContent::Clip(name),
            speed: 1.0,
        });
    }
    let table = entry.as_table().ok_or_else(wrong)?;
    let BlendPointOptions { speed } = options(what, table)?;
    let mut place = [0.0; 2];
    for (i, axis) in place.iter_mut().enumerate().take(axes) {
        *axis = number(&table.raw_get::<Value>(i + 1)?)
            .filter(|n| (*n as f32).is_finite())
            .ok_or_else(wrong)? as f32;
    }
    let shown: Value = table.raw_get(axes + 1)?;
    let inner = shown
        .as_userdata()
        .and_then(|data| data.borrow::<ScriptedPiece>().ok());
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
    Ok(PointDef {
        position: Some(place),
        content,
        speed,
    })
}
