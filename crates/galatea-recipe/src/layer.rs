//! A layer of a sheet's texture: a table of colour, surface and height, and where it lies.

use mlua::{Table, Value};

use super::mask::MaskRef;
use super::wrong;
use galatea_forge::layers::{PaintLayer, SurfaceMask};
use galatea_math::names::nearest_hint;
use galatea_script::toolkit::{number, object, vector};

const KEYS: [&str; 6] = [
    "color",
    "multiply",
    "roughness",
    "metallic",
    "height",
    "where",
];

/// Reads a layer; `what` names it in messages.
pub(super) fn layer(row: &Table, what: &str) -> mlua::Result<PaintLayer> {
    let bad = |text: String| wrong(format!("sheet: {what}: {text}"));
    for pair in row.pairs::<String, Value>() {
        let (key, _) = pair?;
        if !KEYS.contains(&key.as_str()) {
            let hint = nearest_hint(&key, KEYS.into_iter());
            return Err(bad(format!("there is no {key:?}{hint}")));
        }
    }
    let share = |key: &str| -> mlua::Result<Option<f32>> {
        match row.raw_get::<Value>(key)? {
            Value::Nil => Ok(None),
            value => {
                let n = number(&value).filter(|n| (0.0..=1.0).contains(n));
                n.map(|n| Some(n as f32))
                    .ok_or_else(|| bad(format!("{key} must be 0 to 1")))
            }
        }
    };
    let color = match row.raw_get::<Value>("color")? {
        Value::Nil => None,
        value => Some(vector(&value).ok_or_else(|| bad("color is a vector".into()))?),
    };
    let mask = match row.raw_get::<Value>("where")? {
        Value::Nil => SurfaceMask::All,
        value => {
            object::<MaskRef>(&value)
                .ok_or_else(|| bad("where is a Mask".into()))?
                .0
        }
    };
    let height = match row.raw_get::<Value>("height")? {
        Value::Nil => 0.0,
        value => number(&value)
            .filter(|n| n.abs() <= 1.0)
            .ok_or_else(|| bad("height is a number of metres".into()))?,
    };
    Ok(PaintLayer {
        mask,
        color,
        multiply: row.raw_get::<Option<bool>>("multiply")?.unwrap_or(false),
        roughness: share("roughness")?,
        metallic: share("metallic")?,
        height: height as f32,
    })
}
