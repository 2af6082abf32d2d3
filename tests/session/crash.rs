//! Messages and reports of an internal error. The programs' panic hook applies to a whole process, so the test uses a child
//! process.

use std::process::Command;

use galatea::app::recording::{InputRecording, RecordedEvent};
use galatea::app::{SoundOutput, crash};
use galatea::guard::contained;
use galatea::stage::InputEvent;

use super::{SCRIPT, open, project};
use crate::folder::Folder;

/// The test below runs this in a separate process.
#[test]
#[ignore = "it panics on purpose, for the test below"]
fn a_session_with_internal_errors() {
    let Ok(folder) = std::env::var("GALATEA_TEST_FOLDER") else {
        return;
    };
    crash::install("the test");
    let folder = std::mem::ManuallyDrop::new(Folder(folder.into()));
    let mut session = open(&folder, false, SoundOutput::Silent);
    session.survive_errors();
    for key in ["w", "space"] {
        session.input(&InputEvent::Down(key.to_owned()));
        session.tick();
    }
    crash::note("a line of the log");
    for _ in 0..2 {
        let load = contained("loading assets/x.glb", || -> u32 { panic!("no hull") });
        eprintln!("contained: {}", load.unwrap_err().notice);
    }
    let thread = std::thread::spawn(|| panic!("on a thread"));
    assert!(thread.join().is_err());
    assert_eq!(crash::errors().len(), 2);
    drop(session);
}

#[test]
fn an_internal_error_is_one_plain_sentence_and_a_report_that_can_be_played() {
    let folder = project("crash", SCRIPT);
    let reports = folder.0.join("reports");
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["crash::a_session_with_internal_errors", "--exact"])
        .args(["--ignored", "--nocapture"])
        .env("GALATEA_TEST_FOLDER", &folder.0)
        .env("GALATEA_REPORTS", &reports)
        .env("RUST_BACKTRACE", "1")
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{told}");
    let lines: Vec<&str> = told.lines().collect();
    let mut files: Vec<_> = std::fs::read_dir(&reports).unwrap().flatten().collect();
    files.sort_by_key(|file| file.file_name().to_string_lossy().chars().rev().nth(6));
    let [first, second] = [0, 1].map(|i| files[i].path());
    let sentence = |start: &str, file: &std::path::Path| {
        format!(
            "{start}; the crash report is in {}; please attach it when you report the problem",
            file.display()
        )
    };
    let start = "contained: Galatea hit an internal error while loading assets/x.glb";
    let contained = sentence(start, &first);
    let of_thread = sentence("error: Galatea hit an internal error", &second);
    assert_eq!(
        lines,
        [&contained, &contained, &of_thread],
        "nothing else is shown"
    );

    let report = std::fs::read_to_string(&first).unwrap();
    for part in [
        concat!("# crash report of: the test ", env!("CARGO_PKG_VERSION")),
        "# project: ",
        "files, checksum ",
        "# activity: loading assets/x.glb",
        "# panic: no hull",
        "# location: tests/session/crash.rs:",
        "# backtrace:",
        "# a line of the log",
    ] {
        assert!(report.contains(part), "{part} in {report}");
    }
    let recording = InputRecording::parse(&report).unwrap();
    let keys = ["w", "space"].map(|key| RecordedEvent::Input(InputEvent::Down(key.to_owned())));
    let inputs: Vec<RecordedEvent> = recording
        .events
        .into_iter()
        .map(|one| one.event)
        .filter(|event| matches!(event, RecordedEvent::Input(_)))
        .collect();
    assert_eq!(inputs, keys);
    assert_eq!(recording.header.unwrap().script, "scripts/main.lua");
}
