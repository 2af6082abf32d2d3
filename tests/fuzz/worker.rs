//! The process that feeds inputs to a target. Another process monitors it, because an input may crash or hang it.

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::memory;
use crate::target::{self, Target};

/// Environment variable with the job of a worker.
pub const JOB: &str = "GALATEA_FUZZ_JOB";
/// The test that runs a job.
pub const TEST: &str = "worker::run_the_job_of_a_parent";
/// Exit code after a panic.
const PANICKED: i32 = 101;

/// Work of a worker.
pub enum Job {
    /// Inputs generated from a seed, by their indices.
    Range { seed: u64, first: u64, last: u64 },
    /// The input in a file.
    File(PathBuf),
}

/// Text of a job for [`JOB`].
pub fn job_text(target: &str, job: &Job, progress: &Path) -> String {
    let job = match job {
        Job::Range { seed, first, last } => format!("{seed} {first} {last}"),
        Job::File(file) => file.display().to_string(),
    };
    format!("{target}\n{}\n{job}", progress.display())
}

/// The file in which a worker describes a panic.
pub fn panic_file(progress: &Path) -> PathBuf {
    progress.with_extension("panic")
}

static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

#[test]
#[ignore = "started by the other tests of this executable"]
fn run_the_job_of_a_parent() {
    let Ok(job) = std::env::var(JOB) else { return };
    let mut lines = job.lines();
    let mut line = || lines.next().expect("three lines");
    let target = target::find(line()).expect("a target");
    let progress = PathBuf::from(line());
    let job = line();
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        *LAST_PANIC.lock().unwrap() = text.trim_start_matches("thread ").to_owned();
    }));
    let numbers: Vec<u64> = job.split(' ').map_while(|n| n.parse().ok()).collect();
    let [seed, first, last] = numbers[..] else {
        let bytes = fs::read(job).expect("the input");
        feed(target, &bytes, &progress);
        return;
    };
    let seeds = (target.seeds)();
    let mut file = File::create(&progress).expect("a file for the progress");
    for index in first..last {
        let bytes = target.input(&seeds, seed, index);
        file.seek(SeekFrom::Start(0)).expect("a file");
        file.write_all(&index.to_le_bytes()).expect("a file");
        feed(target, &bytes, &progress);
    }
}

fn feed(target: &Target, bytes: &[u8], progress: &Path) {
    memory::allow(memory::limit_of(bytes.len()));
    let result = catch_unwind(AssertUnwindSafe(|| (target.run)(bytes)));
    memory::allow(usize::MAX);
    if result.is_err() {
        let text = LAST_PANIC.lock().unwrap().clone();
        fs::write(panic_file(progress), text).expect("a file for the panic");
        std::process::exit(PANICKED);
    }
}
