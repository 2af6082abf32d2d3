//! The past of a running project: its memory, displaying a moment, and changing the last seconds.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::BenchFigure;
use crate::commands::{fail_on_errors, open_headless};
use galatea_app::run_diff::DiffReport;
use galatea_app::{PastMove, Session, SoundOutput};
use galatea_asset::Project;

pub(super) const NAME: &str = "past";

/// Duration of the recorded past, seconds.
const SECONDS: f64 = 300.0;
/// Duration that is played with and without a record of the past, seconds.
const RECORDED_S: f64 = 30.0;
/// Number of moments that are displayed.
const N_MOMENTS: u32 = 100;
/// Seconds before the present at which the past is changed.
const CHANGED_S: f64 = 5.0;

/// Measures project folders.
pub(super) fn bench(files: &[PathBuf]) -> anyhow::Result<Vec<BenchFigure>> {
    let mut figures = Vec::new();
    for folder in files {
        figures.extend(of_project(folder)?);
    }
    if files.is_empty() {
        eprintln!("note: the benchmark \"past\" needs a project folder and was skipped");
    }
    Ok(figures)
}

fn of_project(folder: &Path) -> anyhow::Result<Vec<BenchFigure>> {
    let mut session = open_headless(Project::open(folder)?, SoundOutput::Silent)?;
    fail_on_errors(&session)?;
    session.keep_past(SECONDS);
    let n_ticks = (SECONDS / session.stage.clock.dt).round() as u64;
    for _ in 0..n_ticks {
        session.tick();
    }
    fail_on_errors(&session)?;
    let file = Some(folder.display().to_string());
    let figure = |name: &'static str, what: &str, value: f64, unit: &'static str| BenchFigure {
        file: file.clone(),
        ..BenchFigure::plain(name, what, value, unit)
    };
    let n_characters = session.stage.characters.iter().count();
    let megabytes = session.past_bytes() as f64 / 1e6;
    session.look_back().map_err(anyhow::Error::msg)?;
    let duration = session.past_position().map_or(0.0, |past| past.duration);
    let moments: Vec<f64> = (0..N_MOMENTS)
        .map(|i| {
            // Moments in no order, as in dragging.
            let at = f64::from(i * 37 % N_MOMENTS) / f64::from(N_MOMENTS);
            milliseconds(|| session.move_in_past(PastMove::Fraction(at)))
        })
        .collect();
    let mean = moments.iter().sum::<f64>() / f64::from(N_MOMENTS);
    let worst = moments.iter().copied().fold(0.0, f64::max);
    session.move_in_past(PastMove::Seconds(-duration));
    session.play_past(1);
    let n = (10.0 / session.stage.clock.dt).round() as u32;
    let played = milliseconds(|| (0..n).for_each(|_| session.tick())) / f64::from(n);
    session.move_in_past(PastMove::Newest);
    session.move_in_past(PastMove::Seconds(-CHANGED_S));
    let changed = milliseconds(|| replay(&mut session));
    let change = session.past_change();
    let n_different = change.map_or(f64::NAN, |change| note_differences(&change.report));
    let [plain, recorded] = ticks(folder)?;
    Ok(vec![
        figure(
            "past/characters",
            "characters and props of the scene",
            n_characters as f64,
            "",
        ),
        figure("past/duration", "recorded past", duration, "s"),
        figure(
            "past/memory",
            "compressed copies of the recorded past",
            megabytes,
            "MB",
        ),
        figure("past/display", "displays any moment, mean", mean, "ms"),
        figure("past/display", "displays any moment, worst", worst, "ms"),
        figure(
            "past/record",
            "a tick without a record of the past",
            plain,
            "ms",
        ),
        figure("past/record", "a tick with it", recorded, "ms"),
        figure(
            "past/play",
            "plays the oldest 10 s, mean per tick",
            played,
            "ms",
        ),
        figure(
            "past/change",
            "loads the script 5 s before the present and replays them",
            changed,
            "ms",
        ),
        figure(
            "past/same",
            "differences after that, with the same script",
            n_different,
            "",
        ),
    ])
}

/// Mean duration of a tick without and with a record of the past, milliseconds. Both sessions are played in turns, so that other
/// work on the machine slows both down.
fn ticks(folder: &Path) -> anyhow::Result<[f64; 2]> {
    let open = || open_headless(Project::open(folder)?, SoundOutput::Silent);
    let mut sessions = [open()?, open()?];
    sessions[1].keep_past(SECONDS);
    let n_ticks = (RECORDED_S / sessions[0].stage.clock.dt).round() as u32;
    let mut sums = [0.0; 2];
    for _ in 0..n_ticks {
        for (session, sum) in sessions.iter_mut().zip(&mut sums) {
            *sum += milliseconds(|| session.tick());
        }
    }
    Ok(sums.map(|sum| sum / f64::from(n_ticks)))
}

/// Prints the differences of a report, and returns their number.
fn note_differences(report: &DiffReport) -> f64 {
    for one in &report.differences {
        let words = report.words(&one.kind, ["before", "now"]);
        eprintln!("note: {:.2} s {}: {words}", one.time, one.subject);
    }
    report.differences.len() as f64
}

/// Loads the script at the displayed moment, and replays until the present.
fn replay(session: &mut Session) {
    session.reload();
    let is_replaying = |session: &Session| {
        let past = session.past_position();
        past.is_some_and(|past| past.replayed.is_some())
    };
    while is_replaying(session) {
        session.tick();
    }
}

fn milliseconds(work: impl FnOnce()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64() * 1e3
}
