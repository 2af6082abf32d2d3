//! `clip { … }`: motion in recipes.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Quat, Vec3};
use mlua::{Function as LuaFunction, Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::figure::FigureRef;
use super::{gate, pose, wrong};
use galatea_anim::{Marker, Markers};
use galatea_derive::Options;
use galatea_forge::motion::bake::{BakeMode, Take, TakeBone, times};
use galatea_forge::motion::curve::{KeyEase, MonotoneCurve};
use galatea_forge::motion::turn;
use galatea_math::clamp::ClampTo as _;
use galatea_script::toolkit::{
    Args, Function, Group, Kind, OptionValue, Options, Param, Property, Type, add_object,
    add_properties, describe, lua_number, marker_fields, number, object, text, vector,
};

/// A clip object of a recipe.
#[derive(Clone)]
pub(super) struct RecipeClip(pub Arc<Take>);

impl UserData for RecipeClip {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// Limit of a clip's duration in seconds, and of its keys per second.
const MAX_SECONDS: f64 = 600.0;
const MAX_RATE: f64 = 240.0;
/// Default limit of the sliding of planted feet, metres.
const SLIDE: f32 = 0.01;

/// Options of a clip.
#[derive(Options)]
#[option(name = "ClipOptions")]
struct RecipeClipOptions {
    /// Name.
    name: String,
    /// Figure for the poses that `at` returns. Without a figure, `at` returns bones.
    figure: Option<FigureRef>,
    /// Duration.
    #[option(unit = "seconds", range = 0.01..=MAX_SECONDS)]
    seconds: f32,
    /// Function that gets a time in seconds. With a figure, it returns a pose. Without one, it returns the bones that
    /// move: { tail = { turn = vector, at = vector } }. `turn` is the rotation from rest in degrees (pitch, yaw, roll),
    /// `at` the offset from rest in metres.
    #[option(ty = Type::Function("(t: number) -> Pose | { [string]: { turn: vector?, at: vector? } | vector }"))]
    at: Option<LuaFunction>,
    /// With a figure: function for the motion of further bones, such as a tail. It returns bones as `at` does without a
    /// figure. It replaces the motion that the figure gives to these bones.
    #[option(ty = Type::Function("(t: number) -> { [string]: { turn: vector?, at: vector? } | vector }"))]
    bones: Option<LuaFunction>,
    /// Weights of morph targets, by the name of the target. Each is a function that gets a time in seconds and returns
    /// a weight, or a list of rows { { seconds, weight }, … }.
    #[option(ty = Type::Table("{ [string]: ((t: number) -> number) | { { number } } }"))]
    morphs: Option<Table>,
    /// True makes a clip that loops. Its end must be the same pose as its start, otherwise there is an error.
    #[option(default = false)]
    r#loop: bool,
    /// Number of keys per second. Keys that interpolation between their neighbours reproduces are removed.
    #[option(default = 30.0, range = 1.0..=MAX_RATE)]
    rate: f32,
    /// Speed over the ground, with which feet on the ground must move. It is a number (forwards), a vector, or a
    /// function that gets a time in seconds and returns one of these.
    #[option(default_doc = "0", unit = "metres per second", ty = Type::OneOf(&[
        Type::Number,
        Type::Vector,
        Type::Function("(t: number) -> number | vector"),
    ]))]
    speed: Option<Value>,
    /// Maximum distance that a foot on the ground may slide. False means no limit.
    #[option(default_doc = "0.01", unit = "metres", ty = Type::OneOf(&[Type::Number, Type::Bool]))]
    slide: Option<Value>,
    /// Markers (named moments that emit events), as a list: { { seconds, "name", foot = "left" }, … }. With `duration`,
    /// a marker is an interval that lasts so many seconds. Other fields are passed to the listeners.
    #[option(ty = Type::Table("{ { [any]: any } }"))]
    markers: Option<Table>,
}

fn make(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: RecipeClipOptions = args.options(0)?;
    let name = options.name;
    let of = |why: String| wrong(format!("clip {name:?}: {why}"));
    let (seconds, round) = (options.seconds, options.r#loop);
    let times = times(seconds, options.rate);
    let mut take = match (&options.figure, options.at) {
        (Some(figure), Some(at)) => {
            let mut poses = Vec::with_capacity(times.len());
            for t in &times {
                let value = gate::call_one(lua, &at, *t)?;
                let pose = pose::read(&value)
                    .map_err(|why| of(format!("at {t:.3} s: {}", message_of(&why))))?;
                poses.push(pose);
            }
            let slide = match options.slide {
                Some(Value::Boolean(false)) => None,
                value => Some(value.as_ref().and_then(number).map_or(SLIDE, |n| n as f32)),
            };
            let figure = &figure.0;
            let ground = ground(
                lua,
                options.speed.unwrap_or(Value::Nil),
                seconds,
                figure.scale,
            )?;
            let manner = BakeMode {
                round,
                slide,
                ground: &ground,
            };
            Take::of_figure(figure, &name, times.clone(), &poses, manner).map_err(of)?
        }
        (Some(_), None) => return Err(of("a figure needs `at`, a function of seconds".into())),
        (None, at) => {
            let mut take = Take {
                name: name.clone(),
                times: times.clone(),
                ..Take::default()
            };
            if let Some(at) = at {
                take.bones = bones(lua, &times, &at).map_err(|why| passed(why, &name))?;
            }
            take
        }
    };
    if let Some(more) = options.bones {
        let more = bones(lua, &times, &more).map_err(|why| passed(why, &name))?;
        take.bones
            .retain(|own| more.iter().all(|new| new.name != own.name));
        take.bones.extend(more);
    }
    if round && options.figure.is_none() {
        close_loop(&mut take).map_err(of)?;
    }
    take.morphs = morphs(lua, options.morphs, &times).map_err(|why| passed(why, &name))?;
    take.markers = markers(options.markers, seconds).map_err(of)?;
    Markers::new(take.markers.clone(), seconds).map_err(|many| of(many.to_string()))?;
    lua.create_userdata(RecipeClip(Arc::new(take)))
        .map(Value::UserData)
}

/// Message of one of our errors; errors of the script contain their location.
pub(super) fn message_of(error: &mlua::Error) -> String {
    match error {
        mlua::Error::RuntimeError(text) => text.clone(),
        other => other.to_string(),
    }
}

fn passed(error: mlua::Error, name: &str) -> mlua::Error {
    match error {
        mlua::Error::RuntimeError(text) => wrong(format!("clip {name:?}: {text}")),
        other => other,
    }
}

/// Displacement of the ground under the figure at a time, from its speed.
fn ground(
    lua: &Lua,
    speed: Value,
    seconds: f32,
    scale: f32,
) -> mlua::Result<impl Fn(f32) -> Vec3 + use<>> {
    const PER_SECOND: f32 = 480.0;
    let velocity = |t: f32| -> mlua::Result<Vec3> {
        let value = match &speed {
            Value::Function(function) => gate::call_one(lua, function, t)?,
            other => other.clone(),
        };
        let ahead = number(&value).map(|n| Vec3::Z * n as f32);
        match vector(&value).or(ahead) {
            Some(velocity) => Ok(velocity * scale),
            None if value.is_nil() => Ok(Vec3::ZERO),
            None => Err(wrong(format!(
                "clip: speed: expected metres per second, got {}",
                describe(&value)
            ))),
        }
    };
    let n = (seconds * PER_SECOND).ceil().max(1.0) as usize;
    let step = seconds / n as f32;
    let mut positions = vec![Vec3::ZERO];
    let mut before = velocity(0.0)?;
    for i in 1..=n {
        let here = velocity(i as f32 * step)?;
        let last = positions[i - 1];
        positions.push(last - (before + here) * 0.5 * step);
        before = here;
    }
    Ok(move |t: f32| {
        let place = (t / step).clamp_to(0.0, n as f32);
        let i = (place as usize).min(n - 1);
        positions[i].lerp(positions[i + 1], place - i as f32)
    })
}

/// Tracks of bones from a function of seconds.
fn bones(lua: &Lua, times: &[f32], at: &LuaFunction) -> mlua::Result<Vec<TakeBone>> {
    let n = times.len();
    let mut all: BTreeMap<String, TakeBone> = BTreeMap::new();
    for (i, t) in times.iter().enumerate() {
        let value = gate::call_one(lua, at, *t)?;
        let Value::Table(table) = value else {
            return Err(wrong(format!(
                "at {t:.3} s: expected {{ bone = {{ turn = degrees }} }}, got {}",
                describe(&value)
            )));
        };
        for pair in table.pairs::<Value, Value>() {
            let (key, value) = pair?;
            let name = text(&key)
                .ok_or_else(|| wrong(format!("at {t:.3} s: expected bone names as keys")))?;
            let (at, turned) =
                moved(&value).map_err(|why| wrong(format!("at {t:.3} s: {name}: {why}")))?;
            if !all.contains_key(&name) {
                gate::charge_memory(lua, n, size_of::<(Vec3, Quat)>())?;
            }
            let own = all.entry(name.clone()).or_insert_with(|| TakeBone {
                name,
                ..TakeBone::default()
            });
            if let Some(at) = at {
                own.at.get_or_insert_with(|| vec![Vec3::ZERO; n])[i] = at;
            }
            if let Some(turned) = turned {
                let turns = own.turn.get_or_insert_with(|| vec![Quat::IDENTITY; n]);
                let near = i > 0 && turns[i - 1].dot(turned) < 0.0;
                turns[i] = if near { -turned } else { turned };
            }
        }
    }
    Ok(all.into_values().collect())
}

/// Movement of a bone relative to its rest pose.
#[derive(Options)]
struct BoneMotion {
    /// Pitch, yaw and roll, degrees.
    #[option(unit = "degrees")]
    turn: Option<Vec3>,
    /// Offset.
    #[option(unit = "metres")]
    at: Option<Vec3>,
}

fn moved(value: &Value) -> Result<(Option<Vec3>, Option<Quat>), String> {
    const WRONG: &str = "expected { turn = degrees, at = metres }";
    if let Some(degrees) = vector(value) {
        return Ok((None, Some(turn(degrees))));
    }
    if !value.is_table() {
        return Err(format!("{WRONG}, got {}", describe(value)));
    }
    BoneMotion::TYPE.check(value)?;
    let motion = BoneMotion::from_value(value.clone())?;
    Ok((motion.at, motion.turn.map(turn)))
}

/// Makes the end of a looping clip equal its start.
fn close_loop(take: &mut Take) -> Result<(), String> {
    for own in &mut take.bones {
        if let Some(at) = &mut own.at {
            let (first, last) = (at[0], at.len() - 1);
            let off = at[last].distance(first);
            if off > 0.01 {
                return Err(format!(
                    "the loop is not closed: {} ends {:.1} cm from its start",
                    own.name,
                    off * 100.0
                ));
            }
            at[last] = first;
        }
        if let Some(turns) = &mut own.turn {
            let (first, last) = (turns[0], turns.len() - 1);
            let off = 2.0 * turns[last].dot(first).abs().min(1.0).acos();
            if off > 0.03 {
                return Err(format!(
                    "the loop is not closed: {} ends {:.1} degrees from its start",
                    own.name,
                    off.to_degrees()
                ));
            }
            let sign = if turns[last].dot(first) < 0.0 {
                -1.0
            } else {
                1.0
            };
            turns[last] = first * sign;
        }
    }
    Ok(())
}

fn morphs(lua: &Lua, table: Option<Table>, times: &[f32]) -> mlua::Result<Vec<(String, Vec<f32>)>> {
    let mut out = Vec::new();
    let Some(table) = table else {
        return Ok(out);
    };
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let name =
            text(&key).ok_or_else(|| wrong("morphs: expected morph target names as keys"))?;
        gate::charge_memory(lua, times.len(), size_of::<f32>())?;
        let weights = match &value {
            Value::Function(function) => {
                let mut weights = Vec::with_capacity(times.len());
                for t in times {
                    let value = gate::call_one(lua, function, *t)?;
                    let weight = number(&value).ok_or_else(|| {
                        wrong(format!(
                            "morphs: {name}: expected a weight, got {}",
                            describe(&value)
                        ))
                    })?;
                    weights.push(weight as f32);
                }
                weights
            }
            Value::Table(rows) => {
                let mut points: Vec<(f32, f32, KeyEase)> = Vec::new();
                for row in rows.sequence_values::<Table>() {
                    let row = row?;
                    let n = |i: usize| number(&row.raw_get(i).unwrap_or(Value::Nil));
                    match (n(1), n(2)) {
                        (Some(t), Some(weight))
                            if points.last().is_none_or(|last| last.0 < t as f32) =>
                        {
                            points.push((t as f32, weight as f32, KeyEase::Flow));
                        }
                        _ => {
                            return Err(wrong(format!(
                                "morphs: {name}: expected rows {{ seconds, weight }} with ascending times"
                            )));
                        }
                    }
                }
                let curve = MonotoneCurve::new(&points, None);
                times.iter().map(|t| curve.at(*t)).collect()
            }
            other => {
                return Err(wrong(format!(
                    "morphs: {name}: expected a function or rows, got {}",
                    describe(other)
                )));
            }
        };
        out.push((name, weights));
    }
    out.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(out)
}

fn markers(table: Option<Table>, seconds: f32) -> Result<Vec<Marker>, String> {
    let mut marks = Vec::new();
    let Some(table) = table else {
        return Ok(marks);
    };
    for row in table.sequence_values::<Value>() {
        let wrong = "markers: expected { seconds, \"name\", field = … }";
        let Ok(Value::Table(row)) = row else {
            return Err(wrong.into());
        };
        let t = number(&row.raw_get(1).unwrap_or(Value::Nil)).ok_or(wrong)? as f32;
        let event = text(&row.raw_get(2).unwrap_or(Value::Nil)).ok_or(wrong)?;
        if !(0.0..=seconds).contains(&t) {
            return Err(format!(
                "marker {event:?}: {t} s is not between 0 and {seconds} s"
            ));
        }
        let (length, fields) =
            marker_fields(&row).map_err(|why| format!("marker {event:?}: {why}"))?;
        marks.push(Marker {
            time: t,
            duration: length,
            event,
            fields,
        });
    }
    marks.sort_by(|a, b| a.time.total_cmp(&b.time));
    Ok(marks)
}

/// Clips of a list and of nested lists.
pub(super) fn clips_of(value: &Value) -> mlua::Result<Vec<RecipeClip>> {
    let mut out: Vec<RecipeClip> = Vec::new();
    gather(value, &mut out)?;
    for (i, clip) in out.iter().enumerate() {
        if out[..i].iter().any(|own| own.0.name == clip.0.name) {
            return Err(wrong(format!(
                "model: two clips have the name {:?}",
                clip.0.name
            )));
        }
    }
    Ok(out)
}

fn gather(value: &Value, out: &mut Vec<RecipeClip>) -> mlua::Result<()> {
    if let Some(clip) = object::<RecipeClip>(value) {
        out.push(clip);
        return Ok(());
    }
    match value {
        Value::Nil => Ok(()),
        Value::Table(table) => {
            let mut list = table.sequence_values::<Value>();
            list.try_for_each(|value| gather(&value?, out))
        }
        other => Err(wrong(format!(
            "model: expected a list of clips, got {}",
            describe(other)
        ))),
    }
}

fn own(args: &Args) -> mlua::Result<RecipeClip> {
    let own = args.object::<RecipeClip>(0);
    own.ok_or_else(|| wrong("expected a Clip"))
}

fn slide(_: &Lua, args: Args) -> mlua::Result<Value> {
    Ok(lua_number(own(&args)?.0.contacts.slide.0))
}

fn name(lua: &Lua, args: Args) -> mlua::Result<Value> {
    lua.create_string(&own(&args)?.0.name).map(Value::String)
}

const EXAMPLE: &str = "local tail = clip {\n\
    \tname = \"wag\", seconds = 1, loop = true,\n\
    \tat = function(t) return { tail = { turn = vector.create(0, 25 * wave(t), 0) } } end,\n\
    \tmarkers = { { 0.5, \"left\" } },\n}";

pub(super) const CLIP: Function = Function {
    name: "clip",
    params: &[Param {
        name: "options",
        ty: Type::Options(RecipeClipOptions::SHAPE),
        optional: false,
    }],
    returns: "Clip",
    doc: "Makes a clip. With a `figure`, the function `at` returns poses, and the feet are checked: a foot on the \
          ground must move backwards with the ground, at `speed`. If a foot slides, an error names the foot, the time \
          and the distance. Figures move in place; only the field `root` of a pose moves them.",
    example: EXAMPLE,
    call: make,
};

pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Clip",
    doc: "A clip, made by `clip`, for the option `clips` of `model`.",
    functions: &[],
    properties: &[
        Property {
            name: "name",
            ty: "string",
            doc: "Name.",
            get: name,
            set: None,
        },
        Property {
            name: "slide",
            ty: "number",
            doc: "Greatest distance that a foot on the ground slides in the clip, metres.",
            get: slide,
            set: None,
        },
    ],
};
