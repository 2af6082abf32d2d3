//! Functions that change poses.

use std::collections::HashMap;

use mlua::Function;

use galatea_stage::Handle;

/// The functions of `modify`.
#[derive(Default)]
pub(super) struct ModifierFunctions {
    /// By the number of the modifier.
    pub functions: HashMap<u64, Function>,
    /// Whose pose a function is given at the moment.
    pub modifying: Option<Handle>,
}
