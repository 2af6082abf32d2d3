//! Runs targets in worker processes, and saves and shrinks the inputs that break them.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, thread};

use crate::memory::TOO_MUCH;
use crate::target::{self, Target};
use crate::worker::{self, Job};

/// Processor time limit for one input, seconds.
const CPU_S: f64 = 5.0;
/// Real time limit for an input that uses no processor time, seconds.
const IDLE_S: f64 = 60.0;
/// Maximum number of worker runs to shrink an input.
const MAX_SHRINK_RUNS: usize = 150;
/// Maximum number of saved inputs per cause.
const MAX_SAVED: usize = 2;
/// Seed of the short run.
const QUICK_SEED: u64 = 1;

/// End condition of a run.
#[derive(Clone, Copy)]
enum End {
    Inputs(u64),
    At(Instant),
}

/// An input that breaks a target.
struct Finding {
    /// Location of a panic, a signal, or a limit; equal for equal errors.
    cause: String,
    /// All known details.
    details: String,
    file: PathBuf,
}

/// Result of a target.
struct Report {
    target: &'static str,
    n_inputs: u64,
    seconds: f64,
    findings: Vec<Finding>,
}

/// Exit of a worker.
enum Ended {
    Done,
    Fault { cause: String, details: String },
}

fn folder(target: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = folder.parent().unwrap_or(folder).join("fuzz").join(target);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Processor time of a process in seconds, if the system reports it.
fn cpu_seconds(process: u32) -> Option<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |i: usize| fields.get(i)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS_PER_SECOND)
}

/// A worker and its report files.
struct Watched {
    child: Child,
    progress: PathBuf,
    errors: PathBuf,
}

impl Watched {
    fn start(target: &Target, job: &Job, name: &str) -> Self {
        let progress = folder(target.name).join(format!("{name}.progress"));
        let errors = progress.with_extension("stderr");
        // Left by an earlier worker.
        let _ = fs::remove_file(&progress);
        let _ = fs::remove_file(worker::panic_file(&progress));
        let child = Command::new(env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture", worker::TEST])
            .env(worker::JOB, worker::job_text(target.name, job, &progress))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&errors).unwrap())
            .spawn()
            .unwrap();
        Self {
            child,
            progress,
            errors,
        }
    }

    /// Index of the current input.
    fn index(&self) -> Option<u64> {
        let bytes = fs::read(&self.progress).ok()?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    }

    /// Waits for its end; returns `None` if the time is up first.
    fn wait(&mut self, end: End) -> Option<Ended> {
        let (mut index, mut since, mut cpu) = (None, Instant::now(), 0.0);
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(self.ended(status));
            }
            let now = self.index();
            let used = cpu_seconds(self.child.id());
            if now != index {
                (index, since, cpu) = (now, Instant::now(), used.unwrap_or(0.0));
            }
            let waited = since.elapsed().as_secs_f64();
            let used = used.map_or(waited, |used| used - cpu);
            // It creates the seeds before the first input.
            let limit = if index.is_some() { CPU_S } else { 10.0 * CPU_S };
            let cause = if used > limit {
                Some(format!("more than {CPU_S} s of processor time"))
            } else {
                (waited > IDLE_S).then(|| format!("no end after {IDLE_S} s"))
            };
            let is_over = matches!(end, End::At(end) if Instant::now() > end);
            if cause.is_some() || is_over {
                self.child.kill().unwrap();
                self.child.wait().unwrap();
                return cause.map(|cause| Ended::Fault {
                    details: cause.clone(),
                    cause,
                });
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn ended(&self, status: ExitStatus) -> Ended {
        if status.success() {
            return Ended::Done;
        }
        if let Ok(details) = fs::read_to_string(worker::panic_file(&self.progress)) {
            let place = details.split_once("panicked at ");
            let place = place.and_then(|(_, rest)| rest.lines().next());
            let place = place.unwrap_or("an unknown place").trim_end_matches(':');
            return Ended::Fault {
                cause: format!("panic at {place}"),
                details,
            };
        }
        let details = fs::read_to_string(&self.errors).unwrap_or_default();
        let cause = if details.contains(TOO_MUCH) {
            TOO_MUCH.to_owned()
        } else if details.contains("has overflowed its stack") {
            "stack overflow".to_owned()
        } else {
            status.to_string()
        };
        Ended::Fault { cause, details }
    }
}

/// Runs a target with one input.
fn outcome(target: &Target, bytes: &[u8], name: &str) -> Ended {
    let file = folder(target.name).join(format!("{name}.input"));
    fs::write(&file, bytes).unwrap();
    let mut watched = Watched::start(target, &Job::File(file), name);
    watched.wait(End::Inputs(1)).unwrap_or(Ended::Done)
}

/// A smaller input with the same cause.
fn shrunk(target: &Target, mut bytes: Vec<u8>, cause: &str, name: &str) -> Vec<u8> {
    let mut n_runs = 0;
    let mut length = bytes.len() / 2;
    while length > 0 && n_runs < MAX_SHRINK_RUNS {
        let mut from = 0;
        while from < bytes.len() && n_runs < MAX_SHRINK_RUNS {
            let mut fewer = bytes.clone();
            fewer.drain(from..(from + length).min(bytes.len()));
            (target.mend)(&mut fewer);
            n_runs += 1;
            match outcome(target, &fewer, name) {
                Ended::Fault { cause: other, .. } if other == cause => bytes = fewer,
                _ => from += length,
            }
        }
        length /= 2;
    }
    bytes
}

/// Feeds a target until `end`, and continues after an input that ended the worker.
fn drive(target: &'static Target, seed: u64, end: End, shrinks: bool) -> Report {
    let seeds = (target.seeds)();
    let last = match end {
        End::Inputs(n) => n + target::n_valid(&seeds) as u64,
        End::At(_) => u64::MAX,
    };
    let begin = Instant::now();
    let mut findings: Vec<Finding> = Vec::new();
    let mut n_saved: BTreeMap<String, usize> = BTreeMap::new();
    let mut first = 0;
    loop {
        let mut watched = Watched::start(target, &Job::Range { seed, first, last }, "run");
        let ended = watched.wait(end);
        let index = watched.index().unwrap_or(first);
        let Some(Ended::Fault { cause, details }) = ended else {
            let n_inputs = (index + 1).min(last);
            return Report {
                target: target.name,
                n_inputs,
                seconds: begin.elapsed().as_secs_f64(),
                findings,
            };
        };
        first = index + 1;
        let n = n_saved.entry(cause.clone()).or_default();
        *n += 1;
        if *n > MAX_SAVED {
            continue;
        }
        let mut bytes = target.input(&seeds, seed, index);
        if shrinks && *n == 1 {
            bytes = shrunk(target, bytes, &cause, "shrink");
        }
        let file = folder(target.name).join(format!("{seed}-{index}"));
        fs::write(&file, bytes).unwrap();
        println!(
            "{}: {cause}\n  ./x fuzz {} --input {}",
            target.name,
            target.name,
            file.display()
        );
        findings.push(Finding {
            cause,
            details,
            file,
        });
    }
}

/// Runs targets on all processors.
fn drive_all(
    targets: Vec<&'static Target>,
    run: impl Fn(&'static Target) -> Report + Sync,
) -> Vec<Report> {
    let queue = Mutex::new(VecDeque::from(targets));
    let reports = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, Into::into) {
            scope.spawn(|| {
                loop {
                    let Some(target) = queue.lock().unwrap().pop_front() else {
                        return;
                    };
                    let report = run(target);
                    println!(
                        "{}: {} inputs, {} faults, {:.1} s",
                        report.target,
                        report.n_inputs,
                        report.findings.len(),
                        report.seconds
                    );
                    reports.lock().unwrap().push(report);
                }
            });
        }
    });
    reports.into_inner().unwrap()
}

fn expect_none(reports: &[Report]) {
    let faults: Vec<String> = reports
        .iter()
        .flat_map(|report| {
            report.findings.iter().map(|finding| {
                format!(
                    "{}: {}\n{}\n  ./x fuzz {} --input {}",
                    report.target,
                    finding.cause,
                    finding.details.trim(),
                    report.target,
                    finding.file.display()
                )
            })
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn no_target_breaks_in_a_short_run() {
    let reports = drive_all(target::all().collect(), |target| {
        drive(target, QUICK_SEED, End::Inputs(target.n_quick), false)
    });
    assert!(reports.iter().all(|report| report.n_inputs > 0));
    expect_none(&reports);
}

/// Arguments of `./x fuzz`.
#[derive(Default)]
struct FuzzArguments {
    targets: Vec<&'static Target>,
    minutes: Option<f64>,
    seed: Option<u64>,
    input: Option<PathBuf>,
}

impl FuzzArguments {
    fn parse(text: &str) -> Result<Self, String> {
        let mut own = Self::default();
        let mut words = text.split('\n').filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word {
                "--minutes" => own.minutes = value()?.parse().ok(),
                "--seed" => own.seed = value()?.parse().ok(),
                "--input" => own.input = Some(value()?.into()),
                name => {
                    let found: Vec<&Target> = target::all()
                        .filter(|own| own.name.starts_with(name))
                        .collect();
                    if found.is_empty() {
                        let all: Vec<&str> = target::all().map(|own| own.name).collect();
                        return Err(format!(
                            "there is no target {name:?}; there are {}",
                            all.join(", ")
                        ));
                    }
                    own.targets.extend(found);
                }
            }
        }
        Ok(own)
    }
}

#[test]
#[ignore = "a long run: ./x fuzz"]
fn fuzz() {
    let text = env::var("GALATEA_FUZZ").unwrap_or_default();
    let arguments = FuzzArguments::parse(&text).unwrap_or_else(|why| panic!("{why}"));
    if let (Some(file), [target, ..]) = (&arguments.input, arguments.targets.as_slice()) {
        let bytes = fs::read(file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        if let Ended::Fault { cause, details } = outcome(target, &bytes, "input") {
            panic!("{}: {cause}\n{details}", target.name);
        }
        println!("{}: no fault with {}", target.name, file.display());
        return;
    }
    let mut targets = arguments.targets;
    if targets.is_empty() {
        targets = target::all().collect();
    }
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seed = arguments
        .seed
        .or(clock.ok().map(|time| time.as_secs()))
        .unwrap_or(0);
    println!("seed {seed}");
    let time = Duration::from_secs_f64(60.0 * arguments.minutes.unwrap_or(1.0));
    let reports = drive_all(targets, |target| {
        drive(target, seed, End::At(Instant::now() + time), true)
    });
    let n: u64 = reports.iter().map(|report| report.n_inputs).sum();
    println!("{n} inputs in all");
    expect_none(&reports);
}
