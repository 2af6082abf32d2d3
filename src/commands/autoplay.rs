//! `galatea play` without a display: a sheet of pictures from the whole film, then the film or its beginning.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::animation::Animation;
use super::progress::Progress;
use super::record::{RecordPlan, open_recorded, read_inputs, record, write_png};
use super::view::ViewArg;
use galatea_app::headless::{HeadlessCamera, advance_to};
use galatea_app::recording::InputRecording;
use galatea_app::sheet::{ContactSheet, Layout, PixelSize};
use galatea_app::studio::StudioOptions;
use galatea_app::{PlayerProfile, Session};
use galatea_asset::{Project, vfs};
use galatea_stage::frame::Quality;

/// Layout of the sheet.
const SHEET: Layout = Layout {
    columns: 4,
    rows: 3,
};
/// Pictures of the sheet from which the time of a picture is measured. They show about the part of the film that a beginning
/// contains, and most shaders were compiled for the first picture.
const TIMED: std::ops::RangeInclusive<u32> = 1..=2;
/// Size of the pictures of the sheet, and of the frames of a beginning.
const SMALL: PixelSize = PixelSize(640, 360);
/// Size of the frames of the whole film.
const LARGE: PixelSize = PixelSize(960, 540);
/// Range of the duration of the film, seconds.
const MIN_SECONDS: f64 = 0.1;
const MAX_SECONDS: f64 = 120.0;
/// Duration of the film without recorded input, seconds.
const DEFAULT_SECONDS: f64 = 8.0;
/// Maximum duration of a beginning, seconds.
const MAX_BEGINNING: f64 = 20.0;
/// Minimum duration of a beginning, for slow machines, seconds.
const MIN_BEGINNING: f64 = 3.0;
/// Time to render a beginning. It is shortened to what this machine can render in this time.
const RENDER_TIME: Duration = Duration::from_secs(50);

/// Options of a run without a display.
pub struct AutoplayOptions<'a> {
    /// Drawing options. The quality is medium by default, for which software rendering takes only minutes.
    pub wishes: StudioOptions,
    /// The debug view.
    pub view: &'a ViewArg,
    /// Console lines that are evaluated first.
    pub lines: &'a [String],
    /// Renders the whole film instead of its beginning.
    pub is_full: bool,
    /// Output folder.
    pub output: &'a Path,
}

/// Renders a project to files. The input is a recording, or the project's `autoplay.jsonl`; its last time is the length.
///
/// # Errors
/// If the input cannot be read, the project has errors, or something cannot be drawn or written.
pub fn run(
    project: Project,
    recording: Option<InputRecording>,
    options: &AutoplayOptions<'_>,
) -> anyhow::Result<ExitCode> {
    let recording = match recording {
        Some(recording) => recording,
        None => own_input(&project)?,
    };
    let last = recording.events.last();
    let seconds = last.map_or(DEFAULT_SECONDS, |event| event.t);
    let seconds = seconds.clamp(MIN_SECONDS, MAX_SECONDS);
    let wishes = StudioOptions {
        quality: options.wishes.quality.or(Some(Quality::Medium)),
        as_film: true,
        ..options.wishes
    };
    fs::create_dir_all(options.output).with_context(|| options.output.display().to_string())?;

    let mut session = open_recorded(project, recording.clone())?;
    super::fail_on_errors(&session)?;
    options.view.show(&mut session.stage)?;
    session.answer_when_loaded(options.lines);
    let mut camera = HeadlessCamera::new(&mut session)?;
    camera.set_options(wishes);
    let per_picture = draw_sheet(&mut session, &mut camera, seconds, options.output)?;

    let mut session = session.restarted_silently(PlayerProfile::of(&recording))?;
    session.replay(recording.events);
    options.view.show(&mut session.stage)?;
    for line in options.lines {
        // The first session printed the answer.
        let _ = session.answer(line);
    }
    let plan = plan(seconds, per_picture, wishes, options.is_full);
    if plan.seconds < seconds {
        eprintln!(
            "note: the film is the first {:.1} s of {seconds:.1}; add --full to render all of it",
            plan.seconds
        );
    }
    record(session, Some(camera), plan, options.output)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads the input of a project; empty if it has none.
fn own_input(project: &Project) -> anyhow::Result<InputRecording> {
    let file = project.root.join("autoplay.jsonl");
    if vfs::is_file(&file) {
        return read_inputs(&file);
    }
    let former = project.root.join("reel.jsonl");
    if vfs::is_file(&former) {
        eprintln!("note: reel.jsonl is now named autoplay.jsonl; rename the file");
        return read_inputs(&former);
    }
    Ok(InputRecording::default())
}

/// Draws moments that are evenly spaced over a duration in seconds, and writes them as a sheet. Returns the time of a
/// picture.
fn draw_sheet(
    session: &mut Session,
    camera: &mut HeadlessCamera,
    seconds: f64,
    output: &Path,
) -> anyhow::Result<Duration> {
    let mut sheet = ContactSheet::new(SHEET, SMALL)?;
    let n = SHEET.capacity();
    let size = (SMALL.0, SMALL.1);
    let progress = Progress::new("sheet of pictures", u64::from(n));
    let mut shortest = Duration::MAX;
    for i in 0..n {
        let time = seconds * (f64::from(i) + 0.5) / f64::from(n);
        advance_to(session, time);
        camera.label(&format!("{time:.1} s"));
        if TIMED.contains(&i) {
            camera.last()?.iter().for_each(|picture| sheet.add(picture));
            let began = Instant::now();
            sheet.add(&camera.picture(session, time, size)?);
            shortest = shortest.min(began.elapsed());
        } else {
            // The simulation continues while the renderer works.
            let before = camera.picture_before(session, time, size)?;
            before.iter().for_each(|picture| sheet.add(picture));
        }
        progress.at(u64::from(i + 1));
    }
    camera.last()?.iter().for_each(|picture| sheet.add(picture));
    progress.done();
    camera.remove_label();
    let file = output.join("sheet.png");
    write_png(&file, &sheet.finish())?;
    say!("{}", file.display());
    Ok(shortest)
}

/// Settings of the film: the whole of it, or as much of the beginning as this machine can render in [`RENDER_TIME`].
fn plan(seconds: f64, per_picture: Duration, wishes: StudioOptions, is_full: bool) -> RecordPlan {
    const FPS: u32 = 24;
    let n = RENDER_TIME.as_secs_f64() / per_picture.as_secs_f64().max(1e-3);
    let beginning = (n / f64::from(FPS)).clamp(MIN_BEGINNING, MAX_BEGINNING);
    RecordPlan {
        seconds: if is_full {
            seconds
        } else {
            beginning.min(seconds)
        },
        fps: FPS,
        size: if is_full { LARGE } else { SMALL },
        pictures: true,
        wishes,
        turntable: false,
        animation: Animation::default(),
        shard: None,
        resume: false,
        video: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_is_as_long_as_the_machine_can_render_in_time() {
        let film = |ms, is_full| {
            let per_picture = Duration::from_millis(ms);
            plan(60.0, per_picture, StudioOptions::default(), is_full).seconds
        };
        assert_eq!(film(1, false), MAX_BEGINNING);
        assert!((film(200, false) - 50.0 / 0.2 / 24.0).abs() < 1e-9);
        assert_eq!(film(60_000, false), MIN_BEGINNING);
        assert_eq!(film(60_000, true), 60.0);
        let short = plan(1.5, Duration::ZERO, StudioOptions::default(), false);
        assert_eq!(short.seconds, 1.5);
    }
}
