//! Wrinkle weights of the regions of a face's skin.

use mlua::{Lua, Value};

use super::character_ref::find;
use super::check::{Args, Options, Param, Type, lua_number};
use super::face_options::FaceFadeOptions;
use super::face_ref::{face_of, wrong};
use super::group::Function;
use crate::world::with_world;
use galatea_math::names::nearest_hint;

fn wrinkle(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = face_of(&args)?;
    let name = args.text(1).unwrap_or_default();
    let weight = args.number(2);
    let FaceFadeOptions { fade } = args.options(3)?;
    if let Some(weight) = weight.filter(|weight| !(0.0..=1.0).contains(weight)) {
        return Err(wrong(format!(
            "wrinkle: the weight must be 0 to 1, got {weight}"
        )));
    }
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        let rig = character.definition.wrinkles();
        let own = rig.regions.iter().enumerate();
        let own: Vec<usize> = own
            .filter(|(_, r)| r.name == name)
            .map(|(i, _)| i)
            .collect();
        if own.is_empty() {
            let hint = nearest_hint(&name, rig.names());
            return Err(wrong(format!("wrinkle: there is no region {name:?}{hint}")));
        }
        for region in own {
            let weight = weight.map(|weight| weight as f32);
            character
                .appearance
                .wrinkles
                .hold(region, weight, f64::from(fade));
        }
        Ok(Value::Nil)
    })
}

fn wrinkles(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = face_of(&args)?;
    let table = lua.create_table()?;
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        let regions = character.definition.wrinkles().regions.iter().enumerate();
        for (i, region) in regions {
            let weight = character.appearance.wrinkles.weight(i);
            table.raw_set(region.name.as_str(), lua_number(weight))?;
        }
        Ok(Value::Table(table))
    })
}

/// `face:wrinkle("brow", 1)`.
pub(super) const WRINKLE: Function = Function {
    name: "wrinkle",
    params: &[
        Param {
            name: "region",
            ty: Type::Text,
            optional: false,
        },
        Param {
            name: "weight",
            ty: Type::Number,
            optional: true,
        },
        Param::options(FaceFadeOptions::SHAPE),
    ],
    returns: "",
    doc: "Sets the weight of the wrinkles in a region of the skin, 0 to 1. The weight overrides the wrinkles that \
          expressions cause. A call without a weight gives the control back to the expressions. `face:wrinkles()` \
          returns the names of the regions.",
    example: "for region in hero.face:wrinkles() do hero.face:wrinkle(region, 1, { fade = 0.5 }) end",
    call: wrinkle,
};

/// `face:wrinkles()`.
pub(super) const WRINKLES: Function = Function {
    name: "wrinkles",
    params: &[],
    returns: "{ [string]: number }",
    doc: "Returns the wrinkle regions of the skin, by name, with their weights in the last tick. The model defines what \
          causes wrinkles in a region: expressions, skin that is pressed together, or curves of clips.",
    example: "for region, weight in hero.face:wrinkles() do print(region, weight) end",
    call: wrinkles,
};
