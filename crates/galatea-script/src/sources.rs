//! Scripts of a program: globals, texts, modules and top-level locals.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::ffi::c_int;
use std::rc::Rc;

use mlua::{Function, Table, Value};

/// Texts of scripts by path, relative to the project.
pub type Texts = HashMap<String, Rc<str>>;

/// Main script of a project, and optionally the texts to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptSource {
    /// Path of the main script, relative to the project.
    pub main: String,
    /// Texts of an earlier version to restore; they replace the project's current files.
    pub texts: Option<Texts>,
}

impl ScriptSource {
    /// The current files of a project with this main script.
    pub fn of(main: &str) -> Self {
        Self {
            main: main.to_owned(),
            texts: None,
        }
    }
}

impl Default for ScriptSource {
    fn default() -> Self {
        Self {
            main: "scripts/main.lua".into(),
            texts: None,
        }
    }
}

/// Top-level locals of one script.
#[derive(Clone)]
pub(super) struct ScriptLocals {
    /// Path of the script, relative to the project.
    pub file: String,
    /// Names of the locals, in order of declaration.
    pub names: Vec<String>,
    /// Function that returns a table of their current values.
    pub read: Function,
}

/// Code of a loaded script, in which the debugger sets breakpoints.
pub(super) struct LoadedChunk {
    /// Path of the script, relative to the project.
    pub file: String,
    /// Main part of the script.
    pub main: Function,
    /// Lines with a breakpoint.
    pub lines: RefCell<BTreeSet<c_int>>,
    /// The code is no longer native.
    pub is_interpreted: Cell<bool>,
    /// Version of the breakpoints that are set.
    pub version: Cell<u64>,
}

/// Scripts that a program has read.
#[derive(Default)]
pub(super) struct Sources {
    /// Environment with the script's globals.
    pub env: Option<Table>,
    /// Path of the main script: the first one that was compiled.
    pub main: String,
    /// Texts of the scripts that ran, by path.
    pub texts: Texts,
    /// Top-level locals of scripts that are passed to the console.
    pub locals: Vec<ScriptLocals>,
    /// Code of the scripts, for the debugger.
    pub chunks: Vec<Rc<LoadedChunk>>,
    /// Results of `require`, by path.
    pub modules: HashMap<String, Value>,
    /// Results of `require` in the previous version, while this one starts.
    pub modules_before: HashMap<String, Value>,
}

impl Sources {
    /// Global function of the script with this name.
    pub fn global_function(&self, name: &str) -> Option<Function> {
        self.env.as_ref()?.raw_get::<Option<Function>>(name).ok()?
    }

    /// Adds the text of a script that is compiled.
    pub fn add_text(&mut self, path: &str, text: &str) {
        if self.texts.is_empty() {
            path.clone_into(&mut self.main);
        }
        self.texts.insert(path.to_owned(), text.into());
    }

    /// Adds the locals of a script, replacing its earlier ones.
    pub fn add_locals(&mut self, locals: ScriptLocals) {
        self.locals.retain(|one| one.file != locals.file);
        self.locals.push(locals);
    }

    /// Scripts with their locals, the main script first.
    pub fn ordered_locals(&self) -> Vec<&ScriptLocals> {
        let mut ordered: Vec<&ScriptLocals> = self.locals.iter().collect();
        ordered.sort_by_key(|one| one.file != self.main);
        ordered
    }
}
