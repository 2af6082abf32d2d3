//! The scripts of a program: their globals, texts, modules and top-level locals.

use std::collections::HashMap;
use std::rc::Rc;

use mlua::{Function, Table, Value};

/// Texts of scripts by path, relative to the project.
pub type Texts = HashMap<String, Rc<str>>;

/// Where a project's scripts begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptSource {
    /// Path of the main script, relative to the project.
    pub main: String,
    /// The texts of a version to go back to, in place of those that the project has now.
    pub texts: Option<Texts>,
}

impl Default for ScriptSource {
    fn default() -> Self {
        Self {
            main: "scripts/main.lua".into(),
            texts: None,
        }
    }
}

/// The locals of one script.
#[derive(Clone)]
pub(super) struct ScriptLocals {
    /// The script, relative to the project.
    pub file: String,
    /// Their names, as they come.
    pub names: Vec<String>,
    /// Gives a table of their values now.
    pub read: Function,
}

/// The scripts that a program has read.
#[derive(Default)]
pub(super) struct Sources {
    /// The script's globals.
    pub env: Option<Table>,
    /// Path of the main script: the first that was compiled.
    pub main: String,
    /// Texts of the scripts that ran, by path.
    pub texts: Texts,
    /// The locals at the top of scripts, as far as they are handed to the console.
    pub locals: Vec<ScriptLocals>,
    /// Results of `require`, by path.
    pub modules: HashMap<String, Value>,
    /// Those of the version before, while this one begins.
    pub modules_before: HashMap<String, Value>,
}

impl Sources {
    /// A global of the script that is a function.
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

    /// Adds the locals of a script, in place of those that it had.
    pub fn add_locals(&mut self, locals: ScriptLocals) {
        self.locals.retain(|one| one.file != locals.file);
        self.locals.push(locals);
    }

    /// The scripts with their locals, the main script's first.
    pub fn ordered_locals(&self) -> Vec<&ScriptLocals> {
        let mut ordered: Vec<&ScriptLocals> = self.locals.iter().collect();
        ordered.sort_by_key(|one| one.file != self.main);
        ordered
    }
}
