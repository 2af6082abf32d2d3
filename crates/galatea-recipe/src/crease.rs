//! Wrinkles of a texture set in recipes.

use glam::Vec3;
use mlua::{Table, Value};

use super::field::FieldRef;
use super::layer::layer;
use super::mask::MaskRef;
use super::row::RecipeRow;
use super::wrong;
use galatea_asset::model::{MAX_MAPS, WrinkleDriver};
use galatea_forge::wrinkles::{Crease, Creases, MAX_CREASES};
use galatea_math::names::nearest_hint;
use galatea_script::toolkit::{number, object, text, vector};

/// Fields of a region in `wrinkles`.
const KEYS: [&str; 10] = [
    "name", "where", "layers", "sculpt", "tint", "map", "rest", "shapes", "stretch", "curve",
];

/// Regions of a texture set; `None` if there are none.
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
                side = n.ok_or_else(|| bad("size must be from 16 to 4096".into()))?;
            }
            Some(key) => {
                let hint = nearest_hint(key, ["size"].into_iter());
                return Err(bad(format!("unknown field {key:?}{hint}")));
            }
            None => {}
        }
    }
    let mut regions: Vec<Crease> = Vec::new();
    for row in table.sequence_values::<Table>() {
        let own = region(&row?, regions.len() + 1)?;
        if regions.iter().any(|other| other.name == own.name) {
            return Err(bad(format!("two regions have the name {:?}", own.name)));
        }
        regions.push(own);
        if regions.len() > MAX_CREASES {
            return Err(bad(format!("the limit is {MAX_CREASES} regions")));
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

fn region(table: &Table, i: usize) -> mlua::Result<Crease> {
    let name = text(&table.raw_get("name")?);
    let name = name.ok_or_else(|| bad(format!("region {i} has no name")))?;
    let row = RecipeRow {
        table,
        name: format!("sheet: wrinkles: {name:?}"),
    };
    row.check_keys(&KEYS)?;
    let mask: Option<MaskRef> = object(&table.raw_get("where")?);
    let mask = mask.ok_or_else(|| row.error("where must be a Mask"))?;
    let sculpt = row.read("sculpt", object::<FieldRef>, "sculpt must be a Field")?;
    let tint = row.read(
        "tint",
        |value| vector(value).filter(|tint| tint.min_element() >= 0.0 && tint.max_element() <= 8.0),
        "tint must be a vector of numbers from 0 to 8",
    )?;
    let mut layers = Vec::new();
    if let Some(list) = table.raw_get::<Option<Table>>("layers")? {
        for own in list.sequence_values::<Table>() {
            let what = format!("wrinkles: {name:?}: layer {}", layers.len() + 1);
            layers.push(layer(&own?, &what)?);
        }
    }
    let mut drivers = shapes(&row)?;
    drivers.extend(text(&table.raw_get("curve")?).map(WrinkleDriver::Curve));
    let stretches = stretches(&row)?;
    let map = row.number("map", 1.0..=MAX_MAPS as f64)?;
    Ok(Crease {
        mask: mask.0,
        map: map.unwrap_or(1.0) as usize - 1,
        rest: row.float("rest", 0.0..=1.0)?.unwrap_or(0.0),
        name,
        layers,
        sculpt: sculpt.map(|field| field.0),
        tint: tint.unwrap_or(Vec3::ONE),
        drivers,
        stretches,
    })
}

/// Drivers by facial shapes.
fn shapes(row: &RecipeRow) -> mlua::Result<Vec<WrinkleDriver>> {
    let Some(table) = row.table.raw_get::<Option<Table>>("shapes")? else {
        return Ok(Vec::new());
    };
    let mut shapes: Vec<(String, Value)> = table.pairs().collect::<mlua::Result<_>>()?;
    // The order of a table's pairs is undefined.
    shapes.sort_by(|a, b| a.0.cmp(&b.0));
    let driver = |(shape, value): (String, Value)| -> mlua::Result<WrinkleDriver> {
        let factor = number(&value).filter(|n| (-8.0..=8.0).contains(n));
        let factor =
            factor.ok_or_else(|| row.error(format_args!("{shape:?} must be from -8 to 8")))?;
        Ok(WrinkleDriver::Shape(shape, factor as f32))
    };
    shapes.into_iter().map(driver).collect()
}

/// Pairs of positions, with the ratio of their distances at full weight.
fn stretches(row: &RecipeRow) -> mlua::Result<Vec<(Vec3, Vec3, f32)>> {
    let mut stretches = Vec::new();
    let Some(table) = row.table.raw_get::<Option<Table>>("stretch")? else {
        return Ok(stretches);
    };
    for own in table.sequence_values::<Table>() {
        let own = own?;
        let place = |key: &str| vector(&own.raw_get(key).unwrap_or(Value::Nil));
        let ratio = number(&own.raw_get("ratio")?).filter(|n| (0.0..=4.0).contains(n));
        let ratio = ratio.filter(|n| (n - 1.0).abs() > 1e-3);
        let (Some(from), Some(to), Some(ratio)) = (place("from"), place("to"), ratio) else {
            return Err(row.error(
                "stretch must be a list of { from = vector, to = vector, ratio = 0 to 4 but not 1 }",
            ));
        };
        stretches.push((from, to, ratio as f32));
    }
    Ok(stretches)
}
