//! Places at which the VM calls the debugger.

use std::rc::Rc;

use mlua::{Function, Lua, MultiValue, Thread, Value, WeakLua, ffi};

use super::breakpoints::{apply, debugger_of};
use super::debugger_state::Debugger;
use super::raw_stack::RawStack;
use super::stopped::StoppedScript;
use super::stops::{ScriptStep, StopReason};
use crate::budget::Budget;
use crate::fault::Fault;
use crate::vm_list::{VmList, add_vm, with_vm};
use crate::vm_messages::explained;
use galatea_guard::contained;

/// A VM with a debugger.
#[derive(Clone)]
struct DebuggedVm {
    lua: WeakLua,
    debugger: Debugger,
}

thread_local! {
    static DEBUGGED: VmList<DebuggedVm> = const { VmList::new() };
}

/// Calls `handler` with an error at the line where it was raised, and passes it on.
const PASS_ON: &str = "
local handler = ...
local function results(ok, ...)
    if ok then
        return ...
    end
    error((...), 0)
end
return function(f, ...)
    return results(xpcall(f, handler, ...))
end";

/// Calls functions so that the debugger sees errors where they are raised.
struct Catcher(Function);

/// Gives a VM a debugger.
///
/// # Errors
/// Fails if the VM runs out of memory.
pub fn attach(lua: &Lua, debugger: Debugger) -> mlua::Result<()> {
    let handler = lua.create_function(error_raised)?;
    let catcher: Function = lua.load(PASS_ON).set_name("=[debugger]").call(handler)?;
    lua.set_app_data(Catcher(catcher));
    lua.set_app_data(debugger.clone());
    let weak = lua.weak();
    add_vm(lua, &DEBUGGED, |callbacks| {
        // SAFETY: the callbacks belong to `lua`, and mlua never sets this one.
        unsafe { (*callbacks).debugbreak = Some(reached_line) };
        Ok(DebuggedVm {
            lua: weak,
            debugger,
        })
    })
}

/// Called at a line with a breakpoint.
unsafe extern "C-unwind" fn reached_line(state: *mut ffi::lua_State, _: *mut ffi::lua_Debug) {
    // SAFETY: the VM calls this function with one of its own states.
    let vm = unsafe { with_vm(state, &DEBUGGED, DebuggedVm::clone) };
    let Some((lua, debugger)) = vm.and_then(|vm| Some((vm.lua.try_upgrade()?, vm.debugger))) else {
        return;
    };
    if debugger.0.is_stopped.get() || !debugger.0.handler.can_stop() {
        return;
    }
    // SAFETY: the state stays where it is until this function returns.
    let stack = unsafe { RawStack::new(lua, state) };
    let Some(frame) = stack.frame(0) else { return };
    let Some(file) = frame.source.strip_prefix('@') else {
        return;
    };
    // A panic must not reach the VM. It was reported where it happened.
    let _ = contained("debugging a script", || {
        let here = (stack.address(), stack.depth());
        let script = StoppedScript::new(stack.clone(), debugger.0.is_stopped.clone());
        let reason = debugger.reason_at(
            file,
            frame.line,
            here,
            |expression| script.is_true(expression),
            |line| script.print(line),
        );
        if let Some(reason) = reason {
            stop(&debugger, script.because(reason), &stack);
        }
    });
    debugger.0.is_stopped.set(false);
}

/// Lets the handler of the debugger look at a stopped script, and begins its next step.
fn stop(debugger: &Debugger, script: StoppedScript, stack: &RawStack) {
    let lua = script.lua().clone();
    debugger.0.is_stopped.set(true);
    debugger.begin_step(ScriptStep::Continue, 0, 0);
    let step = debugger.0.handler.stopped(&script);
    drop(script);
    debugger.0.is_stopped.set(false);
    debugger.begin_step(step, stack.address(), stack.depth());
    // If memory is short, the breakpoints stay as they are until the next change.
    let _ = apply(&lua);
    if let Some(budget) = lua.app_data_ref::<Rc<Budget>>() {
        budget.restart_watchdog();
    }
    crate::function_times::begin();
}

/// Stops where an error was raised. `error` is passed on with its call stack.
fn error_raised(lua: &Lua, error: Value) -> mlua::Result<Value> {
    let error = match error {
        Value::Error(error) => *error,
        other => {
            let text = match other.to_string() {
                Ok(text) => text,
                Err(_) => other.type_name().to_owned(),
            };
            let trace = lua.traceback(None, 1)?.to_string_lossy();
            mlua::Error::RuntimeError(format!("{text}\n{trace}"))
        }
    };
    let mut state = std::ptr::null_mut();
    // SAFETY: the closure only reads the address of the state.
    unsafe { lua.exec_raw::<()>((), |current| state = current)? };
    // SAFETY: this function is on top of the state, which stays where it is until it returns.
    let stack = unsafe { RawStack::new(lua.clone(), state) };
    stop_at_error(stack, &error);
    Ok(Value::Error(Box::new(error)))
}

/// Stops in a task that failed, if scripts stop at errors.
pub fn stop_at_failed_task(lua: &Lua, thread: &Thread, error: &mlua::Error) {
    let breaks = debugger_of(lua).is_some_and(|debugger| debugger.breaks_on_errors());
    if breaks {
        // SAFETY: a task that failed is not continued, and `thread` keeps its stack.
        let stack = unsafe { RawStack::new(lua.clone(), thread.state()) };
        stop_at_error(stack, error);
    }
}

fn stop_at_error(stack: RawStack, error: &mlua::Error) {
    let Some(debugger) = debugger_of(stack.lua()) else {
        return;
    };
    if debugger.0.is_stopped.get() || !debugger.0.handler.can_stop() {
        return;
    }
    let script = StoppedScript::new(stack.clone(), debugger.0.is_stopped.clone());
    if script.frames().is_empty() {
        return;
    }
    let text = Fault::from_lua(error).text;
    let here = script.frames().first();
    let code = here.and_then(|here| {
        let text = script.texts().remove(&here.file)?;
        Some(text.lines().nth(here.line as usize - 1)?.to_owned())
    });
    let plain = code.and_then(|code| explained(&text, &code));
    let reason = StopReason::Error(plain.unwrap_or(text));
    stop(&debugger, script.because(reason), &stack);
}

/// Calls a function. If scripts stop at errors, the debugger sees an error where it is raised.
///
/// # Errors
/// The error of the function.
pub fn caught(lua: &Lua, function: &Function, args: MultiValue) -> mlua::Result<MultiValue> {
    let breaks = debugger_of(lua).is_some_and(|debugger| debugger.breaks_on_errors());
    let catcher = lua
        .app_data_ref::<Catcher>()
        .map(|catcher| catcher.0.clone());
    match catcher.filter(|_| breaks) {
        Some(catcher) => {
            let mut args = args;
            args.push_front(Value::Function(function.clone()));
            catcher.call(args)
        }
        None => function.call(args),
    }
}

/// Ends a step over or out of a function that the runtime had called, because the call has ended.
pub fn call_ended(lua: &Lua, debugger: &Debugger) {
    let Some(stepping) = debugger.0.stepping.get() else {
        return;
    };
    let mut main = 0;
    // SAFETY: the closure only reads an address.
    let read =
        unsafe { lua.exec_raw::<()>((), |state| main = ffi::lua_mainthread(state) as usize) };
    // A task continues later, and a step into a function waits for the next one.
    if read.is_ok() && stepping.step != ScriptStep::Into && stepping.thread == main {
        debugger.begin_step(ScriptStep::Continue, 0, 0);
    }
}
