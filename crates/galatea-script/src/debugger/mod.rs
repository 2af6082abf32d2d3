//! Debugger of scripts: breakpoints, steps, and stops at errors.
//!
//! A [`Debugger`] is passed to every [`Host`](crate::Host) of a game. It sets
//! breakpoints in the code of the loaded scripts. When a script reaches one, the [`StopHandler`] is called in the middle of
//! the script with a [`StoppedScript`], and decides how to continue when it returns. So a handler that waits for a person
//! must let the rest of the program run meanwhile, for example on a stack of its own.
//!
//! Luau offers breakpoints only in interpreted code. The code of a script becomes interpreted when a debugger has something
//! to stop at, and stays so until the script is loaded again.

mod breakpoints;
mod debugger_state;
mod hooks;
mod raw_stack;
mod stopped;
mod stops;
#[cfg(test)]
mod tests;
mod watch_scope;

pub(super) use self::breakpoints::{add_chunk, apply};
pub use self::debugger_state::{Debugger, StopHandler};
pub(super) use self::hooks::{attach, call_ended, caught, stop_at_failed_task};
pub use self::stopped::{StackFrame, StoppedScript, Variable, VariableScope};
pub use self::stops::{Breakpoint, ScriptStep, StopReason};
