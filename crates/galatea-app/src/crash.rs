//! Crash reports: an internal error is written to a file that people can send, and reported in one sentence.
//!
//! Call [`install`] first in `main`. From then on every panic outside of [`galatea_guard::guarded`] is written to a report.
//! It contains the current activity, the panic, the last lines of the log and the session's input so far. Its text lines
//! begin with `#`, so the file is also an input recording: `galatea record DIR --input REPORT` replays it.

mod flight;
mod report;

use std::backtrace::Backtrace;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use galatea_guard::{Caught, handle};
use galatea_math::names::printable;

pub use flight::FlightRecorder;
use report::CrashReport;

/// Exit code of the programs after an internal error.
pub const EXIT_CODE: u8 = 70;
/// Maximum number of log lines in a report.
const MAX_LINES: usize = 60;
/// Maximum number of reports per run of the program.
const MAX_REPORTS: usize = 10;
/// Maximum time that the panicking thread waits for its report.
const REPORT_TIMEOUT: Duration = Duration::from_secs(10);
/// Name of the thread that writes a report.
const WRITER: &str = "crash report";

static IS_INSTALLED: AtomicBool = AtomicBool::new(false);
static STATE: Mutex<CrashState> = Mutex::new(CrashState {
    program: "",
    lines: VecDeque::new(),
    flights: Vec::new(),
    errors: Vec::new(),
});

/// Content of reports.
struct CrashState {
    program: &'static str,
    lines: VecDeque<String>,
    /// Input of the open sessions.
    flights: Vec<flight::FlightInput>,
    errors: Vec<InternalError>,
}

fn state() -> MutexGuard<'static, CrashState> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A reported internal error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InternalError {
    /// The panic, with a sentence for the user.
    pub panic: Caught,
    /// The report, if one could be written.
    pub file: Option<PathBuf>,
}

/// Writes a report for every panic of this process from now on. `program` is its name.
pub fn install(program: &'static str) {
    state().program = program;
    IS_INSTALLED.store(true, Ordering::Relaxed);
    handle(report);
}

/// Internal errors so far, one per source location.
pub fn errors() -> Vec<InternalError> {
    state().errors.clone()
}

/// Returns true after an internal error, even if the program continued.
pub fn has_errors() -> bool {
    !state().errors.is_empty()
}

/// Adds a log line to later reports.
pub fn note(line: &str) {
    if !IS_INSTALLED.load(Ordering::Relaxed) {
        return;
    }
    let mut state = state();
    for line in line.lines() {
        if state.lines.len() >= MAX_LINES {
            state.lines.pop_front();
        }
        state.lines.push_back(line.to_owned());
    }
}

/// Writer of the log lines of reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogTail;

impl std::io::Write for LogTail {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        note(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Panic handler. A separate thread writes the report, because this one may hold any lock.
fn report(panic: &Caught, is_contained: bool) -> String {
    let own = std::thread::current();
    if own.name() == Some(WRITER) {
        return String::new();
    }
    let report = CrashReport {
        panic: panic.clone(),
        thread: own.name().unwrap_or("unnamed").to_owned(),
        thread_id: own.id(),
        backtrace: Backtrace::force_capture().to_string(),
    };
    let (sender, receiver) = channel();
    let write = move || {
        // The thread that panicked may have stopped waiting.
        let _ = sender.send(write_report(report));
    };
    let writer = std::thread::Builder::new().name(WRITER.into()).spawn(write);
    let write_report = writer
        .ok()
        .and_then(|_| receiver.recv_timeout(REPORT_TIMEOUT).ok());
    let (notice, is_new) = write_report.unwrap_or_else(|| {
        (
            report::sentence(panic, "the crash report could not be written"),
            true,
        )
    });
    // A thread pool passes panics on to the waiting thread, which shows them.
    let is_shown = is_contained || rayon::current_thread_index().is_some();
    if !is_shown && is_new {
        eprintln!("error: {}", printable(&notice));
    }
    notice
}

/// Writes a report, unless there is one for the same source location. Returns the sentence for the user, and true if the
/// error is new.
fn write_report(report: CrashReport) -> (String, bool) {
    let mut state = state();
    let same = |error: &&InternalError| error.panic.location == report.panic.location;
    if let Some(known) = state.errors.iter().find(same) {
        return (known.panic.notice.clone(), false);
    }
    let result = match state.errors.len() < MAX_REPORTS {
        true => report.write(&state),
        false => Err(format!(
            "this run has already written {MAX_REPORTS} reports, the maximum"
        )),
    };
    let outcome = match &result {
        Ok(file) => format!(
            "the crash report is in {}; please attach it when you report the problem",
            file.display()
        ),
        Err(why) => format!("no crash report was written: {why}"),
    };
    let notice = report::sentence(&report.panic, &outcome);
    state.errors.push(InternalError {
        panic: Caught {
            notice: notice.clone(),
            ..report.panic
        },
        file: result.ok(),
    });
    (notice, true)
}
