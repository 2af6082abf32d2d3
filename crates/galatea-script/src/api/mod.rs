//! What scripts can call, and the tables that say so.
//!
//! Each file of this folder holds the functions of one domain and ends in one table. From the table
//! come the function in Lua, the check of its arguments, its editor stub and its reference entry.

mod act;
mod bodies;
mod body;
mod camera;
mod carriage;
mod character;
mod character_table;
mod check;
mod clip;
mod clip_handle;
mod clip_sources;
mod controller;
mod conversation;
mod conversation_handle;
mod crowd;
mod crowd_doing;
mod crowd_fields;
mod crowd_states;
mod decal;
mod environment;
mod event_types;
mod events;
mod expression;
mod fabric;
mod fabric_options;
mod face;
mod face_mix;
mod face_options;
mod face_shapes;
mod face_wrinkles;
mod facing;
mod flock;
mod flock_fields;
mod force;
mod globals;
mod goal;
mod grab;
mod grip;
mod ground;
mod hair;
mod hair_cut;
mod hair_fields;
mod handle_options;
mod handled;
mod heat;
mod helper;
mod hit;
mod input;
mod ladder;
mod lamp_handle;
mod light;
mod limbs;
mod line_handle;
mod listen;
mod look;
mod machine;
mod mark_handle;
mod material;
mod meters;
mod motion;
mod options;
mod particle_fields;
mod particles;
mod paths;
mod physics;
mod play;
mod pointing;
mod pose_handle;
mod query;
mod ragdoll;
mod running;
mod say;
mod say_track;
mod seat;
mod secondary;
mod shown_handle;
mod skinning;
mod smart_object;
mod solid;
mod solid_fields;
mod sound;
mod sound_handle;
mod stack;
mod survey;
mod terrain;
mod trail;
mod types;
mod ui;
mod ui_handle;
mod uses;
mod using;
mod values;
mod view;
mod warp;
mod words;

use mlua::{
    AnyUserData, Lua, MetaMethod, MultiValue, Table, UserDataFields, UserDataMethods, Value,
};

pub(super) use act::{act_value, add_act, end_of};
pub(super) use body::take_off;
pub(super) use camera::{CameraOptions, placed};
use character::find;
pub(super) use character::{
    CharacterOptions, CharacterRef, character_handle, gone_from, reference,
};
use check::Values;
pub(super) use check::check_params;
pub use check::{
    Args, Field, Fields, Limits, OptionValue, Options, Param, Shape, Type, describe, lua_number,
    lua_vector, number, object, text, vector,
};
pub(super) use conversation_handle::conversation_table;
pub use event_types::{ANY_EVENT, EVENTS, MARK_EVENT};
pub(super) use events::{event_name, event_table, other_state};
pub(super) use expression::Expressions;
pub(super) use hit::{answer, blow_table};
pub(super) use input::check_key;
pub(super) use listen::check_event_name;
pub use listen::mark_fields;
pub(super) use machine::{Watched, WatchedParams};
pub(super) use pose_handle::PoseRef;
pub(super) use running::{SendOptions, check_state_name, machine_handle};
pub use uses::{Use, uses_during};
pub(super) use words::Words;

use super::budget::charge;

/// The Rust side of a function.
pub type Native = fn(&Lua, Args) -> mlua::Result<Value>;

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
    /// The implementation.
    pub call: Native,
}

/// A value of an object that is read and perhaps written like a field.
pub struct Property {
    /// Name in Lua.
    pub name: &'static str,
    /// Type in Luau's notation.
    pub ty: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Reads it; its argument is the object.
    pub get: Native,
    /// Writes it, with the type of the value; `None` for what is read only.
    pub set: Option<(Type, Native)>,
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

/// Shapes that only texts of types name, as those of tables after `state "idle"`.
pub static NAMED: &[&[&Shape]] = &[
    clip::SHAPES,
    clip_sources::SHAPES,
    conversation::SHAPES,
    event_types::SHAPES,
    machine::SHAPES,
    words::SHAPES,
];

/// Every group, in the order of the reference.
pub static GROUPS: &[&Group] = &[
    &globals::GROUP,
    &character_table::GROUP,
    &play::GROUP,
    &act::GROUP,
    &clip::GROUP,
    &clip_handle::GROUP,
    &material::GROUP,
    &decal::GROUP,
    &particles::GROUP,
    &crowd::GROUP,
    &smart_object::GROUP,
    &flock::GROUP,
    &survey::GROUP,
    &trail::GROUP,
    &paths::GROUP,
    &listen::GROUP,
    &mark_handle::GROUP,
    &stack::GROUP,
    &pose_handle::GROUP,
    &secondary::GROUP,
    &face::GROUP,
    &shown_handle::GROUP,
    &expression::GROUP,
    &words::GROUP,
    &line_handle::GROUP,
    &conversation::GROUP,
    &conversation_handle::GROUP,
    &machine::GROUP,
    &running::GROUP,
    &input::GROUP,
    &sound::GROUP,
    &sound_handle::GROUP,
    &camera::GROUP,
    &light::GROUP,
    &lamp_handle::GROUP,
    &ground::GROUP,
    &hair_cut::GROUP,
    &physics::GROUP,
    &force::GROUP,
    &grab::GROUP,
    &ui::GROUP,
    &ui_handle::GROUP,
];

/// Puts the API into the VM's globals.
pub(super) fn register(lua: &Lua) -> mlua::Result<()> {
    register_groups(lua, GROUPS)?;
    act::register(lua)
}

/// Puts groups into the VM's globals.
pub fn register_groups(lua: &Lua, groups: &'static [&'static Group]) -> mlua::Result<()> {
    let globals = lua.globals();
    for group in groups {
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
    Ok(())
}

/// Bytes of texts from which a call counts for more than a call.
const LONG_TEXT: usize = 1024;

fn native(lua: &Lua, group: &'static Group, f: &'static Function) -> mlua::Result<mlua::Function> {
    let is_own = move |value: &Value| Type::Object(group.name).check(value).is_ok();
    // As many as it may take come without a list of their own.
    if f.params.is_empty() && group.kind != Kind::Object {
        return lua.create_function(move |lua, values: MultiValue| {
            if !values.is_empty() {
                return call(lua, group, f, values.into_iter().collect(), is_own);
            }
            let value = (f.call)(lua, Args::none())?;
            uses::note(Use::Called(group.name, f.name));
            Ok(value)
        });
    }
    lua.create_function(move |lua, values: Given| call(lua, group, f, listed(values), is_own))
}

/// Arguments of a call: the first ones, and those that are more.
type Given = (Value, Value, Value, Value, MultiValue);

fn listed((a, b, c, d, more): Given) -> Values {
    let first = [a, b, c, d];
    let last = |values: &[Value]| values.iter().rposition(|value| !value.is_nil());
    if more.is_empty() {
        let n = last(&first).map_or(0, |last| last + 1);
        return Values::from_buf_and_len(first, n);
    }
    let mut values = Values::from_buf(first);
    values.extend(more);
    values.truncate(last(&values).map_or(0, |last| last + 1));
    values
}

fn call(
    lua: &Lua,
    group: &'static Group,
    f: &'static Function,
    values: Values,
    is_own: impl Fn(&Value) -> bool,
) -> mlua::Result<Value> {
    let texts = values.iter().filter_map(Value::as_string);
    let bytes: usize = texts.map(|text| text.as_bytes().len()).sum();
    if bytes > LONG_TEXT {
        charge(lua, bytes as u64 / 8)?;
    }
    let args = Args::checked(group, f.name, f.params, values, is_own)?;
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
            let hint = galatea_math::names::nearest_hint(&key, names);
            Err(mlua::Error::runtime(format!(
                "{} has no {key:?}{hint}",
                group.name
            )))
        })?,
    )?;
    meta.raw_set("__metatable", false)?;
    table.set_metatable(Some(meta))
}

/// Gives a userdata type its name and its properties from its table.
pub fn add_properties<T: 'static, F: UserDataFields<T>>(group: &'static Group, fields: &mut F) {
    fields.add_meta_field(MetaMethod::Type, group.name);
    for property in group.properties {
        fields.add_field_method_get(property.name, |lua, this: &T| {
            let value = (property.get)(lua, Args::of_property(this, Value::Nil))?;
            uses::note(Use::Read(group.name, property.name));
            Ok(value)
        });
        let Some((ty, set)) = &property.set else {
            continue;
        };
        let set = move |lua: &Lua, this: &T, value: Value| {
            if let Err(wrong) = ty.check(&value) {
                let name = property.name;
                return Err(mlua::Error::runtime(format!("{name}: {wrong}")));
            }
            set(lua, Args::of_property(this, value))?;
            uses::note(Use::Written(group.name, property.name));
            Ok(())
        };
        // Who takes an object may call the script back, which may look at this one meanwhile; the way for
        // that is longer.
        if matches!(ty, Type::Object(_)) {
            fields.add_field_function_set(
                property.name,
                move |lua, this: AnyUserData, value: Value| set(lua, &*this.borrow::<T>()?, value),
            );
        } else {
            fields.add_field_method_set(property.name, move |lua, this: &mut T, value: Value| {
                set(lua, this, value)
            });
        }
    }
}

/// Gives a userdata type its methods from its table, and says what it has not.
pub fn add_object<T: 'static, M: UserDataMethods<T>>(group: &'static Group, methods: &mut M) {
    let is_own = |value: &Value| value.as_userdata().is_some_and(AnyUserData::is::<T>);
    let waits = |name: &str| group.name == act::GROUP.name && act::waits(name);
    for f in group.functions.iter().filter(|f| !waits(f.name)) {
        methods.add_function(f.name, move |lua, values: Given| {
            call(lua, group, f, listed(values), is_own)
        });
    }
    methods.add_meta_function("__index", move |lua, (_, key): (Value, Value)| {
        let name = key.to_string().unwrap_or_default();
        if waits(&name) {
            return act::method(lua, &name);
        }
        Err(unknown(group, &name))
    });
    methods.add_meta_function(
        "__newindex",
        move |_, (_, key, _): (Value, Value, Value)| -> mlua::Result<()> {
            let name = key.to_string().unwrap_or_default();
            let known = group.properties.iter().any(|p| p.name == name);
            if !known {
                return Err(unknown(group, &name));
            }
            Err(mlua::Error::runtime(format!(
                "{name} of a {} cannot be set",
                group.name
            )))
        },
    );
}

fn unknown(group: &Group, name: &str) -> mlua::Error {
    let names = group
        .functions
        .iter()
        .map(|f| f.name)
        .chain(group.properties.iter().map(|p| p.name));
    let hint = galatea_math::names::nearest_hint(name, names);
    mlua::Error::runtime(format!("a {} has no {name:?}{hint}", group.name))
}
