//! `characters`, `find_character` and the short constructor of vectors.

use glam::Vec3;
use mlua::{Lua, Value};

use super::character_ref::reference;
use super::check::{Args, Param, Type, lua_vector};
use super::group::Function;
use crate::budget::charge;
use crate::world::with_world;
use galatea_stage::Handle;

/// Budget steps for each character that is listed.
const LISTED_STEPS: u64 = 8;

fn characters(lua: &Lua, _: Args) -> mlua::Result<Value> {
    let handles: Vec<Handle> = with_world(lua, |world| {
        let all = world.stage.characters.iter();
        Ok(all.map(|(handle, _)| handle).collect())
    })?;
    charge(lua, LISTED_STEPS * handles.len() as u64)?;
    let list = lua.create_table_with_capacity(handles.len(), 0)?;
    for handle in handles {
        list.raw_push(reference(lua, handle)?)?;
    }
    Ok(Value::Table(list))
}

fn find_character(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    let (found, n) = with_world(lua, |world| {
        let characters = &world.stage.characters;
        Ok((characters.named(&name), characters.iter().count()))
    })?;
    charge(lua, n as u64)?;
    match found {
        Some(handle) => reference(lua, handle),
        None => Ok(Value::Nil),
    }
}

fn vec(_: &Lua, args: Args) -> mlua::Result<Value> {
    let [x, y, z] = [0, 1, 2].map(|i| args.number(i).unwrap_or(0.0) as f32);
    Ok(lua_vector(Vec3::new(x, y, z)))
}

const fn component(name: &'static str) -> Param {
    Param {
        name,
        ty: Type::Number,
        optional: true,
    }
}

/// `vec(x, y, z)`.
pub(super) const VEC: Function = Function {
    name: "vec",
    params: &[component("x"), component("y"), component("z")],
    returns: "vector",
    doc: "Creates a vector, like `vector.create(x, y, z)`. The default of each component is 0. A vector cannot be changed. \
          Assign a new one, `hero.position = vec(1, 0, 2)`, or add to it, `hero.position += vec(0, 1, 0)`.",
    example: "hero.position = vec(0, 0, 2)",
    call: vec,
};

/// `characters()`.
pub(super) const CHARACTERS: Function = Function {
    name: "characters",
    params: &[],
    returns: "{ Character }",
    doc: "Returns all characters and props in the scene, the oldest first. An agent of a crowd is included only \
          while it is a full character (see `promote_distance` of `crowd`).",
    example: "for _, one in characters() do print(one.name) end",
    call: characters,
};

/// `find_character(name)`.
pub(super) const FIND_CHARACTER: Function = Function {
    name: "find_character",
    params: &[Param {
        name: "name",
        ty: Type::Text,
        optional: false,
    }],
    returns: "Character?",
    doc: "Returns the character or prop with this name, or nil. You give a name as an option: `character(\"a.glb\", { name = \
          \"guard\" })`.",
    example: "local guard = find_character(\"guard\")\nif guard then guard:play(\"wave\") end",
    call: find_character,
};
