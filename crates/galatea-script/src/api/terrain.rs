//! `physics.terrain { … }`: terrain from a height map.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use mlua::{Lua, Table, Value};

use super::character_ref::{check_room, reference};
use super::check::{Args, describe, number, text, vector};
use super::collider::{checked, options, paint, placement, polish};
use super::collider_fields::{CellSurfaces, HeightSource, TerrainOptions};
use super::surfaces::numbered;
use crate::budget::charge;
use crate::world::with_world;
use galatea_asset::primitive_mesh::GREY;
use galatea_asset::{ModelKey, PrimitiveMesh, Terrain};
use galatea_math::heights::{Heights, MAX_HEIGHTS};
use galatea_physics::{
    Cells, CollisionShape, PlacedShape, PropBodySettings, RigidFrame, ShapeOverrides, Velocity,
};

fn wrong(text: impl std::fmt::Display) -> mlua::Error {
    mlua::Error::runtime(format!("physics.terrain: {text}"))
}

/// Cost of a height in the mesh and the collider, in steps of the script's budget.
const HEIGHT_STEPS: u64 = 18;

/// Number of heights along each side if a function supplies them.
const BY_FUNCTION: usize = 65;

/// Default linear colours of surfaces.
const LOOKS: [(&str, Vec3); 11] = [
    ("wood", Vec3::new(0.3, 0.17, 0.08)),
    ("metal", Vec3::new(0.42, 0.43, 0.45)),
    ("grass", Vec3::new(0.12, 0.2, 0.05)),
    ("gravel", Vec3::new(0.32, 0.3, 0.27)),
    ("sand", Vec3::new(0.55, 0.43, 0.27)),
    ("carpet", Vec3::new(0.3, 0.07, 0.06)),
    ("ice", Vec3::new(0.68, 0.8, 0.86)),
    ("rubber", Vec3::new(0.05, 0.05, 0.05)),
    ("glass", Vec3::new(0.5, 0.6, 0.58)),
    ("flesh", Vec3::new(0.5, 0.2, 0.15)),
    ("water", Vec3::new(0.05, 0.13, 0.16)),
];

/// Reads a list of rows of equal length.
fn listed<T>(
    what: &str,
    list: &Table,
    read: impl Fn(&Value) -> Option<T>,
    wanted: &str,
) -> mlua::Result<(usize, Vec<T>)> {
    let (n_rows, mut columns, mut all) = (list.raw_len(), 0, Vec::new());
    for i in 1..=n_rows {
        let row: Value = list.raw_get(i)?;
        let Value::Table(row) = &row else {
            let got = describe(&row);
            return Err(wrong(format!("{what}[{i}]: expected a row, got {got}")));
        };
        let n = row.raw_len();
        if i == 1 {
            columns = n;
        } else if n != columns {
            return Err(wrong(format!(
                "{what}[{i}]: expected {columns} columns as in the first row, got {n}"
            )));
        }
        if all.len() + n > MAX_HEIGHTS {
            return Err(wrong(format!(
                "{what}: the limit is {MAX_HEIGHTS} values, for example 512 rows of 512"
            )));
        }
        for k in 1..=n {
            let value: Value = row.raw_get(k)?;
            let read = read(&value).ok_or_else(|| {
                let got = describe(&value);
                wrong(format!("{what}[{i}][{k}]: expected {wanted}, got {got}"))
            })?;
            all.push(read);
        }
    }
    Ok((columns, all))
}

fn few_enough([columns, rows]: [usize; 2]) -> mlua::Result<[usize; 2]> {
    if columns.saturating_mul(rows) > MAX_HEIGHTS {
        return Err(wrong(format!(
            "{columns} × {rows} heights are too many; the limit is {MAX_HEIGHTS}"
        )));
    }
    Ok([columns, rows])
}

/// Heights from the script, multiplied by the size's height.
fn heights(lua: &Lua, asked: &TerrainOptions) -> mlua::Result<Heights> {
    let size = checked(asked.size)?;
    let counts = [&asked.columns, &asked.rows].map(|count| count.as_ref().map(|n| n.0));
    let level = Vec2::new(size.x, size.z);
    let (columns, values) = match &asked.heights {
        Some(HeightSource::Rows(list)) => {
            let read = |value: &Value| Some(number(value)? as f32);
            listed("heights", list, read, "a number")?
        }
        Some(HeightSource::Floats(buffer)) => {
            let columns = counts[0]
                .ok_or_else(|| wrong("columns: a buffer of heights needs the number of columns"))?;
            if buffer.len() / 4 > MAX_HEIGHTS {
                let most = format!(
                    "heights: the limit is {MAX_HEIGHTS} values, for example 512 rows of 512"
                );
                return Err(wrong(most));
            }
            let bytes = buffer.to_vec();
            let numbers = bytes.chunks_exact(4);
            let read = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
            (columns, numbers.map(read).collect())
        }
        Some(HeightSource::Picture(path)) => {
            let read = with_world(lua, |world| {
                let read = world.services.height_map(path);
                let read = read.inspect_err(|_| world.loading.wait_for(path.clone(), false));
                read.map_err(wrong)
            })?;
            (read.columns, read.values.clone())
        }
        Some(HeightSource::Function(height)) => {
            let [columns, rows] = few_enough(counts.map(|n| n.unwrap_or(BY_FUNCTION)))?;
            let flat = Heights::new(columns, level, vec![0.0; columns * rows]).map_err(wrong)?;
            let mut values = Vec::with_capacity(columns * rows);
            for i in 0..columns * rows {
                let place = flat.position(i % columns, i / columns);
                let value: Value = height.call((place.x, place.z))?;
                values.push(number(&value).ok_or_else(|| {
                    let [row, column] = [i / columns + 1, i % columns + 1];
                    let got = describe(&value);
                    wrong(format!(
                        "heights: row {row}, column {column}: expected a number, got {got}"
                    ))
                })? as f32);
            }
            (columns, values)
        }
        None => {
            let [columns, rows] = few_enough(counts.map(|n| n.unwrap_or(2)))?;
            (columns, vec![0.0; columns * rows])
        }
    };
    charge(lua, values.len() as u64 * HEIGHT_STEPS)?;
    let values = values.into_iter().map(|value| value * size.y).collect();
    let made =
        Heights::new(columns, level, values).map_err(|why| wrong(format!("heights: {why}")))?;
    for (name, wanted, is) in [
        ("columns", counts[0], made.counts()[0]),
        ("rows", counts[1], made.counts()[1]),
    ] {
        if let Some(wanted) = wanted.filter(|wanted| *wanted != is) {
            return Err(wrong(format!("{name}: got {wanted}, but heights has {is}")));
        }
    }
    Ok(made)
}

/// Surface name of each cell; `None` if the whole terrain has one surface.
fn surfaces(
    lua: &Lua,
    asked: Option<&CellSurfaces>,
    ground: &Heights,
    plain: &str,
) -> mlua::Result<Option<Vec<String>>> {
    let [columns, rows] = ground.counts().map(|n| n - 1);
    match asked {
        Some(CellSurfaces::Rows(list)) => {
            let (n, all) = listed("surfaces", list, text, "the name of a surface")?;
            if n != columns || all.len() != columns * rows {
                return Err(wrong(format!(
                    "surfaces: expected {rows} rows of {columns}, one name for each cell between heights; got {} \
                     rows of {n}",
                    all.len() / n.max(1)
                )));
            }
            Ok(Some(all))
        }
        Some(CellSurfaces::Function(surface)) => {
            let mut all = Vec::with_capacity(columns * rows);
            for i in 0..columns * rows {
                let (column, row) = (i % columns, i / columns);
                let middle = ground
                    .position(column, row)
                    .midpoint(ground.position(column + 1, row + 1));
                let value: Value = surface.call((middle.x, middle.z))?;
                all.push(match &value {
                    Value::Nil => plain.to_owned(),
                    value => text(value).ok_or_else(|| {
                        let got = describe(value);
                        wrong(format!(
                            "surfaces: expected the name of a surface, got {got}"
                        ))
                    })?,
                });
            }
            charge(lua, all.len() as u64)?;
            Ok(Some(all))
        }
        None => Ok(None),
    }
}

/// Colours of the cells, by surface.
fn colors(asked: &TerrainOptions, cells: &Cells, plain: &str) -> mlua::Result<Vec<Vec3>> {
    let of = |name: &str| -> mlua::Result<Vec3> {
        let own = asked.colors.as_ref();
        let told: Value = own.map_or(Ok(Value::Nil), |own| own.raw_get(name))?;
        if let Some(color) = vector(&told) {
            return Ok(color.max(Vec3::ZERO));
        }
        if !told.is_nil() {
            let got = describe(&told);
            return Err(wrong(format!(
                "colors.{name}: expected a vector, got {got}"
            )));
        }
        let look = LOOKS.iter().find(|(known, _)| *known == name);
        let look = look.map_or(GREY, |(_, color)| *color);
        let color = asked.prop.color.filter(|_| name == plain);
        Ok(color.map_or(look, |color| color.max(Vec3::ZERO)))
    };
    let names = cells.names.iter().map(|name| of(name));
    let names = names.collect::<mlua::Result<Vec<_>>>()?;
    Ok(cells
        .made_of
        .iter()
        .map(|n| names[usize::from(*n)])
        .collect())
}

pub(super) fn terrain(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let asked: TerrainOptions = args.options(0)?;
    let prop = &asked.prop;
    let ground = Arc::new(heights(lua, &asked)?);
    let plain = prop.matter.surface.as_deref().unwrap_or("stone");
    let names = surfaces(lua, asked.surfaces.as_ref(), &ground, plain)?;
    let handle = with_world(lua, |world| {
        let stage = &mut world.stage;
        let cells = names.as_deref().map(|names| numbered(stage, names));
        let cells = cells.transpose()?;
        let cells = cells.map(|(names, made_of)| Cells::of_heights(ground.clone(), names, made_of));
        let form = PrimitiveMesh::Terrain(Arc::new(Terrain {
            heights: ground.clone(),
            colors: match &cells {
                Some(cells) => colors(&asked, cells, plain)?,
                None => Vec::new(),
            },
        }));
        let piece = PlacedShape {
            shape: CollisionShape::Heights(ground.clone()),
            at: RigidFrame::IDENTITY,
        };
        let (options, _) = options(&prop.matter, stage, vec![piece])?;
        let wear = ShapeOverrides {
            cells: cells.map(Arc::new),
            ..ShapeOverrides::default()
        };
        let is_colored = wear.cells.is_some();
        let solid = prop.collider.then(|| PropBodySettings {
            shape_overrides: [wear].into(),
            ..options
        });
        let definition = stage.characters.primitive(&form);
        let spawn = placement(prop);
        let name = prop.name.as_deref();
        let before = name.and_then(|name| stage.characters.named(name));
        let made = match before {
            Some(handle) => {
                let other = stage.characters.get(handle);
                if other.is_some_and(|other| other.source != source()) {
                    let name = name.unwrap_or_default();
                    return Err(wrong(format!(
                        "the name {name:?} is already in use by something that is not a terrain"
                    )));
                }
                let replaced = stage.replace_ground(handle, definition, spawn, solid);
                replaced.map(|()| handle).map_err(wrong)?
            }
            None => {
                check_room(stage)?;
                let handle = stage.add_character(definition, source(), name, spawn);
                if let Err(why) = stage
                    .bodies()
                    .set_prop_body(handle, solid, Velocity::default())
                {
                    stage.characters.remove(handle);
                    return Err(wrong(why));
                }
                handle
            }
        };
        // The vertices hold the colours of the surfaces.
        let look = if is_colored { polish } else { paint };
        look(stage, made, prop)?;
        Ok(made)
    })?;
    reference(lua, handle)
}

/// Source of every terrain. A terrain with another shape but the same source is the same character after a reload.
fn source() -> ModelKey {
    ModelKey::Primitive("terrain".to_owned())
}
