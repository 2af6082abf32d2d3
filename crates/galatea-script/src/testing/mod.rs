//! Tests written in Lua: `test("fact", function(t) … end)`, run headless, tick by tick.

pub(super) mod methods;
pub(super) mod natives;
pub(super) mod outside;

use mlua::{MultiValue, Table, Thread, Value};

use self::methods::{ComparisonOptions, PictureSize, ReplayOptions};
use self::outside::{Compared, Outside, ReplayedInput};
use super::api::camera::{CameraOptions, placed};
use super::api::check::{OptionValue, describe, number};
use super::fault::{Fault, TESTING_CHUNK, traceback};
use super::host::Host;
use super::load::LoadError;
use super::load_game::GameNotice;
use super::random_input::{RandomInput, RandomPress};
use super::sources::ScriptSource;
use super::vm;
use super::world::World;
use galatea_stage::{Stage, tick};

/// Implementation of the test object `t`. It is in Lua, because methods that let time pass must yield from the
/// coroutine.
const PRELUDE: &str = include_str!("testing.luau");

/// Maximum simulated time of a test, seconds.
const MAX_RUN: f64 = 3600.0;
/// Maximum number of times that a test may let time pass.
const MAX_RUNS: u32 = 1_000_000;

impl Host {
    /// Runs a test file and returns the names of its tests.
    ///
    /// # Errors
    /// Returns the fault of the file, or the models that are not loaded.
    pub fn load_tests(&mut self, stage: &mut Stage, file: &str) -> Result<Vec<String>, LoadError> {
        self.with_world(|world| world.log = Some(Vec::new()));
        let source = ScriptSource {
            main: file.to_owned(),
            texts: None,
        };
        self.load(stage, &source)?;
        Ok(self.with_program(|program| {
            let tests = program.tests.iter();
            tests.map(|(name, _)| name.clone()).collect()
        }))
    }

    /// Makes `t:random_input` press only these keys, or random ones. Call it before the test.
    pub fn plan_random_input(&mut self, planned: Option<Vec<RandomPress>>) {
        self.with_world(|world| world.random_input = RandomInput::planned(planned));
    }

    /// Takes the keys that `t:random_input` pressed in the last test.
    pub fn take_random_presses(&mut self) -> Vec<RandomPress> {
        self.with_world(|world| world.random_input.take_pressed())
    }

    /// Runs test number `index` of the loaded file on its stage. `outside` handles requests of tests for files.
    ///
    /// # Errors
    /// Returns the failed expectation, or a fault. The stage is left as it was at that moment.
    pub fn run_test(
        &mut self,
        stage: &mut Stage,
        index: usize,
        outside: &mut dyn Outside,
    ) -> Result<(), Fault> {
        let tests = |world: &mut World| Some(world.program.tests.get(index)?.1.clone());
        let Some(function) = self.with_world(tests) else {
            return Err(report_of(format!("there is no test {index}")));
        };
        let make = || -> mlua::Result<(Thread, Table)> {
            let prelude = vm::part(self.lua(), &format!("={TESTING_CHUNK}"), PRELUDE)?;
            let object: Table = prelude.call(natives::table(self.lua())?)?;
            Ok((self.lua().create_thread(function)?, object))
        };
        let made = self.with_stage(stage, make);
        let (thread, object) = made.map_err(|error| self.fault(&error))?;
        let mut run = Run {
            host: self,
            stage,
            outside,
            n_resumed: 0,
            n_ticks: 0.0,
            dice: None,
        };
        let result = run.through(&thread, object);
        result.map_err(|fault| run.with_dice(fault))
    }
}

/// A running test.
struct Run<'r> {
    host: &'r mut Host,
    stage: &'r mut Stage,
    outside: &'r mut dyn Outside,
    n_resumed: u32,
    /// Number of ticks that the test requested.
    n_ticks: f64,
    /// Last random input, to report its seed.
    dice: Option<Dice>,
}

/// Random input.
struct Dice {
    seed: f64,
    from: f64,
    over: Option<f64>,
}

/// Request of a test that yields from its coroutine.
enum TestWait {
    Ticks(f64),
    /// Replay of an input file, with its options.
    Replay(String, Value),
    /// Comparison with an image: its name and its options.
    Picture(String, Value),
    /// Beginning of random input with this seed.
    Dice(f64),
    DiceOver,
}

impl TestWait {
    fn read(values: &MultiValue, dt: f64) -> Option<Self> {
        let word = values.front()?.as_string()?.to_string_lossy();
        let seconds = || number(values.get(1)?);
        Some(match word.as_str() {
            "run" => Self::Ticks((seconds()? / dt).round()),
            "step" => Self::Ticks(seconds()?),
            "replay" => Self::Replay(
                values.get(1)?.as_string()?.to_string_lossy(),
                values.get(2).cloned().unwrap_or(Value::Nil),
            ),
            "picture" => Self::Picture(
                picture_name(values.get(1)?)?,
                values.get(2).cloned().unwrap_or(Value::Nil),
            ),
            "dice" => Self::Dice(seconds()?),
            "dice_over" => Self::DiceOver,
            _ => return None,
        })
    }
}

/// Name of an image. The object `t` has checked it, but a test can yield from its coroutine without `t`.
fn picture_name(value: &Value) -> Option<String> {
    let name = value.as_string()?.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (name.chars().all(is_plain) && (1..=100).contains(&name.len())).then_some(name)
}

impl Run<'_> {
    fn through(&mut self, thread: &Thread, object: Table) -> Result<(), Fault> {
        let mut answer = Value::Table(object);
        while thread.is_resumable() {
            let host = &*self.host;
            let values: MultiValue = host
                .with_stage(self.stage, || {
                    thread.resume(std::mem::replace(&mut answer, Value::Nil))
                })
                .map_err(|error| {
                    host.fault(&error)
                        .set_location(&traceback(host.lua(), thread))
                })?;
            if thread.is_resumable() {
                self.n_resumed += 1;
                if self.n_resumed > MAX_RUNS {
                    return Err(self.set_location(too_long(), thread));
                }
                let Some(asked) = TestWait::read(&values, self.stage.clock.dt) else {
                    let fault = report_of(format!(
                        "a test must wait with t:run(seconds), but it yielded {}",
                        describe(values.front().unwrap_or(&Value::Nil))
                    ));
                    return Err(self.set_location(fault, thread));
                };
                let answered = self.answer(asked);
                let wrong = answered.map_err(|fault| self.set_location(fault, thread))?;
                if let Some(wrong) = wrong {
                    let text = self.host.lua().create_string(wrong);
                    answer = Value::String(text.map_err(|error| self.host.fault(&error))?);
                }
            }
            first_fault(self.host)?;
        }
        Ok(())
    }

    /// Sets the position where the test waits in a fault that has none.
    fn set_location(&self, fault: Fault, thread: &Thread) -> Fault {
        if fault.file.is_some() {
            return fault;
        }
        fault.set_location(&traceback(self.host.lua(), thread))
    }

    /// Carries out a request of a test. Returns the failure, if any.
    fn answer(&mut self, asked: TestWait) -> Result<Option<String>, Fault> {
        let now = self.stage.unscaled_time();
        match asked {
            TestWait::Ticks(n) => self.ticks(n)?,
            TestWait::Replay(file, options) => {
                let options = ReplayOptions::from_value(options);
                let read = options.and_then(|options| Ok((self.outside.inputs(&file)?, options)));
                match read {
                    Ok((inputs, options)) => self.replay(inputs, &options)?,
                    Err(why) => return Ok(Some(format!("t:replay: {why}"))),
                }
            }
            TestWait::Picture(name, options) => {
                let wrong = self.compare(name, options).err();
                return Ok(wrong.map(|why| format!("t:expect_image: {why}")));
            }
            TestWait::Dice(seed) => {
                self.dice = Some(Dice {
                    seed,
                    from: now,
                    over: None,
                });
            }
            TestWait::DiceOver => {
                if let Some(dice) = &mut self.dice {
                    dice.over = Some(now);
                }
            }
        }
        Ok(None)
    }

    /// Compares the stage with an image.
    fn compare(&mut self, name: String, options: Value) -> Result<(), String> {
        let options = ComparisonOptions::from_value(options)?;
        let PictureSize(width, height) = options.size;
        let picture = Compared {
            name,
            tolerance: options.tolerance,
            size: (width, height),
        };
        let own = || CameraOptions::from_value(Value::Nil);
        let camera = options.camera.map_or_else(own, Ok)?;
        let seen_from = placed(&self.stage.camera, &camera);
        let before = std::mem::replace(&mut self.stage.camera, seen_from);
        let compared = self.outside.picture(self.stage, &picture);
        self.stage.camera = before;
        compared
    }

    /// Runs `n` ticks, or fewer if a tick has a fault.
    fn ticks(&mut self, n: f64) -> Result<(), Fault> {
        self.n_ticks += n;
        if n.is_nan() || n < 0.0 || self.n_ticks * self.stage.clock.dt > MAX_RUN {
            return Err(too_long());
        }
        for _ in 0..n as u64 {
            tick(self.stage, self.host);
            for notice in self.host.serve_requests(self.stage) {
                if let GameNotice::Failed(why) = notice {
                    return Err(report_of(why));
                }
            }
            self.stage.audio.orders.clear();
            first_fault(self.host)?;
        }
        Ok(())
    }

    /// Runs ticks until the last input, or until the end of the part that the options name. The beginning of the part is
    /// now.
    fn replay(
        &mut self,
        inputs: Vec<(f64, ReplayedInput)>,
        options: &ReplayOptions,
    ) -> Result<(), Fault> {
        let dt = self.stage.clock.dt;
        let start = self.stage.time_control.n_ticks;
        let from = (options.from / dt).round();
        let to = (options.to / dt).round();
        for (time, input) in inputs {
            // A thousandth of a tick absorbs the rounding of times like 1/30.
            let wanted = (time / dt - 1e-3).ceil();
            if wanted < from || wanted >= to {
                continue;
            }
            let done = (self.stage.time_control.n_ticks - start) as f64;
            self.ticks((wanted - from - done).max(0.0))?;
            match input {
                ReplayedInput::Device(event) => self.stage.apply(&event),
                // A line with an error changes nothing in the game either.
                ReplayedInput::Line(line) => drop(self.host.answer(self.stage, &line)),
                ReplayedInput::Microphone(weights) => self.stage.audio.microphone = weights,
            }
        }
        if to.is_finite() {
            let done = (self.stage.time_control.n_ticks - start) as f64;
            self.ticks((to - from - done).max(0.0))?;
        }
        Ok(())
    }

    /// Adds the random inputs that led to a fault.
    fn with_dice(&self, mut fault: Fault) -> Fault {
        if let Some(Dice { seed, from, over }) = &self.dice {
            let now = self.stage.unscaled_time();
            fault.text += &match over {
                None => format!(
                    "\nduring t:random_input with seed {seed}, started at {from:.3} s, now {now:.3} s"
                ),
                Some(over) => {
                    format!(
                        "\nafter t:random_input with seed {seed}, from {from:.3} s to {over:.3} s"
                    )
                }
            };
        }
        fault
    }
}

fn report_of(text: String) -> Fault {
    Fault {
        text,
        ..Fault::default()
    }
}

fn too_long() -> Fault {
    report_of(format!(
        "t:run: a test can run at most {MAX_RUN} s and wait at most {MAX_RUNS} times"
    ))
}

fn first_fault(host: &mut Host) -> Result<(), Fault> {
    host.take_faults().into_iter().next().map_or(Ok(()), Err)
}
