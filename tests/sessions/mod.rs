//! Sessions of projects on disk, without sound and without file watching.
#![allow(dead_code, reason = "each test file uses a part")]

use galatea::app::{Session, SessionOptions, SoundOutput};
use galatea::asset::Project;

/// No sound, no file watching, no output; loading is finished before the start.
pub fn silent() -> SessionOptions {
    galatea::install();
    SessionOptions {
        sound: SoundOutput::Silent,
        watch: false,
        quiet: true,
        wait: true,
    }
}

/// Plays a project; its errors are collected and not printed.
pub fn open(project: Project) -> Session {
    let mut session = Session::open(project, silent()).unwrap();
    session.diagnostics.silence();
    session
}

/// Runs a tick, after which the project must have no errors.
pub fn tick(session: &mut Session) {
    session.tick();
    let errors: Vec<&str> = session.diagnostics.errors().collect();
    assert!(errors.is_empty(), "{errors:?}");
}
