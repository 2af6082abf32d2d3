//! Script functions that modify poses.

use std::collections::HashMap;

use mlua::Function;

use galatea_stage::Handle;

/// Functions registered with `modify`.
#[derive(Default)]
pub(super) struct ModifierFunctions {
    /// Functions by modifier id.
    pub functions: HashMap<u64, Function>,
    /// Owner of the pose that a function receives now.
    pub modifying: Option<Handle>,
}
