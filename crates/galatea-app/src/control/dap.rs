//! Requests of a debugger: the Debug Adapter Protocol for the scripts of a game.
//!
//! Source: Debug Adapter Protocol 1.71.

use std::path::{Path, PathBuf};
use std::sync::mpsc::TryRecvError;

use serde_json::{Value, json};

use super::dap_frames::{event, response};
use super::dap_link::DapClient;
use crate::StoppableGame;
use crate::debug_facts::{ScriptStop, reason_text};
use galatea_script::{Breakpoint, ScriptStep, StopReason, Variable, VariableScope};

/// Maximum number of requests that are answered between two ticks.
const MAX_REQUESTS: usize = 64;
/// The only thread.
const THREAD: u64 = 1;

/// A connected debugger.
pub struct DapSession {
    client: DapClient,
    /// Number of the stop that was reported last.
    reported: u64,
    /// The client knows that a script is stopped.
    is_stopped: bool,
    /// Values that the client can open at this stop; its references are the indices from 1.
    opened: Vec<OpenedValue>,
    /// Scripts with breakpoints of this client, and how many of these have their line.
    files: Vec<(String, Vec<Breakpoint>, usize)>,
    /// Scripts and lines that had breakpoints; the number of a breakpoint is its index from 1.
    numbers: Vec<(String, u32)>,
}

/// Something with variables.
#[derive(Clone, Copy)]
enum OpenedValue {
    Scope(usize, VariableScope),
    Parts(u32),
}

/// State of a debugger after its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DapOutcome {
    /// Stays connected.
    Stays,
    /// Has disconnected.
    Leaves,
    /// Ends the program.
    EndsProgram,
}

impl DapSession {
    /// Begins with a client that has connected.
    pub fn begin(client: DapClient, game: &mut StoppableGame) -> Self {
        client.send(response(&client.first, Ok(Value::Null)));
        client.send(event("initialized", json!({})));
        let stop = game.stop().map_or(0, |stop| stop.number);
        Self {
            client,
            reported: stop.saturating_sub(1),
            is_stopped: false,
            opened: Vec::new(),
            files: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// Answers the requests since the last tick, and reports stops.
    pub fn serve(&mut self, game: &mut StoppableGame) -> DapOutcome {
        self.report(game);
        for _ in 0..MAX_REQUESTS {
            let request = match self.client.next() {
                Ok(request) => request,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.leave(game);
                    return DapOutcome::Leaves;
                }
            };
            let command = request["command"].as_str().unwrap_or_default();
            let ends = match command {
                "terminate" => true,
                "disconnect" => request["arguments"]["terminateDebuggee"] == json!(true),
                _ => false,
            };
            let body = self.answer(game, command, &request["arguments"]);
            let step = body.as_ref().ok().and_then(|_| step_of(command));
            self.client.send(response(&request, body));
            if let Some(step) = step {
                self.is_stopped = false;
                game.step(step);
            }
            if ends {
                self.client.send(event("terminated", json!({})));
                self.leave(game);
                return DapOutcome::EndsProgram;
            }
            if command == "disconnect" {
                self.leave(game);
                return DapOutcome::Leaves;
            }
            self.report(game);
        }
        DapOutcome::Stays
    }

    /// Removes the client's breakpoints, and lets a stopped script continue.
    fn leave(&mut self, game: &mut StoppableGame) {
        for (file, _, _) in std::mem::take(&mut self.files) {
            game.set_breakpoints(&file, Vec::new());
        }
        game.debugger().break_on_errors(false);
        game.debugger().cancel_step();
        game.hold(false);
        game.step(ScriptStep::Continue);
    }

    /// Reports a stop or its end, and breakpoints that got their line because a script was loaded.
    fn report(&mut self, game: &mut StoppableGame) {
        match game.stop() {
            Some(stop) if stop.number != self.reported => {
                self.reported = stop.number;
                self.is_stopped = true;
                self.opened.clear();
                self.client.send(event("stopped", stopped(stop)));
            }
            Some(_) => {}
            None if self.is_stopped => {
                self.is_stopped = false;
                let body = json!({ "threadId": THREAD, "allThreadsContinued": true });
                self.client.send(event("continued", body));
            }
            None => {}
        }
        let numbers = &mut self.numbers;
        for (file, own, n_placed) in &mut self.files {
            let place = |one: &Breakpoint| game.debugger().place(file, one.line);
            let n = own.iter().filter(|one| place(one).is_some()).count();
            if n != *n_placed {
                *n_placed = n;
                for one in own.iter() {
                    let number = number_of(numbers, file, one.line);
                    let breakpoint = placed(number, one, place(one));
                    let body = json!({ "reason": "changed", "breakpoint": breakpoint });
                    self.client.send(event("breakpoint", body));
                }
            }
        }
    }

    fn answer(
        &mut self,
        game: &mut StoppableGame,
        command: &str,
        given: &Value,
    ) -> Result<Value, String> {
        match command {
            "configurationDone" => {
                game.hold(false);
                Ok(Value::Null)
            }
            "disconnect" | "terminate" => Ok(Value::Null),
            "setBreakpoints" => self.set_breakpoints(game, given),
            "setExceptionBreakpoints" => {
                let filters = given["filters"].as_array();
                let breaks = filters.is_some_and(|all| all.contains(&json!("uncaught")));
                game.debugger().break_on_errors(breaks);
                Ok(Value::Null)
            }
            "threads" => Ok(json!({ "threads": [{ "id": THREAD, "name": "scripts" }] })),
            "pause" => {
                game.debugger().pause();
                Ok(Value::Null)
            }
            "stackTrace" => stack_trace(game, given),
            "scopes" => {
                let frame = frame_of(given);
                let scopes = [
                    ("Locals", "locals", VariableScope::Locals),
                    ("Used from outside", "locals", VariableScope::Captured),
                    ("Globals", "globals", VariableScope::Globals),
                ];
                let scopes = scopes.map(|(name, hint, scope)| {
                    let reference = self.open(OpenedValue::Scope(frame, scope));
                    json!({
                        "name": name,
                        "presentationHint": hint,
                        "variablesReference": reference,
                        "expensive": scope == VariableScope::Globals,
                    })
                });
                Ok(json!({ "scopes": scopes }))
            }
            "variables" => {
                let opened = self.opened(given)?;
                let variables = game.ask(move |script| match opened {
                    OpenedValue::Scope(frame, scope) => script.variables(frame, scope),
                    OpenedValue::Parts(reference) => script.parts(reference),
                });
                let variables = variables.ok_or("no script is stopped")?;
                let variables: Vec<Value> = variables
                    .into_iter()
                    .map(|variable| self.shown(variable))
                    .collect();
                Ok(json!({ "variables": variables }))
            }
            "evaluate" => self.evaluate(game, given),
            "setVariable" => self.set_variable(game, given),
            _ if step_of(command).is_some() => match game.stop() {
                Some(_) => Ok(json!({ "allThreadsContinued": true })),
                None => Err("no script is stopped".to_owned()),
            },
            _ => Err(format!("unknown request {command:?}")),
        }
    }

    fn set_breakpoints(
        &mut self,
        game: &mut StoppableGame,
        given: &Value,
    ) -> Result<Value, String> {
        let path = given["source"]["path"].as_str().unwrap_or_default();
        let file = in_project(game.folder(), path)
            .ok_or_else(|| format!("{path} is not in the project {}", game.folder().display()))?;
        let wanted = given["breakpoints"].as_array();
        let all: Vec<Result<Breakpoint, Value>> =
            wanted.into_iter().flatten().map(breakpoint).collect();
        let wanted: Vec<Breakpoint> = all.iter().flatten().cloned().collect();
        game.set_breakpoints(&file, wanted.clone());
        let place = |one: &Breakpoint| game.debugger().place(&file, one.line);
        let numbers = &mut self.numbers;
        let shown = all.into_iter().map(|one| match one {
            Ok(one) => placed(number_of(numbers, &file, one.line), &one, place(&one)),
            Err(refused) => refused,
        });
        let shown: Vec<Value> = shown.collect();
        let n_placed = wanted.iter().filter(|one| place(one).is_some()).count();
        self.files.retain(|(own, _, _)| *own != file);
        self.files.push((file, wanted, n_placed));
        Ok(json!({ "breakpoints": shown }))
    }

    fn evaluate(&mut self, game: &mut StoppableGame, given: &Value) -> Result<Value, String> {
        let code = given["expression"].as_str().unwrap_or_default().to_owned();
        let frame = frame_of(given);
        let line = code.clone();
        if let Some(variable) = game.ask(move |script| script.evaluate(frame, &line)) {
            let shown = self.shown(variable?);
            return Ok(json!({
                "result": shown["value"],
                "type": shown["type"],
                "variablesReference": shown["variablesReference"],
            }));
        }
        let session = game.session().ok_or("the game is busy")?;
        let answer = session.answer(&code);
        let values = answer.result.map_err(|fault| fault.to_string())?;
        let lines = answer.printed.into_iter().chain(values);
        let text = lines.collect::<Vec<_>>().join("\n");
        Ok(json!({ "result": text, "variablesReference": 0 }))
    }

    fn set_variable(&mut self, game: &mut StoppableGame, given: &Value) -> Result<Value, String> {
        let name = given["name"].as_str().unwrap_or_default().to_owned();
        let value = given["value"].as_str().unwrap_or_default().to_owned();
        let OpenedValue::Scope(frame, _) = self.opened(given)? else {
            return Err(format!(
                "only variables can be set here; assign the part in the debug console, such as a.{name} = {value}"
            ));
        };
        let set = game.ask(move |script| {
            script.evaluate(frame, &format!("{name} = {value}"))?;
            script.evaluate(frame, &name)
        });
        let variable = set.ok_or("no script is stopped")??;
        let shown = self.shown(variable);
        Ok(json!({
            "value": shown["value"],
            "type": shown["type"],
            "variablesReference": shown["variablesReference"],
        }))
    }

    fn open(&mut self, opened: OpenedValue) -> usize {
        self.opened.push(opened);
        self.opened.len()
    }

    fn opened(&self, given: &Value) -> Result<OpenedValue, String> {
        let reference = given["variablesReference"].as_u64().unwrap_or_default() as usize;
        let index = reference.checked_sub(1);
        let opened = index.and_then(|index| self.opened.get(index)).copied();
        opened.ok_or_else(|| "this value is from an earlier stop".to_owned())
    }

    fn shown(&mut self, variable: Variable) -> Value {
        let reference = match variable.reference {
            0 => 0,
            parts => self.open(OpenedValue::Parts(parts)),
        };
        json!({
            "name": variable.name,
            "value": variable.value,
            "type": variable.kind,
            "variablesReference": reference,
        })
    }
}

/// The step that a request means.
fn step_of(command: &str) -> Option<ScriptStep> {
    match command {
        "continue" => Some(ScriptStep::Continue),
        "next" => Some(ScriptStep::Over),
        "stepIn" => Some(ScriptStep::Into),
        "stepOut" => Some(ScriptStep::Out),
        _ => None,
    }
}

/// Index of the function that a request is about.
fn frame_of(given: &Value) -> usize {
    let id = given["frameId"].as_u64().unwrap_or(1);
    (id as usize).saturating_sub(1)
}

fn stopped(stop: &ScriptStop) -> Value {
    let reason = match stop.reason {
        StopReason::Breakpoint | StopReason::WrongCondition(_) => "breakpoint",
        StopReason::Step => "step",
        StopReason::Pause => "pause",
        StopReason::Error(_) => "exception",
    };
    let mut body = json!({
        "reason": reason,
        "description": reason_text(&stop.reason),
        "threadId": THREAD,
        "allThreadsStopped": true,
    });
    if let StopReason::Error(text) | StopReason::WrongCondition(text) = &stop.reason {
        body["text"] = json!(text);
    }
    body
}

fn stack_trace(game: &StoppableGame, given: &Value) -> Result<Value, String> {
    let stop = game.stop().ok_or("no script is stopped")?;
    let first = given["startFrame"].as_u64().unwrap_or_default() as usize;
    let most = match given["levels"].as_u64() {
        None | Some(0) => usize::MAX,
        Some(most) => most as usize,
    };
    let frames = stop.frames.iter().enumerate().skip(first).take(most);
    let frames: Vec<Value> = frames
        .map(|(i, frame)| {
            let path = game.folder().join(&frame.file);
            json!({
                "id": i + 1,
                "name": frame.name,
                "line": frame.line,
                "column": 1,
                "source": { "name": frame.file, "path": path.display().to_string() },
            })
        })
        .collect();
    Ok(json!({ "stackFrames": frames, "totalFrames": stop.frames.len() }))
}

/// A breakpoint of a request, or the answer that refuses it.
fn breakpoint(given: &Value) -> Result<Breakpoint, Value> {
    let text = |name: &str| {
        let text = given[name].as_str().map(str::trim);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let from_pass = match text("hitCondition") {
        None => 0,
        Some(hits) => first_pass(&hits).ok_or_else(|| {
            let why = format!("a hit count is a number, such as 5, >= 5 or > 5, not {hits:?}");
            json!({ "verified": false, "line": given["line"], "message": why })
        })?,
    };
    Ok(Breakpoint {
        line: given["line"].as_u64().unwrap_or_default() as u32,
        condition: text("condition"),
        from_pass,
        log: text("logMessage"),
    })
}

/// The first pass that a hit count means, from 1: `5` and `>= 5` mean 5, `> 5` means 6.
fn first_pass(hits: &str) -> Option<u64> {
    let (digits, more) = match (hits.strip_prefix(">="), hits.strip_prefix('>')) {
        (Some(digits), _) => (digits, 0),
        (None, Some(digits)) => (digits, 1),
        (None, None) => (hits, 0),
    };
    digits.trim().parse::<u64>().ok()?.checked_add(more)
}

/// A breakpoint of an answer, with its line with code.
fn placed(number: usize, breakpoint: &Breakpoint, place: Option<u32>) -> Value {
    let mut shown = json!({
        "id": number,
        "verified": place.is_some(),
        "line": place.unwrap_or(breakpoint.line),
    });
    if place.is_none() {
        shown["message"] = json!("the script is not loaded yet, or has no code from this line on");
    }
    shown
}

/// Number of the breakpoint in a line, the same each time.
fn number_of(numbers: &mut Vec<(String, u32)>, file: &str, line: u32) -> usize {
    let is_same = |(own, at): &(String, u32)| own == file && *at == line;
    if let Some(index) = numbers.iter().position(is_same) {
        return index + 1;
    }
    numbers.push((file.to_owned(), line));
    numbers.len()
}

/// Path of a script relative to the project, with forward slashes; `None` if it is outside.
fn in_project(folder: &Path, path: &str) -> Option<String> {
    let path = Path::new(path);
    let whole = |path: &Path| -> PathBuf { path.canonicalize().unwrap_or_else(|_| path.into()) };
    let full = whole(&folder.join(path));
    let relative = full
        .strip_prefix(whole(folder))
        .ok()
        .or_else(|| path.strip_prefix(folder).ok())?;
    let parts: Vec<String> = relative
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::{first_pass, number_of};

    #[test]
    fn hit_counts_mean_a_first_pass_or_are_refused() {
        for (text, pass) in [("5", 5), (">= 5", 5), ("> 5", 6), (">=1", 1)] {
            assert_eq!(first_pass(text), Some(pass), "{text}");
        }
        for text in ["== 5", "% 5", "< 5", "five", "-1"] {
            assert_eq!(first_pass(text), None, "{text}");
        }
    }

    #[test]
    fn a_breakpoint_keeps_its_number() {
        let mut numbers = Vec::new();
        let all = [("a", 1), ("b", 1), ("a", 1), ("a", 2)];
        let all = all.map(|(file, line)| number_of(&mut numbers, file, line));
        assert_eq!(all, [1, 2, 1, 3]);
    }
}
