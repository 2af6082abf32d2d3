//! What scripts can call, and the tables that say so.
//!
//! Each file of this folder holds the functions of one domain and ends in one table. From the table
//! come the function in Lua, the check of its arguments, its editor stub and its reference entry.

mod act;
mod body;
mod camera;
mod character;
mod check;
mod clip;
mod clip_handle;
mod clip_sources;
mod events;
mod globals;
mod ground;
mod input;
mod light;
mod listen;
mod machine;
mod mark_handle;
mod meters;
mod play;
mod running;
mod sound;
mod uses;
mod warp;

use mlua::{Lua, MultiValue, Table, UserDataMethods, Value};

pub(super) use act::{act_value, add_act};
pub(super) use camera::{CAMERA_FIELDS, placed};
pub(super) use character::{CharacterRef, SPAWN_FIELDS, character_handle, reference};
use character::{find, handle_of};
pub(super) use check::{Args, Fields, check_params, describe, number};
pub use check::{Field, Param, Type};
pub(super) use events::{event_name, event_table, other_state};
pub(super) use input::check_key;
pub(super) use listen::check_event_name;
pub(super) use machine::{Watch, Watched};
pub(super) use running::{check_state_name, machine_handle};
pub use uses::{Use, uses_during};

use super::budget::charge;

/// The Rust side of a function.
pub(super) type Native = fn(&Lua, Args) -> mlua::Result<Value>;

/// A function of the API.
pub struct Function {
    /// Name in Lua.
    pub name: &'static str,
    /// Parameters in order; for methods without the object.
    pub params: &'static [Param],
    /// Type of the result in Luau's notation, empty for none.
    pub returns: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// A line that works in the demo.
    pub example: &'static str,
    pub(super) call: Native,
}

/// A value of an object that is read and perhaps written like a field.
pub struct Property {
    /// Name in Lua.
    pub name: &'static str,
    /// Type in Luau's notation.
    pub ty: &'static str,
    /// What it is.
    pub doc: &'static str,
    pub(super) get: Native,
    pub(super) set: Option<(Type, Native)>,
}

impl Property {
    /// True when scripts may set it.
    pub fn is_settable(&self) -> bool {
        self.set.is_some()
    }
}

/// A group of functions: the globals, a module (`sound.play`) or an object's methods.
pub struct Group {
    /// What kind of group it is.
    pub kind: Kind,
    /// Name of the module or of the object's type.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// Its functions.
    pub functions: &'static [Function],
    /// Its properties; objects only.
    pub properties: &'static [Property],
}

/// What kind of group it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Global functions.
    Globals,
    /// A table of functions.
    Module,
    /// Methods of a value.
    Object,
}

/// Every group, in the order of the reference.
pub static GROUPS: &[&Group] = &[
    &globals::GROUP,
    &character::GROUP,
    &play::GROUP,
    &act::GROUP,
    &clip::GROUP,
    &clip_handle::GROUP,
    &listen::GROUP,
    &mark_handle::GROUP,
    &machine::GROUP,
    &running::GROUP,
    &input::GROUP,
    &sound::GROUP,
    &camera::GROUP,
    &light::GROUP,
    &ground::GROUP,
];

/// Puts the API into the VM's globals.
pub(super) fn register(lua: &Lua) -> mlua::Result<()> {
    let globals = lua.globals();
    for group in GROUPS {
        let table = match group.kind {
            Kind::Globals => globals.clone(),
            Kind::Module => {
                let table = lua.create_table()?;
                globals.raw_set(group.name, table.clone())?;
                table
            }
            Kind::Object => continue,
        };
        for function in group.functions {
            table.raw_set(function.name, native(lua, group, function)?)?;
        }
        if group.kind == Kind::Module {
            guard_module(lua, group, &table)?;
        }
    }
    act::register(lua)
}

/// Bytes of texts from which a call counts for more than a call.
const LONG_TEXT: usize = 1024;

fn native(lua: &Lua, group: &'static Group, f: &'static Function) -> mlua::Result<mlua::Function> {
    lua.create_function(move |lua, values: MultiValue| call(lua, group, f, values))
}

fn call(
    lua: &Lua,
    group: &'static Group,
    f: &'static Function,
    values: MultiValue,
) -> mlua::Result<Value> {
    let texts = values.iter().filter_map(Value::as_string);
    let bytes: usize = texts.map(|text| text.as_bytes().len()).sum();
    if bytes > LONG_TEXT {
        charge(lua, bytes as u64 / 8)?;
    }
    let args = Args::checked(group, f.name, f.params, values)?;
    let value = (f.call)(lua, args)?;
    uses::note(Use::Called(group.name, f.name));
    Ok(value)
}

/// A wrong name in a module is an error with the nearest right one.
fn guard_module(lua: &Lua, group: &'static Group, table: &Table) -> mlua::Result<()> {
    let meta = lua.create_table()?;
    meta.raw_set(
        "__index",
        lua.create_function(move |_, (_, key): (Value, Value)| -> mlua::Result<Value> {
            let key = key.to_string().unwrap_or_default();
            let names = group.functions.iter().map(|f| f.name);
            let hint = crate::math::names::nearest_hint(&key, names);
            Err(mlua::Error::runtime(format!(
                "{} has no {key:?}{hint}",
                group.name
            )))
        })?,
    )?;
    meta.raw_set("__metatable", false)?;
    table.set_metatable(Some(meta))
}

/// Gives a userdata type its methods and properties from its table.
pub(super) fn add_object<T: 'static, M: UserDataMethods<T>>(
    group: &'static Group,
    methods: &mut M,
) {
    let waits = |name: &str| group.name == act::GROUP.name && act::waits(name);
    for f in group.functions.iter().filter(|f| !waits(f.name)) {
        methods.add_function(f.name, move |lua, values: MultiValue| {
            call(lua, group, f, values)
        });
    }
    methods.add_meta_function("__index", move |lua, (this, key): (Value, Value)| {
        let name = key.to_string().unwrap_or_default();
        if let Some(property) = group.properties.iter().find(|p| p.name == name) {
            let args = Args::unchecked(group, property.name, vec![this]);
            let value = (property.get)(lua, args)?;
            uses::note(Use::Read(group.name, property.name));
            return Ok(value);
        }
        if waits(&name) {
            return act::method(lua, &name);
        }
        Err(unknown(group, &name))
    });
    methods.add_meta_function(
        "__newindex",
        move |lua, (this, key, value): (Value, Value, Value)| -> mlua::Result<()> {
            let name = key.to_string().unwrap_or_default();
            let Some(property) = group.properties.iter().find(|p| p.name == name) else {
                return Err(unknown(group, &name));
            };
            let Some((ty, set)) = &property.set else {
                return Err(mlua::Error::runtime(format!(
                    "{} of a {} cannot be set",
                    property.name, group.name
                )));
            };
            if let Err(wrong) = ty.check(&value) {
                return Err(mlua::Error::runtime(format!("{name}: {wrong}")));
            }
            set(
                lua,
                Args::unchecked(group, property.name, vec![this, value]),
            )?;
            uses::note(Use::Written(group.name, property.name));
            Ok(())
        },
    );
}

fn unknown(group: &Group, name: &str) -> mlua::Error {
    let names = group
        .functions
        .iter()
        .map(|f| f.name)
        .chain(group.properties.iter().map(|p| p.name));
    let hint = crate::math::names::nearest_hint(name, names);
    mlua::Error::runtime(format!("a {} has no {name:?}{hint}", group.name))
}
