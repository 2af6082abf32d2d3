//! Console of a running program: evaluates code, watches values, shows help, and explains the state of a machine.
//!
//! Code runs with the budget of one call. Its environment reads the scripts' globals and the top-level locals of each
//! script, and sets globals. Faults name the file `console`. Callers: the session, for its console, its control port
//! and `--eval`.

pub(crate) mod answer;
pub(crate) mod complete;
mod help;
pub(crate) mod print;
pub(crate) mod state;
mod why;

use mlua::{Function, Lua, MultiValue, Table, Value};

use self::answer::{Answer, WATCH_BUDGET};
use self::state::Watch;
use super::echo::Echo;
use super::fault::Fault;
use super::globals::{base, names, no_global};
use super::host::Host;
use super::locals::local_value;
use super::world::with_world;
use galatea_math::names::nearest_hint;
use galatea_stage::Stage;
use galatea_stage::frame::WatchRow;

/// Name of the chunk in faults.
const CHUNK: &str = "=console";
/// Maximum length of a console line, bytes.
const LONGEST: usize = 64 << 10;
/// Maximum number of watched values.
const MAX_WATCHES: usize = 32;
/// Keywords that begin a statement, never an expression.
const STATEMENTS: [&str; 7] = ["local", "for", "while", "if", "repeat", "do", "return"];

impl Host {
    /// Answers a line: a console command ([`answer::WORDS`]) or Lua code, tried first as an expression, then as
    /// statements. Never panics, has no side effects except those of the line, and stops code that exceeds the budget
    /// of a call.
    pub fn answer(&mut self, stage: &mut Stage, line: &str) -> Answer {
        self.begin_tick();
        let line = line.trim();
        if line.len() > LONGEST {
            return Answer::wrong(format!("a line can have at most {LONGEST} bytes"));
        }
        let (word, rest) = line
            .split_once(char::is_whitespace)
            .map_or((line, ""), |(word, rest)| (word, rest.trim()));
        // `watch = 1` and `help.x` are Lua code.
        let is_lua = rest.starts_with('=') && !rest.starts_with("==");
        match word {
            "" | "clear" if rest.is_empty() => Answer::text(String::new()),
            "undo" | "redo" if rest.is_empty() => {
                Answer::wrong(format!("{word} works only in `galatea play`"))
            }
            "help" if !is_lua => self.help(stage, rest),
            "watch" if !is_lua => self.watch(rest),
            "unwatch" if !is_lua => self.unwatch(rest),
            "why" if !is_lua => self.why(stage, rest),
            _ => self.evaluate(stage, line),
        }
    }

    /// Runs code and returns the values if it is an expression; else runs it as statements.
    fn evaluate(&mut self, stage: &mut Stage, code: &str) -> Answer {
        let function = match self.compile_line(code) {
            Ok(function) => function,
            Err(error) => {
                return Answer {
                    printed: Vec::new(),
                    result: Err(self.fault(&error)),
                };
            }
        };
        self.with_world(|world| world.echo = Some(Echo::default()));
        let lua = self.lua().clone();
        let result: mlua::Result<Vec<String>> = self.with_call_budget(stage, || {
            let values = function.call::<MultiValue>(())?.into_vec();
            // A runtime function without a result returns `nil`, which is not shown.
            if matches!(values[..], [Value::Nil]) && help::gives_nothing(code) {
                return Ok(Vec::new());
            }
            print::all_shown(&lua, &values)
        });
        let echo = self.with_world(|world| world.echo.take().unwrap_or_default());
        Answer {
            printed: echo.into_lines(),
            result: result.map_err(|error| self.fault(&error)),
        }
    }

    /// Value of an expression, for commands that take one.
    fn value(&mut self, stage: &mut Stage, expression: &str) -> Result<Value, Fault> {
        let function = self.compile_expression(expression);
        let function = function.map_err(|error| self.fault(&error))?;
        let value = self.with_call_budget(stage, || function.call::<Value>(()));
        value.map_err(|error| self.fault(&error))
    }

    fn compile_line(&mut self, code: &str) -> mlua::Result<Function> {
        let expression = match self.compile_expression(code) {
            Ok(function) => return Ok(function),
            Err(error) => error,
        };
        let env = self.console_env()?;
        let chunk = self.lua().load(code).set_name(CHUNK).set_environment(env);
        let statement = chunk.set_mode(mlua::chunk::ChunkMode::Text).into_function();
        statement.map_err(|error| {
            let first = code.split(|c: char| !c.is_alphanumeric()).next();
            let is_statement = first.is_some_and(|word| STATEMENTS.contains(&word));
            // An expression that ends early is the beginning of a statement.
            let ends_early = Fault::from_lua(&expression)
                .text
                .starts_with("Expected <eof>");
            if is_statement || ends_early {
                error
            } else {
                expression
            }
        })
    }

    fn compile_expression(&mut self, code: &str) -> mlua::Result<Function> {
        let env = self.console_env()?;
        let chunk = self.lua().load(format!("return {code}"));
        let chunk = chunk.set_name(CHUNK).set_environment(env);
        chunk.set_mode(mlua::chunk::ChunkMode::Text).into_function()
    }

    fn console_env(&mut self) -> mlua::Result<Table> {
        if let Some(env) = &self.console.env {
            return Ok(env.clone());
        }
        let lua = self.lua();
        let env = lua.create_table()?;
        let meta = lua.create_table()?;
        meta.raw_set("__index", lua.create_function(read)?)?;
        meta.raw_set("__newindex", lua.create_function(write)?)?;
        meta.raw_set("__metatable", false)?;
        env.set_metatable(Some(meta))?;
        self.console.env = Some(env.clone());
        Ok(env)
    }

    fn watch(&mut self, expression: &str) -> Answer {
        let watches = &self.console.watches;
        if expression.is_empty() {
            let list: Vec<&str> = watches.iter().map(|w| w.expression.as_str()).collect();
            return Answer::text(match list.len() {
                0 => "no expressions are watched; add one with watch EXPRESSION".into(),
                _ => format!("watched: {}", list.join(", ")),
            });
        }
        if watches.iter().any(|watch| watch.expression == expression) {
            return Answer::text(format!("{expression} is already watched"));
        }
        if watches.len() >= MAX_WATCHES {
            return Answer::wrong(format!("the limit is {MAX_WATCHES} watched expressions"));
        }
        match self.compile_expression(expression) {
            Ok(function) => {
                self.console.watches.push(Watch {
                    expression: expression.to_owned(),
                    function,
                    stopped: None,
                });
                Answer::text(String::new())
            }
            Err(error) => Answer {
                printed: Vec::new(),
                result: Err(self.fault(&error)),
            },
        }
    }

    fn unwatch(&mut self, expression: &str) -> Answer {
        let watches = &mut self.console.watches;
        let before = watches.len();
        watches.retain(|watch| !expression.is_empty() && watch.expression != expression);
        if watches.len() < before || expression.is_empty() {
            return Answer::text(String::new());
        }
        let known = watches.iter().map(|watch| watch.expression.as_str());
        let hint = nearest_hint(expression, known);
        Answer::wrong(format!("{expression} is not watched{hint}"))
    }

    /// Current values of the watched expressions. An expression that fails shows the error in its own row. One that
    /// takes too long is not evaluated again.
    pub fn watched(&mut self, stage: &mut Stage) -> Vec<WatchRow> {
        if self.console.watches.is_empty() {
            return Vec::new();
        }
        self.begin_tick();
        let mut watches = std::mem::take(&mut self.console.watches);
        self.with_world(|world| world.echo = Some(Echo::default()));
        let lua = self.lua().clone();
        let rows = watches.iter_mut().map(|watch| {
            let value = match &watch.stopped {
                Some(why) => Err(why.clone()),
                None => {
                    let value = self.with_budget(stage, WATCH_BUDGET, || {
                        let value: Value = watch.function.call(())?;
                        print::in_one_line(&lua, &value)
                    });
                    let value = value.map_err(|error| self.fault(&error).text);
                    if let Err(why) = &value
                        && self.is_used_up()
                    {
                        watch.stopped = Some(why.clone());
                    }
                    value
                }
            };
            WatchRow {
                expression: watch.expression.clone(),
                value,
            }
        });
        let rows = rows.collect();
        self.with_world(|world| world.echo = None);
        self.console.watches = watches;
        rows
    }

    /// The watched expressions.
    pub fn watched_expressions(&self) -> Vec<String> {
        let all = self.console.watches.iter();
        all.map(|watch| watch.expression.clone()).collect()
    }

    /// Returns true if at least one value is watched.
    pub fn watches(&self) -> bool {
        !self.console.watches.is_empty()
    }
}

/// Reads a name: a local of a script, else a global.
fn read(lua: &Lua, (_, key): (Value, Value)) -> mlua::Result<Value> {
    let Some(name) = key.as_string().map(|name| name.to_string_lossy()) else {
        return Ok(Value::Nil);
    };
    if let Some((_, value)) = local_value(lua, &name)? {
        return Ok(value);
    }
    let (env, locals) = with_world(lua, |world| {
        let sources = &world.program.sources;
        let locals = sources.ordered_locals().into_iter();
        let names: Vec<String> = locals.flat_map(|one| one.names.clone()).collect();
        Ok((sources.env.clone(), names))
    })?;
    let globals = base(lua);
    for table in env.iter().chain([&globals]) {
        let value: Value = table.raw_get(name.as_str())?;
        if !value.is_nil() {
            return Ok(value);
        }
    }
    let mut known = locals;
    known.extend(env.iter().chain([&globals]).flat_map(names));
    let text = no_global(&name, known.iter().map(String::as_str));
    Err(mlua::Error::runtime(text))
}

/// Sets a global. Locals of scripts cannot be set.
fn write(lua: &Lua, (_, key, value): (Value, Value, Value)) -> mlua::Result<()> {
    if let Some(name) = key.as_string().map(|name| name.to_string_lossy())
        && let Some((file, _)) = local_value(lua, &name)?
    {
        return Err(mlua::Error::runtime(format!(
            "{name} is a local of {file}; the console can read it, but not set it"
        )));
    }
    let env = with_world(lua, |world| Ok(world.program.sources.env.clone()))?;
    match env {
        Some(env) => env.raw_set(key, value),
        None => Err(mlua::Error::runtime("no script is running")),
    }
}
