//! Global functions: characters, printing, tables that are kept over hot reloads, the clock.

use mlua::{Lua, Table, Value};

use super::character::{CharacterOptions, character};
use super::check::{Args, Options, Param, Type};
use super::group::{Function, Group, Kind};
use super::values::displayed;
use crate::budget::charge;
use crate::kept_tables::{Renewed, Shared, deep_copy, merge_defaults};
use crate::world::with_world;

/// Maximum number of tables that a script may keep.
const MAX_KEPT_TABLES: usize = 1000;

fn keep_on_reload(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(0).unwrap_or_default();
    let defaults = args.table(1).map_or_else(|| lua.create_table(), Ok)?;
    let (shared, renewed) = with_world(lua, |world| {
        let (sources, keeps) = (&world.program.sources, &world.program.reload_tables);
        let mut renewed = Renewed::default();
        renewed.pair_modules(&sources.modules_before, &sources.modules);
        Ok((Shared::of(&sources.modules, keeps), renewed))
    })?;
    let (defaults, n_entries) = deep_copy(lua, &defaults, &shared)?;
    charge(lua, 4 * n_entries as u64)?;
    let known: Option<Table> = with_world(lua, |world| {
        let keeps = &world.program.reload_tables;
        Ok(keeps
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, table)| table.clone()))
    })?;
    let table = match known {
        Some(table) => {
            renewed.put_into(&table, true)?;
            table
        }
        None => {
            let table = lua.create_table()?;
            with_world(lua, |world| {
                let keeps = &mut world.program.reload_tables;
                if keeps.len() >= MAX_KEPT_TABLES {
                    return Err(mlua::Error::runtime(format!(
                        "keep_on_reload: the limit is {MAX_KEPT_TABLES} tables"
                    )));
                }
                keeps.push((name, table.clone()));
                Ok(())
            })?;
            table
        }
    };
    merge_defaults(&table, &defaults)?;
    Ok(Value::Table(table))
}

fn print(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let mut line = String::new();
    let mut i = 0;
    while i < args.count() {
        if i > 0 {
            line.push('\t');
        }
        line.push_str(&displayed(&args.value(i))?);
        i += 1;
    }
    with_world(lua, |world| {
        match &mut world.echo {
            Some(echo) => echo.push(line),
            None => world.print(line),
        }
        Ok(Value::Nil)
    })
}

fn now(lua: &Lua, _: Args) -> mlua::Result<Value> {
    with_world(lua, |world| Ok(Value::Number(world.now())))
}

fn random_range(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let low = args.number(0).unwrap_or(0.0);
    let high = args.number(1).unwrap_or(1.0);
    with_world(lua, |world| {
        Ok(Value::Number(low + (high - low) * world.stage.rng.unit()))
    })
}

fn show_bones(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let show = args.bool(0).unwrap_or(true);
    with_world(lua, |world| {
        world.stage.picture.show_bones = show;
        Ok(Value::Nil)
    })
}

/// The global functions.
pub(super) static GROUP: Group = Group {
    kind: Kind::Globals,
    name: "globals",
    doc: "These functions are called without a prefix. A script may also define these functions itself, which \
          Galatea then calls:\n\n\
          - `update(dt)` is called in every tick. `dt` is the time since the last tick, in seconds.\n\
          - `update_unscaled(dt)` is called 60 times per second of real time: also while the game is paused, and as often \
          in slow motion. Use it for menus. The module `time` controls pauses and slow motion.\n\
          - `on_reload(old, changes)` is called after a hot reload: you saved a script during the game, and Galatea \
          loaded it again. `old` contains the `keep_on_reload` tables of the previous version, by name. `changes` is \
          a list of lines of text that describe the changes.\n\
          - `on_load(extra)` is called after a saved game was loaded, with the table that was given to `save`. Machines and \
          listeners that the script made while it ran have lost their functions; here you can make them again.",
    functions: &[
        super::task::ALONE,
        super::timer::AFTER,
        super::timer::EVERY,
        super::particles::PARTICLES,
        super::crowd::CROWD,
        super::smart_object::SMART_OBJECT,
        super::flock::FLOCK,
        super::crowd_stats::CROWD_STATS,
        super::scent_field::SCENT_FIELD,
        super::navmesh::NAVMESH,
        Function {
            name: "character",
            params: &[
                Param {
                    name: "file",
                    ty: Type::Text,
                    optional: false,
                },
                Param::options(CharacterOptions::SHAPE),
            ],
            returns: "Character",
            doc: "Adds a character or a prop from a model file. Give options as a second argument: `character(\"a.glb\", { \
                  position = … })`. You may also write them after the file: `character \"a.glb\" { position = … }`. In this \
                  short form, the options `name`, `clips`, `skinning`, `skinning_mode` and `forward_axis` are not allowed, \
                  because they change how the model is loaded.\n\n\
                  If a file is first used while the scene runs, it is loaded then, and the picture freezes until it is \
                  ready. To load it at the start, name the file in the main part of the script, outside of functions.",
            example: "local hero = character(\"assets/galatea.glb\", { name = \"hero\", position = vec(0, 0, 0) })\nlocal other = character \"assets/galatea.glb\" { position = vec(1, 0, 0) }",
            call: character,
        },
        super::lookup::CHARACTERS,
        super::lookup::FIND_CHARACTER,
        super::lookup::VEC,
        Function {
            name: "keep_on_reload",
            params: &[
                Param {
                    name: "name",
                    ty: Type::Text,
                    optional: false,
                },
                Param {
                    name: "defaults",
                    ty: Type::Table("{ [string]: any }"),
                    optional: true,
                },
            ],
            returns: "{ [string]: any }",
            doc: "Returns a table that keeps its values over a hot reload (you save the script, and Galatea loads it \
                  again). Fields of `defaults` that the table does not have yet are added to it.",
            example: "local game = keep_on_reload(\"game\", { score = 0 })",
            call: keep_on_reload,
        },
        Function {
            name: "now",
            params: &[],
            returns: "number",
            doc: "Returns the time since the start of the game, in seconds. Inside a listener it is the time of the event.",
            example: "print(now())",
            call: now,
        },
        Function {
            name: "random_range",
            params: &[
                Param {
                    name: "low",
                    ty: Type::Number,
                    optional: true,
                },
                Param {
                    name: "high",
                    ty: Type::Number,
                    optional: true,
                },
            ],
            returns: "number",
            doc: "Returns a random number between `low` (default 0) and `high` (default 1). The sequence of numbers is the \
                  same in every run.",
            example: "local pitch = random_range(0.9, 1.1)",
            call: random_range,
        },
        Function {
            name: "print",
            params: &[],
            returns: "",
            doc: "Prints any number of values in one line of the terminal, with tabs between them.",
            example: "print(\"hello\", 1 + 1)",
            call: print,
        },
        Function {
            name: "show_bones",
            params: &[Param {
                name: "visible",
                ty: Type::Bool,
                optional: true,
            }],
            returns: "",
            doc: "Shows or hides the bones of all characters. The default of `visible` is true.",
            example: "show_bones(false)",
            call: show_bones,
        },
        super::saves::SAVE,
        super::saves::LOAD,
        super::saves::SAVES,
        super::saves::DELETE_SAVE,
        super::debug_view::DEBUG_VIEW,
        super::secondary::WIND,
        super::fabric::ROPE,
        super::fabric::CLOTH,
    ],
    properties: &[],
};
