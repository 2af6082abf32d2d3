//! Binds the tables of the API to Lua: every call is checked against its table and charged to the budget.

use std::fmt;

use mlua::{
    AnyUserData, Lua, MetaMethod, MultiValue, Table, UserDataFields, UserDataMethods, Value,
};

use super::argument_limits::ArgumentLimits;
use super::costs::{LISTED_STEPS, steps_of, steps_of_property};
use super::group::{Args, Function, Group, Kind, Native, Values};
use super::read_only::read_only;
use super::types::{Type, check_params};
use super::uses::{self, Use};
use crate::budget::{FAILURE_STEPS, charge, owe};
use crate::timing;
use galatea_guard::{Activity, contained};

/// Adds groups to the globals of the VM.
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

/// Length of text arguments from which a call costs more, bytes.
const LONG_TEXT: usize = 1024;

/// Creates the Lua function of a function of the API.
///
/// # Errors
/// Returns an error if the VM is out of memory.
pub(super) fn native(
    lua: &Lua,
    group: &'static Group,
    f: &'static Function,
) -> mlua::Result<mlua::Function> {
    let is_own = move |value: &Value| Type::Object(group.name).check(value).is_ok();
    // Calls without arguments avoid a list of values.
    if f.params.is_empty() && group.kind != Kind::Object {
        let steps = steps_of(group.name, f.name);
        return lua.create_function(move |lua, values: MultiValue| {
            if !values.is_empty() {
                return call(lua, group, f, steps, values.into_iter().collect(), is_own);
            }
            let value = run(lua, group, f.name, steps, f.call, Args::none())?;
            uses::note(Use::Called(group.name, f.name));
            Ok(value)
        });
    }
    let steps = steps_of(group.name, f.name);
    lua.create_function(move |lua, values: CallArguments| {
        call(lua, group, f, steps, listed(values), is_own)
    })
}

/// Arguments of a call: the first four, and the rest.
type CallArguments = (Value, Value, Value, Value, MultiValue);

fn listed((a, b, c, d, more): CallArguments) -> Values {
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
    steps: u64,
    values: Values,
    is_own: impl Fn(&Value) -> bool,
) -> mlua::Result<Value> {
    let texts = values.iter().filter_map(Value::as_string);
    let bytes: usize = texts.map(|text| text.as_bytes().len()).sum();
    if bytes > LONG_TEXT {
        charge(lua, bytes as u64 / 8)?;
    }
    let args = checked(lua, group, f, values, is_own).inspect_err(|_| owe(FAILURE_STEPS))?;
    let value = run(lua, group, f.name, steps, f.call, args)?;
    uses::note(Use::Called(group.name, f.name));
    Ok(value)
}

/// Runs the Rust part of a function or property. A panic in it becomes an error of the script at that line.
fn run(
    lua: &Lua,
    group: &'static Group,
    name: &'static str,
    steps: u64,
    native: Native,
    args: Args,
) -> mlua::Result<Value> {
    let began = timing::begin(lua);
    owe(steps);
    let (owner, separator) = group.prefix();
    let activity = Activity::Call(owner, separator, name);
    let result = contained(activity, || native(lua, args))
        .unwrap_or_else(|caught| Err(mlua::Error::runtime(caught.notice)));
    match &result {
        Ok(Value::Table(list)) => owe(LISTED_STEPS * list.raw_len() as u64),
        Ok(_) => {}
        Err(_) => owe(FAILURE_STEPS),
    }
    timing::end(lua, began, group.name, name);
    result
}

/// Arguments of a call, checked against the parameters of the function.
///
/// # Errors
/// Returns an error for a missing argument, an extra argument, or an argument of the wrong type. The message names the
/// function and the parameter.
fn checked(
    lua: &Lua,
    group: &'static Group,
    f: &'static Function,
    values: Values,
    is_own: impl Fn(&Value) -> bool,
) -> mlua::Result<Args<'static>> {
    let call = || group.call_of(f);
    let given = if group.kind == Kind::Object {
        if !values.first().is_some_and(is_own) {
            return Err(mlua::Error::runtime(format!(
                "{} is a method: write object:{}(…) with a colon",
                call(),
                f.name
            )));
        }
        &values[1..]
    } else {
        &values[..]
    };
    let variadic = f.params.is_empty() && f.name == "print";
    if !variadic {
        check_params(call, f.params, given)
            .map_err(|wrong| mlua::Error::runtime(with_example(wrong, f)))?;
        let limits = lua.app_data_ref::<ArgumentLimits>().map(|limits| *limits);
        limits.map_or(Ok(()), |limits| limits.check(lua, call, f.params, given))?;
    }
    Ok(Args::of_call(group, f, values))
}

/// Appends an example of the call to a message about its arguments. A message about one option needs none.
fn with_example(wrong: String, f: &Function) -> String {
    let is_about_option = wrong.contains(": field ") || wrong.contains(": unknown field ");
    match f.example_line().filter(|_| !is_about_option) {
        Some(example) => format!("{wrong}; example: {example}"),
        None => wrong,
    }
}

/// Makes reading an unknown name of a module an error, which names the nearest valid name.
fn guard_module(lua: &Lua, group: &'static Group, table: &Table) -> mlua::Result<()> {
    let meta = lua.create_table()?;
    meta.raw_set(
        "__index",
        lua.create_function(move |_, (_, key): (Value, Value)| -> mlua::Result<Value> {
            Err(unknown(group, key.to_string().unwrap_or_default()))
        })?,
    )?;
    meta.raw_set("__metatable", false)?;
    table.set_metatable(Some(meta))
}

/// Adds the name and the properties of a group to a userdata type.
pub fn add_properties<T: 'static, F: UserDataFields<T>>(group: &'static Group, fields: &mut F) {
    fields.add_meta_field(MetaMethod::Type, group.name);
    for property in group.properties {
        let steps = steps_of_property(group.name, property.name);
        fields.add_field_method_get(property.name, move |lua, this: &T| {
            let args = Args::of_property(this, Value::Nil);
            let value = run(lua, group, property.name, steps, property.get, args)?;
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
            let args = Args::of_property(this, value);
            run(lua, group, property.name, steps, *set, args)?;
            uses::note(Use::Written(group.name, property.name));
            Ok(())
        };
        // A setter with an object can call the script, which can read this object meanwhile. Therefore it only borrows
        // the object immutably, which is slower.
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

/// Adds the methods of a group to a userdata type, and errors for unknown names.
pub fn add_object<T: 'static, M: UserDataMethods<T>>(group: &'static Group, methods: &mut M) {
    add_object_with(group, methods, &[], |_, _| Ok(Value::Nil));
}

/// Does the same as [`add_object`], but takes the methods with the names `in_lua` from `method`.
pub(super) fn add_object_with<T: 'static, M: UserDataMethods<T>>(
    group: &'static Group,
    methods: &mut M,
    in_lua: &'static [&'static str],
    method: fn(&Lua, &str) -> mlua::Result<Value>,
) {
    let is_own = |value: &Value| value.as_userdata().is_some_and(AnyUserData::is::<T>);
    for f in group.functions.iter().filter(|f| !in_lua.contains(&f.name)) {
        let steps = steps_of(group.name, f.name);
        methods.add_function(f.name, move |lua, values: CallArguments| {
            call(lua, group, f, steps, listed(values), is_own)
        });
    }
    methods.add_meta_function("__index", move |lua, (_, key): (Value, Value)| {
        let name = key.to_string().unwrap_or_default();
        if in_lua.contains(&&*name) {
            return method(lua, &name);
        }
        Err(unknown(group, name))
    });
    methods.add_meta_function(
        "__newindex",
        move |_, (_, key, _): (Value, Value, Value)| -> mlua::Result<()> {
            let name = key.to_string().unwrap_or_default();
            if let Some(function) = group.functions.iter().find(|f| f.name == name) {
                let of = group.name;
                return Err(mlua::Error::runtime(match function.example_line() {
                    Some(example) => {
                        format!("{name} of a {of} is a function; call it, as in {example}")
                    }
                    None => format!("{name} of a {of} is a function; call it with `:{name}(…)`"),
                }));
            }
            if !group.properties.iter().any(|p| p.name == name) {
                return Err(unknown(group, name));
            }
            Err(mlua::Error::runtime(read_only(group, &name)))
        },
    );
}

/// Error for an unknown name in a group. The nearest known name is searched only when the message is displayed.
struct UnknownName {
    group: &'static Group,
    name: String,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { group, name } = self;
        if let Some(renamed) = group.renamed(name) {
            return f.write_str(&renamed);
        }
        let hint = group.hint(name);
        let article = if group.kind == Kind::Object { "a " } else { "" };
        write!(f, "{article}{} has no {name:?}{hint}", group.name)
    }
}

impl fmt::Debug for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for UnknownName {}

fn unknown(group: &'static Group, name: String) -> mlua::Error {
    owe(FAILURE_STEPS);
    mlua::Error::external(UnknownName { group, name })
}

#[cfg(test)]
mod tests {
    use super::super::check::{NumberRange, Options, Param};
    use super::*;
    use galatea_derive::Options;

    /// Speed of a walk.
    #[derive(Options)]
    struct PaceOptions {
        /// Metres per second.
        pace: NumberRange,
    }

    fn go(_: &Lua, args: Args) -> mlua::Result<Value> {
        let PaceOptions { pace } = args.options(0)?;
        Ok(Value::Number(f64::from(pace.0[1])))
    }

    fn fall(_: &Lua, _: Args) -> mlua::Result<Value> {
        panic!("asked for by a test")
    }

    static WALK: Group = Group {
        kind: Kind::Module,
        name: "walk",
        doc: "",
        functions: &[
            Function {
                name: "go",
                params: &[Param::options(PaceOptions::SHAPE)],
                returns: "number",
                doc: "",
                example: "",
                call: go,
            },
            Function {
                name: "fall",
                params: &[],
                returns: "",
                doc: "",
                example: "",
                call: fall,
            },
        ],
        properties: &[],
    };
    static GROUPS: &[&Group] = &[&WALK];

    #[test]
    fn a_wrong_option_is_reported_with_its_function_and_argument() {
        let lua = Lua::new();
        register_groups(&lua, GROUPS).unwrap();
        let call = |text: &str| lua.load(text).eval::<f64>();
        assert_eq!(call("walk.go { pace = { 1, 2 } }").unwrap(), 2.0);
        let wrong = call("walk.go { pace = { 2, 1 } }").unwrap_err().to_string();
        let expected = "walk.go: field \"pace\": expected a number or { min, max }, with \
            min not above max";
        assert!(wrong.contains(expected), "{wrong}");
    }

    #[test]
    fn an_internal_error_of_a_function_is_an_error_of_the_script() {
        let lua = Lua::new();
        register_groups(&lua, GROUPS).unwrap();
        let caught: bool = lua.load("return pcall(walk.fall)").eval().unwrap();
        assert!(!caught);
        let error = lua.load("walk.fall()").exec().unwrap_err();
        assert!(
            matches!(error, mlua::Error::CallbackError { .. }),
            "{error}"
        );
        assert_eq!(
            lua.load("return walk.go { pace = { 1, 2 } }")
                .eval::<f64>()
                .unwrap(),
            2.0
        );
    }
}
