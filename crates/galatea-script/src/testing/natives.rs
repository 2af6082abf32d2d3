//! Runtime functions for `testing.luau`, and the function `test` itself.

use std::cell::RefCell;

use mlua::{Function, Lua, MultiValue, Table, UserDataRef, Value};

use super::methods::{ExpectEventOptions, METHODS, RandomInputOptions};
use crate::api::character_ref::{CharacterRef, gone_from, reference};
use crate::api::check::{OptionValue, check_params};
use crate::api::event_check::check_event_name;
use crate::api::input::check_key;
use crate::api::renamed::{NameOwner, renamed};
use crate::api::running::check_state_name;
use crate::world::with_world;
use galatea_anim::Reason;
use galatea_character::Character;
use galatea_math::names::nearest_hint;
use galatea_stage::{InputEvent, Rng};

/// Runs a check on a character. Returns the error message, or nil if the check passes.
fn wrong_with(
    lua: &Lua,
    who: &CharacterRef,
    what: impl FnOnce(&Character) -> Result<(), String>,
) -> mlua::Result<Option<String>> {
    with_world(lua, |world| {
        let checked = match world.stage.characters.get(who.0) {
            None => Err(gone_from(&world.stage, who.0)),
            Some(character) => what(character),
        };
        Ok(checked.err())
    })
}

fn events(lua: &Lua, (who, name): (UserDataRef<CharacterRef>, String)) -> mlua::Result<Vec<f64>> {
    with_world(lua, |world| {
        let log = world.log.iter().flatten();
        Ok(log
            .filter(|(handle, known, _)| *handle == who.0 && *known == name)
            .map(|(_, _, time)| *time)
            .collect())
    })
}

fn wrong_name(
    lua: &Lua,
    (who, name): (UserDataRef<CharacterRef>, String),
) -> mlua::Result<Option<String>> {
    wrong_with(lua, &who, |character| {
        if name == "*" {
            return Err("\"*\" is not an event".to_owned());
        }
        check_event_name(character, &name)
    })
}

fn wrong_state(
    lua: &Lua,
    (who, name, layer): (UserDataRef<CharacterRef>, String, Option<String>),
) -> mlua::Result<Option<String>> {
    wrong_with(lua, &who, |character| {
        check_state_name(character, &name, layer.as_deref())
    })
}

fn first(lua: &Lua, (): ()) -> mlua::Result<Value> {
    let first = with_world(lua, |world| {
        let mut characters = world.stage.characters.iter();
        Ok(characters.next().map(|(handle, _)| handle))
    })?;
    match first {
        Some(handle) => reference(lua, handle),
        None => Ok(Value::Nil),
    }
}

/// Character with a name, else the first one made from a file: its whole path or the end of it, with or without
/// extension.
fn find(lua: &Lua, name: String) -> mlua::Result<Value> {
    let found = with_world(lua, |world| {
        let characters = &world.stage.characters;
        if let Some(named) = characters.named(&name) {
            return Ok(named);
        }
        let mut all = characters.iter();
        let from_file = all.find(|(_, character)| is_of_file(character, &name));
        from_file.map(|(handle, _)| handle).ok_or_else(|| {
            let all = characters.iter();
            let known = all.flat_map(|(_, character)| {
                [
                    character.identity.name(),
                    Some(character.definition.model.name.as_str()),
                ]
            });
            let hint = nearest_hint(&name, known.flatten());
            mlua::Error::runtime(format!(
                "t:find_character: no character on the stage has the name or file {name:?}{hint}"
            ))
        })
    })?;
    reference(lua, found)
}

/// Returns true if a character was made from a file of this name.
fn is_of_file(character: &Character, name: &str) -> bool {
    let model = &character.definition.model;
    let file = model.sources.first();
    model.name == name || file.is_some_and(|file| file.ends_with(name))
}

/// Duration of a tick, seconds.
fn dt(lua: &Lua, (): ()) -> mlua::Result<f64> {
    with_world(lua, |world| Ok(world.stage.clock.dt))
}

fn key(lua: &Lua, (key, down): (String, bool)) -> mlua::Result<()> {
    with_world(lua, |world| {
        check_key(&world.stage.input, &key)?;
        world.stage.input.apply(&if down {
            InputEvent::Down(key)
        } else {
            InputEvent::Up(key)
        });
        Ok(())
    })
}

fn bound_keys(lua: &Lua, (): ()) -> mlua::Result<Vec<String>> {
    with_world(lua, |world| {
        let keys = world.stage.input.bound_keys();
        Ok(keys.into_iter().map(str::to_owned).collect())
    })
}

/// Creates a generator of random numbers from 0 (inclusive) to 1 (exclusive), with this seed.
fn dice(lua: &Lua, seed: f64) -> mlua::Result<Function> {
    let rng = RefCell::new(Rng::new((seed as i64).cast_unsigned()));
    lua.create_function(move |_, (): ()| Ok(rng.borrow_mut().unit()))
}

/// Begins a call of `t:random_input`. Returns the planned changes by tick, each a list of keys, or nil for random ones.
fn begin_random(lua: &Lua, (): ()) -> mlua::Result<Value> {
    let planned = with_world(lua, |world| Ok(world.random_input.begin_call()))?;
    let Some(planned) = planned else {
        return Ok(Value::Nil);
    };
    let table = lua.create_table()?;
    for press in planned {
        for tick in std::iter::once(press.from).chain(press.until) {
            let keys = match table.raw_get::<Option<Table>>(tick)? {
                Some(keys) => keys,
                None => lua.create_table()?,
            };
            keys.raw_push(press.key.as_str())?;
            table.raw_set(tick, keys)?;
        }
    }
    Ok(Value::Table(table))
}

/// Records that a key was pressed or released in a tick of the current call.
fn note_random(lua: &Lua, (tick, key, is_down): (u32, String, bool)) -> mlua::Result<()> {
    with_world(lua, |world| {
        world.random_input.note(tick, key, is_down);
        Ok(())
    })
}

/// Options of random input: seconds, keys, and the function that checks each tick.
fn random(lua: &Lua, options: Value) -> mlua::Result<(f64, Vec<String>, Option<Function>)> {
    let options = RandomInputOptions::from_value(options).map_err(mlua::Error::runtime)?;
    let keys = options.keys.map_or_else(|| bound_keys(lua, ()), Ok)?;
    Ok((options.seconds, keys, options.check))
}

/// Maximum time since an event that a test expects, seconds.
fn within(_: &Lua, options: Value) -> mlua::Result<f64> {
    let options = ExpectEventOptions::from_value(options).map_err(mlua::Error::runtime)?;
    Ok(options.last_seconds)
}

/// Error message for the arguments of a method, or nil.
fn wrong(_: &Lua, (name, is_t, given): (String, bool, MultiValue)) -> mlua::Result<Option<String>> {
    if !is_t {
        return Ok(Some(format!(
            "t:{name} is a method: write t:{name}(…) with a colon"
        )));
    }
    let Some(method) = METHODS.iter().find(|method| method.name == name) else {
        return Ok(Some(format!("t:{name} is not in the table of methods")));
    };
    let given: Vec<Value> = given.into_iter().collect();
    Ok(check_params(|| format!("t:{name}"), method.params, &given).err())
}

fn unknown(_: &Lua, name: String) -> mlua::Result<String> {
    if let Some(text) = renamed(NameOwner::Object("Test"), &name) {
        return Ok(text);
    }
    let hint = nearest_hint(&name, METHODS.iter().map(|method| method.name));
    Ok(format!("t has no {name:?}{hint}"))
}

/// Table of all these functions.
pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let natives = lua.create_table()?;
    natives.raw_set("events", lua.create_function(events)?)?;
    natives.raw_set("wrong_name", lua.create_function(wrong_name)?)?;
    natives.raw_set("wrong_state", lua.create_function(wrong_state)?)?;
    natives.raw_set("first", lua.create_function(first)?)?;
    natives.raw_set("find", lua.create_function(find)?)?;
    natives.raw_set("key", lua.create_function(key)?)?;
    natives.raw_set("random", lua.create_function(random)?)?;
    natives.raw_set("within", lua.create_function(within)?)?;
    natives.raw_set("dice", lua.create_function(dice)?)?;
    natives.raw_set("begin_random", lua.create_function(begin_random)?)?;
    natives.raw_set("note_random", lua.create_function(note_random)?)?;
    natives.raw_set("wrong", lua.create_function(wrong)?)?;
    natives.raw_set("unknown", lua.create_function(unknown)?)?;
    natives.raw_set("dt", lua.create_function(dt)?)?;
    let reasons = Reason::ALL.iter().map(|reason| reason.word());
    natives.raw_set("reasons", lua.create_sequence_from(reasons)?)?;
    Ok(natives)
}

/// Adds the function `test` to an environment.
pub(crate) fn add_test_function(lua: &Lua, env: &Table) -> mlua::Result<()> {
    let add = lua.create_function(|lua, (name, function): (String, mlua::Function)| {
        with_world(lua, |world| {
            let tests = &mut world.program.tests;
            if tests.iter().any(|(known, _)| *known == name) {
                return Err(mlua::Error::runtime(format!(
                    "two tests are named {name:?}"
                )));
            }
            tests.push((name, function));
            Ok(())
        })
    })?;
    env.raw_set("test", add)
}
