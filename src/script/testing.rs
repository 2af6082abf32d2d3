//! Tests written in Lua: `test("fact", function(t) … end)`, run headless, tick by tick.

use mlua::{Lua, Table, Thread, Value};

use super::api::CharacterRef;
use super::fault::{Fault, traceback};
use super::host::{Host, LoadError};
use super::loader::ScriptSource;
use super::world::with_world;
use crate::anim::Reason;
use crate::stage::{InputEvent, Stage, tick};

/// The object `t` of a test, in Lua itself, since running time means leaving the coroutine.
const PRELUDE: &str = include_str!("testing.luau");

/// Longest time that a test may run, seconds.
const LONGEST_RUN: f64 = 3600.0;
/// How often a test may ask for time.
const MOST_RUNS: u32 = 1_000_000;

impl Host {
    /// Runs a test file and gives the names of its tests.
    ///
    /// # Errors
    /// The file's fault, or models that are not there.
    pub fn load_tests(&mut self, stage: &mut Stage, file: &str) -> Result<Vec<String>, LoadError> {
        self.with_tests(true);
        let source = ScriptSource {
            main: file.to_owned(),
        };
        self.load(stage, &source)?;
        Ok(self.test_names())
    }

    /// Runs test number `index` of the file that was loaded, on its stage.
    ///
    /// # Errors
    /// What the test did not find true, or a fault.
    pub fn run_test(&mut self, stage: &mut Stage, index: usize) -> Result<(), Fault> {
        let Some(function) = self.test_function(index) else {
            return Err(Fault {
                text: format!("there is no test {index}"),
                ..Fault::default()
            });
        };
        let make = || -> mlua::Result<(Thread, Table)> {
            let object: Table = self
                .lua()
                .load(PRELUDE)
                .set_name("=testing")
                .call(natives(self.lua())?)?;
            Ok((self.lua().create_thread(function)?, object))
        };
        let made = self.with_stage(stage, make);
        let (thread, object) = made.map_err(|error| self.fault(&error))?;
        let mut argument = Value::Table(object);
        let (mut total, mut n_resumed) = (0.0, 0u32);
        while thread.is_resumable() {
            let asked: Value = self
                .with_stage(stage, || {
                    thread.resume(std::mem::replace(&mut argument, Value::Nil))
                })
                .map_err(|error| self.fault(&error).placed(&traceback(self.lua(), &thread)))?;
            let seconds = if thread.is_resumable() {
                let seconds = asked.as_f64().or(asked.as_i64().map(|n| n as f64));
                seconds.ok_or_else(|| {
                    let asked = super::api::describe(&asked);
                    let text = format!("a test waits with t:run(seconds), not for {asked}");
                    self.waiting_fault(&thread, text)
                })?
            } else {
                0.0
            };
            total += seconds;
            n_resumed += 1;
            if seconds.is_nan() || seconds < 0.0 || total > LONGEST_RUN || n_resumed > MOST_RUNS {
                let text =
                    format!("t:run: a test may run {LONGEST_RUN} seconds in {MOST_RUNS} steps");
                return Err(self.waiting_fault(&thread, text));
            }
            for _ in 0..(seconds / stage.dt).round() as u64 {
                tick(stage, self);
                stage.sounds.clear();
            }
            if let Some(fault) = self.take_faults().into_iter().next() {
                return Err(fault);
            }
        }
        Ok(())
    }

    /// A fault of the place where a coroutine waits.
    fn waiting_fault(&self, thread: &Thread, text: String) -> Fault {
        let fault = Fault {
            text,
            ..Fault::default()
        };
        fault.placed(&traceback(self.lua(), thread))
    }
}

/// What the prelude needs from the runtime.
fn natives(lua: &Lua) -> mlua::Result<Table> {
    let natives = lua.create_table()?;
    natives.raw_set(
        "events",
        lua.create_function(
            |lua, (who, name): (mlua::UserDataRef<CharacterRef>, String)| {
                with_world(lua, |world| {
                    let log = world.log.iter().flatten();
                    Ok(log
                        .filter(|(handle, known, _)| *handle == who.0 && *known == name)
                        .map(|(_, _, time)| *time)
                        .collect::<Vec<f64>>())
                })
            },
        )?,
    )?;
    let reasons = Reason::ALL.iter().map(|reason| reason.word());
    natives.raw_set("reasons", lua.create_sequence_from(reasons)?)?;
    // What is wrong with the name of an event that is not in the log, or nothing.
    natives.raw_set(
        "wrong_name",
        lua.create_function(
            |lua, (who, name): (mlua::UserDataRef<CharacterRef>, String)| {
                with_world(lua, |world| {
                    let character = world.stage.characters.get(who.0);
                    let checked = match character {
                        None => Err("this character is no longer on the stage".to_owned()),
                        Some(_) if name == "*" => Err("\"*\" is no event".to_owned()),
                        Some(character) => super::api::check_event_name(character, &name),
                    };
                    Ok(checked.err())
                })
            },
        )?,
    )?;
    natives.raw_set(
        "first",
        lua.create_function(|lua, ()| {
            let first = with_world(lua, |world| {
                Ok(world
                    .stage
                    .characters
                    .iter()
                    .next()
                    .map(|(handle, _)| handle))
            })?;
            match first {
                Some(handle) => super::api::reference(lua, handle),
                None => Err(mlua::Error::runtime(
                    "t:first: there is no character on the stage",
                )),
            }
        })?,
    )?;
    natives.raw_set(
        "key",
        lua.create_function(|lua, (key, down): (String, bool)| {
            with_world(lua, |world| {
                super::api::check_key(&world.stage.input, &key)?;
                world.stage.input.apply(&if down {
                    InputEvent::Down(key)
                } else {
                    InputEvent::Up(key)
                });
                Ok(())
            })
        })?,
    )?;
    Ok(natives)
}

/// Gives an environment its `test` function.
pub(super) fn add_test_function(lua: &Lua, env: &Table) -> mlua::Result<()> {
    let add = lua.create_function(|lua, (name, function): (String, mlua::Function)| {
        with_world(lua, |world| {
            if world.program.tests.iter().any(|(known, _)| *known == name) {
                return Err(mlua::Error::runtime(format!(
                    "two tests are named {name:?}"
                )));
            }
            world.program.tests.push((name, function));
            Ok(())
        })
    })?;
    env.raw_set("test", add)
}
