//! Content of a crash report file.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread::ThreadId;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use galatea_asset::Project;
use galatea_guard::Caught;
use galatea_math::names::printable;

use super::CrashState;

/// Maximum number of reports in the folder; older ones are removed.
const MAX_REPORTS: usize = 50;
/// Prefix of report file names.
const START: &str = "galatea-crash-";
/// Maximum time that a report waits for the checksum of the project.
const CHECKSUM_TIMEOUT: Duration = Duration::from_secs(5);

/// A panic, and the thread on which it occurred.
pub(super) struct CrashReport {
    pub panic: Caught,
    pub thread: String,
    pub thread_id: ThreadId,
    pub backtrace: String,
}

/// One-sentence notice for the user.
pub(super) fn sentence(panic: &Caught, outcome: &str) -> String {
    match panic.activities.last() {
        Some(activity) => {
            format!("Galatea hit an internal error while {activity}; {outcome}")
        }
        None => format!("Galatea hit an internal error; {outcome}"),
    }
}

impl CrashReport {
    /// Writes the file and returns its path.
    pub fn write(&self, state: &CrashState) -> Result<PathBuf, String> {
        let folder = folder().ok_or("GALATEA_REPORTS is empty")?;
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH);
        let seconds = seconds.map_or(0, |since| since.as_secs());
        let (number, process) = (state.errors.len() + 1, std::process::id());
        let file = folder.join(format!("{START}{seconds}-{process}-{number}.jsonl"));
        let with_path = |error: std::io::Error| format!("{}: {error}", file.display());
        fs::create_dir_all(&folder).map_err(with_path)?;
        remove_old(&folder);
        fs::write(&file, self.text(state, seconds)).map_err(with_path)?;
        Ok(file)
    }

    fn text(&self, state: &CrashState, seconds: u64) -> String {
        let flight = state.flights.iter().rev();
        let flight = flight
            .clone()
            .find(|one| one.thread == self.thread_id)
            .or_else(|| flight.clone().next());
        let project = match flight {
            Some(flight) => about(&flight.project),
            None => "none".to_owned(),
        };
        let arguments: Vec<String> = std::env::args_os()
            .skip(1)
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect();
        let activities = match self.panic.activities.len() {
            0 => "unknown".to_owned(),
            _ => self.panic.activities.join(", "),
        };
        let program = format!(
            "{} {}, {} {}",
            state.program,
            env!("CARGO_PKG_VERSION"),
            std::env::consts::ARCH,
            std::env::consts::OS
        );
        let mut text = String::new();
        let mut add = |name: &str, value: &str| {
            for line in format!("{name}: {value}").lines() {
                // Writing to a string does not fail.
                let _ = writeln!(text, "# {}", printable(line));
            }
        };
        add("crash report of", &program);
        add("arguments", &arguments.join(" "));
        add("time", &format!("{seconds} s since 1970"));
        add("project", &project);
        add("activity", &activities);
        add("panic", &self.panic.message);
        add("location", &self.panic.location);
        add("thread", &self.thread);
        add("backtrace", &format!("\n{}", self.backtrace));
        let lines: Vec<&str> = state.lines.iter().map(String::as_str).collect();
        add("log", &format!("\n{}", lines.join("\n")));
        add(
            "input so far",
            "to replay it: galatea record DIR --input THIS_FILE --seconds S -o FOLDER",
        );
        if let Some(flight) = flight {
            text.push_str(&flight.text);
        }
        text
    }
}

/// Path of a project and a checksum of its files. Another thread reads the files, because this one may hold a lock.
fn about(project: &Project) -> String {
    let path = project.root.canonicalize();
    let path = path.unwrap_or_else(|_| project.root.clone());
    let (sender, receiver) = channel();
    let project = project.clone();
    let read = move || {
        // The report may have stopped waiting.
        let _ = sender.send(project.fingerprint());
    };
    let thread = std::thread::Builder::new().name(super::WRITER.into());
    let fingerprint = thread
        .spawn(read)
        .ok()
        .and_then(|_| receiver.recv_timeout(CHECKSUM_TIMEOUT).ok());
    match fingerprint {
        Some(fingerprint) => format!("{}, {fingerprint}", path.display()),
        None => format!("{}, the files could not be read in time", path.display()),
    }
}

/// `GALATEA_REPORTS`, or a folder in the user's state directory, or else in the temporary directory.
fn folder() -> Option<PathBuf> {
    match std::env::var_os("GALATEA_REPORTS") {
        Some(folder) if folder.is_empty() => None,
        Some(folder) => Some(folder.into()),
        None => {
            let state = dirs::state_dir().or_else(dirs::data_local_dir);
            let base = state.unwrap_or_else(std::env::temp_dir);
            Some(base.join("galatea").join("reports"))
        }
    }
}

/// Removes the oldest reports of a folder.
fn remove_old(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut reports: Vec<(SystemTime, PathBuf)> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(START))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    reports.sort();
    let n_old = (reports.len() + 1).saturating_sub(MAX_REPORTS);
    for (_, path) in &reports[..n_old] {
        // A file that cannot be removed only wastes space.
        let _ = fs::remove_file(path);
    }
}
