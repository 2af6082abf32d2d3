//! `galatea play`: opens a window, or renders to files if there is no display.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;

use super::autoplay::{self, AutoplayOptions};
use super::view::ViewArg;
use super::{QualityArg, ShowArg, record};
use galatea_app::control::ControlPort;
use galatea_app::recording::{InputRecording, Recorder};
use galatea_app::window::StudioUse;
use galatea_app::{PlayerProfile, Session, SessionOptions, SoundOutput};
use galatea_app::{live, microphone, window};
use galatea_asset::Project;

/// Default of `--rewind`, seconds.
const DEFAULT_REWIND: f64 = 300.0;
/// Maximum of `--rewind`, seconds.
const MAX_REWIND: f64 = 3600.0;

/// Arguments of `play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    #[command(flatten)]
    show: ShowArg,
    #[command(flatten)]
    quality: QualityArg,
    #[command(flatten)]
    view: ViewArg,
    /// Play without sound
    #[arg(long)]
    silent: bool,
    /// Play recorded input, then accept input from the devices
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Write all input to a file while playing, for `--input`, `record --input` and tests
    #[arg(long, value_name = "FILE", conflicts_with = "render")]
    record_input: Option<PathBuf>,
    /// Use a recording instead of the microphone, for live lip sync
    #[arg(long, value_name = "FILE", conflicts_with = "render")]
    microphone: Option<PathBuf>,
    /// Keep the last seconds of the game in memory, so that F8 displays them; 0 keeps nothing
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_REWIND, value_parser = seconds_to_keep)]
    rewind: f64,
    /// Open the studio, which shows what runs and changes it; F1 opens and closes it
    #[arg(long, conflicts_with = "render")]
    studio: bool,
    /// Command with which the studio opens a line of a script [default: code --goto {file}:{line}]
    #[arg(long, value_name = "COMMAND", conflicts_with = "render")]
    editor: Option<String>,
    /// Print the phases until the first picture in the window: time, processor time and memory
    #[arg(long, conflicts_with = "render")]
    pub(super) timings: bool,
    /// Render to files even if there is a display
    #[arg(long)]
    render: bool,
    /// Evaluate Lua or a console command once the script runs, and print the result; may be repeated
    #[arg(long, value_name = "CODE")]
    eval: Vec<String>,
    /// Let other programs on this machine query and control the project, on this port [default: any free port].
    /// Without a display the project then runs in real time
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0", conflicts_with = "render")]
    control: Option<u16>,
    /// Write the control token to this file, readable by its owner only, instead of stdout
    #[arg(long, value_name = "FILE", requires = "control")]
    control_token_file: Option<PathBuf>,
    /// Run the scripts only when a code editor has connected to the debugger on the control port
    #[arg(long, requires = "control")]
    wait_for_debugger: bool,
    /// With --render or without a display: render the whole film, not only a sheet of pictures and the beginning
    #[arg(long)]
    full: bool,
    /// Output folder of --render
    #[arg(long, value_name = "FOLDER", default_value = "out/render")]
    render_to: PathBuf,
}

impl PlayArgs {
    fn studio_use(&self) -> StudioUse {
        StudioUse {
            is_allowed: true,
            is_open: self.studio,
            editor: self.editor.clone(),
        }
    }

    /// The project in the current folder.
    pub fn here() -> Self {
        Self {
            show: ShowArg {
                path: ".".into(),
                clip: None,
            },
            quality: QualityArg::default(),
            view: ViewArg::default(),
            silent: false,
            input: None,
            record_input: None,
            microphone: None,
            rewind: DEFAULT_REWIND,
            studio: false,
            editor: None,
            timings: false,
            render: false,
            full: false,
            eval: Vec::new(),
            control: None,
            control_token_file: None,
            wait_for_debugger: false,
            render_to: "out/render".into(),
        }
    }
}

fn seconds_to_keep(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok();
    let seconds = seconds.filter(|seconds| (0.0..=MAX_REWIND).contains(seconds));
    seconds.ok_or_else(|| format!("expected seconds from 0 to {MAX_REWIND}"))
}

fn recorder_to(file: &Path, project: &Project, player: &PlayerProfile) -> anyhow::Result<Recorder> {
    let header = player.header(project).with_files(project);
    Recorder::create(file, header).with_context(|| file.display().to_string())
}

fn control_port(args: &PlayArgs) -> anyhow::Result<Option<ControlPort>> {
    let Some(port) = args.control else {
        return Ok(None);
    };
    let mut control = ControlPort::open(port, args.control_token_file.as_deref())?;
    control.waits_for_debugger = args.wait_for_debugger;
    Ok(Some(control))
}

pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let project = args.show.open()?;
    let recording = match &args.input {
        Some(file) => Some(record::read_inputs(file)?),
        None => None,
    };
    let shows = window::has_display() && !args.render;
    if !shows && args.record_input.is_some() {
        anyhow::bail!("no display found, so there is no input to record");
    }
    if !shows && args.control.is_none() {
        if !args.render {
            let folder = args.render_to.display();
            eprintln!("note: no display found; rendering to files in {folder} instead");
        }
        return autoplay::run(
            project,
            recording,
            &AutoplayOptions {
                wishes: args.quality.wishes(false),
                view: &args.view,
                lines: &args.eval,
                is_full: args.full,
                output: &args.render_to,
            },
        );
    }
    let player = match &recording {
        Some(recording) => PlayerProfile::of(recording),
        None => PlayerProfile::here(&project),
    };
    if let Some(recording) = &recording {
        record::report_differences(&project, recording)?;
    }
    let recorder = match &args.record_input {
        Some(file) => Some(recorder_to(file, &project, &player)?),
        None => None,
    };
    let sound = match args.silent {
        true => SoundOutput::Silent,
        false => SoundOutput::Device,
    };
    let options = SessionOptions {
        sound,
        watch: true,
        quiet: false,
        wait: false,
    };
    let control = control_port(args)?;
    let mut session = match args.wait_for_debugger {
        true => Session::open_for_debugger(project, options, player)?,
        false => Session::open_for_console(project, options, player)?,
    };
    if let Some(file) = &args.microphone {
        let sound = microphone::read(file).map_err(anyhow::Error::msg)?;
        session.use_recording_as_microphone(sound);
    }
    args.view.show(&mut session.stage)?;
    if let Some(InputRecording { events, .. }) = recording {
        session.replay(events);
    }
    if let Some(recorder) = recorder {
        session.record(recorder);
    }
    session.answer_when_loaded(&args.eval);
    if control.is_some() {
        session.record_events();
    }
    if shows && args.rewind > 0.0 {
        session.keep_past(args.rewind);
    }
    match control {
        Some(control) if !shows => live::run(session, control),
        control => {
            let drawing = args.quality.wishes(false);
            window::run(session, options, control, drawing, args.studio_use())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
