//! Interrupts of the VM: each step of a script is counted without a call through mlua.
//!
//! mlua reserves memory for an error in every interrupt. Where scripts fail often it has none left, and makes it on the stack of the
//! function that runs, which grows with each failure: n failures took the time of n² of them. Here an interrupt reaches mlua only to
//! stop the script.

use std::cell::RefCell;
use std::ffi::c_int;
use std::rc::Rc;

use mlua::{Lua, VmState, ffi};

use super::budget::{Budget, count_memory};

/// Handles an interrupt of a state.
type InterruptHandler = unsafe extern "C-unwind" fn(*mut ffi::lua_State, c_int);

/// A VM of this thread and what counts its steps.
struct CountedVm {
    callbacks: *mut ffi::lua_Callbacks,
    budget: Rc<Budget>,
    /// mlua's own handler, which raises the error of a script that is stopped.
    stop: InterruptHandler,
}

thread_local! {
    static COUNTED: RefCell<Vec<CountedVm>> = const { RefCell::new(Vec::new()) };
}

/// Forgets a VM when the VM drops it.
struct CountedGuard(*mut ffi::lua_Callbacks);

impl Drop for CountedGuard {
    fn drop(&mut self) {
        // A thread that ends has dropped the list already.
        let _ = COUNTED.try_with(|all| {
            if let Ok(mut all) = all.try_borrow_mut() {
                all.retain(|one| one.callbacks != self.0);
            }
        });
    }
}

/// Counts the steps and the memory of all that a VM runs. Limits are those that the budget was begun with.
///
/// # Errors
/// When the VM has no memory for it.
pub fn count_steps(lua: &Lua, budget: Rc<Budget>) -> mlua::Result<()> {
    let stopped = budget.clone();
    lua.set_interrupt(move |lua| stopped.stopped(lua).map_or(Ok(VmState::Continue), Err));
    // SAFETY: the state is that of `lua`, whose callbacks live as long as it does.
    let callbacks = unsafe {
        let mut callbacks = std::ptr::null_mut();
        lua.exec_raw::<()>((), |state| callbacks = ffi::lua_callbacks(state))?;
        callbacks
    };
    // SAFETY: as above.
    let stop = unsafe { (*callbacks).interrupt };
    let stop = stop.ok_or_else(|| mlua::Error::runtime("the VM has no interrupts"))?;
    COUNTED.with_borrow_mut(|all| {
        all.push(CountedVm {
            callbacks,
            budget: budget.clone(),
            stop,
        });
    });
    lua.set_app_data(CountedGuard(callbacks));
    // SAFETY: as above; the handler calls that of mlua with the arguments of the VM, or leaves the state alone.
    unsafe { (*callbacks).interrupt = Some(interrupted) };
    count_memory(lua)?;
    lua.set_app_data(budget);
    Ok(())
}

/// Counts a step; stops the script if it was one too many.
unsafe extern "C-unwind" fn interrupted(state: *mut ffi::lua_State, gc: c_int) {
    if gc >= 0 {
        return;
    }
    // SAFETY: the VM calls this with a state of its own.
    let callbacks = unsafe { ffi::lua_callbacks(state) };
    let stop = COUNTED.with_borrow(|all| {
        let vm = all.iter().rfind(|one| one.callbacks == callbacks)?;
        (!vm.budget.step()).then_some(vm.stop)
    });
    if let Some(stop) = stop {
        // SAFETY: this is the handler that mlua had set, with the arguments of the VM. It may unwind; nothing here needs dropping.
        unsafe { stop(state, gc) }
    }
}
