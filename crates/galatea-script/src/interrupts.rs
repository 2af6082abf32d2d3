//! Interrupts of the VM: every step of a script is counted without a call through mlua.
//!
//! mlua reserves memory for an error in every interrupt. If a script fails often, that memory is used up. mlua then
//! allocates it on the stack of the running function, which grows with each failure, so that n failures take time
//! proportional to n². Here an interrupt calls mlua only to stop the script.

use std::ffi::{CStr, c_int};
use std::rc::Rc;

use mlua::{Lua, VmState, ffi};

use super::budget::{Budget, count_memory};
use super::function_times;
use super::vm_list::{VmList, add_vm, with_vm};

/// Interrupt handler of a Lua state.
type InterruptHandler = unsafe extern "C-unwind" fn(*mut ffi::lua_State, c_int);

/// The budget that counts the steps of a VM.
struct CountedVm {
    budget: Rc<Budget>,
    /// Handler of mlua, which raises the error of a stopped script.
    stop: InterruptHandler,
}

thread_local! {
    static COUNTED: VmList<CountedVm> = const { VmList::new() };
}

/// Counts the steps and the memory of all code that a VM runs. The budget sets the limits.
///
/// # Errors
/// Fails if the VM runs out of memory.
pub fn count_steps(lua: &Lua, budget: Rc<Budget>) -> mlua::Result<()> {
    let stopped = budget.clone();
    lua.set_interrupt(move |lua| stopped.stopped(lua).map_or(Ok(VmState::Continue), Err));
    add_vm(lua, &COUNTED, |callbacks| {
        // SAFETY: the callbacks belong to `lua`. The new handler calls the handler of mlua with the arguments of the VM,
        // or does not use the state.
        let stop = unsafe { (*callbacks).interrupt.replace(interrupted) };
        let stop = stop.ok_or_else(|| mlua::Error::runtime("the VM has no interrupts"))?;
        let budget = budget.clone();
        Ok(CountedVm { budget, stop })
    })?;
    count_memory(lua)?;
    lua.set_app_data(budget);
    Ok(())
}

/// Notes the running function for the profiler.
///
/// # Safety
/// The state must be one whose VM calls an interrupt.
unsafe fn note_function(state: *mut ffi::lua_State) {
    // SAFETY: numbers and pointers can be zero. Level 0 is the running function, whose strings live while it runs.
    unsafe {
        let mut about: ffi::lua_Debug = std::mem::zeroed();
        if ffi::lua_getinfo(state, 0, c"sn".as_ptr(), &raw mut about) == 0 || about.source.is_null()
        {
            return;
        }
        let name = match about.name.is_null() {
            true => c"",
            false => CStr::from_ptr(about.name),
        };
        function_times::note(CStr::from_ptr(about.source), about.linedefined, name);
    }
}

/// Counts a step, and stops the script if it has exceeded its limit.
unsafe extern "C-unwind" fn interrupted(state: *mut ffi::lua_State, gc: c_int) {
    if gc >= 0 {
        return;
    }
    // SAFETY: the VM calls this function with one of its own states.
    let stop = unsafe { with_vm(state, &COUNTED, |vm| (!vm.budget.step()).then_some(vm.stop)) };
    if puffin::are_scopes_on() {
        // SAFETY: the state is that of the interrupt.
        unsafe { note_function(state) }
    }
    if let Some(Some(stop)) = stop {
        // SAFETY: this is the handler that mlua had set, with the arguments of the VM. It may unwind; no value here
        // needs to be dropped.
        unsafe { stop(state, gc) }
    }
}
