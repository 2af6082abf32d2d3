//! Recipes: Lua scripts that generate models, run offline by `galatea forge`.
//!
//! A recipe runs in a separate VM, with the functions of [`RECIPE_GROUPS`] and without a scene: distance fields, cages
//! that become meshes, bones, weights, materials, clips. It returns `model { … }`, and [`bake`] generates that model
//! with the crate `galatea-forge`.
//!
//! ```
//! let names: Vec<&str> = galatea_recipe::RECIPE_GROUPS.iter().map(|group| group.name).collect();
//! assert!(names.contains(&"Field"), "{names:?}");
//! ```
//!
//! # Dependencies
//! The VM and the checked function tables of `galatea-script`, and the geometry of `galatea-forge`. It uses no stage,
//! GPU or clock, and reads files only through the given [`ReadModule`]: equal recipes give equal bytes.

mod bones;
mod cage;
mod cage_drawing;
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

/// All function groups of recipes, in the order of the reference.
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

/// Limit of calls and loop iterations of a recipe: about a minute of script time, in addition to the time for fields
/// and meshes.
pub const RECIPE_BUDGET: u64 = 3_000_000_000;
/// Memory limit of its script, bytes.
const MEMORY_LIMIT: usize = 1 << 30;

/// Callback that reads a file required by a recipe.
pub type ReadModule<'a> = dyn Fn(&str) -> Result<String, String> + 'a;

/// Error of a call.
fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// A required parameter.
const fn param(name: &'static str, ty: Type) -> Param {
    Param {
        name,
        ty,
        optional: false,
    }
}

/// An optional parameter.
const fn opt(name: &'static str, ty: Type) -> Param {
    Param {
        name,
        ty,
        optional: true,
    }
}

/// Runs a recipe and generates its model, with the extras of its nodes by name. `file` is the path of the recipe, with
/// `/` between folders; `read` returns texts by such paths; `print` receives the output of the recipe. `rounds` is the
/// limit of calls and loop iterations. Every part keeps the fraction `share` of its triangles, 0 to 1.
///
/// # Errors
/// If the recipe has an error; the message contains its file and line.
pub fn bake(
    file: &str,
    read: Rc<ReadModule<'static>>,
    print: Rc<dyn Fn(&str)>,
    rounds: u64,
    share: f32,
) -> Result<(Model, Extras), Fault> {
    // The libraries that measure and simplify meshes may panic on input from a recipe.
    let made = guarded("making a recipe's model", || {
        made(file, read, print, rounds, share)
    });
    made.unwrap_or_else(|_| {
        Err(Fault::of_file(
            file,
            "a shape of this recipe caused an internal error; remove parts to find the shape, then make it less extreme",
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
        lua.set_memory_limit(MEMORY_LIMIT)?;
        let budget = Rc::new(Budget::default());
        budget.begin_alone(rounds);
        count_steps(&lua, budget)?;
        Ok((lua, thrown))
    };
    let (lua, thrown) = made().map_err(|error| Fault::from_lua(&error))?;
    let to_message = |error: mlua::Error| {
        let mut fault = Fault::from_lua(&error);
        thrown.put_in_words(&mut fault);
        fault
    };
    let text = read(file).map_err(|why| Fault::of_file(file, why))?;
    let value = run(&lua, file, &text).map_err(to_message)?;
    model::made(&lua, &value, share).map_err(to_message)
}

fn run(lua: &Lua, path: &str, text: &str) -> mlua::Result<Value> {
    let chunk = lua.load(text).set_name(format!("@{path}"));
    chunk.set_mode(mlua::chunk::ChunkMode::Text).eval()
}

/// Removes globals that recipes must not use; access to an unknown global is an error that suggests the most similar
/// one.
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

/// Adds `require "./part"`, for files relative to the caller.
fn add_require(lua: &Lua, main: &str, read: Rc<ReadModule<'static>>) -> mlua::Result<()> {
    let main = main.to_owned();
    let known: Rc<RefCell<BTreeMap<String, Option<Value>>>> = Rc::default();
    let require = lua.create_function(move |lua, name: String| -> mlua::Result<Value> {
        let caller = lua.inspect_stack(1, |debug| debug.source().source.map(|s| s.into_owned()));
        let caller = caller.flatten().unwrap_or_default();
        let caller = caller.trim_start_matches(['@', '=']);
        let path = resolve(if caller.is_empty() { &main } else { caller }, &name)?;
        let before = known.borrow().get(&path).cloned();
        match before {
            Some(Some(value)) => return Ok(value),
            Some(None) => {
                return Err(mlua::Error::runtime(format!("{path}: circular require")));
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

/// Resolves the path of a required file: `./` and `../` are relative to the caller's folder.
fn resolve(caller: &str, name: &str) -> mlua::Result<String> {
    let mut folders: Vec<&str> = caller.split('/').collect();
    folders.pop();
    let name = name.trim_end_matches(".lua").trim_end_matches(".luau");
    for step in name.split('/') {
        match step {
            "." => {}
            ".." if folders.pop().is_some() => {}
            "" | ".." => {
                return Err(mlua::Error::runtime(format!(
                    "require {name:?}: the path is outside the recipe folder"
                )));
            }
            step => folders.push(step),
        }
    }
    Ok(format!("{}.lua", folders.join("/")))
}
