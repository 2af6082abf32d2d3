//! One loaded version of a project's scripts, with everything that it registered.

use std::collections::BTreeMap;

use mlua::Function;

use super::calls::Calls;
use super::crowd_calls::CrowdScripts;
use super::expressions::Expressions;
use super::handles::Handles;
use super::hit_callbacks::HitCallbacks;
use super::kept_tables::ReloadTables;
use super::listeners::Listeners;
use super::machines::Machines;
use super::modifiers::ModifierFunctions;
use super::script_clip_store::ScriptClipStore;
use super::sounds::Sounding;
use super::sources::Sources;
use super::talks::Talk;
use super::tasks::{Ended, Tasks};
use super::vocabulary::Vocabulary;

/// State of one version of the scripts, with one field per system.
#[derive(Default)]
pub(super) struct Program {
    pub sources: Sources,
    pub reload_tables: ReloadTables,
    pub handles: Handles,
    pub listeners: Listeners,
    pub machines: Machines,
    pub tasks: Tasks,
    pub calls: Calls,
    /// Sounds that have not ended, by id.
    pub sounds: BTreeMap<u64, Sounding>,
    /// Conversations that have not ended, by id.
    pub conversations: BTreeMap<u64, Talk>,
    /// Lines whose end tasks wait for, by id.
    pub lines: BTreeMap<u64, Ended>,
    pub clips: ScriptClipStore,
    pub crowds: CrowdScripts,
    pub expressions: Expressions,
    /// Languages and words that the script defined.
    pub vocabulary: Vocabulary,
    pub hit_callbacks: HitCallbacks,
    pub modifiers: ModifierFunctions,
    /// Tests that a test file registered, by name.
    pub tests: Vec<(String, Function)>,
}
