//! Wrinkles of a sheet, in recipes.

use glam::Vec3;
use mlua::{Table, Value};

use super::field::FieldRef;
use super::layer::layer;
use super::mask::MaskRef;
use super::wrong;
use galatea_asset::model::{MOST_MAPS, WrinkleDriver};
use galatea_forge::wrinkles::{Crease, Creases, MOST_CREASES};
use galatea_math::names::nearest_hint;
use galatea_script::toolkit::{number, object, text, vector};

/// What `wrinkles` of a sheet is.
const KEYS: [&str; 10] = [
    "name", "where", "layers", "sculpt", "tint", "map", "rest", "shapes", "stretch", "curve",
];

/// The regions of a sheet; `None` where there are none.
pub(super) fn creases(value: &Value) -> mlua::Result<Option<Creases>> {
    let Some(table) = value.as_table() else {
        return Ok(None);
    };
    let mut side = 1024.0;
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        match text(&key).as_deref() {
            Some("size") => {
                let n = number(&value).filter(|n| (16.0..=4096.0).contains(n));
                side = n.ok_or_else(|| bad("size must be 16 to 4096".into()))?;
            }
            Some(key) => {
                let hint = nearest_hint(key, ["size"].into_iter());
                return Err(bad(format!("there is no {key:?}{hint}")));
            }
            None => {}
        }
    }
    let mut regions: Vec<Crease> = Vec::new();
    for row in table.sequence_values::<Table>() {
        let own = region(&row?, regions.len() + 1)?;
        if regions.iter().any(|other| other.name == own.name) {
            return Err(bad(format!("two regions are called {:?}", own.name)));
        }
        regions.push(own);
        if regions.len() > MOST_CREASES {
            return Err(bad(format!("more than {MOST_CREASES} regions")));
        }
    }
    Ok((!regions.is_empty()).then_some(Creases {
        side: side as u32,
        regions,
    }))
}

fn bad(text: String) -> mlua::Error {
    wrong(format!("sheet: wrinkles: {text}"))
}

fn region(row: &Table, i: usize) -> mlua::Result<Crease> {
    let name = text(&row.raw_get("name")?);
    let name = name.ok_or_else(|| bad(format!("region {i} has no name")))?;
    let bad = |text: String| bad(format!("{name:?}: {text}"));
    for pair in row.pairs::<String, Value>() {
        let (key, _) = pair?;
        if !KEYS.contains(&key.as_str()) {
            let hint = nearest_hint(&key, KEYS.into_iter());
            return Err(bad(format!("there is no {key:?}{hint}")));
        }
    }
    let within = |key: &str, range: std::ops::RangeInclusive<f64>, default: f64| match row
        .raw_get::<Value>(key)?
    {
        Value::Nil => Ok(default),
        value => number(&value).filter(|n| range.contains(n)).ok_or_else(|| {
            bad(format!(
                "{key} must be {} to {}",
                range.start(),
                range.end()
            ))
        }),
    };
    let mask: Option<MaskRef> = object(&row.raw_get("where")?);
    let mask = mask.ok_or_else(|| bad("where is a Mask".into()))?;
    let sculpt = match row.raw_get::<Value>("sculpt")? {
        Value::Nil => None,
        value => {
            let field: Option<FieldRef> = object(&value);
            Some(field.ok_or_else(|| bad("sculpt is a Field".into()))?.0)
        }
    };
    let tint = match row.raw_get::<Value>("tint")? {
        Value::Nil => Vec3::ONE,
        value => vector(&value)
            .filter(|tint| tint.min_element() >= 0.0 && tint.max_element() <= 8.0)
            .ok_or_else(|| bad("tint is a vector of numbers from 0 to 8".into()))?,
    };
    let mut layers = Vec::new();
    if let Some(table) = row.raw_get::<Option<Table>>("layers")? {
        for own in table.sequence_values::<Table>() {
            let what = format!("wrinkles: {name:?}: layer {}", layers.len() + 1);
            layers.push(layer(&own?, &what)?);
        }
    }
    let mut drivers = Vec::new();
    if let Some(table) = row.raw_get::<Option<Table>>("shapes")? {
        let mut shapes: Vec<(String, Value)> = table.pairs().collect::<mlua::Result<_>>()?;
        // The order of a table's pairs is nobody's.
        shapes.sort_by(|a, b| a.0.cmp(&b.0));
        for (shape, value) in shapes {
            let factor = number(&value).filter(|n| (-8.0..=8.0).contains(n));
            let factor = factor.ok_or_else(|| bad(format!("{shape:?} must be -8 to 8")))?;
            drivers.push(WrinkleDriver::Shape(shape, factor as f32));
        }
    }
    drivers.extend(text(&row.raw_get("curve")?).map(WrinkleDriver::Curve));
    let mut stretches = Vec::new();
    if let Some(table) = row.raw_get::<Option<Table>>("stretch")? {
        for own in table.sequence_values::<Table>() {
            let own = own?;
            let place = |key: &str| vector(&own.raw_get(key).unwrap_or(Value::Nil));
            let ratio = number(&own.raw_get("ratio")?).filter(|n| (0.0..=4.0).contains(n));
            let ratio = ratio.filter(|n| (n - 1.0).abs() > 1e-3);
            let (Some(from), Some(to), Some(ratio)) = (place("from"), place("to"), ratio) else {
                let what =
                    "stretch is a list of { from = vector, to = vector, ratio = 0 to 4 but not 1 }";
                return Err(bad(what.into()));
            };
            stretches.push((from, to, ratio as f32));
        }
    }
    Ok(Crease {
        mask: mask.0,
        map: within("map", 1.0..=MOST_MAPS as f64, 1.0)? as usize - 1,
        rest: within("rest", 0.0..=1.0, 0.0)? as f32,
        name,
        layers,
        sculpt,
        tint,
        drivers,
        stretches,
    })
}
