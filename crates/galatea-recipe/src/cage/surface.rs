//! Materials and texture coordinates of a control cage.

use glam::Vec2;
use mlua::{Lua, Value};

use super::super::wrong;
use super::own;
use galatea_script::toolkit::Args;

/// Index of a name in a list; a new name is appended.
fn index_of(names: &mut Vec<String>, name: String) -> mlua::Result<u16> {
    let known = names.iter().position(|own| *own == name);
    let i = known.unwrap_or(names.len());
    if i == names.len() {
        names.push(name);
    }
    u16::try_from(i).map_err(|_| wrong("the cage has more names than the limit of 65536"))
}

pub(super) fn paint(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    drawn.paint = index_of(&mut drawn.paints, args.text(1).unwrap_or_default())?;
    Ok(Value::Nil)
}

pub(super) fn chart(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    drawn.chart = index_of(&mut drawn.charts, args.text(1).unwrap_or_default())?;
    Ok(Value::Nil)
}

pub(super) fn uv(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    let on = |n: usize| args.number(n).unwrap_or_default() as f32;
    let at = Vec2::new(on(2), on(3));
    let points = match args.table(1) {
        Some(table) => drawn.row(&table)?,
        None => vec![drawn.known(&args.value(1))?],
    };
    drawn.uv.extend(points.into_iter().map(|i| (i, at)));
    Ok(Value::Nil)
}

pub(super) fn around(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let length = args.number(1).filter(|n| *n > 0.0);
    let length = length.ok_or_else(|| wrong("around: expected a number above 0"))?;
    cage.0.borrow_mut().around = Some(length as f32);
    Ok(Value::Nil)
}

pub(super) fn seam(_: &Lua, args: Args) -> mlua::Result<Value> {
    let cage = own(&args)?;
    let mut drawn = cage.0.borrow_mut();
    let points = args.table(1);
    let points = points.ok_or_else(|| wrong("seam: expected points"))?;
    let row = drawn.row(&points)?;
    drawn.cage.cut(&row);
    Ok(Value::Nil)
}
