//! State of a debugger: breakpoints and the step that has begun.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::stopped::StoppedScript;
use super::stops::{Breakpoint, ScriptStep, StopReason};

/// The part of a program that waits while a script is stopped.
pub trait StopHandler {
    /// Returns true if a script may stop now.
    fn can_stop(&self) -> bool;

    /// Called in a stopped script, which continues when this function returns.
    fn stopped(&self, script: &StoppedScript) -> ScriptStep;
}

/// Breakpoints and steps of the scripts of a game. Clones share their state.
#[derive(Clone)]
pub struct Debugger(pub(super) Rc<DebuggerState>);

pub(super) struct DebuggerState {
    pub handler: Box<dyn StopHandler>,
    /// By path of the script, relative to the project.
    pub breakpoints: RefCell<BTreeMap<String, Vec<Breakpoint>>>,
    /// Lines with code at which the breakpoints are, by script and requested line.
    pub places: RefCell<HashMap<(String, u32), u32>>,
    /// Passes of each breakpoint, by script and requested line.
    passes: RefCell<HashMap<(String, u32), u64>>,
    /// Number of changes that concern the code of the scripts.
    pub version: Cell<u64>,
    breaks_on_errors: Cell<bool>,
    pub stepping: Cell<Option<Stepping>>,
    /// A script is stopped now; code that it evaluates does not stop.
    pub is_stopped: Rc<Cell<bool>>,
}

/// A step that has begun.
#[derive(Clone, Copy)]
pub(super) struct Stepping {
    pub step: ScriptStep,
    /// State that the step began in, as an address; a pause has none.
    pub thread: usize,
    /// Number of calls on the stack at its beginning.
    depth: i32,
}

impl Debugger {
    /// Creates a debugger without breakpoints.
    pub fn new(handler: impl StopHandler + 'static) -> Self {
        Self(Rc::new(DebuggerState {
            handler: Box::new(handler),
            breakpoints: RefCell::default(),
            places: RefCell::default(),
            passes: RefCell::default(),
            version: Cell::new(0),
            breaks_on_errors: Cell::new(false),
            stepping: Cell::new(None),
            is_stopped: Rc::default(),
        }))
    }

    /// Replaces the breakpoints of a script. Its path is relative to the project.
    pub fn set_breakpoints(&self, file: &str, breakpoints: Vec<Breakpoint>) {
        let is_own = |key: &(String, u32)| key.0 == file;
        self.0.places.borrow_mut().retain(|key, _| !is_own(key));
        self.0.passes.borrow_mut().retain(|key, _| !is_own(key));
        let mut all = self.0.breakpoints.borrow_mut();
        if breakpoints.is_empty() {
            all.remove(file);
        } else {
            all.insert(file.to_owned(), breakpoints);
        }
        drop(all);
        self.changed();
    }

    /// Breakpoints of all scripts, by path.
    pub fn breakpoints(&self) -> BTreeMap<String, Vec<Breakpoint>> {
        self.0.breakpoints.borrow().clone()
    }

    /// Line with code at which a breakpoint is; `None` if the script is not loaded, or has no code from this line on.
    pub fn place(&self, file: &str, line: u32) -> Option<u32> {
        let places = self.0.places.borrow();
        places.get(&(file.to_owned(), line)).copied()
    }

    /// Scripts stop at errors that no script catches.
    pub fn break_on_errors(&self, breaks: bool) {
        self.0.breaks_on_errors.set(breaks);
        self.changed();
    }

    /// Returns true if scripts stop at errors.
    pub fn breaks_on_errors(&self) -> bool {
        self.0.breaks_on_errors.get()
    }

    /// Stops at the next line that a script runs.
    pub fn pause(&self) {
        self.begin_step(ScriptStep::Into, 0, 0);
    }

    /// Takes back a pause or a step that has not stopped a script yet.
    pub fn cancel_step(&self) {
        self.begin_step(ScriptStep::Continue, 0, 0);
    }

    /// Removes all breakpoints, and lets a stopped script continue without a step.
    pub fn clear(&self) {
        self.0.breakpoints.borrow_mut().clear();
        self.0.places.borrow_mut().clear();
        self.0.passes.borrow_mut().clear();
        self.0.breaks_on_errors.set(false);
        self.0.stepping.set(None);
        self.changed();
    }

    /// Returns true if there is something at which scripts may stop.
    pub fn is_armed(&self) -> bool {
        self.breaks_on_errors() || self.is_stepping() || !self.0.breakpoints.borrow().is_empty()
    }

    /// Returns true if scripts may stop at any line.
    pub(super) fn is_stepping(&self) -> bool {
        self.0.stepping.get().is_some()
    }

    /// Number of changes that concern the code of the scripts.
    pub(crate) fn version(&self) -> u64 {
        self.0.version.get()
    }

    fn changed(&self) {
        self.0.version.set(self.0.version.get() + 1);
    }

    pub(super) fn begin_step(&self, step: ScriptStep, thread: usize, depth: i32) {
        let stepping = (step != ScriptStep::Continue).then_some(Stepping {
            step,
            thread,
            depth,
        });
        let was_stepping = self.is_stepping();
        self.0.stepping.set(stepping);
        if was_stepping != self.is_stepping() {
            self.changed();
        }
    }

    /// Reason to stop at a line, if there is one. A breakpoint wins over a step.
    pub(super) fn reason_at(
        &self,
        file: &str,
        line: u32,
        (thread, depth): (usize, i32),
        evaluate: impl Fn(&str) -> Result<(bool, String), String>,
        print: impl Fn(String),
    ) -> Option<StopReason> {
        let stepped = self.0.stepping.get().and_then(|stepping| {
            let is_same = stepping.thread == thread;
            let is_due = match stepping.step {
                ScriptStep::Continue => false,
                ScriptStep::Into => true,
                ScriptStep::Over => is_same && depth <= stepping.depth,
                ScriptStep::Out => is_same && depth < stepping.depth,
            };
            let reason = match stepping.thread {
                0 => StopReason::Pause,
                _ => StopReason::Step,
            };
            is_due.then_some(reason)
        });
        let own = self.0.breakpoints.borrow().get(file).cloned();
        let here = own.into_iter().flatten().find(|one| {
            let place = self.place(file, one.line);
            place.unwrap_or(one.line) == line
        });
        let Some(breakpoint) = here else {
            return stepped;
        };
        let reason = match breakpoint.condition.as_deref().map(&evaluate) {
            Some(Ok((false, _))) => return stepped,
            Some(Err(why)) => StopReason::WrongCondition(why),
            Some(Ok(_)) | None => StopReason::Breakpoint,
        };
        let mut passes = self.0.passes.borrow_mut();
        let n = passes
            .entry((file.to_owned(), breakpoint.line))
            .or_default();
        *n += 1;
        if *n < breakpoint.from_pass {
            return stepped;
        }
        drop(passes);
        match &breakpoint.log {
            Some(text) => {
                print(filled(text, |expression| match evaluate(expression) {
                    Ok((_, shown)) => shown,
                    Err(why) => format!("<{why}>"),
                }));
                stepped
            }
            None => Some(reason),
        }
    }
}

/// Replaces expressions in braces by their values.
pub(super) fn filled(text: &str, value: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        match after.split_once('}') {
            Some((expression, after)) => {
                out.push_str(&value(expression));
                rest = after;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}
