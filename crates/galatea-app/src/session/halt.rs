//! Handling of internal errors: the session halts with its last frame, and the next saved file restarts it.

use galatea_guard::{Activity, contained, during};
use galatea_stage::Stage;
use galatea_stage::frame::MessageKind;

use super::Session;
use super::scripts::Scripts;
use super::sound::SoundRoom;

/// Subject of the diagnostics of internal errors.
const SUBJECT: &str = "internal error";

impl Session {
    /// Makes internal errors halt the session from now on, instead of ending the program.
    pub fn survive_errors(&mut self) {
        self.halt.survives = true;
    }

    /// Returns true after an internal error, until the session is restarted.
    pub fn is_halted(&self) -> bool {
        self.halt.is_halted
    }

    /// Halts the session. The stage may be in an inconsistent state and is not used any more. `notice` is shown.
    pub(super) fn halt(&mut self, notice: &str) {
        self.halt.is_halted = true;
        self.inputs
            .remark(self.stage.unscaled_time(), notice, &mut self.diagnostics);
        let text = format!("{notice}\nthe project is paused; save one of its files to restart it");
        self.diagnostics.set(SUBJECT, MessageKind::Error, &text);
    }

    /// Runs a part of the session. An internal error halts the session, or is passed on to the caller.
    pub(super) fn run(&mut self, activity: impl Into<Activity>, work: impl FnOnce(&mut Self)) {
        if !self.halt.survives {
            let _scope = during(activity);
            return work(self);
        }
        if let Err(caught) = contained(activity, || work(self)) {
            self.halt(&caught.notice);
        }
    }

    /// Restarts a halted session if a file was saved or a rerun of the script was requested.
    pub(super) fn restart_if_due(&mut self) {
        self.return_to_present();
        let is_due = !self.changed_files().is_empty() || self.scripts.is_due;
        if is_due {
            self.run("restarting the project", Self::restart);
        }
    }

    /// Restarts with an empty stage. Loaded files stay.
    fn restart(&mut self) {
        let host = match self.new_host() {
            Ok(host) => host,
            Err(fault) => {
                return self.diagnostics.set_fault("script", fault, "");
            }
        };
        self.scripts = Scripts::new(host);
        self.stage = Stage::default();
        self.inputs.begin_again(&self.project, &mut self.stage);
        self.sound = SoundRoom::open(self.options.sound);
        // All subjects.
        self.diagnostics.clear("");
        self.halt.is_halted = false;
        self.run_script();
        self.diagnostics
            .notify("the project was restarted after an internal error");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SessionOptions, SoundOutput};
    use galatea_asset::Project;
    use galatea_stage::Frame;
    use std::fs;

    const SCRIPT: &str = "local v = vector.create
        physics.box { position = v(0, 2, 0), size = v(0.4, 0.4, 0.4), mass = 8, name = \"crate\" }";

    #[test]
    fn an_internal_error_halts_with_the_last_picture_and_a_reload_restarts() {
        let folder = std::env::temp_dir().join(format!("galatea-halt-{}", std::process::id()));
        fs::create_dir_all(folder.join("scripts")).unwrap();
        fs::write(folder.join("scripts/main.lua"), SCRIPT).unwrap();
        let options = SessionOptions {
            sound: SoundOutput::Silent,
            watch: false,
            quiet: true,
            wait: true,
        };
        let mut session = Session::open(Project::open(&folder).unwrap(), options).unwrap();
        session.survive_errors();
        let mut frame = Frame::default();
        for _ in 0..30 {
            session.tick();
        }
        session.frame(1.0, &mut frame);
        let placed = |frame: &Frame| frame.models[0].world_from_model;
        let last = placed(&frame);
        assert_eq!(frame.models.len(), 1);
        session.run("running tick 30", |session| {
            session.stage.characters = Default::default();
            panic!("asked for by a test");
        });
        assert!(session.is_halted());
        let time = session.stage.time();
        session.tick();
        session.frame(1.0, &mut frame);
        assert_eq!(session.stage.time(), time, "it is halted");
        assert_eq!((frame.models.len(), placed(&frame)), (1, last));
        assert_eq!(frame.messages.len(), 1, "the error is shown");
        assert!(
            session.answer("1 + 1").result.is_ok(),
            "the console answers"
        );

        session.reload();
        assert!(!session.is_halted());
        assert_eq!(session.diagnostics.errors().next(), None);
        assert_eq!(session.stage.time(), 0.0);
        for _ in 0..10 {
            session.tick();
        }
        session.frame(1.0, &mut frame);
        assert!(session.stage.characters.named("crate").is_some());
        assert_ne!(placed(&frame), last, "it falls again");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    #[should_panic(expected = "asked for by a test")]
    fn without_survival_the_error_is_passed_on() {
        let folder = std::env::temp_dir().join(format!("galatea-pass-{}", std::process::id()));
        fs::create_dir_all(folder.join("scripts")).unwrap();
        fs::write(folder.join("scripts/main.lua"), "").unwrap();
        let options = SessionOptions {
            sound: SoundOutput::Silent,
            watch: false,
            quiet: true,
            wait: true,
        };
        let session = Session::open(Project::open(&folder).unwrap(), options);
        fs::remove_dir_all(&folder).unwrap();
        session
            .unwrap()
            .run("a tick", |_| panic!("asked for by a test"));
    }
}
