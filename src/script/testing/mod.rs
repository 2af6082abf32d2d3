//! Tests written in Lua: `test("fact", function(t) … end)`, run headless, tick by tick.

mod methods;
mod natives;

pub(super) use methods::METHODS;
pub(super) use natives::add_test_function;

use mlua::{Lua, MultiValue, Table, Thread, Value};

use super::api;
use super::fault::{Fault, TESTING_CHUNK};
use super::host::{Host, LoadError};
use super::loader::ScriptSource;
use crate::stage::{Stage, tick};

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
    /// What the test did not find true, or a fault. The stage is then as it was at that moment.
    pub fn run_test(&mut self, stage: &mut Stage, index: usize) -> Result<(), Fault> {
        let Some(function) = self.test_function(index) else {
            return Err(told(format!("there is no test {index}")));
        };
        let make = || -> mlua::Result<(Thread, Table)> {
            let object: Table = self
                .lua()
                .load(PRELUDE)
                .set_name(format!("={TESTING_CHUNK}"))
                .call(natives::table(self.lua())?)?;
            Ok((self.lua().create_thread(function)?, object))
        };
        let (thread, object) = make().map_err(|error| self.fault(&error))?;
        Run::default().through(self, stage, &thread, object)
    }
}

/// A test that runs.
#[derive(Default)]
struct Run {
    n_resumed: u32,
    /// Ticks that passed.
    n_ticks: f64,
}

impl Run {
    fn through(
        &mut self,
        host: &mut Host,
        stage: &mut Stage,
        thread: &Thread,
        object: Table,
    ) -> Result<(), Fault> {
        let mut answer = Value::Table(object);
        while thread.is_resumable() {
            let asked: MultiValue = host
                .with_stage(stage, || {
                    thread.resume(std::mem::replace(&mut answer, Value::Nil))
                })
                .map_err(|error| host.fault(&error).placed(&traceback(host.lua(), thread)))?;
            if thread.is_resumable() {
                self.n_resumed += 1;
                answer = self.answer(host, stage, &asked)?;
            }
            first_fault(host)?;
        }
        Ok(())
    }

    /// Does what a test asked for as it left its coroutine.
    fn answer(
        &mut self,
        host: &mut Host,
        stage: &mut Stage,
        asked: &MultiValue,
    ) -> Result<Value, Fault> {
        let nothing = Value::Nil;
        let what = asked.front().unwrap_or(&nothing);
        let amount = asked.get(1).and_then(api::number);
        match (what.as_string().map(|word| word.to_string_lossy()), amount) {
            (Some(word), Some(seconds)) if word == "run" => {
                self.ticks(host, stage, (seconds / stage.dt).round())?;
            }
            (Some(word), Some(n)) if word == "step" => self.ticks(host, stage, n)?,
            _ => {
                return Err(told(format!(
                    "a test waits with t:run(seconds), not for {}",
                    api::describe(what)
                )));
            }
        }
        Ok(Value::Nil)
    }

    /// Lets ticks pass, as long as none has a fault.
    fn ticks(&mut self, host: &mut Host, stage: &mut Stage, n: f64) -> Result<(), Fault> {
        self.n_ticks += n;
        if self.n_ticks * stage.dt > LONGEST_RUN || self.n_resumed > MOST_RUNS {
            return Err(told(format!(
                "t:run: a test may run {LONGEST_RUN} seconds in {MOST_RUNS} steps"
            )));
        }
        for _ in 0..n as u64 {
            tick(stage, host);
            stage.sounds.clear();
            first_fault(host)?;
        }
        Ok(())
    }
}

fn told(text: String) -> Fault {
    Fault {
        text,
        ..Fault::default()
    }
}

fn first_fault(host: &mut Host) -> Result<(), Fault> {
    host.take_faults().into_iter().next().map_or(Ok(()), Err)
}

/// The calls in which a coroutine stands.
fn traceback(lua: &Lua, thread: &Thread) -> String {
    let debug: mlua::Result<Table> = lua.globals().raw_get("debug");
    let text = debug
        .and_then(|debug| debug.raw_get::<mlua::Function>("traceback"))
        .and_then(|traceback| traceback.call::<mlua::LuaString>(thread.clone()));
    text.map_or_else(|_| String::new(), |text| text.to_string_lossy())
}
