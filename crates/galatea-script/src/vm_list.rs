//! Data of the VMs of this thread, for callbacks of the VM that get only a Lua state.

use std::cell::RefCell;
use std::thread::LocalKey;

use mlua::{Lua, ffi};

/// Data of each VM of a thread.
pub struct VmList<T>(RefCell<Vec<(*mut ffi::lua_Callbacks, T)>>);

impl<T> VmList<T> {
    /// Creates an empty list.
    pub const fn new() -> Self {
        Self(RefCell::new(Vec::new()))
    }
}

/// Removes a VM from a list when the VM is dropped.
struct VmEntry<T: 'static> {
    list: &'static LocalKey<VmList<T>>,
    callbacks: *mut ffi::lua_Callbacks,
}

impl<T> Drop for VmEntry<T> {
    fn drop(&mut self) {
        // The list may already be dropped when the thread ends.
        let _ = self.list.try_with(|list| {
            if let Ok(mut all) = list.0.try_borrow_mut() {
                all.retain(|(callbacks, _)| *callbacks != self.callbacks);
            }
        });
    }
}

/// Adds a VM to a list, until it is dropped. `make` gets the callbacks of the VM, which live as long as the VM.
///
/// # Errors
/// Fails if the VM runs out of memory, or if `make` fails.
pub fn add_vm<T: 'static>(
    lua: &Lua,
    list: &'static LocalKey<VmList<T>>,
    make: impl FnOnce(*mut ffi::lua_Callbacks) -> mlua::Result<T>,
) -> mlua::Result<()> {
    let mut callbacks = std::ptr::null_mut();
    // SAFETY: the state belongs to `lua`, and the closure only reads the address of its callbacks.
    unsafe { lua.exec_raw::<()>((), |state| callbacks = ffi::lua_callbacks(state))? };
    let data = make(callbacks)?;
    list.with(|list| list.0.borrow_mut().push((callbacks, data)));
    lua.set_app_data(VmEntry { list, callbacks });
    Ok(())
}

/// Runs `f` with the data of the VM that calls one of its callbacks; `None` if the VM is not in the list.
///
/// # Safety
/// The state must belong to a VM that lives.
pub unsafe fn with_vm<T: 'static, R>(
    state: *mut ffi::lua_State,
    list: &'static LocalKey<VmList<T>>,
    f: impl FnOnce(&T) -> R,
) -> Option<R> {
    // SAFETY: the caller passes a state of a VM that lives.
    let callbacks = unsafe { ffi::lua_callbacks(state) };
    list.with(|list| {
        let all = list.0.borrow();
        all.iter()
            .rfind(|(own, _)| *own == callbacks)
            .map(|(_, data)| f(data))
    })
}
