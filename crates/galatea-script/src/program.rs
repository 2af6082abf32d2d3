//! One loaded version of a project's scripts, with everything that it registered.

use std::collections::BTreeMap;

use mlua::Function;

use super::calls::Calls;
use super::clip_ledger::ClipLedger;
use super::crowd_calls::CrowdScripts;
use super::expressions::Expressions;
use super::handles::Handles;
use super::kept::Keeps;
use super::listeners::Listeners;
use super::machines::Machines;
use super::modifiers::ModifierFunctions;
use super::reflexes::ReflexFunctions;
use super::sounds::Sounding;
use super::sources::Sources;
use super::talks::Talk;
use super::tasks::{Ended, Tasks};
use super::vocabulary::Vocabulary;

/// State of one version of the scripts, with one field per system.
#[derive(Default)]
pub(super) struct Program {
    pub sources: Sources,
    pub keeps: Keeps,
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
    pub clips: ClipLedger,
    pub crowds: CrowdScripts,
    pub expressions: Expressions,
    /// Languages and words that the script defined.
    pub vocabulary: Vocabulary,
    pub reflexes: ReflexFunctions,
    pub modifiers: ModifierFunctions,
    /// Tests that a test file registered, by name.
    pub tests: Vec<(String, Function)>,
}
