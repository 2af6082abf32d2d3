//! `galatea test`: runs `tests/*.lua` headless at a fixed step.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::ProjectArg;
use crate::app::Library;
use crate::asset::Project;
use crate::script::{Host, HostOptions, LoadError};
use crate::stage::Stage;

/// Arguments of `test`.
#[derive(Debug, Args)]
pub struct TestArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// Run only tests whose name holds this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// How to report
    #[arg(long, value_enum, default_value = "text")]
    report: Report,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Report {
    Text,
    Json,
    Junit,
}

#[derive(Debug, Serialize)]
struct Outcome {
    file: String,
    name: String,
    seconds: f64,
    failure: Option<String>,
}

pub fn run(args: &TestArgs) -> anyhow::Result<ExitCode> {
    let project = Project::open(&args.project.dir)?;
    let files = test_files(&project)?;
    if files.is_empty() {
        anyhow::bail!("{}: no tests/*.lua", project.root.display());
    }
    let mut outcomes = Vec::new();
    for file in &files {
        run_file(&project, file, args, &mut outcomes)?;
    }
    if let (Some(filter), true) = (&args.filter, outcomes.is_empty()) {
        anyhow::bail!("no test has {filter:?} in its name");
    }
    let n_failed = outcomes
        .iter()
        .filter(|outcome| outcome.failure.is_some())
        .count();
    match args.report {
        Report::Text => say!("{} passed, {n_failed} failed", outcomes.len() - n_failed),
        Report::Json => say!("{}", serde_json::to_string_pretty(&outcomes)?),
        Report::Junit => say!("{}", junit(&outcomes).trim_end()),
    }
    Ok(if n_failed == 0 && !outcomes.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
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

fn run_file(
    project: &Project,
    file: &str,
    args: &TestArgs,
    outcomes: &mut Vec<Outcome>,
) -> anyhow::Result<()> {
    let (library, _) = Library::new(project.clone(), true, args.report != Report::Text);
    let mut report = |name: &str, seconds: f64, failure: Option<String>| -> anyhow::Result<()> {
        if args.report == Report::Text {
            match &failure {
                None => say!("ok      {name}"),
                Some(failure) => say!(
                    "FAILED  {name}\n        {}",
                    failure.replace('\n', "\n        ")
                ),
            }
        }
        outcomes.push(Outcome {
            file: file.to_owned(),
            name: name.to_owned(),
            seconds,
            failure,
        });
        Ok(())
    };
    // Every test gets a world of its own, so that none can help or harm another.
    let mut index = 0;
    loop {
        let (mut host, mut stage) = (new_host(project, &library)?, Stage::default());
        let names = match host.load_tests(&mut stage, file) {
            Ok(names) => names,
            Err(LoadError::Fault { fault, .. }) => {
                report(file, 0.0, Some(fault.to_string()))?;
                return Ok(());
            }
            Err(LoadError::Pending(models)) => anyhow::bail!("{} did not load", models.join(", ")),
        };
        let Some(name) = names.get(index) else { break };
        if args
            .filter
            .as_ref()
            .is_none_or(|filter| name.contains(filter))
        {
            let start = Instant::now();
            let failure = host.run_test(&mut stage, index).err();
            report(
                name,
                start.elapsed().as_secs_f64(),
                failure.map(|f| f.to_string()),
            )?;
        }
        index += 1;
    }
    Ok(())
}

fn new_host(project: &Project, library: &Arc<Library>) -> anyhow::Result<Host> {
    let options = HostOptions {
        call_budget: project.settings.script.budget,
        memory: project.settings.script.memory_mb << 20,
        ..HostOptions::default()
    };
    Ok(Host::new(options, library.clone())?)
}

fn junit(outcomes: &[Outcome]) -> String {
    use std::fmt::Write as _;
    let escape = |text: &str| {
        // XML 1.0 knows no other control characters.
        text.replace(|c: char| c.is_control() && !['\n', '\t'].contains(&c), " ")
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
            .replace('"', "&quot;")
    };
    let failures = outcomes.iter().filter(|o| o.failure.is_some()).count();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"galatea\" tests=\"{}\" failures=\"{failures}\">\n",
        outcomes.len()
    );
    for outcome in outcomes {
        let (file, name) = (escape(&outcome.file), escape(&outcome.name));
        let _ = write!(
            out,
            "  <testcase classname=\"{file}\" name=\"{name}\" time=\"{:.3}\"",
            outcome.seconds
        );
        let _ = match &outcome.failure {
            None => writeln!(out, "/>"),
            Some(text) => writeln!(
                out,
                ">\n    <failure>{}</failure>\n  </testcase>",
                escape(text)
            ),
        };
    }
    out.push_str("</testsuite>\n");
    out
}
