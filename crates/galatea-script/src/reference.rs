//! The reference page and the editor definitions, generated from the registration tables.

use std::fmt::Write as _;

use super::api::check::{Field, Param, Shape, Type};
use super::api::event_types::{CONVERSATION, EVENT, EVENTS, MARKER_EVENT};
use super::api::group::{Function, Group, Kind};
use super::api::groups::{GROUPS, NAMED};
use super::overloads::{Overload, overloads};
use super::shapes::shapes;
use super::testing::methods::METHODS;

/// Generates the API reference as Markdown.
pub fn markdown() -> String {
    let mut out = String::from(
        "# The Lua API\n\nThis page lists every function, method, property and option that a script can use. It is generated \
         from the program. [Scripting](scripting.md) explains how scripts run, and the [glossary](glossary.md) explains \
         terms. In the examples, `hero` is a character.\n\n\
         - **Language**: Luau. Code for Lua 5.1 also runs, and type annotations are optional. The libraries \
         `math`, `string`, `table`, `coroutine`, `bit32`, `utf8`, `buffer` and `vector` exist; `io`, `os` and \
         `load` do not. `require \"name\"` runs `scripts/name.lua` once and returns its result.\n\
         - **Vectors**: `vec(x, y, z)`. Read a component with `v.x`, calculate with `+ - * /`, and use \
         functions such as `vector.magnitude(v)`, `vector.normalize(v)` and `vector.dot(v, w)`.\n\
         - **Units**: metres, seconds, kilograms, and degrees for angles. A tick is a simulation step of 1/60 s.\n\
         - **Axes**: right-handed, +Y is up. A character with `yaw` 0 looks along +Z, and its left is +X.\n\
         - **Colours**: linear RGB, a vector of red, green and blue from 0 to 1. Image editors show sRGB values \
         instead: their middle grey, 0.5, is 0.21 here.\n\
         - **Headings**: `character:play(clip, options?) -> Play` is a method. Call it on a value, as in \
         `hero:play(\"wave\")`. A parameter whose name ends with `?` may be left out. The type after `->` is that \
         of the result. If the only argument is a table or a text, you may leave out the parentheses: `crowd { \
         count = 5 }` is the same as `crowd({ count = 5 })`.\n\
         - **Tables of options**: the second column gives the type of a value, then its unit and the range of \
         allowed numbers. If the column *default* is empty, the option has no effect unless you set it, or its \
         default depends on other values.\n",
    );
    write_groups(&mut out, GROUPS);
    write_tests(&mut out);
    out
}

/// Generates the reference of recipes as Markdown. `groups` are the functions of recipes.
pub fn recipes_markdown(groups: &[&'static Group]) -> String {
    let mut out = String::from(
        "# The recipe API\n\nAll functions that a recipe can call, generated from the registration tables. [Characters from \
         recipes](forge.md) explains how to write a recipe. Units are metres and degrees. +Y is up, the model faces +Z, and +X is its \
         left.\n",
    );
    write_groups(&mut out, groups);
    out
}

/// Generates the page of all events as Markdown.
pub fn events_markdown() -> String {
    let mut out = String::from(
        "# Events\n\nThis page lists every event that a script can listen to. An event is a message: a foot touches the ground, \
         a clip passes a marker, a character is hit. The listener, a function of yours, gets a table with the fields below.\n\n\
         ```lua\nhero:on(\"step\", function(e) print(e.foot, e.position, e.surface) end)\n\
         hero:once(\"land\", function(e) print(\"landed at\", e.speed, \"m/s\") end)\n```\n\n\
         `hero:on(name, listener)` calls the function for every event with this name, `hero:once` for the next one only, and \
         `hero:on(\"*\", listener)` for all events. In a task, `t:wait(name)` waits for an event and returns its table. \
         A state of a machine can listen too: `state \"walk\" { \"walk\", on = { step = function(me, e) … end } }`.\n\n\
         The events of a tick are delivered at its end, after the animation, in the order of their times. A `?` after a type \
         means that the field can be nil.\n\n## All events of characters\n",
    );
    write_event_fields(&mut out, "every event", EVENT.all());
    for event in EVENTS {
        let names: Vec<String> = event.names.iter().map(|name| format!("`{name}`")).collect();
        let _ = write!(out, "\n## {}\n\n{}.\n", names.join(", "), event.shape.doc);
        let own = event.shape.all();
        let own = own
            .into_iter()
            .filter(|field| EVENT.field(field.name).is_none());
        write_event_fields(&mut out, &names.join(", "), own.collect());
    }
    let _ = write!(
        out,
        "\n## Markers of clips\n\n{}. The name of the event is the name of the marker, such as `hit` or `swing`. Markers come \
         from the model file or from `hero:add_marker`. The fields of the marker itself are in the table too.\n",
        MARKER_EVENT.doc
    );
    let own = MARKER_EVENT.all();
    let own = own
        .into_iter()
        .filter(|field| EVENT.field(field.name).is_none());
    write_event_fields(&mut out, "the event of a marker", own.collect());
    let _ = write!(
        out,
        "\n## Conversations\n\nListen to these events with `talk:on(name, listener)`, where `talk` is the conversation. {}.\n",
        CONVERSATION.doc
    );
    write_event_fields(&mut out, "the events of a conversation", CONVERSATION.all());
    out.push_str(
        "\n## Crowds\n\nAgents of a crowd have no listeners. The state of an agent reacts to an event under `on`. The reaction \
         is the next state, `on = { arrived = \"rest\" }`, or a function, which gets the crowd, the number of the agent and the \
         subject of the event. Scripts send events with `people:send(i, name, subject)` and \
         `people:send_near(position, radius, name)`.\n\n\
         | event of a crowd | when an agent gets it | subject of the event |\n|---|---|---|\n\
         | `arrived` | the agent has reached its goal | |\n\
         | `no_path` | no path leads to the goal of the agent | |\n\
         | `found` | the agent is near a position of `detect` | that position |\n\
         | `met` | the agent and another one walk towards each other, and the states of both react to this event | number of the \
         other agent |\n\
         | `clip_end` | the clip of a state with `once = true` has ended | |\n\
         | `timeout` | the `duration` of the agent's state is over, and the state has no `next` | |\n\
         | `use` | the agent begins to use a smart object | the object |\n\
         | `use_end` | the agent has stopped using a smart object | the object |\n",
    );
    out
}

fn write_event_fields(out: &mut String, name: &str, fields: Vec<&'static Field>) {
    if fields.is_empty() {
        return;
    }
    let _ = write!(
        out,
        "\n| field of {name} | type | meaning |\n|---|---|---|\n"
    );
    for field in fields {
        let optional = if field.is_required { "" } else { "?" };
        let _ = writeln!(
            out,
            "| `{}` | `{}{optional}` | {} |",
            field.name,
            field.ty.luau().replace('|', "\\|"),
            field.meaning().replace('|', "\\|")
        );
    }
}

fn write_groups(out: &mut String, groups: &[&'static Group]) {
    for group in groups {
        let title = match group.kind {
            Kind::Globals => group.name.to_owned(),
            Kind::Module => format!("`{}`", group.name),
            Kind::Object => format!("`{}` values", group.name),
        };
        let _ = write!(out, "\n## {title}\n\n{}\n", group.doc);
        for property in group.properties {
            let access = if property.is_settable() {
                ""
            } else {
                ", read only"
            };
            let _ = write!(
                out,
                "\n### `.{}`: `{}`{access}\n\n{}\n",
                property.name, property.ty, property.doc
            );
        }
        for function in group.functions {
            let _ = write!(
                out,
                "\n### `{}`\n\n{}\n",
                signature(group, function),
                function.doc
            );
            let call = call_of(group, function);
            for param in function.params {
                write_fields(out, &call, &param.ty, param.name);
            }
            if let Some(shape) = shape_after(function) {
                write_tables(out, &call, [("the table".to_owned(), shape.all())]);
            }
            let _ = write!(out, "\n```lua\n{}\n```\n", function.example);
        }
    }
}

/// Text about tests above the table of the methods.
const TESTS: &str = "
## Tests

`galatea test` runs the tests in the files `tests/*.lua`, without a window and as fast as it can. Each test has a scene of
its own; `require \"main\"` runs the project's main script in it. The files run in parallel, one per processor (`--jobs N`
sets the number). The report lists the files in order, with simulated times, and is the same on every run.

The report of a failed test gives the line and the time, the state and the parameters of each machine, and up to twelve
markers of the last second from the event logs. With `--pictures FOLDER`, an image of its scene is saved in that folder.

```lua
test(\"pressing w makes her walk\", function(t)
	require \"main\"
	local hero = t:first_character()
	t:press(\"w\")
	t:run(2)
	t:expect_state(hero, \"move\")
	t:expect_event(hero, \"step\", { last_seconds = 1 })
	t:release(\"w\")
	t:wait_for(function() return hero.machine:state() == \"idle\" end, 1.5)
end)
```

| method of `t` | what it does |
|---|---|
";

fn write_tests(out: &mut String) {
    out.push_str(TESTS);
    for method in METHODS {
        let call = format!("t:{}({})", method.name, param_names(method.params));
        let _ = writeln!(out, "| `{call}` | {} |", method.doc);
    }
}

/// Table taken by the function that `function` returns, as in `state "idle" { … }`.
fn shape_after(function: &Function) -> Option<&'static Shape> {
    let (name, _) = function.returns.strip_prefix('(')?.split_once(") -> ")?;
    let mut named = NAMED.iter().copied().flatten().copied();
    named.find(|shape| shape.name == name)
}

fn write_fields(out: &mut String, call: &str, ty: &'static Type, name: &'static str) {
    let mut tables = Vec::new();
    tables_of(ty, name, &mut tables);
    let tables = tables
        .into_iter()
        .map(|(name, fields)| (format!("`{name}`"), fields));
    write_tables(out, call, tables);
}

/// Writes tables of fields. `call` is the function that takes them.
fn write_tables(
    out: &mut String,
    call: &str,
    tables: impl IntoIterator<Item = (String, Vec<&'static Field>)>,
) {
    for (name, fields) in tables {
        let _ = write!(
            out,
            "\n| field of {name} in `{call}` | type, unit and range | default | meaning |\n|---|---|---|---|\n"
        );
        for field in fields {
            let default = match field.default {
                _ if field.is_required => "required".to_owned(),
                "" => String::new(),
                default => default.replace('|', "\\|"),
            };
            let values = match field.unit_and_limits() {
                values if values.is_empty() => values,
                values => format!(", {values}"),
            };
            let _ = writeln!(
                out,
                "| `{}` | `{}`{values} | {default} | {} |",
                field.name,
                field.ty.luau().replace('|', "\\|"),
                field.doc.replace('|', "\\|")
            );
        }
    }
}

/// Collects the options tables nested in a type, each under the name of its parameter or field.
fn tables_of(
    ty: &'static Type,
    name: &'static str,
    tables: &mut Vec<(&'static str, Vec<&'static Field>)>,
) {
    let fields = match ty {
        Type::Options(shape) => shape.all(),
        Type::List(of) | Type::Map(of) => return tables_of(of, name, tables),
        Type::OneOf(types) => return types.iter().for_each(|ty| tables_of(ty, name, tables)),
        _ => return,
    };
    tables.push((name, fields.clone()));
    for field in fields {
        tables_of(&field.ty, field.name, tables);
    }
    if let Type::Options(shape) = ty {
        let entries = shape.entries.into_iter().flat_map(shapes_of);
        tables.extend(entries.map(|entry| (entry.name, entry.all())));
    }
}

/// Shapes among the alternatives of a type.
fn shapes_of(ty: &'static Type) -> Vec<&'static Shape> {
    match ty {
        Type::Options(shape) => vec![*shape],
        Type::OneOf(types) => types.iter().flat_map(shapes_of).collect(),
        _ => Vec::new(),
    }
}

/// Fields of an options table, in all its alternatives.
pub(super) fn fields_of(ty: &'static Type) -> Vec<&'static Field> {
    match ty {
        Type::Options(shape) => shape.all(),
        Type::OneOf(types) => types.iter().flat_map(fields_of).collect(),
        _ => Vec::new(),
    }
}

/// Signature of a function: owner, name, parameters and result.
pub(super) fn signature(group: &Group, function: &Function) -> String {
    let returns = if function.returns.is_empty() {
        String::new()
    } else {
        format!(" -> {}", function.returns)
    };
    let call = call_of(group, function);
    format!("{call}({}){returns}", param_names(function.params))
}

/// Name of a function with its owner: `print`, `sound.play` or `character:play`.
fn call_of(group: &Group, function: &Function) -> String {
    match group.kind {
        Kind::Globals => function.name.to_owned(),
        Kind::Module => format!("{}.{}", group.name, function.name),
        Kind::Object => format!("{}:{}", group.name.to_lowercase(), function.name),
    }
}

fn param_names(params: &[Param]) -> String {
    let names: Vec<String> = params
        .iter()
        .map(|param| {
            if param.optional {
                format!("{}?", param.name)
            } else {
                param.name.to_owned()
            }
        })
        .collect();
    names.join(", ")
}

/// Generates Luau definitions for luau-lsp (`galatea.d.luau`).
pub fn luau_definitions() -> String {
    let mut out = String::from("-- Written by `galatea stubs`. Definitions for luau-lsp.\n\n");
    out.push_str("declare class MachineDefinition\nend\n\ndeclare class MachinePiece\nend\n\ndeclare class ClipDefinition\nend\n");
    for shape in shapes(GROUPS, METHODS.iter().flat_map(|method| method.params)).into_values() {
        let _ = write!(out, "\n-- {}\nexport type {} = {{\n", shape.doc, shape.name);
        for field in shape.all() {
            let _ = writeln!(out, "\t{},", field.luau());
        }
        if let Some(entries) = shape.entries {
            let _ = writeln!(out, "\t[number]: {},", entries.luau());
        }
        out.push_str("}\n");
    }
    let objects = GROUPS.iter().filter(|group| group.kind == Kind::Object);
    for group in objects {
        let _ = write!(out, "\ndeclare class {}\n", group.name);
        for property in group.properties {
            let ty = if property.name == "machine" {
                "any"
            } else {
                property.ty
            };
            let _ = writeln!(out, "\t{}: {ty}", property.name);
        }
        for f in group.functions {
            let overloads = overloads(group, f);
            if !overloads.is_empty() {
                write_overloads(&mut out, group, f, &overloads);
                continue;
            }
            let params = luau_params(f.params);
            let comma = if params.is_empty() { "" } else { ", " };
            let _ = writeln!(
                out,
                "\tfunction {}(self{comma}{params}): {}",
                f.name,
                luau_returns(f.returns)
            );
        }
        out.push_str("end\n");
    }
    for group in GROUPS.iter().filter(|group| group.kind == Kind::Module) {
        let _ = write!(out, "\ndeclare {}: {{\n", group.name);
        for f in group.functions {
            let _ = writeln!(
                out,
                "\t{}: ({}) -> {},",
                f.name,
                luau_params(f.params),
                luau_returns(f.returns)
            );
        }
        out.push_str("}\n");
    }
    out.push('\n');
    for group in GROUPS.iter().filter(|group| group.kind == Kind::Globals) {
        for f in group.functions {
            let params = if f.name == "print" {
                "...: any".to_owned()
            } else {
                luau_params(f.params)
            };
            // The result of `character` can also be called with the options, as in `character "file" { … }`.
            let returns = match f.params {
                [_, options] if f.name == "character" => {
                    format!(
                        "Character & ((options: {}) -> Character)",
                        options.ty.luau()
                    )
                }
                _ => luau_returns(f.returns).to_owned(),
            };
            let _ = writeln!(out, "declare function {}({params}): {returns}", f.name);
        }
    }
    write_test_class(&mut out);
    out
}

/// Writes an overloaded method as a field whose type is the intersection of the method's types.
fn write_overloads(out: &mut String, group: &Group, function: &Function, overloads: &[Overload]) {
    let types = overloads.iter().map(|overload| {
        let own = ("self", group.name.to_owned());
        let params = std::iter::once(&own).chain(&overload.params);
        let params: Vec<String> = params.map(|(name, ty)| format!("{name}: {ty}")).collect();
        format!("(({}) -> {})", params.join(", "), overload.returns)
    });
    let types: Vec<String> = types.collect();
    let _ = writeln!(out, "\t{}: {}", function.name, types.join("\n\t\t& "));
}

/// Writes the class of the object `t` of a test, for luau-lsp.
fn write_test_class(out: &mut String) {
    out.push_str("\ndeclare class Test\n");
    for method in METHODS {
        let params = luau_params(method.params);
        let comma = if params.is_empty() { "" } else { ", " };
        let _ = writeln!(
            out,
            "\tfunction {}(self{comma}{params}): {}",
            method.name,
            luau_returns(method.returns)
        );
    }
    out.push_str("end\n\ndeclare function test(name: string, run: (t: Test) -> ()): ()\n");
}

fn luau_params(params: &[Param]) -> String {
    let params: Vec<String> = params
        .iter()
        .map(|param| {
            let ty = param.ty.luau();
            if param.optional {
                format!("{}: ({ty})?", param.name)
            } else {
                format!("{}: {ty}", param.name)
            }
        })
        .collect();
    params.join(", ")
}

fn luau_returns(returns: &'static str) -> &'static str {
    if returns.is_empty() { "()" } else { returns }
}

/// Examples of the reference, with the names of their functions.
pub fn examples() -> Vec<(String, &'static str)> {
    GROUPS
        .iter()
        .flat_map(|group| {
            group
                .functions
                .iter()
                .map(|f| (signature(group, f), f.example))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::METHODS;

    #[test]
    fn every_method_of_a_test_is_in_the_table_and_in_the_reference() {
        let written = include_str!("testing/testing.luau").lines();
        let written: Vec<&str> = written
            .filter_map(|line| line.strip_prefix("function methods:")?.split('(').next())
            .collect();
        let declared: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
        assert_eq!(written, declared);
        let (page, stubs) = (super::markdown(), super::luau_definitions());
        for name in declared {
            assert!(page.contains(&format!("| `t:{name}(")), "{name}");
            assert!(stubs.contains(&format!("\tfunction {name}(self")), "{name}");
        }
        assert!(stubs.contains("declare function test(name: string, run: (t: Test) -> ()): ()"));
    }
}
