//! One loaded version of a project's scripts: what it registered and what belongs to it.

use std::collections::BTreeMap;

use mlua::Function;

use super::acts::Acts;
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
use super::vocabulary::Vocabulary;

/// State of one version of the scripts, one part for each system.
#[derive(Default)]
pub(super) struct Program {
    pub sources: Sources,
    pub keeps: Keeps,
    pub handles: Handles,
    pub listeners: Listeners,
    pub machines: Machines,
    pub acts: Acts,
    pub calls: Calls,
    /// Sounds that are not over.
    pub sounds: BTreeMap<u64, Sounding>,
    /// Conversations that are not over.
    pub conversations: BTreeMap<u64, Talk>,
    pub clips: ClipLedger,
    pub crowds: CrowdScripts,
    pub expressions: Expressions,
    /// Languages and words of its own.
    pub vocabulary: Vocabulary,
    pub reflexes: ReflexFunctions,
    pub modifiers: ModifierFunctions,
    /// Tests that a test file registered.
    pub tests: Vec<(String, Function)>,
}
