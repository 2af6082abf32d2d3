//! Facts that the debugger of scripts shows, and its actions, as data.

use std::collections::{BTreeMap, HashMap};

use galatea_script::{
    Breakpoint, ScriptStep, StackFrame, StopReason, Texts, Variable, VariableScope,
};

/// Facts that the debugger shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DebugFacts {
    /// Texts of the loaded scripts, by path.
    pub texts: Texts,
    /// Breakpoints by path of the script, each with its line with code; `None` if that is not known.
    pub breakpoints: BTreeMap<String, Vec<(Breakpoint, Option<u32>)>>,
    /// Scripts stop at errors that no script catches.
    pub breaks_on_errors: bool,
    /// Expressions that are evaluated at each stop.
    pub watches: Vec<String>,
    /// The stop, while a script is stopped.
    pub stop: Option<ScriptStop>,
}

/// A script that is stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptStop {
    /// Number of the stop, from 1.
    pub number: u64,
    /// Reason of the stop.
    pub reason: StopReason,
    /// Functions on the call stack, innermost first.
    pub frames: Vec<StackFrame>,
    /// Index of the function with the shown variables.
    pub frame: usize,
    /// Variables of that function.
    pub scopes: Vec<(VariableScope, Vec<Variable>)>,
    /// Parts of opened values, by the reference of the value.
    pub parts: HashMap<u32, Vec<Variable>>,
    /// Values of the watched expressions, or their errors.
    pub watches: Vec<Result<Variable, String>>,
}

/// An action of a user in the debugger.
#[derive(Clone, Debug, PartialEq)]
pub enum DebugAction {
    /// Sets a breakpoint at a line, or removes it.
    Toggle {
        /// Path of the script, relative to the project.
        file: String,
        /// Line number, from 1.
        line: u32,
    },
    /// Sets the condition of a breakpoint.
    SetCondition {
        /// Path of the script, relative to the project.
        file: String,
        /// Line of the breakpoint, from 1.
        line: u32,
        /// Lua expression; empty for none.
        condition: String,
    },
    /// Removes all breakpoints.
    ClearBreakpoints,
    /// Stops at errors that no script catches, or no longer.
    BreakOnErrors(bool),
    /// Stops at the next line that runs.
    Pause,
    /// Continues a stopped script.
    Step(ScriptStep),
    /// Shows the variables of a function, by its index.
    ShowFrame(usize),
    /// Opens or closes a value with parts, by its reference.
    ToggleParts(u32),
    /// Evaluates an expression at each stop.
    Watch(String),
    /// No longer evaluates an expression.
    Unwatch(String),
}

/// Message about a stop.
pub fn reason_text(reason: &StopReason) -> String {
    match reason {
        StopReason::Breakpoint => "stopped at a breakpoint".to_owned(),
        StopReason::WrongCondition(why) => {
            format!("stopped, because the condition of the breakpoint has an error: {why}")
        }
        StopReason::Step => "stopped after a step".to_owned(),
        StopReason::Pause => "paused".to_owned(),
        StopReason::Error(text) => format!("stopped at an error: {text}"),
    }
}
