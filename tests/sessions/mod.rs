//! Sessions of projects on disk, without sound and without a watch on their files.
#![allow(dead_code, reason = "each test file uses a part")]

use galatea::app::{Session, SessionOptions, SoundOutput};
use galatea::asset::Project;

/// No sound, no watch on files, nothing printed while it loads, and all is there before it begins.
pub fn silent() -> SessionOptions {
    galatea::install();
    SessionOptions {
        sound: SoundOutput::Silent,
        watch: false,
        quiet: true,
        wait: true,
    }
}

/// Plays a project; its faults are noted and not printed.
pub fn open(project: Project) -> Session {
    let mut session = Session::open(project, silent()).unwrap();
    session.diagnostics.silence();
    session
}

/// A tick after which the project has no faults.
pub fn tick(session: &mut Session) {
    session.tick();
    let errors: Vec<&str> = session.diagnostics.errors().collect();
    assert!(errors.is_empty(), "{errors:?}");
}
