//! Building blocks of motion in recipes: key poses, curves, waves and gaits.

use std::sync::Arc;

use glam::Vec3;
use mlua::{Lua, Table, Value};

use super::{gate, param, pose, wrong};
use galatea_derive::Options;
use galatea_forge::motion::curve::{KeyEase, MonotoneCurve, drift, wave};
use galatea_forge::motion::gait::{Gait, SwingKey};
use galatea_forge::motion::keys::{PoseKeys, parts};
use galatea_math::names::nearest_hint;
use galatea_script::toolkit::{
    Args, Function, Options, Param, Type, lua_number, lua_vector, number, text, vector,
};

const EASES: [(&str, KeyEase); 5] = [
    ("flow", KeyEase::Flow),
    ("stop", KeyEase::Stop),
    ("hit", KeyEase::Hit),
    ("go", KeyEase::Go),
    ("line", KeyEase::Line),
];

fn ease(what: &str, row: &Table) -> mlua::Result<KeyEase> {
    let Some(word) = text(&row.raw_get("ease")?) else {
        return Ok(KeyEase::Flow);
    };
    let found = EASES.iter().find(|own| own.0 == word);
    found.map(|own| own.1).ok_or_else(|| {
        let hint = nearest_hint(&word, EASES.iter().map(|own| own.0));
        wrong(format!("{what}: unknown ease {word:?}{hint}"))
    })
}

/// Period of a looping curve.
fn lap(what: &str, table: &Table, last: f32) -> mlua::Result<Option<f32>> {
    match table.raw_get("round")? {
        Value::Nil => Ok(None),
        value => match number(&value).map(|n| n as f32) {
            Some(lap) if lap > 0.0 && lap >= last => Ok(Some(lap)),
            _ => Err(wrong(format!(
                "{what}: round must be a period of at least {last}"
            ))),
        },
    }
}

/// Checks that a table has no names other than these besides its rows.
fn check_names(what: &str, table: &Table, names: &[&str]) -> mlua::Result<()> {
    for pair in table.pairs::<Value, Value>() {
        let Some(name) = text(&pair?.0) else { continue };
        if !names.contains(&name.as_str()) {
            let hint = nearest_hint(&name, names.iter().copied());
            return Err(wrong(format!("{what}: unknown field {name:?}{hint}")));
        }
    }
    Ok(())
}

fn keys(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let table = args.table(0).ok_or_else(|| wrong("keys: expected rows"))?;
    check_names("keys", &table, &["late", "round"])?;
    let rows = pose::rows(&table)?;
    let last = rows.last().map_or(0.0, |row| row.0);
    let lap = lap("keys", &table, last)?;
    let mut late = Vec::new();
    if let Value::Table(given) = table.raw_get("late")? {
        for pair in given.pairs::<Value, Value>() {
            let (part, seconds) = pair?;
            let part = text(&part).unwrap_or_default();
            if !parts().any(|own| own == part) {
                let hint = nearest_hint(&part, parts());
                return Err(wrong(format!(
                    "keys: late: unknown body part {part:?}{hint}"
                )));
            }
            let seconds = number(&seconds)
                .ok_or_else(|| wrong(format!("keys: late: {part}: expected seconds")))?;
            late.push((part, seconds as f32));
        }
    }
    let mut eased = Vec::new();
    for (t, pose, row) in rows {
        eased.push((t, pose, ease("keys", &row)?));
    }
    let keys = PoseKeys::new(&eased, &late, lap).map_err(|why| wrong(format!("keys: {why}")))?;
    let keys = Arc::new(keys);
    let at =
        lua.create_function(move |lua, t: f64| pose::value(lua, keys.at(gate::time("keys", t)?)))?;
    Ok(Value::Function(at))
}

pub(super) const KEYS: Function = Function {
    name: "keys",
    params: &[param(
        "rows",
        Type::Table("{ [number]: { any }, late: { [string]: number }?, round: number? }"),
    )],
    returns: "(number) -> Pose",
    doc: "Makes a movement through key poses. Returns a function that gets a time in seconds and returns the pose at \
          this time. A row is { seconds, pose, ease = \"flow\" }. A value is interpolated smoothly between the rows \
          that set it. `ease` says how the body passes the key: \"flow\" (smooth), \"stop\" (rests there), \"hit\" \
          (arrives fast, then rests), \"go\" (rests, then leaves fast) or \"line\" (linear). Two fields may follow the \
          rows. `late = { head = 0.06, hands = 0.08 }` delays parts of the body, in seconds; the parts are hips, \
          pelvis, chest, head, eyes, shoulders, arms, forearms, hands and fingers. `round = 2` makes a loop that lasts \
          2 seconds.",
    example: "local nods = keys {\n\t{ 0, { head = vector.zero } },\n\t{ 0.2, { head = vector.create(14, 0, 0) }, ease = \"hit\" },\n\t{ 0.6, { head = vector.zero } },\n}\n\
              local low = nods(0.2)",
    call: keys,
};

fn curve(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let table = args.table(0).ok_or_else(|| wrong("curve: expected rows"))?;
    check_names("curve", &table, &["round"])?;
    let mut rows: Vec<(f32, Vec3, KeyEase)> = Vec::new();
    let mut one = true;
    for row in table.sequence_values::<Table>() {
        let row = row.map_err(|_| wrong("curve: expected rows { time, value }"))?;
        let t = number(&row.raw_get(1)?).map(|t| t as f32);
        let value: Value = row.raw_get(2)?;
        let own = vector(&value).or_else(|| number(&value).map(|n| Vec3::splat(n as f32)));
        let (Some(t), Some(own)) = (t, own) else {
            return Err(wrong("curve: expected a row { time, number or vector }"));
        };
        if rows.last().is_some_and(|last| last.0 >= t) {
            return Err(wrong(format!(
                "curve: times must be ascending; the row at {t} does not come after the previous one"
            )));
        }
        one &= number(&value).is_some();
        rows.push((t, own, ease("curve", &row)?));
    }
    let last = rows
        .last()
        .ok_or_else(|| wrong("curve: expected rows { time, value }"))?
        .0;
    let lap = lap("curve", &table, last)?;
    let axes: [MonotoneCurve; 3] = std::array::from_fn(|k| {
        let own: Vec<(f32, f32, KeyEase)> =
            rows.iter().map(|row| (row.0, row.1[k], row.2)).collect();
        MonotoneCurve::new(&own, lap)
    });
    let at = lua.create_function(move |_, t: f64| {
        let t = gate::time("curve", t)?;
        Ok(if one {
            lua_number(axes[0].at(t))
        } else {
            lua_vector(Vec3::from_array(std::array::from_fn(|k| axes[k].at(t))))
        })
    })?;
    Ok(Value::Function(at))
}

pub(super) const CURVE: Function = Function {
    name: "curve",
    params: &[param(
        "rows",
        Type::Table("{ [number]: { any }, late: { [string]: number }?, round: number? }"),
    )],
    returns: "(number) -> number",
    doc: "Makes a smooth curve through numbers or vectors. Returns a function that gets a time and returns the value at \
          this time. A row is { time, value, ease = \"flow\" }, with `ease` as in `keys`. The curve is flat at both \
          ends; with `round`, it is a loop of this duration.",
    example: "local up = curve { { 0, 0 }, { 0.4, 1 }, { 1, 0 } }\nprint(up(0.2))",
    call: curve,
};

fn waves(_: &Lua, args: Args) -> mlua::Result<Value> {
    let u = args.number(0).unwrap_or(0.0) as f32;
    let peak = args.number(1).unwrap_or(0.0) as f32;
    Ok(lua_number(wave(u, peak)))
}

pub(super) const WAVE: Function = Function {
    name: "wave",
    params: &[param("u", Type::Number), super::opt("peak", Type::Number)],
    returns: "number",
    doc: "Returns a cosine wave that repeats when `u` increases by 1. It is 1 where `u` equals `peak` (default 0), and \
          -1 half a period later.",
    example: "local breath = wave(0.5, 0.42)",
    call: waves,
};

fn drifts(_: &Lua, args: Args) -> mlua::Result<Value> {
    let u = args.number(0).unwrap_or(0.0) as f32;
    let seed = args.number(1).unwrap_or(0.0) as f32;
    Ok(lua_number(drift(u, seed)))
}

pub(super) const DRIFT: Function = Function {
    name: "drift",
    params: &[param("u", Type::Number), super::opt("seed", Type::Number)],
    returns: "number",
    doc: "Returns a random value between -1 and 1 that changes smoothly with `u` and repeats when `u` increases by 1. \
          Use it for small movements of a looping clip. Another `seed` gives other values.",
    example: "local fidget = drift(0.3, 7)",
    call: drifts,
};

/// Parameters of a gait.
#[derive(Options)]
struct GaitOptions {
    /// Duration of a cycle of two steps.
    #[option(default_doc = "1", unit = "seconds", range = 0.05..=60.0)]
    period: Option<f32>,
    /// Ground speed.
    #[option(default_doc = "1", unit = "metres per second")]
    speed: Option<f32>,
    /// Direction in which the figure walks: 0 is forwards, 90 is to the left.
    #[option(default_doc = "0", unit = "degrees")]
    way: Option<f32>,
    /// Fraction of the cycle for which each foot is on the ground.
    #[option(default_doc = "0.6", range = 0.02..=0.98)]
    duty: Option<f32>,
    /// Distance in front of the hips at which the foot lands.
    #[option(default_doc = "0.25", unit = "metres")]
    strike: Option<f32>,
    /// Pitch of the foot when it lands. With a negative value it lands on the heel.
    #[option(default_doc = "0", unit = "degrees")]
    strike_pitch: Option<f32>,
    /// Fraction of the stance (the time on the ground) after which the whole sole is on the ground.
    #[option(default_doc = "0.2", range = 0.02..=0.98)]
    flat: Option<f32>,
    /// Fraction of the stance (the time on the ground) after which the heel rises and the foot rolls over its ball.
    #[option(default_doc = "0.55", range = 0.02..=0.98)]
    rise: Option<f32>,
    /// Pitch of the foot when it leaves the ground.
    #[option(default_doc = "0", unit = "degrees")]
    off_pitch: Option<f32>,
    /// Distance of each footprint from the line on which the figure walks.
    #[option(default_doc = "0.08", unit = "metres")]
    width: Option<f32>,
    /// Angle by which the toes point outwards.
    #[option(default_doc = "6", unit = "degrees")]
    toe_out: Option<f32>,
    /// Delay of the right foot after the left one, as a fraction of the cycle.
    #[option(default_doc = "0.5")]
    after: Option<f32>,
    /// Height of the sole in the middle of the swing (the time in the air). Not used if you set `swing`.
    #[option(default_doc = "0.06", unit = "metres")]
    lift: Option<f32>,
    /// Key poses of the swing (the time in the air), as rows. A row is { fraction of the swing, height of the ankle,
    /// position of the ankle along the direction of walking, pitch, bend of the toes }.
    #[option(ty = Type::Table("{ { number } }"))]
    swing: Option<Table>,
}

fn gait(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: GaitOptions = args.options(0)?;
    let usual = Gait::default();
    let mut swing: Vec<SwingKey> = Vec::new();
    if let Some(rows) = options.swing {
        for row in rows.sequence_values::<Table>() {
            let row = row?;
            let mut key = [0.0; 5];
            for (i, slot) in key.iter_mut().enumerate() {
                *slot = number(&row.raw_get(i + 1)?)
                    .ok_or_else(|| wrong("gait: a row of swing must have five numbers"))?
                    as f32;
            }
            let before = swing.last().map_or(0.0, |key| key[0]);
            if !(before < key[0] && key[0] < 1.0) {
                return Err(wrong(
                    "gait: the first values of the swing rows must increase from 0 to 1",
                ));
            }
            swing.push(key);
        }
    }
    let gait = Gait {
        period: options.period.unwrap_or(usual.period),
        speed: options.speed.unwrap_or(usual.speed),
        way: options.way.unwrap_or(usual.way),
        duty: options.duty.unwrap_or(usual.duty),
        strike: options.strike.unwrap_or(usual.strike),
        strike_pitch: options.strike_pitch.unwrap_or(usual.strike_pitch),
        flat: options.flat.unwrap_or(usual.flat),
        rise: options.rise.unwrap_or(usual.rise),
        off_pitch: options.off_pitch.unwrap_or(usual.off_pitch),
        width: options.width.unwrap_or(usual.width),
        toe_out: options.toe_out.unwrap_or(usual.toe_out),
        after: options.after.unwrap_or(usual.after),
        lift: options.lift.unwrap_or(usual.lift),
        swing,
    };
    let at =
        lua.create_function(move |lua, t: f64| pose::value(lua, gait.at(gate::time("gait", t)?)))?;
    Ok(Value::Function(at))
}

pub(super) const GAIT: Function = Function {
    name: "gait",
    params: &[Param {
        name: "options",
        ty: Type::Options(GaitOptions::SHAPE),
        optional: false,
    }],
    returns: "(number) -> Pose",
    doc: "Makes the movement of both feet for a walk or run in place. Returns a function that gets the time since the \
          left foot touched the ground, in seconds, and returns a pose of the feet. A planted foot moves backwards \
          exactly as fast as the ground, and rolls from the heel over the ball of the foot. The foot also lifts off and \
          lands at the speed of the ground, so it never slides.",
    example: "local feet = gait { period = 1, speed = 1.2, strike_pitch = -18, off_pitch = 45 }\nlocal now = feet(0.25)",
    call: gait,
};
