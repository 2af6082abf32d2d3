//! `galatea torture`: plays a copy of a project with random input and randomly changed files, and reports each error
//! with the shortest list of actions found for it.

mod actions;
mod folder;
mod generate;
mod outcome;
mod run;
mod shrink;
mod watchdog;

use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;

use self::actions::ActionList;
use self::folder::ProjectFiles;
use self::outcome::{RunOutcome, TortureFault};
use self::run::RunOptions;
use super::ProjectArg;
use galatea_asset::Project;
use galatea_math::names::printable;

/// Bytes of error output that are shown when a run ends without a result.
const MAX_TAIL: usize = 2000;

/// Arguments of `torture`.
#[derive(Debug, Args)]
pub struct TortureArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// Seed of the random actions; each further run adds 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Ticks per run, 60 per second
    #[arg(long, value_name = "N", default_value_t = 3600, value_parser = super::whole::<u64>(1, 100_000_000, "ticks"))]
    ticks: u64,
    /// Start further runs until this many minutes have passed
    #[arg(long, value_name = "N", default_value_t = 0.0, value_parser = minutes)]
    minutes: f64,
    /// Perform the actions of this file instead of random ones
    #[arg(long, value_name = "FILE")]
    actions: Option<PathBuf>,
    /// Draw a picture every second; needs a graphics driver
    #[arg(long)]
    pictures: bool,
    /// Let the system report file changes; runs with the same seed then differ slightly
    #[arg(long)]
    watch: bool,
    /// Maximum processor time of a tick, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.25, value_parser = super::seconds)]
    tick_limit: f64,
    /// Processor time after which a tick counts as a hang, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = super::seconds)]
    hang_limit: f64,
    /// Maximum time to shorten the actions that cause an error, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0, value_parser = super::seconds)]
    shrink: f64,
    /// Folder for the actions that cause errors, and for crash reports
    #[arg(short, long, value_name = "FOLDER", default_value = "out/torture")]
    output: PathBuf,
    /// Perform the run in this process; used for the child process of each run
    #[arg(long, hide = true, requires = "actions")]
    in_place: bool,
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(n) if (0.0..=10_080.0).contains(&n) => Ok(n),
        _ => Err("expected minutes from 0 to 10080".into()),
    }
}

pub fn run(args: &TortureArgs) -> anyhow::Result<ExitCode> {
    if args.in_place {
        return play(args);
    }
    let project = args.project.open()?;
    let files = ProjectFiles::read(&project)?;
    let mut torture = Torture::new(args, &files)?;
    let start = Instant::now();
    let mut seed = args.seed;
    loop {
        let list = match &args.actions {
            Some(file) => ActionList::read(file)?,
            None => generate::generate(&project, &files, seed, args.ticks),
        };
        torture.run(&list, seed)?;
        seed = seed.wrapping_add(1);
        let is_time_left = start.elapsed().as_secs_f64() < 60.0 * args.minutes;
        if args.actions.is_some() || !is_time_left {
            break;
        }
    }
    let total = &torture.total;
    say!(
        "{}: {} ticks, {} saves, {:.0} s, {} MB peak memory, {} errors",
        project.name(),
        total.n_ticks,
        total.n_saves,
        start.elapsed().as_secs_f64(),
        total.peak_memory >> 20,
        torture.faults.len()
    );
    Ok(ExitCode::from(u8::from(!torture.faults.is_empty())))
}

/// Performs one run in the current process.
fn play(args: &TortureArgs) -> anyhow::Result<ExitCode> {
    let file = args.actions.as_deref().context("--actions is missing")?;
    let list = ActionList::read(file)?;
    let options = RunOptions {
        tick_limit: args.tick_limit,
        hang_limit: args.hang_limit,
        watch: args.watch,
        pictures: args.pictures,
    };
    let project = Project::open(&args.project.dir)?;
    let outcome = run::run(project, &list, &options)?;
    say!("{}", serde_json::to_string(&outcome)?);
    Ok(ExitCode::SUCCESS)
}

/// State of all runs of a command.
struct Torture<'a> {
    args: &'a TortureArgs,
    files: &'a ProjectFiles,
    work: WorkFolder,
    total: RunOutcome,
    faults: Vec<TortureFault>,
    /// Files that the last run changed.
    changed: Vec<String>,
}

/// A folder of temporary files, removed on drop.
struct WorkFolder(PathBuf);

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // The system removes the rest eventually.
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl<'a> Torture<'a> {
    fn new(args: &'a TortureArgs, files: &'a ProjectFiles) -> anyhow::Result<Self> {
        let name = format!("galatea-torture-{}", std::process::id());
        let work = std::env::temp_dir().join(name);
        fs::create_dir_all(work.join("project")).with_context(|| work.display().to_string())?;
        let work = work.canonicalize()?;
        Ok(Self {
            args,
            files,
            work: WorkFolder(work),
            total: RunOutcome::default(),
            faults: Vec::new(),
            changed: Vec::new(),
        })
    }

    /// Runs a list. An error of a new kind is reported with a short list of actions.
    fn run(&mut self, list: &ActionList, seed: u64) -> anyhow::Result<()> {
        let outcome = self.try_list(list)?;
        self.total.n_ticks += outcome.n_ticks;
        self.total.n_saves += outcome.n_saves;
        self.total.peak_memory = self.total.peak_memory.max(outcome.peak_memory);
        let Some(fault) = outcome.fault else {
            return Ok(());
        };
        let of_seed = match &self.args.actions {
            Some(_) => String::new(),
            None => format!("seed {seed}, "),
        };
        eprintln!(
            "error: {of_seed}tick {}: {}",
            fault.tick,
            printable(&fault.text)
        );
        if self.faults.iter().any(|known| known.kind == fault.kind) {
            eprintln!("  same kind of error as before");
            return Ok(());
        }
        self.faults.push(fault.clone());
        if self.args.actions.is_none() {
            self.keep(list, &fault, seed)?;
        }
        Ok(())
    }

    /// Writes the shortest list of actions that causes an error.
    fn keep(&mut self, list: &ActionList, fault: &TortureFault, seed: u64) -> anyhow::Result<()> {
        let until = Instant::now() + Duration::from_secs_f64(self.args.shrink);
        let mut report = None;
        let short = shrink::shrink(list, fault, until, |list| {
            // A run that cannot be started shows no error.
            let outcome = self.try_list(list).ok()?;
            let same = outcome.fault.filter(|found| found.kind == fault.kind)?;
            report = outcome.report.or(report.take());
            Some(same.tick)
        });
        let folder = &self.args.output;
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let file = folder.join(format!("seed-{seed}.jsonl"));
        let remarks = format!("{}\nseed {seed}, {} ticks", fault.text, self.args.ticks);
        short.write(&file, &remarks)?;
        let (n, dir) = (short.actions.len(), self.args.project.dir.display());
        eprintln!(
            "  reproduce it with {n} actions: galatea torture {dir} --actions {}",
            file.display()
        );
        if let Some(report) = report {
            let kept = folder.join(format!("seed-{seed}-report.jsonl"));
            fs::copy(&report, &kept).with_context(|| report.display().to_string())?;
            eprintln!("  the crash report is {}", kept.display());
        }
        Ok(())
    }

    /// Runs a list in a separate process, in a fresh copy of the project.
    fn try_list(&mut self, list: &ActionList) -> anyhow::Result<RunOutcome> {
        let (work, folder) = (&self.work.0, self.work.0.join("project"));
        let changed = std::mem::replace(&mut self.changed, shrink::changed_files(list));
        self.files
            .write_to(&folder, &changed)
            .with_context(|| folder.display().to_string())?;
        let file = work.join("actions.jsonl");
        list.write(&file, "")?;
        let mut command = Command::new(std::env::current_exe()?);
        command
            .arg("torture")
            .arg(&folder)
            .arg("--in-place")
            .arg("--actions")
            .arg(&file)
            .args(["--tick-limit", &self.args.tick_limit.to_string()])
            .args(["--hang-limit", &self.args.hang_limit.to_string()])
            .args(self.args.pictures.then_some("--pictures"))
            .args(self.args.watch.then_some("--watch"))
            .env("GALATEA_REPORTS", work.join("reports"))
            .stdin(Stdio::null());
        outcome_of(&mut command)
    }
}

/// Runs a process to its end and reads the result of the run.
fn outcome_of(command: &mut Command) -> anyhow::Result<RunOutcome> {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("cannot start the run")?;
    let errors = child.stderr.take();
    let tail = std::thread::spawn(move || errors.map_or_else(String::new, end_of));
    let mut text = String::new();
    if let Some(out) = &mut child.stdout {
        // Output that is not text has no result.
        let _ = out.read_to_string(&mut text);
    }
    let status = child.wait()?;
    let tail = tail.join().unwrap_or_default();
    let last = text.lines().last().unwrap_or_default();
    if let Ok(outcome) = serde_json::from_str::<RunOutcome>(last) {
        return Ok(outcome);
    }
    if status.code() == Some(1) {
        anyhow::bail!("cannot run the project: {}", tail.trim());
    }
    Ok(RunOutcome {
        fault: Some(TortureFault {
            kind: format!("ended: {status}"),
            text: format!("the program ended with {status}: {}", tail.trim()),
            tick: u64::MAX,
        }),
        ..RunOutcome::default()
    })
}

/// The end of a stream, which may stay open for a long time.
fn end_of(mut from: impl std::io::Read) -> String {
    let mut tail = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        tail.extend_from_slice(&buffer[..n]);
        let n_excess = tail.len().saturating_sub(MAX_TAIL);
        tail.drain(..n_excess);
    }
    String::from_utf8_lossy(&tail).into_owned()
}

#[cfg(test)]
mod tests {
    use super::generate::generate;
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_actions_and_a_file_keeps_them() {
        let folder = std::env::temp_dir().join(format!("galatea-actions-{}", std::process::id()));
        fs::create_dir_all(folder.join("scripts")).unwrap();
        fs::write(folder.join("scripts/main.lua"), "x = 1 + 2").unwrap();
        let project = Project::open(&folder).unwrap();
        let files = ProjectFiles::read(&project).unwrap();
        let first = generate(&project, &files, 7, 2000);
        assert!(first.actions.len() > 200, "{}", first.actions.len());
        let changed = shrink::changed_files(&first);
        assert!(
            changed.contains(&"scripts/main.lua".to_owned()),
            "{changed:?}"
        );
        assert_eq!(first, generate(&project, &files, 7, 2000));
        assert_ne!(first, generate(&project, &files, 8, 2000));
        let file = folder.join("actions.jsonl");
        first.write(&file, "a remark").unwrap();
        assert_eq!(ActionList::read(&file).unwrap(), first);
        fs::remove_dir_all(&folder).unwrap();
    }
}
