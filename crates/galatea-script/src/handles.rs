//! Userdata of characters and machines. Each has one userdata, so handles compare equal and create no garbage.

use std::collections::HashMap;

use mlua::AnyUserData;

use galatea_stage::Handle;

/// Userdata that scripts hold.
#[derive(Clone, Default)]
pub(super) struct Handles {
    pub characters: HashMap<Handle, AnyUserData>,
    pub machines: HashMap<Handle, AnyUserData>,
}

impl Handles {
    /// Removes a character and its machine.
    pub fn remove(&mut self, character: Handle) {
        self.characters.remove(&character);
        self.machines.remove(&character);
    }

    /// Removes all characters for which `is_there` is false, and their machines.
    pub fn retain(&mut self, is_there: impl Fn(Handle) -> bool) {
        self.characters.retain(|handle, _| is_there(*handle));
        self.machines.retain(|handle, _| is_there(*handle));
    }
}
