//! The debugger of a session's scripts.

use super::Session;
use galatea_script::{Debugger, Texts};

impl Session {
    /// Lets a debugger stop the scripts of this session, also those of later versions.
    pub fn attach(&mut self, debugger: &Debugger) {
        match self.scripts.host.attach(debugger.clone()) {
            Ok(()) => self.debugger = Some(debugger.clone()),
            Err(fault) => self.diagnostics.notify(fault.to_string()),
        }
    }

    /// Sets the breakpoints of the debugger in the code again after they have changed. Otherwise the next tick does it.
    pub fn update_breakpoints(&mut self) {
        self.scripts.host.update_breakpoints();
    }

    /// Texts of the loaded scripts, by path.
    pub fn script_texts(&self) -> Texts {
        self.scripts.host.texts()
    }
}
