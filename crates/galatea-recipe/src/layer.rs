//! A paint layer of a texture set: a table of colour, surface and height, and its mask.

use mlua::Table;

use super::mask::MaskRef;
use super::row::RecipeRow;
use galatea_forge::layers::{PaintLayer, SurfaceMask};
use galatea_script::toolkit::{number, object};

const KEYS: [&str; 6] = [
    "color",
    "multiply",
    "roughness",
    "metallic",
    "height",
    "where",
];

/// Reads a layer; `what` names it in messages.
pub(super) fn layer(table: &Table, what: &str) -> mlua::Result<PaintLayer> {
    let row = RecipeRow {
        table,
        name: format!("sheet: {what}"),
    };
    row.check_keys(&KEYS)?;
    let color = row.vector("color")?;
    let mask = row.read("where", object::<MaskRef>, "where must be a Mask")?;
    let height = row.read(
        "height",
        |value| number(value).filter(|n| n.abs() <= 1.0),
        "height must be a number from -1 to 1 metres",
    )?;
    Ok(PaintLayer {
        mask: mask.map_or(SurfaceMask::All, |mask| mask.0),
        color,
        multiply: table.raw_get::<Option<bool>>("multiply")?.unwrap_or(false),
        roughness: row.float("roughness", 0.0..=1.0)?,
        metallic: row.float("metallic", 0.0..=1.0)?,
        height: height.unwrap_or(0.0) as f32,
    })
}
