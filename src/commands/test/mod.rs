//! `galatea test`: runs `tests/*.lua` headless at a fixed step.

mod in_order;
mod outside;
mod pictures;
mod printed;
mod report;
mod scene;
mod shortest;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::available_parallelism;

use anyhow::Context as _;
use clap::{Args, ValueEnum};

use self::in_order::in_order;
use self::outside::TestProject;
use self::pictures::Pictures;
use self::printed::Printed;
use self::report::TestOutcome;
use super::ProjectArg;
use super::many::{self, Shard};
use galatea_app::Library;
use galatea_asset::Project;
use galatea_script::{Fault, Host, HostOptions, LoadError, RandomPress};
use galatea_stage::Stage;

/// Arguments of `test`.
#[derive(Debug, Args)]
pub struct TestArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// Run only tests with this text in their name
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Report format
    #[arg(long, value_enum, default_value = "text")]
    report: ReportFormat,
    /// Number of files that run in parallel [default: number of processors]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Run only every Nth file, starting at the Ith. To use 4 machines, give them 1/4, 2/4, 3/4 and 4/4
    #[arg(long, value_name = "I/N", value_parser = many::shard)]
    shard: Option<Shard>,
    /// Replace the reference images of `t:expect_image`; review them before committing
    #[arg(long)]
    update_images: bool,
    /// Folder for pictures of failed tests
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    Text,
    Json,
    Junit,
}

pub fn run(args: &TestArgs) -> anyhow::Result<ExitCode> {
    let project = args.project.open()?;
    let files = test_files(&project)?;
    if files.is_empty() {
        anyhow::bail!("{}: no tests found in tests/*.lua", project.root.display());
    }
    let files = match args.shard {
        Some(shard) => shard.items(files),
        None => files,
    };
    let n_files = files.len();
    let n_threads = args.jobs.or(available_parallelism().ok());
    let runner = Runner {
        args,
        pictures: Pictures::new(project.clone(), args.update_images),
        project,
    };
    let mut outcomes = Vec::new();
    in_order(
        &files,
        n_threads.map_or(1, NonZeroUsize::get),
        |file| runner.run_file(file),
        |of_file| {
            for outcome in of_file? {
                if args.report == ReportFormat::Text {
                    report::say(&outcome)?;
                }
                outcomes.push(outcome);
            }
            Ok(())
        },
    )?;
    let is_small = args.shard.is_some() && (n_files == 0 || args.filter.is_some());
    if let (Some(filter), true, false) = (&args.filter, outcomes.is_empty(), is_small) {
        anyhow::bail!("no test has {filter:?} in its name");
    }
    match args.report {
        ReportFormat::Text => report::say_sum(&outcomes)?,
        ReportFormat::Json => say!("{}", serde_json::to_string_pretty(&outcomes)?),
        ReportFormat::Junit => say!("{}", report::junit(&outcomes).trim_end()),
    }
    Ok(
        if report::n_failed(&outcomes) == 0 && (!outcomes.is_empty() || is_small) {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(1)
        },
    )
}

fn test_files(project: &Project) -> anyhow::Result<Vec<String>> {
    let folder = project.root.join("tests");
    let entries = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path
            .file_name()
            .map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        if Path::new(&name)
            .extension()
            .is_some_and(|e| e == "lua" || e == "luau")
        {
            files.push(format!("tests/{name}"));
        }
    }
    files.sort();
    Ok(files)
}

/// Data that all threads share.
struct Runner<'a> {
    args: &'a TestArgs,
    project: Project,
    pictures: Pictures,
}

impl Runner<'_> {
    /// Runs the tests of a file. Every test gets its own world, so that tests cannot influence each other.
    fn run_file(&self, file: &str) -> anyhow::Result<Vec<TestOutcome>> {
        let (library, _) = Library::new(self.project.clone(), true, true);
        let printed = Arc::new(Printed::new(library));
        let names = match self.load(&printed, file)? {
            Ok(loaded) => loaded.names,
            Err(failure) => {
                return Ok(vec![TestOutcome {
                    file: file.to_owned(),
                    name: file.to_owned(),
                    failure: Some(failure),
                    printed: printed.take(),
                    ..TestOutcome::default()
                }]);
            }
        };
        let is_wanted = |name: &String| {
            let filter = self.args.filter.as_ref();
            filter.is_none_or(|filter| name.contains(filter))
        };
        let mut outcomes = Vec::new();
        for (index, name) in names.into_iter().enumerate() {
            if is_wanted(&name) {
                printed.take();
                outcomes.push(self.run_test(&printed, file, index, name)?);
            }
        }
        Ok(outcomes)
    }

    fn run_test(
        &self,
        printed: &Arc<Printed>,
        file: &str,
        index: usize,
        name: String,
    ) -> anyhow::Result<TestOutcome> {
        let mut outcome = TestOutcome {
            file: file.to_owned(),
            name,
            ..TestOutcome::default()
        };
        match self.load(printed, file)? {
            Err(failure) => outcome.failure = Some(failure),
            Ok(TestFile {
                mut host,
                mut stage,
                ..
            }) => {
                let mut around = self.outside();
                if let Err(fault) = host.run_test(&mut stage, index, &mut around) {
                    let presses = host.take_random_presses();
                    let mut text = fault.to_string();
                    if !presses.is_empty() {
                        text +=
                            &self.shortest_input(printed, &outcome, index, (&fault, presses))?;
                    }
                    outcome.failure = Some(text);
                    outcome.scene = scene::scene(&stage);
                    outcome.scene.extend(self.picture(&stage, &outcome, index));
                }
                (outcome.skipped, outcome.blessed) = (around.skipped, around.blessed);
                outcome.ticks = stage.time_control.n_ticks;
                outcome.seconds = stage.unscaled_time();
            }
        }
        outcome.printed = printed.take();
        Ok(outcome)
    }

    /// Finds the shortest random input with which a test still fails at the same line, and writes it to a file. Returns text
    /// for the message.
    fn shortest_input(
        &self,
        printed: &Arc<Printed>,
        outcome: &TestOutcome,
        index: usize,
        (fault, presses): (&Fault, Vec<RandomPress>),
    ) -> anyhow::Result<String> {
        let n_all = presses.len();
        let kept = printed.take();
        let mut dt = 0.0;
        let found = shortest::shortest(presses, |presses| {
            let Ok(Ok(TestFile {
                mut host,
                mut stage,
                ..
            })) = self.load(printed, &outcome.file)
            else {
                return false;
            };
            dt = stage.clock.dt;
            host.plan_random_input(Some(presses.to_vec()));
            let mut around = self.outside();
            let failed = host.run_test(&mut stage, index, &mut around).err();
            failed.is_some_and(|own| (own.file, own.line) == (fault.file.clone(), fault.line))
        });
        printed.put_back(kept);
        let Some(found) = found else {
            return Ok(String::new());
        };
        let stem = Path::new(&outcome.file).file_stem().unwrap_or_default();
        let name = format!("{}-{}", stem.to_string_lossy(), plain(&outcome.name));
        let words = shortest::words(&found, n_all, dt);
        if found.is_empty() {
            return Ok(format!("\n{words}"));
        }
        let written = shortest::write(&self.project, &name, &found, dt);
        Ok(match written {
            Ok(file) => format!("\n{words}\nit is in {}", file.display()),
            Err(error) => format!("\n{words}\nit cannot be written: {error}"),
        })
    }

    /// Files and pictures for tests.
    fn outside(&self) -> TestProject<'_> {
        TestProject {
            project: &self.project,
            pictures: &self.pictures,
            skipped: Vec::new(),
            blessed: Vec::new(),
        }
    }

    /// Draws the stage of a failed test if requested, and returns the path of the picture.
    fn picture(&self, stage: &Stage, outcome: &TestOutcome, index: usize) -> Option<String> {
        let folder = self.args.pictures.as_ref()?;
        let stem = Path::new(&outcome.file).file_stem()?.to_string_lossy();
        let name = format!("{stem}-{}-{}", index + 1, plain(&outcome.name));
        Some(match self.pictures.save(stage, folder, &name) {
            Ok(file) => format!("picture: {}", file.display()),
            Err(error) => format!("cannot save a picture: {error:#}"),
        })
    }

    /// Runs the main part of a test file. An error there is a failure of the file.
    fn load(&self, printed: &Arc<Printed>, file: &str) -> anyhow::Result<Result<TestFile, String>> {
        let options = HostOptions {
            call_budget: self.project.settings.script.budget,
            memory: self.project.settings.script.memory_mb << 20,
            ..HostOptions::default()
        };
        printed.delete_saves();
        let mut host = Host::new(options, printed.clone())?;
        let mut stage = Stage::default();
        Ok(match host.load_tests(&mut stage, file) {
            Ok(names) => Ok(TestFile { host, stage, names }),
            Err(LoadError::Fault { fault, .. }) => Err(fault.to_string()),
            Err(LoadError::Pending(models)) => Err(format!("{} did not load", models.join(", "))),
        })
    }
}

/// A loaded test file.
struct TestFile {
    host: Host,
    stage: Stage,
    names: Vec<String>,
}

/// Converts a text to a part of a file name.
fn plain(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .take(60)
        .collect();
    plain.trim_matches('_').to_owned()
}
