//! Breakpoints, reasons to stop, and steps.

/// A line at which scripts stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breakpoint {
    /// Line number, from 1. A line without code means the next line with code.
    pub line: u32,
    /// Lua expression: the script stops only if it is true.
    pub condition: Option<String>,
    /// The script stops only from this pass on, counted from 1.
    pub from_pass: u64,
    /// Text that is printed instead of a stop. Lua expressions in braces are replaced by their values.
    pub log: Option<String>,
}

/// Reason why a script stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The script reached a breakpoint.
    Breakpoint,
    /// The script reached a breakpoint, and its condition has this error.
    WrongCondition(String),
    /// A step ended.
    Step,
    /// A pause was requested.
    Pause,
    /// The script raised this error, which no script catches.
    Error(String),
}

/// Step with which a stopped script continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptStep {
    /// Until the next breakpoint.
    Continue,
    /// To the next line of the same function, or of its caller at its end.
    Over,
    /// To the next line of any function.
    Into,
    /// To the next line of the caller.
    Out,
}
