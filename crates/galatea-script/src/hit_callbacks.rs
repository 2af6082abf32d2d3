//! Script functions that decide about reactions to hits.

use std::collections::HashMap;

use mlua::Function;

use galatea_stage::Handle;

/// Functions registered with `reflexes`.
#[derive(Default)]
pub(super) struct HitCallbacks {
    /// Function that is called before a hit takes effect, by character.
    pub functions: HashMap<Handle, Function>,
    /// Characters whose function runs now.
    pub running: Vec<Handle>,
}
