//! Tests of stops, steps and variables.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::debugger_state::filled;
use super::*;
use crate::{Host, HostOptions, ModelState, ScriptSource, Services};
use galatea_asset::ModelSource;
use galatea_stage::{Stage, tick};

struct OneScript(&'static str);

impl Services for OneScript {
    fn model(&self, _: &ModelSource) -> ModelState {
        ModelState::Failed("no models here".into())
    }
    fn sound_names(&self) -> Vec<String> {
        Vec::new()
    }
    fn sound_seconds(&self, _: &str) -> Option<f64> {
        None
    }
    fn script(&self, _path: &str) -> Result<String, String> {
        Ok(self.0.into())
    }
    fn print(&self, _line: &str) {}
}

/// Notes the line of each stop with the result of an expression there, and takes the next of some steps.
struct Notes {
    seen: Rc<RefCell<Vec<String>>>,
    steps: RefCell<Vec<ScriptStep>>,
    expression: &'static str,
}

impl StopHandler for Notes {
    fn can_stop(&self) -> bool {
        true
    }

    fn stopped(&self, script: &StoppedScript) -> ScriptStep {
        let line = script.frames()[0].line;
        let value = match script.evaluate(0, self.expression) {
            Ok(variable) => variable.value,
            Err(why) => why,
        };
        let reason = match script.reason() {
            StopReason::Breakpoint => String::new(),
            other => format!(" {other:?}"),
        };
        self.seen
            .borrow_mut()
            .push(format!("{line}: {value}{reason}"));
        match self.steps.borrow_mut().pop() {
            Some(step) => step,
            None => ScriptStep::Continue,
        }
    }
}

const MAIN: &str = "scripts/main.lua";

/// Runs a script for some ticks, and returns its stops.
fn stops(
    text: &'static str,
    expression: &'static str,
    breakpoints: Vec<Breakpoint>,
    mut steps: Vec<ScriptStep>,
    n_ticks: usize,
) -> Vec<String> {
    let (mut stage, mut host) = game(text);
    steps.reverse();
    let seen = Rc::new(RefCell::new(Vec::new()));
    let debugger = Debugger::new(Notes {
        seen: seen.clone(),
        steps: RefCell::new(steps),
        expression,
    });
    host.attach(debugger.clone()).unwrap();
    // Native code is made before the debugger has breakpoints.
    host.load(&mut stage, &ScriptSource::default()).unwrap();
    tick(&mut stage, &mut host);
    if breakpoints.is_empty() {
        debugger.break_on_errors(true);
    } else {
        debugger.set_breakpoints(MAIN, breakpoints);
    }
    for _ in 0..n_ticks {
        tick(&mut stage, &mut host);
    }
    seen.borrow().clone()
}

fn game(text: &'static str) -> (Stage, Host) {
    let host = Host::new(HostOptions::default(), Arc::new(OneScript(text))).unwrap();
    (Stage::default(), host)
}

fn at(line: u32) -> Breakpoint {
    Breakpoint {
        line,
        ..Breakpoint::default()
    }
}

const SCRIPT: &str = "local n = 0
local function twice(x)
    local y = 2 * x

    return y
end
function update(dt)
    n += 1
    local sum = 0
    for i = 1, 2 do
        sum += twice(i)
    end
    state = sum
end
";

#[test]
fn a_breakpoint_stops_each_tick_with_the_values_of_that_moment() {
    let seen = stops(SCRIPT, "n + sum * 10", vec![at(13)], Vec::new(), 3);
    assert_eq!(seen, ["13: 62", "13: 63", "13: 64"]);
    // A line without code means the next one with code.
    let seen = stops(SCRIPT, "y", vec![at(4)], Vec::new(), 1);
    assert_eq!(seen, ["5: 2", "5: 4"]);
}

#[test]
fn steps_go_over_into_and_out_of_calls() {
    use ScriptStep::{Continue, Into, Out, Over};
    let seen = stops(
        SCRIPT,
        "n",
        vec![at(8)],
        vec![Over, Over, Over, Over, Over],
        1,
    );
    let step = |line| format!("{line}: 2 Step");
    assert_eq!(
        seen,
        [
            "8: 1".to_owned(),
            step(9),
            step(10),
            step(11),
            step(11),
            step(13)
        ]
    );
    let steps = vec![Into, Out, Into, Over, Over, Continue];
    let seen = stops(SCRIPT, "state", vec![at(11)], steps, 1);
    assert_eq!(
        seen,
        [
            "11: 6",
            "3: 6 Step",
            "11: 6",
            "3: 6 Step",
            "5: 6 Step",
            "13: 6 Step"
        ]
    );
}

#[test]
fn a_step_at_the_end_of_a_function_of_the_runtime_runs_on() {
    // The end of a function is a line, too.
    let steps = vec![ScriptStep::Over, ScriptStep::Over];
    let seen = stops(SCRIPT, "n", vec![at(13)], steps, 2);
    assert_eq!(seen, ["13: 2", "14: 2 Step", "13: 3"]);
}

#[test]
fn conditions_and_passes_choose_the_stops() {
    let with_condition = |condition: &str| Breakpoint {
        condition: Some(condition.into()),
        ..at(11)
    };
    let seen = stops(
        SCRIPT,
        "n * 10 + i",
        vec![with_condition("n == 3 and i == 2")],
        vec![],
        4,
    );
    assert_eq!(seen, ["11: 32"]);
    let seen = stops(SCRIPT, "i", vec![with_condition("i.x.y")], vec![], 1);
    assert!(seen[0].starts_with("11: 1 WrongCondition"), "{seen:?}");
    let breakpoint = Breakpoint {
        from_pass: 4,
        ..at(11)
    };
    let seen = stops(SCRIPT, "n * 10 + i", vec![breakpoint], vec![], 3);
    assert_eq!(seen, ["11: 32", "11: 41", "11: 42"]);
}

#[test]
fn evaluated_code_sets_locals_captured_variables_and_globals() {
    let seen = stops(
        SCRIPT,
        "(function() sum = sum + 1; n = n + 100; state = -1; return sum end)()",
        vec![at(13)],
        vec![],
        2,
    );
    assert_eq!(seen, ["13: 7", "13: 7"]);
    let seen = stops(
        SCRIPT,
        "(function() n = n + 100; return n end)()",
        vec![at(13)],
        vec![],
        2,
    );
    assert_eq!(seen, ["13: 102", "13: 203"]);
}

const FAILING: &str = "local n = 0
local function fail(x)
    local y = x.z
end
function update(dt)
    n += 1
    if n == 3 then fail(nil) end
    if n == 4 then pcall(fail) end
    if n == 5 then
        task(function(t)
            t:wait(0)
            error('in a task')
        end)
    end
    if n == 6 then error({ message = 'a table' }) end
end
";

#[test]
fn uncaught_errors_stop_where_they_are_raised() {
    let seen = stops(FAILING, "1", vec![], vec![], 8);
    assert_eq!(seen.len(), 3, "{seen:?}");
    let first = "3: 1 Error(\"x is nil, so it has no \\\"z\\\"\")";
    assert_eq!(seen[0], first, "{seen:?}");
    assert_eq!(seen[1], "12: 1 Error(\"in a task\")");
    assert!(seen[2].starts_with("15: 1 Error(\"table: 0x"), "{seen:?}");
}

#[test]
fn the_fault_of_an_error_is_the_same_with_and_without_a_debugger() {
    let faults = |has_debugger: bool| {
        let (mut stage, mut host) = game(FAILING);
        if has_debugger {
            let debugger = Debugger::new(Notes {
                seen: Rc::default(),
                steps: RefCell::default(),
                expression: "1",
            });
            debugger.break_on_errors(true);
            host.attach(debugger).unwrap();
        }
        host.load(&mut stage, &ScriptSource::default()).unwrap();
        for _ in 0..8 {
            tick(&mut stage, &mut host);
        }
        let faults = host.take_faults();
        let faults = faults
            .iter()
            .map(|fault| (fault.to_string(), fault.trace.clone()));
        faults.collect::<Vec<_>>()
    };
    assert_eq!(faults(true), faults(false));
}

/// Describes the whole stopped script.
struct Describe(Rc<RefCell<Vec<String>>>);

impl StopHandler for Describe {
    fn can_stop(&self) -> bool {
        true
    }

    fn stopped(&self, script: &StoppedScript) -> ScriptStep {
        let mut out = self.0.borrow_mut();
        for (i, frame) in script.frames().iter().enumerate() {
            out.push(format!("{} {}", frame.name, frame.line));
            for scope in [
                VariableScope::Locals,
                VariableScope::Captured,
                VariableScope::Globals,
            ] {
                for one in script.variables(i, scope) {
                    out.push(format!(
                        "  {scope:?} {} {} {}",
                        one.name, one.kind, one.value
                    ));
                    for part in script.parts(one.reference) {
                        out.push(format!("    {} {}", part.name, part.value));
                    }
                }
            }
        }
        ScriptStep::Continue
    }
}

#[test]
fn the_call_stack_has_the_variables_of_each_function() {
    let text = "local v = vector.create
        local crate = physics.box { position = v(0, 2, 0), size = v(1, 1, 1), name = \"crate\" }
        local list = { 10, 20, size = 2 }
        level = 3
        local function inner(a, ...)
            local at = v(1, 2, 3)
            return list, at, a
        end
        function update(dt)
            inner(crate)
        end";
    let (mut stage, mut host) = game(text);
    let out = Rc::new(RefCell::new(Vec::new()));
    let debugger = Debugger::new(Describe(out.clone()));
    debugger.set_breakpoints(MAIN, vec![at(7)]);
    host.attach(debugger.clone()).unwrap();
    host.load(&mut stage, &ScriptSource::default()).unwrap();
    tick(&mut stage, &mut host);
    let out = out.borrow().join("\n");
    for line in [
        "inner 7\n  Locals a Character Character(crate)\n",
        "  Locals at vector vector(1, 2, 3)\n    x 1\n    y 2\n    z 3\n",
        "  Captured list table { 10, 20, size = 2 }\n    1 10\n    2 20\n    size 2\n",
        "  Globals level number 3",
        "\nupdate 10\n  Locals dt number 0.0166",
    ] {
        assert!(out.contains(line), "{line:?} in\n{out}");
    }
    assert!(out.contains("    yaw "), "properties of objects in\n{out}");
    assert_eq!(debugger.place(MAIN, 7), Some(7));
    debugger.clear();
    assert!(!debugger.is_armed());
}

#[test]
fn expressions_in_braces_are_replaced() {
    let value = |expression: &str| format!("<{expression}>");
    assert_eq!(filled("a {b} c {d.e}", value), "a <b> c <d.e>");
    assert_eq!(filled("open { brace", value), "open { brace");
    assert_eq!(filled("{}", value), "<>");
}
