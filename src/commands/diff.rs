//! `galatea diff`: runs two versions of a project with the same input, or one project with two inputs, and reports what
//! differs.

mod compare;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use self::compare::Comparison;
use super::progress::Progress;
use super::record::{read_inputs, report_differences, write_png};
use super::{headless, seconds};
use galatea_app::headless::HeadlessCamera;
use galatea_app::recording::InputRecording;
use galatea_app::run_diff::DiffReport;
use galatea_app::sheet::{ContactSheet, Layout, PixelSize};
use galatea_app::{PlayerProfile, Session, SoundOutput};
use galatea_asset::Project;

/// Duration without an input file, and the time after the last input, seconds.
const USUAL_SECONDS: f64 = 10.0;
const SECONDS_AFTER_INPUT: f64 = 1.0;

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// Folder of the first version of the project; or the first input file (.jsonl)
    #[arg(value_name = "A")]
    first: PathBuf,
    /// Folder of the second version; or the second input file (.jsonl)
    #[arg(value_name = "B")]
    second: PathBuf,
    /// Input to play in both versions: one JSON object per line, {"t": 0.5, "down": "w"}
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Project that is played with two input files
    #[arg(long, value_name = "DIR", default_value = ".")]
    project: PathBuf,
    /// Duration, seconds [default: one second after the last input, or 10 without input]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    seconds: Option<f64>,
    /// Distance up to which positions count as equal, metres
    #[arg(long, value_name = "METRES", value_parser = tolerance, default_value = "0.01")]
    tolerance: f32,
    /// Report as JSON
    #[arg(long)]
    json: bool,
    /// Picture of both at the first difference and at the end, PNG; written only if they differ
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Size of each of its four pictures, pixels
    #[arg(long, value_name = "WxH", default_value = "640x360")]
    size: PixelSize,
}

fn tolerance(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(n) if (0.0..=1000.0).contains(&n) => Ok(n),
        _ => Err("expected metres from 0 to 1000".into()),
    }
}

pub fn run(args: &DiffArgs) -> anyhow::Result<ExitCode> {
    let mut runs = open(args)?;
    let last = runs.iter().map(|run| run.last_input).fold(0.0, f64::max);
    let usual = match last > 0.0 {
        true => last + SECONDS_AFTER_INPUT,
        false => USUAL_SECONDS,
    };
    let n_ticks = (args.seconds.unwrap_or(usual) * 60.0).round() as u64;
    let mut sheet = match args.output {
        Some(_) => Some(DiffPicture::begin(&mut runs, args.size)?),
        None => None,
    };
    let [a, b] = &mut runs;
    let mut comparison = Comparison::new(args.tolerance);
    let progress = Progress::new("comparing", n_ticks);
    for tick in 0..n_ticks {
        a.session.tick();
        b.session.tick();
        let begins = comparison.take([&mut a.session, &mut b.session]);
        if let (true, Some(sheet)) = (begins, &mut sheet) {
            sheet.take([a, b], "first difference")?;
        }
        progress.at(tick + 1);
    }
    progress.done();
    let mut report = comparison.finish([&mut a.session, &mut b.session]);
    if let (true, Some(mut sheet), Some(file)) = (report.differs(), sheet, &args.output) {
        sheet.take([a, b], "end")?;
        write_png(file, &sheet.sheet.finish())?;
        report.picture = Some(file.clone());
    }
    print(&report, args.json, [&a.label, &b.label])
}

fn print(report: &DiffReport, as_json: bool, labels: [&str; 2]) -> anyhow::Result<ExitCode> {
    match as_json {
        true => say!("{}", serde_json::to_string_pretty(report)?),
        false => {
            for line in report.lines(labels) {
                say!("{line}");
            }
        }
    }
    Ok(match report.differs() {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

/// A project that is played.
struct DiffRun {
    session: Session,
    /// Path on the command line.
    label: String,
    /// Time of the last input, seconds.
    last_input: f64,
}

impl DiffRun {
    fn open(path: &Path, label: &Path, recording: InputRecording) -> anyhow::Result<Self> {
        let project = Project::show(path, None).map_err(anyhow::Error::msg)?;
        report_differences(&project, &recording)?;
        let last_input = recording.events.last().map_or(0.0, |event| event.t);
        let options = headless(SoundOutput::Silent, true);
        let mut session = Session::open_for(project, options, PlayerProfile::of(&recording))?;
        session.replay(recording.events);
        session.record_events();
        Ok(Self {
            session,
            label: label.display().to_string(),
            last_input,
        })
    }
}

/// Opens both projects, or one project with two inputs.
fn open(args: &DiffArgs) -> anyhow::Result<[DiffRun; 2]> {
    let is_input = |path: &Path| path.extension().is_some_and(|end| end == "jsonl");
    let (a, b) = (&args.first, &args.second);
    match [is_input(a), is_input(b)] {
        [true, true] => {
            anyhow::ensure!(
                args.input.is_none(),
                "--input is for two projects; here A and B are input files already"
            );
            let open = |file: &PathBuf| DiffRun::open(&args.project, file, read_inputs(file)?);
            Ok([open(a)?, open(b)?])
        }
        [false, false] => {
            let open = |folder: &PathBuf| {
                let inputs = args.input.as_deref().map(read_inputs).transpose()?;
                DiffRun::open(folder, folder, inputs.unwrap_or_default())
            };
            Ok([open(a)?, open(b)?])
        }
        _ => anyhow::bail!(
            "A and B must be two project folders or two input files, got {} and {}",
            a.display(),
            b.display()
        ),
    }
}

/// Pictures of both runs: one row at the first difference, one at the end.
struct DiffPicture {
    cameras: [HeadlessCamera; 2],
    sheet: ContactSheet,
    size: PixelSize,
}

impl DiffPicture {
    fn begin(runs: &mut [DiffRun; 2], size: PixelSize) -> anyhow::Result<Self> {
        let [a, b] = runs;
        let layout = Layout {
            columns: 2,
            rows: 2,
        };
        Ok(Self {
            cameras: [
                HeadlessCamera::new(&mut a.session)?,
                HeadlessCamera::new(&mut b.session)?,
            ],
            sheet: ContactSheet::new(layout, size)?,
            size,
        })
    }

    fn take(&mut self, runs: [&mut DiffRun; 2], what: &str) -> anyhow::Result<()> {
        for ((camera, run), name) in self.cameras.iter_mut().zip(runs).zip(["A", "B"]) {
            let time = run.session.stage.unscaled_time();
            camera.label(&format!("{name}, {time:.2} s, {what}"));
            let PixelSize(width, height) = self.size;
            let picture = camera.picture(&mut run.session, time, (width, height))?;
            self.sheet.add(&picture);
        }
        Ok(())
    }
}
