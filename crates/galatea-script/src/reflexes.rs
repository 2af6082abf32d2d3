//! Functions that decide about the reactions to hits.

use std::collections::HashMap;

use mlua::Function;

use galatea_stage::Handle;

/// The functions of `reflexes`.
#[derive(Default)]
pub(super) struct ReflexFunctions {
    /// What scripts want to say before a hit does anything.
    pub functions: HashMap<Handle, Function>,
    /// Whose function runs now.
    pub asked: Vec<Handle>,
}
