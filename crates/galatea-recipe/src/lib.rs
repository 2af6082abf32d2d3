//! Recipes: Lua scripts that make models, run offline by `galatea forge`.
//!
//! A recipe runs in a VM of its own, with the functions of [`RECIPE_GROUPS`] and nothing of a scene: shapes as distance
//! fields, cages that become meshes, bones, weights, materials, clips. It returns `model { … }`, and [`bake`] makes that
//! model with the crate `galatea-forge`.
//!
//! ```
//! let names: Vec<&str> = galatea_recipe::RECIPE_GROUPS.iter().map(|group| group.name).collect();
//! assert!(names.contains(&"Field"), "{names:?}");
//! ```
//!
//! # Dependencies
//! The VM and the checked tables of functions of `galatea-script`, and the geometry of `galatea-forge`. It knows no stage,
//! no GPU and no clock, and reads files only through the given [`ReadModule`]: the same recipe gives the same bytes.

mod bones;
mod cage;
mod clip;
mod crease;
mod extras;
mod field;
mod figure;
mod gate;
mod globals;
mod layer;
mod mask;
mod material;
mod model;
mod motion;
mod part;
mod picture;
mod pose;
mod rigged;
mod row;
mod sheet;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use mlua::{Lua, Value};

use galatea_asset::Model;
use galatea_forge::glb::Extras;
use galatea_guard::guarded;
use galatea_math::names::nearest_hint;
use galatea_script::Fault;
use galatea_script::toolkit::{
    Budget, Group, Param, REMOVED, Thrown, Type, count_steps, new_vm, register_groups,
    register_library,
};

/// Every group of functions that a recipe has, in the order of its reference.
pub static RECIPE_GROUPS: &[&Group] = &[
    &globals::GROUP,
    &field::MODULE,
    &field::GROUP,
    &cage::GROUP,
    &part::GROUP,
    &mask::MODULE,
    &mask::GROUP,
    &sheet::GROUP,
    &picture::GROUP,
    &bones::GROUP,
    &figure::GROUP,
    &pose::GROUP,
    &clip::GROUP,
    &model::GROUP,
];

/// Calls and loop rounds that a recipe may take: about a minute of its own, beside what fields and meshes take.
pub const RECIPE_BUDGET: u64 = 3_000_000_000;
/// Bytes that its script may hold.
const MEMORY: usize = 1 << 30;

/// Where a recipe finds the files that it requires.
pub type ReadModule<'a> = dyn Fn(&str) -> Result<String, String> + 'a;

/// What is wrong with a call.
fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// A parameter.
const fn needs(name: &'static str, ty: Type) -> Param {
    Param {
        name,
        ty,
        optional: false,
    }
}

/// A parameter that may be left out.
const fn may(name: &'static str, ty: Type) -> Param {
    Param {
        name,
        ty,
        optional: true,
    }
}

/// Runs a recipe and makes its model, with the extras of its nodes by their names. `file` is the path of the recipe, `/` between folders; `read` gives texts by such
/// paths; `print` takes what the recipe prints; `rounds` is how many calls and loop rounds it may take; every part keeps
/// a `share` of its triangles, 0 to 1.
///
/// # Errors
/// What is wrong with the recipe, with its file and line.
pub fn bake(
    file: &str,
    read: Rc<ReadModule<'static>>,
    print: Rc<dyn Fn(&str)>,
    rounds: u64,
    share: f32,
) -> Result<(Model, Extras), Fault> {
    // The libraries that measure and simplify meshes assert what a recipe may break.
    let made = guarded("making a recipe's model", || {
        made(file, read, print, rounds, share)
    });
    made.unwrap_or_else(|_| {
        Err(Fault::of_file(
            file,
            "the program could not handle a shape of this recipe; leave out parts until it works to find the shape, then make that one less extreme",
        ))
    })
}

fn made(
    file: &str,
    read: Rc<ReadModule<'static>>,
    print: Rc<dyn Fn(&str)>,
    rounds: u64,
    share: f32,
) -> Result<(Model, Extras), Fault> {
    let made = || -> mlua::Result<(Lua, Rc<Thrown>)> {
        let lua = new_vm()?;
        register_groups(&lua, RECIPE_GROUPS)?;
        register_library(&lua)?;
        let thrown = Thrown::register(&lua)?;
        restrict(&lua)?;
        lua.set_app_data(globals::PrintSink::new(print));
        lua.set_app_data(gate::LIMITS);
        add_require(&lua, file, read.clone())?;
        lua.sandbox(true)?;
        lua.set_memory_limit(MEMORY)?;
        let budget = Rc::new(Budget::default());
        budget.begin_alone(rounds);
        count_steps(&lua, budget)?;
        Ok((lua, thrown))
    };
    let (lua, thrown) = made().map_err(|error| Fault::from_lua(&error))?;
    let told = |error: mlua::Error| {
        let mut fault = Fault::from_lua(&error);
        thrown.put_in_words(&mut fault);
        fault
    };
    let text = read(file).map_err(|why| Fault::of_file(file, why))?;
    let value = run(&lua, file, &text).map_err(told)?;
    model::made(&lua, &value, share).map_err(told)
}

fn run(lua: &Lua, path: &str, text: &str) -> mlua::Result<Value> {
    let chunk = lua.load(text).set_name(format!("@{path}"));
    chunk.set_mode(mlua::chunk::ChunkMode::Text).eval()
}

/// Takes away what recipes do not get; an unknown global is an error with the nearest right one.
fn restrict(lua: &Lua) -> mlua::Result<()> {
    let globals = lua.globals();
    for name in REMOVED {
        globals.raw_set(name, Value::Nil)?;
    }
    let known = globals.clone();
    let meta = lua.create_table()?;
    let unknown =
        lua.create_function(move |_, (_, key): (Value, Value)| -> mlua::Result<Value> {
            let key = key.to_string().unwrap_or_default();
            let names = galatea_script::toolkit::names(&known);
            let hint = nearest_hint(&key, names.iter().map(String::as_str));
            Err(mlua::Error::runtime(format!(
                "there is no global {key:?}{hint}"
            )))
        })?;
    meta.raw_set("__index", unknown)?;
    meta.raw_set("__metatable", false)?;
    globals.set_metatable(Some(meta))
}

/// `require "./part"`: a file beside the one that asks.
fn add_require(lua: &Lua, main: &str, read: Rc<ReadModule<'static>>) -> mlua::Result<()> {
    let main = main.to_owned();
    let known: Rc<RefCell<BTreeMap<String, Option<Value>>>> = Rc::default();
    let require = lua.create_function(move |lua, name: String| -> mlua::Result<Value> {
        let caller = lua.inspect_stack(1, |debug| debug.source().source.map(|s| s.into_owned()));
        let caller = caller.flatten().unwrap_or_default();
        let caller = caller.trim_start_matches(['@', '=']);
        let path = beside(if caller.is_empty() { &main } else { caller }, &name)?;
        let before = known.borrow().get(&path).cloned();
        match before {
            Some(Some(value)) => return Ok(value),
            Some(None) => {
                return Err(mlua::Error::runtime(format!(
                    "{path} is required by a recipe that it requires itself"
                )));
            }
            None => {}
        }
        let text = read(&path).map_err(|why| mlua::Error::runtime(format!("{path}: {why}")))?;
        known.borrow_mut().insert(path.clone(), None);
        let value = match run(lua, &path, &text) {
            Ok(Value::Nil) => Value::Boolean(true),
            Ok(value) => value,
            Err(error) => {
                known.borrow_mut().remove(&path);
                return Err(error);
            }
        };
        known.borrow_mut().insert(path, Some(value.clone()));
        Ok(value)
    })?;
    lua.globals().raw_set("require", require)
}

/// The path of what a file requires: `./` and `../` go from its folder.
fn beside(caller: &str, name: &str) -> mlua::Result<String> {
    let mut folders: Vec<&str> = caller.split('/').collect();
    folders.pop();
    let name = name.trim_end_matches(".lua").trim_end_matches(".luau");
    for step in name.split('/') {
        match step {
            "." => {}
            ".." if folders.pop().is_some() => {}
            "" | ".." => {
                return Err(mlua::Error::runtime(format!(
                    "require {name:?}: it leaves the folder of the recipes"
                )));
            }
            step => folders.push(step),
        }
    }
    Ok(format!("{}.lua", folders.join("/")))
}
